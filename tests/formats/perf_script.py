"""Compares the samples of each event in a text of `perf script`, as the package gprof2dot reads it, with the sums of
routines in a callgrind profile of the same run.

    perf_script.py FILE.perf FILE.callgrind EVENT=NAME...   NAME is the event's in the callgrind file
"""
import collections
import io
import re
import sys

import gprof2dot

# What speedscope and FlameGraph's stackcollapse-perf.pl look for in the first line of a sample.
HEADER = re.compile(r"^(\S.+?)\s+(\d+)/*(\d+)*\s+\d+\.\d+:\s*(\d+)*\s+(\S+):\s*$")


def read_sums(path: str) -> dict[str, collections.Counter[str]]:
    """The costs of each routine, by event, in a callgrind profile."""
    sums: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    events: list[str] = []
    routine, is_call = "", False
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("events:"):
                events = line.split()[1:]
            elif line.startswith("fn="):
                routine = line[3:].strip()
            elif line.startswith("0x") and not is_call:
                for event, cost in zip(events, line.split()[1:]):
                    sums[event][routine] += int(cost)
            is_call = line.startswith("calls=")
    return sums


def main() -> None:
    """Compare the files named on the command line: a line for each event."""
    sums = read_sums(sys.argv[2])
    samples: dict[str, list[str]] = collections.defaultdict(list)
    periods: dict[str, int] = {}
    times: dict[str, float] = collections.defaultdict(float)
    with open(sys.argv[1], encoding="utf-8") as file:
        for sample in file.read().split("\n\n")[:-1]:
            header = sample.split("\n")[0]
            found = HEADER.match(header)
            if not found:
                sys.exit(f"no header of a sample: {header}")
            event, time = found[5], float(header.split(":")[0].split()[-1])
            if periods.setdefault(event, int(found[4])) != int(found[4]) or time <= times[event]:
                sys.exit(f"the period or the time of a sample: {header}")
            times[event] = time
            samples[event].append(sample)
    for words in sys.argv[3:]:
        event, name = words.split("=")
        profile = gprof2dot.PerfParser(io.StringIO("\n\n".join(samples[event]) + "\n\n")).parse()
        read: collections.Counter[str] = collections.Counter()
        for function in profile.functions.values():
            read[function.name] += function[gprof2dot.SAMPLES]
        # Each stretch of code of a routine is right to within one period; some names are those of several stretches.
        wrong = [routine for routine in read.keys() | sums[name].keys()
                 if abs(read[routine] * periods[event] - sums[name][routine]) >= 3 * periods[event]]
        total = sum(sums[name].values())
        print(f"{event}: {'all' if total // periods[event] == read.total() else read.total()} samples,"
              f" {'enough' if 5000 <= read.total() <= 10000 else 'too few or many'}, {len(wrong)} routines differ {wrong[:3]}")


if __name__ == "__main__":
    main()
