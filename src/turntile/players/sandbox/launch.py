"""The last program before the bot: gives up what the bot must not have, then becomes the bot.

Started by `Sandbox.wrap`'s command in a Python without packages, for speed; so it needs only what every Python has
built in, and gets its orders as one argument. Doing this in a program of its own, rather than between fork and exec of
the referee, is what makes it safe in a referee with threads.
"""

from __future__ import annotations

import ctypes
import marshal
import os
import resource
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # the module typing costs as much time as all the rest here
    from typing import Any, NoReturn

SIGKILL, SIGPIPE, SIGXFSZ, SIG_DFL = 9, 13, 25, 0  # the module signal, too

PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 22, 38
SECCOMP_MODE_FILTER = 2
LANDLOCK_CREATE, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT = 444, 445, 446  # the same on every processor
LANDLOCK_VERSION = 1
LANDLOCK_PATH_BENEATH = 1

# Rights on files, by the version of Landlock that brought them (linux/landlock.h).
EXECUTE, WRITE, READ, LIST = 1, 2, 4, 8
CHANGE_FOLDER = 0x1FF0  # make and remove entries of every kind
REFER, TRUNCATE, IOCTL_DEVICE = 1 << 13, 1 << 14, 1 << 15
RIGHTS = {
    "read": EXECUTE | READ | LIST,
    "peek": READ | LIST,
    "scratch": READ | LIST | WRITE | CHANGE_FOLDER | REFER | TRUNCATE,  # nothing written there is executed
    "device": READ | WRITE,
}
FILE_RIGHTS = EXECUTE | WRITE | READ | TRUNCATE | IOCTL_DEVICE
TCP_BIND_CONNECT = 3
SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS = 3
SIGNALS_SCOPED_SINCE = 6  # the version of Landlock

libc = ctypes.CDLL(None, use_errno=True)


class Refused(Exception):
    """The kernel did not grant what the sandbox needs."""


def main() -> NoReturn:
    orders = marshal.loads(bytes.fromhex(sys.argv[1]))
    try:
        confine(orders)
        become(orders["command"], orders["environment"])
    except (OSError, ValueError, Refused) as error:
        sys.stderr.write(f"{orders['complaint']}{error}\n")
        sys.stderr.flush()
        os._exit(orders["not_started"])


