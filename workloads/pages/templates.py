"""Templates of the pages: Jinja2 with the page's ways of writing numbers."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import jinja2

from pages import columns, numbers

HERE = Path(__file__).parent


def each(values: Mapping[str, Any], digits: int) -> str:
    """NAME VALUE, NAME VALUE, ... with DIGITS places after the point."""
    return ", ".join(f"{name} {numbers.fixed(value, digits)}" for name, value in values.items())


def arrows(values: Iterable[Any], digits: int) -> str:
    """VALUE → VALUE → ... with DIGITS places after the point."""
    return " → ".join(numbers.fixed(value, digits) for value in values)


def faster(value: Any) -> str:
    """A speed-up."""
    return numbers.DASH if value is None else numbers.fixed(value, 1) + " ×"


def times(value: Any) -> str:
    """A factor."""
    return numbers.fixed(value, 2) + " times"


def listed(values: Mapping[str, Any], *units: str) -> str:
    """NAME: VALUE; NAME: VALUE, VALUE; ... UNITS say how the values of a name are written: "times", or "%" and the
    number of places after the point."""

    def write(value: Any, unit: str) -> str:
        return times(value) if unit == "times" else f"{numbers.fixed(value, int(unit[1:]))} %"

    def one(value: Any) -> str:
        return ", ".join(write(*pair) for pair in zip(value if isinstance(value, list) else [value], units))

    return "; ".join(f"{name}: {one(value)}" for name, value in values.items())


def falls(pairs: Mapping[str, list[Any]]) -> bool:
    """Whether of each name the first value is above the second."""
    return all(values[0] > values[1] for values in pairs.values())


def last_above_first(values: Mapping[str, list[Any]]) -> bool:
    """Whether of each name the last value is above the first."""
    return all(value[-1] > value[0] for value in values.values())


def halves(pairs: Mapping[str, list[Any]]) -> bool:
    """Whether of each name the second value is below half of the first."""
    return all(values[1] * 2 < values[0] for values in pairs.values())


def rises(values: Iterable[Any]) -> bool:
    """Whether each value is below the next."""
    listed = list(values)
    return all(first < second for first, second in zip(listed, listed[1:]))


def within(value: Any, factor: float, other: Any) -> bool:
    """Whether VALUE and OTHER, both positive, differ by FACTOR at most."""
    return 0 < value <= other * factor and other <= value * factor


@functools.cache
def environment() -> jinja2.Environment:
    """The templates of this folder (`parts.html`) and of the pages' folders (`monster/page.html`)."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader([HERE.parent]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    functions = [numbers.fixed, numbers.short, numbers.count, numbers.percent, numbers.plain]
    functions += [arrows, each, falls, faster, halves, last_above_first, listed, rises, times, within]
    for function in functions:
        made.filters[function.__name__] = function
    made.globals["parts_of"] = columns.parts
    return made


def render(name: str, **words: Any) -> str:
    """The page made from the template NAME, such as "monster/page.html"."""
    return environment().get_template(name).render(**words)
