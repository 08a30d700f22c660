"""Winners of a knock-out: the unbeaten team, whatever the margins of other teams."""

from decimal import Decimal

import pytest

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play.rounds import start_next_round
from bridgebuddy.scoring.draws.bracket import bracket_rounds
from bridgebuddy.scoring.draws.drawing import DrawWishes
from bridgebuddy.scoring.draws.knockout import KnockOut
from bridgebuddy.scoring.results.league import TeamMatches
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services import rulings
from bridgebuddy.scoring.services.draws.drawing import publish_draw
from bridgebuddy.scoring.services.results import EnteredResult, enter_result, enter_results
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.factories import director_of, section_with

pytestmark = pytest.mark.django_db


def win(section, by_how_much):
    """Let the team with the lower number win each match of the round, by a score that depends on it."""
    entered = []
    for play in section.plays.filter(round=section.round, taken_back_at=None):
        ns, ew = play.ns.contestant, play.ew.contestant
        score = by_how_much[min(ns, ew)]
        entered.append(EnteredResult(play.pk, {"score": score if ns < ew else -score}))
    enter_results(section, entered, by=None)
    section.refresh_from_db()


def go_on(section, by, **wishes):
    drawing = KnockOut(ScoredSession(SessionSnapshot(section)), section, DrawWishes(**wishes))
    publish_draw(section, drawing.wishes, key=drawing.key, plan=section.plan, by=by)
    section.refresh_from_db()
    start_next_round(section, after=section.round, by=by)
    section.refresh_from_db()


def places(section):
    [ranking] = ScoredSession(SessionSnapshot(section)).main_lists
    return [(standing.place, standing.label) for standing in ranking.standings]


def test_the_winner_is_who_was_never_beaten_and_not_who_won_by_most():
    section = section_with(4, "knockout", round=1, contest="teams", options={"seeded": True})
    by = director_of(section.club)
    win(section, {1: 90, 2: 500})  # 1 beats 4 by a little, 2 beats 3 by far
    go_on(section, by)
    assert places(section)[2:] == [("3=", "4"), ("3=", "3")]

    win(section, {1: 90})

    assert places(section) == [("1", "1"), ("2", "2"), ("3=", "4"), ("3=", "3")]


def test_who_goes_on_is_before_who_is_out_whatever_the_score_says():
    section = section_with(4, "knockout", round=1, contest="teams", options={"seeded": True})
    by = director_of(section.club)
    win(section, {1: 500, 2: 90})
    go_on(section, by, through=("4", "2"))  # a protest, say

    assert sorted(places(section)[2:]) == [("3=", "1"), ("3=", "3")]


def test_a_match_for_the_third_place_decides_it():
    options = {"seeded": True, "compact": True}
    section = section_with(4, "knockout", round=1, contest="teams", options=options)
    win(section, {1: 90, 2: 90})
    go_on(section, director_of(section.club))
    # both matches are level: boards may be added to either
    for play in section.plays.filter(round=2):
        enter_result(section, play.pk, {"passed": True}, by=None)
    level = KnockOut(ScoredSession(SessionSnapshot(section)), section).pairs_for_extra_boards
    keys = {entry.contestant: entry.pk for entry in section.entries.all()}
    assert level == {frozenset((keys[item], keys[other])) for item, other in ((1, 2), (3, 4))}

    win(section, {1: 90, 3: 500})

    assert places(section) == [("1", "1"), ("2", "2"), ("3", "3"), ("4", "4")]


def test_the_consolation_decides_the_places_of_those_who_were_out_before_the_semi_finals():
    options = {"seeded": True, "compact": True}
    section = section_with(6, "knockout", round=1, contest="teams", options=options)
    by = director_of(section.club)
    win(section, dict.fromkeys(range(1, 7), 90))
    go_on(section, by)
    win(section, dict.fromkeys(range(1, 7), 90))
    assert [place for place, _ in places(section)][-2:] == ["5", "6"]
    go_on(section, by)

    win(section, dict.fromkeys(range(1, 7), 90))

    assert places(section) == [(str(place), str(place)) for place in range(1, 7)]


def test_a_bracket_has_its_rounds_by_name_and_what_its_matches_were_about():
    options = {"seeded": True, "compact": True}
    section = section_with(8, "knockout", round=1, contest="teams", options=options)
    by = director_of(section.club)
    for _ in (1, 2):
        win(section, dict.fromkeys(range(1, 9), 90))
        go_on(section, by)
    scored = ScoredSession(SessionSnapshot(section))

    found = bracket_rounds(TeamMatches(scored), scored.tonight.section)

    told = [(round.name, [(event, len(each)) for event, each in round.groups]) for round in found]
    assert told == [
        ("Quarter-finals", [("", 4)]),
        ("Semi-finals", [("", 2), ("consolation", 2)]),
        ("Final", [("", 1), ("third place", 1), ("consolation", 2)]),
    ]


def of_team(section):
    matches = TeamMatches(ScoredSession(SessionSnapshot(section))).in_round(section, 1)
    return next(match for match in matches if match.home.number == 1)


@pytest.mark.parametrize("goes_on", [True, False])
def test_a_penalty_in_imps_counts_whole_in_who_goes_on(goes_on):
    section = section_with(4, "knockout", round=1, contest="teams", options={"seeded": True})
    by = director_of(section.club)
    win(section, {1: 90, 2: 500})
    first = of_team(section)
    lead = first.result.lead

    taken = lead - 1 if goes_on else lead + 1
    team = section.entries.get(position=1)
    fine = {"unit": "imps", "amount": Decimal(-int(taken)), "round": 1, "kind": "disciplinary"}
    rulings.give_penalty(section, team.pk, **fine, by=by)
    found = of_team(section)

    assert found.result.lead == (1 if goes_on else -1)
    assert found.winner.number == (1 if goes_on else 4)
    assert found.adjusted_imps.ahead == found.result.lead
    tie = KnockOut(ScoredSession(SessionSnapshot(section)), section, DrawWishes()).ties[0]
    assert tie.chosen_numbers == (1 if goes_on else 4,)


def test_another_sections_matches_are_nobodys_way_to_the_next_round():
    known = {"round": 1, "contest": "teams", "options": {"seeded": True}}
    section = section_with(4, "knockout", **known)
    beside = section_with(4, "knockout", club=section.club, **known)
    Section.objects.filter(pk=beside.pk).update(session=section.session, name="B")
    section.refresh_from_db()
    win(section, {1: 90, 2: 500})
    own, other = (
        KnockOut(ScoredSession(SessionSnapshot(item)), item, DrawWishes())
        for item in (section, Section.objects.get(pk=beside.pk))
    )

    assert (own.is_missing, other.is_missing) == (False, True)
    assert [tie.chosen_numbers for tie in own.ties] == [(1,), (2,)]
    assert [tie.chosen_numbers for tie in other.ties] == [(), ()]
