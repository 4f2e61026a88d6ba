"""Plants faults in a copy of the tree, all in one build: which one is there is chosen when a program starts.

plant.py TREE [--count N] [--seed S] [--top FOLDER...]

TREE is made anew from the files of the repository that is the current folder, with the caches of its build/ linked.
N places are drawn with seed S, the operator first, from the functions of the folders FOLDER; those that do not compile
are replaced. TREE/mutants.tsv lists them: number, file, line, operator, change. mutant.h says how one is selected.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import sites

TOPS = ("src", "cpu", "cache", "devices", "checkpoint", "annotations")
LINKED = ("guest", "guest-decstation", "guest-source", "python", "workloads")
HERE = Path("tests/mutation")
# What a C compiler takes though the fault is none then: an array of variable size, a value that is never set.
REFUSED = ("vla", "int-conversion", "incompatible-pointer-types", "uninitialized", "maybe-uninitialized", "return-type")


def environment(tree: Path) -> dict[str, str]:
    """Ours, without what a make above has put there. The commit of the repository around TREE is not its version."""
    left = {name: text for name, text in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "DEPS_RUN")}
    return left | {"GIT_CEILING_DIRECTORIES": str(tree.resolve().parent)}


def make(tree: Path, *arguments: str) -> subprocess.CompletedProcess:
    """`make ARGUMENTS` in TREE. Returns output and status."""
    command = ["make", "--no-print-directory", "-k", f"-j{os.cpu_count()}", "WERROR=", *arguments]
    return subprocess.run(
        command,
        cwd=tree,
        env=environment(tree),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def copy(tree: Path) -> None:
    """The repository's files in TREE, and what `make` has in build/ that is no part of the program."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], stdout=subprocess.PIPE, check=True
    )
    shutil.rmtree(tree, ignore_errors=True)
    for name in listed.stdout.decode().split("\0"):
        if name and Path(name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(name, tree / name, follow_symlinks=False)
    (tree / "build").mkdir()
    for name in LINKED:
        if Path("build", name).exists():
            (tree / "build" / name).symlink_to(Path("build", name).resolve())
    for stamp in Path("build").glob(".deps-*"):
        (tree / "build" / stamp.name).touch()
    shutil.copy2(HERE / "mutant.c", tree / "src/base/mutant.c")


def write(path: Path, text: str) -> None:
    """TEXT in the file PATH, whose time stays if it has it already: a make then compiles what changed."""
    if path.read_text() != text:
        path.write_text(text)


class Plan:
    """The faults that are planted, by number."""

    def __init__(self, tree: Path, files: list[str], count: int, seed: int) -> None:
        self.tree, self.count, self.random = tree, count, random.Random(seed)
        self.sources = {name: Path(name).read_text() for name in files}
        self.left: dict[str, list[sites.Site]] = {name: [] for name in sites.OPERATORS}
        for name, source in self.sources.items():
            for site in sites.scan(name, source):
                self.left[site.operator].append(site)
        for listed in self.left.values():
            self.random.shuffle(listed)
        self.chosen: dict[int, sites.Site] = {}
        self.refused = 0

    def lines(self, site: sites.Site) -> range:
        """The lines of a fault, and those beside it."""
        return range(site.line - 1, site.line + self.sources[site.path].count("\n", site.start, site.end) + 2)

    def free(self, site: sites.Site) -> bool:
        """Whether no other fault is on the same lines: an error of the compiler belongs to one fault."""
        lines = self.lines(site)
        return not any(
            other.path == site.path and lines.start < self.lines(other).stop and self.lines(other).start < lines.stop
            for other in self.chosen.values()
        )

    def draw(self) -> None:
        """Fills the plan up; the numbers are 1 to COUNT."""
        for number in range(1, self.count + 1):
            while number not in self.chosen:
                operators = [name for name in sites.OPERATORS if self.left[name]]
                if not operators:
                    sys.exit("plant.py: there are not so many places")
                site = self.left[self.random.choice(operators)].pop()
                if self.free(site):
                    self.chosen[number] = site

    def plant(self) -> None:
        """Writes the sources with the faults, each behind a guard; their lines keep their numbers."""
        for name, source in self.sources.items():
            planted = [(site.start, number, site) for number, site in self.chosen.items() if site.path == name]
            text = source
            for _, number, site in sorted(planted, reverse=True, key=lambda one: one[0]):
                text = text[: site.start] + site.text.replace(sites.CALL, f"mutant({number})") + text[site.end :]
            if planted:
                text = f'#include "{HERE}/mutant.h"\n#line 1\n' + text
            write(self.tree / name, text)

    def drop(self, output: str) -> int:
        """Takes away the faults that compiler errors in OUTPUT are about. Returns how many."""
        errors = {(name, int(line)) for name, line in re.findall(r"^([\w./-]+):(\d+):\d+: error:", output, re.MULTILINE)}
        # The place of an error in a macro's argument is that of its use.
        errors |= {(name, int(line)) for name, line in re.findall(r"^([\w./-]+):(\d+):\d+: note:", output, re.MULTILINE)}
        bad = [number for number, site in self.chosen.items() if any((site.path, line) in errors for line in self.lines(site))]
        # A value that is never set is one elsewhere in the file.
        files = {name for name, _ in errors}
        bad = bad or [number for number, site in self.chosen.items() if site.path in files]
        for number in bad:
            del self.chosen[number]
        self.refused += len(bad)
        return len(bad)

    def objects(self) -> list[str]:
        """An object for each file with faults; for a header, that of a source which includes it."""
        found = set()
        for name in {site.path for site in self.chosen.values()}:
            source = name
            if name.endswith(".h"):
                users = [user for user, text in self.sources.items() if user.endswith(".c") and f'"{name}"' in text]
                source = min(users, key=lambda user: (user != name[:-1] + "c", user), default="")
            if source and not source.endswith("none.c"):
                found.add(f"build/obj/{source[:-2]}.o")
        return sorted(found)

    def compile(self, *targets: str) -> None:
        """Makes TARGETS, with other faults for those that do not compile, until all is made."""
        while True:
            self.draw()
            self.plant()
            refuse = " ".join(f"-Werror={name}" for name in REFUSED)
            done = make(self.tree, f"CFLAGS=-O2 -g {refuse}", *(targets or self.objects()))
            if done.returncode == 0:
                return
            bad = self.drop(done.stdout)
            if not bad:
                sys.exit(f"{done.stdout}\nplant.py: the build fails, and no fault is the cause")
            print(f"{bad} faults that do not compile are replaced", flush=True)

    def table(self) -> str:
        """The list of the faults."""
        rows = sorted(self.chosen.items())
        return "".join(f"{number}\t{site.path}\t{site.line}\t{site.operator}\t{site.change}\n" for number, site in rows)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("tree", type=Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--top", nargs="+", default=TOPS)
    options = parser.parse_args()
    copy(options.tree)
    files = sorted(str(path) for top in options.top for path in Path(top).rglob("*.[ch]"))
    files = [name for name in files if not name.endswith("/none.c")]
    plan = Plan(options.tree, files, options.count, options.seed)
    places = sum(len(listed) for listed in plan.left.values())
    plan.compile()
    plan.compile("all")
    (options.tree / "mutants.tsv").write_text(plan.table())
    print(f"{options.count} of {places} places, {plan.refused} others did not compile: {options.tree}/mutants.tsv")


if __name__ == "__main__":
    main()
