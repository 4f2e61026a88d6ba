"""Statistics of runs as a data frame that knows what is in it."""

from __future__ import annotations

import json
import re
import tokenize
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import pandas as pd

from simoslab.errors import QueryError, SimosError, damage
from simoslab.host_files import save_file
from simoslab.results import catalogue
from simoslab.results import frame as frames
from simoslab.results.checks import check_document
from simoslab.views import tables

# A comparison: an expression of pandas, no regular expression for names. What begins a group is none: (?<=, (?P<NAME>.
_EXPRESSION = re.compile(r"==|!=|<=|>=|[<>]")
_GROUP = re.compile(r"\(\?(?:P?<\w+>|<?[=!])")


@dataclass
class Document:
    """One statistics file: its name in the frame, where it was, and what JSON says."""

    run: str
    path: str
    content: Mapping[str, Any]
    names: list[str] = field(default_factory=list, repr=False)


def provenance_of(content: Mapping[str, Any], path: str) -> dict[str, Any]:
    """Where the numbers of a statistics file come from: `file`, `version` and `commit` of simos, `machine`, `model`,
    `command`, `seconds` (simulated) and `insns` since power-on, and the file's own `provenance` if it has one."""
    machine = content.get("machine", {})
    known = {
        "file": path,
        "version": content.get("simos", {}).get("version", ""),
        "commit": content.get("simos", {}).get("commit", ""),
        "machine": machine.get("name", ""),
        "model": machine.get("model", ""),
        "command": machine.get("command", ""),
        "seconds": machine.get("seconds", 0),
        "insns": machine.get("insns", 0),
    }
    if "provenance" in content:
        known["provenance"] = content["provenance"]
    return known


