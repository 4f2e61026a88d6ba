"""The schema and the sum rules of the files that simos writes: docs/schema/, evaluated here and by `simos check`."""

from __future__ import annotations

import functools
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pandas as pd

from simoslab.errors import CheckError, FileFormatError, damage
from simoslab.results.catalogue import read_schema
from simoslab.results.documents import kind_of, read_document

COLUMNS = ["rule", "place", "total", "parts", "holds"]


@functools.cache
def schema_of(kind: str) -> dict[str, Any]:
    """The JSON schema of a kind of file: "statistics", "profile", "timeline", "sweep", "verdicts", "explanation"."""
    return read_schema(f"{kind}-1.schema.json")


# The shape: what of JSON Schema 2020-12 the schemas use.

_TYPES: dict[str, Any] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}


def _type_of(value: Any) -> str:
    return next(name for name, holds in _TYPES.items() if holds(value))


def shape_violations(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any], place: str = "") -> Iterator[str]:
    """A line for each place of `value` that is not as `schema` says; `root` is the schema that has the $defs."""
    if "$ref" in schema:
        yield from shape_violations(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, place)
        return
    shown = place or "the file"
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(_TYPES[one](value) for one in types):
        yield f"{shown}: {_type_of(value)}, not {' or '.join(types)}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{shown}: {json.dumps(value)} is none of {', '.join(json.dumps(one) for one in schema['enum'])}"
    if "minimum" in schema and _TYPES["number"](value) and value < schema["minimum"]:
        yield f"{shown}: {f'{value} is' if isinstance(value, int) else 'number'} less than {schema['minimum']}"
    if "pattern" in schema and isinstance(value, str) and not re.search(schema["pattern"], value):
        yield f"{shown}: {json.dumps(value)} does not match {schema['pattern']}"
    if isinstance(value, dict):
        yield from _object_violations(value, schema, root, place)
    elif isinstance(value, list):
        least, most = schema.get("minItems", 0), schema.get("maxItems")
        if len(value) < least or (most is not None and len(value) > most):
            yield f"{shown}: {len(value)} elements"
        prefix = schema.get("prefixItems", [])
        for number, one in enumerate(value):
            inner = prefix[number] if number < len(prefix) else schema.get("items")
            if inner is not None:
                yield from shape_violations(one, inner, root, f"{place}[{number}]")


def _object_violations(value: Mapping[str, Any], schema: Mapping[str, Any], root: Mapping[str, Any], place: str) -> Iterator[str]:
    for name in schema.get("required", []):
        if name not in value:
            yield f"{place or 'the file'}: no member {json.dumps(name)}"
    for name, one in value.items():
        inner = schema.get("properties", {}).get(name)
        if inner is None:
            patterns = schema.get("patternProperties", {}).items()
            inner = next((found for pattern, found in patterns if re.search(pattern, name)), schema.get("additionalProperties"))
        if inner is not None:
            yield from shape_violations(one, inner, root, f"{place}.{name}" if place else name)


# The sums: docs/reference/schema.md describes them.


def _matches(pattern: str, name: str) -> bool:
    """Does `name` match `pattern`, in which * stands for any text?"""
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), name, re.DOTALL) is not None


