"""Several server processes on one PostgreSQL: a match is found by all, and outlives the process that held it."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path
from socket import gethostname
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from tests.cli.terminal import environment
from tests.databases import Postgres, free_port
from tests.store.tables_set import playing_table
from turntile.match.replay import StepLine, read_replay
from turntile.server.addresses import own_address
from turntile.server.messages import PROTOCOL
from turntile.server.settings import InvalidSettings, Settings
from turntile.store import open_store

API = "/api/v1"
PATIENCE_S = 60.0
NUMBERS = count(1)

# The server as `turntile serve` runs it, with less patience for the dead.
RUNNER = """
import sys
from pathlib import Path
from turntile.server.logs import LogSettings
from turntile.server.serve import serve
from turntile.server.settings import Limits, Settings

db, folder, stale_s, port = sys.argv[1:]
settings = Settings(
    port=int(port), db=db, data_dir=Path(folder), beat_s=0.3, stale_s=float(stale_s), bot_pause_s=0.0, thinkers=1,
    password_memory_kib=256, password_rounds=1, limits=Limits().scaled(1000),
)
serve(settings, LogSettings(), lambda url: print(url, flush=True))
"""


class Process:
    """A server process."""

    def __init__(self, db: str, folder: Path, stale_s: float, port: int = 0) -> None:
        self.db = db
        self.log_file = folder / f"server{next(NUMBERS)}.log"
        with self.log_file.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", RUNNER, db, str(folder / "data"), str(stale_s), str(port)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=environment(folder),
            )

    def listens(self) -> Process:
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()
        assert self.url, self.log_file.read_text()
        return self

    def send(self, number: int) -> None:
        self.process.send_signal(number)

    def end(self, number: int = signal.SIGKILL) -> int:
        if self.process.poll() is None:
            self.send(signal.SIGCONT)
            self.send(number)
        code = self.process.wait(PATIENCE_S)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code


class Proxy:
    """A reverse proxy of the simplest kind: each connection goes to the next server that takes it."""

    def __init__(self, *servers: Process) -> None:
        self.ports = [int(server.url.rpartition(":")[2]) for server in servers]
        self.turn = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.thread = threading.Thread(target=self.accept, daemon=True)
        self.thread.start()

    def accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                server = self.connect()
                if server is None:
                    client.close()
                    continue
                for one, other in ((client, server), (server, client)):
                    threading.Thread(target=self.copy, args=(one, other), daemon=True).start()

    def connect(self) -> socket.socket | None:
        for _ in self.ports:
            self.turn = (self.turn + 1) % len(self.ports)
            with suppress(OSError):
                return socket.create_connection(("127.0.0.1", self.ports[self.turn]))
        return None

    def copy(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while piece := one.recv(65536):
                other.sendall(piece)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self.listener.close()


class Person:
    """Somebody with a cookie, who may knock at any of the servers' doors."""

    def __init__(self, url: str) -> None:
        self.cookies = httpx.Cookies()
        told = self.post(url, "/accounts", name=f"Person {next(NUMBERS)}", password="a long walk by the sea")
        assert told.status_code == 201, told.text
        self.name: str = told.json()["player"]["name"]

    def ask(self, method: str, url: str, path: str, **more: Any) -> httpx.Response:
        """With a connection of its own, so that a proxy sends it anywhere."""
        headers = {"Origin": url, **more.pop("headers", {})}
        answer = httpx.request(
            method,
            url + API + path,
            cookies=self.cookies,
            headers=headers,
            timeout=PATIENCE_S,
            trust_env=False,
            verify=False,
            **more,
        )
        self.cookies.update(answer.cookies)
        return answer

    def get(self, url: str, path: str) -> httpx.Response:
        return self.ask("GET", url, path)

    def post(self, url: str, path: str, **body: Any) -> httpx.Response:
        return self.ask("POST", url, path, json=body)

    def sit_down(self, url: str, match_id: str) -> ClientConnection:
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return connect(
            f"{url.replace('http', 'ws')}{API}/matches/{match_id}/socket?feed=view",
            origin=Origin(url),
            subprotocols=[Subprotocol(PROTOCOL)],
            additional_headers={"Cookie": cookie},
            open_timeout=PATIENCE_S,
            proxy=None,
            legacy=True,
        )


