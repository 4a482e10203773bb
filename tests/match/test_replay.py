"""Replays: every byte counts, and the rules play them again."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from turntile.core.game import Game
from turntile.core.gears import GearName
from turntile.core.registry import find
from turntile.match import Match
from turntile.match.film import make_film
from turntile.match.options import choose_options
from turntile.match.replay import (
    DamagedReplay,
    EndLine,
    InvalidReplay,
    ReplayDiffers,
    ReplayWriter,
    SeatHeader,
    StepLine,
    chain_suffix,
    link,
    read_replay,
    verify,
)

GAMES = ("tron", "racers", "roborace", "worms", "robots")


def play(
    game: Game,
    gear_name: GearName | None = None,
    seed: int = 5,
    steps: int = 40,
    compress: bool = False,
    **options: object,
) -> bytes:
    """The bytes of the replay of a random match, stopped after some steps."""
    match = Match.start(game, choose_options(game, options), seed, gear_name)
    writer = ReplayWriter(compress)
    data = [
        writer.begin(match, [SeatHeader("random")] * len(match.seats), clock="100ms", started="2026-01-01T00:00:00Z")
    ]
    chance = Random(seed)
    while match.waiting() and match.step_number < steps:
        seat = match.waiting()[0]
        if chance.random() < 0.1:
            played = match.be_silent(seat, 0.2, "late")
        else:
            played = match.submit(seat, chance.choice(match.turn(seat).legal), time_s=0.0125)
        data += [writer.step(step) for step in played]
    data.append(writer.end(match))
    return b"".join(data)


def lines_of(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True)


def chained(contents: list[dict[str, object]]) -> bytes:
    """A forged replay whose hashes all fit."""
    chain, lines = b"", []
    for content in contents:
        body = json.dumps({key: value for key, value in content.items() if key != "chain"}).encode()[:-1]
        chain = link(chain, body)
        lines.append(body + chain_suffix(chain) + b"\n")
    return b"".join(lines)


def forged(data: bytes, line: int, **changes: object) -> bytes:
    contents = [json.loads(text) for text in lines_of(data)]
    contents[line].update(changes)
    return chained(contents)


@pytest.mark.parametrize("name", GAMES)
def test_a_match_becomes_a_replay_that_verifies(name: str, gear_name: GearName) -> None:
    game = find(name)
    replay = read_replay(play(game, gear_name))
    assert replay.header.game == name
    assert replay.end is not None

    match = verify(replay, game, gear=gear_name)

    assert match.step_number == replay.steps > 0
    assert match.outcome == replay.end.outcome


def test_a_replay_of_one_gear_verifies_in_the_other() -> None:
    game = find("tron")
    verify(read_replay(play(game, "interpreted", steps=999)), game, gear="compiled")
    verify(read_replay(play(game, "compiled", steps=999)), game, gear="interpreted")


def test_the_same_match_gives_the_same_bytes() -> None:
    game = find("tron")
    assert play(game) == play(game) != play(game, seed=6)


def test_the_seed_is_not_told_before_the_last_line() -> None:
    data = play(find("tron"), seed=0x0123456789ABCDEF)
    *before, last = lines_of(data)
    assert b"0123456789abcdef" in last
    assert not any(b"0123456789abcdef" in line or str(0x0123456789ABCDEF).encode() in line for line in before)


def test_any_changed_byte_is_found() -> None:
    """Each byte of a replay, changed in its lowest bit, taken out, or doubled."""
    data = play(find("tron"), steps=3, size=9)
    for at in range(len(data)):
        for altered in (
            data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :],
            data[:at] + data[at + 1 :],
            data[:at] + data[at : at + 1] + data[at:],
        ):
            if altered == data:
                continue
            with pytest.raises(InvalidReplay) as refused:
                read_replay(altered)
            assert "\n" not in str(refused.value)


def test_lines_that_were_swapped_lost_or_added_are_found() -> None:
    lines = lines_of(play(find("tron"), steps=6, board="arena"))
    for altered in (
        [*lines[:2], lines[3], lines[2], *lines[4:]],
        [*lines[:2], *lines[3:]],
        [*lines[:3], lines[2], *lines[3:]],
        [*lines, lines[-1]],
        [*lines, b"{}\n"],
        [*lines, b"\n"],
    ):
        with pytest.raises(DamagedReplay):
            read_replay(b"".join(altered))


def test_a_cut_replay_keeps_what_came_before(gear_name: GearName) -> None:
    """Wherever a match was killed, the whole lines can be trusted and shown to who knows the seed."""
    game = find("tron")
    data = play(game, board="arena", steps=6)
    lines = lines_of(data)
    for whole in range(1, len(lines)):
        cut = b"".join(lines[:whole]) + lines[whole][: len(lines[whole]) // 2]
        with pytest.raises(DamagedReplay, match=f"the {whole - 1} steps before are as they were played"):
            read_replay(cut)
        replay = read_replay(cut, so_far=True)
        assert replay.steps == whole - 1
        assert replay.end is None
        with pytest.raises(InvalidReplay, match="say --seed N"):
            verify(replay, game)
        with pytest.raises(InvalidReplay, match="not the seed"):
            verify(replay, game, seed=6)
        assert verify(replay, game, seed=5, gear=gear_name).step_number == whole - 1


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "it is empty"),
        (b"GIF89a\x00\xff\n", "its first line is no JSON"),
        (b"\xff\xfe{}\n", "its first line is no JSON"),
        (b"[1, 2]\n", "does not say"),
        (b'{"a": 1}\n', "does not say"),
        (
            b'{"format":"turntile replay","version":2,"turntile":"9.9"}\n',
            "format 2, this Turntile reads format 1: use Turntile 9.9",
        ),
        (b'{"format":"turntile replay","version":0}\n', "it is too old"),
        (b'{"format":"turntile replay","version":1}\n', "its header is wrong"),
        (b"[" * 100_000, "its first line is no JSON"),
        (b"\x28\xb5\x2f\xfd" + b"nonsense", "it is empty"),
    ],
)
def test_what_is_no_replay_is_refused(data: bytes, sentence: str) -> None:
    with pytest.raises(InvalidReplay) as refused:
        read_replay(data, "match.jsonl")
    assert sentence in str(refused.value)
    assert str(refused.value).startswith("match.jsonl")


def test_other_rules_are_refused_with_the_reason() -> None:
    game = find("tron")
    newer = dataclasses.replace(game, rules_version=game.rules_version + 1)
    with pytest.raises(InvalidReplay, match=r"version 1 of tron's rules, these are version 2"):
        verify(read_replay(play(game)), newer)


@pytest.mark.parametrize(
    ("line", "changes", "sentence"),
    [
        (1, {"actions": {"0": "up", "1": "fly"}}, "seat 1 cannot have done 'fly'"),
        (1, {"actions": {"0": "up"}}, "seats [0] acted, but the rules wait for [0, 1]"),
        (2, {"digest": "0" * 16}, "step 2: the rules come to position"),
        (2, {"step": 7}, "step 7: the rules count 2 steps here"),
        (-1, {"steps": 99}, "says it has 99 steps"),
        (-1, {"outcome": {"scores": [9, 9], "places": [1, 1], "reason": "luck"}}, "the rules with"),
    ],
)
def test_a_forged_replay_differs_from_the_rules(line: int, changes: dict[str, object], sentence: str) -> None:
    """Whoever makes new hashes for a changed replay is found by the rules."""
    game = find("tron")
    data = play(game, steps=3, board="arena")
    with pytest.raises(ReplayDiffers) as found:
        verify(read_replay(forged(data, line, **changes)), game)
    assert sentence in str(found.value)


def test_another_seed_than_the_published_one_is_refused() -> None:
    game = find("tron")
    with pytest.raises(InvalidReplay, match="not the seed"):
        verify(read_replay(forged(play(game), -1, seed="0" * 16)), game)
    with pytest.raises(InvalidReplay, match="16 hexadecimal digits"):
        verify(read_replay(forged(play(game), -1, seed="seven")), game)


def test_a_record_with_another_layout_is_compared_by_actions_only() -> None:
    """The rules may play alike although a record got a field more: then positions' hashes say nothing."""
    game = find("tron")
    data = forged(play(game, steps=3, board="arena"), 0, layout="another")
    verify(read_replay(forged(data, 1, digest="0" * 16)), game)
    with pytest.raises(ReplayDiffers):
        verify(read_replay(forged(data, 1, actions={"0": "fly", "1": "up"})), game)


