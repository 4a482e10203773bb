#!/usr/bin/env python3
"""The one command: sets up what is missing, then runs turntile.

    python3 run.py              the main job: the arena in the browser
    python3 run.py WORD ...     any turntile command: python3 run.py play tron
    python3 run.py test         everything that is checked: lint, types, import contracts, the page, tests in both gears
    python3 run.py test WORD .. only the tests, with pytest's own words: python3 run.py test -k tron

Needs Python 3.11 and nothing else. What it makes lives in .venv beside this file (the page: in web/node_modules
and src/turntile/server/page), with a stamp for each thing made, so that a second start only compares stamps.
It speaks on stderr: stdout belongs to turntile.
"""

# This file must be readable for old Pythons too, down to 3.6: they get a sentence, not a syntax error.
import contextlib
import glob
import hashlib
import json
import os
import shutil
import sys
import time
from typing import NamedTuple

if sys.version_info < (3, 11):
    sys.exit(f"turntile: this is Python {sys.version.split()[0]}, but 3.11 or newer is needed: python3.11 run.py")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

ROOT = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(ROOT, ".venv")
BIN = os.path.join(VENV, "Scripts" if os.name == "nt" else "bin")
EXE = ".exe" if os.name == "nt" else ""
PYTHON = os.path.join(BIN, "python" + EXE)
TURNTILE = os.path.join(BIN, "turntile" + EXE)
SOURCE = os.path.join(ROOT, "src", "turntile")
WEB = os.path.join(ROOT, "web")
PAGE = os.path.join(SOURCE, "server", "page")

# What tests run besides Python packages: command -> Debian's package.
SYSTEM_TOOLS = {
    "cc": "gcc",
    "git": "git",
    "bwrap": "bubblewrap",
    "chromium": "chromium",
    "initdb": "postgresql",
    "nginx": "nginx-light",
    "openssl": "openssl",
}
# Where Debian keeps programs that it does not put on the path.
BESIDE_THE_PATH = {"initdb": "/usr/lib/postgresql/*/bin/initdb", "nginx": "/usr/sbin/nginx"}


class SetupFailed(Exception):
    """One line: what failed, why, what would do."""


def main(words: list[str]) -> int:
    try:
        if words[:1] == ["test"]:
            return test(words[1:])
        set_up("requirements.lock")
        notes = [build_rules()]
        if words[:1] in ([], ["serve"]):
            notes.append(build_page())
        for note in filter(None, notes):
            say(note)
        return become_turntile(words)
    except SetupFailed as failure:
        say(str(failure))
        return 1
    except KeyboardInterrupt:
        return 130


def say(line: str) -> None:
    print(f"turntile: {line}", file=sys.stderr, flush=True)


def become_turntile(words: list[str]) -> int:
    command = [TURNTILE, *words]
    if os.name == "nt":  # there, exec would give the prompt back while turntile still runs
        import subprocess

        return subprocess.call(command)
    try:
        os.execv(TURNTILE, command)
    except OSError as error:
        raise SetupFailed(f"{TURNTILE} cannot be started ({error.strerror}): remove .venv and run again") from error


# Setting up: each part has a stamp in .venv that says what it was made from.


def set_up(lock: str) -> None:
    """The environment with everything `lock` names, and turntile itself in it."""
    if ready(lock):
        return
    if not os.access(VENV if os.path.isdir(VENV) else ROOT, os.W_OK):
        raise SetupFailed(
            f"cannot write to {ROOT}, where .venv would be made: copy the folder to a place you own, "
            "or run pip install . in an environment of yours"
        )
    with only_one_at_a_time():
        if ready(lock):  # another start was quicker
            return
        if not works(PYTHON) or moved():
            make_environment()
        if not current("packages", lock) or not complete():
            install_packages(lock)
        if not current("project", *PROJECT_FILES) or not os.path.exists(TURNTILE):
            install_project()


PROJECT_FILES = ("pyproject.toml", "setup.py")


def ready(lock: str) -> bool:
    return (
        current("packages", lock)
        and current("project", *PROJECT_FILES)
        and os.path.exists(PYTHON)
        and os.path.exists(TURNTILE)
        and not moved()
        and complete()
    )


