"""The picture of a view of Connect Four, and what a click on it means."""

from __future__ import annotations

from collections.abc import Sequence

from connect_four.view import View
from turntile.core.scene import Choice, Lines, Look, Looks, Scene, Sprite

STONE = '<circle cx="50" cy="50" r="38" fill="{seat}"/>'

LOOKS = Looks(
    looks={
        "hole": Look(
            glyph="·",
            ascii=".",
            word="free",
            colour="#3b4a6b",
            svg='<rect width="100" height="100" fill="#1d3a8a"/><circle cx="50" cy="50" r="38" fill="#0b1020"/>',
        ),
        "x": Look(
            glyph="x",
            word="x",
            svg=STONE + '<path d="M34 34 66 66M66 34 34 66" stroke="{dark}" stroke-width="9" stroke-linecap="round"/>',
        ),
        "o": Look(
            glyph="o",
            word="o",
            svg=STONE + '<circle cx="50" cy="50" r="18" fill="none" stroke="{dark}" stroke-width="9"/>',
        ),
    },
    ground={".": "hole"},
)


def scene(view: View, legal: Sequence[str]) -> Scene:
    stones = [
        Sprite(id=f"stone-{x}-{y}", look=letter, x=x, y=y, seat="xo".index(letter), layer=1)
        for y, row in enumerate(view.rows)
        for x, letter in enumerate(row)
        if letter != "."
    ]
    choices = [
        Choice(
            action=text,
            label=f"column {text}",
            key=text if len(text) == 1 else "",
            cell=(int(text) - 1, landing(view, int(text) - 1)),
        )
        for text in legal
    ]
    return Scene(
        width=view.width,
        height=view.height,
        title=title(view),
        ground=("." * view.width,) * view.height,
        sprites=tuple(stones),
        choices=tuple(choices),
        panels=(Lines("Columns", (" ".join(str(x + 1) for x in range(view.width)),)),),
    )


def landing(view: View, column: int) -> int:
    """The row a stone comes to rest in."""
    return max(y for y, row in enumerate(view.rows) if row[column] == ".")


def title(view: View) -> str:
    if view.turn >= 0:
        return f"{'xo'[view.turn]} is to drop a stone"
    return "a draw" if view.winner < 0 else f"{'xo'[view.winner]} has won"
