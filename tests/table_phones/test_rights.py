"""A table's secret opens that table of that session, to those who play there; and nothing else."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from bridgebuddy.events.services.play import rounds
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.services.reminders import store_reminder
from bridgebuddy.scoring.services.results import EnteredResult, enter_results
from bridgebuddy.table_phones import access
from bridgebuddy.table_phones.models import DirectorCall, PhoneHolder, ResultClaim
from bridgebuddy.table_phones.queries.phones import phone_settings_of
from bridgebuddy.table_phones.secrets import digits_of, secret_of
from bridgebuddy.table_phones.services import phone_settings
from tests.factories import section_with

from .tapping import Phone, with_phones
from .test_entering import FOUR_SPADES, ONE_DOWN

pytestmark = pytest.mark.django_db
CLOSED = 403


def asked_of(section, table):
    """Yield every address of a table, with the data for a change."""
    play = section.plays.filter(table=table).first()
    said = {"side": "ns", "after": 0, "passed": 1, "version": "ns", "why": "call"}
    said["who"] = section.entries.first().pk
    at, board = [section.code, table], [section.code, table, play.pk]
    return [
        (reverse("table", args=at), None),
        *((reverse(name, args=at), said) for name in ("table-who", "table-call", "table-swap")),
        *((reverse(name, args=board), None) for name in ("table-board", "table-yes")),
        *(
            (reverse(name, args=board), said)
            for name in (
                "table-board",
                "table-yes",
                "table-choose",
                "table-exchange",
                "table-cards",
            )
        ),
        (reverse("table-check", args=[*board, "agreed"]), None),
    ]


def answers(phone, section, table):
    return {
        (
            phone.browser.get(address) if sent is None else phone.browser.post(address, sent)
        ).status_code
        for address, sent in asked_of(section, table)
    }


def test_a_secret_opens_its_table_and_no_other_table_session_or_section(section, club, alice):
    other = section_with(10, "mitchell", round=1, club=club, by=alice)
    phone = Phone(section, 1, "NS")

    assert phone.table(1).page.status_code == 200
    assert answers(phone, section, 2) == {CLOSED}
    assert answers(phone, other, 1) == {CLOSED}
    assert answers(Phone(section), section, 1) == {CLOSED}
    assert not Result.objects.exists()
    assert not ResultClaim.objects.exists()
    assert not DirectorCall.objects.exists()


def test_a_secret_of_another_table_is_wrong(section):
    secret = secret_of(section, 2, phone_settings_of(section))

    phone = Phone(section).open(reverse("table-join", args=[section.code, 1, secret]))

    assert phone.page.status_code == CLOSED
    assert phone.table(1).page.status_code == CLOSED


NO_COOKIES = "This browser keeps no cookies, so this table cannot be opened in it."


def test_a_browser_that_keeps_no_cookies_is_told_so_by_the_first_page_after_the_card(section):
    secret = secret_of(section, 1, phone_settings_of(section))
    scanned = Client().get(reverse("table-join", args=[section.code, 1, secret]))

    without = Client().get(scanned.headers["Location"])
    with_cookies = Phone(section).scan(1)

    assert without.status_code == CLOSED
    assert NO_COOKIES in without.content.decode()
    assert with_cookies.page.status_code == 200
    assert with_cookies.address == reverse("table", args=[section.code, 1])
    assert NO_COOKIES not in Phone(section).table(1).text  # whose phone has scanned no card


def test_where_slips_are_used_no_phone_enters(section):
    phone = Phone(section, 1, "NS")
    with_phones(section, mode="none")

    assert answers(phone, section, 1) == {CLOSED}


def test_four_digits_open_the_table_and_many_wrong_ones_are_heard_slowly(section, monkeypatch):
    monkeypatch.setattr(access, "DIGITS_OF_TABLE", access.AttemptLimit("tried", 3, 600))
    right = digits_of(section, 1, phone_settings_of(section))
    address = reverse("table-digits", args=[section.code, 1])
    wrong = f"{(int(right) + 1) % 10**4:04}"

    said = [Client().post(address, {"digits": wrong}).status_code for _ in range(5)]

    assert said == [CLOSED, CLOSED, CLOSED, CLOSED, 429]
    answer = Client().post(address, {"digits": right})  # nobody learns that it is right
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "20")
    other = digits_of(section, 2, phone_settings_of(section))
    at_another = reverse("table-digits", args=[section.code, 2])
    assert Client().post(at_another, {"digits": f"{other[:2]} {other[2:]}"}).status_code == 302
    monkeypatch.setattr(access, "ONE_IN_A_WHILE", access.AttemptLimit("a while later", 1, 20))
    assert Client().post(address, {"digits": right}).status_code == 302


def test_digits_tried_from_everywhere_ring_at_the_desk(section, monkeypatch, alice, signed_in):
    monkeypatch.setattr(access, "DIGITS_OF_ALL", access.AttemptLimit("from anywhere", 3, 600))
    address = reverse("table-digits", args=[section.code, 1])
    wrong = f"{(int(digits_of(section, 1, phone_settings_of(section))) + 1) % 10**4:04}"

    for network in range(3):
        Client(REMOTE_ADDR=f"192.0.2.{network}").post(address, {"digits": wrong})

    desk = signed_in(alice).get(reverse("desk", args=[section.code])).content.decode()
    assert "Wrong digits are being entered for this table." in desk
    phone = Phone(section, 1, "NS")
    assert phone.has("Call the director")
    phone.tap("Call the director")
    assert [call.why for call in DirectorCall.objects.all()] == ["call"]


def test_a_phone_is_whose_it_said_until_the_director_lets_it_be_anothers(section, alice, signed_in):
    Phone(section, 2, "NS").enter(4, FOUR_SPADES).tap("Yes, that is right")
    phone = Phone(section, 1, "NS").enter(1, FOUR_SPADES)
    other = section.plays.filter(round=1, table=2).first()

    phone.scan(2)
    assert "In this round you sit at table 1." in phone.text
    phone.open(f"{reverse('table', args=[section.code, 2])}?who={other.ew_id}")
    assert "+620" not in phone.text
    phone.tap("Somebody else’s phone?", "EW")
    assert "The director is asked to confirm the owner of this phone." in phone.text
    assert "+620" not in phone.text

    desk = signed_in(alice)
    assert (
        "the phone shows their results"
        in desk.get(reverse("desk", args=[section.code])).content.decode()
    )
    key = PhoneHolder.objects.get(wants=other.ew_id).pk
    desk.post(reverse("let-phone", args=[section.code, key]), {"do": "let"})
    assert "+620" in phone.table(2).text
    assert "The director is asked" not in phone.text


def test_whose_a_phone_is_can_be_said_anew_until_it_was_shown_a_result(section):
    phone = Phone(section, 1, "EW").tap("Somebody else’s phone?", "NS")

    phone.enter(1, FOUR_SPADES)

    assert "East-West: is this right?" in phone.text
    assert not PhoneHolder.objects.exclude(wants=None).exists()


def test_results_are_shown_to_the_first_phone_of_a_pair_and_to_others_when_the_director_lets(
    section, alice, signed_in
):
    first, second = Phone(section, 1, "NS"), Phone(section, 1, "NS")
    stays = Phone(section, 1, "Leave the phone at this table")
    first.enter(1, FOUR_SPADES)
    play = section.plays.get(round=1, table=1, board=1)

    for phone in (second, stays):
        for name, more in (("table", []), ("table-board", [play.pk]), ("table-yes", [play.pk])):
            phone.open(reverse(name, args=[section.code, 1, *more]))
            assert "+420" not in phone.text
    second.table(1).enter(2, ONE_DOWN)
    assert "1 down" in second.text  # what it has said itself
    second.table(1).tap("Ask the director to show results here too")
    key = PhoneHolder.objects.exclude(wants=None).get().pk
    signed_in(alice).post(reverse("let-phone", args=[section.code, key]), {"do": "let"})
    assert "+420" in second.table(1).text


def test_who_has_moved_on_sees_nothing_of_the_next_round_at_the_table_they_left(section, alice):
    """They are still to play those boards."""
    stays, moves = Phone(section, 1, "NS"), Phone(section, 1, "EW")
    for number in (1, 2, 3):
        stays.table(1).enter(number, {"passed": True})
    section = rounds.start_next_round(section, after=1, by=alice)
    board = section.plays.filter(round=2, table=1).first()
    stays.table(1).enter(board.board, FOUR_SPADES).tap("Yes, that is right")

    moves.table(1)

    assert "In this round you sit at table 2." in moves.text
    assert "spades" not in moves.text
    for name in ("table-board", "table-yes"):
        address = reverse(name, args=[section.code, 1, board.pk])
        assert moves.browser.get(address).status_code == 404
        assert moves.browser.post(address, {"side": "ew", "after": 1}).status_code == 404


def test_of_a_round_that_is_taken_back_a_form_is_kept_and_nothing_is_agreed(section, alice):
    north, east = Phone(section, 1, "NS"), Phone(section, 1, "EW")
    play = section.plays.filter(round=1, table=1).first()
    address = reverse("table-board", args=[section.code, 1, play.pk])
    rounds.take_back_round(section, round=1, by=alice)

    sent = north.browser.post(address, FOUR_SPADES | {"side": "ns", "after": 0})

    assert sent.headers["Location"] == reverse("table", args=[section.code, 1])
    assert Result.objects.get(play=play).outcome == FOUR_SPADES
    yes = {"side": "ew", "after": 1}
    assert east.browser.post(f"{address}check/", yes).status_code == 404
    assert not ResultClaim.objects.filter(play=play).exists()


def test_a_table_that_has_the_board_at_the_same_time_hears_of_no_result(section):
    phone = Phone(section, 1, "NS").enter(1, FOUR_SPADES).tap("Yes, that is right")
    phone.tap("See the results of board 1")
    assert "of 1 result so far" in phone.text

    play = section.plays.get(round=1, table=1, board=1)
    section.plays.filter(round=1, table=2, board=4).update(board=1)  # it shares the board
    phone.open(reverse("table-yes", args=[section.code, 1, play.pk]))

    assert "Board 1 is saved" in phone.text
    assert "so far" not in phone.text


def test_a_poll_that_brings_no_news_asks_two_queries_of_who_was_let_in_by_todays_secret(
    section, alice, django_assert_num_queries
):
    phone, stranger = Phone(section, 1, "NS"), Phone(section, 2, "NS")
    address = reverse("table", args=[section.code, 1])
    shown = polled(phone)
    htmx = {"HX-Request": "true"}

    with django_assert_num_queries(2):
        assert phone.browser.get(address + shown, headers=htmx).status_code == 204
    assert phone.browser.get(address + shown).status_code == 200  # opened, not polled
    assert stranger.browser.get(address + shown, headers=htmx).status_code == CLOSED
    assert Client().get(address + shown, headers=htmx).status_code == CLOSED
    phone.browser.post(address.replace("/1/", "/1/call/"), {"why": "call"})
    assert phone.browser.get(address + shown, headers=htmx).status_code == 200
    shown = polled(phone)
    phone_settings.renew_secrets(section, by=alice)
    assert phone.browser.get(address + shown, headers=htmx).status_code == CLOSED


def polled(phone, table=1):
    """Return the data with which a table's page polls."""
    return (
        "?v=" + re.findall(r'data-version="([^"]+)"', phone.table(table).page.content.decode())[0]
    )


