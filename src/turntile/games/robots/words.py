"""Robot fight in words: requests, refusals and their keys, what happened, messages.

Requests: `add engine2`, `deploy`, `start`, `scan`, `move up`, `shoot 4 7` (column and row),
`end`; where the match has them `mine` and `say all hello`, `say 3 hello`, `say team hello`.
What stands behind the address of a `say` is the message; it travels beside the request
(`message_of`), and the rules never see it. Positions as text are in notation.py.
"""

from __future__ import annotations

import re
import unicodedata

from turntile.core.errors import InvalidAction
from turntile.core.game import Told
from turntile.games.robots.notation import FEATURE_NAMES, read_position, write_position
from turntile.games.robots.records import (
    ADD,
    ADDED,
    ALREADY_STARTED,
    BEGAN,
    BLOCKED,
    CAPACITY,
    CELL_MINED,
    DEPLOY,
    DEPLOYED,
    DEPLOYMENT_ENDED,
    DESTROYED,
    DESTROYED_ROBOT,
    DREW,
    END,
    ENDED,
    FEATURE_KIND,
    FEATURE_LEVEL,
    FEATURES,
    HURT,
    LOADING,
    MATCH_OVER,
    MESSAGE_SENT,
    MINE,
    MINE_LAID,
    MINE_STRUCK,
    MINES,
    MOVE,
    MOVED,
    NO_EXTRA,
    NO_MINES_LEFT,
    NO_MOVES_LEFT,
    NO_RADAR,
    NO_SUCH_ADDRESSEE,
    NO_SUCH_REQUEST,
    NO_SUCH_SEAT,
    NO_WEAPON,
    NOBODY_LISTENS,
    NOT_STARTED,
    NOT_YOUR_TURN,
    OUT_OF_CAPACITY,
    OUT_OF_RANGE,
    OWN_CELL,
    RANGE_SIDE,
    SAID,
    SAY,
    SAY_ALL,
    SAY_TEAM,
    SCAN,
    SCANNED,
    SEEN_CONTENT,
    SEEN_MINE,
    SEEN_OBSTACLE,
    SEEN_ROBOT,
    SHOOT,
    SHOOT_FAR,
    SHOOT_OUTSIDE,
    SHOT,
    SHOT_USED,
    START,
    STARTED,
    STILL_DEPLOYING,
    TARGET_OUTSIDE,
    TO_ALL,
    TO_TEAM,
    WALL_AHEAD,
    WEAPON,
    WON,
    Robots,
    area_start,
    last_side,
    map_at,
    shot_at,
    slots_of,
    slots_used,
    slots_with,
    target_of,
)
from turntile.games.robots.requests import why_illegal

__all__ = [
    "ERROR_KEYS", "FEATURE_NAMES", "error_key", "message_of", "narrate", "parse", "read_position", "reason", "refusal",
    "spell", "write_position",
]  # fmt: skip

DIRECTIONS = ("up", "right", "down", "left")
PLAIN_REQUESTS = {"start": START, "scan": SCAN, "end": END, "deploy": DEPLOY, "mine": MINE}

MAX_MESSAGE = 100  # X6, code points
GREETING = "hello"  # what a `say` says in the list of legal requests
WHOLE_NUMBER = re.compile(r"([+-]?)([0-9]+)")
MANY_DIGITS = 9  # more than any grid or table has use for
UNPRINTABLE = ("Cc", "Cs", "Zl", "Zp")  # control characters, halves of characters, line and paragraph ends

