"""The terminal screens, driven by keys and clicks; real games, real matches, no terminal."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Input, RichLog, Static

from tests.screens.films import tron_film
from turntile.core.bots import Bot, Turn
from turntile.core.registry import find
from turntile.core.scene import Scene
from turntile.match.match import Match, Step
from turntile.screens import terminal
from turntile.screens.stage import SMALLEST, TerminalTooSmall, too_small
from turntile.screens.table import Curtain, Explanation, TableApp
from turntile.screens.viewer import Scrubber, ViewerApp
from turntile.screens.widgets import BoardView, Listing, near


@dataclass
class Player:
    name: str
    bot: Bot | None = None


@dataclass
class Notes:
    """A witness that writes down what it is told."""

    steps: list[Step] = field(default_factory=list)
    resignations: list[tuple[int, str]] = field(default_factory=list)

    def stepped(self, match: Match, step: Step) -> None:
        self.steps.append(step)

    def resigned(self, match: Match, seat: int, why: str) -> None:
        self.resignations.append((seat, why))


HUMAN = Player("human")


def bot_of(game: str, name: str) -> Player:
    kind = next(kind for kind in find(game).bots if kind.name == name)
    return Player(name, kind.make(""))


def table(game: str, *players: Player, seed: int = 3, turn_ms: int = 0, notes: Notes | None = None) -> TableApp:
    options = find(game).options
    chosen = options(players=len(players)) if "players" in options.__struct_fields__ else options()
    match = Match.start(find(game), chosen, seed)
    witnesses = [notes] if notes is not None else []
    return TableApp(match, players, turn_ms=turn_ms, witnesses=witnesses, step_ms=1, stage_ms=1)


def drive(app: App[Any], script: Callable[[Pilot[Any]], Awaitable[None]], size: tuple[int, int] = (80, 24)) -> None:
    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(pilot)

    asyncio.run(run())


async def until(pilot: Pilot[Any], come: Callable[[], bool]) -> None:
    """Wait for what a thread or a timer brings."""
    for _ in range(500):
        await pilot.pause(0.01)
        if come():
            return
    raise AssertionError("it did not come within five seconds")


def shown(app: TableApp | ViewerApp) -> Scene:
    scene = app.part(BoardView).scene
    assert scene is not None
    return scene


def text_of(widget: Static) -> str:
    return str(widget.render())


def asked(app: TableApp) -> int | None:
    """The seat whose question stands."""
    return app.asking.seat if app.asking is not None else None


def typed(text: str) -> list[str]:
    return ["space" if char == " " else char for char in text]


def cell_at(app: TableApp, x: int, y: int) -> tuple[int, int]:
    """Where on the board's widget a cell is."""
    board = app.part(BoardView)
    column, row = board.shape.place_of(x, y)
    return column - round(board.scroll_x), row - round(board.scroll_y)


# ------------------------------------------------------------------------- playing in turn


def test_a_key_plays_and_witnesses_are_told() -> None:
    notes = Notes()
    app = table("racers", HUMAN, HUMAN, notes=notes)

    async def script(pilot: Pilot[Any]) -> None:
        choice = next(choice for choice in app.match.scene(0).choices if choice.key and not choice.group)
        await pilot.press(choice.key)
        await pilot.pause()
        assert [step.played[0].text for step in notes.steps] == [choice.action]

    drive(app, script)


def test_a_click_on_a_cell_plays_the_choice_that_points_there() -> None:
    notes = Notes()
    app = table("racers", HUMAN, HUMAN, notes=notes)

    async def script(pilot: Pilot[Any]) -> None:
        choice = next(choice for choice in app.match.scene(0).choices if choice.cell and not choice.group)
        assert choice.cell is not None
        await pilot.click(BoardView, offset=cell_at(app, *choice.cell))
        await pilot.pause()
        assert [step.played[0].text for step in notes.steps] == [choice.action]

    drive(app, script)


def test_the_mouse_on_a_cell_asks_what_is_there() -> None:
    app = table("racers", HUMAN, HUMAN)

    async def script(pilot: Pilot[Any]) -> None:
        await pilot.hover(BoardView, offset=cell_at(app, 0, 9))
        await pilot.pause()
        assert str(app.part(BoardView).tooltip).startswith("(0, 9): ")

    drive(app, script)


