"""Ctrl-C between two steps, never inside one: a step that is played is also in its replay."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class CtrlC:
    """While it is entered, Ctrl-C waits for the end of an `uninterrupted` piece."""

    def __init__(self) -> None:
        self.guarded = False
        self.asked = False

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Take Ctrl-C over from Python, and give it back."""
        if threading.current_thread() is not threading.main_thread():
            yield  # signals come to the main thread only; there is nothing to take over
            return
        before = signal.signal(signal.SIGINT, self.on_signal)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    @contextmanager
    def uninterrupted(self) -> Iterator[None]:
        self.guarded = True
        try:
            yield
        finally:
            self.guarded = False
        if self.asked:
            self.asked = False
            raise KeyboardInterrupt

    def on_signal(self, number: int, frame: FrameType | None) -> None:
        if not self.guarded:
            raise KeyboardInterrupt
        self.asked = True
