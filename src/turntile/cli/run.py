"""`turntile run`: matches without a screen, one or thousands."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec

from turntile.cli.interrupts import CtrlC
from turntile.cli.start import Plan, Request, finish, make_plan, open_recording, usual_place
from turntile.core.errors import InvalidOptions
from turntile.core.game import Outcome
from turntile.core.seeds import derive_seed
from turntile.match.match import Match
from turntile.players.host import Host
from turntile.players.seats import InvalidSeat, Player

DONE = 0
STOPPED = 130


@dataclass
class Standing:
    """How one player of a run fares."""

    name: str
    won: int = 0
    drawn: int = 0
    lost: int = 0
    points: int = 0

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost

    def count(self, outcome: Outcome, seat: int) -> None:
        self.points += outcome.scores[seat]
        if seat not in outcome.winners:
            self.lost += 1
        elif len(outcome.winners) == 1:
            self.won += 1
        else:
            self.drawn += 1

    def as_data(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "played": self.played,
            "won": self.won,
            "drawn": self.drawn,
            "lost": self.lost,
            "mean_points": self.points / self.played if self.played else 0.0,
        }


@dataclass
class Run:
    """All matches of one command."""

    request: Request
    plan: Plan
    matches: int
    swap: bool
    as_json: bool
    ctrl_c: CtrlC = field(default_factory=CtrlC)
    standings: list[Standing] = field(default_factory=list)
    players: list[Player] = field(default_factory=list)  # they live across matches
    steps: int = 0
    place: Path = Path()

    def play(self) -> int:
        first = self.plan.match(self.plan.seed)
        named = self.players = self.plan.players(first)
        if any(player.human for player in named):
            raise InvalidSeat("run has no screen for people: turntile play has one")
        self.standings = [Standing(player.name) for player in named]
        self.place = self.choose_place()
        started = perf_counter()
        try:
            with self.progress() as advance, self.ctrl_c.watched():
                for number in range(self.matches):
                    stopped = self.play_one(number)
                    if stopped:
                        self.sum_up(perf_counter() - started, stopped)
                        return STOPPED
                    advance()
        finally:
            for player in self.players:
                player.close()
        self.sum_up(perf_counter() - started, "")
        return DONE

    def play_one(self, number: int) -> str:
        """One match; why it was stopped, or ""."""
        seats = len(self.standings)
        shift = number % seats if self.swap else 0
        order = [(seat + shift) % seats for seat in range(seats)]  # which player sits at each seat
        match = self.plan.match(self.seed_of(number))
        players = [self.players[index] for index in order]
        recording = open_recording(self.request, self.path_of(number), match, players, self.plan.control)
        host = Host(
            match,
            players,
            self.plan.control,
            (recording,) if recording else (),
            uninterrupted=self.ctrl_c.uninterrupted,
            policy=self.plan.policy,
            patience_s=self.plan.patience_s,
        )
        started = perf_counter()
        try:
            outcome = host.play()
        except KeyboardInterrupt:
            with self.ctrl_c.uninterrupted():
                path = finish(recording, match, "stopped with Ctrl-C")
            return f"stopped in match {number + 1} after {match.step_number} steps" + (
                f"; the replay so far: {path}" if path else ""
            )
        with self.ctrl_c.uninterrupted():
            path = finish(recording, match)
        for seat, index in enumerate(order):
            self.standings[index].count(outcome, seat)
        self.steps += match.step_number
        self.tell_match(number, match, outcome, players, path, perf_counter() - started)
        return ""

    def seed_of(self, number: int) -> int:
        """One match has the seed itself; of several, each has its own, and each order of seats the same."""
        if self.matches == 1:
            return self.plan.seed
        return derive_seed(self.plan.seed, number // len(self.standings) if self.swap else number)

    def choose_place(self) -> Path:
        """The replay's file; for several matches the folder of their files."""
        save = self.request.save
        if save is None:
            return usual_place(self.plan, ".jsonl" if self.matches == 1 else "")
        if self.matches > 1 and (save.is_file() or save.suffix in (".jsonl", ".zst")):
            raise InvalidOptions(f"{self.matches} replays do not fit into one file: say --save FOLDER, not {save}")
        if self.matches == 1 and save.is_dir():
            raise InvalidOptions(f"{save} is a folder: say --save {save / 'match.jsonl'}")
        return save

    def path_of(self, number: int) -> Path:
        if self.matches == 1:
            return self.place
        return self.place / f"{number + 1:0{len(str(self.matches))}}.jsonl"

    # ------------------------------------------------------------------- telling

    def progress(self) -> AbstractContextManager[Callable[[], None]]:
        """A bar on a terminal, nothing anywhere else."""
        if self.matches == 1 or not sys.stderr.isatty():
            return nullcontext(lambda: None)
        from turntile.cli.progress import bar

        return bar(self.matches, "matches")

    def tell_match(
        self, number: int, match: Match, outcome: Outcome, players: Sequence[Player], path: Path | None, seconds: float
    ) -> None:
        if self.as_json:
            tell_json(
                {
                    "match": number + 1,
                    "game": match.game.name,
                    "seed": str(match.seed),
                    "players": [player.name for player in players],
                    "scores": outcome.scores,
                    "places": outcome.places,
                    "reason": outcome.reason,
                    "steps": match.step_number,
                    "seconds": round(seconds, 6),
                    "replay": str(path) if path else None,
                }
            )
        elif self.matches == 1:
            print("\n".join(outcome_lines(outcome, [player.name for player in players])))
            print(f"{match.step_number} steps, seed {match.seed}")
            if path:
                print(f"replay: {path}")

    def sum_up(self, seconds: float, stopped: str) -> None:
        if self.as_json:
            tell_json(
                {
                    "game": self.plan.game.name,
                    "seed": str(self.plan.seed),
                    "matches": self.standings[0].played,
                    "steps": self.steps,
                    "seconds": round(seconds, 6),
                    "standings": [standing.as_data() for standing in self.standings],
                    "stopped": stopped or None,
                }
            )
        elif self.matches > 1:
            print("\n".join(standing_lines(self.standings)))
            print(f"{self.standings[0].played} matches, {self.steps} steps, {seconds:.1f} s, seed {self.plan.seed}")
            if self.request.keep:
                print(f"replays: {self.place}")
        if stopped:
            print(f"turntile: {stopped}", file=sys.stderr)