# R19: the keys an HTTP interface answers with; the last two only the arena itself can find.
ERROR = "ERROR"
PLAYER_NOT_EXISTS = "PLAYER_NOT_EXISTS"
OUT_OF_BOUNDS = "OUT_OF_BOUNDS"
ILLEGAL_MOVE = "ILLEGAL_MOVE"
NOT_YOUR_TURN_KEY = "NOT_YOUR_TURN"
OUT_OF_CAPACITY_KEY = "OUT_OF_CAPACITY"
GAME_FULL = "GAME_FULL"
GAME_NOT_EXISTS = "GAME_NOT_EXISTS"
ERROR_KEYS = (
    GAME_FULL, OUT_OF_CAPACITY_KEY, NOT_YOUR_TURN_KEY, OUT_OF_BOUNDS, ILLEGAL_MOVE, PLAYER_NOT_EXISTS,
    GAME_NOT_EXISTS, ERROR,
)  # fmt: skip
KEY_OF = {
    NO_SUCH_SEAT: PLAYER_NOT_EXISTS,
    NO_SUCH_ADDRESSEE: PLAYER_NOT_EXISTS,
    NOT_YOUR_TURN: NOT_YOUR_TURN_KEY,
    DESTROYED_ROBOT: NOT_YOUR_TURN_KEY,
    OUT_OF_CAPACITY: OUT_OF_CAPACITY_KEY,
    NO_MOVES_LEFT: ILLEGAL_MOVE,
    BLOCKED: ILLEGAL_MOVE,
    WALL_AHEAD: OUT_OF_BOUNDS,
    TARGET_OUTSIDE: OUT_OF_BOUNDS,
    OUT_OF_RANGE: OUT_OF_BOUNDS,
}

# Reasons that come before a request's own words are looked at (R19).
BEFORE_THE_WORDS = frozenset(range(NO_SUCH_SEAT, OUT_OF_CAPACITY)) | {NO_WEAPON, SHOT_USED, LOADING, MESSAGE_SENT}


class InvalidRequest(InvalidAction):
    """A text that is no request, with the key of R19."""

    def __init__(self, sentence: str, key: str = ERROR) -> None:
        super().__init__(sentence)
        self.key = key


def error_key(code: int) -> str:
    """The rulebook's key for a reason code."""
    return KEY_OF.get(code, ERROR)


# ------------------------------------------------------------------------- requests


def parse(s: Robots, seat: int, text: str) -> int:
    """The request's number; InvalidRequest (an InvalidAction) with sentence and key for what is none."""
    words = text.lower().split(None, 2)
    if not words:
        raise refuse(s, seat, NO_REQUEST, f"nothing was requested: {what_to_say(s)}")
    verb = words[0]
    if len(words) == 1 and verb in PLAIN_REQUESTS and (verb != "mine" or s.mining):
        return PLAIN_REQUESTS[verb]
    if verb == "add":
        return parse_add(s, seat, words)
    if verb == "move":
        return parse_move(s, seat, words)
    if verb == "shoot":
        return parse_shoot(s, seat, text)
    if verb == "say" and s.messaging:
        return parse_say(s, seat, text)
    raise refuse(s, seat, NO_REQUEST, f"{shorten(text)!r} is no request: {what_to_say(s)}")


NO_REQUEST = -1  # an action number that stands for no request at all


def refuse(s: Robots, seat: int, like: int, sentence: str, key: str = ERROR) -> InvalidRequest:
    """R19: an earlier reason, found by judging a well-formed request of the kind, goes first."""
    code = why_illegal(s, seat, like)
    if code in BEFORE_THE_WORDS and code != NO_SUCH_REQUEST:
        return InvalidRequest(refusal(s, seat, like, code), error_key(code))
    return InvalidRequest(sentence, key)


def what_to_say(s: Robots) -> str:
    requests = ["add engine2", "deploy", "start", "scan", "move up", "shoot 4 7", "end"]
    if s.mining:
        requests.append("mine")
    if s.messaging:
        requests.append("say all hello")
    return "say " + ", ".join(requests[:-1]) + " or " + requests[-1]


def shorten(text: str) -> str:
    return text if len(text) <= 40 else text[:40] + "..."


def parse_add(s: Robots, seat: int, words: list[str]) -> int:
    names = FEATURE_NAMES if s.mining else FEATURE_NAMES[:MINES]
    name = "".join(words[1:])
    if name not in names:
        raise refuse(s, seat, DEPLOY, f"{shorten(name)!r} is no feature: there are {', '.join(names)}")
    return ADD + names.index(name)


