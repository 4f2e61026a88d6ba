"""Names that are deprecated work as before and warn once, at the caller's line."""

import unittest
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import simoslab as sl
from simoslab import deprecation


class Deprecation(unittest.TestCase):
    def warned(self, caught):
        return [(str(one.message), Path(one.filename).name) for one in caught if one.category is DeprecationWarning]

    def test_a_name_of_the_package(self):
        with mock.patch.dict(deprecation.DEPRECATED, {"Mark": "Marker"}), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self.assertIs(sl.Mark, sl.Marker)
        major = int(sl.__version__.split(".")[0]) + 1
        expected = f"simoslab.Mark is deprecated and will go with {major}.0: use simoslab.Marker"
        self.assertEqual(self.warned(caught), [(expected, "test_deprecation.py")])

    def test_a_name_that_there_is_not(self):
        with self.assertRaisesRegex(AttributeError, "module 'simoslab' has no attribute 'Mark'"):
            sl.Mark  # noqa: B018

    def test_what_the_program_says(self):
        with TemporaryDirectory() as folder:
            program = Path(folder) / "simos"
            said = "--old is deprecated and will go with 2.0: use --new"
            program.write_text(f'#!/bin/sh\necho "deprecated {said}" >&"$SIMOS_ERRORS_FD"\necho done\n')
            program.chmod(0o755)
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                done = sl.Program(program).run(["run", "--old"])
        self.assertEqual(done.stdout, b"done\n")
        self.assertEqual(self.warned(caught), [(said, "test_deprecation.py")])

    def test_every_row_has_a_name_in_its_place(self):
        for name, instead in deprecation.DEPRECATED.items():
            self.assertIn(instead, sl.__all__, name)


if __name__ == "__main__":
    unittest.main()
