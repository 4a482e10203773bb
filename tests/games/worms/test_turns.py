"""The start, the turns and the end."""

from __future__ import annotations

import pytest

from tests.games.worms.drawn import WormsTable, named, worms
from tests.support import rule
from turntile.core.errors import IllegalAction
from turntile.core.gears import GearName, gear
from turntile.games.worms.game import GAME
from turntile.games.worms.mersenne import Mersenne, draw_below, seed_mersenne
from turntile.games.worms.options import Options, prepare
from turntile.games.worms.words import our_names

FLAT = "......\n~~..**\nEEEEEE"


def map_file(*rows: str) -> str:
    letters = "\n".join(rows).replace(".", "A")
    return f"#SWORMS\nSIZE: {len(rows[0])} {len(rows)}\nMAP:\n{letters}\n"


def started(gear_name: GearName, seed: int, team: int, *rows: str) -> WormsTable:
    """A match from its very start, and what was told of it."""
    record = prepare(Options(map=map_file(*rows), worms=team, rand_seed=seed))
    table = WormsTable(GAME, record, gear_name)
    table.state = gear(GAME, gear_name).new(record, 1)
    table.told = table.heard(None)
    return table


def drawn_from(seed: int, *ranges: int) -> list[int]:
    random = Mersenne()
    seed_mersenne(random, seed)
    return [draw_below(random, n) for n in ranges]


# ------------------------------------------------------------------------- the start


@rule("R-start", "R-spawn", "I4", "Z1", "R-coords")
def test_each_worm_draws_its_name_then_its_column(gear_name: GearName) -> None:
    """All of player 1, then all of player 2, ids from 1 on; the place told is in row 0."""
    wide = "." * 40
    table = started(gear_name, 7, 3, wide, wide, wide, "E" * 40)
    draws = drawn_from(7, *([len(our_names()), 40] * 6))
    spawned = [line for line in table.told if line.startswith("spawning")]

    assert spawned == [
        f"spawning {our_names()[draws[2 * worm]]} ({worm + 1}) at (0, {draws[2 * worm + 1]})" for worm in range(6)
    ]
    assert [table.where(worm + 1) for worm in range(3)] == [(2, draws[2 * worm + 1]) for worm in range(3)]


@rule("R-spawn-fall", "Z3", "R-ammunition", "R-hp")
def test_worms_fall_unhurt_at_the_start_and_stack(gear_name: GearName) -> None:
    """However deep; and each has 100 HP and one unit of every weapon."""
    table = started(gear_name, 1, 2, *["."] * 9, "E")

    assert [table.where(number) for number in (1, 2, 3, 4)] == [(8, 0), (7, 0), (6, 0), (5, 0)]
    for number in (1, 2, 3, 4):
        assert table.hp(number) == 100
        assert [table.ammunition(number, weapon) for weapon in ("bazooka", "teleporter", "blowtorch", "melee")] == [
            1
        ] * 4
        assert table.ammunition(number, "airstrike") == 1
    assert not any("damage" in line for line in table.told)


@rule("Z3", "R-spawn", "Z4")
def test_a_new_column_is_drawn_only_while_a_worm_is_in_the_top_field(gear_name: GearName) -> None:
    """Two columns with room for two worms each: the full one is drawn again until the other comes."""
    table = started(gear_name, 3, 2, "..", "..", "EE")

    assert sorted(table.where(number) or () for number in (1, 2, 3, 4)) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    random = Mersenne()
    seed_mersenne(random, 3)
    room = [2, 2]
    for _ in range(4):
        draw_below(random, len(our_names()))
        column = draw_below(random, 2)
        while room[column] == 0:
            column = draw_below(random, 2)
        room[column] -= 1
    assert table.record.random == random


@rule("R-spawn-fall", "Z3", "Z7", "R-draw", "O1")
def test_at_the_start_worms_drown_or_fall_out_of_the_map(gear_name: GearName) -> None:
    """The spawn line, then the death; with nobody left it is a draw at once."""
    table = started(gear_name, 5, 1, ".", "W")
    names = [our_names()[index] for index in drawn_from(5, len(our_names()), 1, len(our_names()), 1)[::2]]
    assert table.told == [
        f"spawning {names[0]} (1) at (0, 0)",
        f"{names[0]} (1) drowned.",
        f"spawning {names[1]} (2) at (0, 0)",
        f"{names[1]} (2) drowned.",
        "END: Draw",
    ]
    assert (table.state.place(0), table.state.place(1)) == (1, 1)

    table = started(gear_name, 5, 1, ".")
    assert table.told[1::2] == [f"{names[0]} (1) fell out of the map.", f"{names[1]} (2) fell out of the map."]


