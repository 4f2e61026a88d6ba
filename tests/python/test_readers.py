"""Files in the forms of other programs: those that the package reads have the run's numbers, the others are named."""

import gzip
import random
import tempfile
import unittest
from pathlib import Path

import pandas as pd
import simoslab as sl

ANALYSER = """analyser define bus {
    recogniser store -access store
    trace -entries 500
}
"""


class Forms(unittest.TestCase):
    session: sl.Session

    @classmethod
    def setUpClass(cls) -> None:
        cls.session = sl.Session("1994").fast_forward(sl.Boot())

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_with(self, *options: object) -> None:
        words = [str(word) for word in options]
        ends = ["--machine", "1994", "--cpu", "mipsy", "--table", "none", "--quiet", "--warmup", "0", "--window", "20000", "--", "ls", "/"]
        self.session.program.run(["restore", str(self.session.checkpoint), *words, *ends])

    def assert_damage_is_named(self, content: bytes, name: str) -> None:
        """Whatever of the file is cut off or changed, it is read or refused with a line that names it."""
        draw = random.Random(46)
        refused = 0
        for case in range(60):
            damaged = bytearray(content[: draw.randrange(40, len(content))] if case % 2 else content)
            for _ in range(case % 5):
                damaged[draw.randrange(len(damaged))] = draw.randrange(256)
            file = self.folder / name
            file.write_bytes(gzip.compress(bytes(damaged), 1))
            try:
                self.assertIsInstance(sl.load(file), pd.DataFrame)
            except sl.FileFormatError as error:
                self.assertTrue(str(error).startswith(f"{file}: "), error)
                refused += 1
        self.assertGreater(refused, 5)

    def test_pprof(self) -> None:
        file, other = self.folder / "one.pb.gz", self.folder / "one.callgrind"
        self.run_with("--profile", file)
        self.run_with("--profile", other)
        frame, known = sl.load(file), sl.load(other)
        self.assertEqual(frame.attrs["units"], {"instructions": "count", "stall": "cycles", "l1i": "misses", "l1d": "misses", "l2": "misses"})
        self.assertEqual(frame.instructions.sum(), 20000)
        place = ["object", "routine", "address"]
        self.assertEqual(frame[place].sort_values(place).values.tolist(), known[place].sort_values(place).values.tolist())
        self.assertEqual(frame.groupby("routine").instructions.sum().to_dict(), known.groupby("routine").Ir.sum().to_dict())
        self.assert_damage_is_named(gzip.decompress(file.read_bytes()), "damaged.pb.gz")

    def test_value_changes(self) -> None:
        script, file, other = (self.folder / name for name in ("bus.tcl", "bus.vcd", "bus.csv"))
        script.write_text(ANALYSER)
        self.run_with("--script", script, "--samples", file)
        self.run_with("--script", script, "--samples", other)
        frame, known = sl.load(file), sl.load(other)
        stores = frame[(frame.signal == "bus.recognisers.store")]
        wanted = (known.recognisers == "store").astype(int)
        wanted = wanted[wanted != wanted.shift()]
        self.assertEqual(stores.value.tolist(), wanted.tolist())
        self.assertEqual(stores.time.tolist(), [int(time * 1000) for time in known.ns[wanted.index]])
        self.assert_damage_is_named(file.read_bytes(), "damaged.vcd")

    def test_what_is_for_others_is_named(self) -> None:
        stats, page, power = (self.folder / name for name in ("one.json", "one.html", "one.xml"))
        self.run_with("--stats", stats, "--set", "execution.counts=mix")
        self.session.program.run(["report", "--html", page, stats])
        self.session.program.run(["report", "--mcpat", power, stats])
        log = self.folder / "one.log"
        log.write_text("Kanata\t0004\nC=\t10\n")
        for file, what in ((page, "a page for a browser"), (power, "XML for other programs"), (log, "Konata")):
            with self.subTest(what), self.assertRaisesRegex(sl.FileFormatError, f"{file.name}: .*{what}"):
                sl.load(file)


if __name__ == "__main__":
    unittest.main()
