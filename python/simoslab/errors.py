"""The errors that this package raises. All of them are a SimosError."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager


class SimosError(Exception):
    """Something could not be done. The base of every error of this package."""


class ProgramNotFound(SimosError):
    """The program simos is nowhere: see `simoslab.find_program`."""


class FileFormatError(SimosError):
    """A file is none that simos writes, or is damaged. The message names the file and the fault."""


class QueryError(SimosError):
    """A question that statistics cannot answer: a bad comparison or regular expression, a column, run or statistic that
    is not there, or something that the run did not collect. The message says what was asked and what there is."""


class CheckError(SimosError):
    """A file breaks its schema or a sum rule. `violations` has one line of text for each place."""

    def __init__(self, subject: str, violations: Sequence[str]) -> None:
        self.subject = subject
        self.violations = list(violations)
        more = f" (and {len(self.violations) - 1} more)" if len(self.violations) > 1 else ""
        super().__init__(f"{subject}: {self.violations[0]}{more}")


@contextmanager
def host_errors(subject: str) -> Iterator[None]:
    """Turn an error of the host into a SimosError that names the file, or `subject` if the host names none."""
    try:
        yield
    except OSError as error:
        raise SimosError(f"{error.filename or subject}: {error.strerror or error}") from None


class RunError(SimosError):
    """simos ended with an error of its own.

    `message`: its line, without "simos: "; `status`: the exit status; `command`: the words of the command line;
    `stderr`: everything that it wrote there.
    """

    def __init__(self, message: str, status: int = 125, command: Sequence[str] = (), stderr: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.command = list(command)
        self.stderr = stderr


class InputError(RunError):
    """Exit status 125: the input or the command line is wrong, or a file could not be read or written."""


class ParameterError(InputError):
    """A parameter that simos does not have, or a value out of its range."""


class CheckpointError(InputError):
    """A checkpoint that is damaged, of another version, or does not fit the machine."""


class EventError(InputError):
    """An event that was asked for (a mark, a line of the console) did not come before the end of the run."""


class InterruptedRun(RunError):
    """A signal ended simos: exit status 128 + its number."""


class SimulatorBug(RunError):
    """An error in simos (exit status 134, "simos: bug: ..."). Please report it with `command`."""


def _message_of(stderr: str) -> str:
    """The line of simos in `stderr` that says why it ended; the last line if none begins with its name."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    own = [line.removeprefix("simos: ") for line in lines if line.startswith("simos: ")]
    # The reason of an end with an error comes last.
    return own[-1] if own else lines[-1] if lines else "simos wrote no message"


def error_of(status: int, command: Sequence[str], stderr: str) -> RunError:
    """The error for a simos that ended with `status` (of `subprocess`: negative for a signal)."""
    message = _message_of(stderr)
    arguments = (message, status, command, stderr)
    if status == 134 or status == -signal.SIGABRT or message.startswith("bug: "):
        return SimulatorBug(*arguments)
    if status < 0 or 128 < status <= 128 + signal.SIGRTMAX:
        return InterruptedRun(*arguments)
    if "the run ended before" in message or "console expect" in message:
        return EventError(*arguments)
    if message.startswith("checkpoint ") or message.endswith(" is not a checkpoint"):
        return CheckpointError(*arguments)
    if message.startswith("unknown parameter ") or re.match(r"[a-z0-9_]+(\.[a-z0-9_]+)+: ", message):
        return ParameterError(*arguments)
    return InputError(*arguments)
