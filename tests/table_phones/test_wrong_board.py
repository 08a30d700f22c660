"""A result under the wrong board: corrected in one tap, among the boards that the table has had."""

import re
from pathlib import Path

import pytest
from django.urls import reverse

from bridgebuddy.events.services.play import rounds
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.services.publishing import make_list_final
from bridgebuddy.table_phones.models import CorrectionRequest, DirectorCall
from tests.players.reading import words

from .tapping import Phone

FOUR_SPADES = {"contract": "4S", "declarer": "N", "tricks": 10}
ONE_NO_TRUMP = {"contract": "1NT", "declarer": "E", "tricks": 6}
RIGHT = "Yes, that is right"


def standing_results(section):
    """Return the standing results of the boards of table 1 in round 1."""
    results = Result.objects.filter(
        play__section=section, play__table=1, play__round=1, stands=True
    )
    return {result.play.board: result.outcome for result in results.order_by("play__board")}


def test_two_boards_that_were_exchanged_are_said_in_three_taps_and_the_other_side_is_asked(section):
    ours, theirs = Phone(section, 1, "NS"), Phone(section, 1, "EW")
    ours.enter(1, FOUR_SPADES)
    ours.table(1).enter(2, ONE_NO_TRUMP)
    for _board in (1, 2):
        theirs.table(1).tap(RIGHT)
    ours.table(1)
    ours.taps = 0

    ours.tap("4", "Board 1 is wrong", "Board 2")

    assert ours.taps == documented_taps()[0] == 3
    assert standing_results(section) == {1: ONE_NO_TRUMP, 2: FOUR_SPADES}
    for board in (1, 2):
        assert f"Board {board}: is this right?" in theirs.table(1).text
        theirs.tap(RIGHT)
    assert "is this right?" not in theirs.table(1).text


def test_a_result_goes_to_the_board_of_which_none_is_known_and_its_own_is_missing_again(section):
    ours = Phone(section, 1, "NS").enter(1, FOUR_SPADES).tap(RIGHT)

    ours.tap("Board 1 is wrong", "Board 3")

    assert standing_results(section) == {1: None, 3: FOUR_SPADES}
    assert ours.table(1).has("Enter board 1")
    assert "Board 3: is this right?" in Phone(section, 1, "EW").table(1).text


def test_what_the_other_side_alone_has_said_is_two_versions_then(section):
    theirs = Phone(section, 1, "EW").enter(1, FOUR_SPADES)
    theirs.table(1).enter(2, ONE_NO_TRUMP)
    ours = Phone(section, 1, "NS")

    ours.tap("No, change it").open(f"{ours.address.partition('?')[0]}").tap("Board 2")

    assert "The two sides entered different results" in ours.text
    assert standing_results(section) == {1: None, 2: None}


def test_after_the_round_the_director_gets_both(section, alice):
    ours = Phone(section, 1, "NS").enter(1, FOUR_SPADES).tap(RIGHT)
    ours.table(1).enter(2, ONE_NO_TRUMP).tap(RIGHT)
    rounds.start_next_round(section, after=1, by=alice)

    ours.tap("Board 2 is wrong")
    assert not ours.has("Board 3")  # of which nothing is known
    ours.tap("Board 1")

    assert "The director has it" in ours.text
    assert standing_results(section) == {1: FOUR_SPADES, 2: ONE_NO_TRUMP}
    asked = {request.play.board: request.outcome for request in CorrectionRequest.objects.all()}
    assert asked == {1: ONE_NO_TRUMP, 2: FOUR_SPADES}


def test_a_final_list_is_changed_by_no_exchange(section, alice):
    ours = Phone(section, 1, "NS").enter(1, FOUR_SPADES).tap(RIGHT, "Board 1 is wrong")
    section.refresh_from_db()
    make_list_final(section, by=alice)

    ours.tap("Board 2")

    assert standing_results(section) == {1: FOUR_SPADES}


def test_an_old_page_exchanges_nothing(section):
    ours = Phone(section, 1, "NS").enter(1, FOUR_SPADES).tap(RIGHT, "Board 1 is wrong")
    Phone(section, 1, "EW").enter(2, ONE_NO_TRUMP)

    ours.tap("Board 2")

    assert "Another player has entered this board meanwhile" in ours.text
    assert standing_results(section) == {1: FOUR_SPADES, 2: ONE_NO_TRUMP}


def test_the_same_letter_exchanges_once(section):
    ours = Phone(section, 1, "NS").enter(1, FOUR_SPADES).tap(RIGHT, "Board 1 is wrong")
    key = ours.find("Board 2")
    sent = dict([*key.form.hidden, key.sent])

    for _time in range(2):
        ours.open(key.form.action, sent)

    assert standing_results(section) == {1: None, 2: FOUR_SPADES}
    assert Result.objects.count() == 3


def test_nobody_exchanges_with_a_board_of_another_table(section):
    ours = Phone(section, 1, "NS").enter(1, FOUR_SPADES).tap(RIGHT, "Board 1 is wrong")
    other = section.plays.get(round=1, table=2, board=4)
    key = ours.find("Board 2")

    ours.open(key.form.action, dict(key.form.hidden) | {"other": f"{other.pk}-0"})

    assert standing_results(section) == {1: FOUR_SPADES}


