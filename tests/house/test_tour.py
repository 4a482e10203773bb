"""The tour is typed as it stands: its examples are what really happens."""

from __future__ import annotations

import doctest
import re

from tests.house.small_project import REPOSITORY

TOUR = REPOSITORY / "docs" / "tour.md"


def test_what_the_tour_types_happens() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", TOUR.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    examples = "\n".join(blocks)
    session = doctest.DocTestParser().get_doctest(examples, {}, TOUR.name, str(TOUR), 0)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(session, out=said.append)

    assert len(session.examples) > 15
    assert runner.summarize(verbose=False).failed == 0, "".join(said)


def test_the_tour_takes_ten_minutes() -> None:
    """At two hundred words a minute, code included."""
    assert len(TOUR.read_text(encoding="utf-8").split()) < 2000
