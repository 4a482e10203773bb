"""The board file of F9: XML read and written.

Boards come from strangers. The parser is expat with everything refused that a board does not
need: document types, and with them entities of any kind, processing instructions, text between
the elements, elements inside elements, long files. Nothing is fetched or expanded.
"""

from __future__ import annotations

from xml.parsers import expat

from turntile.games.roborace.boards import DIRECTIONS, Decoration, Hall, InvalidBoard, Start, Wall, checked_hall
from turntile.games.roborace.records import (
    BELT,
    FLOOR,
    GEAR_LEFT,
    GEAR_RIGHT,
    GOAL,
    MAX_SIDE,
    PIT,
)

MAX_XML = 200_000  # characters; the largest hall with a decoration and two walls everywhere needs less
ROOT_ATTRIBUTES = ("xSize", "ySize", "maxPlayers", "numDecorations", "numWalls")
ATTRIBUTES = {
    "TileFloor": (),
    "TilePit": (),
    "TileGoal": (),
    "TileGear": ("clockwise",),
    "TileBelt": ("direction",),
    "DecorationCrusher": ("x", "y", "phase1", "phase2"),
    "DecorationPusher": ("x", "y", "direction", "phase1", "phase2", "phase3"),
    "StartConfig": ("x", "y", "direction"),
    "Wall": ("x", "y", "isHorizontal"),
}
PLAIN_TILES = {"TileFloor": FLOOR, "TilePit": PIT, "TileGoal": GOAL}


class Element:
    """An element with its line, so that every fault can be placed."""

    def __init__(self, name: str, attributes: dict[str, str], line: int) -> None:
        self.name = name
        self.attributes = attributes
        self.line = line

    def fault(self, reason: str) -> InvalidBoard:
        return InvalidBoard(f"line {self.line}, {self.name}: {reason}")

    def number(self, attribute: str) -> int:
        text = self.attributes[attribute].strip()
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 6):
            raise self.fault(f"{attribute}={text[:20]!r} is no whole number")
        return int(text)

    def truth(self, attribute: str) -> bool:
        text = self.attributes[attribute].strip().lower()
        if text not in ("true", "false"):
            raise self.fault(f"{attribute}={text[:20]!r} must be true or false")
        return text == "true"

    def direction(self) -> str:
        text = self.attributes["direction"].strip().lower()
        if text not in DIRECTIONS:
            raise self.fault(f"direction={text[:20]!r} must be North, East, South or West")
        return text


def read_xml(text: str) -> Hall:
    """A hall from its XML; InvalidBoard with line, element and reason."""
    root, elements = read_elements(text)
    width, height = root.number("xSize"), root.number("ySize")
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise root.fault(f"a hall of {width}x{height} cells: each side must be 1 to {MAX_SIDE}")
    tiles: list[int] = []
    parts: list[tuple[Decoration | Start | Wall, Element]] = []
    for element in elements:
        if not element.name.startswith("Tile"):
            parts.append((read_part(element), element))
        elif len(tiles) < width * height:
            tiles.append(read_tile(element))
        else:
            raise element.fault(f"one tile too many: {width}x{height} cells have {width * height}")
    if len(tiles) < width * height:
        raise root.fault(f"{len(tiles)} tiles: {width}x{height} cells need {width * height}")
    decorations = [part for part, _ in parts if isinstance(part, Decoration)]
    starts = [part for part, _ in parts if isinstance(part, Start)]
    walls = [part for part, _ in parts if isinstance(part, Wall)]
    check_count(root, "maxPlayers", len(starts), "StartConfig")
    check_count(root, "numDecorations", len(decorations), "Decoration...")
    check_count(root, "numWalls", len(walls), "Wall")
    hall = Hall(width, height, tuple(tiles), tuple(sorted(decorations)), tuple(starts), tuple(sorted(set(walls))))
    try:
        return checked_hall(hall)
    except InvalidBoard as error:
        for part, element in reversed(parts):  # of two on one cell the later one is the one too many
            if part == error.part:
                raise element.fault(str(error)) from error
        raise root.fault(str(error)) from error


def check_count(root: Element, attribute: str, found: int, what: str) -> None:
    if root.number(attribute) != found:
        raise root.fault(f"{attribute}={root.number(attribute)}, but the number of {what} elements is {found}")


