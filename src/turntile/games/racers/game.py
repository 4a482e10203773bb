"""Rowdy Racers: the folder's table of contents."""

from __future__ import annotations

from turntile.core.game import Game
from turntile.games.racers import bots, options, rules, scene, view, words
from turntile.games.racers.records import Racers

GAME = Game(
    name="racers",
    title="Rowdy Racers",
    summary="Three actions a turn: reach the other's start past light trails, dark squares and hidden grenades.",
    rules=rules,
    root=Racers,
    rules_version=1,
    players=(2, 2),
    options=options.Options,
    prepare=options.prepare,
    parse=words.parse,
    spell=words.spell,
    refusal=words.refusal,
    narrate=words.narrate,
    reason=words.reason,
    write_position=words.write_position,
    read_position=words.read_position,
    view=view.view,
    scene=scene.scene,
    looks=scene.LOOKS,
    bots=bots.BOTS,
    planes=(
        "walls",
        "teleporters: column of the destination, from 1",
        "teleporters: row of the destination, from 1",
        "turns without power, this one included",
        "inactive grenades",
        "discs",
        "charged disc",
        "own racer",
        "other racer",
        "own goal",
        "other's goal",
        "own trail: 3 newest to 1 oldest",
        "other's trail: 3 newest to 1 oldest",
        "grenades held, at each racer",
        "discs held, at each racer",
        "charged discs held, at each racer",
        "actions to be lost, at each racer",
        "turns to be skipped, at each racer",
        "actions left, at the racer whose turn it is",
    ),
    draws=True,
    hidden=True,
    preview=scene.preview,
)
