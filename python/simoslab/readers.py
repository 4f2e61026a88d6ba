"""Readers of the files that are no statistics: each gives a plain data frame."""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from simoslab.errors import FileFormatError
from simoslab.program import Program


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
    frame = pd.DataFrame(rows)
    counts = [column for column in frame.columns if column.startswith(("misses.", "classes."))]
    frame[counts] = frame[counts].fillna(0).astype("int64")  # a name that is not there counts 0
    return frame


def timeline(document: Mapping[str, Any]) -> pd.DataFrame:
    """A time line: the events, `ts` and `dur` in microseconds of simulated time, with their arguments as `args.NAME`."""
    frame = pd.json_normalize(document["traceEvents"])
    frame.attrs["otherData"] = dict(document.get("otherData", {}))
    return frame


def verdicts(document: Mapping[str, Any]) -> pd.DataFrame:
    """Verdicts of `simos test --json`: a row for each result, with the `file` of the test and its `error`."""
    rows: list[dict[str, Any]] = []
    for test in document["tests"]:
        known = {"file": test["file"], "error": test.get("error")}
        rows += [{**known, **result} for result in test.get("results", [])] or [known]
    return pd.DataFrame(rows)


def explanation(document: Mapping[str, Any]) -> pd.DataFrame:
    """What `simos explain --json` writes: a row for each cause; `attrs` has the two runs, `difference` and `residual`."""
    frame = pd.DataFrame(document["causes"])
    frame.attrs |= {name: value for name, value in document.items() if not isinstance(value, list)}
    return frame


def _lines(content: bytes, file: Path) -> list[str]:
    try:
        return content.decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise FileFormatError(f"{file}: {error}") from None


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
                    costs = [int(word) for word in words[1 : len(events) + 1]]
                    rows.append([owner["ob"], owner["fn"], int(words[0], 0), *costs, *([0] * (len(events) - len(costs)))])
                except ValueError:
                    raise FileFormatError(f"{file}: damaged callgrind profile: {line[:60]}") from None
            skip = False
    return pd.DataFrame(rows, columns=["object", "routine", "address", *events])


def vectors(content: bytes, file: Path) -> pd.DataFrame:
    """Vectors of basic blocks: a row for each block in each interval (from 0), with the instructions executed in it."""
    rows = []
    for interval, line in enumerate(_lines(content, file)):
        if not re.fullmatch(r"T(:\d+:\d+ +)*", line.rstrip(" ") + " ", re.ASCII) and line.strip() != "T":
            raise FileFormatError(f"{file}: line {interval + 1}: damaged vectors: {line[:60]}")
        for word in line[1:].split():
            block, insns = word[1:].split(":")
            rows.append((interval, int(block), int(insns)))
    return pd.DataFrame(rows, columns=["interval", "block", "insns"])


_SAMPLE = re.compile(r"(\S+) (\d+) \d+\.\d{6}: +(\d+) (\S+):", re.ASCII)
_FRAME = re.compile(r"\t *([0-9a-f]+) (.*) \((\S*)\)", re.ASCII)


def samples(content: bytes, file: Path) -> pd.DataFrame:
    """Samples as perf script prints them: a row for each. `period` is the number of events that it stands for, `object` and
    `number` the program, library or module (0: the kernel)."""
    lines = _lines(content, file)
    rows = []
    for at in range(0, len(lines), 3):
        sample = _SAMPLE.fullmatch(lines[at])
        frame = _FRAME.fullmatch(lines[at + 1]) if at + 1 < len(lines) else None
        if not sample or not frame or lines[at + 2 : at + 3] not in ([], [""]):
            raise FileFormatError(f"{file}: line {at + 1}: damaged samples: {lines[at][:60]}")
        name, number, period, event = sample.groups()
        address, routine, place = frame.groups()
        rows.append((event, int(period), name, int(number), int(address, 16), routine, place))
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
    for line in text.splitlines():
        stack, _, cycles = line.rpartition(" ")
        if not stack or not cycles.isdigit():
            return None
        frames = stack.split(";")
        rows.append((stack, frames[0], frames[-1], len(frames), int(cycles)))
    return pd.DataFrame(rows, columns=["stack", "process", "leaf", "depth", "cycles"]) if rows else None
