"""`turntile serve`: the arena in the browser. Also what `turntile` does without a word.

Nothing of the server is loaded before it is asked for: `turntile --help` reads this file too.
"""

from __future__ import annotations

import json as json_text
import os
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Annotated

import typer

from turntile.core.errors import TurntileError

if TYPE_CHECKING:
    from turntile.server.logs import LogSettings
    from turntile.server.settings import Settings

PORT = 8000
ADDRESS_NOTE = "address"  # where a running arena is found by the next start
ANSWERS_WITHIN_S = 2.0
# A package for each part of the extra, by which its absence is noticed.
NEEDED = ("fastapi", "uvicorn", "httptools", "websockets", "sqlalchemy", "alembic", "argon2", "structlog")


class ServerMissing(TurntileError):
    """The packages of the server are not installed."""


class CannotKeep(TurntileError):
    """The folder the arena would be kept in cannot be written to."""


app = typer.Typer(rich_markup_mode=None, add_completion=False)

Db = Annotated[
    str,
    typer.Option(
        "--db",
        metavar="URL",
        envvar="TURNTILE_DB",
        show_envvar=False,
        help="Where matches and players are kept: sqlite:///FILE, a file's name ending in .db, or "
        "postgresql://USER@HOST/NAME. In the user's data folder if left out; TURNTILE_DB is read too.",
    ),
]


