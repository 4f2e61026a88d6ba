"""The page of SOSP'95 (Rosenblum and others): every table and figure from the results of the runs, as one file."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import markupsafe
import simoslab
from simoslab.host_files import read_input, read_text, save_bytes, save_text

from pages import claims, tables
from pages.paper_architecture import own_architecture
from pages.paper_claims import conditions, findings
from pages.paper_coherence import communication
from pages.paper_differences import figures as difference_figures
from pages.paper_prediction import prediction
from pages.paper_runs import HERE, WORKLOADS, Known, Run, title
from pages.paper_statistics import broken_rules, with_paper_names
from pages.paper_tables import (
    event_rates,
    hidden,
    kernel_misses,
    locks,
    machines,
    services_48,
    services_54,
    speedups,
    validation,
)
from pages.tables import Row
from pages.templates import render

LOCK = HERE.parent / "guest.lock"
PACKAGES = re.compile("linux-image-.*-mips32r2el|libc6|gcc-12|make|postgresql-15|iverilog|zlib|busybox-static")
FOLDERS = ("statistics", "figures", "services", "report")


def runs_of(out: Path) -> dict[str, Run]:
    """The statistics of each run that came to its end, and of the windows of one, by name. Ends with a line for each
    sum rule that one breaks."""
    swept = simoslab.load(out / "runs.json")
    jobs = [job["name"] for job in swept.attrs["jobs"] if job["state"] == "finished" and job["status"] == 0]
    found = {name: swept.document(name) for name in jobs}
    for merged in sorted((out / "windows").glob("*.merged.json")):
        found[merged.name.removesuffix(".merged.json")] = simoslab.load(merged).document()
    runs = {name: Run.of(with_paper_names(document), name) for name, document in found.items()}
    broken = [line for name, run in runs.items() for line in broken_rules(name, run)]
    if broken:
        raise SystemExit("\n".join(broken))
    return runs


def write_statistics(out: Path, runs: dict[str, Run]) -> None:
    """OUT/statistics/RUN.json, and their names."""
    for folder in FOLDERS:
        shutil.rmtree(out / folder, ignore_errors=True)
        (out / folder).mkdir()
    for name, run in runs.items():
        text = json.dumps(run.statistics.document(), indent=2, ensure_ascii=False)
        save_text(out / "statistics" / f"{name}.json", text + "\n")
    save_text(out / "statistics/names", "".join(f"{name}\n" for name in runs))


class Reports:
    """What `simos report` draws and says of runs, as far as they are there."""

    def __init__(self, simos: str, out: Path) -> None:
        self.simos, self.out = simos, out

    def files(self, workload: str, columns: tuple[str, ...]) -> list[str]:
        """The statistics of these runs."""
        named = (self.out / "statistics" / f"{workload}-{column}.json" for column in columns)
        return [str(file) for file in named if file.exists()]

    def save(self, words: list[str], file: Path) -> None:
        """Write what `simos report WORDS` prints to FILE."""
        done = subprocess.run([self.simos, "report", *words], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, check=True)
        save_bytes(file, done.stdout)

    def report(self, name: str, workload: str, *columns: str) -> None:
        """Pictures in OUT/figures/NAME and the text OUT/report/NAME.txt."""
        files = self.files(workload, columns)
        if files:
            (self.out / "figures" / name).mkdir()
            self.save(["--svg", str(self.out / "figures" / name), *files], self.out / "report" / f"{name}.txt")

    def services(self, name: str, workload: str, *columns: str) -> None:
        """The tables of services and events, OUT/services/NAME.json and .txt."""
        files = self.files(workload, columns)
        if files:
            self.save(["--services=json", *files], self.out / "services" / f"{name}.json")
            self.save(["--services", *files], self.out / "services" / f"{name}.txt")

    def make(self) -> None:
        """All of them."""
        for workload in WORKLOADS:
            self.report(workload, workload, "1994", "1996", "1998")
            self.report(f"{workload}-hidden", workload, "1996", "1996-static", "1998", "1998-static")
            self.report(f"{workload}-mp8", workload, "mp8")
            self.services(workload, workload, "1994", "1996", "1998", "mp8")
            self.services(f"{workload}-mp8", workload, "1996-mp8", "1998-mp8", "2015-mp8")
            self.services(f"{workload}-whole", workload, "whole", "whole-mp8")
        for condition in tables.read_tsv(HERE / "conditions.tsv"):
            self.services(condition["name"], condition["name"], "1994", "1996", "1998")
        self.report("dash", "pmake", "dash")


def services_of(out: Path) -> dict[str, Row]:
    """The tables of services by run."""
    documents = (json.loads(read_text(file)) for file in sorted((out / "services").glob("*.json")))
    return {of["title"]: of for document in documents for of in document["files"]}


def caches_of(out: Path) -> list[Row]:
    """Every count of the caches, of all workloads."""
    found = []
    for file in sorted(out.glob("caches-*.tsv")):
        found += [{"name": file.stem.removeprefix("caches-"), **row} for row in tables.read_tsv(file)]
    return found


def outside_of(out: Path) -> dict[str, int]:
    """The compiler's system calls under another emulator, by name, if they were counted (outside.sh)."""
    file = out / "outside.tsv"
    return {row["call"]: row["count"] for row in tables.read_tsv(file)} if file.exists() else {}


def answers_of(out: Path, names: list[str]) -> dict[str, Any]:
    """How many of the runs came to the right answer, and which did not."""
    files = ((name, out / "ends" / f"{name}.answer") for name in names)
    answers = [(name, read_text(file).strip()) for name, file in files if file.exists()]
    return {"count": len(answers), "wrong": [name for name, answer in answers if answer == "wrong"]}


