"""What everybody had before a championship with handicaps began is kept, and its list is the same without it."""

import datetime
from fractions import Fraction

import pytest

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.services.roster import merge_people
from bridgebuddy.operations import caching
from bridgebuddy.scoring.services import publishing
from bridgebuddy.seasons.models import Championship, FormBefore, HandicapRule
from bridgebuddy.seasons.queries import championships
from bridgebuddy.seasons.queries.championships import ChampionshipTable
from bridgebuddy.seasons.rules.handicap import RecentResults
from bridgebuddy.seasons.rules.model import Handicap

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
    caching.memory.clear()
    return ChampionshipTable(one).standings


def as_never_read(one):
    FormBefore.objects.all().delete()
    return lines(one)


@pytest.mark.parametrize(
    "rules",
    [{}, {"of": "player"}, {"is_frozen": True}, {"whose": "played"}, {"fewest_boards": 5}],
)
def test_a_list_is_the_same_of_what_was_kept_and_reads_nothing_before_it(one, monkeypatch, rules):
    Championship.objects.update(**rules)
    one.refresh_from_db()
    first = lines(one)
    read = []
    of = championships.lines_of
    monkeypatch.setattr(
        championships, "lines_of", lambda found: read.extend(found) or of(list(read))
    )

    again = lines(one)

    assert again == first
    assert first.lines
    assert all(line.values[0].handicap is not None for line in first.lines)
    assert {final.date.month for final in read} == {11}


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

    assert found == as_never_read(one)
    assert found != old


def test_of_a_list_that_is_not_stored_nothing_is_kept(club, one):
    not_stored = Championship(club=club, name="Looked at", since=SINCE, has_handicap=True)
    assert ChampionshipTable(not_stored).standings.below == ()

    assert not FormBefore.objects.exists()


def test_what_is_written_is_read_as_far_back_as_a_handicap_asks():
    form, again = RecentResults(Handicap(last=2)), RecentResults(Handicap(last=2))
    for day, above in enumerate((80, 120, 112, 101), 1):
        form.add_all(datetime.date(2026, 1, day), [(("1", "2"), above, 2)])

    days, had = form.written()
    again.read((days, had))

    assert had == {"1": [0, 112, 2, 1, 101, 2], "2": [0, 112, 2, 1, 101, 2]}
    assert again.worked("1") == form.worked("1")
    assert again.worked("1").of == (Fraction(56), Fraction(101, 2))
