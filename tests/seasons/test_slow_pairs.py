"""Slow pairs, from the times of tables, shown to the club's directors alone."""

import datetime

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.lifecycle.forgetting import anonymise_person
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.result_sources import ResultSource
from bridgebuddy.seasons.queries.pace import slow_pairs
from tests.factories import begun, section_with

pytestmark = pytest.mark.django_db

SLOW = "Anna North3 & Bob South3"
MINUTE = datetime.timedelta(minutes=1)


def timed(club, by, weeks_ago, *, at_end=False, source=ResultSource.PHONE, slow=3):
    """Play a Howell in which a pair takes two minutes a board more, and the tables write down when they are ready."""
    section = section_with(8, "howell", club=club, by=by, boards_per_round=2)
    session = section.session
    session.date = club.today - datetime.timedelta(weeks=weeks_ago)
    session.save()
    section = begun(Section.objects.get(pk=section.pk), 7)
    start = session.planned_start
    slow_entry = section.entries.get(position=slow)
    for round in range(1, 8):
        section.clocks_before[str(round)] = [start.isoformat(), 0, False]
        for place, play in enumerate(section.plays.filter(round=round).order_by("table", "board")):
            more = 4 if slow_entry.pk in (play.ns_id, play.ew_id) else 0
            at = start + (14 + more + (place * round) % 5 * 0.3) * MINUTE
            result = Result.objects.create(
                play=play, number=1, outcome={"score": 110}, source=source
            )
            at = session.planned_start + 200 * MINUTE if at_end else at
            Result.objects.filter(pk=result.pk).update(at=at)
        begins, start = start, start + 20 * MINUTE
    del section.clocks_before["7"]
    section.round_started_at, section.finished_at = begins, start
    section.save()
    return section


def names_and_evenings(club):
    slow, evenings = slow_pairs(club)
    return [row.names for row in slow], evenings


def test_the_slow_pair_is_named_from_the_third_evening_on(club, alice):
    for week in (3, 2):
        timed(club, alice, week)
    assert names_and_evenings(club) == ([], 2)

    timed(club, alice, 1)

    assert names_and_evenings(club) == ([SLOW], 3)
    (one,) = slow_pairs(club)[0]
    assert one.slow.minutes == pytest.approx(1.4, abs=0.3)
    assert (one.slow.evenings, one.slow.rounds) == (3, 21)


def test_results_of_desk_slips_and_terminals_or_typed_at_the_end_are_no_times(club, alice):
    for source in (ResultSource.DESK, ResultSource.SLIP, ResultSource.TERMINAL):
        timed(club, alice, 2, source=source)
    for week in (3, 4, 5):
        timed(club, alice, week, at_end=True)

    assert names_and_evenings(club) == ([], 0)


def test_what_is_corrected_later_was_written_down_when_it_was(club, alice):
    for week in (1, 2, 3):
        section = timed(club, alice, week)
    later = section.finished_at + 60 * MINUTE
    for result in Result.objects.filter(play__section=section, number=1):
        Result.objects.filter(pk=result.pk).update(stands=False)
        new = Result.objects.create(
            play=result.play, number=2, outcome={"score": 140}, source=ResultSource.PHONE
        )
        Result.objects.filter(pk=new.pk).update(at=later)

    assert names_and_evenings(club) == ([SLOW], 3)


def test_it_is_forgotten_with_the_person(club, alice):
    for week in (1, 2, 3):
        timed(club, alice, week)
    assert names_and_evenings(club)[0] == [SLOW]

    anonymise_person(club.people.get(name="Anna North3"), by=alice)

    assert names_and_evenings(club)[0] == []


def test_other_clubs_and_long_ago_are_nothing(club, alice, carol):
    for week in (1, 2, 3):
        timed(carol.clubs.get(), carol, week)
        timed(club, alice, 30 + week)

    assert names_and_evenings(club) == ([], 0)


def test_the_page_is_for_directors(client, club, alice, bob, carol):
    address = reverse("pace", args=[club.pk])
    for user in (bob, carol):
        client.force_login(user)
        assert client.get(address, follow=True).status_code == 404
    client.force_login(alice)
    before = client.get(address, follow=True).content.decode()
    for week in (1, 2, 3):
        timed(club, alice, week)

    page = client.get(address, follow=True).content.decode()

    assert "there are" in " ".join(before.split())
    assert SLOW.replace("&", "&amp;") in page


def test_it_takes_as_many_queries_for_more_evenings(club, alice, django_assert_num_queries):
    for week in (1, 2, 3):
        timed(club, alice, week)
    with django_assert_num_queries(5):
        slow_pairs(club)
    with django_assert_num_queries(4):
        slow_pairs(club)
