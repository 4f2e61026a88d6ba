"""The page of memory in nodes: one checkpoint on several memory systems, and what moving pages gives (Verghese and others,
ASPLOS 1996)."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import simoslab
from simoslab.host_files import read_text, save_text

from pages import claims
from pages.numbers import Number, count, fixed, over, percent_of
from pages.templates import render

HERE = Path(__file__).parents[1] / "numa"
WORKLOADS = {"pmake-mp8": "Program development", "database-mp8": "Database", "engineering-mp8": "Engineering"}
MODES = ("user", "kernel")
# Causes of stall by column; what is in none is execution.
STALLS = {"l1": ["l1i", "l1d"], "beyond": ["l2i", "l2d"], "upgrade": ["upgrade"], "move": ["page_move"]}
DID = ["hot_pages", "migrations", "replications", "collapses", "hot_written"]
# The systems whose misses are known by place, in the order of the columns.
PLACES = ("bus", "l3", "nodes")
SHOWN = 10

Figures = dict[str, Number | None]
Runs = dict[str, dict[str, simoslab.Statistics]]


def systems() -> dict[str, str]:
    """The memory systems of systems.tsv with their titles."""
    return {row["system"]: row["title"] for row in csv.DictReader(read_text(HERE / "systems.tsv").splitlines(), delimiter="\t")}


def read(out: Path) -> Runs:
    """OUT/WORKLOAD.SYSTEM.json by workload and system."""
    found: Runs = {}
    for path in sorted(out.glob("*.*.json")):
        workload, system = path.name.split(".")[:2]
        found.setdefault(workload, {})[system] = simoslab.load(path)
    if not found:
        raise SystemExit(f"numa: no run in {out}")
    return found


def figures_of(run: simoslab.Statistics) -> Figures:
    """Cycles without the idle loop, and their parts, for each instruction in user mode; the share of local requests, in
    percent; how many pages were hot, and what was done with them."""
    user = run.total("cpu.mode.insns", mode="user")

    def each(*paths: str) -> float | None:
        return over(sum(run.total(path, mode=mode) or 0 for mode in MODES for path in paths), user)

    figures: Figures = {"cycles": each("cpu.mode.cycles")}
    for name, causes in STALLS.items():
        figures[name] = each(*(f"cpu.mode.stall.{cause}" for cause in causes))
    figures["execution"] = (figures["cycles"] or 0) - sum(figures[name] or 0 for name in STALLS)
    local, remote = (run.total(f"cpu.numa.{where}") for where in ("local", "remote"))
    figures["local"] = None if local is None or remote is None else percent_of(local, local + remote)
    waits = {} if local is None else {name: wait for name, wait in run.below("numa").items() if name.endswith(".wait")}
    figures["queues"] = over(sum(waits.values()), user)
    return figures | {name: run.total(f"numa.{name}") for name in DID}


def gain(figures: dict[str, Figures], system: str) -> float | None:
    """By how much SYSTEM is faster than nodes without moves, in percent of its own time; slower: negative."""
    base, other = (figures.get(name, {}).get("cycles") for name in ("nodes", system))
    times = over(base, other)
    return None if times is None else (times - 1) * 100


def printed_measures() -> dict[str, Any]:
    """The paper's figures: those of its summary are in claims.toml."""
    return {}


def cases_of(figures: dict[str, dict[str, Figures]]) -> dict[str, claims.Cases]:
    """The measures of claims.toml."""
    gains = {name: gain(of, "both") for name, of in figures.items()}
    known = [value for value in gains.values() if value is not None]
    parts = [percent_of(gain(of, "tlb"), gains[name]) for name, of in figures.items() if (gains[name] or 0) > 0]
    shares = [part for part in parts if part is not None]
    return {
        "as_much_as": {claims.ALL: {"gain": max(known, default=None)}},
        "each_gains": {name: {"gain": value} for name, value in gains.items()},
        "sampling": {name: {"gain": gains[name], "sampled": gain(of, "sampled")} for name, of in figures.items()},
        "contention": {
            name: {"queues": of.get("queues", {}).get("queues"), "moved": of.get("queues-both", {}).get("queues")}
            for name, of in figures.items()
        },
        "tlb": {claims.ALL: {"least": min(shares, default=None), "most": max(shares, default=None)}},
    }


def row_of(title: str, of: Figures, base: Figures) -> list[Any]:
    """A row of the table of a workload."""
    parts = [fixed(of[name], 3) for name in ("cycles", "execution", *STALLS, "queues")]
    return [title, fixed(percent_of(of["cycles"], base["cycles"]), 1), *parts, fixed(of["local"], 1), *(count(of[name]) for name in DID)]


def ranked(columns: list[dict[str, list[Number]]], width: int) -> list[list[Any]]:
    """Rows NAME, numbers of each column: those with the largest first number in any column, the largest first."""
    names = {name for column in columns for name in column}
    largest = sorted(names, key=lambda name: (-max(column.get(name, [0])[0] for column in columns), name))
    return [
        [name, *(fixed(value, 2) for column in columns for value in column.get(name, [0] * width))] for name in largest[:SHOWN]
    ]


def places_of(runs: dict[str, simoslab.Statistics]) -> tuple[list[list[Any]], ...]:
    """The rows of services, locks and data structures, for a thousand instructions in user mode."""
    services, locks, data = [], [], []
    for system in PLACES:
        run = runs[system]
        unit = (run.total("cpu.mode.insns", mode="user") or 0) / 1000
        of = run.services()
        of = of[~of["service"].isin(["USER", "IDLE"])]
        services.append({row.service: [row.cycles / unit, row.stall / unit] for row in of.itertuples()})
        waits = run.locks().groupby("name")["wait"].sum()
        locks.append({str(name): [wait / unit] for name, wait in waits.items() if wait > 0})
        missed = run.misses()
        missed = missed[(missed["mode"] == "kernel") & (missed["data"] != "") & missed["cache"].isin(["l2", "l3"])]
        data.append({str(name): [stall / unit] for name, stall in missed.groupby("data")["stall"].sum().items()})
    return ranked(services, 2), ranked(locks, 1), ranked(data, 1)


def make(out: Path) -> None:
    """Write OUT/figures.json, OUT/verdicts.tsv and OUT/index.html from the statistics of the runs in OUT."""
    runs, titles = read(out), systems()
    order = sorted(runs, key=lambda name: (list(WORKLOADS).index(name) if name in WORKLOADS else len(WORKLOADS), name))
    figures = {name: {system: figures_of(runs[name][system]) for system in titles if system in runs[name]} for name in order}
    judged = claims.judge(HERE / "claims.toml", cases_of(figures), printed_measures(), WORKLOADS)
    claims.write(out, "numa", judged)
    save_text(out / "figures.json", json.dumps(figures, indent=2) + "\n")
    page = render(
        "numa/page.html",
        verdicts=claims.by_verdict(judged),
        judged=judged,
        systems=[
            (WORKLOADS.get(name, name), [row_of(titles[system], of, figures[name]["nodes"]) for system, of in figures[name].items()])
            for name in order
        ],
        places=[(WORKLOADS.get(name, name), *places_of(runs[name])) for name in order],
    )
    save_text(out / "index.html", page)