class Seat:
    """Somebody at a table, who comes again when he is sent away, and counts what was acknowledged."""

    def __init__(self, person: Person, url: str, match_id: str) -> None:
        self.person, self.url, self.match_id = person, url, match_id
        self.acknowledged: list[tuple[int, str]] = []  # seq and text
        self.codes: list[int] = []  # with which connections were closed
        self.socket: ClientConnection | None = None
        self.frame: dict[str, Any] = {}
        self.sent: tuple[int, str] | None = None
        self.fresh = False  # a connection whose first frame is still to come

    def hear(self) -> dict[str, Any]:
        """The next message, whatever must be done for it."""
        give_up = time.monotonic() + PATIENCE_S
        while True:
            try:
                if self.socket is None:
                    self.socket = self.person.sit_down(self.url, self.match_id)
                    self.fresh = True
                message: dict[str, Any] = json.loads(self.socket.recv(timeout=PATIENCE_S))
            except (OSError, ConnectionClosed, InvalidStatus, EOFError) as error:
                assert time.monotonic() < give_up, error
                if isinstance(error, ConnectionClosed) and error.rcvd is not None:
                    self.codes.append(error.rcvd.code)
                self.socket = None
                self.frame = {}
                time.sleep(0.1)
                continue
            if message["type"] == "ack":
                assert self.sent is not None and message["seq"] == self.sent[0]
                self.acknowledged.append(self.sent)
                self.sent = None
            elif message["type"] == "frame":
                self.frame = message
            return message

    def play(self) -> None:
        """One action, sent again after an interruption until it is acknowledged."""
        before = len(self.acknowledged)
        while len(self.acknowledged) == before:
            if self.sent is None and self.frame.get("waiting"):
                [picture] = self.frame["pictures"]
                self.sent = (picture["next_seq"], picture["legal"][0])
                self.say()
            message = self.hear()
            if message["type"] == "refused" or (message["type"] == "frame" and self.fresh):
                self.fresh = False
                if self.sent is not None:
                    self.say()

    def say(self) -> None:
        assert self.sent is not None and self.socket is not None
        self.frame = {}
        with suppress(ConnectionClosed):
            self.socket.send(json.dumps({"type": "act", "seq": self.sent[0], "text": self.sent[1]}))

    def leave(self) -> None:
        if self.socket is not None:
            self.socket.close()
            self.socket = None


@contextmanager
def servers(url: str, folder: Path, *, stale_s: float = 2.0) -> Iterator[tuple[Process, Process]]:
    """Two processes on one database."""
    with ExitStack() as stack:
        both = [Process(url, folder, stale_s) for _ in range(2)]
        for server in both:
            stack.callback(server.end)
        yield both[0].listens(), both[1].listens()


@pytest.fixture(scope="module")
def pair(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Process, Process]]:
    with servers(postgres.new_database(), tmp_path_factory.mktemp("pair")) as both:
        yield both


def begin(ann: Person, bob: Person, one: str, other: str, **more: Any) -> str:
    """Ann opens a table at one server, Bob joins it at another."""
    opened = ann.post(one, "/matches", game="racers", seats=[{"kind": "me"}, {"kind": "open"}], **more)
    assert opened.status_code == 201, opened.text
    match_id: str = opened.json()["id"]
    joined = bob.post(other, f"/matches/{match_id}/join")
    assert joined.status_code == 200, joined.text
    assert joined.json()["status"] == "playing"
    return match_id


def take_turns(seats: tuple[Seat, Seat], actions: int) -> None:
    for _ in range(actions):
        [seat] = eventually(lambda: seats[0].person.get(seats[0].url, f"/matches/{seats[0].match_id}").json()["to_act"])
        seats[seat].play()


