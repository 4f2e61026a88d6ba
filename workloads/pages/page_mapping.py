"""The page of page mapping: conflict misses by policy and seed (Monster's part II; Kessler and Hill 1992)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import simoslab
from simoslab.host_files import save_text

from pages import tables
from pages.claims import UNDECIDED
from pages.experiments import half_width
from pages.numbers import Number, count, fixed, mean, percent_of, short, unit_of
from pages.templates import render

CACHES = {"l1i": "instructions", "l1d": "data"}
LAYOUTS = {"none": "", "programs": ", programs laid out"}


class Key(NamedTuple):
    """What the runs of a row have in common: a policy, the number of bins reserved for the kernel, what code is laid out."""

    policy: str
    reserved: int
    layout: str


Figures = dict[str, Number]


def policies() -> list[str]:
    """The policies that there are, in the program's order."""
    rows = simoslab.Machine().parameters().set_index("name")
    return rows.loc["page_mapping.policy", "range"].split("|")


def figures_of(run: simoslab.Statistics) -> Figures:
    """The figures of a run from its statistics: misses of each cache, those that a fully associative one has, and the
    difference; cycles without the idle loop; what the policy did."""
    figures: Figures = {"cycles": sum(run.total("cpu.mode.cycles", mode=mode) for mode in ("user", "kernel"))}
    for cache in CACHES:
        kinds = ["misses"] if cache == "l1i" else ["read_misses", "write_misses"]
        misses = sum(run.total(f"cpu.{cache}.{kind}") for kind in kinds)
        reference = run.total(f"cpu.{cache}.reference")
        figures |= {f"{cache}.misses": misses, f"{cache}.reference": reference, f"{cache}.conflict": misses - reference}
    return figures | {name: run.total(f"page_mapping.{name}") or 0 for name in ("pages", "moved", "full", "reserved", "hinted")}


class Runs:
    """The figures of all runs, by row, in the order of their seeds."""

    def __init__(self, figures: dict[Key, list[Figures]]) -> None:
        self.figures = figures

    @classmethod
    def read(cls, out: Path) -> Runs:
        """OUT/POLICY.RESERVED.LAYOUT.SEED.json, a run each."""
        found: dict[Key, list[tuple[int, Figures]]] = {}
        for path in out.glob("*.*.*.*.json"):
            policy, reserved, layout, seed = path.name.split(".")[:4]
            found.setdefault(Key(policy, int(reserved), layout), []).append((int(seed), figures_of(simoslab.load(path))))
        if not found:
            raise SystemExit(f"page-mapping: no run in {out}")
        known = policies()
        order = sorted(found, key=lambda key: (list(LAYOUTS).index(key.layout), known.index(key.policy), key.reserved))
        return cls({key: [of for _, of in sorted(found[key], key=lambda pair: pair[0])] for key in order})

    def values(self, key: Key, name: str) -> list[Number]:
        """The figure NAME of the runs of KEY."""
        return [of[name] for of in self.figures.get(key, [])]

    def mean(self, key: Key, name: str) -> float | None:
        """Their mean."""
        return mean(self.values(key, name))


RANDOM = Key("random", 0, "none")


def with_interval(counts: list[Number]) -> str:
    """The mean of counts with the half of its 95 % interval, if there are several, both in the mean's unit."""
    middle, half = mean(counts), half_width(counts)
    if middle is None or half is None:
        return count(middle)
    scale, unit = unit_of(middle)
    if unit:
        return f"({fixed(middle / scale, 0)} ± {short(half / scale)}) × {unit}"
    return f"{count(middle)} ± {count(half)}"


def name_of(key: Key) -> str:
    """How a row is called."""
    reserved = "" if key.reserved == 0 else f", {key.reserved} bins for the kernel"
    return key.policy + reserved + LAYOUTS[key.layout]


def table_of(runs: Runs, cache: str) -> list[list[Any]]:
    """The misses of CACHE, a row for each policy."""
    random = runs.mean(RANDOM, f"{cache}.conflict")
    rows = []
    for key in runs.figures:
        conflict = runs.values(key, f"{cache}.conflict")
        rows.append(
            [
                name_of(key),
                len(conflict),
                with_interval(runs.values(key, f"{cache}.reference")),
                with_interval(conflict),
                count(min(conflict)),
                count(max(conflict)),
                fixed(percent_of(mean(conflict), random), 1),
            ]
        )
    return rows


def times_of(runs: Runs) -> list[list[Any]]:
    """Time and what the policies did, a row for each."""
    random = runs.mean(RANDOM, "cycles")
    rows = []
    for key in runs.figures:
        share = [percent_of(value, random) or 0 for value in runs.values(key, "cycles")]
        did = [fixed(runs.mean(key, name), 0) for name in ("pages", "hinted", "reserved", "moved", "full")]
        half = half_width(share)
        rows.append([name_of(key), fixed(mean(share), 2) + ("" if half is None else f" ± {fixed(half, 2)}"), *did])
    return rows


def change(value: Number | None, of: Number | None) -> float | None:
    """By how much VALUE differs from OF, in percent."""
    return None if value is None or of is None else percent_of(abs(value - of), of)


def checks_of(runs: Runs, window: str) -> list[dict[str, str]]:
    """What a policy that only moves pages must show, for each policy against random with the same code. The first WINDOW instructions
    of the runs decide nothing."""
    rows = []
    for cache, what in CACHES.items():
        for key in runs.figures:
            base = RANDOM._replace(layout=key.layout)
            random = runs.mean(base, f"{cache}.conflict")
            moved = change(runs.mean(key, f"{cache}.reference"), runs.mean(base, f"{cache}.reference"))
            conflict = runs.mean(key, f"{cache}.conflict")
            if key == base or moved is None or conflict is None or random is None:
                continue
            for holds, text in (
                (moved < 1, f"misses of the fully associative cache differ by {fixed(moved, 2)} % from random's"),
                (0 <= conflict <= random, f"conflict misses: {count(conflict)}, random's mean: {count(random)}"),
            ):
                style, verdict = ("", UNDECIDED) if window else ("holds", "yes") if holds else ("not", "no")
                rows.append({"style": style, "verdict": verdict, "policy": name_of(key), "what": what, "text": text})
    return rows


def make(out: Path) -> None:
    """Write OUT/figures.json and OUT/index.html from the statistics of the runs in OUT."""
    runs, window = Runs.read(out), tables.read_settings(out)["window"]
    save_text(out / "figures.json", json.dumps({name_of(key): of for key, of in runs.figures.items()}, indent=2) + "\n")
    page = render(
        "page-mapping/page.html",
        heads=["", "runs", "cold and capacity", "conflict", "least", "most", "% of random's"],
        tables=[(f"Misses of {what}", table_of(runs, cache)) for cache, what in CACHES.items()],
        times=times_of(runs),
        checks=checks_of(runs, window),
        window=window,
    )
    save_text(out / "index.html", page)
