"""Matches that are over before anybody looks: two bots of the house, not listed, so at full speed."""

from __future__ import annotations

import time
from typing import Any

from tests.server.running import PATIENCE_S, ServerProcess

# Options that keep a film short.
SHORT: dict[str, dict[str, Any]] = {
    "tron": {"size": 9},
    "racers": {"turn_limit": 6},
    "worms": {"turn_limit": 8},
    "roborace": {"players": 2, "round_limit": 3},
    "robots": {"turn_limit": 12},
}


def finished_match(arena: ServerProcess, game: str) -> dict[str, Any]:
    """A match of two easy bots, as the server tells of it afterwards."""
    with arena.client() as client:
        wish = {
            "game": game,
            "options": SHORT[game],
            "listed": False,
            "seats": [{"kind": "bot", "bot": "easy"}, {"kind": "bot", "bot": "easy"}],
        }
        answer = client.post("/api/v1/matches", json=wish)
        assert answer.status_code == 201, answer.text
        match: dict[str, Any] = answer.json()
        deadline = time.monotonic() + PATIENCE_S
        while match["status"] != "over":
            assert time.monotonic() < deadline, match
            time.sleep(0.1)
            match = client.get(f"/api/v1/matches/{match['id']}").json()
        return match
