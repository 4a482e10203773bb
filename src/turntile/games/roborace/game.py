"""RoboRace's table of contents."""

from __future__ import annotations

from turntile.core.game import Game
from turntile.games.roborace import rules
from turntile.games.roborace.bots import BOTS
from turntile.games.roborace.looks import LOOKS
from turntile.games.roborace.options import Options, prepare
from turntile.games.roborace.records import MAX_SEATS, RoboRace
from turntile.games.roborace.scene import preview, scene, stages
from turntile.games.roborace.view import view
from turntile.games.roborace.words import (
    narrate,
    parse,
    read_position,
    reason,
    refusal,
    spell,
    write_position,
)

GAME = Game(
    name="roborace",
    title="RoboRace",
    summary="Program a robot with five of seven cards and be first at the goal of a moving factory hall.",
    rules=rules,
    root=RoboRace,
    rules_version=1,
    players=(1, MAX_SEATS),
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
    stages=stages,
    preview=preview,
    looks=LOOKS,
    bots=BOTS,
    planes=(
        "pits",
        "goals",
        "gears clockwise",
        "gears anticlockwise",
        "belts: direction + 1",
        "walls: bits north, east, south, west",
        "crushers: bits of the phases",
        "pushers: direction + 1",
        "pushers: bits of the phases",
        "starts: number",
        "own robot: facing + 1",
        "other robots: facing + 1",
        "robots: seat + 1",
        *(f"own hand, card {place}: priority" for place in range(1, 8)),
    ),
    draws=True,
    hidden=True,
)
