"""A scene as a PNG picture: the SVG, rasterised.

Text is set in the small Latin font that Pillow carries, so that the picture is alike on
machines without fonts; signs it lacks come from the system's fonts.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import tempfile
from functools import cache
from io import BytesIO

import resvg_py
from PIL import ImageFont

from turntile.core.scene import Looks, Scene
from turntile.screens.svg import draw_svg


def draw_png(scene: Scene, looks: Looks, scale: float = 2.0, *, caption: str = "", panels: bool = True) -> bytes:
    return rasterise(draw_svg(scene, looks, caption=caption, panels=panels), scale)


def rasterise(svg: str, scale: float = 1.0, *, system_fonts: bool = True) -> bytes:
    """An SVG picture of ours as PNG."""
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        zoom=scale,
        font_files=font_files(),
        skip_system_fonts=not system_fonts,
        sans_serif_family="Aileron",
    )


@cache
def font_files() -> list[str]:
    """Pillow's font as a file of this process: resvg reads fonts from files only."""
    font = ImageFont.load_default(16)
    source = getattr(font, "path", None)
    if not isinstance(source, BytesIO):  # Pillow without FreeType: the system's fonts have to do
        return []
    handle, path = tempfile.mkstemp(prefix="turntile-", suffix=".ttf")
    with os.fdopen(handle, "wb") as file:
        file.write(source.getvalue())

    def remove() -> None:
        with contextlib.suppress(OSError):
            os.unlink(path)

    atexit.register(remove)
    return [path]
