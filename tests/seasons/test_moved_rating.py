"""After a session more a rating is what it would be from nothing, though little of it is worked out anew."""

from datetime import timedelta
from random import Random

import pytest
from django.db.models import Q
from django.utils import timezone

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Session
from bridgebuddy.events.services import forgetting
from bridgebuddy.events.services.roster import merge_people
from bridgebuddy.jobs.models import Job
from bridgebuddy.jobs.services import do_one
from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.services.results import enter
from bridgebuddy.seasons.models import RatingKept
from bridgebuddy.seasons.queries import ratings
from bridgebuddy.seasons.queries.ratings import ToRate, ratings_of
from bridgebuddy.seasons.rules.moved import Moved, Together, together
from bridgebuddy.seasons.rules.rating import Played, Ratings
from bridgebuddy.seasons.services import moved_ratings
from bridgebuddy.seasons.services import ratings as service

from .evenings import evening


def fields(many, seed, people="ABCDEFGHIJKLMNOP"):
    """Evenings of pairs and now and then a single player, of as many boards as it was."""
    random = Random(seed)
    found = []
    for _ in range(many):
        here = random.sample(people, 2 * random.randint(2, len(people) // 2))
        who = [tuple(sorted(here[at : at + 2])) for at in range(0, len(here), 2)]
        who[0] = who[0][:1]
        found.append(
            [Played(one, random.uniform(35, 65), random.choice((8, 24, 27))) for one in who]
        )
    return found


def same(one, other):
    assert one.keys() == other.keys()
    for who, has in one.items():
        assert has.percentage == pytest.approx(other[who].percentage, rel=1e-9)
        assert has.give_or_take == pytest.approx(other[who].give_or_take, rel=1e-9)
        assert (has.boards, has.only_with) == (other[who].boards, other[who].only_with)


@pytest.mark.parametrize("seed", range(5))
def test_fields_that_come_and_go_leave_what_all_are_from_nothing(seed):
    stay, goes = fields(12, seed), fields(3, seed + 100, "ABCDEFYZ")
    comes = fields(3, seed + 200, "GHIJKLMNQRST")
    before = together([*goes, *stay])

    found = Moved([*stay, *comes], before.moved(comes, goes))

    same(found.all(), Ratings([*stay, *comes]).all())


def test_from_nobody_and_back_to_nobody():
    some = fields(3, 1)

    there = Together([], []).moved(some, [])
    gone = there.moved([], some)

    same(Moved(some, there).all(), Ratings(some).all())
    assert Moved([], gone).all() == {}


@pytest.fixture
def large(club, alice, monkeypatch):
    """A club that counts as large, with a rating of five evenings."""
    service.switch(club, True)
    for day in range(3, 8):
        evening(club, alice, f"2026-11-0{day}")
    monkeypatch.setattr(ratings, "FEW_SESSIONS", -1)
    work()
    return club


def work():
    Job.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    while do_one():
        pass


def from_nothing(club):
    return ToRate(club, club.today).ratings().all()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("what", "changes"),
    [("added", 6), ("revised", 8), ("taken back", 7), ("deleted", 7), ("three years old", 7)],
)
def test_a_session_more_or_less_changes_what_was_kept(
    club, alice, large, monkeypatch, what, changes
):
    section = evening(club, alice, "2026-11-17", seed=3)
    if what != "added":
        work()
    before = ratings_of(club)
    match what:
        case "revised":
            for at, play in enumerate(
                section.plays.exclude(Q(ns=None) | Q(ew=None)).order_by("pk")
            ):
                enter(section, play.pk, {"score": (90, 110, 140, -90, -110)[at % 5]}, by=alice)
        case "taken back":
            publishing.open_again(section, by=alice)
        case "deleted":
            Session.objects.filter(pk=section.session_id).update(deleted_at=timezone.now())
        case "three years old":
            Session.objects.filter(pk=section.session_id).update(date="2020-11-17")
    monkeypatch.setattr(moved_ratings, "together", lambda _: pytest.fail("from nothing"))

    service.work_out(str(club.pk))

    assert ratings_of(club) != before
    same(ratings_of(club), from_nothing(club))
    assert RatingKept.objects.get(club=club).changes == changes


@pytest.mark.django_db
@pytest.mark.parametrize("what", ["merged", "forgotten"])
def test_of_who_is_another_one_nothing_is_kept(club, alice, large, what):
    one = Person.objects.get(club=club, name="Anna North1")
    section = evening(club, alice, "2026-11-17")
    other = Person.objects.create(club=club, name="Anne North1")
    section.entries.first().entry_people.filter(person=one).update(person=other)
    work()

    if what == "merged":
        merge_people(one, other, by=alice)
    else:
        forgetting.anonymise(other, by=alice)

    assert not RatingKept.objects.exists()
    work()
    whole = from_nothing(club)
    same(ratings_of(club), {who: whole[who] for who in ratings_of(club)})
    assert (str(other.pk) in ratings_of(club)) is False


@pytest.mark.django_db
def test_who_is_merged_while_it_is_worked_out_is_kept_as_nobody(club, alice, large, monkeypatch):
    evening(club, alice, "2026-11-17")
    keep = moved_ratings._keep

    def merged_meanwhile(*facts):
        moved_ratings.forget(club.pk)
        keep(*facts)

    monkeypatch.setattr(moved_ratings, "_keep", merged_meanwhile)

    service.work_out(str(club.pk))

    assert not RatingKept.objects.exists()


@pytest.mark.django_db
def test_after_many_changes_all_is_worked_out_from_nothing(club, alice, large, monkeypatch):
    assert RatingKept.objects.get(club=club).changes == 5
    monkeypatch.setattr(moved_ratings, "MOST", 5)
    evening(club, alice, "2026-11-17")

    work()

    assert RatingKept.objects.get(club=club).changes == 0
    same(ratings_of(club), from_nothing(club))
