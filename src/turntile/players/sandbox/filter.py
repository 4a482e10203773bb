"""The filter of system calls that every sandboxed bot runs under, written as a program for the kernel.

Calls that ordinary programs make are let through; those that reach other processes, the network, the kernel's
settings or memory nobody counts are refused with an error the bot can read. It is a list of refusals: a list of what
is allowed would have to know the runtime of every language. What it must hold alone, without namespaces, is
`filter_program(alone=True)`.
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Sequence
from typing import NamedTuple

# The launcher puts the bot's own process number in place of this: only there it is known.
OWN_PID = 0x7E577E57


class Machine(NamedTuple):
    """What differs between processors: the name the kernel gives them, and the column of their call numbers."""

    audit: int
    column: int


MACHINES = {"x86_64": Machine(0xC000003E, 0), "aarch64": Machine(0xC00000B7, 1)}
X32_CALLS = 0x40000000  # a second set of numbers for the calls of x86_64; refused, else it would be a way round

# Call: its number on x86_64 and on aarch64 (-1: not there).
NUMBERS = {
    "accept": (43, 202), "accept4": (288, 242), "bind": (49, 200), "connect": (42, 203), "listen": (50, 201),
    "socket": (41, 198), "socketpair": (53, 199),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "process_madvise": (440, 440), "process_mrelease": (448, 448), "kcmp": (312, 272), "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438), "pidfd_send_signal": (424, 424),
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "execveat": (322, 281), "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "unshare": (272, 97),
    "setns": (308, 268), "move_mount": (429, 429), "open_tree": (428, 428), "open_tree_attr": (467, 467),
    "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "mount_setattr": (442, 442), "open_by_handle_at": (304, 265), "name_to_handle_at": (303, 264),
    "fanotify_init": (300, 262), "bpf": (321, 280), "perf_event_open": (298, 241), "add_key": (248, 217),
    "request_key": (249, 218), "keyctl": (250, 219), "init_module": (175, 105), "finit_module": (313, 273),
    "delete_module": (176, 106), "kexec_load": (246, 104), "kexec_file_load": (320, 294), "reboot": (169, 142),
    "swapon": (167, 224), "swapoff": (168, 225), "acct": (163, 89), "quotactl": (179, 60), "quotactl_fd": (443, 443),
    "syslog": (103, 116), "settimeofday": (164, 170), "clock_settime": (227, 112), "sethostname": (170, 161),
    "setdomainname": (171, 162), "vhangup": (153, 58), "iopl": (172, -1), "ioperm": (173, -1),
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "semget": (64, 190), "semop": (65, 193),
    "semctl": (66, 191), "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188), "msgctl": (71, 187),
    "mq_open": (240, 180),
    "setpriority": (141, 140), "ioprio_set": (251, 30), "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119), "sched_setparam": (142, 118), "sched_setattr": (314, 274),
    "migrate_pages": (256, 238), "move_pages": (279, 239),
    "clone": (56, 220), "clone3": (435, 435), "prlimit64": (302, 261), "mmap": (9, 222), "ioctl": (16, 29),
    "fcntl": (72, 25),
    "kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240), "setsid": (112, 157), "setpgid": (109, 154),
    "truncate": (76, 45), "chmod": (90, -1), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, -1), "fchown": (93, 55), "lchown": (94, -1), "fchownat": (260, 54), "utime": (132, -1),
    "utimes": (235, -1), "utimensat": (280, 88), "futimesat": (261, -1), "setxattr": (188, 5), "lsetxattr": (189, 6),
    "fsetxattr": (190, 7), "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "setxattrat": (463, 463), "removexattrat": (466, 466), "file_setattr": (469, 469),
}  # fmt: skip

# Programs take these for a kernel too old for them and use another way; a refusal would end them.
ABSENT = ("clone3", "memfd_create", "io_uring_setup", "io_uring_enter", "io_uring_register")

# Judged by their arguments, or only without namespaces.
WITH_ARGUMENTS = ("socketpair", "clone", "prlimit64", "mmap", "ioctl", "fcntl")
SIGNALS = ("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")
# Landlock leaves a file's mode, owner and times alone; and who cannot leave the group of processes dies with it.
ALONE = (
    "setsid", "setpgid", "truncate", "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown",
    "fchownat", "utime", "utimes", "utimensat", "futimesat", "setxattr", "lsetxattr", "fsetxattr", "removexattr",
    "lremovexattr", "fremovexattr", "setxattrat", "removexattrat", "file_setattr",
)  # fmt: skip
ALWAYS = tuple(name for name in NUMBERS if name not in (*ABSENT, *WITH_ARGUMENTS, *SIGNALS, *ALONE))

NEW_NAMESPACES = 0x7E020080  # every CLONE_NEW... flag
SOCK_TYPE, SOCK_STREAM = 0xF, 1
MAP_SHARED_ANONYMOUS, MAP_GROWSDOWN = 0x21, 0x100
TIOCSTI, TIOCLINUX, FIOSETOWN, SIOCSPGRP = 0x5412, 0x541C, 0x8901, 0x8902
F_SETOWN, F_SETOWN_EX = 8, 15

# The kernel's words for filter programs (linux/bpf_common.h, linux/seccomp.h).
LOAD, AND, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_ANY_BIT, RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
CALL_NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16

Instruction = tuple[int, int, int, int]  # code, how far to jump if true, if false, value


def supported() -> bool:
    """Whether the filter knows the calls of this processor."""
    return platform.machine() in MACHINES


def filter_program(*, alone: bool, signals: bool, machine: str = "") -> bytes:
    """The program; `alone` where no namespace helps, `signals` where nothing else keeps them from other processes."""
    audit, column = MACHINES[machine or platform.machine()]
    program: list[Instruction] = [
        (LOAD, 0, 0, ARCHITECTURE),
        (JUMP_EQUAL, 1, 0, audit),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, CALL_NUMBER),
    ]
    if column == 0:
        program += [(JUMP_AT_LEAST, 0, 1, X32_CALLS), refuse(errno.ENOSYS)]

    def on(name: str, answer: Sequence[Instruction]) -> None:
        number = NUMBERS[name][column]
        if number >= 0:
            program.append((JUMP_EQUAL, 0, len(answer), number))
            program.extend(answer)

    for name in ALWAYS:
        on(name, [refuse(errno.EPERM)])
    for name in ABSENT:
        on(name, [refuse(errno.ENOSYS)])
    # A pair of stream sockets talks to itself only; event loops wake themselves by one. Others could be addressed.
    on("socketpair", [argument(1), (AND, 0, 0, SOCK_TYPE), *only_if((SOCK_STREAM,))])
    on("clone", [argument(0), *unless_any_bit(NEW_NAMESPACES)])
    on("prlimit64", [argument(0), *only_if((0, OWN_PID))])
    # Memory is counted where it is private: shared memory without a file, and stacks that grow, are not.
    on(
        "mmap",
        [
            argument(3),
            (JUMP_ANY_BIT, 0, 1, MAP_GROWSDOWN),
            refuse(errno.EPERM),
            (AND, 0, 0, MAP_SHARED_ANONYMOUS),
            *unless((MAP_SHARED_ANONYMOUS,)),
        ],
    )
    on("ioctl", [argument(1), *unless((TIOCSTI, TIOCLINUX, FIOSETOWN, SIOCSPGRP))])
    on("fcntl", [argument(1), *unless((F_SETOWN, F_SETOWN_EX))])
    if alone:
        for name in ALONE:
            on(name, [refuse(errno.EPERM)])
    if signals:
        on("kill", [argument(0), *only_if((0, OWN_PID))])  # 0 is the bot's own group
        for name in SIGNALS[1:]:
            on(name, [argument(0), *only_if((OWN_PID,))])
    program.append((RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def refuse(error: int) -> Instruction:
    return (RETURN, 0, 0, ERRNO | error)


def argument(index: int) -> Instruction:
    """Loads the low half of an argument: those we judge are 32 bits wide, or flags that live there."""
    return (LOAD, 0, 0, ARGUMENTS + 8 * index)


def only_if(values: Sequence[int]) -> list[Instruction]:
    jumps = [(JUMP_EQUAL, len(values) - index, 0, value) for index, value in enumerate(values)]
    return [*jumps, refuse(errno.EPERM), (RETURN, 0, 0, ALLOW)]


def unless(values: Sequence[int]) -> list[Instruction]:
    jumps = [(JUMP_EQUAL, len(values) - index, 0, value) for index, value in enumerate(values)]
    return [*jumps, (RETURN, 0, 0, ALLOW), refuse(errno.EPERM)]


def unless_any_bit(bits: int) -> list[Instruction]:
    return [(JUMP_ANY_BIT, 0, 1, bits), refuse(errno.EPERM), (RETURN, 0, 0, ALLOW)]
