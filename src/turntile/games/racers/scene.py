"""Rowdy Racers as a picture: a view and its legal actions to sprites, marks, panels and choices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from turntile.core.scene import Choice, Gauge, Item, Items, Lines, Look, Looks, Mark, Panel, Scene, Sprite
from turntile.games.racers.records import ACTIONS_A_TURN
from turntile.games.racers.view import RacerView, Square, Throw, View

FLOOR = '<rect width="100" height="100" fill="#1b2430"/><rect x="3" y="3" width="94" height="94" fill="#222d3b"/>'
BOLT = '<path d="M56 14 L30 56 L48 56 L42 86 L70 42 L51 42 Z" fill="{}" opacity="0.55"/>'
DARK_FLOOR = '<rect width="100" height="100" fill="#0b0d10"/>'

LOOKS = Looks(
    looks={
        "floor": Look(glyph="·", ascii=".", word="floor", svg=FLOOR, colour="#3d4c60"),
        "dark1": Look(
            glyph="-", word="no power for this turn", svg=DARK_FLOOR + BOLT.format("#4a4526"), colour="#6b6330"
        ),
        "dark2": Look(
            glyph="=", word="no power for 2 turns", svg=DARK_FLOOR + BOLT.format("#7a6f2c"), colour="#8f8336"
        ),
        "dark3": Look(
            glyph="≡", ascii="%", word="no power for 3 turns", svg=DARK_FLOOR + BOLT.format("#b8a42f"), colour="#b8a42f"
        ),
        "wall": Look(
            glyph="█",
            ascii="#",
            word="wall",
            svg='<rect width="100" height="100" fill="#566172"/>'
            '<path d="M0 33H100M0 66H100M50 0V33M25 33V66M75 33V66M50 66V100"'
            ' stroke="#39424f" stroke-width="6"/>',
            colour="#8a97a8",
        ),
        "start": Look(
            glyph="⌂",
            ascii="S",
            word="start",
            svg='<rect x="8" y="8" width="84" height="84" fill="none" stroke="{seat}"'
            ' stroke-width="8" stroke-dasharray="16 10"/>',
        ),
        "teleporter": Look(
            glyph="◎",
            ascii="O",
            word="teleporter",
            svg='<circle cx="50" cy="50" r="38" fill="none" stroke="#a36bff" stroke-width="9"/>'
            '<circle cx="50" cy="50" r="20" fill="none" stroke="#c9a8ff" stroke-width="7"/>'
            '<circle cx="50" cy="50" r="6" fill="#e6d8ff"/>',
            colour="#b48aff",
        ),
        "trail": Look(
            glyph="▒",
            ascii="~",
            word="light trail",
            svg='<rect x="12" y="12" width="76" height="76" rx="14" fill="{dark}"/>'
            '<rect x="28" y="28" width="44" height="44" rx="8" fill="{seat}" opacity="0.8"/>',
        ),
        "racer": Look(
            glyph="●",
            ascii="@",
            word="racer",
            svg='<circle cx="50" cy="50" r="42" fill="{dark}"/><circle cx="50" cy="50" r="33" fill="{seat}"/>'
            '<path d="M28 44 Q50 26 72 44 L68 58 Q50 46 32 58 Z" fill="#0e1218"/>',
        ),
        "grenade": Look(
            glyph="♦",
            ascii="g",
            word="light grenade",
            svg='<circle cx="50" cy="58" r="28" fill="#e9c46a"/>'
            '<rect x="42" y="16" width="16" height="18" fill="#b08d36"/>'
            '<path d="M58 20 q22 0 20 22" stroke="#fff3cf" stroke-width="6" fill="none"/>',
            colour="#e9c46a",
        ),
        "armed": Look(
            glyph="¤",
            ascii="*",
            word="active light grenade",
            svg='<circle cx="50" cy="50" r="26" fill="{seat}"/>'
            '<path d="M50 4V24M50 76V96M4 50H24M76 50H96M18 18L32 32M68 68L82 82'
            'M82 18L68 32M32 68L18 82" stroke="#ff5d5d" stroke-width="8"/>',
        ),
        "debris": Look(
            glyph="∴",
            ascii="x",
            word="exploded grenade",
            svg='<path d="M22 70l10-14 12 10zM52 78l6-18 16 12zM34 36l14-8 4 16zM64 40l12-10 6 14z" fill="#6c6f76"/>',
            colour="#7d8189",
        ),
        "disc": Look(
            glyph="◇",
            ascii="d",
            word="identity disc",
            svg='<circle cx="50" cy="50" r="30" fill="none" stroke="#7de2ff" stroke-width="10"/>'
            '<circle cx="50" cy="50" r="10" fill="#7de2ff"/>',
            colour="#7de2ff",
        ),
        "charged": Look(
            glyph="◆",
            ascii="c",
            word="charged identity disc",
            svg='<circle cx="50" cy="50" r="32" fill="#ff9d4d"/><circle cx="50" cy="50" r="20" fill="#22180d"/>'
            '<path d="M54 30L40 54H50L46 70L62 46H51Z" fill="#ffd9a8"/>',
            colour="#ff9d4d",
        ),
    },
    ground={".": "floor", "1": "dark1", "2": "dark2", "3": "dark3", "#": "wall"},
    background="#10151c",
)

STEPS = {
    "u": (0, -1),
    "ur": (1, -1),
    "r": (1, 0),
    "dr": (1, 1),
    "d": (0, 1),
    "dl": (-1, 1),
    "l": (-1, 0),
    "ul": (-1, -1),
}
MOVE_KEYS = {"u": "up", "r": "right", "d": "down", "l": "left", "ul": "q", "ur": "e", "dl": "z", "dr": "c"}
MOVE_LABELS = {
    "u": "up",
    "ur": "up right",
    "r": "right",
    "dr": "down right",
    "d": "down",
    "dl": "down left",
    "l": "left",
    "ul": "up left",
}
PICK_KEYS = {"grenade": "g", "disc": "d", "charged": "h"}
ITEM_LABELS = {"grenade": "light grenade", "disc": "identity disc", "charged": "charged identity disc"}
DARK_SIGNS = "0123"  # by the turns without power

WHAT_NOW = "What do you do?"
WHICH_DIRECTION = "In which direction?"


def scene(view: View, legal: Sequence[str]) -> Scene:
    return Scene(
        width=view.width,
        height=view.height,
        title=title(view),
        ground=ground(view),
        sprites=tuple(sprites(view)),
        marks=tuple(marks(view, legal)),
        panels=tuple(panels(view)),
        choices=tuple(choices(view, legal)),
        focus=focus(view),
    )


def focus(view: View) -> Square:
    """Large grids are shown around one's own racer, or around the one to act."""
    seat = view.seat if view.seat is not None else max(view.to_act, 0)
    return view.racers[seat].at


