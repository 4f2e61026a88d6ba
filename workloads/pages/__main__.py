"""The command of the pages:

    python -m pages PAGE OUT

makes the page PAGE from the runs in the folder OUT, and writes OUT/index.html.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

PAGES = {"byte-copying": "pages.byte_copying", "interrupts": "pages.interrupts", "monster": "pages.monster"}


def main(words: list[str]) -> int:
    """Make the page that WORDS name. Returns the exit status."""
    if len(words) != 2 or words[0] not in PAGES:
        print(f"usage: python -m pages {'|'.join(PAGES)} OUT", file=sys.stderr)
        return 2
    importlib.import_module(PAGES[words[0]]).make(Path(words[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
