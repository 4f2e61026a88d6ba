"""Tables made from statistics: CPI stacks, misses by place, services, processes, locks, time lines, comparisons.

Every function takes what one statistics file contains, or a frame of several runs, and returns a plain data frame.
Cycles are those of the processors' clock, summed over all processors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from simoslab.errors import QueryError, damage
from simoslab.results.catalogue import account_figures, figure
from simoslab.results.frame import MODES, NAME_LONGEST, full_name, leaves, process_label

if TYPE_CHECKING:
    from simoslab.views.statistics import Document


def texts(value: Any, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Every text in `value`, with its dotted name."""
    if isinstance(value, Mapping):
        for name, member in value.items():
            whole = f"{prefix}.{name}" if prefix else name
            if len(whole) > NAME_LONGEST:
                raise ValueError(f"a name of more than {NAME_LONGEST} characters")
            yield from texts(member, whole)
    elif isinstance(value, str):
        yield prefix, value


def need_columns(frame: pd.DataFrame, columns: Iterable[str], asked: str) -> None:
    """QueryError, which says what was `asked`, if `frame` lacks one of the `columns`."""
    for column in columns:
        if column not in frame.columns:
            raise QueryError(f'{asked}: no column "{column}"; there are {", ".join(map(str, frame.columns)) or "none"}')


def names_of(names: str | Sequence[str], asked: str) -> list[str]:
    """One name or several, each once. QueryError if there is none."""
    several = list(dict.fromkeys([names] if isinstance(names, str) else names))
    if not several:
        raise QueryError(f"{asked}: at least one name is needed")
    return several


def concatenate(
    documents: Sequence[Document],
    table: Callable[[Document], pd.DataFrame],
    *,
    by: str | Sequence[str] | None = None,
) -> pd.DataFrame:
    """`table` of each of the `documents`, one below the other, with the column `run` in front.

    `by` sums the rows that agree in these columns; the largest stall, or number of misses, comes first.
    """
    parts = []
    for document in documents:
        try:
            with damage(f"{document.path or document.run}: damaged statistics"):
                part = table(document)
        except QueryError as error:
            raise QueryError(f"run {document.run}: {error}" if len(documents) > 1 else str(error)) from None
        part.insert(0, "run", document.run)
        parts.append(part)
    joined = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
    if by is None or joined.empty:
        return joined
    by = names_of(by, "by")
    need_columns(joined, by, "by")
    counts = [column for column in joined.columns if column not in by and pd.api.types.is_numeric_dtype(joined[column])]
    keys = list(dict.fromkeys(["run", *by])) if joined["run"].nunique() > 1 else by
    summed = joined.groupby(keys, sort=False, as_index=False)[counts].sum()
    return summed.sort_values([name for name in ("stall", "misses") if name in counts], ascending=False, ignore_index=True)


