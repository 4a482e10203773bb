"""SEWorms against games recorded by another implementation: every byte of their output, every number drawn.

The folder is named by TURNTILE_CONFORMANCE (else shared/conformance beside the checkout). All files
of this shape in it are played, also ones that come later.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from turntile.cli.swworms import run
from turntile.games.worms.mersenne import Mersenne, draw_below, draw_word, seed_mersenne

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("TURNTILE_CONFORMANCE") or ROOT.parent / "shared" / "conformance") / "seworms"

if not FOLDER.is_dir():
    pytest.skip(f"there is no {FOLDER}: name its parent in TURNTILE_CONFORMANCE", allow_module_level=True)

# The recorded games use the rulebook's example map and configuration, three worms a side.
ISLAND = """
........................................
........................................
........................................
...........E.....EE.....................
..........EEE...EEEE....................
.........EEEEEEEEEEEE...................
....E...EEEEEEEEEEEEEE..................
...EE..EEEEEEEEEEEEEEEE.................
..EEE.EEEEEEEEEEEEEEEEEE................
.EEEEEEEEEEEEEEEEEEEEEEEE...............
WEEEEEEEEEEEEEEEEEEEEEEEEEWWWWWWWWWWWWWW
"""
TEAM = 3
WIDTH, HEIGHT = 40, 11
CHEST_KINDS = 4


def recorded(pattern: str) -> list[Any]:
    """Every entry of the files with such names, as test parameters."""
    parameters = []
    for file in sorted(FOLDER.glob(pattern)):
        text = file.read_text(encoding="utf-8")
        entries = json.loads(text) if file.suffix == ".json" else [json.loads(line) for line in text.splitlines()]
        parameters += [pytest.param(entry, id=f"{file.stem}-{number}") for number, entry in enumerate(entries)]
    return parameters


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("seworms")
    rows = ISLAND.strip().replace(".", "A")
    (folder / "map.txt").write_text(f"#SWORMS\nSIZE: {WIDTH} {HEIGHT}\nMAP:\n{rows}\n")
    (folder / "config.ini").write_text(
        f"[general]\nPROMT=>\nMAP={folder / 'map.txt'}\nWORM_NAMES={FOLDER / 'worm_names.txt'}\n"
        f"[player]\nNUM_PLAYER=2\nNUM_WORMS={TEAM}\nPLAYER0=~\nPLAYER1=*\n"
    )
    return folder / "config.ini"


def typed(entry: dict[str, Any]) -> bytes:
    return "".join(f"{command}\n" for command in entry["commands"]).encode()


@pytest.mark.parametrize("entry", recorded("transcripts*.jsonl"))
def test_a_recorded_game_comes_out_byte_for_byte(entry: dict[str, Any], config: Path) -> None:
    output, warnings = BytesIO(), BytesIO()
    code = run([str(config)], {"RAND_SEED": str(entry["rand_seed"])}, BytesIO(typed(entry)), output, warnings)

    assert output.getvalue() == entry["stdout"].encode()
    assert (code, warnings.getvalue()) == (0, b"")


def test_the_installed_program_does_the_same(config: Path) -> None:
    """One of them through a real process, its pipe and its environment."""
    entry = recorded("transcripts*.jsonl")[0].values[0]
    result = subprocess.run(
        [sys.executable, "-m", "turntile.cli.swworms", str(config)],
        input=typed(entry),
        capture_output=True,
        env={**os.environ, "RAND_SEED": str(entry["rand_seed"])},
        check=False,
    )

    assert (result.returncode, result.stdout, result.stderr) == (0, entry["stdout"].encode(), b"")


def seeded(entry: dict[str, Any]) -> Mersenne:
    random = Mersenne()
    seed_mersenne(random, entry["seed"])
    return random


@pytest.mark.parametrize("entry", recorded("rng_vectors*.json"))
def test_recorded_words_and_draws(entry: dict[str, Any]) -> None:
    """Raw words; names and columns of the spawn; columns and contents of the chests that follow."""
    random = seeded(entry)
    assert [draw_word(random) for _ in entry["raw"]] == entry["raw"]

    names = (FOLDER / "worm_names.txt").read_text(encoding="utf-8").splitlines()
    random = seeded(entry)
    for index, name, column in entry["spawn"]:
        assert draw_below(random, len(names)) == index
        assert names[index] == name
        assert draw_below(random, WIDTH) == column
    for column, content in entry["chests"]:
        assert (draw_below(random, WIDTH), 1 + draw_below(random, CHEST_KINDS)) == (column, content)
