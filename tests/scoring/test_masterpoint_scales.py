"""Scales of masterpoints beside the Australian one: as their sources have them, and saying where they are not certain."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from django.urls import reverse

from bridgebuddy.scoring.rules.rankings.masterpoints import (
    SCALES,
    AwardedField,
    RankedPlayer,
    list_awards,
    masterpoint_scale,
)
from movements.engine.contest import Contest
from tests.factories import director_of
from tests.scoring.test_tonight import scored_section

FACTS = Path(__file__).parent.parent / "data" / "scoring" / "masterpoints_abf_session.json"
FULL = Fraction(1)
ABF, BRITISH, ACBL = "abf-session", "british-club", "acbl-club-open"


@pytest.fixture(autouse=True)
def read_anew():
    """Have every test read the scales itself."""
    masterpoint_scale.cache_clear()


def awards_of(name, places, **field):
    ranked = [RankedPlayer(place, FULL) for place in places]
    awards = list_awards(
        ranked, masterpoint_scale(name), **{"tables": 0, "boards": 24, "lists": 1} | field
    )
    return [None if award is None else float(award) for award in awards if award is not None]


def test_each_says_where_it_is_from_and_all_but_one_that_they_are_not_certain():
    known = {name: masterpoint_scale(name) for name in SCALES}

    assert all("http" in item.source for item in known.values())
    assert [name for name, item in known.items() if not item.doubt] == ["abf-session"]


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
    assert awards_of(BRITISH, places, lists=lists) == expected


def test_of_24_single_players_eight_have_something_the_last_two_the_same():
    awards = awards_of(BRITISH, range(1, 25), contest=Contest.INDIVIDUAL)

    assert awards == [24, 21, 18, 15, 12, 9, 6, 6]


@pytest.mark.parametrize(("boards", "many"), [(11, 0), (12, 3), (17, 3), (18, 4), (35, 4), (36, 6)])
def test_how_many_have_something_hangs_on_the_boards(boards, many):
    assert len(awards_of(BRITISH, range(1, 13), boards=boards)) == many


def test_half_a_table_counts_for_nothing_and_a_small_field_has_nothing():
    assert len(awards_of(BRITISH, range(1, 14), full=6)) == 4
    assert len(awards_of(BRITISH, range(1, 8), lists=2, full=6)) == 2
    assert awards_of(BRITISH, range(1, 5)) == []
    assert awards_of(BRITISH, range(1, 8), contest=Contest.INDIVIDUAL) == []


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
    awards = awards_of(name, range(1, 9), lists=2)

    assert len(awards) == many  # 40 per cent of eight is 3.2
    assert awards[0] == first
    assert awards[1] == float(round(Fraction(str(first)) * 7 / 10, 2))


def test_an_acbl_club_gives_no_more_than_its_most_and_nothing_to_teams():
    assert awards_of(ACBL, range(1, 21))[0] == awards_of(ACBL, range(1, 41))[0] == 1.5
    assert awards_of(ACBL, range(1, 9), contest=Contest.TEAMS) == []


def test_equals_share_what_their_places_have():
    assert awards_of(ACBL, [1, 1, 3, *range(4, 11)]) == [0.85, 0.85, 0.5, 0.35]


@pytest.mark.parametrize("fact", json.loads(FACTS.read_text())["examples"])
def test_an_australian_session_is_awarded_as_its_manual_says(fact):
    scale = masterpoint_scale(ABF)
    for place, key in enumerate(("winner", "second", "third", "fourth"), 1):
        if key in fact:
            found = scale.award(place, fact["tables"], lists=fact["winners"])
            assert found == Fraction(str(fact[key]))


def test_equals_share_and_who_played_too_little_has_nothing():
    scale = masterpoint_scale(ABF)
    full, half = Fraction(1), Fraction(1, 2)
    ranked = [RankedPlayer(place, full) for place in (1, 2, 2, 4)] + [RankedPlayer(5, half)] * 5

    awards = list_awards(ranked, scale, tables=9, boards=27, lists=2)

    shared = Fraction(11, 100)  # the mean of 0.126 and 0.09 is 0.108
    assert awards == [Fraction(18, 100), shared, shared, Fraction(6, 100), *[None] * 5]
    assert list_awards(ranked, scale, tables=9, boards=21, lists=2) == [None] * 9
    none = [RankedPlayer(1, half), *ranked[1:]]
    assert list_awards(none, scale, tables=9, boards=27, lists=2)[0] is None


@pytest.mark.parametrize(
    ("tables", "lists", "winner"),
    [
        (15, 1, 0.6),
        (16, 1, 0.63),  # 1 - 1/e
        (30, 2, 0.6),
        (32, 2, 0.63),
        (30, 3, 0.6),
        (8, 1, 0.32),
    ],
)
def test_an_australian_winner_has_ever_less_for_one_table_more(tables, lists, winner):
    places = range(1, 5)

    awards = awards_of(ABF, places, tables=tables, lists=lists)

    assert awards == [winner, float(round(Fraction(str(winner)) * 7 / 10, 2))]


@pytest.mark.parametrize(
    ("size", "is_third", "many"),
    [(9, False, 4), (8, False, 4), (7, True, 3), (6, True, 2), (1, False, 0), (1, True, 1)],
)
def test_half_the_pairs_have_something_and_a_third_of_the_teams(size, is_third, many):
    assert len(awards_of(ABF, range(1, size + 1), tables=9, lists=2, is_third=is_third)) == many


def test_who_has_no_place_has_no_masterpoints_and_keeps_nobody_from_theirs():
    ranked = [
        RankedPlayer(1, FULL),
        RankedPlayer(None, FULL),
        RankedPlayer(None, FULL),
        RankedPlayer(2, Fraction(3, 4)),
    ]

    awards = list_awards(ranked, masterpoint_scale(ABF), tables=5, boards=24, lists=2)

    assert awards == [Fraction(1, 10), None, None, Fraction(7, 100)]


@pytest.mark.parametrize("name", SCALES)
def test_a_better_place_never_has_less(name):
    scale = masterpoint_scale(name)

    for size, lists, contest in product((1, 2, 3, 5, 14, 31, 120), (1, 2), Contest):
        found = scale.place_awards(AwardedField(size, size, 26, lists, contest))

        assert found == sorted(found, reverse=True), (size, lists, contest)
        assert len(found) <= size
        assert all(item > 0 for item in found)


@pytest.mark.django_db
def test_whoever_chooses_one_is_told_that_it_is_not_certain(client):
    section = scored_section(8, "howell", rounds=2)
    client.force_login(director_of(section.club))

    page = client.get(reverse("classes", args=[section.code])).content.decode()

    assert "ACBL club, open (not certain)" in page
    assert "Club scale, EBU and SBU, from 12 boards on (not certain)" in page
    assert "Compare them with your federation’s rules" in page
