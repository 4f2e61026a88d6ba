"""One opener and one saver: what a path may name, how long it may be, and that a file is saved whole or not at all."""

import ast
import gc
import gzip
import json
import lzma
import os
import re
import resource
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fixtures
import known
import pyarrow
import simoslab as sl
from simoslab import host_files
from simoslab.checkpoints import file_digest, tree_digest
from simoslab.host_files import KINDS, InputFile, read_input, save_bytes, save_file

ROOT = Path(__file__).resolve().parents[2]


class Files(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def in_process(self, code: str, *words: object, memory: int = 2 << 30) -> str:
        """What `code` prints in a process of its own with limited memory; `words` are sys.argv[1:]."""

        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

        command = [sys.executable, "-c", f"import sys, simoslab as sl\n{code}", *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limit, timeout=120)
        self.assertEqual(done.stderr, "")
        return done.stdout.strip()


class OneOpener(unittest.TestCase):
    def test_nothing_else_opens_or_writes_files(self) -> None:
        """Of the package and of the result pages: host_files does, and the lock of a kept checkpoint is made apart."""
        names = {"open", "read_text", "read_bytes", "write_text", "write_bytes", "copytree", "copyfile", "read_parquet", "mkdtemp", "TemporaryDirectory"}
        allowed = {("frame.py", "read_text"), ("checkpoints.py", "open")}
        found = set()
        for path in sorted([*(ROOT / "python/simoslab").glob("*.py"), *(ROOT / "workloads/pages").glob("*.py")]):
            if path.name == "host_files.py":
                continue
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if not isinstance(node, ast.Call):
                    continue
                called = node.func
                name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
                own = isinstance(called, ast.Name) and name == "read_text"  # of host_files
                if name in names and not own and (path.name, name) not in allowed:
                    found.add(f"{path.name}:{node.lineno}: {name}")
        self.assertEqual(found, set())


class Opening(Files):
    def odd_files(self) -> dict[Path, str]:
        """What a path can name besides a file, with the fault."""
        fifo, listening, empty = self.folder / "fifo", self.folder / "socket", self.folder / "loop"
        os.mkfifo(fifo)
        os.symlink(empty, empty)
        server = socket.socket(socket.AF_UNIX)
        self.addCleanup(server.close)
        server.bind(str(listening))
        return {
            self.folder: "directory",
            fifo: "pipe",
            listening: "socket",
            Path("/dev/zero"): "character device",
            Path("/dev/tty"): "character device",
            Path("/proc/self/maps"): "an interface of the kernel",
            Path("/sys/kernel/profiling" if os.path.exists("/sys/kernel/profiling") else "/proc/version"): "an interface of the kernel",
            empty: "symbolic links",
            self.folder / "none": "No such file",
            Path("a\0b"): "null (byte|character)",  # Python 3.11, 3.13
        }

    def test_odd_files_are_refused_everywhere(self) -> None:
        ways: dict[str, Callable[[Path], Any]] = {
            "load": sl.load,
            "check": sl.check,
            "Trace": sl.Trace,
            "sharing": sl.sharing,
            "copy_in": lambda path: sl.Session(copy_in=path, cache=self.folder / "cache").fast_forward(sl.Boot()),
            "image": lambda path: sl.Session(image=path, cache=self.folder / "cache").fast_forward(sl.Boot()),
            "kernel": lambda path: sl.Session(kernel=path, cache=self.folder / "cache").fast_forward(sl.Boot()),
            "initrd": lambda path: sl.Session(initrd=path, cache=self.folder / "cache").fast_forward(sl.Boot()),
            "machine": lambda path: sl.Machine(str(path)).parameters(),
            **{f"a {kind}": lambda path, kind=kind: read_input(path, kind) for kind in KINDS},
        }  # fmt: skip
        for path, fault in self.odd_files().items():
            for name, way in ways.items():
                if path == self.folder and name == "copy_in":
                    continue  # may be a folder
                with self.subTest(name, path=path):
                    with self.assertRaises(sl.SimosError) as caught:
                        way(path)
                    said = str(caught.exception)
                    self.assertNotIn("\n", said)
                    if not fault.startswith("null ") and name not in ("kernel", "initrd", "machine"):
                        self.assertIn(str(path), said)
                    if name.startswith("a ") or name in ("load", "check", "Trace"):
                        self.assertRegex(said, fault if fault != "pipe" else "pipe")

    def test_a_tree_with_a_pipe_is_refused(self) -> None:
        os.mkfifo(self.folder / "fifo")
        with self.assertRaisesRegex(sl.SimosError, "fifo: not a regular file but a pipe"):
            tree_digest(self.folder)

    def test_no_path_at_all(self) -> None:
        for value in (None, 3, [], object()):
            with self.subTest(value), self.assertRaises(sl.FileFormatError):
                sl.load(value)

    def test_files_that_are_too_long(self) -> None:
        for kind, limit in KINDS.items():
            if limit.longest is None:
                continue
            with self.subTest(kind):
                long = self.folder / "long"
                with open(long, "wb") as file:
                    file.truncate(limit.longest + 1)  # a hole
                with self.assertRaisesRegex(sl.FileFormatError, f"long: {limit.longest + 1} bytes; at most {limit.longest} are read"):
                    InputFile(long, kind)
                if kind == "results":
                    for way in (sl.load, sl.check):
                        with self.assertRaisesRegex(sl.FileFormatError, "at most"):
                            way(long)

    def test_the_table_of_the_page(self) -> None:
        page = (ROOT / "docs/reference/exit-status.md").read_text("utf-8").partition("### Files that simoslab reads")[2].partition("\n## ")[0]
        rows = re.findall(r"^\| ([^|]*) \| ([^|]*) \| ([^|]*) \|$", page, re.MULTILINE)[2:]
        shown = {name: (also, longest) for name, also, longest in rows}

        def text_of(longest: int | None) -> str:
            if longest is None:
                return "no limit"
            return f"{longest >> 30} GiB" if longest % (1 << 30) == 0 else f"{longest >> 20} MiB"

        for names, kind in (
            ("statistics and everything else that is read whole", "results"), ("frame (Parquet)", "Parquet"), ("trace", "trace"), ("checkpoint", "checkpoint"),
            ("kernel", "kernel"), ("initial RAM disk", "initrd"), ("symbols", "symbols"), ("disk image", "disk image"), ("file of `copy_in`", "copied file"),
            ("the program", "program"), ("history of a kept checkpoint", "kept history"), ("inputs of result pages", "page's input"),
        ):  # fmt: skip
            limit = KINDS[kind]
            self.assertEqual(shown.pop(names), ("pipe" if limit.pipe else "block device" if limit.block else "", text_of(limit.longest)), names)
        self.assertEqual(shown, {})
        self.assertIn(f"{host_files.MAX_ROWS:,} rows", page)

    def test_a_pipe_with_a_writer_is_read(self) -> None:
        for way, content in ((sl.load, (fixtures.CURRENT / "statistics.json").read_bytes()), (sl.check, gzip.compress((fixtures.CURRENT / "two.json").read_bytes()))):
            ours, theirs = os.pipe()

            def write(descriptor: int = theirs, content: bytes = content) -> None:
                with open(descriptor, "wb") as file:
                    file.write(content)

            writer = threading.Thread(target=write)
            writer.start()
            self.assertGreater(len(way(f"/dev/fd/{ours}")), 10)
            writer.join()
            os.close(ours)

    def test_what_is_read_twice_cannot_be_a_pipe(self) -> None:
        for name in ("one.trace", "one.din"):
            ours, theirs = os.pipe()
            with open(theirs, "wb") as file, open(ours, "rb"):
                file.write((fixtures.CURRENT / name).read_bytes()[:4096])
                file.flush()
                os.set_blocking(ours, False)
                file.close()
                with self.assertRaisesRegex(sl.FileFormatError, "cannot come through a pipe"):
                    sl.load(f"/dev/fd/{ours}")
        empty = self.folder / "null"
        empty.symlink_to("/dev/null")
        with self.assertRaisesRegex(sl.FileFormatError, "null: no file that simos writes"):
            sl.load(empty)

    def test_compressed_forms(self) -> None:
        content = json.dumps(known.statistics()).encode()
        zstd = pyarrow.compress(content, "zstd", asbytes=True)
        file = self.folder / "one.json"
        for name, bytes_ in (("gzip", gzip.compress(content)), ("xz", lzma.compress(content)), ("two", lzma.compress(content[:99]) + lzma.compress(content[99:])), ("zstd", zstd)):
            file.write_bytes(bytes_)
            with self.subTest(name):
                self.assertEqual(read_input(file, "results"), content)
                self.assertEqual(len(sl.load(file)), 129)
                for damaged in (bytes_[:-10], bytes_[:20] + b"x" + bytes_[21:], bytes_[:30]):
                    file.write_bytes(damaged)
                    for way in (sl.load, sl.check, lambda path: sl.Trace(path).read()):
                        with self.assertRaisesRegex(sl.FileFormatError, "one.json: "):
                            way(file)

    def test_little_files_that_unpack_to_much(self) -> None:
        """In a process with 2 GB of memory."""
        size = KINDS["results"].longest
        assert size
        with gzip.open(self.folder / "bomb.gz", "wb", 1) as out:
            out.write(b'{"a":"')
            for _ in range(size >> 20):
                out.write(b"x" * (1 << 20))
        content = b'{"a":"' + b"x" * (1 << 20)  # the same with another limit, for the other forms
        (self.folder / "bomb.xz").write_bytes(lzma.compress(content, preset=0))
        (self.folder / "bomb.zst").write_bytes(pyarrow.compress(content, "zstd", asbytes=True))
        code = """
for path in sys.argv[1:]:
    try: sl.load(path)
    except sl.FileFormatError as error: print(error)
    sl.host_files.KINDS["results"] = sl.host_files.Kind(1 << 20)
"""
        said = self.in_process(code, *(self.folder / f"bomb.{form}" for form in ("gz", "xz", "zst"))).splitlines()
        self.assertEqual(len(said), 3)
        for line, limit in zip(said, (size, 1 << 20, 1 << 20)):
            self.assertIn(f"longer than {limit} bytes unpacked", line)

    def test_little_files_that_claim_much(self) -> None:
        """Frames whose size is a product, names that are repeated, numbers without end."""
        many = 30_000
        files = {
            "names.json": {"traceEvents": [{f"n{i}": 1} for i in range(many)]},
            "profile.json": {"routines": [{"name": "f", "misses": {f"n{i}": 1}} for i in range(many)], "data": []},
            "verdicts.json": {"format": 1, "tests": [{"file": "f", "results": [{f"n{i}": 1}]} for i in range(many)]},
            "explanation.json": {"format": "simos explanation 1", "causes": [{f"n{i}": 1} for i in range(many)]},
            "long.json": {"machine": {}, "parameters": {}, "a" * 4000: {f"n{i}": 1 for i in range(many)}},
            "longer.json": {"machine": {}, "parameters": {}, "a" * 5000: 1},
            "brackets.json": '{"a":[' + "[]," * 12_000_000 + "[]]}",
            "deep.json": '{"machine":{},"parameters":{},"x":' + '{"a":' * 900 + "1" + "}" * 900 + "}",
            "digits.json": '{"a":' + "9" * 5000 + "}",
            "wide.csv": "a," * 400_000 + "a\n" + "1\n" * 400_000,
            "wide.tsv": "a\t" * 400_000 + "a\n" + "1\n" * 400_000,
            "rows.csv": "a,b\n" + "\n" * (host_files.MAX_ROWS + 1),
            "stacks.txt": "a 1\n" * (host_files.MAX_ROWS + 1),
            "digits.txt": f"a {'9' * 5000}\n",
            "other-digits.txt": "a \u0663\u00b2\n",
            "one.callgrind": "# callgrind format\nevents: Ir\nfn=a\n0x10 " + "9" * 5000 + "\n",
            "wide.callgrind": "# callgrind format\nevents: " + "".join(f"e{i} " for i in range(9999)) + "\n",
            "one.bb": "T:1:" + "9" * 5000 + " \n",
            "one.vcd": "$timescale 1 ns $end\n$enddefinitions $end\n#" + "9" * 5000 + "\n",
            "deep.vcd": "$timescale 1 ns $end\n" + "$scope module aaaaaaaa $end\n" * 500 + "$enddefinitions $end\n",
            "one.perf": "ls 3 0.000100:        " + "9" * 5000 + " stall:\n\t          400120 a (/bin/ls)\n\n",
            "slow.perf": "ls 3 0.000100:        1 stall:\n\t  40 " + "a (" * 200_000 + "\n\n",
            "line.din": "2 400000\n2 " + "0" * 100_000 + "\n",
        }
        for name, content in files.items():
            (self.folder / name).write_text(content if isinstance(content, str) else json.dumps(content))
        code = """
from pathlib import Path
for path in sorted(Path(sys.argv[1]).iterdir()):
    try:
        found = sl.load(path)
        if isinstance(found, sl.Trace): found.read()
        print("read", path)
    except sl.FileFormatError as error:
        print("refused" if path.name in str(error) and len(str(error)) < 1100 else error)
    except BaseException as error:
        print(path.name, type(error).__name__, str(error)[:100])
"""
        said = self.in_process(code, self.folder, memory=3 << 30).splitlines()
        self.assertEqual(said, ["refused"] * len(files))


class Saving(Files):
    def test_a_file_is_saved_whole_or_not_at_all(self) -> None:
        """On a full disk, here a limit of the process."""
        frame = sl.load(fixtures.CURRENT / "statistics.json")
        target = self.folder / "one.parquet"
        target.write_text("old")
        code = """
import resource, pathlib
from simoslab import host_files
frame = sl.load(sys.argv[1])
folder = pathlib.Path(sys.argv[2])
run = folder / "run"
run.mkdir()
(run / "stats.json").write_bytes(b"x" * 50000)
(folder / "kept").mkdir()
(folder / "kept/stats.json").write_text("old")
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
for way in (lambda: frame.save_parquet(folder / "one.parquet"), lambda: host_files.copy_folder(run, folder / "kept"),
            lambda: host_files.save_text(folder / "one.parquet", "x" * 5000)):
    try: way()
    except sl.SimosError as error: print(error)
"""
        said = self.in_process(code, fixtures.CURRENT / "statistics.json", self.folder).splitlines()
        self.assertEqual(len(said), 3, said)
        for line, name in zip(said, ("one.parquet", "kept/stats.json", "one.parquet")):
            self.assertRegex(line, rf"^{self.folder / name}: .*File too large")
        self.assertEqual(target.read_text(), "old")
        self.assertEqual((self.folder / "kept/stats.json").read_text(), "old")
        self.assertEqual(sorted(path.name for path in self.folder.rglob("*")), ["kept", "one.parquet", "run", "stats.json", "stats.json"])
        self.assertEqual(frame.save_parquet(target), target)
        self.assertEqual(len(sl.load(target)), len(frame))

    def test_an_error_while_writing_leaves_nothing(self) -> None:
        target = self.folder / "file"
        target.write_text("old")

        def write(file: Any) -> None:
            file.write(b"new")
            self.assertEqual(target.read_text(), "old")
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            save_file(target, write)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["file"])
        self.assertEqual(target.read_text(), "old")

    def test_places_that_cannot_be_written(self) -> None:
        frame = sl.load(fixtures.CURRENT / "two.json")
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        for path, fault in ((self.folder / "none/one", "No such file"), (self.folder, "Is a directory"), (fifo, "No such device"), (Path("/dev/full"), "No space"),
                            (Path("/proc/none"), "No such file|Permission|not permitted"), (Path("a\0b"), "null (byte|character)")):  # fmt: skip
            with self.subTest(path), self.assertRaisesRegex(sl.SimosError, fault):
                frame.save_parquet(path)
        frame.attrs["odd"] = object()
        with self.assertRaisesRegex(sl.SimosError, "one.parquet: "):
            frame.save_parquet(self.folder / "one.parquet")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["fifo"])

    def test_links_and_permissions_stay(self) -> None:
        target, link = self.folder / "file", self.folder / "link"
        target.write_text("old")
        target.chmod(0o640)
        link.symlink_to("file")
        save_bytes(link, b"new")
        self.assertTrue(link.is_symlink())
        self.assertEqual((target.read_text(), stat.S_IMODE(target.stat().st_mode)), ("new", 0o640))
        before = os.umask(0o027)
        self.addCleanup(os.umask, before)
        self.assertEqual(stat.S_IMODE(save_bytes(self.folder / "other", b"").stat().st_mode), 0o640)

    def test_a_pipe_with_a_reader_is_written(self) -> None:
        ours, theirs = os.pipe()
        save_bytes(f"/dev/fd/{theirs}", b"text")
        os.close(theirs)
        with open(ours, "rb") as file:
            self.assertEqual(file.read(), b"text")
        with open(self.folder / "file", "wb") as file:
            os.write(file.fileno(), b"before ")
            save_bytes(f"/dev/fd/{file.fileno()}", b"text")
        self.assertEqual((self.folder / "file").read_bytes(), b"before text")

    def test_scratch_folders_go_without_a_warning(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            made = host_files.Scratch()
            folder = made.folder
            (folder / "file").write_text("x")
            del made
            gc.collect()
            self.assertFalse(folder.exists())
            with host_files.Scratch() as again:
                self.assertTrue(again.is_dir())
            self.assertFalse(again.exists())


class Reading(Files):
    def test_descriptors_are_closed_without_a_warning(self) -> None:
        before = len(os.listdir("/proc/self/fd"))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            file = self.folder / "one.trace"
            for content in ((fixtures.CURRENT / "one.trace").read_bytes(), gzip.compress((fixtures.CURRENT / "one.trace").read_bytes()), (fixtures.CURRENT / "two.json").read_bytes(), b"{"):
                file.write_bytes(content)
                try:
                    found = sl.load(file)
                    if isinstance(found, sl.Trace):
                        next(iter(found))
                except sl.FileFormatError:
                    pass
                gc.collect()
            for odd in ("/dev/zero", self.folder, self.folder / "none"):
                with self.assertRaises(sl.FileFormatError):
                    sl.load(odd)
            file_digest(fixtures.CURRENT / "two.json", "kernel")
            gc.collect()
        self.assertEqual(len(os.listdir("/proc/self/fd")), before)


class Caches(Files):
    def test_what_others_put_into_the_folder(self) -> None:
        cache = sl.CheckpointCache(self.folder)
        for name, content in (("a", "{"), ("b", '{"steps": 3}'), ("c", '{"steps": []}'), ("d", "[1]"), ("e", '{"steps": [3]}')):
            (self.folder / f"{name}.ckpt").write_text("x")
            (self.folder / f"{name}.json").write_text(content)
        (self.folder / "f.ckpt").write_text("x")
        os.mkfifo(self.folder / "f.json")
        self.assertEqual(len(cache.list()), 0)
        digest = cache.digest({"a": 1})
        os.mkfifo(self.folder / f"{digest}.lock")  # nobody waits for its other end
        file, there = cache.get({"a": 1, "steps": [{"until": "x", "command": []}]} , lambda path: path.write_text("y"), lambda path: True)
        self.assertFalse(there)
        self.assertEqual(len(cache.list()), 1)
        (self.folder / f"{digest}.lock").unlink()
        os.symlink(self.folder / "elsewhere", self.folder / f"{digest}.lock")
        with self.assertRaises(sl.SimosError):
            cache.get({"a": 1}, lambda path: path.write_text("y"), lambda path: True)
        self.assertFalse((self.folder / "elsewhere").exists())

    def test_only_the_caches_own_files_are_removed(self) -> None:
        kept = self.folder / "kept"
        kept.mkdir()
        cache = sl.CheckpointCache(kept)
        one, two = (cache.get({"a": number}, lambda path: path.write_text("y"), lambda path: True)[0] for number in (1, 2))
        mine = {"mine.ckpt", "mine.new.ckpt", "mine.json", "mine.lock", "A" * 64 + ".ckpt"}
        for name in {*mine, f"{one.stem}.new.ckpt"}:  # the last one is of a process that was killed
            (kept / name).write_text("mine")
        outside = self.folder / f"{one.stem}.ckpt"
        outside.write_text("mine")
        before = sorted(self.folder.rglob("*"))
        odd: list[Any] = ["mine", "", "..", f"../{one.stem}", f"{kept}/{one.stem}", one.stem[1:], one.stem.upper(), f"{one.stem}\n", None, 3, b"a" * 64]
        for digest in odd:
            with self.assertRaises(sl.SimosError, msg=repr(digest)) as raised:
                cache.remove(digest)
            self.assertEqual(len(str(raised.exception).splitlines()), 1)
        self.assertEqual(sorted(self.folder.rglob("*")), before)
        cache.remove(one.stem)
        cache.remove(one.stem)
        self.assertFalse(one.exists())
        self.assertEqual(cache.clear(), 1)
        self.assertEqual(cache.clear(), 0)
        self.assertFalse(two.exists())
        self.assertEqual({path.name for path in kept.iterdir()}, mine)
        self.assertTrue(outside.exists())

    def test_a_full_disk(self) -> None:
        code = """
import resource
cache = sl.CheckpointCache(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
try: cache.get({"a": "x" * 1000}, lambda path: path.write_text("y"), lambda path: True)
except sl.SimosError as error: print(error)
"""
        self.assertIn(".json: File too large", self.in_process(code, self.folder))
        self.assertEqual([path.suffix for path in self.folder.iterdir()], [".lock"])


if __name__ == "__main__":
    unittest.main()
