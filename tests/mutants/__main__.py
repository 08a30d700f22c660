"""Run mutants of some modules and report the share that tests kill: `make mutants MODULES="laws rules"`.

A name may be that of several modules ("services") or of one file ("changes/rebuild").

Each module is mutated in a copy under `var/mutants`, so that one can go on working. What was killed stays
killed until its function changes; what survived is tried again each time. `--fresh` begins anew.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from .modules import MODULES, Module
from .tool import drawn

ROOT = Path(__file__).parents[2]
COPIES = ROOT / "var" / "mutants"
TOOL = Path(__file__).with_name("tool.py")
#: so many lines are printed of what went wrong
LAST = 30
#: what mutmut keeps of a mutant: the exit code of its tests, or that they hung and were stopped
KILLED = {1, 3} | {24, -24, 36, 152, 255}
WHY = {0: "survived", 33: "no test", None: "not tried"}

#: a mutant that hangs is stopped, after four times the CPU its tests take and a little more
CONFIGURATION = """
[tool.mutmut]
source_paths = ["movements", "bridgebuddy"]
only_mutate = {files}
also_copy = ["manage.py", "templates", "static", "docs"]
pytest_add_cli_args = ["-p", "tests.mutants.database"]
pytest_add_cli_args_test_selection = {tests}
timeout_constant = 10
timeout_multiplier = 2
use_git_change_detection = false
"""


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.mutants", description=__doc__)
    parser.add_argument("modules", nargs="*", metavar="module", help=", ".join(MODULES))
    parser.add_argument("--fresh", action="store_true", help="forget what was killed before")
    parser.add_argument("--children", type=int, default=2, help="how many at the same time")
    parser.add_argument("--sample", type=int, default=0, help="try only so many mutants of a file")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    options = parser.parse_args()
    sample = f"{options.sample} {options.seed}" if options.sample else ""
    asked = {name: modules_of(name) for name in options.modules or MODULES}
    if unknown := [name for name, modules in asked.items() if not modules]:
        parser.error(f"no such module: {', '.join(unknown)}")
    modules = {name: module for found in asked.values() for name, module in found.items()}
    failed = []
    for name, module in modules.items():
        if options.fresh:
            shutil.rmtree(copy_of(name), ignore_errors=True)
        if mutate(copy_of(name), module, options.children, sample):
            report(name, sample)
        else:
            failed.append(name)
            print(f"\n== {name}: tests fail though nothing is broken")
    return bool(failed)


def copy_of(name: str) -> Path:
    return COPIES / name.replace("/", "-")


def modules_of(name: str) -> dict[str, Module]:
    """The modules of a name: one, all of a kind ("services"), or one file ("changes/rebuild")."""
    if name in MODULES:
        return {name: MODULES[name]}
    kind, _, file = name.partition("/")
    found = {item: module for item, module in MODULES.items() if item.partition("/")[0] == kind}
    if not file:
        return found
    for module in found.values():
        for path in (path for pattern in module.files for path in ROOT.glob(pattern)):
            if path.stem == file:
                return {name: replace(module, files=(str(path.relative_to(ROOT)),))}
    return {}


def mutate(
    copy: Path,
    module: Module,
    children: int,
    sample: str,
    lines: Mapping[str, Sequence[int]] | None = None,
) -> bool:
    """Copy the product, and run the mutants of a module that are not known to be killed; return whether it could.

    Of `lines` by file, where they are given, no others are tried, and the sample is one of all files together.
    """
    print(f"== {copy.name}", flush=True)
    copy.mkdir(parents=True, exist_ok=True)
    files = set(product())
    for path in files:
        to = copy / path
        if not to.exists() or to.stat().st_mtime != (ROOT / path).stat().st_mtime:
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, to)
    forget_files(copy, files)
    configure(copy, module)
    mutated = {ROOT / path for path in files_of(module)}
    for meta in copy.glob("mutants/**/*.meta"):
        if ROOT / meta.relative_to(copy / "mutants").with_suffix("") in mutated:
            forget_survivors(meta)
        else:
            meta.unlink()  # the module does not have it any more
    command = [sys.executable, str(TOOL), "run", "--max-children", str(children)]
    environment = {k: v for k, v in os.environ.items() if k != "DATABASE_URL"}
    environment["SAMPLE"] = sample
    if lines is not None:
        environment["LINES_CHANGED"] = json.dumps(lines)
        ran = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True)
        if ran.returncode:  # of what turns meanwhile, nobody reads anything
            print(*ran.stdout.replace("\r", "\n").splitlines()[-LAST:], ran.stderr, sep="\n")
        return ran.returncode == 0
    return subprocess.run(command, cwd=copy, env=environment).returncode == 0


def forget_files(copy: Path, but: set[str]) -> None:
    """Take what the product no longer has out of a copy: a migration that has another number now."""
    for top in {Path(path).parts[0] for path in but}:
        for old in (copy / top).rglob("*.py"):
            path = old.relative_to(copy)
            if str(path) not in but:
                old.unlink()
                (copy / "mutants" / path).unlink(missing_ok=True)


def product() -> Iterator[str]:
    """The files of the product and of its tests, new ones too."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return (path for path in listed.splitlines() if (ROOT / path).is_file())


