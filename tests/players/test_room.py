"""The room display."""

import re

import pytest
from django.urls import reverse

from bridgebuddy.events.services import rounds
from tests.factories import section_with

pytestmark = pytest.mark.django_db


def words(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def room(client, section):
    return client.get(reverse("room-display", args=[section.code]))


def test_everybody_who_moves_reads_where_to(client, skip_section):
    page = words(room(client, skip_section))

    assert "East-West up TWO tables Boards down one" in page
    assert "EW 1 Table 6 EW 2 Table 7 EW 3 Table 8 EW 4 Table 1" in page
    assert "All others stay" in page
    assert "NS 1" not in page


def test_a_sit_out_stands_last_and_marked(client, club, alice):
    section = section_with(15, "skip-mitchell", round=1, club=club, by=alice)

    page = room(client, section).content.decode()

    assert re.search(r'go1 mark"><span class="pair ns">NS 1</span>', page)
    assert page.index("NS 1") > page.index("EW 7")


def test_before_the_start_it_seats_everybody_and_shows_the_code(client, club, alice):
    section = section_with(16, "skip-mitchell", club=club, by=alice)

    page = words(room(client, section))

    assert f"Code {section.spaced_code}" in page
    assert "1 NS North1 &amp; South1 EW North2 &amp; South2" in page


def test_sixty_tables_take_turns_on_several_pages(client, club, alice):
    section = section_with(120, "skip-mitchell", round=1, club=club, by=alice)

    page = room(client, section).content.decode()

    assert page.count("data-page") == 3
    assert page.count("go1") >= 60


def test_last_round_and_end(client, club, alice):
    section = section_with(6, "mitchell", round=3, club=club, by=alice)
    assert "This is the last round." in words(room(client, section))

    rounds.finish(section, round=3, by=alice)
    assert "The session is over." in words(room(client, section))


def test_an_unchanged_poll_is_one_query(client, skip_section, django_assert_num_queries):
    address = reverse("room-display", args=[skip_section.code])

    with django_assert_num_queries(1):
        assert client.get(address, {"v": skip_section.version}).status_code == 204