@app.command("serve")
def serve(
    host: Annotated[
        str,
        typer.Option("--host", metavar="ADDRESS", help="Where it listens; 0.0.0.0 means all networks."),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0 takes any that is free.")] = PORT,
    db: Db = "",
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="FOLDER", help="Where uploaded bots and drawn films go; beside the replays."),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option("--page", metavar="FOLDER", help="The page as `npm run build` made it, if not the usual one."),
    ] = None,
    open_: Annotated[
        bool | None,
        typer.Option(
            "--open/--no-open",
            help="Show it in a browser; if left out, where a person with a screen sits.",
            show_default=False,
        ),
    ] = None,
    public_url: Annotated[
        str,
        typer.Option("--public-url", metavar="URL", help="As people reach it behind a proxy: https://arena.example."),
    ] = "",
    origin: Annotated[
        list[str] | None,
        typer.Option("--origin", metavar="URL", help="A further site whose pages may play here. May be repeated."),
    ] = None,
    cors_origin: Annotated[
        list[str] | None,
        typer.Option("--cors-origin", metavar="URL", help="A site whose scripts may read answers. May be repeated."),
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            "--trusted-proxy", metavar="ADDRESS", help="A proxy whose X-Forwarded-For is believed. May be repeated."
        ),
    ] = None,
    neighbour_url: Annotated[
        str,
        typer.Option(
            "--neighbour-url",
            metavar="URL",
            help="Where other processes on the same PostgreSQL reach this one; http://HOST:PORT if left out.",
        ),
    ] = "",
    metrics_token: Annotated[
        str,
        typer.Option(
            "--metrics-token",
            metavar="TEXT",
            envvar="TURNTILE_METRICS_TOKEN",
            show_envvar=False,
            help="Who sends it may read /metrics from elsewhere. Better in the environment: TURNTILE_METRICS_TOKEN.",
        ),
    ] = "",
    watch_delay: Annotated[
        float,
        typer.Option("--watch-delay", min=0, max=86400, help="Seconds that watchers of hidden games are behind."),
    ] = 30.0,
    watch_delay_steps: Annotated[
        int,
        typer.Option(
            "--watch-delay-steps",
            min=0,
            max=100_000,
            help="... and steps: both must have passed. --watch-delay 0 --watch-delay-steps 0 shows all at once.",
        ),
    ] = 10,
    limits: Annotated[
        float,
        typer.Option(
            "--limits",
            metavar="FACTOR",
            min=0.01,
            max=1000,
            help="All limits on how often one address or account may do what, so many times as generous: 3 for a "
            "class of 60 behind one address, 0.5 for a small machine.",
        ),
    ] = 1.0,
    tables_per_player: Annotated[
        int,
        typer.Option(
            "--tables-per-player", min=1, max=1_000_000, help="Tables one player may have set up that are not over."
        ),
    ] = 50,
    most_tables: Annotated[
        int, typer.Option("--most-tables", min=1, max=1_000_000, help="Tables in this process, open or playing.")
    ] = 10_000,
    upload_processes: Annotated[
        int,
        typer.Option(
            "--upload-processes", min=1, max=256, help="Uploaded bots that run at once: one a core, or a few more."
        ),
    ] = 4,
    contest_mb: Annotated[
        int,
        typer.Option(
            "--contest-mb",
            metavar="MB",
            min=1,
            max=1_000_000,
            help="What one account may keep published, with replays: 2000 for an organiser of large contests.",
        ),
    ] = 256,
    thinkers: Annotated[
        int,
        typer.Option("--thinkers", min=0, max=256, help="Processes for built-in bots; 0: as many as fit."),
    ] = 0,
    allow_local_webhooks: Annotated[
        bool,
        typer.Option("--allow-local-webhooks", help="Let bots' web servers be in this network: for classrooms."),
    ] = False,
    migrate: Annotated[
        bool, typer.Option("--migrate/--no-migrate", help="Bring an older database up to date, or refuse it.")
    ] = True,
    json_logs: Annotated[
        bool | None,
        typer.Option(
            "--json-logs/--human-logs",
            help="How log lines look; if left out, JSON where no terminal is.",
            show_default=False,
        ),
    ] = None,
    log_level: Annotated[
        str, typer.Option("--log-level", metavar="LEVEL", help="debug, info, warning or error.")
    ] = "info",
    log_requests: Annotated[
        bool | None,
        typer.Option(
            "--log-requests/--no-log-requests",
            help="A line for every request; if left out, with JSON lines.",
            show_default=False,
        ),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="For programs: tell the address, process and database as a JSON line.")
    ] = False,
) -> None:
    """The arena in the browser.

    Play people and bots, watch, rate, upload bots. Ctrl-C ends it; nothing that was acknowledged is lost.

    \b
    Examples
      turntile serve                                    on this machine, kept in your data folder
      turntile serve --port 0 --json                    any free port, told as JSON
      turntile serve --host 0.0.0.0 --db club.db        for everybody in this network
      turntile serve --host 0.0.0.0 --db class.db --limits 3 --tables-per-player 10
      turntile serve --db postgresql://arena@db/arena --public-url https://arena.example --trusted-proxy 127.0.0.1
    """
    need_server(db)
    from turntile.server.logs import LogSettings
    from turntile.server.settings import SOCKETS_PER_ADDRESS, Limits, Settings

    settings = Settings(
        host=host,
        port=port,
        db=db or usual_db(),
        data_dir=data or data_folder() / "arena",
        page_dir=page,
        public_url=public_url.rstrip("/"),
        origins=tuple(origin or ()),
        cors_origins=tuple(cors_origin or ()),
        trusted_proxies=tuple(trusted_proxy or ()),
        neighbour_url=neighbour_url,
        metrics_token=metrics_token,
        watch_delay_s=watch_delay,
        watch_delay_steps=watch_delay_steps,
        limits=Limits().scaled(limits),
        sockets_per_address=max(1, round(SOCKETS_PER_ADDRESS * limits)),
        tables_per_player=tables_per_player,
        most_tables=most_tables,
        upload_processes=upload_processes,
        contest_bytes_per_player=contest_mb * 2**20,
        thinkers=thinkers,
        allow_local_webhooks=allow_local_webhooks,
        migrate=migrate,
    )
    run(settings, LogSettings(json_logs, log_level, log_requests), open_, json)


