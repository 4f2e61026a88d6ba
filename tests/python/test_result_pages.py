"""The package that makes the pages of the papers (workloads/pages): how it writes numbers, and how it judges claims."""

import dataclasses
import importlib
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "workloads"), str(ROOT / "tests/python")]

import paper_numbers  # noqa: E402
import shared_terms  # noqa: E402
import simoslab  # noqa: E402
from pages import (  # noqa: E402
    claims,
    columns,
    findings,
    monster,
    numa,
    page_mapping,
    numbers,
    paper_caches,
    paper_claims,
    paper_conditions,
    paper_findings,
    paper_printed,
    paper_services,
    paper_several,
    tables,
    xia_torrellas,
)
from pages.__main__ import pages, papers  # noqa: E402
from pages.paper_runs import WORKLOADS, Known, Run, busy_seconds  # noqa: E402
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


ONE = """[[claim]]
name = "one"
section = "4"
kind = "TLB"
claim = "It is so"
measured = "{{ it | fixed(1) }}"
criterion = "it > 4"
"""

# The paper's own figures of the claims that are in its tables, by page; a page without tables of them has none.
PRINTED = {
    name: importlib.import_module(f"pages.{row['printed']}").printed_measures for name, row in pages().items() if row["printed"] != "-"
}


# A count of verdicts, such as "of fourteen, seven hold" or "8 of 12 findings".
NUMBER = r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|twenty)"
COUNTED = rf"(?i)\bof {NUMBER}, {NUMBER} hold|\b{NUMBER} of (?:the )?{NUMBER} findings|\bof {NUMBER} findings"

IN_WORDS = {"half": 50, "third": 33, "quarter": 25, "order of magnitude": 10, "full point": 1, "twice": 2}


def figures_in(value: object) -> list[float]:
    """The numbers in a claim's data."""
    if isinstance(value, dict | list):
        return [one for part in (value.values() if isinstance(value, dict) else value) for one in figures_in(part)]
    return [value] if isinstance(value, int | float) else []


