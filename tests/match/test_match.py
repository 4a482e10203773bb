"""A match: from the text of an action to what each seat hears of it."""

from __future__ import annotations

import dataclasses
from random import Random
from typing import Any

import pytest

from turntile.core.errors import IllegalAction, InvalidAction
from turntile.core.game import Game
from turntile.core.gears import GearName
from turntile.core.registry import find
from turntile.match import Match, Step
from turntile.match.match import MAX_MESSAGE, MAX_QUEUED, hash_seed
from turntile.match.options import choose_options


def tron(gear_name: GearName, **options: Any) -> Match:
    return start("tron", gear_name, **{"board": "arena", **options})


def start(name: str, gear_name: GearName, seed: int = 7, **options: Any) -> Match:
    game = find(name)
    return Match.start(game, choose_options(game, options), seed, gear_name)


def texts(step: Step) -> dict[int, str]:
    return {seat: played.text for seat, played in step.played.items()}


def test_a_step_is_played_when_every_seat_has_chosen(gear_name: GearName) -> None:
    match = tron(gear_name)

    assert match.to_act() == (0, 1)
    assert match.submit(0, "up") == []
    assert match.waiting() == (1,)
    (step,) = match.submit(1, "down")
    assert (step.number, texts(step)) == (1, {0: "up", 1: "down"})
    assert match.step_number == 1
    assert match.waiting() == (0, 1)


def test_a_choice_is_unseen_until_the_step(gear_name: GearName) -> None:
    """Nothing a seat can ask for changes when another seat has chosen."""
    match = tron(gear_name)
    before = (match.view(1), match.view(None), match.scene(1), match.position(), match.legal(1))

    match.submit(0, "up")

    assert (match.view(1), match.view(None), match.scene(1), match.position(), match.legal(1)) == before


def test_who_has_chosen_is_offered_no_choices(gear_name: GearName) -> None:
    match = tron(gear_name)
    assert match.scene(0).choices

    match.submit(0, "up")

    assert not match.scene(0).choices
    assert match.scene(1).choices


def test_a_refused_action_changes_nothing(gear_name: GearName) -> None:
    match = tron(gear_name)
    match.submit(0, "up")
    before = match.position()

    with pytest.raises(InvalidAction, match="'sideways' is no action"):
        match.submit(1, "sideways")
    with pytest.raises(IllegalAction, match="no seat 2"):
        match.submit(2, "up")
    assert match.position() == before
    assert match.waiting() == (1,)
    (step,) = match.submit(1, "down")
    assert texts(step) == {0: "up", 1: "down"}


def test_out_of_turn_is_refused_in_the_games_own_words(gear_name: GearName) -> None:
    match = start("racers", gear_name, failure_percent=0)
    own = match.legal(0)[0]

    with pytest.raises(IllegalAction) as refused:
        match.submit(1, own)
    assert "\n" not in str(refused.value)
    with pytest.raises(IllegalAction, match="seat 1 is not to act now: it is the turn of seat 0"):
        match.be_silent(1)
    assert match.step_number == 0


def test_a_new_message_takes_the_place_of_the_last_before_the_step(gear_name: GearName) -> None:
    match = tron(gear_name)
    match.submit(0, "up; up; up")
    match.submit(0, "down")
    (step,) = match.submit(1, "up")

    assert texts(step) == {0: "down", 1: "up"}
    assert match.waiting() == (0, 1)


def test_queued_actions_are_judged_one_by_one(gear_name: GearName) -> None:
    match = tron(gear_name)
    assert match.submit(0, "up; left\nup;;") == []

    steps = match.submit(1, "down; right; down; right")

    assert [texts(step)[0] for step in steps] == ["up", "left", "up"]
    assert [texts(step)[1] for step in steps] == ["down", "right", "down"]
    assert match.waiting() == (0,)


