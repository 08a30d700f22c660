"""Individuals with turned tables: lawful, fairer than without, as fair as the data says."""

from collections import Counter
from itertools import product

import pytest

from movements.engine import catalogue, laws
from movements.engine.fairness.balance import balance
from movements.engine.families.individual import turned_tables, unturned_individual
from movements.engine.offers import movement_for
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

    assert laws.errors(movement) == ()
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


@pytest.mark.parametrize(("size", "score"), [((12, 9), 60), ((12, 11), 71), ((29, 21), 82)])
def test_they_are_as_fair_as_those_of_other_libraries(size, score):
    assert balance(movement_for("individual", *size)).score >= score


def test_the_search_finds_the_stored_tables_again():
    stored = SIZES[12, 9]

    assert fairest(12, 9) == (stored.tables, stored.score)


def test_lengths_without_turned_tables_are_as_they_were():
    for players, rounds in ((12, 8), (16, 15), (20, 10)):
        movement = catalogue.build("individual", players // 4, rounds)
        assert (players, rounds) not in SIZES
        assert movement == unturned_individual(players // 4, rounds)
