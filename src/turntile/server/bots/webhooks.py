"""Webhooks: bots that are web servers in Battlesnake's shape, asked by this server over http://.

Each request is waited for on a small pool of threads. The connection goes to the address that was
looked up and allowed (reach.py), never where an answer redirects to.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from turntile.core.errors import TurntileError
from turntile.core.game import Outcome
from turntile.players.guests import GuestFailed
from turntile.players.webhook import CONNECT_S, Description, InvalidAddress, WebhookGuest
from turntile.server.bots.driving import Desk, GuestDriver, Stint
from turntile.server.bots.notebook import Notebook
from turntile.server.bots.reach import MOST_CHARACTERS, resolve

if TYPE_CHECKING:
    from turntile.server.hall import Hall

THREADS = 32
PROBES = 2  # threads for servers that are being registered: slow ones hold up others' registrations, not matches
AT_ONCE = 4  # questions to one owner's bots at the same time: slow ones hold up their own matches, not others'


class PublicWebhook(WebhookGuest):
    """A web server at an address that was checked. The name goes into the request, the address onto the wire."""

    def __init__(self, address: str, name: str, allow_local: bool) -> None:
        if len(address) > MOST_CHARACTERS:
            raise InvalidAddress(f"an address of {len(address)} characters is too long: at most {MOST_CHARACTERS}")
        if not address.isascii() or not address.isprintable() or " " in address:
            raise InvalidAddress("an address has only letters, digits and signs of ASCII: encode others")
        super().__init__(address)
        self.name = name
        self.address = address
        self.allow_local = allow_local
        self.resolved = ""  # looked up once: a second answer could lead elsewhere
        self.interrupted = False

    def connect(self) -> None:
        try:
            if not self.resolved:
                self.resolved = resolve(self.host, self.port, self.allow_local)
            self.connection = socket.create_connection((self.resolved, self.port), CONNECT_S)
            self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except InvalidAddress as refusal:
            raise self.fail("crash", str(refusal), fatal=True) from None
        except OSError as error:
            what = f"nobody answers at {self.address}: {error.strerror or error}"
            raise self.fail("crash", what, fatal=True) from None

    def again(self) -> None:
        if self.interrupted:
            raise self.fail("crash", "the question no longer matters", fatal=True)
        super().again()

    def interrupt(self) -> None:
        """Let the thread that waits for an answer go on; may be called from another one."""
        self.interrupted = True
        connection = self.connection
        if connection is not None:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


def probe(address: str, allow_local: bool) -> Description:
    """What a web server says of itself at GET /. Waits. Raises TurntileError with what was wrong."""
    guest = PublicWebhook(address, address, allow_local)
    guest.stage = "hello"
    try:
        description: Description = guest.understand(guest.exchange("GET", "/", b""), Description)
    except GuestFailed as failed:
        raise InvalidAddress(f"GET {address} did not answer as a bot does: {failed.failure.what}") from None
    finally:
        guest.close()
    return description


class WebDesk(Desk):
    guest: PublicWebhook


class WebhookDriver(GuestDriver):
    """Asks web servers."""

    def __init__(self, hall: Hall, notebook: Notebook) -> None:
        super().__init__(hall, notebook)
        self.threads = ThreadPoolExecutor(THREADS, "webhook")
        self.probing = ThreadPoolExecutor(PROBES, "webhook-probe")
        self.desks: dict[tuple[str, int], WebDesk] = {}
        self.asking: Counter[int] = Counter()
        self.free = asyncio.Condition()

    async def probe(self, address: str) -> Description:
        """What a web server says of itself; raises TurntileError with what was wrong."""
        loop = asyncio.get_running_loop()
        allow_local = self.hall.settings.allow_local_webhooks
        return await loop.run_in_executor(self.probing, probe, address, allow_local)

    async def take_desk(self, stint: Stint) -> Desk:
        owner = stint.bot.owner_id
        async with self.free:
            await self.free.wait_for(lambda: self.asking[owner] < AT_ONCE)
            self.asking[owner] += 1
        place = (stint.table.id, stint.seat)
        if place not in self.desks:
            name = stint.table.seats[stint.seat].name
            try:
                guest = PublicWebhook(stint.bot.address, name, self.hall.settings.allow_local_webhooks)
            except TurntileError:
                await self.no_longer_asking(owner)
                raise
            self.desks[place] = WebDesk(guest, self.threads)
        return self.desks[place]

    async def leave_desk(self, stint: Stint, desk: Desk, fatal: bool) -> None:
        await self.no_longer_asking(stint.bot.owner_id)

    async def no_longer_asking(self, owner: int) -> None:
        async with self.free:
            self.asking[owner] -= 1
            if not self.asking[owner]:
                del self.asking[owner]
            self.free.notify_all()

    def interrupt(self, stint: Stint) -> None:
        desk = self.desks.get((stint.table.id, stint.seat))
        if desk is not None:
            desk.guest.interrupt()

    async def dismiss(self, stint: Stint, outcome: Outcome | None) -> None:
        desk = self.desks.pop((stint.table.id, stint.seat), None)
        if desk is None:
            return
        desk.guest.interrupted = False
        if outcome is not None and desk.match == stint.table.id:
            await desk.run(desk.guest.end, outcome)
        await desk.run(desk.guest.close)

    async def close(self) -> None:
        await super().close()
        for desk in self.desks.values():
            desk.guest.close()
        self.desks.clear()
        self.threads.shutdown(wait=False, cancel_futures=True)
        self.probing.shutdown(wait=False, cancel_futures=True)
