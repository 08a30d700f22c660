"""Pages of live changes: reasons of impossible changes, and the order of proposals."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from bridgebuddy.director.changes.wishes import WISHES, obstacle_last_round
from bridgebuddy.director.changes.words import change_sentence
from bridgebuddy.events.models import Section
from tests.director.reading import ANSWERS, LATE, address_of, decide, text, titles_on, ways_on
from tests.factories import section_with
from tests.markup import markup

pytestmark = pytest.mark.django_db


def messages_of(answer):
    """Return the sentences that the desk shows for a wish."""
    return [str(message) for message in answer.context["messages"]]


def nothing_on(response):
    """Why a page has no way to show."""
    matches = re.findall(r'<p class="note info">(.*?)</p>', response.content.decode(), re.S)
    return [re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", item)).strip() for item in matches]


@pytest.mark.parametrize(
    "wish", [name for name in WISHES if obstacle_last_round in WISHES[name].obstacles]
)
def test_in_the_last_round_there_is_no_round_left_to_change(browser, club, alice, wish):
    section = section_with(14, "mitchell", round=7, club=club, by=alice)

    answer = browser.get(address_of(section, wish), ANSWERS[wish], follow=True)

    assert answer.redirect_chain == [(reverse("desk", args=[section.code]), 302)]
    assert messages_of(answer) == [
        "The last round is being played: there is no round left to change."
    ]


def test_what_has_happened_may_still_be_written_down_in_the_last_round(browser, club, alice):
    section = section_with(14, "mitchell", round=7, club=club, by=alice)

    answer = decide(browser, section, "places", round=7, one=1, other=2)

    assert answer.status_code == 302
    assert section.movements.latest("version").change == "as-played"


def test_with_one_board_a_round_there_are_none_to_leave_out(browser, club, alice):
    section = section_with(14, "mitchell", round=1, boards_per_round=1, club=club, by=alice)

    answer = browser.get(address_of(section, "boards"), follow=True)

    assert messages_of(answer) == ["One board is played in a round; there are no fewer."]


def test_a_pair_that_comes_in_the_last_round_finds_no_seat_and_no_search(browser, club, alice):
    section = section_with(14, "mitchell", round=7, club=club, by=alice)

    page = browser.get(address_of(section, "late"))

    assert nothing_on(page) == ["The last round is being played, and there is no free seat in it."]
    assert "Search all rounds to come" not in text(page)


def test_why_there_is_no_other_skip_in_a_movement_that_could_have_one(browser, club, alice):
    section = section_with(14, "mitchell", round=1, club=club, by=alice)

    assert nothing_on(browser.get(address_of(section, "skip"))) == [
        "No other skip is possible now: opponents or boards would be repeated."
    ]


def test_the_sheet_of_the_skip_says_why_the_skip_cannot_be_left_out(browser, club, alice):
    section = section_with(16, "skip-mitchell", round=2, club=club, by=alice)

    page = browser.get(address_of(section, "skip"))

    assert all(title.startswith("Skip after round") for title in titles_on(page))
    assert "No skip Not possible: Opponents or a board would be repeated." in text(page)


def test_a_two_way_rover_plays_a_board_of_each_half_at_least(browser, club, alice):
    section = section_with(9, "two-way-rover", round=1, boards_per_round=3, club=club, by=alice)

    pages = [browser.get(address_of(section, "boards"), {"boards": n}) for n in (1, 2)]

    assert nothing_on(pages[0]) == [
        (
            "The number of boards is too small. Each part of a round needs a board, and all tables "
            "the same number."
        )
    ]
    assert titles_on(pages[1]) == ["2 boards a round"]


def late(browser, section, minutes):
    """The ways for a late pair, with so many minutes left of the round."""
    ends = section.clock_ends_at - section.round_length + timedelta(minutes=minutes, seconds=30)
    Section.objects.filter(pk=section.pk).update(clock_ends_at=ends)
    return titles_on(browser.get(address_of(section, "late")))


def test_the_free_seat_now_comes_first_while_there_is_time_for_a_board(browser, club, alice):
    section = section_with(9, "howell", round=1, club=club, by=alice)

    assert late(browser, section, 7)[:2] == ["The free seat, now", "The free seat, from round 2"]
    ways = late(browser, section, 6)
    assert (ways[0], ways[-1]) == ("The free seat, from round 2", "The free seat, now")


def test_a_rover_for_whom_two_pairs_exchange_is_told_from_one_who_moves_nobody(
    browser, club, alice
):
    section = section_with(18, "mitchell", round=1, club=club, by=alice)

    descriptions = re.findall(
        r'<span class="d">([^<]+)', markup(browser.get(address_of(section, "late")))
    )

    assert descriptions == [
        *["Takes another pair’s seat in every round. Two pairs exchange places in some."] * 2,
        "A half table, new boards, and a skip after round 5.",
        *["Takes another pair’s seat in every round. Nothing else moves."] * 2,
        "Not possible: There is no half table.",
        "Not possible: Only for a second late pair, if a pair sits out.",
    ]


def test_a_table_may_be_kept_with_the_direction_or_without(browser, club, alice):
    section = section_with(9, "howell", round=1, club=club, by=alice)

    descriptions = re.findall(
        r'<span class="d">([^<]+)',
        markup(browser.get(address_of(section, "stays"), {"contestant": 9})),
    )

    assert descriptions == [
        "Opponents and boards come to the pair; others move a little more.",
        "Opponents and boards come to the pair, which keeps its direction too.",
    ]


def test_one_who_leaves_and_one_who_comes_in_the_same_search_are_both_written_down(
    browser, club, alice
):
    section = section_with(16, "skip-mitchell", round=4, club=club, by=alice)

    asked = {"effort": 1, "leaves": 3, "arrives": "on"}
    way = ways_on(browser.get(address_of(section, "rebuild"), asked))[0]

    answer = browser.post(
        address_of(section, "rebuild"),
        {"plan": section.plan, "way": way, **asked, **LATE},
        follow=True,
    )

    gone = section.entries.get(left_after=4)
    assert section.entries.get(first_round=5).names == "Eve Engel & Max O’Reid"
    assert messages_of(answer) == [
        f"{gone.names} left, and Eve Engel & Max O’Reid came; all rounds to come were planned again."
    ]


def test_one_round_and_one_board_are_told_in_the_singular():
    told = [
        change_sentence(kind, {"rounds": count, "boards": count})
        for kind in ("shorter", "fewer-boards")
        for count in (1, 2)
    ]

    assert told == [
        "1 round is played.",
        "2 rounds are played.",
        "1 board a round is played from now on.",
        "2 boards a round are played from now on.",
    ]
