"""The HTML page: one file, nothing from elsewhere, frames that come back whole from their deltas."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import msgspec
import pytest

from tests.screens.films import play_film, tron_film
from tests.screens.scenes import LOOKS, hall, race
from turntile.core.registry import find
from turntile.core.scene import Scene
from turntile.match.film import Film, Frame
from turntile.screens.html import draw_html, pack
from turntile.screens.pictures import Picture, pictures_of
from turntile.screens.svg import name_of


def unpack(data: dict[str, Any]) -> list[dict[str, Any]]:
    """The frames as the page's script puts them together, from the description in html.py."""
    data = msgspec.json.decode(msgspec.json.encode(data))
    state: dict[str, Any] = {"sprites": {}, "ground": {}}
    frames = []
    for frame in data["frames"]:
        for number in frame.get("gone", []):
            del state["sprites"][number]
        for number, *rest in frame.get("sprites", []):
            symbol, x, y, turn, layer, badge = rest + [0, 0, ""][len(rest) - 3 :]
            state["sprites"][number] = (data["symbols"][symbol], x, y, turn, layer, badge)
        for y, row in frame.get("ground", []):
            state["ground"][y] = row
        for part in ("size", "title", "marks", "edges", "panels"):
            if part in frame:
                state[part] = frame[part]
        panels = [data["panels"][number] for number in state["panels"]]
        frames.append({**state, "sprites": sorted(state["sprites"].values()), "panels": panels})
        frames[-1]["ground"] = tuple(row for _, row in sorted(state["ground"].items()) if row)
    return frames


def as_packed(scene: Scene) -> dict[str, Any]:
    """What a frame must be, straight from its scene."""
    return {
        "size": [scene.width, scene.height],
        "title": scene.title,
        "ground": scene.ground,
        "sprites": sorted(
            (name_of(sprite.look, sprite.seat), sprite.x, sprite.y, sprite.turn, sprite.layer, sprite.badge)
            for sprite in scene.sprites
        ),
        "marks": [[mark.kind, mark.x, mark.y, mark.why] for mark in scene.marks],
        "edges": [[edge.x, edge.y, int(edge.side == "north")] for edge in scene.edges],
        "panels": msgspec.json.decode(msgspec.json.encode(scene.panels)),
    }


def test_deltas_decode_to_the_same_frames() -> None:
    scenes = [race(0), race(1), race(4), hall(), race(2)]
    frames = unpack(pack([Picture(step, scene) for step, scene in enumerate(scenes)], LOOKS))
    assert frames == [as_packed(scene) for scene in scenes]


@pytest.mark.parametrize("name", ["tron", "racers", "worms", "roborace", "robots"])
def test_deltas_of_real_matches_decode_to_the_same_frames(name: str) -> None:
    film = play_film(find(name), 12)
    pictures = pictures_of(film)
    assert unpack(pack(pictures, film.looks)) == [as_packed(picture.scene) for picture in pictures]


def test_a_frame_holds_only_what_changed() -> None:
    (_, second) = pack([Picture(0, race(0)), Picture(1, race(1))], LOOKS)["frames"]
    assert "ground" not in second
    assert "edges" not in second
    assert len(second["sprites"]) == 4  # two cycles moved, two pieces of trail are new


class Page(HTMLParser):
    """Collects what a page refers to and what its scripts and styles say."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.refers_to: list[str] = []
        self.inline: list[str] = []
        self.content: dict[str, str] = {}
        self.within = ""
        self.policy = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        self.refers_to += [value or "" for key, value in attributes if key in ("src", "href", "action", "data")]
        self.inline += [key for key in given if key.startswith("on") or key == "style"]
        if tag in ("script", "style", "title", "h1"):
            self.within = f"{tag} {given.get('type') or ''}".strip()
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"] or ""

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style", "title", "h1"):
            self.within = ""

    def handle_data(self, data: str) -> None:
        if self.within:
            self.content[self.within] = self.content.get(self.within, "") + data


def test_nothing_is_loaded_from_elsewhere() -> None:
    text = draw_html(tron_film())
    page = Page(text)
    assert [address for address in page.refers_to if not address.startswith("#")] == []
    assert not re.search(r"https?://|url\(|@import", text)


def test_the_pages_own_policy_allows_its_script_and_style_and_nothing_else() -> None:
    page = Page(draw_html(tron_film()))
    assert page.inline == []
    for tag in ("script", "style"):
        digest = base64.b64encode(hashlib.sha256(page.content[tag].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in page.policy
    assert page.policy.startswith("default-src 'none'")


def nasty_film() -> Film:
    """A film whose texts try to break out of their places."""
    film = tron_film(1)
    nasty = "</script><script>alert(1)</script> @FILM@ <!-- & \u2028"
    scene = msgspec.structs.replace(film.frames[0].scene, title=nasty)
    seats = tuple(msgspec.structs.replace(seat, name=nasty) for seat in film.header.seats)
    header = msgspec.structs.replace(film.header, seats=seats)
    return Film(film.game, header, None, (Frame(0, scene, (nasty,)),), None)


def test_no_text_breaks_out_of_its_place() -> None:
    film = nasty_film()
    text = draw_html(film, title="<b> & @SCRIPT@")
    page = Page(text)
    assert page.content["h1"] == "<b> & @SCRIPT@"
    data = json.loads(page.content["script application/json"])
    assert data["frames"][0]["title"] == film.frames[0].scene.title
    assert data["players"][0]["name"] == film.header.seats[0].name
    assert text.count("<script") == 2


def test_the_winner_is_marked_and_the_reason_told() -> None:
    film = play_film(find("tron"), 1000)
    assert film.outcome is not None
    data = json.loads(Page(draw_html(film)).content["script application/json"])
    assert [player["won"] for player in data["players"]] == [place == 1 for place in film.outcome.places]
    assert data["frames"][-1]["lines"][-1] == film.outcome.reason


def test_a_long_match_on_a_large_board_stays_small() -> None:
    """300 turns on 31 x 31, two trails that grow, and four panels that change every turn."""
    frames = []
    for turn in range(300):
        base = race(0)
        trail = [
            msgspec.structs.replace(
                base.sprites[0], id=f"trail {n} {seat}", look="trail", x=n % 29, y=n // 29, seat=seat
            )
            for n in range(turn)
            for seat in range(2)
        ]
        panels = tuple(
            msgspec.structs.replace(base.panels[1], lines=(f"{turn} points", f"{seat}")) for seat in range(4)
        )
        ground = tuple("#" * 31 for _ in range(31))
        scene = Scene(31, 31, f"Turn {turn}", ground=ground, sprites=tuple(trail), panels=panels)
        frames.append(Picture(turn, scene, f"turn {turn}", (f"turn {turn} was played",)))
    packed = pack(frames, LOOKS)
    packed.pop("used")
    assert len(msgspec.json.encode(packed)) < 200_000
    assert len(draw_html(tron_film(1))) < 100_000


def test_why_it_is_over_is_told_once() -> None:
    """A game whose last event says what its reason says does not say it twice."""
    film = tron_film(200)
    assert film.outcome is not None
    end = replace(film.frames[-1], lines=("seat 0 crashed", film.outcome.reason))
    told = replace(film, frames=(*film.frames[:-1], end))

    assert pictures_of(film)[-1].lines[-1] == film.outcome.reason
    assert pictures_of(told)[-1].lines == end.lines
