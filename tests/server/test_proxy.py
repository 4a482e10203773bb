"""Behind nginx with exactly the configuration of docs/operations.md: two processes, one PostgreSQL, https in front."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from tests.databases import Postgres, free_port
from tests.server.arena import PASSWORD, sentence_of
from tests.server.running import PATIENCE_S, ServerProcess
from turntile.server.messages import PROTOCOL

PAGE = (Path(__file__).parents[2] / "docs" / "operations.md").read_text("utf-8")
PUBLIC = "https://arena.example"
API = "/api/v1"
ME, OPEN = {"kind": "me"}, {"kind": "open"}
SOON_S = 5.0  # keep-alive lines come every 7 s: what comes sooner was not kept until one of them


def the_one(pattern: str) -> str:
    [found] = re.findall(pattern, PAGE, re.DOTALL)
    return str(found)


def changed(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in the page"
        text = text.replace(old, new)
    return text


class Nginx:
    """The page's text; only ports and files are where a test may have them."""

    def __init__(self, folder: Path, *servers: ServerProcess) -> None:
        self.port = free_port()
        self.make_certificate(folder)
        ports = [server.port for server in servers]
        site = changed(
            the_one(r"```nginx\n(.*?)```"),
            ("server 127.0.0.1:8000;", "".join(f"server 127.0.0.1:{port};" for port in ports)),
            ("listen 443 ssl", f"listen 127.0.0.1:{self.port} ssl"),
            ("/etc/ssl/arena.pem", str(folder / "arena.pem")),
            ("/etc/ssl/arena.key", str(folder / "arena.key")),
        )
        places = "".join(
            f"{kind}_temp_path {folder / kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        user = "user root;\n" if os.geteuid() == 0 else ""  # who may look into the test's folder
        around = f"{user}daemon off;\npid {folder / 'pid'};\nerror_log {folder / 'log'};\nevents {{}}\n"
        (folder / "nginx.conf").write_text(f"{around}http {{\naccess_log off;\n{places}{site}}}\n", encoding="utf-8")
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        self.process = subprocess.Popen(
            [program, "-p", str(folder), "-e", str(folder / "log"), "-c", str(folder / "nginx.conf")],
            stdin=subprocess.DEVNULL,
        )
        give_up = time.monotonic() + PATIENCE_S
        while not self.answers():
            assert self.process.poll() is None and time.monotonic() < give_up, (folder / "log").read_text()
            time.sleep(0.02)

    def make_certificate(self, folder: Path) -> None:
        words = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=arena.example -keyout arena.key -out arena.pem"
        subprocess.run(["openssl", *words.split()], cwd=folder, check=True, capture_output=True)

    def answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def client(self, address: str = "127.0.0.1", **headers: str) -> httpx.Client:
        """A browser at an address, which believes it is at arena.example."""
        return httpx.Client(
            base_url=f"https://127.0.0.1:{self.port}",
            transport=httpx.HTTPTransport(verify=False, local_address=address),
            headers={"Host": "arena.example", "Origin": PUBLIC, **headers},
            timeout=PATIENCE_S,
        )

    def person(self, name: str) -> httpx.Client:
        client = self.client()
        told = client.post(f"{API}/accounts", json={"name": name, "password": PASSWORD})
        assert told.status_code == 201, told.text
        return client

    def talk(self, match: str, client: httpx.Client, origin: str = PUBLIC) -> ClientConnection:
        plain = ssl.create_default_context()
        plain.check_hostname = False
        plain.verify_mode = ssl.CERT_NONE
        cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        return connect(
            f"wss://arena.example/api/v1/matches/{match}/socket?feed=view",
            sock=socket.create_connection(("127.0.0.1", self.port)),
            ssl=plain,
            origin=Origin(origin),
            subprotocols=[Subprotocol(PROTOCOL)],
            additional_headers={"Cookie": cookies},
            open_timeout=PATIENCE_S,
            legacy=True,
        )

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE_S)


@pytest.fixture(scope="module")
def nginx(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nginx]:
    words = the_one(r"--data /var/lib/turntile/files \\\n +(--public-url [^\n]*)").split()
    folder, db = tmp_path_factory.mktemp("behind"), postgres.new_database()
    with (
        ServerProcess(folder / "one", *words, db=db) as one,
        ServerProcess(folder / "two", *words, db=db) as two,
    ):
        running = Nginx(folder, one, two)
        try:
            yield running
        finally:
            running.end()


