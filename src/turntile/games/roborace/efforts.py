"""How far it is to a goal: the effort of every pose, worked out once per hall.

The effort is the cheapest way home for a robot alone that always has the card it wants. It
counts cards, the rare ones dearer than the common ones (PRICES): that is nearer to what seven
dealt cards allow than counting cards alone, and wins more races. Phases matter (a
crusher acts in two of five), so the search is over pose and phase; what is kept is the
effort at the beginning of a round. Not a rule: bots, the search and the check of a hall use it.
"""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush

from turntile.games.roborace.cards import PRICES
from turntile.games.roborace.hall import card_alone, effect_alone
from turntile.games.roborace.records import HOME, KINDS, NEVER, PHASES, RoboRace

FARTHEST = 254


def measure_efforts(s: RoboRace) -> None:
    """Fill the record's `efforts` from its hall."""
    size = s.width * s.height
    efforts = efforts_of_hall(
        s.width, s.height, bytes(s.tiles[:size]), bytes(s.edges[:size]), bytes(s.decorations[:size])
    )
    s.efforts[: len(efforts)] = efforts


@lru_cache(maxsize=256)
def efforts_of_hall(width: int, height: int, tiles: bytes, edges: bytes, decorations: bytes) -> bytes:
    """The effort of each pose at the beginning of a round; poses on pits are NEVER."""
    s = RoboRace()
    s.width, s.height = width, height
    size = width * height
    s.tiles[:size], s.edges[:size], s.decorations[:size] = tiles, edges, decorations
    poses = size * 4
    moved = [[card_alone(s, pose, kind) for kind in range(KINDS)] for pose in range(poses)]
    acted = [[effect_alone(s, pose, phase) for pose in range(poses)] for phase in range(1, PHASES + 1)]
    came_from: list[list[tuple[int, int]]] = [[] for _ in range(poses * PHASES)]
    best = [NEVER * 100] * (poses * PHASES)  # of a pose before the cards of a phase
    queue: list[tuple[int, int]] = []
    for phase in range(PHASES):
        after = (phase + 1) % PHASES * poses
        for pose in range(poses):
            here = phase * poses + pose
            for kind in range(KINDS):
                end = moved[pose][kind]
                if end >= 0:
                    end = acted[phase][end]
                    if end == HOME:
                        best[here] = min(best[here], PRICES[kind])
                    elif end >= 0:
                        came_from[after + end].append((here, PRICES[kind]))
            if best[here] < NEVER:
                heappush(queue, (best[here], here))
    while queue:
        effort, there = heappop(queue)
        if effort == best[there]:
            for here, price in came_from[there]:
                if effort + price < best[here]:
                    best[here] = effort + price
                    heappush(queue, (effort + price, here))
    return bytes(NEVER if effort >= NEVER * 100 else min(effort, FARTHEST) for effort in best[:poses])
