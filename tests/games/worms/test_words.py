"""Commands as text and back, refusals, and positions as text."""

from __future__ import annotations

from random import Random
from typing import Any, cast

import pytest

from tests.games.worms.drawn import worms
from tests.support import picture, rule
from turntile.core.errors import InvalidAction, InvalidPosition
from turntile.core.gears import GearName, gear
from turntile.forge.layout import position_size
from turntile.forge.records import Layout
from turntile.games.worms.game import GAME
from turntile.games.worms.options import MAPS, Options, prepare
from turntile.games.worms.positions import read_position, write_position
from turntile.games.worms.records import FIXED_BYTES, Worms
from turntile.games.worms.words import our_names, parse, spell

FLAT = "......\n~~..**\nEEEEEE"
LAYOUT: Layout = cast(Any, Worms).LAYOUT


@rule("R-commands", "R-action", "R-choose", "R-move")
@pytest.mark.parametrize("weapon", ["gun", "bazooka", "teleporter", "blowtorch", "melee", "airstrike"])
def test_every_legal_action_has_one_text_that_reads_back(gear_name: GearName, weapon: str) -> None:
    table = worms(gear_name, FLAT)
    table.play(f"choose {weapon}")
    record = table.record
    legal = table.state.legal(0)
    texts = [spell(record, 0, action) for action in legal]

    assert [parse(record, 0, text) for text in texts] == legal
    assert len(set(texts)) == len(texts)


@rule("E7", "R-case")
@pytest.mark.parametrize("text", ["MOVE L 2", "  move\tl   02 ", "Move l 2"])
def test_commands_are_read_in_any_case_and_with_any_blanks(text: str) -> None:
    assert spell(read_position(FLAT), 0, parse(read_position(FLAT), 0, text)) == "move l 2"


