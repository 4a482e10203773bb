"""What a server tells about itself: alive, ready, figures without names; and a log without secrets."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.server.arena import arena, sentence_of
from tests.server.running import PATIENCE_S, ServerProcess
from turntile.store import StoreError

API = "/api/v1"
TOKEN = "a-token-for-the-figures"
PASSWORD = "correct horse battery staple"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("server"), TURNTILE_METRICS_TOKEN=TOKEN) as running:
        yield running


def figures(client: httpx.Client, **headers: str) -> dict[str, float]:
    """Samples by name and labels."""
    told = client.get("/metrics", headers=headers)
    assert told.status_code == 200, told.text
    return {
        sample.name + "".join(f" {value}" for _, value in sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(told.text)
        for sample in family.samples
    }


def test_alive_and_ready(server: ServerProcess) -> None:
    client = server.client()
    assert client.get("/healthz").json()["status"] == "alive"
    assert client.get("/readyz").json()["status"] == "ready"


def test_a_database_that_fails_makes_it_unready_but_not_dead(tmp_path: Path) -> None:
    with arena(tmp_path) as running, httpx.Client(base_url=running.url, trust_env=False) as client:
        assert client.get("/readyz").status_code == 200

        async def fail() -> None:
            raise StoreError("the disk is gone")

        running.store.processes.all = fail
        assert sentence_of(client.get("/readyz"), 503) == "the database does not answer"
        assert client.get("/healthz").status_code == 200
        running.app.state.stopping = True
        assert "going down" in sentence_of(client.get("/readyz"), 503)


def test_figures_rise_with_what_happens(server: ServerProcess) -> None:
    client = server.client()
    before = figures(client)
    made = client.post(
        f"{API}/matches",
        json={"game": "racers", "seats": [{"kind": "me"}, {"kind": "me", "name": "Other"}], "listed": False},
    )
    match_id = made.json()["id"]
    client.get(f"{API}/matches/{match_id}")
    client.get(f"{API}/matches/aaaaaaaaaa")
    refused = client.post(f"{API}/matches/{match_id}/act", json={"seat": 0, "seq": 1, "text": "fly to the moon"})
    assert 400 <= refused.status_code < 500, refused.text
    resigned = client.post(f"{API}/matches/{match_id}/resign", json={"seat": 0})
    assert resigned.status_code < 300, resigned.text
    after = figures(client)

    def risen(name: str) -> float:
        return after.get(name, 0.0) - before.get(name, 0.0)

    assert risen(f"turntile_requests_total POST {API}/matches 201") == 1
    assert risen(f"turntile_requests_total GET {API}/matches/{{id}} 200") == 1
    assert risen(f"turntile_requests_total GET {API}/matches/{{id}} 404") == 1
    assert risen("turntile_entries_committed_total") == 1
    assert risen("turntile_commit_entries_count") == 1
    assert risen("turntile_commit_seconds_count") >= 3, "the guest, the table, the entry"
    assert risen("turntile_ack_seconds_count") == 1
    assert risen("turntile_actions_refused_total") == 1
    assert after["turntile_thinkers"] >= 1
    assert after["process_open_fds"] > 0


def test_tables_and_rate_limits_are_counted(server: ServerProcess) -> None:
    client = server.client()
    before = figures(client)
    client.post(f"{API}/matches", json={"game": "tron", "seats": [{"kind": "me"}, {"kind": "open"}]})
    assert figures(client)["turntile_tables open"] == before["turntile_tables open"] + 1
    while client.post(f"{API}/sessions", json={"name": "Nobody", "password": "wrong words"}).status_code != 429:
        pass
    assert figures(client)["turntile_rate_limited_total"] > before["turntile_rate_limited_total"]


def test_no_figure_names_anybody(server: ServerProcess) -> None:
    """However strange what is asked for, the labels are routes as they were declared, methods and statuses."""
    client = server.client()
    for number in range(20):
        client.get(f"{API}/players/Mallory%20{number}")
        client.get(f"/some/page/{number}")
        client.request(f"ODD{number}", f"{API}/strange/{number}")
    told = client.get("/metrics").text
    assert "Mallory" not in told
    assert "ODD" not in told
    assert not re.search(r"/(page|strange)/\d", told)
    assert "127.0.0.1" not in told
    routes = {match for match in re.findall(r'route="([^"]+)"', told)}
    assert f"{API}/players/{{name}}" in routes
    assert len(routes) < 30


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"X-Forwarded-For": "203.0.113.7"}, 403),  # through a proxy on this machine that is not trusted
        ({"X-Forwarded-For": "203.0.113.7", "Authorization": f"Bearer {TOKEN}"}, 200),
        ({"X-Forwarded-For": "203.0.113.7", "Authorization": "Bearer wrong"}, 403),
    ],
)
def test_figures_are_for_this_machine_or_for_who_has_the_token(
    server: ServerProcess, headers: dict[str, str], status: int
) -> None:
    assert server.client().get("/metrics", headers=headers).status_code == status


def test_the_word_of_a_trusted_proxy_counts(tmp_path: Path) -> None:
    with (
        arena(tmp_path, trusted_proxies=("127.0.0.1",)) as running,
        httpx.Client(base_url=running.url, trust_env=False) as client,
    ):
        assert client.get("/metrics", headers={"X-Forwarded-For": "203.0.113.7"}).status_code == 403
        assert client.get("/metrics").status_code == 200


def test_no_secret_ever_stands_in_the_log(tmp_path: Path) -> None:
    """Everything that is done with a password, a session and a token; each right and wrong; then the log is read."""
    with ServerProcess(tmp_path, "--log-level", "debug", "--log-requests") as server:
        client = server.client()
        wrong_token, wrong_cookie = "tt_" + "W" * 43, "wrong-session-" + "w" * 30
        assert client.post(f"{API}/accounts", json={"name": "Ada", "password": PASSWORD}).status_code == 201
        first_session = client.cookies["turntile_session"]
        made = client.post(f"{API}/tokens", json={"label": "mine", "scopes": ["play", "challenge"]})
        assert made.status_code == 201, made.text
        token = made.json()["secret"]
        client.post(f"{API}/sessions", json={"name": "Ada", "password": "not the password at all"})
        assert client.post(f"{API}/sessions", json={"name": "Ada", "password": PASSWORD}).status_code < 300
        second_session = client.cookies["turntile_session"]
        client.post(f"{API}/sessions", content=b'{"name": "Ada", "password": "half of a pass', headers=JSON)
        with httpx.Client(base_url=server.url, timeout=PATIENCE_S, trust_env=False) as program:
            right = {"Authorization": f"Bearer {token}"}
            assert program.get(f"{API}/me", headers=right).status_code == 200
            program.get(f"{API}/me", headers={"Authorization": f"Bearer {wrong_token}"})
            program.get(f"{API}/me", headers={"Cookie": f"turntile_session={wrong_cookie}"})
            program.get(f"{API}/games?token={token}&password={PASSWORD}")
            program.get(f"{API}/matches/{token}")
            program.post(f"{API}/matches", headers=right, json={"game": "nowhere", "password": PASSWORD})
        client.delete(f"{API}/sessions/current")
        assert server.end() == 0
        log = server.logged()

    lines = [json.loads(line) for line in log.splitlines()]
    paths = [line["message"] for line in lines if "status" in line]
    assert f"POST {API}/sessions" in paths
    assert all(re.fullmatch(r"[0-9a-f]{16}", line["request"]) for line in lines if "status" in line)
    secrets = [PASSWORD, "not the password at all", "half of a pass", token, first_session, second_session]
    assert [secret for secret in [*secrets, wrong_token, wrong_cookie, "argon2"] if secret in log] == []


JSON = {"Content-Type": "application/json"}


def test_a_request_bears_the_same_id_in_the_answer_and_in_the_log(server: ServerProcess) -> None:
    told = server.client().get(f"{API}/matches/aaaaaaaaaa")
    request_id = told.headers["x-request-id"]
    assert told.json()["instance"].endswith(request_id)
    deadline = time.monotonic() + PATIENCE_S
    while request_id not in server.logged() and time.monotonic() < deadline:  # the line is written after the answer
        time.sleep(0.02)
    lines = [json.loads(line) for line in server.logged().splitlines() if request_id in line]
    assert [(line["message"], line["status"]) for line in lines] == [(f"GET {API}/matches/aaaaaaaaaa", 404)]