def run_matches(request: Request, matches: int, swap: bool, as_json: bool) -> int:
    return Run(request, make_plan(request), matches, swap, as_json).play()


def tell_json(data: dict[str, Any]) -> None:
    sys.stdout.write(msgspec.json.encode(data).decode() + "\n")
    sys.stdout.flush()


def outcome_lines(outcome: Outcome, names: Sequence[str]) -> list[str]:
    """Who came where, best first, and why it ended."""
    width = max(len(name) for name in names)
    lines = [outcome.reason]
    for seat in sorted(range(len(names)), key=lambda seat: (outcome.places[seat], seat)):
        lines.append(
            f"  {ordinal(outcome.places[seat])}  {names[seat]:{width}}  seat {seat}  {outcome.scores[seat]} points"
        )
    return lines


def ordinal(place: int) -> str:
    return f"{place}{({1: 'st', 2: 'nd', 3: 'rd'}).get(place, 'th')}"


def standing_lines(standings: Sequence[Standing]) -> list[str]:
    width = max(6, *(len(standing.name) for standing in standings))
    lines = [f"{'player':{width}}  {'won':>7}  {'drawn':>7}  {'lost':>7}  {'won %':>6}  {'points':>9}"]
    for standing in sorted(standings, key=lambda standing: -standing.won):
        played = max(1, standing.played)
        lines.append(
            f"{standing.name:{width}}  {standing.won:7}  {standing.drawn:7}  {standing.lost:7}  "
            f"{100 * standing.won / played:6.1f}  {standing.points / played:9.1f}"
        )
    return lines
