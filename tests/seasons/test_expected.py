"""Expected results of an evening: from a pair's opponents and earlier sessions, and only in a club with ratings."""

from math import isclose
from statistics import mean

import pytest
from django.urls import reverse

from bridgebuddy.clubs.models import Person
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.seasons.models import RatingSettings
from bridgebuddy.seasons.queries.expected import expected_ranges, expected_results_of_rankings
from bridgebuddy.seasons.queries.ratings import ratings_before
from bridgebuddy.seasons.rules.expected import BoardMeeting, strength_shares
from bridgebuddy.seasons.rules.rating import FieldResult, Ratings
from movements.engine import catalogue
from tests.proofs.rating import simulated

from .evenings import evening

CLUBS, SEEN = 6, 50


def plays_of(movement):
    return [
        BoardMeeting(str(board), str(seating.ns), str(seating.ew))
        for seating in movement.seatings
        if seating.ns is not None and seating.ew is not None
        for board in seating.sets
    ]


def test_where_everybody_is_compared_alike_it_is_own_strength_less_the_mean_of_the_others():
    shares = strength_shares(plays_of(catalogue.build_movement("howell", 4)))

    for person, share in shares.items():
        assert isclose(share.weights[person], 1)
        others = [weight for other, weight in share.weights.items() if other != person]
        assert len(others) == 7
        assert all(isclose(weight, -1 / 7) for weight in others)


def test_in_two_lines_opponents_cancel_out_and_the_others_of_the_line_count():
    shares = strength_shares(plays_of(catalogue.build_movement("mitchell", 5)))

    weights = shares["1"].weights
    assert isclose(sum(weights[str(number)] for number in range(2, 6)), -1)
    assert all(isclose(weights[str(number)], 0, abs_tol=1e-12) for number in range(6, 11))


def test_a_board_that_nobody_else_played_says_nothing():
    both = [
        BoardMeeting("1", "A", "B"),
        BoardMeeting("1", "C", "D"),
        BoardMeeting("2", "A", "D"),
        BoardMeeting("2", "C", "B"),
    ]

    assert strength_shares(
        [BoardMeeting("0", "A", "B"), *both, BoardMeeting("3", "C", "B")]
    ) == strength_shares(both)


def test_who_met_the_weak_is_expected_to_have_more():
    # the strong have met B and the weak D: at both boards A sat against D and C against B
    plays = [
        BoardMeeting("1", "A", "D"),
        BoardMeeting("1", "C", "B"),
        BoardMeeting("2", "A", "D"),
        BoardMeeting("2", "C", "B"),
    ]
    field = [FieldResult(("b", "b2"), 65.0, 24), FieldResult(("d", "d2"), 35.0, 24)]
    field += [FieldResult(("a", "a2"), 50.0, 24), FieldResult(("c", "c2"), 50.0, 24)]
    people = {name: (name.lower(), f"{name.lower()}2") for name in "ABCD"}
    ratings = Ratings([field] * 5)

    found = expected_ranges(ratings.excerpt(ratings.people), plays, people)

    assert found["A"].percentage > 60
    assert isclose(found["A"].percentage + found["C"].percentage, 100)
    assert isclose(found["A"].percentage + found["D"].percentage, 100)


def test_nine_results_in_ten_are_within_the_range():
    within = []
    for seed in range(CLUBS):
        club = simulated(seed)
        ratings = Ratings(club.evenings[:SEEN])
        known = ratings.excerpt(ratings.people)
        for field in club.evenings[SEEN:]:
            for row in field:
                others = -1 / (len(field) - 1)
                weights = {
                    person: 1.0 if item is row else others for item in field for person in item.who
                }
                outlook = known.expected_range(weights, row.boards)
                within.append(abs(row.percentage - outlook.percentage) <= outlook.give_or_take)

    assert 0.85 <= mean(within) <= 0.95


def test_of_whom_nothing_is_known_the_range_is_wider():
    ratings = Ratings(simulated(1).evenings)
    excerpt = ratings.excerpt(ratings.people[:2])

    known, unknown = (
        excerpt.expected_range({person: 1.0}, 24) for person in (ratings.people[0], "stranger")
    )

    assert unknown.percentage == 50
    assert unknown.give_or_take > known.give_or_take


def test_what_is_known_of_some_says_of_them_what_all_of_it_says():
    club = simulated(2)
    ratings = Ratings(club.evenings[:SEEN])
    field = club.evenings[SEEN]

    some = ratings.excerpt(person for row in field for person in row.who)

    for row in field:
        others = -1 / (len(field) - 1)
        weights = {person: 1.0 if item is row else others for item in field for person in item.who}
        outlook = some.expected_range(weights, row.boards)
        assert isclose(
            outlook.percentage, 50 + sum(some.strengths[w] * weights[w] for w in weights)
        )
        assert isclose(outlook.give_or_take, 1.645 * ratings.uncertainty_of_row(row, field))


def told_of(section):
    return expected_results_of_rankings(
        ScoredSession(SessionSnapshot(section)), ratings_before(section.session)
    )


@pytest.fixture
def tonight(club, alice):
    """An evening after four others."""
    for day in ("03", "10", "17", "24"):
        evening(club, alice, f"2026-11-{day}")
    return evening(club, alice, "2026-12-01", is_final=False)


@pytest.mark.django_db
def test_a_club_that_does_not_rate_is_told_nothing_of_it(client, club, alice, tonight):
    client.force_login(alice)
    address = reverse("ranking", args=[tonight.code]) + "?open=review"
    without = client.get(address).content.decode()
    RatingSettings.objects.create(club=club)

    with_it = client.get(address).content.decode()

    assert "Expected results" not in without
    assert "Expected results" in with_it
    assert with_it.count(" ± ") == 4


@pytest.mark.django_db
def test_it_is_what_was_known_before_and_changes_with_nothing_that_came_after(club, alice, tonight):
    RatingSettings.objects.create(club=club)
    [before] = told_of(tonight)

    play = tonight.plays.exclude(ns=None).exclude(ew=None).first()
    enter_result(tonight, play.pk, {"score": 1400}, by=alice)
    evening(club, alice, "2026-12-08")
    [after] = told_of(type(tonight).objects.get(pk=tonight.pk))

    def outlooks_of(found):
        return {row.standing.names: row.outlook for row in found.rows}

    assert outlooks_of(before) == outlooks_of(after)
    assert {row.reached for row in before.rows} != {row.reached for row in after.rows}
    assert [row.standing.place for row in after.rows] == sorted(
        row.standing.place for row in after.rows
    )


@pytest.mark.django_db
def test_of_a_pair_with_somebody_new_nothing_is_said(client, club, alice, tonight):
    RatingSettings.objects.create(club=club)
    new = Person.objects.create(club=club, name="Nora Neu")
    tonight.entries.first().entry_people.filter(position=1).update(person=new)

    [found] = told_of(tonight)
    client.force_login(alice)
    page = client.get(reverse("ranking", args=[tonight.code]) + "?open=review").content.decode()

    assert sum(row.outlook is None for row in found.rows) == 1
    assert page.count("too new") == 1


@pytest.mark.django_db
def test_a_first_evening_expects_nothing(club, alice):
    RatingSettings.objects.create(club=club)

    assert told_of(evening(club, alice, "2026-12-01")) == []
