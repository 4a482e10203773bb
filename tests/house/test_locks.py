"""The locks pin everything by hash, fit pyproject.toml and name no place to fetch from."""

from __future__ import annotations

import json
import re
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.house.small_project import REPOSITORY

LOCKS = ["requirements.lock", "dev.lock", "node.lock"]
PAGE_LOCK = REPOSITORY / "web/package-lock.json"
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
MOST_RUNTIME_PACKAGES = 20


def places_named(text: str) -> list[str]:
    """Addresses, index options and paths of a machine."""
    return re.findall(r"\w+://\S+|--(?:extra-)?index-url\S*|--find-links\S*|(?<![\w.])/\w+/\S*", text)


def pinned(lock: str) -> dict[str, list[Requirement]]:
    """The lock's requirements by name; a name may stand there twice, for different Pythons."""
    found: dict[str, list[Requirement]] = {}
    for line in (REPOSITORY / lock).read_text().splitlines():
        if line and not line.startswith(("#", " ")):
            requirement = Requirement(line.rstrip("\\").strip())
            found.setdefault(canonicalize_name(requirement.name), []).append(requirement)
    return found


def wanted(extra: str) -> list[Requirement]:
    """What the project asks for with an extra, which may itself name another."""
    listed = [Requirement(line) for line in PROJECT["dependencies"] + PROJECT["optional-dependencies"][extra]]
    own = [more for line in listed if line.name == "turntile" for more in line.extras]
    return [line for line in listed if line.name != "turntile"] + [line for more in own for line in wanted(more)]


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_host_and_no_path(lock: str) -> None:
    assert places_named((REPOSITORY / lock).read_text()) == []


def test_a_host_or_a_path_in_a_lock_would_be_found() -> None:
    for line in (
        "--index-url https://pypi.example/simple",
        "rich @ ftp://host/rich.whl",
        "#   -r /srv/me/requirements.in",
        "--find-links wheels",
    ):
        assert places_named(line), line


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_of_a_lock_has_its_hashes(lock: str) -> None:
    entries = re.split(r"\n(?=\S)", (REPOSITORY / lock).read_text())
    packages = [entry for entry in entries if not entry.startswith("#")]

    assert packages
    assert [entry.split()[0] for entry in packages if "--hash=sha256:" not in entry] == []


@pytest.mark.parametrize(
    ("lock", "extra"), [("requirements.lock", "build"), ("requirements.lock", "server"), ("dev.lock", "dev")]
)
def test_a_lock_fits_what_pyproject_asks_for(lock: str, extra: str) -> None:
    """Fails when a dependency was changed and the lock was not written again (CONTRIBUTING.md says how)."""
    locked = pinned(lock)
    unfit = [
        str(want)
        for want in wanted(extra)
        if not locked.get(canonicalize_name(want.name))
        or not all(
            want.specifier.contains(clause.version)
            for requirement in locked[canonicalize_name(want.name)]
            for clause in requirement.specifier
        )
    ]
    assert unfit == []


def without_funding(value: object) -> object:
    """Where authors would like to be thanked is no place anything is fetched from."""
    if isinstance(value, dict):
        return {key: without_funding(inner) for key, inner in value.items() if key != "funding"}
    return [without_funding(inner) for inner in value] if isinstance(value, list) else value


def test_the_pages_lock_names_no_host_and_pins_every_package_by_hash() -> None:
    lock = json.loads(PAGE_LOCK.read_text())
    packages = {name: entry for name, entry in lock["packages"].items() if name}

    assert re.findall(r"\w+://[^\s\"]+", json.dumps(without_funding(lock))) == []
    assert len(packages) > 10
    assert [name for name, entry in packages.items() if not entry.get("integrity", "").startswith("sha512-")] == []
    assert [name for name, entry in packages.items() if "resolved" in entry] == []


def test_npm_is_told_to_write_no_host_into_the_lock() -> None:
    assert "omit-lockfile-registry-resolved=true" in (PAGE_LOCK.parent / ".npmrc").read_text().splitlines()


def test_dev_lock_holds_all_of_requirements_lock() -> None:
    """run.py relies on it: where dev.lock is installed, requirements.lock is too."""
    dev = pinned("dev.lock")
    assert {name: lines for name, lines in pinned("requirements.lock").items() if dev.get(name) != lines} == {}


def test_the_base_install_is_small() -> None:
    """What `pip install turntile` brings, followed through the packages installed here."""
    found: set[str] = set()
    waiting = [Requirement(line) for line in PROJECT["dependencies"]]
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        extras = ["", *sorted(requirement.extras)]
        found.add(name)
        for line in distribution(name).requires or []:
            needed = Requirement(line)
            if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in extras):
                waiting.append(needed)

    assert "pydantic" not in found
    assert len(found) <= MOST_RUNTIME_PACKAGES


def test_no_other_kind_of_lock_is_kept() -> None:
    """uv.lock and pylock.toml name hosts."""
    assert [name for name in ("uv.lock", "pylock.toml", "poetry.lock") if Path(REPOSITORY, name).exists()] == []
