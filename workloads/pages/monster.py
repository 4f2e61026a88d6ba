"""The numbers and the page of Monster: figures 4 to 10 and table 1 of Nagle, Uhlig and Mudge 1992."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import simoslab
from simoslab.host_files import read_text, save_text

from pages import charts, claims, tables
from pages.numbers import Number, fixed, over, percent_of, total
from pages.tables import Row
from pages.templates import render

HERE = Path(__file__).parent.parent / "monster"

# What a cycle is spent on, and the instructions of the mix, as monster.tcl names the counters.
STALLS = ["insn", "data", "uncached", "write", "fp", "multiply", "other"]
READS = ["insn", "data", "uncached"]
KINDS = ["run", *STALLS, "wait"]
MEMORY = [*READS, "write"]
MIX = ["nops", "jumps", "branches", "loads", "stores", "alu", "multiply", "fp", "system", "marker"]
KERNEL = ["kernel", "bcopy", "bzero", "bcmp"]
BLOCKS = ["bcopy", "bzero"]
GROUPS = {"user": ["user"], "kernel": KERNEL, "bcopy": ["bcopy"], "bzero": ["bzero"], "bcmp": ["bcmp"]}

Counters = dict[str, Number]


def cycles_of(counters: Counters, regions: list[str], kinds: list[str] = KINDS) -> Number:
    """The cycles of REGIONS that were spent on KINDS."""
    return total(counters.get(f"{region}.{kind}", 0) for region in regions for kind in kinds) or 0


def cpi(counters: Counters, regions: list[str]) -> float | None:
    """Cycles per instruction as the paper has it: (run + stall cycles) / run cycles. None if nothing ran."""
    run = cycles_of(counters, regions, ["run"])
    return (cycles_of(counters, regions) - cycles_of(counters, regions, ["wait"])) / run if run > 0 else None


def shares(counters: Counters, regions: list[str], of: list[str], parts: dict[str, list[str]]) -> dict[str, Any]:
    """Each of PARTS in percent of the cycles that were spent on OF, and these."""
    whole = cycles_of(counters, regions, of)
    return {name: percent_of(cycles_of(counters, regions, kinds), whole) for name, kinds in parts.items()} | {
        "cycles": whole
    }


def with_faster_cpu(counters: Counters, factor: int) -> Counters:
    """The cycles of a processor FACTOR times as fast with the same memory, in cycles of this one: all but the stalls for
    memory are divided by FACTOR."""
    return {
        name: value if name.rpartition(".")[2] in MEMORY else value / factor for name, value in counters.items()
    }


def busy_shares(counters: Counters) -> dict[str, float | None]:
    """Kernel mode, and bcopy and bzero of it, in percent of the cycles without the idle loop."""
    busy = cycles_of(counters, [*KERNEL, "user"])
    return {
        name: percent_of(cycles_of(counters, regions), busy) for name, regions in (("kernel", KERNEL), ("blocks", BLOCKS))
    }


def mix_of(counters: Counters, mode: str) -> dict[str, float | None]:
    """The instructions of MODE by kind, in percent."""
    return {kind: percent_of(counters.get(f"{mode}.{kind}", 0), counters.get(mode, 0)) for kind in MIX}


def between_marks(file: Path) -> simoslab.Statistics:
    """What the analysers counted between the marks start and end of a run from power-on (marks.tcl), as statistics."""
    lines = [line.partition("counted ")[2] for line in read_text(file).splitlines() if "counted {" in line]
    if len(lines) != 2:
        raise SystemExit(f"monster: {file}: {len(lines)} lines of counters instead of two")

    def less(end: Any, start: Any) -> Any:
        return {name: less(of, start[name]) for name, of in end.items()} if isinstance(end, dict) else end - start

    start, end = (json.loads(line) for line in lines)
    return simoslab.Statistics.of(less(end, start), file.stem)


def figures_of(run: simoslab.Statistics, name: str) -> dict[str, Any]:
    """The figures of one run from its statistics. Ends if the analyser's counters are not all of its cycles."""
    counters, mix, bus = (run.below(f"annotations.analysers.{name}.counters") for name in ("cycles", "mix", "bus"))
    cycles = run.exact("cpu0.cycles")
    seen = cycles_of(counters, [*KERNEL, "user", "idle"])
    if seen != cycles:
        raise SystemExit(f"monster: {name}: the analysers have {seen} cycles of {cycles}")
    stalls = {"read": READS, "write": ["write"], "fp": ["fp"], "multiply": ["multiply"]}
    return {
        "cycles": cycles,
        "insns": run.exact("cpu0.insns"),
        "seen": seen,
        "figure4": {
            name: percent_of(cycles_of(counters, regions), cycles)
            for name, regions in {"user": ["user"], "kernel": KERNEL, "idle": ["idle"]}.items()
        },
        "figure6": {
            region: percent_of(cycles_of(counters, [region]), cycles) for region in ["idle", "bcopy", "bzero", "bcmp"]
        },
        "figure7": {name: cpi(counters, GROUPS[name]) for name in ["user", "kernel"]},
        "kernel_cpi_without_blocks": cpi(counters, [region for region in KERNEL if region not in BLOCKS]),
        "busy": [busy_shares(counters), busy_shares(with_faster_cpu(counters, 10))],
        "figure8": {name: cpi(counters, [name]) for name in ["bcopy", "bzero", "bcmp"]},
        "figure9": {name: shares(counters, regions, STALLS, stalls) for name, regions in GROUPS.items()},
        "figure10": {
            name: shares(counters, regions, READS, {k: [k] for k in READS}) for name, regions in GROUPS.items()
        },
        "additions": {"bus": bus["addu"], "executed": mix["addu"]},
        "table1": {mode: mix_of(mix, mode) for mode in ["user", "kernel"]},
    }


