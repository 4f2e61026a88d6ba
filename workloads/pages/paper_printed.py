"""The measures of SOSP'95's claims that the paper's own tables have (sosp95-*.tsv), by claim and workload."""

from __future__ import annotations

from pages import tables
from pages.claims import Cases
from pages.paper_runs import HERE, WORKLOADS
from pages.tables import Row
from pages.paper_services import Rows, insn_part, kernel_mcpi, kernel_speedup, kernel_stall, row_of, service_measures


class Printed:
    """The paper's tables 4.8 and 5.4 by workload."""

    def __init__(self) -> None:
        self.t48 = tables.read_tsv(HERE / "sosp95-table-4.8.tsv")
        self.t54 = tables.read_tsv(HERE / "sosp95-table-5.4.tsv")

    def one(self, workload: str) -> Rows:
        """The services of one CPU."""
        return [row for row in self.t48 if row["workload"] == workload]

    def several(self, workload: str) -> Rows:
        """The services of eight."""
        return [row for row in self.t54 if row["workload"] == workload]

    def whole(self, workload: str) -> Rows:
        """The services of one CPU, with what eight change."""
        several = self.several(workload)
        return [row | row_of(several, row["service"]) for row in self.one(workload)]


def alike(rows: Rows, workload: str) -> Row:
    """How much faster kernel and programs are in 1998: the kernel by table 4.8, programs by what the text says of both together,
    of which the kernel had its part in 1994 (sections 4.1, 4.2)."""
    said = {row["what"]: row[workload] for row in tables.read_tsv(HERE / "sosp95-text.tsv")}
    kernel, part = kernel_speedup(rows, "98"), said["kernel_share"] / 100
    return {"kernel": kernel, "user": (1 - part) / (1 / said["speedup98"] - part / kernel)}


def printed_measures() -> dict[str, Cases]:
    """All of them. What is of the whole kernel is that of the services that the tables list."""
    printed = Printed()
    rows = {w: printed.one(w) for w in WORKLOADS}
    return service_measures(printed) | {
        "memory": {w: {"stall": kernel_stall(rows[w], "94")} for w in WORKLOADS},
        "memory_but_utlb": {w: {"stall": kernel_stall(rows[w], "94", ("UTLB",))} for w in WORKLOADS},
        "memory_later": {w: {"stall": [kernel_stall(rows[w], year) for year in ("94", "98")]} for w in WORKLOADS},
        "mcpi": {w: {"mcpi": [kernel_mcpi(rows[w], year) for year in ("94", "98")]} for w in WORKLOADS},
        "insns": {w: {"parts": [insn_part(rows[w], year) for year in ("94", "98")]} for w in WORKLOADS},
        "insns_part": {w: {"parts": [insn_part(rows[w], year) for year in ("94", "98")]} for w in WORKLOADS},
        "alike": {w: alike(rows[w], w) for w in WORKLOADS},
    }
