"""The page of byte copying: tables 3 to 6 and figures 3 to 7 of Inouye, Walpole and Zhang 1995."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

from simoslab.host_files import save_text

from pages import charts, claims, policies
from pages.copies import (
    COLUMNS,
    HERE,
    MACHINES,
    QUAD,
    Copies,
    other_of,
    own_measures,
    printed_measures,
    reads_of,
    reason_of,
    summary_of,
)
from pages.numbers import DASH, Number, fixed, percent
from pages.policies import Policies
from pages.tables import Row, cell
from pages.templates import render


def name_of(machine: str) -> str:
    """The machine as the paper calls it."""
    return "HP 9000/" + machine.removeprefix("hp-")


def signed(value: Number | None) -> str:
    """An error in percent, with its sign."""
    return DASH if value is None else ("+" if value >= 0.05 else "") + fixed(value, 1) + " %"


def digits_of(one: Row) -> int:
    """How many places of a cell the paper prints."""
    return 1 if one["table"] == 6 and one["paper"] < 99.95 else 0


def where(one: Row) -> str:
    """Which cell that is."""
    place = f"{one['column']}, offset {one['offset']} (table {one['table']})" if one["table"] < 5 else one["column"]
    return f"{name_of(one['machine'])}, {one['routine']}, {place}"


def three_rows(name: str, cells: list[Row]) -> list[list[Any]]:
    """A routine or machine: what simos has, what the paper has, and how far apart they are."""
    return [
        [name, "simos", *(cell(fixed(one["here"], digits_of(one)), one["kind"]) for one in cells)],
        ["", cell("paper", "paper"), *(cell(fixed(one["paper"], digits_of(one)), "paper") for one in cells)],
        ["", cell("error", "error"), *(cell(signed(one["error"]), f"error {one['kind']}") for one in cells)],
    ]


def alignment_rows(copies: Copies, table: int) -> list[list[Any]]:
    """The rows of tables 3 and 4."""
    return [row for machine in MACHINES for row in three_rows(name_of(machine), copies.of(table, machine))]


def temperature_tables(copies: Copies, table: int) -> list[Row]:
    """Tables 5 and 6, one a machine."""
    found = []
    for machine in MACHINES:
        rows = []
        for routine, cells in itertools.groupby(copies.of(table, machine), key=lambda one: one["routine"]):
            rows += three_rows(routine, list(cells))
        found.append(
            {
                "name": name_of(machine),
                "head": ["", "", *(column.replace("-", " to ") for column in COLUMNS)],
                "rows": rows,
            }
        )
    return found


def figures_of(copies: Copies) -> list[Row]:
    """Figures 3 to 7: rows of the paper's figure and ours."""

    def row(name: str, one: Row) -> Row:
        return {"name": name, "paper": one["paper"], "here": one["here"]}

    ends = ("hot-hot", "clean-clean")
    rows = {
        3: [
            row(f"{c['machine'].removeprefix('hp-')}, offset {c['offset']}", c) for c in copies.cells if c["table"] == 3
        ],
        4: [
            row(f"{routine}, {column}", copies.cell("hp-720", routine, column))
            for column in ends
            for routine in [*copies.routines("hp-720"), QUAD]
        ],
        5: [
            row(f"{routine}, {column}", copies.cell("hp-755", routine, column))
            for column in ends
            for routine in copies.routines("hp-755")
        ],
        6: [
            row(f"{machine.removeprefix('hp-')}, {column}", copies.cell(machine, copies.doubles(machine), column))
            for machine in MACHINES
            for column in ends
        ],
        7: [
            row(f"{machine.removeprefix('hp-')}, {routine}", copies.cell(machine, routine, "hot-clean"))
            for machine in MACHINES
            for routine in ("8Wld-8Wst", "8Wld-8WstH")
        ],
    }
    titles = {
        3: "Aligned and unaligned copies, hot to hot (cycles)",
        4: "HP 720: copies of 4 KB (cycles)",
        5: "HP 755: copies of 4 KB (cycles)",
        6: "Cache temperature: 4Dld-4Dst (cycles)",
        7: "Cache hints: stores that miss, hot to clean (cycles)",
    }
    return [{"number": number, "title": titles[number], "rows": rows[number]} for number in rows]


# The paper's figures are grey, as in the tables. The bars are whose copy it is, no measure with a colour of its own.
COLOURS = {"paper": "#bbbbbb", "simos": "#4477aa"}


def picture_of(figure: Row) -> Row:
    """A figure's picture: two bars a row, the paper's and ours."""
    rows = [
        (row["name"], kind, [row[key] if key == own else None for own in ("paper", "here")])
        for row in figure["rows"]
        for kind, key in (("paper", "paper"), ("simos", "here"))
    ]
    return {"number": figure["number"], "picture": charts.bars(figure["title"], "cycles of a copy of 4 KB", COLOURS, rows)}


def places_of(read: Row) -> Row:
    """The picture of a read: the cycles at each place of the buffer."""
    title = "A read() of a page by the place of its buffer in the cache"
    return {"name": name_of(read["machine"]), "picture": charts.curve(title, "page of the cache", "cycles", "read()", read["cycles"])}


