"""The rulebook's examples, played from their drawn maps: what is typed and all that is printed.

Two more of its examples contradict the rules and cannot be played (S2): a melee that makes the
wrong player win, and a worm with three airstrikes.
"""

from __future__ import annotations

from tests.games.worms.drawn import typed_at, worms
from tests.support import picture, rule
from turntile.core.gears import GearName

ISLAND_FOOT = """
    ...EE..EEEEEEEEEEEEEEEE.................
    .#EEE.EEEEEEEEEEEEEEEEEE................
    .EEEEEEEEEEEEEEEEEEEEEEEE...............
    WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW
"""

BAZOOKA = (
    """
    ........................................
    ........................................
    ...........*............................
    ...........E....~EE.....................
    .........#EEE#..EEEE....................
    .........EEEEEEEEEEEE~..................
    ....E..#EEEEEEEEEEEEEE..................
    """
    + ISLAND_FOOT
    + """
    option team 3
    worm 1 at 5 21
    worm 3 at 3 16 named Sparky
    worm 5 at 2 11 named Fizz
    acts 3
    plan 39 0
    """
)

BAZOOKA_WITH_A_DEATH = """
    ........................................
    ........................................
    ..................#.....................
    ...........E*....EE*....................
    ..........EEE~..EEEE....................
    ....#...~EEEEEEEEEEEE...................
    ...#E...EEEEEEEEEEEEEE..................
    ...EE..EEEEEEEEEEEEEEEE.................
    .#EEE#EEEEEEEEEEEEEEEEEE................
    .EEEEEEEEEEEEEEEEEEEEEEEE...............
    WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW
    worm 1 at 5 8
    worm 2 at 4 13 named Thunder Thea
    worm 3 at 3 12 hp 40 named Drizzle
    worm 4 at 3 19
    acts 2
    plan 39 0
    """

CHEST = """
    ........................................
    ........................................
    ..................#.....................
    ...........E....#EE.....................
    ..........E..~..EE*.....................
    ....#...~EEE.EEEEEEEE...................
    ...#E...EEEEEEEEEEEEEE..................
    ...EE.#EEEEEEEEEEEEEEEE.................
    .#EEE#EEEEEEEEEEEEEEEEEE................
    .EEEEEEEEEEEEEEEEEEEEEEEE...............
    WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW
    option team 3
    chest 2 18 teleport
    worm 1 at 5 8 named Pretzel
    worm 2 at 4 13
    worm 6 at 4 18 named Gumdrop
    acts 6
    before 2 6
    plan 20 0
"""


@rule("R-bazooka", "R-hit-lines", "R-choose", "R-prompt")
def test_a_bazooka_hits_a_worm_on_a_hill_and_it_falls() -> None:
    """Centre, up, down; to the right and left of the centre is air, which is silent. Then the fall."""
    printed = typed_at(BAZOOKA, "choose bazooka", "action l")

    assert printed.startswith(
        "> Chose weapon bazooka Ammunition: 1\n"
        "> Shot hit Earth at position (3, 11)\n"
        "Shot hit Worm at position (2, 11)\n"
        "Fizz (5) took 40hp damage\n"
        "Shot hit Earth at position (4, 11)\n"
        "Fizz (5) took 10hp fall damage\n"
        "Current Map:\n"
    )


@rule("R-bazooka", "R-death-lines", "W3")
def test_a_bazooka_kills_one_worm_and_hurts_the_shooter() -> None:
    """The dead worm is told of at once and does not fall; the shooter beside the centre is hit too."""
    printed = typed_at(BAZOOKA_WITH_A_DEATH, "choose bazooka", "action l")

    assert printed.startswith(
        "> Chose weapon bazooka Ammunition: 1\n"
        "> Shot hit Earth at position (4, 12)\n"
        "Shot hit Worm at position (3, 12)\n"
        "Drizzle (3) died.\n"
        "Shot hit Worm at position (4, 13)\n"
        "Thunder Thea (2) took 40hp damage\n"
        "Shot hit Earth at position (5, 12)\n"
        "Shot hit Earth at position (4, 11)\n"
        "Current Map:\n"
    )


@rule("R-chest-fall", "R-pick-up", "R-map", "R-turns", "R-signs", "O2")
def test_a_worm_shoots_the_earth_from_under_a_chest_above_it() -> None:
    """The chest falls onto the worm, who has it at once; another comes at the turn's end; the next worm is ready."""
    printed = typed_at(CHEST, "action u")

    ruler = "  " + "0123456789" * 4
    rows = [
        " 0                                         0",
        " 1                                         1",
        " 2                                         2",
        " 3           E    #E                       3",
        " 4          E  ~  EE* #                    4",
        " 5    #   ~EEE EEEEEEEE                    5",
        " 6   #E   EEEEEEEEEEEEEE                   6",
        " 7   EE #EEEEEEEEEEEEEEEE                  7",
        " 8 #EEE#EEEEEEEEEEEEEEEEEE                 8",
        " 9 EEEEEEEEEEEEEEEEEEEEEEEE                9",
        "10" + "W" * 40 + "10",
    ]
    assert printed.split("\n") == [
        "> Shot hit Earth at position (3, 18)",
        "Gumdrop (6) picked up 1 of teleport",
        "Current Map:",
        ruler,
        *rows,
        ruler,
        "Player 1 Worm Pretzel (1) at (5, 8) ready",
        "> ",
    ]


@rule("R-fall-damage", "R-move", "O2", "O3")
def test_a_step_to_the_right_and_a_fall_of_three_fields() -> None:
    """The damage, the map after the move, and since it hurt the end of the turn with its own map."""
    drawing = ".....\n~...*\nE...E\nE...E\nE...E\nEEEEE\nplan 3 0"
    printed = typed_at(drawing, "move r 1")

    assert (
        printed
        == picture(
            """
        > Captain Crumble (1) took 20hp fall damage
        Current Map:
          01234
         0      0
         1    * 1
         2E   E 2
         3E   E 3
         4E~  E 4
         5EEEEE 5
          01234
        Current Map:
          01234
         0      0
         1    * 1
         2E   E 2
         3E   E 3
         4E~ #E 4
         5EEEEE 5
          01234
        Player 2 Worm Soggy Biscuit (2) at (1, 4) ready
        """
        )
        + "\n> "
    )


@rule("S2")
def test_the_melee_example_ends_with_the_victory_of_who_has_worms_left(gear_name: GearName) -> None:
    """As drawn: player 2's worm 4 dies of the swing, and since player 1 still has worms, nobody has won yet."""
    table = worms(
        gear_name,
        """
        ......
        .....~
        ..*~*E
        EEEEEE
        worm 1 at 2 3
        worm 2 at 1 5
        worm 3 at 2 2 hp 50
        worm 4 at 2 4
        acts 1
        plan 0 0
        """,
    )
    table.play("choose melee")
    table.play("action")

    assert not any(line.startswith("END") for line in table.told)
    assert table.acting() == 4


@rule("S2", "Z2")
def test_no_chest_holds_an_airstrike(gear_name: GearName) -> None:
    """The largest content that can be drawn is the melee, so nobody ever has three airstrikes."""
    table = worms(gear_name, ".....\n~...*\nEEEEE\nplan 0 3")
    table.play("action idle")

    assert table.told[1].endswith("picked up 1 of melee")
    assert table.ammunition(1, "airstrike") == 1
