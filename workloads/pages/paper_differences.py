"""Where this is another system than that of SOSP'95: the figures in which it shows, for the prose of page.html."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pages.numbers import count, fixed, over, percent, plain, short
from pages.paper_runs import Known, busy, busy_seconds, clock, in_text, insns

# Instructions of IRIX's TLB refill handler (section 4.5).
PAPER_HANDLER = 8


def rate(known: Known, workload: str, event: str) -> Any:
    """An event rate of 1994."""
    return known.services_of(workload, "1994")["rates"].get(event)


def scaled(value: float | None, scale: float) -> str:
    """A ratio, scaled."""
    return short(value * scale if value is not None else None)


def figures(known: Known) -> dict[str, str]:
    """The figures by name: "WORKLOAD OURS (paper: THEIRS)" of each workload."""
    first = known.having(["1994"])

    def beside(ours: Callable[[str], str], theirs: Callable[[str], str]) -> str:
        return ", ".join(f"{in_text(w)} {ours(w)} (paper: {theirs(w)})" for w in first)

    def rates(event: str, by: str, scale: float) -> str:
        return beside(
            lambda w: scaled(over(rate(known, w, event), rate(known, w, by)), scale),
            lambda w: scaled(over(known.paper_event(w, event), known.paper_event(w, by)), scale),
        )

    def run(workload: str) -> dict[str, Any]:
        return known.run_of(workload, "1994")

    def idle(workload: str) -> str:
        said = known.said("idle94", workload)
        return "little" if said is None else f"{plain(said)} %"

    def refill_rate(of: Callable[[str, str], Any], workload: str) -> float | None:
        return over(of(workload, "tlb_refills"), of(workload, "instructions"))

    def more_refills(workload: str) -> float | None:
        """Refills an instruction by those of the paper."""
        ours, theirs = (refill_rate(of, workload) for of in (lambda w, e: rate(known, w, e), known.paper_event))
        return over(ours, theirs)

    handlers = set()
    for workload in first:
        utlb = known.service(workload, "1994", "UTLB")
        if utlb:
            handlers.add(fixed(utlb["computation"] * clock(run(workload)) / 1e6 / utlb["cpi"], 0))
    lengths = sorted(float(handler) / PAPER_HANDLER for handler in handlers)
    memories = ((w, known.run_of(w, "mp8").parameters["machine.memory"]) for w in known.having(["mp8"]))
    return {
        "kernel_share": beside(
            lambda w: percent(known.kernel_share(w, "1994")), lambda w: f"{plain(known.said('kernel_share', w))} %"
        ),
        "handler": " to ".join(sorted(handlers)),
        "longer": " to ".join(fixed(length, 1) for length in lengths),
        "more_refills": ", ".join(f"{in_text(w)} {short(more_refills(w))} times" for w in first),
        "refills": rates("tlb_refills", "instructions", 1000),
        "instructions": beside(
            lambda w: fixed(busy(run(w), insns) / 1e6, 0),
            lambda w: fixed(known.paper_event(w, "instructions") * known.paper_event(w, "seconds") / 1e6, 0),
        ),
        "seconds": beside(
            lambda w: short(busy_seconds(run(w))),
            lambda w: short(known.paper_event(w, "seconds") * (1 - (known.said("idle94", w) or 0) / 100)),
        ),
        "l1i": rates("l1i_misses", "instructions", 1000),
        "l2": rates("l2_misses", "instructions", 1000),
        "disk": beside(
            lambda w: count(rate(known, w, "disk I/Os")), lambda w: count(known.paper_event(w, "disk I/Os"))
        ),
        "idle": beside(lambda w: percent(known.idle_share(w, "1994")), idle),
        "switches": rates("context_switches", "instructions", 1e6),
        "calls": rates("system_calls", "instructions", 1e6),
        "memory": ", ".join(
            f"{in_text(w)} {memory.removesuffix('M')} MB" for w, memory in memories if memory != "128M"
        ),
        "faults": rates("vm_faults", "instructions", 1e6),
    }