def mix_measures(mix: dict[str, dict[str, float]]) -> dict[str, Any]:
    """The measures of claims.toml that come from the mix of instructions of both modes (table 1)."""

    def of(*kinds: str) -> dict[str, float | None]:
        parts = {mode: [mix[mode][kind] for kind in kinds] for mode in ("user", "kernel")}
        return {mode: None if None in shares else total(shares) for mode, shares in parts.items()}

    return {
        "kernel_nops": of("nops"),
        "nops_quarter": of("nops"),
        "branches": of("branches", "jumps"),
        "mover_of_data": {mode: over(mix[mode]["loads"], mix[mode]["stores"]) for mode in ("user", "kernel")},
        "computes_less": of("alu", "multiply", "fp"),
    }


def io_measures(disk: dict[str, Any], spec: list[str]) -> dict[str, Any]:
    """The measures of the claims about waiting, from the runs with a disk. Of kernel mode with the idle loop, and of all cycles."""
    kernel = {
        name: percent_of(run["figure4"]["idle"], run["figure4"]["idle"] + run["figure4"]["kernel"]) for name, run in disk.items()
    }
    idle = {name: run["figure4"]["idle"] for name, run in disk.items()}
    others = {name: idle[name] for name in spec if name in idle and name != "gcc"}
    linking = {name: idle[name] for name in ("cc2", "cc3") if name in idle}
    measures: dict[str, Any] = {}
    compiling = {name: kernel[name] for name in ("gcc", "cc1", "cc2", "cc3") if name in kernel}
    if compiling:
        measures["idle"] = {"idle": compiling}
    if "gcc" in idle and others:
        measures["gcc_io"] = {"gcc": idle["gcc"], "others": others}
    if "gcc" in idle and len(linking) == 2:
        measures["linking_io"] = {"gcc": idle["gcc"], "linking": linking}
    return in_all(measures)


def placement_measures(runs: dict[str, simoslab.Statistics]) -> dict[str, Any]:
    """The measures of the claims of part II, from the runs of placement.tsv: of programs in user mode."""

    def of(name: str, figure: str) -> Number | None:
        return runs[name].exact(f"cpu0.mode.user.{figure}") if name in runs else None

    def fetches(name: str) -> float | None:
        return percent_of(of(name, "miss.l1i"), of(name, "insns"))

    seeds = sorted(name for name in runs if name.startswith("random"))
    loads = {name: of(name, "miss.l1d_read") for name in ("plain", "blocked", *seeds)}
    cycles = {name: of(name, "cycles") for name in ("plain", "blocked", *seeds)}
    measures: dict[str, Any] = {
        "page_conflict": {"conflict": fetches("conflict")},
        "same_page": {"page": fetches("page"), "conflict": fetches("conflict")},
        "blocking": {"plain": loads["plain"], "blocked": loads["blocked"], "times": over(cycles["plain"], cycles["blocked"])},
    }
    if seeds and None not in cycles.values():
        gain = cycles["plain"] - cycles["blocked"]
        measures["blocking_lost"] = {"lost": {name: percent_of(cycles[name] - cycles["blocked"], gain) for name in seeds}}
        measures["even_pages"] = {"even": loads["blocked"], "random": {name: loads[name] for name in seeds}}
    return in_all({name: of for name, of in measures.items() if None not in of.values()})


