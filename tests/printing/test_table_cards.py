"""Table cards: players, boards, and the next table of each side."""

import re

import pytest

from bridgebuddy.printing.cards.table_cards import table_cards
from bridgebuddy.printing.cards.table_rows import StayingContestant
from bridgebuddy.printing.selection import SheetSelection
from movements.engine import catalogue
from tests.factories import section_with

from .conftest import section_playing

pytestmark = pytest.mark.django_db


def test_a_skip_mitchells_card_has_every_round_with_its_moves(job, rows):
    section = section_with(16, "skip-mitchell")

    (card,) = table_cards(job(section), SheetSelection(table=3))

    assert rows(card.columns) == [
        ("1", "3", "North6 & South6", "7–9", "EW to table 4", "Boards to table 2"),
        ("2", "2", "North4 & South4", "10–12", "EW to table 4", "Boards to table 2"),
        ("3", "1", "North2 & South2", "13–15", "EW to table 4", "Boards to table 2"),
        ("4", "8", "North16 & South16", "16–18", "EW to table 5: skip", "Boards to table 2"),
        ("5", "6", "North12 & South12", "19–21", "EW to table 4", "Boards to table 2"),
        ("6", "5", "North10 & South10", "22–24", "EW to table 4", "Boards to table 2"),
        ("7", "4", "North8 & South8", "1–3", "The end", "Leave the boards here"),
    ]  # fmt: skip
    assert card.stays == StayingContestant("ns", "NS 3", "Anna North5 & Bob South5")
    assert card.notes == ()
    assert [column.title for column in card.columns] == [
        "Round",
        "EW East-West",
        "Boards",
        "Then",
    ]


@pytest.mark.parametrize(
    ("missing", "first_row"),
    [
        ("ew", ("1", "–", "nobody: NS sit out", "13–15", "not played", "–", "Boards to table 4")),
        ("ns", ("1", "–", "nobody: EW sit out", "5", "North9 & South9", "13–15", "not played", "EW to table 1", "Boards to table 4")),
    ],
)  # fmt: skip
def test_a_half_table_says_plainly_that_nobody_is_there(job, rows, missing, first_row):
    section = section_with(9, "mitchell", missing_line=missing)

    (card,) = table_cards(job(section), SheetSelection(table=5))

    assert rows(card.columns)[0] == first_row


def test_a_table_past_which_the_boards_go_speaks_of_no_boards(job, rows):
    section = section_with(15, "share-and-relay", missing_line="ns")

    (empty,) = table_cards(job(section), SheetSelection(table=8))
    (first,) = table_cards(job(section), SheetSelection(table=1))

    assert not any(
        "not played" in part or "finished" in part for row in rows(empty.columns) for part in row
    )
    assert not any("1–3" in part for row in rows(empty.columns) for part in row)
    assert not any("boards" in part for row in rows(empty.columns) for part in row)
    assert rows(first.columns)[0][-1] == "Boards to table 7"


def test_going_to_a_table_where_nobody_sits_is_called_sitting_out(job, rows):
    section = section_with(9, "mitchell", missing_line="ns")

    (card,) = table_cards(job(section), SheetSelection(table=4))

    assert rows(card.columns)[0][-2] == "EW to table 5: sit out"


def test_shared_boards_and_the_relay_are_marked_in_words(job, rows):
    section = section_with(16, "share-and-relay")

    cards = table_cards(job(section))

    assert rows(cards[0].columns)[0][3:] == (
        "1–3",
        "with table 8",
        "EW to table 2",
        "Boards to table 7",
    )
    assert cards[0].notes == (
        "Every round: share boards with table 8. Pass each board on when you have played it.",
    )
    assert rows(cards[3].columns)[0][-1] == "Boards to table 3; take 13–15 from the stand"
    assert rows(cards[4].columns)[0][-1] == "Boards to the stand"
    assert cards[3].notes == cards[4].notes == ("The stand is after table 4.",)
    assert rows(cards[1].columns)[0][-1] == "Boards to tables 1 and 8"


def test_the_clubs_word_for_a_stand_is_used(job, rows):
    section = section_with(16, "share-and-relay")
    section.club.stand_word = "relay"
    section.club.save()

    (card,) = table_cards(job(section), SheetSelection(table=5))

    assert rows(card.columns)[0][-1] == "Boards to the relay"


def test_where_both_sides_move_both_are_told_with_their_direction(job, rows, reference_section):
    section = reference_section("howell-4x7.wikipedia")

    cards = table_cards(job(section))

    moves = [row[-3:] for row in rows(cards[1].columns)]
    assert moves[0] == ("NS to table 4, sit EW", "EW to table 3", "Boards to stand 1")
    assert moves[-1] == ("The end", "", "Leave the boards here")


def test_a_round_in_parts_has_a_line_for_each_part(job, rows, reference_section):
    section = reference_section("two-way-rover-4half-4r.wikipedia")

    (card,) = table_cards(job(section), SheetSelection(table=2))

    assert [row[:2] + row[3:4] + row[5:6] for row in rows(card.columns)][:3] == [
        ("1a", "2", "6", "3"),
        ("1b", "9", "6", "4"),
        ("2", "2", "7", "1–2"),
    ]
    assert [row[-3:] for row in rows(card.columns)][:2] == [
        ("NS sit out, then table 2", "EW stay here", "Boards stay here"),
        ("NS to table 4", "EW to table 3", "Boards to table 1"),
    ]


