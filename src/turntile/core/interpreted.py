"""The interpreted gear: the rules' text as it stands, behind the face of `core.gears`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from time import perf_counter
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

from turntile.core import batch, contract, defaults, playouts, search
from turntile.core.dice import Dice, seed_dice
from turntile.core.errors import InvalidState
from turntile.core.events import EVENT_SIZE
from turntile.core.seeds import derive_seed, split_seed
from turntile.forge.layout import header, read_header
from turntile.forge.link import link

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NO_LIMIT = 2**31 - 1


@cache
def linked(rules: ModuleType) -> SimpleNamespace:
    return link(rules, contract, defaults, (playouts, search, batch))


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
        numbers = log.numbers[: EVENT_SIZE * log.n]
        return list(zip(*(iter(numbers),) * EVENT_SIZE, strict=True))

    def quiet(self, on: bool) -> None:
        self.s.log.quiet = on

    def record(self) -> Any:
        return self.s.copy()

    def position(self) -> bytes:
        """The bytes of the position alone: everything before the log."""
        position: bytes = self.s.position()
        return position

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

    def playouts(self, seed: int, count: int, limit: int = 0) -> int:
        dice = Dice()
        seed_dice(dice, *split_seed(seed))
        steps = 0
        for _ in range(count):
            scratch = self.s.copy()
            scratch.log.quiet = True
            steps += self.gear.rules.playout(scratch, dice, limit or NO_LIMIT)
        return steps

    def reward(self, seat: int) -> float:
        return float(self.gear.rules.reward(self.s, seat) / 1000)

    def search(
        self, seat: int, seed: int, milliseconds: float = 0, iterations: int = 0
    ) -> list[tuple[int, int, float]]:
        if milliseconds <= 0 and iterations <= 0:
            raise ValueError("a search needs a budget: milliseconds or iterations")
        rules = self.gear.rules
        tree = rules.Tree()
        rules.start_tree(tree, *split_seed(seed))
        scratch = self.s.copy()
        begun = perf_counter()
        while iterations <= 0 or tree.iterations < iterations:
            rules.grow_tree(tree, self.s, scratch, seat, 1)
            if milliseconds > 0 and (perf_counter() - begun) * 1000 >= milliseconds:
                break
        edges = [0] * rules.MAX_ACTIONS
        found = []
        count = rules.root_edges(tree, seat, edges)
        for edge in edges[:count]:
            visits = tree.edge_visits[edge]
            found.append(
                (tree.edge_choice[edge] % rules.MAX_ACTIONS, visits, tree.edge_value[edge] / 1000 / max(1, visits))
            )
        return sorted(found, key=lambda tried: (-tried[1], tried[0]))


class InterpretedGear:
    """One game's rules as plain Python; see core.gears.Gear."""

    name: Final = "interpreted"

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
        root: Any = self.root
        return InterpretedState(self, root.from_position(read_header(root.LAYOUT, data, InvalidState)))

    def batch(self, record: Any, matches: int, seed: int) -> InterpretedBatch:
        return InterpretedBatch(self, record, matches, seed)


class InterpretedBatch:
    """A batch without the speed: the same arrays, one match after the other. See core.gears.Batch."""

    def __init__(self, gear: InterpretedGear, record: Any, matches: int, seed: int) -> None:
        self.gear, self.fresh, self.matches = gear, record, matches
        from turntile.core.arrays import BatchArrays

        arrays = BatchArrays(matches, gear.rules.MAX_SEATS)
        self.actions, self.rewards = arrays.actions, arrays.rewards
        self.done, self.to_act = arrays.done, arrays.to_act
        self.states = [record.copy() for _ in range(matches)]
        for k, s in enumerate(self.states):
            gear.rules.begin(s, record, *split_seed(derive_seed(seed, k)))
            self.to_act[k] = gear.rules.to_act(s)

    def step(self, threads: int = 1) -> None:
        rules = self.gear.rules
        for k, s in enumerate(self.states):
            earned = [0] * rules.MAX_SEATS
            self.done[k] = rules.advance(s, self.fresh, [int(a) for a in self.actions[k]], earned)
            self.rewards[k] = [points / 1000 for points in earned]
            self.to_act[k] = rules.to_act(s)

    def observe(self, out: NDArray[np.uint8], threads: int = 1) -> None:
        from turntile.core.arrays import frames

        out[:] = 0
        for k in range(self.matches):
            state = self.state(k)
            bits = state.to_act()
            for seat in range(state.seats()):
                if bits >> seat & 1:
                    out[k, seat] = frames(state.observe(seat))

    def legal_mask(self, out: NDArray[np.uint8], threads: int = 1) -> None:
        out[:] = 0
        for k in range(self.matches):
            state = self.state(k)
            bits = state.to_act()
            for seat in range(state.seats()):
                if bits >> seat & 1:
                    out[k, seat, state.legal(seat)] = 1

    def random_actions(self, seed: int) -> None:
        dice = Dice()
        seed_dice(dice, *split_seed(seed))
        rules = self.gear.rules
        for k, s in enumerate(self.states):
            chosen = [0] * rules.MAX_SEATS
            rules.choose_rollout_actions(s, rules.to_act(s), dice, chosen)
            self.actions[k] = chosen

    def state(self, match: int) -> InterpretedState:
        return InterpretedState(self.gear, self.states[match].copy())
