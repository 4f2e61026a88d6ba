"""Compares the numbers and texts of a page of `simos report --html` with the files that it is made of.

    page_check.py DOM.html FILE.json...

DOM.html is what a browser has made of the page (chromium --dump-dom). Each number has its expression in data-j, and each
text that is copied its path in data-t (src/results/expression.h). This is a second reading of that language. Prints the
number of compared values; a line for each that differs, and exit status 1.
"""

import functools
import json
import re
import sys
from html.parser import HTMLParser
from urllib.parse import unquote

FILES: list = []  # the statistics
VOID = {"br", "hr", "input", "link", "meta", "img"}


def part_of(value, key):
    """Member `key` of an object, or the element of an array."""
    if isinstance(value, list):
        return value[int(key)] if int(key) < len(value) else None
    return value.get(key) if isinstance(value, dict) else None


INDEXES: dict = {}  # (array, keys) -> the elements by the texts of these keys


def select(elements, conditions):
    """The elements of an array whose members are the texts that `conditions` ("KEY=TEXT") say."""
    pairs = [tuple(map(unquote, condition.split("=", 1))) for condition in conditions]
    keys = tuple(key for key, _ in pairs)
    index = INDEXES.get((id(elements), keys))
    if index is None:
        index = INDEXES[(id(elements), keys)] = {}
        for element in elements:
            index.setdefault(tuple(part_of(element, key) for key in keys), []).append(element)
    return index.get(tuple(text for _, text in pairs), [])


def values_at(value, path):
    """The values that the names of `path` select below `value`."""
    if not path:
        return [value]
    name, rest = path[0], path[1:]
    if "?" in name:
        name, conditions = name.split("?", 1)
        elements = select(part_of(value, unquote(name)) or [], [c for c in conditions.split("&") if c])
        return [v for element in elements for v in values_at(element, rest)]
    if name.endswith("*"):
        prefix = unquote(name[:-1])
        members = value.items() if isinstance(value, dict) else []
        wanted = [m for k, m in members if not prefix or re.fullmatch(re.escape(prefix) + r"\d+", k)]
        return [v for m in wanted for v in values_at(m, rest)]
    member = part_of(value, unquote(name))
    return [] if member is None else values_at(member, rest)


@functools.cache
def sum_of(path):
    """The sum of the numbers at RUN:/PATH, and whether there is any."""
    run, names = path.split(":/", 1)
    numbers = [v for v in values_at(FILES[int(run)], names.split("/")) if type(v) in (int, float)]
    return (sum(numbers), bool(numbers))


def value_of(expression):
    """The value of an expression; None if it is unknown."""
    above, below, factor, known, divided = 0, 0, 1, False, False
    for term in expression.split():
        if term[0] == "*":
            factor *= float(term[1:])
        elif term[0] == "|" and ":" not in term:
            factor /= float(term[1:])
        elif term[0] == "|":
            negative = term[1] == "-"
            number, _ = sum_of(term[1 + negative:])
            below += -number if negative else number
            divided = True
        else:
            negative = term[0] == "-"
            number, any_number = sum_of(term[negative:])
            above += -number if negative else number
            known |= any_number
    if not known or (divided and below == 0):
        return None
    if not divided and factor == 1:
        return above
    return above * factor / (below if divided else 1)


def text_of(text):
    """`text` as a page shows it: what a browser or terminal would obey is U+FFFD."""
    return re.sub("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufffe\uffff]", "\ufffd", text)


class Page(HTMLParser):
    """Collects (expression, shown text) and (path, shown text), and cells of numbers without an expression."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.stack, self.numbers, self.texts, self.bare = [], [], [], []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        base = next((e["base"] for e in reversed(self.stack) if e["base"]), None)
        element = {"tag": tag, "attrs": attrs, "text": "", "base": attrs.get("data-b", base)}
        if tag in VOID:
            return
        self.stack.append(element)

    def handle_endtag(self, tag):
        while self.stack:
            element = self.stack.pop()
            self.end(element)
            if self.stack:
                self.stack[-1]["text"] += element["text"]
            if element["tag"] == tag:
                break

    def end(self, element):
        attrs, text = element["attrs"], element["text"]
        if "data-j" in attrs:
            expression = attrs["data-j"].replace("./", (element["base"] or "") + "/")
            self.numbers.append((expression, text.rsplit(": ", 1)[-1] if element["tag"] in ("rect", "circle") else text))
        elif element["tag"] == "td" and "t" not in attrs.get("class", "").split():
            self.bare.append(text)
        if "data-t" in attrs:
            self.texts.append((attrs["data-t"], text))

    def handle_data(self, data):
        if self.stack:
            self.stack[-1]["text"] += data


def agrees(shown, value):
    """Is `shown` the number `value`, rounded to its places?"""
    shown = shown.replace(",", "").replace("\xa0", "").strip()
    if value is None:
        return shown == "–"
    if shown.endswith("%"):
        shown, value = shown[:-1], 100 * value
    if isinstance(value, int) and re.fullmatch(r"-?\d+", shown):
        return int(shown) == value
    try:
        number = float(shown)
    except ValueError:
        return False
    mantissa, _, exponent = shown.partition("e")
    places = len(mantissa.partition(".")[2])
    return abs(number - value) <= 0.5001 * 10 ** (int(exponent or 0) - places) + 1e-8 * abs(value)


def main():
    page = Page()
    with open(sys.argv[1], encoding="utf-8") as file:
        page.feed(file.read())
    for name in sys.argv[2:]:
        with open(name, encoding="utf-8") as file:
            FILES.append(json.load(file))
    wrong = [f"{e}: {shown}, not {value_of(e)}" for e, shown in page.numbers
             if not agrees(shown, value_of(e))]
    for path, shown in page.texts:
        run, names = path.split(":/", 1)
        values = [v for v in values_at(FILES[int(run)], names.split("/")) if isinstance(v, str)]
        expected = text_of(values[0]) if values else ""
        if shown != expected and not (not values and shown == "–"):
            wrong.append(f"{path}: {shown!r}, not {expected!r}")
    wrong += [f"a number without an expression: {text}" for text in page.bare]
    for line in wrong[:20]:
        print(line)
    print(len(page.numbers), "numbers,", len(page.texts), "texts,", len(wrong), "wrong")
    return 1 if wrong or not page.numbers else 0


if __name__ == "__main__":
    sys.exit(main())
