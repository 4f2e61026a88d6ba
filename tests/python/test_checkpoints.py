"""The kept checkpoints, and sweeps' runs, as docs/reference/python.md describes them; without a guest."""

import fcntl
import os
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

import simoslab as sl

ROOT = Path(__file__).resolve().parents[2]


def always(path: Path) -> bool:
    return True


class Cache(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.cache = sl.CheckpointCache(self.folder)

    def test_the_order_of_a_history_does_not_matter(self) -> None:
        one = sl.CheckpointCache.digest({"a": {"x": 1, "y": 2}, "b": [1, 2]})
        self.assertEqual(one, sl.CheckpointCache.digest({"b": [1, 2], "a": {"y": 2, "x": 1}}))
        self.assertNotEqual(one, sl.CheckpointCache.digest({"a": {"x": 1, "y": 2}, "b": [2, 1]}))

    def test_what_is_there_is_used_unless_it_is_not_usable(self) -> None:
        made: list[Path] = []

        def make(path: Path) -> None:
            made.append(path)
            path.write_text(f"content {len(made)}")

        file, there = self.cache.get({"a": 1}, make, always)
        self.assertEqual((file.read_text(), there), ("content 1", False))
        self.assertEqual(self.cache.get({"a": 1}, make, always), (file, True))
        self.assertEqual(self.cache.get({"a": 1}, make, lambda path: False), (file, False))
        self.assertEqual((file.read_text(), len(made)), ("content 2", 2))

    def test_the_last_used_comes_first(self) -> None:
        files = []
        for number in range(3):
            history = {"steps": [{"until": f"insns:{number}", "command": ["job", str(number)]}]}
            file, _ = self.cache.get(history, lambda path: path.write_text("12345"), always)
            os.utime(file, (1000 + number, 1000 + number))
            files.append(file)
        table = self.cache.list()
        self.assertEqual(list(table.columns), ["digest", "bytes", "used", "until", "command"])
        self.assertEqual(table["until"].tolist(), ["insns:2", "insns:1", "insns:0"])
        self.assertEqual(table["command"].tolist()[0], ["job", "2"])
        self.assertEqual(table["bytes"].tolist(), [5, 5, 5])
        self.cache.get({"steps": [{"until": "insns:0", "command": ["job", "0"]}]}, lambda path: None, always)
        self.assertEqual(self.cache.list()["until"].tolist(), ["insns:0", "insns:2", "insns:1"])

    def other_process(self, code: str) -> "subprocess.Popen[str]":
        code = f"import sys, pathlib, simoslab as sl\ncache = sl.CheckpointCache(sys.argv[1])\n{code}"
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
        process = subprocess.Popen([sys.executable, "-c", code, self.folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
        self.addCleanup(process.communicate)
        return process

    def making(self) -> "subprocess.Popen[str]":
        """A process that makes the checkpoint of {"a": 1}, and has said so; it ends when it is given a line."""
        process = self.other_process(
            """
def make(path):
    path.write_text("the other's")
    print("begun", flush=True)
    sys.stdin.readline()
print(cache.get({"a": 1}, make, lambda path: True)[1], flush=True)
"""
        )
        assert process.stdout
        self.assertEqual(process.stdout.readline(), "begun\n")
        return process

    def meanwhile(self, process: "subprocess.Popen[str]", ask: Any) -> Any:
        """What `ask` gives, which must not come back before the other process goes on."""
        answers: list[Any] = []
        thread = threading.Thread(target=lambda: answers.append(ask()))
        asked = threading.Event()
        lock = fcntl.flock
        with mock.patch("fcntl.flock", side_effect=lambda *words: (asked.set(), lock(*words))):
            thread.start()
            while not asked.wait(0.05) and thread.is_alive():
                pass
            thread.join(0.05)
            self.assertEqual(answers, [])
            assert process.stdin and process.stdout
            process.stdin.write("\n")
            process.stdin.flush()
            thread.join()
        self.assertEqual(process.stdout.readline(), "False\n")
        return answers[0]

    def test_another_process_waits_for_the_same_checkpoint(self) -> None:
        def make(path: Path) -> None:
            path.write_text("ours")

        file, there = self.meanwhile(self.making(), lambda: self.cache.get({"a": 1}, make, always))
        self.assertEqual((file.read_text(), there), ("the other's", True))

    def test_what_is_being_made_is_not_removed_under_its_maker(self) -> None:
        digest = self.cache.digest({"a": 1})
        self.meanwhile(self.making(), lambda: self.cache.remove(digest))
        self.assertEqual(list(self.folder.iterdir()), [])
        self.assertEqual(self.meanwhile(self.making(), self.cache.clear), 0)  # there was none when it looked
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_the_folder(self) -> None:
        home = str(Path.home())
        for variables, folder in (
            ({"SIMOSLAB_CACHE": "/a", "SIMOS_CACHE": "/b", "XDG_CACHE_HOME": "/c"}, "/a"),
            ({"SIMOS_CACHE": "/b", "XDG_CACHE_HOME": "/c"}, "/b/checkpoints"),
            ({"XDG_CACHE_HOME": "/c"}, "/c/simos/checkpoints"),
            ({}, f"{home}/.cache/simos/checkpoints"),
        ):
            with self.subTest(folder), mock.patch.dict(os.environ, {"HOME": home, **variables}, clear=True):
                self.assertEqual(sl.cache_folder(), Path(folder))
                self.assertEqual(sl.CheckpointCache().folder, Path(folder))


class Results:
    """A run of `Quick`."""

    def __init__(self, name: str) -> None:
        self.name = name


class Quick:
    """What a Sweep needs of a Session: runs that end at once, or fail."""

    machine = sl.Machine("1994")

    def __init__(self, failing: str = "") -> None:
        self.failing = failing
        self.begun: list[str] = []

    def run(self, *, name: str, **words: Any) -> Results:
        self.begun.append(name)
        if name == self.failing:
            raise sl.InputError(f"{name}: refused")
        return Results(name)


class Sweeps(unittest.TestCase):
    settings = {"machine": ["1994", "1998"], "command": ["a", "b", "c"]}

    def test_the_first_varies_slowest(self) -> None:
        sweep = sl.Sweep(self.settings, session=Quick())  # type: ignore[arg-type]
        names = ["1994 a", "1994 b", "1994 c", "1998 a", "1998 b", "1998 c"]
        self.assertEqual([" ".join(point.values()) for point in sweep.points], names)
        for workers in (1, 2, 6):
            result = sweep.run(workers=workers)
            self.assertEqual([run.name for run in result.runs], names)
            self.assertEqual((result["1998 a"].name, result[3].name, result[-1].name), ("1998 a", "1998 a", "1998 c"))
        for absent in ("1998 d", 6, -7):
            with self.assertRaisesRegex(sl.QueryError, "no run"):
                result[absent]

    def test_the_first_error_ends_it(self) -> None:
        for failing, begun in (("1994 a", 1), ("1994 c", 3), ("1998 c", 6)):
            session = Quick(failing)
            with self.subTest(failing), self.assertRaisesRegex(sl.InputError, f"{failing}: refused"):
                sl.Sweep(self.settings, session=session).run(workers=1)  # type: ignore[arg-type]
            self.assertEqual(len(session.begun), begun)


if __name__ == "__main__":
    unittest.main()
