"""A club's first publication: a refused answer on names prevents it, and the ranking asks again."""

import pytest
from django.urls import reverse

from bridgebuddy.clubs.models import Club
from bridgebuddy.scoring.models import ScoringSettings
from tests.director.reading import text
from tests.factories import section_to_enter

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("answers", "is_published"),
    [
        ({"public_names": "initials", "names_kept_for": "24"}, True),
        ({"public_names": "nonsense", "names_kept_for": "24"}, False),
        ({"public_names": "initials", "names_kept_for": "x"}, False),
    ],
)
def test_a_refused_answer_on_names_publishes_nothing(client, club, alice, answers, is_published):
    section = section_to_enter(club, alice)
    client.force_login(alice)

    page = client.post(
        reverse("results-state", args=[section.code]), {"do": "publish", **answers}, follow=True
    )

    scoring = ScoringSettings.objects.filter(session=section.session).first()
    assert bool(scoring and scoring.is_published) == is_published
    assert ("Nothing is published yet." in text(page)) != is_published
    assert (Club.objects.get(pk=club.pk).public_names == "initials") == is_published
