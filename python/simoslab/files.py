"""Reads the files that simos writes. The content says what a file is, not its name."""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from simoslab.errors import FileFormatError, damage
from simoslab.host_files import MAX_ROWS, InputFile, reading
from simoslab.results import readers
from simoslab.results.documents import kind_of, parse_json
from simoslab.results.frame import COLUMNS, typed
from simoslab.results.traces import Trace
from simoslab.views.statistics import Statistics, concat

_DIN = re.compile(rb"\s*[0-4]\s+(0x)?[0-9a-fA-F]+(\s|$)")
_PPROF = b"\x32\x00"  # a profile for pprof that begins with its string 0
_PARQUET_BYTES = 1 << 31  # of a frame in memory
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


# What else there is, by how it begins.
_BINARY_AND_TEXT: tuple[tuple[Callable[[bytes], Any], Callable[[bytes, Path], pd.DataFrame], str], ...] = (
    (lambda content: content.startswith(b"simos record "), readers.record, "record"),
    (lambda content: content.startswith(b"# callgrind format"), readers.callgrind, "callgrind profile"),
    (lambda content: content[:4] in (struct.pack("<I", 0xA1B23C4D), struct.pack("<I", 0xA1B2C3D4)), readers.capture, "capture"),
    (lambda content: content.startswith(b"T:"), readers.vectors, "vectors"),
    (lambda content: content.startswith(_PPROF), readers.pprof, "profile for pprof"),
    (lambda content: content.startswith(b"$") and b"$enddefinitions" in content, readers.value_changes, "value changes"),
    (lambda content: _PERF.match(content[:4096]), readers.samples, "samples"),
)


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
    file = _path(path)
    with InputFile(file, "any") as opened:
        head = opened.read(4096)
        if head.startswith((b"SIMOSTRC", b"PAR1", b"simosCKP")) or _DIN.match(head[:64]):
            if not opened.is_regular:
                raise FileFormatError(f"{file}: what is read more than once cannot come through a pipe")
            if head.startswith(b"PAR1"):
                opened.becomes("Parquet")
                return _parquet(file)
            if head.startswith(b"simosCKP"):
                with damage(f"{file}: what simos says of the checkpoint"):
                    return readers.checkpoint(file)
            return Trace(file)
        opened.becomes("results")
        content = head + opened.rest()
    if content.lstrip()[:1] == b"{":
        return _json(parse_json(content, file), file, str(run) if run is not None else file.name.split(".")[0])
    for test, reader, what in _BINARY_AND_TEXT:
        if test(content):
            with damage(f"{file}: damaged {what}"):
                return reader(content, file)
    start = content[:256].lstrip().lower()
    for prefix, what in _OF_OTHERS.items():
        if start.startswith(prefix):
            raise FileFormatError(f"{file}: {what}")
    with damage(f"{file}: damaged table"):
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError:
            text = "\0"
        if "\0" in text or text.startswith("\ufeff"):
            raise FileFormatError(f"{file}: no file that simos writes; those are {KINDS}")
        return readers.text_table(text, file, KINDS)
    raise AssertionError  # for type checkers: damage() hides no error


def _path(path: str | os.PathLike[str]) -> Path:
    try:
        return Path(path)
    except TypeError:
        raise FileFormatError(f"{path!r} is no path of a file") from None


def _json(document: dict[str, Any], file: Path, run: str) -> Any:
    kind = kind_of(document)
    with damage(f"{file}: damaged {kind}"):
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
    raise FileFormatError(f"{file}: JSON, but no file that simos writes; those are {KINDS}")


def _parquet(file: Path) -> pd.DataFrame:
    """The frame in a Parquet file, which is read in pieces: what it takes unpacked is not known before."""
    import pyarrow
    import pyarrow.parquet

    with reading(file), damage(f"{file}: damaged frame"), pyarrow.parquet.ParquetFile(str(file)) as opened:
        schema = opened.schema_arrow
        if opened.metadata.num_rows * max(1, opened.metadata.num_columns) > 16 * MAX_ROWS:
            raise FileFormatError(f"{file}: a frame of so many rows and columns is not read")
        texts = [name for name, one in zip(schema.names, schema.types) if pyarrow.types.is_string(one) or pyarrow.types.is_large_string(one)]
    pieces, size = [], 0
    # Texts as codes: a text that occurs in each of a million rows is there once.
    with reading(file), damage(f"{file}: damaged frame"), pyarrow.parquet.ParquetFile(str(file), read_dictionary=texts) as opened:
        for piece in opened.iter_batches(batch_size=1 << 16):
            size += piece.nbytes
            if size > _PARQUET_BYTES:
                raise FileFormatError(f"{file}: unpacked longer than {_PARQUET_BYTES} bytes")
            pieces.append(piece)
        table = pyarrow.Table.from_batches(pieces, opened.schema_arrow)
        frame = table.to_pandas()
        known = (table.schema.metadata or {}).get(b"PANDAS_ATTRS")
        attrs = parse_json(known, file) if known else {}
        if not all(isinstance(attrs.get(name, {}), dict) for name in ("provenance", "units")):
            raise ValueError("its provenance")
        frame.attrs = attrs
        if list(frame.columns) != COLUMNS:
            for name in frame.columns.intersection(texts):
                frame[name] = frame[name].astype("object")
            return frame
        statistics = Statistics(typed(frame))
        statistics.attrs = attrs
        return statistics
    raise AssertionError  # for type checkers: damage() hides no error
