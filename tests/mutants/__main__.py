"""Try random mutants of files and print those that no test notices: `make mutants FILES="bridgebuddy/money"`.

A name is that of a file or of a folder. Of each file some mutants are drawn, always the same for a seed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..faults.data import ROOT
from .mutations import mutants_of_file
from .trying import sample, text_of, try_mutants, with_tests

PRODUCT = ("bridgebuddy", "movements")


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.mutants", description=__doc__)
    parser.add_argument("files", nargs="*", default=PRODUCT, help="files or folders")
    parser.add_argument("--sample", type=int, default=8, help="mutants of each file")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    options = parser.parse_args()
    paths = [path for name in options.files for path in modules_of(name)]
    if not paths:
        parser.error(f"no such files: {' '.join(options.files)}")
    tests = with_tests(paths)
    for path in paths:
        if path not in tests:
            print(f"No test names {path}.")
    for path in tests:
        drawn = sample(
            mutants_of_file(path, text_of(path), tests[path]), options.sample, options.seed
        )
        tried = try_mutants(drawn)
        print(f"{tried.noticed_count:3} of {len(tried.mutants):3} noticed  {path}", flush=True)
        for mutant in tried.survivors:
            print(f"  survived: {mutant}")
    return 0


def modules_of(name: str) -> list[str]:
    """Return the modules of the product in a file or folder, without migrations."""
    found = ROOT / name
    files = [found] if found.is_file() else sorted(found.rglob("*.py"))
    paths = [str(file.relative_to(ROOT)) for file in files]
    return [path for path in paths if is_of_product(path)]


def is_of_product(path: str) -> bool:
    """Return whether a file's mutants are tried."""
    parts = Path(path).parts
    return path.endswith(".py") and parts[0] in PRODUCT and "migrations" not in parts


if __name__ == "__main__":
    sys.exit(main())
