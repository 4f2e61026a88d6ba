"""What SOSP'95 says of the kernel's services (sections 4.5 and 5.3), asked of its tables 4.8 and 5.4 and of ours alike.

A table is a list of rows under the paper's names of columns (sosp95-table-4.8.tsv, sosp95-table-5.4.tsv)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from pages.claims import Cases
from pages.numbers import Number, median, over, percent_of, total
from pages.paper_runs import WORKLOADS, YEARS, Known
from pages.tables import Row

Rows = list[Row]

# What the database's services are for.
COMMUNICATION = ("select", "send", "recv", "sendmsg", "recvmsg", "SW INT", "ioctl", "futex", "futex_time64", "semop")
DISK = ("read", "write", "DISK INT", "fsync", "fdatasync", "sync_file_range")

BLOCKS = ("DEMAND ZERO", "COW FAULT", "read", "write")
TOP_FOUR = ("DEMAND ZERO", "QUICK FAULT", "execve", "write")
OTHER = "Other"

# Of a service with fewer calls the average latency, which depends on what else is running, is no evidence.
ENOUGH_CALLS = 30

# Which services are whose, by the paper's names and by Linux's.
VIRTUAL_MEMORY = {"DEMAND ZERO", "QUICK FAULT", "COW FAULT", "PFAULT", "UTLB", "KTLB", "DBL FAULT", "brk"}
VIRTUAL_MEMORY |= {"mmap2", "munmap", "mprotect", "madvise", "mremap"}
FILES = {"read", "write", "open", "close", "unlink", "statx", "stat64", "lstat64", "fstat64", "fstatat64", "access"}
FILES |= {"faccessat", "faccessat2", "readlink", "readlinkat", "getdents64", "_llseek", "lseek", "writev", "readv"}
FILES |= {"rename", "renameat2", "mkdir", "rmdir", "ftruncate64", "fchmod", "chmod", "umask", "utimensat_time64"}


class Tables(Protocol):
    """Tables 4.8 and 5.4."""

    def one(self, workload: str) -> Rows:
        """The services of one CPU."""

    def several(self, workload: str) -> Rows:
        """The services of eight."""

    def whole(self, workload: str) -> Rows:
        """The services of whole workloads, of both."""


def slower(several: Number | None, one: Number | None) -> float | None:
    """How much more SEVERAL is, in percent."""
    ratio = over(several, one)
    return (ratio - 1) * 100 if ratio is not None else None


class Own:
    """The tables of the runs here."""

    def __init__(self, known: Known) -> None:
        self.known = known

    def _names(self, workload: str, column: str) -> list[str]:
        return [service["name"] for service in (self.known.services_of(workload, column) or {}).get("services", [])]

    def one(self, workload: str) -> Rows:
        """Table 4.8; what is of runs that are missing is None."""
        if not self.known.services_of(workload, "1994"):
            return []
        names = dict.fromkeys(name for year in ("1994", "1998") for name in self._names(workload, year))
        return [self._one(workload, name) for name in names]

    def _one(self, workload: str, name: str) -> Row:
        row: Row = {"service": name}
        old = self.known.service(workload, "1994", name) or {}
        for year in YEARS:
            of = self.known.service(workload, year, name) or {}
            ran = self.known.services_of(workload, year) is not None
            short = year[2:]
            row["share" + short] = of.get("kernel", 0) if ran else None
            for column, member in (("cpi", "cpi"), ("imcpi", "i_mcpi"), ("dmcpi", "d_mcpi")):
                row[column + short] = of.get(member)
            for column, member in (("istall", "stall_insn"), ("dstall", "stall_data")):
                row[column + short] = of.get(member)
            row["speedup" + short] = over(old.get("computation"), of.get("computation"))
            row["latency_speedup" + short] = over(old.get("latency"), of.get("latency"))
        more = {"avg94": "computation", "latency94": "latency", "rate": "calls", "cold": "cold"}
        row |= {column: old.get(member) for column, member in more.items()}
        return row | {"called": self._called(workload, ("1994", "1998"), name)}

    def _called(self, workload: str, columns: tuple[str, ...], name: str) -> float | None:
        """How many times a service was called, in the run in which that is least; None if it has no number of calls."""
        found = []
        for column in columns:
            calls = (self.known.service(workload, column, name) or {}).get("calls")
            found += [calls * self.known.services_of(workload, column)["seconds"]] if calls else []
        return min(found, default=None)

    def several(self, workload: str) -> Rows:
        """Table 5.4."""
        return [self._several(workload, name) for name in self._names(workload, "mp8")]

    def _several(self, workload: str, name: str) -> Row:
        of, one = (self.known.service(workload, column, name) or {} for column in ("mp8", "1994"))
        members = {"insns": "instructions", "icache": "insn_cache", "dcache": "data_cache", "avg": "computation"}
        members |= {column: column for column in ("spinlock", "coherence", "upgrade", "latency")}
        row = {column: of.get(member) for column, member in members.items()}
        return row | {
            "service": name,
            "share_mp": of.get("kernel"),
            "share_up": one.get("kernel", 0) if self.known.services_of(workload, "1994") else None,
            "slowdown": slower(of.get("computation"), one.get("computation")),
            "latency_slowdown": slower(of.get("latency"), one.get("latency")),
            "called": self._called(workload, ("1994", "mp8"), name),
        }


    def whole(self, workload: str) -> Rows:
        """The latencies of both in whole workloads, which are without memory stall."""
        return [self._whole(workload, name) for name in self._names(workload, "whole")]

    def _whole(self, workload: str, name: str) -> Row:
        one, of = (self.known.service(workload, column, name) or {} for column in ("whole", "whole-mp8"))
        return {
            "service": name,
            "avg94": one.get("computation"),
            "latency94": one.get("latency"),
            "latency_slowdown": slower(of.get("latency"), one.get("latency")),
            "called": self._called(workload, ("whole", "whole-mp8"), name),
        }


def row_of(rows: Rows, name: str) -> Row:
    """The row of a service; without figures if it was not met."""
    return next((row for row in rows if row["service"] == name), {})


def has_enough_calls(row: Row) -> bool:
    """Whether the average latency of a service says something; the paper's always does."""
    return row.get("called") is None or round(row["called"]) >= ENOUGH_CALLS


