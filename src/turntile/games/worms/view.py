"""What one seat may know of a match of SEWorms: all but what the chests hold (N-hidden)."""

from __future__ import annotations

from itertools import compress

import msgspec

from turntile.games.worms.records import BAZOOKA, CHEST, GONE, WEAPONS, Worms, is_chest, player_of
from turntile.games.worms.rules import winner
from turntile.games.worms.words import CHOICE_WORDS, FIELD_SIGNS, SIGNS, WEAPON_WORDS, our_name

# Tables by a field's byte, for all fields at once.
SIGN_OF_FIELD = "".join(FIELD_SIGNS).encode("ascii").ljust(256, b"?")
HOLDS_CHEST = bytes(is_chest(content) for content in range(256))
CARRIED = tuple([(weapon, CHOICE_WORDS[weapon]) for weapon in range(BAZOOKA, WEAPONS)])


class WormView(msgspec.Struct, frozen=True):
    """One worm. What it carries is seen by all: every pick-up was told."""

    id: int
    name: str
    player: int  # 1 or 2, as the rulebook counts
    hp: int  # 0: it is gone
    row: int  # -1: it is gone
    col: int
    ammunition: dict[str, int]  # by the words of `choose`; the gun's never ends


class ChestView(msgspec.Struct, frozen=True):
    row: int
    col: int
    holds: str  # "" for the players; the judge sees the weapon


class View(msgspec.Struct, frozen=True):
    """The map row by row, as the rulebook prints it: blank air, E earth, W water, # chest, ~ and * worms."""

    seat: int | None
    width: int
    height: int
    turn: int  # turns that have ended
    turn_limit: int  # 0: none
    over: bool
    winner: int  # 1 or 2; 0 while it is open, and for a draw
    map: tuple[str, ...]
    worms: tuple[WormView, ...]
    chests: tuple[ChestView, ...]
    player: int  # 1 or 2: whose turn it is
    worm: int  # the id of the worm whose turn it is
    weapon: str  # the chosen one, by its word of `choose`
    moved: bool
    chosen: int  # how often a weapon was chosen in this turn
    choose_limit: int  # how often that is allowed


def view(s: Worms, seat: int | None) -> View:
    cells = bytes(s.cells[: s.width * s.height])
    return View(
        seat=seat,
        width=s.width,
        height=s.height,
        turn=s.turn,
        turn_limit=s.turn_limit,
        over=s.ended,
        winner=winner(s) if s.ended else 0,
        map=map_rows(s, cells),
        worms=tuple([view_worm(s, worm) for worm in range(2 * s.team)]),
        chests=view_chests(s, seat, cells),
        player=s.player + 1,
        worm=s.worm + 1,
        weapon=CHOICE_WORDS[s.weapon],
        moved=s.moved,
        chosen=s.chosen,
        choose_limit=s.choose_limit,
    )


def map_rows(s: Worms, cells: bytes) -> tuple[str, ...]:
    fields = bytearray(cells.translate(SIGN_OF_FIELD))
    for worm in range(2 * s.team):
        if s.worms[worm].cell != GONE:
            fields[s.worms[worm].cell] = ord(SIGNS[player_of(s, worm)])
    drawn = fields.decode("ascii")
    return tuple([drawn[at : at + s.width] for at in range(0, len(drawn), s.width)])


def view_worm(s: Worms, worm: int) -> WormView:
    made = s.worms[worm]
    gone = made.cell == GONE
    return WormView(
        id=worm + 1,
        name=our_name(s, worm),
        player=player_of(s, worm) + 1,
        hp=made.hp,
        row=-1 if gone else made.cell // s.width,
        col=-1 if gone else made.cell % s.width,
        ammunition={word: made.ammunition[weapon] for weapon, word in CARRIED},
    )


def view_chests(s: Worms, seat: int | None, cells: bytes) -> tuple[ChestView, ...]:
    chests = compress(range(len(cells)), cells.translate(HOLDS_CHEST))
    return tuple(
        [
            ChestView(cell // s.width, cell % s.width, WEAPON_WORDS[cells[cell] - CHEST] if seat is None else "")
            for cell in chests
        ]
    )
