"""What can be chosen about a server: one frozen record, made by `turntile serve`, tests and tools.

Every figure here is a promise somebody relies on (how long a guest's cookie lives, how many
logins a minute), so it has a name, a default that does for a club or a class, and no other home.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from pathlib import Path

from turntile.core.errors import TurntileError

SOCKETS_PER_ADDRESS = 500


class InvalidSettings(TurntileError):
    """Settings no server can run with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """So many at once, and so many more each second: a bucket that fills up again."""

    burst: int
    per_second: float

    @classmethod
    def per_minute(cls, count: int, burst: int = 0) -> Rate:
        return cls(burst=burst or count, per_second=count / 60)

    @classmethod
    def per_hour(cls, count: int) -> Rate:
        return cls(burst=count, per_second=count / 3600)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How often one address, and one account, may do what. `scaled` is for tests and busy organisers."""

    login: Rate = field(default_factory=lambda: Rate.per_minute(10, burst=40))  # a class may begin together
    account: Rate = field(default_factory=lambda: Rate.per_hour(40))
    guest: Rate = field(default_factory=lambda: Rate.per_minute(20, burst=40))  # guests made from one address
    match: Rate = field(default_factory=lambda: Rate.per_minute(30))
    upload: Rate = field(default_factory=lambda: Rate.per_minute(12))
    publish: Rate = field(default_factory=lambda: Rate.per_minute(600, burst=1200))
    download: Rate = field(default_factory=lambda: Rate.per_minute(30))  # GIFs and pages that must be drawn
    write: Rate = field(default_factory=lambda: Rate.per_minute(300))
    move: Rate = field(default_factory=lambda: Rate.per_minute(3000))
    read: Rate = field(default_factory=lambda: Rate.per_minute(600))
    addresses: int = 20_000  # buckets remembered; the ones longest unused are forgotten first

    def scaled(self, factor: float) -> Limits:
        """All of them so many times as generous. Raises InvalidSettings."""
        if not 0 < factor < math.inf:
            raise InvalidSettings(f"{factor:g} is no factor for limits: say 3 for three times as many, 0.5 for half")
        rates = {
            name: Rate(burst=max(1, round(rate.burst * factor)), per_second=rate.per_second * factor)
            for name in self.__slots__
            if isinstance(rate := getattr(self, name), Rate)
        }
        return Limits(**rates, addresses=self.addresses)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """A server's settings. Times are in seconds."""

    # where it listens, where it keeps things
    host: str = "127.0.0.1"
    port: int = 8000
    db: str = "sqlite:///turntile.db"
    data_dir: Path = Path("turntile-data")  # uploaded bots' folders
    page_dir: Path | None = None  # the built page; None: the one inside the package

    # who may talk to it
    public_url: str = ""  # as people reach it, "https://arena.example"; "" where nothing stands before it
    origins: tuple[str, ...] = ()  # further origins whose pages may write and open sockets
    cors_origins: tuple[str, ...] = ()  # origins whose scripts may read answers; none: no CORS at all
    trusted_proxies: tuple[str, ...] = ()  # addresses and networks whose X-Forwarded-For is believed
    metrics_token: str = ""  # who may read /metrics from elsewhere; "": only this machine
    limits: Limits = field(default_factory=Limits)
    body_bytes: int = 256 * 1024  # the largest body of a request
    session_s: float = 30 * 86400
    guest_s: float = 30 * 86400  # a guest without matches is forgotten so long after his last request
    hashing_at_once: int = 2  # passwords hashed at the same time: each takes 64 MB
    password_memory_kib: int = 64 * 1024  # of argon2id; tests may take less
    password_rounds: int = 3

    # sockets
    socket_message_bytes: int = 64 * 1024
    socket_messages: int = 60  # of a person for each seat, in socket_window_s; more where steps are in real time
    socket_messages_token: int = 2000  # of a bot with a token
    socket_window_s: float = 20.0
    socket_queue: int = 64  # frames waiting for a slow reader
    sockets_per_address: int = SOCKETS_PER_ADDRESS  # open at the same time; this machine itself is not counted
    watchers_per_table: int = 2000

    # matches
    watch_delay_s: float = 30.0  # how far watchers of hidden games are behind: both must have passed
    watch_delay_steps: int = 10
    abandon_s: float = 3600.0  # without a clock: a person who is away so long while others wait has left
    open_table_s: float = 86400.0  # an open table without anybody is removed
    most_steps: int = 100_000  # a match that lasts longer is stopped
    most_tables: int = 10_000  # open or playing in this process
    tables_per_player: int = 50
    countdown_s: float = 3.0  # before the first step of a game in real time
    draw_at_once: int = 2  # GIFs, pages and films made at the same time
    drawn_cache_bytes: int = 64 * 1024 * 1024

    # bots
    thinkers: int = 0  # worker processes for built-in bots; 0: what the machine has to spare
    thinking_s: float = 60.0  # a built-in bot that thinks longer is started anew
    bot_pause_s: float = 0.35  # so that people see what a bot that answers at once has done
    show_pace_s: float = 0.5  # a step, where bots play each other for watchers
    bot_clock: str = "1s*1+200ms"  # of uploaded bots and webhooks where the table has no clock
    challenge_s: float = 60.0  # a bot behind NAT answers a challenge so soon
    keep_alive_s: float = 7.0  # a blank line in ndjson streams
    upload_bytes: int = 256 * 1024
    publish_bytes: int = 2 * 1024 * 1024  # a piece of a contest that is published
    contests_per_player: int = 100  # published and kept
    contest_bytes_per_player: int = 256 * 1024 * 1024  # ... with their replays: 40,000 matches of Tron
    upload_processes: int = 4
    allow_local_webhooks: bool = False  # tests and classrooms only: webhooks at private addresses

    # several processes on one database
    process_id: str = ""  # "": one is drawn at start
    neighbour_url: str = ""  # how other processes reach this one; "": http://host:port
    beat_s: float = 2.0
    stale_s: float = 10.0
    migrate: bool = True  # bring an older database up to date at start

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise InvalidSettings(f"{self.port} is no port: 1 to 65535, or 0 for a free one")
        if not 0 <= self.watch_delay_s < math.inf:
            raise InvalidSettings(f"{self.watch_delay_s:g} is no delay: say how many seconds, 0 for none")
        if self.neighbour_url and not re.fullmatch(r"https?://[^/?#\s]+/?", self.neighbour_url):
            raise InvalidSettings(
                f"{self.neighbour_url!r} is no address of a process: write it like http://10.0.0.7:8001"
            )
        for origin in (*self.origins, *self.cors_origins, *([self.public_url] if self.public_url else [])):
            scheme, _, rest = origin.partition("://")
            if scheme not in ("http", "https") or not rest or "/" in rest.rstrip("/"):
                raise InvalidSettings(
                    f"{origin!r} is no origin: write it like https://arena.example or http://host:8000"
                )
