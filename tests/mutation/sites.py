"""Places in a C source where a fault can be planted, found by scanning its text.

The scanner knows function bodies, brackets and statements, not types: what it proposes may not compile, and plant.py
then takes another place. Operators:

negate      the condition of an if, while, for or ?: negated
compare     < <= > >= shifted by one, == and != exchanged
logic       && and || exchanged
literal     an integer literal N becomes N+1
drop        an assignment, a call whose result is unused, x++ or x-- left out
return      return of another value
sign        + and - exchanged
"""

import re
from dataclasses import dataclass

CALL = "\0"
OPERATORS = ("negate", "compare", "logic", "literal", "drop", "return", "sign")
COMPARE = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
OPEN, CLOSE = "([{", ")]}"
INTEGER_TYPE = re.compile(
    r"\b(int|unsigned|long|short|char|size_t|ssize_t|u?int(8|16|32|64)_t|vaddr|paddr|cycles|nsec|uint|off_t)$"
)


@dataclass(frozen=True)
class Site:
    """One possible fault: TEXT replaces SOURCE[start:end]; CALL in it stands for the call of mutant()."""

    path: str
    line: int
    operator: str
    start: int
    end: int
    text: str
    change: str


def blank(source: str) -> str:
    """SOURCE with comments, literals of text and preprocessor lines as spaces: the same length and lines."""
    pattern = re.compile(
        r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:\\\n|/\*.*?\*/|[^\n])*",
        re.DOTALL | re.MULTILINE,
    )

    def spaces(match: re.Match) -> str:
        text = match.group()
        fill = "@" if text[0] in "\"'" else " "  # a literal is an operand
        return re.sub(r"[^\n]", fill, text)

    return pattern.sub(spaces, source)


def pairs(text: str) -> dict[int, int]:
    """The position of the closing bracket of each opening one."""
    stack, found = [], {}
    for position, letter in enumerate(text):
        if letter in OPEN:
            stack.append(position)
        elif letter in CLOSE and stack:
            found[stack.pop()] = position
    return found


def bodies(text: str, closing: dict[int, int]) -> list[tuple[int, int, str]]:
    """Function bodies: (position behind the brace, position of the closing one, type of the result)."""
    found, position, head = [], 0, 0
    while position < len(text):
        letter = text[position]
        if letter in OPEN and position in closing:
            if letter == "{":
                before = text[head:position].strip()
                if before.endswith(")") and "=" not in before:
                    name = re.match(r"(.*?)\b\w+\s*\(", before, re.DOTALL)
                    kind = re.sub(r"\b(static|inline|extern|const|__attribute__|_Noreturn)\b", " ", name.group(1) if name else "")
                    found.append((position + 1, closing[position], " ".join(kind.split())))
                    head = closing[position] + 1
            position = closing[position]
        elif letter == ";":
            head = position + 1
        position += 1
    return found


def split(text: str, start: int, end: int, closing: dict[int, int], tokens: str) -> list[tuple[int, int]]:
    """Where TOKENS, a pattern, occur in text[start:end] outside brackets: (position, end of the token)."""
    found, position = [], start
    pattern = re.compile(tokens)
    while position < end:
        if text[position] in OPEN and position in closing:
            position = closing[position] + 1
            continue
        match = pattern.match(text, position, end)
        if match:
            found.append(match.span())
            position = match.end()
        else:
            position += 1
    return found


