"""What the paper on I/O interrupts states, in figures, the paper's and ours by one rule; why there are two modes, why more
is counted than in the paper, and what a thread for the network changes."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from simoslab.host_files import read_text

from pages.claims import Claim
from pages.experiments import (
    GROUPS,
    LARGER,
    LARGER_TIMES,
    OWN,
    STOCK,
    THREADED,
    Experiment,
    Experiments,
    Run,
    by_service,
    events_that_tell,
    half_width,
)
from pages.numbers import DASH, fixed, mean, over, percent_of
from pages.tables import Row, cell, grey

JOBS = Path(__file__).parent.parent / "jobs"
MACHINES = {"origin-200": "Origin 200", "ultra-1": "Ultra-1"}
LEVELS = {"l1d": "L1-D", "l1i": "L1-I", "l2": "L2"}
# The services of TLB refills, of addresses of programs and of the kernel.
REFILLS = ("UTLB", "KTLB")

# An effect on the program of this part of the lines of a cache is as large as the cache: more cannot be told.
SATURATED = 0.9



class Lines(Protocol):
    """The lines that a program misses with an interrupt more than without: of a machine, a cache, a scenario and a mode; or the
    lines of a scenario of table 3, such as "idle-once"."""

    def __call__(self, machine: str, cache: str, scenario: str, mode: str) -> float | None: ...

    def whole(self, machine: str, cache: str, scenario: str) -> int:
        """The lines of the cache in which those of a scenario in user mode were counted."""

    def among(self, *scenarios: str, machines: tuple[str, ...] = ()) -> Lines:
        """The same for a comparison of SCENARIOS, of one machine or of MACHINES: in caches of one size."""


@dataclass(frozen=True)
class Condition:
    """What of the paper's an experiment puts back: the request excluded, because the cache is filled behind it; a read by the
    kernel itself instead of a thread of glibc; a thread of the kernel for the network on these machines; the larger first level."""

    filled: bool = False
    direct: bool = False
    threads: tuple[str, ...] = ()
    larger: bool = False


# The experiments of claims.toml.
CONDITIONS = {
    "direct": Condition(direct=True),
    "filled": Condition(filled=True),
    "direct_filled": Condition(filled=True, direct=True),
    "larger": Condition(larger=True),
    "larger_direct_filled": Condition(filled=True, direct=True, larger=True),
    "thread": Condition(threads=("origin-200",)),
    "thread_direct": Condition(direct=True, threads=("origin-200",)),
    "thread_direct_filled": Condition(filled=True, direct=True, threads=("origin-200",)),
}


@dataclass(frozen=True)
class Shape:
    """A cache: its lines, and their bytes."""

    lines: int
    bytes: int


def shapes() -> dict[str, dict[str, Shape]]:
    """The caches of each machine, by what its workload is given."""
    found = {}
    for machine in MACHINES:
        text = read_text(JOBS / f"interrupts-{machine}.list")
        caches = re.findall(r"(l1d|l1i|l2)=(\d+):(\d+):", text)
        found[machine] = {cache: Shape(int(size) // int(line), int(line)) for cache, size, line in caches}
    return found


def lines_in(machine: str, cache: str, caches: str) -> int:
    """The lines of a cache of the machine as it is, or with a larger first level."""
    return shapes()[machine][cache].lines * (LARGER_TIMES if caches == LARGER and cache != "l2" else 1)


def is_saturated(machine: str, cache: str, effect: Experiment | None, mode: str, caches: str = OWN) -> bool:
    """Whether as many lines as the cache has were counted in user mode, or nearly."""
    if effect is None or effect.mean is None or mode != "user":
        return False
    return effect.mean >= SATURATED * lines_in(machine, cache, caches)


def names() -> dict[str, str]:
    """The names of cases in text."""
    return {
        **MACHINES,
        **LEVELS,
        **{f"{m}, {c}": f"{MACHINES[m]}, {LEVELS[c]}" for m in MACHINES for c in LEVELS},
        **{f"{d}, {c}": f"{d}, {LEVELS[c]}" for d in ("disk", "network") for c in LEVELS},
        **{f"{m}, {d}": f"{MACHINES[m]}, {d}" for m in MACHINES for d in ("disk", "network")},
    }


def cases_of(lines: Lines) -> dict[str, dict[str, dict[str, Any]]]:
    """The cases of each claim of claims.toml, measured: LINES are the paper's, or ours. What is not known is left out."""
    caches = shapes()
    cases: dict[str, dict[str, dict[str, Any]]] = {}

    def add(claim: str, case: str, **measures: Any) -> None:
        if None not in measures.values():
            cases.setdefault(claim, {})[case] = measures

    def kilobytes(machine: str, cache: str, of: Lines = lines) -> float | None:
        found = of(machine, cache, "disk", "user")
        return None if found is None else found * caches[machine][cache].bytes / 1024

    def is_full(of: Lines, machine: str, cache: str, scenario: str) -> bool:
        found = of(machine, cache, scenario, "user")
        return found is not None and found >= SATURATED * of.whole(machine, cache, scenario)

    # In caches of one size: a disk interrupt with and without a signal; disk and network; the same on both machines. And in those that
    # the machine has, as the kernel's misses are.
    signals, devices, own = lines.among("disk", "signal"), lines.among("disk", "network"), lines.among()
    disks, networks = (lines.among(device, machines=tuple(MACHINES)) for device in ("disk", "network"))

    def plus(*values: float | None) -> float | None:
        return None if None in values else sum(values)

    for machine in MACHINES:
        user = {c: lines(machine, c, "disk", "user") for c in LEVELS}
        replaced = {d: {c: own(machine, c, d, "user") for c in LEVELS} for d in ("disk", "network")}
        disk, network = ({c: devices(machine, c, d, "user") for c in LEVELS} for d in ("disk", "network"))
        for claim, cache in (("footprint_data", "l1d"), ("footprint_code", "l1i")):
            whole = lines.whole(machine, cache, "disk")
            add(claim, machine, lines=user[cache], kilobytes=kilobytes(machine, cache), whole=whole)
        for cache in LEVELS:
            case, whole = f"{machine}, {cache}", devices.whole(machine, cache, "disk")
            both = {name: signals(machine, cache, of, "user") for name, of in (("plain", "disk"), ("signal", "signal"))}
            add("signal", case, **both, whole=signals.whole(machine, cache, "disk"))
            add("network_above_disk", case, disk=disk[cache], network=network[cache], whole=whole)
            if machine == "origin-200":
                add("network_handler", cache, **{d: lines(machine, cache, d, "kernel") for d in ("disk", "network")})
                add("network_uncounted", cache, kernel=lines(machine, cache, "network", "kernel"), user=replaced["network"][cache])
                for device in ("disk", "network"):
                    level, both = (lines(machine, cache, device, mode) for mode in ("exception", "kernel"))
                    add("exception_mode", f"{device}, {cache}", level=level, both=both, share=percent_of(level, both))
                add("handler_thread", cache, kernel=lines(machine, cache, "disk", "kernel"), user=replaced["disk"][cache])
        add("kernel_code", machine, kernel=lines(machine, "l1i", "disk", "kernel"), user=replaced["disk"]["l1i"])
        first = plus(replaced["disk"]["l1d"], replaced["disk"]["l1i"])
        add("level_sum" if machine == "origin-200" else "level_overlap", machine, first=first, second=user["l2"])
        times = {c: over(network[c], disk[c]) for c in LEVELS}
        if machine == "ultra-1":
            share = percent_of(user["l1i"], caches[machine]["l1i"].lines)
            add("code_polluted", machine, share=share, lines=user["l1i"], full=is_full(lines, machine, "l1i", "disk"))
            add("network_data", machine, data=times["l1d"], code=times["l1i"])
        else:
            add("disk_effect", machine, lines=user["l1d"], whole=lines.whole(machine, "l1d", "disk"))
            add("network_code", machine, data=times["l1d"], code=times["l1i"], full=is_full(devices, machine, "l1i", "disk"))
            for cache in ("l1d", "l1i"):
                add("network_process", cache, times=times[cache], disk=disk[cache], whole=devices.whole(machine, cache, "disk"))
    sizes = {c: [kilobytes(m, c, disks) for m in MACHINES] for c in ("l1d", "l1i")}
    counts = {c: [disks(m, c, "disk", "user") for m in MACHINES] for c in ("l1d", "l1i")}
    full_of = {c: [is_full(disks, m, c, "disk") for m in MACHINES] for c in counts}
    add("lines_twice", "all", times=over(*reversed(counts["l1d"])), full=any(full_of["l1d"]))
    add("code_more", "all", times=over(*reversed(sizes["l1i"])), full=any(full_of["l1i"]))
    add("disk_alike", "all", data=over(*sizes["l1d"]), code=over(*sizes["l1i"]), full=all(full_of["l1i"]))
    add("l2_alike", "all", times=over(*(lines(m, "l2", "disk", "user") for m in MACHINES)))
    add("all_processes", "all", **{m.replace("-", "_"): lines(m, "l1d", "disk", "kernel") for m in MACHINES})
    for cache in LEVELS:
        kernel, user = ([networks(m, cache, "network", mode) for m in MACHINES] for mode in ("kernel", "user"))
        members = [machine.replace("-", "_") for machine in MACHINES]
        add("network_all", cache, **dict(zip(members, kernel)))
        full = any(is_full(networks, m, cache, "network") for m in MACHINES)
        add("network_solaris", cache, **dict(zip(members, user)), full=full)
        overhead = {m.replace("-", "_"): lines(m, cache, "overhead", "user") for m in MACHINES}
        add("observer", cache, **overhead)
    once = {scenario: lines("origin-200", "l1d", f"{scenario}-once", "user") for scenario in ("idle", "disk")}
    if None not in once.values():
        basic = once["disk"] - once["idle"]
        add("basic_hides", "origin-200", basic=basic, refined=own("origin-200", "l1d", "disk", "user"))
    add("idle_half", "origin-200", lines=once["idle"], whole=caches["origin-200"]["l1d"].lines)
    add("idle_many", "origin-200", lines=lines("origin-200", "l1d", "idle-repeat", "user"))
    return cases


