"""Turns: seats by which sit-outs, lines and opponents even out over the weeks."""

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from movements.engine import catalogue
from movements.engine.fairness.long_run_fairness import (
    EnteredTogether,
    FormerEvening,
    PastRounds,
    PastShares,
    past_shares,
    seats_in_turn,
    sit_outs_of,
)
from movements.engine.fairness.seeding import seeding_figure
from movements.engine.model import players_of
from movements.engine.offers import movement_for

WEEKS = 30


def pairs(count, stays=(), name="p{}"):
    return [
        EnteredTogether((name.format(2 * n), name.format(2 * n + 1)), n in stays)
        for n in range(count)
    ]


def seated(movement, entered, past, strengths=None, seed=1):
    return seats_in_turn(
        movement,
        entered,
        past,
        order=list(movement.contestants),
        stationary=movement.stationary_contestants,
        strengths=strengths,
        rng=Random(seed),
    )


def evening(movement, entered, seats):
    """Return the events of an evening, according to its movement."""
    by_number = dict(zip(seats, entered, strict=True))
    out = sit_outs_of(movement)
    had, met = [], []
    for number, row in by_number.items():
        games = [s for s in movement.seatings_of(number) if s.is_played]
        ew = sum(number in players_of(s.ew) for s in games)
        moves = row.must_stay and number not in movement.stationary_contestants
        had += [
            PastRounds(person, movement.rounds, out.get(number, 0), ew, moves)
            for person in row.people
        ]
    for s in movement.seatings:
        if s.is_played:
            two = by_number[s.ns].people, by_number[s.ew].people
            met += [(item, other, 1.0) for item, other in product(*two)]
    return FormerEvening(tuple(had), tuple(met))


def weeks(movement, entered, count=WEEKS):
    """Play `count` weeks, and return the shares of all players and the seats of each week."""
    played, all_seats = [], []
    for _ in range(count):
        seats = seated(movement, entered, past_shares(played))
        all_seats.append(seats)
        played.append(evening(movement, entered, seats))
    return played, all_seats


def totals(played, what):
    found = {}
    for link in (had for evening in played for had in evening.had):
        found[link.person] = found.get(link.person, 0) + getattr(link, what)
    return found


def spread(figures):
    return max(figures.values()) - min(figures.values())


@pytest.mark.parametrize(
    ("family", "count", "rounds"),
    [
        ("mitchell", 9, 4),
        ("mitchell", 13, 7),
        ("share-and-relay", 11, 5),
        ("howell", 7, 7),
        ("ew-rover", 15, 7),
        ("skip-mitchell", 15, 5),
    ],
)
def test_over_thirty_weeks_nobody_sits_out_once_more_than_another(family, count, rounds):
    movement = movement_for(family, count, rounds)
    longest = max(sit_outs_of(movement).values())

    played, _ = weeks(movement, pairs(count))

    assert spread(totals(played, "sat_out")) <= max(1, longest)


def test_in_order_of_entry_the_same_would_sit_out_every_week():
    """Without turns the result is different."""
    movement = movement_for("mitchell", 13, 7)
    entered = pairs(13)
    same = evening(movement, entered, tuple(movement.contestants))

    assert spread(totals([same] * WEEKS, "sat_out")) == WEEKS


def test_lines_even_out_where_nobody_has_to_stay():
    movement = catalogue.build_movement("mitchell", 5)

    played, _ = weeks(movement, pairs(10))

    assert spread(totals(played, "ew")) <= 2 * movement.rounds


def test_everybody_meets_everybody():
    """In a Mitchell those of a line never meet; over twelve weeks each has met all others."""
    movement = catalogue.build_movement("mitchell", 5)
    entered = pairs(10)

    played, _ = weeks(movement, entered, 12)

    met = {frozenset(two[:2]) for evening in played for two in evening.met}
    assert len(met) == 10 * 9 // 2 * 4


