"""Programs in strings, which tests run in other processes: no type checker sees their imports."""

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
IMPORT = re.compile(
    r"^from ((?:bridgebuddy|movements|tests)[\w.]*) import ([\w, ]+)$", re.MULTILINE
)


def imports_in_strings():
    """Yield file, module and name of each import of ours in a string of a test."""
    for path in sorted(TESTS.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not IMPORT.search(text):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for module, names in IMPORT.findall(node.value):
                    for name in names.split(","):
                        yield path.name, module, name.split(" as ")[0].strip()


FOUND = sorted(set(imports_in_strings()))


def test_there_are_programs_in_strings():
    assert len(FOUND) > 20


@pytest.mark.parametrize(("file", "module", "name"), FOUND)
def test_what_a_program_in_a_string_imports_exists(file, module, name):
    found = import_module(module)

    assert hasattr(found, name) or import_module(f"{module}.{name}")
