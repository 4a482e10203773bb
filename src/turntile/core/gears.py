"""The two gears behind one face: a state is stepped, asked and copied alike in both.

`gear(game)` gives the compiled gear where it is built and current, else the interpreted one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

from turntile.core.compiled import CompiledGear, NotBuilt
from turntile.core.errors import InvalidOptions
from turntile.core.interpreted import InterpretedGear

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from turntile.core.game import Game

GearName = Literal["interpreted", "compiled"]


class State(Protocol):
    """The whole truth of one match in one gear. Only hosts hold it; players get views."""

    def clone(self) -> State: ...

    def seats(self) -> int: ...

    def to_act(self) -> int:
        """Bit set of the seats that must act now."""
        ...

    def why_illegal(self, seat: int, action: int) -> int: ...

    def legal(self, seat: int) -> list[int]: ...

    def candidates(self, seat: int) -> list[int]: ...

    def default_action(self, seat: int) -> int: ...

    def step(self, actions: Sequence[int]) -> None:
        """One step; `actions` has an entry for each seat. Legality is the caller's duty."""
        ...

    def over(self) -> bool: ...

    def score(self, seat: int) -> int: ...

    def place(self, seat: int) -> int: ...

    def estimate(self, seat: int) -> int: ...

    def observe(self, seat: int) -> bytes:
        """The planes of `observe`, one after the other."""
        ...

    def redeal(self, seat: int, seed: int) -> State:
        """A copy in which all that `seat` cannot know is drawn anew."""
        ...

    def events(self) -> list[tuple[int, int, int, int, int, int]]:
        """What the last step told: (kind, audience, a, b, c, d)."""
        ...

    def record(self) -> Any:
        """A snapshot as the game's root record, without the log."""
        ...

    def to_bytes(self) -> bytes:
        """The position under its layout's version; `Gear.from_bytes` reads it back."""
        ...

    def playout(self, seed: int, limit: int = 0) -> int:
        """Play this state to its end at random, in place; the number of steps (at most `limit`)."""
        ...

    def playouts(self, seed: int, count: int, limit: int = 0) -> int:
        """The number of steps of so many playouts, each from a copy of this position."""
        ...

    def search(
        self, seat: int, seed: int, milliseconds: float = 0, iterations: int = 0
    ) -> list[tuple[int, int, float]]:
        """Tree search for `seat`: (action, visits, mean value 0..1), most visited first."""
        ...

    def reward(self, seat: int) -> float:
        """-1 (last, alone) to 1 (first, alone) by place; 0 while it is open."""
        ...

    def quiet(self, on: bool) -> None:
        """Whether steps write down their events."""
        ...

    def position(self) -> bytes:
        """The bytes of the position alone, alike in both gears."""
        ...


class Batch(Protocol):
    """Many matches stepped at once; arrays are shared, not copied."""

    actions: NDArray[np.int32]  # (matches, MAX_SEATS), written by the caller
    rewards: NDArray[np.float32]  # (matches, MAX_SEATS), of the last step
    done: NDArray[np.uint8]  # (matches,): the last step ended this match
    to_act: NDArray[np.uint8]  # (matches,): bit set of the seats to act next

    def step(self, threads: int = 1) -> None:
        """One step of every match; those that end begin anew."""
        ...

    def observe(self, out: NDArray[np.uint8], threads: int = 1) -> None:
        """(matches, MAX_SEATS, planes): what each seat that is to act may know; zeros for the others."""
        ...

    def legal_mask(self, out: NDArray[np.uint8], threads: int = 1) -> None:
        """(matches, MAX_SEATS, MAX_ACTIONS): 1 where a seat that is to act may do that."""
        ...

    def random_actions(self, seed: int) -> None:
        """Fill `actions` by the playouts' policy."""
        ...

    def state(self, match: int) -> State: ...


class Gear(Protocol):
    """One game's rules in one gear."""

    @property
    def name(self) -> GearName: ...

    def new(self, record: Any, seed: int) -> State:
        """From prepared options and a seed of 64 bits to the first position (runs `setup`)."""
        ...

    def load(self, record: Any) -> State:
        """A state from a record as it stands: a position somebody wrote down."""
        ...

    def from_bytes(self, data: bytes) -> State: ...

    def batch(self, record: Any, matches: int, seed: int) -> Batch: ...


def gear(game: Game, name: GearName | None = None) -> Gear:
    """The gear asked for, or the fastest there is."""
    if name == "interpreted":
        return InterpretedGear(game.rules, game.root)
    try:
        return CompiledGear(game.rules, game.root)
    except NotBuilt as reason:
        if name == "compiled":
            raise InvalidOptions(f"there is no compiled gear: {reason}") from reason
        return InterpretedGear(game.rules, game.root)


def why_interpreted(game: Game) -> str:
    """Why `gear` falls back to the interpreted gear, or "" where it need not."""
    try:
        CompiledGear(game.rules, game.root)
    except NotBuilt as reason:
        return str(reason)
    return ""
