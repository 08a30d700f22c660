"""What a season may be sent that is odd: short evenings, no evening, two lists of two sizes, a list taken back."""

import datetime
import json
from fractions import Fraction

import pytest
from django.urls import reverse

from bridgebuddy.scoring.services.publishing import open_again
from bridgebuddy.seasons.models import Championship, HandicapRule
from bridgebuddy.seasons.queries.championships import Table
from bridgebuddy.seasons.rules.document import read_season
from bridgebuddy.seasons.rules.report import report
from bridgebuddy.seasons.services.championships import make_final

from .evenings import evening

PLACES = {"name": "", "of": "pair", "counts": "places", "rule": "sum", "least": 1}


def page_of(client, one):
    return client.get(reverse("championship", args=[one.club_id, one.pk])).content.decode()


def test_two_winners_lists_of_three_and_thirteen_share_out_what_each_line_has():
    rows = [
        {"who": [f"{line}{n}", f"{line}{n}x"], "percentage": str(70 - n), "place": n}
        for line, size in (("N", 3), ("E", 13))
        for n in range(1, size + 1)
    ]
    evening = {"id": "1", "date": "2026-01-01", "name": "", "rows": rows}

    (found,) = report(read_season(json.dumps({"sessions": [evening], "lists": [PLACES]})))["lists"]

    points = {tuple(one["who"]): Fraction(one["value"]) for one in found["rows"]}
    assert len(points) == 16
    assert points["N1", "N1x"] == points["E1", "E1x"]


@pytest.mark.django_db
@pytest.mark.parametrize(("fewest", "counted"), [(6, 2), (7, 1)])
def test_a_short_evening_counts_or_not_as_the_list_says(club, alice, fewest, counted):
    evening(club, alice, "2026-10-06", boards_per_round=2)  # six boards a pair
    evening(club, alice, "2026-10-13", boards_per_round=3)
    one = Championship.objects.create(club=club, name="C", least=1, fewest_boards=fewest)

    lines = Table(one).standings.lines

    assert {len(line.values) for line in lines} == {counted}


@pytest.mark.django_db
def test_without_an_evening_a_list_says_so(client, club, alice):
    one = Championship.objects.create(club=club, name="Nothing yet")
    client.force_login(alice)

    assert client.get(reverse("championship", args=[club.pk, one.pk])).status_code == 200
    assert Table(one).standings.lines == ()


@pytest.mark.django_db
def test_a_session_taken_back_after_the_list_was_final_revises_it(client, club, alice):
    evening(club, alice, "2026-10-06")
    last = evening(club, alice, "2026-10-13")
    one = Championship.objects.create(club=club, name="Cup", least=1)
    make_final(one, True, by=alice)
    client.force_login(alice)
    before = page_of(client, one)

    open_again(last, by=alice)

    assert "has been revised since" not in before
    assert "has been revised since" in page_of(client, one)


@pytest.mark.django_db
def test_handicaps_are_frozen_for_a_championship_that_says_so(club, alice):
    """They are what was played before it began, in all of its evenings; otherwise they follow what is played."""
    HandicapRule.objects.create(club=club, least=1, band=None, most=None)
    evening(club, alice, "2026-09-29")
    for day in ("2026-10-06", "2026-10-13", "2026-10-20"):
        evening(club, alice, day)
    rules = {"of": "player", "since": datetime.date(2026, 10, 1), "least": 1, "has_handicap": True}

    def given(**more):
        table = Table(Championship.objects.create(club=club, name="C", **rules, **more))
        return [{value.handicap for value in line.values} for line in table.standings.lines]

    assert {len(one) for one in given(is_frozen=True)} == {1}
    assert max(len(one) for one in given()) == 3


@pytest.mark.django_db
def test_a_list_says_who_has_moved_since_the_evening_before(club, alice):
    sections = [evening(club, alice, f"2026-10-{day}") for day in ("06", "13", "20")]
    one = Championship.objects.create(club=club, name="C", least=1)
    without = Championship.objects.create(
        club=club, name="C", least=1, left_out=[sections[-1].session_id]
    )
    before = {line.who: line.place for line in Table(without).standings.lines}

    standings = Table(one).standings

    assert standings.moved == {line.who: before[line.who] - line.place for line in standings.lines}
    assert any(standings.moved.values())
