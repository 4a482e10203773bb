"""`turntile sandbox`: which ways to lock untrusted bots in hold on this machine."""

from __future__ import annotations

import json as json_text
from typing import Annotated

import typer

from turntile.players.sandbox.choice import survey, ways_of
from turntile.players.sandbox.probe import Finding

FAILED = 1

app = typer.Typer(
    rich_markup_mode=None, no_args_is_help=True, add_completion=False, help="The sandbox for untrusted bots."
)


@app.callback()
def words() -> None:
    """The sandbox for untrusted bots."""


@app.command("check")
def check(
    json: Annotated[bool, typer.Option("--json", help="For programs: JSON on standard output.")] = False,
) -> None:
    """Attack every way to lock bots in, and say which one --sandbox auto takes here. Exit code 1 if none holds.

    \b
    Examples
      turntile sandbox check
      turntile sandbox check --json | jq -r .chosen
    """
    findings = survey()
    holding = [finding.way for finding in findings if finding.works]
    chosen = next((way for way in ways_of("auto") if way in holding), None)
    if json:
        print(json_text.dumps({"chosen": chosen, "ways": [as_data(finding) for finding in findings]}))
    else:
        width = max(len(finding.way) for finding in findings)
        for finding in findings:
            print(f"{finding.way:{width}}  {describe(finding)}")
        print(f"--sandbox auto takes {chosen}" if chosen else "untrusted bots are refused here: no way holds")
    raise typer.Exit(0 if chosen else FAILED)


def describe(finding: Finding) -> str:
    if finding.works:
        return f"holds; a launch takes {finding.launch_ms:.0f} ms"
    return f"not here: {finding.reason}"


def as_data(finding: Finding) -> dict[str, object]:
    return {
        "way": finding.way,
        "holds": finding.works,
        "reason": finding.reason,
        "launch_ms": round(finding.launch_ms, 1) if finding.works else None,
    }
