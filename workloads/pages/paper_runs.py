"""What the page of SOSP'95 asks of the statistics of its runs (docs/reference/results.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd
import simoslab
from simoslab.errors import QueryError
from simoslab.results.catalogue import stalls_of

from pages import tables
from pages.numbers import Number, over, percent_of, total
from pages.tables import Row

HERE = Path(__file__).parent.parent / "paper"

WORKLOADS = {"pmake": "Program development", "database": "Database", "engineering": "Engineering"}
YEARS = ["1994", "1996", "1998"]


class Run:
    """The statistics of a run, as the page asks for them. What was not collected is empty, or None."""

    def __init__(self, statistics: simoslab.Statistics) -> None:
        self.statistics = statistics

    @classmethod
    def of(cls, document: Mapping[str, Any], name: str = "") -> Run:
        """That of a statistics file's content."""
        return cls(simoslab.Statistics.of(document, name))

    def _accounts(self, by: str) -> dict[str, Row]:
        return self.statistics.accounts(by=by).to_dict("index")

    @cached_property
    def modes(self) -> dict[str, Row]:
        """The account of each mode, all CPUs together."""
        return self._accounts("mode")

    @cached_property
    def services(self) -> dict[str, Row]:
        """The account of each service."""
        return self._accounts("service")

    @cached_property
    def programs(self) -> dict[str, Row]:
        """Cycles, instructions and stall cycles in user mode of each program, all its processes together."""
        try:
            rows = self.statistics.processes()
        except QueryError:
            return {}
        return rows[rows["mode"] == "user"].groupby("name")[["cycles", "insns", "stall"]].sum().to_dict("index")

    @cached_property
    def locks(self) -> list[Row]:
        """The kernel's locks."""
        try:
            rows = self.statistics.locks().to_dict("records")
        except QueryError:
            return []
        return [{name: None if pd.isna(value) else value for name, value in row.items()} for row in rows]

    @cached_property
    def over_time(self) -> dict[str, list[int]]:
        """The cycles of each mode in each interval."""
        try:
            rows = self.statistics.timeline()
        except QueryError:
            return {mode: [] for mode in MODES}
        return {mode: rows.loc[rows["mode"] == mode, "cycles"].tolist() for mode in MODES}

    @cached_property
    def parameters(self) -> Mapping[str, str]:
        """Every parameter by its full name."""
        return self.statistics.parameters().to_dict()

    def value(self, name: str) -> Any:
        """One statistic by its full name."""
        try:
            return self.statistics.exact(name)
        except QueryError:
            return None

    def below(self, name: str) -> dict[str, Number]:
        """A group of statistics."""
        try:
            return self.statistics.below(name)
        except QueryError:
            return {}

    def collected(self, what: str) -> dict[str, Number]:
        """The sums that a script of annotations has collected of WHAT."""
        sums = self.below(f"annotations.statistics.{what}").items()
        return {name.removesuffix(".sum"): value for name, value in sums if name.endswith(".sum")}

    def evicted(self, *members: str) -> Number | None:
        """Section 4.4: misses in the first level of lines that were evicted, by MEMBERS of the counts."""
        paths = (f"cpu.{cache}.evicted.{member}" for cache in ("l1i", "l1d") for member in members)
        return total(count for path in paths if (count := self.statistics.total(path)) is not None)


MODES = ("user", "kernel", "idle")
OfAccount = Callable[[Row], Number]
OfRun = Callable[[Run], Number | None]

# What this kernel's services are called in the paper.
PAPER_NAMES = {
    **dict.fromkeys(("clone", "clone3", "vfork"), "fork"),
    "openat": "open",
    "exit_group": "exit",
    **dict.fromkeys(
        ("_newselect", "pselect6", "pselect6_time64", "ppoll", "ppoll_time64", "epoll_wait", "epoll_pwait", "poll"),
        "select",
    ),
    "pread64": "read",
    "pwrite64": "write",
    "sendto": "send",
    "recvfrom": "recv",
    "fcntl64": "fcntl",
    "rt_sigprocmask": "sigprocmask",
    "clock_gettime64": "gettimeofday",
    "unlinkat": "unlink",
}


def plain_name(workload: str) -> str:
    """The workload that a condition belongs to, which may itself be another condition."""
    return workload.split("-")[0]


def title(workload: str) -> str:
    """The workload as the paper calls it."""
    return WORKLOADS[workload]


def in_text(workload: str) -> str:
    """The same within a sentence. A condition keeps its name."""
    return WORKLOADS.get(workload, workload).lower()


# Of a run: all CPUs together. A function of an account gets the account of a mode or a service.


def of_mode(run: Run, mode: str, f: OfAccount) -> Number:
    """F of a mode of all CPUs."""
    return f(run.modes[mode])


