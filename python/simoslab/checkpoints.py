"""Checkpoints that are kept: each under a digest of everything that it depends on."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd

from simoslab.errors import FileFormatError, SimosError, host_errors
from simoslab.host_files import InputFile, make_folder, read_input, save_text
from simoslab.results.documents import parse_json

_digests: dict[tuple[str, int, int, int], str] = {}


def file_digest(path: str | os.PathLike[str], kind: str) -> str:
    """SHA-256 of an input of that kind in hexadecimal; computed again only if its size or times have changed."""
    with host_errors(os.fspath(path)):
        state = os.stat(path)
        key = (os.path.realpath(path), state.st_size, state.st_mtime_ns, state.st_ino)
        if key not in _digests:
            with InputFile(path, kind, unpack=False) as file:
                _digests[key] = hashlib.file_digest(file.packed, "sha256").hexdigest()  # type: ignore[arg-type]
        return _digests[key]


def tree_digest(path: str | os.PathLike[str]) -> str:
    """SHA-256 of a file, or of the names, permissions and contents below a folder: what --copy-in depends on."""
    root = Path(path)
    if not root.is_dir():
        return file_digest(root, "copied file")
    whole = hashlib.sha256()
    with host_errors(str(root)):
        for folder, folders, names in os.walk(root):
            folders.sort()
            for name in sorted([*names, *folders]):
                one = Path(folder, name)
                state = one.lstat()
                if one.is_symlink():
                    content = os.readlink(one)
                else:
                    content = "" if one.is_dir() else file_digest(one, "copied file")
                whole.update(f"{one.relative_to(root)}\0{state.st_mode:o}\0{content}\0".encode("utf-8", "surrogateescape"))
    return whole.hexdigest()


def cache_folder() -> Path:
    """Where checkpoints are kept: the environment variable SIMOSLAB_CACHE, else checkpoints/ in simos's cache
    (SIMOS_CACHE, else simos/ in XDG_CACHE_HOME or ~/.cache)."""
    named = os.environ.get("SIMOSLAB_CACHE")
    if named:
        return Path(named)
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("SIMOS_CACHE") or Path(caches, "simos")) / "checkpoints"


def _is_at(descriptor: int, path: Path) -> bool:
    """Is the open file still the one that `path` names?"""
    try:
        return os.path.samestat(os.fstat(descriptor), os.lstat(path))
    except FileNotFoundError:
        return False


def _is_digest(name: object) -> bool:
    return isinstance(name, str) and re.fullmatch("[0-9a-f]{64}", name) is not None


class CheckpointCache:
    """The kept checkpoints in `folder` (default: `cache_folder`): DIGEST.ckpt, and DIGEST.json with what it is of."""

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        self.folder = Path(folder) if folder is not None else cache_folder()

    @staticmethod
    def digest(history: Mapping[str, Any]) -> str:
        """The digest of what a checkpoint depends on: the same for the same `history`, however it is ordered."""
        text = json.dumps(history, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def get(
        self, history: Mapping[str, Any], make: Callable[[Path], None], usable: Callable[[Path], bool]
    ) -> tuple[Path, bool]:
        """The checkpoint of `history`, and whether it was there. If it was not, or is not `usable`, `make` writes it to
        the file that it is given; another process that wants the same one waits meanwhile."""
        with host_errors(str(self.folder)):
            return self._get(history, make, usable)

    def _get(
        self, history: Mapping[str, Any], make: Callable[[Path], None], usable: Callable[[Path], bool]
    ) -> tuple[Path, bool]:
        digest = self.digest(history)
        file = self.folder / f"{digest}.ckpt"
        make_folder(self.folder)
        with self._locked(digest):
            if file.exists() and usable(file):
                os.utime(file)  # last used now
                return file, True
            new = self.folder / f"{digest}.new.ckpt"
            try:
                make(new)
                about = self.folder / f"{digest}.json"
                save_text(about, json.dumps(history, indent=1, sort_keys=True) + "\n")
                new.replace(file)
            finally:
                new.unlink(missing_ok=True)
        return file, False

    def remove(self, digest: str) -> None:
        """Forget one checkpoint. Raises SimosError if `digest` is no digest; of one that is not there nothing is to be
        forgotten. One that another process makes is awaited first."""
        if not _is_digest(digest):
            raise SimosError(f"{digest!r} is no digest of a checkpoint: it has 64 hexadecimal digits")
        with host_errors(str(self.folder)):
            if self.folder.is_dir():
                self._remove(digest)

    def _remove(self, digest: str) -> None:
        with self._locked(digest):  # not what another process makes now
            for suffix in ("ckpt", "json", "new.ckpt", "lock"):
                (self.folder / f"{digest}.{suffix}").unlink(missing_ok=True)

    def clear(self) -> int:
        """Forget all checkpoints. Returns how many there were. One that another process makes is awaited first."""
        with host_errors(str(self.folder)):
            kept = self._kept()
            left = {file.name.removesuffix(".new.ckpt") for file in self.folder.glob("*.new.ckpt")}  # of processes that were killed
            for digest in {file.stem for file in kept} | {name for name in left if _is_digest(name)}:
                self._remove(digest)
        return len(kept)

    def _kept(self) -> Sequence[Path]:
        """The checkpoints in the folder; other files are none of the cache's."""
        with host_errors(str(self.folder)):
            return [file for file in self.folder.glob("*.ckpt") if _is_digest(file.stem)]

    def list(self) -> pd.DataFrame:
        """The kept checkpoints, last used first. Columns: digest, bytes, used (time), until, command."""
        rows = []
        for file in self._kept():
            try:
                named = file.with_suffix(".json")
                step = parse_json(read_input(named, "kept history"), named)["steps"][-1]
                state = file.stat()
                used = pd.Timestamp(state.st_mtime, unit="s")
                rows.append((file.stem, state.st_size, used, step.get("until"), step.get("command")))
            except (OSError, FileFormatError, LookupError, TypeError, AttributeError, ValueError):
                continue  # none of this package's
        frame = pd.DataFrame(rows, columns=["digest", "bytes", "used", "until", "command"])
        return frame.sort_values("used", ascending=False, ignore_index=True)

    @contextmanager
    def _locked(self, digest: str) -> Iterator[None]:
        # O_NOFOLLOW, O_NONBLOCK: it may be a folder that others write to.
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        file = self.folder / f"{digest}.lock"
        while True:
            lock = os.open(file, flags, 0o666)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX)
                if _is_at(lock, file):
                    yield
                    return
            finally:
                os.close(lock)
