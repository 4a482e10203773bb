"""The checks any game can be put through: what every game promises, tried on random matches.

`turntile game check NAME` and the tests of all games run the same checks. A check yields
sentences about what is wrong; none means that all is well.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from random import Random
from typing import Any

import msgspec

from turntile.core.errors import InvalidAction, InvalidOptions, InvalidPosition, TurntileError
from turntile.core.game import Game, Told
from turntile.core.gears import Gear, GearName, State, gear
from turntile.core.scene import Scene
from turntile.core.seeds import derive_seed
from turntile.match.film import make_film
from turntile.match.match import Match
from turntile.match.options import choose_options
from turntile.match.replay import ReplayWriter, SeatHeader, read_replay, verify

LONGEST_MATCH = 20_000  # steps at random; what takes longer may never end
KEPT = 8  # positions looked at in each match
FULL_LEGALITY = 4_000  # every action number is tried in games with at most so many
SAMPLED_ACTIONS = 300  # else so many of them
BOT_MOVES = 6
FILMED_STEPS = 100
NONSENSE = ("", " ", "xyzzy", "\x00", "1" * 400, "-1", "🂡", "move", "up up up up", "a;b", "\u202e", "left\u00a0left")
NOT_A_POSITION = ("", "nonsense", "{}", "\x00", "#" * 5000, "turn -1")


@dataclass(frozen=True)
class Seen:
    """A position of a random match, and the step that comes next."""

    state: State
    actions: tuple[int, ...]
    events: tuple[Told, ...]  # of the step before
    seed: int
    number: int

    def __str__(self) -> str:
        return f"seed {self.seed}, step {self.number}"


@dataclass
class Subject:
    """The game to be checked, and positions of it to check."""

    game: Game
    matches: int = 20
    seed: int = 0
    gear_name: GearName | None = None
    options: tuple[Any, ...] = field(default=())

    @cached_property
    def gear(self) -> Gear:
        return gear(self.game, self.gear_name)

    def record(self, number: int) -> Any:
        """Prepared options: the default, with every number of players in turn."""
        return self.game.prepare(self.choose(number))

    def choose(self, number: int) -> Any:
        if self.options:
            return self.options[number % len(self.options)]
        fewest, most = self.game.players
        if "players" in self.game.options.__struct_fields__:
            return choose_options(self.game, {"players": fewest + number % (most - fewest + 1)})
        return self.game.options()

    def seed_of(self, number: int) -> int:
        return derive_seed(self.seed, number)

    @cached_property
    def seen(self) -> list[Seen]:
        """Positions from the beginning, the end and in between of random matches."""
        return [seen for number in range(self.matches) for seen in self.spread(self.random_match(number))]

    @cached_property
    def ends(self) -> list[Seen]:
        return [seen for seen in self.seen if seen.state.to_act() == 0]

    def random_match(self, number: int) -> list[Seen]:
        seed = self.seed_of(number)
        chance = Random(seed)
        state = self.gear.new(self.record(number), seed)
        seen: list[Seen] = []
        events: tuple[Told, ...] = ()
        for step in range(LONGEST_MATCH):
            bits = state.to_act()
            actions = tuple(
                chance.choice(state.legal(seat)) if bits >> seat & 1 else 0 for seat in range(state.seats())
            )
            seen.append(Seen(state, actions, events, seed, step))
            if bits == 0:
                break
            state = state.clone()
            state.step(actions)
            events = tuple(Told(*event) for event in state.events())
        return seen

    def spread(self, seen: list[Seen]) -> list[Seen]:
        """A few of a match's positions, the first and the last among them."""
        if len(seen) <= KEPT:
            return seen
        return [seen[round(at * (len(seen) - 1) / (KEPT - 1))] for at in range(KEPT)]


Check = Callable[[Subject], Iterator[str]]


def acting(state: State) -> list[int]:
    bits = state.to_act()
    return [seat for seat in range(state.seats()) if bits >> seat & 1]


# ------------------------------------------------------------------- the checks


