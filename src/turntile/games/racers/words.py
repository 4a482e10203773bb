"""Rowdy Racers in words: actions, refusals and events. Positions as text are in positions.py."""

from __future__ import annotations

from turntile.core.errors import InvalidAction
from turntile.core.game import Told
from turntile.games.racers import moves, rules
from turntile.games.racers.positions import read_position, write_position
from turntile.games.racers.records import (
    CHARGED_ITEM,
    DISC_ITEM,
    GRENADE_ITEM,
    KINDS,
    MAX_ITEMS,
    REACHED_GOAL,
    WAS_TRAPPED,
    Racers,
)

__all__ = ["narrate", "parse", "read_position", "reason", "refusal", "spell", "write_position"]

MOVES = ("u", "ur", "r", "dr", "d", "dl", "l", "ul")
THROWS = ("up", "right", "down", "left")
KIND_WORDS = ("grenade", "disc", "charged")
KIND_NAMES = ("a light grenade", "an identity disc", "a charged identity disc")

MOVE_WORDS = {word: number for number, word in enumerate(MOVES)} | {
    "up": 0,
    "right": 2,
    "down": 4,
    "left": 6,
    "upright": 1,
    "rightup": 1,
    "ru": 1,
    "downright": 3,
    "rightdown": 3,
    "rd": 3,
    "downleft": 5,
    "leftdown": 5,
    "ld": 5,
    "upleft": 7,
    "leftup": 7,
    "lu": 7,
}
THROW_WORDS = {"up": 0, "u": 0, "right": 1, "r": 1, "down": 2, "d": 2, "left": 3, "l": 3}
ITEM_WORDS = {
    "grenade": GRENADE_ITEM,
    "lightgrenade": GRENADE_ITEM,
    "disc": DISC_ITEM,
    "identitydisc": DISC_ITEM,
    "charged": CHARGED_ITEM,
    "chargeddisc": CHARGED_ITEM,
    "chargedidentitydisc": CHARGED_ITEM,
}
CANCELS = {"cancel", "nothing", "back"}


# ------------------------------------------------------------------------- actions


def inventory(record: Racers, seat: int) -> list[int]:
    """A11: the kinds a racer holds, in the order in which they are shown and numbered from 1."""
    return [kind for kind in range(KINDS) if record.racers[seat].held[kind]]


def parse(record: Racers, seat: int, text: str) -> int:
    """`move ul`, `pick disc`, `use disc up`, `use 2 up`, `end`; blanks and case do not matter."""
    words = text.lower().replace("-", " ").replace(",", " ").split()
    if not words:
        raise InvalidAction("an empty line is no action: say move ul, pick disc, use disc up or end")
    if words[-1] in CANCELS:
        raise InvalidAction("cancelled: nothing was used and no action is spent; say what you do instead")
    verb, rest = words[0], words[1:]
    if verb in ("move", "go"):
        return parse_move(text, "".join(rest))
    if verb in ("pick", "take"):
        return parse_pick(record, seat, rest)
    if verb in ("use", "throw"):
        return parse_use(record, seat, rest)
    if verb == "end" and rest in ([], ["turn"]):
        return rules.END
    if "".join(words) in MOVE_WORDS:
        return rules.MOVE + MOVE_WORDS["".join(words)]
    raise InvalidAction(f"{text.strip()!r} is no action: say move ul, pick disc, use disc up or end")


def parse_move(text: str, word: str) -> int:
    if word not in MOVE_WORDS:
        raise InvalidAction(f"{text.strip()!r} has no direction to move in: say move and one of {', '.join(MOVES)}")
    return rules.MOVE + MOVE_WORDS[word]


def parse_pick(record: Racers, seat: int, rest: list[str]) -> int:
    """`pick` alone is enough where one kind lies."""
    if rest[:1] == ["up"]:
        rest = rest[1:]
    if not rest:
        here = [kind for kind in range(KINDS) if rules.lying(record, record.racers[seat].cell, kind)]
        if len(here) == 1:
            return rules.PICK + here[0]
        if not here:
            raise InvalidAction("nothing lies on your square that can be picked up")
        raise InvalidAction(f"several kinds lie here: say {' or '.join('pick ' + KIND_WORDS[kind] for kind in here)}")
    word = "".join(rest)
    if word not in ITEM_WORDS:
        raise InvalidAction(f"{' '.join(rest)!r} is no item: say pick grenade, pick disc or pick charged")
    return rules.PICK + ITEM_WORDS[word]


