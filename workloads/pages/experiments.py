"""What a program in the guest counted of interrupts, and what simos saw in the same windows (section 2 of Schaelicke,
Davis and McKee 1999)."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from simoslab.host_files import read_text

from pages.numbers import DASH, Number, fixed, mean, median, total

# Who displaces and who misses, in groups; what is in none is of the processes and kernel threads that were woken. Lines
# that were not there when counting began were displaced before: by the request and what came before it.
GROUPS = ["handler", "softirqs", "woken", "clock", "counters", "program", "before"]
GROUP_OF = {
    "DISK INT": "handler",
    "NET INT": "handler",
    "SW INT": "softirqs",
    "CLOCK INT": "clock",
    "ioctl": "counters",
    "(cold)": "before",
    "USER": "program",
    "UTLB": "program",
    "PFAULT": "program",
}

# Student's t for 95 %, by degrees of freedom from 1.
STUDENT = [
    *(
        12.706,
        4.303,
        3.182,
        2.776,
        2.571,
        2.447,
        2.365,
        2.306,
        2.262,
        2.228,
        2.201,
        2.179,
        2.160,
        2.145,
        2.131,
        2.120,
        2.110,
    ),
    *(2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
]

Run = dict[str, Any]


# The experiments that are made as the kernel is, and with a kernel thread for what the network's softirq does.
STOCK, THREADED = "", "threaded"
# The caches of the machine; or a first level that is larger, by this factor (LARGER of interrupts.sh).
OWN, LARGER, LARGER_TIMES = "", "larger", 4
TICKS = "CLOCK INT"


def read_runs(counted: Path, seen: Path, machine: str, kernel: str = STOCK, caches: str = OWN) -> list[Run]:
    """The runs of one machine with these CACHES, device and KERNEL: what the guest counted, a line each in COUNTED, beside what
    simos saw in the same window, a line each in SEEN. A message whose interrupt came before the window was not done in it. Ends if
    there are not as many of both."""

    def lines(path: Path, start: str) -> list[str]:
        text = (re.sub(r"^client\| ", "", line) for line in read_text(path).splitlines())
        return [line for line in text if re.match(start, line)]

    counts = [line.split(" ") for line in lines(counted, "(l1d|l1i|l2) ")]
    windows = [json.loads(line.removeprefix("window ")) for line in lines(seen, "window ")]
    if not counts or len(counts) != len(windows):
        raise SystemExit(f"interrupts: {machine}: {len(counts)} counts, but {len(windows)} windows")
    return [
        {
            "machine": machine,
            "kernel": kernel,
            "caches": caches,
            "cache": words[0],
            "scenario": words[1],
            "pattern": words[2],
            "mode": words[3],
            "run": int(words[4]),
            "count": int(words[5]),
            "done": words[6] == "1" and (words[1] != "network" or "NET INT" in window["events"]),
            "misses": window[words[0]],
            "exception": window["exception"][words[0]],
            "events": window["events"],
        }
        for words, window in zip(counts, windows)
    ]


def at_exception_level(runs: list[Run]) -> list[Run]:
    """The RUNS in kernel mode once more, with the misses of the counting process at exception level as their counts: simos sees
    them; Linux's counters do not tell the two apart."""
    return [{**run, "mode": "exception", "count": run["exception"], "misses": {}} for run in runs if run["mode"] == "kernel"]


def group_of(name: str) -> str:
    """The group of a service or a process."""
    return GROUP_OF.get(name) or ("program" if name.startswith("(") else "woken")


def by_service(run: Run, mode: str) -> dict[str, Number]:
    """The misses of MODE in a window by service: in user mode by who displaced the line, in the kernel by who missed."""
    misses = run["misses"]
    if mode == "user":
        return dict(misses.get("USER", {}))
    return {name: total(by.values()) or 0 for name, by in misses.items() if name != "USER"}


def by_group(run: Run, mode: str) -> dict[str, Number]:
    """The same by group."""
    found: dict[str, Number] = {}
    for name, misses_of in by_service(run, mode).items():
        found[group_of(name)] = found.get(group_of(name), 0) + misses_of
    return found


# A distribution has two modes if they are this many deviations apart, and this part of the mean: Ashman's D (Ashman, Bird
# and Zepf 1994), with medians and median absolute deviations. Each has at least this part of the runs. The division is the
# one with the least squares within the two, which makes D large of any sample: of one normal mode 2.5 % of samples of 16
# runs, and 0.6 % of 24, have more (tests/python/test_interrupts.py).
MODES_APART, MODES_PART, MODE_SHARE, MODE_RUNS = 6.0, 0.05, 0.2, 3


