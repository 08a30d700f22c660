"""The installer of deploy/: parallel versions, and a power cut between any two changes on the disk.

The program is a folder with a number, whose database must have the same number. Files, links and SQLite are real; a
child process does the installer's work and ends at the chosen change without any clearing up, as a machine without
power.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from bridgebuddy.operations import backups
from deploy.installer import building, databases, machine, services, versions
from deploy.installer.machine import Machine, UpdateFailed, linked, read_environment

ROWS = 3
#: the changes on the disk after which the power may fail
CHANGES = ((os, "replace"), (os, "link"), (os, "symlink"), (os, "rename"), (os, "utime"))
PYPROJECT = """
[tool.hatch.build.targets.wheel]
packages = ["bridgebuddy", "movements"]
[tool.hatch.build.targets.wheel.force-include]
"templates" = "bridgebuddy/templates"
"""


class InstalledBox:
    """A machine with folders of its own, and a source of the program in any number of its versions."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.source = folder / "source"
        self.machine = Machine(
            folder / "opt", folder / "var", folder / "bridgebuddy.env", folder / "units"
        )
        for place in (self.machine.opt, self.machine.var, self.machine.units):
            place.mkdir()
        self.called: list[str] = []
        self.does_answer = True

    def get(self, number: int) -> None:
        """Put a version into the source folder, as `git pull` does."""
        shutil.rmtree(self.source, ignore_errors=True)
        self.write_program(self.source, number)
        (self.source / "pyproject.toml").write_text(PYPROJECT)
        (self.source / "deploy/systemd").mkdir(parents=True)
        unit = self.source / "deploy/systemd/bridgebuddy.service"
        unit.write_text(f"ExecStart=x serve --port 80\n# {number}")
        for folder in ("templates", "docs/admin"):
            (self.source / folder).mkdir(parents=True)
        (self.source / "LICENSE").touch()

    @staticmethod
    def write_program(folder: Path, number: int) -> None:
        for package in ("bridgebuddy", "movements"):
            (folder / package).mkdir(parents=True)
            (folder / package / "number").write_text(str(number))
        (folder / "manage.py").touch()
        (folder / "requirements.lock").write_text(str(number))

    def install_as_before_releases(self, number: int) -> None:
        """Put a version into `opt` itself, with a database that people have used."""
        self.write_program(self.machine.opt, number)
        shutil.copy(self.folder / "old-unit", self.machine.units / "bridgebuddy.service")
        self.fill(self.machine.database, number)

    @staticmethod
    def fill(file: Path, number: int) -> None:
        with closing(sqlite3.connect(file)) as base, base:
            base.execute("PRAGMA journal_mode=WAL")
            base.execute("CREATE TABLE IF NOT EXISTS results (board)")
            base.executemany("INSERT INTO results VALUES (?)", [(row,) for row in range(ROWS)])
            base.execute(f"PRAGMA user_version={number}")

    def state(self) -> tuple[int, int, int]:
        """Return the number of the program that would start, that of its database, and the rows in it."""
        folder = linked(self.machine.current) or self.machine.opt
        number = int((folder / "bridgebuddy/number").read_text())
        with closing(sqlite3.connect(self.machine.database)) as base:
            (schema,) = base.execute("PRAGMA user_version").fetchone()
            (rows,) = base.execute("SELECT count(*) FROM results").fetchone()
        return number, schema, rows


def number_of(release: Path) -> int:
    return int((release / "bridgebuddy/number").read_text())


