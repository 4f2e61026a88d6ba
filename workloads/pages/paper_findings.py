"""What SOSP'95 found on one CPU (sections 2 to 4): the measures of each claim of claims.toml by workload, as far as there
are runs. Those of caches of all sizes are in paper_caches.py, those of services in paper_services.py."""

from __future__ import annotations

import re
from collections.abc import Callable

from simoslab.host_files import read_text

from pages.claims import ALL, Cases
from pages.numbers import median, over, percent_of, total
from pages.paper_runs import (
    HERE,
    WORKLOADS,
    YEARS,
    Known,
    Run,
    all_cycles,
    busy,
    busy_cycles,
    busy_seconds,
    clock,
    cycles,
    hidden_part,
    kernel_mcpi,
    l2_misses,
    memory_stall,
    mode_seconds,
    of_mode,
    refill_insns,
    seconds,
    service_cycles,
    stall_but_utlb,
    stall_share,
    utlb_of,
)
from pages.paper_runs import insns as executed
from pages.paper_services import BLOCKS, COMMUNICATION, DISK, Own, part_of
from pages.tables import Row


def validation(known: Known) -> Cases:
    """Table 2.1: a parallel make on a cluster of DASH."""
    run = known.run_of("pmake", "dash")
    if not run:
        return {}
    misses = {mode: of_mode(run, mode, l2_misses) for mode in ("kernel", "user")}
    shares = {mode: percent_of(of_mode(run, mode, cycles), all_cycles(run)) for mode in ("kernel", "user", "idle")}
    return {ALL: shares | {"misses": percent_of(misses["kernel"], total(misses.values()))}}


def _call_names() -> dict[str, str]:
    """The names of the kernel's system calls by number."""
    lines = read_text(HERE.parent.parent / "annotations/linux/syscalls.tcl").splitlines()
    words = (line.split() for line in lines if line.startswith("service syscall "))
    return {number: name for _, _, number, name in words}


def validation_counts(known: Known) -> Cases:
    """Section 2.1.2: the compiler's system calls here and under another emulator."""
    run = known.run_of("pmake", "whole")
    calls = run.collected("system calls of the compiler") if run else {}
    if not calls or not known.outside:
        return {}
    names = _call_names()
    here = {names[number]: count for number, count in calls.items()}
    differ = sum(abs(here.get(name, 0) - known.outside.get(name, 0)) for name in here | known.outside)
    return {ALL: {"here": total(here.values()), "there": total(known.outside.values()), "differ": differ}}


def base_kernel(known: Known) -> Cases:
    """Section 4.1: the kernel's part of the non-idle time in 1994."""
    return {w: {"share": known.kernel_share(w, "1994")} for w in known.having(["1994"])}


def base_idle(known: Known) -> Cases:
    """Section 4.1: idle time in 1994."""
    return {w: {"idle": known.idle_share(w, "1994")} for w in known.having(["1994"]) if w == "database"}


def little_idle(known: Known) -> Cases:
    """The same where there is little."""
    return {w: {"idle": known.idle_share(w, "1994")} for w in known.having(["1994"]) if w == "pmake"}


def spikes(known: Known) -> Cases:
    """Section 4.1: the kernel's part of the busy time, interval by interval."""
    run = known.run_of("pmake", "1994")
    pairs = zip(run.over_time["kernel"], run.over_time["user"]) if run else []
    parts = [percent_of(kernel, kernel + user) for kernel, user in pairs]
    values = [part for part in parts if part is not None]
    return {"pmake": {"most": max(values), "middle": median(values)}} if values else {}


def comb(known: Known) -> Cases:
    """Section 4.1: the two programs that have most of the time in programs, and their stall cycles an instruction."""
    run = known.run_of("engineering", "1994")
    programs = sorted(run.programs.items() if run else [], key=lambda program: -cycles(program[1]))
    if len(programs) < 2:
        return {}
    two = dict(programs[:2])
    stalls = {name: account["stall"] / account["insns"] for name, account in two.items()}
    part = percent_of(total(map(cycles, two.values())), total(cycles(account) for _, account in programs))
    return {"engineering": {"two": list(two), "part": part, "stalls": stalls, "least": min(stalls.values()), "most": max(stalls.values())}}