def cpi_stack(statistics: pd.DataFrame, *, by: str | Sequence[str] = ("run",), total: str = "cpi") -> pd.DataFrame:
    """What cycles were spent on: a row for each combination of the columns `by` ("run", "mode", "cpu", "machine").

    `total`: "cpi" gives cycles per instruction, "cycles" cycles, "share" the parts of the cycles. Time in `wait` is not
    in it; without "mode" in `by` neither is the idle mode. Columns: `base`, cycles that executed (with mxs those that
    graduated the full width); `interlock.K` and `pipeline.K`, the other cycles without a memory stall; `stall.K`,
    memory stalls; and their sum, `cycles`, `cpi` or `share`. Parts that are 0 everywhere are left out.
    """
    if total not in ("cpi", "cycles", "share"):
        raise QueryError(f'cpi_stack: total is "{total}"; valid: cpi, cycles, share')
    keys = names_of(by, "cpi_stack")
    columns = ["path", "cpu", "mode", "run", "machine", "value"]
    need_columns(statistics, columns, "cpi_stack")
    of_modes = pd.DataFrame(statistics)[columns]
    need_columns(of_modes[["run", "mode", "cpu", "machine"]], keys, "cpi_stack")
    of_modes = of_modes[of_modes["path"].str.startswith("cpu.mode.") & of_modes["mode"].notna()]
    if "mode" not in keys:
        of_modes = of_modes[of_modes["mode"] != "idle"]
    part = of_modes["path"].str.removeprefix("cpu.mode.")
    if of_modes["cpu"].nunique() * part.nunique() > 1 << 24:
        raise QueryError("cpi_stack: there are too many kinds of cycles")
    kept = part.str.match(r"(?:cycles|insns|wait|execute|(?:stall|interlock|pipeline)\.\w+)$")
    wide = (
        of_modes[kept]
        .assign(part=part[kept])
        .pivot_table(index=keys, columns="part", values="value", aggfunc="sum", fill_value=0.0, sort=False)
    )
    if wide.empty:
        raise QueryError("cpi_stack: no statistics of modes (cpuN.mode.*) in these rows")
    need_columns(wide, ["cycles", "insns", "wait", "execute"], "cpi_stack: of statistics of modes")
    pipeline = [name for name in wide.columns if name.startswith("pipeline.")]
    detail = [*pipeline, *(name for name in wide.columns if name.startswith("interlock."))]
    stalls = [name for name in wide.columns if name.startswith("stall.")]
    stack = pd.DataFrame({"base": wide["execute"] - wide[pipeline].sum(axis=1)})
    for name in [*sorted(detail), *stalls]:
        if wide[name].any():
            stack[name] = wide[name]
    cycles = wide["cycles"] - wide["wait"]
    if total == "cycles":
        return stack.assign(cycles=cycles)
    divisor = wide["insns"] if total == "cpi" else cycles
    stack = stack.div(divisor.where(divisor != 0), axis=0)
    stack[total] = cycles / divisor.where(divisor != 0)
    return stack


# What accounts there are, by which of the columns `process` and `service` tell them apart.
_ACCOUNTS = {
    (False, False): "cpu.mode.",
    (False, True): "annotations.services.",
    (True, False): "annotations.processes.",
    (True, True): "annotations.processes.services.",
}


def accounts(statistics: pd.DataFrame, *, by: str | Sequence[str] = "mode") -> pd.DataFrame:
    """The accounts to which cycles, instructions and misses are charged: a row for each combination of the columns `by`.

    By "mode", "cpu", "run" or "machine" they are those of the processors, by "service" those of services, by "process" those of
    processes, which have modes too. Columns: everything that is counted of an account by its dotted name ("cycles",
    "stall.l1i", "miss.l2_data"), whole numbers as such, 0 where an account lacks it; and the figures that stand beside an
    account ("cpi"), by their formulas.
    """
    keys = names_of(by, "accounts")
    need_columns(statistics, ["path", "cpu", "mode", "run", "machine", "process", "service", "value"], "accounts")
    rows = pd.DataFrame(statistics)
    need_columns(rows[["run", "machine", "cpu", "mode", "process", "service"]], keys, "accounts")
    prefix = _ACCOUNTS["process" in keys, "service" in keys]
    rows = rows[rows["path"].str.startswith(prefix) & (rows["service"].notna() == ("service" in keys))]
    count = rows["path"].str.removeprefix(prefix)
    counted = ~count.isin(account_figures())
    if count.nunique() * len(rows[keys].drop_duplicates()) > 1 << 22:
        raise QueryError("accounts: there are too many kinds of counts")
    wide = (
        rows[counted]
        .assign(count=count[counted])
        .pivot_table(index=keys, columns="count", values="value", aggfunc="sum", fill_value=0.0, sort=False)
    )
    if wide.empty:
        raise QueryError(f"accounts: no statistics {prefix}* in these rows")
    whole = ((wide % 1 == 0) & (wide.abs() < 1 << 53)).all()
    wide = wide.astype(dict.fromkeys(wide.columns[whole], "int64")).rename_axis(columns=None)
    figures = [[figure(name, account) for name in account_figures()] for account in wide.to_dict("records")]
    return wide.join(pd.DataFrame(figures, index=wide.index, columns=list(account_figures())))


