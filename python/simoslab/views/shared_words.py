"""Who shares which words of memory, from a trace of several processors; and the layout that would share less.

Xia and Torrellas, "Comprehensive Hardware and Software Support for Operating Systems to Exploit MP Memory Hierarchies", IEEE
Transactions on Computers, 1999, section 4.4: updates for barriers, active locks and producer-consumer variables; private
copies; false sharing taken apart. Misses are those of caches that lose lines to other processors' stores only.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from simoslab.errors import QueryError
from simoslab.events import tcl_word
from simoslab.host_files import Scratch, read_input, save_text
from simoslab.program import Program
from simoslab.results.frame import MODES
from simoslab.results.traces import Trace

PAGE = 4096
_WORD, _UNIT = 4, 8


# For each address a line: the address, the symbol or the offset in the object, and the name, which the guest may have chosen.
# In a file of its own, because stdout has the guest's console too.
_NAMES = """library layout
set out [open %s w]
foreach address [split [string trim {%s}]] {
    set data [symbol data physical:$address]
    set place ""
    foreach key {symbol offset} {
        if {$place eq "" && [dict exists $data $key]} { set place [dict get $data $key] }
    }
    puts $out "name $address [expr {$place eq "" ? "-" : $place}] [regsub -all {[^ -~]} [dict get $data name] ?]"
}
close $out
"""


def data_names(addresses: Iterable[int], checkpoint: str | os.PathLike[str], program: str | os.PathLike[str] | None = None
               ) -> dict[int, str]:
    """What is at physical addresses in the guest of a checkpoint, as `symbol data` of annotations says: a kernel's variable with
    its offset (`jiffies`, `tasklist_lock+0x4`), or the kind of object with the offset in it (`slab dentry+0x28`)."""
    with Scratch() as folder:
        script, said = folder / "names.tcl", folder / "names"
        save_text(script, _NAMES % (tcl_word(str(said)), " ".join(f"{address:#x}" for address in addresses)))
        Program(program).run(["restore", checkpoint, "--quiet", "--table", "none", "--window", "1", "--script", script])
        lines = read_input(said, "results").decode("utf-8", "replace").splitlines()
    names = {}
    for line in lines:
        words = line.split(" ", 3)
        if words[0] != "name" or len(words) < 4:
            continue
        place, name = words[2:]
        names[int(words[1], 16)] = name if place == "-" else f"{name}+{int(place):#x}" if place.isdigit() else place
    return names


@dataclass
class _Word:
    reads: int = 0
    writes: int = 0
    readers: int = 0  # sets of processors, a bit each
    writers: int = 0
    owner: int = -1  # who wrote it last
    seen: int = 0  # who has read what the owner wrote
    handed: int = 0  # times that a processor read what another had written
    returned: int = 0  # ... and was the next to write
    waiting: int = -1  # who read it last, after another had written
    true: int = 0
    false: int = 0


@dataclass
class _Line:
    held: int = 0  # who has the line
    had: int = 0  # who has had it
    lost: list[int] = field(default_factory=list)  # for each processor: words that others have written since it had the line
    missed: dict[int, tuple[int, int]] = field(default_factory=dict)  # processor: word of a miss of which sharing, and what it had lost


def _data_references(trace: Trace, modes: Iterable[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Processor, physical address of the word, and whether it is a store, of all loads and stores."""
    wanted = list(modes)
    cpus, words, stores = [], [], []
    for chunk in trace.chunks(1_000_000):
        chosen = chunk[chunk["kind"].isin(["read", "write"]) & chunk["mode"].isin(wanted)]
        cpus.append(chosen["cpu"].to_numpy(np.int64))
        words.append(chosen["address"].to_numpy(np.int64) & -_WORD)
        stores.append((chosen["kind"] == "write").to_numpy(bool))
    if not cpus:
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, bool)
    return np.concatenate(cpus), np.concatenate(words), np.concatenate(stores)


