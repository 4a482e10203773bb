"""The page in the browser: the files Vite built, and index.html for every address that is one of its routes.

Files under assets/ bear a hash of their content in their names, so browsers keep them for ever;
everything else is asked for anew. The folder may be absent (a checkout without Node): then one
page says how to make it, and the rest of the server works.
"""

from __future__ import annotations

import mimetypes
from email.utils import formatdate
from pathlib import Path

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from turntile.server.allowed import methods_at
from turntile.server.tags import has_it, tag_of

HERE = Path(__file__).with_name("page")
ENCODINGS = (("br", ".br"), ("gzip", ".gz"))  # precompressed files beside the plain ones
FOR_EVER = "public, max-age=31536000, immutable"
# What is never a route of the page: a mistake there must be told to a program.
NOT_OURS = ("/api/", "/robot-fight/", "/assets/")
MEDIA_TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".txt": "text/plain",
    ".map": "application/json",
}

NOT_BUILT = """\
<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Turntile: the page is not built</title></head>
<body>
<h1>The page is not built yet</h1>
<p>The server runs, but the files of its page are missing. <code>python3 run.py</code> builds them, or, with Node,
<code>npm ci</code> and <code>npm run build</code> in the folder <code>web/</code>; then load this page again.</p>
<p>Programs need no page: the interface is described by <a href="/openapi.json">/openapi.json</a>.</p>
</body>
</html>
"""


def install(app: FastAPI) -> None:
    """Answer what no other route does."""

    async def serve(request: Request) -> Response:
        return await run_in_threadpool(answer, request, app.state.settings.page_dir or HERE)

    app.add_api_route("/{path:path}", serve, methods=["GET", "HEAD"], include_in_schema=False)


def answer(request: Request, folder: Path) -> Response:
    path = request.url.path
    file = find_file(folder, path)
    if file is not None:
        return send_file(request, file, for_ever=path.startswith("/assets/"))
    if methods_at(request.app, path):
        raise HTTPException(405)
    if path.startswith(NOT_OURS) or path in ("/api", "/robot-fight") or "." in path.rsplit("/", 1)[-1]:
        raise HTTPException(404)
    index = folder / "index.html"
    if not index.is_file():
        return Response(NOT_BUILT, 503, {"Cache-Control": "no-store", "Retry-After": "60"}, media_type="text/html")
    return send_file(request, index, for_ever=False)


def find_file(folder: Path, path: str) -> Path | None:
    """The file of that address, if it is one inside the folder."""
    name = path.lstrip("/")
    if not name or "\x00" in name or name.endswith((".br", ".gz")):
        return None
    file = (folder / name).resolve()
    if not file.is_relative_to(folder.resolve()):
        return None
    try:
        return file if file.is_file() else None
    except OSError:  # a name too long for the file system
        return None


def send_file(request: Request, file: Path, *, for_ever: bool) -> Response:
    body = file.read_bytes()
    tag = tag_of(body)
    headers = {
        "ETag": tag,
        "Cache-Control": FOR_EVER if for_ever else "no-cache",
        "Last-Modified": formatdate(file.stat().st_mtime, usegmt=True),
        "Vary": "Accept-Encoding",
    }
    if has_it(request, tag):
        return Response(status_code=304, headers=headers)
    accepted = {part.split(";")[0].strip() for part in request.headers.get("accept-encoding", "").split(",")}
    for encoding, ending in ENCODINGS:
        smaller = file.with_name(file.name + ending)
        if encoding in accepted and smaller.is_file():
            body = smaller.read_bytes()
            headers["Content-Encoding"] = encoding
            break
    media_type = MEDIA_TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return Response(b"" if request.method == "HEAD" else body, 200, headers, media_type=media_type)
