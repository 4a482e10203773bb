"""Whatever way a person goes, the end is one action's text."""

from __future__ import annotations

from tests.screens.scenes import hall, race
from turntile.core.scene import Choice, Scene
from turntile.screens.asking import Asking, keys_at_one_keyboard


def test_a_key_answers() -> None:
    assert Asking(race(), 0).press("right") == "right"


def test_a_question_leads_to_the_next_and_escape_back() -> None:
    asking = Asking(race(), 0)
    key = asking.question.answers[-1].key
    assert asking.press(key) is None
    assert asking.question.text == "Which way?"
    asking.press("escape")
    assert asking.question.text == "What do you do?"
    asking.press(key)
    assert asking.press("up") == "use bomb up"


def test_a_click_on_a_cell_means_the_choice_that_points_there() -> None:
    assert Asking(race(3), 0).click_cell(5, 3) == "right"
    assert Asking(race(3), 0).click_cell(0, 0) is None


def test_a_click_that_could_mean_several_things_asks_which() -> None:
    choices = (Choice("shoot 1 1", "shoot", cell=(1, 1)), Choice("move 1 1", "move", cell=(1, 1)))
    asking = Asking(Scene(3, 3, "", choices=choices), 0)
    assert asking.click_cell(1, 1) is None
    assert asking.press("2") == "move 1 1"


def test_a_click_on_an_item_asks_what_to_do_with_it() -> None:
    asking = Asking(race(), 0)
    assert asking.click_item("bomb") is None
    assert [answer.choice.action for answer in asking.question.answers if answer.choice] == [
        "use bomb up",
        "use bomb down",
    ]


def test_a_click_on_a_line_is_the_answer_of_that_line() -> None:
    asking = Asking(race(), 0)
    (line,) = [line for line in asking.lines() if line.text == "turn down"]
    assert asking.click(line.target) == "down"


def test_cards_are_picked_in_order_taken_back_and_confirmed() -> None:
    asking = Asking(hall(), 2)
    assert asking.press("enter") is None, "not before the slots are full"
    asking.press("2")
    asking.press("1")
    asking.press("backspace")
    asking.press("3")
    asking.press("1")  # the slots are full: no room
    assert asking.press("enter") == "50 70"


def test_a_picked_card_goes_back_when_it_is_picked_again() -> None:
    asking = Asking(hall(), 2)
    asking.press("2")
    asking.press("2")
    assert asking.picked == []


def test_a_hand_of_another_seat_is_not_asked_for() -> None:
    assert Asking(hall(), 0).hand is None


def test_a_part_that_can_be_installed_has_a_key_and_the_others_have_none() -> None:
    asking = Asking(hall(), 2)
    keys = {line.text: line.key for line in asking.lines()}
    assert keys["✓ engine 1 (2)"] == ""
    assert keys["radar 3 (6)  12x12"] == ""
    assert asking.press(keys["gun (2)"]) == "install gun"


def test_an_action_with_variants_offers_itself_first() -> None:
    scene = Scene(1, 1, "", choices=(Choice("use", "use", key="u"), Choice("use up", "up", key="up", group="use")))
    asking = Asking(scene, 0)
    assert asking.press("u") is None
    assert asking.press("enter") == "use"
    assert asking.press("up") == "use up"


def test_a_key_claimed_by_two_seats_is_moved_for_the_second() -> None:
    arrows = tuple(Choice(way, way, key=way) for way in ("up", "down", "left", "right"))
    scene = Scene(1, 1, "", choices=arrows)
    keys = keys_at_one_keyboard({0: scene, 1: scene, 2: scene})
    assert keys[0]["up"] == "up"
    assert keys[1] == {"w": "up", "s": "down", "a": "left", "d": "right"}
    assert keys[2] == {"i": "up", "k": "down", "j": "left", "l": "right"}