def check_record(subject: Subject) -> Iterator[str]:
    """The game's record says what it must, and its catalogue of looks can be drawn."""
    game = subject.game
    if not game.name.isidentifier() or not game.name.islower():
        yield f"the name {game.name!r} is no word of small letters"
    if "\n" in game.summary or not game.summary.strip():
        yield "the summary is not one sentence on one line"
    fewest, most = game.players
    if not 1 <= fewest <= most <= game.rules.MAX_SEATS <= 8:
        yield f"players {game.players} do not fit 1 to MAX_SEATS ({game.rules.MAX_SEATS}), which is at most 8"
    if len(game.planes) != game.rules.PLANES:
        yield f"{len(game.planes)} planes are named, but rules.PLANES is {game.rules.PLANES}"
    names = [kind.name for kind in game.bots]
    if not names or len(set(names)) != len(names):
        yield f"the bots need names that differ, and there must be one: {names}"
    for character, look in game.looks.ground.items():
        if look not in game.looks.looks:
            yield f"the ground {character!r} has the look {look!r}, which is not in the catalogue"
    for name, look_of in game.looks.looks.items():
        for glyph in (look_of.glyph, look_of.ascii, *look_of.turned):
            if glyph and columns(glyph) != 1:
                yield f"the look {name!r} has the glyph {glyph!r}, which is not one column wide"
        if not (look_of.ascii or look_of.glyph).isascii():
            yield f"the look {name!r} has no 7-bit glyph: give it `ascii`"
        if not look_of.word:
            yield f"the look {name!r} has no word for the ear"


def columns(glyph: str) -> int:
    return sum(
        2 if unicodedata.east_asian_width(char) in "WF" else 0 if unicodedata.combining(char) else 1 for char in glyph
    )


def check_legality(subject: Subject) -> Iterator[str]:
    """`legal` lists exactly what `why_illegal` allows, in rising order; silence and candidates are legal."""
    for seen in subject.seen:
        state = seen.state
        to_act = acting(state)
        for seat in range(state.seats()):
            legal = state.legal(seat)
            if legal != sorted(set(legal)):
                yield f"{seen}: the legal actions of seat {seat} are not in rising order: {legal}"
            if seat not in to_act and legal:
                yield f"{seen}: seat {seat} is not to act but has legal actions: {legal[:5]}"
            allowed = set(legal)
            for action in tried_actions(subject, seen, legal):
                if (state.why_illegal(seat, action) == 0) != (action in allowed):
                    yield f"{seen}: why_illegal and legal disagree about action {action} of seat {seat}"
            if seat in to_act:
                yield from check_choice(seen, seat, legal)
        for seat in (-1, state.seats(), 255):
            if state.why_illegal(seat, 0) == 0:
                yield f"{seen}: why_illegal lets seat {seat} act, which there is not"


def tried_actions(subject: Subject, seen: Seen, legal: list[int]) -> Iterable[int]:
    most = subject.game.rules.MAX_ACTIONS
    if most <= FULL_LEGALITY:
        return range(-2, most + 2)
    chance = Random(derive_seed(seen.seed, seen.number))
    sample = [chance.randrange(most) for _ in range(SAMPLED_ACTIONS)]
    return (-2, -1, most, most + 1, *sample, *chance.sample(legal, min(len(legal), SAMPLED_ACTIONS)))


def check_choice(seen: Seen, seat: int, legal: list[int]) -> Iterator[str]:
    if not legal:
        yield f"{seen}: seat {seat} is to act but has no legal action"
        return
    default = seen.state.default_action(seat)
    if default not in legal:
        yield f"{seen}: silence of seat {seat} means action {default}, which is illegal"
    candidates = seen.state.candidates(seat)
    if not candidates or not set(candidates) <= set(legal) or candidates != sorted(set(candidates)):
        yield f"{seen}: the candidates of seat {seat} are no part of its legal actions in rising order: {candidates}"