@rule("R-end", "O1", "S1")
@pytest.mark.parametrize(("seed", "winner"), [(2, 1), (4, 2)])
def test_a_side_without_worms_has_lost_before_the_first_turn(gear_name: GearName, seed: int, winner: int) -> None:
    """Half of the map is water: seed 2 sends only worm 1 to the earth, seed 4 only worm 2."""
    table = started(gear_name, seed, 1, "..........", "EEEEEWWWWW")

    assert table.told[-1] == f"END: Player {winner} win!"
    assert not any(line.endswith("ready") for line in table.told)


# ------------------------------------------------------------------------- turns


@rule("R-turns", "R-cycle", "S1")
def test_players_take_turns_and_each_uses_his_worms_in_a_circle(gear_name: GearName) -> None:
    table = worms(gear_name, FLAT + "\nplan 2 0 3 0 2 0 3 0 2 0")
    order = []
    for _ in range(5):
        order.append(table.acting())
        table.play("action idle")

    assert order == [1, 3, 2, 4, 1]


@rule("S1", "R-cycle")
def test_the_dead_are_skipped(gear_name: GearName) -> None:
    """Of three worms the second is gone: after the first comes the third."""
    table = worms(gear_name, "......\n~~..**\nEEEEEE\noption team 3\nworm 2 gone\nworm 4 gone\nplan 2 0 3 0 2 0 3 0")
    order = []
    for _ in range(4):
        order.append(table.acting())
        table.play("action idle")

    assert order == [1, 5, 3, 6]


@rule("R-turns", "O2")
def test_the_ready_line_opens_a_turn(gear_name: GearName) -> None:
    table = worms(gear_name, FLAT + "\nplan 2 0")
    table.play("action idle")

    assert table.told[-1] == f"Player 2 Worm {named(3)} at (1, 4) ready"


@rule("R-commands", "R-not-allowed", "E1")
def test_a_second_move_is_refused(gear_name: GearName) -> None:
    table = worms(gear_name, FLAT)
    table.play("move r 0")

    with pytest.raises(IllegalAction, match="moved already"):
        table.play("move l 1")


@rule("R-choose", "R-commands")
def test_weapons_may_be_chosen_as_often_as_one_likes(gear_name: GearName) -> None:
    table = worms(gear_name, FLAT)
    table.play("choose bazooka")
    assert table.happened == ["Chose weapon bazooka Ammunition: 1"]
    table.play("choose melee")
    table.play("move r 0")
    table.play("choose gun")

    assert table.happened == ["Chose weapon gun Ammunition: inf"]
    assert table.acting() == 1


@rule("O6", "R-choose")
def test_the_gun_is_chosen_again_at_each_turns_start(gear_name: GearName) -> None:
    table = worms(gear_name, FLAT + "\nplan 2 0")
    table.play("choose bazooka")
    table.play("action idle")

    assert table.why_not(1, "action l") == ""
    table.play("action l")
    assert table.happened[0] == "Shot hit Chest at position (1, 2)"


@rule("R-no-ammunition", "R-choose")
def test_a_weapon_without_ammunition_cannot_be_chosen(gear_name: GearName) -> None:
    table = worms(gear_name, FLAT + "\nworm 1 at 1 0 ammunition 0 1 1 1 1")

    assert "no ammunition for the bazooka" in table.why_not(0, "choose bazooka")
    assert table.why_not(0, "choose teleporter") == ""


@rule("R-turn-end", "R-turns")
def test_an_action_ends_the_turn_and_only_the_other_player_may_act_then(gear_name: GearName) -> None:
    table = worms(gear_name, FLAT + "\nplan 2 0")
    assert "not the turn of player 2" in table.why_not(1, "action idle")
    table.play("action u")

    assert table.seats_to_act() == [1]
    assert "not the turn of player 1" in table.why_not(0, "action idle")