class Counted:
    """What was counted here, with a condition of the paper put back. An effect as large as its cache is that of the larger one, and
    so are those that it is compared with (among())."""

    def __init__(
        self,
        experiments: Experiments,
        condition: Condition = Condition(),
        scenarios: tuple[str, ...] | None = None,
        machines: tuple[str, ...] = (),
    ) -> None:
        self.experiments, self.condition, self.scenarios, self.machines = experiments, condition, scenarios, machines

    def among(self, *scenarios: str, machines: tuple[str, ...] = ()) -> Lines:
        """The same for a comparison of SCENARIOS, of one machine or of MACHINES: in caches of one size. Without scenarios: in those
        that the machine has."""
        return Counted(self.experiments, self.condition, scenarios, machines)

    def effect(self, machine: str, cache: str, scenario: str, mode: str) -> tuple[Experiment | None, str]:
        """The effect of a scenario, and the caches that it was counted in."""
        larger = self._in_caches(machine, cache, scenario, mode, LARGER) if mode == "user" and self._is_full(machine, cache, scenario) else None
        return (larger, LARGER) if larger else (self._in_caches(machine, cache, scenario, mode, OWN), OWN)

    def _in_caches(self, machine: str, cache: str, scenario: str, mode: str, caches: str) -> Experiment | None:
        of = self.condition
        pattern = "filled" if of.filled and mode == "user" else "repeat"
        kernel = THREADED if scenario == "network" and machine in of.threads else STOCK
        name = "direct" if of.direct and scenario == "disk" else scenario
        return self.experiments.effect(machine, cache, name, mode, pattern, kernel, caches)

    @functools.cache
    def _is_full(self, machine: str, cache: str, scenario: str) -> bool:
        if self.condition.larger:
            return True
        scenarios = (scenario,) if self.scenarios is None else self.scenarios
        own = [(of, self._in_caches(of, cache, one, "user", OWN)) for of in self.machines or (machine,) for one in scenarios]
        return any(is_saturated(of, cache, effect, "user") for of, effect in own)

    def __call__(self, machine: str, cache: str, scenario: str, mode: str) -> float | None:
        if scenario.endswith(("-once", "-repeat")):
            name, pattern = scenario.split("-")
            pattern = "filled-once" if self.condition.filled and pattern == "once" else pattern
            one = self.experiments.one(machine, cache, name, pattern, mode)
        else:
            one, _ = self.effect(machine, cache, scenario, mode)
        return one.mean if one else None

    def whole(self, machine: str, cache: str, scenario: str) -> int:
        """The lines of the cache in which those of a scenario in user mode were counted."""
        return lines_in(machine, cache, self.effect(machine, cache, scenario, "user")[1])


