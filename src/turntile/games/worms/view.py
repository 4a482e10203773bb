"""What one seat may know of a match of SEWorms: all but what the chests hold (N-hidden)."""

from __future__ import annotations

import msgspec

from turntile.games.worms.records import BAZOOKA, CHEST, GONE, WEAPONS, Worms, is_chest, player_of
from turntile.games.worms.rules import winner
from turntile.games.worms.words import CHOICE_WORDS, WEAPON_WORDS, map_fields, our_name


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
    return View(
        seat=seat,
        width=s.width,
        height=s.height,
        turn=s.turn,
        turn_limit=s.turn_limit,
        over=s.ended,
        winner=winner(s) if s.ended else 0,
        map=tuple(map_fields(s, ("~", "*"))),
        worms=tuple(view_worm(s, worm) for worm in range(2 * s.team)),
        chests=tuple(view_chests(s, seat)),
        player=s.player + 1,
        worm=s.worm + 1,
        weapon=CHOICE_WORDS[s.weapon],
        moved=s.moved,
        chosen=s.chosen,
        choose_limit=s.choose_limit,
    )


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
        ammunition={CHOICE_WORDS[weapon]: made.ammunition[weapon] for weapon in range(BAZOOKA, WEAPONS)},
    )


def view_chests(s: Worms, seat: int | None) -> list[ChestView]:
    return [
        ChestView(cell // s.width, cell % s.width, WEAPON_WORDS[s.cells[cell] - CHEST] if seat is None else "")
        for cell in range(s.width * s.height)
        if is_chest(s.cells[cell])
    ]
