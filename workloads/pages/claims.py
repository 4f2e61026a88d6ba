"""What a paper claims, and whether it holds here: one rule for the pages of all papers.

The table of a page's claims is workloads/PAGE/claims.toml, a block [[claim]] for each finding that the paper states:

name            of the claim
section         of the paper that states it
kind            what it is about, one of KINDS; `kind` at the head of the table is that of claims without
claim           the finding, as prose
measured        what is measured, a template of Jinja2 over the measures of a case
criterion       when the claim holds, an expression of Jinja2 over the measures of a case. `theirs` has the paper's
                figures of the same case: `share | within(1.5, theirs.share)` asks for agreement within a factor
paper           the paper's own figures by case, under the names of the measures. What the paper has in its tables is
                not repeated here: the page's module knows it (`printed` of judge())
printed         how the paper's figures are written, if not as `measured`
no_figure       what the paper gives in place of figures. Such a claim cannot be confirmed; it holds here or is refuted
except          by case: why the paper's own figures do not hold. Such a case is shown, and not judged
construction    why it must hold here: it follows from what was fitted, or from the machine's definition
saturated       an expression over the measures of a case: the effect is as large as the structure that shows it. Such
                cases are not judged; if all are, the claim is saturated
not_measurable  why it cannot be measured here; there is no criterion then
fact_of         what the claim states of the paper's own system, such as the length of a routine of its kernel. It may hold
                here; if it does not, or has no criterion, nothing is refuted
cause           of a claim that is not measurable, or a fact of the paper's system: one of CAUSES
experiment      a list of experiments, which each put a condition of the paper back: `name`, which the page's module knows,
                `condition` as prose, and the `cause` that it tells of if the criterion holds with it

A case is what the paper states the claim of, such as a workload or a machine; of a claim about no case in particular
it is "all". Cases that the paper has no figures of are shown, and not judged. A case whose runs were repeated with other
delays has the means as its measures, and those of each repetition in the list `repetitions`: it is undecided if the
criterion does not have the same result for all of them. A case with the text `not_judged` is shown, and not judged: it
says why the measures are no evidence. If all cases are such, the claim is not measurable.

The same criterion is applied to the paper's figures and to ours, and to ours with a condition put back. Why a claim does
not hold in a case is the cause of the first experiment with which it does, and `open` if there is none. A table is
refused in which the paper's own figures do not pass (faults()). A block [[question]] (name, section, question, measured)
asks what the paper does not: it has no verdict.
"""

from __future__ import annotations

import functools
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any

import jinja2
from simoslab.host_files import read_text, save_text
import markupsafe

from pages.numbers import DASH
from pages.templates import HERE, environment

Measures = Mapping[str, Any]
Cases = Mapping[str, Measures]

ALL = "all"

# The verdicts, in the order of a summary, with the style of each.
CONFIRMED = "confirmed"
HOLDS = "holds here; the paper gives no figure"
IN_PART = "in part"
REFUTED = "refuted"
CONSTRUCTION = "by construction"
FACT = "a fact of the paper's system"
SATURATED = "saturated"
UNDECIDED = "undecided"
NOT_MEASURABLE = "not measurable here"
NOT_YET = "not measured yet"
VERDICTS = {
    CONFIRMED: "holds",
    HOLDS: "holds",
    IN_PART: "partly",
    REFUTED: "not",
    CONSTRUCTION: "neutral",
    FACT: "neutral",
    SATURATED: "neutral",
    UNDECIDED: "neutral",
    NOT_MEASURABLE: "neutral",
    NOT_YET: "neutral",
}

# What a claim can be about.
KINDS = ("caches", "TLB", "synchronization", "I/O", "copying", "services", "speed", "method")

# Why a claim is not confirmed: another kernel, other programs, more or less of something, another machine, another way of
# measuring, the years between. OPEN: no experiment says it.
OPEN = "open"
CAUSES = ("kernel", "programs", "scale", "machine", "method", "time", OPEN)
# Verdicts that need no cause.
HOLDING = (CONFIRMED, HOLDS, CONSTRUCTION)


