"""Files in formats of other programs, made without a guest: each is read by two programs or libraries that people use, with
hostile names, and with none, one or few, and 10,000 rows: those of made-up findings (tests/formats/verdicts.c) and frames
(tests/formats/captures.c), and those of bare programs on each CPU model. docs/reference/file-formats.md has the table."""

from __future__ import annotations

import ast
import collections
import csv
import gzip
import io
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from xml.dom import minidom

import dpkt
import fixtures
import gprof2dot
import junitparser
import pandas
import scapy.utils
import vcd.reader
import vcdvcd
import yaml
from bare_program import bare_program
from junit2htmlreport import parser as junit2html
from tap.parser import Parser

import simoslab as sl

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests/formats"))
import speedscope  # noqa: E402

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
        statistics = json.loads((fixtures.CURRENT / "statistics.json").read_text("utf-8"))
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


# Names of functions: each is hostile to one of the formats. No two are shown alike.
NAMES = [
    b"plain", b'"quoted\' & <b>', b"]]> <!-- ?>", b"a;b;c", b"new\nline\r\ttab", b"\xff\xfe not UTF-8 \xc3",
    b"\xe2\x80\xaebidi \x1b[31m", b"(1) number", b"(7)", b"  spaces  ", b"x+0x10", b"x", b"f(int, char) (lib.so)", b"# 12 34",
    b"fn=y", b"cfn=(2) z", b"%s %n \\", b"-", b"long " + b"\xc3\xa4" * 40, b"calls=1 0x0", b"a=b:c [x] {y}", b"0x80002000 1 2",
    b"\x01",
]  # fmt: skip
KINDS = ("callgrind", "pb.gz", "perf")  # of profiles
MODELS = ("mipsy", "embra", "mxs")
INSNS = 3  # of a function


def shown(name: bytes, with_: str) -> str:
    """NAME as a writer shows it: what is not printable is WITH_."""
    text = name.decode("utf-8", "replace")
    return "".join(with_ if c < " " or c in "\x7f\ufffd\u202e" else c for c in text)


def words(text: str) -> str:
    """TEXT without the spaces that not every reader keeps."""
    return " ".join(text.split())


