"""Set-up: thousands of grids of many sizes, each checked against every rule of placement.

The checks count and measure by themselves; nothing of the rules' own set-up is called.
"""

from __future__ import annotations

from random import Random

import pytest

from tests.games.racers.drawn import position
from tests.support import rule
from turntile.core.gears import GearName, gear
from turntile.games.racers.bots import distances
from turntile.games.racers.game import GAME
from turntile.games.racers.options import Options, prepare
from turntile.games.racers.placement import (
    draw_frame,
    measure_distances,
    place_charged_disc,
    place_discs,
    place_grenades,
    place_racers,
    place_teleporters,
    starts_connected,
)
from turntile.games.racers.positions import cell_of, squares
from turntile.games.racers.records import CHARGED, GRENADE, GRENADES, MAX_CELLS, MAX_SIDE, TELEPORTER, WALL, Racers
from turntile.games.racers.view import Square, View, view

GRIDS = {"interpreted": 30, "compiled": 3000}
KING_STEPS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


def sizes(count: int) -> list[tuple[int, int]]:
    """Many small grids, some of every size, square and not, the smallest and the largest among them."""
    random = Random(2)
    chosen = [(10, 10), (10, MAX_SIDE), (MAX_SIDE, 10), (11, 13)]
    if count > 1000:
        chosen += [(MAX_SIDE, MAX_SIDE)] * 5
    while len(chosen) < count:
        most = MAX_SIDE if len(chosen) % 20 == 0 else 18
        chosen.append((random.randint(10, most), random.randint(10, most)))
    return chosen


class Grid:
    """What lies on a fresh grid, as plain sets of squares."""

    def __init__(self, record: Racers) -> None:
        self.width, self.height = record.width, record.height
        cells = [(cell, (x, y)) for cell, x, y in squares(record)]
        self.all = {at for _, at in cells}
        self.walls = {at for cell, at in cells if record.cells[cell] & WALL}
        self.grenades = {at for cell, at in cells if record.cells[cell] & GRENADES}
        self.armed = {at for cell, at in cells if record.cells[cell] & GRENADES not in (0, GRENADE)}
        self.charged = {at for cell, at in cells if record.cells[cell] & CHARGED}
        self.discs = {at: record.discs[cell] for cell, at in cells if record.discs[cell]}
        self.teleporters = {at for cell, at in cells if record.cells[cell] & TELEPORTER}
        where = dict(cells)
        self.doors = [(where[door.cell], where[door.exit]) for door in record.doors[: record.doors_placed]]
        self.racers = [where[racer.cell] for racer in record.racers]
        self.goals = [where[racer.goal] for racer in record.racers]
        self.starts = [(0, self.height - 1), (self.width - 1, 0)]

    def around(self, at: Square) -> set[Square]:
        return {(at[0] + x, at[1] + y) for x, y in KING_STEPS}

    def area(self, start: int, side: int) -> set[Square]:
        """The block of this side with a start in its corner."""
        x, y = self.starts[start]
        xs = range(side) if x == 0 else range(self.width - side, self.width)
        ys = range(side) if y == 0 else range(self.height - side, self.height)
        return {(x, y) for x in xs for y in ys}

    def king_distances(self, start: Square) -> dict[Square, int]:
        """King's moves over squares without walls; teleporters are ignored. In waves, a ring at a time."""
        found = {start: 0}
        free = self.all - self.walls
        ring, distance = [start], 0
        while ring:
            distance += 1
            reached = {(x + dx, y + dy) for x, y in ring for dx, dy in KING_STEPS}
            ring = [at for at in reached & free if at not in found]
            found.update((at, distance) for at in ring)
        return found


