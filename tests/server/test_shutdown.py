"""A server that is told to stop in the middle of play: nothing acknowledged is lost, and play goes on after it."""

from __future__ import annotations

import json
import signal
import socket
import time
from base64 import b64encode
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from tests.server.running import PATIENCE_S, ServerProcess
from turntile.server.messages import PROTOCOL

API = "/api/v1"


@dataclass
class Player:
    """Somebody who plays both seats of a match over a socket, and remembers what was acknowledged."""

    cookie: str
    match_id: str
    acknowledged: Counter[int] = field(default_factory=Counter)  # messages of each seat
    unanswered: tuple[int, int, str] | None = None  # seat, seq, text
    said: list[dict[str, Any]] = field(default_factory=list)  # what the server said on the way

    def sit_down(self, server: ServerProcess) -> ClientConnection:
        return connect(
            f"ws://127.0.0.1:{server.port}{API}/matches/{self.match_id}/socket?feed=view",
            origin=Origin(server.url),
            subprotocols=[Subprotocol(PROTOCOL)],
            additional_headers={"Cookie": self.cookie},
            open_timeout=PATIENCE_S,
        )

    def hear(self, table: ClientConnection) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(table.recv(timeout=PATIENCE_S))
        self.said.append(message)
        if message["type"] == "ack":
            self.acknowledged[message["seat"]] += not message.get("repeated")
            self.unanswered = None
        return message

    def hear_frame(self, table: ClientConnection) -> dict[str, Any]:
        """The newest position, once all that was sent is answered."""
        while True:
            message = self.hear(table)
            if message["type"] == "frame" and self.unanswered is None:
                return message

    def act(self, table: ClientConnection, frame: dict[str, Any]) -> None:
        seat = frame["waiting"][0]
        picture = next(picture for picture in frame["pictures"] if picture["seat"] == seat)
        self.say(table, seat, picture["next_seq"], picture["legal"][0])

    def say(self, table: ClientConnection, seat: int, seq: int, text: str) -> None:
        self.unanswered = (seat, seq, text)
        table.send(json.dumps({"type": "act", "seat": seat, "seq": seq, "text": text}))

    def play(self, table: ClientConnection, messages: int) -> dict[str, Any]:
        """So many messages, each acknowledged before the next; the position then."""
        return self.play_on(table, messages, self.hear_frame(table))

    def play_on(self, table: ClientConnection, messages: int, frame: dict[str, Any]) -> dict[str, Any]:
        for _ in range(messages):
            self.act(table, frame)
            frame = self.hear_frame(table)
        return frame


def new_match(client: httpx.Client, **more: Any) -> Player:
    wish = {"game": "racers", "seats": [{"kind": "me"}, {"kind": "me", "name": "Second"}], "listed": False, **more}
    made = client.post(f"{API}/matches", json=wish)
    assert made.status_code == 201, made.text
    return Player(f"turntile_session={client.cookies['turntile_session']}", made.json()["id"])


def test_a_stop_in_the_middle_of_play_loses_nothing_and_play_goes_on(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        player = new_match(server.client())
        with player.sit_down(server) as table, pytest.raises(ConnectionClosed) as closed:
            frame = player.play(table, 6)
            player.act(table, frame)  # on its way while the signal is
            server.process.send_signal(signal.SIGTERM)
            while True:
                player.hear(table)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1012
        assert any(message["type"] == "reconnect" for message in player.said), "clients are told to come again"
        assert server.process.wait(timeout=PATIENCE_S) == 0
        assert "Traceback" not in server.logged()
    assert sum(player.acknowledged.values()) >= 6

    with ServerProcess(tmp_path) as server:
        with player.sit_down(server) as table:
            frame = player.hear(table)
            while frame["type"] != "frame":
                frame = player.hear(table)
            stored = {picture["seat"]: picture["next_seq"] - 1 for picture in frame["pictures"]}
            if player.unanswered is not None:
                seat, seq, text = player.unanswered
                was_stored = stored[seat] >= seq
                player.say(table, seat, seq, text)
                while player.unanswered is not None:
                    answer = player.hear(table)
                assert (answer["type"], answer.get("repeated", False)) == ("ack", was_stored)
                player.acknowledged[seat] += was_stored
                stored[seat] = max(stored[seat], seq)
            assert stored == {seat: player.acknowledged[seat] for seat in stored}, "what was acknowledged, all and once"
        with player.sit_down(server) as table:
            player.play(table, 3)
        assert server.end() == 0


def test_a_client_that_neither_reads_nor_says_goodbye_does_not_hold_up_the_end(tmp_path: Path) -> None:
    """A half-open socket: its machine is gone, and nobody has told us."""
    with ServerProcess(tmp_path) as server:
        player = new_match(server.client())
        head = (
            f"GET {API}/matches/{player.match_id}/socket HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            f"Origin: {server.url}\r\nCookie: {player.cookie}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {b64encode(bytes(16)).decode()}\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_S) as gone:
            gone.sendall(head.encode())
            assert gone.recv(12) == b"HTTP/1.1 101"
            assert server.end() == 0


def test_a_match_of_bots_goes_on_after_a_restart_with_nobody_there(tmp_path: Path) -> None:
    seats = [{"kind": "bot", "bot": "easy"}, {"kind": "bot", "bot": "easy"}]
    with ServerProcess(tmp_path) as server:
        match_id = new_match(server.client(), seats=seats, listed=True).match_id
        steps = wait_for_steps(server, match_id, 1)
        assert server.end() == 0
    with ServerProcess(tmp_path) as server:
        assert wait_for_steps(server, match_id, steps + 1) > steps


def test_no_process_stays_behind_a_server_that_is_killed(tmp_path: Path) -> None:
    """Those in which built-in bots think."""
    seats = [{"kind": "bot", "bot": "easy"}, {"kind": "bot", "bot": "easy"}]
    with ServerProcess(tmp_path) as server:
        wait_for_steps(server, new_match(server.client(), seats=seats, listed=True).match_id, 1)
        thinking = children(server.process.pid)
        assert thinking
        server.end(signal.SIGKILL)
    until = time.monotonic() + PATIENCE_S
    while any(map(runs, thinking)) and time.monotonic() < until:
        time.sleep(0.05)
    assert [pid for pid in thinking if runs(pid)] == []


def runs(pid: int) -> bool:
    """Not gone, and not merely waiting for somebody to ask how it ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes() != b""
    except FileNotFoundError:
        return False


def children(parent: int) -> list[int]:
    return [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


def wait_for_steps(server: ServerProcess, match_id: str, steps: int) -> int:
    """How many were played, once it is at least so many."""
    client = server.client()
    for _ in range(int(PATIENCE_S / 0.1)):
        info = client.get(f"{API}/matches/{match_id}").json()
        if info["step"] >= steps or info["status"] == "over":
            return int(info["step"])
        time.sleep(0.1)
    raise AssertionError(f"match {match_id} does not go on: {server.logged()[-2000:]}")
