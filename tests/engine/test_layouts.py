"""Choosing a way to play each round: as cheap as any that breaks nothing, found by trying them all."""

from collections import Counter
from itertools import combinations, product
from random import Random

import pytest

from movements.engine.changes.layouts import RoundLayout, best_layouts
from movements.engine.model import Seating

PAIRS, SETS = range(1, 7), "ABCDEF"


def sat(round, *games):
    """Games of a round: "12A" is pair 1 against 2 at a table of its own; "3-4BC" a table in two parts."""
    found = []
    for table, game in enumerate(games, 1):
        numbers, sets = game.rstrip(SETS).replace("-", ""), game.lstrip("0123456789-")
        sides = [int(number) for number in numbers]
        parts = [tuple(sets)] if "-" not in game else [(name,) for name in sets]
        found += [Seating(round, table, *sides, part) for part in parts]
    return tuple(found)


def uses(seatings):
    """Return the couples that meet in a round, and the number of times each contestant plays each set."""
    couples = {frozenset(couple) for s in seatings for couple in combinations(s.contestants, 2)}
    return couples, Counter(
        (contestant, name) for s in seatings for contestant in s.contestants for name in s.sets
    )


def breaks_nothing(history, chosen):
    """Return whether no meeting, no set and no claim is repeated, by a full count."""
    met, played, claimed = Counter(), Counter(), Counter()
    for item in [history, *(layout.seatings for layout in chosen)]:
        couples, sets = uses(item)
        met.update(couples)
        played.update(sets)
    for layout in chosen:
        claimed.update(layout.claims)
    return max((*met.values(), *played.values(), *claimed.values()), default=0) <= 1


def evening(seed):
    """A round that was played, and two to four ways for each of some to come."""
    rng = Random(seed)
    history = games(rng, 1)
    choices = []
    for round in range(2, rng.randint(3, 5)):
        fixed = games(rng, round)[:1] if rng.random() < 0.4 else ()
        busy = {contestant for s in fixed for contestant in s.contestants}
        layouts = [
            RoundLayout(
                (*fixed, *(s for s in games(rng, round) if busy.isdisjoint(s.contestants))),
                cost=rng.choice((0, 1, 2, 5)),
                claims=("share",) if rng.random() < 0.2 else (),
            )
            for _ in range(rng.randint(2, 4))
        ]
        choices.append(layouts)
    return history, choices


def games(rng, round):
    numbers, names = rng.sample(PAIRS, 6), rng.sample(SETS, 6)
    found = []
    for table in range(rng.randint(1, 3)):
        sides = numbers[2 * table], numbers[2 * table + 1]
        sets = names[2 * table : 2 * table + rng.randint(1, 2)]
        line = "-" if rng.random() < 0.3 else ""
        found.append(f"{sides[0]}{line}{sides[1]}{''.join(sets)}")
    return sat(round, *found)


@pytest.mark.parametrize("seeds", [range(400), range(400, 800)])
def test_the_choice_is_the_cheapest_of_all_that_break_nothing(seeds):
    solved = 0
    for seed in seeds:
        history, choices = evening(seed)
        lawful = [each for each in product(*choices) if breaks_nothing(history, each)]

        layouts = best_layouts(history, choices)

        assert (layouts is None) == (not lawful), seed
        if layouts is not None:
            solved += 1
            assert breaks_nothing(history, layouts), seed
            assert sum(layout.cost for layout in layouts) == min(
                sum(o.cost for o in e) for e in lawful
            ), seed
    assert 50 < solved < len(seeds) - 50


def test_a_round_that_cannot_be_played_in_any_way_has_none():
    history = sat(1, "12A")

    assert best_layouts(history, [[]]) is None
    assert best_layouts(history, [[RoundLayout(sat(2, "12B"))]]) is None
    assert best_layouts(history, [[RoundLayout(sat(2, "12B")), RoundLayout(sat(2, "13A"))]]) is None
    assert best_layouts(history, [[RoundLayout(sat(2, "34B", "56B"))]]) is not None
    assert best_layouts(history, []) == ()


def test_two_who_play_in_parts_meet_once():
    in_parts = RoundLayout(sat(2, "3-4BC"))

    assert best_layouts((), [[in_parts]]) == (in_parts,)
    assert best_layouts((), [[in_parts, RoundLayout(sat(2, "3-4DE"), cost=1)]]) == (in_parts,)
    assert best_layouts((), [[in_parts], [RoundLayout(sat(3, "34A"))]]) is None
    assert best_layouts((), [[RoundLayout(sat(2, "3-4BB"))]]) is None


def dear_then_cheap():
    """In the order of trying the first way costs 10; one that costs 1 is found at the fifth step."""
    first = [RoundLayout(sat(2, "12A")), RoundLayout(sat(2, "34A"), cost=1)]
    second = [RoundLayout(sat(3, "12B")), RoundLayout(sat(3, "56B"), cost=10)]
    return [first, second]


@pytest.mark.parametrize(("steps", "cost"), [(0, 10), (3, 10), (4, 10), (5, 1), (6000, 1)])
def test_after_so_many_steps_the_best_so_far_is_taken(steps, cost):
    layouts = best_layouts((), dear_then_cheap(), steps)

    assert sum(layout.cost for layout in layouts) == cost


def test_where_nothing_is_found_for_long_nothing_is():
    """The first of the cheap ways never ends well, and has more to try than anybody waits for."""
    claims = [("first",), ()]
    begins = [RoundLayout((), cost=index, claims=item) for index, item in enumerate(claims)]
    middle = [[RoundLayout((), note=0), RoundLayout((), cost=1, note=1)] for _ in range(14)]
    ends = [RoundLayout((), claims=("first",))]

    assert best_layouts((), [begins, *middle[:5], ends]) is not None
    assert best_layouts((), [begins, *middle, ends]) is None
