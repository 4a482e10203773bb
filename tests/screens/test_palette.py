"""Seats can be told apart without seeing all colours, and without any."""

from __future__ import annotations

from itertools import combinations

import pytest

from turntile.screens.palette import ASCII_TEXTURES, SEATS, SHAPES, TEXTURES, channels, no_colour

# How the commonest colour blindnesses mix linear red, green and blue (Machado, Oliveira, Fernandes 2009).
BLINDNESS = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}


def seen(colour: str, blindness: str) -> tuple[float, float, float]:
    """A colour as CIELAB, as an eye with that blindness sees it."""
    linear = [
        (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4) for c in (v / 255 for v in channels(colour))
    ]
    red, green, blue = (
        max(0.0, min(1.0, sum(a * b for a, b in zip(row, linear, strict=True)))) for row in BLINDNESS[blindness]
    )
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("blindness", BLINDNESS)
def test_the_first_four_seats_differ_for_every_eye(blindness: str) -> None:
    """A difference of about 2 is just visible side by side; 15 is plain to see."""
    for one, other in combinations(SEATS[:4], 2):
        a, b = seen(one, blindness), seen(other, blindness)
        assert sum((p - q) ** 2 for p, q in zip(a, b, strict=True)) ** 0.5 > 15, (one, other)


def test_every_seat_has_a_shape_and_a_texture_of_its_own() -> None:
    for signs in (SHAPES, TEXTURES, ASCII_TEXTURES):
        assert len(set(signs)) == len(signs) == len(SEATS)
    assert all(sign.isascii() for sign in ASCII_TEXTURES)


def test_no_color_counts_only_when_it_says_something(monkeypatch: pytest.MonkeyPatch) -> None:
    """no-color.org: present and not an empty string, whatever its value."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert not no_colour()
    monkeypatch.setenv("NO_COLOR", "")
    assert not no_colour()
    monkeypatch.setenv("NO_COLOR", "0")
    assert no_colour()
