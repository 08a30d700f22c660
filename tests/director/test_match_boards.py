"""The page for the boards of teams' matches, and its sentences about the boards to prepare."""

import pytest
from django.urls import reverse

from tests.director.reading import text
from tests.factories import director_of, section_with

from .test_draw import at  # noqa: F401

pytestmark = pytest.mark.django_db


def test_what_has_to_be_prepared_is_said_before_it_is_chosen(client, at):  # noqa: F811
    section = section_with(9, contest="teams")
    page = at(section)
    address = reverse("choose-drawn", args=[section.code])
    asked = {"kind": "swiss", "boards": 6, "rounds": 4, "odd": "triangle"}

    shown = text(client.get(address, asked))

    assert "Boards 1–24, 4 times: the two tables of a match exchange them at half-time." in shown
    assert "For a triangle also 25–27, so that nobody meets a deal twice." in shown

    page.post("choose-drawn", **asked)
    section.refresh_from_db()
    assert section.has_duplicated_matches
    page.post("match-boards", cards="shuffled", from_board=5, numbers="again")
    section.refresh_from_db()
    assert list(section.boards_of_matches.in_round(3)) == [5, 6, 7, 8, 9, 10]


def test_a_round_robin_plays_duplicated_boards_without_being_asked(client):
    section = section_with(6, contest="teams")
    client.force_login(director_of(section.club))

    client.post(
        reverse("choose-movement", args=[section.code]),
        {"family": "team-round-robin", "size": "5x4"},
    )

    section.refresh_from_db()
    assert section.boards_of_matches.in_round(5) == range(17, 21)
    entries = client.get(reverse("entries", args=[section.code])).content.decode()
    assert "?open=boards#boards" in entries


def test_the_page_of_matches_shows_the_bracket_of_a_knock_out(client):
    section = section_with(6, "knockout", round=1, contest="teams")
    client.force_login(director_of(section.club))

    page = client.get(reverse("matches", args=[section.code])).content.decode()

    assert "Quarter-finals" in page
    assert "Semi-finals" in page
    assert "Not drawn yet" in page
    room = client.get(reverse("room-display", args=[section.code]))
    assert room.status_code == 200