class Statistics(pd.DataFrame):
    """A tidy frame of the statistics of one run or several: a row for each number.

    Columns: `run`; `machine`; `path`, the dotted name of the statistic (docs/reference/statistics.md) without the CPU's
    number and the mode, which are the columns `cpu` and `mode`; `process` ("ls[83]") and `service` of annotations;
    `value`; `unit`. `attrs["provenance"]` says for each run where its numbers come from.

    It is a pandas data frame; selections of rows stay Statistics. The methods that need what is no row (misses by
    place, parameters, time lines) read it from the files' content, which is kept (`document`).
    """

    _metadata = ["_documents"]
    _documents: list[Document]

    def __init__(self, data: Any = None, *arguments: Any, **words: Any) -> None:
        super().__init__(data, *arguments, **words)
        if not hasattr(self, "_documents"):
            object.__setattr__(self, "_documents", list(getattr(data, "_documents", ())))

    @property
    def _constructor(self) -> type[Statistics]:
        return Statistics

    @classmethod
    def of(cls, content: Mapping[str, Any], run: str, path: str = "") -> Statistics:
        """The frame of the `content` of one statistics file; `run` names it in the column of that name."""
        rows, names = frames.frame_of(content, run)
        statistics = cls(rows)
        object.__setattr__(statistics, "_documents", [Document(run, path, content, names)])
        statistics.attrs["provenance"] = {run: provenance_of(content, path)}
        return statistics

    @property
    def runs(self) -> list[str]:
        """The names of the runs in this frame, in their order."""
        tables.need_columns(self, ["run"], "runs")
        return list(dict.fromkeys(self["run"]))

    @property
    def _present(self) -> list[Document]:
        runs = self.runs
        return [document for document in self._documents if document.run in runs]

    def document(self, run: str | None = None) -> Mapping[str, Any]:
        """What the statistics file of `run` contains, as JSON says it. Without `run` the frame has one run."""
        for document in self._documents:
            if run is None and len(self.runs) <= 1 or document.run == run:
                return document.content
        known = ", ".join(self.runs)
        raise QueryError(f'no run "{run}"; the frame has {known}' if run else f"one of several runs: {known}")

    def exact(self, name: str, run: str | None = None) -> int | float | str | None:
        """One statistic by its full name, exactly as in the file: `exact("cpu0.mode.kernel.cycles")`. A whole number
        is an int, None a ratio that is not defined. Raises QueryError if there is none of that name."""
        place: Any = self.document(run)
        for word in str(name).split("."):
            if not isinstance(place, Mapping) or word not in place:
                raise QueryError(f'no statistic "{name}"')
            place = place[word]
        if isinstance(place, (Mapping, list)):
            raise QueryError(f'"{name}" is a group of statistics')
        return place

    def below(self, name: str, run: str | None = None) -> dict[str, int | float]:
        """Every number below the group of statistics `name`, exactly as in the file, by what its name has behind that:
        `below("annotations.events")["migrations"]`. Raises QueryError if there is no such group."""
        place: Any = self.document(run)
        for word in str(name).split("."):
            place = place.get(word) if isinstance(place, Mapping) else None
        if not isinstance(place, Mapping):
            raise QueryError(f'no group of statistics "{name}"')
        with damage(f"{name}: damaged statistics"):
            return dict(frames.leaves(place))
        raise AssertionError  # for type checkers: damage() hides no error

    def total(self, path: str, **columns: Any) -> int | float | None:
        """The rows of `path` added up, over processors, modes and whatever `columns` (mode="kernel") leave open; whole
        numbers as such. None if there is no row, or none with a value."""
        tables.need_columns(self, ["path", "value", *columns], "total")
        chosen = self["path"] == path
        for name, value in columns.items():
            chosen &= self[name] == value
        values = self.loc[chosen, "value"].dropna()
        found = float(values.sum())
        return None if values.empty else int(found) if found.is_integer() else found

    def query(self, expr: str, *arguments: Any, **words: Any) -> Any:
        """The rows whose statistic's name contains the regular expression `expr`: the path, or the full name with the
        CPU's number and the mode ("cpu0.mode.user.cycles").

        An `expr` with a comparison (==, !=, <, >) is one of pandas, over the columns: "mode == 'kernel' and value > 0".
        Raises QueryError if it is neither.
        """
        if not isinstance(expr, str):
            raise QueryError(f"query: {expr!r} is no text")
        if _EXPRESSION.search(_GROUP.sub("", expr)):
            words["level"] = words.get("level", 0) + 1  # where pandas looks for @NAME: in the caller
            try:
                return super().query(expr, *arguments, **words)
            except Exception as error:  # pandas has no kind of its own for most faults of an expression
                raise QueryError(f'query: "{expr}": {self._fault(error)}') from None
        try:
            pattern = re.compile(expr)
        except (re.error, OverflowError, RecursionError) as error:
            raise QueryError(f'query: "{expr}" is no regular expression: {error}') from None
        tables.need_columns(self, ["path", "cpu", "mode", "process", "service"], "query")
        # The index is that of the files' rows as long as the caller has not set another.
        chosen = [bool(pattern.search(path) or pattern.search(name)) for path, name in zip(self["path"], self._full_names())]
        return self[chosen]

    def _fault(self, error: Exception) -> str:
        """What is wrong with an expression for which pandas raised `error`, in one line."""
        # Which of the two it is depends on the version of Python.
        lone = isinstance(error, SyntaxError) and error.msg.startswith(("unmatched", "unterminated"))
        if lone or isinstance(error, tokenize.TokenError):
            return "a bracket or a quote has no partner"
        if isinstance(error, SyntaxError):
            return error.msg.removesuffix(" (<unknown>, line 1)")
        if isinstance(error, pd.errors.UndefinedVariableError):
            return f"{error}; the columns are {', '.join(map(str, self.columns))}"
        if isinstance(error, KeyError):
            return "not true or false of each row"
        return " ".join(str(error).split())

    def _full_names(self) -> Iterable[str]:
        """The full dotted name of each row."""
        for path, cpu, mode, process, service in zip(
            self["path"], self["cpu"], self["mode"], self["process"], self["service"]
        ):
            yield frames.full_name(path, cpu, mode, process, service)

    def describe_statistic(self, path: str) -> str:
        """The meaning of the statistic `path` in one line, as docs/reference/statistics.md has it; empty if unknown."""
        return catalogue.describe(path)[1]

    def parameters(self, run: str | None = None) -> pd.Series:
        """Every parameter of a run by its full name, as text."""
        with damage(f"{run or 'the run'}: damaged parameters"):
            found = dict(tables.texts(self.document(run).get("parameters", {})))
        return pd.Series(found, name=run or (self.runs[0] if self.runs else ""), dtype="object")

    def cpi_stack(self, *, by: str | Sequence[str] = ("run",), total: str = "cpi") -> pd.DataFrame:
        """Cycles per instruction by what they were spent on; `simoslab.views.tables.cpi_stack` describes it."""
        return tables.cpi_stack(self, by=by, total=total)

    def accounts(self, *, by: str | Sequence[str] = "mode") -> pd.DataFrame:
        """Everything that is counted of modes, services or processes; `simoslab.views.tables.accounts` describes it."""
        return tables.accounts(self, by=by)

    def misses(self, *, by: str | Sequence[str] | None = None) -> pd.DataFrame:
        """Cache misses by place; `simoslab.views.tables.misses` describes it."""
        return tables.concatenate(self._present, lambda document: tables.misses(document.content), by=by)

    def services(self) -> pd.DataFrame:
        """The services of the operating system; `simoslab.views.tables.services` describes it."""
        return tables.concatenate(self._present, lambda document: tables.services(document.content))

    def processes(self) -> pd.DataFrame:
        """The processes; `simoslab.views.tables.processes` describes it."""
        return tables.concatenate(self._present, lambda document: tables.processes(document.content))

    def locks(self) -> pd.DataFrame:
        """The kernel's locks; `simoslab.views.tables.locks` describes it."""
        return tables.concatenate(self._present, lambda document: tables.locks(document.content))

    def timeline(self) -> pd.DataFrame:
        """Where the time went over time; `simoslab.views.tables.timeline` describes it. Needs a run with `every`."""
        return tables.concatenate(self._present, lambda document: tables.timeline(document.content))

    def comparison(
        self, statistics: str | Sequence[str] = ("machine.seconds",), *, baseline: str | None = None
    ) -> pd.DataFrame:
        """The runs side by side; `simoslab.views.tables.compare` describes it."""
        return tables.compare(self, statistics, baseline=baseline)

    def check(self, *, strict: bool = True) -> pd.DataFrame:
        """Evaluate the schema and the sum rules (`simoslab.check`) for each run of this frame."""
        parts = [check_document(document.content, document.path or document.run, strict=strict).assign(run=document.run) for document in self._present]
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()

    def save_parquet(self, path: str | Path) -> Path:
        """Write the frame with its provenance to a Parquet file, which `simoslab.load` reads: the columns have the same types then.
        Returns the path. What is no row of the frame (misses by place, parameters) is not in the file. If it cannot be written
        completely, a file that was there stays as it was."""
        plain = pd.DataFrame(self)
        plain.attrs = dict(self.attrs)

        def write(file: IO[bytes]) -> None:
            try:
                json.dumps(plain.attrs)
                plain.to_parquet(file, index=False)
            except (TypeError, ValueError, RecursionError) as error:  # an attribute or column that is none of this package's
                raise SimosError(f"{path}: {error}") from None

        return save_file(path, write)


