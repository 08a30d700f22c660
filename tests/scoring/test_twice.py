"""Boards played twice: the later result is doubted, and one button lets it not count (Law 15B)."""

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import changes
from bridgebuddy.scoring.checks.result_checks import SectionDoubts
from bridgebuddy.scoring.models import FouledBoard
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from movements.engine.changes import PlayedOtherBoards
from tests.factories import director_of, section_with

from .test_doubts import written_down

pytestmark = pytest.mark.django_db


@pytest.fixture
def section():
    """Five tables, two rounds of which are in: in the first tables 1 and 2 had played each other's boards."""
    section = written_down(section_with(10, "mitchell", round=2), lambda play: {"score": 100})
    change = PlayedOtherBoards(1, 1, 2)
    [way, *_] = changes.change_options(section, change)
    by = director_of(section.club)
    changes.take_proposal(section, way, change, plan=section.plan, by=by)
    return Section.objects.get(pk=section.pk)


def twice(section):
    section = Section.objects.get(pk=section.pk)
    return [
        row for row in SectionDoubts(SessionSnapshot(section)).open_doubts if row.kind == "twice"
    ]


def sides_of(section, doubt):
    scored = ScoredSession(SessionSnapshot(Section.objects.get(pk=section.pk)))
    line = scored.tonight.line_of(doubt.line.play)
    return [scored.side(line, side) for side in ("ns", "ew")]


def test_it_is_told_at_once_after_the_change_that_recorded_it(section):
    found = twice(section)

    again = {(item.line.round, item.line.table, item.line.board) for item in found}
    assert {(round, table) for round, table, _ in again} == {(2, 1)}
    assert [[side.slug for side in item.facts["who"]] for item in found] == [["NS1"]] * len(again)
    assert all((item.is_sure, item.facts["first"]) == (True, 1) for item in found)


def test_the_later_one_does_not_count_at_a_press(section, client):
    client.force_login(director_of(section.club))
    doubt = twice(section)[0]
    page = client.get(reverse("look-at", args=[section.code])).content.decode()
    assert "NS 1 already played it in round 1. By Law 15B only the earlier result counts." in page

    repair = {"doubt": doubt.key, "do": "repair"}
    client.post(reverse("results-doubt", args=[section.code]), repair)

    assert doubt.key not in [row.key for row in twice(section)]
    ns, ew = sides_of(section, doubt)
    assert (ns.rule, ns.value) == ("not-played", None)
    assert ew.rule == "AVE+"


def test_what_both_had_played_before_is_cancelled(section):
    """East-West 5 of table 1 in round 2 has had the board as well."""
    doubt = twice(section)[0]
    first = doubt.others[0]
    play = section.plays.get(pk=first.play)
    play.ew_id = doubt.line.ew[0].entry
    play.save()

    assert twice(section)[0].repair.outcomes[0][1] == {"not_played": "cancelled"}


def test_a_board_with_other_cards_is_no_board_played_twice(section):

    for doubt in twice(section):
        FouledBoard.objects.create(section=section, board=doubt.line.board, from_round=2)

    assert twice(section) == []


def test_whoever_plays_once_is_not_doubted():
    assert twice(written_down(section_with(10, "mitchell", round=5))) == []
