"""Faults that a fork cannot load: scripts, and code that runs when a module is loaded. They are tried in a copy of
the tree.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from .data import ROOT, Fault

#: what the tests need of the tree
PARTS = ("bridgebuddy", "movements", "static", "templates", "tests", "docs", "deploy", ".ci")
#: seconds until a copy whose tests hang is stopped
MOST = 300


class BrokenCopy(RuntimeError):
    """Tests cannot be asked in a copy: they fail or hang without a fault, or pytest itself gives up."""


def is_noticed(fault: Fault) -> bool:
    """Return whether one of a fault's tests fails, or hangs, in a copy of the tree with the fault.

    Raises `BrokenCopy` if it also does so without the fault.
    """
    if _fails(fault.tests):
        raise BrokenCopy(f"without a fault, too: {' '.join(fault.tests)}")
    return _fails(fault.tests, fault)


@cache
def _fails(tests: tuple[str, ...], fault: Fault | None = None) -> bool:
    with tempfile.TemporaryDirectory(dir=ROOT / "var") as folder:
        copy = Path(folder)
        for part in PARTS:
            shutil.copytree(ROOT / part, copy / part, copy_function=os.link)
        for file in ROOT.iterdir():
            if file.is_file():
                shutil.copy2(file, copy)
        (copy / "var").mkdir()
        for made in (ROOT / "var").glob("test-*.sqlite3"):
            os.link(made, copy / "var" / made.name)
        if fault:
            (copy / fault.file).unlink()
            (copy / fault.file).write_text(fault.text, encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
        try:
            ran = subprocess.run(
                [*command, *(f"tests/{file}" for file in tests)],
                cwd=copy,
                env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
                capture_output=True,
                timeout=MOST,
            )
        except subprocess.TimeoutExpired:
            return True
        if ran.returncode not in (0, 1):
            raise BrokenCopy(f"pytest ended with {ran.returncode}: {ran.stdout.decode()[-300:]}")
        return ran.returncode == 1