@rule("R-unknown", "R-parameter")
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is no action: say move, choose or action"),
        ("map", "is no action"),
        ("jump " + "x" * 1000, "'jump xxxx"),
        ("move l 4", "0 to 3 steps"),
        ("choose rocket", "one weapon of gun, bazooka"),
        ("action up", "a direction (l r u d lu ru ld rd)"),
        ("action 6", "columns are 0 to 5"),
        ("action 1 3", "rows 0 to 2"),
        ("action " + "9" * 9999, "outside the map"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_short_line(text: str, why: str) -> None:
    with pytest.raises(InvalidAction) as refused:
        parse(read_position(FLAT), 0, text)

    assert why in str(refused.value)
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 200


def test_there_are_over_300_names_of_our_own_all_different() -> None:
    names = our_names()

    assert len(names) >= 300
    assert len(set(names)) == len(names)
    assert all(name == name.strip() and name.isascii() and 0 < len(name) <= 24 for name in names)


# ------------------------------------------------------------------------- positions


def position_of(record: Worms) -> bytes:
    return bytes(cast(Any, record).to_bytes()[: position_size(LAYOUT)])


@pytest.mark.parametrize("map_name", [*MAPS, "random"])
def test_every_position_of_a_match_reads_back_as_it_was(map_name: str) -> None:
    """Also in the middle of a turn, with dead worms, chests, spent draws, and after the end."""
    chance = Random(map_name)
    state = gear(GAME, "interpreted").new(prepare(Options(map=map_name, turn_limit=40)), 5)
    while True:
        record = state.record()
        assert position_of(read_position(write_position(record))) == position_of(record)
        if state.over():
            break
        action = chance.choice(state.legal(record.player))
        state.step([action, action])


def test_planned_draws_that_are_left_read_back() -> None:
    record = read_position(FLAT + "\nplan 4 0 3 1")
    state = gear(GAME, "interpreted").load(record)
    state.step([14, 14])
    written = write_position(state.record())

    assert "\nplan 3 1\n" in written + "\n"
    assert position_of(read_position(written)) == position_of(state.record())


def test_a_generator_that_no_seed_leads_to_reads_back_word_by_word() -> None:
    record = read_position(FLAT)
    record.random.words[17] ^= 5
    record.worms[2].name = 4711

    assert position_of(read_position(write_position(record))) == position_of(record)


def test_the_number_of_bytes_before_the_map_is_the_one_the_rules_count_with() -> None:
    cells = LAYOUT.field("cells")

    assert cells.offset == FIXED_BYTES
    assert cells.offset + cells.size == position_size(LAYOUT)


@rule("R-gravity", "R-map-rows", "R-hp")
@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("", 1, "begins with a picture"),
        ("hello", 1, "begins with a picture"),
        ("....\n~..\nEEEE", 2, "3 fields instead of 4"),
        ("." * 129, 1, "129x1 is too large"),
        ("....\n" * 65, 1, "4x65 is too large"),
        (".E..\n~..*\nEEEE", 3, "top row has ground in column 1"),
        ("~..*\n....\nEEEE", 3, "nothing holds what stands at row 0, column 0"),
        ("....\n~.#*\nEE.E", 3, "nothing holds what stands at row 1, column 2"),
        ("....\n~..*\nEWEW", 3, "nothing holds what stands at row 1, column 3"),
        ("....\n#..*\n~..E\nEEEE\n", 4, "lies on a worm"),
        ("....\n~..*\n#..E\nEEEE\n", 4, "nothing holds what stands at row 1, column 0"),
        ("....\n~..*\nEEEE\nworm 3 at 1 0", 4, "worm 3 must be 1 to 2"),
        ("....\n~..*\nEEEE\nworm 1 at 1 1", 4, "no ~ is drawn at row 1, column 1"),
        ("....\n~..*\nEEEE\nworm 1 at 1 3", 4, "no ~ is drawn"),
        ("....\n~..*\nEEEE\nworm 1 at 1 0 hp 101", 4, "hp 101 must be 1 to 100"),
        ("....\n~..*\nEEEE\nworm 1 at 1 0 hp 0", 4, "hp 0 must be 1 to 100"),
        ("....\n~..*\nEEEE\nworm 1 at 1 0 ammunition 1 1 1 1 99999", 4, "ammunition 99999"),
        ("....\n~..*\nEEEE\nworm 1 at 1 0 named Nobody At All", 4, "not in the list of names"),
        ("....\n~..*\nEEEE\nworm 1 gone", 4, "no line leaves room"),
        ("....\n~.#*\nEEEE\nchest 1 2 airstrike", 4, "no chest holds 'airstrike'"),
        ("....\n~.#*\nEEEE\nchest 1 1 melee", 4, "no chest is drawn at row 1, column 1"),
        ("....\n~..*\nEEEE\nacts 2 with sword", 4, "no weapon 'sword'"),
        ("....\n~..*\nEEEE\nworm 1 at 1 0 ammunition 0 1 1 1 1\nacts 1 with bazooka", 5, "no ammunition"),
        ("....\n~..*\nEEEE\nbefore 2 1", 4, "does not belong to player 1"),
        ("....\n~..*\nEEEE\noption colour 1", 4, "no option colour"),
        ("....\n~..*\nEEEE\noption team 9", 4, "team 9 must be 1 to 8"),
        ("....\n~..*\nEEEE\nrandom 1 1000000", 4, "all words must be given"),
        ("....\n~..*\nEEEE\nrandom 1 1 at 0 words ab", 4, "624 words"),
        ("....\n~..*\nEEEE\nplan " + "1 " * 17, 4, "at most 16"),
        ("....\n~..*\nEEEE\nweather fine", 4, "cannot be read"),
        ("....\n~...\nEEEE", 3, "write ended"),
        ("....\n~..*\nEEEE\nturn 3 player 2", 4, "worm 1 cannot act"),
        ("~~~~~~~~~*\nEEEEEEEEEE", 2, "at most 8 are allowed"),
    ],
)
def test_positions_that_cannot_be_are_refused_with_line_and_reason(text: str, line: int, why: str) -> None:
    with pytest.raises(InvalidPosition) as refused:
        read_position(picture(text))

    assert str(refused.value).startswith(f"line {line}: "), refused.value
    assert why in str(refused.value)