def test_a_packed_replay_is_the_same_replay() -> None:
    game = find("tron")
    plain, packed = play(game, steps=99), play(game, steps=99, compress=True)
    assert len(packed) < len(plain)
    one, other = read_replay(plain), read_replay(packed)
    assert (one.header, one.lines, one.end) == (other.header, other.lines, other.end)


def test_a_packed_replay_that_was_cut_or_lengthened_is_found() -> None:
    packed = play(find("tron"), steps=30, compress=True)
    seen = set()
    for cut in range(5, len(packed), 7):
        with pytest.raises(InvalidReplay):
            read_replay(packed[:cut])
        if cut > 600:
            seen.add(read_replay(packed[:cut], so_far=True).steps)
    assert len(seen) > 5, "a killed match leaves the steps it had"
    with pytest.raises(InvalidReplay, match="behind its packed end"):
        read_replay(packed + b"x")
    with pytest.raises(InvalidReplay, match="behind its packed end"):
        read_replay(packed + b"x" * 5000)


def test_a_packed_file_made_to_burst_is_refused() -> None:
    import zstandard

    bomb = zstandard.ZstdCompressor().compressobj()
    data = b"".join(bomb.compress(bytes(2**20)) for _ in range(300)) + bomb.flush()
    assert len(data) < 100_000
    with pytest.raises(InvalidReplay, match="too large"):
        read_replay(data)


