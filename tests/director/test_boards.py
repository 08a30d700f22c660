"""The boards: complete ones, results of one, their history, and other events at it."""

import re

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from bridgebuddy.scoring.models import FouledBoard, Result, ScoringSettings
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.scoring.words import signed_score
from tests.factories import director_of, section_with
from tests.scoring.test_doubts import usual, written_down
from tests.scoring.test_tonight import scored_section

from .test_sections import in_two

pytestmark = pytest.mark.django_db

FOUR_SPADES = {"contract": "4S", "declarer": "S", "tricks": 10}
FOUR_HEARTS = {"contract": "4H", "declarer": "S", "tricks": 9}


@pytest.fixture
def section():
    section = section_with(14, "mitchell", round=7)
    return written_down(section, lambda play: {**usual(play.board), "tricks": 7 + play.table % 4})


def page_words(client, name, section, *rest, status=200, **query):
    answer = client.get(reverse(name, args=[section.code, *rest]), query)
    assert answer.status_code == status
    return " ".join(answer.content.decode().split())


def test_all_boards_are_listed_with_how_many_results_they_have(director, section):
    text = page_words(director, "boards", section)
    assert "21 of 21 boards are complete" in text
    assert text.count('class="dealchip') == 21


def test_a_board_with_a_result_missing_is_not_complete(director, section):
    enter_result(section, section.plays.filter(board=3).first().pk, None, by=None)
    text = page_words(director, "boards", section)
    assert "20 of 21 boards are complete" in text
    assert "6 of 7" in text


def test_a_board_shows_its_lines_by_score_and_how_often_each_was_made(director, section):
    text = page_words(director, "board-results", section, 5)
    assert "all 7 results are in" in text
    assert text.count("/results/line/") == 14  # each contract, and beside it on a wide screen
    assert "A top is 12 matchpoints." in text
    assert "How often" in text


def test_every_number_of_a_board_says_how_it_came_about(director, section):
    text = page_words(director, "board-results", section, 5)
    assert text.count('<details class="explain">') == 14
    assert text.count("Beats ") == 14


@pytest.mark.parametrize(
    ("pairs", "family", "contest"),
    [(8, "howell", "pairs"), (12, "individual", "individual"), (8, "swiss", "teams")],
)
def test_every_contest_has_its_boards_and_score_sheets(client, pairs, family, contest):
    section = scored_section(pairs, family, rounds=1, contest=contest)
    client.force_login(director_of(section.club))
    board = section.plays.first().board
    assert "/results/line/" in page_words(client, "board-results", section, board)
    label = section.stored.without_seatings.label(1)
    assert '<details class="explain">' in page_words(client, "score-sheet", section, label)
    play = section.plays.exclude(ns=None).exclude(ew=None).first()
    assert "Correct result" in page_words(client, "results-line", section, play.pk)
    page_words(client, "look-at", section)


def test_a_board_nobody_has_begun_says_so(client):
    section = scored_section(8, "howell", rounds=1)
    client.force_login(director_of(section.club))
    begun = set(section.plays.values_list("board", flat=True))
    board = next(number for number in range(1, 30) if number not in begun)
    assert "No table has begun this board yet." in page_words(
        client, "board-results", section, board
    )


def test_a_board_that_is_not_played_does_not_exist(director, section):
    page_words(director, "board-results", section, 99, status=404)
    page_words(director, "fouled-board", section, 99, status=404)


def test_groups_of_a_fouled_board_stand_apart(director, section):
    FouledBoard.objects.create(section=section, board=5, from_round=4, reason="two cards")
    text = page_words(director, "board-results", section, 5)
    assert "As dealt" in text
    assert "Other cards from round 4 on: two cards" in text
    assert text.count('class="freq"') == 2


def test_a_board_is_fouled_in_its_section_alone(signed_in, club, alice):
    first, second = in_two(club, alice)
    for section in (first, second):
        rounds.start_next_round(section, after=0, by=alice)
    FouledBoard.objects.create(section=first, board=1, from_round=2, reason="two cards")

    pages = [page_words(signed_in(alice), "boards", section) for section in (first, second)]

    assert [text.count("two groups") for text in pages] == [1, 0]


def test_the_history_says_who_wrote_what_and_what_was_before(director, section):
    play = section.plays.filter(board=5).first()
    play.results.all().delete()
    bob = director_of(section.club, email="bob@example.org")
    enter_result(section, play.pk, FOUR_SPADES, by=bob)
    enter_result(section, play.pk, FOUR_HEARTS, reason="misheard", by=bob)
    text = page_words(director, "board-results", section, 5)
    history = text[text.index("History of this board") :]
    first = history[: history.index("</li>")]
    assert "bob" in first
    assert "misheard" in first
    assert first.index("<s>") < first.index("</s>")
    assert "Undo" in first
    assert "Undo" not in history.split("</li>")[1]


def test_undo_brings_back_what_was_before(director, section):
    play = section.plays.filter(board=5).first()
    was = play.results.get(stands=True).outcome
    result = enter_result(section, play.pk, FOUR_HEARTS, by=None)
    before = Section.objects.get(pk=section.pk)
    answer = director.post(reverse("results-undo", args=[section.code, result.pk]))
    assert answer.headers["Location"] == reverse("board-results", args=[section.code, 5])
    assert play.results.get(stands=True).outcome == was
    now = Section.objects.get(pk=section.pk)
    assert (now.plan, now.results) == (before.plan, before.results + 1)


