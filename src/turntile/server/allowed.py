"""Which methods an address of the interface has: for 405 and its `Allow`.

Starlette tells those of the first route that fits; an address may have several, and the page's own route, which
answers every GET that is left, would turn "not this way" into "not there".
"""

from __future__ import annotations

from fastapi import APIRouter, FastAPI
from starlette.routing import Route


def remember_routes(app: FastAPI, routers: list[tuple[str, APIRouter]]) -> None:
    """`routers`: each with the prefix it was included under."""
    app.state.known_routes = [
        (prefix, route) for prefix, router in routers for route in router.routes if isinstance(route, Route)
    ]


def methods_at(app: FastAPI, path: str) -> list[str]:
    """The methods of an address, in order; none where there is no such address."""
    found: set[str] = set()
    for prefix, route in app.state.known_routes:
        if path.startswith(prefix) and route.path_regex.match(path.removeprefix(prefix)):
            found |= route.methods or set()
    return sorted(found)
