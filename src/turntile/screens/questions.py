"""The choices of a scene as questions: "which item?", then "which direction?".

Choices of one group answer one question; a group's name is the answer that leads to it.
Every screen that lets people act walks down this tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from turntile.core.scene import Choice

BETWEEN = " / "  # between the answers in a group's name
SPARE_KEYS = "123456789abcdefghijklmnopqrstuvwxyz"


@dataclass
class Answer:
    """One answer: an action, or a further question, or both (an action that has variants)."""

    label: str
    key: str = ""
    choice: Choice | None = None
    leads_to: Question | None = None


@dataclass
class Question:
    text: str
    answers: list[Answer] = field(default_factory=list)

    def choices(self) -> Iterator[Choice]:
        """All actions that can still be reached from here."""
        for answer in self.answers:
            if answer.choice is not None:
                yield answer.choice
            if answer.leads_to is not None:
                yield from answer.leads_to.choices()

    def by_key(self, key: str) -> Answer | None:
        return next((answer for answer in self.answers if answer.key == key), None)


def ask(choices: Iterable[Choice]) -> Question:
    """The first question; each answer without a key of its own gets a spare one."""
    root = Question("")
    for choice in choices:
        question = root
        if choice.group:
            for word in choice.group.split(BETWEEN):
                question = step_into(question, word)
        if not question.text:
            question.text = choice.question
        existing = next((a for a in question.answers if a.choice is None and a.label == choice.label), None)
        if existing is not None:
            existing.choice = choice
            existing.key = existing.key or choice.key
        else:
            question.answers.append(Answer(choice.label, choice.key, choice))
    give_keys(root)
    return root


def step_into(question: Question, word: str) -> Question:
    for answer in question.answers:
        if answer.label == word:
            if answer.leads_to is None:
                answer.leads_to = Question("")
            return answer.leads_to
    answer = Answer(word, leads_to=Question(""))
    question.answers.append(answer)
    assert answer.leads_to is not None
    return answer.leads_to


def give_keys(question: Question) -> None:
    """A key that two answers claim belongs to the first."""
    taken: set[str] = set()
    for answer in question.answers:
        if answer.key in taken:
            answer.key = ""
        if answer.key:
            taken.add(answer.key)
    spare = iter([key for key in SPARE_KEYS if key not in taken])
    for answer in question.answers:
        if not answer.key:
            answer.key = next(spare, "")
        if answer.leads_to is not None:
            give_keys(answer.leads_to)
    if not question.text:
        question.text = "What do you do?"


def pointing_at(question: Question, x: int, y: int) -> list[Choice]:
    """The actions still open that a click on a cell can mean."""
    return [choice for choice in question.choices() if choice.cell == (x, y)]


def pointing_at_item(question: Question, label: str) -> list[Choice]:
    return [choice for choice in question.choices() if choice.item == label]