def configure(copy: Path, module: Module) -> None:
    toml = copy / "pyproject.toml"
    but = ("-k", "not " + " and not ".join(module.but)) if module.but else ()
    tests = json.dumps((*module.tests, *but))
    own = CONFIGURATION.format(files=json.dumps(files_of(module)), tests=tests)
    toml.write_text((ROOT / "pyproject.toml").read_text() + own)


def files_of(module: Module) -> list[str]:
    """Every file by its name: a "*" of mutmut's goes on into folders, to migrations and to commands that never end."""
    found = {path for pattern in module.files for path in ROOT.glob(pattern)}
    return sorted(str(path.relative_to(ROOT)) for path in found)


def forget_survivors(meta: Path) -> None:
    """Have those tried again that no test killed: there may be a test now."""
    data = json.loads(meta.read_text())
    codes = data["exit_code_by_key"]
    codes.update({key: None for key, code in codes.items() if code not in KILLED})
    meta.write_text(json.dumps(data))


def report(name: str, sample: str) -> None:
    """Print the share killed, file by file, and what survived: of everything, or of a sample."""
    copy = copy_of(name)
    everything: dict[str, int | None] = {}
    print(f"\n== {name}")
    for meta in sorted(copy.glob("mutants/**/*.meta")):
        codes = json.loads(meta.read_text())["exit_code_by_key"]
        path = str(meta.relative_to(copy / "mutants").with_suffix(""))
        of = len(codes)
        if sample:
            codes = {key: codes[key] for key in drawn(path, codes, sample)}
        everything |= codes
        print(f"{share(codes)} of {of:5}  {path}")
    print(f"{share(everything)}  {name}")
    print_survivors(copy, everything)


def print_survivors(copy: Path, codes: Mapping[str, int | None]) -> None:
    """Print of each mutant that no test killed what was changed in it."""
    for key, code in codes.items():
        if code not in KILLED:
            show = [sys.executable, str(TOOL), "show", key]
            shown = subprocess.run(show, cwd=copy, capture_output=True, text=True, check=True)
            lines = shown.stdout.splitlines()
            changed = [
                line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")
            ]
            print(f"{WHY.get(code, 'interrupted')}: {key}", *changed, sep="\n")


def share(codes: Mapping[str, int | None]) -> str:
    killed = sum(code in KILLED for code in codes.values())
    return f"{killed:5} of {len(codes):5} killed ({100 * killed / max(1, len(codes)):5.1f} %)"


if __name__ == "__main__":
    sys.exit(main())