def busy(run: Run, f: OfAccount) -> Number:
    """F of user and kernel mode."""
    return of_mode(run, "user", f) + of_mode(run, "kernel", f)


def cycles(account: Row) -> Number:
    """The cycles of an account."""
    return account["cycles"]


def insns(account: Row) -> Number:
    """The instructions of an account."""
    return account["insns"]


def busy_cycles(account: Row) -> Number:
    """The cycles of an account without those of the instruction `wait`."""
    return account["cycles"] - account["wait"]


def memory_stall(account: Row) -> Number:
    """The memory stall cycles of an account."""
    return sum(account[f"stall.{name}"] for name in (*stalls_of("i_mcpi"), *stalls_of("d_mcpi")))


def l2_misses(account: Row) -> Number:
    """The second-level misses of an account."""
    return account["miss.l2_insn"] + account["miss.l2_data"]


def seconds(run: Run) -> Number:
    """The seconds that were measured."""
    return run.value("annotations.seconds")


def clock(run: Run) -> float:
    """The clock in Hz."""
    return run.value("machine.time") / run.value("machine.seconds")


def mode_seconds(mode: str) -> OfRun:
    """The seconds of a mode."""
    return lambda run: of_mode(run, mode, cycles) / clock(run)


def busy_seconds(run: Run) -> float:
    """The seconds that are not idle."""
    return busy(run, cycles) / clock(run)


def service_cycles(run: Run, name: str) -> Number:
    """The cycles of a service; 0 if it was not met."""
    return run.services.get(name, {}).get("cycles", 0)


def kernel_seconds_but_utlb(run: Run) -> float:
    """The kernel's seconds without its TLB refill handler."""
    return (of_mode(run, "kernel", cycles) - service_cycles(run, "UTLB")) / clock(run)


def all_cycles(run: Run) -> Number:
    """All cycles."""
    return busy(run, cycles) + of_mode(run, "idle", cycles)


def stall_share(run: Run, mode: str) -> float | None:
    """Memory stall in percent of a mode's busy cycles."""
    return percent_of(of_mode(run, mode, memory_stall), of_mode(run, mode, busy_cycles))


def utlb_of(run: Run) -> Row | None:
    """The account of the TLB refill handler."""
    return run.services.get("UTLB")


def stall_but_utlb(run: Run) -> float | None:
    """Memory stall in percent of the kernel's busy cycles without its TLB refill handler."""
    utlb = utlb_of(run)
    if utlb is None:
        return stall_share(run, "kernel")
    stall = of_mode(run, "kernel", memory_stall) - memory_stall(utlb)
    return percent_of(stall, of_mode(run, "kernel", busy_cycles) - utlb["cycles"])


def refill_insns(run: Run) -> float:
    """The instructions of a TLB refill."""
    utlb = utlb_of(run)
    return utlb["insns"] / utlb["calls"]


def cycles_at_refills(run: Run, count: Number) -> float:
    """The kernel's cycles if a refill took COUNT instructions, each as long as one of the handler's."""
    return of_mode(run, "kernel", cycles) - utlb_of(run)["cycles"] * (1 - count / refill_insns(run))


def stall_share_at_refills(run: Run, count: Number) -> float | None:
    """The share of memory stall in them."""
    stall = of_mode(run, "kernel", memory_stall) - memory_stall(utlb_of(run)) * (1 - count / refill_insns(run))
    return percent_of(stall, cycles_at_refills(run, count))


def kernel_mcpi(run: Run) -> float:
    """Cycles of memory stall an instruction of the kernel."""
    return of_mode(run, "kernel", memory_stall) / of_mode(run, "kernel", insns)


def mcpi(run: Run, mode: str, kind: str) -> float:
    """Cycles of a kind of stall an instruction of a mode."""
    return of_mode(run, mode, lambda account: account[f"stall.{kind}"]) / of_mode(run, mode, insns)


def hidden_part(old: Run, new: Run, kinds: list[str]) -> float | None:
    """The part of the kernel's stall of KINDS on the machine OLD that NEW does not have, in percent."""
    before = total(mcpi(old, "kernel", kind) for kind in kinds)
    after = total(mcpi(new, "kernel", kind) for kind in kinds)
    return (1 - after / before) * 100 if before > 0 else None