def preview(view: View, text: str) -> tuple[Mark, ...]:
    """What a move or throw would do, from its text or the text's beginning: `use disc` shows all four flights."""
    words = text.lower().split()
    if view.to_act < 0 or len(words) < 2:
        return ()
    here = view.racers[view.to_act]
    if words[0] == "move" and words[1] in STEPS:
        x, y = target(here.at, f"move {words[1]}")
        if not (0 <= x < view.width and 0 <= y < view.height):
            return ()
        exits = {teleporter.at: teleporter.to for teleporter in view.teleporters}
        hop = (Mark(*exits[x, y], "target", "the teleporter leads here"),) if (x, y) in exits else ()
        return (Mark(x, y, "path" if hop else "target", text), *hop)
    if words[0] == "use":
        held = [word for word, count in kinds_held(here) if count]
        kind = held[int(words[1]) - 1] if words[1] in ("1", "2", "3")[: len(held)] else words[1]
        return tuple(
            mark
            for throw in view.throws
            if throw.kind == kind and throw.direction.startswith(" ".join(words[2:]))
            for mark in flight_marks(throw)
        )
    return ()


def flight_marks(throw: Throw) -> Iterator[Mark]:
    why = f"use {throw.kind} {throw.direction}"
    for square in throw.squares:
        yield Mark(*square, "target" if square == throw.rest else "path", why)


def title(view: View) -> str:
    if view.to_act < 0:
        return view.ended[0].upper() + view.ended[1:]
    left = f"{view.actions_left} action{'s' * (view.actions_left != 1)} left"
    return f"Turn {view.turn}: player {view.to_act + 1}, {left}"


def ground(view: View) -> tuple[str, ...]:
    width = view.width
    signs = ["."] * (width * view.height)
    for dark in view.dark:
        x, y = dark.at
        signs[y * width + x] = DARK_SIGNS[dark.turns]
    for x, y in view.walls:
        signs[y * width + x] = "#"
    drawn = "".join(signs)
    return tuple([drawn[at : at + width] for at in range(0, len(drawn), width)])


