"""Copies of the boards on paper: every card's sentence about the boards agrees with their real places."""

import re
from html import unescape
from itertools import pairwise

import pytest
from django.utils.html import strip_tags

from bridgebuddy.director.desk.page import DeskPage, StandTile
from bridgebuddy.printing.cards.guide_cards import guide_sheets
from bridgebuddy.printing.cards.labels import board_labels
from bridgebuddy.printing.cards.stand_cards import stand_cards
from bridgebuddy.printing.cards.table_cards import table_cards
from bridgebuddy.printing.lists.master import master_sheet
from bridgebuddy.printing.selection import EVERYBODY
from bridgebuddy.printing.sheets import SHEETS, sheet_html
from movements.engine import catalogue
from movements.engine.board_copies.copies import SetCopy, copy_places
from movements.engine.boards import board_ranges, boards_of_sets
from tests.factories import begun, section_with

from .conftest import section_playing

pytestmark = pytest.mark.django_db

LETTERS = "RBGO"
#: movements with several copies of the boards, with stands, or both
CASES = [
    ("web", 14, {}),
    ("web", 16, {}),
    ("web", 17, {}),
    ("double-web", 20, {}),
    ("share-and-relay", 8, {}),
    ("share-and-relay", 8, {"two_copies": True}),
    ("share-and-relay", 8, {"each_side": True}),
    ("share-and-relay", 8, {"extra": True}),
    ("bowman", 9, {}),
    ("hybrid", 7, {}),
    ("hybrid", 8, {}),
]


@pytest.fixture(params=CASES, ids=lambda case: "-".join([case[0], str(case[1]), *case[2]]))
def playing(request, club, job):
    family, tables, options = request.param
    return job(
        section_playing(club, catalogue.build_movement(family, tables, None, None, options), 2)
    )


def plain_text(text: str) -> str:
    """Return a line as people read it."""
    return unescape(strip_tags(text))


def text_of(boards) -> str:
    return ", ".join(f"{a}–{b}" if b > a else str(a) for a, b in board_ranges(boards))


def rows_of(card):
    """A card's rows by round: its board cell, and everything under "Then"."""
    labels, *_others = card.columns[0].blocks[0].rows, None
    by_name = {column.css: column for column in card.columns}
    for index, label in enumerate(labels):
        boards = plain_text(by_name["bd"].blocks[0].rows[index])
        then = [plain_text(block.rows[index]) for block in by_name["then"].blocks]
        yield label, boards, then


def stand(where, table) -> str:
    numbered = len(where.stands) > 1
    return f"stand {where.stands.index(table) + 1}" if numbered else "the stand"


def way_text(where, way) -> str:
    """A way as a card tells it of all a table's boards."""
    tables = (
        " and ".join(
            [", ".join(map(str, way.tables[:-1])), str(way.tables[-1])][-len(way.tables) :]
        )
        if way.tables
        else ""
    )
    return {
        "stay": "Boards stay here",
        "tables": f"Boards to table{'s' if len(way.tables) > 1 else ''} {tables}",
        "stand": f"Boards to {stand(where, way.tables[0])}" if way.kind == "stand" else "",
        "aside": "Put the boards aside",
        "done": "Boards are finished",
    }[way.kind]


def test_every_card_says_of_its_boards_where_they_go(playing):
    where, movement = copy_places(playing.movement), playing.movement
    said, meant = {}, {}

    for card in table_cards(playing):
        for label, _boards, then in rows_of(card):
            if label.isdigit() and int(label) < movement.rounds:
                said[int(label), card.table] = next(
                    (line.split("; ")[0] for line in then if "oards" in line), ""
                )
    for seating in movement.seatings:
        if seating.round < movement.rounds:
            ways = {where.next_route(seating.round, seating.table, name) for name in seating.sets}
            if len(ways) == 1:
                meant[seating.round, seating.table] = way_text(where, ways.pop())

    assert {place: said.get(place) for place in meant} == meant


def test_every_card_names_the_copy_that_is_played(playing):
    where, movement = copy_places(playing.movement), playing.movement
    numbers = playing.boards_by_set

    for card in table_cards(playing):
        for label, boards, _then in rows_of(card):
            for seating in (
                movement.seatings_at_table(int(label), card.table) if label.isdigit() else ()
            ):
                (name,) = seating.sets
                letter = ""
                if where.copies_used[name] > 1:
                    copy = where.copy_at(seating.round, card.table, name)
                    letter = f" {LETTERS[copy - 1] if where.copies <= 4 else copy}"
                assert boards == text_of(numbers[name]) + letter


def test_no_two_tables_send_the_same_boards_to_one_place(club, job):
    playing = job(section_playing(club, catalogue.build_movement("web", 16), 2))
    sent = [
        (label, boards.split()[0], then[-1].split("; ")[0])
        for card in table_cards(playing)
        for label, boards, then in rows_of(card)
        if label != "13"
    ]

    to_tables = [item for item in sent if "to table" in item[2]]
    assert len(to_tables) == len(set(to_tables)) == 12 * 14


def test_what_a_table_takes_from_a_stand_is_said_with_its_boards(club, job):
    playing = job(section_playing(club, catalogue.build_movement("web", 16), 2))
    where = copy_places(playing.movement)

    cards = {card.table: card for card in table_cards(playing)}

    for table, after in ((8, 8), (16, 16)):
        rows = list(rows_of(cards[table]))
        for (_label, _boards, then), (_next, boards, _then) in pairwise(rows):
            assert then[-1].endswith(f"; take {boards.split()[0]} from {stand(where, after)}")
        assert f"S{stand(where, after)[1:]} is after table {after}." in cards[table].notes


