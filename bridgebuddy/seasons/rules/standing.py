"""The total of a season's values: each rule selects the values that count and adds them up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from operator import itemgetter

from bridgebuddy.scoring.rules.rounding import exact_mean, exact_sum

from .counting import counting_values
from .model import Championship, People, Season, SessionValue, StandingLine
from .ties import Key, chosen_rules

DROPPED = "dropped"
#: bits after the point that tell most fractions apart
PRECISE = 48
Sum = Callable[[list[Fraction]], Fraction]


def _drop_lowest(found: Sequence[SessionValue], lowest: int) -> list[SessionValue]:
    """Return all values with the `lowest` smallest marked as dropped; of equals the later ones."""
    if not lowest:
        return list(found)
    by_amount = sorted(
        range(len(found)), key=lambda index: (*sort_key(found[index].amount), -index)
    )
    out = set(by_amount[:lowest])
    return [
        # faster than `replace`, and there are thousands
        SessionValue(amount.session, amount.amount, False, DROPPED, amount.handicap)
        if index in out
        else amount
        for index, amount in enumerate(found)
    ]


def sort_key(value: Fraction) -> tuple[int, Fraction]:
    """Return a sort key for fractions: integers decide, and the fraction itself if these are equal.

    >>> sort_key(Fraction(1, 3)) < sort_key(Fraction(1, 3) + Fraction(1, 10**30)) < sort_key(Fraction(1, 2))
    True
    """
    return (value.numerator << PRECISE) // value.denominator, value


def _keep_best(rules: Championship, found: Sequence[SessionValue]) -> list[SessionValue]:
    """Return the values with the best ones counting, or all."""
    return _drop_lowest(found, max(0, len(found) - rules.best) if rules.best else 0)


def _drop_by_number(rules: Championship, found: Sequence[SessionValue]) -> list[SessionValue]:
    """Return the values with the lowest one dropped for each `each` values above the least number.

    Clubs print it as "the lowest of every two above five is dropped": of nine the best seven count, of fifteen the
    best ten.
    """
    above = len(found) - (rules.least or 1)
    return _drop_lowest(found, above // rules.each if rules.each else 0)


def _keep_all(rules: Championship, found: Sequence[SessionValue]) -> list[SessionValue]:
    return list(found)


def _improvement_of(amounts: list[Fraction]) -> Fraction:
    """Return the mean of the later half minus the mean of the earlier half, which is the smaller.

    >>> str(_improvement_of([Fraction(40), Fraction(50), Fraction(60)]))
    '15'
    """
    half = len(amounts) // 2
    return exact_mean(amounts[half:]) - exact_mean(amounts[:half])


def _sum_of_amounts(amounts: list[Fraction]) -> Fraction:
    return exact_sum(amounts)


#: per rule: the choice of counting values, their sum, and the default number of them
RULES: Mapping[
    str, tuple[Callable[[Championship, Sequence[SessionValue]], list[SessionValue]], Sum, int]
] = {
    "mean": (_keep_best, exact_mean, 1),
    "sum": (_keep_best, _sum_of_amounts, 1),
    "drop": (_drop_by_number, exact_mean, 1),
    "improved": (_keep_all, _improvement_of, 2),
}


def list_standing(season: Season, rules: Championship) -> list[StandingLine]:
    """Return a list over the season by place, equals by name. Contestants with too few values are left out."""
    return ranked_and_unranked(season, rules)[0]


def ranked_and_unranked(
    season: Season, rules: Championship
) -> tuple[list[StandingLine], list[StandingLine]]:
    """Return the list, and the lines of those with too few sessions, with their totals."""
    return standing_of_values(rules, counting_values(season, rules))


def standing_of_values(
    rules: Championship,
    had: Mapping[People, Sequence[SessionValue]],
    known: Mapping[People, StandingLine] | None = None,
) -> tuple[list[StandingLine], list[StandingLine]]:
    """Return the ranked lines and those with too few values, from each contestant's values.

    `known` gives lines that are calculated already, apart from their place.
    """
    least = fewest_values(rules)
    inside: list[StandingLine] = []
    below: list[StandingLine] = []
    for who, had_values in had.items():
        one = known.get(who) if known else None
        (inside if len(had_values) >= least else below).append(
            one or line_of(rules, who, had_values)
        )
    return with_places(inside, chosen_rules(rules)), sorted(
        below, key=lambda one: (-len(one.values), -one.total, one.who)
    )


def fewest_values(rules: Championship) -> int:
    """Return how many values a contestant needs to be ranked."""
    return max(rules.least or 1, RULES[rules.rule][2])


def line_of(rules: Championship, who: People, found: Sequence[SessionValue]) -> StandingLine:
    """Return the total of a contestant's values as a line without a place."""
    chosen, total, _ = RULES[rules.rule]
    counted = chosen(rules, found)
    amounts = [amount.amount for amount in counted if amount.counts]
    is_too_few = len(found) < RULES[rules.rule][2]
    return StandingLine(who, Fraction(0) if is_too_few else total(amounts), 0, tuple(counted))


def with_places(
    lines: Sequence[StandingLine], splits: Mapping[str, Callable[[StandingLine], Key]] | None = None
) -> list[StandingLine]:
    """Return lines with their places: greater first, equals share a place and the next is left out.

    `splits` are rules for equal totals (`TIES`). A line that a rule separated from another names that rule.
    """
    by_name = sorted(lines, key=lambda one: one.who)
    keyed = [(sort_key(line.total), line) for line in by_name]
    keyed.sort(key=itemgetter(0), reverse=True)
    ranked_lines: list[StandingLine] = []
    for _total, level in groupby(keyed, key=itemgetter(0)):
        equals = [line for _key, line in level]
        if splits and len(equals) > 1:
            ranked_lines += _split_equals(equals, splits, len(ranked_lines) + 1)
        else:
            place = len(ranked_lines) + 1
            ranked_lines += [
                StandingLine(equal.who, equal.total, place, equal.values) for equal in equals
            ]
    return ranked_lines


def _split_equals(
    equals: Sequence[StandingLine], splits: Mapping[str, Callable[[StandingLine], Key]], first: int
) -> Iterator[StandingLine]:
    """Yield equal lines in the order of the rules from place `first` on, with the last rule each needed."""
    keyed = [([split(equal) for split in splits.values()], equal) for equal in equals]
    keyed.sort(key=itemgetter(0), reverse=True)
    alike = [(key, [line for _, line in lines]) for key, lines in groupby(keyed, key=itemgetter(0))]
    by = [
        next(
            number for number, (a, b) in enumerate(zip(tied_line, other, strict=True), 1) if a != b
        )
        for (tied_line, _), (other, _) in pairwise(alike)
    ]
    names, place = ["", *splits], first
    for at, (_key, lines) in enumerate(alike):
        last = max((0, *by[max(0, at - 1) : at + 1]))
        yield from (
            StandingLine(line.who, line.total, place, line.values, names[last]) for line in lines
        )
        place += len(lines)
