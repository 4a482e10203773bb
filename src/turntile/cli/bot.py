"""`turntile bot`: for authors of bots."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer

from turntile.cli.main import FAILED, complete_game
from turntile.players.checking import REUSES, Finding, check_bot
from turntile.players.process import Launch
from turntile.players.seats import PROGRAMS, program

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True, help="For authors of bots.")

LOG_LINES = 10


@app.callback()
def bot() -> None:
    """For authors of bots."""


@app.command()
def check(
    command: Annotated[
        str, typer.Argument(metavar="COMMAND", help="The program as one word: './mybot --fast', or plain:./mybot.")
    ],
    game: Annotated[
        list[str] | None,
        typer.Option("--game", "-g", help="Only this game; all five if left out.", autocompletion=complete_game),
    ] = None,
    matches: Annotated[
        int, typer.Option("--matches", "-n", min=2, max=100_000, help="Matches over which memory is watched.")
    ] = REUSES,
    sandbox: Annotated[str, typer.Option("--sandbox", metavar="WAY", help="auto, bwrap, landlock or off.")] = "off",
    json: Annotated[bool, typer.Option("--json", help="For programs: JSON on standard output.")] = False,
) -> None:
    """Play the bad cases against a bot and say what to fix.

    Handshake and slow start, a match of every game, refused answers, unicode, unknown messages, huge boards, a new
    game in the middle of another, end and quit, and memory over many matches. Exit code 1 if one fails.

    \b
    Examples
      turntile bot check 'python3 mybot.py'
      turntile bot check plain:./mybot --game tron
      turntile bot check ./mybot --json
    """
    from turntile.core.registry import find

    text = command if command.startswith(PROGRAMS) else f"cmd:{command}"
    launch = Launch(sandbox)
    program(text, launch)  # a command that cannot be run is bad input, not a failed check
    games = tuple(find(name).name for name in game or ())
    report = check_bot(lambda: program(text, launch), games, matches, (lambda finding: None) if json else tell)
    if json:
        print(msgspec.json.encode(report).decode())
    else:
        failed = sum(finding.verdict == "failed" for finding in report.findings)
        print(f"{failed} of {len(report.findings)} cases failed" if failed else "the bot is fit to play")
    raise typer.Exit(0 if report.passed else FAILED)


def tell(finding: Finding) -> None:
    """One case, as soon as it is known."""
    sign = {"ok": "ok     ", "warning": "warning", "failed": "FAILED "}[finding.verdict]
    print(f"{sign}  {finding.case}: {finding.what}", flush=True)
    for line in finding.stderr[-LOG_LINES:]:
        print(f"           | {line}")
    if finding.fix:
        print(f"         fix: {finding.fix}", flush=True)
