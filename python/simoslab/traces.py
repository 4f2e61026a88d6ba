"""Traces of memory references, read in chunks: docs/reference/binary-formats.md describes the format."""

from __future__ import annotations

import gzip
import lzma
import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pandas as pd

from simoslab.errors import FileFormatError

KINDS = ["fetch", "read", "write", "write-back", "dma-read", "dma-write", "cache-op", "flush", "instructions"]
_MODES = ["user", "kernel", "idle"]
_FETCH, _WRITE_BACK, _CACHE_OP, _FLUSH, _INSNS = 0, 3, 6, 7, 8
_DIN_KINDS = {"0": "read", "1": "write", "2": "fetch", "4": "flush"}

COLUMNS = ["kind", "cpu", "mode", "process", "address", "virtual", "size", "cycle", "count"]


class Trace:
    """A trace in the file `path`, binary or din text, also compressed by gzip, xz or zstd.

    `chunks` reads it in frames; iterating over a Trace is the same with chunks of 100,000 references. `level` is the
    level of the memory system whose references it has, `cpus` the number of processors, `times` whether references have
    their cycle, `line` the bytes that an instruction reference stands for; of din text they are None.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.level: int | None = None
        self.cpus: int | None = None
        self.times = False
        self.complete: bool | None = None
        self.line: int | None = None
        with self._open() as file:
            self.binary = file.read(8) == b"SIMOSTRC"
            if self.binary:
                self._header(file)

    def __repr__(self) -> str:
        return f"Trace({str(self.path)!r}, level={self.level}, cpus={self.cpus}, times={self.times})"

    def __iter__(self) -> Iterator[pd.DataFrame]:
        return self.chunks()

    def chunks(self, rows: int = 100_000) -> Iterator[pd.DataFrame]:
        """Frames of at most `rows` references each, in the order of the trace.

        Columns: kind (fetch, read, write, write-back, dma-read, dma-write, cache-op, flush, instructions), cpu, mode,
        process (its address space number; 0 outside of user mode), address (physical), virtual, size (bytes), cycle (of
        traces with times, else missing), count (of the kind "instructions": instructions that the CPU has executed in
        the mode; of "cache-op": cache * 16 + operation). What a reference does not have is missing. A damaged trace
        raises FileFormatError where the fault is; the chunks before it are right.
        """
        if rows < 1:
            raise ValueError("rows must be at least 1")
        with self._open() as file:
            references = self._binary(file) if self.binary else self._din(file)
            chunk: list[tuple[Any, ...]] = []
            for reference in references:
                chunk.append(reference)
                if len(chunk) == rows:
                    yield _frame(chunk)
                    chunk = []
            if chunk:
                yield _frame(chunk)

    def read(self) -> pd.DataFrame:
        """The whole trace as one frame; it needs some hundred bytes of memory a reference."""
        parts = list(self.chunks())
        return pd.concat(parts, ignore_index=True) if parts else _frame([])

    def _open(self) -> IO[bytes]:
        try:
            file = open(self.path, "rb")
        except OSError as error:
            raise FileFormatError(f"{self.path}: {error.strerror or error}") from None
        head = file.read(6)
        file.seek(0)
        if head.startswith(b"\x1f\x8b"):
            return gzip.GzipFile(fileobj=file)  # type: ignore[return-value]
        if head.startswith(b"\xfd7zXZ\x00"):
            return lzma.LZMAFile(file)  # type: ignore[return-value]
        if head.startswith(b"\x28\xb5\x2f\xfd"):
            import pyarrow

            return pyarrow.CompressedInputStream(file, "zstd")  # type: ignore[return-value]
        return file

    def _fault(self, what: str) -> FileFormatError:
        return FileFormatError(f"{self.path}: {what}")

    def _header(self, file: IO[bytes]) -> None:
        rest = file.read(8)
        if len(rest) != 8:
            raise self._fault("the trace is truncated")
        version, level, cpus, flags, line = struct.unpack("<BBBBI", rest)
        if version != 1:
            raise self._fault(f"version {version} of the trace format; known is 1")
        self.level, self.cpus, self.line = level, cpus, line
        self.times, self.complete = bool(flags & 1), bool(flags & 2)

    def _blocks(self, file: IO[bytes]) -> Iterator[bytes]:
        """The unpacked blocks; checks lengths, checksums and the number of references at the end."""
        file.read(16)
        number = 0
        while True:
            head = file.read(12)
            if len(head) != 12:
                raise self._fault(f"block {number}: the trace is truncated")
            unpacked, stored, check = struct.unpack("<III", head)
            content = file.read(stored) if stored <= 1 << 19 else b""
            if len(content) != stored or zlib.crc32(content) != check:
                raise self._fault(f"block {number}: truncated, or its checksum is wrong")
            if unpacked == 0:
                return
            try:
                block = zlib.decompress(content)
            except zlib.error:
                block = b""
            if len(block) != unpacked:
                raise self._fault(f"block {number}: damaged")
            yield block
            number += 1

    def _binary(self, file: IO[bytes]) -> Iterator[tuple[Any, ...]]:
        for block in self._blocks(file):
            try:
                yield from _decode(block, self.times, self.cpus or 1)
            except (IndexError, ValueError):
                raise self._fault("a record of a block is damaged") from None

    def _din(self, file: IO[bytes]) -> Iterator[tuple[Any, ...]]:
        for number, line in enumerate(file, 1):
            words = line.decode("latin-1").split(None, 2)
            if not words or words[0] == "3":
                continue
            kind = _DIN_KINDS.get(words[0])
            try:
                address = int(words[1], 16)
            except (IndexError, ValueError):
                address = -1
            if kind is None or not 0 <= address < 1 << 32:
                raise self._fault(f"line {number}: no reference of din text")
            yield (kind, 0, "user", 0, None if kind == "flush" else address, None, None, None, None)


def _frame(rows: list[tuple[Any, ...]]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=COLUMNS)
    frame["kind"] = pd.Categorical(frame["kind"], categories=KINDS)
    frame["mode"] = pd.Categorical(frame["mode"], categories=_MODES)
    return frame.astype({name: "Int64" for name in COLUMNS if name not in ("kind", "mode")})


def _decode(block: bytes, times: bool, cpus: int) -> Iterator[tuple[Any, ...]]:
    """The references of a block. IndexError or ValueError if it is damaged."""
    modes, processes, now = [0] * cpus, [0] * cpus, [0] * cpus
    # of each CPU and stream (fetches, other accesses, the rest): address, size, virtual minus physical
    last = [[[0, 0, 0] for _ in range(3)] for _ in range(cpus)]
    cpu, at, end = 0, 0, len(block)

    def number() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = block[at]
            at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    while at < end:
        flags = block[at]
        at += 1
        kind = flags & 15
        if flags & 0x10:
            cpu = block[at]
            at += 1
        if kind > _INSNS or cpu >= cpus:
            raise ValueError
        access = kind <= _WRITE_BACK
        if flags & 0x20:
            modes[cpu] = block[at]
            at += 1
            processes[cpu] = number()
        address = virtual = size = count = None
        if kind < _FLUSH:
            stream = last[cpu][0 if kind == _FETCH else 1 if access else 2]
            folded = number()
            address = stream[0] = (stream[0] + (folded >> 1 ^ -(folded & 1))) & 0xFFFFFFFF
            if flags & 0x40:
                stream[1] = number()
            if flags & 0x80:
                stream[2] = number()
            size = stream[1]
            if access:
                virtual = (address + stream[2]) & 0xFFFFFFFF
        if kind == _CACHE_OP:
            count = block[at]
            at += 1
        elif kind == _INSNS:
            count = number()
        cycle = None
        if times:
            folded = number()
            cycle = now[cpu] = now[cpu] + (folded >> 1 ^ -(folded & 1))
        owned = access or kind == _INSNS
        mode = _MODES[modes[cpu]] if owned else None
        yield KINDS[kind], cpu, mode, processes[cpu] if owned else None, address, virtual, size, cycle, count
