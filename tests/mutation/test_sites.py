"""The faults of sample.c: what is found, that each compiles and changes what the program does, and that without one it
does what the source as written does.

CC     the compiler (gcc)
"""

import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import sites

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SAMPLE = "tests/mutation/sample.c"
# By hand, from the source.
EXPECTED = {"negate": 4, "compare": 6, "logic": 2, "literal": 14, "drop": 4, "return": 5, "sign": 1}


def build(program: Path, source: str) -> str:
    """Compiles SOURCE. Returns what the compiler says."""
    path = program.with_suffix(".c")
    path.write_text(source)
    command = [os.environ.get("CC", "gcc"), "-std=gnu17", "-Wall", "-Werror=vla", "-I", str(ROOT), "-o", str(program), str(path)]
    done = subprocess.run([*command, str(HERE / "mutant.c")], stderr=subprocess.PIPE, text=True)
    return done.stderr if done.returncode else ""


def run(program: Path, fault: int) -> tuple[int, str]:
    """Exit status and output of PROGRAM with a fault; a fault may make it run for ever."""
    environment = {**os.environ, "SIMOS_MUTANT": str(fault)}
    done = subprocess.run(
        ["prlimit", "--cpu=1:1", program], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    return done.returncode, done.stdout[:1000]


def main() -> int:
    source = (ROOT / SAMPLE).read_text()
    found = sites.scan(SAMPLE, source)
    failed: list[str] = []
    passed = 0
    counts = Counter(site.operator for site in found)
    for operator in sites.OPERATORS:
        if counts[operator] == EXPECTED[operator]:
            passed += 1
        else:
            listed = [f"{site.line}: {site.change}" for site in found if site.operator == operator]
            failed.append(f"{operator}: {counts[operator]} places, not {EXPECTED[operator]}: {listed}")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "sample"
        said = build(program, source)
        plain = run(program, 0)
        if said or not plain[1]:
            failed.append(f"the sample: {said}")
        for site in found:
            planted = source[: site.start] + site.text.replace(sites.CALL, "mutant(1)") + source[site.end :]
            said = build(program, f'#include "tests/mutation/mutant.h"\n#line 1\n{planted}')
            what = f"{SAMPLE}:{site.line}: {site.operator}: {site.change}"
            if said:
                failed.append(f"{what}: does not compile: {said}")
            elif run(program, 0) != plain:
                failed.append(f"{what}: is there though it was not selected")
            elif run(program, 1) == plain:
                failed.append(f"{what}: changes nothing")
            else:
                passed += 1
    for line in failed:
        print(f"FAIL {line}")
    print(f"mutants: {passed} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
