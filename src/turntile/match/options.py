"""Options from outside: `--set size=15`, a form, a replay's header. What does not fit is refused by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import msgspec

from turntile.core.errors import InvalidOptions
from turntile.core.game import Game


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that may be chosen, as a person is told of it."""

    name: str
    default: Any
    allowed: str  # "a whole number from 5 to 50"
    meaning: str


def choose_options(game: Game, chosen: Mapping[str, Any]) -> Any:
    """The game's options, with what was chosen instead of the defaults. Values may be texts."""
    names = game.options.__struct_fields__
    for name, value in chosen.items():
        if name not in names:
            near = get_close_matches(name, names, n=1)
            hint = f"did you mean {near[0]}?" if near else "there are " + ", ".join(names)
            raise InvalidOptions(f"{game.name} has no option {name!r}: {hint}")
        try:
            msgspec.convert({name: value}, game.options, strict=False)
        except msgspec.ValidationError as error:
            allowed = next(option.allowed for option in list_options(game) if option.name == name)
            why = f"it must be {allowed}" if allowed else str(error).split(" - at ")[0]
            raise InvalidOptions(f"{game.name} cannot be played with {name}={shorten(value)}: {why}") from None
    return msgspec.convert(dict(chosen), game.options, strict=False)


def shorten(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 40 else text[:37] + "..."


def list_options(game: Game) -> list[Option]:
    """What may be chosen in a game, in the order of its options.py."""
    from msgspec import inspect

    info = inspect.type_info(game.options)
    assert isinstance(info, inspect.StructType), info
    defaults = game.options()
    listed = []
    for field in info.fields:
        kind, meaning = field.type, ""
        while isinstance(kind, inspect.Metadata):
            meaning = meaning or (kind.extra_json_schema or {}).get("description", "")
            kind = kind.type
        listed.append(Option(field.name, getattr(defaults, field.name), allowed_values(kind), meaning))
    return listed


def allowed_values(kind: Any) -> str:
    """What an option may be, in words; "" where only msgspec can say it."""
    from msgspec import inspect

    if isinstance(kind, inspect.BoolType):
        return "true or false"
    if isinstance(kind, inspect.LiteralType):
        return one_of(kind.values)
    if isinstance(kind, inspect.EnumType):
        return one_of(member.value for member in kind.cls)
    if isinstance(kind, inspect.StrType):
        return f"a text of at most {kind.max_length} characters" if kind.max_length is not None else "a text"
    if isinstance(kind, inspect.IntType | inspect.FloatType):
        number = "a whole number" if isinstance(kind, inspect.IntType) else "a number"
        if kind.ge is not None and kind.le is not None:
            return f"{number} from {kind.ge} to {kind.le}"
        if kind.ge is not None:
            return f"{number} from {kind.ge}"
        return number
    return ""


def one_of(values: Any) -> str:
    *most, last = [str(value) for value in values]
    return f"{', '.join(most)} or {last}" if most else last
