"""SEWorms in words: commands, refusals and what happened. Positions as text are in positions.py.

The rulebook prescribes most lines to the byte. They are made here, from events, in one table
that the arena and the prescribed program share; the arena adds lines of its own for what the
program shows only in its map.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pkgutil import get_data
from typing import TYPE_CHECKING, NamedTuple

from turntile.core.errors import InvalidAction
from turntile.core.events import EVENT_SIZE
from turntile.games.worms.maps import file_lines, read_number
from turntile.games.worms.records import (
    AIRSTRIKE,
    BY_EDGE,
    BY_FALL,
    BY_WATER,
    BY_WEAPON,
    CHEST,
    CHEST_KINDS,
    CHEST_LANDED,
    CHEST_LOST,
    CHOOSE,
    CHOSE,
    CHOSEN_TOO_OFTEN,
    DIED,
    EARTH,
    ENDED,
    FELL,
    GONE,
    GUN,
    HIT,
    HURT,
    IDLE,
    IDLED,
    MATCH_OVER,
    MAX_STEPS,
    MELEE,
    MISSED,
    MOVE,
    MOVED,
    MOVED_ALREADY,
    NO_AMMUNITION,
    NO_ROOM,
    NO_SUCH_ACTION,
    NO_SUCH_SEAT,
    NOT_YOUR_TURN,
    OTHER_WEAPON,
    PICKED_UP,
    READY,
    SHOOT,
    SPAWNED,
    STOPPED,
    STRIKE,
    SWING,
    TARGET_TAKEN,
    TELEPORTED,
    TELEPORTER,
    WATER,
    WORM,
    Worms,
    player_of,
)
from turntile.games.worms.rules import belongs, winner

if TYPE_CHECKING:
    from turntile.core.game import Told

# O7: a weapon is chosen by one word and spoken of by another; only the teleporter's differ.
CHOICE_WORDS = ("gun", "bazooka", "teleporter", "blowtorch", "melee", "airstrike")
WEAPON_WORDS = ("gun", "bazooka", "teleport", "blowtorch", "melee", "airstrike")
DIRECTIONS = ("u", "ru", "r", "rd", "d", "ld", "l", "lu")  # clockwise from up
SIDES = ("l", "r")
SIGNS = ("~", "*")
FIELD_SIGNS = (" ", "E", "W", "?", "?", *"#" * CHEST_KINDS)  # a worm's field is drawn with its player's sign

# ------------------------------------------------------------------------- the prescribed texts

UNKNOWN_COMMAND = "[ERROR] unknown command!"
INVALID_PARAMETER = "[ERROR] invalid parameter!"
NOT_ALLOWED = "[ERROR] command currently not allowed!"
NO_AMMUNITION_LEFT = "[ERROR] no ammunition"
INVALID_TARGET = "[ERROR] invalid target!"

ERROR_LINES = {
    NO_SUCH_ACTION: INVALID_PARAMETER,
    MOVED_ALREADY: NOT_ALLOWED,
    NO_AMMUNITION: NO_AMMUNITION_LEFT,
    OTHER_WEAPON: NOT_ALLOWED,
    TARGET_TAKEN: INVALID_TARGET,
    CHOSEN_TOO_OFTEN: NOT_ALLOWED,
}

HELP = """\
Available Commands:
  move [left/right] [0..3]
    Move your worm.
  choose [weapon]
    Select your weapon.
  action [l/r/d/u/ld/rd/lu/ru]
    Shoots current weapon.
    Activates blowtorch.
  action
    Activates melee attack.
  action [row] [col]
    Teleports to coordinate.
  action [col]
    Airstrike.
  action idle
    Do nothing.
  quit
    End the game.
  help
    Display this help.
  state
    Print the current game state.
