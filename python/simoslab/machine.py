"""Machine descriptions: a built-in machine, or a file, with parameters of one's own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pandas as pd

from simoslab.parameters import Value, full_names, parameter_names, parse_table
from simoslab.program import Program


@dataclass(frozen=True)
class Machine:
    """A machine: `name` is a built-in one ("1994"; `machines()` lists them) or a machine file ("mine.tcl").

    `settings` are the parameters that differ from it, by their full names. A Machine does not change: `set` returns
    another one.
    """

    name: str = "1994"
    settings: Mapping[str, str] = field(default_factory=dict)
    program: Program | None = field(default=None, repr=False, compare=False)

    def set(self, settings: Mapping[str, Value] | None = None, /, **words: Value) -> Machine:
        """This machine with other parameters: `set(l2_size="1M", cpu_clock="300MHz")` or `set({"cache.l2.size": "1M"})`.

        Names are those of `simos params`; a keyword has underscores for the dots and needs no more of the name than
        makes it unique. Sizes ("1M"), times ("500ns") and frequencies ("300MHz") are texts, bytes and plain numbers
        may be numbers, on and off may be True and False. Raises ParameterError for what simos refuses.
        """
        program = self._program()
        changed = full_names({**(settings or {}), **words}, parameter_names(program))
        machine = replace(self, settings={**self.settings, **changed}, program=program)
        machine._table(["machine.cpus"])  # simos says what is wrong
        return machine

    def options(self) -> list[str]:
        """The options of simos that describe this machine."""
        words = ["--machine", self.name]
        for name, value in self.settings.items():
            words += ["--set", f"{name}={value}"]
        return words

    def parameters(self) -> pd.DataFrame:
        """Every parameter with its value in this machine. Columns: name, value, default (of the machine 1994), range,
        unit, traits, meaning; all of them texts."""
        return self._table([])

    def __getitem__(self, word: str) -> str:
        """The value of one parameter, as a text: `Machine("1998")["l2_size"]` is "4M"."""
        name = next(iter(full_names({word: ""}, parameter_names(self._program()))))
        table = self._table([name])
        return str(table.loc[table["name"] == name, "value"].iloc[0])

    def picture(self) -> str:
        """A drawing of CPUs, caches and memory with their sizes and times."""
        return self._run(["params", *self.options(), "--picture"])

    def _table(self, prefixes: list[str]) -> pd.DataFrame:
        return parse_table(self._run(["params", *self.options(), *prefixes]))

    def _run(self, words: list[str]) -> str:
        return self._program().run(words).stdout.decode("utf-8", "replace")

    def _program(self) -> Program:
        return self.program or Program()

    @classmethod
    def of(cls, machine: Machine | str | os.PathLike[str]) -> Machine:
        """`machine` itself, or the Machine of that name or file."""
        return machine if isinstance(machine, Machine) else cls(os.fspath(machine))


def machines(program: Program | None = None) -> pd.DataFrame:
    """The built-in machines. Columns: name, meaning."""
    text = (program or Program()).run(["machines"]).stdout.decode("utf-8", "replace")
    rows = [line.split(None, 1) for line in text.splitlines() if line.strip()]
    return pd.DataFrame([(row[0], row[1] if len(row) > 1 else "") for row in rows], columns=["name", "meaning"])
