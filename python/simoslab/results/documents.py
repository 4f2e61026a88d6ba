"""The JSON documents that simos writes: read with the care that files from elsewhere need, and what kind each is."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from simoslab.errors import FileFormatError
from simoslab.host_files import read_input

# The values of a JSON file may take so much memory, and so much for each of its bytes, as simos's own.
_NAME_LONGEST = 4096  # of a member of an object
_JSON_BYTES, _JSON_FACTOR, _VALUE_BYTES = 128 << 20, 8, 64

# What may be an escape for a code that is no character of a text: NUL, and halves of pairs.
_BAD_ESCAPE = re.compile(r"\\u(0000|[dD][89a-fA-F])")
_BAD_CHARACTER = re.compile("[\0\ud800-\udfff]")


def _texts_of(value: Any) -> Iterator[str]:
    """Every text in a JSON value, names of members too."""
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, list):
            left += one
        elif isinstance(one, dict):
            left += one
            left += one.values()


def parse_json(text: bytes | str, path: str | os.PathLike[str]) -> dict[str, Any]:
    """The JSON object in `text`, which is UTF-8. FileFormatError for what simos refuses too: no object, a name twice in
    one, a number outside the range of 64 bits or of a double, a code that is no character."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) != len(pairs):
            seen: set[str] = set()
            twice = next(name for name, _ in pairs if name in seen or seen.add(name))
            raise FileFormatError(f'{path}: the name "{twice}" occurs twice in an object')
        if any(len(name) > _NAME_LONGEST for name in members):
            raise FileFormatError(f"{path}: a name of more than {_NAME_LONGEST} characters")
        return members

    def refuse(name: str) -> Any:
        raise FileFormatError(f"{path}: {name} is no JSON number")

    def whole(digits: str) -> int:
        if len(digits) > 20 or not -(2**63) <= int(digits) < 2**63:
            raise FileFormatError(f"{path}: {digits[:30]} is outside the range of 64 bits")
        return int(digits)

    def real(digits: str) -> float:
        if math.isinf(float(digits)):
            raise FileFormatError(f"{path}: {digits[:30]} is outside the range of a double")
        return float(digits)

    try:
        raw = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        if _VALUE_BYTES * sum(map(raw.count, (b",", b"[", b"{"))) > _JSON_BYTES + _JSON_FACTOR * len(raw):
            raise FileFormatError(f"{path}: so many values in {len(raw)} bytes of JSON are not read")
        read = raw.decode("utf-8")  # json.loads() would guess UTF-16 too
        value = json.loads(read, object_pairs_hook=unique, parse_constant=refuse, parse_int=whole, parse_float=real)
        bad = next(filter(_BAD_CHARACTER.search, _texts_of(value)), None) if _BAD_ESCAPE.search(read) else None
        if bad is not None:
            raise FileFormatError(f"{path}: {json.dumps(bad[:30])} has a code that is no character")
    except (ValueError, RecursionError) as error:
        raise FileFormatError(f"{path}: not JSON: {error}") from None
    except MemoryError:
        raise FileFormatError(f"{path}: it needs more memory than there is") from None
    if not isinstance(value, dict):
        raise FileFormatError(f"{path}: not a JSON object")
    return value


def kind_of(document: Mapping[str, Any]) -> str:
    """What a JSON file of simos is: "statistics", "sweep", "profile", "timeline", "verdicts", "explanation"; "" if it
    is none."""
    form = document.get("format")
    if isinstance(form, str) and form.startswith("simos sweep"):
        return "sweep"
    if isinstance(form, str) and form.startswith("simos explanation"):
        return "explanation"
    if form is not None and "tests" in document:
        return "verdicts"
    if "routines" in document and "data" in document:
        return "profile"
    if "traceEvents" in document:
        return "timeline"
    if "machine" in document and "parameters" in document:
        return "statistics"
    return ""


def read_document(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The JSON object in a file, also in a compressed one."""
    return parse_json(read_input(path, "results"), path)