@pytest.mark.parametrize(
    ("words", "why"), [("Wrong board", "board"), ("Wrong opponents", "people")]
)
def test_what_is_wrong_at_the_table_is_told_to_the_director_in_one_tap(section, words, why):
    phone = Phone(section, 1, "NS")

    phone.tap(words)

    assert phone.taps == 1
    called = DirectorCall.objects.get()
    assert (called.table, called.round, called.why, called.board) == (1, 1, why, 1)
    assert called.who == section.plays.filter(round=1, table=1).first().ns


@pytest.fixture
def director(signed_in, alice):
    return signed_in(alice)


def press(director, section, call, **sent):
    return director.post(reverse("take-call", args=[section.code, call.pk]), sent, follow=True)


def notes(director, section):
    """Return the notices above the tables of the desk."""
    shown = words(director.get(reverse("desk", args=[section.code])))
    return shown.partition("Round and clock")[0].partition("Round 1 of")[0]


def calls_from_its_board(section, table, side, key):
    phone = Phone(section, table, side).tap("Enter board")
    phone.taps = 0
    phone.tap(f"Call the director: {key.lower()}")
    assert (phone.taps, "The director has been called." in phone.text) == (1, True)
    return DirectorCall.objects.get(table=table, taken_at=None)


NEEDED = {"wrong-boards": ("table", "other_table"), "places": ("one", "other")}


def presses(page):
    """Return the number of a director's presses at the desk from a call to its record: each list left counts two."""
    form, needed = page.context["form"], NEEDED[page.context["wish"].name]
    if form.is_bound:
        assert page.context["choices"]
        return len(("Enter what happened", "the first way"))
    left = [name for name in needed if not form[name].value()]
    return 2 * len(left) + len(("Enter what happened", "Show what is possible", "the first way"))


def documented_taps():
    """Return the counts of docs/dev/clicks.md by task, in its order."""
    text = (Path(__file__).parents[2] / "docs" / "dev" / "clicks.md").read_text("utf-8")
    return [int(taps) for taps in re.findall(r"^\| [^|]+ \| (\d+) \|$", text, re.M)]


def test_the_table_of_clicks_says_how_many_taps_these_take(section, director):
    for number, key in enumerate(("Wrong board", "Wrong opponents")):
        of_one = presses(
            press(director, section, calls_from_its_board(section, 2, "NS", key), do="record")
        )
        calls_from_its_board(section, 1, "NS", key)
        again = calls_from_its_board(section, 2, "NS", key)
        of_two = presses(press(director, section, again, do="record"))
        assert documented_taps()[1 + 3 * number :][:3] == [1, of_two, of_one]


def test_a_board_lies_wrong_and_the_desk_says_what_should_and_leads_to_where_that_is_entered(
    section, director
):
    call = calls_from_its_board(section, 2, "NS", "Wrong board")

    assert (
        "Director, table 2 Another board lies there. In round 1 there should be board 4,"
        in notes(director, section)
    )
    assert "board 4, NS 2 North3 & South3, EW 2 North4 & South4." in notes(director, section)
    page = press(director, section, call, do="record")
    form = page.context["form"]
    assert (page.context["wish"].name, form.is_bound) == ("wrong-boards", False)
    assert (str(form["round"].value()), form["table"].value()) == ("1", "2")
    assert "The director is coming." in Phone(section, 2, "EW").text


def test_two_tables_that_call_have_each_others_boards_which_is_two_presses_at_the_desk(
    section, director
):
    calls_from_its_board(section, 1, "NS", "Wrong board")
    call = calls_from_its_board(section, 2, "EW", "Wrong board")

    page = press(director, section, call, do="record")

    assert page.context["form"].cleaned_data == {
        "round": 1,
        "table": 1,
        "other_table": 2,
        "boards": "",
        "instead": "",
    }
    way = page.context["choices"][0]
    sent = page.context["form"].sent_values | {"plan": page.context["plan"], "way": way.key}
    director.post(reverse("change", args=[section.code, "wrong-boards"]), sent)
    assert section.plays.filter(round=1, table=1, board=4, taken_back_at=None).exists()
    assert "Another board" not in notes(director, section)


def test_two_tables_with_other_opponents_say_who_sat_where(section, director):
    calls_from_its_board(section, 1, "NS", "Wrong opponents")
    call = calls_from_its_board(section, 3, "NS", "Wrong opponents")

    page = press(director, section, call, do="record")

    assert page.context["wish"].name == "places"
    due = section.plays.filter(round=1, table__in=(1, 3)).values_list("ew__contestant", flat=True)
    said = page.context["form"].cleaned_data
    assert {said["one"], said["other"]} == set(due)
    assert len(page.context["choices"]) > 0


def test_who_went_there_first_is_led_to_it_afterwards_until_the_round_is_over(
    section, director, alice
):
    call = calls_from_its_board(section, 2, "NS", "Wrong opponents")

    press(director, section, call)

    assert "Table 2 Other people sat there." in notes(director, section)
    page = press(director, section, call, do="record")
    form = page.context["form"]
    missing = section.plays.filter(round=1, table=2).first().ew.contestant
    assert (form["round"].value(), form["other"].value()) == ("1", str(missing))
    rounds.start_next_round(section, after=1, by=alice)
    assert "Other people" not in notes(director, section)


def test_a_call_of_a_round_that_has_not_begun_waits_on_the_phone(section):
    phone = Phone(section, 1, "NS")
    address = reverse("table-call", args=[section.code, 1])
    letter = {"why": "board", "board": "9", "round": "2", "key": "k1"}

    answer = phone.browser.post(address, letter, headers={"X-Letter": "k1"})

    assert answer.status_code == 425
    assert not DirectorCall.objects.exists()
