"""How SEWorms looks: sky, earth and sea, and two kinds of worm that nobody needs colours to tell apart."""

from __future__ import annotations

from turntile.core.scene import Look, Looks

SKY = '<rect width="100" height="100" fill="#12202f"/>'
EARTH = (
    '<rect width="100" height="100" fill="#6d4a2f"/>'
    '<path d="M0 30H100M0 68H100" stroke="#5a3b25" stroke-width="5"/>'
    '<circle cx="22" cy="48" r="6" fill="#8a6242"/><circle cx="68" cy="16" r="5" fill="#8a6242"/>'
    '<circle cx="78" cy="84" r="7" fill="#54361f"/><circle cx="38" cy="86" r="4" fill="#8a6242"/>'
)
TURF = (
    '<path d="M0 0H100V24Q92 34 84 24Q76 36 66 24Q58 34 50 24Q42 36 32 24Q24 34 16 24Q8 34 0 24Z" fill="#5fae4b"/>'
    '<path d="M0 0H100V8H0Z" fill="#7fce66"/>'
)
WATER = (
    '<rect width="100" height="100" fill="#1a5f9c"/>'
    '<path d="M0 22Q12 8 25 22T50 22T75 22T100 22V0H0Z" fill="#12202f" fill-opacity="0.35"/>'
    '<path d="M0 22Q12 8 25 22T50 22T75 22T100 22M0 58Q12 46 25 58T50 58T75 58T100 58" '
    'fill="none" stroke="#6db7ea" stroke-width="6" stroke-linecap="round"/>'
)
CHEST = (
    '<rect x="14" y="34" width="72" height="56" rx="8" fill="#a9722f" stroke="#4e3212" stroke-width="5"/>'
    '<path d="M14 56V46Q14 22 38 22H62Q86 22 86 46V56Z" fill="#c98b3d" stroke="#4e3212" stroke-width="5"/>'
    '<rect x="42" y="46" width="16" height="22" rx="4" fill="#f2d479" stroke="#4e3212" stroke-width="4"/>'
)
BODY = (
    '<path d="M26 92Q8 92 10 74Q13 58 32 62Q48 66 44 48Q38 10 66 10Q90 12 88 42Q86 92 50 92Z" '
    'fill="{seat}" stroke="{dark}" stroke-width="5" stroke-linejoin="round"/>'
    '<path d="M58 60Q70 66 82 58M54 76Q64 82 76 76" fill="none" '
    'stroke="{dark}" stroke-width="4" stroke-linecap="round"/>'
)
EYES = (
    '<circle cx="60" cy="34" r="10" fill="#ffffff"/><circle cx="80" cy="34" r="9" fill="#ffffff"/>'
    '<circle cx="63" cy="35" r="4" fill="#101418"/><circle cx="82" cy="35" r="4" fill="#101418"/>'
)
HELMET = (
    '<path d="M42 26Q46 0 68 2Q92 4 92 26Z" fill="#37474f" stroke="#101418" stroke-width="4"/>'
    '<path d="M38 26H96" stroke="#101418" stroke-width="6" stroke-linecap="round"/>'
)
BAND = (
    '<path d="M44 22Q66 12 90 24" fill="none" stroke="#ffffff" stroke-width="9" stroke-linecap="round"/>'
    '<path d="M44 22L26 12M44 22L28 30" stroke="#ffffff" stroke-width="7" stroke-linecap="round"/>'
)
POINTER = '<path d="M50 96L32 66H44V40H56V66H68Z" fill="#ffe27a" stroke="#5b4a00" stroke-width="4"/>'

LOOKS = Looks(
    looks={
        "sky": Look(glyph=" ", word="air", svg=SKY, colour="#12202f"),
        "earth": Look(glyph="▒", ascii="E", word="earth", svg=EARTH, colour="#a9794f"),
        "turf": Look(glyph="▓", ascii="E", word="earth", svg=EARTH + TURF, colour="#6fbf59"),
        "water": Look(glyph="≈", ascii="W", word="water", svg=WATER, colour="#4aa3df"),
        "chest": Look(glyph="#", word="chest", svg=CHEST, colour="#e0b050"),
        "worm0": Look(glyph="~", word="worm of player 1", svg=BODY + EYES + HELMET),
        "worm1": Look(glyph="*", word="worm of player 2", svg=BODY + EYES + BAND),
        "pointer": Look(glyph="↓", ascii="v", word="the worm to act", svg=POINTER, colour="#ffe27a"),
    },
    ground={" ": "sky", "E": "earth", "T": "turf", "W": "water"},
    background="#0b1520",
)
