"""The host: asks, measures, and lets no player spoil a match."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import pytest

from turntile.core.bots import Turn
from turntile.core.gears import GearName
from turntile.core.registry import find
from turntile.match import Match, Step
from turntile.match.clock import read_control
from turntile.match.options import choose_options
from turntile.players.host import Host, Quit
from turntile.players.seats import PERSON, Player, seat_player

TRON = find("tron")


def arena(players: int = 2, gear_name: GearName | None = None) -> Match:
    return Match.start(TRON, choose_options(TRON, {"board": "arena", "players": players}), 3, gear_name)


class Diary:
    """A witness that remembers."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.resignations: list[tuple[int, str]] = []

    def stepped(self, match: Match, step: Step) -> None:
        self.steps.append(step)

    def resigned(self, match: Match, seat: int, why: str) -> None:
        self.resignations.append((seat, why))


def goes_straight(turn: Turn) -> str:
    return "straight"


def host(match: Match, *bots: Callable[[Turn], str], **settings: Any) -> tuple[Host, Diary]:
    diary = Diary()
    players = [Player(bot.__name__, bot) for bot in bots]
    return Host(match, players, witnesses=(diary,), **settings), diary


def test_bots_play_a_match_to_its_end(gear_name: GearName) -> None:
    match = arena(4, gear_name)
    diary = Diary()
    outcome = Host(match, [seat_player(TRON, "greedy") for _ in range(4)], witnesses=(diary,)).play()

    assert outcome == match.outcome
    assert [step.number for step in diary.steps] == list(range(1, match.step_number + 1))
    assert not any(played.silent for step in diary.steps for played in step.played.values())


def test_the_time_is_measured_around_the_bot_alone() -> None:
    """The host's clock is asked right before and right after each answer."""
    readings = iter(range(10_000))
    match = arena()
    table, diary = host(match, goes_straight, goes_straight, clock=lambda: next(readings) * 0.5)
    table.play()
    assert {played.time_s for step in diary.steps for played in step.played.values()} == {0.5}


def test_making_the_view_is_not_charged_to_a_bot() -> None:
    """With a clock, a bot finds its view made: it looks at what was there before it began."""
    now = [0.0]

    def view(record: Any, seat: int | None) -> Any:
        now[0] += 1.0
        return TRON.view(record, seat)

    def looks(turn: Turn) -> str:
        assert turn.view is turn.view
        return "straight"

    game = dataclasses.replace(TRON, view=view)
    match = Match.start(game, choose_options(game, {"board": "arena"}), 3)
    table, diary = host(match, looks, looks, control=read_control("100ms"), clock=lambda: now[0])
    table.play()
    assert not any(played.silent for step in diary.steps for played in step.played.values())


def test_an_answer_that_comes_late_is_silence_with_a_reason() -> None:
    now = [0.0]

    def thinks_too_long_in_its_third_turn(turn: Turn) -> str:
        turn.memory["turns"] = turn.memory.get("turns", 0) + 1
        now[0] += 0.3 if turn.memory["turns"] == 3 else 0.05
        return "up" if turn.memory["turns"] == 3 else "straight"

    match = arena()
    table, diary = host(
        match, thinks_too_long_in_its_third_turn, goes_straight, control=read_control("100ms"), clock=lambda: now[0]
    )
    table.play()

    late = diary.steps[2].played[0]
    assert (late.text, late.silent) == ("straight", True)
    assert late.note == "late: 300.0 ms of 100.0 ms; it would have been 'up'"
    assert late.time_s == pytest.approx(0.3)
    assert not any(step.played[0].silent for step in diary.steps if step.number != 3)


def test_a_refused_answer_is_silence_with_a_reason() -> None:
    def talks(turn: Turn) -> str:
        return "hello"

    table, diary = host(arena(), talks, goes_straight)
    table.play()
    assert all(step.played[0].silent for step in diary.steps)
    assert diary.steps[0].played[0].note.startswith("refused: 'hello' is no action")


def test_a_bot_that_fails_gives_up_and_the_others_play_on() -> None:
    def fails(turn: Turn) -> str:
        if turn.memory.setdefault("turns", []) == ["", ""]:
            raise ZeroDivisionError("too clever")
        turn.memory["turns"].append("")
        return "straight"

    def says_nothing(turn: Turn) -> str:
        return cast(str, None)

    match = arena(3)
    table, diary = host(match, fails, says_nothing, goes_straight)
    outcome = table.play()

    assert diary.resignations[0] == (1, "failed: TypeError: a bot answers with an action's text, not with NoneType")
    assert diary.resignations[1] == (0, "failed: ZeroDivisionError: too clever")
    assert outcome.places == (2, 3, 1)
    assert "too clever" in outcome.reason


class Typist:
    """A person who types these lines."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.refused: list[str] = []

    def ask(self, match: Match, seat: int) -> str:
        if not self.lines:
            raise Quit("no more to say")
        return self.lines.pop(0)

    def refuse(self, seat: int, sentence: str) -> None:
        self.refused.append(sentence)


def test_a_person_is_asked_again_until_it_is_of_use() -> None:
    match = arena()
    typist = Typist("fly", "swim", "up")
    with pytest.raises(Quit):
        Host(match, [PERSON, Player("straight", goes_straight)], person=typist).play()
    assert match.step_number == 1
    assert [sentence[:6] for sentence in typist.refused] == ["'fly' ", "'swim'"]


def test_a_person_hears_of_a_queued_action_that_was_dropped() -> None:
    match = arena()
    typist = Typist("up; fly; up")
    with pytest.raises(Quit):
        Host(match, [PERSON, Player("straight", goes_straight)], person=typist).play()
    assert match.step_number == 1
    assert typist.refused[0].startswith("fly: 'fly' is no action")


def test_a_person_may_resign_and_may_be_silent_in_a_game_of_real_time() -> None:
    match = arena()
    diary = Diary()
    people = [PERSON, Player("straight", goes_straight)]
    outcome = Host(match, people, witnesses=(diary,), person=Typist("", "resign")).play()
    assert outcome.places == (2, 1)
    assert diary.steps[0].played[0].silent
    assert diary.resignations == [(0, "resigned")]


def test_a_step_and_its_witness_are_one_piece() -> None:
    """Ctrl-C is held back from an answer until the witnesses have it."""
    inside = [False]
    match = arena()

    @contextmanager
    def uninterrupted() -> Iterator[None]:
        inside[0] = True
        yield
        inside[0] = False

    class Watchful(Diary):
        def stepped(self, match: Match, step: Step) -> None:
            assert inside[0]
            super().stepped(match, step)

    def may_be_interrupted(turn: Turn) -> str:
        assert not inside[0]
        return "straight"

    diary = Watchful()
    bots = [Player("a", may_be_interrupted), Player("b", may_be_interrupted)]
    Host(match, bots, witnesses=(diary,), uninterrupted=uninterrupted).play()
    assert diary.steps
