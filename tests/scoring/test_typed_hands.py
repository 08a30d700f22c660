"""Boards dealt by hand: three hands are typed, the fourth follows, and each impossible card is named."""

import pytest
from django.urls import reverse
from django.utils import translation

from bridgebuddy.deals.rules.hands import SUITS, hands_of_deal, suit_holding
from bridgebuddy.scoring.models import Deal
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.results.sheets import Traveller
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.scoring.typed_hands import HandsForm
from tests.factories import director_of
from tests.scoring.test_deals import ONE
from tests.scoring.test_tonight import scored_section

THREE = {
    f"{seat}{suit}": suit_holding(cards, suit)
    for seat, cards in hands_of_deal(ONE).items()
    if seat != "W"
    for suit in SUITS
}


def hands_or_errors(**typed):
    form = HandsForm({**THREE, **typed})
    return form.cleaned_data.get("pbn") if form.is_valid() else form.non_field_errors()


def test_three_hands_are_a_deal():
    assert hands_or_errors() == ONE


def test_small_letters_tens_and_dashes_are_read():
    assert hands_or_errors(NS="a k 8 3", EC="kq3", ES="q 10 5") == ONE


def test_german_letters_are_read():
    with translation.override("de"):
        assert hands_or_errors(ES="D105", SS="B94", ND="AB") == ONE


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ({"NS": "AK8X"}, ["North: “X” is no card.", "North has 12 cards, not 13."]),
        ({"ES": "AT5"}, ["The ace of spades is in two hands: North and East."]),
        ({"NS": "AAK8"}, ["North: ace of spades is entered twice."]),
        ({"NS": "AK83 2"}, ["North has 14 cards, not 13."]),
    ],
)
def test_what_cannot_be_is_said_card_by_card(typed, found):
    told = hands_or_errors(**typed)

    assert [item.replace("A of spades", "ace of spades") for item in told] == found


def test_two_hands_are_too_few():
    empty = {name: "" for name in THREE if name[0] == "N"}

    assert hands_or_errors(**empty) == ["Type three hands; the fourth follows."]


@pytest.mark.django_db
def test_a_director_types_a_board_and_nobody_sees_it_before_all_have_played(client):
    section = scored_section(rounds=2)
    board = next(line.board for line in SessionSnapshot(section).lines if not line.has_begun)
    client.force_login(director_of(section.club))
    address = reverse("type-cards", args=[section.code, board])

    wrong = client.post(address, {**THREE, "NS": "AK8"})
    assert (wrong.status_code, Deal.objects.count()) == (422, 0)
    client.post(address, THREE)

    assert Deal.objects.get().pbn == ONE
    assert Traveller(ScoredSession(SessionSnapshot(section)), section, board).cards is None
    again = client.get(address).content.decode()
    assert 'value="AK83"' not in again
