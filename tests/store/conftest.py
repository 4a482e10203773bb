"""An open store on each kind of database, and things to put into it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from turntile.store import Store, open_store


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def store(arena_url: str, anyio_backend: str) -> AsyncIterator[Store]:
    async with await open_store(arena_url, migrate=False) as store:
        yield store
