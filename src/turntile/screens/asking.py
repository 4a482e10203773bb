"""What a person is asked, and how far the answer has come; knows keys and clicks but no terminal.

A scene asks in up to three ways: by its choices (question after question), by a hand of cards
of which some are to be put in order, and by a list of parts. Whatever way the person goes,
the end is the text of one action.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from turntile.core.scene import Card, Choice, Hand, Panel, Part, Parts, Scene
from turntile.screens.questions import SPARE_KEYS, Answer, Question, ask, pointing_at, pointing_at_item

KEY_SIGNS = {"up": "↑", "down": "↓", "left": "←", "right": "→", "space": "Spc", "enter": "↵"}


@dataclass(frozen=True)
class Line:
    """A line to show: what it says, the key for it, and what a click on it means (an index, or nothing)."""

    text: str
    key: str = ""
    target: int = -1
    kind: Literal["question", "answer", "chosen", "hint", "dim"] = "answer"


class Asking:
    """One seat's question in one scene."""

    def __init__(self, scene: Scene, seat: int) -> None:
        self.scene = scene
        self.seat = seat
        self.hand = next((p for p in scene.panels if isinstance(p, Hand) and p.seat in (seat, -1) and p.slots), None)
        self.parts = next((p for p in scene.panels if isinstance(p, Parts) and p.seat in (seat, -1)), None)
        self.path: list[Question] = [ask(scene.choices)]
        self.picked: list[int] = []  # cards of the hand, in the order chosen
        taken = {answer.key for answer in self.path[0].answers} | {"enter", "backspace", "escape"}
        self.spare = [key for key in SPARE_KEYS if key not in taken]
        self.targets: list[Answer | Card | Part] = []

    @property
    def question(self) -> Question:
        return self.path[-1]

    def installable(self) -> list[Part]:
        return [part for part in self.parts.parts if part.action] if self.parts is not None else []

    # ------------------------------------------------------------------- what to show

    def asks_by(self, panel: Panel) -> bool:
        """Whether a panel is the question itself, and need not be shown once more."""
        return panel is self.hand or (panel is self.parts and bool(self.installable()))

    def lines(self) -> list[Line]:
        """All that can be answered now, each with its key; remembers what a click would mean."""
        self.targets = []
        lines: list[Line] = []
        if self.hand is not None and len(self.path) == 1:
            lines += self.hand_lines(self.hand)
        if self.installable() and len(self.path) == 1:
            lines += self.part_lines()
        if self.question.answers:
            lines.append(Line(self.question.text, kind="question"))
            for answer in self.question.answers:
                more = " …" if answer.leads_to is not None and answer.choice is None else ""
                lines.append(Line(answer.label + more, KEY_SIGNS.get(answer.key, answer.key), self.target(answer)))
        if len(self.path) > 1:
            lines.append(Line("back", "Esc", kind="hint"))
        return lines

    def target(self, thing: Answer | Card | Part) -> int:
        self.targets.append(thing)
        return len(self.targets) - 1

    def hand_lines(self, hand: Hand) -> list[Line]:
        lines = [Line(f"{hand.title} ({len(self.picked)} of {hand.slots})", kind="question")]
        for number, card in enumerate(hand.cards):
            place = f"[{self.picked.index(number) + 1}] " if number in self.picked else "    "
            label = f"{card.word} {card.label}" if card.word != card.label else card.word
            kind: Literal["chosen", "answer"] = "chosen" if number in self.picked else "answer"
            text = place + label + (f"  {card.detail}" if card.detail else "")
            lines.append(Line(text, self.card_key(number), self.target(card), kind))
        if len(self.picked) == hand.slots:
            lines.append(Line("confirm", "↵", kind="hint"))
        if self.picked:
            lines.append(Line("take the last back", "⌫", kind="hint"))
        return lines

    def card_key(self, number: int) -> str:
        return self.spare[number] if number < len(self.spare) else ""

    def part_lines(self) -> list[Line]:
        assert self.parts is not None
        free = self.parts.budget - self.parts.used
        lines = [Line(f"{self.parts.title}: {free} of {self.parts.budget} left", kind="question")]
        for part in self.parts.parts:
            text = f"{part.label} ({part.cost})" + (f"  {part.detail}" if part.detail else "")
            if part.action:
                lines.append(Line(text, self.part_key(part), self.target(part)))
            else:
                lines.append(Line(("✓ " if part.installed else "") + text, kind="chosen" if part.installed else "dim"))
        return lines

    def part_key(self, part: Part) -> str:
        number = self.installable().index(part) + (len(self.hand.cards) if self.hand is not None else 0)
        return self.spare[number] if number < len(self.spare) else ""

    # ------------------------------------------------------------------- what the person does

    def press(self, key: str) -> str | None:
        """A key. Returns the action's text when the answer is complete."""
        answer = self.question.by_key(key)
        if answer is not None:
            return self.take(answer)
        if key == "escape" and len(self.path) > 1:
            self.path.pop()
        elif key in ("backspace", "escape") and self.picked:
            self.picked.pop()
        elif key == "enter":
            return self.program()
        elif len(self.path) == 1:
            if self.hand is not None:
                for number, card in enumerate(self.hand.cards):
                    if self.card_key(number) == key:
                        return self.take(card)
            for part in self.installable():
                if self.part_key(part) == key:
                    return self.take(part)
        return None

    def knows(self, key: str) -> bool:
        """Whether a key means something here (also one that only leads on)."""
        keys = {answer.key for answer in self.question.answers}
        if self.hand is not None:
            keys |= {self.card_key(number) for number in range(len(self.hand.cards))} | {"backspace", "enter"}
        keys |= {self.part_key(part) for part in self.installable()}
        return key in keys or (key == "escape" and (len(self.path) > 1 or bool(self.picked)))

    def click(self, target: int) -> str | None:
        """A click on a line."""
        return self.take(self.targets[target]) if 0 <= target < len(self.targets) else None

    def click_cell(self, x: int, y: int) -> str | None:
        """A click on a cell: the one action that points there, or a question which of several."""
        return self.narrow(pointing_at(self.question, x, y) or pointing_at(self.path[0], x, y), f"({x}, {y})")

    def click_item(self, label: str) -> str | None:
        return self.narrow(pointing_at_item(self.path[0], label), label)

    def narrow(self, choices: list[Choice], what: str) -> str | None:
        if len(choices) == 1:
            return choices[0].action
        if choices:
            question = Question(f"{what}: which?", [])
            for number, choice in enumerate(choices):
                label = choice.label if not choice.group else f"{choice.group}: {choice.label}"
                key = SPARE_KEYS[number] if number < len(SPARE_KEYS) else ""
                question.answers.append(Answer(label, key, choice))
            self.path.append(question)
        return None

    def take(self, thing: Answer | Card | Part) -> str | None:
        if isinstance(thing, Part):
            return thing.action
        if isinstance(thing, Card):
            self.toggle(thing)
            return None
        if thing.leads_to is not None and thing.leads_to.answers:
            if thing.choice is not None:  # an action that has variants: itself first, then those
                variants = Question(thing.leads_to.text, list(thing.leads_to.answers))
                taken = {answer.key for answer in variants.answers}
                key = next((key for key in ("enter", *SPARE_KEYS) if key not in taken), "")
                variants.answers.insert(0, Answer(thing.label, key, thing.choice))
                self.path.append(variants)
            else:
                self.path.append(thing.leads_to)
            return None
        return thing.choice.action if thing.choice is not None else None

    def toggle(self, card: Card) -> None:
        """A card goes into the next free slot, or out of its own."""
        assert self.hand is not None
        number = self.hand.cards.index(card)
        if number in self.picked:
            self.picked.remove(number)
        elif len(self.picked) < self.hand.slots:
            self.picked.append(number)

    def program(self) -> str | None:
        """The action's text of a filled hand."""
        if self.hand is None or len(self.picked) < self.hand.slots:
            return None
        return " ".join(self.hand.cards[number].word for number in self.picked)


def keys_at_one_keyboard(scenes: dict[int, Scene]) -> dict[int, dict[str, str]]:
    """For real time: by seat, which key means which action. A key that two seats claim is moved for the second."""
    moved = (
        {"up": "w", "left": "a", "down": "s", "right": "d", "space": "q"},
        {"up": "i", "left": "j", "down": "k", "right": "l", "space": "u"},
        {"up": "t", "left": "f", "down": "g", "right": "h", "space": "r"},
    )
    taken: set[str] = set()
    by_seat: dict[int, dict[str, str]] = {}
    for seat, scene in scenes.items():
        wanted = {choice.key: choice.action for choice in scene.choices if choice.key and not choice.group}
        for names in ({}, *moved):
            keys = {names.get(key, key): action for key, action in wanted.items()}
            if not taken & keys.keys():
                break
        keys = {key: action for key, action in keys.items() if key not in taken}
        taken |= keys.keys()
        by_seat[seat] = keys
    return by_seat
