"""One at a time: requests that must not overtake each other, told apart by a key."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class OneAtATime:
    """A lock for each key that is in use."""

    def __init__(self) -> None:
        self.locks: dict[str, tuple[asyncio.Lock, int]] = {}

    @asynccontextmanager
    async def __call__(self, key: str) -> AsyncIterator[None]:
        lock, waiting = self.locks.get(key, (asyncio.Lock(), 0))
        self.locks[key] = (lock, waiting + 1)
        try:
            async with lock:
                yield
        finally:
            lock, waiting = self.locks.pop(key)
            if waiting > 1:
                self.locks[key] = (lock, waiting - 1)
