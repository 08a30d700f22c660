"""The circle method for round robins."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def round_robin_matches(
    circle: Sequence[int | None], turn: int, present: Collection[int]
) -> tuple[list[tuple[int, int]], list[int]]:
    """Return the matches of a round robin's round (`turn`), and the contestants without an opponent.

    Only contestants who are `present` play; None is an empty place.

    >>> round_robin_matches([1, 2, 3, 4], 1, [1, 2, 3])
    ([(1, 3)], [2])
    """
    first, *rest = circle
    turned = [first, *rest[-turn:], *rest[:-turn]] if turn else circle
    half = len(turned) // 2
    matches, alone = [], []
    for two in zip(turned[:half], reversed(turned[half:]), strict=True):
        here = [team for team in two if team is not None and team in present]
        if len(here) == 2:
            matches.append((here[0], here[1]))
        else:
            alone += here
    return matches, alone
