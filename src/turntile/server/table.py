"""A table: one live match."""

from __future__ import annotations

from turntile.match.match import Match
from turntile.match.remarks import Failure, Remark
from turntile.server.ears import Ear
from turntile.server.messages import Ack, MatchInfo
from turntile.store.rows import MatchRow, SeatRow


class Table:
    """One live match: open, playing, or over and not stored yet."""

    id: str
    row: MatchRow  # as it is stored; its `steps` are told at the end only
    seats: list[SeatRow]
    match: Match | None  # None while seats are open

    async def act(
        self,
        seat: int,
        seq: int,
        text: str,
        *,
        step: int = -1,
        time_s: float | None = None,
        note: str = "",
        remarks: tuple[Remark, ...] = (),
    ) -> Ack:
        """Play an action and wait until it is stored. `seq` 0: whatever is next; `time_s` None: measured here.

        Raises TurntileError where it is refused, NotStored where the server failed.
        """
        raise NotImplementedError

    async def fail(self, seat: int, failure: Failure, time_s: float = 0.0) -> None:
        """An answer of a bot that does not count: silence, or more than is forgiven."""
        raise NotImplementedError

    async def resign(self, seat: int, why: str = "resigned", failure: Failure | None = None) -> None:
        raise NotImplementedError

    async def draw(self, seat: int, answer: str) -> None:
        """`offer`, `accept` or `decline`."""
        raise NotImplementedError

    async def settled(self) -> None:
        """Returns when the match is over and its replay is stored."""
        raise NotImplementedError

    def seats_of(self, player_id: int) -> tuple[int, ...]:
        raise NotImplementedError

    def info(self, mine: tuple[int, ...] = ()) -> MatchInfo:
        raise NotImplementedError

    def subscribe(self, ear: Ear, since: int = -1) -> None:
        """From now on the ear hears all; the first is a frame with the lines since that step."""
        raise NotImplementedError

    def unsubscribe(self, ear: Ear) -> None:
        raise NotImplementedError

    def catch_up(self, ear: Ear) -> None:
        """An ear that was not ready is: it is given the newest frame, if there is one."""
        raise NotImplementedError
