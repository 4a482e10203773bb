"""The laboratory as far as the gears need it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tests.forge.laboratory import rules
from tests.forge.laboratory.records import Laboratory

LABORATORY: Any = SimpleNamespace(rules=rules, root=Laboratory, name="laboratory")
