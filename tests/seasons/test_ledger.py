"""Masterpoints: reported once; a later correction is an entry of its own."""

from datetime import date
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Session
from bridgebuddy.events.services.lifecycle.deletions import (
    delete_session,
    purge_expired_sessions,
    restore_session,
)
from bridgebuddy.events.services.lifecycle.forgetting import anonymise_person
from bridgebuddy.events.services.roster import merge_people
from bridgebuddy.scoring.services.publishing import reopen_list
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.seasons.models import MasterpointEntry, MasterpointReport
from bridgebuddy.seasons.queries.ledger import due_points, reported_totals
from bridgebuddy.seasons.services.ledger import report_points

from .evenings import evening

pytestmark = pytest.mark.django_db
SCALE = {"boards_per_round": 8, "masterpoints": "abf-session"}


@pytest.fixture
def played(club, alice):
    """An evening of September, at four tables' boards: 24."""
    return evening(club, alice, "2020-09-15", **SCALE)


def end_of(club):
    return club.today.replace(day=1)


def test_every_player_of_a_placed_pair_is_due_what_the_list_gives(club, played):
    points = due_points(club, end_of(club))

    assert {point.place for point in points} == {1, 2}
    assert [point.points for point in points if point.place == 1] == [Decimal("0.08")] * 2
    assert not any(point.is_correction for point in points)


def test_what_is_given_in_is_not_due_again(club, alice, played):
    first = due_points(club, end_of(club))

    report = report_points(club, end_of(club), by=alice)

    assert report.entries.count() == len(first)
    assert due_points(club, end_of(club)) == []
    assert report_points(club, end_of(club), by=alice) is None


def test_a_revised_list_leaves_corrections_and_the_ledger_adds_up(club, alice, played):
    report_points(club, end_of(club), by=alice)
    for play in played.plays.order_by("pk"):
        outcome = play.results.get(stands=True).outcome
        enter_result(played, play.pk, {"score": -outcome["score"]}, by=alice)

    corrections = due_points(club, end_of(club))
    report_points(club, end_of(club), by=alice)

    assert any(correction.is_correction and correction.points < 0 for correction in corrections)
    assert sum(points for _, points in reported_totals(club)) == sum(
        entry.points for entry in MasterpointEntry.objects.all()
    )
    assert due_points(club, end_of(club)) == []


def test_a_list_taken_back_takes_its_points_back(club, alice, played):
    report_points(club, end_of(club), by=alice)
    before = dict(reported_totals(club))

    reopen_list(played, by=alice)
    report_points(club, end_of(club), by=alice)

    assert all(before.values())
    assert not any(points for _, points in reported_totals(club))


@pytest.mark.parametrize("is_forgotten", [False, True])
def test_what_was_given_in_of_a_session_that_was_deleted_is_taken_back(
    club, alice, played, is_forgotten
):
    report_points(club, end_of(club), by=alice)
    before = dict(reported_totals(club))
    delete_session(played, name=played.session.event.name, by=alice)
    if is_forgotten:
        Session.objects.update(deleted_at=timezone.now() - Session.KEPT_FOR)
        purge_expired_sessions()

    found = due_points(club, end_of(club))
    report_points(club, end_of(club), by=alice)

    assert all(before.values())
    assert {(point.day, point.name, point.is_correction) for point in found} == {
        (date(2020, 9, 15), "Tuesday Pairs", True)
    }
    assert {key: points for key, points in reported_totals(club) if points} == {}
    assert due_points(club, end_of(club)) == []


def test_what_was_taken_back_before_a_session_was_forgotten_is_not_taken_back_again(
    club, alice, played
):
    report_points(club, end_of(club), by=alice)
    delete_session(played, name=played.session.event.name, by=alice)
    report_points(club, end_of(club), by=alice)
    restore_session(played, by=alice)
    report_points(club, end_of(club), by=alice)
    given = sum(points for _, points in reported_totals(club))
    delete_session(played, name=played.session.event.name, by=alice)
    report_points(club, end_of(club), by=alice)
    Session.objects.update(deleted_at=timezone.now() - Session.KEPT_FOR)
    purge_expired_sessions()

    assert given > 0
    assert due_points(club, end_of(club)) == []


def test_who_deletes_a_session_reads_that_its_points_were_given_in(client, club, alice, played):
    client.force_login(alice)
    address = reverse("delete-session", args=[played.code])
    before = client.get(address, follow=True).content.decode()

    report_points(club, end_of(club), by=alice)

    said = "Its masterpoints were reported"
    assert (said in before, said in client.get(address, follow=True).content.decode()) == (
        False,
        True,
    )


def test_who_is_merged_was_given_in_as_whom_they_are_now(club, alice, played):
    report_points(club, end_of(club), by=alice)
    winner = MasterpointEntry.objects.filter(place=1).first().person
    stays = Person.objects.create(club=club, name="Her Right Name")

    merge_people(stays, winner, by=alice)

    assert due_points(club, end_of(club)) == []
    assert dict(reported_totals(club))[stays] == Decimal("0.08")


def test_pages_and_the_file_of_a_report(client, club, alice, played):
    client.force_login(alice)
    address = reverse("masterpoints", args=[club.pk])
    assert "0.08" in client.get(address).content.decode()

    club.people.update(national_number="00123")
    client.post(address)

    report = MasterpointReport.objects.get()
    page = client.get(address).content.decode()
    text = client.get(reverse("points-file", args=[club.pk, report.pk])).content.decode()
    winner = MasterpointEntry.objects.filter(place=1).first().person
    own = client.get(reverse("ledger", args=[club.pk, winner.pk]), follow=True).content.decode()
    assert "No masterpoints are due." in page
    assert f"2020-09-15,Tuesday Pairs,{winner.name},00123,1,abf-session,0.08," in text
    assert "ABF" in own


def test_the_ledger_of_who_was_forgotten_is_there_without_the_name(client, club, alice, played):
    report_points(club, end_of(club), by=alice)
    winner = MasterpointEntry.objects.filter(place=1).first().person
    anonymise_person(winner, by=alice)
    client.force_login(alice)
    address = reverse("ledger", args=[club.pk, winner.pk])

    link = f"open=ledger&amp;person={winner.pk}#ledger"
    assert link in client.get(reverse("masterpoints", args=[club.pk])).content.decode()
    answer = client.get(address, follow=True)

    assert answer.status_code == 200
    assert "N.N.1: 0.08" in answer.content.decode()


def test_a_database_that_adds_in_binary_fractions_leaves_nothing_due_and_no_digits(
    client, club, alice, played
):
    anna = Person.objects.get(club=club, name="Anna North1")
    report = MasterpointReport.objects.create(club=club, until=date(2020, 9, 30))
    for points in ("0.10", "0.20", "-0.30", "0.06", "0.22"):
        day = date(2020, 9, 1) if points in ("0.06", "0.22") else date(2020, 9, 8)
        MasterpointEntry.objects.create(
            report=report, person=anna, day=day, name="Gone", points=Decimal(points)
        )

    found = [point for point in due_points(club, end_of(club)) if point.session is None]

    assert [(point.day, str(point.points)) for point in found] == [(date(2020, 9, 1), "-0.28")]
    assert [(person, str(points)) for person, points in reported_totals(club)] == [(anna, "0.28")]
    client.force_login(alice)
    page = client.get(reverse("masterpoints", args=[club.pk])).content.decode()
    assert "−0.28<" in page
    assert "0.28<" in page
