"""The page of Xia and Torrellas (IEEE Transactions on Computers, 1999): tables 1 to 4, figures 1 and 2, on the stock kernel."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import simoslab
from simoslab.errors import QueryError
from simoslab.host_files import read_text, save_text

from pages import charts, claims, tables
from pages.experiments import half_width
from pages.numbers import DASH, Number, count, fixed, mean, over, percent_of, total
from pages.tables import Row
from pages.templates import render

HERE = Path(__file__).parent.parent / "xia-torrellas"

MISSES_OF, TIMES_OF = "xia-torrellas", "xia-torrellas-4x"
WORKLOADS = {"trfd-4": "TRFD_4", "trfd-make": "TRFD+Make", "arc2d-fsck": "ARC2D+Fsck", "shell": "Shell"}
# The schemes in the order in which they are added; measure.sh runs those that it has.
SCHEMES = {"lopt": "Lopt", "gpref": "Gpref", "strm": "Strm", "blk": "Blk", "cohr": "Cohr", "dpref": "Dpref"}
STEPS = ["base", *SCHEMES]
STEP_NAMES = {"base": "Base", **SCHEMES}
KINDS = ["M1.I", "M1.D", "M2.I", "M2.D", "M3.I", "M3.D"]
# What a late prefetch does to the kinds of misses: "late M1.I" counts those as misses that it does not hide altogether.
LATE_KINDS = [f"late {kind}" for kind in KINDS]
# Cycles without contention until a read of each kind has its word (section 2.3).
LATENCIES = {"M1": 6, "M2": 34, "M3": 108}
TIMES = {"memory": "Memory", "dma": "Blk_DMA", "busy": "Busy"}
# Memory stalls by what causes them, as statistics name them.
STALLS = {
    "M1, instructions": ["l1i"],
    "M1, data": ["l1d"],
    "M2 and M3, instructions": ["l2i"],
    "M2 and M3, data": ["l2d"],
    "upgrades": ["upgrade"],
    "write buffer": ["write_buffer"],
    "uncached": ["uncached"],
}

# Table 2's classes of misses, by those of statistics. Its conflict misses are all of lines that were replaced.
CLASSES = {
    "cold": ["cold"],
    "conflict": ["conflict", "capacity", "replaced", "inclusion", "interference"],
    "coherence": ["true_sharing", "false_sharing", "coherence"],
}
# The components of the stall that table 2 says each scheme targets, by the names of stalled().
COMPONENTS = [f"{level} {name}" for level in ("M1", "M2 and M3") for name in CLASSES] + ["write buffer"]
TARGETS = {
    "lopt": ["M1 conflict", "M2 and M3 cold"],
    "gpref": ["M1 conflict"],
    "strm": ["M2 and M3 cold", "M2 and M3 conflict"],
    "blk": COMPONENTS,
    "cohr": ["M1 coherence", "M2 and M3 coherence"],
    "dpref": ["M1 conflict"],
}
# Conditions of the experiments, by the first scheme that they change: from it on the runs are CONDITION-RUN (measure.sh).
CONDITIONS = {"chip": "gpref", "plain": "base", "many": "dpref", "cold": "base", "double": "base"}
# A short form decides only what would be so if any one measure were so much larger or smaller.
TOLERANCE = 0.25

Figures = dict[str, Number]
Averages = dict[str, dict[str, float | None]]


def figures_of(run: simoslab.Statistics) -> Figures:
    """The operating system's read misses and times of one run, and the times of the other modes, summed over the processors, from
    its statistics. Ends if the parts are not the whole."""
    modes = run.accounts(by="mode").to_dict("index")
    kernel = modes["kernel"]

    def misses(name: str) -> Number:
        return kernel.get(f"outer_miss.{name}", kernel.get(f"miss.{name}", 0))

    insn = [misses("l1i"), misses("l2_insn"), misses("l3_insn")]
    data = [misses("l1d_read"), misses("l2_read"), misses("l3_read")]
    found: Figures = {}
    for kind, (first, second, third) in (("I", insn), ("D", data)):
        hidden = misses("streamed") if kind == "I" else 0
        found |= {f"M1.{kind}": first - second, f"M2.{kind}": second - third - hidden, f"M3.{kind}": third}
    found["misses"] = sum(found[kind] for kind in KINDS)
    late = {name: kernel.get(f"late.{name}", 0) for name in ("l1i", "l2_insn", "l3_insn", "l1d_read", "l2_read", "l3_read", "streamed")}
    for kind, (first, second, third) in (("I", ("l1i", "l2_insn", "l3_insn")), ("D", ("l1d_read", "l2_read", "l3_read"))):
        supplied = late["streamed"] if kind == "I" else 0
        found[f"late M1.{kind}"] = found[f"M1.{kind}"] + late[first] - late[second]
        found[f"late M2.{kind}"] = found[f"M2.{kind}"] + late[second] - late[third] + supplied
        found[f"late M3.{kind}"] = found[f"M3.{kind}"] + late[third]
    found["late misses"] = sum(found[kind] for kind in LATE_KINDS)
    found["user off-chip data"] = modes["user"].get("outer_miss.l2_read", 0)
    waits, overlapped = (run.total(f"cpu.block.{name}") or 0 for name in ("wait", "overlapped"))
    found["time"] = kernel["cycles"]
    found["busy"] = kernel["execute"] - overlapped
    found["dma"] = waits + overlapped
    found["memory"] = found["time"] - found["busy"] - found["dma"]
    for name, causes in STALLS.items():
        found[name] = sum(kernel[f"stall.{cause}"] for cause in causes)
    found["uncached"] -= waits
    stalls = sum(found[name] for name in STALLS)
    if found["memory"] != stalls + kernel["wait"]:
        raise SystemExit(f"xia-torrellas: the stalls are {stalls} cycles of {found['memory']}")
    for mode in ("user", "idle"):
        found[mode] = modes[mode]["cycles"]
    found["insns"] = sum(mode["insns"] for mode in modes.values())
    found["user insns"] = modes["user"]["insns"]
    return found | details_of(run, kernel)


def details_of(run: simoslab.Statistics, kernel: dict[str, Number]) -> Figures:
    """What runs of misses count besides, of the operating system: stall by level and class, and read misses of the primary data cache in
    block operations, of coherence; {} of other runs. KERNEL is its account."""
    block = run.total("annotations.automata.blocks.states.block.miss.l1d_read")
    if block is None:
        return {}
    rows = run.misses(by=["mode", "data", "cache", "class"])
    rows = rows[rows["mode"] == "kernel"]
    found: Figures = {"block reads": block, "coherence reads": run.total("annotations.statistics.coherence.reads.count") or 0}
    found["data reads"] = kernel["miss.l1d_read"]
    for level, caches in (("M1", ["l1i", "l1d"]), ("M2 and M3", ["l2", "l3"])):
        for name, classes in CLASSES.items():
            found[f"{level} {name}"] = int(rows[rows["cache"].isin(caches) & rows["class"].isin(classes)]["stall"].sum())
    found["write buffer"] = kernel["stall.write_buffer"]
    first, data = rows[rows["cache"] == "l1i"], rows[rows["cache"] == "l1d"]
    code = rows[(rows["cache"] == "l3") & (rows["data"] == "")]
    found["l3 fetches"], found["l3 fetches cold"] = int(code["misses"].sum()), int(code[code["class"] == "cold"]["misses"].sum())
    found["l1i"] = int(first["misses"].sum())
    found["self"], found["application"] = (run.total(f"cpu.l1i.evicted.kern_{name}") or 0 for name in ("self", "other"))
    stacks = data[data["data"].str.startswith(("kernel stack", "slab task_struct"))]
    found["l1d"], found["stacks"] = int(data["misses"].sum()), int(stacks["misses"].sum())
    spread = spread_of(run)
    return found | ({} if spread is None else {"displaced": spread})


# The kernel's dynamic structures, by what `symbol data` calls them: without its variables, and pages of programs and files.
DYNAMIC = ("slab ", "kernel stack", "page table", "page structures", "vmalloc")


def spread_of(run: simoslab.Statistics) -> float | None:
    """Of the dynamic structures with a hundredth of the kernel's conflict misses or more, the greatest part of its conflicts that one
    other structure causes, in percent; None of a run that has not counted them (end.tcl)."""
    try:
        sums = {name.removesuffix(".sum"): count for name, count in run.below("annotations.statistics.conflicts").items() if name.endswith(".sum")}
    except QueryError:
        return None
    of = {name: count for name, count in sums.items() if ", displaced by " not in name}
    most = {name.partition(", displaced by ")[0]: count for name, count in sums.items() if ", displaced by " in name}
    known = [name for name, count in of.items() if count * 100 >= sum(of.values()) and name.startswith(DYNAMIC)]
    return max((most[name] / of[name] * 100 for name in known), default=None)


class Runs:
    """The figures of the runs in a folder: OUT/WORKLOAD[-short].MACHINE.RUN[.REPETITION].json."""

    def __init__(self, figures: dict[tuple[str, str, str], dict[int, Figures]]) -> None:
        """FIGURES are those of repetitions by number; 0 is a run that is not perturbed."""
        self.figures = figures

    @classmethod
    def read(cls, out: Path) -> Runs:
        """Those in the folder OUT."""
        found: dict[tuple[str, str, str], dict[int, Figures]] = {}
        for path in sorted(out.glob("*.json")):
            name, machine, run, repetition = [*path.name.removesuffix(".json").split("."), "", "", ""][:4]
            if run and machine in (MISSES_OF, TIMES_OF):
                runs = found.setdefault((name.removesuffix("-short"), machine, run), {})
                runs[int(repetition or 0)] = figures_of(simoslab.load(path))
        return cls(found)

    def repetitions(self) -> list[int]:
        """The numbers of the perturbed repetitions."""
        return sorted({number for runs in self.figures.values() for number in runs if number})

    def of(self, workload: str, machine: str, run: str, repetition: int | None = None) -> Figures | None:
        """The figures of a repetition, or of the run that was not repeated; without REPETITION the means of all. None:
        there is none."""
        runs = self.figures.get((workload, machine, run), {})
        if not runs or repetition is not None:
            return runs.get(repetition or 0, runs.get(0))
        each = list(runs.values())
        return each[0] if len(each) == 1 else {name: mean([one[name] for one in each]) or 0 for name in each[0]}

    def normalized(
        self, workload: str, machine: str, run: str, name: str, whole: str, repetition: int | None = None, base: str = "base"
    ) -> float | None:
        """A figure of a run, or of a repetition, in percent of WHOLE of the workload's BASE; None if one of them lacks it."""
        one, of = self.of(workload, machine, run, repetition), self.of(workload, machine, base)
        return percent_of(one[name], of[whole]) if one and of and name in one and whole in of else None

    def average(
        self, machine: str, run: str, name: str, whole: str, repetition: int | None = None, base: str = "base"
    ) -> float | None:
        """The mean of these over the workloads that have the run; None if one that has a Base has not."""
        known = [w for w in WORKLOADS if self.of(w, machine, base)]
        values = [self.normalized(w, machine, run, name, whole, repetition, base) for w in known]
        return mean([value for value in values if value is not None]) if values and None not in values else None

    def averages(self, repetition: int | None = None, condition: str = "", late: bool = False) -> Averages:
        """Table 3: by step, in percent of Base, with the time in user mode ("user"). CONDITION: of its runs, from the first step on
        that it changes. LATE: late prefetches are misses."""
        found: Averages = {}
        base = f"{condition}-base" if CONDITIONS.get(condition) == "base" else "base"
        others = ["alone-gpref", "alone-strm", "deep-strm", *(f"without-{scheme}" for scheme in SCHEMES)]
        for step in [*STEPS, *([] if condition else others)]:
            changed = condition and STEPS.index(step) >= STEPS.index(CONDITIONS[condition])
            run = f"{condition}-{step}" if changed else step

            def of(machine: str, name: str, whole: str, run: str = run) -> float | None:
                return self.average(machine, run, name, whole, repetition, base)

            prefix = "late " if late else ""
            misses = {name: of(MISSES_OF, prefix + name, "misses") for name in [*KINDS, "misses"]}
            components = {name: of(MISSES_OF, name, "memory") for name in COMPONENTS}
            times = {name: of(TIMES_OF, name, "time") for name in ["time", *TIMES, *STALLS]}
            user = {"user": of(TIMES_OF, "user", "user"), "user off-chip": of(MISSES_OF, "user off-chip data", "user off-chip data")}
            found[step] = {**misses, **{f"part {name}": value for name, value in components.items()}, **times, **user}
        return found


