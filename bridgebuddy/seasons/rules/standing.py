"""A championship's list: the total of each contestant's values, and the places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from operator import itemgetter

from .counting import counting_values
from .model import Championship, People, Season, SessionValue, StandingLine
from .ties import Key, chosen_rules
from .totals import RULES, sort_key


def list_standing(season: Season, rules: Championship) -> list[StandingLine]:
    """Return a championship's ranking by place, equals by name, without contestants with too few values."""
    return ranked_and_unranked(season, rules)[0]


def ranked_and_unranked(
    season: Season, rules: Championship
) -> tuple[list[StandingLine], list[StandingLine]]:
    """Return a championship's ranked rows, and the rows of contestants with too few sessions."""
    return standing_of_values(rules, counting_values(season, rules))


def standing_of_values(
    rules: Championship,
    values: Mapping[People, Sequence[SessionValue]],
    known_rows: Mapping[People, StandingLine] | None = None,
) -> tuple[list[StandingLine], list[StandingLine]]:
    """Return the ranked and the unranked rows from each contestant's values; `known_rows` are reused.

    `known_rows` gives lines that are calculated already, apart from their place.
    """
    least = fewest_values(rules)
    inside: list[StandingLine] = []
    below: list[StandingLine] = []
    for people, had_values in values.items():
        one = known_rows.get(people) if known_rows else None
        (inside if len(had_values) >= least else below).append(
            one or line_of(rules, people, had_values)
        )
    return assign_places(inside, chosen_rules(rules)), sorted(
        below, key=lambda row: (-len(row.values), -row.total, row.who)
    )


def fewest_values(rules: Championship) -> int:
    """Return how many values a contestant needs to be ranked in a championship."""
    return max(rules.least or 1, RULES[rules.rule].fewest)


def line_of(
    rules: Championship, people: People, session_values: Sequence[SessionValue]
) -> StandingLine:
    """Return a contestant's row with the total of its values, still without a place."""
    rule = RULES[rules.rule]
    values = rule.mark_counting(rules, session_values)
    amounts = [value.amount for value in values if value.counts]
    total = Fraction(0) if len(session_values) < rule.fewest else rule.total_of(amounts)
    return StandingLine(people, total, 0, tuple(values))


def assign_places(
    lines: Sequence[StandingLine], splits: Mapping[str, Callable[[StandingLine], Key]] | None = None
) -> list[StandingLine]:
    """Return the rows with places: greatest total first, equals share a place and the next is skipped.

    `splits` are rules for equal totals (`TIES`). A line that a rule separated from another names that rule.
    """
    by_name = sorted(lines, key=lambda line: line.who)
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
    equals: Sequence[StandingLine],
    splits: Mapping[str, Callable[[StandingLine], Key]],
    first_place: int,
) -> Iterator[StandingLine]:
    """Yield rows with equal totals in the order of the tie-breaks, from `first_place` on, with the tie-break used."""
    keyed = [([split(equal) for split in splits.values()], equal) for equal in equals]
    keyed.sort(key=itemgetter(0), reverse=True)
    alike = [(key, [line for _, line in lines]) for key, lines in groupby(keyed, key=itemgetter(0))]
    by = [
        next(
            number for number, (a, b) in enumerate(zip(tied_line, other, strict=True), 1) if a != b
        )
        for (tied_line, _), (other, _) in pairwise(alike)
    ]
    names, place = ["", *splits], first_place
    for at, (_key, lines) in enumerate(alike):
        last = max((0, *by[max(0, at - 1) : at + 1]))
        yield from (
            StandingLine(line.who, line.total, place, line.values, names[last]) for line in lines
        )
        place += len(lines)
