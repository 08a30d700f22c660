"""The director's pages about tables' phones: doubts, calls, digits."""

import re
from datetime import timedelta

import pytest
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.events.services.play import rounds
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.result_sources import ResultSource
from bridgebuddy.scoring.services.cards.deals import store_deals
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.table_phones.models import DirectorCall, PhoneSettings, ResultClaim, TableLastSeen
from bridgebuddy.table_phones.queries.phones import phone_settings_of
from bridgebuddy.table_phones.secrets import digits_of
from tests.factories import section_with
from tests.players.reading import words

from .tapping import Phone, with_phones
from .test_entering import FOUR_SPADES, ONE_DOWN

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(signed_in, alice):
    return signed_in(alice)


def page(desk, section, name="look-at", **query):
    return desk.get(reverse(name, args=[section.code]), query)


def test_a_table_that_wants_a_board_corrected_too_late_has_its_repair_ready(section, alice, desk):
    phone = Phone(section, 1, "NS").enter(1, FOUR_SPADES).tap("Yes, that is right")
    play = section.plays.get(round=1, table=1, board=1)
    section = rounds.start_next_round(section, after=1, by=alice)
    phone.open(reverse("table-board", args=[section.code, 1, play.pk])).tap("Tricks", "−1")

    shown = page(desk, section)
    assert "Board 1, table 1: the table wants it corrected" in words(shown)
    assert "North-South entered: 4 spades S −1." in words(shown)
    key = next(doubt.key for doubt in shown.context["doubts"] if doubt.kind == "asked")
    desk.post(reverse("results-doubt", args=[section.code]), {"doubt": key, "do": "repair"})

    stands = Result.objects.get(play=play, stands=True)
    assert (stands.outcome, stands.source) == (ONE_DOWN, ResultSource.REPAIR)
    assert "wants it corrected" not in words(page(desk, section))


def test_what_nobody_checked_is_looked_at_once_the_round_is_over(section, alice, desk):
    Phone(section, 1, "NS").enter(1, FOUR_SPADES)

    assert "not checked" not in words(page(desk, section))
    section = rounds.start_next_round(section, after=1, by=alice)

    assert "Round 1, table 1: board 1 was not checked" in words(page(desk, section))


def test_two_versions_are_looked_at_at_once(section, desk):
    theirs = Phone(section, 1, "EW").tap("Enter board 1")
    Phone(section, 1, "NS").enter(1, FOUR_SPADES)
    theirs.say(ONE_DOWN)

    assert "Board 1, table 1: two versions" in words(page(desk, section))


def test_a_lead_that_was_in_another_hand_is_looked_at_and_the_table_is_told_nothing(section, desk):
    with_phones(section, asks_lead=True)
    hands = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    store_deals(section, {1: hands}, by=None)
    phone = Phone(section, 1, "NS").tap("Enter board 1", "4", "spades", "S South1")

    phone.tap("diamonds", "K", "= +420")  # South’s own

    assert Result.objects.get().outcome == {**FOUR_SPADES, "lead": "DK"}
    assert "East-West: is this right?" in phone.text
    assert "K of diamonds is South’s card, and West was to lead." in words(page(desk, section))


def test_a_table_calls_and_somebody_goes(section, desk, signed_in, carol):
    phone = Phone(section, 3, "NS")
    before = page(desk, section, "desk").context["version"]

    phone.tap("Wrong board")

    assert "The director has been called." in phone.text
    polled = desk.get(
        reverse("desk", args=[section.code]), {"v": before}, headers={"HX-Request": "true"}
    )
    assert "Director, table 3 Another board lies there." in words(polled)
    call = DirectorCall.objects.get()
    address = reverse("take-call", args=[section.code, call.pk])
    assert signed_in(carol).post(address).status_code == 404
    desk.post(address, {"to": "results"})
    assert "Director, table 3" not in words(page(desk, section, "results"))
    assert "Call the director" in phone.table(3).text


@pytest.mark.parametrize("name", ["desk", "results"])
def test_calls_end_with_the_session(section, desk, alice, name):
    Phone(section, 3, "NS").tap("Wrong board")
    assert "Director, table 3" in words(page(desk, section, name))

    rounds.finish_session(section, round=1, by=alice)

    assert "Director, table 3" not in words(page(desk, section, name))


