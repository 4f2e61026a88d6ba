"""What a program in the guest counted of interrupts, and what simos saw in the same windows (section 2 of Schaelicke,
Davis and McKee 1999)."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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


def read_runs(counted: Path, seen: Path, machine: str) -> list[Run]:
    """The runs of one machine and device: what the guest counted, a line each in COUNTED, beside what simos saw in the
    same window, a line each in SEEN. Ends if there are not as many of both."""

    def lines(path: Path, start: str) -> list[str]:
        text = (re.sub(r"^client\| ", "", line) for line in path.read_text(encoding="utf-8").splitlines())
        return [line for line in text if re.match(start, line)]

    counts = [line.split(" ") for line in lines(counted, "(l1d|l1i|l2) ")]
    windows = [json.loads(line.removeprefix("window ")) for line in lines(seen, "window ")]
    if not counts or len(counts) != len(windows):
        raise SystemExit(f"interrupts: {machine}: {len(counts)} counts, but {len(windows)} windows")
    return [
        {
            "machine": machine,
            "cache": words[0],
            "scenario": words[1],
            "pattern": words[2],
            "mode": words[3],
            "run": int(words[4]),
            "count": int(words[5]),
            "done": words[6] == "1",
            "misses": window[words[0]],
        }
        for words, window in zip(counts, windows)
    ]


def group_of(name: str) -> str:
    """The group of a service or a process."""
    return GROUP_OF.get(name) or ("program" if name.startswith("(") else "woken")


def by_group(run: Run, mode: str) -> dict[str, Number]:
    """The misses of MODE in a window by group: in user mode by who displaced the line, in the kernel by who missed."""
    misses = run["misses"]
    if mode == "user":
        entries = misses.get("USER", {}).items()
    else:
        entries = [(name, total(by.values()) or 0) for name, by in misses.items() if name != "USER"]
    found: dict[str, Number] = {}
    for name, misses_of in entries:
        found[group_of(name)] = found.get(group_of(name), 0) + misses_of
    return found


def without_outliers(runs: list[Run]) -> list[Run]:
    """The runs that were done in time, without outliers: counts more than three median absolute deviations, and more
    than 3 misses, from the median (section 2.3). Runs whose read or answer came too late are low outliers as the paper
    has them."""
    done = [run for run in runs if run["done"]]
    if not done:
        return []
    middle = median(run["count"] for run in done)
    deviation = median(abs(run["count"] - middle) for run in done)
    return [run for run in done if abs(run["count"] - middle) <= max(3 * 1.4826 * deviation, 3)]


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
    return Experiment(len(runs), len(kept), mean(counts), half_width(counts), late, seen, total(seen.values()))


class Experiments:
    """All runs, by what they are of."""

    def __init__(self, runs: list[Run]) -> None:
        self.runs = runs

    def one(self, machine: str, cache: str, scenario: str, pattern: str, mode: str) -> Experiment | None:
        """An experiment; None if it was not made."""
        wanted = {"machine": machine, "cache": cache, "scenario": scenario, "pattern": pattern, "mode": mode}
        return experiment_of(
            [run for run in self.runs if all(run[name] == value for name, value in wanted.items())], mode
        )

    def effect(self, machine: str, cache: str, scenario: str, mode: str) -> Experiment | None:
        """What more there is with an interrupt, or with the counters' system calls ("overhead"), than without."""
        if scenario == "overhead":
            names, pattern, mode = ("overhead", "overhead-none"), "once", "user"
        else:
            names, pattern = (scenario, "idle-network" if scenario == "network" else "idle"), "repeat"
        return difference(*(self.one(machine, cache, name, pattern, mode) for name in names))

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
    )
