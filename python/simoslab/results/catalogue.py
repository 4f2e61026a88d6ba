"""The catalogue of measures, which the program prints (docs/schema/): causes and figures of accounts, units of statistics."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from importlib import resources
from typing import Any

from simoslab.errors import SimosError


def read_schema(name: str) -> dict[str, Any]:
    """A file of docs/schema/ that the package has. SimosError if the package is incomplete."""
    try:
        return json.loads(resources.files("simoslab").joinpath(f"schema/{name}").read_text("utf-8"))
    except OSError:
        raise SimosError(f"this simoslab is incomplete: it lacks schema/{name}; install it from a whole copy of simos") from None


@functools.cache
def statistics_names() -> dict[str, Any]:
    """The content of docs/schema/statistics-names.json."""
    return read_schema("statistics-names.json")


@functools.cache
def stalls_of(formula: str) -> tuple[str, ...]:
    """The names of the stalls whose cycles `formula` ("i_mcpi", "d_mcpi") divides by the instructions, in the catalogue of
    measures."""
    return tuple(cause["name"] for cause in read_schema("measures.json")["causes"] if cause["formula"] == formula)


@functools.cache
def _formulas() -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in read_schema("measures.json")["formulas"]}


@functools.cache
def account_figures() -> tuple[str, ...]:
    """The figures that stand beside each account in a statistics file."""
    return tuple(name for name, row in _formulas().items() if row["statistic"])


def figure(name: str, account: Mapping[Any, Any]) -> float:
    """The figure `name` ("cpi") of an account, whose counts have dotted names ("stall.l1i"), by its formula in the catalogue of
    measures; nan where it has none. For formulas of cycles, `wait`, instructions and stalls."""
    formula = _formulas()[name]
    terms = {term: account.get(term, 0) for term in ("cycles", "wait", "insns")}
    terms["stall"] = sum(count for place, count in account.items() if place.startswith("stall."))
    for term, side in (("insn_stall", "i_mcpi"), ("data_stall", "d_mcpi")):
        terms[term] = sum(account.get(f"stall.{cause}", 0) for cause in stalls_of(side))
    above = terms[formula["add"]] - terms.get(formula["subtract"], 0)
    return formula["factor"] * above / terms[formula["per"]] if terms[formula["per"]] else float("nan")


@functools.lru_cache(maxsize=65536)
def describe(path: str) -> tuple[str, str]:
    """Unit and meaning of the statistic `path`, a text of the frame's column of that name; empty if unknown."""
    names = statistics_names()
    row = names["statistics"].get(path)
    if row is None:
        row = names["statistics"].get(re.sub(r"(?<=[a-z])\d+(?=\.|$)", "N", path))
    if row is not None:
        return row["unit"], row["text"]
    if path.startswith("annotations."):
        words = path.split(".")
        for word in words[2:]:
            if word in names["figures"]:
                return names["figures"][word], ""
        return names["statistics"].get(".".join(words[:2]), {}).get("unit", ""), ""
    return "", ""
