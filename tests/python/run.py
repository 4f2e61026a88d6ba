"""Runs files of unittest cases and prints one line "FILE: N passed, N failed" for each.

run.py SIMOS FILE...   SIMOS is the program under test
TEST_JOBS              how many at a time (2)
SIMOSLAB_CACHE         where checkpoints are kept, so that several files make each once (a folder of this run)
"""

import concurrent.futures
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LIMIT = 300  # seconds of processor time a file


def run_one(path: Path) -> int:
    """Run the cases of one file in this process."""
    sys.path[:0] = [str(ROOT / "python"), str(HERE)]
    suite = unittest.defaultTestLoader.loadTestsFromName(path.stem)
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=0).run(suite)
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    skipped = len(result.skipped)
    passed = result.testsRun - failed - skipped
    print(f"{path.name}: {passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed or passed == 0 else 0


def start(simos: Path, path: Path, scratch: str) -> tuple[int, str]:
    """Run one file in a process of its own with a cache of its own. Returns status and output."""
    work = Path(scratch) / path.stem
    work.mkdir()
    environment = {**os.environ, "SIMOS": str(simos), "TMPDIR": str(work), "PYTHONPATH": str(ROOT / "python")}
    environment.setdefault("SIMOSLAB_CACHE", f"{scratch}/checkpoints")
    command = [ROOT / "tests/limit.sh", str(LIMIT), sys.executable, __file__, "--one", path]
    done = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    output = done.stdout
    last = output.rstrip().rpartition("\n")[2]
    if not last.startswith(f"{path.name}: "):
        output += f"\n{path.name}: 0 passed, 1 failed\n"
    return done.returncode, output


def main() -> int:
    if sys.argv[1] == "--one":
        return run_one(Path(sys.argv[2]))
    simos, files = Path(sys.argv[1]).resolve(), [Path(name) for name in sys.argv[2:]]
    jobs = int(os.environ.get("TEST_JOBS", "2"))
    bad = 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for status, output in pool.map(lambda path: start(simos, path, scratch), files):
            sys.stdout.write(output if status else output.rstrip().rpartition("\n")[2] + "\n")
            sys.stdout.flush()
            bad |= status
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
