"""Opens every file that this package reads, and saves every one that it writes, by the rules of the program simos.

An input is a regular file of bounded length, packed and unpacked; where one pass over it is enough also a pipe with a writer. Everything
else that a path can name is refused before any of it is read: docs/reference/exit-status.md has the table. A file is saved whole or not at
all.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import lzma
import os
import re
import shutil
import stat
import tempfile
import weakref
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, NamedTuple

from pyarrow import ArrowException, CompressedInputStream

from simoslab.errors import FileFormatError, SimosError

PathLike = str | os.PathLike[str]
_MIB, _GIB = 1 << 20, 1 << 30


class Kind(NamedTuple):
    """What a kind of input may be: its longest, in bytes and unpacked (None: no limit); also a pipe, a block device."""

    longest: int | None
    pipe: bool = False
    block: bool = False


# The longest of what simos reads too are those of src/base/input_file.c.
KINDS = {
    "any": Kind(None, pipe=True),  # as long as nobody knows what it is
    "results": Kind(256 * _MIB, pipe=True),  # whatever `load` and `check` read whole
    "Parquet": Kind(256 * _MIB),
    "trace": Kind(None),  # in constant memory
    "checkpoint": Kind(64 * _GIB),
    "kernel": Kind(4 * _GIB),
    "initrd": Kind(2 * _GIB),
    "symbols": Kind(64 * _MIB),
    "disk image": Kind(None, block=True),
    "copied file": Kind(None),
    "program": Kind(4 * _GIB),
    "kept history": Kind(_MIB),
    "page's input": Kind(64 * _MIB),  # of the result pages of workloads/pages
}
MAX_ROWS = 1 << 23  # of a table that is read whole: at some hundred bytes each they fit into memory
_XZ_MEMORY = 256 * _MIB
_PIECE = 1 << 20

_GZIP, _XZ, _ZSTD = b"\x1f\x8b", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"
# File systems whose content the kernel makes up when it is read, without a length.
_MADE_UP = {"proc", "sysfs", "debugfs", "tracefs", "cgroup", "cgroup2", "securityfs", "selinuxfs", "bpf", "binfmt_misc"}


@contextlib.contextmanager
def reading(path: PathLike) -> Iterator[None]:
    """Whatever is wrong with the file `path` is a FileFormatError."""
    try:
        yield
    except OSError as error:  # gzip's own errors are some too
        raise FileFormatError(f"{os.fspath(path)}: {error.strerror or error}") from None
    except MemoryError:
        raise FileFormatError(f"{os.fspath(path)}: it needs more memory than there is") from None
    except (zlib.error, lzma.LZMAError, ArrowException, EOFError, ValueError) as error:  # ValueError: a NUL in the path
        raise FileFormatError(f"{os.fspath(path)}: {error}") from None


def _type_fault(kind: Kind, state: os.stat_result) -> str:
    """What is wrong with the type of a file; empty if nothing is."""
    mode = state.st_mode
    is_null = stat.S_ISCHR(mode) and state.st_rdev == os.makedev(1, 3)
    if stat.S_ISREG(mode) or kind.pipe and (stat.S_ISFIFO(mode) or is_null) or kind.block and stat.S_ISBLK(mode):
        return ""
    known = ((stat.S_ISDIR, "directory"), (stat.S_ISFIFO, "pipe"), (stat.S_ISSOCK, "socket"), (stat.S_ISBLK, "block device"))
    what = next((name for test, name in known if test(mode)), "character device")
    return f"not a regular file{' or block device' if kind.block else ''} but a {what}"


def _is_made_up(state: os.stat_result) -> bool:
    number = f"{os.major(state.st_dev)}:{os.minor(state.st_dev)}"
    with contextlib.suppress(OSError, LookupError), open("/proc/self/mountinfo", "rb") as mounts:
        for line in mounts:
            words = line.decode("ascii", "replace").split()
            if words[2] == number:
                return words[words.index("-") + 1] in _MADE_UP
    return False


def _open(path: PathLike, kind: Kind) -> tuple[int, os.stat_result]:
    """A descriptor of a file that may be read, and its state."""
    name = os.fspath(path)
    # Before, because open() can have an effect on a device, and after, because the name may have changed.
    fault = _type_fault(kind, os.stat(path))
    if fault:
        raise FileFormatError(f"{name}: {fault}")
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        state = os.fstat(descriptor)
        fault = _type_fault(kind, state)
        if not fault and stat.S_ISREG(state.st_mode) and _is_made_up(state):
            fault = "not a regular file but an interface of the kernel"
        if not fault and kind.longest is not None and stat.S_ISREG(state.st_mode) and state.st_size > kind.longest:
            fault = f"{state.st_size} bytes; at most {kind.longest} are read"
        if fault:
            raise FileFormatError(f"{name}: {fault}")
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor, state


def _of_pipe(descriptor: int, path: PathLike, longest: int) -> bytes:
    """All that comes through a pipe that has a writer."""
    parts, length = [], 0
    try:
        parts.append(os.read(descriptor, _PIECE))
        if not parts[0]:
            raise FileFormatError(f"{os.fspath(path)}: the pipe has no writer")
    except BlockingIOError:
        pass  # it has one, which has not written yet
    os.set_blocking(descriptor, True)
    while not parts or parts[-1]:
        length += len(parts[-1]) if parts else 0
        if length > longest:
            raise FileFormatError(f"{os.fspath(path)}: longer than {longest} bytes")
        parts.append(os.read(descriptor, _PIECE))
    return b"".join(parts)


class _Xz(io.RawIOBase):
    """Unpacks xz, with bounded memory."""

    def __init__(self, packed: IO[bytes]) -> None:
        self._packed = packed
        self._unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        while True:
            if self._unpacker.eof:
                rest = self._unpacker.unused_data.lstrip(b"\0") or self._packed.read(_PIECE).lstrip(b"\0")
                if not rest:
                    return 0
                self._unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)
            else:
                rest = self._packed.read(_PIECE) if self._unpacker.needs_input else b""
                if self._unpacker.needs_input and not rest:
                    raise EOFError("the compressed file is truncated")
            content = self._unpacker.decompress(rest, len(buffer))
            if content:
                buffer[: len(content)] = content
                return len(content)


class InputFile:
    """The file `path`, open for reading; unpacked if it is compressed by gzip, xz or zstd and `unpack` says so. What it cannot
    give is a FileFormatError."""

    def __init__(self, path: PathLike, kind: str, *, unpack: bool = True) -> None:
        self.path = path
        self._kind = KINDS[kind]
        self._size = self._given = 0
        self._closing = contextlib.ExitStack()
        with reading(path):
            descriptor, state = _open(path, self._kind)
            self._size = state.st_size
            self.is_regular = stat.S_ISREG(state.st_mode)
            if stat.S_ISREG(state.st_mode) or stat.S_ISBLK(state.st_mode):
                file: IO[bytes] = os.fdopen(descriptor, "rb")
            else:
                try:
                    longest = self._kind.longest or KINDS["results"].longest or 0
                    file = io.BytesIO(_of_pipe(descriptor, path, longest) if stat.S_ISFIFO(state.st_mode) else b"")
                finally:
                    os.close(descriptor)
            self._closing.callback(file.close)
            self.packed = file
            self._file = file
            try:
                head = file.read(6) if unpack else b""
                if unpack:
                    file.seek(0)
                if head.startswith(_GZIP):
                    self._file = gzip.GzipFile(fileobj=file)  # type: ignore[assignment]
                elif head.startswith(_XZ):
                    self._file = io.BufferedReader(_Xz(file))
                elif head.startswith(_ZSTD):
                    self._file = io.BufferedReader(CompressedInputStream(file, "zstd"))
                if self._file is not file:
                    self._closing.callback(self._file.close)
            except BaseException:
                self.close()
                raise

    def becomes(self, kind: str) -> None:
        """What was read so far says that the file is of this kind: its limit holds now."""
        self._kind = KINDS[kind]
        longest = self._kind.longest
        if longest is not None and self.is_regular and self._size > longest:
            raise FileFormatError(f"{os.fspath(self.path)}: {self._size} bytes; at most {longest} are read")
        self._count(b"")

    def __enter__(self) -> InputFile:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close it."""
        with contextlib.suppress(Exception):
            self._closing.close()

    def _count(self, content: bytes) -> bytes:
        self._given += len(content)
        longest = self._kind.longest
        if longest is not None and self._given > longest:
            raise FileFormatError(f"{os.fspath(self.path)}: longer than {longest} bytes{'' if self._file is self.packed else ' unpacked'}")
        return content

    def read(self, count: int) -> bytes:
        """The next `count` bytes; fewer at the end."""
        parts = []
        with reading(self.path):
            while count > 0:
                part = self._file.read(min(count, _PIECE))
                if not part:
                    break
                parts.append(self._count(part))
                count -= len(part)
            return b"".join(parts)

    def lines(self, longest: int) -> Iterator[bytes]:
        """The lines, none of which may have more than `longest` bytes."""
        while True:
            with reading(self.path):
                line = self._count(self._file.readline(longest + 1))
            if len(line) > longest:
                raise FileFormatError(f"{os.fspath(self.path)}: a line of more than {longest} bytes")
            if not line:
                return
            yield line

    def rest(self) -> bytes:
        """All of the file that is left."""
        parts = []
        while True:
            part = self.read(_PIECE)
            if not part:
                break
            parts.append(part)
        with reading(self.path):
            return b"".join(parts)


