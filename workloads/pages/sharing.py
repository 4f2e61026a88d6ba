"""The words of the kernel that processors share, and where a layout map puts them: the scheme Cohr of Xia and Torrellas
(IEEE Transactions on Computers, 1999, section 4.4)."""

from __future__ import annotations

import json
import os
from pathlib import Path

import simoslab
from simoslab.host_files import save_text


def write(program: str, trace: str, checkpoint: str, spare: int, name: str) -> None:
    """Write NAME.layout, lines of a layout map; NAME.json, what it moves; and NAME.pages, the value of cache.update_pages.
    PROGRAM is simos, TRACE one of level 1, CHECKPOINT the guest of it, SPARE the physical address of two pages."""
    os.environ["SIMOS"] = program
    shared = simoslab.sharing(trace, checkpoint=checkpoint)
    proposal = simoslab.propose(shared, spare=spare)
    patterns = shared.groupby("pattern")[["true", "false"]].sum()
    about = {
        "words": len(shared),
        "patterns": {pattern: {"true": int(row["true"]), "false": int(row["false"])} for pattern, row in patterns.iterrows()},
        "update_bytes": proposal.update_bytes,
        "update": proposal.update[["name", "pattern", "true", "false", "writes"]].head(12).to_dict("records"),
        "separate": len(proposal.separate),
        "private": len(proposal.private),
    }
    save_text(Path(f"{name}.layout"), proposal.layout)
    save_text(Path(f"{name}.json"), json.dumps(about, indent=2) + "\n")
    save_text(Path(f"{name}.pages"), f"{proposal.update_pages}\n")
