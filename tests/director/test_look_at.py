"""The page of doubtful results: sentences, evidence, a repair, and "It is right"."""

import re

import pytest
from django.urls import reverse

from bridgebuddy.director.results import result_checks
from bridgebuddy.director.results.result_checks import (
    MOST_UNFOLDED,
    doubt_anchor,
    doubts_by_kind,
    next_doubtful_result_url,
)
from bridgebuddy.events.models import Section
from bridgebuddy.scoring.checks.result_check import ResultDoubt
from bridgebuddy.scoring.checks.result_checks import SectionDoubts
from bridgebuddy.scoring.models import DismissedCheck
from bridgebuddy.scoring.rules.contract_notation import format_result_text
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.scoring.test_doubts import board_with, play_of, turn_round, usual
from tests.scoring.test_doubts import section as section

pytestmark = pytest.mark.django_db


def page(client, section):
    answer = client.get(reverse("look-at", args=[section.code]))
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def open_doubts(section):
    return SectionDoubts(SessionSnapshot(Section.objects.get(pk=section.pk))).open_doubts


def press(client, section, do, doubt):
    return client.post(
        reverse("results-doubt", args=[section.code]), {"do": do, "doubt": doubt.key}
    )


@pytest.fixture
def turned(section):
    """A declarer on the other side than at all other tables."""
    board = board_with("4S")
    play = play_of(section, board)
    enter_result(section, play.pk, {**usual(board), "declarer": "W"}, by=None)
    return play


def test_nothing_looks_wrong(director, section):
    text = page(director, section)
    assert "Nothing looks wrong" in text
    assert "147 results look right." in text


def test_a_doubt_has_its_sentence_its_evidence_and_two_buttons(director, section, turned):
    text = page(director, section)
    assert "Please check 1 result" in text
    assert f"Board {turned.board}, table {turned.table}: E-W, everywhere else N-S" in text
    assert "Change to 4 spades by South" in text
    assert "It is right" in text
    assert "Nothing unusual: 146 of 147 results." in text
    assert text.count('class="e odd"') == 1
    assert text.count('class="e"') == 3
    assert '<span class="count">1</span>' in text


