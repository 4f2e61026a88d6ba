"""Makes the tidy frame of a statistics file: a row for each number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from simoslab.results.catalogue import describe

COLUMNS = ["run", "machine", "path", "cpu", "mode", "process", "service", "value", "unit"]
# The same after every way that a frame comes: from JSON, from Parquet, from other frames.
_TYPES = {name: "object" for name in COLUMNS} | {"cpu": "Int64", "value": "float64"}
MODES = ("user", "kernel", "idle")

# Members that are no statistics, or tables with columns of their own.
_SKIPPED = {"parameters", "over_time", "evictions", "sampling", "provenance"}
_SKIPPED_ANNOTATIONS = {"misses", "locks", "run_queues", "processes", "services"}
# Statistics of a mode stand at these places: cpu0.mode.user, cpu0.l1d.miss.user, cpu0.l2.miss.insn.user, cpu0.l2.reference.user,
# cpu0.mxs.outstanding.user.
_OF_MODES = r"cpu\.mode|cpu\.l\d[id]?\.(?:miss(?:\.insn|\.data)?|reference)|cpu\.mxs\.outstanding"
_MODE = re.compile(rf"({_OF_MODES})\.(user|kernel|idle)(?=\.|$)")
_CPU = re.compile(r"(^|\.)cpu(\d+)(?=\.|$)")


def typed(frame: pd.DataFrame) -> pd.DataFrame:
    """`frame` with the types of the columns of statistics; what is missing in a text column is None."""
    columns = {}
    for name, kind in _TYPES.items():
        column = frame[name].astype(kind)
        columns[name] = column.where(column.notna(), None) if kind == "object" else column
    return pd.DataFrame(columns, index=frame.index)


NAME_LONGEST = 1024  # of a statistic, with the dots
_FRAME_BYTES = 1 << 31


def leaves(value: Any, prefix: str = "") -> Iterator[tuple[str, int | float]]:
    """Every number in `value`, with its dotted name. A member null, a ratio that is not defined, is NaN."""
    if isinstance(value, Mapping):
        for name, member in value.items():
            whole = f"{prefix}.{name}" if prefix else name
            if len(whole) > NAME_LONGEST:
                raise ValueError(f"a statistic's name of more than {NAME_LONGEST} characters")
            yield from leaves(member, whole)
    elif value is None:
        yield prefix, float("nan")
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield prefix, value


def process_label(process: Mapping[str, Any]) -> str:
    """The text that stands for a process in the column `process`: its name and number, "ls[83]"."""
    return f"{process.get('name', '')}[{process.get('pid', '')}]"


class _Rows:
    """Collects the columns of the frame."""

    def __init__(self) -> None:
        self._bytes = 0
        self.columns: dict[str, list[Any]] = {name: [] for name in ("name", *COLUMNS[2:])}

    def add(self, name: str, path: str, value: float, *, cpu: int | None = None, mode: str | None = None,
            process: str | None = None, service: str | None = None) -> None:  # fmt: skip
        self._bytes += 300 + len(name) + len(path)  # about
        if self._bytes > _FRAME_BYTES:
            raise ValueError(f"its statistics take more than {_FRAME_BYTES} bytes of memory")
        columns = self.columns
        columns["name"].append(name)
        columns["path"].append(path)
        columns["cpu"].append(cpu)
        columns["mode"].append(mode)
        columns["process"].append(process)
        columns["service"].append(service)
        columns["value"].append(float(value))
        columns["unit"].append(describe(path)[0])

    def statistics(self, document: Mapping[str, Any]) -> None:
        """The registered statistics: processors, memory, devices."""
        for member, value in document.items():
            if member in _SKIPPED or member == "annotations":
                continue
            for name, number in leaves(value, member):
                cpu = _CPU.search(name)
                path = _CPU.sub(r"\1cpu", name, count=1)
                mode = _MODE.search(path)
                if mode:
                    path = path[: mode.start(2) - 1] + path[mode.end(2) :]
                self.add(name, path, number, cpu=int(cpu.group(2)) if cpu else None, mode=mode.group(2) if mode else None)

    def annotations(self, annotations: Mapping[str, Any]) -> None:
        """Services, processes and their services, counts of events, and what scripts collect."""
        for member, value in annotations.items():
            if member not in _SKIPPED_ANNOTATIONS:
                for name, number in leaves(value, f"annotations.{member}"):
                    self.add(name, name, number)
        for service, figures in annotations.get("services", {}).items():
            for inner, number in leaves(figures):
                name = f"annotations.services.{service}.{inner}"
                self.add(name, f"annotations.services.{inner}", number, service=service)
        for process in annotations.get("processes", []):
            self._process(process)

    def _process(self, process: Mapping[str, Any]) -> None:
        label = process_label(process)
        for mode in MODES:
            for inner, number in leaves(process.get(mode, {})):
                name = f"annotations.processes.{label}.{mode}.{inner}"
                self.add(name, f"annotations.processes.{inner}", number, mode=mode, process=label)
        for service, figures in process.get("services", {}).items():
            for inner, number in leaves(figures):
                name = f"annotations.processes.{label}.services.{service}.{inner}"
                path = f"annotations.processes.services.{inner}"
                self.add(name, path, number, process=label, service=service)


def frame_of(document: Mapping[str, Any], run: str) -> tuple[pd.DataFrame, list[str]]:
    """The frame of the statistics `document`, under the name `run`; and the full dotted name of each row."""
    rows = _Rows()
    rows.statistics(document)
    rows.annotations(document.get("annotations", {}))
    columns = rows.columns
    machine = document.get("machine", {}).get("name", "")
    known = {"run": [run] * len(columns["path"]), "machine": [machine] * len(columns["path"]), **columns}
    frame = typed(pd.DataFrame({name: pd.Series(known[name], dtype=_TYPES[name]) for name in COLUMNS}))
    return frame, columns["name"]


def full_name(path: str, cpu: Any, mode: Any, process: Any, service: Any) -> str:
    """The full dotted name of a statistic, with what the frame has as columns: "cpu0.mode.kernel.cycles"."""
    if isinstance(process, str):
        owner = f"annotations.processes.{process}"
        if isinstance(service, str):
            return path.replace("annotations.processes.services", f"{owner}.services.{service}", 1)
        return path.replace("annotations.processes", f"{owner}.{mode}", 1)
    if isinstance(service, str):
        return path.replace("annotations.services", f"annotations.services.{service}", 1)
    if not pd.isna(cpu):
        if isinstance(mode, str):
            path = re.sub(rf"^({_OF_MODES})(?=\.|$)", rf"\1.{mode}", path)
        return re.sub(r"(^|\.)cpu(?=\.)", rf"\g<1>cpu{int(cpu)}", path, count=1)
    return path
