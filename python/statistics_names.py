#!/usr/bin/env python3
"""Prints docs/schema/statistics-names.json, the units of all statistics, from what the program says of them.

    docs/statistics.sh SIMOS names | python/statistics_names.py >docs/schema/statistics-names.json        (`make docs`)

In a name of the result, what a frame has as a column is left out: the number behind "cpu" and the mode. N is any other
number.
"""

import json
import re
import sys

CACHES = ["l1i", "l1d", "l2i", "l2", "l3i", "l3"]
RESOURCES = ["bus.address", "bus.data", "bus.wires", "dram.bankN", *(f"cpu.{cache}.port" for cache in CACHES)]
MODELS = ["mipsy", "embra", "mxs"]

# Members of a service, of a process, and of an interval of over_time: docs/reference/file-formats.md, "Annotations".
FIGURES = {
    "cycles": "cycles", "insns": "instructions", "wait": "cycles", "stall": "cycles", "pipeline": "cycles",
    "interlock": "cycles", "miss": "misses", "class": "misses", "class_wait": "cycles", "mix": "instructions",
    "calls": "calls", "ended": "calls", "latency": "cycles", "nested": "cycles", "blocked": "cycles",
    "descheduled": "cycles", "dispatches": "dispatches", "queued": "cycles", "acquires": "acquisitions",
    "contended": "acquisitions",
    **{f"{cache}_{kind}": "misses" for cache in CACHES for kind in ("insn", "data")},
}  # fmt: skip
OTHERS = {"annotations.begun": "cycles", "annotations.seconds": "s", "annotations.events": "events"}


def names_of(name: str) -> list[str]:
    """The names of the result that a statistic stands for: that of the machine which the program was asked about, and of
    other machines those of the same kind: other caches, resources and kinds of prefetches. K is any CPU model."""
    name = re.sub(r"\.(user|kernel|idle)(?=\.|$)", "", re.sub(r"\bcpu(\d+|N)", "cpu", name))
    name = re.sub(r"\b(bank|disk|input|ip|uart)\d+(?=\.|$)", r"\1N", name)
    names = [name]
    if name.endswith(".K.insns"):
        names = [name.replace(".K.", f".{model}.") for model in MODELS]
    resource = re.match(r"(bus\.(?:address|data|wires)|dram\.bankN|cpu\.l\d[id]?\.port)\.", name)
    cache = re.match(r"cpu\.l\d[id]?\.", name)
    prefetch = re.match(r"cpu\.prefetch\.(?:insn|data|stream)\.", name)
    if resource:
        names = [one + name[len(resource.group(1)) :] for one in RESOURCES]
    elif cache:
        names = [f"cpu.{one}.{name[len(cache.group()) :]}" for one in CACHES]
    elif prefetch:
        names = [f"cpu.prefetch.{kind}.{name[len(prefetch.group()) :]}" for kind in ("insn", "data", "stream")]
    for one in list(names):
        divided = re.fullmatch(r"(cpu\.l\d[id]?\.(?:miss|evicted)\.)(?:(?:insn|data)\.)?(.*)", one)
        if divided:
            names += [divided.group(1) + kind + divided.group(2) for kind in ("", "insn.", "data.")]
    return list(dict.fromkeys(names))


def main() -> None:
    statistics: dict[str, dict[str, str]] = {}
    for line in sys.stdin:
        name, unit, text = line.rstrip("\n").split("\t")
        for one in names_of(name):
            statistics.setdefault(one, {"unit": unit, "text": text})
    if len(statistics) < 300:
        sys.exit(f"statistics_names.py: only {len(statistics)} statistics")
    for name, unit in OTHERS.items():
        statistics[name] = {"unit": unit, "text": ""}
    # A line each, as docs/schema/measures.json has them.
    rows = (f"  {json.dumps(name)}: {json.dumps(row, ensure_ascii=False)}" for name, row in statistics.items())
    print('{\n "format": 1,\n "statistics": {', ",\n".join(rows), " },", sep="\n")
    print(f' "figures": {json.dumps(FIGURES)}', "}", sep="\n")


if __name__ == "__main__":
    main()
