"""Score slips and personal score cards."""

import pytest

from bridgebuddy.printing.cards.score_cards import AROUND, score_cards
from bridgebuddy.printing.layout import HEIGHTS, height_class
from bridgebuddy.printing.selection import SheetSelection
from bridgebuddy.printing.slips.score_slips import score_slips
from movements.engine import catalogue
from tests.factories import section_with

from .conftest import section_playing

pytestmark = pytest.mark.django_db
A4_HEIGHT = 297


def slips_of(job, selection=None):
    return [
        slip for sheet in score_slips(job, selection or SheetSelection()) for slip in sheet.slips
    ]


def card_of(job, number):
    ((card,),) = [sheet.cards for sheet in score_cards(job, SheetSelection(number=number))]
    return card


def test_a_boards_slip_names_everybody_who_plays_it_in_order(job, rows):
    section = section_with(16, "skip-mitchell")

    slip = slips_of(job(section))[3]

    assert (slip.board, slip.dealer, slip.vulnerable) == (4, "West", "all")
    assert rows(slip.columns) == [
        ("1", "2\t2"),
        ("2", "1\t8"),
        ("3", "8\t6"),
        ("4", "7\t4"),
        ("5", "6\t1"),
        ("6", "5\t7"),
        ("7", "4\t5"),
    ]
    assert [column.title for column in slip.columns] == [
        "Rd",
        "NS",
        "EW",
        "Contract",
        "By",
        "Tricks",
        "NS +",
        "EW +",
    ]


def test_every_board_has_one_slip(job):
    section = section_with(16, "skip-mitchell")

    sheets = score_slips(job(section))

    assert [slip.board for sheet in sheets for slip in sheet.slips] == list(range(1, 25))
    assert [(sheet.css, len(sheet.slips)) for sheet in sheets] == [("cards4", 4)] * 6


def test_a_table_needs_the_slips_of_its_boards_and_a_pair_those_of_its_own(job):
    section = section_with(10, "mitchell", rounds=3)

    assert [slip.board for slip in slips_of(job(section), SheetSelection(table=1))] == list(
        range(1, 10)
    )
    assert [slip.board for slip in slips_of(job(section), SheetSelection(number=2))] == list(
        range(4, 13)
    )


def test_a_game_that_nobody_plays_has_no_line(job, rows):
    section = section_with(9, "mitchell")

    slip = slips_of(job(section), SheetSelection(table=5))[0]

    assert [len(rows(slip.columns)), len(slips_of(job(section)))] == [4, 15]


def test_rounds_still_to_be_drawn_leave_their_lines_blank(job, rows, swiss_section):
    slips = slips_of(job(swiss_section))

    assert rows(slips[0].columns)[0] == ("1", "1\t5")
    assert rows(slips[4].columns) == [("2",)] * 4
    assert slips[4].board == 5


def test_a_board_played_very_often_has_a_second_slip(job, rows):
    section = section_with(118, "mitchell", rounds=59, boards_per_round=1)

    slips = slips_of(job(section), SheetSelection(table=1))[:2]

    assert [(slip.board, slip.continues) for slip in slips] == [(1, False), (1, True)]
    assert [len(rows(slip.columns)) for slip in slips] == [30, 29]


def test_a_score_card_has_every_board_with_dealer_and_vulnerability(job, rows):
    section = section_with(10, "mitchell", rounds=2)

    card = card_of(job(section), 6)

    assert (card.kind, card.contestant.label) == ("Pair", "EW 1")
    assert rows(card.columns) == [
        ("1", "1 EW\t1", "1\tN\tnone"),
        ("", "", "2\tE\tNS"),
        ("", "", "3\tS\tEW"),
        ("2", "2 EW\t2", "7\tS\tall"),
        ("", "", "8\tW\tnone"),
        ("", "", "9\tN\tEW"),
    ]


@pytest.mark.parametrize("rounds", [5, 7, 9, 11])
def test_all_lines_of_a_score_card_and_its_head_row_fit_on_the_sheet(job, rows, rounds):
    section = section_with(22, "mitchell", rounds=rounds)

    sheet = score_cards(job(section))[0]

    [height] = [height for height in HEIGHTS if height_class(height) == sheet.height]
    lines = max(len(rows(card.columns)) for card in sheet.cards)
    assert lines == 3 * rounds
    assert height * (lines + 1) <= A4_HEIGHT - AROUND


def test_a_sit_out_takes_one_line_of_the_score_card(job, rows):
    section = section_with(9, "mitchell")

    assert rows(card_of(job(section), 5).columns)[0] == ("1", "", "you sit out", "")


def test_a_players_score_card_names_the_partner_too(job, rows, reference_section):
    card = card_of(job(reference_section("rainbow-5x5.wikipedia")), 1)

    assert rows(card.columns)[0] == ("1", "1 N", "1", "E1 W1", "1\tN\tnone")
    assert [column.title for column in card.columns][2] == "With"


def test_boards_of_rounds_still_to_be_drawn_are_lines_to_fill_in(job, rows, swiss_section):
    card = card_of(job(swiss_section), 1)

    assert [row[0] for row in rows(card.columns)] == [
        *("1", "", "", ""),
        *("2", "", "", ""),
        *("3", "", "", ""),
    ]


def test_a_slip_of_an_individual_has_room_for_four_players(job, rows, reference_section):
    (first, *_others) = score_slips(job(reference_section("rainbow-5x5.wikipedia")))

    assert first.is_individual
    assert rows(first.slips[0].columns)[0] == ("1", "N1 S1", "E1 W1")
    assert [column.title for column in first.slips[0].columns][3:] == [
        "Contract",
        "By",
        "NS +",
        "EW +",
    ]


def test_a_match_of_teams_leaves_a_line_for_each_board_dealt(job, rows, club):
    section = section_playing(club, catalogue.build_movement("knockout", 7), 4)

    card, in_triangle = (card_of(job(section), number) for number in (1, 6))

    assert card.kind == "Team"
    others = [("", "", "2\tE\tNS"), ("", "", "3\tS\tEW"), ("", "", "4\tW\tall")]
    assert rows(card.columns)[:9] == [
        *[("1", "1 NS\t2", "1\tN\tnone"), *others],
        *[("1", "2 EW\t2", "1\tN\tnone"), *others],
        ("2", "", ""),
    ]
    assert [row for row in rows(in_triangle.columns) if any(row)] == [
        *[("1a", "6 NS\t5", "1\tN\tnone"), others[0], ("1a", "7 EW\t7", "1\tN\tnone"), others[0]],
        *[("1b", "6 NS\t7", "1\tN\tnone"), others[0], ("1b", "5 EW\t5", "1\tN\tnone"), others[0]],
        *[("2", "", ""), ("3", "", "")],
    ]


def test_slips_and_score_cards_on_paper(pdf, alice, skip_section):
    slips = pdf(alice, skip_section, "score-slips.pdf")
    cards = pdf(alice, skip_section, "score-cards.pdf")

    assert (len(slips.pages), len(cards.pages)) == (6, 8)
    text = slips.pages[0].extract_text()
    for said in ("Board4", "Dealer: West", "Vulnerable: all", "Contract", "Lindenhof Bridge Club"):
        assert said in text.replace("Board 4", "Board4").replace("Board\n4", "Board4")
    text = cards.pages[7].extract_text()
    for said in ("EW 8", "Anna North16", "none", "Contract", "Tuesday 24 November 2026"):
        assert said in text
