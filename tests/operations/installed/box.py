"""The club's own box, as `deploy/club-box.sh` makes it."""

from __future__ import annotations

from .debian import SOURCE, debian, packages_of_the_box
from .walk import FAILING, MIGRATION, Walk

UPDATE = f"cd {SOURCE} && sh deploy/club-box.sh"
SQL = "from django.db import connection; connection.cursor().execute('{}')"


def walk_a_box() -> list[str]:
    """Install, break and update a club's box; return the rows of its table."""
    with debian(packages_of_the_box()) as machine:
        here = "http://127.0.0.1"
        walk = Walk(machine, UPDATE, f"{UPDATE} back", address=here, health=here)
        install(walk)
        walk.do_a_job()
        walk.night_backup_restore("systemctl stop bridgebuddy", "systemctl start bridgebuddy")
        failing_updates(walk)
        power_cuts(walk)
        walk.update_and_back()
        return walk.rows


def install(walk: Walk) -> None:
    walk.machine.must(UPDATE)
    assert walk.answers(), walk.machine.logs()
    walk.begin()
    walk.look()
    walk.restart()
    walk.look()
    walk.note("installed by `sudo sh deploy/club-box.sh`, power cut", "nothing")


def failing_updates(walk: Walk) -> None:
    migration = MIGRATION.format(work="pass")
    walk.source("the new", lock="# another\n")
    walk.fails(
        "update without a network", "Packages could not be installed", PIP_FIND_LINKS="/none"
    )
    walk.source("the new", urls="\nurlpatterns.append(nothing)\n")
    walk.fails("update to a program that does not load", "The new version does not load")
    walk.source("the new", migration=MIGRATION.format(work=FAILING))
    walk.fails("update whose migration fails", "The database could not be migrated.")
    walk.source(
        "the new", migration=migration, serve="\nCommand.handle = lambda *a, **b: print('no')\n"
    )
    walk.fails("update to a server that does not start", "The new version does not answer.")
    walk.source(
        "the new", migration=migration, box="\n[Service]\nExecStart=/bin/false serve --port 80\n"
    )
    short = {"BRIDGEBUDDY_PATIENCE": "25"}  # this one never answers
    walk.fails("update whose unit is wrong", "The version before runs again.", **short)
    walk.source("the new", migration=migration)
    held = f"cd {SOURCE} && flock /opt/bridgebuddy/.update.lock sh deploy/club-box.sh"
    walk.fails("two updates at once", "Another update is running.", held)
    walk.shell(SQL.format("CREATE TABLE filling AS SELECT zeroblob(20000000)"))
    full = f"ulimit -f 20000; {UPDATE}"  # blocks of 512 bytes: nothing larger than 10 MB can be written
    walk.fails("no room for the copy of the database", "The database could not be copied.", full)
    walk.shell(SQL.format("DROP TABLE filling"))


def power_cuts(walk: Walk) -> None:
    """Pull the plug at each step: the version before or the new one runs afterwards, with its database."""
    for line in (
        "Building the new version",
        "Copying the database",
        "Migrating the database",
        "Trying the new version",
        "Starting the server",
    ):
        walk.cut_power_at(line)
        assert walk.answers(), walk.machine.logs()
        walk.look()
        walk.note(f"power cut at *{line}*", "nothing")
        if walk.version() != "the first":
            walk.machine.must(walk.back)
            assert walk.answers()