def _annotations(content: Mapping[str, Any], member: str, how: str) -> Any:
    annotations = content.get("annotations", {})
    if member not in annotations:
        raise QueryError(f"the statistics have no annotations.{member}: run with {how}")
    return annotations[member]


def misses(content: Mapping[str, Any]) -> pd.DataFrame:
    """Cache misses by place. Columns: mode, service, process, routine, data, cache, class, misses (number), stall
    (cycles, in the row of the outermost cache that the access missed); largest stall first. `class` is "any" without
    the parameter cache.classify. Needs a run with annotations="misses"."""
    table = _annotations(content, "misses", 'annotations="misses"')
    rows = pd.DataFrame(table["rows"], columns=table["columns"])
    return rows.sort_values(["stall", "misses"], ascending=False, ignore_index=True, kind="stable")


def _figures(figures: Mapping[str, Any]) -> dict[str, float]:
    """Cycles, instructions, stall and ratios of one service or mode of a process."""
    account = dict(leaves(figures))
    return {
        **{count: figures.get(count, 0) for count in ("cycles", "insns", "wait")},
        "stall": sum(figures.get("stall", {}).values()),
        **{name: figure(name, account) for name in account_figures()},
        "misses": sum(count for name, count in figures.get("miss", {}).items() if name != "upgrade"),
    }


