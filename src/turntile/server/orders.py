"""What a table is asked to do: its inbox holds these, and each carries who wants the answer."""

from __future__ import annotations

import asyncio

import msgspec

from turntile.core.errors import IllegalAction
from turntile.match.remarks import Failure, Remark
from turntile.server.ears import Hearer, Letter, NotStored
from turntile.server.messages import Ack, Refused

NOT_STORED = "NOT_STORED"  # the key of a refusal that is our fault


class Choose(msgspec.Struct):
    """A seat's message: an action, or several."""

    seat: int
    seq: int  # 0: whatever is next
    text: str
    step: int = -1  # the step it is meant for; -1: whichever it is
    time_s: float | None = None  # None: measured by the table
    note: str = ""
    remarks: tuple[Remark, ...] = ()
    reply: Hearer | None = None
    arrived: float = 0.0  # by the loop's clock; 0: now


class Think(msgspec.Struct):
    """What a built-in bot has thought out for a step."""

    seat: int
    text: str
    step: int
    time_s: float
    reply: None = None


class Fail(msgspec.Struct):
    """A bot's answer that does not count."""

    seat: int
    failure: Failure
    time_s: float = 0.0
    step: int = -1
    reply: Hearer | None = None


class GiveUp(msgspec.Struct):
    seat: int
    why: str = "resigned"
    failure: Failure | None = None
    reply: Hearer | None = None


class Bid(msgspec.Struct):
    """An offer of a draw, or the answer to one."""

    seat: int
    answer: str
    reply: Hearer | None = None


class TimePassed(msgspec.Struct):
    """Something may be due."""

    reply: None = None


Order = Choose | Think | Fail | GiveUp | Bid | TimePassed


class Promise:
    """Waits for the answer to an order; for those who are not sockets."""

    __slots__ = ("future",)

    def __init__(self) -> None:
        self.future: asyncio.Future[Ack] = asyncio.get_running_loop().create_future()

    def hear(self, letter: Letter) -> None:
        message = letter.message
        if self.future.done():
            return
        if isinstance(message, Ack):
            self.future.set_result(message)
        elif isinstance(message, Refused):
            fault = message.key == NOT_STORED
            error = NotStored(message.sentence) if fault else IllegalAction(message.sentence, message.key)
            self.future.set_exception(error)
