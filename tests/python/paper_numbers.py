"""Runs of SOSP'95's page with made-up counters, of which each can be another one: which measures it is a term of."""

from __future__ import annotations

import copy
import itertools
import random
from collections.abc import Iterator, Mapping
from typing import Any

from pages import claims, paper_claims
from pages.paper_runs import WORKLOADS, Known, Run

COLUMNS = ("1994", "1996", "1998", "1996-static", "1998-static", "mp8", "dash", "1998-mp8")
STALLS = ("l1i", "l2i", "l1d", "l2d", "upgrade", "write_buffer", "uncached")
SERVICES = ("UTLB", "CLOCK INT", "DEMAND ZERO", "COW FAULT", "QUICK FAULT", "read", "write", "open", "execve", "END IDLE")


class Numbers:
    """The statistics of the runs, and the tables of services of `simos report`."""

    def __init__(self) -> None:
        chance = random.Random(1995)

        def number() -> float:
            return chance.uniform(1000, 9000)

        def mode() -> dict[str, Any]:
            stall = {name: number() for name in STALLS}
            misses = {"l2_insn": number(), "l2_data": number()}
            cycles = 3 * sum(stall.values())
            return {"cycles": cycles, "insns": number(), "wait": 0, "execute": cycles / 2, "stall": stall, "miss": misses}

        def service(name: str) -> dict[str, Any]:
            members = ("kernel", "computation", "cpi", "i_mcpi", "d_mcpi", "stall_insn", "stall_data", "cold", "calls")
            members += ("coherence", "upgrade", "spinlock", "latency")
            return {"name": name, **{member: number() for member in members}}

        names = [f"{workload}-{column}" for workload in WORKLOADS for column in COLUMNS]
        self.documents = {
            name: {
                "cpu0": {"mode": {word: mode() for word in ("user", "kernel", "idle")}},
                "machine": {"time": 10**9, "seconds": 5.0},
                "annotations": {"seconds": 5.0, "services": {of: {"calls": 9, "ended": 9, **mode()} for of in SERVICES}},
                "parameters": {"memory": {"l2_hit_time": "50ns", "miss_time": "300ns"}, "mxs": {"fetch_width": "4"}},
            }
            for name in names
        }
        self.services = {
            name: {"seconds": 5, "rates": {}, "sync": number(), "services": [service(of) for of in SERVICES]} for name in names
        }

        self.runs = {name: Run.of(document, name) for name, document in self.documents.items()}

    def measures(self, **others: Run) -> dict[str, claims.Cases]:
        """What the page measures of them, or of OTHERS in the place of runs."""
        runs = self.runs | others
        return paper_claims.measures_of(Known(runs, self.services, [], list(runs)))

    def changed(self, step: float) -> Iterator[tuple[str, Mapping[str, claims.Cases]]]:
        """The same with one counter STEP times as large, of the times of each mode and of services, with its name; of two
        workloads, whose measures are those of all."""
        names = [f"{workload}-{column}" for workload in ("pmake", "database") for column in ("1994", "1998", "1998-static", "mp8")]
        for name in names:
            document = self.documents[name]
            for word, member in itertools.product(("user", "kernel"), ("cycles", "l1i", "l1d", "l2i", "l2d")):
                changed = copy.deepcopy(document)
                mode = changed["cpu0"]["mode"][word]
                (mode if member == "cycles" else mode["stall"])[member] *= step
                yield f"{name}, {word}: {member}", self.measures(**{name: Run.of(changed, name)})
        for name in names:
            for service in (of for of in self.services[name]["services"] if of["name"] in ("UTLB", "DEMAND ZERO", "read")):
                kept = service["computation"]
                service["computation"] = kept * step
                yield f"{name}: {service['name']}", self.measures()
                service["computation"] = kept
