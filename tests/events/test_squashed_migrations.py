"""Squashed migrations make the tables that the migrations of all releases make."""

import json
import os
import subprocess
import sys

import pytest
from django.db.migrations.loader import MigrationLoader

from tests.events.single_migrations import newest_single_migrations
from tests.events.test_migrations import empty_database

#: the newest migration of each app in a release; other apps have had one migration since their first release
RELEASES = {
    "0.9.0": {
        "audit": "0001_initial",
        "clubs": "0021_last_check_of_the_database",
        "events": "0024_seats_in_turn",
        "publication": "0006_changes_wait",
        "scoring": "0014_first_final_and_withdrawn",
        "seasons": "0013_no_kept_rating",
        "coming": "0006_not_asked",
        "tables": "0005_whose_call",
        "money": None,
    },
    "0.11.0": {
        "audit": "0002_model_names",
        "clubs": "0027_connected_accounts",
        "events": "0025_past_identifier",
        "publication": "0013_member_mails_back",
        "scoring": "0016_model_names",
        "seasons": "0017_drop_form_before",
        "coming": "0009_contact",
        "tables": "0006_model_names",
    },
}

#: migrates an empty database to single migrations, if any are named, and then as an update does; prints all tables
TABLES = """
import json, sys
import django
django.setup()
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from tests.events.single_migrations import migrate_singly

if targets := json.loads(sys.argv[1]):
    migrate_singly(*map(tuple, targets))
call_command("migrate", verbosity=0)
call_command("migrate", check_unapplied=True, verbosity=0)  # exits where there are any

declared = {
    rule.name for model in apps.get_models() for rule in [*model._meta.constraints, *model._meta.indexes]
}
tables = {}
with connection.cursor() as cursor:
    for table in connection.introspection.table_names(cursor):
        if table == "django_migrations":
            continue
        columns = connection.introspection.get_table_description(cursor, table)
        constraints = connection.introspection.get_constraints(cursor, table)
        tables[table] = [
            # in a table that was altered, columns stand in another order
            sorted(str([c.name, str(c.type_code), c.internal_size, c.null_ok, c.default, c.collation]) for c in columns),
            # Django names the others by the table's first name and a checksum
            sorted(
                str([name if name in declared else "", sorted(facts.items())])
                for name, facts in constraints.items()
            ),
        ]
print(json.dumps(tables))
"""


def tables(folder, targets):
    """Return the columns and constraints of a database with all migrations, by their tables."""
    with empty_database(folder) as url:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", TABLES, json.dumps(targets)],
            env={
                **os.environ,
                "DATABASE_URL": url,
                "VAR_DIR": str(folder),  # an update writes a backup there
                "DJANGO_SETTINGS_MODULE": "bridgebuddy.settings",
            },
            capture_output=True,
            text=True,
        )
    assert done.stderr == ""
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.django_db(transaction=True)
def test_a_database_of_each_release_gets_the_tables_of_a_new_one(tmp_path):
    (tmp_path / "new").mkdir()
    new = tables(tmp_path / "new", [])

    assert len(new) > 60
    for release, names in RELEASES.items():
        folder = tmp_path / release
        folder.mkdir()
        newest = newest_single_migrations() | names
        targets = [[app, name] for app, name in newest.items() if name]
        assert tables(folder, targets) == new, release


def test_every_migration_of_an_app_is_in_its_squashed_one():
    """A new migration follows the squashed one, or is squashed with the others before a release."""
    disk = MigrationLoader(None).disk_migrations
    squashed = {app: migration for (app, _), migration in disk.items() if migration.replaces}

    assert sorted(squashed) == [
        *("clubs", "coming", "events", "publication", "scoring", "seasons", "tables")
    ]
    for app, migration in squashed.items():
        last = migration.replaces[-1]
        singles = sorted(key for key in disk if key[0] == app and not disk[key].replaces)
        assert migration.replaces == singles[: singles.index(last) + 1], app
        assert migration.name == f"0001_squashed_{last[1][:4]}"
