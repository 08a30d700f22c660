"""Leavers: the fate of the boards that others were to play against them (White Book 2.4)."""

import re

import pytest
from django.urls import reverse

from bridgebuddy.events.services.play import changes, rounds
from bridgebuddy.scoring.results.barometer import Barometer
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.results.sheets import ScoreSheet, Traveller
from bridgebuddy.scoring.services.publishing import publish_results
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from movements.engine.changes import PairLeaves, PairReturns
from tests.factories import begun, director_of
from tests.players.reading import words
from tests.scoring.test_tonight import enter_by_chance, scored_section

pytestmark = pytest.mark.django_db

#: East-West pair 3 of a seven-table Mitchell, and whom it was to meet in the rounds after the fifth
LEAVER, LABEL = 10, "EW3"


def let_leave(section, after, contestant=LEAVER, way=0):
    """Let a pair leave after a round that was played, the others sitting out where it would have sat."""
    by = director_of(section.club)
    change = PairLeaves(contestant)
    options = changes.change_options(section, change)
    changes.take_proposal(section, options[way], change, plan=section.plan, by=by)
    section.refresh_from_db()
    assert section.entries.get(contestant=contestant).left_after == after
    return section


def played_on(section, until):
    """Let the rounds up to one begin, and enter the missing results."""
    section = begun(section, until)
    enter_by_chance(section, seed=2)
    section.refresh_from_db()
    return section


def rules_of(scored, label):
    """The rules by which a contestant's boards were counted, by round."""
    who = scored.tonight.find(scored.tonight.section, label)
    stages = ScoreSheet(scored, scored.tonight.section, who).begun_stages
    return {stage.round: {entry.side.rule for entry in stage.entries} for stage in stages}


def test_whoever_was_still_to_meet_a_pair_that_left_has_average_plus():
    section = let_leave(scored_section(14, "mitchell", rounds=5), 5)
    scored = ScoredSession(SessionSnapshot(played_on(section, 7)))

    lost = scored.tonight.unplayable_lines
    assert [(line.round, len(line.ns)) for line in lost] == [(6, 1)] * 3 + [(7, 1)] * 3
    assert {item.slug for line in lost for item in line.ew} == {LABEL}
    opponents = [line.ns[0].slug for line in lost[::3]]
    assert rules_of(scored, opponents[0])[6] == {"AVE+"}
    assert rules_of(scored, opponents[1])[7] == {"AVE+"}
    assert rules_of(scored, LABEL)[5] == {"compared"}
    rows = {
        standing.contestant.slug: standing.row
        for found in scored.main_lists
        for standing in found.standings
    }
    assert (rows[opponents[0]].boards, rows[opponents[0]].due) == (21, 21)
    assert scored.missing_count == 0
    assert scored.is_complete
    boards = {line.board for line in lost}
    traveller = Traveller(scored, scored.tonight.section, min(boards))
    assert traveller.rows[-1].line.is_lost  # below what was played
    assert traveller.is_over


def test_what_less_than_half_was_played_of_counts_for_nobody():
    section = let_leave(scored_section(14, "mitchell", rounds=3), 3)
    scored = ScoredSession(SessionSnapshot(played_on(section, 7)))

    assert rules_of(scored, LABEL)[1] == {"not-played"}
    assert {rule for rules in rules_of(scored, "NS1").values() for rule in rules} <= {
        "compared",
        "not-played",
    }
    assert [(item.slug, is_cancelled) for _, item, is_cancelled in scored.departed_contestants] == [
        (LABEL, True)
    ]


def test_nothing_is_lost_where_somebody_else_sits_there_instead():
    section = scored_section(15, "ns-rover", rounds=5)
    section = let_leave(section, 5, contestant=9)
    scored = ScoredSession(SessionSnapshot(played_on(section, section.rounds)))
    playing = {
        (line.round, line.board, item.slug)
        for line in scored.tonight.lines
        for item in line.ns + line.ew
    }
    for line in scored.tonight.unplayable_lines:
        for element in line.ns + line.ew:
            assert not any(
                round == line.round and slug == element.slug for round, _, slug in playing
            )
    assert scored.problem == ""


def test_who_comes_back_has_lost_only_the_rounds_between():
    section = let_leave(scored_section(14, "mitchell", rounds=4), 4)
    section = played_on(section, 5)
    change = PairReturns(LEAVER)
    options = changes.change_options(section, change)
    assert options
    changes.take_proposal(
        section, options[0], change, plan=section.plan, by=director_of(section.club)
    )
    section.refresh_from_db()
    scored = ScoredSession(SessionSnapshot(played_on(section, 7)))

    lost = scored.tonight.unplayable_lines
    assert {line.round for line in lost} == {5}
    assert rules_of(scored, LABEL)[5] == {"AVE-"}
    assert rules_of(scored, lost[0].ns[0].slug)[5] == {"AVE+"}
    assert rules_of(scored, LABEL)[1] == {"compared"}
    assert (scored.missing_count, scored.is_complete) == (0, True)


