"""Counts and faults of a drmemtrace trace with instructions of DR_ISA_REGDEPS, as DynamoRIO's tools read it
(clients/drcachesim: common/trace_entry.h, tools/invariant_checker.cpp, simulator/).

    drmemtrace.py FILE...                              prints a line NAME COUNT for each count
    drmemtrace.py --caches SIZE,LINE,WAYS FILE...      ... also the misses of first-level caches of this geometry, a pair
                                                       for each file, which are coherent

What breaks a rule of the format is counted as `fault`, and said on stderr.
"""
import argparse
import collections
import gzip
import heapq
import struct
import sys
from collections.abc import Iterator

READ, WRITE, INSTR, DIRECT_JUMP, INDIRECT_JUMP, DIRECT_CALL, INDIRECT_CALL, RETURN = 0, 1, 10, 11, 12, 14, 15, 16
THREAD, PID, HEADER, FOOTER, MARKER, NO_FETCH, ENCODING, TAKEN, UNTAKEN = 22, 24, 25, 26, 28, 29, 47, 48, 49
INSTRUCTIONS = {INSTR: "other", DIRECT_JUMP: "direct_jump", INDIRECT_JUMP: "indirect_jump", DIRECT_CALL: "direct_call",
                INDIRECT_CALL: "indirect_call", RETURN: "return", NO_FETCH: "not_fetched", TAKEN: "taken",
                UNTAKEN: "untaken"}
INDIRECT = (INDIRECT_JUMP, INDIRECT_CALL, RETURN)
KERNEL_EVENT, KERNEL_XFER, TIMESTAMP, CPU_ID, FILETYPE, VERSION, WINDOW_ID = 0, 1, 2, 3, 9, 12, 14
PHYSICAL, VIRTUAL, PAGE_SIZE, TARGET, HARDWARE_EVENT, HARDWARE_RETURN, CODE, CALL = 15, 17, 18, 29, 43, 44, 101, 102
REGDEPS, WHOLE_SYSTEM = 0x30200, 0x40000        # with encodings, a file for each CPU
LOAD, STORE, BRANCH = 2, 4, 8                    # categories
PAGE = 4096

Last = tuple[int, int, int, int]                 # type, address, bytes, target of an instruction; bytes 0: none
NONE: Last = (INSTR, 0, 0, 0)


