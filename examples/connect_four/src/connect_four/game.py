"""Connect Four: the table of contents."""

from __future__ import annotations

from connect_four import bots, options, rules, scene, view, words
from turntile.core.game import Game

GAME = Game(
    name="connect_four",
    title="Connect Four",
    summary="Drop stones into columns; four in a line win.",
    rules=rules,
    root=rules.ConnectFour,
    rules_version=1,
    players=(2, 2),
    draws=True,
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
    planes=("own stones", "the other's stones"),
)
