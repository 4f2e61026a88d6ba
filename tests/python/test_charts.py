"""Figures (src/chart/): those of `simos report --svg`, of `sweep --over` and of the page are well-formed, show the numbers of the
files at their axes, have the colours of the catalogue, and their texts are readable at 700 and 1300 pixels, in light and dark.
Names from the files are text."""

from __future__ import annotations

import csv
import html
import itertools
import json
import math
import os
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any, NamedTuple

import fixtures
from bare_program import bare_program

ROOT = Path(__file__).resolve().parents[2]
SIMOS = Path(os.environ["SIMOS"])
SVG = "{http://www.w3.org/2000/svg}"
ELEMENTS = {"svg", "style", "rect", "text", "title", "g", "line", "path", "circle"}
HOSTILE = "</text></svg><script>f()</script> \"'&\u202e\u0007 100%s"
SHOWN = "</text></svg><script>f()</script> \"'&?? 100%s"
LONG = "a-machine-whose-name-is-longer-than-any-room-that-a-chart-could-have-for-it-and-goes-on"


class Part(NamedTuple):
    """A part of a bar, or a point: what it is called, its number, its colour and where it stands."""

    bar: str
    part: str
    value: float
    colour: str
    x: float
    y: float
    width: float
    height: float


class Chart:
    """A drawing, read again."""

    def __init__(self, file: Path) -> None:
        self.root = ElementTree.parse(file).getroot()
        self.width, self.height = (float(number) for number in self.root.get("viewBox", "").split()[2:])
        self.parts = [self.part(mark) for mark in self.root.iter() if mark.tag in (f"{SVG}rect", f"{SVG}circle") and len(mark)]

    @staticmethod
    def part(mark: ElementTree.Element) -> Part:
        name, _, number = (mark[0].text or "").rpartition(": ")
        bar, _, part = name.rpartition(", ")
        at = [float(mark.get(a) or mark.get(b) or 0) for a, b in (("x", "cx"), ("y", "cy"), ("width", ""), ("height", ""))]
        return Part(bar, part, float(number), mark.get("fill", ""), *at)

    def texts(self, kind: str | None) -> list[str]:
        """The texts of a class."""
        return [text.text or "" for text in self.root.iter(f"{SVG}text") if text.get("class") == kind]

    def axis(self, across: bool) -> list[tuple[float, float]]:
        """The numbers of the axis of values, and where they are: x if it lies, otherwise y."""
        rules = [line for line in self.root.iter(f"{SVG}line") if line.get("x1" if across else "y1") == line.get("x2" if across else "y2")]
        numbers = [float(text) for text in self.texts(None) if re.fullmatch(r"-?[0-9.]+(e[-+][0-9]+)?", text)]
        return list(zip(numbers, (float(rule.get("x1" if across else "y1", 0)) for rule in rules), strict=False))

    def value(self, bar: str, part: str) -> float:
        """The number of a part; 0 if it is not drawn."""
        return sum(one.value for one in self.parts if (one.bar, one.part) == (bar, part))

    def key(self) -> dict[str, str]:
        """The colours of the key by their labels."""
        squares = [rect.get("fill", "") for rect in self.root.iter(f"{SVG}rect") if rect.get("rx")]
        return dict(zip(self.texts("label"), squares, strict=False))