def spread(values: list[Number]) -> tuple[Number, Number]:
    """The median, and the standard deviation estimated by the median absolute deviation."""
    middle = median(values)
    return middle, 1.4826 * median(abs(value - middle) for value in values)


def two_modes(counts: list[Number]) -> tuple[float, float]:
    """Ashman's D of the best division of COUNTS into two, and the least count of the upper one; D is 0 if there are too
    few counts."""
    ordered = sorted(counts)
    least = max(MODE_RUNS, math.ceil(len(ordered) * MODE_SHARE))

    def within(values: list[Number]) -> float:
        middle = sum(values) / len(values)
        return sum((value - middle) ** 2 for value in values)

    places = range(least, len(ordered) - least + 1)
    if not places:
        return 0.0, math.inf
    at = min(places, key=lambda place: within(ordered[:place]) + within(ordered[place:]))
    (low, low_spread), (high, high_spread) = spread(ordered[:at]), spread(ordered[at:])
    return (high - low) / max(math.sqrt((low_spread**2 + high_spread**2) / 2), 1e-9), ordered[at]


def modes_of(runs: list[Run]) -> list[list[Run]]:
    """The runs that were done in time, without outliers, by mode: one mode, or two, the lower one first. Outliers are more
    than three median absolute deviations, and more than 3 misses, from the median of their mode (section 2.3). Runs whose
    read or answer came too late are low outliers as the paper has them."""
    done = [run for run in runs if run["done"]]
    if not done:
        return []
    apart, least = two_modes([run["count"] for run in done])
    low, high = ([run for run in done if (run["count"] >= least) == upper] for upper in (False, True))
    parts = [done]
    if low and high and apart > MODES_APART:
        middles = [median(run["count"] for run in part) for part in (low, high)]
        if middles[1] - middles[0] > MODES_PART * mean([run["count"] for run in done]):
            parts = [low, high]

    def kept(part: list[Run]) -> list[Run]:
        middle, deviation = spread([run["count"] for run in part])
        return [run for run in part if abs(run["count"] - middle) <= max(3 * deviation, 3)]

    return [kept(part) for part in parts]


def without_outliers(runs: list[Run]) -> list[Run]:
    """The runs of all modes."""
    return [run for mode in modes_of(runs) for run in mode]


def events_that_tell(low: list[Run], high: list[Run]) -> list[tuple[str, float, float, int]]:
    """What happened more often, or less, in the windows of one of two modes: the events that tell the most runs apart, each
    with how often it happened on average in the lower and the upper mode, and how many runs it tells apart."""
    found = []
    for event in sorted({name for run in low + high for name in run["events"]}):
        counts = [[run["events"].get(event, 0) for run in mode] for mode in (low, high)]
        right = max(
            max(
                sum(c < bound for c in counts[0]) + sum(c >= bound for c in counts[1]),
                sum(c >= bound for c in counts[0]) + sum(c < bound for c in counts[1]),
            )
            for bound in {*counts[0], *counts[1]}
        )
        found.append((event, mean(counts[0]), mean(counts[1]), right))
    most = max((one[3] for one in found), default=0)
    return [one for one in found if one[3] == most and most > max(len(low), len(high))]


def half_width(values: list[Number]) -> float | None:
    """Half of the 95 % interval of the mean of VALUES."""
    count = len(values)
    if count < 2:
        return None
    middle = mean(values)
    squares = total((value - middle) * (value - middle) for value in values)
    return math.sqrt(squares / (count - 1) / count) * (STUDENT[count - 2] if count - 1 <= 30 else 1.96)


@dataclass
class Experiment:
    """What was counted, and what was seen; or what more there is of it than without an interrupt."""

    runs: int
    kept: int
    mean: float | None
    half: float | None
    late: int
    seen: dict[str, Number]
    total: Number | None
    modes: list[list[Run]] = field(default_factory=list)
    same_ticks: tuple[float, float | None] | None = None

    @property
    def is_narrow(self) -> bool:
        """Whether the interval is within 5 % of the mean, as the paper asks (section 2.3)."""
        return self.half is not None and self.half <= 0.05 * abs(self.mean)

    @property
    def at_same_ticks(self) -> str:
        """The effect between windows with as many clock interrupts, with its interval."""
        if self.same_ticks is None:
            return DASH
        middle, half = self.same_ticks
        return fixed(middle, 1) + ("" if half is None else " ± " + fixed(half, 1))

    @property
    def truth(self) -> Number:
        """What the interrupt itself did: its handler, its softirqs and the threads that it woke."""
        return self.seen["handler"] + self.seen["softirqs"] + self.seen["woken"]

    @property
    def interval(self) -> str:
        """The mean with its interval."""
        if self.mean is None:
            return DASH
        return fixed(self.mean, 1) + ("" if self.half is None else " ± " + fixed(self.half, 1))