def check_walls(grid: Grid) -> None:
    assert 1 <= len(grid.walls) <= -(-grid.width * grid.height // 5)
    assert not grid.walls & set(grid.starts)
    waiting = set(grid.walls)
    while waiting:
        wall, edge = set(), [waiting.pop()]
        while edge:
            at = edge.pop()
            wall.add(at)
            edge += grid.around(at) & waiting
            waiting -= grid.around(at)
        wide, high = (len({at[axis] for at in wall}) for axis in (0, 1))
        assert min(wide, high) == 1, "touching walls are one thing, and not straight unless they are one wall"
        half = -(-(grid.width if wide > 1 else grid.height) // 2)
        assert 2 <= len(wall) <= half


def check_items(grid: Grid) -> None:
    two_percent = -(-2 * grid.width * grid.height // 100)
    three_percent = -(-3 * grid.width * grid.height // 100)
    taken = grid.walls | set(grid.starts)
    assert len(grid.grenades) == two_percent
    assert not grid.armed
    assert len(grid.discs) == two_percent
    assert set(grid.discs.values()) == {1}
    assert len(grid.teleporters) == three_percent
    assert not taken & (grid.grenades | set(grid.discs) | grid.charged | grid.teleporters)
    for start in (0, 1):
        assert grid.grenades & grid.area(start, 3)
        assert grid.area(start, 5) & set(grid.discs)
    assert [source for source, _ in grid.doors] == sorted(grid.teleporters, key=lambda at: (at[1], at[0]))
    assert all(to in grid.teleporters and to != source for source, to in grid.doors)


def check_charged_disc(grid: Grid) -> None:
    one, two = (grid.king_distances(start) for start in grid.starts)
    assert grid.starts[1] in one, "the starts are connected"
    fair = {at for at in one if abs(one[at] - two[at]) <= 2} - set(grid.starts)
    assert grid.charged <= fair
    assert len(grid.charged) == bool(fair)


@rule(
    "R2.1", "R2.2", "R2.3", "R2.4", "R2.6", "R2.7", "R2.9", "R2.10", "R2.11",
    "R3.8", "R3.9", "R3.10", "R3.11", "R3.12", "R3.21", "R3.22", "R3.23", "R3.24", "R3.25",
    "R3.27", "R3.28", "R3.29", "R3.30", "R3.31", "R3.37", "R3.42", "R3.43", "R3.44", "R3.45",
    "F1", "F5", "C1", "C2", "C3", "C4", "C5", "C7", "C8", "C9", "H5",
)  # fmt: skip
def test_every_grid_obeys_the_rules_of_placement(gear_name: GearName) -> None:
    """Thousands of grids of many sizes: walls, grenades, discs, the charged disc, teleporters, starts."""
    rules = gear(GAME, gear_name)
    for seed, (width, height) in enumerate(sizes(GRIDS[gear_name])):
        record = rules.new(prepare(Options(width=width, height=height)), seed).record()
        grid = Grid(record)
        assert grid.racers == grid.starts
        assert grid.goals == grid.starts[::-1]
        check_walls(grid)
        check_items(grid)
        check_charged_disc(grid)


@pytest.fixture(scope="module")
def many_grids() -> list[Grid]:
    """In the fastest gear there is: what chance does in one it does in the other."""
    prepared = prepare(Options(width=10, height=12))
    return [Grid(gear(GAME).new(prepared, seed).record()) for seed in range(400)]


@rule("R2.5", "R2.8")
def test_walls_vary_in_number_and_direction(many_grids: list[Grid]) -> None:
    """Both directions and many numbers of wall squares occur."""
    grids = many_grids[:60]
    upright = sum(bool({(x, y + 1) for x, y in grid.walls} & grid.walls) for grid in grids)
    lying = sum(bool({(x + 1, y) for x, y in grid.walls} & grid.walls) for grid in grids)
    assert upright > 15
    assert lying > 15
    assert len({len(grid.walls) for grid in grids}) > 10


@rule("R3.7", "R3.20", "R3.27", "R3.40", "R3.41", "C2", "C3")
def test_items_lie_anywhere(many_grids: list[Grid]) -> None:
    """Over many grids each kind is found all over the grid, near the starts on each square of their areas."""
    grids = many_grids
    near = grids[0].area(0, 3) - set(grids[0].starts)
    assert len({at for grid in grids for at in grid.grenades if at in near}) == 8
    near = grids[0].area(1, 5) - set(grids[0].starts)
    assert len({at for grid in grids for at in grid.discs if at in near}) == 24
    for found in (
        {at for grid in grids for at in grid.grenades},
        {at for grid in grids for at in grid.discs},
        {at for grid in grids for at in grid.teleporters},
    ):
        assert len(found) > 100
    assert len({at for grid in grids for at in grid.charged}) > 20
    assert len({door for grid in grids for door in grid.doors}) > 600
    assert any(grid.grenades & set(grid.discs) for grid in grids), "different kinds may share a square"


@rule("C8", "C3")
def test_the_charged_disc_may_share_a_square_with_a_plain_one(many_grids: list[Grid]) -> None:
    """They are different kinds."""
    assert any(grid.charged & set(grid.discs) for grid in many_grids)


@rule("R3.28", "C4")
def test_the_charged_disc_may_be_up_to_two_moves_nearer_to_one_start(many_grids: list[Grid]) -> None:
    """Every difference up to two comes up, for either player."""
    found = set()
    for grid in many_grids[:100]:
        one, two = (grid.king_distances(start) for start in grid.starts)
        found |= {one[at] - two[at] for at in grid.charged}
    assert found == {-2, -1, 0, 1, 2}


def crowded(free: list[Square]) -> Racers:
    """A grid that is all wall but for the starts and these squares: no set-up makes one (F5, R2.10)."""
    record = prepare(Options())
    place_racers(record)
    draw_frame(record)
    for cell, x, y in squares(record):
        if (x, y) not in [*free, (0, 9), (9, 0)]:
            record.cells[cell] = WALL
    measure_distances(record)
    return record


@rule("R3.8", "R3.21", "R3.42", "C2")
def test_fewer_are_placed_only_where_squares_run_out() -> None:
    """With one free square there is one grenade and one disc instead of two."""
    record = crowded([(5, 5)])
    place_grenades(record)
    place_discs(record)
    grid = Grid(record)
    assert grid.grenades == {(5, 5)}
    assert grid.discs == {(5, 5): 1}


@rule("C5", "R3.42")
def test_a_single_teleporter_is_none() -> None:
    """It would have nowhere to lead; with two free squares two are placed, though 3 % would be three."""
    for free, count in (([(5, 5)], 0), ([(5, 5), (7, 7)], 2)):
        record = crowded(free)
        place_teleporters(record)
        grid = Grid(record)
        assert len(grid.teleporters) == len(grid.doors) == count
        assert all(source != to for source, to in grid.doors)


@rule("F2", "R3.32", "C8")
def test_without_a_fair_square_there_is_no_charged_disc() -> None:
    """The only free squares lie at one start, or cannot be reached at all."""
    record = crowded([(1, 8), (5, 5)])
    place_charged_disc(record)
    assert Grid(record).charged == set()


@rule("C5", "C9")
def test_connected_means_by_kings_moves() -> None:
    """A diagonal of squares connects the starts; without one of them they are apart and walls are drawn again."""
    diagonal = [(x, 9 - x) for x in range(1, 9)]
    assert starts_connected(crowded(diagonal))
    assert not starts_connected(crowded(diagonal[1:]))


@rule("C4")
def test_distances_for_the_charged_disc_ignore_teleporters(gear_name: GearName) -> None:
    """Walls make the ways unequal: the charged disc is fair by king's moves around them (checked for every grid)."""
    for seed in range(15):
        grid = Grid(gear(GAME, gear_name).new(prepare(Options()), seed).record())
        check_charged_disc(grid)
        assert len(grid.charged) == 1


@rule("R3.34")
def test_the_distances_kept_for_bots_count_teleporters(gear_name: GearName) -> None:
    """They agree with those the bots measure on a view by themselves."""
    for seed in range(8):
        record = gear(GAME, gear_name).new(prepare(Options(width=10 + 2 * seed, height=24 - seed)), seed).record()
        seen: View = view(record, 0)
        for seat in range(2):
            found = distances(seen, seen.racers[seat].goal)
            for cell, x, y in squares(record):
                assert record.far[seat * MAX_CELLS + cell] == found.get((x, y), 255)


@rule("R2.1", "U1")
@pytest.mark.parametrize(("width", "height"), [(10, 10), (12, 31), (64, 64)])
def test_a_match_begins_on_a_grid_of_the_dimensions_asked_for(gear_name: GearName, width: int, height: int) -> None:
    """Any rectangle from 10x10 on."""
    record = gear(GAME, gear_name).new(prepare(Options(width=width, height=height)), 3).record()
    assert (record.width, record.height) == (width, height)
    assert GAME.read_position(GAME.write_position(record)).width == width


@rule("R2.2")
def test_starts_are_in_opposite_corners() -> None:
    """Player 1 bottom left, player 2 top right."""
    record = position("..........")
    assert record.racers[0].cell == cell_of(record, 0, 9) == record.racers[1].goal
    assert record.racers[1].cell == cell_of(record, 9, 0) == record.racers[0].goal
