"""What SOSP'95 found on eight CPUs (section 5): the measures of each claim of claims.toml by workload, as far as there are
runs. Those of caches of all sizes are in paper_caches.py, those of services in paper_services.py."""

from __future__ import annotations

from collections.abc import Callable

from pages.claims import Cases
from pages.numbers import Number, percent_of, total
from pages.paper_coherence import PROCESS_STRUCTURES, by_line, kernel_coherence, of_class, part_of_data, sum_of
from pages.paper_prediction import MACHINES, half, of_several, with_half
from pages.paper_runs import Known, busy, cycles, kernel_mcpi, of_mode, service_cycles, stall_but_utlb, stall_share
from pages.paper_services import slower
from pages.tables import Row


def several_idle(known: Known) -> Cases:
    """Section 5.1: idle time on one CPU and on eight."""
    return {
        w: {"idle": [known.idle_share(w, column) for column in ("1994", "mp8")]} for w in known.having(["1994", "mp8"])
    }


def several_imbalance(known: Known) -> Cases:
    """The same in the last fifth of the whole workload's intervals, and before."""
    cases: dict[str, Row] = {}
    for w in ("pmake", "engineering"):
        run = known.run_of(w, "whole-mp8")
        idle = run.over_time["idle"] if run else []
        every = [sum(modes) for modes in zip(*run.over_time.values())] if run else []
        last = len(idle) // 5
        if last:
            parts = (idle[:-last], every[:-last]), (idle[-last:], every[-last:])
            cases[w] = {"idle": [percent_of(total(of), total(whole)) for of, whole in parts]}
    return cases


def several_mcpi(known: Known) -> Cases:
    """Section 5.1: the kernel's memory stall cycles an instruction on one CPU and on eight."""
    listed = [w for w in known.having(["1994", "mp8"]) if w != "database"]
    return {w: {"mcpi": [kernel_mcpi(known.run_of(w, column)) for column in ("1994", "mp8")]} for w in listed}


def _kernel_shares(known: Known, w: str) -> Row:
    columns = ("1994", "mp8")

    def but_utlb(column: str) -> float | None:
        run = known.run_of(w, column)
        handler = service_cycles(run, "UTLB")
        return percent_of(of_mode(run, "kernel", cycles) - handler, busy(run, cycles) - handler)

    return {"share": [known.kernel_share(w, column) for column in columns], "rest": list(map(but_utlb, columns))}


def several_kernel(known: Known) -> Cases:
    """Section 5.1: the kernel's part of the non-idle time on one CPU and on eight."""
    return {w: _kernel_shares(known, w) for w in known.having(["1994", "mp8"]) if w != "database"}


def several_database(known: Known) -> Cases:
    """The same of the database."""
    return {w: _kernel_shares(known, w) for w in known.having(["1994", "mp8"]) if w == "database"}


def losses(
    known: Known, w: str, of_one: Callable[[Row], Number | None] = lambda service: service["computation"]
) -> list[float]:
    """How much more time of a processor each service of a hundredth of the kernel's time or more takes on eight CPUs
    than what OF_ONE is on one, in percent, in order."""
    found = []
    for service in known.services_of(w, "mp8")["services"]:
        one = known.service(w, "1994", service["name"]) if service["kernel"] >= 1 else None
        loss = slower(service["computation"], of_one(one)) if one else None
        if loss is not None:
            found.append(loss)
    return sorted(found)


def most(values: list[float]) -> bool:
    """Whether most of VALUES are 30 or more."""
    return sum(value >= 30 for value in values) * 2 > len(values) > 0


def several_locks(known: Known) -> Cases:
    """Section 5.2: spin locks."""
    return {w: {"sync": (known.services_of(w, "mp8") or {}).get("sync")} for w in known.having(["mp8"])}


def first_lock(known: Known) -> Cases:
    """Section 5.3: the locks that are waited for most."""
    run = known.run_of("pmake", "mp8")
    locks = sorted(run.locks if run else [], key=lambda lock: -lock["wait"])
    waited = total(lock["wait"] for lock in locks)
    if not waited:
        return {}
    parts = {lock["name"]: percent_of(lock["wait"], waited) for lock in locks[:3]}
    return {"pmake": {"first": percent_of(locks[0]["wait"], waited), "parts": parts}}


def _sharing(known: Known, workload: str) -> bool:
    return workload in known.having(["1994", "mp8"]) and bool(kernel_coherence(known, workload))


def sharing_line(known: Known) -> Cases:
    """Section 5.3: the worst line."""
    if not _sharing(known, "pmake"):
        return {}
    misses, lines = kernel_coherence(known, "pmake"), by_line(known, "pmake")
    every = sum_of(misses)
    return {
        "pmake": {
            "line": lines[0]["name"],
            "part": percent_of(lines[0]["count"], every),
            "false_sharing": percent_of(of_class(misses, "false_sharing"), every),
        }
    }


def sharing_processes(known: Known) -> Cases:
    """Section 5.3: the structures of processes."""
    if not _sharing(known, "database"):
        return {}
    misses = kernel_coherence(known, "database")
    names = {"task": "slab task_struct", "stacks": "kernel stack"}
    parts = {name: part_of_data(misses, [data]) for name, data in names.items()}
    return {"database": {"part": part_of_data(misses, PROCESS_STRUCTURES)} | parts}


def later_stall(known: Known) -> Cases:
    """Section 5.2: the kernel's stall on eight CPUs of later years."""
    cases: dict[str, Row] = {}
    for w in of_several(known):
        old, new = known.run_of(w, "mp8"), known.run_of(w, "1998-mp8")
        if old:
            runs = [run for machine in MACHINES if (run := known.run_of(w, machine))]
            cases[w] = {
                "old": stall_share(old, "kernel"),
                "least": stall_share(new, "kernel") - half(new, "kernel"),
                "rest": [stall_but_utlb(run) for run in runs],
                "stalls": [with_half(run, "kernel") for run in runs],
            }
    return cases


def later_communication(known: Known) -> Cases:
    """Communication in the services' time."""
    cases: dict[str, Row] = {}
    for w in of_several(known):
        if known.services_of(w, "mp8") and known.services_of(w, "1998-mp8"):
            machines = [machine for machine in MACHINES if known.services_of(w, machine)]
            parts = [known.part_of_services(w, machine, "coherence", "upgrade") for machine in machines]
            new = known.part_of_services(w, "1998-mp8", "coherence", "upgrade")
            cases[w] = {"parts": parts, "new": new}
    return cases


def later_gap(known: Known) -> Cases:
    """The gap between eight CPUs and one."""
    return {w: {"gap": gap} for w in of_several(known) if (gap := known.gap(w))}


FINDINGS: dict[str, Callable[[Known], Cases]] = {
    function.__name__: function
    for function in (
        *(several_idle, several_kernel, several_database, several_locks, first_lock, sharing_line, sharing_processes),
        *(several_imbalance, several_mcpi, later_stall, later_communication, later_gap),
    )
}
