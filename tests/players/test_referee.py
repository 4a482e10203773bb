"""The referee: every way a program can fail has its own ending, with a reason, and leaves nothing behind."""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.players.bots import children, seat_bot, write_program
from tests.players.test_host import Diary
from turntile.core.bots import Turn
from turntile.core.errors import InvalidOptions
from turntile.core.game import Outcome
from turntile.core.registry import find
from turntile.match import Match
from turntile.match.clock import NO_LIMIT, TimeControl, read_control
from turntile.match.film import make_film
from turntile.match.options import choose_options
from turntile.match.remarks import Failure
from turntile.match.replay import ResignLine, StepLine, read_replay, verify
from turntile.players.host import Host
from turntile.players.policy import RULEBOOK, Policy, read_policy
from turntile.players.process import Launch, ProcessGuest
from turntile.players.recording import Recording
from turntile.players.seats import Player, fill_seats

TRON = find("tron")
READY = 'input(); print(\'{"type":"ready"}\', flush=True)'
QUICK = Launch(hello_s=1.0, newgame_s=1.0)


def arena(players: int = 2, seed: int = 3) -> Match:
    return Match.start(TRON, choose_options(TRON, {"board": "arena", "players": players}), seed)


def goes_straight(turn: Turn) -> str:
    return "straight"


STRAIGHT = Player("straight", goes_straight)


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    before = children()
    yield
    assert children() == before, "a program outlived its test"


def play(
    *players: Player,
    control: TimeControl = NO_LIMIT,
    policy: Policy = RULEBOOK,
    patience_s: float | None = 20.0,
    match: Match | None = None,
) -> tuple[Match, Diary, Outcome]:
    """A match to its end, every guest sent away."""
    match = match or arena(len(players))
    diary = Diary()
    host = Host(match, players, control, (diary,), policy=policy, patience_s=patience_s)
    try:
        outcome = host.play()
    finally:
        for player in players:
            player.close()
    return match, diary, outcome


def failures(diary: Diary, seat: int = 0) -> list[Failure]:
    return [did.failure for step in diary.steps if (did := step.played.get(seat)) and did.failure is not None]


def last_failure(match: Match, seat: int = 0) -> Failure:
    failure = match.seats[seat].failure
    assert failure is not None
    return failure


# ------------------------------------------------------------------- the good case


def test_a_program_plays_as_a_bot_of_this_process_would(tmp_path: Path) -> None:
    bot = seat_bot(tmp_path, 'move(message, message["legal"][0])')
    first_legal = Player("first", lambda turn: turn.legal[0])
    match, diary, outcome = play(bot, STRAIGHT)
    expected, _, told = play(first_legal, STRAIGHT)
    assert outcome == told
    assert match.state.position() == expected.state.position()
    assert not failures(diary)
    assert all(step.played[0].time_s > 0 for step in diary.steps)


def test_the_program_lives_across_matches(tmp_path: Path) -> None:
    bot = seat_bot(tmp_path, 'say(type="info", text=f"{os.getpid()} {turns}"); move(message)')
    pids, turns = set(), []
    try:
        for seed in range(3):
            diary = Diary()
            Host(arena(seed=seed), (bot, STRAIGHT), witnesses=(diary,)).play()
            for step in diary.steps:
                pid, turn = step.played[0].remarks[0].text.split()
                pids.add(pid)
                turns.append(int(turn))
    finally:
        bot.close()
    assert len(pids) == 1
    assert turns == list(range(1, len(turns) + 1))


def test_seats_of_one_step_are_asked_at_the_same_time(tmp_path: Path) -> None:
    """Four programs that think for 40 ms each need 40 ms a step together."""
    bots = [seat_bot(tmp_path, "time.sleep(0.04); move(message)", name=f"bot{n}.py") for n in range(4)]
    match = arena(4)
    host = Host(match, bots)
    try:
        host.welcome_guests()
        started = time.perf_counter()
        for _ in range(5):
            host.let_guests_act(match.waiting())
        spent = time.perf_counter() - started
    finally:
        for bot in bots:
            bot.close()
    assert match.step_number == 5
    assert spent < 5 * 0.04 * 2.5