class LinesPrinted:
    """What the paper has; in kernel mode with exception level, as we count it."""

    def __init__(self, rows: list[Row]) -> None:
        self.rows = rows

    def __call__(self, machine: str, cache: str, scenario: str, mode: str) -> float | None:
        modes = ("kernel", "exception") if mode == "kernel" else (mode,)
        wanted = [
            row[machine]
            for row in self.rows
            if (row["cache"], row["scenario"]) == (cache, scenario) and row["mode"] in modes
        ]
        known = [value for value in wanted if value is not None]
        return sum(known) if known else None

    def whole(self, machine: str, cache: str, _scenario: str) -> int:
        """The lines of the machine's cache."""
        return lines_in(machine, cache, OWN)

    def among(self, *_scenarios: str, machines: tuple[str, ...] = ()) -> Lines:
        """The paper has one cache of each machine."""
        del machines
        return self


def conditions_back(table: list[Claim], experiments: Experiments) -> dict[str, dict[str, dict[str, dict[str, Any]]]]:
    """The cases of the claims' experiments, as far as what they need was counted."""
    back: dict[str, dict[str, dict[str, dict[str, Any]]]] = {}
    for name, condition in CONDITIONS.items():
        cases = {**cases_of(Counted(experiments, condition)), **more_cases(experiments, condition)}
        for claim in table:
            if claim.name in cases and name in (one.name for one in claim.experiment):
                back.setdefault(claim.name, {})[name] = cases[claim.name]
    return back


