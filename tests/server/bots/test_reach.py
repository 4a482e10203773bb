"""Where webhooks may be."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from turntile.players.webhook import InvalidAddress
from turntile.server.bots.reach import is_public, resolve
from turntile.server.bots.webhooks import PublicWebhook, probe


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.8.9.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",  # where clouds keep their machines' secrets
        "100.64.0.1",
        "224.0.0.1",
        "0.0.0.0",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "fc00::1",
        "fec0::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
    ],
)
def test_addresses_inside_networks_are_refused(address: str) -> None:
    assert not is_public(ip_address(address))
    with pytest.raises(InvalidAddress, match="not on the public internet"):
        resolve(address, 80, allow_local=False)


@pytest.mark.parametrize("address", ["8.8.8.8", "2001:4860:4860::8888"])
def test_public_addresses_are_allowed(address: str) -> None:
    assert resolve(address, 80, allow_local=False) == address


@pytest.mark.parametrize("spelling", ["localhost", "0x7f000001", "2130706433", "127.1", "0177.0.0.1"])
def test_other_spellings_of_this_machine_lead_nowhere_else(spelling: str) -> None:
    with pytest.raises(InvalidAddress):
        resolve(spelling, 80, allow_local=False)


def test_a_connection_goes_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that first leads to the internet and then inside must not be asked twice."""
    looked_up: list[str] = []

    def look_up(host: str, port: int, allow_local: bool) -> str:
        looked_up.append(host)
        return "127.0.0.1"

    connected: list[str] = []

    def connect(address: tuple[str, int], timeout: float) -> None:
        connected.append(address[0])
        raise OSError("enough")

    monkeypatch.setattr("turntile.server.bots.webhooks.resolve", look_up)
    monkeypatch.setattr("turntile.server.bots.webhooks.socket.create_connection", connect)
    guest = PublicWebhook("http://twice.example:81", "bot", allow_local=False)
    for _ in range(3):
        with pytest.raises(Exception, match="enough"):
            guest.connect()
    assert looked_up == ["twice.example"]
    assert connected == ["127.0.0.1"] * 3
    assert b"Host: twice.example:81\r\n" in guest.http("GET", "/", b"")


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("https://bots.example", "http://"),
        ("ftp://bots.example", "http://"),
        ("http://", "no webhook's address"),
        ("http://user@bots.example", "no webhook's address"),
        ("http://bots.example:99999", "no address"),
        ("http://bots.example/a b", "ASCII"),
        ("http://bots.example/\r\nHost: other", "ASCII"),
        ("http://" + "a" * 400, "too long"),
        ("http://127.0.0.1:9", "not on the public internet"),
        ("http://[::1]:9", "not on the public internet"),
        ("", "http://"),
    ],
)
def test_what_is_no_webhooks_address_is_refused_with_a_sentence(address: str, says: str) -> None:
    with pytest.raises(InvalidAddress, match=says):
        probe(address, allow_local=False)
