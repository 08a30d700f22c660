"""Attendance in a club: counted in past evenings, and shown to its directors alone."""

import datetime

import pytest
from django.urls import reverse

from bridgebuddy.events.services.lifecycle.forgetting import anonymise_person
from bridgebuddy.seasons.queries.attendance import ClubAttendance
from tests.publication.test_moving_in import import_all

from .evenings import evening

pytestmark = pytest.mark.django_db
TODAY = datetime.date(2025, 11, 30)
WEEK = datetime.timedelta(weeks=1)


def names(found):
    return {link.person.name for link in found}


def test_who_used_to_come_who_is_new_and_how_large_evenings_were(club, alice):
    for week in range(6):
        evening(club, alice, f"2025-0{week + 3}-03", pairs=4, is_final=False)
    latest = evening(club, alice, "2025-11-24", pairs=3, is_final=False)
    rehearsal = evening(club, alice, "2025-11-25", pairs=6, is_final=False)
    rehearsal.session.rehearsal_until = rehearsal.session.planned_start
    rehearsal.session.save()
    late = latest.entries.get(position=3).entry_people.get(position=1)
    late.person = club.people.create(name="Zoe New")
    late.save()

    attendance = ClubAttendance(club, TODAY)

    assert [row.people for row in attendance.evenings] == [8] * 6 + [6]
    assert names(attendance.absent_regulars) == {"Anna North3", "Anna North4", "Bob South4"}
    assert names(attendance.new) == {"Zoe New"}
    assert attendance.attendance_of_all[0].evenings == 7
    anonymise_person(attendance.new[0].person, by=alice)
    assert names(ClubAttendance(club, TODAY).new) == set()


@pytest.mark.parametrize(
    ("weeks_ago", "days_more", "is_new", "is_away"),
    [(8, 0, True, True), (8, 1, False, True), (6, 0, True, False), (6, 1, True, True)],
)
def test_on_the_border_one_is_still_new_and_not_away_yet(
    club, alice, weeks_ago, days_more, is_new, is_away
):
    last = TODAY - WEEK * weeks_ago - datetime.timedelta(days=days_more)
    for _ in range(6):
        evening(club, alice, str(last), pairs=3, is_final=False)

    attendance = ClubAttendance(club, TODAY)

    assert [bool(attendance.new), bool(attendance.absent_regulars)] == [is_new, is_away]


def test_a_person_with_imported_sessions_of_years_ago_is_not_new(club, alice):
    evening(club, alice, "2025-11-24", pairs=3, is_final=False)
    rows = (f"{pair};Anna North{pair};Bob South{pair};;50;" for pair in (1, 2))
    import_all(club, alice, "2024-05-06", rows=tuple(rows))

    assert names(ClubAttendance(club, TODAY).new) == {"Anna North3", "Bob South3"}


def test_the_list_of_members_shows_attendance_and_filters_by_it(client, club, alice):
    client.force_login(alice)
    address = reverse("players", args=[club.pk])
    before = client.get(address)
    for week in range(6):
        evening(club, alice, str(club.today - WEEK * (7 + week)), pairs=4, is_final=False)
    evening(club, alice, str(club.today), pairs=3, is_final=False)

    away = client.get(address, {"show": "away"})
    sorted_by_year = client.get(reverse("attendance", args=[club.pk]), follow=True)

    assert "sessions in twelve months" not in before.content.decode()
    assert [person.name for person in away.context["members"].people] == [
        "Anna North4",
        "Bob South4",
    ]
    assert [(row.weeks_away, row.is_new) for row in away.context["rows"]] == [(7, False)] * 2
    assert "7 sessions in twelve months, at most 8 people" in away.content.decode()
    assert [row.weeks_away for row in sorted_by_year.context["rows"]] == [0] * 6 + [7] * 2
