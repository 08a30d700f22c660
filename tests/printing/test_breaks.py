"""A break on paper."""

import re
from html import unescape

import pytest
from django.utils import timezone

from bridgebuddy.events.services.setup import movement
from bridgebuddy.printing.selection import EVERYBODY
from bridgebuddy.printing.sheets import SHEETS, sheet_html
from tests.factories import section_with

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["guide-cards", "table-cards", "master"])
def test_the_cards_and_the_directors_sheet_name_the_break(club, alice, job, name):
    sentence = "After round 3: a break, until about 20:39."
    pages = []
    for wants_break in (True, False):
        section = movement.choose_movement(
            section_with(12, club=club, by=alice),
            "two-stanza",
            boards_per_round=4,
            wants_break=wants_break,
            by=alice,
        )
        html = sheet_html(SHEETS[name], job(section), EVERYBODY)
        pages.append(unescape(re.sub(r"<[^>]+>", " ", html)))

    assert [sentence in page for page in pages] == [True, False]


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Australia/Sydney"])
def test_printed_times_are_by_the_clubs_clock(club, alice, job, zone):
    club.time_zone = zone
    club.save()
    section = section_with(8, "howell", club=club, by=alice)

    with timezone.override(club.zone):
        assert job(section).starts_at(1) == "19:00"
