"""Build a version of the program in a folder of its own."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tomllib
from pathlib import Path

from .machine import Machine, UpdateFailed, must, put_link, refuse_full_disk, root_command, say

#: MB: a folder of packages, and a version without them
PACKAGES_SIZE, PROGRAM_SIZE = 1_000, 100
#: what people keep beside a program or what a program leaves behind is no part of it
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.mo", ".env*", "secret-key", "*.sqlite3*")


def parts(source: Path) -> list[str]:
    """Return what a version is made of: what pyproject.toml puts into the wheel, and what starts and installs it."""
    told = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = told["tool"]["hatch"]["build"]["targets"]["wheel"]
    more = ("deploy", "docs/admin", "manage.py", "pyproject.toml", "requirements.lock", "LICENSE")
    return [*wheel["packages"], *wheel["force-include"], *more]


def build(machine: Machine, source: Path) -> Path:
    """Build the version in `source` beside the others and return its folder. What runs is not touched."""
    if source == machine.opt or machine.opt in source.parents:
        raise UpdateFailed(
            f"{source} is where the program runs. Get the new version into another folder, for example with"
            " git clone, and start the update there."
        )
    machine.releases.mkdir(parents=True, exist_ok=True)
    for draft in machine.releases.glob("*.part"):
        shutil.rmtree(draft)
    packages = machine.opt / "venvs" / _name_of_packages(source)
    is_new = not (packages / ".complete").exists()
    refuse_full_disk(machine.opt, PROGRAM_SIZE + (PACKAGES_SIZE if is_new else 0))
    if is_new:
        _install_packages(packages, source)
    numbers = [int(folder.name) for folder in machine.releases.iterdir() if folder.name.isdigit()]
    release = machine.releases / str(max(numbers, default=0) + 1)
    draft = release.with_name(f"{release.name}.part")
    for part in parts(source):
        _copy(source / part, draft / part)
    put_link(draft / ".venv", os.path.relpath(packages, release))
    _compile(draft)
    os.sync()  # everything is on the disk before it gets its name
    draft.rename(release)
    return release


def _name_of_packages(source: Path) -> str:
    """Return a name for the packages: another Python needs others."""
    told = (source / "requirements.lock").read_bytes() + sys.version.encode()
    return hashlib.sha256(told).hexdigest()[:16]


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_file():
        shutil.copy(source, target)
    else:
        shutil.copytree(source, target, ignore=LEFT_OUT, copy_function=shutil.copy)


def _install_packages(packages: Path, source: Path) -> None:
    say("Installing packages. On a Raspberry Pi this takes about ten minutes.")
    if packages.exists():
        shutil.rmtree(packages)
    packages.parent.mkdir(exist_ok=True)
    make = (sys.executable, "-m", "venv", str(packages))
    must(root_command(*make), "The folder for packages could not be made.")
    pip = (str(packages / "bin/python"), "-m", "pip", "install", "--quiet")
    lock = ("--disable-pip-version-check", "--require-hashes", "-r", "requirements.lock")
    must(
        root_command(*pip, *lock, cwd=source),
        "Packages could not be installed. Is there a network, room on the disk, and the right time (date)?",
    )
    os.sync()  # after a power cut a marked folder is a whole one
    (packages / ".complete").touch()


def _compile(release: Path) -> None:
    """Compile translations and program, and see whether it loads, without the club's database."""
    scratch = release / ".scratch"
    own = {"SECRET_KEY": "only-to-build", "VAR_DIR": str(scratch), "PYTHONWARNINGS": "ignore"}
    for words in (
        ("manage.py", "compile_translations"),
        ("manage.py", "check"),
        ("-m", "compileall", "-q", "bridgebuddy", "movements"),
    ):
        done = root_command(
            str(release / ".venv/bin/python"), *words, cwd=release, env={**os.environ, **own}
        )
        must(done, f"The new version does not load ({' '.join(words)}).")
    shutil.rmtree(scratch, ignore_errors=True)
