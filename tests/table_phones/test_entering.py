"""Results from a table's phone: taps, the other side's yes, corrections, and two that differ."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.setup import entries, movement
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.services.results import EnteredResult, enter_results
from bridgebuddy.table_phones.models import CorrectionRequest
from bridgebuddy.table_phones.queries.at_table import BoardsAtTable
from bridgebuddy.table_phones.queries.phones import phone_settings_of
from bridgebuddy.table_phones.templatetags.tables import with_soft_hyphens
from tests.factories import SectionFactory, director_of

from .tapping import Phone, with_phones

pytestmark = pytest.mark.django_db
FOUR_SPADES = {"contract": "4S", "declarer": "S", "tricks": 10}
ONE_DOWN = {"contract": "4S", "declarer": "S", "tricks": 9}


def stands(section, table=1, board=None):
    """Return the result that stands of a table's first board in the round."""
    plays = section.plays.filter(round=section.round, table=table, taken_back_at=None)
    play = plays.get(board=board) if board else plays.first()
    found = Result.objects.filter(play=play, stands=True).first()
    return found.outcome if found else None


def test_four_spades_made_takes_six_taps_with_the_other_sides_yes(section):
    phone = Phone(section, 1, "NS")

    phone.tap("Enter board 1", "4", "spades", "S South1", "= +420", "Yes, that is right")

    assert phone.taps == 6
    assert "Board 1 is saved" in phone.text
    assert stands(section) == FOUR_SPADES
    assert phone.has("Enter board 2")


def test_a_double_is_one_tap_more(section):
    phone = Phone(section, 1, "NS")

    phone.tap("Enter board 1", "4", "spades", "X", "S South1", "= +590", "Yes, that is right")

    assert phone.taps == 7
    assert stands(section) == FOUR_SPADES | {"contract": "4Sx"}


def test_the_number_above_a_tables_page_is_said_to_be_the_tables(section):
    phone = Phone(section, 1, "NS")

    assert "Table 1 North1 & South1" in phone.table(1).text


def test_all_passed_takes_three_taps(section):
    phone = Phone(section, 1, "NS")

    phone.tap("Enter board 1", "All passed", "Yes, that is right")

    assert phone.taps == 3
    assert stands(section) == {"passed": True}


def test_the_check_shows_the_points_as_the_side_gets_them_that_is_asked(section):
    phone = Phone(section, 1, "NS").enter(1, FOUR_SPADES)

    assert "East-West: is this right? Give the phone to North2 or South2" in phone.text
    assert "just made, 10 tricks East-West get −420" in phone.text
    assert stands(section) == FOUR_SPADES  # it counts, not checked


def test_the_other_side_is_asked_on_its_own_phone(section):
    ours, theirs = Phone(section, 1, "NS"), Phone(section, 1, "EW")
    ours.enter(1, FOUR_SPADES)

    theirs.table(1)
    assert "Board 1: is this right? North1 & South1 entered it" in theirs.text
    theirs.tap("Yes, that is right")

    assert "Board 1 is saved" in theirs.text
    assert "not checked" not in ours.table(1).text


def poll(phone):
    """Ask for news as the open page does."""
    page = phone.page.content.decode()
    asked = re.search(r'hx-get="([^"]+)"', page)[1]
    number = re.search(r'"Result-Number": "(\d+)"', page)[1]
    return phone.browser.get(asked, headers={"HX-Request": "true", "Result-Number": number})


def test_the_phone_that_entered_learns_that_the_other_side_has_confirmed(section):
    ours, theirs = Phone(section, 1, "NS"), Phone(section, 1, "EW")
    ours.enter(1, FOUR_SPADES)
    assert poll(ours).status_code == 204
    Phone(section, 2, "NS").enter(4, FOUR_SPADES)  # at another table
    unchanged = poll(ours)
    assert (unchanged.status_code, unchanged.headers.get("HX-Refresh")) == (204, None)

    theirs.table(1).tap("Yes, that is right")

    assert poll(ours).headers["HX-Refresh"] == "true"
    ours.open(ours.address)
    assert "East-West has confirmed it" in ours.text
    assert not ours.has("Yes, that is right")
    assert ours.has("Enter board 2")
    assert "has confirmed it" not in theirs.text
    theirs.open(
        reverse(
            "table-yes", args=[section.code, 1, section.plays.get(round=1, table=1, board=1).pk]
        )
    )
    assert "has confirmed it" not in theirs.text  # they did it themselves


