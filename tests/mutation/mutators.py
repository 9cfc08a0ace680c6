# SPDX-License-Identifier: MIT
"""Small faults in a source file, one at a time: what a slip of the pen, or of a sign, would make of it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ENDS = {
    "lo": "hi", "hi": "lo", "low": "high", "high": "low", "minus": "plus", "plus": "minus", "least": "most",
    "most": "least", "min": "max", "max": "min",
}
"""Attributes and keywords of the two ends of something: each is taken for the other."""

CALLS = {
    "min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum", "any": "all", "all": "any",
    "floor": "ceil", "ceil": "floor", "argmin": "argmax", "argmax": "argmin", "nanmin": "nanmax", "nanmax": "nanmin",
}
"""Functions that are taken for each other."""

SHOWN = 120
"""Characters that are shown before and after the beginning of a fault."""

BOUNDARY: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult,
}


@dataclass(frozen=True)
class Mutant:
    """One fault: its place, its kind, the text before and after, and how to put it into a parsed file.

    ``name`` is the module constant that it changes, empty where it lies inside a function.
    """

    file: Path
    line: int
    kind: str
    before: str
    after: str
    index: int
    name: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.kind}\n  - {self.before}\n  + {self.after}"


Change = Callable[[], Callable[[], None]]
"""Puts a fault in, and gives what takes it out again."""


def mutants(file: Path, source: str) -> list[Mutant]:
    """All faults of a file, in its order."""
    found = []
    tree = ast.parse(source)
    for index, (node, kind, change, name) in enumerate(_changes(tree)):
        before = ast.unparse(node)
        undo = change()
        after = ast.unparse(node)
        undo()
        if before != after:
            found.append(Mutant(file, node.lineno, kind, *_shown(before, after), index, name))
    return found


def _shown(before: str, after: str) -> tuple[str, str]:
    """Two texts on one line each, of a long one what lies about the difference."""
    same = next((place for place, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), len(before))
    line = before.rfind("\n", 0, same) + 1
    start = max(line, same - SHOWN)
    one, other = (text[start : same + SHOWN].split("\n", 1)[0] for text in (before, after))
    return one, other


def mutated(mutant: Mutant, source: str) -> ast.Module:
    """The parsed file with the fault in it; its lines keep their numbers."""
    tree = ast.parse(source)
    for index, (_, _, change, _) in enumerate(_changes(tree)):
        if index == mutant.index:
            change()
            return tree
    raise ValueError(f"{mutant.file} has changed")


def _changes(tree: ast.Module) -> Iterator[tuple[ast.stmt | ast.expr, str, Change, str]]:
    """Node that is shown, kind, change, and the constant that it belongs to."""
    # a private constant that no function names is part of another statement, which has run
    used = {n.id for one in ast.walk(tree) if isinstance(one, ast.FunctionDef) for n in ast.walk(one)
            if isinstance(n, ast.Name)}
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef):
            yield from _function(statement)
        elif isinstance(statement, ast.ClassDef):
            for inner in statement.body:
                if isinstance(inner, ast.FunctionDef):
                    yield from _function(inner)
        elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            (target,) = statement.targets
            if isinstance(target, ast.Name) and (target.id in used or not target.id.startswith("_")):
                for node in ast.walk(statement.value):
                    yield from ((statement, kind, change, target.id) for kind, change in _number(node))


def _function(function: ast.FunctionDef) -> Iterator[tuple[ast.stmt | ast.expr, str, Change, str]]:
    for statement in function.body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue
        for node in _walk(statement):
            shown = node if isinstance(node, ast.expr | ast.stmt) else statement
            for kind, change in (*_number(node), *_logic(node), *_arithmetic(node), *_ends(node)):
                yield (shown if not isinstance(node, ast.Constant) else _around(statement, node)), kind, change, ""


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes in their order but annotations, messages and guards."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns") or isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr):
            continue
        if isinstance(node, ast.keyword) and node.arg == "strict":
            continue  # of a zip: it guards and computes nothing
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, ast.AST):
                yield from _walk(one)


def _around(statement: ast.stmt, node: ast.AST) -> ast.stmt | ast.expr:
    """The smallest expression around a number, so that it can be recognised."""
    best: ast.stmt | ast.expr = statement
    for one in ast.walk(statement):
        if isinstance(one, ast.expr) and any(child is node for child in ast.iter_child_nodes(one)):
            best = one
    return best


def _set(node: ast.AST, field: str, value: object) -> Change:
    def change() -> Callable[[], None]:
        old = getattr(node, field)
        setattr(node, field, value)
        return lambda: setattr(node, field, old)

    return change


def _become(node: ast.AST, other: ast.AST) -> Change:
    """A node turns into another one, at its own place."""

    def change() -> Callable[[], None]:
        kind, fields = node.__class__, dict(vars(node))
        node.__class__ = other.__class__  # type: ignore[assignment]
        node.__dict__.update({name: value for name, value in vars(other).items() if name in other._fields})
        return lambda: (setattr(node, "__class__", kind), node.__dict__.clear(), node.__dict__.update(fields))[0]

    return change


def _number(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if not isinstance(node, ast.Constant):
        return
    value = node.value
    if isinstance(value, bool):
        yield "constant", _set(node, "value", not value)
    elif isinstance(value, int):
        yield "constant", _set(node, "value", value + 1)
        if value > 1:
            yield "constant", _set(node, "value", value - 1)
    elif isinstance(value, float):
        yield "constant", _set(node, "value", 1.1 * value if value else 1.0)
        if value:
            yield "constant", _set(node, "value", 0.0)


def _logic(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            for kind, table in (("boundary", BOUNDARY), ("comparison", OPPOSITE)):
                if type(operator) in table:
                    ops = [*node.ops[:place], table[type(operator)](), *node.ops[place + 1 :]]
                    yield kind, _set(node, "ops", ops)
    elif isinstance(node, ast.BoolOp):
        yield "and/or", _set(node, "op", ast.Or() if isinstance(node.op, ast.And) else ast.And())
        for place in range(len(node.values)):
            values = [*node.values[:place], *node.values[place + 1 :]]
            yield "condition left out", _become(node, values[0]) if len(values) == 1 else _set(node, "values", values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "negation", _become(node, node.operand)
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        yield "condition negated", _set(node, "test", ast.UnaryOp(ast.Not(), node.test))


def _arithmetic(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        yield "operator", _set(node, "op", ARITHMETIC[type(node.op)]())
        yield "term left out", _become(node, node.left)
        if isinstance(node.op, ast.Add | ast.Mult):
            yield "term left out", _become(node, node.right)
    elif isinstance(node, ast.AugAssign) and type(node.op) in ARITHMETIC:
        yield "operator", _set(node, "op", ARITHMETIC[type(node.op)]())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "sign", _become(node, node.operand)


def _ends(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        if node.attr in ENDS:
            yield "other end", _set(node, "attr", ENDS[node.attr])
        if node.attr in ("lo", "hi", "low", "high"):
            yield "value for an end", _set(node, "attr", "value")
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in CALLS and not isinstance(node.func, ast.Attribute):
            yield "other function", _set(node.func, "id", CALLS[name])
        elif name in CALLS and name not in ENDS:
            yield "other function", _set(node.func, "attr", CALLS[name])
        if name in ("min", "max", "hypot", "minimum", "maximum") and len(node.args) > 1:
            for place in range(len(node.args)):
                args = [*node.args[:place], *node.args[place + 1 :]]
                yield "argument left out", _become(node, args[0]) if len(args) == 1 else _set(node, "args", args)
        given = {one.arg: one for one in node.keywords}
        for one, other in (("lo", "hi"), ("low", "high"), ("minus", "plus")):
            if one in given and other in given:
                yield "ends exchanged", _exchanged(given[one], given[other])


def _exchanged(one: ast.keyword, other: ast.keyword) -> Change:
    def change() -> Callable[[], None]:
        one.value, other.value = other.value, one.value
        return lambda: (change(), None)[1]

    return change
