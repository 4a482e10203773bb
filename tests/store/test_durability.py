"""What was acknowledged is there after the process was killed: nothing lost, nothing doubled, all in order."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

import pytest

from tests.store.tables_set import playing_table
from turntile.store import open_store

pytestmark = pytest.mark.anyio

TABLES = 8
KILLS = 4

# Appends to all its matches at once for as long as it lives, and says of each entry that it is in.
APPENDER = """
import asyncio, os, sys
from turntile.store import open_store

async def play(store, match_id, number):
    while True:
        number += 1
        await store.append(match_id, number, [f"{match_id} {number}".encode()])
        os.write(1, f"{match_id} {number}\\n".encode())  # at once, past all buffers

async def main():
    store = await open_store(sys.argv[1], migrate=False, alone=True)
    ids = sys.argv[2:]
    begun = [len(await store.read_journal(match_id)) for match_id in ids]
    await asyncio.gather(*(play(store, match_id, number) for match_id, number in zip(ids, begun)))

asyncio.run(main())
"""


async def test_what_was_acknowledged_survives_a_kill(database_url: str, tmp_path: Path) -> None:
    async with await open_store(database_url) as store:
        ids = [await playing_table(store) for _ in range(TABLES)]
    acknowledged: dict[str, list[int]] = defaultdict(list)
    moments = random.Random(7)
    for _ in range(KILLS):
        run_and_kill(database_url, ids, tmp_path / "said", moments.uniform(0.05, 0.25))
        for line in (tmp_path / "said").read_text().splitlines():
            match_id, number = line.split()
            acknowledged[match_id].append(int(number))
        async with await open_store(database_url, migrate=False) as store:
            for match_id in ids:
                said = acknowledged[match_id]
                kept = await store.read_journal(match_id)
                assert kept == [f"{match_id} {number}".encode() for number in range(1, len(kept) + 1)]
                assert said == sorted(set(said))  # each once, in order
                assert not said or len(kept) >= said[-1]
                acknowledged[match_id] = list(range(1, len(kept) + 1))  # a commit that was not told any more counts
    assert all(numbers for numbers in acknowledged.values())


def run_and_kill(url: str, ids: list[str], said: Path, after_s: float) -> None:
    """Kill it so long after its first word."""
    with said.open("wb") as output:
        appender = subprocess.Popen([sys.executable, "-c", APPENDER, url, *ids], stdout=output)
        while said.stat().st_size == 0:
            assert appender.poll() is None
            time.sleep(0.01)
        time.sleep(after_s)
        appender.kill()
        appender.wait()
