"""The tables of SOSP'95, its numbers beside ours. A table is its groups of columns, its head, and its rows."""

from __future__ import annotations

from typing import Any

from pages.numbers import Number, count, fixed, over, percent, percent_of, plain, short, total
from pages.paper_runs import (
    WORKLOADS,
    YEARS,
    Known,
    Run,
    all_cycles,
    busy_seconds,
    clock,
    cycles,
    kernel_seconds_but_utlb,
    l2_misses,
    mcpi,
    mode_seconds,
    of_mode,
    plain_name,
    seconds,
    service_cycles,
    title,
    utlb_of,
)
from pages.paper_services import OTHER, slower
from pages.tables import Row, paper

Groups = list[tuple[str, int]]


def table(head: list[str], rows: list[list[Any]], groups: Groups | None = None) -> Row:
    """A table for the template."""
    return {"groups": groups or [], "head": head, "rows": rows, "not_met": []}


def machines(known: Known) -> Row:
    """Table 3.1: the machines."""
    runs = [next((r for w in WORKLOADS if (r := known.run_of(w, year))), None) for year in YEARS]
    found = [run for run in runs if run]

    def cache(run: Run, name: str) -> str:
        size, ways, line = (run.parameters[f"cache.{name}.{what}"] for what in ("size", "ways", "line"))
        return f"{size}, {ways}-way, {line}-byte lines"

    def parameter(name: str) -> list[str]:
        return [run.parameters[name] for run in found]

    rows = [
        ["clock", *parameter("cpu.clock")],
        ["CPU model", *(run.value("machine.model") for run in found)],
        *([name, *(cache(run, name) for run in found)] for name in ("l1i", "l1d", "l2")),
        ["L1 miss that hits in L2", *parameter("memory.l2_hit_time")],
        ["L2 miss", *parameter("memory.miss_time")],
        ["RAM", *parameter("machine.memory")],
    ]
    return table(["", *(run.value("machine.name") for run in found)], rows)


def event_rates(known: Known, number: str, column: str) -> Row:
    """Tables 4.2 and 5.2: event rates a second."""
    shown = known.having([column])
    rows = []
    for printed in known.events:
        if str(printed["table"]) != number:
            continue
        event = printed["event"]
        cells: list[Any] = [event.replace("_", " ")]
        for workload in shown:
            of = known.services_of(workload, column)
            cells.append(short(of["seconds"]) if event == "seconds" else count(of["rates"].get(event)))
            theirs = printed[workload]
            cells.append(paper(theirs if isinstance(theirs, str) else count(theirs)))
        rows.append(cells)
    return table(["", *(text for workload in shown for text in (title(workload), "paper"))], rows)


def speedups(known: Known) -> Row:
    """Figure 4.3 as a table: execution time on three machines."""
    rows = []
    for workload in known.having(["1994"]):
        for year in YEARS:
            run = known.run_of(workload, year)
            if not run:
                continue
            first, short_year = year == "1994", year[2:]
            gains = [known.gain(workload, year, f) for f in (seconds, busy_seconds, mode_seconds("user"))]
            gains += [known.gain(workload, year, f) for f in (mode_seconds("kernel"), kernel_seconds_but_utlb)]
            written = [fixed(gain, 2) for gain in gains]
            rows.append(
                [
                    title(workload) if first else "",
                    year,
                    short(seconds(run)),
                    percent(known.idle_share(workload, year)),
                    paper(known.said("idle" + short_year, workload)),
                    percent(known.kernel_share(workload, year)),
                    paper(known.said("kernel_share", workload) if first else None),
                    written[0],
                    paper(known.said("speedup_all" + short_year, workload)),
                    written[1],
                    paper(known.said("speedup" + short_year, workload)),
                    *written[2:],
                ]
            )
    head = ["", "machine", "seconds", "", "paper", "", "paper", "all", "paper", "busy time", "paper", "user", "kernel"]
    groups = [("", 2), ("", 1), ("idle", 2), ("kernel, of busy", 2), ("speed-up of", 7)]
    return table([*head, "kernel but UTLB"], rows, groups)


def hidden(known: Known) -> Row:
    """Figure 4.5: the machine's own stall against that of the 1994 pipeline with the same caches."""
    rows = []
    for year in ("1996", "1998"):
        for workload in known.having([year, f"{year}-static"]):
            new, old = known.run_of(workload, year), known.run_of(workload, f"{year}-static")
            pairs = [tuple(mcpi(run, "kernel", kind) for run in (old, new)) for kind in ("l1i", "l2i", "l1d", "l2d")]
            rows.append(
                [title(workload), year, "stall cycles an instruction", *(fixed(after, 3) for _, after in pairs)]
            )
            parts = [(1 - after / before) * 100 if before > 0 else None for before, after in pairs]
            rows.append(["", "", "hidden", *map(percent, parts)])
    return table(["kernel", "machine", "", "L1-I", "L2-I", "L1-D", "L2-D"], rows)


