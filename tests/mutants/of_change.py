"""Mutants of the lines that a change touches, tried with the tests: `make mutants-of-change`, or with BASE=<commit>.

A fixed sample of these mutants is tried, and the survivors are printed. It fails only if far too few of many mutants
are noticed, so neither a random failure nor a harmless survivor stops a change.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from ..faults.data import ROOT
from .__main__ import is_of_product
from .mutations import mutants_of_file
from .trying import sample, text_of, try_mutants, with_tests

#: so many are tried at most, of all files together
SAMPLE, SEED = 24, 1
#: of at least so many so great a part has to be noticed
ENOUGH, LEAST = 20, 0.6
#: of more lines of the product so few mutants say nothing: `make mutants` tries their files
MOST_LINES = 600
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


def is_small(lines: Mapping[str, list[int]]) -> bool:
    """Return whether a sample can stand for the lines of the product that are others."""
    return sum(len(found) for path, found in lines.items() if is_of_product(path)) <= MOST_LINES


def is_good(tried: int, noticed: int) -> bool:
    """Return whether enough of those tried were noticed, or too few were tried to tell."""
    return tried < ENOUGH or noticed >= LEAST * tried


def main() -> int:
    base = os.environ.get("BASE") or "HEAD^"
    if not (found := commit(base)):
        print(f"There is no commit {base} here to compare with: no mutant is tried.")
        return 0
    lines = changed_lines(found)
    if not is_small(lines):
        print(f"More than {MOST_LINES} lines have changed since {base}: see make mutants.")
        return 0
    changed = [path for path in lines if is_of_product(path)]
    tests = with_tests(changed)
    if without := [path for path in changed if path not in tests]:
        print(f"No test names {' '.join(without)}")
    mutants = [
        mutant
        for path in tests
        for mutant in mutants_of_file(path, text_of(path), tests[path], frozenset(lines[path]))
    ]
    if not mutants:
        print(f"No line has changed since {base} whose mutants are tried.")
        return 0
    tried = try_mutants(sample(mutants, SAMPLE, SEED))
    count = len(tried.mutants)
    print(f"{tried.noticed_count} of {count} noticed, of the lines changed since {base}")
    for mutant in tried.survivors:
        print(f"  survived: {mutant}")
    if not is_good(count, tried.noticed_count):
        print(f"Less than {LEAST:.0%} of at least {ENOUGH} were noticed: tests are missing.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
