"""Which addresses a webhook may have: whoever registers one makes this server open connections for him.

A name is looked up once and the connection goes to the address that was checked, so that a name
that answers differently the second time leads nowhere else. Private, loopback, link-local and
multicast addresses are refused, also where they hide in an IPv6 address.
"""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from turntile.players.webhook import InvalidAddress

TRANSLATED = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))  # IPv4 behind a translator
MOST_CHARACTERS = 300

Address = IPv4Address | IPv6Address


def resolve(host: str, port: int, allow_local: bool) -> str:
    """The address to connect to. Looks the name up, so not on the loop. Raises InvalidAddress."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", "") or "it is no host's name"
        raise InvalidAddress(f"{host} cannot be found: {why}") from None
    addresses = [str(entry[4][0]).partition("%")[0] for entry in found]
    for address in addresses:
        if not allow_local and not is_public(ip_address(address)):
            raise InvalidAddress(
                f"{host} is not on the public internet ({address}): bots inside a network read streams instead, "
                "as a remote bot"
            )
    return addresses[0]


def is_public(address: Address) -> bool:
    """Whether anybody on the internet could have asked that address as well."""
    if isinstance(address, IPv6Address):
        inner = inside(address)
        if inner is not None:
            return is_public(inner)
    return address.is_global and not (
        address.is_multicast or address.is_private or address.is_loopback or address.is_link_local
        or address.is_reserved or address.is_unspecified or getattr(address, "is_site_local", False)
    )  # fmt: skip


def inside(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address an IPv6 address stands for, if it does."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    if any(address in network for network in TRANSLATED):
        return IPv4Address(int(address) & 0xFFFFFFFF)
    if int(address) >> 32 == 0:  # ::a.b.c.d, long out of use
        return IPv4Address(int(address))
    return None
