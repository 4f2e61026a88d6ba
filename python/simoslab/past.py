"""The past of a run that has ended: going to any instant of it, and who wrote a word, called a routine, evicted a line."""

from __future__ import annotations

import base64
import os
import subprocess
import weakref
from collections.abc import Sequence
from types import TracebackType
from typing import IO, NamedTuple

import pandas as pd

from simoslab.errors import InputError, SimosError, host_errors, lines_of
from simoslab.events import Event, Instructions, Marker, Seconds, tcl_word
from simoslab.program import Program

PathLike = str | os.PathLike[str]
# A place in the guest's memory: a virtual address, or a symbol of the kernel with or without an offset.
Address = int | str

# One line for each answer: the code of Tcl's `catch`, and the value. A dict is a row; its values have none of these characters.
_ANSWERS = r"""
proc simoslab {script} {
    set code [catch {uplevel #0 $script} value]
    puts "$code [binary encode base64 [encoding convertto utf-8 $value]]"
    flush stdout
}
proc simoslab_row {row} {
    set fields {}
    dict for {name value} $row {lappend fields "$name\x1f$value"}
    join $fields \x1e
}
proc simoslab_rows {rows} {
    set texts {}
    foreach row $rows {lappend texts [simoslab_row $row]}
    join $texts \x1d
}
"""
_REALS = {"time"}
_TEXTS = {"by", "what", "mode", "symbol", "process", "caller_symbol", "line", "why"}


class Position(NamedTuple):
    """An instant: the instructions that all processors have executed since power-on, and the simulated seconds."""

    insns: int
    time: float


def _value(name: str, text: str) -> int | float | str:
    if name in _REALS:
        return float(text)
    return text if name in _TEXTS else int(text, 0)


def _row(text: str) -> dict[str, int | float | str]:
    """A dict of Tcl, as simoslab_row writes it."""
    fields = (field.partition("\x1f") for field in text.split("\x1e") if field)
    return {name: _value(name, value) for name, _, value in fields}