"""

HIT_WORDS = {EARTH: "Earth", WORM: "Worm", CHEST: "Chest"}
HIT_VERBS = ("Shot", "Shot", "", "Torch", "Attack", "Shot")
DEATH_WORDS = {
    BY_WEAPON: "died.",
    BY_FALL: "fell into his death.",
    BY_WATER: "drowned.",
    BY_EDGE: "fell out of the map.",
}
END_WORDS = ("Draw", "Player 1 win!", "Player 2 win!", "Draw")

NameOf = Callable[[int], str]  # from a worm's index to its name


class Event(NamedTuple):
    """One event of a record's log; `Told`, as the arena has it, reads alike."""

    kind: int
    audience: int
    a: int
    b: int
    c: int
    d: int


def logged(s: Worms) -> Iterator[Event]:
    """What the record's log tells."""
    for at in range(0, EVENT_SIZE * s.log.n, EVENT_SIZE):
        yield Event(*s.log.numbers[at : at + EVENT_SIZE])


# Kind of event -> its prescribed line; kinds that are not here are silent in the prescribed program.
PRESCRIBED: dict[int, Callable[[NameOf, Event | Told], str]] = {
    SPAWNED: lambda who, e: f"spawning {numbered(who, e.a)} at ({e.b}, {e.c})",
    STOPPED: lambda who, e: "[WARNING] can't move further",
    CHOSE: lambda who, e: f"Chose weapon {CHOICE_WORDS[e.b]} Ammunition: {'inf' if e.b == GUN else e.c}",
    HIT: lambda who, e: f"{HIT_VERBS[e.a]} hit {HIT_WORDS[e.b]} at position ({e.c}, {e.d})",
    MISSED: lambda who, e: "Shot missed...",
    HURT: lambda who, e: f"{numbered(who, e.a)} took {e.b}hp damage",
    FELL: lambda who, e: f"{numbered(who, e.a)} took {e.b}hp fall damage",
    DIED: lambda who, e: f"{numbered(who, e.a)} {DEATH_WORDS[e.b]}",
    PICKED_UP: lambda who, e: f"{numbered(who, e.a)} picked up 1 of {WEAPON_WORDS[e.b]}",
    READY: lambda who, e: f"Player {e.a + 1} Worm {numbered(who, e.b)} at ({e.c}, {e.d}) ready",
    ENDED: lambda who, e: f"END: {END_WORDS[e.a]}",
}


def numbered(who: NameOf, worm: int) -> str:
    return f"{who(worm)} ({worm + 1})"


def prescribed_line(who: NameOf, event: Event | Told) -> str:
    """The rulebook's line for an event, or "" if it has none."""
    line = PRESCRIBED.get(event.kind)
    return line(who, event) if line else ""


def map_fields(s: Worms, signs: tuple[str, str]) -> list[str]:
    """The map's rows as the rulebook draws them."""
    fields = [FIELD_SIGNS[content] for content in s.cells[: s.width * s.height]]
    for worm in range(2 * s.team):
        if s.worms[worm].cell != GONE:
            fields[s.worms[worm].cell] = signs[player_of(s, worm)]
    return ["".join(fields[row * s.width : (row + 1) * s.width]) for row in range(s.height)]


def map_lines(s: Worms, signs: tuple[str, str]) -> Iterator[str]:
    """R-map, O5, O10: the map between its coordinates."""
    ruler = "  " + "".join(str(column % 10) for column in range(s.width))
    yield "Current Map:"
    yield ruler
    for row, fields in enumerate(map_fields(s, signs)):
        yield f"{row:>2}{fields}{row:>2}"
    yield ruler


def state_lines(s: Worms, who: NameOf, signs: tuple[str, str]) -> Iterator[str]:
    """R-state, O5, O12: whose turn it is, with what, and how all the living are."""
    yield f"current player: {s.player + 1}"
    yield f"current worm: {numbered(who, s.worm)} "
    yield ""
    yield "weapons of current worm:"
    for weapon, word in enumerate(WEAPON_WORDS):
        left = s.worms[s.worm].ammunition[weapon]
        if weapon == GUN or left > 0:
            mark = " *" if weapon == s.weapon else ""
            yield f"  {word} (ammunition: {'inf' if weapon == GUN else left}){mark}"
    yield ""
    for player in range(2):
        yield f"worms of player {player + 1}"
        for worm in range(s.team * player, s.team * (player + 1)):
            cell = s.worms[worm].cell
            if cell != GONE:
                place = f"({cell // s.width}, {cell % s.width})"
                yield f"  {numbered(who, worm)} {s.worms[worm].hp} HP {place} {signs[player]}"


