"""The statistics of the runs of SOSP'95's page: whether they add up, and services under the paper's names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pages.numbers import Number, total
from pages.paper_runs import PAPER_NAMES, Run, cpus
from pages.tables import Row


def sums_of(accounts: Iterable[Row]) -> dict[str, Number]:
    """Cycles, instructions, misses and stalls of accounts together."""
    listed = list(accounts)
    return {
        "cycles": total(account["cycles"] for account in listed) or 0,
        "insns": total(account["insns"] for account in listed) or 0,
        "misses": total(total(account["miss"].values()) or 0 for account in listed) or 0,
        "stall": total(total(account["stall"].values()) or 0 for account in listed) or 0,
    }


def broken_rules(name: str, run: Run) -> list[str]:
    """A line for each sum rule that a run breaks. Services, processes and modes are each all of the time, the
    instructions and the misses (merged windows have no processes). Coherence misses and upgrades by data
    (coherence.tcl) are all that the outermost caches count."""
    notes = run["annotations"]
    modes = sums_of(account for cpu in cpus(run) for account in cpu["mode"].values())
    parts = {"services": sums_of(notes["services"].values())}
    if notes.get("processes"):
        processes = notes["processes"]
        parts["processes"] = sums_of(process[mode] for process in processes for mode in ("user", "kernel", "idle"))
    broken = [
        f"{name}: {what} have {value} {key} together, all modes have {modes[key]}"
        for what, sums in parts.items()
        for key, value in sums.items()
        if value != modes[key]
    ]
    by_data = notes.get("statistics", {}).get("coherence by data")
    if by_data:
        counted = total(entry["sum"] for entry in by_data.values())
        classes = (c for cpu in cpus(run) for c in cpu["l2"]["miss"]["data"].values())
        every = total(c[kind] for c in classes for kind in ("true_sharing", "false_sharing", "upgrade"))
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


def with_paper_names(run: Run) -> Run:
    """A run with the kernel's services under the paper's names: what has several names here (clone, clone3, vfork) is
    one service (fork), the sum of theirs."""
    services: dict[str, Any] = {}
    for name, account in run["annotations"]["services"].items():
        services[PAPER_NAMES.get(name, name)] = plus(services.get(PAPER_NAMES.get(name, name)), account)
    return run | {"annotations": run["annotations"] | {"services": services}}
