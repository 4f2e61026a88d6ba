"""What SOSP'95 found: the measures of each claim of claims.toml by workload, as far as there are runs."""

from __future__ import annotations

from collections.abc import Callable

from pages.claims import Cases
from pages.numbers import Number, median, over, percent_of, total
from pages.paper_coherence import PROCESS_STRUCTURES, by_line, kernel_coherence, of_class, part_of_data, sum_of
from pages.paper_prediction import MACHINES, half, of_several, with_half
from pages.paper_runs import (
    WORKLOADS,
    YEARS,
    Known,
    all_cycles,
    busy,
    cpus,
    cycles,
    hidden_part,
    kernel_seconds_but_utlb,
    memory_stall,
    mode_seconds,
    of_mode,
    service_cycles,
    stall_but_utlb,
    stall_share,
)
from pages.paper_tables import slower
from pages.tables import Row



def _stall(known: Known, workload: str, column: str) -> float | None:
    run = known.run_of(workload, column)
    return stall_share(run, "kernel") if run else None


def io(known: Known) -> Cases:
    """Section 4.2: waiting for disks."""
    cases: dict[str, Row] = {}
    for w in ("pmake", "database"):
        new = known.run_of(w, "1998")
        if new:
            stall = percent_of(busy(new, memory_stall), all_cycles(new))
            cases[w] = {"late": known.idle_share(w, "1998"), "stall": stall}
    return cases


def io_grows(known: Known) -> Cases:
    """The same by year."""
    return {w: {"idle": [known.idle_share(w, year) for year in YEARS]} for w in known.having(YEARS) if w == "database"}


def memory(known: Known) -> Cases:
    """The kernel's memory stall in 1994."""
    return {w: {"stall": _stall(known, w, "1994")} for w in known.having(["1994"])}


def memory_but_utlb(known: Known) -> Cases:
    """The same without the TLB refill handler."""
    return {w: {"stall": stall_but_utlb(known.run_of(w, "1994"))} for w in known.having(["1994"])}


def memory_later(known: Known) -> Cases:
    """The same by year."""
    return {w: {"stall": [_stall(known, w, year) for year in YEARS]} for w in known.having(["1994", "1998"])}


def insns(known: Known) -> Cases:
    """Instruction misses, in percent of the kernel's memory stall."""
    cases: dict[str, Row] = {}
    for w in known.having(["1994", "1998"]):
        runs = [run for year in YEARS if (run := known.run_of(w, year))]
        parts = []
        for run in runs:
            of_insns = of_mode(run, "kernel", lambda account: account["stall"]["l1i"] + account["stall"]["l2i"])
            parts.append(percent_of(of_insns, of_mode(run, "kernel", memory_stall)))
        cases[w] = {"parts": parts}
    return cases


def alike(known: Known) -> Cases:
    """How much faster kernel and programs are in 1998."""
    return {
        w: {
            "kernel": known.gain(w, "1998", mode_seconds("kernel")),
            "user": known.gain(w, "1998", mode_seconds("user")),
            "rest": known.gain(w, "1998", kernel_seconds_but_utlb),
        }
        for w in known.having(["1994", "1998"])
    }


def utlb(known: Known) -> Cases:
    """The service of 2 % of the kernel's time or more that gains least."""
    cases: dict[str, Row] = {}
    for w in known.having(["1994", "1998"]):
        listed = known.services_of(w, "1994")["services"]
        names = [service["name"] for service in listed if service["kernel"] >= 2 and service["name"] != "UTLB"]
        gains = [(gain, name) for name in names if (gain := known.speed_up(w, "1998", name)) is not None]
        own = known.speed_up(w, "1998", "UTLB")
        if own is not None and gains:
            bound, least = min(gains)
            cases[w] = {"own": own, "least": least, "bound": bound}
    return cases


def _with_statics(known: Known) -> list[str]:
    return known.having(["1998", "1998-static", "1996", "1996-static"])


def _hidden(known: Known, w: str, year: str, kinds: list[str]) -> float | None:
    return hidden_part(known.run_of(w, f"{year}-static"), known.run_of(w, year), kinds)


def tolerance_levels(known: Known) -> Cases:
    """Section 4.3: what out-of-order execution hides of the kernel's stall, by level."""
    levels = {"l1": ["l1i", "l1d"], "l2": ["l2i", "l2d"]}
    return {
        w: {
            f"{level}_{year}": _hidden(known, w, year, kinds)
            for year in ("1996", "1998")
            for level, kinds in levels.items()
        }
        for w in _with_statics(known)
    }


