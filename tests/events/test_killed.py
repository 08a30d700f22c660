"""The program killed in the middle of a change leaves the old state or the new one, never half."""

import pytest

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.setup import entries, movement
from tests.factories import director_of, section_with
from tests.killed import killed_in


@pytest.mark.django_db(transaction=True)
def test_a_killed_round_has_not_begun(monkeypatch):
    section = section_with(16, "skip-mitchell", round=2)
    by = director_of(section.club)
    before = Section.objects.values().get(pk=section.pk)

    killed_in(lambda: rounds.start_next_round(section, after=2, by=by), monkeypatch)

    assert Section.objects.values().get(pk=section.pk) == before
    assert rounds.start_next_round(section, after=2, by=by).round == 3


@pytest.mark.django_db(transaction=True)
def test_a_killed_entry_or_movement_leaves_nothing_behind(monkeypatch):
    section = section_with(6)
    by = director_of(section.club)
    records = AuditRecord.objects.count()

    killed_in(lambda: entries.add_pairs(section, [("Eve Adams", "Max Late")], by=by), monkeypatch)
    killed_in(
        lambda: movement.choose_movement(section, "mitchell", boards_per_round=3, by=by),
        monkeypatch,
    )

    section = Section.objects.get(pk=section.pk)
    assert (section.entries.count(), section.movement, section.round) == (6, None, 0)
    assert AuditRecord.objects.count() == records
