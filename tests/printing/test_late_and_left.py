"""Live changes on paper: pairs that come late, pairs that have left, tables that were added."""

import pytest

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.differences import outdated_since
from bridgebuddy.events.services.play.changes import (
    ArrivingEntry,
    change_options,
    take_proposal,
    undo_change,
)
from bridgebuddy.printing.cards.guide_cards import guide_sheets
from bridgebuddy.printing.cards.labels import name_cards
from bridgebuddy.printing.cards.rover_cards import rover_sheets
from bridgebuddy.printing.cards.score_cards import score_cards
from bridgebuddy.printing.lists.seating import seating_list
from bridgebuddy.printing.selection import SheetSelection
from bridgebuddy.printing.slips.pick_up_slips import pick_up_slips
from movements.engine.changes import Change, LengthChanges, PairArrives, PairLeaves
from tests.factories import section_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def changed(alice):
    """Make a live change in a section, in the way of a kind."""

    def change_it(section: Section, change: Change, kind: str, come: int = 1) -> Section:
        way = next(way for way in change_options(section, change) if way.proposal.kind == kind)
        late = (
            ArrivingEntry((f"Eve Engel{come}", f"Max Maier{come}"))
            if way.proposal.newcomer
            else None
        )
        return take_proposal(section, way, change, plan=section.plan, by=alice, newcomer=late)

    return change_it


@pytest.fixture
def section(club, alice, changed):
    """16 pairs in round 2: NS 3 leaves after it, a pair comes for round 3 as NS 9."""
    section = section_with(16, "skip-mitchell", round=2, club=club, by=alice)
    return changed(changed(section, PairArrives(), "rover"), PairLeaves(3), "half-table")


def cards_of(sheets):
    return {card.contestant.label: card for sheet in sheets for card in sheet.cards}


def first_column(card):
    return [row.partition("\t")[0] for row in card.columns[0].blocks[0].rows]


def test_who_has_left_has_cards_only_where_they_are_asked_for(job, section):
    asked = job(section)

    printed = [sheet(asked) for sheet in (guide_sheets, score_cards)]

    labels = [
        contestant.label for number, contestant in asked.evening.contestants.items() if number != 3
    ]
    assert [list(cards_of(sheets)) for sheets in printed] == [labels, labels]
    assert list(cards_of(guide_sheets(asked, SheetSelection(number=3)))) == ["NS 3"]
    named = [label.above for sheet in name_cards(asked) for label in sheet.labels]
    assert named == [f"Pair {label}" for label in labels for _player in range(2)]


def test_a_late_pairs_cards_begin_with_its_first_round(job, section):
    asked = job(section)

    assert first_column(cards_of(guide_sheets(asked))["NS 9"]) == ["3", "4", "5", "6", "7"]
    assert first_column(cards_of(score_cards(asked))["NS 9"])[0] == "3"


def test_a_late_pairs_place_is_told_with_its_round(job, rows, section):
    asked = job(section)

    by_name = seating_list(asked)[0].halves[0].columns
    below = [label.below for sheet in name_cards(asked) for label in sheet.labels]

    first = next(s for s in asked.plan.people.seats[9] if s.round == 3)
    assert [row for row in rows(by_name) if row[1] == "NS 9"] == [
        ("Engel1, Eve", "NS 9", f"Rd 3: {first.table}"),
        ("Maier1, Max", "NS 9", f"Rd 3: {first.table}"),
    ]
    assert (f"Round 3: table {first.table}, North-South.",) in below


def test_who_was_to_come_after_the_end_has_no_card(job, section, changed):
    section = changed(section, LengthChanges(2), "shorter")

    assert "NS 9" not in cards_of(guide_sheets(job(section)))
    assert guide_sheets(job(section), SheetSelection(number=9)) == []


def test_at_a_party_table_that_was_added_the_guests_lend_their_seats_to_the_rover(
    job, club, alice, changed
):
    section = section_with(14, "mitchell", round=1, club=club, by=alice)
    section = changed(section, PairArrives(), "rover")
    section = changed(section, PairArrives(), "party-table", come=2)

    asked = job(section)

    rover = next(n for n, row in asked.evening.contestants.items() if "Engel1" in row.names)
    assert asked.rovers.party_table == 8
    assert list(asked.rovers.displaced_contestants) == [rover]
    assert len(asked.rovers.displaced_contestants[rover]) == 6
    assert [sheet.card.contestant.number for sheet in rover_sheets(asked) if sheet.card] == [rover]


def test_a_party_table_that_was_taken_back_is_none(job, club, alice, changed):
    section = section_with(14, "mitchell", round=1, club=club, by=alice)
    section = changed(section, PairArrives(), "rover")
    section = changed(section, PairArrives(), "party-table", come=2)
    section = undo_change(section, plan=section.plan, by=alice)

    assert job(section).rovers.party_table == 0


def test_slips_that_did_not_exist_before_a_pair_came_are_among_the_changed_sheets(
    job, club, alice, changed
):
    def slips_of(job, selection=None):
        sheets = pick_up_slips(job, selection or SheetSelection())
        return {(slip.round, slip.table) for sheet in sheets for slip in sheet.slips}

    section = section_with(15, "skip-mitchell", round=1, club=club, by=alice)
    before = slips_of(job(section))

    now = job(changed(section, PairArrives(), "free-seat"))

    new = slips_of(now) - before
    assert [round for round, _table in sorted(new)] == ["2", "3", "4", "5", "6", "7"]
    assert new <= slips_of(now, SheetSelection(outdated=outdated_since(now.plan, 1)))
