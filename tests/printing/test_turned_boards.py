"""Turned boards: desk, phones, cards and the poster show the chairs, and name the cards that a pair holds."""

import pytest

from bridgebuddy.director.desk.page import DeskPage
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.players.phones.page import PlayerPage
from bridgebuddy.printing.cards.guide_cards import guide_sheets
from bridgebuddy.printing.cards.table_cards import table_cards
from bridgebuddy.printing.lists.poster import round_posters
from bridgebuddy.printing.selection import SheetSelection
from bridgebuddy.table_phones.queries.next_seats import next_seats_of
from movements.engine import catalogue
from tests.factories import begun

from .conftest import section_playing

pytestmark = pytest.mark.django_db

SAID = "In round 6 tables 1–4 turn all boards."


@pytest.fixture
def section(club):
    """Return a Hesitation of 10 pairs before its last round, in which tables 1 to 4 turn their boards."""
    section = begun(section_playing(club, catalogue.build_movement("hesitation", 5), 3), 5)
    return Section.objects.get(pk=section.pk)


def chairs(section, number):
    """Return table, line and turned boards of a pair round by round, as its phone shows them."""
    page = PlayerPage(section, SectionPlan(SessionEvening(section, only=number)), number)
    return [
        (seat.table, seat.line, seat.turned) for stop in page.planned_rounds for seat in stop.seats
    ]


def test_the_call_moves_everybody_as_always_and_names_the_tables_that_turn_boards(section):
    plan = SectionPlan.of(section)

    assert (
        plan.announcements.announcement_after(5).sentence
        == plan.announcements.announcement_after(4).sentence
    )
    assert plan.announcements.announcement_after(5).exceptions[-1] == SAID


def test_the_desk_shows_chairs_and_turned_boards(section):
    before, after = (next(iter(DeskPage(section).tiles_of(round))) for round in (5, 6))

    assert [[s.contestant.number for s in tile.games[0].ns] for tile in (before, after)] == [
        [1],
        [1],
    ]
    assert (before.turned, after.turned) == ("", after.games[0].board_text)


def test_a_phone_shows_one_chair_all_evening_and_the_boards_to_turn(section):
    seats = chairs(section, 1)

    assert [seat[:2] for seat in seats] == [(1, "ns")] * 6
    assert [bool(seat[2]) for seat in seats] == [False] * 5 + [True]


def test_the_pair_at_the_hesitation_table_turns_nothing(section):
    staying = {s.contestant.number for s in SectionPlan.of(section).evening.games[6][4].ns}

    assert [chairs(section, number)[5] for number in staying] == [(5, "ns", "")]


def test_results_are_entered_for_the_cards_that_a_pair_holds(section):
    game = next(game for game in SectionPlan.of(section).evening.games[6] if game.table == 1)

    assert [s.contestant.number for s in game.ew] == [1]


def test_a_table_phone_sends_a_pair_to_its_chair(section):
    entry = section.entries.get(contestant=1)

    (there,) = next_seats_of(section, {entry.pk})

    assert (there.table, there.chair) == (1, "ns")


def test_a_guide_card_marks_the_rounds_in_which_boards_are_turned(job, section):
    (sheet,) = guide_sheets(job(section), SheetSelection(number=1))
    (card,) = sheet.cards

    assert "1 NS*" in card.columns[1].blocks[0].rows[5]
    assert "1 NS*" not in card.columns[1].blocks[0].rows[4]
    assert "* Round 6: turn the boards, you hold the cards of East-West." in card.notes
    assert "North-South: you keep your table." in card.notes


def test_a_table_card_has_its_pair_above_and_says_where_boards_are_turned(job, section):
    (card,) = table_cards(job(section), SheetSelection(table=1))

    assert card.stays
    assert card.stays.label == "1"
    (boards,) = [column for column in card.columns if column.css == "bd"]
    assert boards.blocks[1].rows == ("", "", "", "", "", "turn the boards")


def test_on_the_poster_a_pair_that_turns_boards_stays(job, section):
    (poster,) = round_posters(job(section))

    assert [label for label, _names in poster.names] == [str(pair) for pair in range(5, 11)]


def test_pairs_that_stay_in_a_three_quarter_howell_keep_their_chairs(club):
    movement = catalogue.build_movement("partial-howell", 6, 8)
    section = section_playing(club, movement, 3)

    for number in movement.stationary_contestants:
        seats = chairs(section, number)
        assert len({seat[:2] for seat in seats}) == 1
        played = [number == seating.ns for seating in movement.seatings_of(number)]
        north = seats[0][1] == "ns"
        assert [bool(turned) for *_place, turned in seats] == [line != north for line in played]


def test_movements_with_two_winners_turn_nothing(club):
    plan = SectionPlan.of(section_playing(club, catalogue.build_movement("mitchell", 5), 3))

    assert plan.plan_of_moves is plan
