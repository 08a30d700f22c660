"""Scales of masterpoints beside the Australian one: as their sources have them, and saying where they are not certain."""

from fractions import Fraction

import pytest
from django.urls import reverse

from bridgebuddy.scoring.rules.masterpoints import (
    SCALES,
    Field,
    Ranked,
    awards,
    masterpoint_scale,
)
from movements.engine.contest import Contest
from tests.factories import director_of
from tests.scoring.test_tonight import scored_section

FULL = Fraction(1)
BRITISH, ACBL = "british-club", "acbl-club-open"


def given(name, places, **field):
    ranked = [Ranked(place, FULL) for place in places]
    found = awards(
        ranked, masterpoint_scale(name), **{"tables": 0, "boards": 24, "lists": 1} | field
    )
    return [None if one is None else float(one) for one in found if one is not None]


def test_each_says_where_it_is_from_and_all_but_one_that_they_are_not_certain():
    known = {name: masterpoint_scale(name) for name in SCALES}

    assert all("http" in one.source for one in known.values())
    assert [name for name, one in known.items() if not one.doubt] == ["abf-session"]


@pytest.mark.parametrize(
    ("lists", "places", "expected"),
    [
        (2, range(1, 7), [20, 10]),  # six tables, two lines
        (2, [1, 1, 3, 4, 5, 6], [15, 15]),
        (2, [1, 2, 2, 4, 5, 6], [20, 10, 10]),  # nobody has less than the lowest award
        (1, range(1, 13), [24, 18, 12, 6]),  # six tables, a Howell
        (1, [1, 1, 3, 3, *range(5, 13)], [21, 21, 9, 9]),
        (1, [1, 2, 3, 3, 3, *range(6, 13)], [24, 18, 6, 6, 6]),
        (1, [1, 2, 3, 3, 3, 3, *range(7, 13)], [24, 18, 6, 6, 6, 6]),
    ],
)
def test_scottish_awards_are_those_of_the_letter_of_their_union(lists, places, expected):
    assert given(BRITISH, places, lists=lists) == expected


def test_of_24_single_players_eight_have_something_the_last_two_the_same():
    found = given(BRITISH, range(1, 25), contest=Contest.INDIVIDUAL)

    assert found == [24, 21, 18, 15, 12, 9, 6, 6]


@pytest.mark.parametrize(("boards", "many"), [(11, 0), (12, 3), (17, 3), (18, 4), (35, 4), (36, 6)])
def test_how_many_have_something_hangs_on_the_boards(boards, many):
    assert len(given(BRITISH, range(1, 13), boards=boards)) == many


def test_half_a_table_counts_for_nothing_and_a_small_field_has_nothing():
    assert len(given(BRITISH, range(1, 14), full=6)) == 4
    assert len(given(BRITISH, range(1, 8), lists=2, full=6)) == 2
    assert given(BRITISH, range(1, 5)) == []
    assert given(BRITISH, range(1, 8), contest=Contest.INDIVIDUAL) == []


@pytest.mark.parametrize(
    ("name", "first", "many"),
    [
        (ACBL, 0.8, 3),
        ("acbl-club-invitational", 0.64, 3),
        ("acbl-club-restricted", 0.64, 3),
        ("acbl-club-restricted-200", 0.56, 3),
        ("acbl-club-restricted-100", 0.48, 3),
        ("acbl-club-restricted-20", 0.4, 3),
    ],
)
def test_eight_pairs_of_an_acbl_club(name, first, many):
    found = given(name, range(1, 9), lists=2)

    assert len(found) == many  # 40 per cent of eight is 3.2
    assert found[0] == first
    assert found[1] == float(round(Fraction(str(first)) * 7 / 10, 2))


def test_an_acbl_club_gives_no_more_than_its_most_and_nothing_to_teams():
    assert given(ACBL, range(1, 21))[0] == given(ACBL, range(1, 41))[0] == 1.5
    assert given(ACBL, range(1, 9), contest=Contest.TEAMS) == []


def test_equals_share_what_their_places_have():
    assert given(ACBL, [1, 1, 3, *range(4, 11)]) == [0.85, 0.85, 0.5, 0.35]


@pytest.mark.parametrize("name", SCALES)
@pytest.mark.parametrize("size", [1, 2, 3, 5, 14, 31, 120])
@pytest.mark.parametrize("lists", [1, 2])
@pytest.mark.parametrize("contest", list(Contest))
def test_a_better_place_never_has_less(name, size, lists, contest):
    scale = masterpoint_scale(name)

    found = scale.given(Field(size, size, 26, lists, contest))

    assert found == sorted(found, reverse=True)
    assert len(found) <= size
    assert all(one > 0 for one in found)


@pytest.mark.django_db
def test_whoever_chooses_one_is_told_that_it_is_not_certain(client):
    section = scored_section(8, "howell", rounds=2)
    client.force_login(director_of(section.club))

    page = client.get(reverse("classes", args=[section.code])).content.decode()

    assert "ACBL club, open (not certain)" in page
    assert "Club scale, EBU and SBU, from 12 boards on (not certain)" in page
    assert "compare it with your federation’s rules" in page