def test_a_turn_of_several_actions_in_one_message(gear_name: GearName) -> None:
    """An in-turn game plays a whole message at once, as far as it is legal."""
    match = start("racers", gear_name, failure_percent=0)
    first = match.legal(0)[0]
    probe = start("racers", gear_name, failure_percent=0)
    probe.submit(0, first)
    second = probe.legal(0)[0]

    steps = match.submit(0, f"{first}; {second}")

    assert [texts(step) for step in steps] == [{0: first}, {0: second}]


def test_a_queued_action_that_became_illegal_is_dropped_and_told(gear_name: GearName) -> None:
    match = tron(gear_name)
    match.submit(0, "up; nonsense; up; up")

    (step,) = match.submit(1, "down")

    (refusal,) = step.refused
    assert (refusal.seat, refusal.text, refusal.dropped) == (0, "nonsense", 2)
    assert "'nonsense' is no action" in refusal.sentence
    assert match.waiting() == (0, 1)


def test_messages_have_limits(gear_name: GearName) -> None:
    match = tron(gear_name)
    with pytest.raises(InvalidAction, match="too long"):
        match.submit(0, "x" * (MAX_MESSAGE + 1))
    with pytest.raises(InvalidAction, match="too many"):
        match.submit(0, "up;" * (MAX_QUEUED + 1))
    with pytest.raises(InvalidAction):
        match.submit(0, " ; \n ")
    assert match.waiting() == (0, 1)


def test_silence_means_what_the_rules_say(gear_name: GearName) -> None:
    match = tron(gear_name)
    match.be_silent(0, time_s=0.25)
    (step,) = match.submit(1, "up")

    assert texts(step)[0] == "straight"
    assert step.played[0].silent
    assert step.played[0].time_s == 0.25
    assert not step.played[1].silent


def play_at_random(match: Match, seed: int = 1) -> list[Step]:
    chance = Random(seed)
    steps: list[Step] = []
    while waiting := match.waiting():
        steps += match.submit(waiting[0], chance.choice(match.turn(waiting[0]).legal))
    return steps


def test_the_outcome_comes_with_the_end(gear_name: GearName) -> None:
    match = tron(gear_name)
    outcomes = [match.outcome]
    play_at_random(match)
    outcomes.append(match.outcome)

    assert match.over
    assert match.to_act() == ()
    before, outcome = outcomes
    assert before is None
    assert outcome is not None
    assert len(outcome.scores) == len(outcome.places) == 2
    assert outcome.reason
    with pytest.raises(IllegalAction, match="over"):
        match.submit(0, "up")


def test_the_judge_hears_all_and_a_seat_what_it_may(gear_name: GearName) -> None:
    """Every line a seat hears is of an event whose audience it belongs to."""
    match = start("robots", gear_name, seed=3)
    chance = Random(5)
    whispers = 0
    for _ in range(400):
        if not match.waiting():
            break
        seat = match.waiting()[0]
        for step in match.submit(seat, chance.choice(match.turn(seat).legal)):
            for hearer in (0, 1):
                heard = [event for event in step.events if event.heard_by(hearer)]
                told = [match.game.narrate(step.after.record(), event, hearer) for event in heard]
                assert match.heard(step, hearer) == [line for line in told if line]
                whispers += len(step.events) - len(heard)
    assert whispers > 0


def test_resigning_ends_a_match_of_two(gear_name: GearName) -> None:
    match = tron(gear_name)
    match.submit(0, "up")
    assert match.resign(0) == []

    assert match.over
    assert match.outcome is not None
    assert match.outcome.places == (2, 1)
    assert match.outcome.reason == "seat 0 resigned"
    with pytest.raises(IllegalAction, match="over"):
        match.resign(1)


def test_silence_plays_for_who_resigned_among_more(gear_name: GearName) -> None:
    match = tron(gear_name, players=3)
    match.submit(0, "up")
    match.submit(1, "up")
    (step,) = match.resign(2)

    assert texts(step) == {0: "up", 1: "up", 2: "straight"}
    assert step.played[2].silent
    with pytest.raises(IllegalAction, match="resigned"):
        match.submit(2, "up")
    with pytest.raises(IllegalAction, match="already"):
        match.resign(2)
    while 0 in match.waiting():
        match.resign(0)
    assert match.outcome is not None
    assert match.outcome.places == (2, 1, 3)


