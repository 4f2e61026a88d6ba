"""Asks the past when a line last entered a cache, left it, or missed in it, and compares with a model that a trace drives.

    last_lines.py SIMOS CHECKPOINT COUNT SEED LAST COMMAND...

COMMAND runs from the boot CHECKPOINT, on machine 1994 with a second level for data alone, up to instruction LAST: once with a
trace of its loads and stores, once in a shell with --history. The model has the first-level data cache, of two ways, least
recently used, and the direct-mapped second level, which includes it. It does not know which of the guest's CACHE instructions are
for data; where one names a line that is in the cache, the set is in doubt until two other lines have been used in it, and no line
of it is asked for whose last event may lie there. COUNT lines are drawn from the others. `history when` must say the model's
cycle, but for the stall, and its reason; `history why` the same two events. The last line: "last_lines: N passed, N failed".
"""

import os
import random
import subprocess
import sys
import tempfile

LINE, SETS, L2_LINE, L2_SETS = 16, 512, 128, 8192
STALL_MOST = 2000  # cycles
MACHINE = ["--machine", "1994", "--cpu", "embra", "--set", "cache.l2.split=on"]


class Caches:
    """What is in both caches, and the last events of each line: {line: {what: (cycle, why)}}."""

    def __init__(self):
        self.sets = [[] for _ in range(SETS)]  # the line used last is the last one
        self.outer = {}
        self.events = {}
        self.doubt = [None] * SETS  # lines used since the doubt began; None: there is none
        self.doubted = [-1] * SETS  # the cycle up to which the set was last in doubt

    def note(self, line, what, cycle, why=""):
        self.events.setdefault(line, {})[what] = (cycle, why)

    def use(self, address, cycle):
        line, number, outer = address // LINE, address // LINE % SETS, address // L2_LINE
        victim = self.outer.get(outer % L2_SETS)
        if victim != outer:
            self.outer[outer % L2_SETS] = outer
            if victim is not None:
                self.leave_outer(victim, cycle)
        lines = self.sets[number]
        if line in lines:
            lines.remove(line)
        else:
            if len(lines) == 2:
                self.note(lines.pop(0), "left", cycle, "replacement")
            for what in ("missed", "entered"):
                self.note(line, what, cycle)
            self.events[line]["cause"] = self.events[line].get("left")
        lines.append(line)
        if self.doubt[number] is not None:
            self.doubt[number].add(line)
            self.doubted[number] = cycle
            if len(self.doubt[number]) == 2:
                self.doubt[number] = None

    def leave_outer(self, victim, cycle):
        for line in range(victim * L2_LINE // LINE, (victim + 1) * L2_LINE // LINE):
            if line in self.sets[line % SETS]:
                self.sets[line % SETS].remove(line)
                self.note(line, "left", cycle, "back-invalidation")

    def operate(self, address, cycle):
        line, number = address // LINE, address // LINE % SETS
        if line in self.sets[number] or self.doubt[number] is not None:
            self.doubt[number] = set()
            self.doubted[number] = cycle


def run_model(simos, checkpoint, last, command, folder):
    trace = os.path.join(folder, "lines.trace")
    settings = {"trace.kinds": "read,write,cache-op,flush,dma-read,dma-write", "trace.times": "on"}
    words = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    subprocess.run(
        [simos, "restore", checkpoint, *MACHINE, "--quiet", "--table", "none", "--max-insns", str(last), "--trace", trace, *words,
         "--", *command],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    caches = Caches()
    with subprocess.Popen([simos, "trace", "--format", "references", trace], stdout=subprocess.PIPE, text=True) as text:
        for row in text.stdout:
            _, _, _, kind, physical, _, size, cycle = row.split()
            if kind in ("read", "write"):
                first = int(physical, 16)
                for address in {first, (first + int(size) - 1)}:
                    caches.use(address, int(cycle))
            elif kind == "cache-op":
                caches.operate(int(physical, 16), int(cycle))
            elif kind != "instructions":
                sys.exit(f"last_lines: a reference of kind {kind}, which the model does not know")
    return caches


def choose(caches, count, seed):
    """Lines, what is asked of each, and the answer: (line, what, (cycle, why))."""
    rng = random.Random(seed)
    asked = []
    for line, events in caches.events.items():
        if caches.doubt[line % SETS] is not None:
            continue
        certain = caches.doubted[line % SETS] + STALL_MOST
        for what in ("entered", "left", "missed"):
            if what in events and events[what][0] > certain:
                asked.append((line, what, events[what]))
        cause = events.get("cause")
        if cause and cause[0] > certain:
            asked.append((line, "why", (events["missed"][0], *cause)))
    return rng.sample(asked, min(count, len(asked))), len(asked)


def answers(simos, checkpoint, last, command, folder, asked):
    script = os.path.join(folder, "ask.tcl")
    with open(script, "w", encoding="utf-8") as file:
        file.write(f"restore {checkpoint} -machine 1994 cpu.model embra cache.l2.split on -- " + " ".join("{" + word + "}" for word in command))
        file.write(f"\nrun -insns [expr {{{last} - [insns]}}]\n")
        file.write("proc get {dict key} {if {[dict exists $dict $key]} {dict get $dict $key} else {list -}}\n")
        for line, what, _ in asked:
            if what == "why":
                file.write(f"set why [history why {line * LINE:#x} -physical]\n"
                           "puts \"[get [get $why miss] cycle] [get [get $why cause] cycle] [get [get $why cause] why]\"\n")
            else:
                file.write(f"set event [history when {line * LINE:#x} {what} -physical]\nputs \"[get $event cycle] [get $event why]\"\n")
    run = subprocess.run([simos, "shell", "--quiet", "--history=every=300000", script],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    sys.stderr.write(run.stderr)
    return [row.split() for row in run.stdout.splitlines()[-len(asked):]]


def is_same(told, expected):
    cycles = [value for value in expected if isinstance(value, int)]
    whys = [value for value in expected if isinstance(value, str) and value]
    found = told[: len(cycles)]
    return (len(found) == len(cycles)
            and all(number.isdigit() and abs(int(number) - cycle) <= STALL_MOST for number, cycle in zip(found, cycles))
            and [word for word in told[len(cycles):] if word != "-"] == whys)


def main():
    simos, checkpoint = sys.argv[1:3]
    count, seed, last = map(int, sys.argv[3:6])
    command = sys.argv[6:]
    with tempfile.TemporaryDirectory() as folder:
        caches = run_model(simos, checkpoint, last, command, folder)
        asked, possible = choose(caches, count, seed)
        told = answers(simos, checkpoint, last, command, folder, asked)
    told += [[]] * (len(asked) - len(told))
    failed = 0
    for (line, what, expected), answer in zip(asked, told):
        if not is_same(answer, expected):
            failed += 1
            print(f"FAIL {what} of line {line * LINE:#010x}: {' '.join(answer)}; the model: {expected}")
    print(f"{len(caches.events)} lines; {possible} questions have an answer that is not in doubt")
    print(f"last_lines: {len(asked) - failed} passed, {failed} failed")
    sys.exit(failed > 0 or len(asked) < count)


main()
