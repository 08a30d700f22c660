"""Guide cards: a contestant's whole evening in the hand."""

import re

import pytest

from bridgebuddy.printing.cards.guide_cards import guide_sheets
from bridgebuddy.printing.selection import SheetSelection
from movements.engine import catalogue
from tests.factories import section_with

from .conftest import section_playing

pytestmark = pytest.mark.django_db


def card_of(job, number):
    ((card,),) = [sheet.cards for sheet in guide_sheets(job, SheetSelection(number=number))]
    return card


def test_a_pairs_card_has_table_direction_boards_and_opponents(job, rows):
    section = section_with(16, "skip-mitchell")

    card = card_of(job(section), 11)  # EW 3

    assert (card.kind, card.contestant.label, card.players) == (
        "Pair",
        "EW 3",
        "Anna North6\nBob South6",
    )
    assert rows(card.columns) == [
        ("1\t\t\tNorth5 & South5", "3 EW\t7–9\t3"),
        ("2\t\t\tNorth7 & South7", "4 EW\t13–15\t4"),
        ("3\t\t\tNorth9 & South9", "5 EW\t19–21\t5"),
        ("4\t\t\tNorth11 & South11", "6 EW\t1–3\t6"),
        ("5\t\t\tNorth15 & South15", "8 EW\t10–12\t8"),
        ("6\t\t\tNorth1 & South1", "1 EW\t16–18\t1"),
        ("7\t\t\tNorth3 & South3", "2 EW\t22–24\t2"),
    ]
    assert card.notes == (
        "East-West: move up one table after each round.",
        "After round 4 move up TWO tables.",
        "Round 7 is the last; it ends about 21:27.",
    )


def test_a_stationary_pair_is_told_to_keep_its_table(job):
    section = section_with(16, "skip-mitchell")

    card = card_of(job(section), 3)

    assert card.notes[0] == "North-South: you keep your table."


def test_a_sit_out_says_so_and_where(job, rows):
    section = section_with(9, "mitchell")

    card = card_of(job(section), 5)  # NS 5, whose table is half

    assert rows(card.columns)[0] == ("1\t\t\t", "5\t–\tyou sit out")
    assert card.notes[1] == "You sit out in round 1."


def test_shared_boards_are_announced(job):
    section = section_with(16, "share-and-relay")

    mover, sharer, other = (card_of(job(section), number) for number in (9, 1, 2))

    assert "In rounds 1, 8 another table has the same boards." in mover.notes
    assert "In rounds 1–8 another table has the same boards." in sharer.notes
    assert not any("another table" in note for note in other.notes)


def test_whoever_changes_direction_goes_where_the_list_says(job, reference_section):
    section = reference_section("howell-4x7.wikipedia")

    card = card_of(job(section), 1)

    assert card.notes[0] == "Go where the list says: you change direction."


def test_a_part_of_a_round_that_is_sat_out_has_its_own_line(job, rows, reference_section):
    section = reference_section("two-way-rover-4half-4r.wikipedia")

    card = card_of(job(section), 2)

    assert [row[0].split("\t")[0] for row in rows(card.columns)] == ["1a", "1b", "2", "3", "4"]
    assert rows(card.columns)[1][-1] == "–\t–\tyou sit out"
    assert "You sit out in round 1b: the rover 9 takes your seat." in card.notes


def test_a_player_of_an_individual_sees_partner_and_both_opponents(job, rows, reference_section):
    section = reference_section("rainbow-5x5.wikipedia")

    card = card_of(job(section), 1)

    assert card.kind == "Player"
    assert [column.title for column in card.columns] == ["Rd", "Table", "Boards", "With", "Against"]
    assert rows(card.columns)[0] == (
        "1",
        "1 N",
        "1–2",
        "1 Player61",
        "E 1 Player111",
        "W 1 Player161",
    )


def test_a_player_who_keeps_a_chair_is_told_which(job, reference_section):
    section = reference_section("rainbow-5x5.wikipedia")

    stationary = next(n for n in range(1, 21) if job(section).plan.people.stays_put(n))
    card = card_of(job(section), stationary)

    assert (card.contestant.label, card.notes[0]) == ("N 1", "North: you keep your table.")


def test_a_team_reads_where_both_its_halves_play(job, rows, club):
    section = section_playing(club, catalogue.build_movement("team-awl", 7), 2)

    card = card_of(job(section), 2)

    assert card.kind == "Team"
    assert rows(card.columns)[:4] == [
        ("1\t\t\tPlayer71", "2 NS\t1–2\t7"),
        ("\t\t\tPlayer41", "4 EW\t5–6\t4"),
        ("2\t\t\tPlayer51", "2 NS\t13–14\t5"),
        ("\t\t\tPlayer61", "6 EW\t7–8\t6"),
    ]
    assert card.notes[0] == (
        "Player21 & Player22: North-South at your home table 2. "
        "Player23 & Player24: East-West where the list says. You may exchange."
    )


def test_matches_and_triangles_are_at_the_tables_the_phones_name(job, rows, club):
    section = section_playing(club, catalogue.build_movement("team-round-robin", 7), 2)

    triangle, match = (rows(card_of(job(section), number).columns) for number in (1, 4))

    assert triangle[:4] == [
        ("1\t\t\tPlayer31", "1 NS\t1–2\t3"),
        ("\t\t\tPlayer21", "2 EW\t1–2\t2"),
        ("2\t\t\tPlayer21", "1 NS\t1–2\t2"),
        ("\t\t\tPlayer31", "3 EW\t1–2\t3"),
    ]
    assert match[:2] == [
        ("1\t\t\tPlayer71", "4 NS\t1–2\t7"),
        ("\t\t\tPlayer71", "7 EW\t1–2\t7"),
    ]


