"""SEWorms as a picture: the map from the side, and aiming helped by what the rules foresee.

Every choice of a shot says what it would hit and how many HP that costs, and its target is
marked; steps and teleports say where one would land and what the fall would cost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from turntile.core.scene import Choice, Gauge, Item, Items, Lines, Mark, Panel, Scene, Sprite
from turntile.games.worms.foresight import Cell, Foreseen, Foresight
from turntile.games.worms.looks import LOOKS as LOOKS
from turntile.games.worms.records import FULL_HP
from turntile.games.worms.view import View, WormView
from turntile.games.worms.words import CHOICE_WORDS, DIRECTIONS

LAYER_CHEST = 1
LAYER_WORM = 2
LAYER_POINTER = 3

QUESTION = "What now?"
DIRECTION_KEYS = dict(zip(DIRECTIONS, "wedcxzaq", strict=True))  # around the letter s, as on the keyboard
WEAPON_KEYS = dict(zip(CHOICE_WORDS, "gbtfmk", strict=True))
ARROWS = dict(zip(DIRECTIONS, "↑↗→↘↓↙←↖", strict=True))
# What a field shows of the ground: 1 earth and 2 water, and 4 more where the field above it is open to the sky.
KIND_OF_FIELD = bytes({ord("E"): 1, ord("W"): 2}.get(sign, 0) for sign in range(256))
OPEN_ABOVE = bytes(4 if sign in b" ~*#" else 0 for sign in range(256))
GROUND_SIGNS = b" EW? TW?".ljust(256, b"?")
STEP_KEYS = {"move l 1": "left", "move r 1": "right"}


def scene(view: View, legal: Sequence[str]) -> Scene:
    mine = view.seat is not None and not view.over and view.player == view.seat + 1
    foreseen = foresee(view, legal) if mine else {}
    return Scene(
        width=view.width,
        height=view.height,
        title=title(view),
        ground=ground(view),
        sprites=(*chest_sprites(view), *worm_sprites(view)),
        marks=tuple(marks(view, foreseen)),
        panels=tuple(panels(view)),
        choices=tuple(choices(view, foreseen)),
        focus=None if view.over else (acting(view).col, acting(view).row),
    )


def foresee(view: View, legal: Sequence[str]) -> dict[str, Foreseen]:
    """What each legal action would do; where they are too many to be listed, each sensible one."""
    foresight = Foresight(view)
    return {text: foresight.of(text) for text in legal or foresight.sensible()}


def aiming_first(foreseen: dict[str, Foreseen]) -> list[tuple[str, Foreseen]]:
    """A cell that an action aims at and a step leads to stands for the action."""
    return sorted(foreseen.items(), key=lambda item: item[0].startswith("move"))


def acting(view: View) -> WormView:
    return view.worms[view.worm - 1]


def title(view: View) -> str:
    if view.over:
        return f"Player {view.winner} wins" if view.winner else "A draw"
    limit = f" of {view.turn_limit}" if view.turn_limit else ""
    worm = acting(view)
    return f"Turn {view.turn + 1}{limit}: player {view.player}, {worm.name} ({worm.id}) with the {view.weapon}"


def ground(view: View) -> tuple[str, ...]:
    """Earth under the open sky is turf."""
    fields = "".join(view.map).encode("ascii")
    above = (b" " * view.width + fields)[: len(fields)]
    # One large number says of all fields at once what they are and whether the sky above is open.
    both = int.from_bytes(fields.translate(KIND_OF_FIELD)) | int.from_bytes(above.translate(OPEN_ABOVE))
    drawn = both.to_bytes(len(fields)).translate(GROUND_SIGNS).decode("ascii")
    return tuple([drawn[at : at + view.width] for at in range(0, len(drawn), view.width)])


def chest_sprites(view: View) -> Iterator[Sprite]:
    """A chest is known by its column and its place in the column's pile, so that a fall can be animated."""
    piles: dict[int, int] = {}
    for chest in reversed(view.chests):
        piles[chest.col] = piles.get(chest.col, 0) + 1
        yield Sprite(
            id=f"chest-{chest.col}-{piles[chest.col]}",
            look="chest",
            x=chest.col,
            y=chest.row,
            layer=LAYER_CHEST,
            badge=chest.holds[:1],
        )


def worm_sprites(view: View) -> Iterator[Sprite]:
    for worm in view.worms:
        if worm.hp > 0:
            seat = worm.player - 1
            yield Sprite(
                id=f"worm-{worm.id}",
                look=f"worm{seat}",
                x=worm.col,
                y=worm.row,
                seat=seat,
                layer=LAYER_WORM,
                badge=str(worm.hp),
            )
    worm = acting(view)
    if not view.over and worm.row > 0 and view.map[worm.row - 1][worm.col] == " ":
        yield Sprite(id="pointer", look="pointer", x=worm.col, y=worm.row - 1, layer=LAYER_POINTER)


