"""What a paper claims, and whether it holds here.

A table of claims is a file of tab-separated values. Its columns:

name        of the claim
section     of the paper that has it
claim       what is claimed, as prose
measured    what is measured: a template of Jinja2 over the page's measures, which prints it
criterion   when the claim holds: an expression of Jinja2 over the measures; "-" if the line only asks
paper       the paper's own figures, a template too

A claim whose criterion needs a measure that is missing is not to be judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
import markupsafe

from pages.numbers import DASH
from pages.templates import environment


@dataclass
class Claim:
    """A claim with what was measured; `holds` is None if it is not to be judged."""

    name: str
    section: str
    claim: str
    measured: markupsafe.Markup
    paper: str
    holds: bool | None


def read(path: Path) -> list[dict[str, str]]:
    """The lines of a table of claims, as text."""
    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line]
    head = lines[0]
    for line in lines[1:]:
        if len(line) != len(head):
            raise SystemExit(f"{path}: {line[0]}: {len(line)} columns instead of {len(head)}")
    return [dict(zip(head, line)) for line in lines[1:]]


def holds(criterion: str, measures: Mapping[str, Any]) -> bool | None:
    """Whether an expression over MEASURES is true; None if one of them is missing or not known."""
    expression = environment().compile_expression(criterion, undefined_to_none=False)
    try:
        result = expression(**measures)
    except (jinja2.UndefinedError, TypeError):
        return None
    return None if isinstance(result, jinja2.Undefined) else bool(result)


def print_measured(template: str, measures: Mapping[str, Any]) -> markupsafe.Markup:
    """What was measured, as HTML; a dash if a measure is missing."""
    try:
        return markupsafe.Markup(environment().from_string(template).render(**measures))
    except (jinja2.UndefinedError, TypeError):
        return markupsafe.Markup(DASH)


def judge(path: Path, measures: Mapping[str, Any]) -> list[Claim]:
    """The claims of a table, measured and judged, in their order."""
    return [
        Claim(
            name=row["name"],
            section=row["section"],
            claim=row["claim"],
            measured=print_measured(row["measured"], measures),
            paper=print_measured(row["paper"], measures),
            holds=None if row["criterion"] == "-" else holds(row["criterion"], measures),
        )
        for row in read(path)
    ]
