"""Sweeps: the same work on several machines, in several processes at a time."""

from __future__ import annotations

import concurrent.futures
import itertools
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from simoslab.errors import QueryError, SimosError
from simoslab.events import Boot
from simoslab.machine import Machine
from simoslab.parameters import Value, text_of
from simoslab.progress import Progress
from simoslab.runs import Run
from simoslab.session import Session
from simoslab.views import tables
from simoslab.views.statistics import Statistics, concat

# What a sweep may vary besides parameters.
_OF_A_RUN = ("machine", "model", "command")


class Sweep:
    """All combinations of `settings`: {"machine": ["1994", "1998"], "l2_size": ["256K", "1M"]}.

    Names are "machine", "model", "command", or parameters as `Machine.set` takes them; the first varies slowest. Each
    combination is a run from the position of `session` (default: a new one, at Boot) with `options`, which are those of
    `Session.run`. A run is named by its values: "1994 256K".
    """

    def __init__(self, settings: Mapping[str, Sequence[Any]], *, session: Session | None = None, **options: Any) -> None:
        if not isinstance(settings, Mapping) or any(isinstance(values, (str, bytes)) or not isinstance(values, Iterable) for values in settings.values()):
            raise SimosError("Sweep: a setting is a name with a list of values")
        self.settings = {name: list(values) for name, values in settings.items()}
        if not settings or not all(self.settings.values()):
            raise SimosError("Sweep: every setting needs at least one value")
        self.session = session
        self.options = options

    @property
    def points(self) -> list[dict[str, Any]]:
        """The combinations, in their order."""
        return [dict(zip(self.settings, values)) for values in itertools.product(*self.settings.values())]

    def run(self, workers: int = 1, *, progress: bool | None = None) -> SweepResult:
        """Run all combinations, `workers` at a time, and wait for them. The results do not depend on `workers`.

        The first error ends the sweep: runs that have begun are awaited, the others do not begin. `progress`: show a bar
        (None: if somebody looks).
        """
        if not isinstance(workers, int) or workers < 1:
            raise SimosError(f"Sweep.run: workers={workers}: a whole number, at least 1")
        session = self.session or Session().fast_forward(Boot())
        points = self.points
        machines = [self._machine(session, point) for point in points]  # simos refuses bad values before anything runs
        errors: list[BaseException] = []

        def run_one(machine: Machine, point: Mapping[str, Any]) -> Run | None:
            if errors:
                return None
            try:
                return self._run(session, machine, point)
            except BaseException as error:
                errors.append(error)
                return None

        bar = Progress(f"{len(points)} runs", visible=progress)
        with concurrent.futures.ThreadPoolExecutor(workers) as pool, bar:
            futures = [pool.submit(run_one, machine, point) for machine, point in zip(machines, points)]
            try:
                for done, _ in enumerate(concurrent.futures.as_completed(futures), 1):
                    bar.draw(done / len(points), f"{done} of {len(points)}")
            except BaseException:  # an interrupt from the keyboard
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        if errors:
            raise errors[0]
        return SweepResult(self.settings, points, [run for future in futures if (run := future.result()) is not None])

    @staticmethod
    def _machine(session: Session, point: Mapping[str, Any]) -> Machine:
        base = Machine.of(point["machine"]) if "machine" in point else session.machine
        changed: dict[str, Value] = {name: value for name, value in point.items() if name not in _OF_A_RUN}
        return base.set(changed) if changed else base

    def _run(self, session: Session, machine: Machine, point: Mapping[str, Any]) -> Run:
        words = {name: point[name] for name in ("model", "command") if name in point}
        return session.run(machine=machine, name=label_of(point), progress=False, **{**self.options, **words})


def label_of(point: Mapping[str, Any]) -> str:
    """The name of a run of a sweep: its values, in the order of the settings."""
    return " ".join(value if isinstance(value, str) else _text(value) for value in point.values())


def _text(value: Any) -> str:
    if isinstance(value, Machine):
        return value.name
    if isinstance(value, (list, tuple)):
        return " ".join(map(str, value))
    return text_of(value)


class SweepResult:
    """The finished runs of a Sweep, in the order of its combinations: `runs`, and `points` with their settings."""

    def __init__(self, settings: Mapping[str, Sequence[Any]], points: Sequence[Mapping[str, Any]], runs: Sequence[Run]) -> None:
        self.settings = dict(settings)
        self.points = [dict(point) for point in points]
        self.runs = list(runs)
        self._statistics: Statistics | None = None

    def __iter__(self) -> Iterator[Run]:
        return iter(self.runs)

    def __len__(self) -> int:
        return len(self.runs)

    def __getitem__(self, run: str | int) -> Run:
        """The run of that name or number."""
        if isinstance(run, int):
            if not -len(self.runs) <= run < len(self.runs):
                raise QueryError(f"no run {run}; there are {len(self.runs)}")
            return self.runs[run]
        for one in self.runs:
            if one.name == run:
                return one
        raise QueryError(f'no run "{run}"; there are {", ".join(one.name for one in self.runs)}')

    def stats(self) -> Statistics:
        """The statistics of all runs in one frame."""
        if self._statistics is None:
            self._statistics = concat(run.stats() for run in self.runs)
        return self._statistics

    def cpi_stack(self, *, by: str | Sequence[str] = ("run",), total: str = "cpi") -> pd.DataFrame:
        """Cycles per instruction of all runs by what they were spent on: `Statistics.cpi_stack`."""
        return self.stats().cpi_stack(by=by, total=total)

    def compare(
        self, statistics: str | Sequence[str] = ("cycles", "cpi"), *, baseline: str | Mapping[str, Any] | None = None
    ) -> pd.DataFrame:
        """The runs side by side: a row for each, indexed by its settings, a column for each of the `statistics`.

        A statistic is "cycles" (without `wait`), "insns", "cpi", "seconds", the path of a statistic, whose rows are
        added up, or a full name. `baseline` is the name of a run or its settings ({"l2_size": "1M"}, as many as
        identify it): a column "STATISTIC / baseline" then has the quotient.
        """
        base = self._baseline(baseline) if isinstance(baseline, Mapping) else baseline
        table = tables.compare(self.stats(), statistics, baseline=base)
        rows = [[_text(value) if not isinstance(value, str) else value for value in point.values()] for point in self.points]
        names = list(self.settings)
        if len(names) == 1:
            table.index = pd.Index([row[0] for row in rows], name=names[0])
        else:
            table.index = pd.MultiIndex.from_tuples([tuple(row) for row in rows], names=names)
        return table

    def check(self, *, strict: bool = True) -> pd.DataFrame:
        """Evaluate the schema and the sum rules of every run's statistics."""
        return self.stats().check(strict=strict)

    def save_parquet(self, path: str | os.PathLike[str]) -> Path:
        """Write the frame of all runs to a Parquet file, which `simoslab.load` reads. Returns the path."""
        return self.stats().save_parquet(path)

    def _baseline(self, wanted: Mapping[str, Any]) -> str:
        found = [
            run.name for run, point in zip(self.runs, self.points) if all(point.get(name) == value for name, value in wanted.items())
        ]
        if len(found) != 1:
            raise QueryError(f"compare: the baseline {dict(wanted)} is of {len(found)} runs, not of one")
        return found[0]
