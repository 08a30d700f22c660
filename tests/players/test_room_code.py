"""The room display: the code for phones in the corner, teams and tables, and the sounds."""

import pytest

from bridgebuddy.clubs.models import Club
from bridgebuddy.events.services.play import rounds
from bridgebuddy.players.room_display.room import RoomDisplay
from bridgebuddy.web.qr_codes import qr_svg
from tests.factories import section_with

from .reading import words

pytestmark = pytest.mark.django_db


def room(client, section):
    return client.get(f"/p/{section.code}/room/")


def lookup(section):
    """Return the QR code of the address for finding one's table."""
    return qr_svg(f"http://testserver/p/{section.code}/", "QR code: your table on your phone")


def test_the_code_is_large_before_the_start_and_small_afterwards(client, skip_section, club, alice):
    before = section_with(6, "mitchell", club=club, by=alice)

    early = room(client, before).content.decode()
    late = room(client, skip_section).content.decode()

    assert (early.count(lookup(before)), "bigqr" in early, "mini-qr" in early) == (1, True, False)
    assert (late.count(lookup(skip_section)), "bigqr" in late, "mini-qr" in late) == (
        1,
        False,
        True,
    )


def test_after_the_end_the_code_leads_to_ones_own_results(client, skip_section, alice):
    rounds.finish_session(skip_section, round=4, by=alice)

    page = room(client, skip_section).content.decode()
    assert ("bigqr" in page, page.count("mini-qr"), "Your results" in page) == (False, 1, True)


def test_teams_are_named_with_their_tables_and_boards(client, club, alice):
    section = section_with(
        8, "team-round-robin", contest="teams", boards_per_round=12, club=club, by=alice
    )
    section.entries.filter(contestant=8).update(name="Castle Bridge and Social Club")

    page = words(room(client, section))

    other = section.entries.get(contestant=1).team_name
    assert f"Tables 1 · 8 8 Castle Bridge and Social Club 1 {other} boards 1–12" in page


def test_a_display_is_silent_unless_the_club_wants_it(client, skip_section):
    assert "sound.js" not in room(client, skip_section).content.decode()
    Club.objects.update(room_sounds=True)

    page = room(client, skip_section).content.decode()

    assert "sound.js" in page
    assert "Switch on the gong and the voice" in page


def test_the_voice_speaks_the_call_with_its_exceptions(skip_section, club, alice):
    assert RoomDisplay(skip_section).spoken == (
        "The round is over. East-West move up TWO tables: this is the skip. Boards move down one."
    )
    last = section_with(6, "mitchell", round=3, club=club, by=alice)
    assert RoomDisplay(last).spoken == "The last round is over. Thank you for playing."
