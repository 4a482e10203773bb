"""A replay's file while it grows: what is played is on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from turntile.core.registry import find
from turntile.match import Match
from turntile.match.clock import NO_LIMIT
from turntile.match.options import choose_options
from turntile.match.replay import read_replay, verify
from turntile.players.host import Host
from turntile.players.recording import CannotSave, Recording
from turntile.players.seats import Player, fill_seats

TRON = find("tron")


def arena() -> Match:
    return Match.start(TRON, choose_options(TRON, {"board": "arena"}), 3)


@pytest.mark.parametrize("name", ["match.jsonl", "match.jsonl.zst"])
def test_every_step_is_on_disk_before_the_next(tmp_path: Path, name: str) -> None:
    match = arena()
    players = fill_seats(TRON, ["greedy", "greedy"], 2)
    recording = Recording(tmp_path / "new" / name)
    recording.begin(match, players, NO_LIMIT)
    seen = []

    def looks_at_the_disk(turn: object) -> str:
        seen.append(read_replay(recording.growing.read_bytes(), so_far=True).steps)
        return "straight"

    Host(match, [Player("a", looks_at_the_disk), players[1]], witnesses=(recording,)).play()
    assert seen == list(range(match.step_number))
    assert not recording.path.exists(), "the name is taken when the replay is whole"

    path = recording.end(match)

    assert not recording.growing.exists()
    replay = read_replay(path.read_bytes(), str(path))
    assert verify(replay, TRON).outcome == match.outcome
    assert replay.header.started.endswith("Z")


def test_an_old_replay_is_not_replaced_unless_asked(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text("precious")
    with pytest.raises(CannotSave, match="is there already: choose another name, or say --overwrite"):
        Recording(path)
    recording = Recording(path, overwrite=True)
    recording.begin(arena(), [], NO_LIMIT)
    assert path.read_text() == "precious", "until the new one is whole"
    recording.end(arena())
    assert path.read_bytes().startswith(b'{"format"')


def test_two_matches_do_not_write_one_file(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    first = Recording(path)
    first.begin(arena(), [], NO_LIMIT)
    with pytest.raises(CannotSave, match="of a match that runs or was killed"):
        Recording(path)
    first.discard()
    assert not list(tmp_path.iterdir())
    Recording(path).discard()


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotSave, match="no replay can be written to"):
        Recording(tmp_path / "file" / "match.jsonl")