def in_all(measures: dict[str, Any]) -> dict[str, Any]:
    """Measures by claim, of claims about no case in particular."""
    return {name: {claims.ALL: of} for name, of in measures.items()}


def measures_of(runs: dict[str, Any], spec: list[str], compilers: list[str], example: str) -> dict[str, Any]:
    """What claims.toml asks for: by program, and of the run that stands for those without a name."""
    one = runs[example]
    kernel = {name: run["figure4"]["kernel"] for name, run in runs.items()}
    user_cpi = {name: run["figure7"]["user"] for name, run in runs.items()}
    gaps = {name: run["figure7"]["kernel"] - user_cpi[name] for name, run in runs.items()}
    integers = {name: user_cpi[name] for name in spec if name != "doduc"}
    stalls, kernel_cpi = one["figure9"]["kernel"], one["figure7"]["kernel"]
    now, faster = one["busy"]
    return in_all(
        {
            "phantoms": {"additions": one["additions"]},
            "gcc_in_kernel": {"gcc": kernel.get("gcc")},
            "others_in_kernel": {"others": {name: kernel[name] for name in spec if name != "gcc"}},
            "more_linking": {"compilers": {name: kernel[name] for name in compilers}},
            "gcc_strips": {
                "gcc": kernel.get("gcc"),
                "whole": {name: kernel[name] for name in compilers if name != "gcc"},
            },
            "blocks_share": {name: one["figure6"][name] for name in BLOCKS},
            "blocks_future": {"share": [now["blocks"], faster["blocks"]]},
            "fp_cpi": {"doduc": user_cpi.get("doduc"), "integers": integers},
            "gcc_cpi": {"gcc": user_cpi.get("gcc")},
            "gcc_open": {"gcc": user_cpi.get("gcc"), "integers": integers},
            "kernel_cpi": {"gap": gaps, "least": min(gaps.values())},
            "full_point": {"mean": sum(gaps.values()) / len(gaps)},
            "kernel_future": {"share": [now["kernel"], faster["kernel"]]},
            "block_cpi": {"blocks": {name: one["figure8"][name] for name in BLOCKS}, "kernel": kernel_cpi},
            "cpi_by_blocks": {
                "part": percent_of(kernel_cpi - one["kernel_cpi_without_blocks"], gaps[example]),
                "without": one["kernel_cpi_without_blocks"],
                "kernel": kernel_cpi,
                "user": user_cpi[example],
            },
            "kernel_memory": {"read": stalls["read"], "write": stalls["write"]},
            "kernel_fp": {"fp": stalls["fp"]},
            "bcopy_reads": {"read": one["figure9"]["bcopy"]["read"]},
            "bzero_writes": {"write": one["figure9"]["bzero"]["write"]},
            "bzero_cpi": {"cpi": one["figure8"]["bzero"]},
            "bcopy_uncached": {"uncached": one["figure10"]["bcopy"]["uncached"]},
            "kernel_uncached": {"uncached": one["figure10"]["kernel"]["uncached"]},
            "user_cached": {"uncached": one["figure10"]["user"]["uncached"]},
            **mix_measures(one["table1"]),
        }
    )


def known(measures: dict[str, Any]) -> dict[str, Any]:
    """The measures of which all are known: a program that was not run has None."""

    def is_known(value: Any) -> bool:
        return all(is_known(one) for one in value.values()) and bool(value) if isinstance(value, dict) else value is not None

    return {name: of for name, of in measures.items() if is_known(of)}


def conditions_back(
    conditions: dict[str, dict[str, Any]], spec: list[str], compilers: list[str], example: str
) -> dict[str, dict[str, Any]]:
    """The cases of the claims' experiments: of each condition the runs by program, as far as they were made."""
    back: dict[str, dict[str, Any]] = {}
    table = claims.read(HERE / "claims.toml")
    for condition, runs in conditions.items():
        here = [[name for name in names if name in runs] for names in (spec, compilers)]
        cases = known(measures_of(runs, *here, example)) if example in runs else {}
        for claim in table:
            if claim.name in cases and condition in (one.name for one in claim.experiment):
                back.setdefault(claim.name, {})[condition] = cases[claim.name]
    return back


