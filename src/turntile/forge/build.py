"""Building the compiled gear: one extension per game, in parallel, only what has changed.

    python -m turntile.forge.build [--quiet] [PACKAGE ...]

builds `_rules` beside each package's rules.py (all of our games without a name). Exit codes:
0 built or current, 1 rules that forge refuses or that do not compile, 2 a wrong call,
3 no C compiler (the rules then run interpreted).
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from turntile.forge.fingerprint import fingerprint
from turntile.forge.generate import Generated, generate
from turntile.forge.refusal import ForgeError

if TYPE_CHECKING:
    from setuptools import Extension

COMPILE_FLAGS = ["-O3", "-fno-strict-aliasing", "-w"]
NO_COMPILER = (
    "no C compiler found: the rules run interpreted; "
    "install one (Debian: apt-get install gcc python3-dev) and start again"
)


def our_packages() -> list[str]:
    """The packages of our own games: the folders beside each other that hold a rules.py."""
    spec = find_spec("turntile.games")
    assert spec is not None and spec.submodule_search_locations is not None
    folder = Path(next(iter(spec.submodule_search_locations)))
    return [f"turntile.games.{path.parent.name}" for path in sorted(folder.glob("*/rules.py"))]


def package_folder(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ForgeError(package, 0, "no such package", "name a package that holds a rules.py")
    return Path(next(iter(spec.submodule_search_locations)))


def compiler() -> str | None:
    """The C compiler Python was configured with, or any, if it and Python's headers are there."""
    wanted = [
        *shlex.split(os.environ.get("CC", "")),
        *shlex.split(sysconfig.get_config_var("CC") or ""),
        "cc",
        "gcc",
        "clang",
    ]
    header = Path(sysconfig.get_path("include")) / "Python.h"
    if not header.exists():
        return None
    return next((path for name in wanted if not name.startswith("-") and (path := shutil.which(name))), None)


# --------------------------------------------------------------------------- writing and compiling


def write(generated: Generated, folder: Path) -> Path:
    """Put the generated files into a folder and let Cython make C of the wrapper; the C file's path."""
    from Cython.Compiler.Main import CompilationOptions, default_options
    from Cython.Compiler.Main import compile as cythonize

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "_rules.h").write_text(generated.header)
    source = folder / "_rules.pyx"
    source.write_text(generated.wrapper)
    full_name = generated.rules.rpartition(".")[0] + "._rules"
    options = CompilationOptions(default_options, output_file=str(folder / "_rules.c"))
    result = cythonize(str(source), options, full_module_name=full_name)
    if result.num_errors:
        raise RuntimeError(f"Cython refused the wrapper of {generated.rules}: a fault of forge")
    return folder / "_rules.c"


def extensions(packages: Iterable[str], folder: str = "build/forge") -> list[Extension]:
    """For a setup.py: the extensions of these packages, optional, so that a missing compiler stops nothing."""
    from setuptools import Extension

    made = []
    for package in packages:
        place = Path(folder) / package
        source = write(generate(f"{package}.rules"), place)
        made.append(
            Extension(
                f"{package}._rules",
                [str(source)],
                include_dirs=[str(place)],
                extra_compile_args=COMPILE_FLAGS,
                optional=True,
            )
        )
    return made


def target(package: str) -> Path:
    return package_folder(package) / ("_rules" + (sysconfig.get_config_var("EXT_SUFFIX") or ".so"))


def stamp(package: str) -> Path:
    return package_folder(package) / "_rules.stamp"


def stamp_text(sources: Sequence[str]) -> str:
    return "\n".join([fingerprint(list(sources)), sys.version, *sources]) + "\n"


def is_current(package: str) -> bool:
    """Nothing that the extension depends on has changed since it was built."""
    try:
        lines = stamp(package).read_text().splitlines()
    except OSError:
        return False
    version_lines = len(sys.version.splitlines())
    sources = lines[1 + version_lines :]
    return target(package).exists() and bool(sources) and "\n".join(lines) + "\n" == stamp_text(sources)


def build_one(package: str, cc: str, work: Path) -> None:
    """Translate and compile one game, beside its rules.py; nothing half built is left."""
    generated = generate(f"{package}.rules")
    place = work / package
    source = write(generated, place)
    fresh = place / target(package).name
    # The configured flags' optimisation and warnings are not ours; position independence is needed.
    command = [cc, "-shared", "-fPIC", *COMPILE_FLAGS, *extra_flags(), "-I", str(place)]
    command += ["-I", sysconfig.get_path("include"), str(source), "-o", str(fresh)]
    if sys.platform == "darwin":
        command += ["-undefined", "dynamic_lookup"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(
            f"{package}: the C compiler refused the translated rules, a fault of forge:\n{done.stderr[:4000]}"
        )
    stamp(package).unlink(missing_ok=True)
    os.replace(shutil.copy2(fresh, str(target(package)) + ".new"), target(package))
    stamp(package).write_text(stamp_text(generated_sources(generated)))


def extra_flags() -> list[str]:
    """More flags from the environment: `FORGE_CFLAGS="-fsanitize=address -g"` for a memory check."""
    return shlex.split(os.environ.get("FORGE_CFLAGS", ""))


def generated_sources(generated: Generated) -> list[str]:
    for line in generated.header.splitlines():
        if line.startswith("#define TT_SOURCES "):
            return line.removeprefix("#define TT_SOURCES ").strip('"').split()
    raise AssertionError("the header names no sources")


def build(packages: Sequence[str], quiet: bool = False, force: bool = False) -> int:
    """Build what is not current; the exit code."""
    stale = [package for package in packages if force or not is_current(package)]
    if not stale:
        return 0
    cc = compiler()
    if cc is None:
        print(NO_COMPILER, file=sys.stderr)
        return 3
    work = Path("build/forge") if os.access(".", os.W_OK) else Path(tempfile.mkdtemp(prefix="turntile-forge-"))
    if not quiet:
        print(f"building the compiled rules of {', '.join(p.rpartition('.')[2] for p in stale)} ...", file=sys.stderr)
    # Each in a process of its own: Cython and the C compiler then use all cores.
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        messages = pool.map(lambda package: build_in_process(package, cc, work), stale)
    failures = [message for message in messages if message]
    for message in failures:
        print(message, file=sys.stderr)
    return 1 if failures else 0


def build_in_process(package: str, cc: str, work: Path) -> str:
    command = [sys.executable, "-m", "turntile.forge.build", "--one", package, "--cc", cc, "--work", str(work)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    return (done.stderr.strip() or f"{package}: the build ended with {done.returncode}") if done.returncode else ""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m turntile.forge.build", description="Build games' compiled rules.")
    parser.add_argument(
        "packages", nargs="*", metavar="PACKAGE", help="packages that hold a rules.py (default: our games)"
    )
    parser.add_argument("--quiet", action="store_true", help="say nothing but errors")
    parser.add_argument("--force", action="store_true", help="build even what is current")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--cc", help=argparse.SUPPRESS)
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    words = parser.parse_args(arguments)
    try:
        if words.one:
            build_one(words.one, words.cc, words.work)
            return 0
        return build(words.packages or our_packages(), words.quiet, words.force)
    except (ForgeError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