def of_latencies(rows: Iterable[Row], measures: Callable[[Rows], Row]) -> Row:
    """MEASURES that are latencies of ROWS, of those of these services that have enough calls, with the others in `few`; not
    judged if all have too few."""
    listed = list(rows)
    enough = [row for row in listed if has_enough_calls(row)]
    few = ", ".join(f"{row['service']} was called {row['called']:.0f} times" for row in listed if not has_enough_calls(row))
    if enough:
        return measures(enough) | {"few": f"; {few}" if few else ""}
    return measures(listed) | {"few": "", "not_judged": f"of fewer than {ENOUGH_CALLS} calls: {few}"}


def figures(rows: Rows, column: str, names: tuple[str, ...] | None = None) -> list[Number]:
    """What is known in a column, of all services but the paper's row of others, or of NAMES."""
    wanted = [row for row in rows if row["service"] != OTHER and (names is None or row["service"] in names)]
    return [row[column] for row in wanted if row.get(column) is not None]


def number_of(found: list[bool]) -> tuple[int, int]:
    """How many of FOUND are true, and how many there are. A ValueError if there are none, as where a run is missing: no
    finding follows from nothing."""
    if not found:
        raise ValueError("nothing to count")
    return sum(found), len(found)


def part_of(rows: Rows, column: str, names: set[str] | tuple[str, ...]) -> float | None:
    """The part of a column that NAMES have, in percent."""
    listed = [(row["service"], row[column]) for row in rows if row.get(column) is not None]
    return percent_of(total(value for name, value in listed if name in names), total(value for _, value in listed))


def kernel_stall(rows: Rows, year: str, but: tuple[str, ...] = ()) -> float | None:
    """The services' memory stall in percent of their time, but for the services BUT."""
    known = [row for row in rows if row["service"] not in but and row.get("dmcpi" + year) is not None]
    stalls = [row["share" + year] * (row["imcpi" + year] + row["dmcpi" + year]) / row["cpi" + year] for row in known]
    return percent_of(total(stalls), total(row["share" + year] for row in known))


def kernel_mcpi(rows: Rows, year: str) -> float | None:
    """The services' memory stall cycles an instruction, all together."""
    known = [row for row in rows if row.get("dmcpi" + year) is not None]
    insns = [row["share" + year] / row["cpi" + year] for row in known]
    stalls = [n * (row["imcpi" + year] + row["dmcpi" + year]) for n, row in zip(insns, known)]
    return over(total(stalls), total(insns))


