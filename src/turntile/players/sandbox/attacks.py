"""Attacks, as a bot would make them: run inside the sandbox, by the probe and by the tests.

    python attacks.py VICTIMS NAME...      VICTIMS is JSON: where there is something to attack

Each prints a JSON line: the attack, whether it got through, and what it saw. Needs nothing but Python. The attacks that
could hurt if the sandbox failed are gentle: signals that end nobody but a process put there for it, and bombs that stop
by themselves.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import mmap
import os
import resource
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

Victims = dict[str, Any]
Attempt = tuple[str, Callable[[], object]]

libc = ctypes.CDLL(None, use_errno=True)
PTRACE_SEIZE = 0x4206  # unlike ATTACH it leaves the victim running, who may be the referee
CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
KERNEL_CALLS = {"bpf": (321, 280), "perf_event_open": (298, 241), "io_uring_setup": (425, 425), "keyctl": (250, 219)}
FORK_TRIES = 600
BOMB = 3 << 30  # what a memory bomb asks for before it stops by itself
DISK = 256 << 20
CHUNK = 16 << 20


def tcp(victims: Victims) -> Iterator[Attempt]:
    def connect() -> None:
        with socket.create_connection(("127.0.0.1", victims["tcp"]), timeout=2) as connection:
            connection.sendall(b"attack")

    def listen() -> None:
        with socket.socket() as server:
            server.bind(("127.0.0.1", 0))
            server.listen()

    yield "connect", connect
    yield "listen", listen


def udp(victims: Victims) -> Iterator[Attempt]:
    def send() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto(b"attack", ("127.0.0.1", victims["udp"]))

    def send_from_pair() -> None:
        left, right = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        with left, right:
            left.sendto(b"attack", victims["unix"])

    yield "send", send
    yield "a datagram from a pair", send_from_pair


def unix(victims: Victims) -> Iterator[Attempt]:
    def connect(address: str) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.sendto(b"attack", address)

    yield "by path", lambda: connect(victims["unix"])
    yield "by name", lambda: connect("\0" + victims["abstract"])


def read(victims: Victims) -> Iterator[Attempt]:
    yield "a file beside the bot's folder", lambda: read_text(victims["secret"])
    yield "a folder beside the bot's", lambda: os.listdir(os.path.dirname(victims["secret"]))
    yield "the home folder", lambda: list_all(victims["home"], victims["home_entries"])
    yield "/etc/shadow", lambda: read_text("/etc/shadow")
    yield "/etc/passwd", lambda: read_text("/etc/passwd")
    yield "through /proc/self/root", lambda: read_text("/proc/self/root" + victims["secret"])


def list_all(folder: str, entries: int) -> None:
    """An empty folder of that name, on the way to what a bot may see, gives nothing away."""
    if len(os.listdir(folder)) < entries:
        raise PermissionError("not what is really in it")


def write(victims: Victims) -> Iterator[Attempt]:
    outside = victims["outside"]
    yield "a new file outside", lambda: write_text(f"{outside}/attack")
    yield "a file that is there", lambda: write_text(victims["secret"])
    yield "its mode", lambda: os.chmod(victims["secret"], 0o777)
    yield "its times", lambda: os.utime(victims["secret"], (0, 0))
    yield "its length", lambda: os.truncate(victims["secret"], 0)
    yield "its name", lambda: os.rename(victims["secret"], f"{outside}/moved")
    yield "its removal", lambda: os.unlink(victims["secret"])
    yield "a link to it", lambda: os.link(victims["secret"], f"{outside}/link")
    yield "the bot's own folder", lambda: write_text("attack")
    yield "the root folder", lambda: write_text("/attack")


def signals(victims: Victims) -> Iterator[Attempt]:
    yield "kill another process", lambda: os.kill(victims["pid"], signal.SIGKILL)
    # Through a thread library's call, and to all at once; 0 and SIGCONT harm nobody.
    yield "tgkill", lambda: check(libc.tgkill(victims["pid"], victims["pid"], signal.SIGKILL))
    yield "kill the referee", lambda: os.kill(victims["referee"], signal.SIGCONT)
    yield "a descriptor of a process", lambda: os.pidfd_open(victims["pid"])
    yield "a signal by a pipe", lambda: own_pipe(victims["pid"])


def own_pipe(pid: int) -> None:
    import fcntl

    reader, writer = os.pipe()
    fcntl.fcntl(reader, fcntl.F_SETOWN, pid)
    os.close(reader)
    os.close(writer)


def meddle(victims: Victims) -> Iterator[Attempt]:
    pid = victims["pid"]
    yield "limits of another process", lambda: resource.prlimit(pid, resource.RLIMIT_CPU, (1, 1))
    yield "priority of another process", lambda: os.setpriority(os.PRIO_PROCESS, pid, 19)
    yield "processors of another process", lambda: os.sched_setaffinity(pid, {0})
    yield "its own processors", lambda: os.sched_setaffinity(0, os.sched_getaffinity(0))


def trace(victims: Victims) -> Iterator[Attempt]:
    for name in ("pid", "referee"):
        yield f"attach to {name}", partial(attach, victims[name])
    yield "memory of another process", lambda: os.close(os.open(f"/proc/{victims['pid']}/mem", os.O_RDWR))
    yield "memory of the parent", lambda: os.close(os.open(f"/proc/{os.getppid()}/mem", os.O_RDWR))
    yield "memory of the first process", lambda: os.close(os.open("/proc/1/mem", os.O_RDWR))


def attach(pid: int) -> None:
    check(libc.ptrace(PTRACE_SEIZE, pid, 0, 0))


def proc(victims: Victims) -> Iterator[Attempt]:
    def seek(name: str) -> None:
        """Looks for the victim in what /proc says of every other process it shows."""
        shown: list[str] = []
        with contextlib.suppress(OSError):
            shown = [entry for entry in os.listdir("/proc") if entry.isdigit() and int(entry) != os.getpid()]
        for pid in [*shown, str(victims["pid"]), str(victims["referee"])]:
            with contextlib.suppress(OSError):
                if victims["mark"] in read_text(f"/proc/{pid}/{name}"):
                    return
        raise PermissionError("nothing of the victim's")

    yield "environments", lambda: seek("environ")
    yield "command lines", lambda: seek("cmdline")
    yield "settings of the kernel", lambda: write_text("/proc/sys/vm/overcommit_memory", "0")
    yield "sysrq", lambda: os.close(os.open("/proc/sysrq-trigger", os.O_WRONLY))
    yield "the environment it was started with", lambda: find(victims["mark"], read_text("/proc/self/environ"))


def find(mark: str, text: str) -> None:
    if mark not in text:
        raise PermissionError("nothing of ours in it")


def memfd(victims: Victims) -> Iterator[Attempt]:
    def execute() -> None:
        descriptor = os.memfd_create("attack")
        with open("/bin/true", "rb") as program:
            os.write(descriptor, program.read())
        run_child(lambda: os.execv(f"/proc/self/fd/{descriptor}", ["true"]))

    yield "a file in memory", execute


def mounting(victims: Victims) -> Iterator[Attempt]:
    yield "mount", lambda: check(libc.mount(b"none", b"/tmp", b"tmpfs", 0, None))
    yield "unmount", lambda: check(libc.umount2(b"/usr", 2))
    yield "a user namespace", lambda: check(libc.unshare(CLONE_NEWUSER | CLONE_NEWNS))
    yield "chroot", lambda: os.chroot("/usr")
    yield "root", lambda: os.setuid(0)


def kernel(victims: Victims) -> Iterator[Attempt]:
    for name, numbers in KERNEL_CALLS.items():
        yield name, partial(reach, numbers[os.uname().machine == "aarch64"])
    yield "shared memory", lambda: check(libc.shmget(0, 4096, 0o1600))
    yield "a terminal's input", type_into_terminal


def reach(number: int) -> None:
    """A call with nothing in it: another error than a refusal comes from behind the filter."""
    if libc.syscall(number, 0, 0, 0, 0, 0) < 0 and ctypes.get_errno() in (errno.EPERM, errno.ENOSYS):
        raise PermissionError(os.strerror(ctypes.get_errno()))


def type_into_terminal() -> None:
    import fcntl

    fcntl.ioctl(2, 0x5412, b"x")


def fork(victims: Victims) -> Iterator[Attempt]:
    def bomb() -> None:
        for _ in range(FORK_TRIES):
            if os.fork() == 0:
                time.sleep(600)
                os._exit(0)

    def threads() -> None:
        for _ in range(FORK_TRIES):
            threading.Thread(target=time.sleep, args=(600,), daemon=True).start()

    yield "processes", bomb
    yield "threads", threads


def memory(victims: Victims) -> Iterator[Attempt]:
    def grow() -> None:
        held = []
        for _ in range(BOMB // CHUNK):
            held.append(b"x" * CHUNK)

    def share() -> None:
        held = []
        for _ in range(BOMB // CHUNK):
            held.append(mmap.mmap(-1, CHUNK))
            held[-1].write(b"x" * CHUNK)

    def share_zero() -> None:
        with open("/dev/zero", "r+b") as zero:
            held = [mmap.mmap(zero.fileno(), CHUNK) for _ in range(BOMB // CHUNK)]
            held[-1].write(b"x" * CHUNK)

    yield "private", grow
    yield "shared", share
    yield "from /dev/zero", share_zero


def disk(victims: Victims) -> Iterator[Attempt]:
    def fill(folder: str) -> None:
        os.makedirs(folder, exist_ok=True)
        for number in range(DISK // CHUNK * 4):
            with open(f"{folder}/{number}", "wb") as file:
                file.write(b"x" * (CHUNK // 4))

    for folder in (".", "/tmp/fill", "/dev/shm", "/var/tmp", victims["outside"], "/"):
        yield folder, partial(fill, folder)


def daemon(victims: Victims) -> Iterator[Attempt]:
    """Leaves processes behind; whether they outlive the bot is for who looks from outside."""

    def leave() -> None:
        for leave_session in (False, True):
            if os.fork() == 0:
                try:
                    if leave_session:
                        os.setsid()
                finally:
                    if os.fork() == 0:
                        for descriptor in (0, 1, 2):
                            os.close(descriptor)
                        os.execv(
                            sys.executable, [sys.executable, "-c", "import time; time.sleep(600)", victims["left"]]
                        )
                    os._exit(0)
        time.sleep(0.3)

    yield "leave", leave


ATTACKS: dict[str, Callable[[Victims], Iterator[Attempt]]] = {
    "tcp": tcp, "udp": udp, "unix": unix, "read": read, "write": write, "signals": signals, "meddle": meddle,
    "trace": trace, "proc": proc, "memfd": memfd, "mounting": mounting, "kernel": kernel, "fork": fork,
    "memory": memory, "disk": disk, "daemon": daemon,
}  # fmt: skip


def check(result: int) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def run_child(program: Callable[[], object]) -> None:
    child = os.fork()
    if child == 0:
        try:
            program()
        finally:
            os._exit(1)
    if os.waitpid(child, 0)[1] != 0:
        raise PermissionError("it was not executed")


def read_text(path: str) -> str:
    with open(path, "rb") as file:
        return file.read(1 << 20).decode("utf-8", "replace")


def write_text(path: str, text: str = "attack") -> None:
    with open(path, "w") as file:
        file.write(text)


def main() -> None:
    victims = json.loads(sys.argv[1])
    for name in sys.argv[2:]:
        for what, attempt in ATTACKS[name](victims):
            try:
                attempt()
                answer = {"attack": name, "what": what, "stopped": False}
            except (OSError, MemoryError, RuntimeError) as error:
                answer = {"attack": name, "what": what, "stopped": True, "by": f"{type(error).__name__}: {error}"}
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
