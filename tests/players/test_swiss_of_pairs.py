"""A Swiss of pairs, as players read it: victory points count, and every match is there."""

import random

import pytest
from django.urls import reverse

from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.services.publishing import publish_results as publish_results
from tests.director.reading import text
from tests.factories import director_of
from tests.scoring.test_drawing import play_on, score, swiss
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db


@pytest.fixture
def section(db):
    """Return nine pairs after two rounds with a bye each."""
    section, rng = swiss(9, rounds=2), random.Random(3)
    score(section, rng)
    play_on(section, director_of(section.club), rng)
    publish_results(section, by=director_of(section.club))
    return section


def test_everybody_reads_that_points_are_victory_points_and_what_each_match_was_worth(
    client, section
):
    token = ScoringSettings.objects.get(session=section.session).token
    found = text(client.get(reverse("public-results", args=[token])))
    assert "Matchpoints, Victory points" in found
    assert "Number Names VP" in found

    listed = client.get(reverse("public-matches", args=[token]))
    assert "Everybody against everybody" in text(listed)
    assert "Bye" in text(listed)
    address = reverse("public-match", args=[token, "A", 1, "2", "6"])
    assert address in listed.content.decode()
    match = text(client.get(address))
    assert "2 % 6 %" in match

    total = 0
    for label in ("1", "2"):
        sheet = client.get(reverse("my-results", args=[section.code, label]))
        total += text(sheet).count(" VP")
    assert total == 2 * 3  # the sum, and two rounds, of each


def test_where_nobody_met_in_matches_none_are_published(client):
    section = scored_section(8, "howell", rounds=2)
    token = publish_results(section, by=director_of(section.club)).token

    assert "/matches/" not in client.get(reverse("public-results", args=[token])).content.decode()
    assert client.get(reverse("public-matches", args=[token])).status_code == 404
