"""Copies on the machines of Inouye, Walpole and Zhang 1995: the paper's tables, and what was measured here."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from simoslab.host_files import read_text

from pages import claims, tables
from pages.numbers import Number, fixed, median, plain, total
from pages.tables import Row

HERE = Path(__file__).parent.parent / "byte-copying"

MACHINES = ["hp-720", "hp-755", "hp-712"]
TEMPERATURES = ["hot", "clean", "dirty"]
COLUMNS = [f"{source}-{destination}" for source in TEMPERATURES for destination in TEMPERATURES]
LINES = 128
PLACES, READS = 64, 8
ASSISTS = [("hp-720", 0), ("hp-720", 64), ("hp-755", 0), ("hp-755", 64), ("hp-712", 0)]

QUAD = "4Dld-2Qst"


def repeats(table: int, routine: str, offset: int) -> bool:
    """Whether a cell is the same experiment as another one: a hint that is ignored, a destination as far off a word, or a
    cell that two tables have."""
    if routine == "8Wld-8WstH":
        return True
    return offset in (2, 3, 4) or (offset == 0 and table in (3, 4))


def kind_of(table: int, column: str, routine: str, offset: int) -> str:
    """Where a cell's figure comes from. `again`: it is another cell's, too; `fitted`: the costs of instructions are
    chosen for this column; `sets`: this cell alone sets a time of the memory system; `other`: no MIPS processor has the
    instruction; `predicted`: the rest.
    """
    if routine == QUAD:
        return "other"
    if repeats(table, routine, offset):
        return "again"
    if column == "hot-hot" and offset == 0:
        return "fitted"
    return "sets" if routine == "8Wld-8Wst" and column in ("clean-hot", "dirty-dirty") else "predicted"


class Printed:
    """The cells of tables 3 to 6 as the paper prints them."""

    def __init__(self) -> None:
        self.by_temperature = tables.read_tsv(HERE / "temperatures.tsv")
        self.by_alignment = tables.read_tsv(HERE / "alignments.tsv")
        self.cells = [*self._temperatures(), *self._alignments()]

    def _temperatures(self) -> list[Row]:
        """The cells of tables 5 and 6."""
        cells = []
        for row in self.by_temperature:
            same = {name: row[name] for name in ("table", "machine", "routine")}
            cells += [{**same, "column": column, "offset": 0, "paper": row[column]} for column in COLUMNS]
        return cells

    def _alignments(self) -> list[Row]:
        """The cells of tables 3 and 4."""
        cells = []
        for row in self.by_alignment:
            column = "hot-hot" if row["table"] == 3 else "clean-clean"
            same = {"table": row["table"], "machine": row["machine"], "routine": "memcpy", "column": column}
            cells += [{**same, "offset": offset, "paper": row[str(offset)]} for offset in range(5)]
        return cells

    def of(self, table: int, machine: str) -> list[Row]:
        """The cells of a table and machine."""
        return [cell for cell in self.cells if cell["table"] == table and cell["machine"] == machine]

    def cell(self, machine: str, routine: str, column: str, table: int = 5) -> Row:
        """A cell of table 5, or of table 6, in microseconds."""
        return next(c for c in self.of(table, machine) if c["routine"] == routine and c["column"] == column)

    def routines(self, machine: str) -> list[str]:
        """The routines of table 5 that are instructions of every processor."""
        return [
            r["routine"]
            for r in self.by_temperature
            if r["table"] == 5 and r["machine"] == machine and r["routine"] != QUAD
        ]

    def doubles(self, machine: str) -> str:
        """The routine that copies double words."""
        return self.routines(machine)[-1]


class Copies(Printed):
    """The same cells, and the runs that they come from here."""

    def __init__(self, out: Path) -> None:
        super().__init__()
        self.clocks = {
            name: int(hz) for name, hz in (line.split() for line in read_text(out / "clocks").splitlines())
        }
        self.cycles: dict[tuple[str, str, str, str, int, str], int] = {}
        for machine in MACHINES:
            for hints in ("ignore", "allocate"):
                for line in read_text(out / f"{machine}-{hints}.out").splitlines():
                    routine, source, destination, offset, placement, cycles = line.split(" ")
                    key = (machine, hints, routine, f"{source}-{destination}", int(offset), placement)
                    self.cycles.setdefault(key, int(cycles))
        for cell in self.cells:
            here = self.measured(cell["machine"], cell["routine"], cell["column"], cell["offset"])
            cell["here"] = here / self.clocks[cell["machine"]] * 1e6 if cell["table"] == 6 else here
            cell["kind"] = kind_of(cell["table"], cell["column"], cell["routine"], cell["offset"])
            cell["error"] = (cell["here"] - cell["paper"]) / cell["paper"] * 100

    def measured(
        self, machine: str, routine: str, column: str, offset: int = 0, placement: str = "apart", hints: str = "ignore"
    ) -> int:
        """The program's cycles; of the 720's quad stores, which MIPS has not, those of double words."""
        if machine == "hp-720" and routine == QUAD:
            routine = "4Dld-4Dst"
        found = self.cycles.get((machine, hints, routine, column, offset, placement))
        if found is None:
            raise SystemExit(f"byte-copying: {machine}, {routine}, {column}, offset {offset}: not measured")
        return found

    def in_loop(self, machine: str, routine: str, placement: str) -> int:
        """The cycles of a copy that is made again and again, of buffers with other cache lines or with the same."""
        return self.measured(machine, routine, "dirty-hot" if placement == "same-loop" else "hot-hot", 0, placement)

    def conflict(self, machine: str, routine: str) -> float:
        """How many times longer a repeated copy takes between buffers with the same cache lines."""
        return self.in_loop(machine, routine, "same-loop") / self.in_loop(machine, routine, "apart-loop")

    def gain(self, machine: str, column: str) -> float:
        """What the hint gains where it allocates the line without reading it, in percent."""
        obeyed, ignored = (
            self.measured(machine, "8Wld-8WstH", column, hints=hints) for hints in ("allocate", "ignore")
        )
        return 100 - obeyed / ignored * 100

    def errors(self, machine: str, kind: str) -> list[Row]:
        """The cells of a machine and kind, table 6 apart, which is table 5 in another unit."""
        return [c for c in self.cells if c["machine"] == machine and c["kind"] == kind and c["table"] != 6]


def reason_of(copies: Copies, cell: Row) -> str:
    """Why a cell is far off."""
    if cell["offset"] % 4 != 0:
        return (
            "MIPS needs two instructions (srl, ins) where PA-RISC has one (vshd), and the model issues one instruction "
            "in a cycle: what does not fit behind a store takes time of its own. What one instruction would take is below."
        )

    def longer(column: str) -> str:
        machine, routine = cell["machine"], cell["routine"]
        return fixed(
            (copies.cell(machine, routine, column)["paper"] - copies.cell(machine, routine, "hot-hot")["paper"])
            / LINES,
            1,
        )

    if cell["error"] > 0 and cell["column"].endswith(("-clean", "-dirty")):
        return (
            "The model waits for the whole line after a store that misses. The processor of the paper goes on before: "
            f"{longer('hot-clean')} cycles a line for stores that miss, {longer('clean-hot')} for loads."
        )
    where = f"{cell['machine']}, {cell['routine']}, {cell['column']}, offset {cell['offset']}"
    raise SystemExit(f"byte-copying: {where}: {cell['error']} % off, and there is no reason")


def other_of(copies: Copies, machine: str) -> str:
    """Why the row of quad stores is not the paper's."""
    quad, doubles = (copies.cell(machine, routine, "hot-hot") for routine in (QUAD, copies.doubles(machine)))
    if machine == "hp-720":
        return (
            "MIPS has no store of 16 bytes. The row is not reproduced: it is measured with two stores of a double word "
            f"for each quad store, and so equals 4Dld-4Dst (hot to hot {plain(quad['here'])} cycles, paper "
            f"{plain(quad['paper'])})."
        )
    here, paper = (fixed((quad[source] - doubles[source]) / (2 * LINES), 0) for source in ("here", "paper"))
    return (
        f"The processor has no quad store, and each traps. The program's own exception handler takes {here} cycles a "
        f"store; HP-UX's trap handler and floating-point emulation library, which are not here, take {paper}."
    )