def hear(connection: ClientConnection, kind: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(connection.recv(timeout=PATIENCE_S))
        if message["type"] == kind:
            return message


def test_a_match_is_played_over_http_and_the_socket(nginx: Nginx) -> None:
    ann, bob = nginx.person("Ann"), nginx.person("Bob")
    assert all(cookie.secure for cookie in ann.cookies.jar), "people come over https"
    match = ann.post(f"{API}/matches", json={"game": "tron", "seats": [ME, OPEN]}).json()["id"]
    assert bob.post(f"{API}/matches/{match}/join", json={}).status_code == 200
    with nginx.talk(match, ann) as said:
        [picture] = hear(said, "frame")["pictures"]
        assert picture["seat"] == 0
        said.send(json.dumps({"type": "act", "seat": 0, "seq": picture["next_seq"], "text": "straight"}))
        told = bob.post(f"{API}/matches/{match}/act", json={"seat": 1, "seq": 1, "text": "straight"})
        assert told.status_code == 200, told.text
        while hear(said, "frame")["step"] < 1:
            pass
        assert bob.post(f"{API}/matches/{match}/resign", json={"seat": 1}).status_code == 200
    assert ann.get(f"{API}/matches/{match}").json()["status"] == "over"


def test_other_sites_pages_are_refused(nginx: Nginx) -> None:
    ann = nginx.person("Ada")
    wish = {"game": "racers", "seats": [ME, OPEN]}
    match = ann.post(f"{API}/matches", json=wish).json()["id"]
    told = ann.post(f"{API}/matches", json=wish, headers={"Origin": "https://elsewhere.example"})
    assert "another site's page" in sentence_of(told, 403)
    with nginx.talk(match, ann, "https://elsewhere.example") as connection, pytest.raises(ConnectionClosed):
        while "welcome" not in str(connection.recv(timeout=PATIENCE_S)):
            pass


def test_a_stream_tells_at_once_what_happens(nginx: Nginx) -> None:
    owner = nginx.person("Olga")
    assert owner.post(f"{API}/bots", json={"name": "Far", "kind": "remote"}).status_code == 201
    secret = owner.post(f"{API}/bots/Far/tokens", json={"label": "x", "scopes": ["play", "challenge"]}).json()["secret"]
    bot = nginx.client(Authorization=f"Bearer {secret}")
    with bot.stream("GET", "/api/stream/event") as answer:
        lines = answer.iter_lines()
        assert next(lines) == "", "kept alive"
        asked_at = time.monotonic()
        seats = [ME, {"kind": "bot", "bot": "@Far"}]
        match = owner.post(f"{API}/matches", json={"game": "racers", "seats": seats}).json()["id"]
        told = next(line for line in lines if line)
        assert json.loads(told)["challenge"]["id"] == match
        assert time.monotonic() - asked_at < SOON_S
    assert nginx.client(Authorization=f"Bearer {secret}").post(f"/api/challenge/{match}/accept").json() == {"ok": True}
    with bot.stream("GET", f"/api/bot/game/stream/{match}") as answer:
        assert json.loads(next(answer.iter_lines()))["type"] == "gameFull"


def left_of(client: httpx.Client) -> int:
    """How many reads the address has left, where it has the fewest: limits are counted by each process."""
    told = [client.get(f"{API}/games").headers["RateLimit"] for _ in range(6)]
    return min(int(re.findall(r"r=(\d+)", one)[0]) for one in told)


def test_each_address_has_limits_of_its_own_and_none_by_claiming_another(nginx: Nginx) -> None:
    first = left_of(nginx.client("127.0.0.2"))
    assert left_of(nginx.client("127.0.0.2")) < first
    assert left_of(nginx.client("127.0.0.2", **{"X-Forwarded-For": "192.0.2.9"})) < first - 2
    assert left_of(nginx.client("127.0.0.3")) >= first - 2


def test_what_is_not_for_everybody_stays_inside_and_large_pieces_go_through(nginx: Nginx) -> None:
    client = nginx.client("127.0.0.4")
    assert client.get("/metrics").status_code == 403
    assert client.get("/healthz").json()["status"] == "alive"
    told = client.put(f"{API}/contests/nosuchone1/matches", content=b"x" * 2_000_000)
    assert sentence_of(told, 401), "ours, not the proxy's"
