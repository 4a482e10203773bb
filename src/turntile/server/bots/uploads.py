"""Uploaded bots: one Python file each, run in the sandbox or not at all.

A file lies in a folder of its own, one for each version, which is all of the arena's files that the
sandbox shows to it. Its program is started when it is first asked and kept across matches. Of all
programs at most `settings.upload_processes` run at once: the one longest unused is ended for
another, also in the middle of a match; it is then started anew and told `newgame` when its next
turn comes. So nobody can hold programs by sitting idle at tables.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from turntile.core.errors import TurntileError
from turntile.core.game import Outcome
from turntile.match.remarks import FailureKind
from turntile.players.guests import GuestFailed
from turntile.players.process import Launch, ProcessGuest
from turntile.players.processes import Program
from turntile.players.sandbox import Limits, Sandbox, choose
from turntile.players.sandbox.limits import MEGABYTE
from turntile.server.bots import runner
from turntile.server.bots.driving import Desk, GuestDriver, Stint
from turntile.server.bots.notebook import Notebook
from turntile.store.rows import BotRow

if TYPE_CHECKING:
    from turntile.server.hall import Hall
    from turntile.server.table import Table

POLICY = "auto"  # untrusted code: whatever sandbox holds here, never none
LIMITS = Limits(memory=512 * MEGABYTE, cpu_seconds=7200, processes=16, files=64)
HELLO_S = 10.0  # to start
NEWGAME_S = 10.0
FILE = "bot.py"
RESTING_S = 1.0  # a program not asked for so long may be ended for another
PATIENCE_S = 5.0  # ... and any after so long: a bot must not wait for ever
KEPT_S = 120.0  # a program without a match
TIRED_S = 600.0  # a program that has thought so long is started anew for the next match, far from the sandbox's limit
NICENESS = "5"  # people's moves come before bots' thoughts


class InvalidUpload(TurntileError):
    """A file that cannot be a bot."""


def check_file(name: str, code: bytes, most: int) -> None:
    """What can be told of a file without reading it as a program, which only the sandbox does."""
    if not name.endswith(".py"):
        raise InvalidUpload(f"{name[:80]!r} is no Python file: a bot is one file whose name ends with .py")
    if not code.strip():
        raise InvalidUpload(f"{name[:80]!r} is empty: write def bot(observation) that returns an action's text")
    if len(code) > most:
        raise InvalidUpload(f"{name[:80]!r} has {len(code)} bytes: at most {most}")
    try:
        text = code.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidUpload(f"{name[:80]!r} is no text in UTF-8: byte {error.start} does not fit") from None
    if "\0" in text:
        raise InvalidUpload(f"{name[:80]!r} is no text: it has a zero byte")


def holding_sandbox() -> Sandbox:
    """The sandbox for uploads; the first call runs attacks against it, so not on the loop. Raises SandboxRefused."""
    return choose(POLICY)


def write_file(root: Path, bot: BotRow, code: bytes) -> Path:
    """The folder of a version, with its file. Made beside and moved, so that it is there whole or not at all."""
    folder = root / "uploads" / str(bot.player_id) / str(bot.version)
    file = folder / FILE
    if not file.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        for place in (root / "uploads", folder.parent, folder):
            place.chmod(0o755)  # the sandbox runs it as another user
        draft = folder / f"draft-{os.getpid()}-{id(code)}"
        draft.write_bytes(code)
        draft.chmod(0o644)
        draft.replace(file)
    return folder.resolve()


def remove_versions(folder: Path, kept: set[int]) -> None:
    """The folders of a bot's versions that no match needs any more."""
    for place in folder.iterdir():
        if place.name.isdigit() and int(place.name) not in kept:
            shutil.rmtree(place, ignore_errors=True)


class UploadedBot(ProcessGuest):
    """An uploaded file's program, in the sandbox."""

    def __init__(self, folder: Path, name: str) -> None:
        python = str(Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}")
        command = [python, "-I", "-u", runner.__file__, str(folder / FILE)]
        super().__init__(command, launch=Launch(sandbox=POLICY, hello_s=HELLO_S, newgame_s=NEWGAME_S))
        self.name = name
        self.folder = folder

    def run(self) -> Program:
        sandbox = holding_sandbox()
        command = sandbox.wrap(self.command, folder=self.folder, limits=LIMITS)
        nice = shutil.which("nice")
        return Program([nice, "-n", NICENESS, *command] if nice else command, sandbox.environment())

    def fail(
        self, kind: FailureKind, what: str, time_s: float = 0.0, limit_s: float | None = None, fatal: bool = False
    ) -> GuestFailed:
        """Without the folders of this machine, which are nobody's business."""
        failed = super().fail(kind, self.plain_text(what), time_s, limit_s, fatal)
        lines = tuple(map(self.plain_text, failed.failure.stderr))
        return GuestFailed(msgspec.structs.replace(failed.failure, stderr=lines), failed.fatal)

    def plain_text(self, line: str) -> str:
        return line.replace(f"{self.folder}/", "").replace(f"{Path(runner.__file__).parent}/", "")

    def kill(self) -> None:
        """End it at once, whatever its thread waits for; may be called from another one."""
        program = self.program
        if program is not None:
            program.signal_group(signal.SIGKILL)

    def log_lines(self) -> tuple[str, ...]:
        if self.program is None:
            return ()
        self.program.read_log()
        return tuple(map(self.plain_text, self.program.log.lines()))


class Workplace(Desk):
    """A program and its own thread: the sandbox ends a program together with the thread that started it."""

    guest: UploadedBot

    def __init__(self, bot: BotRow, folder: Path, name: str) -> None:
        super().__init__(UploadedBot(folder, name), ThreadPoolExecutor(1, f"upload-{bot.player_id}"))
        self.of = (bot.player_id, bot.version)
        self.owner = bot.owner_id
        self.stint: Stint | None = None  # whose match its program knows
        self.asked = False
        self.rests_since = 0.0

    async def close(self) -> None:
        await self.run(self.guest.close)
        self.threads.shutdown(wait=False)


