"""The statistics of the page of interrupts (workloads/pages/experiments.py): modes, outliers, effects; and the page's claims."""

import random
import sys
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "workloads"))

from pages import claims, experiments, interrupts, interrupts_findings  # noqa: E402


def runs_of(counts: list[int], ticks: list[int] | None = None, **more: Any) -> list[experiments.Run]:
    """Runs with these COUNTS and as many clock interrupts."""
    base = {"machine": "ultra-1", "kernel": "", "caches": "", "cache": "l1d", "scenario": "idle", "pattern": "repeat", "mode": "user"}
    return [
        {**base, **more, "run": i, "count": c, "done": True, "misses": {}, "events": {"CLOCK INT": t} if t else {}}
        for i, (c, t) in enumerate(zip(counts, ticks or [0] * len(counts)))
    ]


class Modes(unittest.TestCase):
    low = [81, 81, 81, 82, 81, 81]
    high = [265, 266, 269, 269, 269, 269, 270, 271, 361]

    def test_two_modes_are_kept_both(self) -> None:
        one = experiments.experiment_of(runs_of(self.low + self.high), "user")
        assert one is not None
        self.assertEqual([len(mode) for mode in one.modes], [6, 8])  # 361 is an outlier of its mode
        self.assertEqual(one.kept, 14)
        self.assertAlmostEqual(one.mean or 0, sum(self.low + self.high[:-1]) / 14)
        self.assertFalse(one.is_narrow)

    def test_stragglers_are_no_mode(self) -> None:
        counts = [647, 640, 650, 655, 652, 649, 645, 651, 648, 644, 653, 646, 650, 649, 954, 960]
        modes = experiments.modes_of(runs_of(counts))
        self.assertEqual([len(mode) for mode in modes], [14])
        modes = experiments.modes_of(runs_of([*counts, 958, 955]))  # four of eighteen are
        self.assertEqual([len(mode) for mode in modes], [14, 4])

    def test_modes_close_together_are_one(self) -> None:
        self.assertEqual(len(experiments.modes_of(runs_of([523] * 12 + [527] * 4))), 1)

    def test_few_runs_have_one_mode(self) -> None:
        self.assertEqual(len(experiments.modes_of(runs_of([100, 900]))), 1)

    def test_samples_of_one_mode(self) -> None:
        made = random.Random(1)
        for size, most in ((16, 0.035), (24, 0.012)):
            apart = [experiments.two_modes([made.gauss(0, 1) for _ in range(size)])[0] for _ in range(2000)]
            self.assertLess(sum(d > experiments.MODES_APART for d in apart) / len(apart), most)

    def test_the_clock_tells_them_apart(self) -> None:
        low, high = experiments.modes_of(runs_of(self.low + self.high, [0] * 6 + [1] * 9))
        self.assertEqual(experiments.events_that_tell(low, high), [("CLOCK INT", 0, 1, 14)])
        low, high = experiments.modes_of(runs_of(self.low + self.high, [1, 0] * 7 + [1]))
        self.assertEqual(experiments.events_that_tell(low, high), [])

    def test_effect_at_as_many_ticks(self) -> None:
        without = runs_of([100, 102, 101, 300, 302], [0, 0, 0, 1, 1])
        with_it = runs_of([150, 152, 350, 352, 351, 349], [0, 0, 1, 1, 1, 1])
        found = experiments.effect_at_same_ticks(with_it, without)
        assert found is not None and found[1] is not None
        self.assertAlmostEqual(found[0], (2 * (151 - 101) + 2 * (350.5 - 301)) / 4)
        self.assertIsNone(experiments.effect_at_same_ticks(runs_of([1], [2]), without))


class Claims(unittest.TestCase):
    theirs = interrupts_findings.cases_of(interrupts_findings.LinesPrinted(interrupts.Printed().rows))
    table = claims.read(interrupts.HERE / "claims.toml")

    def test_the_papers_figures_pass(self) -> None:
        for claim in self.table:
            with self.subTest(claim.name):
                self.assertEqual(claims.faults(claim, claims.theirs_of(claim, self.theirs.get(claim.name))), [])

    def test_a_wrong_figure_of_the_paper_is_found(self) -> None:
        claim = next(one for one in self.table if one.name == "footprint_data")
        wrong = {"ultra-1": {**self.theirs[claim.name]["ultra-1"], "kilobytes": 9.5}}
        self.assertNotEqual(claims.faults(claim, claims.theirs_of(claim, wrong)), [])

    def test_an_effect_as_large_as_the_cache_is_saturated(self) -> None:
        claim = next(one for one in self.table if one.name == "footprint_code")
        theirs = self.theirs[claim.name]
        for lines, verdict in ((467, claims.SATURATED), (400, claims.CONFIRMED), (200, claims.REFUTED)):
            here = {"ultra-1": {"lines": lines, "kilobytes": lines * 32 / 1024, "whole": 512}}
            self.assertEqual(claims.judge_claim(claim, here, theirs).verdict, verdict)


if __name__ == "__main__":
    unittest.main()
