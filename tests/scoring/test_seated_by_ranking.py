"""Seats for a second session can follow the order of the results."""

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.factories import director_of, section_with

from .test_tonight import scored_section

pytestmark = pytest.mark.django_db

SENT = {"with_entries": "yes", "name": "Final", "date": "2026-12-01", "starts_at": "19:00"}


def copied(client, section, sit):
    client.force_login(director_of(section.club))
    address = reverse("copy-session", args=[section.code])
    return client.post(f"{address}?second=1", SENT | {"sit": sit})


def test_the_best_sit_first(client):
    section = scored_section(8, "howell", rounds=7)
    [ranking] = ScoredSession(SessionSnapshot(section)).main_lists
    assert copied(client, section, "ranking").status_code == 302
    made = Section.objects.exclude(pk=section.pk).get()
    in_order = made.entries.order_by("position")
    assert [entry.names for entry in in_order] == [standing.names for standing in ranking.standings]
    assert all(entry.contestant for entry in in_order)


def test_without_results_nobody_can_sit_by_them(client):
    section = section_with(8, "howell", round=1)
    assert copied(client, section, "ranking").status_code == 422
    assert Section.objects.count() == 1
