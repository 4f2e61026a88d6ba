#!/usr/bin/env python3
"""Draws figures of the page of SOSP'95 at random and computes them again from the statistics of its runs, by formulas of its own
and with no code of the pages or of simoslab:

    tests/workloads/recompute.py OUT [COUNT [SEED]]

OUT is the page's folder (build/paper): its verdicts.tsv has the figures, its statistics the runs. COUNT figures are drawn (30;
0: all that it has formulas for). A line for each figure that is another one; status 1 if one is, or if a figure cannot be found.
"""

import csv
import json
import random
import re
import sys
from pathlib import Path

WORKLOADS = {"pmake": "program development", "database": "database", "engineering": "engineering"}
MEMORY = ("l1i", "l2i", "l3i", "l1d", "l2d", "l3d", "upgrade", "write_buffer")


class Runs:
    """Sums over the processors of a run."""

    def __init__(self, out):
        self.out, self.read = out, {}

    def document(self, run):
        if run not in self.read:
            self.read[run] = json.loads((self.out / "statistics" / f"{run}.json").read_text())
        return self.read[run]

    def mode(self, run, mode, member, *more):
        found = 0
        for name, cpu in self.document(run).items():
            if re.fullmatch("cpu[0-9]+", name):
                value = cpu["mode"][mode][member]
                for step in more:
                    value = value.get(step, 0)
                found += value
        return found

    def cycles(self, run, *modes):
        return sum(self.mode(run, mode, "cycles") for mode in modes)

    def stall(self, run, *modes, kinds=MEMORY):
        return sum(self.mode(run, mode, "stall", kind) for mode in modes for kind in kinds)

    def insns(self, run, *modes):
        return sum(self.mode(run, mode, "insns") for mode in modes)

    def busy(self, run, *modes):
        return self.cycles(run, *modes) - sum(self.mode(run, mode, "wait") for mode in modes)

    def hertz(self, run):
        machine = self.document(run)["machine"]
        return machine["time"] / machine["seconds"]

    def service(self, run, name, member="cycles"):
        return self.document(run)["annotations"]["services"].get(name, {}).get(member, 0)

    def service_stall(self, run, name):
        return sum(self.document(run)["annotations"]["services"][name]["stall"].get(kind, 0) for kind in MEMORY)

    def seconds(self, run, *modes):
        return self.cycles(run, *modes) / self.hertz(run)


BOTH, ALL = ("user", "kernel"), ("user", "kernel", "idle")
LARGE, EVERY = ("database", "engineering"), tuple(WORKLOADS)


def percent(part, whole):
    return 100 * part / whole


def hidden(r, w, year, kinds):
    static, dynamic = (r.stall(run, "kernel", kinds=kinds) / r.insns(run, "kernel") for run in (f"{w}-{year}-static", f"{w}-{year}"))
    return 100 * (1 - dynamic / static)


def mcpi(r, run, mode):
    return r.stall(run, mode) / r.insns(run, mode)


def gain(r, w, year, *modes):
    return r.seconds(f"{w}-1994", *modes) / r.seconds(f"{w}-{year}", *modes)


def stall_share(r, run, mode):
    return percent(r.stall(run, mode), r.busy(run, mode))


def but_utlb(r, run):
    return percent(r.stall(run, "kernel") - r.service_stall(run, "UTLB"), r.busy(run, "kernel") - r.service(run, "UTLB"))


