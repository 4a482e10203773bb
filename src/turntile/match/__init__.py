"""Match: one game in progress, its clock and its replay. Nothing here does I/O, reads a clock or waits."""

from turntile.match.match import Match, Played, Refusal, Step

__all__ = ["Match", "Played", "Refusal", "Step"]