def simos(*words: object) -> str:
    """What a command prints."""
    return subprocess.run([SIMOS, *map(str, words)], check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout


def total(statistics: dict[str, Any], path: str, modes: tuple[str, ...] = ("user", "kernel")) -> float:
    """The sum of a row of the accounts, over modes and processors."""
    found = 0.0
    for name, cpu in statistics.items():
        if re.fullmatch("cpu[0-9]+", name):
            for mode in modes:
                value = cpu["mode"][mode]
                for step in path.split("."):
                    value = value.get(step, 0) if isinstance(value, dict) else 0
                found += value
    return found


class Charts(unittest.TestCase):
    folder: Path
    statistics: dict[str, dict[str, Any]]

    @classmethod
    def setUpClass(cls) -> None:
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = Path(scratch.name)
        cls.statistics = {name: json.loads((fixtures.CURRENT / f"{name}.json").read_text("utf-8")) for name in ("statistics", "everything", "two")}
        ooo = json.loads((fixtures.CURRENT / "everything.json").read_text("utf-8"))
        ooo["machine"]["model"] = "mipsy"  # in order, beside "everything" of mxs
        ooo["cpu0"]["mode"]["kernel"]["stall"]["l1i"] += 5000
        ooo["cpu0"]["mode"]["kernel"]["cycles"] += 5000
        cls.statistics["in-order"] = ooo
        for name, statistics in cls.statistics.items():
            (cls.folder / f"{name}.json").write_text(json.dumps(statistics), "utf-8")
        cls.files = [cls.folder / f"{name}.json" for name in cls.statistics]
        simos("report", "--svg", cls.folder, *cls.files)
        simos("report", "--html", cls.folder / "page.html", *cls.files[:3])
        # as many as do not stand side by side, with long names
        (cls.folder / "many").mkdir()
        many = [cls.folder / f"many/{LONG}-{number}.json" for number in range(9)] + [cls.folder / f"many/{number}.json" for number in range(20)]
        for file in many:
            file.write_text((fixtures.CURRENT / "statistics.json").read_text("utf-8"), "utf-8")
        simos("report", "--svg", cls.folder / "many", *many)
        # a name that HTML, XML, printf or a terminal would obey
        named = {"format": "simos sweep 1", "jobs": [
            {"name": HOSTILE, "options": {}, "state": "finished", "status": 0, "statistics": cls.statistics["statistics"]}]}
        (cls.folder / "named").mkdir()
        (cls.folder / "named.json").write_text(json.dumps(named), "utf-8")
        simos("report", "--svg", cls.folder / "named", cls.folder / "named.json")
        # sweeps: sizes, several parameters, more than stand side by side, and of two processors
        (cls.folder / "program").write_bytes(bare_program([b"f%d" % i for i in range(300)], 120))
        run = ["run", "--kernel", cls.folder / "program", "--initrd", "none", "--table", "none"]
        simos(*run, "--trace", cls.folder / "trace")
        over = ["cache.l1d.size=1K..64K cache.l2.inclusive=off", "cache.l1i.size=1K|2K|32K cache.l1i.ways=1|2", "cache.l1d.size=1K..64K cache.l1d.ways=1..32"]
        simos("sweep", *(word for one in over for word in ("--over", one)), "--out", cls.folder / "sweep", cls.folder / "trace")

    def chart(self, name: str) -> Chart:
        return Chart(self.folder / f"{name}.svg")

    def colours(self) -> dict[str, str]:
        """Those of the catalogue, by name."""
        catalogue = json.loads(simos("measures"))
        return {row["name"]: row["colour"] for row in catalogue["causes"]}

    def check_scale(self, chart: Chart, across: bool) -> None:
        """Every part is as long as its number says by the ticks of the axis, and begins where the one before it ends."""
        ticks = chart.axis(across)
        self.assertGreater(len(ticks), 2)
        (least, begin), (most, end) = ticks[0], ticks[-1]
        self.assertEqual(least, 0)
        unit = (end - begin) / most
        foot: dict[tuple[str, float], float] = {}
        for part in chart.parts:
            bar = (part.bar, part.y if across else part.x)
            from_ = foot.get(bar, begin)
            length = part.width if across else -part.height
            self.assertAlmostEqual(length, part.value * unit, delta=0.11, msg=f"{part}")
            self.assertAlmostEqual(part.x if across else part.y + part.height, from_, delta=0.11, msg=f"{part}")
            foot[bar] = from_ + length

    def test_execution(self) -> None:
        """report.svg: the seconds of every part of the accounts."""
        chart = self.chart("report")
        self.assertIn("Where the time goes", chart.texts("title"))
        self.assertEqual(chart.texts("unit"), ["simulated seconds of all CPUs"])
        colours = self.colours()
        for name, statistics in self.statistics.items():
            hz = float(statistics["parameters"]["cpu"]["clock"].removesuffix("MHz")) * 1e6
            busy = total(statistics, "cycles")
            self.assertAlmostEqual(chart.value(name, "execution"), total(statistics, "execute") / hz, delta=1e-12)
            for stall, label in (("l1i", "stall L1-I miss"), ("l2d", "stall L2-D miss"), ("uncached", "stall uncached")):
                self.assertAlmostEqual(chart.value(name, label), total(statistics, f"stall.{stall}") / hz, delta=1e-12)
            self.assertAlmostEqual(chart.value(name, "idle"), total(statistics, "cycles", ("idle",)) / hz, delta=1e-12)
            whole = sum(part.value for part in chart.parts if part.bar == name)
            self.assertAlmostEqual(whole, (busy + total(statistics, "cycles", ("idle",))) / hz, delta=1e-9)
            self.assertIn(f"{whole:.3g}", chart.texts("total"))
        self.assertEqual(chart.key()["stall L1-I miss"], colours["l1i"])
        self.assertEqual(chart.key()["execution"], colours["execute"])
        for part in chart.parts:
            self.assertEqual(part.colour, chart.key()[part.part])
        self.check_scale(chart, across=False)

    def test_memory_stall(self) -> None:
        """mcpi.svg and execution-time.svg, and the stall that out-of-order execution hides."""
        chart = self.chart("mcpi")
        self.assertEqual(chart.texts("unit"), ["memory stall cycles per instruction"])
        self.assertEqual(chart.texts("group"), list(self.statistics))
        for name, statistics in self.statistics.items():
            for letter, mode in (("K", "kernel"), ("U", "user")):
                for label, stall in (("L1-I", "l1i"), ("L2-D", "l2d"), ("write buffer", "write_buffer")):
                    mcpi = total(statistics, f"stall.{stall}", (mode,)) / total(statistics, "insns", (mode,))
                    self.assertAlmostEqual(chart.value(f"{name}, {letter}", label), mcpi, delta=1e-8)
        self.check_scale(chart, across=False)
        hidden = self.chart("hidden")
        both = [self.statistics[name] for name in ("everything", "in-order")]
        ooo, in_order = (total(one, "stall.l1i", ("kernel",)) / total(one, "insns", ("kernel",)) for one in both)
        self.assertAlmostEqual(hidden.value("everything, L1-I", "observed"), ooo, delta=1e-8)
        self.assertAlmostEqual(hidden.value("everything, L1-I", "hidden"), in_order - ooo, delta=1e-8)
        self.check_scale(hidden, across=False)
        time = self.chart("execution-time")
        self.assertAlmostEqual(sum(part.value for part in time.parts if part.bar == "statistics"), 1, delta=1e-8)
        self.check_scale(time, across=False)

    def test_over_time(self) -> None:
        """over-time-NAME.svg: the areas end where the shares of the intervals say."""
        chart = self.chart("over-time-statistics")
        units = chart.texts("unit")
        self.assertEqual([units[0], units[-1]], ["% of the time of all CPUs", "simulated seconds; instructions executed since power-on"])
        rows = self.statistics["statistics"]["over_time"]["rows"]
        before = self.statistics["statistics"]["window"]["start"]
        executed = list(itertools.accumulate((sum(row[mode]["insns"] for mode in ("user", "kernel", "idle")) for row in rows), initial=before))
        self.assertTrue({int(text) for text in units[1:-1]} < set(executed))
        self.assertGreater(len(units), 3)
        areas = {path[0].text: path.get("d", "") for path in chart.root.iter(f"{SVG}path")}
        ticks = dict(chart.axis(across=False)[:6])
        height = ticks[0] - ticks[100]
        points = [float(number) for number in re.findall(r"[0-9.]+", areas["user, stalled"])]
        for number, row in enumerate(rows):
            whole = sum(row[mode]["cycles"] for mode in ("user", "kernel", "idle"))
            share = row["user"]["cycles"] / whole if whole else 0
            for at in (4 * number + 1, 4 * number + 3):
                self.assertAlmostEqual(points[at], ticks[0] - height * share, delta=0.11)

    def test_many_bars_lie(self) -> None:
        """Bars that do not stand side by side lie one below the other, in the same width, and their names are broken or cut."""
        for name in ("report", "mcpi"):
            chart = Chart(self.folder / f"many/{name}.svg")
            self.assertEqual(chart.width, 720)
            self.assertGreater(chart.height, 29 * 20)
            self.check_scale(chart, across=True)
        self.assertEqual(self.chart("report").width, 720)
        chart = Chart(self.folder / "many/report.svg")
        cut = [text for text in chart.texts("label") if text.endswith("…")]
        self.assertEqual(len(cut), 9)

    def test_sweeps(self) -> None:
        """PREFIX-NAME.svg has the numbers of the table, PREFIX-NAME-curve.svg their sums."""
        table = (self.folder / "sweep.txt").read_text("utf-8")
        rows = re.findall(r"^(\S+) +(l1[id]) +\S+ +\d+ +\d+((?: +[0-9.]+){8})$", table, re.MULTILINE)
        bars = [self.chart(f"sweep-series-{number}") for number in (1, 2, 3)]
        names = ["KERN-self", "KERN-other", "KERN-cold", "USER-self", "USER-other", "USER-cold", "invalidated"]
        drawn = {(part.bar, part.part, i): part.value for i, chart in enumerate(bars) for part in chart.parts}
        counts = [7, 6, 42]
        compared = 0
        for number, chart in enumerate(bars):
            start = sum(count * len(set(chart.texts("group"))) for count, chart in zip(counts[:number], bars, strict=False))
            for label, cache, values in rows[start : start + counts[number] * len(set(chart.texts("group")))]:
                for name, value in zip(names, values.split(), strict=False):
                    self.assertAlmostEqual(drawn.get((f"{cache}, {label}", name, number), 0), float(value), delta=5.1e-5)
                    compared += float(value) > 0
            self.assertEqual(chart.texts("unit"), ["misses per 100 instructions"])
            self.assertEqual(chart.texts("title"), [f"Misses by cause: series-{number + 1}"])
        self.assertGreater(compared, 50)
        self.check_scale(bars[0], across=False)
        self.check_scale(bars[2], across=True)
        self.assertEqual(bars[0].width, bars[2].width)

    def test_curves(self) -> None:
        """Sizes that double are equally far apart, and values over more than a decade stand by their logarithm."""
        chart = self.chart("sweep-series-1-curve")
        self.assertEqual(chart.texts("unit"), ["misses per 100 instructions", "cache.l1d.size"])
        table = (self.folder / "sweep.txt").read_text("utf-8")
        totals = {(cache, label): float(sum_) for label, cache, sum_ in re.findall(r"^(\S+) +(l1[id]) .* ([0-9.]+)$", table, re.MULTILINE)}
        points = [part for part in chart.parts if part.bar == "l1d"]
        self.assertEqual([part.part for part in points], ["1K", "2K", "4K", "8K", "16K", "32K", "64K"])
        steps = [b.x - a.x for a, b in zip(points, points[1:], strict=False)]
        self.assertLess(max(steps) - min(steps), 0.21)
        for part in points:
            self.assertAlmostEqual(part.value, totals["l1d", part.part], delta=5.1e-5)
        logarithmic = min(part.value for part in points) > 0 and max(part.value for part in points) >= 10 * min(part.value for part in points)
        self.assertTrue(logarithmic, points)
        ticks = [(value, at) for value, at in chart.axis(across=False) if value]
        (a, at_a), (b, at_b) = ticks[0], ticks[-1]
        for part in points:
            share = (math.log(part.value) - math.log(a)) / (math.log(b) - math.log(a))
            self.assertAlmostEqual(part.y, at_a + share * (at_b - at_a), delta=0.3)
        self.assertFalse((self.folder / "sweep-series-3-curve.svg").exists())  # two parameters are no axis

    def describe(self, **members: Any) -> Path:
        """The file of a chart."""
        file = self.folder / "described.json"
        file.write_text(json.dumps({"format": "simos chart 1", "title": "Own", **members}), "utf-8")
        return file

    def test_charts_that_a_file_describes(self) -> None:
        """`simos chart`: bars and curves of numbers that come from elsewhere."""
        colours = self.colours()
        parts = [{"label": "a", "colour": "l1i"}, {"label": HOSTILE, "colour": "#123abc"}, {"label": "c"}]
        rows = [{"group": "g", "label": "one", "values": [1, 2.5, None]}, {"group": "g", "label": "two", "values": [0, 4, 0.25]},
                {"group": HOSTILE, "label": "three", "values": [3, 3, 3]}]
        drawn = self.folder / "described.svg"
        drawn.write_text(simos("chart", self.describe(axis="parts & units", parts=parts, bars=rows)), "utf-8")
        chart = Chart(drawn)
        self.assertEqual((chart.texts("title"), chart.texts("unit")), (["Own"], ["parts & units"]))
        text = HOSTILE.replace("\u202e\u0007", "\ufffd\ufffd")
        self.assertEqual([chart.value("g, one", "a"), chart.value("g, two", "c"), chart.value("g, one", text)], [1, 0.25, 2.5])
        self.assertEqual([chart.key()["a"], chart.key()[text]], [colours["l1i"], "#123abc"])
        self.assertEqual(chart.texts("group"), ["g", text])
        self.assertEqual(chart.texts("total"), ["3.5", "4.25", "9"])
        self.check_scale(chart, across=True)  # the name of a group is too long
        lines = [{"label": "l", "values": [10, None, 1000]}, {"label": "m", "values": [1, 0, 1]}]
        curve = self.describe(x_axis="x", y_axis="y", points=["1", "10", "1000"], lines=lines, x_logarithmic=True, y_logarithmic=True)
        drawn.write_text(simos("chart", curve), "utf-8")
        points = {(part.bar, part.part): part for part in Chart(drawn).parts}
        self.assertEqual(set(points), {("l", "1"), ("l", "1000"), ("m", "1"), ("m", "1000")})  # null and, by its logarithm, 0 are none
        drawn.write_text(simos("chart", self.describe(x_axis="x", y_axis="y", points=["1", "2", "5"], lines=[{"label": "l", "values": [1, 2, 5]}])), "utf-8")
        one, two, five = Chart(drawn).parts
        self.assertAlmostEqual((five.x - two.x) / (two.x - one.x), 3, delta=0.01)
        self.assertAlmostEqual((five.y - two.y) / (two.y - one.y), 3, delta=0.02)

    def test_charts_that_are_refused(self) -> None:
        """What a file may not say, in one line that names the member; nothing is printed."""
        part, bar, line = {"label": "a"}, {"label": "b", "values": [1]}, {"label": "l", "values": [1]}
        bars, curves = {"axis": "", "parts": [part], "bars": [bar]}, {"x_axis": "", "y_axis": "", "points": ["1"], "lines": [line]}
        cases: list[tuple[dict[str, Any], str]] = [
            ({**bars, "format": "simos chart 2"}, 'format: is not "simos chart 1"'),
            ({**bars, "title": None}, "title: is no text"),
            ({**bars, "axis": 3}, "axis: is no text"),
            ({**bars, "parts": []}, "parts: is no list of 1 to 64 elements"),
            ({**bars, "parts": [part] * 65}, "parts: is no list of 1 to 64 elements"),
            ({**bars, "bars": [bar] * 4097}, "bars: is no list of 1 to 4096 elements"),
            ({**bars, "parts": [{"label": "a", "colour": "#12345g"}]}, "colour: is neither #rrggbb nor a word"),
            ({**bars, "parts": [{"label": "a", "colour": 7}]}, "colour: is no text"),
            ({**bars, "bars": [{"label": "b", "values": [1, 2]}]}, "values: is no list with a number for each part or point"),
            ({**bars, "bars": [{"label": "b", "values": ["1"]}]}, "values: has what is neither a number nor null"),
            ({**bars, "bars": [{"label": "b", "values": [-1e101]}]}, "values: has a number above 1e100"),
            ({**bars, "bars": [{"values": [1]}]}, "label: is no text"),
            ({**bars, "bars": [{"group": 1, **bar}]}, "group: is no text"),
            ({**curves, "points": [1]}, "points: has what is no text"),
            ({**curves, "lines": [{"label": "l", "values": []}]}, "values: is no list with a number for each part or point"),
            ({**curves, "lines": {}}, "lines: is no list of 1 to 64 elements"),
            ({"x_axis": ""}, "points: is no list of 1 to 4096 elements"),
        ]  # fmt: skip
        for members, said in cases:
            with self.subTest(said):
                file = self.describe(**members)
                done = subprocess.run([SIMOS, "chart", file], capture_output=True, text=True, stdin=subprocess.DEVNULL)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (125, "", f"simos: chart {file}: {said}\n"))

    def test_names_are_text(self) -> None:
        """Every figure is XML without other elements, and a hostile name is in it as it is."""
        figures = sorted(self.folder.rglob("*.svg"))
        self.assertGreater(len(figures), 20)
        for figure in figures:
            with self.subTest(figure.name):
                chart = Chart(figure)
                self.assertEqual({element.tag.removeprefix(SVG) for element in chart.root.iter()} - ELEMENTS, set())
                self.assertNotRegex(figure.read_text("utf-8"), "[\x01-\x09\x0b-\x1f\x7f\u202e]")
                self.assertEqual([a for element in chart.root.iter() for a in element.attrib if a.startswith("on") or "href" in a], [])
        named = Chart(self.folder / "named/report.svg")
        self.assertIn(SHOWN, {part.bar for part in named.parts})
        self.assertEqual("".join(named.texts("label")[-3:]).replace(" ", "")[-20:], SHOWN.replace(" ", "")[-20:])

    def browse(self, page: Path, width: int, dark: bool) -> dict[str, Any]:
        """What is wrong with the texts of a page's charts."""
        scheme = ["--blink-settings=preferredColorScheme=0"] if dark else []
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={self.folder}/profile", *scheme]
        command = [ROOT / "tests/limit.sh", "60", "chromium", *options, f"--window-size={width},2000", "--dump-dom", f"file://{page}"]
        done = subprocess.run(command, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL)
        found = re.search('<pre id="wrong">(.*?)</pre>', done.stdout, re.DOTALL)
        self.assertIsNotNone(found, done.stderr[-2000:])
        result: dict[str, Any] = json.loads(html.unescape(found[1])) if found else {}
        return result

    def test_texts_are_readable(self) -> None:
        """In a browser, with its fonts: no text is cut off, on another, too small or pale."""
        script = f"<script>{(ROOT / 'tests/python/charts_layout.js').read_text('utf-8')}</script>"
        # Files as a page shows them as wide as it is; a script would not see into pictures.
        figures = [re.sub("^<[?].*[?]>", "", file.read_text("utf-8")) for file in sorted(self.folder.rglob("*.svg"))]
        files = re.sub(r'(<svg [^>]*?) width="\d+" height="\d+"', r'\1 width="100%"', "".join(figures))
        (self.folder / "files.html").write_text(f"<!DOCTYPE html><meta charset=utf-8><body style='margin: 0'>{files}{script}</body>", "utf-8")
        page = (self.folder / "page.html").read_text("utf-8").replace('<meta http-equiv="Content-Security-Policy"', "<meta name=no")
        (self.folder / "tried.html").write_text(page.replace("</body>", f"{script}</body>"), "utf-8")
        for name, texts in (("files", 500), ("tried", 100)):
            for width, dark in ((700, False), (1300, False), (700, True)):
                with self.subTest(name, width=width, dark=dark):
                    found = self.browse(self.folder / f"{name}.html", width, dark)
                    self.assertGreater(found["texts"], texts)
                    self.assertEqual(found["wrong"], [])
