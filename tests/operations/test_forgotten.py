"""A forgotten name is nowhere: in no row of any table, no file, no backup made after, no log, on no public page."""

import io
import logging
import re
import tarfile
import zipfile

import pytest
from django.core.cache import caches
from django.core.management import call_command
from django.db import connection
from django.urls import reverse

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.services import forgetting
from bridgebuddy.scoring.queries.files import FORMATS, file_of
from bridgebuddy.scoring.services import publishing
from tests.events.test_forgetting import played
from tests.players.test_public_names import everything_public
from tests.scoring.test_tonight import enter_by_chance

pytestmark = pytest.mark.django_db(transaction=True)
__all__ = ["played"]  # a fixture
#: every spelling that was ever typed
TOLD = ("brandt", "hanna", "hana", "fischer")
#: not within what may be coded: four letters come about there by chance
SPELLINGS = re.compile(f"(?<![a-z0-9+/])({'|'.join(TOLD)})")


def tells(text):
    """The spellings that stand in a text, whatever it is."""
    found = text if isinstance(text, str) else bytes(text).decode("latin-1")
    return SPELLINGS.findall(found.casefold())


def tables_that_tell():
    """The tables of the whole database in which a spelling stands: as the database has them, whoever made them."""
    found = set()
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            if any(tells(repr(row)) for row in cursor.fetchall()):
                found.add(table)
    return found


def test_a_forgotten_name_is_nowhere(played, alice, club, signed_in, client, tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    for name in ("default", "sheets"):  # what former tests have left there, until it expires
        caches[name].clear()
    enter_by_chance(played)
    token = publishing.publish(played, by=alice).token
    kept, director = reverse("club-data", args=[club.pk, "zip"]), signed_in(alice)
    assert {"clubs_person", "audit_record", "events_sectionmovement"} <= tables_that_tell()
    assert any(map(tells, everything_public(client, played, token).values()))
    call_command("backup", str(tmp_path / "of before"), stdout=io.StringIO())
    caplog.clear()

    for name in ("Hanna Brandt", "Karl Fischer"):
        forgetting.anonymise(Person.objects.get(name=name), by=alice)

    assert tables_that_tell() == set()
    public = everything_public(client, played, token)
    assert [address for address, text in public.items() if tells(text)] == []
    assert [name for name in FORMATS if tells(file_of(played, name))] == []
    archive = zipfile.ZipFile(io.BytesIO(director.get(kept).content))
    assert [name for name in archive.namelist() if tells(archive.read(name))] == []
    assert tells(director.get(reverse("history", args=[played.code])).content) == []
    call_command("backup", str(tmp_path / "of after"), stdout=io.StringIO())
    databases = {name: database_in(tmp_path / f"of {name}") for name in ("before", "after")}
    if connection.vendor == "sqlite":  # the other one is compressed
        assert tells(databases["before"])
    assert tells(databases["after"]) == []
    logged = [one for one in caplog.records if one.name != "django.db.backends"]  # of tests alone
    assert [one.getMessage() for one in logged if tells(one.getMessage())] == []


def database_in(file):
    with tarfile.open(file) as whole:
        return whole.extractfile("database").read()
