"""The checks any game is put through: sound games pass, and each check finds its faults."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from turntile.core.bots import BotKind
from turntile.core.game import Game
from turntile.core.gears import GearName
from turntile.core.registry import find
from turntile.core.scene import Look, Looks, Scene, Sprite
from turntile.match.check import CHECKS, Subject

TRON = find("tron")


def problems(name: str, game: Game, gear_name: GearName = "interpreted", matches: int = 3) -> list[str]:
    return list(CHECKS[name](Subject(game, matches, 1, gear_name)))


@pytest.mark.parametrize("name", sorted(CHECKS))
def test_tron_passes(name: str, gear_name: GearName) -> None:
    assert problems(name, TRON, gear_name) == []


def faulty_spell(record: Any, seat: int, action: int) -> str:
    return TRON.spell(record, seat, min(action, 8))


def leaky_view(record: Any, seat: int | None) -> Any:
    return TRON.view(record, None)


def crowded_scene(view: Any, legal: Any) -> Scene:
    sprite = Sprite("twice", "no such look", -1, 0, turn=9)
    return Scene(3, 2, "two\nlines", ground=("..",), sprites=(sprite, sprite))


def plain_error(text: str) -> Any:
    raise ValueError("no position")


def lossy_read(text: str) -> Any:
    record = TRON.read_position(text)
    record.turn += 1
    return record


def silly_bot(argument: str) -> Callable[[Any], str]:
    return lambda turn: "backwards"


FAULTS: dict[str, tuple[Game, str]] = {
    "record": (dataclasses.replace(TRON, planes=("walls",)), "1 planes are named, but rules.PLANES is 9"),
    "words": (dataclasses.replace(TRON, spell=faulty_spell), "have the same text"),
    "positions": (dataclasses.replace(TRON, read_position=lossy_read), "differs from the one written"),
    "endings": (dataclasses.replace(TRON, reason=lambda record: ""), "the reason is no sentence"),
    "secrets": (dataclasses.replace(TRON, view=leaky_view), "view shows what redeal says it cannot know"),
    "events": (dataclasses.replace(TRON, narrate=lambda *_: "two\nlines"), "which is no line"),
    "scenes": (dataclasses.replace(TRON, scene=crowded_scene), "two sprites have the id 'twice'"),
    "bots": (dataclasses.replace(TRON, bots=(BotKind("silly", "", silly_bot),)), "'backwards' is refused"),
}


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_a_fault_is_found(name: str) -> None:
    game, sentence = FAULTS[name]
    found = problems(name, game, matches=6)
    assert any(sentence in problem for problem in found), found[:3]


def test_a_game_that_forgets_to_say_that_something_is_hidden_is_found() -> None:
    """Its watchers would be shown everything at once, and could tell it to a player."""
    found = problems("secrets", dataclasses.replace(find("roborace"), hidden=False), matches=2)
    assert any("say hidden=True in game.py" in problem for problem in found), found[:3]


def test_every_fault_of_a_scene_is_named() -> None:
    found = " | ".join(problems("scenes", FAULTS["scenes"][0], matches=1))
    for part in ("more than one line", "2 rows of 3", "no such look", "beside the board", "9 eighths"):
        assert part in found


def test_looks_must_be_one_column_wide_and_have_a_seven_bit_glyph() -> None:
    looks = Looks({"a": Look("字", "", "")}, {".": "b"})
    found = " | ".join(problems("record", dataclasses.replace(TRON, looks=looks)))
    for part in ("not one column wide", "no 7-bit glyph", "no word for the ear", "'b', which is not in the catalogue"):
        assert part in found


def test_nonsense_must_be_refused_as_invalid() -> None:
    found = problems("positions", dataclasses.replace(TRON, read_position=plain_error), matches=0)
    assert any("raises ValueError" in problem for problem in found)


def rules_with(**changes: Any) -> Game:
    """Tron under other rules: a copy of its module in which some functions are replaced."""
    from types import ModuleType

    rules = ModuleType(TRON.rules.__name__ + "_changed")
    rules.__dict__.update(TRON.rules.__dict__)
    rules.__dict__["__name__"] = rules.__name__
    rules.__dict__.update(changes)
    return dataclasses.replace(TRON, rules=rules)


def test_legality_must_agree_with_the_list() -> None:
    def too_long(s: Any, seat: int, out: Any) -> int:
        count: int = TRON.rules.legal(s, seat, out)
        return count - 1 if count else 0

    assert any("disagree about action" in problem for problem in problems("legality", rules_with(legal=too_long)))


def test_silence_must_be_legal() -> None:
    game = rules_with(default_action=lambda s, seat: 77)
    assert any("means action 77, which is illegal" in problem for problem in problems("legality", game))


def test_places_must_wait_for_the_end() -> None:
    game = rules_with(place=lambda s, seat: seat + 1)
    assert any("are given while it goes on" in problem for problem in problems("endings", game))