def check_words(subject: Subject) -> Iterator[str]:
    """Every action has one text that reads back; refusals are sentences; nonsense is refused as invalid."""
    game = subject.game
    for seen in subject.seen:
        record = seen.state.record()
        for seat in acting(seen.state):
            texts: dict[str, int] = {}
            for action in sampled(seen, seen.state.legal(seat)):
                text = game.spell(record, seat, action)
                if "\n" in text or ";" in text or text != text.strip() or not text:
                    yield f"{seen}: the text {text!r} of action {action} is empty, or has ; or blanks around it"
                if texts.setdefault(text, action) != action:
                    yield f"{seen}: actions {texts[text]} and {action} have the same text {text!r}"
                if game.parse(record, seat, text) != action:
                    yield f"{seen}: {text!r} spells action {action} but reads as {game.parse(record, seat, text)}"
            for text in NONSENSE:
                yield from check_nonsense(seen, partial(game.parse, record, seat, text), InvalidAction)
        for seat in range(seen.state.seats()):
            for action in sampled(seen, list(range(game.rules.MAX_ACTIONS))):
                code = seen.state.why_illegal(seat, action)
                if code:
                    yield from check_sentence(f"{seen}: refusal {code}", game.refusal(record, seat, action, code))


def sampled(seen: Seen, actions: list[int]) -> list[int]:
    if len(actions) <= SAMPLED_ACTIONS:
        return actions
    return Random(derive_seed(seen.seed, seen.number)).sample(actions, SAMPLED_ACTIONS)


def check_sentence(where: str, sentence: object) -> Iterator[str]:
    if not isinstance(sentence, str) or not sentence.strip() or "\n" in sentence:
        yield f"{where} is no sentence on one line: {sentence!r}"


def check_nonsense(where: object, read: Callable[[], Any], error: type[TurntileError]) -> Iterator[str]:
    """Either it means something after all, or it is refused in one line."""
    try:
        read()
    except error as refusal:
        yield from check_sentence(f"{where}: {error.__name__}", str(refusal))
    except Exception as other:  # whatever else comes is what this check is for
        yield f"{where}: nonsense raises {type(other).__name__} ({other}) instead of {error.__name__}"


def check_positions(subject: Subject) -> Iterator[str]:
    """Any position can be written as text and read back, and bytes likewise."""
    game = subject.game
    for seen in subject.seen:
        text = game.write_position(seen.state.record())
        try:
            again = subject.gear.load(game.read_position(text))
        except TurntileError as refusal:
            yield f"{seen}: a position that was written cannot be read: {refusal}"
            continue
        if again.to_bytes() != seen.state.to_bytes():
            yield f"{seen}: the position read back differs from the one written"
        elif game.write_position(again.record()) != text:
            yield f"{seen}: the same position is written in two ways"
        if subject.gear.from_bytes(seen.state.to_bytes()).to_bytes() != seen.state.to_bytes():
            yield f"{seen}: the state's bytes do not read back"
    for text in NOT_A_POSITION:
        yield from check_nonsense(f"position {text[:20]!r}", partial(game.read_position, text), InvalidPosition)


def check_clones(subject: Subject) -> Iterator[str]:
    """A clone goes its own way, and the same actions lead to the same position."""
    for seen in subject.seen:
        if seen.state.to_act() == 0:
            continue
        before = seen.state.to_bytes()
        one, other = seen.state.clone(), seen.state.clone()
        one.step(seen.actions)
        other.step(seen.actions)
        if seen.state.to_bytes() != before:
            yield f"{seen}: stepping a clone changed the original"
        if one.to_bytes() != other.to_bytes() or one.events() != other.events():
            yield f"{seen}: the same step led to two positions"


def gears_there(game: Game) -> list[GearName]:
    try:
        gear(game, "compiled")
    except InvalidOptions:
        return ["interpreted"]
    return ["interpreted", "compiled"]


def check_gears(subject: Subject) -> Iterator[str]:
    """Both gears come to the same positions, events, legal actions and scores."""
    if len(gears_there(subject.game)) < 2:
        return  # nothing to compare with: the rules are not compiled here
    compiled, interpreted = gear(subject.game, "compiled"), gear(subject.game, "interpreted")
    for number in range(subject.matches):
        seed = subject.seed_of(number)
        record = subject.record(number)
        fast, slow = compiled.new(record, seed), interpreted.new(record, seed)
        chance = Random(seed)
        for step in range(LONGEST_MATCH):
            where = f"seed {seed}, step {step}"
            if fast.to_bytes() != slow.to_bytes() or fast.position() != slow.position():
                yield f"{where}: the gears are in different positions"
                break
            if fast.events() != slow.events():
                yield f"{where}: the gears tell different events"
            if fast.to_act() != slow.to_act():
                yield f"{where}: the gears wait for different seats"
                break
            seats = range(fast.seats())
            if [(fast.score(s), fast.place(s)) for s in seats] != [(slow.score(s), slow.place(s)) for s in seats]:
                yield f"{where}: the gears count differently"
            to_act = acting(fast)
            if not to_act:
                break
            if any(fast.legal(seat) != slow.legal(seat) for seat in to_act):
                yield f"{where}: the gears allow different actions"
                break
            actions = [chance.choice(fast.legal(seat)) if seat in to_act else 0 for seat in seats]
            fast.step(actions)
            slow.step(actions)


