"""A finished run and its results."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from simoslab.errors import QueryError
from simoslab.files import load
from simoslab.host_files import Scratch, copy_folder
from simoslab.machine import Machine
from simoslab.program import Completed
from simoslab.views.statistics import Statistics


class Run:
    """What a run of a Session left.

    `name` is its name in frames, `machine` the Machine, `model` the CPU model, `status` the exit status of the guest's
    command (0 if a limit ended the run: `limited`), `output` what the command wrote to its standard output, `messages`
    what it and simos wrote to standard error, `command` the command line of simos, `folder` where its files are: they
    are removed with the Run unless `save` copies them or the run was given `out`.
    """

    def __init__(
        self,
        name: str,
        machine: Machine,
        model: str,
        completed: Completed,
        folder: Path,
        *,
        known: Mapping[str, Any],
        files: Collection[str] = (),
        temporary: Scratch | None = None,
    ) -> None:
        self.name = name
        self.machine = machine
        self.model = model
        self.command = completed.command
        self.limited = completed.limit
        self.status = 0 if completed.limit else completed.status
        self.output = completed.stdout.decode("utf-8", "replace")
        self.messages = completed.stderr
        self.folder = folder
        self._known = dict(known)
        self._files = {"stats.json", *files}  # a folder of the caller's may have those of a run before too
        self._temporary = temporary  # goes with this object
        self._statistics: Statistics | None = None

    def __repr__(self) -> str:
        return f"Run({self.name!r}, machine={self.machine.name!r}, model={self.model!r}, status={self.status})"

    def stats(self) -> Statistics:
        """The statistics as a tidy frame, with the checkpoint's history in its provenance."""
        if self._statistics is None:
            self._statistics = load(self._file("stats.json", ""), run=self.name)
            self._statistics.attrs["provenance"][self.name].update(self._known)
        return self._statistics

    def cpi_stack(self, *, by: str | Sequence[str] = ("run",), total: str = "cpi") -> pd.DataFrame:
        """Cycles per instruction by what they were spent on: `Statistics.cpi_stack`."""
        return self.stats().cpi_stack(by=by, total=total)

    def misses(self, *, by: str | Sequence[str] | None = None) -> pd.DataFrame:
        """Cache misses by place: `Statistics.misses`. Needs annotations="misses"."""
        return self.stats().misses(by=by)

    def services(self) -> pd.DataFrame:
        """The services of the operating system: `Statistics.services`. Needs annotations="services" or "misses"."""
        return self.stats().services()

    def timeline(self) -> pd.DataFrame:
        """Where the time went over time: `Statistics.timeline`. Needs `every`."""
        return self.stats().timeline()

    def events(self) -> pd.DataFrame:
        """Processes, services, interrupts and disk requests as events with begin and duration in microseconds. Needs
        timeline=True."""
        return load(self._file("timeline.json", "timeline=True"))

    def profile(self) -> pd.DataFrame:
        """Stalls and misses by routine and by data structure. Needs profile=True."""
        return load(self._file("profile.json", "profile=True"))

    def stacks(self) -> pd.DataFrame:
        """Cycles by stack of process, services and routine. Needs stacks=True."""
        return load(self._file("stacks.txt", "stacks=True"))

    def check(self, *, strict: bool = True) -> pd.DataFrame:
        """Evaluate the schema and the sum rules of the statistics: `simoslab.check`."""
        return self.stats().check(strict=strict)

    def save(self, folder: str | Path) -> Path:
        """Copy the run's files to `folder`, which is made if it is not there; each is copied completely, or one that was there stays as
        it was. Returns it."""
        return copy_folder(self.folder, folder)

    def _file(self, name: str, option: str) -> Path:
        file = self.folder / name
        if name not in self._files or not file.exists():
            raise QueryError(f"{self!r} has no {name}" + (f": run with {option}" if option else ""))
        return file
