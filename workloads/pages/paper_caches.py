"""What SOSP'95 found of caches of several sizes (sections 4.4 and 5.2), as far as there are runs."""

from __future__ import annotations

from collections.abc import Callable

from pages.claims import ALL, Cases
from pages.numbers import Number, over, percent_of, total
from pages.paper_runs import WORKLOADS, Known, clock
from pages.tables import Row


def _unit(text: str, units: dict[str, float]) -> float:
    """The value of a parameter with its unit, such as 30ns."""
    number = text.rstrip("GMKHzmunspi")
    return float(number) * units[text[len(number) :]]


def _instructions(known: Known, name: str) -> Cases:
    """A time of the memory system in instructions that the machine of 1998 can execute meanwhile."""
    run = next((run for w in WORKLOADS if (run := known.run_of(w, "1998"))), None)
    if not run:
        return {}
    nanoseconds = _unit(run.parameters[f"memory.{name}"], {"ns": 1, "us": 1e3, "ps": 1e-3})
    return {ALL: {"insns": nanoseconds * clock(run) / 1e9 * int(run.parameters["mxs.fetch_width"])}}


def l1_cost(known: Known) -> Cases:
    """Section 4.4.1: a first-level miss."""
    return _instructions(known, "l2_hit_time")


def l2_cost(known: Known) -> Cases:
    """Section 4.4.2: a second-level miss."""
    return _instructions(known, "miss_time")


def caches_interference(known: Known) -> Cases:
    """Sections 4.4 and 5.2: misses that larger first-level caches remove, in percent."""
    cases: dict[str, Row] = {}
    for w in WORKLOADS:
        removed = []
        for cause in ("self", "other"):
            small, large = (
                known.misses(w, "figure-4.6", size, lambda row: row["cause"] == cause and row["mode"] != "idle")
                for size in ("16K", "256K")
            )
            left = over(large, small)
            removed.append(None if left is None else (1 - left) * 100)
        if None not in removed:
            cases[w] = {"self_removed": removed[0], "other": removed[1]}
    return cases


def interference(known: Known) -> Cases:
    """Section 4.4: who evicted what a program misses in its first-level caches."""
    cases: dict[str, Row] = {}
    for w in known.having(["1994"]):
        by_kernel, by_users = (known.run_of(w, "1994").evicted(name) for name in ("user_kernel", "user_user"))
        if by_kernel is not None:
            cases[w] = {"kernel": percent_of(by_kernel, by_kernel + by_users)}
    return cases


SIZES = ["16K", "32K", "64K", "128K", "256K"]


def _by_cause(known: Known, w: str, cause: str) -> list[Number]:
    """First-level misses by size of the caches."""
    return [
        known.misses(w, "figure-4.6", size, lambda row: row["cause"] == cause and row["mode"] != "idle")
        for size in SIZES
    ]


def caches_database(known: Known) -> Cases:
    """Section 4.4.1: the database's first-level misses by size of the caches."""
    own, others = (_by_cause(known, "database", cause) for cause in ("self", "other"))
    left = over(others[-1], others[0])
    return {} if left is None else {"database": {"own": own, "others": others, "left": left}}


def complementary(known: Known) -> Cases:
    """Section 4.4.1: lines that the kernel misses because programs evicted them, and the reverse (1994)."""
    cases: dict[str, Row] = {}
    for w in known.having(["1994"]):
        kernel, user = (known.run_of(w, "1994").evicted(name) for name in ("kern_other", "user_kernel"))
        if kernel and user:
            cases[w] = {"kernel": kernel, "user": user}
    return cases


def ways(known: Known) -> Cases:
    """Section 4.4.1: misses that first-level caches of four ways do not have, of those of direct-mapped ones."""
    if not (known.run_of("pmake-direct", "1994") and known.run_of("pmake-4way", "1994")):
        return {}

    def fewer(*members: str) -> float | None:
        left = over(*(known.run_of(name, "1994").evicted(*members) for name in ("pmake-4way", "pmake-direct")))
        return None if left is None else (1 - left) * 100

    return {"pmake": {"own": fewer("kern_self", "user_self"), "others": fewer("kern_other", "user_other")}}


L2_SIZES = ["256K", "512K", "1M", "2M", "4M"]


def _l2(known: Known, w: str, size: str, *causes: str) -> Number:
    """Second-level misses of one CPU, of CAUSES or all."""
    return known.misses(
        w, "figure-4.7", size, lambda row: row["mode"] != "idle" and (not causes or row["cause"] in causes)
    )


