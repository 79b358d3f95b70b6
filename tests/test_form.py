"""How the source reads, as far as a machine can hold it: one thing a line, and fields by their names."""

from __future__ import annotations

import ast
import dataclasses
import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"
MODULES = {
    ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted((SOURCE / "thorp").rglob("*.py"))
}
SOURCES_OF_THE_PAGE = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("src", "test")
    for path in (ROOT / "web" / folder).rglob("*")
    if path.is_file()
)
MOST_BY_POSITION = 4
"""Fields of a struct that a reader can keep apart by their positions."""
MOST_ARGUMENTS = 6
LONGEST_LINE_OF_THE_PAGE = 120
"""Biome wraps code at this width, but leaves comments, shaders and long strings as they are."""


def is_parallel(node: ast.AST) -> bool:
    """`a, b = x, y`; not a swap, and not one value that is unpacked."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Tuple):
        return False
    (target, *_) = node.targets
    if not isinstance(target, ast.Tuple):
        return False
    targets = {ast.dump(each).replace("Store", "Load") for each in target.elts}
    return not targets & {ast.dump(each) for each in node.value.elts}


@pytest.mark.parametrize("module", MODULES)
def test_a_line_assigns_one_thing(module: str) -> None:
    tree = ast.parse(MODULES[module].read_text("utf-8"))
    lines = [node.lineno for node in ast.walk(tree) if is_parallel(node)]  # type: ignore[attr-defined]
    assert not lines, f"{module}: write one assignment a line, in lines {lines}"


def fields_of(made: object) -> tuple[str, ...]:
    """The fields of a struct, a dataclass or a named tuple; empty for anything else."""
    if not isinstance(made, type) or made.__module__.partition(".")[0] != "thorp":
        return ()
    if issubclass(made, msgspec.Struct):
        return made.__struct_fields__
    if dataclasses.is_dataclass(made):
        return tuple(field.name for field in dataclasses.fields(made) if field.init)
    return getattr(made, "_fields", ()) if issubclass(made, tuple) else ()


def calls_of_cls(loaded: ModuleType, tree: ast.AST) -> dict[ast.Call, Any]:
    """Every `cls(…)`, with the class in whose body it stands."""
    return {
        node: getattr(loaded, around.name, None)
        for around in ast.walk(tree)
        if isinstance(around, ast.ClassDef)
        for node in ast.walk(around)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "cls"
    }


def calls_by_position(loaded: ModuleType, tree: ast.AST) -> Iterator[str]:
    of_cls = calls_of_cls(loaded, tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        if any(isinstance(argument, ast.Starred) for argument in node.args):
            continue  # a row of a database, whose columns are the fields
        made: Any = None
        if node in of_cls:
            made = of_cls[node]
        elif isinstance(node.func, ast.Name):
            made = getattr(loaded, node.func.id, None)
        elif isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            made = getattr(getattr(loaded, node.func.value.id, None), node.func.attr, None)
        if len(fields_of(made)) > MOST_BY_POSITION:
            yield f"line {node.lineno}: {ast.unparse(node.func)}"


# They need packages that cannot live beside those of the tests: `make test-doors` runs them.
NOT_HERE = {"thorp.integrations.inspect_tasks", "thorp.integrations.verifiers_tasks"}


@pytest.mark.parametrize(
    "module", [name for name in MODULES if not name.endswith("__main__") and name not in NOT_HERE]
)
def test_a_struct_of_many_fields_is_made_by_their_names(module: str) -> None:
    loaded = importlib.import_module(module)
    calls = [*calls_by_position(loaded, ast.parse(MODULES[module].read_text("utf-8")))]
    assert not calls, f"{module}: name the fields, in {calls}"


def long_lines(text: str) -> list[int]:
    lines = enumerate(text.splitlines(), 1)
    return [number for number, line in lines if len(line) > LONGEST_LINE_OF_THE_PAGE]


@pytest.mark.parametrize("source", SOURCES_OF_THE_PAGE)
def test_no_line_of_the_page_is_longer_than_a_screen(source: str) -> None:
    numbers = long_lines((ROOT / source).read_text("utf-8"))
    assert not numbers, f"{source}: wrap at {LONGEST_LINE_OF_THE_PAGE}, in lines {numbers}"


def many_positions(tree: ast.AST) -> Iterator[str]:
    """Functions that take more arguments by position than a reader can keep apart."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
            if len([name for name in names if name not in ("self", "cls")]) > MOST_ARGUMENTS:
                yield f"line {node.lineno}: {node.name}"


@pytest.mark.parametrize("module", MODULES)
def test_a_function_takes_few_arguments_by_position(module: str) -> None:
    functions = [*many_positions(ast.parse(MODULES[module].read_text("utf-8")))]
    assert not functions, f"{module}: let the rest have names, in {functions}"


def test_the_checks_can_fail() -> None:
    swap = "a, b = b, a\n(x, y), z = pair, 1\nleft, right = 1, 2\none, two = pair"
    found = [node for node in ast.walk(ast.parse(swap)) if is_parallel(node)]
    assert [ast.unparse(node) for node in found] == [
        "(x, y), z = (pair, 1)",
        "left, right = (1, 2)",
    ]
    many = ast.parse("def f(self, a, b, c, d, e, g): ...\ndef h(a, b, c, d, e, f, g): ...")
    assert [*many_positions(many)] == ["line 2: h"]
    outcome = importlib.import_module("thorp.protocol.outcome")
    wrong = ast.parse("Outcome(True, 'code', 'message', 'T1', {})\nOutcome(ok=True)")
    assert [*calls_by_position(outcome, wrong)] == ["line 1: Outcome"]
    assert long_lines("\n".join(["short", "x" * 120, "x" * 121])) == [3]
    assert "web/src/viewer.ts" in SOURCES_OF_THE_PAGE