def half_widths(repetitions: list[Averages]) -> dict[str, float | None]:
    """By step half of the 95 % interval of the operating system's time, from that of each repetition."""
    times = {step: [one[step]["time"] for one in repetitions] for step in (repetitions[0] if repetitions else [])}
    return {step: None if None in values else half_width(values) for step, values in times.items()}


def printed() -> dict[tuple[str, str, str], Any]:
    """The paper's numbers: by table, row and column."""
    return {(str(r["table"]), r["row"], r["column"]): r["value"] for r in tables.read_tsv(HERE / "paper.tsv")}


def workload_measures(of: Figures) -> Figures:
    """The measures of table 1 of a workload, percent: FIGURES of misses and times, or the paper's, in any unit."""
    insn = total(of[kind] for kind in KINDS if kind.endswith("I"))
    data = total(of[kind] for kind in KINDS if kind.endswith("D"))
    off_chip = total(of[kind] for kind in KINDS if not kind.startswith("M1"))
    return {"insn": insn, "data": data, "off_chip": off_chip, "all": (insn or 0) + (data or 0)}


def add_case(cases: dict[str, Any], claim: str, case: str, **measures: Any) -> None:
    """Put the measures of a case of a claim into CASES, unless one is not known."""
    if not any(value is None or (isinstance(value, dict) and None in value.values()) for value in measures.values()):
        cases.setdefault(claim, {})[case] = measures