def parse_move(s: Robots, seat: int, words: list[str]) -> int:
    direction = " ".join(words[1:])
    if direction not in DIRECTIONS:
        sentence = f"{shorten(direction)!r} is no direction: say move up, move right, move down or move left"
        raise refuse(s, seat, END, sentence, ILLEGAL_MOVE)
    return MOVE + DIRECTIONS.index(direction)


def parse_shoot(s: Robots, seat: int, text: str) -> int:
    words = text.translate(str.maketrans("(),", "   ")).split()[1:]
    x, y = (whole_number(word) for word in words) if len(words) == 2 else (None, None)
    if x is None or y is None:
        sentence = f"{shorten(text)!r} names no cell: say the column and the row, as in shoot 4 7"
        raise refuse(s, seat, SHOOT_FAR, sentence)
    if not (0 <= x < s.width and 0 <= y < s.height):
        return SHOOT_OUTSIDE
    if not 0 <= seat < s.players or not s.robots[seat].alive:
        return SHOOT_FAR  # refused for who asks, whatever the target
    return shot_at(s, s.robots[seat].cell, y * s.width + x)


def whole_number(word: str) -> int | None:
    """A number in plain digits, None for other words. A very long one is cut: it is out of all bounds anyway."""
    found = WHOLE_NUMBER.fullmatch(word)
    return int(found[1] + (found[2].lstrip("0")[:MANY_DIGITS] or "0")) if found else None


def parse_say(s: Robots, seat: int, text: str) -> int:
    address = split_say(text)[0].lower()
    number = whole_number(address)
    if address == "all":
        action = SAY_ALL
    elif address == "team" and s.teams > 0:
        action = SAY_TEAM
    elif number is None:
        forms = "say all, say team or say 1" if s.teams > 0 else "say all or say 1"
        raise refuse(s, seat, SAY_ALL, f"{shorten(address)!r} is no address: begin with {forms}")
    elif 0 <= number < s.players:
        action = SAY + number
    else:
        sentence = f"there is no robot {shorten(address)}: they are 0 to {s.players - 1}"
        raise refuse(s, seat, SAY_ALL, sentence, PLAYER_NOT_EXISTS)
    if why_illegal(s, seat, action) == 0:
        message_of(text)  # R19: a bad text is the last reason
    return action


def split_say(text: str) -> tuple[str, str]:
    """The address of a `say` and the message behind it, "" where they are missing.

    Only spaces part the two: any other sign behind the address belongs to the message, so that
    a control character there is refused and not dropped.
    """
    _, *rest = text.split(None, 1)
    address = rest[0].split(None, 1)[0] if rest else ""
    return address, rest[0][len(address) :].strip(" ") if rest else ""


def message_of(text: str) -> str:
    """The message a request carries: what stands behind the address of a `say`, "" for other requests.

    Raises InvalidRequest for a message that is empty, too long or has control characters (X6).
    """
    if text.lower().split(None, 1)[:1] != ["say"]:
        return ""
    message = split_say(text)[1]
    if not message:
        raise InvalidRequest("a message needs a text behind the address, as in say all hello")
    if len(message) > MAX_MESSAGE:
        raise InvalidRequest(f"a message of {len(message)} characters is too long: at most {MAX_MESSAGE}")
    for character in message:
        if unicodedata.category(character) in UNPRINTABLE:
            raise InvalidRequest(f"a message cannot carry the control character {character!r}: leave it out")
    return message


def spell(s: Robots, seat: int, action: int) -> str:
    """The one text form of a request. A `say` carries a greeting, so that it is complete as listed."""
    for text, number in PLAIN_REQUESTS.items():
        if number == action:
            return text
    if MOVE <= action < MOVE + 4:
        return f"move {DIRECTIONS[action - MOVE]}"
    if action == SAY_ALL:
        return f"say all {GREETING}"
    if action == SAY_TEAM:
        return f"say team {GREETING}"
    if SAY <= action < ADD:
        return f"say {action - SAY} {GREETING}"
    if ADD <= action < ADD + FEATURES:
        return f"add {FEATURE_NAMES[action - ADD]}"
    target = target_of(s, s.robots[seat].cell, action) if SHOOT <= action < SHOOT_FAR else -1
    return f"shoot {target % s.width} {target // s.width}" if target >= 0 else "shoot"


