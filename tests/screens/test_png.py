"""PNG pictures: the SVG in pixels."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from tests.screens.scenes import LOOKS, race
from turntile.core.scene import Scene
from turntile.screens.palette import SEATS, channels
from turntile.screens.png import draw_png
from turntile.screens.svg import GAP, lay_out


def test_the_scale_is_that_of_the_picture() -> None:
    layout = lay_out([race(2)])
    small = Image.open(BytesIO(draw_png(race(2), LOOKS, scale=1)))
    large = Image.open(BytesIO(draw_png(race(2), LOOKS, scale=2)))
    assert small.size == (round(layout.width), round(layout.height))
    assert large.size == (2 * small.width, 2 * small.height)


def test_a_sprite_is_seen_where_it_stands() -> None:
    """The middle of seat 1's cycle has seat 1's colour, the middle of an empty cell the background's."""
    layout = lay_out([race(2)])
    image = Image.open(BytesIO(draw_png(race(2), LOOKS, scale=1))).convert("RGB")

    def middle_of(x: int, y: int) -> object:
        return image.getpixel((round(GAP + (x + 0.5) * layout.cell), round(layout.board_top + (y + 0.5) * layout.cell)))

    assert middle_of(6, 4) == channels(SEATS[1])
    assert middle_of(1, 1) == channels(LOOKS.background)


def test_text_is_drawn_without_any_font_of_the_system() -> None:
    with_title = draw_png(Scene(5, 5, "A title"), LOOKS)
    without = draw_png(Scene(5, 5, ""), LOOKS)
    assert with_title != without
