"""The table of the parameters, as `simos params` prints it, and their names in Python."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from pathlib import Path

import pandas as pd

from simoslab.errors import ParameterError, SimosError
from simoslab.program import Program

COLUMNS = ["name", "value", "default", "range", "unit", "traits", "meaning"]

# What a caller may give as the value of a parameter.
Value = str | int | float | bool


def parse_table(text: str) -> pd.DataFrame:
    """The frame of what `simos params` has printed: a row for each parameter, all columns texts."""
    lines = text.splitlines()
    if not lines or not lines[0].startswith("NAME"):
        raise SimosError("simos params: its first line is not the heading of a table")
    starts = [lines[0].index(name.upper()) for name in COLUMNS]
    rows: list[list[str]] = []
    for line in lines[1:]:
        long = line.strip()
        if line.startswith("    "):  # a value too long for its column: on lines of its own
            column = COLUMNS.index("value" if long.startswith("value:") else "default")
            rows[-1][column] = long.partition(":")[2].strip()
            continue
        ends = [*starts[1:], len(line)]
        cells = [line[start:end].strip() for start, end in zip(starts, ends)]
        rows.append(["" if cell == "-" else cell for cell in cells])
    return pd.DataFrame(rows, columns=COLUMNS)


def text_of(value: Value) -> str:
    """`value` as the text that simos takes: True is on, a whole float has no fraction."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


@functools.lru_cache(maxsize=8)
def _names(path: Path, _changed: int) -> tuple[str, ...]:
    return tuple(parse_table(Program(path).run(["params"]).stdout.decode())["name"])


def parameter_names(program: Program) -> tuple[str, ...]:
    """The full names of all parameters of `program`, in its order."""
    return _names(program.path, program.path.stat().st_mtime_ns)


def full_name(word: str, names: Iterable[str]) -> str:
    """The parameter that `word` means, of those called `names`.

    `word` is a full name ("cache.l2.size"), the same with underscores ("cache_l2_size"), or what is behind one of its
    dots if no other parameter ends in that ("l2_size", "clock"). A word that means no parameter, or several, raises
    ParameterError.
    """
    names = list(names)
    if word in names:
        return word
    flat = word.replace(".", "_")
    whole = [name for name in names if name.replace(".", "_") == flat]
    if len(whole) == 1:
        return whole[0]
    ends = []
    for name in names:
        parts = name.split(".")
        if any("_".join(parts[first:]).replace(".", "_") == flat for first in range(1, len(parts))):
            ends.append(name)
    if len(ends) == 1:
        return ends[0]
    if ends:
        raise ParameterError(f'parameter "{word}" means several: {", ".join(ends)}')
    near = [name for name in names if flat.split("_")[-1] in name.split(".")[-1]][:6]
    hint = f"; near: {', '.join(near)}" if near else ""
    raise ParameterError(f'no parameter "{word}"{hint}')


def full_names(settings: Mapping[str, Value], names: Iterable[str]) -> dict[str, str]:
    """`settings` with full names, and values as texts."""
    names = list(names)
    return {full_name(word, names): text_of(value) for word, value in settings.items()}
