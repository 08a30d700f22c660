"""Individuals with turned tables: lawful, fairer than without, as fair as the data says."""

from collections import Counter
from itertools import product
from random import Random

import pytest

from movements.engine import catalogue, laws
from movements.engine.fairness.balance import balance
from movements.engine.families.individuals.individual import (
    even_individuals,
    turned_tables,
    unturned_individual,
)
from movements.engine.offers import movement_for
from tests.proofs.searches.even_individuals import TOO_OFTEN, RoundSeats
from tests.proofs.searches.individual_turns import fairest

SIZES = {(size.players, size.rounds): size for size in turned_tables()}


def meetings(movement):
    partners = Counter(frozenset(side) for s in movement.seatings for side in (s.ns, s.ew))
    opponents = Counter(frozenset(two) for s in movement.seatings for two in product(s.ns, s.ew))
    return partners, opponents


@pytest.mark.parametrize(("players", "rounds"), SIZES)
def test_turned_tables_make_it_as_fair_as_the_data_says_and_change_no_meeting(players, rounds):
    size = SIZES[players, rounds]
    movement = movement_for("individual", players, rounds)
    plain = unturned_individual(players // 4, rounds, players % 4)

    assert laws.find_errors(movement) == ()
    assert balance(movement).score == size.score > balance(plain).score
    assert meetings(movement) == meetings(plain)
    for round, tables in enumerate(size.tables, start=1):
        turned = {
            old.table
            for old, new in zip(plain.in_round(round), movement.in_round(round), strict=True)
            if old != new
        }
        assert turned == {*tables}
        assert 2 * len(turned) <= movement.tables


@pytest.mark.parametrize(
    ("size", "score"), [((12, 9), 60), ((12, 11), 71), ((28, 7), 65), ((29, 21), 82)]
)
def test_they_are_as_fair_as_those_of_other_libraries(size, score):
    assert balance(movement_for("individual", *size)).score >= score


@pytest.mark.parametrize("size", even_individuals())
def test_individuals_without_a_rule_are_as_fair_as_the_data_says_and_nobody_meets_too_often(size):
    players, rounds = size
    movement = movement_for("individual", players, rounds)
    partners, opponents = meetings(movement)

    assert laws.find_errors(movement) == ()
    assert balance(movement).score == even_individuals()[size].score
    assert balance(movement).score > balance(unturned_individual(players // 4, rounds)).score
    assert max(partners.values()) == 1
    assert max(opponents.values()) == 2
    assert not {*SIZES} & {size}


def test_the_search_for_even_individuals_counts_what_an_exchange_changes():
    """The growth used for an exchange equals the difference of two full counts."""
    rng = Random(5)
    search = RoundSeats(16, 5, Random(1))
    worth = 0
    for _ in range(200):
        round, (one, other) = rng.randrange(5), rng.sample(range(16), 2)
        if one // 2 == other // 2:
            continue
        before = search.squares + TOO_OFTEN * search.too_often // 2
        grown = search.growth(round, one, other)
        search.exchange(round, one, other)
        assert search.squares + TOO_OFTEN * search.too_often // 2 == before + grown
        worth += grown != 0
    assert worth > 100


def test_the_search_finds_the_stored_tables_again():
    stored = SIZES[12, 9]

    assert fairest(12, 9) == (stored.tables, stored.score)


def test_lengths_without_turned_tables_are_as_they_were():
    for players, rounds in ((12, 8), (16, 15), (20, 10)):
        movement = catalogue.build_movement("individual", players // 4, rounds)
        assert (players, rounds) not in SIZES
        assert movement == unturned_individual(players // 4, rounds)
