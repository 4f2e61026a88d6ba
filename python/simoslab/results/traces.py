"""Traces of memory references, read in chunks: docs/reference/binary-formats.md describes the format."""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from simoslab.errors import FileFormatError, QueryError
from simoslab.host_files import InputFile

KINDS = ["fetch", "read", "write", "write-back", "dma-read", "dma-write", "cache-op", "flush", "instructions", "exception", "walk"]
_MODES = ["user", "kernel", "idle"]
_FETCH, _READ, _WRITE, _WRITE_BACK, _CACHE_OP, _FLUSH, _INSNS, _EXCEPTION, _WALK = 0, 1, 2, 3, 6, 7, 8, 9, 10
_SYSTEM_CALL = 8  # Cause.ExcCode
_DIN_KINDS = {b"0": _READ, b"1": _WRITE, b"2": _FETCH, b"4": _FLUSH}

_BLOCK_BYTES = 1 << 18  # TRACE_BLOCK_BYTES of cache/observe/trace_block.h
_LINE_BYTES = 4096  # of din text

COLUMNS = ["kind", "cpu", "mode", "process", "address", "virtual", "size", "cycle", "count", "word"]


class Trace:
    """A trace in the file `path`, binary or din text, also compressed by gzip, xz or zstd.

    `chunks` reads it in frames; iterating over a Trace is the same with chunks of 100,000 references. `level` is the
    level of the memory system whose references it has, `cpus` the number of processors, `times` whether references have
    their cycle, `line` the bytes that an instruction reference stands for, `process` what the number of a process is
    (the value of trace.process); of din text they are None.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.level: int | None = None
        self.cpus: int | None = None
        self.times = False
        self.complete: bool | None = None
        self.process: str | None = None
        self.line: int | None = None
        self._calls = False
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

        Columns: kind (fetch, read, write, write-back, dma-read, dma-write, cache-op, flush, instructions, exception,
        walk: a read by the page-table walker), cpu, mode,
        process (its number: Trace.process), address (physical), virtual (of the kind "exception":
        EPC), size (bytes), cycle (of traces with times, else missing), count (of the kind "instructions": instructions
        that the CPU has executed in the mode; of "cache-op": cache * 16 + operation; of "exception": Cause.ExcCode),
        word (at level 0, of a fetch the instruction, of an exception by a system call its number, if the trace has it). What a reference does not have is missing. A damaged trace
        raises FileFormatError where the fault is; the chunks before it are right.
        """
        if rows < 1:
            raise QueryError(f"chunks: rows={rows}: at least 1")
        with self._open() as file:
            held: list[_Part] = []
            count = 0
            for part in self._binary(file) if self.binary else self._din(file):
                held.append(part)
                count += _length(part)
                if count < rows:
                    continue
                whole = _joined(held)
                for first in range(0, count - rows + 1, rows):
                    yield _frame(_cut(whole, first, first + rows))
                held = [_cut(whole, count - count % rows)]
                count %= rows
            if count:
                yield _frame(_joined(held))

    def read(self) -> pd.DataFrame:
        """The whole trace as one frame; it needs some hundred bytes of memory a reference."""
        with self._open() as file:
            parts = list(self._binary(file) if self.binary else self._din(file))
        return _frame(_joined(parts) if parts else _part(0))

    def _open(self) -> InputFile:
        return InputFile(self.path, "trace")

    def _fault(self, what: str) -> FileFormatError:
        return FileFormatError(f"{self.path}: {what}")

    def _header(self, file: InputFile) -> None:
        rest = file.read(8)
        if len(rest) != 8:
            raise self._fault("the trace is truncated")
        version, level, cpus, flags, line = struct.unpack("<BBBBI", rest)
        if version not in (1, 2, 3, 4):
            raise self._fault(f"version {version} of the trace format; known are 1 to 4")
        self._calls = version >= 4 and level == 0
        self.level, self.cpus, self.line = level, cpus, line
        self.times, self.complete = bool(flags & 1), bool(flags & 2)
        self.process = "process" if flags & 8 else "thread" if flags & 16 else "space"

    def _blocks(self, file: InputFile) -> Iterator[bytes]:
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
            unpacker = zlib.decompressobj()
            try:
                block = unpacker.decompress(content, unpacked + 1) if unpacked <= _BLOCK_BYTES else b""
            except zlib.error:
                block = b""
            if len(block) != unpacked or not unpacker.eof:
                raise self._fault(f"block {number}: damaged")
            yield block
            number += 1

    def _binary(self, file: InputFile) -> Iterator[_Part]:
        for block in self._blocks(file):
            part, damaged = _decode(block, self.times, self.level == 0, self._calls, self.cpus or 1)
            yield part
            if damaged:
                raise self._fault("a record of a block is damaged")

    def _din(self, file: InputFile) -> Iterator[_Part]:
        kinds: list[int] = []
        addresses: list[int] = []
        for number, line in enumerate(file.lines(_LINE_BYTES), 1):
            words = line.split(None, 2)
            if not words or words[0] == b"3":
                continue
            kind = _DIN_KINDS.get(words[0])
            try:
                address = int(words[1], 16)
            except (IndexError, ValueError):
                address = -1
            if kind is None or not 0 <= address < 1 << 32:
                raise self._fault(f"line {number}: no reference of din text")
            kinds.append(kind)
            addresses.append(address)
            if len(kinds) == 1 << 16:
                yield self._din_part(kinds, addresses)
                kinds, addresses = [], []
        if kinds:
            yield self._din_part(kinds, addresses)

    @staticmethod
    def _din_part(kinds: list[int], addresses: list[int]) -> _Part:
        kind, zeros = np.array(kinds, np.int64), np.zeros(len(kinds), np.int64)
        address = np.array(addresses, np.int64), kind == _FLUSH
        return _part(len(kinds), kind=(kind, False), cpu=(zeros, False), mode=(zeros, False), process=(zeros, False), address=address)


