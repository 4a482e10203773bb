"""The command turntile: its words, what each takes, and how mistakes are told.

The bodies of the commands live beside this file and are loaded when called: `turntile run`
must not wait for the terminal screen, the pictures or numpy.

Exit codes: 0 done, 1 a check found something, 2 bad input, 130 stopped with Ctrl-C.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from turntile.core.errors import TurntileError

FAILED = 1
BAD_INPUT = 2
STOPPED = 130

# Further words, each a Typer `app` in a file of that name beside this one, with its line of help: `turntile --help`
# is to come at once, and need not load contests and servers for it (a test holds both lines equal).
FURTHER_WORDS = {
    "serve": "The arena in the browser.",
    "server": "For who runs a server: backups, a look inside, tokens, accounts.",
    "contest": "Contests between bots: run, resume, show, report.",
    "bot": "For authors of bots.",
    "sandbox": "The sandbox for untrusted bots.",
    "worms": "Maps of SEWorms, and files for swworms.",
    "roborace": "Boards of RoboRace.",
}

# Typer has no public name for "the command line cannot be read"; it is what a bad parameter is.
UNREADABLE: type[Exception] = typer.BadParameter.__mro__[2]


class Words(TyperGroup):
    """All commands, the further ones loaded only when they are asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*super().list_commands(ctx), *FURTHER_WORDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in FURTHER_WORDS:
            command = typer.main.get_command(import_module(f"turntile.cli.{cmd_name}").app)
            command.name = cmd_name
            return command
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        own = super().list_commands(ctx)
        room = formatter.width - 6 - max(map(len, [*own, *FURTHER_WORDS]))
        lines = [(word, self.commands[word].get_short_help_str(room)) for word in own]
        with formatter.section("Commands"):
            formatter.write_dl([*lines, *FURTHER_WORDS.items()])


