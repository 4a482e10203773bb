"""Robot fight's own bots, from easy to strong. All build their robots themselves.

They see a view and remember what they like; none of them looks into the state.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from turntile.core.bots import RANDOM, TREE, Bot, BotKind, Turn
from turntile.core.errors import InvalidOptions
from turntile.games.robots.presets import PRESET_NAMES, next_step
from turntile.games.robots.records import WIDEST_RANGE, area_start
from turntile.games.robots.view import FOE, ROCK, Cell, OwnRobot, View

DIRECTIONS = {"move up": (0, -1), "move right": (1, 0), "move down": (0, 1), "move left": (-1, 0)}
FASTEST = 6  # cells a robot can go in one turn


def build(view: View, preset: str) -> str:
    me = view.me
    assert me is not None
    return next_step(me.parts, preset) or "deploy"


def preset_of(argument: str, usual: str) -> str:
    name = argument or usual
    if name not in PRESET_NAMES:
        raise InvalidOptions(f"{argument!r} is no robot to build: say one of {', '.join(PRESET_NAMES)}")
    return name


def robots_in_sight(view: View) -> list[Cell]:
    """Robots scanned in the turn going on."""
    return [
        (x, y)
        for y, row in enumerate(view.seen)
        for x, sign in enumerate(row)
        if sign == FOE and view.seen_turns[y][x] == view.turns_ended
    ]


def covers(centre: Cell, side: int, cell: Cell) -> bool:
    left, top = area_start(centre[0], side), area_start(centre[1], side)
    return left <= cell[0] < left + side and top <= cell[1] < top + side


@dataclass
class Notes:
    """What a bot remembers of the turn going on, and of the foe."""

    turn: int = -1
    scanned_from: Cell | None = None
    shot_at: Cell | None = None
    last_seen: Cell | None = None
    last_seen_turn: int = 0
    visited: dict[Cell, int] = field(default_factory=dict)  # where it stood, and when


def notes_of(turn: Turn) -> Notes:
    notes = cast(Notes, turn.memory.setdefault("notes", Notes()))
    if notes.turn != turn.view.turns_ended:
        notes.turn = turn.view.turns_ended
        notes.scanned_from = None
        notes.shot_at = None
    return notes


def can_shoot(me: OwnRobot) -> bool:
    return bool(me.weapon) and not me.shot_used and not me.loading


def scan_first(turn: Turn, notes: Notes, me: OwnRobot) -> bool:
    """Whether a scan from here would tell something new."""
    if not me.radar_side or notes.scanned_from == me.cell:
        return False
    notes.scanned_from = me.cell
    return True


# ------------------------------------------------------------------------- sentry


def sentry_bot(argument: str) -> Bot:
    """Stands where it is, looks, and shoots at what it sees, or else somewhere in range."""
    preset = preset_of(argument, "sentry")

    def act(turn: Turn) -> str:
        view = cast(View, turn.view)
        me = view.me
        assert me is not None
        if view.phase == "deployment":
            return build(view, preset)
        if not view.started:
            return "start"
        if scan_first(turn, notes_of(turn), me):
            return "scan"
        if can_shoot(me) and me.cell is not None:
            for cell in robots_in_sight(view):
                if covers(me.cell, me.weapon_side, cell):
                    return f"shoot {cell[0]} {cell[1]}"
            shots = [text for text in turn.legal if text.startswith("shoot") and unknown_target(view, text)]
            if shots and me.weapon == "gun":
                return turn.random.choice(shots)
        return "end"

    return act


def unknown_target(view: View, text: str) -> bool:
    """A cell not in sight now and not known to be an obstacle."""
    x, y = (int(word) for word in text.split()[1:])
    return view.seen[y][x] != ROCK and view.seen_turns[y][x] != view.turns_ended


# ------------------------------------------------------------------------- hunter


def hunter_bot(argument: str) -> Bot:
    """Looks at every step, goes where the foe was seen or has not been looked for, and aims where it can be."""
    preset = preset_of(argument, "brawler")

    def act(turn: Turn) -> str:
        view = cast(View, turn.view)
        me = view.me
        assert me is not None
        if view.phase == "deployment":
            return build(view, preset)
        if not view.started:
            return "start"
        notes = notes_of(turn)
        if scan_first(turn, notes, me):
            return "scan"
        assert me.cell is not None
        notes.visited[me.cell] = view.turns_ended
        foes = robots_in_sight(view)
        if foes:
            nearest = min(foes, key=lambda cell: steps_between(cell, me.cell))
            notes.last_seen, notes.last_seen_turn = nearest, view.turns_ended
        shot = choose_shot(turn, view, me, notes, foes)
        return shot or choose_step(turn, view, me, notes, foes)

    return act


def steps_between(a: Cell, b: Cell | None) -> int:
    assert b is not None
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def choose_shot(turn: Turn, view: View, me: OwnRobot, notes: Notes, foes: list[Cell]) -> str:
    """At what is seen; at the end of the moves, where the foe can have gone since it was seen."""
    assert me.cell is not None
    if not can_shoot(me):
        return ""
    in_range = [cell for cell in foes if covers(me.cell, me.weapon_side, cell)]
    if in_range:
        x, y = in_range[0]
        return f"shoot {x} {y}"
    if foes or me.moves_left or me.weapon == "cannon":
        return ""
    likely = [
        text
        for text in turn.legal
        if text.startswith("shoot") and unknown_target(view, text) and may_have_gone_to(view, notes, text)
    ]
    return turn.random.choice(likely) if likely else ""


def may_have_gone_to(view: View, notes: Notes, text: str) -> bool:
    if notes.last_seen is None:
        return True
    x, y = (int(word) for word in text.split()[1:])
    turns = (view.turns_ended - notes.last_seen_turn + 1) // 2
    return steps_between((x, y), notes.last_seen) <= FASTEST * max(turns, 1)


def choose_step(turn: Turn, view: View, me: OwnRobot, notes: Notes, foes: list[Cell]) -> str:
    """With a shot left towards the foe or into the unknown; with none away from it, out of its range."""
    assert me.cell is not None
    steps = [text for text in turn.legal if text in DIRECTIONS]
    if not steps:
        return "end"
    if not can_shoot(me):
        return retreat(turn, me, steps, foes) if foes else "end"
    goal = choose_goal(turn, view, me, notes, foes)
    here = me.cell
    nearer = [text for text in steps if steps_between(moved(here, text), goal) < steps_between(here, goal)]
    return turn.random.choice(nearer or steps)


def moved(cell: Cell, text: str) -> Cell:
    dx, dy = DIRECTIONS[text]
    return cell[0] + dx, cell[1] + dy


def retreat(turn: Turn, me: OwnRobot, steps: list[str], foes: list[Cell]) -> str:
    """Where fewer foes could hit it with a gun from where they stand."""
    here = me.cell
    assert here is not None

    def danger(cell: Cell) -> int:
        return sum(covers(foe, WIDEST_RANGE, cell) for foe in foes)

    best = min(steps, key=lambda text: danger(moved(here, text)))
    return best if danger(moved(here, best)) < danger(here) else "end"


def choose_goal(turn: Turn, view: View, me: OwnRobot, notes: Notes, foes: list[Cell]) -> Cell:
    """The foe, where it was last, or the cell that was not looked at for longest."""
    assert me.cell is not None
    if foes:
        return min(foes, key=lambda cell: steps_between(cell, me.cell))
    if notes.last_seen is not None and notes.last_seen not in notes.visited:
        return notes.last_seen
    notes.last_seen = None
    stalest = min(min(turns) for turns in view.seen_turns)
    cells = [
        (x, y)
        for y, turns in enumerate(view.seen_turns)
        for x, when in enumerate(turns)
        if when == stalest and view.seen[y][x] != ROCK and (x, y) != me.cell
    ]
    return min(cells, key=lambda cell: steps_between(cell, me.cell)) if cells else me.cell


SENTRY = BotKind("sentry", "stands still, looks and shoots (sentry:ranger builds another robot)", sentry_bot)
HUNTER = BotKind("hunter", "searches, remembers, and aims where the foe can be (hunter:scout)", hunter_bot)
BOTS = (RANDOM, SENTRY, HUNTER, TREE)
