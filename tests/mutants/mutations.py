"""Random faults of a file: an operator, a condition, a number, an argument or a statement is another one."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..faults.data import ROOT
from ..faults.exchange import FUNCTIONS

OTHER_OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}


@dataclass(frozen=True)
class Mutant:
    """A file with one random fault, and the files of tests that should notice it (relative to `tests`)."""

    file: str
    #: qualified name of the function with the fault
    function: str
    line: int
    old: str
    new: str
    text: str
    tests: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        return ROOT / self.file

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.function}: {self.old} → {self.new}"


def mutants_of_file(
    file: str, text: str, tests: tuple[str, ...] = (), lines: Collection[int] | None = None
) -> Iterator[Mutant]:
    """Yield all mutants of the bodies of functions in a file, or of some of its lines, in the order of the text."""
    encoded = text.encode()
    starts = [0]
    for row in encoded.splitlines(keepends=True):
        starts.append(starts[-1] + len(row))
    faults = (
        (name, node, other)
        for name, function in functions_of(ast.parse(text))
        for statement in function.body
        for node, other in _faults_of_node(statement)
    )
    for function, node, other in faults:
        if lines is not None and node.lineno not in lines:
            continue
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        new = ast.unparse(other)
        put = f"({new})" if isinstance(other, ast.expr) else new
        changed = (encoded[:begin] + put.encode() + encoded[end:]).decode()
        old = " ".join(encoded[begin:end].decode().split())
        yield Mutant(file, function, node.lineno, old, new, changed, tests)


def functions_of(
    block: ast.Module | ast.ClassDef, within: str = ""
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield the functions of a module and the methods of its classes with their qualified names."""
    for statement in block.body:
        if isinstance(statement, ast.ClassDef):
            yield from functions_of(statement, f"{within}{statement.name}.")
        elif isinstance(statement, FUNCTIONS):
            yield within + statement.name, statement


def _faults_of_node(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, ast.expr | ast.stmt]]:
    """Yield a node and its descendants, each with its replacements."""
    if isinstance(node, ast.expr | ast.stmt):
        for other in _other_nodes(node):
            yield node, other
    if isinstance(node, ast.If | ast.IfExp) and not isinstance(
        node.test, ast.Compare | ast.UnaryOp
    ):
        yield node.test, ast.UnaryOp(ast.Not(), node.test)
    if isinstance(node, ast.JoinedStr | ast.pattern):
        return  # Python 3.11 does not know where the parts of an f-string stand; a pattern takes no other nodes
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _faults_of_node(child)


def _other_nodes(node: ast.expr | ast.stmt) -> Iterator[ast.expr | ast.stmt]:
    """Yield the nodes with a fault that a node can become."""
    match node:
        case ast.Compare(left=left, ops=operators, comparators=compared):
            for index, operator in enumerate(operators):
                others = [*operators[:index], _other_operator(operator), *operators[index + 1 :]]
                yield ast.Compare(left, others, compared)
        case ast.BoolOp(op=operator, values=values):
            yield ast.BoolOp(_other_operator(operator), values)
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in OTHER_OPERATORS:
            yield ast.BinOp(left, _other_operator(operator), right)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.Constant(value=str(value)) if value.isidentifier():
            yield ast.Constant(f"{value}_")  # a key, a field, a kind: not a sentence
        case ast.Call(func=function, args=arguments, keywords=keywords):
            for index in range(len(keywords)):
                yield ast.Call(function, arguments, keywords[:index] + keywords[index + 1 :])
        case ast.Expr(value=ast.Call()):
            yield ast.Pass()
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            yield ast.Return(ast.Constant(None))


def _other_operator(operator: ast.AST) -> Any:
    """Return the operator that a colleague writes instead of this one."""
    return OTHER_OPERATORS[type(operator)]()


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
