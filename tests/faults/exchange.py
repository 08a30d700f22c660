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
        name for (name, _, item), (_, _, other) in zip(old, new, strict=True) if item != other
    }
    codes = {code.co_qualname: code for code in _codes(compile(text, str(path), "exec"))}
    gc.unfreeze()  # pytest's start has put everything out of sight
    for found in gc.get_objects():
        if type(found) is FunctionType and found.__code__.co_filename == str(path):
            name = found.__code__.co_qualname
            if any(name == item or name.startswith(f"{item}.<locals>.") for item in changed):
                found.__code__ = codes[name]


def _definitions(
    tree: ast.Module | ast.ClassDef, within: str = ""
) -> Iterator[tuple[str, str, str]]:
    """Yield of each statement a name, what of it runs when it is loaded, and what runs when it is called."""
    for row in tree.body:
        if isinstance(row, FUNCTIONS):
            body = ast.dump(ast.Module(row.body, []))
            row.body = []
            yield within + row.name, ast.dump(row), body
        elif isinstance(row, ast.ClassDef):
            yield from _definitions(row, f"{within}{row.name}.")
            row.body = []
            yield within + row.name, ast.dump(row), ""
        else:
            yield "", ast.dump(row), ""


def _codes(code: CodeType) -> Iterator[CodeType]:
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield const
            yield from _codes(const)
