"""`turntile contest`: contests between bots run, resumed, shown and reported."""

from __future__ import annotations

import re
import secrets
import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import Annotated, Any

import msgspec
import typer

from turntile.cli.main import FAILED, STOPPED
from turntile.cli.start import read_settings
from turntile.contest.course import Course
from turntile.contest.crew import CannotPlay, Crew, LocalCrew
from turntile.contest.matches import Finished
from turntile.contest.plan import EXAMPLE, Contest, InvalidContest, Origin, make_plan, read_plan
from turntile.contest.results import InvalidResults, Results
from turntile.contest.run import follow, play_on
from turntile.contest.standings import Standings, lines_of, standings_of, table_of
from turntile.match.clock import read_control

SUFFIX = ".contest"
LINE_EVERY_S = 5.0  # a line of progress in a pipe
DRAW_EVERY_S = 0.5  # the standings on a terminal

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True, help="Contests between bots: run, resume, show, report.")

ResultsFile = Annotated[Path, typer.Argument(metavar="FILE", help="A contest's results, or the plan they came from.")]
On = Annotated[
    str, typer.Option("--on", metavar="WHERE", help="local: the cores here; dask://HOST:PORT: a Dask cluster.")
]
Workers = Annotated[
    int, typer.Option("--workers", "-w", min=0, max=1024, help="Processes here; one for each core if left out.")
]
Pin = Annotated[bool, typer.Option("--pin/--no-pin", help="Keep each worker on a core of its own.")]
Json = Annotated[bool, typer.Option("--json", help="For programs: a JSON line for each match, then one for all.")]


@app.command()
def run(
    file: Annotated[Path | None, typer.Argument(metavar="[FILE.toml]", help="The contest's plan.")] = None,
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="Without a file: the game.")] = "",
    bot: Annotated[
        list[str] | None,
        typer.Option(
            "--bot", "-b", metavar="[NAME=]SEAT", help="One that takes part, as behind --seat. Once for each."
        ),
    ] = None,
    format_: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="round-robin, gauntlet, swiss, knockout, ladder or sprt.")
    ] = "",
    rounds: Annotated[int | None, typer.Option("--rounds", help="Seeds each table plays; rounds of a Swiss.")] = None,
    seats: Annotated[int | None, typer.Option("--seats", help="Of a match: 2 to 4.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Decides all chance; drawn if left out.")] = None,
    clock: Annotated[str, typer.Option("--clock", metavar="LIMITS", help="How long bots may think: 100ms ...")] = "",
    set_: Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="An option of the game.")] = None,
    policy: Annotated[
        str, typer.Option("--policy", metavar="POLICY", help="Of answers that do not count: rulebook, forfeit ...")
    ] = "",
    sandbox: Annotated[
        str, typer.Option("--sandbox", metavar="WAY", help="For programs: off, auto, bwrap or landlock.")
    ] = "",
    best_of: Annotated[int | None, typer.Option("--best-of", help="Games of a knockout's table.")] = None,
    replays: Annotated[str, typer.Option("--replays", metavar="WHICH", help="all, failures or none.")] = "",
    results: Annotated[
        Path | None,
        typer.Option("--results", "-r", metavar="FILE", help="Where the results go; beside the plan if left out."),
    ] = None,
    on: On = "local",
    workers: Workers = 0,
    pin: Pin = True,
    json: Json = False,
) -> None:
    """Run a contest from its file, or from the words of this line.

    Every table plays every seed in all orders of seats. Each match is on disk before it counts:
    after Ctrl-C, kill -9 or a power cut, `turntile contest resume` goes on.

    \b
    Examples
      turntile contest example > my.toml && turntile contest run my.toml
      turntile contest run --game tron --bot greedy --bot territory --bot random --rounds 10
      turntile contest run --game tron --bot new=cmd:./new --bot old=cmd:./old --format sprt
      turntile contest run my.toml --on dask://10.0.0.5:8786
    """
    words: dict[str, Any] = {
        "game": game,
        "bot": [read_bot(text) for text in bot or ()],
        "format": format_,
        "rounds": rounds,
        "seats": seats,
        "seed": seed,
        "clock": clock,
        "policy": policy,
        "sandbox": sandbox,
        "best_of": best_of,
        "replays": replays,
        "options": read_settings(set_ or ()),
    }
    given = {key: value for key, value in words.items() if value not in ("", None, [], {})}
    if file is not None:
        if given:
            key = next(iter(given)).replace("_", "-").replace("options", "set")
            raise InvalidContest(f"{file} says what is played: leave --{key} out, or change it there")
        contest, _ = read_plan(file)
        place = results or file.with_suffix(SUFFIX)
    else:
        if not game:
            raise InvalidContest("a contest needs a plan: name a FILE.toml, or say --game GAME --bot ONE --bot OTHER")
        contest = make_plan(given, Origin("the command line"))
        place = results or Path(f"{contest.game}-{contest.format}{SUFFIX}")
    if contest.seed is None:
        contest = msgspec.structs.replace(contest, seed=secrets.randbits(63))
    Course(contest)  # a package that its format needs is missed before anything is written
    hire = choose_crew(on)
    with Results.create(place, contest) as made:
        made.take()
        raise typer.Exit(play(made, hire(contest, workers, pin), on, json))


