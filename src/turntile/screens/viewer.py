"""Watching a film in the terminal: play, pause, scrub, speed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widget import Widget
from textual.widgets import RichLog, Static

from turntile.core.errors import InvalidOptions
from turntile.match.film import Film
from turntile.screens.pictures import pictures_of
from turntile.screens.stage import StageApp
from turntile.screens.table import Explanation

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
HELP = """\
Space            play, pause
Left, Right      one step back, on
PgUp, PgDn       ten steps
Home, End        to the start, to the end
+ and -, Up, Down  faster, slower
Click on the bar   go there
q, Ctrl+Q        leave"""


class Scrubber(Static):
    """Where in the film we are; a click goes there."""

    class Moved(Message):
        def __init__(self, share: float) -> None:
            super().__init__()
            self.share = share

    room = 10  # columns of the bar itself

    def show(self, at: int, last: int, label: str, playing: bool) -> None:
        sign = "▶" if playing else "‖"
        room = max(10, (self.size.width or 80) - len(label) - 6)
        done = round(at * (room - 1) / last) if last else 0
        text = Text(f" {sign} ", style="bold")
        text.append("━" * done, style="cyan")
        text.append("●", style="bold cyan")
        text.append("─" * (room - 1 - done), style="dim")
        text.append(f" {label}")
        self.update(text)
        self.room = room

    def on_click(self, event: events.Click) -> None:
        self.post_message(self.Moved(max(0.0, min(1.0, (event.x - 3) / max(1, self.room - 1)))))


class ViewerApp(StageApp):
    """One film."""

    CSS = (
        StageApp.CSS
        + """
    #bottom { height: 1; }
    #caption { height: 1; padding: 0 1; color: $text-muted; }
    .small #caption { display: none; }
    """
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,k", "play_or_pause", "play or pause", priority=True),
        Binding("left", "step(-1)", priority=True),
        Binding("right", "step(1)", priority=True),
        Binding("pageup", "step(-10)", priority=True),
        Binding("pagedown", "step(10)", priority=True),
        Binding("home", "step(-1000000000)", priority=True),
        Binding("end", "step(1000000000)", priority=True),
        Binding("plus,up,equals_sign", "faster(1)", priority=True),
        Binding("minus,down", "faster(-1)", priority=True),
        Binding("f1,question_mark", "explain", priority=True),
        Binding("q,ctrl+q,escape", "leave", priority=True),
        Binding("ctrl+c", "stop", priority=True),
    ]

    def __init__(self, film: Film, *, ms_per_frame: int, playing: bool) -> None:
        super().__init__(film.looks)
        self.film = film
        self.pictures = pictures_of(film)
        if not self.pictures:
            raise InvalidOptions("a film without pictures cannot be watched")
        self.ms_per_frame = ms_per_frame
        self.at = 0
        self.playing = playing
        self.speed = SPEEDS.index(1.0)
        self.beat_number = 0
        self.interrupted = False

    @property
    def last(self) -> int:
        return len(self.pictures) - 1

    def compose_bottom(self) -> Iterable[Widget]:
        yield Static(id="caption", markup=False)
        yield Scrubber(id="bottom")

    def on_mount(self) -> None:
        super().on_mount()
        self.call_after_refresh(self.show)
        if self.playing:
            self.schedule()

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        self.call_after_refresh(self.show)

    def show(self) -> None:
        picture = self.pictures[self.at]
        names = " against ".join(seat.name for seat in self.film.header.seats)
        title = " · ".join(part for part in (self.film.game.title, names, picture.scene.title) if part)
        self.show_scene(picture.scene, title, self.film.seat)
        self.part("#caption", Static).update(picture.caption)
        log = self.part("#events", RichLog)
        log.clear()
        lines = [(p.step, line) for p in self.pictures[: self.at + 1] for line in p.lines]
        for step, line in lines[-200:]:
            log.write(Text(f"{step:>4}  {line}", style="bold" if step == picture.step else ""))
        label = f"{picture.step}/{self.pictures[-1].step}  {SPEEDS[self.speed]:g}×  F1"
        self.part(Scrubber).show(self.at, self.last, label, self.playing)

    def schedule(self) -> None:
        """The next beat; an earlier one that is still to come no longer counts."""
        self.beat_number += 1
        number = self.beat_number
        self.set_timer(max(10, self.ms_per_frame / SPEEDS[self.speed]) / 1000, lambda: self.beat(number))

    def beat(self, number: int) -> None:
        if not self.playing or number != self.beat_number:
            return
        self.at = min(self.last, self.at + 1)
        self.playing = self.at < self.last
        self.show()
        if self.playing:
            self.schedule()

    def action_play_or_pause(self) -> None:
        self.playing = not self.playing
        if self.playing:
            if self.at == self.last:
                self.at = 0
            self.schedule()
        self.show()

    def action_step(self, by: int) -> None:
        self.playing = False
        self.at = max(0, min(self.last, self.at + by))
        self.show()

    def action_faster(self, by: int) -> None:
        self.speed = max(0, min(len(SPEEDS) - 1, self.speed + by))
        self.show()

    @on(Scrubber.Moved)
    def scrubbed(self, event: Scrubber.Moved) -> None:
        self.playing = False
        self.at = round(event.share * self.last)
        self.show()

    def action_explain(self) -> None:
        if isinstance(self.screen, Explanation):
            self.pop_screen()
        else:
            self.push_screen(Explanation(HELP))

    def action_leave(self) -> None:
        if isinstance(self.screen, Explanation):
            self.pop_screen()
        else:
            self.exit()

    def action_stop(self) -> None:
        self.interrupted = True
        self.exit()