def test_a_displaced_pair_reads_where_it_plays_next(job, rows):
    section = section_with(11, "ew-rover")

    (first,) = table_cards(job(section), SheetSelection(table=1))
    (second,) = table_cards(job(section), SheetSelection(table=2))

    assert rows(first.columns)[0][-2] == "EW sit out, then table 3"
    assert rows(second.columns)[3][-2] == "EW sit out"  # and the evening is over


def test_scissors_say_what_is_fetched_from_where(job, rows, club):
    section = section_playing(club, catalogue.build_movement("scissors-mitchell", 6), 4)

    (card,) = table_cards(job(section), SheetSelection(table=1))

    assert [row[-1] for row in rows(card.columns)] == [
        "3–4 aside",
        "",
        "Fetch 7–8 from table 2",
        "",
        "11–12 to table 6",
        "",
        "Fetch 21–22 from table 2",
        "",
    ]


@pytest.mark.parametrize(
    ("family", "size", "rounds"),
    [("triangle", 3, 2), ("triangle", 3, 4), ("team-round-robin", 7, None)],
)
def test_no_step_of_a_triangle_is_called_a_skip(job, rows, club, family, size, rounds):
    section = section_playing(club, catalogue.build_movement(family, size, rounds), 4)

    steps = [
        step for card in table_cards(job(section)) for row in rows(card.columns) for step in row
    ]

    assert any("to table" in step for step in steps)
    assert not any("skip" in step for step in steps)


def test_players_of_an_individual_each_get_their_own_way(job, rows, reference_section):
    section = reference_section("rainbow-5x5.wikipedia")

    (card,) = table_cards(job(section), SheetSelection(table=2))

    assert rows(card.columns)[0][1] == "N 2 & S 2"
    assert rows(card.columns)[0][-3] == "N 2 stays, S 2 to 3 S"

    assert [column.title for column in card.columns[1:3]] == ["North and South", "East and West"]


def test_rounds_not_yet_drawn_say_so(job, rows, swiss_section):
    (card,) = table_cards(job(swiss_section), SheetSelection(table=2))

    assert rows(card.columns)[1][1:5] == ("–", "drawn later", "–", "drawn later")


def test_before_a_draw_nobody_is_told_to_sit_out(job, rows, swiss_section):
    (card,) = table_cards(job(swiss_section), SheetSelection(table=2))

    assert "".join(rows(card.columns)[0][-3:]) == "drawn laterBoards are finished"


def test_in_matches_every_team_has_a_table_of_its_own(job, rows, club):
    section = section_playing(club, catalogue.build_movement("team-round-robin", 7), 2)

    cards = table_cards(job(section))

    assert [card.table for card in cards] == [1, 2, 3, 4, 5, 6, 7]
    grid = rows(cards[3].columns)
    assert [(row[1], row[-2]) for row in grid] == [
        ("7", "EW to table 5"),
        ("6", "EW to table 2"),
        ("1", "EW to table 5"),
        ("5", "EW to table 3"),
        ("2", "EW to table 5"),
        ("3", "The end"),
    ]
    assert cards[3].stays.label == "4"
    assert cards[3].notes == (
        "Play the boards in this order; at half-time exchange them with your match’s other table.",
        "Rounds 3–4: a triangle, in which nothing is exchanged.",
    )


def test_the_boards_of_a_triangle_go_home_with_those_who_sat_east_west(job, rows, club):
    section = section_playing(club, catalogue.build_movement("team-round-robin", 7), 2)

    cards = table_cards(job(section))

    boards = {card.table: rows(card.columns)[2][-1] for card in cards}
    assert boards == {
        1: "Boards to table 5",
        4: "Boards to table 1",
        5: "Boards to table 4",
        **dict.fromkeys((2, 3, 6, 7), ""),
    }
    assert "from table 5" in rows(cards[3].columns)[3]


def test_boards_that_part_are_told_by_their_numbers_a_line_each(job, rows, club):
    section = section_playing(club, catalogue.build_movement("scissors-mitchell", 6), 4)

    (card,) = table_cards(job(section), SheetSelection(table=1))

    assert rows(card.columns)[0][-3:] == ("EW to table 2", "1–2 to table 6", "3–4 aside")


def test_the_table_that_shares_is_named_in_full(pdf, alice, club):
    section = section_with(48, "share-and-relay", club=club, by=alice, boards_per_round=1)

    pages = pdf(alice, section, "table-cards.pdf?table=1").pages
    text = "\n".join(page.extract_text() for page in pages)

    assert text.count("with table 24") - text.count("share boards with table 24") == 24
    assert "…" not in text