# ------------------------------------------------------------------------- refusals


def refusal(s: Robots, seat: int, action: int, code: int) -> str:
    """Why not, and what would do."""
    if code == NO_SUCH_SEAT:
        return f"there is no seat {seat}: seats are 0 to {s.players - 1}"
    if code == NO_SUCH_REQUEST:
        return f"this is no request: {what_to_say(s)}"
    if code == OUT_OF_CAPACITY:
        feature = action - ADD
        cost = slots_of(FEATURE_KIND[feature], FEATURE_LEVEL[feature])
        wanted = slots_with(s.robots[seat], feature)
        return (
            f"{FEATURE_NAMES[feature]} takes {cost} slots, and {wanted} of {CAPACITY} would be in use: "
            "choose a smaller part, or replace another by a smaller one first"
        )
    if code == NOT_YOUR_TURN:
        return f"it is not your turn: robot {s.turn_of} is to act"
    if code == OUT_OF_RANGE:
        return f"the target is out of range: {reach(s, seat)}"
    if code == TARGET_OUTSIDE:
        return f"the target is outside the grid: columns are 0 to {s.width - 1}, rows 0 to {s.height - 1}"
    if code == NO_MOVES_LEFT and s.robots[seat].parts[0] == 0:
        return "the robot has no engine and cannot move"
    if code == LOADING:
        return f"the cannon is loading: it can fire again {in_turns(s.robots[seat].loading)}"
    if code == NO_SUCH_ADDRESSEE:
        return f"there is no robot {action - SAY}: they are 0 to {s.players - 1}"
    return SENTENCES[code]


def in_turns(turns: int) -> str:
    return "in your next turn" if turns == 1 else f"in {turns} turns of yours"


