"""Rulings on whole matches: their values, and no effect on other matches."""

import re
from decimal import Decimal
from fractions import Fraction
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events.errors import NotEntered
from bridgebuddy.events.models import Section
from bridgebuddy.scoring.checks.effects import match_effect
from bridgebuddy.scoring.checks.result_checks import SectionDoubts
from bridgebuddy.scoring.errors import NothingToUndo
from bridgebuddy.scoring.match_words import match_value
from bridgebuddy.scoring.models import MatchRuling
from bridgebuddy.scoring.results.arriving_results import ArrivingResults
from bridgebuddy.scoring.results.league import TeamMatches
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.rules.match_scoring.mismatch import points_after_mismatch
from bridgebuddy.scoring.rules.reports.results import MatchSides
from bridgebuddy.scoring.services import rulings
from bridgebuddy.scoring.services.results import undo_result
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.events.states import different, world
from tests.factories import director_of

from .test_team_evenings import scored, team_evening
from .test_tonight import scored_section

pytestmark = pytest.mark.django_db


@pytest.fixture
def section():
    section = team_evening(4, "team-round-robin")
    scored(section, vp="wbf-discrete")
    return section


def first(section):
    return TeamMatches(ScoredSession(SessionSnapshot(section))).all[0]


def rule(section, kind, *, turned=False, **more):
    match = first(section)
    teams = (match.home.entry, match.away.entry)
    if turned:
        teams = teams[::-1]
    return rulings.rule_match(section, match.round, *teams, kind=kind, by=None, **more)


@pytest.mark.parametrize("turned", [False, True])
def test_victory_points_that_are_set_belong_to_their_team(section, turned):
    points = (Decimal("12.5"), Decimal(3))
    rule(section, "given", turned=turned, points=points)

    found = first(section)

    expected = points[::-1] if turned else points
    assert found.score == MatchSides(*map(float, expected))
    assert found.rule == "given"


@pytest.mark.parametrize(
    ("kind", "more", "home", "away"),
    [
        ("sides", {}, 8, 8),
        ("director", {}, 12, 12),
        ("void", {"awards": ("AVE+", "AVE-")}, 14, 6),  # +6 IMPs on 2 of 3 boards: 13.71
    ],
)
def test_what_rulings_are_worth(section, kind, more, home, away):
    rule(section, kind, **more)

    assert first(section).score == MatchSides(home, away)
    assert first(section).left_out == []


def test_a_missing_team_has_nothing_and_its_opponents_the_best_of_three(section):
    rule(section, "missing", turned=True)  # the away team
    matches = TeamMatches(ScoredSession(SessionSnapshot(section)))

    match = matches.all[0]
    others = [item for item in matches.all[1:] if match.home in item.teams]
    theirs = [item for item in matches.all[1:] if match.away in item.teams]
    mean = sum(item.score_of_team(match.home) for item in others) / len(others)
    converse = 20 - sum(item.score_of_team(match.away) for item in theirs) / len(theirs)
    assert match.score.away == 0
    assert match.score.home == pytest.approx(max(12, mean, converse))


def test_the_newest_ruling_holds_and_the_one_before_it_again_when_it_is_taken_back(section):
    played = first(section).score
    rule(section, "sides")
    newest = rule(section, "director")
    assert first(section).score.home == 12

    rulings.take_back_match_ruling(section, newest.pk, by=None)
    assert first(section).score.home == 8
    rulings.take_back_match_ruling(section, MatchRuling.objects.first().pk, by=None)
    assert first(section).score == played
    with pytest.raises(NothingToUndo):
        rulings.take_back_match_ruling(section, newest.pk, by=None)


def test_a_ruling_counts_results_is_recorded_and_touches_nothing_else(section):
    match = first(section)
    before = world()

    rulings.rule_match(
        section, match.round, match.home.entry, match.away.entry, kind="sides", by=None
    )

    after = world()
    was, now = before["Section"][section.pk], after["Section"][section.pk]
    assert {name for name in was if was[name] != now[name]} == {"results"}
    assert {model for model, _, _ in different(before, after)} == {
        "Section",
        "MatchRuling",
        "AuditRecord",
    }
    assert AuditRecord.objects.filter(action="results.match").count() == 1


@pytest.mark.parametrize(
    ("teams", "family", "planned"),
    [(4, "team-round-robin", None), (6, "mitchell-teams", None), (3, "triangle", 2)],
)
def test_results_of_a_match_that_was_ruled_on_are_not_missing_and_others_still_are(
    teams, family, planned
):
    section = team_evening(teams, family, planned)
    ruled, other = TeamMatches(scored(section)).all[:2]
    for match in (ruled, other):
        undo_result(section, match.lines[0].result.pk, by=None)

    def missing():
        """Return the missing results on the desk's button, and those of completed rounds among the checks."""
        current = Section.objects.get(pk=section.pk)
        Section.objects.filter(pk=section.pk).update(finished_at=timezone.now())
        checks = SectionDoubts(SessionSnapshot(Section.objects.get(pk=section.pk))).all_doubts
        by_round = ArrivingResults([current]).missing_by_round([current])
        listed = {line.play for doubt in checks if doubt.kind == "missing" for line in doubt.lines}
        return sum(by_round.values()), listed

    both = {match.lines[0].play for match in (ruled, other)}
    assert missing() == (2, both)
    teams_of_match = (ruled.home.entry, ruled.away.entry)
    ruling = rulings.rule_match(section, ruled.round, *teams_of_match, kind="sides", by=None)
    assert missing() == (1, {other.lines[0].play})
    rulings.take_back_match_ruling(section, ruling.pk, by=None)
    assert missing() == (2, both)


