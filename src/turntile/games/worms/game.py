"""SEWorms' table of contents."""

from __future__ import annotations

from turntile.core.game import Game
from turntile.games.worms import rules
from turntile.games.worms.bots import BOTS
from turntile.games.worms.options import Options, prepare
from turntile.games.worms.positions import read_position, write_position
from turntile.games.worms.records import MAX_SEATS, Worms
from turntile.games.worms.scene import LOOKS, scene
from turntile.games.worms.view import view
from turntile.games.worms.words import error_key, narrate, parse, reason, refusal, spell

GAME = Game(
    name="worms",
    title="SEWorms",
    summary="Two teams of worms on an island seen from the side, with gravity, chests and six weapons.",
    rules=rules,
    root=Worms,
    rules_version=1,
    players=(MAX_SEATS, MAX_SEATS),
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
        "earth",
        "water",
        "chests",
        "own worms: HP",
        "other worms: HP",
        "bazookas carried",
        "teleporters carried",
        "blowtorches carried",
        "melee weapons carried",
        "airstrikes carried",
        "the worm to act: chosen weapon + 1",
        "the worm to act: 1, or 2 if it has moved",
    ),
    draws=True,
    hidden=True,
    error_key=error_key,
    list_legal_up_to=1000,
)