app = typer.Typer(
    name="turntile",
    cls=Words,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
replay_app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
app.add_typer(replay_app, name="replay", help="Look at a replay, or prove that it is what was played.")
game_app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
app.add_typer(game_app, name="game", help="For authors of games.")


def main() -> None:
    """Runs the command and tells mistakes in one line."""
    try:
        code = typer.main.get_command(app).main(prog_name="turntile", standalone_mode=False)
    except TurntileError as mistake:
        code = refuse(str(mistake))
    except UNREADABLE as mistake:
        code = refuse(unreadable(mistake))
    except (typer.Abort, KeyboardInterrupt):
        code = STOPPED
    except SystemExit as left:
        # Typer leaves so when the reader of a pipe has seen enough: no fault of anybody's.
        code = 0 if isinstance(left.__context__, BrokenPipeError) else left.code
    sys.exit(code if isinstance(code, int) else 0)


def refuse(sentence: str) -> int:
    print(f"turntile: {sentence}", file=sys.stderr)
    return BAD_INPUT


def unreadable(mistake: Exception) -> str:
    """What Typer found wrong, in one line, with where to read on."""
    message = " ".join(str(getattr(mistake, "format_message", mistake.__str__)()).split()).rstrip(".")
    context = getattr(mistake, "ctx", None)
    where = context.command_path if context is not None else "turntile"
    return f"{message}: see {where} --help"


# ------------------------------------------------------------------- what completes itself


def complete_game(incomplete: str) -> list[str]:
    from turntile.core.registry import offered_games, our_names

    return [name for name in [*our_names(), *offered_games()] if name.startswith(incomplete)]


def typed_game(ctx: typer.Context) -> str:
    """The game of a line that is not finished: Typer leaves it among the words it could not place."""
    return str(ctx.params.get("game") or next(iter(ctx.args), ""))


def complete_seat(ctx: typer.Context, incomplete: str) -> list[str]:
    from turntile.core.registry import find

    try:
        names = ["human", *(kind.name for kind in find(typed_game(ctx)).bots)]
    except TurntileError:
        names = ["human"]
    return [name for name in names if name.startswith(incomplete)]


def complete_setting(ctx: typer.Context, incomplete: str) -> list[str]:
    from turntile.core.registry import find

    try:
        names = find(typed_game(ctx)).options.__struct_fields__
    except TurntileError:
        return []
    return [f"{name}=" for name in names if name.startswith(incomplete)]


# ------------------------------------------------------------------- parameters that several commands share

GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game's name.", autocompletion=complete_game)]
Seats = Annotated[
    list[str] | None,
    typer.Option(
        "--seat",
        "-s",
        metavar="NAME",
        help="Who sits at the next seat: human, a bot's name (greedy, tree:200), cmd:COMMAND, plain:COMMAND, FILE.py "
        "or http://ADDRESS. Once for each seat.",
        autocompletion=complete_seat,
    ),
]
Seed = Annotated[
    int | None, typer.Option("--seed", min=0, max=2**64 - 1, help="The seed of all chance; drawn if left out.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="An option of the game; @FILE as value is the text of that file. `turntile games NAME` lists them.",
        autocompletion=complete_setting,
    ),
]
FromFile = Annotated[Path | None, typer.Option("--from", metavar="FILE", help="Start from the position in this file.")]
Clock = Annotated[
    str, typer.Option("--clock", metavar="LIMITS", help="How long bots may think: 100ms, 1s*5+100ms, 'bank 60s +1s'.")
]
PolicyText = Annotated[
    str,
    typer.Option(
        "--policy",
        metavar="POLICY",
        help="A bot's answer that is late, illegal or missing: rulebook (what silence means), forfeit, 'forgive 3'.",
    ),
]
NoClock = Annotated[
    bool, typer.Option("--no-clock", help="Wait for bots for ever, from their start on: for debugging.")
]
SandboxName = Annotated[
    str, typer.Option("--sandbox", metavar="WAY", help="Lock programs in: auto, bwrap, landlock or off.")
]
Save = Annotated[
    Path | None,
    typer.Option("--save", metavar="FILE", help="Where the replay goes; packed if the name ends in .zst."),
]
NoSave = Annotated[bool, typer.Option("--no-save", help="Keep no replay.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Let --save replace a file that is there.")]
Json = Annotated[bool, typer.Option("--json", help="For programs: JSON on standard output.")]
Gear = Annotated[
    str, typer.Option("--gear", metavar="GEAR", help="compiled or interpreted; the fastest there is if left out.")
]
Plain = Annotated[bool, typer.Option("--plain", help="Lines instead of a screen: for pipes and screen readers.")]
ReplayFile = Annotated[Path, typer.Argument(metavar="FILE", help="A replay.")]
KnownSeed = Annotated[
    int | None, typer.Option("--seed", min=0, max=2**64 - 1, help="The seed, for a replay that breaks off before it.")
]
SoFar = Annotated[bool, typer.Option("--so-far", help="Make do with the steps before a cut or an alteration.")]
Eyes = Annotated[int | None, typer.Option("--seat", min=0, help="What this seat saw; else all there was.")]


# ------------------------------------------------------------------- commands


def show_version(wanted: bool) -> None:
    if wanted:
        import turntile

        print(f"turntile {turntile.__version__}")
        raise typer.Exit()


@app.callback(invoke_without_command=True)
def start(
    ctx: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Say which Turntile this is.")
    ] = False,
) -> None:
    """An arena for turn-based games on a grid.

    Without a word: the arena in the browser.

    \b
    Examples
      turntile                                      play in the browser
      turntile menu                                 choose a game and play in the terminal
      turntile play tron                            you against a bot
      turntile play tron -s human -s human          two people, one keyboard
      turntile run tron -s territory -s greedy --matches 100
      turntile render match.jsonl -o match.gif      a film of a replay

    \b
    Exit codes
      0 done · 1 a check found something · 2 bad input · 130 stopped with Ctrl-C
    """
    if ctx.invoked_subcommand is None:
        from turntile.cli.serve import open_the_arena

        open_the_arena()