def eventually(look: Callable[[], Any]) -> Any:
    """What is looked for, once it is there."""
    give_up = time.monotonic() + PATIENCE_S
    while not (found := look()):
        assert time.monotonic() < give_up
        time.sleep(0.05)
    return found


def holder(servers: tuple[Process, Process], match_id: str) -> Process | None:
    """The process that holds a match, as the database says."""

    async def look() -> str | None:
        async with await open_store(servers[0].db, migrate=False) as store:
            place = await store.matches.place(match_id)
            return place.address if place is not None else None

    address = asyncio.run(look())
    return next((server for server in servers if server.url == address), None)


def actions_of(replay: bytes) -> list[list[str]]:
    """What each of two seats did, in order."""
    done: list[list[str]] = [[], []]
    for line in read_replay(replay).lines:
        if isinstance(line, StepLine):
            for seat, text in line.actions.items():
                done[seat].append(text)
    return done


def test_a_match_is_found_joined_and_played_at_any_process(pair: tuple[Process, Process]) -> None:
    one, other = (server.url for server in pair)
    ann, bob = Person(one), Person(other)
    match_id = begin(ann, bob, one, other)
    seats = Seat(ann, other, match_id), Seat(bob, one, match_id)  # each at the other's door
    take_turns(seats, 6)

    told = [person.get(url, f"/matches/{match_id}").json() for url in (one, other) for person in (ann, bob)]
    assert [info["step"] for info in told] == [told[0]["step"]] * 4 and told[0]["step"] > 0
    assert [[seat["mine"] for seat in info["seats"]] for info in told] == [[True, False], [False, True]] * 2
    assert all(seat["present"] for info in told for seat in info["seats"])
    for url in (one, other):
        listed = ann.get(url, "/matches?status=playing").json()["items"]
        assert match_id in [info["id"] for info in listed]

    turn = told[0]["to_act"][0]
    person, seat = (ann, bob)[turn], seats[turn]
    while not seat.frame.get("waiting"):
        seat.hear()
    [picture] = seat.frame["pictures"]
    for repeated, url in ((False, other), (True, one)):
        acted = person.post(url, f"/matches/{match_id}/act", seq=picture["next_seq"], text=picture["legal"][0])
        assert acted.status_code == 200, acted.text
        assert acted.json()["repeated"] == repeated
    ended = bob.post(other, f"/matches/{match_id}/resign")
    assert ended.status_code == 200, ended.text
    replays = [ann.get(url, f"/matches/{match_id}/replay") for url in (one, other)]
    assert replays[0].status_code == 200, replays[0].text
    assert replays[0].content == replays[1].content
    for seat in seats:
        while seat.hear()["type"] != "frame" or not seat.frame.get("outcome"):
            pass
        seat.leave()


def test_a_rematch_is_one_table_wherever_it_is_asked_for(pair: tuple[Process, Process]) -> None:
    one, other = (server.url for server in pair)
    ann, bob = Person(one), Person(other)
    match_id = begin(ann, bob, one, other)
    listening = bob.sit_down(other, match_id)
    assert ann.post(other, f"/matches/{match_id}/resign").status_code == 200
    asked = ann.post(other, f"/matches/{match_id}/rematch")
    assert asked.status_code == 201, asked.text
    sentences = []
    while f"{ann.name} asks for a rematch" not in sentences:
        sentences.append(json.loads(listening.recv(timeout=PATIENCE_S)).get("sentence"))
    listening.close()
    agreed = bob.post(other, f"/matches/{match_id}/rematch")

    assert agreed.status_code == 201, agreed.text
    assert agreed.json()["id"] == asked.json()["id"] != match_id
    assert agreed.json()["status"] == "playing"