def _shared_lines(cpus: np.ndarray, lines: np.ndarray, stores: np.ndarray) -> np.ndarray:
    """For each reference: have two processors accessed its line, and one of them stored?"""
    _, number = np.unique(lines, return_inverse=True)
    count = int(number.max()) + 1 if len(number) else 0
    low = np.full(count, 1 << 30)
    high = np.full(count, -1)
    stored = np.zeros(count, bool)
    np.minimum.at(low, number, cpus)
    np.maximum.at(high, number, cpus)
    np.logical_or.at(stored, number, stores)
    return ((low != high) & stored)[number]


class _Caches:
    """Caches without limit, whose lines are lost only to other processors' stores."""

    def __init__(self, line: int, cpus: int) -> None:
        self.line, self.cpus = line, cpus
        self.words: dict[int, _Word] = {}
        self.lines: dict[int, _Line] = {}

    def access(self, cpu: int, address: int, store: bool) -> None:
        bit = 1 << cpu
        word = self.words.setdefault(address, _Word())
        line = self.lines.get(address // self.line)
        if line is None:
            line = self.lines[address // self.line] = _Line(lost=[0] * self.cpus)
        place = 1 << address % self.line // _WORD
        if not line.held & bit:
            if line.had & bit:
                self._close(line, cpu)
                line.missed[cpu] = (address, line.lost[cpu])
            line.lost[cpu] = 0
            line.held |= bit
            line.had |= bit
        if cpu in line.missed and line.missed[cpu][1] & place:
            word.true += 1
            del line.missed[cpu]
        self._use(word, cpu, bit, store)
        if store:
            line.held = bit
            for other in range(self.cpus):
                if other != cpu:
                    line.lost[other] |= place

    @staticmethod
    def _use(word: _Word, cpu: int, bit: int, store: bool) -> None:
        if store:
            word.writes += 1
            word.writers |= bit
            if word.waiting == cpu:
                word.returned += 1
            word.waiting = -1
            word.owner = cpu
            word.seen = bit
        else:
            word.reads += 1
            word.readers |= bit
            if word.owner >= 0 and not word.seen & bit:
                word.handed += 1
                word.seen |= bit
                word.waiting = cpu
            elif word.waiting != cpu:
                word.waiting = -1

    def _close(self, line: _Line, cpu: int) -> None:
        """The last miss of the processor, if it is still open, was one of false sharing."""
        if cpu in line.missed:
            self.words[line.missed.pop(cpu)[0]].false += 1

    def end(self) -> None:
        for line in self.lines.values():
            for cpu in list(line.missed):
                self._close(line, cpu)


def _pattern(word: _Word) -> str:
    """The name of a word's sharing; of words without any misses that of their accesses."""
    if word.handed == 0:
        return "false"
    if 2 * word.returned > word.handed:
        return "migratory"
    if word.writers.bit_count() == 1 or 2 * word.handed > word.writes:
        return "producer-consumer"
    return "true"


def sharing(trace: Trace | str | os.PathLike[str], checkpoint: str | os.PathLike[str] | None = None, line: int = 32,
            modes: str | Iterable[str] = ("kernel",)) -> pd.DataFrame:
    """The words that processors share, most misses first: a row for each word of 4 bytes.

    `trace` has level 1 (`--trace`), of several processors; `checkpoint` the guest whose data has the
    names (`data_names`); `line` the bytes of a coherence block, a power of two; `modes` those whose loads and stores count.

    Columns: address (physical), name (variable and offset), pattern, readers and writers (processors), reads, writes,
    handed (times that a processor read what another had written), returned (of these: it was the next to write), and
    the coherence misses of caches without limit: true and false, of true and false sharing. A miss is one of true
    sharing if the processor accesses a word that others have written before it loses the line again (Dubois et al.,
    ISCA 1993), and counts for that word; a miss of false sharing for the word that missed.

    Patterns: migratory (most who read what another wrote write next), producer-consumer (one processor
    writes, or others read at least half of what is written), true (other words that are handed on), false (none is handed on).
    """
    if line < _WORD or line & (line - 1):
        raise QueryError(f"line is {line}: a power of two of at least {_WORD} bytes needed")
    wanted = [modes] if isinstance(modes, str) else list(modes)
    for mode in wanted:
        if mode not in MODES:
            raise QueryError(f"modes: {mode!r} is none of {', '.join(MODES)}")
    opened = trace if isinstance(trace, Trace) else Trace(trace)
    cpus, words, stores = _data_references(opened, wanted)
    shared = _shared_lines(cpus, words // line, stores)
    caches = _Caches(line, int(cpus.max()) + 1 if len(cpus) else 0)
    for cpu, word, store in zip(cpus[shared].tolist(), words[shared].tolist(), stores[shared].tolist()):
        caches.access(cpu, word, store)
    caches.end()
    found = {address: word for address, word in caches.words.items() if word.true or word.false or word.handed}
    names = data_names(found, checkpoint) if checkpoint is not None and found else {}
    rows = [{"address": address, "name": names.get(address, ""), "pattern": _pattern(word),
             "readers": word.readers.bit_count(), "writers": word.writers.bit_count(), "reads": word.reads,
             "writes": word.writes, "handed": word.handed, "returned": word.returned, "true": word.true, "false": word.false}
            for address, word in found.items()]
    columns = ["address", "name", "pattern", "readers", "writers", "reads", "writes", "handed", "returned", "true", "false"]
    frame = pd.DataFrame(rows, columns=columns)
    frame["misses"] = frame["true"] + frame["false"]
    return frame.sort_values(["misses", "address"], ascending=[False, True], ignore_index=True)


@dataclass
class Proposal:
    """What `propose` suggests. Addresses are physical."""

    update: pd.DataFrame  # the words for the page of updates, most misses first
    separate: pd.DataFrame  # words that get a line of their own
    private: pd.DataFrame  # counters of which each processor could have one: no map can do that
    layout: str  # lines of a layout map that puts the first two elsewhere (cache.layout)
    update_pages: str  # the value of cache.update_pages for it

    @property
    def update_bytes(self) -> int:
        """The bytes of the words for the page of updates; the paper's are about 380."""
        return _WORD * len(self.update)


def propose(shared: pd.DataFrame, spare: int, line: int = 32, least: int = 2, worth: float = 0.5) -> Proposal:
    """A layout with less sharing, for the words `shared` (`sharing()`) that have at least `least` misses.

    Words that are handed on from processor to processor (migratory with locks, producer-consumer, true) go to the page
    of updates at the physical address `spare`, as far as there is room, unless they have fewer than `worth` misses for each
    store: every store to a word that others have sends an update; words of false sharing to lines of `line` bytes
    of their own in the page behind it. Each changes places with 8 bytes there, so that nothing is lost; both pages
    should be ones that the kernel seldom uses.
    """
    if spare % PAGE:
        raise QueryError(f"spare is {spare:#x}: the address of a page needed")
    chosen = shared[(shared["misses"] >= least) & ((shared["address"] < spare) | (shared["address"] >= spare + 2 * PAGE))]
    handed = chosen[chosen["true"] >= chosen["false"]]
    counters = handed[(handed["pattern"] == "migratory") & (handed["reads"] <= 1.1 * handed["writes"]) & (handed["writers"] > 1)]
    moves: dict[int, int] = {}

    def take(frame: pd.DataFrame, first: int, step: int) -> pd.DataFrame:
        taken = []
        at = first
        for index, address in zip(frame.index, frame["address"].tolist()):
            unit = address & -_UNIT
            if unit not in moves:
                if at >= first + PAGE:
                    continue
                moves[unit] = at
                at += step
            taken.append(index)
        return frame.loc[taken]

    update = take(handed[handed["misses"] >= worth * handed["writes"]], spare, _UNIT)
    separate = take(chosen[chosen["true"] < chosen["false"]], spare + PAGE, line)
    lines = [f"data {unit:#x} {to:#x} {_UNIT}\ndata {to:#x} {unit:#x} {_UNIT}\n" for unit, to in sorted(moves.items())]
    pages = f"{spare:#x}-{spare + PAGE - 1:#x}" if len(update) else ""
    return Proposal(update, separate, counters, "".join(lines), pages)
