"""What may be chosen in the arena, and what is refused with a sentence."""

from __future__ import annotations

import pytest

from tests.support import rule
from turntile.core.errors import InvalidOptions
from turntile.core.gears import GearName, gear
from turntile.games.worms.game import GAME
from turntile.games.worms.options import MAPS, Options, our_map, prepare
from turntile.games.worms.rules import setup
from turntile.match.options import choose_options


def map_text(width: int, height: int) -> str:
    rows = ["A" * width] * (height - 1) + ["E" * width]
    return f"#SWORMS\nSIZE: {width} {height}\nMAP:\n" + "\n".join(rows)


@rule("N-size", "R-ammunition")
def test_the_defaults_are_three_worms_on_the_island(gear_name: GearName) -> None:
    state = gear(GAME, gear_name).new(prepare(Options()), 1)

    assert (state.record().team, state.record().width, state.record().turn_limit) == (3, our_map("island").width, 200)


@pytest.mark.parametrize("name", MAPS)
def test_our_three_maps_can_be_played_and_have_characters_of_their_own(name: str, gear_name: GearName) -> None:
    """With any team; most worms are alive when the first turn begins."""
    alive = 0
    for seed in range(20):
        for team in (1, 8):
            state = gear(GAME, gear_name).new(prepare(Options(map=name, worms=team)), seed)
            alive += sum(state.record().living) if team == 8 else 0
    assert alive > 0.5 * 20 * 16
    assert len({our_map(other).cells for other in MAPS}) == 3


@rule("N-size", "I1")
def test_a_map_files_text_may_be_given_up_to_the_arenas_size() -> None:
    assert prepare(Options(map=map_text(128, 64))).height == 64
    for width, height in ((129, 10), (10, 65)):
        with pytest.raises(InvalidOptions, match=f"{width}x{height} is too large for the arena: at most 128x64"):
            prepare(Options(map=map_text(width, height)))


@pytest.mark.parametrize(
    ("chosen", "why"),
    [
        ({"worms": 0}, "a whole number from 1 to 8"),
        ({"worms": 9}, "a whole number from 1 to 8"),
        ({"worms": "many"}, "a whole number from 1 to 8"),
        ({"turn_limit": 0}, "from 1 to 100000"),
        ({"rand_seed": 2**32}, "from -1 to 4294967295"),
        ({"width": 5}, "from 12 to 128"),
        ({"height": 65}, "from 8 to 64"),
        ({"wroms": 3}, "did you mean worms?"),
    ],
)
def test_values_outside_their_range_are_refused_by_name(chosen: dict[str, object], why: str) -> None:
    with pytest.raises(InvalidOptions) as refused:
        choose_options(GAME, chosen)
    assert why in str(refused.value)


@rule("R-bad-map", "Z7")
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("moon", "there is no map 'moon': choose one of island, caves, towers, random"),
        ("#SWORMS\nSIZE: 3 2\nMAP:\nAAA\nEXE\n", "line 5, column 2: 'X' is no field"),
        ("#SWORMS", "line 1, column 1: SIZE is missing"),
        ("#SWORMS\nSIZE: 5 2\nMAP:\nAAAAA\nEEEEE\n", "room for 5 worms at the start, not for 6"),
    ],
)
def test_maps_that_cannot_be_played_are_refused(text: str, why: str) -> None:
    with pytest.raises(InvalidOptions) as refused:
        prepare(Options(map=text))
    assert why in str(refused.value)
    assert "\n" not in str(refused.value)


@rule("Z1")
def test_a_rand_seed_sets_the_prescribed_generator_whatever_the_matchs_seed(gear_name: GearName) -> None:
    records = [gear(GAME, gear_name).new(prepare(Options(rand_seed=1695)), seed).record() for seed in (1, 2)]

    assert records[0].random == records[1].random
    assert records[0].random.seed == 1695
    free = [gear(GAME, gear_name).new(prepare(Options()), seed).record() for seed in (1, 2)]
    assert free[0].random != free[1].random


@rule("N-island")
def test_a_random_map_is_drawn_from_the_matchs_seed(gear_name: GearName) -> None:
    def island(seed: int) -> bytes:
        record = gear(GAME, gear_name).new(prepare(Options(map="random", width=30, height=20)), seed).record()
        assert (record.width, record.height) == (30, 20)
        return bytes(content if content <= 2 else 0 for content in record.cells)

    assert island(1) == island(1)
    assert island(1) != island(2)
    assert not any(island(1)[:30])


def test_prepare_leaves_a_record_that_setup_accepts() -> None:
    record = prepare(Options(map="towers", worms=8))
    setup(record)

    assert record.living[0] + record.living[1] > 0
