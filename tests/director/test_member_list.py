"""The list of members: filters with counts, and the columns that a club has chosen."""

import pytest
from django.urls import reverse

from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.director.roster.member_list import COLUMNS
from bridgebuddy.publication.models import ResultsSubscription
from tests.factories import PersonFactory
from tests.seasons.evenings import evening

pytestmark = pytest.mark.django_db


def members(browser, club, **asked):
    return browser.get(reverse("players", args=[club.pk]), asked)


def titles(answer):
    return [column.key for column in answer.context["members"].columns if column.is_shown]


def counts(answer):
    return {item.key: item.count for item in answer.context["members"].filters}


def choose(browser, club, *columns):
    return browser.post(reverse("member-columns", args=[club.pk]), {"column": columns})


def test_each_filter_shows_as_many_members_as_it_says(browser, club):
    anna = PersonFactory(club=club, name="Anna Alt", national_number="10442")
    PersonFactory(club=club, name="Bert Berg")
    ResultsSubscription.objects.create(person=anna, email="anna@example.org")

    everybody = members(browser, club)

    assert counts(everybody) == {"all": 2, "no-number": 1, "no-email": 1}
    for key, count in counts(everybody).items():
        assert len(members(browser, club, show=key).context["rows"]) == count
    assert [
        row.player.person.name for row in members(browser, club, show="no-email").context["rows"]
    ] == ["Bert Berg"]
    assert counts(members(browser, club, show="nonsense")) == counts(everybody)


def test_a_search_stays_within_the_filter(browser, club):
    PersonFactory(club=club, name="Anna Alt", national_number="10442")
    PersonFactory(club=club, name="Anna Berg")

    found = members(browser, club, show="no-number", q="anna")

    assert [row.player.person.name for row in found.context["rows"]] == ["Anna Berg"]


def test_a_filter_that_fits_nobody_says_so(browser, club):
    PersonFactory(club=club, name="Anna Alt", national_number="10442")

    page = members(browser, club, show="no-number")

    assert "This filter fits nobody now." in page.content.decode()


def test_columns_are_those_in_use_until_the_club_chooses(browser, club):
    person = PersonFactory(club=club, name="Anna Alt")
    assert titles(members(browser, club)) == ["partner", "last", "evenings"]
    Person.objects.filter(pk=person.pk).update(national_number="10442")
    assert titles(members(browser, club)) == ["number", "partner", "last", "evenings"]

    choose(browser, club, "strength", "number", "nonsense")
    choose(browser, club, "strength", "number", "nonsense")

    assert titles(members(browser, club)) == ["number", "strength"]
    choose(browser, club)
    assert titles(members(browser, club)) == []


def test_every_column_shows_its_value(browser, club, alice):
    evening(club, alice, str(club.today))
    Person.objects.filter(name="Anna North1").update(
        strength=0, national_number="10442", member_number="7"
    )
    anna = Person.objects.get(name="Anna North1")
    ResultsSubscription.objects.create(person=anna, email="anna@example.org")
    choose(browser, club, *COLUMNS)

    rows = members(browser, club, q="north1").context["rows"]

    (cells,) = [{column.key: value for column, value in row.cells} for row in rows]
    assert list(cells) == list(COLUMNS)
    assert cells["email"] == "anna@example.org"
    assert (cells["strength"], cells["number"], cells["member_number"]) == (0, "10442", "7")
    assert (cells["evenings"], cells["year"], cells["last"]) == (1, 1, club.today)
    assert cells["partner"] == "Bob South1"
    assert (cells["rating"], cells["points"]) == ("", "")
    assert cells["handicap"]


def test_another_clubs_director_changes_no_columns(signed_in, carol, club):
    assert choose(signed_in(carol), club, "number").status_code == 404
    assert Club.objects.get(pk=club.pk).member_columns is None


def test_a_club_without_people_sees_what_the_list_is_for(browser, club):
    page = members(browser, club).content.decode()

    assert "The list fills by itself" in page
    assert "Example" in page
