"""How the things of a factory hall look: shapes for the drawing, signs for the terminal.

Robots differ in their outline as well as in colour, and each shows where it faces.
"""

from __future__ import annotations

from turntile.core.scene import Look, Looks
from turntile.games.roborace.board_text import ROBOTS
from turntile.games.roborace.boards import DIRECTIONS

FLOOR_SVG = (
    '<rect width="100" height="100" fill="#39424e"/>'
    '<path d="M0 0H100V100H0Z" fill="none" stroke="#2b333d" stroke-width="4"/>'
    '<g fill="#2b333d"><circle cx="12" cy="12" r="3"/><circle cx="88" cy="12" r="3"/>'
    '<circle cx="12" cy="88" r="3"/><circle cx="88" cy="88" r="3"/></g>'
)
PIT_SVG = (
    '<rect width="100" height="100" fill="#39424e"/>'
    '<path d="M6 6H94V94H6Z" fill="#d8a520"/>'
    '<path d="M6 26L26 6H46L6 46ZM6 66L66 6H86L6 86ZM14 94L94 14V34L34 94ZM54 94L94 54V74L74 94Z" fill="#22262c"/>'
    '<rect x="16" y="16" width="68" height="68" fill="#07090c"/>'
    '<path d="M16 16L34 34H84V16Z" fill="#15191f"/>'
)
GOAL_SVG = (
    f"{FLOOR_SVG}"
    '<circle cx="50" cy="50" r="40" fill="#f4f1e4"/>'
    '<circle cx="50" cy="50" r="40" fill="none" stroke="#2e7d32" stroke-width="7"/>'
    '<path d="M36 20V82" stroke="#333333" stroke-width="6" stroke-linecap="round"/>'
    '<path d="M39 22H76L66 36L76 50H39Z" fill="#2e7d32"/>'
    '<path d="M39 22h9v7h-9zM57 22h9v7h-9zM48 29h9v7h-9zM39 36h9v7h-9zM57 36h9v7h-9zM48 43h9v7h-9z" fill="#f4f1e4"/>'
)
BELT_INSIDE = (
    '<rect x="12" width="76" height="100" fill="#23282f"/>'
    '<path d="M12 0V100M88 0V100" stroke="#8d99a8" stroke-width="6"/>'
    '<path d="M28 42L50 20L72 42M28 84L50 62L72 84" fill="none" stroke="#f2c230" stroke-width="10" '
    'stroke-linejoin="round" stroke-linecap="round"/>'
)
GEAR_TEETH = "".join(
    f'<rect x="42" y="6" width="16" height="18" rx="3" transform="rotate({angle} 50 50)"/>'
    for angle in range(0, 360, 45)
)
GEAR_INSIDE = (
    f'<g fill="#9aa7b5">{GEAR_TEETH}<circle cx="50" cy="50" r="34"/></g><circle cx="50" cy="50" r="26" fill="#5b6673"/>'
)
CLOCKWISE = (
    '<path d="M34 58A18 18 0 1 1 62 64" fill="none" stroke="#e8f5e9" stroke-width="7"/>'
    '<path d="M52 70L70 72L62 55Z" fill="#e8f5e9"/>'
)
ANTICLOCKWISE = (
    '<path d="M66 58A18 18 0 1 0 38 64" fill="none" stroke="#ffe0b2" stroke-width="7"/>'
    '<path d="M48 70L30 72L38 55Z" fill="#ffe0b2"/>'
)
CRUSHER_SVG = (
    '<path d="M8 8H92V30H8Z" fill="#b0342c"/><path d="M8 70H92V92H8Z" fill="#b0342c"/>'
    '<path d="M8 30L22 44L36 30L50 44L64 30L78 44L92 30Z" fill="#7d221c"/>'
    '<path d="M8 70L22 56L36 70L50 56L64 70L78 56L92 70Z" fill="#7d221c"/>'
)
PUSHER_SVG = (
    '<rect x="6" y="84" width="88" height="14" rx="4" fill="#2a62b8"/>'
    '<rect x="42" y="52" width="16" height="36" fill="#8fb4e8"/>'
    '<path d="M18 44H82V58H18Z" fill="#2a62b8"/><path d="M36 40L50 22L64 40Z" fill="#8fb4e8"/>'
)
START_SVG = (
    '<rect x="14" y="14" width="72" height="72" rx="10" fill="none" stroke="#e6e9ee" stroke-opacity="0.75" '
    'stroke-width="6" stroke-dasharray="16 10"/><path d="M40 26L50 12L60 26Z" fill="#e6e9ee"/>'
)
# A different outline for each seat; all are drawn facing north.
BODIES = (
    '<circle cx="50" cy="54" r="33" fill="{seat}" stroke="{dark}" stroke-width="6"/>',
    '<rect x="18" y="22" width="64" height="64" rx="9" fill="{seat}" stroke="{dark}" stroke-width="6"/>',
    '<path d="M50 17L83 36V72L50 91L17 72V36Z" fill="{seat}" stroke="{dark}" stroke-width="6"/>',
    '<path d="M50 14L88 54L50 94L12 54Z" fill="{seat}" stroke="{dark}" stroke-width="6"/>',
)
FACE = (
    '<path d="M34 30L50 4L66 30Z" fill="#ffffff" stroke="{dark}" stroke-width="5" stroke-linejoin="round"/>'
    '<circle cx="39" cy="48" r="8" fill="#ffffff"/><circle cx="61" cy="48" r="8" fill="#ffffff"/>'
    '<circle cx="39" cy="45" r="4" fill="#14181d"/><circle cx="61" cy="45" r="4" fill="#14181d"/>'
)
GLYPHS = ("▲▶▼◀", "△▷▽◁", "⇑⇒⇓⇐", "↑→↓←")