@dataclass(frozen=True)
class Experiment:
    """An entry of `experiment`: a condition of the paper put back."""

    name: str
    condition: str
    cause: str


@dataclass(frozen=True)
class Claim:
    """A block [[claim]]."""

    name: str
    section: str
    claim: str
    kind: str
    measured: str = ""
    criterion: str = ""
    paper: Cases = field(default_factory=dict)
    printed: str = ""
    no_figure: str = ""
    exceptions: Mapping[str, str] = field(default_factory=dict)
    construction: str = ""
    saturated: str = ""
    not_measurable: str = ""
    fact_of: str = ""
    cause: str = ""
    experiment: list[Experiment] = field(default_factory=list)


@dataclass(frozen=True)
class Question:
    """A block [[question]]."""

    name: str
    section: str
    question: str
    measured: str


@dataclass(frozen=True)
class Judged:
    """A claim with its verdict: one of VERDICTS, and which cases or why; what was measured, and the paper's figures. If it
    does not hold, the causes, of CAUSES, and what the experiments showed, as lines."""

    claim: Claim
    verdict: str
    note: str
    here: markupsafe.Markup
    paper: markupsafe.Markup
    causes: tuple[str, ...] = ()
    experiments: tuple[markupsafe.Markup, ...] = ()

    @property
    def style(self) -> str:
        """The class of CSS of the verdict."""
        return VERDICTS[self.verdict]

    @property
    def text(self) -> str:
        """The verdict with its note."""
        return f"{self.verdict}: {self.note}" if self.note else self.verdict

    @property
    def cause(self) -> str:
        """The causes in words; "" if the claim holds."""
        return " and ".join(self.causes)


def blocks(path: Path, kind: str, made: type) -> list[Any]:
    """The blocks [[KIND]] of a table, each MADE of its members; "except" is the member exceptions. Ends with a line that
    names a block with a member that it must or cannot have."""
    try:
        document = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise SystemExit(f"{path}: {error}") from error
    found: dict[str, Any] = {}
    for block in document.get(kind, []):
        name = block.get("name", "")
        words = {("exceptions" if word == "except" else word): value for word, value in block.items()}
        if "kind" in document and made is Claim:
            words = {"kind": document["kind"]} | words
        entries = words.get("experiment", []) if made is Claim else []
        wrong = _members(words, kind, made)
        wrong += [line for entry in entries for line in _members(entry, "experiment", Experiment)]
        wrong += ["is there twice"] if name in found else []
        if wrong:
            raise SystemExit(f"{path}: {kind} {name}: {wrong[0]}")
        if entries:
            words["experiment"] = [Experiment(**entry) for entry in entries]
        found[name] = made(**words)
    return list(found.values())


def _members(words: Mapping[str, Any], kind: str, made: type) -> list[str]:
    """Which members a block of this KIND lacks, or has and cannot have, a line each."""
    members = {member.name: member.default is member.default_factory is MISSING for member in fields(made)}
    lacking = [f"has no {word}" for word, needed in members.items() if needed and word not in words]
    return lacking + [f"has {word}, which no {kind} has" for word in words if word not in members]


def table_of(page: str) -> Path:
    """The table of a page's claims."""
    return HERE.parent / page / "claims.toml"


def read(path: Path) -> list[Claim]:
    """The claims of a table."""
    return blocks(path, "claim", Claim)


def questions(path: Path) -> list[Question]:
    """The questions of a table."""
    return blocks(path, "question", Question)


@functools.cache
def _compiled(criterion: str) -> Callable[..., Any]:
    """An expression, ready to be evaluated: a page evaluates each for many cases and conditions."""
    return environment().compile_expression(criterion, undefined_to_none=False)


