"""The measures of SOSP'95's claims that the paper's own tables have (sosp95-*.tsv), by claim and workload."""

from __future__ import annotations

from pages import tables
from pages.claims import Cases
from pages.numbers import median, over, percent_of, total
from pages.paper_runs import HERE, WORKLOADS
from pages.tables import Row


class Printed:
    """The paper's tables 4.8 and 5.4 by workload."""

    def __init__(self) -> None:
        self.t48 = tables.read_tsv(HERE / "sosp95-table-4.8.tsv")
        self.t54 = tables.read_tsv(HERE / "sosp95-table-5.4.tsv")

    def one(self, workload: str) -> list[Row]:
        """The services of one CPU."""
        return [row for row in self.t48 if row["workload"] == workload]

    def several(self, workload: str) -> list[Row]:
        """The services of eight."""
        return [row for row in self.t54 if row["workload"] == workload]

    def stall(self, workload: str, but: tuple[str, ...] = ()) -> float | None:
        """The kernel's memory stall of 1994, but for the services BUT, in percent of the time of the services."""
        rows = [row for row in self.one(workload) if row["service"] not in but and row["cpi94"] is not None]
        stalls = [row["share94"] * (row["imcpi94"] + row["dmcpi94"]) / row["cpi94"] for row in rows]
        return percent_of(total(stalls), total(row["share94"] for row in rows))


def _utlb(printed: Printed, workload: str) -> Row:
    rows = {row["service"]: row for row in printed.one(workload) if row["share94"] >= 2}
    least = min((row for name, row in rows.items() if name != "UTLB"), key=lambda row: row["speedup98"])
    return {"own": rows["UTLB"]["speedup98"], "least": least["service"], "bound": least["speedup98"]}


def _services(printed: Printed, workload: str) -> Row:
    """Of the services that one CPU has, too."""
    losses = [row["slowdown"] for row in printed.several(workload) if row["share_up"]]
    return {"count": len(losses), "most": sum(loss >= 30 for loss in losses), "middle": median(losses)}


def printed_measures() -> dict[str, Cases]:
    """All of them."""
    printed = Printed()
    zero = next(row for row in printed.one("pmake") if row["service"] == "DEMAND ZERO")
    end = next(row for row in printed.several("database") if row["service"] == "END IDLE")
    return {
        "memory": {w: {"stall": printed.stall(w)} for w in WORKLOADS},
        "memory_but_utlb": {w: {"stall": printed.stall(w, ("UTLB",))} for w in WORKLOADS},
        "utlb": {w: _utlb(printed, w) for w in WORKLOADS},
        "cold": {"pmake": {"cold": zero["cold"], "kernel": [zero["share94"], zero["share98"]]}},
        "several_services": {w: _services(printed, w) for w in WORKLOADS},
        "sharing_end_idle": {"database": {"part": end["coherence"] + end["upgrade"]}},
    }
