"""Replays: what was played, as JSON lines that prove themselves. Bytes in, bytes out; callers own the files.

A header, a line for each step, a last line with the outcome and the seed. Each line ends with
a hash over its own bytes and the line before, so that a changed, lost or added byte is found,
and a match that was killed leaves lines that can still be trusted. docs/replay-format.md is
the description for readers in other languages. A replay holds no positions: it re-runs the rules.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

import turntile
from turntile.core.errors import TurntileError
from turntile.core.game import Game, Outcome
from turntile.core.gears import GearName
from turntile.forge.layout import layout_code
from turntile.match.match import Match, Step, hash_seed
from turntile.match.options import choose_options
from turntile.match.remarks import Failure, Remark

if TYPE_CHECKING:
    import zstandard

FORMAT = "turntile replay"
VERSION = 1
CHAIN_DIGITS = 32  # of SHA-256, as hexadecimal digits
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
MOST_BYTES = 256 * 1024 * 1024  # unpacked
ZSTD_PIECE = 1024  # bytes unpacked at a time, so that a file made to burst is noticed early


class InvalidReplay(TurntileError):
    """Bytes that are no replay, an altered one, or one this Turntile cannot play."""


class DamagedReplay(InvalidReplay):
    """A replay that was cut or altered; the lines before the damage still prove themselves."""

    def __init__(self, name: str, damage: str, steps: int) -> None:
        super().__init__(f"{name}: {damage}; the {steps} steps before are as they were played")
        self.steps = steps


class ReplayDiffers(TurntileError):
    """The rules do not play what the replay says was played."""


class SeatHeader(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who sat there."""

    name: str
    kind: str = "bot"  # bot, human ...


