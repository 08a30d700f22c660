"""A team leaves: the words of desk, phones and history about the matches not played."""

import re

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play.changes import change_options, take_proposal
from movements.engine.changes import PairLeaves
from tests.factories import section_with

from .reading import text

pytestmark = pytest.mark.django_db


@pytest.fixture
def teams(club, alice):
    """Teams that play a movement until a round."""

    def made(count, family, round, **choice):
        return section_with(
            *(count, family),
            round=round,
            boards_per_round=4,
            club=club,
            by=alice,
            contest="teams",
            **choice,
        )

    return made


def without_team(section, team, by):
    """Let a team leave after the round being played."""
    change = PairLeaves(team)
    take_proposal(section, change_options(section, change)[0], change, plan=section.plan, by=by)
    return Section.objects.get(pk=section.pk)


def differences(browser, section, team):
    """Return the places that differ after a team has left: rounds and tables."""
    page = browser.get(
        reverse("change", args=[section.code, "leaves"]), {"contestant": team}
    ).content.decode()
    return [
        (int(round), int(table))
        for round, table in re.findall(
            r'data-label="Round">(\d+)</td>\s*<td class="num" data-label="Table">(\d+)</td>', page
        )
    ]


def test_what_is_different_is_told_at_the_tables_teams_know(browser, teams):
    section = teams(8, "team-round-robin", 2)

    opponents = {3: 8, 4: 5, 5: 7, 6: 2, 7: 4}  # of team 3, by round
    assert differences(browser, section, 3) == [
        place
        for round, other in opponents.items()
        for place in sorted([(round, 3), (round, other)])
    ]


def test_the_rounds_of_a_triangle_are_among_what_is_different(browser, teams):
    section = teams(7, "team-round-robin", 2)

    assert differences(browser, section, 1) == [
        *[(3, 1), (3, 4), (4, 1), (4, 5)],
        *[(5, 1), (5, 6), (6, 1), (6, 7)],
    ]


def test_whoever_has_left_is_at_no_table_of_a_triangle(browser, teams, alice):
    section = without_team(teams(7, "team-round-robin", 2), 1, alice)

    whole = text(browser.get(reverse("all-rounds", args=[section.code])))

    rounds = re.findall(r"\d : \d", whole.partition("Back to the desk")[2])
    assert [cell for cell in rounds[14:] if "1" in cell] == []
    assert len(rounds) == 2 * 7 + 4 * 5


def test_half_a_team_that_plays_on_is_not_told_to_sit_out(browser, teams, alice):
    section = without_team(teams(7, "team-round-robin", 2), 1, alice)

    phone = text(browser.get(reverse("player", args=[section.code, "4"])))

    assert "New plan: in round 3 only half of your team plays." in phone


@pytest.mark.parametrize(
    ("count", "family", "round", "told"),
    [
        (8, "team-round-robin", 2, "8 of 28 boards played: less than half."),
        (7, "team-round-robin", 4, "16 of 24 boards played: half or more."),
        (8, "swiss", 1, "4 of 12 boards played: less than half."),
        (8, "mitchell-teams", 2, "8 of 12 boards played: half or more."),
    ],
)
def test_a_team_that_leaves_has_played_the_boards_of_one_of_its_pairs(
    browser, teams, alice, count, family, round, told
):
    section = without_team(
        teams(count, family, round, rounds=3 if family == "swiss" else None), 3, alice
    )

    history = text(browser.get(reverse("history", args=[section.code]), follow=True))

    assert told in history
