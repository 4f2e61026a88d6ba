"""What the program of placement, hints and shifts prints (workloads/byte-copying/policies.c), as tables and measures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from simoslab.host_files import read_text

from pages.claims import ALL
from pages.copies import ASSISTS, MACHINES, Copies, by_machine
from pages.numbers import fixed
from pages.tables import Row

PAGES = 64  # of the file that is read, and of the stream
BUFFERS = ("fixed", "moving")
POLICIES = {
    "any": "the next place in the cache for each page",
    "conflicting": "the place of the user's buffer",
    "apart": "the next place, but not that of the buffer of the read before",
    "region": "one place for all pages of the file",
}
# What is counted of each kind of line.
COUNTS = {"read": ("copy", "after"), "stream": ("copy", "after", "use"), "shift": ("cycles",)}


class Policies:
    """The cycles by machine, assist cache, and what stands in front of them: ("read", POLICY, BUFFER), ..."""

    def __init__(self, out: Path) -> None:
        self.cycles: dict[tuple[str, int], dict[tuple[str, ...], dict[str, int]]] = {}
        for machine, assist in ASSISTS:
            lines = read_text(out / f"{machine}-{assist}.policies").splitlines()
            found = self.cycles[machine, assist] = {}
            for words in map(str.split, lines):
                names = COUNTS[words[0]]
                found[tuple(words[: -len(names)])] = dict(zip(names, map(int, words[-len(names) :])))

    def read(self, machine: str, policy: str, buffer: str) -> dict[str, int]:
        """Cycles of the reads of a file, and of the program's own data afterwards."""
        return self.cycles[machine, 0]["read", policy, buffer]

    def stream(self, machine: str, hint: str) -> dict[str, int]:
        """Cycles of copies past the assist cache, of the program's own data, and of the destination used at once."""
        return self.cycles[machine, 64]["stream", hint]

    def shifts(self, machine: str) -> list[float]:
        """What one and two instructions a word in front of its store add to a copy, hot to hot, in percent."""
        none, *others = (self.cycles[machine, 0]["shift", str(count)]["cycles"] for count in range(3))
        return [(other / none - 1) * 100 for other in others]


WITH_ASSIST = [machine for machine in MACHINES if (machine, 64) in ASSISTS]


def tables_of(policies: Policies, copies: Copies, name: Any) -> dict[str, list[list[Any]]]:
    """The rows of the page's tables; NAME writes a machine's name."""
    reads, streams, shifts = [], [], []
    for machine in MACHINES:
        for policy, what in POLICIES.items():
            cells = [policies.read(machine, policy, buffer) for buffer in BUFFERS]
            copied = [fixed(cell["copy"] / PAGES, 0) for cell in cells]
            reads.append([name(machine), what, *copied, *(cell["after"] for cell in cells)])
        one, two = policies.shifts(machine)
        words = [copies.of(3, machine)[offset] for offset in (0, 1)]
        here, paper = ((words[1][source] / words[0][source] - 1) * 100 for source in ("here", "paper"))
        shifts.append([name(machine), *(f"{fixed(value, 1)} %" for value in (one, two, here, paper))])
    for machine in WITH_ASSIST:
        for hint, what in (("none", "without"), ("streamed", "with")):
            cell = policies.stream(machine, hint)
            streams.append([name(machine), what, fixed(cell["copy"] / PAGES, 0), cell["after"], cell["use"]])
    return {"reads": reads, "streams": streams, "shifts": shifts}


def parts_of_read(copies: Copies, read: Row) -> Row:
    """Why a read() varies less than the copy in it: the copy alone, what the kernel does beside it, and what the read
    would take if the kernel copied double words."""
    machine, doubles = read["machine"], copies.doubles(read["machine"])
    words = [copies.in_loop(machine, "memcpy", placement) for placement in ("apart-loop", "same-loop")]
    pairs = [copies.in_loop(machine, doubles, placement) for placement in ("apart-loop", "same-loop")]
    rest = read["apart"]["cycles"] - words[0]
    return {
        "machine": machine,
        "read": read["same"]["cycles"] / read["apart"]["cycles"],
        "rest": rest,
        "words": words[1] / words[0],
        "doubles": pairs[1] / pairs[0],
        "read_of_doubles": (pairs[1] + rest) / (pairs[0] + rest),
    }


def put_back(policies: Policies, copies: Copies, reads: list[Row], here: dict[str, dict[str, Any]]) -> dict[str, dict[str, dict[str, Any]]]:
    """The cases of the experiments of claims.toml: by claim, experiment and machine; HERE has those without. A shift that is one instruction as on
    PA-RISC is that of the loop of shifts; the copy that misses, clean to clean, hides it, as it is measured with two."""

    def shift(machine: str) -> dict[str, float]:
        return here["alignment"][machine.removeprefix("hp-")] | {"hot": policies.shifts(machine)[0]}

    times = {read["machine"].removeprefix("hp-"): parts_of_read(copies, read)["words"] for read in reads if read["assist"] == 0}
    return {
        "alignment": {"shift": by_machine(shift)},
        "alignment_machines": {"shift": {ALL: by_machine(lambda m: policies.shifts(m)[0], MACHINES, "hot_")}},
        "read": {"copy": {ALL: {"times": times, "most": max(times.values())}}},
    }


def measures_of(policies: Policies) -> dict[str, dict[str, Any]]:
    """The measures of claims.toml by claim and machine."""

    def copy(machine: str, policy: str, buffer: str) -> float:
        return policies.read(machine, policy, buffer)["copy"] / PAGES

    def after(machine: str, policy: str) -> int:
        return policies.read(machine, policy, "fixed")["after"]

    def stream(machine: str, what: str) -> dict[str, int]:
        names = {"without": "none", "with_hint": "streamed"}
        return {name: policies.stream(machine, hint)[what] for name, hint in names.items()}

    return {
        "placed_apart": by_machine(
            lambda m: {"conflicting": copy(m, "conflicting", "fixed"), "apart": copy(m, "apart", "fixed")}
        ),
        "placed_moving": by_machine(
            lambda m: {"conflicting": copy(m, "conflicting", "moving"), "apart": copy(m, "apart", "moving")}
        ),
        "placed_region": by_machine(
            lambda m: {
                "copies": copy(m, "region", "fixed"),
                "others": copy(m, "any", "fixed"),
                "after": after(m, "region"),
                "flushed": after(m, "any"),
            }
        ),
        "stream_hint": by_machine(lambda m: stream(m, "after"), WITH_ASSIST),
        "stream_use": by_machine(lambda m: stream(m, "use"), WITH_ASSIST),
    }
