"""SEWorms: the rules, once, in forge's subset. The ids are those of RULES.md.

A step is one command that does something: a move, a choice of weapon, an action. A turn is
several steps of the same seat and ends with an action, or with a move that hurt. The chapters:
records, mersenne (the prescribed generator), gravity, weapons, walking, terrain (random
islands) and tactics (what is worth trying, for playouts and search).
"""

from __future__ import annotations

from turntile.core.dice import below, next_word, reseed
from turntile.core.events import forget_events, tell
from turntile.forge import i32, table
from turntile.games.worms.gravity import drop_chest, fall
from turntile.games.worms.mersenne import draw_below, seed_mersenne
from turntile.games.worms.records import (
    AIR,
    AIRSTRIKE,
    BAZOOKA,
    BLOWTORCH,
    CHEST,
    CHEST_KINDS,
    CHEST_LOST,
    CHOOSE,
    CHOSE,
    CHOSEN_TOO_OFTEN,
    EARTH,
    ENDED,
    FULL_HP,
    GONE,
    GUN,
    IDLE,
    IDLED,
    LIMIT,
    MATCH_OVER,
    MAX_SEATS,
    MELEE,
    MOVE,
    MOVED_ALREADY,
    NO_AMMUNITION,
    NO_ROOM,
    NO_SUCH_ACTION,
    NO_SUCH_SEAT,
    NOT_YOUR_TURN,
    OTHER_WEAPON,
    READY,
    SHOOT,
    SPAWNED,
    STRIKE,
    SWING,
    TARGET_TAKEN,
    TELEPORTER,
    WATER,
    WEAPONS,
    WORM,
    Worms,
    is_chest,
    player_of,
)
from turntile.games.worms.records import MAX_ACTIONS as MAX_ACTIONS
from turntile.games.worms.records import used_bytes as used_bytes
from turntile.games.worms.tactics import ROLLOUT_STEPS as ROLLOUT_STEPS
from turntile.games.worms.tactics import candidates as candidates
from turntile.games.worms.tactics import estimate as estimate
from turntile.games.worms.tactics import rollout_action as rollout_action
from turntile.games.worms.terrain import draw_island
from turntile.games.worms.walking import walk
from turntile.games.worms.weapons import aim, aim_from_above, burn, fire, swing, teleport

PLANES = 12

# Which form of `action` each weapon has: a direction, nothing, a column, a column and a row.
TELEPORT = STRIKE + 1
FORMS = table(SHOOT, SHOOT, TELEPORT, SHOOT, SWING, STRIKE)


# ------------------------------------------------------------------------- set-up


def setup(s: Worms) -> None:
    """R-start: the map is in the record already, unless it is to be drawn; all worms, then the first turn."""
    forget_events(s.log)
    if s.random_map:
        draw_island(s)
    seed_mersenne(s.random, s.rand_seed if s.seeded else next_word(s.dice))
    s.living[0] = 0
    s.living[1] = 0
    s.before[0] = s.team - 1
    s.before[1] = 2 * s.team - 1
    for worm in range(2 * s.team):
        s.worms[worm].cell = GONE
    for worm in range(2 * s.team):
        if not s.crowded:
            spawn(s, worm)
    s.player = 0
    start_turn(s)


def spawn(s: Worms, worm: int) -> None:
    """R-spawn, Z3: the name, then columns until one has its top field free; it falls at once, unhurt."""
    if worms_on_top(s) == s.width:
        s.crowded = True  # Z7
        tell(s.log, NO_ROOM, worm)
        return
    made = s.worms[worm]
    made.name = draw(s, s.names)
    column = draw(s, s.width)
    while s.cells[column] == WORM:
        column = draw(s, s.width)
    made.cell = column
    made.hp = FULL_HP
    for weapon in range(BAZOOKA, WEAPONS):
        made.ammunition[weapon] = 1
    s.cells[column] = WORM
    s.living[player_of(s, worm)] += 1
    tell(s.log, SPAWNED, worm, 0, column)
    fall(s, worm, False)


def worms_on_top(s: Worms) -> int:
    n = 0
    for column in range(s.width):
        if s.cells[column] == WORM:
            n += 1
    return n


def draw(s: Worms, n: int) -> int:
    """Z1: a number below n from the prescribed generator; planned draws come first, as with all dice."""
    if s.dice.planned > 0:
        return below(s.dice, n)
    return draw_below(s.random, n)


