"""Tron's table of contents."""

from __future__ import annotations

from turntile.core.game import Game
from turntile.games.tron import rules
from turntile.games.tron.bots import BOTS
from turntile.games.tron.options import Options, prepare
from turntile.games.tron.records import MAX_SEATS, Tron
from turntile.games.tron.scene import LOOKS, scene
from turntile.games.tron.view import view
from turntile.games.tron.words import (
    narrate,
    parse,
    read_position,
    reason,
    refusal,
    spell,
    write_position,
)

GAME = Game(
    name="tron",
    title="Tron",
    summary="Light cycles leave walls of light behind them; the last one that has not crashed wins.",
    rules=rules,
    root=Tron,
    rules_version=1,
    players=(2, MAX_SEATS),
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
        "walls",
        "own trail",
        "others' trails",
        "grey trails",
        "powerups",
        "own cycle: heading + 1",
        "other cycles: heading + 1",
        "powerup held",
        "invincible moves left",
    ),
    draws=True,
    hidden=True,
    turn_ms=200,
)