def kernel_speedup(rows: Rows, year: str) -> float | None:
    """How much faster the services are together than in 1994, if each is called as often."""
    known = [row for row in rows if row.get("speedup" + year)]
    times = [row["share94"] / row["speedup" + year] for row in known]
    return over(total(row["share94"] for row in known), total(times))


def insn_part(rows: Rows, year: str) -> float | None:
    """Instruction stall, in percent of the kernel's memory stall."""
    insn, data = (
        total(row[column + year] for row in rows if row.get(column + year) is not None) for column in ("istall", "dstall")
    )
    return percent_of(insn, insn + data) if insn is not None and data is not None else None


# Section 4.5, of table 4.8.


def stable(rows: Rows) -> Row:
    """How much of the kernel's time goes to other services in 1998 than in 1994, in percent points."""
    pairs = [(row.get("share94"), row.get("share98")) for row in rows]
    return {"moved": total(abs(new - old) for old, new in pairs if old is not None and new is not None) / 2}


def groups(rows: Rows) -> Row:
    """Virtual memory and files."""
    return {"memory": part_of(rows, "share94", VIRTUAL_MEMORY), "files": part_of(rows, "share94", FILES)}


def block_stall(rows: Rows) -> Row:
    """Data stall of the services that access large blocks."""
    return {"part": part_of(rows, "dstall94", BLOCKS)}


def cold(rows: Rows) -> Row:
    """DEMAND ZERO."""
    zero = row_of(rows, "DEMAND ZERO")
    return {"cold": zero["cold"], "kernel": [zero["share94"], zero["share98"]]}


def cold_services(rows: Rows) -> Row:
    """The other services with many cold misses."""
    names = {"cow": "COW FAULT", "write": "write"}
    return {name: [row_of(rows, service)[f"share{y}"] for y in ("94", "98")] for name, service in names.items()}


def even_stall(rows: Rows) -> Row:
    """The service with the most memory stall."""
    stalls = [(row["istall94"] + row["dstall94"], row["service"]) for row in rows if row.get("dstall94") is not None]
    most, name = max(stall for stall in stalls if stall[1] != OTHER)
    return {"most": most, "name": name}


def bad_insn_cache(rows: Rows) -> Row:
    """Services of 1 % of the kernel's time or more with an i-MCPI above 2 in 1994."""
    known = [row for row in rows if (row.get("share94") or 0) >= 1 and row.get("imcpi94") is not None]
    above, every = number_of([row["imcpi94"] > 2 for row in known])
    return {"count": above, "of": every}


def broad(rows: Rows) -> Row:
    """Services of 1 % of the kernel's time or more that gain to 1998 as the kernel does, within a factor of 1.5."""
    gain = kernel_speedup(rows, "98")
    known = [row for row in rows if (row.get("share94") or 0) >= 1 and row["service"] != OTHER and row.get("speedup98")]
    same, every = number_of([gain / 1.5 <= row["speedup98"] <= gain * 1.5 for row in known])
    return {"same": same, "count": every}


def block_gain(rows: Rows) -> Row:
    """How much faster read and write are in 1996, and all other services together."""
    gains = {name: row_of(rows, name)["speedup96"] for name in ("read", "write")}
    others = [row for row in rows if row["service"] not in gains]
    return {"gains": gains, "least": min(gains.values()), "others": kernel_speedup(others, "96")}


def service_gains(rows: Rows) -> Row:
    """How much faster the service in the middle is, of those of 1 % of the kernel's time or more."""
    known = [row for row in rows if (row.get("share94") or 0) >= 1 and row["service"] != OTHER]
    return {"middle": [median(figures(known, "speedup" + year)) for year in ("96", "98")]}


def service_mcpi(rows: Rows) -> Row:
    """Main services, of 3 % or more, that have less than half of the memory stall an instruction of 1994 in 1998."""
    columns = ("imcpi94", "dmcpi94", "imcpi98", "dmcpi98")
    known = [row for row in rows if (row.get("share94") or 0) >= 3 and None not in map(row.get, columns)]
    halved, every = number_of([(row["imcpi98"] + row["dmcpi98"]) * 2 < row["imcpi94"] + row["dmcpi94"] for row in known])
    return {"halved": halved, "count": every}


