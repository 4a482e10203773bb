"""SVG pictures: everything is in them, nothing breaks out of them."""

from __future__ import annotations

from xml.etree import ElementTree

from tests.screens.scenes import LOOKS, hall, race
from turntile.core.scene import Lines, Scene
from turntile.screens.palette import SEATS
from turntile.screens.svg import draw_svg, lay_out, placed

SVG = "{http://www.w3.org/2000/svg}"


def test_every_sprite_is_drawn_at_its_cell_and_turned() -> None:
    scene = race(3)
    uses = [use.get("transform", "") for use in ElementTree.fromstring(draw_svg(scene, LOOKS)).iter(f"{SVG}use")]
    for sprite in scene.sprites:
        place = f"translate({sprite.x * 100} {sprite.y * 100})"
        turn = f" rotate({sprite.turn * 45} 50 50)" if sprite.turn else ""
        assert place + turn in uses


def test_every_use_has_its_definition() -> None:
    root = ElementTree.fromstring(draw_svg(race(3), LOOKS))
    defined = {symbol.get("id") for symbol in root.iter(f"{SVG}symbol")}
    used = {(use.get("href") or "").removeprefix("#") for use in root.iter(f"{SVG}use")}
    assert used <= defined


def test_texts_are_escaped() -> None:
    """Titles, panels, marks and captions may hold anything."""
    drawn = draw_svg(race(1), LOOKS, caption="<script>&</script>")
    texts = [element.text for element in ElementTree.fromstring(drawn).iter(f"{SVG}text")]
    assert "Turn 1 <of & many>" in texts
    assert "<script>&</script>" in texts
    assert "3 <squares>" in texts
    assert "<script" not in drawn


def test_seats_wear_their_colours_and_badges_are_written() -> None:
    drawn = draw_svg(race(1), LOOKS)
    assert SEATS[0] in drawn
    assert SEATS[1] in drawn
    assert "{seat}" not in drawn
    assert ">7</text>" in drawn


def test_walls_are_one_path() -> None:
    root = ElementTree.fromstring(draw_svg(hall(), LOOKS))
    paths = [path.get("d", "") for path in root.iter(f"{SVG}path") if path.get("stroke") == "#f2efe6"]
    assert len(paths) == 1
    assert paths[0].count("M") == len(hall().edges)


def test_one_layout_for_all_frames() -> None:
    scenes = [race(0), race(3)]
    layout = lay_out(scenes, caption=True)
    sizes = set()
    for scene in scenes:
        root = ElementTree.fromstring(draw_svg(scene, LOOKS, layout=layout))
        sizes.add((root.get("width"), root.get("height")))
    assert len(sizes) == 1


def test_a_wide_board_has_its_panels_below_in_columns() -> None:
    panels = tuple(Lines(title=str(number), lines=("a", "b")) for number in range(6))
    layout = lay_out([Scene(40, 10, "", panels=panels)])
    assert layout.panel_top > layout.board_top + layout.board_height
    columns = [column for column, _, _ in placed(panels, layout.panel_columns)]
    assert columns == sorted(columns)
    assert set(columns) == set(range(layout.panel_columns))
    square = lay_out([Scene(10, 10, "", panels=panels)])
    assert square.panel_left > square.board_width


def test_a_line_too_long_is_cut_and_says_so() -> None:
    drawn = draw_svg(Scene(5, 5, "x" * 500), LOOKS)
    assert "x…" in drawn
    assert "x" * 200 not in drawn.split("</title>")[1]
