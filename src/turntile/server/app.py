"""The app: settings in, FastAPI out. Everything a request needs hangs on `app.state`.

`app.state.store`, `.hall`, `.settings`, `.limits`, `.passwords`, `.studio`: made when the app starts,
put away when it ends.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI
from fastapi.middleware.cors import CORSMiddleware

from turntile import __version__
from turntile.server import page, problems, socket
from turntile.server.allowed import remember_routes
from turntile.server.api import accounts, contests, demos, downloads, games, matches, players, schemas, tokens
from turntile.server.bots import registry, remote, robot_fight
from turntile.server.bots.quarters import Quarters
from turntile.server.door import Door
from turntile.server.hall import Hall
from turntile.server.housekeeping import keep_house
from turntile.server.limits import Limiter
from turntile.server.metrics import Metrics
from turntile.server.metrics import router as metrics_router
from turntile.server.neighbours import Forwarder, Neighbours
from turntile.server.once import OneAtATime
from turntile.server.openapi import describe
from turntile.server.passwords import Passwords
from turntile.server.settings import Settings
from turntile.server.studio import Studio
from turntile.store import open_store

API = "/api/v1"

# Under /api/v1, in the order in which the documentation shows them.
ROUTERS: tuple[APIRouter, ...] = (
    accounts.router,
    tokens.router,
    games.router,
    demos.router,
    matches.router,
    downloads.router,
    players.router,
    registry.router,
    contests.router,
    schemas.router,
)
# With addresses of their own.
OTHER_ROUTERS: tuple[APIRouter, ...] = (remote.router, robot_fight.router, metrics_router)


def make_app(settings: Settings) -> FastAPI:
    """The whole server as an ASGI app. The database is opened when the app starts, not here."""
    app = FastAPI(
        title="Turntile",
        version=__version__,
        summary="An arena for turn-based games on a grid.",
        docs_url=None,  # the page has its own: FastAPI's loads scripts from elsewhere
        redoc_url=None,
        openapi_url=None,  # openapi.py tells it, without holding up the matches
        lifespan=live,
        redirect_slashes=False,
    )
    app.state.settings = settings
    app.state.limits = Limiter(settings)
    app.state.one_at_a_time = OneAtATime()
    app.state.metrics = Metrics(app)
    problems.install(app)
    for router in ROUTERS:
        app.include_router(router, prefix=API)
    for router in OTHER_ROUTERS:
        app.include_router(router)
    remember_routes(app, [*((API, router) for router in ROUTERS), *(("", router) for router in OTHER_ROUTERS)])
    app.router.routes.extend(socket.ROUTES)
    describe(app)
    page.install(app)  # last: it answers whatever is left
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.cors_origins),
            allow_methods=["*"],
            allow_headers=["Authorization", "Content-Type", "Idempotency-Key"],
            expose_headers=["Retry-After", "RateLimit", "RateLimit-Policy", "X-Request-Id", "ETag"],
        )
    app.add_middleware(Forwarder)
    app.add_middleware(Door, settings=settings, limits=app.state.limits)
    return app


@asynccontextmanager
async def live(app: FastAPI) -> AsyncIterator[None]:
    """Open the store and the hall; at the end finish what is being written, then close."""
    settings: Settings = app.state.settings
    store = await open_store(settings.db, migrate=settings.migrate, alone=True)
    app.state.store = store
    app.state.hall = hall = Hall(store, settings)
    app.state.metrics.follow(store, hall)
    app.state.bots = Quarters(hall)  # before the hall starts: matches that go on need their drivers
    app.state.neighbours = Neighbours(hall, app.state.bots.doorbell)
    app.state.passwords = Passwords(settings)
    app.state.studio = Studio(settings)
    try:
        await app.state.neighbours.arrive()
        await hall.start()
        app.state.neighbours.stay()
        hall.spawn(keep_house(store, settings))
        try:
            yield
        finally:
            await hall.stop()
            await app.state.neighbours.leave()
    finally:
        await app.state.bots.close()
        app.state.passwords.close()
        await app.state.studio.close()
        await store.close()