class Past:
    """The run that took the series of checkpoints in `folder` with its record (`simos run --series`, `Session.past`).

    It is a process of simos until `close`, which a `with` statement calls too. The place that one looks at is the end of the
    run at first. Addresses are virtual ones of the processor `cpu`, or names of the kernel ("jiffies", "jiffies+4"). Raises an
    InputError for what cannot be found or reached.
    """

    def __init__(self, folder: PathLike, *, memory: str = "1G", program: Program | None = None, keep: object = None) -> None:
        self.program = program or Program()
        self.folder = os.fspath(folder)
        self._keep = keep  # whatever the folder lives as long as
        command = [str(self.program.path), "shell", f"--history=series={self.folder},memory={memory}", "--quiet"]
        with host_errors(self.folder):
            lines_fd = os.memfd_create("simos-errors")
            variables = {**os.environ, "NO_COLOR": "1", "SIMOS_ERRORS_FD": str(lines_fd)}
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=variables,
                pass_fds=(lines_fd,),
                text=True,
                encoding="utf-8",
            )
        self._lines_fd = lines_fd
        self._end = weakref.finalize(self, _end, self._process, lines_fd)
        self._send(_ANSWERS)
        self.present = self.place

    def __repr__(self) -> str:
        return f"Past({self.folder!r})"

    def __enter__(self) -> Past:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        self._end()

    # Where one is.

    @property
    def place(self) -> Position:
        """The instant that one looks at."""
        now = self._dict("history")
        return Position(int(now["insns"]), float(now["time"]))

    @property
    def first(self) -> int:
        """The earliest instant that can be reached, in instructions."""
        return int(self._dict("history")["first"])

    def back(self, number: int = 1, unit: str = "insn", *, cpu: int | None = None) -> Position:
        """Go back `number` instructions of all processors, or of processor `cpu`, or cycles (`unit` "cycle")."""
        self._ask(f"back {int(number)} {tcl_word(unit)}" + (f" -cpu {int(cpu)}" if cpu is not None else ""))
        return self.place

    def go(self, to: Event) -> Position:
        """Go to Instructions(N) or Seconds(N) since power-on, or to where the guest last came to a Marker."""
        if isinstance(to, Instructions):
            where = f"insn {int(to.count)}"
        elif isinstance(to, Seconds):
            where = f"time {to.seconds!r}"
        elif isinstance(to, Marker):
            where = f"mark {tcl_word(to.name)}"
        else:
            raise SimosError(f"go: {to!r} is no instant of the past: Instructions(N), Seconds(N), Marker(NAME)")
        self._ask(f"back to {where}")
        return self.place

    def back_until(self, address: Address) -> Position:
        """Go back to where a processor last came to the instruction at `address`."""
        self._ask(f"back until {_address(address)}")
        return self.place

    def registers(self, cpu: int = 0) -> dict[str, int]:
        """The registers of a processor at the place: all that `registers` of the shell names."""
        values = self._ask(f"cpu {int(cpu)}; registers").split()
        return {name: int(value, 0) for name, value in zip(values[::2], values[1::2])}

    def memory(self, address: Address, count: int = 1, *, size: int = 4) -> list[int]:
        """`count` values of `size` bytes from `address` on, at the place."""
        return [int(word, 0) for word in self._ask(f"memory read {_address(address)} {int(count)} -size {int(size)}").split()]

    # Questions.

    def last_write(self, address: Address, *, size: int = 4, physical: bool = False, cpu: int | None = None) -> pd.DataFrame:
        """The last store before the place to `size` bytes at an address, by any processor (or `cpu`) or device: a frame of one
        row, or of none."""
        return self._one("last-write", address, size=size, physical=physical, cpu=cpu)

    def last_read(self, address: Address, *, size: int = 4, physical: bool = False, cpu: int | None = None) -> pd.DataFrame:
        """The last load, as `last_write`."""
        return self._one("last-read", address, size=size, physical=physical, cpu=cpu)

    def last_change(self, register: str, *, cpu: int | None = None) -> pd.DataFrame:
        """The instruction that last changed a register: a frame of one row, or of none, with `before` and `value`."""
        return self._rows(f"list [history last-change {tcl_word(register)}" + _options(cpu=cpu) + "]")

    def when(self, address: Address, what: str, *, cache: str = "l1d", physical: bool = False, cpu: int | None = None) -> pd.DataFrame:
        """When the line of an address last "entered" a cache, "left" it or "missed" in it: a frame of one row, or of none."""
        options = _options(cache=cache, physical=physical, cpu=cpu)
        return self._rows(f"list [history when {_address(address)} {tcl_word(what)}{options}]")

    def why(self, address: Address, *, cache: str = "l1d", physical: bool = False, cpu: int | None = None) -> pd.DataFrame:
        """The last miss of the line of an address, and what had taken it away before, if anything had: a row each."""
        options = _options(cache=cache, physical=physical, cpu=cpu)
        return self._rows(f"set why [history why {_address(address)}{options}]; if {{$why ne {{}}}} {{dict values $why}}")

    def who_woke(self, process: int | str) -> pd.DataFrame:
        """What last made a process runnable, by its number or name: a frame of one row, or of none."""
        return self._rows(f"list [history who-woke {tcl_word(str(process))}]")

    def who_holds(self, lock: Address, *, size: int = 4) -> pd.DataFrame:
        """The store that took a lock which is held at the place: a frame of one row, or of none. `size` 1 for a spin lock."""
        return self._rows(f"list [history who-holds {_address(lock)}{_options(size=size)}]")

    def calls(self, routine: Address, *, argument: Address | None = None, start: int | None = None, stop: int | None = None, cpu: int | None = None) -> pd.DataFrame:
        """Every time that a processor came to a routine, with `argument` as its first one if given, between two instants in
        instructions: a row each, with the caller."""
        only = f" -argument {_address(argument)}" if argument is not None else ""
        return self._rows(f"history calls {_address(routine)}{only}{_options(cpu=cpu)}{_between(start, stop)}")

    def watch(self, annotations: PathLike, *, start: int | None = None, stop: int | None = None) -> str:
        """What annotations ("services", or a Tcl file) print when they watch a part of the past, between two instants."""
        return self._ask(f"history run {tcl_word(os.fspath(annotations))}{_between(start, stop)}")

    def ask(self, command: str) -> str:
        """The value of a command of the shell (docs/reference/shell.md) at the place."""
        return self._ask(command)

    # How it is asked.

    def _one(self, question: str, address: Address, *, size: int, physical: bool, cpu: int | None) -> pd.DataFrame:
        options = _options(size=size, physical=physical, cpu=cpu)
        return self._rows(f"list [history {question} {_address(address)}{options}]")

    def _rows(self, script: str) -> pd.DataFrame:
        text = self._ask(f"simoslab_rows [eval {tcl_word(script)}]")
        return pd.DataFrame([row for row in map(_row, text.split("\x1d")) if row])

    def _dict(self, script: str) -> dict[str, int | float | str]:
        return _row(self._ask(f"simoslab_row [{script}]"))

    def _ask(self, script: str) -> str:
        self._send(f"simoslab {tcl_word(script)}\n")
        assert self._process.stdout is not None
        code, _, value = self._process.stdout.readline().strip().partition(" ")
        if not code:
            raise self._failure()
        text = base64.b64decode(value).decode("utf-8", "replace")
        if code != "0":
            raise InputError(text)
        return text

    def _send(self, text: str) -> None:
        stdin: IO[str] | None = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(text)
            stdin.flush()
        except (BrokenPipeError, ValueError):  # it has ended, or was closed
            raise self._failure() from None

    def _failure(self) -> SimosError:
        if not self._end.alive:
            return SimosError(f"{self.folder}: this past is closed")
        lines = lines_of(os.pread(self._lines_fd, os.fstat(self._lines_fd).st_size, 0))
        return InputError(lines[-1][1] if lines else f"{self.folder}: simos has ended")


def _end(process: subprocess.Popen[str], lines_fd: int) -> None:
    for end in (process.stdin, process.stdout):
        if end is not None:
            try:
                end.close()
            except OSError:
                pass
    process.wait()
    os.close(lines_fd)


def _address(address: Address) -> str:
    return tcl_word(address) if isinstance(address, str) else hex(address & 0xFFFFFFFF)


def _between(start: int | None, stop: int | None) -> str:
    return (f" -from {int(start)}" if start is not None else "") + (f" -to {int(stop)}" if stop is not None else "")


def _options(*, size: int | None = None, cache: str | None = None, physical: bool = False, cpu: int | None = None) -> str:
    words: Sequence[str] = [
        *(["-size", str(int(size))] if size is not None else []),
        *(["-cache", tcl_word(cache)] if cache is not None else []),
        *(["-physical"] if physical else []),
        *(["-cpu", str(int(cpu))] if cpu is not None else []),
    ]
    return "".join(f" {word}" for word in words)

