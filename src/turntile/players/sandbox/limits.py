"""How much of the machine one bot may use."""

from __future__ import annotations

from dataclasses import dataclass

MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """What one bot may use. Memory is counted for each of its processes, in bytes.

    The defaults let Java, Node and NumPy start. A bot lives across matches, so `cpu_seconds` is a floor against one
    that spins for ever, not a clock: the referee keeps the clock.
    """

    memory: int = 1024 * MEGABYTE
    cpu_seconds: int = 3600
    processes: int = 64  # threads count as processes
    files: int = 256  # open at the same time
    scratch: int = 0  # room in a /tmp of its own, with bubblewrap only; 0: the bot writes nowhere
