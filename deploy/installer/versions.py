"""Install a version, go back to the one before, run a command of the current one."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from .building import build
from .databases import (
    adopt_database,
    adopt_installation,
    discard_own_database,
    prepare_other_database,
    prepare_own_database,
    refuse_lost_link,
    undo_migrations,
    use_own_database,
)
from .machine import Machine, UpdateFailed, alone, for_user, linked, put_link, say
from .services import addresses, answers, put_units, running_services, stopped, try_release

SOURCE = Path(__file__).resolve().parents[2]
#: what lies in `opt` itself where the program was installed before it had folders of its own
BEFORE_RELEASES = (
    *("bridgebuddy", "movements", "static", "templates", ".venv"),
    *("database", "manage.py", "requirements.lock"),
)


def install(machine: Machine, source: Path = SOURCE) -> None:
    """Build a version, prepare its database, and switch to it. If a step fails, the version before runs on."""
    with alone(machine):
        if machine.has_own_database:
            refuse_lost_link(machine)
        say("Building the new version beside the running one")
        release = build(machine, source)
        adopt_installation(machine)
        running = linked(machine.current)
        services = running_services()
        try:
            _switch(machine, release, services)
        except BaseException:
            if linked(machine.current) != release:
                discard_own_database(machine, release)
                shutil.rmtree(release, ignore_errors=True)
            raise
        silent = [address for address in addresses(machine, services) if not answers(address)]
        if silent and running is not None:
            _go_back(machine, services)
            raise UpdateFailed(
                f"The new version did not answer at {silent[0]}. The version before runs again."
            )
        _clean(machine)
        say(f"The new version is installed: {release}")


def _switch(machine: Machine, release: Path, services: list[str]) -> None:
    running = linked(machine.current)
    with stopped(services):
        if machine.has_own_database:
            adopt_database(machine, release)
            prepare_own_database(machine, release)
        else:
            prepare_other_database(machine, release)
        try:
            try_release(machine, release)
        except UpdateFailed:
            if running is not None:
                undo_migrations(machine, release, running)
            raise
        os.sync()
        if running is not None:
            put_link(machine.previous, os.path.relpath(running, machine.opt))
        put_units(machine, release)
        put_link(machine.current, os.path.relpath(release, machine.opt))
        if machine.has_own_database:
            use_own_database(machine, release)
            _keep_for_a_week(running, release)


def back(machine: Machine) -> None:
    """Return to the version before, and to its database."""
    with alone(machine):
        _go_back(machine, running_services())


def _go_back(machine: Machine, services: list[str]) -> None:
    left, target = linked(machine.current), linked(machine.previous)
    if left is None or target is None or left == target:
        raise UpdateFailed("There is no version before this one.")
    if machine.has_own_database and not (target / "database").exists():
        raise UpdateFailed(
            "The database of the version before has been deleted, as it is after a week. Restore a backup instead."
        )
    with stopped(services):
        undo_migrations(machine, left, target)
        put_units(machine, target)
        put_link(machine.current, os.path.relpath(target, machine.opt))
        put_link(machine.previous, os.path.relpath(left, machine.opt))
        _keep_for_a_week(left, target)
    say(f"The version before runs again: {target}")
    newer = (left / "database").resolve()
    if machine.has_own_database and newer != (target / "database").resolve():
        say(
            "Its database is as it was before the update. What was entered since then is kept for a week in"
        )
        say(f"{newer}. The same command once more returns to the newer version with it.")


def _keep_for_a_week(left_version: Path | None, used_version: Path) -> None:
    """Date the database of a version that was left: the nightly work deletes it after a week."""
    if left_version is None or not (left_version / "database").exists():
        return
    if (left_version / "database").resolve() != (used_version / "database").resolve():
        os.utime((left_version / "database").resolve())


def run(machine: Machine, words: list[str]) -> int:
    """Run a command of the current version in this terminal and return its exit code."""
    release = linked(machine.current)
    if release is None:
        raise UpdateFailed("BridgeBuddy is not installed.")
    program = [str(release / ".venv/bin/python"), str(release / "manage.py"), *words]
    return subprocess.run(program, **for_user(machine)).returncode


def _clean(machine: Machine) -> None:
    """Delete all versions but the current one and the one before, and packages that neither uses."""
    kept = [folder for link in (machine.current, machine.previous) if (folder := linked(link))]
    for folder in machine.releases.iterdir():
        if folder not in kept:
            shutil.rmtree(folder, ignore_errors=True)
    used = {(folder / ".venv").resolve() for folder in kept}
    for folder in (machine.opt / "venvs").iterdir():
        if folder not in used:
            shutil.rmtree(folder, ignore_errors=True)
    if machine.opt not in kept and not (machine.opt / ".git").exists():
        for name in BEFORE_RELEASES:
            if (machine.opt / name).is_dir():
                shutil.rmtree(machine.opt / name)
            else:
                (machine.opt / name).unlink(missing_ok=True)
