"""The sandbox: untrusted bots run in it or not at all.

`choose` finds the strongest way that works here by running attacks, `Sandbox.wrap` puts a bot's command into it,
and `verdict` names what stopped a bot. docs/sandbox.md says what each way stops, and what it does not.
"""

from __future__ import annotations

from turntile.players.sandbox.choice import SandboxRefused, choose
from turntile.players.sandbox.limits import Limits
from turntile.players.sandbox.verdict import verdict
from turntile.players.sandbox.ways import Sandbox

__all__ = ["Limits", "Sandbox", "SandboxRefused", "choose", "verdict"]
