"""The statistics of the runs of SOSP'95's page: whether they add up, and services under the paper's names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from simoslab.errors import QueryError

from pages.numbers import Number
from pages.paper_runs import PAPER_NAMES, Run


def sums_of(accounts: pd.DataFrame) -> dict[str, Number]:
    """Cycles, instructions, misses and stalls of accounts together."""
    sums = accounts.sum()

    def of(group: str) -> int:
        return int(sums[sums.index.str.startswith(group)].sum())

    return {"cycles": int(sums["cycles"]), "insns": int(sums["insns"]), "misses": of("miss."), "stall": of("stall.")}


def broken_rules(name: str, run: Run) -> list[str]:
    """A line for each sum rule that a run breaks. Services, processes and modes are each all of the time, the
    instructions and the misses (merged windows have no processes). Coherence misses and upgrades by data
    (coherence.tcl) are all that the outermost caches count."""
    accounts = run.statistics.accounts
    modes = sums_of(accounts(by="mode"))
    parts = {"services": sums_of(accounts(by="service"))}
    try:
        parts["processes"] = sums_of(accounts(by=["process", "mode"]))
    except QueryError:
        pass
    broken = [
        f"{name}: {what} have {value} {key} together, all modes have {modes[key]}"
        for what, sums in parts.items()
        for key, value in sums.items()
        if value != modes[key]
    ]
    by_data = run.collected("coherence by data")
    if by_data:
        counted = sum(by_data.values())
        kinds = ("true_sharing", "false_sharing", "upgrade")
        every = sum(run.statistics.total(f"cpu.l2.miss.data.{kind}") or 0 for kind in kinds)
        if counted != every:
            broken.append(f"{name}: there are {counted} coherence misses and upgrades by data, {every} in all caches")
    return broken


def plus(one: Any, other: Any) -> Any:
    """Figures of the same things, added: objects member by member."""
    if one is None:
        return other
    if isinstance(one, dict):
        return one | {name: plus(one.get(name), value) for name, value in other.items()}
    return one if isinstance(one, str | bool) or other is None else one + other


def with_paper_names(document: Mapping[str, Any]) -> dict[str, Any]:
    """A statistics file, which `simos report` reads, with the kernel's services under the paper's names: what has several
    names here (clone, clone3, vfork) is one service (fork), the sum of theirs."""
    services: dict[str, Any] = {}
    for name, account in document["annotations"]["services"].items():
        services[PAPER_NAMES.get(name, name)] = plus(services.get(PAPER_NAMES.get(name, name)), account)
    return {**document, "annotations": document["annotations"] | {"services": services}}