class Claims(unittest.TestCase):
    def table(self, text: str) -> Path:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (folder / "claims.toml").write_text(text, encoding="utf-8")
        return folder / "claims.toml"

    def judged(self, text: str, here: dict, printed: dict | None = None) -> claims.Judged:
        (claim,) = claims.judge(self.table(ONE + text), {"one": here}, {"one": printed or {}})
        return claim

    def refused(self, text: str, printed: dict | None = None, here: dict | None = None) -> str:
        with self.assertRaises(SystemExit) as ended:
            claims.judge(self.table(text), {"one": here or {}}, {"one": printed or {}})
        return str(ended.exception)

    def test_the_papers_figures_come_first(self) -> None:
        """The criterion is applied to the paper's own figures, those of the table and those of the paper's tables."""
        for text, printed in (("paper.a.it = 3", {}), ("", {"a": {"it": 3}}), ("paper.a.it = 3", {"a": {"it": 5}})):
            self.assertEqual(
                self.refused(ONE + text, printed), "claims: one, a: the paper's own figures do not pass: it > 4"
            )
        self.assertEqual(
            self.refused(ONE + "paper.a.that = 5"),
            "claims: one, a: the paper's figures lack a measure of the criterion: it > 4",
        )
        self.assertIn("does not say so (no_figure)", self.refused(ONE))
        self.assertIn("but there are some", self.refused(ONE + "no_figure = 'as bars'\npaper.a.it = 5"))
        self.assertIn("pass, though it is an exception", self.refused(ONE + "paper.a.it = 5\nexcept.a = 'small'"))
        self.assertIn("has no such case", self.refused(ONE + "paper.a.it = 5\nexcept.b = 'small'"))
        self.assertIn("has no criterion", self.refused(ONE.replace("criterion", "printed")))

    def test_verdicts(self) -> None:
        two = "paper.a.it = 5\npaper.b.it = 6"
        for text, here, verdict in (
            (two, {"a": {"it": 5}, "b": {"it": 5}}, "confirmed"),
            (two, {"a": {"it": 5}, "b": {"it": 3}}, "in part: a"),
            (two, {"a": {"it": 3}, "b": {"it": 3}}, "refuted"),
            (two, {"a": {"it": 5}, "b": {"it": None}, "c": {"it": 1}}, "confirmed"),
            (two, {"a": {}, "c": {"it": 5}}, "not measurable here: there is no run of it"),
            (two, {"a": {"it": 5, "not_judged": "few"}, "b": {}}, "not measurable here: few$"),
            (two, {"a": {"it": 5, "not_judged": "few"}, "b": {"it": 3}}, r"refuted: without a \(few\)$"),
            (two + "\nconstruction = 'fitted'", {"a": {"it": 5}}, "by construction: fitted"),
            (two + "\nconstruction = 'fitted'", {"a": {"it": 3}}, "refuted"),
            (two + "\nsaturated = 'it >= 9'", {"a": {"it": 9}}, "saturated: the effect is as large as the structure"),
            (two + "\nsaturated = 'it >= 9'", {"a": {"it": 9}, "b": {"it": 5}}, r"confirmed: without what is saturated \(a\)"),
            ("paper.a.it = 5\npaper.b.it = 3\nexcept.b = 'it is small'", {"a": {"it": 3}, "b": {"it": 5}}, "refuted"),
            (two, {"a": {"it": 5, "repetitions": [{"it": 5}, {"it": 6}]}}, "confirmed$"),
            (two, {"a": {"it": 5, "repetitions": [{"it": 3}, {"it": 7}]}}, "undecided: holds in a: 1 of 2 repetitions$"),
            (two, {"a": {"it": 3, "repetitions": [{"it": 5}, {"it": 5}]}}, "undecided: holds in a: 2 of 2 repetitions$"),
            (
                two,
                {"a": {"it": 5, "repetitions": [{"it": 3}, {"it": 7}]}, "b": {"it": 3}},
                r"refuted: without what is undecided \(a: 1 of 2 repetitions\)$",
            ),
            ("no_figure = 'as bars'", {"a": {"it": 5}}, "holds here; the paper gives no figure"),
            ("no_figure = 'as bars'", {"a": {"it": 5}, "b": {"it": 3}}, "in part: a"),
        ):
            with self.subTest(text=text, here=here):
                self.assertRegex(self.judged(text, here).text, f"^{verdict}")
        text = ONE.replace('criterion = "it > 4"', 'not_measurable = "there is no disk"\ncause = "machine"')
        (claim,) = claims.judge(self.table(text), {})
        self.assertEqual((claim.text, claim.cause), ("not measurable here: there is no disk", "machine"))

    def with_experiments(self, back: dict, here: dict, text: str = "paper.a.it = 5\npaper.b.it = 6\n") -> claims.Judged:
        """A claim with two experiments, of which BACK has the cases."""
        text = ONE + text
        for name, cause in (("first", "kernel"), ("second", "scale")):
            text += f"[[claim.experiment]]\nname = '{name}'\ncondition = '{name} put back'\ncause = '{cause}'\n"
        (claim,) = claims.judge(self.table(text), {"one": here}, back={"one": back})
        return claim

    def test_causes(self) -> None:
        """The cause of a case is that of the first experiment with which it holds; a case without one is open."""
        low, high = {"it": 3}, {"it": 5}
        for here, back, cause in (
            ({"a": high}, {}, ""),
            ({"a": low}, {}, "open"),
            ({"a": low}, {"first": {"a": low}}, "open"),
            ({"a": low}, {"first": {"a": low}, "second": {"a": high}}, "scale"),
            ({"a": low}, {"first": {"a": high}, "second": {"a": high}}, "kernel"),
            ({"a": low, "b": low}, {"first": {"a": high}, "second": {"b": high}}, "kernel and scale"),
            ({"a": low, "b": low}, {"first": {"a": high}}, "kernel and open"),
            ({"a": low, "b": high}, {"first": {"a": high}}, "kernel"),
            ({"a": {"it": 5, "repetitions": [low, high]}}, {"first": {"a": high}}, "kernel"),
            ({"a": low}, {"first": {"a": {"it": 5, "repetitions": [low, high]}}}, "open"),
            ({"a": low, "c": low}, {"first": {"c": high}}, "open"),
        ):
            with self.subTest(here=here, back=back):
                self.assertEqual(self.with_experiments(back, here).cause, cause)
        claim = self.with_experiments({"first": {"a": low, "b": high}}, {"a": low, "b": low})
        self.assertEqual(list(claim.experiments), ["first put back: holds in part: a: 3.0; b: 5.0"])
        with self.assertRaisesRegex(SystemExit, "one: no experiment is called third"):
            self.with_experiments({"third": {"a": low}}, {"a": low})
        with self.assertRaisesRegex(SystemExit, "one, a: there is no measure it"):
            self.with_experiments({"first": {"a": {"that": 3}}}, {"a": low})

    def test_facts_of_the_papers_system(self) -> None:
        """They may hold here; where they do not, nothing is refuted."""
        text = "fact_of = 'of IRIX'\ncause = 'kernel'\npaper.a.it = 5"
        self.assertEqual(self.judged(text, {"a": {"it": 5}}).text, "confirmed")
        claim = self.judged(text, {"a": {"it": 3}})
        self.assertEqual((claim.text, claim.cause), ("a fact of the paper's system: of IRIX", "kernel"))

    def test_words_that_are_not_known(self) -> None:
        experiment = "\n[[claim.experiment]]\nname = 'first'\ncondition = 'it'\ncause = 'fate'"
        for text, message in (
            (ONE.replace("TLB", "luck") + "paper.a.it = 5", 'kind "luck" is none of caches'),
            (ONE + "paper.a.it = 5" + experiment, 'cause "fate" is none of kernel'),
            (ONE + "paper.a.it = 5" + experiment.replace("cause", "why"), "claim one: has no cause"),
            (ONE + "fact_of = 'IRIX'\npaper.a.it = 5", "one: it has no cause"),
            (ONE + "cause = 'kernel'\npaper.a.it = 5", "one: its cause needs an experiment"),
        ):
            self.assertIn(message, self.refused(text))

    def test_a_measure_that_is_never_there(self) -> None:
        """A claim is not called unmeasured because its criterion names a measure that no run would give."""
        text = ONE.replace("it > 4", "itself > 4") + "paper.a.it = 5\npaper.a.itself = 5"
        self.assertIn("one, a: there is no measure itself", self.refused(text, here={"a": {"it": 5}}))
        text = ONE.replace("it > 4", "self > 4") + "paper.a.it = 5\npaper.a.self = 5"
        self.assertIn("a measure cannot be called self", self.refused(text, here={"a": {"it": 5, "self": 5}}))

    def test_agreement_with_the_papers_figure(self) -> None:
        text = ONE.replace("it > 4", "it | within(2, theirs.it)") + "paper.a.it = 11.2"
        for it, verdict in ((6, "confirmed"), (22, "confirmed"), (23, "refuted"), (0.7, "refuted"), (0, "refuted")):
            (claim,) = claims.judge(self.table(text), {"one": {"a": {"it": it}}})
            self.assertEqual(claim.verdict, verdict, it)

    def test_what_is_shown(self) -> None:
        claim = self.judged("paper.a.it = 5\nprinted = '{{ it }} %'", {"a": {"it": 6}, "<b>": {"it": 3}})
        self.assertEqual((claim.here, claim.paper), ("a: 6.0; &lt;b&gt;: 3.0", "a: 5 %"))
        claim = self.judged("paper.all.it = 5", {"all": {"it": 6}})
        self.assertEqual((claim.here, claim.paper, claim.style), ("6.0", "5.0", "holds"))
        text = ONE.replace("{{ it | fixed(1) }}", "{{ it | each(0) }}").replace("it > 4", "it")
        (claim,) = claims.judge(self.table(text + "no_figure = '<i>'"), {"one": {"all": {"it": {"<script>": 1}}}})
        self.assertEqual((claim.here, claim.paper), ("&lt;script&gt; 1", "&lt;i&gt;"))

    def test_counts(self) -> None:
        two = self.table(ONE + "paper.all.it = 5\n" + ONE.replace("one", "two") + "paper.all.it = 5\n")
        judged = claims.judge(two, {"one": {"all": {"it": 5}}, "two": {"all": {"it": 3}}})
        self.assertEqual(claims.counts_text(judged), "of 2 findings 1 confirmed, 1 refuted")

    def test_damaged_tables(self) -> None:
        for text, message in (
            ("[[claim]]\nname = 'one'\nsection = '4'\n", "claim one: has no claim"),
            (ONE + "colour = 'red'\n", "claim one: has colour, which no claim has"),
            (ONE + ONE, "claim one: is there twice"),
            ("[[claim]\n", "Expected"),
        ):
            self.assertIn(message, self.refused(text))

    def test_questions(self) -> None:
        table = self.table(
            "[[question]]\nname = 'one'\nsection = '4'\nquestion = 'How many?'\nmeasured = '{{ it }}'\n"
        )
        ((question, measured),) = claims.answers(table, {"it": 5})
        self.assertEqual((question.question, measured), ("How many?", "5"))
        self.assertEqual(claims.answers(table, {})[0][1], numbers.DASH)

    def test_figures_stand_in_the_claim(self) -> None:
        """A figure of the paper that a table of claims has is in the claim's sentence, too: a wrong one is in one place
        only, even where the criterion is agreement with it."""
        for page in PRINTED:
            for claim in claims.read(ROOT / "workloads" / page / "claims.toml"):
                text = f"{claim.claim} {claim.printed}"
                said = {abs(float(number)) for number in re.findall(r"\d+(?:\.\d+)?", text.replace(",", ""))}
                said |= {value for word, value in IN_WORDS.items() if word in text}
                for case, measures in claim.paper.items():
                    missing = [value for value in figures_in(measures) if abs(value) not in said]
                    with self.subTest(page=page, claim=claim.name, case=case):
                        self.assertEqual(missing, [])

    def test_every_table_of_claims(self) -> None:
        """Each claim of each page passes by the paper's own figures, and its templates compile."""
        found = sorted(path.parent.name for path in (ROOT / "workloads").glob("*/claims.toml"))
        self.assertEqual(found, sorted(PRINTED))
        for page in found:
            table = ROOT / "workloads" / page / "claims.toml"
            printed = PRINTED[page]()
            rows = claims.read(table)
            self.assertLessEqual(set(printed), {claim.name for claim in rows}, page)
            for claim in rows:
                with self.subTest(page=page, claim=claim.name):
                    self.assertEqual(claims.faults(claim, claims.theirs_of(claim, printed.get(claim.name))), [])
                    for template in (claim.measured, claim.printed):
                        environment().from_string(template)
                    environment().compile_expression(claim.saturated or "true")
            for question in claims.questions(table):
                environment().from_string(question.measured)


