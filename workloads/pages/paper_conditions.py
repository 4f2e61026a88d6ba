"""The conditions of SOSP'95 put back, one at a time, and experiments: for each claim that does not hold on the plain
workloads the hypothesis why, and the figure without and with it. conditions.tsv says of each of what KINDS it is;
claims.toml has the texts and criteria."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from pages.numbers import Number, fixed, median, over, percent, percent_of, plain, total
from pages.paper_coherence import PROCESS_STRUCTURES, by_line, kernel_coherence, part_of_data, sum_of
from pages.paper_several import losses, most
from pages.paper_runs import (
    Known,
    OfRun,
    Run,
    busy_seconds,
    clock,
    cycles,
    cycles_at_refills,
    in_text,
    insns,
    mode_seconds,
    of_mode,
    plain_name,
    refill_insns,
    stall_share,
    stall_share_at_refills,
    utlb_of,
)
from pages.tables import Row

# A claim's name and the words for its templates; `plain` and `put_back` are the measures without and with a condition.
Instance = tuple[str, Row]

# What the column `kind` of conditions.tsv says: a condition or an experiment of the paper, or an experiment of ours, on a
# machine or with data that the paper does not have.
KINDS = ("paper", "experiment")

SHORT_REFILLS = "what if: refills at 8 instructions, computed from the plain run"


def late_of(known: Known, workload: str, name: str) -> str | None:
    """The last column that both runs have: out of order, or with the same caches in order."""
    columns = ("1998", "1998-static")
    return next((c for c in columns if known.run_of(workload, c) and known.run_of(name, c)), None)


def late_name(column: str) -> str:
    """The column within a sentence."""
    return "1998, in order" if column == "1998-static" else column


def words_of(condition: Row) -> Row:
    """What a line of conditions.tsv says of itself."""
    if condition["kind"] not in KINDS:
        raise SystemExit(f"conditions.tsv: {condition['name']}: kind \"{condition['kind']}\", not {' or '.join(KINDS)}")
    return {"condition": condition["name"], "kind": condition["kind"], "hypothesis": condition["hypothesis"]}


def side_by_side(known: Known, condition: Row, value: Callable[[str], Row]) -> Row | None:
    """A condition's measures without and with it; None if a run of 1994 is missing."""
    names = condition["workload"], condition["name"]
    if not all(known.run_of(name, "1994") for name in names):
        return None
    words = words_of(condition) | {"workload": in_text(names[0])}
    return words | {"plain": value(names[0]), "put_back": value(names[1])}


def io(known: Known, condition: Row) -> Iterator[Instance]:
    """The idle share."""
    workload, name = condition["workload"], condition["name"]
    late = late_of(known, workload, name)
    if late and known.run_of(name, "1994"):
        plain_workload = plain_name(workload)
        said = [known.said(what, plain_workload) for what in ("idle94", "idle98")]
        words = words_of(condition) | {"workload": in_text(plain_workload)}

        def idle(of: str) -> Row:
            return {"idle": [known.idle_share(of, column) for column in ("1994", late)]}

        theirs = ["little" if value is None else f"{plain(value)} %" for value in said]
        yield (
            "condition_io",
            words
            | {
                "late": late_name(late),
                "theirs": theirs,
                "plain": idle(workload),
                "put_back": idle(name),
            },
        )


def memory(known: Known, condition: Row) -> Iterator[Instance]:
    """The kernel's memory stall in 1994."""
    words = side_by_side(known, condition, lambda name: {"share": stall_share(known.run_of(name, "1994"), "kernel")})
    if words:
        yield "condition_memory", words


def interference(known: Known, condition: Row) -> Iterator[Instance]:
    """Of the lines that a program misses because another evicted them, those that the kernel evicted (first level)."""

    def by_kernel(name: str) -> Row:
        kernel, users = (known.run_of(name, "1994").evicted(member) or 0 for member in ("user_kernel", "user_user"))
        return {"share": percent_of(kernel, kernel + users)}

    words = side_by_side(known, condition, by_kernel)
    if words:
        yield "condition_interference", words


def alike_words(known: Known, workload: str, name: str, late: str, of_kernel: OfRun) -> Row:
    """Kernel and user code, how much faster in the column LATE: under WORKLOAD, and under NAME if the kernel's time is
    OF_KERNEL."""

    def ratio(of: str, f: OfRun) -> Row:
        return {"ratio": known.gain(of, late, f) / known.gain(of, late, mode_seconds("user"))}

    sides = {"plain": ratio(workload, mode_seconds("kernel")), "put_back": ratio(name, of_kernel)}
    return sides | {"late": late_name(late), "workload": in_text(workload)}


def demand_zero_parts(known: Known, name: str, late: str, of_kernel: Callable[[Run], Number]) -> list[float]:
    """DEMAND ZERO's part of the kernel's time, 1994 and LATE, in percent, where the kernel's cycles are OF_KERNEL."""
    parts = []
    for column in ("1994", late):
        run, service = known.run_of(name, column), known.service(name, column, "DEMAND ZERO")
        if run and service:
            parts.append(service["kernel"] * (of_mode(run, "kernel", cycles) / of_kernel(run)))
    return parts


