"""Hostile bots: every attack, in every way to lock bots in, as root and as an ordinary user.

Where a way cannot work on the machine at all, the tests demand that the probe says so: nothing is skipped.
"""

from __future__ import annotations

import json
import os
import subprocess
from functools import cache
from typing import Any

import pytest

from tests.players.sandbox.stage import ROOT, USER, Combination, Result, run_there, stage
from turntile.players.sandbox.attacks import ATTACKS
from turntile.players.sandbox.ways import BWRAP_ROOT, BWRAP_USER, LANDLOCK, OFF

OLD_LANDLOCK = 1  # without what later versions brought: the length of files, TCP, signals
GENTLE = ("tcp", "udp", "unix", "read", "write", "signals", "meddle", "trace", "proc", "memfd", "daemon")
IDENTITIES = (ROOT, USER) if os.geteuid() == 0 else (USER,)

WHOLE = [
    combination
    for combination in (
        Combination(ROOT, BWRAP_ROOT),
        Combination(ROOT, LANDLOCK),
        Combination(USER, BWRAP_USER),
        Combination(USER, LANDLOCK),
    )
    if combination.identity in IDENTITIES
]
OLD = Combination(USER, LANDLOCK, OLD_LANDLOCK, ("unix", "write", "signals", "meddle", "trace", "daemon"))

VERDICTS = {
    "well behaved": "ended",
    "memory bomb": "memory",
    "fork bomb": "processes",
    "thread bomb": "processes",
    "processor hog": "cpu",
    "large file": "file size",
    "network": "forbidden",
    "crash": "crashed",
    "failure": "failed",
    "flood": "killed",
    "silence": "killed",
}

PROBE = """
import json
from turntile.players.sandbox.choice import survey
print(json.dumps({finding.way: finding.reason for finding in survey()}))
"""


@cache
def reasons(identity: str) -> dict[str, str]:
    """What the probe says against each way; nothing against those that hold."""
    answer: dict[str, str] = json.loads(run_there(identity, PROBE))
    return answer


@cache
def why_impossible(identity: str, way: str) -> str:
    """What the machine itself says against a way, found without any of our code; nothing if it can be had."""
    trials = {
        BWRAP_ROOT: ["bwrap", "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "true"],
        BWRAP_USER: ["bwrap", "--unshare-user", "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "true"],
        LANDLOCK: ["python3", "-c", "import ctypes; exit(ctypes.CDLL(None).syscall(444, None, 0, 1) < 1)"],
    }
    with stage(identity) as words:
        trial = trials[way] if way != LANDLOCK else [words[-1], *trials[way][1:]]
        done = subprocess.run([*words[:-1], *trial], capture_output=True, cwd="/", check=False)
    return "" if done.returncode == 0 else done.stderr.decode().strip() or "no Landlock"


def possible(combination: Combination) -> bool:
    """Whether there is something to attack; else the probe must have refused the way, with a reason."""
    if not why_impossible(combination.identity, combination.way):
        return True
    assert reasons(combination.identity)[combination.way], combination
    return False


@pytest.mark.parametrize("combination", WHOLE, ids=lambda combination: combination.name)
def test_the_probe_trusts_what_the_machine_can_do_and_nothing_else(combination: Combination) -> None:
    reason = reasons(combination.identity)[combination.way]
    assert bool(reason) == bool(why_impossible(combination.identity, combination.way)), reason


@pytest.mark.parametrize("identity", IDENTITIES)
def test_root_and_users_have_a_bubblewrap_each(identity: str) -> None:
    """The other one is refused, and the reason says for whom it is."""
    other, word = (BWRAP_USER, "ordinary users") if identity == ROOT else (BWRAP_ROOT, "needs root")
    assert word in reasons(identity)[other]


@pytest.mark.parametrize("identity", IDENTITIES)
@pytest.mark.parametrize("name", GENTLE)
def test_without_a_sandbox_the_attack_succeeds(result: Result, identity: str, name: str) -> None:
    """Else being stopped would say nothing."""
    attacked = result(Combination(identity, OFF, 0, GENTLE))["attacks"][name]
    assert [report for report in attacked["reports"] if not report["stopped"]], attacked
    assert bool(attacked["left"]) == (name == "daemon")


@pytest.mark.parametrize(
    ("combination", "name"),
    [(combination, name) for combination in (*WHOLE, OLD) for name in combination.attacks or ATTACKS],
    ids=lambda part: part if isinstance(part, str) else part.name,
)
def test_the_attack_is_stopped(result: Result, combination: Combination, name: str) -> None:
    """By what the attacker found, by what can be seen from outside, and without a trace."""
    if not possible(combination):
        return
    attacked = result(combination)["attacks"][name]
    assert attacked["returncode"] == 0, attacked  # it came to its end, no attempt was left out
    assert attacked["reports"], attacked
    if name != "daemon":  # whose success is what it leaves behind
        assert [report for report in attacked["reports"] if not report["stopped"]] == []
    assert attacked["damage"] == ""
    assert_calm(attacked)


@pytest.mark.parametrize("combination", WHOLE, ids=lambda combination: combination.name)
@pytest.mark.parametrize("name", VERDICTS)
def test_the_verdict_names_what_stopped_the_bot(result: Result, combination: Combination, name: str) -> None:
    if not possible(combination):
        return
    ended = result(combination)["endings"][name]
    # Without namespaces there is no place to write to at all.
    expected = "forbidden" if (name, combination.way) == ("large file", LANDLOCK) else VERDICTS[name]
    assert ended["verdict"] == expected, ended
    assert_calm(ended)


@pytest.mark.parametrize("combination", WHOLE, ids=lambda combination: combination.name)
def test_a_fork_bomb_of_the_shell_hurts_nobody(result: Result, combination: Combination) -> None:
    if possible(combination):
        assert_calm(result(combination)["shell bomb"])


def assert_calm(seen: dict[str, Any]) -> None:
    assert seen["left"] == []
    assert seen["opponent"], "the opponent no longer answers"
    assert seen["next"], "the next bot does not start"