def make_environment() -> None:
    say("making .venv" if not os.path.exists(VENV) else "making .venv anew: the one there does not work")
    if os.path.lexists(VENV) and not os.path.isdir(VENV):
        raise SetupFailed(f"{VENV} is a file, and .venv is to be a folder there: move it away")
    finished, output = run([sys.executable, "-m", "venv", "--clear", VENV])
    if finished != 0 or not works(PYTHON):
        raise SetupFailed(
            f"Python could not make {VENV} ({last_line(output)}): on Debian or Ubuntu, apt install python3-venv"
        )


def install_packages(lock: str) -> None:
    # Where something was removed by hand, pip believes its own records unless it is told to install all again.
    again = [] if complete() else ["--force-reinstall"]
    forget("packages")
    say(f"installing the packages of {lock}")
    # The hashes are the lock's; --no-deps, since the lock is complete and pip need not work it out again.
    code, output = pip(*again, "--require-hashes", "--no-deps", "-r", os.path.join(ROOT, lock))
    if code != 0:
        raise SetupFailed(why_pip_failed(lock, output))
    # dev.lock holds all of requirements.lock.
    made_from = {name: fingerprint(name) for name in {lock, "requirements.lock"}}
    stamp("packages", {"made_from": made_from, "place": VENV, "installed": installed()})


def install_project() -> None:
    forget("project")
    # Without compiling: build_rules does that, in place and only what changed.
    code, output = pip("--no-deps", "--no-build-isolation", "-e", ROOT, TURNTILE_COMPILE="0")
    if code != 0:
        raise SetupFailed(f"turntile itself could not be installed ({last_line(output)}): all of it in {log_file()}")
    stamp("project", {"made_from": {name: fingerprint(name) for name in PROJECT_FILES}})


def pip(*words: str, **environment: str) -> tuple[int, str]:
    quiet = ["--quiet", "--disable-pip-version-check", "--no-input", "--retries", "2"]
    return run([PYTHON, "-m", "pip", "install", *quiet, *words], **environment)


def why_pip_failed(lock: str, output: str) -> str:
    signs_of_no_network = ("NewConnectionError", "ConnectTimeout", "NameResolutionError", "ProxyError", "SSLError")
    if any(sign in output for sign in signs_of_no_network):
        return (
            f"the packages of {lock} could not be fetched: the package index cannot be reached. Connect once and "
            "run this again, or name a folder that holds them: PIP_NO_INDEX=1 PIP_FIND_LINKS=FOLDER python3 run.py"
        )
    if "DO NOT MATCH THE HASHES" in output:
        return f"a package fetched is not the one {lock} names (its hash differs), so nothing of it was installed"
    return f"the packages of {lock} could not be installed ({last_line(output)}): all of it in {log_file()}"


def complete() -> bool:
    """Nothing that was installed has been removed behind our back."""
    return set(read_stamp("packages").get("installed", ())) <= set(installed())


def installed() -> list[str]:
    """What lies in site-packages, besides pip, which people upgrade, and Python's cache."""
    try:
        return sorted(name for name in os.listdir(site_packages()) if not name.startswith(("pip", "__pycache__")))
    except OSError:
        return []


def moved() -> bool:
    """The folder was renamed or copied: the commands in .venv still name the old place."""
    return bool(read_stamp("packages").get("place", VENV) != VENV)


def site_packages() -> str:
    if os.name == "nt":
        return os.path.join(VENV, "Lib", "site-packages")
    library = os.path.join(VENV, "lib")
    versions = [name for name in os.listdir(library) if name.startswith("python")]
    return os.path.join(library, versions[0] if versions else "python", "site-packages")


def works(python: str) -> bool:
    return os.path.exists(python) and run([python, "-m", "pip", "--version"])[0] == 0


@contextlib.contextmanager
def only_one_at_a_time() -> "Iterator[None]":
    """Two first starts at the same moment: the second waits for the first."""
    try:
        import fcntl
    except ImportError:  # Windows: no such lock; two first starts at once are the user's to avoid
        yield
        return
    with open(os.path.join(ROOT, "run.py")) as this_file:
        fcntl.flock(this_file, fcntl.LOCK_EX)
        yield


# The compiled rules.

NO_COMPILER = 3  # forge.build's exit code


