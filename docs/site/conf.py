"""The pages as a site (`make site`), by Sphinx: README.md, what stands beside it, and docs/, as Markdown that stays as it is."""

import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
version = re.search(r"^VERSION := (\S+)", (ROOT / "Makefile").read_text(), re.M)[1]

project = "simos"
release = version
author = "the simos authors"
copyright = "the simos authors"  # noqa: A001
html_title = f"simos {version}"
html_theme = "furo"
html_copy_source = False
html_show_sphinx = False
html_permalinks_icon = "#"
# Two builds of the same sources are the same.
html_last_updated_fmt = None
html_baseurl = ""

extensions = ["myst_parser"]
root_doc = "README"
include_patterns = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/**.md"]
exclude_patterns = ["build", "src", "cpu", "cache", "devices", "checkpoint", "annotations", "workloads", "tests", "python", "debian", ".*"]
# Anchors as GitHub makes them; a link that leads nowhere is a warning, and `make site` takes warnings for errors.
myst_heading_anchors = 6
suppress_warnings = ["misc.highlighting_failure"]
# Pygments does not know the guest's and simos's own notations.
highlight_language = "none"
pygments_style = "default"

# What the side bar shows: the four kinds of pages of README.md.
TREES = {
    "Begin": ["docs/tutorial", "docs/overview", "docs/glossary"],
    "How to": ["docs/how-to/*"],
    "Reference": ["docs/reference/*"],
    "Design": ["CONTRIBUTING", "CHANGELOG", "docs/design/*"],
}


def add_trees(app, name, source):
    if name == root_doc:
        for caption, pages in TREES.items():
            source[0] += "\n```{toctree}\n:hidden:\n:glob:\n:caption: " + caption + "\n\n" + "\n".join(pages) + "\n```\n"


def setup(app):
    app.connect("source-read", add_trees)
    return {"parallel_read_safe": True}
