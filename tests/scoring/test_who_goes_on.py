"""The next round of a document: qualifiers of a knock-out, meetings of a round robin, teams of triangles."""

import json
from itertools import combinations

import pytest

from bridgebuddy.events.services.play import changes
from bridgebuddy.scoring.draws.knockout import KnockOut
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.rules.document import read_document
from bridgebuddy.scoring.rules.draws.stage import _StageDraw, draw_round
from bridgebuddy.scoring.rules.errors import ScoringError
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from movements.engine.changes import PairLeaves
from tests.factories import director_of, section_with

from .test_knockout_places import win


def contest(kind, teams, matches, *, left=None, profile=None, **stage):
    """Return a contest of teams; a match has its round, both sides, and home's points of 20 or other facts."""
    told = []
    for round, home, away, came in matches:
        if isinstance(came, int):
            came = {"given": {"home": came, "away": 20 - came}}
        told.append({"round": round, "home": home, "away": away} | (came or {}))
    return {
        "contest": "teams",
        "profile": {"vp": "wbf-continuous"} | (profile or {}),
        "stage": {"kind": kind, **stage},
        "contestants": [
            {"label": team}
            | ({"left": {"after_round": left[team]}} if team in (left or {}) else {})
            for team in teams
        ],
        "matches": told,
    }


def drawn(document):
    """Return meetings, triangles and the bye."""
    draw = draw_round(*read_document(json.dumps(document)))
    matches = {match.home + match.away for match in draw.matches}
    return {"".join(sorted(match)) for match in matches}, [*draw.triangles], draw.bye


def refused(document):
    with pytest.raises(ScoringError) as wrong:
        drawn(document)
    return str(wrong.value)


# ── a knock-out ──


def test_who_has_won_and_left_does_not_go_on():
    matches = [(1, "1", "2", 15), (1, "3", "4", 15), (1, "5", "6", 15), (1, "7", "8", 15)]

    assert drawn(contest("knock-out", "12345678", matches)) == ({"17", "35"}, [], None)
    found = drawn(contest("knock-out", "12345678", matches, left={"7": 1}))
    assert found == (set(), [("1", "3", "5")], None)
    alone = contest("knock-out", "1234", matches[:2], left={"3": 1})
    assert refused(alone) == "stage: the knock-out is over"


def test_who_had_nobody_to_meet_goes_on():
    matches = [(1, "2", "3", 15), (1, "1", None, None)]

    assert drawn(contest("knock-out", "123", matches)) == ({"12"}, [], None)


def test_who_had_nobody_to_meet_plays_on_for_the_title_where_losers_play_on_too():
    matches = [(1, "2", "5", 15), (1, "3", "4", 15), (1, "1", None, None)]
    matches += [(2, "1", "2", 15), (2, "3", None, None), (2, "4", "5", 15)]
    document = contest("knock-out", "12345", matches, compact=True)

    matches, [three], bye = drawn(document)
    assert (matches, set(three), bye) == ({"13"}, set("245"), None)


@pytest.mark.parametrize(
    ("said", "left"),
    [({"missing": "away"}, {}), ({}, {"4": 0})],
)
@pytest.mark.parametrize("is_turned", [False, True])
def test_who_is_there_goes_on_against_who_is_not_though_nothing_is_worth_points(
    said, left, is_turned
):
    sides = ("4", "2") if is_turned else ("2", "4")
    said = {"missing": "home"} if said and is_turned else said
    matches = [
        (1, "1", "3", {"boards": [1], "missing": "away"}),
        (1, *sides, {"boards": [1]} | said),
    ]
    document = contest("knock-out", "1234", matches, left=left, profile={"vp": None})

    assert drawn(document) == ({"12"}, [], None)


def test_nobody_goes_on_from_a_match_of_two_who_left():
    matches = [(1, "1", "3", {"missing": "away"}), (1, "2", "4", {"boards": [1]})]
    document = contest("knock-out", "1234", matches, left={"2": 0, "4": 0}, profile={"vp": None})

    assert refused(document) == "stage: the knock-out is over"