def parse_use(record: Racers, seat: int, rest: list[str]) -> int:
    """An item by its name or its number in the inventory, and for a disc the direction."""
    direction = -1
    if len(rest) > 1 and rest[-1] in THROW_WORDS:
        direction = THROW_WORDS[rest[-1]]
        rest = rest[:-1]
    elif len(rest) > 1 and ("".join(rest) not in ITEM_WORDS):
        raise InvalidAction(f"{rest[-1]!r} is no direction for a disc: say up, down, left or right")
    if not rest:
        raise InvalidAction("use which item? Say use grenade, use disc up, or an item's number as in use 2 up")
    kind = parse_item(record, seat, "".join(rest))
    if kind == GRENADE_ITEM:
        if direction != -1:
            raise InvalidAction("a light grenade is placed on your own square: say use grenade, without a direction")
        return rules.USE_GRENADE
    if direction == -1:
        word = KIND_WORDS[kind]
        raise InvalidAction(f"in which direction? Say use {word} and up, down, left or right, or cancel")
    return (rules.THROW_DISC if kind == DISC_ITEM else rules.THROW_CHARGED) + direction


def parse_item(record: Racers, seat: int, word: str) -> int:
    if word in ITEM_WORDS:
        return ITEM_WORDS[word]
    held = inventory(record, seat)
    if not (word.isascii() and word.isdigit()):
        raise InvalidAction(f"{word!r} is no item: say grenade, disc, charged or its number in your inventory")
    if not held:
        raise InvalidAction(f"there is no item {word[:9]}: your inventory is empty")
    if len(word) > 3 or not 1 <= int(word) <= len(held):
        listed = ", ".join(f"{number} {KIND_WORDS[kind]}" for number, kind in enumerate(held, 1))
        raise InvalidAction(f"there is no item {word[:9]} in your inventory: it has {listed}")
    return held[int(word) - 1]


def spell(record: Racers, seat: int, action: int) -> str:
    if rules.MOVE <= action < rules.PICK:
        return f"move {MOVES[action - rules.MOVE]}"
    if action < rules.USE_GRENADE:
        return f"pick {KIND_WORDS[action - rules.PICK]}"
    if action == rules.USE_GRENADE:
        return "use grenade"
    if action < rules.END:
        return f"use {KIND_WORDS[rules.kind_used(action)]} {THROWS[action & 3]}"
    return "end"


# ------------------------------------------------------------------------- sentences


def square(record: Racers, cell: int) -> str:
    """A square as people read it: column and row, counted from 0 at the top left."""
    row = record.width + 2
    return f"({cell % row - 1}, {cell // row - 1})"


def refusal(record: Racers, seat: int, action: int, code: int) -> str:
    """A3: what was refused, why, and what would do."""
    if code == rules.NO_SUCH_SEAT:
        return f"there is no seat {seat}: the seats are 0 and 1"
    if code == rules.MATCH_OVER:
        return f"the match is over: {reason(record)}"
    if code == rules.NOT_YOUR_TURN:
        return f"it is not your turn: player {record.due + 1} is to act"
    if code == rules.NO_SUCH_ACTION:
        return f"there is no action number {action}: they go from 0 to {rules.MAX_ACTIONS - 1}"
    text = spell(record, seat, action)
    if code in MOVE_REFUSALS:
        return f"cannot {text}: {MOVE_REFUSALS[code]}"
    if code == rules.MUST_MOVE:
        return f"cannot {text}: it is your last action and you have not moved yet in this turn; move"
    if code == rules.NOT_MOVED:
        return "cannot end the turn on the square on which it began: move first"
    if code == rules.HANDS_FULL:
        return f"cannot {text}: you carry {MAX_ITEMS} items already; use one first"
    if code == rules.GRENADE_HERE:
        return "cannot use a grenade here: there is one on your square already; move on first"
    if code == rules.NOT_HELD:
        held = ", ".join(KIND_WORDS[kind] for kind in inventory(record, seat)) or "nothing"
        return f"cannot {text}: you do not hold one; your inventory has {held}"
    here = [KIND_WORDS[k] for k in range(KINDS) if rules.lying(record, record.racers[seat].cell, k)]
    return f"cannot {text}: there is none on your square, where {' and '.join(here) or 'nothing'} can be picked up"