def row_names(known: Known, workload: str, columns: list[str], rows: list[Row]) -> list[str]:
    """The services that are a row: of a hundredth of the kernel's time in one of the runs, the first one's largest
    first; then those of the paper's ROWS that were met at all."""
    services = list(known.services_of(workload, columns[0])["services"])
    for column in columns[1:]:
        services += (known.services_of(workload, column) or {}).get("services", [])
    met = {service["name"] for service in services}
    names = [service["name"] for service in services if service["kernel"] >= 1]
    return list(dict.fromkeys(names + [row["service"] for row in rows if row["service"] in met]))


def rest(known: Known, workload: str, column: str, names: list[str], member: str) -> Number | None:
    """A member of all other services together."""
    listed = (known.services_of(workload, column) or {}).get("services", [])
    return total(service.get(member) or 0 for service in listed if service["name"] not in names)


def not_met(rows: list[Row], names: list[str]) -> list[str]:
    """Services of the paper that were not met here."""
    return [row["service"] for row in rows if row["service"] not in (*names, OTHER)]


def others(rows: list[Row]) -> Row:
    """The paper's row of all other services."""
    return next((row for row in rows if row["service"] == OTHER), {})


def services_48(known: Known, workload: str) -> Row:
    """Table 4.8: services of the kernel."""
    printed = [row for row in known.t48 if row["workload"] == plain_name(workload)]
    names = row_names(known, workload, ["1994", "1998"], printed)
    rows = []
    for name in names:
        p: Row = next((row for row in printed if row["service"] == name), {})
        x, y, z = (known.service(workload, year, name) or {} for year in YEARS)
        cells: list[Any] = [name]
        for of, year in ((x, "94"), (y, "96"), (z, "98")):
            cells += [fixed(of.get("kernel"), 1), paper(p.get("share" + year))]
        cells += [short(x.get("computation")), paper(p.get("avg94"))]
        for year in ("1996", "1998"):
            cells += [fixed(known.speed_up(workload, year, name), 1), paper(p.get("speedup" + year[2:]))]
        for of, year in ((x, "94"), (z, "98")):
            for member, theirs in (("cpi", "cpi"), ("i_mcpi", "imcpi"), ("d_mcpi", "dmcpi")):
                cells += [fixed(of.get(member), 2), paper(p.get(theirs + year))]
            for member, theirs in (("stall_insn", "istall"), ("stall_data", "dstall")):
                cells += [fixed(of.get(member), 1), paper(p.get(theirs + year))]
        cells += [short(x.get("latency")), paper(p.get("latency94"))]
        for of, year in ((y, "96"), (z, "98")):
            gain = over(x.get("latency"), of.get("latency"))
            cells += [fixed(gain, 1), paper(p.get("latency_speedup" + year))]
        cells += [count(x.get("calls")), paper(p.get("rate")), fixed(x.get("cold"), 1), paper(p.get("cold"))]
        rows.append(cells)
    p = others(printed)

    def all_others(year: str, member: str, theirs: str) -> list[Any]:
        return [fixed(rest(known, workload, year, names, member), 1), paper(p.get(theirs))]

    last: list[Any] = ["others"]
    for year in YEARS:
        last += all_others(year, "kernel", "share" + year[2:])
    last += [""] * 6
    for year in ("1994", "1998"):
        last += [""] * 6 + all_others(year, "stall_insn", "istall" + year[2:])
        last += all_others(year, "stall_data", "dstall" + year[2:])
    rows.append([*last, *[""] * 8, *all_others("1994", "cold", "cold")])
    years = [text for year in ("94", "96", "98") for text in (year, "paper")]
    parts = ("CPI", "i-MCPI", "d-MCPI", "% stall I", "% stall D")
    of_year = [text for part in parts for text in (part, "paper")]
    head = ["", *years, *years, *of_year, *of_year, *years, "", "paper", "", "paper"]
    groups = [("", 1), ("% of kernel time", 6), ("computation, µs, and speed-ups", 6), ("1994", 10), ("1998", 10)]
    groups += [("latency, µs, and speed-ups", 6), ("events a second", 2), ("% of cold misses", 2)]
    return table(head, rows, groups) | {"not_met": not_met(printed, names)}


