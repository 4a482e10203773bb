"""What every request passes: whose page it comes from, how often, and what every answer carries."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.server.arena import PASSWORD, Arena, arena, sentence_of
from turntile.server.addresses import client_address
from turntile.server.limits import Limiter, class_of
from turntile.server.origins import is_ours
from turntile.server.problems import Problem
from turntile.server.settings import InvalidSettings, Limits, Rate, Settings


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with arena(tmp_path_factory.mktemp("door")) as running:
        yield running


# ------------------------------------------------------------------- whose page


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": ""},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {},
    ],
)
def test_other_sites_cannot_write_with_a_persons_cookie(hall: Arena, headers: dict[str, str]) -> None:
    person = hall.person()
    del person.headers["Origin"]
    told = person.patch("/me", json={"about": "hacked"}, headers=headers)
    assert sentence_of(told, 403) and told.json()["key"] == "ORIGIN"
    assert person.get("/me").json()["player"]["about"] == ""


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}])
def test_our_own_page_can(hall: Arena, headers: dict[str, str]) -> None:
    person = hall.person()
    del person.headers["Origin"]
    assert person.patch("/me", json={"about": "mine"}, headers=headers).status_code == 200


def test_another_sites_page_cannot_log_anybody_in(hall: Arena) -> None:
    """Else a person would play in an account that somebody else reads."""
    hall.person("Trap")
    other = httpx.Client(base_url=hall.url + "/api/v1", headers={"Origin": "https://evil.example"}, trust_env=False)
    told = other.post("/sessions", json={"name": "Trap", "password": PASSWORD})
    assert sentence_of(told, 403) and "set-cookie" not in told.headers


def test_programs_with_a_token_need_no_origin(hall: Arena) -> None:
    program = hall.program("publish")
    told = program.post("/contests", json={}, headers={"Origin": "https://elsewhere.example"})
    assert told.status_code == 422, "it came through, and was looked at"


def test_which_origins_are_ours() -> None:
    settings = Settings(origins=("https://club.example:8443",), public_url="https://arena.example")
    for origin, host, ours in [
        ("http://127.0.0.1:8000", "127.0.0.1:8000", True),
        ("https://arena.example", "10.0.0.5:8000", True),
        ("https://ARENA.example:443", "10.0.0.5:8000", True),
        ("https://club.example:8443", "10.0.0.5:8000", True),
        ("https://club.example", "10.0.0.5:8000", False),
        ("https://other.example", "other.example", True),  # a proxy that ends https and keeps the host
        ("https://other.example", "other.example.evil.example", False),
        ("file://", "", False),
        ("null", "null", False),
        ("https://", "", False),
    ]:
        assert is_ours(origin, host, settings) is ours, origin


def test_settings_that_name_no_origin_are_refused() -> None:
    with pytest.raises(InvalidSettings, match="no origin"):
        Settings(origins=("arena.example",))
    with pytest.raises(InvalidSettings, match="no port"):
        Settings(port=70000)


def test_there_is_no_cors_unless_it_is_set(hall: Arena, tmp_path: Path) -> None:
    ask = {"Origin": "https://tool.example", "Access-Control-Request-Method": "GET"}
    told = httpx.options(f"{hall.url}/api/v1/games", headers=ask, trust_env=False)
    assert "access-control-allow-origin" not in told.headers
    with arena(tmp_path, cors_origins=("https://tool.example",)) as running:
        told = httpx.get(f"{running.url}/api/v1/games", headers={"Origin": "https://tool.example"}, trust_env=False)
        assert told.headers["access-control-allow-origin"] == "https://tool.example"
        assert "access-control-allow-credentials" not in told.headers, "cookies stay at home"
        other = httpx.get(f"{running.url}/api/v1/games", headers={"Origin": "https://evil.example"}, trust_env=False)
        assert "access-control-allow-origin" not in other.headers


# ------------------------------------------------------------------- headers


@pytest.mark.parametrize("path", ["/", "/api/v1/games", "/api/v1/nowhere", "/lobby", "/openapi.json", "/healthz"])
def test_every_answer_is_guarded(hall: Arena, path: str) -> None:
    headers = httpx.get(hall.url + path, trust_env=False).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
    assert "frame-ancestors 'self'" in policy and headers["x-frame-options"] == "SAMEORIGIN"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]
    assert headers["x-request-id"]


def test_only_the_viewer_for_other_pages_may_stand_in_their_frames(hall: Arena) -> None:
    headers = httpx.get(hall.url + "/embed/abcdefgh23", trust_env=False).headers
    assert "frame-ancestors *" in headers["content-security-policy"]
    assert "x-frame-options" not in headers
    assert (
        "frame-ancestors 'self'"
        in httpx.get(hall.url + "/embedded", trust_env=False).headers["content-security-policy"]
    )


def test_private_answers_are_not_kept_by_anybody(hall: Arena) -> None:
    headers = hall.person().get("/me").headers
    assert headers["cache-control"] == "no-store" and "Cookie" in headers["vary"]


# ------------------------------------------------------------------- how often


class Watch:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def scope(
    method: str = "GET", path: str = "/api/v1/games", address: str = "192.0.2.1", *names: bytes
) -> dict[str, object]:
    return {
        "method": method,
        "path": path,
        "client": (address, 5000),
        "headers": [(name, b"x") for name in names],
        "state": {},
    }


def test_a_bucket_empties_and_fills_up_again() -> None:
    watch = Watch()
    limiter = Limiter(Settings(limits=Limits(read=Rate(burst=3, per_second=0.5))), watch)
    for _ in range(3):
        limiter.admit(scope())
    with pytest.raises(Problem) as refused:
        limiter.admit(scope())
    assert refused.value.status == 429 and refused.value.headers == {"Retry-After": "2"}
    limiter.admit(scope(address="192.0.2.2"))  # another address has its own
    limiter.admit(scope("POST", "/api/v1/sessions"))  # as has another kind of request
    watch.now += 2
    limiter.admit(scope())
    with pytest.raises(Problem):
        limiter.admit(scope())


def test_a_school_behind_one_address_is_not_one_person() -> None:
    limiter = Limiter(Settings(limits=Limits(read=Rate(burst=5, per_second=0.5))), Watch())

    def ask(player: int) -> None:
        known = scope("GET", "/api/v1/games", "192.0.2.1")
        known["headers"] = [(b"cookie", b"turntile_session=of-player-%d" % player)]
        limiter.admit(known)
        limiter.charge_account(known, player)

    for player in range(4):
        for _ in range(5):
            ask(player)
    with pytest.raises(Problem):
        ask(3)


def test_a_household_of_ipv6_is_one_address() -> None:
    limiter = Limiter(Settings(limits=Limits(login=Rate.per_minute(2))), Watch())
    for last in range(2):
        limiter.admit(scope("POST", "/api/v1/sessions", f"2001:db8:1:2::{last}"))
    with pytest.raises(Problem):
        limiter.admit(scope("POST", "/api/v1/sessions", "2001:db8:1:2:ffff::9"))
    limiter.admit(scope("POST", "/api/v1/sessions", "2001:db8:1:3::1"))


def test_memory_is_bounded() -> None:
    limiter = Limiter(Settings(limits=replace(Limits(), addresses=100)), Watch())
    for number in range(1000):
        limiter.admit(scope(address=f"10.0.{number // 250}.{number % 250}"))
    assert len(limiter.buckets) == 100


def test_forwarded_addresses_are_believed_of_trusted_proxies_only() -> None:
    asked = scope(address="10.0.0.1")
    asked["headers"] = [(b"x-forwarded-for", b"203.0.113.9, 198.51.100.7"), (b"x-forwarded-for", b"10.0.0.2")]
    assert client_address(asked, Settings()) == "10.0.0.1"
    assert client_address(asked, Settings(trusted_proxies=("10.0.0.0/8",))) == "198.51.100.7"
    assert client_address(asked, Settings(trusted_proxies=("127.0.0.1",))) == "10.0.0.1"
    with pytest.raises(InvalidSettings, match="trusted proxies"):
        client_address(asked, Settings(trusted_proxies=("proxy",)))


@pytest.mark.parametrize(
    ("method", "path", "kind"),
    [
        ("POST", "/api/v1/sessions", "login"),
        ("POST", "/api/v1/accounts", "login"),
        ("PATCH", "/api/v1/me", "login"),
        ("POST", "/api/v1/matches", "match"),
        ("POST", "/api/v1/matches/abc/rematch", "match"),
        ("POST", "/api/v1/matches/abc/act", "move"),
        ("POST", "/api/bot/game/abc/move/up", "move"),
        ("POST", "/api/v1/matches/abc/join", "write"),
        ("GET", "/api/v1/matches/abc/replay.gif", "download"),
        ("GET", "/api/v1/contests/abc/matches/7/film", "download"),
        ("GET", "/api/v1/matches", "read"),
        ("PUT", "/api/v1/contests/abc/matches", "publish"),
        ("DELETE", "/api/v1/tokens/3", "write"),
        ("BREW", "/api/v1/tea", "write"),
        ("GET", "/assets/index-x.js", ""),
        ("GET", "/healthz", ""),
    ],
)
def test_every_request_has_a_class(method: str, path: str, kind: str) -> None:
    assert class_of(method, path) == kind


def test_logins_are_limited_and_say_when_to_come_again(tmp_path: Path) -> None:
    with arena(tmp_path, limits=replace(Limits(), login=Rate.per_minute(10))) as running:
        client = running.browser()
        told = [client.post("/sessions", json={"name": "x", "password": "y"}) for _ in range(11)]
        assert [one.status_code for one in told] == [401] * 10 + [429]
        assert "come again" in sentence_of(told[-1], 429)
        assert 1 <= int(told[-1].headers["retry-after"]) <= 6
        assert told[0].headers["ratelimit-policy"] == '"login";q=10;w=60'
        assert told[0].headers["ratelimit"].startswith('"login";r=9;')
        assert told[-1].headers["ratelimit"].startswith('"login";r=0;')
        assert client.get("/games").status_code == 200, "reading goes on"


def test_accounts_are_limited_but_not_mistypes(tmp_path: Path) -> None:
    with arena(tmp_path, limits=replace(Limits().scaled(1000), account=Rate.per_hour(2))) as running:
        for _ in range(5):
            wish = {"name": "A", "password": PASSWORD}
            assert sentence_of(running.browser().post("/accounts", json=wish), 422)
        running.person()
        running.person()
        told = running.browser().post("/accounts", json={"name": "Third One", "password": PASSWORD})
        assert "account" in sentence_of(told, 429) and int(told.headers["retry-after"]) > 60


def test_one_address_has_so_many_sockets(tmp_path: Path) -> None:
    with arena(tmp_path, trusted_proxies=("127.0.0.1",), sockets_per_address=2) as running:
        match = running.person().post("/matches", json={"game": "tron", "seats": [{"kind": "me"}, {"kind": "open"}]})
        url = f"{running.url.replace('http', 'ws')}/api/v1/matches/{match.json()['id']}/socket"

        def open_one(address: str) -> ClientConnection:
            headers = {"X-Forwarded-For": address}
            return connect(url, subprotocols=["turntile.v1"], additional_headers=headers, proxy=None)  # type: ignore[list-item]

        with open_one("203.0.113.9"), open_one("203.0.113.9"):
            with pytest.raises(InvalidStatus) as refused, open_one("203.0.113.9"):
                pass
            assert refused.value.response.status_code == 429
            assert b"2 sockets are open" in refused.value.response.body
            with open_one("203.0.113.10") as other:
                assert "welcome" in str(other.recv(10))
        for _ in range(100):  # the server hears of it a moment later
            if not running.app.state.limits.sockets:
                break
            time.sleep(0.02)
        with open_one("203.0.113.9") as again:
            assert "welcome" in str(again.recv(10))


def test_guests_are_not_made_without_end(tmp_path: Path) -> None:
    with arena(tmp_path, limits=replace(Limits().scaled(1000), guest=Rate.per_minute(3))) as running:
        wish = {"game": "tron", "seats": [{"kind": "me"}, {"kind": "open"}]}
        told = [running.browser().post("/matches", json=wish).status_code for _ in range(4)]
        assert told == [201, 201, 201, 429]
