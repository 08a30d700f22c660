"""The rating of a large club is a job's: pages show the last one with its day, and nothing wrong meanwhile."""

from dataclasses import astuple
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Session
from bridgebuddy.events.services.lifecycle import forgetting
from bridgebuddy.events.services.roster import merge_people
from bridgebuddy.jobs.models import Job
from bridgebuddy.jobs.services import run_next_job
from bridgebuddy.publication.own.personal_data import tables_of_person
from bridgebuddy.scoring.services import publishing
from bridgebuddy.seasons.models import RatingBefore, RatingSettings
from bridgebuddy.seasons.queries import ratings
from bridgebuddy.seasons.queries.ratings import latest_ratings, rated_people, ratings_by_person
from bridgebuddy.seasons.services import ratings as service

from .evenings import evening

pytestmark = pytest.mark.django_db
AS_OF = "As of the session of Tue %s Nov 2026"


@pytest.fixture
def large(club, alice, monkeypatch):
    """A club that counts as large, with a rating and two evenings."""
    service.switch_ratings(club, True)
    for day in ("2026-11-03", "2026-11-10"):
        evening(club, alice, day)
    monkeypatch.setattr(ratings, "FEW_SESSIONS", -1)
    return club


def work():
    Job.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    while run_next_job():
        pass


def page_of(client, club, alice):
    client.force_login(alice)
    return client.get(reverse("rating", args=[club.pk])).content.decode()


def test_the_job_says_what_is_worked_out_of_a_small_club(club, large, monkeypatch):
    work()
    by_the_job = ratings_by_person(club)

    monkeypatch.setattr(ratings, "FEW_SESSIONS", 40)

    assert len(by_the_job) == 8
    at_once = ratings_by_person(club)
    assert by_the_job.keys() == at_once.keys()
    for person, rating in by_the_job.items():
        assert astuple(rating)[:2] == pytest.approx(astuple(at_once[person])[:2], rel=1e-9)
        assert astuple(rating)[2:] == astuple(at_once[person])[2:]


def test_no_page_works_it_out(client, alice, large, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(
            ratings.RatingInput, "compute_ratings", lambda *_, **__: pytest.fail("in a request")
        )
        before = page_of(client, large, alice)

    work()

    assert "The rating is being calculated. Reload this page in a minute." in before
    after = page_of(client, large, alice)
    assert after.count("±") == 8
    assert AS_OF % "10" in after
    assert "being calculated" not in after


def test_the_last_one_is_shown_with_its_day_until_there_is_another(client, alice, large):
    work()
    last = ratings_by_person(large)
    evening(large, alice, "2026-11-17")

    page = page_of(client, large, alice)

    assert latest_ratings(large).ratings == last
    assert AS_OF % "10" in page
    assert "is being calculated again" in page
    work()
    assert ratings_by_person(large) != last
    assert AS_OF % "17" in page_of(client, large, alice)


@pytest.mark.parametrize("what", ["final", "revised", "taken back", "deleted"])
def test_what_changes_a_list_asks_for_it_anew(client, alice, large, what):
    section = evening(large, alice, "2026-11-17", is_final=what != "final")
    work()
    assert not Job.objects.exists()
    before = ratings_by_person(large)

    match what:
        case "final":
            publishing.make_list_final(section, by=alice)
        case "revised":
            publishing.set_scoring_profile(section, {"method": "cross-imps"}, by=alice)
        case "taken back":
            publishing.reopen_list(section, by=alice)
        case "deleted":
            Session.objects.filter(pk=section.session_id).update(deleted_at=timezone.now())
            page_of(client, large, alice)  # who looks sees that it is an old one, and asks

    assert latest_ratings(large).is_old
    assert Job.objects.filter(kind="rating", key=str(large.pk)).exists()
    work()
    assert not latest_ratings(large).is_old
    assert ratings_by_person(large) != before


def test_of_who_is_merged_nothing_is_said_until_it_is_worked_out(club, alice, large):
    one = Person.objects.get(club=club, name="Anna North1")
    evening(club, alice, "2026-11-17").entries.first().entry_people.filter(person=one).update(
        person=(other := Person.objects.create(club=club, name="Anne North1"))
    )
    work()
    assert {str(one.pk), str(other.pk)} <= ratings_by_person(club).keys()

    merge_people(one, other, by=alice)

    assert not {str(one.pk), str(other.pk)} & ratings_by_person(club).keys()
    assert not any(rating.only_with == str(other.pk) for rating in ratings_by_person(club).values())
    work()
    assert ratings_by_person(club)[str(one.pk)].boards


def test_who_is_forgotten_has_no_rating_and_the_others_keep_theirs(client, club, alice, large):
    one = Person.objects.get(club=club, name="Anna North1")
    service.prepare_lists(evening(club, alice, "2026-11-17", is_final=False).session)
    work()
    assert RatingBefore.objects.count() == 1
    before = {person.pk: has for person, has, _ in rated_people(club) if person != one}
    assert tables_of_person(one)["rating"][0]["boards"]

    forgetting.anonymise_person(one, by=alice)

    assert not RatingBefore.objects.exists()
    assert str(one.pk) not in RatingSettings.objects.get(club=club).ratings
    assert "Anna North1" not in page_of(client, club, alice)
    work()
    after = {person.pk: has for person, has, _ in rated_people(club)}
    assert str(one.pk) not in RatingSettings.objects.get(club=club).ratings
    assert before.keys() == after.keys()
    assert all(
        before[person].percentage == pytest.approx(after[person].percentage) for person in before
    )


def test_looking_back_waits_for_what_was_known_before(client, club, alice, large):
    section = evening(club, alice, "2026-11-17", is_final=False)
    client.force_login(alice)
    address = reverse("ranking", args=[section.code]) + "?open=review"

    first = client.get(address).content.decode()
    work()
    then = client.get(address).content.decode()

    waits = "The expected results are being calculated. Reload this page in a minute."
    assert waits in first
    assert "Reached" not in first
    assert waits not in then
    assert then.count(" ± ") == 4
    assert RatingBefore.objects.count() == 1


def test_switched_off_nothing_of_it_is_kept(client, club, alice, large):
    section = evening(club, alice, "2026-11-17", is_final=False)
    service.prepare_lists(section.session)
    work()
    assert RatingBefore.objects.count() == RatingSettings.objects.count() == 1

    service.switch_ratings(club, False)
    work()

    assert RatingBefore.objects.count() == RatingSettings.objects.count() == 0


def test_every_night_the_rating_of_each_club_is_looked_at(large):
    RatingSettings.objects.update(state="of yesterday")
    Job.objects.all().delete()

    service.calculate_ratings("")
    assert list(Job.objects.values_list("kind", "key")) == [("rating", str(large.pk))]
    work()

    assert not latest_ratings(large).is_old
