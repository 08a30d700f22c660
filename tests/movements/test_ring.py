"""The picture of a movement in the room, and its sentences."""

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest
from django.utils import translation

from movements.engine import catalogue
from movements.engine.descriptions.shape import room_shape
from movements.library.ring import draw_ring
from movements.words.descriptions import movement_description, short_description


def drawn(family, tables, size="big", rounds=None):
    return draw_ring(catalogue.build_movement(family, tables, rounds), size)


def numbers(svg):
    return re.findall(r'class="rg-no"[^>]*>(\d+)<', svg)


@pytest.mark.parametrize("size", ["big", "medium", "small"])
def test_every_family_is_drawn_well_formed(size):
    for family in catalogue.FAMILIES:
        for tables in (*family.sizes[:2], *[size for size in family.sizes if size in (9, 20)]):
            rounds = family.default_rounds(tables) or family.possible_rounds(tables)[-1]
            movement = catalogue.build_movement(family.name, tables, rounds)
            svg = draw_ring(movement, size)
            if movement.sets:
                root = ElementTree.fromstring(svg)
                assert root.get("role") == "img" or root.get("aria-hidden") == "true"
                assert "style" not in svg
            else:
                assert svg == ""


def test_every_table_has_its_number_and_a_way_for_east_west():
    svg = drawn("mitchell", 9)

    assert sorted(map(int, numbers(svg))) == list(range(1, 10))
    assert svg.count('class="rg-e"') == 9
    assert svg.count('class="rg-b"') == 9


def test_skip_share_stand_rover_and_copies_are_drawn():
    assert "rg-skip" in drawn("skip-mitchell", 8)
    shared = drawn("share-and-relay", 8)
    assert shared.count("rg-share") == 1
    assert shared.count('class="rg-st"') == 1
    assert drawn("ew-rover", 7).count("rg-rv") == 6
    assert drawn("web", 12, rounds=9).count("rg-cp") == 12


def test_who_follows_whom_stands_in_a_ring_with_who_stays_in_its_middle():
    svg = drawn("howell", 4)

    assert svg.count('class="rg-m"') == 7
    assert "stays" in svg


def test_in_small_there_is_no_word_and_in_a_large_room_only_the_corners_have_numbers():
    assert "<text" not in drawn("skip-mitchell", 8, "small")
    assert "rg-skip" in drawn("skip-mitchell", 8, "medium")
    assert "once, after round" not in drawn("skip-mitchell", 8, "medium").partition(">")[2]
    assert sorted(map(int, numbers(drawn("mitchell", 31, "medium")))) == [1, 16, 17, 31]


def test_the_label_says_the_movement_in_sentences():
    svg = drawn("share-and-relay", 8)

    assert (
        'aria-label="East-West move up one table. Boards move down one. North-South stay.'
        " Tables 1 and 8 play the same boards and pass them to and fro."
        ' Boards wait on a stand after table 4."'
    ) in svg


@pytest.mark.parametrize(
    ("family", "tables", "short"),
    [
        ("mitchell", 9, "EW up one table, boards down one."),
        ("skip-mitchell", 8, "EW up one table, once up two."),
        ("ew-rover", 7, "EW up one table; the rover takes a seat each round."),
        ("howell", 4, "Pair 8 stays. Everybody else goes where the pair one number lower was."),
        ("rainbow", 5, "Everybody moves as the guide card says."),
    ],
)
def test_a_row_says_it_in_a_line(family, tables, short):
    assert short_description(catalogue.build_movement(family, tables)) == short


def test_what_is_not_as_always_is_told():
    said = movement_description(catalogue.build_movement("skip-mitchell", 8))

    assert "Once, after round 4: East-West move up TWO tables." in said
    with translation.override("de"):
        assert movement_description(catalogue.build_movement("mitchell", 9))


@pytest.mark.parametrize("tables", range(3, 10))
def test_chairs_and_their_places_stand_clear_of_each_other(tables):
    svg = drawn("howell", tables)

    chairs = [
        (float(x), float(y))
        for x, y in re.findall(r'<rect class="rg-[nw]" x="(-?\d+)" y="(-?\d+)" width="48"', svg)
    ]
    assert len(chairs) == 2 * tables - 1
    #: a chair with the words below it, which are as wide as twelve points a letter
    words = re.findall(r'class="rg-t"[^>]*>([^<]+)</text>', svg)
    wide = 12 * max(len(text) for text in words if text != "stays") if len(words) > 1 else 48
    for (x, y), (u, v) in combinations(chairs, 2):
        assert abs(x - u) > wide or abs(y - v) > 38 + 22 * (len(words) > 1)


@pytest.mark.parametrize("missing", [None, "EW 8", "NS 8"])
def test_a_crisscross_is_drawn_with_both_ways_and_its_boards(missing):
    movement = catalogue.build_movement("crisscross", 8, missing=missing)

    shape = room_shape(movement)
    svg = draw_ring(movement, "medium")

    ways = {(1, 8), (2, 3), (3, 2), (4, 5), (5, 4), (6, 7), (7, 6), (8, 1)}
    assert {*shape.weave} == ways - ({(8, 1)} if missing == "EW 8" else set())
    assert svg.count('class="rg-e"') == len(shape.weave)
    assert svg.count('class="rg-b"') == 8
    assert "after round 1" in svg
    assert movement_description(movement) == (
        "North-South stay.",
        "East-West of odd and even tables go opposite ways, and so do the boards.",
        "Announce the moves after each round.",
    )


@pytest.mark.parametrize("family", ["mitchell", "skip-mitchell", "share-and-relay", "howell"])
def test_no_other_movement_is_drawn_with_two_ways(family):
    tables = 8 if family != "mitchell" else 9
    assert not room_shape(catalogue.build_movement(family, tables)).weave
