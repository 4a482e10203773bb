"""GIF films, read back by Pillow."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image, ImageChops

from tests.screens.films import tron_film
from tests.screens.scenes import LOOKS, hall, race
from turntile.core.errors import InvalidOptions
from turntile.screens.gif import LAST_MS, Painter, draw_gif
from turntile.screens.pictures import Picture, pictures_of
from turntile.screens.svg import lay_out

STRIP = [Picture(turn, race(turn), f"turn {turn}") for turn in range(4)]


def frames_of(gif: bytes) -> tuple[list[Image.Image], list[int]]:
    image = Image.open(BytesIO(gif))
    images, durations = [], []
    for number in range(getattr(image, "n_frames", 1)):
        image.seek(number)
        images.append(image.convert("RGB"))
        durations.append(image.info["duration"])
    return images, durations


def test_every_picture_is_a_frame_and_the_last_one_stays_longer() -> None:
    images, durations = frames_of(draw_gif(STRIP, LOOKS, 200))
    assert len(images) == 4
    assert durations == [200, 200, 200, LAST_MS]


def test_frames_look_as_the_pictures_do() -> None:
    """What is left out of a frame because it did not change must not be missing when it is shown."""
    images, _ = frames_of(draw_gif(STRIP, LOOKS, 100, scale=0.5))
    layout = lay_out([picture.scene for picture in STRIP], caption=True)
    for picture, shown in zip(STRIP, images, strict=True):
        drawn = Painter(LOOKS, layout, 0.5).paint(picture)
        difference = ImageChops.difference(drawn, shown).convert("L")
        far = sum(difference.histogram()[48:])
        assert far < drawn.width * drawn.height * 0.001


def test_progress_is_told_picture_by_picture() -> None:
    told: list[tuple[int, int]] = []
    draw_gif(STRIP, LOOKS, progress=lambda done, of: told.append((done, of)))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_one_picture_is_a_film_too_and_boards_may_change() -> None:
    images, _ = frames_of(draw_gif(STRIP[:1], LOOKS))
    assert len(images) == 1
    images, _ = frames_of(draw_gif([STRIP[0], Picture(1, hall())], LOOKS))
    assert len(images) == 2


def test_a_real_match_stays_small() -> None:
    film = tron_film(20)
    gif = draw_gif(pictures_of(film), film.looks, 100)
    assert len(gif) < 400_000
    assert max(Image.open(BytesIO(gif)).size) <= 820


def test_no_pictures_and_no_time_are_refused() -> None:
    with pytest.raises(InvalidOptions, match="without pictures"):
        draw_gif([], LOOKS)
    with pytest.raises(InvalidOptions, match="at least 20"):
        draw_gif(STRIP, LOOKS, 5)