def printed_measures() -> dict[str, Any]:
    """The paper's own figures of the claims, as far as they are in its table 1."""
    mix: dict[str, dict[str, float]] = {"user": {}, "kernel": {}}
    for row in tables.read_tsv(HERE / "paper.tsv"):
        if str(row["figure"]) == "1":
            mix[row["column"]][row["row"]] = row["value"]
    return in_all(mix_measures(mix))


def tables_of(
    programs: list[Row], runs: dict[str, Any], spec: list[str], compilers: list[str], example: str
) -> dict[str, list[list[Any]]]:
    """The rows of the page's tables, with the paper's numbers in grey."""
    printed = {
        (str(row["figure"]), row["row"], row["column"]): row["value"] for row in tables.read_tsv(HERE / "paper.tsv")
    }

    def grey(figure: str, row: str, column: str) -> dict[str, str]:
        return tables.grey(printed.get((figure, row, column)))

    def time(names: list[str]) -> list[list[Any]]:
        shown = [(name, runs[name]["figure4"]) for name in names]
        return [
            [name, fixed(t["user"], 1), fixed(t["kernel"], 1), grey("4", name, "kernel"), fixed(t["idle"], 1)]
            for name, t in shown
        ]

    def by_group(figure: str, cells: Callable[[str, dict[str, Any]], list[Any]]) -> list[list[Any]]:
        return [[name, group, *cells(group, runs[name][figure][group])] for name in runs for group in GROUPS]

    regions = [(name, runs[name]["figure6"]) for name in compilers or [example]]
    cpis = [(name, run["figure7"]) for name, run in runs.items()]
    region_cpis = [(name, run["figure8"]) for name, run in runs.items()]
    mix = runs[example]["table1"]
    return {
        "programs": [[p["name"], p["what"] + ("" if p["measured"] else " (this run is missing)")] for p in programs],
        "time": time(spec),
        "compilers": time(compilers),
        "regions": [
            [
                name,
                fixed(r["idle"], 2),
                fixed(r["bcopy"], 2),
                grey("6", "bcopy", "share"),
                fixed(r["bzero"], 2),
                grey("6", "bzero", "share"),
                fixed(r["bcmp"], 2),
            ]
            for name, r in regions
        ],
        "cpi": [
            [
                name,
                fixed(c["user"], 2),
                grey("7", name, "user"),
                fixed(c["kernel"], 2),
                fixed(c["kernel"] - c["user"], 2),
            ]
            for name, c in cpis
        ],
        "region_cpi": [
            [name, fixed(c["bcopy"], 2), fixed(c["bzero"], 2), grey("8", "bzero", "cpi"), fixed(c["bcmp"], 2)]
            for name, c in region_cpis
        ],
        "stalls": by_group(
            "figure9",
            lambda group, s: [
                *(fixed(s["write"], 1), grey("9", group, "write"), fixed(s["read"], 1), grey("9", group, "read")),
                *(fixed(s["fp"], 1), fixed(s["multiply"], 1)),
            ],
        ),
        "reads": by_group(
            "figure10",
            lambda group, r: [
                fixed(r["insn"], 1),
                fixed(r["data"], 1),
                fixed(r["uncached"], 1),
                grey("10", group, "uncached"),
            ],
        ),
        "mix": [
            [
                kind,
                fixed(mix["user"][kind], 2),
                grey("1", kind, "user"),
                fixed(mix["kernel"][kind], 2),
                grey("1", kind, "kernel"),
            ]
            for kind in MIX
        ],
    }


# The colours of the charts: those of the paper's words.
MODES = {"user": "#5b8db8", "kernel": "#b45a3c", "idle": "#bbbbbb"}
REGIONS = {"idle": "#bbbbbb", "bcopy": "#b45a3c", "bzero": "#d9a441", "bcmp": "#8b6fae"}
CAUSES = {"read": "#5b8db8", "write": "#b45a3c", "fp": "#6a9a5b", "multiply": "#8b6fae"}
READ_KINDS = {"insn": "#5b8db8", "data": "#d9a441", "uncached": "#b45a3c"}
ONE = {"cycles per instruction": "#5b8db8"}


