"""Ctrl-C between two steps, never inside one."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from turntile.cli.interrupts import CtrlC


def press() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_ctrl_c_waits_for_the_end_of_a_piece() -> None:
    ctrl_c = CtrlC()
    done = []
    with ctrl_c.watched(), pytest.raises(KeyboardInterrupt), ctrl_c.uninterrupted():
        press()
        done.append("the step")
    assert done == ["the step"]


def test_ctrl_c_is_at_once_outside_of_pieces() -> None:
    ctrl_c = CtrlC()
    done = []
    with ctrl_c.watched():
        with ctrl_c.uninterrupted():
            done.append("the step")
        with pytest.raises(KeyboardInterrupt):
            press()
            signal.sigtimedwait([], 5)  # not reached: the signal comes first
    assert done == ["the step"]


def test_ctrl_c_is_given_back() -> None:
    before = signal.getsignal(signal.SIGINT)
    with CtrlC().watched():
        assert signal.getsignal(signal.SIGINT) != before
    assert signal.getsignal(signal.SIGINT) == before


def test_a_thread_of_its_own_takes_nothing_over() -> None:
    seen = []

    def elsewhere() -> None:
        before = signal.getsignal(signal.SIGINT)
        with CtrlC().watched():
            seen.append(signal.getsignal(signal.SIGINT) == before)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert seen == [True]
