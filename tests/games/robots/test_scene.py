"""The loadout screen and the board under fog."""

from __future__ import annotations

from tests.games.robots.drawn import Fight, duel, fight, new_fight
from tests.games.robots.test_views import SEEN_ONE
from turntile.core.gears import GearName
from turntile.core.scene import Gauge, Items, Parts, Scene
from turntile.games.robots.game import GAME


def scene_of(match: Fight, seat: int | None) -> Scene:
    legal = [GAME.spell(match.record, seat, action) for action in match.state.legal(seat)] if seat is not None else []
    return GAME.scene(match.view(seat), legal)


def marked(scene: Scene, kind: str) -> set[tuple[int, int]]:
    return {(mark.x, mark.y) for mark in scene.marks if mark.kind == kind}


def test_the_loadout_shows_the_budget_and_what_each_part_does(gear_name: GearName) -> None:
    match = new_fight(gear_name)
    match.play("add engine3", "deploy")
    scene = scene_of(match, 0)
    assert scene.title == "Build your robot: 4 of 10 slots are free"
    parts = next(panel for panel in scene.panels if isinstance(panel, Parts))
    assert (parts.used, parts.budget) == (6, 10)
    by_name = {part.label: part for part in parts.parts}
    assert by_name["engine3"].installed
    assert by_name["radar3"].action == ""
    assert by_name["radar2"].action == "add radar2"
    assert by_name["gun"].detail == "6 x 6 cells, -3 HP"


def test_the_loadout_offers_presets_part_by_part(gear_name: GearName) -> None:
    """Pressing a preset's key again and again builds it; a preset out of reach is not offered."""
    match = new_fight(gear_name)
    presets = next(panel for panel in scene_of(match, 0).panels if isinstance(panel, Items))
    assert [item.label for item in presets.items] == ["scout", "ranger", "brawler", "sentry"]
    assert presets.items[0].detail == "engine2 radar2 gun"
    for _ in range(3):
        choice = next(choice for choice in scene_of(match, 0).choices if choice.key == "1")
        match.step({0: choice.action, 1: "add gun"})
    assert match.parts(0) == ("engine2", "radar2", "gun")
    assert not any("sentry" in choice.label for choice in scene_of(match, 0).choices)


def test_the_board_shows_fog_sightings_and_areas(gear_name: GearName) -> None:
    match = fight(gear_name, SEEN_ONE.format("empty", ""))
    match.play("scan")
    scene = scene_of(match, 0)
    assert scene.ground[0] == "?" * 10
    assert scene.ground[5][2:8] == "......"
    looks = {(sprite.x, sprite.y): sprite.look for sprite in scene.sprites}
    assert looks == {(5, 5): "robot", (3, 5): "foe"}
    radar = {(x, y) for x in range(2, 8) for y in range(2, 8)}
    assert marked(scene, "seen") == radar
    assert marked(scene, "range") == radar - {(5, 5)}
    assert (5, 3) in marked(scene, "reachable")
    assert (3, 5) not in marked(scene, "reachable")
    assert marked(scene, "last") == set()
    assert next(choice for choice in scene.choices if choice.cell == (3, 5)).action == "shoot 3 5"


def test_a_sighting_of_an_earlier_turn_is_a_ghost_that_says_when(gear_name: GearName) -> None:
    match = fight(gear_name, SEEN_ONE.format("empty", ""))
    match.say("scan", "end")
    scene = scene_of(match, 0)
    ghost = next(sprite for sprite in scene.sprites if sprite.look == "ghost")
    assert (ghost.x, ghost.y, ghost.badge) == (3, 5, "8")
    assert any(mark.kind == "last" and mark.why == "last seen when 8 turns had ended" for mark in scene.marks)


def test_the_judge_sees_every_robot_with_its_hp(gear_name: GearName) -> None:
    match = duel(gear_name, "gun, hp 7", "engine1 gun")
    scene = scene_of(match, None)
    assert [(sprite.id, sprite.badge) for sprite in scene.sprites] == [("robot 0", "7"), ("robot 1", "10")]
    gauges = [panel for panel in scene.panels if isinstance(panel, Gauge) and panel.seat == 0]
    assert [(gauge.label, gauge.value) for gauge in gauges] == [("HP", 7)]


def test_the_keys_of_a_turn_differ(gear_name: GearName) -> None:
    match = duel(gear_name, "engine1 radar1 gun")
    assert [(choice.action, choice.key) for choice in scene_of(match, 0).choices] == [("start", "space")]
    match.play("start")
    keys = [choice.key for choice in scene_of(match, 0).choices if choice.key]
    assert keys == ["s", "enter", "up", "right", "down", "left"]


def test_the_title_says_how_it_stands(gear_name: GearName) -> None:
    match = duel(gear_name, "gun", "gun, hp 3")
    assert scene_of(match, 0).title == "Your turn, not started yet (4 of 200 turns ended)"
    assert scene_of(match, 1).title == "Turn of robot 0, not started yet (4 of 200 turns ended)"
    done = fight(gear_name, GAME.write_position(match.record).replace("ended 4", "ended 199"))
    done.say("start", "end")
    assert scene_of(done, 0).title == "A draw"
