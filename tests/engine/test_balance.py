"Comparisons between contestants, and how evenly: identities, published figures, known optima."

import json
from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from movements.engine import catalogue
from movements.engine.fairness.balance import Comparisons, balance
from movements.engine.fairness.influences import influences
from movements.engine.files import document
from movements.engine.model import players_of
from movements.engine.options import (
    arrow_switched,
    curtailed_movement,
    merge_fields,
    remove_contestant,
)

from .possible import howell_bound, howell_bound_by_boards, mitchell_bound

REFERENCE = Path(__file__).parent.parent / "data" / "reference"

few = settings(deadline=None, derandomize=True, max_examples=40)


def printed(name):
    text = (REFERENCE / f"{name}.json").read_text(encoding="utf-8")
    return document.read_movement(json.loads(text)).movement


def complete(tables):
    """Return a Mitchell in which every pair meets every pair of the other line."""
    return catalogue.build_movement("mitchell" if tables % 2 else "share-and-relay", tables)


@st.composite
def switched_movements(draw):
    """One-winner movements made from a Mitchell, some tables turned anywhere, whole or not."""
    tables = draw(st.integers(4, 9))
    family = draw(
        st.sampled_from(["mitchell"] if tables % 2 else ["skip-mitchell", "share-and-relay"])
    )
    movement = catalogue.build_movement(family, tables)
    movement = curtailed_movement(movement, draw(st.integers(2, movement.rounds)))
    if draw(st.booleans()):
        movement = remove_contestant(
            movement, movement.label(draw(st.sampled_from(movement.contestants)))
        )
    movement = merge_fields(movement)
    places = sorted({(seating.round, seating.table) for seating in movement.seatings})
    for round, table in draw(st.sets(st.sampled_from(places))):
        movement = arrow_switched(movement, {round}, {table})
    return movement


any_movement = st.one_of(
    switched_movements(),
    st.sampled_from(
        [
            "two-way-rover-4half-4r.wikipedia",
            "scissors-howell-3x5.wikipedia",
            "web-11x5.wikipedia",
            "rainbow-5x5.wikipedia",
            "shomate-2x7.wikipedia",
            "ns-rover-mitchell-7.peach",
        ]
    ).map(printed),
)


def plays_of(movement):
    """Every set's plays, as (N-S players, E-W players)."""
    plays = defaultdict(list)
    for seating in movement.seatings:
        if seating.is_played:
            for name in seating.sets:
                plays[name].append((players_of(seating.ns), players_of(seating.ew)))
    return plays


def weight_by_the_book(movement, one, other, is_percentage=False):
    """The opposition weight, added up board by board from its definition."""
    total = Fraction(0)
    for plays in plays_of(movement).values():
        seats = {}
        for table, (ns, ew) in enumerate(plays):
            seats |= dict.fromkeys(ns, (table, "ns")) | dict.fromkeys(ew, (table, "ew"))
        if one not in seats or other not in seats or len(plays) < 2:
            continue
        table_one, side_one = seats[one]
        table_other, side_other = seats[other]
        sign = 1 if side_one == side_other else -1
        weight = -sign * (len(plays) - 1) if table_one == table_other else sign
        total += Fraction(weight, len(plays) - 1 if is_percentage else 1)
    return total


# ── what holds of every movement ──


@few
@given(any_movement)
def test_the_weights_are_those_of_the_definition(movement):
    measured = balance(movement)

    assert measured.weights == tuple(
        tuple(
            weight_by_the_book(movement, p, q, measured.is_percentage) if p != q else 0
            for q in movement.contestants
        )
        for p in movement.contestants
    )


