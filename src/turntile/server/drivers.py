"""Those who play a seat for a bot that lives outside: webhooks, uploads.

A driver is told when its bot is to act and answers by `Table.act`, `Table.fail` or
`Table.resign`. Its functions run as tasks of their own: a bot that takes its time holds up
nobody. What a driver raises counts as its bot's failure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from turntile.server.table import Table


class Driver(Protocol):
    async def begin(self, table: Table, seat: int) -> None:
        """The match begins, or goes on after a restart of the server. Returns before the first `your_turn`."""
        ...

    async def your_turn(self, table: Table, seat: int) -> None:
        """Once for each step the seat is to act in. May return early and answer later."""
        ...

    async def over(self, table: Table, seat: int) -> None:
        """The match is over, or was stopped."""
        ...


class Bystander(Protocol):
    """Who wants to know what happens in the hall: streams of events, metrics. Called on the loop; must not wait."""

    def invited(self, table: Table, seat: int, player_id: int) -> None:
        """A seat is kept for this player (a bot behind NAT, who was at the last match): `Hall.join` takes it."""
        ...

    def uninvited(self, table: Table, seat: int, player_id: int) -> None:
        """The seat is no longer kept for him."""
        ...

    def began(self, table: Table) -> None: ...

    def ended(self, table: Table) -> None:
        """Its ending is stored."""
        ...

    def closing(self) -> None:
        """The hall stops: whoever still listens is to come again."""
        ...
