"""The hall: all live tables of this process."""

from __future__ import annotations

from turntile.server.drivers import Bystander, Driver
from turntile.server.messages import MatchInfo
from turntile.server.seating import NewTable
from turntile.server.settings import Settings
from turntile.server.table import Table
from turntile.store import PlayerRow, Store


class Hall:
    """All live tables of this process, and the way to those of others."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.drivers: dict[str, Driver] = {}  # by the kind of a registered bot: webhook, upload
        self.bystanders: list[Bystander] = []
        self.tables: dict[str, Table] = {}

    async def start(self) -> None:
        """Claim the matches that were going on; they are re-run in the background, asked-for ones first."""
        raise NotImplementedError

    async def stop(self) -> None:
        """Finish what is being written, and tell clients to come again."""
        raise NotImplementedError

    async def open_table(self, wish: NewTable, creator: PlayerRow) -> Table:
        """A new table; it begins at once if no seat is open. Raises TurntileError."""
        raise NotImplementedError

    async def find(self, match_id: str) -> Table | None:
        """The live table, open or playing, of this process."""
        raise NotImplementedError

    async def join(self, table: Table, player: PlayerRow, seat: int | None = None, name: str = "") -> int:
        """Take an open seat, or the one kept for this player; the seat. Raises TurntileError."""
        raise NotImplementedError

    async def leave(self, table: Table, player: PlayerRow) -> None:
        """Get up before the match begins; also the answer of a bot that declines."""
        raise NotImplementedError

    async def rematch(self, match_id: str, player: PlayerRow) -> Table:
        """The next table of the same players, seats rotated; who asks is seated there."""
        raise NotImplementedError

    async def info(self, match_id: str, viewer: int | None) -> MatchInfo | None:
        """What this player may know of a match, live or over."""
        raise NotImplementedError