def test_a_click_on_an_answer_plays_it() -> None:
    notes = Notes()
    app = table("racers", HUMAN, HUMAN, notes=notes)

    async def script(pilot: Pilot[Any]) -> None:
        assert app.asking is not None
        label = app.asking.question.answers[0].label
        row = next(row for row, line in enumerate(app.asking.lines()) if line.text == label)
        await pilot.click("#asking", offset=(2, row))
        await pilot.pause()
        assert len(notes.steps) == 1

    drive(app, script)


def test_typed_text_plays_and_a_refusal_says_why() -> None:
    notes = Notes()
    app = table("racers", HUMAN, HUMAN, notes=notes)

    async def script(pilot: Pilot[Any]) -> None:
        await pilot.press("slash")
        assert app.part("#typed", Input).has_focus
        await pilot.press(*"fly", "enter")
        await pilot.pause()
        assert notes.steps == []
        assert "fly" in text_of(app.part("#message", Static))
        assert app.part(BoardView).has_focus
        await pilot.press("slash", *typed(app.match.legal(0)[0]), "enter")
        await pilot.pause()
        assert len(notes.steps) == 1
        assert not app.part("#message", Static).display

    drive(app, script)


def test_typing_resign_gives_up_and_the_match_ends() -> None:
    notes = Notes()
    app = table("racers", HUMAN, HUMAN, notes=notes)

    async def script(pilot: Pilot[Any]) -> None:
        await pilot.press("slash", *"resign", "enter")
        await pilot.pause()
        assert notes.resignations == [(0, "resigned")]
        assert app.finished
        assert "The match is over" in text_of(app.part("#asking", Listing))
        await pilot.press("enter")
        await pilot.pause()
        assert not app.is_running

    drive(app, script)


def test_a_bot_answers_from_its_own_thread_and_the_screen_goes_on() -> None:
    """While a bot thinks, keys and help work; its answer is played when it comes."""
    go = threading.Event()
    threads: list[str] = []

    def slow(turn: Turn) -> str:
        threads.append(threading.current_thread().name)
        assert go.wait(10)
        return turn.legal[0]

    notes = Notes()
    app = table("racers", Player("slow", slow), HUMAN, notes=notes)

    async def script(pilot: Pilot[Any]) -> None:
        await pilot.press("f1")
        assert isinstance(app.screen, Explanation)
        await pilot.press("escape")
        assert notes.steps == []
        go.set()
        await until(pilot, lambda: app.asking is not None and app.asking.seat == 1)
        assert notes.steps
        assert set(threads) == {"bots"}

    drive(app, script)


def test_a_bot_that_fails_gives_up_and_says_why() -> None:
    def broken(turn: Turn) -> str:
        raise ValueError("no idea")

    notes = Notes()
    app = table("racers", Player("broken", broken), HUMAN, notes=notes)

    async def script(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: app.finished)
        assert notes.resignations == [(0, "failed: ValueError: no idea")]

    drive(app, script)


def test_bots_alone_play_to_the_end() -> None:
    app = table("tron", bot_of("tron", "random"), bot_of("tron", "random"))

    async def script(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: app.finished)
        assert app.match.over

    drive(app, script)


# ------------------------------------------------------------------------- hands, parts, secrets


def test_a_program_is_put_together_from_the_hand() -> None:
    notes = Notes()
    app = table("roborace", HUMAN, bot_of("roborace", "random"), notes=notes)

    async def script(pilot: Pilot[Any]) -> None:
        asking = app.asking
        assert asking is not None
        assert asking.hand is not None
        await pilot.press("3", "1", "2", "backspace", "4", "5", "6")
        assert asking.picked == [2, 0, 3, 4, 5]
        assert len(shown(app).marks) > len(asking.scene.marks), "the way of the program is shown"
        words = [asking.hand.cards[number].word for number in asking.picked]
        expected = app.match.game.parse(app.match.record, 0, " ".join(words))
        await pilot.press("enter")
        await until(pilot, lambda: bool(notes.steps))
        assert notes.steps[0].played[0].action == expected

    drive(app, script)


