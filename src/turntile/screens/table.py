"""Playing in the terminal: the board, the question, the story; people and bots at one table.

The screen never waits: bots think in a thread of their own, what happened is shown moment by
moment by timers, and any key goes on to the present. In real time a clock beats; who has not
said anything by the next beat is silent, and the rules say what that means.
"""

from __future__ import annotations

import textwrap
import threading
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, ClassVar, Protocol

import msgspec
from rich.style import Style
from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input, RichLog, Static

from turntile.core.bots import Bot
from turntile.core.errors import TurntileError
from turntile.core.scene import Panel, Scene
from turntile.match.match import Match, Step
from turntile.match.remarks import Remark
from turntile.screens.asking import KEY_SIGNS, Asking, Line, keys_at_one_keyboard
from turntile.screens.palette import seat_colour, seat_shape
from turntile.screens.stage import StageApp
from turntile.screens.widgets import BoardView, Listing, asking_rows

HELP = """\
The keys for what you may do stand beside the question.
Arrow keys, letters, digits   answer
Click on a cell, an item      answer by pointing
/                             type an action; Enter sends it, Esc leaves the line
PgUp, PgDn                    more answers, where they do not fit
Esc                           back to the question before
Backspace, Enter              take a card back, confirm a hand
any key                       goes on to the present while moments are shown
p                             pause (in real time)
F1                            this page
Ctrl+Q                        leave the table; Ctrl+C stops at once

Typed alone, `resign` gives up."""


class Sitting(Protocol):
    """Whoever sits at a seat; a person has no bot."""

    @property
    def name(self) -> str: ...

    @property
    def bot(self) -> Bot | None: ...


class Witness(Protocol):
    """Somebody who keeps what happens, such as a replay's file."""

    def stepped(self, match: Match, step: Step) -> None: ...

    def resigned(self, match: Match, seat: int, why: str) -> None: ...


@dataclass(frozen=True)
class Shown:
    """A moment to show, and for how long."""

    scene: Scene
    caption: str
    ms: int
    lines: int = 0  # how many lines of the story belong to it


@dataclass(frozen=True)
class BotAnswer:
    """What came of asking a bot."""

    seat: int
    text: str
    failure: str
    spent_s: float
    remarks: tuple[Remark, ...] = ()  # what it told of its thoughts


