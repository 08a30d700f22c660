"""A championship with handicaps follows every change of the sessions from before it began."""

import datetime

import pytest

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.services.roster import merge_people
from bridgebuddy.operations import caching
from bridgebuddy.scoring.services import publishing
from bridgebuddy.seasons.models import Championship, HandicapRule
from bridgebuddy.seasons.queries.championships import ChampionshipTable

from .evenings import evening

pytestmark = pytest.mark.django_db
SINCE = datetime.date(2026, 11, 1)


@pytest.fixture
def before(club, alice):
    HandicapRule.objects.create(club=club, last=3, least=2, band=None, most=None)
    return [evening(club, alice, f"2026-10-0{day}") for day in range(1, 5)]


@pytest.fixture
def one(club, alice, before):
    for day in ("2026-11-03", "2026-11-10"):
        evening(club, alice, day)
    return Championship.objects.create(club=club, name="Autumn", since=SINCE, has_handicap=True)


def lines(one):
    return ChampionshipTable(one).standings


@pytest.mark.parametrize("what", ["revised", "taken back", "new rule", "merged"])
def test_where_what_was_before_is_another_it_is_worked_out_anew(club, alice, before, one, what):
    old = lines(one)
    match what:
        case "revised":
            publishing.set_scoring_profile(before[-1], {"method": "cross-imps"}, by=alice)
        case "taken back":
            publishing.reopen_list(before[-1], by=alice)
        case "new rule":
            HandicapRule.objects.update(last=2)
        case "merged":
            anna = Person.objects.get(name="Anna North1")
            other = Person.objects.create(club=club, name="Anne North1")
            for section in before[2:]:
                section.entries.first().entry_people.filter(person=anna).update(person=other)
                publishing.set_scoring_profile(section, {"method": "cross-imps"}, by=alice)
                publishing.set_scoring_profile(section, {"method": "matchpoints"}, by=alice)
            old = lines(one)
            merge_people(anna, other, by=alice)

    found = lines(one)

    caching.memory.clear()
    assert found == lines(one)
    assert found != old
