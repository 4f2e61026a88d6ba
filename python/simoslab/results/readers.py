"""Readers of the files that are no statistics: each gives a plain data frame."""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from simoslab.errors import FileFormatError
from simoslab.host_files import MAX_ROWS
from simoslab.program import Program

_CELLS = 8 * MAX_ROWS  # of a frame
_NAME_LONGEST = 1024


def _refuse_size(rows: int, columns: int = 1) -> None:
    """ValueError for a frame of so many rows and columns: a small file can claim one that fits into no memory."""
    if rows > MAX_ROWS or rows * columns > _CELLS:
        raise ValueError(f"{rows} rows of {columns} columns are not read; at most {MAX_ROWS}, and {_CELLS} values")


def _frame(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """A frame of rows that need not have the same columns."""
    _refuse_size(len(rows), len(set().union(*rows)) if rows else 0)
    return pd.DataFrame(rows)


def _whole(text: str) -> int:
    """The number in `text`, of 64 bits with sign. ValueError for another one."""
    value = int(text, 0) if text.startswith(("0x", "-0x")) and len(text) < 24 else int(text) if len(text) <= 20 else 1 << 63
    if not -(1 << 63) <= value < 1 << 63:
        raise ValueError(f"{text[:30]} is outside the range of 64 bits")
    return value


def _flat(value: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The members of an object, and of the objects in it, with dotted names."""
    for name, member in value.items():
        whole = f"{prefix}{name}"
        if len(whole) > _NAME_LONGEST:
            raise ValueError(f"a name of more than {_NAME_LONGEST} characters")
        if isinstance(member, Mapping) and member:
            yield from _flat(member, f"{whole}.")
        else:
            yield whole, member


def profile(document: Mapping[str, Any]) -> pd.DataFrame:
    """A profile in JSON: routines and data, each with its stall cycles, misses by cache and by class."""
    rows = []
    for kind, member in (("routine", "routines"), ("data", "data")):
        for entry in document[member]:
            row: dict[str, Any] = {"kind": kind, "name": entry["name"], "first": entry.get("first")}
            row |= {name: entry.get(name) for name in ("stall", "insn_stall", "pipeline_stall")}
            for group in ("misses", "classes"):
                row |= {f"{group}.{name}": count for name, count in entry.get(group, {}).items()}
            rows.append(row)
    frame = _frame(rows)
    counts = [column for column in frame.columns if column.startswith(("misses.", "classes."))]
    frame[counts] = frame[counts].fillna(0).astype("int64")  # a name that is not there counts 0
    return frame


def timeline(document: Mapping[str, Any]) -> pd.DataFrame:
    """A time line: the events, `ts` and `dur` in microseconds of simulated time, with their arguments as `args.NAME`."""
    frame = _frame([dict(_flat(event)) for event in document["traceEvents"]])
    frame.attrs["otherData"] = dict(document.get("otherData", {}))
    return frame


def verdicts(document: Mapping[str, Any]) -> pd.DataFrame:
    """Verdicts of `simos test --json`: a row for each result, with the `file` of the test and its `error`."""
    rows: list[dict[str, Any]] = []
    for test in document["tests"]:
        known = {"file": test["file"], "error": test.get("error")}
        rows += [{**known, **result} for result in test.get("results", [])] or [known]
    return _frame(rows)


def explanation(document: Mapping[str, Any]) -> pd.DataFrame:
    """What `simos explain --json` writes: a row for each cause; `attrs` has the two runs, `difference` and `residual`."""
    frame = _frame(document["causes"])
    frame.attrs |= {name: value for name, value in document.items() if not isinstance(value, list)}
    return frame


def _lines(content: bytes, file: Path) -> list[str]:
    _refuse_size(content.count(b"\n"))
    try:
        lines = content.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise FileFormatError(f"{file}: {error}") from None
    return lines[:-1] if lines[-1] == "" else lines


def callgrind(content: bytes, file: Path) -> pd.DataFrame:
    """A callgrind profile: a row for each instruction with its own costs. Lines of calls and their inclusive costs are
    left out."""
    events: list[str] = []
    rows: list[list[Any]] = []
    owner = {"ob": "", "fn": ""}
    known: dict[tuple[str, str], str] = {}
    skip = False
    for line in _lines(content, file):
        head, equals, rest = line.partition("=")
        if line.startswith("events:"):
            events = line.split()[1:]
            _refuse_size(1, len(set(events)) * 100_000)  # some 600 kinds of cost
        elif equals and head in ("ob", "fn"):
            # "(3) name" defines a number, "(3)" alone refers to it.
            number, bracket, name = rest.partition(")")
            if rest.startswith("(") and number[1:].isdigit() and bracket:
                if name.strip():
                    known[head, number] = name.strip()
                rest = known.get((head, number), rest)
            owner[head] = rest
        elif line.startswith("calls="):
            skip = True
        elif line[:1].isdigit():
            if not skip:
                words = line.split()
                try:
                    costs = [_whole(word) for word in words[1 : len(events) + 1]]
                    rows.append([owner["ob"], owner["fn"], _whole(words[0]), *costs, *([0] * (len(events) - len(costs)))])
                except ValueError:
                    raise FileFormatError(f"{file}: damaged callgrind profile: {line[:60]}") from None
            skip = False
    return pd.DataFrame(rows, columns=["object", "routine", "address", *events])


class _Damaged(ValueError):
    """A message of a protocol buffer that cannot be decoded."""


def _number(content: bytes, at: int) -> tuple[int, int]:
    """The varint at the place `at`, and the place behind it."""
    value = 0
    for shift in range(0, 70, 7):
        byte = content[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF, at
    raise _Damaged("a number of more than 10 bytes")


def _fields(content: bytes) -> Iterator[tuple[int, Any]]:
    """The fields of a message: number, and an int or bytes."""
    at = 0
    while at < len(content):
        key, at = _number(content, at)
        if key & 7 == 0:
            value, at = _number(content, at)
            yield key >> 3, value
            continue
        if key & 7 == 2:
            size, at = _number(content, at)
        elif key & 7 in (1, 5):
            size = 8 if key & 7 == 1 else 4
        else:
            raise _Damaged(f"wire type {key & 7}")
        if size > len(content) - at:
            raise _Damaged("it is truncated")
        yield key >> 3, content[at : at + size]
        at += size


def _last(content: bytes) -> dict[int, Any]:
    """The fields of a message that has each once."""
    return dict(_fields(content))


def _repeated(content: bytes, field: int) -> list[int]:
    """The numbers of a repeated field, packed or not."""
    numbers: list[int] = []
    for number, value in _fields(content):
        if number == field and isinstance(value, int):
            numbers.append(value)
        elif number == field:
            at = 0
            while at < len(value):
                one, at = _number(value, at)
                numbers.append(one)
    return numbers


def pprof(content: bytes, file: Path) -> pd.DataFrame:
    """A profile for pprof (google/pprof, proto/profile.proto), unpacked: a row for each sample, with `object`, `routine`
    and `address` of its innermost location and a column for each kind of value, as NAME (UNIT in `attrs["units"]`)."""
    parts: dict[int, list[Any]] = {number: [] for number in range(1, 7)}
    for number, value in _fields(content):
        if number in parts:
            parts[number].append(value)
            _refuse_size(len(parts[number]))
    strings = [text.decode("utf-8") for text in parts[6]]
    types = [_last(message) for message in parts[1]]
    kinds = [strings[kind[1]] for kind in types]
    objects = {mapping[1]: strings[mapping.get(5, 0)] for mapping in map(_last, parts[3])}
    functions = {function[1]: strings[function.get(2, 0)] for function in map(_last, parts[5])}
    places: dict[int, tuple[str, str, int]] = {}
    for location in map(_last, parts[4]):
        routine = functions[_last(location[4])[1]] if 4 in location else ""
        places[location[1]] = (objects.get(location.get(2, 0), ""), routine, location.get(3, 0))
    _refuse_size(len(parts[2]), len(kinds))
    rows = []
    for sample in parts[2]:
        values = _repeated(sample, 2)
        if len(values) != len(kinds):
            raise _Damaged(f"a sample has {len(values)} values, not {len(kinds)}")
        signed = [value - (1 << 64) if value >> 63 else value for value in values]
        rows.append((*places[_repeated(sample, 1)[0]], *signed))
    frame = pd.DataFrame(rows, columns=["object", "routine", "address", *kinds])
    frame.attrs["units"] = {name: strings[kind[2]] for name, kind in zip(kinds, types)}
    return frame


_SCALE = {"fs": 1e-3, "ps": 1, "ns": 10**3, "us": 10**6, "ms": 10**9, "s": 10**12}
_CHANGE = re.compile(r"([01xz])(\S+)|b([01xz]+) +(\S+)", re.ASCII | re.IGNORECASE)


def value_changes(content: bytes, file: Path) -> pd.DataFrame:
    """A value change dump: a row for each change, `time` in picoseconds, `signal` with the scopes that it is in, `value`
    (missing if it is not known)."""
    names: dict[str, str] = {}
    scopes: list[str] = []
    rows: list[tuple[int, str, int | None]] = []
    scale: float = 1
    time = 0
    for number, line in enumerate(_lines(content, file), 1):
        words = line.split() if len(line) <= _LINE_LONGEST else ["long"]
        change = _CHANGE.fullmatch(line.strip())
        try:
            if not words or words[0] in ("$version", "$enddefinitions", "$date", "$comment", "$end", "$dumpvars"):
                continue
            if words[0] == "$timescale":
                size, unit = re.fullmatch(r"(\d+)([a-z]+)", "".join(words[1:-1]), re.ASCII).groups()  # type: ignore[union-attr]
                scale = _whole(size) * _SCALE[unit]
            elif words[0] == "$scope":
                scopes.append(words[2])
                if sum(map(len, scopes)) + len(scopes) > _NAME_LONGEST:
                    raise ValueError
            elif words[0] == "$upscope":
                scopes.pop()
            elif words[0] == "$var":
                names[words[3]] = ".".join([*scopes, words[4]])
            elif words[0].startswith("#"):
                time = int(_whole(words[0][1:]) * scale)
            elif change:
                digits = change[1] or change[3]
                known = int(digits, 2) if not re.search("[xz]", digits, re.IGNORECASE) else None
                rows.append((time, names[change[2] or change[4]], known))
            else:
                raise ValueError
        except (ArithmeticError, LookupError, ValueError, AttributeError):
            raise FileFormatError(f"{file}: line {number}: damaged value changes: {line[:60]}") from None
    frame = pd.DataFrame(rows, columns=["time", "signal", "value"])
    try:
        return frame.astype({"time": "int64", "value": "Int64"})
    except (OverflowError, TypeError, ValueError) as error:
        raise FileFormatError(f"{file}: damaged value changes: {error}") from None


def vectors(content: bytes, file: Path) -> pd.DataFrame:
    """Vectors of basic blocks: a row for each block in each interval (from 0), with the instructions executed in it."""
    _refuse_size(content.count(b":") // 2)
    rows = []
    for interval, line in enumerate(_lines(content, file)):
        if not re.fullmatch(r"T(:\d+:\d+ +)*", line.rstrip(" ") + " ", re.ASCII) and line.strip() != "T":
            raise FileFormatError(f"{file}: line {interval + 1}: damaged vectors: {line[:60]}")
        for word in line[1:].split():
            block, insns = word[1:].split(":")
            rows.append((interval, _whole(block), _whole(insns)))
    return pd.DataFrame(rows, columns=["interval", "block", "insns"])


_LINE_LONGEST = 16384
_SAMPLE = re.compile(r"(\S+) (\d+) \d+\.\d{6}: +(\d+) (\S+):", re.ASCII)
_FRAME = re.compile(r"\t *([0-9a-f]+) (.*) \((\S*)\)", re.ASCII)


def samples(content: bytes, file: Path) -> pd.DataFrame:
    """Samples as perf script prints them: a row for each. `period` is the number of events that it stands for, `object` and
    `number` the program, library or module (0: the kernel)."""
    lines = _lines(content, file)
    rows = []
    for at in range(0, len(lines), 3):
        if max(map(len, lines[at : at + 2])) > _LINE_LONGEST:  # longer than any name
            raise FileFormatError(f"{file}: line {at + 1}: damaged samples: a line of more than {_LINE_LONGEST} characters")
        sample = _SAMPLE.fullmatch(lines[at])
        frame = _FRAME.fullmatch(lines[at + 1]) if at + 1 < len(lines) else None
        if not sample or not frame or lines[at + 2 : at + 3] not in ([], [""]):
            raise FileFormatError(f"{file}: line {at + 1}: damaged samples: {lines[at][:60]}")
        name, number, period, event = sample.groups()
        address, routine, place = frame.groups()
        rows.append((event, _whole(period), name, _whole(number), _whole(f"0x{address}"), routine, place))
    return pd.DataFrame(rows, columns=["event", "period", "object", "number", "address", "routine", "file"])


def record(content: bytes, file: Path) -> pd.DataFrame:
    """A record of external input: a row for each line, `kind` and `words` (backslash sequences as in the file)."""
    rows = []
    for line in _lines(content, file):
        words = line.rpartition(" ~")[0].split(" ")
        rows.append({"kind": words[0], "words": " ".join(words[1:])})
    return pd.DataFrame(rows, columns=["kind", "words"])


def capture(content: bytes, file: Path) -> pd.DataFrame:
    """Captured network frames: seconds (simulated), length in bytes, and the bytes."""
    scale = 1e-9 if struct.unpack_from("<I", content)[0] == 0xA1B23C4D else 1e-6
    _refuse_size((len(content) - 24) // 16)
    rows, at = [], 24
    while at < len(content):
        if at + 16 > len(content):
            raise FileFormatError(f"{file}: the capture is truncated")
        seconds, fraction, kept, length = struct.unpack_from("<IIII", content, at)
        if at + 16 + kept > len(content):
            raise FileFormatError(f"{file}: the capture is truncated")
        rows.append((seconds + fraction * scale, length, content[at + 16 : at + 16 + kept]))
        at += 16 + kept
    return pd.DataFrame(rows, columns=["seconds", "length", "bytes"])


def checkpoint(file: Path) -> pd.DataFrame:
    """The sections of a checkpoint, as `simos info` lists them: section, version, bytes. `attrs["about"]` has its lines
    about the machine and the run. Needs the program."""
    about, rows = [], []
    lines = Program().run(["info", str(file)]).stdout.decode("utf-8", "replace").splitlines()
    sections = False
    for line in lines:
        if not line.strip():
            sections = True
        elif not sections:
            about.append(line)
        else:
            words = line.split()
            if "bytes," in words:
                at = words.index("bytes,")
                rows.append((words[0], " ".join(words[1 : at - 1]), int(words[at - 1])))
    frame = pd.DataFrame(rows, columns=["section", "version", "bytes"])
    frame.attrs["about"] = about
    return frame


def text_table(text: str, file: Path, kinds: str) -> pd.DataFrame:
    """Tables as text: results of a sweep (.tsv), samples (.csv), folded stacks."""
    first = text.partition("\n")[0]
    try:
        columns = max(first.count("\t"), first.count(",")) + 1
        _refuse_size(text.count("\n") + text.count("\r"), columns if columns > 1 else 1)
        if "\t" in first:
            return pd.read_csv(io.StringIO(text), sep="\t")
        if first.count(",") >= 1 and " " not in first.strip():
            return pd.read_csv(io.StringIO(text))
    except ValueError as error:
        raise FileFormatError(f"{file}: damaged table: {error}") from None
    stacks = _stacks(text)
    if stacks is None:
        raise FileFormatError(f"{file}: no file that simos writes; those are {kinds}")
    return stacks


def _stacks(text: str) -> pd.DataFrame | None:
    """Folded stacks: "process;service;routine CYCLES", a row for each line; None if the text is something else."""
    rows = []
    for line in text.removesuffix("\n").split("\n"):
        stack, _, cycles = line.rpartition(" ")
        if not stack or not (cycles.isascii() and cycles.isdigit()):
            return None
        frames = stack.split(";")
        rows.append((stack, frames[0], frames[-1], len(frames), _whole(cycles)))
    return pd.DataFrame(rows, columns=["stack", "process", "leaf", "depth", "cycles"]) if rows else None
