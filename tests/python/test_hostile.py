"""Damaged files of every kind are read or refused (tests/python/hostile.py, which runs longer by hand and in `make fuzz`)."""

import subprocess
import sys
import unittest
from pathlib import Path

HOSTILE = Path(__file__).resolve().parent / "hostile.py"


class Hostile(unittest.TestCase):
    def test_damaged_files(self) -> None:
        done = subprocess.run([sys.executable, HOSTILE, "--runs", "1000"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"hostile: 1000 files, [1-9]\d\d read, 0 faults\n$")


if __name__ == "__main__":
    unittest.main()
