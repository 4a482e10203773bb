"""Tron's playouts, hand-written in C and compiled on the fly, beside our compiled gear."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from pathlib import Path

from bench.timing import rates
from turntile.core.gears import State, gear
from turntile.core.registry import find
from turntile.core.seeds import split_seed
from turntile.forge.build import COMPILE_FLAGS, compiler

MASK64 = 2**64 - 1
FNV_BASIS, FNV_PRIME = 1469598103934665603, 1099511628211


class Limit:
    """The C program, loaded, with one first position to play from."""

    def __init__(self, folder: Path, state: State) -> None:
        cc = compiler()
        assert cc is not None, "the limit needs a C compiler"
        library = folder / "tron_limit.so"
        source = Path(__file__).with_name("tron_limit.c")
        subprocess.run([cc, "-shared", "-fPIC", *COMPILE_FLAGS, str(source), "-o", str(library)], check=True)
        self.function = ctypes.CDLL(str(library)).tron_playouts
        self.function.restype = ctypes.c_int64
        record = state.record()
        cycles = record.cycles[: record.players]
        self.arguments = (
            ctypes.c_int32(record.width),
            ctypes.c_int32(record.height),
            ctypes.c_int32(record.players),
            ctypes.c_int32(record.survivor_travels_on),
            bytes(record.cells[: record.width * record.height]),
            (ctypes.c_int32 * len(cycles))(*(cycle.cell for cycle in cycles)),
            bytes(cycle.heading for cycle in cycles),
        )

    def playouts(self, seed: int, count: int) -> tuple[int, int]:
        """The number of steps, and the digest of where the last playout ended."""
        low, high = split_seed(seed)
        last = ctypes.c_uint64()
        seeds = (ctypes.c_uint32(low), ctypes.c_uint32(high))
        steps = self.function(*self.arguments, *seeds, ctypes.c_int64(count), ctypes.byref(last))
        return int(steps), last.value


def digest(state: State) -> int:
    """The same digest of a state of ours."""
    record = state.record()
    numbers = list(record.cells[: record.width * record.height])
    for cycle in record.cycles[: record.players]:
        numbers += [cycle.cell, cycle.distance, cycle.bonus]
    value = FNV_BASIS
    for number in numbers:
        value = ((value ^ number) * FNV_PRIME) & MASK64
    return value


def first_position() -> State:
    game = find("tron")
    return gear(game, "compiled").new(game.prepare(game.options()), 1)


def measure(playouts: int = 20_000, checks: int = 300) -> dict[str, float]:
    """Steps per second of both, after `checks` playouts have ended alike."""
    state = first_position()
    with tempfile.TemporaryDirectory() as folder:
        limit = Limit(Path(folder), state)
        for seed in range(checks):
            ours = state.clone()
            steps = ours.playout(seed)
            if limit.playouts(seed, 1) != (steps, digest(ours)):
                raise AssertionError(f"playout {seed} ends differently in C: no time is taken")
        assert limit.playouts(7, 1000)[0] == state.playouts(7, 1000)
        found = rates(
            {
                "compiled": lambda: state.playouts(7, playouts),
                "c": lambda: limit.playouts(7, playouts)[0],
            }
        )
    return {
        "tron_compiled_steps_per_s": found["compiled"],
        "tron_c_steps_per_s": found["c"],
        "compiled_to_c": found["compiled"] / found["c"],
    }
