"""The hall: all live tables of this process.

Everybody else goes through it to open a table, to find one, to take a seat. It also does what
must be done now and then: shows watchers what they may see by now, gives back the memory of
idle tables, removes open ones nobody came to.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

import msgspec

from turntile.core.errors import TurntileError
from turntile.core.game import Game
from turntile.core.registry import find as find_game
from turntile.server import standing
from turntile.server.addresses import own_address
from turntile.server.drivers import Bystander, Driver
from turntile.server.easel import Easel
from turntile.server.infos import stored_info
from turntile.server.levels import Level, check_bot, find_level
from turntile.server.messages import MatchInfo
from turntile.server.seating import (
    CannotSit,
    NewTable,
    SeatWish,
    bot_seat,
    check_bot_plays,
    check_clock,
    count_seats,
    draw_seed,
    kept_for,
    seat_for,
    settle_options,
    why_unrated,
)
from turntile.server.settings import Settings
from turntile.server.table import Table
from turntile.server.thinkers import Thinkers
from turntile.store import Store, new_match_id
from turntile.store.rows import MatchRow, PlayerRow, SeatRow

log = logging.getLogger(__name__)

SHOW_WATCHERS_S = 0.5
TIDY_S = 10.0
STOP_WITHIN_S = 5.0
RECONNECT_MS = 1000
REVIVED_AT_ONCE = 4  # matches that are run again at the same time after a restart


class Hall:
    """All live tables of this process, and the way to those of others."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.thinkers = Thinkers(settings.thinkers, settings.thinking_s)
        self.easel = Easel()
        self.drivers: dict[str, Driver] = {}  # by the kind of a registered bot: webhook, upload
        self.bystanders: list[Bystander] = []
        self.process = settings.process_id or secrets.token_hex(6)
        self.tables: dict[str, Table] = {}  # open or playing
        self.finished: dict[str, Table] = {}  # over, and somebody still listens
        self.watched: set[Table] = set()  # those with watchers who are behind
        self.places: dict[int, str] = {}  # where registered bots at live tables are: webhook ...
        self.reviving: dict[str, asyncio.Task[Table | None]] = {}
        self.tasks: set[asyncio.Task[Any]] = set()
        self.explaining = asyncio.Semaphore(1)  # questions that take long, one after the other: matches come first
        self.refused = 0  # actions, resignations and bids, for /metrics
        self.on_ack: Callable[[float], None] | None = None  # hears how long acknowledgements took, for /metrics
        self.started = False
        self.stopping = False

    # ------------------------------------------------------------------- starting and stopping

    async def start(self) -> None:
        """Claim the matches that were going on; they are run again in the background, asked-for ones first."""
        self.store.process = self.process
        if self.store.shared:
            now = await self.store.processes.now()
            await self.store.processes.beat(self.process, own_address(self.settings), now)
            await self.store.matches.claim(self.process, stale_before=now - self.settings.stale_s)
        else:
            await self.store.matches.claim_all(self.process)
        self.adopt(await self.store.matches.ids(("open", "playing"), owner=self.process))
        self.spawn(self.show_watchers())
        self.spawn(self.keep_tidy())
        self.started = True

    async def stop(self) -> None:
        """Finish what is being written, and tell clients to come again. May be called twice."""
        if self.stopping:
            return
        self.stopping = True
        for bystander in self.bystanders:
            bystander.closing()
        for table in [*self.tables.values(), *self.finished.values()]:
            table.tell_reconnect(RECONNECT_MS)
        deadline = time.monotonic() + STOP_WITHIN_S
        while any(table.busy for table in self.tables.values()) and time.monotonic() < deadline:
            await asyncio.sleep(0.01)
        for table in self.tables.values():
            table.close()
        self.easel.close()
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.thinkers.close()

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """A task that is kept until it is done, and whose failure is written down."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.done)
        return task

    def done(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("a task of the hall failed", exc_info=task.exception())

    # ------------------------------------------------------------------- finding tables

    async def find(self, match_id: str) -> Table | None:
        """The live table, open or playing, of this process."""
        table = self.tables.get(match_id)
        if table is not None:
            return table
        if match_id not in self.reviving:
            row = await self.store.matches.get(match_id)
            if row is None or row.owner != self.process or row.status not in ("open", "playing"):
                return None
        return await self.revive(match_id)

    def adopt(self, match_ids: Iterable[str]) -> None:
        """Go on with matches that are now this process's, a few at a time."""
        waiting = [match_id for match_id in match_ids if match_id not in self.tables]

        async def revive_some() -> None:
            while waiting:
                match_id = waiting.pop(0)
                try:
                    await self.revive(match_id)
                except TurntileError as error:
                    log.error("match %s cannot go on: %s", match_id, error)

        for _ in range(min(REVIVED_AT_ONCE, len(waiting))):
            self.spawn(revive_some())

    async def revive(self, match_id: str) -> Table | None:
        """Run a stored match again; once, however many ask for it."""
        if match_id in self.tables:
            return self.tables[match_id]
        task = self.reviving.get(match_id)
        if task is None:
            task = self.reviving[match_id] = self.spawn(self.run_again(match_id))
            task.add_done_callback(lambda _: self.reviving.pop(match_id, None))
        return await asyncio.shield(task)

    async def run_again(self, match_id: str) -> Table | None:
        row = await self.store.matches.get(match_id)
        if row is None or row.owner != self.process or row.status not in ("open", "playing"):
            return None
        table = await self.make_table(row)
        if row.status == "playing":
            await self.run_journal(table)
        self.tables[match_id] = table
        for seat in table.seats:
            if seat.kind == "open" and seat.player_id is not None:
                self.tell_invited(table, seat)
        async with table.lock:
            await self.begin_if_due(table)  # the server may have been killed between the last seat and the beginning
        return table

    async def run_journal(self, table: Table) -> None:
        """From what is stored to a match that goes on, or is ended where it was not yet."""
        row = table.row
        entries = await self.store.read_journal(row.id)
        try:
            if row.rules_version != table.game.rules_version:
                raise TurntileError(f"the rules of {table.game.title} have changed since it began")
            found = await asyncio.to_thread(standing.rerun, row, entries)
        except Exception as error:  # of another version, or damaged: one match must not keep the server from starting
            log.exception("match %s cannot be run again", row.id)
            table.number = len(entries)
            table.stop(f"it could not go on after a restart: {error}")
            table.end()
            return
        table.begin(found, entries)

    async def make_table(self, row: MatchRow) -> Table:
        ids = {seat.player_id for seat in row.seats if seat.player_id is not None}
        named = ids | ({row.created_by} if row.created_by is not None else set())
        players = await self.store.players.many(named)
        ratings = await self.store.ratings.many(ids, row.game)
        await self.find_places(row.seats)
        return Table(
            self,
            row,
            {player.id: player.name for player in players.values()},
            {player_id: rating.rating for player_id, rating in ratings.items()},
        )

    async def find_places(self, seats: Iterable[SeatRow]) -> None:
        for seat in seats:
            if seat.kind == "bot" and seat.player_id is not None and seat.player_id not in self.places:
                bot = await self.store.bots.get(seat.player_id)
                if bot is not None:
                    self.places[seat.player_id] = bot.kind

    def drivers_of(self, table: Table) -> dict[int, Driver]:
        """Those who play seats of this table for bots outside."""
        found: dict[int, Driver] = {}
        for seat in table.seats:
            if seat.kind == "bot" and seat.player_id is not None:
                driver = self.drivers.get(self.places.get(seat.player_id, ""))
                if driver is not None:
                    found[seat.seat] = driver
        return found

    async def owns(self, match_id: str) -> bool:
        return await self.store.matches.owner(match_id) == self.process

    async def info(self, match_id: str, viewer: int | None) -> MatchInfo | None:
        """What this player may know of a match, live or over."""
        table = self.tables.get(match_id) or self.finished.get(match_id)
        if table is not None:
            return table.info(table.seats_of(viewer) if viewer is not None else ())
        row = await self.store.matches.get(match_id)
        if row is None:
            return None
        ids = {seat.player_id for seat in row.seats if seat.player_id is not None}
        named = ids | ({row.created_by} if row.created_by is not None else set())
        names = {player.id: player.name for player in (await self.store.players.many(named)).values()}
        ratings = await self.store.ratings.many(ids, row.game)
        return stored_info(row, names, {one: rating.rating for one, rating in ratings.items()}, viewer)

    # ------------------------------------------------------------------- opening a table

    async def open_table(self, wish: NewTable, creator: PlayerRow) -> Table:
        """A new table; it begins at once if no seat is open. Raises TurntileError."""
        self.refuse_too_many(creator)
        game = find_game(wish.game)
        seed = draw_seed()
        options = settle_options(game, wish)
        count = count_seats(game, options, seed, len(wish.seats))
        clock = check_clock(game, wish.clock)
        wishes = [*wish.seats, *[SeatWish()] * (count - len(wish.seats))]
        players: dict[int, PlayerRow] = {creator.id: creator}
        seats: list[SeatRow] = []
        for number, one in enumerate(wishes):
            seats.append(await self.seat(game, one, number, creator, players))
        if wish.rated and (why := why_unrated(seats, players)):
            raise CannotSit(why)
        row = MatchRow(
            id=new_match_id(),
            game=game.name,
            rules_version=game.rules_version,
            options=options,
            seed=seed,
            clock=clock,
            listed=wish.listed,
            rated=wish.rated,
            created=time.time(),
            owner=self.process,
            created_by=creator.id,
            seats=tuple(seats),
        )
        table = await self.put_up(row)
        assert table is not None, row.id
        return table

    def refuse_too_many(self, creator: PlayerRow) -> None:
        if self.stopping:
            raise CannotSit("the server goes away: come again in a moment")
        if len(self.tables) >= self.settings.most_tables:
            raise CannotSit("there are too many tables already: join one, or come back later")
        own = sum(table.row.created_by == creator.id for table in self.tables.values())
        if own >= self.settings.tables_per_player:
            raise CannotSit(f"{creator.name} has {own} tables already: finish or leave one first")

    async def seat(
        self, game: Game, wish: SeatWish, number: int, creator: PlayerRow, players: dict[int, PlayerRow]
    ) -> SeatRow:
        """Who sits there, if it can be had. `players` learns of those who have accounts."""
        if wish.kind == "open":
            return SeatRow(number)
        if wish.kind == "me":
            return seat_for(creator, number, wish.name)
        if wish.bot.startswith("@"):
            found = await self.store.bots.by_name(wish.bot[1:])
            if found is None:
                raise CannotSit(f"there is no bot called {wish.bot[1:41]!r}: its owner registers it at /bots")
            player, bot = found
            check_bot_plays(player, bot, game)
            self.places[player.id] = bot.kind
            players[player.id] = player
            return bot_seat(player, bot, number)
        level = find_level(game, wish.bot)
        if level is None:
            spelling = check_bot(game, wish.bot)
            return SeatRow(number, None, f"{game.title} {spelling}", "builtin", spelling)
        player = await self.level_player(level)
        players[player.id] = player
        return SeatRow(number, player.id, level.name, "builtin", level.level)

    async def level_player(self, level: Level) -> PlayerRow:
        return await self.store.players.builtin(level.name, time.time())

    async def put_up(self, row: MatchRow) -> Table | None:
        """Store a new table, and begin if nobody is missing. None: it would be a second rematch of the same match.

        It can be found here before it can be read of anywhere: else who is quick would find it in the store, and
        there would be two tables of one match.
        """
        table = await self.make_table(row)
        async with table.lock:
            self.tables[row.id] = table
            stored = False
            try:
                if row.rematch_of is None:
                    await self.store.matches.create(row)
                    stored = True
                else:
                    stored = await self.store.matches.create_rematch(row) == row.id
            finally:
                if not stored:
                    self.forget(table)
            if not stored:
                return None
            for seat in table.seats:
                if seat.kind == "open" and seat.player_id is not None:
                    self.tell_invited(table, seat)
            await self.begin_if_full(table)
        return table

    async def begin_if_due(self, table: Table) -> None:
        """Begin where that failed when the last seat was taken."""
        if table.row.status == "open" and self.tables.get(table.id) is table:
            await self.begin_if_full(table)

    async def begin_if_full(self, table: Table) -> None:
        if any(seat.kind == "open" for seat in table.seats):
            return
        started = time.time()
        if not await self.store.matches.begin(table.id, started):
            raise CannotSit("this table has just been closed")
        await self.find_places(table.seats)
        table.row = msgspec.structs.replace(table.row, status="playing", started=started)
        table.tell_all("the match begins")
        table.begin(standing.begin(table.row))
        for bystander in self.bystanders:
            bystander.began(table)

    # ------------------------------------------------------------------- taking and leaving seats

    async def join(self, table: Table, player: PlayerRow, seat: int | None = None, name: str = "") -> int:
        """Take an open seat, or the one kept for this player; the seat. Raises TurntileError."""
        async with table.lock:
            self.refuse_begun(table)
            number = self.choose_seat(table, player, seat)
            taken = seat_for(player, number, name)
            if player.kind == "bot":
                bot = await self.store.bots.get(player.id)
                if bot is not None:
                    check_bot_plays(player, bot, table.game)
            if table.row.rated:
                await self.refuse_unrated(table, taken, player)
            await self.store.matches.put_seat(table.id, taken)
            table.names[player.id] = player.name
            rating = (await self.store.ratings.many([player.id], table.row.game)).get(player.id)
            if rating is not None:
                table.ratings[player.id] = rating.rating
            table.reseat(taken)
            table.tell_all(f"{taken.name} sits down", number)
            await self.begin_if_full(table)
            return number

    def refuse_begun(self, table: Table) -> None:
        if table.row.status != "open" or self.tables.get(table.id) is not table:
            raise CannotSit("the match has begun: its seats are taken")

    def choose_seat(self, table: Table, player: PlayerRow, wanted: int | None) -> int:
        if wanted is None:
            if table.seats_of(player.id):
                raise CannotSit(f"{player.name} sits at this table already: name a seat to play a second one")
            free = [seat for seat in table.seats if seat.kind == "open" and seat.player_id in (None, player.id)]
            if not free:
                raise CannotSit("no seat is free at this table: watch, or open a table of your own")
            return min(free, key=lambda seat: (seat.player_id is None, seat.seat)).seat
        if not 0 <= wanted < len(table.seats):
            raise CannotSit(f"there is no seat {wanted}: seats are 0 to {len(table.seats) - 1}")
        seat = table.seats[wanted]
        if seat.kind != "open":
            raise CannotSit(f"seat {wanted} is taken by {seat.name}: choose another")
        if seat.player_id not in (None, player.id):
            raise CannotSit(f"seat {wanted} is kept for {seat.name}: choose another")
        return wanted

    async def refuse_unrated(self, table: Table, taken: SeatRow, player: PlayerRow) -> None:
        seats = [taken if seat.seat == taken.seat else seat for seat in table.seats]
        players = await self.store.players.many(seat.player_id for seat in seats if seat.player_id is not None)
        if why := why_unrated(seats, players | {player.id: player}):
            raise CannotSit(why)

    async def leave(self, table: Table, player: PlayerRow) -> None:
        """Get up before the match begins; also the answer of a bot that declines."""
        async with table.lock:
            self.refuse_begun(table)
            mine = [seat for seat in table.seats if seat.player_id == player.id]
            if not mine:
                raise CannotSit(f"{player.name} does not sit at this table")
            for seat in mine:
                free = SeatRow(seat.seat)
                await self.store.matches.put_seat(table.id, free)
                table.reseat(free)
                if seat.kind == "open":
                    self.tell_uninvited(table, seat)
                what = "declines" if seat.kind == "open" else "gets up"
                table.tell_all(f"{seat.name} {what}: the seat is free", seat.seat)
            if not any(seat.kind in ("human", "bot") for seat in table.seats):
                await self.remove(table, "everybody has left")

    async def remove(self, table: Table, why: str) -> None:
        """Take an open table away."""
        if not await self.store.matches.remove(table.id):
            return
        for seat in table.seats:
            if seat.kind == "open" and seat.player_id is not None:
                self.tell_uninvited(table, seat)
        table.row = msgspec.structs.replace(table.row, status="stopped", stopped=why)
        table.stopped = why
        table.tell_all(f"the table is closed: {why}")
        table.close()
        self.forget(table)

    async def take_back(self, table: Table, why: str) -> None:
        """A table that should not be there."""
        async with table.lock:
            await self.remove(table, why)
        table.stop(why)  # if it has begun
        await table.settled()

    def tell_invited(self, table: Table, seat: SeatRow) -> None:
        assert seat.player_id is not None
        for bystander in self.bystanders:
            bystander.invited(table, seat.seat, seat.player_id)

    def tell_uninvited(self, table: Table, seat: SeatRow) -> None:
        assert seat.player_id is not None
        for bystander in self.bystanders:
            bystander.uninvited(table, seat.seat, seat.player_id)

    # ------------------------------------------------------------------- rematch

    async def rematch(self, match_id: str, player: PlayerRow) -> Table:
        """The next table of the same players, seats rotated; who asks is seated there."""
        live = self.tables.get(match_id)
        if live is not None and live.ending:
            await live.settled()
        row = await self.store.matches.get(match_id)
        if row is None:
            raise CannotSit(f"there is no match {match_id!r}")
        if row.status not in ("over", "stopped"):
            raise CannotSit("the match is not over yet: play on, or resign")
        if not any(seat.player_id == player.id for seat in row.seats):
            raise CannotSit("only those who played can ask for a rematch")
        if row.rematch is None:
            return await self.ask_rematch(row, player)
        table = await self.find(row.rematch)
        if table is None:
            raise CannotSit("the rematch has been played or closed: set up a new table")
        if table.row.status == "open" and not table.seats_of(player.id):
            await self.join(table, player)
        return table

    async def ask_rematch(self, row: MatchRow, player: PlayerRow) -> Table:
        self.refuse_too_many(player)
        known = await self.store.players.many(seat.player_id for seat in row.seats if seat.player_id is not None)
        seats = [await self.seat_again(row, number, player, known) for number in range(len(row.seats))]
        following = MatchRow(
            id=new_match_id(),
            game=row.game,
            rules_version=find_game(row.game).rules_version,
            options=row.options,
            seed=draw_seed(),
            clock=row.clock,
            listed=row.listed,
            rated=row.rated and not why_unrated(seats, known | {player.id: player}),
            created=time.time(),
            owner=self.process,
            rematch_of=row.id,
            created_by=player.id,
            seats=tuple(seats),
        )
        table = await self.put_up(following)
        if table is None:
            return await self.rematch(row.id, player)  # somebody else asked in the same moment
        before = self.finished.get(row.id)
        if before is not None:
            before.row = msgspec.structs.replace(before.row, rematch=following.id)
            before.tell_all(f"{player.name} asks for a rematch")
        return table

    async def seat_again(self, row: MatchRow, number: int, asking: PlayerRow, known: dict[int, PlayerRow]) -> SeatRow:
        """Everybody moves on by one seat."""
        old = row.seats[(number + 1) % len(row.seats)]
        if old.kind == "builtin" or old.player_id is None:
            return msgspec.structs.replace(old, seat=number, score=None, place=None)
        player = known[old.player_id]
        if player.id == asking.id:
            return seat_for(player, number, old.name)
        if player.kind != "bot":
            return kept_for(player, number)
        bot = await self.store.bots.get(player.id)
        if bot is None:
            raise CannotSit(f"{player.name} does not play any more: set up a new table")
        check_bot_plays(player, bot, find_game(row.game))
        return bot_seat(player, bot, number)

    # ------------------------------------------------------------------- tables that end

    def over(self, table: Table) -> None:
        """Its ending is stored. Those who still listen may ask for a rematch."""
        self.forget(table)
        if table.ears():
            self.finished[table.id] = table
        for bystander in self.bystanders:
            bystander.ended(table)

    def forget(self, table: Table) -> None:
        if self.tables.get(table.id) is table:
            del self.tables[table.id]
        self.watched.discard(table)

    def unheard(self, table: Table) -> None:
        """Nobody listens there any more."""
        self.finished.pop(table.id, None)

    # ------------------------------------------------------------------- now and then

    async def show_watchers(self) -> None:
        while True:
            await asyncio.sleep(SHOW_WATCHERS_S)
            for table in list(self.watched):
                await asyncio.sleep(0)  # pictures take their time: between two tables those who play have their turn
                try:
                    if table.delayed is not None:
                        table.delayed.advance()
                except Exception:  # one table's fault; the watchers of others are to see theirs
                    log.exception("table %s: its watchers see nothing more", table.id)
                    self.watched.discard(table)

    async def keep_tidy(self) -> None:
        while True:
            await asyncio.sleep(TIDY_S)
            now = asyncio.get_running_loop().time()
            for table in list(self.tables.values()):
                try:
                    await self.tidy(table, now)
                except Exception:  # the store is away, or one table is at fault: the next time, and the next table
                    log.exception("table %s could not be tidied", table.id)

    async def tidy(self, table: Table, now: float) -> None:
        table.tidy(now)
        if table.row.status == "open":
            async with table.lock:
                if table.row.status == "open" and self.deserted(table, now):
                    await self.remove(table, "nobody came")
                await self.begin_if_due(table)

    def deserted(self, table: Table, now: float) -> bool:
        return not table.ears() and now - table.touched > self.settings.open_table_s
