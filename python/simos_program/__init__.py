"""The program simos with its guest and its pages, as a wheel has them: the folders of `make install`, in this one.

This package depends on nothing, so that the command `simos` starts at once.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

PROGRAM = Path(__file__).resolve().parent / "lib" / "simos" / "simos"


def main() -> NoReturn:
    """The command `simos`: becomes the program, with the same words."""
    try:
        os.execv(PROGRAM, sys.argv)
    except OSError as error:
        print(f"simos: {PROGRAM}: {error.strerror}", file=sys.stderr)
        raise SystemExit(125) from None