# ------------------------------------------------------------------------- our own names


@lru_cache(maxsize=1)
def our_names() -> tuple[str, ...]:
    """The list of names that comes with the game, as the prescribed program would read it."""
    data = get_data("turntile.games.worms", "data/worm_names.txt")
    assert data is not None
    return tuple(file_lines(data.decode("utf-8")))


def our_name(s: Worms, worm: int) -> str:
    names = our_names()
    return names[s.worms[worm].name % len(names)]


# ------------------------------------------------------------------------- actions


class InvalidCommand(InvalidAction):
    """A command that cannot be read, with the line the rulebook prescribes for it."""

    def __init__(self, sentence: str, line: str) -> None:
        super().__init__(sentence)
        self.line = line


BLANKS = re.compile(r"[ \t]+")
NUMBER = re.compile(r"[0-9]+")
LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def split_words(text: str) -> list[str]:
    """E7: blanks and tabs separate, and only ASCII letters have a case."""
    return [word for word in BLANKS.split(text.translate(LOWER)) if word]


def parse(s: Worms, seat: int, text: str) -> int:
    """R-commands: the number of a command that does something; E8: the first word is looked at first."""
    words = split_words(text)
    if words[:1] == ["move"]:
        return parse_move(s, words[1:])
    if words[:1] == ["choose"]:
        return parse_choose(words[1:])
    if words[:1] == ["action"]:
        return parse_action(s, words[1:])
    raise InvalidCommand(f"{shown(text)} is no action: say move, choose or action", UNKNOWN_COMMAND)


