"""What the tests of all games share: the rule marker and a table to play at."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest

from turntile.core.errors import IllegalAction
from turntile.core.game import Game, Told
from turntile.core.gears import GearName, gear


def rule(*ids: str) -> pytest.MarkDecorator:
    """Names the rules of the game's RULES.md that a test shows."""
    return pytest.mark.rule(*ids)


def picture(text: str) -> str:
    """A drawn board without the indentation it has in a test."""
    return dedent(text).strip("\n")


class Table:
    """A match as a rules test plays it: actions as text in, narration and records out."""

    def __init__(self, game: Game, record: Any, gear_name: GearName) -> None:
        self.game = game
        self.state = gear(game, gear_name).load(record)
        self.told: list[str] = []  # what the judge was told in the last step

    @property
    def record(self) -> Any:
        return self.state.record()

    def seats_to_act(self) -> list[int]:
        bits = self.state.to_act()
        return [seat for seat in range(self.state.seats()) if bits >> seat & 1]

    def play(self, *texts: str) -> None:
        """One step: an action for each seat to act, in seat order; those left out are silent."""
        self.step(dict(zip(self.seats_to_act(), texts, strict=False)))

    def step(self, texts: dict[int, str]) -> None:
        record = self.record
        actions = [0] * self.state.seats()
        for seat in self.seats_to_act():
            if seat not in texts:
                actions[seat] = self.state.default_action(seat)
                continue
            actions[seat] = self.game.parse(record, seat, texts[seat])
            code = self.state.why_illegal(seat, actions[seat])
            if code:
                raise IllegalAction(self.game.refusal(record, seat, actions[seat], code))
        self.state.step(actions)
        self.told = self.heard(None)

    def heard(self, seat: int | None) -> list[str]:
        """What one seat (None: the judge) was told in the last step."""
        record = self.record
        events = [Told(*event) for event in self.state.events()]
        lines = [self.game.narrate(record, event, seat) for event in events if event.heard_by(seat)]
        return [line for line in lines if line]

    def why_not(self, seat: int, text: str) -> str:
        """The sentence an action is refused with, or "" if it is legal."""
        action = self.game.parse(self.record, seat, text)
        code = self.state.why_illegal(seat, action)
        return self.game.refusal(self.record, seat, action, code) if code else ""
