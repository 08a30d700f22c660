"""The director's sheet: the whole movement, sentences to say, and names."""

import pytest
from django.utils import translation

from bridgebuddy.printing.cards.guide_cards import guide_sheets
from bridgebuddy.printing.lists import master
from bridgebuddy.printing.lists.master import MasterCell, master_sheet
from bridgebuddy.printing.lists.poster import round_posters
from bridgebuddy.printing.measure import text_width
from movements.engine import catalogue
from tests.factories import section_with

from .conftest import section_playing

pytestmark = pytest.mark.django_db


def sayings_of(sheet):
    return [(saying.when, str(saying.say)) for saying in sheet.sayings]


def test_the_grid_has_rounds_times_pairs_and_boards(job):
    section = section_with(16, "skip-mitchell")

    sheet = master_sheet(job(section))

    (grid,) = sheet.grids
    assert grid.rounds == ("1", "2", "3", "4", "5", "6", "7")
    assert grid.starts == ("19:00", "19:21", "19:42", "20:03", "20:24", "20:45", "21:06")
    assert [column.title for column in grid.columns] == list("12345678")
    assert grid.columns[2].cells == (
        MasterCell("3", "7–9"),
        MasterCell("2", "10–12"),
        MasterCell("1", "13–15"),
        MasterCell("8", "16–18"),
        MasterCell("6", "19–21"),
        MasterCell("5", "22–24"),
        MasterCell("4", "1–3"),
    )
    assert grid.sit_outs == ()
    assert sheet.key == (
        "In each field: the East-West pair, then its boards."
        " North-South have the number of their table.",
    )
    assert sheet.pages == 1


def test_a_planned_break_is_in_the_times_that_are_printed(job):
    section = section_with(16, "skip-mitchell")
    section.break_after, section.break_minutes = 3, 20
    section.save()
    printed = job(section)

    (grid,) = master_sheet(printed).grids
    assert grid.starts == ("19:00", "19:21", "19:42", "20:23", "20:44", "21:05", "21:26")
    card = guide_sheets(printed)[0].cards[0]
    assert "Round 7 is the last; it ends about 21:47." in card.notes
    starts = [column.starts for poster in round_posters(printed) for column in poster.rounds]
    assert tuple(starts) == grid.starts


def test_matches_of_teams_are_at_the_table_of_every_team(job, club):
    sheet = master_sheet(
        job(section_playing(club, catalogue.build_movement("team-round-robin", 7), 2))
    )

    (grid,) = sheet.grids
    assert [column.title for column in grid.columns] == list("1234567")
    assert [column.cells[0] for column in grid.columns] == [
        MasterCell(pairs) for pairs in "3127654"
    ]


def test_the_usual_announcement_comes_first_and_the_skip_by_itself(job):
    section = section_with(16, "skip-mitchell")

    sheet = master_sheet(job(section))

    assert sayings_of(sheet) == [
        ("After rounds 1–3, 5–6:", "East-West move up one table. Boards move down one."),
        (
            "After round 4:",
            "East-West move up <em>TWO tables</em>: this is the skip. Boards move down one.",
        ),
    ]


def test_in_a_crisscross_every_saying_names_its_rounds(job):
    sheet = master_sheet(job(section_with(16, "crisscross")))

    assert [saying.when for saying in sheet.sayings] == [
        "After odd rounds:",
        "After rounds 2, 6:",
        "After round 4:",
    ]


def test_a_half_table_is_named_in_the_grid_and_among_the_sit_outs(job):
    section = section_with(9, "mitchell", missing_line="ns")

    (grid,) = master_sheet(job(section)).grids

    assert grid.columns[4].cells[0] == MasterCell("–", "13–15")
    assert grid.sit_outs == ("EW 5", "EW 4", "EW 3", "EW 2", "EW 1")


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_headings_have_room_in_both_languages(job, language):
    with translation.override(language):
        (grid,) = master_sheet(job(section_with(9, "mitchell"))).grids

        assert text_width(translation.gettext("Sits out"), 10.5, 800) < grid.out
        assert text_width(translation.gettext("Starts"), 12, 800) < 14


