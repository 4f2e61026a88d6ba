"""Arithmetic of the pages, and how numbers are written.

A number that is not known is None, and so is what is computed from it; it is written as a dash.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

Number = int | float

DASH = "–"


def total(values: Iterable[Number]) -> Number | None:
    """The sum, added from the left with one rounding each; None of nothing."""
    result: Number | None = None
    for value in values:
        result = value if result is None else result + value
    return result


def over(value: Number | None, by: Number | None) -> float | None:
    """VALUE / BY; None if one of them is unknown, or BY is 0."""
    return value / by if value is not None and by is not None and by != 0 else None


def percent_of(value: Number | None, whole: Number | None) -> float | None:
    """VALUE in percent of WHOLE."""
    part = over(value, whole)
    return None if part is None else part * 100


def mean(values: list[Number]) -> float | None:
    """The arithmetic mean."""
    return over(total(values), len(values))


def median(values: Iterable[Number]) -> float | None:
    """The middle value, or the mean of the two in the middle."""
    ordered = sorted(values)
    middle = len(ordered) // 2
    if not ordered:
        return None
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def rounded(value: Number) -> int:
    """The nearest whole number; halves go away from zero."""
    whole = math.floor(abs(value))
    whole += abs(value) - whole >= 0.5
    return whole if value >= 0 else -whole


def fixed(value: Number | None, digits: int) -> str:
    """VALUE with DIGITS places after the point."""
    if value is None or isinstance(value, str):
        return DASH
    scale = 10**digits
    units = rounded(abs(value) * scale)
    sign = "−" if value < 0 and units > 0 else ""
    return f"{sign}{units // scale}" + (f".{units % scale:0{digits}d}" if digits else "")


def short(value: Number | None) -> str:
    """VALUE with three significant digits, or as a whole number."""
    if value is None or isinstance(value, str):
        return DASH
    return fixed(value, 0 if abs(value) >= 99.95 or value == 0 else 1 if abs(value) >= 9.995 else 2)


def unit_of(value: Number) -> tuple[float, str]:
    """The unit of a count: thousands or millions where that reads better; and how it is written, "" for ones."""
    return (1e6, "10⁶") if value >= 1e7 else (1e3, "10³") if value >= 1e5 else (1, "")


def count(value: Number | None) -> str:
    """A count, in its unit."""
    if value is None or isinstance(value, str):
        return DASH
    scale, unit = unit_of(value)
    if unit:
        return f"{fixed(value / scale, 0)} × {unit}"
    return fixed(value, 0 if value >= 10 or value == math.floor(value) else 1)


def percent(value: Number | None) -> str:
    """VALUE, in percent, with its sign."""
    return DASH if value is None or isinstance(value, str) else fixed(value, 1) + " %"


def plain(value: object) -> str:
    """A number as it is, without a point if it is whole; text as it is; a dash for None."""
    if value is None:
        return DASH
    if isinstance(value, str):
        return value
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
