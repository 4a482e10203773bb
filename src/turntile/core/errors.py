"""What can be wrong through no fault of ours: one line for the person or bot, no traceback.

`Invalid...` is not of the language (it cannot be read); `Illegal...` is against the rules.
"""

from __future__ import annotations


class TurntileError(Exception):
    """A person's or bot's mistake, told in one sentence: what was refused, why, what would do."""


class InvalidAction(TurntileError):
    """A text that is no action of this game."""


class IllegalAction(TurntileError):
    """An action that the rules forbid here and now."""

    def __init__(self, sentence: str, key: str = "") -> None:
        super().__init__(sentence)
        self.key = key  # a game's own error key, where its rulebook has such


class InvalidOptions(TurntileError):
    """Options that no match can be set up from."""


class InvalidPosition(TurntileError):
    """A text that is no position, or a position that cannot be."""


class InvalidState(TurntileError):
    """Bytes that are no state of this game, or of another layout of its records."""


class UnknownGame(TurntileError):
    """A name no installed game has."""


class RulesFault(Exception):
    """Our fault: the rules went outside an array or a number's range. The match is aborted."""
