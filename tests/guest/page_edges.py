"""Looks for what reaches over the right edge of a page in Chromium, and for verdicts with a word broken in two.

    page_edges.py FOLDER PAGE.html WIDTH...

Every element that is shown has to end within the window, those of a table that could be scrolled, too. FOLDER is for what
Chromium leaves. Prints a line for each element that does not and for each broken word, and has exit status 1 then.
"""

import html
import json
import re
import subprocess
import sys
from pathlib import Path

# At most so many elements are named.
SHOWN = 8
SCRIPT = """<script>
addEventListener("load", () => {
    const wide = [...document.body.querySelectorAll("*")].filter(one => {
        const box = one.getBoundingClientRect();
        return box.width > 0 && box.height > 0 && box.right > document.documentElement.clientWidth + 1;
    });
    const named = wide.filter(one => ![...one.children].some(child => wide.includes(child)));
    const found = named.map(one => {
        const section = [...document.querySelectorAll("h1, h2, h3")]
            .filter(title => title.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING).pop();
        const text = one.textContent.trim().slice(0, 40);
        const over = Math.round(one.getBoundingClientRect().right - document.documentElement.clientWidth);
        return {tag: one.tagName, text, over, section: section ? section.textContent : ""};
    });
    // Words of verdicts on two lines: a Range has a rectangle for each.
    const broken = [];
    for (const cell of document.querySelectorAll("td.holds, td.not, td.partly, td.neutral")) {
        const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
            for (const word of texts.currentNode.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
                const range = document.createRange();
                range.setStart(texts.currentNode, word.index);
                range.setEnd(texts.currentNode, word.index + word[0].length);
                if (range.getClientRects().length > 1) broken.push(word[0]);
            }
        }
    }
    const at = document.createElement("pre");
    at.id = "edges";
    at.textContent = JSON.stringify({width: innerWidth, found, broken});
    document.body.append(at);
});
</script>"""


def edges(folder: Path, page: Path, width: int) -> dict:
    """The elements over the edge of a window of WIDTH pixels."""
    copy = folder / "edges.html"
    copy.write_text(page.read_text(encoding="utf-8").replace("</body>", SCRIPT + "</body>"), encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}/profile"]
    command = ["chromium", *options, f"--window-size={width},2000", "--dump-dom", f"file://{copy}"]
    dom = subprocess.run(command, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL).stdout
    found = re.search('<pre id="edges">(.*?)</pre>', dom, re.DOTALL)
    if not found:
        raise SystemExit(f"{page}: Chromium says nothing")
    return json.loads(html.unescape(found[1]))


def main() -> int:
    """The command."""
    folder, page, *widths = sys.argv[1:]
    status = 0
    for width in map(int, widths):
        said = edges(Path(folder).resolve(), Path(page), width)
        if said["width"] != width:
            raise SystemExit(f"{page}: a window of {said['width']} pixels instead of {width}")
        for one in said["found"][:SHOWN]:
            print(f'{width}: {one["tag"]} "{one["text"]}" ends {one["over"]} pixels off the edge ({one["section"]})')
        if len(said["found"]) > SHOWN:
            print(f"{width}: and {len(said['found']) - SHOWN} more")
        for word in sorted(set(said["broken"])):
            print(f'{width}: the word "{word}" of a verdict is broken in two')
        status |= bool(said["found"] or said["broken"])
    return status


if __name__ == "__main__":
    sys.exit(main())
