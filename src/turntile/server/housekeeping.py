"""What nobody needs any more is thrown away, now and then: sessions that have expired, guests who
never sat down, answers kept for requests that might be sent again.

With several processes on one database each does it; throwing away twice does no harm.
"""

from __future__ import annotations

import asyncio
import logging
import time

from turntile.server.settings import Settings
from turntile.store import Store, StoreError

EVERY_S = 3600.0
FIRST_AFTER_S = 60.0  # not while the matches of before are run again
ANSWERS_S = 86400.0

log = logging.getLogger("turntile.server.housekeeping")


async def keep_house(store: Store, settings: Settings) -> None:
    """Until it is cancelled."""
    await asyncio.sleep(FIRST_AFTER_S)
    while True:
        try:
            await throw_away(store, settings, time.time())
        except StoreError as error:
            log.warning("what is no longer needed could not be thrown away: %s", error)
        await asyncio.sleep(EVERY_S)


async def throw_away(store: Store, settings: Settings, now: float) -> None:
    sessions = await store.sessions.forget_expired(now)
    guests = await store.players.forget_guests(now - settings.guest_s)
    answers = await store.answers.forget(now - ANSWERS_S)
    log.info("thrown away: %d expired sessions, %d guests who never played, %d kept answers", sessions, guests, answers)
