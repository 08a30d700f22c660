"""A table's phone beside the keys: the next table, sit-outs, the next opponents, and the way back."""

import pytest
from django.db.models import Q
from django.urls import reverse

from bridgebuddy.events.services.play import rounds
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.table_phones.models import CorrectionRequest, DirectorCall
from tests.factories import section_with

from .tapping import Phone, with_phones
from .test_entering import FOUR_SPADES, ONE_DOWN
from .test_rights import news, polled

pytestmark = pytest.mark.django_db


@pytest.fixture
def section(club, alice):
    """Five tables of a Mitchell, one half full, in round 1."""
    return with_phones(section_with(9, "mitchell", round=1, club=club, by=alice))


def pass_all(phone, boards):
    for board in boards:
        phone.table(1).enter(board, {"passed": True}).tap("Yes, that is right")


def test_after_the_last_board_a_phone_says_where_it_goes_on(section):
    moves, stays = Phone(section, 1, "EW"), Phone(section, 1, "Leave the phone at this table")
    assert "Round 2 Table" not in stays.text

    pass_all(stays, (1, 2, 3))

    assert "Board 3 is saved" in stays.text
    assert "Round 2 Table 2 North2 & South2 East-West" in stays.text
    assert "Round 2 Table 2 East-West Boards 7–9" in moves.table(1).text
    assert "Round 2 Table 2 North2 & South2 East-West" in stays.table(1).text
    first = "Round 3 Table 1 North1 & South1 First you sit out North-South"
    assert first in stays.table(1).text


def test_who_sits_out_reads_that_and_where_they_play_again(section, alice):
    first = section.plays.filter(round=1).exclude(Q(ns=None) | Q(ew=None))
    section = rounds.start_next_round(section, after=1, by=alice)
    half = section.plays.filter(Q(ns=None) | Q(ew=None), round=2).first()
    waits = half.ns_id or half.ew_id
    table = first.filter(Q(ns=waits) | Q(ew=waits)).first().table
    section = rounds.take_back_round(section, round=2, by=alice)
    phone = Phone(section, table)
    phone.open(reverse("table-who", args=[section.code, table]), {"who": waits})
    rounds.start_next_round(section, after=1, by=alice)

    phone.table(table)

    assert "You sit out" in phone.text
    assert "In this round you sit at table" not in phone.text
    assert "Round 3 Table" in phone.text

    later = first.filter(Q(ns=waits) | Q(ew=waits)).last()
    enter_result(section, later.pk, {"pending": True}, reason="until 22:20", by=alice)
    assert f"Board {later.board} is to be played later" in phone.table(table).text
    assert phone.has(f"Enter board {later.board}")


def test_i_go_there_is_told_to_the_table(section, alice, signed_in):
    phone = Phone(section, 1, "NS").tap("Call the director")
    shown = polled(phone)
    call = DirectorCall.objects.get()

    signed_in(alice).post(reverse("take-call", args=[section.code, call.pk]))

    assert news(phone, shown)
    assert "The director is coming." in phone.table(1).text
    assert phone.has("Call the director")


def test_an_old_board_is_found_and_what_it_should_be_told_in_four_taps(section, alice):
    phone = Phone(section, 1, "EW").enter(1, FOUR_SPADES).tap("Yes, that is right")
    Phone(section, 1, "NS").enter(2, FOUR_SPADES)
    rounds.start_next_round(section, after=1, by=alice)
    phone.scan(2)
    phone.taps = 0

    phone.tap("Boards of earlier rounds")
    assert not phone.has("Board 4")
    phone.tap("Board 1", "Tricks", "−1")

    assert phone.taps == 4
    assert "The director has it" in phone.text
    assert [request.outcome for request in CorrectionRequest.objects.all()] == [ONE_DOWN]


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        ({"contract": "1Hxx", "declarer": "N", "tricks": 7}, "Redoubled"),
        ({"contract": "1H", "declarer": "N", "tricks": 3}, "So few tricks"),
        ({"contract": "7Hx", "declarer": "N", "tricks": 6}, "So large a penalty"),
        ({"contract": "4Hx", "declarer": "N", "tricks": 4}, "So large a penalty"),  # 1,400 points
        ({"contract": "4Hx", "declarer": "N", "tricks": 5}, ""),
        (FOUR_SPADES, ""),
    ],
)
def test_the_unlikely_is_asked_again(section, outcome, words):
    phone = Phone(section, 1, "NS").enter(1, outcome)

    assert ("look once more, both sides." in phone.text) is bool(words)
    assert words in phone.text


def test_of_a_board_that_was_not_played_no_empty_figure_is_shown(section):
    phone = Phone(section, 1, "NS").tap("Enter board 1", "Not played", "No time left")
    phone.tap("Yes, that is right")

    assert "Board 1 is saved" in phone.text
    assert "so far" not in phone.text


def test_who_played_it_may_be_tapped_first(section):
    phone = Phone(section, 1, "NS")

    phone.tap("Enter board 1", "S South1", "4", "spades", "= +420")

    assert "East-West: is this right?" in phone.text


def test_tables_that_share_boards_say_so(club, alice):
    section = section_with(16, "share-and-relay", rounds=8, round=1, club=club, by=alice)
    section = with_phones(section)

    phone = Phone(section, 8, "EW")

    assert "You share the boards with table 1." in phone.table(8).text
    assert "You share the boards" not in phone.table(7).text