@few
@given(any_movement, st.data())
def test_a_contestants_score_is_the_weights_applied_to_strengths(movement, data):
    """Every play's result is the difference of strengths; a score adds up all comparisons."""
    measured = balance(movement)
    strength = {
        p: data.draw(st.integers(-50, 50), label=f"strength of {p}") for p in movement.contestants
    }

    score = dict.fromkeys(movement.contestants, Fraction(0))
    for plays in plays_of(movement).values():
        results = [sum(strength[p] for p in ns) - sum(strength[p] for p in ew) for ns, ew in plays]
        per = len(plays) - 1 if measured.is_percentage and len(plays) > 1 else 1
        for (ns, ew), result in zip(plays, results, strict=True):
            beaten_by = Fraction(sum(result - other for other in results), per)
            for p in ns:
                score[p] += beaten_by
            for p in ew:
                score[p] -= beaten_by

    for p in movement.contestants:
        row = measured.weights[p - 1]
        assert score[p] == sum(row) * strength[p] - sum(
            w * strength[q] for w, q in zip(row, movement.contestants, strict=True)
        )


@few
@given(switched_movements())
def test_row_sums_and_the_total_do_not_depend_on_the_directions(movement):
    measured = balance(movement)
    plays = {name: len(found) for name, found in plays_of(movement).items()}
    weights_per_board = {
        name: Fraction(1) if measured.is_percentage and k > 1 else Fraction(k - 1)
        for name, k in plays.items()
    }

    for p in movement.contestants:
        assert sum(measured.weights[p - 1]) == sum(
            weights_per_board[name] for name in movement.sets_played(p)
        )
    couples = comb(len(movement.contestants), 2)
    assert measured.mean * couples == sum(k * weights_per_board[name] for name, k in plays.items())


@few
@given(switched_movements())
def test_evenness_and_luck_follow_from_the_weights(movement):
    measured = balance(movement)
    (field,) = measured.fields
    weights = [measured.weight(p, q) for p, q in combinations(movement.contestants, 2)]
    mean = sum(weights, Fraction(0)) / len(weights)
    variance = sum(((w - mean) ** 2 for w in weights), Fraction(0)) / len(weights)

    assert (field.mean, field.minimum, field.maximum) == (mean, min(weights), max(weights))
    assert field.sd == pytest.approx(sqrt(variance))
    assert field.quality == pytest.approx(100 / (1 + variance / mean**2))
    for p in movement.contestants:
        row = [measured.weight(p, q) for q in movement.contestants if q != p]
        usual = Fraction(sum(row, Fraction(0)), len(row))
        error = sqrt(sum((w - usual) ** 2 for w in row))
        own = float(sum(row) + usual)  # 0 for a pair that is never compared
        assert measured.lucks[p - 1] == pytest.approx(error / own if own else 0.0)
    assert measured.luck == pytest.approx(
        sqrt(sum(u * u for u in measured.lucks) / len(measured.lucks))
    )
    assert measured.largest_luck == max(measured.lucks)


@few
@given(switched_movements(), st.integers(2, 4))
def test_more_boards_in_a_set_scale_the_weights_and_change_no_fairness(movement, boards):
    one, several = balance(movement), balance(movement, boards)

    assert several.weights == tuple(tuple(boards * w for w in row) for row in one.weights)
    assert several.same == tuple(tuple(boards * n for n in row) for row in one.same)
    assert several.sd == pytest.approx(boards * one.sd)
    assert (several.quality, several.luck) == (pytest.approx(one.quality), pytest.approx(one.luck))


# ── published figures ──


def test_the_published_three_quarter_howell_has_the_printed_frequencies():
    """The encyclopaedia counts how often two pairs hold the same cards (its 1&6 should be 2&6)."""
    movement = printed("partial-howell-6x8.wikipedia")
    measured = balance(movement)

    couples = {
        (int(movement.number(p)), int(movement.number(q))): measured.comparisons(p, q)
        for p, q in combinations(movement.contestants, 2)
    }
    by_frequency = defaultdict(set)
    for (p, q), counted in couples.items():
        by_frequency[counted.same].add((*sorted((p, q)), counted.against == 0))

    assert {times: len(found) for times, found in by_frequency.items()} == {
        0: 1, 1: 4, 2: 5, 3: 17, 4: 25, 5: 10, 6: 3, 7: 1,
    }  # fmt: skip
    assert by_frequency[0] == {(6, 9, False)}
    assert by_frequency[1] == {(1, 7, True), (3, 11, False), (4, 6, True), (5, 7, True)}
    assert by_frequency[2] == {
        (p, q, False) for p, q in [(1, 10), (1, 11), (2, 9), (2, 10), (2, 11)]
    }
    assert by_frequency[6] == {(1, 5, True), (2, 6, True), (10, 11, True)}
    assert by_frequency[7] == {(4, 9, False)}