def test_remarks_are_kept_and_private_until_the_match_is_over(tmp_path: Path) -> None:
    bot = seat_bot(
        tmp_path,
        """
        say(type="info", text="hm", cells=[{"x": 3, "y": 2, "text": "trap"}, {"x": 99, "y": 0}],
            lines=[{"points": [[1, 1], [3, 1]]}], values={"hope": 0.5})
        say(type="unknown", anything=1)
        move(message)
        """,
    )
    players = [bot, *fill_seats(TRON, ["greedy"], 1)]
    match = arena()
    recording = Recording(tmp_path / "match.jsonl")
    recording.begin(match, players, NO_LIMIT)
    try:
        Host(match, players, witnesses=(recording,)).play()
    finally:
        bot.close()
    cut = read_replay(recording.growing.read_bytes(), so_far=True)
    replay = read_replay(recording.end(match).read_bytes())

    line = replay.lines[0]
    assert isinstance(line, StepLine)
    assert (line.remarks[0][0].text, line.remarks[0][0].values) == ("hm", {"hope": 0.5})
    assert verify(replay, TRON).outcome == match.outcome
    thought = "seat 0 thinks: hm (hope 0.5)"
    judge = make_film(replay, TRON).frames[1]
    assert thought in judge.lines
    assert {(mark.x, mark.y) for mark in judge.scene.marks} >= {(1, 1), (2, 1), (3, 1), (3, 2)}
    assert thought in make_film(replay, TRON, 0).frames[1].lines
    assert thought not in make_film(replay, TRON, 1).frames[1].lines
    running = make_film(cut, TRON, seed=match.seed).frames[1]
    assert thought not in running.lines, "the match is not over: not even the judge is shown thoughts"


# ------------------------------------------------------------------- the bad cases


@pytest.mark.parametrize(
    ("turn", "code", "signal", "what"),
    [
        ('print("oh no", file=sys.stderr); sys.exit(7)', 7, "", "it ended with exit code 7"),
        ('os.write(2, b"oh no\\n"); os.kill(os.getpid(), signal.SIGSEGV)', None, "SIGSEGV", "it was ended by SIGSEGV"),
        ('sys.stderr.write("oh no\\n"); sys.stderr.flush(); os._exit(0)', 0, "", "it ended with exit code 0"),
    ],
)
def test_a_crash_tells_how_it_ended_and_its_last_words(
    tmp_path: Path, turn: str, code: int | None, signal: str, what: str
) -> None:
    dies_in_its_third_turn = f"if turns == 3:\n    {turn}\nmove(message)"
    match, diary, outcome = play(seat_bot(tmp_path, dies_in_its_third_turn), STRAIGHT)
    failure = last_failure(match)
    assert (failure.kind, failure.stage, failure.what) == ("crash", "turn 3", what)
    assert (failure.exit_code, failure.signal) == (code, signal)
    assert failure.stderr[-1] == "oh no"
    assert diary.resignations == [(0, f"failed: crashed: {what}")]
    assert outcome.places == (2, 1)


def test_the_last_fifty_lines_of_the_log_are_kept_in_the_replay(tmp_path: Path) -> None:
    bot = seat_bot(
        tmp_path,
        """
        for number in range(20_000):
            print("line", number, file=sys.stderr)
        sys.exit(1)
        """,
    )
    match = arena()
    recording = Recording(tmp_path / "match.jsonl")
    recording.begin(match, [bot, STRAIGHT], NO_LIMIT)
    Host(match, [bot, STRAIGHT], witnesses=(recording,)).play()
    replay = read_replay(recording.end(match).read_bytes())
    [line] = replay.lines
    assert isinstance(line, ResignLine)
    assert line.failure == last_failure(match)
    assert line.failure.stderr == tuple(f"line {number}" for number in range(19_950, 20_000))
    assert verify(replay, TRON).outcome == match.outcome


def test_a_late_answer_is_told_from_none_at_all(tmp_path: Path) -> None:
    """Late: it said what it would have done, a little after its time. Silent: nothing came."""
    slow = """
        if turns == 2:
            time.sleep(0.3)
        if turns == 4:
            return
        move(message, "up" if turns == 2 else "straight")
    """
    _, diary, _ = play(seat_bot(tmp_path, slow), STRAIGHT, control=read_control("200ms"))
    late, silent = failures(diary)
    assert (late.kind, late.stage, late.limit_ms) == ("time", "turn 2", 200.0)
    assert late.what.endswith("ms of 200.0 ms; it would have been 'up'")
    assert late.time_ms == pytest.approx(300, abs=80)
    assert (silent.kind, silent.stage, silent.what) == ("silence", "turn 4", "no answer within 200 ms")
    assert diary.steps[1].played[0].silent and diary.steps[1].played[0].text == "straight"
    assert diary.steps[1].played[0].note == late.note
    assert not any(diary.steps[n].played[0].silent for n in (0, 2))