def run(program: Path, *options: object, model: str = "mipsy", status: int = 0) -> None:
    """Run a bare program."""
    command = [SIMOS, "run", "--kernel", program, "--initrd", "none", "--table", "none", "--cpu", model, *map(str, options)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    assert done.returncode == status, done.stderr[-2000:]


def collapsed(profile: gprof2dot.Profile) -> dict[str, float]:
    """What each function of a profile that gprof2dot has read has itself."""
    costs: collections.Counter[str] = collections.Counter()
    for function in profile.functions.values():
        costs[words(function.name)] += function[gprof2dot.SAMPLES]
    return dict(costs)


class Profiles(unittest.TestCase):
    """`--profile` for KCachegrind, pprof and flame graphs, of bare programs on each CPU model: one that stops after its first
    instruction, one with hostile names, and one with 10,000 functions."""

    @classmethod
    def setUpClass(cls) -> None:
        if hasattr(cls, "folder"):  # another class needs the files too
            return
        scratch = tempfile.TemporaryDirectory()
        unittest.addModuleCleanup(scratch.cleanup)
        cls.folder = Path(scratch.name)
        many = [NAMES[i % len(NAMES)] + b" %d." % i for i in range(10000)]
        cls.names = {"none": [], "names": NAMES, "many": many}
        for case, names in cls.names.items():
            (cls.folder / case).write_bytes(bare_program(names or NAMES))
        for case, model in cls.cells():
            for suffix in KINDS:
                options = ["--profile", cls.folder / f"{case}-{model}.{suffix}"]
                options += ["--set", "execution.counts=profile"] if suffix != "callgrind" else []
                limit = ["--max-insns", 1] if case == "none" else []
                run(cls.folder / case, *options, *limit, model=model, status=124 if limit else 0)

    @classmethod
    def cells(cls) -> Iterator[tuple[str, str]]:
        """Case and model."""
        for case in cls.names:
            for model in MODELS if case != "many" else MODELS[:1]:
                yield case, model

    @classmethod
    def expected(cls, case: str, name: Callable[[bytes], str]) -> dict[str, int]:
        """The instructions of each function, by its NAME, and all of them."""
        counts: collections.Counter[str] = collections.Counter()
        for function in cls.names[case]:
            counts[words(name(function))] += INSNS
        counts["__start"] = 10 + 5 * len(cls.names[case]) if case != "none" else 1
        return dict(counts)

    @staticmethod
    def callgrind_name(name: bytes) -> str:
        """A name in a callgrind file: not a number of a name, not nothing."""
        return re.sub(r"^\((\d+\))", r"( \1", shown(name, " ").lstrip(" ")) or "?"

    @staticmethod
    def perf_name(name: bytes) -> str:
        """A name in a text of perf script, as readers show it."""
        return shown(name, "_")

    def test_callgrind_by_callgrind_annotate(self) -> None:
        for case, model in self.cells():
            file = self.folder / f"{case}-{model}.callgrind"
            command = ["callgrind_annotate", "--threshold=100", "--auto=no", "--show=Ir", "--sort=Ir", file]
            done = subprocess.run(command, capture_output=True, text=True)
            rows = re.findall(r"^ *([\d,]+) \([ \d.]+%\) +\?:(.*) \[kernel\]$", done.stdout, re.MULTILINE)
            with self.subTest(file.name):
                self.assertEqual(done.stderr, "")
                found = {words(name): int(count.replace(",", "")) for count, name in rows}
                expected = self.expected(case, self.callgrind_name)
                self.assertEqual(found.keys(), expected.keys())
                self.assertEqual(sum(found.values()), sum(expected.values()))
                if model != "mxs":  # where an instruction belongs to the oldest one in its cycle
                    self.assertEqual(found, expected)

    def test_callgrind_by_gprof2dot(self) -> None:
        for case, model in self.cells():
            file = self.folder / f"{case}-{model}.callgrind"
            with self.subTest(file.name):
                profile = gprof2dot.CallgrindParser(io.StringIO(file.read_text("utf-8"))).parse()
                names = {words(function.name) for function in profile.functions.values()}
                self.assertEqual(names, {"(caller unknown)", *self.expected(case, self.callgrind_name)})
                calls = sum(call[gprof2dot.CALLS] for f in profile.functions.values() for call in f.calls.values())
                self.assertEqual(calls, 1 + len(self.names[case]))

    def test_perf_by_gprof2dot(self) -> None:
        for case, model in self.cells():
            file = self.folder / f"{case}-{model}.perf"
            samples = file.read_text("utf-8").split("\n\n")
            text = "\n\n".join(sample for sample in samples if " instructions:\n" in sample)
            with self.subTest(file.name):
                found = collapsed(gprof2dot.PerfParser(io.StringIO(text + "\n\n")).parse())
                expected = self.expected(case, self.perf_name)
                if case == "many":
                    self.assertEqual(sum(found.values()), sum(expected.values()) // (sum(expected.values()) // 10000 + 1))
                else:
                    self.assertEqual(found, expected)

    def test_pprof_by_protoc(self) -> None:
        for case, model in self.cells():
            file = self.folder / f"{case}-{model}.pb.gz"
            command = ["protoc", "-I", ROOT / "tests/formats", "--decode=perftools.profiles.Profile", "profile.proto"]
            done = subprocess.run(command, input=gzip.decompress(file.read_bytes()), capture_output=True)
            text = done.stdout.decode("ascii")
            with self.subTest(file.name):
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                strings = re.findall(r'^string_table: "(.*)"$', text, re.MULTILINE)
                strings = [ast.literal_eval(f'b"{string}"').decode("utf-8") for string in strings]
                functions = re.findall(r"^function \{\n  id: (\d+)\n  name: (\d+)\n\}", text, re.MULTILINE)
                names = {int(number): strings[int(name)] for number, name in functions}
                places = re.findall(r"^location \{\n  id: (\d+)\n.*?function_id: (\d+)\n", text, re.MULTILINE | re.DOTALL)
                place = {int(number): names[int(function)] for number, function in places}
                found: collections.Counter[str] = collections.Counter()
                for number, count in re.findall(r"^sample \{\n  location_id: (\d+)\n  value: (\d+)\n", text, re.MULTILINE):
                    found[words(place[int(number)])] += int(count)
                self.assertEqual(dict(found), self.expected(case, lambda name: shown(name, "?")))


# Names of services, as Tcl has them: 1 to 31 bytes of UTF-8.
SERVICES = ["plain", "a;b;c", '"q" \\ \'', "]]> <!--", "line\nbreak\t", "\u202ebidi \u0007", "x 12", "# 1", "(7)", "{", "$x [y]"]


def tcl(text: str) -> str:
    """TEXT as a word of Tcl."""
    return '"' + "".join(c if c.isalnum() else f"\\u{ord(c):04x}" for c in text) + '"'


class Times(unittest.TestCase):
    """`--stacks` and `--timeline` of bare programs on each CPU model: a run of one instruction; services with hostile names,
    called once; 10,000 calls; functions with hostile names, sampled."""

    @classmethod
    def setUpClass(cls) -> None:
        if hasattr(cls, "folder"):  # another class needs the files too
            return
        scratch = tempfile.TemporaryDirectory()
        unittest.addModuleCleanup(scratch.cleanup)
        cls.folder = Path(scratch.name)
        functions = [b"f%d" % i for i in range(len(SERVICES))]
        rounds = -(-10000 // len(SERVICES))
        for case, names, count in (("names", functions, 1), ("many", functions, rounds), ("sampled", NAMES, 100)):
            (cls.folder / case).write_bytes(bare_program(names, count))
        script = cls.folder / "services.tcl"
        lines = ["service begin", *(f"service enter {tcl(name)} f{i}" for i, name in enumerate(SERVICES))]
        script.write_text("\n".join(lines) + "\n", "utf-8")
        for case, model in cls.cells():
            program = cls.folder / case.replace("none", "names")
            options = ["--stacks", f"{cls.folder}/{case}-{model}.folded" + (",every=1us" if case == "sampled" else "")]
            options += ["--timeline", f"{cls.folder}/{case}-{model}.trace.json", "--stats", f"{cls.folder}/{case}-{model}.json"]
            options += ["--max-insns", 1] if case == "none" else []
            options += ["--script", script] if case != "sampled" else []
            run(program, *options, model=model, status=124 if case == "none" else 0)

    @classmethod
    def cells(cls) -> Iterator[tuple[str, str]]:
        """Case and model."""
        for case in ("none", "names", "many", "sampled"):
            for model in MODELS if case != "many" else MODELS[:1]:
                yield case, model

    @classmethod
    def cycles(cls, case: str, model: str) -> int:
        """The cycles of a run."""
        statistics = json.loads((cls.folder / f"{case}-{model}.json").read_text("utf-8"))
        return sum(mode["cycles"] for mode in statistics["cpu0"]["mode"].values())

    @staticmethod
    def stack_name(name: str) -> str:
        """A part of a stack."""
        seen = "".join(chr(b) if 0x20 <= b < 0x7F and b != ord(";") else "?" for b in name.encode("utf-8", "surrogateescape"))
        return re.sub(r" ([0-9.]*)$", r"_\1", seen)

    def test_stacks_by_gprof2dot(self) -> None:
        for case, model in self.cells():
            file = self.folder / f"{case}-{model}.folded"
            with self.subTest(file.name):
                profile = gprof2dot.CollapseParser(io.StringIO(file.read_text("ascii"))).parse()
                self.assertEqual(profile[gprof2dot.SAMPLES], self.cycles(case, model))
                names = {function.name for function in profile.functions.values()}
                if case in ("names", "many"):
                    known = {"(unknown)", "BOOT", "__start", *(f"f{i}" for i in range(len(SERVICES)))}
                    self.assertLessEqual(names, known | set(map(self.stack_name, SERVICES)))
                    if model != "mxs":  # where some take no cycle
                        self.assertLessEqual(set(map(self.stack_name, SERVICES)), names)
                elif case == "sampled":
                    known = {"(unknown)", "BOOT", "__start"}
                    self.assertLessEqual(names, known | {self.stack_name(n.decode("utf-8", "surrogateescape")) for n in NAMES})
                    self.assertGreater(len(names), len(known) + len(NAMES) // 2)

    def test_stacks_have_one_weight(self) -> None:
        # flamegraph.pl takes a second number for the weight in another run.
        for case, model in self.cells():
            for line in (self.folder / f"{case}-{model}.folded").read_text("ascii").splitlines():
                self.assertRegex(line, r"^\S.* \d+$")
                self.assertNotRegex(line, r"\s\d+(\.\d*)? \d+$")

    def test_time_line_by_jq(self) -> None:
        for case, model in self.cells():
            file = self.folder / f"{case}-{model}.trace.json"
            wanted = '[.traceEvents[] | select(.ph == "X" and .cat == "service") | .name]'
            done = subprocess.run(["jq", wanted, file], capture_output=True, check=True)
            found = collections.Counter(json.loads(done.stdout.decode("utf-8")))
            own = [event["name"] for event in json.loads(file.read_text("utf-8"))["traceEvents"] if event.get("cat") == "service"]
            with self.subTest(file.name):
                self.assertEqual(found, collections.Counter(own))
                self.assertEqual(found.pop("BOOT"), 1)
                calls = {"names": 1, "many": -(-10000 // len(SERVICES))}.get(case, 0)
                if model != "mxs":  # where some take no cycle, and are left out
                    self.assertEqual(dict(found), {name: calls for name in SERVICES if calls})


class Speedscope(unittest.TestCase):
    """Everything that speedscope reads, in one page of a browser."""

    def test_all(self) -> None:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        done = subprocess.run([ROOT / "tests/formats/speedscope.sh", folder], capture_output=True, text=True)
        if done.returncode == 2:
            self.skipTest(done.stdout.strip())
        self.assertEqual(done.returncode, 0, done.stdout)
        Profiles.setUpClass()
        Times.setUpClass()
        files = [(Profiles.folder, kind, *cell) for cell in Profiles.cells() for kind in KINDS]
        files += [(Times.folder, kind, *cell) for cell in Times.cells() for kind in ("folded", "trace.json")]
        paths = [folder / f"{case}-{model}.{kind}" for folder, kind, case, model in files]
        for path, (_, kind, case, model), read in zip(paths, files, speedscope.read_files(folder, paths), strict=True):
            with self.subTest(path.name):
                self.assertEqual(read["errors"], [])
                self.assertTrue(read["profiles"], "nothing was read")
                self.check(kind, case, model, read["profiles"])

    def check(self, kind: str, case: str, model: str, profiles: list[dict]) -> None:
        """What was read of a file are its functions, or its cycles."""
        names = {words(name) for name in profiles[0]["own"]}
        if kind == "callgrind":
            known = Profiles.expected(case, Profiles.callgrind_name)
            self.assertLessEqual(names, known.keys())
            self.assertEqual(profiles[0]["total"], sum(known.values()))
        elif kind == "pb.gz":
            self.assertEqual(names, Profiles.expected(case, lambda name: shown(name, "?")).keys())
        elif kind == "perf":  # of "many" not each function has a sample
            known = Profiles.expected(case, Profiles.perf_name).keys()
            self.assertEqual((names <= known, len(names) > len(known) / 2), (True, True))
        elif kind == "folded":
            self.assertEqual(profiles[0]["total"], Times.cycles(case, model))
        else:  # microseconds, of 200 cycles
            self.assertAlmostEqual(profiles[0]["total"], Times.cycles(case, model) / 200, 1)
            self.assertLessEqual(names, {"(unknown)", "BOOT", *map(words, SERVICES)})


class Rows(unittest.TestCase):
    """Compares many rows."""

    def assert_same(self, found: list, expected: list) -> None:
        """assertEqual() would take minutes to print how two long lists differ."""
        wrong = next((pair for pair in zip(found, expected) if pair[0] != pair[1]), None)
        self.assertEqual((wrong, len(found)), (None, len(expected)))


class Samples(Rows):
    """`--samples` of a bare program on each CPU model, as a value change dump and as CSV: no entry, one, 10,000."""

    SCRIPT = """analyser define a.b:c-d_1 {{
    recogniser user -mode user
    recogniser x.y:z -access load
    trace -entries {entries}
    also {condition} * -store
}}
"""
    CASES = {"none": (10, "user"), "one": (1, "*"), "many": (10000, "*")}

    @classmethod
    def setUpClass(cls) -> None:
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = Path(scratch.name)
        (cls.folder / "program").write_bytes(bare_program([b"f%d" % i for i in range(10)], 400))
        for case, model in cls.cells():
            entries, condition = cls.CASES[case]
            script = cls.folder / f"{case}.tcl"
            script.write_text(cls.SCRIPT.format(entries=entries, condition=condition), "ascii")
            for suffix in ("vcd", "csv"):
                run(cls.folder / "program", "--script", script, "--samples", cls.folder / f"{case}-{model}.{suffix}", model=model)

    @classmethod
    def cells(cls) -> Iterator[tuple[str, str]]:
        """Case and model."""
        for case in cls.CASES:
            for model in MODELS if case != "many" else MODELS[:1]:
                yield case, model

    def rows(self, case: str, model: str) -> list[dict[str, str]]:
        """The samples as CSV has them."""
        with (self.folder / f"{case}-{model}.csv").open(newline="", encoding="ascii") as file:
            return list(csv.DictReader(file, strict=True))

    def test_csv_by_csv_and_pandas(self) -> None:
        for case, model in self.cells():
            rows = self.rows(case, model)
            frame = pandas.read_csv(self.folder / f"{case}-{model}.csv", dtype=str, keep_default_na=False)
            with self.subTest(case, model=model):
                self.assertEqual(len(rows), {"none": 0, "one": 1, "many": 10000}[case])
                self.assert_same(frame.to_dict("records"), rows)
                self.assertEqual({row["analyser"] for row in rows}, {"a.b:c-d_1"} if rows else set())

    def test_vcd_by_pyvcd_and_vcdvcd(self) -> None:
        for case, model in self.cells():
            file = self.folder / f"{case}-{model}.vcd"
            signal, scopes, now = {}, [], 0
            changes: dict[str, list[tuple[int, int]]] = collections.defaultdict(list)
            with file.open("rb") as stream:
                for token in vcd.reader.tokenize(stream):
                    if token.kind is vcd.reader.TokenKind.SCOPE:
                        scopes.append(token.scope.ident)
                    elif token.kind is vcd.reader.TokenKind.UPSCOPE:
                        scopes.pop()
                    elif token.kind is vcd.reader.TokenKind.VAR:
                        signal[token.var.id_code] = ".".join([*scopes, token.var.reference])
                    elif token.kind is vcd.reader.TokenKind.CHANGE_TIME:
                        now = token.time_change
                    elif token.kind in (vcd.reader.TokenKind.CHANGE_SCALAR, vcd.reader.TokenKind.CHANGE_VECTOR):
                        change = token.data
                        changes[signal[change.id_code]].append((now, int(change.value)))
            dump = vcdvcd.VCDVCD(str(file))
            with self.subTest(file.name):
                self.assertEqual(set(dump.signals), set(signal.values()))
                for name in dump.signals:
                    self.assert_same([(time, int(value, 2)) for time, value in dump[name].tv], changes[name])
                # and as in the other format
                for name, value in (("graduated", lambda row: int(row["graduated"])), ("fetched", lambda row: int(row["pc"] != ""))):
                    rows = [(int(Decimal(row["ns"]) * 1000), value(row)) for row in self.rows(case, model)]
                    known = [next(group) for _, group in itertools.groupby(rows, key=lambda row: row[1])]
                    self.assert_same(changes[f"a.b:c-d_1.{name}"], known)


class Sweeps(Rows):
    """`sweep --over --out PREFIX` over traces of bare programs, with a hostile prefix: no reference, and many; and figures."""

    def test_tsv(self) -> None:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (folder / "program").write_bytes(bare_program([b"f%d" % i for i in range(10)], 10))
        run(folder / "program", "--trace", folder / "many.trace")
        run(folder / "program", "--trace", folder / "none.trace", "--set", "trace.modes=user")
        for case in ("none", "many"):
            prefix = folder / f"{case} \"<&>'] \u00e4"
            over = ["--over", "cache.l1d.size=1K..1M", "--over", "figure-4.6"]
            command = [SIMOS, "sweep", *over, "--out", prefix, folder / f"{case}.trace"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            with open(f"{prefix}.tsv", newline="", encoding="utf-8") as file:
                rows = list(csv.DictReader(file, dialect="excel-tab", strict=True))
            frame = pandas.read_csv(f"{prefix}.tsv", sep="\t", keep_default_na=False)
            with self.subTest(case):
                self.assertGreater(len(rows), 300)
                self.assert_same(frame.astype(str).to_dict("records"), rows)
                self.assertEqual(frame["count"].sum() > 0, case == "many")
                figures = sorted(folder.glob(f"{case}*.svg"))
                self.assertEqual(len(figures), 4 if case == "many" else 2)  # without misses there are no curves
                for figure in figures:
                    self.assertEqual(ElementTree.parse(figure).getroot().tag, "{http://www.w3.org/2000/svg}svg")
                    self.assertEqual(minidom.parse(str(figure)).documentElement.tagName, "svg")


class Captures(Rows):
    """`--pcap`: 0, 1 and 10,000 frames (tests/formats/captures.c)."""

    @classmethod
    def setUpClass(cls) -> None:
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = Path(scratch.name)
        subprocess.run([SIMOS.parent / "tests/captures", cls.folder], check=True)

    @staticmethod
    def frames(count: int) -> list[tuple[int, bytes]]:
        """Nanoseconds, and the bytes of the frame."""
        return [(1000000001 * i, bytes([i % 256]) * (14 + i % 1501)) for i in range(count)]

    def test_by_dpkt(self) -> None:
        for case, count in (("none", 0), ("one", 1), ("many", 10000)):
            with self.subTest(case), (self.folder / f"{case}.pcap").open("rb") as file:
                reader = dpkt.pcap.Reader(file)
                self.assertEqual(reader.datalink(), dpkt.pcap.DLT_EN10MB)
                self.assert_same([(round(time * 10**9), data) for time, data in reader], self.frames(count))

    def test_by_scapy(self) -> None:
        for case, count in (("none", 0), ("one", 1), ("many", 10000)):
            with self.subTest(case), scapy.utils.RawPcapReader(str(self.folder / f"{case}.pcap")) as reader:
                self.assertEqual((reader.nano, reader.linktype), (True, 1))
                self.assert_same([(head.sec * 10**9 + head.usec, data) for data, head in reader], self.frames(count))


if __name__ == "__main__":
    unittest.main()
