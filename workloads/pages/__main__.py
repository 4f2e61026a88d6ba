"""The command of the pages:

python -m pages byte-copying|interrupts|monster|page-mapping|xia-torrellas OUT   makes OUT/index.html from the runs in the folder OUT
python -m pages paper SIMOS OUT FORM                  prints the page of the results in OUT
python -m pages verdicts KEPT FILE...                 puts the verdicts of pages, OUT/verdicts.tsv, into the table KEPT
python -m pages sharing SIMOS TRACE CHECKPOINT SPARE NAME   writes where a layout map puts shared words
python -m pages sums NAME FILE                        prints the sum rules of the paper's page that FILE breaks
"""

from __future__ import annotations

import sys
from pathlib import Path


def main(words: list[str]) -> int:
    """Make the page that WORDS name. Returns the exit status."""
    match words:
        case ["byte-copying", out]:
            from pages import byte_copying

            byte_copying.make(Path(out))
        case ["interrupts", out]:
            from pages import interrupts

            interrupts.make(Path(out))
        case ["monster", out]:
            from pages import monster

            monster.make(Path(out))
        case ["page-mapping", out]:
            from pages import page_mapping

            page_mapping.make(Path(out))
        case ["xia-torrellas", out]:
            from pages import xia_torrellas

            xia_torrellas.make(Path(out))
        case ["sharing", simos, trace, checkpoint, spare, name]:
            from pages import sharing

            sharing.write(simos, trace, checkpoint, int(spare, 16), name)
        case ["paper", simos, out, form]:
            from pages import paper

            paper.make(simos, Path(out), form)
        case ["verdicts", kept, *made]:
            from pages import claims

            claims.keep(Path(kept), map(Path, made))
        case ["sums", name, file]:
            import simoslab

            from pages.paper_statistics import broken_rules

            sys.stdout.writelines(f"{line}\n" for line in broken_rules(name, simoslab.load(file).document()))
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