def shown(text: str) -> str:
    """What was typed, for an error message: however long, it stays one short line."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


def parse_move(s: Worms, words: list[str]) -> int:
    if len(words) == 2 and words[0] in SIDES and NUMBER.fullmatch(words[1]):
        steps = read_number(words[1])
        if steps <= MAX_STEPS:
            return MOVE + 4 * SIDES.index(words[0]) + steps
    # E1: that one has moved already comes before what is wrong with the parameters.
    line = NOT_ALLOWED if s.moved else INVALID_PARAMETER
    raise InvalidCommand(f"say move, l or r, and 0 to {MAX_STEPS} steps: move l 2", line)


def parse_choose(words: list[str]) -> int:
    if len(words) == 1 and words[0] in CHOICE_WORDS:
        return CHOOSE + CHOICE_WORDS.index(words[0])
    if words == [WEAPON_WORDS[TELEPORTER]]:  # O7
        return CHOOSE + TELEPORTER
    raise InvalidCommand(f"say choose and one weapon of {', '.join(CHOICE_WORDS)}", INVALID_PARAMETER)


def parse_action(s: Worms, words: list[str]) -> int:
    """E5: first the words, then whether they go with the weapon, then whether that is inside the map."""
    if not words:
        return SWING
    if words == ["idle"]:
        return IDLE
    if len(words) == 1 and words[0] in DIRECTIONS:
        return SHOOT + DIRECTIONS.index(words[0])
    if len(words) > 2 or not all(NUMBER.fullmatch(word) for word in words):
        raise InvalidCommand(
            "say action and a direction (l r u d lu ru ld rd), a column, a column and a row, idle, or nothing",
            INVALID_PARAMETER,
        )
    column = read_number(words[0])
    row = read_number(words[1]) if len(words) == 2 else 0
    first = STRIKE if len(words) == 1 else STRIKE + s.width
    if column >= s.width or row >= s.height:
        line = INVALID_PARAMETER if belongs(s.weapon, first, s.width) else NOT_ALLOWED
        wanted = f"columns are 0 to {s.width - 1}" + (f", rows 0 to {s.height - 1}" if len(words) == 2 else "")
        raise InvalidCommand(f"{shown(' '.join(words))} is outside the map: {wanted}", line)
    return first + row * s.width + column


def spell(s: Worms, seat: int, action: int) -> str:
    if action < CHOOSE:
        return f"move {SIDES[action // 4]} {action % 4}"
    if action < IDLE:
        return f"choose {CHOICE_WORDS[action - CHOOSE]}"
    if action == IDLE:
        return "action idle"
    if action == SWING:
        return "action"
    if action < STRIKE:
        return f"action {DIRECTIONS[action - SHOOT]}"
    if action < STRIKE + s.width:
        return f"action {action - STRIKE}"
    cell = action - STRIKE - s.width
    return f"action {cell % s.width} {cell // s.width}"


def refusal(s: Worms, seat: int, action: int, code: int) -> str:
    weapon = CHOICE_WORDS[s.weapon]
    if code == NO_SUCH_SEAT:
        return f"there is no seat {seat}: this match has seats 0 and 1"
    if code == MATCH_OVER:
        return "the match is over: nobody can act any more"
    if code == NOT_YOUR_TURN:
        return f"it is not the turn of player {seat + 1}: wait for player {s.player + 1}"
    if code == MOVED_ALREADY:
        return "this worm has moved already: choose a weapon, act or idle"
    if code == NO_AMMUNITION:
        return f"this worm has no ammunition for the {CHOICE_WORDS[action - CHOOSE]}: choose another weapon"
    if code == CHOSEN_TOO_OFTEN:
        return f"a weapon was chosen {s.choose_limit} times in this turn: now act or idle"
    if code == OTHER_WEAPON:
        return f"the {weapon} is not used like that: say {usage(s.weapon)}"
    if code == TARGET_TAKEN:
        cell = action - STRIKE - s.width
        what = {EARTH: "earth", WATER: "water", WORM: "a worm"}[s.cells[cell]]
        place = f"column {cell % s.width}, row {cell // s.width}"
        return f"cannot teleport to {place}: there is {what}; choose a field of air"
    return f"there is no action {action}: actions are 0 to {STRIKE + s.width + s.width * s.height - 1}"


def usage(weapon: int) -> str:
    if weapon == MELEE:
        return "action"
    if weapon == AIRSTRIKE:
        return "action and a column (action 7)"
    if weapon == TELEPORTER:
        return "action, a column and a row (action 12 4)"
    return "action and a direction (action ru)"


def error_key(code: int) -> str:
    """The rulebook's own line for a refusal, or "" where it has none."""
    return ERROR_LINES.get(code, "")


# ------------------------------------------------------------------------- what happened


def narrate(s: Worms, told: Told, hearer: int | None) -> str:
    """The prescribed lines, and ours for what the prescribed program shows in its map."""

    def who(worm: int) -> str:
        return our_name(s, worm)

    line = prescribed_line(who, told)
    if line:
        return line
    if told.kind == MOVED and told.b >= 0:
        return f"{numbered(who, told.a)} walked to ({told.b}, {told.c})"
    if told.kind == TELEPORTED:
        return f"{numbered(who, told.a)} teleported to ({told.b}, {told.c})"
    if told.kind == IDLED:
        return f"{numbered(who, told.a)} idled"
    if told.kind == CHEST_LANDED:
        return f"a chest came to rest at ({told.a}, {told.b})"
    if told.kind == CHEST_LOST:
        return f"a chest in column {told.a} was lost"
    if told.kind == NO_ROOM:
        return f"there is no room to spawn worm {told.a + 1}"
    return ""


def reason(s: Worms) -> str:
    if s.crowded:
        return "there was no room for all worms"
    best = winner(s)
    if best:
        return f"player {3 - best} has no worms left"
    if s.living[0] == 0:
        return "neither player has worms left"
    return f"the turn limit of {s.turn_limit} was reached"
