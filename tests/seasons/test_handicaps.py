"""A club's handicaps: from its final lists, by hand, and given to a session in one press."""

import datetime
import re
from fractions import Fraction
from html import unescape
from urllib.parse import urljoin

import pytest
from django.urls import reverse

from bridgebuddy.clubs.models import Person
from bridgebuddy.director.season import handicaps as pages_of_handicaps
from bridgebuddy.director.season.handicaps import HandicapView
from bridgebuddy.events.models import Session
from bridgebuddy.events.services.lifecycle.forgetting import anonymise_person
from bridgebuddy.events.services.roster import merge_people
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.seasons.models import Championship, HandicapRule, ManualHandicap
from bridgebuddy.seasons.queries.championships import ChampionshipTable
from bridgebuddy.seasons.queries.final_lists import final_results
from bridgebuddy.seasons.queries.handicaps import ClubHandicaps
from bridgebuddy.seasons.rules.handicap import WorkedHandicap
from tests.factories import ClubFactory

from .evenings import evening
from .test_championships import percentages

pytestmark = pytest.mark.django_db
DAYS = ("2026-10-06", "2026-10-13")


@pytest.fixture
def played(club, alice):
    HandicapRule.objects.create(club=club, least=2, band=None, most=None)
    return [evening(club, alice, day) for day in DAYS]


def handicaps(club, on=datetime.date(2026, 11, 1)):
    return {
        person.name: item.handicap
        for person, item in ClubHandicaps(club, on).people_with_handicaps()
    }


def test_handicaps_are_50_minus_the_mean_of_final_percentages(club, played):
    had = [percentages(section) for section in played]

    found = handicaps(club)

    for names in had[0]:
        expected = 50 - sum(item[names] for item in had) / 2
        assert {found[name] for name in names.split(" & ")} == {expected}


def test_a_session_that_is_moved_to_a_day_too_long_ago_counts_no_more(club, alice, played):
    HandicapRule.objects.update(months=12, least=1)
    before = handicaps(club)

    Session.objects.filter(sections=played[0]).update(date="2025-10-06")

    had = percentages(played[1])
    expected = {name: 50 - had[names] for names in had for name in names.split(" & ")}
    assert handicaps(club) == expected != before


