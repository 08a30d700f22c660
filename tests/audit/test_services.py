"""The audit record keeps who did what, with what, why and when."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.audit.services import add_record
from tests.factories import ClubFactory, section_with

pytestmark = pytest.mark.django_db

#: turns the writing direction of all that follows it on a line
RIGHT_TO_LEFT = "\u202e"


def test_a_record_names_the_user_the_action_and_the_thing(alice, club, monkeypatch):
    section_with(3, club=club, by=alice)
    section = section_with(3, club=club, by=alice)
    assert section.pk != alice.pk
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)

    made = add_record("section.swap", section, by=alice, reason="sat wrong", before=[1], after=[])

    record = AuditRecord.objects.get(pk=made.pk)
    assert (record.action, record.subject, record.subject_id) == (
        "section.swap",
        "section",
        section.pk,
    )
    assert (record.by, record.reason) == (alice, "sat wrong")
    assert record.facts == {"before": [1], "after": []}
    assert record.at == now


def test_a_record_of_the_program_itself_has_no_user_and_no_facts(club):
    record = add_record("club.tidy", club, by=None)

    record.refresh_from_db()
    assert (record.by, record.reason, record.facts) == (None, "", {})


def test_a_reason_cannot_turn_the_line_that_it_stands_on(alice, club):
    record = add_record("club.x", club, by=alice, reason=f"{RIGHT_TO_LEFT}late")

    record.refresh_from_db()
    assert record.reason == "late"


def test_two_things_of_one_number_keep_their_records_apart(alice, club):
    section = section_with(3, club=club, by=alice)
    add_record("section.x", section, by=alice)
    add_record("club.x", club, by=alice)

    of_section = AuditRecord.objects.filter(subject="section", subject_id=section.pk)
    assert of_section.filter(action="section.x").exists()
    assert not of_section.filter(action="club.x").exists()


def test_the_newest_record_comes_first(alice, club, monkeypatch):
    now = timezone.now()
    records = []
    for minutes in (0, 1, 1):  # two in one moment
        monkeypatch.setattr(timezone, "now", lambda at=now + timedelta(minutes=minutes): at)
        records.append(add_record(f"club.{len(records)}", club, by=alice))

    assert list(AuditRecord.objects.filter(subject="club", subject_id=club.pk))[:3] == records[::-1]


def test_a_record_whose_facts_lose_a_name_keeps_its_time(alice, club, monkeypatch):
    record = add_record("club.x", club, by=alice, names="Ann Lee")
    at = record.at
    monkeypatch.setattr(timezone, "now", lambda: at + timedelta(days=1))

    record.facts = {"names": "a player"}
    record.save()

    record.refresh_from_db()
    assert record.at == at


def test_records_outlive_their_user(alice):
    other = ClubFactory()
    record = add_record("club.x", other, by=alice)

    alice.delete()

    record.refresh_from_db()
    assert record.by is None


def test_a_record_is_stored_with_its_change_or_not_at_all(alice, club):
    before = AuditRecord.objects.count()
    with transaction.atomic():
        add_record("club.x", club, by=alice)
        transaction.set_rollback(True)

    assert AuditRecord.objects.count() == before


def test_a_record_reads_as_time_action_and_number(club):
    record = add_record("club.x", club, by=None)

    record.at = record.at.replace(hour=19, minute=5)
    assert str(record) == f"19:05 club.x {club.pk}"