def read_bot(text: str) -> dict[str, str]:
    """`NAME=SEAT`, or a seat that is its own name."""
    named = re.fullmatch(r"([\w.-]+)=(.+)", text)
    return {"name": named[1], "seat": named[2]} if named else {"seat": text}


@app.command()
def resume(file: ResultsFile, on: On = "local", workers: Workers = 0, pin: Pin = True, json: Json = False) -> None:
    """Go on with a contest that was stopped or killed; it ends as if nothing had happened.

    \b
    Examples
      turntile contest resume my.contest
      turntile contest resume my.toml              the results beside the plan, if they are of this plan
    """
    hire = choose_crew(on)
    with open_results(file) as results:
        results.take()
        raise typer.Exit(play(results, hire(results.contest, workers, pin), on, json))


@app.command()
def show(
    file: ResultsFile, json: Annotated[bool, typer.Option("--json", help="For programs: one JSON document.")] = False
) -> None:
    """Tell how a contest stands, also while it runs."""
    with open_results(file) as results:
        course = follow(results)
        standings = standings_of(course)
        if json:
            sys.stdout.write(msgspec.json.format(msgspec.json.encode(standings)).decode() + "\n")
            return
        print("\n".join(lines_of(standings)))
        print(say_state(course, results))


@app.command()
def report(
    file: ResultsFile,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder for the report.")],
    films: Annotated[int, typer.Option("--films", min=0, help="Matches to be watched from the report, at most.")] = 40,
) -> None:
    """Write a report: one HTML page, CSV and JSON beside it, and films of the matches most worth a look."""
    from turntile.cli.progress import bar
    from turntile.contest.report import write_report

    with open_results(file) as results:
        many = min(films, results.stored())
        with bar(many, "films") if sys.stderr.isatty() and many else nullcontext(lambda: None) as advance:
            _, filmed = write_report(results, out, films, advance)
    print(f"{out / 'report.html'}: {filmed} matches can be watched from it")


@app.command()
def replay(
    file: ResultsFile,
    number: Annotated[int, typer.Argument(metavar="NUMBER", min=1, help="The match's number.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="OUT", help="The replay: NAME.jsonl.zst")],
) -> None:
    """Take the replay of one match out of the results, for `turntile replay show` and `turntile render`."""
    if out.exists():
        raise InvalidResults(f"{out} is there already: choose another name")
    with open_results(file) as results:
        data = results.replay(number - 1)
    if not data:
        raise InvalidResults(f"of match {number} no replay was kept: the plan says which are, with `replays`")
    try:
        out.write_bytes(data)
    except OSError as error:
        raise InvalidResults(f"{out} cannot be written: {error.strerror or error}") from None
    print(f"{out}: turntile replay show {out}")


@app.command()
def publish(
    file: ResultsFile,
    to: Annotated[str, typer.Option("--to", metavar="URL", help="The server, such as http://127.0.0.1:8000.")],
    token: Annotated[
        str,
        typer.Option(
            "--token", metavar="TOKEN", envvar="TURNTILE_TOKEN", help="A token of that server with the scope publish."
        ),
    ] = "",
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="What it is called there; the file's name if left out.")
    ] = "",
) -> None:
    """Show a contest on a server: standings, crosstable, rounds, and every match whose replay was kept.

    Sent again, also while the contest still runs, it takes the place of what was there.

    \b
    Examples
      TURNTILE_TOKEN=tt_... turntile contest publish my.contest --to https://arena.example
    """
    from turntile.cli.progress import bar
    from turntile.contest.publish import NotPublished, Server, read_address
    from turntile.contest.publish import publish as send

    address = read_address(to)
    if not token:
        raise NotPublished(f"{address.text} asks for a token: make one there with the scope publish, then say --token")
    with open_results(file) as results:
        course = follow(results)
        server = Server(address, token)
        many = results.stored()
        with bar(many, "matches") if sys.stderr.isatty() and many else nullcontext(lambda: None) as advance:
            try:
                page, left_out = send(
                    course, results, name or file.stem, server, lambda count: advance_by(advance, count)
                )
            finally:
                server.close()
    print(page)
    if left_out:
        print(
            f"turntile: {left_out} replays were too large to be sent: those matches cannot be watched", file=sys.stderr
        )


