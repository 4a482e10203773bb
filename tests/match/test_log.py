"""The journal: the same entries give the same match, and its replay proves itself."""

from random import Random

import pytest

from turntile.core.errors import IllegalAction
from turntile.core.registry import games
from turntile.match.clock import Clock, read_control
from turntile.match.log import Acted, Drawn, Entry, Resigned, WasSilent, apply, charge, read_entry, write_entry
from turntile.match.log import write_replay as replay_of
from turntile.match.match import Match
from turntile.match.remarks import Failure, Remark
from turntile.match.replay import SeatHeader, read_replay, verify

SEED = 11
NAMES = ("tron", "racers", "worms", "roborace", "robots")


def entries_of_a_match(name: str, most: int = 60) -> tuple[Match, list[Entry]]:
    """Random actions, and now and then silence, as a host would note them."""
    chance = Random(name)
    match = Match.start(games()[name], seed=SEED)
    entries: list[Entry] = []
    while not match.over and len(entries) < most:
        seat = chance.choice(match.waiting())
        if chance.random() < 0.1:
            entries.append(WasSilent((seat,), 0.25))
        else:
            entries.append(Acted(seat, chance.choice(match.turn(seat).legal), len(entries), 0.5))
        apply(match, entries[-1])
    return match, entries


@pytest.mark.parametrize("name", NAMES)
def test_the_same_entries_give_the_same_match_also_with_choices_that_wait(name: str) -> None:
    match, entries = entries_of_a_match(name)
    for length in range(len(entries) + 1):
        again = Match.start(match.game, seed=SEED)
        for entry in entries[:length]:
            apply(again, read_entry(write_entry(entry)))
    assert again.position() == match.position()
    assert [place.chosen for place in again.seats] == [place.chosen for place in match.seats]
    assert again.step_number == match.step_number


@pytest.mark.parametrize("name", NAMES)
def test_the_replay_of_a_journal_is_proven_by_the_rules(name: str) -> None:
    match, entries = entries_of_a_match(name)
    if not match.over:
        entries.append(Drawn())
        apply(match, entries[-1])
    seats = [SeatHeader(f"player {seat}") for seat in range(len(match.seats))]
    data = replay_of(Match.start(match.game, seed=SEED), entries, seats)
    proven = verify(read_replay(data), match.game)
    assert proven.outcome == match.outcome
    assert proven.step_number == match.step_number


def test_entries_keep_what_bots_told_and_failed_of() -> None:
    failure = Failure(kind="time", stage="turn 3", what="300 ms of 100 ms", time_ms=300.0, limit_ms=100.0)
    for entry in (
        Acted(1, "left", 7, 0.1, "a note", (Remark("left looks free"),)),
        WasSilent((0, 2), 0.1, "late", (), failure),
        Resigned(1, "crashed", failure),
        Drawn(),
    ):
        assert read_entry(write_entry(entry)) == entry


def test_an_agreed_draw_leaves_all_who_play_in_first_place() -> None:
    match = Match.start(games()["worms"], seed=SEED)
    match.agree_draw()
    assert match.outcome is not None
    assert match.outcome.places == (1, 1)
    assert match.outcome.reason == "a draw by agreement"
    assert match.to_act() == ()
    with pytest.raises(IllegalAction, match="the match is over"):
        match.agree_draw()


def test_who_gave_up_before_a_draw_has_no_part_in_it() -> None:
    from turntile.games.tron.options import Options

    match = Match.start(games()["tron"], Options(players=3), seed=SEED)
    match.resign(1)
    match.agree_draw()
    assert match.outcome is not None
    assert match.outcome.places == (1, 3, 1)


def test_entries_charge_the_clocks_of_who_acted() -> None:
    clocks = [Clock(read_control("1s bank 10s")) for _ in range(2)]
    charge(clocks, Acted(0, "left", 1, 3.0))
    charge(clocks, WasSilent((1,), 1.0))
    charge(clocks, Resigned(1))
    assert [clock.bank_s for clock in clocks] == [8.0, 10.0]
    assert [clock.turns for clock in clocks] == [1, 1]
