"""The compiled gear under AddressSanitizer: nothing outside a state is ever read or written.

A copy of the sources is built with the sanitizer; then states are made, stepped, searched,
batched, driven into every kind of fault and thrown away. TURNTILE_SANITIZE names the games
to do it with ("all", or names with blanks between); Tron alone by default, for the time it takes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from turntile.core.registry import OURS
from turntile.forge.build import compiler

ROOT = Path(__file__).parent.parent.parent
WANTED = os.environ.get("TURNTILE_SANITIZE", "tron")
GAMES = OURS if WANTED == "all" else tuple(WANTED.split())

EXERCISE = """
import gc, random, sys
import numpy as np
from turntile.core.gears import gear
from turntile.core.registry import find
from tests.forge.laboratory import rules
from tests.forge.laboratory.game import LABORATORY
from tests.forge.laboratory.records import Laboratory

for kind in range(rules.EXPERIMENTS):
    for a, b in [(0, 0), (9, 9), (-1, -1), (2**40, -2**40), (3, 2**63 - 1)]:
        record = Laboratory()
        record.experiment = kind
        record.a_high, record.a_low, record.b_high, record.b_low = a >> 32, a & rules.MASK, b >> 32, b & rules.MASK
        try:
            gear(LABORATORY, "compiled").new(record, 1).step([0])
        except (IndexError, OverflowError, ZeroDivisionError, AssertionError, ValueError):
            pass

for name in sys.argv[1:]:
    game = find(name)
    built = gear(game, "compiled")
    record = game.prepare(game.options())
    chance = random.Random(1)
    for seed in range(5):
        state = built.new(record, seed)
        for _ in range(200):
            bits = state.to_act()
            if not bits:
                break
            actions = [0] * state.seats()
            for seat in range(state.seats()):
                state.observe(seat), state.score(seat), state.place(seat)
                state.why_illegal(seat, chance.randrange(-5, 10**6))
                if bits >> seat & 1:
                    actions[seat] = chance.choice(state.legal(seat))
            state.step(actions)
            state.events(), state.record(), hash(state.clone()), built.from_bytes(state.to_bytes())
        state.redeal(0, seed)
        fresh = built.new(record, seed)
        fresh.search(fresh.to_act().bit_length() - 1, 1, iterations=200)
        fresh.playouts(1, 20, 500)
    batch = built.batch(record, 9, 1)
    planes = np.zeros((9, batch.actions.shape[1], len(fresh.observe(0))), np.uint8)
    mask = np.zeros((9, batch.actions.shape[1], game.rules.MAX_ACTIONS), np.uint8)
    for turn in range(60):
        batch.random_actions(turn), batch.step(2), batch.observe(planes, 2), batch.legal_mask(mask, 2)
    del batch, state, fresh
    gc.collect()
print("no fault of memory")
"""


def sanitizer_library() -> str:
    cc = compiler()
    assert cc is not None
    found = subprocess.run([cc, "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    return found.stdout.strip()


@pytest.mark.skipif(compiler() is None, reason="there is no C compiler to build with")
def test_the_compiled_gear_keeps_to_its_own_memory(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("*.so", "*.stamp", "__pycache__"))
    shutil.copytree(
        ROOT / "tests" / "forge", tmp_path / "tests" / "forge", ignore=shutil.ignore_patterns("*.so", "*.stamp")
    )
    (tmp_path / "tests" / "__init__.py").touch()
    packages = [f"turntile.games.{name}" for name in GAMES] + ["tests.forge.laboratory"]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(tmp_path / "src"), str(tmp_path)]),
        "FORGE_CFLAGS": "-fsanitize=address -fno-omit-frame-pointer -g -O1",
    }
    build = [sys.executable, "-m", "turntile.forge.build", *packages]
    done = subprocess.run(build, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    environment["LD_PRELOAD"] = sanitizer_library()
    environment["ASAN_OPTIONS"] = (
        "detect_leaks=0:halt_on_error=1:allocator_may_return_null=1"  # Python's own leaks are not ours
    )
    exercise = [sys.executable, "-c", EXERCISE, *GAMES]
    done = subprocess.run(exercise, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-6000:]
    assert done.stdout == "no fault of memory\n"
