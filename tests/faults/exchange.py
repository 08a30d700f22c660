"""Putting a fault into a process that has everything loaded: the code of the changed functions is exchanged."""

from __future__ import annotations

import ast
import gc
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class NotInFunctions(Exception):
    """A fault changes more than the bodies of functions; it needs a process that loads it anew."""


def exchange(path: Path, text: str) -> None:
    """Let the functions of a loaded module be those of `text`; raise `NotInFunctions` before anything is changed."""
    if str(path) not in {
        getattr(module, "__file__", None) for module in list(sys.modules.values())
    }:
        raise NotInFunctions
    old, new = (
        list(_definitions(ast.parse(each))) for each in (path.read_text(encoding="utf-8"), text)
    )
    if [outside for _, outside, _ in old] != [outside for _, outside, _ in new]:
        raise NotInFunctions
    changed = {
        name for (name, _, before), (_, _, after) in zip(old, new, strict=True) if before != after
    }
    codes = {code.co_qualname: code for code in _codes(compile(text, str(path), "exec"))}
    gc.unfreeze()  # pytest's start has put everything out of sight
    exchanged: list[tuple[FunctionType, CodeType]] = []
    reached: set[str] = set()
    for found in gc.get_objects():
        if type(found) is FunctionType and found.__code__.co_filename == str(path):
            name = found.__code__.co_qualname
            outers = {
                outer for outer in changed if name == outer or name.startswith(f"{outer}.<locals>.")
            }
            if outers:
                exchanged.append((found, codes[name]))
                reached |= outers
    if reached != changed:
        raise NotInFunctions  # the function is not there to be changed: no test could notice the fault
    if any(found.__code__.co_freevars != code.co_freevars for found, code in exchanged):
        raise NotInFunctions  # a function keeps the variables around it, as `super()` needs them
    for found, code in exchanged:
        found.__code__ = code


def _definitions(
    tree: ast.Module | ast.ClassDef, within: str = ""
) -> Iterator[tuple[str, str, str]]:
    """Yield each statement's name, its code at import, and its code when called."""
    for statement in tree.body:
        if isinstance(statement, FUNCTIONS):
            body = ast.dump(ast.Module(statement.body, []))
            statement.body = []
            yield within + statement.name, ast.dump(statement), body
        elif isinstance(statement, ast.ClassDef):
            yield from _definitions(statement, f"{within}{statement.name}.")
            statement.body = []
            yield within + statement.name, ast.dump(statement), ""
        else:
            yield "", ast.dump(statement), ""


def _codes(code: CodeType) -> Iterator[CodeType]:
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield const
            yield from _codes(const)
