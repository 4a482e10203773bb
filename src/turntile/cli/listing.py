"""`turntile games`: what can be played, and with whom."""

from __future__ import annotations

import sys
from typing import Any

import msgspec

from turntile.core.game import Game
from turntile.core.registry import find, games
from turntile.match.options import list_options


def list_games(name: str | None, as_json: bool) -> None:
    chosen = [find(name)] if name else list(games().values())
    if as_json:
        data = [describe(game) for game in chosen]
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(data[0] if name else data)).decode() + "\n")
    elif name:
        print("\n".join(whole_lines(chosen[0])))
    else:
        print("\n".join(line for game in chosen for line in short_lines(game)))
        print("turntile games NAME tells a game's options, turntile play NAME starts it")


def describe(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "players": game.players,
        "rules_version": game.rules_version,
        "hidden": game.hidden,
        "bots": [{"name": kind.name, "summary": kind.summary} for kind in game.bots],
        "options": [
            {"name": o.name, "default": o.default, "allowed": o.allowed, "meaning": o.meaning}
            for o in list_options(game)
        ],
    }


def say_players(game: Game) -> str:
    fewest, most = game.players
    if fewest == most:
        return f"{most} player{'s' if most > 1 else ''}"
    return f"{fewest} to {most} players"


def short_lines(game: Game) -> list[str]:
    return [
        f"{game.name:10} {game.title}, {say_players(game)}",
        f"{'':10} {game.summary}",
        f"{'':10} bots: {', '.join(kind.name for kind in game.bots)}",
        "",
    ]


def whole_lines(game: Game) -> list[str]:
    lines = [f"{game.title}, {say_players(game)}", game.summary, "", "Bots, from easy to strong (--seat NAME)"]
    width = max(len(kind.name) for kind in game.bots)
    lines += [f"  {kind.name:{width}}  {kind.summary}" for kind in game.bots]
    options = list_options(game)
    if options:
        lines += ["", "Options (--set KEY=VALUE)"]
        for option in options:
            shown = "" if option.default == "" else f", {as_typed(option.default)} if left out"
            lines.append(f"  {option.name}: {option.meaning or option.allowed}")
            lines.append(
                f"    {option.allowed}{shown}" if option.allowed else f"    {as_typed(option.default)} if left out"
            )
    return lines


def as_typed(value: object) -> str:
    """A default as it would be typed behind --set."""
    return str(value).lower() if isinstance(value, bool) else str(value)
