"""Which page a request comes from: other sites' pages must not act with a person's cookie.

A browser says so in `Origin` (and `Sec-Fetch-Site`), and a page cannot forge either. Programs
with a token send no cookie, so they need neither.
"""

from __future__ import annotations

from starlette.requests import HTTPConnection

from turntile.server.settings import Settings

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
DEFAULT_PORTS = {"http": ":80", "https": ":443"}


def same_site(connection: HTTPConnection, settings: Settings) -> bool | None:
    """Whether the page that asks is one of ours; None where the client does not say."""
    origin = connection.headers.get("origin")
    if origin is not None:
        return is_ours(origin, connection.headers.get("host", ""), settings)
    fetch_site = connection.headers.get("sec-fetch-site")
    if fetch_site is not None:
        return fetch_site in ("same-origin", "none")  # none: typed by the person, not sent by a page
    return None


def is_ours(origin: str, host: str, settings: Settings) -> bool:
    """Our own host under whatever scheme a proxy speaks before us, or one that was allowed."""
    allowed = {plain(one) for one in (*settings.origins, settings.public_url) if one}
    if plain(origin) in allowed:
        return True
    scheme, _, name = plain(origin).partition("://")
    return scheme in DEFAULT_PORTS and bool(name) and name == host.lower().removesuffix(DEFAULT_PORTS[scheme])


def plain(origin: str) -> str:
    """One spelling: lower case, no default port, no slash at the end."""
    origin = origin.lower().rstrip("/")
    scheme = origin.partition("://")[0]
    return origin.removesuffix(DEFAULT_PORTS.get(scheme, ""))
