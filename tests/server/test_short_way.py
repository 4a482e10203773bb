"""Frames however the network cuts them: each text is read once, whole and in order."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

from tests.server.arena import API, Arena, arena
from tests.server.test_hostile_clients import ME, new_match
from turntile.server.short_way import frame_size

PING = b'{"type":"ping","id":%d}'


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with arena(tmp_path_factory.mktemp("short_way")) as running:
        yield running


def masked(opcode: int, payload: bytes, fin: bool = True) -> bytes:
    return Frame(Opcode(opcode), payload, fin=fin).serialize(mask=True)


def text(payload: bytes) -> bytes:
    return masked(Opcode.TEXT, payload)


class RawClient:
    """Sends exactly the bytes it is given; what it hears is read by a whole implementation."""

    def __init__(self, here: Arena) -> None:
        match_id = new_match(here.person(), "worms", ME, ME)
        place = urlsplit(here.url)
        uri = parse_uri(f"ws://{place.netloc}{API}/matches/{match_id}/socket?feed=lines")
        self.protocol = ClientProtocol(uri)
        self.connection = socket.create_connection((place.hostname or "", place.port or 0), timeout=20)
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.protocol.send_request(self.protocol.connect())
        self.connection.sendall(b"".join(self.protocol.data_to_send()))
        self.frames: list[Frame] = []
        assert b'"type":"welcome"' in bytes(self.hear().data)

    def send(self, *pieces: bytes) -> None:
        """Each piece by itself, late enough for the server to have read the one before."""
        for piece in pieces:
            self.connection.sendall(piece)
            if len(pieces) > 1:
                time.sleep(0.002)

    def hear(self) -> Frame:
        while not self.frames:
            data = self.connection.recv(1 << 16)
            assert data, self.protocol.close_rcvd
            self.protocol.receive_data(data)
            self.frames += [event for event in self.protocol.events_received() if isinstance(event, Frame)]
        return self.frames.pop(0)

    def pongs(self, count: int) -> list[bytes]:
        """The next answers to pings, those of the game's protocol and of the socket's."""
        found: list[bytes] = []
        while len(found) < count:
            frame = self.hear()
            if frame.opcode is Opcode.PONG or b'"type":"pong"' in bytes(frame.data):
                found.append(bytes(frame.data))
        return found

    def closed_with(self) -> int:
        while (frame := self.hear()).opcode is not Opcode.CLOSE:
            pass
        return int.from_bytes(bytes(frame.data)[:2], "big")

    def close(self) -> None:
        self.connection.close()


def pong(number: int) -> bytes:
    return b'{"type":"pong","id":%d}' % number


def test_one_text_in_single_bytes(here: Arena) -> None:
    client = RawClient(here)
    whole = text(PING % 1)
    client.send(*(whole[at : at + 1] for at in range(len(whole))))
    client.send(text(PING % 2))
    assert client.pongs(2) == [pong(1), pong(2)]
    client.close()


@pytest.mark.parametrize("cut", [1, 2, 5, 6, 20, 33, 60])
def test_two_texts_cut_anywhere(here: Arena, cut: int) -> None:
    client = RawClient(here)
    both = text(PING % 1) + text(PING % 2)
    client.send(both[:cut], both[cut:])
    client.send(text(PING % 3))
    assert client.pongs(3) == [pong(1), pong(2), pong(3)]
    client.close()


def test_many_kinds_in_one_piece_are_answered_in_order(here: Arena) -> None:
    """A text in two frames with a ping between them, which the protocol allows, and whole ones around it."""
    client = RawClient(here)
    fourth = PING % 4
    client.send(
        text(PING % 1)
        + masked(Opcode.PING, b"2")
        + text(PING % 3)
        + masked(Opcode.TEXT, fourth[:7], fin=False)
        + masked(Opcode.PING, b"between")
        + masked(Opcode.CONT, fourth[7:])
        + text(PING % 5)
    )
    assert sorted(client.pongs(6)) == sorted([pong(1), b"2", pong(3), b"between", pong(4), pong(5)])
    client.close()


def test_a_long_text_in_pieces(here: Arena) -> None:
    client = RawClient(here)
    long = text(b'{"type":"ping","id":7,"padding":"%s"}' % (b"x" * 3000))
    client.send(long[:3], long[3:1000], long[1000:])
    assert client.pongs(1) == [pong(7)]
    client.close()


FORBIDDEN = {
    "no UTF-8": (text(b'{"type":"ping","id":\xff}'), 1007),
    "too large, as its head says": (text(b"x" * 20_000_000)[:14], 1009),
    "goes on with nothing": (masked(Opcode.CONT, b"and"), 1002),
    "bits that mean nothing": (b"\xf1" + text(PING % 1)[1:], 1002),
    "a client must mask": (bytes((0x81, 2)) + b"{}", 1002),
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_what_must_not_be_is_refused_with_its_code(here: Arena, what: str) -> None:
    frame, code = FORBIDDEN[what]
    client = RawClient(here)
    client.send(text(PING % 1))
    assert client.pongs(1) == [pong(1)]
    client.send(frame)
    assert client.closed_with() == code
    client.close()


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65535, 65536, 70000])
def test_the_size_of_a_frame_is_told_by_its_head(size: int) -> None:
    whole = text(os.urandom(size))
    assert frame_size(whole) == len(whole)
    assert frame_size(b"before" + whole, 6) == len(whole)
    head = 2 if size < 126 else 4 if size < 1 << 16 else 10
    assert frame_size(whole[: head - 1]) == 0 and frame_size(whole[:head]) == len(whole)
