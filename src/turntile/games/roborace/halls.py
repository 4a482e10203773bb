"""Five halls of our own, from easy to hard, in the written form of board_text.py."""

from __future__ import annotations

YARD = """\
# The yard: a walled floor with a few belts; nobody can fall.
+----+----+----+----+----+----+----+----+
| .    .    .    .    .    .    .    .  |
+    +    +    +    +    +    +    +    +
| .    >    >    >    >    *    .    .  |
+    +    +    +----+----+    +    +    +
| .    ^    .    .    .    .    .    .  |
+    +    +    +    +    +    +    +    +
| .    ^    .    .    )    .    .    .  |
+    +    +    +    +    +    +    +    +
| .    .    .    .    .    <    <    .  |
+    +    +    +    +    +    +    +    +
| .    .  | (    .    .    .    .    .  |
+    +    +    +    +    +----+    +    +
| .    .    .    .    .    .    .    .  |
+    +    +    +    +    +    +    +    +
| .    .1   .    .2   .    .3   .    .4 |
+----+----+----+----+----+----+----+----+
start 1: north
start 2: north
start 3: north
start 4: north
"""

BELTS = """\
# Belts: rivers that carry robots along, two pits, and a gap in the wall.
+----+----+----+----+----+----+----+----+----+    +
| .    .    v    .    .    .    .    <    <    .  |
+    +    +    +    +    +    +    +    +    +    +
| .    .    v    .  | o    .    .    .    .    ^  |
+    +    +    +    +    +    +    +    +    +    +
| .1   .    v    .    .    >    >    >    .    ^  |
+    +    +    +    +    +    +    +----+    +    +
| .    .    v    .    .    .    .    .    v    ^  |
+    +    +    +    +    +    +    +    +    +    +
| .2   .    >    >    >    v    .    .    v    ^  |
+    +    +    +    +    +    +    +    +    +    +
| .  | .    .    .    .    v    .    .    v    *  |
+    +    +    +    +    +    +    +    +----+----+
| .3   .    ^    <    <    <    .    .    v    .  |
+    +    +    +    +    +    +    +    +    +    +
| .    .    ^    .    .    .    o    .    v    .
+    +    +    +    +    +    +    +    +    +    +
| .4   .    ^    .    .    .  | .    .    .    <
+    +    +    +    +    +    +    +    +    +    +
| .    .    ^    .    .    .    .    .    <    <  |
+----+----+----+----+----+----+----+----+----+----+
start 1: east
start 2: east
start 3: east
start 4: east
"""

GEARS = """\
# Gears: every way home turns the robot about.
+----+----+----+----+----+----+    +----+----+----+
| .    .    o    .    .    .    .  | )    .    o  |
+    +    +    +    +    +    +    +    +    +    +
| .    )    .    .    (  | .    .    .    .    *  |
+    +    +    +    +    +    +    +    +    +----+
| .    .    .    .    o    .    )    .    .    .  |
+    +    +    +    +    +    +    +    +    +    +
  .    (  | .    .    .    .    .    <    .    .  |
+    +    +    +    +    +    +    +    +    +    +
  .    .    )    .    .    (    .    ^    .    .
+    +    +    +    +    +    +    +    +    +    +
| o    .    .    .    )    .    o    ^    .    .
+    +    +    +----+----+    +    +    +    +    +
| .    .    (    .    .    .    .    ^    .    )  |
+    +    +    +    +    +    +    +    +    +    +
| .1   .    .    .    o    .    .    .    .    o  |
+    +    +    +    +    +    +    +    +    +    +
| .    .2   .    )    .    .    .    (  | .    .  |
+    +    +    +    +    +    +    +    +    +    +
| .    .    .3   .    .4   .    .    o    .    .  |
+----+----+----+----+----+----+----+----+----+----+
start 1: north
start 2: north
start 3: north
start 4: north
"""