def guest_of() -> dict[str, str]:
    """The guest that all figures are of: what guest.lock pins, and the versions that a reader asks for first."""
    text = read_text(LOCK)
    files = (line.split() for line in text.splitlines() if line.startswith("file "))
    packages = ", ".join(f"{words[3]} {words[4]}" for words in files if PACKAGES.fullmatch(words[3]))
    return {"sum": hashlib.sha256(text.encode()).hexdigest(), "packages": packages}


def embedded(kind: str, file: Path) -> str:
    """A file as the address of a picture or a file to keep."""
    content = base64.b64encode(read_input(file, "page's input"))
    return f"data:{kind};base64,{content.decode()}"


def figure(out: Path, name: str, workload: str) -> Row | None:
    """A picture, if it is there."""
    file = out / f"{name}.svg"
    return {"title": title(workload), "name": name, "data": embedded("image/svg+xml", file)} if file.exists() else None


def with_contents(page: str) -> str:
    """The page with a name to go to at every section, and a list of contents in the place of @CONTENTS@."""
    contents, lines = [], []
    for line in page.splitlines():
        if line.startswith("<h2>"):
            text = re.sub("^<h2>|</h2>.*", "", line)
            name = re.sub("<[^>]*>", "", line.lower())
            name = re.sub("^(?:table|figure) [0-9.]*", lambda match: match[0] + ":", name)
            name = re.sub("[^a-z0-9.]+", "-", re.sub("&[a-z]*;", "", re.sub(":.*", "", name))).removesuffix("-")
            contents.append(f'<li><a href="#{name}">{text}</a></li>')
            lines.append(f'<a id="{name}"></a>')
        lines.append(line)
    return "\n".join(lines).replace("@CONTENTS@", "\n".join(contents)) + "\n"


def body_of(known: Known, out: Path) -> dict[str, Any]:
    """What the template shows of the runs."""
    judged = findings(known)
    first, several = known.having(["1994"]), known.having(["mp8"])
    hides = known.having(["1998", "1998-static"])

    def pictures(workloads: list[str], name: str) -> list[Row]:
        found = (figure(out, name.format(workload), workload) for workload in workloads)
        return [picture for picture in found if picture]

    return {
        "missing": sorted(set(known.planned) - set(known.run), key=known.planned.index),
        "findings": judged,
        "verdicts": claims.by_verdict(judged),
        "conditions": conditions(known),
        "prediction": prediction(known),
        "differences": difference_figures(known),
        "validation": validation(known),
        "machines": machines(known),
        "over_time": pictures(first, "figures/{0}/over-time-{0}-1994"),
        "events": event_rates(known, "4.2", "1994"),
        "speedups": speedups(known),
        "execution_time": pictures(first, "figures/{0}/execution-time"),
        "mcpi": pictures(first, "figures/{0}/mcpi"),
        "hidden": hidden(known) if hides else None,
        "hidden_pictures": pictures(hides, "figures/{0}-hidden/hidden"),
        "first_levels": pictures(first, "caches-{0}-figure-4.6"),
        "second_levels": pictures(first, "caches-{0}-figure-4.7"),
        "services_48": [(title(w), services_48(known, w)) for w in first],
        "service_pictures": pictures(first, "figures/{0}/services"),
        "architecture": own_architecture(known),
        "several_events": event_rates(known, "5.2", "mp8") if several else None,
        "several_over_time": pictures(several, "figures/{0}-mp8/over-time-{0}-mp8"),
        "kernel_pictures": pictures(several, "caches-{0}-mp8-figure-5.3-kernel"),
        "kernel_misses": [(title(w), kernel_misses(known, w)) for w in several],
        "services_54": [(title(w), services_54(known, w)) for w in known.having(["1994", "mp8"])],
        "communication": communication(known),
        "locks": [(title(w), locks(known, w)) for w in several],
    }


def kept(out: Path) -> list[tuple[str, str]]:
    """Texts to unfold: their names and contents."""
    files = [*sorted((out / "report").glob("*.txt")), *sorted((out / "services").glob("*.txt"))]
    files += [*sorted(out.glob("caches-*.txt")), out / "guest.lock"]
    shown = [file for file in files if file.stat().st_size]
    return [(str(file.relative_to(out)), read_text(file)) for file in shown]


def make(out: Path) -> None:
    """Write OUT/index.html, the page of the results in OUT, and what stands beside it, by the program SIMOS (environment)."""
    settings, simos = tables.read_settings(out), os.environ["SIMOS"]
    runs = runs_of(out)
    write_statistics(out, runs)
    Reports(simos, out).make()
    planned = re.findall("^job ([^ ]*) ", read_text(out / "all.tcl"), flags=re.MULTILINE)
    limit = int(settings["limit"] or 0)
    known = Known(runs, services_of(out), caches_of(out), planned, outside_of(out))
    shutil.copy(LOCK, out / "guest.lock")
    body = body_of(known, out)
    claims.write(out, "paper", body["findings"])
    page = render(
        "paper/page.html",
        form=settings["form"],
        window=settings["window"],
        limit=limit // 1_000_000,
        count=len(runs),
        answers=answers_of(out, list(runs)),
        guest=guest_of(),
        texts=kept(out),
        downloads=[
            (file.name, embedded("application/json", file)) for file in sorted((out / "services").glob("*.json"))
        ],
        contents=markupsafe.Markup("@CONTENTS@"),
        **body,
    )
    save_text(out / "index.html", with_contents(page))
