"""mutmut, with what it leaves out: run as a script in a working copy (see `__main__`).

mutmut does not touch functions with decorators, which all services have (a transaction), nor does it
leave out a statement or go past a condition, which is how a version is not counted and a right not
asked for. It is pinned exactly, since this reaches into it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any

import libcst as cst

#: decorators under which a function can be exchanged for another one
HARMLESS = {
    "transaction.atomic",
    "contextmanager",
    "property",
    "cached_property",
    "require_safe",
    "wraps",
}


def left_out(node: cst.Expr) -> Iterable[cst.Pass]:
    """A call that stands alone is not made."""
    if isinstance(node.value, cst.Call):
        yield cst.Pass()


def not_raised(node: cst.Raise) -> Iterable[cst.Pass]:
    """Nothing is refused."""
    yield cst.Pass()


def either_way(node: cst.If | cst.CompIf) -> Iterable[cst.CSTNode]:
    """A condition always holds, or never."""
    asked = node.test.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    for operator, word in ((cst.Or(), "True"), (cst.And(), "False")):
        answer = cst.BooleanOperation(left=asked, operator=operator, right=cst.Name(word))
        yield node.with_changes(test=answer)


def name_of(decorator: cst.Decorator) -> str:
    called = decorator.decorator
    name = called.func if isinstance(called, cst.Call) else called
    return cst.Module([]).code_for_node(name)


def is_harmless(decorator: cst.Decorator) -> bool:
    return name_of(decorator) in HARMLESS


def late(decorator: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a function each time it is called: its mutants come after the module was loaded."""

    def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            return decorator(function)(*args, **kwargs)

        return call

    return decorated


LATE = cst.Decorator(cst.parse_expression("__import__('tests.mutants.tool').mutants.tool.late"))


def is_decorator(function: cst.FunctionDef) -> bool:
    inner = [one for one in function.body.body if isinstance(one, cst.FunctionDef)]
    return any("wraps" in map(name_of, one.decorators) for one in inner)


def with_decorated_functions() -> None:
    """Let mutmut look into functions with harmless decorators; only the one that is called keeps them."""
    from mutmut.mutation import file_mutation

    skips = file_mutation.MutationVisitor._skip_node_and_children
    arranged = file_mutation.function_trampoline_arrangement

    def skip(self: Any, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.FunctionDef) and all(map(is_harmless, node.decorators)):
            node = node.with_changes(decorators=())
        return skips(self, node)

    def arrange(function: cst.FunctionDef, mutants: Any, class_name: str | None) -> Any:
        if not all(map(is_harmless, function.decorators)):
            return arranged(function, mutants, class_name)
        plain = function.with_changes(decorators=())
        empty, (called, *others), mapping, names = arranged(plain, mutants, class_name)
        outside = [LATE] if is_decorator(function) else []
        decorators = [*outside, *function.decorators, *called.decorators]
        called = called.with_changes(decorators=decorators)
        return empty, [called, *others], mapping, names

    file_mutation.MutationVisitor._skip_node_and_children = skip
    file_mutation.function_trampoline_arrangement = arrange


def main() -> None:
    from mutmut.__main__ import cli  # it sets how processes start, for the whole process
    from mutmut.mutation.mutators import mutation_operators

    added: Sequence[tuple[type, Any]] = (
        (cst.Expr, left_out),
        (cst.Raise, not_raised),
        (cst.If, either_way),
        (cst.CompIf, either_way),
    )
    mutation_operators.extend(added)
    with_decorated_functions()
    cli()


if __name__ == "__main__":
    main()