# Columns of references: of each the values and where they are missing. `kind` and `mode` are codes.
_Part = dict[str, tuple[np.ndarray, np.ndarray]]


def _part(count: int, /, **columns: tuple[np.ndarray, Any]) -> _Part:
    """The columns of `count` references; those that are not named are missing."""
    nothing = np.zeros(count, np.int64), np.ones(count, bool)
    return {name: (columns[name][0], np.broadcast_to(columns[name][1], count)) if name in columns else nothing for name in COLUMNS}


def _length(part: _Part) -> int:
    return len(part["kind"][0])


def _cut(part: _Part, first: int, last: int | None = None) -> _Part:
    return {name: (values[first:last], missing[first:last]) for name, (values, missing) in part.items()}


def _joined(parts: list[_Part]) -> _Part:
    if len(parts) == 1:
        return parts[0]
    return {
        name: (np.concatenate([part[name][0] for part in parts]), np.concatenate([part[name][1] for part in parts])) for name in COLUMNS
    }


def _frame(part: _Part) -> pd.DataFrame:
    columns: dict[str, Any] = {}
    for name, (values, missing) in part.items():
        if name in ("kind", "mode"):
            codes = np.where(missing, -1, values).astype(np.int8)
            columns[name] = pd.Categorical.from_codes(codes, categories=KINDS if name == "kind" else _MODES)
        else:
            columns[name] = pd.arrays.IntegerArray(values.astype(np.int64), missing.copy())
    return pd.DataFrame(columns, columns=COLUMNS)


def _number_ends(content: np.ndarray) -> np.ndarray:
    """For each place of `content` the place behind the number that begins there."""
    places = np.where(content < 0x80, np.arange(len(content)), len(content))
    return np.minimum.accumulate(places[::-1])[::-1] + 1


