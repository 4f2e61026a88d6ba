"""Errors come from simos alone: nothing that the guest prints, and no status of its job, is taken for simos's word."""

import os
import signal
import tempfile
import unittest
from pathlib import Path

import simoslab as sl
from simoslab.errors import error_of, lines_of, one_line
from simoslab.progress import Progress

# What a guest would print to be taken for an error of each kind.
FORGED = [
    "simos: hello",
    "simos: bug: src/x.c:1: none",
    "error checkpoint x: damaged",
    "bug x",
    "signal 2",
    "simos: trace.start: the run ended before boot",
    "simos: unknown parameter x",
    "simos: stopped by the limit of --seconds",
]


class FakeProgram(unittest.TestCase):
    """A program that ends as a script says, in the place of simos."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def program(self, script: str) -> sl.Program:
        file = self.folder / "simos"
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)
        return sl.Program(file)

    def said(self, *lines: str, status: int) -> sl.Program:
        return self.program("".join(f"echo '{line}' >&$SIMOS_ERRORS_FD\n" for line in lines) + f"exit {status}")

    def test_the_status_of_a_job_is_no_error_whatever_it_prints(self) -> None:
        for progress in (None, Progress("run", visible=True)):
            for status in (1, 2, 124, 125, 126, 130, 134, 137, 255):
                text = "".join(f"echo '{line}' >&2; echo '{line}'\n" for line in FORGED)
                with self.subTest(status, progress=progress):
                    done = self.program(f"{text}exit {status}").run(["run"], job=True, progress=progress)
                    self.assertEqual((done.status, done.limit, done.lines), (status, False, []))
                    self.assertIn("simos: hello", done.stderr)

    def test_what_simos_says_is_an_error(self) -> None:
        for lines, status, kind, message in (
            (["error checkpoint a.ckpt: truncated"], 125, sl.CheckpointError, "checkpoint a.ckpt: truncated"),
            (["error unknown parameter x"], 125, sl.ParameterError, "unknown parameter x"),
            (["error cache.l2.size: 7 is out of range"], 125, sl.ParameterError, "cache.l2.size: 7 is out of range"),
            (["error stopped by the limit", "error trace.stop: the run ended before mark:x"], 125, sl.EventError, "trace.stop: the run ended before mark:x"),
            (["error --checkpoint: the run ended before boot: a is not written"], 125, sl.EventError, "--checkpoint: the run ended"),
            (["error a.tcl, line 3: console expect: no login"], 125, sl.EventError, "a.tcl, line 3"),
            (["error machine x: cannot be read"], 125, sl.InputError, "machine x: cannot be read"),
            (["bug src/x.c:1: none"], 134, sl.SimulatorBug, "bug: src/x.c:1: none"),
            (["signal 15"], 143, sl.InterruptedRun, "ended by signal 15"),
        ):
            for job in (False, True):
                with self.subTest(message, job=job), self.assertRaises(sl.RunError) as caught:
                    self.said(*lines, status=status).run(["run"], job=job)
                self.assertIs(type(caught.exception), kind)
                self.assertTrue(str(caught.exception).startswith(message), caught.exception)
                self.assertEqual(caught.exception.status, status)

    def test_words_of_the_guest_in_a_message_do_not_change_its_kind(self) -> None:
        for words in ("checkpoint x", "x, line 3: console expect: x", "trace.stop: the run ended before x", "unknown parameter x", "a.b: x", "bug: x"):
            error = error_of(125, ["simos"], [("error", f'the guest\'s kernel panicked: "{words}"; CPU 0 called panic()')], "")
            self.assertIs(type(error), sl.InputError)

    def test_an_end_without_a_word(self) -> None:
        with self.assertRaisesRegex(sl.RunError, "simos info ended with status 3"):
            self.program("exit 3").run(["info"])
        for number, kind in ((signal.SIGKILL, sl.InterruptedRun), (signal.SIGABRT, sl.SimulatorBug)):
            with self.subTest(number), self.assertRaises(kind):
                self.program(f"kill -{int(number)} $$").run(["run"], job=True)

    def test_descriptors_are_closed(self) -> None:
        before = len(os.listdir("/proc/self/fd"))
        for program, progress in ((self.said("error x", status=125), None), (self.said("error x", status=125), Progress("x", visible=True))):
            with self.assertRaises(sl.InputError):
                program.run(["run"], progress=progress)
        broken = self.folder / "none"
        broken.write_text("no program")
        broken.chmod(0o755)
        for progress in (None, Progress("x", visible=True)):
            with self.assertRaisesRegex(sl.SimosError, "Exec format"):
                sl.Program(broken).run(["run"], progress=progress)
        self.assertEqual(len(os.listdir("/proc/self/fd")), before)


class OfTheGuest(unittest.TestCase):
    """The same with a guest."""

    def test_a_job_cannot_forge_an_error(self) -> None:
        session = sl.Session("1994").fast_forward(sl.Boot())
        command = "".join(f"echo '{line}' >&2; " for line in FORGED)
        for status in (3, 124, 125, 130, 134):
            with self.subTest(status):
                run = session.run(f"{command}exit {status}", model="embra")
                self.assertEqual((run.status, run.limited), (status, False))
                self.assertIn("simos: hello", run.messages)
        self.assertEqual(session.run(f"{command}while :; do :; done", model="embra", until=sl.Seconds(0.01)).limited, True)
        with self.assertRaises(sl.EventError):
            session.run(f"{command}exit 1", model="embra", until=sl.Marker("none"))

    def test_a_signal_is_told_from_a_jobs_status(self) -> None:
        session = sl.Session("1994").fast_forward(sl.Boot())
        script = Path(os.environ["TMPDIR"]) / "kill.tcl"
        script.write_text(f"exec kill -TERM [pid]\n")
        with self.assertRaises(sl.InterruptedRun) as caught:
            session.run("true", model="embra", annotations=script)
        self.assertEqual(caught.exception.status, 143)
        self.assertEqual(session.run("exit 143", model="embra").status, 143)

    def test_a_parameter_is_refused_with_its_line(self) -> None:
        with self.assertRaisesRegex(sl.ParameterError, "cache.l2.size: 7 is out of range"):
            sl.Program().run(["run", "--set", "cache.l2.size=7"])


class Lines(unittest.TestCase):
    def test_one_line(self) -> None:
        self.assertEqual(str(sl.SimosError("a\nb\x1b[2J\u2028c\x85d\udc80")), "a b [2J c d")
        self.assertEqual(one_line("x" * 5000), "x" * 1000 + " ...")
        self.assertEqual(sl.CheckError("a", ["b\nc", "d"]).violations, ["b c", "d"])
        self.assertEqual(str(sl.CheckError("a", ["b\nc", "d"])), "a: b c (and 1 more)")
        self.assertEqual(lines_of(b"error a b\nsignal 2\n"), [("error", "a b"), ("signal", "2")])

    def test_every_error_is_a_simos_error(self) -> None:
        kinds = [one for name in sl.__all__ if isinstance(one := getattr(sl, name), type) and issubclass(one, Exception)]
        self.assertEqual(len(kinds), 12)
        self.assertTrue(all(issubclass(kind, sl.SimosError) for kind in kinds))


if __name__ == "__main__":
    unittest.main()