def test_an_answer_to_an_earlier_turn_is_ignored(tmp_path: Path) -> None:
    """It answers turn 2 during turn 3, with an action that would be seen, then turn 3 itself."""
    bot = seat_bot(
        tmp_path,
        """
        if turns == 2:
            sys.modules["late"] = message
            return
        if turns == 3:
            move(sys.modules["late"], "up")
        move(message)
        """,
    )
    _, diary, _ = play(bot, STRAIGHT, control=read_control("100ms"))
    assert [failure.stage for failure in failures(diary)] == ["turn 2"]
    assert {step.played[0].text for step in diary.steps} == {"straight"}


@pytest.mark.parametrize(
    ("turn", "what"),
    [
        ('say(type="move", seq=message["seq"] + 5, action="up")', "a move with seq 6, but the turn has seq 1"),
        ('say(type="move", action="up")', "missing required field `seq`"),
        ('say(type="move", seq="one", action="up")', "Expected `int`, got `str`"),
        ('print("x" * 70_000, flush=True)', "a line of more than 65536 bytes"),
        ('while True: print("x" * 1000)', "more than 1048576 bytes in one turn"),
        ('print("I go up"); sys.stdout.flush()', "it wrote 'I go up', which is no message: standard output is for"),
        ('os.write(1, b"\\xff\\xfe\\n")', "which is no message"),
        ('os.write(1, b"[" * 5000 + b"\\n")', "which is no message"),
    ],
)
def test_what_is_no_message_is_an_error_of_protocol(tmp_path: Path, turn: str, what: str) -> None:
    match, diary, outcome = play(seat_bot(tmp_path, turn), STRAIGHT, control=read_control("300ms"), policy=Policy(0))
    failure = last_failure(match)
    assert failure.kind == "protocol"
    assert failure.stage == "turn 1"
    assert what in failure.what
    assert outcome.places == (2, 1)
    assert "misspoke" in diary.resignations[0][1]


def test_lines_that_are_no_messages_do_no_harm_beside_a_move(tmp_path: Path) -> None:
    _, diary, _ = play(seat_bot(tmp_path, 'print("thinking"); print("{}"); print(); move(message)'), STRAIGHT)
    assert not failures(diary)


def test_an_illegal_action_means_silence_and_the_program_is_told_why(tmp_path: Path) -> None:
    turn = 'say(type="info", text=message["refused"]); move(message, "fly" if turns == 1 else "straight")'
    _, diary, _ = play(seat_bot(tmp_path, turn), STRAIGHT)
    [failure] = failures(diary)
    assert failure.kind == "illegal"
    assert "'fly' is no action" in failure.what
    assert "'fly' is no action" in diary.steps[1].played[0].remarks[0].text
    assert not diary.steps[2].played[0].remarks[0].text


def test_without_a_clock_patience_ends(tmp_path: Path) -> None:
    match, _, outcome = play(seat_bot(tmp_path, "time.sleep(60)"), STRAIGHT, patience_s=0.2)
    assert last_failure(match).kind == "silence"
    assert "it said nothing for 0 s: --clock sets a limit" in last_failure(match).what
    assert outcome.places == (2, 1)


@pytest.mark.parametrize(
    ("text", "kind", "stage", "what"),
    [
        ("import time; time.sleep(60)", "silence", "hello", 'no {"type":"ready"} within 1 s after hello'),
        ("import sys; sys.exit('no licence')", "crash", "hello", "it ended with exit code 1"),
        ("print('Welcome!', flush=True); input(); input()", "protocol", "hello", "it wrote 'Welcome!'"),
        ('input(); print(\'{"type":"ready","protocol":9}\', flush=True)', "protocol", "hello", "speaks protocol 9"),
        (
            'input(); print(\'{"type":"ready"}\', flush=True); input(); import sys; sys.exit()',
            "crash",
            "newgame",
            "exit code 0",
        ),
    ],
)
def test_a_program_that_cannot_begin_is_out_before_the_first_turn(
    tmp_path: Path, text: str, kind: str, stage: str, what: str
) -> None:
    bot = Player("bot", ProcessGuest(write_program(tmp_path, text), launch=QUICK))
    match, _, outcome = play(bot, STRAIGHT)
    failure = last_failure(match)
    assert (failure.kind, failure.stage) == (kind, stage)
    assert what in failure.what
    assert outcome.places == (2, 1)
    assert match.step_number == 0


