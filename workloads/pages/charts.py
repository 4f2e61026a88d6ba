"""Charts of the pages. simos draws them (docs/how-to/report.md, "Charts of your own"), as it draws those of its reports."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import simoslab


def drawn(chart: Mapping[str, Any]) -> str:
    """The picture of a chart, an element of a page: without what a file begins with."""
    done = simoslab.Program().run(["chart", "/dev/stdin"], input=json.dumps({"format": "simos chart 1", **chart}).encode())
    return done.stdout.decode("utf-8").partition("?>")[2]


def bars(title: str, axis: str, parts: Mapping[str, str], rows: Sequence[tuple[str, str, Sequence[float | None]]]) -> str:
    """A chart of stacked bars: the colours of the PARTS by name; ROWS are group, name and a value for each part."""
    return drawn(
        {
            "title": title,
            "axis": axis,
            "parts": [{"label": name, "colour": colour} for name, colour in parts.items()],
            "bars": [{"group": group, "label": label, "values": list(values)} for group, label, values in rows],
        }
    )


def curve(title: str, x_axis: str, y_axis: str, label: str, values: Sequence[float]) -> str:
    """A chart of one curve over the numbers from 0 on."""
    lines = [{"label": label, "values": list(values)}]
    return drawn({"title": title, "x_axis": x_axis, "y_axis": y_axis, "points": [str(i) for i in range(len(values))], "lines": lines})
