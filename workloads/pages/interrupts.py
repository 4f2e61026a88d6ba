"""The page of I/O interrupts: tables 2 to 9 and figure 2 of Schaelicke, Davis and McKee 1999."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import simoslab
from simoslab.host_files import save_text

from pages import claims, tables
from pages import interrupts_findings as found_here
from pages.experiments import (
    GROUPS,
    LARGER,
    OWN,
    STOCK,
    THREADED,
    Experiment,
    Experiments,
    at_exception_level,
    read_runs,
)
from pages.interrupts_findings import MACHINES
from pages.numbers import DASH, fixed, median, over, percent_of, plain, rounded
from pages.tables import Row
from pages.templates import render

HERE = Path(__file__).parent.parent / "interrupts"

CACHES = {"l1d": "L1 data cache", "l1i": "L1 instruction cache", "l2": "L2 cache"}
DEVICES = ["disk", "network"]
# What the names of runs begin with, by the caches that they have.
SIZES = {"": OWN, "large-": LARGER}
SCENARIOS = {
    "overhead": "counter system calls",
    "disk": "no signal delivered",
    "signal": "signal delivered",
    "network": "network",
}


class Printed:
    """The paper's numbers."""

    def __init__(self) -> None:
        self.rows = tables.read_tsv(HERE / "paper.tsv")

    def lines(self, table: int) -> list[Row]:
        """The lines of a table."""
        return [row for row in self.rows if row["table"] == table]

    def cell(self, row: Row, machine: str) -> dict[str, str]:
        """The number of a line; in kernel mode with that of exception level, which our kernel mode includes."""
        if row[machine] is None:
            return tables.grey(None)
        exceptions = [
            other[machine]
            for other in self.rows
            if (other["table"], other["scenario"], other["mode"]) == (row["table"], row["scenario"], "exception")
        ]
        more = (
            f" + {plain(exceptions[0])}" if row["mode"] == "kernel" and exceptions and exceptions[0] is not None else ""
        )
        return tables.grey(plain(row[machine]) + more)


def effect_of(experiments: Experiments, machine: str, row: Row) -> Experiment | None:
    """What was measured where the paper has ROW."""
    return experiments.effect(machine, row["cache"], row["scenario"], row["mode"])


def table_of(experiments: Experiments, printed: Printed, table: int) -> Row:
    """Table TABLE of the paper: its cache, what it is of, and its rows."""
    lines = printed.lines(table)
    rows = []
    for machine, name in MACHINES.items():
        for row in lines:
            if row["mode"] == "exception" and row[machine] is None:
                continue
            effect = effect_of(experiments, machine, row)
            scenario = SCENARIOS.get(row["scenario"], row["scenario"])
            cells = [f"{name}, {row['mode']}", f"{row['cache'].upper()}, {scenario}", printed.cell(row, machine)]
            if effect is None:
                cells += [DASH] * (len(GROUPS) + 4)
            else:
                seen = [*(effect.seen[group] for group in GROUPS), effect.total, effect.truth]
                if row["mode"] == "exception":
                    seen = [None] * len(seen)
                full = found_here.is_saturated(machine, row["cache"], effect, row["mode"])
                counted = effect.interval + (" saturated" if full else "")
                cells += [counted, effect.at_same_ticks, *(fixed(value, 1) for value in seen)]
            rows.append(cells)
    of = "overhead of the counters" if table == 2 else "disk interrupts" if table < 7 else "network interrupts"
    return {"number": table, "cache": CACHES[lines[0]["cache"]], "of": of, "rows": rows}


def table_3(experiments: Experiments, printed: Printed) -> list[list[Any]]:
    """The rows of table 3: the basic and the refined method."""
    rows = []
    for machine, name in MACHINES.items():
        for row in printed.lines(3):
            scenario, pattern = row["scenario"].split("-")
            cell = experiments.one(machine, "l1d", scenario, pattern, "user")
            counted = [cell.interval, fixed(cell.total, 1)] if cell else [DASH, DASH]
            figure = "figure 1 (a)" if pattern == "once" else "figure 1 (b)"
            rows.append([name, f"{scenario}, {figure}", printed.cell(row, machine), *counted])
    return rows