def read_part(element: Element) -> Decoration | Start | Wall:
    x, y = element.number("x"), element.number("y")
    if element.name == "StartConfig":
        return Start(x, y, element.direction())
    if element.name == "Wall":
        return Wall(x, y, "north" if element.truth("isHorizontal") else "west")
    phases = tuple(sorted(element.number(name) for name in ATTRIBUTES[element.name] if name.startswith("phase")))
    if element.name == "DecorationCrusher":
        return Decoration(x, y, "crusher", phases)
    return Decoration(x, y, "pusher", phases, element.direction())


def read_tile(element: Element) -> int:
    if element.name == "TileGear":
        return GEAR_RIGHT if element.truth("clockwise") else GEAR_LEFT
    if element.name == "TileBelt":
        return BELT + DIRECTIONS.index(element.direction())
    return PLAIN_TILES[element.name]


def read_elements(text: str) -> tuple[Element, list[Element]]:
    """The root and the elements in it, names and attributes checked."""
    if len(text) > MAX_XML:
        raise InvalidBoard(f"the XML has {len(text)} characters: a board has at most {MAX_XML}")
    parser = expat.ParserCreate("utf-8")
    roots: list[Element] = []
    elements: list[Element] = []
    depth = 0

    def refuse(reason: str) -> InvalidBoard:
        return InvalidBoard(f"line {parser.CurrentLineNumber}: {reason}")

    def begin(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        element = Element(name, attributes, parser.CurrentLineNumber)
        if depth == 0 and name != "Factory":
            raise element.fault("the root element must be Factory")
        if depth > 1:
            raise element.fault("elements stand side by side inside Factory, not inside each other")
        if depth == 1 and name not in ATTRIBUTES:
            raise element.fault(f"unknown element; known are {', '.join(ATTRIBUTES)}")
        check_attributes(element, ATTRIBUTES[name] if depth else ROOT_ATTRIBUTES)
        (elements if depth else roots).append(element)
        depth += 1

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1

    def words(data: str) -> None:
        if data.strip():
            raise refuse(f"text {data.strip()[:20]!r} between the elements: a board has none")

    def doctype(*parts: object) -> None:
        raise refuse("a document type (with entities or without) is not accepted: remove it")

    def instruction(target: str, data: str) -> None:
        raise refuse(f"a processing instruction ({target[:20]}) is not accepted: remove it")

    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.CharacterDataHandler = words
    parser.StartDoctypeDeclHandler = doctype
    parser.EntityDeclHandler = doctype
    parser.ProcessingInstructionHandler = instruction
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise InvalidBoard(f"line {error.lineno}: not well-formed XML: {expat.ErrorString(error.code)}") from error
    return roots[0], elements


def check_attributes(element: Element, wanted: tuple[str, ...]) -> None:
    for name in wanted:
        if name not in element.attributes:
            raise element.fault(f"the attribute {name} is missing")
    for name in element.attributes:
        if name not in wanted:
            known = ", ".join(wanted) or "none"
            raise element.fault(f"unknown attribute {name[:20]}; known are: {known}")


def write_xml(hall: Hall) -> str:
    """The board file of a hall; `read_xml` gives the hall back."""
    lines = [
        f'<Factory xSize="{hall.width}" ySize="{hall.height}" maxPlayers="{len(hall.starts)}"'
        f' numDecorations="{len(hall.decorations)}" numWalls="{len(hall.walls)}">'
    ]
    lines += [f"<{xml_tile(tile)}/>" for tile in hall.tiles]
    for decoration in hall.decorations:
        phases = "".join(f' phase{n}="{phase}"' for n, phase in enumerate(decoration.phases, 1))
        way = f' direction="{decoration.direction.title()}"' if decoration.direction else ""
        lines.append(f'<Decoration{decoration.kind.title()} x="{decoration.x}" y="{decoration.y}"{way}{phases}/>')
    for start in hall.starts:
        lines.append(f'<StartConfig x="{start.x}" y="{start.y}" direction="{start.direction.title()}"/>')
    for wall in hall.walls:
        horizontal = "true" if wall.side == "north" else "false"
        lines.append(f'<Wall x="{wall.x}" y="{wall.y}" isHorizontal="{horizontal}"/>')
    return "\n".join([*lines, "</Factory>", ""])


def xml_tile(tile: int) -> str:
    if tile >= BELT:
        return f'TileBelt direction="{DIRECTIONS[tile - BELT].title()}"'
    if tile in (GEAR_RIGHT, GEAR_LEFT):
        return f'TileGear clockwise="{"true" if tile == GEAR_RIGHT else "false"}"'
    return next(name for name, number in PLAIN_TILES.items() if number == tile)
