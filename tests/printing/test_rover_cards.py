"""Rovers: the seats that they take, and the sentences for all affected pairs."""

import pytest

from bridgebuddy.printing.cards.guide_cards import guide_sheets
from bridgebuddy.printing.cards.rover_cards import rover_sheets
from bridgebuddy.printing.cards.table_cards import table_cards
from bridgebuddy.printing.selection import SheetSelection
from movements.engine import catalogue
from tests.factories import section_with

from .conftest import section_playing

pytestmark = pytest.mark.django_db


def slips_of(job, selection=None):
    return {
        slip.contestant.label: slip.lines
        for sheet in rover_sheets(job, selection or SheetSelection())
        for slip in sheet.slips
    }


def taken_seats(job):
    """Return the seats that a rover takes, by the rover's label."""
    return {
        job.evening.contestants[number].label: [seat.label for seat in seats.values()]
        for number, seats in job.rovers.displaced_contestants.items()
    }


@pytest.mark.parametrize(
    ("family", "tables", "expected"),
    [
        ("ns-rover", 7, {"NS 8": ["NS 2", "NS 4", "NS 6", "NS 1", "NS 3", "NS 5"]}),
        ("ew-rover", 5, {"EW 6": ["EW 1", "EW 2", "EW 3", "EW 4"]}),
        ("ew-rover", 9, {"EW 10": [f"EW {n}" for n in (1, 2, 3, 5, 7, 8, 9, 6)]}),
        ("rover-party", 6, {"EW 6": ["EW 1", "EW 2", "EW 3", "EW 4"]}),
        ("two-way-rover", 5, {"11": ["2", "4", "8", "1", "9", "3", "10", "5", "6"]}),
        ("two-way-rover-party", 6, {"11": ["2", "4", "8", "1", "9", "3", "10", "5", "6"]}),
        ("whist-rover", 8, {"NS 9": [f"NS {n}" for n in (2, 3, 4, 6, 7, 8)]}),
        ("mitchell", 5, {}),
        ("howell", 4, {}),
        ("swiss", 7, {}),
    ],
)
def test_rovers_are_known_by_the_seats_they_take(job, club, family, tables, expected):
    section = section_playing(club, catalogue.build_movement(family, tables), 2)

    assert {label: sorted(seats) for label, seats in taken_seats(job(section)).items()} == {
        label: sorted(seats) for label, seats in expected.items()
    }


def test_where_pairs_sit_out_by_themselves_nobody_is_a_rover(job):
    assert taken_seats(job(section_with(9, "mitchell"))) == {}
    assert taken_seats(job(section_with(9, "howell"))) == {}


def test_a_rovers_card_names_the_pair_whose_seat_it_takes(job, rows):
    section = section_with(11, "ew-rover")

    first = rover_sheets(job(section))[0].card

    assert (first.contestant.label, first.in_halves) == ("EW 6", False)
    assert [row[:4] + row[5:] for row in rows(first.columns)] == [
        ("1", "–", "–", "you sit out", "–"),
        ("2", "2", "EW", "EW 1 North2 & South2", "7–9"),
        ("3", "4", "EW", "EW 2 North4 & South4", "1–3"),
        ("4", "1", "EW", "EW 3 North6 & South6", "10–12"),
        ("5", "3", "EW", "EW 4 North8 & South8", "4–6"),
    ]


def test_who_lends_a_seat_reads_when_and_where_to_go_next(job):
    section = section_with(11, "ew-rover")

    assert slips_of(job(section)) == {
        "EW 1": (
            "Round 2: you sit out, the rover EW 6 takes your seat.",
            "Round 3: table 3, East-West.",
        ),
        "EW 2": (
            "Round 3: you sit out, the rover EW 6 takes your seat.",
            "Round 4: table 5, East-West.",
        ),
        "EW 3": (
            "Round 4: you sit out, the rover EW 6 takes your seat.",
            "Round 5: table 2, East-West.",
        ),
        "EW 4": (
            "Round 5: you sit out, the rover EW 6 takes your seat.",
            "That is the end of your session.",
        ),
    }


def test_at_a_party_table_nobody_sits_out(job):
    section = section_with(12, "rover-party")

    assert slips_of(job(section))["EW 1"] == (
        "Round 2: the rover EW 6 takes your seat, you play at table 6, East-West.",
        "Round 3: table 3, East-West.",
    )


def test_halves_of_a_round_are_told_apart(job, rows):
    section = section_with(11, "two-way-rover")

    sheets = rover_sheets(job(section))

    assert [row[0] for row in rows(sheets[0].card.columns)][:4] == ["1a", "1b", "2a", "2b"]
    assert sheets[0].card.in_halves
    assert slips_of(job(section))["4"] == (
        "Round 2a: you sit out, the rover 11 takes your seat.",
        "Round 2b: table 4, North-South.",
    )


def test_two_pairs_that_change_places_read_it_on_slips_of_their_own(job, club):
    section = section_playing(club, catalogue.build_movement("ew-rover", 9), 2)

    slips = slips_of(job(section))

    assert slips["EW 6"] == (
        "Round 3: table 2, East-West. You change places with EW 9.",
        "Round 4: table 9, East-West.",
        "Round 6: table 5, East-West. You change places with EW 9.",
        "Round 7: table 3, East-West.",
        "Round 9: you sit out, the rover EW 10 takes your seat.",
        "That is the end of your session.",
    )
    assert [line[:8] for line in slips["EW 9"] if "places with EW 6." in line] == [
        "Round 3:",
        "Round 6:",
        "Round 9:",
    ]
    assert "change places" not in " ".join(slips["EW 5"])


def test_a_sit_out_without_a_rover_has_a_slip_too(job):
    section = section_with(9, "mitchell")

    assert slips_of(job(section), SheetSelection(number=5)) == {
        "NS 5": ("Round 1: you sit out.", "Round 2: table 5, North-South.")
    }


def test_guide_cards_of_rover_and_displaced_say_so(job):
    section = section_with(11, "ew-rover")
    notes = {
        card.contestant.label: card.notes
        for sheet in guide_sheets(job(section))
        for card in sheet.cards
    }

    assert notes["EW 6"][:2] == (
        "You are the rover: you take the seats of other pairs, see your rover card.",
        "You sit out in round 1.",
    )
    assert "You sit out in round 2: the rover EW 6 takes your seat." in notes["EW 1"]


def test_a_table_card_announces_the_rover_and_the_halves(job):
    section = section_with(11, "two-way-rover")

    (card,) = table_cards(job(section), SheetSelection(table=4))

    assert card.notes == (
        "Round 2 has two halves: finish a, then play b.",
        "Round 2a: the rover 11 takes the seat of 4.",
        "Round 2b: the rover 11 takes the seat of 8.",
    )


def test_without_rover_and_sit_outs_there_is_nothing_to_print(signed_in, alice, club):
    section = section_with(10, "mitchell", club=club, by=alice)

    response = signed_in(alice).get(f"/s/{section.code}/print/rover-cards.pdf")

    assert response.status_code == 422
    assert (
        "Rover and sit-outs: there is nothing to print for your choice."
        in response.content.decode()
    )


def test_a_rovers_sheets_on_paper(pdf, alice, club):
    section = section_with(11, "ew-rover", club=club, by=alice)

    sheets = pdf(alice, section, "rover-cards.pdf")

    assert len(sheets.pages) == 2
    text = sheets.pages[0].extract_text()
    for said in ("Pair EW 6: rover", "In place of", "EW 1 North2 & South2", "Tuesday Pairs"):
        assert said in text
    assert sheets.pages[1].extract_text().count("you sit out") == 4
