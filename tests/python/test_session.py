"""Sessions and sweeps with the guest: checkpoints are kept, runs begin where they should, and end where they should."""

import gc
import os
import re
import tempfile
import unittest
import warnings
from pathlib import Path

import simoslab as sl


class Sessions(unittest.TestCase):
    """All with the guest of `make guest`, on machines that the smallest job keeps busy for a fraction of a second."""

    boot: sl.Session

    @classmethod
    def setUpClass(cls) -> None:
        cls.boot = sl.Session("1994").fast_forward(sl.Boot())

    def scratch(self) -> Path:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return Path(folder.name)

    def test_a_kept_checkpoint_is_used(self) -> None:
        assert self.boot.checkpoint
        made = self.boot.checkpoint.stat()
        again = sl.Session("1998").fast_forward(sl.Boot())  # another machine, the same guest's view
        self.assertEqual(again.checkpoint, self.boot.checkpoint)
        self.assertEqual(again.checkpoint.stat().st_ino, made.st_ino)
        self.assertIn(self.boot.digest, set(sl.CheckpointCache().list().digest))

    def test_the_digest_has_what_matters(self) -> None:
        cache = self.scratch()
        digests = {self.boot.digest}
        copied = self.scratch() / "file"
        for text in ("one", "two"):
            copied.write_text(text)
            session = sl.Session("1994", copy_in=copied, cache=cache).fast_forward(sl.Boot())
            digests.add(session.digest)
            self.assertEqual(session.run("cat file").output, text)
        digests.add(sl.Session(sl.Machine("1994").set(machine_memory="64M"), cache=cache).fast_forward(sl.Boot()).digest)
        digests.add(sl.Session("1994", cache=cache).fast_forward(sl.Instructions(1e6)).digest)
        digests.add(sl.Session("1994", cache=cache).fast_forward(sl.Instructions(2e6)).digest)
        self.assertEqual(len(digests), 6)

    def test_a_damaged_checkpoint_is_made_again(self) -> None:
        cache = self.scratch()
        first = sl.Session(cache=cache).fast_forward(sl.Instructions(1e6))
        assert first.checkpoint
        content = first.checkpoint.read_bytes()
        first.checkpoint.write_bytes(content[:-1000])
        second = sl.Session(cache=cache).fast_forward(sl.Instructions(1e6))
        self.assertEqual(second.checkpoint, first.checkpoint)
        self.assertEqual(first.checkpoint.read_bytes(), content)
        self.assertEqual(sl.CheckpointCache(cache).clear(), 1)

    def test_the_console_of_a_guest_with_files(self) -> None:
        cache, file = self.scratch(), self.scratch() / "file"
        file.write_text("from the host\n")
        session = sl.Session(copy_in=file, cache=cache).fast_forward(sl.Console("/ # "))
        self.assertIn("from the host\r\n", session.run(input="cat /root/file\nexit\n").output)
        self.assertEqual([one.suffix for one in cache.iterdir() if "ckpt" in one.name or "first" in one.name], [".ckpt"])
        kernel = sl.Session(copy_in=file, cache=cache).fast_forward(sl.Console("Linux version"))  # long before the files
        again = kernel.fast_forward(sl.Console("/ # "))
        self.assertIn("from the host\r\n", again.run(input="cat /root/file\nexit\n").output)

    def test_the_past_of_a_run(self) -> None:
        past = self.boot.past("echo hello; exit 3", model="embra", every=1_000_000)
        end = past.present
        self.assertEqual(self.boot.back(1000).insns, end.insns - 1000)
        before = past.registers()["sp"]
        change = past.last_change("sp").iloc[0]
        self.assertEqual(change["value"], before)
        self.assertEqual(past.go(sl.Instructions(change["insns"])).insns, change["insns"])
        self.assertEqual((past.registers()["pc"], past.registers()["sp"]), (change["pc"], change["before"]))
        past.go(sl.Instructions(end.insns))
        write = self.boot.last_write("jiffies").iloc[0]
        self.assertEqual(write["value"], past.memory("jiffies")[0])
        self.assertEqual(past.go(sl.Instructions(write["insns"])).time, past.place.time)
        self.assertNotEqual(past.memory("jiffies")[0], write["value"])
        past.ask("step")
        self.assertEqual(past.memory("jiffies")[0], write["value"])
        calls = past.calls("do_sys_openat2")
        self.assertTrue((calls["insns"] >= past.first).all() and len(calls) > 3)
        self.assertEqual(len(past.calls("do_sys_openat2", start=end.insns)), 0)
        self.assertIn("context switches", past.watch("services"))
        woke = past.who_woke("rcu_sched").iloc[0]
        self.assertEqual(woke["argument"], int(past.ask("task rcu_sched"), 0))
        lock = past.calls("mutex_unlock").iloc[-1]
        past.go(sl.Instructions(lock["insns"]))
        held = past.who_holds(int(lock["argument"]))
        self.assertTrue(held["insns"].iloc[0] < lock["insns"])
        self.assertEqual(len(past.calls("mutex_unlock", argument=int(lock["argument"]), start=int(lock["insns"]))), 1)
        with self.assertRaisesRegex(sl.InputError, "has not come to a mark"):
            past.go(sl.Marker("nowhere"))
        with self.assertRaisesRegex(sl.SimosError, "no instant"):
            past.go(sl.Boot())
        past.close()
        with self.assertRaisesRegex(sl.SimosError, "is closed"):
            self.boot.back()
        with self.assertRaisesRegex(sl.InputError, "No such file"):
            sl.Past(self.scratch())

    def test_a_run_begins_at_the_position(self) -> None:
        run = self.boot.run("echo hello; exit 3", model="mipsy", name="1994")
        self.assertEqual((run.output, run.status, run.limited), ("hello\n", 3, False))
        insns = run.stats().comparison(["insns"]).iloc[0, 0]
        self.assertGreater(insns, 1e5)
        self.assertLess(insns, 2e7)  # not the 290 million of the boot
        self.assertEqual(run.stats().attrs["provenance"]["1994"]["checkpoint"]["digest"], self.boot.digest)
        again = self.boot.run("echo hello; exit 3", model="mipsy")
        self.assertEqual(again.stats().value.tolist(), run.stats().value.tolist())

    def test_ends_of_a_run(self) -> None:
        window = self.boot.run("ls -R /", until=sl.Instructions(500_000))
        self.assertEqual(window.stats().comparison(["insns"]).iloc[0, 0], 500_000)
        short = self.boot.run("ls -R /", until=sl.Seconds(0.005))
        self.assertTrue(short.limited)
        self.assertAlmostEqual(short.stats().comparison(["seconds"]).iloc[0, 0], 0.005, places=4)
        marked = self.boot.run("echo before; simos-mark here; echo after", until=sl.Marker("here"))
        self.assertEqual((marked.output, marked.status), ("before\n", 0))
        line = self.boot.run("echo one two >/dev/console; echo three", until=sl.Console("two"))
        self.assertEqual((line.output, line.status), ("", 0))
        with self.assertRaisesRegex(sl.EventError, "before Marker.*there"):
            self.boot.run("true", until=sl.Marker("there"))

    def test_positions(self) -> None:
        cache = self.scratch()
        marked = sl.Session(cache=cache).fast_forward(sl.Marker("go"), command="echo 1; simos-mark go; echo 2; exit 4")
        run = marked.run()
        self.assertEqual((run.output, run.status), ("2\n", 4))
        with self.assertRaisesRegex(sl.SimosError, "this session is at Marker"):
            marked.run("ls")
        with self.assertRaises(sl.EventError):
            sl.Session(cache=cache).fast_forward(sl.Marker("none"), command="true")
        console = sl.Session(cache=cache).fast_forward(sl.Console("/ # "))
        self.assertIn("42\r\n", console.run(input="echo $((6*7))\nexit\n").output)
        later = sl.Session(cache=cache).fast_forward(sl.Instructions(1e6)).fast_forward(sl.Instructions(3e6), cache=False)
        self.assertIn("3000000 instructions", later.info())

    def test_what_a_run_can_observe(self) -> None:
        run = self.boot.run(
            "ls /", name="seen", annotations="misses", every="1ms", classify=True, profile=True, timeline=True, stacks=True
        )
        self.assertGreater(len(run.misses()), 1000)
        self.assertIn("execve", set(run.services().service))
        self.assertEqual(set(run.profile().kind), {"routine", "data"})
        self.assertIn("service", set(run.events().cat))
        cycles = run.stats().comparison(["cycles"]).iloc[0, 0]
        self.assertEqual(run.timeline().cycles.sum() - run.timeline().wait.sum(), cycles)
        self.assertEqual(run.stacks().cycles.sum(), cycles)
        folder = run.save(self.scratch() / "kept")
        self.assertTrue(sl.load(folder / "stats.json", run="seen").equals(run.stats()))
        with self.assertRaisesRegex(sl.SimosError, "run with profile=True"):
            self.boot.run("true").profile()

    def test_a_run_that_is_dropped_leaves_nothing_and_does_not_warn(self) -> None:
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            run = self.boot.run("true", model="embra")
            folder = run.folder
            self.assertTrue((folder / "stats.json").is_file())
            del run
            gc.collect()
            self.assertFalse(folder.exists())
            session = sl.Session().fast_forward(sl.Instructions(1e6), cache=False)
            file = session.checkpoint
            assert file and file.is_file()
            del session
            gc.collect()
            self.assertFalse(file.exists())
        self.assertEqual([str(one.message) for one in seen], [])

    def test_a_folder_of_the_callers(self) -> None:
        out = self.scratch() / "a" / "b"
        first = self.boot.run("true", model="embra", out=out, profile=True)
        self.assertGreater(len(first.profile()), 0)
        (out / "reached").write_text("")  # of a run before
        with self.assertRaises(sl.EventError):
            self.boot.run("true", model="embra", out=out, until=sl.Marker("none"))
        second = self.boot.run("echo 2", model="embra", out=out)
        self.assertEqual((second.output, (out / "stdout").read_text()), ("2\n", "2\n"))
        with self.assertRaisesRegex(sl.QueryError, "run with profile=True"):  # profile.json is the first run's
            second.profile()
        os.remove(out / "stdout")
        os.mkfifo(out / "stdout")
        with self.assertRaisesRegex(sl.SimosError, "stdout: "):
            self.boot.run("true", model="embra", out=out)
        with self.assertRaisesRegex(sl.SimosError, "stdout: not a regular file but a pipe"):
            second.save(self.scratch())

    def test_a_sweep_is_the_runs_of_its_points(self) -> None:
        settings = {"machine": ["1994", "1996"], "l2_size": ["256K", "1M"]}
        swept = sl.Sweep(settings, session=self.boot, command="ls /", model="mipsy").run(workers=2)
        table = swept.compare(["cpi", "cpu.l2.read_misses"], baseline={"machine": "1994", "l2_size": "1M"})
        self.assertEqual(table.index.names, ["machine", "l2_size"])
        self.assertEqual(table.loc[("1994", "1M"), "cpi / baseline"], 1)
        self.assertGreater(table.loc[("1994", "256K"), "cpi / baseline"], 1)
        alone = self.boot.run("ls /", machine=sl.Machine("1996").set(l2_size="256K"), model="mipsy")
        self.assertEqual(alone.stats().value.tolist(), swept["1996 256K"].stats().value.tolist())
        with self.assertRaisesRegex(sl.ParameterError, "cache.l2.size: 7"):
            sl.Sweep({"l2_size": ["1M", 7]}, session=self.boot, command="ls").run()

    def test_traces(self) -> None:
        file = self.scratch() / "one.trace"
        trace = sl.Session("1994").trace(file, "true", start=sl.Instructions(290_400_000), stop=sl.Instructions(290_500_000), times=True)
        self.assertEqual((trace.level, trace.cpus, trace.times), (1, 1, True))
        program = sl.Program()
        din = program.run(["trace", str(file)]).stdout.decode().split("\n")
        chunks = list(trace.chunks(50_000))
        self.assertTrue(all(len(chunk) == 50_000 for chunk in chunks[:-1]))
        ours = [
            f"{ {'read': 0, 'write': 1, 'fetch': 2}[kind]} {address:x}"
            for chunk in chunks
            for kind, address in zip(chunk.kind, chunk.address)
            if kind in ("read", "write", "fetch")
        ]
        self.assertGreater(len(ours), 10_000)
        self.assertEqual(ours, [line for line in din if line])
        self.assertTrue(chunks[0].cycle.dropna().is_monotonic_increasing)
        for cut in (10, 5000):
            damaged = self.scratch() / "cut.trace"
            damaged.write_bytes(file.read_bytes()[:cut])
            with self.assertRaisesRegex(sl.FileFormatError, "cut.trace.*truncated"):
                sl.load(damaged).read()

    def test_a_trace_from_a_position(self) -> None:
        def references(trace: sl.Trace) -> list[tuple[str, int]]:
            read = trace.read()
            read = read[read.kind != "dma-write"]  # one is of the instruction that ends the boot
            return list(zip(read.kind, read.address.fillna(-1)))

        session = sl.Session("1994", cache=self.scratch()).fast_forward(sl.Boot(), warm=True)
        begin = int(re.search(r"(\d+) instructions", session.info())[1])
        whole = references(sl.Session("1994").trace(self.scratch() / "a", "true", stop=sl.Instructions(begin + 50_000)))
        later = references(session.trace(self.scratch() / "b", "true", stop=sl.Instructions(50_000)))
        self.assertGreater(len(whole), 10_000)
        self.assertEqual(later, whole)
        end = session.trace(self.scratch() / "c", "true", start=sl.Instructions(40_000), stop=sl.Instructions(50_000))
        part = references(end)
        self.assertGreater(len(part), 1000)
        accesses = [one for one in whole if one[0] in ("read", "write")]
        of_part = [one for one in part if one[0] in ("read", "write")]
        self.assertEqual(of_part, accesses[-len(of_part) :])
        marked = session.trace(self.scratch() / "d", "simos-mark a; simos-mark b", start=sl.Marker("a"), stop=sl.Marker("b"))
        self.assertGreater(len(marked.read()), 1000)
        with self.assertRaisesRegex(sl.EventError, "trace.stop: the run ended before mark:none"):
            session.trace(self.scratch() / "e", "true", stop=sl.Marker("none"))
        with self.assertRaisesRegex(sl.EventError, "trace.start: the run ended before"):
            session.trace(self.scratch() / "e", "true", start=sl.Instructions(2000), stop=sl.Instructions(1000))
        with self.assertRaisesRegex(sl.SimosError, "this session is at Instructions"):
            sl.Session().fast_forward(sl.Instructions(1e6)).trace(self.scratch() / "f", "true")


class Bars(unittest.TestCase):
    def test_simos_draws_and_the_result_is_the_same(self) -> None:
        from simoslab.progress import Progress

        seen: list[float | None] = []

        class Bar(Progress):
            def draw(self, share: float | None, text: str = "") -> None:
                seen.append(share)

        program = sl.Program()
        words = ["run", "--cpu", "mipsy", "--table", "none", "--quiet", "--max-insns", "270000000", "--", "true"]
        shown = program.run(words, progress=Bar("boot", visible=True))
        self.assertEqual(shown.stderr, program.run(words).stderr)
        self.assertEqual(shown.status, 124)
        if seen:  # a host that is faster than two seconds shows none
            self.assertTrue(all(share is None or 0 <= share <= 1 for share in seen))


if __name__ == "__main__":
    unittest.main()
