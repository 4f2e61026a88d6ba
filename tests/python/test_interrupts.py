"""The statistics of the page of interrupts (workloads/pages/experiments.py): modes, outliers, effects; and the page's claims."""

import random
import sys
import tempfile
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


class Conditions(unittest.TestCase):
    """An effect that is as large as its cache, and the paper's conditions put back, from runs of which the counts are known."""

    def experiments_of(self, counts: dict[tuple[str, str, str, str], int], machine: str = "ultra-1") -> experiments.Experiments:
        """Runs of L1-I in user mode, each twice: COUNTS by scenario, pattern, kernel and caches."""
        made: list[experiments.Run] = []
        for (scenario, pattern, kernel, caches), count in counts.items():
            words = {"scenario": scenario, "pattern": pattern, "kernel": kernel, "caches": caches, "machine": machine}
            made += runs_of([count, count], cache="l1i", **words)
        return experiments.Experiments(made)

    def test_a_larger_cache_decides(self) -> None:
        larger = experiments.LARGER
        counts = {("idle", "repeat", "", ""): 100, ("disk", "repeat", "", ""): 600}
        counted = interrupts_findings.Counted(self.experiments_of(counts))
        self.assertEqual((counted("ultra-1", "l1i", "disk", "user"), counted.whole("ultra-1", "l1i", "disk")), (500, 512))
        counts |= {("idle", "repeat", "", larger): 50, ("disk", "repeat", "", larger): 950}
        counted = interrupts_findings.Counted(self.experiments_of(counts))
        self.assertEqual((counted("ultra-1", "l1i", "disk", "user"), counted.whole("ultra-1", "l1i", "disk")), (900, 2048))
        # What is compared with it is that of the larger cache, too; by itself, and beside the kernel's misses, it is not.
        counts |= {("signal", "repeat", "", ""): 300, ("signal", "repeat", "", larger): 850}
        counted = interrupts_findings.Counted(self.experiments_of(counts))
        self.assertEqual(counted("ultra-1", "l1i", "signal", "user"), 200)
        self.assertEqual(counted.among("disk", "signal")("ultra-1", "l1i", "signal", "user"), 800)
        self.assertEqual(counted.among()("ultra-1", "l1i", "disk", "user"), 500)
        counts[("disk", "repeat", "", "")] = 400  # not as large as the cache: that of the machine counts
        counted = interrupts_findings.Counted(self.experiments_of(counts))
        self.assertEqual((counted("ultra-1", "l1i", "disk", "user"), counted.whole("ultra-1", "l1i", "disk")), (300, 512))

    def test_conditions(self) -> None:
        counts = {("idle", "repeat", "", ""): 10, ("idle", "filled", "", ""): 20}
        counts |= {("disk", "repeat", "", ""): 310, ("disk", "filled", "", ""): 220}
        counts |= {("direct", "repeat", "", ""): 160, ("direct", "filled", "", ""): 70}
        counts |= {("idle-network", "repeat", kernel, ""): 0 for kernel in ("", "threaded")}
        counts |= {("network", "repeat", "", ""): 30, ("network", "repeat", "threaded", ""): 45}
        made = self.experiments_of(counts, "origin-200")
        for name, lines in (("direct", 150), ("filled", 200), ("direct_filled", 50), ("thread", 300), ("thread_direct", 150)):
            counted = interrupts_findings.Counted(made, interrupts_findings.CONDITIONS[name])
            self.assertEqual(counted("origin-200", "l1i", "disk", "user"), lines, name)
            network = {"thread": 45, "thread_direct": 45, "direct": 30}.get(name)
            self.assertEqual(counted("origin-200", "l1i", "network", "user"), network, name)
        back = interrupts_findings.conditions_back(Claims.table, made)
        self.assertEqual(back["network_process"]["thread"]["l1i"]["times"], 45 / 300)
        self.assertEqual(back["network_process"]["thread_direct"]["l1i"]["times"], 45 / 150)
        self.assertNotIn("direct", back["network_process"])  # claims.toml does not list it there

    def test_an_answer_before_the_window(self) -> None:
        """Its interrupt is not in the window, so that the run is none of a network interrupt."""
        caches = ",".join(f'"{cache}":{{}}' for cache in ("l1i", "l1d", "l2"))
        window = 'window {"events":{%s},' + caches + ',"exception":{"l1i":0,"l1d":0,"l2":0}}'
        with tempfile.TemporaryDirectory() as folder:
            counted, seen = Path(folder) / "out", Path(folder) / "log"
            counted.write_text("l1d network filled user 1 9 1\n" * 2, encoding="utf-8")
            seen.write_text(window % '"NET INT":1' + "\n" + window % '"CLOCK INT":1' + "\n", encoding="utf-8")
            self.assertEqual([run["done"] for run in experiments.read_runs(counted, seen, "ultra-1")], [True, False])

    def test_exception_level(self) -> None:
        """A third of the kernel's misses are at exception level, of what the interrupt adds a half."""
        made = [{**run, "exception": 10} for run in runs_of([30, 30], mode="kernel", machine="origin-200")]
        made += [{**run, "exception": 40} for run in runs_of([90, 90], mode="kernel", machine="origin-200", scenario="disk")]
        found = experiments.Experiments(made + experiments.at_exception_level(made))
        cases = interrupts_findings.cases_of(interrupts_findings.Counted(found))
        self.assertEqual(cases["exception_mode"], {"disk, l1d": {"level": 30, "both": 60, "share": 50}})
        claim = next(one for one in Claims.table if one.name == "exception_mode")
        theirs = Claims.theirs["exception_mode"]
        self.assertEqual(claims.judge_claim(claim, cases["exception_mode"], theirs).verdict, claims.CONFIRMED)
        few = {"disk, l1d": {"level": 6, "both": 60, "share": 10}}
        self.assertEqual(claims.judge_claim(claim, few, theirs).verdict, claims.FACT)

    def test_refills(self) -> None:
        made = [{**run, "events": {"UTLB": 3, "KTLB": 1}} for run in runs_of([5, 5])]
        made += [{**run, "events": {"UTLB": 3, "KTLB": 3}} for run in runs_of([9, 9], scenario="disk")]
        cases = interrupts_findings.more_cases(experiments.Experiments(made))
        self.assertEqual(cases["kernel_tlb"], {"ultra-1, disk": {"refills": 2}})


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
