"""A statistics file small enough to see every number of, for the tests that need no simulator."""

from __future__ import annotations

import copy
from typing import Any

STALLS = {"l1i": 30, "l2i": 10, "l1d": 5, "l2d": 4, "upgrade": 0, "write_buffer": 0, "uncached": 1}


def figures(cycles: int, insns: int, wait: int, stall: dict[str, int]) -> dict[str, Any]:
    return {"cycles": cycles, "insns": insns, "wait": wait, "stall": dict(stall)}


def statistics(machine: str = "1994") -> dict[str, Any]:
    """Two processors; each 100 cycles in user mode (of them 50 stall), 60 in the kernel, 40 idle in `wait`."""
    nothing = {name: 0 for name in STALLS}
    mode = {
        "user": {**figures(100, 50, 0, STALLS), "execute": 50},
        "kernel": {**figures(60, 20, 0, {**nothing, "l2d": 30}), "execute": 30, "pipeline": {"fetch": 10}},
        "idle": {**figures(40, 0, 40, nothing), "execute": 0},
    }
    cpu = {"mode": mode, "cycles": 200, "insns": 70, "l1d": {"read_misses": 7}, "off": 0}
    services = {
        "USER": {"calls": 0, "ended": 0, **figures(200, 100, 0, {name: 2 * n for name, n in STALLS.items()})},
        "write": {"calls": 3, "ended": 3, **figures(120, 40, 0, {**nothing, "l2d": 60}), "latency": 130},
    }
    return {
        "simos": {"version": "0.9", "commit": "0123abcd"},
        "machine": {"name": machine, "model": "mipsy", "command": "'ls'\n", "time": 200, "seconds": 1e-06, "insns": 140},
        "cpu0": copy.deepcopy(cpu),
        "cpu1": copy.deepcopy(cpu),
        "disk0": {"reads": 4, "utilisation": None},
        "parameters": {"cpu": {"clock": "200MHz"}, "cache": {"l2": {"size": "1M"}}},
        "annotations": {
            "services": services,
            "processes": [
                {"pid": 7, "tgid": 7, "name": "ls", "user": services["USER"], "services": {"write": {"cycles": 120}}},
                {"pid": 8, "tgid": 8, "name": "ls", "user": figures(0, 0, 0, nothing)},
            ],
            "misses": {
                "columns": ["mode", "service", "process", "routine", "data", "cache", "class", "misses", "stall"],
                "rows": [
                    ["kernel", "write", "ls", "memcpy", "slab", "l2", "cold", 2, 20],
                    ["kernel", "write", "ls", "memcpy", "slab", "l2", "conflict", 3, 30],
                    ["user", "USER", "ls", "main", "heap", "l1d", "cold", 9, 10],
                ],
            },
        },
        "over_time": {
            "interval": 100,
            "begin": 0,
            "rows": [
                {"end": end, **{name: figures(cycles, 5, 0, nothing) for name, cycles in (("user", 60), ("kernel", 30), ("idle", 10))}}
                for end in (100, 200)
            ],
        },
    }
