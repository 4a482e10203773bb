"""A film as an animated GIF under one common palette.

From one picture to the next only a few cells change, so only those are drawn anew: each
distinct cell (its ground, sprites and marks) is rasterised once and kept. In the file, too, a
picture holds only what differs from the one before; the rest is transparent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from io import BytesIO

import msgspec
import numpy as np
from PIL import Image

from turntile.core.errors import InvalidOptions
from turntile.core.scene import Edge, Looks, Mark, Panel, Scene, Sprite
from turntile.screens import svg
from turntile.screens.board import sprites_by_cell
from turntile.screens.pictures import Picture
from turntile.screens.png import rasterise

SHORTEST_MS = 20  # what browsers still show as asked; GIF counts in hundredths of a second
LAST_MS = 2500
LONGEST_SIDE = 820
SAMPLES = 24  # pictures the palette is made from
UNCHANGED = 255  # the palette's last index: what the picture before shows stays

Progress = Callable[[int, int], None]  # done, of how many
# What decides how a cell looks: its ground, its sprites from the lowest up, the kinds of its marks.
CellKey = tuple[str, tuple[tuple[str, int, int, str], ...], tuple[str, ...]]


def draw_gif(
    frames: Sequence[Picture],
    looks: Looks,
    ms_per_frame: int = 120,
    *,
    scale: float | None = None,
    panels: bool = True,
    caption: bool = True,
    last_ms: int = LAST_MS,
    progress: Progress | None = None,
) -> bytes:
    """The animation; it loops for ever. Without a scale, its longer side is at most LONGEST_SIDE."""
    if not frames:
        raise InvalidOptions("a film without pictures cannot become a GIF: play at least one step")
    if ms_per_frame < SHORTEST_MS:
        raise InvalidOptions(f"{ms_per_frame} ms a picture is too short for a GIF: at least {SHORTEST_MS}")
    layout = svg.lay_out([frame.scene for frame in frames], panels=panels, caption=caption)
    if scale is None:
        scale = min(1.0, LONGEST_SIDE / max(layout.width, layout.height))
    scale = max(4, int(layout.cell * scale + 0.01)) / layout.cell  # whole pixels a cell: no seams, no blur
    palette = common_palette(frames, Painter(looks, layout, scale))
    painter = Painter(looks, layout, scale)

    def images() -> Iterator[Image.Image]:
        before: np.ndarray[tuple[int, ...], np.dtype[np.uint8]] | None = None
        for index, frame in enumerate(frames):
            painted = painter.paint(frame).quantize(palette=palette, dither=Image.Dither.NONE)
            pixels = np.asarray(painted)
            if before is not None:
                painted = Image.fromarray(np.where(pixels == before, np.uint8(UNCHANGED), pixels))
                painted.putpalette(palette.getpalette() or [])
            before = pixels
            if progress is not None:
                progress(index + 1, len(frames))
            yield painted

    strip = images()
    first = next(strip)
    out = BytesIO()
    durations = [ms_per_frame] * (len(frames) - 1) + [max(last_ms, ms_per_frame)]
    first.save(
        out,
        "GIF",
        save_all=True,
        append_images=strip,
        duration=durations if len(frames) > 1 else durations[0],
        loop=0,
        optimize=False,  # it would give every picture a palette of its own
        transparency=UNCHANGED,
        disposal=1,
    )
    return out.getvalue()


def common_palette(frames: Sequence[Picture], painter: Painter) -> Image.Image:
    """One palette for all pictures: without it, colours would flicker from one to the next."""
    wanted = sorted({round(i * (len(frames) - 1) / max(1, SAMPLES - 1)) for i in range(SAMPLES)})
    samples = [painter.paint(frames[index]).resize((400, 400), Image.Resampling.NEAREST) for index in wanted]
    sheet = Image.new("RGB", (400, 400 * len(samples)))
    for row, image in enumerate(samples):
        sheet.paste(image, (0, row * 400))
    return sheet.quantize(UNCHANGED, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


class Painter:
    """A picture that is brought from one scene to the next, cell by cell."""

    def __init__(self, looks: Looks, layout: svg.Layout, scale: float) -> None:
        self.looks = looks
        self.layout = layout
        self.scale = scale
        self.pixels = max(4, round(layout.cell * scale))  # a side of a cell
        self.ink = svg.ink_of(looks)
        self.left = round(svg.GAP * scale)
        self.top = round(layout.board_top * scale)
        size = (
            max(round(layout.width * scale), 2 * self.left + self.pixels * round(layout.board_width / layout.cell)),
            max(round(layout.height * scale), self.top + self.pixels * round(layout.board_height / layout.cell) + 4),
        )
        self.image = Image.new("RGB", size, svg.page_of(looks))
        self.cells: dict[tuple[int, int], CellKey] = {}
        self.cell_images: dict[CellKey, Image.Image] = {}
        self.walls: tuple[Edge, ...] = ()
        self.walls_image: Image.Image | None = None
        self.size = (0, 0)
        self.title = ""
        self.caption = ""
        self.panels: tuple[Panel, ...] = ()

    def paint(self, frame: Picture) -> Image.Image:
        """The picture now; it changes with the next call."""
        scene = frame.scene
        if (scene.width, scene.height) != self.size or scene.edges != self.walls:
            self.begin_board(scene)
        self.paint_cells(scene)
        self.paint_texts(scene, frame.caption)
        return self.image

    def begin_board(self, scene: Scene) -> None:
        self.size = (scene.width, scene.height)
        self.walls = scene.edges
        self.cells = {}
        self.walls_image = None
        if scene.edges:
            self.walls_image = self.board_piece(scene.width, scene.height, [svg.edges_part(scene.edges)])

    def paint_cells(self, scene: Scene) -> None:
        stacks = sprites_by_cell(scene)
        marks: dict[tuple[int, int], list[Mark]] = {}
        for mark in scene.marks:
            marks.setdefault((mark.x, mark.y), []).append(mark)
        for y in range(scene.height):
            for x in range(scene.width):
                ground = scene.ground[y][x] if y < len(scene.ground) else ""
                stack = stacks.get((x, y), [])
                sprites = tuple((sprite.look, sprite.turn, sprite.seat, sprite.badge) for sprite in stack)
                kinds = tuple(mark.kind for mark in marks.get((x, y), ()))
                key = (ground, sprites, kinds)
                if self.cells.get((x, y)) != key:
                    self.cells[x, y] = key
                    self.paint_cell(x, y, key, stack, marks.get((x, y), []))

    def paint_cell(self, x: int, y: int, key: CellKey, stack: Sequence[Sprite], marks: Sequence[Mark]) -> None:
        if key not in self.cell_images:
            cell = Scene(
                1,
                1,
                "",
                ground=(key[0],) if key[0] else (),
                sprites=tuple(msgspec.structs.replace(sprite, x=0, y=0) for sprite in stack),
                marks=tuple(msgspec.structs.replace(mark, x=0, y=0, why="") for mark in marks),
            )
            parts = [svg.define_looks(cell, self.looks), *svg.board_parts(cell, self.looks)]
            self.cell_images[key] = self.board_piece(1, 1, parts).convert("RGB")
        column, row = x * self.pixels, y * self.pixels
        box = (column, row, column + self.pixels, row + self.pixels)
        self.image.paste(self.cell_images[key], (self.left + column, self.top + row))
        if self.walls_image is not None:
            walls = self.walls_image.crop(box)
            self.image.paste(walls, (self.left + column, self.top + row), walls)

    def board_piece(self, columns: int, rows: int, parts: Sequence[str]) -> Image.Image:
        """Some cells, in units of 100 a cell, rasterised at this picture's size."""
        picture = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {columns * 100} {rows * 100}" '
            f'width="{columns * self.pixels}" height="{rows * self.pixels}" font-family="{svg.FONT}">'
            f"{''.join(parts)}</svg>"
        )
        return Image.open(BytesIO(rasterise(picture))).convert("RGBA")

    def paint_texts(self, scene: Scene, caption: str) -> None:
        if scene.title != self.title:
            self.title = scene.title
            self.paint_strip(0, 0, self.layout.width, 40, [svg.title_part(scene, self.layout, self.ink)])
        if self.layout.panel_width and scene.panels != self.panels:
            self.panels = scene.panels
            place = self.layout
            parts = svg.panel_parts(scene.panels, place, self.ink)
            self.paint_strip(place.panel_left, place.panel_top, place.panel_width, place.panel_height, parts)
        if self.layout.caption and caption != self.caption:
            self.caption = caption
            top = self.layout.height - svg.CAPTION
            self.paint_strip(0, top, self.layout.width, svg.CAPTION, [svg.caption_part(caption, self.layout, self.ink)])

    def paint_strip(self, left: float, top: float, width: float, height: float, parts: Sequence[str]) -> None:
        """A rectangle of the layout that holds text."""
        picture = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:g} {top:g} {width:g} {height:g}" '
            f'width="{width:g}" height="{height:g}" font-family="{svg.FONT}">'
            f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" fill="{svg.page_of(self.looks)}"/>'
            f"{''.join(parts)}</svg>"
        )
        strip = Image.open(BytesIO(rasterise(picture, self.scale))).convert("RGB")
        self.image.paste(strip, (round(left * self.scale), round(top * self.scale)))
