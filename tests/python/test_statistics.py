"""Statistics frames of a file whose numbers are known."""

import json
import math
import re
import subprocess
import tempfile
import unittest
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import known
import pandas
import simoslab as sl


ROOT = Path(__file__).parent.parent.parent
def described() -> Iterator[tuple[str, str]]:
    """The names and units of what the program says of its statistics, those of processor 0."""
    program = sl.Program().path
    said = subprocess.run([ROOT / "docs/statistics.sh", program, "names"], capture_output=True, check=True).stdout.decode()
    for line in said.splitlines():
        name, unit, _ = line.split("\t")
        if re.match(r"cpu[0N]\.(?!models)", name):
            yield name.replace("cpuN", "cpu0"), unit


def values_of(column: pandas.Series) -> list[object]:
    return [None if pandas.isna(value) else value for value in column]


class StatisticsFrame(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.file = self.folder / "one.json"
        self.file.write_text(json.dumps(known.statistics()))
        self.statistics = sl.load(self.file)

    def test_columns_and_provenance(self) -> None:
        columns = ["run", "machine", "path", "cpu", "mode", "process", "service", "value", "unit"]
        self.assertEqual(list(self.statistics.columns), columns)
        self.assertEqual(self.statistics.runs, ["one"])
        known_of = self.statistics.attrs["provenance"]["one"]
        self.assertEqual((known_of["version"], known_of["commit"], known_of["file"]), ("0.9", "0123abcd", str(self.file)))

    def test_every_statistic_of_a_mode_has_its_mode(self) -> None:
        """Of all that the program describes: the column, the unit, and the way back to the full name."""
        wanted: dict[str, tuple[str | None, str]] = {}
        document: dict[str, Any] = {"machine": {"name": "x"}}
        for full, unit in described():
            *groups, last = full.split(".")
            place = document
            for group in groups:
                place = place.setdefault(group, {})
            if isinstance(place, dict) and not isinstance(place.get(last), dict) and groups[0] not in ("machine", "simos"):
                place[last] = 1
                mode = re.search(r"\.(user|kernel|idle)(\.|$)", full)
                wanted[full] = (mode.group(1) if mode else None, unit)
        rows = sl.Statistics.of(document, "all")
        found = dict(zip(rows._full_names(), zip(values_of(rows["mode"]), rows["unit"])))
        self.assertGreater(sum(mode == "kernel" for mode, _ in wanted.values()), 100)
        for full, expected in wanted.items():
            with self.subTest(full):
                self.assertEqual(found[full], expected)

    def assert_refused(self, said: str, asked: Callable[[], object]) -> None:
        """A QueryError with one plain line."""
        with self.subTest(said), self.assertRaisesRegex(sl.QueryError, said) as raised:
            asked()
        self.assertNotIn("\n", str(raised.exception))

    def test_bad_questions_are_the_packages_own_errors(self) -> None:
        rows = self.statistics
        for question, said in (
            ("(", r'"\(" is no regular expression: missing \)'),
            ("value >", '"value >": invalid syntax'),
            ("valu > 0", "'valu' is not defined; the columns are run, machine"),
            ("value > 'a'", "float64 and str"),
            ("value > 3)", "has no partner"),
            ("cpu == [1", "has no partner"),
            ("path == 'l2", "has no partner"),
            ("3 > 2", "not true or false of each row"),
            ("value > 1 / 0", "division by zero"),
            ("run.str.bad() == 3", "no attribute 'bad'"),
            (3, "3 is no text"),
        ):
            self.assert_refused(said, lambda: rows.query(question))
        part = rows[["path", "value"]]
        bare = known.statistics()
        del bare["annotations"], bare["over_time"]
        bare_rows = sl.Statistics.of(bare, "bare")
        self.assert_refused('query: no column "cpu"; there are path, value', lambda: part.query("l2"))
        self.assert_refused('no column "run"', lambda: part.runs)
        self.assert_refused('no column "run"', part.misses)
        self.assert_refused('no column "cpu"', part.cpi_stack)
        self.assert_refused('no column "run"', part.comparison)
        self.assert_refused('by: no column "nix"; there are run, mode', lambda: rows.misses(by=["nix"]))
        self.assert_refused("by: at least one", lambda: rows.misses(by=[]))
        self.assert_refused('cpi_stack: no column "process"', lambda: rows.cpi_stack(by=["process"]))
        self.assert_refused("cpi_stack: at least one", lambda: rows.cpi_stack(by=[]))
        self.assert_refused('no run "two"; there are one', lambda: rows.comparison(["cpi"], baseline="two"))
        self.assert_refused("no run", lambda: rows.comparison(["cpi"], baseline={"run": "one"}))
        self.assert_refused("with every=", bare_rows.timeline)
        self.assert_refused("run bare: .*annotations.services", sl.concat([rows, bare_rows]).services)
        self.assert_refused("DataFrame is no Statistics", lambda: sl.concat([pandas.DataFrame()]))

    def test_damaged_tables_are_named(self) -> None:
        damaged = known.statistics()
        damaged["over_time"]["rows"][0] = 3
        with self.assertRaisesRegex(sl.FileFormatError, "old.json: damaged statistics"):
            sl.Statistics.of(damaged, "one", "old.json").timeline()

    def test_one_name_stands_for_a_list(self) -> None:
        self.assertTrue(self.statistics.misses(by="routine").equals(self.statistics.misses(by=["routine"])))
        self.assertTrue(self.statistics.cpi_stack(by="mode").equals(self.statistics.cpi_stack(by=["mode"])))
        self.assertEqual(self.statistics.comparison("cpi").columns.tolist(), ["cpi"])

    def test_a_group_is_no_comparison_and_names_of_the_caller_are_seen(self) -> None:
        self.assertEqual(self.statistics.query(r"(?<=cpu)1\.mode\.kernel\.cycles$").value.tolist(), [60])
        self.assertEqual(self.statistics.query(r"cpu(?P<number>1)\.mode\.kernel\.cycles$").value.tolist(), [60])
        least = 99
        self.assertEqual(len(self.statistics.query("path == 'cpu.mode.cycles' and value > @least")), 2)

    def test_rows_are_tidy(self) -> None:
        rows = self.statistics
        stalls = rows[(rows.path == "cpu.mode.stall.l1i") & (rows["mode"] == "user")]
        self.assertEqual(stalls.value.tolist(), [30, 30])
        self.assertEqual(stalls.cpu.tolist(), [0, 1])
        self.assertEqual(set(stalls.unit), {"cycles"})
        self.assertFalse(rows.duplicated(["run", "path", "cpu", "mode", "process", "service"]).any())
        self.assertIsInstance(stalls, sl.Statistics)

    def test_services_and_processes_are_columns(self) -> None:
        rows = self.statistics
        cycles = rows[rows.path == "annotations.services.cycles"].set_index("service").value
        self.assertEqual(cycles.to_dict(), {"USER": 200, "write": 120})
        of_ls = rows[(rows.path == "annotations.processes.cycles") & (rows["mode"] == "user")]
        self.assertEqual(of_ls.set_index("process").value.to_dict(), {"ls[7]": 200, "ls[8]": 0})

    def test_query_takes_names_and_expressions(self) -> None:
        self.assertEqual(len(self.statistics.query(r"^cpu\.mode\.stall\.l2d$")), 6)
        self.assertEqual(self.statistics.query(r"^cpu1\.mode\.kernel\.stall\.l2d$").value.tolist(), [30])
        self.assertEqual(self.statistics.query("annotations.services.write.calls").value.tolist(), [3])
        self.assertEqual(len(self.statistics.query("path == 'cpu.mode.cycles' and value > 50")), 4)

    def test_exact_values(self) -> None:
        self.assertEqual(self.statistics.exact("cpu0.mode.user.cycles"), 100)
        self.assertIsNone(self.statistics.exact("disk0.utilisation"))
        with self.assertRaisesRegex(sl.SimosError, 'no statistic "cpu9.cycles"'):
            self.statistics.exact("cpu9.cycles")

    def test_groups_and_totals(self) -> None:
        rows = self.statistics
        self.assertEqual(rows.below("annotations.services.write.stall")["l2d"], 60)
        self.assertEqual(list(rows.below("parameters")), [])
        self.assertTrue(math.isnan(rows.below("disk0")["utilisation"]))
        self.assert_refused('no group of statistics "cpu0.cycles"', lambda: rows.below("cpu0.cycles"))
        self.assert_refused('no group of statistics "cpu9"', lambda: rows.below("cpu9"))
        self.assertEqual([rows.total("cpu.mode.cycles"), rows.total("cpu.mode.cycles", mode="kernel", cpu=1)], [400, 60])
        self.assertIsInstance(rows.total("cpu.l1d.read_misses"), int)
        self.assertEqual(rows.total("machine.seconds"), 1e-06)
        self.assertEqual([rows.total("cpu.nothing"), rows.total("disk0.utilisation")], [None, None])

    def test_accounts(self) -> None:
        """Counts are added up over the processors; what is a quotient is computed from them."""
        modes = self.statistics.accounts()
        kernel = modes.loc["kernel"].to_dict()
        counts = {"cycles": 120, "insns": 40, "execute": 60, "stall.l2d": 60, "stall.l1i": 0, "pipeline.fetch": 20}
        self.assertEqual({name: kernel[name] for name in counts}, counts)
        self.assertEqual([kernel[name] for name in ("cpi", "i_mcpi", "d_mcpi")], [3, 0, 1.5])
        self.assertEqual(modes.loc["user", ["cpi", "i_mcpi", "d_mcpi"]].tolist(), [2, 0.8, 0.18])
        self.assertTrue(math.isnan(modes.loc["idle", "cpi"]))
        self.assertEqual(modes["pipeline.fetch"].tolist(), [0, 20, 0])  # of user and idle mode there is none
        self.assertEqual(modes["cycles"].dtype, "int64")
        self.assertEqual(self.statistics.accounts(by=["cpu", "mode"]).loc[(1, "user"), "stall.l1i"], 30)
        services = self.statistics.accounts(by="service")
        self.assertEqual(services.loc["write", ["calls", "cycles", "latency", "stall.l2d"]].tolist(), [3, 120, 130, 60])
        self.assertEqual(self.statistics.accounts(by=["process", "mode"]).loc[("ls[7]", "user"), "cycles"], 200)
        self.assertEqual(self.statistics.accounts(by=["process", "service"])["cycles"].to_dict(), {("ls[7]", "write"): 120})

    def test_accounts_that_are_not_there(self) -> None:
        bare = sl.Statistics.of({"machine": {"name": "x"}}, "bare")
        self.assert_refused(r"accounts: no statistics cpu.mode.\*", bare.accounts)
        self.assert_refused(r"accounts: no statistics annotations.services.\*", lambda: bare.accounts(by="service"))
        self.assert_refused('accounts: no column "nix"', lambda: self.statistics.accounts(by="nix"))
        self.assert_refused('total: no column "nix"', lambda: self.statistics.total("cpu.mode.cycles", nix=1))

    def test_statistics_are_described(self) -> None:
        self.assertIn("instructions", self.statistics.describe_statistic("cpu.mode.insns"))
        self.assertEqual(self.statistics.describe_statistic("cpu.mode.nothing"), "")

    def test_cpi_stack_adds_up(self) -> None:
        stack = self.statistics.cpi_stack(total="cycles").iloc[0]
        self.assertEqual(stack["cycles"], 320)  # user and kernel of two processors
        self.assertEqual(stack["base"], 140)
        self.assertEqual(stack["pipeline.fetch"], 20)
        self.assertEqual(stack["stall.l2d"], 68)
        self.assertEqual(stack.drop("cycles").sum(), stack["cycles"])
        by_mode = self.statistics.cpi_stack(by=["mode"])
        self.assertEqual(by_mode.loc["kernel", "cpi"], 3)
        self.assertAlmostEqual(by_mode.loc["user"].drop("cpi").sum(), 2)
        self.assertTrue(by_mode.loc["idle"].isna().all())

    def test_misses_by_place(self) -> None:
        misses = self.statistics.misses(by=["routine", "data"])
        self.assertEqual(misses.iloc[0].to_dict(), {"routine": "memcpy", "data": "slab", "misses": 5, "stall": 50})

    def test_tables(self) -> None:
        services = self.statistics.services().set_index("service")
        self.assertEqual(services.loc["write", "calls"], 3)
        self.assertEqual(services.loc["write", "d_mcpi"], 1.5)
        timeline = self.statistics.timeline()
        self.assertEqual(timeline[timeline["mode"] == "kernel"].cycles.tolist(), [30, 30])
        self.assertEqual(timeline.begin.tolist()[:4], [0, 0, 0, 100])
        self.assertEqual(self.statistics.parameters()["cache.l2.size"], "1M")
        with self.assertRaisesRegex(sl.SimosError, "annotations.locks"):
            self.statistics.locks()

    def test_runs_are_compared(self) -> None:
        other = known.statistics("1998")
        other["cpu0"]["mode"]["user"]["cycles"] = 420
        second = self.folder / "other.json"
        second.write_text(json.dumps(other))
        both = sl.concat([self.statistics, sl.load(second), sl.load(second)])
        self.assertEqual(both.runs, ["one", "other", "other-2"])
        table = both.comparison(["cpi", "cpu.l1d.read_misses", "cpu1.l1d.read_misses"], baseline="one")
        self.assertEqual(table["cpu.l1d.read_misses"].tolist(), [14, 14, 14])
        self.assertEqual(table["cpu1.l1d.read_misses"].tolist(), [7, 7, 7])
        self.assertEqual(table["cpi / baseline"].tolist(), [1, 2, 2])
        self.assertEqual(set(both.misses(by=["cache"])["run"]), {"one", "other", "other-2"})

    def test_parquet_keeps_all(self) -> None:
        saved = self.statistics.save_parquet(self.folder / "one.parquet")
        again = sl.load(saved)
        self.assertIsInstance(again, sl.Statistics)
        self.assertEqual(again.attrs, self.statistics.attrs)
        for column in again.columns:
            self.assertEqual(values_of(again[column]), values_of(self.statistics[column]))

    def test_types_are_the_same_however_a_frame_comes(self) -> None:
        saved = sl.load(self.statistics.save_parquet(self.folder / "one.parquet"))
        part = self.statistics[self.statistics["mode"] == "user"]
        bare = known.statistics()
        del bare["annotations"]
        ways = {
            "Parquet": saved,
            "a part": sl.load(part.save_parquet(self.folder / "part.parquet")),
            "concat": sl.concat([self.statistics, saved]),
            "without processes": sl.load(sl.Statistics.of(bare, "bare").save_parquet(self.folder / "bare.parquet")),
            "nothing": sl.concat([]),
        }
        wanted = self.statistics.dtypes.to_dict()
        self.assertEqual({str(kind) for kind in wanted.values()}, {"object", "Int64", "float64"})
        for name, frame in ways.items():
            with self.subTest(name):
                self.assertEqual(frame.dtypes.to_dict(), wanted)
        pandas.testing.assert_frame_equal(pandas.DataFrame(saved), pandas.DataFrame(self.statistics))
        self.assertTrue(saved.cpi_stack().equals(self.statistics.cpi_stack()))

    def test_bad_files_are_named(self) -> None:
        for content, fault in (
            ("{", "not JSON"),
            ('{"a": 1, "a": 2}', "occurs twice"),
            ('{"a": NaN}', "no JSON number"),
            ('{"a": 1}', "no file that simos writes"),
            ("hello", "no file that simos writes"),
            ('{"machine": 3, "parameters": {}}', "damaged statistics"),
        ):
            bad = self.folder / "bad.json"
            bad.write_text(content)
            with self.subTest(content), self.assertRaisesRegex(sl.FileFormatError, f"bad.json.*{fault}"):
                sl.load(bad)
        with self.assertRaisesRegex(sl.FileFormatError, "none.json: No such file"):
            sl.load(self.folder / "none.json")


if __name__ == "__main__":
    unittest.main()
