#!/usr/bin/env python3
"""Prints docs/reference/python.md: every public name of the package with its signature and docstring.

    python/reference.py >docs/reference/python.md        (`make docs`)
    python/reference.py --names     the names alone, for docs/names.sh

The sources are parsed, not imported: this needs Python alone.
"""

import ast
import inspect
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent / "simoslab"
HEAD = """# The Python package

Made by `make docs` from the docstrings of `python/simoslab/`; a test fails when it is out of date. How to use the package is
in [how-to/python.md](../how-to/python.md). Cycles are those of the processors' clock, seconds are simulated, unless a line says
otherwise. All names are those of the module `simoslab`.
"""
Definition = ast.ClassDef | ast.FunctionDef


def public_names() -> list[tuple[str, str]]:
    """The names that the package exports, each with its module ("results/checks"), in the order of the imports."""
    tree = ast.parse((PACKAGE / "__init__.py").read_text("utf-8"))
    found = []
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:
            found += [(alias.asname or alias.name, node.module.partition(".")[2].replace(".", "/")) for alias in node.names]
    return found


def definitions(module: str) -> dict[str, Definition]:
    tree = ast.parse((PACKAGE / f"{module}.py").read_text("utf-8"))
    return {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}


def signature(function: ast.FunctionDef, *, method: bool) -> str:
    """`name(arguments) -> result`, without self."""
    arguments = function.args
    if method and arguments.args and arguments.args[0].arg in ("self", "cls"):
        arguments.args = arguments.args[1:]
    result = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"{function.name}({ast.unparse(arguments)}){result}"


def text_of(node: Definition) -> str:
    """The docstring as paragraphs of a page."""
    return inspect.cleandoc(ast.get_docstring(node) or "").replace("|", "\\|").replace("\\`", "`")


def has_decorator(node: ast.FunctionDef, name: str) -> bool:
    return any(ast.unparse(decorator).split(".")[-1] == name for decorator in node.decorator_list)


def fields(node: ast.ClassDef) -> str:
    """The fields of a dataclass with their types and defaults, as its constructor takes them."""
    shown = []
    for member in node.body:
        if isinstance(member, ast.AnnAssign) and not ast.unparse(member.target).startswith("_"):
            default = ast.unparse(member.value) if member.value else ""
            shown.append(f"{ast.unparse(member.target)}: {ast.unparse(member.annotation)}" + (f" = {default}" if default and "field(" not in default else ""))
    return ", ".join(shown)


def put_class(name: str, node: ast.ClassDef) -> None:
    made = next((m for m in node.body if isinstance(m, ast.FunctionDef) and m.name == "__init__"), None)
    base = f", a kind of {ast.unparse(node.bases[0])}" if node.bases else ""
    print(f"\n### {name}\n")
    if made:
        print(f"`{signature(made, method=True).replace('__init__', name, 1).replace(' -> None', '')}`{base}\n")
    elif any(ast.unparse(d).startswith("dataclass") for d in node.decorator_list):
        print(f"`{name}({fields(node)})`{base}\n")
    elif base:
        print(f"A kind of {ast.unparse(node.bases[0])}.\n")
    print(text_of(node))
    for member in node.body:
        if not isinstance(member, ast.FunctionDef) or not ast.get_docstring(member):
            continue
        if member.name.startswith("_") and member.name not in ("__getitem__", "__iter__"):
            continue
        kind = "property" in " ".join(ast.unparse(d) for d in member.decorator_list)
        shown = f"{member.name}" if kind else signature(member, method=not has_decorator(member, "staticmethod"))
        print(f"\n`{name}.{shown}`\n\n{text_of(member)}")


def arguments_of(function: ast.FunctionDef) -> list[str]:
    taken = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return [argument.arg for argument in taken if argument.arg not in ("self", "cls") and not argument.arg.startswith("_")]


def print_names() -> int:
    """A line for each public name: classes, functions, methods and attributes, and the names of their arguments."""
    for name, module in public_names():
        node = definitions(module)[name]
        print(f"python {name}")
        members = [node] if isinstance(node, ast.FunctionDef) else node.body
        for member in members:
            if isinstance(member, ast.AnnAssign) and not ast.unparse(member.target).startswith("_"):
                print(f"python {name}.{ast.unparse(member.target)}")
            elif isinstance(member, ast.FunctionDef) and (member is node or member.name == "__init__"):
                print("".join(f"python {name}({argument}\n" for argument in arguments_of(member)), end="")
            elif isinstance(member, ast.FunctionDef) and not member.name.startswith("_"):
                print(f"python {name}.{member.name}")
                print("".join(f"python {name}.{member.name}({argument}\n" for argument in arguments_of(member)), end="")
    return 0


def main() -> int:
    if sys.argv[1:] == ["--names"]:
        return print_names()
    print(HEAD, end="")
    section = ""
    parsed: dict[str, dict[str, Definition]] = {}
    for name, module in public_names():
        found = parsed.setdefault(module, definitions(module))
        if name not in found:
            sys.exit(f"{module}.py: no class or function {name}")
        if module != section:
            tree = ast.parse((PACKAGE / f"{module}.py").read_text("utf-8"))
            about = inspect.cleandoc(ast.get_docstring(tree) or "")
            print(f"\n## {module.rpartition('/')[2]}\n\n{about}")
            section = module
        node = found[name]
        if not ast.get_docstring(node):
            sys.exit(f"{module}.py: {name} has no docstring")
        if isinstance(node, ast.ClassDef):
            put_class(name, node)
        else:
            print(f"\n### {name}\n\n`{signature(node, method=False)}`\n\n{text_of(node)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