def build_rules() -> str:
    """Build what changed; "" if the games run compiled, else one line that says why not and what would do."""
    made_from = {"rules": rules_fingerprint(), "compiler": compiler()}
    known = read_stamp("rules")
    if known.get("made_from") == made_from and all(os.path.exists(path) for path in known["files"]):
        return str(known["note"])
    with only_one_at_a_time():
        if made_from["compiler"]:
            say("building the compiled rules")
        code, output = run([PYTHON, "-m", "turntile.forge.build", "--quiet"])
        note = ""
        if code == NO_COMPILER:
            note = last_line(output)
        elif code != 0:
            note = f"rules that could not be compiled run interpreted: {last_line(output)}"
        with contextlib.suppress(OSError):  # a read-only folder: said anew at each start
            stamp("rules", {"made_from": made_from, "note": note, "files": built_files()})
        return note


def rules_fingerprint() -> str:
    """Over every text the compiled rules are made from, and the Python they are made for."""
    digest = hashlib.sha256(sys.version.encode())
    for part in ("core", "forge", "games"):
        for folder, folders, files in os.walk(os.path.join(SOURCE, part)):
            folders.sort()
            for name in sorted(files):
                if name.endswith((".py", ".pyx", ".h")):
                    path = os.path.join(folder, name)
                    with open(path, "rb") as file:
                        digest.update(path.encode() + b"\0" + file.read() + b"\0")
    return digest.hexdigest()


def built_files() -> list[str]:
    games = os.path.join(SOURCE, "games")
    return sorted(
        os.path.join(folder, name)
        for folder, _, files in os.walk(games)
        for name in files
        if name.startswith("_rules.") and name.endswith((".so", ".pyd"))
    )


def compiler() -> str:
    """Which C compiler would be used: when one appears, the rules are built."""
    wished_for = os.environ.get("CC", "").split()[:1]
    found = [shutil.which(name) for name in [*wished_for, "cc", "gcc", "clang", "cl"]]
    return next((path for path in found if path), "")


# The page: what the browser shows. It is made by Node, from the machine or from PyPI.

OLDEST_NODE = (20, 19)


class NoPage(Exception):
    """Why the page could not be built, and what would do."""


def build_page() -> str:
    """Build what changed; "" if the page is there as its sources say, else one line that says why not."""
    if not os.path.isdir(WEB) or page_is_current():
        return ""
    with only_one_at_a_time():
        if page_is_current():  # another start was quicker
            return ""
        try:
            made_from = page_fingerprint()
            environment = node_environment()
            say("fetching what the page is built with")
            npm("ci", *NPM_CI, **environment)
            say("building the page")
            npm("run", "build", **environment)
        except NoPage as failure:
            old = "the one built before is shown" if os.path.exists(page_file()) else "everything else runs without it"
            return f"the page for the browser is not built: {failure}; {old}"
        stamp_page(made_from)
        return ""


NPM_CI = ("--no-audit", "--no-fund", "--loglevel=error")


def page_is_current() -> bool:
    return bool(read_stamp("page").get("made_from") == page_fingerprint() and os.path.exists(page_file()))


def page_file() -> str:
    return os.path.join(PAGE, "index.html")


def stamp_page(made_from: str) -> None:
    with contextlib.suppress(OSError):
        stamp("page", {"made_from": made_from})


def page_fingerprint() -> str:
    """Over every file the page is made from."""
    digest = hashlib.sha256()
    for folder, folders, files in os.walk(WEB):
        folders[:] = sorted(name for name in folders if name not in ("node_modules", "dist", "coverage"))
        for name in sorted(files):
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                digest.update(os.path.relpath(path, WEB).encode() + b"\0" + file.read() + b"\0")
    return digest.hexdigest()


def npm(*words: str, **environment: str) -> None:
    path = shutil.which("npm", path=environment["PATH"])
    assert path is not None, environment
    code, output = run([path, *words], folder=WEB, **environment)
    if code == 0:
        return
    if any(sign in output for sign in ("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT")):
        raise NoPage("npm's package index cannot be reached; connect once and run this again")
    raise NoPage(f"npm {' '.join(words[:2])} failed ({last_line(output)}), all of it in {log_file()}")


