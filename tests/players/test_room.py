"""The room display."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.games import TableSide
from bridgebuddy.events.services.play import rounds
from bridgebuddy.players.room_display.room import (
    NextPlace,
    RoomDisplay,
    StayingPairs,
    TableSeats,
    TeamMatch,
)
from movements.engine.model import Field, Movement, Seating
from movements.services import store_movement
from tests.factories import section_with
from tests.markup import markup

from .reading import HTMX, room, words
from .test_contests import playing
from .test_player import play

pytestmark = pytest.mark.django_db


def cells(section: Section, *kinds: str) -> list[list[tuple]]:
    """The pages as plain facts; those of some kinds, or all but the plan of the room."""
    return [
        [_fact(cell) for cell in page.cells]
        for page in RoomDisplay(section).pages
        if page.kind in (kinds or ("moves", "seats", "matches"))
    ]


def _fact(cell: NextPlace | TableSeats | TeamMatch | StayingPairs) -> tuple:
    match cell:
        case TeamMatch():
            return tuple(team.label for team in cell.teams)
        case NextPlace():
            mark = "!" if cell.is_unusual else ""
            return (cell.contestant.label, cell.place, cell.table, cell.note + mark)
        case TableSeats():
            return (cell.table, _labels(cell.ns), _labels(cell.ew))
    return ("rest", cell.line)


def _labels(sittings: tuple[TableSide, ...]) -> list[str]:
    return [sitting.contestant.label for sitting in sittings]


def test_everybody_who_moves_reads_where_to(client, skip_section):
    page = words(room(client, skip_section))

    assert "Round 4 of 7" in page
    assert "When the round ends East-West up TWO tables Boards down one" in page
    assert "Round 5 – where do I go? EW 1 Table 6 EW 2 Table 7 EW 3 Table 8 EW 4 Table 1" in page
    moves, plan = page.split(" Round 5 – who sits at which table? ")
    assert moves.endswith("All others North-South stay")
    assert "NS 1" not in moves
    assert plan.startswith("1 NS 1 EW 4 2 NS 2 EW 5 3 NS 3 EW 6 4 NS")


def test_the_change_in_the_middle_of_a_round_is_said_in_that_round(client, club, alice):
    section = section_with(9, "two-way-rover", round=2, club=club, by=alice)
    now = "In the middle of round 2: 4 takes the place of 9, 9 that of 5. 5 sits out."

    page = words(room(client, section))
    assert now in page
    assert "In the middle of round 3" not in page
    assert "In the middle" not in RoomDisplay(section).spoken

    last = rounds.start_next_round(section, after=2, by=alice)
    while not last.is_last_round:
        last = rounds.start_next_round(last, after=last.round, by=alice)
    assert f"In the middle of round {last.round}:" in words(room(client, last))


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


def test_whoever_comes_back_is_told_table_and_direction(client, club, alice):
    section = section_with(15, "skip-mitchell", round=1, club=club, by=alice)

    assert "NS 8 Table 8 you are back, North-South" in words(room(client, section))


def test_boards_that_are_turned_seat_nobody_elsewhere(club, alice):
    section = section_with(14, "mitchell", round=6, club=club, by=alice)
    plain = section.movement
    turned = tuple(s.turned() if s.round == 7 else s for s in plain.movement.seatings)
    section.unswitched = plain
    section.movement = store_movement(
        replace(plain.movement, seatings=turned), numbers=plain.numbers
    )
    section.save()

    assert cells(section, "plan")[0][:2] == [(1, ["NS 1"], ["EW 2"]), (2, ["NS 2"], ["EW 3"])]
    assert cells(section, "moves")[0][-1] == ("rest", "ns")


def test_halves_of_teams_that_stay_are_the_rest(club):
    section = playing("new-england-relay", 8)

    assert cells(section)[0][-1] == ("rest", "ns")


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

    assert "Table 5 puts its boards on the stand, table 4 takes from there." in words(
        room(client, section)
    )


def test_before_the_start_it_seats_everybody_by_name_and_shows_the_code(client, club, alice):
    section = section_with(15, "skip-mitchell", club=club, by=alice)

    page = words(room(client, section))

    assert "Tuesday Pairs 19:00 round 1 starts" in page
    assert f"testserver/p/ {section.spaced_code}" in page
    assert "QR code: your table on your phone" in page
    assert "Where do I sit? 1 NS North1 & South1 EW North2 & South2 2 NS" in page
    assert "8 NS North15 & South15 EW nobody After every round" in page


def test_before_the_start_a_picture_shows_how_the_room_moves(client, club, alice):
    section = section_with(16, "share-and-relay", club=club, by=alice)

    shown = room(client, section)

    assert 'class="rg-share"' in shown.content.decode()
    assert "After every round East-West up one table Boards down one" in words(shown)


def test_where_nobody_moves_by_a_rule_there_is_no_picture(client, club, alice):
    swiss = section_with(8, "swiss", club=club, by=alice)

    assert "rg-tb" not in room(client, swiss).content.decode()


def test_during_the_rounds_the_picture_shows_the_way_of_the_boards_alone(client, club, alice):
    running = section_with(16, "share-and-relay", round=1, club=club, by=alice)

    shown = room(client, running)

    assert shown.content.decode().count('<svg class="ring') == 1
    assert "where do the boards go?" in words(shown)
    assert "After every round" not in words(shown)


def test_before_the_movement_is_chosen_there_is_only_the_code(client, club, alice):
    section = section_with(6, club=club, by=alice)

    page = words(room(client, section))

    assert "The director is still entering the pairs." in page
    assert section.spaced_code in page


def test_the_address_on_the_wall_is_one_that_phones_reach(client, skip_section, settings):
    settings.PUBLIC_URL = "https://bridge.example.org/"
    Section.objects.filter(pk=skip_section.pk).update(round=0)

    assert "bridge.example.org/p/" in words(room(client, skip_section))


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

    rounds.finish_session(section, round=3, by=alice)

    page = room(client, section)
    said = (
        "The session is over Thank you for playing The list comes here as soon as it is published."
    )
    assert said in words(page)
    assert "hx-trigger" in page.content.decode()  # the final list may be revealed there


def test_the_clock_runs_by_the_servers_time(client, skip_section, monkeypatch):
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    Section.objects.filter(pk=skip_section.pk).update(clock_ends_at=now + timedelta(seconds=252))

    page = markup(room(client, skip_section))

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

    assert RoomDisplay(section).clock.text == shown
    assert RoomDisplay(section).clock.is_over_time == (word == "over time")


@pytest.mark.parametrize(
    ("seconds", "warning", "word"),
    [
        (301, "", "minutes left"),
        (300, "soon", "the last 5 minutes"),
        (61, "soon", "the last 5 minutes"),
        (60, "last", "the last minute"),
        (0, "last", "the last minute"),
        (-1, "over", "over time"),
    ],
)
def test_the_clock_warns_before_the_end(client, skip_section, monkeypatch, seconds, warning, word):
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    Section.objects.filter(pk=skip_section.pk).update(
        clock_ends_at=now + timedelta(seconds=seconds)
    )

    page = markup(room(client, skip_section))

    assert f'<section class="{("timer " + warning).strip()}"' in page
    assert re.findall(r'<div class="u"[^>]*>([^<]*)<', page) == [word]


def test_a_stopped_clock_goes_on_warning(client, skip_section, alice):
    Section.objects.filter(pk=skip_section.pk).update(clock_left=timedelta(minutes=3))

    page = room(client, skip_section)

    assert '<section class="timer soon"' in markup(page)
    assert "3:00 clock stopped" in words(page)


def test_a_minute_more_ends_the_warning(client, skip_section, alice):
    Section.objects.filter(pk=skip_section.pk).update(
        clock_ends_at=timezone.now() + timedelta(seconds=280)
    )
    assert "the last 5 minutes" in words(room(client, skip_section))

    rounds.add_minute(skip_section, by=alice)

    assert "the last 5 minutes" not in words(room(client, skip_section))


def test_single_players_read_the_seat_they_go_to(club):
    section = playing("rainbow", 5, size=1)

    assert cells(section)[0][:2] == [("S 1", "s", 2, "line"), ("S 2", "s", 3, "line")]
    assert cells(section, "plan")[0][0] == (1, ["N 1", "S 5"], ["E 4", "W 3"])


def test_a_draw_of_teams_says_who_plays_whom(client):
    section = playing("team-round-robin", 7)

    assert cells(section) == [[("4", "6"), ("5", "7"), ("1", "2", "3")]]
    page = words(room(client, section))
    assert "When the round ends On to the next match North-South stay" in page
    assert "Round 2 – who plays whom? Tables 4 · 6 4 Player4 6 Player6 boards 1–4" in page
    assert "Tables 1 · 2 · 3 1 Player1 2 Player2 3 Player3 boards 1–4" in page
    assert "Sits out now" not in page


def test_an_open_round_sends_nobody_anywhere(client):
    section = playing("swiss", 8, contest="pairs")

    page = words(room(client, section))

    assert "When the round ends The next round is drawn when all results are in Your table" in page


def session_of_three(club, alice) -> list[Section]:
    first = section_with(16, "skip-mitchell", round=4, club=club, by=alice)
    others = [
        section_with(6, "howell", round=1, club=club, by=alice),
        section_with(6, "mitchell", club=club, by=alice),
    ]
    for name, other in zip("BC", others, strict=True):
        other.session, other.name = first.session, name
        other.save()
    return [first, *others]


def section_letters(page) -> list[str]:
    """The sections on the display, in order."""
    return re.findall(r'<b class="sec">(\w)</b>', page.content.decode())


def test_all_sections_of_a_session_take_turns(client, club, alice):
    first, second, _ = session_of_three(club, alice)
    section_with(16, "skip-mitchell", round=1, club=club, by=alice)  # another session's

    page = room(client, second, all="turn")

    assert section_letters(page) == ["A", "B", "C"]
    assert "A Round 4 of 7" in words(page)
    assert "B Round 1 of 5" in words(page)
    assert section_letters(room(client, first)) == []


def test_what_is_over_makes_room_for_what_is_not(client, club, alice):
    first, *_ = session_of_three(club, alice)
    rounds.finish_session(first, round=4, by=alice)
    assert section_letters(room(client, first, all="turn")) == ["B", "C"]

    Section.objects.update(finished_at=timezone.now())

    assert section_letters(room(client, first, all="turn")) == ["A", "B", "C"]


def test_a_display_of_all_sections_follows_each_of_them(
    client, club, alice, django_assert_num_queries
):
    first, second, third = session_of_three(club, alice)
    page = room(client, first, all=1).content.decode()
    asked, version = re.search(r'hx-get="([^"]*)\?v=([\d.]+)&amp;all=1"', page).groups()
    assert version == f"{first.shown}.{second.shown}.{third.shown}"

    with django_assert_num_queries(1):
        assert client.get(asked, {"v": version, "all": 1}).status_code == 204
    rounds.add_minute(second, by=alice)

    assert client.get(asked, {"v": version, "all": 1}, headers=HTMX).status_code == 200
    assert client.get(asked, {"v": "x", "all": 1}, headers=HTMX).status_code == 200
    assert client.get("/p/%00/room/", {"v": "1.2", "all": 1}).status_code == 404


def test_a_stopped_clock_stands_still(client, skip_section, alice):
    rounds.pause_clock(skip_section, by=alice)

    page = room(client, skip_section)

    assert "clock stopped" in words(page)
    assert "data-clock-ends" not in page.content.decode()


def test_it_is_always_light(client, skip_section):
    assert '<html lang="en" data-theme="light">' in room(client, skip_section).content.decode()


def test_an_unchanged_poll_is_one_query(client, skip_section, django_assert_num_queries):
    room(client, skip_section)

    with django_assert_num_queries(1):
        assert room(client, skip_section, v=skip_section.shown).status_code == 204


def test_a_changed_poll_brings_the_display_without_the_page(client, skip_section):
    page = markup(client.get(f"/p/{skip_section.code}/room/", {"v": 1}, headers=HTMX))

    assert page.startswith('<div id="live" data-version=')
    assert "<html" not in page


@pytest.mark.parametrize("pairs", [6, 60])
def test_thirty_tables_cost_no_more_than_three(client, pairs, django_assert_num_queries):
    section = section_with(pairs, "mitchell" if pairs == 6 else "skip-mitchell", round=1)
    room(client, section)

    with django_assert_num_queries(2):  # section, and how it is scored
        room(client, section)
    section.touch()
    # and entries, people, plays, the rows to come, movements, the movement's document
    with django_assert_num_queries(8):
        room(client, section)
