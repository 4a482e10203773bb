"""What an idle match costs in memory: a server before and after a thousand of them, nobody connected."""

from __future__ import annotations

import tempfile
from pathlib import Path
from time import sleep
from typing import Any

from bench.arena_processes import Process, one_core
from bench.arena_visitors import Visitor
from turntile.core.registry import OURS

MATCHES = 1000
FIRST = 50  # before the count begins: what the first match of a game loads is not the match's
FORGOTTEN_S = 25.0  # tables nobody touches give back what they can make again (table.IDLE_S, hall.TIDY_S)


def measure_idle(matches: int = MATCHES, first: int = FIRST) -> dict[str, Any]:
    """Kilobytes of resident memory for each match, by game. The servers do their work one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        servers: dict[str, Process] = {}
        try:
            bots = {}
            for game in OURS:
                home = Path(folder) / game
                home.mkdir()
                servers[game] = Process("arena", one_core(), home)
                bots[game] = Visitor(servers[game], "Bench").bot("idler")
                for _ in range(first):
                    bots[game].open_match(game, {})
            sleep(FORGOTTEN_S)
            before = {game: server.memory_bytes() for game, server in servers.items()}
            for game in OURS:
                for _ in range(matches):
                    bots[game].open_match(game, {})
            sleep(FORGOTTEN_S)
            after = {game: server.memory_bytes() for game, server in servers.items()}
        finally:
            for server in servers.values():
                server.end()
    return {
        "matches": matches,
        "kb": {game: (after[game] - before[game]) / matches / 1000 for game in OURS},
        "server_mb": {game: after[game] / 1e6 for game in OURS},
    }
