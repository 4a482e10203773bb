"""The ways to lock a bot in, and how a bot's command is put into one.

`bwrap-root`: bubblewrap without a user namespace, and a user of its own for each launch.
`bwrap-user`: bubblewrap with a user namespace, for ordinary users.
`landlock`: no namespaces; Landlock for files, the filter of system calls for the rest. As root a user of its own too.
`off`: nothing.

In all but the last the launcher sets the limits and the filter, and Landlock on top where the kernel has it. Files keep
their paths, so that a command means the same inside and outside.
"""

from __future__ import annotations

import contextlib
import glob
import marshal
import os
import secrets
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import turntile
from turntile.core.errors import TurntileError
from turntile.players.sandbox.filter import OWN_PID, filter_program
from turntile.players.sandbox.limits import MEGABYTE, Limits
from turntile.players.sandbox.verdict import COMPLAINT, NOT_STARTED

BWRAP_ROOT, BWRAP_USER, LANDLOCK, OFF = "bwrap-root", "bwrap-user", "landlock", "off"
SIGNALS_SCOPED_SINCE = 6  # the version of Landlock that keeps signals from other processes

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
SETTINGS = (
    "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime",
    "/etc/ssl/openssl.cnf",
)  # fmt: skip
JAVA_SETTINGS = "/etc/java*"
DEVICES = (
    "/dev/null",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
)  # no /dev/zero: memory mapped from it is not counted
SCRATCH = "/tmp"
LARGEST_FILE = 16 * MEGABYTE  # that a bot may write to, where its output goes into one, without a scratch folder
NOBODY = 65534