class Trace:
    """The records of a file, one after the other."""

    def __init__(self, name: str, counts: collections.Counter[str]) -> None:
        with gzip.open(name) as file:
            self.data = file.read()
        self.name, self.counts, self.ordinal = name, counts, 0
        self.encodings: dict[int, bytes] = {}
        self.pages: dict[int, int] = {}
        self.last = NONE
        self.contexts: list[tuple[int, bool, Last]] = []   # address, by the hardware, last instruction there
        self.must_be: int | None = None                    # the address of the next instruction
        self.moved, self.depth, self.timed = False, 0, False

    def fault(self, what: str) -> None:
        """A rule is broken at this record."""
        self.counts["fault"] += 1
        print(f"{self.name}: record {self.ordinal}: {what}", file=sys.stderr)

    def follows(self, last: Last, address: int) -> bool:
        """Whether control goes from the instruction LAST to ADDRESS."""
        kind, at, size, target = last
        if size == 0 or kind in (DIRECT_JUMP, DIRECT_CALL, TAKEN):
            return True
        return address == (target if kind in INDIRECT else at + size)

    def leave(self, address: int, hardware: bool) -> None:
        """A marker: an exception, or an event, at ADDRESS."""
        if not self.follows(self.last, address) and address != self.last[1]:
            self.fault(f"an event at {address:#x} after {self.last}")
        self.contexts.append((address, hardware, self.last))
        self.last, self.moved, self.must_be = NONE, True, None
        self.depth += hardware

    def come_back(self, hardware: bool) -> None:
        """A marker: a return from an exception or event."""
        self.must_be, was_hardware, self.last = self.contexts.pop() if self.contexts else (None, hardware, NONE)
        if was_hardware != hardware:
            self.fault("a return from something else")
        self.moved = True
        self.depth -= hardware

    def instruction(self, kind: int, size: int, address: int, target: int, encoding: bytes) -> None:
        """An instruction, with what stood before it."""
        if encoding:
            self.encodings[address] = encoding
        code = self.encodings.get(address, b"")
        if len(code) < 4:
            self.fault(f"no encoding at {address:#x}")
            code = bytes(4)
        header = int.from_bytes(code[:4], "little")
        registers = (header & 15) + (header >> 4 & 15)
        if len(code) != 4 + (registers + 4) // 4 * 4 * (registers > 0) or any(code[5 + i] < 2 for i in range(registers)):
            self.fault(f"encoding {code.hex()}")
        if (kind not in (INSTR, NO_FETCH)) != bool(header >> 10 & BRANCH):
            self.fault(f"a branch that is none, or the other way: {code.hex()}")
        if (target != 0) != (kind in INDIRECT):
            self.fault("a target of another than an indirect branch, or none of one")
        if self.must_be not in (None, address):
            self.fault(f"a return to {address:#x} instead of {self.must_be:#x}")
        if not self.moved and not self.follows(self.last, address):
            self.fault(f"{address:#x} after {self.last}")
        if self.timed and not self.moved and self.last[0] not in (INSTR, NO_FETCH):
            self.fault("a time between a branch and its target")
        self.last, self.moved, self.timed, self.must_be = (kind, address, size, target), False, False, None
        self.counts[INSTRUCTIONS[kind]] += 1
        self.counts["interrupted"] += size == 8  # a branch in whose slot there was an exception
        if kind != NO_FETCH:
            self.counts["words"] += size // 4
            self.counts["kernel_words"] += size // 4 * (self.depth > 0)

    def access(self, kind: int, address: int) -> None:
        """A load or store of the last instruction."""
        header = int.from_bytes(self.encodings.get(self.last[1], bytes(4))[:4], "little")
        if not header >> 10 & (LOAD if kind == READ else STORE):
            self.fault(f"an access by an instruction at {self.last[1]:#x} that makes none")
        self.counts["loads" if kind == READ else "stores"] += 1

    def physical(self, address: int) -> int:
        """Where ADDRESS is in memory."""
        if address // PAGE not in self.pages:
            self.fault(f"no physical address of {address:#x}")
        return self.pages.get(address // PAGE, 0) * PAGE + address % PAGE

    def accesses(self) -> Iterator[tuple[int, int, int, int]]:
        """For each instruction fetched and each access: the time, the type, the physical address, the size."""
        time, page, target, encoding, filetype = 0, 0, 0, b"", 0
        for kind, size, address in struct.iter_unpack("<HHQ", self.data):
            self.ordinal += 1
            if kind in INSTRUCTIONS:
                self.instruction(kind, size, address, target, encoding)
                target, encoding = 0, b""
                if kind != NO_FETCH:
                    self.counts["addresses"] += sum(self.physical(address + at) for at in range(0, size, 4))
                    yield time, INSTR, self.physical(address), size
            elif kind in (READ, WRITE):
                self.access(kind, address)
                self.counts["addresses"] += self.physical(address)
                yield time, kind, self.physical(address), size
            elif kind == ENCODING:
                encoding += address.to_bytes(8, "little")[:size]
            elif kind == THREAD:
                self.contexts, self.last, self.moved, self.must_be = [], NONE, False, None
                self.counts["threads"] += 1
            elif kind == MARKER:
                if size == TIMESTAMP:
                    if address < time:
                        self.fault(f"time {address} after {time}")
                    time, self.timed = address, True
                elif size in (KERNEL_EVENT, HARDWARE_EVENT):
                    self.leave(address, size == HARDWARE_EVENT)
                elif size in (KERNEL_XFER, HARDWARE_RETURN):
                    self.come_back(size == HARDWARE_RETURN)
                elif size == PHYSICAL:
                    page = address // PAGE
                elif size == VIRTUAL:
                    self.pages[address // PAGE] = page
                elif size == TARGET:
                    target = address
                elif size == WINDOW_ID:
                    self.last, self.moved = NONE, True
                    self.counts["gaps"] += address > 0
                elif size == FILETYPE:
                    filetype = address
                elif size == CODE:
                    self.counts[f"exception_{address}"] += 1
                elif size == CALL:
                    self.counts["calls"] += 1
                    self.counts[f"call_{address}"] += 1
                elif size not in (CPU_ID, VERSION, PAGE_SIZE) or (size == CPU_ID and address != 2**64 - 1):
                    self.fault(f"marker {size} {address}")
            elif kind not in (PID, HEADER, FOOTER) or (kind == HEADER) != (self.ordinal == 1):
                self.fault(f"record {kind}")
        if filetype & ~WHOLE_SYSTEM != REGDEPS or self.depth != 0:
            self.fault(f"file type {filetype:#x}, ends in {self.depth} exceptions")


class Caches:
    """First-level caches of each CPU: lines in the order of their last use, by set."""

    def __init__(self, geometry: str, cpus: int, counts: collections.Counter[str]) -> None:
        size, self.line, self.ways = (int(word) for word in geometry.split(","))
        self.sets, self.counts = size // self.line // self.ways, counts
        self.lines: dict[tuple[str, int, int], list[int]] = collections.defaultdict(list)
        self.cpus = cpus

    def access(self, cpu: int, kind: int, address: int, size: int) -> None:
        """An access, which may be to two lines."""
        which = "l1i" if kind == INSTR else "l1d"
        for line in range(address // self.line, (address + max(size, 1) - 1) // self.line + 1):
            lines = self.lines[which, cpu, line % self.sets]
            if line in lines:
                lines.remove(line)
            else:
                self.counts[f"{which}_misses"] += 1
                del lines[:len(lines) - self.ways + 1]
            lines.append(line)
            if kind == WRITE:
                for other in range(self.cpus):
                    theirs = self.lines["l1d", other, line % self.sets]
                    if other != cpu and line in theirs:
                        theirs.remove(line)


def access_of(cpu: int, trace: Trace) -> Iterator[tuple[int, int, int, int, int]]:
    """The accesses of a CPU, with its number behind the time."""
    for time, kind, address, size in trace.accesses():
        yield time, cpu, kind, address, size


def main() -> None:
    """Read the files named on the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--caches")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    counts: collections.Counter[str] = collections.Counter({"fault": 0})
    traces = [Trace(name, counts) for name in options.files]
    caches = Caches(options.caches, len(traces), counts) if options.caches else None
    streams = [access_of(cpu, trace) for cpu, trace in enumerate(traces)]
    for _, cpu, kind, address, size in heapq.merge(*streams, key=lambda access: access[:2]):
        if caches:
            caches.access(cpu, kind, address, size)
    for count in sorted(counts):
        print(count, counts[count])


main()
