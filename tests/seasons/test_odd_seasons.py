"""Odd seasons: short evenings, no evening, two lists of two sizes, a withdrawn list."""

import datetime
import json
from fractions import Fraction

import pytest
from django.urls import reverse

from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.services.publishing import make_list_final as publish_final
from bridgebuddy.scoring.services.publishing import reopen_list
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.seasons.championship_views import ChampionshipView
from bridgebuddy.seasons.line_explanations import LineExplanation
from bridgebuddy.seasons.models import Championship, HandicapRule
from bridgebuddy.seasons.queries.championships import ChampionshipTable
from bridgebuddy.seasons.queries.final_lists import season_rows
from bridgebuddy.seasons.rules.document import read_season
from bridgebuddy.seasons.rules.report import season_report
from bridgebuddy.seasons.services.championships import make_championship_final

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

    (found,) = season_report(read_season(json.dumps({"sessions": [evening], "lists": [PLACES]})))[
        "lists"
    ]

    points = {tuple(row["who"]): Fraction(row["value"]) for row in found["rows"]}
    assert len(points) == 16
    assert points["N1", "N1x"] == points["E1", "E1x"]


@pytest.mark.django_db
@pytest.mark.parametrize(("fewest", "counted"), [(6, 2), (7, 1)])
def test_a_short_evening_counts_or_not_as_the_list_says(club, alice, fewest, counted):
    evening(club, alice, "2026-10-06", boards_per_round=2)  # six boards a pair
    evening(club, alice, "2026-10-13", boards_per_round=3)
    one = Championship.objects.create(club=club, name="C", least=1, fewest_boards=fewest)

    lines = ChampionshipTable(one).standings.lines

    assert {len(line.values) for line in lines} == {counted}


@pytest.mark.django_db
def test_without_an_evening_a_list_says_so(client, club, alice):
    one = Championship.objects.create(club=club, name="Nothing yet")
    client.force_login(alice)

    assert client.get(reverse("championship", args=[club.pk, one.pk])).status_code == 200
    assert ChampionshipTable(one).standings.lines == ()


@pytest.mark.django_db
def test_a_session_taken_back_after_the_list_was_final_revises_it(client, club, alice):
    evening(club, alice, "2026-10-06")
    last = evening(club, alice, "2026-10-13")
    one = Championship.objects.create(club=club, name="Cup", least=1)
    make_championship_final(one, True, by=alice)
    client.force_login(alice)
    before = page_of(client, one)

    reopen_list(last, by=alice)

    assert "has been revised since" not in before
    assert "has been revised since" in page_of(client, one)


@pytest.mark.django_db
def test_handicaps_are_frozen_for_a_championship_that_says_so(club, alice):
    """They come from sessions before its beginning, in all of its evenings; otherwise they follow the latest sessions."""
    HandicapRule.objects.create(club=club, least=1, band=None, most=None)
    evening(club, alice, "2026-09-29")
    for day in ("2026-10-06", "2026-10-13", "2026-10-20"):
        evening(club, alice, day)
    rules = {"of": "player", "since": datetime.date(2026, 10, 1), "least": 1, "has_handicap": True}

    def given(**more):
        table = ChampionshipTable(Championship.objects.create(club=club, name="C", **rules, **more))
        return [{value.handicap for value in line.values} for line in table.standings.lines]

    assert {len(item) for item in given(is_frozen=True)} == {1}
    assert max(len(item) for item in given()) == 3


@pytest.mark.django_db
def test_a_list_says_who_has_moved_since_the_evening_before(club, alice):
    sections = [evening(club, alice, f"2026-10-{day}") for day in ("06", "13", "20")]
    one = Championship.objects.create(club=club, name="C", least=1)
    without = Championship.objects.create(
        club=club, name="C", least=1, left_out=[sections[-1].session_id]
    )
    before = {line.who: line.place for line in ChampionshipTable(without).standings.lines}

    standings = ChampionshipTable(one).standings

    assert standings.moved == {line.who: before[line.who] - line.place for line in standings.lines}
    assert any(standings.moved.values())


def whys(one, person=None):
    """Return the explanation of each evening for the first line, or for a player's."""
    table = ChampionshipTable(one)
    lines = [*table.standings.lines, *table.standings.below]
    line = next(line for line in lines if person is None or line.who == person)
    return [(each.text != "", each.why) for each in LineExplanation(table, line).evenings]