def test_a_program_that_cannot_be_started_is_told_so(tmp_path: Path) -> None:
    path = tmp_path / "bot"
    path.write_text("no program at all")
    path.chmod(0o755)
    match, _, _ = play(Player("bot", ProcessGuest([str(path)])), STRAIGHT)
    failure = last_failure(match)
    assert (failure.kind, failure.stage) == ("crash", "start")
    assert "cannot be started: Exec format error" in failure.what


def test_a_program_that_does_not_read_holds_nobody_up(tmp_path: Path) -> None:
    """A board of 50 x 50 fills the pipe of a program that never reads it."""
    text = f"import time; {READY}; {READY}; time.sleep(99)"
    bot = Player("bot", ProcessGuest(write_program(tmp_path, text)))
    match = Match.start(TRON, choose_options(TRON, {"size": 49}), 3)
    started = time.perf_counter()
    _, diary, _ = play(bot, STRAIGHT, match=match, control=read_control("20ms"), patience_s=0.5)
    assert time.perf_counter() - started < 20
    kinds = [failure.kind for failure in failures(diary)] + [f.kind for f in [match.seats[0].failure] if f]
    assert set(kinds) == {"silence"}


def test_a_crashed_program_is_started_again_for_the_next_match(tmp_path: Path) -> None:
    bot = seat_bot(tmp_path, "sys.exit(3)")
    for _ in range(2):
        match = arena()
        Host(match, [bot, STRAIGHT]).play()
        assert last_failure(match).exit_code == 3
    bot.close()


# ------------------------------------------------------------------- policies


@pytest.mark.parametrize(
    ("text", "illegal_answers", "out"), [("rulebook", None, False), ("forfeit", 0, True), ("forgive 3", 3, True)]
)
def test_a_policy_says_how_often_an_answer_may_fail(
    tmp_path: Path, text: str, illegal_answers: int | None, out: bool
) -> None:
    policy = read_policy(text)
    match, diary, _ = play(seat_bot(tmp_path, 'move(message, "fly")'), STRAIGHT, policy=policy)
    assert str(policy) == text
    assert bool(diary.resignations) == out
    assert len(failures(diary)) == (match.step_number if illegal_answers is None else illegal_answers)


def test_policies_hold_for_bots_of_this_process_too() -> None:
    match, diary, _ = play(Player("talks", lambda turn: "hello"), STRAIGHT, policy=read_policy("forgive:2"))
    assert len(failures(diary)) == 2
    assert last_failure(match).kind == "illegal"


@pytest.mark.parametrize("text", ["mercy", "forgive", "forgive -1", "forgive x", "forgive 99999999"])
def test_what_is_no_policy_is_refused(text: str) -> None:
    with pytest.raises(InvalidOptions, match="is no policy: say rulebook, forfeit or 'forgive 3'"):
        read_policy(text)


# ------------------------------------------------------------------- nothing is left


@pytest.mark.parametrize(
    "turn",
    [
        'subprocess.Popen(["sleep", "600"]); move(message)',
        'subprocess.Popen(["sleep", "600"], start_new_session=True); move(message)',
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); move(message)\nwhile turns > 3: pass",
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0: time.sleep(600)\n    os._exit(0)\nmove(message)",
        "if turns == 3:\n    subprocess.Popen(['sleep', '600']); os._exit(1)\nmove(message)",
        "if turns == 2:\n    while True: os.write(1, b'x' * 60_000 + b'\\n')\nmove(message)",
    ],
    ids=["child", "other session", "ignores TERM", "daemon", "orphan of a crash", "flood"],
)
def test_nothing_is_left_of_a_program_however_it_ends(tmp_path: Path, turn: str) -> None:
    """Neither a process nor a zombie; the fixture looks for children, this for what went elsewhere."""
    bot = seat_bot(tmp_path, turn)
    play(bot, STRAIGHT, control=read_control("150ms"), policy=Policy(2))
    sleeping = [
        pid
        for pid in Path("/proc").iterdir()
        if pid.name.isdigit() and (pid / "cmdline").exists() and str(tmp_path).encode() in read(pid / "cmdline")
    ]
    assert not sleeping


