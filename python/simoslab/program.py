"""Finds the program simos and runs it."""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from simoslab.deprecation import warn
from simoslab.errors import Line, ProgramNotFound, RunError, error_of, host_errors, lines_of
from simoslab.host_files import InputFile
from simoslab.progress import Progress

# Exit statuses with which simos says that the simulation is no failure of its own: docs/reference/exit-status.md.
_LIMIT_REACHED = 124


def _candidates() -> Iterator[Path]:
    """Where the program is looked for, in this order, if nobody says where it is."""
    named = os.environ.get("SIMOS")
    if named:
        yield Path(named)
        return
    # In a wheel the program stands beside this package.
    bundled = Path(__file__).resolve().parent.parent / "simos_program" / "lib" / "simos" / "simos"
    if bundled.is_file():
        yield bundled
    found = shutil.which("simos")
    if found:
        yield Path(found)
    # A working copy: the current folder or one above it, then the folder that this file lies in.
    for start in (Path.cwd(), Path(__file__).resolve().parent):
        for folder in (start, *start.parents):
            yield folder / "build" / "simos"


def find_program(path: str | os.PathLike[str] | None = None) -> Path:
    """The program simos: `path`, else the environment variable SIMOS, else the one that was installed with this package, else
    the one in PATH, else build/simos in the current folder or one above it, or above this package.

    Raises ProgramNotFound if that is not an executable file.
    """
    tried = [Path(path)] if path is not None else list(_candidates())
    for candidate in tried:
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return candidate.absolute()
    if path is not None or os.environ.get("SIMOS"):
        said = "given" if path is not None else "that the environment variable SIMOS names"
        raise ProgramNotFound(f"{tried[0]}: the program simos {said} is not an executable file")
    raise ProgramNotFound(
        "no program simos: build it (`make` writes build/simos), or name it in PATH or in the environment variable SIMOS"
    )


@dataclass(frozen=True)
class Completed:
    """What a finished simos returned. `status` is its exit status, `lines` what it says of itself, apart from stderr, `limit`
    whether a limit ended the simulation."""

    command: list[str]
    status: int
    stdout: bytes
    stderr: str
    lines: list[Line] = field(default_factory=list)

    @property
    def limit(self) -> bool:
        return self.status == _LIMIT_REACHED and any(text.startswith("stopped by the limit of ") for _, text in self.lines)


class Program:
    """The program simos in the file `path`; without one `find_program` says where."""

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self.path = find_program(path)

    def __repr__(self) -> str:
        return f"Program({str(self.path)!r})"

    def run(
        self,
        arguments: Sequence[str | os.PathLike[str]],
        *,
        job: bool = False,
        input: bytes | None = None,
        environment: Mapping[str, str] | None = None,
        progress: Progress | None = None,
    ) -> Completed:
        """Run `simos ARGUMENTS` to its end.

        `job`: the exit status may be that of a guest's command, which is no error. What simos says of itself comes by a way of
        its own (SIMOS_ERRORS_FD): whatever the guest prints is no error either. `input` is what the guest's console reads.
        `environment` adds variables. `progress`, if given, shows simos's progress line. Raises an error of `simoslab.errors`.
        """
        with host_errors(str(self.path)):  # such as a file that is no program, or a NUL in a word
            command = [str(self.path), *(os.fspath(word) for word in arguments)]
            lines_fd = os.memfd_create("simos-errors")
            try:
                variables = {**os.environ, "NO_COLOR": "1", **(environment or {}), "SIMOS_ERRORS_FD": str(lines_fd)}
                if progress is not None and progress.visible:
                    status, stdout, stderr = progress.follow(command, input or b"", variables, lines_fd)
                else:
                    done = subprocess.run(
                        command,
                        input=input if input is not None else b"",
                        env=variables,
                        pass_fds=(lines_fd,),
                        capture_output=True,
                        check=False,
                    )
                    status, stdout, stderr = done.returncode, done.stdout, done.stderr
                lines = lines_of(os.pread(lines_fd, os.fstat(lines_fd).st_size, 0))
            finally:
                os.close(lines_fd)
        for kind, said in lines:
            if kind == "deprecated":
                warn(said)
        text = stderr.decode("utf-8", "replace")
        error = error_of(status, command, lines, text)
        if error is None and status not in (0, _LIMIT_REACHED) and not job:
            error = RunError(f"simos {' '.join(command[1:2])} ended with status {status}", status, command, text)
        if error is not None:
            raise error
        return Completed(command, status, stdout, text, lines)

    @functools.cached_property
    def version(self) -> str:
        """The lines of `simos --version`: version, commit, build options, CPU models."""
        return self.run(["--version"]).stdout.decode("utf-8", "replace").strip()

    @functools.cached_property
    def digest(self) -> str:
        """SHA-256 of the program's file, in hexadecimal."""
        with InputFile(self.path, "program", unpack=False) as file, host_errors(str(self.path)):
            return hashlib.file_digest(file.packed, "sha256").hexdigest()  # type: ignore[arg-type]

    @property
    def guest(self) -> Path:
        """The folder with the guest's kernel that simos takes if none is named: guest/ beside the program."""
        return self.path.resolve().parent / "guest"
