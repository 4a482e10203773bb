"""The bad cases played against a bot, and what to fix: `turntile bot check`.

Each case starts the program anew unless it is about what a program keeps. A case passes,
fails with what to fix, or warns of what would only hurt under a tight clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from turntile.core.errors import TurntileError
from turntile.core.game import Game, Outcome
from turntile.core.registry import find, our_names
from turntile.match.match import Match
from turntile.match.options import choose_options
from turntile.match.remarks import Failure
from turntile.players.guests import GuestFailed, ask_guests, opening_for, question_for
from turntile.players.host import Host
from turntile.players.process import ProcessGuest
from turntile.players.seats import Player, default_opponent, seat_player

SLOW_START_S = 5.0  # longer, and a contest of short matches waits more than it plays
MOST_STEPS = 1500  # of one match: what shows itself shows itself earlier
REUSES = 200  # matches over which memory is watched
WARM_UP = 40  # ... of which the first may fill caches
GROWN_KB = 20 * 1024
QUIT_S = 2.0
PATIENCE_S = 10.0

# Boards as large as the games allow, by what is chosen for them.
HUGE: dict[str, dict[str, Any]] = {
    "tron": {"size": 49, "players": 4},
    "racers": {"width": 64, "height": 64},
    "worms": {"map": "random", "width": 128, "height": 64, "worms": 8},
    "roborace": {"board": "made", "width": 24, "height": 24, "players": 4},
    "robots": {"width": 50, "height": 50, "players": 8},
}

Verdict = Literal["ok", "warning", "failed"]


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one case showed."""

    case: str
    verdict: Verdict
    what: str  # what was seen
    fix: str = ""
    stderr: tuple[str, ...] = ()


class Report(msgspec.Struct, frozen=True):
    """All cases of one check."""

    command: str
    name: str
    passed: bool
    findings: tuple[Finding, ...]


class CaseFailed(Exception):
    """A case did not pass."""

    def __init__(self, what: str, fix: str, stderr: tuple[str, ...] = ()) -> None:
        super().__init__(what)
        self.fix = fix
        self.stderr = stderr


FIXES = {
    "crash": "find the cause in the program's log above",
    "silence": "answer every turn, end every line with \\n and flush the output after it",
    "time": "answer faster, or choose a longer --clock",
    "illegal": "answer with one of the texts in `legal`, exactly as they stand there",
    "protocol": "write messages only to standard output, one JSON object a line, and logs to standard error",
}