def test_who_resigned_comes_behind_who_played_on(gear_name: GearName) -> None:
    """Even if silence outlives the others."""
    match = tron(gear_name, players=4)
    match.resign(3)
    play_at_random(match)

    assert match.outcome is not None
    assert match.outcome.places[3] == 4
    assert sorted(match.outcome.places)[0] == 1
    assert match.outcome.reason.endswith("(seat 3 resigned)")


def test_the_seed_stays_secret_but_its_hash_does_not() -> None:
    match = tron("interpreted")
    assert match.seed_hash == hash_seed("tron", 7)
    assert match.seed_hash != hash_seed("tron", 8)
    assert match.seed_hash != hash_seed("racers", 7)


@pytest.mark.parametrize("name", ["tron", "racers"])
def test_a_match_can_start_from_any_position(name: str, gear_name: GearName) -> None:
    match = start(name, gear_name)
    chance = Random(2)
    for _ in range(5):
        seat = match.waiting()[0]
        match.submit(seat, chance.choice(match.turn(seat).legal))
    if match.waiting() != match.to_act():
        match.submit(match.waiting()[0], match.turn(match.waiting()[0]).legal[0])
    record = match.game.read_position(match.position())

    again = Match.from_position(match.game, record, seed=99, gear=gear_name)

    assert again.position() == match.position()
    assert again.to_act() == match.to_act()


def test_a_position_without_dice_gets_them_from_the_seed(gear_name: GearName) -> None:
    game = find("tron")
    drawn = tron(gear_name).position()
    without = "\n".join(line for line in drawn.splitlines() if not line.startswith("dice"))
    record = game.read_position(without)

    positions = [Match.from_position(game, record, seed=seed, gear=gear_name).position() for seed in (1, 1, 2)]

    assert positions[0] == positions[1] != positions[2]


# ------------------------------------------------------------------- bots


def test_a_bots_legal_texts_are_spelled_when_looked_at(gear_name: GearName) -> None:
    """RoboRace has 2,520 programs: a screen gets none of their texts, a bot can pick one."""
    match = start("roborace", gear_name)
    legal = match.turn(0).legal

    assert len(legal) > match.game.list_legal_up_to
    assert match.legal(0) == ()
    assert legal[1:3] == (legal[1], legal[2])
    match.submit(0, legal[-1])


def test_bots_of_one_match_have_chance_of_their_own() -> None:
    first, again = tron("interpreted"), tron("interpreted")
    draws = [match.turn(seat).random.random() for match in (first, again) for seat in (0, 1)]

    assert draws[:2] == draws[2:]
    assert draws[0] != draws[1]
    assert first.turn(0).random.random() != draws[0], "it goes on from turn to turn"


def test_a_bots_memory_lasts_from_turn_to_turn() -> None:
    match = tron("interpreted")
    match.turn(0).memory["plan"] = "north"
    assert match.turn(0).memory == {"plan": "north"}
    assert match.turn(1).memory == {}


def test_imagining_shows_a_bot_nothing_new(gear_name: GearName) -> None:
    """What is imagined looks alike to the seat, and differs from one time to the next."""
    match = start("tron", gear_name, board="random", size=30)
    turn = match.turn(0)
    imagined = [turn.imagine() for _ in range(4)]

    assert all(match.game.view(state.record(), 0) == turn.view for state in imagined)
    assert len({state.position() for state in imagined}) == 4
    assert all(state.position() != match.state.position() for state in imagined)


def test_a_search_answers_with_a_legal_action(gear_name: GearName) -> None:
    match = tron(gear_name)
    assert match.turn(0).search(iterations=20) in match.legal(0)


# ------------------------------------------------------------------- messages beside actions


