"""Sheets for walls, tables and places: lists, labels, tents, posters."""

import pytest

from bridgebuddy.events.services.play.changes import change_options, take_proposal
from bridgebuddy.printing.cards.labels import board_labels, name_cards
from bridgebuddy.printing.cards.tent_cards import tent_cards
from bridgebuddy.printing.lists.poster import round_posters
from bridgebuddy.printing.lists.seating import seating_list
from bridgebuddy.printing.selection import SheetSelection
from movements.engine import catalogue
from movements.engine.changes import LengthChanges
from tests.factories import section_with

from .conftest import section_playing

pytestmark = pytest.mark.django_db


def labels_of(sheets):
    return [(label.above, label.large, label.below) for sheet in sheets for label in sheet.labels]


def test_everybody_has_a_name_card_with_pair_and_table(job):
    section = section_with(8, "mitchell", rounds=2)

    sheets = name_cards(job(section))

    assert [len(sheet.labels) for sheet in sheets] == [8, 8]
    assert labels_of(sheets)[:3] == [
        ("Pair NS 1", "Anna North1", ("Table 1, North-South",)),
        ("Pair NS 1", "Bob South1", ("Table 1, North-South",)),
        ("Pair NS 2", "Anna North3", ("Table 2, North-South",)),
    ]


def test_a_player_of_an_individual_learns_the_chair(job, reference_section):
    sheets = name_cards(job(reference_section("rainbow-5x5.wikipedia")), SheetSelection(number=1))

    assert labels_of(sheets) == [("Player N 1", "Pat1 Player11", ("Table 1, North",))]


def test_a_team_learns_where_either_half_begins(job, rows, club):
    section = section_playing(club, catalogue.build_movement("team-awl", 7), 2)

    cards = labels_of(name_cards(job(section), SheetSelection(number=6)))
    by_name, _by_table = seating_list(job(section), SheetSelection(number=6))

    home, away = ("Table 6, North-South",), ("Table 1, East-West",)
    assert cards == [
        ("Team 6, Player61", "Pat1 Player61", home),
        ("Team 6, Player61", "Pat2 Player62", home),
        ("Team 6, Player61", "Pat3 Player63", away),
        ("Team 6, Player61", "Pat4 Player64", away),
    ]
    names = [row for half in by_name.halves for row in rows(half.columns)]
    assert names == [(f"Player6{n}, Pat{n}", "6", "6 & 1") for n in range(1, 5)]


@pytest.mark.parametrize(
    ("family", "options", "when", "three"),
    [
        ("team-round-robin", {}, "After the round", {1: 3, 2: 1, 3: 2}),
        ("swiss", {"odd": "triangle"}, "At half-time", {5: 7, 6: 5, 7: 6}),
    ],
)
def test_boards_of_a_triangle_learn_where_they_go(job, club, family, options, when, three):
    section = section_playing(club, catalogue.build_movement(family, 7, None, None, options), 4)

    below = [label[2] for label in labels_of(board_labels(job(section)))]

    found = {
        int(first.removeprefix("Begins at table ")): then
        for first, then in below
        if int(first[-1]) in three
    }
    assert found == {table: f"{when} to table {other}" for table, other in three.items()}


def test_two_places_in_a_round_are_both_on_the_poster(job, club):
    section = section_playing(club, catalogue.build_movement("team-awl", 7), 2)

    (poster,) = round_posters(job(section))

    assert poster.is_small
    assert poster.rounds[0].text.split("\n")[0] == "1 NS/3 EW"


def test_a_rover_that_sits_out_first_reads_so_on_its_name_card(job):
    section = section_with(11, "ew-rover")

    sheets = name_cards(job(section), SheetSelection(number=11))

    assert {below for _above, _large, below in labels_of(sheets)} == {("Sits out round 1",)}


def test_board_labels_say_where_the_boards_begin(job):
    section = section_with(16, "share-and-relay")

    assert labels_of(board_labels(job(section)))[:5] == [
        ("Set A", "Boards 1–3", ("Begins at tables 1, 8",)),
        ("Set B", "Boards 4–6", ("Begins at table 2",)),
        ("Set C", "Boards 7–9", ("Begins at table 3",)),
        ("Set D", "Boards 10–12", ("Begins at table 4",)),
        ("Set E", "Boards 13–15", ("Begins on the stand after table 4",)),
    ]


def test_every_copy_of_a_set_has_a_label(job, reference_section):
    section = reference_section("web-10x5.wikipedia")

    labels = labels_of(board_labels(job(section)))

    assert labels[:2] == [
        ("Set A", "Boards 1–2", ("Begins at table 1", "red copy")),
        ("Set A", "Boards 1–2", ("Begins at table 9", "blue copy")),
    ]


def test_the_list_for_the_door_is_in_alphabetical_order(job, rows):
    section = section_with(8, "mitchell", rounds=2)
    person = section.entries.get(position=2).players[0]
    person.name = "Zoë Ähre"
    person.save()

    by_player, by_table = seating_list(job(section))

    assert by_player.title == "Where do I sit?"
    (whole,) = by_player.halves
    assert rows(whole.columns)[:3] == [
        ("Ähre, Zoë", "EW 1", "1"),
        ("North1, Anna", "NS 1", "1"),
        ("North3, Anna", "NS 2", "2"),
    ]
    assert rows(by_table.halves[0].columns)[0] == (
        "1",
        "1 Anna North1 & Bob South1",
        "1 Zoë Ähre & Bob South2",
    )


def test_a_long_list_has_two_columns_and_then_more_sheets(job, rows):
    section = section_with(120, "skip-mitchell", rounds=9)

    sheets = seating_list(job(section))

    assert [[half.css for half in sheet.halves] for sheet in sheets] == [
        *([["left", "right"]] * 4),
        *([["whole tables"]] * 2),
    ]
    assert sum(len(rows(half.columns)) for sheet in sheets[:4] for half in sheet.halves) == 240