def check_endings(subject: Subject) -> Iterator[str]:
    """Random matches end; nobody acts then; every seat has its place, and there is a reason."""
    game = subject.game
    if len(subject.ends) < subject.matches:
        endless = subject.matches - len(subject.ends)
        yield f"{endless} of {subject.matches} random matches did not end in {LONGEST_MATCH} steps"
    for seen in subject.seen:
        state = seen.state
        places = [state.place(seat) for seat in range(state.seats())]
        if state.over() != (state.to_act() == 0):
            yield f"{seen}: over is {state.over()}, but to_act is {state.to_act()}"
        if not state.over():
            if any(places):
                yield f"{seen}: places {places} are given while it goes on"
            continue
        if any(place != 1 + sum(other < place for other in places) for place in places):
            yield f"{seen}: {places} are no places: 1 for the best, and ties share"
        yield from check_sentence(f"{seen}: the reason", game.reason(state.record()))


def check_secrets(subject: Subject) -> Iterator[str]:
    """What a seat cannot know reaches it by no door: view, planes, legal actions, scene, or a watcher's whisper."""
    game = subject.game
    for seen in subject.seen:
        for seat in range(seen.state.seats()):
            other = seen.state.redeal(seat, derive_seed(seen.seed, seen.number, seat))
            here, there = seen.state.record(), other.record()
            if game.view(here, seat) != game.view(there, seat):
                yield f"{seen}: seat {seat}'s view shows what redeal says it cannot know"
            if seen.state.observe(seat) != other.observe(seat):
                yield f"{seen}: seat {seat}'s planes show what redeal says it cannot know"
            if seen.state.legal(seat) != other.legal(seat):
                yield f"{seen}: seat {seat}'s legal actions tell what redeal says it cannot know"
            if [game.spell(here, seat, a) for a in sampled(seen, seen.state.legal(seat))] != [
                game.spell(there, seat, a) for a in sampled(seen, other.legal(seat))
            ]:
                yield f"{seen}: the texts of seat {seat}'s actions tell what redeal says it cannot know"
            if not game.hidden and game.view(here, None) != game.view(there, None):
                yield f"{seen}: watchers would see at once what seat {seat} cannot know: say hidden=True in game.py"


def check_events(subject: Subject) -> Iterator[str]:
    """What happened can be told to everybody who may hear it, a line each."""
    game = subject.game
    for seen in subject.seen:
        record = seen.state.record()
        for event in seen.events:
            for hearer in (None, *range(seen.state.seats())):
                if event.heard_by(hearer):
                    line = game.narrate(record, event, hearer)
                    if not isinstance(line, str) or "\n" in line:
                        yield f"{seen}: {event} is told as {line!r}, which is no line"


def check_scenes(subject: Subject) -> Iterator[str]:
    """Scenes can be drawn: everything is on the board, has a look and an id of its own."""
    game = subject.game
    for seen in subject.seen:
        record = seen.state.record()
        for seat in (None, *range(seen.state.seats())):
            view = game.view(record, seat)
            try:
                msgspec.json.encode(view)
            except (TypeError, ValueError) as error:
                yield f"{seen}: the view of seat {seat} is no plain data: {error}"
            legal: tuple[str, ...] = ()
            if seat is not None and seat in acting(seen.state):
                actions = seen.state.legal(seat)
                if len(actions) <= game.list_legal_up_to:
                    legal = tuple(game.spell(record, seat, action) for action in actions)
            scene = game.scene(view, legal)
            for problem in scene_problems(game, scene, legal):
                yield f"{seen}, seen by {seat}: {problem}"