class InvalidBotFolder(TurntileError):
    """A folder no bot can be locked into."""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """A way that works here. `landlock` is the version of Landlock in use, 0 for none."""

    way: str
    landlock: int = 0
    bwrap: str = ""

    def wrap(
        self, command: Sequence[str], *, folder: Path, limits: Limits | None = None, readable: Sequence[Path] = ()
    ) -> list[str]:
        """The command that starts `command` locked in, in `folder`, which it can read but not write.

        `readable` are further files or folders it may see. Start it from a thread that outlives the bot: it ends with
        that thread. When it is to end, kill the process or its group; then `sweep`.
        """
        if self.way == OFF:
            return list(command)
        limits = limits or Limits()
        place = bot_folder(folder, closed_to_others=self.as_root)
        seen = [*visible_folders(), str(place), *(str(path) for path in readable)]
        launcher = [python(), "-I", "-S", "-c", START, launcher_folder(), self.orders(command, place, seen, limits)]
        if self.way == LANDLOCK:
            return launcher
        # Without an environment from the start: what bubblewrap was started with could be read in /proc.
        return ["/usr/bin/env", "-i", self.bwrap, *self.namespaces(), *mounts(seen, limits), "--", *launcher]

    def environment(self) -> dict[str, str]:
        """What a bot finds in its environment: nothing of ours. (The command of `wrap` sets it by itself.)"""
        if self.way == OFF:
            return dict(os.environ)
        folders = [f"{sys.prefix}/bin", f"{sys.base_prefix}/bin", "/usr/local/bin", "/usr/bin", "/bin"]
        return {
            "PATH": ":".join(dict.fromkeys(folders)),
            "HOME": "/nonexistent",
            "LANG": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1",
            # Each arena and each thread of a mathematics library takes memory from the limit for nothing.
            "MALLOC_ARENA_MAX": "2",
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "MKL_NUM_THREADS": "1",
        }

    def sweep(self, pid: int) -> None:
        """After the process `pid` has ended, and before another is started: ends what it may have left behind.

        Only needed without namespaces; harmless otherwise. The process must have been a group of its own (Popen's
        start_new_session or process_group=0; the launcher sees to it where it was not).
        """
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)

    @property
    def as_root(self) -> bool:
        """Bots get a user of their own, which only root can give."""
        return self.way == BWRAP_ROOT or (self.way == LANDLOCK and os.geteuid() == 0)

    def orders(self, command: Sequence[str], folder: Path, seen: Sequence[str], limits: Limits) -> str:
        """What the launcher shall do, as one word."""
        alone = self.way == LANDLOCK
        signals = alone and not self.as_root and self.landlock < SIGNALS_SCOPED_SINCE
        orders = {
            "command": list(command),
            "environment": self.environment(),
            "folder": str(folder),
            "alone": alone,
            "uid": free_uid() if self.as_root else 0,
            "shares_user": alone and not self.as_root,
            "rlimits": [
                ("RLIMIT_CORE", 0),
                ("RLIMIT_DATA", limits.memory),
                ("RLIMIT_CPU", limits.cpu_seconds),
                ("RLIMIT_NPROC", limits.processes),
                ("RLIMIT_NOFILE", limits.files),
                ("RLIMIT_FSIZE", limits.scratch or LARGEST_FILE),
                ("RLIMIT_MEMLOCK", 0),
                ("RLIMIT_MSGQUEUE", 0),
            ],
            "landlock": self.landlock,
            "rules": landlock_rules(seen, alone=alone),
            "filter": filter_program(alone=alone, signals=signals),
            "own_pid": OWN_PID,
            "complaint": COMPLAINT,
            "not_started": NOT_STARTED,
        }
        return marshal.dumps(orders).hex()

    def namespaces(self) -> list[str]:
        words = ["--die-with-parent", "--new-session", "--unshare-ipc", "--unshare-pid", "--unshare-net"]
        words += ["--unshare-uts", "--unshare-cgroup-try", "--hostname", "bot", "--cap-drop", "ALL"]
        if self.way == BWRAP_USER:
            return [*words, "--unshare-user"]
        return [*words, "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]  # the launcher uses them up


START = "import sys; sys.path.insert(0, sys.argv.pop(1)); import launch; launch.main()"


def launcher_folder() -> str:
    return str(Path(__file__).parent)


def python() -> str:
    """The Python the launcher runs in: the one behind this environment."""
    return f"{sys.base_prefix}/bin/python{sys.version_info.major}.{sys.version_info.minor}"


def visible_folders() -> list[str]:
    """What every bot may read: Python with our packages, and Turntile, for bots that use it."""
    packages = [sys.base_prefix, sys.prefix, str(Path(turntile.__file__).parent)]
    real = [os.path.realpath(folder) for folder in packages]
    return [
        folder for folder in dict.fromkeys([*packages, *real]) if not folder.startswith("/usr/") and folder != "/usr"
    ]


def bot_folder(folder: Path, *, closed_to_others: bool) -> Path:
    """The bot's folder as it really is; refused where showing it would show more than a bot."""
    place = folder.resolve()
    if not place.is_dir():
        raise InvalidBotFolder(f"{folder} is no folder: a sandboxed bot needs one to live in")
    if Path.home().resolve().is_relative_to(place):
        raise InvalidBotFolder(f"a bot in {place} could read your home folder: put it into a folder of its own")
    if closed_to_others and place.stat().st_mode & 0o005 != 0o005:
        raise InvalidBotFolder(
            f"{place} is closed to other users, and as root every bot is run as a user of its own: "
            f"chmod -R o+rX {place}"
        )
    return place


def mounts(seen: Sequence[str], limits: Limits) -> list[str]:
    """Bubblewrap's words for the file system a bot sees."""
    words = ["--proc", "/proc"]
    if limits.scratch:
        words += ["--perms", "1777", "--size", str(limits.scratch), "--tmpfs", SCRATCH]
    else:
        words += ["--dir", SCRATCH]
    for path in SYSTEM:
        if os.path.islink(path):
            words += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            words += ["--ro-bind", path, path]
    settings = [path for path in (*SETTINGS, *sorted(glob.glob(JAVA_SETTINGS))) if os.path.exists(path)]
    # Made by us: bubblewrap would close some of them to the bot's user, such as root's home.
    above = {str(folder) for path in (*settings, *DEVICES, *seen) for folder in Path(path).parents}
    for folder in sorted(above - {"/", SCRATCH, *SYSTEM}):
        words += ["--dir", folder]
    for path in settings:
        words += ["--ro-bind", path, path]
    for path in DEVICES:
        words += ["--dev-bind", path, path]
    words += ["--symlink", "/proc/self/fd", "/dev/fd"]
    for path in sorted(seen):  # what lies inside another comes after it
        words += ["--ro-bind", path, path]
    return [*words, "--remount-ro", "/"]


def landlock_rules(seen: Sequence[str], *, alone: bool) -> list[tuple[str, str]]:
    """What may be done where; `alone` there is no scratch folder, and /proc is that of the whole machine."""
    rules = [(path, "read") for path in (*SYSTEM, *SETTINGS, *glob.glob(JAVA_SETTINGS), *seen)]
    rules += [(path, "device") for path in DEVICES]
    if alone:
        return rules + [(path, "peek") for path in ("/proc/self", "/proc/meminfo", "/proc/cpuinfo")]
    return [*rules, ("/proc", "peek"), (SCRATCH, "scratch")]


def free_uid() -> int:
    """A user nobody else is: limits count per user, so two bots must not share one."""
    with open("/proc/self/uid_map") as file:
        first, _, count = max((tuple(map(int, line.split())) for line in file), key=lambda extent: extent[2])
    last = min(first + count, 2**31) - 2
    while True:
        uid = first + (last - first) // 2 + secrets.randbelow(max(1, (last - first) // 2))
        if uid not in (0, NOBODY):
            return uid
