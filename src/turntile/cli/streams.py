"""What standard input and output are here: a terminal or a pipe, with colours or without."""

from __future__ import annotations

import os
import sys


def on_a_terminal() -> bool:
    """Somebody sits before a screen that can be drawn on."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def wants_colour() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


def needs_ascii() -> bool:
    return not (sys.stdout.encoding or "ascii").lower().replace("-", "").startswith("utf")