def test_a_board_with_something_wrong_calls_by_itself(section):
    Phone(section, 2, "NS").tap("Enter board 4", "Not played", "Something is wrong with the board")

    assert [(call.table, call.board, call.why) for call in DirectorCall.objects.all()] == [
        (2, 4, "broken")
    ]


def poll(desk, section, name, version):
    address = reverse(name, args=[section.code])
    return desk.get(address, {"v": version}, headers={"HX-Request": "true"})


def tile(page, table):
    """Return the desk's words about a table."""
    match = re.search(rf'<article[^>]*id="table-{table}".*?</article>', page.content.decode(), re.S)
    return " ".join(re.sub(r"<[^>]+>", " ", match[0]).split())


def test_two_versions_are_told_at_their_table_on_the_desk(section, alice, desk):
    theirs = Phone(section, 1, "EW").tap("Enter board 1")
    phone = Phone(section, 1, "NS").enter(1, FOUR_SPADES)
    assert "two versions" not in words(page(desk, section, "desk"))
    theirs.say(ONE_DOWN)

    shown = page(desk, section, "desk", table=1)
    assert "Board 1: two versions" in tile(shown, 1)
    assert words(shown).count("two versions") == 1
    assert "Look at both versions" in words(shown)
    assert "Board 1 two versions" in words(page(desk, section, "results"))
    theirs.tap("NS")  # they give way
    assert "versions" not in words(page(desk, section, "desk", table=1))

    theirs.table(1).tap("Enter board 2")
    phone.table(1).enter(2, FOUR_SPADES)
    theirs.say(ONE_DOWN)
    assert "Board 2: two versions" in tile(page(desk, section, "desk"), 1)
    rounds.start_next_round(section, after=1, by=alice)  # what is left lies in Look at
    assert "two versions" not in words(page(desk, section, "desk"))


def test_a_silent_phone_is_told_at_its_table_when_the_others_are_ahead(section, desk):
    phones = {table: Phone(section, table, "NS") for table in range(1, 6)}
    for table in (1, 2, 3):
        phones[table].tap("Enter board").say(FOUR_SPADES)
    before = {name: page(desk, section, name).context["version"] for name in ("desk", "results")}
    since = timezone.now() - timedelta(minutes=5)
    TableLastSeen.objects.filter(table=4).update(at=since + timedelta(minutes=2))
    assert "not heard of" not in words(page(desk, section, "desk"))

    TableLastSeen.objects.filter(table__in=(1, 4)).update(
        at=since
    )  # the phone of table 1 only sleeps

    told = f"phone not heard from since {timezone.localtime(since):%H:%M}"
    for name, version in before.items():
        polled = poll(desk, section, name, version)
        assert words(polled).count(told) == 1
        assert poll(desk, section, name, polled.context["version"]).status_code == 204
    assert told in tile(page(desk, section, "desk"), 4)
    shown = page(desk, section, "desk").context["version"]
    phones[4].table(4)
    assert "not heard of" not in words(poll(desk, section, "desk", shown))
    assert TableLastSeen.objects.filter(table=5).exists()  # behind too, and heard of


def test_the_digits_are_shown_and_other_ones_open_nothing_of_before(section, desk):
    digits, phone = digits_of(section, 1, phone_settings_of(section)), Phone(section, 1, "NS")
    assert digits in words(page(desk, section, "phones"))
    assert f"for a phone that cannot scan: {digits}" in words(page(desk, section, "desk", table=1))
    assert digits in words(desk.get(f"/s/{section.code}/print/table-cards.html"))

    desk.post(reverse("renew-secrets", args=[section.code]))

    assert digits not in words(page(desk, section, "phones"))
    assert "Four digits of the table" in phone.table(1).text


def test_without_a_secret_no_digits_are_shown(section, desk):
    with_phones(section, mode="any")

    assert "for a phone that cannot scan" not in words(page(desk, section, "desk", table=1))
    assert "Digits" not in words(desk.get(f"/s/{section.code}/print/table-cards.html"))