@pytest.mark.parametrize(
    ("name", "sd", "quality", "luck"),
    [
        ("partial-howell-6x8.wikipedia", 3.700, 49.1, 28.1),
        ("hesitation-5x6.wikipedia", 2.076, 62.3, 23.4),
        ("howell-3x5.wikipedia", 1.633, 60.0, 30.4),
    ],
)
def test_published_movements_have_the_known_evenness(name, sd, quality, luck):
    measured = balance(printed(name))

    assert measured.sd == pytest.approx(sd, abs=0.0006)
    assert round(measured.quality, 1) == quality
    assert round(100 * measured.luck, 1) == luck


def test_the_published_three_quarter_howell_is_as_uneven_as_is_known():
    measured = balance(printed("partial-howell-6x8.wikipedia"))

    assert (measured.mean, measured.smallest_weight, measured.largest_weight) == (
        Fraction(40, 11),
        -6,
        12,
    )
    assert round(100 * measured.largest_luck, 1) == 38.8
    assert (measured.score, measured.word) == (72, "uneven")


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("howell-4x7.wikipedia", Comparisons(same=3, opposite=3, against=1, together=0)),
        ("hybrid-4x7.wikipedia", Comparisons(same=3, opposite=3, against=1, together=0)),
        ("scissors-howell-3x5.wikipedia", Comparisons(same=4, opposite=4, against=2, together=0)),
    ],
)
def test_perfect_howells_compare_every_couple_alike(name, counts):
    movement = printed(name)
    measured = balance(movement)

    assert {measured.comparisons(p, q) for p, q in combinations(movement.contestants, 2)} == {
        counts
    }
    assert (measured.sd, measured.quality, measured.luck) == (0.0, 100.0, 0.0)
    assert (measured.score, measured.word) == (100, "very even")


@pytest.mark.parametrize("tables", range(3, 21))
def test_a_complete_mitchell_with_two_winners_is_perfectly_fair(tables):
    measured = balance(complete(tables))

    assert measured.lucks == (0.0,) * (2 * tables)
    assert [(f.name, f.mean, f.sd) for f in measured.fields] == [
        ("ns", tables, 0),
        ("ew", tables, 0),
    ]
    assert {measured.weight(1, q) for q in range(tables + 1, 2 * tables + 1)} == {0}


@pytest.mark.parametrize(
    "name",
    ["awl-5x5.wikipedia", "barometer-mitchell-6x6.wikipedia", "two-stanza-6x6.wikipedia"],
)
def test_other_complete_mitchells_are_perfectly_fair_too(name):
    assert set(balance(printed(name)).lucks) == {0.0}


@pytest.mark.parametrize(
    ("family", "tables", "rounds", "luck"),
    [
        ("skip-mitchell", 8, 7, 13.5),
        ("skip-mitchell", 10, 9, 10.6),
        ("skip-mitchell", 12, 11, 8.7),
        ("skip-mitchell", 14, 13, 7.4),
        ("mitchell", 9, 7, 20.7),
        ("mitchell", 13, 9, 22.4),
        ("web", 10, 9, 10.5),
        ("web", 14, 9, 19.9),
        ("web", 20, 13, 16.4),
    ],
)
def test_incomplete_mitchells_with_two_winners_have_the_known_luck(family, tables, rounds, luck):
    measured = balance(catalogue.build_movement(family, tables, rounds))

    assert round(100 * measured.luck, 1) == luck
    assert [round(100 * field.luck, 1) for field in measured.fields] == [luck, luck]


@pytest.mark.parametrize(("tables", "sd"), [(5, 2.4845), (7, 3.4896), (9, 4.4922), (13, 6.4948)])
def test_unswitched_mitchells_have_moores_deviation(tables, sd):
    assert round(balance(merge_fields(complete(tables))).sd, 4) == sd