def test_a_stands_card_says_what_waits_goes_out_and_comes_in(playing):
    where, movement = copy_places(playing.movement), playing.movement
    rounds = range(1, movement.rounds + 1)
    cards = stand_cards(playing)

    waiting = [[plain_text(row) for row in card.columns[1].blocks[0].rows] for card in cards]

    assert len({card.number for card in cards}) == len(where.stands)
    for after_table, rows in zip(where.stands, waiting, strict=True):
        for round, row in zip(rounds, rows, strict=True):
            names = {copy.name for copy in where.copies_on_stand(round, after_table)}
            boards = boards_of_sets(sorted(names), playing.boards_by_set)
            shown = [
                int(n)
                for a, b in re.findall(r"(\d+)(?:–(\d+))?", re.sub(r" [RBGO1-9](?=,|$)", "", row))
                for n in (range(int(a), int(b or a) + 1))
            ]
            assert sorted(set(shown)) == sorted(boards)


def test_the_stand_of_a_webs_half_has_its_copy_alone(club, job):
    first, second = stand_cards(job(section_playing(club, catalogue.build_movement("web", 16), 2)))

    assert (first.title, first.number, plain_text(first.where)) == (
        "Stand",
        1,
        "Only the red copy R lies here, after table 8",
    )
    rows = [[plain_text(block.rows[2]) for block in column.blocks] for column in first.columns]
    assert rows == [["3"], ["1–4, 21–26 R"], ["21–22 R to table 8"], ["5–6 R from table 1"]]
    assert plain_text(second.where) == "Only the blue copy B lies here, after table 16"


def test_a_guide_card_names_the_copy_and_what_the_letters_mean(club, job):
    playing = job(section_playing(club, catalogue.build_movement("web", 16), 2))

    card = guide_sheets(playing)[0].cards[0]

    assert [plain_text(row) for row in card.columns[2].blocks[0].rows][:2] == ["1–2 R", "3–4 R"]
    assert "R: red copy, tables 1–8. B: blue copy, tables 9–16." in [
        plain_text(n) for n in card.notes
    ]


def test_the_directors_sheet_has_the_copies_at_the_heads_of_their_tables(club, job):
    sheet = master_sheet(job(section_playing(club, catalogue.build_movement("web", 16), 2)))

    (grid,) = sheet.grids
    assert [(column.title, column.copy.letter) for column in grid.columns][6:11] == [
        ("7", "R"),
        ("8", "R"),
        ("S1", "R"),
        ("9", "B"),
        ("10", "B"),
    ]
    assert sheet.pages == 1


def test_every_copy_has_a_label_with_its_letter_and_where_it_begins(club, job):
    playing = job(section_playing(club, catalogue.build_movement("web", 16), 2))
    where = copy_places(playing.movement)

    labels = [label for sheet in board_labels(playing) for label in sheet.labels]

    assert len(labels) == 2 * len(playing.movement.sets)
    for index, label in enumerate(labels):
        copy = SetCopy(playing.movement.sets[index // 2], index % 2 + 1)
        round, spot = playing.plan.boards.first_spot(copy)
        at = f"table {spot.tables[0]}" if spot.kind == "table" else stand(where, spot.tables[0])
        assert (round, label.copy.letter) == (1, LETTERS[copy.number - 1])
        assert at in label.below[0]


def test_the_desk_has_a_letter_on_every_tile_and_a_strip_for_every_stand(club):
    section = begun(section_playing(club, catalogue.build_movement("web", 16), 2), 3)
    desk = DeskPage(section)
    where = copy_places(section.movement.movement)

    tiles = list(desk.tiles)

    for tile in tiles:
        if not isinstance(tile, StandTile):
            ((shown,),) = tile.held
            (name,) = tile.games[0].sets
            assert shown.copy.letter == LETTERS[where.copy_at(3, tile.table, name) - 1]
    strips = [tile for tile in tiles if isinstance(tile, StandTile)]
    assert [
        (strip.name, strip.boards_text, str(strip.leaving[0]), strip.key) for strip in strips
    ] == [
        ("stand 1", "1–4, 21–26 R", "21–22 R", "red"),
        ("stand 2", "11–20 B", "19–20 B", "blue"),
    ]
    assert [len(line) for line in desk.lines] == [4, 4, 1, 4, 4, 1]
    assert [str(tables) for _copy, tables in desk.copies] == ["1–8", "9–16"]


def test_with_one_copy_nothing_is_said_of_copies(job):
    playing = job(section_with(16, "share-and-relay"))

    for sheet in SHEETS.values():
        if sheet.contents(playing, EVERYBODY):
            assert 'class="copy' not in sheet_html(sheet, playing, EVERYBODY)
    assert DeskPage(playing.section).copies == []


def test_where_all_get_other_boards_after_every_round_no_copy_is_named(club, job):
    playing = job(section_playing(club, catalogue.build_movement("barometer", 5), 2))

    assert playing.plan.boards.copies == ()
    assert [label.copy.letter for label in board_labels(playing)[0].labels[:2]] == ["1", "2"]
