"""A rehearsal of a contest that is drawn from its results is pressed through to its end."""

from datetime import datetime, timedelta
from itertools import pairwise
from random import Random

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.lifecycle.copies_of_sessions import make_rehearsal
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.services.draws.rehearsing import invent_results
from bridgebuddy.scoring.services.invented_times import set_past_times
from movements.engine import laws
from tests.director.reading import text
from tests.factories import director_of, section_with
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db

SWISS_PAIRS = {"contest": "pairs", "first": "slide"}


@pytest.mark.parametrize(
    ("entries", "family", "choice"),
    [
        (9, "swiss", {"rounds": 4, "options": SWISS_PAIRS}),
        (8, "swiss", {"rounds": 3, "options": SWISS_PAIRS | {"behind": True}}),
        (7, "swiss", {"contest": "teams", "rounds": 3, "options": {"odd": "triangle"}}),
        (6, "knockout", {"contest": "teams", "options": {"seeded": True}}),
    ],
    ids=["pairs", "one round behind", "teams", "knock-out"],
)
def test_a_rehearsal_draws_its_rounds_from_results_that_are_invented(
    client, entries, family, choice
):
    real = section_with(entries, family, boards_per_round=4, **choice)
    director = director_of(real.club)
    client.force_login(director)
    made = make_rehearsal(real, by=director)

    answer = client.post(reverse("press-on", args=[made.code]), follow=True)

    made = Section.objects.get(pk=made.pk)
    assert "All rounds have been drawn, based on invented results." in text(answer)
    assert made.is_finished
    assert made.stored.movement.open_rounds == ()
    assert not laws.find_violations(made.stored.movement)
    assert not Result.objects.exclude(play__section=made).exists()
    played = made.plays.filter(taken_back_at=None).exclude(ns=None).exclude(ew=None)
    assert Result.objects.filter(stands=True).count() == played.count()
    assert client.get(reverse("ranking", args=[made.code])).status_code == 200


def test_while_rehearsing_the_missing_results_are_invented_and_the_draw_is_the_directors(client):
    real = section_with(8, "swiss", round=1, rounds=3, options=SWISS_PAIRS)
    director = director_of(real.club)
    client.force_login(director)
    made = make_rehearsal(real, by=director)
    client.post(reverse("next-round", args=[made.code]), {"after": 0})

    assert "invent the missing results" in text(client.get(reverse("draw", args=[made.code])))
    client.post(reverse("invent-results", args=[made.code]))
    page = text(client.get(reverse("draw", args=[made.code])))

    assert "Lock and publish round 2" in page
    assert "invent" not in page


def test_of_a_real_session_nothing_is_invented(client):
    real = section_with(8, "swiss", round=1, rounds=3, options=SWISS_PAIRS)
    client.force_login(director_of(real.club))

    assert "invent" not in text(client.get(reverse("draw", args=[real.code])))
    client.post(reverse("invent-results", args=[real.code]))

    assert not Result.objects.exists()
    with pytest.raises(AssertionError):
        invent_results(real, by=director_of(real.club))


def test_the_rounds_of_a_past_session_follow_each_other_until_its_end():
    section = scored_section(8, "howell", rounds=3)
    publishing.publish_results(section, by=None)

    set_past_times(section, Random(1))

    section.refresh_from_db()
    starts = [datetime.fromisoformat(clock[0]) for clock in section.clocks_before.values()]
    moments = [*starts, section.round_started_at, section.finished_at]
    lengths = [end - start for start, end in pairwise(moments)]
    least, most = (section.round_length + timedelta(minutes=late) for late in (-1, 2))
    assert len(lengths) == 3
    assert all(least <= length <= most for length in lengths)
