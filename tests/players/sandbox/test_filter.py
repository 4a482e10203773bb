"""The filter's program, run by a small machine of our own: also for processors we are not on."""

from __future__ import annotations

import errno
import struct

import pytest

from turntile.players.sandbox.filter import ALLOW, ERRNO, KILL, MACHINES, NUMBERS, OWN_PID, filter_program

READ = {"x86_64": 0, "aarch64": 63}
OTHER_PID = 4711


def judge(program: bytes, audit: int, number: int, arguments: tuple[int, ...] = ()) -> int:
    """What the kernel would answer to a call (linux/filter.h, in the few instructions we use)."""
    data = struct.pack("=IIQ6Q", number, audit, 0, *arguments, *[0] * (6 - len(arguments)))
    steps = list(struct.iter_unpack("=HBBI", program))
    held, at = 0, 0
    while True:
        code, if_true, if_false, value = steps[at]
        at += 1
        if code == 0x20:
            held = struct.unpack_from("=I", data, value)[0]
        elif code == 0x54:
            held &= value
        elif code == 0x06:
            return int(value)
        else:
            truth = {0x15: held == value, 0x35: held >= value, 0x45: held & value != 0}[code]
            at += if_true if truth else if_false


def answer(machine: str, name: str, *arguments: int, alone: bool = False, signals: bool = False) -> int:
    program = filter_program(alone=alone, signals=signals, machine=machine)
    audit, column = MACHINES[machine]
    return judge(program, audit, NUMBERS[name][column], arguments)


@pytest.fixture(params=MACHINES)
def machine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_ordinary_calls_pass(machine: str) -> None:
    program = filter_program(alone=True, signals=True, machine=machine)
    assert judge(program, MACHINES[machine].audit, READ[machine]) == ALLOW


def test_calls_of_another_processor_end_the_bot(machine: str) -> None:
    """Their numbers mean other calls."""
    program = filter_program(alone=False, signals=False, machine=machine)
    assert judge(program, 0x40000003, READ[machine]) == KILL


def test_the_second_numbers_of_x86_64_are_refused() -> None:
    program = filter_program(alone=False, signals=False, machine="x86_64")
    assert judge(program, MACHINES["x86_64"].audit, 0x40000000 + 41) == ERRNO | errno.ENOSYS


@pytest.mark.parametrize("name", ["socket", "connect", "ptrace", "mount", "unshare", "bpf", "shmget", "execveat"])
def test_what_reaches_beyond_the_bot_is_refused(machine: str, name: str) -> None:
    assert answer(machine, name) == ERRNO | errno.EPERM


def test_a_kernel_without_new_calls_is_pretended_where_programs_know_a_way_round(machine: str) -> None:
    assert answer(machine, "clone3") == ERRNO | errno.ENOSYS
    assert answer(machine, "memfd_create") == ERRNO | errno.ENOSYS


@pytest.mark.parametrize(
    ("name", "allowed", "refused"),
    [
        ("socketpair", (1, 0x80801), (1, 2)),  # a stream with flags; datagrams
        ("clone", (0x3D0F00,), (0x10000000 | 17,)),  # a thread; a user namespace
        ("prlimit64", (0,), (OTHER_PID,)),
        ("mmap", (0, 0, 3, 0x22), (0, 0, 3, 0x21)),  # private; shared, without a file
        ("mmap", (0, 0, 3, 0x01), (0, 0, 3, 0x122)),  # a shared file; a stack that grows
        ("ioctl", (2, 0x5401), (2, 0x5412)),  # the terminal's state; typing into it
        ("fcntl", (3, 3), (3, 8)),  # flags; who gets signals
    ],
)
def test_some_calls_are_judged_by_their_arguments(
    machine: str, name: str, allowed: tuple[int, ...], refused: tuple[int, ...]
) -> None:
    assert answer(machine, name, *allowed) == ALLOW
    assert answer(machine, name, *refused) == ERRNO | errno.EPERM


def test_signals_go_to_the_bot_itself_only_where_nothing_else_sees_to_it(machine: str) -> None:
    assert answer(machine, "kill", OTHER_PID) == ALLOW
    assert answer(machine, "kill", OTHER_PID, signals=True) == ERRNO | errno.EPERM
    assert answer(machine, "tgkill", OTHER_PID, signals=True) == ERRNO | errno.EPERM
    assert answer(machine, "kill", 0xFFFFFFFF, signals=True) == ERRNO | errno.EPERM
    assert answer(machine, "kill", 0, signals=True) == ALLOW
    assert answer(machine, "tgkill", OWN_PID, signals=True) == ALLOW


def test_without_namespaces_files_keep_their_modes_and_bots_their_group(machine: str) -> None:
    for name in ("fchmodat", "utimensat", "setxattr", "truncate", "setsid"):
        assert answer(machine, name) == ALLOW
        assert answer(machine, name, alone=True) == ERRNO | errno.EPERM
