"""Install, use, break and update BridgeBuddy as the documents say, in a Debian of its own: `make installed`.

Writes docs/dev/installed.md: each step, and what still worked after it. Says why where it cannot run.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from .debian import ROOT, SOURCE, CannotRun, Debian, copy_program, debian

PAGE = ROOT / "docs/dev/installed.md"
UPDATE = f"cd {SOURCE} && sh deploy/club-box.sh"
BACK = f"{UPDATE} back"
#: seconds that the installer waits for a server
PATIENCE = {"BRIDGEBUDDY_PATIENCE": "100"}
FAILING = "raise RuntimeError('this migration fails')"
MIGRATION = """
from django.db import migrations

def work(apps, editor):
    {work}

class Migration(migrations.Migration):
    dependencies = [("jobs", "0001_jobs")]
    operations = [
        migrations.RunSQL("CREATE TABLE of_the_new_version (id integer)", "DROP TABLE of_the_new_version"),
        migrations.RunPython(work),
    ]
"""
HEAD = """# What an installation survives

Written by `make installed`: BridgeBuddy is installed in a Debian root of its own by `deploy/club-box.sh`, with a club and an
evening in play, and walks through these steps. After each step the machine loses its power and starts again. "All" means:
the server answers, all sessions of the director are there, every help page is 200, table cards are printed as PDF,
pages are translated.

systemd is played by a small program that does what the units say (`tests/operations/installed/systemctl.py`).

| step | what the operator reads | the version that runs | what still works |
|---|---|---|---|
"""


@dataclass
class Walk:
    """A club's box and the table of what it survived."""

    box: Debian
    password: str = ""
    codes: list[str] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)

    def note(self, step: str, said: str, version: str = "", works: str = "all") -> None:
        self.rows.append(f"| {step} | {said} | {version or self.version()} | {works} |")
        print(f"{time.monotonic() - BEGAN:4.0f} s  {step}: {said}; {works}", flush=True)

    def version(self) -> str:
        text = self.box.must("cat /opt/bridgebuddy/current/bridgebuddy/marker 2>/dev/null || true")
        return text.strip() or "the first"

    def look(self) -> None:
        """See that everything works, as a director does."""
        told = self.box.must(f"visitor.py 80 director@example.org '{self.password}'", "[]")
        found = json.loads(told.splitlines()[-1])
        broken = {path: status for path, status in found["help"].items() if status != 200}
        assert broken == {}
        assert len(found["help"]) >= 30, found["help"]
        assert (found["is_signed_in"], found["is_german"]) == (True, True), found
        pdfs = [sheet for sheet in found["printed"].values() if sheet[0] == 200]
        assert any(sheet[1] == "%PDF" and sheet[2] > 5000 for sheet in pdfs), found["printed"]
        self.codes = self.codes or found["codes"]
        assert len(self.codes) > 1
        assert found["codes"] == self.codes

    def answers(self) -> bool:
        ask = "import urllib.request as u; print(u.urlopen('http://127.0.0.1/healthz', timeout=5).status)"
        for _ in range(100):
            if self.box.run(f'python3 -c "{ask}"')[1].strip() == "200":
                return True
            time.sleep(0.3)
        return False

    def restart(self) -> None:
        self.box.cut_power()
        self.box.boot()
        assert self.answers(), self.box.logs()

    def source(self, marker: str = "", **changes: str) -> None:
        """Put a version into the volunteer's folder, as `git pull` does; its files may be changed or added."""
        folder = copy_program(self.box.root)
        if marker:
            (folder / "bridgebuddy/marker").write_text(marker)
        for name, text in changes.items():
            file = folder / FILES[name]
            file.write_text(text if name == "migration" else file.read_text() + text)

    def fails(self, step: str, sentence: str, update: str = UPDATE, **environment: str) -> None:
        """Run an update that must fail with a sentence; the version before runs, also after a power cut."""
        code, said = self.box.run(update, **{**PATIENCE, **environment})
        assert code == 1, said
        assert sentence in said, said
        assert self.answers(), said
        self.restart()
        self.look()
        assert self.version() == "the first"
        self.note(step, sentence)

    def power_cut_at(self, line: str) -> None:
        """Pull the plug as soon as the update says a line; the version before or the new one runs afterwards."""
        update = self.box.start(UPDATE, **PATIENCE)
        assert update.stdout is not None
        for said in update.stdout:
            if line in said:
                break
        else:
            raise AssertionError(f"the update never said: {line}")
        self.restart()
        update.wait()
        update.stdout.close()
        self.look()
        self.note(f"power cut at *{line}*", "nothing")
        if self.version() != "the first":
            self.box.must(BACK)
            assert self.answers()


