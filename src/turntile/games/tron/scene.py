"""Tron as a picture: glowing trails, cycles that face their heading, unknown boxes.

Every seat has its own line style besides its colour, in the terminal and in the drawing, so
that nobody needs to tell colours apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest

from turntile.core.grid import STEP_X, STEP_Y, opposite
from turntile.core.scene import Choice, Gauge, Lines, Look, Looks, Mark, Panel, Scene, Sprite
from turntile.games.tron.records import BLAST, INVINCIBLE_MOVES, MAX_SEATS
from turntile.games.tron.view import UNKNOWN, CycleView, TrailCell, View
from turntile.games.tron.words import GREY_DRAWN, HEADINGS, TRAILS

# Several people may share one keyboard: up, right, down, left, activate.
KEYS = (
    ("up", "right", "down", "left", "space"),
    ("w", "d", "s", "a", "q"),
    ("i", "l", "k", "j", "u"),
    ("t", "h", "g", "f", "r"),
)

POWERUP_LOOKS = {"b": "bomb", "l": "landmine", "i": "invincibility", "p": "bonus", UNKNOWN: "powerup"}

POWERUP_OR_GREY = re.compile(f"[{re.escape(''.join(POWERUP_LOOKS) + GREY_DRAWN)}]")
WALL_OR_FLOOR = bytes(ord("#") if drawn == ord("#") else ord(".") for drawn in range(256))

SIDE_OF_STEP = {(STEP_X[side], STEP_Y[side]): side for side in range(4)}
NO_SIDE = -1

# Layers, from the ground up.
LAYER_POWERUP = 1
LAYER_TRAIL = 2
LAYER_WRECK = 3
LAYER_CYCLE = 4


# ------------------------------------------------------------------------- looks

# A trail piece by the sides it leads to. Turn 0 of each: end up, straight up and down, corner up and right.
PIECES = {"dot": "M50 50h0", "end": "M50 0V50", "straight": "M50 0V100", "corner": "M50 0V30Q50 50 70 50H100"}

# The bright core of a trail, different for each seat.
CORES = (
    'stroke-width="6"',
    'stroke-width="6" stroke-dasharray="10 10"',
    'stroke-width="3"',
    'stroke-width="8" stroke-dasharray="1 16"',
)

# Up and down, right and left, and the corners up-right, right-down, down-left, left-up.
LINE_GLYPHS = ("║═╚╔╗╝", "┃━┗┏┓┛", "│─└┌┐┘", "┇┅╰╭╮╯")
HEAD_GLYPHS = ("▲▶▼◀", "△▷▽◁", "⇑⇒⇓⇐", "↑→↓←")


def trail_svg(path: str, seat: int) -> str:
    """A glow in three layers: wide and faint, narrower and stronger, and a bright core."""
    line = f'd="{path}" fill="none" stroke-linecap="round" stroke-linejoin="round"'
    return (
        f'<path {line} stroke="{{seat}}" stroke-width="58" stroke-opacity="0.16"/>'
        f'<path {line} stroke="{{dark}}" stroke-width="36"/>'
        f'<path {line} stroke="{{seat}}" stroke-width="24"/>'
        f'<path {line} stroke="#ffffff" stroke-opacity="0.85" {CORES[seat]}/>'
    )


def trail_looks(seat: int) -> dict[str, Look]:
    up_down, across, *corners = list(LINE_GLYPHS[seat])
    turned = {
        "dot": (),
        "end": (up_down, up_down, across, across) * 2,
        "straight": (up_down, up_down, across, across) * 2,
        "corner": tuple(corner for corner in corners for _ in range(2)),
    }
    return {
        f"trail{seat}-{piece}": Look(
            glyph=up_down if piece != "dot" else "•",
            ascii=TRAILS[seat],
            word=f"trail of seat {seat}",
            svg=trail_svg(path, seat),
            turned=turned[piece],
        )
        for piece, path in PIECES.items()
    }


CYCLE_SVG = (
    '<circle cx="50" cy="50" r="50" fill="{seat}" fill-opacity="0.2"/>'
    '<rect x="36" y="0" width="28" height="36" rx="13" fill="#0b0e12" stroke="{seat}" stroke-width="6"/>'
    '<rect x="33" y="62" width="34" height="38" rx="14" fill="#0b0e12" stroke="{seat}" stroke-width="6"/>'
    '<path d="M50 8C76 20 78 58 68 88Q50 97 32 88C22 58 24 20 50 8Z" fill="{seat}" stroke="{dark}" stroke-width="5"/>'
    '<path d="M50 22C63 29 65 43 62 54Q50 60 38 54C35 43 37 29 50 22Z" fill="#f4fbff"/>'
    '<path d="M50 66V84" stroke="#f4fbff" stroke-width="6" stroke-linecap="round"/>'
)
SHIELD_SVG = (
    '<circle cx="50" cy="50" r="47" fill="#ffffff" fill-opacity="0.14" stroke="#ffffff" stroke-width="4" '
    'stroke-dasharray="14 8"/>'
)
WRECK_SVG = (
    '<path d="M50 2L60 30L86 14L72 40L98 50L72 60L86 86L60 70L50 98L40 70L14 86L28 60L2 50L28 40L14 14L40 30Z" '
    'fill="#ffb02e" fill-opacity="0.9"/>'
    '<path d="M50 22L57 40L76 32L65 50L76 68L57 60L50 78L43 60L24 68L35 50L24 32L43 40Z" fill="#fff3c4"/>'
    '<circle cx="50" cy="50" r="11" fill="{seat}" stroke="{dark}" stroke-width="4"/>'
)
WALL_SVG = (
    '<rect width="100" height="100" fill="#27313f"/>'
    '<rect x="6" y="6" width="88" height="88" rx="8" fill="#3a485b"/>'
    '<path d="M12 88V16Q12 12 16 12H88" fill="none" stroke="#5d7088" stroke-width="6" stroke-linecap="round"/>'
)
FLOOR_SVG = (
    '<rect width="100" height="100" fill="#0c1118"/><path d="M0 0H100M0 0V100" stroke="#1a2632" stroke-width="4"/>'
)
GREY_SVG = (
    '<rect x="12" y="12" width="76" height="76" rx="14" fill="#59616c"/>'
    '<path d="M22 62L62 22M38 80L80 38" stroke="#8b95a1" stroke-width="9" stroke-linecap="round"/>'
)


def box_svg(colour: str, inside: str) -> str:
    return (
        f'<rect x="8" y="8" width="84" height="84" rx="20" fill="{colour}" fill-opacity="0.18"/>'
        f'<rect x="18" y="18" width="64" height="64" rx="14" fill="#17202b" stroke="{colour}" stroke-width="6"/>'
        f"{inside}"
    )


QUESTION = (
    '<path d="M38 42Q38 29 50 29Q63 29 63 41Q63 49 54 53Q50 55 50 61" fill="none" stroke="#ffe27a" stroke-width="8" '
    'stroke-linecap="round"/><circle cx="50" cy="73" r="5" fill="#ffe27a"/>'
)
BOMB_INSIDE = (
    '<circle cx="48" cy="56" r="16" fill="#ff7043"/>'
    '<path d="M58 42Q62 32 70 34" fill="none" stroke="#ffe0b2" stroke-width="5" stroke-linecap="round"/>'
)
LANDMINE_INSIDE = (
    '<path d="M28 66Q28 48 50 48Q72 48 72 66Z" fill="#ef5350"/>'
    '<path d="M50 48V32M36 51L30 40M64 51L70 40" stroke="#ffcdd2" stroke-width="5" stroke-linecap="round"/>'
)
INVINCIBILITY_INSIDE = (
    '<path d="M50 28L70 35V50Q70 66 50 74Q30 66 30 50V35Z" fill="#64b5f6" stroke="#e3f2fd" stroke-width="4"/>'
)
BONUS_INSIDE = '<path d="M50 28L56 44L73 44L59 54L65 71L50 61L35 71L41 54L27 44L44 44Z" fill="#81c784"/>'

LOOKS = Looks(
    looks={
        "floor": Look(glyph="·", ascii=".", word="empty", svg=FLOOR_SVG, colour="#2b3a48"),
        "wall": Look(glyph="█", ascii="#", word="wall", svg=WALL_SVG, colour="#5d7088"),
        "grey": Look(glyph="▒", ascii="~", word="grey trail", svg=GREY_SVG, colour="#8b95a1"),
        "powerup": Look(glyph="?", word="powerup", svg=box_svg("#ffd54f", QUESTION), colour="#ffd54f"),
        "bomb": Look(glyph="b", word="bomb", svg=box_svg("#ff7043", BOMB_INSIDE), colour="#ff7043"),
        "landmine": Look(glyph="l", word="landmine", svg=box_svg("#ef5350", LANDMINE_INSIDE), colour="#ef5350"),
        "invincibility": Look(
            glyph="i", word="invincibility", svg=box_svg("#64b5f6", INVINCIBILITY_INSIDE), colour="#64b5f6"
        ),
        "bonus": Look(glyph="p", word="bonus points", svg=box_svg("#81c784", BONUS_INSIDE), colour="#81c784"),
        **{name: look for seat in range(MAX_SEATS) for name, look in trail_looks(seat).items()},
        **{
            f"cycle{seat}": Look(
                glyph=HEAD_GLYPHS[seat][0],
                ascii="ABCD"[seat],
                word=f"cycle of seat {seat}",
                svg=CYCLE_SVG,
                turned=tuple(glyph for glyph in HEAD_GLYPHS[seat] for _ in range(2)),
            )
            for seat in range(MAX_SEATS)
        },
        "shield": Look(glyph="◎", ascii="O", word="invincible", svg=SHIELD_SVG, colour="#ffffff"),
        "wreck": Look(glyph="✱", ascii="*", word="wreck", svg=WRECK_SVG),
    },
    ground={".": "floor", "#": "wall"},
    background="#080b10",
)


# ------------------------------------------------------------------------- the scene


def scene(view: View, legal: Sequence[str]) -> Scene:
    return Scene(
        width=view.width,
        height=view.height,
        title=title(view),
        ground=ground(view),
        sprites=(*board_sprites(view), *trail_sprites(view), *cycle_sprites(view)),
        marks=tuple(marks(view, legal)),
        panels=tuple(panels(view)),
        choices=tuple(choices(view, legal)),
    )


def title(view: View) -> str:
    alive = [seat for seat, cycle in enumerate(view.cycles) if cycle.alive]
    if view.over:
        return f"Turn {view.turn}: the match is over"
    if len(alive) == 1:
        return f"Turn {view.turn}: seat {alive[0]} has won and travels on"
    return f"Turn {view.turn}: {len(alive)} cycles race"


def ground(view: View) -> tuple[str, ...]:
    drawn = "".join(view.board).encode("ascii").translate(WALL_OR_FLOOR).decode("ascii")
    return tuple([drawn[at : at + view.width] for at in range(0, len(drawn), view.width)])


def board_sprites(view: View) -> Iterator[Sprite]:
    for found in POWERUP_OR_GREY.finditer("".join(view.board)):
        x, y = found.start() % view.width, found.start() // view.width
        if found[0] == GREY_DRAWN:
            yield Sprite(id=f"trail-{x}-{y}", look="grey", x=x, y=y, layer=LAYER_TRAIL)
        else:
            yield Sprite(id=f"powerup-{x}-{y}", look=POWERUP_LOOKS[found[0]], x=x, y=y, layer=LAYER_POWERUP)


def trail_sprites(view: View) -> list[Sprite]:
    sprites = []
    for seat, trail in enumerate(view.trails):
        back = NO_SIDE
        for cell, after in zip_longest(trail, trail[1:]):
            on = side_of(cell, after)
            sprites.append(trail_sprite(seat, cell.x, cell.y, back, on))
            back = NO_SIDE if on == NO_SIDE else opposite(on)
    return sprites


def side_of(cell: TrailCell, after: TrailCell | None) -> int:
    """On which side the trail goes on: to the cell entered one turn later, if it is still there."""
    if after is None or after.turn - cell.turn != 1:
        return NO_SIDE
    return SIDE_OF_STEP.get((after.x - cell.x, after.y - cell.y), NO_SIDE)


@lru_cache(maxsize=8192)
def trail_sprite(seat: int, x: int, y: int, back: int, on: int) -> Sprite:
    """A trail's piece on a cell; remembered, because all but the newest are those of the last picture."""
    piece, turn = piece_leading_to(sorted(side for side in (back, on) if side != NO_SIDE))
    return Sprite(id=f"trail-{x}-{y}", look=f"trail{seat}-{piece}", x=x, y=y, turn=turn, seat=seat, layer=LAYER_TRAIL)


