"""Robot fight's table of contents."""

from __future__ import annotations

from turntile.core.game import Game
from turntile.games.robots import rules
from turntile.games.robots.bots import BOTS
from turntile.games.robots.options import Options, prepare
from turntile.games.robots.records import SAID
from turntile.games.robots.scene import LOOKS, scene
from turntile.games.robots.view import view
from turntile.games.robots.words import (
    error_key,
    message_of,
    narrate,
    parse,
    read_position,
    reason,
    refusal,
    spell,
    write_position,
)

GAME = Game(
    name="robots",
    title="Robot fight",
    summary="Build a robot of ten slots, then find the others with your radar and destroy them.",
    rules=rules,
    root=rules.Robots,
    rules_version=1,
    players=(2, rules.MAX_SEATS),
    options=Options,
    prepare=prepare,
    parse=parse,
    spell=spell,
    refusal=refusal,
    narrate=narrate,
    reason=reason,
    write_position=write_position,
    read_position=read_position,
    view=view,
    scene=scene,
    looks=LOOKS,
    bots=BOTS,
    planes=(
        "seen empty",
        "seen obstacles",
        "seen robots",
        "seen mines",
        "1 + turns ended since it was seen",
        "own mines",
        "own robot: HP",
        "figures: phase, turn of, started, moves left, shot used, message sent, loading, mines left, own parts, ...",
    ),
    draws=True,
    hidden=True,
    error_key=error_key,
    note_of=message_of,
    remove=rules.remove,
    note_event=SAID,
)