def test_two_go_on_from_a_triangle_of_pairs_as_of_teams():
    """They are drawn as for odd teams: no team plays twice, or against itself."""
    document = contest("knock-out", "1234567", [])
    document["contest"] = "pairs"
    document["profile"] = {"method": "butler", "vp": "wbf-continuous"}
    first, [three], _ = drawn(document)
    matches = [(1, *two, 20) for two in sorted(first)]
    half = {"half": True, "given": {"home": 10, "away": 0}}
    matches += [(1, *two, half) for two in combinations(sorted(three), 2)]
    document["matches"] = contest("knock-out", "", matches)["matches"]

    second, triangles, bye = drawn(document)

    through = {min(two) for two in first} | {*sorted(three)[:2]}
    assert (set("".join(second)), triangles, bye) == (through, [], None)
    assert len(second) == 2


@pytest.mark.django_db
def test_pages_do_not_draw_who_has_won_and_left():
    section = section_with(8, "knockout", round=1, contest="teams")
    win(section, dict.fromkeys(range(1, 9), 140))
    tonight = SessionSnapshot(section)
    before = KnockOut(ScoredSession(tonight), tonight.section).exchanged_draw
    gone = before.matches[0][0]

    [way, *_] = changes.change_options(section, PairLeaves(gone))
    changes.take_proposal(
        section, way, PairLeaves(gone), plan=section.plan, by=director_of(section.club)
    )
    section.refresh_from_db()
    tonight = SessionSnapshot(section)
    after = KnockOut(ScoredSession(tonight), tonight.section).exchanged_draw

    assert after.contestants == before.contestants - {gone}


# ── a round robin ──


def test_a_round_robin_lets_nobody_meet_again_where_another_turn_does_not():
    """By the circle 1 v 4 and 2 v 3 come first, then 1 v 3 and 4 v 2, then 1 v 2 and 3 v 4."""
    for first, next in (("14 23", {"13", "24"}), ("13 24", {"12", "34"}), ("12 34", {"13", "24"})):
        matches = [(1, *two, 10) for two in first.split()]
        assert drawn(contest("round-robin", "1234", matches))[0] == next


def test_a_round_robin_that_no_turn_fits_lets_neighbours_meet_who_have_not_met():
    matches = [(1, "1", "2", 10), (1, "3", "4", 10), (1, "5", "6", 10)]
    matches += [(2, "1", "3", 10), (2, "2", "5", 10), (2, "4", "6", 10)]
    document = contest("round-robin", "123456", matches)

    pairs, _, _ = drawn(document)

    met = {"".join(sorted(home + away)) for _, home, away, _ in matches}
    assert len(pairs) == 3
    assert not pairs & met


def test_a_round_robin_in_which_somebody_would_meet_again_is_refused():
    matches = [(1, "1", "2", 10), (1, "3", "4", 10), (2, "1", "3", 10), (2, "4", "2", 10)]
    document = contest("round-robin", "1234", matches)
    assert drawn(document)[0] == {"14", "23"}

    matches[3] = (2, "1", "4", 10)
    assert refused(contest("round-robin", "1234", matches)) == (
        "stage: everybody would meet somebody again"
    )


# ── half a match ──


def test_half_a_match_is_a_triangle_only_where_a_third_may_have_left():
    """A contestant from a triangle has no bye while another had neither."""
    half = {"half": True, "given": {"home": 0, "away": 10}}
    matches = [(1, "1", "2", 11), (1, "3", "4", half), (1, "5", None, None)]

    assert drawn(contest("swiss", "12345", matches))[2] == "3"
    assert drawn(contest("swiss", "123456", matches, left={"6": 0}))[2] == "2"
    assert drawn(contest("swiss", "123456", matches, left={"6": 1}))[2] == "3"
    pairs = contest("swiss", "123456", matches, left={"6": 0}) | {"contest": "pairs"}
    pairs["profile"] = {"method": "butler", "vp": "wbf-continuous"}
    assert drawn(pairs)[2] == "3"
    # who has left was to meet somebody else then
    elsewhere = contest("swiss", "123456", [(1, "1", "6", 20), *matches[1:]], left={"6": 0})
    session, profile = read_document(json.dumps(elsewhere))
    assert _StageDraw(session, profile, session.stage).movement.triangles == ()