# ------------------------------------------------------------------------- who may do what


def seats(s: Worms) -> int:
    return MAX_SEATS


def over(s: Worms) -> bool:
    return s.ended


def to_act(s: Worms) -> int:
    """R-turns: the player whose turn it is."""
    if s.ended:
        return 0
    return 1 << s.player


def why_illegal(s: Worms, seat: int, action: int) -> int:
    """R-commands, E1, E2, E5: the weapon comes before the target."""
    if seat < 0 or seat >= MAX_SEATS:
        return NO_SUCH_SEAT
    if s.ended:
        return MATCH_OVER
    if seat != s.player:
        return NOT_YOUR_TURN
    if action < 0 or action >= STRIKE + s.width + s.width * s.height:
        return NO_SUCH_ACTION
    if action < CHOOSE:
        return MOVED_ALREADY if s.moved else 0
    if action < IDLE:
        return why_not_choose(s, action - CHOOSE)
    if action == IDLE:
        return 0  # W4
    if not belongs(s.weapon, action, s.width):
        return OTHER_WEAPON
    if s.weapon == TELEPORTER:
        content = s.cells[action - STRIKE - s.width]
        if content != AIR and not is_chest(content):
            return TARGET_TAKEN
    return 0


def why_not_choose(s: Worms, weapon: int) -> int:
    if weapon != GUN and s.worms[s.worm].ammunition[weapon] == 0:
        return NO_AMMUNITION
    if s.choose_limit > 0 and s.chosen >= s.choose_limit:
        return CHOSEN_TOO_OFTEN
    return 0


def belongs(weapon: int, action: int, width: int) -> bool:
    """E1: which form of `action` goes with which weapon."""
    return FORMS[weapon] == form_of(action, width)


def form_of(action: int, width: int) -> int:
    """What stands behind the word `action`: the first of the actions that are written alike."""
    if action == SWING:
        return SWING
    if action < STRIKE:
        return SHOOT
    return STRIKE if action < STRIKE + width else TELEPORT


def legal(s: Worms, seat: int, out: list[i32]) -> int:
    """Only the forms of the chosen weapon are looked at: the others are many and all refused."""
    n = 0
    if why_illegal(s, seat, IDLE) != 0:
        return 0
    for action in range(MOVE, SWING):
        if why_illegal(s, seat, action) == 0:
            out[n] = action
            n += 1
    form = FORMS[s.weapon]
    first = STRIKE + s.width if form == TELEPORT else form
    count = 1
    if form == SHOOT:
        count = STRIKE - SHOOT
    elif form == STRIKE:
        count = s.width
    elif form == TELEPORT:
        count = s.width * s.height
    for action in range(first, first + count):
        if why_illegal(s, seat, action) == 0:
            out[n] = action
            n += 1
    return n


def default_action(s: Worms, seat: int) -> int:
    """N-silence: no answer means to idle."""
    return IDLE


# ------------------------------------------------------------------------- one step


def step(s: Worms, actions: list[i32]) -> None:
    forget_events(s.log)
    act(s, actions[s.player])
    if s.turn_done:
        end_turn(s)


def act(s: Worms, action: int) -> None:
    """One command, without what the end of the turn brings. The caller has asked `why_illegal`."""
    worm = s.worm
    if action < CHOOSE:
        s.moved = True
        walk(s, worm, 1 if action >= MOVE + 4 else -1, action & 3)
    elif action < IDLE:
        choose(s, action - CHOOSE)
    else:
        s.turn_done = True  # R-turn-end
        if action == IDLE:
            tell(s.log, IDLED, worm)
        else:
            use_weapon(s, worm, action)


def choose(s: Worms, weapon: int) -> None:
    """R-choose: as often as one likes, unless the arena sets a limit (N-choose-limit)."""
    s.weapon = weapon
    if s.choose_limit > 0:
        s.chosen += 1
    tell(s.log, CHOSE, s.worm, weapon, s.worms[s.worm].ammunition[weapon])


