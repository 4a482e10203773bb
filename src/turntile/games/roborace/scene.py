"""RoboRace as a picture: the hall, the robots, one's hand; a round as a row of moments.

`preview` shows where a program leads while it is being put together; `stages` shows a round
card by card and effect by effect, with the order of priority beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

from msgspec.structs import replace

from turntile.core.game import Told
from turntile.core.scene import Card, Choice, Edge, Hand, Lines, Mark, Panel, Scene, Sprite, Stage
from turntile.games.roborace.board_text import ROBOTS
from turntile.games.roborace.boards import DIRECTIONS, Decoration, Hall, Start, Wall, lay_hall
from turntile.games.roborace.cards import card_kind, item
from turntile.games.roborace.hall import card_alone, effect_alone
from turntile.games.roborace.records import (
    ACTED,
    BUMPED,
    DEAD,
    DESTROYED,
    HALL_BEGAN,
    HOME,
    MOVE_1,
    PHASE_BEGAN,
    PHASES,
    PLAYED,
    REVITALISED,
    ROUNDS_USED_UP,
    STEPPED,
    TURNED,
    WON,
    RoboRace,
)
from turntile.games.roborace.view import HALLS, CardView, RobotView, View, hall_in
from turntile.games.roborace.words import acting_thing, card_text, hand_places, robot_name, tell_in_words

LAYER_START = 1
LAYER_DECORATION = 2
LAYER_ROBOT = 3

CHANGES = frozenset((STEPPED, TURNED, BUMPED, DESTROYED, REVITALISED, WON, ROUNDS_USED_UP))  # events one can see


def scene(view: View, legal: Sequence[str]) -> Scene:
    """The picture of a view; who is to act gets a hand to choose from."""
    hall = hall_around(view)
    robots = [robot_sprite(seat, robot) for seat, robot in enumerate(view.robots) if robot.alive]
    return replace(
        hall,
        title=title(view),
        sprites=(*hall.sprites, *robots),
        panels=tuple(panels(view)),
        choices=tuple(choices(view, legal)),
    )


def hall_around(view: View) -> Scene:
    return empty_hall(view.width, view.height, view.tiles, view.starts, view.decorations, view.walls)


@lru_cache(maxsize=HALLS)
def empty_hall(
    width: int,
    height: int,
    tiles: tuple[str, ...],
    starts: tuple[Start, ...],
    decorations: tuple[Decoration, ...],
    walls: tuple[Wall, ...],
) -> Scene:
    """What all pictures of a race have in common."""
    return Scene(
        width=width,
        height=height,
        title="",
        ground=tiles,
        sprites=(*start_sprites(starts), *decoration_sprites(decorations)),
        edges=tuple([Edge(wall.x, wall.y, wall.side) for wall in walls]),
    )


def title(view: View) -> str:
    if view.winner is not None:
        return f"Round {view.round}: {robot_name(view.winner)} has won"
    if view.over:
        return f"The {view.round_limit} rounds are used up: a draw"
    return f"{round_title(view)}: program your robot" if view.seat is not None else round_title(view)


def round_title(view: View) -> str:
    return f"Round {view.round}" + (f" of {view.round_limit}" if view.round_limit else "")


def start_sprites(starts: Sequence[Start]) -> Iterator[Sprite]:
    for number, start in enumerate(starts, 1):
        yield Sprite(
            id=f"start-{number}",
            look="start",
            x=start.x,
            y=start.y,
            turn=turn_of(start.direction),
            layer=LAYER_START,
            badge=str(number),
        )


def decoration_sprites(decorations: Sequence[Decoration]) -> Iterator[Sprite]:
    for decoration in decorations:
        yield Sprite(
            id=f"{decoration.kind}-{decoration.x}-{decoration.y}",
            look=decoration.kind,
            x=decoration.x,
            y=decoration.y,
            turn=turn_of(decoration.direction) if decoration.direction else 0,
            layer=LAYER_DECORATION,
            badge="".join(map(str, decoration.phases)),
        )


def robot_sprite(seat: int, robot: RobotView) -> Sprite:
    return Sprite(
        id=f"robot-{seat}",
        look=f"robot{seat}",
        x=robot.x,
        y=robot.y,
        turn=turn_of(robot.direction),
        seat=seat,
        layer=LAYER_ROBOT,
        badge=ROBOTS[seat],
    )


def turn_of(direction: str) -> int:
    return 2 * DIRECTIONS.index(direction)


def panels(view: View) -> Iterator[Panel]:
    if view.hand and not view.over:
        cards = tuple(hand_card(place, card) for place, card in enumerate(view.hand, 1))
        yield Hand(title="Your hand: five in order", cards=cards, slots=PHASES, seat=view.seat or 0)
    for seat, hand in enumerate(view.hands):
        lines = tuple(f"{card.priority} {card.does}" for card in hand)
        yield Lines(title=f"Hand of {robot_name(seat)}", lines=lines, seat=seat)
    yield Lines(title="Robots", lines=tuple(robot_lines(view)))


def hand_card(place: int, card: CardView) -> Card:
    """The number in brackets is the priority: the higher goes first."""
    return Card(word=str(place), label=f"{card.does} ({card.priority})")


def robot_lines(view: View) -> list[str]:
    return [robot_line(seat, robot, seat == view.seat) for seat, robot in enumerate(view.robots)]


def robot_line(seat: int, robot: RobotView, own: bool) -> str:
    name = f"{robot_name(seat)} (you)" if own else robot_name(seat)
    if not robot.alive:
        return f"{name} is destroyed"
    return f"{name}: ({robot.x}, {robot.y}), {robot.direction}"


def choices(view: View, legal: Sequence[str]) -> Iterator[Choice]:
    """Programs are put together from the hand; only the first five cards have a key of their own."""
    if view.hand and not view.over and legal:
        first = " ".join(str(place) for place in range(1, PHASES + 1))
        does = ", ".join(card.does for card in view.hand[:PHASES])
        yield Choice(action=first, label=f"the first five: {does}", question="Which program?")


# ------------------------------------------------------------------------- where a program leads


def preview(view: View, text: str) -> tuple[Mark, ...]:
    """The way of one's robot for a program or its beginning, if nobody else moved.

    Cells on the way are marked `path`, the end `target`, the place of its destruction `danger`.
    """
    if view.seat is None or view.over or not view.robots[view.seat].alive:
        return ()
    s = bare_hall(hall_in(view))
    robot = view.robots[view.seat]
    pose = (robot.y * view.width + robot.x) * 4 + DIRECTIONS.index(robot.direction)
    marks: list[Mark] = []
    for phase, place in enumerate(hand_places(text, [card.priority for card in view.hand])[:PHASES], 1):
        card = f"card {phase}, {view.hand[place].does}"
        for end in way_of_card(s, pose, card_kind(view.hand[place].priority)):
            if end == DEAD:
                return (*marks, mark_at(view, pose, "danger", f"{card}: destroyed beyond this cell"))
            pose = end
            marks.append(mark_at(view, pose, "path", f"{card}: facing {DIRECTIONS[pose & 3]}"))
        carried = effect_alone(s, pose, phase)
        if carried == DEAD:
            return (*marks, mark_at(view, pose, "danger", f"the hall in phase {phase}: destroyed"))
        if carried == HOME:
            return (*marks, mark_at(view, pose, "target", f"the goal, in phase {phase}"))
        if carried != pose:
            pose = carried
            marks.append(mark_at(view, pose, "path", f"the hall in phase {phase}: facing {DIRECTIONS[pose & 3]}"))
    return (*marks, mark_at(view, pose, "target", f"here, facing {DIRECTIONS[pose & 3]}"))


def way_of_card(s: RoboRace, pose: int, kind: int) -> list[int]:
    """The poses a card leads through; a move of three begins as moves of one and of two. DEAD ends it."""
    way = [card_alone(s, pose, part) for part in range(MOVE_1 if kind > MOVE_1 else kind, kind + 1)]
    return way[: way.index(DEAD) + 1] if DEAD in way else way


def mark_at(view: View, pose: int, kind: Literal["path", "target", "danger"], why: str) -> Mark:
    cell = pose >> 2
    return Mark(cell % view.width, cell // view.width, kind, why)


@lru_cache(maxsize=16)
def bare_hall(hall: Hall) -> RoboRace:
    """A record with nothing but a hall: what the rules need to move a lone robot."""
    s = RoboRace()
    lay_hall(s, hall)
    return s


# ------------------------------------------------------------------------- a round, moment by moment


def stages(view_before: View, events: Sequence[Told], view_after: View) -> tuple[Stage, ...]:
    """A round card by card and effect by effect."""
    show = Show(view_before)
    for told in events:
        show.tell(told)
    return tuple(show.stages)


class Show:
    """Follows the events of a round and takes a picture whenever something is complete.

    A push is told from the foremost robot back to the one that moves by itself: only with that
    one the picture is complete. What a robot looks like is drawn anew only when it changes.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self.hall = hall_around(view)
        self.robots = list(view.robots)
        self.sprites = [robot_sprite(seat, robot) for seat, robot in enumerate(view.robots)]
        self.lines = robot_lines(view)
        self.stages: list[Stage] = []
        self.phase = 0
        self.actor = -1  # whose card or effect it is
        self.cause = ""  # that card or effect
        self.said: list[str] = []  # what its consequences were, so far
        self.marks: list[Mark] = []
        self.played: list[str] = []  # cards of this phase, in order of priority
        self.order: list[int] = []  # of the effects

    def tell(self, told: Told) -> None:
        if told.kind == PHASE_BEGAN:
            self.phase, self.played, self.order = told.a, [], []
        elif told.kind == PLAYED:
            self.actor, self.cause = told.a, f"{robot_name(told.a)}: {told.b} {card_text(told.b)}"
            self.played.append(f"{told.d}. {self.cause}")
        elif told.kind == HALL_BEGAN:
            self.order = [item(told.b, place) for place in range(len(self.robots))]
        elif told.kind == ACTED:
            self.actor, self.cause = told.a, f"{acting_thing(told.c)} under {robot_name(told.a)}"
        elif told.kind in CHANGES:
            self.happen(told)

    def happen(self, told: Told) -> None:
        """Something changed on the board: show it, once the robot that caused it has moved too."""
        self.said.insert(0, tell_in_words(told, self.view.width, len(self.robots)))
        if told.kind != ROUNDS_USED_UP:
            self.change(told)
        if told.kind in (REVITALISED, ROUNDS_USED_UP):
            self.cause, self.phase, self.played, self.order = "", 0, [], []
        elif told.a != self.actor:
            return
        self.stages.append(self.stage())
        self.said, self.marks = [], []

    def stage(self) -> Stage:
        caption = "; ".join(self.said)
        if self.cause:
            caption = f"{self.cause} - {caption}"
        phase = f", phase {self.phase}" if self.phase else ""
        robots = [sprite for sprite, robot in zip(self.sprites, self.robots, strict=True) if robot.alive]
        picture = replace(
            self.hall,
            title=f"Round {self.view.round}{phase}: {caption}",
            sprites=(*self.hall.sprites, *robots),
            marks=tuple(self.marks),
            panels=tuple(self.panels()),
        )
        return Stage(caption, picture)

    def change(self, told: Told) -> None:
        robot = self.robots[told.a]
        if told.kind in (STEPPED, REVITALISED):
            x, y = told.b % self.view.width, told.b // self.view.width
            direction = DIRECTIONS[told.c] if told.kind == REVITALISED else robot.direction
            robot = RobotView(x, y, direction, True)
            self.marks.append(Mark(x, y, "last", self.said[0]))
        elif told.kind == TURNED:
            robot = RobotView(robot.x, robot.y, DIRECTIONS[told.b], robot.alive)
        elif told.kind == DESTROYED:
            self.marks.append(Mark(robot.x, robot.y, "danger", self.said[0]))
            robot = RobotView(-1, -1, robot.direction, False)
        else:
            self.marks.append(Mark(robot.x, robot.y, "danger" if told.kind == BUMPED else "target", self.said[0]))
            return
        self.robots[told.a] = robot
        self.sprites[told.a] = robot_sprite(told.a, robot)
        self.lines[told.a] = robot_line(told.a, robot, told.a == self.view.seat)

    def panels(self) -> Iterator[Panel]:
        if self.played:
            yield Lines(title=f"Phase {self.phase}, cards by priority", lines=tuple(self.played))
        if self.order:
            names = [f"{'>' if seat == self.actor else ' '} {robot_name(seat)}" for seat in self.order]
            yield Lines(title=f"Phase {self.phase}, the hall acts in this order", lines=tuple(names))
        yield Lines(title="Robots", lines=tuple(self.lines))
