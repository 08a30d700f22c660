"""Simulated clubs with known strengths: does a rating find them, and does it predict evenings?

    python -m tests.proofs.rating [CLUBS]

40 people, 60 evenings, partners by habit: three evenings in four with the usual partner, else with another free
player. Strengths are drawn once and do not change; a result is the pair's strength less the field's, and luck. The last
ten evenings are predicted from the evenings before, by the rating and by each player's mean of the last ten.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from dataclasses import dataclass
from math import log, pi, sqrt
from random import Random
from statistics import mean

from bridgebuddy.seasons.rules.rating import STIFFNESS, FieldResult, Ratings

PEOPLE, EVENINGS, UNSEEN, BOARDS = 40, 60, 10, 24
STRONG, LUCK, FAITHFUL = 2.2, 5.0, 0.75
LAST = 10
ClubEvening = list[FieldResult]


@dataclass
class Club:
    """A club with known strengths of its people."""

    strengths: dict[str, float]
    evenings: list[ClubEvening]


def simulated(seed: int) -> Club:
    """Return a club: the same one for the same seed."""
    random = Random(seed)
    names = [f"P{number:02}" for number in range(PEOPLE)]
    strengths = {name: random.gauss(0, STRONG) for name in names}
    usual = {name: names[number ^ 1] for number, name in enumerate(names)}
    often = {name: random.uniform(0.4, 0.95) for name in names}
    return Club(
        strengths,
        [_evening(random, strengths, usual, often) for _ in range(EVENINGS)],
    )


def _evening(
    random: Random, strengths: dict[str, float], usual: dict[str, str], often: dict[str, float]
) -> ClubEvening:
    there = [name for name in strengths if random.random() < often[name]]
    random.shuffle(there)
    pairs: list[tuple[str, str]] = []
    left = set(there)
    for name in there:
        if name in left and usual[name] in left and random.random() < FAITHFUL:
            left -= {name, usual[name]}
            pairs.append((name, usual[name]))
    rest = [name for name in there if name in left]
    pairs += list(zip(rest[::2], rest[1::2], strict=False))
    sums = [strengths[item] + strengths[other] for item, other in pairs]
    whole, others = sum(sums), len(pairs) - 1
    luck = [random.gauss(0, LUCK) for _ in pairs]
    return [
        FieldResult(pair, 50 + own - (whole - own) / others + stray - mean(luck), BOARDS)
        for pair, own, stray in zip(pairs, sums, luck, strict=True)
    ]


@dataclass
class RatingAccuracy:
    """Accuracy of a rating: of the predicted last evenings and of the strengths."""

    covered: float
    error: float
    error_of_last_ten: float
    error_knowing_all: float
    score: float
    score_of_last_ten: float


def measured(club: Club, stiffness: float = STIFFNESS) -> RatingAccuracy:
    """Foretell the last evenings from those before."""
    seen, unseen = club.evenings[:-UNSEEN], club.evenings[-UNSEEN:]
    ratings = Ratings(seen, stiffness)
    middle = mean(club.strengths.values())
    covered = [
        abs(rating.percentage - 50 - (club.strengths[person] - middle)) <= rating.give_or_take
        for person, rating in ratings.all().items()
    ]
    last = _last_ten(seen)
    spread = _spread(seen)
    errors: dict[str, list[float]] = defaultdict(list)
    for evening in unseen:
        known = _knowing_all(club, evening)
        for row, expected, truth in zip(evening, ratings.expected(evening), known, strict=True):
            plain = mean(last.get(person, 50.0) for person in row.who)
            errors["rating"].append((row.percentage - expected) ** 2)
            errors["last"].append((row.percentage - plain) ** 2)
            errors["all"].append((row.percentage - truth) ** 2)
            unsure = ratings.uncertainty_of_row(row, evening)
            errors["score"].append(_log_score(row.percentage - expected, unsure))
            errors["score of last"].append(_log_score(row.percentage - plain, spread))
    return RatingAccuracy(
        mean(covered),
        sqrt(mean(errors["rating"])),
        sqrt(mean(errors["last"])),
        sqrt(mean(errors["all"])),
        mean(errors["score"]),
        mean(errors["score of last"]),
    )


def _knowing_all(club: Club, evening: ClubEvening) -> list[float]:
    sums = [sum(club.strengths[person] for person in row.who) for row in evening]
    return [50 + item - (sum(sums) - item) / (len(sums) - 1) for item in sums]


def _last_ten(evenings: list[ClubEvening]) -> dict[str, float]:
    had: dict[str, list[float]] = defaultdict(list)
    for evening in evenings:
        for row in evening:
            for person in row.who:
                had[person].append(row.percentage)
    return {person: mean(item[-LAST:]) for person, item in had.items()}


def _spread(evenings: list[ClubEvening]) -> float:
    """Return the standard error of predictions by the mean of the last ten evenings."""
    errors = []
    for number in range(LAST, len(evenings)):
        last = _last_ten(evenings[:number])
        for row in evenings[number]:
            errors.append(
                (row.percentage - mean(last.get(person, 50.0) for person in row.who)) ** 2
            )
    return sqrt(mean(errors))


def _log_score(error: float, spread: float) -> float:
    return -log(spread * sqrt(2 * pi)) - error**2 / (2 * spread**2)


def main(clubs: int = 12) -> None:
    """Print the figures of each stiffness."""
    made = [simulated(seed) for seed in range(clubs)]
    for stiffness in (50.0, 100.0, 200.0, 400.0, 800.0):
        found = [measured(club, stiffness) for club in made]
        print(
            f"{stiffness:6.0f} boards: covers {100 * mean(item.covered for item in found):.0f} %, "
            f"error {mean(item.error for item in found):.2f} "
            f"(last ten {mean(item.error_of_last_ten for item in found):.2f}, "
            f"knowing all {mean(item.error_knowing_all for item in found):.2f}), "
            f"log score {mean(item.score for item in found):.3f} "
            f"(last ten {mean(item.score_of_last_ten for item in found):.3f})"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
