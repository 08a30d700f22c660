"""A phone's messages: answered under their own key, in every state of the session."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from bridgebuddy.scoring.models import Result
from bridgebuddy.table_phones.models import DirectorCall, SwappedSeats
from bridgebuddy.table_phones.services import phone_settings
from tests.factories import section_with

from .tapping import Phone, with_phones

pytestmark = pytest.mark.django_db
KEY = "0123456789abcdef"
SAID = {"side": "ns", "after": 0, "contract": "4S", "declarer": "S", "tricks": 10, "key": KEY}


@pytest.fixture
def phone(section):
    """A phone at table 1 that keeps whether forms have a token."""
    found = Phone(section)
    found.browser = Client(enforce_csrf_checks=True)
    section.refresh_from_db()
    found.scan(1)
    other = Phone(section, 1, "NS")
    found.browser.cookies = other.browser.cookies
    return found


def board(section, place=0):
    return section.plays.filter(round=1, table=1, taken_back_at=None)[place]


def send(phone, name="table-board", *rest, said=SAID, key=KEY, **headers):
    address = reverse(name, args=[phone.section.code, 1, *rest])
    return phone.browser.post(address, said, headers={"X-Letter": key, **headers})


def test_a_letter_is_answered_under_its_key_and_counts_once_without_a_forms_token(phone, section):
    play = board(section)
    to = reverse("table-check", args=[section.code, 1, play.pk, "stored"])

    answers = [send(phone, "table-board", play.pk) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert [answer.json() for answer in answers] == [{"letter": KEY, "to": to}] * 2
    assert [result.number for result in Result.objects.filter(play=play)] == [1]


def test_a_form_needs_its_token(phone, section):
    address = reverse("table-board", args=[section.code, 1, board(section).pk])

    assert phone.browser.post(address, SAID).status_code == 403
    assert phone.browser.post(f"{address}check/", {"side": "ew", "after": 0}).status_code == 403
    for name in ("table-call", "table-swap", "table-who"):
        assert phone.browser.post(reverse(name, args=[section.code, 1])).status_code == 403
    assert not Result.objects.exists()


def ends(section):
    Section.objects.filter(pk=section.pk).update(code_ends_at=timezone.now())


def is_gone(section):
    Section.objects.filter(pk=section.pk).update(code="GONE22")


SCAN = "The result was not sent. Scan the card of table 1 again to send it."
SLIPS = "This session uses score slips. Write the result on your table’s slip."


@pytest.mark.parametrize(
    ("happens", "status", "words"),
    [
        (lambda section: phone_settings.renew_secrets(section, by=None), 403, SCAN),
        (lambda section: with_phones(section, mode="none"), 403, SLIPS),
        (ends, 410, "The session is over: tell the director."),
        (is_gone, 404, "This session no longer exists. Tell the director."),
    ],
)
def test_a_letter_that_cannot_be_taken_says_why_and_what_to_do(
    phone, section, happens, status, words
):
    happens(section)

    answer = send(phone, "table-board", board(section).pk)

    assert (answer.status_code, answer.json()) == (status, {"letter": KEY, "words": words})
    assert not Result.objects.exists()


def test_a_letter_of_a_phone_that_has_lost_its_cookie_asks_for_the_card(phone, section):
    phone.browser.cookies.clear()

    answer = send(phone, "table-board", board(section).pk)

    assert (answer.status_code, answer.json()["words"]) == (403, SCAN)


def test_a_letter_about_another_pairs_board_is_told_so(phone, section):
    play = section.plays.filter(round=1, table=2).first()

    answer = send(phone, "table-board", play.pk)

    assert answer.status_code == 404
    assert answer.json()["words"].startswith("This phone’s owner no longer plays the board")


def test_what_no_table_can_have_had_is_said_in_words(phone, section):
    answer = send(phone, "table-board", board(section).pk, said=SAID | {"lead": "XX"})

    assert answer.status_code == 422
    words = "Your entry did not arrive completely. Tap it again."
    assert answer.json() == {"letter": KEY, "words": words}


def test_a_yes_to_what_does_not_stand_any_more_is_told_so(phone, section):
    play = board(section)
    send(phone, "table-board", play.pk)

    answer = send(phone, "table-yes", play.pk, said={"side": "ew", "after": 7}, key="yes")

    assert answer.status_code == 409
    words = "Another player has entered this board meanwhile. This is the current result."
    assert answer.json() == {"letter": "yes", "words": words}


def test_chairs_are_exchanged_once_however_often_the_letter_comes(phone):
    answers = [send(phone, "table-swap", said={}, key="swap") for _ in range(2)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert SwappedSeats.objects.count() == 1


def test_a_call_calls_once_and_not_when_its_round_is_over(phone, section, alice):
    for key in ("one", "one", "two"):
        send(phone, "table-call", said={"why": "call", "round": 1}, key=key)
    assert DirectorCall.objects.count() == 1
    DirectorCall.objects.update(taken_at=timezone.now())
    send(phone, "table-call", said={"why": "call", "round": 1}, key="one")
    rounds.start_next_round(section, after=1, by=alice)

    answer = send(phone, "table-call", said={"why": "call", "round": 1}, key="three")

    assert answer.json()["letter"] == "three"
    assert not DirectorCall.objects.filter(taken_at=None).exists()


def test_a_board_of_the_next_round_waits_for_it_and_goes_where_it_is_played(phone, section, alice):
    kept = phone.browser.get(reverse("table-pads", args=[section.code, 1])).json()
    later = [address for address in kept["pads"] if "/round/2/" in address]
    assert len(later) == 3
    assert all(address in kept["coming"] for address in later)
    number = int(later[0].split("/")[-2])
    headers = {"X-Letter": KEY}

    early = phone.browser.post(later[0], SAID, headers=headers)
    section = rounds.start_next_round(section, after=1, by=alice)
    sent = phone.browser.post(later[0], SAID | {"late": 1}, headers=headers)

    assert (early.status_code, early.json()["letter"]) == (425, KEY)
    assert sent.json()["letter"] == KEY
    result = Result.objects.get()
    assert (result.play.round, result.play.board) == (2, number)
    assert result.outcome["contract"] == "4S"


@pytest.mark.parametrize("size", [16, 12])
def test_all_boards_of_this_round_and_the_next_are_handed_over(club, alice, size):
    section = section_with(10, "mitchell", round=1, boards_per_round=size, club=club, by=alice)
    phone = Phone(with_phones(section), 1, "NS")

    kept = phone.browser.get(reverse("table-pads", args=[section.code, 1])).json()

    assert sum("/round/2/" in address for address in kept["pads"]) == size
    assert len(kept["pads"]) == 2 * size
    assert kept["coming"].count("data-coming=") == size


def test_a_board_of_a_round_that_never_comes_is_told_that_the_session_is_over(
    phone, section, alice
):
    kept = phone.browser.get(reverse("table-pads", args=[section.code, 1])).json()["pads"]
    later = next(address for address in kept if "/round/2/" in address)
    rounds.finish_session(section, round=1, by=alice)

    answer = phone.browser.post(later, SAID | {"late": 1}, headers={"X-Letter": KEY})

    words = "The session is over: tell the director."
    assert (answer.status_code, answer.json()) == (410, {"letter": KEY, "words": words})


def test_a_board_of_a_round_that_the_plan_has_no_more_is_told_so(phone, section):
    address = reverse("table-coming", args=[section.code, 1, section.rounds + 1, 1])

    answer = phone.browser.post(address, SAID, headers={"X-Letter": KEY})

    assert answer.status_code == 404
    assert "Tell the director" in answer.json()["words"]


def test_a_phone_that_moves_finds_its_own_boards_of_the_next_round(section, alice):
    moves = Phone(section, 1, "EW")
    kept = moves.browser.get(reverse("table-pads", args=[section.code, 1])).json()["pads"]
    later = next(address for address in kept if "/round/2/" in address)
    rounds.start_next_round(section, after=1, by=alice)

    answer = moves.browser.post(later, SAID | {"side": "ew"}, headers={"X-Letter": KEY})

    assert answer.status_code == 200
    play = Result.objects.get().play
    assert (play.round, play.table) == (2, 2)


def test_a_board_that_the_plan_has_no_more_is_told_so(phone, section, alice):
    rounds.start_next_round(section, after=1, by=alice)
    address = reverse("table-coming", args=[section.code, 1, 2, 99])

    answer = phone.browser.post(address, SAID, headers={"X-Letter": KEY})

    assert answer.status_code == 404
    assert "Tell the director" in answer.json()["words"]
