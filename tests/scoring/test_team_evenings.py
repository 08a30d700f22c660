"""Evenings of teams: in any movement, each match has both its tables, and is scored when both are in."""

from importlib import import_module
from pathlib import Path

import pytest

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play.changes import change_options, take_proposal
from bridgebuddy.events.services.setup import movement
from bridgebuddy.scoring import migrations
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.results.league import TeamMatches
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from movements.engine.changes import PairLeaves
from tests.apps_of_then import AppsOfThen
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
    ScoringSettings.objects.update_or_create(session=section.session, defaults={"profile": profile})
    return ScoredSession(SessionSnapshot(section))


#: family, teams, rounds asked for; how many matches there are, and with how many boards each
EVENINGS = [
    ("team-round-robin", 8, None, 28, 3),
    ("team-round-robin", 7, None, 21, 3),
    ("triangle", 3, 2, 3, 3),
    ("triangle", 3, 4, 3, 6),
    ("head-to-head", 2, 2, 1, 6),
    ("head-to-head", 2, 4, 1, 12),
    ("mitchell-teams", 6, None, 9, 3),
    ("team-awl", 7, None, 21, 3),
    ("team-awl", 8, None, 24, 3),
    ("new-england-relay", 6, None, 15, 3),
    ("team-rings", 5, None, 10, 3),
]


@pytest.mark.parametrize(("family", "teams", "planned", "matches", "boards"), EVENINGS)
def test_every_movement_of_teams_is_matches_of_both_tables(family, teams, planned, matches, boards):
    results = scored(team_evening(teams, family, planned), vp="wbf-continuous")

    assert results.problem == ""
    assert results.is_complete
    rows = results.results.matches
    told = results.document.session.matches
    met = [frozenset((match.home, match.away)) for match in told]
    assert len(rows) == len(set(met)) == matches
    assert {len(match.boards) for match in told} == {boards}
    assert all(row.rule == "match" for row in rows)
    assert all(round(row.vps.home + row.vps.away, 2) == 20 for row in rows)
    assert sum(item.row.total for item in TeamMatches(results).table) == pytest.approx(20 * matches)


def leaves(section, team):
    """Let a team go home after the round that is being played."""
    section = Section.objects.get(pk=section.pk)
    change = PairLeaves(team)
    way = change_options(section, change)[0]
    by = director_of(section.club)
    return take_proposal(section, way=way, change=change, plan=section.plan, by=by)


def after_leaving(family, teams, team, *, played):
    section = leaves(team_evening(teams, family, until=played), team)
    section = begun(Section.objects.get(pk=section.pk), section.rounds)
    enter_by_chance(section, seed=4)
    results = scored(section, vp="wbf-continuous")
    assert results.problem == ""
    return TeamMatches(results)


def of_team_2(found):
    return [item for item in found.all if "2" in [team.slug for team in item.teams]]


def test_whoever_was_still_to_meet_a_team_that_left_has_the_best_of_three():
    """Team 2 of six leaves after three of its five matches: these stand."""
    found = after_leaving("team-round-robin", 6, 2, played=3)

    missed = [row for row in found.all if row.rule == "missing"]
    assert len(found.all) == 15
    assert len(missed) == 2
    mine = [row for row in of_team_2(found) if row.rule == "match"]
    assert len(mine) == 3
    gone = next(item.team for item in found.table if item.team.slug == "2")
    theirs = 20 - sum(row.score_of_team(gone) for row in mine) / 3
    for match in missed:
        own = [
            row.score_of_team(match.home)
            for row in found.all
            if row.rule == "match" and match.home.slug in [team.slug for team in row.teams]
        ]
        expected = max(12, sum(own) / len(own), theirs)
        assert match.score.home == pytest.approx(expected, abs=0.006)
        assert match.score.away == 0


def test_the_matches_of_a_team_that_left_before_half_of_them_count_for_nobody():
    found = after_leaving("team-round-robin", 6, 2, played=2)

    assert {row.rule for row in of_team_2(found)} == {"cancelled"}
    assert len(found.all) == 15


@pytest.mark.parametrize(("played", "counts"), [(1, False), (2, True)])
def test_the_matches_of_a_team_that_left_after_exactly_half_of_them_count(played, counts):
    """Each of five teams has four matches in team rings."""
    found = after_leaving("team-rings", 5, 2, played=played)

    rules = [row.rule for row in of_team_2(found)]
    assert len(rules) == 4
    assert rules.count("match") == (played if counts else 0)
    assert rules.count("cancelled") == (0 if counts else 4)


def test_of_a_triangle_to_come_whose_third_team_has_left_both_others_have_missed_a_match():
    """Team 7 of seven was to play its triangle with 1 and 6 in the last two rounds."""
    found = after_leaving("team-round-robin", 7, 7, played=4)

    missed = [row for row in found.all if row.rule == "missing"]
    assert {row.home.slug for row in missed} == {"1", "6"}
    assert all(row.score.home >= 12 for row in missed)
    assert {item.row.matches for item in found.table} == {6}


def test_in_american_whist_a_match_half_played_with_a_team_that_left_is_a_missed_one():
    found = after_leaving("team-awl", 7, 2, played=5)

    rules = sorted(row.rule for row in of_team_2(found))
    assert rules == ["match"] * 4 + ["missing"] * 2


def test_leagues_of_before_keep_the_sum_of_their_imps():
    league = section_with(6, "team-round-robin", contest="teams")
    swiss = section_with(8, "swiss", contest="teams")
    chosen = section_with(6, "team-awl", contest="teams")
    ScoringSettings.objects.create(session=chosen.session, profile={"vp": "wbf-discrete"})

    [file] = Path(migrations.__file__).parent.glob("*_leagues_as_they_were.py")
    for _ in (1, 2):
        import_module(f"{migrations.__name__}.{file.stem}").keep_imps(AppsOfThen(), None)

    profiles = {item.session_id: item.profile for item in ScoringSettings.objects.all()}
    assert profiles == {league.session_id: {"vp": None}, chosen.session_id: {"vp": "wbf-discrete"}}
    assert SessionSnapshot(league).document.profile.vp is None
    assert SessionSnapshot(swiss).document.profile.vp == "wbf-continuous"