def test_everybody_is_on_one_of_the_pages(client, club, alice, played, monkeypatch):
    monkeypatch.setattr(pages_of_handicaps, "A_PAGE", 3)
    client.force_login(alice)
    address, seen, pages = reverse("handicaps", args=[club.pk]), [], 0
    while address:
        page = client.get(address).content.decode()
        seen += re.findall(r"<td class=\"nm\"><a [^>]+>([^<]+)</a>", page)
        following = re.search(r"rel=\"next\" href=\"([^\"]+)\"", page)
        address = following and urljoin(address, unescape(following[1]))
        pages += 1

    assert seen == [person.name for person, _ in ClubHandicaps(club).people_with_handicaps()]
    assert pages == -(-len(seen) // 3) > 1


def test_a_session_is_given_what_was_played_before_it_in_one_press(client, club, alice, played):
    tonight = evening(club, alice, "2026-10-20", is_final=False)
    anna = Person.objects.get(club=club, name="Anna North1")
    ManualHandicap.objects.create(person=anna, handicap=4, reason="back from illness")
    client.force_login(alice)
    address = reverse("session-handicaps", args=[tonight.code])
    page = client.get(address, follow=True).content.decode()

    client.post(address)

    classes = ScoringSettings.objects.get(session=tonight.session_id).classes
    one = tonight.entries.get(position=1)
    bob = handicaps(club, tonight.session.date)["Bob South1"]
    assert Fraction(classes[str(one.pk)]["handicap"]) == round((4 + bob) / 2, 2)
    assert "set by hand" in page
    assert len(classes) == 4
    listed = client.get(reverse("ranking", args=[tonight.code])).content.decode()
    assert "With handicap" in listed


def test_a_handicap_is_set_by_hand_and_worked_out_again(client, club, alice, played):
    client.force_login(alice)
    anna = Person.objects.get(club=club, name="Anna North1")
    address = reverse("handicap-by-hand", args=[club.pk, anna.pk])
    before = handicaps(club)["Anna North1"]

    client.post(address, {"handicap": "-3.5", "reason": "new to the club"})
    by_hand = handicaps(club)["Anna North1"]
    refused = client.post(address, {"handicap": "99"})
    client.post(address, {"handicap": ""})

    assert by_hand == Fraction(-7, 2)
    assert refused.status_code == 422
    assert handicaps(club)["Anna North1"] == before


def test_a_handicap_set_by_hand_leaves_alone_what_was_played_before(client, club, alice, played):
    """A player with a new handicap in the middle of a season keeps the old one for earlier sessions."""
    client.force_login(alice)
    anna = Person.objects.get(club=club, name="Anna North1")
    first, *_others, last = sorted({section.session.date for section in played})
    address = reverse("handicap-by-hand", args=[club.pk, anna.pk])
    form = client.get(address, follow=True).content.decode()

    def handicaps_by_date():
        table = ChampionshipTable(Championship(club=club, of="player", has_handicap=True))
        line = next(line for line in table.standings.lines if line.who == (str(anna.pk),))
        return {value.session.date: value.handicap for value in line.values}

    before = handicaps_by_date()
    client.post(address, {"handicap": "-3.5", "since": last.isoformat(), "reason": ""})
    after = handicaps_by_date()

    assert f'value="{club.today.isoformat()}"' in form  # unless somebody says another day
    assert {day for day in before if after[day] != before[day]} == {last}
    assert ClubHandicaps(club, first).person(anna.pk).is_by_hand is False
    assert ClubHandicaps(club, last).person(anna.pk).handicap == Fraction(-7, 2)


def test_of_who_is_forgotten_no_reason_stands_beside_a_handicap(club, alice, played):
    anna = Person.objects.get(club=club, name="Anna North1")
    ManualHandicap.objects.create(person=anna, handicap=4, reason="Anna was ill")

    anonymise_person(anna, by=alice)

    assert ManualHandicap.objects.get().reason == ""


def test_a_championship_gives_the_handicaps_of_as_many_months_as_the_club_says(club, alice):
    """Sessions of four years before count if the club counts five."""
    evening(club, alice, "2022-10-05")
    day = evening(club, alice, "2026-10-06").session.date
    HandicapRule.objects.create(club=club, months=60, least=1)
    table = ChampionshipTable(Championship(club=club, of="player", since=day, has_handicap=True))

    handicaps = {line.who[0]: line.values[0].handicap for line in table.standings.lines}

    known = ClubHandicaps(club, day).of
    assert any(handicaps.values())
    assert handicaps == {person: known[person].handicap for person in handicaps}


def test_the_arithmetic_has_what_the_club_multiplies_by():
    worked = WorkedHandicap(Fraction(-6), (Fraction(229, 4),), Fraction(-29, 5))

    assert (
        HandicapView(Person(), worked).computation_text == "50 − 57.25 = −7.25 × 0.80 = −5.80 → −6"
    )


def test_the_state_of_a_final_list_has_its_moment_as_it_is(club, alice, played):
    ScoringSettings.objects.filter(session=played[1].session_id).update(
        final_at=datetime.datetime(2026, 10, 13, 22, 5, tzinfo=datetime.UTC)
    )
    moments = ScoringSettings.objects.order_by("session").values_list("final_at", flat=True)

    found = [result.state for result in final_results(club)]

    assert [state.rsplit("-", 3)[0] for state in found] == [str(at) for at in moments]


@pytest.mark.parametrize(("of_stays", "stands"), [(None, -3), (5, 5)])
def test_who_is_merged_keeps_what_was_set_by_hand_for_either(club, alice, of_stays, stands):
    stays, goes, other = (
        Person.objects.create(club=club, name=f"{name} Nobody") for name in ("Ann", "Anne", "Eve")
    )
    ManualHandicap.objects.create(person=other, handicap=7)
    ManualHandicap.objects.create(person=goes, handicap=-3)
    if of_stays is not None:
        ManualHandicap.objects.create(person=stays, handicap=of_stays)

    merge_people(stays, goes, by=alice)

    found = ManualHandicap.objects.values_list("person", "handicap")
    assert set(found) == {(stays.pk, stands), (other.pk, 7)}


def test_the_page_shows_the_rule_of_its_own_club(client, club, alice):
    theirs = HandicapRule.objects.create(club=ClubFactory(), least=9)
    client.force_login(alice)
    address = reverse("handicaps", args=[club.pk])

    assert client.get(address).context["rule"].least != theirs.least

    own = HandicapRule.objects.create(club=club, least=5)
    assert client.get(address).context["rule"] == own