class Header(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The first line."""

    format: str
    version: int
    game: str
    rules_version: int
    layout: str  # of the game's records: says whether `digest` can be compared
    turntile: str  # the version that wrote it
    options: dict[str, Any] | None  # None where a position stands for them
    seats: tuple[SeatHeader, ...]
    clock: str
    seed_hash: str
    position: str = ""  # where the match began, if not with the game's own set-up
    started: str = ""  # UTC, RFC 3339
    tags: dict[str, str] = {}


class StepLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One step: what each seat did, and the hash of the position after it."""

    step: int
    actions: dict[int, str]
    silent: tuple[int, ...] = ()
    times_ms: dict[int, float] = {}
    notes: dict[int, str] = {}
    messages: dict[int, str] = {}
    remarks: dict[int, tuple[Remark, ...]] = {}
    failures: dict[int, Failure] = {}
    digest: str


class ResignLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A seat gave up between two steps."""

    resigned: int
    why: str
    failure: Failure | None = None


class DrawLine(msgspec.Struct, frozen=True, kw_only=True):
    """All who still played agreed on a draw."""

    drawn: str  # how: "agreed"


class EndLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The last line."""

    steps: int
    outcome: Outcome | None
    seed: str  # 16 hexadecimal digits: secret until now
    stopped: str = ""  # why there is no outcome


@dataclass(frozen=True, slots=True)
class Replay:
    """A replay as it was read."""

    name: str  # of the file, for messages
    header: Header
    lines: tuple[StepLine | ResignLine | DrawLine, ...]
    end: EndLine | None  # None: the match was killed, or the file is cut

    @property
    def steps(self) -> int:
        return sum(isinstance(line, StepLine) for line in self.lines)


# ------------------------------------------------------------------- writing


class ReplayWriter:
    """Turns a match, step by step, into the bytes of its replay. Every piece can be read as soon as it is stored."""

    def __init__(self, compress: bool = False) -> None:
        self.chain = b""
        self.compressor: zstandard.ZstdCompressionObj | None = None
        if compress:
            import zstandard

            self.compressor = zstandard.ZstdCompressor(level=9, write_checksum=True).compressobj()

    def begin(
        self,
        match: Match,
        seats: Sequence[SeatHeader],
        clock: str = "none",
        started: str = "",
        tags: dict[str, str] | None = None,
    ) -> bytes:
        return self.line(
            Header(
                format=FORMAT,
                version=VERSION,
                game=match.game.name,
                rules_version=match.game.rules_version,
                layout=layout_code(match.game.root.LAYOUT).hex(),
                turntile=turntile.__version__,
                options=None if match.options is None else msgspec.to_builtins(match.options),
                seats=tuple(seats),
                clock=clock,
                seed_hash=match.seed_hash,
                position=match.start_position,
                started=started,
                tags=tags or {},
            )
        )

    def step(self, step: Step) -> bytes:
        played = step.played
        return self.line(
            StepLine(
                step=step.number,
                actions={seat: did.text for seat, did in played.items()},
                silent=tuple(seat for seat, did in played.items() if did.silent),
                times_ms={seat: round(did.time_s * 1000, 3) for seat, did in played.items() if did.time_s},
                notes={seat: did.note for seat, did in played.items() if did.note},
                messages={seat: did.message for seat, did in played.items() if did.message},
                remarks={seat: did.remarks for seat, did in played.items() if did.remarks},
                failures={seat: did.failure for seat, did in played.items() if did.failure},
                digest=step.digest,
            )
        )

    def resign(self, seat: int, why: str, failure: Failure | None = None) -> bytes:
        """Comes before the steps that `Match.resign` returned."""
        return self.line(ResignLine(resigned=seat, why=why, failure=failure))

    def draw(self) -> bytes:
        return self.line(DrawLine(drawn="agreed"))

    def end(self, match: Match, stopped: str = "") -> bytes:
        """The last line: the outcome, or why there is none."""
        outcome = match.outcome
        why = "" if outcome else stopped or "stopped"
        data = self.line(EndLine(steps=match.step_number, outcome=outcome, seed=f"{match.seed:016x}", stopped=why))
        return data + self.compressor.flush() if self.compressor else data

    def line(self, content: msgspec.Struct) -> bytes:
        body = msgspec.json.encode(content)
        assert body[-1:] == b"}" and b"\n" not in body, body
        self.chain = link(self.chain, body[:-1])
        data = body[:-1] + chain_suffix(self.chain) + b"\n"
        if self.compressor is None:
            return data
        import zstandard

        return self.compressor.compress(data) + self.compressor.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)


def link(chain: bytes, body: bytes) -> bytes:
    """The next hash of the chain: over the one before and the line's bytes up to its own hash."""
    return hashlib.sha256(chain + body).hexdigest()[:CHAIN_DIGITS].encode()


def chain_suffix(chain: bytes) -> bytes:
    return b',"chain":"' + chain + b'"}'


# ------------------------------------------------------------------- reading


def read_replay(data: bytes, name: str = "the replay", so_far: bool = False) -> Replay:
    """The replay these bytes are, every byte checked. `so_far` makes do with the lines before the damage."""
    plain, damage = unpack(data, name)
    if not plain:
        raise InvalidReplay(f"{name} is no replay: it is empty")
    lines = plain.split(b"\n")
    header = read_header(lines[0], name)
    chain = b""
    played: list[StepLine | ResignLine | DrawLine] = []
    end: EndLine | None = None
    for number, line in enumerate(lines, 1):
        if end is not None:
            if line or number < len(lines):
                damage = damage or f"something stands behind its last line, {number - 1}"
            break
        if number == len(lines):
            damage = damage or "it breaks off: its last line is missing"
            break
        body = line[: -len(chain_suffix(b"0" * CHAIN_DIGITS))]
        chain = link(chain, body)
        if line != body + chain_suffix(chain):
            damage = damage or f"it was altered in line {number}: the hash there does not fit"
            break
        if number > 1:
            content = read_line(body + b"}", name, number)
            if isinstance(content, EndLine):
                end = content
            else:
                played.append(content)
    if damage and not so_far:
        raise DamagedReplay(name, damage, sum(isinstance(line, StepLine) for line in played))
    return Replay(name, header, tuple(played), end)