def _most_cycles_first(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    frame = pd.DataFrame(rows)
    return frame.sort_values("cycles", ascending=False, ignore_index=True, kind="stable") if rows else frame


def services(content: Mapping[str, Any]) -> pd.DataFrame:
    """The services of the operating system, most cycles first. Columns: service; calls, ended (numbers); cycles, insns,
    wait and stall charged to it; cpi, i_mcpi, d_mcpi (cycles per instruction); misses of all levels; latency, nested,
    blocked, descheduled (cycles, of its ended calls); dispatches, queued. docs/reference/annotation-services.md defines
    them. Needs a run with annotations="services"."""
    rows = []
    for name, figures in _annotations(content, "services", 'annotations="services"').items():
        row: dict[str, Any] = {"service": name, "calls": figures.get("calls", 0), "ended": figures.get("ended", 0)}
        row |= _figures(figures)
        row |= {
            member: figures.get(member, 0)
            for member in ("latency", "nested", "blocked", "descheduled", "dispatches", "queued")
        }
        rows.append(row)
    return _most_cycles_first(rows)


def processes(content: Mapping[str, Any]) -> pd.DataFrame:
    """The processes, by mode. Columns: process ("ls[83]"), name, pid, mode, and as `services` cycles to misses."""
    rows = []
    for process in _annotations(content, "processes", 'annotations="services"'):
        for mode in MODES:
            if mode in process:
                known = {"process": process_label(process), "name": process.get("name"), "pid": process.get("pid")}
                rows.append({**known, "mode": mode, **_figures(process[mode])})
    return _most_cycles_first(rows)


def locks(content: Mapping[str, Any]) -> pd.DataFrame:
    """The kernel's locks, most waited-for first. Columns: name, kind, caller, acquires, contended, releases (numbers),
    wait, held, held_longest (cycles)."""
    columns = ["name", "kind", "caller", "acquires", "contended", "wait", "releases", "held", "held_longest"]
    rows = _annotations(content, "locks", 'annotations="services"')
    return pd.DataFrame([[row.get(column) for column in columns] for row in rows], columns=columns)


def timeline(content: Mapping[str, Any]) -> pd.DataFrame:
    """Where the time went, by interval and mode. Columns: begin, end (cycles since power-on), seconds (simulated time of
    the end), mode, cycles, insns, wait, and stall.K. Needs a run with `every`."""
    over_time = content.get("over_time")
    if over_time is None:
        raise QueryError("the statistics have no over_time: run with every=DURATION")
    clock = clock_of(content)
    rows = []
    begin = over_time["begin"]
    for interval in over_time["rows"]:
        for mode in MODES:
            figures = dict(leaves({name: interval[mode][name] for name in ("cycles", "insns", "wait", "stall")}))
            rows.append({"begin": begin, "end": interval["end"], "seconds": interval["end"] / clock, "mode": mode, **figures})
        begin = interval["end"]
    return pd.DataFrame(rows)


def clock_of(content: Mapping[str, Any]) -> float:
    """The clock of the processors in Hz."""
    text = str(content.get("parameters", {}).get("cpu", {}).get("clock", ""))
    for suffix, factor in (("GHz", 1e9), ("MHz", 1e6), ("kHz", 1e3), ("KHz", 1e3), ("Hz", 1.0)):
        if text.endswith(suffix):
            return float(text.removesuffix(suffix)) * factor
    machine = content.get("machine", {})
    if machine.get("seconds"):
        return machine["time"] / machine["seconds"]
    raise QueryError("the statistics have no cpu.clock")


# Statistics of a whole run that are no single row.
_DERIVED: dict[str, Callable[[pd.DataFrame], float]] = {
    "seconds": lambda rows: _sum(rows, "machine.seconds"),
    "cycles": lambda rows: _sum(rows, "cpu.mode.cycles") - _sum(rows, "cpu.mode.wait"),
    "insns": lambda rows: _sum(rows, "cpu.mode.insns"),
    "cpi": lambda rows: _ratio(_DERIVED["cycles"](rows), _DERIVED["insns"](rows)),
}


def _sum(rows: pd.DataFrame, path: str) -> float:
    return float(rows.loc[rows["path"] == path, "value"].sum())


def _ratio(value: float, divisor: float) -> float:
    return value / divisor if divisor else float("nan")


def measure(rows: pd.DataFrame, statistic: str) -> float:
    """The `statistic` of one run whose statistics are `rows`: "seconds" (simulated, since power-on), "cycles" (without
    `wait`), "insns", "cpi"; or a path, whose rows are added up (over CPUs, modes, services); or a full name."""
    if statistic in _DERIVED:
        return _DERIVED[statistic](rows)
    chosen = rows[rows["path"] == statistic]
    if chosen.empty:
        columns = zip(rows["path"], rows["cpu"], rows["mode"], rows["process"], rows["service"])
        chosen = rows[[full_name(*row) == statistic for row in columns]]
    if chosen.empty:
        raise QueryError(f'compare: no statistic "{statistic}"')
    return float(chosen["value"].sum())


def compare(
    statistics: pd.DataFrame, wanted: str | Sequence[str], *, baseline: str | None = None
) -> pd.DataFrame:
    """Runs side by side: a row for each run, a column for each statistic (`measure` says what it may be), and with
    `baseline`, the name of a run, a column "STATISTIC / baseline" with the quotient (1 for the baseline itself)."""
    names = names_of(wanted, "compare")
    rows = pd.DataFrame(statistics)
    need_columns(rows, ["run", "path", "cpu", "mode", "process", "service", "value"], "compare")
    runs = list(dict.fromkeys(rows["run"]))
    of_run = {run: rows[rows["run"] == run] for run in runs}
    table = pd.DataFrame(
        [[measure(of_run[run], name) for name in names] for run in runs],
        index=pd.Index(runs, name="run"),
        columns=names,
    )
    if baseline is None:
        return table
    if baseline not in runs:
        raise QueryError(f'compare: no run "{baseline}"; there are {", ".join(map(str, runs))}')
    for name in names:
        table[f"{name} / baseline"] = table[name] / table.loc[baseline, name]
    return table
