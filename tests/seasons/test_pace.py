"""Slow pairs: found over their opponents, only with certainty, and without invalid times."""

from random import Random

import pytest

from bridgebuddy.seasons.rules.pace import TableRound, pace_report

PAIRS, BOARDS, ROUNDS = 16, 3, 8
USUAL = 7.0


def evenings(rng, slow, count=5, *, pairs=PAIRS, late_entries=False):
    """Play a number of evenings: slow pairs take longer by the given time, all others by a random one."""
    own = {f"p{n}": rng.gauss(0, 0.15) for n in range(pairs)} | slow
    for evening in range(count):
        names = sorted(own)
        rng.shuffle(names)
        ns, ew = names[: pairs // 2], names[pairs // 2 :]
        for round in range(1, ROUNDS + 1):
            took = {}
            for table, item in enumerate(ns):
                other = ew[(table + round) % len(ew)]
                board = USUAL + own[item] + own[other]
                took[item, other] = sum(max(2.5, rng.gauss(board, 1.6)) for _ in range(BOARDS))
            until = max(took.values()) + rng.uniform(0, 2)
            for two, at in took.items():
                at = 3 * 60.0 if late_entries else at
                yield TableRound(str(evening), round, two, BOARDS, at, until)


def test_slow_pairs_are_found_after_five_evenings_and_others_are_not_called_slow():
    planted = named = found = wrong = 0
    for seed in range(60):
        rng = Random(seed)
        slow = {f"p{n}": rng.uniform(0.9, 1.6) for n in rng.sample(range(PAIRS), 2)}

        told = {item.pair for item in pace_report(evenings(rng, slow)).slow}

        planted += len(slow)
        found += len(told & slow.keys())
        named += len(told)
        wrong += len(told - slow.keys())

    assert found >= 0.8 * planted
    assert wrong <= 0.05 * named


def test_where_nobody_is_slow_nobody_is_named():
    wrong = sum(len(pace_report(evenings(Random(seed), {})).slow) for seed in range(60))

    assert wrong <= 0.05 * 60


def test_who_meets_a_slow_pair_all_the_time_is_not_slow():
    """One pair sits against the slow one in every other round: the slow one is named alone."""
    rng = Random(3)
    rounds = []
    for evening in range(5):
        for round in range(1, ROUNDS + 1):
            others = [f"p{n}" for n in range(2, 8)]
            rng.shuffle(others)
            pairs = (
                ["slow", "near", *others] if round % 2 else ["slow", others[0], "near", *others[1:]]
            )
            for element, other in zip(pairs[::2], pairs[1::2], strict=True):
                more = 1.5 if "slow" in (element, other) else 0
                at = sum(rng.gauss(USUAL + more, 1.2) for _ in range(BOARDS))
                rounds.append(TableRound(str(evening), round, (element, other), BOARDS, at, 40))

    assert [item.pair for item in pace_report(rounds).slow] == ["slow"]


@pytest.mark.parametrize("count", [1, 2])
def test_before_the_third_evening_nobody_is_named(count):
    report = pace_report(evenings(Random(1), {"p3": 3.0}, count))

    assert (report.slow, report.evenings) == ((), count)


def test_from_the_third_evening_on_who_takes_longer_is_named():
    (found,) = (pace := pace_report(evenings(Random(1), {"p3": 3.0}, 3))).slow

    assert (found.pair, found.evenings, pace.evenings) == ("p3", 3, 3)


def test_results_typed_at_the_end_are_no_times():
    report = pace_report(evenings(Random(1), {"p3": 3.0}, late_entries=True))

    assert (report.slow, report.evenings) == ((), 0)


def test_a_round_that_was_not_written_down_at_the_table_is_no_time():
    rounds = [
        TableRound(str(evening), round, ("p1", "p2"), BOARDS, None, 25)
        for evening in range(5)
        for round in range(8)
    ]

    assert pace_report(rounds).evenings == 0


def test_other_names_change_nothing():
    plain = list(evenings(Random(5), {"p3": 1.5, "p9": 1.2}))
    others = [
        TableRound(
            evening.evening,
            evening.round,
            tuple(f"x{99 - int(pair[1:])}" for pair in evening.pairs),
            evening.boards,
            evening.at,
            evening.until,
        )
        for evening in plain
    ]

    told = [
        (f"x{99 - int(item.pair[1:])}", round(item.minutes, 6)) for item in pace_report(plain).slow
    ]

    assert told == [(item.pair, round(item.minutes, 6)) for item in pace_report(others).slow]
    assert len(told) == 2