def test_many_doubts_are_folded_by_kind_and_answered_in_the_order_shown():
    doubts = [
        ResultDoubt("abc"[number // 2 % 3], f"{number}", ()) for number in range(MOST_UNFOLDED + 1)
    ]
    shown = [
        ["".join(row.key for row in some) for some in both]
        for both in doubts_by_kind(
            [ResultDoubt(doubt.kind, f"{doubt.key} ", ()) for doubt in doubts]
        )
    ]
    assert shown == [["0 1 ", "6 7 12 "], ["2 ", "3 8 9 "], ["4 ", "5 10 11 "]]
    assert doubts_by_kind(doubts[:-1]) == [(doubts[:-1], [])]

    class Read:
        class section:
            code = "ABC"

    Read.doubts = type("Open", (), {"open_doubts": doubts})
    assert next_doubtful_result_url(Read, "1").endswith("#doubt-6")
    assert next_doubtful_result_url(Read, "12").endswith("#doubt-2")
    assert next_doubtful_result_url(Read, "11").endswith("/look-at/")


def test_what_is_folded_is_counted_and_still_on_the_page(director, section, turned, monkeypatch):
    other = play_of(section, board_with("3NT"))
    across = {"N": "E", "S": "W", "E": "N", "W": "S"}[usual(other.board)["declarer"]]
    enter_result(section, other.pk, {**usual(other.board), "declarer": across}, by=None)
    for name in ("MOST_UNFOLDED", "NEVER_FOLDED"):
        monkeypatch.setattr(result_checks, name, 1)

    text = page(director, section)

    assert "Please check 2 results" in text
    assert "One more of this kind" in text
    assert text.count("everywhere else") == 2
    assert text.count("btn small primary") == 1


def test_the_repair_is_made_by_the_button_and_stays_in_the_history(director, section, turned):
    before = Section.objects.get(pk=section.pk)
    (doubt,) = open_doubts(section)
    assert press(director, section, "repair", doubt).status_code == 302
    assert turned.results.get(stands=True).outcome == usual(turned.board)
    assert turned.results.last().source == "repair"
    assert turned.results.count() == 3
    now = Section.objects.get(pk=section.pk)
    assert (now.plan, now.results) == (before.plan, before.results + 1)
    assert open_doubts(section) == []


def test_what_is_right_is_settled_and_can_be_looked_at_again(director, section, turned):
    (doubt,) = open_doubts(section)
    press(director, section, "settle", doubt)
    assert open_doubts(section) == []
    text = page(director, section)
    assert "Nothing looks wrong" in text
    assert "Settled: 1" in text
    press(director, section, "unsettle", doubt)
    assert len(open_doubts(section)) == 1


def test_of_two_directors_the_second_repairs_nothing_twice(director, section, turned):
    (doubt,) = open_doubts(section)
    enter_result(section, turned.pk, usual(turned.board), by=None)
    answer = director.post(
        reverse("results-doubt", args=[section.code]),
        {"do": "repair", "doubt": doubt.key},
        follow=True,
    )
    assert "Another director has changed the results meanwhile" in answer.content.decode()
    assert turned.results.count() == 3


def test_a_round_the_other_way_leads_to_the_live_change_filled_in(director, section):
    Section.objects.filter(pk=section.pk).update(finished_at=None)
    turn_round(section)
    text = page(director, section)
    address = reverse("change", args=[section.code, "other-way"])
    assert f'href="{address}?round=2&amp;table=3"' in text
    assert "Table 3, round 2: wrong direction?" in text
    answer = director.get(address, {"round": 2, "table": 3})
    assert answer.status_code == 200


def test_exchanged_boards_are_exchanged_again(director, section):
    one, other = section.plays.filter(round=1, table=1)[:2]
    enter_result(section, one.pk, usual(other.board), by=None)
    enter_result(section, other.pk, usual(one.board), by=None)
    assert f"Exchange {one.board} and {other.board}" in page(director, section)
    (doubt,) = open_doubts(section)
    press(director, section, "repair", doubt)
    assert one.results.get(stands=True).outcome == usual(one.board)
    assert other.results.get(stands=True).outcome == usual(other.board)


def remove_results(section, round=2, table=3):
    plays = list(section.plays.filter(round=round, table=table))
    for play in plays:
        enter_result(section, play.pk, None, by=None)
    return plays


def test_missing_results_are_entered_first_and_counted_one_by_one(director, section):
    plays = remove_results(section)

    text = page(director, section)

    entry = reverse("results-line", args=[section.code, plays[0].pk])
    assert "Please check 3 results" in text
    assert text.count("btn small primary") == 1
    assert re.search(rf'btn small primary" href="{entry}.*?</svg> ?Enter the result </a>', text)
    assert "It is right" not in text
    assert "Confirm the results" not in text
    assert all(reverse("results-line", args=[section.code, play.pk]) in text for play in plays)


def test_after_a_missing_result_the_next_one_of_the_table_is_shown(director, section):
    plays = remove_results(section)
    (doubt,) = open_doubts(section)
    entry = reverse("results-line", args=[section.code, plays[0].pk])
    line = format_result_text(usual(plays[0].board))

    answer = director.post(entry, {"line": line, "after": 2, "doubt": doubt.key})

    (rest,) = open_doubts(section)
    assert [line.play for line in rest.lines] == [play.pk for play in plays[1:]]
    assert answer["Location"].endswith(f"#{doubt_anchor(rest.key)}")
    assert f"Board {plays[0].board}, table 3: result entered." in page(director, section)


def test_missing_boards_can_be_left_unplayed(director, section):
    plays = remove_results(section)
    assert "Round 2, table 3: boards" in page(director, section)
    (doubt,) = open_doubts(section)
    press(director, section, "repair", doubt)
    assert {str(play.results.get(stands=True).outcome) for play in plays} == {
        "{'not_played': 'skipped'}"
    }


def spoil(section):
    """Make one of every kind of doubt, on boards of their own."""
    first = {
        name: play_of(section, board)
        for name, board in (("passed", 5), ("contract", 10), ("tricks", 20))
    }
    enter_result(section, first["passed"].pk, {"passed": True}, by=None)
    enter_result(
        section,
        first["contract"].pk,
        {**usual(first["contract"].board), "contract": "4D"},
        by=None,
    )
    play_of(section, 21).results.filter(stands=True).update(outcome={"score": 12345})
    enter_result(
        section, first["tricks"].pk, {**usual(first["tricks"].board), "tricks": 1}, by=None
    )
    section.plays.filter(pk=play_of(section, 19).pk).update(taken_back_at="2026-11-24T22:00Z")


def test_every_kind_of_doubt_has_words(director, section):
    spoil(section)
    text = page(director, section)
    assert text.count("<h2>") == len(open_doubts(section)) >= 4
    assert 'class="sure"' in text
    assert "%(" not in text


@pytest.mark.parametrize("sent", [{}, {"doubt": "x"}, {"do": "repair"}, {"doubt": "\x00"}])
def test_rubbish_changes_nothing(director, section, turned, sent):
    before = Section.objects.get(pk=section.pk).results
    answer = director.post(reverse("results-doubt", args=[section.code]), sent)
    assert answer.status_code == 302
    assert Section.objects.get(pk=section.pk).results == before
    assert not DismissedCheck.objects.exists()