def test_one_number_for_all_is_told_with_its_side(job, rows):
    section = section_with(10, "howell")

    by_player, _by_table = seating_list(job(section))

    places = {row[2] for half in by_player.halves for row in rows(half.columns)}
    assert places == {f"{table} {line}" for table in range(1, 6) for line in ("NS", "EW")}


def test_whoever_sits_out_the_first_round_is_named_at_the_door(job, rows):
    section = section_with(11, "ew-rover")

    by_player, by_table = seating_list(job(section))

    assert by_table.note == "Sits out round 1: EW 6"
    out = [row for half in by_player.halves for row in rows(half.columns) if row[1] == "EW 6"]
    assert [row[2] for row in out] == ["sits out", "sits out"]


def test_a_poster_has_everybody_who_moves_and_names_who_does_not(job):
    section = section_with(16, "skip-mitchell")

    (poster,) = round_posters(job(section))

    assert [label for label, _names in poster.names] == [f"EW {n}" for n in range(1, 9)]
    assert [(r.title, r.starts) for r in poster.rounds[:2]] == [("1", "19:00"), ("2", "19:21")]
    assert poster.rounds[4].text.split("\n") == ["6", "7", "8", "1", "2", "3", "4", "5"]
    assert poster.note == (
        "Table and seat stay the same in every round for: "
        "NS 1, NS 2, NS 3, NS 4, NS 5, NS 6, NS 7, NS 8."
    )


def test_a_poster_of_an_evening_of_one_round_has_nobody_who_moves(pdf, alice, club):
    section = section_with(14, "mitchell", club=club, by=alice)
    change = LengthChanges(1)
    way = change_options(section, change)[0]
    section = take_proposal(section, way, change, plan=section.plan, by=alice)

    assert len(pdf(alice, section, "poster.pdf").pages) == 1


def test_a_poster_tells_the_side_where_pairs_change_it(job):
    section = section_with(8, "howell")

    (poster,) = round_posters(job(section))

    assert {cell.split()[1] for r in poster.rounds for cell in r.text.split("\n")} == {"NS", "EW"}


def test_rounds_and_pairs_that_do_not_fit_go_on_on_another_poster(job):
    section = section_with(20, "howell", boards_per_round=1)

    small = round_posters(job(section))
    double = round_posters(job(section), SheetSelection(is_double=True))

    everything = [(number, round) for number in range(1, 20) for round in range(1, 20)]
    for sheets in (small, double):
        assert everything == sorted(
            (int(label), int(r.title))
            for p in sheets
            for label, _names in p.names
            for r in p.rounds
        )
    assert (len(small), len(double)) == (4, 2)  # in type that is read from three metres


def test_a_tent_card_says_each_different_move_once(job, rows):
    section = section_with(16, "skip-mitchell")

    (card,) = tent_cards(job(section), SheetSelection(table=3))

    assert rows(card.columns) == [
        ("1–3, 5–6", "EW to table 4", "Boards to table 2"),
        ("4", "EW to table 5: skip", "Boards to table 2"),
        ("7", "The end", "Leave the boards here"),
    ]
    assert card.notes == ("North-South stay at this table.",)


def test_a_tent_card_names_both_lines_where_both_move(job, rows):
    section = section_with(10, "howell")

    (card,) = tent_cards(job(section), SheetSelection(table=2))

    assert rows(card.columns)[0] == (
        "1–8",
        "NS to table 3",
        "EW to table 4, sit NS",
        "Boards to table 1",
    )


def test_very_many_different_moves_take_a_second_tent(job, rows, club):
    section = section_playing(club, catalogue.build_movement("individual", 5), 1)

    cards = tent_cards(job(section), SheetSelection(table=1))

    assert [(card.part, card.parts, len(rows(card.columns))) for card in cards] == [
        (1, 2, 10),
        (2, 2, 9),
    ]


def test_both_sides_of_a_tent_say_the_same(pdf, alice, skip_section):
    sheets = pdf(alice, skip_section, "tent-cards.pdf")

    assert len(sheets.pages) == 8
    text = sheets.pages[2].extract_text()
    assert [text.count(said) for said in ("EW to table 5: skip", "Lindenhof", "Skip Mitchell")] == [
        2,
        2,
        2,
    ]


@pytest.mark.parametrize(
    ("sheet", "pages", "said"),
    [
        ("name-cards", 4, "Anna North1"),
        ("board-labels", 1, "Boards 1–3"),
        ("seating", 2, "North1, Anna"),
        ("poster", 1, "North2 & South2"),
    ],
)
def test_sheets_on_paper(pdf, alice, skip_section, sheet, pages, said):
    file = pdf(alice, skip_section, f"{sheet}.pdf")

    assert len(file.pages) == pages
    assert said in file.pages[0].extract_text()
    assert "Tuesday 24 November 2026" in file.pages[0].extract_text()


@pytest.mark.parametrize(
    ("query", "size"),
    [
        ("paper=a4", (297, 210)),
        ("paper=letter", (279.4, 215.9)),
        ("paper=a4&poster=double", (420, 297)),
        ("paper=letter&poster=double", (431.8, 279.4)),
    ],
)
def test_a_poster_has_its_paper_on_its_side_or_twice_as_large(
    pdf, alice, skip_section, query, size
):
    (page,) = pdf(alice, skip_section, f"poster.pdf?{query}").pages

    mm = 72 / 25.4
    assert (round(page.mediabox.width / mm, 1), round(page.mediabox.height / mm, 1)) == size
