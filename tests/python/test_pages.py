"""What `make docs` makes from the package, and from the pages for it, is up to date."""

import json
import subprocess
import sys
import unittest
from pathlib import Path

import fixtures
import simoslab as sl

ROOT = Path(__file__).resolve().parents[2]


class Pages(unittest.TestCase):
    def made(self, *command: str, text: str = "") -> str:
        return subprocess.run([sys.executable, *command], cwd=ROOT, input=text, capture_output=True, text=True, check=True).stdout

    def test_reference(self) -> None:
        self.assertEqual(self.made("python/reference.py"), (ROOT / "docs/reference/python.md").read_text())

    def test_measures(self) -> None:
        said = sl.Program().run(["measures"]).stdout.decode()
        self.assertEqual(said, (ROOT / "docs/schema/measures.json").read_text("utf-8"))
        # causes of machines with cpu.page_walker and with memory.move_pages alone
        rare = {"page_walk", "page_move"}
        names = {cause["name"] for cause in json.loads(said)["causes"] if cause["family"] == "stall"} - rare
        for file in sorted(fixtures.CURRENT.glob("*.json")):
            found = set(json.loads(file.read_text("utf-8")).get("cpu0", {}).get("mode", {}).get("kernel", {}).get("stall", names))
            self.assertEqual(found - rare, names, file)

    def test_units(self) -> None:
        program = sl.Program().path
        names = subprocess.run([ROOT / "docs/statistics.sh", program, "names"], capture_output=True, check=True).stdout.decode()
        made = self.made("python/statistics_names.py", text=names)
        self.assertEqual(made, (ROOT / "docs/schema/statistics-names.json").read_text())


if __name__ == "__main__":
    unittest.main()