FILES = {
    "migration": "bridgebuddy/jobs/migrations/0002_of_the_new_version.py",
    "urls": "bridgebuddy/urls.py",
    "serve": "bridgebuddy/clubs/management/commands/serve.py",
    "lock": "requirements.lock",
    "unit": "deploy/systemd/bridgebuddy.service",
}
BEGAN = time.monotonic()
SOLVE = """
from bridgebuddy.events.models import Session
from bridgebuddy.scoring.models import Deal
from bridgebuddy.scoring.services.solving import ask_to_solve
Deal.objects.create(session=Session.objects.first(), board=1,
    pbn="N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3")
ask_to_solve()
"""
SOLVED = "from bridgebuddy.deals.models import DoubleDummy as D; print('solved', D.objects.exclude(tricks='').filter(deal__contains='QJ6.K652').count())"


#: the demo club's season, which a job plays: until then the list of sessions changes by itself
PLAYED = "from bridgebuddy.events.models import Section as S; print('played', S.objects.exclude(finished_at=None).count())"
SEASON = "played 14"

SQL = "bridgebuddy shell -c \"from django.db import connection; connection.cursor().execute('{}')\""


def first_installation(walk: Walk) -> None:
    box = walk.box
    box.must(UPDATE)
    assert walk.answers(), box.logs()
    said = box.must("bridgebuddy demo")
    walk.password = re.findall(r"password\s+(\S+)", said)[0]
    _wait_for(walk, PLAYED, SEASON)
    walk.look()
    walk.restart()
    walk.look()
    walk.note("installed by `sudo sh deploy/club-box.sh`, power cut", "nothing")


def _wait_for(walk: Walk, question: str, answer: str) -> None:
    """Ask the program until a job has done its work."""
    until = time.monotonic() + 240
    while answer not in walk.box.must(f'bridgebuddy shell -c "{question}"'):
        assert time.monotonic() < until, walk.box.logs()
        time.sleep(1)


def job(walk: Walk) -> None:
    walk.box.must('cat >/tmp/deal.py && bridgebuddy shell -c "$(cat /tmp/deal.py)"', SOLVE)
    _wait_for(walk, SOLVED, "solved 1")
    walk.note("a job: double dummy of a deal", "nothing")


def night_backup_restore(walk: Walk) -> None:
    box = walk.box
    box.must("systemctl start bridgebuddy-night")
    box.must("ls /var/lib/bridgebuddy/backup-[1-7]")
    box.must("bridgebuddy backup /tmp/by-hand")
    rename = "from bridgebuddy.clubs.models import Club; Club.objects.update(name='{}'); print(Club.objects.first())"
    box.must(f'bridgebuddy shell -c "{rename.format("Renamed")}"')
    box.must(
        "systemctl stop bridgebuddy && bridgebuddy restore --yes /tmp/by-hand && systemctl start bridgebuddy"
    )
    told = box.must(
        'bridgebuddy shell -c "from bridgebuddy.clubs.models import Club; print(Club.objects.first())"'
    )
    assert "Lindenhof" in told, told
    walk.restart()
    walk.look()
    walk.note("night's work, `bridgebuddy backup`, `bridgebuddy restore`", "nothing")


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
        "the new", migration=migration, unit="\n[Service]\nExecStart=/bin/false serve --port 80\n"
    )
    short = {"BRIDGEBUDDY_PATIENCE": "25"}  # this one never answers
    walk.fails("update whose unit is wrong", "The version before runs again.", **short)
    walk.source("the new", migration=migration)
    held = f"cd {SOURCE} && flock /opt/bridgebuddy/.update.lock sh deploy/club-box.sh"
    walk.fails("two updates at once", "Another update is running.", held)
    walk.box.must(SQL.format("CREATE TABLE filling AS SELECT zeroblob(20000000)"))
    full = f"ulimit -f 20000; {UPDATE}"  # blocks of 512 bytes: nothing larger than 10 MB can be written
    walk.fails("no room for the copy of the database", "The database could not be copied.", full)
    walk.box.must(SQL.format("DROP TABLE filling"))


def power_cuts(walk: Walk) -> None:
    for line in (
        "Building the new version",
        "Copying the database",
        "Migrating the database",
        "Trying the new version",
        "Starting the server",
    ):
        walk.power_cut_at(line)


def update_and_back(walk: Walk) -> None:
    walk.box.must(UPDATE, **PATIENCE)
    assert walk.answers()
    walk.restart()
    walk.look()
    assert walk.version() == "the new"
    walk.note("update with a migration", "nothing")
    walk.box.must(BACK)
    walk.restart()
    walk.look()
    assert walk.version() == "the first"
    walk.note("`sudo sh deploy/club-box.sh back`", "nothing")


STEPS: tuple[Callable[[Walk], None], ...] = (
    first_installation,
    job,
    night_backup_restore,
    failing_updates,
    power_cuts,
    update_and_back,
)


def main() -> int:
    try:
        with debian() as box:
            walk = Walk(box)
            for step in STEPS:
                step(walk)
    except CannotRun as why:
        print(f"NOT RUN: the installation in a Debian root, because {why}.")
        return 0
    PAGE.write_text(HEAD + "\n".join(walk.rows) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
