"""The laboratory's records: every kind of field there is."""

from __future__ import annotations

from turntile.core.dice import Dice
from turntile.core.events import Log
from turntile.forge import i16, i32, many, record, table, u8, u32

SHELF = 5
SQUARES = table(0, 1, 4, 9)


@record
class Jar:
    small: u8
    half: i16
    whole: i32
    wide: u32
    open: bool


@record
class Laboratory:
    width: i32
    height: i32
    experiment: i32
    a_high: i32
    a_low: u32
    b_high: i32
    b_low: u32
    result_high: i32
    result_low: u32
    steps: i32
    jar: Jar
    dice: Dice
    jars: list[Jar] = many(SHELF)
    bytes: bytearray = many(SHELF)
    halves: list[i16] = many(SHELF)
    flags: list[bool] = many(SHELF)
    log: Log
