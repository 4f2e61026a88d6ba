"""The decoder of traces gives the same references as one that takes them byte by byte, of damaged blocks too."""

import random
import struct
import tempfile
import unittest
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import simoslab as sl
from simoslab.results.traces import COLUMNS, KINDS

MODES = ["user", "kernel", "idle"]


class Damaged(Exception):
    pass


def references(block: bytes, times: bool, words: bool, cpus: int, version: int = 4) -> Iterator[tuple[Any, ...]]:
    """The references of a block, one after the other, as docs/reference/binary-formats.md says; Damaged at a fault."""
    modes, processes, now = [0] * cpus, [0] * cpus, [0] * cpus
    last = [[[0, 0, 0] for _ in range(3)] for _ in range(cpus)]
    cpu = at = 0

    def take(count: int = 1) -> int:
        nonlocal at
        at += count
        if at > len(block):
            raise Damaged
        return int.from_bytes(block[at - count : at], "little")

    def number(most: int = (1 << 64) - 1) -> int:
        value = 0
        for shift in range(0, 70, 7):
            byte = take()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                value &= (1 << 64) - 1
                if value > most:
                    raise Damaged
                return value
        raise Damaged

    def difference() -> int:
        folded = number()
        return folded >> 1 ^ -(folded & 1)

    while at < len(block):
        flags = take()
        kind = flags & 15
        access = kind < 4 or kind == 10
        owned, addressed = access or kind == 8, access or kind < 7
        if kind > 10 or kind == 9 and not words or not addressed and flags & 0xC0 or not owned and flags & 0x20 or not (access or kind == 6) and flags & 0x80:
            raise Damaged
        if flags & 0x10:
            cpu = take()
        if cpu >= cpus:
            raise Damaged
        if flags & 0x20:
            modes[cpu] = take()
            processes[cpu] = number(0xFFFF)
            if modes[cpu] > 2:
                raise Damaged
        address = virtual = size = count = word = cycle = None
        if addressed:
            stream = last[cpu][0 if kind == 0 else 1 if access else 2]
            address = stream[0] = (stream[0] + difference()) & 0xFFFFFFFF
            if flags & 0x40:
                stream[1] = number(0xFFFFFFFF)
            if flags & 0x80:
                stream[2] = number(0xFFFFFFFF)
            size = stream[1]
            virtual = (address + stream[2]) & 0xFFFFFFFF if access or kind == 6 else None
        if kind == 6:
            count = take()
            if count >> 4 > 5 or count & 15 > 3:
                raise Damaged
        elif kind == 8:
            count = number()
            count -= (count >> 63) << 64
        elif kind == 9:
            count, virtual = take(), take(4)
            if count >= 32:
                raise Damaged
            if count == 8 and version >= 4:
                word = number(0xFFFFFFFF)
        elif kind == 0 and words:
            word = take(4)
        if times:
            total = (now[cpu] + difference()) & ((1 << 64) - 1)
            cycle = now[cpu] = total - ((total >> 63) << 64)
        yield KINDS[kind], cpu, MODES[modes[cpu]] if owned else None, processes[cpu] if owned else None, address, virtual, size, cycle, count, word


def random_block(draw: random.Random, words: bool, damage: bool) -> bytes:
    """Bytes of which most begin a record; without `damage` few numbers are of more than one byte."""
    block = bytearray()
    for _ in range(draw.randrange(1, 400)):
        kind = draw.choice([*range(10 if words else 9), 10])
        flags = kind | draw.choice([0, 0, 0x10])
        flags |= draw.choice([0, 0x20]) if kind < 4 or kind in (8, 10) else 0
        flags |= draw.choice([0, 0, 0x40]) if kind < 7 or kind == 10 else 0
        flags |= draw.choice([0, 0, 0x80]) if kind < 4 or kind in (6, 10) else 0
        block.append(flags)
        if kind == 9 and draw.random() < 0.5:  # a system call
            block += bytes([0, 8] if flags & 0x10 else [8])
        for _ in range(draw.randrange(1, 8)):
            block.append(draw.choice([0, 1, 2]) if draw.random() < 0.8 else draw.randrange(256))
    return bytes(block) if damage else bytes(byte if byte < 0xF0 else 0 for byte in block)


class Decoder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "one.trace"

    def write(self, blocks: list[bytes], times: bool, words: bool, cpus: int, version: int = 4) -> None:
        content = b"SIMOSTRC" + struct.pack("<BBBBI", version, 0 if words else 1, cpus, times, 16)
        for block in blocks:
            packed = zlib.compress(block)
            content += struct.pack("<III", len(block), len(packed), zlib.crc32(packed)) + packed
        content += struct.pack("<IIIQ", 0, 8, zlib.crc32(bytes(8)), 0)
        self.file.write_bytes(content)

    def test_process_numbers(self) -> None:
        for flags, process in ((0, "space"), (8, "process"), (16, "thread")):
            self.write([], False, False, 1)
            content = bytearray(self.file.read_bytes())
            content[11] = flags
            self.file.write_bytes(content)
            self.assertEqual(sl.Trace(self.file).process, process)

    def rows_of(self, chunks: Iterator[pd.DataFrame]) -> tuple[list[tuple[Any, ...]], bool]:
        rows: list[tuple[Any, ...]] = []
        try:
            for chunk in chunks:
                self.assertEqual(list(chunk.columns), COLUMNS)
                rows += [tuple(None if pd.isna(value) else value for value in row) for row in chunk.astype(object).itertuples(index=False)]
        except sl.FileFormatError as error:
            self.assertIn("one.trace: a record of a block is damaged", str(error))
            return rows, True
        return rows, False

    def test_random_blocks(self) -> None:
        draw = random.Random(46)
        seen = 0
        for case in range(300):
            times, words, cpus, version = bool(case & 1), bool(case & 2), draw.choice([1, 3, 16]), draw.choice([3, 4])
            block = random_block(draw, words, bool(case & 4))
            wanted: list[tuple[Any, ...]] = []
            damaged = False
            try:
                for reference in references(block, times, words, cpus, version):
                    wanted.append(reference)
            except Damaged:
                damaged = True
            self.write([block], times, words, cpus, version)
            with self.subTest(case):
                self.assertEqual(self.rows_of(sl.load(self.file).chunks(1)), (wanted, damaged))
            seen += len(wanted)
        self.assertGreater(seen, 1000)

    def test_blocks_and_chunks(self) -> None:
        one = bytes([0x60, 1, 5, 8, 4, 1, 2, 2, 4])  # a fetch of 4 bytes by process 5 in kernel mode, a read, a write
        blocks = [one * 40, one * 3, one]
        wanted = [row for block in blocks for row in references(block, False, False, 1)]
        self.write(blocks, False, False, 1)
        for rows in (1, 7, 131, 132, 1000):
            chunks = list(sl.load(self.file).chunks(rows))
            self.assertTrue(all(len(chunk) == rows for chunk in chunks[:-1]))
            self.assertTrue(0 < len(chunks[-1]) <= rows)
            self.assertEqual(self.rows_of(iter(chunks)), (wanted, False))
        self.assertEqual(self.rows_of(iter([sl.load(self.file).read()])), (wanted, False))

    def test_an_empty_one(self) -> None:
        self.write([], False, False, 1)
        self.assertEqual(list(sl.load(self.file).chunks()), [])
        self.assertEqual(len(sl.load(self.file).read()), 0)


if __name__ == "__main__":
    unittest.main()
