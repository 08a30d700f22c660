"""A playing director: no page reveals the result of a board that they will still play."""

import json
from pathlib import Path

import pytest
from django.urls import reverse

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events.errors import NotEntered
from bridgebuddy.events.services.play.rounds import finish_session, start_next_round
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.table_phones.models import PlayingDirector
from bridgebuddy.table_phones.queries.playing_directors import DirectorUnplayedBoards
from bridgebuddy.table_phones.services import playing_directors
from tests.factories import director_of, section_with
from tests.players.reading import words
from tests.proofs.documents import as_json

DATA = Path(__file__).parent.parent / "data"
pytestmark = pytest.mark.django_db

#: stands nowhere on a page but where this result is told
SEVEN = {"contract": "7NTxx", "declarer": "W", "tricks": 12, "lead": "SK"}
TELLING = (
    "7NTxx",
    "7nxx",
    "by West",
    '"no trumps" XX',
    "−400",
    "−200",
    "7 no trumps",
    'class="con">7',
)


@pytest.fixture
def section(club, alice):
    """Five tables, two rounds of two: NS 1 plays 1 and 2, then 3 and 4, and has 5 to 10 before it."""
    section = section_with(10, "mitchell", round=2, boards_per_round=2, club=club, by=alice)
    for play in section.plays.all():
        enter_result(section, play.pk, SEVEN, by=None)
    section.refresh_from_db()
    return section


@pytest.fixture
def desk(section, alice, signed_in):
    playing_directors.store_playing_entry(section, entry(section).pk, by=alice)
    return signed_in(alice)


def entry(section):
    return section.entries.order_by("contestant").first()


def play(section, round, table, board):
    return section.plays.get(round=round, table=table, board=board)


def tells(answer):
    text = answer.content.decode()
    return [item for item in TELLING if item in text]


def pages(section, of):
    """Yield addresses that reveal a board's result at a table, each with its data."""
    yield "board-results", {"board": of.board}, {}
    yield "fouled-board", {"board": of.board}, {}
    yield "results-line", {"play": of.pk}, {}
    yield "enter-result", {"play": of.pk}, {}
    yield "slips", {}, {"board": of.board}
    yield "slips", {}, {"round": of.round, "table": of.table}
    yield "results", {}, {"round": of.round}
    yield "score-sheet", {"label": f"NS{of.table}"}, {}
    yield "look-at", {}, {}


def page_of(desk, section, name, key, asked):
    return desk.get(reverse(name, args=[section.code, *key.values()]), asked)


def test_no_page_tells_of_a_board_that_is_still_to_be_played(section, desk, signed_in):
    """Another director's view of the same page proves that it would reveal the result."""
    other = signed_in(director_of(section.club))
    for seen in section.plays.filter(board__lt=5):
        enter_result(section, seen.pk, {"passed": True}, by=None)
    of, told = play(section, 1, 3, 5), 0
    for name, key, asked in pages(section, of):
        kept = page_of(desk, section, name, key, asked)
        assert kept.status_code == 200
        assert tells(kept) == [], name
        told += bool(tells(page_of(other, section, name, key, asked)))
    assert told >= 7


def test_what_was_played_is_told_and_the_own_board_only_when_it_is_in(section, desk, alice):
    done = reverse("board-results", args=[section.code, 1])
    assert "You still play board 1" not in words(desk.get(done))
    assert tells(desk.get(done))
    own = play(section, 2, 1, 3)
    enter_result(section, own.pk, None, by=None)
    page = reverse("board-results", args=[section.code, 3])
    assert "You still play board 3" in words(desk.get(page))
    enter_result(section, own.pk, {"pending": True}, by=None)
    assert tells(desk.get(page)) == []
    enter_result(section, own.pk, {"passed": True}, by=None)
    assert tells(desk.get(page))
    enter_result(section, own.pk, None, by=None)
    start_next_round(section, after=2, by=alice)
    assert tells(desk.get(page)), (
        "the round is over: whoever has forgotten to enter it has played it"
    )


def test_what_is_counted_is_the_same_for_a_playing_director(section, desk, alice):
    whole = SessionSnapshot(section)
    shown = DirectorUnplayedBoards(SessionSnapshot(section), alice).visible_session
    assert ScoredSession(shown, shown.document).results == ScoredSession(whole).results
    assert "7NTxx" in json.dumps(as_json(shown.document))
    ranking = reverse("ranking", args=[section.code])
    assert desk.get(ranking).status_code == 200
    files = desk.get(reverse("results-file", args=[section.code, "pbn"]))
    assert tells(files) == []


def test_a_slip_of_a_hidden_board_is_typed_over_and_left_alone_as_any_other(section, desk):
    of = play(section, 1, 3, 5)
    address = reverse("slips", args=[section.code]) + "?round=1&table=3"
    keep = {f"line-{of.pk}": "", f"was-{of.pk}": "", f"after-{of.pk}": 1}
    assert desk.post(address, keep).status_code == 302
    assert of.results.get(stands=True).outcome == SEVEN
    desk.post(address, keep | {f"line-{of.pk}": "p"})
    assert of.results.get(stands=True).outcome == {"passed": True}


def test_the_file_of_terminals_tells_nothing_of_them_either(section, desk, signed_in):
    """5♦ doubled was played on boards 8 and 10 alone."""
    address = reverse("terminals", args=[section.code])
    for browser, is_told in ((desk, False), (signed_in(director_of(section.club)), True)):
        with (DATA / "bws" / "evening.bws").open("rb") as file:
            page = browser.post(address, {"file": file}).content.decode()
        assert ('class="con">5' in page) is is_told


def test_a_director_who_is_called_to_a_board_sees_it_and_the_history_says_so(
    section, desk, alice, carol, signed_in
):
    address = reverse("look-early", args=[section.code, 5])
    assert signed_in(carol).post(address).status_code == 404
    assert tells(desk.post(address, follow=True))
    assert tells(desk.get(reverse("board-results", args=[section.code, 6]))) == []
    desk.post(address)
    records = AuditRecord.objects.filter(action="tables.early")
    assert [(record.by, record.facts) for record in records] == [(alice, {"board": 5})]


def test_who_plays_is_said_on_a_page_of_the_desk_and_taken_back_there(section, alice, signed_in):
    desk = signed_in(alice)
    address = reverse("i-play", args=[section.code])
    assert "NS 1 · " in words(desk.get(address, follow=True))
    assert "You play as NS 1" in words(
        desk.post(address, {"entry": entry(section).pk}, follow=True)
    )
    assert desk.post(address, {"entry": 0}).status_code == 422
    assert PlayingDirector.objects.get().entry == entry(section)
    assert "You play as" not in words(desk.post(address, {"entry": ""}, follow=True))
    assert not PlayingDirector.objects.exists()
    plan = section.plan, section.results
    section.refresh_from_db()
    assert (section.plan, section.results) == plan


def test_nobody_plays_as_somebody_of_another_section(section, alice):
    other = section_with(10, "mitchell", round=1)
    with pytest.raises(NotEntered):
        playing_directors.store_playing_entry(section, entry(other).pk, by=alice)
    assert not PlayingDirector.objects.exists()
    assert not AuditRecord.objects.filter(action="tables.plays").exists()


def test_once_a_session_is_over_everything_is_told(section, desk, alice):
    finish_session(section, round=2, by=alice)
    assert tells(desk.get(reverse("board-results", args=[section.code, 5])))
