"""What a seat may know: nothing of the other's active grenades reaches it by any door."""

from __future__ import annotations

from collections import Counter
from random import Random

from tests.games.racers.drawn import Race, position
from tests.support import rule
from turntile.core.game import Told
from turntile.core.gears import GearName, State, gear
from turntile.games.racers import rules
from turntile.games.racers.game import GAME
from turntile.games.racers.positions import squares
from turntile.games.racers.power import turns_without_power
from turntile.games.racers.records import GRENADES, SUSPECT, Racers
from turntile.games.racers.view import Square, view

WIDE = "\n".join(["." * 20] * 8 + ["....1..............."] + ["." * 20] * 3 + ["..........2........."] + ["." * 20] * 3)
ARMS = ("holds 1: grenade=3", "holds 2: grenade=3")


def armed(record: Racers, owner: int) -> set[Square]:
    return {(x, y) for cell, x, y in squares(record) if record.cells[cell] & GRENADES == rules.armed_by(owner)}


def suspects(record: Racers, owner: int) -> set[Square]:
    return {(x, y) for cell, x, y in squares(record) if record.cells[cell] & (SUSPECT << owner)}


def grenadiers(gear_name: GearName, seed: int, steps: int) -> list[State]:
    """States of a match in which both players strew grenades."""
    random = Random(seed)
    state = gear(GAME, gear_name).load(position(WIDE, *ARMS))
    states = []
    for _ in range(steps):
        if state.over():
            break
        seat = state.to_act() - 1
        legal = state.legal(seat)
        use = rules.USE_GRENADE in legal and random.random() < 0.5
        state.step([rules.USE_GRENADE if use else random.choice([a for a in legal if a != rules.USE_GRENADE])] * 2)
        states.append(state.clone())
    return states


def heard(state: State, seat: int) -> list[str]:
    record = state.record()
    events = [Told(*event) for event in state.events()]
    return [GAME.narrate(record, event, seat) for event in events if event.heard_by(seat)]


@rule("G5", "H1", "H2", "R3.2")
def test_states_a_seat_cannot_tell_apart_look_alike_to_it(gear_name: GearName) -> None:
    """View, scene, planes and legal actions of many pairs of states that differ in hidden grenades only."""
    differing = 0
    for seed in range(2):
        for number, state in enumerate(grenadiers(gear_name, seed, 60)):
            seat = number % 2
            other = state.redeal(seat, 1000 * seed + number)
            here, there = state.record(), other.record()
            assert view(here, seat) == view(there, seat)
            legal = [GAME.spell(here, seat, action) for action in state.legal(seat)]
            assert legal == [GAME.spell(there, seat, action) for action in other.legal(seat)]
            assert GAME.scene(view(here, seat), legal) == GAME.scene(view(there, seat), legal)
            assert state.observe(seat) == other.observe(seat)
            differing += armed(here, 1 - seat) != armed(there, 1 - seat)
    assert differing > 25, "the pairs must differ, else this test says nothing"


@rule("H2")
def test_a_redeal_keeps_what_the_seat_knows(gear_name: GearName) -> None:
    """As many of the other's grenades, on squares where one may be; all of its own where they are."""
    for state in grenadiers(gear_name, 7, 80):
        record = state.record()
        for seat in range(2):
            dealt = state.redeal(seat, 5).record()
            assert armed(dealt, seat) == armed(record, seat)
            assert len(armed(dealt, 1 - seat)) == len(armed(record, 1 - seat))
            assert armed(dealt, 1 - seat) <= suspects(record, 1 - seat)
            assert armed(record, 1 - seat) <= suspects(record, 1 - seat)
            assert not armed(dealt, 1 - seat) & {view(record, None).racers[k].at for k in range(2)}
            assert suspects(dealt, 1 - seat) == suspects(record, 1 - seat)


@rule("H2")
def test_what_is_heard_after_equal_actions_is_equal_too(gear_name: GearName) -> None:
    """The same action in two states the seat cannot tell apart tells it the same, unless a grenade goes off."""
    compared = 0
    for number, state in enumerate(grenadiers(gear_name, 11, 80)):
        seat = number % 2
        other = state.redeal(seat, number)
        if state.over():
            continue
        actor = state.to_act() - 1
        for action in state.legal(actor):
            if action not in other.legal(actor):
                continue
            one, two = state.clone(), other.clone()
            one.step([action, action])
            two.step([action, action])
            blasts = [event for s in (one, two) for event in s.events() if event[0] == rules.EXPLODED]
            if not blasts:
                assert heard(one, seat) == heard(two, seat)
                compared += 1
    assert compared > 300


