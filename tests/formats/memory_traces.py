"""Counts of traces for memory simulators, read as these programs read them.

    memory_traces.py ramulator|ramulator-cpu|dramsys FILE...        prints a line NAME COUNT for each count

ramulator: README.md, "Usage", and src/Processor.cpp, get_dramtrace_request(): an address in base 16, then R or W.
ramulator-cpu: get_unfiltered_request(): the number of instructions before, in base 10; an address in the base that its
prefix says; R or W, without which it is read.
dramsys: configs/README.md, "STL Traces", and StlPlayer.cpp: cycle, perhaps a length in parentheses, command, address in
base 16; lines of one character and those that begin with # are left out.
A line that the program would refuse, or take for another one, is an error here.
"""
import collections
import re
import sys

LINES = {
    "ramulator": re.compile(r"(?P<address>0x[0-9a-f]+) (?P<command>[RW])\n"),
    "ramulator-cpu": re.compile(r"(?P<before>\d+) (?P<address>0|[1-9]\d*) (?P<command>[RW])\n"),
    "dramsys": re.compile(r"(?P<cycle>\d+): (?:\(\d+\) )?(?P<command>read|write) (?P<address>0x[0-9a-f]+)\n"),
}


def main() -> None:
    """Read the files named on the command line."""
    counts: collections.Counter[str] = collections.Counter()
    for name in sys.argv[2:]:
        last = 0
        with open(name, encoding="ascii") as file:
            for number, line in enumerate(file, 1):
                found = LINES[sys.argv[1]].fullmatch(line)
                if not found:
                    sys.exit(f"{name}:{number}: {line!r}")
                fields = found.groupdict()
                address = int(fields["address"], 0)
                if address >= 1 << 32:
                    sys.exit(f"{name}:{number}: an address of more than 32 bits")
                counts["writes" if fields["command"].lower().startswith("w") else "reads"] += 1
                counts["addresses"] += address
                counts["before"] += int(fields.get("before") or 0)
                counts["backwards"] += int(fields.get("cycle") or 0) < last
                last = int(fields.get("cycle") or 0)
    for name in ("reads", "writes", "addresses", "before", "backwards"):
        print(name, counts[name])


if __name__ == "__main__":
    main()
