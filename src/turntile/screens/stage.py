"""What both terminal screens (playing and watching) are made of: one layout, one style, one smallest size."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar, overload

from textual import events
from textual.app import App, ComposeResult
from textual.containers import Container, VerticalScroll
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import RichLog, Static

from turntile.core.errors import TurntileError
from turntile.core.scene import Looks, Panel, Scene
from turntile.screens.board import PLAIN, Shape, shape_for
from turntile.screens.palette import no_colour
from turntile.screens.widgets import SIDE_LEAST, SIDE_WIDTH, BoardView, Listing, panel_rows

Part = TypeVar("Part", bound=Widget)

SMALLEST = (50, 16)  # columns, rows


class TerminalTooSmall(TurntileError):
    """A terminal in which no board can be shown."""


def too_small(columns: int, rows: int) -> str:
    """The sentence for a terminal that is too small, "" for one that is not."""
    if columns >= SMALLEST[0] and rows >= SMALLEST[1]:
        return ""
    return (
        f"a terminal of {columns}x{rows} is too small: it takes {SMALLEST[0]} columns and {SMALLEST[1]} rows; "
        "enlarge it, or use --plain"
    )


class StageApp(App[None]):
    """Title, board, and beside it (or, where the board is wide, below it) questions, panels and events."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { layout: vertical; }
    #title { height: 1; background: $panel; padding: 0 1; text-style: bold; }
    #middle { height: 1fr; layout: horizontal; }
    #board { height: 100%; }
    #side { width: 1fr; height: 100%; padding: 0 1; layout: vertical; }
    #asking { height: auto; }
    #asking-box { height: auto; max-height: 60%; margin-bottom: 1; }
    #rest { height: 1fr; layout: vertical; }
    #panels { height: auto; }
    #panels-box { height: auto; max-height: 60%; margin-bottom: 1; }
    #events { height: 1fr; min-height: 2; background: $background; }
    #middle.below { layout: vertical; }
    #middle.below #side { width: 100%; height: 1fr; layout: horizontal; }
    #middle.below #asking-box { width: 1fr; height: 100%; max-height: 100%; margin: 0 1 0 0; }
    #middle.below #rest { width: 1fr; height: 100%; }
    #middle.below #panels-box { margin: 0; }
    #board, #asking-box, #panels-box, #events {
        scrollbar-size: 1 1; scrollbar-background: $background; scrollbar-color: $panel;
    }
    #too-small { display: none; width: 100%; height: 100%; content-align: center middle; }
    .small #too-small { display: block; }
    .small #title, .small #middle, .small #bottom { display: none; }
    """

    def __init__(self, looks: Looks) -> None:
        super().__init__(ansi_color=no_colour() or None)  # with NO_COLOR: no colours at all, not shades of grey
        self.looks = looks
        self.scene: Scene | None = None
        self.viewer: int | None = None
        self.shape: Shape = PLAIN
        self.room: Size | None = None

    @overload
    def part(self, selector: str) -> Widget: ...

    @overload
    def part(self, selector: type[Part]) -> Part: ...

    @overload
    def part(self, selector: str, kind: type[Part]) -> Part: ...

    def part(self, selector: str | type[Widget], kind: type[Widget] = Widget) -> Widget:
        """A piece of the stage, also while a curtain or a page of help hangs before it."""
        stage = self.screen_stack[0]
        return stage.query_one(selector, kind) if isinstance(selector, str) else stage.query_one(selector)

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        with Container(id="middle"):
            yield BoardView(self.looks, id="board")
            with Container(id="side"):
                with VerticalScroll(id="asking-box", can_focus=False):
                    yield Listing(id="asking")
                with Container(id="rest"):
                    with VerticalScroll(id="panels-box", can_focus=False):
                        yield Listing(id="panels")
                    yield RichLog(id="events", wrap=True, min_width=10, max_lines=1000, markup=False)
        yield from self.compose_bottom()
        yield Static(id="too-small", markup=False)

    def compose_bottom(self) -> Iterable[Widget]:
        """What stands in the last lines."""
        return ()

    def on_mount(self) -> None:
        log = self.part("#events", RichLog)
        log.can_focus = False
        self.part(BoardView).focus()
        self.fit()

    def on_resize(self, event: events.Resize) -> None:
        self.room = event.size
        self.fit()

    def fit(self) -> None:
        """Choose where things stand, from the sizes of the terminal and of the board."""
        columns, rows = self.room or self.size
        sentence = too_small(columns, rows)
        self.screen_stack[0].set_class(bool(sentence), "small")
        self.part("#too-small", Static).update(sentence)
        if self.scene is not None and not sentence:
            board = self.part(BoardView)
            self.shape = shape_for(self.scene, columns - SIDE_WIDTH, rows - 3)
            wide, high = self.shape.size(self.scene)
            below = wide > columns - SIDE_LEAST
            if below:
                self.shape = shape_for(self.scene, columns, rows * 3 // 5)
                wide, high = self.shape.size(self.scene)
            self.part("#middle").set_class(below, "below")
            board.styles.width = "100%" if below else wide + (1 if high > rows - 2 else 0)
            board.styles.height = min(high + (1 if wide > columns else 0), rows * 3 // 5) if below else "100%"
            board.show(self.scene, self.viewer, self.shape)
            self.show_panels()

    def show_scene(self, scene: Scene, title: str, viewer: int | None) -> None:
        before = self.scene
        self.scene, self.viewer = scene, viewer
        self.part("#title", Static).update(title)
        if before is None or (scene.width, scene.height, scene.edges) != (before.width, before.height, before.edges):
            self.fit()
        else:
            self.part(BoardView).show(scene, viewer, self.shape)
            self.show_panels()

    def panels(self) -> Iterable[Panel]:
        """The panels to show now."""
        return self.scene.panels if self.scene is not None else ()

    def show_panels(self) -> None:
        room = self.part("#panels-box").size.width or SIDE_WIDTH
        self.part("#panels", Listing).show(panel_rows(list(self.panels()), room - 1))