class TableApp(StageApp):
    """One match at the terminal."""

    CSS = (
        StageApp.CSS
        + """
    #message { height: auto; max-height: 2; padding: 0 1; color: $error; display: none; }
    #bottom { height: 1; }
    #typed { width: 1fr; border: none; height: 1; padding: 0 1; }
    #hint { width: auto; padding: 0 1; color: $text-muted; }
    """
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "leave", "leave", priority=True),
        Binding("ctrl+c", "stop", "stop", priority=True),
        Binding("f1", "explain", "help", priority=True),
    ]

    def __init__(
        self,
        match: Match,
        seats: Sequence[Sitting],
        *,
        turn_ms: int = 0,
        witnesses: Sequence[Witness] = (),
        step_ms: int = 350,
        stage_ms: int = 450,
    ) -> None:
        super().__init__(match.game.looks)
        self.match = match
        self.sitting = seats
        self.people = [seat for seat, player in enumerate(seats) if player.bot is None]
        self.turn_ms = turn_ms if self.people else 0
        self.witnesses = witnesses
        self.step_ms = step_ms
        self.stage_ms = stage_ms
        self.moments: deque[Shown] = deque()
        self.showing = False  # a moment is on the screen, and its timer runs
        self.moment_number = 0
        self.stories: dict[int | None, list[str]] = {seat: [] for seat in (None, *range(len(seats)))}
        self.told: tuple[int | None, int] = (None, 0)  # whose story stands in the log, and how much of it
        self.asking: Asking | None = None
        self.at_keyboard: int | None = self.people[0] if len(self.people) == 1 else None
        self.asked_at = 0.0
        self.thinking = False
        self.bot_answers: list[BotAnswer] = []
        self.pending: dict[int, str] = {}
        self.keys: dict[int, dict[str, str]] = {}
        self.started = self.turn_ms == 0
        self.hurry = False  # no person is left in the race: the rest need not keep the beat
        self.finished = False
        self.interrupted = False
        self.failure: TurntileError | None = None

    def compose_bottom(self) -> Iterable[Widget]:
        yield Static(id="message", markup=False)
        with Horizontal(id="bottom"):
            yield Input(placeholder="/ to type an action", id="typed", compact=True)
            yield Static("F1 help  Ctrl+Q leave", id="hint", markup=False)

    def on_mount(self) -> None:
        super().on_mount()
        self.show_present()
        if self.turn_ms:
            self.set_interval(self.turn_ms / 1000, self.beat)
            self.show_real_time_keys()
        else:
            self.go_on()

    # ------------------------------------------------------------------- what is seen

    @property
    def eyes(self) -> int | None:
        """The seat whose view is shown: who is at the keyboard, or the judge if no person plays."""
        if self.finished or not self.people:
            return None
        return self.at_keyboard if self.at_keyboard is not None else self.people[0]

    def seat_name(self, seat: int) -> str:
        return f"{seat_shape(seat)} seat {seat} ({self.sitting[seat].name})"

    def headline(self, scene: Scene, more: str = "") -> str:
        return " · ".join(part for part in (self.match.game.title, more, scene.title) if part)

    def panels(self) -> Iterable[Panel]:
        return [panel for panel in super().panels() if self.asking is None or not self.asking.asks_by(panel)]

    def show_present(self, more: str = "") -> None:
        scene = self.asking.scene if self.asking is not None else self.match.scene(self.eyes)
        preview = self.match.game.preview
        if self.asking is not None and self.asking.hand is not None and self.asking.picked and preview is not None:
            words = " ".join(self.asking.hand.cards[number].word for number in self.asking.picked)
            marks = (*scene.marks, *preview(self.match.view(self.asking.seat), words))
            scene = msgspec.structs.replace(scene, marks=marks)
        self.show_scene(scene, self.headline(scene, more), self.eyes)
        self.show_story()

    def show_story(self, held_back: int = 0) -> None:
        """Bring the log to what these eyes have heard; `held_back` lines belong to moments still to come."""
        log = self.part("#events", RichLog)
        lines = self.stories[self.eyes]
        upto = max(0, len(lines) - held_back)
        seen_by, seen = self.told
        if seen_by != self.eyes or seen > upto:
            log.clear()
            seen = max(0, upto - 200)
        for line in lines[seen:upto]:
            log.write(Text(line))
        self.told = (self.eyes, upto)

    def show_question(self) -> None:
        listing = self.part("#asking", Listing)
        listing.show(asking_rows(self.asking.lines(), self.asking.seat) if self.asking is not None else [])

    def say(self, sentence: str) -> None:
        message = self.part("#message", Static)
        message.update(sentence)
        message.display = bool(sentence)

    # ------------------------------------------------------------------- the course of the match

    def go_on(self) -> None:
        """The next thing: show a moment, let bots think, ask a person, or end."""
        if self.showing or isinstance(self.screen, Curtain):
            return  # a timer or the curtain's fall goes on
        if self.moments:
            self.show_moment()
            return
        if self.match.over:
            self.finish()
            return
        waiting = self.match.waiting()
        bots = [seat for seat in waiting if self.sitting[seat].bot is not None]
        people = [seat for seat in waiting if self.sitting[seat].bot is None]
        if bots and not self.thinking:
            self.think(bots)
        if people:
            self.ask(people[0])
        else:
            self.asking = None
            self.show_question()
            self.show_present(f"{self.seat_name(bots[0])} is thinking" if bots else "")

    def show_moment(self) -> None:
        moment = self.moments.popleft()
        self.showing = True
        self.asking = None
        caption = textwrap.wrap(moment.caption, (self.part("#asking-box").size.width or 40) - 1)
        rows: list[tuple[Text, int | str | None]] = [(Text(line, style="bold"), None) for line in caption]
        self.part("#asking", Listing).show([*rows, (Text("any key goes on", style="dim"), None)])
        self.show_scene(moment.scene, self.headline(moment.scene), self.eyes)
        self.show_story(held_back=sum(later.lines for later in self.moments))
        self.moment_number += 1
        number = self.moment_number
        self.set_timer(max(moment.ms, 1) / 1000, lambda: self.after_moment(number))

    def after_moment(self, number: int) -> None:
        if number == self.moment_number:  # else it was skipped, and its timer comes too late
            self.showing = False
            self.go_on()

    def skip(self) -> None:
        """Go to the present at once."""
        self.moment_number += 1
        self.moments.clear()
        self.showing = False
        self.go_on()

    def ask(self, seat: int) -> None:
        """Put the question to a person, behind a curtain if there are secrets and the keyboard changes hands."""
        if self.at_keyboard != seat and any(self.has_secrets(seat, other) for other in self.people):
            self.asking = None
            self.at_keyboard = seat
            self.push_screen(Curtain(self.seat_name(seat), seat), lambda _: self.put_question(seat))
            return
        self.put_question(seat)

    def has_secrets(self, seat: int, other: int) -> bool:
        """Whether two people's screens differ: in what their views hold besides whose they are, or in their stories."""
        if seat == other or not self.match.game.hidden:
            return False
        return self.public_part(seat) != self.public_part(other) or self.stories[seat] != self.stories[other]

    def public_part(self, seat: int) -> dict[str, Any]:
        view = msgspec.to_builtins(self.match.view(seat))
        assert isinstance(view, dict), type(view)
        view.pop("seat", None)
        return view

    def put_question(self, seat: int) -> None:
        self.at_keyboard = seat
        self.asking = Asking(self.match.scene(seat), seat)
        self.asked_at = perf_counter()
        self.show_question()
        self.show_present(self.whose_turn(seat))

    def whose_turn(self, seat: int) -> str:
        return f"{self.seat_name(seat)}: your turn" if len(self.people) > 1 else ""

    def act(self, seat: int, text: str) -> None:
        """A person's message."""
        self.say("")
        try:
            if text.strip().lower() == "resign":
                self.resign(seat, "resigned")
            else:
                self.keep(self.match.submit(seat, text, perf_counter() - self.asked_at))
        except TurntileError as refusal:
            self.say(str(refusal))
            if self.asking is not None:  # what was picked may be what was refused
                self.put_question(seat)
            return
        self.asking = None
        self.go_on()

    def resign(self, seat: int, why: str) -> None:
        steps = self.match.resign(seat, why)
        for witness in self.witnesses:
            witness.resigned(self.match, seat, why)
        for story in self.stories.values():
            story.append(f"seat {seat} {why}")
        self.keep(steps)

    def keep(self, steps: Sequence[Step]) -> None:
        """Tell witnesses and stories of steps, and line up their moments."""
        for step in steps:
            for witness in self.witnesses:
                witness.stepped(self.match, step)
            for seat, story in self.stories.items():
                story += self.match.heard(step, seat)
            for refusal in step.refused:
                self.stories[refusal.seat].append(f"refused: {refusal.text}: {refusal.sentence}")
            self.line_up(step)

    def line_up(self, step: Step) -> None:
        game, eyes = self.match.game, self.eyes
        if self.turn_ms:
            return  # real time shows the present only
        stages = self.match.stages(step, eyes)
        for stage in stages:
            self.moments.append(Shown(stage.scene, stage.caption, self.stage_ms))
        by_bot = any(self.sitting[seat].bot is not None for seat in step.played)
        if by_bot or stages:
            scene = game.scene(game.view(step.after.record(), eyes), ())
            did = ", ".join(f"{seat_shape(seat)} {played.text}" for seat, played in step.played.items())
            open_to_all = not game.hidden or eyes is None
            heard = self.match.heard(step, eyes)
            caption = ". ".join(heard) or (did if open_to_all else "")
            self.moments.append(Shown(scene, caption, self.step_ms if by_bot else 1, len(heard)))

    def finish(self) -> None:
        self.finished = True
        self.asking = None
        outcome = self.match.outcome
        assert outcome is not None
        scene = self.match.scene(None)
        self.show_scene(scene, self.headline(scene, outcome.reason), None)
        self.show_story()
        rows: list[tuple[Text, int | str | None]] = [(Text("The match is over", style="bold"), None)]
        for seat in sorted(range(len(self.sitting)), key=lambda seat: outcome.places[seat]):
            line = f"{outcome.places[seat]}. {self.seat_name(seat)}: {outcome.scores[seat]} points"
            rows.append((Text(line, style=Style(color=seat_colour(seat), bold=seat in outcome.winners)), None))
        rows.append((Text(outcome.reason), None))
        rows.append((Text("Enter leaves the table", style="dim"), None))
        self.part("#asking", Listing).show(rows)

    # ------------------------------------------------------------------- bots

    def think(self, bots: Sequence[int]) -> None:
        """Ask the bots, away from the screen's thread. Nobody steps the match meanwhile: it waits for them."""
        self.thinking = True
        turns = [(seat, self.sitting[seat].bot, self.match.turn(seat)) for seat in bots]

        def ask_them() -> None:
            answers: list[BotAnswer] = []
            for seat, bot, turn in turns:
                assert bot is not None
                started = perf_counter()
                text, failure = "", ""
                try:
                    answer: object = bot(turn)
                    if isinstance(answer, str):
                        text = answer
                    else:
                        failure = f"failed: it answered with {type(answer).__name__}, not with a text"
                except TurntileError as mistake:
                    failure = f"gave up: {mistake}"
                except Exception as fault:  # a bot's fault must end the bot, not the match
                    failure = f"failed: {type(fault).__name__}: {fault}"
                spent_s = perf_counter() - started
                answers.append(BotAnswer(seat, text, failure, spent_s, getattr(bot, "told", ())))
            if self.is_running:
                self.call_from_thread(self.bots_answered, answers)

        threading.Thread(target=ask_them, daemon=True, name="bots").start()

    def bots_answered(self, answers: Sequence[BotAnswer]) -> None:
        self.thinking = False
        if self.turn_ms:
            self.bot_answers = list(answers)  # played at the next beat
            if self.hurry:
                self.beat()
            return
        self.play_bots(answers)
        asked = self.asking is not None and self.asking.seat in self.match.waiting()
        if not asked or self.moments:  # else the question stands: bots chose beside the person, nothing has moved
            self.go_on()

    def play_bots(self, answers: Sequence[BotAnswer]) -> None:
        for answer in answers:
            if answer.seat not in self.match.waiting():
                continue
            if answer.failure:
                self.resign(answer.seat, answer.failure)
                continue
            try:
                steps = self.match.submit(answer.seat, answer.text, answer.spent_s, remarks=answer.remarks)
            except TurntileError as refusal:
                steps = self.match.be_silent(answer.seat, answer.spent_s, f"refused: {refusal}")
            self.keep(steps)

    # ------------------------------------------------------------------- real time

    def show_real_time_keys(self) -> None:
        scenes = {seat: self.match.scene(seat) for seat in self.people if seat in self.match.waiting()}
        self.keys = keys_at_one_keyboard(scenes)
        rows: list[tuple[Text, int | str | None]] = []
        if not self.started:
            rows.append((Text("Space starts, p pauses", style="bold reverse"), None))
        elif not self.keys:
            rows.append((Text("Enter goes to the end", style="dim"), None))
        for seat, keys in self.keys.items():
            lines = [Line(self.seat_name(seat), kind="question")]
            lines += [Line(action, KEY_SIGNS.get(key, key)) for key, action in keys.items()]
            rows += asking_rows(lines, seat)
        self.part("#asking", Listing).show(rows)

    def beat(self) -> None:
        """The clock's beat: everybody's word counts now, silence too."""
        if not self.started or self.finished or self.thinking or len(self.screen_stack) > 1:
            return
        bots = [seat for seat in self.match.waiting() if self.sitting[seat].bot is not None]
        if bots and not self.bot_answers:
            self.think(bots)
            return
        answers, self.bot_answers = self.bot_answers, []
        self.play_bots(answers)
        for seat in self.people:
            if seat in self.match.waiting():
                self.hear(seat, self.pending.pop(seat, None))
        self.pending.clear()
        if self.match.over:
            self.finish()
            return
        self.show_present()
        self.show_real_time_keys()
        bots = [seat for seat in self.match.waiting() if self.sitting[seat].bot is not None]
        if bots:
            self.think(bots)

    def hear(self, seat: int, text: str | None) -> None:
        if text is not None:
            try:
                self.keep(self.match.submit(seat, text, self.turn_ms / 1000))
                return
            except TurntileError as refusal:
                self.say(str(refusal))
        self.keep(self.match.be_silent(seat, self.turn_ms / 1000))

    # ------------------------------------------------------------------- keys, mouse, text

    def on_key(self, event: events.Key) -> None:
        typed = self.part("#typed", Input)
        key = event.key.lower() if len(event.key) == 1 else event.key
        if typed.has_focus:
            if key == "escape":
                self.leave_text_line()
            return
        if isinstance(self.screen, ModalScreen):
            return
        if self.finished:
            if key in ("enter", "escape", "q"):
                self.exit()
            return
        if key in ("slash", "/", "colon") or event.character in ("/", ":"):
            event.prevent_default()
            typed.focus()
            return
        if key in ("pageup", "pagedown"):
            box = self.part("#asking-box")
            box.scroll_relative(y=box.size.height if key == "pagedown" else -box.size.height, animate=False)
            return
        if self.turn_ms:
            self.real_time_key(key)
            return
        if self.showing:
            self.skip()
        if self.asking is not None and self.asking.knows(key):
            event.prevent_default()
            event.stop()
            self.answered(self.asking.press(key))

    def real_time_key(self, key: str) -> None:
        if not self.started or key == "p":
            if key in ("space", "p", "enter"):
                self.started = not self.started
                self.show_real_time_keys()
            return
        if not self.keys and key == "enter":
            self.hurry = True
        for seat, keys in self.keys.items():
            if key in keys:
                self.pending[seat] = keys[key]

    def answered(self, action: str | None) -> None:
        """An answer came: complete, or one more question."""
        assert self.asking is not None
        if action is not None:
            self.act(self.asking.seat, action)
        else:
            self.show_question()
            self.show_present(self.whose_turn(self.asking.seat))

    @on(BoardView.Clicked)
    def cell_clicked(self, event: BoardView.Clicked) -> None:
        if self.turn_ms:
            for seat in self.keys:
                for choice in self.match.scene(seat).choices:
                    if choice.cell == (event.x, event.y):
                        self.pending[seat] = choice.action
                        return
            return
        if self.showing:
            self.skip()
        if self.asking is not None:
            self.answered(self.asking.click_cell(event.x, event.y))

    @on(Listing.Picked)
    def line_clicked(self, event: Listing.Picked) -> None:
        if self.asking is None:
            return
        target = event.target
        self.answered(self.asking.click(target) if isinstance(target, int) else self.asking.click_item(target))

    @on(Input.Submitted)
    def text_sent(self, event: Input.Submitted) -> None:
        text = event.value
        self.leave_text_line()
        if not text.strip() or self.finished:
            return
        if self.turn_ms:
            seat = next(iter(self.keys), None)
            if seat is not None:
                self.pending[seat] = text
        elif self.asking is not None:
            self.act(self.asking.seat, text)
        else:
            self.say("nobody is asked now: wait for the question")

    def leave_text_line(self) -> None:
        typed = self.part("#typed", Input)
        typed.value = ""
        self.part(BoardView).focus()

    def action_leave(self) -> None:
        self.exit()

    def action_stop(self) -> None:
        self.interrupted = True
        self.exit()

    def action_explain(self) -> None:
        if not isinstance(self.screen, Explanation):
            self.push_screen(Explanation(HELP))


class Curtain(ModalScreen[None]):
    """Hides everything until the next person sits at the keyboard."""

    CSS = """
    Curtain { background: $background 100%; align: center middle; }
    Curtain Static { width: auto; padding: 1 4; border: heavy $primary; text-align: center; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "draw", "ready")]

    def __init__(self, name: str, seat: int) -> None:
        super().__init__()
        self.person = name
        self.seat = seat

    def compose(self) -> ComposeResult:
        text = Text(f"Pass the keyboard to {self.person}\n\n", style=Style(color=seat_colour(self.seat), bold=True))
        text.append("Enter when nobody else is looking", style="not bold white")
        yield Static(text)

    def action_draw(self) -> None:
        self.dismiss()


class Explanation(ModalScreen[None]):
    """A page of help over the board."""

    CSS = """
    Explanation { align: center middle; }
    Explanation Static { width: auto; max-width: 90%; padding: 1 2; border: round $primary; background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,space,f1,q", "close", "close")]

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def compose(self) -> ComposeResult:
        yield Static(self.text, markup=False)

    def action_close(self) -> None:
        self.dismiss()