def _accesses(kind: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which kinds are accesses of a processor, and which have an address."""
    access = (kind <= _WRITE_BACK) | (kind == _WALK)
    return access, access | (kind < _FLUSH)


def _record_ends(content: np.ndarray, ends: np.ndarray, size: int, times: bool, words: bool, calls: bool) -> np.ndarray:
    """For each of the first `size` places of `content` the place behind the record that begins there; a place behind
    `size` if none can."""

    def behind_number(at: np.ndarray) -> np.ndarray:
        return ends[np.minimum(at, last)]

    last = len(content) - 1
    flags = content[:size]
    kind = flags & 15
    access, addressed = _accesses(kind)
    at = np.arange(1, size + 1) + (flags >> 4 & 1)
    at = np.where(flags & 0x20, behind_number(at + 1), at)
    at = np.where(addressed, behind_number(at), at)
    at = np.where(addressed & (flags & 0x40 != 0), behind_number(at), at)
    at = np.where(addressed & (flags & 0x80 != 0), behind_number(at), at)
    at = np.where(kind == _INSNS, behind_number(at), at + (kind == _CACHE_OP) + 5 * (kind == _EXCEPTION))
    if words:
        at = at + 4 * (kind == _FETCH)
    if calls:
        called = (kind == _EXCEPTION) & (content[np.clip(at - 5, 0, last)] == _SYSTEM_CALL)
        at = np.where(called, behind_number(at), at)
    if times:
        at = behind_number(at)
    owned = access | (kind == _INSNS)
    bad = (kind > _WALK) | ((kind == _EXCEPTION) & (not words)) | (~addressed & (flags & 0x40 != 0))
    bad |= (~owned & (flags & 0x20 != 0)) | (~(access | (kind == _CACHE_OP)) & (flags & 0x80 != 0))
    return np.where(bad, size + 1, at)


def _chain(ends: np.ndarray, size: int) -> np.ndarray:
    """Where the records begin, up to the first that is damaged."""
    behind = ends.tolist()
    starts = []
    at = 0
    while at < size:
        starts.append(at)
        at = behind[at]
    return np.array(starts[: len(starts) - (at != size)], np.int64)


def _word(content: np.ndarray, at: np.ndarray) -> np.ndarray:
    """The 32 bits, little-endian, at each of the places `at`."""
    return sum(content[at + i].astype(np.int64) << 8 * i for i in range(4))  # type: ignore[return-value]


def _numbers(content: np.ndarray, ends: np.ndarray, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The numbers at the places `at`, and which of them are too long."""
    lengths = ends[at] - at
    values = np.zeros(len(at), np.uint64)
    for i in range(min(int(lengths.max(initial=0)), 10)):
        longer = lengths > i
        values[longer] |= (content[at[longer] + i] & 0x7F).astype(np.uint64) << np.uint64(7 * i)
    return values, lengths > 10


def _signed(folded: np.ndarray) -> np.ndarray:
    """The differences that are 2d or -2d-1 in `folded`."""
    return (folded >> np.uint64(1)).view(np.int64) ^ -(folded & np.uint64(1)).view(np.int64)


def _carried(values: np.ndarray, given: np.ndarray, groups: list[np.ndarray]) -> np.ndarray:
    """In each group `values` where they are `given`, else the last one that was; 0 before the first."""
    result = np.zeros(len(values), values.dtype)
    for group in groups:
        last = np.maximum.accumulate(np.where(given[group], np.arange(len(group)), -1))
        result[group] = np.where(last >= 0, values[group][last], 0)
    return result


def _summed(differences: np.ndarray, groups: list[np.ndarray]) -> np.ndarray:
    result = np.zeros(len(differences), np.int64)
    for group in groups:
        result[group] = np.cumsum(differences[group])
    return result


def _groups(keys: np.ndarray, chosen: np.ndarray) -> list[np.ndarray]:
    """The places of each key among the `chosen` ones, in their order."""
    return [np.flatnonzero(chosen & (keys == key)) for key in np.unique(keys[chosen])]


def _decode(block: bytes, times: bool, words: bool, calls: bool, cpus: int) -> tuple[_Part, bool]:
    """The references of a block up to the first that is damaged, and whether there is one."""
    size = len(block)
    content = np.frombuffer(block + bytes(16), np.uint8)
    ends = _number_ends(content)
    starts = _chain(_record_ends(content, ends, size, times, words, calls), size)
    count = len(starts)
    flags = content[starts]
    kind = (flags & 15).astype(np.int64)
    bad = np.zeros(count, bool)
    at = starts + 1

    def take(present: np.ndarray) -> np.ndarray:
        """The next number of the records where it is `present`; 0 of the others."""
        nonlocal bad
        values = np.zeros(count, np.uint64)
        values[present], long = _numbers(content, ends, at[present])
        bad[present] |= long
        at[present] = ends[at[present]]
        return values

    def take_byte(present: np.ndarray) -> np.ndarray:
        values = np.where(present, content[at], 0).astype(np.int64)
        at[present] += 1
        return values

    everything = np.ones(count, bool)
    access, addressed = _accesses(kind)
    insns, exception = kind == _INSNS, kind == _EXCEPTION
    named = flags & 0x10 != 0
    cpu = _carried(take_byte(named), named, [np.arange(count)])
    bad |= cpu >= cpus
    of_cpu = _groups(cpu, everything)
    of_stream = _groups(cpu * 3 + np.where(kind == _FETCH, 0, np.where(access, 1, 2)), addressed)
    owner = flags & 0x20 != 0
    mode = _carried(take_byte(owner), owner, of_cpu)
    process = take(owner)
    bad |= (mode >= len(_MODES)) | (process > 0xFFFF)
    process = _carried(process, owner, of_cpu)
    address = _summed(_signed(take(addressed)), of_stream) & 0xFFFFFFFF
    resized, moved = addressed & (flags & 0x40 != 0), addressed & (flags & 0x80 != 0)
    sizes, differences = take(resized), take(moved)
    bad |= (sizes > 0xFFFFFFFF) | (differences > 0xFFFFFFFF)
    bytes_of = _carried(sizes, resized, of_stream)
    virtual = (address + _carried(differences, moved, of_stream).view(np.int64)) & 0xFFFFFFFF
    operation = kind == _CACHE_OP
    number = take_byte(operation | exception)
    bad |= operation & ((number >> 4 > 5) | (number & 15 > 3)) | exception & (number >= 32)
    number = np.where(insns, take(insns).view(np.int64), number)
    if words:
        virtual[exception] = _word(content, at[exception])
        at[exception] += 4
    fetched = (kind == _FETCH) & words
    word = np.zeros(count, np.int64)
    word[fetched] = _word(content, at[fetched])
    at[fetched] += 4
    called = exception & (number == _SYSTEM_CALL) & calls
    numbers = take(called)
    bad |= numbers > 0xFFFFFFFF
    word[called] = numbers[called].view(np.int64)
    cycle = _summed(_signed(take(everything)), of_cpu) if times else np.zeros(count, np.int64)
    owned = access | insns
    part = _part(
        count,
        kind=(kind, False),
        cpu=(cpu, False),
        mode=(mode, ~owned),
        process=(process, ~owned),
        address=(address, ~addressed),
        virtual=(virtual, ~(access | operation | exception)),
        size=(bytes_of, ~addressed),
        cycle=(cycle, not times),
        count=(number, ~(operation | insns | exception)),
        word=(word, ~(fetched | called)),
    )
    first = int(np.argmax(bad)) if bad.any() else count
    return _cut(part, 0, first), first < count or (int(at[-1]) if count else 0) != size
