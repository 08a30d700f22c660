"""Slow tables, and the director's reminder on both pairs' phones."""

import pytest
from django.urls import reverse

from bridgebuddy.events.errors import RoundMovedOn
from bridgebuddy.events.services.play.rounds import start_next_round
from bridgebuddy.scoring.errors import NoPlay
from bridgebuddy.scoring.models import TableReminder
from bridgebuddy.scoring.services.reminders import store_reminder
from bridgebuddy.scoring.services.results import enter_result
from tests.factories import director_of, section_with

pytestmark = pytest.mark.django_db
WORD = "The director asks you to play on"


@pytest.fixture
def section():
    """Four tables of which the last has one result, and the others all three."""
    section = section_with(8, "howell", round=1)
    for play in section.plays.exclude(table=4, board__gt=section.plays.filter(table=4)[0].board):
        enter_result(section, play.pk, {"passed": True}, by=None)
    section.refresh_from_db()
    return section


def page(browser, section):
    return browser.get(reverse("results", args=[section.code])).content.decode()


def phones(client, section):
    """Return the labels of the phones that show the reminder."""
    return {
        slug
        for slug in map(str, range(1, 9))
        if WORD in client.get(f"/p/{section.code}/{slug}/").content.decode()
    }


def test_who_is_behind_is_told_and_reminded_on_both_phones(director, client, section):
    text = page(director, section)
    assert text.count("behind the others") == 1
    assert "Remind table 4" in text
    shown = section.shown

    answer = director.post(reverse("remind-table", args=[section.code, 4]), {"round": 1})

    assert answer["Location"] == reverse("results", args=[section.code])
    assert "reminded" in page(director, section)
    section.refresh_from_db()
    assert (section.shown, section.plan) == (shown + 1, section.plan)
    game = section.plays.filter(table=4).first()
    sitting = {str(game.ns.contestant), str(game.ew.contestant)}
    assert phones(client, section) == sitting
    start_next_round(section, after=1, by=None)
    assert phones(client, section) == set()


def test_where_all_are_as_far_nobody_is_slow(client):
    section = section_with(8, "howell", round=1)
    client.force_login(director_of(section.club))
    assert "behind the others" not in page(client, section)


def test_another_round_and_a_table_where_nobody_plays_are_refused(section):
    with pytest.raises(RoundMovedOn):
        store_reminder(section, 2, 4, by=None)
    with pytest.raises(NoPlay):
        store_reminder(section, 1, 9, by=None)
    assert not TableReminder.objects.exists()


def test_nobody_else_reminds(client, section):
    client.force_login(director_of(section_with(8, "howell", round=1).club))
    address = reverse("remind-table", args=[section.code, 4])
    assert client.post(address, {"round": 1}).status_code == 404
    assert not TableReminder.objects.exists()


def test_a_table_that_sits_there_is_asked_about_a_doubtful_result(director, client, section):
    play = section.plays.filter(table=4).first()
    enter_result(section, play.pk, {"contract": "7NTxx", "declarer": "N", "tricks": 0}, by=None)
    look_at = reverse("look-at", args=[section.code])
    assert director.get(look_at).content.decode().count("Ask the table") == 1

    asked = {"round": 1, "board": play.board}
    answer = director.post(reverse("remind-table", args=[section.code, 4]), asked)

    assert answer["Location"] == look_at
    phone = client.get(f"/p/{section.code}/{play.ns.contestant}/").content.decode()
    assert f"is the result of board {play.board} right?" in phone