def unpack(data: bytes, name: str) -> tuple[bytes, str]:
    """The JSON lines of a packed or plain replay, and what is wrong with the packing, if anything."""
    if len(data) > MOST_BYTES:
        raise InvalidReplay(f"{name} is too large for a replay: at most {MOST_BYTES} bytes")
    if not data.startswith(ZSTD_MAGIC):
        return data, ""
    import zstandard

    unpacker = zstandard.ZstdDecompressor(max_window_size=2**27).decompressobj()
    pieces: list[bytes] = []
    size = 0
    for start in range(0, len(data), ZSTD_PIECE):
        if unpacker.eof:
            return b"".join(pieces), "something stands behind its packed end"
        try:
            pieces.append(unpacker.decompress(data[start : start + ZSTD_PIECE]))
        except zstandard.ZstdError:
            return b"".join(pieces), "it was altered: it cannot be unpacked to its end"
        size += len(pieces[-1])
        if size > MOST_BYTES:
            raise InvalidReplay(f"{name} is too large for a replay: at most {MOST_BYTES} bytes unpacked")
    if unpacker.unused_data:
        return b"".join(pieces), "something stands behind its packed end"
    return b"".join(pieces), "" if unpacker.eof else "it breaks off"


def read_header(line: bytes, name: str) -> Header:
    """The first line, or why it cannot be one, or is of another time."""
    try:
        loose = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise InvalidReplay(f"{name} is no replay: its first line is no JSON") from None
    if not isinstance(loose, dict) or loose.get("format") != FORMAT:
        raise InvalidReplay(f'{name} is no replay: its first line does not say "format":"{FORMAT}"')
    version = loose.get("version")
    if version != VERSION:
        newer = isinstance(version, int) and version > VERSION
        remedy = f"use Turntile {loose.get('turntile')}, which wrote it" if newer else "it is too old"
        raise InvalidReplay(f"{name} is of replay format {version!r}, this Turntile reads format {VERSION}: {remedy}")
    try:
        return msgspec.convert(loose, Header)
    except msgspec.ValidationError as error:
        raise InvalidReplay(f"{name} is no replay: its header is wrong: {error}") from None


def read_line(body: bytes, name: str, number: int) -> StepLine | ResignLine | DrawLine | EndLine:
    try:
        loose = msgspec.json.decode(body)
        if isinstance(loose, dict) and "step" in loose:
            return msgspec.json.decode(body, type=StepLine)
        if isinstance(loose, dict) and "resigned" in loose:
            return msgspec.json.decode(body, type=ResignLine)
        if isinstance(loose, dict) and "drawn" in loose:
            return msgspec.json.decode(body, type=DrawLine)
        return msgspec.json.decode(body, type=EndLine)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidReplay(f"{name}, line {number}, is no line of a replay: {error}") from None


# ------------------------------------------------------------------- playing again


def restart(replay: Replay, game: Game, seed: int | None = None, gear: GearName | None = None) -> Match:
    """The match as it began. A replay of other rules, or without its seed, is refused."""
    header = replay.header
    if header.rules_version != game.rules_version:
        raise InvalidReplay(
            f"{replay.name} was played by version {header.rules_version} of {game.name}'s rules, these are version "
            f"{game.rules_version} and would play it differently: Turntile {header.turntile} plays it"
        )
    if replay.end is not None:
        seed = read_seed(replay.end.seed, replay.name)
    if seed is None:
        raise InvalidReplay(f"{replay.name} breaks off before its seed was told: say --seed N if you know it")
    if hash_seed(game.name, seed) != header.seed_hash:
        raise InvalidReplay(f"{replay.name}: {seed} is not the seed whose hash was published in its first line")
    options = None if header.options is None else choose_options(game, header.options)
    if header.position:
        match = Match.from_position(game, game.read_position(header.position), options, seed, gear)
    else:
        match = Match.start(game, options, seed, gear)
    if len(header.seats) != len(match.seats):
        raise InvalidReplay(f"{replay.name} names {len(header.seats)} players for {len(match.seats)} seats")
    return match