def refills_more(experiments: Experiments, machine: str, scenario: str, kernel: str = STOCK) -> float | None:
    """The TLB refills in a window with an interrupt more than in one without, of a program that fills L1-D."""
    idle = "idle-network" if scenario == "network" else "idle"
    of = [experiments.one(machine, "l1d", name, "repeat", "user", kernel) for name in (scenario, idle)]
    if None in of:
        return None
    counts = [[sum(run["events"].get(name, 0) for name in REFILLS) for mode in one.modes for run in mode] for one in of]
    return mean(counts[0]) - mean(counts[1])


def more_cases(experiments: Experiments, condition: Condition = Condition()) -> dict[str, dict[str, dict[str, Any]]]:
    """The cases of the claims that the paper has no figures of."""
    keys = experiments.keys()
    stock = [experiments.one(*key) for key in keys if key[4] != "exception" and key[5:] == (STOCK, OWN)]
    cases: dict[str, dict[str, dict[str, Any]]] = {}
    if stock:
        wide = sum(not one.is_narrow for one in stock)
        cases["noise"] = {"all": {"experiments": len(stock), "wide": wide}}
    for machine, name in MACHINES.items():
        for device in ("disk", "network"):
            scenario = "direct" if condition.direct and device == "disk" else device
            refills = refills_more(experiments, machine, scenario)
            if refills is not None:
                cases.setdefault("kernel_tlb", {})[f"{machine}, {device}"] = {"refills": refills}
        for cache, level in LEVELS.items():
            pattern = "filled" if condition.filled else "repeat"
            plain, threaded = both_kernels(experiments, machine, cache, pattern)
            whole = lines_in(machine, cache, OWN)
            if any(is_saturated(machine, cache, one, "user") for one in (plain, threaded)):
                larger = both_kernels(experiments, machine, cache, pattern, LARGER)
                if None not in larger:
                    (plain, threaded), whole = larger, lines_in(machine, cache, LARGER)
            if plain and threaded and plain.same_ticks and threaded.same_ticks:
                measures = {"plain": plain.same_ticks[0], "threaded": threaded.same_ticks[0], "whole": whole}
                cases.setdefault("context_switch", {})[f"{name}, {level}"] = measures
    return cases


def both_kernels(
    experiments: Experiments, machine: str, cache: str, pattern: str = "repeat", caches: str = OWN
) -> tuple[Experiment | None, Experiment | None]:
    """The effect of a message in user mode with the kernel as it is, and with a thread."""
    return (
        experiments.effect(machine, cache, "network", "user", pattern, STOCK, caches),
        experiments.effect(machine, cache, "network", "user", pattern, THREADED, caches),
    )


def threads_table(experiments: Experiments) -> list[list[Any]]:
    """A row for each effect that was counted with both, between windows with as many clock interrupts."""
    rows = []
    for machine, name in MACHINES.items():
        for cache, level in LEVELS.items():
            plain, threaded = both_kernels(experiments, machine, cache)
            if plain and threaded and plain.same_ticks and threaded.same_ticks:
                seen = [fixed(threaded.seen[group] - plain.seen[group], 1) for group in GROUPS]
                times = fixed(over(threaded.same_ticks[0], plain.same_ticks[0]), 2)
                rows.append([name, level, plain.at_same_ticks, threaded.at_same_ticks, times, *seen])
    return rows


