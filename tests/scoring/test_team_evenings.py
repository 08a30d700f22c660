"""Evenings of teams: whatever the movement, each match has both its tables, and is scored when both are in."""

import pytest

from bridgebuddy.events.services import movement
from bridgebuddy.scoring.models import Scoring
from bridgebuddy.scoring.queries.matches import TeamMatches
from bridgebuddy.scoring.queries.scored import Scored
from bridgebuddy.scoring.queries.tonight import Tonight
from tests.factories import begun, director_of, section_with

from .test_tonight import enter_by_chance

pytestmark = pytest.mark.django_db
BOARDS = 3


def team_evening(teams, family, planned=None, *, until=None, entered=True, **options):
    """Make an evening of teams, with all its rounds begun and all results in."""
    section = section_with(teams, contest="teams")
    section = movement.choose_movement(
        section,
        family,
        rounds=planned,
        boards_per_round=BOARDS,
        options=options,
        by=director_of(section.club),
    )
    section = begun(section, until or section.rounds)
    if entered:
        enter_by_chance(section)
        section.refresh_from_db()
    return section


def scored(section, **profile):
    Scoring.objects.update_or_create(session=section.session, defaults={"profile": profile})
    return Scored(Tonight(section))


#: family, teams, rounds asked for; how many matches there are, and with how many boards each
EVENINGS = [
    ("team-round-robin", 8, None, 28, 3),
    ("team-round-robin", 7, None, 21, 3),
    ("triangle", 3, 2, 3, 3),
    ("triangle", 3, 4, 3, 6),
    ("head-to-head", 2, 2, 1, 6),
    ("head-to-head", 2, 4, 1, 12),
    ("mitchell-teams", 6, None, 9, 3),
    ("team-awl", 7, None, 21, 6),
    ("team-awl", 8, None, 24, 6),
    ("new-england-relay", 6, None, 15, 6),
    ("team-rings", 5, None, 10, 6),
]


@pytest.mark.parametrize(("family", "teams", "planned", "matches", "boards"), EVENINGS)
def test_every_movement_of_teams_is_matches_of_both_tables(family, teams, planned, matches, boards):
    found = scored(team_evening(teams, family, planned), vp="wbf-continuous")

    assert found.problem == ""
    assert found.is_complete
    rows = found.results["matches"]
    told = found.document["matches"]
    met = [frozenset((one["home"], one["away"])) for one in told]
    assert len(rows) == len(set(met)) == matches
    assert {len(one["boards"]) for one in told} <= {boards, boards // 2}
    assert all(one["rule"] == "match" for one in rows)
    assert all(round(sum(one["vps"].values()), 2) == 20 for one in rows)
    assert sum(one.row["total"] for one in TeamMatches(found).table) == pytest.approx(20 * matches)