def read_input(path: PathLike, kind: str) -> bytes:
    """All bytes of a file, unpacked."""
    with InputFile(path, kind) as file:
        return file.rest()


_STREAMS = ("stdin", "stdout", "stderr")
_OWN_DESCRIPTOR = re.compile(r"(?:/dev/fd|/proc/self/fd)/(\d{1,6})|/dev/(stdout|stderr)")


def read_text(path: PathLike, kind: str = "page's input") -> str:
    """The text in a file, in UTF-8."""
    with reading(path):
        return read_input(path, kind).decode("utf-8")


def _mode_of(target: Path) -> int | None:
    """The permissions of a file; None if it is not there. SimosError for what no file can replace."""
    try:
        state = os.stat(target)
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(state.st_mode):
        raise SimosError(f"{target}: Is a directory")
    return stat.S_IMODE(state.st_mode) if stat.S_ISREG(state.st_mode) else -1


def save_file(path: PathLike, write: Callable[[IO[bytes]], object]) -> Path:
    """Make the file `path` of what `write` puts into the file that it is given: to a new file beside it, which then takes its name.
    If that fails, what was there stays as it was. Devices and pipes with a reader are written directly. Returns the path."""
    shown = Path(path)
    temporary: str | None = None
    try:
        target = Path(os.path.realpath(path))
        mode = _mode_of(shown)
        own = _OWN_DESCRIPTOR.fullmatch(os.fspath(shown))
        if own or mode == -1:
            if own:  # opened again, a file would be overwritten from its beginning
                descriptor = os.dup(int(own[1] or _STREAMS.index(own[2])))
            else:
                descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
                os.set_blocking(descriptor, True)
            with os.fdopen(descriptor, "wb") as file:
                write(file)
            return shown
        for number in range(100):
            name = f"{target}.new-{os.getpid()}-{number}"
            with contextlib.suppress(FileExistsError):
                descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
                temporary = name
                break
        else:
            raise SimosError(f"{shown}: there are 100 files {target.name}.new-* beside it")
        with os.fdopen(descriptor, "wb") as file:
            if mode is not None:
                os.fchmod(descriptor, mode)
            write(file)
            file.flush()
            os.fsync(descriptor)
        os.replace(temporary, target)
        temporary = None
    except OSError as error:
        raise SimosError(f"{shown}: {error.strerror or error}") from None
    except ValueError as error:  # a NUL in the path
        raise SimosError(f"{shown}: {error}") from None
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
    return shown


