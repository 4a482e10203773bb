"""The frame of the race: dealing, programming, coming back, the end."""

from __future__ import annotations

import pytest

from tests.games.roborace.drawn import FIRST_FIVE, race
from tests.support import Table, rule
from turntile.core.errors import InvalidAction
from turntile.core.game import Told
from turntile.core.gears import GearName, State, gear
from turntile.games.roborace.game import GAME
from turntile.games.roborace.records import DEALT, RoboRace

PROGRAMS = 2520


def new_race(gear_name: GearName, seed: int = 1, **options: object) -> State:
    return gear(GAME, gear_name).new(GAME.prepare(GAME.options(**options)), seed)


def hands(s: RoboRace) -> list[list[int]]:
    return [list(robot.hand) for robot in s.robots[: s.players]]


@rule("RR-begin", "RR-robot", "R7")
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_every_robot_begins_on_its_own_start(gear_name: GearName, players: int) -> None:
    """One to four robots, each with the place and facing of the start that is dedicated to it."""
    state = new_race(gear_name, players=players)
    view = GAME.view(state.record(), 0)

    assert state.seats() == players
    assert [(r.x, r.y, r.direction) for r in view.robots] == [
        (start.x, start.y, start.direction) for start in view.starts[:players]
    ]


@rule("F1", "R3")
def test_seven_cards_each_from_one_deck(gear_name: GearName) -> None:
    """All 28 cards of four players differ, in every round, and over many deals every card comes."""
    seen = set()
    for seed in range(40):
        state = new_race(gear_name, seed, players=4, board="yard", round_limit=2)
        for _ in range(2):
            if state.over():
                break
            dealt = hands(state.record())
            cards = [card for hand in dealt for card in hand]
            assert [len(hand) for hand in dealt] == [7, 7, 7, 7]
            assert len(set(cards)) == 28
            seen.update(cards)
            state.step([0, 0, 0, 0])

    assert seen == set(range(1, 85))


@rule("RR-round", "RR-phases")
def test_a_round_deals_plans_executes_and_revitalises(gear_name: GearName) -> None:
    """After five phases the dead are back, the next hands are dealt and all are asked again."""
    table = race(
        gear_name,
        """
        +----+----+----+
          .1A  .2B  *  |
        +----+----+----+
        robot A: west
        robot B: north
        hand A: 49
        """,
    )
    old = hands(table.record)
    table.play_round()

    assert [line for line in table.told if line.startswith("phase")] == [f"phase {n}" for n in range(1, 6)]
    assert table.told[-3:-2] == ["robot A came back on start 1 at (0, 0), facing north"]
    assert [line[:18] for line in table.told[-2:]] == ["robot A was dealt ", "robot B was dealt "]
    assert hands(table.record) != old
    assert table.record.round == 2
    assert table.seats_to_act() == [0, 1]


@rule("R4")
def test_a_dead_robot_is_dealt_as_usual_in_the_next_round(gear_name: GearName) -> None:
    table = race(
        gear_name,
        """
        +----+----+----+
          .1A  .    *  |
        +----+----+----+
        start 1: east
        robot A: west
        hand A: 49
        """,
    )
    table.play_round()

    assert table.after_hall(5)["A"] is None
    assert table.now["A"] == (0, 0, "east")
    assert len(set(hands(table.record)[0])) == 7


@rule("RR-revitalise", "F8")
def test_a_dead_robot_comes_back_on_its_own_start(gear_name: GearName) -> None:
    """With the facing of the start, in the order of the players."""
    table = race(
        gear_name,
        """
        +----+----+----+----+
        | .1   .2   .    .  |
        +    +    +    +    +
          *    . A  . B  .
        +    +    +    +    +
        start 1: east
        start 2: west
        robot A: south
        robot B: south
        hand A: 49
        hand B: 50
        """,
    )
    table.play_round()

    assert table.now == {"A": (0, 0, "east"), "B": (1, 0, "west")}
    assert [line[:17] for line in table.told if "came back" in line] == ["robot A came back", "robot B came back"]


@rule("RR-start-taken", "R5", "F8")
def test_a_taken_start_is_replaced_by_the_first_free_one(gear_name: GearName) -> None:
    """C stands on start 1: A gets start 2, the first free one, so B, whose own that is, gets start 3."""
    table = race(
        gear_name,
        """
        +----+----+----+----+
        | .1C  .2   .3   *  |
        +    +    +    +    +
        | . A  . B  .    .
        +    +    +    +    +
        start 2: east
        start 3: south
        robot A: south
        robot B: south
        robot C: north
        hand A: 49
        hand B: 50
        """,
    )
    table.play_round()

    assert table.now["A"] == (1, 0, "east")
    assert table.now["B"] == (2, 0, "south")
    assert "robot A came back on start 2 at (1, 0), facing east" in table.told


