"""Gives the package's readers damaged files: each is read, or refused with one line that names it, in bounded memory and time.

    hostile.py [--runs N] [--seed N] [--keep FOLDER] [FILE...]

Files are those of tests/fuzz/corpus/simoslab, tests/fixtures and one of each other kind, with bytes changed, cut out, repeated or taken from
another. FILE: these only, unchanged. What shows a fault is kept in FOLDER. The last line: "hostile: N files, N read, N faults". `make
fuzz` runs it longer, tests/python/test_hostile.py shortly.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import gzip
import hashlib
import json
import lzma
import random
import resource
import signal
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests/python")]

import fixtures  # noqa: E402
import known  # noqa: E402
import pyarrow  # noqa: E402
import simoslab as sl  # noqa: E402

MEMORY = 6 << 30  # of the process, with its libraries
SECONDS = 10.0  # of processor time a file
LARGEST = 60_000  # bytes of a file to begin with

# What is worth being somewhere: limits of numbers, and what begins or ends something.
TOKENS = [b"0", b"-1", b"9" * 30, b"9" * 5000, b"1e999", b"NaN", b"null", b"[" * 900, b'{"a":' * 300, b"\0", b"\xff\xfe", b"\n", b"\t", b",", b'"',
          b"\\u0000", b"\xc2\x85", b"0x", b"-9223372036854775809", b"18446744073709551616", b"\xff" * 9 + b"\x01", b"b" + b"1" * 200 + b" !", b"true",
          b"[]", b"{}", b'"\\ud800"', "\u0663".encode(), b"#" + b"7" * 40]  # fmt: skip


def pprof() -> bytes:
    """A profile for pprof with two samples."""

    def field(number: int, content: bytes | int) -> bytes:
        if isinstance(content, int):
            return bytes([number << 3, content])
        return bytes([number << 3 | 2, len(content)]) + content

    strings = [b"", b"instructions", b"count", b"object", b"routine"]
    texts = b"".join(field(6, text) for text in strings)
    types = field(1, field(1, 1) + field(2, 2))
    sample = field(2, field(1, bytes([1])) + field(2, bytes([7]))) + field(2, field(1, 1) + field(2, 9))
    places = field(3, field(1, 1) + field(5, 3)) + field(4, field(1, 1) + field(2, 1) + field(3, 64) + field(4, field(1, 1))) + field(5, field(1, 1) + field(2, 4))
    return texts + types + sample + places


def seeds(folder: Path) -> dict[str, bytes]:
    """A file of each kind, by name."""
    found = {file.name: file.read_bytes() for file in fixtures.FILES}
    found = {name: content if name.endswith("json") and len(content) < LARGEST else content[:LARGEST] for name, content in found.items()}
    small = json.dumps(known.statistics()).encode()
    found |= {
        "known.json": small,
        "one.pb": pprof(),
        "one.vcd": b"$timescale 1 ns $end\n$scope module bus $end\n$var wire 1 ! store $end\n$upscope $end\n$enddefinitions $end\n#0\n0!\n#12\nb1x !\n1!\n",
        "one.perf": b"ls 3 0.000100:        100 stall:\n\t          400120 a routine+0x4 (/bin/ls)\n\n" * 3,
        "one.bb": b"T:1:20 :2:5 \nT\nT:2:7 \n",
        "one.pcap": bytes.fromhex("4d3cb2a1020004000000000000000000ffff00000100000001000000020000000400000004000000") + b"data",
        "one.csv": b"ns,recognisers,address\n10,store,0x10\n20,,0x14\n",
        "one.tsv": b"job\tcycles\ta\n1994\t10\t2.5\n1996\t11\t\n",
        "page.html": b"<!doctype html><title>x</title>",
    }
    folder.mkdir(exist_ok=True)
    saved = sl.Statistics.of(known.statistics(), "one").save_parquet(folder / "one.parquet")
    found["one.parquet"] = saved.read_bytes()
    found["one.gz"], found["one.xz"] = gzip.compress(small, 1, mtime=0), lzma.compress(small)
    found["one.zst"] = pyarrow.compress(small, "zstd", asbytes=True)
    found["trace.gz"] = gzip.compress(found["one.trace"], 1, mtime=0)
    corpus = ROOT / "tests/fuzz/corpus/simoslab"
    found |= {f"kept-{file.name}": file.read_bytes() for file in (sorted(corpus.iterdir()) if corpus.is_dir() else [])}
    return found


def mutate(content: bytes, other: bytes, draw: random.Random) -> bytes:
    """`content` with a few faults; parts may come from `other`."""
    changed = bytearray(content)
    for _ in range(draw.choice((1, 1, 1, 2, 3, 8))):
        at = draw.randrange(len(changed) + 1)
        size = min(draw.choice((1, 2, 4, 16, 256)), len(changed) - at)
        way = draw.randrange(8)
        if way == 0 and changed:
            changed[min(at, len(changed) - 1)] = draw.randrange(256)
        elif way == 1:
            del changed[at : at + size]
        elif way == 2:
            changed[at : at + size] = changed[at : at + size] * draw.choice((2, 3, 50))
        elif way == 3:
            changed[at : at + draw.choice((0, size))] = draw.choice(TOKENS)
        elif way == 4 and other:
            first = draw.randrange(len(other))
            changed[at : at + size] = other[first : first + draw.choice((4, 64, 1024))]
        elif way == 5 and draw.random() < 0.3:
            del changed[at:]
        elif way == 6:
            # Another number in the place of one.
            digits = [place for place in range(at, min(at + 2000, len(changed))) if 48 <= changed[place] <= 57]
            if digits:
                changed[digits[0] : digits[0] + 1] = draw.choice(TOKENS[:6] + TOKENS[18:20])
        elif way == 7 and changed:
            changed[min(at, len(changed) - 1)] ^= 1 << draw.randrange(8)
    return bytes(changed)


class Fault(Exception):
    """What must not be."""


@contextlib.contextmanager
def only_errors_of_the_package(path: Path) -> Iterator[None]:
    try:
        yield
    except sl.SimosError as error:
        text = str(error)
        if not text or len(text) > 1100 or any(ord(c) < 32 or 127 <= ord(c) < 160 for c in text):
            raise Fault(f"more than a line: {text[:200]!r}") from None
        if isinstance(error, sl.FileFormatError) and path.name not in text and "the run" not in text:
            raise Fault(f"the file is not named: {text[:200]!r}") from None


def use(path: Path) -> bool:
    """Load a file, and ask everything of what it gives. Was it read?"""
    loaded: list[Any] = []

    def load() -> None:
        loaded.append(sl.load(path))

    with only_errors_of_the_package(path):
        load()
    with only_errors_of_the_package(path):
        sl.check(path, strict=False)
    if not loaded:
        return False
    found = loaded[0]
    asked: list[Callable[[], Any]] = [lambda: repr(found)]
    if isinstance(found, sl.Trace):
        asked += [lambda: [len(chunk) for _, chunk in zip(range(50), found.chunks(2000))], lambda: list(zip(range(2), found))]
    if isinstance(found, sl.Statistics):
        asked += [
            found.cpi_stack, lambda: found.cpi_stack(by=["cpu", "mode"], total="share"), found.misses, lambda: found.misses(by="routine"),
            found.services, found.processes, found.locks, found.timeline, found.comparison, lambda: found.comparison("cpi"), found.parameters,
            lambda: found.query("cycles"), lambda: found.query("value > 3"), lambda: found.exact("machine.name"), lambda: found.check(strict=False),
            found.accounts, lambda: found.accounts(by="service"), lambda: found.accounts(by=["process", "mode", "cpu"]), lambda: found.below("annotations"),
            lambda: found.total("cpu.mode.cycles", mode="kernel"),
            lambda: sl.concat([found, found]), lambda: same_after_parquet(found, path),
        ]  # fmt: skip
    for question in asked:
        with only_errors_of_the_package(path):
            question()
    return True


def same_after_parquet(found: sl.Statistics, path: Path) -> None:
    again = sl.load(found.save_parquet(path.with_name(f"{path.name}.parquet")))
    if list(again.dtypes) != list(found.dtypes) or len(again) != len(found):
        raise Fault("another frame after Parquet")


def too_slow(number: int, frame: Any) -> None:
    raise Fault(f"more than {SECONDS} s")


def run_one(path: Path) -> tuple[bool, str]:
    """Was the file read, and the fault that it shows; empty if none."""
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return use(path), ""
    except MemoryError:
        return False, "MemoryError"
    except Exception as error:  # what is looked for
        return False, "".join(traceback.format_exception(error)[-4:])
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGPROF, too_slow)
    warnings.simplefilter("ignore")
    warnings.simplefilter("error", ResourceWarning)
    draw = random.Random(options.seed)
    ways: collections.Counter[str] = collections.Counter()
    read = count = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        known_files = seeds(folder / "seeds")
        names = sorted(known_files)

        def inputs() -> Iterator[tuple[str, bytes]]:
            for file in options.files:
                yield file.name, file.read_bytes()
            if options.files:
                return
            for kind in names:
                yield kind, known_files[kind]
            for number in range(options.runs - len(names)):
                kind = names[number % len(names)]
                content = known_files[kind]
                packed = number // len(names) % 4 == 3
                if packed and kind.endswith((".gz", ".pb")):  # what is inside the compressed file, too
                    content = gzip.decompress(content) if kind.endswith(".gz") else content
                    yield kind, gzip.compress(mutate(content, known_files[draw.choice(names)], draw), 1)
                else:
                    yield kind, mutate(content, known_files[draw.choice(names)], draw)

        for kind, content in inputs():
            path = folder / "hostile file"
            path.write_bytes(content)
            good, fault = run_one(path)
            read += good
            count += 1
            if fault:
                ways[fault.strip().rpartition("\n")[2][:120]] += 1
                digest = hashlib.sha256(content).hexdigest()[:8]
                print(f"FAIL {kind} {digest}: {fault}")
                if options.keep:
                    options.keep.mkdir(parents=True, exist_ok=True)
                    (options.keep / f"{kind}-{digest}").write_bytes(content)
    for what, times in ways.most_common():
        print(f"{times:6} {what}")
    print(f"hostile: {count} files, {read} read, {sum(ways.values())} faults")
    return 1 if ways or not count else 0


if __name__ == "__main__":
    sys.exit(main())
