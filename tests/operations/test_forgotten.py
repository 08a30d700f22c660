"""A forgotten name is nowhere: in no row of any table, no file, no backup made after, no log, on no public page."""

import io
import logging
import re
import tarfile
import zipfile
from pathlib import Path
from unittest.mock import patch

import pytest
from django.core.cache import caches
from django.core.management import call_command
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.services.lifecycle import forgetting
from bridgebuddy.jobs import kinds
from bridgebuddy.jobs import services as jobs
from bridgebuddy.jobs.models import Job
from bridgebuddy.publication.models import BridgeWebsUpload
from bridgebuddy.registration.models import UnconfirmedName
from bridgebuddy.scoring.files.exports import FORMATS, exported_file
from bridgebuddy.scoring.services import publishing
from bridgebuddy.seasons.models import ManualHandicap
from tests.events.test_forgetting import played
from tests.factories import section_with
from tests.players.test_public_names import everything_public
from tests.scoring.test_tonight import enter_by_chance

pytestmark = pytest.mark.django_db(transaction=True)
__all__ = ["played"]  # a fixture
#: every spelling that was ever typed
TOLD = ("brandt", "hanna", "hana", "fischer")
#: not within what may be coded: four letters come about there by chance
SPELLINGS = re.compile(f"(?<![a-z0-9+/])({'|'.join(TOLD)})")


def tells(text):
    """Return the spellings in a text of any kind."""
    found = text if isinstance(text, str) else bytes(text).decode("latin-1")
    return SPELLINGS.findall(found.casefold())


def around(data):
    """Return the surroundings of each spelling in a file; they tell where it came from."""
    text = data.decode("latin-1").casefold()
    return [
        text[max(0, found.start() - 60) : found.end() + 60] for found in SPELLINGS.finditer(text)
    ]


def tables_that_tell():
    """Return the tables that have a spelling; the list of tables comes from the database, not from the models."""
    found = set()
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            if any(tells(repr(row)) for row in cursor.fetchall()):
                found.add(table)
    return found


def written_by_others(section, by):
    """Write other people's texts about the two: reasons, typed names, an upload's answer, a failed job."""
    other = section.entries.first().players[0]
    ManualHandicap.objects.create(person=other, handicap=2, reason="She plays with Frau Brandt")
    coming = section_with(4, club=section.club, by=by).session
    UnconfirmedName.objects.create(session=coming, name="Brandt, Hanna", since=timezone.now())
    UnconfirmedName.objects.create(
        session=coming, by=other, name=other.name, partner="Karl Fisher", since=timezone.now()
    )
    BridgeWebsUpload.objects.create(
        session=section.session, at=timezone.now(), answer="Unknown player: Hanna Brandt"
    )

    def refuse(_key):
        raise ValueError("hanna.brandt@example.org is refused")

    with patch.dict(kinds.KINDS, {"refused": kinds.JobKind(refuse, tries=1, seconds=9)}):
        jobs.request_job("refused")
        while Job.objects.filter(kind="refused", given_up_at=None).exists():
            assert jobs.run_next_job()


def test_a_forgotten_name_is_nowhere(played, alice, club, signed_in, client, tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    for name in ("default", "sheets"):  # what former tests have left there, until it expires
        caches[name].clear()
    connection.close()  # as in a process of its own: former tests opened the database's files in their own ways
    enter_by_chance(played)
    written_by_others(played, alice)
    token = publishing.publish_results(played, by=alice).token
    kept, director = reverse("club-data", args=[club.pk, "zip"]), signed_in(alice)
    assert {"clubs_person", "audit_auditrecord", "events_sectionmovement"} <= tables_that_tell()
    assert any(map(tells, everything_public(client, played, token).values()))
    call_command("backup", str(tmp_path / "of before"), stdout=io.StringIO())
    caplog.clear()

    for name in ("Hanna Brandt", "Karl Fischer"):
        forgetting.anonymise_person(Person.objects.get(name=name), by=alice)

    call_command("night", str(tmp_path), stdout=io.StringIO())

    assert tables_that_tell() == set()
    found = {file.name: around(file.read_bytes()) for file in files_of_the_database()}
    assert found == {name: [] for name in found}
    public = everything_public(client, played, token)
    assert [address for address, text in public.items() if tells(text)] == []
    assert [name for name in FORMATS if tells(exported_file(played, name))] == []
    archive = zipfile.ZipFile(io.BytesIO(director.get(kept).content))
    assert [name for name in archive.namelist() if tells(archive.read(name))] == []
    assert tells(director.get(reverse("history", args=[played.code]), follow=True).content) == []
    call_command("backup", str(tmp_path / "of after"), stdout=io.StringIO())
    databases = {name: database_in(tmp_path / f"of {name}") for name in ("before", "after")}
    if connection.vendor == "sqlite":  # the other one is compressed
        assert tells(databases["before"])
    assert tells(databases["after"]) == []
    logged = [
        record for record in caplog.records if record.name != "django.db.backends"
    ]  # of tests alone
    assert [record.getMessage() for record in logged if tells(record.getMessage())] == []


def files_of_the_database():
    """The database's own file with the two that SQLite keeps beside it; none where it is no file."""
    if connection.vendor != "sqlite":
        return []
    name = str(connection.settings_dict["NAME"])
    return [file for end in ("", "-wal", "-shm") if (file := Path(f"{name}{end}")).exists()]


def database_in(file):
    with tarfile.open(file) as whole:
        return whole.extractfile("database").read()