def utlb(rows: Rows) -> Row:
    """The service of 2 % of the kernel's time or more that gains least."""
    known = [row for row in rows if (row.get("share94") or 0) >= 2 and row.get("speedup98")]
    bound, least = min((row["speedup98"], row["service"]) for row in known if row["service"] not in ("UTLB", OTHER))
    return {"own": row_of(rows, "UTLB")["speedup98"], "least": least, "bound": bound}


def utlb_gain(rows: Rows) -> Row:
    """The refill handler's speed-up."""
    return {"gain": [row_of(rows, "UTLB")[f"speedup{year}"] for year in ("96", "98")]}


def utlb_share(rows: Rows) -> Row:
    """The refill handler's part of the kernel's time."""
    return {"share": [row_of(rows, "UTLB")[f"share{year}"] for year in ("94", "98")]}


def clock(rows: Rows) -> Row:
    """The clock interrupt's part of the kernel's time."""
    return {"share": [row_of(rows, "CLOCK INT")[f"share{year}"] for year in ("94", "96", "98")]}


def few_services(rows: Rows) -> Row:
    """Refill handler and clock interrupt together."""
    return {"part": total(figures(rows, "share94", ("UTLB", "CLOCK INT")))}


def latency(rows: Rows) -> Row:
    """Services whose latency is their time of a processor, within a tenth; of those of 1 % or more."""
    known = [row for row in rows if row.get("latency94") and has_enough_calls(row)]
    pairs = [(row["latency94"], row["avg94"]) for row in known if (row.get("share94") or 0) >= 1]
    same, every = number_of([latency <= 1.1 * avg for latency, avg in pairs])
    return {"same": same, "count": every}


def gains_of(names: tuple[str, ...]) -> Callable[[Rows], Row]:
    """How much faster NAMES are in 1998, in time of a processor and in latency."""

    def measure(rows: Rows) -> Row:
        def gains(found: Rows) -> Row:
            latencies = {row["service"]: row["latency_speedup98"] for row in found}
            return {"latency": latencies, "least": min(row["speedup98"] / row["latency_speedup98"] for row in found)}

        return of_latencies([row_of(rows, name) for name in names], gains)

    return measure


def latency_of(name: str) -> Callable[[Rows], Row]:
    """How many times the latency of a service is its time of a processor."""

    def measure(rows: Rows) -> Row:
        return of_latencies([row_of(rows, name)], lambda found: {"times": found[0]["latency94"] / found[0]["avg94"]})

    return measure


# Sections 5.2 and 5.3, of table 5.4.


def several_stable(rows: Rows) -> Row:
    """How much of the kernel's time goes to other services on eight CPUs than on one, in percent points."""
    pairs = [(row.get("share_up"), row.get("share_mp")) for row in rows]
    return {"moved": total(abs(new - old) for old, new in pairs if old is not None and new is not None) / 2}


def several_services(rows: Rows) -> Row:
    """What services of 1 % of the kernel's time or more lose on eight CPUs, if one CPU has them, too."""
    known = [row for row in rows if (row.get("share_mp") or 1) >= 1 and row.get("share_up")]
    losses = figures(known, "slowdown")
    most, every = number_of([loss >= 30 for loss in losses])
    return {"count": every, "most": most, "middle": median(losses)}


def always_slower(rows: Rows) -> Row:
    """How many of these services take longer on eight CPUs."""
    known = [row for row in rows if (row.get("share_mp") or 1) >= 1 and row.get("share_up")]
    losses = figures(known, "slowdown")
    slow, every = number_of([loss > 0 for loss in losses])
    return {"count": every, "slower": slow, "least": min(losses)}


def top_four(rows: Rows) -> Row:
    """The four services that are the paper's first."""
    losses = figures(rows, "slowdown", TOP_FOUR)
    return {"share": total(figures(rows, "share_mp", TOP_FOUR)), "least": min(losses), "most": max(losses)}


def top_locks(rows: Rows) -> Row:
    """Their time in spin locks."""
    locks = figures(rows, "spinlock", TOP_FOUR)
    return {"least": min(locks), "most": max(locks)}


