"""/openapi.json holds: whatever is sent, every answer is one the document tells of, and never a 500.

Schemathesis makes the requests from the document (examples, edges of every bound, random ones) and compares the
answers of a real server on a real database: status codes, content types, schemas, allowed methods, and that what
asks for somebody is refused to nobody.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.config import SchemathesisConfig

from tests.contest.tables import contest, play_to_end
from tests.server.arena import Arena, arena, name_of
from turntile.contest.publish import Server, publish, read_address
from turntile.contest.results import Results
from turntile.contest.run import follow
from turntile.server.app import make_app
from turntile.server.problems import MEDIA_TYPE
from turntile.server.settings import Settings

DOCUMENT: dict[str, Any] = make_app(Settings()).openapi()

# What cannot be asked for like this, and where it is tested instead.
EXCLUDED = {
    "streamEvents": "an answer that never ends: tests/server/bots",
    "streamGame": "an answer that ends with its match: tests/server/bots",
    "testBot": "plays a whole match in the background: tests/server/bots",
}

CONFIG = SchemathesisConfig.from_dict(
    {
        "checks": {
            # What a schema allows the rules of a game may still refuse: 409, 422.
            "positive_data_acceptance": {"expected-statuses": ["2xx", 304, 401, 403, 404, 409, 413, 422]},
            "negative_data_rejection": {"expected-statuses": [400, 401, 403, 404, 405, 409, 413, 422]},
        },
        "generation": {"max-examples": 5, "database": "none"},
    }
)
schema = schemathesis.openapi.from_dict(DOCUMENT, config=CONFIG).exclude(operation_id=list(EXCLUDED))


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with arena(tmp_path_factory.mktemp("openapi")) as running:
        yield running


@pytest.fixture(scope="module")
def person(hall: Arena) -> httpx.Client:
    return hall.person()


def headers_for(operation_id: str, hall: Arena, person: httpx.Client) -> dict[str, str]:
    """A person's browser; nobody's where one comes in or goes out, so that the person stays."""
    if operation_id in ("createAccount", "logIn", "logOut"):
        return {"Origin": hall.url}
    return {"Origin": hall.url, "Cookie": f"turntile_session={person.cookies['turntile_session']}"}


@schema.parametrize()
@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
def test_every_answer_is_one_the_document_tells_of(case: Any, hall: Arena, person: httpx.Client) -> None:
    headers = headers_for(case.operation.definition.raw["operationId"], hall, person)
    case.call_and_validate(base_url=hall.url, headers=headers)


@pytest.fixture(scope="module")
def real(hall: Arena, person: httpx.Client, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """Things that are really there, by the parameter and the part of the address that names them."""
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "easy"}]
    match = person.post("/matches", json={"game": "racers", "seats": seats}).json()["id"]
    assert person.post(f"/matches/{match}/resign").json()["status"] == "over"
    plan = contest(bots=3, rounds=1, format="knockout")
    path = tmp_path_factory.mktemp("contest") / "cup.contest"
    play_to_end(path, plan)
    token = hall.program("publish", owner=person).headers["Authorization"].removeprefix("Bearer ")
    with Results.open(path) as results:
        page, _ = publish(follow(results), results, "cup", Server(read_address(hall.url), token))
    bot = person.post("/bots", json={"name": "Real Bot", "game": "tron", "kind": "remote"})
    assert bot.status_code == 201, bot.text
    return {
        "matches": {"id": match},
        "contests": {"id": page.rpartition("/")[2], "number": "1"},
        "players": {"name": name_of(person)},
        "bots": {"name": "Real Bot"},
        "games": {"game": "worms"},
    }


READS = [path for path, operations in DOCUMENT["paths"].items() if "get" in operations and path.startswith("/api/v1/")]


@pytest.mark.parametrize("path", READS)
def test_what_is_there_is_told_as_the_document_says(
    path: str, hall: Arena, person: httpx.Client, real: dict[str, dict[str, str]]
) -> None:
    """Random ids find nothing: here every read is asked for something that exists."""
    operation = schema[path]["GET"]
    noun = path.split("/")[3]
    query = {"game": "tron"} if path in ("/api/v1/players", "/api/v1/players/{name}/curve") else {}
    wanted = [name for name in ("id", "number", "name", "game") if f"{{{name}}}" in path]
    case = operation.Case(path_parameters={name: real[noun][name] for name in wanted}, query=query)
    told = case.call(base_url=hall.url, headers=headers_for("", hall, person))
    assert told.status_code == 200 or path.endswith("/test"), told.text  # a bot nobody has tested yet
    case.validate_response(told)


def test_the_document_says_how_to_read_it() -> None:
    assert DOCUMENT["openapi"].startswith("3.1")
    ids = []
    for path, operations in DOCUMENT["paths"].items():
        for method, operation in operations.items():
            where = f"{method} {path}"
            assert operation.get("summary") and operation.get("tags"), where
            ids.append(operation["operationId"])
            for status, told in operation["responses"].items():
                if int(status) >= 400 and not path.startswith("/robot-fight"):
                    assert list(told["content"]) == [MEDIA_TYPE], (where, status)
    assert len(ids) == len(set(ids))
    tags = {tag["name"] for tag in DOCUMENT["tags"]}
    used = {tag for operations in DOCUMENT["paths"].values() for one in operations.values() for tag in one["tags"]}
    assert used == tags
    assert set(EXCLUDED) <= set(ids)


def test_every_schema_it_points_at_is_there() -> None:
    wanted: set[str] = set()

    def look(part: Any) -> None:
        if isinstance(part, dict):
            if isinstance(part.get("$ref"), str):
                wanted.add(part["$ref"])
            for one in part.values():
                look(one)
        elif isinstance(part, list):
            for one in part:
                look(one)

    look(DOCUMENT)
    assert wanted == {f"#/components/schemas/{name}" for name in DOCUMENT["components"]["schemas"]} & wanted
    assert wanted


def test_it_names_no_outside_address(hall: Arena) -> None:
    told = httpx.get(f"{hall.url}/openapi.json", trust_env=False)
    assert told.json()["info"]["title"] == "Turntile"
    assert "https://" not in told.text.replace("https://json-schema.org", "").replace("https://arena.example", "")