@rule("H2")
def test_every_suspect_square_is_imagined_and_none_more_than_the_others(gear_name: GearName) -> None:
    """Player 2 used a grenade on one of the squares he left in his turn; player 1 imagines it on each equally often.

    The square at (7, 2) is in his trail too, but he left it in an earlier turn, with the grenade in his hands.
    """
    race = Race(
        gear_name,
        """
        ..........
        ..........
        ......2b..
        ..........
        ..........
        ..........
        ..1.......
        """,
        "to act: 2",
        "holds 2: grenade=1",
        "trail 2: 7,2",
    )
    race.does("use grenade", "move d", "move d")
    assert race.trail(2) == [(6, 3), (6, 2)]
    assert suspects(race.record, 1) == {(6, 2), (6, 3)}
    imagined: Counter[Square] = Counter()
    for seed in range(300):
        imagined.update(armed(race.state.redeal(0, seed).record(), 1))
    assert set(imagined) == {(6, 2), (6, 3)}
    assert min(imagined.values()) > 100
    assert armed(race.state.redeal(1, 3).record(), 1) == {(6, 2)}, "its owner remembers"


@rule("H2")
def test_a_square_that_was_entered_is_no_suspect_any_more(gear_name: GearName) -> None:
    """Player 1 walks over a suspect square and nothing explodes: it is elsewhere."""
    race = Race(gear_name, "..........\n..1.......", "armed 2: 5,5", "suspect 2: 3,1 5,6")
    race.does("move r")
    assert suspects(race.record, 1) == {(5, 5), (5, 6)}


@rule("H2")
def test_a_square_with_a_visible_grenade_is_no_suspect(gear_name: GearName) -> None:
    """At most one unexploded grenade lies on a square."""
    race = Race(gear_name, "..........\n..1.......", "armed 2: 5,5", "items: 5,6=grenade", "suspect 2: 5,6")
    for seed in range(20):
        assert armed(race.state.redeal(0, seed).record(), 1) == {(5, 5)}


@rule("H2")
def test_a_redeal_hides_the_dice(gear_name: GearName) -> None:
    """Two redeals of one state fall differently, and neither as the true dice would."""
    record = position("..........\n..1.......", "actions: 1", "began: 1,1", "options: failure_percent=5")
    truth = gear(GAME, gear_name).load(record)
    futures = set()
    for state in (truth, truth.redeal(0, 1), truth.redeal(0, 2)):
        state.step([4, 4])
        futures.add(bytes(state.record().failures))
    assert len(futures) == 3


@rule("H1")
def test_all_but_active_grenades_lies_open(gear_name: GearName) -> None:
    """The other's inventory, penalties and trail are in the view."""
    race = Race(
        gear_name,
        "..........\n..1.......\n.......b2.",
        "holds 2: grenade=1 disc=2 charged=1",
        "trail 2: 7,2",
        "skips 2: 1",
        "penalty 2: 3",
    )
    other = race.view(0).racers[1]
    assert (other.grenades, other.discs, other.charged, other.skips, other.penalty) == (1, 2, 1, 1, 3)
    assert [square.at for square in other.trail] == [(7, 2)]
    assert race.view(0).throws == ()
    assert race.view(1).throws == ()


@rule("R2.13")
def test_a_view_shows_the_power_of_every_square_as_the_rules_have_it(gear_name: GearName) -> None:
    """Grids of several sizes in turn, with failures in every corner: no row runs over into the next."""
    for seed in range(12):
        width, height, percent = ((10, 10, 5), (17, 11, 12), (11, 17, 30))[seed % 3]
        options = GAME.options(width=width, height=height, failure_percent=percent)
        state = gear(GAME, gear_name).new(GAME.prepare(options), seed)
        state.playout(seed, 9)
        record = state.record()
        turns = {(x, y): turns_without_power(record, cell) for cell, x, y in squares(record)}

        assert {dark.at: dark.turns for dark in view(record, 0).dark} == {
            at: left for at, left in turns.items() if left
        }
