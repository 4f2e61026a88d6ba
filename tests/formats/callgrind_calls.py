"""Compares what routines cost, with all that they call, with what their callers were charged for them, in a callgrind
profile, which the package gprof2dot can read.

    callgrind_calls.py FILE.callgrind          prints the routines whose callers have not all of it, and the part of all
                                               costs that they miss
    callgrind_calls.py FILE.callgrind ROUTINE  prints what ROUTINE calls, and what each of these costs there
"""
import collections
import sys

import gprof2dot

Costs = dict[str, list[int]]


def main() -> None:
    """Read the file that the command line names."""
    own: Costs = collections.defaultdict(list)
    paid: Costs = collections.defaultdict(list)
    charged: Costs = collections.defaultdict(list)
    calls: dict[tuple[str, str], list[int]] = collections.defaultdict(list)
    routine, callee, count = "", "", 0
    summary: list[int] = []

    def add(costs: list[int], more: list[int]) -> None:
        costs[:] = [a + b for a, b in zip(costs or [0] * len(more), more)]

    with open(sys.argv[1], encoding="utf-8") as file:
        for line in file:
            key, _, value = line.rstrip("\n").partition("=")
            if line.startswith("summary:"):
                summary = [int(word) for word in line.split()[1:]]
            elif key == "fn":
                routine = value
            elif key == "cfn":
                callee = value
            elif key == "calls":
                count = int(value.split()[0])
            elif line.startswith("0x"):
                costs = [int(word) for word in line.split()[1:]]
                if count:
                    add(paid[routine], costs)
                    add(charged[callee], costs)
                    add(calls[routine, callee], [count, *costs])
                else:
                    add(own[routine], costs)
                count = 0
    if len(sys.argv) > 2:
        for (caller, called), costs in sorted(calls.items()):
            if caller == sys.argv[2]:
                print(called, *costs)
        return
    nothing = [0] * len(summary)
    missed = {}
    for name in own.keys() | paid.keys() | charged.keys():
        whole = [a + b for a, b in zip(own.get(name, nothing), paid.get(name, nothing))]
        less = [a - b for a, b in zip(whole, charged.get(name, nothing))]
        if any(less):
            missed[name] = less
    for name in sorted(missed):
        print(name, *missed[name], "of", *summary)
    with open(sys.argv[1], encoding="utf-8") as file:
        gprof2dot.CallgrindParser(file).parse()


if __name__ == "__main__":
    main()