def concat(frames_of_runs: Iterable[Statistics]) -> Statistics:
    """One frame of several. Runs of the same name get a number behind it ("sort", "sort-2")."""
    taken: set[str] = set()
    last: dict[str, int] = {}
    parts, documents, provenance = [], [], {}
    if isinstance(frames_of_runs, pd.DataFrame) or not isinstance(frames_of_runs, Iterable):
        raise QueryError("concat: a list of frames is needed")
    for one in frames_of_runs:
        if not isinstance(one, Statistics):
            raise QueryError(f"concat: {type(one).__name__} is no Statistics")
        names: dict[str, str] = {}
        for run in one.runs:
            name, number = run, last.get(run, 1)
            while name in taken:
                number += 1
                name = f"{run}-{number}"
            last[run] = number
            taken.add(name)
            names[run] = name
        part = pd.DataFrame(one).copy()
        part.attrs = {}
        part["run"] = part["run"].map(names)
        parts.append(part)
        documents += [
            Document(names[old.run], old.path, old.content, old.names) for old in one._documents if old.run in names
        ]
        for run, known in one.attrs.get("provenance", {}).items():
            if run in names:
                provenance[names[run]] = known
    rows = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=frames.COLUMNS)
    joined = Statistics(frames.typed(rows) if list(rows.columns) == frames.COLUMNS else rows)
    object.__setattr__(joined, "_documents", documents)
    joined.attrs["provenance"] = provenance
    return joined
