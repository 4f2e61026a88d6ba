"""The package that makes the pages of the papers (workloads/pages): how it writes numbers, and how it judges claims."""

import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "workloads"))

from pages import claims, numbers, paper_conditions, tables  # noqa: E402
from pages.templates import environment  # noqa: E402


class Numbers(unittest.TestCase):
    def test_halves_go_away_from_zero(self) -> None:
        self.assertEqual([numbers.fixed(value, 0) for value in (0.5, 1.5, 2.5, -2.5)], ["1", "2", "3", "−3"])
        self.assertEqual(numbers.fixed(0.49999999999999994, 0), "0")

    def test_places_after_the_point(self) -> None:
        self.assertEqual([numbers.fixed(4.0625, digits) for digits in (1, 2, 3)], ["4.1", "4.06", "4.063"])
        self.assertEqual(
            [numbers.fixed(1.05, 2), numbers.fixed(-0.004, 2), numbers.fixed(None, 2)], ["1.05", "0.00", "–"]
        )

    def test_three_digits(self) -> None:
        self.assertEqual([numbers.short(value) for value in (0, 1.234, 12.34, 123.4)], ["0", "1.23", "12.3", "123"])

    def test_counts(self) -> None:
        self.assertEqual(
            [numbers.count(value) for value in (7, 7.5, 123456, 12345678)], ["7", "7.5", "123 × 10³", "12 × 10⁶"]
        )

    def test_sums_are_rounded_each_time(self) -> None:
        self.assertEqual(numbers.total([1e100, 1.0, -1e100]), 0.0)  # sum() of Python 3.12 and later has 1.0
        self.assertIsNone(numbers.total([]))

    def test_what_is_not_known(self) -> None:
        unknown = [numbers.over(1, 0), numbers.over(None, 1), numbers.percent_of(1, None), numbers.median([])]
        self.assertEqual(unknown, [None] * 4)


class Claims(unittest.TestCase):
    def judged(self, measured: str, criterion: str, **measures: object) -> claims.Claim:
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder) / "claims.tsv"
            head = "name\tsection\tclaim\tmeasured\tcriterion\tpaper\n"
            table.write_text(f"{head}one\t4\tIt is so\t{measured}\t{criterion}\tabout 5\n", encoding="utf-8")
            (claim,) = claims.judge(table, measures)
            return claim

    def test_holds_or_not(self) -> None:
        self.assertTrue(self.judged("{{ it | fixed(1) }}", "it > 4", it=5).holds)
        self.assertFalse(self.judged("{{ it | fixed(1) }}", "it > 4", it=3).holds)
        self.assertEqual(self.judged("{{ it | fixed(1) }} %", "it > 4", it=5).measured, "5.0 %")

    def test_a_missing_measure_is_not_judged(self) -> None:
        for measures in ({}, {"it": None}):
            self.assertIsNone(self.judged("{{ it | fixed(1) }}", "it > 4", **measures).holds)
        self.assertIsNone(self.judged("x", "all.gcc > 4", all={"li": 5}).holds)
        self.assertIsNone(self.judged("x", "all.values() | min > 4", all={}).holds)

    def test_a_line_that_only_asks(self) -> None:
        self.assertIsNone(self.judged("{{ it }}", "-", it=5).holds)

    def test_names_are_text(self) -> None:
        claim = self.judged("{{ it | each(0) }}", "-", it={"<script>": 1})
        self.assertEqual(claim.measured, "&lt;script&gt; 1")

    def test_a_damaged_table(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder) / "claims.tsv"
            table.write_text("name\tclaim\none\n", encoding="utf-8")
            with self.assertRaisesRegex(SystemExit, "claims.tsv: one: 1 columns instead of 2"):
                claims.judge(table, {})

    def test_every_table_of_claims(self) -> None:
        """Each criterion and each template of the pages' tables compiles, and no name occurs twice."""
        for table in (ROOT / "workloads").glob("*/claims.tsv"):
            rows = claims.read(table)
            self.assertEqual(len(rows), len({row["name"] for row in rows}), table)
            for row in rows:
                environment().from_string(row["measured"])
                environment().from_string(row["paper"])
                if row["criterion"] != "-":
                    environment().compile_expression(row["criterion"])


class Conditions(unittest.TestCase):
    """workloads/paper/conditions.tsv: what is called a condition of the paper is one."""

    def rows(self) -> list[tables.Row]:
        return tables.read_tsv(ROOT / "workloads/paper/conditions.tsv")

    def settings(self, row: tables.Row) -> dict[str, str]:
        """The parameters of a line, and those of its list."""
        own = ROOT / f"workloads/jobs/{row['name']}.list"
        file = own if own.exists() else ROOT / f"workloads/jobs/{row['workload']}.list"
        lines = [line.split() for line in file.read_text(encoding="utf-8").splitlines()]
        pairs = [words[1] for words in lines if words and words[0] == "set"] + (row["parameters"] or "").split()
        return dict(pair.split("=") for pair in pairs)

    def not_the_papers(self, row: tables.Row) -> list[str]:
        """What a line has that section 3.1 and the experiments of sections 4.2 and 4.4.1 have not."""
        settings = self.settings(row)
        factor = 4 if row["workload"].startswith("database") else 1
        disks = [factor, factor * 100]
        wrong = ["a TLB of another reach"] if "cpu.tlb_entries" in settings else []
        return wrong + (["other disks"] if int(settings.get("disk.speed", 1)) not in disks else [])

    def test_kinds(self) -> None:
        for row in self.rows():
            self.assertEqual(paper_conditions.words_of(row)["condition"], row["name"])
        with self.assertRaisesRegex(SystemExit, 'pmake-x: kind "ours", not paper or experiment'):
            paper_conditions.words_of({"name": "pmake-x", "kind": "ours", "hypothesis": None})

    def test_what_the_paper_has(self) -> None:
        wrong = {row["name"]: self.not_the_papers(row) for row in self.rows() if row["kind"] == "paper"}
        self.assertEqual({name: what for name, what in wrong.items() if what}, {})
        others = {row["name"]: self.not_the_papers(row) for row in self.rows() if row["kind"] == "experiment"}
        self.assertEqual(others["pmake-tlb"], ["a TLB of another reach"])
        self.assertEqual(others["database-drives"], ["other disks"])


class Tables(unittest.TestCase):
    def test_values(self) -> None:
        self.assertEqual([tables.value_of(text) for text in ("-", "5", "5.50", "about 5")], [None, 5, 5.5, "about 5"])

    def test_cells_are_text(self) -> None:
        source = '{% from "pages/parts.html" import table %}{{ table(["a"], [[one, grey]]) }}'
        page = environment().from_string(source).render(one="<b>", grey=tables.grey(None))
        self.assertIn('<td>&lt;b&gt;</td><td class="paper">–</td>', page)


if __name__ == "__main__":
    unittest.main()
