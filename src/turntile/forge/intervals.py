"""Which values a number can have: what lets the translator leave out a check that cannot fail."""

from __future__ import annotations

from dataclasses import dataclass

LOWEST = -(2**63)
HIGHEST = 2**63 - 1


@dataclass(frozen=True)
class Interval:
    """All whole numbers from low to high."""

    low: int
    high: int

    def join(self, other: Interval) -> Interval:
        return Interval(min(self.low, other.low), max(self.high, other.high))

    def within(self, low: int, high: int) -> bool:
        return low <= self.low and self.high <= high

    def fits(self) -> bool:
        """No value is beyond 64 bits."""
        return self.within(LOWEST, HIGHEST)

    def clipped(self) -> Interval:
        """What is left once values beyond 64 bits have stopped the match."""
        low = min(max(self.low, LOWEST), HIGHEST)
        return Interval(low, max(min(self.high, HIGHEST), low))


ANY = Interval(LOWEST, HIGHEST)
TRUTH = Interval(0, 1)


def add(a: Interval, b: Interval) -> Interval:
    return Interval(a.low + b.low, a.high + b.high)


def subtract(a: Interval, b: Interval) -> Interval:
    return Interval(a.low - b.high, a.high - b.low)


def multiply(a: Interval, b: Interval) -> Interval:
    corners = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high]
    return Interval(min(corners), max(corners))


def floor_divide(a: Interval, b: Interval) -> Interval:
    """For a divisor that is not zero (zero stops the match)."""
    if b.low >= 1:
        corners = [a.low // b.low, a.low // max(b.high, 1), a.high // b.low, a.high // max(b.high, 1)]
        return Interval(min(corners), max(corners))
    largest = max(abs(a.low), abs(a.high))
    return Interval(-largest, largest)


def modulo(a: Interval, b: Interval) -> Interval:
    if b.low >= 1:
        high = b.high - 1
        if a.low >= 0:
            high = min(high, a.high)
        return Interval(0, high)
    return Interval(min(b.low + 1, 0), max(b.high - 1, 0))


def shift_left(a: Interval, b: Interval) -> Interval:
    if b.low < 0 or b.high > 63:
        return Interval(LOWEST * 2, HIGHEST * 2)
    corners = [a.low << b.low, a.low << b.high, a.high << b.low, a.high << b.high]
    return Interval(min(corners), max(corners))


def shift_right(a: Interval, b: Interval) -> Interval:
    low, high = max(b.low, 0), min(max(b.high, 0), 63)
    low = min(low, high)
    corners = [a.low >> low, a.low >> high, a.high >> low, a.high >> high]
    return Interval(min(corners), max(corners))


def bit_and(a: Interval, b: Interval) -> Interval:
    if a.low >= 0 and b.low >= 0:
        return Interval(0, min(a.high, b.high))
    if a.low >= 0:
        return Interval(0, a.high)
    if b.low >= 0:
        return Interval(0, b.high)
    return signed_bits(a, b)


def bit_or(a: Interval, b: Interval) -> Interval:
    return signed_bits(a, b)


bit_xor = bit_or


def signed_bits(a: Interval, b: Interval) -> Interval:
    """No bit beyond the longer of both; no sign unless one has it."""
    bits = max(abs(n).bit_length() for n in (a.low, a.high, b.low, b.high))
    low = 0 if a.low >= 0 and b.low >= 0 else -(1 << bits)
    return Interval(max(low, LOWEST), min((1 << bits) - 1, HIGHEST))
