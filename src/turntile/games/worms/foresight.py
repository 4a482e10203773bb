"""What an action would do, as far as a view can tell: for aiming, and for nothing else.

A record is made of the view, with an unknown weapon in every chest, and the rules themselves
are asked. So a screen never foresees anything that the rules would not do.
"""

from __future__ import annotations

from dataclasses import dataclass

from turntile.forge import assign
from turntile.games.worms.gravity import FALL_DAMAGE
from turntile.games.worms.records import (
    BAZOOKA,
    CHEST,
    CHOOSE,
    DIED,
    FELL,
    GONE,
    HIT,
    HURT,
    IDLE,
    MAX_ACTIONS,
    MISSED,
    MOVED,
    STRIKE,
    WORM,
    Worms,
)
from turntile.games.worms.rules import act, legal
from turntile.games.worms.view import View
from turntile.games.worms.words import (
    CHOICE_WORDS,
    DEATH_WORDS,
    FIELD_SIGNS,
    HIT_WORDS,
    SIGNS,
    Event,
    logged,
    numbered,
    parse,
    spell,
)

Cell = tuple[int, int]  # column and row, as scenes count


@dataclass(frozen=True)
class Foreseen:
    """What one action would do."""

    words: str  # in short, for a label
    hits: tuple[Cell, ...] = ()  # the fields it hits, in order
    end: Cell | None = None  # where the worm would stand afterwards; None if it would be gone
    harms_own: bool = False
    harms_others: bool = False


def imagine(view: View) -> Worms:
    """A record that fits the view."""
    s = Worms()
    s.width, s.height = view.width, view.height
    s.team = len(view.worms) // 2
    for row, fields in enumerate(view.map):
        for column, sign in enumerate(fields):
            content = WORM if sign in SIGNS else FIELD_SIGNS.index(sign)
            s.cells[row * view.width + column] = content
    for chest in view.chests:
        s.cells[chest.row * view.width + chest.col] = CHEST + BAZOOKA
    for index, worm in enumerate(view.worms):
        s.worms[index].cell = GONE if worm.hp == 0 else worm.row * view.width + worm.col
        s.worms[index].hp = worm.hp
        for weapon, word in enumerate(CHOICE_WORDS):
            s.worms[index].ammunition[weapon] = worm.ammunition.get(word, 0)
        if worm.hp > 0:
            s.living[worm.player - 1] += 1
    s.player = view.player - 1
    s.worm = view.worm - 1
    s.weapon = CHOICE_WORDS.index(view.weapon)
    s.moved = view.moved
    s.chosen = view.chosen
    s.choose_limit = view.choose_limit
    return s


class Foresight:
    """Answers for one view.

    Teleports, of which there are many, are told from their column alone; but not those within the
    worm's own column, where what it leaves behind comes down too (G4).
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self.s = imagine(view)

    def drop(self, cell: int) -> int:
        """How many fields one falls from here until something holds, or -1 if nothing does."""
        s = self.s
        fields = 0
        under = cell + s.width
        while under < s.width * s.height and FIELD_SIGNS[s.cells[under]] in " #":
            fields += 1
            under += s.width
        return fields if under < s.width * s.height and FIELD_SIGNS[s.cells[under]] != "W" else -1

    def sensible(self) -> list[str]:
        """The legal actions where there are too many to list: of all teleports, those that end where they lead."""
        s = self.s
        out = [0] * MAX_ACTIONS
        teleports = STRIKE + s.width
        legal_now = out[: legal(s, s.player, out)]
        return [
            spell(s, s.player, action)
            for action in legal_now
            if action < teleports or self.drop(action - teleports) == 0
        ]

    def of(self, text: str) -> Foreseen:
        action = parse(self.s, self.s.player, text)
        if CHOOSE <= action <= IDLE:
            return Foreseen("", end=self.place_of(self.s))
        target = action - STRIKE - self.s.width
        if target >= 0 and target % self.s.width != self.s.worms[self.s.worm].cell % self.s.width:
            return self.of_teleport(target)
        s = Worms()
        assign(s, self.s)
        act(s, action)
        told = list(logged(s))
        harmed = {event.a for event in told if event.kind in (HURT, FELL, DIED)}
        own = {worm for worm in harmed if self.view.worms[worm].player == self.view.player}
        return Foreseen(
            words=", ".join(filter(None, (self.in_words(event) for event in told))),
            hits=tuple((event.d, event.c) for event in told if event.kind == HIT),
            end=self.place_of(s),
            harms_own=bool(own),
            harms_others=bool(harmed - own),
        )

    def of_teleport(self, cell: int) -> Foreseen:
        fields = self.drop(cell)
        landing = cell + max(0, fields) * self.s.width
        end = (landing % self.s.width, landing // self.s.width)
        points = FALL_DAMAGE * (fields - 1)
        if fields < 0 or points >= self.s.worms[self.s.worm].hp:
            return Foreseen("deadly", harms_own=True)
        if points > 0:
            return Foreseen(f"falls, -{points} hp", end=end, harms_own=True)
        return Foreseen("", end=end)

    def place_of(self, s: Worms) -> Cell | None:
        cell = s.worms[s.worm].cell
        return None if cell == GONE else (cell % s.width, cell // s.width)

    def in_words(self, event: Event) -> str:
        def who(worm: int) -> str:
            return self.view.worms[worm].name

        if event.kind == HIT and event.b != WORM:
            return f"hits {HIT_WORDS[event.b].lower()}"
        if event.kind == HURT:
            return f"{numbered(who, event.a)} -{event.b} hp"
        if event.kind == FELL:
            return f"{numbered(who, event.a)} falls, -{event.b} hp"
        if event.kind == DIED:
            return f"{numbered(who, event.a)} {DEATH_WORDS[event.b].rstrip('.')}"
        if event.kind == MISSED:
            return "misses"
        if event.kind == MOVED and event.b >= 0:
            return f"to ({event.b}, {event.c})"
        return ""
