"""Leaving a drawn contest: the effects in the contest's terms, and the mark at the contestant's row."""

import random
import re

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section
from tests.factories import director_of
from tests.scoring.test_drawing import play_on, score, swiss

from .reading import text

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("entries", "contest", "odd", "said"),
    [
        (9, "teams", "triangle", "8 teams: everybody has an opponent."),
        (10, "teams", "triangle", "9 teams: in each round three play a triangle."),
        (10, "teams", "bye", "9 teams: in each round one has a bye."),
        (10, "pairs", None, "9 pairs: in each round one has a bye."),
    ],
)
def test_how_the_others_are_drawn_is_said_before_somebody_leaves(
    client, entries, contest, odd, said
):
    section = swiss(entries, contest=contest, **({"odd": odd} if odd else {}))
    client.force_login(director_of(section.club))

    page = text(client.get(reverse("change", args=[section.code, "leaves"]), {"contestant": 4}))

    assert said in page
    assert "airness" not in page
    assert "New places" not in page


def test_who_has_nobody_to_meet_in_a_round_that_is_drawn_is_named(client):
    section = swiss(10, contest="teams", behind=True)
    client.force_login(director_of(section.club))
    second = section.movement.movement.in_round(2)
    other = next(x for s in second for x in s.contestants if 4 in s.contestants and x != 4)

    page = text(client.get(reverse("change", args=[section.code, "leaves"]), {"contestant": 4}))

    assert f"No opponents round 2: {other}" in page


def test_a_team_that_left_is_called_by_its_name_and_marked_on_every_list(client):
    section, rng = swiss(8, contest="teams"), random.Random(3)
    entry = section.entries.get(contestant=4)
    entry.name = "Ruhrpott"
    entry.save()
    by = director_of(section.club)
    score(section, rng)
    client.force_login(by)
    address = reverse("change", args=[section.code, "leaves"])
    page = client.get(address, {"contestant": 4}).content.decode()
    assert re.search(r"4\s+Ruhrpott", page)
    [way] = re.findall(r'value="([^"]+)"\s+checked', page)

    client.post(address, {"contestant": 4, "plan": section.plan, "way": way})
    section = Section.objects.get(pk=section.pk)
    play_on(section, by, rng)

    desk = text(client.get(reverse("history", args=[section.code]), follow=True))
    assert "Ruhrpott" in desk
    assert "South4" not in desk
    client.post(reverse("results-state", args=[section.code]), {"do": "publish"})
    token = section.session.scoring.token
    for address in (
        reverse("ranking", args=[section.code]),
        reverse("public-results", args=[token]),
    ):
        assert "left after round 1" in text(client.get(address))
