"""The picture of a view: the loadout with its budget, then the board under fog.

Cells never seen are fog; others show what was seen last, and those not in sight any more say
when that was. While it is the seat's turn the cells its radar and its weapon cover are marked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from turntile.core.scene import (
    Choice,
    Gauge,
    Item,
    Items,
    Lines,
    Look,
    Looks,
    Mark,
    Panel,
    Part,
    Parts,
    Scene,
    Sprite,
)
from turntile.games.robots.notation import FEATURE_NAMES
from turntile.games.robots.presets import PRESET_NAMES, next_step, preset_parts
from turntile.games.robots.records import FEATURE_KIND, FEATURE_LEVEL, MINES, area_start, slots_of
from turntile.games.robots.view import EMPTY, FOE, ROCK, SELF, UNSEEN, OwnRobot, View

LOOKS = Looks(
    looks={
        "robot": Look(
            "R",
            "robot",
            '<rect x="22" y="30" width="56" height="44" rx="10" fill="{seat}" stroke="{dark}" stroke-width="5"/>'
            '<rect x="12" y="38" width="10" height="30" rx="4" fill="{dark}"/>'
            '<rect x="78" y="38" width="10" height="30" rx="4" fill="{dark}"/>'
            '<rect x="30" y="74" width="14" height="14" rx="3" fill="{dark}"/>'
            '<rect x="56" y="74" width="14" height="14" rx="3" fill="{dark}"/>'
            '<circle cx="39" cy="48" r="8" fill="#f4f8ff"/><circle cx="61" cy="48" r="8" fill="#f4f8ff"/>'
            '<circle cx="39" cy="48" r="3.5" fill="#10141c"/><circle cx="61" cy="48" r="3.5" fill="#10141c"/>'
            '<line x1="50" y1="30" x2="50" y2="16" stroke="{dark}" stroke-width="5"/>'
            '<circle cx="50" cy="13" r="6" fill="{seat}"/>'
            '<rect x="36" y="61" width="28" height="5" rx="2" fill="{dark}"/>',
        ),
        "foe": Look(
            "◆",
            "robot",
            '<path d="M50 12 L84 34 V70 L50 90 L16 70 V34 Z" fill="#e5484d" stroke="#7d1d22" stroke-width="5"/>'
            '<path d="M28 44 L44 52 M72 44 L56 52" stroke="#2a0709" stroke-width="6" stroke-linecap="round"/>'
            '<circle cx="39" cy="56" r="5" fill="#ffe3e3"/><circle cx="61" cy="56" r="5" fill="#ffe3e3"/>'
            '<path d="M36 74 H64" stroke="#2a0709" stroke-width="6" stroke-linecap="round"/>',
            "#e5484d",
            "X",
        ),
        "ghost": Look(
            "◇",
            "robot seen earlier",
            '<path d="M50 12 L84 34 V70 L50 90 L16 70 V34 Z" fill="none" stroke="#e5484d" stroke-width="5" '
            'stroke-dasharray="9 7" opacity="0.8"/><text x="50" y="64" font-size="40" text-anchor="middle" '
            'fill="#e5484d" opacity="0.8">?</text>',
            "#b0686b",
            "x",
        ),
        "mine": Look(
            "*",
            "mine",
            '<circle cx="50" cy="54" r="20" fill="#3a3f4b" stroke="#14171d" stroke-width="4"/>'
            '<path d="M50 22 V34 M50 74 V86 M18 54 H30 M70 54 H82 M27 31 L36 40 M73 31 L64 40 '
            'M27 77 L36 68 M73 77 L64 68" '
            'stroke="#14171d" stroke-width="6" stroke-linecap="round"/><circle cx="50" cy="54" r="7" fill="#ff5a4f"/>',
            "#ff8a5f",
        ),
        "own mine": Look(
            "+",
            "own mine",
            '<circle cx="50" cy="54" r="20" fill="{seat}" stroke="{dark}" stroke-width="4"/>'
            '<path d="M50 22 V34 M50 74 V86 M18 54 H30 M70 54 H82" stroke="{dark}" stroke-width="6" '
            'stroke-linecap="round"/>'
            '<circle cx="50" cy="54" r="7" fill="#f4f8ff"/>',
        ),
        "fog": Look(
            "░",
            "never seen",
            '<rect width="100" height="100" fill="#171c26"/>'
            '<path d="M0 30 Q25 18 50 30 T100 30 M0 70 Q25 58 50 70 T100 70" fill="none" stroke="#232b39" '
            'stroke-width="7"/>',
            "#3a465c",
            "?",
        ),
        "floor": Look(
            "·",
            "empty",
            '<rect width="100" height="100" fill="#2b3342"/>'
            '<rect x="3" y="3" width="94" height="94" rx="6" fill="#323c4e"/>',
            "#5d6b85",
            ".",
        ),
        "obstacle": Look(
            "#",
            "obstacle",
            '<rect width="100" height="100" fill="#2b3342"/>'
            '<rect x="6" y="8" width="88" height="84" rx="8" fill="#7b6a55"/>'
            '<path d="M6 36 H94 M6 64 H94 M36 8 V36 M68 8 V36 M22 36 V64 M54 36 V64 M84 36 V64 M36 64 V92 M68 64 V92" '
            'stroke="#57493a" stroke-width="5"/>',
            "#a58f72",
        ),
    },
    ground={UNSEEN: "fog", ".": "floor", ROCK: "obstacle"},
    background="#0e1219",
)

DETAILS = (
    "2 moves a turn", "4 moves a turn", "6 moves a turn",
    "scans 3 x 3 cells", "scans 6 x 6 cells", "scans 12 x 12 cells",
    "+2 HP", "+4 HP", "+8 HP",
    "6 x 6 cells, -3 HP", "3 x 3 cells, -8 HP, loads a turn",
    "three of -4 HP each",
)  # fmt: skip
MOVE_KEYS = {"move up": "up", "move right": "right", "move down": "down", "move left": "left"}
PLAIN_CHOICES = {
    "start": ("start the turn", "space"),
    "scan": ("scan", "s"),
    "end": ("end the turn", "enter"),
    "mine": ("lay a mine", "m"),
}
GROUND_LAYER, MINE_LAYER, ROBOT_LAYER = 0, 1, 2


def scene(view: View, legal: Sequence[str]) -> Scene:
    deploying = view.phase == "deployment"
    return Scene(
        width=view.width,
        height=view.height,
        title=title(view),
        ground=tuple([row.replace(FOE, EMPTY).replace(SELF, EMPTY) for row in view.seen]),
        sprites=tuple(sprites(view)),
        marks=() if deploying else tuple(marks(view)),
        panels=tuple(panels(view, legal)),
        choices=tuple(choices(view, legal)),
    )


def title(view: View) -> str:
    if view.phase == "deployment":
        waiting = [str(status.seat) for status in view.seats if status.alive and not status.deployed]
        if view.me and not view.seats[view.me.seat].deployed:
            return f"Build your robot: {view.me.slots - view.me.slots_used} of {view.me.slots} slots are free"
        return f"Deployment: waiting for robot {', '.join(waiting)}"
    if view.phase == "over":
        return "A draw" if view.result == "draw" else f"{view.result.capitalize()} has won"
    whose = "Your turn" if view.turn_of == view.seat else f"Turn of robot {view.turn_of}"
    state = "" if view.started else ", not started yet"
    return f"{whose}{state} ({view.turns_ended} of {view.turn_limit} turns ended)"


# ------------------------------------------------------------------------- the board


def sprites(view: View) -> Iterator[Sprite]:
    yield from mine_sprites(view)
    own_cells = {robot.cell for robot in view.robots}
    for robot in view.robots:
        if robot.cell is not None:
            x, y = robot.cell
            yield Sprite(f"robot {robot.seat}", "robot", x, y, seat=robot.seat, layer=ROBOT_LAYER, badge=str(robot.hp))
    for x, y, turn in seen_robots(view):
        if (x, y) not in own_cells:
            fresh = turn == view.turns_ended
            badge = "" if fresh else str(turn)
            yield Sprite(f"seen {x} {y}", "foe" if fresh else "ghost", x, y, layer=ROBOT_LAYER, badge=badge)


def seen_robots(view: View) -> Iterator[tuple[int, int, int]]:
    for y, row in enumerate(view.seen):
        x = row.find(FOE)
        while x >= 0:
            yield x, y, view.seen_turns[y][x]
            x = row.find(FOE, x + 1)


def mine_sprites(view: View) -> Iterator[Sprite]:
    own: set[tuple[int, int]] = set()
    for robot in view.robots:
        for x, y in robot.mines:
            own.add((x, y))
            yield Sprite(f"mine {x} {y}", "own mine", x, y, seat=robot.seat, layer=MINE_LAYER)
    for sighting in view.seen_mines:
        if sighting.cell not in own:
            x, y = sighting.cell
            badge = "" if sighting.turn == view.turns_ended else str(sighting.turn)
            yield Sprite(f"mine {x} {y}", "mine", x, y, layer=MINE_LAYER, badge=badge)


def marks(view: View) -> Iterator[Mark]:
    me = view.me
    if me is None:
        return
    for y, turns in enumerate(view.seen_turns):
        for x, turn in enumerate(turns):
            if 0 <= turn < view.turns_ended:
                yield Mark(x, y, "last", f"last seen when {turn} turns had ended")
    for sighting in view.seen_mines:
        if sighting.cell not in me.mines:
            yield Mark(*sighting.cell, "danger", "a mine was seen here")
    if me.cell is not None and view.turn_of == view.seat and view.started:
        for x, y in area_cells(view, me.cell, me.radar_side):
            yield Mark(x, y, "seen", "in the radar's area")
        if me.weapon and not me.shot_used and not me.loading:
            for x, y in area_cells(view, me.cell, me.weapon_side):
                if (x, y) != me.cell:
                    yield Mark(x, y, "range", f"in range of the {me.weapon}")
        for x, y in within_moves(view, me):
            yield Mark(x, y, "reachable", "within this turn's moves, as far as is known")


def area_cells(view: View, cell: tuple[int, int], side: int) -> Iterator[tuple[int, int]]:
    left, top = area_start(cell[0], side), area_start(cell[1], side)
    for y in range(max(top, 0), min(top + side, view.height)):
        for x in range(max(left, 0), min(left + side, view.width)):
            yield x, y


def within_moves(view: View, me: OwnRobot) -> list[tuple[int, int]]:
    """Cells the moves left lead to over ground that was seen to be free."""
    assert me.cell is not None
    reached = {me.cell: 0}
    queue = [me.cell]
    for x, y in queue:
        steps = reached[x, y]
        for cell in ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)):
            inside = 0 <= cell[0] < view.width and 0 <= cell[1] < view.height
            if steps < me.moves_left and inside and cell not in reached and view.seen[cell[1]][cell[0]] in (".", SELF):
                reached[cell] = steps + 1
                queue.append(cell)
    return queue[1:]


# ------------------------------------------------------------------------- beside the board


def panels(view: View, legal: Sequence[str]) -> Iterator[Panel]:
    for robot in view.robots:
        if view.phase == "deployment":
            yield parts_panel(view, robot, legal)
    if view.me and view.phase == "deployment" and not view.seats[view.me.seat].deployed:
        yield presets_panel(view, view.me)
    for robot in view.robots:
        yield Gauge("HP", robot.hp, robot.full_hp, robot.seat)
        if view.phase == "play" and robot.engine_moves:
            yield Gauge("moves", robot.moves_left, robot.engine_moves, robot.seat)
        if view.phase != "deployment":
            yield Items(f"robot {robot.seat}", tuple(own_items(robot)), robot.seat)
    yield Lines("robots", tuple(status_line(view, number) for number in range(len(view.seats))))
    if view.with_messages:
        lines = tuple(message_line(view, number) for number in range(len(view.messages)))
        yield Lines("messages", lines or ("none yet",))


def parts_panel(view: View, robot: OwnRobot, legal: Sequence[str]) -> Parts:
    parts = []
    for feature in range(MINES + 1 if view.with_mines else MINES):
        name, action = FEATURE_NAMES[feature], f"add {FEATURE_NAMES[feature]}"
        cost = slots_of(FEATURE_KIND[feature], FEATURE_LEVEL[feature])
        installed = name in robot.parts
        parts.append(Part(name, cost, action if action in legal and not installed else "", installed, DETAILS[feature]))
    return Parts("parts", tuple(parts), robot.slots_used, robot.slots, robot.seat)


def presets_panel(view: View, me: OwnRobot) -> Items:
    """Ready-made robots and their parts."""
    names = PRESET_NAMES if view.with_mines else PRESET_NAMES[:-1]
    return Items("presets", tuple(Item(name, detail=" ".join(preset_parts(name))) for name in names), me.seat)


def own_items(robot: OwnRobot) -> Iterator[Item]:
    for name in robot.parts:
        detail = DETAILS[FEATURE_NAMES.index(name)]
        if name == robot.weapon:
            state = f"loading, {robot.loading} more" if robot.loading else "shot used" if robot.shot_used else "ready"
            yield Item(name, detail=f"{detail}; {state}")
        elif name == "mines":
            yield Item(name, robot.mines_left, detail)
        else:
            yield Item(name, detail=detail)


def status_line(view: View, number: int) -> str:
    status = view.seats[number]
    team = f" of team {status.team}" if status.team >= 0 else ""
    if not status.alive:
        state = "destroyed"
    elif view.phase == "deployment":
        state = "deployed" if status.deployed else "deploying"
    else:
        state = "alive"
    return f"robot {status.seat}{team}{' (you)' if status.seat == view.seat else ''}: {state}"


def message_line(view: View, number: int) -> str:
    message = view.messages[number]
    return f"{message.number}: robot {message.sender} to {message.address}, after {message.turn} turns"


# ------------------------------------------------------------------------- choices


def choices(view: View, legal: Sequence[str]) -> Iterator[Choice]:
    if view.phase == "deployment" and view.me:
        yield from deployment_choices(view, view.me, legal)
        return
    for action in legal:
        words = action.split()
        if action in PLAIN_CHOICES:
            label, key = PLAIN_CHOICES[action]
            yield Choice(action, label, key)
        elif action in MOVE_KEYS:
            yield Choice(action, action, MOVE_KEYS[action], cell=neighbour(view, words[1]))
        elif words[0] == "shoot":
            x, y = int(words[1]), int(words[2])
            yield Choice(action, f"({x}, {y})", question="Shoot at which cell?", group="shoot", cell=(x, y))
        elif words[0] == "say":
            to = words[1] if words[1] in ("all", "team") else f"robot {words[1]}"
            question = "Say hello to whom? (For other words type say all ...)"
            yield Choice(action, f"to {to}", question=question, group="say hello")


def neighbour(view: View, direction: str) -> tuple[int, int] | None:
    """A click beside the robot is a step, unless it can shoot: then a click means the target."""
    me = view.me
    if me is None or me.cell is None or (me.weapon and not me.shot_used and not me.loading):
        return None
    dx, dy = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}[direction]
    return me.cell[0] + dx, me.cell[1] + dy


def deployment_choices(view: View, me: OwnRobot, legal: Sequence[str]) -> Iterator[Choice]:
    """Parts, each under its kind; presets, which install one part after the other; and the end."""
    for number, name in enumerate(PRESET_NAMES):
        action = next_step(me.parts, name)
        if action in legal and action != "deploy":
            yield Choice(action, f"like the {name}: {action}", str(number + 1), question="Build what?")
    for action in legal:
        word = action.partition(" ")[2]
        if action == "deploy":
            yield Choice(action, "end the deployment", "enter", question="Build what?")
        elif word in FEATURE_NAMES and word not in me.parts:
            kind = ("engine", "radar", "shield", "weapon", "extra")[FEATURE_KIND[FEATURE_NAMES.index(word)]]
            detail = DETAILS[FEATURE_NAMES.index(word)]
            yield Choice(action, f"{word}: {detail}", question=f"Which {kind}?", group=kind, item=word)