def test_what_somebody_else_has_changed_meanwhile_is_not_undone(director, section):
    play = section.plays.filter(board=5).first()
    old = enter_result(section, play.pk, FOUR_HEARTS, by=None)
    enter_result(section, play.pk, FOUR_SPADES, by=None)
    before = Section.objects.get(pk=section.pk).results
    answer = director.post(reverse("results-undo", args=[section.code, old.pk]), follow=True)
    assert "nothing left to undo" in answer.content.decode()
    assert play.results.get(stands=True).outcome == FOUR_SPADES
    assert Section.objects.get(pk=section.pk).results == before


def test_a_result_of_another_section_is_not_undone_here(director, section):
    other = scored_section(8, "howell", rounds=1)
    result = Result.objects.filter(play__section=other).first()
    answer = director.post(reverse("results-undo", args=[section.code, result.pk]))
    assert answer.status_code == 404
    assert Result.objects.get(pk=result.pk).stands


@pytest.mark.parametrize("name", ["boards", "look-at"])
def test_pages_need_no_result_at_all(client, name):
    section = section_with(8, "howell", round=1)
    client.force_login(director_of(section.club))
    page_words(client, name, section)


def test_boards_cost_no_more_queries_with_more_results(
    director, section, django_assert_max_num_queries
):
    with django_assert_max_num_queries(40):
        page_words(director, "boards", section)
    with django_assert_max_num_queries(40):
        page_words(director, "board-results", section, 5)


def test_the_board_is_drawn_with_who_is_vulnerable(director, section):
    drawn = {
        board: re.search(r'class="boardcard".*?aria-label="([^"]+)"', text)[1]
        for board in (1, 2, 3, 4)
        if (text := page_words(director, "board-results", section, board))
    }
    assert drawn == {
        1: "Board 1, nobody vulnerable",
        2: "Board 2, North-South vulnerable",
        3: "Board 3, East-West vulnerable",
        4: "Board 4, all vulnerable",
    }


def test_sections_with_cards_of_their_own_are_not_mixed(client):
    section = scored_section(14, "mitchell", rounds=2)
    beside = scored_section(8, "howell", rounds=2, club=section.club)
    beside.session, beside.name = section.session, "B"
    beside.save()
    section.session.same_deals = False
    section.session.save()
    client.force_login(director_of(section.club))
    for item in (section, beside):
        board = item.plays.first().board
        played = item.plays.filter(board=board).exclude(ns=None).exclude(ew=None).count()
        text = page_words(client, "board-results", item, board)
        assert text.count("/results/line/") == 2 * played
        counts = re.findall(r'<td>[+−0-9]*</td> <td class="r">(\d)</td>', text)
        assert sum(map(int, counts)) == played


def drawn_matches(**scoring):
    """Two rounds of four teams that meet in matches, all results in."""
    section = section_with(4, "team-round-robin", round=2, contest="teams", boards_per_round=2)
    ScoringSettings.objects.create(session=section.session, **scoring)
    for play in section.plays.exclude(ns=None).exclude(ew=None):
        score = {1: 110, 2: 140}[play.round]
        enter_result(section, play.pk, {"score": score if play.table < 3 else 90}, by=None)
    return section


def titles(text):
    return re.findall(r'<tr class="sep"> <td colspan="10"> (.*?) </td>', text)


def test_boards_of_drawn_matches_stand_by_round_and_match(client):
    section = drawn_matches()
    client.force_login(director_of(section.club))

    first = page_words(client, "board-results", section, 1, round=1)
    newest = page_words(client, "board-results", section, 1)
    listed = page_words(client, "boards", section)

    assert "In round 1: every round has its own board 1." in first
    assert "all 4 results are in" in first
    assert len(titles(first)) == len(titles(newest)) == 2
    assert not set(titles(first)) & set(titles(newest))  # nobody meets twice
    assert first.count("+110") + first.count("+90") >= 4
    assert "+140" not in first
    assert "How often" not in first
    assert "results/board/1/?round=1" in listed
    assert "results/board/1/?round=2" in listed
    assert "2 of 4" not in listed


def test_where_all_tables_have_the_same_cards_a_round_is_one_comparison(client):
    section = drawn_matches(same_cards=True)
    client.force_login(director_of(section.club))

    text = page_words(client, "board-results", section, 1, round=1)

    assert titles(text) == []
    assert text.count("/results/line/") == 2 * 4
    assert text.count("How often") == 1


def test_by_butler_each_side_is_told_its_own_datum_of_a_split_score(director, section):
    ScoringSettings.objects.create(session=section.session, profile={"method": "butler"})
    play = section.plays.filter(board=3).first()
    split = {"ns": [[100, -1400]], "ew": [[100, 1400]]}
    enter_result(section, play.pk, {"assigned": split}, by=None)
    [field] = [
        board
        for board in ScoredSession(SessionSnapshot(section)).results.boards
        if board.board == 3
    ]

    text = page_words(director, "board-results", section, 3)

    told = re.findall(r"Against a datum of ([+−]\d+): ", text)
    assert field.datum != field.datum_ew
    assert told == [signed_score(item) for item in (field.datum, field.datum_ew) * 7]