class Known:
    """All that is known: runs, services, counts of caches, and the paper's numbers."""

    def __init__(
        self,
        runs: dict[str, Run],
        services: dict[str, Row],
        caches: list[Row],
        planned: list[str],
        outside: Mapping[str, int] | None = None,
    ) -> None:
        """OUTSIDE: the compiler's system calls under another emulator (workloads/paper/outside.sh)."""
        self.run, self.services, self.caches, self.planned, self.outside = runs, services, caches, planned, outside or {}
        self.conditions = tables.read_tsv(HERE / "conditions.tsv")
        self.events = tables.read_tsv(HERE / "sosp95-events.tsv")
        self.text = tables.read_tsv(HERE / "sosp95-text.tsv")
        self.t48 = tables.read_tsv(HERE / "sosp95-table-4.8.tsv")
        self.t54 = tables.read_tsv(HERE / "sosp95-table-5.4.tsv")

    def under(self, condition: str) -> Known:
        """The same with a condition put back (conditions.tsv): the runs of the workloads with it, under the workloads' own names,
        and no others."""

        def renamed(by_name: dict[str, Any]) -> dict[str, Any]:
            found = {}
            for name, value in by_name.items():
                workload, _, rest = name.partition("-")
                if rest.startswith(f"{condition}-"):
                    found[f"{workload}-{rest.removeprefix(condition + '-')}"] = value
            return found

        return Known(renamed(self.run), renamed(self.services), [], [])

    def run_of(self, workload: str, column: str) -> Run | None:
        """The run of a workload on the machine of a column."""
        return self.run.get(f"{workload}-{column}")

    def services_of(self, workload: str, column: str) -> Row | None:
        """What `simos report --services=json` says of a run."""
        return self.services.get(f"{workload}-{column}")

    def service(self, workload: str, column: str, name: str) -> Row | None:
        """A service of a run."""
        listed = (self.services_of(workload, column) or {}).get("services", [])
        return next((service for service in listed if service["name"] == name), None)

    def having(self, columns: Iterable[str]) -> list[str]:
        """Workloads that have all these runs."""
        wanted = list(columns)
        return [name for name in WORKLOADS if all(self.run_of(name, column) for column in wanted)]

    def said(self, what: str, workload: str) -> Any:
        """A number of the paper's text."""
        return next((row.get(workload) for row in self.text if row["what"] == what), None)

    def paper_event(self, workload: str, event: str) -> Any:
        """An event rate of the paper's table 4.2."""
        return next(row[workload] for row in self.events if str(row["table"]) == "4.2" and row["event"] == event)

    def gain(self, workload: str, column: str, f: OfRun) -> float | None:
        """How much faster COLUMN is than 1994 in F, which is in seconds."""
        old, new = self.run_of(workload, "1994"), self.run_of(workload, column)
        return over(f(old), f(new)) if old and new else None

    def speed_up(self, workload: str, column: str, name: str) -> float | None:
        """How much faster a service is than in 1994."""
        old, new = (self.service(workload, year, name) or {} for year in ("1994", column))
        return over(old.get("computation"), new.get("computation"))

    def idle_share(self, workload: str, column: str) -> float | None:
        """Idle time in percent."""
        run = self.run_of(workload, column)
        return percent_of(of_mode(run, "idle", cycles), all_cycles(run)) if run else None

    def kernel_share(self, workload: str, column: str) -> float | None:
        """The kernel in percent of busy time."""
        run = self.run_of(workload, column)
        return percent_of(of_mode(run, "kernel", cycles), busy(run, cycles)) if run else None

    def part_of_services(self, workload: str, column: str, *parts: str) -> float:
        """The part of the services' time, but for UTLB, that PARTS of a service have."""
        listed = self.services_of(workload, column)["services"]
        shown = [service for service in listed if service["name"] not in ("UTLB", "USER", "IDLE")]
        has = total(service["kernel"] * (total(service.get(part) or 0 for part in parts) or 0) for service in shown)
        return has / total(service["kernel"] for service in shown)

    def gap(self, workload: str) -> list[float] | None:
        """The kernel's memory stall cycles an instruction on eight CPUs to those on one, in 1994 and 1998."""
        runs = [self.run_of(workload, column) for column in ("mp8", "1994", "1998-mp8", "1998")]
        if None in runs:
            return None
        several, one, later_several, later = map(kernel_mcpi, runs)
        return [several / one, later_several / later]

    def misses(self, name: str, series: str, point: str, f: Callable[[Row], bool]) -> Number:
        """Misses of caches: the counts of SERIES at POINT under the workload NAME that F selects, together."""
        rows = (
            row for row in self.caches if (row["name"], row["series"], row["point"]) == (name, series, point) and f(row)
        )
        return total(row["count"] for row in rows) or 0

    def kernel_insns(self, name: str) -> Number:
        """The kernel's instructions while the caches were counted."""
        rows = (row for row in self.caches if (row["name"], row["series"], row["mode"]) == (name, "all", "kernel"))
        return total(row["count"] for row in rows) or 0

    def capacity_or(self, kind: str) -> Callable[[Row], bool]:
        """The kernel's misses of a kind of figure 5.3; capacity misses are those by self and by other."""
        return lambda row: (
            row["mode"] == "kernel"
            and (row["cause"] == kind or (kind == "capacity" and row["cause"] in ("self", "other")))
        )