def errors_of(experiments: Experiments, printed: Printed, mode: str) -> Row:
    """The method against the truth: relative errors of all cells of tables 4 to 9 that are counted in MODE."""
    errors = []
    for machine, name in MACHINES.items():
        for row in printed.rows:
            if row["table"] < 4 or row["mode"] != mode:
                continue
            effect = effect_of(experiments, machine, row)
            if effect is None or abs(effect.truth) < 1:
                continue
            where = f"{name}, {CACHES[row['cache']]}, {SCENARIOS.get(row['scenario'], row['scenario'])}"
            error = (effect.mean - effect.truth) / effect.truth * 100
            errors.append({"where": where, "counted": effect.mean, "truth": effect.truth, "error": error})
    if not errors:
        return {"cells": 0}
    ordered = sorted(errors, key=lambda one: one["error"])
    middle = median(abs(one["error"]) for one in errors)
    return {"cells": len(errors), "mode": mode, "median": middle, "least": ordered[0], "most": ordered[-1]}


def by_cache(experiments: Experiments, machine: str, scenario: str) -> dict[str, Experiment]:
    """The effects of SCENARIO in user mode, by the cache's name, as far as they were measured."""
    found = {CACHES[cache]: experiments.effect(machine, cache, scenario, "user") for cache in CACHES}
    return {cache: effect for cache, effect in found.items() if effect}


def measures_of(experiments: Experiments, printed: Printed) -> dict[str, Any]:
    """What the questions of claims.toml are answered with."""
    of = [(machine, device, by_cache(experiments, machine, device)) for machine in MACHINES for device in DEVICES]
    cells = [
        effect
        for machine in MACHINES
        for row in printed.rows
        if row["table"] != 3 and row["mode"] != "exception" and (effect := effect_of(experiments, machine, row))
    ]
    overhead, methods, network = [], [], []
    for machine, name in MACHINES.items():
        disk = by_cache(experiments, machine, "disk")
        observer = by_cache(experiments, machine, "overhead")
        parts = {c: (observer[c].mean, percent_of(observer[c].mean, disk[c].mean)) for c in disk if c in observer}
        if parts:
            overhead.append({"machine": name, "parts": parts})
        basic, refined = experiments.basic(machine), experiments.effect(machine, "l1d", "disk", "user")
        if basic and refined:
            methods.append({"machine": name, "basic": basic, "refined": refined})
        messages = by_cache(experiments, machine, "network")
        times = {c: over(messages[c].mean, disk[c].mean) for c in disk if c in messages}
        if times:
            network.append({"machine": name, "times": times})
    return {
        "user_errors": errors_of(experiments, printed, "user"),
        "kernel_errors": errors_of(experiments, printed, "kernel"),
        "others": [
            {
                "machine": MACHINES[machine],
                "device": device,
                "parts": {
                    cache: (percent_of(e.seen["before"], e.total), percent_of(e.seen["program"], e.total))
                    for cache, e in effects.items()
                },
            }
            for machine, device, effects in of
            if effects
        ],
        "overhead": overhead,
        "methods": methods,
        "network": network,
        "levels": [
            {"machine": MACHINES[machine], "device": device, "first": lines[0] + lines[1], "second": lines[2]}
            for machine, device, effects in of
            if len(effects) == len(CACHES) and (lines := [effect.mean for effect in effects.values()])
        ],
        "modes": found_here.modes_told(experiments),
        "cells": len(cells),
        "cells_that_add_up": sum(abs(cell.mean - cell.total) < 1 for cell in cells),
    }


def printed_measures() -> dict[str, Any]:
    """The paper's own figures of the claims."""
    return found_here.cases_of(found_here.LinesPrinted(Printed().rows))


