"""Robot fight over its own HTTP: whole games, every error key, and nothing that a radar would have to find."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.arena import Arena, arena
from tests.server.bots.conftest import finished
from turntile.core.registry import find
from turntile.games.robots.words import ERROR_KEYS
from turntile.match.replay import read_replay, verify


class Robot:
    """A program that plays one robot."""

    def __init__(self, url: str, game: str, name: str) -> None:
        self.url = f"{url}/robot-fight/games/{game}"
        told = httpx.post(f"{self.url}/players", json={"name": name}, verify=False)
        assert told.status_code == 201, told.text
        joined = told.json()
        assert joined["name"] == name
        self.number: int = joined["player"]
        self.client = httpx.Client(
            base_url=f"{self.url}/players/{self.number}",
            headers={"Authorization": f"Bearer {joined['token']}"},
            timeout=30,
            trust_env=False,
            verify=False,
        )

    def do(self, path: str, **body: Any) -> dict[str, Any]:
        told = self.client.post(path, json=body) if body else self.client.post(path)
        assert told.status_code == 200, told.text
        answer: dict[str, Any] = told.json()
        return answer

    def refused(self, path: str, **body: Any) -> str:
        """The key of the error, after a look at its form."""
        return key_of(self.client.post(path, json=body) if body else self.client.post(path))

    @property
    def status(self) -> dict[str, Any]:
        told = self.client.get("/status")
        assert told.status_code == 200, told.text
        answer: dict[str, Any] = told.json()
        return answer

    def deploy(self, *features: str) -> None:
        for feature in features:
            self.do("/features", feature=feature)
        self.do("/features/end")


STATUSES = {
    "GAME_NOT_EXISTS": (404,),
    "PLAYER_NOT_EXISTS": (404,),
    "GAME_FULL": (409,),
    "NOT_YOUR_TURN": (409,),
    "OUT_OF_CAPACITY": (422,),
    "OUT_OF_BOUNDS": (422,),
    "ILLEGAL_MOVE": (422,),
    "ERROR": (401, 403, 409, 422),
}


def key_of(answer: httpx.Response) -> str:
    told = answer.json()
    assert set(told) == {"error", "message"}, told
    assert told["error"] in ERROR_KEYS and answer.status_code in STATUSES[told["error"]], (answer.status_code, told)
    assert told["message"] and "\n" not in told["message"] and "Traceback" not in told["message"]
    key: str = told["error"]
    return key


def new_game(running: Arena, **wish: Any) -> str:
    told = httpx.post(f"{running.url}/robot-fight/games", json=wish, verify=False)
    assert told.status_code == 201, told.text
    game: str = told.json()["game"]
    return game


def two_robots(running: Arena, **options: Any) -> tuple[str, Robot, Robot]:
    game = new_game(running, options=options)
    return game, Robot(running.url, game, "Ares"), Robot(running.url, game, "Mars")


def test_a_whole_fight(running: Arena) -> None:
    """Two robots meet in the middle; one is shot. The match can be watched, and its replay holds."""
    game, ares, mars = two_robots(running, map="empty")
    assert (ares.number, mars.number) == (0, 1)
    ares.deploy("engine3", "gun", "radar1")
    mars.deploy("radar1")
    assert ares.status["phase"] == "play" and ares.status["turn_of"] == 0
    where = (0, 0)
    steps = ["right"] * 6 + ["down"] * 6 + ["right"] * 1 + ["down"] * 1
    while steps:
        assert ares.do("/turn/start")["robot"]["moves_left"] == 6
        while steps and ares.status["robot"]["moves_left"]:
            robot = ares.do("/move", direction=steps.pop(0))["robot"]
            where = (robot["x"], robot["y"])
        ares.do("/turn/end")
        mars.do("/turn/start")
        mars.do("/turn/end")
    assert where == (7, 7)
    ares.do("/turn/start")
    assert ares.do("/shoot", x=8, y=9)["hit"] is False
    ares.do("/turn/end")
    mars.do("/turn/start")
    area = mars.do("/radar")
    assert area["area"] == 3 and len(area["cells"]) == 9
    contents = {(cell["x"], cell["y"]): cell["content"] for cell in area["cells"]}
    assert contents[9, 9] == "self" and contents[10, 10] == "outside" and contents[8, 8] == "empty"
    mars.do("/turn/end")
    for hp in (7, 4, 1):
        ares.do("/turn/start")
        assert ares.do("/shoot", x=9, y=9)["hit"] is True
        ares.do("/turn/end")
        assert mars.status["robot"]["hp"] == hp
        mars.do("/turn/start")
        mars.do("/turn/end")
    ares.do("/turn/start")
    last = ares.do("/shoot", x=9, y=9)
    assert last["hit"] and last["result"] == "robot 0"
    browser = running.browser()
    info = finished(browser, game)
    assert info["outcome"]["places"] == [1, 2] and [seat["name"] for seat in info["seats"]] == ["Ares", "Mars"]
    assert verify(read_replay(browser.get(f"/matches/{game}/replay").content), find("robots")).over
    for robot, alive in ((ares, True), (mars, False)):
        assert robot.status["phase"] == "over" and robot.status["result"] == "robot 0"
        assert robot.status["robot"]["alive"] is alive
        assert robot.refused("/turn/start") == "ERROR", "only the status can still be asked for"
        assert robot.refused("/features", feature="gun") == "ERROR"
    assert key_of(httpx.post(f"{ares.url}/players", json={}, verify=False)) == "GAME_FULL"


def test_robots_deploy_before_all_have_joined(running: Arena) -> None:
    """R10: in any order, unseen by the others."""
    game = new_game(running, options={"players": 3})
    first = Robot(running.url, game, "First")
    assert first.status["phase"] == "waiting"
    assert first.do("/features", feature="engine2")["robot"]["capacity_used"] == 4
    assert first.do("/features", feature="engine3")["robot"]["features"] == ["engine3"]
    assert first.refused("/features", feature="radar3") == "OUT_OF_CAPACITY"
    first.do("/features/end")
    assert first.refused("/features", feature="gun") == "ERROR", "the end is final"
    assert first.refused("/turn/start") == "ERROR"
    second = Robot(running.url, game, "Second")
    second.do("/features", feature="shield3")
    third = Robot(running.url, game, "Third")
    status = first.status
    assert status["phase"] == "deployment" and status["robot"]["features"] == ["engine3"]
    assert [player["deployed"] for player in third.status["players"]][1:] == [False, False]
    third.deploy("gun")
    assert second.status["robot"]["features"] == ["shield3"]
    second.do("/features", feature="radar2")
    second.do("/features/end")
    status = second.status
    assert status["phase"] == "play" and status["robot"]["features"] == ["radar2", "shield3"]
    assert status["robot"]["full_hp"] == 18
    assert first.status["robot"]["moves"] == 6
    assert first.do("/turn/start")["robot"]["moves_left"] == 6


def test_what_was_deployed_outlives_the_server(tmp_path: Path, database_url: str) -> None:
    with arena(tmp_path, db=database_url) as before:
        game = new_game(before)
        robot = Robot(before.url, game, "Phoenix")
        robot.do("/features", feature="gun")
        robot.do("/features", feature="shield2")
    with arena(tmp_path, db=database_url) as after:
        robot.client.base_url = httpx.URL(f"{after.url}/robot-fight/games/{game}/players/0")
        assert robot.status["robot"]["features"] == ["shield2", "gun"]
        robot.do("/features/end")
        other = Robot(after.url, game, "Other")
        other.do("/features/end")
        status = robot.status
        assert status["phase"] == "play" and status["robot"]["features"] == ["shield2", "gun"]


def test_a_fight_against_a_built_in_opponent(running: Arena) -> None:
    game = new_game(running, opponents=["easy"], options={"turn_limit": 6}, listed=False)
    robot = Robot(running.url, game, "Solo")
    robot.deploy("radar1", "gun", "engine1")
    for _ in range(3):
        while (status := robot.status)["phase"] != "play" or status["turn_of"] != 0:
            pass
        robot.do("/turn/start")
        robot.do("/turn/end")
    assert finished(running.browser(), game)["status"] == "over"
    assert robot.status["result"] == "draw"


def test_every_error_in_the_order_of_the_rulebook(running: Arena) -> None:
    """R19."""
    url = f"{running.url}/robot-fight/games"
    nobody = httpx.Client(verify=False, trust_env=False)
    assert key_of(nobody.post(f"{url}/nothing/players", json={})) == "GAME_NOT_EXISTS"
    assert key_of(nobody.get(f"{url}/nothing/players/0/status")) == "GAME_NOT_EXISTS"
    assert key_of(nobody.get(f"{url}/nothing")) == "GAME_NOT_EXISTS"
    tron = (
        running.browser()
        .post("/matches", json={"game": "tron", "seats": [{"kind": "me"}, {"kind": "open"}]})
        .json()["id"]
    )
    assert key_of(nobody.post(f"{url}/{tron}/players", json={})) == "GAME_NOT_EXISTS"
    game, ares, mars = two_robots(running, map="empty")
    assert key_of(nobody.post(f"{url}/{game}/players", json={"name": "Late"})) == "GAME_FULL"
    for player in ("2", "-1", "x", "00"):
        assert key_of(ares.client.get(f"{url}/{game}/players/{player}/status")) == "PLAYER_NOT_EXISTS"
    for path in ("features", "features/end", "turn/start", "radar", "move", "shoot", "turn/end", "mines", "messages"):
        assert key_of(ares.client.post(f"{url}/{game}/players/7/{path}")) == "PLAYER_NOT_EXISTS"
        assert key_of(nobody.post(f"{url}/{game}/players/0/{path}")) == "ERROR"  # 401
        assert key_of(mars.client.post(f"{url}/{game}/players/0/{path}")) == "ERROR"  # 403
    # the deployment
    assert ares.refused("/mines") == "ERROR" and ares.refused("/messages", text="hi") == "ERROR"  # switched off
    assert ares.refused("/turn/start") == "ERROR" and ares.refused("/move", direction="up") == "ERROR"  # wrong phase
    assert ares.refused("/features", feature="laser") == "ERROR"
    assert ares.refused("/features") == "ERROR"
    assert ares.refused("/features", feature="mines") == "ERROR"
    assert ares.refused("/features", feature={"a": [1]}) == "ERROR"
    assert ares.refused("/features", feature="gun; deploy") == "ERROR"
    ares.do("/features", feature="cannon")
    ares.do("/features", feature="engine2")
    assert ares.refused("/features", feature="radar2") == "OUT_OF_CAPACITY"
    ares.do("/features", feature="radar1")
    ares.do("/features/end")
    assert ares.refused("/features/end") == "ERROR" and ares.refused("/features", feature="gun") == "ERROR"
    mars.do("/features/end")
    # the fight
    assert ares.refused("/features", feature="gun") == "ERROR"
    assert mars.refused("/turn/start") == "NOT_YOUR_TURN"
    assert mars.refused("/move", direction="nowhere") == "NOT_YOUR_TURN"  # comes before its words
    assert mars.refused("/shoot", x="?", y="?") == "NOT_YOUR_TURN"
    assert ares.refused("/turn/end") == "ERROR" and ares.refused("/radar") == "ERROR"  # not started
    ares.do("/turn/start")
    assert ares.refused("/turn/start") == "ERROR"
    assert ares.refused("/move", direction="north") == "ILLEGAL_MOVE"
    assert ares.refused("/move", direction="down; end") == "ILLEGAL_MOVE"
    assert ares.refused("/move") == "ILLEGAL_MOVE"
    assert ares.refused("/move", direction="up") == "OUT_OF_BOUNDS"
    assert ares.refused("/shoot", x=0) == "ERROR" and ares.refused("/shoot", x=[1], y=None) == "ERROR"
    assert ares.refused("/shoot", x=10, y=0) == "OUT_OF_BOUNDS"
    assert ares.refused("/shoot", x=-1, y=10**30) == "OUT_OF_BOUNDS"
    assert ares.refused("/shoot", x=5, y=5) == "OUT_OF_BOUNDS"
    assert ares.refused("/shoot", x=0, y=0) == "ERROR"  # itself
    for x, y in (("(1", "1)"), ("1 1", ""), (1.0, 1), (True, 1), ("1,", 1), ("\u0661", 1)):
        assert ares.refused("/shoot", x=x, y=y) == "ERROR"
    ares.do("/shoot", x="1", y=1)
    assert ares.refused("/shoot", x=1, y=1) == "ERROR"  # used
    for direction in ("right", "left", "right", "left"):
        ares.do("/move", direction=direction)
    assert ares.refused("/move", direction="right") == "ILLEGAL_MOVE"  # none left
    ares.do("/turn/end")
    mars.do("/turn/start")
    assert mars.refused("/radar") == "ERROR" and mars.refused("/shoot", x=9, y=8) == "ERROR"  # it has neither
    assert mars.refused("/move", direction="up") == "ILLEGAL_MOVE"  # nor an engine
    mars.do("/turn/end")
    ares.do("/turn/start")
    assert ares.refused("/shoot", x=1, y=1) == "ERROR"  # loading


def test_obstacles_are_in_the_way_without_a_name(running: Arena) -> None:
    _, ares, mars = two_robots(running)
    ares.deploy("engine2")
    mars.deploy()
    ares.do("/turn/start")
    for direction in ("down", "right", "right"):
        ares.do("/move", direction=direction)
    told = ares.client.post("/move", json={"direction": "right"})  # R7: an obstacle at (3, 1)
    assert key_of(told) == "ILLEGAL_MOVE" and "obstacle" not in told.json()["message"]


def test_mines(running: Arena) -> None:
    """X3, X7."""
    _, ares, mars = two_robots(running, mines=True, map="empty")
    ares.deploy("mines", "engine1")
    mars.deploy()
    ares.do("/turn/start")
    assert ares.do("/mines")["robot"]["mines_left"] == 2
    assert ares.refused("/mines") == "ERROR"
    assert ares.status["robot"]["mines"] == [{"x": 0, "y": 0}]
    assert ares.do("/move", direction="right")["mine"] is False
    struck = ares.do("/move", direction="left")
    assert struck["mine"] is True and struck["robot"]["hp"] == 6
    assert ares.status["robot"]["mines"] == []
    assert "mines" not in mars.status["robot"] or mars.status["robot"]["mines"] == []


def test_messages_are_read_by_those_addressed_only(running: Arena) -> None:
    """X6: sender, address, turn and text, also after the end."""
    game = new_game(running, options={"players": 3, "messages": True, "teams": 2})
    robots = [Robot(running.url, game, name) for name in ("One", "Two", "Three")]
    for robot in robots:
        robot.deploy()
    one, two, three = robots
    one.do("/turn/start")
    for text, to in (("", "all"), ("x" * 101, "all"), ("a\nend", "all"), ("a\x07", "all")):
        assert one.refused("/messages", text=text, to=to) == "ERROR"
    assert one.refused("/messages", text="hi", to=9) == "PLAYER_NOT_EXISTS"
    addresses: list[Any] = ["nobody", "all hello", ["all"], None, ""]
    for address in addresses:
        assert one.refused("/messages", text="hi", to=address) == "ERROR"
    one.do("/messages", text="only; for two <script>", to=1)
    assert one.refused("/messages", text="again") == "ERROR"
    one.do("/turn/end")
    two.do("/turn/start")
    two.do("/messages", text="hello everybody ✓")
    two.do("/turn/end")
    three.do("/turn/start")
    three.do("/messages", text="psst", to="team")
    secret = {"sender": 0, "to": "1", "turn": 0, "text": "only; for two <script>"}
    loud = {"sender": 1, "to": "all", "turn": 1, "text": "hello everybody ✓"}
    psst = {"sender": 2, "to": "team", "turn": 2, "text": "psst"}
    expected = {one: [loud, psst], two: [secret], three: [loud]}
    for robot, messages in expected.items():
        assert robot.status["messages"] == messages
    # the status of the next, after more has been said
    three.do("/turn/end")
    one.do("/turn/start")
    one.do("/messages", text="bye", to=2)
    assert three.status["messages"] == [loud, {"sender": 0, "to": "2", "turn": 3, "text": "bye"}]
    assert two.status["messages"] == [secret]
    for robot in (one, three):
        told = robot.client.post(f"{running.url}/api/bot/game/{game}/resign")
        assert told.status_code == 200, told.text
    finished(running.browser(), game)
    assert two.status["messages"] == [secret], "kept to the end of the game"
    assert one.status["messages"] == [loud, psst]


def test_the_status_shows_nothing_that_a_radar_would_have_to_find(running: Arena) -> None:
    """R6, R17: whatever the other does, what one is told of it is the same."""
    statuses = []
    for features, walk in ((("engine1", "gun"), "right"), (("engine3", "radar1"), "down")):
        game, ares, mars = two_robots(running)
        ares.deploy(*features)
        mars.deploy("radar3")
        ares.do("/turn/start")
        ares.do("/move", direction=walk)
        if "radar1" in features:
            ares.do("/radar")
        status = mars.status
        assert status.pop("game") == game
        statuses.append(status)
        ares.do("/turn/end")
        mars.do("/turn/start")
        mars.do("/radar")
        assert "seen" not in json.dumps(mars.status) and "obstacle" not in json.dumps(mars.status)
    assert statuses[0] == statuses[1]


def test_what_is_switched_off_does_not_show(running: Arena) -> None:
    """X8."""
    _, ares, _ = two_robots(running)
    told = json.dumps(ares.status)
    assert not any(word in told for word in ("mine", "message", "team"))


def test_a_player_with_a_token_joins_as_himself(running: Arena) -> None:
    person = running.person()
    program = running.program("play", "challenge", owner=person)
    token = program.headers["Authorization"]
    game = new_game(running)
    url = f"{running.url}/robot-fight/games/{game}/players"
    told = httpx.post(url, json={}, headers={"Authorization": token}, verify=False).json()
    assert told["player"] == 0 and told["token"] is None
    info = person.get(f"/matches/{game}").json()
    assert info["seats"][0]["player"] == person.get("/me").json()["player"]["name"]
    assert httpx.get(f"{url}/0/status", headers={"Authorization": token}, verify=False).status_code == 200
    weak = running.program("publish")
    told_weak = httpx.post(url, json={}, headers={"Authorization": weak.headers["Authorization"]}, verify=False)
    assert told_weak.status_code == 403 and key_of(told_weak) == "ERROR"


@pytest.mark.parametrize(
    "content",
    [b"{", b"[]", b"7", b'{"options": 7}', b'{"opponents": "easy"}', b'{"opponents": [7]}', b'{"listed": 1}',
     b'{"options": {"players": 99}}', b'{"options": {"nothing": 1}}', b'{"opponents": ["@nobody"]}',
     b'{"options": {"players": "many"}}', b'{"opponents": ["easy", "easy", "easy"]}', b"\xff"],
)  # fmt: skip
def test_games_that_cannot_be_are_refused(running: Arena, content: bytes) -> None:
    told = httpx.post(f"{running.url}/robot-fight/games", content=content, verify=False)
    assert told.status_code == 422 and key_of(told) == "ERROR"


def test_many_requests_at_once_are_played_one_by_one(running: Arena) -> None:
    """Two programs that add features of one robot at the same time lose none of them."""
    from concurrent.futures import ThreadPoolExecutor

    _, ares, mars = two_robots(running)
    features = ["engine1", "radar1", "shield1", "gun"]
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda feature: ares.do("/features", feature=feature), features))
    ares.do("/features/end")
    mars.do("/features/end")
    assert ares.status["robot"]["features"] == ["engine1", "radar1", "shield1", "gun"]
