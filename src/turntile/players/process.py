"""A program at a seat: it speaks the line protocol on its standard input and output, or plain text.

Reading, judging and naming what went wrong is here; how processes are started and ended is in
processes.py. What a program says is capped: a line, and all it says in one turn.
"""

from __future__ import annotations

import os
import select
import shlex
import signal
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import msgspec

import turntile
from turntile.core.errors import TurntileError
from turntile.core.game import Outcome
from turntile.match.remarks import MOST_REMARKS, Failure, FailureKind, Remark
from turntile.players import plain_mode
from turntile.players.guests import (
    HELLO_S,
    NEWGAME_S,
    PATIENCE_S,
    SLICE_S,
    Answer,
    Guest,
    GuestFailed,
    Opening,
    Question,
)
from turntile.players.processes import Program
from turntile.players.protocol import (
    KNOWN_TYPES,
    PROTOCOL,
    ClockReading,
    End,
    FromBot,
    Hello,
    Id,
    Info,
    Move,
    NewGame,
    Quit,
    Ready,
    YourTurn,
    decoder,
    encode,
    looser,
)

MOST_LINE = 64 * 1024  # bytes of a line
MOST_A_TURN = 1024 * 1024  # bytes between two questions
SANDBOXES = ("off", "auto", "bwrap", "landlock")
PIECE = 8192  # bytes read at once: an answer is short, and room for more costs time
NOTHING_YET = bytes(2)  # stands for an empty pipe, where no bytes at all stand for a closed one
SHOWN = 120  # characters of a line that a sentence quotes


@dataclass(frozen=True, slots=True)
class Launch:
    """How programs are started."""

    sandbox: str = "off"  # auto, bwrap, landlock or off
    hello_s: float = HELLO_S
    newgame_s: float = NEWGAME_S


OWN = Launch()


