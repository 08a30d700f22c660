"""The demo club."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import StringIO
from random import Random
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from bridgebuddy.clubs.models import Club, User, Weekday
from bridgebuddy.demo import season
from bridgebuddy.demo.management.commands import demo as command
from bridgebuddy.demo.outcomes import deal_cards, invent_outcome
from bridgebuddy.demo.people import WORDS
from bridgebuddy.events.models import Play, Section
from bridgebuddy.events.queries.forecast import round_beginnings
from bridgebuddy.events.queries.roster.players import possible_duplicates
from bridgebuddy.events.services.lifecycle.forgetting import delete_club
from bridgebuddy.jobs.models import Job
from bridgebuddy.registration.registrations import Registrations
from bridgebuddy.scoring.checks.result_checks import SectionDoubts
from bridgebuddy.scoring.models import Result, ScoringSettings
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from movements.engine.contest import Contest
from movements.engine.offers import movement_for
from tests.factories import EventFactory, SessionFactory

pytestmark = pytest.mark.django_db


def demo(**options):
    out = StringIO()
    call_command("demo", stdout=out, force=True, **options)
    return out.getvalue()


@pytest.fixture
def small(monkeypatch):
    """Let the command make the club and its members alone: the evenings are tested by the tests that read them."""
    make = lambda password, language: season._create_club(password, language)[0]  # noqa: E731
    monkeypatch.setattr(command, "make_demo_club", make)


def test_tonight_is_at_round_4_with_a_clock_that_can_be_true(client):
    printed = demo(port=8123, language="en")

    password = re.search(r"password\s+(\S+)", printed)[1]
    assert client.login(email="director@example.org", password=password)
    assert "http://localhost:8123/" in printed
    tonight = Section.objects.get(round=4, finished_at=None)
    assert tonight.rounds == 7
    desk = client.get(f"/s/{tonight.code}/desk/").content.decode()
    assert "Round 4" in desk
    assert "As it goes, it ends at about" in desk
    began, now = round_beginnings(tonight), timezone.now()
    assert sorted(began) == [1, 2, 3, 4]
    assert all(began[r + 1] - began[r] == tonight.round_length for r in (1, 2, 3))
    assert (
        tonight.session.planned_start
        <= began[1]
        < tonight.session.planned_start + timedelta(minutes=6)
    )
    assert began[4] < now < tonight.clock_ends_at
    entered = Result.objects.filter(play__section=tonight, stands=True)
    played = Play.objects.filter(section=tonight, round__lte=3).count()
    assert entered.filter(play__round__lte=3).count() == played == 72
    assert 8 < entered.filter(play__round=4).count() < 24
    assert entered.filter(at__gt=now).count() == 0

    match = Section.objects.get(contest=Contest.TEAMS)
    assert (match.round, match.rounds, match.is_running) == (2, 3, True)

    coming = Section.objects.get(round=0)
    assert coming.session.date.weekday() == Weekday.TUESDAY
    assert timedelta(0) < coming.session.date - tonight.club.today <= timedelta(days=7)
    said = Registrations(coming.session)
    assert (len(said.pairs), len(said.seekers)) == (13, 2)

    last = ScoringSettings.objects.get(published_at__isnull=False)
    page = client.get(f"/r/{last.token}/").content.decode()
    assert "Corrections ended" in page
    assert "provisional" not in page.lower()
    evening = Section.objects.get(session=last.session)
    assert evening.session.planned_start < evening.finished_at < last.final_at < now
    assert SectionDoubts(SessionSnapshot(evening)).open_doubts == []
    assert Job.objects.filter(kind=season.SEASON, key=str(tonight.club.pk)).exists()

    for championship in tonight.club.championships.all():
        assert client.get(f"/c/{championship.token}/").status_code == 200

    counts = Club.objects.count(), Section.objects.count(), User.objects.count()
    printed = demo()
    assert (Club.objects.count(), Section.objects.count(), User.objects.count()) == counts
    assert "as it was" in printed


@pytest.mark.parametrize("language", WORDS)
def test_its_48_members_have_numbers_and_no_two_look_like_one(language):
    _, club = season._create_club("a password", language)

    assert club.people.count() == 48
    assert len(set(club.people.values_list("member_number", flat=True))) == 48
    assert possible_duplicates(club) == []
    assert (
        len([1 for line, other in WORDS[language].pairs if line.split()[-1] == other.split()[-1]])
        >= 5
    )


def test_the_job_plays_what_is_missing_and_nothing_twice(monkeypatch, client):
    kinds = [past for past in season.SEASON_EVENINGS if past.has_late_pair or past.kind == "swiss"]
    monkeypatch.setattr(season, "SEASON_EVENINGS", kinds)
    user, club = season._create_club("a password", "de")

    season.play_season(str(club.pk))
    season.play_season(str(club.pk))

    played = Section.objects.order_by("session__date")
    assert [section.session.date for section in played] == sorted(
        season._date_of_session(user, past) for past in kinds
    )
    late, swiss = played
    assert [entry.left_after for entry in late.entries.exclude(left_after=None)] == [5]
    assert late.entries.filter(first_round__gt=1).count() == 1
    assert (swiss.movement.family, swiss.round) == ("swiss", 5)
    for scoring in ScoringSettings.objects.all():
        assert client.get(f"/r/{scoring.token}/").status_code == 200


def test_a_job_without_its_club_or_its_director_does_nothing():
    season.play_season("1")
    user, club = season._create_club("a password", "en")
    user.delete()
    season.play_season(str(club.pk))

    assert not Section.objects.exists()


def test_an_evening_is_missing_until_the_club_has_it_on_its_day():
    user, club = season._create_club("a password", "en")
    words, (first, *others) = WORDS["en"], season.SEASON_EVENINGS
    event = EventFactory(club=club, name=getattr(words, first.kind))
    SessionFactory(event=event, date=season._date_of_session(user, first))

    assert season._missing_evenings(club, user, words) == others
    assert first.kind in {past.kind for past in others}


@pytest.mark.parametrize("weekday", range(7))
@pytest.mark.parametrize("day", [Weekday.TUESDAY, Weekday.FRIDAY])
def test_a_past_evening_was_on_its_day_before_the_club_was_made(weekday, day):
    made = datetime(2026, 11, 23 + weekday, 12, tzinfo=UTC)
    past = season.PastEvening(1, day, "tuesday", 14, "mitchell", 3)
    user = User(date_joined=made)

    last = season._date_of_session(user, past)
    before = season._date_of_session(user, replace(past, weeks=3))

    assert last.weekday() == day
    assert 1 <= (made.date() - last).days <= 7
    assert last - before == timedelta(days=14)


@pytest.mark.parametrize("seed", range(20))
def test_a_lead_is_in_the_hand_after_the_declarers(seed):
    rng = Random(seed)
    hands = deal_cards(rng)

    outcome = invent_outcome(hands, rng)

    leader = {"N": "E", "E": "S", "S": "W", "W": "N"}
    assert outcome.get("passed") or outcome["lead"] in hands[leader[outcome["declarer"]]]


@pytest.mark.parametrize(
    "past", season.SEASON_EVENINGS, ids=lambda past: f"{past.weeks}-{past.kind}"
)
def test_every_evening_of_the_season_has_a_movement_and_everybody_once(past):
    plan = season._evening_plan(WORDS["en"], past)
    names = [name for names in plan.contestants for name in names]

    movement = movement_for(plan.family, len(plan.contestants), plan.rounds, "ew", {})

    assert len(names) == len(set(names))
    assert 20 <= movement.rounds * plan.boards <= 30


def test_a_password_that_is_lost_is_replaced_by_another(client, small):
    demo()

    printed = demo(new_password=True)

    password = re.search(r"password\s+(\S+)", printed)[1]
    assert client.login(email="director@example.org", password=password)


def test_a_demo_club_that_was_deleted_does_not_come_back(small):
    demo(language="de")
    delete_club(Club.objects.get(), name="Bridgeclub Lindenhof")

    demo()

    assert not Club.objects.exists()


@pytest.mark.parametrize(
    ("variable", "expected"), [("de_AT.UTF-8", "de"), ("en_GB.UTF-8", "en"), ("fr_FR", "en")]
)
def test_the_club_speaks_the_language_of_the_computer(monkeypatch, variable, expected):
    monkeypatch.setenv("LC_ALL", variable)

    assert command.language_of_computer() == expected


def test_an_empty_environment_asks_the_system(monkeypatch):
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LANG", raising=False)
    monkeypatch.setattr(command.locale, "getlocale", lambda: ("German_Germany", "1252"))

    assert command.language_of_computer() == "de"


def test_who_has_an_account_already_gets_no_demo(carol, monkeypatch):
    monkeypatch.setattr(command, "connection", SimpleNamespace(vendor="sqlite"))

    call_command("demo", stdout=StringIO())

    assert list(User.objects.all()) == [carol]


def test_other_databases_are_left_alone_unless_forced(monkeypatch):
    monkeypatch.setattr(command, "connection", SimpleNamespace(vendor="postgresql"))

    with pytest.raises(CommandError):
        call_command("demo")

    assert not Club.objects.exists()