def kernel_cycles(run: Run) -> Number:
    """The kernel's cycles."""
    return of_mode(run, "kernel", cycles)


def short_cycles(run: Run) -> float:
    """The same if a TLB refill took the paper's 8 instructions."""
    return cycles_at_refills(run, 8)


def architecture(known: Known, condition: Row) -> Iterator[Instance]:
    """The paper's own architecture: what the plain workload shows only without its TLB refill handler, if at all."""
    yield from memory(known, condition)
    workload, name = condition["workload"], condition["name"]
    late = late_of(known, workload, name)
    if not late or not known.run_of(name, "1994"):
        return
    words = words_of(condition)
    yield "condition_alike", words | alike_words(known, workload, name, late, mode_seconds("kernel"))
    sides = [demand_zero_parts(known, of, late, kernel_cycles) for of in (workload, name)]
    if sum(map(len, sides)) == 4:
        parts = {"plain": {"parts": sides[0]}, "put_back": {"parts": sides[1]}}
        yield "condition_demand_zero", words | parts | {"workload": in_text(workload)}


def walker(known: Known, condition: Row) -> Iterator[Instance]:
    """No TLB refill handler: what is judged on another architecture, and the kernel's part and the speed-up of all."""
    workload, name = condition["workload"], condition["name"]
    words = side_by_side(known, condition, lambda of: {"share": known.kernel_share(of, "1994")})
    if words:
        yield "condition_kernel", words | {"theirs": known.said("kernel_share", plain_name(workload))}
    if all(known.run_of(of, column) for of in (workload, name) for column in ("1994", "1998")):
        sides = {
            side: {"gain": known.gain(of, "1998", busy_seconds)}
            for side, of in (("plain", workload), ("put_back", name))
        }
        said = known.said("speedup98", plain_name(workload))
        yield "condition_speedup", words_of(condition) | sides | {"workload": in_text(workload), "theirs": said}
    yield from architecture(known, condition)


OF_FINDING = {
    "io": io,
    "memory": memory,
    "interference": interference,
    "architecture": architecture,
    "walker": walker,
}


def what_ifs(known: Known) -> Iterator[Instance]:
    """Conditions that are computed from the plain runs."""
    words: Row = {"condition": SHORT_REFILLS, "kind": "paper"}
    first = known.having(["1994"])
    for w in first:
        run = known.run_of(w, "1994")
        if utlb_of(run):
            sides = {
                "plain": {"share": stall_share(run, "kernel")},
                "put_back": {"share": stall_share_at_refills(run, 8)},
            }
            yield "what_if_memory", words | sides | {"workload": in_text(w), "insns": refill_insns(run)}
    for w in first:
        late = late_of(known, w, w)
        if late and all(utlb_of(known.run_of(w, column)) for column in ("1994", late)):
            yield "what_if_alike", words | alike_words(known, w, w, late, lambda run: short_cycles(run) / clock(run))
    runs = [known.run_of("pmake", column) for column in ("1994", "1998")]
    if all(run and utlb_of(run) for run in runs):
        sides = [demand_zero_parts(known, "pmake", "1998", f) for f in (kernel_cycles, short_cycles)]
        if sum(map(len, sides)) == 4:
            parts = {"plain": {"parts": sides[0]}, "put_back": {"parts": sides[1]}}
            yield "what_if_demand_zero", words | parts | {"workload": in_text("pmake")}


def several(known: Known, w: str) -> Instance:
    """Section 5.1: a uniprocessor kernel of IRIX has no spin locks, Debian's has: services of eight CPUs against those
    of one without the routines of spin locks."""

    def without_locks(service: Row) -> Number | None:
        computation = service.get("computation")
        return computation * (1 - (service.get("spinlock") or 0) / 100) if computation is not None else None

    def side(values: list[float]) -> Row:
        return {"middle": median(values), "most": most(values)}

    words = {
        "workload": in_text(w),
        "condition": "what if: one CPU without the routines of spin locks",
        "kind": "paper",
    }
    return "what_if_several", words | {
        "plain": side(losses(known, w)),
        "put_back": side(losses(known, w, without_locks)),
    }


# Why no condition of the paper brings it back: where it is the design of the kernel.


def slow_services(known: Known, w: str) -> Instance:
    """What services lose, by cause."""
    parts = {name: known.part_of_services(w, "mp8", name) for name in ("spinlock", "coherence", "upgrade")}
    values = losses(known, w)
    return "design_slow_services", parts | {
        "workload": in_text(w),
        "middle": median(values),
    }


def larger_kernel(known: Known, w: str) -> Iterator[Instance]:
    """Section 5.1: the kernel's part of busy time grows by worse memory behaviour and synchronization."""
    runs = [known.run_of(w, column) for column in ("1994", "mp8")]
    if all(runs):
        cpi = {mode: [of_mode(r, mode, cycles) / of_mode(r, mode, insns) for r in runs] for mode in ("kernel", "user")}
        yield (
            "design_larger_kernel",
            cpi
            | {
                "workload": in_text(w),
                "sync": known.services_of(w, "mp8").get("sync"),
                "sync_said": known.said("sync_mp8", w),
                "share": [known.kernel_share(w, column) for column in ("1994", "mp8")],
                "theirs": [known.said(what, w) for what in ("kernel_share", "kernel_share_mp8")],
            },
        )


