"""The room display."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.evening import Contestant
from bridgebuddy.events.services import rounds
from bridgebuddy.players.room import Goes, Rest, Room, TableSeats
from movements.engine.model import Field, Movement, Seating
from tests.factories import section_with

from .reading import HTMX, room, words
from .test_player import play

pytestmark = pytest.mark.django_db


def cells(section: Section) -> list[list[tuple]]:
    """The pages as plain facts."""
    return [[_fact(cell) for cell in page] for page in Room(section).pages]


def _fact(cell: Goes | TableSeats | Rest) -> tuple:
    match cell:
        case Goes():
            mark = "!" if cell.is_unusual else ""
            return (cell.contestant.label, cell.line, cell.table, cell.note + mark)
        case TableSeats():
            return (cell.table, _labels(cell.ns), _labels(cell.ew))
    return ("rest", cell.line)


def _labels(contestants: tuple[Contestant, ...]) -> list[str]:
    return [one.label for one in contestants]


def test_everybody_who_moves_reads_where_to(client, skip_section):
    page = words(room(client, skip_section))

    assert "Round 4 of 7" in page
    assert "When the round ends East-West up TWO tables Boards down one" in page
    assert "Round 5 – where do I go? EW 1 Table 6 EW 2 Table 7 EW 3 Table 8 EW 4 Table 1" in page
    assert page.endswith("All others North-South stay")
    assert "NS 1" not in page


def test_exceptions_stand_last_and_marked_and_one_cell_is_for_the_rest(club, alice):
    section = section_with(15, "skip-mitchell", round=1, club=club, by=alice)

    assert cells(section) == [
        [
            *((f"EW {n}", "ew", n + 1, "") for n in range(1, 8)),
            ("NS 1", "ns", 0, "!"),
            ("NS 8", "ns", 8, "back!"),
            ("rest", "ns"),
        ]
    ]


def test_who_sits_out_now_is_named(client, club, alice):
    section = section_with(15, "skip-mitchell", round=1, club=club, by=alice)

    assert "Sits out now NS 8 North15 & South15" in words(room(client, section))


def test_where_everybody_moves_by_card_every_cell_says_the_line_and_none_is_marked(club):
    section = section_with(0, club=club)
    howell = Movement(
        family="howell",
        contest="pairs",
        tables=2,
        rounds=3,
        fields=(Field("pairs", ("1", "2", "3", "4")),),
        sets=("A", "B", "C"),
        seatings=(
            Seating(1, 1, 4, 1, ("A",)),
            Seating(1, 2, 2, 3, ("A",)),
            Seating(2, 1, 4, 2, ("B",)),
            Seating(2, 2, 3, 1, ("B",)),
            Seating(3, 1, 4, 3, ("C",)),
            Seating(3, 2, 1, 2, ("C",)),
        ),
        copies=2,
    )
    play(section, howell, boards=4, size=2)

    assert cells(section) == [
        [
            ("1", "ew", 2, "line"),
            ("2", "ew", 1, "line"),
            ("3", "ns", 2, "line"),
            ("rest", "ns"),
        ]
    ]


def test_boards_that_go_to_a_stand_are_said(client, club, alice):
    section = section_with(16, "share-and-relay", round=1, club=club, by=alice)

    assert "Table 4 takes its boards from the stand." in words(room(client, section))


def test_before_the_start_it_seats_everybody_by_name_and_shows_the_code(client, club, alice):
    section = section_with(15, "skip-mitchell", club=club, by=alice)

    page = words(room(client, section))

    assert "Tuesday Pairs 19:00 round 1 starts" in page
    assert f"testserver/p/ Code {section.spaced_code}" in page
    assert "Where do I sit? 1 NS North1 & South1 EW North2 & South2 2 NS" in page
    assert page.endswith("8 NS North15 & South15 EW nobody")


def test_before_the_movement_is_chosen_there_is_only_the_code(client, club, alice):
    section = section_with(6, club=club, by=alice)

    page = words(room(client, section))

    assert "The director is still entering the pairs." in page
    assert section.spaced_code in page


def test_the_address_on_the_wall_is_one_that_phones_reach(client, skip_section, settings):
    settings.PUBLIC_URL = "https://bridge.example.org/"
    Section.objects.filter(pk=skip_section.pk).update(round=0)

    assert "bridge.example.org/p/ Code" in words(room(client, skip_section))


@pytest.mark.parametrize(
    ("pairs", "sizes"), [(46, [24]), (48, [13, 12]), (60, [16, 15]), (120, [21, 21, 19])]
)
def test_more_than_twenty_four_cells_take_turns_on_even_pages(club, alice, pairs, sizes):
    family = "mitchell" if pairs == 46 else "skip-mitchell"
    section = section_with(pairs, family, round=1, club=club, by=alice)

    assert [len(page) for page in cells(section)] == sizes


def test_seats_before_the_start_take_turns_too(club, alice):
    section = section_with(40, "skip-mitchell", club=club, by=alice)

    assert [[table for table, _, _ in page] for page in cells(section)] == [
        list(range(1, 11)),
        list(range(11, 21)),
    ]


def test_last_round_and_end(client, club, alice):
    section = section_with(6, "mitchell", round=3, club=club, by=alice)
    assert "This is the last round Leave the boards on the table" in words(room(client, section))

    rounds.finish(section, round=3, by=alice)

    page = room(client, section)
    assert words(page).endswith("The session is over Thank you for playing")
    assert "hx-trigger" not in page.content.decode()


def test_the_clock_runs_by_the_servers_time(client, skip_section, monkeypatch):
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    Section.objects.filter(pk=skip_section.pk).update(clock_ends_at=now + timedelta(seconds=252))

    page = room(client, skip_section).content.decode()

    ends, told = re.search(r'data-clock-ends="(.*?)" data-clock-now="(.*?)"', page).groups()
    assert timezone.datetime.fromisoformat(ends) - timezone.datetime.fromisoformat(told) == (
        timedelta(seconds=252)
    )
    assert ">4:12</div>" in page


@pytest.mark.parametrize(
    ("seconds", "shown", "word"),
    [(65, "1:05", "minutes left"), (-0.5, "0:00", "minutes left"), (-65, "-1:05", "over time")],
)
def test_past_zero_the_clock_counts_on_and_says_so(client, skip_section, seconds, shown, word):
    Section.objects.filter(pk=skip_section.pk).update(
        clock_ends_at=None, clock_left=timedelta(seconds=seconds)
    )
    section = Section.objects.get(pk=skip_section.pk)

    assert Room(section).clock_text == shown
    assert Room(section).is_over_time == (word == "over time")


def test_a_stopped_clock_stands_still(client, skip_section, alice):
    rounds.pause_clock(skip_section, by=alice)

    page = room(client, skip_section)

    assert "clock stopped" in words(page)
    assert "data-clock-ends" not in page.content.decode()


def test_it_is_always_light(client, skip_section):
    assert '<html lang="en" data-theme="light">' in room(client, skip_section).content.decode()


def test_an_unchanged_poll_is_one_query(client, skip_section, django_assert_num_queries):
    with django_assert_num_queries(1):
        assert room(client, skip_section, v=skip_section.version).status_code == 204


def test_a_changed_poll_brings_the_display_without_the_page(client, skip_section):
    page = client.get(f"/p/{skip_section.code}/room/", {"v": 1}, headers=HTMX).content.decode()

    assert page.strip().startswith('<div class="display" id="live"')
    assert "<html" not in page


@pytest.mark.parametrize("pairs", [6, 60])
def test_thirty_tables_cost_no_more_than_three(client, pairs, django_assert_num_queries):
    section = section_with(pairs, "mitchell" if pairs == 6 else "skip-mitchell", round=1)
    room(client, section)

    with django_assert_num_queries(5):  # section, entries, people, rows, the movement itself
        room(client, section)
