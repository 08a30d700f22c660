"""A club's first publication: a refused answer on names prevents it, and the ranking asks again."""

import pytest
from django.urls import reverse

from bridgebuddy.clubs.models import Club
from bridgebuddy.scoring.models import ScoringSettings
from tests.director.reading import text
from tests.factories import section_to_enter
from tests.scoring.test_tonight import scored_section

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


def test_the_form_keeps_the_answer_that_was_right(client, club, alice):
    """The refused one is asked again, and the other one need not be chosen twice."""
    section = scored_section(8, "howell", rounds=7, club=club, by=alice)
    client.force_login(alice)

    page = client.post(
        reverse("results-state", args=[section.code]),
        {"do": "publish", "public_names": "initials", "names_kept_for": "x"},
        follow=True,
    )

    form = page.context["names_form"]
    assert form["public_names"].value() == "initials"
    assert Club.objects.get(pk=club.pk).public_names == "full"
