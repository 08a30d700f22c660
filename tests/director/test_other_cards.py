"""Cards that were exchanged between the tables of a match: nothing is left to compare there."""

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.scoring.models import FouledBoard
from bridgebuddy.scoring.results.league import TeamMatches
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services import rulings
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.director.reading import text
from tests.scoring.test_team_evenings import scored, team_evening

from .test_draw import at  # noqa: F401
from .test_extra_boards import level
from .test_knockout import strength

pytestmark = pytest.mark.django_db


def counted_boards(section):
    """The boards that count in every match, by the round and both teams."""
    matches = TeamMatches(ScoredSession(SessionSnapshot(Section.objects.get(pk=section.pk)))).all
    return {
        (match.round, match.home.slug, match.away.slug): [
            board.board for board in match.counted_boards
        ]
        for match in matches
        if match.away and match.counted_boards
    }


def test_in_a_drawn_match_a_board_with_other_cards_at_one_table_does_not_count(at, client):  # noqa: F811
    section, page = level(at, level=())
    page.press(page.get("draw"))
    page.post("next-round", after=1)
    strength(section, [])
    board = reverse("board-results", args=[section.code, 1])
    fouled = reverse("fouled-board", args=[section.code, 1])
    fold = f"{board}?open=cards&amp;round=1#cards"
    assert fold in client.get(board, {"round": 1}).content.decode()

    shown = client.post(f"{fouled}?round=1", {"tables": [1], "do": "show"})
    assert "the board does not count in it" in text(shown)
    given = {"tables": [1], "do": "give", "shown": shown.context["shown"]}
    assert client.post(f"{fouled}?round=1", given).url == f"{board}?round=1"

    every = [1, 2, 3, 4]
    assert counted_boards(section) == {
        (1, "1", "4"): every[1:],
        (1, "2", "3"): every,
        (2, "1", "2"): every,
    }
    assert "Other cards at table 1" in text(client.get(board, {"round": 1}))
    assert "Other cards" not in text(client.get(board, {"round": 2}))

    back = reverse("unfoul-board", args=[section.code, FouledBoard.objects.get().pk])
    assert back in client.get(board, {"round": 1}).content.decode()
    assert client.post(back).url == f"{board}?round=1"
    assert counted_boards(section)[1, "1", "4"] == every


def test_where_both_tables_had_them_the_match_counts(at):  # noqa: F811
    section, _page = level(at, level=())

    rulings.foul_board(section, 1, from_round=1, tables=[1, 4], by=None)

    assert counted_boards(section) == {(1, "1", "4"): [1, 2, 3, 4], (1, "2", "3"): [1, 2, 3, 4]}


def test_in_a_round_robin_other_cards_are_not_compared_either():
    section = team_evening(4, "team-round-robin")
    scored(section, vp="wbf-discrete")
    play = section.plays.exclude(ns=None).exclude(ew=None).first()
    teams = {str(play.ns.contestant), str(play.ew.contestant)}

    def of_them():
        return [found for (_, *two), found in counted_boards(section).items() if set(two) == teams]

    [before] = of_them()
    assert play.board in before

    rulings.foul_board(section, play.board, tables=[play.table], by=None)

    assert of_them() == [[board for board in before if board != play.board]]