def reach(s: Robots, seat: int) -> str:
    robot = s.robots[seat]
    side = RANGE_SIDE[robot.parts[WEAPON]]
    left, top = area_start(robot.cell % s.width, side), area_start(robot.cell // s.width, side)
    right, bottom = min(left + side, s.width) - 1, min(top + side, s.height) - 1
    return f"from here it reaches columns {max(left, 0)} to {right} and rows {max(top, 0)} to {bottom}"


SENTENCES = {
    MATCH_OVER: "the match is over: only the status can still be asked for",
    STILL_DEPLOYING: "not all robots are deployed yet: add features and deploy; play begins when all have",
    DEPLOYMENT_ENDED: "your deployment has ended: features cannot be changed any more",
    DESTROYED_ROBOT: "your robot is destroyed: only the status can still be asked for",
    NOT_STARTED: "your turn has not been started: say start first",
    ALREADY_STARTED: "your turn has been started already: scan, move, shoot or end",
    NO_RADAR: "the robot has no radar and cannot scan",
    NO_MOVES_LEFT: "no moves are left in this turn: the next start gives new ones",
    WALL_AHEAD: "the wall around the grid is in the way: choose another direction",
    BLOCKED: "something is in the way: choose another direction",
    NO_WEAPON: "the robot has no weapon and cannot shoot",
    SHOT_USED: "this turn's shot is used: the next start gives a new one",
    OWN_CELL: "the robot cannot shoot at itself: choose another cell",
    NO_EXTRA: "the robot carries no mines",
    NO_MINES_LEFT: "all mines are laid",
    CELL_MINED: "there is a mine on this cell already: move on first",
    MESSAGE_SENT: "this turn's message is sent: the next start gives a new one",
    NOBODY_LISTENS: "nobody living is addressed: choose another living robot",
}


# ------------------------------------------------------------------------- what happened


def narrate(s: Robots, told: Told, hearer: int | None) -> str:
    """An event as a line for who hears it; the judge (None) hears of robots by number."""
    mine = told.a == hearer
    who = "you" if mine else f"robot {told.a}"
    verb = "" if mine else "s"
    if told.kind == ADDED:
        used = slots_used(s.robots[told.a])
        return f"{who} install{verb} {FEATURE_NAMES[told.b]} ({used} of {CAPACITY} slots in use)"
    if told.kind == DEPLOYED:
        return f"{who} end{verb} the deployment"
    if told.kind == BEGAN:
        return "all robots are deployed: the fight begins"
    if told.kind == STARTED:
        return f"{who} start{verb} the turn"
    if told.kind == SCANNED:
        return f"{who} scan{verb} {told.c} x {told.c} cells: {sightings(s, told.a, told.b, told.c)}"
    if told.kind == MOVED:
        return f"{who} move{verb} {DIRECTIONS[told.c]} to {cell_text(s, told.b)}"
    if told.kind == SHOT:
        return f"{who} shoot{verb} at {cell_text(s, told.b)}: {'a robot is hit' if told.c else 'no hit'}"
    if told.kind == HURT:
        return f"{who} {'are' if mine else 'is'} hit and lose{verb} {told.b} HP: {told.c} left"
    if told.kind == MINE_LAID:
        return f"{who} lay{verb} a mine at {cell_text(s, told.b)}"
    if told.kind == MINE_STRUCK:
        return f"a mine goes off under {who} at {cell_text(s, told.b)}: {told.c} HP left"
    if told.kind == DESTROYED:
        return f"{who} {'are' if mine else 'is'} destroyed"
    if told.kind == SAID:
        return f"{who} send{verb} a message to {address_text(told.b, hearer)}"
    if told.kind == ENDED:
        return f"{who} end{verb} the turn ({told.b} of {s.limit})"
    if told.kind == WON:
        return f"{winner_text(s, told.a)} won"
    assert told.kind == DREW, told
    return "the turn limit is reached: a draw"


def address_text(address: int, hearer: int | None) -> str:
    if address == TO_ALL:
        return "all"
    if address == TO_TEAM:
        return "the team"
    return "you" if address == hearer else f"robot {address}"


def cell_text(s: Robots, cell: int) -> str:
    return f"({cell % s.width}, {cell // s.width})"


def sightings(s: Robots, seat: int, centre: int, side: int) -> str:
    """Robots and mines in an area that was just scanned; obstacles by their number."""
    left, top = area_start(centre % s.width, side), area_start(centre // s.width, side)
    robots, mines, obstacles, outside = [], [], 0, 0
    for y in range(top, top + side):
        for x in range(left, left + side):
            if not (0 <= x < s.width and 0 <= y < s.height):
                outside += 1
                continue
            seen = s.cells[map_at(s, seat) + y * s.width + x]
            if seen & SEEN_CONTENT == SEEN_ROBOT:
                robots.append(f"a robot at ({x}, {y})")
            if seen & SEEN_MINE:
                mines.append(f"a mine at ({x}, {y})")
            obstacles += seen & SEEN_CONTENT == SEEN_OBSTACLE
    rest = [count_text(obstacles, "obstacle", "obstacles"), count_text(outside, "cell outside", "cells outside")]
    return ", ".join((robots or ["no other robot"]) + mines + [text for text in rest if text])


def count_text(count: int, one: str, many_of_them: str) -> str:
    return f"{count} {one if count == 1 else many_of_them}" if count else ""


def winner_text(s: Robots, side: int) -> str:
    return f"team {side} has" if s.teams else f"robot {side} has"


def reason(s: Robots) -> str:
    """Why a finished match ended."""
    side = last_side(s)
    if side < 0:
        return f"the limit of {s.limit} turns was reached"
    left = sum(1 for seat in range(s.players) if s.robots[seat].alive)
    if s.teams:
        return f"only team {side} has robots left ({left})"
    return f"only robot {side} is left"
