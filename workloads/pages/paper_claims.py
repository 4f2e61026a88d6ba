"""The claims of SOSP'95, judged: what the paper found by workload, and its conditions put back.

claims.tsv has, beside the columns of claims.py, `why` (of a condition: why the claim may not hold without it) and
`without_handler`: whether a finding holds if the TLB refill handler, which is another one here, is left out. Names:
`condition_`, `what_if_` and `experiment_` have measures without and with a condition; `design_` says why there is
none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import markupsafe

from pages.claims import holds, print_measured, read
from pages.numbers import DASH
from pages.paper_conditions import instances
from pages.paper_findings import FINDINGS
from pages.paper_runs import HERE, Known, in_text
from pages.tables import Row


# What the page calls the kinds of conditions.tsv, and where there is no condition.
TITLES = {
    "paper": "The paper's conditions and experiments",
    "experiment": "Experiments: conditions that the paper does not have",
    "design": "What no condition brings back: the kernel's design",
}


@dataclass
class Judged:
    """A row of the page: its verdict with a class of CSS, and the cells behind it."""

    style: str
    verdict: str
    cells: list[Any]


def table_of_claims() -> dict[str, dict[str, str]]:
    """The lines of claims.tsv by name."""
    return {row["name"]: row for row in read(HERE / "claims.tsv")}


def case_text(claim: dict[str, str], case: Row) -> markupsafe.Markup:
    """What was measured of one workload, and the paper's figures."""
    paper = print_measured(claim["paper"], case)
    measured = print_measured(claim["measured"], case)
    return markupsafe.Markup(f"{in_text(case['w'])}: {measured}" + (f" (paper: {paper})" if paper else ""))


def verdict_of(known: list[tuple[str, bool, bool]]) -> tuple[str, str]:
    """A class of CSS and the verdict by (workload, holds, holds without the TLB refill handler) of the cases."""
    where = [workload for workload, is_so, _ in known if is_so]
    if len(where) == len(known):
        return "holds", "confirmed"
    if all(is_so or without for _, is_so, without in known):
        return "partly", "confirmed but for TLB refills"
    if not where:
        return "not", "not here"
    return "partly", "in part: " + ", ".join(map(in_text, where))


def findings(known: Known) -> list[Judged]:
    """What the paper found, and what is so here: the claims of which there are cases."""
    claims, found = table_of_claims(), []
    for name, measure in FINDINGS.items():
        claim = claims[name]
        cases = [(case, is_so) for case in measure(known) if (is_so := holds(claim["criterion"], case)) is not None]
        if not cases:
            continue
        without = claim["without_handler"]
        style, verdict = verdict_of(
            [(case["w"], is_so, without != "-" and bool(holds(without, case))) for case, is_so in cases]
        )
        texts = markupsafe.Markup("; ").join(case_text(claim, case) for case, _ in cases)
        found.append(Judged(style, verdict, [claim["claim"], texts + "."]))
    return found


def conditions(known: Known) -> list[tuple[str, list[Judged]]]:
    """The paper's conditions put back, our experiments, and what is the kernel's design: each with its title."""
    claims, found = table_of_claims(), {kind: [] for kind in TITLES}
    for name, words in instances(known):
        found[words.get("kind", "design")].append(judged(name, claims[name], words))
    return [(title, found[kind]) for kind, title in TITLES.items() if found[kind]]


def judged(name: str, claim: dict[str, str], words: Row) -> Judged:
    """A claim without and with a condition; of a design, the measure alone."""
    text, why, paper = (print_measured(claim[column], words) for column in ("claim", "why", "paper"))
    if name.startswith("design_"):
        figure = print_measured(claim["measured"], words)
        return Judged("not", "none", [text, why, "none: the kernel's design", figure, DASH, paper])
    sides = [words | words[side] for side in ("plain", "put_back")]
    before, after = (holds(claim["criterion"], side) for side in sides)
    figures = [print_measured(claim["measured"], side) for side in sides]
    if name.startswith("experiment_"):
        verdict = "confirmed" if after else "not here"
    else:
        verdict = "holds without it" if before else "brings it back" if after else "does not"
    return Judged("holds" if after else "not", verdict, [text, why, words["condition"], *figures, paper])
