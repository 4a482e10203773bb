"""`turntile play`: a match with people, on the terminal's screen or in plain lines."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

from turntile.cli.interrupts import CtrlC
from turntile.cli.run import outcome_lines
from turntile.cli.start import Plan, Request, finish, make_plan, open_recording, usual_place
from turntile.cli.streams import needs_ascii, on_a_terminal, wants_colour
from turntile.core.errors import InvalidOptions
from turntile.match.match import Match
from turntile.players.host import Host, Quit, seated
from turntile.players.recording import Recording
from turntile.players.seats import HUMAN, Player

DONE = 0
STOPPED = 130


def play_match(request: Request, turn_ms: int | None, plain: bool) -> int:
    if not request.seats:
        request = replace(request, seats=(HUMAN,))
    plan, match = set_up(request)
    players = plan.players(match)
    path = request.save or usual_place(plan, ".jsonl")
    in_lines = plain or not on_a_terminal()
    recording = open_recording(request, path, match, players, plan.control)
    stopped, code = "", DONE
    ctrl_c = CtrlC()
    try:
        if in_lines:
            play_in_lines(plan, match, players, recording, ctrl_c)
        else:
            with seated(match, players, plan.control):
                play_on_screen(plan, match, players, recording, turn_ms)
    except Quit as left:
        stopped = str(left)
    except KeyboardInterrupt:
        stopped, code = "stopped with Ctrl-C", STOPPED
    except BaseException:
        finish(recording, match, "the screen failed")
        raise
    finally:
        for player in players:
            player.close()
    kept = finish(recording, match, stopped or "left")
    if match.outcome is not None:
        print("\n".join(outcome_lines(match.outcome, [player.name for player in players])))
    else:
        print(f"\nno outcome: {stopped or 'left'} after {match.step_number} steps", file=sys.stderr)
    if kept is not None:
        print(f"replay: {kept}")
    return code


def set_up(request: Request) -> tuple[Plan, Match]:
    """The match. A person at a terminal who asked for the impossible is told why and asked again."""
    while True:
        try:
            plan = make_plan(request)
            return plan, plan.match(plan.seed)
        except InvalidOptions as refusal:
            if not sys.stdin.isatty() or request.start is not None:
                raise
            print(f"turntile: {refusal}", file=sys.stderr)
            print("another KEY=VALUE, or Enter to leave: ", end="", file=sys.stderr, flush=True)
            answer = sys.stdin.readline().strip()
            if not answer:
                raise
            key = answer.partition("=")[0]
            others = [text for text in request.settings if text.partition("=")[0] != key and "=" in text]
            request = replace(request, settings=[*others, answer])


def play_in_lines(
    plan: Plan, match: Match, players: Sequence[Player], recording: Recording | None, ctrl_c: CtrlC
) -> None:
    from turntile.cli.table import PlainTable

    table = PlainTable(match, players, wants_colour(), needs_ascii())
    witnesses = (recording, table) if recording is not None else (table,)
    with ctrl_c.watched():
        Host(
            match,
            players,
            plan.control,
            witnesses,
            table,
            uninterrupted=ctrl_c.uninterrupted,
            policy=plan.policy,
            patience_s=plan.patience_s,
        ).play()
    table.finish()


def play_on_screen(
    plan: Plan, match: Match, players: Sequence[Player], recording: Recording | None, turn_ms: int | None
) -> None:
    from turntile.screens.terminal import play

    play(
        match,
        players,
        turn_ms=plan.game.turn_ms if turn_ms is None else turn_ms,
        witnesses=(recording,) if recording is not None else (),
    )