def close_rows(summaries: list[Row]) -> list[list[Any]]:
    """How close the machines are, a row each."""
    rows = []
    for one in summaries:
        fitted, sets, predicted = one["fitted"], one["sets"], one["predicted"]
        rows.append(
            [
                name_of(one["machine"]),
                fitted["count"],
                signed(fitted["largest"]["error"]),
                sets["count"],
                signed(sets["largest"]["error"]),
            ]
        )
        rows[-1] += [predicted["count"], f"{fixed(predicted['median'], 1)} %", signed(predicted["largest"]["error"])]
        rows[-1] += [where(predicted["largest"]), predicted["above"], one["again"]]
    return rows


def read_rows(reads: list[Row]) -> list[list[Any]]:
    """read() on the running kernel, a row for each machine and assist cache."""

    def cells(read: Row) -> list[str]:
        return [
            fixed(read["cycles"], 0),
            ", ".join(f"{name} {fixed(misses, 0)}" for name, misses in read["misses"].items()),
        ]

    rows = []
    for read in reads:
        assist = f"{read['assist']} lines" if read["assist"] else "none"
        times = fixed(read["same"]["cycles"] / read["apart"]["cycles"], 2)
        rows.append(
            [
                name_of(read["machine"]),
                assist,
                *cells(read["apart"]),
                *cells(read["same"]),
                times,
                fixed(read["saved"], 0),
            ]
        )
    return rows


def make(out: Path) -> None:
    """Write OUT/byte-copying.json and index.html from OUT/MACHINE-HINTS.out, MACHINE-ASSIST.read and clocks."""
    copies, reads = Copies(out), reads_of(out)
    far = [c for c in copies.cells if c["table"] != 6 and c["kind"] not in ("other", "again") and abs(c["error"]) > 20]
    above = [{**one, "reason": reason_of(copies, one)} for one in far]
    other = []
    for machine in MACHINES:
        errors = [one["error"] for one in copies.errors(machine, "other")]
        other.append({"machine": machine, "reason": other_of(copies, machine), "errors": [min(errors), max(errors)]})
    summaries = [summary_of(copies, machine) for machine in MACHINES]
    own = Policies(out)
    here = own_measures(copies, reads) | policies.measures_of(own)
    back = policies.put_back(own, copies, reads, here)
    judged = claims.judge(HERE / "claims.toml", here, printed_measures(), back=back)
    parts = [policies.parts_of_read(copies, read) for read in reads if read["assist"] == 0]
    experiments = policies.tables_of(own, copies, name_of)
    placement = [
        {
            "machine": machine,
            "routine": routine,
            "apart": copies.in_loop(machine, routine, "apart-loop"),
            "same": copies.in_loop(machine, routine, "same-loop"),
            "factor": copies.conflict(machine, routine),
        }
        for machine in MACHINES
        for routine in copies.routines(machine)
    ]
    hints = [
        {
            "machine": machine,
            "column": column,
            "ignored": copies.measured(machine, "8Wld-8WstH", column, hints="ignore"),
            "obeyed": copies.measured(machine, "8Wld-8WstH", column, hints="allocate"),
            "gain": copies.gain(machine, column),
        }
        for machine in MACHINES
        for column in COLUMNS
    ]
    claims.write(out, "byte-copying", judged)
    figures = figures_of(copies)
    everything = {
        "cells": copies.cells,
        "above": above,
        "other": other,
        "summary": summaries,
        "conclusions": claims.as_rows(judged),
        "read": reads,
        "placement": placement,
        "hints": hints,
        "figures": figures,
        "parts_of_read": parts,
        "experiments": experiments,
    }
    save_text(out / "byte-copying.json", json.dumps(everything, indent=2, ensure_ascii=False) + "\n")
    above.sort(key=lambda one: one["reason"])
    reasons = [(reason, list(cells)) for reason, cells in itertools.groupby(above, key=lambda one: one["reason"])]
    page = render(
        "byte-copying/page.html",
        close=close_rows(summaries),
        above=[
            (reason, "; ".join(f"{where(one)} {signed(one['error'])}" for one in cells)) for reason, cells in reasons
        ],
        other=[(name_of(one["machine"]), *map(signed, one["errors"]), one["reason"]) for one in other],
        claims=judged,
        verdicts=claims.by_verdict(judged),
        alignments={table: alignment_rows(copies, table) for table in (3, 4)},
        temperatures={table: temperature_tables(copies, table) for table in (5, 6)},
        figures=[picture_of(figure) for figure in figures],
        hints=[[name_of(h["machine"]), h["column"], h["ignored"], h["obeyed"], percent(h["gain"])] for h in hints],
        placement=[
            [name_of(p["machine"]), p["routine"], p["apart"], p["same"], fixed(p["factor"], 2)] for p in placement
        ],
        reads=read_rows(reads),
        parts=[
            [name_of(one["machine"]), fixed(one["read"], 1), fixed(one["rest"], 0)]
            + [fixed(one[part], 1) for part in ("words", "doubles", "read_of_doubles")]
            for one in parts
        ],
        experiments=experiments,
        places=[places_of(read) for read in reads if read["assist"] == 0],
    )
    save_text(out / "index.html", page)
