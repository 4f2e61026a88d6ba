"""The command of the pages:

python -m pages PAGE OUT                              makes the page of pages.tsv from the runs in the folder OUT: OUT/index.html
python -m pages verdicts KEPT FILE...                 puts the verdicts of pages, OUT/verdicts.tsv, into the table KEPT
python -m pages findings OUT                          makes OUT/index.html, one page of the findings of all papers, from docs/verdicts.tsv
python -m pages sharing SIMOS TRACE CHECKPOINT SPARE NAME   writes where a layout map puts shared words
python -m pages sums NAME FILE                        prints the sum rules of the paper's page that FILE breaks
"""

from __future__ import annotations

import csv
import sys
from importlib import import_module
from pathlib import Path

from simoslab.host_files import read_text


def pages() -> dict[str, dict[str, str]]:
    """The rows of pages.tsv by page: module, that with the paper's own figures (printed), and the paper; "-" if there is none."""
    table = read_text(Path(__file__).with_name("pages.tsv"))
    return {row["page"]: row for row in csv.DictReader(table.splitlines(), delimiter="\t")}


def papers() -> dict[str, str]:
    """The titles of the papers by page."""
    return {name: row["paper"] for name, row in pages().items() if row["paper"] != "-"}


def main(words: list[str]) -> int:
    """Make the page that WORDS name. Returns the exit status."""
    match words:
        case ["findings", out]:
            from pages import findings

            findings.write_page(Path(out), papers())
        case ["sharing", simos, trace, checkpoint, spare, name]:
            from pages import sharing

            sharing.write(simos, trace, checkpoint, int(spare, 16), name)
        case ["verdicts", kept, *made]:
            from pages import claims

            claims.keep(Path(kept), map(Path, made), {name: claims.table_of(name) for name in papers()})
        case ["sums", name, file]:
            import simoslab

            from pages.paper_runs import Run
            from pages.paper_statistics import broken_rules

            sys.stdout.writelines(f"{line}\n" for line in broken_rules(name, Run(simoslab.load(file))))
        case [name, out] if name in (every := pages()):
            import_module(f"pages.{every[name]['module']}").make(Path(out))
        case _:
            print(__doc__, file=sys.stderr, end="")
            return 2
    return 0


if __name__ == "__main__":
    from simoslab.errors import SimosError

    try:
        sys.exit(main(sys.argv[1:]))
    except SimosError as error:
        sys.exit(f"pages: {error}")
