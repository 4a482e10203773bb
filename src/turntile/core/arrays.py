"""The arrays of a batch. NumPy is loaded only where there is one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from turntile.core.errors import InvalidOptions


class BatchArrays:
    """What a batch shares with its user, one row a match."""

    def __init__(self, matches: int, seats: int) -> None:
        if matches < 1:
            raise InvalidOptions(f"a batch of {matches} matches: at least one is needed")
        self.actions: NDArray[np.int32] = np.zeros((matches, seats), dtype=np.int32)
        self.rewards: NDArray[np.float32] = np.zeros((matches, seats), dtype=np.float32)
        self.done: NDArray[np.uint8] = np.zeros(matches, dtype=np.uint8)
        self.to_act: NDArray[np.uint8] = np.zeros(matches, dtype=np.uint8)


def fitting(out: NDArray[np.uint8], shape: tuple[int, ...]) -> int:
    """The address of an array that the compiled gear may write to, if it is exactly what it expects."""
    if out.dtype != np.uint8 or out.shape != shape or not out.flags.c_contiguous or not out.flags.writeable:
        raise InvalidOptions(f"the array must be uint8, contiguous, of shape {shape}, not {out.dtype} of {out.shape}")
    return int(out.ctypes.data)


def frames(planes: bytes) -> NDArray[np.uint8]:
    """The bytes of `observe` as an array."""
    return np.frombuffer(planes, dtype=np.uint8)
