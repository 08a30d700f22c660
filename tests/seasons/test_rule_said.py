"""A championship's rule in complete sentences, and a form's refusals."""

import pytest
from django.urls import reverse

from bridgebuddy.seasons.models import Championship
from bridgebuddy.seasons.words import rule_text
from tests.factories import EventFactory

pytestmark = pytest.mark.django_db


def test_of_a_day_and_an_event_both_are_said(club):
    event = EventFactory(club=club, name="Autumn Pairs")
    one = Championship(club=club, weekday=1, event=event)

    assert "Every Tuesday. Only sessions of Autumn Pairs." in rule_text(one)


def test_handicaps_that_stay_are_told_from_those_that_move():
    moves = Championship(has_handicap=True)
    stays = Championship(has_handicap=True, is_frozen=True)

    assert "With handicap." in rule_text(moves)
    assert "With the handicap of the start." in rule_text(stays)


def test_while_a_rule_is_typed_what_is_wrong_is_named_and_nothing_was_to_be_stored(
    client, club, alice
):
    client.force_login(alice)
    address = reverse("new-championship", args=[club.pk])
    said = {"name": "", "of": "pair", "which": "1", "counts": "percentage", "rule": "mean"}
    said |= {"best": "0", "whose": "seat"}

    typed = client.get(
        address, said, headers={"HX-Request": "true", "HX-Target": "preview"}
    ).content.decode()
    stored = client.post(address, said).content.decode()

    for page in (typed, stored):
        assert "Name: This field is required." in page
        assert (
            "Number of results that count: Ensure this value is greater than or equal to 1." in page
        )
    assert "Nothing was saved" not in typed
    assert "Nothing was saved" in stored


def test_an_empty_list_has_no_line_to_press(client, club, alice):
    one = Championship.objects.create(club=club, name="Tuesdays")
    client.force_login(alice)

    page = client.get(reverse("championship", args=[club.pk, one.pk])).content.decode()

    assert "Press a line" not in page
