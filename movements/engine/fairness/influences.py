"""Couples with an unusual influence on each other's scores."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from heapq import nsmallest
from itertools import combinations
from typing import Literal

from .balance import Balance, FieldBalance, Weight

Degree = Literal["a little", "clearly", "strongly"]

#: The words for an excess from these shares of a contestant's own weight on.
DEGREES: tuple[tuple[float, Degree], ...] = ((0.12, "strongly"), (0.06, "clearly"))


@dataclass(frozen=True, slots=True)
class PairInfluence:
    """Two contestants whose results depend on each other unusually much or little.

    `usual` is the mean weight of similar couples: of the same field, or of the same two fields. `share` is the
    difference as a share of their own weights on their scores.
    """

    one: int
    other: int
    weight: Weight
    usual: Fraction
    share: float

    @property
    def excess(self) -> Fraction:
        """Return the difference from the usual number of comparisons; negative for fewer."""
        return self.weight - self.usual

    @property
    def degree(self) -> Degree:
        """Return the key of the word that says how large the difference from the usual is."""
        return next((word for least, word in DEGREES if self.share >= least), "a little")


@dataclass(frozen=True, slots=True)
class Influences:
    """The pairs of contestants that are compared with each other unusually much or little."""

    more: tuple[PairInfluence, ...]
    less: tuple[PairInfluence, ...]


def influences(balance: Balance, limit: int = 3) -> Influences:
    """Return the pairs of contestants with the most uneven comparisons, the most uneven first.

    At most `limit` on each side; none if all couples are equal ("pairs 3 and 9 a little more").
    """
    more: list[PairInfluence] = []
    less: list[PairInfluence] = []
    for index, field in enumerate(balance.fields):
        for other in balance.fields[index:]:
            more += _influences_between(balance, field, other, limit, is_more=True)
            less += _influences_between(balance, field, other, limit, is_more=False)
    return Influences(more=_largest_influences(more, limit), less=_largest_influences(less, limit))


def _largest_influences(influences: list[PairInfluence], limit: int) -> tuple[PairInfluence, ...]:
    """Return the `limit` most uneven ones of these pairs of contestants."""
    by_size = sorted(influences, key=lambda item: (-abs(item.excess), item.one, item.other))
    return tuple(by_size[:limit])


def _influences_between(
    balance: Balance, field: FieldBalance, other_field: FieldBalance, limit: int, *, is_more: bool
) -> list[PairInfluence]:
    """Return the pairs of contestants, of two fields or one, that are compared most or least."""
    couples = (
        list(combinations(field.contestants, 2))
        if field is other_field
        else [(p, q) for p in field.contestants for q in other_field.contestants]
    )
    if not couples:
        return []
    weights = [balance.weights[p - 1][q - 1] for p, q in couples]
    usual = Fraction(sum(weights)) / len(couples)
    sign = -1 if is_more else 1
    farthest = nsmallest(
        limit, ((sign * w, couple) for w, couple in zip(weights, couples, strict=True))
    )
    return [
        PairInfluence(
            p,
            q,
            sign * w,
            usual,
            _share_of_weights(balance, field, other_field, (p, q), sign * w - usual),
        )
        for w, (p, q) in farthest
        if w < sign * usual
    ]


def _share_of_weights(
    balance: Balance,
    field: FieldBalance,
    other: FieldBalance,
    couple: tuple[int, int],
    excess: Fraction,
) -> float:
    """Return by which share of their usual weights two contestants are compared more or less."""
    own = sum((sum(balance.weights[number - 1]) for number in couple), field.mean + other.mean)
    return float(2 * abs(excess) / own) if own > 0 else 0.0
