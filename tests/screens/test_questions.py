"""Choices become questions, question after question."""

from __future__ import annotations

from tests.screens.scenes import race
from turntile.core.scene import Choice
from turntile.screens.questions import ask, pointing_at, pointing_at_item


def test_a_group_is_an_answer_that_leads_on() -> None:
    question = ask(race().choices)
    assert [answer.label for answer in question.answers] == ["turn up", "straight on", "turn down", "throw bomb"]
    bomb = question.answers[-1]
    assert bomb.choice is None
    assert bomb.leads_to is not None
    assert bomb.leads_to.text == "Which way?"
    assert [answer.choice.action for answer in bomb.leads_to.answers if answer.choice] == [
        "use bomb up",
        "use bomb down",
    ]


def test_answers_without_a_key_get_a_spare_one_and_no_key_means_two_things() -> None:
    question = ask([Choice("a", "a", key="1"), Choice("b", "b", key="1"), Choice("c", "c"), Choice("d", "d", key="x")])
    keys = [answer.key for answer in question.answers]
    assert keys[0] == "1"
    assert keys[3] == "x"
    assert len(set(keys)) == 4
    assert "" not in keys


def test_groups_may_be_nested() -> None:
    question = ask([Choice("fire high 3", "three", group="fire / high"), Choice("fire low", "low", group="fire")])
    (fire,) = question.answers
    assert fire.leads_to is not None
    assert [answer.label for answer in fire.leads_to.answers] == ["high", "low"]


def test_an_action_may_have_variants() -> None:
    """A choice whose label names a group is an answer and leads on as well."""
    question = ask([Choice("use", "use"), Choice("use up", "up", group="use")])
    (use,) = question.answers
    assert use.choice is not None
    assert use.leads_to is not None


def test_cells_and_items_point_at_choices_of_all_questions() -> None:
    question = ask(race().choices)
    assert [choice.action for choice in pointing_at(question, 2, 3)] == ["right"]
    assert pointing_at(question, 9, 5) == []
    assert [choice.action for choice in pointing_at_item(question, "bomb")] == ["use bomb up", "use bomb down"]