def cases_of_workload(cases: dict[str, Any], name: str, misses: Figures | None, shares: dict[str, Any] | None) -> None:
    """The cases of claims about one workload: MISSES by kind, SHARES of time in percent: os and stall."""
    if misses:
        of = workload_measures(misses)
        add_case(cases, "insn_misses", name, times=over(of["insn"], of["data"]))
        data, insn = (percent_of(misses[kind], of["all"]) for kind in ("M3.D", "M3.I"))
        add_case(cases, "data_off_chip", name, data=data, insn=insn)
        add_case(cases, "off_chip", name, share=percent_of(of["off_chip"], of["all"]))
        add_case(cases, "data_coherence", name, second=percent_of(misses["M2.D"], of["all"]), third=data)
    if shares:
        add_case(cases, "os_time", name, os=shares["os"])
        add_case(cases, "stall", name, stall=shares["stall"])


def cases_of_latencies(cases: dict[str, Any], misses: Figures) -> None:
    """The cases of section 3.1's assumption that a miss stalls for its latency without contention: MISSES by kind, mean shares."""
    stall = {kind: misses[kind] * LATENCIES[kind[:2]] for kind in KINDS}
    insn, data = (sum(stall[kind] for kind in KINDS if kind.endswith(side)) for side in "ID")
    off_chip = insn + data - stall["M1.I"] - stall["M1.D"]
    add_case(cases, "off_chip_stall", "all", share=percent_of(off_chip, insn + data))
    add_case(cases, "data_stall", "all", of_data=percent_of(data, insn + data), of_insn=percent_of(insn, insn + data))
    add_case(cases, "data_stall_off_chip", "all", times=over(stall["M2.D"] + stall["M3.D"], stall["M1.D"]))
    add_case(cases, "insn_stall_on_chip", "all", share=percent_of(stall["M1.I"], insn))