def talking(game: Game) -> Game:
    """Tron in which every action may carry a message, told with a crash."""

    def note_of(text: str) -> str:
        _, _, message = text.partition(" saying ")
        if message == "rude":
            raise InvalidAction("that is rude: be polite")
        return message

    def parse(record: Any, seat: int, text: str) -> int:
        return game.parse(record, seat, text.partition(" saying ")[0])

    crashed = game.rules.CRASHED
    return dataclasses.replace(game, note_of=note_of, note_event=crashed, parse=parse)


def test_a_message_travels_beside_the_action_with_its_event(gear_name: GearName) -> None:
    game = talking(find("tron"))
    match = Match.start(game, choose_options(game, {"board": "arena"}), 7, gear_name)
    steps: list[Step] = []
    while match.waiting():  # head-on, along the middle line
        match.submit(0, "straight saying so long; and thanks")
        steps = match.be_silent(1)

    played = steps[-1].played
    assert (played[0].text, played[0].message, played[1].message) == ("straight", "so long; and thanks", "")
    first, second = match.heard(steps[-1], 1)
    assert first.startswith("seat 0 crashed") and first.endswith(": so long; and thanks")
    assert second.startswith("seat 1 crashed") and "thanks" not in second


def test_a_robots_message_reaches_those_it_is_for(gear_name: GearName) -> None:
    match = start("robots", gear_name, players=3, messages=True)
    for seat in range(3):
        match.submit(seat, "deploy")
    (speaker,) = match.to_act()
    friend = (speaker + 1) % 3
    *_, step = match.submit(speaker, f"start\nsay {friend} meet me at 4, 7; bring a gun")

    heard = {seat: " ".join(match.heard(step, seat)) for seat in range(3)}

    assert step.played[speaker].message == "meet me at 4, 7; bring a gun"
    assert "meet me at 4, 7; bring a gun" in heard[friend]
    assert "meet me at 4, 7; bring a gun" in heard[speaker]
    assert "gun" not in heard[(speaker + 2) % 3]


def test_a_message_that_must_not_be_sent_is_refused() -> None:
    game = talking(find("tron"))
    match = Match.start(game, choose_options(game, {"board": "arena"}), 7)
    with pytest.raises(InvalidAction, match="be polite"):
        match.submit(0, "up saying rude")
    assert match.waiting() == (0, 1)


def test_a_control_character_in_a_message_is_refused_and_not_cut_at() -> None:
    """U+001C would end a line for `splitlines`; here it stays in the text and the game refuses it."""
    game = find("robots")
    match = Match.start(game, choose_options(game, {"messages": True}), seed=1)
    for seat in (0, 1):
        match.submit(seat, "deploy")
    match.submit(0, "start")
    with pytest.raises(InvalidAction, match="control"):
        match.submit(0, "say all hello\x1cthere")


def test_a_seat_that_leaves_is_taken_away_by_the_rules_where_they_say_so(gear_name: GearName) -> None:
    """R20 of Robot fight: it is destroyed and its turn ends; the replay leads to the same position."""
    match = start("robots", gear_name, players=3)
    for seat in (0, 1, 2):
        match.submit(seat, "deploy")
    match.submit(0, "start")
    match.resign(0)

    assert not match.over
    assert not match.record.robots[0].alive
    assert match.to_act() == (1,)
    with pytest.raises(IllegalAction) as refused:
        match.submit(0, "start")
    assert refused.value.key == "NOT_YOUR_TURN"
    with pytest.raises(IllegalAction) as unknown:
        match.submit(7, "start")
    assert unknown.value.key == "PLAYER_NOT_EXISTS"


def test_planned_draws_of_a_position_without_dice_come_first(gear_name: GearName) -> None:
    game = find("robots")
    text = game.write_position(game.prepare(game.options())).replace("dice", "#")
    record = game.read_position(
        "\n".join(line for line in text.splitlines() if not line.startswith("#")) + "\nplan 3 0 7\n"
    )
    match = Match.from_position(game, record, seed=5, gear=gear_name)
    dice = match.record.dice
    assert (dice.planned, list(dice.plan[:3])) == (3, [7, 0, 3])
    assert dice.counter != 0
