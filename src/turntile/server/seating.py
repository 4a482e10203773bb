"""What somebody wants of a new table, and who then sits where.

A seat is open, held by a person (several by one: they share a screen), by a built-in bot, or by
a registered bot. An open seat may be kept for somebody: a bot that is asked first, a person who
was at the last match.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from turntile.core.errors import InvalidOptions, TurntileError
from turntile.core.game import Game
from turntile.match.clock import read_control, read_duration
from turntile.match.match import Match
from turntile.match.options import choose_options
from turntile.server.standing import REAL
from turntile.server.timing import LONGEST_REAL_S, SHORTEST_REAL_S
from turntile.store.rows import BotRow, PlayerRow, SeatRow

MOST_NAME = 24  # characters of a name at the table


class CannotSit(TurntileError):
    """A seat that cannot be had."""


class SeatWish(msgspec.Struct, frozen=True):
    """Who is to sit there."""

    kind: Literal["me", "open", "bot"] = "open"
    name: str = ""  # of a second person at the same screen
    bot: str = ""  # a level ("hard"), a bot of the game ("tree:200"), or a registered one ("@name")


class NewTable(msgspec.Struct, frozen=True, kw_only=True):
    """A wish for a table. Seats that are not named stay open."""

    game: str
    options: dict[str, Any] = {}
    seats: tuple[SeatWish, ...] = ()
    clock: str = ""  # "": none; a time control; "real 300ms" for a game in real time
    listed: bool = True
    rated: bool = False


def draw_seed() -> str:
    return secrets.token_hex(8)


def settle_options(game: Game, wish: NewTable) -> dict[str, Any]:
    """All options, those that were not chosen too. The number of seats follows those who were named."""
    chosen = dict(wish.options)
    if "players" in game.options.__struct_fields__ and "players" not in chosen and wish.seats:
        chosen["players"] = len(wish.seats)
    options: dict[str, Any] = msgspec.to_builtins(choose_options(game, chosen))
    return options


def count_seats(game: Game, options: dict[str, Any], seed: str, wanted: int) -> int:
    """How many seats a match of these options has. Raises InvalidOptions."""
    seats = len(Match.start(game, choose_options(game, options), int(seed, 16)).seats)
    if wanted > seats:
        raise InvalidOptions(f"{wanted} seats are named, but this match of {game.title} has {seats}")
    return seats


def check_clock(game: Game, clock: str) -> str:
    """The clock in one spelling. Raises InvalidOptions."""
    plain = " ".join(clock.split())
    if not plain.startswith(REAL):
        control = read_control(plain)
        return str(control) if control.limited else ""
    if not game.turn_ms:
        raise InvalidOptions(f"{game.title} is not played in real time: choose a clock such as 30s, or none")
    try:
        seconds = read_duration(plain.removeprefix(REAL).strip())
    except (ValueError, KeyError):
        seconds = 0.0
    if not SHORTEST_REAL_S <= seconds <= LONGEST_REAL_S:
        raise InvalidOptions(f"{clock!r} is no speed: say real {game.turn_ms}ms, from 50ms to 60s")
    return plain


def clean_name(name: str) -> str:
    """A name as it stands on the board: one line, not too long."""
    return " ".join("".join(sign for sign in name if sign.isprintable()).split())[:MOST_NAME].strip()


def seat_for(player: PlayerRow, seat: int, name: str = "") -> SeatRow:
    """A player sits down himself."""
    kind: Literal["bot", "human"] = "bot" if player.kind == "bot" else "human"
    return SeatRow(seat, player.id, clean_name(name) or player.name, kind)


def kept_for(player: PlayerRow, seat: int) -> SeatRow:
    """An open seat that only this player may take."""
    return SeatRow(seat, player.id, player.name, "open")


def bot_seat(player: PlayerRow, bot: BotRow, seat: int) -> SeatRow:
    """A registered bot. One that comes by itself is asked first."""
    return kept_for(player, seat) if bot.kind == "remote" else SeatRow(seat, player.id, player.name, "bot")


def check_bot_plays(player: PlayerRow, bot: BotRow, game: Game) -> None:
    if player.disabled or not bot.enabled:
        raise CannotSit(f"{player.name} does not play at the moment: choose another bot")
    if bot.game not in ("", game.name):
        raise CannotSit(f"{player.name} plays {bot.game}, not {game.name}")


def why_unrated(seats: Sequence[SeatRow], players: dict[int, PlayerRow]) -> str:
    """Why a match of these cannot count for ratings; "" if it can.

    Open seats may still be filled well; one that is kept for somebody counts as his. A person and all bots of
    his count as one: he decides how they play, so what they win from each other says nothing.
    """
    seated = [seat for seat in seats if seat.kind != "open" or seat.player_id is not None]
    ids = [seat.player_id for seat in seated]
    if any(player_id is None for player_id in ids):
        return "a rated match needs players with a rating: choose a level instead of a bot with a budget"
    known = [players[player_id] for player_id in ids if player_id is not None]
    if any(player.kind == "guest" for player in known):
        return "guests have no rating: make an account first, or play unrated"
    if len(set(ids)) != len(ids):
        return "a rated match needs different players: nobody is rated against himself"
    owners = {player.owner_id for player in known if player.owner_id is not None}
    if owners & set(ids):
        return "nobody is rated against a bot of his own: play unrated"
    behind = [player.owner_id for player in known if player.owner_id is not None]
    if len(set(behind)) != len(behind):
        return "two bots of one owner are not rated against each other: play unrated, or invite somebody else's bot"
    return ""
