"""An installed BridgeBuddy with an evening in play, and the table of the faults that it has survived."""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass, field

from .debian import SOURCE, Debian, copy_program

#: seconds that the installer waits for a server
PATIENCE = {"BRIDGEBUDDY_PATIENCE": "100"}
BEGAN = time.monotonic()
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
FILES = {
    "migration": "bridgebuddy/jobs/migrations/0002_of_the_new_version.py",
    "urls": "bridgebuddy/urls.py",
    "serve": "bridgebuddy/clubs/management/commands/serve.py",
    "lock": "requirements.lock",
    "box": "deploy/systemd/bridgebuddy.service",
    "server": "deploy/systemd/bridgebuddy@.service",
}
SOLVE = """
from bridgebuddy.events.models import Session
from bridgebuddy.scoring.models import Deal
from bridgebuddy.scoring.services.cards.solving import request_solving
Deal.objects.create(session=Session.objects.first(), board=1,
    pbn="N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3")
request_solving()
"""
SOLVED = """
from bridgebuddy.deals.models import DoubleDummy
print('solved', DoubleDummy.objects.exclude(tricks='').filter(deal__contains='QJ6.K652').count())
"""
#: the demo club's season, which a job plays: until then the list of sessions changes by itself
PLAYED = """
from bridgebuddy.events.models import Section
print('played', Section.objects.exclude(finished_at=None).count())
"""
SEASON = "played 14"
CLUB = "from bridgebuddy.clubs.models import Club; {}print(Club.objects.first())"


@dataclass
class Walk:
    """A machine with BridgeBuddy and the table of the faults that it survived."""

    machine: Debian
    #: the commands of an update and of going back
    update: str
    back: str
    #: where a browser on the machine finds it, and where the server itself answers
    address: str
    health: str
    #: where the operator has the source
    source_folder: str = SOURCE
    password: str = ""
    codes: list[str] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)

    def note(self, step: str, said: str, version: str = "", works: str = "all") -> None:
        self.rows.append(f"| {step} | {said} | {version or self.version()} | {works} |")
        print(f"{time.monotonic() - BEGAN:4.0f} s  {step}: {said}; {works}", flush=True)

    def version(self) -> str:
        text = self.machine.must(
            "cat /opt/bridgebuddy/current/bridgebuddy/marker 2>/dev/null || true"
        )
        return text.strip() or "the first"

    def begin(self, *options: str) -> None:
        """Make a club with an evening in play."""
        said = self.machine.must(" ".join(["bridgebuddy demo", *options]))
        self.password = re.findall(r"password\s+(\S+)", said)[0]
        self.wait_for(PLAYED, SEASON)

    def look(self) -> None:
        """See that everything works, as a director does."""
        told = self.machine.must(
            f"visitor.py {self.address} director@example.org '{self.password}'", "[]"
        )
        data = json.loads(told.splitlines()[-1])
        broken = {path: status for path, status in data["help"].items() if status != 200}
        assert broken == {}
        assert len(data["help"]) >= 30, data["help"]
        assert (data["is_signed_in"], data["is_german"]) == (True, True), data
        pdfs = [sheet for sheet in data["printed"].values() if sheet[0] == 200]
        assert any(sheet[1] == "%PDF" and sheet[2] > 5000 for sheet in pdfs), data["printed"]
        self.codes = self.codes or data["codes"]
        assert len(self.codes) > 1
        assert data["codes"] == self.codes

    def answers(self) -> bool:
        ask = f"import urllib.request as u; print(u.urlopen('{self.health}/healthz', timeout=5).status)"
        until = time.monotonic() + 100
        while time.monotonic() < until:
            if self.machine.run(f'python3 -c "{ask}"')[1].strip() == "200":
                return True
            time.sleep(0.3)
        return False

    def restart(self) -> None:
        self.machine.cut_power()
        self.machine.boot()
        assert self.answers(), self.machine.logs()

    def source(self, marker: str = "", **changes: str) -> None:
        """Put a version where the operator gets it from; its files may be changed or added."""
        folder = copy_program(self.machine.root)
        if marker:
            (folder / "bridgebuddy/marker").write_text(marker)
        for name, text in changes.items():
            file = folder / FILES[name]
            file.write_text(text if name == "migration" else file.read_text() + text)

    def fails(self, step: str, sentence: str, update: str = "", **environment: str) -> None:
        """Run an update that must fail with a sentence; the version before runs, also after a power cut."""
        code, said = self.machine.run(update or self.update, **{**PATIENCE, **environment})
        assert code == 1, said
        assert sentence in said, said
        assert self.answers(), said
        self.restart()
        self.look()
        assert self.version() == "the first"
        self.note(step, sentence)

    def cut_power_at(self, line: str) -> None:
        """Pull the plug as soon as the update says a line."""
        update = self.machine.start(self.update, **PATIENCE)
        assert update.stdout is not None
        for said in update.stdout:
            if line in said:
                break
        else:
            raise AssertionError(f"the update never said: {line}")
        self.machine.cut_power()
        update.wait()
        update.stdout.close()
        self.machine.boot()

    def shell(self, code: str) -> str:
        """Run Python with the installed program."""
        return self.machine.must(
            'cat >/tmp/code.py && bridgebuddy shell -c "$(cat /tmp/code.py)"', code
        )

    def wait_for(self, question: str, answer: str) -> None:
        """Ask the program until a job has done its work."""
        until = time.monotonic() + 1200
        while answer not in self.shell(question):
            assert time.monotonic() < until, self.machine.logs()
            time.sleep(1)

    # ── steps of both kinds of machines ──

    def do_a_job(self) -> None:
        self.shell(SOLVE)
        self.wait_for(SOLVED, "solved 1")
        self.note("a job: double dummy of a deal", "nothing")

    def night_backup_restore(self, stop: str, start: str) -> None:
        self.machine.must("systemctl start bridgebuddy-night")
        self.machine.must("ls /var/lib/bridgebuddy/backup-[1-7]")
        self.machine.must("bridgebuddy backup /tmp/by-hand")
        before = self.shell(CLUB.format(""))
        self.shell(CLUB.format("Club.objects.update(name='Renamed'); "))
        self.machine.must(f"{stop} && bridgebuddy restore --yes /tmp/by-hand && {start}")
        assert self.shell(CLUB.format("")) == before
        self.restart()
        self.look()
        self.note("night's work, `bridgebuddy backup`, `bridgebuddy restore`", "nothing")

    def update_and_back(self) -> None:
        self.machine.must(self.update, **PATIENCE)
        assert self.answers()
        self.restart()
        self.look()
        assert self.version() == "the new"
        self.note("update with a migration", "nothing")
        self.machine.must(self.back)
        self.restart()
        self.look()
        assert self.version() == "the first"
        self.note("back to the version before", "nothing")
