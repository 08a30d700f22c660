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
    changed = {name for (name, _, one), (_, _, other) in zip(old, new, strict=True) if one != other}
    codes = {code.co_qualname: code for code in _codes(compile(text, str(path), "exec"))}
    gc.unfreeze()  # pytest's start has put everything out of sight
    for found in gc.get_objects():
        if type(found) is FunctionType and found.__code__.co_filename == str(path):
            name = found.__code__.co_qualname
            if any(name == one or name.startswith(f"{one}.<locals>.") for one in changed):
                found.__code__ = codes[name]


def _definitions(
    tree: ast.Module | ast.ClassDef, within: str = ""
) -> Iterator[tuple[str, str, str]]:
    """Yield of each statement a name, what of it runs when it is loaded, and what runs when it is called."""
    for one in tree.body:
        if isinstance(one, FUNCTIONS):
            body = ast.dump(ast.Module(one.body, []))
            one.body = []
            yield within + one.name, ast.dump(one), body
        elif isinstance(one, ast.ClassDef):
            yield from _definitions(one, f"{within}{one.name}.")
            one.body = []
            yield within + one.name, ast.dump(one), ""
        else:
            yield "", ast.dump(one), ""


def _codes(code: CodeType) -> Iterator[CodeType]:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from _codes(one)