def test_many_rounds_fit_a_sheet_and_very_many_are_two(job):
    twenty = table_cards(
        job(section_with(42, "mitchell", rounds=20, boards_per_round=1)), SheetSelection(table=1)
    )
    twenty_on_letter = table_cards(
        job(section_with(42, "mitchell", rounds=20, boards_per_round=1), "letter"),
        SheetSelection(table=1),
    )
    thirty_one = table_cards(
        job(section_with(62, "mitchell", boards_per_round=1)), SheetSelection(table=1)
    )

    assert [(card.part, card.parts, card.height) for card in twenty] == [(1, 1, "h90 stays")]
    assert [(card.part, card.parts, card.height) for card in twenty_on_letter] == [
        (1, 1, "h82 stays")
    ]
    assert [(card.part, card.parts) for card in thirty_one] == [(1, 2), (2, 2)]
    assert [len(card.columns[0].blocks[0].rows) for card in thirty_one] == [16, 15]


def test_sixty_tables_have_sixty_cards(job):
    section = section_with(120, "skip-mitchell", rounds=9)

    cards = table_cards(job(section))

    assert [card.table for card in cards] == list(range(1, 61))


def test_a_card_on_paper_names_session_movement_and_everybody(pdf, alice, skip_section):
    sheets = pdf(alice, skip_section, "table-cards.pdf")

    assert len(sheets.pages) == 8
    text = re.sub(" +", " ", sheets.pages[2].extract_text())
    for said in (
        "Tuesday Pairs",
        "Tuesday 24 November 2026, Lindenhof",
        "Skip Mitchell, 8 tables, 7 rounds of 3 boards",
        "Where do I play?",
        skip_section.spaced_code,
        "NS 3 stay here all evening: Anna North5 & Bob South5",
        "EW to table 5: skip",
        "The end",
    ):
        assert said in text
    assert "version" not in text


def test_one_table_is_one_sheet(pdf, alice, skip_section):
    sheets = pdf(alice, skip_section, "table-cards.pdf?table=8")

    assert len(sheets.pages) == 1
    assert "Table\n8" in sheets.pages[0].extract_text()


def test_type_is_smaller_only_where_a_line_would_not_fit(job):
    plain = table_cards(job(section_with(16, "skip-mitchell")), SheetSelection(table=2))[0]
    sharing = table_cards(job(section_with(16, "share-and-relay")), SheetSelection(table=2))[0]

    assert [block.css for block in plain.columns[-1].blocks] == ["up strong", "down"]
    assert [block.css for block in sharing.columns[-1].blocks] == ["up strong", "down"]


def edges_of(job, section, table):
    """Return the words of the four edges, clockwise from north."""
    card, *_ = table_cards(job(section), SheetSelection(table=table))
    return [f"{edge.name}: {edge.text}" for edge in card.edges]


def test_every_player_reads_their_moves_at_their_own_edge(job):
    assert edges_of(job, section_with(16, "skip-mitchell"), 3) == [
        "North: you keep this seat all evening",
        "East: after rounds 1–3, 5–6 to table 4; after round 4 to table 5 (skip)",
        "South: you keep this seat all evening",
        "West: after rounds 1–3, 5–6 to table 4; after round 4 to table 5 (skip)",
    ]


def test_an_edge_says_the_other_direction_and_the_sit_out(job):
    assert edges_of(job, section_with(10, "howell"), 1)[1] == (
        "East: after every round to table 2, sit NS"
    )
    assert edges_of(job, section_with(9, "mitchell", missing_line="ns"), 4)[1] == (
        "East: after every round to table 5, sit out there"
    )
    assert edges_of(job, section_with(15, "skip-mitchell"), 1)[0] == (
        "North: after round 1 stay here, sit out; after rounds 2–6 stay here"
    )


def test_single_players_have_an_edge_each(job, club):
    section = section_playing(club, catalogue.build_movement("rainbow", 7), 2)

    assert edges_of(job, section, 1) == [
        "North: you keep this seat all evening",
        "East: after every round to table 3",
        "South: after every round to table 2",
        "West: after every round to table 6",
    ]


def test_an_edge_sends_to_the_list_where_every_round_is_another_move(job, club):
    section = section_playing(club, catalogue.build_movement("partial-howell", 6), 2)

    assert edges_of(job, section, 5)[:2] == [
        "North: the list says where you go",
        "East: after rounds 1, 4 stay here; after rounds 2, 6–7 to table 6, sit NS; after rounds 3, 5 to table 6",
    ]


def test_an_edge_of_a_pair_that_stays_and_turns_boards_keeps_its_seat(job, club):
    section = section_playing(club, catalogue.build_movement("partial-howell", 6), 2)

    assert edges_of(job, section, 3)[:2] == [
        "North: you keep this seat all evening",
        "East: after every round to table 4",
    ]


def test_all_four_corners_have_the_number(pdf, alice, skip_section):
    text = pdf(alice, skip_section, "table-cards.pdf?table=8").pages[0].extract_text()

    assert text.split().count("8") == 3  # the line above the grid, and two in it


def test_where_rounds_wait_for_their_draw_an_edge_says_so(job, swiss_section):
    assert edges_of(job, swiss_section, 1) == [
        f"{chair}: the draw says where you sit" for chair in ("North", "East", "South", "West")
    ]