def top_communication(rows: Rows) -> Row:
    """Their time in coherence misses and upgrades."""
    found = [row_of(rows, name) for name in TOP_FOUR]
    parts = [row["coherence"] + row["upgrade"] for row in found if row]
    return {"least": min(parts), "most": max(parts)}


def slower_of(*names: str) -> Callable[[Rows], Row]:
    """How much longer the latencies of NAMES are on eight CPUs, in percent."""

    def measure(rows: Rows) -> Row:
        def losses(found: Rows) -> Row:
            more = {row["service"]: row["latency_slowdown"] for row in found}
            return {"more": more, "least": min(more.values()), "most": max(more.values())}

        return of_latencies([row_of(rows, name) for name in names], losses)

    return measure


def end_idle(rows: Rows) -> Row:
    """END IDLE, and communication in it."""
    row = row_of(rows, "END IDLE")
    return {"share": [row["share_up"], row["share_mp"]], "part": row["coherence"] + row["upgrade"]}


def utlb_several(rows: Rows) -> Row:
    """The refill handler on eight CPUs."""
    return {"slower": row_of(rows, "UTLB")["slowdown"]}


EVERY = tuple(WORKLOADS)
DISK_CALLS = {"pmake": ("open", "close", "unlink"), "database": ("read", "write")}
ONE: dict[str, tuple[tuple[str, ...], Callable[[Rows], Row]]] = {
    "stable": (EVERY, stable),
    "groups": (("pmake",), groups),
    "block_stall": (("pmake",), block_stall),
    "cold": (("pmake",), cold),
    "cold_time": (("pmake",), cold),
    "cold_services": (("pmake",), cold_services),
    "even_stall": (("database",), even_stall),
    "bad_insn_cache": (("database",), bad_insn_cache),
    "broad": (EVERY, broad),
    "block_gain": (("pmake",), block_gain),
    "service_gains": (("database",), service_gains),
    "service_mcpi": (("database",), service_mcpi),
    "utlb": (EVERY, utlb),
    "utlb_gain": (("database", "engineering"), utlb_gain),
    "utlb_share": (("database",), utlb_share),
    "utlb_part": (("database",), utlb_share),
    "clock": (("engineering",), clock),
    "few_services": (("engineering",), few_services),
    "latency": (EVERY, latency),
    "latency_select": (("database",), latency_of("select")),
}
# Of what is seldom called.
WHOLE: dict[str, tuple[tuple[str, ...], Callable[[Rows], Row]]] = {
    "latency_fork": (("pmake",), latency_of("fork")),
    "fork_latency": (("pmake",), slower_of("fork")),
}
SEVERAL: dict[str, tuple[tuple[str, ...], Callable[[Rows], Row]]] = {
    "several_stable": (EVERY, several_stable),
    "several_services": (EVERY, several_services),
    "always_slower": (EVERY, always_slower),
    "top_four": (("pmake",), top_four),
    "top_slower": (("pmake",), top_four),
    "top_locks": (("pmake",), top_locks),
    "top_communication": (("pmake",), top_communication),
    "files_latency": (("pmake",), slower_of("open", "close", "unlink")),
    "fault_latency": (("pmake",), slower_of("PFAULT")),
    "send_latency": (("database",), slower_of("send")),
    "end_idle": (("database",), end_idle),
    "end_idle_part": (("database",), end_idle),
    "sharing_end_idle": (("database",), end_idle),
    "utlb_several": (("engineering",), utlb_several),
}


def measure(f: Callable[[Rows], Row], rows: Rows) -> Row | None:
    """F of ROWS; None if a service that it needs was not met, or a run is missing."""
    try:
        return f(rows) if rows else None
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        return None


def service_measures(tables: Tables) -> dict[str, Cases]:
    """All of them by claim and workload, of the paper's tables or ours."""
    found: dict[str, dict[str, Row]] = {}
    for measures, rows_of in ((ONE, tables.one), (SEVERAL, tables.several), (WHOLE, tables.whole)):
        for name, (workloads, f) in measures.items():
            cases = {w: measure(f, rows_of(w)) for w in workloads}
            found[name] = {w: case for w, case in cases.items() if case is not None}
    cases = {w: measure(gains_of(names), tables.one(w)) for w, names in DISK_CALLS.items()}
    return found | {"latency_disk": {w: case for w, case in cases.items() if case is not None}}