# ------------------------------------------------------------------------- the end


@rule("R-end", "N-score", "R-death")
def test_who_has_worms_left_when_the_other_has_none_wins(gear_name: GearName) -> None:
    for hp, shooter in ((25, 1), (20, 1)):
        table = worms(gear_name, f".....\n~...*\nEEEEE\nworm 2 at 1 4 hp {hp}\nplan 2 0")
        assert table.acting() == shooter
        table.play("action r")

        assert table.told[-1] == "END: Player 1 win!"
        assert [table.state.place(seat) for seat in (0, 1)] == [1, 2]
        assert [table.state.score(seat) for seat in (0, 1)] == [1, 0]
        assert table.seats_to_act() == []
        assert "the match is over" in table.why_not(0, "action idle")
        assert GAME.reason(table.record) == "player 2 has no worms left"


@rule("R-end")
def test_player_2_wins_when_player_1_walks_his_last_worm_into_the_sea(gear_name: GearName) -> None:
    table = worms(gear_name, ".....\n~...*\nEWWEE\nplan 2 0")
    table.play("move r 1")

    assert table.happened == [f"{named(1)} drowned.", "END: Player 2 win!"]
    assert [table.state.place(seat) for seat in (0, 1)] == [2, 1]


@rule("R-draw", "S1")
def test_if_both_sides_lose_their_last_worm_it_is_a_draw(gear_name: GearName) -> None:
    table = worms(gear_name, ".....\n.~*..\nEEEEE\nworm 1 at 1 1 hp 40\nworm 2 at 1 2 hp 40\nplan 4 0")
    table.play("choose bazooka")
    table.play("action r")

    assert table.told[-1] == "END: Draw"
    assert [table.state.place(seat) for seat in (0, 1)] == [1, 1]
    assert GAME.reason(table.record) == "neither player has worms left"


# ------------------------------------------------------------------------- the arena's own


@rule("N-turn-limit")
def test_at_the_turn_limit_the_match_is_a_draw(gear_name: GearName) -> None:
    table = worms(gear_name, FLAT + "\noption turn_limit 2\nplan 2 0 3 0")
    table.play("action idle")
    assert not table.state.over()
    table.play("action idle")

    assert table.told[-1] == "END: Draw"
    assert [table.state.place(seat) for seat in (0, 1)] == [1, 1]
    assert GAME.reason(table.record) == "the turn limit of 2 was reached"


@rule("N-turn-limit", "R-end")
def test_a_win_in_the_last_turn_is_a_win(gear_name: GearName) -> None:
    table = worms(gear_name, ".....\n~...*\nEEEEE\nworm 2 at 1 4 hp 5\noption turn_limit 1\nplan 2 0")
    table.play("action r")

    assert table.told[-1] == "END: Player 1 win!"


@rule("N-choose-limit")
def test_in_the_arena_a_weapon_may_be_chosen_so_often_and_no_more(gear_name: GearName) -> None:
    table = worms(gear_name, FLAT + "\noption choose_limit 2\nplan 2 0")
    table.play("choose bazooka")
    table.play("choose melee")
    assert "chosen 2 times" in table.why_not(0, "choose gun")

    table.play("action")
    assert table.why_not(1, "choose gun") == ""
    assert prepare(Options()).choose_limit == 20


@rule("N-silence")
def test_silence_means_to_idle(gear_name: GearName) -> None:
    table = worms(gear_name, FLAT + "\nplan 2 0")
    table.play()

    assert table.told[0] == f"{named(1)} idled"
    assert table.seats_to_act() == [1]


@rule("Z2", "R-chest-draws")
def test_a_turns_end_draws_exactly_two_numbers_column_then_content(gear_name: GearName) -> None:
    """A move that does not end the turn, and a choice, draw none."""
    table = worms(gear_name, FLAT + "\nrandom 9 0")
    table.play("move r 0")
    table.play("choose bazooka")
    assert table.record.random.drawn == 0
    table.play("action idle")

    assert table.record.random.drawn == 2
    column, content = drawn_from(9, 6, 4)
    held = [row[column] for row in table.map.splitlines()]
    word = ("bazooka", "teleport", "blowtorch", "melee")[content]
    assert "#" in held or any(line.endswith(f"picked up 1 of {word}") for line in table.told)
