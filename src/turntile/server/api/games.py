"""Games: what can be played, what may be chosen, how it looks, what its rules say."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Path, Request
from msgspec import inspect
from starlette.responses import Response

from turntile.core import registry
from turntile.core.game import Game
from turntile.match.options import list_options
from turntile.screens.palette import MARKS, SEATS
from turntile.screens.svg import MARK_SHAPES, SEAT_SHAPES, symbol_part
from turntile.server.answers import GameInfo, GameOption, Games, LookInfo, LooksInfo
from turntile.server.levels import levels_of
from turntile.server.openapi import responses
from turntile.server.problems import Problem
from turntile.server.tags import tagged

router = APIRouter(tags=["games"], prefix="/games")

JSON = "application/json"
GameName = Annotated[str, Path(max_length=60, description="the game's name, such as tron")]
NOT_CHANGED = {"description": "The client has it already (If-None-Match)."}


def text_answer(media_type: str) -> dict[str, Any]:
    return {media_type: {"schema": {"type": "string"}}}


@router.get(
    "",
    operation_id="listGames",
    summary="All games, with their options and built-in opponents",
    responses={**responses(Games), 304: NOT_CHANGED},
)
async def list_games(request: Request) -> Response:
    return tagged(request, all_games(), JSON)


@router.get(
    "/{game}", operation_id="readGame", summary="One game", responses={**responses(GameInfo, 404), 304: NOT_CHANGED}
)
async def read_game(request: Request, game: GameName) -> Response:
    return tagged(request, msgspec.json.encode(info_of(find(game))), JSON)


@router.get(
    "/{game}/looks",
    operation_id="readLooks",
    summary="How its things are called and coloured",
    responses={**responses(LooksInfo, 404), 304: NOT_CHANGED},
)
async def read_looks(request: Request, game: GameName) -> Response:
    return tagged(request, looks_of(find(game).name), JSON)


@router.get(
    "/{game}/symbols.svg",
    operation_id="readSymbols",
    summary="Its shapes, as one SVG of symbols",
    response_class=Response,
    responses={
        **responses(None, 404, media=text_answer("image/svg+xml"), what="A symbol for each look and seat."),
        304: NOT_CHANGED,
    },
)
async def read_symbols(request: Request, game: GameName) -> Response:
    return tagged(request, symbols_of(find(game).name), "image/svg+xml")


@router.get(
    "/{game}/rules",
    operation_id="readRules",
    summary="Its rules, as Markdown",
    response_class=Response,
    responses={
        **responses(None, 404, media=text_answer("text/markdown"), what="The rules in numbered sentences."),
        304: NOT_CHANGED,
    },
)
async def read_rules(request: Request, game: GameName) -> Response:
    return tagged(request, rules_of(find(game).name), "text/markdown")


# ------------------------------------------------------------------- made once


def find(name: str) -> Game:
    """The game, or UnknownGame: 404."""
    return registry.find(name)


@cache
def all_games() -> bytes:
    return msgspec.json.encode(Games(items=tuple(info_of(game) for game in registry.games().values())))


def info_of(game: Game) -> GameInfo:
    return GameInfo(
        name=game.name,
        title=game.title,
        summary=game.summary,
        players=game.players,
        hidden=game.hidden,
        draws=game.draws,
        turn_ms=game.turn_ms,
        has_preview=game.preview is not None,
        rules_version=game.rules_version,
        levels=levels_of(game),
        options=options_of(game),
        background=game.looks.background,
    )


def options_of(game: Game) -> tuple[GameOption, ...]:
    info = inspect.type_info(game.options)
    assert isinstance(info, inspect.StructType), info
    kinds = {field.name: bare(field.type) for field in info.fields}
    return tuple(
        GameOption(
            name=option.name,
            default=msgspec.to_builtins(option.default),
            allowed=option.allowed,
            meaning=option.meaning,
            kind=kind_of(kinds[option.name]),
            minimum=getattr(kinds[option.name], "ge", None),
            maximum=getattr(kinds[option.name], "le", None),
            values=values_of(kinds[option.name]),
        )
        for option in list_options(game)
    )


def bare(kind: Any) -> Any:
    """A type without what is said about it."""
    while isinstance(kind, inspect.Metadata):
        kind = kind.type
    return kind


def kind_of(kind: Any) -> Literal["number", "bool", "choice", "text"]:
    if isinstance(kind, inspect.BoolType):
        return "bool"
    if isinstance(kind, inspect.IntType | inspect.FloatType):
        return "number"
    if isinstance(kind, inspect.LiteralType | inspect.EnumType):
        return "choice"
    return "text"


def values_of(kind: Any) -> tuple[str, ...] | None:
    if isinstance(kind, inspect.LiteralType):
        return tuple(str(value) for value in kind.values)
    if isinstance(kind, inspect.EnumType):
        return tuple(str(member.value) for member in kind.cls)
    return None


@cache
def looks_of(name: str) -> bytes:
    looks = registry.find(name).looks
    told = LooksInfo(
        background=looks.background,
        ground=looks.ground,
        looks={
            name: LookInfo(glyph=look.glyph, word=look.word, colour=look.colour, turned=look.turned)
            for name, look in looks.looks.items()
        },
    )
    return msgspec.json.encode(told)


@cache
def symbols_of(name: str) -> bytes:
    """Every look for nobody and for every seat, the marks, the seats' own shapes."""
    looks = registry.find(name).looks
    parts = [symbol_part(looks, look, seat) for look in looks.looks for seat in range(-1, len(SEATS))]
    for kind, shape in MARK_SHAPES.items():
        parts.append(f'<symbol id="mark-{kind}" viewBox="0 0 100 100">{shape.replace("{mark}", MARKS[kind])}</symbol>')
    for seat, shape in enumerate(SEAT_SHAPES):
        parts.append(f'<symbol id="seat-{seat}" viewBox="0 0 100 100"><g fill="{SEATS[seat]}">{shape}</g></symbol>')
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(parts)}</svg>\n'.encode()


@cache
def rules_of(name: str) -> bytes:
    page = files(registry.find(name).rules.__package__ or "") / "RULES.md"
    if not page.is_file():
        raise Problem(404, f"the package that brings {name} brings no RULES.md")
    return page.read_bytes()