def node_environment() -> "dict[str, str]":
    """Variables with which `npm` finds a Node that is new enough. Raises NoPage where there is none."""
    path = os.environ.get("PATH", "")
    if not new_enough(path):
        path = BIN + os.pathsep + path
        if not (current("node", "node.lock") and new_enough(path)):
            install_node()
        if not new_enough(path):
            raise NoPage("the Node of node.lock does not run here: install Node 20.19 or newer")
    return {"PATH": path, "npm_config_update_notifier": "false", "npm_config_fetch_retries": "1"}


def new_enough(path: str) -> bool:
    """Whether this PATH leads to npm and to a Node that can build the page."""
    node = shutil.which("node", path=path)
    if node is None or shutil.which("npm", path=path) is None:
        return False
    code, output = run([node, "--version"])
    version = last_line(output).lstrip("v").split(".")
    return code == 0 and version[0].isdigit() and tuple(map(int, version[:2])) >= OLDEST_NODE


def install_node() -> None:
    forget("node")
    say("installing Node from node.lock: the page is built with it")
    code, output = pip("--require-hashes", "--no-deps", "-r", os.path.join(ROOT, "node.lock"))
    if code != 0:
        raise NoPage(
            f"Node {'.'.join(map(str, OLDEST_NODE))} or newer is not here, and {why_pip_failed('node.lock', output)}"
        )
    stamp("node", {"made_from": {"node.lock": fingerprint("node.lock")}})


# Stamps.