def news(phone, shown, table=1):
    """Return whether a table's poll brings news."""
    address = reverse("table", args=[phone.section.code, table])
    answer = phone.browser.get(address + shown, headers={"HX-Request": "true"})
    assert answer.status_code in (200, 204)
    return answer.status_code == 200


def test_what_comes_in_at_another_table_is_no_news_for_a_table(section, django_assert_num_queries):
    phone, other = Phone(section, 1, "NS"), Phone(section, 2, "NS")
    shown = polled(phone)

    other.enter(4, FOUR_SPADES)
    with django_assert_num_queries(3):
        assert not news(phone, shown)
    Phone(section, 2, "EW").table(2).tap("Yes, that is right")
    other.browser.post(reverse("table-call", args=[section.code, 2]), {"why": "call"})

    assert not news(phone, shown)


def test_whatever_changes_at_a_table_is_news_there(section, alice):
    phone, theirs = Phone(section, 1, "NS"), Phone(section, 1, "EW")
    play = section.plays.get(round=1, table=1, board=1)

    def is_news(change):
        shown = polled(phone)
        change()
        return news(phone, shown) and not news(phone, polled(phone))

    def sent(name, **said):
        return lambda: phone.browser.post(reverse(name, args=[section.code, 1]), said)

    assert is_news(lambda: phone.enter(1, FOUR_SPADES))
    assert is_news(lambda: theirs.table(1).tap("Yes, that is right"))
    assert is_news(lambda: enter_results(section, [EnteredResult(play.pk, ONE_DOWN)], by=alice))
    assert is_news(sent("table-call", why="call"))
    assert is_news(sent("table-call", why="people"))
    assert is_news(sent("table-call", do="back"))
    assert is_news(sent("table-swap"))
    assert is_news(lambda: store_reminder(section, 1, 1, by=alice))
    assert is_news(lambda: rounds.start_next_round(section, after=1, by=alice))


