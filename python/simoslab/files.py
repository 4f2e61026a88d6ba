"""Reads the files that simos writes. The content says what a file is, not its name."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import os
import re
import struct
from collections.abc import Mapping
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

KINDS = (
    "statistics, results of a sweep or of windows, profile, time line, verdicts of tests, explanation (JSON), callgrind profile, "
    "stacks, samples (csv), trace (binary or din), record, checkpoint, capture (pcap), table of a sweep (tsv), and "
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
    except (gzip.BadGzipFile, lzma.LZMAError, EOFError) as error:
        raise FileFormatError(f"{path}: {error}") from None
    except OSError as error:
        raise FileFormatError(f"{path}: {error.strerror or error}") from None


def parse_json(text: bytes | str, path: str | os.PathLike[str]) -> dict[str, Any]:
    """The JSON object in `text`. FileFormatError if it is none, or an object has a name twice."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) != len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise FileFormatError(f'{path}: the name "{twice}" occurs twice in an object')
        return members

    def refuse(name: str) -> Any:
        raise FileFormatError(f"{path}: {name} is no JSON number")

    try:
        value = json.loads(text, object_pairs_hook=unique, parse_constant=refuse)
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
    classes.CLASS; callgrind: object, routine, address, and the costs; stacks: stack, process, leaf, cycles; time line: the
    events of Chrome's format; verdicts: a row for each result; explanation: a row for each cause; record, capture, checkpoint, tables: a row for each line,
    frame, section. Files compressed by gzip, xz or zstd are read too.

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
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise FileFormatError(f"{file}: no file that simos writes; those are {KINDS}") from None
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
