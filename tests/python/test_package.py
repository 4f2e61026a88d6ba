"""The package is built as wheel and sdist, both with the schemas, and an installed one works; its folders stand in layers."""

import ast
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

import fixtures

ROOT = Path(__file__).resolve().parents[2]
PIP = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
BUILD = "import sys; from setuptools import build_meta; print(build_meta.build_sdist(sys.argv[1]))"


class Package(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        # A copy, because building leaves files beside the sources; the schemas are a link into docs/.
        self.source = self.folder / "python"
        shutil.copytree(ROOT / "python", self.source, symlinks=True, ignore=shutil.ignore_patterns("build", "*.egg-info"))
        shutil.copytree(ROOT / "docs/schema", self.folder / "docs/schema")

    def run_quietly(self, *command: object, cwd: Path | None = None) -> str:
        done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()

    def test_wheel_and_sdist(self) -> None:
        schemas = {f"simoslab/schema/{file.name}" for file in (ROOT / "docs/schema").glob("*.json")}
        self.assertGreater(len(schemas), 5)
        sdist = self.folder / self.run_quietly(sys.executable, "-c", BUILD, self.folder, cwd=self.source).splitlines()[-1]
        with tarfile.open(sdist) as archive:
            members = {name.partition("/")[2]: archive.getmember(name) for name in archive.getnames()}
        self.assertLessEqual(schemas, members.keys())
        self.assertTrue(all(member.isfile() or member.isdir() for member in members.values()), "a link would lead nowhere")
        # The wheel of the sdist, as an index would give it.
        self.run_quietly(*PIP, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", self.folder, sdist)
        wheel = next(self.folder.glob("simoslab-*-py3-none-any.whl"))
        with zipfile.ZipFile(wheel) as archive:
            names = set(archive.namelist())
        sources = {str(file.relative_to(ROOT / "python")) for file in (ROOT / "python/simoslab").rglob("*.py")}
        self.assertIn("simoslab/results/frame.py", sources)
        self.assertLessEqual(schemas | sources | {"simoslab/py.typed"}, names)

    def test_an_installed_one_reads_a_file(self) -> None:
        target = self.folder / "installed"
        self.run_quietly(*PIP, "install", "--no-deps", "--no-build-isolation", "--target", target, self.source)
        fixture = fixtures.CURRENT / "statistics.json"
        code = "import sys; sys.path.insert(0, sys.argv[1]); import simoslab as sl; print(sl.__file__, len(sl.check(sys.argv[2])))"
        said = self.run_quietly(sys.executable, "-I", "-c", code, target, fixture, cwd=self.folder)
        self.assertTrue(said.startswith(str(target)), said)
        self.assertGreater(int(said.split()[-1]), 20)

    def test_a_copy_of_the_folder_is_refused_or_complete(self) -> None:
        shutil.rmtree(self.folder / "docs")
        target = self.folder / "installed"
        words = [*PIP, "install", "--no-deps", "--no-build-isolation", "--target", target, self.source]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("simoslab/schema leads to docs/schema of simos, which is not there", done.stdout + done.stderr)
        self.assertFalse((target / "simoslab").exists())
        # With what the link leads to it is complete.
        (self.source / "simoslab/schema").unlink()
        shutil.copytree(ROOT / "docs/schema", self.source / "simoslab/schema")
        self.run_quietly(*PIP, "install", "--no-deps", "--no-build-isolation", "--target", target, self.source)
        self.assertTrue((target / "simoslab/schema/statistics-1.schema.json").is_file())

    def test_a_wheel_with_the_program(self) -> None:
        """.ci/release/wheel.sh puts the program into simos_program; here it is a script."""
        home = self.source / "simos_program/lib/simos"
        (home / "guest").mkdir(parents=True)
        (home / "guest/vmlinux").write_bytes(b"kernel")
        (home / "simos").write_text('#!/bin/sh\necho "$0 $*"\nexit 3\n')
        (home / "simos").chmod(0o755)
        page = self.source / "simos_program/share/man/man1/simos.1"
        page.parent.mkdir(parents=True)
        page.write_text("page")
        self.run_quietly(*PIP, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", self.folder, self.source)
        # for any Python on this architecture
        wheel = next(self.folder.glob("simoslab-*-py3-none-linux_*.whl"))
        target = self.folder / "installed"
        self.run_quietly(*PIP, "install", "--no-deps", "--target", target, wheel)
        program = target / "simos_program/lib/simos/simos"
        self.assertTrue((target / "simos_program/lib/simos/guest/vmlinux").is_file())
        # the command, the module, and what the package runs are that program
        environment = {"PYTHONPATH": f"{target}", "PATH": "/usr/bin:/bin"}
        for words in ([target / "bin/simos"], [sys.executable, "-m", "simoslab"]):
            done = subprocess.run([*words, "run", "--", "a b"], env=environment, capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (3, f"{program} run -- a b\n"), done.stderr)
        program.write_bytes(b"\x7fELF that is none")
        done = subprocess.run([target / "bin/simos"], env=environment, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (125, f"simos: {program}: Exec format error\n"))

    def test_an_incomplete_one_says_so(self) -> None:
        target = self.folder / "installed"
        self.run_quietly(*PIP, "install", "--no-deps", "--no-build-isolation", "--target", target, self.source)
        shutil.rmtree(target / "simoslab/schema")
        fixture = fixtures.CURRENT / "statistics.json"
        code = """import sys; sys.path.insert(0, sys.argv[1]); import simoslab as sl
for what in (sl.load, sl.check):
    try: what(sys.argv[2])
    except sl.SimosError as error: print(error)"""
        said = self.run_quietly(sys.executable, "-I", "-c", code, target, fixture, cwd=self.folder).splitlines()
        self.assertEqual(len(said), 2)
        self.assertTrue(all("this simoslab is incomplete: it lacks schema/" in line for line in said), said)


class Layers(unittest.TestCase):
    """results/ reads, views/ shows what results/ has read, and the modules beside them use both."""

    # What a module of each folder may import of the package.
    MAY_USE = {
        "results": {"errors", "host_files", "program", "results"},
        "views": {"errors", "events", "host_files", "program", "results", "views"},
    }

    def imported(self, file: Path) -> set[str]:
        """The modules and folders of simoslab that FILE imports."""
        nodes = [node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.Import | ast.ImportFrom)]
        names = [node.module or "" if isinstance(node, ast.ImportFrom) else node.names[0].name for node in nodes]
        whole = {alias.name for node in nodes if isinstance(node, ast.ImportFrom) and node.module == "simoslab" for alias in node.names}
        return whole | {name.split(".")[1] for name in names if name.startswith("simoslab.")}

    def test_arrows_point_down(self) -> None:
        for folder, may_use in self.MAY_USE.items():
            files = sorted((ROOT / "python/simoslab" / folder).glob("*.py"))
            self.assertGreater(len(files), 3)
            for file in files:
                self.assertLessEqual(self.imported(file), may_use, file)


if __name__ == "__main__":
    unittest.main()