class Findings(unittest.TestCase):
    """The page over the findings of all papers."""

    PAPERS = papers()

    def kept(self, change: Callable[[list[str]], list[str]]) -> Path:
        """The table of verdicts with its lines changed."""
        path = Path(self.enterContext(tempfile.TemporaryDirectory())) / "kept.tsv"
        lines = findings.KEPT.read_text(encoding="utf-8").splitlines()
        path.write_text("".join(f"{line}\n" for line in change(lines)), encoding="utf-8")
        return path

    def test_every_claim_has_its_verdict(self) -> None:
        found = findings.read(self.PAPERS)
        self.assertEqual([one.kept["claim"] for one in found], [one.claim.name for one in found])
        for change, message in (
            (lambda lines: lines[:-1], "xia-torrellas: .* has no verdict"),
            (lambda lines: [*lines, lines[-1].replace("\t", "\tmore_", 1)], "xia-torrellas: more_.* is no claim"),
        ):
            with self.assertRaisesRegex(SystemExit, message):
                findings.read(self.PAPERS, self.kept(change))

    def test_what_holds(self) -> None:
        """Each finding counts once, under what it is about and in all."""
        found = findings.read(self.PAPERS)
        *kinds, every = findings.survival(found)
        self.assertEqual(every[1] + every[-1], len(found))
        self.assertEqual([every[1], every[-1]], [sum(row[column] for row in kinds) for column in (1, -1)])
        one = next(one for one in found if one.kept["verdict"] == claims.REFUTED)
        self.assertEqual(findings.survival([one]), [[name, 1, "0 (0 %)", "0 (0 %)", "1 (100 %)", 0] for name in (one.claim.kind, "all")])

    def test_causes(self) -> None:
        one, other = (one for one in findings.read(self.PAPERS)[:2])
        both = [
            dataclasses.replace(one, kept={"verdict": claims.REFUTED, "cause": "kernel and open"}),
            dataclasses.replace(other, kept={"verdict": claims.SATURATED, "cause": "open"}),
        ]
        rows = {row[0]: row[1:] for row in findings.by_cause(both)}
        self.assertEqual((rows["kernel"], rows["open"], rows["scale"]), ([1, 0], [1, 1], [0, 0]))

    def test_page(self) -> None:
        """A row for each finding, with its criterion as text and a link to its row of the paper's page."""
        out = Path(self.enterContext(tempfile.TemporaryDirectory()))
        findings.write_page(out, self.PAPERS)
        page = (out / "index.html").read_text(encoding="utf-8")
        self.assertEqual(page.count("data-paper="), len(findings.read(self.PAPERS)))
        self.assertIn('href="../byte-copying/index.html#temperature"', page)
        self.assertIn("<code>gap_755 &gt; gap_720", page)


class Monster(unittest.TestCase):
    """The measures of Monster's claims, from counters of which the figures are known."""

    # 100 cycles of programs; of the kernel's 100 bcopy has 60, of which 50 are stalls for reads.
    COUNTERS = {"user.run": 80, "user.insn": 20, "kernel.run": 30, "kernel.fp": 10, "bcopy.run": 10, "bcopy.data": 50}

    def test_a_faster_processor(self) -> None:
        """All but the stalls for memory takes a tenth."""
        counters = {**self.COUNTERS, "idle.wait": 7}
        self.assertEqual(monster.busy_shares(counters), {"kernel": 50, "blocks": 30})
        shares = monster.busy_shares(monster.with_faster_cpu(counters, 10))
        self.assertEqual(shares, {"kernel": 100 * 55 / 83, "blocks": 100 * 51 / 83})

    def run_of(self, counters: dict, mix: dict) -> dict:
        """The figures of a run with these counters."""
        cycles = {"cycles": sum(counters.values()), "insns": sum(counters.values())}
        analysers = {"cycles": counters, "mix": {"addu": 10, **mix}, "bus": {"addu": 12}}
        named = {name: {"counters": of} for name, of in analysers.items()}
        document = {"annotations": {"analysers": named}, "cpu0": cycles}
        return monster.figures_of(simoslab.Statistics.of(document, "cc2"), "cc2")

    def placed(self, fetches: int, loads: int, cycles: int = 400) -> simoslab.Statistics:
        """The statistics of a run of placement.tsv: of 100 instructions in user mode."""
        mode = {"insns": 100, "cycles": cycles, "miss": {"l1i": fetches, "l1d_read": loads}}
        return simoslab.Statistics.of({"cpu0": {"mode": {"user": mode}}}, "placed")

    def test_placement(self) -> None:
        runs = {"conflict": self.placed(98, 0), "page": self.placed(1, 0), "plain": self.placed(0, 60, 300)}
        runs |= {"blocked": self.placed(0, 20, 100), "random-1": self.placed(0, 40, 200), "random-2": self.placed(0, 30, 150)}
        here = {name: of["all"] for name, of in monster.placement_measures(runs).items()}
        self.assertEqual(here["page_conflict"], {"conflict": 98})
        self.assertEqual(here["blocking"], {"plain": 60, "blocked": 20, "times": 3})
        self.assertEqual(here["blocking_lost"], {"lost": {"random-1": 50, "random-2": 25}})
        self.assertEqual(here["even_pages"], {"even": 20, "random": {"random-1": 40, "random-2": 30}})
        del runs["page"]
        self.assertNotIn("same_page", monster.placement_measures(runs))

    def test_waiting(self) -> None:
        """A program with 300 cycles of the idle loop waits 60 % of its 500, and 75 % of the kernel's 400."""
        waits = self.run_of({**self.COUNTERS, "idle.wait": 300}, {})
        runs = {"gcc": waits, "li": self.run_of(self.COUNTERS, {}), "cc2": waits, "cc3": waits}
        here = {name: of["all"] for name, of in monster.io_measures(runs, ["li", "gcc"]).items()}
        self.assertEqual(here["idle"], {"idle": {"gcc": 75, "cc2": 75, "cc3": 75}})
        self.assertEqual(here["gcc_io"], {"gcc": 60, "others": {"li": 0}})
        self.assertEqual(here["linking_io"], {"gcc": 60, "linking": {"cc2": 60, "cc3": 60}})

    def test_conditions(self) -> None:
        """Each claim's experiments have the measures of their runs; a condition without the program of table 1 has none."""
        mix = {mode: 100 for mode in ("user", "kernel")} | {f"{mode}.nops": 10 for mode in ("user", "kernel")}
        one = self.run_of({**self.COUNTERS, "bcopy.uncached": 150, "bzero.run": 10}, mix)
        names = ["li", "gcc", "cc2"]
        back = monster.conditions_back({"disk": dict.fromkeys(names, one), "scaled": {"li": one}}, names[:2], names[1:], "cc2")
        self.assertEqual(back["bcopy_uncached"], {"disk": {"all": {"uncached": 75}}})
        self.assertNotIn("phantoms", back)
        listed = {claim.name: {e.name for e in claim.experiment} for claim in claims.read(ROOT / "workloads/monster/claims.toml")}
        self.assertEqual([name for name, of in back.items() if not set(of) <= listed[name]], [])

    def test_between_marks(self) -> None:
        """What was counted before the mark start is not of the run."""
        lines = [
            'x: counted {"annotations":{"analysers":{"cycles":{"counters":{"user.run":%d}}}},"cpu0":{"cycles":%d}}' % counts
            for counts in ((5, 50), (12, 90))
        ]
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "disk-li.log"
            log.write_text("\n".join(lines), encoding="utf-8")
            run = monster.between_marks(log)
            self.assertEqual(run.exact("cpu0.cycles"), 40)
            self.assertEqual(run.below("annotations.analysers.cycles.counters"), {"user.run": 7})
            log.write_text(lines[0], encoding="utf-8")
            self.assertRaises(SystemExit, monster.between_marks, log)

    def test_every_claim_is_measured(self) -> None:
        """What claims.toml asks for is there, of each claim that can be judged."""
        mix = {mode: 100 for mode in ("user", "kernel")}
        mix |= {f"{mode}.{kind}": 10 for mode in ("user", "kernel") for kind in monster.MIX}
        names = ["doduc", "li", "gcc", "cc1", "cc2", "cc3"]
        runs = {name: self.run_of({**self.COUNTERS, "bzero.run": 10, "bzero.write": 30}, mix) for name in names}
        here = {**monster.measures_of(runs, names[:3], names[2:], "cc2"), **monster.io_measures(runs, names[:3])}
        names = ("conflict", "page", "blocked", "random-1")
        here |= monster.placement_measures({"plain": self.placed(0, 30, 900), **{name: self.placed(10, 20) for name in names}})
        self.assertAlmostEqual(here["cpi_by_blocks"]["all"]["part"], 100 * (2.8 - 40 / 30) / 1.55)
        for claim in claims.read(ROOT / "workloads/monster/claims.toml"):
            with self.subTest(claim=claim.name):
                self.assertEqual(claim.name in here, bool(claim.measured))
                if claim.criterion:
                    theirs = claims.theirs_of(claim, monster.printed_measures().get(claim.name)).get("all")
                    self.assertIsNotNone(claims.holds(claim.criterion, here[claim.name]["all"], theirs))


