"""Every game's looks and scenes keep what core/scene.py promises the screens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
from rich.cells import cell_len

from turntile.core.registry import find, our_names
from turntile.core.scene import Look, Scene
from turntile.match.match import Match
from turntile.screens.plain import describe, draw_plain
from turntile.screens.svg import draw_svg

COLOUR = re.compile("#[0-9a-f]{6}")


def all_looks() -> Iterator[tuple[str, str, Look]]:
    for game in our_names():
        for name, look in find(game).looks.looks.items():
            yield game, name, look


def scenes_of(name: str, steps: int = 15) -> Iterator[tuple[Match, int | None, Scene]]:
    """What each seat and the judge see in a match of random bots."""
    game = find(name)
    match = Match.start(game, seed=11)
    bots = [game.bots[0].make("") for _ in match.seats]
    while True:
        for seat in (None, *range(len(match.seats))):
            yield match, seat, match.scene(seat)
        if match.over or match.step_number >= steps:
            return
        for acting in match.waiting():
            match.submit(acting, bots[acting](match.turn(acting)))


@pytest.mark.parametrize(("game", "name", "look"), [pytest.param(*row, id=f"{row[0]}-{row[1]}") for row in all_looks()])
def test_a_look_can_be_drawn_by_every_screen(game: str, name: str, look: Look) -> None:
    assert cell_len(look.glyph) == 1, "one column in the terminal"
    assert all(cell_len(glyph) == 1 for glyph in look.turned)
    assert len(look.turned) in (0, 4, 8)
    assert (look.ascii or look.glyph).isascii(), "a 7-bit sign for terminals that have no other"
    assert look.word
    assert not look.colour or COLOUR.fullmatch(look.colour)
    shape = ElementTree.fromstring(f"<svg>{look.svg}</svg>")
    for element in shape.iter():
        assert not {"id", "style", "href", "class"} & set(element.keys())
        assert element.tag != "script"


@pytest.mark.parametrize("name", our_names())
def test_a_scene_keeps_its_promises(name: str) -> None:
    looks = find(name).looks
    for match, seat, scene in scenes_of(name):
        ids = [sprite.id for sprite in scene.sprites]
        assert len(ids) == len(set(ids)), "a sprite's id is its own"
        for sprite in scene.sprites:
            assert sprite.look in looks.looks
            assert 0 <= sprite.x < scene.width
            assert 0 <= sprite.y < scene.height
            assert 0 <= sprite.turn < 8
        assert all(len(row) == scene.width for row in scene.ground)
        assert len(scene.ground) in (0, scene.height)
        assert {char for row in scene.ground for char in row} <= looks.ground.keys()
        for choice in scene.choices:
            assert seat is not None
            assert choice.action in match.legal(seat)


@pytest.mark.parametrize("name", our_names())
def test_a_scene_can_be_drawn_and_said(name: str) -> None:
    looks = find(name).looks
    for _, _, scene in scenes_of(name, 6):
        ElementTree.fromstring(draw_svg(scene, looks))
        assert draw_plain(scene, looks)
        assert f"{scene.width} columns and {scene.height} rows" in describe(scene, looks)
