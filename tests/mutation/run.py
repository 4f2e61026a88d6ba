"""Which part of the tests finds which planted fault.

run.py TREE RESULTS [options]     TREE is what plant.py made; RESULTS grows by a line for whatever was run

First each part of the tests (`make list-parts`) runs once without a fault: the processor time that it takes and the faults
whose code it executes. Then each fault is tried with the parts that reach it until one fails, first those that are cheap,
reach few faults and have a name like the file. A run that was interrupted goes on where it was. A process of a part has
five times the part's processor time and 20 s, the part ten times as much of the clock; one that needs more has failed, if
without the fault it does not need more at that moment.

--parts PART...   only these, a part KIND/NAME or a kind. Left out otherwise: parts that test no simulator, that compile a
                  simulator of their own, or that run another one
--jobs N          so many at once (the number of processors)
--most SECONDS    no part that takes longer
--only reach      the first step alone; --only faults: the second alone, with what the first has found so far
--report          only prints what RESULTS says
"""

import argparse
import heapq
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import plant

SIZE = 4096  # MUTANTS_MAX
HERE = Path("tests/mutation").resolve()
LEFT_OUT = (
    *("runner", "layout", "adding", "bench", "hostile", "corpus", "port", "fuzz"),
    *("cprogs/native", "diff/fuzz_instructions", "cli/packages"),
)


def is_one_of(part: str, names: Iterable[str]) -> bool:
    """Whether NAMES have the part or its kind."""
    return part in names or part.split("/")[0] in names


@dataclass
class Results:
    """What has been run, as the file has it."""

    path: Path
    seconds: dict[str, float] = field(default_factory=dict)  # of processor time, by part; of those that pass without a fault
    broken: set[str] = field(default_factory=set)
    reached: dict[str, set[int]] = field(default_factory=dict)
    tried: dict[int, dict[str, str]] = field(default_factory=dict)  # by fault and part: pass, fail, time
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, row: list[str]) -> None:
        if row[0] == "part":
            part, outcome, seconds = row[1], row[2], float(row[3])
            if outcome == "pass":
                self.seconds[part] = seconds
                self.reached[part] = {int(number) for number in row[4].split()}
                self.broken.discard(part)
            else:
                self.broken.add(part)
        else:
            self.tried.setdefault(int(row[1]), {})[row[2]] = row[3]

    def read(self) -> None:
        if self.path.exists():
            for line in self.path.read_text().splitlines():
                self.take(line.split("\t"))

    def add(self, *row: object) -> None:
        words = [str(word) for word in row]
        with self.lock:
            with self.path.open("a") as file:
                file.write("\t".join(words) + "\n")
            self.take(words)

    def left(self, number: int, most: float) -> list[str]:
        """The parts with which a fault is to be tried yet, none if one has failed."""
        tried = self.tried.get(number, {})
        if any(outcome != "pass" for outcome in tried.values()):
            return []
        parts = [part for part in self.seconds if number in self.reached[part] and part not in tried and self.seconds[part] <= most]
        return parts

    def cost(self, part: str, path: str) -> float:
        """What is tried first has the least: seconds, for a part that is likely to find a fault in PATH fewer."""
        alike = set(re.split(r"\W|_", Path(path).stem)) & set(re.split(r"\W|_", part.split("/")[1]))
        return (self.seconds[part] + 0.2) * len(self.reached[part]) / (10 if alike else 1)


class Runner:
    """Runs parts in TREE."""

    def __init__(self, tree: Path, scratch: Path) -> None:
        self.tree, self.scratch = tree, scratch

    def run(self, part: str, fault: int, limit: float) -> tuple[str, float, set[int]]:
        """PART with a fault, 0: none. Returns pass, fail or time; seconds of processor time; the faults that it reached."""
        work = Path(tempfile.mkdtemp(dir=self.scratch))
        reached = work / "reached"
        reached.write_bytes(bytes(SIZE))
        environment = plant.environment(self.tree) | {"SIMOS_MUTANT": str(fault), "SIMOS_MUTANTS_REACHED": str(reached)}
        environment["LIMIT_MOST"] = str(int(limit))
        target = f"part-{part.replace('/', '-')}"
        with (work / "output").open("wb") as output:
            process = subprocess.Popen(
                [HERE / "isolate.sh", str(work), f"ulimit -S -t {int(limit)}; make --no-print-directory {target}"],
                cwd=self.tree,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            late = threading.Event()

            def end() -> None:
                late.set()
                os.killpg(process.pid, signal.SIGKILL)

            clock = threading.Timer(limit * 10, end)
            clock.start()
            _, status, usage = os.wait4(process.pid, 0)
            clock.cancel()
            process.returncode = status
        outcome = "time" if late.is_set() else "fail" if status else "pass"
        numbers = {number for number, byte in enumerate(reached.read_bytes()) if byte}
        if not fault and outcome != "pass":
            kept = self.scratch / f"{target}.log"
            shutil.copy(work / "output", kept)
            print(f"{part} {outcome}s without a fault: {kept}", flush=True)
        shutil.rmtree(work, ignore_errors=True)
        return outcome, usage.ru_utime + usage.ru_stime, numbers


def reach(runner: Runner, parts: list[str], results: Results, jobs: int) -> None:
    """The first step."""

    def one(part: str) -> None:
        outcome, seconds, numbers = runner.run(part, 0, 1200)
        results.add("part", part, outcome, f"{seconds:.2f}", " ".join(map(str, sorted(numbers))))

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(one, [part for part in parts if part not in results.seconds]))