def holds(criterion: str, measures: Measures, theirs: Measures | None = None) -> bool | None:
    """Whether an expression over MEASURES, and `theirs` if they do not have it, is true; None if one of them is missing or
    not known."""
    try:
        result = _compiled(criterion)(**{"theirs": theirs or {}, **measures})
    except (jinja2.UndefinedError, TypeError):
        return None
    return None if isinstance(result, jinja2.Undefined) else bool(result)


def print_measured(template: str, measures: Measures) -> markupsafe.Markup:
    """What was measured, as HTML; a dash if a measure is missing."""
    try:
        return markupsafe.Markup(environment().from_string(template).render(**measures))
    except (jinja2.UndefinedError, TypeError):
        return markupsafe.Markup(DASH)


def theirs_of(claim: Claim, printed: Cases | None) -> dict[str, dict[str, Any]]:
    """The paper's figures of a claim by case: those of its tables, PRINTED, and those of the claim itself."""
    tables = printed or {}
    return {case: {**tables.get(case, {}), **claim.paper.get(case, {})} for case in {**tables, **claim.paper}}


def names_of(template: str) -> set[str]:
    """The measures that a template needs: the names that it reads, without those that it asks for first ("is defined")."""
    parsed = environment().parse(template)
    tests = [test.node for test in parsed.find_all(jinja2.nodes.Test) if test.name == "defined"]
    asked = {node.name for node in tests if isinstance(node, jinja2.nodes.Name)}
    stored = {node.name for node in parsed.find_all(jinja2.nodes.Name) if node.ctx == "store"}
    return {node.name for node in parsed.find_all(jinja2.nodes.Name)} - asked - stored


def _needed(claim: Claim) -> set[str]:
    return (names_of(f"{{{{ {claim.criterion} }}}}") - {"theirs"}) | names_of(claim.measured)


def _hidden(claim: Claim) -> list[str]:
    """Measures whose names mean something else in a template, so that none is ever found."""
    names = [name for name in sorted(_needed(claim)) if not holds(f"{name} == 1", {name: 1})]
    return [f"{claim.name}: a measure cannot be called {name}, which is a word of the templates" for name in names]


def _lacking(claim: Claim, here: Cases) -> list[str]:
    """Measures that no run would ever give: a case has others, but not these. One that is not known is there as None."""
    needed = _needed(claim)
    return [
        f"{claim.name}, {case}: there is no measure {name}"
        for case, measures in here.items()
        for name in (sorted(needed - set(measures)) if measures else [])
    ]


def faults(claim: Claim, theirs: Cases) -> list[str]:
    """What is wrong with a claim by itself and by the paper's own figures, a line each, which names the claim."""
    wrong = _unknown_words(claim)
    if wrong:
        return wrong
    if claim.not_measurable:
        return [f"{claim.name}: it has a criterion, though it is not measurable"] if claim.criterion else []
    if claim.fact_of and not claim.criterion:
        return []
    if not claim.criterion or not claim.measured:
        return [f"{claim.name}: it has no {'measure' if claim.criterion else 'criterion'}"]
    hidden = _hidden(claim)
    if hidden:
        return hidden
    if claim.no_figure:
        return [f"{claim.name}: the paper gives no figure, but there are some"] if theirs else []
    if not theirs:
        return [f"{claim.name}: there are no figures of the paper, and it does not say so (no_figure)"]
    found = [f"{claim.name}: except {case}: the paper has no such case" for case in set(claim.exceptions) - set(theirs)]
    for case, measures in theirs.items():
        passes = holds(claim.criterion, measures, measures)
        where = claim.name if case == ALL else f"{claim.name}, {case}"
        if passes is None:
            found.append(f"{where}: the paper's figures lack a measure of the criterion: {claim.criterion}")
        elif passes == (case in claim.exceptions):
            word = "pass, though it is an exception" if passes else "do not pass"
            found.append(f"{where}: the paper's own figures {word}: {claim.criterion}")
    return found