MOVE_REFUSALS = {
    moves.LEAVES_GRID: "that would leave the grid; choose another direction",
    moves.WALL_THERE: "there is a wall; choose another direction",
    moves.RACER_THERE: "the other racer is there; choose another direction",
    moves.TRAIL_THERE: "there is a light trail; wait until it is gone or go around",
    moves.CROSSES_TRAIL: "that would cut diagonally through a light trail; go around its tail",
    moves.EXIT_TAKEN: "the teleporter leads to the other racer's square; choose another direction",
    moves.EXIT_UNDER_TRAIL: "the teleporter leads to a square with a light trail; choose another direction",
    moves.EXIT_IS_HERE: "the teleporter leads back to your own square; choose another direction",
    moves.ENDS_WHERE_BEGUN: "your turn would end on the square on which it began; choose another direction",
}


def narrate(record: Racers, told: Told, hearer: int | None) -> str:
    """An event in the past tense; G5: `Told.audience` keeps what is armed to its owner."""
    kind, who = told.kind, f"player {told.a + 1}"
    if kind == rules.TURN_BEGAN:
        line = f"turn {told.c}: {who} has {told.b} action{'s' * (told.b != 1)}"
    elif kind == rules.POWER_FAILED:
        line = f"power failed around {told.a} square{'s' * (told.a != 1)}"
    elif kind == rules.BEGAN_UNPOWERED:
        line = f"{who} began without power on {square(record, told.b)} and lost an action"
    elif kind == rules.SKIPPED:
        why = "having been hit by a disc" if told.b == rules.BY_DISC else "having no actions left"
        line = f"{who} skipped a turn, {why}"
    elif kind == rules.MOVED:
        line = f"{who} moved {MOVES[told.d]} to {square(record, told.c)}"
    elif kind == rules.TELEPORTED:
        line = f"{who} was teleported from {square(record, told.b)} to {square(record, told.c)}"
    elif kind == rules.STOPPED:
        line = f"{who} entered {square(record, told.b)}, which has no power: the turn is over"
    elif kind == rules.EXPLODED:
        line = f"a light grenade exploded under {who} on {square(record, told.b)}: {told.c} actions lost"
    elif kind == rules.PICKED_UP:
        line = f"{who} picked up {KIND_NAMES[told.b]} on {square(record, told.c)}"
    elif kind == rules.PLACED:
        line = f"{who} placed a light grenade on {square(record, told.b)}"
    elif kind == rules.GRENADE_ARMED:
        line = f"{who}'s light grenade on {square(record, told.b)} is active"
    elif kind == rules.THREW:
        line = f"{who} threw {KIND_NAMES[told.b]} {THROWS[told.c]}; it ended on {square(record, told.d)}"
    elif kind == rules.HIT:
        if told.a == told.b:
            line = f"{who} was hit by a disc of his own: the rest of this turn and the next one are lost"
        else:
            line = f"{who} was hit by a disc and will skip a turn"
    elif kind == rules.ENDED_TURN:
        line = f"{who} ended the turn"
    elif kind == rules.WON:
        line = f"{who} reached the other's start on {square(record, told.b)} and won"
    elif kind == rules.TRAPPED:
        line = f"{who} cannot move: trapped on {square(record, told.b)} and lost"
    else:
        line = f"turn {told.a} was the last one: a draw"
    return line[0].upper() + line[1:]


def reason(record: Racers) -> str:
    if record.ended == REACHED_GOAL:
        return f"player {record.winner + 1} reached player {2 - record.winner}'s start"
    if record.ended == WAS_TRAPPED:
        return f"player {2 - record.winner} was trapped"
    return f"nobody won in {record.turn} turns"
