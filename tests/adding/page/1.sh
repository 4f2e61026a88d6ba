# How many instructions a run had.
create workloads/pages/toy.py <<'END'
"""The toy page: the instructions of a run."""

from pathlib import Path

import simoslab
from simoslab.host_files import save_text


def make(out: Path) -> None:
    """Write OUT/index.html from OUT/run.json."""
    insns = simoslab.load(out / "run.json").exact("machine.insns")
    save_text(out / "index.html", f"<!DOCTYPE html>\n<title>A toy</title>\n<p>{insns} instructions</p>\n")
END
