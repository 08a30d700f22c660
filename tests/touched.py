"""Tests for the files that a change touches, in a minute and a half: `make test-fast`, or with BASE=<commit>.

First the changed test files, then those that name a changed module, then those with its name;
of these the quickest, until the time is full. Omitted files are listed. It is for daily work: `.ci/run` decides.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from .minutes import known

ROOT = Path(__file__).resolve().parents[1]
#: seconds of tests, of which two processes each do half; starting takes the rest
BUDGET = 100.0
#: what a file takes of which nothing is known: less than a second
UNKNOWN = 1.0
OWN, NAMED, CALLED = 3, 2, 1
#: files whose subject is a folder, whatever file of it is changed
OF_FOLDERS = {
    "tests/browser/test_accessibility.py": ("static/css/",),
    "tests/browser/test_engines.py": ("static/js/", "templates/tables/"),
}


def changed(base: str) -> list[str]:
    """Return the files that differ from the branch's base, committed or not."""

    def git(*asked: str) -> list[str]:
        said = subprocess.run(["git", *asked], cwd=ROOT, capture_output=True, text=True, check=True)
        return said.stdout.split()

    (left,) = git("merge-base", "HEAD", base)
    return sorted({*git("diff", "--name-only", left), *git("ls-files", "-o", "--exclude-standard")})


def weight(test: str, text: str, path: str) -> int:
    """Return how much a file of tests is about a path: 0 for nothing."""
    if test == path:
        return OWN
    if path.startswith(OF_FOLDERS.get(test, ())):
        return CALLED
    file = Path(path)
    if file.suffix == ".py":
        if _imports(text, file.with_suffix("")):
            return NAMED
        if _lets_out(file.parent) and _imports(text, file.parent):
            return CALLED
    if file.suffix in (".html", ".css", ".js") and file.name in text:
        return NAMED
    name = file.stem.lstrip("_").replace("-", "_")
    return CALLED if re.search(rf"(^|_){re.escape(name)}(_|\.)", Path(test).name) else 0


def _lets_out(package: Path) -> bool:
    """Return whether a package exports the names of its files."""
    init = ROOT / package / "__init__.py"
    return init.is_file() and "__all__" in init.read_text(encoding="utf-8")


def _imports(text: str, module: Path) -> bool:
    package, name = ".".join(module.parent.parts), module.name
    return f"{package}.{name}" in text or bool(
        re.search(rf"from {re.escape(package)} import ([^\n]*|\([^)]*)\b{name}\b", text)
    )


def texts_of_tests() -> dict[str, str]:
    """Return the text of every file of tests, by its path."""
    files = sorted(ROOT.glob("tests/**/test_*.py"))
    return {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8") for file in files}


def touched(paths: list[str], texts: dict[str, str], taken: dict[str, float]) -> list[list[str]]:
    """Return the files to run, closest to the change first, and the files left out."""
    weights = {
        test: max((weight(test, text, path) for path in paths), default=0)
        for test, text in texts.items()
    }
    about = [test for test, most in weights.items() if most]
    about.sort(key=lambda test: (-weights[test], taken.get(test, UNKNOWN), test))
    run, left, spent = [], [], 0.0
    for test in about:
        spent += taken.get(test, UNKNOWN)
        (run if spent <= BUDGET or not run else left).append(test)
    return [run, left]


def main() -> int:
    run, left = touched(changed(os.environ.get("BASE") or "main"), texts_of_tests(), known())
    if left:
        print(f"Left out, for the time they take: {' '.join(left)}")
    if not run:
        print("No test is about what has changed.")
        return 0
    from .run import PYTEST, environment  # which imports this module for its sample

    return subprocess.call([*PYTEST, *run, *sys.argv[1:]], cwd=ROOT, env=environment())


if __name__ == "__main__":
    sys.exit(main())