def test_a_refusal_comes_back_as_it_was_said(pair: tuple[Process, Process]) -> None:
    one, other = (server.url for server in pair)
    ann, bob, eve = Person(one), Person(other), Person(other)
    match_id = begin(ann, bob, one, other)
    answers = [eve.post(url, f"/matches/{match_id}/act", seq=1, text="up") for url in (one, other)]

    assert [answer.status_code for answer in answers] == [403, 403]
    assert (
        answers[0].json()["detail"] == answers[1].json()["detail"] == "you hold no seat in this match: others play it"
    )
    assert answers[1].headers["content-type"] == "application/problem+json"
    foreign = eve.ask("POST", other, f"/matches/{match_id}/act", headers={"Origin": "https://evil.example"}, json={})
    assert foreign.status_code == 403 and foreign.json()["key"] == "ORIGIN"
    with pytest.raises(ConnectionClosed) as refused:
        socket = connect(
            f"{other.replace('http', 'ws')}{API}/matches/{match_id}/socket",
            origin=Origin("https://evil.example"),
            proxy=None,
            legacy=True,
        )
        while True:
            socket.recv(timeout=PATIENCE_S)
    assert refused.value.rcvd is not None and refused.value.rcvd.code == 1008


def test_only_neighbours_can_say_that_a_request_was_passed_on(pair: tuple[Process, Process]) -> None:
    """With the secret it is answered where it arrives: there are no loops. Without, the header says nothing."""
    one, other = (server.url for server in pair)
    ann, bob = Person(one), Person(other)
    match_id = begin(ann, bob, one, other)
    turn = ann.get(one, f"/matches/{match_id}").json()["to_act"][0]
    person = (ann, bob)[turn]

    async def read_secret() -> str:
        async with await open_store(pair[0].db, migrate=False) as store:
            return await store.secrets.get("neighbours")

    passed_on = {"X-Turntile-Neighbour": asyncio.run(read_secret())}
    forged = {"X-Turntile-Neighbour": "guessed", "X-Turntile-Client": "8.8.8.8"}
    path, body = f"/matches/{match_id}/resign", {"seat": turn}
    refused = person.ask("POST", other, path, headers=passed_on, json=body)
    assert refused.status_code == 503
    assert refused.json()["detail"] == "this match is just moving to another process: try again in a moment"
    assert refused.headers["retry-after"] == "1"
    assert person.ask("POST", other, path, headers=forged, json=body).status_code == 200
    assert httpx.post(other + "/neighbours/events", json=[], headers=forged, trust_env=False).status_code in (404, 405)


def test_a_match_whose_process_does_not_answer_is_asked_for_again(pair: tuple[Process, Process]) -> None:
    """Its time is not up yet, so nobody has claimed its matches: programs are told when to come again, sockets too."""
    one, _ = (server.url for server in pair)
    ann = Person(one)

    async def leave_a_match_behind() -> str:
        async with await open_store(pair[0].db, migrate=False) as store:
            now = await store.processes.now()
            await store.processes.beat("dead", f"http://127.0.0.1:{free_port()}", now + 600)
            return await playing_table(store, owner="dead", game="racers")

    match_id = asyncio.run(leave_a_match_behind())
    refused = ann.post(one, f"/matches/{match_id}/act", seq=1, text="up")
    assert refused.status_code == 503
    assert refused.json()["detail"] == "this match is just moving to another process: try again in a moment"
    assert refused.headers["retry-after"] == "1"
    table = ann.sit_down(one, match_id)
    assert json.loads(table.recv(timeout=PATIENCE_S))["type"] == "reconnect"
    with pytest.raises(ConnectionClosed) as closed:
        table.recv(timeout=PATIENCE_S)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1012


@pytest.mark.parametrize(
    ("settings", "address"),
    [
        (Settings(port=8001), "http://127.0.0.1:8001"),
        (Settings(host="0.0.0.0", port=8001), f"http://{gethostname()}:8001"),
        (Settings(host="::1", port=8001), "http://[::1]:8001"),
        (Settings(neighbour_url="https://ten.example:1/"), "https://ten.example:1"),
    ],
)
def test_where_others_reach_a_process(settings: Settings, address: str) -> None:
    assert own_address(settings) == address


@pytest.mark.parametrize("address", ["10.0.0.7:8001", "ftp://10.0.0.7", "http://10.0.0.7/arena", "http://"])
def test_what_is_no_address_of_a_process_is_refused(address: str) -> None:
    with pytest.raises(InvalidSettings, match="is no address of a process: write it like"):
        Settings(neighbour_url=address)