def read_seed(text: str, name: str) -> int:
    if len(text) != 16 or not all(digit in "0123456789abcdef" for digit in text):
        raise InvalidReplay(f"{name}: {text!r} is no seed: 16 hexadecimal digits")
    return int(text, 16)


def rerun(replay: Replay, match: Match) -> Iterator[Step | ResignLine | DrawLine]:
    """Play a restarted match again, line by line; ReplayDiffers where the rules do not follow."""
    ahead: deque[Step] = deque()  # steps that a resignation alone set off
    for line in replay.lines:
        if isinstance(line, ResignLine):
            try:
                ahead.extend(match.resign(line.resigned, line.why, line.failure))
            except TurntileError as refusal:
                raise ReplayDiffers(f"{replay.name}, after step {match.step_number}: {refusal}") from None
            yield line
            continue
        if isinstance(line, DrawLine):
            try:
                match.agree_draw()
            except TurntileError as refusal:
                raise ReplayDiffers(f"{replay.name}, after step {match.step_number}: {refusal}") from None
            yield line
            continue
        step = ahead.popleft() if ahead else play_line(replay, match, line)
        compare(replay, match, step, line)
        yield step


def play_line(replay: Replay, match: Match, line: StepLine) -> Step:
    where = f"{replay.name}, step {line.step}"
    waiting = match.waiting()
    if set(line.actions) != set(match.to_act()):
        raise ReplayDiffers(
            f"{where}: seats {sorted(line.actions)} acted, but the rules wait for {list(match.to_act())}"
        )
    steps: list[Step] = []
    for seat in waiting:
        time_s = line.times_ms.get(seat, 0.0) / 1000
        note = line.notes.get(seat, "")
        remarks = line.remarks.get(seat, ())
        try:
            if seat in line.silent:
                steps = match.be_silent(seat, time_s, note, remarks, line.failures.get(seat))
            else:
                message = line.messages.get(seat, "")
                steps = match.choose(seat, line.actions[seat], time_s, note, message, remarks=remarks)
        except TurntileError as refusal:
            raise ReplayDiffers(f"{where}: seat {seat} cannot have done {line.actions[seat]!r}: {refusal}") from None
    if not steps:
        raise ReplayDiffers(f"{where}: the rules still wait for seats {list(match.waiting())}")
    return steps[0]


def same_layout(replay: Replay, game: Game) -> bool:
    """Whether hashes of positions can be compared: not after a record got another field under the same rules."""
    return replay.header.layout == layout_code(game.root.LAYOUT).hex()


def compare(replay: Replay, match: Match, step: Step, line: StepLine) -> None:
    where = f"{replay.name}, step {line.step}"
    if step.number != line.step:
        raise ReplayDiffers(f"{where}: the rules count {step.number} steps here")
    actions = {seat: did.text for seat, did in step.played.items()}
    if actions != line.actions:
        raise ReplayDiffers(f"{where}: the rules read {actions}, the replay says {line.actions}")
    if step.digest != line.digest and same_layout(replay, match.game):
        raise ReplayDiffers(f"{where}: the rules come to position {step.digest}, the replay says {line.digest}")


def verify(replay: Replay, game: Game, seed: int | None = None, gear: GearName | None = None) -> Match:
    """Re-run the rules and compare every action, position and the outcome; the match at its end."""
    match = restart(replay, game, seed, gear)
    for _ in rerun(replay, match):
        pass
    if replay.end is None:
        return match
    if replay.end.steps != match.step_number:
        raise ReplayDiffers(f"{replay.name} says it has {replay.end.steps} steps, it has {match.step_number}")
    if replay.end.outcome != match.outcome:
        raise ReplayDiffers(f"{replay.name} ends with {replay.end.outcome}, the rules with {match.outcome}")
    return match