def belt_svg(way: int) -> str:
    return f'{FLOOR_SVG}<g transform="rotate({90 * way} 50 50)">{BELT_INSIDE}</g>'


def each_turn(glyphs: str) -> tuple[str, ...]:
    """Glyphs for the eight turns from four."""
    return tuple(glyph for glyph in glyphs for _ in range(2))


LOOKS = Looks(
    looks={
        "floor": Look(glyph="·", ascii=".", word="floor", svg=FLOOR_SVG, colour="#5b6673"),
        "pit": Look(glyph="○", ascii="o", word="pit", svg=PIT_SVG, colour="#d8a520"),
        "goal": Look(glyph="★", ascii="*", word="goal", svg=GOAL_SVG, colour="#66bb6a"),
        **{
            f"belt-{word}": Look(glyph="^>v<"[way], word=f"belt {word}", svg=belt_svg(way), colour="#f2c230")
            for way, word in enumerate(DIRECTIONS)
        },
        "gear-right": Look(
            glyph="↻", ascii=")", word="gear clockwise", svg=FLOOR_SVG + GEAR_INSIDE + CLOCKWISE, colour="#a5d6a7"
        ),
        "gear-left": Look(
            glyph="↺",
            ascii="(",
            word="gear anticlockwise",
            svg=FLOOR_SVG + GEAR_INSIDE + ANTICLOCKWISE,
            colour="#ffcc80",
        ),
        "crusher": Look(glyph="╬", ascii="#", word="crusher", svg=CRUSHER_SVG, colour="#e5534b"),
        "pusher": Look(glyph="╨", ascii="P", word="pusher", svg=PUSHER_SVG, colour="#8fb4e8", turned=each_turn("╨╞╥╡")),
        "start": Look(glyph="□", ascii="s", word="start", svg=START_SVG, colour="#e6e9ee"),
        **{
            f"robot{seat}": Look(
                glyph=GLYPHS[seat][0],
                ascii=name,
                word=f"robot {name}",
                svg=BODIES[seat] + FACE,
                turned=each_turn(GLYPHS[seat]),
            )
            for seat, name in enumerate(ROBOTS)
        },
    },
    ground={
        ".": "floor",
        "o": "pit",
        "*": "goal",
        ")": "gear-right",
        "(": "gear-left",
        "^": "belt-north",
        ">": "belt-east",
        "v": "belt-south",
        "<": "belt-west",
    },
    background="#1d2229",
)