class ProcessGuest(Guest):
    """One program. It starts with its first match, and again if it has ended."""

    def __init__(self, command: Sequence[str], plain: bool = False, launch: Launch = OWN) -> None:
        self.command = list(command)
        self.name = shlex.join(command)
        self.plain = plain
        self.launch = launch
        self.program: Program | None = None
        self.identity: Id | None = None
        self.clock_told: tuple[float | None, float] = (None, 0.0)
        self.reading = ClockReading(limit_ms=None)
        self.clear()

    def clear(self) -> None:
        """Nothing has been said yet."""
        self.kept_poller: select.poll | None = None
        self.polled_log = True
        self.partial = b""
        self.lines: deque[bytes] = deque()
        self.heard_bytes = 0
        self.remarks: list[Remark] = []
        self.first_unreadable = ""
        self.owed = 0  # plain mode: answers that may still come to questions whose time is over
        self.asked = False

    # ------------------------------------------------------------------- a match

    def begin(self, opening: Opening) -> None:
        self.opening = opening
        if self.program is None:
            self.start()
        self.stage = "newgame"
        match = opening.match
        if self.plain:
            self.say(plain_mode.newgame(opening), self.launch.newgame_s)
            return
        message = NewGame(
            game=match.game.name,
            rules_version=match.game.rules_version,
            options=None if match.options is None or match.start_position else msgspec.to_builtins(match.options),
            seat=opening.seat,
            players=opening.players,
            clock=opening.clock,
            seed=opening.seed,
        )
        self.say(encode(message), self.launch.newgame_s)
        self.await_ready(self.launch.newgame_s)

    def start(self) -> None:
        """Run the program and greet it."""
        self.stage = "start"
        self.clear()
        try:
            self.program = self.run()
        except (OSError, TurntileError) as error:  # the latter: the sandbox will not have it
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            what = f"{self.command[0]} cannot be started: {why}"
            raise GuestFailed(Failure(kind="crash", stage="start", what=what), fatal=True) from None
        if not self.plain:
            self.stage = "hello"
            self.say(encode(Hello(turntile=turntile.__version__)), self.launch.hello_s)
            self.await_ready(self.launch.hello_s)

    def run(self) -> Program:
        if self.launch.sandbox == "off":
            return Program(self.command)
        from turntile.players.confined import run_confined

        return run_confined(self.command, self.launch.sandbox)

    def prepare(self, question: Question) -> bytes:
        self.seq += 1
        step = question.match.step_number + 1
        self.stage = f"turn {step}"
        if self.plain:
            return plain_mode.turn(question, step)
        if self.clock_told != (question.limit_s, question.bank_s):  # most turns have the same time
            self.clock_told = (question.limit_s, question.bank_s)
            limit_ms = None if question.limit_s is None else round(question.limit_s * 1000, 3)
            self.reading = ClockReading(limit_ms=limit_ms, bank_ms=round(question.bank_s * 1000, 3))
        return encode(
            YourTurn(
                seq=self.seq,
                step=step,
                view=question.view,
                legal=question.legal,
                legal_count=question.legal_count,
                clock=self.reading,
                heard=question.heard,
                refused=question.refused,
            )
        )

    def send(self, message: bytes, patience_s: float | None) -> None:
        if self.program is None:
            raise self.fail("crash", "it has ended", fatal=True)
        if self.owed:
            self.drop_old_answers()
        self.heard_bytes = 0
        self.remarks.clear()
        self.first_unreadable = ""
        self.asked = True
        self.say(message, patience_s if patience_s is not None else PATIENCE_S)

    def drop_old_answers(self) -> None:
        """Plain answers bear no number: what came since the last turn belongs to that one."""
        assert self.program is not None
        poller = select.poll()
        poller.register(self.program.output, select.POLLIN)
        if poller.poll(0):
            self.read_output()
        while self.owed and self.lines:
            self.lines.popleft()
            self.owed -= 1

    def filenos(self) -> tuple[int, ...]:
        return self.program.filenos() if self.program is not None else ()

    def poller(self) -> select.poll:
        assert self.program is not None
        if self.kept_poller is None or self.polled_log != self.program.log_open:
            self.polled_log = self.program.log_open
            self.kept_poller = super().poller()
        return self.kept_poller

    def hear(self, ready: Sequence[tuple[int, int]]) -> Answer | None:
        program = self.program
        assert program is not None
        for fileno, _ in ready:
            if fileno == program.errors:
                program.read_log()
            elif fileno == program.output:
                data = self.read_piece(program)
                if not (self.partial or self.lines or self.plain) and data.find(b"\n") == len(data) - 1:
                    # The usual case: one whole line, and it is the move. All others go the long way.
                    move = read_move(data)
                    if move is not None and move.seq == self.seq:
                        return self.answer(move.action)
                if not self.take(data) and not self.lines:
                    raise self.crashed()
        while self.lines:
            line = self.lines.popleft()
            if self.plain:
                if self.owed:
                    self.owed -= 1
                    continue
                return self.answer(line.decode("utf-8", "replace").strip())
            message = self.understand(line)
            if isinstance(message, Move):
                if message.seq == self.seq:
                    return self.answer(message.action)
                if message.seq > self.seq:
                    raise self.fail("protocol", f"a move with seq {message.seq}, but the turn has seq {self.seq}")
            elif isinstance(message, Info) and len(self.remarks) < MOST_REMARKS:
                remark = Remark(message.text, message.cells, message.lines, message.values)
                self.remarks.append(remark.shortened())
        return None

    def answer(self, text: str) -> Answer:
        self.asked = False
        return Answer(text, tuple(self.remarks)) if self.remarks else Answer(text)

    def end(self, outcome: Outcome) -> None:
        self.stage = "end"
        if self.program is None:
            return
        message = End(scores=outcome.scores, places=outcome.places, reason=outcome.reason)
        try:
            self.say(plain_mode.end(outcome) if self.plain else encode(message), 1.0)
        except GuestFailed:
            self.close()  # it will be started again for the next match

    def close(self) -> None:
        if self.program is not None:
            self.program.close(b"quit\n" if self.plain else encode(Quit()))
            self.program = None

    # ------------------------------------------------------------------- reading and writing

    def say(self, data: bytes, patience_s: float) -> None:
        """Write all of it. A program that does not read, or first wants to be read itself, holds up nobody for ever."""
        program = self.program
        assert program is not None
        try:
            written = os.write(program.input, data)
        except BlockingIOError:
            written = 0
        except OSError:
            raise self.crashed() from None
        if written == len(data):
            return
        rest = memoryview(data)[written:]
        deadline = time.perf_counter() + patience_s
        while rest:
            poller = select.poll()
            poller.register(program.input, select.POLLOUT)
            for fileno in program.filenos():
                poller.register(fileno, select.POLLIN)
            ready = poller.poll(max(0, ceil((deadline - time.perf_counter()) * 1000)))
            if not ready:
                if program.traced():
                    deadline = time.perf_counter() + SLICE_S
                    continue
                raise self.fail("silence", f"it does not read its input ({len(rest)} bytes wait)", fatal=True)
            if any(fileno == program.input for fileno, _ in ready):
                try:
                    rest = rest[os.write(program.input, rest) :]
                except BlockingIOError:
                    continue
                except OSError:
                    raise self.crashed() from None
            else:
                self.read()

    def read(self) -> None:
        """Take in what stands in the pipes. Raises GuestFailed when the output has ended or is too much."""
        program = self.program
        assert program is not None
        ended = not self.read_output()
        if ended and not self.lines:
            raise self.crashed()
        if program.log_open:
            program.read_log()

    def read_output(self) -> bool:
        """Cut what the program said into lines; whether it may say more."""
        assert self.program is not None
        return self.take(self.read_piece(self.program))

    def read_piece(self, program: Program) -> bytes:
        """What stands in the pipe; nothing if it has ended. Comes after poll: it does not wait."""
        try:
            return os.read(program.output, PIECE)
        except BlockingIOError:
            return NOTHING_YET
        except OSError:
            return b""

    def take(self, data: bytes) -> bool:
        if not data:
            return False
        if data is NOTHING_YET:
            return True
        self.heard_bytes += len(data)
        if self.heard_bytes > MOST_A_TURN:
            raise self.fail("protocol", f"more than {MOST_A_TURN} bytes in one turn", fatal=True)
        *lines, self.partial = (self.partial + data).split(b"\n")
        if len(self.partial) > MOST_LINE or any(len(line) > MOST_LINE for line in lines):
            raise self.fail("protocol", f"a line of more than {MOST_LINE} bytes", fatal=True)
        self.lines.extend(lines)
        return True

    def understand(self, line: bytes) -> FromBot | None:
        """The message on a line; None for what is none or of an unknown type. Raises GuestFailed for a broken one."""
        try:
            message: FromBot = decoder.decode(line)
            return message
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            broken = str(error)
        if not line.strip():
            return None
        try:
            kind = looser.decode(line).get("type")
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            kind = None
        if kind in KNOWN_TYPES:
            raise self.fail("protocol", f"the message {shown(line)} is wrong: {broken}")
        if kind is None and not self.first_unreadable:
            self.first_unreadable = shown(line)
        return None

    def await_ready(self, patience_s: float) -> None:
        """Read until the program is ready; its clock does not run."""
        program = self.program
        assert program is not None
        started = time.perf_counter()
        deadline = started + patience_s
        self.heard_bytes = 0
        self.first_unreadable = ""
        while True:
            while self.lines:
                message = self.understand(self.lines.popleft())
                if isinstance(message, Id):
                    self.identity = message
                elif isinstance(message, Ready):
                    if message.protocol != PROTOCOL:
                        what = f"it speaks protocol {message.protocol}, this Turntile speaks {PROTOCOL}"
                        raise self.fail("protocol", what, fatal=True)
                    return
            poller = select.poll()
            for fileno in program.filenos():
                poller.register(fileno, select.POLLIN)
            if poller.poll(max(0, ceil((deadline - time.perf_counter()) * 1000))):
                self.read()
            elif program.traced():
                deadline = time.perf_counter() + SLICE_S
            else:
                spent = time.perf_counter() - started
                if self.first_unreadable:
                    raise self.fail("protocol", self.unreadable(), spent, patience_s, fatal=True)
                what = f'no {{"type":"ready"}} within {patience_s:g} s after {self.stage}; does it flush its output?'
                raise self.fail("silence", what, spent, patience_s, fatal=True)

    # ------------------------------------------------------------------- what went wrong

    def unreadable(self) -> str:
        if not self.first_unreadable:
            return ""
        return (
            f"it wrote {self.first_unreadable}, which is no message: standard output is for messages, "
            "standard error for everything else"
        )

    def traced(self) -> bool:
        return self.program is not None and self.program.traced()

    def crashed(self) -> GuestFailed:
        """Its output has ended: how did it end?"""
        program = self.program
        assert program is not None
        code = program.await_end(0.5)
        if code is None:
            return self.fail("crash", "it closed its input or output but runs on", fatal=True)
        if self.partial and not self.lines and code == 0:
            return self.fail("crash", f"it ended after {shown(self.partial)}, without an end of line", fatal=True)
        what = how_it_ended(code)
        if self.launch.sandbox != "off":
            from turntile.players.confined import name_of_ending

            program.read_log()
            what += f"; the sandbox says: {name_of_ending(code, program.log.lines())}"
        return self.fail("crash", what, fatal=True)

    def fail(
        self, kind: FailureKind, what: str, time_s: float = 0.0, limit_s: float | None = None, fatal: bool = False
    ) -> GuestFailed:
        """Fatal: the program is ended, nothing of it is left."""
        if self.asked and not fatal:
            self.owed += self.plain
        self.asked = False
        program = self.program
        code: int | None = None
        log: tuple[str, ...] = ()
        if program is not None:
            program.read_log()
            code = program.process.poll()
            if fatal:
                program.close()
                self.program = None
            log = program.log.lines()
        failure = Failure(
            kind=kind,
            stage=self.stage,
            what=what,
            time_ms=round(time_s * 1000, 3),
            limit_ms=None if limit_s is None else round(limit_s * 1000, 3),
            exit_code=code if code is not None and code >= 0 else None,
            signal=signal_name(-code) if code is not None and code < 0 else "",
            stderr=log,
        )
        return GuestFailed(failure, fatal)


def read_move(data: bytes) -> Move | None:
    try:
        message = decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return message if type(message) is Move else None


def how_it_ended(code: int) -> str:
    if code < 0:
        return f"it was ended by {signal_name(-code)}"
    return f"it ended with exit code {code}"


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def shown(line: bytes) -> str:
    text = line.decode("utf-8", "replace").strip()
    return repr(text if len(text) <= SHOWN else text[: SHOWN - 3] + "...")
