"""The desk's pages of teams: matches, everybody against everybody, one match, and the pairs' list."""

import pytest
from django.urls import reverse

from bridgebuddy.scoring.models import Scoring
from bridgebuddy.scoring.queries.matches import TeamMatches
from bridgebuddy.scoring.queries.scored import Scored
from bridgebuddy.scoring.queries.tonight import Tonight
from bridgebuddy.scoring.services.publishing import publish
from tests.factories import director_of
from tests.scoring.test_team_evenings import after_leaving, scored, team_evening

pytestmark = pytest.mark.django_db


@pytest.fixture
def section():
    section = team_evening(4, "team-round-robin")
    scored(section, vp="wbf-discrete")
    return section


@pytest.fixture
def director(client, section):
    client.force_login(director_of(section.club))
    return client


def first_match(section):
    found = TeamMatches(Scored(Tonight(section))).all[0]
    return [found.round, found.home.slug, found.away.slug]


def page(client, name, *args, **query):
    answer = client.get(reverse(name, args=args), query)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_every_page_of_teams_is_there(director, section):
    assert "Everybody against everybody" in page(director, "matches", section.code)
    assert "Open room" in page(director, "match", section.code, *first_match(section))
    assert "played best" in page(director, "butler", section.code)
    assert "W–D–L" in page(director, "ranking", section.code)


def test_published_pages_of_teams_are_there(client, section):
    publish(section, by=None)
    token = Scoring.objects.get().token

    assert "W–D–L" in page(client, "public-results", token)
    assert "Everybody against everybody" in page(client, "public-matches", token)
    assert "Open room" in page(client, "public-match", token, "A", *first_match(section))
    assert "Butler" in page(client, "public-pairs", token)


@pytest.mark.parametrize("asked", ["", "0", "²", "٣", "-1", "1" * 5000, "9" * 400])
def test_any_round_may_be_asked_for(director, section, asked):
    shown = page(director, "matches", section.code, round=asked)

    assert "Everybody against everybody" in shown


def test_matches_that_do_not_count_are_not_still_to_be_played(client):
    found = after_leaving("team-round-robin", 6, 2, played=2)
    section = found.scored.tonight.section
    client.force_login(director_of(section.club))

    matrix = page(client, "matches", section.code).partition('class="xmat"')[2]

    matrix = matrix.partition("</table>")[0]
    assert matrix.count("A team has left: this match does not count.</span>–") == 10
    assert "plays" not in matrix
    assert "·" not in matrix
