"""Schemas and sum rules: the package and `simos check` agree, and both read the files of every release."""

import copy
import json
import random
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

import fixtures
import jsonschema
import simoslab as sl
from simoslab.results.checks import schema_of, shape_violations

KINDS = ("statistics", "profile", "timeline", "sweep", "verdicts", "explanation")


def simos_check(path: Path) -> tuple[int, list[str]]:
    done = subprocess.run([sl.find_program(), "check", path], capture_output=True, text=True, check=False)
    return done.returncode, (done.stdout + done.stderr).replace(f"{path}: ", "").splitlines()


class Fixtures(unittest.TestCase):
    def test_every_file_is_read(self) -> None:
        self.assertGreater(len(fixtures.FILES), 10)
        for file in fixtures.FILES:
            with self.subTest(file):
                read = sl.load(file)
                if isinstance(read, sl.Trace):
                    self.assertGreater(len(read.read()), 1000)
                else:
                    self.assertGreater(len(read), 0)

    def test_every_json_file_is_as_its_schema_says(self) -> None:
        seen = set()
        for file in (one for one in fixtures.FILES if one.suffix == ".json"):
            with self.subTest(file):
                table = sl.check(file)
                kind = sl.results.documents.kind_of(json.loads(file.read_text()))
                seen.add(kind)
                self.assertEqual(simos_check(file), (0, [f"{kind}, {len(table)} sums hold"]))
        self.assertEqual(seen, set(KINDS))

    def test_every_sum_rule_is_used(self) -> None:
        used = {rule for file in fixtures.FILES if file.suffix == ".json" for rule in sl.check(file)["rule"]}
        known = {rule["name"] for kind in KINDS for rule in schema_of(kind)["sums"]}
        unused = known - used
        rare = {"frames dropped by the card", "a lock with waiting time was waited for"}
        self.assertLessEqual(unused, rare, "no fixture has what these are about")


class Shapes(unittest.TestCase):
    def test_the_schemas_are_schemas(self) -> None:
        for kind in KINDS:
            jsonschema.Draft202012Validator.check_schema(schema_of(kind))

    def test_another_validator_agrees(self) -> None:
        """Values of random files are replaced: it accepts what we accept, and refuses what we refuse."""
        draw = random.Random(46)
        others: list[Any] = [None, True, -1, 3, 2.5, "text", [], {}, [1], {"a": 1}]
        refused = 0
        for file in (one for one in fixtures.FILES if one.suffix == ".json"):
            document = json.loads(file.read_text())
            if "annotations" in document:  # a few rows stand for all
                document["annotations"].get("misses", {"rows": []})["rows"][5:] = []
            kind = sl.results.documents.kind_of(document)
            schema = schema_of(kind)
            validator = jsonschema.Draft202012Validator(schema)
            for _ in range(12):
                changed = copy.deepcopy(document)
                place: Any = changed
                while True:
                    keys = list(place) if isinstance(place, dict) else range(len(place))
                    if not keys:
                        break
                    key = draw.choice(list(keys))
                    if draw.random() < 0.3 or not isinstance(place[key], (dict, list)):
                        if isinstance(place, dict) and draw.random() < 0.2:
                            del place[key]
                        else:
                            place[key] = draw.choice(others)
                        break
                    place = place[key]
                if sl.results.documents.kind_of(changed) != kind:
                    continue
                ours = list(shape_violations(changed, schema, schema))
                self.assertEqual(bool(ours), not validator.is_valid(changed), f"{file.name}: {ours}")
                refused += bool(ours)
        self.assertGreater(refused, 10)


