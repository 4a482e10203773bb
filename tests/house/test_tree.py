"""What lies in the repository: no machine's paths, no dead links, no command that does not exist."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.house.small_project import REPOSITORY

# A path that only exists on somebody's machine, or a place packages are fetched from.
MACHINE = re.compile(
    r"(?<![\w./~-])(?:/work|/root|/home/\w+|/Users/\w+|/opt/\w+)/[\w.]|\bfile:///(?!etc/)|\bpypi\.org/simple|files\.pythonhosted"
)
# Loose ends: what is missing goes into an issue, not into a comment.
LOOSE_ENDS = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|X" + r"XX)\b")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
CODE_BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def tracked_files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    return [REPOSITORY / name for name in listed.stdout.split("\0") if name and (REPOSITORY / name).is_file()]


FILES = tracked_files()
PAGES = [path for path in FILES if path.suffix == ".md"]


def text_of(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None  # a picture


def lines_with(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{path.relative_to(REPOSITORY)}:{number}: {line.strip()[:100]}"
        for path in FILES
        if path != Path(__file__) and (text := text_of(path)) is not None
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]


def test_no_file_names_a_path_of_somebodys_machine() -> None:
    assert lines_with(MACHINE) == []


def test_no_file_holds_a_loose_end() -> None:
    assert lines_with(LOOSE_ENDS) == []


def test_nothing_that_is_built_is_tracked() -> None:
    built = {".so", ".pyd", ".pyc", ".stamp"}
    assert [path.name for path in FILES if path.suffix in built or path.name.startswith("_rules.")] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPOSITORY)))
def test_every_link_between_our_pages_leads_somewhere(page: Path) -> None:
    dead = []
    for target in LINK.findall(CODE_BLOCK.sub("", page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, heading = target.partition("#")
        linked = (page.parent / name).resolve() if name else page
        if not linked.exists() or (heading and heading not in anchors(linked)):
            dead.append(target)
    assert dead == []


def anchors(page: Path) -> set[str]:
    """The names of a page's headings as links spell them."""
    headings = re.findall(r"^#+ +(.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_decision_follows_the_form() -> None:
    """A number, a date, and why, what, what else was thought of, and the price (0001 to the last, none left out)."""
    decisions = sorted((REPOSITORY / "docs/decisions").glob("*.md"))
    numbers = [int(path.name[:4]) for path in decisions]
    assert numbers == list(range(1, len(numbers) + 1))
    for number, path in zip(numbers, decisions, strict=True):
        text = path.read_text(encoding="utf-8")
        assert text.startswith(f"# {number}. "), path.name
        assert re.search(r"^(?:Accepted|Replaced by \d{4}), \d{4}-\d\d-\d\d\.$", text, re.MULTILINE), path.name
        for part in ("Context.", "Decision.", "Rejected.", "Price."):
            assert f"\n{part} " in text, f"{path.name} lacks {part}"
