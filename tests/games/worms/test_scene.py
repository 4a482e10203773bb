"""The picture: what stands where, and aiming helped by what the rules foresee."""

from __future__ import annotations

import pytest

from tests.games.worms.drawn import WormsTable, named, worms
from turntile.core.gears import GearName
from turntile.core.scene import Choice, Gauge, Items, Mark, Scene
from turntile.games.worms.game import GAME


def scene_of(table: WormsTable, seat: int | None = 0) -> Scene:
    record = table.record
    texts = [GAME.spell(record, seat, action) for action in table.state.legal(seat)] if seat is not None else []
    return GAME.scene(GAME.view(record, seat), texts)


def choice(scene: Scene, action: str) -> Choice:
    return next(choice for choice in scene.choices if choice.action == action)


def marks(scene: Scene) -> dict[tuple[int, int], Mark]:
    return {(mark.x, mark.y): mark for mark in scene.marks}


LEDGE = """
    .........
    ~........
    E....*...
    E..EEE#..
    E..EEEE..
    EEEEEEEWW
"""


TOWER = """
    ......
    ......
    ......
    ~.....
    ~E.#.*
    EEEEEE
    acts 2
    worm 1 at 3 0
    worm 2 at 4 0
"""


def test_worms_and_chests_are_sprites_on_the_ground(gear_name: GearName) -> None:
    scene = scene_of(worms(gear_name, LEDGE))

    assert scene.ground[1:4] == ("         ", "T        ", "E  TTT   ")
    assert [(sprite.id, sprite.x, sprite.y, sprite.badge) for sprite in scene.sprites[:3]] == [
        ("chest-6-1", 6, 3, ""),
        ("worm-1", 0, 1, "100"),
        ("worm-2", 5, 2, "100"),
    ]
    assert scene.focus == (0, 1)
    assert f"player 1, {named(1)} with the gun" in scene.title


def test_a_shot_says_what_it_would_hit(gear_name: GearName) -> None:
    """The target is marked, and a click on it means the shot."""
    scene = scene_of(worms(gear_name, LEDGE.replace("~........", "~....*...").replace("E....*...", "E....E...")))
    shot = choice(scene, "action r")

    assert shot.label == f"shoot → r: {named(2)} -25 hp"
    assert (shot.cell, shot.key) == ((5, 1), "d")
    assert marks(scene)[5, 1].kind == "target"
    assert choice(scene, "action u").label == "shoot ↑ u: misses"


def test_a_bazooka_shows_its_cross_and_the_falls_it_causes(gear_name: GearName) -> None:
    table = worms(
        gear_name,
        LEDGE.replace("E....*...", "E........").replace("~........", "~...*....").replace("E........", "E...E....", 1),
    )
    table.play("choose bazooka")
    scene = scene_of(table)

    assert choice(scene, "action r").label.startswith(f"shoot → r: {named(2)} -40 hp, hits earth")
    assert marks(scene)[4, 1].kind == "target"
    assert marks(scene)[4, 2].kind == "range"


def test_a_step_says_where_it_leads_and_what_the_fall_costs(gear_name: GearName) -> None:
    scene = scene_of(worms(gear_name, LEDGE))
    step = choice(scene, "move r 1")

    assert step.label == f"walk 1 right: {named(1)} falls, -20 hp, to (4, 1)"
    assert (step.cell, step.key) == ((1, 4), "right")
    assert marks(scene)[1, 4].kind == "danger"
    assert "fell out of the map" in choice(scene, "move l 1").label


def test_teleports_foresee_the_fall(gear_name: GearName) -> None:
    table = worms(gear_name, LEDGE)
    table.play("choose teleporter")
    scene = scene_of(table)

    assert choice(scene, "action 1 4").label == "(4, 1)"
    assert choice(scene, "action 1 0").label == "(0, 1): falls, -30 hp"
    assert choice(scene, "action 8 0").label == "(0, 8): deadly"
    assert choice(scene, "action 6 3").cell == (6, 3)
    assert (marks(scene)[1, 4].kind, marks(scene)[8, 0].kind) == ("reachable", "danger")
    teleports = [offered for offered in scene.choices if offered.action.startswith("action") and offered.cell]
    assert {offered.group for offered in teleports} == {"teleport"}


