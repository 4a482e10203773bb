"""Positions of SEWorms as text: every state can be written down and read back.

A position is a picture of the map and lines about it. In the picture `.` is air, `E` earth, `W`
water, `#` a chest, `~` and `*` are worms of players 1 and 2. Lines below it, all optional, in
any order; rows come before columns, as in the prescribed lines:

    worm 3 at 4 12 hp 60 ammunition 1 0 2 1 1 named Captain Crumble
    worm 2 gone                                 ammunition and name may follow here too
    chest 5 4 melee                             what is in it; else bazooka
    acts 3 with bazooka, moved, chosen 2        whose turn it is
    before 3 6                                  who had the last turn of each player
    turn 12
    option turn_limit 200
    ended | crowded | turn_done
    random 1695 14                              the prescribed generator: its seed, words drawn
    random 1695 14 at 14 words 01ab...          where no seed leads there: its next index and all its words
    dice 1 2 3 4                                the four words of the dice
    plan 3 0                                    draws that come first

Worms without a line are numbered in reading order; a team has as many as its larger drawn side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from turntile.core.dice import MASK32, MAX_PLANNED
from turntile.core.errors import InvalidPosition
from turntile.core.planned import plan_dice
from turntile.games.worms.maps import read_number
from turntile.games.worms.mersenne import MERSENNE_WORDS, Mersenne, draw_word, seed_mersenne
from turntile.games.worms.records import (
    AIR,
    BAZOOKA,
    CHEST,
    CHEST_KINDS,
    EARTH,
    FULL_HP,
    GONE,
    MAX_HEIGHT,
    MAX_TEAM,
    MAX_WIDTH,
    WATER,
    WEAPONS,
    WORM,
    Worms,
    is_chest,
    player_of,
)
from turntile.games.worms.words import SIGNS, WEAPON_WORDS, our_names

DRAWN = {AIR: ".", EARTH: "E", WATER: "W"}
CONTENT_OF = {drawn: content for content, drawn in DRAWN.items()}
OPTION_FIELDS = ("team", "names", "turn_limit", "choose_limit", "rand_seed", "seeded", "random_map")
YES_NO = ("seeded", "random_map")
FLAGS = ("ended", "crowded", "turn_done")
MOST = 2**31 - 1
MOST_AMMUNITION = 2**15 - 1


def write_position(s: Worms) -> str:
    """Everything that is in the state, so that reading it back gives the same state."""
    return "\n".join([*draw_rows(s), *describe(s)]) + "\n"


def draw_rows(s: Worms) -> list[str]:
    fields = ["#" if is_chest(content) else DRAWN.get(content, "?") for content in s.cells[: s.width * s.height]]
    for worm in range(2 * s.team):
        if s.worms[worm].cell != GONE:
            fields[s.worms[worm].cell] = SIGNS[player_of(s, worm)]
    return ["".join(fields[row * s.width : (row + 1) * s.width]) for row in range(s.height)]


def describe(s: Worms) -> Iterator[str]:
    for field in OPTION_FIELDS:
        yield f"option {field} {int(getattr(s, field))}"
    for worm in range(2 * s.team):
        made = s.worms[worm]
        where = "gone" if made.cell == GONE else f"at {made.cell // s.width} {made.cell % s.width} hp {made.hp}"
        ammunition = " ".join(str(made.ammunition[weapon]) for weapon in range(BAZOOKA, WEAPONS))
        yield f"worm {worm + 1} {where} ammunition {ammunition} named {spell_name(made.name)}"
    for cell in range(s.width * s.height):
        if is_chest(s.cells[cell]):
            yield f"chest {cell // s.width} {cell % s.width} {WEAPON_WORDS[s.cells[cell] - CHEST]}"
    moved = ", moved" if s.moved else ""
    yield f"acts {s.worm + 1} with {WEAPON_WORDS[s.weapon]}{moved}, chosen {s.chosen}"
    yield f"before {s.before[0] + 1} {s.before[1] + 1}"
    yield f"turn {s.turn} player {s.player + 1}"
    for flag in FLAGS:
        if getattr(s, flag):
            yield flag
    yield describe_random(s.random)
    yield f"dice {s.dice.a} {s.dice.b} {s.dice.c} {s.dice.counter}"
    if s.dice.planned:
        yield " ".join(["plan", *(str(number) for number in reversed(s.dice.plan[: s.dice.planned]))])


def spell_name(index: int) -> str:
    """A name of our list as it is, any other as its number."""
    names = our_names()
    return names[index] if index < len(names) else f"#{index}"


def describe_random(random: Mersenne) -> str:
    if random == seeded_random(random.seed, min(random.drawn, MOST_REPLAYED)):
        return f"random {random.seed} {random.drawn}"
    words = "".join(f"{word:08x}" for word in random.words)
    return f"random {random.seed} {random.drawn} at {random.index} words {words}"


MOST_REPLAYED = 100_000  # words that are drawn again to find a generator's place; a match draws a few hundred


def seeded_random(seed: int, drawn: int) -> Mersenne:
    random = Mersenne()
    seed_mersenne(random, seed)
    for _ in range(drawn):
        draw_word(random)
    return random


def read_position(text: str) -> Worms:
    """The state a text describes, or InvalidPosition with the line and what is wrong there."""
    return PositionReader(text).read()


WORM_LINE = re.compile(
    r"worm ([0-9]+)(?: (?:(gone)|at ([0-9]+) ([0-9]+)))?"
    r"(?: hp ([0-9]+))?(?: ammunition((?: [0-9]+){5}))?(?: named (.+))?"
)
CHEST_LINE = re.compile(r"chest ([0-9]+) ([0-9]+) ([a-z]+)")
ACTS_LINE = re.compile(r"acts ([0-9]+)(?: with ([a-z]+))?(, moved)?(?:, chosen ([0-9]+))?")
BEFORE_LINE = re.compile(r"before ([0-9]+) ([0-9]+)")
TURN_LINE = re.compile(r"turn ([0-9]+)(?: player ([12]))?")
OPTION_LINE = re.compile(r"option ([a-z_]+) ([0-9]+)")
RANDOM_LINE = re.compile(r"random ([0-9]+) ([0-9]+)(?: at ([0-9]+) words ([0-9a-f]+))?")
DICE_LINE = re.compile(r"dice ([0-9]+) ([0-9]+) ([0-9]+) ([0-9]+)")
PLAN_LINE = re.compile(r"plan((?: [0-9]+)+)")
FLAG_LINE = re.compile("|".join(FLAGS))
PICTURE_ROW = re.compile(r"[.EW#~*]+")


class PositionReader:
    """Reads the picture, then the lines, then checks that what they say can be."""

    def __init__(self, text: str) -> None:
        lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
        self.lines = [(number, line) for number, line in lines if line]
        self.line = 0  # the one being read, for messages
        self.s = Worms()
        self.acts = 0  # the worm whose turn it is said to be
        self.placed: dict[int, int] = {}  # field -> worm, as lines say
        self.gone: set[int] = set()
        self.before_given = False
        self.player: int | None = None
        self.drawn = ""  # the picture's rows, one behind the other

    def read(self) -> Worms:
        rest = self.read_picture()
        self.s.random = seeded_random(0, 0)
        self.s.names = len(our_names())
        self.set_defaults(self.drawn_team())
        # Options first: how many worms a team has decides whose a worm is.
        for wanted in (True, False):
            for self.line, line in rest:
                if line.startswith("option ") == wanted:
                    self.read_line(line)
        self.line = rest[-1][0] if rest else self.line
        self.place_worms()
        self.choose_actor()
        self.check()
        return self.s

    def refuse(self, what: str) -> InvalidPosition:
        return InvalidPosition(f"line {self.line}: {what}")

    # ---- the picture

    def read_picture(self) -> list[tuple[int, str]]:
        rows = []
        for number, line in self.lines:
            if not PICTURE_ROW.fullmatch(line):
                break
            rows.append((number, line))
        if not rows:
            self.line = self.lines[0][0] if self.lines else 1
            raise self.refuse("a position begins with a picture of . E W # ~ and *")
        s = self.s
        s.width, s.height = len(rows[0][1]), len(rows)
        self.line = rows[0][0]
        if s.width > MAX_WIDTH or s.height > MAX_HEIGHT:
            raise self.refuse(f"a map of {s.width}x{s.height} is too large: at most {MAX_WIDTH}x{MAX_HEIGHT}")
        for self.line, row in rows:
            if len(row) != s.width:
                raise self.refuse(f"this row has {len(row)} fields instead of {s.width}")
            self.drawn += row
        for cell, sign in enumerate(self.drawn):
            if sign == "#":
                s.cells[cell] = CHEST + BAZOOKA
            else:
                s.cells[cell] = CONTENT_OF.get(sign, WORM)
        return self.lines[len(rows) :]

    def drawn_team(self) -> int:
        team = max(1, *(self.drawn.count(sign) for sign in SIGNS))
        if team > MAX_TEAM:
            raise self.refuse(f"{team} worms of one player are drawn: at most {MAX_TEAM} are allowed")
        return team

    def set_defaults(self, team: int) -> None:
        """What a worm has that no line speaks of."""
        self.s.team = team
        for worm in range(2 * team):
            made = self.s.worms[worm]
            made.name = worm
            made.hp = FULL_HP
            for weapon in range(BAZOOKA, WEAPONS):
                made.ammunition[weapon] = 1

    # ---- the lines

    def read_line(self, line: str) -> None:
        readers = (
            (WORM_LINE, self.read_worm),
            (CHEST_LINE, self.read_chest),
            (ACTS_LINE, self.read_acts),
            (BEFORE_LINE, self.read_before),
            (TURN_LINE, self.read_turn),
            (OPTION_LINE, self.read_option),
            (RANDOM_LINE, self.read_random),
            (DICE_LINE, self.read_dice),
            (PLAN_LINE, self.read_plan),
            (FLAG_LINE, self.read_flag),
        )
        for pattern, reader in readers:
            found = pattern.fullmatch(line)
            if found:
                reader(found)
                return
        known = "worm, chest, acts, before, turn, option, random, dice, plan, ended"
        raise self.refuse(f"{line[:40]!r} cannot be read: lines begin with {known}")

    def number(self, digits: str, what: str, low: int, high: int) -> int:
        value = read_number(digits)
        if not low <= value <= high:
            raise self.refuse(f"{what} {digits[:12]} must be {low} to {high}")
        return value

    def worm_number(self, digits: str) -> int:
        return self.number(digits, "worm", 1, 2 * self.s.team) - 1

    def read_option(self, found: re.Match[str]) -> None:
        name = found[1]
        if name not in OPTION_FIELDS:
            raise self.refuse(f"there is no option {name}: there are {', '.join(OPTION_FIELDS)}")
        if name == "team":
            self.set_defaults(self.number(found[2], "team", self.s.team, MAX_TEAM))
        elif name in YES_NO:
            setattr(self.s, name, bool(self.number(found[2], name, 0, 1)))
        else:
            low = 1 if name == "names" else 0
            setattr(self.s, name, self.number(found[2], name, low, MASK32 if name == "rand_seed" else MOST))

    def read_worm(self, found: re.Match[str]) -> None:
        s = self.s
        worm = self.worm_number(found[1])
        made = s.worms[worm]
        if found[2]:
            self.gone.add(worm)
        elif found[3]:
            row = self.number(found[3], "row", 0, s.height - 1)
            cell = row * s.width + self.number(found[4], "column", 0, s.width - 1)
            sign = SIGNS[player_of(s, worm)]
            if self.drawn[cell] != sign or cell in self.placed:
                raise self.refuse(f"no {sign} is drawn at row {row}, column {cell % s.width} for worm {worm + 1}")
            self.placed[cell] = worm
        if found[5]:
            made.hp = self.number(found[5], "hp", 1, FULL_HP)
        if found[6]:
            for weapon, digits in enumerate(found[6].split(), BAZOOKA):
                made.ammunition[weapon] = self.number(digits, "ammunition", 0, MOST_AMMUNITION)
        if found[7]:
            made.name = self.read_name(found[7])

    def read_name(self, name: str) -> int:
        if name in our_names():
            return our_names().index(name)
        if re.fullmatch("#[0-9]+", name):
            return self.number(name[1:], "name", 0, MOST)
        raise self.refuse(f"{name[:40]!r} is not in the list of names: write one of it, or its number as #12")

    def read_chest(self, found: re.Match[str]) -> None:
        s = self.s
        row = self.number(found[1], "row", 0, s.height - 1)
        cell = row * s.width + self.number(found[2], "column", 0, s.width - 1)
        kinds = WEAPON_WORDS[BAZOOKA : BAZOOKA + CHEST_KINDS]
        if found[3] not in kinds:
            raise self.refuse(f"no chest holds {found[3]!r}: it is one of {', '.join(kinds)}")
        if self.drawn[cell] != "#":
            raise self.refuse(f"no chest is drawn at row {row}, column {cell % s.width}")
        s.cells[cell] = CHEST + WEAPON_WORDS.index(found[3])

    def read_acts(self, found: re.Match[str]) -> None:
        s = self.s
        self.acts = self.worm_number(found[1]) + 1
        if found[2]:
            if found[2] not in WEAPON_WORDS:
                raise self.refuse(f"there is no weapon {found[2]!r}: there are {', '.join(WEAPON_WORDS)}")
            s.weapon = WEAPON_WORDS.index(found[2])
        s.moved = found[3] is not None
        if found[4]:
            s.chosen = self.number(found[4], "chosen", 0, MOST)

    def read_before(self, found: re.Match[str]) -> None:
        for player in range(2):
            worm = self.worm_number(found[1 + player])
            if player_of(self.s, worm) != player:
                raise self.refuse(f"worm {worm + 1} does not belong to player {player + 1}")
            self.s.before[player] = worm
        self.before_given = True

    def read_turn(self, found: re.Match[str]) -> None:
        self.s.turn = self.number(found[1], "turn", 0, MOST)
        self.player = int(found[2]) - 1 if found[2] else None

    def read_flag(self, found: re.Match[str]) -> None:
        setattr(self.s, found[0], True)

    def read_random(self, found: re.Match[str]) -> None:
        seed = self.number(found[1], "seed", 0, MASK32)
        drawn = self.number(found[2], "words drawn", 0, MASK32)
        if found[4] is None:
            if drawn > MOST_REPLAYED:
                raise self.refuse(f"{drawn} words drawn: beyond {MOST_REPLAYED} all words must be given")
            self.s.random = seeded_random(seed, drawn)
            return
        random = self.s.random
        random.seed, random.drawn = seed, drawn
        random.index = self.number(found[3], "index", 0, MERSENNE_WORDS - 1)
        if len(found[4]) != 8 * MERSENNE_WORDS:
            raise self.refuse(f"the generator has {MERSENNE_WORDS} words of 8 hexadecimal digits")
        for place in range(MERSENNE_WORDS):
            random.words[place] = int(found[4][8 * place : 8 * place + 8], 16)

    def read_dice(self, found: re.Match[str]) -> None:
        dice = self.s.dice
        dice.a, dice.b, dice.c, dice.counter = (self.number(digits, "dice", 0, MASK32) for digits in found.groups())

    def read_plan(self, found: re.Match[str]) -> None:
        plan = [self.number(digits, "plan", 0, MOST) for digits in found[1].split()]
        if len(plan) > MAX_PLANNED:
            raise self.refuse(f"{len(plan)} planned draws: at most {MAX_PLANNED} fit")
        plan_dice(self.s.dice, plan)

    # ---- what follows from it

    def place_worms(self) -> None:
        """Worms that no line places get the free signs in reading order; the rest are gone."""
        s = self.s
        for player in range(2):
            team = range(s.team * player, s.team * (player + 1))
            signs = [cell for cell, sign in enumerate(self.drawn) if sign == SIGNS[player] and cell not in self.placed]
            waiting = [worm for worm in team if worm not in self.gone and worm not in self.placed.values()]
            if len(signs) > len(waiting):
                raise self.refuse(f"{len(signs)} worms of player {player + 1} are drawn that no line leaves room for")
            self.placed.update(zip(signs, waiting, strict=False))
        for worm in range(2 * s.team):
            s.worms[worm].cell = GONE
        for cell, worm in self.placed.items():
            s.worms[worm].cell = cell
            s.living[player_of(s, worm)] += 1
        for worm in range(2 * s.team):
            if s.worms[worm].cell == GONE:
                s.worms[worm].hp = 0

    def choose_actor(self) -> None:
        s = self.s
        living = [worm for worm in range(2 * s.team) if s.worms[worm].cell != GONE]
        s.worm = self.acts - 1 if self.acts else living[0] if living else 0
        s.player = player_of(s, s.worm) if self.player is None else self.player
        if not self.before_given:
            s.before[s.player] = s.worm
            s.before[1 - s.player] = s.team * (2 - s.player) - 1

    def check(self) -> None:
        """R-gravity and the rules of the map: nothing hangs in the air, the top row is free of ground."""
        s = self.s
        for cell in range(s.width * s.height):
            place = f"row {cell // s.width}, column {cell % s.width}"
            content = s.cells[cell]
            if cell < s.width and content in (EARTH, WATER):
                raise self.refuse(f"the top row has ground in column {cell}: only air, worms and chests may be there")
            if content == WORM or is_chest(content):
                under = s.cells[cell + s.width] if cell + s.width < s.width * s.height else WATER
                if under in (AIR, WATER) or (content == WORM and is_chest(under)):
                    raise self.refuse(f"nothing holds what stands at {place}")
                if is_chest(content) and under == WORM:
                    raise self.refuse(f"the chest at {place} lies on a worm, who would have collected it")
        if not s.ended:
            if s.living[0] == 0 or s.living[1] == 0:
                raise self.refuse("a side has no worms left: write ended")
            if s.worms[s.worm].cell == GONE or player_of(s, s.worm) != s.player:
                raise self.refuse(f"worm {s.worm + 1} cannot act: it is gone, or not of player {s.player + 1}")
            if s.weapon and s.worms[s.worm].ammunition[s.weapon] == 0:
                raise self.refuse(f"worm {s.worm + 1} has no ammunition for the {WEAPON_WORDS[s.weapon]}")
