"""Names of this package that will go with the next MAJOR version (docs/reference/compatibility.md), and warnings of them."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

# Name of simoslab -> the name of simoslab that takes its place.
DEPRECATED: dict[str, str] = {}

_PACKAGE = str(Path(__file__).parent)


def warn(text: str) -> None:
    """Raise the DeprecationWarning `text` where somebody has called this package."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, DeprecationWarning, stacklevel=level)


def instead_of(name: str, version: str) -> str | None:
    """The name that takes the place of simoslab's `name`, with a warning; None if `name` is not deprecated."""
    instead = DEPRECATED.get(name)
    if instead is not None:
        major = int(version.partition(".")[0]) + 1
        warn(f"simoslab.{name} is deprecated and will go with {major}.0: use simoslab.{instead}")
    return instead