def piece_leading_to(sides: Sequence[int]) -> tuple[str, int]:
    """The piece and its turn; sides are in rising order."""
    if not sides:
        return "dot", 0
    if len(sides) == 1:
        return "end", 2 * sides[0]
    first, second = sides
    if second == opposite(first):
        return "straight", 2 * first
    return "corner", 2 * (second if (first, second) == (0, 3) else first)


def cycle_sprites(view: View) -> Iterator[Sprite]:
    for seat, cycle in enumerate(view.cycles):
        turn = 2 * HEADINGS.index(cycle.heading)
        if not cycle.alive:
            yield Sprite(id=f"cycle-{seat}", look="wreck", x=cycle.x, y=cycle.y, seat=seat, layer=LAYER_WRECK)
            continue
        if cycle.invincible:
            yield Sprite(id=f"shield-{seat}", look="shield", x=cycle.x, y=cycle.y, seat=seat, layer=LAYER_WRECK)
        yield Sprite(
            id=f"cycle-{seat}",
            look=f"cycle{seat}",
            x=cycle.x,
            y=cycle.y,
            turn=turn,
            seat=seat,
            layer=LAYER_CYCLE,
            badge=cycle.held[:1].upper(),
        )


def marks(view: View, legal: Sequence[str]) -> Iterator[Mark]:
    """Where the viewer's cycle can go, what its bomb would hit, and where others crashed."""
    for seat, cycle in enumerate(view.cycles):
        if cycle.died:
            side = HEADINGS.index(cycle.heading)
            x, y = cycle.x + STEP_X[side], cycle.y + STEP_Y[side]
            yield Mark(x, y, "last", f"seat {seat} crashed in turn {cycle.died}")
    if view.seat is None or not legal:
        return
    cycle = view.cycles[view.seat]
    for side in turns_open_to(cycle):
        x, y = cycle.x + STEP_X[side], cycle.y + STEP_Y[side]
        drawn = view.board[y][x]
        trail = drawn in TRAILS or drawn == GREY_DRAWN
        if drawn == "#" or (trail and not cycle.invincible):
            yield Mark(x, y, "danger", "wall" if drawn == "#" else "trail")
        else:
            yield Mark(x, y, "reachable", HEADINGS[side])
    if cycle.held == "bomb":
        for x, y in blast_zone(view, cycle):
            yield Mark(x, y, "range", "the bomb clears trails here")


