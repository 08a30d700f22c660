"""Boards left from earlier rounds: their players are asked, at their present table, and no other ones."""

import pytest
from django.urls import reverse

from bridgebuddy.events.services.play import rounds
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.services.results import EnteredResult, enter_result, enter_results
from tests.factories import section_with

from .tapping import Phone, with_phones
from .test_entering import FOUR_SPADES, ONE_DOWN
from .test_rights import news, polled

pytestmark = pytest.mark.django_db


@pytest.fixture
def section(club, alice):
    """Four tables of a Howell, in round 2; of round 1 all is in but the last board of table 4."""
    section = with_phones(
        section_with(8, "howell", round=1, club=club, by=alice, boards_per_round=2)
    )
    missing = section.plays.filter(round=1, table=4).last()
    played = section.plays.filter(round=1).exclude(pk=missing.pk)
    enter_results(section, [EnteredResult(play.pk, FOUR_SPADES) for play in played], by=alice)
    return rounds.start_next_round(section, after=1, by=alice)


@pytest.fixture
def missing(section):
    return section.plays.filter(round=1, table=4).last()


def table_of(section, entry):
    """Return the table of an entry in the present round."""
    plays = section.plays.filter(round=section.round, taken_back_at=None)
    return next(play.table for play in plays if entry in (play.ns_id, play.ew_id))


def phone_of(section, entry, table):
    """A phone of an entry that sits at a table."""
    phone = Phone(section, table)
    key = next(item for item in phone.keys if item.form and ("who", str(entry)) in item.form.hidden)
    phone.open(key.form.action, dict(key.form.hidden))
    return phone


def test_the_next_four_are_not_asked_for_the_board_of_the_four_before(section, missing):
    theirs = {table_of(section, missing.ns_id), table_of(section, missing.ew_id)}
    asked = {
        table
        for table in (1, 2, 3, 4)
        if Phone(section, table, "Leave the phone at this table").has(
            f"Enter board {missing.board}"
        )
    }

    assert asked == theirs
    assert 4 not in theirs  # so that other people sit there now


def test_at_a_phone_that_stays_the_running_rounds_board_is_the_main_button(section, missing):
    table = table_of(section, missing.ew_id)
    now = section.plays.filter(round=2, table=table, taken_back_at=None).first()

    stays = Phone(section, table, "Leave the phone at this table")
    moves = phone_of(section, missing.ew_id, table)

    assert stays.page.context["next"].play == now
    assert moves.page.context["next"].play == missing
    names = f"{missing.north.surname} & {missing.south.surname}"
    assert f"Board {missing.board} Dealer" in stays.text
    assert f"Round 1: {names} against" in stays.text


def test_who_has_played_a_missing_board_enters_it_where_they_sit_now_and_both_sides_are_named(
    section, missing
):
    table = table_of(section, missing.ew_id)
    phone = Phone(section, table, "Leave the phone at this table")
    names = f"{missing.north.surname} & {missing.south.surname}"
    assert f"Of round 1 this board is missing: {names} against" in phone.text

    phone.enter(missing.board, FOUR_SPADES)

    assert Result.objects.get(play=missing).outcome == FOUR_SPADES
    assert missing.claims.get().side == "ew"  # whose phone it was


def test_a_board_entered_late_is_agreed_by_the_other_side_on_its_phone_elsewhere(section, missing):
    there, here = (table_of(section, entry) for entry in (missing.ns_id, missing.ew_id))
    north = phone_of(section, missing.ns_id, there)
    east = phone_of(section, missing.ew_id, here)
    shown = polled(east, here)
    north.enter(missing.board, FOUR_SPADES)
    names = f"{missing.east.surname} & {missing.west.surname}"

    assert f"{names} sit at table {here} now, and are asked on their own phone." in north.text
    assert not north.has("Yes, that is right")
    assert there != here
    assert news(east, shown, here)
    east.table(here)
    assert f"Board {missing.board}: is this right? Round 1," in east.text
    assert not Phone(section, here, "Leave the phone at this table").has("Yes, that is right")
    east.tap("Yes, that is right")
    assert {claim.side for claim in missing.claims.all()} == {"ns", "ew"}
    assert not east.table(here).has("Yes, that is right")


def test_a_board_of_others_opens_at_no_table_where_they_do_not_sit(section, missing):
    phone = Phone(section, 4, "Leave the phone at this table")
    elsewhere = section.plays.filter(round=1, table=1).first()
    sits_there = {elsewhere.ns_id, elsewhere.ew_id}
    now = section.plays.filter(round=2, table=4).first()

    assert sits_there.isdisjoint({now.ns_id, now.ew_id})
    address = reverse("table-board", args=[section.code, 4, elsewhere.pk])
    assert phone.browser.get(address).status_code == 404
    sent = FOUR_SPADES | {"side": "ns", "after": 0}
    assert phone.browser.post(address, sent).status_code == 404


def test_a_board_the_director_wants_played_later_is_told_where_both_sides_sit(
    section, missing, alice
):
    enter_result(section, missing.pk, {"pending": True}, reason="until 22:20", by=alice)
    told = f"Board {missing.board} is to be played later"

    for entry in (missing.ns_id, missing.ew_id):
        table = table_of(section, entry)
        phone = phone_of(section, entry, table)
        assert told in phone.text
        assert "The director says: until 22:20" in phone.text
        boards = section.plays.filter(round=2, table=table)
        assert phone.keys.index(phone.find(f"Enter board {boards[0].board}")) < phone.keys.index(
            phone.find(f"Enter board {missing.board}")
        )
    assert told not in Phone(section, 4, "Leave the phone at this table").text

    phone.enter(missing.board, ONE_DOWN)
    assert Result.objects.get(play=missing, stands=True).outcome == ONE_DOWN


def test_a_board_left_asks_as_much_of_the_server_as_several(
    section, missing, alice, django_assert_num_queries
):
    phone = phone_of(section, missing.ns_id, table_of(section, missing.ns_id))
    phone.browser.get(phone.address)
    left = [EnteredResult(play.pk, None) for play in section.plays.filter(round=1)]
    for entered in (
        [EnteredResult(missing.pk, {"passed": True}), EnteredResult(missing.pk, None)],
        left,
    ):
        for item in entered:
            enter_results(section, [item], by=alice)
        with django_assert_num_queries(11):  # what has been said since, of all tables at once
            phone.browser.get(phone.address)
        with django_assert_num_queries(3):
            phone.browser.get(phone.address)