PRESSES = """\
# Presses: crushers over the belts, pushers at the pits.
+----+----+----+----+----+----+----+----+----+----+----+----+----+    +
  o    .    .    .   b.    .    .    .    .    .   b.    .    .    o  |
+    +    +    +----+    +    +    +    +    +    +    +    +    +----+
| .    .    >   a>    >    >   a>    >    v    .    .    .    .    .  |
+    +    +    +    +    +    +    +    +    +    +    +    +    +    +
| .1   .    ^    .    .    .    .    .    v    .    .  |f.    .    *  |
+    +    +    +    +    +    +    +    +    +    +    +    +    +    +
| .    .    ^    .    o    o    .    .   ev    .    .   f.    .    .  |
+    +    +    +    +    +    +    +    +    +----+----+    +    +----+
| .2   .    ^    .    o    o    .    .    v    .    .   g.    .    .  |
+    +    +    +    +    +    +    +    +    +    +    +    +    +    +
| .    .    ^    .    .    .    .    .   ev    .    .    .    .    .  |
+    +    +    +    +    +    +    +    +    +    +    +    +    +    +
| .3   .    ^    .   c.    .    .    .    >    >   a>    >    >    v  |
+    +    +    +    +    +    +    +    +    +    +    +    +    +    +
| .    .    ^    .    o    .    .    .    .    .    .    .    .    v  |
+    +    +    +    +    +    +----+    +    +    +    +    +    +    +
| .4   .    <    <    <   d.    <    <    .    o    .   c.    .    v
+    +    +    +    +    +    +    +    +    +    +    +    +    +    +
  .    .    .    .    .    .    .    .    .    .    o    .   d.    .
+----+----+----+----+----+----+----+----+----+----+----+----+----+----+
a: crusher 1 5
b: pusher south 1 3 5
c: pusher north 1 3 5
d: pusher west 2 3 4
e: crusher 3 5
f: crusher 2 4
g: crusher 1 3
start 1: east
start 2: east
start 3: east
start 4: east
"""

ABYSS = """\
# The abyss: narrow ways between pits, no wall around, and everything moves.
+    +    +    +    +    +    +    +    +    +    +    +    +
  o    o    .    v    <    <    o    .    .    o    o    .
+    +    +    +    +    +    +    +    +    +    +    +    +
  .    >    .    v    .    ^    .    .    )    .    .  | *
+    +    +    +    +    +----+    +    +    +    +    +    +
  .    ^    o    o    .    ^    o    o    .    o    o    .
+    +    +    +    +    +    +    +    +    +    +    +    +
  .    ^    .    )    .   c.    .    .    (    .    .    .
+    +    +    +    +    +    +    +    +    +    +    +    +
  o    .  | o    >    >    >   d>    .    o    o    o  | .
+    +    +    +    +    +    +    +    +    +    +    +    +
  .    .    o    .   b.    .    .    v    .    .   e.    .
+    +    +    +    +    +    +    +    +    +    +    +    +
  )    .    .    .    o    .    o    v  | .    o    .    ^
+    +    +    +    +    +    +    +    +    +    +    +    +
  .    o    o    .    .    (    .    v    .    o    .    ^
+    +    +    +    +    +    +    +    +    +    +    +    +
  .    .    .   a.    .    o    .    >    >    >    >    ^
+    +    +    +    +    +    +    +    +    +    +    +    +
  o    .    o    .    .    .    o    .    .    o    .    o
+    +    +    +    +----+    +    +    +    +    +    +    +
  .3   (    .    .4   o    .    .    .    )    .    .    .
+    +    +    +    +    +    +    +    +    +    +    +    +
  .1   .    .2   .    o    .    o    .    .    .    .    .
+    +    +    +    +    +    +    +    +    +    +    +    +
a: pusher north 1 3 5
b: crusher 2 4
c: pusher south 1 3 5
d: crusher 1 5
e: pusher west 2 3 4
start 1: north
start 2: north
start 3: north
start 4: north
"""

BOARDS = {
    "yard": YARD,
    "belts": BELTS,
    "gears": GEARS,
    "presses": PRESSES,
    "abyss": ABYSS,
}