class Violations(unittest.TestCase):
    """Both say the same of a file that is wrong."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "bad.json"
        fixture = next(file for file in fixtures.FILES if file.name == "statistics.json")
        self.document = json.loads(fixture.read_text())

    def said(self, *lines: str) -> None:
        self.file.write_text(json.dumps(self.document))
        with self.assertRaises(sl.CheckError) as caught:
            sl.check(self.file)
        self.assertEqual(sorted(caught.exception.violations), sorted(lines))
        status, ours = simos_check(self.file)
        self.assertEqual((status, sorted(ours)), (1, sorted(lines)))
        self.assertEqual((~sl.check(self.file, strict=False).holds.astype(bool)).sum(), len(lines))

    def test_who_evicted(self) -> None:
        fixture = next(file for file in fixtures.FILES if file.name == "evictions.json")
        self.document = json.loads(fixture.read_text())
        rows = self.document["evictions"]["rows"]
        first = next(row for row in rows if row[1] == "l1d")
        of_l1d, of_all = (sum(row[6] for row in rows if row[1] in caches) for caches in (["l1d"], ["l1i", "l1d", "l2"]))
        first[6] += 1
        name = "by who evicted the line are those of replaced lines"
        self.said(
            f"the file: misses of L1-D {name}: {of_l1d}, but the parts are {of_l1d + 1}",
            f"the file: misses {name}: {of_all}, but the parts are {of_all + 1}",
        )
        first[6], first[4] = first[6] - 1, "0"
        self.said(f"evictions.rows[{rows.index(first)}][4]: string, not integer or null")

    def test_a_sum(self) -> None:
        user = self.document["cpu0"]["mode"]["user"]
        user["stall"]["l1i"] += 1
        name = "cycles of a mode are execution, interlocks, stall and wait"
        self.said(f"cpu0.mode.user: {name}: {user['cycles']}, but the parts are {user['cycles'] + 1}")

    def test_a_sum_of_a_table(self) -> None:
        rows = self.document["annotations"]["misses"]["rows"]
        row = next(row for row in rows if row[5] == "l2" and row[6] != "upgrade")
        total = self.document["annotations"]["events"]["l2_misses"]
        row[7] += 5
        self.said(f"annotations: misses by place in L2 are those counted: {total}, but the parts are {total + 5}")

    def test_an_inequality(self) -> None:
        tlb = self.document["cpu0"]["tlb"]
        tlb["refills_fetch"] = tlb["refills_load"] + 1
        name = "TLB refills of fetches are among those of loads"
        self.said(f"cpu0.tlb: {name}: {tlb['refills_load']}, but the parts are {tlb['refills_fetch']}")

    def test_rows(self) -> None:
        """What a row must have, and what it must not: of tables, locks, caches."""
        fixture = next(file for file in fixtures.FILES if file.name == "everything.json")
        document = json.loads(fixture.read_text())
        places, misses = document["annotations"]["cycles"]["rows"], document["annotations"]["misses"]["rows"]
        place = next(number for number, row in enumerate(places) if row[2] == "l1d" and row[5] > 0)
        miss = next(number for number, row in enumerate(misses) if row[5] == "l1i" and row[7] > 1)
        count, number = places[place][5], misses[miss][7]
        first = document["annotations"]["events"]["l1i_misses"] + document["annotations"]["events"]["l1d_misses"]
        self.document = copy.deepcopy(document)
        self.document["annotations"]["cycles"]["rows"][place][5] = 0
        self.said(f"annotations.cycles.rows[{place}]: what cycles by place were spent on came at least once: 0")
        self.assertGreater(count, 0)
        self.document = copy.deepcopy(document)
        self.document["annotations"]["misses"]["rows"][miss][6] = "upgrade"
        self.said(
            f"annotations: misses by place in the first level are those counted: {first}, but the parts are {first - number}",
            f"annotations: an instruction cache has no upgrades by place: 0, but the parts are {number}",
        )
        self.document = copy.deepcopy(document)
        lock = next(number for number, one in enumerate(document["annotations"]["locks"]) if one["wait"] == 0)
        self.document["annotations"]["locks"][lock]["wait"] = 7
        self.document["annotations"]["locks"][lock]["contended"] = 0
        self.said(f"annotations.locks[{lock}]: a lock with waiting time was waited for: 0")
        self.document = copy.deepcopy(document)
        classes = self.document["cpu0"]["l1i"]["miss"]
        classes["user"]["cold"] += 1
        classes["kernel"]["cold"] -= 1
        mode, modes = "misses of L1-I in {} mode are those of the classes", document["cpu0"]["mode"]
        self.said(
            *(
                f"cpu0: {mode.format(name)}: {modes[name]['miss']['l1i']}, but the parts are {modes[name]['miss']['l1i'] + by}"
                for name, by in (("user", 1), ("kernel", -1))
            )
        )
        self.document = copy.deepcopy(document)
        self.document["annotations"]["misses"]["columns"][8] = "x"
        self.said("annotations.misses: misses by place with a stall are at least one: not a whole number")

    def test_shapes(self) -> None:
        del self.document["machine"]["name"]
        self.document["cpu0"]["loads"] = -3
        self.document["over_time"]["rows"][0]["user"]["wait"] = None
        name = "cycles over time are those of the services"
        self.assertIn(name, {rule["name"] for rule in schema_of("statistics")["sums"]})
        self.said(
            'machine: no member "name"',
            "cpu0.loads: -3 is less than 0",
            "over_time.rows[0].user.wait: null, not integer",
            "over_time.rows[0].user: stall and wait of user mode over time are among the cycles: not a whole number",
        )

    def test_cycles_by_place(self) -> None:
        fixture = next(file for file in fixtures.FILES if file.name == "places.json")
        of_services = "annotations: cycles by place are those of the services"
        of_processors = "the file: cycles by place are among those of the processors"
        by_cause = ["l1i stall", "l2i stall", "l1d stall", "l2d stall", "upgrade stall", "write_buffer stall", "uncached stall", "wait"]
        no_numbers = [
            f"{of_services}: not a whole number",
            f"{of_processors}: not a whole number",
            "annotations: instructions by place are those of the services: not a whole number",
            "annotations.cycles: what cycles by place were spent on came at least once: not a whole number",
            *(f"annotations: {cause} by place is that of the services: not a whole number" for cause in by_cause),
        ]
        total = sum(row[6] for row in json.loads(fixture.read_text())["annotations"]["cycles"]["rows"])
        no_causes = no_numbers[2:]
        l1d = sum(row[6] for row in json.loads(fixture.read_text())["annotations"]["cycles"]["rows"] if row[2] == "l1d")
        more = f"{total}, but the parts are {total + 1}"
        cases: list[tuple[Any, list[str]]] = [
            (
                lambda cycles: cycles["rows"][3].__setitem__(6, cycles["rows"][3][6] + 1),
                [
                    f"{of_services}: {more}",
                    f"{of_processors}: {more}",
                    f"annotations: l1d stall by place is that of the services: {l1d}, but the parts are {l1d + 1}",
                ],
            ),
            (
                lambda cycles: cycles["rows"][3].__setitem__(5, -1),
                [
                    "annotations.cycles.rows[3][5]: -1 is less than 0",
                    "annotations.cycles.rows[3]: what cycles by place were spent on came at least once: -1",
                ],
            ),
            (lambda cycles: cycles["rows"][3].append(0), ["annotations.cycles.rows[3]: 8 elements"]),
            (
                lambda cycles: cycles["columns"].__setitem__(2, "x"),
                ['annotations.cycles.columns[2]: "x" is none of "cause"', *no_causes],
            ),
            (
                lambda cycles: cycles.pop("columns"),
                ['annotations.cycles: no member "columns"', *no_numbers],
            ),
            (
                lambda cycles: cycles.__setitem__("rows", {}),
                ["annotations.cycles.rows: object, not array", *no_numbers],
            ),
        ]
        for change, lines in cases:
            self.document = json.loads(fixture.read_text())
            change(self.document["annotations"]["cycles"])
            with self.subTest(lines):
                self.said(*lines)
        for other, kind in (([], "array"), (7, "integer"), (None, "null")):
            self.document["annotations"]["cycles"] = other
            self.said(f"annotations.cycles: {kind}, not object", *no_numbers)

    def test_what_every_run_has(self) -> None:
        self.document["machine"]["seconds"] = -0.1
        self.document["annotations"]["seconds"] = -1
        self.said("machine.seconds: number less than 0", "annotations.seconds: -1 is less than 0")
        self.document = {name: self.document[name] for name in ("machine", "parameters")}
        self.document["machine"].update(time=-1, seconds=0)
        self.document["machine"].pop("insns")
        self.said('the file: no member "cpu0"', "machine.time: -1 is less than 0", 'machine: no member "insns"')

    def test_what_is_no_whole_number(self) -> None:
        self.document["cpu0"]["exceptions"]["interrupt"] = 0.5
        self.said(
            "cpu0.exceptions.interrupt: number, not integer",
            "cpu0: interrupts taken are those of the interrupt lines: not a whole number",
        )

    def test_files_that_cannot_be_checked(self) -> None:
        for content, fault in (('{"a": 1}', "no file that has a schema"), ("[]", "JSON"), ("{", "bad.json")):
            self.file.write_text(content)
            with self.subTest(content), self.assertRaisesRegex(sl.FileFormatError, fault):
                sl.check(self.file)
            status, lines = simos_check(self.file)
            self.assertEqual((status, len(lines)), (125, 1), lines)

    def test_json_that_simos_refuses(self) -> None:
        text = json.dumps({**self.document, "more": "HERE"})
        changed = [text.replace('"HERE"', other).encode() for other in (
            '"\\u0000"', '{"\\u0000": 1}', '"\\ud800"', '"\\udc00\\ud800"', "1e400", "-1e400", "NaN",
            "9223372036854775808", "-9223372036854775809", "9" * 5000, "01",
        )]
        changed += [b"\xef\xbb\xbf" + text.encode(), text.encode("utf-16"), text.encode("utf-16-be")]
        changed += [text.encode() + b"\xff"]
        changed += [b"\xef\xbb\xbf" + json.dumps(self.document, separators=(",", ":")).encode()]
        for content in changed:
            self.file.write_bytes(content)
            with self.subTest(content[:20], end=content[-40:]):
                for read in (sl.check, sl.load):
                    with self.assertRaisesRegex(sl.FileFormatError, "bad.json"):
                        read(self.file)
                self.assertEqual(simos_check(self.file)[0], 125)
        largest = ("9223372036854775807", "-9223372036854775808", "1e308", "1e-400")
        for other in ('"\\ud83d\\ude00"', '"\\\\u0000"', *largest):
            self.file.write_bytes(text.replace('"HERE"', other).encode())
            with self.subTest(other):
                sl.check(self.file)
                self.assertEqual(simos_check(self.file)[0], 0)


if __name__ == "__main__":
    unittest.main()
