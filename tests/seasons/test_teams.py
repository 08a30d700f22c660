"""Identity of teams and pairs over a season: each partnership has a line."""

import datetime
import json
from random import Random

import pytest
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.services.roster import merge_people
from bridgebuddy.scoring.services.publishing import make_list_final
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.seasons.models import Championship
from bridgebuddy.seasons.queries.championships import ChampionshipTable
from bridgebuddy.seasons.rules.document import read_season
from bridgebuddy.seasons.rules.model import Championship as ChampionshipRules
from bridgebuddy.seasons.rules.teams import teams_of
from bridgebuddy.seasons.services.championships import (
    make_championship_final as make_championship_final,
)
from bridgebuddy.seasons.services.championships import publish_championship
from tests.factories import begun, section_with

from .test_season import lists_of, row, session

RULES = {"name": "", "of": "team", "counts": "vps", "rule": "sum"}


def teams(*sessions, same=3):
    """Return each team's number of evenings and its name, by team."""
    rules = RULES | ({"same": same} if same else {})
    (found,) = lists_of({"sessions": list(sessions), "lists": [rules]})
    return {
        "".join(item["who"]): (len(item["sessions"]), item.get("team", ""))
        for item in found["rows"]
    }


def four(people, name="", vps="10"):
    return row(None, *people, vps=vps) | ({"team": name} if name else {})


def test_a_team_that_changes_somebody_is_the_same_team():
    assert teams(session(1, four("ABCD")), session(2, four("ABCE")), session(3, four("BDEF"))) == {
        "ABCDE": (2, ""),
        "BDEF": (1, ""),
    }


def test_of_the_same_name_one_is_enough_and_the_last_name_is_told():
    assert teams(
        session(1, four("ABCD", "Lions"), four("EFGH", "Team 2")),
        session(2, four("AXYZ", "LIONS"), four("PQRS", "Team 2")),
        session(3, four("AXYB", "Tigers")),
    ) == {"ABCDXYZ": (3, "Tigers"), "EFGH": (1, "Team 2"), "PQRS": (1, "Team 2")}


def test_a_team_that_divides_goes_on_in_who_has_most_of_it():
    assert teams(
        session(1, four("ABCD", "Lions")), session(2, four("ABXY", "Lions"), four("CDAZ"))
    ) == {"ABCDXY": (2, "Lions"), "ACDZ": (1, "")}


def test_a_team_of_the_groups_is_there_before_it_plays():
    season = read_season(
        json.dumps({"sessions": [session(1, four("ABCE")), session(2, four("WXYZ"))]})
    )
    abcd = tuple("ABCD")

    of = teams_of(season, ChampionshipRules("", of="team", same=3, known=(abcd,))).of

    assert of == {
        ("1", tuple("ABCE")): tuple("ABCDE"),
        ("2", tuple("WXYZ")): tuple("WXYZ"),
    }


def test_where_a_list_says_nothing_the_same_people_are_the_same_team():
    assert teams(
        session(1, four("ABCD", "Lions")), session(2, four("ABCE", "Lions")), same=None
    ) == {"ABCD": (1, ""), "ABCE": (1, "")}


@settings(max_examples=100, deadline=None, derandomize=True)
@given(
    st.lists(
        st.lists(
            st.tuples(
                st.sets(st.sampled_from("ABCDEFGHIJ"), min_size=4, max_size=4),
                st.sampled_from(["", "Lions"]),
            ),
            max_size=3,
        ),
        max_size=5,
    )
)
def test_every_row_is_one_teams_and_no_two_are_called_alike(evenings):
    sessions = [
        session(number, *(four(sorted(people), name) for people, name in rows))
        for number, rows in enumerate(evenings, 1)
    ]
    season = read_season(json.dumps({"sessions": sessions, "lists": [RULES | {"same": 3}]}))

    found = teams_of(season, season.lists[0])

    for item in season.sessions:
        for each in item.rows:
            assert set(each.who) <= set(found.of[item.id, each.who])
    assert set(found.of.values()) == set(found.names)


def test_whoever_plays_with_two_partners_has_a_line_with_each():
    sessions = [session(1, row("60", "A", "B")), session(2, row("50", "C", "A"))]
    lists = [
        {"name": of, "of": of, "counts": "percentage", "rule": "mean"}
        for of in ("pair", "partnership")
    ]

    pairs, partnerships = lists_of({"sessions": sessions, "lists": lists})

    assert [item["who"] for item in pairs["rows"]] == [["A", "B"], ["A", "C"]]
    assert pairs["rows"] == partnerships["rows"]


# ── with a club's evenings ──


def teams_evening(club, by, day):
    section = section_with(
        4, "team-round-robin", contest="teams", club=club, by=by, boards_per_round=2
    )
    session = section.session
    session.date = datetime.date.fromisoformat(day)
    session.save()
    section = begun(section, section.movement.rounds)
    random = Random(day)
    for play in section.plays.order_by("pk"):
        enter_result(section, play.pk, {"score": random.choice([-140, -110, 90, 110, 140])}, by=by)
    return section


@pytest.fixture
def league(club, alice):
    """Return two evenings of four teams; on the second another player is in the first one, now called the Lions."""
    first, second = (teams_evening(club, alice, day) for day in ("2026-10-06", "2026-10-13"))
    seat = second.entries.get(position=1).entry_people.get(position=4)
    seat.person = Person.objects.create(club=club, name="Zoe New")
    seat.save()
    second.entries.filter(position=1).update(name="Lions of Zoe")
    for section in (first, second):
        make_list_final(section, by=alice)
    return Championship.objects.create(
        club=club, name="League", of="team", counts="vps", rule="sum"
    )


@pytest.mark.django_db
def test_a_team_of_the_club_is_one_line_with_its_name_and_who_played_for_it(
    client, club, alice, league
):
    client.force_login(alice)

    table = ChampionshipTable(league)
    page = client.get(reverse("championship", args=[club.pk, league.pk])).content.decode()

    assert [len(line.values) for line in table.standings.lines] == [2] * 4
    (lions,) = [line for line in table.standings.lines if table.team(line.who)]
    assert len(lions.who) == 5
    assert table.line_text(lions.who) == "Lions of Zoe"
    assert "Zoe New" in page
    assert "Dan West1" in page


@pytest.mark.django_db
def test_everybody_reads_a_teams_name_without_names_that_are_not_shown(client, club, alice, league):
    club.public_names = "none"
    club.save()
    publish_championship(league, True, by=alice)

    page = client.get(reverse("public-championship", args=[league.token])).content.decode()

    assert "Lions of Guest" in page
    assert "Zoe" not in page


@pytest.mark.django_db
def test_a_team_that_is_called_something_else_is_so_in_the_list(club, alice, league):
    _ = ChampionshipTable(league).standings
    entries = Person.objects.get(club=club, name="Zoe New").entries
    entries.update(name="Tigers")

    table = ChampionshipTable(Championship.objects.get(pk=league.pk))

    assert "Tigers" in {table.line_text(line.who) for line in table.standings.lines}


@pytest.mark.django_db
def test_merging_somebody_of_a_team_revises_no_final_list(club, alice, league):
    make_championship_final(league, True, by=alice)
    zoe = Person.objects.get(club=club, name="Zoe New")

    merge_people(Person.objects.create(club=club, name="Zoë New-Old"), zoe, by=alice)

    assert not ChampionshipTable(Championship.objects.get(pk=league.pk)).differs_from_final_ranking
