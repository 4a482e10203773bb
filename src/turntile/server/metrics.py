"""What a server tells about itself: alive (/healthz), ready (/readyz), and figures for Prometheus (/metrics).

Figures count and measure; they name nobody. Their labels are the routes as they were declared,
methods and statuses: never a player, a match or an address, so that there are few of them
whatever is asked for. What the tables, sockets and thinkers are doing is read off them at the
moment of asking and costs nothing in between.
"""

from __future__ import annotations

import asyncio
import hmac
from bisect import bisect_left
from collections.abc import Iterator
from ipaddress import ip_address
from itertools import accumulate

from fastapi import APIRouter, FastAPI, Request
from prometheus_client import CollectorRegistry, Counter, GCCollector, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString
from starlette.responses import Response

from turntile import __version__
from turntile.server.addresses import client_address
from turntile.server.hall import Hall
from turntile.server.logs import Answered
from turntile.server.problems import Problem, documented
from turntile.server.settings import Settings
from turntile.server.thinkers import Thinkers
from turntile.store import Store, StoreError

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
ENTRIES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
READY_S = 5.0  # a database that takes longer to answer is not ready
MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Delays(Collector):
    """A histogram of seconds for what happens thousands of times a second: without the locks of the usual one."""

    def __init__(self, name: str, meaning: str) -> None:
        self.name = name
        self.meaning = meaning
        self.counts = [0] * (len(SECONDS) + 1)
        self.seconds = 0.0

    def observe(self, seconds: float) -> None:
        self.counts[bisect_left(SECONDS, seconds)] += 1
        self.seconds += seconds

    def collect(self) -> Iterator[HistogramMetricFamily]:
        limits = [*map(floatToGoString, SECONDS), "+Inf"]
        buckets = list(zip(limits, accumulate(self.counts), strict=True))
        yield HistogramMetricFamily(self.name, self.meaning, buckets=buckets, sum_value=self.seconds)


class Metrics:
    """The figures of one app."""

    def __init__(self, app: FastAPI) -> None:
        self.registry = CollectorRegistry(auto_describe=False)
        self.requests = Counter(
            "turntile_requests",
            "Requests answered, by route, method and status",
            ["route", "method", "status"],
            registry=self.registry,
        )
        self.request_seconds = Histogram(
            "turntile_request_seconds",
            "From a request's arrival to the end of its answer; streams count when they end",
            ["route"],
            buckets=SECONDS,
            registry=self.registry,
        )
        self.entries = Counter(
            "turntile_entries_committed", "Entries of matches' journals that are on the disk", registry=self.registry
        )
        self.commit_entries = Histogram(
            "turntile_commit_entries",
            "Entries that shared one commit: more where many matches are busy",
            buckets=ENTRIES,
            registry=self.registry,
        )
        self.commit_seconds = Histogram(
            "turntile_commit_seconds", "How long a commit took", buckets=SECONDS, registry=self.registry
        )
        self.acks = Delays(
            "turntile_ack_seconds", "From an action's arrival to its acknowledgement, the commit included"
        )
        self.registry.register(self.acks)
        self.registry.register(WhatGoesOn(app))
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)

    def follow(self, store: Store, hall: Hall) -> None:
        """Hear of their work from now on."""
        store.database.hear_commits(self.committed)
        hall.on_ack = self.acks.observe

    def answered(self, answered: Answered) -> None:
        method = answered.method if answered.method in METHODS else "(other)"
        self.requests.labels(answered.route, method, str(answered.status)).inc()
        self.request_seconds.labels(answered.route).observe(answered.seconds)

    def committed(self, entries: int, seconds: float) -> None:
        self.commit_seconds.observe(seconds)
        if entries:
            self.entries.inc(entries)
            self.commit_entries.observe(entries)

    def as_text(self) -> bytes:
        return generate_latest(self.registry)