def sprites(view: View) -> Iterator[Sprite]:
    for seat, racer in enumerate(view.racers):
        yield Sprite(f"start-{seat}", "start", *racer.start, seat=seat)
    names = {teleporter.at: letters(number) for number, teleporter in enumerate(view.teleporters)}
    for teleporter in view.teleporters:
        badge = f"{names[teleporter.at]}>{names[teleporter.to]}"
        yield Sprite(f"teleporter-{names[teleporter.at]}", "teleporter", *teleporter.at, layer=1, badge=badge)
    for look, places in (("debris", view.debris), ("grenade", view.grenades), ("charged", view.charged)):
        for x, y in places:
            # There is one charged disc, so screens may show it fly; grenades do not move.
            yield Sprite(look if look == "charged" else f"{look}-{x}-{y}", look, x, y, layer=2)
    for disc in view.discs:
        badge = str(disc.count) if disc.count > 1 else ""
        yield Sprite(f"disc-{disc.at[0]}-{disc.at[1]}", "disc", *disc.at, layer=2, badge=badge)
    for grenade in view.armed:
        yield Sprite(f"armed-{grenade.at[0]}-{grenade.at[1]}", "armed", *grenade.at, seat=grenade.owner, layer=2)
    for seat, racer in enumerate(view.racers):
        for square in racer.trail:
            x, y = square.at
            yield Sprite(f"trail-{seat}-{x}-{y}", "trail", x, y, seat=seat, layer=3, badge=str(square.age))
        yield Sprite(f"racer-{seat}", "racer", *racer.at, seat=seat, layer=4)


def letters(number: int) -> str:
    """A, B ... Z, AA, AB ...: a short name for a teleporter."""
    name = chr(ord("A") + number % 26)
    return name if number < 26 else letters(number // 26 - 1) + name


def marks(view: View, legal: Sequence[str]) -> Iterator[Mark]:
    """Where the racer to act may go, and how far his discs would fly."""
    if not legal:
        return
    here = view.racers[view.to_act]
    hit = {throw.rest for throw in view.throws if throw.hits == 1 - view.to_act}
    for action in legal:
        if action.startswith("move "):
            x, y = target(here.at, action)
            yield Mark(x, y, "reachable", action)
    seen: set[tuple[Square, str]] = set()
    for throw in view.throws:
        for square in throw.squares:
            if (square, throw.kind) not in seen:
                seen.add((square, throw.kind))
                why = f"use {throw.kind} {throw.direction}"
                yield Mark(*square, "target" if square in hit else "range", why)


def target(at: Square, action: str) -> Square:
    x, y = STEPS[action.removeprefix("move ")]
    return at[0] + x, at[1] + y


def panels(view: View) -> Iterator[Panel]:
    for seat, racer in enumerate(view.racers):
        you = " (you)" if view.seat == seat else ""
        name = f"Player {seat + 1}{you}"
        if view.to_act == seat:
            yield Gauge(f"{name}: actions left", view.actions_left, ACTIONS_A_TURN, seat)
        yield Items(f"{name}: inventory", tuple(held_items(racer)), seat)
        troubles = tuple(trouble(racer))
        if troubles:
            yield Lines(name, troubles, seat)
    if view.teleporters:
        names = {teleporter.at: letters(number) for number, teleporter in enumerate(view.teleporters)}
        lines = tuple(f"{names[t.at]} {t.at} leads to {names[t.to]} {t.to}" for t in view.teleporters)
        yield Lines("Teleporters", lines)


def held_items(racer: RacerView) -> Iterator[Item]:
    """A11: numbered from 1, the kinds that are held, in a fixed order: `use 2 up` means the second one."""
    number = 1
    for word, count in kinds_held(racer):
        if count:
            yield Item(ITEM_LABELS[word], count, detail=str(number))
            number += 1


def kinds_held(racer: RacerView) -> tuple[tuple[str, int], ...]:
    return ("grenade", racer.grenades), ("disc", racer.discs), ("charged", racer.charged)


def trouble(racer: RacerView) -> Iterator[str]:
    if racer.skips:
        yield f"skips {racer.skips} turn{'s' * (racer.skips != 1)}"
    if racer.penalty:
        yield f"loses {racer.penalty} action{'s' * (racer.penalty != 1)}"


def choices(view: View, legal: Sequence[str]) -> Iterator[Choice]:
    for action in legal:
        verb, *rest = action.split()
        if verb == "move":
            where = target(view.racers[view.to_act].at, action)
            yield Choice(action, f"move {MOVE_LABELS[rest[0]]}", MOVE_KEYS[rest[0]], WHAT_NOW, cell=where)
        elif verb == "pick":
            label = f"pick up the {ITEM_LABELS[rest[0]]}"
            yield Choice(action, label, PICK_KEYS[rest[0]], WHAT_NOW, item=ITEM_LABELS[rest[0]])
        elif verb == "end":
            yield Choice(action, "end the turn", "space", WHAT_NOW)
        elif rest == ["grenade"]:
            label = ITEM_LABELS["grenade"]
            yield Choice(action, f"use a {label} here", "u", WHAT_NOW, item=label)
        else:
            label = ITEM_LABELS[rest[0]]
            yield Choice(action, rest[1], rest[1], WHICH_DIRECTION, group=f"use the {label}", item=label)