# By claim: the workloads that are its cases, and the figures of a case in the order in which they are printed.
FIGURES = {
    "base_kernel": (EVERY, lambda r, w: [percent(r.cycles(f"{w}-1994", "kernel"), r.cycles(f"{w}-1994", *BOTH))]),
    "base_idle": (("database",), lambda r, w: [percent(r.cycles(f"{w}-1994", "idle"), r.cycles(f"{w}-1994", *ALL))]),
    "little_idle": (("pmake",), lambda r, w: [percent(r.cycles(f"{w}-1994", "idle"), r.cycles(f"{w}-1994", *ALL))]),
    "speedup_all": (LARGE, lambda r, w: [r.document(f"{w}-1994")["annotations"]["seconds"] / r.document(f"{w}-1998")["annotations"]["seconds"]]),
    "speedups": (EVERY, lambda r, w: [gain(r, w, year, *BOTH) for year in ("1996", "1998")]),
    "alike": (EVERY, lambda r, w: [gain(r, w, "1998", mode) for mode in ("kernel", "user")]),
    "io": (
        ("pmake", "database"),
        lambda r, w: [percent(of, r.cycles(f"{w}-1998", *ALL)) for of in (r.cycles(f"{w}-1998", "idle"), r.stall(f"{w}-1998", *BOTH))],
    ),
    "io_grows": (
        ("database",),
        lambda r, w: [percent(r.cycles(f"{w}-{year}", "idle"), r.cycles(f"{w}-{year}", *ALL)) for year in (1994, 1996, 1998)],
    ),
    "memory": (EVERY, lambda r, w: [stall_share(r, f"{w}-1994", "kernel")]),
    "memory_but_utlb": (EVERY, lambda r, w: [but_utlb(r, f"{w}-1994")]),
    "memory_later": (EVERY, lambda r, w: [stall_share(r, f"{w}-{year}", "kernel") for year in (1994, 1996, 1998)]),
    "mcpi": (EVERY, lambda r, w: [mcpi(r, f"{w}-{year}", "kernel") for year in (1994, 1998)]),
    "insns": (
        EVERY,
        lambda r, w: [
            percent(r.stall(f"{w}-{year}", "kernel", kinds=("l1i", "l2i")), r.stall(f"{w}-{year}", "kernel")) for year in (1994, 1996, 1998)
        ],
    ),
    "small_programs": (("pmake",), lambda r, w: [mcpi(r, f"{w}-1998", mode) for mode in ("user", "kernel")]),
    "large_programs": (LARGE, lambda r, w: [mcpi(r, f"{w}-1998", mode) for mode in ("kernel", "user")]),
    "large_stall": (LARGE, lambda r, w: [stall_share(r, f"{w}-1998", "user")]),
    "l1_hidden": (EVERY, lambda r, w: [hidden(r, w, year, ("l1i", "l1d")) for year in ("1996", "1998")]),
    "tolerance_insns": (EVERY, lambda r, w: [hidden(r, w, year, ("l1i",)) for year in ("1996", "1998")]),
    "tolerance_levels": (
        EVERY,
        lambda r, w: [hidden(r, w, year, kinds) for year in ("1996", "1998") for kinds in (("l1i", "l1d"), ("l2i", "l2d"))],
    ),
    "utlb_busy": (LARGE, lambda r, w: [percent(r.service(f"{w}-1998", "UTLB"), r.cycles(f"{w}-1998", *BOTH))]),
    "several_idle": (
        EVERY,
        lambda r, w: [percent(r.cycles(f"{w}-{column}", "idle"), r.cycles(f"{w}-{column}", *ALL)) for column in ("1994", "mp8")],
    ),
    "several_kernel": (
        ("pmake", "engineering"),
        lambda r, w: [percent(r.cycles(f"{w}-{column}", "kernel"), r.cycles(f"{w}-{column}", *BOTH)) for column in ("1994", "mp8")],
    ),
    "several_mcpi": (("pmake", "engineering"), lambda r, w: [mcpi(r, f"{w}-{column}", "kernel") for column in ("1994", "mp8")]),
}
# Figures whose text has numbers that are none: years.
YEAR = re.compile(r"\b(199[0-9]):? |\bL[12] ")


def printed(text, case):
    """The numbers that the page prints of a case, each with the half of its last place."""
    of = next((part.removeprefix(f"{case}: ") for part in text.split("; ") if part.startswith(f"{case}: ")), None)
    words = re.findall(r"[-−]?\d[\d,]*(?:\.\d+)?", YEAR.sub("", of)) if of else []
    return [(float(word.replace("−", "-").replace(",", "")), 0.5 * 10 ** -len(word.partition(".")[2])) for word in words]


def main(out, count=30, seed=None):
    shown = {row["claim"]: row["here"] for row in csv.DictReader((out / "verdicts.tsv").open(), delimiter="\t", quoting=csv.QUOTE_NONE)}
    runs, figures, wrong = Runs(out), [], []
    for claim, (workloads, compute) in FIGURES.items():
        for workload in workloads:
            numbers = printed(shown.get(claim, ""), WORKLOADS[workload])
            figures += [(claim, workload, place, number) for place, number in enumerate(numbers)]
    chosen = random.Random(seed).sample(figures, count) if 0 < count < len(figures) else figures
    for claim, workload, place, (number, half) in chosen:
        again = FIGURES[claim][1](runs, workload)
        if place < len(again) and abs(again[place] - number) > half * 1.001:
            wrong.append(f"{claim}, {workload}: the page has {number}, computed again {again[place]:.4f}")
    print("\n".join([*wrong, f"{len(chosen)} figures of {len(figures)}, {len(wrong)} are others"]))
    return 1 if wrong or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), *(int(word) for word in sys.argv[2:4])))