@app.command()
def menu() -> None:
    """Choose a game and an opponent, and play in the terminal.

    \b
    Examples
      turntile menu
    """
    from turntile.cli.menu import choose_and_play

    raise typer.Exit(choose_and_play())


@app.command()
def games(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="Only this one, with its options.", autocompletion=complete_game),
    ] = None,
    json: Json = False,
) -> None:
    """The games there are, with their bots from easy to strong.

    \b
    Examples
      turntile games
      turntile games tron                the options and bots of one game
      turntile games --json
    """
    from turntile.cli.listing import list_games

    list_games(game, json)


@app.command()
def play(
    game: GameName,
    seat: Seats = None,
    seed: Seed = None,
    set_: Settings = None,
    from_: FromFile = None,
    clock: Clock = "",
    turn_ms: Annotated[
        int | None,
        typer.Option("--turn-ms", min=0, max=600_000, help="Real time: how long a turn lasts for people; 0 waits."),
    ] = None,
    plain: Plain = False,
    save: Save = None,
    no_save: NoSave = False,
    overwrite: Overwrite = False,
    gear: Gear = "",
    policy: PolicyText = "rulebook",
    no_clock: NoClock = False,
    sandbox: SandboxName = "off",
) -> None:
    """Play a game, or watch bots play it.

    Seats that are not named are taken by a bot; without any --seat you have the first one.
    The replay is kept unless --no-save.

    \b
    Examples
      turntile play tron
      turntile play tron -s human -s territory --set board=pillars
      turntile play tron -s human -s human --turn-ms 300
      turntile play tron --from position.txt --plain
    """
    from turntile.cli.play import play_match
    from turntile.cli.start import Request

    request = Request(
        game=game,
        seats=seat or (),
        seed=seed,
        settings=set_ or (),
        start=from_,
        clock=clock,
        save=save,
        keep=not no_save,
        overwrite=overwrite,
        gear=gear,
        policy=policy,
        no_clock=no_clock,
        sandbox=sandbox,
    )
    raise typer.Exit(play_match(request, turn_ms, plain))


@app.command()
def run(
    game: GameName,
    seat: Seats = None,
    seed: Seed = None,
    matches: Annotated[int, typer.Option("--matches", "-n", min=1, max=1_000_000, help="How many.")] = 1,
    swap: Annotated[
        bool, typer.Option("--swap", help="Play every seed once with each order of seats, so that places even out.")
    ] = False,
    set_: Settings = None,
    from_: FromFile = None,
    clock: Clock = "",
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Where the replay goes; for several matches a folder."),
    ] = None,
    no_save: NoSave = False,
    overwrite: Overwrite = False,
    json: Annotated[
        bool, typer.Option("--json", help="For programs: a JSON line for each match, then one for all.")
    ] = False,
    gear: Gear = "",
    policy: PolicyText = "rulebook",
    no_clock: NoClock = False,
    sandbox: SandboxName = "off",
) -> None:
    """Let bots play without a screen.

    \b
    Examples
      turntile run tron
      turntile run tron -s territory -s greedy --matches 400 --swap
      turntile run tron -s tree:50 -s greedy --clock 100ms --save duel.jsonl.zst
      turntile run tron -s 'cmd:./mybot --fast' -s mybot.py -s http://127.0.0.1:9000 --policy 'forgive 3'
      turntile run tron --matches 20 --json | jq .scores
    """
    from turntile.cli.run import run_matches
    from turntile.cli.start import Request

    request = Request(
        game=game,
        seats=seat or (),
        seed=seed,
        settings=set_ or (),
        start=from_,
        clock=clock,
        save=save,
        keep=not no_save,
        overwrite=overwrite,
        gear=gear,
        policy=policy,
        no_clock=no_clock,
        sandbox=sandbox,
    )
    raise typer.Exit(run_matches(request, matches, swap, json))