def memlock(known: Known, w: str) -> Iterator[Instance]:
    """IRIX's memlock protected all physical memory; here the lock of a zone is behind lists of free pages of each
    processor."""
    run = known.run_of(w, "mp8")
    if not run.locks:
        return
    spin = [lock for lock in run.locks if lock["kind"] == "spin"]
    pattern = re.compile("rmqueue|free_pcppages_bulk|free_one_page")
    zone = [lock for lock in spin if pattern.search(lock["name"] + (lock.get("caller") or ""))]

    def waited(locks: list[Row]) -> str:
        return percent(percent_of(*(total(lock[name] for lock in locks) for name in ("contended", "acquires"))))

    yield (
        "design_memlock",
        {
            "workload": in_text(w),
            "taken": total(lock["acquires"] for lock in zone) or 0,
            "faults": run.value("annotations.events.vm_faults"),
            "zone": waited(zone),
            "spin": waited(spin),
            "sync": known.services_of(w, "mp8").get("sync"),
            "theirs": known.said("sync_mp8", w),
        },
    )


def worst_line(known: Known) -> Iterator[Instance]:
    """Section 5.3: memlock's line."""
    misses = kernel_coherence(known, "pmake")
    if known.run_of("pmake", "mp8") and misses:
        lines = by_line(known, "pmake")[:2]
        named = [(line["name"], percent_of(line["count"], sum_of(misses))) for line in lines]
        yield "design_worst_line", {"workload": in_text("pmake"), "lines": named}


def moving_processes(known: Known) -> Iterator[Instance]:
    """Section 5.3: processes that go from one processor to another."""
    run, misses = known.run_of("database", "mp8"), kernel_coherence(known, "database")
    if run and misses:
        events = run.below("annotations.events")
        yield (
            "design_moving_processes",
            {
                "workload": in_text("database"),
                "moved": percent_of(events["migrations"], events["wakeups"]),
                "per_cpu": part_of_data(misses, ["per-CPU data"]),
                "part": part_of_data(misses, PROCESS_STRUCTURES),
            },
        )


def run_queue(known: Known) -> Iterator[Instance]:
    """END IDLE."""
    run, ending = known.run_of("database", "mp8"), known.service("database", "mp8", "END IDLE")
    events = run.below("annotations.events") if run else None
    if events and ending:
        yield (
            "design_run_queue",
            {
                "wakeups": events["wakeups"],
                "moved": percent_of(events["migrations"], events["wakeups"]),
                "part": ending["coherence"] + ending["upgrade"],
                "kernel": ending["kernel"],
            },
        )


def per_100(known: Known, w: str, *causes: str) -> str:
    """The kernel's misses of a cache of 4 MB of eight CPUs per 100 instructions, all or of CAUSES. Section 5.2 reckons
    with misses that no cache avoids."""
    name = f"{w}-mp8"

    def wanted(row: Row) -> bool:
        return row["mode"] == "kernel" and (not causes or row["cause"] in causes)

    return fixed(over(known.misses(name, "figure-5.3", "4M", wanted) * 100, known.kernel_insns(name)), 3)


def later(known: Known, w: str) -> Iterator[Instance]:
    """Eight CPUs of later years."""
    communication = per_100(known, w, "coherence", "upgrade")
    runs = [known.run_of(w, column) for column in ("mp8", "1998-mp8")]
    if all(runs):
        yield (
            "design_worse_stall",
            {
                "workload": in_text(w),
                "misses": per_100(known, w),
                "communication": communication,
                "stalls": [stall_share(run, "kernel") for run in runs],
            },
        )
    gap = known.gap(w)
    if gap and gap[1] <= gap[0]:
        yield (
            "design_wider_gap",
            {
                "workload": in_text(w),
                "communication": communication,
                "other": in_text("pmake"),
                "others": per_100(known, "pmake", "coherence", "upgrade"),
                "gap": gap,
            },
        )


def instances(known: Known) -> Iterator[Instance]:
    """All of them, in the order of the page."""
    for condition in known.conditions:
        if condition["finding"] in OF_FINDING:
            yield from OF_FINDING[condition["finding"]](known, condition)
    yield from what_ifs(known)
    for w in known.having(["1994", "mp8"]):
        yield several(known, w)
        if known.services_of(w, "mp8"):
            yield slow_services(known, w)
    for w in ("pmake", "engineering"):
        yield from larger_kernel(known, w)
    several_cpus = known.having(["mp8"])
    for w in several_cpus:
        yield from memlock(known, w)
    yield from worst_line(known)
    yield from moving_processes(known)
    yield from run_queue(known)
    for w in several_cpus:
        yield from later(known, w)