class WhatGoesOn(Collector):
    """Figures that are read off the hall when somebody asks for them."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app

    def collect(self) -> Iterator[GaugeMetricFamily | CounterMetricFamily]:
        state = self.app.state
        version = GaugeMetricFamily("turntile_info", "Which Turntile this is", labels=["version"])
        version.add_metric([__version__], 1)
        yield version
        yield CounterMetricFamily(
            "turntile_rate_limited", "Requests refused because they came too often", value=state.limits.refused
        )
        hall: Hall | None = getattr(state, "hall", None)
        if hall is not None:
            yield CounterMetricFamily(
                "turntile_actions_refused", "Actions at tables that were refused with a sentence", value=hall.refused
            )
            yield from at_tables(hall)
            yield from of_thinkers(hall.thinkers)


def at_tables(hall: Hall) -> Iterator[GaugeMetricFamily]:
    tables = list(hall.tables.values())
    by_status = GaugeMetricFamily("turntile_tables", "Live tables of this process", labels=["status"])
    for status in ("open", "playing"):
        by_status.add_metric([status], sum(table.row.status == status for table in tables))
    yield by_status
    ears = [ear for table in [*tables, *hall.finished.values()] for ear in table.ears()]
    watchers = sum(not ear.seats for ear in ears)
    yield gauge("turntile_listeners", "Sockets and streams of those who hold a seat", len(ears) - watchers)
    yield gauge("turntile_watchers", "Sockets and streams of those who watch", watchers)


def of_thinkers(thinkers: Thinkers) -> Iterator[GaugeMetricFamily]:
    yield gauge("turntile_thinkers", "Processes for built-in bots", len(thinkers.workers))
    yield gauge("turntile_thinkers_busy", "Those that think now", thinkers.busy)
    yield gauge("turntile_thinkers_waiting", "Turns that wait for one of them", thinkers.queued)


def gauge(name: str, meaning: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, meaning, value=value)


# ------------------------------------------------------------------- the addresses

router = APIRouter(tags=["running it"])


@router.get("/healthz", summary="Alive", operation_id="healthz")
async def healthz() -> dict[str, str]:
    """Answers as long as the process can answer anything."""
    return {"status": "alive", "version": __version__}


@router.get("/readyz", summary="Ready", operation_id="readyz", responses=documented(503))
async def readyz(request: Request) -> dict[str, str]:
    """Answers 200 while requests should be sent here: the database answers, the hall is open, nothing is stopping."""
    state = request.app.state
    if getattr(state, "stopping", False):
        raise Problem(503, "the server is going down: ask another one, or again in a moment")
    if getattr(state, "hall", None) is None:
        raise Problem(503, "the server is starting: ask again in a moment")
    try:
        async with asyncio.timeout(READY_S):
            await state.store.processes.all()
    except (StoreError, TimeoutError):
        raise Problem(503, "the database does not answer") from None
    return {"status": "ready", "version": __version__}


@router.get("/metrics", summary="Figures for Prometheus", operation_id="metrics", response_class=Response)
async def metrics(request: Request) -> Response:
    """For this machine alone, or for who sends the token of the settings (`Authorization: Bearer ...`)."""
    settings: Settings = request.app.state.settings
    if not may_read(request, settings):
        raise Problem(403, "figures are told to this machine alone, or to who sends the server's metrics token")
    figures: Metrics = request.app.state.metrics
    return Response(figures.as_text(), media_type=MEDIA_TYPE)


def may_read(request: Request, settings: Settings) -> bool:
    """A proxy on this machine speaks for others: where one is trusted, its word on who asks counts."""
    sent = request.headers.get("authorization", "").partition(" ")[2]
    if settings.metrics_token and hmac.compare_digest(sent.encode(), settings.metrics_token.encode()):
        return True
    forwarded = any(name in request.headers for name in ("x-forwarded-for", "forwarded", "x-real-ip"))
    if forwarded and not settings.trusted_proxies:
        return False
    try:
        return ip_address(client_address(request.scope, settings)).is_loopback
    except ValueError:
        return False