def test_a_side_that_is_asked_learns_of_a_correction(section):
    ours, theirs = Phone(section, 1, "NS"), Phone(section, 1, "EW")
    ours.enter(1, FOUR_SPADES)
    theirs.open(
        reverse(
            "table-yes", args=[section.code, 1, section.plays.get(round=1, table=1, board=1).pk]
        )
    )
    assert theirs.has("Yes, that is right")
    assert poll(theirs).status_code == 204

    ours.tap("No, change it").say(ONE_DOWN)

    assert poll(theirs).headers["HX-Refresh"] == "true"


def test_a_phone_that_was_passed_on_says_nothing_of_another_phone(section):
    phone = Phone(section, 1, "NS").enter(1, FOUR_SPADES).tap("Yes, that is right")

    assert "Board 1 is saved" in phone.text
    assert "has confirmed it" not in phone.text


def test_of_two_phones_that_differ_nothing_counts_until_one_side_gives_way(section):
    ours, theirs = Phone(section, 1, "NS"), Phone(section, 1, "EW")
    theirs.tap("Enter board 1")
    ours.enter(1, FOUR_SPADES)

    theirs.say(ONE_DOWN)

    assert "The two sides entered different results" in theirs.text
    assert stands(section) is None
    ours.table(1).tap("Board 1: two versions", "NS")  # ours is right, ours says
    assert stands(section) is None
    theirs.table(1).tap("Board 1: two versions", "NS")
    assert stands(section) == FOUR_SPADES
    assert "Board 1 is saved" in theirs.text


def test_where_both_sides_enter_one_alone_counts_nothing_and_shows_nothing(section):
    with_phones(section, agreement="double")
    ours, theirs = Phone(section, 1, "NS"), Phone(section, 1, "EW")

    ours.enter(1, FOUR_SPADES)

    assert stands(section) is None
    theirs.table(1)
    assert "spades" not in theirs.text
    assert "10 tricks" not in theirs.text
    theirs.enter(1, FOUR_SPADES)
    assert "Board 1 is saved" in theirs.text
    assert stands(section) == FOUR_SPADES


def test_where_nobody_checks_it_is_stored_at_once(section):
    with_phones(section, agreement="none")

    phone = Phone(section, 1, "NS").enter(1, FOUR_SPADES)

    assert "Board 1 is saved" in phone.text


def test_until_the_round_ends_a_table_changes_its_board_and_is_asked_again(section):
    phone = Phone(section, 1, "NS").enter(1, FOUR_SPADES).tap("Yes, that is right")

    phone.tap("Board 1 is wrong", "Tricks", "−1")

    assert "East-West: is this right?" in phone.text
    assert stands(section) == ONE_DOWN
    phone.tap("Yes, that is right")
    assert [result.outcome for result in Result.objects.order_by("number")] == [
        FOUR_SPADES,
        ONE_DOWN,
    ]


def test_after_the_round_a_correction_is_the_directors(section, alice):
    phone = Phone(section, 1, "NS").enter(1, FOUR_SPADES).tap("Yes, that is right")
    play = section.plays.get(round=1, table=1, board=1)
    rounds.start_next_round(section, after=1, by=alice)

    phone.open(reverse("table-board", args=[section.code, 1, play.pk])).tap("Tricks", "−1")

    assert "The director has it" in phone.text
    assert Result.objects.get(stands=True).outcome == FOUR_SPADES
    assert [request.outcome for request in CorrectionRequest.objects.all()] == [ONE_DOWN]


def test_a_missing_board_is_asked_for_before_those_of_the_next_round(section, alice):
    phone = Phone(section, 1, "NS").enter(1, FOUR_SPADES).tap("Yes, that is right")
    phone.enter(2, {"passed": True})
    rounds.start_next_round(section, after=1, by=alice)

    phone.table(1)

    missing = "Of round 1 this board is missing: North1 & South1 against North2 & South2"
    assert f"Enter board 3 {missing}" in phone.text
    assert "Boards 4–6" in phone.text


def test_two_missing_boards_of_the_round_before_are_counted(section, alice):
    phone = Phone(section, 1, "NS").enter(1, FOUR_SPADES).tap("Yes, that is right")
    rounds.start_next_round(section, after=1, by=alice)

    phone.table(1)

    assert "2 boards of round 1 are missing. This one:" in phone.text
    assert "this board is missing" not in phone.text


@pytest.mark.parametrize("outcome", [{"pending": True}, None])
def test_a_board_of_an_earlier_round_stays_open_until_it_is_known_what_came_of_it(
    section, alice, outcome
):
    phone = Phone(section, 1, "NS").enter(1, FOUR_SPADES).tap("Yes, that is right")
    play = section.plays.get(round=1, table=1, board=1)
    enter_results(section, [EnteredResult(play.pk, outcome)], by=alice)
    rounds.start_next_round(section, after=1, by=alice)

    assert f'data-enter="{play.pk}"' in phone.table(1).page.content.decode()

    enter_results(section, [EnteredResult(play.pk, FOUR_SPADES)], by=alice)
    assert f'data-enter="{play.pk}"' not in phone.table(1).page.content.decode()


