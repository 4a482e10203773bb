"""Hand-made scenes that use all a scene can hold; the games' own scenes come and go with their games."""

from __future__ import annotations

from turntile.core.scene import (
    Card,
    Choice,
    Edge,
    Gauge,
    Hand,
    Item,
    Items,
    Lines,
    Look,
    Looks,
    Mark,
    Part,
    Parts,
    Scene,
    Sprite,
)

LOOKS = Looks(
    looks={
        "floor": Look(glyph=" ", word="floor", svg=""),
        "wall": Look(
            glyph="█", word="wall", svg='<rect width="100" height="100" fill="#5b6570"/>', colour="#5b6570", ascii="X"
        ),
        "trail": Look(glyph="█", word="trail", svg='<rect x="18" y="18" width="64" height="64" fill="{dark}"/>'),
        "cycle": Look(
            glyph="◎",
            ascii="O",
            word="cycle",
            svg='<path d="M50 8 86 90 50 72 14 90z" fill="{seat}" stroke="{dark}" stroke-width="6"/>',
            turned=("▲", "▶", "▼", "◀"),
        ),
        "mine": Look(
            glyph="✱",
            ascii="*",
            word="landmine",
            colour="#d1495b",
            svg='<circle cx="50" cy="50" r="26" fill="#d1495b"/>',
        ),
    },
    ground={".": "floor", "#": "wall"},
)

ROOM = ("##########", "#........#", "#...##...#", "#........#", "#........#", "##########")


def race(turn: int = 0, seat: int = 0) -> Scene:
    """Two cycles drive towards each other, `turn` cells each, and leave trails."""
    sprites = [
        Sprite(id="cycle 0", look="cycle", x=1 + turn, y=3, turn=2, seat=0, layer=2, badge="7"),
        Sprite(id="cycle 1", look="cycle", x=8 - turn, y=4, turn=6, seat=1, layer=2),
        Sprite(id="mine", look="mine", x=4, y=1, layer=1),
    ]
    for passed in range(turn):
        sprites.append(Sprite(id=f"trail {1 + passed} 3", look="trail", x=1 + passed, y=3, seat=0))
        sprites.append(Sprite(id=f"trail {8 - passed} 4", look="trail", x=8 - passed, y=4, seat=1))
    return Scene(
        width=10,
        height=6,
        title=f"Turn {turn} <of & many>",
        ground=ROOM,
        sprites=tuple(sprites),
        marks=(Mark(x=2 + turn, y=3, kind="reachable", why="ahead"), Mark(x=4, y=1, kind="danger", why="mine <!>")),
        panels=(
            Gauge(label="Shield", value=7 - turn, maximum=10, seat=0),
            Lines(title="Blue & co", lines=("3 <squares>", "alive"), seat=0),
            Items(title="Bag", items=(Item(label="bomb", count=2), Item(label="key", selected=True)), seat=1),
        ),
        choices=(
            Choice(action="up", label="turn up", key="up", cell=(1 + turn, 2)),
            Choice(action="right", label="straight on", key="right", cell=(2 + turn, 3)),
            Choice(action="down", label="turn down", key="down", cell=(1 + turn, 4)),
            Choice(action="use bomb up", label="up", key="up", question="Which way?", group="throw bomb", item="bomb"),
            Choice(action="use bomb down", label="down", question="Which way?", group="throw bomb", item="bomb"),
        ),
    )


def hall() -> Scene:
    """A hall with walls between cells, a hand of cards and a loadout."""
    return Scene(
        width=5,
        height=4,
        title="Plan your program",
        ground=(".....",) * 4,
        sprites=(Sprite(id="robot", look="cycle", x=2, y=2, turn=0, seat=2, layer=1),),
        edges=(
            *(Edge(x=x, y=0, side="north") for x in range(5)),
            *(Edge(x=x, y=4, side="north") for x in range(5)),
            *(Edge(x=0, y=y, side="west") for y in range(4)),
            *(Edge(x=5, y=y, side="west") for y in range(4)),
            Edge(x=2, y=1, side="north"),
            Edge(x=3, y=1, side="west"),
            Edge(x=3, y=2, side="west"),
        ),
        panels=(
            Hand(
                title="Your cards",
                cards=tuple(
                    Card(word=str(n), label=label) for n, label in ((3, "turn right"), (50, "move 1"), (70, "move 2"))
                ),
                slots=2,
                seat=2,
            ),
            Parts(
                title="Loadout",
                parts=(
                    Part(label="engine 1", cost=2, installed=True),
                    Part(label="gun", cost=2, action="install gun"),
                    Part(label="radar 3", cost=6, detail="12x12"),
                ),
                used=2,
                budget=10,
                seat=2,
            ),
        ),
    )