def turns_open_to(cycle: CycleView) -> list[int]:
    """All but the reversal."""
    return [side for side in range(4) if side != opposite(HEADINGS.index(cycle.heading))]


def blast_zone(view: View, cycle: CycleView) -> Iterator[tuple[int, int]]:
    """F6: five wide, five deep, the first row is the cycle's own."""
    side = HEADINGS.index(cycle.heading)
    for depth in range(BLAST):
        for beside in range(-(BLAST // 2), BLAST // 2 + 1):
            x = cycle.x + depth * STEP_X[side] + beside * STEP_Y[side]
            y = cycle.y + depth * STEP_Y[side] + beside * STEP_X[side]
            if 0 <= x < view.width and 0 <= y < view.height and view.board[y][x] != "#":
                yield x, y


def panels(view: View) -> Iterator[Panel]:
    for seat, cycle in enumerate(view.cycles):
        state = f"heading {cycle.heading}" if cycle.alive else f"crashed in turn {cycle.died}"
        yield Lines(
            title=f"Seat {seat}",
            lines=(
                f"{cycle.score} points, {state}",
                f"{cycle.distance} squares, {cycle.bonus} from powerups",
                f"holds {cycle.held or 'nothing'}",
            ),
            seat=seat,
        )
        if cycle.invincible:
            yield Gauge(label="invincible", value=cycle.invincible, maximum=INVINCIBLE_MOVES, seat=seat)


def choices(view: View, legal: Sequence[str]) -> Iterator[Choice]:
    """Only what makes a difference: no reversal, and no activation with empty hands."""
    if view.seat is None:
        return
    cycle = view.cycles[view.seat]
    keys = KEYS[view.seat]
    for side in turns_open_to(cycle):
        if HEADINGS[side] in legal:
            yield Choice(
                action=HEADINGS[side],
                label=HEADINGS[side],
                key=keys[side],
                question="Which way?",
                cell=(cycle.x + STEP_X[side], cycle.y + STEP_Y[side]),
            )
    if "straight" in legal:
        yield Choice(action="straight", label="straight on", question="Which way?")
    if cycle.held and "activate" in legal:
        yield Choice(action="activate", label=f"activate {cycle.held}", key=keys[4], question="Which way?")
        for side in turns_open_to(cycle):
            text = f"activate {HEADINGS[side]}"
            yield Choice(action=text, label=f"activate {cycle.held}, then {HEADINGS[side]}", question="Activate?")