def timeline_of(file: Path, title: str) -> Row:
    """Figure 2, what a processor does while a message comes back: a row for each service, and the program between them.
    Places are in the picture's units."""
    events = simoslab.load(file)
    about = events.attrs["otherData"]
    start, end = (about[name] / about["clock_hz"] * 1e6 for name in ("from_cycle", "to_cycle"))
    scale, height = 900 / (end - start), 18

    def place(value: float, digits: int) -> str:
        return plain(rounded(value * 10**digits) / 10**digits)

    rows: dict[str, list[Row]] = {}
    for event in events[(events["ph"] == "X") & (events["tid"] == 0)].to_dict("records"):
        name = f"process {event['name']}" if event["cat"] == "process" else event["name"]
        x, width = (event["ts"] - start) * scale + 180, max(event["dur"] * scale, 0.4)
        text = f"{place(event['dur'], 1)} µs at {place(event['ts'] - start, 1)} µs"
        rows.setdefault(name, []).append({"x": place(x, 2), "width": place(width, 2), "text": text})
    marks = [
        {"x": place(at * scale + 180, 1), "text": f"{at} µs"}
        for at in range(0, int(end - start) + 1, 250)
        if at < end - start
    ]
    return {"title": title, "rows": rows, "marks": marks, "height": height}


def runs_table(experiments: Experiments) -> list[list[Any]]:
    """A row for each experiment."""
    rows = []
    for key in experiments.keys():
        machine, cache, scenario, pattern, mode, *more = key
        one = experiments.one(*key)
        name = ", ".join([MACHINES[machine], cache, mode, scenario, pattern, *(word for word in more if word)])
        rows.append([name, one.runs, one.kept, len(one.modes), one.interval, one.late])
    return rows


def make(out: Path) -> None:
    """Write OUT/runs.json and OUT/index.html from OUT/DEVICE-MACHINE.out, .log and OUT/timeline-MACHINE.json."""
    kernels = {**{device: STOCK for device in DEVICES}, "threaded": THREADED}
    made = [(f"{start}{device}", kernel, caches) for device, kernel in kernels.items() for start, caches in SIZES.items()]
    runs = [
        run
        for device, kernel, caches in made
        for machine in MACHINES
        if (out / f"{device}-{machine}.out").exists()
        for run in read_runs(*(out / f"{device}-{machine}.{e}" for e in ("out", "log")), machine, kernel, caches)
    ]
    runs += at_exception_level(runs)
    save_text(out / "runs.json", json.dumps(runs, separators=(",", ":"), ensure_ascii=False) + "\n")
    experiments, printed = Experiments(runs), Printed()
    timelines = [(out / f"timeline-{machine}.json", machine) for machine in MACHINES]
    theirs = found_here.LinesPrinted(printed.rows)
    here = {**found_here.cases_of(found_here.Counted(experiments)), **found_here.more_cases(experiments)}
    back = found_here.conditions_back(claims.read(HERE / "claims.toml"), experiments)
    judged = claims.judge(HERE / "claims.toml", here, printed_measures(), found_here.names(), back)
    claims.write(out, "interrupts", judged)
    save_text(out / "claims.json", json.dumps(claims.as_rows(judged), indent=1, ensure_ascii=False) + "\n")
    page = render(
        "interrupts/page.html",
        judged=judged,
        verdicts=claims.by_verdict(judged),
        modes=found_here.modes_table(experiments),
        causes=found_here.causes_table(experiments, theirs),
        ticks=found_here.ticks_table(experiments),
        threads=found_here.threads_table(experiments),
        questions=claims.answers(HERE / "claims.toml", measures_of(experiments, printed)),
        table_2=table_of(experiments, printed, 2),
        table_3=table_3(experiments, printed),
        tables=[table_of(experiments, printed, table) for table in range(4, 10)],
        runs=runs_table(experiments),
        timelines=[timeline_of(file, machine) for file, machine in timelines if file.exists() and file.stat().st_size],
    )
    save_text(out / "index.html", page)
