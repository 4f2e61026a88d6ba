"""Wide tables, broken into parts that stand beside each other where there is room and under each other where there is not:
each part begins with the columns that name the rows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from pages.numbers import plain

# In pixels: how wide a part may be, so that one fits into a window of 700 and two into one of 1300; a digit and another
# character; the space around a cell; the widths at which the text of cells and of titles is broken (style() of parts.html
# has them, too); how finely parts are made even.
PART, DIGIT, CHARACTER, AROUND, BREAK, BREAK_TITLE = 615, 8.3, 6.8, 13, 200, 90
STEP = 10


@dataclass
class Part:
    """Columns of a table: pairs of a group's title and the number of its columns, if there are groups; head and rows."""

    groups: list[tuple[Any, int]]
    head: list[Any]
    rows: list[list[Any]]


def text_of(value: Any) -> str:
    """What a cell or title shows."""
    shown = value["text"] if isinstance(value, dict) else plain(value)
    return re.sub("<[^>]*>", "", str(shown))


def _length(text: str) -> float:
    return sum(DIGIT if character.isdigit() or character == "%" else CHARACTER for character in text)


def _width(title: Any, cells: list[Any]) -> float:
    words = max(map(_length, text_of(title).split()), default=0)
    named = max(words, min(_length(text_of(title)), BREAK_TITLE)) * 1.1  # bold
    longest = max((_length(text_of(one)) for one in cells), default=0)
    return max(named, min(longest, BREAK)) + AROUND


def _spans(groups: list[tuple[Any, int]], columns: int) -> list[Any]:
    """The group of each column."""
    titles = [(number, title) for number, (title, count) in enumerate(groups) for _ in range(count)]
    return titles + [(len(groups), "")] * (columns - len(titles))


def _groups_of(spans: list[Any], columns: list[int]) -> list[tuple[Any, int]]:
    found: list[list[Any]] = []
    for column in columns:
        if found and found[-1][0] == spans[column]:
            found[-1][1] += 1
        else:
            found.append([spans[column], 1])
    return [(title, count) for (_, title), count in found]


def _broken(widths: list[float], spans: list[Any], keys: int, limit: int) -> list[list[int]]:
    """The columns of each part that is at most LIMIT wide, without the KEYS that name the rows."""
    named = sum(widths[:keys])
    found: list[list[int]] = []
    for column in range(keys, len(widths)):
        whole = sum(widths[other] for other in range(column, len(widths)) if spans[other] == spans[column])
        begins = column == keys or spans[column] != spans[column - 1]
        used = named + sum(widths[other] for other in found[-1]) if found else 0
        wanted = whole if begins and named + whole <= limit else widths[column]
        if not found or used + wanted > limit:
            found.append([])
        found[-1].append(column)
    return found


def parts(head: list[Any], rows: list[list[Any]], groups: list[tuple[Any, int]] | None = None) -> list[Part]:
    """The parts of a table. The first column names the rows, and so do those up to one of the first three
    that has no title. A group stays together if it fits."""
    columns = max([len(head), *map(len, rows)])
    titled = len(head)
    head = [*head, *[""] * (columns - len(head))]
    keys = max([1, *(column + 1 for column in range(min(3, titled - 1)) if head[column] == "")])
    spans = _spans(groups or [], columns) if groups else [(column, "") for column in range(columns)]
    widths = [_width(head[column], [row[column] for row in rows if column < len(row)]) for column in range(columns)]
    found = _broken(widths, spans, keys, PART)
    # As even as that many parts can be.
    for limit in range(PART - STEP, 0, -STEP):
        narrower = _broken(widths, spans, keys, limit)
        if len(narrower) > len(found):
            break
        found = narrower
    made = []
    for chosen in found or [[]]:
        shown = [*range(keys), *chosen]
        cells = [[row[column] if column < len(row) else "" for column in shown] for row in rows]
        made.append(Part(_groups_of(spans, shown) if groups else [], [head[column] for column in shown], cells))
    return made