class Scanner:
    """Finds the sites of one source."""

    def __init__(self, path: str, source: str) -> None:
        self.path, self.source, self.text = path, source, blank(source)
        self.closing = pairs(self.text)
        self.sites: list[Site] = []

    def add(self, operator: str, start: int, end: int, text: str, change: str) -> None:
        line = self.source.count("\n", 0, start) + 1
        self.sites.append(Site(self.path, line, operator, start, end, text, " ".join(change.split())))

    def words(self, start: int, end: int) -> str:
        return self.source[start:end].strip()

    def trimmed(self, start: int, end: int) -> tuple[int, int]:
        while start < end and self.text[start].isspace():
            start += 1
        while end > start and self.text[end - 1].isspace():
            end -= 1
        return start, end

    def negate(self, start: int, end: int) -> None:
        start, end = self.trimmed(start, end)
        if start < end:
            words = self.words(start, end)
            self.add("negate", start, end, f"({CALL} == !({words}))", f"{words}  ->  !({words})")

    def condition(self, start: int, end: int) -> None:
        """Operators in an expression that is a condition, or in brackets of it."""
        start, end = self.trimmed(start, end)
        if start >= end or split(self.text, start, end, self.closing, r"[?:,;]|(?<![=!<>])=(?!=)|[-+*/|&^%]=|<<=|>>="):
            return
        logic = split(self.text, start, end, self.closing, r"&&|\|\|")
        ors = [span for span in logic if self.text[span[0]] == "|"]
        for at, behind in ors or logic:
            a, b = self.words(start, at), self.words(behind, end)
            old, new = ("||", "&&") if ors else ("&&", "||")
            self.add("logic", start, end, f"({CALL} ? ({a}) {new} ({b}) : ({a}) {old} ({b}))", f"{a} {old} {b}  ->  {new}")
        if logic:
            edges = [start, *(place for span in logic for place in span), end]
            for index in range(0, len(edges), 2):
                self.condition(edges[index], edges[index + 1])
            return
        found = split(self.text, start, end, self.closing, r"(?<=\s)(==|!=|<=|>=|<|>)(?=\s)")
        if len(found) == 1:
            at, behind = found[0]
            a, b, old = self.words(start, at), self.words(behind, end), self.text[at:behind]
            new = COMPARE[old]
            self.add("compare", start, end, f"({CALL} ? ({a}) {new} ({b}) : ({a}) {old} ({b}))", f"{a} {old} {b}  ->  {new}")
        inner = start + 1 if self.text[start] == "!" else start
        if self.text[inner] == "(" and self.closing.get(inner) == end - 1:
            self.condition(inner + 1, end - 1)

    def value(self, start: int, end: int) -> None:
        """The expression behind = or return: the condition of a ?:, or a condition itself."""
        question = split(self.text, start, end, self.closing, r"\?")
        if question and not split(self.text, start, end, self.closing, ","):
            self.negate(start, question[0][0])
            self.condition(start, question[0][0])
        elif not question:
            self.condition(start, end)

    def returned(self, start: int, end: int, kind: str) -> None:
        start, end = self.trimmed(start, end)
        if start >= end:
            return
        words = self.words(start, end)
        if kind == "bool":
            other = {"true": "false", "false": "true"}.get(words, f"!({words})")
        elif kind.endswith("*"):
            other = "0"
            if words in ("NULL", "0"):
                return
        elif INTEGER_TYPE.search(kind):
            other = f"({words}) + 1"
        else:
            return
        self.add("return", start, end, f"{CALL} ? {other} : ({words})", f"return {words}  ->  {other}")
        self.value(start, end)

    def statement(self, start: int, end: int, kind: str) -> None:
        """The statement text[start:end], its semicolon at END."""
        start, end = self.trimmed(start, end)
        text = self.text[start:end]
        word = re.match(r"\w*", text).group()
        if word == "return":
            self.returned(start + 6, end, kind)
            return
        if not text or word in ("break", "continue", "goto", "case", "default", "typedef", "static", "else", "do", "while"):
            return
        equals = split(self.text, start, end, self.closing, r"(?<=\s)([-+*/|&^%]|<<|>>)?=(?=\s)")
        if equals:
            self.value(equals[-1][1], end)
        left = self.text[start : equals[0][0]].strip() if equals else text
        lvalue = r"(\*+\s*)?(\w+|\([^;]*\))((\.|->)\w+|\[[^;]*\]|\([^;]*\))*"
        drops = (
            re.fullmatch(lvalue, left, re.DOTALL)
            if equals
            else re.fullmatch(rf"{lvalue}(\+\+|--)|(\+\+|--){lvalue}|\w+((\.|->)\w+)*\(.*\)", text, re.DOTALL)
        )
        if drops:
            words = self.words(start, end)
            self.add("drop", start, end + 1, f"{{ if (!{CALL}) {{ {words}; }} }}", f"{words};  ->  ;")

    def body(self, start: int, end: int, kind: str) -> None:
        text = self.text
        for match in re.finditer(r"\b(if|while|for|switch)\s*\(", text[start:end]):
            at = start + match.end() - 1
            last = self.closing[at]
            if match.group(1) in ("if", "while"):
                self.negate(at + 1, last)
                self.condition(at + 1, last)
            elif match.group(1) == "for":
                parts = split(text, at + 1, last, self.closing, ";")
                if len(parts) == 2:
                    self.negate(parts[0][1], parts[1][0])
                    self.condition(parts[0][1], parts[1][0])
        self.statements(start, end, kind)
        for match in re.finditer(r"(?<![\w.])(0[xX][0-9a-fA-F]+|[0-9]+)([uUlL]*)(?![\w.])", text[start:end]):
            at, last = start + match.start(), start + match.end()
            before = text[max(0, text.rfind("\n", 0, at)) : at]
            if re.search(r"\bcase\b|\bstatic\b|_assert\b|\benum\b", before):
                continue
            words = match.group()
            self.add("literal", at, last, f"({CALL} ? {words} + 1 : {words})", f"{words}  ->  {words} + 1")
        for match in re.finditer(r"(?<=[\w)\]]) ([-+]) (?=[\w(!~*&-])", text[start:end]):
            at, old = start + match.start(1), match.group(1)
            line = self.source[self.source.rfind("\n", 0, at) + 1 : self.source.find("\n", at)]
            self.add("sign", at, at + 1, f"{old} ({CALL} ? -1 : 1) *", f"{line}  ->  {'-' if old == '+' else '+'}")

    def statements(self, start: int, end: int, kind: str) -> None:
        """Walks the statements of a block, whatever is in round brackets skipped."""
        text, begin, position = self.text, start, start
        while position < end:
            letter = text[position]
            if letter in "([" and position in self.closing:
                after = self.closing[position] + 1
                word = re.search(r"\b(if|while|for|switch)\s*$", text[begin:position])
                if word and not text[begin : begin + word.start()].strip(" \n}") or word and "else" in text[begin:position]:
                    begin = after
                position = after
                continue
            if letter == "{":
                if re.search(r"[=,(]\s*$|\)\s*$", text[begin:position]) and text[begin:position].strip():
                    position = self.closing[position] + 1  # an initializer
                    continue
                begin = position + 1
            elif letter == "}":
                begin = position + 1
            elif letter == ";":
                self.statement(begin, position, kind)
                begin = position + 1
            elif letter == ":" and re.fullmatch(r"\s*(case\b[^;{}?]*|default|\w+)\s*", text[begin:position]):
                begin = position + 1
            elif text.startswith("else", position) and re.match(r"\belse\b", text[position - 1 : position + 5].strip() or " "):
                if not text[begin:position].strip():
                    begin = position + 4
                    position += 3
            position += 1


def scan(path: str, source: str) -> list[Site]:
    """All sites of a file, in the order of its lines."""
    scanner = Scanner(path, source)
    for start, end, kind in bodies(scanner.text, scanner.closing):
        scanner.body(start, end, kind)
    return sorted(set(scanner.sites), key=lambda site: (site.start, site.end, site.operator, site.text))