def _base_events(known: Known) -> Row | None:
    """Events a second in 1994 by workload, if there are all."""
    first = known.having(["1994"])
    return {w: known.services_of(w, "1994")["rates"] for w in first} if set(first) == set(WORKLOADS) else None


def base_rates(known: Known) -> Cases:
    """Section 4.1: events a second in 1994, the database's and the most of the others."""
    rates = _base_events(known)
    if not rates:
        return {}
    events = {"calls": "system_calls", "switches": "context_switches", "disks": "disk I/Os"}
    own = {name: rates["database"].get(event) for name, event in events.items()}
    others = {
        f"other_{name}": max(rates[w].get(event) or 0 for w in rates if w != "database")
        for name, event in events.items()
    }
    return {ALL: own | others}


def base_disks(known: Known) -> Cases:
    """The same, of the disks' requests."""
    return base_rates(known)


def few_calls(known: Known) -> Cases:
    """Section 4.1: engineering's system calls a second in 1994, and the least of the others."""
    rates = _base_events(known)
    if not rates:
        return {}
    calls = {w: rates[w].get("system_calls") or 0 for w in rates}
    return {ALL: {"calls": calls.pop("engineering"), "others": min(calls.values())}}


def base_stall(known: Known) -> Cases:
    """Section 4.1: memory stall in percent of the busy time in 1994."""
    stalls = {w: percent_of(busy(run, memory_stall), busy(run, cycles)) for w in WORKLOADS if (run := known.run_of(w, "1994"))}
    return {ALL: stalls} if len(stalls) == len(WORKLOADS) else {}


def speedup_all(known: Known) -> Cases:
    """Section 4.2: how much faster all of it is in 1998."""
    listed = known.having(["1994", "1998"])
    return {w: {"all": known.gain(w, "1998", seconds)} for w in listed if w != "pmake"}


def speedups(known: Known) -> Cases:
    """Section 4.2: how much faster the non-idle time is in 1996 and 1998; and without the TLB refill handler."""

    def but_utlb(run: Run) -> float:
        return busy_seconds(run) - service_cycles(run, "UTLB") / clock(run)

    return {
        w: {
            "gain": [known.gain(w, year, busy_seconds) for year in ("1996", "1998")],
            "rest": [known.gain(w, year, but_utlb) for year in ("1996", "1998")],
        }
        for w in known.having(["1994", "1996", "1998"])
    }


def mcpi_now(known: Known) -> Cases:
    """Section 4.2: the part of their time that later machines would stall with the memory stall cycles an instruction
    of 1994."""
    parts = []
    for w in known.having(["1994", "1996", "1998"]):
        old = known.run_of(w, "1994")
        stall = busy(old, memory_stall) / busy(old, executed)
        for year in ("1996", "1998"):
            run = known.run_of(w, year)
            rest = (busy(run, busy_cycles) - busy(run, memory_stall)) / busy(run, executed)
            parts.append(stall / (stall + rest) * 100)
    return {ALL: {"least": min(parts), "most": max(parts)}} if parts else {}


def mcpi(known: Known) -> Cases:
    """Section 4.2: the kernel's memory stall cycles an instruction by year."""
    return {
        w: {"mcpi": [kernel_mcpi(known.run_of(w, year)) for year in ("1994", "1998")]}
        for w in known.having(["1994", "1998"])
    }


def _both_mcpi(known: Known, w: str) -> Row:
    run = known.run_of(w, "1998")
    user = of_mode(run, "user", memory_stall) / of_mode(run, "user", executed)
    return {"kernel": kernel_mcpi(run), "user": user}


def large_programs(known: Known) -> Cases:
    """Section 4.2, figure 4.4: memory stall cycles an instruction in 1998 of kernel and programs, where these are
    large."""
    return {w: _both_mcpi(known, w) for w in known.having(["1998"]) if w != "pmake"}


