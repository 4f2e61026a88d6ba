"""Finds the program simos and runs it."""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from simoslab.errors import ProgramNotFound, error_of, host_errors
from simoslab.progress import Progress

# Exit statuses with which simos says that the simulation is no failure of its own: docs/reference/exit-status.md.
_LIMIT_REACHED = 124


def _candidates() -> Iterator[Path]:
    """Where the program is looked for, in this order, if nobody says where it is."""
    named = os.environ.get("SIMOS")
    if named:
        yield Path(named)
        return
    found = shutil.which("simos")
    if found:
        yield Path(found)
    # A working copy: the current folder or one above it, then the folder that this file lies in.
    for start in (Path.cwd(), Path(__file__).resolve().parent):
        for folder in (start, *start.parents):
            yield folder / "build" / "simos"


def find_program(path: str | os.PathLike[str] | None = None) -> Path:
    """The program simos: `path`, else the environment variable SIMOS, else the one in PATH, else build/simos in the
    current folder or one above it, or above this package.

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
    """What a finished simos returned. `status` is its exit status, `limit` whether a limit ended the simulation."""

    command: list[str]
    status: int
    stdout: bytes
    stderr: str

    @property
    def limit(self) -> bool:
        return self.status == _LIMIT_REACHED


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

        `job`: the exit status is that of a guest's command, so that only simos's own (125 and above, with a line that
        begins with "simos: ") is an error. `input` is what the guest's console reads. `environment` adds variables.
        `progress`, if given, shows simos's progress line. Raises an error of `simoslab.errors`.
        """
        command = [str(self.path), *(os.fspath(word) for word in arguments)]
        variables = {**os.environ, "NO_COLOR": "1", **(environment or {})}
        with host_errors(str(self.path)):  # such as a file that is no program
            if progress is not None and progress.visible:
                status, stdout, stderr = progress.follow(command, input or b"", variables)
            else:
                done = subprocess.run(
                    command, input=input if input is not None else b"", env=variables, capture_output=True, check=False
                )
                status, stdout, stderr = done.returncode, done.stdout, done.stderr
        text = stderr.decode("utf-8", "replace")
        own = any(line.startswith("simos: ") for line in text.splitlines())
        failed = status != 0 and (status < 0 or (status >= 125 and own) or not (job or status == _LIMIT_REACHED))
        if failed:
            raise error_of(status, command, text)
        return Completed(command, status, stdout, text)

    @functools.cached_property
    def version(self) -> str:
        """The lines of `simos --version`: version, commit, build options, CPU models."""
        return self.run(["--version"]).stdout.decode("utf-8", "replace").strip()

    @functools.cached_property
    def digest(self) -> str:
        """SHA-256 of the program's file, in hexadecimal."""
        with host_errors(str(self.path)), open(self.path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    @property
    def guest(self) -> Path:
        """The folder with the guest's kernel that simos takes if none is named: guest/ beside the program."""
        return self.path.resolve().parent / "guest"