def charts_of(runs: dict[str, Any], disk: dict[str, Any], spec: list[str], compilers: list[str]) -> dict[str, str]:
    """Figures 4 to 10 as pictures: in memory, and of figures 4 to 6 with the runs from a disk too, beside them."""
    kinds = {"in memory": runs, "from a disk": disk}

    def stacked(figure: str, names: list[str], parts: dict[str, str]) -> list[tuple[str, str, list[Any]]]:
        return [
            (kind, name, [of[name][figure][part] for part in parts])
            for kind, of in kinds.items()
            for name in names
            if name in of
        ]

    def single(figure: str, names: Iterable[str]) -> list[tuple[str, str, list[Any]]]:
        return [(name, part, [value]) for name in names for part, value in runs[name][figure].items() if value is not None]

    def by_region(figure: str, parts: dict[str, str]) -> list[tuple[str, str, list[Any]]]:
        return [
            (name, group, [runs[name][figure][group][part] for part in parts])
            for name in compilers
            for group in GROUPS
            if None not in [runs[name][figure][group][part] for part in parts]
        ]

    wanted = {
        "4": ("Time in user and kernel mode", "% of the cycles", MODES, stacked("figure4", spec, MODES)),
        "5": ("The compile workloads", "% of the cycles", MODES, stacked("figure4", compilers, MODES)),
        "6": ("Regions of the kernel", "% of the cycles", REGIONS, stacked("figure6", compilers, REGIONS)),
        "7": ("Cycles per instruction", "", ONE, single("figure7", runs)),
        "8": ("Cycles per instruction of the regions", "", ONE, single("figure8", compilers)),
        "9": ("Stalls", "% of the stall cycles", CAUSES, by_region("figure9", CAUSES)),
        "10": ("Read stalls", "% of their cycles", READ_KINDS, by_region("figure10", READ_KINDS)),
    }
    return {
        number: charts.bars(f"Figure {number}: {title}", axis or next(iter(parts)), parts, rows) if rows else ""
        for number, (title, axis, parts, rows) in wanted.items()
    }


def programs_of(out: Path) -> list[Row]:
    """The lines of workloads.tsv, and whether OUT has a run of each."""
    lines = (line.split("\t") for line in read_text(HERE / "workloads.tsv").splitlines() if line)
    return [{"name": line[0], "what": line[1], "measured": (out / f"{line[0]}.stats").exists()} for line in lines]


def make(out: Path) -> None:
    """Write OUT/figures.json and OUT/index.html from the runs' statistics, OUT/NAME.stats."""
    programs = programs_of(out)
    names = [program["name"] for program in programs if program["measured"]]
    every = [program["name"] for program in programs]
    runs = {name: figures_of(simoslab.load(out / f"{name}.stats"), name) for name in names}
    scaled = {
        name: figures_of(simoslab.load(file), file.stem) for name in every if (file := out / f"scaled-{name}.stats").exists()
    }
    disk = {name: figures_of(between_marks(file), file.stem) for name in every if (file := out / f"disk-{name}.log").exists()}
    conditions = {"scaled": scaled, "disk": disk}
    save_text(out / "figures.json", json.dumps({"programs": programs, "runs": runs, **conditions}, indent=2) + "\n")
    compilers = [name for name in names if name in ("gcc", "cc1", "cc2", "cc3")]
    spec = [name for name in names if name not in ("cc1", "cc2", "cc3")]
    # The run of which the paper has a table or figures without a program's name, cc2, or what there is of its kind.
    example = "cc2" if "cc2" in names else (compilers or names)[-1]
    placed = {file.stem.removeprefix("placed-"): simoslab.load(file) for file in sorted(out.glob("placed-*.stats"))}
    here = {**measures_of(runs, spec, compilers, example), **io_measures(disk, spec), **placement_measures(placed)}
    back = conditions_back(conditions, spec, compilers, example)
    judged = claims.judge(HERE / "claims.toml", here, printed_measures(), back=back)
    claims.write(out, "monster", judged)
    page = render(
        "monster/page.html",
        claims=judged,
        verdicts=claims.by_verdict(judged),
        example=example,
        figures=tables_of(programs, runs, spec, compilers, example),
        charts=charts_of(runs, disk, spec, compilers),
        disk=[
            [name, *(fixed(run["figure4"][part], 1) for part in MODES), *(fixed(run["figure6"][part], 1) for part in BLOCKS)]
            for name, run in disk.items()
        ],
    )
    save_text(out / "index.html", page)
