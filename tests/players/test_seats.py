"""Seats: from a text to whoever sits there."""

from __future__ import annotations

import pytest

from turntile.core.errors import InvalidOptions, TurntileError
from turntile.core.registry import find, games
from turntile.match import Match
from turntile.players.seats import InvalidSeat, default_opponent, fill_seats, seat_player

TRON = find("tron")


def test_a_bot_is_seated_by_its_name() -> None:
    player = seat_player(TRON, "greedy")
    assert (player.name, player.kind, player.human) == ("greedy", "bot", False)
    assert player.bot is not None
    match = Match.start(TRON, seed=1)
    match.submit(0, player.bot(match.turn(0)))


def test_a_bot_takes_an_argument_behind_a_colon() -> None:
    assert seat_player(TRON, "tree:10i").name == "tree:10i"
    with pytest.raises(InvalidOptions, match="tree:soon is no budget"):
        seat_player(TRON, "tree:soon")


def test_a_person_has_no_bot() -> None:
    player = seat_player(TRON, "human")
    assert (player.human, player.kind, player.bot) == (True, "human", None)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("gredy", "tron has no bot called 'gredy': did you mean greedy?"),
        ("", "tron has no bot called '': say human, random, "),
        ("cmd:./mybot --fast", "there is no program './mybot' that can be run here"),
        ("plain:", "names no command: say plain:./mybot"),
        ("cmd:'./mybot", "the command cannot be read: No closing quotation"),
        ("mybot.py", "there is no file mybot.py"),
        ("https://127.0.0.1:9000", "a webhook is asked by http://"),
        ("http://", "is no webhook's address: say http://127.0.0.1:9000"),
        ("http://127.0.0.1:port", "http://127.0.0.1:port is no address"),
    ],
)
def test_what_names_nobody_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(TurntileError) as refused:
        seat_player(TRON, text)
    assert sentence in str(refused.value)


def test_empty_seats_are_taken_by_the_default_opponent() -> None:
    names = [player.name for player in fill_seats(TRON, ["human"], 3)]
    assert names == ["human", default_opponent(TRON), default_opponent(TRON)]
    with pytest.raises(InvalidSeat, match="3 players are named, but this match of tron has 2 seats"):
        fill_seats(TRON, ["random"] * 3, 2)


@pytest.mark.parametrize("name", sorted(games()))
def test_every_game_has_an_opponent_that_answers_at_once(name: str) -> None:
    game = find(name)
    assert default_opponent(game) in [kind.name for kind in game.bots]
    assert default_opponent(game) != "tree"