def largest(cells: list[Row]) -> Row:
    """The cell with the largest error."""
    return max(reversed(cells), key=lambda cell: abs(cell["error"]))


def summary_of(copies: Copies, machine: str) -> Row:
    """How close the cells of a machine are."""
    fitted, sets, predicted = (copies.errors(machine, kind) for kind in ("fitted", "sets", "predicted"))
    return {
        "machine": machine,
        "fitted": {"count": len(fitted), "largest": largest(fitted)},
        "sets": {"count": len(sets), "largest": largest(sets)},
        "again": len(copies.errors(machine, "again")),
        "predicted": {
            "count": len(predicted),
            "median": median(abs(cell["error"]) for cell in predicted),
            "largest": largest(predicted),
            "above": sum(abs(cell["error"]) > 20 for cell in predicted),
        },
    }


def reads_of(out: Path) -> list[Row]:
    """read() of a page by the running kernel: the place of its buffer that costs most, against the median of all."""
    found = []
    for machine, assist in ASSISTS:
        lines = read_text(out / f"{machine}-{assist}.read").splitlines()
        places = [json.loads(line[line.index("read {") + 5 :]) for line in lines if "read {" in line]
        if len(places) != PLACES:
            raise SystemExit(f"byte-copying: {machine}, assist {assist}: {len(places)} places of {PLACES}")
        ordered = sorted(places, key=lambda place: place["cycles"])
        apart, same = (a_read(place) for place in (ordered[len(ordered) // 2], ordered[-1]))
        cycles = [place["cycles"] / READS for place in places]
        saved = same["cycles"] - apart["cycles"]
        found.append(
            {"machine": machine, "assist": assist, "cycles": cycles, "apart": apart, "same": same, "saved": saved}
        )
    return found


def a_read(place: Row) -> Row:
    """Cycles and misses of one read of a place."""
    return {
        "cycles": place["cycles"] / READS,
        "misses": {name: misses / READS for name, misses in place["misses"].items()},
    }


def measures_of(copies: Printed, source: str) -> dict[str, dict[str, Any]]:
    """The measures of claims.toml that both the paper ("paper") and the runs ("here") have: by claim and machine."""

    def hot(machine: str, routine: str, column: str = "hot-hot") -> Number:
        return copies.cell(machine, routine, column)[source]

    def ratio(machine: str, routine: str, to: str, column: str = "hot-hot") -> float:
        return hot(machine, routine, column) / hot(machine, to, column)

    def between_routines(machine: str, column: str) -> float:
        values = [hot(machine, routine, column) for routine in copies.routines(machine)]
        return max(values) / min(values)

    def between_temperatures(machine: str) -> float:
        rows = [[hot(machine, routine, column) for column in COLUMNS] for routine in copies.routines(machine)]
        return min(max(row) / min(row) for row in rows)

    def temperature(machine: str, routine: str) -> float:
        return hot(machine, routine, "clean-clean") / hot(machine, routine)

    def unaligned(machine: str, table: int) -> float:
        cells = copies.of(table, machine)
        return cells[1][source] / cells[0][source] * 100 - 100

    def microseconds(machine: str) -> float:
        return copies.cell(machine, copies.doubles(machine), "clean-clean", 6)[source]

    def fastest(machine: str) -> float:
        return min(hot(machine, r) for r in copies.routines(machine)) / hot(machine, copies.doubles(machine))

    def loss(machine: str) -> float:
        chosen = min(copies.routines(machine), key=lambda routine: hot(machine, routine))
        best = {column: min(hot(machine, r, column) for r in copies.routines(machine)) for column in COLUMNS}
        return max(hot(machine, chosen, column) / best[column] - 1 for column in COLUMNS) * 100

    def varies() -> dict[str, Any]:
        rows = {m: [hot(m, copies.doubles(m), column) for column in COLUMNS] for m in MACHINES}
        times = {machine.removeprefix("hp-"): max(row) / min(row) for machine, row in rows.items()}
        return {"times": times, "most": max(times.values())}

    def similar() -> dict[str, Any]:
        """How far the loops' times, as parts of memcpy's, are from those of the other machine."""
        of: dict[str, float] = {}
        for column, word in (("hot-hot", "hot"), ("clean-clean", "clean")):
            old, new = (
                [ratio(m, routine, "memcpy", column) for routine in ("8Wld-8Wst", copies.doubles(m))]
                for m in ("hp-720", "hp-755")
            )
            of[word] = max(max(a / b, b / a) for a, b in zip(old, new))
        return of

    def copyout(machine: str) -> float:
        return copies.of(3, machine)[1][source] / hot(machine, copies.doubles(machine)) * 100 - 100

    return {
        "temperature": by_machine(
            lambda m: {"temperatures": between_temperatures(m), "routines": between_routines(m, "hot-hot")}
        ),
        "loops": by_machine(
            lambda m: {"hot": between_routines(m, "hot-hot"), "clean": between_routines(m, "clean-clean")}
        ),
        "double_words": by_machine(
            lambda m: {"doubles": ratio(m, copies.doubles(m), "8Wld-8Wst"), "fastest": fastest(m)}
        ),
        "clock": {
            claims.ALL: by_machine(lambda m: temperature(m, copies.doubles(m)) * 100, ["hp-720", "hp-755"], "gap_")
        },
        "memory": {claims.ALL: by_machine(microseconds, ["hp-712", "hp-755"], "time_")},
        "hints": by_machine(lambda m: {"more": ratio(m, "8Wld-8WstH", "8Wld-8Wst", "hot-clean") * 100 - 100}),
        "alignment": by_machine(
            lambda m: {
                "hot": unaligned(m, 3),
                "clean": unaligned(m, 4),
                "temperature": (temperature(m, "memcpy") - 1) * 100,
            }
        ),
        "alignment_machines": {claims.ALL: by_machine(lambda m: unaligned(m, 3), MACHINES, "hot_")},
        "loop_choice": by_machine(lambda m: {"loss": loss(m)}),
        "doubles_memory": by_machine(lambda m: {"doubles": ratio(m, copies.doubles(m), "8Wld-8Wst", "clean-clean")}),
        "twice": {"720": {"times": temperature("hp-720", "memcpy")}},
        "similar": {claims.ALL: similar()},
        "copyout": by_machine(lambda m: {"memcpy": unaligned(m, 3), "doubles": copyout(m)}),
        "copy_varies": {claims.ALL: varies()},
        "quad_stores": by_machine(lambda m: {"times": ratio(m, QUAD, copies.doubles(m))}, ["hp-755", "hp-712"]),
    }


def by_machine(value: Callable[[str], Any], machines: list[str] = MACHINES, prefix: str = "") -> dict[str, Any]:
    """VALUE of each machine by its number."""
    return {prefix + machine.removeprefix("hp-"): value(machine) for machine in machines}


def printed_measures() -> dict[str, dict[str, Any]]:
    """The paper's own figures of the claims."""
    return measures_of(Printed(), "paper")


def own_measures(copies: Copies, reads: list[Row]) -> dict[str, dict[str, Any]]:
    """All measures of the claims here."""

    def read_of(machine: str, assist: int) -> Row:
        return next(read for read in reads if read["machine"] == machine and read["assist"] == assist)

    def apart(machine: str) -> list[int]:
        return [copies.in_loop(machine, routine, "apart-loop") for routine in copies.routines(machine)]

    def conflict(machine: str) -> float:
        return min(copies.conflict(machine, routine) for routine in copies.routines(machine))

    def missed(machine: str, assist: int) -> Number:
        return total(read_of(machine, assist)["same"]["misses"].values()) or 0

    def slower(machine: str) -> float:
        return read_of(machine, 0)["same"]["cycles"] / read_of(machine, 0)["apart"]["cycles"]

    def copy_part(machine: str) -> float:
        return copies.in_loop(machine, "memcpy", "apart-loop") / read_of(machine, 0)["apart"]["cycles"] * 100

    return measures_of(copies, "here") | {
        "hints_obeyed": by_machine(lambda m: {"miss": copies.gain(m, "hot-clean"), "hit": copies.gain(m, "hot-hot")}),
        "placement": by_machine(lambda m: {"conflict": conflict(m), "loops": max(apart(m)) / min(apart(m))}),
        "copy_part": by_machine(lambda m: {"part": copy_part(m)}),
        "read": {claims.ALL: {"times": by_machine(slower), "most": max(map(slower, MACHINES))}},
        "assist": by_machine(lambda m: {"without": missed(m, 0), "with": missed(m, 64)}, ["hp-720", "hp-755"]),
    }