@app.command()
def drop(
    file: ResultsFile, bot: Annotated[str, typer.Argument(metavar="NAME", help="The bot's name in this contest.")]
) -> None:
    """Let a bot leave a contest that is stopped: it plays no round that has not begun."""
    with open_results(file) as results:
        results.take()
        names = results.contest.names
        if bot not in names:
            raise InvalidResults(f"no bot is called {bot!r} in {file}: there are {', '.join(names)}")
        begun = max((match.round for match in results.matches()), default=0)
        results.withdraw(names.index(bot), begun + 1)
        print(f"{bot} leaves from round {begun + 1} on")


@app.command()
def example() -> None:
    """Write the plan of a contest to begin with.

    \b
    Examples
      turntile contest example > my.toml
    """
    print(EXAMPLE, end="")


def advance_by(advance: Callable[[], None], count: int) -> None:
    for _ in range(count):
        advance()


# ------------------------------------------------------------------- opening


def open_results(file: Path) -> Results:
    """A results file; of a plan, the one beside it, which must be of that plan."""
    if file.suffix != ".toml":
        return Results.open(file)
    contest, _ = read_plan(file)
    results = Results.open(file.with_suffix(SUFFIX))
    if results.contest != msgspec.structs.replace(contest, seed=contest.seed or results.contest.seed):
        results.close()
        raise InvalidResults(
            f"{results.path} is of another contest than {file} says: name {results.path} itself to go on with it, "
            f"or begin anew with turntile contest run {file} --results OTHER{SUFFIX}"
        )
    return results


def choose_crew(on: str) -> Callable[[Contest, int, bool], Crew]:
    """How to hire whoever plays; a cluster that does not answer is told before anything is written."""
    if on == "local":
        return LocalCrew
    if not re.fullmatch(r"dask://[^\s/]+:\d+", on):
        raise InvalidContest(f"--on {on} is no place to play: say local or dask://HOST:PORT")
    from turntile.contest.cluster import DaskCrew, connect

    client = connect(on)
    return lambda contest, workers, pin: DaskCrew(contest, on, client)


# ------------------------------------------------------------------- playing


def play(results: Results, crew: Crew, on: str, as_json: bool) -> int:
    """Play on, with live standings on a terminal, lines in a pipe or JSON; the exit code."""
    again = f"turntile contest resume {shlex.quote(str(results.path))}" + (f" --on {on}" if on != "local" else "")
    with asked_to_stop() as asked:
        failed = ""
        try:
            screen = choose_screen(as_json, crew.describe())
            with screen:
                course, stopped = play_on(results, crew, asked, screen.tell)
        except CannotPlay as failure:
            course, stopped, failed = follow(results), "", str(failure)
        finally:
            crew.close()
    sum_up(course, results, as_json, stopped or failed)
    if not course.ended:
        why = failed or f"stopped: {stopped}"
        print(f"turntile: {why}; {course.counted} matches are kept; go on with: {again}", file=sys.stderr)
    if failed:
        return FAILED
    return STOPPED if stopped == CTRL_C else 0


CTRL_C = "Ctrl-C"


@contextmanager
def asked_to_stop() -> Iterator[Callable[[], str]]:
    """Ctrl-C and a polite kill end a contest between two matches that count, never inside the storing of one."""
    asked: list[str] = []

    def on_signal(number: int, frame: FrameType | None) -> None:
        asked.append(CTRL_C)

    before = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: asked[0] if asked else ""
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def say_state(course: Course, results: Results) -> str:
    of = f" of {course.in_all()}" if course.in_all() else ""
    state = f"over: {course.ended}" if course.ended else f"not over: turntile contest resume {results.path} goes on"
    return f"{course.counted}{of} matches, {course.tally.steps} steps, seed {course.contest.seed}; {state}"


