"""A whole arena for tests: the real app on a real database, served by uvicorn on a free port of this machine."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from turntile.server.app import make_app
from turntile.server.settings import Limits, Settings
from turntile.server.short_way import ShortWayProtocol

API = "/api/v1"
PASSWORD = "a long walk by the sea"
NUMBERS = count(1)

# Quick where nobody looks: little memory for passwords, no pauses for people, generous limits.
QUICK = Settings(
    password_memory_kib=256,
    password_rounds=1,
    bot_pause_s=0.0,
    show_pace_s=0.0,
    thinkers=1,
    limits=Limits().scaled(1000),
)


class Arena:
    """A server that runs in a thread."""

    def __init__(self, settings: Settings) -> None:
        self.app = make_app(settings)
        config = uvicorn.Config(
            self.app,
            host="127.0.0.1",
            port=0,
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=3,
            ws=ShortWayProtocol,
        )
        self.server = uvicorn.Server(config)
        self.loop: asyncio.AbstractEventLoop | None = None
        self.failed: BaseException | None = None
        self.thread = threading.Thread(target=self.run, name="arena")
        self.thread.start()
        while not self.server.started:
            self.thread.join(0.005)
            if not self.thread.is_alive():
                raise RuntimeError("the arena did not start") from self.failed
        self.port: int = self.server.servers[0].sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def run(self) -> None:
        async def serve() -> None:
            self.loop = asyncio.get_running_loop()
            await self.server.serve()

        try:
            asyncio.run(serve())
        except BaseException as error:
            self.failed = error

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(20)
        assert not self.thread.is_alive()

    def wait(self, coroutine: Any) -> Any:
        """Run something of the server's on its own loop."""
        assert self.loop is not None
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(30)

    @property
    def store(self) -> Any:
        return self.app.state.store

    # ------------------------------------------------------------------- who asks

    def browser(self, **headers: str) -> httpx.Client:
        """Nobody yet, with the page's origin and a jar for cookies. (Reading certificates takes long: none here.)"""
        return httpx.Client(
            base_url=self.url + API,
            headers={"Origin": self.url, **headers},
            timeout=30,
            trust_env=False,
            verify=False,
        )

    def person(self, name: str = "") -> httpx.Client:
        """Somebody with an account."""
        client = self.browser()
        told = client.post("/accounts", json={"name": name or f"Person {next(NUMBERS)}", "password": PASSWORD})
        assert told.status_code == 201, told.text
        return client

    def program(self, *scopes: str, owner: httpx.Client | None = None) -> httpx.Client:
        """A script with a token, of somebody new or of the owner."""
        person = owner or self.person()
        told = person.post("/tokens", json={"label": "test", "scopes": list(scopes)})
        assert told.status_code == 201, told.text
        return httpx.Client(
            base_url=self.url + API,
            headers={"Authorization": f"Bearer {told.json()['secret']}"},
            timeout=30,
            trust_env=False,
            verify=False,
        )


@contextmanager
def arena(folder: Path, **changes: Any) -> Iterator[Arena]:
    """An arena with a database of its own in the folder, unless `db` says another."""
    settings = replace(QUICK, **{"db": f"sqlite:///{folder / 'arena.db'}", "data_dir": folder / "data", **changes})
    running = Arena(settings)
    try:
        yield running
    finally:
        running.stop()


def name_of(client: httpx.Client) -> str:
    name: str = client.get("/me").json()["player"]["name"]
    return name


def sentence_of(answer: httpx.Response, status: int) -> str:
    """The sentence of a refusal, after a look at its form."""
    assert answer.status_code == status, (answer.status_code, answer.text)
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert told["status"] == status and told["title"] and told["type"] == "about:blank"
    assert told["instance"].startswith("urn:turntile:request:")
    sentence: str = told["detail"]
    assert sentence and "\n" not in sentence and "Traceback" not in sentence
    return sentence
