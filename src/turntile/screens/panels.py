"""Panels as lines of text: what the terminal, the plain lines and the pictures share."""

from __future__ import annotations

from turntile.core.scene import Gauge, Hand, Items, Lines, Panel, Parts
from turntile.screens.palette import seat_shape


def title_of(panel: Panel) -> str:
    return panel.label if isinstance(panel, Gauge) else panel.title


def heading(panel: Panel, ascii: bool = False) -> str:
    """The panel's title with the shape of the seat it belongs to."""
    return f"{seat_shape(panel.seat, ascii)} {title_of(panel)}".strip()


def bar(value: int, maximum: int, columns: int, ascii: bool = False) -> str:
    """A number as a bar; never empty while something is left."""
    filled = 0 if maximum <= 0 else round(columns * max(0, min(value, maximum)) / maximum)
    if value > 0:
        filled = max(1, filled)
    full, rest = ("#", ".") if ascii else ("█", "░")
    return full * filled + rest * (columns - filled)


def body(panel: Panel, ascii: bool = False) -> list[str]:
    """What stands under the title."""
    times = "x" if ascii else "×"
    if isinstance(panel, Lines):
        return list(panel.lines)
    if isinstance(panel, Gauge):
        return [f"{bar(panel.value, panel.maximum, 10, ascii)} {panel.value}/{panel.maximum}"]
    if isinstance(panel, Items):
        chosen = ">" if ascii else "▸"
        return [
            f"{chosen if item.selected else ' '} {item.label}"
            + (f" {times}{item.count}" if item.count != 1 else "")
            + (f"  {item.detail}" if item.detail else "")
            for item in panel.items
        ] or ["  nothing"]
    if isinstance(panel, Hand):
        return [
            f"  {card.word}" + (f" {card.label}" if card.label != card.word else "") + detail(card.detail)
            for card in panel.cards
        ]
    return [f"{bar(panel.used, panel.budget, 10, ascii)} {panel.used}/{panel.budget} used"] + [
        f"{mark(part.installed, ascii)} {part.label} ({part.cost})" + detail(part.detail) for part in panel.parts
    ]


def mark(installed: bool, ascii: bool) -> str:
    if ascii:
        return "[x]" if installed else "[ ]"
    return "☑" if installed else "☐"


def detail(text: str) -> str:
    return f"  {text}" if text else ""


def in_words(panel: Panel) -> str:
    """The panel as one sentence, for the ear."""
    if isinstance(panel, Gauge):
        return f"{panel.label}: {panel.value} of {panel.maximum}."
    if isinstance(panel, Items):
        things = [f"{item.count} {item.label}" if item.count != 1 else item.label for item in panel.items]
        return f"{panel.title}: {', '.join(things) or 'nothing'}."
    if isinstance(panel, Hand):
        return f"{panel.title}: choose {panel.slots} of {', '.join(card.label for card in panel.cards)}."
    if isinstance(panel, Parts):
        installed = ", ".join(part.label for part in panel.parts if part.installed) or "nothing"
        return f"{panel.title}: {installed}; {panel.used} of {panel.budget} used."
    return f"{panel.title}: {'; '.join(panel.lines)}."
