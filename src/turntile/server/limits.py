"""How often one address and one account may do what: buckets that fill up again.

Every request belongs to one class. A stranger is counted by his address; who brings a cookie or
token that has held before is counted by his account, and the address he shares with a school or a
club gets more. A cookie nobody was given makes nobody known.
Memory is bounded: the buckets longest unused are forgotten first, and a bucket nobody used for a
while is full anyway. The limits hold per process.
"""

from __future__ import annotations

import math
import re
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from turntile.server.addresses import client_address, is_here
from turntile.server.problems import Problem
from turntile.server.settings import Rate, Settings

SHARED_ADDRESS = 40  # a class of students: as many accounts as may be busy behind one address at the same time

# The first that fits decides. Moves come first: there are the most of them.
CLASSES: tuple[tuple[str, re.Pattern[str], str], ...] = tuple(
    (methods, re.compile(path), name)
    for methods, path, name in (
        ("POST", r"/api/v1/matches/[^/]+/act$|/api/bot/game/[^/]+/move/|/robot-fight/games/[^/]+/", "move"),
        ("POST", r"/api/v1/(sessions|accounts)$", "login"),  # an account that is really made is counted besides
        ("PATCH", r"/api/v1/me$", "login"),  # a change of password asks for the old one
        ("POST", r"/api/v1/matches$|/api/v1/matches/[^/]+/rematch$|/robot-fight/games$", "match"),
        ("POST", r"/api/v1/bots(/[^/]+/(test|file))?$", "upload"),
        ("POST PUT", r"/api/v1/contests(/|$)", "publish"),
        ("GET", r"/api/v1/(matches/[^/]+|contests/[^/]+/matches/[^/]+)/(replay\.gif|replay\.html|film)$", "download"),
        ("GET HEAD OPTIONS", r"", "read"),
        ("POST PUT PATCH DELETE", r"", "write"),
    )
)
SESSION = re.compile(rb"turntile_session=([^;]*)")
# Not counted: the page's own files, and what machines ask all the time.
FREE = re.compile(r"/(assets/|healthz$|readyz$|metrics$|favicon)")


def class_of(method: str, path: str) -> str:
    """The class of a request; "" if it is not counted."""
    if FREE.match(path):
        return ""
    for methods, pattern, name in CLASSES:
        if method in methods.split() and pattern.match(path):
            return name
    return "write"


def credential_in(scope: Any) -> bytes:
    """A hash of the token or the session a request brings: secrets themselves are kept nowhere."""
    headers = dict(scope["headers"])
    found = SESSION.search(headers.get(b"cookie", b""))
    secret = headers.get(b"authorization") or (found[1] if found else b"")
    return sha256(secret).digest()


def account(player_id: int) -> str:
    return f"account {player_id}"


class Bucket:
    """So many requests left, as of `at`."""

    __slots__ = ("at", "left")

    def __init__(self, left: float, at: float) -> None:
        self.left = left
        self.at = at


class Limiter:
    """All buckets of this process."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        self.settings = settings
        self.clock = clock
        self.buckets: OrderedDict[tuple[str, str], Bucket] = OrderedDict()
        self.known: OrderedDict[bytes, int] = OrderedDict()  # hashes of credentials that held, and whose they are
        self.sockets: Counter[str] = Counter()  # open now, by address
        self.refused = 0  # for /metrics

    def admit(self, scope: Any) -> None:
        """Count a request by its address before anything is done for it. Raises Problem 429."""
        kind = class_of(scope["method"], scope["path"])
        state = scope["state"]
        state["limit_class"] = kind
        if not kind:
            return
        address = client_address(scope, self.settings)
        player = self.known.get(credential_in(scope))
        if player is None or kind == "login":
            self.take(state, kind, address, 1)
        else:
            self.take(state, kind, f"known {address}", SHARED_ADDRESS)
            self.take(state, kind, account(player), 1)
            state["charged"] = player

    def admit_known(self, scope: Any) -> None:
        """A neighbour has counted this request by its address; it is still to be counted by its account."""
        scope["state"]["limit_class"] = class_of(scope["method"], scope["path"])

    def open_socket(self, scope: Any) -> str:
        """Count a socket that opens; the address it counts for. Raises Problem 429.

        This machine itself is not counted: what comes from there are tools, or a proxy that stands for everybody.
        """
        address = client_address(scope, self.settings)
        if not is_here(address):
            if self.sockets[address] >= self.settings.sockets_per_address:
                self.refused += 1
                raise Problem(
                    429, f"{self.sockets[address]} sockets are open from this address: close some", key="RATE"
                )
            self.sockets[address] += 1
        return address

    def close_socket(self, address: str) -> None:
        self.sockets[address] -= 1
        if self.sockets[address] <= 0:
            del self.sockets[address]

    def charge(self, scope: Any, kind: str) -> None:
        """Count something else a request does, by its address: making a guest or an account."""
        self.take(scope["state"], kind, client_address(scope, self.settings), 1)

    def charge_account(self, scope: Any, player_id: int) -> None:
        """Whose request this is. It is counted by that account; not a socket, which has limits of its own."""
        self.known[credential_in(scope)] = player_id
        self.known.move_to_end(credential_in(scope))
        while len(self.known) > self.settings.limits.addresses:
            self.known.popitem(last=False)
        state = scope.get("state", {})
        kind = state.get("limit_class", "")
        if kind and state.get("charged") != player_id:
            self.take(state, kind, account(player_id), 1)

    def forget_credential(self, scope: Any) -> None:
        """It does not hold, or no longer."""
        self.known.pop(credential_in(scope), None)

    def take(self, state: dict[str, Any], kind: str, holder: str, factor: int) -> None:
        rate: Rate = getattr(self.settings.limits, kind)
        burst, per_second = rate.burst * factor, rate.per_second * factor
        now = self.clock()
        bucket = self.buckets.get((kind, holder))
        if bucket is None:
            bucket = self.buckets[kind, holder] = Bucket(burst, now)
            while len(self.buckets) > self.settings.limits.addresses:
                self.buckets.popitem(last=False)
        else:
            self.buckets.move_to_end((kind, holder))
        bucket.left = min(burst, bucket.left + (now - bucket.at) * per_second)
        bucket.at = now
        if bucket.left < 1:
            self.refused += 1
            wait = math.ceil((1 - bucket.left) / per_second)
            self.tell(state, kind, burst, 0, per_second, wait)
            raise Problem(
                429,
                f"too many requests of this kind ({kind}): at most {burst} at once; come again in {wait} s",
                key="RATE",
                headers={"Retry-After": str(wait)},
            )
        bucket.left -= 1
        wait = math.ceil((burst - bucket.left) / per_second)
        self.tell(state, kind, burst, int(bucket.left), per_second, wait)

    def tell(self, state: dict[str, Any], kind: str, burst: int, left: int, per_second: float, wait: int) -> None:
        """The headers of the tightest bucket this request went through."""
        before = state.get("rate_left")
        if before is None or left <= before:
            window = math.ceil(burst / per_second)
            state["rate_left"] = left
            state["rate_headers"] = (
                (b"ratelimit-policy", f'"{kind}";q={burst};w={window}'.encode()),
                (b"ratelimit", f'"{kind}";r={left};t={wait}'.encode()),
            )