@pytest.mark.parametrize(("tables", "sd"), [(5, 1.6178), (7, 1.0491)])
def test_mitchells_with_one_round_switched_have_moores_deviation(tables, sd):
    movement = arrow_switched(merge_fields(complete(tables)), {tables})

    assert round(balance(movement).sd, 4) == sd


# ── what can be proved ──


@pytest.mark.parametrize(
    ("tables", "sd"),
    [(3, 1.633), (4, 0.0), (5, 1.789), (6, 0.0), (7, 1.852), (9, 1.886), (11, 1.907)],
)
def test_howells_with_an_odd_number_of_tables_cannot_be_perfect(tables, sd):
    assert round(howell_bound(tables), 3) == sd


def test_the_three_table_howell_is_as_even_as_it_can_be():
    assert balance(printed("howell-3x5.wikipedia")).sd == pytest.approx(howell_bound(3))


def test_turning_single_boards_leaves_a_parity_where_their_number_is_odd():
    odd = [round(howell_bound_by_boards(tables, 3), 3) for tables in (3, 5, 7, 9)]
    even = [howell_bound_by_boards(tables, 2) for tables in (3, 5, 7, 9)]

    assert odd == [1.633, 1.333, 1.422, 1.372]
    assert even == [0.0] * 4
    assert howell_bound_by_boards(4, 3) == 0.0


@pytest.mark.parametrize(
    ("tables", "bound"), [(7, 0.933), (8, 0.998), (9, 1.059), (12, 1.224), (13, 1.274)]
)
def test_a_switched_mitchell_stays_above_its_bound(tables, bound):
    last = arrow_switched(merge_fields(complete(tables)), {tables})

    assert round(mitchell_bound(tables), 3) == bound
    assert balance(last).sd > bound


# ── missing pairs, unequal plays, individuals, teams ──


def test_a_seating_without_opponents_is_no_play():
    movement = remove_contestant(catalogue.build_movement("mitchell", 5), "EW 5")
    measured = balance(movement)
    ns1, ns2 = (movement.contestant(label) for label in ("NS 1", "NS 2"))

    assert not measured.is_percentage
    assert measured.comparisons(ns1, ns2) == Comparisons(same=3, opposite=0, against=0, together=0)
    assert measured.weight(ns1, ns2) == 3
    assert [sum(row) for row in measured.weights] == [4 * 3] * 5 + [5 * 3] * 4


def test_boards_played_unequally_often_are_scored_in_percent():
    """Seven tables, three rounds and a pair missing: sets are played two or three times."""
    movement = remove_contestant(catalogue.build_movement("mitchell", 7, 3), "EW 4")
    measured = balance(movement)
    plays = Counter(len(found) for found in plays_of(movement).values())
    ns1, ew1 = movement.contestant("NS 1"), movement.contestant("EW 1")

    assert plays == {3: 4, 2: 3}
    assert measured.is_percentage
    assert [sum(measured.weights[p - 1]) for p in (ns1, ew1)] == [3, 3]
    assert measured.weight(ns1, ew1) == weight_by_the_book(movement, ns1, ew1, is_percentage=True)


def test_a_board_played_once_is_compared_with_nothing():
    movement = curtailed_movement(merge_fields(catalogue.build_movement("mitchell", 5)), 1)
    measured = balance(movement)

    assert {weight for row in measured.weights for weight in row} == {0}
    assert (measured.luck, measured.quality, measured.score) == (0.0, 100.0, 100)


def test_partners_of_an_individual_hold_together():
    """Two tables, every player with every other once as partner and twice as opponent."""
    measured = balance(printed("shomate-2x7.wikipedia"))

    assert measured.comparisons(1, 2) == Comparisons(same=2, opposite=2, against=2, together=1)
    assert {w for p, row in enumerate(measured.weights) for q, w in enumerate(row) if p != q} == {1}
    assert measured.score == 100


def test_teams_that_play_each_other_all_weigh_the_same():
    for name in ("team-acbl-5x4.wikipedia", "team-9-rings.wikipedia", "round-robin-7.peach"):
        measured = balance(printed(name))
        assert (measured.smallest_weight, measured.largest_weight, measured.score) == (4, 4, 100)


