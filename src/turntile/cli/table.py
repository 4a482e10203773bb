"""A table in plain lines: people read what they see and type what they do. For pipes and screen readers too."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from turntile.core.scene import Scene
from turntile.match.film import picture
from turntile.match.match import Match, Step
from turntile.players.host import Quit
from turntile.players.seats import Player
from turntile.screens.plain import draw_plain

CLEAR = "\x1b[2J\x1b[H"
HELP = (
    "type an action, or several with ; between them; "
    "board shows the board again, words tells it in words, actions lists what is legal, resign gives up, quit leaves"
)


class PlainTable:
    """The people at one keyboard. A host asks them through it, and it tells each what he may hear."""

    def __init__(self, match: Match, players: Sequence[Player], colour: bool, ascii: bool) -> None:
        self.match = match
        self.people = [seat for seat, player in enumerate(players) if player.human]
        self.colour = colour
        self.ascii = ascii
        self.unheard: dict[int, list[str]] = {seat: [] for seat in self.people}
        self.at_keyboard: int | None = None
        self.shown: tuple[int, int] | None = None  # seat and step whose board is on the screen

    # ------------------------------------------------------------------- asking

    def ask(self, match: Match, seat: int) -> str:
        self.hand_over(match, seat)
        self.tell_unheard(seat)
        if self.shown != (seat, match.step_number):
            self.draw(match.scene(seat))
            self.shown = (seat, match.step_number)
        while True:
            text = self.read(f"seat {seat}> ")
            word = text.strip().lower()
            if word in ("quit", "exit"):
                raise Quit(f"seat {seat} left")
            if word in ("help", "?"):
                print(HELP)
            elif word == "board":
                self.draw(match.scene(seat))
            elif word == "actions":
                legal = match.legal(seat)
                print("\n".join(legal) if legal else "too many to list: the board says what is asked")
            elif word == "words":
                self.tell_in_words(match.scene(seat))
            else:
                return text

    def refuse(self, seat: int, sentence: str) -> None:
        print(f"seat {seat}: {sentence}")

    def read(self, prompt: str) -> str:
        """A line; the end of input is the end of the match."""
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            print()
            raise Quit("the input ended")
        return line.rstrip("\n")

    def hand_over(self, match: Match, seat: int) -> None:
        """Where people know different things, who looks at the screen changes before anything is shown."""
        before = self.at_keyboard
        if before not in (None, seat) and sys.stdout.isatty():
            secrets = any(match.views_differ(seat, other) for other in self.people if other != seat)
            if secrets or any(self.unheard[other] != self.unheard[seat] for other in self.people):
                sys.stdout.write(CLEAR)
                self.read(f"seat {seat}, press Enter when nobody else looks ")
        self.at_keyboard = seat

    # ------------------------------------------------------------------- telling

    def stepped(self, match: Match, step: Step) -> None:
        for seat in self.people:
            self.unheard[seat] += match.heard(step, seat)
        if not self.people:
            print(f"step {step.number}: " + "  ".join(f"{seat}: {did.text}" for seat, did in step.played.items()))
            for line in match.heard(step, None):
                print(line)
            self.draw(picture(match, None))

    def resigned(self, match: Match, seat: int, why: str) -> None:
        print(f"seat {seat} {why}")

    def tell_unheard(self, seat: int) -> None:
        for line in self.unheard[seat]:
            print(line)
        self.unheard[seat].clear()

    def finish(self) -> None:
        """What is left to hear, and the last board. When it is over there are no secrets any more."""
        heard: list[str] = []
        for seat in self.people:
            heard += [line for line in self.unheard[seat] if line not in heard]
            self.unheard[seat].clear()
        for line in heard:
            print(line)
        if self.people:
            self.draw(picture(self.match, None))

    def draw(self, scene: Scene) -> None:
        print(draw_plain(scene, self.match.game.looks, colour=self.colour, ascii=self.ascii), end="", flush=True)

    def tell_in_words(self, scene: Scene) -> None:
        from turntile.screens.plain import describe

        print(describe(scene, self.match.game.looks), flush=True)
