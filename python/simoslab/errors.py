"""The errors that this package raises. All of them are a SimosError."""

from __future__ import annotations

import re
import signal
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pyarrow import ArrowException


_LONGEST = 1000  # characters of a message
# What a terminal obeys instead of showing it, and halves of surrogate pairs.
_CONTROLS = re.compile("[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]+")


def one_line(text: str) -> str:
    """`text` as one line that can be shown, of bounded length."""
    line = _CONTROLS.sub(" ", text[: 4 * _LONGEST]).strip()
    return line if len(line) <= _LONGEST else line[:_LONGEST] + " ..."


class SimosError(Exception):
    """Something could not be done; the message is one line. The base of every error of this package."""

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


class ProgramNotFound(SimosError):
    """The program simos is nowhere: see `simoslab.find_program`."""


class FileFormatError(SimosError):
    """A file that cannot be read, is none that simos writes, or is damaged. The message names the file and the fault."""


class QueryError(SimosError):
    """A question that statistics cannot answer: a bad comparison or regular expression, a column, run or statistic that
    is not there, or something that the run did not collect. The message says what was asked and what there is."""


class CheckError(SimosError):
    """A file breaks its schema or a sum rule. `violations` has one line of text for each place."""

    def __init__(self, subject: str, violations: Sequence[str]) -> None:
        self.subject = subject
        self.violations = [one_line(line) for line in violations]
        more = f" (and {len(self.violations) - 1} more)" if len(self.violations) > 1 else ""
        super().__init__(f"{subject}: {self.violations[0]}{more}")


@contextmanager
def host_errors(subject: str) -> Iterator[None]:
    """Turn an error of the host into a SimosError that names the file, or `subject` if the host names none."""
    try:
        yield
    except OSError as error:
        raise SimosError(f"{error.filename or subject}: {error.strerror or error}") from None
    except ValueError as error:  # a NUL, or what the host's encoding lacks, in a path or word
        raise SimosError(f"{subject}: {error}") from None


# What reading a value that has another form than it should raises.
_OF_DAMAGE = (ArithmeticError, ArrowException, AttributeError, LookupError, RecursionError, TypeError, ValueError, struct.error)


@contextmanager
def damage(what: str) -> Iterator[None]:
    """Turn what goes wrong where a file has another form than it should into a FileFormatError "WHAT: ..."."""
    try:
        yield
    except _OF_DAMAGE as error:
        raise FileFormatError(f"{what}: {type(error).__name__}: {error}") from None
    except MemoryError:
        raise FileFormatError(f"{what}: it needs more memory than there is") from None


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


# What simos says of itself, in the form of docs/reference/exit-status.md: the guest has no part in these lines.
Line = tuple[str, str]  # error, bug, signal or deprecated, and the text

# The start of a message says what the error is about; behind it may be words of the guest.
_OF_EVENTS = re.compile(r'(?:[^"]{0,300}?, line \d+: )?(?:console expect: |(?:--[a-z-]+|[a-z]+\.[a-z]+)[^:"]*: the run ended before )')
_OF_PARAMETERS = re.compile(r"unknown parameter |[a-z0-9_]+(\.[a-z0-9_]+)+: ")


def lines_of(content: bytes) -> list[Line]:
    """The lines in what simos has written to SIMOS_ERRORS_FD."""
    whole = [line.partition(" ") for line in content.decode("utf-8", "replace").splitlines()]
    return [(kind, text) for kind, _, text in whole]


def error_of(status: int, command: Sequence[str], lines: Sequence[Line], stderr: str) -> RunError | None:
    """The error for a simos that ended with `status` (of `subprocess`: negative for a signal) and said `lines`; None if the
    status is not its own, but that of the guest's job."""
    said = [text for kind, text in lines if kind == "error"]
    bugs = [text for kind, text in lines if kind == "bug"]
    if bugs or status == -signal.SIGABRT:
        return SimulatorBug(f"bug: {bugs[0]}" if bugs else "aborted without a message", status, command, stderr)
    if status < 0 or any(kind == "signal" and status == 128 + int(text) for kind, text in lines):
        number = -status if status < 0 else status - 128
        return InterruptedRun(said[-1] if said else f"ended by signal {number}", status, command, stderr)
    if status != 125 or not said:
        return None
    # The reason of an end with an error comes last.
    arguments = (said[-1], status, command, stderr)
    if _OF_EVENTS.match(said[-1]):
        return EventError(*arguments)
    if said[-1].startswith("checkpoint ") or said[-1].endswith(" is not a checkpoint"):
        return CheckpointError(*arguments)
    if _OF_PARAMETERS.match(said[-1]):
        return ParameterError(*arguments)
    return InputError(*arguments)
