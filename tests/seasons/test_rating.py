"""A rating finds what simulated clubs hide, says how sure it is, and foretells better than the mean of the last ten."""

from math import isclose
from statistics import mean

import pytest
from django.urls import reverse

from bridgebuddy.scoring.services.publishing import make_list_final
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.seasons.queries.final_lists import PLACE, final_results, lines_by_session
from bridgebuddy.seasons.queries.ratings import compared_groups, rated_people, ratings_by_person
from bridgebuddy.seasons.rules.rating import FieldResult, Ratings
from bridgebuddy.web.template_tags import long_date
from tests.factories import section_with
from tests.proofs.rating import measured, simulated

from .evenings import evening

CLUBS = 4


@pytest.fixture(scope="module")
def found():
    return [measured(simulated(seed)) for seed in range(CLUBS)]


def test_ranges_hold_the_truth_nine_times_in_ten(found):
    assert 0.85 <= mean(item.covered for item in found) <= 0.95


def test_evenings_not_seen_are_foretold_better_than_by_the_last_ten(found):
    assert all(item.score > item.score_of_last_ten for item in found)
    assert mean(item.error for item in found) < mean(item.error_of_last_ten for item in found)


def test_order_and_names_change_nothing():
    club = simulated(1)
    other = {person: f"Q{person}" for person in reversed(club.strengths)}
    renamed = [
        [
            FieldResult(tuple(other[w] for w in row.who), row.percentage, row.boards)
            for row in reversed(item)
        ]
        for item in reversed(club.evenings)
    ]

    one, two = Ratings(club.evenings).all(), Ratings(renamed).all()

    for person, rating in one.items():
        again = two[other[person]]
        assert isclose(rating.percentage, again.percentage, abs_tol=1e-9)
        assert isclose(rating.give_or_take, again.give_or_take, abs_tol=1e-9)


def field(*rows):
    return [FieldResult(tuple(person), percentage, 24) for person, percentage in rows]


def test_two_who_only_play_together_are_one_unknown_and_it_says_so():
    evenings = [
        field(("AB", 60), ("CD", 45), ("EF", 45)),
        field(("AB", 58), ("CE", 47), ("DF", 45)),
    ]

    ratings = Ratings(evenings).all()

    assert {person for person, item in ratings.items() if item.only_with} == {"A", "B"}
    assert ratings["A"].only_with == "B"
    assert isclose(ratings["A"].percentage, ratings["B"].percentage)
    assert ratings["A"].give_or_take > ratings["C"].give_or_take


@pytest.mark.parametrize(
    "evenings",
    [
        [],
        [field(("AB", 50))],
        [field(("AB", 50), ("CD", 50))] * 3,
        [field(("A", 120), ("B", -20), ("C", 50))],
    ],
)
def test_little_and_odd_is_rated_all_the_same(evenings):
    ratings = Ratings(evenings).all()

    assert len(ratings) == (
        0
        if len(evenings) < 1 or len(evenings[0]) < 2
        else len({person for row in evenings[0] for person in row.who})
    )
    assert all(rating.give_or_take > 0 for rating in ratings.values())


def line(person, place, number=None):
    kept = [[person], 0, "50", place, 24, None, None, None]
    return kept if number is None else [*kept, number]


@pytest.mark.parametrize(
    "lines",
    [
        [line(1, 1), line(2, 2), line(3, None), line(4, 1), line(5, 2)],  # as it was kept at first
        [line(1, 1, 0), line(2, 2, 0), line(3, None, 0), line(4, 1, 1), line(5, 2, 1)],
        [line(1, 1, 0), line(2, 1, 0), line(3, 1, 0), line(4, 1, 1), line(5, 1, 1)],
        [line(1, 1, 0), line(2, 2, 0), line(3, 3, 0), line(4, None, 1), line(5, None, 1)],
    ],
)
def test_two_lists_of_an_evening_are_two_fields(lines):
    found = list(compared_groups(lines))

    assert [[row.who[0] for row in group] for group in found] == [["1", "2", "3"], ["4", "5"]]


@pytest.mark.django_db
def test_a_line_in_which_all_are_level_is_a_field_of_its_own(club, alice):
    section = section_with(6, "mitchell", rounds=3, round=3, club=club, by=alice)
    for play in section.plays.exclude(ns=None).exclude(ew=None):
        enter_result(section, play.pk, {"score": 110}, by=alice)
    make_list_final(section, by=alice)
    known = final_results(club)

    [kept] = lines_by_session(known).values()

    assert [item[PLACE] for item in kept] == [1] * 6
    assert [len(group) for group in compared_groups(kept)] == [3, 3]
    ratings = ratings_by_person(club)
    assert {rating.percentage for rating in ratings.values()} == {50}
    assert all(rating.give_or_take > 1 for rating in ratings.values())


def test_evenings_on_which_all_were_level_make_nobody_certain():
    ratings = Ratings([field(("AB", 50), ("CD", 50), ("AC", 50))] * 20).all()

    assert all(rating.give_or_take > 0.5 for rating in ratings.values())


@pytest.mark.django_db
def test_a_club_has_no_rating_until_a_director_wants_it(client, club, alice):
    evening(club, alice, str(club.today))
    client.force_login(alice)
    address = reverse("rating", args=[club.pk])
    before = client.get(address).content.decode()

    client.post(address, {"do": "on"})
    with_it = client.get(address).content.decode()
    client.post(address, {"do": "off"})

    assert "Anna North1" not in before
    assert "only with Bob South1" in with_it
    assert "Bob South1" not in client.get(address).content.decode()


@pytest.mark.django_db
def test_ratings_are_taken_as_strengths_where_a_director_says_so(client, club, alice):
    evening(club, alice, str(club.today))
    client.force_login(alice)
    address = reverse("rating", args=[club.pk])
    client.post(address, {"do": "strengths"})
    assert not club.people.exclude(strength=None).exists()

    client.post(address, {"do": "on"})
    client.post(address, {"do": "strengths"})

    assert f"Last done on {long_date(club.today)}" in client.get(address).content.decode()
    known = {person.name: rating.percentage for person, rating, _ in rated_people(club)}
    strengths = dict(club.people.values_list("name", "strength"))
    assert strengths == {name: round(10 * percentage) for name, percentage in known.items()}
