"""What stopped a bot, from how it ended and from the last words it wrote to stderr."""

from __future__ import annotations

NOT_STARTED = 125  # the launcher's exit code for "the bot was never started"
COMPLAINT = "turntile sandbox: "  # begins the launcher's line that says why

# Limits are mostly met as errors that a runtime turns into its own last words.
LAST_WORDS = (
    ("memory", ("MemoryError", "bad_alloc", "out of memory", "OutOfMemory", "annot allocate memory", "ENOMEM")),
    ("processes", ("esource temporarily unavailable", "can't start new thread", "unable to create native thread",
                   "annot fork", "EAGAIN", "BlockingIOError")),
    ("file size", ("File too large", "EFBIG", "No space left on device", "ENOSPC")),
    ("forbidden", ("Operation not permitted", "Permission denied", "PermissionError", "EPERM", "EACCES",
                   "Read-only file system", "EROFS")),
)  # fmt: skip
# Linux's numbers: other systems, where names are missing, read these verdicts too.
SIGNALS = {9: "killed", 24: "cpu", 25: "file size", 31: "forbidden"}
LAST_SIGNAL = 64
SHELLS_SIGNAL = 128  # bubblewrap reports an end by a signal as shells do


def verdict(returncode: int, errors: str = "") -> str:
    """One of: ended, not started, memory, cpu, processes, file size, forbidden, killed, crashed, failed.

    `killed` is by the referee, or by the kernel when the machine itself ran out of memory; `crashed` is by another
    signal; `failed` is any other exit code but 0. `errors` are the last lines of the bot's stderr.
    """
    if returncode == 0:
        return "ended"
    if returncode == NOT_STARTED and COMPLAINT in errors:
        return "not started"
    number = -returncode if returncode < 0 else returncode - SHELLS_SIGNAL
    by_signal = 0 < number <= LAST_SIGNAL
    if by_signal and number in SIGNALS:
        return SIGNALS[number]
    for name, words in LAST_WORDS:
        if any(word in errors for word in words):
            return name
    return "crashed" if by_signal else "failed"


def why_not_started(errors: str) -> str:
    """The launcher's complaint, or bubblewrap's: the line that says why no bot was started."""
    lines = [line for line in errors.splitlines() if line.startswith((COMPLAINT, "bwrap: "))]
    return lines[-1].removeprefix(COMPLAINT) if lines else ""
