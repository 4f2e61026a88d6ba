"""The program is found, its parameters are named, its errors are typed."""

import contextlib
import hashlib
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import fixtures
import simoslab as sl
from simoslab.parameters import full_name

ROOT = Path(__file__).resolve().parents[2]


class Finding(unittest.TestCase):
    def test_the_environment_names_it(self) -> None:
        self.assertEqual(sl.find_program(), Path(os.environ["SIMOS"]).absolute())

    def test_what_is_named_must_be_there(self) -> None:
        with self.assertRaisesRegex(sl.ProgramNotFound, "/none/simos"):
            sl.find_program("/none/simos")
        with mock.patch.dict(os.environ, SIMOS="/none/other"), self.assertRaisesRegex(sl.ProgramNotFound, "/none/other"):
            sl.Program()

    def test_path_and_working_copy(self) -> None:
        simos = Path(os.environ["SIMOS"])
        with mock.patch.dict(os.environ, PATH=str(simos.parent)):
            del os.environ["SIMOS"]
            self.assertEqual(sl.find_program(), simos.parent / "simos")
        built = ROOT / "build/simos"  # above the package; a tree that is built with sanitizers has none
        with mock.patch.dict(os.environ, PATH="/none"):
            del os.environ["SIMOS"]
            if built.exists():
                self.assertEqual(sl.find_program(), built)
            else:
                self.assertRaises(sl.ProgramNotFound, sl.find_program)

    def test_the_current_folder_comes_before_the_package(self) -> None:
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, PATH="/none"):
            del os.environ["SIMOS"]
            own = Path(folder).resolve() / "build/simos"
            (Path(folder) / "a/b").mkdir(parents=True)
            own.parent.mkdir()
            own.write_text("#!/bin/sh\n")
            with contextlib.chdir(Path(folder) / "a/b"):
                with contextlib.suppress(sl.ProgramNotFound):
                    self.assertNotEqual(sl.find_program(), own)  # no executable file
                own.chmod(0o755)
                self.assertEqual(sl.find_program(), own)

    def test_what_a_program_knows_of_itself(self) -> None:
        program = sl.Program()
        said = program.run(["--version"]).stdout.decode().splitlines()
        self.assertEqual(program.version.splitlines(), said)
        self.assertEqual(program.digest, hashlib.sha256(sl.find_program().read_bytes()).hexdigest())
        self.assertEqual(program.guest, sl.find_program().parent / "guest")

    def test_what_a_program_is_given(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            stub = Path(folder) / "simos"
            stub.write_text('#!/bin/sh\necho "$1 $WORD $(cat)"\n')
            stub.chmod(0o755)
            done = sl.Program(stub).run(["run"], environment={"WORD": "added"}, input=b"read")
            self.assertEqual(done.stdout, b"run added read\n")


class Errors(unittest.TestCase):
    def test_types(self) -> None:
        program = sl.Program()
        for words, kind, message in (
            (["run", "--set", "cache.l2.sze=1M"], sl.ParameterError, 'unknown parameter "cache.l2.sze"'),
            (["run", "--set", "cache.l2.size=7"], sl.ParameterError, "cache.l2.size: 7 is out of range"),
            (["restore", "/none.ckpt"], sl.CheckpointError, "checkpoint /none.ckpt: No such file"),
            (["run", "--machine", "1999"], sl.InputError, "machine 1999: cannot be read"),
            (["walk"], sl.InputError, 'unknown command "walk"'),
        ):
            with self.subTest(words), self.assertRaisesRegex(sl.RunError, message) as caught:
                program.run(words)
            self.assertIs(type(caught.exception), kind)
            self.assertEqual(caught.exception.status, 125)
            self.assertEqual(caught.exception.command[1:], words)


class WhatTheHostRefuses(unittest.TestCase):
    """Errors of files, and arguments without meaning, are errors of this package."""

    def test_files(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "file"
            file.write_text("text")
            for session, message in (
                (sl.Session(copy_in="/nix", cache=folder), "/nix: No such file"),
                (sl.Session(kernel=__file__, image="/nix.img", cache=folder), "/nix.img: No such file"),
                (sl.Session(kernel=__file__, cache=file / "below"), "file.*: Not a directory"),
            ):
                with self.subTest(message), self.assertRaisesRegex(sl.SimosError, message):
                    session.fast_forward(until=sl.Boot())
            file.chmod(0o755)
            with self.assertRaisesRegex(sl.SimosError, "file: Exec format error"):
                sl.Program(file).run(["--version"])

    def test_arguments(self) -> None:
        for number in (float("nan"), float("inf"), -1):
            for kind in (sl.Seconds, sl.Instructions):
                with self.subTest(kind, number=number), self.assertRaisesRegex(sl.SimosError, "from 0 on"):
                    kind(number)
            for word in ("x", None, True):
                with self.subTest(kind, number=word), self.assertRaisesRegex(sl.SimosError, "from 0 on"):
                    kind(word)
        session = sl.Session("1994")
        for workers in (0, "x", 1.5):
            with self.assertRaisesRegex(sl.SimosError, f"workers={workers}"):
                sl.Sweep({"l2_size": ["1M"]}).run(workers=workers)
        for said, asked in (
            ("'boot' is no event", lambda: session.fast_forward("boot")),
            ("needs an event", lambda: session.fast_forward(None)),
            ("until: 'x' is no event", lambda: session.run("true", until="x")),
            ("stop: 3 is no event", lambda: session.trace("/none", stop=3)),
            ("a list of values", lambda: sl.Sweep({"l2_size": 3})),
            ("a list of values", lambda: sl.Sweep({"l2_size": "1M"})),
            ("at least one value", lambda: sl.Sweep({"l2_size": []})),
            ("a list of frames", lambda: sl.concat(3)),
            ("modes: 'x' is none of user, kernel, idle", lambda: sl.sharing(__file__, modes=["x"])),
            ("null byte", lambda: session.run(["a\0b"])),
        ):
            with self.subTest(said), self.assertRaisesRegex(sl.SimosError, said):
                asked()


class MoreFiles(unittest.TestCase):
    def test_vectors_and_samples(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "one"
            file.write_text("T:1:20 :2:5 \nT\nT:2:7 \n")
            self.assertEqual(sl.load(file).values.tolist(), [[0, 1, 20], [0, 2, 5], [2, 2, 7]])
            sample = "ls 3 0.000100:        100 stall:\n\t          400120 a routine+0x4 (/bin/ls)\n\n"
            file.write_text(sample * 2)
            row = ["stall", 100, "ls", 3, 0x400120, "a routine+0x4", "/bin/ls"]
            self.assertEqual(sl.load(file).values.tolist(), [row, row])
            for text, message in (
                ("T:1:2 :x:3 \n", "damaged vectors"),
                (sample + "more\n", "damaged samples"),
                ('a,b\n1,2,3,4\n5\n"', "one: damaged table"),
            ):
                file.write_text(text)
                with self.subTest(text), self.assertRaisesRegex(sl.FileFormatError, message):
                    sl.load(file)


class Explanations(unittest.TestCase):
    def test_one_is_read(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "why.json"
            sl.Program().run(["explain", fixtures.CURRENT / "statistics.json", fixtures.CURRENT / "three-levels.json", "--json", file])
            causes = sl.load(file)
            self.assertEqual(causes.attrs["residual"], 0)
            self.assertIn("cause", causes.columns)
            self.assertTrue(sl.check(file).holds.all())


class Machines(unittest.TestCase):
    def test_names(self) -> None:
        names = ["cache.l1i.size", "cache.l2.size", "cache.l2.miss_time", "cpu.clock", "bus.clock", "size"]
        for word, name in (
            ("cache.l2.size", "cache.l2.size"),
            ("cache_l2_size", "cache.l2.size"),
            ("l2_size", "cache.l2.size"),
            ("l2_miss_time", "cache.l2.miss_time"),
            ("cpu_clock", "cpu.clock"),
        ):
            self.assertEqual(full_name(word, names), name)
        with self.assertRaisesRegex(sl.ParameterError, "means several: cpu.clock, bus.clock"):
            full_name("clock", names)
        with self.assertRaisesRegex(sl.ParameterError, 'no parameter "l2_sze"'):
            full_name("l2_sze", names)

    def test_a_machine_is_not_changed(self) -> None:
        machine = sl.Machine("1998")
        other = machine.set(l2_size="1M", cpu_clock=300_000_000, l1_split=True)
        self.assertEqual(machine.settings, {})
        self.assertEqual((machine["l2_size"], other["l2_size"], other["cpu_clock"]), ("4M", "1M", "300MHz"))
        self.assertEqual(other.parameters().set_index("name").loc["cache.l1.split", "value"], "on")
        self.assertIn("300MHz", other.picture())
        with self.assertRaisesRegex(sl.ParameterError, "cache.l2.size: 7 is out of range"):
            machine.set(l2_size=7)

    def test_built_in(self) -> None:
        machines = sl.machines()
        self.assertEqual(list(machines.columns), ["name", "meaning"])
        self.assertIn("1994-mp8", set(machines.name))
        self.assertTrue(machines.meaning.str.len().gt(10).all())

    def test_a_table_of_parameters(self) -> None:
        table = sl.Machine("1998").parameters().set_index("name")
        self.assertEqual(list(table.columns), ["value", "default", "range", "unit", "traits", "meaning"])
        self.assertTrue(all(isinstance(value, str) for value in table.to_numpy().ravel()))
        self.assertEqual(table.loc["cache.l2.size", "value"], "4M")
        self.assertEqual(table.loc["cache.l2.size", "default"], sl.Machine("1994")["l2_size"])

    def test_a_machine_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "mine.tcl"
            file.write_text("param cache.l2.size 2M\n")
            machine = sl.Machine.of(file)
            self.assertEqual(machine["l2_size"], "2M")
            self.assertIs(sl.Machine.of(machine), machine)
            self.assertEqual(sl.Machine.of("1998"), sl.Machine("1998"))
            self.assertEqual(machine.set({"cache.l2.size": "1M"}).options(), ["--machine", str(file), "--set", "cache.l2.size=1M"])


if __name__ == "__main__":
    unittest.main()
