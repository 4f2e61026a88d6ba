#!/usr/bin/env python3
"""Prints docs/schema/statistics-names.json, the units of all statistics, from the tables of docs/reference/statistics.md.

    python/statistics_names.py docs/reference/statistics.md >docs/schema/statistics-names.json        (`make docs`)

In a name of the result, what a frame has as a column is left out: the number behind "cpu" and the mode. N is any other
number.
"""

import json
import re
import sys

CACHES = ["l1i", "l1d", "l2i", "l2", "l3i", "l3"]
RESOURCES = ["bus.address", "bus.data", "bus.wires", "dram.bankN", *(f"cpuN.{cache}.port" for cache in CACHES)]

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


def expand(name: str, text: str) -> list[str]:
    """The names that the `name` of a row stands for. Its `text` lists K. X is any cache: the page lists those of one
    machine."""
    names = [name]
    if re.search(r"\.K(\.|$)", name):
        listed = re.search(r"\bK: (.*)", text)
        words = re.findall(r"`([^`]+)`", listed.group(1) if listed else text)
        names = [re.sub(r"\.K(?=\.|$)", f".{word}", one) for one in names for word in words]
    names = [one.replace(".X.", f".{cache}.") for one in names for cache in CACHES]
    if name.startswith("R."):
        names = [resource + one[1:] for one in names for resource in RESOURCES]
    names = [one.replace(".P.", f".{kind}.") for one in names for kind in ("insn", "data", "stream")]
    for one in list(names):
        divided = re.fullmatch(r"(cpuN\.l\d[id]?\.(?:miss|evicted)\.)(.*)", one)
        if divided:
            names += [f"{divided.group(1)}{kind}.{divided.group(2)}" for kind in ("insn", "data")]
    return list(dict.fromkeys(names))


def path_of(name: str) -> str:
    """The name without the parts that are columns of a frame."""
    return re.sub(r"\.M(?=\.|$)", "", re.sub(r"\bcpuN", "cpu", name))


def main() -> None:
    statistics: dict[str, dict[str, str]] = {}
    with open(sys.argv[1], encoding="utf-8") as page:
        for line in page:
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            if len(cells) != 3 or not cells[0].startswith("`"):
                continue
            row = re.findall(r"`([^`]+)`", cells[0])
            units = [unit.strip() for unit in cells[1].split(",")]
            text = re.sub(r"\. [KX]: `.*", "", cells[2]).replace("\\|", "|")
            text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
            for number, name in enumerate(row):
                unit = units[number] if len(units) == len(row) else units[0]
                for full in expand(name, cells[2]):
                    statistics[path_of(full)] = {"unit": unit, "text": text}
    if len(statistics) < 300:
        sys.exit(f"{sys.argv[1]}: only {len(statistics)} statistics")
    for name, unit in OTHERS.items():
        statistics[name] = {"unit": unit, "text": ""}
    # A line each, as docs/schema/measures.json has them.
    rows = (f"  {json.dumps(name)}: {json.dumps(row, ensure_ascii=False)}" for name, row in statistics.items())
    print('{\n "format": 1,\n "statistics": {', ",\n".join(rows), " },", sep="\n")
    print(f' "figures": {json.dumps(FIGURES)}', "}", sep="\n")


if __name__ == "__main__":
    main()