@settings(deadline=None, max_examples=25)
@given(
    st.sampled_from([("mitchell", 9, 4), ("howell", 8, 7), ("share-and-relay", 16, 8)]),
    st.sets(st.integers(0, 15)),
    st.randoms(use_true_random=False),
)
def test_a_wish_to_stay_seated_is_kept_as_far_as_there_are_seats(chosen, wishes, random):
    family, count, rounds = chosen
    movement = movement_for(family, count, rounds)
    entered = pairs(count, wishes)
    past = PastShares(
        {person: random.uniform(-3, 3) for pair in entered for person in pair.people},
        {person: random.uniform(-9, 9) for pair in entered for person in pair.people},
    )

    seats = seated(movement, entered, past)

    kept = set(movement.stationary_contestants)
    wish = [seat for item, seat in zip(entered, seats, strict=True) if item.must_stay]
    assert sum(seat in kept for seat in wish) == min(len(kept), len(wish))
    assert sorted(seats) == list(movement.contestants)


def test_of_too_many_who_must_stay_those_stay_who_had_to_move_before():
    """A Howell has one seat that stays: over the weeks all who need it have it equally often."""
    movement = catalogue.build_movement("howell", 4)

    played, _ = weeks(movement, pairs(8, stays={0, 3, 5}))

    wish = {
        person for pair in pairs(8, stays={0, 3, 5}) if pair.must_stay for person in pair.people
    }
    moved = {person: n for person, n in totals(played, "had_to_move").items() if person in wish}
    assert spread(moved) <= 1
    assert sum(moved.values()) == 2 * 2 * WEEKS


@settings(deadline=None, max_examples=10)
@given(st.randoms(use_true_random=False))
def test_other_names_change_nothing(random):
    movement = movement_for("mitchell", 9, 4)
    plain, renamed = pairs(9), pairs(9, name="{}x")
    names = dict(
        zip(
            (person for row in plain for person in row.people),
            (person for row in renamed for person in row.people),
            strict=True,
        )
    )
    played, _ = weeks(movement, plain, random.randrange(1, 6))
    others = [
        FormerEvening(
            tuple(
                PastRounds(names[link.person], link.rounds, link.sat_out, link.ew)
                for link in evening.had
            ),
            tuple((names[a], names[b], rounds) for a, b, rounds in evening.met),
        )
        for evening in played
    ]

    assert seated(movement, plain, past_shares(played)) == seated(
        movement, renamed, past_shares(others)
    )


def test_who_is_new_has_nothing_to_catch_up():
    movement = movement_for("mitchell", 9, 4)
    played, _ = weeks(movement, pairs(9), 10)

    past = past_shares(played)

    assert past.sat_out.get("new", 0) == 0
    assert abs(sum(past.sat_out.values())) < 1e-9


def test_a_person_counts_and_not_the_pair():
    """Both partners of a new pair count: a player who sat out with another partner is spared, and so is the new one."""
    movement = movement_for("mitchell", 9, 4)
    entered = pairs(9)
    had = [PastRounds(person, 4, person == "p0") for pair in entered for person in pair.people]

    seats = seated(
        movement, entered, past_shares([FormerEvening((*had, PastRounds("gone", 4, 1)))])
    )

    assert seats[0] not in sit_outs_of(movement)


def test_whose_turn_it_is_goes_before_strength_and_strength_before_lines():
    movement = movement_for("mitchell", 9, 4)
    entered = pairs(9)
    strengths = [9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]
    past = past_shares(weeks(movement, entered, 3)[0])

    plain, by_strength = seated(movement, entered, past), seated(movement, entered, past, strengths)

    out = sit_outs_of(movement)
    had = [sum(past.sat_out[person] for person in pair.people) for pair in entered]

    def cost(seats):
        return sum(out.get(n, 0) * had[entry] for entry, n in enumerate(seats))

    assert cost(by_strength) == pytest.approx(cost(plain))
    assert figure(movement, strengths, by_strength) < figure(movement, strengths, plain)


def figure(movement, strengths, seats):
    by_number = [0.0] * len(seats)
    for entry, number in enumerate(seats):
        by_number[number - 1] = strengths[entry]
    return seeding_figure(movement, by_number).cost


def test_without_a_past_everybody_sits_in_order_of_entry():
    movement = movement_for("mitchell", 9, 4)

    assert seated(movement, pairs(9), PastShares()) == tuple(movement.contestants)


def test_there_must_be_as_many_as_seats():
    with pytest.raises(ValueError, match="as many entries"):
        seated(catalogue.build_movement("mitchell", 5), pairs(9), PastShares())