def test_times_notes_and_silence_are_kept() -> None:
    replay = read_replay(play(find("tron"), steps=60, size=40, board="random"))
    steps = [line for line in replay.lines if isinstance(line, StepLine)]
    silent = [(line, seat) for line in steps for seat in line.silent]
    assert silent
    assert all(line.notes[seat] == "late" and line.times_ms[seat] == 200 for line, seat in silent)
    assert any(12.5 in line.times_ms.values() for line in steps)


def test_resignations_are_kept_and_played_again(gear_name: GearName) -> None:
    game = find("tron")
    match = Match.start(game, choose_options(game, {"players": 4, "board": "arena"}), 5, gear_name)
    writer = ReplayWriter()
    data = [writer.begin(match, [SeatHeader("anna", "human")] * 4)]
    for seat, text in enumerate(("up", "up", "left")):
        match.submit(seat, text)
    steps = match.resign(3, "left the room")
    data += [writer.resign(3, "left the room"), *(writer.step(step) for step in steps)]
    for seat in (2, 0):
        steps = match.resign(seat)
        data += [writer.resign(seat, "resigned"), *(writer.step(step) for step in steps)]
    data.append(writer.end(match))

    replay = read_replay(b"".join(data))
    again = verify(replay, game, gear=gear_name)

    assert replay.end is not None
    assert again.outcome == match.outcome == replay.end.outcome
    assert match.outcome is not None
    assert match.outcome.places == (2, 1, 3, 4)
    lines = [line for frame in make_film(replay, game).frames for line in frame.lines]
    assert "seat 3 left the room" in lines
    assert "seat 0 resigned" in lines


def test_a_match_from_a_position_is_kept_with_it(gear_name: GearName) -> None:
    game = find("tron")
    before = Match.start(game, choose_options(game, {"board": "arena"}), 5)
    before.submit(0, "up")
    before.submit(1, "up")
    match = Match.from_position(game, game.read_position(before.position()), seed=8, gear=gear_name)
    writer = ReplayWriter()
    data = writer.begin(match, [SeatHeader("a"), SeatHeader("b")])
    match.submit(0, "up")
    data += writer.step(match.submit(1, "left")[0])
    data += writer.end(match, "enough")

    replay = read_replay(data)

    assert replay.header.position == before.position()
    assert replay.end == EndLine(steps=1, outcome=None, seed=f"{8:016x}", stopped="enough")
    assert verify(replay, game, gear=gear_name).position() == match.position()


def test_a_film_shows_every_step_to_the_judge_and_to_each_seat(gear_name: GearName) -> None:
    game = find("tron")
    replay = read_replay(play(game, gear_name, size=15, steps=999))
    films = [make_film(replay, game, seat, gear=gear_name) for seat in (None, 0, 1)]

    assert replay.end is not None
    for film in films:
        assert [frame.number for frame in film.frames] == list(range(replay.steps + 1))
        assert film.outcome == replay.end.outcome
        assert film.looks is game.looks
        assert all(not frame.scene.choices for frame in film.frames)
    assert films[0].frames[0].scene != films[1].frames[0].scene, "only the judge sees what powerups hold"
    assert films[0].frames[-1].lines, "the crash is told"
    assert [sorted(dict(film.frames[1].actions)) for film in films] == [[0, 1], [0], [1]]


def test_the_described_chain_is_the_real_one() -> None:
    """The few lines of Python in docs/replay-format.md check a replay as we do."""
    page = (Path(__file__).parents[2] / "docs" / "replay-format.md").read_text()
    scope: dict[str, Any] = {"hashlib": hashlib}
    exec(page.partition("```python\n")[2].partition("```")[0], scope)
    lines = play(find("tron")).splitlines()
    assert scope["chains"](lines)
    assert not scope["chains"]([*lines[:2], lines[2].replace(b"step", b"Step"), *lines[3:]])


def test_a_message_is_kept_beside_its_action_and_told_to_its_audience_only(gear_name: GearName) -> None:
    game = find("robots")
    match = Match.start(game, choose_options(game, {"players": 3, "messages": True}), 7, gear_name)
    writer = ReplayWriter()
    data = writer.begin(match, [SeatHeader("a"), SeatHeader("b"), SeatHeader("c")])
    steps = [step for seat in range(3) for step in match.submit(seat, "deploy")]
    (speaker,) = match.to_act()
    friend, stranger = (speaker + 1) % 3, (speaker + 2) % 3
    steps += match.submit(speaker, f"start\nsay {friend} the password is tulip")
    data += b"".join(writer.step(step) for step in steps) + writer.end(match)

    replay = read_replay(data)
    verify(replay, game, gear=gear_name)

    told = {seat: str(make_film(replay, game, seat, gear=gear_name).frames[-1].lines) for seat in range(3)}
    assert "tulip" in told[friend]
    assert "tulip" in told[speaker]
    assert "tulip" not in told[stranger]
