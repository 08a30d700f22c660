"""Championship standings on the room display before the start: published ones with public names only."""

import datetime

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.players.room_display import room_season
from bridgebuddy.players.room_display.room import RoomDisplay, rooms_of, split_screens
from bridgebuddy.seasons.models import Championship
from bridgebuddy.seasons.services.championships import publish_championship, show_in_room
from tests.events.test_sections import divided
from tests.factories import begun, section_with
from tests.seasons.evenings import evening

from .reading import room, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(club, alice):
    """A championship of the Tuesdays with one evening of eight pairs, published, for the room."""
    evening(club, alice, "2026-10-06", pairs=8)
    one = Championship.objects.create(club=club, name="The cup", weekday=1)
    publish_championship(one, True, by=alice)
    return show_in_room(one, True, by=alice)


@pytest.fixture
def tonight(club, alice):
    """A Tuesday that has not begun."""
    return on("2026-10-13", section_with(8, "howell", club=club, by=alice))


def on(day, section):
    session = section.session
    session.date = datetime.date.fromisoformat(day)
    session.save()
    return section


def test_before_the_start_the_room_shows_how_the_championship_stands(client, cup, tonight):
    said = words(room(client, tonight))

    assert "The cup After 1 session." in said
    assert "Where do I sit?" in said
    [page] = RoomDisplay(tonight).season
    assert len(page.lines) == 8


@pytest.mark.parametrize(
    "without",
    [
        {"published_at": None},
        {"is_in_room": False},
        {"weekday": 2},
        {"until": datetime.date(2026, 10, 12)},
    ],
)
def test_nothing_that_is_not_published_not_wanted_or_of_other_evenings(cup, tonight, without):
    Championship.objects.filter(pk=cup.pk).update(**without)

    assert RoomDisplay(tonight).season == []


def test_where_evenings_are_ticked_by_hand_it_is_shown_before_each(cup, tonight):
    Championship.objects.filter(pk=cup.pk).update(
        is_by_hand=True, weekday=None, brought_in=[Section.objects.earliest("pk").session_id]
    )

    assert [page.title for page in RoomDisplay(tonight).season] == ["The cup"]


def test_it_is_gone_when_round_1_begins_and_another_clubs_is_never_there(cup, tonight):
    other = on("2026-10-13", section_with(4, "howell"))

    assert RoomDisplay(begun(tonight, 1)).season == []
    assert RoomDisplay(other).season == []


def test_names_are_those_that_everybody_may_read(client, club, cup, tonight):
    club.public_names = "none"
    club.save()

    season = words(room(client, tonight)).partition("The cup")[2].partition("Your table")[0]

    assert "Guest" in season
    assert "North" not in season


def test_many_lines_take_turns_and_the_last_are_left_out(cup, tonight, monkeypatch):
    monkeypatch.setattr(room_season, "LINES", 3)
    monkeypatch.setattr(room_season, "MOST_LINES", 6)

    pages = RoomDisplay(tonight).season

    assert [(page.number, page.of, len(page.lines)) for page in pages] == [(1, 2, 3), (2, 2, 3)]
    assert pages[0].note == "After 1 session. The first 6 of 8."


def test_of_several_sections_one_has_it(club, alice, cup):
    first, second = divided(8, family="howell", club=club, by=alice)
    on("2026-10-13", first)
    on("2026-10-13", second)

    turns = [bool(item.season) for item in rooms_of(first, everywhere=True)]
    [two] = split_screens(first)

    assert turns == [True, False]
    assert [len(item.season) for item in two] == [1, 0]


def test_pages_that_are_open_fetch_it_when_it_is_wanted(client, club, alice, cup, tonight):
    running = begun(section_with(4, "howell", club=club, by=alice), 1)
    before = [Section.objects.get(pk=record.pk).shown for record in (tonight, running)]
    client.force_login(alice)

    client.post(reverse("championship-state", args=[club.pk, cup.pk]), {"do": "no-room"})

    cup.refresh_from_db()
    assert not cup.is_in_room
    after = [Section.objects.get(pk=record.pk).shown for record in (tonight, running)]
    assert after == [before[0] + 1, before[1]]
    page = client.get(reverse("championship", args=[club.pk, cup.pk])).content.decode()
    assert "Show in the room" in page