def sum_up(course: Course, results: Results, as_json: bool, stopped: str) -> None:
    standings = standings_of(course)
    if as_json:
        tell_json({**msgspec.to_builtins(standings), "stopped": stopped or None, "results": str(results.path)})
        return
    print("\n".join(lines_of(standings)))
    print(say_state(course, results))
    latency = course.tally.latency()
    if latency:
        print(
            f"this machine woke a sleeper {latency['median']:.2f} ms late in the middle, {latency['p99']:.2f} ms in "
            f"the worst of a hundred, {latency['worst']:.2f} ms at worst{say_tight(course.contest, latency['p99'])}"
        )
    print(f"results: {results.path}")


def say_tight(contest: Contest, late_ms: float) -> str:
    """A warning where the clock leaves less room than the machine takes."""
    control = read_control(contest.clock)
    if not control.turn_s or late_ms < 100 * control.turn_s:
        return ""
    return f": too much for a clock of {contest.clock}, fewer workers would help"


def tell_json(data: dict[str, Any]) -> None:
    sys.stdout.write(msgspec.json.encode(data).decode() + "\n")
    sys.stdout.flush()


# ------------------------------------------------------------------- screens


class JsonLines:
    """A line for each match as it is stored."""

    def __enter__(self) -> None: ...

    def __exit__(self, *error: object) -> None: ...

    def tell(self, course: Course, finished: list[Finished]) -> None:
        names = course.contest.names
        for match in sorted(finished, key=lambda match: match.number):
            tell_json(
                {
                    "match": match.number + 1,
                    "round": match.round,
                    "seed": str(match.seed),
                    "players": [names[bot] for bot in match.bots],
                    "scores": match.scores,
                    "places": match.places,
                    "reason": match.reason,
                    "steps": match.steps,
                    "seconds": round(match.seconds, 6),
                    "failures": [msgspec.structs.asdict(failure) for failure in match.failures],
                }
            )


class PlainLines:
    """A line now and then on standard error."""

    def __init__(self, crew: str) -> None:
        self.crew = crew
        self.began = self.told = monotonic()

    def __enter__(self) -> None:
        print(f"turntile: {self.crew}", file=sys.stderr)

    def __exit__(self, *error: object) -> None: ...

    def tell(self, course: Course, finished: list[Finished]) -> None:
        if monotonic() - self.told < LINE_EVERY_S:
            return
        self.told = monotonic()
        of = f" of {course.in_all()}" if course.in_all() else ""
        best = standings_of(course).standings[0]
        print(f"turntile: {course.counted}{of} matches; first {best.name}, {best.elo:+.0f} Elo", file=sys.stderr)


class LiveTable:
    """The standings, drawn again and again."""

    def __init__(self, crew: str) -> None:
        from rich.console import Console
        from rich.live import Live

        self.crew = crew
        self.drawn = 0.0
        self.live = Live(console=Console(stderr=True), transient=True, auto_refresh=False)

    def __enter__(self) -> None:
        self.live.start()

    def __exit__(self, *error: object) -> None:
        self.live.stop()

    def tell(self, course: Course, finished: list[Finished]) -> None:
        if monotonic() - self.drawn < DRAW_EVERY_S:
            return
        self.drawn = monotonic()
        self.live.update(self.picture(course, standings_of(course)), refresh=True)

    def picture(self, course: Course, standings: Standings) -> Any:
        from rich.table import Table
        from rich.text import Text

        headings, rows = table_of(standings)
        of = f" of {course.in_all()}" if course.in_all() else ""
        table = Table(title=f"{standings.game}, {standings.format}: {course.counted}{of} matches", caption=self.crew)
        for at, heading in enumerate(headings):
            table.add_column(heading, justify="left" if at == 1 else "right")
        for row in rows:
            table.add_row(*(Text(cell) for cell in row))
        return table


def choose_screen(as_json: bool, crew: str) -> JsonLines | PlainLines | LiveTable:
    if as_json:
        return JsonLines()
    return LiveTable(crew) if sys.stderr.isatty() else PlainLines(crew)
