"""A result that was entered under the wrong board: said in one tap, by what the table has had in its hands."""

import pytest

from bridgebuddy.events.services import rounds
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.services.publishing import make_final
from bridgebuddy.tables.models import Call, Correction
from tests.factories import section_with

from .tapping import Phone, with_phones

FOUR_SPADES = {"contract": "4S", "declarer": "N", "tricks": 10}
ONE_NO_TRUMP = {"contract": "1NT", "declarer": "E", "tricks": 6}
RIGHT = "Yes, that is right"


@pytest.fixture
def section(club, alice):
    return with_phones(section_with(10, "mitchell", round=1, club=club, by=alice))


def known(section):
    """What stands of the boards of table 1 in round 1."""
    found = Result.objects.filter(play__section=section, play__table=1, play__round=1, stands=True)
    return {one.play.board: one.outcome for one in found.order_by("play__board")}


def test_two_boards_that_were_exchanged_are_said_in_three_taps_and_the_other_side_is_asked(section):
    ours, theirs = Phone(section, 1, "NS"), Phone(section, 1, "EW")
    ours.enter(1, FOUR_SPADES)
    ours.table(1).enter(2, ONE_NO_TRUMP)
    for _board in (1, 2):
        theirs.table(1).tap(RIGHT)
    ours.table(1)
    ours.taps = 0

    ours.tap("4", "Board 1 is wrong", "Board 2")

    assert ours.taps == 3
    assert known(section) == {1: ONE_NO_TRUMP, 2: FOUR_SPADES}
    for board in (1, 2):
        assert f"Board {board}: is this right?" in theirs.table(1).text
        theirs.tap(RIGHT)
    assert "is this right?" not in theirs.table(1).text


def test_a_result_goes_to_the_board_of_which_none_is_known_and_its_own_is_missing_again(section):
    ours = Phone(section, 1, "NS").enter(1, FOUR_SPADES).tap(RIGHT)

    ours.tap("Board 1 is wrong", "Board 3")

    assert known(section) == {1: None, 3: FOUR_SPADES}
    assert ours.table(1).has("Enter board 1")
    assert "Board 3: is this right?" in Phone(section, 1, "EW").table(1).text


def test_what_the_other_side_alone_has_said_is_two_versions_then(section):
    theirs = Phone(section, 1, "EW").enter(1, FOUR_SPADES)
    theirs.table(1).enter(2, ONE_NO_TRUMP)
    ours = Phone(section, 1, "NS")

    ours.tap("No, change it").open(f"{ours.address.partition('?')[0]}").tap("Board 2")

    assert "The two sides say different things" in ours.text
    assert known(section) == {1: None, 2: None}


def test_after_the_round_the_director_gets_both(section, alice):
    ours = Phone(section, 1, "NS").enter(1, FOUR_SPADES).tap(RIGHT)
    ours.table(1).enter(2, ONE_NO_TRUMP).tap(RIGHT)
    rounds.start_next_round(section, after=1, by=alice)

    ours.tap("Board 2 is wrong")
    assert not ours.has("Board 3")  # of which nothing is known
    ours.tap("Board 1")

    assert "The director has it" in ours.text
    assert known(section) == {1: FOUR_SPADES, 2: ONE_NO_TRUMP}
    asked = {one.play.board: one.outcome for one in Correction.objects.all()}
    assert asked == {1: ONE_NO_TRUMP, 2: FOUR_SPADES}


def test_a_final_list_is_changed_by_no_exchange(section, alice):
    ours = Phone(section, 1, "NS").enter(1, FOUR_SPADES).tap(RIGHT, "Board 1 is wrong")
    section.refresh_from_db()
    make_final(section, by=alice)

    ours.tap("Board 2")

    assert known(section) == {1: FOUR_SPADES}


def test_an_old_page_exchanges_nothing(section):
    ours = Phone(section, 1, "NS").enter(1, FOUR_SPADES).tap(RIGHT, "Board 1 is wrong")
    Phone(section, 1, "EW").enter(2, ONE_NO_TRUMP)

    ours.tap("Board 2")

    assert "Somebody else has entered this board meanwhile" in ours.text
    assert known(section) == {1: FOUR_SPADES, 2: ONE_NO_TRUMP}


def test_the_same_letter_exchanges_once(section):
    ours = Phone(section, 1, "NS").enter(1, FOUR_SPADES).tap(RIGHT, "Board 1 is wrong")
    key = ours.find("Board 2")
    sent = dict([*key.form.hidden, key.sent])

    for _time in range(2):
        ours.open(key.form.action, sent)

    assert known(section) == {1: None, 2: FOUR_SPADES}
    assert Result.objects.count() == 3


def test_nobody_exchanges_with_a_board_of_another_table(section):
    ours = Phone(section, 1, "NS").enter(1, FOUR_SPADES).tap(RIGHT, "Board 1 is wrong")
    other = section.plays.get(round=1, table=2, board=4)
    key = ours.find("Board 2")

    ours.open(key.form.action, dict(key.form.hidden) | {"other": f"{other.pk}-0"})

    assert known(section) == {1: FOUR_SPADES}


@pytest.mark.parametrize(
    ("words", "why"), [("Wrong board", "board"), ("Wrong opponents", "people")]
)
def test_what_is_wrong_at_the_table_is_told_to_the_director_in_one_tap(section, words, why):
    phone = Phone(section, 1, "NS")

    phone.tap(words)

    assert phone.taps == 1
    assert [(one.table, one.round, one.why) for one in Call.objects.all()] == [(1, 1, why)]