def test_waiting_sets_stand_between_their_tables_and_sharing_is_said(job):
    section = section_with(16, "share-and-relay")

    sheet = master_sheet(job(section))

    (grid,) = sheet.grids
    assert [column.title for column in grid.columns][3:6] == ["4", "Stand", "5"]
    assert [cell.boards for cell in grid.columns[4].cells][:3] == ["13–15", "16–18", "19–21"]
    assert sheet.key[1] == (
        "Stand, after table 4: the boards that wait there. Table 4 takes boards from the "
        "stand, table 5 brings boards to it."
    )
    assert sheet.notes == ("Tables 1 and 8 share their boards in every round.",)
    assert len(sheet.sayings) == 1


def test_sixty_tables_are_several_grids_of_all_rounds(job):
    section = section_with(120, "skip-mitchell", rounds=9)

    sheet = master_sheet(job(section))

    assert [len(grid.columns) for grid in sheet.grids] == [15] * 4
    assert [
        contestant.label for block in sheet.names for column in block for contestant in column
    ] == [
        *(f"NS {n}" for n in range(1, 61)),
        *(f"EW {n}" for n in range(1, 61)),
    ]


@pytest.mark.parametrize("family", ["web", "share-and-relay"])
def test_all_cells_have_room_where_a_stand_holds_many_boards(job, club, family):
    printed = job(section_playing(club, catalogue.build_movement(family, 20), 2))
    rows = master._grid_rows(printed)

    look = master._best_look(printed, rows)

    room = max(printed.size) - 26 - master.BESIDE - master.sit_out_column_width(printed)
    space = room / look.columns - master.INSIDE
    columns = list(master._table_columns(printed, rows, look))
    assert any(column.is_stand for column in columns)
    assert all(master._can_fit_column(column, space, look.points) for column in columns)


def test_parts_of_a_round_are_lines_of_the_grid(job, reference_section):
    section = reference_section("two-way-rover-4half-4r.wikipedia")

    (grid,) = master_sheet(job(section)).grids

    assert grid.rounds[:4] == ("1a", "1b", "2a", "2b")
    assert grid.columns[1].cells[:2] == (MasterCell("2–6", "3"), MasterCell("9–6", "4"))
    assert grid.columns[0].cells[1] == MasterCell("same")


def test_the_sheet_on_paper_has_everything_on_one_landscape_page(pdf, alice, skip_section):
    sheets = pdf(alice, skip_section, "master.pdf")

    (page,) = sheets.pages
    text = page.extract_text().replace(" :", ":")  # the bold words before it end a little apart
    assert page.mediabox.width > page.mediabox.height
    assert "Tuesday Pairs: director’s sheet" in text
    assert "After round 4: East-West move up TWO tables: this is the skip." in text
    assert "EW 3" in text
    assert "Anna North6 & Bob South6" in text


@pytest.mark.parametrize(
    ("family", "tables"),
    [("web", 16), ("share-and-relay", 16), ("mitchell", 15), ("crisscross", 16), ("howell", 8)],
)
def test_up_to_sixteen_tables_everything_is_on_one_page(pdf, job, alice, club, family, tables):
    section = section_playing(club, catalogue.build_movement(family, tables), 2)

    assert master_sheet(job(section)).pages == len(pdf(alice, section, "master.pdf").pages) == 1


def test_big_sheets_number_their_pages_and_name_the_session_on_each(pdf, job, alice, club):
    section = section_with(120, "skip-mitchell", rounds=9, club=club, by=alice)

    sheets = pdf(alice, section, "master.pdf")

    count = len(sheets.pages)
    assert count == master_sheet(job(section)).pages > 2
    for number, page in enumerate(sheets.pages, start=1):
        text = page.extract_text()
        assert f"{number} / {count}" in text
        assert "Tuesday 24 November 2026, Tuesday Pairs, Lindenhof Bridge Club" in text