class UploadDriver(GuestDriver):
    """Asks uploaded bots."""

    def __init__(self, hall: Hall, notebook: Notebook) -> None:
        super().__init__(hall, notebook)
        self.workplaces: list[Workplace] = []  # the one longest unused first
        self.free = asyncio.Condition()
        self.folders: dict[tuple[int, int], Path] = {}

    async def begin(self, table: Table, seat: int) -> None:
        await super().begin(table, seat)
        stint = self.stints.get((table.id, seat))
        if stint is not None:
            await self.folder_of(stint.bot)  # now: a later upload replaces the code in the store

    async def folder_of(self, bot: BotRow) -> Path:
        version = (bot.player_id, bot.version)
        if version not in self.folders:
            code = await self.hall.store.bots.code(bot.player_id)
            root = self.hall.settings.data_dir
            self.folders[version] = await asyncio.to_thread(write_file, root, bot, code or b"")
            await asyncio.to_thread(remove_versions, self.folders[version].parent, self.versions_in_use(bot.player_id))
        return self.folders[version]

    def versions_in_use(self, bot: int) -> set[int]:
        played = {stint.bot.version for stint in self.stints.values() if stint.bot.player_id == bot}
        known = [version for other, version in self.folders if other == bot]
        for version in known:
            if version not in played and version != max(known):
                del self.folders[bot, version]
        return played | {max(known)}

    # ------------------------------------------------------------------- programs

    async def take_desk(self, stint: Stint) -> Workplace:
        """The program that knows this match, an idle one of the same file, or a new one in the place of another."""
        asked_at = self.now()
        folder = await self.folder_of(stint.bot)
        async with self.free:
            while True:
                if self.asks_enough(stint.bot.owner_id):
                    await self.free.wait()
                    continue
                place = self.find(stint) or self.make_room(stint, folder, impatient=self.now() - asked_at > PATIENCE_S)
                if place is not None:
                    place.asked = True
                    place.stint = stint
                    return place
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(RESTING_S / 2):
                        await self.free.wait()

    def make_room(self, stint: Stint, folder: Path, impatient: bool) -> Workplace | None:
        """A new place, if there is room for one or another is not needed."""
        if len(self.workplaces) >= self.hall.settings.upload_processes:
            unused = self.least_needed(impatient)
            if unused is None:
                return None
            self.workplaces.remove(unused)
            self.start(self.end(unused))
        made = Workplace(stint.bot, folder, stint.table.seats[stint.seat].name)
        self.workplaces.append(made)
        return made

    def asks_enough(self, owner: int) -> bool:
        """Whether one owner's bots are thinking at half of the places: others' are to have the rest."""
        thinking = sum(place.asked and place.owner == owner for place in self.workplaces)
        return thinking >= max(1, self.hall.settings.upload_processes // 2)

    def least_needed(self, impatient: bool) -> Workplace | None:
        """The one longest unused. Of a match that goes on briskly only if somebody has waited long enough."""
        now = self.now()
        for place in self.workplaces:
            if not place.asked and (impatient or place.stint is None or now - place.rests_since > RESTING_S):
                return place
        return None

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def find(self, stint: Stint) -> Workplace | None:
        own = [place for place in self.workplaces if place.stint is stint and not place.asked]
        version = (stint.bot.player_id, stint.bot.version)
        idle = [place for place in self.workplaces if place.of == version and place.stint is None and not place.asked]
        return next(iter([*own, *idle]), None)

    async def leave_desk(self, stint: Stint, desk: Desk, fatal: bool) -> None:
        assert isinstance(desk, Workplace)
        desk.asked = False
        desk.rests_since = self.now()
        async with self.free:
            if desk in self.workplaces:
                self.workplaces.remove(desk)
                if not fatal:
                    self.workplaces.append(desk)
            self.free.notify_all()
        if fatal:
            await self.end(desk)

    async def end(self, place: Workplace) -> None:
        self.notebook.logged(place.of[0], place.guest.log_lines() if not place.asked else ())
        await place.close()

    def interrupt(self, stint: Stint) -> None:
        for place in self.workplaces:
            if place.stint is stint and place.asked:
                place.guest.kill()

    async def dismiss(self, stint: Stint, outcome: Outcome | None) -> None:
        for place in self.workplaces:
            if place.stint is stint:
                place.asked = True  # nobody else takes it meanwhile
                if outcome is not None:
                    await place.run(place.guest.end, outcome)
                self.notebook.logged(stint.bot.player_id, await place.run(place.guest.log_lines))
                place.stint = None
                place.match = ""
                await self.leave_desk(stint, place, fatal=place.guest.program is None or place.spent_s > TIRED_S)
                asyncio.get_running_loop().call_later(KEPT_S, self.let_go, place)
                return

    def let_go(self, place: Workplace) -> None:
        """It has had no match for long enough."""
        if place in self.workplaces and place.stint is None and self.now() - place.rests_since >= KEPT_S:
            self.workplaces.remove(place)
            self.start(self.end(place))

    async def forget(self, bot: int) -> None:
        """The bot is gone: so are its programs that nobody asks. Matches that go on get new ones."""
        for place in list(self.workplaces):
            if place.of[0] == bot and not place.asked:
                self.workplaces.remove(place)
                await self.end(place)

    async def close(self) -> None:
        await super().close()
        for place in self.workplaces:
            if place.asked:
                place.guest.kill()
        places, self.workplaces = self.workplaces, []
        await asyncio.gather(*(place.close() for place in places), return_exceptions=True)
