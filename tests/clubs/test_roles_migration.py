"""The migration to several roles keeps all rights."""

import os
import subprocess
import sys

import pytest

from tests.events.test_migrations import empty_database

#: members and invitations of each role, before and after, and again with the role of one column
MIGRATED = """
import django
django.setup()
from tests.events.single_migrations import migrate_singly

old = migrate_singly(("clubs", "0023_model_names"))
club = old.get_model("clubs", "Club").objects.create(name="Lindenhof")
for role in ("director", "helper", "member"):
    user = old.get_model("clubs", "User").objects.create(email=f"{role}@example.org")
    old.get_model("clubs", "Membership").objects.create(club_id=club.pk, user_id=user.pk, role=role)
    old.get_model("clubs", "Invitation").objects.create(
        club_id=club.pk, email=f"{role}@example.org", key=role, role=role, until="2026-11-29T19:00Z"
    )

COLUMNS = ("is_director", "is_helper", "is_scorer", "is_secretary", "is_treasurer")
new = migrate_singly(("clubs", "0025_members_on_the_roster"))
for name in ("Membership", "Invitation"):
    for row in new.get_model("clubs", name).objects.order_by("pk"):
        print(name, *(column for column in COLUMNS if getattr(row, column)))

back = migrate_singly(("clubs", "0023_model_names"))
for name in ("Membership", "Invitation"):
    print(name, *back.get_model("clubs", name).objects.order_by("pk").values_list("role", flat=True))
"""


@pytest.mark.django_db(transaction=True)
def test_directors_helpers_and_members_keep_exactly_their_rights(tmp_path):
    with empty_database(tmp_path) as url:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", MIGRATED],
            env={
                **os.environ,
                "DATABASE_URL": url,
                "DJANGO_SETTINGS_MODULE": "bridgebuddy.settings",
            },
            capture_output=True,
            text=True,
        )

    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        *("Membership is_director", "Membership is_helper", "Membership"),
        *("Invitation is_director", "Invitation is_helper", "Invitation"),
        "Membership director helper member",
        "Invitation director helper member",
    ]
