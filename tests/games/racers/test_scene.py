"""The picture of a view: what a person sees and can click on."""

from __future__ import annotations

from tests.games.racers.drawn import Race
from tests.support import rule
from turntile.core.gears import GearName
from turntile.core.scene import Gauge, Items, Scene
from turntile.games.racers.game import GAME
from turntile.games.racers.scene import letters, preview

DRAWN = """
    ..........
    ...d.x....
    ..a1..o...
    ..b.......
    ..2......o
"""
NOTES = (
    "trail 1: 2,2",
    "trail 2: 2,3",
    "holds 1: grenade=1 disc=1",
    "teleporters: 6,2>9,4 9,4>6,2",
    "failures: 8,8:2",
    "items: 3,2=charged",
    "actions: 2",
    "began: 2,2",
)


def seen(race: Race, seat: int | None) -> Scene:
    record = race.record
    legal = [GAME.spell(record, seat, a) for a in race.state.legal(seat)] if seat is not None else []
    return GAME.scene(race.view(seat), legal)


def test_everything_on_the_board_is_a_sprite(gear_name: GearName) -> None:
    scene = seen(Race(gear_name, DRAWN, *NOTES), 0)
    looks = {(sprite.x, sprite.y, sprite.look) for sprite in scene.sprites}
    assert {(3, 1, "disc"), (5, 1, "debris"), (3, 2, "charged"), (2, 2, "trail")} <= looks
    assert {(3, 2, "racer"), (2, 4, "racer"), (6, 2, "teleporter"), (0, 9, "start"), (9, 0, "start")} <= looks
    assert {sprite.badge for sprite in scene.sprites if sprite.look == "trail"} == {"1"}
    assert {sprite.badge for sprite in scene.sprites if sprite.look == "teleporter"} == {"A>B", "B>A"}
    assert scene.title == "Turn 1: player 1, 2 actions left"
    assert scene.focus == (3, 2)


@rule("R2.14")
def test_dark_squares_show_their_turns_left(gear_name: GearName) -> None:
    """The ground of an unpowered square has a look for one, two or three turns to go."""
    scene = seen(Race(gear_name, DRAWN, *NOTES), 1)
    assert scene.ground[8] == ".......222"
    assert scene.ground[9] == ".......##2"


@rule("U2", "U3")
def test_choices_ask_for_the_item_and_then_for_the_direction(gear_name: GearName) -> None:
    """Moves are clicks on squares; a disc's direction is a question of its own, reached by its item."""
    scene = seen(Race(gear_name, DRAWN, *NOTES), 0)
    by_action = {choice.action: choice for choice in scene.choices}
    assert by_action["move ur"].cell == (4, 1)
    assert by_action["use disc left"].group == "use the identity disc"
    assert by_action["use disc left"].question == "In which direction?"
    assert by_action["use grenade"].label == "use a light grenade here"
    assert by_action["pick charged"].item == "charged identity disc"
    assert by_action["end"].key == "space"
    assert seen(Race(gear_name, DRAWN, *NOTES), 1).choices == ()
    keys = [choice.key for choice in scene.choices if not choice.group]
    assert len(keys) == len(set(keys))
    directions = [choice for choice in scene.choices if choice.group == "use the identity disc"]
    assert [choice.key for choice in directions] == ["up", "right", "down", "left"]


@rule("U3", "R3.14")
def test_the_range_of_a_disc_is_shown_before_it_is_thrown(gear_name: GearName) -> None:
    """Every square a throw would fly over is marked, and whom it would hit."""
    race = Race(gear_name, "..........\n1...2.....", "holds 1: disc=1")
    marks = {(mark.x, mark.y): mark.kind for mark in seen(race, 0).marks if mark.why.startswith("use")}
    assert marks[(3, 1)] == "range"
    assert marks[(4, 1)] == "target"
    assert (5, 1) not in marks
    flown = preview(race.view(0), "use disc right")
    assert [(mark.x, mark.y, mark.kind) for mark in flown] == [
        (1, 1, "path"),
        (2, 1, "path"),
        (3, 1, "path"),
        (4, 1, "target"),
    ]
    assert preview(race.view(0), "use 1 r") == flown
    assert len(preview(race.view(0), "use disc")) > len(flown)
    assert preview(race.view(0), "use sword up") == ()
    assert preview(race.view(1), "use disc right") == ()


def test_a_move_is_previewed_through_a_teleporter(gear_name: GearName) -> None:
    race = Race(gear_name, "..........\n.1o.......\n.........o", "teleporters: 2,1>9,2 9,2>2,1")
    assert [(mark.x, mark.y, mark.kind) for mark in preview(race.view(0), "move r")] == [
        (2, 1, "path"),
        (9, 2, "target"),
    ]
    assert preview(race.view(0), "move") == ()
    assert preview(race.view(0), "move nowhere") == ()


@rule("H6")
def test_panels_show_actions_and_numbered_items(gear_name: GearName) -> None:
    """The number in front of an item is the one `use 2 up` means."""
    panels = seen(Race(gear_name, DRAWN, *NOTES), 0).panels
    gauge = next(panel for panel in panels if isinstance(panel, Gauge))
    assert (gauge.label, gauge.value, gauge.maximum) == ("Player 1 (you): actions left", 2, 3)
    inventory = next(panel for panel in panels if isinstance(panel, Items) and panel.seat == 0)
    assert [(item.label, item.count, item.detail) for item in inventory.items] == [
        ("light grenade", 1, "1"),
        ("identity disc", 1, "2"),
    ]


@rule("G5")
def test_active_grenades_are_in_the_judges_scene_only(gear_name: GearName) -> None:
    """Neither the owner nor the other sees one."""
    race = Race(gear_name, "..........\n..1.......", "armed 1: 4,4")
    assert [sprite.look for sprite in seen(race, None).sprites].count("armed") == 1
    for seat in (0, 1):
        assert "armed" not in [sprite.look for sprite in seen(race, seat).sprites]


def test_looks_differ_in_shape_not_only_in_colour() -> None:
    things = [look for name, look in GAME.looks.looks.items() if name not in GAME.looks.ground.values()]
    assert len({look.glyph for look in things}) == len(things)
    assert len({look.ascii or look.glyph for look in GAME.looks.looks.values()}) == len(GAME.looks.looks)
    for look in GAME.looks.looks.values():
        look.svg.format(seat="#ffffff", dark="#000000")
        assert (look.ascii or look.glyph).isascii()


def test_teleporters_have_names_even_when_there_are_many() -> None:
    assert [letters(number) for number in (0, 25, 26, 27, 52, 122)] == ["A", "Z", "AA", "AB", "BA", "DS"]
