"""Who comes to an arena that is measured: people with a cookie, bots with a token."""

from __future__ import annotations

from time import sleep
from typing import Any

import httpx

from bench.arena_processes import Process
from bench.sockets import Line

API = "/api/v1"
PASSWORD = "a bench in the park"


class Client:
    """Asks over HTTP and opens sockets, with whatever shows who it is."""

    def __init__(self, arena: Process, **headers: str) -> None:
        self.arena = arena
        self.headers = headers
        self.http = httpx.Client(base_url=arena.url + API, headers=headers, trust_env=False, verify=False, timeout=60)

    def post(self, path: str, **fields: Any) -> dict[str, Any]:
        answer = self.http.post(path, json=fields)
        assert answer.is_success, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def line(self, match_id: str, feed: str, **query: object) -> Line:
        words = "".join(f"&{name}={value}" for name, value in query.items())
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        headers = [*self.headers.items(), *([("Cookie", cookies)] if cookies else [])]
        return Line(f"{self.arena.socket_url}{API}/matches/{match_id}/socket?feed={feed}{words}", headers)


class Visitor(Client):
    """A person with a new account."""

    def __init__(self, arena: Process, name: str) -> None:
        super().__init__(arena, Origin=arena.url)
        self.post("/accounts", name=name, password=PASSWORD)

    def bot(self, name: str) -> Bots:
        self.post("/bots", name=name, game="", kind="remote")
        return Bots(self.arena, Authorization=f"Bearer {self.post(f'/bots/{name}/tokens')['secret']}")


class Bots(Client):
    """Plays any number of seats with one token; no clock, no real time."""

    def open_match(self, game: str, options: dict[str, Any]) -> str:
        seats = [{"kind": "me"}, {"kind": "me"}]
        return str(self.post("/matches", game=game, options=options, seats=seats, listed=False)["id"])

    def resign(self, match_id: str) -> None:
        self.post(f"/matches/{match_id}/resign", seat=0)

    def await_end(self, match_id: str) -> None:
        """Until its replay is stored."""
        while self.http.get(f"/matches/{match_id}").json()["status"] == "playing":
            sleep(0.01)
