"""Communication between processors (section 5.3 of SOSP'95): the coherence misses of the kernel by the data that they
are of and by line, as coherence.tcl counts them."""

from __future__ import annotations

from typing import Any

from pages.numbers import Number, count, percent, percent_of, total
from pages.paper_runs import WORKLOADS, Known, title
from pages.paper_tables import table
from pages.tables import Row

# Slabs and stacks that belong to one process or thread (paper: process table, user areas, kernel stacks).
PROCESS_STRUCTURES = [
    *("slab task_struct", "slab mm_struct", "slab signal_cache", "slab sighand_cache", "slab files_cache", "slab pid"),
    *("slab cred_jar", "kernel stack"),
]


def _counted(known: Known, workload: str, what: str) -> dict[str, Number]:
    run = known.run_of(workload, "mp8")
    return run.collected(what) if run else {}


def by_data(known: Known, workload: str) -> list[Row]:
    """The coherence misses and upgrades of the run of eight CPUs, by mode, class and data."""
    found = []
    for name, times in _counted(known, workload, "coherence by data").items():
        mode, kind, data = name.split(", ")[:3]
        found.append({"mode": mode, "class": kind, "data": data, "count": times})
    return found


def kernel_coherence(known: Known, workload: str) -> list[Row]:
    """The kernel's coherence misses."""
    return [row for row in by_data(known, workload) if row["mode"] == "kernel" and row["class"] != "upgrade"]


def by_line(known: Known, workload: str) -> list[Row]:
    """The lines with the most coherence misses of the kernel, those first."""
    lines = _counted(known, workload, "coherence by line").items()
    found = [{"name": name, "count": times} for name, times in lines if name != "all others"]
    return sorted(found, key=lambda line: -line["count"])


def sum_of(rows: list[Row]) -> Number:
    """All counts together."""
    return total(row["count"] for row in rows) or 0


def part_of_data(rows: list[Row], names: list[str]) -> float | None:
    """The part that the data NAMES have, in percent."""
    return percent_of(sum_of([row for row in rows if row["data"] in names]), sum_of(rows))


def of_class(rows: list[Row], kind: str) -> Number:
    """The counts of a class together."""
    return sum_of([row for row in rows if row["class"] == kind])


def data_table(known: Known, workload: str) -> Row:
    """The data with the most coherence misses of the kernel."""
    misses = kernel_coherence(known, workload)
    every = [row for row in by_data(known, workload) if row["mode"] == "kernel"]
    upgrades = [row for row in every if row["class"] == "upgrade"]
    ordered = misses + upgrades
    groups: list[Row] = []
    for data in sorted({row["data"] for row in ordered}):
        of = [row for row in ordered if row["data"] == data]
        groups.append({"data": data, "misses": sum_of([row for row in of if row["class"] != "upgrade"]), "of": of})
    groups.sort(key=lambda group: -group["misses"])
    first, others = groups[:14], groups[14:]
    shown = [
        *first,
        {
            "data": "all others",
            "misses": total(group["misses"] for group in others) or 0,
            "of": [row for group in others for row in group["of"]],
        },
        {"data": "together", "misses": sum_of(misses), "of": ordered},
    ]
    rows: list[list[Any]] = []
    for group in shown:
        upgraded = of_class(group["of"], "upgrade")
        share = percent(percent_of(group["misses"], sum_of(misses)))
        kinds = [count(of_class(group["of"], kind)) for kind in ("true_sharing", "false_sharing")]
        part = percent(percent_of(upgraded, sum_of(upgrades)))
        rows.append([group["data"], count(group["misses"]), share, *kinds, count(upgraded), part])
    return table(["data", "coherence misses of the kernel", "", "true sharing", "false sharing", "upgrades", ""], rows)


def line_table(known: Known, workload: str) -> Row:
    """The lines with the most coherence misses of the kernel."""
    every, lines = sum_of(kernel_coherence(known, workload)), by_line(known, workload)
    shown = [*lines[:12], {"name": "the other lines", "count": every - sum_of(lines[:12])}]
    rows = [[line["name"], count(line["count"]), percent(percent_of(line["count"], every))] for line in shown]
    return table(["line, data, routine that misses it most", "coherence misses of the kernel", ""], rows)


def communication(known: Known) -> list[Row]:
    """Which data the processors share: two tables of each workload that has them."""
    shared = [workload for workload in WORKLOADS if kernel_coherence(known, workload)]
    return [{"title": title(w), "data": data_table(known, w), "lines": line_table(known, w)} for w in shared]