def fingerprint(name: str) -> str:
    try:
        with open(os.path.join(ROOT, name), "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()
    except FileNotFoundError:
        return "absent"


def current(part: str, *names: str) -> bool:
    made_from = read_stamp(part).get("made_from", {})
    return all(made_from.get(name) == fingerprint(name) for name in names)


def stamp_path(part: str) -> str:
    return os.path.join(VENV, part + ".stamp")


def read_stamp(part: str) -> "dict[str, Any]":
    try:
        with open(stamp_path(part)) as file:
            found = json.load(file)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def stamp(part: str, content: "dict[str, Any]") -> None:
    beside = f"{stamp_path(part)}.{os.getpid()}"
    with open(beside, "w") as file:
        json.dump(content, file)
    os.replace(beside, stamp_path(part))


def forget(part: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.remove(stamp_path(part))


# Running other programs.


def run(command: list[str], folder: str = ROOT, **environment: str) -> tuple[int, str]:
    """A program's exit code and what it said, which is also kept in the log."""
    import subprocess

    finished = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    with contextlib.suppress(OSError), open(log_file(), "a", encoding="utf-8") as log:
        log.write(f"$ {' '.join(command)}\n{finished.stdout}[exit code {finished.returncode}]\n")
    return finished.returncode, finished.stdout


def log_file() -> str:
    return os.path.join(VENV, "setup.log")


def last_line(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.split(":")[0].endswith(("ERROR", "Error"))]
    return (errors or lines or ["it said nothing"])[-1]


# The tests.


def test(words: list[str]) -> int:
    """Run all checks, each to its end, even after one that failed."""
    began = time.monotonic()
    may_install = "--system" in words or bool(os.environ.get("CI"))
    words = [word for word in words if word != "--system"]
    provide_system_tools(may_install)
    set_up("dev.lock")
    note = build_rules()
    if note:
        say(note)
    if words:
        note = build_page()  # the tests in the browser look at it
        if note:
            say(note)
    checks = pytest_only(words) if words else all_checks()
    failed = [check.title for check in checks if not passes(check)]
    took = f"{time.monotonic() - began:.0f} s"
    if failed:
        print(f"\n{len(failed)} of {len(checks)} checks failed in {took}: {', '.join(failed)}", flush=True)
        return 1
    print(f"\nall {len(checks)} checks passed in {took}", flush=True)
    return 0


class Check(NamedTuple):
    """One of the things `run.py test` runs."""

    title: str
    command: list[str]
    python_path: str = ""  # a folder whose packages come first
    folder: str = ROOT
    path: str = ""  # where programs are looked for, if not as usual
    builds_page: bool = False


def pytest_only(words: list[str]) -> list[Check]:
    return [Check("tests", [tool("pytest"), *words])]


def all_checks() -> list[Check]:
    return [
        Check("lint", [tool("ruff"), "check", "."]),
        Check("format", [tool("ruff"), "format", "--check", "--output-format", "concise", "."]),
        Check("types", [tool("mypy")]),
        Check("import contracts", [tool("lint-imports"), "--no-logo"]),
        *page_checks(),
        Check("tests", [tool("pytest"), "-q", "-n", "auto", "--dist", "worksteal"]),
        *[example_check(name) for name in examples()],
    ]


def page_checks() -> list[Check]:
    """The page's own checks; its build comes before the tests, some of which look at it in a browser."""
    if not os.path.isdir(WEB):
        return []
    try:
        path = node_environment()["PATH"]
    except NoPage as failure:
        return [Check("the page", [PYTHON, "-c", f"import sys; sys.exit({str(failure)!r})"])]
    npm_path = shutil.which("npm", path=path)
    assert npm_path is not None, path
    return [
        Check("the page's packages", [npm_path, "ci", *NPM_CI], folder=WEB, path=path),
        Check("the page's types", [npm_path, "run", "--silent", "check"], folder=WEB, path=path),
        Check("the page's tests", [npm_path, "run", "--silent", "test"], folder=WEB, path=path),
        Check("the page's build", [npm_path, "run", "--silent", "build"], folder=WEB, path=path, builds_page=True),
        Check("the page's size", [npm_path, "run", "--silent", "size"], folder=WEB, path=path),
    ]


def examples() -> list[str]:
    """The games outside our package: projects of their own under examples/."""
    folder = os.path.join(ROOT, "examples")
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return [name for name in names if os.path.exists(os.path.join(folder, name, "pyproject.toml"))]


def example_check(name: str) -> Check:
    """Install it as its users would, but into a folder of its own: the games of .venv stay ours."""
    place = os.path.join(VENV, "examples", name)
    shutil.rmtree(place, ignore_errors=True)
    project = os.path.join(ROOT, "examples", name)
    code, output = pip("--no-deps", "--no-build-isolation", "--target", place, project)
    if code != 0:
        raise SetupFailed(f"the example {name} could not be installed ({last_line(output)}): all of it in {log_file()}")
    return Check(f"the example {name}", [tool("pytest"), "-q", os.path.join(project, "tests")], place)


def tool(name: str) -> str:
    return os.path.join(BIN, name + EXE)


def passes(check: Check) -> bool:
    import subprocess

    shown = [os.path.basename(check.command[0]), *check.command[1:]]
    print(f"\n== {check.title}: {' '.join(shown)}", flush=True)
    began = time.monotonic()
    environment = {**os.environ, "TURNTILE_CHECKED": "1"}  # records check what they store
    if check.python_path:
        environment["PYTHONPATH"] = check.python_path
    if check.path:
        environment["PATH"] = check.path
    made_from = page_fingerprint() if check.builds_page else ""
    code = subprocess.call(check.command, cwd=check.folder, env=environment)
    if check.builds_page and code == 0:
        stamp_page(made_from)
    verdict = "passed" if code == 0 else f"FAILED with exit code {code}"
    print(f"-- {check.title} {verdict} in {time.monotonic() - began:.1f} s", flush=True)
    return code == 0


def on_this_system(command: str) -> bool:
    return shutil.which(command) is not None or bool(glob.glob(BESIDE_THE_PATH.get(command, "")))


def provide_system_tools(may_install: bool) -> None:
    """Programs that are no Python packages: installed only where we are asked to and may."""
    missing = [package for command, package in SYSTEM_TOOLS.items() if not on_this_system(command)]
    if not missing:
        return
    apt = shutil.which("apt-get")
    if may_install and apt and hasattr(os, "geteuid") and os.geteuid() == 0:
        say(f"installing {', '.join(missing)} with apt-get")
        quiet = {"DEBIAN_FRONTEND": "noninteractive"}
        run([apt, "update", "-q"], **quiet)
        code, output = run([apt, "install", "-y", "-q", "--no-install-recommends", *missing], **quiet)
        if code == 0:
            return
        say(f"apt-get could not install them ({last_line(output)})")
    say(
        f"missing here, so the tests that need them will fail: {', '.join(missing)}; "
        f"apt-get install {' '.join(missing)}, or as root python3 run.py test --system"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