def save_bytes(path: PathLike, content: bytes) -> Path:
    """`save_file` of `content`."""
    return save_file(path, lambda file: file.write(content))


def save_text(path: PathLike, text: str) -> Path:
    """`save_file` of a text, in UTF-8."""
    return save_bytes(path, text.encode("utf-8", "surrogateescape"))


def make_folder(path: PathLike) -> Path:
    """The folder `path`, which is made if it is not there."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise SimosError(f"{folder}: {getattr(error, 'strerror', None) or error}") from None
    return folder


def copy_folder(source: PathLike, target: PathLike) -> Path:
    """Copy the files below `source` to `target`, each whole or not at all. Returns `target`."""
    made = make_folder(target)
    try:
        entries = sorted(os.scandir(source), key=lambda entry: entry.name)
    except OSError as error:
        raise SimosError(f"{os.fspath(source)}: {error.strerror or error}") from None
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            copy_folder(entry.path, made / entry.name)
            continue
        with InputFile(entry.path, "copied file", unpack=False) as file:
            save_file(made / entry.name, lambda out: shutil.copyfileobj(file.packed, out, _PIECE))
    return made


class Scratch:
    """A folder that is removed with this object, or at the end of the process."""

    def __init__(self) -> None:
        try:
            self.folder = Path(tempfile.mkdtemp(prefix="simoslab-"))
        except OSError as error:
            raise SimosError(f"{tempfile.gettempdir()}: {error.strerror or error}") from None
        self._remove = weakref.finalize(self, shutil.rmtree, str(self.folder), True)

    def __enter__(self) -> Path:
        return self.folder

    def __exit__(self, *error: object) -> None:
        self._remove()
