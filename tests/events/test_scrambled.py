"""A scrambled Mitchell: contestants move as in a Mitchell, and turned rounds are announced."""

import pytest

from bridgebuddy.director.desk.page import DeskPage
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from movements.engine import catalogue
from tests.factories import begun
from tests.printing.conftest import section_playing

pytestmark = pytest.mark.django_db

SWITCH = "Round 7: arrow-switch: turn the boards, North-South play as East-West."


@pytest.fixture
def section(club):
    """14 pairs in one field, 7 rounds, the last of them turned; round 6 is being played."""
    section = begun(section_playing(club, catalogue.build_movement("scrambled-mitchell", 7), 3), 6)
    return Section.objects.get(pk=section.pk)


def test_the_call_says_how_everybody_moves_and_that_the_boards_are_turned(section):
    call = SectionPlan.of(section).announcements.announcement_after(6)

    assert call.sentence == "East-West move up one table. Boards move down one."
    assert call.exceptions == (SWITCH,)


def test_before_other_rounds_nothing_is_said_of_turning(section):
    calls = SectionPlan.of(section).announcements

    assert {str(calls.announcement_after(round).sentence) for round in range(1, 7)} == {
        "East-West move up one table. Boards move down one."
    }
    assert [calls.switched_boards_sentences(round) for round in range(1, 7)] == [()] * 6


def test_the_desk_shows_people_as_they_sit_and_which_boards_are_turned(section):
    desk = DeskPage(section)

    before, after = list(desk.tiles_of(6)), list(desk.tiles_of(7))

    assert [tile.games[0].ns for tile in before] == [tile.games[0].ns for tile in after]
    assert [tile.turned for tile in before] == [""] * 7
    assert [tile.turned for tile in after] == [tile.games[0].board_text for tile in after]


def test_desk_display_and_phones_say_it_before_the_round_and_in_it(
    section, signed_in, client, alice
):
    pages = (
        (signed_in(alice), f"/s/{section.code}/desk/", SWITCH),
        (client, f"/p/{section.code}/room/", SWITCH),
        (client, f"/p/{section.code}/3/", "Turn the boards: you hold the cards of East-West."),
    )

    for browser, address, said in pages:
        response = browser.get(address, follow=True)
        assert (response.status_code, said in response.content.decode()) == (200, True), address