def test_two_halves_of_a_team_count_together_and_every_match_by_itself():
    movement = curtailed_movement(printed("team-acbl-5x4.wikipedia"), 2)
    met = Counter(frozenset((s.ns, s.ew)) for s in movement.seatings for _ in s.sets if s.is_played)
    measured = balance(movement)

    for p, q in combinations(movement.contestants, 2):
        # each set twice at the table, and each half against its likes at the other table
        assert measured.weight(p, q) == 2 * met[frozenset((p, q))]
    assert measured.score < 80


def test_an_unlawful_movement_has_a_balance_too():
    movement = merge_fields(catalogue.build_movement("mitchell", 5))
    against_oneself = replace(movement.at(1, 1), ew=1)
    stranger = replace(movement.at(1, 2), ew=99)
    measured = balance(
        replace(movement, seatings=(against_oneself, stranger, *movement.seatings[2:]))
    )

    assert [row[p] for p, row in enumerate(measured.weights)] == [0] * 10
    assert measured.weights == tuple(zip(*measured.weights, strict=True))


# ── words and sentences ──


@pytest.mark.parametrize(
    ("movement", "score", "word"),
    [
        (complete(9), 100, "very even"),
        (printed("scissors-howell-3x5.wikipedia"), 100, "very even"),
        (arrow_switched(merge_fields(complete(15)), {14, 15}), 96, "very even"),
        (arrow_switched(merge_fields(complete(7)), {7}), 92, "even"),
        (catalogue.build_movement("skip-mitchell", 14), 93, "even"),
        (catalogue.build_movement("skip-mitchell", 8), 86, "even"),
        (printed("ew-rover-5x5.wikipedia"), 80, "fair"),
        (catalogue.build_movement("mitchell", 9, 7), 79, "fair"),
        (printed("hesitation-5x6.wikipedia"), 77, "fair"),
        (printed("partial-howell-6x8.wikipedia"), 72, "uneven"),
        (merge_fields(complete(7)), 72, "uneven"),
        (printed("howell-3x5.wikipedia"), 70, "uneven"),
    ],
    ids=lambda value: value.family if hasattr(value, "family") else str(value),
)
def test_score_and_word_read_sensibly(movement, score, word):
    measured = balance(movement)

    assert (measured.score, measured.word) == (score, word)


def test_the_couples_that_stand_out_are_named_the_worst_first():
    movement = printed("partial-howell-6x8.wikipedia")
    found = influences(balance(movement))

    def couple(item):
        return {movement.number(item.one), movement.number(item.other)}, item.weight, item.degree

    assert [couple(item) for item in found.more] == [
        ({"4", "9"}, 12, "strongly"),
        ({"1", "4"}, 8, "clearly"),
        ({"2", "3"}, 8, "clearly"),
    ]
    assert [couple(item) for item in found.less] == [
        ({"1", "7"}, -6, "strongly"),
        ({"4", "6"}, -6, "strongly"),
        ({"5", "7"}, -6, "strongly"),
    ]
    assert found.more[0].excess == 12 - Fraction(40, 11)


def test_pairs_that_never_meet_stand_out_between_two_lines():
    """Without the skipped round NS 1 and EW 5 hold together on all six boards they compare."""
    movement = catalogue.build_movement("skip-mitchell", 8)
    found = influences(balance(movement), limit=100)

    never_met = {
        (ns, ew)
        for ns in range(1, 9)
        for ew in range(9, 17)
        if not any({s.ns, s.ew} == {ns, ew} for s in movement.seatings)
    }
    assert {(item.one, item.other) for item in found.less} == never_met
    assert {item.weight for item in found.less} == {-6}
    assert {(item.weight, item.degree) for item in found.more} == {(1, "a little")}
    assert len(found.more) == 64 - len(never_met) - 8


def test_nobody_stands_out_where_all_are_alike():
    found = influences(balance(printed("howell-4x7.wikipedia")))

    assert (found.more, found.less) == ((), ())