def marks(view: View, foreseen: dict[str, Foreseen]) -> Iterator[Mark]:
    """Targets of the chosen weapon, fields one can come to, and what of it is dangerous."""
    marked: set[Cell] = set()
    for text, what in aiming_first(foreseen):
        why = f"{text}: {what.words}" if what.words else text
        for mark in hit_marks(what, why) if what.hits else place_marks(view, text, what, why):
            if (mark.x, mark.y) not in marked:
                marked.add((mark.x, mark.y))
                yield mark


def hit_marks(what: Foreseen, why: str) -> Iterator[Mark]:
    """The target of a shot, and what else it reaches."""
    for place, (x, y) in enumerate(what.hits):
        yield Mark(x, y, "danger" if what.harms_own else "target" if place == 0 else "range", why)


def place_marks(view: View, text: str, what: Foreseen, why: str) -> Iterator[Mark]:
    """Where a walk or a teleport leads."""
    cell = aimed_cell(view, text, what)
    if cell is not None and (text.startswith("move") or len(text.split()) == 3):
        yield Mark(*cell, "danger" if what.harms_own else "reachable", why)


def aimed_cell(view: View, text: str, what: Foreseen) -> Cell | None:
    """The cell that stands for an action: what a click on it means."""
    words = text.split()
    if words[0] == "move":
        if what.end is not None:
            return what.end if what.end != (acting(view).col, acting(view).row) else None
        beside = acting(view).col + (1 if words[1] == "r" else -1)
        return (beside, acting(view).row) if 0 <= beside < view.width else None
    if len(words) == 3:
        return int(words[1]), int(words[2])
    return what.hits[0] if what.hits else None


def panels(view: View) -> Iterator[Panel]:
    for player in (1, 2):
        team = [worm for worm in view.worms if worm.player == player]
        left = sum(worm.hp > 0 for worm in team)
        total = sum(worm.hp for worm in team)
        yield Lines(f"Player {player}", (f"{left} of {len(team)} worms, {total} HP",), seat=player - 1)
        for worm in team:
            if worm.hp > 0:
                turn = ", to act" if worm.id == view.worm and not view.over else ""
                yield Gauge(f"{worm.name} ({worm.id}){turn}", worm.hp, FULL_HP, seat=player - 1)
    if view.over:
        return
    worm = acting(view)
    yield Items(
        title=f"Weapons of {worm.name}",
        items=tuple(
            Item(
                word,
                count=worm.ammunition.get(word, 1),
                detail="never empty" if word == "gun" else "",
                selected=word == view.weapon,
            )
            for word in CHOICE_WORDS
            if word == "gun" or worm.ammunition[word] > 0
        ),
        seat=view.player - 1,
    )


def choices(view: View, foreseen: dict[str, Foreseen]) -> Iterator[Choice]:
    """Walk, choose, act: the next step is asked for, many alike stand in a group of their own."""
    clicked: dict[Cell, str] = {}  # a cell means the first action that it stands for
    for text, what in aiming_first(foreseen):
        cell = aimed_cell(view, text, what)
        if cell is not None:
            clicked.setdefault(cell, text)
    cells = {text: cell for cell, text in clicked.items()}
    for text, what in foreseen.items():
        yield choice(text, what, cells.get(text))


def choice(text: str, what: Foreseen, cell: Cell | None) -> Choice:
    words = text.split()
    tail = f": {what.words}" if what.words else ""
    if words[0] == "move":
        side = "left" if words[1] == "l" else "right"
        label = f"walk {words[2]} {side}{tail}"
        if text in STEP_KEYS:
            return Choice(text, label, key=STEP_KEYS[text], question=QUESTION, cell=cell)
        return Choice(text, label, question="How far?", group="walk", cell=cell)
    if words[0] == "choose":
        key = WEAPON_KEYS[words[1]]
        return Choice(text, f"take the {words[1]}", key=key, question=QUESTION, item=words[1])
    if len(words) == 1:
        return Choice(text, f"swing{tail}", key="space", question=QUESTION, cell=cell)
    if words[1] == "idle":
        return Choice(text, "idle", key="i", question=QUESTION)
    if words[1] in DIRECTIONS:
        label = f"shoot {ARROWS[words[1]]} {words[1]}{tail}"
        return Choice(text, label, key=DIRECTION_KEYS[words[1]], question=QUESTION, cell=cell)
    if len(words) == 2:
        return Choice(text, f"column {words[1]}{tail}", question="Which column?", group="strike", cell=cell)
    return Choice(text, f"({words[2]}, {words[1]}){tail}", question="Where to?", group="teleport", cell=cell)