def test_what_happens_to_the_boards_is_told_of_a_teams_own_matches(job, club):
    section = section_playing(club, catalogue.build_movement("team-round-robin", 7), 2)

    told = {
        number: [note for note in card_of(job(section), number).notes if "boards" in note]
        for number in (1, 4)
    }

    home = "the boards go to the home table of the East-West pair."
    assert told == {
        1: [f"Triangles begin in rounds 1, 3, 5. After the first half {home}"],
        4: [
            "The table with the lower number begins with boards 1, the other one with 2; "
            "exchange them at half-time.",
            f"The triangle begins in round 3. After the first half {home}",
        ],
    }


def test_four_players_of_a_team_are_two_lines(job, club):
    section = section_playing(club, catalogue.build_movement("head-to-head", 2), 2)
    person = section.entries.get(contestant=1).players[3]

    card = card_of(job(section), 1)

    assert card.players == "Pat1 Player11, Pat2 Player12\nPat3 Player13, Pat4 Player14"

    person.name = "Maximiliane Friederike Hohenstein"
    person.save()
    card = card_of(job(section), 1)

    assert card.players == "Player11 & Player12\nPlayer13 & Hohenstein"


def test_rounds_not_yet_drawn_are_no_sit_outs(job, rows, swiss_section):
    card = card_of(job(swiss_section), 1)

    assert rows(card.columns)[:2] == [
        ("1\t\t\tPlayer51 & Player52", "1 NS\t1–4\t5"),
        ("2\t\t\t", "–\t–\tdrawn later"),
    ]
    assert card.notes[0] == "Rounds 2–3 are drawn when the results are in."
    assert not any("sit out" in note for note in card.notes)


def test_many_boards_in_several_ranges_get_a_column_of_their_own(job, rows):
    section = section_with(66, "mitchell", rounds=5, boards_per_round=4)

    card = card_of(job(section), 33)

    assert [column.title for column in card.columns] == ["Rd", "Table", "Boards", "Against"]
    assert rows(card.columns)[0] == ("1", "33 NS", "129–132", "<b>33</b> North66 &amp; South66")


def test_boards_in_two_ranges_move_the_opponents_aside(job, club):
    section = section_playing(club, catalogue.build_movement("scissors-howell", 3), 5)

    card = card_of(job(section), 1)

    assert [column.css for column in card.columns] == ["rd", "tb", "bd", "vs far"]


@pytest.mark.parametrize(
    ("per_sheet", "css", "pages"), [(4, "cards4", 4), (2, "cards2", 8), (1, "cards1 x18", 16)]
)
def test_one_two_or_four_cards_share_a_sheet_as_asked_for(
    job, pdf, alice, skip_section, per_sheet, css, pages
):
    sheets = guide_sheets(job(skip_section), SheetSelection(per_sheet=per_sheet))

    assert {sheet.css for sheet in sheets} == {css}
    for paper in ("a4", "letter"):
        file = pdf(alice, skip_section, f"guide-cards.pdf?cards={per_sheet}&paper={paper}")
        assert len(file.pages) == pages


def test_a_card_alone_on_its_sheet_shrinks_for_many_rounds(job):
    section = section_with(62, "mitchell", boards_per_round=1)

    (sheet,) = guide_sheets(job(section), SheetSelection(number=1, per_sheet=1))

    assert (sheet.css, len(sheet.cards)) == ("cards1 x14", 1)


@pytest.mark.parametrize(
    ("rounds", "paper", "per_sheet"),
    [
        (7, "a4", 4),
        (16, "a4", 4),
        (14, "letter", 4),
        (16, "letter", 2),
        (20, "a4", 2),
        (20, "letter", 2),
    ],
)
def test_four_cards_share_a_sheet_while_their_rows_can_be_read(job, rounds, paper, per_sheet):
    section = section_with(42, "mitchell", rounds=rounds, boards_per_round=1)

    sheets = guide_sheets(job(section, paper))

    assert {sheet.per_sheet for sheet in sheets} == {per_sheet}
    assert [len(sheet.cards) for sheet in sheets[:-1]] == [per_sheet] * (len(sheets) - 1)
    assert sum(len(sheet.cards) for sheet in sheets) == 42


def test_thirty_one_rounds_stay_on_one_card(job):
    section = section_with(62, "mitchell", boards_per_round=1)

    card = card_of(job(section), 1)

    assert len(card.columns[0].blocks[0].rows) == 31
    assert not card.continues


def test_cards_on_paper_are_for_everybody(pdf, alice, skip_section):
    sheets = pdf(alice, skip_section, "guide-cards.pdf")

    text = "\n".join(page.extract_text() for page in sheets.pages)
    assert len(sheets.pages) == 4
    for number in range(1, 17):
        assert f"Anna North{number}\nBob South{number}" in text
    assert text.count("Round 7 is the last") == 16
    assert text.count("Lindenhof Bridge Club") == 16
    assert text.count("Tuesday 24 November 2026, Tuesday Pairs") == 16


def test_one_pair_is_one_card(pdf, alice, skip_section):
    sheets = pdf(alice, skip_section, "guide-cards.pdf?contestant=EW3")

    assert len(sheets.pages) == 1
    text = sheets.pages[0].extract_text()
    assert text.count("Round 7 is the last") == 1
    assert "EW 3" in text


def test_the_foot_of_a_card_names_the_whole_movement(pdf, alice, club):
    section = section_with(15, "share-and-relay", rounds=8, club=club, by=alice)

    text = pdf(alice, section, "guide-cards.pdf").pages[0].extract_text()

    feet = re.sub(r"\s+", " ", text)
    assert feet.count("Share-and-Relay Mitchell, 8 tables, 8 rounds of 3 boards") == 4
    assert "…" not in text
