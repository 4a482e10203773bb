"""The Game record: a game folder's table of contents, and the outcome of a match."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import msgspec

from turntile.core.bots import BotKind
from turntile.core.scene import Looks, Mark, Scene, Stage


class Told(msgspec.Struct, frozen=True):
    """An event outside the rules: its kind's number, who may know it, and what it says."""

    kind: int
    audience: int
    a: int
    b: int
    c: int
    d: int
    note: str = ""  # the message that travelled beside the action, where this event carries it

    def heard_by(self, seat: int | None) -> bool:
        """The judge (None) hears everything."""
        return seat is None or bool(self.audience >> seat & 1)


class Outcome(msgspec.Struct, frozen=True):
    """How a match ended: points and places per seat, and why."""

    scores: tuple[int, ...]
    places: tuple[int, ...]
    reason: str

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats in first place; all of them when nobody is behind (a draw)."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)


@dataclass(frozen=True, kw_only=True)
class Game:
    """Everything the rest of Turntile knows of a game. `Any` stands for the game's own types.

    `record` below is always a snapshot of the state as the game's root record in plain Python.
    """

    name: str  # the word on the command line
    title: str
    summary: str  # one sentence
    rules: ModuleType  # rules.py
    root: type[Any]  # its root record
    rules_version: int  # rises when an old replay would play differently
    players: tuple[int, int]  # fewest and most seats

    options: type[msgspec.Struct]  # options.py: what may be chosen, all with defaults
    prepare: Callable[[Any], Any]  # options -> record, ready for setup; raises InvalidOptions

    parse: Callable[[Any, int, str], int]  # words.py: record, seat, text -> action; InvalidAction
    spell: Callable[[Any, int, int], str]  # record, seat, action -> its one text form
    refusal: Callable[[Any, int, int, int], str]  # record, seat, action, reason code -> a sentence
    narrate: Callable[[Any, Told, int | None], str]  # record, event, hearer -> a line; "" for nothing
    reason: Callable[[Any], str]  # record of a finished match -> why it ended
    write_position: Callable[[Any], str]
    read_position: Callable[[str], Any]  # text -> record; raises InvalidPosition

    view: Callable[[Any, int | None], Any]  # view.py: record, seat -> plain data (a msgspec.Struct)
    scene: Callable[[Any, Sequence[str]], Scene]  # scene.py: view, its seat's legal actions -> scene
    looks: Looks
    bots: tuple[BotKind, ...]  # bots.py, from easy to strong

    planes: tuple[str, ...]  # what each plane of `observe` shows
    draws: bool = False  # the rules know a draw, so that players may agree on one
    hidden: bool = False  # somebody knows something others do not
    stages: Callable[[Any, Sequence[Told], Any], tuple[Stage, ...]] | None = None
    # ^ scene.py: view before, events heard, view after -> moments in between, where a step is long
    preview: Callable[[Any, str], tuple[Mark, ...]] | None = None
    # ^ scene.py: view, an action's text or its beginning -> what it would do if nobody else moved
    error_key: Callable[[int], str] | None = None  # words.py: reason code -> the rulebook's error key
    note_of: Callable[[str], str] | None = None
    # ^ words.py: an action's text -> the message that travels beside it, "" for none; InvalidAction
    note_event: int = 0  # the kind of event that carries the message of the seat in its `a` to its audience
    remove: Callable[[Any, int], None] | None = None
    # ^ rules.py: record, seat -> what the rules do with a seat that leaves; without it silence plays on
    turn_ms: int = 0  # real time for people: silence is the default action after so long; 0 = waits
    list_legal_up_to: int = 400  # more legal actions than this are not spelled out to screens and bots
