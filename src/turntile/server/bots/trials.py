"""Trials: a bot's owner lets it play a real match against an easy opponent, and sees what went wrong.

The match is an ordinary one that nobody else finds: not listed, not rated, with a replay.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from turntile.core.errors import TurntileError
from turntile.core.registry import find, our_names
from turntile.server.bots.driving import GuestDriver
from turntile.server.bots.notebook import Entry, Notebook
from turntile.server.messages import OutcomeInfo
from turntile.server.seating import NewTable, SeatWish
from turntile.store.rows import BotRow, PlayerRow

if TYPE_CHECKING:
    from turntile.server.hall import Hall
    from turntile.server.table import Table

log = logging.getLogger("turntile.server.bots")

MOST_KEPT = 500
LONGEST_S = 1800.0
OPPONENT = "easy"

State = Literal["none", "waiting", "playing", "over", "failed"]


@dataclass(slots=True)
class Trial:
    """The last trial of one bot."""

    match: str
    seat: int
    state: State = "playing"
    what: str = ""  # one sentence on how it went
    outcome: OutcomeInfo | None = None
    step: int = 0
    failures: tuple[Entry, ...] = ()
    log: tuple[str, ...] = ()
    ended: bool = False  # and all is known of it
    table: Table | None = None


class Trials:
    """The last trial of each bot that had one lately."""

    def __init__(self, hall: Hall, notebook: Notebook, drivers: Mapping[str, GuestDriver]) -> None:
        self.hall = hall
        self.notebook = notebook
        self.drivers = drivers
        self.trials: OrderedDict[int, Trial] = OrderedDict()
        self.tasks: set[asyncio.Task[None]] = set()

    def last(self, bot: int) -> Trial | None:
        trial = self.trials.get(bot)
        if trial is not None and trial.table is not None:
            self.look(bot, trial, trial.table)
        return trial

    def running(self, bot: int) -> bool:
        trial = self.last(bot)
        return trial is not None and trial.state in ("waiting", "playing")

    async def start(self, owner: PlayerRow, player: PlayerRow, bot: BotRow, game: str, level: str) -> Trial:
        """Set up the match. Raises TurntileError."""
        chosen = find(game or bot.game or our_names()[0])
        options = {"players": 2} if "players" in chosen.options.__struct_fields__ else {}
        seats = (SeatWish(kind="bot", bot=f"@{player.name}"), SeatWish(kind="bot", bot=level or OPPONENT))
        wish = NewTable(game=chosen.name, options=options, seats=seats, listed=False, rated=False)
        self.notebook.forget(player.id)
        table = await self.hall.open_table(wish, owner)
        trial = Trial(table.id, 0, "playing" if table.match is not None else "waiting", table=table)
        self.trials[player.id] = trial
        self.trials.move_to_end(player.id)
        while len(self.trials) > MOST_KEPT:
            self.trials.popitem(last=False)
        task = asyncio.get_running_loop().create_task(self.watch(player.id, trial, table))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return trial

    async def watch(self, bot: int, trial: Trial, table: Table) -> None:
        """Wait for the end and write it down."""
        try:
            async with asyncio.timeout(LONGEST_S):
                await table.settled()
                driver = self.drivers.get(self.hall.places.get(bot, ""))
                if driver is not None:
                    await driver.gone(table.id, trial.seat)
            trial.ended = True
        except TimeoutError:
            trial.state = "failed"
            trial.what = f"the match did not end within {LONGEST_S / 60:.0f} minutes; it goes on without being watched"
        except TurntileError as refusal:
            trial.state = "failed"
            trial.what = str(refusal)
        self.look(bot, trial, table)
        trial.table = None

    def look(self, bot: int, trial: Trial, table: Table) -> None:
        info = table.info()
        page = self.notebook.page(bot)
        trial.step = info.step
        trial.failures = tuple(page.of_match(trial.match))
        trial.log = page.log
        if trial.state == "failed":
            return
        if trial.ended and info.outcome is not None:
            trial.outcome = info.outcome
            trial.state = "over"
            trial.what = summary(info.outcome, trial.seat, len(trial.failures))
        elif table.match is None and info.status == "open" and table.seats[trial.seat].player_id is not None:
            trial.state = "waiting"
            trial.what = "the bot has not taken its seat yet: does it read /api/stream/event and accept challenges?"
        elif table.match is None:
            trial.state = "failed"
            trial.what = "the bot did not take its seat: it declined the challenge, or did not answer it"
        elif info.status == "stopped":
            trial.state = "failed"
            trial.what = f"the match was stopped: {info.stopped}"
        else:
            trial.state = "playing"
            trial.what = f"step {info.step}"

    def close(self) -> None:
        for task in self.tasks:
            task.cancel()


def summary(outcome: OutcomeInfo, seat: int, failures: int) -> str:
    place = outcome.places[seat]
    how = "a draw" if len(set(outcome.places)) == 1 else "it won" if place == 1 else f"it came in place {place}"
    wrong = "no answer failed" if not failures else f"{failures} of its answers did not count"
    return f"{how}: {outcome.reason}; {wrong}"