def _unknown_words(claim: Claim) -> list[str]:
    """What a claim is about, and its causes, as far as they are not of KINDS and CAUSES, or stand where they mean nothing."""
    found = [] if claim.kind in KINDS else [f"{claim.name}: kind \"{claim.kind}\" is none of {', '.join(KINDS)}"]
    causes = [claim.cause] if claim.cause else []
    causes += [one.cause for one in claim.experiment]
    found += [f"{claim.name}: cause \"{cause}\" is none of {', '.join(CAUSES)}" for cause in causes if cause not in CAUSES]
    known_without = claim.not_measurable or claim.fact_of
    if known_without and not claim.cause:
        found.append(f"{claim.name}: it has no cause")
    if claim.cause and not known_without:
        found.append(f"{claim.name}: its cause needs an experiment")
    return found


def _held(claim: Claim, measures: Measures, theirs: Measures | None) -> str:
    """In how many of a case's repetitions the criterion holds; "" if in all or none, as for their means."""
    results = [holds(claim.criterion, one, theirs) for one in measures.get("repetitions", [])]
    decided = all(result == holds(claim.criterion, measures, theirs) for result in results)
    return "" if decided else f"{results.count(True)} of {len(results)} repetitions"


def _is_judged(claim: Claim, case: str, theirs: Cases) -> bool:
    """Whether the criterion judges a case: the paper has its figures, or gives none at all."""
    return bool(claim.no_figure) or (case in theirs and case not in claim.exceptions)


def _verdict(claim: Claim, here: Cases, theirs: Cases, names: Mapping[str, str]) -> tuple[str, str]:
    if claim.not_measurable:
        return NOT_MEASURABLE, claim.not_measurable
    if claim.fact_of and not claim.criterion:
        return FACT, claim.fact_of
    judged = [case for case in here if _is_judged(claim, case, theirs)]
    results = {case: holds(claim.criterion, here[case], theirs.get(case)) for case in judged}
    known = {case: result for case, result in results.items() if result is not None}
    reasons = {case: here[case]["not_judged"] for case in known if "not_judged" in here[case]}
    known = {case: result for case, result in known.items() if case not in reasons}
    if not known:
        return NOT_MEASURABLE, "; ".join(dict.fromkeys(reasons.values())) or "there is no run of it"
    full = [case for case in known if claim.saturated and holds(claim.saturated, here[case], theirs.get(case))]
    if len(full) == len(known):
        return SATURATED, "the effect is as large as the structure that shows it"
    known = {case: result for case, result in known.items() if case not in full}
    others = [f"without {names[case]} ({reason})" for case, reason in reasons.items()]
    others += [f"without what is saturated ({', '.join(names[case] for case in full)})"] if full else []
    held = {case: text for case in known if (text := _held(claim, here[case], theirs.get(case)))}
    chance = ", ".join(text if case == ALL else f"{names[case]}: {text}" for case, text in held.items())
    if len(held) == len(known):
        return UNDECIDED, "; ".join([f"holds in {chance}", *others])
    known = {case: result for case, result in known.items() if case not in held}
    others += [f"without what is undecided ({chance})"] if held else []
    where = [case for case, result in known.items() if result]
    if claim.fact_of and len(where) < len(known):
        return FACT, claim.fact_of
    if not where:
        return REFUTED, "; ".join(others)
    if len(where) < len(known):
        return IN_PART, "; ".join([", ".join(names[case] for case in where), *others])
    if claim.construction:
        return CONSTRUCTION, "; ".join([claim.construction, *others])
    return (HOLDS if claim.no_figure else CONFIRMED), "; ".join(others)


def _by_case(template: str, cases: Cases, names: Mapping[str, str]) -> markupsafe.Markup:
    texts = [(name, print_measured(template, cases[case])) for case, name in names.items() if case in cases]
    shown = [text if name == ALL else markupsafe.Markup("{}: {}").format(name, text) for name, text in texts]
    return markupsafe.Markup("; ").join(shown)


