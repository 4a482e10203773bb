"""Why something is not possible: for a text, a key or a cell, in the game's own words.

A key or a cell is first looked up among all actions of the game, also those that are illegal
now: the scene of the same view with all of them as choices tells what it would mean. That can
be thousands of actions, so it is done in a thread and within a budget.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any

from turntile.core.errors import TurntileError
from turntile.core.scene import Choice, Mark, Scene
from turntile.match.match import Match

BUDGET_S = 0.3
MOST_ACTIONS = 20_000
LONGEST_PREVIEW = 500  # characters
UNKNOWN = "that means nothing here: choose one of the actions offered"


class Explainer:
    """Answers for one seat from one position. Holds what it needs, so that the match may go on meanwhile."""

    def __init__(self, match: Match, seat: int) -> None:
        self.game = match.game
        self.record = match.record
        self.state = match.state
        self.seat = seat
        self.view: Any = match.view(seat)
        self.turn = "" if seat in match.to_act() else f"it is not the turn of seat {seat}: {match.whose_turn()}"
        self.legal = frozenset(match.legal_actions(seat))
        self.known: list[tuple[Choice, int]] | None = None  # what keys and cells mean, once that has been found out

    def why(self, key: str, cell: tuple[int, int] | None) -> str:
        """The sentence for what that key or cell would mean; for threads."""
        if self.turn:
            return self.turn
        found = self.meant(key, cell)
        if found is None:
            return UNKNOWN
        code = self.state.why_illegal(self.seat, found)
        return self.game.refusal(self.record, self.seat, found, code) if code else ""

    def meant(self, key: str, cell: tuple[int, int] | None) -> int | None:
        """The first action that key or cell would mean; one that is possible before one that is not."""
        if self.known is None:
            self.known = self.meanings(perf_counter() + BUDGET_S)
        for choice, action in self.known:
            if choice.key == key if key else choice.cell == cell:
                return action
        return None

    def meanings(self, deadline: float) -> list[tuple[Choice, int]]:
        numbers = self.numbers_by_text(deadline)
        texts = sorted(numbers, key=lambda text: numbers[text] not in self.legal)
        found = self.choices(texts, deadline)
        return [(choice, numbers[choice.action]) for choice in found if choice.action in numbers]

    def numbers_by_text(self, deadline: float) -> dict[str, int]:
        found: dict[str, int] = {}
        for action in range(min(getattr(self.game.rules, "MAX_ACTIONS", 0), MOST_ACTIONS)):
            try:
                found.setdefault(self.game.spell(self.record, self.seat, action), action)
            except Exception:  # one that cannot be spelled here is none that a key could mean
                continue
            if action % 256 == 0 and perf_counter() > deadline:
                break
        return found

    def choices(self, texts: Sequence[str], deadline: float) -> list[Choice]:
        """What a scene offers for these texts. One that no scene can show is cut out by halving."""
        if not texts or perf_counter() > deadline:
            return []
        scene = self.scene(texts)
        if scene is not None:
            return list(scene.choices)
        if len(texts) == 1:
            return []
        half = len(texts) // 2
        return self.choices(texts[:half], deadline) + self.choices(texts[half:], deadline)

    def scene(self, texts: Sequence[str]) -> Scene | None:
        try:
            return self.game.scene(self.view, texts)
        except (IndexError, KeyError, ValueError, TurntileError, AssertionError):
            return None  # a scene is made for legal actions; others may point beside the board


def preview_marks(match: Match, seat: int, text: str) -> tuple[Mark, ...]:
    """What an action would do as far as the seat can know; nothing where the game or the text tells nothing."""
    if match.game.preview is None or len(text) > LONGEST_PREVIEW:
        return ()
    try:
        return match.game.preview(match.view(seat), text)
    except TurntileError:
        return ()


def why_text(match: Match, seat: int, text: str) -> str:
    """Why a text is refused; "" if it is not."""
    try:
        match.judge(seat, match.split_message(text)[0])
    except TurntileError as refusal:
        return str(refusal)
    return ""
