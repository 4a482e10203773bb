"""Uploaded bots at real tables, in the real sandbox."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from tests.server.arena import Arena, arena, sentence_of
from tests.server.bots.conftest import begin_trial, bot_name, end_trial, finished, tried, upload, wait_until
from turntile.core.registry import find
from turntile.match.replay import StepLine, read_replay, verify

GOOD = "import sys\ndef bot(o):\n    print('I see step', o.step)\n    return o.random.choice(o.legal)\n"


@pytest.mark.parametrize("game", ["tron", "racers", "worms"])
def test_an_uploaded_bot_plays_a_whole_match(running: Arena, owner: httpx.Client, game: str) -> None:
    name = upload(owner, GOOD, game=game)
    trial = tried(owner, name)
    assert trial["state"] == "over" and not trial["failures"], trial
    assert trial["log"][-1].startswith("I see step ")
    replay = owner.get(f"/matches/{trial['match']}/replay").content
    assert verify(read_replay(replay), find(game)).over
    assert b"I see step" not in replay, "its log is its owner's"


def test_people_play_against_it(running: Arena, owner: httpx.Client) -> None:
    name = upload(owner, "def bot(o):\n    return 'straight'\n", game="tron")
    person = running.browser()
    wish = {
        "game": "tron",
        "options": {"size": 11},
        "clock": "20s",
        "seats": [{"kind": "me"}, {"kind": "bot", "bot": f"@{name}"}],
    }
    match = person.post("/matches", json=wish).json()
    assert [seat["kind"] for seat in match["seats"]] == ["human", "bot"]
    told = person.post(f"/matches/{match['id']}/resign", json={"seat": 0})
    assert told.status_code in (200, 204), told.text
    info = finished(person, match["id"])
    assert info["outcome"]["places"] == [2, 1]


BROKEN = {
    "syntax": ("def bot(o:\n    pass\n", "crash", "SyntaxError"),
    "nothing": ("x = 1\n", "crash", "there is no function"),
    "crash": ("def bot(o):\n    print('dividing')\n    return 1 / 0\n", "crash", "ZeroDivisionError"),
    "illegal": ("def bot(o):\n    print('flying')\n    return 'fly'\n", "illegal", "flying"),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_bot_is_told_what_went_wrong(running: Arena, owner: httpx.Client, broken: str) -> None:
    code, kind, logged = BROKEN[broken]
    trial = tried(owner, upload(owner, code))
    assert trial["state"] == "over", trial
    assert trial["failures"][0]["kind"] == kind
    assert any(logged in line for line in trial["log"]), trial
    assert str(running.app.state.settings.data_dir) not in str(trial), "the server's folders are nobody's business"
    if kind == "crash":
        assert trial["result"]["places"][trial["seat"]] == 2


def test_an_endless_loop_is_silence_and_disturbs_nobody(running: Arena, owner: httpx.Client) -> None:
    name = upload(owner, "def bot(o):\n    while True:\n        pass\n", game="tron")
    seats = [{"kind": "bot", "bot": f"@{name}"}, {"kind": "bot", "bot": "easy"}]
    wish = {"game": "tron", "options": {"size": 11}, "clock": "200ms", "listed": False, "seats": seats}
    match = owner.post("/matches", json=wish).json()
    other = tried(owner, upload(owner, GOOD))
    assert other["state"] == "over" and not other["failures"]
    assert finished(owner, match["id"])["status"] == "over"
    replay = read_replay(owner.get(f"/matches/{match['id']}/replay").content)
    failures = [line.failures[0] for line in replay.lines if isinstance(line, StepLine) and 0 in line.failures]
    assert failures and {failure.kind for failure in failures} == {"silence"}


HOSTILE = """
import os, socket, time
def attempt(what, call):
    try:
        print(what, "got through:", call())
    except BaseException as error:
        print(what, "was stopped:", type(error).__name__)
def fork_bomb():
    for _ in range(200):
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
def bot(o):
    if o.step == 1:
        attempt("network", lambda: socket.create_connection(("127.0.0.1", {port}), timeout=2))
        attempt("database", lambda: open({db!r}, "rb").read(10))
        attempt("others", lambda: os.listdir({uploads!r}))
        attempt("writing", lambda: open(__file__, "a"))
        attempt("memory", lambda: len([bytearray(64 << 20) for _ in range(64)]))
        attempt("forks", fork_bomb)
    return o.legal[0]