def cases_of_details(cases: dict[str, Any], runs: Runs, base: str = "base") -> None:
    """The cases of section 3.2 about misses, means of the workloads on Base."""

    def share(part: str, whole: str) -> float | None:
        known = [of for w in WORKLOADS if (of := runs.of(w, MISSES_OF, base)) and whole in of]
        values = [percent_of(of[part], of[whole]) for of in known]
        return mean([value for value in values if value is not None]) if known else None

    add_case(cases, "insn_l3_cold", "all", share=share("l3 fetches cold", "l3 fetches"))
    add_case(cases, "self_interference", "all", share=share("self", "l1i"))
    add_case(cases, "application", "all", share=share("application", "l1i"))
    add_case(cases, "block_misses", "all", share=share("block reads", "data reads"))
    add_case(cases, "coherence_misses", "all", share=share("coherence reads", "data reads"))
    add_case(cases, "stacks", "all", share=share("stacks", "l1d"))
    displaced = [of["displaced"] for w in WORKLOADS if (of := runs.of(w, MISSES_OF, base)) and "displaced" in of]
    if displaced:
        add_case(cases, "conflict_spread", "all", most=max(displaced))


def cases_of_profiles(cases: dict[str, Any], profiles: dict[str, dict[str, Any]]) -> None:
    """The cases of section 3.2.1, means of the workloads' PROFILES."""

    def average(figure: Any) -> float | None:
        values = [figure(of) for of in profiles.values()]
        return mean([value for value in values if value is not None]) if values and None not in values else None

    def locality(part: str, whole: str, group: str = "") -> Any:
        def figure(of: dict[str, Any]) -> float | None:
            table = of["locality"]
            return percent_of((table[group] if group else table)[part], (table[group] if group else table)[whole])

        return figure

    def loops(of: dict[str, Any]) -> float | None:
        return percent_of(of["locality"]["loops_without_calls"]["executed"], of["locality"]["executed"])

    def long_sequences(of: dict[str, Any]) -> float | None:
        return percent_of(of["locality"]["sequences"]["executed_in_long"], of["locality"]["executed"])

    def hot(of: dict[str, Any]) -> float | None:
        counts: dict[str, int] = {}
        for call in of["calls"]:
            if "," not in call["to"]:  # no routine of a program
                counts[call["to"]] = counts.get(call["to"], 0) + call["count"]
        ordered = sorted(counts.values(), reverse=True)
        return percent_of(sum(ordered[: (len(ordered) + 19) // 20]), sum(ordered))

    def packed(of: dict[str, Any]) -> float | None:
        return percent_of(of["layout"]["lines"]["after"], of["layout"]["lines"]["before"])

    add_case(cases, "code_size", "all", size=average(lambda of: of["locality"]["insns"] * 4 / 2**20))
    add_case(cases, "executed_code", "all", share=average(locality("insns_executed", "insns")))
    callers = {"share": locality("called_from_one", "called", "routines"), "all_code": locality("targets_of_one", "targets", "routines")}
    add_case(cases, "one_caller", "all", **{name: average(figure) for name, figure in callers.items()})
    add_case(cases, "loops", "all", share=average(loops))
    for kind in ("without", "with"):
        share = average(locality("at_most_six_iterations", "loops", f"loops_{kind}_calls"))
        add_case(cases, f"iterations_{kind}_calls", "all", share=share)
    add_case(cases, "sequences", "all", share=average(long_sequences))
    add_case(cases, "hot_routines", "all", share=average(hot))
    add_case(cases, "spatial", "all", lines=average(packed))


def cases_of_software(cases: dict[str, Any], points: dict[str, HotSpots], sharing: dict[str, int]) -> None:
    """The cases of sections 4.4 and 4.5 about what is prefetched, and the bytes of SHARING with updates, means of the workloads."""
    if points:
        add_case(cases, "dpref_spots", "all", share=mean([one.share for one in points.values()]))
        shares = []
        for one in points.values():
            others: set[str] = set().union(*(other.routines for other in points.values() if other is not one))
            shares.append(percent_of(len(one.routines & others), len(one.routines)))
        if len(points) > 1:
            add_case(cases, "spots_alike", "all", share=None if None in shares else mean([share for share in shares if share is not None]))
    if sharing:
        add_case(cases, "cohr_bytes", "all", size=mean(list(sharing.values())))


def cases_of_steps(cases: dict[str, Any], steps: Averages) -> None:
    """The cases of claims about the means of all workloads, by step in percent of Base."""

    def at(step: str, *names: str) -> float | None:
        values = [steps.get(step, {}).get(name) for name in names]
        return None if None in values else total(values)

    def less(step: str, *names: str) -> float | None:
        before, after = at(STEPS[STEPS.index(step) - 1], *names), at(step, *names)
        return None if before is None or after is None else before - after

    gains = {s: percent_of(less(s, "time"), at(STEPS[STEPS.index(s) - 1], "time")) for s in SCHEMES}
    for scheme in SCHEMES:
        add_case(cases, scheme, "all", gain=gains[scheme])
        fewer = percent_of(less(scheme, "misses"), at(STEPS[STEPS.index(scheme) - 1], "misses"))
        add_case(cases, f"{scheme}_misses", "all", fewer=fewer)
    for scheme, targets in TARGETS.items():
        falls = {name: less(scheme, f"part {name}") for name in COMPONENTS}
        if None not in falls.values():
            fallen = total([fall for fall in falls.values() if fall is not None and fall > 0]) or 0
            share = percent_of(total([falls[name] for name in targets if (falls[name] or 0) > 0]) or 0, fallen)
            add_case(cases, f"{scheme}_targets", "all", share=share, fallen=fallen)
    large = [at(step, "M2.I", "M2.D", "M3.I", "M3.D") for step in ("base", "lopt")]
    add_case(cases, "lopt_large", "all", before=large[0], after=large[1])
    add_case(cases, "lopt_less", "all", gain=gains["lopt"], fewer=percent_of(less("lopt", "misses"), at("base", "misses")))
    add_case(cases, "gpref_kind", "all", share=percent_of(less("gpref", "M1.I"), less("gpref", "misses")))
    off_chip = [at(step, "M2.I", "M3.I") for step in ("lopt", "gpref")]
    add_case(cases, "gpref_off_chip", "all", before=off_chip[0], after=off_chip[1])
    add_case(cases, "gpref_left", "all", before=at("base", "M1.I"), after=at("gpref", "M1.I"))
    add_case(cases, "strm_kind", "all", off_chip=less("strm", "M2.I", "M3.I"), fewer=less("strm", "misses"))
    strm, deep = at("strm", "time"), at("deep-strm", "time")
    add_case(cases, "strm_deeper", "all", gain=None if strm is None or deep is None else percent_of(strm - deep, strm))
    kinds = {kind: less("blk", kind) for kind in ("M1.D", "M2.D", "M3.D")}
    add_case(cases, "blk_kinds", "all", falls=kinds)
    add_case(cases, "blk_write_buffer", "all", before=at("strm", "write buffer"), after=at("blk", "write buffer"))
    add_case(cases, "blk_reuse", "all", before=at("strm", "user off-chip"), after=at("blk", "user off-chip"))
    add_case(cases, "blk_insn", "all", before=at("strm", "M2.I"), after=at("blk", "M2.I"))
    add_case(cases, "cohr_kind", "all", third=less("cohr", "M3.D"), fewer=less("cohr", "misses"))
    add_case(cases, "dpref_kind", "all", share=percent_of(less("dpref", "M1.I", "M1.D"), less("dpref", "misses")))
    add_case(cases, "few_left", "all", left=at("dpref", "misses"))
    insn = [at(step, "M1.I", "M2.I", "M3.I") for step in ("strm", "dpref")]
    add_case(cases, "insn_alone", "all", before=insn[0], after=insn[1])
    for scheme in ("gpref", "strm"):
        alone = at(f"alone-{scheme}", "time")
        add_case(cases, f"{scheme}_needs_lopt", "all", behind=gains[scheme], alone=None if alone is None else 100 - alone)
    add_case(cases, "lopt_kind", "all", share=percent_of(less("lopt", "M1.I", "M1.D"), less("lopt", "misses")))
    off_chip = [at(step, "M2.I", "M3.I") for step in ("gpref", "strm")]
    add_case(cases, "strm_off_chip", "all", before=off_chip[0], after=off_chip[1])
    add_case(cases, "blk_busy", "all", before=at("strm", "busy"), after=at("blk", "busy"))
    add_case(cases, "blk_dma", "all", dma=at("blk", "dma"))
    off_chip = [at(step, "M2.D", "M3.D") for step in ("blk", "cohr")]
    add_case(cases, "cohr_off_chip", "all", before=off_chip[0], after=off_chip[1])
    data = [at(step, "M1.D", "M2.D", "M3.D") for step in ("base", "strm")]
    add_case(cases, "data_alone", "all", before=data[0], after=data[1])
    named = {SCHEMES[scheme]: gain for scheme, gain in gains.items()}
    first = {name: named[name] for name in ("Blk", "Cohr", "Lopt")}
    others = {name: named[name] for name in ("Gpref", "Strm")}
    add_case(cases, "most_effective", "all", first=first, others=others)
    add_case(cases, "dpref_least", "all", dpref=named["Dpref"], others={**first, **others})
    whole = at("cohr", "time")
    add_case(cases, "together", "all", gain=None if whole is None else 100 - whole)
    whole = at("dpref", "time")
    add_case(cases, "all_schemes", "all", gain=None if whole is None else 100 - whole)
    user = next((value for step in reversed(STEPS) if (value := at(step, "user")) is not None), None)
    if steps.get("lopt", {}).get("user") is not None:
        add_case(cases, "user_time", "all", more=None if user is None else user - 100)


def printed_measures() -> dict[str, Any]:
    """The paper's own figures of the claims, from its tables 1 and 3."""
    paper = printed()
    cases: dict[str, Any] = {}
    for workload in WORKLOADS:
        misses = {kind: paper["1", kind, workload] for kind in KINDS}
        cases_of_workload(cases, workload, misses, {n: paper["1", n, workload] for n in ("os", "stall")})
    cases_of_latencies(cases, {kind: paper["1", kind, "average"] for kind in KINDS})
    names = [*KINDS, "misses", "time", *TIMES]
    cases_of_steps(cases, {step: {name: paper["3", name, step] for name in names} for step in STEPS})
    return cases


def time_shares(of: Figures | None) -> dict[str, Any] | None:
    """Table 1's shares of time, percent."""
    if of is None:
        return None
    whole = of["user"] + of["idle"] + of["time"]
    shares = {name: percent_of(of[key], whole) for name, key in (("user", "user"), ("idle", "idle"), ("os", "time"))}
    return {**shares, "stall": percent_of(of["memory"], of["time"])}


def measures_once(runs: Runs, steps: Averages, repetition: int | None = None, base: str = "base") -> dict[str, Any]:
    """What the claims are judged by: of one repetition, or the means. STEPS are its averages, BASE the run without schemes."""
    cases: dict[str, Any] = {}
    shares = []
    for workload in WORKLOADS:
        times, misses = time_shares(runs.of(workload, TIMES_OF, base, repetition)), runs.of(workload, MISSES_OF, base)
        cases_of_workload(cases, workload, misses, times)
        if misses:
            shares.append({kind: percent_of(misses[kind], misses["misses"]) or 0 for kind in KINDS})
    if shares:
        cases_of_latencies(cases, {kind: mean([one[kind] for one in shares]) or 0 for kind in KINDS})
    cases_of_details(cases, runs, base)
    cases_of_steps(cases, steps)
    return cases


def measures_of(runs: Runs, steps: Averages, repetitions: dict[int, Averages]) -> dict[str, Any]:
    """What the claims are judged by: means, and the same of each repetition, by their averages."""
    cases = measures_once(runs, steps)
    for number, averages in repetitions.items():
        for claim, measures in measures_once(runs, averages, number).items():
            for case, one in measures.items():
                cases[claim][case].setdefault("repetitions", []).append(one)
    return cases


def with_conditions(runs: Runs) -> dict[str, dict[str, Any]]:
    """The same with each condition put back of which there are runs, and, as "late", with late prefetches as misses."""
    found = {"late": measures_once(runs, runs.averages(late=True))}
    for condition, first in CONDITIONS.items():
        if any(run.startswith(f"{condition}-") for _, _, run in runs.figures):
            base = f"{condition}-base" if first == "base" else "base"
            found[condition] = measures_once(runs, runs.averages(condition=condition), base=base)
    return found


def experiments_of(table: list[claims.Claim], runs: Runs) -> dict[str, dict[str, Any]]:
    """The cases of the experiments of each claim of TABLE."""
    cases = with_conditions(runs)
    return {claim.name: {one.name: cases[one.name].get(claim.name, {}) for one in claim.experiment if one.name in cases} for claim in table}


def varied(measures: dict[str, Any]) -> list[dict[str, Any]]:
    """MEASURES with each in turn larger, and smaller, by TOLERANCE."""
    found = []
    for name, value in measures.items():
        if name != "repetitions":
            for factor in (1 - TOLERANCE, 1 + TOLERANCE):
                if isinstance(value, dict):
                    found += [{**measures, name: {**value, key: one * factor}} for key, one in value.items()]
                else:
                    found.append({**measures, name: value * factor})
    return found


def with_caution(table: list[claims.Claim], cases: dict[str, Any], theirs: dict[str, Any]) -> dict[str, Any]:
    """The CASES of a short form: undecided is what TOLERANCE would change, and a claim of which this is so in a case that is judged, has
    no other cases."""
    found: dict[str, Any] = {}
    for claim in table:
        printed_cases = claims.theirs_of(claim, theirs.get(claim.name))
        open_cases, each = {}, {}
        for case, measures in cases.get(claim.name, {}).items():
            one = {**measures, "repetitions": [*measures.get("repetitions", []), *varied(measures)]}
            each[case] = one
            judged = claim.no_figure or (case in printed_cases and case not in claim.exceptions)
            results = [claims.holds(claim.criterion, of, printed_cases.get(case)) for of in (one, *one["repetitions"])]
            if judged and claim.criterion and len(set(results)) > 1:
                open_cases[case] = one
        found[claim.name] = open_cases or each
    return found


@dataclass(frozen=True)
class HotSpots:
    """What Dpref's points are for: the share of the data misses, percent, and the routines of the loads."""

    share: float
    routines: set[str]


SPOTS_SHARE = re.compile(r"points, for loads with \d+ misses, ([0-9.]+) %")
SPOT = re.compile(r"of the load at 0x[0-9a-f]+ \(([\w.]+)")


def by_workload(out: Path, ending: str) -> dict[str, str]:
    """The texts of the files OUT/WORKLOAD[-short]ENDING."""
    files = {w: [path for form in ("", "-short") if (path := out / f"{w}{form}{ending}").exists()] for w in WORKLOADS}
    return {workload: read_text(paths[0]) for workload, paths in files.items() if paths}


def cases_of_files(cases: dict[str, Any], out: Path) -> None:
    """The cases of what was prepared for the runs in OUT: profiles, prefetch points, shared words."""
    cases_of_profiles(cases, {workload: json.loads(text) for workload, text in by_workload(out, ".profile").items()})
    points = {}
    for workload, text in by_workload(out, ".points").items():
        if said := SPOTS_SHARE.search(text):
            points[workload] = HotSpots(float(said[1]), set(SPOT.findall(text)))
    sharing = {workload: json.loads(text)["update_bytes"] for workload, text in by_workload(out, ".sharing.json").items()}
    cases_of_software(cases, points, sharing)


def table_1(runs: Runs) -> list[list[Any]]:
    """The characteristics of the workloads, and their means, each beside the paper's."""
    paper = printed()
    rows = [*KINDS[::2], "insn", *KINDS[1::2], "data", "off_chip", "user", "idle", "os", "stall"]
    names = {"insn": "(M1+M2+M3).I", "data": "(M1+M2+M3).D", "off_chip": "(M2+M3).I + (M2+M3).D"}
    names |= {"user": "user time", "idle": "idle time", "os": "operating system's time", "stall": "of this: memory stall"}
    here: dict[str, dict[str, Any]] = {}
    for workload in WORKLOADS:
        misses = runs.of(workload, MISSES_OF, "base")
        found: dict[str, Any] = dict(time_shares(runs.of(workload, TIMES_OF, "base")) or {})
        if misses:
            of = {**misses, **workload_measures(misses)}
            found |= {row: percent_of(of[row], of["all"]) for row in rows if row in of and row not in found}
        here[workload] = found
    cells = []
    for row in rows:
        values = [here[workload].get(row) for workload in WORKLOADS]
        known = [value for value in values if value is not None]
        line: list[Any] = [names.get(row, row)]
        for column, value in zip([*WORKLOADS, "average"], [*values, mean(known) if known else None]):
            line += [fixed(value, 1), tables.grey(fixed(paper["1", row, column], 1))]
        cells.append(line)
    return cells


def table_2(steps: Averages) -> list[list[Any]]:
    """How each scheme changes the stalls, in percent of Base's time, and what it is for."""
    paper = printed()
    rows = []
    for before, step in zip(STEPS, STEPS[1:]):
        pairs = [(steps[before][name], steps[step][name]) for name in STALLS]
        changes = [None if None in pair else pair[1] - pair[0] for pair in pairs]
        cells = [signed(change) for change in changes]
        rows.append([SCHEMES[step], *cells, tables.cell(paper["2", "targets", step], "paper targets")])
    return rows


def table_2_classes(steps: Averages) -> list[list[Any]]:
    """How each scheme changes the stalls by class of miss, in percent of Base's stall; with the marks of the paper."""
    rows = []
    for before, step in zip(STEPS, STEPS[1:]):
        cells: list[Any] = [SCHEMES[step]]
        for name in COMPONENTS:
            pair = steps[before][f"part {name}"], steps[step][f"part {name}"]
            cells.append(signed(None if None in pair else pair[1] - pair[0]) + (" ×" if name in TARGETS[step] else ""))
        rows.append(cells)
    return rows


def table_late(late: Averages) -> list[list[Any]]:
    """The misses by step with late prefetches as misses."""
    return [["OS misses" if row == "misses" else row, *(fixed(late[step][row], 1) for step in STEPS)] for row in [*KINDS, "misses"]]


def with_half(value: Number | None, half: float | None) -> str:
    """A value, with half of its interval."""
    return fixed(value, 1) + ("" if half is None else f" ± {fixed(half, 1)}")


def signed(value: Number | None) -> str:
    """A change, with one place after the point."""
    return ("+" if value is not None and fixed(value, 1)[0] not in "−0" else "") + fixed(value, 1)


def table_3(steps: Averages, halves: dict[str, float | None]) -> list[list[Any]]:
    """The means of the workloads by step, each beside the paper's."""
    paper = printed()
    names = {"misses": "OS misses", **TIMES, "time": "OS time", "user": "user time"}
    rows = []
    for row in [*KINDS, *names]:
        line: list[Any] = [names.get(row, row)]
        for step in STEPS:
            text = with_half(steps[step][row], halves.get(step) if row == "time" else None)
            line += [text, tables.grey(fixed(paper.get(("3", row, step)), 1))]
        rows.append(line)
    return rows


def table_4(cases: dict[str, Any]) -> list[list[Any]]:
    """What each scheme gains, and what the paper says of its costs."""
    paper = printed()
    rows = []
    for scheme, name in SCHEMES.items():
        gain = cases.get(scheme, {}).get("all", {}).get("gain")
        greys = [tables.grey(paper["4", row, scheme]) for row in ("performance", "effort", "cost")]
        rows.append([name, fixed(gain, 1), *greys])
    return rows


def left_out(steps: Averages, halves: dict[str, float | None]) -> list[list[Any]]:
    """All schemes without one, in percent of Base. Without the last one is the step before it."""
    measured = [scheme for scheme in SCHEMES if steps[scheme]["time"] is not None]
    if not measured:
        return []
    rows = []
    last = measured[-1]
    for scheme in ["", *measured]:
        run = last if not scheme else STEPS[STEPS.index(scheme) - 1] if scheme == last else f"without-{scheme}"
        name = f"without {SCHEMES[scheme]}" if scheme else f"all up to {SCHEMES[last]}"
        time = steps[run]["time"]
        costs = None if time is None or not scheme else time - steps[last]["time"]
        parts = [fixed(steps[run][key], 1) for key in [*TIMES, "user"]]
        rows.append([name, with_half(time, halves.get(run)), signed(costs) if scheme else "", *parts])
    return rows


# The parts of a bar from below: their colours, and the keys that each is the sum of. The paper's parts join causes that have
# colours of their own in the catalogue of measures (M1 is both l1i and l1d), so none of those can be theirs.
MISS_PARTS = {"M3": ("#b45a3c", ["M3.I", "M3.D"]), "M2": ("#d9a441", ["M2.I", "M2.D"]), "M1": ("#5b8db8", ["M1.I", "M1.D"])}
TIME_PARTS = {"Busy": ("#6a9a5b", ["busy"]), "Blk_DMA": ("#8b6fae", ["dma"]), "Memory": ("#7a7f87", ["memory"])}


def chart(runs: Runs, machine: str, whole: str, parts: dict[str, tuple[str, list[str]]], title: str, shown: str) -> Row:
    """Figure 1 or 2: for each workload a bar a step, of PARTS, in percent of WHOLE of its Base; and the workloads' mean."""
    rows: list[tuple[str, str, list[float]]] = []
    for workload, name in [*WORKLOADS.items(), ("average", "mean")]:
        for step in STEPS:
            sums = []
            for _, keys in parts.values():
                values = [
                    runs.average(machine, step, key, whole)
                    if workload == "average"
                    else runs.normalized(workload, machine, step, key, whole)
                    for key in keys
                ]
                sums.append(total([value for value in values if value is not None]) if None not in values else None)
            if None not in sums:
                rows.append((name, STEP_NAMES[step], [value for value in sums if value is not None]))
    colours = {part: colour for part, (colour, _) in parts.items()}
    return {"title": title, "picture": charts.bars(shown, "% of Base", colours, rows) if rows else ""}


def sharing_of(out: Path) -> list[list[Any]]:
    """What Cohr moves in each workload: OUT/WORKLOAD[-short].sharing.json."""
    rows = []
    for path in sorted(out.glob("*.sharing.json")):
        about = json.loads(read_text(path))
        workload = path.name.split(".")[0].removesuffix("-short")
        names: list[str] = []
        for word in about["update"]:
            name = word["name"].split("+")[0] or "(unknown)"
            names += [name] if name not in names else []
        sums = [sum(pattern[kind] for pattern in about["patterns"].values()) for kind in ("true", "false")]
        text = tables.cell(", ".join(names[:6]), "why")
        rows.append([WORKLOADS[workload], about["words"], *sums, about["update_bytes"], about["separate"], about["private"], text])
    return rows


# Of what a layout says of itself (docs/reference/kernel-layout.md, "Jumps").
JUMPS = re.compile(r"would have executed (\d+) jumps more, at (\d+) places, and (\d+) less, at (\d+)")
JUMP_CYCLES = 2  # the instruction and an empty delay slot


def jumps_of(out: Path, runs: Runs) -> list[list[Any]]:
    """What the jumps of a kernel relinked by Lopt's layout would cost: OUT/WORKLOAD[-short].layout."""
    rows = []
    for workload, name in WORKLOADS.items():
        files = [path for form in ("", "-short") if (path := out / f"{workload}{form}.layout").exists()]
        found = JUMPS.search(read_text(files[0])) if files else None
        base, lopt = (runs.of(workload, TIMES_OF, step) for step in ("base", "lopt"))
        if found and base and lopt:
            added, places, saved, saved_places = map(int, found.groups())
            costs = JUMP_CYCLES * (added - saved)
            times = [percent_of(time, base["time"]) for time in (costs, lopt["time"], lopt["time"] + costs)]
            cells = [signed(times[0]), *(fixed(time, 1) for time in times[1:])]
            rows.append([name, count(added), places, count(saved), saved_places, *cells])
    return rows


def make(out: Path) -> None:
    """Write OUT/figures.json, OUT/verdicts.tsv and OUT/index.html from the statistics of the runs in OUT."""
    runs = Runs.read(out)
    steps = runs.averages()
    repetitions = {number: runs.averages(number) for number in runs.repetitions()}
    halves = half_widths(list(repetitions.values()))
    cases = measures_of(runs, steps, repetitions)
    cases_of_files(cases, out)
    short = any(path.name.startswith(f"{workload}-short.") for workload in WORKLOADS for path in out.glob("*.json"))
    table = claims.read(HERE / "claims.toml")
    if short:
        cases = with_caution(table, cases, printed_measures())
    judged = claims.judge(HERE / "claims.toml", cases, printed_measures(), WORKLOADS, experiments_of(table, runs))
    claims.write(out, "xia-torrellas", judged)
    figures = {
        ".".join([*key, *([str(number)] if number else [])]): of
        for key, each in runs.figures.items()
        for number, of in each.items()
    }
    late = runs.averages(late=True)
    document = {"runs": figures, "means": steps, "late_means": late, "half_widths": halves}
    save_text(out / "figures.json", json.dumps(document, indent=2) + "\n")
    missing = [
        f"{STEP_NAMES[step]} on {machine}: {', '.join(lacking)}"
        for machine in (MISSES_OF, TIMES_OF)
        for step in STEPS
        if (lacking := [name for workload, name in WORKLOADS.items() if not runs.of(workload, machine, step)])
    ]
    page = render(
        "xia-torrellas/page.html",
        judged=judged,
        verdicts=claims.by_verdict(judged),
        short=short,
        tolerance=TOLERANCE,
        measured=[
            (name, count(base["insns"]), count(base["user insns"]))
            for w, name in WORKLOADS.items()
            if (base := runs.of(w, TIMES_OF, "base"))
        ],
        missing=missing,
        repetitions=len(repetitions),
        figures=[
            chart(runs, MISSES_OF, "misses", MISS_PARTS, "Figure 1: read misses of the operating system in the primary caches", "Read misses"),
            chart(runs, TIMES_OF, "time", TIME_PARTS, "Figure 2: execution time of the operating system", "Execution time"),
        ],
        heads_1=["", *(head for name in [*WORKLOADS.values(), "mean"] for head in (name, "paper"))],
        table_1=table_1(runs),
        components=COMPONENTS,
        table_2_classes=table_2_classes(steps),
        heads_late=["", *STEP_NAMES.values()],
        table_late=table_late(late),
        stalls=list(STALLS),
        table_2=table_2(steps),
        heads_3=["", *(head for step in STEPS for head in (STEP_NAMES[step], "paper"))],
        table_3=table_3(steps, halves),
        table_4=table_4(cases),
        left_out=left_out(steps, halves),
        jumps=jumps_of(out, runs),
        sharing=sharing_of(out),
        dash=DASH,
    )
    save_text(out / "index.html", page)