def causes_table(experiments: Experiments, printed: Lines) -> list[list[Any]]:
    """Why more is counted than in the paper, disk interrupts in user mode: by cause, and by what is left when a cause is
    taken away."""
    rows = []
    for machine, name in MACHINES.items():
        for cache, level in LEVELS.items():
            effect = experiments.effect(machine, cache, "disk", "user")
            if effect is None:
                continue
            paper = printed(machine, cache, "disk", "user")
            cells = [name, level, grey(paper), fixed(effect.mean, 1), fixed(over(effect.mean, paper), 1)]
            order = ("handler", "softirqs", "woken", "before", "program", "clock")
            cells += [fixed(effect.seen[group], 1) for group in order]
            for scenario, pattern in (("disk", "filled"), ("direct", "repeat"), ("direct", "filled")):
                one = experiments.effect(machine, cache, scenario, "user", pattern)
                cells.append(one.interval if one else DASH)
            cells.append(fixed(over(one.mean, paper), 1) if one else DASH)
            rows.append(cells)
    return rows


def ticks_table(experiments: Experiments) -> list[list[Any]]:
    """What one clock interrupt costs an idle program, against the whole effect of a disk interrupt: the shortest path through
    the kernel that there is."""
    rows = []
    for machine, name in MACHINES.items():
        for cache, level in LEVELS.items():
            idle = experiments.one(machine, cache, "idle", "repeat", "user")
            if idle is None:
                continue
            runs = [run for mode in idle.modes for run in mode]
            ticks = mean([run["events"].get("CLOCK INT", 0) for run in runs])
            lines = over(idle.seen["clock"], ticks)
            shape = shapes()[machine][cache]
            size = None if lines is None else lines * shape.bytes / 1024
            rows.append([name, level, fixed(ticks, 1), fixed(lines, 1), fixed(size, 1)])
    return rows


def describe(mode: list[Run], whole: int) -> str:
    """A mode: its share of the runs, its mean and interval."""
    counts = [run["count"] for run in mode]
    half = half_width(counts)
    text = fixed(mean(counts), 1) + ("" if half is None else f" ± {fixed(half, 1)}")
    return f"{len(mode)} of {whole} ({fixed(percent_of(len(mode), whole), 0)} %): {text}"


def why_two(modes: list[list[Run]], mode: str) -> str:
    """What tells two modes apart: what happened in their windows, and which services have the difference."""
    low, high = modes
    told = [
        f"{event} {fixed(below, 1)} and {fixed(above, 1)} times ({right} of {len(low) + len(high)} runs)"
        for event, below, above, right in events_that_tell(low, high)
    ]
    seen = [[by_service(run, mode) for run in part] for part in (low, high)]
    services = sorted({service for part in seen for one in part for service in one})
    means = [{name: mean([one.get(name, 0) for one in part]) for name in services} for part in seen]
    more = {name: means[1][name] - means[0][name] for name in services}
    largest = [name for name in sorted(more, key=lambda name: -abs(more[name]))[:2] if abs(more[name]) >= 0.5]
    parts = ", ".join(f"{name} {'+' if more[name] > 0 else ''}{fixed(more[name], 0)}" for name in largest)
    return f"{'; '.join(told) or 'no event tells them apart'}. Misses seen: {parts or 'as many'}"


def modes_table(experiments: Experiments) -> list[list[Any]]:
    """A row for each experiment whose counts have two modes."""
    rows = []
    for key in experiments.keys():
        one = experiments.one(*key)
        if len(one.modes) == 2:
            machine, cache, scenario, pattern, mode, *more = key
            what = [MACHINES[machine], LEVELS[cache], mode, scenario, pattern, *(word for word in more if word)]
            both = [describe(part, one.kept) for part in one.modes]
            rows.append([", ".join(what), *both, cell(why_two(one.modes, mode), "why")])
    return rows


def modes_told(experiments: Experiments) -> dict[str, Any]:
    """How many experiments have two modes, of how many the clock interrupts in the window tell most runs apart, and how many
    runs are outliers."""
    keys = experiments.keys()
    all_of = [experiments.one(*key) for key in keys]
    two = [one for one in all_of if len(one.modes) == 2]
    clock = sum(any(event[0] == "CLOCK INT" for event in events_that_tell(*one.modes)) for one in two)
    lost = sum(one.runs - one.kept > 0.3 * one.runs for one in all_of)
    return {"experiments": len(keys), "two": len(two), "clock": clock, "lost": lost}