def open_the_arena() -> None:
    """`turntile` without a word: on this machine alone, at the usual port or any, shown in the browser."""
    need_server()
    from turntile.server.logs import LogSettings
    from turntile.server.settings import Settings

    settings = Settings(port=PORT, db=usual_db(), data_dir=data_folder() / "arena")
    url = open_already(settings.data_dir)
    if url:
        print(f"the arena is open already at {url}", flush=True)
        if somebody_watches():
            show(url).join()
        return
    run(settings, LogSettings(), open_=None, json=False, or_any_port=True)


def run(settings: Settings, logs: LogSettings, open_: bool | None, json: bool, or_any_port: bool = False) -> None:
    from turntile.server.serve import serve as serve_until_stopped
    from turntile.store.address import shown

    note = make_folder(settings.data_dir) / ADDRESS_NOTE

    def told(url: str) -> None:
        with suppress(OSError):
            note.write_text(url, encoding="utf-8")
        if json:
            print(json_text.dumps({"url": url, "pid": os.getpid(), "db": shown(settings.db)}), flush=True)
        else:
            as_wished = url.endswith(f":{settings.port}") or settings.port == 0
            more = "" if as_wished else f"; port {settings.port} is in use"
            print(f"the arena is open at {url} (Ctrl-C ends it{more})", flush=True)
        if open_ or (open_ is None and not json and somebody_watches()):
            show(url)

    serve_until_stopped(settings, logs, told, or_any_port=or_any_port)
    with suppress(OSError):
        note.unlink()


# ------------------------------------------------------------------- what is there


def need_server(db: str = "") -> None:
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise ServerMissing(
            f"the arena in the browser needs packages that are not installed ({', '.join(missing)}): "
            "pip install 'turntile[server]'; turntile menu plays in the terminal without them"
        )
    if db.startswith("postgres") and find_spec("asyncpg") is None:
        raise ServerMissing("PostgreSQL needs a package that is not installed: pip install 'turntile[postgres]'")


def data_folder() -> Path:
    from platformdirs import user_data_path

    return user_data_path("turntile", appauthor=False)


def usual_db() -> str:
    """A file in the user's data folder, which is made."""
    return f"sqlite:///{make_folder(data_folder()) / 'arena.db'}"


def make_folder(folder: Path) -> Path:
    elsewhere = "--db FILE and --data FOLDER choose other places"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotKeep(f"the folder {folder} cannot be made: {error.strerror or error}; {elsewhere}") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise CannotKeep(f"the folder {folder} cannot be written to; {elsewhere}")
    return folder


def open_already(folder: Path) -> str:
    """Where an arena that is kept in this folder answers; "" if none does. A killed one leaves its note behind."""
    from urllib.request import ProxyHandler, build_opener

    try:
        url = (folder / ADDRESS_NOTE).read_text(encoding="utf-8").strip()
        with build_opener(ProxyHandler({})).open(f"{url}/healthz", timeout=ANSWERS_WITHIN_S) as answer:
            alive = json_text.loads(answer.read(1000)).get("status") == "alive"
    except (OSError, ValueError, AttributeError):
        return ""
    return url if alive else ""


# ------------------------------------------------------------------- the browser


def somebody_watches() -> bool:
    """A person at this machine's own screen: not a pipe, not over ssh, not where programs are tested."""
    if not sys.stdout.isatty() or any(os.environ.get(name) for name in ("CI", "SSH_CONNECTION", "SSH_TTY")):
        return False
    if sys.platform in ("win32", "darwin") or os.environ.get("BROWSER"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def show(url: str) -> Thread:
    """Beside the server, which must not wait: some browsers come back only when they are closed."""
    import webbrowser

    def open_browser() -> None:
        try:
            opened = webbrowser.open(url)
        except (webbrowser.Error, OSError):
            opened = False
        if not opened:
            print(f"turntile: no browser could be opened here: type {url} into one", file=sys.stderr, flush=True)

    opening = Thread(target=open_browser, daemon=True, name="browser")
    opening.start()
    return opening