class XiaTorrellas(unittest.TestCase):
    """The page of schemes for an operating system's memory hierarchy, from statistics of which the figures are known."""

    def statistics(self, l1i: int, stall: int, waits: int = 0) -> dict:
        """Of a machine with two equal processors. A block engine is busy for WAITS cycles and 4 of its CPU's instructions."""
        stalls = dict.fromkeys(["l1i", "l2i", "l1d", "l2d", "upgrade", "write_buffer", "uncached"], 0)
        misses, outer = {"l1i": l1i, "l2_insn": 20, "l1d_read": 30}, {"l3_insn": 5, "streamed": 3, "l2_read": 10, "l3_read": 4}
        mode = {"wait": 0, "execute": 20, "insns": 20, "miss": misses, "outer_miss": outer}
        mode |= {"stall": stalls | {"l2i": stall, "uncached": 2 + waits}, "cycles": 22 + stall + waits}
        mode["late"] = {"l1i": 6, "l2_insn": 3, "l3_insn": 1, "l1d_read": 5, "l2_read": 2, "l3_read": 1, "streamed": 1}
        cpu = {"mode": {"kernel": mode, "user": {"cycles": 50, "insns": 40}, "idle": {"cycles": 8, "insns": 1}}}
        cpu |= {"block": {"wait": waits, "overlapped": 4}} if waits else {}
        return {"cpu0": cpu, "cpu1": cpu, "machine": {}}

    def test_figures_of_a_run(self) -> None:
        of = xia_torrellas.figures_of(simoslab.Statistics.of(self.statistics(100, 78, waits=10), "base"))
        self.assertEqual([of[kind] for kind in xia_torrellas.KINDS], [160, 40, 24, 12, 10, 8])
        self.assertEqual([of[name] for name in ("misses", "time", "busy", "dma", "memory")], [254, 220, 32, 28, 160])
        self.assertEqual((of["uncached"], of["M2 and M3, instructions"], of["user"]), (4, 156, 100))
        self.assertEqual((of["insns"], of["user insns"]), (122, 80))
        self.assertEqual([of[kind] for kind in xia_torrellas.LATE_KINDS], [166, 46, 30, 14, 12, 10])
        self.assertEqual(of["late misses"], 278)
        self.assertNotIn("block reads", of)
        wrong = self.statistics(100, 78)
        wrong["cpu0"]["mode"]["kernel"]["cycles"] += 1
        with self.assertRaisesRegex(SystemExit, "the stalls are"):
            xia_torrellas.figures_of(simoslab.Statistics.of(wrong, "base"))

    def details(self) -> dict:
        """Statistics with misses by class and routine."""
        document = self.statistics(100, 78)
        for name in ("cpu0", "cpu1"):
            document[name] = {**document[name], "l1i": {"evicted": {"kern_self": 70, "kern_other": 20}}}
        columns = ["mode", "service", "process", "routine", "data", "cache", "class", "misses", "stall"]
        rows = [
            ["kernel", "read", "a", "f", "", "l1i", "conflict", 100, 600],
            ["kernel", "read", "a", "f", "", "l1i", "cold", 50, 300],
            ["kernel", "read", "a", "f", "", "l3", "cold", 3, 0],
            ["kernel", "read", "a", "f", "", "l3", "capacity", 1, 108],
            ["kernel", "read", "a", "f", "kernel stack of a", "l1d", "capacity", 30, 180],
            ["kernel", "read", "a", "f", "slab filp", "l1d", "true_sharing", 10, 0],
            ["kernel", "read", "a", "f", "slab filp", "l2", "false_sharing", 10, 340],
            ["user", "USER", "a", "f", "", "l1i", "conflict", 7, 42],
        ]
        blocks = {"states": {"block": {"miss": {"l1d_read": 24}}}}
        collected = {"coherence": {"reads": {"count": 6}}}
        return document | {
            "annotations": {"automata": {"blocks": blocks}, "statistics": collected, "misses": {"columns": columns, "rows": rows}}
        }

    def test_details_of_a_run(self) -> None:
        of = xia_torrellas.figures_of(simoslab.Statistics.of(self.details(), "base"))
        parts = [of[name] for name in xia_torrellas.COMPONENTS]
        self.assertEqual(parts, [300, 780, 0, 0, 108, 340, 0])
        self.assertEqual((of["block reads"], of["coherence reads"], of["data reads"]), (24, 6, 60))
        self.assertEqual((of["l3 fetches"], of["l3 fetches cold"], of["l1i"], of["self"], of["application"]), (4, 3, 150, 140, 40))
        self.assertEqual((of["l1d"], of["stacks"]), (40, 30))

    def test_cases_of_profiles_and_software(self) -> None:
        loops = {"loops": 10, "at_most_six_iterations": 7, "executed": 300}
        routines = {"called": 40, "called_from_one": 30, "targets": 100, "targets_of_one": 31}
        locality = {"insns": 2621440, "insns_executed": 524288, "executed": 1000, "routines": routines, "sequences": {"executed_in_long": 450}}
        locality |= {"loops_without_calls": loops, "loops_with_calls": loops}
        calls = [{"to": f"f{number}", "count": 1} for number in range(19)] + [{"to": "hot", "count": 57}, {"to": "a, page 1", "count": 999}]
        profile = {"locality": locality, "layout": {"lines": {"before": 10, "after": 8}}, "calls": calls}
        cases: dict = {}
        xia_torrellas.cases_of_profiles(cases, {"shell": profile})
        found = {name: measures["all"] for name, measures in cases.items()}
        self.assertEqual(found["code_size"], {"size": 10})
        self.assertEqual(found["one_caller"], {"share": 75, "all_code": 31})
        shares = {name: found[name]["share"] for name in ("executed_code", "loops", "iterations_with_calls", "sequences", "hot_routines")}
        self.assertEqual(
            shares, {"executed_code": 20, "loops": 30, "iterations_with_calls": 70, "sequences": 45, "hot_routines": 75}
        )
        self.assertEqual(found["spatial"], {"lines": 80})
        spots = {"a": xia_torrellas.HotSpots(20, {"f", "g"}), "b": xia_torrellas.HotSpots(40, {"f"})}
        xia_torrellas.cases_of_software(cases, spots, {"a": 300, "b": 500})
        self.assertEqual([cases[name]["all"] for name in ("dpref_spots", "spots_alike", "cohr_bytes")], [{"share": 30}, {"share": 75}, {"size": 400}])

    def test_points_are_read(self) -> None:
        out = Path(self.enterContext(tempfile.TemporaryDirectory()))
        text = "# 90 misses, 9 cycles, of the load at 0x80100000 (f+0x10): none, its address is known 1 instructions before\n"
        text += "# 80 misses, 8 cycles, of the load at 0x80200000 (g)\n0x80200000:4(a0) # 3 instructions before\n"
        (out / "shell-short.points").write_text(text + "# 1 points, for loads with 80 misses, 24.6 %\n", encoding="utf-8")
        cases: dict = {}
        xia_torrellas.cases_of_files(cases, out)
        self.assertEqual(cases["dpref_spots"]["all"]["share"], 24.6)
        self.assertEqual(xia_torrellas.SPOT.findall(text), ["f", "g"])

    def test_a_short_form_is_cautious(self) -> None:
        """What a tolerance would change is undecided, also if other cases are not; what it would not change is as ever."""
        table = claims.read(ROOT / "workloads/xia-torrellas/claims.toml")
        near, far = {"share": 18 * 1.3}, {"share": 18}
        cases = {"executed_code": {"all": near}, "loops": {"all": {"share": 80}}}
        cases["off_chip"] = {"shell": {"share": 16.4}, "trfd-4": {"share": 13.6 * 1.6}}
        theirs = xia_torrellas.printed_measures()

        def verdicts(cases: dict) -> dict[str, str]:
            path = ROOT / "workloads/xia-torrellas/claims.toml"
            judged = claims.judge(path, xia_torrellas.with_caution(table, cases, theirs), theirs, xia_torrellas.WORKLOADS)
            return {one.claim.name: one.verdict for one in judged}

        found = verdicts(cases)
        self.assertEqual([found[name] for name in ("executed_code", "loops", "off_chip")], ["undecided", "refuted", "undecided"])
        self.assertEqual(verdicts({"executed_code": {"all": far}})["executed_code"], "confirmed")

    def test_conditions(self) -> None:
        """Late prefetches as misses come from the same runs; a condition's runs replace those from its first step on, and without
        runs of it there is no experiment."""
        base, gpref = (xia_torrellas.figures_of(simoslab.Statistics.of(self.statistics(n, 78), "x")) for n in (100, 60))
        chip = {**gpref, "M1.I": 100, "misses": 214}
        keys = {("shell", xia_torrellas.MISSES_OF, run): {0: of} for run, of in (("base", base), ("lopt", base), ("gpref", gpref))}
        table = claims.read(ROOT / "workloads/xia-torrellas/claims.toml")
        found = xia_torrellas.experiments_of(table, xia_torrellas.Runs(keys))["gpref_misses"]
        self.assertEqual(list(found), ["late"])
        self.assertAlmostEqual(found["late"]["all"]["fewer"], 100 * 80 / 278)
        keys["shell", xia_torrellas.MISSES_OF, "chip-gpref"] = {0: chip}
        found = xia_torrellas.experiments_of(table, xia_torrellas.Runs(keys))["gpref_misses"]
        self.assertAlmostEqual(found["chip"]["all"]["fewer"], 100 * 40 / 254)

    def make(self, out: Path) -> str:
        xia_torrellas.make(out)
        return (out / "index.html").read_text(encoding="utf-8")

    def test_page(self) -> None:
        """Of two workloads with Base and Lopt; nothing is made up of what has not been run, and the page is the same again."""
        out = Path(self.enterContext(tempfile.TemporaryDirectory()))
        for workload in ("trfd-4", "shell"):
            for machine in (xia_torrellas.MISSES_OF, xia_torrellas.TIMES_OF):
                for step in ("base", "lopt"):
                    (out / f"{workload}-short.{machine}.{step}.json").write_text("{}", encoding="utf-8")
        said = "# a map\n# a relinked kernel would have executed 7 jumps more, at 3 places, and 2 less, at 1\ncode 0x4 0x8 4\n"
        (out / "shell-short.layout").write_text(said, encoding="utf-8")
        documents = {"base": self.statistics(100, 78), "lopt": self.statistics(74, 68)}
        with unittest.mock.patch.object(xia_torrellas.simoslab, "load") as load:
            load.side_effect = lambda path: simoslab.Statistics.of(documents[path.name.split(".")[2]], "base")
            page, again = self.make(out), self.make(out)
        self.assertEqual(page, again)
        self.assertIn("Dpref on xia-torrellas: TRFD_4, TRFD+Make, ARC2D+Fsck, Shell", page)
        verdicts = {line.split("\t")[1]: line.split("\t")[3] for line in (out / "verdicts.tsv").read_text().splitlines()}
        self.assertEqual([verdicts[name] for name in ("lopt", "lopt_misses", "gpref")], ["confirmed", "confirmed", "not measurable here"])
        self.assertEqual(page.count("<svg"), 2)
        # Two cycles for each of 5 jumps, of 200.
        self.assertIn("".join(f"<td>{cell}</td>" for cell in ("7", "3", "2", "1", "+5.0", "90.0", "95.0")), page)
        self.assertIn("<title>TRFD_4, Lopt, M1: ", page)
        self.assertIn("were 122 instructions of TRFD_4, 80 of them in user mode; 122 instructions of Shell, 80 of them in user mode.", page)
        self.assertNotIn("Measured from", self.make(Path(self.enterContext(tempfile.TemporaryDirectory()))))
        self.assertNotIn("Gpref, M1", page)