def large_stall(known: Known) -> Cases:
    """Section 4.2: memory stall of large programs in 1998, in percent of their time."""
    listed = [w for w in known.having(["1998"]) if w != "pmake"]
    return {w: {"stall": stall_share(known.run_of(w, "1998"), "user")} for w in listed}


def small_programs(known: Known) -> Cases:
    """The same where they are small."""
    return {w: _both_mcpi(known, w) for w in known.having(["1998"]) if w == "pmake"}


def disks(known: Known) -> Cases:
    """Section 4.2, note 2: memory stall cycles an instruction, not idle, with disks 100 times as fast."""
    cases: dict[str, Row] = {}
    for w in ("pmake", "database"):
        runs = [known.run_of(name, "1994") for name in (w, f"{w}-fast-disks")]
        if all(runs):
            cases[w] = {"stall": [busy(run, memory_stall) / busy(run, executed) for run in runs]}
    return cases


ORIGIN = re.compile("(?P<operation>read|write) of (?P<what>metadata|file|device) by (?P<process>.*)")


def _part_of_requests(known: Known, workload: str, **of: str) -> Row:
    """The reads and writes of a whole workload that fit OF (whole.tcl), in percent, and how many there are; nothing without."""
    run = known.run_of(workload, "whole")
    origins = run.collected("disk requests by origin") if run else {}
    found = [(match.groupdict(), count) for name, count in origins.items() if (match := ORIGIN.fullmatch(name))]
    every = total(count for _, count in found)
    if not every:
        return {}
    fits = total(count for words, count in found if of.items() <= words.items())
    return {"part": percent_of(fits or 0, every), "requests": every}


def metadata_most(known: Known) -> Cases:
    """Section 4.2: the disk's requests that write the file system's metadata."""
    found = _part_of_requests(known, "pmake", operation="write", what="metadata")
    return {"pmake": found} if found else {}


def raw_disk(known: Known) -> Cases:
    """Section 4.2: the disk's requests that the server makes, and those past the file system."""
    server, device = (_part_of_requests(known, "database", **of) for of in ({"process": "postgres"}, {"what": "device"}))
    return {"database": {"server": server["part"], "device": device["part"]}} if server else {}


def metadata(known: Known) -> Cases:
    """Section 4.2: the sector that most of the disk's requests write."""
    run = known.run_of("pmake", "1994")
    by_place = run.collected("disk requests") if run else {}
    every = total(by_place.values())
    writes = {name: count for name, count in by_place.items() if name.startswith("write ")}
    if not every or not writes:
        return {}
    most = max(writes, key=lambda name: writes[name])
    return {"pmake": {"sector": most, "part": percent_of(writes[most], every)}}

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


def io_most(known: Known) -> Cases:
    """The same in 1998."""
    return {w: {"late": known.idle_share(w, "1998")} for w in known.having(["1998"]) if w == "database"}


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
            of_insns = of_mode(run, "kernel", lambda account: account["stall.l1i"] + account["stall.l2i"])
            parts.append(percent_of(of_insns, of_mode(run, "kernel", memory_stall)))
        cases[w] = {"parts": parts}
    return cases


def alike(known: Known) -> Cases:
    """How much faster kernel and programs are in 1998."""
    return {
        w: {mode: known.gain(w, "1998", mode_seconds(mode)) for mode in ("kernel", "user")}
        for w in known.having(["1994", "1998"])
    }


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


def l2_overlap(known: Known) -> Cases:
    """Section 4.3: how often second-level misses of the kernel are outstanding together, and what of their latency that hides."""
    cases: dict[str, Row] = {}
    for w in known.having(["1996", "1998"]):
        counts = {year: known.run_of(w, year).below("cpu0.mxs.outstanding.kernel") for year in ("1996", "1998")}
        if all(counts.values()):
            several = {year: percent_of(of["several"], of["any"]) for year, of in counts.items()}
            hidden = [percent_of(of["total"] - of["any"], of["total"]) for of in counts.values()]
            cases[w] = {"several": several, "hidden": hidden}
    return cases