def check_all_was_kept(seats: tuple[Seat, Seat], url: str) -> None:
    """The match is given up, and its replay tells what was acknowledged: all of it, once, in order."""
    match_id = seats[0].match_id
    ended = seats[0].person.post(url, f"/matches/{match_id}/resign")
    assert ended.status_code == 200, ended.text
    replay = seats[0].person.get(url, f"/matches/{match_id}/replay")
    assert replay.status_code == 200, replay.text
    assert actions_of(replay.content) == [[text for _, text in seat.acknowledged] for seat in seats]
    assert [seq for seq, _ in seats[0].acknowledged] == list(range(1, len(seats[0].acknowledged) + 1))
    for seat in seats:
        seat.leave()


@pytest.fixture
def own_pair(postgres_url: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[tuple[Process, Process]]:
    """Two processes that the test may do away with."""
    with servers(postgres_url, tmp_path, stale_s=getattr(request, "param", 2.0)) as both:
        yield both


@pytest.fixture
def proxy(own_pair: tuple[Process, Process]) -> Iterator[Proxy]:
    proxy = Proxy(*own_pair)
    yield proxy
    proxy.close()


def test_a_match_goes_on_when_its_process_is_killed(own_pair: tuple[Process, Process], proxy: Proxy) -> None:
    """Behind a proxy that knows nothing of matches; three matches, and those who play come again."""
    tables = []
    for _ in range(3):
        ann, bob = Person(proxy.url), Person(proxy.url)
        match_id = begin(ann, bob, proxy.url, proxy.url)
        tables.append((Seat(ann, proxy.url, match_id), Seat(bob, proxy.url, match_id)))
    for seats in tables:
        take_turns(seats, 3)
    owner = holder(own_pair, tables[0][0].match_id)
    assert owner is not None
    owner.end(signal.SIGKILL)
    left = own_pair[1] if owner is own_pair[0] else own_pair[0]
    for seats in tables:
        eventually(lambda match_id=seats[0].match_id: holder(own_pair, match_id) is left)  # type: ignore[misc]
        take_turns(seats, 4)
        check_all_was_kept(seats, proxy.url)


@pytest.mark.parametrize("own_pair", [600.0], indirect=True)
def test_a_process_that_goes_in_peace_gives_its_matches_up_at_once(
    own_pair: tuple[Process, Process], proxy: Proxy
) -> None:
    """Nobody is believed dead here for ten minutes."""
    ann, bob = Person(proxy.url), Person(proxy.url)
    match_id = begin(ann, bob, proxy.url, proxy.url)
    seats = Seat(ann, proxy.url, match_id), Seat(bob, proxy.url, match_id)
    for seat in seats:
        seat.hear()  # both are there, whoever's turn it is
    take_turns(seats, 2)
    owner = holder(own_pair, match_id)
    assert owner is not None
    assert owner.end(signal.SIGTERM) == 0
    for seat in seats:
        while not seat.codes:
            seat.hear()
    take_turns(seats, 2)

    assert [set(seat.codes) for seat in seats] == [{1012}, {1012}]
    check_all_was_kept(seats, proxy.url)


def test_a_process_that_only_slept_does_no_harm(own_pair: tuple[Process, Process]) -> None:
    """It still believes to hold the match when it wakes up; the database knows better."""
    one, other = own_pair
    ann, bob = Person(one.url), Person(one.url)
    match_id = begin(ann, bob, one.url, one.url)
    at_sleeper = Seat(ann, one.url, match_id), Seat(bob, one.url, match_id)
    for asleep in at_sleeper:
        asleep.hear()  # both are there, whoever's turn it is
    take_turns(at_sleeper, 2)
    one.send(signal.SIGSTOP)
    eventually(lambda: holder(own_pair, match_id) is other)
    seats = Seat(ann, other.url, match_id), Seat(bob, other.url, match_id)
    for seat, asleep in zip(seats, at_sleeper, strict=True):
        seat.acknowledged = asleep.acknowledged
    take_turns(seats, 1)
    one.send(signal.SIGCONT)
    for asleep in at_sleeper:  # they are sent away, and come again at the same door
        while 1012 not in asleep.codes:
            asleep.hear()
        asleep.leave()
    take_turns(seats, 2)
    eventually(lambda: ann.get(one.url, f"/matches/{match_id}").json()["step"] > 0)

    check_all_was_kept(seats, one.url)


def test_who_starts_again_at_the_same_address_goes_on_at_once(postgres_url: str, tmp_path: Path) -> None:
    """Nobody waits until the process that was there before is believed dead: there cannot be two."""
    first = Process(postgres_url, tmp_path, 600.0).listens()
    try:
        ann, bob = Person(first.url), Person(first.url)
        match_id = begin(ann, bob, first.url, first.url)
        seats = Seat(ann, first.url, match_id), Seat(bob, first.url, match_id)
        take_turns(seats, 2)
    finally:
        first.end(signal.SIGKILL)
    again = Process(postgres_url, tmp_path, 600.0, port=int(first.url.rpartition(":")[2])).listens()
    try:
        take_turns(seats, 2)
        check_all_was_kept(seats, again.url)
    finally:
        again.end()


def test_a_bot_hears_of_challenges_at_any_process(pair: tuple[Process, Process]) -> None:
    """Its stream of events is open at one process, the table is at another."""
    one, other = (server.url for server in pair)
    ann = Person(one)
    registered = ann.post(one, "/bots", name=f"Bot {next(NUMBERS)}", game="racers", kind="remote")
    assert registered.status_code == 201, registered.text
    bot = registered.json()["name"]
    made = ann.post(one, f"/bots/{bot}/tokens", label="test", scopes=["play", "challenge"])
    assert made.status_code == 201, made.text
    token = {"Authorization": f"Bearer {made.json()['secret']}"}
    seats = [{"kind": "me"}, {"kind": "bot", "bot": f"@{bot}"}]
    early = ann.post(other, "/matches", game="racers", seats=seats).json()["id"]
    with (
        httpx.Client(trust_env=False, verify=False, timeout=PATIENCE_S, headers=token) as client,
        client.stream("GET", one + "/api/stream/event") as stream,
    ):
        events = (json.loads(line) for line in stream.iter_lines() if line.strip())
        heard = next(events)
        assert (heard["type"], heard["challenge"]["id"]) == ("challenge", early)
        late = ann.post(other, "/matches", game="racers", seats=seats).json()["id"]
        heard = next(events)
        assert (heard["type"], heard["challenge"]["id"]) == ("challenge", late)
        accepted = client.post(f"{one}/api/challenge/{late}/accept")
        assert accepted.status_code == 200, accepted.text
        heard = next(events)
        assert (heard["type"], heard["game"]["id"]) == ("gameStart", late)
        with client.stream("GET", f"{one}/api/bot/game/stream/{late}") as game:
            lines = (json.loads(line) for line in game.iter_lines() if line.strip())
            assert next(lines)["type"] == "gameFull"
            assert ann.post(one, f"/matches/{late}/resign").status_code == 200
            assert any(line["type"] == "gameState" and line["status"] != "playing" for line in lines)
        heard = next(events)
        assert (heard["type"], heard["game"]["id"]) == ("gameFinish", late)


def test_a_bots_trial_is_told_at_any_process(pair: tuple[Process, Process]) -> None:
    one, other = (server.url for server in pair)
    ann = Person(one)
    bot = ann.post(one, "/bots", name=f"Bot {next(NUMBERS)}", game="racers", kind="remote").json()["name"]
    begun = ann.post(other, f"/bots/{bot}/test")
    assert begun.status_code in (200, 201, 202), begun.text
    told = [ann.get(url, f"/bots/{bot}/test").json() for url in (one, other)]
    again = ann.post(one, f"/bots/{bot}/test")

    assert told[0]["match"] == told[1]["match"] == begun.json()["match"]
    assert [trial["state"] for trial in told] == ["waiting", "waiting"]
    assert again.status_code == 409, again.text
