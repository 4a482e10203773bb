"""Passwords: kept as argon2id, hashed off the loop, few at a time.

Each hash takes 64 MB and a tenth of a second on purpose; so at most two are worked on at once,
and a crowd of logins waits in line while the matches go on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from turntile.core.errors import TurntileError
from turntile.server.problems import Problem
from turntile.server.settings import Settings

Result = TypeVar("Result")

SHORTEST, LONGEST = 8, 200
MOST_WAITING = 100


class InvalidPassword(TurntileError):
    """A password that cannot be taken."""


class Passwords:
    """Hashes and checks, in its own threads."""

    def __init__(self, settings: Settings) -> None:
        self.hasher = PasswordHasher(time_cost=settings.password_rounds, memory_cost=settings.password_memory_kib)
        self.threads = ThreadPoolExecutor(settings.hashing_at_once, thread_name_prefix="password")
        self.waiting = 0
        self.nobodys = ""  # a hash no password fits, to be checked for names nobody bears

    async def hash(self, password: str) -> str:
        return await self.work(self.hasher.hash, password)

    async def fits(self, password_hash: str | None, password: str) -> bool:
        """Takes as long for a player without a password, and for no player at all."""
        if password_hash is None:
            if not self.nobodys:
                self.nobodys = await self.work(self.hasher.hash, "nobody's password")
            await self.work(self.verify, self.nobodys, password)
            return False
        return await self.work(self.verify, password_hash, password)

    def verify(self, password_hash: str, password: str) -> bool:
        try:
            return self.hasher.verify(password_hash, password)
        except (Argon2Error, InvalidHashError):
            return False

    async def work(self, function: Callable[..., Result], *arguments: str) -> Result:
        if self.waiting >= MOST_WAITING:
            raise Problem(
                503, "too many people log in at this moment: try again in a few seconds", headers={"Retry-After": "5"}
            )
        self.waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self.threads, function, *arguments)
        finally:
            self.waiting -= 1

    def close(self) -> None:
        self.threads.shutdown(wait=False, cancel_futures=True)


def check_password(password: str, name: str) -> None:
    """Long enough to be worth hashing, and not the name itself."""
    if len(password) < SHORTEST:
        raise InvalidPassword(f"this password is too short: take at least {SHORTEST} characters")
    if len(password) > LONGEST:
        raise InvalidPassword(f"this password is too long: take at most {LONGEST} characters")
    if password.casefold() == name.casefold() or len(set(password)) < 3:
        raise InvalidPassword("this password is too easy to guess: take some words that are not your name")
