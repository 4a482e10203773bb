"""Plain lines, for pipes and screen readers: the board, the panels, the legal actions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from turntile.core.scene import Looks, Scene, Sprite
from turntile.screens.board import (
    TEXTURED,
    Canvas,
    Shape,
    Spot,
    draw_board,
    glyph_of,
    ground_look,
    is_line,
    shape_for,
    sprites_by_cell,
)
from turntile.screens.palette import channels, seat_colour
from turntile.screens.panels import body, heading, in_words
from turntile.screens.questions import Question, ask

BLANK = ("", " ", ".", "·")  # glyphs of ground that is nothing much
RESET = "\x1b[0m"
FACING = ("up", "up and right", "right", "down and right", "down", "down and left", "left", "up and left")


def draw_plain(scene: Scene, looks: Looks, *, colour: bool = False, ascii: bool = False) -> str:
    """The scene as lines of text, with nothing but line feeds to move the cursor."""
    shape = shape_for(scene)
    lines = [scene.title, *board_lines(draw_board(scene, looks, ascii=ascii, shape=shape), scene, shape, colour)]
    for panel in scene.panels:
        title = heading(panel, ascii)
        lines.append(painted(title, seat_colour(panel.seat)) if colour and panel.seat >= 0 else title)
        lines += [f"  {line}" for line in body(panel, ascii)]
    lines += legend(scene, looks, ascii)
    if scene.choices:
        lines += question_lines(ask(scene.choices))
    return "\n".join(line.rstrip() for line in lines) + "\n"


def board_lines(canvas: Canvas, scene: Scene, shape: Shape, colour: bool) -> list[str]:
    """The board with its columns and rows numbered from 0, as actions count them."""
    margin = len(str(scene.height - 1)) + 1
    numbers = [" "] * (shape.size(scene)[0] + 2)
    for x in range(scene.width):
        column = shape.place_of(x, 0)[0]
        if x % 5 == 0:
            numbers[column : column + len(str(x))] = str(x)
    lines = [" " * margin + "".join(numbers)]
    for row, spots in enumerate(canvas):
        y = shape.cell_at(0, row)[1]
        on_a_cell = 0 <= y < scene.height and shape.place_of(0, y)[1] == row
        number = str(y) if on_a_cell else ""
        lines.append(f"{number:>{margin - 1}} " + (ansi(spots) if colour else "".join(spot.char for spot in spots)))
    return lines


def ansi(spots: Sequence[Spot]) -> str:
    """A line with colours, and only as many codes as changes."""
    parts: list[str] = []
    before: tuple[str, str, bool] | None = None
    for spot in spots:
        style = (spot.fore, spot.back, spot.bold)
        if style != before:
            codes = ["0"] + (["1"] if spot.bold else [])
            if spot.fore:
                codes.append("38;2;" + ";".join(str(channel) for channel in channels(spot.fore)))
            if spot.back:
                codes.append("48;2;" + ";".join(str(channel) for channel in channels(spot.back)))
            parts.append(f"\x1b[{';'.join(codes)}m")
            before = style
        parts.append(spot.char)
    return "".join(parts) + RESET


def painted(text: str, colour: str) -> str:
    return f"\x1b[1;38;2;{';'.join(str(channel) for channel in channels(colour))}m{text}{RESET}"


def legend(scene: Scene, looks: Looks, ascii: bool) -> list[str]:
    """What the characters of this scene mean."""
    signs: dict[str, str] = {}
    for char in sorted({char for row in scene.ground for char in row if char in looks.ground}):
        look = looks.looks[looks.ground[char]]
        if look.word and look.glyph not in BLANK:
            signs.setdefault(look.word, glyph_of(look, 0, -1, ascii))
    for sprite in scene.sprites:
        look = looks.looks[sprite.look]
        word = f"{look.word} of seat {sprite.seat}" if look.glyph in TEXTURED and sprite.seat >= 0 else look.word
        signs.setdefault(word, glyph_of(look, 0, sprite.seat, ascii))
    return ["Signs: " + ", ".join(f"{glyph} {word}" for word, glyph in signs.items())] if signs else []


def question_lines(question: Question, indent: str = "") -> list[str]:
    """The legal actions, each as it is typed and, where that says more, as it is called."""
    lines = [f"{indent}{question.text}"]
    wide = max((len(answer.choice.action) for answer in question.answers if answer.choice is not None), default=0)
    for answer in question.answers:
        if answer.choice is None:
            lines.append(f"{indent}  {answer.label}:")
        else:
            label = "" if answer.label == answer.choice.action else answer.label
            lines.append(f"{indent}  {answer.choice.action:<{wide}}  {label}".rstrip())
        if answer.leads_to is not None:
            lines += question_lines(answer.leads_to, indent + "    ")
    return lines


# ------------------------------------------------------------------------- for the ear


def describe(scene: Scene, looks: Looks) -> str:
    """The board row by row in words; cells of the commonest ground are passed over in silence."""
    lines = [scene.title, f"The board has {scene.width} columns and {scene.height} rows, both counted from 0."]
    usual = usual_grounds(scene, looks)
    stacks = sprites_by_cell(scene)
    marks: dict[tuple[int, int], list[str]] = {}
    for mark in scene.marks:
        marks.setdefault((mark.x, mark.y), []).append(mark.why or mark.kind)
    for y in range(scene.height):
        words: dict[str, list[int]] = {}
        for x in range(scene.width):
            look = ground_look(scene, looks, x, y)
            if look is not None and scene.ground[y][x] not in usual and look.word:
                words.setdefault(look.word, []).append(x)
            for sprite in reversed(stacks.get((x, y), [])):
                words.setdefault(sprite_in_words(sprite, looks), []).append(x)
            for why in marks.get((x, y), []):
                words.setdefault(f"marked {why}", []).append(x)
        if words:
            lines.append(f"Row {y}: " + "; ".join(f"{word} at {columns(at)}" for word, at in words.items()) + ".")
    lines += wall_lines(scene)
    lines += [in_words(panel) for panel in scene.panels]
    if scene.choices:
        lines.append(
            "You may: " + "; ".join(choice_words(choice.action, choice.label) for choice in scene.choices) + "."
        )
    return "\n".join(lines) + "\n"


def describe_cell(scene: Scene, looks: Looks, x: int, y: int) -> str:
    """What is on one cell, and what it is marked for."""
    words = [sprite_in_words(sprite, looks) for sprite in reversed(sprites_by_cell(scene).get((x, y), []))]
    ground = ground_look(scene, looks, x, y)
    if ground is not None and ground.word:
        words.append(ground.word)
    words += [f"marked {mark.why or mark.kind}" for mark in scene.marks if (mark.x, mark.y) == (x, y)]
    return f"({x}, {y}): {'; '.join(words) or 'nothing'}"


def usual_grounds(scene: Scene, looks: Looks) -> set[str]:
    """What need not be said: ground that is drawn as (nearly) nothing, or else the commonest."""
    counts: dict[str, int] = {}
    for row in scene.ground:
        for char in row:
            counts[char] = counts.get(char, 0) + 1
    blank = {char for char in counts if char not in looks.ground or looks.looks[looks.ground[char]].glyph in BLANK}
    return blank or {max(counts, key=lambda char: counts[char], default="")}


def sprite_in_words(sprite: Sprite, looks: Looks) -> str:
    look = looks.looks[sprite.look]
    owner = f" of seat {sprite.seat}" if sprite.seat >= 0 and f"seat {sprite.seat}" not in look.word else ""
    facing = f" facing {FACING[sprite.turn % 8]}" if look.turned and not is_line(look.glyph) else ""
    badge = f" ({sprite.badge})" if sprite.badge else ""
    return f"{look.word}{owner}{facing}{badge}"


def columns(at: Iterable[int]) -> str:
    """Columns as runs: "column 3", "columns 0 to 4 and 7"."""
    runs: list[list[int]] = []
    for x in at:
        if runs and x == runs[-1][1] + 1:
            runs[-1][1] = x
        else:
            runs.append([x, x])
    spans = [f"{first}" if first == last else f"{first} to {last}" for first, last in runs]
    many = len(runs) > 1 or runs[0][0] != runs[0][1]
    text = spans[0] if len(spans) == 1 else ", ".join(spans[:-1]) + " and " + spans[-1]
    return f"column{'s' if many else ''} {text}"


def wall_lines(scene: Scene) -> list[str]:
    rows: dict[tuple[int, str], list[int]] = {}
    for edge in sorted(scene.edges, key=lambda edge: (edge.y, edge.x)):
        rows.setdefault((edge.y, "above" if edge.side == "north" else "left of"), []).append(edge.x)
    return [
        f"Walls {side} row {y} at {columns(at)}." if side == "above" else f"Walls left of {columns(at)} in row {y}."
        for (y, side), at in rows.items()
    ]


def choice_words(action: str, label: str) -> str:
    return action if action == label else f"{action}, {label}"
