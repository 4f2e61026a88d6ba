"""The prediction of SOSP'95 for machines that it could not simulate (section 5.2): eight CPUs of later years, out of
order, by windows of the workload (windows.sh) with 95 % intervals."""

from __future__ import annotations

from pages.numbers import DASH, Number, fixed, percent, percent_of, short, total
from pages.paper_runs import (
    WORKLOADS,
    Known,
    Run,
    cycles,
    kernel_mcpi,
    mcpi,
    of_mode,
    stall_but_utlb,
    stall_share,
    title,
)
from pages.paper_tables import table
from pages.tables import Row

MACHINES = ["mp8", "1996-mp8", "1998-mp8", "2015-mp8"]


def of_several(known: Known) -> list[str]:
    """The workloads that were run on eight CPUs of 1998."""
    return [workload for workload in WORKLOADS if known.run_of(workload, "1998-mp8")]


def half(run: Run, mode: str) -> Number:
    """Half of the interval of the memory stall of MODE, in percent; 0 of a whole run."""
    width = run.value(f"sampling.{mode}.stall_share.half_width")
    return width * 100 if width is not None else 0


def with_half(run: Run, mode: str) -> str:
    """The memory stall of MODE, with half of its interval."""
    interval = " ± " + fixed(half(run, mode), 1) if run.below("sampling") else ""
    return fixed(stall_share(run, mode), 1) + interval + " %"


def first_lock(run: Run) -> str:
    """The lock that was waited for most, and its part of all waiting."""
    waited = [lock for lock in run.locks if lock["wait"] > 0]
    if not waited:
        return DASH
    most = max(reversed(waited), key=lambda lock: lock["wait"])
    return f"{most['name']}, {fixed(percent_of(most['wait'], total(lock['wait'] for lock in waited)), 0)} %"


def stalls(known: Known) -> Row:
    """The kernel's stall on one CPU and on eight."""
    rows = []
    for workload in of_several(known):
        for machine in MACHINES:
            run = known.run_of(workload, machine)
            if not run:
                continue
            one = known.run_of(workload, "1994" if machine == "mp8" else machine.removesuffix("-mp8"))
            windows = run.value("window.count")
            levels = [["l1i", "l1d"], ["l2i", "l2d"], ["upgrade"]]
            by_level = [fixed(total(mcpi(run, "kernel", kind) for kind in kinds), 3) for kinds in levels]
            sync = total(service.get("sync.cycles", 0) for service in run.services.values())
            rows.append(
                [
                    title(workload) if machine == "mp8" else "",
                    "1994-mp8" if machine == "mp8" else machine,
                    "whole" if windows is None else windows,
                    percent(known.kernel_share(workload, machine)),
                    with_half(run, "kernel"),
                    percent(stall_but_utlb(run)),
                    with_half(run, "user"),
                    *by_level,
                    fixed(kernel_mcpi(run), 3),
                    fixed(kernel_mcpi(one), 3) if one else DASH,
                    fixed(percent_of(sync, of_mode(run, "kernel", cycles)), 2) + " %",
                    first_lock(run),
                ]
            )
    groups = [("", 1), ("", 1), ("windows", 1), ("kernel, of busy", 1), ("memory stall", 3)]
    groups += [("the kernel's memory stall, cycles an instruction", 5), ("spin locks, of kernel", 1), ("", 1)]
    head = [
        "",
        "machine",
        "",
        "",
        "kernel",
        "kernel but UTLB",
        "programs",
        "L1",
        "L2",
        "upgrades",
        "together",
        "one CPU",
    ]
    return table([*head, "", "lock most waited for"], rows, groups)


def services(known: Known, workload: str) -> Row:
    """The services of a hundredth of the kernel's time or more on CPUs of 1998, decomposed as in table 5.4."""
    listed = known.services_of(workload, "1998-mp8")["services"]
    shown = sorted((service for service in listed if service["kernel"] >= 1), key=lambda service: -service["kernel"])
    rows = []
    for new in shown:
        old = known.service(workload, "mp8", new["name"]) or {}
        parts = ("instructions", "spinlock", "coherence", "upgrade", "insn_cache", "data_cache")
        cells = [f"{fixed(new.get(part), 0)} ({fixed(old.get(part), 0)})" for part in parts]
        times = [short(old.get("computation")), short(new.get("computation"))]
        rows.append([new["name"], fixed(old.get("kernel"), 1), fixed(new["kernel"], 1), *times, *cells])
    groups = [
        ("", 1),
        ("% of kernel time", 2),
        ("computation, µs", 2),
        ("% of the computation, 1998-mp8 (1994-mp8)", 6),
    ]
    head = ["", "1994-mp8", "1998-mp8", "1994-mp8", "1998-mp8"]
    return table([*head, "instructions", "spin locks", "coherence", "upgrades", "I-cache", "D-cache"], rows, groups)


def prediction(known: Known) -> Row | None:
    """What the page says of the prediction; None if there are no windows."""
    shown = of_several(known)
    if not shown:
        return None
    window = known.run_of(shown[0], "1998-mp8").below("window")
    million = {name: fixed(window[name] / 1e6, 0) for name in ("length", "warmup")}
    return million | {"stalls": stalls(known), "services": [(title(w), services(known, w)) for w in shown]}