def _executed(known: Known, w: str) -> Number:
    rows = (row for row in known.caches if (row["name"], row["series"]) == (w, "all") and row["mode"] != "idle")
    return total(row["count"] for row in rows) or 0


def smallest_rate(known: Known) -> Cases:
    """Section 4.4.2: what the smallest second-level miss rate costs the machine of 1998, in percent."""
    cost = l2_cost(known)
    rates = [_l2(known, w, size) / n for w in WORKLOADS if (n := _executed(known, w)) for size in L2_SIZES]
    return {ALL: {"slower": min(rates) * cost[ALL]["insns"] * 100}} if rates and cost else {}


def capacity_gone(known: Known) -> Cases:
    """Section 4.4.2: second-level caches of 256 KB and of 4 MB."""
    cases: dict[str, Row] = {}
    for w in ("pmake", "database"):
        left = over(_l2(known, w, "4M", "self", "other"), _l2(known, w, "256K", "self", "other"))
        cold = percent_of(_l2(known, w, "4M", "cold"), _l2(known, w, "4M"))
        if left is not None and cold is not None:
            cases[w] = {"removed": (1 - left) * 100, "cold": cold}
    return cases


def misclassified(known: Known) -> Cases:
    """Section 4.4.2: cold misses of 4 MB of memory that was in use before the measurement (cold.tcl)."""
    cases: dict[str, Row] = {}
    for w in ("pmake", "database"):
        run = known.run_of(w, "cold")
        misses = {name: count for name, count in (run.collected("cold misses") if run else {}).items() if not name.startswith("idle")}
        if misses:
            before = total(count for name, count in misses.items() if name.endswith("in use before"))
            cases[w] = {"part": percent_of(before or 0, total(misses.values()))}
    return cases


def touched(known: Known) -> Cases:
    """Section 4.5: the memory that the workload touches, in MB: its cold misses, lines of 128 bytes each."""
    cold = _l2(known, "pmake", "4M", "cold")
    return {"pmake": {"megabytes": cold * 128 / 2**20}} if cold else {}


def caches_coherence(known: Known) -> Cases:
    """The kernel's coherence and capacity misses of eight CPUs as second-level caches grow."""
    cases: dict[str, Row] = {}
    for w in WORKLOADS:
        coherence, capacity = (
            [known.misses(f"{w}-mp8", "figure-5.3", size, known.capacity_or(kind)) for size in ("256K", "4M")]
            for kind in ("coherence", "capacity")
        )
        if coherence[0] > 0:
            cases[w] = {"coherence": coherence, "capacity": capacity}
    return cases


def _of_kernel(row: Row) -> bool:
    return row["mode"] == "kernel"


def caches_several(known: Known) -> Cases:
    """Section 5.2: the kernel's misses that a second-level cache of 4 MB does not have, of those of 256 KB, in percent."""
    cases: dict[str, Row] = {}
    for w in WORKLOADS:
        removed = []
        for name in (w, f"{w}-mp8"):
            small, large = (known.misses(name, "figure-5.3", size, _of_kernel) for size in ("256K", "4M"))
            left = over(large, small)
            removed.append(None if left is None else (1 - left) * 100)
        if None not in removed:
            cases[w] = {"one": removed[0], "eight": removed[1]}
    return cases


def dma(known: Known) -> Cases:
    """Section 5.2, note 1: coherence misses of one CPU, in percent of its kernel's second-level misses (1 MB)."""
    cases: dict[str, Row] = {}
    for w in WORKLOADS:
        every = known.misses(w, "figure-5.3", "1M", _of_kernel)
        if every:
            cases[w] = {"part": percent_of(known.misses(w, "figure-5.3", "1M", known.capacity_or("coherence")), every)}
    return cases


def misses_left(known: Known) -> Cases:
    """Section 5.2: the kernel's misses of a second-level cache of 4 MB of eight CPUs per 100 of its instructions."""
    cases: dict[str, Row] = {}
    for w in ("pmake", "database"):
        n = known.kernel_insns(f"{w}-mp8")
        if n:
            cases[w] = {"misses": known.misses(f"{w}-mp8", "figure-5.3", "4M", _of_kernel) * 100 / n}
    return cases


FINDINGS: dict[str, Callable[[Known], Cases]] = {
    function.__name__: function
    for function in (
        *(l1_cost, l2_cost, caches_interference, caches_database, interference, complementary, ways, smallest_rate),
        *(capacity_gone, misclassified, touched, caches_coherence, caches_several, dma, misses_left),
    )
}
# A claim of what another claim measures, too.
FINDINGS |= {"cold_left": capacity_gone}