#: what every board is entered with says all tricks there are
KEYS = "9 tricks 10 tricks 11 tricks"


def test_with_the_sessions_code_alone_a_phone_is_shown_no_more_than_it_has_entered(section):
    with_phones(section, mode="any")
    ours, liar = Phone(section).table(1).tap("NS"), Phone(section).table(1).tap("EW")
    ours.enter(1, FOUR_SPADES).tap("Yes, that is right")
    play = section.plays.get(round=1, table=1, board=1)

    for name in ("table", "table-board", "table-yes"):
        rest = [] if name == "table" else [play.pk]
        liar.open(reverse(name, args=[section.code, 1, *rest]))
        assert "+420" not in liar.text
        assert "10 tricks" not in liar.text.replace(KEYS, "")
    assert "so far" not in ours.text


def test_a_wrong_code_is_counted_as_on_every_page(db):
    codes = [f"ABC{letter}{other}Q" for letter in "DEFGHJKLM" for other in "DEFGHJKLM"]

    assert {Client().get(f"/p/{code}/table/1/").status_code for code in codes} == {404, 429}


def test_a_phone_that_has_scanned_a_card_goes_on_whatever_others_in_its_network_type(section):
    phone = Phone(section, 1, "NS")
    for number in range(70):
        Client().get(f"/p/ABC{number:02}Q/")
    assert Client().get(f"/p/{section.code}/table/1/").status_code == 429

    assert phone.table(1).page.status_code == 200
    assert phone.has("Enter board 1")


def test_other_tables_results_wait_until_the_boards_number_is_confirmed(section):
    boards = list(section.plays.filter(round=1, table=1).order_by("board"))
    phone = Phone(section, 1, "NS")

    phone.enter(boards[1].board, FOUR_SPADES).tap("Yes, that is right")  # it was board 1

    assert "so far" not in phone.text
    assert phone.has(f"See the results of board {boards[1].board}")
    for board in [boards[0], *boards[2:]]:
        phone.enter_quickly(board, ONE_DOWN).tap("Yes, that is right")
    assert "so far" in phone.text  # no board is left with which it may have been mistaken
