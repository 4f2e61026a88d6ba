"""Files in formats of other programs, made without a guest: each is read by two programs or libraries that people use, with
hostile names, and those of made-up findings (tests/formats/verdicts.c) with none, one and 10,000 rows."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from xml.dom import minidom

import junitparser
import yaml
from junit2htmlreport import parser as junit2html
from tap.parser import Parser

import simoslab as sl

ROOT = Path(__file__).resolve().parents[2]
SIMOS = Path(os.environ["SIMOS"])

# By case: points, and how many of them are not ok, are skipped.
CASES = {"none": (2, 2, 0), "one": (1, 0, 0), "names": (600, 240, 120), "many": (10000, 4000, 2000)}


class Verdicts(unittest.TestCase):
    """`simos test --junit`, `--tap` and `--json`."""

    @classmethod
    def setUpClass(cls) -> None:
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = Path(scratch.name)
        subprocess.run([SIMOS.parent / "tests/verdicts", cls.folder], check=True)

    def cases(self, suffix: str) -> list[tuple[Path, dict[str, object], tuple[int, int, int]]]:
        """The file, what its JSON says, and the counts of each case."""
        return [
            (self.folder / f"{name}.{suffix}", json.loads((self.folder / f"{name}.json").read_text("utf-8")), counts)
            for name, counts in CASES.items()
        ]

    def test_tap_by_prove(self) -> None:
        for file, _, (points, bad, skipped) in self.cases("tap"):
            done = subprocess.run(["prove", "--verbose", "--exec", "cat", file], capture_output=True, text=True, errors="replace")
            with self.subTest(file.name):
                self.assertNotIn("Parse errors", done.stdout)
                self.assertEqual(done.returncode, 1 if bad else 0, done.stdout[-500:])
                self.assertIn(f"Tests={points}," if not bad else f"Failed {bad}/{points} subtests", done.stdout)
                self.assertEqual(done.stdout.count("# SKIP undecided"), skipped)

    def test_tap_by_tap_py(self) -> None:
        for file, _, (points, bad, skipped) in self.cases("tap"):
            lines = list(Parser().parse_file(str(file)))
            with self.subTest(file.name):
                self.assertEqual([line for line in lines if line.category == "unknown"], [])
                tests = [line for line in lines if line.category == "test"]
                self.assertEqual([test.number for test in tests], list(range(1, points + 1)))
                self.assertEqual(sum(not test.ok for test in tests), bad)
                self.assertEqual(sum(bool(test.skip) for test in tests), skipped)

    def test_tap_blocks_are_yaml(self) -> None:
        for file, known, _ in self.cases("tap"):
            wanted = [r["changes"] for test in known["tests"] for r in test["results"] if r["fails"]]
            blocks, block = [], None
            for line in file.read_text("utf-8").split("\n"):
                if line == "  ---":
                    block = []
                elif line == "  ...":
                    blocks.append(yaml.safe_load("\n".join(block))["changes"])
                    block = None
                elif block is not None:
                    self.assertTrue(line.startswith("  "), line)
                    block.append(line[2:])
            with self.subTest(file.name):
                self.assertEqual(len(blocks), len(wanted))
                for found, changes in zip(blocks, wanted):
                    self.assertEqual([c["amount"] for c in found[:8]], [round(c["amount"], 1) for c in changes[:8]])
                    self.assertEqual(found[8]["place"], "4 more places")
                    self.assertAlmostEqual(found[8]["amount"], sum(c["amount"] for c in changes[8:]), 0)

    def test_junit_by_junitparser(self) -> None:
        for file, known, (points, bad, skipped) in self.cases("xml"):
            document = junitparser.JUnitXml.fromfile(str(file))
            cases = [case for suite in document for case in suite]
            kinds = [type(case.result[0]).__name__ for case in cases if case.result]
            with self.subTest(file.name):
                self.assertEqual(len(cases), points)
                self.assertEqual(len({(case.classname, case.name) for case in cases}), points, "two tests are one for GitLab")
                self.assertEqual(kinds.count("Failure") + kinds.count("Error"), bad)
                self.assertEqual(kinds.count("Skipped"), skipped)
                self.assertEqual(sum(suite.tests for suite in document), points)
                self.assertEqual(sum(suite.failures + suite.errors for suite in document), bad)
                self.assertEqual(sum(suite.skipped for suite in document), skipped)
                self.assertEqual(len(list(document)), len(known["tests"]))

    def test_junit_by_junit2html(self) -> None:
        for file, _, (points, bad, _) in self.cases("xml"):
            report = junit2html.Junit(str(file))
            cases = [case for suite in report.suites for test_class in suite.classes.values() for case in test_class.cases]
            with self.subTest(file.name):
                self.assertEqual(len(cases), points)
                self.assertEqual(sum(case.failed() for case in cases), bad)
        ElementTree.parse(self.folder / "names.xml")

    def test_json(self) -> None:
        for file, known, (points, _, _) in self.cases("json"):
            with self.subTest(file.name):
                done = subprocess.run(["jq", "[.tests[].results[]] | length", file], capture_output=True, text=True, check=True)
                rows = sum(len(test["results"]) for test in known["tests"])
                self.assertEqual(int(done.stdout), rows)
                self.assertIn(rows, (points, 0))
                self.assertEqual(len(sl.load(file)), points)
                checked = subprocess.run([SIMOS, "check", file], capture_output=True, text=True)
                self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)


HOSTILE = ['a"\'&<b>', "]]> <!-- --> ?>", "# ... ---\n- x", "\u202ebidi\u0007", "\\ % {x} _y ^2"]


class Reports(unittest.TestCase):
    """`simos report --mcpat` and `--svg`: machines and commands come from the file."""

    def test_xml(self) -> None:
        statistics = json.loads((ROOT / "tests/fixtures/0.9/statistics.json").read_text("utf-8"))
        with tempfile.TemporaryDirectory() as scratch:
            for number, name in enumerate(HOSTILE):
                statistics["machine"].update(name=name, command=name)
                file = Path(scratch) / f"{number}.json"
                file.write_text(json.dumps(statistics), "utf-8")
                subprocess.run([SIMOS, "report", file, "--mcpat", f"{scratch}/x.xml"], check=True, stdout=subprocess.DEVNULL)
                subprocess.run([SIMOS, "report", file, "--svg", scratch], check=True, stdout=subprocess.DEVNULL)
                for result, root in (("x.xml", "component"), ("report.svg", "{http://www.w3.org/2000/svg}svg")):
                    with self.subTest(result, name=name):
                        self.assertEqual(ElementTree.parse(f"{scratch}/{result}").getroot().tag, root)
                        self.assertEqual(minidom.parse(f"{scratch}/{result}").documentElement.tagName, root.split("}")[-1])


if __name__ == "__main__":
    unittest.main()