def test_a_result_asks_little_of_the_server_and_no_more_late_in_the_evening(
    section, alice, django_assert_num_queries
):
    said = FOUR_SPADES | {"side": "ns", "after": 0}
    for round in (1, 2):
        phone, other = Phone(section, 1, "NS"), Phone(section, 1, "EW")
        play = section.plays.filter(round=round, table=1).first()
        address = reverse("table-board", args=[section.code, 1, play.pk])

        with django_assert_num_queries(18):
            answer = phone.browser.post(address, said | {"key": f"round-{round}"})
        assert answer.status_code == 302
        with django_assert_num_queries(15):
            answer = other.browser.post(f"{address}check/", {"side": "ew", "after": 1})
        assert answer.headers["Location"] == f"{address}check/agreed/"
        if round == 1:
            section = rounds.start_next_round(section, after=1, by=alice)


def test_the_same_form_sent_twice_counts_once(section):
    phone = Phone(section, 1, "NS").tap("Enter board 1", "4", "spades", "S South1")
    key = phone.find("= +420")
    sent = dict([*key.form.hidden, key.sent])

    for _ in range(2):
        phone.open(key.form.action, sent)

    assert Result.objects.count() == 1
    assert "East-West: is this right?" in phone.text


def test_a_form_of_an_old_page_is_refused_and_shows_what_stands(section):
    one, other = Phone(section, 1, "NS"), Phone(section, 1, "NS")
    other.tap("Enter board 1", "4", "spades", "S South1")
    one.enter(1, FOUR_SPADES)

    other.tap("−1")

    assert other.page.status_code == 409
    assert "Another player has entered this board meanwhile." in other.text
    assert stands(section) == FOUR_SPADES


def test_what_no_table_can_have_had_is_refused(section):
    phone = Phone(section, 1, "NS").tap("Enter board 1", "4", "spades", "S South1")
    sent = dict(phone.find("= +420").form.hidden) | {"tricks": "14"}

    phone.open(phone.find("= +420").form.action, sent)

    assert phone.page.status_code == 422
    assert stands(section) is None


def test_the_lead_is_asked_for_where_the_club_wants_it(section):
    with_phones(section, asks_lead=True)
    phone = Phone(section, 1, "NS")

    phone.tap("Enter board 1", "4", "spades", "S South1", "diamonds", "K", "= +420")

    assert stands(section) == {**FOUR_SPADES, "lead": "DK"}
    assert phone.taps == 7


def test_german_keys_have_german_letters(section):
    phone = Phone(section, 1, "NS")
    phone.browser = Client(headers={"Accept-Language": "de"})
    phone.scan(1)
    whose = next(key for key in phone.keys if key.form and key.sent is None)
    phone.tap(whose.text)
    phone.open(reverse("table-board", args=[section.code, 1, section.plays.first().pk]))

    letters = [key.text for key in phone.keys if key.sent and key.sent[0] == "strain"]
    seats = [key.text.split()[0] for key in phone.keys if key.sent and key.sent[0] == "by"]
    assert letters == ["T", "K", "C", "P", "SA"]
    assert seats == ["N", "O", "S", "W"]


def test_of_couples_at_a_table_the_phone_names_each_one():
    section = SectionFactory()
    by = director_of(section.club)
    couples = [(f"Ernst {name}", f"Wilma {name}") for name in ("Brown", "Klein", "Ott", "Frey")]
    entries.add_pairs(section, couples, by=by)
    section = movement.choose_movement(section, "howell", boards_per_round=2, by=by)
    section = rounds.start_next_round(section, after=0, by=by)

    for table in (1, 2):
        for board in BoardsAtTable(section, table, phone_settings_of(section)).boards:
            assert sorted(name[:3] for name in board.names.values()) == ["E. ", "E. ", "W. ", "W. "]
            assert len(set(board.names.values())) == 4


@pytest.mark.parametrize(
    ("name", "marked"),
    [
        ("Müller-Lüdenscheidt", "Müller-Lüden|scheidt"),
        ("Annegret Lüdenscheidt", "Anne|gret Lüden|scheidt"),
        ("Weber", "Weber"),
    ],
)
def test_a_long_name_may_be_broken_in_each_of_its_parts_and_at_its_own_hyphen(name, marked):
    with translation.override("de"):
        assert with_soft_hyphens(name).replace("\u00ad", "|") == marked