@pytest.mark.parametrize("drawing", [LEDGE, TOWER])
def test_what_is_foreseen_for_a_teleport_is_what_happens(gear_name: GearName, drawing: str) -> None:
    """Every field of the map, compared with the rules; in the second drawing somebody stands on the worm's head."""
    table = worms(gear_name, drawing)
    worm = table.acting()
    table.play("choose teleporter")
    scene = scene_of(table)
    for offered in scene.choices:
        if offered.group == "teleport":
            after = worms(gear_name, drawing.rstrip() + "\n    plan 2 0\n")
            after.play("choose teleporter")
            after.play(offered.action)
            lost = 100 - after.hp(worm)
            expected = "deadly" if lost == 100 else f"-{lost} hp" if lost else ""
            foreseen = offered.label.partition("): ")[2]
            if lost == 100 and foreseen != "deadly":
                assert "fell" in foreseen or "drowned" in foreseen
            else:
                assert foreseen.rpartition(", ")[2] == expected, offered


def test_an_airstrike_is_aimed_at_columns(gear_name: GearName) -> None:
    table = worms(gear_name, LEDGE)
    table.play("choose airstrike")
    scene = scene_of(table)

    assert choice(scene, "action 5").label == f"column 5: {named(2)} -20 hp"
    assert (choice(scene, "action 5").cell, choice(scene, "action 5").group) == ((5, 2), "strike")


def test_panels_show_hp_and_weapons(gear_name: GearName) -> None:
    table = worms(gear_name, LEDGE + "    worm 1 at 1 0 hp 40 ammunition 2 0 1 1 1\n")
    panels = scene_of(table).panels
    gauges = [panel for panel in panels if isinstance(panel, Gauge)]
    items = next(panel for panel in panels if isinstance(panel, Items))

    assert [(gauge.label, gauge.value) for gauge in gauges] == [(f"{named(1)}, to act", 40), (named(2), 100)]
    assert [(item.label, item.count, item.selected) for item in items.items][:3] == [
        ("gun", 1, True),
        ("bazooka", 2, False),
        ("blowtorch", 1, False),
    ]


def test_where_there_are_too_many_teleports_those_that_end_where_they_lead_are_offered(gear_name: GearName) -> None:
    """A match lists no action then; the scene still offers all others, and the fields one would stay on."""
    table = worms(gear_name, LEDGE)
    table.play("choose teleporter")
    record = table.record
    scene = GAME.scene(GAME.view(record, 0), ())
    legal = [GAME.spell(record, 0, action) for action in table.state.legal(0)]
    offered = [offered.action for offered in scene.choices]

    assert set(offered) < set(legal)
    assert [text for text in offered if text.count(" ") < 2 or "move" in text] == legal[:15]
    assert [text for text in offered if text.count(" ") == 2 and "action" in text] == [
        "action 0 0", "action 5 1", "action 3 2", "action 4 2", "action 6 3", "action 1 4", "action 2 4",
    ]  # fmt: skip


def test_who_is_not_to_act_is_offered_nothing(gear_name: GearName) -> None:
    table = worms(gear_name, LEDGE)
    for seat in (1, None):
        scene = scene_of(table, seat)
        assert scene.choices == () and scene.marks == ()


def test_every_look_that_a_scene_uses_is_in_the_catalogue(gear_name: GearName) -> None:
    scene = scene_of(worms(gear_name, LEDGE), None)

    assert {sprite.look for sprite in scene.sprites} <= set(GAME.looks.looks)
    assert set("".join(scene.ground)) <= set(GAME.looks.ground)
    assert len({look.glyph for look in GAME.looks.looks.values()}) == len(GAME.looks.looks)
