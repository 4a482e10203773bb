"""The compiled gear: a game's `_rules` extension behind the face of `core.gears`."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from turntile.core.errors import InvalidState
from turntile.core.seeds import derive_seed, split_seed
from turntile.forge.fingerprint import fingerprint
from turntile.forge.layout import header, read_header

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class NotBuilt(Exception):
    """Why the compiled gear of a game cannot be had."""


found_current: dict[ModuleType, ModuleType] = {}  # rules to extension: both stay as loaded, whatever is edited later


def load_extension(rules: ModuleType) -> ModuleType:
    """The game's extension, if it is there and was built from the rules as they are now."""
    known = found_current.get(rules)
    if known is not None:
        return known
    package = rules.__name__.rpartition(".")[0]
    name = f"{package}._rules"
    if find_spec(name) is None:
        raise NotBuilt(f"{package} is not built: python -m turntile.forge.build {package}")
    try:
        extension = import_module(name)
    except ImportError as error:
        raise NotBuilt(
            f"{name} cannot be loaded ({error}): python -m turntile.forge.build --force {package}"
        ) from error
    if fingerprint(extension.SOURCES) != extension.FINGERPRINT:
        raise NotBuilt(
            f"the rules of {package} have changed since they were built: python -m turntile.forge.build {package}"
        )
    found_current[rules] = extension
    return extension


class CompiledGear:
    """One game's rules at the speed of C; see core.gears.Gear."""

    name: Final = "compiled"

    def __init__(self, rules: ModuleType, root: type[Any]) -> None:
        self.extension = load_extension(rules)
        self.root: Any = root
        self.extension.bind(root, header(self.root.LAYOUT))

    def new(self, record: Any, seed: int) -> Any:
        state = self.load(record)
        state.setup(*split_seed(seed))
        return state

    def load(self, record: Any) -> Any:
        return self.extension.State.from_position(record.position())

    def from_bytes(self, data: bytes) -> Any:
        return self.extension.State.from_position(read_header(self.root.LAYOUT, data, InvalidState))

    def batch(self, record: Any, matches: int, seed: int) -> CompiledBatch:
        return CompiledBatch(self, record, matches, seed)


class CompiledBatch:
    """Many matches stepped without the GIL, in slices by thread; see core.gears.Batch."""

    def __init__(self, gear: CompiledGear, record: Any, matches: int, seed: int) -> None:
        from turntile.core.arrays import BatchArrays

        extension = gear.extension
        arrays = BatchArrays(matches, extension.MAX_SEATS)
        self.matches = matches
        self.actions, self.rewards = arrays.actions, arrays.rewards
        self.done, self.to_act = arrays.done, arrays.to_act
        self.planes = extension.PLANES * record.width * record.height
        self.seats, self.action_count = extension.MAX_SEATS, extension.MAX_ACTIONS
        self.block = extension.Batch(record.position(), matches)
        self.block.begin(split_seed(derive_seed(seed, k)) for k in range(matches))
        self.addresses = tuple(a.ctypes.data for a in (self.actions, self.rewards, self.done, self.to_act))
        self.block.to_act_into(self.addresses[3])
        self.pool: ThreadPoolExecutor | None = None

    def step(self, threads: int = 1) -> None:
        self.in_slices(self.block.step_slice, self.addresses, threads)

    def observe(self, out: NDArray[np.uint8], threads: int = 1) -> None:
        from turntile.core.arrays import fitting

        address = fitting(out, (self.matches, self.seats, self.planes))
        self.in_slices(self.block.observe_slice, (address, self.planes), threads)

    def legal_mask(self, out: NDArray[np.uint8], threads: int = 1) -> None:
        from turntile.core.arrays import fitting

        address = fitting(out, (self.matches, self.seats, self.action_count))
        self.in_slices(self.block.legal_slice, (address,), threads)

    def random_actions(self, seed: int) -> None:
        self.block.choose(self.addresses[0], seed)

    def state(self, match: int) -> Any:
        return self.block.state(match)

    def in_slices(self, work: Any, arguments: tuple[int, ...], threads: int) -> None:
        """One slice of the matches for each thread; a single one without a pool."""
        if threads <= 1:
            work(*arguments, 0, self.matches)
            return
        if self.pool is None or self.pool._max_workers < threads:
            self.pool = ThreadPoolExecutor(max_workers=threads)
        bounds = [self.matches * k // threads for k in range(threads + 1)]
        for done in [self.pool.submit(partial(work, *arguments), a, b) for a, b in pairwise(bounds)]:
            done.result()