def left_1998(known: Known) -> Cases:
    """Section 4.5: the kernel's stall in 1998 by first-level misses, and by cold ones of the second level: its part of the misses,
    of instructions and of data, as they are classified."""
    run = known.run_of("pmake", "1998")
    classes = {kind: run.below(f"cpu0.l2.miss.{kind}.kernel") for kind in ("insn", "data")} if run else {}
    misses = {kind: total(n for name, n in of.items() if name != "upgrade") for kind, of in classes.items()}
    if not misses or not all(misses.values()):
        return {}
    stall = run.modes["kernel"]
    first, second = ("l1i", "l1d"), {"l2i": "insn", "l2d": "data"}
    every = total(stall[f"stall.{name}"] for name in (*first, *second))
    cold = total(stall[f"stall.{name}"] * classes[kind]["cold"] / misses[kind] for name, kind in second.items())
    parts = {"first": total(stall[f"stall.{name}"] for name in first), "cold": cold}
    return {"pmake": {name: percent_of(part, every) for name, part in parts.items()}}


def l1_hidden(known: Known) -> Cases:
    """Section 4.3: what out-of-order execution hides of the kernel's first-level stall."""
    return {
        w: {"hidden": [_hidden(known, w, year, ["l1i", "l1d"]) for year in ("1996", "1998")]}
        for w in _with_statics(known)
    }


def block_copies(known: Known) -> Cases:
    """Section 4.5: what it hides of the first-level data stall of the services that copy and clear blocks."""
    runs = [known.run_of("pmake", column) for column in ("1998-static", "1998")]
    if not all(runs):
        return {}
    rates = []
    for run in runs:
        listed = [run.services[name] for name in BLOCKS if name in run.services]
        rates.append(over(total(one["stall.l1d"] for one in listed), total(one["insns"] for one in listed)))
    left = over(rates[1], rates[0])
    return {} if left is None else {"pmake": {"hidden": (1 - left) * 100}}

def refill(known: Known) -> Cases:
    """Section 4.5: the instructions of a TLB refill."""
    runs = {w: run for w in known.having(["1994"]) if utlb_of(run := known.run_of(w, "1994"))}
    return {ALL: {"insns": max(map(refill_insns, runs.values()))}} if runs else {}


def utlb_busy(known: Known) -> Cases:
    """Section 4.5: the refill handler's part of the non-idle time in 1998."""
    cases: dict[str, Row] = {}
    for w in ("database", "engineering"):
        run = known.run_of(w, "1998")
        if run:
            cases[w] = {"share": percent_of(service_cycles(run, "UTLB"), busy(run, cycles))}
    return cases


def database_groups(known: Known) -> Cases:
    """Section 4.5: the database's services by what they are for."""
    rows = Own(known).one("database")
    parts = {"communication": part_of(rows, "share94", COMMUNICATION), "disk": part_of(rows, "share94", DISK)}
    return {"database": parts} if rows else {}

FINDINGS: dict[str, Callable[[Known], Cases]] = {
    function.__name__: function
    for function in (
        *(validation, validation_counts, base_kernel, little_idle, base_idle, spikes, comb, base_rates, few_calls, base_stall, speedup_all),
        *(speedups, large_stall, base_disks),
        *(l2_overlap, left_1998, raw_disk, metadata_most),
        *(io, io_grows, io_most, metadata, alike, memory, memory_but_utlb, memory_later, mcpi, mcpi_now, insns, large_programs),
        *(small_programs, disks, tolerance_levels, l1_hidden, tolerance_insns, block_copies, database_groups, refill),
        utlb_busy,
    )
}
# Claims of what other claims measure, too.
FINDINGS |= {name: validation for name in ("validation_user", "validation_idle", "validation_misses")}
FINDINGS |= {"insns_part": insns}