def read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_ctrl_c_leaves_nothing(tmp_path: Path) -> None:
    bot = seat_bot(tmp_path, "move(message)")

    def stops(turn: Turn) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(bot, Player("stops", stops))


# ------------------------------------------------------------------- clocks


def test_the_referees_own_delay_is_not_charged(tmp_path: Path) -> None:
    """An answer that is there when the referee wakes up is in time, though the referee overslept."""
    bot = seat_bot(tmp_path, "move(message)")
    match = arena()
    host = Host(match, [bot, STRAIGHT], read_control("50ms"))
    guest = bot.guest
    assert guest is not None
    host.welcome_guests()
    original = guest.filenos

    def slow_filenos() -> tuple[int, ...]:
        time.sleep(0.2)  # the machine does not run the referee for four times the limit
        return original()

    guest.filenos = slow_filenos  # type: ignore[method-assign]
    diary = Diary()
    host.witnesses = (diary,)
    try:
        host.let_guests_act([0])
        guest.filenos = original  # type: ignore[method-assign]
        host.let_bot_act(1)
    finally:
        bot.close()
    assert not failures(diary)
    assert diary.steps[0].played[0].time_s <= 0.05


def test_a_debugger_stops_the_clock(tmp_path: Path) -> None:
    """The program is attached to with ptrace, as gdb does, and halted for six times its limit."""
    bot = seat_bot(
        tmp_path,
        """
        if turns == 2:
            time.sleep(0.6)
        move(message)
        """,
    )
    match = arena()
    diary = Diary()
    host = Host(match, [bot, STRAIGHT], read_control("100ms"), (diary,))
    try:
        host.welcome_guests()
        assert isinstance(bot.guest, ProcessGuest) and bot.guest.program is not None
        ptrace = ctypes.CDLL(None, use_errno=True).ptrace
        seized = ptrace(0x4206, bot.guest.program.pid, None, None)  # PTRACE_SEIZE: attach, let it run on
        assert seized == 0, os.strerror(ctypes.get_errno())
        for _ in range(2):
            host.let_guests_act([0])
            host.let_bot_act(1)
        ptrace(17, bot.guest.program.pid, None, None)  # PTRACE_DETACH, if it is stopped
    finally:
        bot.close()
    assert not failures(diary)
    assert "a debugger was attached" in diary.steps[1].played[0].note
    assert diary.steps[1].played[0].time_s == 0.0


# ------------------------------------------------------------------- plain mode


def test_plain_mode_reads_lines_and_answers_with_an_action(tmp_path: Path) -> None:
    text = """
import sys
seen = {}
for line in sys.stdin:
    word, _, rest = line.rstrip("\\n").partition(" ")
    seen.setdefault(word, []).append(rest)
    if word == "go":
        print(seen["legal"][0], flush=True)
        seen.pop("legal")
    if word in ("end", "quit"):
        print(word, {key: rows[:1] for key, rows in seen.items()}, file=sys.stderr, flush=True)
"""
    bot = Player("plain", ProcessGuest(write_program(tmp_path, text), plain=True))
    match = arena()
    diary = Diary()
    Host(match, [bot, STRAIGHT], witnesses=(diary,)).play()
    assert isinstance(bot.guest, ProcessGuest)
    program = bot.guest.program
    assert program is not None
    bot.close()
    assert not failures(diary)
    log = "\n".join(program.log.lines())
    assert "'newgame': ['tron seat 0 of 2']" in log
    assert "'turn': ['1']" in log
    assert "'board': ['##" in log
    assert log.splitlines()[-1].startswith("quit ")


def test_a_late_plain_answer_does_not_count_for_the_next_turn(tmp_path: Path) -> None:
    text = """
import sys, time
turn = 0
for line in sys.stdin:
    if line == "go\\n":
        turn += 1
        if turn == 2:
            time.sleep(0.5)
        print("up" if turn == 2 else "straight", flush=True)
"""
    bot = Player("plain", ProcessGuest(write_program(tmp_path, text), plain=True))
    _, diary, _ = play(bot, STRAIGHT, control=read_control("200ms"))
    assert failures(diary)
    assert {step.played[0].text for step in diary.steps} == {"straight"}