def _with_conditions(
    claim: Claim, here: Cases, theirs: Cases, names: Mapping[str, str], back: Mapping[str, Cases]
) -> tuple[tuple[str, ...], tuple[markupsafe.Markup, ...]]:
    """The causes of a claim that does not hold, and what its experiments, BACK, showed. A case whose repetitions differ, or
    that is saturated, does not hold."""

    def result(measures: Measures, case: str) -> bool:
        full = claim.saturated and holds(claim.saturated, measures, theirs.get(case))
        return not full and not _held(claim, measures, theirs.get(case)) and bool(holds(claim.criterion, measures, theirs.get(case)))

    failing = [case for case, measures in here.items() if _is_judged(claim, case, theirs) and not result(measures, case)]
    causes: dict[str, str] = {}
    lines = []
    for one in claim.experiment:
        cases = {case: measures for case, measures in back.get(one.name, {}).items() if _is_judged(claim, case, theirs) and measures}
        for case in failing:
            if case in cases and result(cases[case], case):
                causes.setdefault(case, one.cause)
        if cases:
            held = [result(measures, case) for case, measures in cases.items()]
            word = "holds" if all(held) else "holds in part" if any(held) else "does not hold"
            lines.append(markupsafe.Markup("{}: {}: {}").format(one.condition, word, _by_case(claim.measured, cases, names)))
    found = [causes.get(case, OPEN) for case in failing] or [OPEN]
    return tuple(sorted(set(found), key=CAUSES.index)), tuple(lines)


def judge_claim(
    claim: Claim,
    here: Cases | None,
    printed: Cases | None = None,
    names: Mapping[str, str] | None = None,
    back: Mapping[str, Cases] | None = None,
) -> Judged:
    """A claim judged by the measures HERE and the paper's figures of its tables, PRINTED. NAMES are those of cases in
    text, where they have others. BACK has the cases of its experiments, as far as they were made. Ends if the paper's own
    figures do not pass, or if a measure is missing."""
    cases, theirs = here or {}, theirs_of(claim, printed)
    wrong = faults(claim, theirs) or (_lacking(claim, cases) if claim.criterion else [])
    wrong += [f"{claim.name}: no experiment is called {name}" for name in set(back or {}) - {one.name for one in claim.experiment}]
    wrong += [line for of in (back or {}).values() for line in _lacking(claim, of)]
    if wrong:
        raise SystemExit("\n".join(f"claims: {line}" for line in wrong))
    others = [case for of in (back or {}).values() for case in of]
    texts = {case: (names or {}).get(case, case) for case in [*cases, *theirs, *others]}
    verdict, note = _verdict(claim, cases, theirs, texts)
    if claim.no_figure:
        paper = markupsafe.escape(claim.no_figure)
    else:
        paper = _by_case(claim.printed or claim.measured, theirs, texts)
    causes, lines = (), ()
    if claim.criterion:
        causes, lines = _with_conditions(claim, cases, theirs, texts, back or {})
    if verdict in HOLDING:
        causes = ()
    elif claim.cause:
        causes = (claim.cause,)
    return Judged(claim, verdict, note, _by_case(claim.measured, cases, texts), paper, causes, lines)


def judge(
    path: Path,
    here: Mapping[str, Cases],
    printed: Mapping[str, Cases] | None = None,
    names: Mapping[str, str] | None = None,
    back: Mapping[str, Mapping[str, Cases]] | None = None,
) -> list[Judged]:
    """The claims of a table, measured and judged, in their order. HERE and PRINTED have the cases of claims by name, BACK
    those of the claims' experiments."""
    tables, experiments = printed or {}, back or {}
    return [
        judge_claim(claim, here.get(claim.name), tables.get(claim.name), names, experiments.get(claim.name))
        for claim in read(path)
    ]


def answers(path: Path, measures: Measures) -> list[tuple[Question, markupsafe.Markup]]:
    """The questions of a table with what was measured."""
    return [(question, print_measured(question.measured, measures)) for question in questions(path)]


