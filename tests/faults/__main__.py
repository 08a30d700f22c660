"""Try the faults written by hand and say which of them no test notices: `make faults APPS="seasons jobs"`.

The figures are written into docs/dev/mutants.md; apps that were not asked for keep theirs.
"""

from __future__ import annotations

import argparse
import re
import sys

from .copies import is_noticed
from .data import ROOT, Fault, apps, faults_of
from .forks import IN_A_COPY, NOTICED, codes_in_forks

PAGE = ROOT / "docs" / "dev" / "mutants.md"
HEAD = "| app | faults | noticed at first | noticed now |\n|---|---:|---:|---:|\n"
ROW = re.compile(r"\| (\w+) \| \d+ \| .+ \|\n")


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.faults", description=__doc__)
    parser.add_argument("apps", nargs="*", metavar="app", help=", ".join(apps()))
    options = parser.parse_args()
    if unknown := set(options.apps) - set(apps()):
        parser.error(f"no such app: {', '.join(sorted(unknown))}")
    for app in options.apps or apps():
        faults = faults_of(app)
        survivors = unnoticed(faults)
        now = len(faults) - len(survivors)
        print(f"{app}: {now} of {len(faults)} noticed")
        for fault in survivors:
            print(f"  survived: {fault}")
        first = sum(not fault.survived for fault in faults)
        write_row(app, f"| {app} | {len(faults)} | {share(first, faults)} | {share(now, faults)} |")
    return 0


def unnoticed(faults: list[Fault]) -> list[Fault]:
    """Return the faults that no test notices."""
    survivors = []
    for fault, code in zip(faults, codes_in_forks(faults), strict=True):
        noticed = is_noticed(fault) if code == IN_A_COPY else code == NOTICED
        if not noticed:
            survivors.append(fault)
    return survivors


def share(number: int, faults: list[Fault]) -> str:
    return f"{number} ({100 * number // len(faults)} %)"


def write_row(app: str, row: str) -> None:
    """Write the figures of an app into the table of the page."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, table = text.partition(HEAD)
    rows = {found[1]: found[0] for found in ROW.finditer(table)} | {app: f"{row}\n"}
    after = ROW.sub("", table)
    PAGE.write_text(
        before + HEAD + "".join(rows[name] for name in sorted(rows)) + after, encoding="utf-8"
    )


if __name__ == "__main__":
    sys.exit(main())
