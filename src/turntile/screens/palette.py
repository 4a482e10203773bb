"""Colours and shapes of the seats and marks, for every screen.

The seats' colours are Okabe and Ito's, which people with any common colour blindness can
tell apart, lightened where they would drown in a dark board. Every seat also has a shape
and a texture of its own, so that colour is never the only difference.
"""

from __future__ import annotations

import os

SEATS = ("#56b4e9", "#e69f00", "#10a36c", "#cc79a7", "#f0e442", "#ee6a1c", "#8f9bff", "#e6e6e6")
NOBODY = "#aab4be"  # things of no seat that name no colour

SHAPES = ("●", "▲", "■", "◆", "★", "✚", "♥", "♣")
TEXTURES = ("▓", "▒", "░", "▚", "▞", "▙", "▜", "▟")  # the full block is left to walls
ASCII_TEXTURES = ("%", "=", ":", "&", "$", "@", "+", "~")

MARKS = {
    "reachable": "#4f9d69",
    "range": "#c9a227",
    "danger": "#d1495b",
    "seen": "#6c7a89",
    "last": "#8e9aaf",
    "target": "#e0e0e0",
    "path": "#5aa9c6",
}
MARK_GLYPHS = {"reachable": "·", "range": "-", "danger": "!", "seen": "?", "last": "'", "target": "+", "path": ":"}


def mark_glyph(kind: str, ascii: bool = False) -> str:
    glyph = MARK_GLYPHS[kind]
    return "." if ascii and not glyph.isascii() else glyph


def seat_colour(seat: int) -> str:
    return SEATS[seat % len(SEATS)] if seat >= 0 else NOBODY


def seat_shape(seat: int, ascii: bool = False) -> str:
    """One column: the seat's own shape, or its number where only 7 bits are to be had."""
    if seat < 0:
        return ""
    return str(seat % 10) if ascii else SHAPES[seat % len(SHAPES)]


def texture(seat: int, ascii: bool = False) -> str:
    """What fills a cell that a seat owns: full blocks look alike without colour, these do not."""
    textures = ASCII_TEXTURES if ascii else TEXTURES
    return textures[max(seat, 0) % len(textures)]


def channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def blend(colour: str, other: str, share: float) -> str:
    """`share` of `other` in `colour`, 0 to 1."""
    mixed = (round(a + (b - a) * share) for a, b in zip(channels(colour), channels(other), strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def darker(colour: str) -> str:
    """A seat's darker shade."""
    return blend(colour, "#000000", 0.45)


def is_dark(colour: str) -> bool:
    red, green, blue = channels(colour)
    return red * 0.299 + green * 0.587 + blue * 0.114 < 128


def no_colour() -> bool:
    """Whether the person asked for a screen without colours (no-color.org: set and not empty)."""
    return bool(os.environ.get("NO_COLOR"))
