"""One page over the findings of all papers: each claim of claims.toml with its verdict of docs/verdicts.tsv, which `make
verdicts` has taken from the pages, and what became of the papers' conclusions by what they are about."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from simoslab.host_files import read_text, save_text

from pages import claims
from pages.numbers import fixed, percent_of
from pages.templates import HERE, render

KEPT = HERE.parents[1] / "docs/verdicts.tsv"

# What a verdict says of a conclusion: it holds, it does in part, it does not, or nothing.
SURVIVAL = {
    "holds": (claims.CONFIRMED, claims.HOLDS),
    "in part": (claims.IN_PART,),
    "does not": (claims.REFUTED,),
}
NOTHING = "not judged"


@dataclass(frozen=True)
class Finding:
    """A row of the page: a claim, the paper's page that judges it, and its row of verdicts.tsv."""

    page: str
    paper: str
    claim: claims.Claim
    kept: Mapping[str, str]

    @property
    def style(self) -> str:
        """The class of CSS of the verdict."""
        return claims.VERDICTS[self.kept["verdict"]]

    @property
    def text(self) -> str:
        """The verdict with its note."""
        return ": ".join(filter(None, (self.kept["verdict"], self.kept["note"])))

    @property
    def survival(self) -> str:
        """What the verdict says of the conclusion."""
        return next((word for word, verdicts in SURVIVAL.items() if self.kept["verdict"] in verdicts), NOTHING)


def read(papers: Mapping[str, str], kept: Path = KEPT) -> list[Finding]:
    """The findings of PAPERS, the title of each page's paper, in the papers' order. Ends if a claim has no verdict, or a
    verdict no claim: the page was not made since the claims changed."""
    rows = {(row["page"], row["claim"]): row for row in csv.DictReader(read_text(kept).splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)}
    found = [
        Finding(page, title, claim, rows.pop((page, claim.name), {}))
        for page, title in papers.items()
        for claim in claims.read(claims.table_of(page))
    ]
    wrong = [f"{one.page}: {one.claim.name} has no verdict" for one in found if not one.kept]
    wrong += [f"{page}: {name} is no claim" for page, name in rows]
    if wrong:
        raise SystemExit(f"findings: {wrong[0]} (make that page, then make verdicts)")
    return found


def survival(findings: Sequence[Finding]) -> list[list[str | int]]:
    """By kind of claim and in all: how many are judged, how many of them hold, in part, or not, and how many are not judged."""
    rows: list[list[str | int]] = []
    for kind in (*claims.KINDS, ""):
        count = Counter(one.survival for one in findings if kind in ("", one.claim.kind))
        if count:
            judged = sum(count[word] for word in SURVIVAL)
            shares = [f"{count[word]} ({fixed(percent_of(count[word], judged), 0)} %)" for word in SURVIVAL]
            rows.append([kind or "all", judged, *shares, count[NOTHING]])
    return rows


def by_cause(findings: Sequence[Finding]) -> list[list[str | int]]:
    """How many refuted findings, and others that do not hold, have each cause; one can have two."""
    rows: list[list[str | int]] = []
    for cause in claims.CAUSES:
        having = [one for one in findings if cause in one.kept["cause"].split(" and ")]
        refuted = sum(one.kept["verdict"] == claims.REFUTED for one in having)
        rows.append([cause, refuted, len(having) - refuted])
    return rows


def write_page(out: Path, papers: Mapping[str, str]) -> None:
    """Write OUT/index.html."""
    findings = read(papers)
    words = {
        "paper": {one.page: one.paper for one in findings},
        "verdict": {verdict: verdict for verdict in claims.VERDICTS if any(one.kept["verdict"] == verdict for one in findings)},
        "cause": {cause: cause for cause in claims.CAUSES},
        "kind": {kind: kind for kind in claims.KINDS},
    }
    page = render(
        "pages/findings.html", findings=findings, words=words, survival=survival(findings), causes=by_cause(findings)
    )
    save_text(out / "index.html", page)
