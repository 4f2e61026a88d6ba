"""The claims of SOSP'95, judged: what the paper found by workload, and its conditions put back.

claims.toml has, beside its claims (claims.py), blocks [[condition]] (paper_conditions.py). `why`: why the claim may not
hold without the condition; `paper`: a template, what the paper says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pages import claims
from pages.claims import holds, print_measured
from pages.numbers import DASH
from pages.paper_conditions import instances
from pages import paper_caches, paper_findings, paper_several
from pages.paper_printed import printed_measures
from pages.paper_services import Own, service_measures
from pages.paper_runs import HERE, WORKLOADS, Known, in_text
from pages.tables import Row

TABLE = HERE / "claims.toml"

# What the page calls the kinds of conditions.tsv, and where there is no condition.
TITLES = {
    "paper": "The paper's conditions and experiments",
    "experiment": "Experiments: conditions that the paper does not have",
    "design": "What no condition brings back: the kernel's design",
}


@dataclass(frozen=True)
class Condition:
    """A block [[condition]]."""

    name: str
    section: str
    claim: str
    measured: str
    paper: str
    why: str = ""
    criterion: str = ""


@dataclass
class Judged:
    """A row of the page: its verdict with a class of CSS, and the cells behind it."""

    style: str
    verdict: str
    cells: list[Any]


def findings(known: Known) -> list[claims.Judged]:
    """What the paper found, and what is so here."""
    conditions_of = {claim.name: [one.name for one in claim.experiment] for claim in claims.read(TABLE)}
    every = {name for names in conditions_of.values() for name in names}
    unknown = every - {row["name"].partition("-")[2] for row in known.conditions}
    if unknown:
        raise SystemExit(f"claims: no condition is called {min(unknown)}")
    measured = {name: measures_of(known.under(name)) for name in every}
    back = {
        claim: {name: cases for name in names if (cases := measured[name].get(claim))} for claim, names in conditions_of.items()
    }
    names = {workload: in_text(workload) for workload in WORKLOADS}
    return claims.judge(TABLE, measures_of(known), printed_measures(), names, back)


def measures_of(known: Known) -> dict[str, claims.Cases]:
    """The measures of all claims by workload."""
    functions = paper_findings.FINDINGS | paper_caches.FINDINGS | paper_several.FINDINGS
    return {name: measure(known) for name, measure in functions.items()} | service_measures(Own(known))


def conditions(known: Known) -> list[tuple[str, list[Judged]]]:
    """The paper's conditions put back, our experiments, and what is the kernel's design: each with its title."""
    blocks = {condition.name: condition for condition in claims.blocks(TABLE, "condition", Condition)}
    found: dict[str, list[Judged]] = {kind: [] for kind in TITLES}
    for name, words in instances(known):
        found[words.get("kind", "design")].append(judged(blocks[name], words))
    return [(title, found[kind]) for kind, title in TITLES.items() if found[kind]]


def judged(claim: Condition, words: Row) -> Judged:
    """A claim without and with a condition; of a design, the measure alone."""
    text, why, paper = (print_measured(template, words) for template in (claim.claim, claim.why, claim.paper))
    if claim.name.startswith("design_"):
        figure = print_measured(claim.measured, words)
        return Judged("not", "none", [text, why, "none: the kernel's design", figure, DASH, paper])
    sides = [words | words[side] for side in ("plain", "put_back")]
    before, after = (holds(claim.criterion, side) for side in sides)
    figures = [print_measured(claim.measured, side) for side in sides]
    verdict = "holds without it" if before else "brings it back" if after else "does not"
    return Judged("holds" if after else "not", verdict, [text, why, words["condition"], *figures, paper])
