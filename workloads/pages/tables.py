"""Tables of a page: files of tab-separated values, and cells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from simoslab.host_files import read_text

from pages.numbers import plain, short

Row = dict[str, Any]


def value_of(text: str) -> Any:
    """A number if TEXT is one, None if it is "-", or TEXT."""
    if text == "-":
        return None
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


def read_tsv(path: Path) -> list[Row]:
    """The lines of a file of tab-separated values, whose first line has the names."""
    lines = [line.split("\t") for line in read_text(path).splitlines() if line]
    return [dict(zip(lines[0], map(value_of, line))) for line in lines[1:]]


def read_settings(out: Path) -> dict[str, str]:
    """What the runs in the folder OUT were made with, such as LIMIT and WINDOW, as their script has written it: a name and a value a
    line, "" where there is none."""
    return {name: value for name, _, value in (line.partition(" ") for line in read_text(out / "settings").splitlines())}


def cell(text: object, style: str) -> dict[str, str]:
    """A cell of a table with a class of CSS. Other cells are plain values."""
    return {"text": plain(text), "style": style}


def grey(value: object) -> dict[str, str]:
    """A cell with a number of the paper as the paper has it."""
    return cell(value, "paper")


def paper(value: object) -> dict[str, str]:
    """A cell with a number of the paper, with three significant digits."""
    return grey(short(value) if isinstance(value, int | float) else value)