def use_weapon(s: Worms, worm: int, action: int) -> None:
    """R-fire: one of the ammunition is spent, on a miss too (W5); then the damage, then gravity."""
    if s.weapon != GUN:
        s.worms[worm].ammunition[s.weapon] -= 1
    if s.weapon == MELEE:
        swing(s, worm)
    elif s.weapon == AIRSTRIKE:
        fire(s, AIRSTRIKE, aim_from_above(s, action - STRIKE))
    elif s.weapon == TELEPORTER:
        teleport(s, worm, action - STRIKE - s.width)
    elif s.weapon == BLOWTORCH:
        burn(s, BLOWTORCH, worm, action - SHOOT)
    else:
        fire(s, s.weapon, aim(s, worm, action - SHOOT))


def end_turn(s: Worms) -> None:
    """O2, C2: the chest drops, also when the game is then over; then the other player's turn."""
    s.turn += 1
    send_chest(s)
    s.player = 1 - s.player
    start_turn(s)


def send_chest(s: Worms) -> None:
    """R-chest-drop, Z2, C1, C2: always two draws; where a worm or chest is in the top row, it is discarded."""
    column = draw(s, s.width)
    weapon = BAZOOKA + draw(s, CHEST_KINDS)
    if s.cells[column] != AIR:
        tell(s.log, CHEST_LOST, column)
        return
    s.cells[column] = CHEST + weapon
    drop_chest(s, column)


def start_turn(s: Worms) -> None:
    """R-end, S1: the end is looked for only here. R-cycle: else the player's next living worm, with the gun."""
    s.turn_done = False
    s.moved = False
    s.weapon = GUN
    s.chosen = 0
    if s.crowded:
        s.ended = True
    elif s.living[0] == 0 or s.living[1] == 0:
        s.ended = True
        tell(s.log, ENDED, winner(s))
    elif s.turn_limit > 0 and s.turn >= s.turn_limit:
        s.ended = True
        tell(s.log, ENDED, LIMIT)  # N-turn-limit
    else:
        s.worm = next_worm(s)
        s.before[s.player] = s.worm
        cell = s.worms[s.worm].cell
        tell(s.log, READY, s.player, s.worm, cell // s.width, cell % s.width)


def next_worm(s: Worms) -> int:
    """S1: cyclic by id, skipping the dead."""
    first = s.team * s.player
    worm = s.before[s.player]
    for _ in range(s.team):
        worm = worm + 1 if worm + 1 < first + s.team else first
        if s.worms[worm].cell != GONE:
            break
    return worm


# ------------------------------------------------------------------------- the outcome


def winner(s: Worms) -> int:
    """R-end, R-draw: 1 or 2 if only that player has worms left, else 0."""
    if s.living[0] > 0 and s.living[1] == 0:
        return 1
    if s.living[1] > 0 and s.living[0] == 0:
        return 2
    return 0


def place(s: Worms, seat: int) -> int:
    if not s.ended:
        return 0
    best = winner(s)
    if best == 0 or best == seat + 1:
        return 1
    return 2


def score(s: Worms, seat: int) -> int:
    """N-score: one point for the winner; the rulebook knows no others."""
    if s.ended and winner(s) == seat + 1:
        return 1
    return 0


# ------------------------------------------------------------------------- for bots and learners


def observe(s: Worms, seat: int, out: bytearray) -> None:
    """N-hidden: a chest's content is never shown; what the worms carry is seen by all."""
    size = s.width * s.height
    for at in range(PLANES * size):
        out[at] = 0
    for at in range(size):
        content = s.cells[at]
        if content == EARTH:
            out[at] = 1
        elif content == WATER:
            out[size + at] = 1
        elif is_chest(content):
            out[2 * size + at] = 1
    for worm in range(2 * s.team):
        at = s.worms[worm].cell
        if at != GONE:
            out[(3 if player_of(s, worm) == seat else 4) * size + at] = s.worms[worm].hp
            for weapon in range(BAZOOKA, WEAPONS):
                out[(4 + weapon) * size + at] = min(255, s.worms[worm].ammunition[weapon])
    if not s.ended:
        at = s.worms[s.worm].cell
        out[10 * size + at] = 1 + s.weapon
        out[11 * size + at] = 2 if s.moved else 1


def redeal(s: Worms, seat: int) -> None:
    """N-hidden: what the chests on the map hold, and all that is still to be drawn."""
    for at in range(s.width * s.height):
        if is_chest(s.cells[at]):
            s.cells[at] = CHEST + BAZOOKA + below(s.dice, CHEST_KINDS)
    seed_mersenne(s.random, next_word(s.dice))
    reseed(s.dice)
