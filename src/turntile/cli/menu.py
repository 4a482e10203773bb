"""`turntile menu`: games in the terminal. Lines in, lines out, so that it works everywhere."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from textwrap import fill

from turntile.cli.listing import say_players
from turntile.cli.play import play_match
from turntile.cli.start import Request
from turntile.cli.streams import wants_colour
from turntile.core.errors import TurntileError
from turntile.core.game import Game
from turntile.core.registry import games
from turntile.players.seats import HUMAN, default_opponent

DONE = 0
STOPPED = 130
INDENT = " " * 5


class Leave(Exception):
    """The person has seen enough."""


def choose_and_play() -> int:
    """Choose a game and an opponent, play, and choose again."""
    known = list(games().values())
    if not known:
        print("there are no games installed")
        return DONE
    try:
        while True:
            code = play_chosen(choose_game(known))
            if code == STOPPED:
                print()
    except Leave:
        return DONE


def choose_game(known: Sequence[Game]) -> Game:
    print(bold("Turntile") + ": turn-based games on a grid\n")
    for number, game in enumerate(known, 1):
        print(f"  {bold(str(number))}  {bold(game.title)}, {say_players(game)}")
        print(fill(game.summary, shutil.get_terminal_size().columns, initial_indent=INDENT, subsequent_indent=INDENT))
    print()
    while True:
        answer = ask("which game? (its number; q quits) ", one_key=len(known) < 10)
        for number, game in enumerate(known, 1):
            if answer.lower() in (str(number), game.name, game.title.lower()):
                return game
        print(f"{answer!r} is none of them: say 1 to {len(known)}")


def play_chosen(game: Game) -> int:
    """An opponent, the options if he likes, and the match."""
    opponents = choose_opponents(game)
    settings: list[str] = []
    while True:
        answer = ask("Enter starts; KEY=VALUE changes an option, ? lists them, q quits: ")
        if answer == "?":
            from turntile.cli.listing import whole_lines

            print("\n".join(whole_lines(game)))
        elif answer:
            settings.append(answer)
        else:
            break
    try:
        return play_match(Request(game=game.name, seats=(HUMAN, *opponents), settings=settings), None, False)
    except TurntileError as refusal:
        print(f"turntile: {refusal}")
        return DONE


def choose_opponents(game: Game) -> list[str]:
    """One opponent; further seats, if the options ask for them, are filled with bots."""
    if game.players[1] == 1:
        return []
    usual = default_opponent(game)
    choices = [(kind.name, kind.summary) for kind in game.bots]
    choices.append((HUMAN, "another person at this keyboard"))
    if game.players[0] == 1:
        choices.append(("", "nobody: play alone"))
    print()
    for number, (name, summary) in enumerate(choices, 1):
        print(f"  {bold(str(number))}  {name or 'alone':12} {summary}")
    print()
    while True:
        answer = ask(f"against whom? (Enter: {usual}; q quits) ", one_key=len(choices) < 10) or usual
        for number, (name, _) in enumerate(choices, 1):
            if answer.lower() in (str(number), name or "alone"):
                return [name] if name else []
        print(f"{answer!r} is none of them: say 1 to {len(choices)}")


def ask(question: str, one_key: bool = False) -> str:
    """A line without the blanks around it, or just a digit's key; q and the end of input leave."""
    sys.stdout.write(question)
    sys.stdout.flush()
    line = read_digit_or_line() if one_key else sys.stdin.readline()
    if not line:
        print()
        raise Leave
    answer = line.strip()
    if answer.lower() in ("q", "quit", "exit"):
        raise Leave
    return answer


def read_digit_or_line() -> str:
    """On a terminal a digit is an answer by itself; whatever else is typed goes on to the end of its line."""
    if not sys.stdin.isatty() or sys.platform == "win32":
        return sys.stdin.readline()
    import termios
    import tty

    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    try:
        tty.setcbreak(keyboard, termios.TCSANOW)  # what was typed ahead is not thrown away
        key = os.read(keyboard, 1).decode(errors="replace")
    finally:
        termios.tcsetattr(keyboard, termios.TCSANOW, before)
    if key in ("", "\x04"):  # Ctrl-D
        return ""
    sys.stdout.write(key)
    sys.stdout.flush()
    if key.isdigit() or key == "q":
        print()
        return key
    return key if key == "\n" else key + sys.stdin.readline()


def bold(text: str) -> str:
    return f"\x1b[1m{text}\x1b[0m" if wants_colour() else text
