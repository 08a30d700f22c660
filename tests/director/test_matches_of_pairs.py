"""Matches of pairs in a Swiss: their page, and rulings on a match that was shortened, or never played."""

import random
from decimal import Decimal

import pytest
from django.urls import reverse

from bridgebuddy.events.errors import NotEntered
from bridgebuddy.scoring.draws.drawing import RoundDraw
from bridgebuddy.scoring.models import MatchRuling
from bridgebuddy.scoring.results.barometer import Barometer
from bridgebuddy.scoring.results.league import TeamMatches
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.rules.reports.results import MatchSides
from bridgebuddy.scoring.services import rulings
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.director.reading import text
from tests.factories import director_of, section_with
from tests.scoring.test_drawing import score, swiss

pytestmark = pytest.mark.django_db


@pytest.fixture
def section():
    """Return a Swiss of pairs with one result missing in its first round."""
    section = swiss(8, boards_per_round=8)
    score(section, random.Random(3), but=[1])
    return section


def at_table_one(section):
    matches = TeamMatches(ScoredSession(SessionSnapshot(section))).all
    return next(match for match in matches if any(line.table == 1 for line in match.lines))


def rule(section, kind, **more):
    match = at_table_one(section)
    teams = (match.home.entry, match.away.entry)
    rulings.rule_match(section, match.round, *teams, kind=kind, by=None, **more)
    return at_table_one(section)


def test_of_a_match_of_which_less_than_half_was_played_both_have_averages(section):
    others = [
        match.result for match in TeamMatches(ScoredSession(SessionSnapshot(section))).all[1:]
    ]

    found = rule(section, "void", awards=("AVE+", "AVE-"))

    assert found.score == MatchSides(14, 6)  # 55 % of eight boards
    assert found.rule == "void"
    assert [
        match.result for match in TeamMatches(ScoredSession(SessionSnapshot(section))).all[1:]
    ] == others
    assert not RoundDraw(ScoredSession(SessionSnapshot(section)), section).missing
    assert ScoredSession(SessionSnapshot(section)).missing_count == 0


def test_who_waited_for_a_pair_that_was_missing_has_at_least_sixty_per_cent(section):
    found = rule(section, "missing")

    assert found.rule == "missing"
    assert found.score == MatchSides(0, 12)
    scored = ScoredSession(SessionSnapshot(section))
    assert (scored.entered_count, scored.due_count) == (
        24,
        24,
    )  # nobody waits for what the two did not play
    fields = {(board.results, board.expected) for board in scored.results.boards}
    assert fields == {(3, 3)}
    assert Barometer(SessionSnapshot(section)).ranked_round_of(section) == 1


def test_victory_points_can_be_set(section):
    found = rule(section, "given", points=(Decimal("12.5"), Decimal("7.5")))

    assert found.score == MatchSides(12.5, 7.5)


def test_the_page_of_a_match_of_pairs_shows_its_boards_and_rules_on_it(client, section):
    client.force_login(director_of(section.club))
    match = at_table_one(section)
    address = reverse("match", args=[section.code, *match.key.values()])
    assert address in client.get(reverse("matches", args=[section.code])).content.decode()
    shown = text(client.get(address))
    assert match.home.surnames in shown
    assert "Less than half was played: averages" in shown
    assert "Wrong seats in the whole match" not in shown
    assert "Line-up" not in shown
    other = next(
        match for match in TeamMatches(ScoredSession(SessionSnapshot(section))).all if match.winner
    )
    told = text(client.get(reverse("match", args=[section.code, *other.key.values()])))
    assert f"{other.winner.surnames} win " in told

    ruled = reverse("rule-match", args=[section.code, *match.key.values()])
    said = {"kind": "void", "home_award": "AVE", "away_award": "AVE", "do": "show"}
    page = client.post(ruled, said)
    given = said | {"do": "give", "shown": page.context["shown"]}
    assert client.post(ruled, given).url == address

    assert at_table_one(section).score == MatchSides(10, 10)
    back = reverse("match-ruling-back", args=[section.code, MatchRuling.objects.get().pk])
    assert client.post(back).status_code == 302
    assert at_table_one(section).rule == "open"


def test_pairs_that_play_no_matches_have_neither_page_nor_rulings(client):
    section = section_with(8, "howell", round=1)
    client.force_login(director_of(section.club))

    assert client.get(reverse("matches", args=[section.code])).url.endswith("/ranking/")
    one, other = section.entries.values_list("pk", flat=True)[:2]
    with pytest.raises(NotEntered):
        rulings.rule_match(section, 1, one, other, kind="missing", by=None)