def services_54(known: Known, workload: str) -> Row:
    """Table 5.4: services of the kernel on eight CPUs."""
    printed = [row for row in known.t54 if row["workload"] == workload]
    names = row_names(known, workload, ["mp8"], printed)
    rows = []
    for name in names:
        p: Row = next((row for row in printed if row["service"] == name), {})
        x, y = (known.service(workload, column, name) or {} for column in ("mp8", "1994"))
        g = x.get
        cells: list[Any] = [
            name,
            fixed(g("kernel"), 1),
            paper(p.get("share_mp")),
            fixed(y.get("kernel"), 1),
            paper(p.get("share_up")),
        ]
        cells += [short(g("computation")), paper(p.get("avg"))]
        cells += [percent(slower(g("computation"), y.get("computation"))), paper(p.get("slowdown"))]
        cells += [fixed(g("instructions"), 0), paper(p.get("insns")), fixed(g("spinlock"), 1), paper(p.get("spinlock"))]
        cells += [fixed(g("coherence"), 1), paper(p.get("coherence")), fixed(g("upgrade"), 1), paper(p.get("upgrade"))]
        cells += [fixed(g("insn_cache"), 1), paper(p.get("icache")), fixed(g("data_cache"), 1), paper(p.get("dcache"))]
        cells += [short(g("latency")), paper(p.get("latency"))]
        cells += [percent(slower(g("latency"), y.get("latency"))), paper(p.get("latency_slowdown"))]
        cells += [short(g("blocked")), paper(p.get("blocked")), short(g("descheduled")), paper(p.get("descheduled"))]
        cells += [count(g("calls")), paper(p.get("rate"))]
        cells += [short(g("acquires")), paper(p.get("acquires"))]
        rows.append([*cells, short(g("coherence_misses")), paper(p.get("coherence_misses"))])
    last: list[Any] = ["others"]
    for column, theirs in (("mp8", "share_mp"), ("1994", "share_up")):
        last += [fixed(rest(known, workload, column, names, "kernel"), 1), paper(others(printed).get(theirs))]
    rows.append([*last, *[""] * 30])
    parts = ["instructions", "spin locks", "coherence", "upgrades", "I-cache", "D-cache"]
    head = ["", "8 CPUs", "paper", "one", "paper", "8 CPUs", "paper", "slower by", "paper"]
    head += [text for part in parts for text in (part, "paper")]
    head += ["8 CPUs", "paper", "slower by", "paper", "blocked", "paper", "descheduled", "paper"]
    head += ["", "paper", "locks", "paper", "coherence misses", "paper"]
    groups = [("", 1), ("% of kernel time", 4), ("computation, µs", 4), ("% of the computation", 12)]
    groups += [("latency, µs", 8), ("events a second", 2), ("a call", 4)]
    return table(head, rows, groups) | {"not_met": not_met(printed, names)}


def validation(known: Known) -> Row | None:
    """Table 2.1: a parallel make on four CPUs with the caches of a DASH cluster."""
    run = known.run_of("pmake", "dash")
    if not run:
        return None
    handler = service_cycles(run, "UTLB")
    utlb = utlb_of(run) or {"miss.l2_insn": 0, "miss.l2_data": 0}

    def row(name: str, without: Number, misses: Number) -> list[Any]:
        every = all_cycles(run) - without
        of = {mode: of_mode(run, mode, cycles) for mode in ("kernel", "user", "idle")}
        times = [percent(percent_of(of["kernel"] - without, every))]
        times += [percent(percent_of(of[mode], every)) for mode in ("user", "idle")]
        kernel, user = (of_mode(run, mode, l2_misses) for mode in ("kernel", "user"))
        return [name, *times, percent(percent_of(kernel - misses, kernel - misses + user))]

    rows = [row("here", 0, 0), row("here, without UTLB", handler, l2_misses(utlb))]
    rows.append([paper(text) for text in ("SimOS", "25 %", "53 %", "22 %", "52 %")])
    rows.append([paper(text) for text in ("bus monitor", "24 %", "48 %", "28 %", "49 %")])
    return table(["", "kernel", "user", "idle", "misses in kernel mode"], rows)


def kernel_misses(known: Known, workload: str) -> Row:
    """Figure 5.3 as a table: the kernel's misses in a second-level cache, of one CPU and of eight."""
    rows = []
    for size in ("256K", "512K", "1M", "2M", "4M"):
        for name, processors in ((workload, "1"), (f"{workload}-mp8", "8")):
            executed = known.kernel_insns(name)
            if executed > 0:
                kinds = ("cold", "capacity", "coherence", "upgrade")
                counts = [known.misses(name, "figure-5.3", size, known.capacity_or(kind)) for kind in kinds]
                rates = [misses * 100 / executed for misses in counts]
                rows.append(
                    [size if name == workload else "", processors, *(fixed(r, 3) for r in [*rates, total(rates)])]
                )
    head = ["misses per 100 kernel instructions", "CPUs", "cold", "capacity", "coherence", "upgrades", "together"]
    return table(head, rows) | {"said": known.said("misses_mp8", workload)}


def locks(known: Known, workload: str) -> Row:
    """Which locks matter."""
    run = known.run_of(workload, "mp8")
    per_ms = clock(run)
    rows = []
    for lock in run.locks[:12]:
        held = lock["held"]
        rows.append(
            [
                *(lock["name"], lock["kind"], count(lock["acquires"]), count(lock["contended"])),
                percent(percent_of(lock["contended"], lock["acquires"])),
                short(lock["wait"] / per_ms * 1e3),
                fixed(percent_of(lock["wait"], of_mode(run, "kernel", cycles)), 2) + " %",
                short(held / per_ms * 1e3 if held is not None and held is not False else None),
                lock["caller"] or "",
            ]
        )
    head = ["lock", "kind", "acquired", "contended", "of these", "waited [ms]", "of kernel time", "held [ms]", "by"]
    said = known.said("sync_mp8", workload)
    return table(head, rows) | {
        "sync": known.services_of(workload, "mp8").get("sync"),
        "said": "null" if said is None else plain(said),
    }
