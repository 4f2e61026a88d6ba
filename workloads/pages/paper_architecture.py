"""The paper's own architecture, the R3000's, beside the release 2 of the plain workloads: program development on it,
and what a TLB refill costs (the rows UTLB of table 4.8)."""

from __future__ import annotations

from typing import Any

from pages.numbers import count, fixed, percent, percent_of
from pages.paper_runs import (
    Known,
    all_cycles,
    busy,
    clock,
    cycles,
    insns,
    of_mode,
    plain_name,
    refill_insns,
    stall_but_utlb,
    stall_share,
    stall_share_at_refills,
    title,
    utlb_of,
)
from pages.paper_tables import services_48, table
from pages.tables import Row, paper

CLOCK_1994 = 200e6


def runs_of(known: Known) -> list[Row]:
    """The runs that there are, with the architecture of each."""
    found = []
    for workload in ("pmake", "pmake-r3000", "database", "engineering"):
        for column in ("1994", "1998"):
            run = known.run_of(workload, column)
            if run and utlb_of(run):
                what = f"{title(plain_name(workload))}, {run.parameters['cpu.architecture']}"
                utlb = known.service(workload, column, "UTLB")
                found.append({"w": workload, "column": column, "what": what, "run": run, "utlb": utlb})
    return found


def split_of_time(known: Known) -> Row:
    """Where the time goes."""
    rows = []
    for one in runs_of(known):
        run, first = one["run"], one["column"] == "1994"
        times = [
            percent(percent_of(of_mode(run, mode, cycles), all_cycles(run))) for mode in ("user", "kernel", "idle")
        ]
        said = known.said("kernel_share", plain_name(one["w"])) if first else None
        stalls = [stall_share(run, "kernel"), stall_share_at_refills(run, 8), stall_but_utlb(run)]
        share = percent(known.kernel_share(one["w"], one["column"]))
        rows.append([one["what"], run.value("machine.name"), *times, share, paper(said), *map(percent, stalls)])
    head = ["", "machine", "user", "kernel", "idle", "kernel, of busy", "paper", "memory stall of the kernel"]
    return table([*head, "at 8 instructions a refill", "without UTLB"], rows)


def refill_cells(run: Row, utlb: Row, speed_up: float | None) -> list[Any]:
    """Of one refill: instructions, cycles, and the parts that they are of; then of all."""
    taken, i_mcpi, d_mcpi = utlb["computation"] * clock(run) / 1e6, utlb["i_mcpi"], utlb["d_mcpi"]
    parts = [taken / utlb["cpi"], taken, utlb["cpi"], i_mcpi, d_mcpi, utlb["cpi"] - i_mcpi - d_mcpi]
    shares = [fixed(utlb[name], 1) for name in ("kernel", "stall_insn", "stall_data")]
    return [*(fixed(part, 2) for part in parts), *shares, count(utlb["calls"]), fixed(speed_up, 1)]


def paper_cells(p: Row) -> list[Any]:
    """The same of the paper, which gives microseconds and CPI."""
    taken = p["avg94"] * CLOCK_1994 / 1e6
    parts = [p["cpi94"], p["imcpi94"], p["dmcpi94"], p["cpi94"] - p["imcpi94"] - p["dmcpi94"]]
    cells = [fixed(taken / p["cpi94"], 1), fixed(taken, 0), *(fixed(part, 2) for part in parts), fixed(p["share94"], 1)]
    return [*cells, fixed(p["istall94"], 0), fixed(p["dstall94"], 0), count(p["rate"]), ""]


def refills(known: Known) -> Row:
    """A TLB refill."""
    rows: list[list[Any]] = []
    for one in runs_of(known):
        speed_up = None if one["column"] == "1994" else known.speed_up(one["w"], one["column"], "UTLB")
        rows.append([one["what"], one["run"].value("machine.name"), *refill_cells(one["run"], one["utlb"], speed_up)])
    for p in known.t48:
        if p["service"] == "UTLB":
            rows.append([paper(text) for text in (title(p["workload"]) + ", the paper", "1994", *paper_cells(p))])
    head = [
        "",
        "machine",
        "instructions",
        "cycles",
        "CPI",
        "i-MCPI",
        "d-MCPI",
        "pipeline",
        "time",
        "stall I",
        "stall D",
    ]
    groups = [("", 2), ("a refill", 6), ("% of the kernel's", 3), ("", 2)]
    return table([*head, "refills a second", "speed-up"], rows, groups)


def long_refills(known: Known) -> Row | None:
    """What the handler's length alone makes: this architecture's kernel with the other's number of instructions."""
    plain, own = known.run_of("pmake", "1994"), known.run_of("pmake-r3000", "1994")
    if not plain or not own:
        return None
    length = refill_insns(plain)
    return {
        "length": length,
        "long": stall_share_at_refills(own, length),
        "own": stall_share(own, "kernel"),
        "plain": stall_share(plain, "kernel"),
        "rates": [utlb_of(run)["calls"] / busy(run, insns) * 1000 for run in (own, plain)],
    }


def own_architecture(known: Known) -> Row | None:
    """What the page says of it; None without runs."""
    if not any(one["w"] != plain_name(one["w"]) for one in runs_of(known)):
        return None
    parts = {"split": split_of_time(known), "long": long_refills(known), "refills": refills(known)}
    return parts | {"services": services_48(known, "pmake-r3000")}
