"""A late pair fills a half table, whose boards are then shared: each page says so."""

import re

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Play, Section
from bridgebuddy.events.services.play import changes, rounds
from bridgebuddy.scoring.result_sources import ResultSource
from bridgebuddy.scoring.services.results import EnteredResult, enter_results
from movements.engine.changes import PairLeaves
from tests.director.reading import LATE, decide, grid_of, text
from tests.factories import section_with

pytestmark = pytest.mark.django_db
SHARE = "Tables 1 and 8 share."


@pytest.fixture
def half_section(club, alice):
    """A section in round 1: table 8 has no North-South, so table 1 has its boards alone."""
    return section_with(
        15, "share-and-relay", rounds=8, missing_line="ns", round=1, club=club, by=alice
    )


def page(browser, section, name, *args, **query):
    return text(browser.get(reverse(name, args=[section.code, *args]), query))


def test_the_dialog_says_which_tables_share_and_which_board_is_not_played(browser, half_section):
    words = page(browser, half_section, "change", "late", **LATE)

    assert "The half table is full. Tables 1 and 8 share their boards." in words
    assert "but not for board 3. Enter board 3 as not played under Results." in words
    assert "Nothing else moves" not in words.partition("Party table")[0]


def test_desk_and_room_announce_it_now_and_for_the_next_round(browser, half_section):
    assert SHARE not in page(browser, half_section, "desk")
    decide(browser, half_section, "late", **LATE)

    desk = page(browser, half_section, "desk")
    room = page(browser, half_section, "room-display")

    for words in (desk, room):
        now, _, later = words.partition("hen the round ends")
        assert SHARE in now
        assert SHARE in later


def test_it_is_announced_for_each_round_to_come_and_no_more_once_undone(
    browser, half_section, alice
):
    decide(browser, half_section, "late", **LATE)
    section = Section.objects.get(pk=half_section.pk)
    rounds.start_next_round(section, after=1, by=alice)
    now, _, later = page(browser, section, "desk").partition("when the round ends")
    assert (SHARE in now, SHARE in later) == (False, True)

    section = Section.objects.get(pk=section.pk)
    left = PairLeaves(8)
    way = changes.change_options(section, left)[0]
    changes.take_proposal(section, way, left, plan=section.plan, by=alice)

    assert SHARE not in page(browser, section, "desk")


def test_tables_that_have_shared_since_the_start_are_not_repeated(browser, club, alice):
    section = section_with(16, "share-and-relay", rounds=8, round=1, club=club, by=alice)
    decide(browser, section, "length", rounds=7)

    assert SHARE not in page(browser, section, "desk")


def test_tile_and_banner_name_the_same_rounds(browser, half_section):
    decide(browser, half_section, "late", **LATE)

    desk = page(browser, half_section, "desk")

    assert "Table 8, rounds 1–8: NS 8 comes here; shares boards with table 1" in desk
    assert "Rounds 1–8: NS 8 comes here" in desk
    assert not re.search(r"Rounds 1–2:", desk)


def test_the_desk_names_the_board_without_time_until_it_is_entered(browser, half_section, alice):
    decide(browser, half_section, "late", **LATE)
    reminder = "Table 8 had no time for board 3."
    assert reminder in page(browser, half_section, "desk")

    section = Section.objects.get(pk=half_section.pk)
    play = Play.objects.get(section=section, table=8, board=3, round=1, taken_back_at=None)
    enter_results(
        section,
        [EnteredResult(play.pk, {"not_played": "time"})],
        source=ResultSource.SLIP,
        by=alice,
    )

    assert reminder not in page(browser, half_section, "desk")


def test_all_rounds_show_the_exchange_and_the_stand_in_their_places(browser, half_section):
    address = reverse("all-rounds", args=[half_section.code])
    assert "table 1" not in grid_of(browser.get(address))[0]
    decide(browser, half_section, "late", **LATE)

    answer = browser.get(address)

    assert grid_of(answer)[0].split("5 : 5")[0] == (
        "1 1 : 1 1–3 table 8 2 : 2 4–6 3 : 3 7–9 4 : 4 10–12 13–15 "
    )
    words = text(answer)
    assert "Table 4 Stand Table 5" in words
    assert "Sits out" not in words
    assert "wait after table" not in words


def test_only_cards_that_exist_are_collected(browser, half_section):
    decide(browser, half_section, "late", **LATE)

    words = page(browser, half_section, "print", time="changed")

    collected = words.partition("Collect the old ones:")[2].partition("the old director")[0]
    assert "the cards of tables 1–2, 7–8; the guide cards of NS 1, EW 1, " in collected
    assert "NS 8" not in collected