class Numa(unittest.TestCase):
    """The page of memory in nodes, from statistics of which the figures are known."""

    def statistics(self, kernel: int, nodes: bool, moves: int = 0) -> dict:
        """Of two equal processors that execute 100 instructions in user mode in as many cycles; the kernel takes KERNEL more, of them
        MOVES for moves of pages, and 10 for misses."""
        stalls = dict.fromkeys(["l1i", "l2i", "l1d", "l2d", "upgrade", "write_buffer", "uncached"], 0)
        mode = {"stall": stalls | {"l2d": 10, "page_move": moves}, "cycles": kernel, "insns": 20}
        cpu = {"mode": {"kernel": mode, "user": {"cycles": 100, "insns": 100, "stall": stalls}, "idle": {"cycles": 800, "insns": 1}}}
        cpu |= {"numa": {"local": 3, "remote": 1}} if nodes else {}
        services = {"read": {"calls": 1, "cycles": 2 * kernel, "stall": {"l2d": 20}}, "USER": {"calls": 0, "cycles": 200, "stall": {}}}
        lock = {"name": "a lock", "wait": 7}
        columns = ["mode", "service", "process", "routine", "data", "cache", "class", "misses", "stall"]
        rows = [["kernel", "read", "init", "f", "a slab", "l2", "cold", 2, 20], ["kernel", "read", "init", "f", "", "l2", "cold", 2, 9]]
        said = {"services": services, "locks": [lock, lock], "misses": {"columns": columns, "rows": rows}}
        done = dict.fromkeys(numa.DID, 0) | {"hot_pages": 5, "migrations": 4}
        return {"cpu0": cpu, "cpu1": cpu, "machine": {}, "annotations": said} | ({"numa": done} if nodes else {})

    def test_figures_of_a_run(self) -> None:
        of = numa.figures_of(simoslab.Statistics.of(self.statistics(60, True, moves=30), "run"))
        self.assertEqual([round(of[name], 9) for name in ("cycles", "execution", "l1", "beyond", "upgrade", "move")], [1.6, 1.2, 0, 0.1, 0, 0.3])
        self.assertEqual([of[name] for name in ("local", "hot_pages", "migrations", "collapses")], [75, 5, 4, 0])
        without = numa.figures_of(simoslab.Statistics.of(self.statistics(60, False), "run"))
        self.assertEqual([without["local"], without["hot_pages"]], [None, None])

    def test_page(self) -> None:
        """Of one workload, whose time falls by a sixth when pages move, and by half of that with samples."""
        out = Path(self.enterContext(tempfile.TemporaryDirectory()))
        kernel = {"bus": 40, "l3": 20, "nodes": 100, "both": 60, "sampled": 80, "tlb": 90}
        for system in numa.systems():
            (out / f"pmake-mp8.{system}.json").write_text("{}", encoding="utf-8")
        with unittest.mock.patch.object(numa.simoslab, "load") as load:
            load.side_effect = lambda path: simoslab.Statistics.of(
                self.statistics(kernel.get(system := path.name.split(".")[1], 100), system not in ("bus", "l3")), "run"
            )
            numa.make(out)
        page = (out / "index.html").read_text(encoding="utf-8")
        verdicts = {line.split("\t")[1]: line.split("\t")[3] for line in (out / "verdicts.tsv").read_text().splitlines()}
        self.assertEqual(verdicts["as_much_as"], "confirmed")  # 200 / 160 is 25 % faster
        self.assertEqual([verdicts[name] for name in ("each_gains", "sampling")], ["holds here; the paper gives no figure", "refuted"])
        self.assertEqual(verdicts["contention"], "refuted")  # nobody waits in either
        self.assertIn("<td>both</td><td>80.0</td><td>1.600</td>", page)
        # 200 instructions in user mode
        self.assertIn("<td>read</td><td>400.00</td><td>100.00</td><td>200.00</td><td>100.00</td><td>1000.00</td><td>100.00</td>", page)
        self.assertIn("<td>a lock</td>" + "<td>70.00</td>" * 3, page)
        self.assertIn("<td>a slab</td>" + "<td>100.00</td>" * 3, page)
        self.assertNotIn("USER", page)