def test_what_is_chosen_is_what_the_clubs_later_sessions_begin_with(
    section, club, alice, desk, carol
):
    before, later = section_with(6), section_with(10, "mitchell", club=club, by=alice)
    chosen = {"mode": "any", "agreement": "double", "feedback": "none", "asks_lead": "on"}

    desk.post(reverse("phones", args=[section.code]), chosen)

    settings = phone_settings_of(later)
    assert (settings.mode, settings.agreement, settings.feedback, settings.asks_lead) == (
        "any",
        "double",
        "none",
        True,
    )
    assert phone_settings_of(before).mode == "none"  # another club's
    assert PhoneSettings.objects.get().session_id == section.session_id


def test_the_end_names_the_tables_whose_phones_may_still_hold_results(section, alice, desk):
    words_of = "Results of table 2 may still be on its phone."
    Phone(section, 1, "NS").enter(1, FOUR_SPADES)
    assert "may still be on" not in words(page(desk, section, "desk"))
    while not section.is_last_round:
        section = rounds.start_next_round(section, after=section.round, by=alice)
    for play in section.plays.filter(Q(table=1) | Q(round__lt=section.round)):
        enter_result(section, play.pk, {"passed": True}, by=alice)
    Phone(section, 2, "NS")

    assert words_of in words(page(desk, section, "desk"))
    assert words_of in words(page(desk, section, "ranking"))
    section = rounds.finish_session(section, round=section.round, by=alice)
    assert words_of in words(page(desk, section, "desk"))
    for play in section.plays.filter(table=2).exclude(results__stands=True):
        enter_result(section, play.pk, {"pending": True}, by=alice)
    assert "may still be on" not in words(page(desk, section, "desk"))
    assert "may still be on" not in words(page(desk, section, "ranking"))


SAME_PHONE = "All confirmed on the same phone"


def confirm_all(entering, confirming):
    """Enter all boards of round 1 on one phone, and say yes to each on another or the same."""
    plays = entering.section.plays.filter(round=1, table=1).order_by("board")
    for play in plays:
        entering.table(1).enter_quickly(play, FOUR_SPADES)
        if confirming is not entering:
            check = reverse("table-yes", args=[entering.section.code, 1, play.pk])
            confirming.open(check)
        confirming.tap("Yes, that is right")


def told_at(desk, section):
    """Return the tables at which, by the desk and by the page of the round, one phone has entered all results."""
    of_round = page(desk, section, "results")
    told = SAME_PHONE in words(of_round)
    assert told == (1 in of_round.context["this"].tables_confirmed_by_same_phone)
    tables = [
        table for table in (1, 2) if SAME_PHONE in words(page(desk, section, "desk", table=table))
    ]
    assert tables == ([1] if told else [])
    return tables


def test_the_director_is_told_where_one_phone_has_answered_for_both_sides(section, desk):
    phone = Phone(section, 1, "NS")
    plays = section.plays.filter(round=1, table=1).order_by("board")
    assert plays.count() == 3

    for number, play in enumerate(plays, start=1):
        phone.table(1).enter_quickly(play, FOUR_SPADES)
        assert told_at(desk, section) == []
        phone.tap("Yes, that is right")
        assert told_at(desk, section) == ([1] if number == 3 else [])
    assert SAME_PHONE not in words(page(desk, section, "desk"))


def test_a_yes_from_a_phone_of_the_other_side_is_not_told(section, desk):
    confirm_all(Phone(section, 1, "NS"), Phone(section, 1, "EW"))

    assert ResultClaim.objects.values("phone").distinct().count() == 2
    assert told_at(desk, section) == []


def test_a_result_of_the_director_among_those_of_one_phone_is_not_told_as_theirs(section, desk):
    phone = Phone(section, 1, "NS")
    confirm_all(phone, phone)
    assert told_at(desk, section) == [1]

    enter_result(section, section.plays.get(round=1, table=1, board=2).pk, ONE_DOWN, by=None)

    assert told_at(desk, section) == []


def test_the_director_is_told_of_one_phone_in_german(section, desk):
    phone = Phone(section, 1, "NS")
    confirm_all(phone, phone)

    shown = desk.get(reverse("results", args=[section.code]), headers={"accept-language": "de"})

    assert "Alle am selben Handy bestätigt" in words(shown)