def tolerance_insns(known: Known) -> Cases:
    """The same of first-level instruction misses."""
    return {
        w: {"hidden": [_hidden(known, w, year, ["l1i"]) for year in ("1996", "1998")]} for w in _with_statics(known)
    }


def caches_interference(known: Known) -> Cases:
    """Sections 4.4 and 5.2: misses that larger first-level caches remove, in percent."""
    cases: dict[str, Row] = {}
    for w in WORKLOADS:
        removed = []
        for cause in ("self", "other"):
            small, large = (
                known.misses(w, "figure-4.6", size, lambda row: row["cause"] == cause and row["mode"] != "idle")
                for size in ("16K", "256K")
            )
            left = over(large, small)
            removed.append(None if left is None else (1 - left) * 100)
        if None not in removed:
            cases[w] = {"self_removed": removed[0], "other": removed[1]}
    return cases


def caches_coherence(known: Known) -> Cases:
    """The kernel's coherence and capacity misses of eight CPUs as second-level caches grow."""
    cases: dict[str, Row] = {}
    for w in WORKLOADS:
        coherence, capacity = (
            [known.misses(f"{w}-mp8", "figure-5.3", size, known.capacity_or(kind)) for size in ("256K", "4M")]
            for kind in ("coherence", "capacity")
        )
        if coherence[0] > 0:
            cases[w] = {"coherence": coherence, "capacity": capacity}
    return cases


def interference(known: Known) -> Cases:
    """Section 4.4: who evicted what a program misses in its first-level caches."""
    cases: dict[str, Row] = {}
    for w in known.having(["1994"]):
        levels = (cpu[cache].get("evicted") or {} for cpu in cpus(known.run_of(w, "1994")) for cache in ("l1i", "l1d"))
        evicted = [level for level in levels if level.get("user_kernel") is not None]
        if evicted:
            by_kernel, by_users = (total(level[name] for level in evicted) for name in ("user_kernel", "user_user"))
            cases[w] = {"kernel": percent_of(by_kernel, by_kernel + by_users)}
    return cases


def cold(known: Known) -> Cases:
    """DEMAND ZERO."""
    old, new = (known.service("pmake", year, "DEMAND ZERO") for year in ("1994", "1998"))
    return {"pmake": {"cold": old["cold"], "kernel": [old["kernel"], new["kernel"]]}} if old and new else {}


def several_kernel(known: Known) -> Cases:
    """Section 5.1: the kernel's part of the non-idle time on one CPU and on eight."""

    def but_utlb(w: str, column: str) -> float | None:
        run = known.run_of(w, column)
        handler = service_cycles(run, "UTLB")
        return percent_of(of_mode(run, "kernel", cycles) - handler, busy(run, cycles) - handler)

    columns = ("1994", "mp8")
    return {
        w: {
            "share": [known.kernel_share(w, column) for column in columns],
            "rest": [but_utlb(w, column) for column in columns],
        }
        for w in known.having(columns)
        if w != "database"
    }


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


def several_services(known: Known) -> Cases:
    """Section 5.1: what services lose on eight CPUs."""
    cases: dict[str, Row] = {}
    for w in known.having(["1994", "mp8"]):
        values = losses(known, w)
        if values:
            cases[w] = {"count": len(values), "most": sum(v >= 30 for v in values), "middle": median(values)}
    return cases


def several_locks(known: Known) -> Cases:
    """Section 5.2: spin locks."""
    return {w: {"sync": (known.services_of(w, "mp8") or {}).get("sync")} for w in known.having(["mp8"])}


def first_lock(known: Known) -> Cases:
    """Section 5.3: the locks that are waited for most."""
    run = known.run_of("pmake", "mp8")
    locks = sorted((run or {}).get("annotations", {}).get("locks") or [], key=lambda lock: -lock["wait"])
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


def sharing_end_idle(known: Known) -> Cases:
    """Section 5.3: END IDLE."""
    ending = known.service("database", "mp8", "END IDLE") if _sharing(known, "database") else None
    return {"database": {"part": ending["coherence"] + ending["upgrade"]}} if ending else {}


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
        *(io, io_grows, memory, memory_but_utlb, memory_later, insns, alike, utlb, tolerance_levels, tolerance_insns),
        *(caches_interference, caches_coherence, interference, cold, several_kernel, several_services, several_locks),
        *(first_lock, sharing_line, sharing_processes, sharing_end_idle, later_stall, later_communication, later_gap),
    )
}
