"""Sessions that another program scored count where people are counted, each in its own club."""

import datetime
from decimal import Decimal

import pytest

from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.seasons.models import MasterpointEntry, MasterpointReport
from bridgebuddy.seasons.queries.attendance import ClubAttendance
from bridgebuddy.seasons.queries.ledger import due_points
from bridgebuddy.seasons.queries.newcomers import newcomers
from tests.publication.test_moving_in import import_all

from .evenings import evening

pytestmark = pytest.mark.django_db
TODAY = datetime.date(2025, 11, 30)
OLD = "1;Anna North1;Bob South1;;60;"


def test_who_comes_is_counted_in_sessions_from_elsewhere_too(club, alice):
    evening(club, alice, "2025-11-24", pairs=3, is_final=False)
    import_all(club, alice, "2025-10-07", "2024-05-07", rows=(OLD, "2;Eva Once;Otto Once;;40;"))
    import_all(Club.objects.create(name="Other"), None, "2025-10-07", rows=(OLD,))

    attendance = ClubAttendance(club, TODAY)

    assert [(row.date.month, row.name, row.people) for row in attendance.evenings] == [
        (10, "Tuesday", 4),
        (11, "Tuesday Pairs", 6),
    ]
    came = {
        link.person.name: (link.evenings, link.first.year) for link in attendance.attendance_of_all
    }
    assert (came["Anna North1"], came["Eva Once"]) == ((2, 2024), (1, 2024))
    assert (came["Anna North2"], len(came)) == ((1, 2025), 8)


def test_who_played_in_a_session_from_elsewhere_is_no_newcomer(club, alice):
    import_all(club, alice, "2024-05-07", rows=("1;Eva Once;Otto Once;;60;",))
    section = evening(club, alice, "2025-11-24", pairs=3, is_final=False)
    assert newcomers(section.session) == []  # everybody is one: those of before were others

    import_all(club, alice, "2024-05-14", rows=(OLD,))

    assert {newcomer.name for newcomer in newcomers(section.session)} == {
        *("Anna North2", "Anna North3", "Bob South2", "Bob South3")
    }


def test_what_was_given_in_of_a_session_that_is_gone_is_taken_back_by_its_own_club(club):
    other = Club.objects.create(name="Other")
    for at, points in ((club, "0.50"), (other, "0.75"), (club, "0.25")):
        report = MasterpointReport.objects.create(club=at, until=TODAY, at=f"{TODAY}T00:00Z")
        person = Person.objects.get_or_create(club=at, name="Eva Once")[0]
        MasterpointEntry.objects.create(
            report=report, person=person, day=TODAY, name="Cup", points=points
        )

    [found] = due_points(club, TODAY)

    assert (found.person, found.points, found.is_correction) == (
        Person.objects.get(club=club).pk,
        Decimal("-0.75"),
        True,
    )
