"""The choice of a sandbox by what was asked for and by what holds on this machine."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Literal, get_args

from turntile.core.errors import TurntileError
from turntile.players.sandbox.probe import WAYS, Finding, probe
from turntile.players.sandbox.ways import BWRAP_ROOT, BWRAP_USER, LANDLOCK, OFF, Sandbox

Policy = Literal["auto", "bwrap", "landlock", "off"]


class SandboxRefused(TurntileError):
    """Untrusted bots cannot be run here."""


def choose(policy: str = "auto") -> Sandbox:
    """The sandbox for untrusted bots; the probe behind it runs once in a process."""
    if policy not in get_args(Policy):
        raise SandboxRefused(f"{policy!r} is no sandbox: say {', '.join(get_args(Policy)[:-1])} or off")
    if policy == "off":
        return Sandbox(OFF)
    findings = [probed(way, os.geteuid()) for way in ways_of(policy)]
    for finding in findings:
        if finding.sandbox is not None:
            return finding.sandbox
    reasons = "; ".join(f"{finding.way}: {finding.reason}" for finding in findings)
    raise SandboxRefused(
        f"untrusted bots are refused, since no sandbox holds here ({reasons}): "
        "`turntile sandbox check` says more; bots you trust run with --sandbox off"
    )


def ways_of(policy: str) -> tuple[str, ...]:
    """The ways a policy allows, strongest first. Root and ordinary users have a bubblewrap each."""
    bwrap = BWRAP_ROOT if hasattr(os, "geteuid") and os.geteuid() == 0 else BWRAP_USER
    return {"auto": (bwrap, LANDLOCK), "bwrap": (bwrap,), "landlock": (LANDLOCK,)}[policy]


@lru_cache
def probed(way: str, user: int) -> Finding:
    return probe(way)


def survey() -> list[Finding]:
    """Every way, tried now."""
    return [probe(way) for way in WAYS]
