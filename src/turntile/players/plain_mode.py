"""Plain mode: for first lessons and shells. A word at the start of each line says what it is; the bot prints an action.

newgame tron seat 0 of 2
turn 1                     the step
heard TEXT                 what happened since, a line each
board ROW                  the board as this seat sees it, a line each
view JSON                  the same as data
legal ACTION               a line each
go                         now: print the action
end PLACE POINTS REASON
quit
"""

from __future__ import annotations

import msgspec

from turntile.core.game import Outcome
from turntile.core.scene import Look, Looks, Scene
from turntile.players.guests import Opening, Question


def newgame(opening: Opening) -> bytes:
    return f"newgame {opening.match.game.name} seat {opening.seat} of {len(opening.players)}\n".encode()


def turn(question: Question, step: int) -> bytes:
    game = question.match.game
    lines = [f"turn {step}", *(f"heard {one_line(line)}" for line in question.heard)]
    if question.refused:
        lines.append(f"refused {one_line(question.refused)}")
    lines += [f"board {row}" for row in draw(game.scene(question.view, ()), game.looks)]
    lines.append(f"view {msgspec.json.encode(question.view).decode()}")
    lines += [f"legal {action}" for action in question.legal]
    return ("\n".join([*lines, "go"]) + "\n").encode()


def end(outcome: Outcome) -> bytes:
    places = " ".join(map(str, outcome.places))
    scores = " ".join(map(str, outcome.scores))
    return f"end places {places} scores {scores} {one_line(outcome.reason)}\n".encode()


def one_line(text: str) -> str:
    return " ".join(text.split())


def draw(scene: Scene, looks: Looks) -> list[str]:
    """A character a cell: what lies on top, else the ground."""
    rows = [[ground_sign(char, looks) for char in row.ljust(scene.width)] for row in scene.ground]
    rows += [[" "] * scene.width for _ in range(scene.height - len(rows))]
    for sprite in sorted(scene.sprites, key=lambda sprite: sprite.layer):
        if 0 <= sprite.x < scene.width and 0 <= sprite.y < scene.height:
            rows[sprite.y][sprite.x] = sign(looks.looks[sprite.look])
    return ["".join(row) for row in rows]


def ground_sign(char: str, looks: Looks) -> str:
    return sign(looks.looks[looks.ground[char]]) if char in looks.ground else char


def sign(look: Look) -> str:
    return (look.ascii or look.glyph)[:1] or " "
