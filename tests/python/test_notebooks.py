"""Every notebook runs from top to bottom without an error, in a kernel of its own."""

import os
import unittest
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "python/notebooks").glob("*.ipynb"))


class Notebooks(unittest.TestCase):
    def test_they_run(self) -> None:
        self.assertEqual(len(NOTEBOOKS), 6)
        for path in NOTEBOOKS:
            with self.subTest(path.name):
                notebook = nbformat.read(path, as_version=4)
                nbformat.validate(notebook)
                self.assertFalse(any(cell.get("outputs") for cell in notebook.cells), "outputs are not kept")
                NotebookClient(notebook, timeout=None, resources={"metadata": {"path": os.environ["TMPDIR"]}}).execute()
                shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
                self.assertTrue(any("text/html" in output.get("data", {}) for output in shown), "no table is shown")


if __name__ == "__main__":
    unittest.main()
