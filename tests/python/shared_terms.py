"""Whether the two sides of a comparison have a term in common, as a part and the whole that contains it.

Such a criterion passes too easily: the more of the whole the part is, the less it can differ from it. It is found by what the
sides do when one counter grows a little: if both move the same way, but not by the same part, the counter is a term of
both. (A divisor of both moves them by the same part, and what is compared with another run's has no counter in common.)"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import jinja2.nodes as nodes
from pages import claims
from pages.templates import environment

STEP = 1.01
OPERATORS: Mapping[type, Callable[[Any, Any], Any]] = {
    nodes.Add: lambda a, b: a + b,
    nodes.Sub: lambda a, b: a - b,
    nodes.Mul: lambda a, b: a * b,
    nodes.Div: lambda a, b: a / b,
}


def value_of(node: nodes.Node, measures: Mapping[str, Any]) -> Any:
    """The value of an expression over MEASURES. A LookupError if one is missing, or the expression is of another kind."""
    match node:
        case nodes.Const():
            return node.value
        case nodes.Name():
            return measures[node.name]
        case nodes.Neg():
            return -value_of(node.node, measures)
        case nodes.Getitem():
            return value_of(node.node, measures)[value_of(node.arg, measures)]
        case nodes.Filter():
            return environment().filters[node.name](*(value_of(part, measures) for part in (node.node, *node.args)))
        case nodes.BinExpr() if type(node) in OPERATORS:
            return OPERATORS[type(node)](value_of(node.left, measures), value_of(node.right, measures))
    raise LookupError(type(node).__name__)


def comparisons(criterion: str) -> list[tuple[nodes.Node, nodes.Node]]:
    """The two sides of each comparison, and of each `within`, that has measures on both sides and none of the paper's."""
    parsed = environment().parse(f"{{{{ {criterion} }}}}")
    found = [(node.expr, operand.expr) for node in parsed.find_all(nodes.Compare) for operand in node.ops]
    found += [(node.node, node.args[1]) for node in parsed.find_all(nodes.Filter) if node.name == "within"]
    names = [[{name.name for name in side.find_all(nodes.Name)} | _own(side) for side in pair] for pair in found]
    return [pair for pair, (one, other) in zip(found, names) if one and other and "theirs" not in one | other]


def _own(node: nodes.Node) -> set[str]:
    return {node.name} if isinstance(node, nodes.Name) else set()


def _moves(before: Any, after: Any) -> float:
    """By how much a side grows, as a power of the counter's growth; 0 for what is no positive number."""
    if not all(isinstance(value, int | float) and value > 0 for value in (before, after)):
        return 0
    return math.log(after / before) / math.log(STEP)


def share(criterion: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Whether a comparison of CRITERION has sides that both move, the same way and by different parts, from the measures
    BEFORE to those AFTER, in which one counter is STEP times as large."""
    for pair in comparisons(criterion):
        try:
            one, other = (_moves(value_of(side, before), value_of(side, after)) for side in pair)
        except (LookupError, TypeError, ZeroDivisionError):
            continue
        if one * other > 1e-6 and abs(one - other) > 1e-3 * max(abs(one), abs(other)):
            return True
    return False


def sharing(
    rows: Iterable[claims.Claim], before: Mapping[str, claims.Cases], changed: Iterable[tuple[str, Mapping[str, claims.Cases]]]
) -> dict[str, str]:
    """The claims of which a criterion's sides share a term, with a counter of each: BEFORE are the measures by claim and case,
    CHANGED the same with each counter grown, by its name."""
    found: dict[str, str] = {}
    listed = [claim for claim in rows if claim.criterion and comparisons(claim.criterion)]
    for counter, after in changed:
        for claim in listed:
            for case, measures in before.get(claim.name, {}).items():
                other = after.get(claim.name, {}).get(case)
                if claim.name not in found and other and share(claim.criterion, measures, other):
                    found[claim.name] = f"{case}: {counter}"
    return found
