"""Counts of a ChampSim trace, as ChampSim itself reads it (inc/trace_instruction.h, inc/instruction.h).

    champsim.py FILE...        prints a line NAME COUNT for each count
"""
import collections
import struct
import sys
from collections.abc import Sequence

STACK, FLAGS, IP = 6, 25, 26


def branch_kind(written: Sequence[int], read: Sequence[int]) -> str:
    """The kind of branch that ChampSim takes an instruction with these registers for; "" if it is none."""
    if IP not in written:
        return ""
    other = any(number not in (0, STACK, FLAGS, IP) for number in read)
    if STACK not in read and FLAGS not in read and not other:
        return "direct_jump"
    if STACK not in read and IP not in read and FLAGS not in read and other:
        return "indirect"
    if STACK not in read and IP in read and STACK not in written and (FLAGS in read or other):
        return "conditional"
    if STACK in read and STACK in written and FLAGS not in read:
        if IP not in read:
            return "return"
        return "indirect_call" if other else "direct_call"
    return "other"


def main() -> None:
    """Read the files named on the command line."""
    counts: collections.Counter[str] = collections.Counter()
    for name in sys.argv[1:]:
        with open(name, "rb") as file:
            data = file.read()
        for record in struct.iter_unpack("<QBB2B4B2Q4Q", data):
            is_branch, taken = record[1:3]
            kind = branch_kind(record[3:5], record[5:9])
            counts["instructions"] += 1
            counts["loads"] += sum(address != 0 for address in record[11:15])
            counts["stores"] += sum(address != 0 for address in record[9:11])
            counts["misnamed"] += is_branch != (kind != "")
            if kind:
                counts[kind] += 1
                counts["taken"] += taken
            counts["eret"] += kind == "indirect" and 74 in record[5:9]
    for count in sorted(counts):
        print(count, counts[count])


main()
