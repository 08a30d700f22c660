"""Whether tests would notice a fault in the lines that a change touches: `make mutants-of-change`, or with BASE=<commit>.

A sample of the mutants of those lines is tried, always the same, and what survives is printed. Of lines that no module
of `modules.py` has nothing is known here. So that neither a test that fails by chance nor a survivor that may live stops
anybody, it fails only where far too few of enough are killed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..minutes import known
from .__main__ import COPIES, KILLED, ROOT, mutate, print_survivors, share
from .modules import MODULES, Module

#: so many are tried at most, of all files together
SAMPLE, SEED = 24, 1
#: of at least so many so great a part has to be killed
ENOUGH, LEAST = 20, 0.6
#: of more lines of the product so few mutants say nothing: `make mutants` tries their modules
MOST_LINES = 600
#: seconds that the tests of what is tried take, as tests/minutes.md has them: they run once before any mutant
BUDGET = 40.0
UNKNOWN = 1.0
HUNK = re.compile(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@")


def commit(base: str, root: Path = ROOT) -> str:
    """Return a commit by its key; nothing where there is none, as in a clone without history."""
    try:
        return _git(root, "rev-parse", "--verify", "--quiet", f"{base}^{{commit}}").strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def changed_lines(base: str, root: Path = ROOT) -> dict[str, list[int]]:
    """Return which lines of which files of Python are others than in a commit, those not committed yet too."""
    said = _git(root, "diff", "-U0", "--no-renames", "--no-ext-diff", base, "--", "*.py")
    found: dict[str, list[int]] = {}
    path = ""
    for line in said.splitlines():
        if line.startswith("+++ "):
            path = line.removeprefix("+++ b/")
        elif hunk := HUNK.match(line):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            if count:
                found.setdefault(path, []).extend(range(first, first + count))
    return found


def _git(root: Path, *asked: str) -> str:
    said = subprocess.run(["git", *asked], cwd=root, capture_output=True, text=True, check=True)
    return said.stdout


@dataclass(frozen=True)
class Chosen:
    """What is mutated for a change, and the files for which the tests would take too long, or there are none."""

    module: Module
    left: tuple[str, ...]
    without: tuple[str, ...]


def chosen(
    lines: Mapping[str, list[int]],
    seconds: Mapping[str, float],
    modules: Iterable[Module] = MODULES.values(),
) -> Chosen:
    """Choose the modules in which most is changed, as long as their tests are quick enough; one in any case."""
    product = [path for path in lines if not path.startswith("tests/")]
    of_module = {module: [path for path in product if _has(module, path)] for module in modules}
    order = sorted(
        (module for module, paths in of_module.items() if paths),
        key=lambda module: -sum(len(lines[path]) for path in of_module[module]),
    )
    files: list[str] = []
    left: list[str] = []
    tests: dict[str, None] = {}
    but: dict[str, None] = {}
    for module in order:
        both = tests | dict.fromkeys(module.tests)
        if files and sum(seconds.get(test, UNKNOWN) for test in both) > BUDGET:
            left += of_module[module]
            continue
        files += of_module[module]
        tests, but = both, but | dict.fromkeys(module.but)
    without = [path for path in product if path not in {*files, *left}]
    return Chosen(Module(tuple(files), tuple(tests), tuple(but)), tuple(left), tuple(without))


def is_small(lines: Mapping[str, list[int]]) -> bool:
    """Whether a sample can stand for the lines of the product that are others."""
    product = [found for path, found in lines.items() if not path.startswith("tests/")]
    return sum(map(len, product)) <= MOST_LINES


def _has(module: Module, path: str) -> bool:
    return any(Path(path).match(pattern) for pattern in module.files)


def is_good(codes: Mapping[str, int | None]) -> bool:
    """Whether enough of those tried were killed, or too few were tried to tell."""
    killed = sum(code in KILLED for code in codes.values())
    return len(codes) < ENOUGH or killed >= LEAST * len(codes)


def tried(copy: Path) -> dict[str, int | None]:
    """Return what came of those of a copy that were tried."""
    found: dict[str, int | None] = {}
    for meta in sorted(copy.glob("mutants/**/*.meta")):
        codes = json.loads(meta.read_text())["exit_code_by_key"]
        found |= {key: code for key, code in codes.items() if code is not None}
    return found


def main() -> int:
    base = os.environ.get("BASE") or "HEAD^"
    if not (found := commit(base)):
        print(f"There is no commit {base} here to compare with: no mutant is tried.")
        return 0
    lines = changed_lines(found)
    if not is_small(lines):
        print(f"More than {MOST_LINES} lines have changed since {base}: see make mutants.")
        return 0
    what = chosen(lines, known())
    for paths, why in ((what.without, "No module has"), (what.left, "Left out, for time")):
        if paths:
            print(f"{why}: {' '.join(paths)}")
    if not what.module.files:
        print(f"No line has changed since {base} whose mutants are tried.")
        return 0
    copy = COPIES / "of-change"
    shutil.rmtree(copy, ignore_errors=True)
    if not mutate(copy, what.module, 2, f"{SAMPLE} {SEED}", lines):
        print("Nothing could be tried: there is nothing to break in these lines, or a test fails.")
        return 0
    codes = tried(copy)
    print(f"\n{share(codes)}, of the lines changed since {base}")
    print_survivors(copy, codes)
    if not is_good(codes):
        print(f"Less than {LEAST:.0%} of at least {ENOUGH} were noticed: tests are missing.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
