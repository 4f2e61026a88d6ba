"""Reads the files that simos writes. The content says what a file is, not its name."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import math
import os
import re
import struct
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from simoslab import readers
from simoslab.errors import FileFormatError
from simoslab.frame import COLUMNS
from simoslab.statistics import Statistics, concat
from simoslab.traces import Trace

_GZIP, _XZ, _ZSTD = b"\x1f\x8b", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"
_DIN = re.compile(rb"\s*[0-4]\s+(0x)?[0-9a-fA-F]+(\s|$)")
_PPROF = b"\x32\x00"  # a profile for pprof that begins with its string 0
_PERF = re.compile(rb"\S+ \d+ \d+\.\d{6}: +\d+ \S+:\n\t")

# What simos writes for other programs, by how it begins. No frame has all of it, and the run's other files have the numbers.
_OF_OTHERS = {
    b"<!doctype html": "a page for a browser; load the JSON files that it is made of",
    b"<svg": "a drawing for a browser; load the JSON file that it is made of",
    b"<?xml": "XML for other programs, such as McPAT and browsers; load the JSON file that it is made of",
    b"kanata": "a pipeline log for the viewer Konata",
    b"o3pipeview:": "a pipeline log for the viewers of gem5",
}

KINDS = (
    "statistics, results of a sweep or of windows, profile, time line, verdicts of tests, explanation (JSON), profile for callgrind or "
    "pprof, value changes (vcd), stacks, samples of perf script, vectors of basic blocks, "
    "samples (csv), trace (binary or din), record, checkpoint, capture (pcap), table of a sweep (tsv), and "
    "frames saved by this package (Parquet)"
)


def _content_of(path: Path) -> bytes:
    """The bytes of a file, uncompressed."""
    try:
        content = path.read_bytes()
        if content.startswith(_GZIP):
            return gzip.decompress(content)
        if content.startswith(_XZ):
            return lzma.decompress(content)
        if content.startswith(_ZSTD):
            import pyarrow

            return pyarrow.CompressedInputStream(io.BytesIO(content), "zstd").read()
        return content
    except (gzip.BadGzipFile, zlib.error, lzma.LZMAError, EOFError) as error:
        raise FileFormatError(f"{path}: {error}") from None
    except OSError as error:
        raise FileFormatError(f"{path}: {error.strerror or error}") from None


# What may be an escape for a code that is no character of a text: NUL, and halves of pairs.
_BAD_ESCAPE = re.compile(r"\\u(0000|[dD][89a-fA-F])")
_BAD_CHARACTER = re.compile("[\0\ud800-\udfff]")


def _texts_of(value: Any) -> Iterator[str]:
    """Every text in a JSON value, names of members too."""
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, list):
            left += one
        elif isinstance(one, dict):
            left += one
            left += one.values()


def parse_json(text: bytes | str, path: str | os.PathLike[str]) -> dict[str, Any]:
    """The JSON object in `text`, which is UTF-8. FileFormatError for what simos refuses too: no object, a name twice in
    one, a number outside the range of 64 bits or of a double, a code that is no character."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) != len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise FileFormatError(f'{path}: the name "{twice}" occurs twice in an object')
        return members

    def refuse(name: str) -> Any:
        raise FileFormatError(f"{path}: {name} is no JSON number")

    def whole(digits: str) -> int:
        if len(digits) > 20 or not -(2**63) <= int(digits) < 2**63:
            raise FileFormatError(f"{path}: {digits[:30]} is outside the range of 64 bits")
        return int(digits)

    def real(digits: str) -> float:
        if math.isinf(float(digits)):
            raise FileFormatError(f"{path}: {digits[:30]} is outside the range of a double")
        return float(digits)

    try:
        read = text if isinstance(text, str) else text.decode("utf-8")  # json.loads() would guess UTF-16 too
        value = json.loads(read, object_pairs_hook=unique, parse_constant=refuse, parse_int=whole, parse_float=real)
        bad = next(filter(_BAD_CHARACTER.search, _texts_of(value)), None) if _BAD_ESCAPE.search(read) else None
        if bad is not None:
            raise FileFormatError(f"{path}: {json.dumps(bad[:30])} has a code that is no character")
    except (ValueError, RecursionError) as error:
        raise FileFormatError(f"{path}: not JSON: {error}") from None
    if not isinstance(value, dict):
        raise FileFormatError(f"{path}: not a JSON object")
    return value