class PageMapping(unittest.TestCase):
    """The page of page mapping policies, from statistics of which the figures are known."""

    def statistics(self, conflict: int, reference: int = 1000) -> dict:
        """Of a machine whose first-level caches each miss REFERENCE + CONFLICT times."""
        by_mode = {"user": reference - 30, "kernel": 20, "idle": 10}
        insn = {"misses": reference + conflict, "reference": by_mode}
        data = {"read_misses": reference, "write_misses": conflict, "reference": by_mode}
        mode = {"user": {"cycles": 600}, "kernel": {"cycles": 300 + conflict}, "idle": {"cycles": 50}}
        return {"cpu0": {"mode": mode, "l1i": insn, "l1d": data}, "page_mapping": {"pages": 7, "moved": 5, "full": 0, "reserved": 0}}

    def test_figures_of_a_run(self) -> None:
        of = page_mapping.figures_of(simoslab.Statistics.of(self.statistics(40), "random"))
        self.assertEqual((of["l1i.misses"], of["l1i.reference"], of["l1i.conflict"], of["l1d.conflict"]), (1040, 1000, 40, 40))
        self.assertEqual((of["cycles"], of["pages"], of["moved"]), (940, 7, 5))

    def test_page(self) -> None:
        """Colouring has fewer conflict misses than random's mean; best bin more, and other misses of the reference cache."""
        out = Path(self.enterContext(tempfile.TemporaryDirectory()))
        runs = {"random.0.none.1": (100, 1000), "random.0.none.2": (120, 1000), "colouring.0.none.1": (40, 1009), "best-bin.0.none.1": (111, 1010)}
        runs |= {"random.0.programs.1": (60, 900), "shading.0.programs.1": (50, 903)}
        for name in runs:
            (out / f"{name}.json").write_text("{}", encoding="utf-8")
        with unittest.mock.patch.object(page_mapping.simoslab, "load") as load:
            load.side_effect = lambda path: simoslab.Statistics.of(self.statistics(*runs[path.name.removesuffix(".json")]), "random")
            pages = []
            for window in ("", "", "40000000"):
                (out / "settings").write_text(f"window {window}\n", encoding="utf-8")
                page_mapping.make(out)
                pages.append((out / "index.html").read_text(encoding="utf-8"))
        self.assertEqual(pages[0], pages[1])
        rows = re.findall(r'<tr><td class="(holds|not)">(?:yes|no)</td><td>([^<]*)</td><td>data</td><td>([^<]*)</td>', pages[0])
        twice = [("holds", "colouring"), ("not", "best-bin"), ("holds", "shading, programs laid out")]
        self.assertEqual([(style, policy) for style, policy, _ in rows], [row for row in twice for _ in range(2)])
        # The interval of 100 and 120: 12.706 times a standard error of 10.
        self.assertIn("<td>110 ± 127</td>", pages[0])
        # A part of the runs decides nothing, and the page says so.
        self.assertNotIn("decides nothing", pages[0])
        self.assertIn("Only the first 40 × 10⁶ instructions", pages[2])
        self.assertEqual(re.findall(r'<td class="holds|<td class="not', pages[2]), [])
        self.assertEqual(pages[2].count("<td>undecided</td>") + pages[2].count('<td class="">undecided</td>'), 12)

    def test_intervals(self) -> None:
        """A mean and its interval have one unit."""
        self.assertEqual(page_mapping.with_interval([943000, 880000, 1000000]), "(941 ± 149) × 10³")
        self.assertEqual(page_mapping.with_interval([31e6, 32e6, 33e6]), "(32 ± 2.48) × 10⁶")
        self.assertEqual(page_mapping.with_interval([7e6]), "7000 × 10³")


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

    def test_verdicts(self) -> None:
        """What a condition says of the paper (`theirs`) is no obstacle to its criterion."""
        blocks = {block.name: block for block in claims.blocks(paper_claims.TABLE, "condition", paper_claims.Condition)}
        words = {"condition": "x", "workload": "w", "hypothesis": "h"}
        idle = words | {"theirs": ["36 %", "90 %"], "late": "1998"}
        share = words | {"theirs": 16}
        cases = [
            ("condition_io", idle, {"idle": [1, 18]}, {"idle": [8, 83]}, "brings it back"),
            ("condition_io", idle, {"idle": [1, 18]}, {"idle": [8, 40]}, "does not"),
            ("condition_kernel", share, {"share": 34.3}, {"share": 20.1}, "brings it back"),
            ("condition_kernel", share, {"share": 20.1}, {"share": 20.1}, "holds without it"),
            ("condition_kernel", share, {"share": 34.3}, {"share": 24.1}, "does not"),
        ]
        for name, row, plain, put_back, verdict in cases:
            judged = paper_claims.judged(blocks[name], row | {"plain": plain, "put_back": put_back})
            self.assertEqual(judged.verdict, verdict, name)

    def test_what_the_paper_has(self) -> None:
        wrong = {row["name"]: self.not_the_papers(row) for row in self.rows() if row["kind"] == "paper"}
        self.assertEqual({name: what for name, what in wrong.items() if what}, {})
        others = {row["name"]: self.not_the_papers(row) for row in self.rows() if row["kind"] == "experiment"}
        self.assertEqual(others["pmake-tlb"], ["a TLB of another reach"])
        self.assertEqual(others["database-drives"], ["other disks"])


class Rows(unittest.TestCase):
    """What pages.tsv names is there: the module, the claims, the rules of make, the how-to, its line in the README."""

    def test_every_page(self) -> None:
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        for name, row in pages().items():
            with self.subTest(name):
                module, rules, claimed = f"workloads/pages/{row['module']}.py", f"workloads/{name}.mk", f"workloads/{name}/claims.toml"
                files = [module, rules, f"docs/how-to/{name}.md", *([claimed] if row["paper"] != "-" else [])]
                missing = [f"there is no {file}" for file in files if not (ROOT / file).is_file()]
                listed = f"(docs/how-to/{name}.md)" in readme
                self.assertEqual(missing + ([] if listed else [f"README.md does not list {name}"]), [])
                self.assertEqual(row["printed"] != "-", row["paper"] != "-")
                self.assertTrue(callable(importlib.import_module(f"pages.{row['module']}").make))
                self.assertRegex((ROOT / rules).read_text(encoding="utf-8"), rf"(?m)^{name}:", rules)

    def test_every_module_is_of_a_page(self) -> None:
        for module in (ROOT / "workloads/pages").glob("*.py"):
            if "\ndef make(" in module.read_text(encoding="utf-8"):
                self.assertIn(module.stem, [row["module"] for row in pages().values()], "workloads/pages/pages.tsv")

    def test_pages_ask_frames(self) -> None:
        """Only the page of SOSP'95 has the content of a statistics file in its hands: it writes it, with the services renamed."""
        asking = {path.name for path in (ROOT / "workloads/pages").glob("*.py") if ".document(" in path.read_text(encoding="utf-8")}
        self.assertEqual(asking, {"paper.py"})

    def test_every_set_of_claims_has_a_page(self) -> None:
        found = {path.parent.name for path in (ROOT / "workloads").glob("*/claims.toml")}
        self.assertEqual(found, {name for name, row in pages().items() if row["paper"] != "-"})


