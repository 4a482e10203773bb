"""What is said over the socket of a live match, version 1: one JSON object a message, told apart by `type`.

Schemas are made from these types (`/api/v1/schemas/socket.json`). Fields and messages that a
reader does not know are ignored, so that later versions can add some. Nothing about an action
is said to anybody before it is committed to the store.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from turntile.core.scene import Mark, Scene, Stage

PROTOCOL = "turntile.v1"
VERSION = 1


# ------------------------------------------------------------------- what a client says


class Act(msgspec.Struct, frozen=True, tag="act"):
    """An action, or several with `;` between them. Sent again with the same `seq` it counts once."""

    seq: int  # of this seat: 1, 2, 3 ...; `welcome` and `frame` tell the next one
    text: str
    seat: int = -1  # may be left out by who holds one seat
    step: int = -1  # the step it was chosen at: refused if the match has gone on since


class Resign(msgspec.Struct, frozen=True, tag="resign"):
    seat: int = -1


class Draw(msgspec.Struct, frozen=True, tag="draw"):
    """An offer of a draw, or the answer to one."""

    answer: Literal["offer", "accept", "decline"]
    seat: int = -1


class Preview(msgspec.Struct, frozen=True, tag="preview"):
    """What would this do if nobody else moved? Answered by `answer` with marks."""

    id: int
    text: str
    seat: int = -1


class Why(msgspec.Struct, frozen=True, tag="why"):
    """Why is that not possible? For a text, a key or a cell. Answered by `answer` with a sentence."""

    id: int
    text: str = ""
    key: str = ""
    cell: tuple[int, int] | None = None
    seat: int = -1


class Ping(msgspec.Struct, frozen=True, tag="ping"):
    id: int = 0


Said = Act | Resign | Draw | Preview | Why | Ping


# ------------------------------------------------------------------- what the server says


class SeatInfo(msgspec.Struct, frozen=True, kw_only=True):
    """Who sits there."""

    seat: int
    kind: Literal["open", "human", "builtin", "bot"]
    name: str
    player: str | None = None  # the name of the account, guest or bot; None where the seat is open
    bot: str = ""  # the level or spelling of a built-in bot
    rating: float | None = None
    mine: bool = False  # held by who asks
    present: bool = False  # connected now
    score: int | None = None
    place: int | None = None


class OutcomeInfo(msgspec.Struct, frozen=True, kw_only=True):
    scores: tuple[int, ...]
    places: tuple[int, ...]
    reason: str


class MatchInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A table as everybody may know it."""

    id: str
    game: str
    title: str  # the game's
    status: Literal["open", "playing", "over", "stopped"]
    listed: bool
    rated: bool
    created: str  # RFC 3339, UTC
    started: str | None = None
    ended: str | None = None
    clock: str = ""
    options: dict[str, Any] = {}
    seats: tuple[SeatInfo, ...]
    step: int = 0
    to_act: tuple[int, ...] = ()
    outcome: OutcomeInfo | None = None
    stopped: str = ""  # why there is no outcome
    seed_hash: str = ""
    seed: str | None = None  # 16 hexadecimal digits, told when it is over
    rematch: str | None = None  # the id of the next table
    draw_offers: tuple[int, ...] = ()
    draws: bool = False
    watchers: int = 0
    created_by: str | None = None
    contest: str | None = None


class ClockInfo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A seat's clock at the moment of sending; it runs while the seat is to act."""

    limit_ms: float | None = None  # how long the present turn may still last; None: no limit
    bank_ms: float = 0.0


class Picture(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one pair of eyes sees. Which fields are there depends on the feed."""

    seat: int | None  # None: the judge's eyes, for watchers
    lines: tuple[str, ...] = ()  # what was told since the frame before
    scene: Scene | None = None  # feed=scene
    stages: tuple[Stage, ...] = ()  # moments on the way, where a step is long
    view: Any = None  # feed=view: the game's own view ...
    legal: tuple[str, ...] = ()  # ... and the legal actions
    legal_count: int = 0
    next_seq: int = 0  # the `seq` this seat's next action is to bear


class Welcome(msgspec.Struct, frozen=True, kw_only=True, tag="welcome"):
    """The first message."""

    version: int = VERSION
    turntile: str
    match: MatchInfo
    seats: tuple[int, ...]  # those held by this client; none: a watcher
    delay_s: float = 0.0  # how far watchers are behind
    delay_steps: int = 0


class Frame(msgspec.Struct, frozen=True, kw_only=True, tag="frame"):
    """The match as it stands now; resume with `since=step`."""

    number: int  # of what everybody knows to have happened: steps, resignations, a draw agreed on
    step: int
    pictures: tuple[Picture, ...]  # one for each seat held, or one for a watcher
    to_act: tuple[int, ...] = ()  # as far as these eyes may know
    waiting: tuple[int, ...] = ()  # of those held: still to choose
    clocks: tuple[ClockInfo, ...] = ()
    due_ms: float | None = None  # real time: the step is played in so many milliseconds
    outcome: OutcomeInfo | None = None
    covered: bool = False  # several seats at one screen know different things: show one at a time
    missed_before: int = 0  # steps since `since` whose lines are no longer there


class Ack(msgspec.Struct, frozen=True, kw_only=True, tag="ack"):
    """The action is committed; it will be played, whatever happens to the server."""

    seat: int
    seq: int
    number: int  # of what everybody knows to have happened: steps, resignations, a draw agreed on
    repeated: bool = False


class Refused(msgspec.Struct, frozen=True, kw_only=True, tag="refused"):
    """The action is not possible, and nothing has changed; its `seq` is free again."""

    seat: int
    seq: int
    sentence: str
    key: str = ""  # the rulebook's error key, where it has such


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag="answer"):
    """To `preview` and `why`."""

    id: int
    sentence: str = ""
    marks: tuple[Mark, ...] = ()


class Told(msgspec.Struct, frozen=True, kw_only=True, tag="told"):
    """Something around the match: who came or left, a draw offered, a queued action refused, a rematch."""

    sentence: str
    match: MatchInfo | None = None
    seat: int = -1


class Pong(msgspec.Struct, frozen=True, kw_only=True, tag="pong"):
    id: int = 0


class Error(msgspec.Struct, frozen=True, kw_only=True, tag="error"):
    """What was said cannot be understood, or the server closes the connection and says why."""

    sentence: str


class Reconnect(msgspec.Struct, frozen=True, kw_only=True, tag="reconnect"):
    """The server goes away for a moment: come again after so long."""

    after_ms: int


Message = Welcome | Frame | Ack | Refused | Answer | Told | Pong | Error | Reconnect

read_said: Callable[[str], Said] = msgspec.json.Decoder(Said).decode
write_message = msgspec.json.Encoder().encode
