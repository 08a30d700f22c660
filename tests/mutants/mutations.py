"""Random faults of a file: an operator, a condition, a number, an argument or a statement is another one."""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..faults.data import ROOT

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
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
    for function, node, other in _faults_of_block(ast.parse(text), ""):
        if lines is not None and node.lineno not in lines:
            continue
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        new = ast.unparse(other)
        put = f"({new})" if isinstance(other, ast.expr) else new
        changed = (encoded[:begin] + put.encode() + encoded[end:]).decode()
        old = " ".join(encoded[begin:end].decode().split())
        yield Mutant(file, function, node.lineno, old, new, changed, tests)


Fault = tuple[str, ast.expr | ast.stmt, ast.expr | ast.stmt]


def _faults_of_block(block: ast.Module | ast.ClassDef, within: str) -> Iterator[Fault]:
    """Yield the faults of the functions in a module or a class: the function, a node, and another node."""
    for statement in block.body:
        if isinstance(statement, ast.ClassDef):
            yield from _faults_of_block(statement, f"{within}{statement.name}.")
        elif isinstance(statement, FUNCTIONS):
            name = within + statement.name
            for own in statement.body:
                yield from ((name, *pair) for pair in _faults_of_node(own))


def _faults_of_node(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, ast.expr | ast.stmt]]:
    """Yield a node and what is in it, each with the nodes that replace it."""
    if isinstance(node, ast.expr | ast.stmt):
        for other in _other_nodes(node):
            yield node, other
    if isinstance(node, ast.If | ast.IfExp) and not isinstance(
        node.test, ast.Compare | ast.UnaryOp
    ):
        yield node.test, ast.UnaryOp(ast.Not(), node.test)
    if isinstance(node, ast.JoinedStr):
        return  # Python 3.11 does not know where the parts of an f-string stand
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _faults_of_node(child)


def _other_nodes(node: ast.expr | ast.stmt) -> Iterator[ast.expr | ast.stmt]:
    """Yield the nodes with a fault that a node can become."""
    match node:
        case ast.Compare(ops=operators):
            for index, operator in enumerate(operators):
                other = copy.deepcopy(node)
                other.ops[index] = OTHER_OPERATORS[type(operator)]()  # type: ignore[assignment]
                yield other
        case ast.BoolOp(op=operator) | ast.BinOp(op=operator):
            if type(operator) in OTHER_OPERATORS:
                other = copy.deepcopy(node)
                other.op = OTHER_OPERATORS[type(operator)]()  # type: ignore[assignment]
                yield other
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.Constant(value=str(value)) if value.isidentifier():
            yield ast.Constant(f"{value}_")  # a key, a field, a kind: not a sentence
        case ast.Call(keywords=keywords):
            for index in range(len(keywords)):
                other = copy.deepcopy(node)
                del other.keywords[index]
                yield other
        case ast.Expr(value=ast.Call()):
            yield ast.Pass()
        case ast.Return(value=value) if value and not _is_none(value):
            yield ast.Return(ast.Constant(None))


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