def scene_problems(game: Game, scene: Scene, legal: tuple[str, ...]) -> Iterator[str]:
    if "\n" in scene.title:
        yield f"the title {scene.title!r} is more than one line"
    if scene.ground and (len(scene.ground) != scene.height or any(len(row) != scene.width for row in scene.ground)):
        yield f"the ground does not have {scene.height} rows of {scene.width}"
    for character in sorted({character for row in scene.ground for character in row}):
        if character not in game.looks.ground:
            yield f"the ground {character!r} has no look"
    ids: set[str] = set()
    for sprite in scene.sprites:
        if sprite.id in ids:
            yield f"two sprites have the id {sprite.id!r}"
        ids.add(sprite.id)
        if sprite.look not in game.looks.looks:
            yield f"sprite {sprite.id!r} has the look {sprite.look!r}, which is not in the catalogue"
        if not (0 <= sprite.x < scene.width and 0 <= sprite.y < scene.height):
            yield f"sprite {sprite.id!r} is at ({sprite.x}, {sprite.y}), beside the board"
        if not 0 <= sprite.turn <= 7:
            yield f"sprite {sprite.id!r} is turned by {sprite.turn} eighths"
    for mark in scene.marks:
        if not (0 <= mark.x < scene.width and 0 <= mark.y < scene.height):
            yield f"the mark {mark.kind} is at ({mark.x}, {mark.y}), beside the board"
    for edge in scene.edges:
        if not (0 <= edge.x <= scene.width and 0 <= edge.y <= scene.height):
            yield f"the edge at ({edge.x}, {edge.y}) is beside the board"
    for choice in scene.choices:
        if choice.action and choice.action not in legal:
            yield f"the choice {choice.label!r} means {choice.action!r}, which is not legal"


def check_replays(subject: Subject) -> Iterator[str]:
    """A match becomes a replay that verifies in every gear, and a film for every seat."""
    game = subject.game
    for number in range(min(subject.matches, 3)):
        match = Match.start(game, subject.choose(number), subject.seed_of(number), subject.gear_name)
        seats = len(match.seats)
        writer = ReplayWriter()
        data = [writer.begin(match, [SeatHeader("random")] * seats)]
        while match.waiting() and match.step_number < FILMED_STEPS:
            turn = match.turn(match.waiting()[0])
            steps = match.submit(turn.seat, turn.random.choice(turn.legal))
            data.extend(writer.step(step) for step in steps)
        data.append(writer.end(match))
        replay = read_replay(b"".join(data))
        for name in gears_there(game):
            try:
                verify(replay, game, gear=name)
            except TurntileError as difference:
                yield f"seed {match.seed}: the {name} gear does not verify a replay of this match: {difference}"
        for seat in (None, *range(seats)):
            film = make_film(replay, game, seat)
            if len(film.frames) != match.step_number + 1:
                frames, steps_played = len(film.frames), match.step_number
                yield f"seed {match.seed}: the film for {seat} has {frames} frames for {steps_played} steps"


def check_bots(subject: Subject) -> Iterator[str]:
    """Every bot answers with legal actions, at the beginning and later."""
    game = subject.game
    for kind in game.bots:
        for number in range(min(subject.matches, 2)):
            match = Match.start(game, subject.choose(number), subject.seed_of(number), subject.gear_name)
            bots = [kind.make("") for _ in match.seats]
            for _ in range(BOT_MOVES * len(match.seats)):
                if not match.waiting():
                    break
                seat = match.waiting()[0]
                text = bots[seat](match.turn(seat))
                try:
                    match.submit(seat, text)
                except TurntileError as refusal:
                    where = f"bot {kind.name}, seed {match.seed}, step {match.step_number}"
                    yield f"{where}: {text!r} is refused: {refusal}"
                    break


CHECKS: dict[str, Check] = {
    "record": check_record,
    "legality": check_legality,
    "words": check_words,
    "positions": check_positions,
    "clones": check_clones,
    "gears": check_gears,
    "endings": check_endings,
    "secrets": check_secrets,
    "events": check_events,
    "scenes": check_scenes,
    "replays": check_replays,
    "bots": check_bots,
}