@rule("RR-start-taken", "R5")
def test_a_robot_that_died_does_not_keep_a_start_occupied(gear_name: GearName) -> None:
    """B died while standing on start 1: A finds its own start free."""
    table = race(
        gear_name,
        """
        +----+----+----+
         c.1B  .2   *  |
        +    +----+----+
          . A  .    .  |
        +    +----+----+
        c: crusher 1 2
        robot A: south
        robot B: north
        hand A: 49
        """,
    )
    table.play_round()

    assert table.now == {"A": (0, 0, "north"), "B": (1, 0, "north")}


@rule("RR-plan")
def test_all_players_program_at_the_same_time(gear_name: GearName) -> None:
    assert new_race(gear_name, players=3).to_act() == 0b111


@rule("R2")
def test_every_choice_of_five_of_seven_is_a_program(gear_name: GearName) -> None:
    """7 * 6 * 5 * 4 * 3 programs, each with a text of its own that reads back as itself."""
    state = new_race(gear_name)
    record = state.record()
    texts = {GAME.spell(record, 0, action) for action in state.legal(0)}

    assert len(texts) == PROGRAMS == len(state.legal(0))
    assert all(len(set(text.split())) == 5 for text in texts)
    assert [GAME.parse(record, 0, GAME.spell(record, 0, action)) for action in range(PROGRAMS)] == list(range(PROGRAMS))
    assert state.why_illegal(0, PROGRAMS) != 0 and state.why_illegal(0, -1) != 0 and state.why_illegal(4, 0) != 0


@rule("R2", "RR-text")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1 2 3 4 5 6", "a program of 6 cards"),
        ("1 2 3 4", "a program of 4 cards"),
        ("", "a program of 0 cards"),
        ("1 2 3 3 4", "card 3 is there twice"),
        ("1 2 3 4 8", "8 is no place of your hand: places are 1 to 7"),
        ("1 2 3 4 0", "0 is no place of your hand"),
        ("1 2 3 4 61", "card 61 is at place 2"),
        ("1 2 3 4 -5", "'-5' is no card"),
        ("1 2 3 4 move", "'move' is no card"),
        ("1 2 3 4 99999999999999999999", "is no place of your hand"),
        ("1 2 3 4 ５", "is no card"),
    ],
)
def test_anything_else_is_refused_and_nothing_changes(gear_name: GearName, text: str, reason: str) -> None:
    table = race(
        gear_name,
        """
        +----+----+
        | .1A  *  |
        +----+----+
        robot A: north
        hand A: 49 61 1 2 3 4 5
        """,
    )
    before = table.state.to_bytes()

    with pytest.raises(InvalidAction, match=reason):
        table.play(text)
    assert table.state.to_bytes() == before


@rule("RR-text")
def test_a_program_is_forgiving_about_blanks_and_commas(gear_name: GearName) -> None:
    record = new_race(gear_name).record()

    assert GAME.parse(record, 0, "  3, 1 5,2   7 ") == GAME.parse(record, 0, "3 1 5 2 7")


@rule("RR-silence")
def test_silence_plays_the_first_five_cards(gear_name: GearName) -> None:
    state = new_race(gear_name)

    assert GAME.spell(state.record(), 0, state.default_action(0)) == FIRST_FIVE


@rule("R7")
def test_a_hand_is_told_to_its_own_seat_only(gear_name: GearName) -> None:
    """Everybody hears the cards as they are played; who was dealt what hears only the one who got it."""
    state = new_race(gear_name, players=3, board="yard")
    state.step([0, 0, 0])
    dealt = [Told(*event) for event in state.events() if event[0] == DEALT]

    assert [[told.heard_by(seat) for seat in range(3)] for told in dealt] == [
        [True, False, False],
        [False, True, False],
        [False, False, True],
    ]


@rule("R8")
def test_the_round_limit_ends_in_a_draw(gear_name: GearName) -> None:
    """Two rounds of turning on the spot, and nobody has won."""
    table = Table(GAME, new_race(gear_name, players=2, board="yard", round_limit=1).record(), gear_name)
    table.play()
    table_over = table.state.over()

    assert table_over
    assert "the 1 rounds are used up" in table.told
    assert [table.state.place(seat) for seat in (0, 1)] == [1, 1]
    assert [table.state.score(seat) for seat in (0, 1)] == [0, 0]
    assert GAME.reason(table.record) == "nobody reached a goal in 1 rounds"
    assert table.why_not(0, FIRST_FIVE) == "the race is over: nobody can program any more"


@rule("R8", "RR-places")
def test_a_lone_racer_whose_rounds_are_used_up_has_lost(gear_name: GearName) -> None:
    state = new_race(gear_name, players=1, round_limit=1)
    state.step([0])

    assert state.over() and state.place(0) == 2


@rule("R8", "RR-rounds")
def test_without_a_limit_the_race_goes_on(gear_name: GearName) -> None:
    """Off by default: fifty rounds of turning on the spot end nothing."""
    table = race(
        gear_name,
        """
        +----+----+
        | .1A| *  |
        +----+----+
        robot A: north
        """,
    )
    for _ in range(50):
        table.play()

    assert not table.state.over()
    assert table.record.round == 51