def test_stages_are_shown_one_by_one_and_any_key_skips_them() -> None:
    notes = Notes()
    app = table("roborace", HUMAN, bot_of("roborace", "random"), notes=notes)
    app.stage_ms = 60_000

    async def script(pilot: Pilot[Any]) -> None:
        await pilot.press("1", "2", "3", "4", "5", "enter")
        await until(pilot, lambda: app.showing)
        assert len(app.moments) > 3
        stages = app.match.stages(notes.steps[0], 0)
        assert shown(app) == stages[0].scene
        await pilot.press("x")
        await pilot.pause()
        assert not app.showing
        assert app.finished or app.asking is not None

    drive(app, script)


def test_parts_are_installed_by_key() -> None:
    notes = Notes()
    app = table("robots", HUMAN, bot_of("robots", "random"), notes=notes)

    async def script(pilot: Pilot[Any]) -> None:
        assert app.asking is not None
        part = app.asking.installable()[0]
        await pilot.press(app.asking.part_key(part))
        await until(pilot, lambda: bool(notes.steps))
        assert notes.steps[0].played[0].text == part.action

    drive(app, script)


def test_a_curtain_falls_when_the_keyboard_changes_hands_in_a_game_with_secrets() -> None:
    app = table("roborace", HUMAN, HUMAN)

    async def script(pilot: Pilot[Any]) -> None:
        assert isinstance(app.screen, Curtain)
        await pilot.press("enter")
        await pilot.pause()
        assert asked(app) == 0
        await pilot.press("1", "2", "3", "4", "5", "enter")
        await pilot.pause()
        assert isinstance(app.screen, Curtain)
        assert asked(app) is None
        await pilot.press("enter")
        await pilot.pause()
        assert asked(app) == 1
        assert shown(app) == app.match.scene(1)

    drive(app, script)


def test_no_curtain_where_there_are_no_secrets() -> None:
    """Rowdy Racers hides things from both players alike: there is nothing to hide from each other."""
    app = table("racers", HUMAN, HUMAN)

    async def script(pilot: Pilot[Any]) -> None:
        assert not isinstance(app.screen, Curtain)

    drive(app, script)


# ------------------------------------------------------------------------- real time


def test_silence_goes_straight_on_and_keys_of_two_people_steer() -> None:
    """Nothing moves before the start; each person has keys of his own."""
    notes = Notes()
    app = table("tron", HUMAN, HUMAN, turn_ms=200, notes=notes)

    def said() -> set[tuple[int, str]]:
        return {(seat, did.text) for step in notes.steps for seat, did in step.played.items() if not did.silent}

    async def script(pilot: Pilot[Any]) -> None:
        await pilot.pause(0.1)
        assert notes.steps == []
        await pilot.press("space")
        await until(pilot, lambda: len(notes.steps) >= 2)
        assert all(played.silent for played in notes.steps[0].played.values())
        await pilot.press("up", "s")
        await until(pilot, lambda: {(0, "up"), (1, "down")} <= said())

    drive(app, script)


def test_p_pauses() -> None:
    notes = Notes()
    app = table("tron", HUMAN, bot_of("tron", "random"), turn_ms=20, notes=notes)

    async def script(pilot: Pilot[Any]) -> None:
        await pilot.press("space")
        await until(pilot, lambda: len(notes.steps) >= 1)
        await pilot.press("p")
        before = len(notes.steps)
        await pilot.pause(0.15)
        assert len(notes.steps) <= before + 1

    drive(app, script)


# ------------------------------------------------------------------------- sizes and colours


def test_a_terminal_too_small_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("LINES", "10")
    with pytest.raises(TerminalTooSmall, match="30x10 is too small: it takes 50 columns and 16 rows"):
        terminal.play(Match.start(find("tron")), [HUMAN, HUMAN])
    with pytest.raises(TerminalTooSmall):
        terminal.watch(tron_film(1))
    assert too_small(*SMALLEST) == ""


def test_a_terminal_made_too_small_says_so_until_it_is_large_again() -> None:
    app = table("tron", HUMAN, HUMAN)

    async def script(pilot: Pilot[Any]) -> None:
        await pilot.resize_terminal(40, 12)
        await pilot.pause()
        assert app.part("#too-small", Static).display
        assert "50 columns and 16 rows" in text_of(app.part("#too-small", Static))
        assert not app.part("#middle").display
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert app.part("#middle").display

    drive(app, script)