def try_faults(runner: Runner, parts: list[str], paths: dict[int, str], results: Results, jobs: int, most: float) -> None:
    """The second step, for the faults PATHS: of all faults the one whose next part costs least."""
    queue: list[tuple[float, int, str]] = []
    waiting = threading.Condition()
    busy = 0

    def push(number: int) -> None:
        left = [(results.cost(part, paths[number]), number, part) for part in results.left(number, most) if part in parts]
        if left:
            heapq.heappush(queue, min(left))

    def work() -> None:
        nonlocal busy
        while True:
            with waiting:
                while not queue and busy:
                    waiting.wait()
                if not queue:
                    return
                _, number, part = heapq.heappop(queue)
                busy += 1
            limit = 5 * results.seconds[part] + 20
            outcome, spent, _ = runner.run(part, number, limit)
            # It may be the machine that had no time: then it is tried by the next run of this program.
            known = outcome != "time" or runner.run(part, 0, limit)[0] == "pass"
            if known:
                results.add("try", number, part, outcome, f"{spent:.2f}")
            with waiting:
                busy -= 1
                if known:
                    push(number)
                waiting.notify_all()

    for number in paths:
        push(number)
    with ThreadPoolExecutor(jobs) as pool:
        for done in [pool.submit(work) for _ in range(jobs)]:
            done.result()


def report(table: dict[int, list[str]], results: Results) -> None:
    """A line for each fault: file, line, operator, change, what found it; then how many each kind found."""
    kinds: dict[str, int] = {}
    for number, (path, line, operator, change) in sorted(table.items()):
        tried = results.tried.get(number, {})
        found = [(part, outcome) for part, outcome in tried.items() if outcome != "pass"]
        left = results.left(number, float("inf"))
        if found:
            verdict = f"caught by {found[0][0]}" + (" (takes too long)" if found[0][1] == "time" else "")
            kind = f"caught by {found[0][0].split('/')[0]}"
        elif left:
            verdict = kind = "not decided"
            verdict += f": {len(tried)} of {len(tried) + len(left)} parts pass"
        elif tried:
            kind, verdict = "survived", f"survived: {len(tried)} parts pass"
        else:
            kind = verdict = "survived: no part reaches it"
        kinds[kind] = kinds.get(kind, 0) + 1
        print(f"{number}\t{path}:{line}\t{operator}\t{change}\t{verdict}")
    print(f"{len(results.seconds)} parts" + (f"; these fail without a fault: {', '.join(sorted(results.broken))}" if results.broken else ""))
    print("; ".join(f"{count} {kind}" for kind, count in sorted(kinds.items(), key=lambda one: -one[1])))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--parts", nargs="+")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--most", type=float, default=float("inf"))
    parser.add_argument("--only", choices=("reach", "faults"))
    parser.add_argument("--report", action="store_true")
    options = parser.parse_args()
    tree = options.tree.resolve()
    rows = [line.split("\t", 4) for line in (tree / "mutants.tsv").read_text().splitlines()]
    table = {int(row[0]): row[1:] for row in rows}
    results = Results(options.results.resolve())
    results.read()
    if options.report:
        report(table, results)
        return
    listed = plant.make(tree, "-s", "list-parts").stdout.split()
    if options.parts:
        parts = [part for part in listed if is_one_of(part, options.parts)]
    else:
        parts = [part for part in listed if not is_one_of(part, LEFT_OUT)]
    made = plant.make(tree, *(f"needs-{part.replace('/', '-')}" for part in parts))
    if made.returncode:
        print(f"{made.stdout}\nrun.py: {tree}: not all programs of the tests can be made", file=sys.stderr)
    scratch = Path(tempfile.mkdtemp(prefix="simos-mutation."))
    runner = Runner(tree, scratch)
    if options.only != "faults":
        reach(runner, parts, results, options.jobs)
    if options.only != "reach":
        try_faults(runner, parts, {number: row[0] for number, row in table.items()}, results, options.jobs, options.most)
    report(table, results)


if __name__ == "__main__":
    main()
