"""Refuses to build a package that lacks files: simoslab/schema is a link to docs/schema, outside of this folder."""

import sys
from pathlib import Path

from setuptools import setup

SCHEMA = Path(__file__).resolve().parent / "simoslab" / "schema"

if not (SCHEMA / "statistics-1.schema.json").is_file():
    sys.exit(
        "simoslab: simoslab/schema leads to docs/schema of simos, which is not there: install from a whole copy of simos (or copy the folder python "
        "with `cp -rL`)"
    )

setup()