def confine(orders: dict[str, Any]) -> None:
    os.closerange(3, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    os.chdir(orders["folder"])  # before the uid is dropped: the folders above may be closed to others
    be_first_to_go()
    places = open_places(orders["rules"]) if orders["landlock"] else []  # before that, too
    others = count_own_threads() if orders["shares_user"] else 0
    if orders["alone"] and os.getpgrp() != os.getpid():
        os.setsid()  # the referee kills the group; the bot cannot leave it
    if orders["uid"]:
        os.setgroups([])
        os.setresgid(orders["uid"], orders["uid"], orders["uid"])
        os.setresuid(orders["uid"], orders["uid"], orders["uid"])
    if orders["alone"]:
        call(libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0), "the end with the referee")
    for name, value in orders["rlimits"]:
        limit = value + others if name == "RLIMIT_NPROC" else value
        lower_limit(getattr(resource, name), limit)
    call(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges")
    if orders["landlock"]:
        restrict_files(orders["landlock"], places)
    filter_calls(orders["filter"], orders["own_pid"])


def lower_limit(kind: int, limit: int) -> None:
    """A soft limit just below the hard one where the kernel then says which limit it was."""
    ceiling = resource.getrlimit(kind)[1]
    hard = limit if ceiling == resource.RLIM_INFINITY else min(limit, ceiling)
    soft = hard
    if kind == resource.RLIMIT_CPU:  # SIGXCPU, and SIGKILL a second later for who ignores it
        hard = hard + 1 if ceiling == resource.RLIM_INFINITY else min(hard + 1, ceiling)
    resource.setrlimit(kind, (soft, hard))


def be_first_to_go() -> None:
    """If the machine runs out of memory, bots go before the referee."""
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    except OSError:
        pass  # some containers forbid it, and nothing else hangs on it


def count_own_threads() -> int:
    """Without a user of its own, the bot's processes are counted together with all others of this user."""
    user, threads = os.getuid(), 0
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == user:
                threads += len(os.listdir(f"/proc/{name}/task"))
        except OSError:
            continue  # it ended meanwhile
    return threads


def landlock_version() -> int:
    """0 where the kernel has no Landlock."""
    version: int = libc.syscall(LANDLOCK_CREATE, None, ctypes.c_size_t(0), LANDLOCK_VERSION)
    return max(0, version)


def open_places(rules: list[tuple[str, str]]) -> list[tuple[int, int, bool]]:
    """A descriptor for each place, the rights there, and whether it is a folder; what is not there needs no right."""
    places = []
    for path, rights in rules:
        try:
            places.append((os.open(path, os.O_PATH | os.O_CLOEXEC), RIGHTS[rights], os.path.isdir(path)))
        except OSError:
            continue
    return places


def restrict_files(version: int, places: list[tuple[int, int, bool]]) -> None:
    """Everything Landlock can forbid is forbidden, except those rights at those places and beneath them."""
    files = EXECUTE | WRITE | READ | LIST | CHANGE_FOLDER
    files |= (REFER if version >= 2 else 0) | (TRUNCATE if version >= 3 else 0) | (IOCTL_DEVICE if version >= 5 else 0)
    words = [files]
    if version >= 4:
        words.append(TCP_BIND_CONNECT)
    if version >= SIGNALS_SCOPED_SINCE:
        words.append(SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS)
    attributes = (ctypes.c_uint64 * len(words))(*words)
    ruleset = libc.syscall(LANDLOCK_CREATE, attributes, ctypes.c_size_t(ctypes.sizeof(attributes)), 0)
    call(ruleset, "Landlock")
    for place, rights, is_folder in places:
        granted = rights & files & (~0 if is_folder else FILE_RIGHTS)
        beneath = granted.to_bytes(8, sys.byteorder) + place.to_bytes(4, sys.byteorder)
        call(libc.syscall(LANDLOCK_ADD_RULE, ruleset, LANDLOCK_PATH_BENEATH, beneath, 0), "a rule of Landlock's")
        os.close(place)
    call(libc.syscall(LANDLOCK_RESTRICT, ruleset, 0), "Landlock")
    os.close(ruleset)


def filter_calls(program: bytes, own_pid: int) -> None:
    placeholder = own_pid.to_bytes(4, sys.byteorder)
    steps = [program[i : i + 8] for i in range(0, len(program), 8)]
    here = os.getpid().to_bytes(4, sys.byteorder)
    code = b"".join(step[:4] + here if step[4:] == placeholder else step for step in steps)
    text = ctypes.create_string_buffer(code, len(code))
    pointer = ctypes.addressof(text).to_bytes(8, sys.byteorder)
    header = len(steps).to_bytes(2, sys.byteorder) + bytes(6) + pointer  # struct sock_fprog
    call(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, header, 0, 0), "the filter of system calls")


def call(result: int, what: str) -> None:
    if result < 0:
        raise Refused(f"the kernel refuses {what}: {os.strerror(ctypes.get_errno())}")


def become(command: list[str], environment: dict[str, str]) -> NoReturn:
    for number in (SIGPIPE, SIGXFSZ):  # Python ignores them, and the bot would inherit that
        libc.signal(number, SIG_DFL)
    name = command[0]
    open_to_it = [f"{place}/" for place in environment["PATH"].split(":") if os.access(place, os.X_OK)]
    why: OSError = FileNotFoundError()
    for place in [""] if "/" in name else open_to_it:
        try:
            os.execve(place + name, command, environment)
        except (FileNotFoundError, NotADirectoryError, PermissionError) as error:  # it may lie further on
            why = why if isinstance(why, PermissionError) else error
        except OSError as error:
            why = error
            break
    if isinstance(why, (FileNotFoundError, NotADirectoryError)):
        reason = "it is not among the files a bot may see: put it into the bot's folder, or install it below /usr"
    elif isinstance(why, PermissionError):
        reason = "it, or a folder above it, is closed to the user the bot runs as: chmod o+rx, or move it"
    else:
        reason = f"{why.strerror}: does a script begin with #!, and is it for this processor?"
    raise Refused(f"{name} cannot be started: {reason}")


if __name__ == "__main__":
    main()