@pytest.mark.django_db
def test_a_line_says_why_an_evening_gives_it_nothing(club, alice):
    """One in IMPs among percentages, one that was too short, one that is dropped, and one that was not played."""
    evening(club, alice, "2026-10-06", boards_per_round=3)
    imps = evening(club, alice, "2026-10-13", boards_per_round=3, is_final=False)
    ScoringSettings.objects.update_or_create(
        session=imps.session, defaults={"profile": {"method": "butler"}}
    )
    publish_final(imps, by=alice)
    evening(club, alice, "2026-10-20", boards_per_round=2)
    evening(club, alice, "2026-10-27", pairs=6, boards_per_round=3)
    one = Championship.objects.create(club=club, name="C", least=1, best=1, fewest_boards=7)

    newcomer = next(
        line.who for line in ChampionshipTable(one).standings.lines if len(line.values) == 1
    )

    reasons = whys(
        one,
        next(line.who for line in ChampionshipTable(one).standings.lines if len(line.values) == 2),
    )
    assert [why for _, why in reasons if why] == [
        why
        for why in (
            "not among the best 1" if reasons[0][1] else "",
            "no per cent",
            "too few boards",
            "not among the best 1" if reasons[3][1] else "",
        )
        if why
    ]
    assert sum(why == "not among the best 1" for _, why in reasons) == 1
    assert [why for _, why in whys(one, newcomer)] == ["not there", "not there", "not there", ""]


@pytest.mark.django_db
def test_of_a_list_that_is_over_nothing_is_said_to_be_possible(club, alice):
    evening(club, alice, "2026-10-06")
    evening(club, alice, "2026-10-13")
    open_one = Championship.objects.create(club=club, name="C", least=1, best=1)
    over = Championship.objects.create(
        club=club, name="C", least=1, best=1, until=datetime.date(2026, 10, 31)
    )
    final = Championship.objects.create(club=club, name="C", least=1, best=1)
    make_championship_final(final, True, by=alice)
    final.refresh_from_db()

    def has_sentences(one):
        table = ChampionshipTable(one)
        whole = [LineExplanation(table, line) for line in table.standings.lines]
        return any(why.needed_to_lead_sentence for why in whole), any(
            why.weakest_value_sentence for why in whole
        )

    assert [has_sentences(item) for item in (open_one, over, final)] == [
        (True, True),
        *[(False, False)] * 2,
    ]


@pytest.mark.django_db
def test_a_rule_that_nobody_fulfils_says_so(client, club, alice):
    evening(club, alice, "2026-10-06")
    one = Championship.objects.create(club=club, name="C", least=1, category="juniors")
    client.force_login(alice)

    page = page_of(client, one)

    assert "no player fulfils the rule" in page
    assert "No final list counts yet" not in page


@pytest.mark.django_db
def test_an_evening_without_points_is_an_evening_in_a_list_of_masterpoints(club, alice):
    evening(club, alice, "2026-10-06", pairs=6, masterpoints="acbl-club-open")
    evening(club, alice, "2026-10-13", pairs=6)
    one = Championship.objects.create(
        club=club, name="C", of="pair", counts="masterpoints", rule="sum", least=1
    )

    lines = ChampionshipTable(one).standings.lines

    assert [len(line.values) for line in lines] == [1] * 6
    assert lines[0].total > 0
    assert lines[-1].total == 0
    assert [(text, why) for text, why in whys(one)] == [(True, ""), (False, "nothing to count")]


@pytest.mark.django_db
@pytest.mark.parametrize(("rule", "unit"), [("mean", " %"), ("drop", " %"), ("sum", "")])
def test_a_mean_of_percentages_is_a_percentage(club, alice, rule, unit):
    evening(club, alice, "2026-10-06")
    one = Championship.objects.create(club=club, name="C", least=1, rule=rule, each=2)
    table = ChampionshipTable(one)

    title = LineExplanation(table, table.standings.lines[0]).title

    assert f"{unit}, place 1" in title
    assert title.count("%") == len(unit.strip())


def test_a_session_moved_in_without_boards_is_not_too_short():
    kept = [[1, 2], 0, "50", 1, None, None, None, None, 0]

    assert [row.who for row in season_rows([kept], fewest=24)] == [("1", "2")]


@pytest.mark.django_db
def test_however_many_lists_were_revised_it_is_one_sentence(club, alice):
    sections = [evening(club, alice, f"2026-10-{day}") for day in ("06", "13", "20")]
    one = Championship.objects.create(club=club, name="C", least=1)
    found = []
    for section in sections[:2]:
        play = section.plays.order_by("pk").first()
        outcome = play.results.get(stands=True).outcome
        enter_result(section, play.pk, {"score": -outcome["score"]}, by=alice)
        found.append(ChampionshipView(ChampionshipTable(one)).notes)

    assert found == [
        ["The ranking of 6 October 2026 was revised, and this list changed with it."],
        ["This list changed because these rankings were revised: 6 October 2026, 13 October 2026."],
    ]