def experiment_of(runs: list[Run], mode: str) -> Experiment | None:
    """The experiment of which RUNS are the runs; None if there are none."""
    if not runs:
        return None
    kept = without_outliers(runs)
    counts = [run["count"] for run in kept]
    seen = {group: mean([by_group(run, mode).get(group, 0) for run in kept]) or 0 for group in GROUPS}
    late = sum(not run["done"] for run in runs)
    found = Experiment(len(runs), len(kept), mean(counts), half_width(counts), late, seen, total(seen.values()))
    found.modes = modes_of(runs)
    return found


def effect_at_same_ticks(with_it: list[Run], without: list[Run]) -> tuple[float, float | None] | None:
    """The difference of the means of windows in which the clock ticked as often, over the numbers of ticks that both have,
    weighted by how many pairs there are; with half of its 95 % interval. None if no number of ticks is in both."""
    by_ticks: dict[int, tuple[list[Number], list[Number]]] = {}
    for side, runs in enumerate((with_it, without)):
        for run in runs:
            by_ticks.setdefault(run["events"].get(TICKS, 0), ([], []))[side].append(run["count"])
    pairs = [(min(len(a), len(b)), mean(a) - mean(b), half_width(a), half_width(b)) for a, b in by_ticks.values() if a and b]
    whole = sum(pair[0] for pair in pairs)
    if not whole:
        return None
    known = [pair for pair in pairs if None not in pair[2:]]
    half = math.sqrt(sum((w / whole) ** 2 * (a * a + b * b) for w, _, a, b in known)) if len(known) == len(pairs) else None
    return sum(w * difference for w, difference, _, _ in pairs) / whole, half


# What an experiment is known by, as one() asks for it.
KEY = ("machine", "cache", "scenario", "pattern", "mode", "kernel", "caches")


class Experiments:
    """All runs, by what they are of."""

    def __init__(self, runs: list[Run]) -> None:
        self.runs = runs
        self._by_key: dict[tuple[str, ...], list[Run]] = {}
        for run in runs:
            self._by_key.setdefault(tuple(run[name] for name in KEY), []).append(run)

    def one(
        self, machine: str, cache: str, scenario: str, pattern: str, mode: str, kernel: str = STOCK, caches: str = OWN
    ) -> Experiment | None:
        """An experiment; None if it was not made."""
        return experiment_of(self._by_key.get((machine, cache, scenario, pattern, mode, kernel, caches), []), mode)

    def keys(self) -> list[tuple[str, str, str, str, str, str, str]]:
        """What one() is asked for to get each experiment that was made, in order."""
        return sorted(self._by_key)

    def effect(
        self,
        machine: str,
        cache: str,
        scenario: str,
        mode: str,
        pattern: str = "repeat",
        kernel: str = STOCK,
        caches: str = OWN,
    ) -> Experiment | None:
        """What more there is with an interrupt, or with the counters' system calls ("overhead"), than without."""
        if scenario == "overhead":
            names, pattern, mode = ("overhead", "overhead-none"), "once", "user"
        else:
            names = (scenario, "idle-network" if scenario == "network" else "idle")
        return difference(*(self.one(machine, cache, name, pattern, mode, kernel, caches) for name in names))

    def basic(self, machine: str) -> Experiment | None:
        """The effect of a disk interrupt on the L1 data cache by the basic method (figure 1 a)."""
        return difference(*(self.one(machine, "l1d", scenario, "once", "user") for scenario in ("disk", "idle")))


def difference(with_it: Experiment | None, without: Experiment | None) -> Experiment | None:
    """What more there is in one experiment than in the other."""
    if with_it is None or without is None:
        return None
    halves = with_it.half, without.half
    return Experiment(
        runs=with_it.runs,
        kept=with_it.kept,
        mean=with_it.mean - without.mean,
        half=None if None in halves else math.sqrt(halves[0] * halves[0] + halves[1] * halves[1]),
        late=with_it.late,
        seen={group: with_it.seen[group] - without.seen[group] for group in GROUPS},
        total=with_it.total - without.total,
        same_ticks=effect_at_same_ticks(*([run for mode in one.modes for run in mode] for one in (with_it, without))),
    )