"""


def test_a_hostile_bot_reaches_nothing(running: Arena, owner: httpx.Client) -> None:
    settings = running.app.state.settings
    other = upload(owner, GOOD)
    tried(owner, other)
    code = HOSTILE.format(
        port=running.port, db=settings.db.removeprefix("sqlite:///"), uploads=str(settings.data_dir / "uploads")
    )
    trial = tried(owner, upload(owner, code))
    assert trial["state"] == "over", trial
    seen = [line for line in trial["log"] if "got through" in line or "was stopped" in line]
    others = [line for line in seen if line.startswith("others got through: ")]
    assert all(line == f"others got through: ['{trial_bot_folder(running, trial)}']" for line in others), others
    assert [line.split(" ")[0] for line in seen] == ["network", "database", "others", "writing", "memory", "forks"]
    assert all("was stopped" in line for line in seen if not line.startswith("others"))


def trial_bot_folder(running: Arena, trial: dict[str, object]) -> int:
    """The folder of the bot itself, which is all it may see of those of all bots."""
    row = running.wait(running.store.matches.get(trial["match"]))
    found: int = row.seats[0].player_id
    return found


def test_a_new_version_leaves_running_matches_alone(running: Arena, owner: httpx.Client) -> None:
    name = upload(owner, "def bot(o):\n    print('version one')\n    return 'straight'\n", game="")
    person = running.browser()
    wish = {"game": "racers", "seats": [{"kind": "me"}, {"kind": "bot", "bot": f"@{name}"}]}
    match = person.post("/matches", json=wish).json()
    told = owner.post(f"/bots/{name}/file", files={"file": ("second.py", GOOD)})
    assert told.status_code == 200, told.text
    assert told.json()["version"] == 2 and told.json()["file_name"] == "second.py"
    trial = tried(owner, name, game="racers")
    assert trial["log"][-1].startswith("I see step ")
    stints = running.app.state.bots.uploads.stints
    assert [stint.bot.version for (table, _), stint in stints.items() if table == match["id"]] == [1]
    person.post(f"/matches/{match['id']}/resign", json={"seat": 0})


def test_bots_of_one_owner_wait_for_each_other(running: Arena, owner: httpx.Client) -> None:
    """They think at half of the places at once; no match waits for ever, and no failure comes of it."""
    most = running.app.state.settings.upload_processes
    names = [upload(owner, GOOD) for _ in range(most // 2 + 2)]
    for name in names:
        begin_trial(owner, name)
    for name in names:
        assert not end_trial(owner, name)["failures"]
    assert len(running.app.state.bots.uploads.workplaces) <= most


PROGRAM = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] in ("hello", "newgame"):
        print(message["type"], file=sys.stderr)
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "turn":
        print(json.dumps({"type": "move", "seq": message["seq"], "action": "add gun"}), flush=True)
"""


def test_a_program_that_rests_is_ended_for_another_and_started_again(tmp_path: Path) -> None:
    """Who sits idle at a table holds no program; the bot goes on with the match when its turn comes."""
    with arena(tmp_path, upload_processes=1, bot_clock="30s") as narrow:
        owner = narrow.person()
        name = upload(owner, PROGRAM, game="robots")
        seats = [{"kind": "me"}, {"kind": "bot", "bot": f"@{name}"}]
        match = owner.post("/matches", json={"game": "robots", "seats": seats}).json()["id"]
        table = narrow.app.state.hall.tables[match]
        wait_until(lambda: table.match.seats[1].chosen)
        [first] = narrow.app.state.bots.uploads.workplaces
        assert not tried(owner, upload(owner, GOOD))["failures"]
        wait_until(lambda: first.guest.program is None)
        for number in (1, 2):
            told = owner.post(f"/matches/{match}/act", json={"seat": 0, "seq": number, "text": "add gun"})
            assert told.status_code == 200, told.text
            wait_until(lambda: table.match.seats[1].chosen or not table.match.waiting())
        owner.post(f"/matches/{match}/resign", json={"seat": 0})
        assert finished(owner, match)["outcome"]["places"] == [2, 1]
        wait_until(lambda: owner.get(f"/bots/{name}").json()["log"] == ["hello", "newgame"])


@pytest.mark.parametrize(
    ("file", "code", "says"),
    [
        ("bot.exe", GOOD, "no Python file"),
        ("bot.py", "", "empty"),
        ("bot.py", "  \n", "empty"),
        ("bot.py", b"\xff\xfe\x00", "UTF-8"),
        ("bot.py", "x = '\0'", "zero byte"),
    ],
)
def test_what_is_no_python_file_is_refused(
    running: Arena, owner: httpx.Client, file: str, code: str | bytes, says: str
) -> None:
    told = owner.post("/bots", data={"name": bot_name(), "game": "tron"}, files={"file": (file, code)})
    assert says in sentence_of(told, 422)


def test_a_file_that_is_too_large_is_refused(running: Arena, owner: httpx.Client) -> None:
    told = owner.post("/bots", data={"name": bot_name()}, files={"file": ("bot.py", "#" * (256 * 1024 + 1))})
    assert "at most 262144" in sentence_of(told, 422)
    told = owner.post("/bots", data={"name": bot_name()}, files={"file": ("bot.py", "#" * (512 * 1024))})
    assert "too large" in sentence_of(told, 413)


def test_without_a_sandbox_uploads_are_refused_with_the_reason(
    running: Arena, owner: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from turntile.players.sandbox import SandboxRefused

    def none_holds() -> None:
        raise SandboxRefused("untrusted bots are refused, since no sandbox holds here (bwrap: is not installed)")

    monkeypatch.setattr("turntile.server.bots.registry.holding_sandbox", none_holds)
    told = owner.post("/bots", data={"name": bot_name()}, files={"file": ("bot.py", GOOD)})
    assert "bwrap: is not installed" in sentence_of(told, 422)


def test_a_server_that_stops_does_not_wait_for_a_bot(tmp_path: Path) -> None:
    """Its program is ended, and taken up again with the match at the next start."""
    with arena(tmp_path, bot_clock="600s") as short:
        owner = short.person()
        code = "import time\ndef bot(o):\n    time.sleep(600 if o.step == 2 else 0)\n    return o.legal[0]\n"
        name = upload(owner, code, game="tron")
        begin_trial(owner, name)
        match = owner.get(f"/bots/{name}/test").json()["match"]
        uploads = short.app.state.bots.uploads
        wait_until(lambda: [place for place in uploads.workplaces if place.asked and place.stint.table.at_step(1)])
        [place] = uploads.workplaces
        program = place.guest.program
    assert program.process.poll() is not None
    with arena(tmp_path, bot_clock="100ms*1+50ms") as again:
        assert finished(again.browser(), match)["status"] == "over"
