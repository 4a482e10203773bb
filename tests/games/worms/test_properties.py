"""What must hold whatever is typed: 2,000 games of random commands, valid and not."""

from __future__ import annotations

from io import BytesIO
from random import Random

import pytest

from tests.support import rule
from turntile.cli.swworms import Config, Program
from turntile.core.gears import GearName, gear
from turntile.games.worms.game import GAME
from turntile.games.worms.maps import Map, make_island
from turntile.games.worms.options import MAPS, Options, our_map, prepare
from turntile.games.worms.positions import write_position
from turntile.games.worms.records import (
    AIR,
    FULL_HP,
    GONE,
    WATER,
    WEAPONS,
    WORM,
    Worms,
    is_chest,
    player_of,
)
from turntile.games.worms.rules import legal, setup, why_illegal
from turntile.games.worms.words import CHOICE_WORDS, DIRECTIONS, split_words

GAMES = 2000
PARTS = 8  # of the games, so that they can be played side by side
COMMANDS = 14  # typed in one game

NONSENSE = ("", "jump", "move", "move x 1", "move l 9", "choose", "choose sword", "action x", "action 1 2", "\x00\xff")


def random_command(chance: Random, width: int, height: int) -> str:
    """Mostly what could be meant, sometimes what could not."""
    draw = chance.random()
    if draw < 0.2:
        return f"move {chance.choice('lr')} {chance.randrange(4)}"
    if draw < 0.5:
        return f"choose {chance.choice(CHOICE_WORDS)}"
    if draw < 0.65:
        return f"action {chance.choice(DIRECTIONS)}"
    if draw < 0.75:
        return f"action {chance.randrange(width + 2)}"
    if draw < 0.85:
        return f"action {chance.randrange(width + 2)} {chance.randrange(height + 2)}"
    if draw < 0.95:
        return chance.choice(("action", "action idle", "map", "state", "help"))
    return chance.choice(NONSENSE)


def random_world(chance: Random) -> Map:
    if chance.random() < 0.3:
        return our_map(chance.choice(MAPS))
    return make_island(chance.getrandbits(32), chance.randrange(12, 30), chance.randrange(8, 14))


def check_invariants(s: Worms) -> None:
    for worm in range(2 * s.team):
        made = s.worms[worm]
        assert all(made.ammunition[weapon] >= 0 for weapon in range(WEAPONS))
        if made.cell == GONE:
            assert made.hp == 0
        else:
            assert 1 <= made.hp <= FULL_HP
            assert s.cells[made.cell] == WORM
            under = s.cells[made.cell + s.width]  # an index outside the map would be an error
            assert under not in (AIR, WATER) and not is_chest(under)
    for cell in range(s.width * s.height):
        if is_chest(s.cells[cell]):
            assert s.cells[cell + s.width] not in (AIR, WATER, WORM)
    drawn = sum(s.cells[cell] == WORM for cell in range(s.width * s.height))
    assert drawn == s.living[0] + s.living[1] == sum(s.worms[worm].cell != GONE for worm in range(2 * s.team))
    for player in range(2):
        team = [worm for worm in range(2 * s.team) if player_of(s, worm) == player]
        assert s.living[player] == sum(s.worms[worm].cell != GONE for worm in team)


@rule("R-gravity", "R-hp", "Z2", "R-chest-draws", "O12")
@pytest.mark.parametrize("part", range(PARTS))
def test_invariants_hold_whatever_is_typed(part: int) -> None:
    """Worms stand on something or are gone, HP are 1 to 100, ammunition is never negative, a turn draws two words."""
    for number in range(part, GAMES, PARTS):
        chance = Random(number)
        world = random_world(chance)
        config = Config(">", world, ("Ann", "Bob"), chance.randrange(1, 5), ("~", "*"))
        output = BytesIO()
        program = Program(config, number, BytesIO(), output)
        s = program.s
        setup(s)
        check_invariants(s)
        for _ in range(COMMANDS):
            if s.ended:
                break
            turn, words = s.turn, s.random.drawn
            before = output.tell()
            program.obey(split_words(random_command(chance, s.width, s.height)))
            check_invariants(s)
            assert s.random.drawn - words == 2 * (s.turn - turn)
            assert s.turn - turn <= 1
            answer = output.getvalue()[before:]
            if answer.startswith(b"[ERROR]"):
                assert answer.count(b"\n") == 1 and s.turn == turn


def test_legal_lists_exactly_what_why_illegal_allows(gear_name: GearName) -> None:
    """All action numbers of the map are asked, for both seats, in many positions of random matches."""
    chance = Random(11)
    for seed in range(4):
        state = gear(GAME, gear_name).new(prepare(Options(map="random", width=14, height=9, turn_limit=20)), seed)
        while True:
            record = state.record()
            top = 24 + record.width + record.width * record.height
            for seat in (0, 1):
                allowed = [action for action in range(-2, top + 3) if state.why_illegal(seat, action) == 0]
                assert state.legal(seat) == allowed
                if allowed:
                    assert state.default_action(seat) in allowed
                    candidates = state.candidates(seat)
                    assert candidates and set(candidates) <= set(allowed) and candidates == sorted(candidates)
            if state.over():
                break
            action = chance.choice(state.legal(record.player))
            state.step([action, action])


def test_playouts_end(gear_name: GearName) -> None:
    """Also without a turn limit: the policy of playouts seeks the end."""
    record = prepare(Options())
    record.turn_limit = 0
    for seed in range(20 if gear_name == "compiled" else 3):
        state = gear(GAME, gear_name).new(record, seed)
        steps = state.playout(seed, 5000)
        assert state.over() and steps < 5000


def test_asking_what_is_legal_changes_nothing() -> None:
    s = prepare(Options())
    setup(s)
    before = write_position(s)
    out = [0] * 10_000
    for seat in (-1, 0, 1, 2):
        legal(s, seat, out)
        for action in (-1, 0, 13, 14, 15, 10**9):
            why_illegal(s, seat, action)

    assert write_position(s) == before