def counts(judged: Iterable[Judged]) -> dict[str, int]:
    """How many claims have each verdict, in the order of VERDICTS, without those that none has."""
    found = Counter(one.verdict for one in judged)
    return {verdict: found[verdict] for verdict in VERDICTS if found[verdict]}


def by_verdict(judged: Iterable[Judged]) -> list[tuple[str, list[Judged]]]:
    """The claims of each verdict, in the order of VERDICTS, without verdicts that none has."""
    found: dict[str, list[Judged]] = {verdict: [] for verdict in VERDICTS}
    for one in judged:
        found[one.verdict].append(one)
    return [(verdict, listed) for verdict, listed in found.items() if listed]


def counts_text(judged: Iterable[Judged]) -> str:
    """The same in words: "of 12 findings 8 confirmed, 3 refuted"."""
    by_verdict = counts(judged)
    parts = ", ".join(f"{count} {verdict}" for verdict, count in by_verdict.items())
    return f"of {sum(by_verdict.values())} findings {parts}"


def as_rows(judged: Iterable[Judged]) -> list[dict[str, Any]]:
    """The same for a file: a row for each claim, as text."""
    return [
        {
            "name": one.claim.name,
            "section": one.claim.section,
            "claim": one.claim.claim,
            "verdict": one.verdict,
            "note": one.note,
            "here": str(one.here),
            "paper": str(one.paper),
            "cause": one.cause,
            "experiments": [str(line) for line in one.experiments],
        }
        for one in judged
    ]


# The columns of docs/verdicts.tsv.
COLUMNS = ("page", "claim", "section", "verdict", "note", "cause", "experiments", "here", "paper")


def _plain(markup: markupsafe.Markup) -> str:
    """As text on one line."""
    return " ".join(markupsafe.Markup(markup).striptags().split())


def write(out: Path, page: str, judged: Iterable[Judged]) -> None:
    """Write OUT/verdicts.tsv: the verdicts of the claims of PAGE, which the documentation takes (keep())."""
    lines = ["\t".join(COLUMNS)]
    for one in judged:
        experiments = "; ".join(_plain(line) for line in one.experiments)
        note = " ".join(one.note.split())
        cells = (page, one.claim.name, one.claim.section, one.verdict, note, one.cause, experiments, _plain(one.here), _plain(one.paper))
        lines.append("\t".join(cells))
    save_text(out / "verdicts.tsv", "".join(f"{line}\n" for line in lines))


def _not_yet(page: str, claim: Claim) -> str:
    """The line of a claim that the page has not been made with."""
    cells = dict.fromkeys(COLUMNS, "") | {"page": page, "claim": claim.name, "section": claim.section}
    return "\t".join((cells | {"verdict": NOT_YET, "cause": OPEN}).values())


def keep(kept: Path, made: Iterable[Path], tables: Mapping[str, Path] | None = None) -> None:
    """Put the verdicts of the files MADE into the table KEPT, in the place of what it has of the same pages. Of the pages of
    TABLES, their claims, each claim has one line: one that was not there when the page was made is not measured yet."""
    pages: dict[str, list[str]] = {}
    for path in (kept, *made):
        head, *lines = read_text(path).splitlines()
        if head.split("\t") != list(COLUMNS):
            raise SystemExit(f"{path}: the columns are not {' '.join(COLUMNS)}")
        found: dict[str, list[str]] = {}
        for line in lines:
            found.setdefault(line.split("\t")[0], []).append(line)
        pages |= found
    for page, table in (tables or {}).items():
        lines_of = {line.split("\t")[1]: line for line in pages.get(page, [])}
        pages[page] = [lines_of.get(claim.name) or _not_yet(page, claim) for claim in read(table)]
    text = [head, *(line for page in sorted(pages) for line in pages[page])]
    save_text(kept, "".join(f"{line}\n" for line in text))
