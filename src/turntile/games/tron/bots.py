"""Tron's bots, from easy to strong. All but the tree search play from the view alone."""

from __future__ import annotations

from turntile.core.bots import RANDOM, TREE, Bot, BotKind, Turn
from turntile.core.grid import opposite
from turntile.games.tron.view import UNKNOWN, View
from turntile.games.tron.words import GREY_DRAWN, HEADINGS, TRAILS

# What a cell counts when territory is compared: more, the more ways lead on from it.
CELL_WORTH = 2
NEIGHBOUR_WORTH = 7
POWERUP_WORTH = 40
HEAD_ON = -1_000_000  # a step onto a cell that somebody else may enter too
NEARLY_STUCK = 10  # so few cells left, and it is time to use what one holds

NOBODY, MINE, THEIRS = 0, 1, 2


class Field:
    """The board as a bot looks at it: cells counted row by row, and which of them are free."""

    def __init__(self, view: View, seat: int) -> None:
        self.cells = "".join(view.board)
        self.free = bytearray(drawn == "." or drawn == UNKNOWN for drawn in self.cells)
        self.steps = (-view.width, 1, view.width, -1)  # up, right, down, left
        self.me = view.cycles[seat]
        self.head = self.me.y * view.width + self.me.x
        self.rivals = [
            cycle.y * view.width + cycle.x for other, cycle in enumerate(view.cycles) if other != seat and cycle.alive
        ]

    def sides(self) -> list[int]:
        """The headings one can take: all but straight back."""
        return [side for side in range(4) if side != opposite(HEADINGS.index(self.me.heading))]

    def open_sides(self) -> list[int]:
        """The headings whose next cell does not kill at once."""
        return [side for side in self.sides() if not self.deadly(self.head + self.steps[side])]

    def deadly(self, cell: int) -> bool:
        drawn = self.cells[cell]
        return drawn == "#" or ((drawn in TRAILS or drawn == GREY_DRAWN) and not self.me.invincible)

    def free_run(self, side: int) -> int:
        """How far one could go straight on."""
        cell, length = self.head + self.steps[side], 0
        while not self.deadly(cell):
            cell, length = cell + self.steps[side], length + 1
        return length

    def ways_on(self, cell: int) -> int:
        return sum(self.free[cell + step] for step in self.steps)

    def reach(self, start: int) -> list[int]:
        """The free cells that can be reached from a cell."""
        seen = bytearray(self.free)
        seen[start] = 0
        queue = [start]
        for cell in queue:
            for step in self.steps:
                if seen[cell + step]:
                    seen[cell + step] = 0
                    queue.append(cell + step)
        return queue[1:]


# ------------------------------------------------------------------------- greedy


def greedy_bot(argument: str) -> Bot:
    """Goes where the free run is longest, and uses what it holds when it is shut in."""

    def act(turn: Turn) -> str:
        field = Field(turn.view, turn.seat)
        sides = field.open_sides()
        if not sides:
            return way_out(field)
        return HEADINGS[max(sides, key=field.free_run)]

    return act


def way_out(field: Field) -> str:
    """Every way is deadly: only a powerup may help, and only where no wall is."""
    for side in field.sides():
        if field.me.held and field.cells[field.head + field.steps[side]] != "#":
            return f"activate {HEADINGS[side]}"
    return "straight"


# ------------------------------------------------------------------------- territory


def territory_bot(argument: str) -> Bot:
    """Takes the step after which it reaches most cells first; shut off from the others, it fills its part."""

    def act(turn: Turn) -> str:
        field = Field(turn.view, turn.seat)
        sides = field.open_sides()
        if not sides:
            return way_out(field)
        left = field.reach(field.head)
        if field.me.held and len(left) < NEARLY_STUCK:
            return f"activate {HEADINGS[max(sides, key=field.free_run)]}"
        near = set(left)
        meets = any(rival + step in near for rival in field.rivals for step in field.steps)
        worth = duel_worth if meets else filling_worth
        return HEADINGS[max(sides, key=lambda side: worth(field, field.head + field.steps[side]))]

    return act


def duel_worth(field: Field, step: int) -> int:
    """My territory less theirs, if I go there now and they may go anywhere."""
    if any(rival + side == step for rival in field.rivals for side in field.steps):
        return HEAD_ON + field.ways_on(step)
    owner = bytearray(len(field.cells))
    reached = [0] * len(field.cells)  # in which ring of the flood, counted from 1
    worth = [0, 0, 0]
    ring = field.rivals
    for rival in ring:
        owner[rival] = THEIRS
    distance = 0
    while ring:
        distance += 1
        following = []
        if distance == 1:
            owner[step], reached[step] = MINE, 1
            following.append(step)
        for cell in ring:
            claimant = owner[cell]
            for side in field.steps:
                near = cell + side
                if field.free[near]:
                    if not reached[near]:
                        owner[near], reached[near] = claimant, distance
                        following.append(near)
                    elif reached[near] == distance and owner[near] != claimant:
                        owner[near] = NOBODY
        for cell in following:
            worth[owner[cell]] += cell_worth(field, cell)
        ring = following
    return worth[MINE] - worth[THEIRS]


def cell_worth(field: Field, cell: int) -> int:
    bonus = POWERUP_WORTH if field.cells[cell] == UNKNOWN else 0
    return CELL_WORTH + NEIGHBOUR_WORTH * field.ways_on(cell) + bonus


def filling_worth(field: Field, step: int) -> int:
    """Keep as much as possible within reach, and stay close to what is solid."""
    return 4 * len(field.reach(step)) - field.ways_on(step)


GREEDY = BotKind("greedy", "goes where the free run is longest", greedy_bot)
TERRITORY = BotKind("territory", "claims the cells it reaches first, and fills its part once shut off", territory_bot)

BOTS = (RANDOM, GREEDY, TERRITORY, TREE)
