"""The app: settings in, FastAPI out. Everything a request needs hangs on `app.state`.

`app.state.store`, `.hall`, `.settings`, `.limits`: made when the app starts, put away when it ends.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI
from fastapi.middleware.cors import CORSMiddleware

from turntile import __version__
from turntile.server import problems
from turntile.server.door import Door
from turntile.server.hall import Hall
from turntile.server.limits import Limiter
from turntile.server.metrics import Metrics
from turntile.server.metrics import router as metrics_router
from turntile.server.settings import Settings
from turntile.store import open_store

API = "/api/v1"

# Under /api/v1, in the order in which the documentation shows them.
ROUTERS: tuple[APIRouter, ...] = ()
# With addresses of their own.
OTHER_ROUTERS: tuple[APIRouter, ...] = (metrics_router,)


def make_app(settings: Settings) -> FastAPI:
    """The whole server as an ASGI app. The database is opened when the app starts, not here."""
    app = FastAPI(
        title="Turntile",
        version=__version__,
        summary="An arena for turn-based games on a grid.",
        docs_url=None,  # the page has its own: FastAPI's loads scripts from elsewhere
        redoc_url=None,
        openapi_url="/openapi.json",
        lifespan=live,
        redirect_slashes=False,
    )
    app.state.settings = settings
    app.state.limits = Limiter(settings)
    app.state.metrics = Metrics(app)
    problems.install(app)
    for router in ROUTERS:
        app.include_router(router, prefix=API)
    for router in OTHER_ROUTERS:
        app.include_router(router)
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.cors_origins),
            allow_methods=["*"],
            allow_headers=["Authorization", "Content-Type", "Idempotency-Key"],
            expose_headers=["Retry-After", "RateLimit", "RateLimit-Policy", "X-Request-Id", "ETag"],
        )
    app.add_middleware(Door, settings=settings, limits=app.state.limits)
    return app


@asynccontextmanager
async def live(app: FastAPI) -> AsyncIterator[None]:
    """Open the store and the hall; at the end finish what is being written, then close."""
    settings: Settings = app.state.settings
    store = await open_store(settings.db, migrate=settings.migrate)
    try:
        hall = Hall(store, settings)
        app.state.store = store
        app.state.hall = hall
        await hall.start()
        try:
            yield
        finally:
            await hall.stop()
    finally:
        await store.close()
