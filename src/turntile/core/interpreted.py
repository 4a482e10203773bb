"""The interpreted gear: the rules' text as it stands, behind the face of `core.gears`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from types import ModuleType, SimpleNamespace
from typing import Any

from turntile.core import defaults, playouts
from turntile.core.dice import Dice, seed_dice
from turntile.core.errors import InvalidState
from turntile.core.seeds import split_seed
from turntile.forge.layout import header, position_size, read_header
from turntile.forge.link import link

NO_LIMIT = 2**31 - 1


@lru_cache(maxsize=None)
def linked(rules: ModuleType) -> SimpleNamespace:
    return link(rules, defaults, (playouts,))


class InterpretedState:
    """One match; see core.gears.State."""

    __slots__ = ("gear", "s")

    def __init__(self, gear: InterpretedGear, s: Any) -> None:
        self.gear = gear
        self.s = s

    def clone(self) -> InterpretedState:
        return InterpretedState(self.gear, self.s.copy())

    def seats(self) -> int:
        return int(self.gear.rules.seats(self.s))

    def to_act(self) -> int:
        return int(self.gear.rules.to_act(self.s))

    def why_illegal(self, seat: int, action: int) -> int:
        return int(self.gear.rules.why_illegal(self.s, seat, action))

    def legal(self, seat: int) -> list[int]:
        return self.listed(self.gear.rules.legal, seat)

    def candidates(self, seat: int) -> list[int]:
        return self.listed(self.gear.rules.candidates, seat)

    def listed(self, function: Any, seat: int) -> list[int]:
        out = [0] * self.gear.rules.MAX_ACTIONS
        return out[: function(self.s, seat, out)]

    def default_action(self, seat: int) -> int:
        return int(self.gear.rules.default_action(self.s, seat))

    def step(self, actions: Sequence[int]) -> None:
        padded = list(actions) + [0] * (self.gear.rules.MAX_SEATS - len(actions))
        self.gear.rules.step(self.s, padded)

    def over(self) -> bool:
        return bool(self.gear.rules.over(self.s))

    def score(self, seat: int) -> int:
        return int(self.gear.rules.score(self.s, seat))

    def place(self, seat: int) -> int:
        return int(self.gear.rules.place(self.s, seat))

    def estimate(self, seat: int) -> int:
        return int(self.gear.rules.estimate(self.s, seat))

    def observe(self, seat: int) -> bytes:
        out = bytearray(self.gear.rules.PLANES * self.s.width * self.s.height)
        self.gear.rules.observe(self.s, seat, out)
        return bytes(out)

    def redeal(self, seat: int, seed: int) -> InterpretedState:
        dealt = self.clone()
        seed_dice(dealt.s.dice, *split_seed(seed))
        self.gear.rules.redeal(dealt.s, seat)
        return dealt

    def events(self) -> list[tuple[int, int, int, int, int, int]]:
        log = self.s.log
        return [(e.kind, e.audience, e.a, e.b, e.c, e.d) for e in log.events[: log.n]]

    def quiet(self, on: bool) -> None:
        self.s.log.quiet = on

    def record(self) -> Any:
        return self.s.copy()

    def position(self) -> bytes:
        """The bytes of the position alone: everything before the log."""
        return bytes(self.s.to_bytes()[: position_size(self.gear.root.LAYOUT)])

    def to_bytes(self) -> bytes:
        return header(self.gear.root.LAYOUT) + self.position()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, InterpretedState):
            return NotImplemented
        return self.position() == other.position()

    def __hash__(self) -> int:
        return hash(self.position())

    def playout(self, seed: int, limit: int = 0) -> int:
        dice = Dice()
        seed_dice(dice, *split_seed(seed))
        return int(self.gear.rules.playout(self.s, dice, limit or NO_LIMIT))


class InterpretedGear:
    """One game's rules as plain Python; see core.gears.Gear."""

    name = "interpreted"

    def __init__(self, rules: ModuleType, root: type[Any]) -> None:
        self.rules = linked(rules)
        self.root = root

    def new(self, record: Any, seed: int) -> InterpretedState:
        s = record.copy()
        seed_dice(s.dice, *split_seed(seed))
        self.rules.setup(s)
        return InterpretedState(self, s)

    def load(self, record: Any) -> InterpretedState:
        return InterpretedState(self, record.copy())

    def from_bytes(self, data: bytes) -> InterpretedState:
        position = read_header(self.root.LAYOUT, data, InvalidState)
        whole = position + bytes(self.root.LAYOUT.size - len(position))
        return InterpretedState(self, self.root.from_bytes(whole))
