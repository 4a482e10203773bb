"""Swiss pairings beside those of py4swiss, which implements FIDE's Dutch system."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from random import Random
from typing import Any

import pytest

from turntile.contest.swiss import pair_round

engines: Any = import_module("py4swiss.engines")  # it has no types
trf: Any = import_module("py4swiss.trf")
codes: Any = import_module("py4swiss.trf.codes")
results: Any = import_module("py4swiss.trf.results")
sections: Any = import_module("py4swiss.trf.sections")

ROUNDS = 5
RESULTS = {1.0: results.ResultToken.WIN, 0.5: results.ResultToken.DRAW, 0.0: results.ResultToken.LOSS}


class Event:
    """A Swiss of made-up results, told to both."""

    def __init__(self, bots: int, luck: int) -> None:
        self.bots = bots
        self.chance = Random(luck)
        self.points = dict.fromkeys(range(bots), 0.0)
        self.met: Counter[tuple[int, int]] = Counter()
        self.byes: list[int] = []
        self.past: dict[int, list[Any]] = {bot: [] for bot in range(bots)}
        self.whites: Counter[int] = Counter()

    def ours(self) -> list[tuple[int, ...]]:
        ranked = sorted(range(self.bots), key=lambda bot: (-self.points[bot], bot))
        return pair_round(ranked, self.points, self.met, self.byes, 2)

    def theirs(self) -> list[tuple[int, ...]]:
        """The Dutch system's pairing of the same event; it also balances colours, which ours need not."""
        players = [
            sections.PlayerSection(
                code=codes.PlayerCode.PLAYER,
                starting_number=bot + 1,
                points_times_ten=round(10 * self.points[bot]),
                rank=bot + 1,
                results=self.past[bot],
            )
            for bot in range(self.bots)
        ]
        pairings = engines.DutchEngine.generate_pairings(
            trf.ParsedTrf(player_sections=players, x_section=sections.XSection(number_of_rounds=ROUNDS))
        )
        pairs = [sorted((pairing.white - 1, pairing.black - 1)) for pairing in pairings]
        return [tuple(bot for bot in pair if bot >= 0) for pair in pairs]

    def cost(self, pairs: list[tuple[int, ...]]) -> tuple[int, int, float]:
        """Rematches, second byes, and how far apart in points those lie who meet."""
        full = [(one, other) for one, other in (pair for pair in pairs if len(pair) == 2)]
        alone = [pair[0] for pair in pairs if len(pair) == 1]
        again = sum(self.met[min(one, other), max(one, other)] for one, other in full)
        apart = sum((self.points[one] - self.points[other]) ** 2 for one, other in full)
        lowest = min(self.points.values())
        return again, sum(bot in self.byes for bot in alone), apart + sum((self.points[b] - lowest) ** 2 for b in alone)

    def play(self, pairs: list[tuple[int, ...]]) -> None:
        for pair in pairs:
            if len(pair) == 1:
                self.byes.append(pair[0])
                self.points[pair[0]] += 1
                bye = results.RoundResult(
                    id=0, color=results.ColorToken.BYE_OR_NOT_PAIRED, result=results.ResultToken.PAIRING_ALLOCATED_BYE
                )
                self.past[pair[0]].append(bye)
                continue
            white, black = sorted(pair, key=lambda bot: (self.whites[bot], bot))
            self.whites[white] += 1
            made = self.chance.choice([1.0, 0.5, 0.0])
            self.points[white] += made
            self.points[black] += 1 - made
            self.met[min(pair), max(pair)] += 1
            self.past[white].append(
                results.RoundResult(id=black + 1, color=results.ColorToken.WHITE, result=RESULTS[made])
            )
            self.past[black].append(
                results.RoundResult(id=white + 1, color=results.ColorToken.BLACK, result=RESULTS[1 - made])
            )


@pytest.mark.parametrize("bots", [8, 11, 14])
def test_no_pairing_is_worse_than_that_of_the_dutch_system(bots: int) -> None:
    """Fewer or as many rematches and second byes, and those who meet lie as near to each other or nearer."""
    for luck in range(4):
        event = Event(bots, luck)
        for _ in range(ROUNDS):
            ours, theirs = event.ours(), event.theirs()
            assert sorted(bot for pair in ours for bot in pair) == list(range(bots))
            assert event.cost(ours) <= event.cost(theirs)
            assert event.cost(ours)[:2] == (0, 0)
            event.play(ours)


def test_the_first_round_is_that_of_the_dutch_system() -> None:
    event = Event(8, 0)
    assert sorted(event.ours()) == sorted(event.theirs())