@replay_app.command()
def show(
    file: ReplayFile,
    seat: Eyes = None,
    step: Annotated[
        int | None, typer.Option("--step", min=0, help="Only the board after this step (0: the start).")
    ] = None,
    boards: Annotated[bool, typer.Option("--boards", help="The board after every step.")] = False,
    plain: Plain = False,
    position: Annotated[
        bool, typer.Option("--position", help="The position as text, as --from reads it, instead of the board.")
    ] = False,
    so_far: SoFar = False,
    seed: KnownSeed = None,
    json: Json = False,
) -> None:
    """Show what was played, step by step, and how it ended: as a film on a terminal, else in lines.

    \b
    Examples
      turntile replay show match.jsonl
      turntile replay show match.jsonl --step 12
      turntile replay show match.jsonl --step 12 --position > position.txt
    """
    from turntile.cli.replays import Wanted, show_replay

    show_replay(file, Wanted(seat, step, boards, position, plain, so_far, seed, json))


@replay_app.command()
def verify(
    file: ReplayFile, seed: KnownSeed = None, so_far: SoFar = False, gear: Gear = "", json: Json = False
) -> None:
    """Prove that a replay is what was played: every byte, action, position and the outcome.

    Exit code 1 if the rules play it differently, 2 if the file is damaged or no replay.

    \b
    Examples
      turntile replay verify match.jsonl
      turntile replay verify match.jsonl --gear interpreted
    """
    from turntile.cli.replays import verify_replay

    raise typer.Exit(verify_replay(file, seed, so_far, gear, json))


@app.command()
def render(
    file: ReplayFile,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="OUT", help="The picture or film: .svg, .png, .gif or .html.")
    ],
    seat: Eyes = None,
    step: Annotated[
        int | None, typer.Option("--step", min=0, help="The step a picture shows (0: the start); the last if left out.")
    ] = None,
    ms: Annotated[int, typer.Option("--ms", min=20, max=60_000, help="How long a film shows each step.")] = 120,
    scale: Annotated[float, typer.Option("--scale", min=0.1, max=20.0, help="The size of a PNG.")] = 2.0,
    so_far: SoFar = False,
    seed: KnownSeed = None,
) -> None:
    """Draw a replay: a step as SVG or PNG, the whole match as GIF or as one HTML file.

    \b
    Examples
      turntile render match.jsonl -o match.gif
      turntile render match.jsonl -o match.html
      turntile render match.jsonl -o turn12.png --step 12
    """
    from turntile.cli.render import render_replay

    render_replay(file, out, seat, step, ms, scale, so_far, seed)


@app.command()
def bench(
    game: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="All if left out.", autocompletion=complete_game)
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.01, max=60.0, help="How long each figure is measured.")
    ] = 0.5,
    json: Json = False,
) -> None:
    """Measure how fast the rules run here, in both gears.

    \b
    Examples
      turntile bench
      turntile bench tron --json
    """
    from turntile.cli.bench import bench_games

    bench_games(game or [], seconds, json)


@game_app.command()
def check(
    name: GameName,
    matches: Annotated[int, typer.Option("--matches", "-n", min=1, max=100_000, help="Random matches to play.")] = 20,
    seed: Annotated[int, typer.Option("--seed", min=0, max=2**64 - 1, help="The seed of these matches.")] = 0,
    json: Json = False,
) -> None:
    """Check that a game keeps what every game promises; for authors of games.

    Plays random matches in every gear there is and compares legality, words, positions, views,
    events, scenes, replays and bots with what the contract says. Exit code 1 if one fails.

    \b
    Examples
      turntile game check tron
      turntile game check connect4 --matches 200
    """
    from turntile.cli.check import check_game

    raise typer.Exit(check_game(name, matches, seed, json))


if __name__ == "__main__":
    main()
