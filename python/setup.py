"""Refuses to build a package that lacks files: simoslab/schema is a link to docs/schema, outside of this folder. With the program in
simos_program (.ci/release/wheel.sh puts it there), the wheel has it too, and the command `simos`."""

import os
import sys
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).resolve().parent
SCHEMA = HERE / "simoslab" / "schema"
PROGRAM = HERE / "simos_program"

if not (SCHEMA / "statistics-1.schema.json").is_file():
    sys.exit(
        "simoslab: simoslab/schema leads to docs/schema of simos, which is not there: install from a whole copy of simos (or copy the folder python "
        "with `cp -rL`)"
    )


PACKAGES = ["simoslab", "simoslab.results", "simoslab.views"]
DATA = {"simoslab": ["py.typed", "schema/*.json"]}


def with_program():
    """What setup() is told of a wheel with the program."""
    from setuptools.command.bdist_wheel import bdist_wheel
    from setuptools.dist import Distribution

    class ProgramDistribution(Distribution):
        """Of this machine's architecture."""

        def has_ext_modules(self):
            return True

    class ProgramWheel(bdist_wheel):
        """For any Python."""

        def get_tag(self):
            return ("py3", "none", super().get_tag()[2])

    files = [str(Path(folder, name).relative_to(PROGRAM)) for folder, _, names in os.walk(PROGRAM) for name in names]
    return {
        "packages": [*PACKAGES, "simos_program"],
        "package_data": {**DATA, "simos_program": sorted(name for name in files if not name.endswith((".py", ".pyc")))},
        "entry_points": {"console_scripts": ["simos = simos_program:main"]},
        # where `man` looks for the commands of an environment
        "data_files": [("share/man/man1", ["simos_program/share/man/man1/simos.1"])],
        "distclass": ProgramDistribution,
        "cmdclass": {"bdist_wheel": ProgramWheel},
    }


WITHOUT_PROGRAM = {"packages": PACKAGES, "package_data": DATA, "entry_points": {"console_scripts": []}}

setup(**(with_program() if (PROGRAM / "lib").is_dir() else WITHOUT_PROGRAM))