def test_single_players_who_come_back_have_sat_out_with_their_table():
    section = let_leave(scored_section(12, "individual", rounds=5, contest="individual"), 5, 12)
    section = played_on(section, 6)
    change = PairReturns(12)
    options = changes.change_options(section, change)
    changes.take_proposal(
        section, options[0], change, plan=section.plan, by=director_of(section.club)
    )
    section.refresh_from_db()
    scored = ScoredSession(SessionSnapshot(played_on(section, section.rounds)))

    lost = scored.tonight.unplayable_lines
    assert {line.round for line in lost} == {6}
    rules = {scored.side(line, side).rule for line in lost for side in ("ns", "ew")}
    assert (rules, scored.missing_count) == ({"not-played"}, 0)


@pytest.mark.parametrize("after", [3, 4])
def test_after_a_round_nobody_who_has_left_counts_otherwise_than_at_the_end(after):
    """Boards that others still play are not revealed; a leaver with half of the boards counts."""
    section = let_leave(scored_section(14, "mitchell", rounds=after), after)
    tonight = SessionSnapshot(played_on(section, after + 1))

    found = Barometer(tonight).results_after_round()

    whole = ScoredSession(tonight)
    assert found.departed_contestants == whole.departed_contestants
    assert [cancelled for *_, cancelled in whole.departed_contestants] == [after == 3]
    assert {found.score(line) for line in tonight.lines if not line.is_lost} == {None}


def test_the_pages_say_it(client):
    section = played_on(let_leave(scored_section(14, "mitchell", rounds=5), 5), 7)
    rounds.finish_session(section, round=7, by=None)
    client.force_login(director_of(section.club))
    text = client.get(reverse("ranking", args=[section.code])).content.decode()
    assert "EW 3 left after round 5" in text
    line = SessionSnapshot(section).unplayable_lines[0]
    for address in (
        reverse("board-results", args=[section.code, line.board]),
        reverse("score-sheet", args=[section.code, line.ns[0].slug]),
        reverse("score-sheet", args=[section.code, line.ew[0].slug]),
        reverse("print-preview", args=[section.code, "booklet"]),
        reverse("print-preview", args=[section.code, "score-sheets"]),
    ):
        text = client.get(address).content.decode()
        assert "EW 3 left" in text
        assert "/results/line/0/" not in text


def ended(section):
    """End a seven-table Mitchell after all its rounds, and publish it. Return the section and the token."""
    section = played_on(section, 7)
    section = rounds.finish_session(section, round=7, by=None)
    return section, publish_results(section, by=director_of(section.club)).token


def test_boards_that_count_for_nobody_are_in_no_count_and_every_sheet_says_why(client):
    section, token = ended(let_leave(scored_section(14, "mitchell", rounds=1), 1))
    scored = ScoredSession(SessionSnapshot(section))
    sheets = [
        ScoreSheet(scored, section, contestant)
        for contestant in scored.tonight.people_of(section).values()
    ]
    opponent = scored.tonight.find(section, "NS3").slug

    counts = {sheet.contestant.slug: sheet.played_board_count for sheet in sheets}
    assert (counts[opponent], counts["NS1"], counts[LABEL]) == (18, 18, 0)
    assert all(
        sheet.standing is None or sheet.played_board_count == sheet.standing.row.boards
        for sheet in sheets
    )
    void = [line.board for line in scored.tonight.lines if scored.is_cancelled(line)]
    assert len(void) == 3
    for address in (
        reverse("public-sheet", args=[token, "A", opponent]),
        reverse("my-results", args=[section.code, opponent]),
        reverse("public-board", args=[token, "A", void[0]]),
    ):
        assert words(client.get(address)).count("does not count: EW 3 left") == 1, address
    sheet = words(client.get(reverse("public-sheet", args=[token, "A", opponent])))
    assert "Boards 18" in sheet
    client.force_login(director_of(section.club))
    paper = words(client.get(reverse("print-preview", args=[section.code, "score-sheets"])))
    assert paper.count("Boards 7–9 (does not count: EW 3 left)") == 1


def test_the_results_that_look_right_are_those_that_the_ranking_counts(client):
    section, _token = ended(let_leave(scored_section(14, "mitchell", rounds=1), 1))
    client.force_login(director_of(section.club))
    entered = ScoredSession(SessionSnapshot(section)).entered_count

    assert entered == section.plays.exclude(ns=None).exclude(ew=None).count() - 3
    assert f"All {entered} results are in" in words(
        client.get(reverse("ranking", args=[section.code]))
    )
    page = words(client.get(reverse("look-at", args=[section.code])))
    right, of = re.search(r"(?:(\d+) of )?(\d+) results(?: look right|[.])", page).groups()
    assert int(of) == entered
    assert right is None or 0 < int(right) < entered


def test_a_round_without_opponents_is_a_sit_out_on_every_sheet(client):
    section, token = ended(let_leave(scored_section(14, "mitchell", rounds=5), 5))
    client.force_login(director_of(section.club))
    line = SessionSnapshot(section).unplayable_lines[0]
    stays, left = line.ns[0].slug, line.ew[0].slug

    for address, says in (
        (reverse("score-sheet", args=[section.code, stays]), "Round 6, sat out"),
        (reverse("public-sheet", args=[token, "A", stays]), "Round 6, sat out"),
        (reverse("score-sheet", args=[section.code, left]), "Round 6, not played"),
    ):
        text = words(client.get(address))
        assert says in text, address
        assert "Round 6, table" not in text
        assert "Round 5, table" in text