def kind_of(document: Mapping[str, Any]) -> str:
    """What a JSON file of simos is: "statistics", "sweep", "profile", "timeline", "verdicts", "explanation"; "" if it
    is none."""
    form = document.get("format")
    if isinstance(form, str) and form.startswith("simos sweep"):
        return "sweep"
    if isinstance(form, str) and form.startswith("simos explanation"):
        return "explanation"
    if form is not None and "tests" in document:
        return "verdicts"
    if "routines" in document and "data" in document:
        return "profile"
    if "traceEvents" in document:
        return "timeline"
    if "machine" in document and "parameters" in document:
        return "statistics"
    return ""


def read_document(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The JSON object in a file, also in a compressed one."""
    return parse_json(_content_of(Path(path)), path)


def load(path: str | os.PathLike[str], *, run: str | None = None) -> Any:
    """Read a file that simos, or this package, wrote.

    Statistics and the results of sweeps and windows give a Statistics frame (a run for each finished job); a trace
    gives a Trace, which reads it in chunks; every other kind a data frame:

    profile: kind (routine, data), name, first (address), stall (cycles), insn_stall, pipeline_stall, misses.CACHE,
    classes.CLASS; callgrind: object, routine, address, and the costs; perf script: event, period, object, number, address,
    routine, file of each sample; vectors: interval, block, insns; stacks: stack, process, leaf, cycles; pprof: object, routine, address, and a column a
    kind of value; value changes: time (picoseconds), signal, value; time line: the
    events of Chrome's format; verdicts: a row for each result; explanation: a row for each cause; record, capture, checkpoint, tables: a row for each line,
    frame, section. Files compressed by gzip, xz or zstd are read too. What is for other programs only (pages, drawings,
    XML, pipeline logs) is refused with a line that says what it is.

    `run` names the run in a Statistics frame (default: the file's name without its suffix). Raises FileFormatError.
    """
    file = Path(path)
    try:
        with open(file, "rb") as opened:
            head = opened.read(64)
    except OSError as error:
        raise FileFormatError(f"{file}: {error.strerror or error}") from None
    if head.startswith(b"SIMOSTRC"):
        return Trace(file)
    if head.startswith(b"PAR1"):
        return _parquet(file)
    if head.startswith(b"simosCKP"):
        return readers.checkpoint(file)
    content = _content_of(file)
    if content.startswith(b"SIMOSTRC") or _DIN.match(content[:64]):
        return Trace(file)
    if content.lstrip()[:1] == b"{":
        return _json(parse_json(content, file), file, run or file.name.split(".")[0])
    if content.startswith(b"simos record "):
        return readers.record(content, file)
    if content.startswith(b"# callgrind format"):
        return readers.callgrind(content, file)
    if content[:4] in (struct.pack("<I", 0xA1B23C4D), struct.pack("<I", 0xA1B2C3D4)):
        return readers.capture(content, file)
    if content.startswith(b"T:"):
        return readers.vectors(content, file)
    if content.startswith(_PPROF):
        return readers.pprof(content, file)
    if content.startswith(b"$") and b"$enddefinitions" in content:
        return readers.value_changes(content, file)
    start = content[:256].lstrip().lower()
    for prefix, what in _OF_OTHERS.items():
        if start.startswith(prefix):
            raise FileFormatError(f"{file}: {what}")
    if _PERF.match(content[:4096]):
        return readers.samples(content, file)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text or text.startswith("\ufeff"):
        raise FileFormatError(f"{file}: no file that simos writes; those are {KINDS}")
    return readers.text_table(text, file, KINDS)


def _json(document: dict[str, Any], file: Path, run: str) -> Any:
    kind = kind_of(document)
    try:
        if kind == "statistics":
            return Statistics.of(document, run, str(file))
        if kind == "sweep":
            jobs = [job for job in document["jobs"] if job.get("statistics")]
            frames = [Statistics.of(job["statistics"], job["name"], str(file)) for job in jobs]
            joined = concat(frames)
            joined.attrs["jobs"] = [{key: job.get(key) for key in ("name", "options", "state", "status", "message")} for job in document["jobs"]]
            return joined
        if kind:
            return {"profile": readers.profile, "timeline": readers.timeline, "verdicts": readers.verdicts, "explanation": readers.explanation}[kind](document)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise FileFormatError(f"{file}: damaged {kind}: {type(error).__name__}: {error}") from None
    raise FileFormatError(f"{file}: JSON, but no file that simos writes; those are {KINDS}")


def _parquet(file: Path) -> pd.DataFrame:
    try:
        frame = pd.read_parquet(file)
    except (OSError, ValueError) as error:
        raise FileFormatError(f"{file}: {error}") from None
    if list(frame.columns) != COLUMNS:
        return frame
    statistics = Statistics(frame)
    statistics.attrs = frame.attrs
    return statistics