def test_whoever_is_no_team_of_the_section_cannot_be_ruled_on(section):
    match, other = first(section), team_evening(4, "team-round-robin")
    stranger, pairs = other.entries.first().pk, scored_section(8, "howell", rounds=1)
    one, two = list(pairs.entries.values_list("pk", flat=True))[:2]
    before = world()
    for where, teams in (
        (section, (match.home.entry, stranger)),
        (section, (match.home.entry, match.home.entry)),
        (pairs, (one, two)),
    ):
        with pytest.raises(NotEntered):
            rulings.rule_match(Section(pk=where.pk), 1, *teams, kind="sides", by=None)
    assert list(different(before, world())) == []


@pytest.mark.parametrize(
    ("actual", "relief", "expected"),
    [
        (12, "as-played", 12),
        (12, "more", 14),
        (13, "less", 11),
        (3, "less", 3),
        (9, "as-played", 9),
    ],
)
def test_a_mismatch_is_relieved_as_the_white_book_says(actual, relief, expected):
    assert points_after_mismatch(Fraction(actual), relief, Fraction(20)) == expected


def shown_by(page):
    """Return the data that a page of a ruling sends along, so that exactly the shown ruling is given."""
    match = re.search(r'name="shown" value="([^"]*)"', page.content.decode())
    return unescape(match[1])


def test_wrong_opponents_are_shown_before_and_after_and_then_given(client, section):
    client.force_login(director_of(section.club))
    match = first(section)
    played = match.score
    address = reverse("rule-match", args=[section.code, *match.key.values()])

    sent = {"kind": "mismatch", "home_relief": "more", "away_relief": "less"}
    page = client.post(address, sent | {"do": "show"})
    assert page.status_code == 200
    assert not MatchRuling.objects.exists()
    said = page.content.decode()
    effect = match_effect(match, MatchRuling(kind="sides"))
    assert [(now, then) for _, now, then in effect.sides] == [
        (played.home, 8.0),
        (played.away, 8.0),
    ]
    assert "this match" in said
    assert all(match_value(item) in said for item in (played.home, played.away))
    sent |= {"do": "give", "shown": shown_by(page)}
    other = client.post(address, sent | {"home_relief": "as-played"})  # not what was shown
    assert other.status_code == 200
    assert not MatchRuling.objects.exists()
    assert client.post(address, sent).status_code == 302

    home, away = (Fraction(str(item)) for item in (played.home, played.away))
    found = first(section).score
    assert found.home == pytest.approx(float(5 + home * 3 / 4), abs=0.005)
    expected = float(away - max(Fraction(0), away - 5) / 4)
    assert found.away == pytest.approx(expected, abs=0.005)
    assert client.post(address, sent).status_code == 422  # of a result that is set nothing is taken


def test_a_result_without_its_points_is_asked_for_again(client, section):
    client.force_login(director_of(section.club))
    address = reverse("rule-match", args=[section.code, *first(section).key.values()])

    answer = client.post(address, {"kind": "given", "home_points": 12})

    assert answer.status_code == 422
    assert "How many victory points?" in answer.content.decode()
    assert not MatchRuling.objects.exists()


def test_imps_are_taken_in_a_match_before_victory_points(client, section):
    client.force_login(director_of(section.club))
    match = first(section)
    address = reverse("score-sheet", args=[section.code, match.home.slug])
    fine = {"kind": "time", "amount": "2", "unit": "imps"}

    assert client.post(address, {**fine, "do": "show"}).status_code == 422
    rulings.give_penalty(
        section,
        match.home.entry,
        unit="imps",
        amount=Decimal(-2),
        kind="time",
        round=match.round,
        by=None,
    )

    now = first(section)
    assert now.net.home == match.net.home - 2
    assert now.net.away == match.net.away
    assert now.carried == -2


def test_what_a_ruling_does_is_what_comes_of_it(section):
    match = first(section)
    teams = {"one_id": match.home.entry, "other_id": match.away.entry}
    rule(section, "given", points=(Decimal(20), Decimal(0)))  # which the next one replaces

    proposed = match_effect(first(section), MatchRuling(kind="missing", **teams))
    rule(section, "missing")

    assert [(now, then) for _, now, then in proposed.sides] == [
        (20.0, first(section).score.home),
        (0.0, first(section).score.away),
    ]
    after = {
        x.contestant.entry: x
        for x in ScoredSession(SessionSnapshot(section)).main_lists[0].standings
    }
    assert {row.who.entry: (row.then.place, row.then.row.total) for row in proposed.concerned} == {
        key: (after[key].place, after[key].row.total)
        for key in (match.home.entry, match.away.entry)
    }