def _members(value: Any, pattern: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        if "*" not in pattern:
            if pattern in value:
                yield pattern, value[pattern]
            return
        for name, member in value.items():
            if _matches(pattern, name):
                yield name, member
    elif isinstance(value, list) and pattern == "*":
        for number, member in enumerate(value):
            yield f"[{number}]", member


def _places(value: Any, path: list[str], place: str = "") -> Iterator[tuple[str, Any]]:
    """Every value that `path` matches, with its dotted name."""
    if not path:
        yield place, value
        return
    for name, member in _members(value, path[0]):
        yield from _places(member, path[1:], place + name if not place or name.startswith("[") else f"{place}.{name}")


def _column(term: Mapping[str, Any], columns: Any, rows: Any) -> Iterator[Any]:
    """The values that a term selects of rows of a table with these columns."""
    if not isinstance(columns, list) or not isinstance(rows, list):
        raise ValueError
    wanted = columns.index(term["column"])
    chosen = [(columns.index(name), value) for name, value in term.get("where", {}).items()]
    others = [(columns.index(name), value) for name, value in term.get("unless", {}).items()]
    for row in rows:
        if all(row[at] == value for at, value in chosen) and not any(row[at] == value for at, value in others):
            yield row[wanted]


def _numbers(term: Any, place: Any, root: Any, columns: Any) -> Iterator[Any]:
    """The values that a term of a sum selects. `columns`: of the table of which `place` is a row."""
    if isinstance(term, dict) and "table" in term:
        for _, table in _places(root, term["table"]):
            yield 0  # a table without such rows has 0 of them
            yield from _column(term, table["columns"], table["rows"])
    elif isinstance(term, dict):
        yield from _column(term, columns, [place])
    else:
        for _, value in _places(place, term):
            if not isinstance(value, (dict, list)):
                yield value


def _sum(terms: Iterable[Any], place: Any, root: Any, columns: Any) -> tuple[int, int]:
    """The sum of the terms, and how many values they select. ValueError for one that is no whole number."""
    total = count = 0
    for term in terms:
        for value in _numbers(term, place, root, columns):
            if not _TYPES["integer"](value):
                raise ValueError
            total += value
            count += 1
    return total, count


def _needed(rule: Mapping[str, Any]) -> set[str]:
    """The columns that the terms of a rule about rows need."""
    terms = [term for terms in ("if", "total", "parts") for term in rule.get(terms, [])]
    return {name for term in terms for name in (term["column"], *term.get("where", {}), *term.get("unless", {}))}


def _places_of(rule: Mapping[str, Any], document: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Where a rule is evaluated: name, value, and if it is the row of a table the columns of that."""
    if "rows" not in rule:
        yield from ((name, place, None) for name, place in _places(document, rule["at"]))
        return
    for name, table in _places(document, rule["rows"]):
        rows, columns = (table.get("rows"), table.get("columns")) if isinstance(table, dict) else (None, None)
        if not isinstance(rows, list) or not isinstance(columns, list) or not _needed(rule) <= {one for one in columns if isinstance(one, str)}:
            yield name, [], None  # which no term can make anything of
            continue
        for number, row in enumerate(rows):
            yield f"{name}.rows[{number}]", row, columns


def evaluate_sums(document: Mapping[str, Any], rules: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """A row for each place where a rule applies: rule, place, total, parts (the sums), holds."""
    for rule in rules:
        for name, place, columns in _places_of(rule, document):
            row: dict[str, Any] = {"rule": rule["name"], "place": name, "total": None, "parts": None, "holds": False}
            try:
                if "if" in rule and _sum(rule["if"], place, document, columns)[0] == 0:
                    continue
                total, totals = _sum(rule.get("total", []), place, document, columns)
                parts, count = _sum(rule.get("parts", []), place, document, columns)
                if ("total" in rule and totals == 0) or ("parts" in rule and count == 0):
                    continue
                row |= {"total": total, "parts": parts}
                if "parts" not in rule:
                    row |= {"alone": True, "holds": total > 0}
                else:
                    row["holds"] = total >= parts if rule.get("relation") == ">=" else total == parts
            except (ValueError, LookupError, TypeError, AttributeError):
                pass  # what should be a whole number is none
            yield row


def check_document(document: Mapping[str, Any], subject: str, *, strict: bool = True) -> pd.DataFrame:
    """Check the content of a JSON file; `subject` names it in messages. Otherwise as `check`."""
    kind = kind_of(document)
    if kind not in ("statistics", "sweep", "profile", "timeline", "verdicts", "explanation"):
        raise FileFormatError(f"{subject}: JSON, but no file that has a schema")
    with damage(f"{subject}: damaged {kind}"):
        rows = _checked(document, kind)
    broken = [line_of(row) for row in rows if not row["holds"]]
    if strict and broken:
        raise CheckError(subject, broken)
    return pd.DataFrame(rows, columns=COLUMNS)


def _checked(document: Mapping[str, Any], kind: str) -> list[dict[str, Any]]:
    """The rows of the frame that `check` returns."""
    schema = schema_of(kind)
    shape = list(shape_violations(document, schema, schema))
    rows = list(evaluate_sums(document, schema["sums"]))
    if kind == "sweep" and not shape:
        for number, job in enumerate(document["jobs"]):
            if job.get("statistics") is not None:
                inner, before = schema_of("statistics"), f"jobs[{number}].statistics"
                shape += shape_violations(job["statistics"], inner, inner, before)
                for row in evaluate_sums(job["statistics"], inner["sums"]):
                    rows.append({**row, "place": f"{before}.{row['place']}" if row["place"] else before})
    rows += [{"rule": "shape", "place": line, "total": None, "parts": None, "holds": False} for line in shape]
    return rows


def line_of(row: Mapping[str, Any]) -> str:
    """A broken rule as one line, as `simos check` prints it."""
    if row["rule"] == "shape":
        return row["place"]
    if row["total"] is None:
        return f"{row['place'] or 'the file'}: {row['rule']}: not a whole number"
    if row.get("alone"):
        return f"{row['place'] or 'the file'}: {row['rule']}: {row['total']}"
    return f"{row['place'] or 'the file'}: {row['rule']}: {row['total']}, but the parts are {row['parts']}"


def check(path: str | os.PathLike[str], *, strict: bool = True) -> pd.DataFrame:
    """Check a JSON file of simos against its schema and the sum rules of docs/schema/, as `simos check` does.

    Returns a row for each sum that was compared: rule, place, total, parts (the sum of the parts), holds; and one for
    each place that has another shape than the schema says. `strict`: raise CheckError if anything does not hold.
    """
    return check_document(read_document(path), os.fspath(path), strict=strict)