class Verdicts(unittest.TestCase):
    """The documentation has the verdicts of the pages as they were made last (docs/verdicts.tsv)."""

    def test_the_pages_claims(self) -> None:
        """Of a page that was taken over each claim has one verdict, and the document is made from them."""
        table = ROOT / "docs/verdicts.tsv"
        rows = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()[1:]]
        for page in {row[0] for row in rows}:
            names = [claim.name for claim in claims.read(ROOT / "workloads" / page / "claims.toml")]
            self.assertEqual([row[1] for row in rows if row[0] == page], names, page)
        self.assertLessEqual({row[3] for row in rows}, set(claims.VERDICTS))
        made = subprocess.run([ROOT / "docs/verdicts.sh"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(made, (ROOT / "docs/reference/verdicts.md").read_text(encoding="utf-8"))

    def test_no_other_document_counts(self) -> None:
        """Counts of verdicts are written in verdicts.md alone."""
        self.assertRegex("the findings: of fourteen, seven hold", COUNTED)
        pages = [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
        found = [
            f"{page.name}: {match[0]}"
            for page in pages
            if page.name != "verdicts.md"
            for match in re.finditer(COUNTED, page.read_text(encoding="utf-8"))
        ]
        self.assertEqual(found, [])

    def test_verdicts_are_kept_by_page(self) -> None:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        claim = claims.Claim("one", "4", "It is so", "TLB", "<b>{{ it }}", "it > 4", {"all": {"it": 5}})
        kept = folder / "kept.tsv"
        kept.write_text("\t".join(claims.COLUMNS) + "\n", encoding="utf-8")
        for page, it in (("a", 5), ("b", 5), ("a", 3)):
            claims.write(folder, page, [claims.judge_claim(claim, {"all": {"it": it}})])
            claims.keep(kept, [folder / "verdicts.tsv"])
        rows = [line.split("\t") for line in kept.read_text(encoding="utf-8").splitlines()[1:]]
        refuted = ["a", "one", "4", "refuted", "", "open", "", "3", "5"]
        self.assertEqual(rows, [refuted, ["b", "one", "4", "confirmed", "", "", "", "5", "5"]])
        table = folder / "claims.toml"
        table.write_text(ONE + "no_figure = 'x'\n" + ONE.replace('"one"', '"two"') + "no_figure = 'x'\n", encoding="utf-8")
        claims.keep(kept, [], {"a": table})
        self.assertEqual([line.split("\t")[:4] for line in kept.read_text(encoding="utf-8").splitlines()[1:3]], [
            ["a", "one", "4", "refuted"],
            ["a", "two", "4", "not measured yet"],
        ])
        kept.write_text("page\tclaim\n", encoding="utf-8")
        with self.assertRaisesRegex(SystemExit, "the columns are not page claim"):
            claims.keep(kept, [])


class PaperTables(unittest.TestCase):
    """The tables of SOSP'95 add up as the paper's do, so that a number that was copied wrongly is found."""

    # Cells that do not add up in the paper's text either.
    ODD = {("database", "DBL FAULT", "istall98"), ("database", "fcntl", "istall98")}

    def setUp(self) -> None:
        self.printed = paper_printed.Printed()

    def test_shares_are_all_of_the_kernels_time(self) -> None:
        for workload in WORKLOADS:
            for column in ("share94", "share96", "share98"):
                self.assertAlmostEqual(sum(row[column] for row in self.printed.one(workload)), 100, delta=0.25)
            self.assertAlmostEqual(sum(row["share_up"] for row in self.printed.several(workload)), 100, delta=0.25)

    def test_a_cycle_an_instruction_and_the_stall(self) -> None:
        for row in self.printed.t48:
            if row["cpi94"] is not None:
                self.assertAlmostEqual(row["cpi94"], 1 + row["imcpi94"] + row["dmcpi94"], delta=0.045, msg=row)

    def test_stall_is_what_share_and_cpi_say(self) -> None:
        """% stall of a service from its part of the time and its CPI, within rounding."""
        for workload, year in ((w, y) for w in WORKLOADS for y in ("94", "98")):
            rows = [row for row in self.printed.one(workload) if row["dmcpi" + year] is not None]
            weights = {row["service"]: row["share" + year] / row["cpi" + year] for row in rows}
            every = sum(weights[r["service"]] * (r["imcpi" + year] + r["dmcpi" + year]) for r in rows)
            shown = sum((row["istall" + year] or 0) + (row["dstall" + year] or 0) for row in rows)
            for row in rows:
                for stall, part in (("istall", "imcpi"), ("dstall", "dmcpi")):
                    value, column = row[stall + year], stall + year
                    if value is not None and (workload, row["service"], column) not in self.ODD:
                        computed = weights[row["service"]] * row[part + year] / every * shown
                        self.assertAlmostEqual(value, computed, delta=1.5, msg=(row["service"], column))

    def test_parts_of_the_computation(self) -> None:
        parts = ("insns", "spinlock", "coherence", "upgrade", "icache", "dcache")
        for row in self.printed.t54:
            if all(row[part] is not None for part in parts):
                self.assertAlmostEqual(sum(row[part] for part in parts), 100, delta=3, msg=row)

    def test_nothing_follows_from_a_missing_run(self) -> None:
        """With the columns of 1994 alone, claims of 1998 have no case, instead of none of none."""
        of_1998 = re.compile("(share|cpi|imcpi|dmcpi|istall|dstall|speedup|latency_speedup)98")

        class First(paper_printed.Printed):
            def one(self, workload: str) -> list[tables.Row]:
                return [{name: None if of_1998.fullmatch(name) else value for name, value in row.items()} for row in super().one(workload)]

        measured = paper_services.service_measures(First())
        self.assertEqual([measured[name] for name in ("broad", "service_mcpi", "utlb")], [{}, {}, {}])
        self.assertEqual(list(measured["bad_insn_cache"]), ["database"])
        with self.assertRaises(ValueError):
            paper_services.number_of([])

    def test_the_end_of_a_workload(self) -> None:
        """Section 5.1: idle time towards the end is that of the run of the whole workload, not of one to a limit."""
        mode = {name: {"cycles": 10, "insns": 1000, "wait": 0, "stall": {}} for name in ("user", "kernel", "idle")}
        rows = [{"end": end, **mode} for end in range(30, 150, 30)] + [{"end": 200, **mode, "idle": {**mode["idle"], "cycles": 60}}]
        over_time = {"begin": 0, "rows": rows}
        run = Run.of({"cpu0": {"mode": mode}, "machine": {"time": 200, "seconds": 1e-6}, "over_time": over_time})
        cases = paper_several.several_imbalance(Known({"pmake-whole-mp8": run}, {}, [], []))
        self.assertEqual([round(share) for share in cases["pmake"]["idle"]], [33, 75])
        self.assertEqual(paper_several.several_imbalance(Known({"pmake-mp8": run}, {}, [], [])), {})

    def run_of(self, name: str, **groups: dict) -> Known:
        """A run NAME that has collected GROUPS, and its kernel's counts."""
        sums = {what: {key: {"sum": count} for key, count in of.items()} for what, of in groups.items()}
        stall = {"l1i": 10, "l1d": 20, "l2i": 30, "l2d": 40}
        misses = {kind: {"kernel": {"cold": 1, "capacity": 3, "upgrade": 9}} for kind in ("insn", "data")}
        document = {
            "cpu0": {
                "mode": {mode: {"cycles": 100, "insns": 10, "wait": 0, "stall": stall} for mode in ("user", "kernel", "idle")},
                "l2": {"miss": misses},
                "mxs": {"outstanding": {"kernel": {"any": 80, "several": 20, "total": 100}}},
            },
            "machine": {"time": 100, "seconds": 1e-6},
            "annotations": {"statistics": sums},
        }
        return Known({name: Run.of(document)}, {}, [], [], {"read": 7, "write": 2})

    def test_requests_of_the_disks(self) -> None:
        """Section 4.2, of whole workloads: what the file system's metadata are of, and who asks for them. Flushes are none."""
        origins = {
            "write of metadata by jbd2/vda-8": 3,
            "write of file by cc1": 1,
            "read of metadata by cc1": 1,
            "flush of none by kworker/0:1H": 9,
        }
        known = self.run_of("pmake-whole", **{"disk requests by origin": origins})
        self.assertEqual(paper_findings.metadata_most(known), {"pmake": {"part": 60, "requests": 5}})
        origins = {"read of file by postgres": 3, "read of device by postgres": 6, "write of file by pgbench": 1}
        known = self.run_of("database-whole", **{"disk requests by origin": origins})
        self.assertEqual(paper_findings.raw_disk(known), {"database": {"server": 90, "device": 60}})

    def test_calls_under_another_emulator(self) -> None:
        """Section 2.1.2: o32's number 4003 is read, 4004 write."""
        known = self.run_of("pmake-whole", **{"system calls of the compiler": {"4003": 5, "4004": 3}})
        self.assertEqual(paper_findings.validation_counts(known), {claims.ALL: {"here": 8, "there": 9, "differ": 3}})

    def test_cold_misses(self) -> None:
        """Section 4.4.2, note 1, without those of idle time."""
        counts = {"user, in use before": 5, "kernel, in use before": 1, "kernel, empty": 2, "idle, empty": 9}
        self.assertEqual(paper_caches.misclassified(self.run_of("pmake-cold", **{"cold misses": counts})), {"pmake": {"part": 75}})

    def test_second_level_misses(self) -> None:
        """Sections 4.3 and 4.5: those that are outstanding together, and the stall of cold ones."""
        known = self.run_of("pmake-1998")
        self.assertEqual(paper_findings.left_1998(known), {"pmake": {"first": 30, "cold": 17.5}})
        known.run["pmake-1996"] = known.run["pmake-1998"]
        self.assertEqual(
            paper_findings.l2_overlap(known), {"pmake": {"several": {"1996": 25, "1998": 25}, "hidden": [20, 20]}}
        )

    def test_latencies_of_few_calls(self) -> None:
        """The average latency of fewer than 30 calls decides nothing, on one machine or the other; the paper's always does."""
        service = {"name": "fork", "kernel": 2, "computation": 10, "latency": 200, "calls": 2.95}
        for seconds, why in ((10.1, ""), (9.9, "of fewer than 30 calls: fork was called 29 times")):
            files = {f"pmake-{column}": {"seconds": 100, "services": [service]} for column in ("1998", "mp8", "whole-mp8")}
            files |= {f"pmake-{column}": {"seconds": seconds, "services": [service]} for column in ("1994", "whole")}
            found = paper_services.service_measures(paper_services.Own(Known({}, files, [], [])))
            for name, measure in (("latency_fork", "times"), ("fork_latency", "least")):
                self.assertEqual(found[name]["pmake"].get("not_judged", ""), why)
                self.assertIn(measure, found[name]["pmake"])
            self.assertEqual("pmake" in found["latency"], not why, "services of a claim about many are left out")
        calls = [{"service": name, "latency_slowdown": -20, "called": called} for name, called in (("open", 30), ("close", 31), ("unlink", 18))]
        files = paper_services.slower_of("open", "close", "unlink")(calls)
        self.assertEqual((list(files["more"]), files["few"]), (["open", "close"], "; unlink was called 18 times"))
        self.assertNotIn("not_judged", files)
        printed = paper_services.service_measures(self.printed)
        self.assertFalse([name for name, cases in printed.items() for case in cases.values() if "not_judged" in case])

    def test_every_claim_is_measured(self) -> None:
        """A claim that can be judged has a function that measures it, and a measure its claim."""
        functions = paper_findings.FINDINGS | paper_caches.FINDINGS | paper_several.FINDINGS
        measured = set(functions) | set(paper_services.service_measures(self.printed))
        judged = {claim.name for claim in claims.read(ROOT / "workloads/paper/claims.toml") if claim.criterion}
        self.assertEqual(judged ^ measured, set())


class Conflicts(unittest.TestCase):
    def test_spread(self) -> None:
        """Section 3.2.2 of Xia and Torrellas: of dynamic structures with a hundredth of the conflicts or more, the one of which another
        one displaces most. Variables, pages of programs and rare structures do not count."""
        sums = {
            "kernel stack": 500,
            "kernel stack, displaced by slab task_struct": 200,
            "slab task_struct": 100,
            "slab task_struct, displaced by kernel stack": 45,
            "slab dentry": 9,
            "slab dentry, displaced by kernel stack": 9,
            "kernel data 00c0ffe0": 300,
            "kernel data 00c0ffe0, displaced by kernel stack": 290,
            "anonymous page": 100,
            "anonymous page, displaced by kernel stack": 99,
        }
        document = {"annotations": {"statistics": {"conflicts": {name: {"sum": count} for name, count in sums.items()}}}}
        self.assertEqual(xia_torrellas.spread_of(simoslab.Statistics.of(document, "one")), 45)
        self.assertIsNone(xia_torrellas.spread_of(simoslab.Statistics.of({"cpu0": {"cycles": 1}}, "none")))


class SharedTerms(unittest.TestCase):
    """No criterion compares a part with a whole that contains it: the sides of each comparison have no term in common."""

    def found(self, criterion: str, before: dict, after: dict) -> bool:
        return shared_terms.share(criterion, before, after)

    def test_what_is_a_term(self) -> None:
        base = {"a": 2.0, "b": 4.0, "both": 6.0, "half": 1.0}
        for criterion, after, found in (
            ("a < both", {"a": 2.02, "both": 6.02}, True),
            ("a | within(1.5, both)", {"a": 2.02, "both": 6.02}, True),
            ("both < 2 * a", {"a": 2.02, "both": 6.02}, True),
            ("a < b", {"a": 2.02}, False),
            ("half < a", {"half": 1.01, "a": 2.02}, False),
            ("a < b", {"a": 2.02, "b": 3.9}, False),
            ("a | within(1.5, theirs.a)", {"a": 2.02}, False),
            ("a < 5", {"a": 2.02}, False),
        ):
            with self.subTest(criterion):
                self.assertEqual(self.found(criterion, base, base | after), found)

    def test_the_paper(self) -> None:
        """Every claim of SOSP'95; and the speed-ups of the kernel and of all busy time, which contains the kernel, are found."""
        made = paper_numbers.Numbers()
        rows = claims.read(paper_claims.TABLE)
        alike = next(claim for claim in rows if claim.name == "alike")
        of_both = dataclasses.replace(alike, name="of_both", criterion="kernel | within(1.333, busy)")

        def with_busy(known: Known) -> claims.Cases:
            return {w: {**of, "busy": known.gain(w, "1998", busy_seconds)} for w, of in paper_findings.alike(known).items()}

        with unittest.mock.patch.dict(paper_findings.FINDINGS, {"of_both": with_busy}):
            found = shared_terms.sharing([*rows, of_both], made.measures(), made.changed(shared_terms.STEP))
        self.assertEqual(found, {"of_both": "pmake: pmake-1994, kernel: cycles"})


class WideTables(unittest.TestCase):
    head = ["", "", *(f"column {number}" for number in range(30))]
    rows = [["hp-720", f"row {row}", *range(100000 * row, 100000 * row + 30)] for row in range(3)]

    def test_every_cell_once(self) -> None:
        """Parts that fit, each behind the columns that name the rows, have all columns in their order."""
        made = columns.parts(self.head, self.rows)
        self.assertGreater(len(made), 2)
        self.assertEqual([title for part in made for title in part.head[2:]], self.head[2:])
        for number, row in enumerate(self.rows):
            self.assertEqual([cell for part in made for cell in part.rows[number][2:]], row[2:])
            self.assertTrue(all(part.rows[number][:2] == row[:2] for part in made))
        self.assertLessEqual(max(len(part.head) for part in made) - min(len(part.head) for part in made), 2)

    def test_groups_stay_together(self) -> None:
        groups = [("", 2), ("first", 5), ("second", 5), ("third", 20)]
        made = columns.parts(self.head, self.rows, groups)
        self.assertEqual(made[0].groups[:2], [("", 2), ("first", 5)])
        self.assertEqual(sum(count for part in made for title, count in part.groups if title == "third"), 20)
        self.assertTrue(all(sum(count for _, count in part.groups) == len(part.head) for part in made))

    def test_a_narrow_one_is_whole(self) -> None:
        (one,) = columns.parts(["", "a"], [["x", 1]])
        self.assertEqual((one.head, one.rows, one.groups), (["", "a"], [["x", 1]], []))


class Tables(unittest.TestCase):
    def test_values(self) -> None:
        self.assertEqual([tables.value_of(text) for text in ("-", "5", "5.50", "about 5")], [None, 5, 5.5, "about 5"])

    def test_cells_are_text(self) -> None:
        source = '{% from "pages/parts.html" import table %}{{ table(["a"], [[one, grey]]) }}'
        page = environment().from_string(source).render(one="<b>", grey=tables.grey(None))
        self.assertIn('<td>&lt;b&gt;</td><td class="paper">–</td>', page)

    def test_a_table_of_one_column(self) -> None:
        """Such is that of the machines of no run."""
        source = '{% from "pages/parts.html" import table %}{{ table(heads, [["a"]]) }}'
        for heads, named in (([""], False), (["", ""], True), (["", "b"], False)):
            self.assertEqual('<div class="parts names">' in environment().from_string(source).render(heads=heads), named, heads)


if __name__ == "__main__":
    unittest.main()