@dataclass
class Check:
    """One check of one program. `make` gives a fresh one."""

    make: Callable[[], ProcessGuest]
    games: tuple[str, ...]
    reuses: int = REUSES
    name: str = ""

    def run(self, tell: Callable[[Finding], None] = lambda finding: None) -> Report:
        findings: list[Finding] = []
        for case, play in self.cases():
            finding = self.try_case(case, play)
            findings.append(finding)
            tell(finding)
            if case == "handshake" and finding.verdict == "failed":
                break  # the others would only say the same again
        command = self.make().name
        passed = all(finding.verdict != "failed" for finding in findings)
        return Report(command, self.name, passed, tuple(findings))

    def try_case(self, case: str, play: Callable[[], str]) -> Finding:
        try:
            what = play()
        except CaseFailed as failed:
            return Finding(case, "failed", str(failed), failed.fix, failed.stderr)
        except GuestFailed as failed:
            return Finding(case, "failed", *told(failed.failure))
        except TurntileError as refusal:
            return Finding(case, "failed", str(refusal), "see above")
        warning = what.startswith("warning: ")
        text = what.removeprefix("warning: ")
        return Finding(case, "warning" if warning else "ok", text)

    def cases(self) -> Iterator[tuple[str, Callable[[], str]]]:
        yield "handshake", self.handshake
        for name in self.games:
            yield f"a match of {name}", lambda name=name: self.whole_match(find(name))  # type: ignore[misc]
        yield "a refused answer", self.refused
        yield "unicode", self.unicode
        yield "unknown messages", self.unknown
        for name in self.games:
            yield f"a huge board of {name}", lambda name=name: self.huge_board(find(name))  # type: ignore[misc]
        yield "newgame in the middle of a match", self.newgame_early
        yield "end and quit", self.end_and_quit
        yield "the end of its input", self.end_of_input
        yield f"memory over {self.reuses} matches", self.memory

    # ------------------------------------------------------------------- cases

    def handshake(self) -> str:
        """It starts, greets and gets ready, soon enough."""
        guest = self.make()
        started = time.perf_counter()
        try:
            guest.begin(opening_for(self.small_match(), 0, ("bot", "other"), "none"))
            spent = time.perf_counter() - started
            self.name = guest.identity.name if guest.identity is not None else ""
        finally:
            guest.close()
        if spent > SLOW_START_S:
            return f"warning: ready after {spent:.1f} s; in a contest every start costs that, load less at the start"
        return f"ready after {spent * 1000:.0f} ms" + (f", its name is {self.name}" if self.name else "")

    def whole_match(self, game: Game) -> str:
        """A match to its end, every answer counted."""
        options = {"players": 2} if "players" in game.options.__struct_fields__ else {}
        match = Match.start(game, choose_options(game, options), 7)
        with self.guest() as guest:
            slowest = self.play_out(match, guest)
        return f"{match.step_number} steps, slowest answer {slowest * 1000:.1f} ms"

    def play_out(self, match: Match, guest: ProcessGuest) -> float:
        opponent = seat_player(match.game, default_opponent(match.game))
        diary = Diary(match)
        players = [Player("bot", guest), *[opponent] * (len(match.seats) - 1)]
        try:
            Host(match, players, witnesses=(diary,), patience_s=PATIENCE_S).play()
        except Enough:
            guest.end(Outcome((0,) * len(players), (1,) * len(players), "stopped by the check"))
        if diary.failure is not None:
            raise CaseFailed(*told(diary.failure))
        return diary.slowest_s

    def refused(self) -> str:
        """It is told that its last answer did not count, and goes on."""
        match = self.small_match()
        with self.guest() as guest:
            guest.begin(opening_for(match, 0, ("bot", "other"), "100ms"))
            self.ask(guest, match, refused="refused: 'fly' is no action")
            self.ask(guest, match)
        return "it goes on"

    def unicode(self) -> str:
        """Texts from other players may be in any language."""
        match = self.small_match()
        with self.guest() as guest:
            guest.begin(opening_for(match, 0, ("Žluťoučký kůň", "囲碁 🤖 \u202e"), "none"))
            self.ask(guest, match, heard=('seat 1: „přijdu“ 🚀 \u0000 \\ " </script>',))
        return "any text is read"

    def unknown(self) -> str:
        """Later versions may add message types and fields."""
        match = self.small_match()
        with self.guest() as guest:
            guest.begin(opening_for(match, 0, ("bot", "other"), "none"))
            if not guest.plain:
                guest.say(b'{"type":"from a later version","x":[1,{"y":null}]}\n', 1.0)
            else:
                guest.say(b"later something\n", 1.0)
            self.ask(guest, match)
        return "ignored, as they should be"

    def huge_board(self, game: Game) -> str:
        """Messages of many kilobytes arrive in pieces."""
        match = Match.start(game, choose_options(game, HUGE.get(game.name, {})), 7)
        with self.guest() as guest:
            names = ("bot",) * len(match.seats)
            seat = match.waiting()[0]
            guest.begin(opening_for(match, seat, names, "none"))
            filler = ("x" * 1000,) * 200
            spent = self.ask(guest, match, seat, heard=filler)
        return f"a message of 200 kB was answered after {spent * 1000:.1f} ms"

    def newgame_early(self) -> str:
        """A match may be stopped: `newgame` comes without `end`."""
        with self.guest() as guest:
            for seed in range(3):
                match = self.small_match(seed)
                guest.begin(opening_for(match, 0, ("bot", "other"), "none"))
                self.ask(guest, match)
        return "it starts anew"

    def end_and_quit(self) -> str:
        """After `end` it waits, after `quit` it leaves by itself."""
        guest = self.make()
        try:
            match = self.small_match()
            guest.begin(opening_for(match, 0, ("bot", "other"), "none"))
            guest.end(Outcome((1, 0), (1, 2), "checked"))
            time.sleep(0.1)
            program = guest.program
            if program is None or program.process.poll() is not None:
                raise CaseFailed("it left after end", "stay until quit: a program plays many matches")
            guest.say(b"quit\n" if guest.plain else b'{"type":"quit"}\n', 1.0)
            return self.leaves(guest, "quit", fatal=not guest.plain)
        finally:
            guest.close()

    def end_of_input(self) -> str:
        """When the referee is gone, so is the program."""
        guest = self.make()
        try:
            guest.begin(opening_for(self.small_match(), 0, ("bot", "other"), "none"))
            assert guest.program is not None and guest.program.process.stdin is not None
            guest.program.process.stdin.close()
            return self.leaves(guest, "the end of its input", fatal=True)
        finally:
            guest.close()

    def leaves(self, guest: ProcessGuest, why: str, fatal: bool) -> str:
        assert guest.program is not None
        started = time.perf_counter()
        if guest.program.await_end(QUIT_S) is None:
            what = f"it runs on {QUIT_S:g} s after {why}"
            if not fatal:
                return f"warning: {what}; end the program, else it is killed"
            raise CaseFailed(what, f"end the program at {why}: otherwise it is killed")
        return f"it left {(time.perf_counter() - started) * 1000:.0f} ms after {why}"

    def memory(self) -> str:
        """A program lives for thousands of matches: what it keeps of each adds up."""
        with self.guest() as guest:
            early = 0
            for number in range(self.reuses):
                match = self.small_match(number)
                guest.begin(opening_for(match, 0, ("bot", "other"), "none"))
                for _ in range(5):
                    self.ask(guest, match)
                guest.end(Outcome((0, 0), (1, 1), "checked"))
                if number == min(WARM_UP, self.reuses // 2):
                    early = guest.program.memory_kb() if guest.program is not None else 0
            late = guest.program.memory_kb() if guest.program is not None else 0
        if late - early > GROWN_KB:
            grown = f"from {early // 1024} MB to {late // 1024} MB"
            raise CaseFailed(f"its memory grew {grown}", "forget the match before when newgame comes")
        return f"{late / 1024:.0f} MB, {max(0, late - early) / 1024:.1f} MB of it grown"

    # ------------------------------------------------------------------- playing

    @contextmanager
    def guest(self) -> Iterator[ProcessGuest]:
        guest = self.make()
        try:
            yield guest
        finally:
            guest.close()

    def small_match(self, seed: int = 7) -> Match:
        game = find(self.games[0])
        return Match.start(game, None, seed)

    def ask(
        self, guest: ProcessGuest, match: Match, seat: int = 0, heard: tuple[str, ...] = (), refused: str = ""
    ) -> float:
        """One turn that leads nowhere; the answer must be legal all the same."""
        question = question_for(match, seat, None, patience_s=PATIENCE_S, heard=heard, refused=refused)
        answer = ask_guests({seat: guest}, {seat: question})[seat]
        if isinstance(answer, GuestFailed):
            raise answer
        try:
            match.judge(seat, match.split_message(answer.text)[0])
        except TurntileError as refusal:
            raise CaseFailed(f"its answer {answer.text[:80]!r} was refused: {refusal}", FIXES["illegal"]) from None
        return answer.spent_s


class Enough(Exception):
    """The match has shown what it can show."""


class Diary:
    """A witness that keeps the first failure of seat 0."""

    def __init__(self, match: Match) -> None:
        self.failure: Failure | None = None
        self.slowest_s = 0.0

    def stepped(self, match: Match, step: Any) -> None:
        did = step.played.get(0)
        if did is not None:
            self.failure = self.failure or did.failure
            self.slowest_s = max(self.slowest_s, did.time_s)
        if self.failure is not None or step.number >= MOST_STEPS:
            raise Enough

    def resigned(self, match: Match, seat: int, why: str) -> None:
        self.failure = self.failure or match.seats[seat].failure


def told(failure: Failure) -> tuple[str, str, tuple[str, ...]]:
    """What was seen, what to fix, and the log."""
    return f"{failure.kind} in {failure.stage}: {failure.what}", FIXES[failure.kind], failure.stderr


def check_bot(
    make: Callable[[], ProcessGuest],
    games: tuple[str, ...] = (),
    reuses: int = REUSES,
    tell: Callable[[Finding], None] = lambda finding: None,
) -> Report:
    """Play the bad cases against a program."""
    return Check(make, games or tuple(our_names()), reuses).run(tell)