@pytest.mark.parametrize("size", [SMALLEST, (80, 24), (140, 45)])
@pytest.mark.parametrize("game", ["tron", "racers", "worms", "roborace", "robots"])
def test_every_game_fits_every_size(game: str, size: tuple[int, int]) -> None:
    """Board, question and story are on the screen, and the own cell is in sight."""
    app = table(game, HUMAN, bot_of(game, "random"))

    async def script(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: app.asking is not None)
        board = app.part(BoardView)
        assert board.size.width >= 10
        assert board.size.height >= 5
        for selector in ("#asking-box", "#events"):
            region = app.part(selector).region
            assert region.width >= 10, selector
            assert region.right <= size[0]
            assert region.bottom <= size[1]
        assert app.part("#asking-box").region.height >= 2

    drive(app, script, size)


def test_the_board_scrolls_as_little_as_it_must() -> None:
    assert near(at=50, start=0, room=20, whole=100, margin=4) == 35
    assert near(at=10, start=0, room=20, whole=100, margin=4) == 0
    assert near(at=2, start=30, room=20, whole=100, margin=4) == 0
    assert near(at=99, start=0, room=20, whole=100, margin=4) == 80
    assert near(at=5, start=0, room=20, whole=10, margin=4) == 0


def test_no_color_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a single colour is sent, not even a grey one."""
    monkeypatch.setenv("NO_COLOR", "1")
    app = table("tron", HUMAN, HUMAN)

    async def script(pilot: Pilot[Any]) -> None:
        colours = set()
        for line in app.screen._compositor.render_strips():
            for filter in app._filters:
                line = line.apply_filter(filter, app.screen.styles.background)
            for segment in line:
                if segment.style is not None:
                    colours |= {segment.style.color, segment.style.bgcolor}
        assert all(colour is None or colour.is_default for colour in colours)

    drive(app, script)


def test_leaving_is_not_an_end_and_ctrl_c_is_told_apart() -> None:
    app = table("tron", HUMAN, HUMAN)

    async def leave(pilot: Pilot[Any]) -> None:
        await pilot.press("ctrl+q")
        await pilot.pause()
        assert not app.is_running
        assert not app.interrupted

    drive(app, leave)
    stopped = table("tron", HUMAN, HUMAN)

    async def stop(pilot: Pilot[Any]) -> None:
        await pilot.press("ctrl+c")
        await pilot.pause()
        assert stopped.interrupted

    drive(stopped, stop)


# ------------------------------------------------------------------------- watching


def viewer(playing: bool = False, ms: int = 10_000) -> ViewerApp:
    return ViewerApp(tron_film(12), ms_per_frame=ms, playing=playing)


def test_keys_step_through_a_film() -> None:
    app = viewer()

    async def script(pilot: Pilot[Any]) -> None:
        await pilot.press("right", "right")
        assert app.at == 2
        assert shown(app) == app.pictures[2].scene
        await pilot.press("left")
        assert app.at == 1
        await pilot.press("end")
        assert app.at == app.last
        await pilot.press("home")
        assert app.at == 0
        await pilot.press("pagedown")
        assert app.at == min(10, app.last)

    drive(app, script)


def test_a_film_plays_to_its_end_and_from_there_begins_again() -> None:
    app = viewer(playing=True, ms=10)

    async def script(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: app.at == app.last)
        assert "‖" in text_of(app.part(Scrubber))
        app.ms_per_frame = 10_000
        await pilot.press("space")
        assert "▶" in text_of(app.part(Scrubber))
        assert app.at == 0
        await pilot.press("plus")
        assert "2×" in text_of(app.part(Scrubber))

    drive(app, script)


def test_a_click_on_the_bar_goes_there() -> None:
    app = viewer()

    async def script(pilot: Pilot[Any]) -> None:
        await pilot.click(Scrubber, offset=(2 + app.part(Scrubber).room, 0))
        await pilot.pause()
        assert app.at == app.last
        await pilot.click(Scrubber, offset=(3, 0))
        await pilot.pause()
        assert app.at == 0

    drive(app, script)


def test_the_story_of_a_film_grows_with_it() -> None:
    app = ViewerApp(tron_film(400), ms_per_frame=10_000, playing=False)

    async def script(pilot: Pilot[Any]) -> None:
        assert not app.part("#events", RichLog).lines
        await pilot.press("end")
        await pilot.pause()
        assert app.part("#events", RichLog).lines
        assert app.film.outcome is not None
        assert app.film.outcome.reason in text_of(app.part("#caption", Static))

    drive(app, script)
