"""After the last play of a board a table types its cards, and they are hidden before."""

import pytest
from django.urls import reverse

from bridgebuddy.scoring.models import Deal
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.results.sheets import Traveller
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.scoring.test_tonight import scored_section
from tests.scoring.test_typed_hands import ONE, THREE

from .tapping import Phone, with_phones
from .test_entering import FOUR_SPADES

pytestmark = pytest.mark.django_db


def address_of(section, play):
    return reverse("table-cards", args=[section.code, play.table, play.pk])


def test_a_table_types_the_cards_of_a_board_that_all_have_played():
    section = with_phones(scored_section(rounds=7))
    play = section.plays.filter(round=7).first()
    play.results.all().delete()
    phone = Phone(section, play.table, "NS")

    phone.enter_quickly(play, FOUR_SPADES).tap("Yes, that is right", "Type its cards")
    assert "Type three hands" in phone.text
    wrong = phone.open(address_of(section, play), {**THREE, "ES": "AT5"})
    assert "The A of spades is in two hands: North and East." in wrong.text
    assert Deal.objects.count() == 0
    phone.open(address_of(section, play), THREE)

    assert Deal.objects.values_list("board", "pbn").get() == (play.board, ONE)
    shown = Traveller(ScoredSession(SessionSnapshot(section)), section, play.board).cards
    assert shown is not None
    assert shown.pbn == ONE


def test_what_somebody_will_still_play_and_what_is_known_already_is_not_typed():
    section = with_phones(scored_section(rounds=6))
    to_come = {line.board for line in SessionSnapshot(section).lines if not line.has_begun}
    early = section.plays.filter(round=6, board__in=to_come).first()
    phone = Phone(section, early.table, "Leave the phone at this table")

    said = phone.open(address_of(section, early), THREE)

    assert "This board will still be played" in said.text
    assert Deal.objects.count() == 0
    Deal.objects.create(session=section.session, board=early.board, pbn=ONE)
    again = phone.open(address_of(section, early), {**THREE, "NS": THREE["NS"]})
    assert "Somebody has typed these cards already." in again.text
    assert Deal.objects.count() == 1