@pytest.fixture
def box(tmp_path, monkeypatch):
    (tmp_path / "old-unit").write_text("ExecStart=x serve --port 80\n")
    made = InstalledBox(tmp_path)

    def packages(folder: Path, source: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ".complete").touch()

    def command(
        of: Machine, release: Path, *words: str, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        made.called.append(" ".join(words[:3]))
        url = environment.get("DATABASE_URL", "").removeprefix("sqlite:///")
        file = Path(url) if url else of.database
        code = 0
        if words[0] == "-c":
            with monkeypatch.context() as patch:
                patch.setattr(sys, "argv", ["-c", *words[2:]])
                exec(words[1], {})
        elif words[1:3] == ("migrate", "--check"):
            with closing(sqlite3.connect(file)) as base:
                code = base.execute("PRAGMA user_version").fetchone()[0] < number_of(release)
        elif words[1] == "migrate":
            if (release / "bridgebuddy/does-not-migrate").exists():
                return subprocess.CompletedProcess(words, 1, "", "no such column")
            with closing(sqlite3.connect(file)) as base, base:
                base.execute("CREATE TABLE IF NOT EXISTS results (board)")
                base.execute(f"PRAGMA user_version={number_of(release)}")
        return subprocess.CompletedProcess(words, int(code), "", "")

    def root_command(*words: str, **more: object) -> subprocess.CompletedProcess[str]:
        made.called.append(" ".join(words))
        return subprocess.CompletedProcess(words, 0, "", "")

    def try_release(of: Machine, release: Path) -> None:
        with closing(sqlite3.connect((release / "database").resolve())) as base:
            if base.execute("PRAGMA user_version").fetchone()[0] != number_of(release):
                raise UpdateFailed("The new version does not answer.")

    monkeypatch.setattr(building, "_install_packages", packages)
    monkeypatch.setattr(building, "_compile", lambda draft: None)
    monkeypatch.setattr(building, "refuse_full_disk", lambda folder, needed: None)
    monkeypatch.setattr(os, "sync", lambda: None)
    monkeypatch.setattr(databases, "command", command)
    monkeypatch.setattr(services, "root_command", root_command)
    monkeypatch.setattr(versions, "running_services", lambda: ["bridgebuddy.service"])
    monkeypatch.setattr(versions, "try_release", try_release)
    monkeypatch.setattr(versions, "answers", lambda address: made.does_answer)
    return made


def cut_at(change: int, work) -> bool:
    """Do some work in a child process that ends just before a change on the disk; tell whether it came so far."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    left = [change]
    for module, name in CHANGES:
        real = getattr(module, name)

        def counted(*arguments, real=real, **more):
            left[0] -= 1
            if left[0] < 0:
                os._exit(9)
            return real(*arguments, **more)

        setattr(module, name, counted)
    try:
        work()
    finally:
        os._exit(0)


def copied(box: InstalledBox, name: str) -> InstalledBox:
    """Return the same machine as it is, in other folders: links in it lead to its own files."""
    target = box.folder / name
    target.mkdir()
    for part in ("opt", "var", "units", "source"):
        shutil.copytree(box.folder / part, target / part, symlinks=True)
    for link in [*target.rglob("*")]:
        if link.is_symlink() and str(box.folder) in os.readlink(link):
            new = os.readlink(link).replace(str(box.folder), str(target))
            link.unlink()
            link.symlink_to(new)
    other = InstalledBox.__new__(InstalledBox)
    other.folder, other.source, other.called, other.does_answer = (
        target,
        target / "source",
        [],
        True,
    )
    other.machine = Machine(
        target / "opt", target / "var", target / "bridgebuddy.env", target / "units"
    )
    return other


def first(box: InstalledBox) -> None:
    box.get(1)


def update(box: InstalledBox) -> None:
    box.get(1)
    versions.install(box.machine, box.source)
    box.fill(box.machine.database, 1)
    box.get(2)


def update_of_before_releases(box: InstalledBox) -> None:
    box.install_as_before_releases(1)
    box.get(2)


def update_without_migrations(box: InstalledBox) -> None:
    update(box)
    for file in ("bridgebuddy/number", "movements/number"):
        (box.source / file).write_text("1")


@pytest.mark.parametrize("prepare", [update, update_of_before_releases, update_without_migrations])
def test_power_may_fail_at_any_moment_of_an_update(box, prepare):
    prepare(box)
    wanted = number_of(box.source)
    cuts = 0
    for change in range(100):
        other = copied(box, str(change))
        if not cut_at(change, lambda other=other: versions.install(other.machine, other.source)):
            break
        cuts += 1

        program, schema, rows = other.state()
        assert (program, rows) in ((1, ROWS), (wanted, ROWS)), change
        assert schema == program, change

        versions.install(other.machine, other.source)
        assert other.state() == (wanted, wanted, ROWS), change
        shutil.rmtree(other.folder)
    assert cuts > 5


def test_power_may_fail_at_any_moment_of_the_first_installation(box):
    box.get(1)
    for change in range(100):
        other = copied(box, str(change))
        if not cut_at(change, lambda other=other: versions.install(other.machine, other.source)):
            break
        versions.install(other.machine, other.source)
        assert other.state() == (1, 1, 0)
    assert change > 4


def test_power_may_fail_at_any_moment_of_going_back(box):
    update(box)
    versions.install(box.machine, box.source)
    for change in range(100):
        other = copied(box, str(change))
        if not cut_at(change, lambda other=other: versions.back(other.machine)):
            break
        program, schema, rows = other.state()
        assert (schema, rows) == (program, ROWS)
    assert change > 2


def test_going_back_gives_program_and_database_of_before_and_once_more_those_of_after(box):
    update(box)
    versions.install(box.machine, box.source)
    box.fill(box.machine.database, 2)  # an evening with the new version

    versions.back(box.machine)
    assert box.state() == (1, 1, ROWS)
    assert (
        "# 1" in (box.source.parent / "opt/current/deploy/systemd/bridgebuddy.service").read_text()
    )

    versions.back(box.machine)
    assert box.state() == (2, 2, 2 * ROWS)


def test_going_back_over_an_update_without_migrations_keeps_what_was_entered_since(box):
    update_without_migrations(box)
    versions.install(box.machine, box.source)
    box.fill(box.machine.database, 1)

    versions.back(box.machine)

    assert box.state() == (1, 1, 2 * ROWS)


def test_a_migration_that_fails_leaves_the_old_version_running_and_no_copy(box):
    update(box)
    (box.source / "bridgebuddy/does-not-migrate").touch()
    before = sorted(file.name for file in box.machine.var.iterdir())

    with pytest.raises(UpdateFailed, match=r"could not be migrated\.\nno such column"):
        versions.install(box.machine, box.source)

    assert box.state() == (1, 1, ROWS)
    assert sorted(file.name for file in box.machine.var.iterdir()) == before
    assert box.called[-1] == "systemctl start bridgebuddy.service"


def test_a_version_that_does_not_answer_gives_way_to_the_one_before(box):
    update(box)
    shutil.copy(box.folder / "old-unit", box.machine.units / "bridgebuddy.service")
    box.does_answer = False

    with pytest.raises(UpdateFailed, match="The version before runs again"):
        versions.install(box.machine, box.source)

    assert box.state() == (1, 1, ROWS)
    unit = (box.machine.units / "bridgebuddy.service").read_text()
    assert unit.endswith("# 1")


def test_an_interrupted_update_starts_the_server_again(box, monkeypatch):
    update(box)
    monkeypatch.setattr(
        versions, "try_release", lambda *_: os.kill(os.getpid(), 1)
    )  # the terminal closes

    with pytest.raises(UpdateFailed, match="interrupted"):
        versions.install(box.machine, box.source)

    assert box.state() == (1, 1, ROWS)
    assert box.called[-1] == "systemctl start bridgebuddy.service"


def test_of_two_updates_at_once_the_second_is_refused(box):
    update(box)
    with (
        machine.alone(box.machine),
        pytest.raises(UpdateFailed, match="Another update is running"),
    ):
        versions.install(box.machine, box.source)


def test_a_disk_without_room_is_said_before_anything_is_written(box, monkeypatch):
    update(box)
    monkeypatch.setattr(building, "refuse_full_disk", machine.refuse_full_disk)
    monkeypatch.setattr(building, "PACKAGES_SIZE", 1e12)

    with pytest.raises(UpdateFailed, match=r"MB free, and .* MB are needed\. Make room"):
        versions.install(box.machine, box.source)

    assert box.state() == (1, 1, ROWS)


def test_the_folder_in_which_the_program_runs_is_no_source_of_an_update(box):
    box.install_as_before_releases(1)

    with pytest.raises(UpdateFailed, match="is where the program runs"):
        versions.install(box.machine, box.machine.opt)


def test_a_link_that_leads_nowhere_is_never_replaced_by_an_empty_database(box):
    update(box)
    shutil.rmtree(box.machine.opt)

    with pytest.raises(UpdateFailed, match=r"To use it: mv (\S+) (\S+),"):
        versions.install(box.machine, box.source)

    kept = box.machine.var / "bridgebuddy-1.sqlite3"
    kept.rename(box.machine.database)  # as the sentence says
    versions.install(box.machine, box.source)
    assert box.state() == (2, 2, ROWS)


def test_a_database_without_a_program_is_taken_over(box):
    box.get(1)
    box.fill(box.machine.database, 1)

    versions.install(box.machine, box.source)

    assert box.state() == (1, 1, ROWS)


def test_only_the_version_before_is_kept(box):
    update(box)
    versions.install(box.machine, box.source)
    box.get(3)
    versions.install(box.machine, box.source)

    assert sorted(folder.name for folder in box.machine.releases.iterdir()) == ["2", "3"]
    assert len(list((box.machine.opt / "venvs").iterdir())) == 2


def test_what_lay_in_the_folder_itself_goes_with_the_second_update(box):
    update_of_before_releases(box)
    versions.install(box.machine, box.source)
    assert (box.machine.opt / "manage.py").exists()
    box.get(3)
    versions.install(box.machine, box.source)

    names = {".update.lock", "current", "previous", "releases", "venvs"}
    assert {path.name for path in box.machine.opt.iterdir()} == names
    assert box.state() == (3, 3, ROWS)


def test_the_night_deletes_left_databases_after_a_week_and_never_the_one_in_use(box):
    update(box)
    versions.install(box.machine, box.source)
    var = box.machine.var
    long_ago = time.time() - 8 * 24 * 3600
    for file in var.glob("bridgebuddy-*.sqlite3"):
        os.utime(file, (long_ago, long_ago))

    assert backups.delete_old_copies(var) == 1

    assert box.state() == (2, 2, ROWS)
    with pytest.raises(UpdateFailed, match="deleted, as it is after a week"):
        versions.back(box.machine)
    shutil.rmtree(box.machine.opt)  # now the link leads nowhere, and the file may be the only one
    assert backups.delete_old_copies(var) == 0


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("NAME=BridgeBuddy <a@b.org>", "BridgeBuddy <a@b.org>"),
        ('NAME="BridgeBuddy <a@b.org>"', "BridgeBuddy <a@b.org>"),
        ("NAME='four words by heart'", "four words by heart"),
        ("NAME=$5 & more; #7", "$5 & more; #7"),
        ("  NAME = x ", "x"),
        ("NAME=", ""),
    ],
)
def test_settings_are_read_as_systemd_reads_them(tmp_path, line, value):
    file = tmp_path / "env"
    file.write_text(f"# NAME=no\n; NAME=no\n\n{line}\n")

    assert read_environment(file) == {"NAME": value}


def test_a_quote_without_an_end_is_named(tmp_path):
    file = tmp_path / "env"
    file.write_text('SECRET_KEY=x\nBACKUP_PASSPHRASE="four words\n')

    with pytest.raises(UpdateFailed, match="line 2: a quote has no end"):
        read_environment(file)
