"""Scales of victory points: each is one file, which says everything pages and commands want to know."""

from fractions import Fraction

import pytest
from django.conf import settings
from django.utils import translation

from bridgebuddy.scoring.match_words import scales_of_imps, victory_point_scale_name
from bridgebuddy.scoring.rules.errors import ScoringError
from bridgebuddy.scoring.rules.scales.victory_points import (
    OwnScale,
    points_for_margin,
    points_for_percentage,
    read_scale,
    scales_by_name,
)

NAMES = sorted(scales_by_name())
OLD = OwnScale(
    Fraction(30), Fraction(15), (2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 33, 37), Fraction(25)
)
FILE = """
name = "Ours"
source = "our club"
total = 6
draw = 3
[words]
de = "Unsere"
[least]
"1-4" = [1, 3, 7]
"5-" = [2, 5, 9]
"""


@pytest.mark.parametrize("name", NAMES)
def test_every_scale_has_its_words_in_every_language_with_all_pages(name):
    whole = [code for code, _ in settings.LANGUAGES if code not in settings.PARTIAL_LANGUAGES]
    assert {"en", *scales_by_name()[name].words} >= set(whole)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("boards", [6, 8, 11])
def test_both_sides_of_a_match_share_the_total_and_a_greater_margin_is_never_less(name, boards):
    total = scales_by_name()[name].total
    won = [points_for_margin(name, boards, margin) for margin in range(150)]

    assert won[0] == Fraction(total, 2)
    assert won == sorted(won)
    assert won[-1] == total
    assert all(item + points_for_margin(name, boards, -m) == total for m, item in enumerate(won))


def test_pages_offer_every_scale_of_imps_and_a_table_of_one_s_own():
    offered = [name for name, _ in scales_of_imps()]

    assert offered[0] == ""
    assert offered[-1] == "own"
    assert sorted(offered[1:-1]) == [name for name in NAMES if name != "swiss-pairs"]


def test_a_scale_is_called_as_its_file_says_in_the_reader_s_language():
    with translation.override("de"):
        assert victory_point_scale_name("acbl-20") == "Siegpunkte, ACBL, von 20"
    with translation.override("ko"):
        assert victory_point_scale_name("acbl-20") == "Victory points, ACBL, of 20"


def test_a_scale_is_read_from_one_file():
    scale = read_scale(FILE, "ours.toml")

    assert (scale.name, scale.words, scale.total) == ("Ours", {"de": "Unsere"}, 6)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('name = "Ours"', "", "name is missing"),
        ("total = 6", "", "total is missing"),
        ('de = "Unsere"', "", "words is missing"),
        ('source = "our club"', "", "source is missing"),
        ("draw = 3", "draw = 2", "draw: 2 twice is not 6"),
        ("total = 6", "total = 8", "draw: 3 twice is not 8"),
        ("draw = 3", "draw = 3\nformula = 'guess'", "formula: guess is not known"),
        ("draw = 3", "draw = 3\ntop = 6", "top is not known"),
        ("draw = 3", "draw = 3\ncap = 3", "first and cap lie between draw and total"),
        ("[1, 3, 7]", "[1, 7, 3]", "least of 1-4 boards does not rise"),
        ("[1, 3, 7]", "[0, 3, 7]", "least of 1-4 boards does not rise"),
        ("[2, 5, 9]", "[2, 5]", "least of 5- boards has 2, not 3"),
        ('"5-"', '"6-"', "6- boards do not follow on 4"),
        ('"5-"', '"4-"', "4- boards do not follow on 4"),
    ],
)
def test_a_scale_that_lacks_something_or_cannot_be_is_refused(old, new, what):
    assert old in FILE
    with pytest.raises(ScoringError) as refused:
        read_scale(FILE.replace(old, new, 1), "ours.toml")
    is_told = {f"ours.toml: {what}", f"ours.toml: least: {what}"}
    assert str(refused.value) in is_told


def test_more_boards_than_a_scale_has_are_refused():
    with pytest.raises(ScoringError) as refused:
        points_for_percentage(1000, Fraction(60))

    assert str(refused.value) == "profile.vp: swiss-pairs has no column for 1000 boards"


def test_a_scale_without_a_table_is_refused():
    with pytest.raises(ScoringError, match="least is missing"):
        read_scale(FILE.partition("[least]")[0], "ours.toml")


def test_a_winner_has_no_more_than_the_cap_and_the_loser_loses_on():
    assert (points_for_margin(OLD, 8, 1), points_for_margin(OLD, 8, 2)) == (15, 16)
    assert (points_for_margin(OLD, 8, 29), points_for_margin(OLD, 8, -29)) == (25, 5)
    assert (points_for_margin(OLD, 8, 33), points_for_margin(OLD, 8, -33)) == (25, 4)
    assert (points_for_margin(OLD, 8, 90), points_for_margin(OLD, 8, -90)) == (25, 3)


def test_percentages_of_a_match_and_of_half_a_match_share_what_there_is():
    assert points_for_percentage(8, Fraction(50)) == 10
    assert points_for_percentage(8, Fraction(50), half=True) == 5
    assert (
        points_for_percentage(8, Fraction(90), half=True)
        + points_for_percentage(8, Fraction(10), half=True)
        == 10
    )
