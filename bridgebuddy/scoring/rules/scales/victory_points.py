"""What a match is worth in victory points, by its margin in IMPs or its percentage."""

from __future__ import annotations

import math
import tomllib
from bisect import bisect_left, bisect_right
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

from ..errors import ScoringError
from ..profile import OwnScale
from ..rounding import away

_DIGITS = 50


def greatest(scale: str | OwnScale) -> Fraction:
    """Return the most that a match can score, which is what both sides have together."""
    if isinstance(scale, OwnScale):
        return scale.total
    return Fraction({"acbl-30": 30, "win-draw-loss": 2}.get(scale, 20))


def is_whole(scale: str | OwnScale) -> bool:
    """Whether only whole points are given."""
    return scale != "wbf-continuous"


def of_margin(scale: str | OwnScale, boards: int, margin: int) -> Fraction:
    """Return the points of who has won (or lost) by so many IMPs over so many boards.

    >>> of_margin("wbf-continuous", 16, 14), of_margin("wbf-discrete", 8, -4)
    (Fraction(55, 4), Fraction(8, 1))
    """
    if margin < 0:
        return greatest(scale) - of_margin(scale, boards, -margin)
    if isinstance(scale, OwnScale):
        return min(scale.total, scale.draw + bisect_right(scale.least, margin))
    if scale == "win-draw-loss":
        return Fraction(2 if margin else 1)
    if scale == "wbf-continuous":
        points = continuous(boards)
        return points[min(margin, len(points) - 1)]
    if scale == "wbf-discrete":
        return Fraction(10 + bisect_left(discrete(boards), margin))
    if scale == "swiss-pairs":  # of percentages: IMPs go by the teams' scale of the same book
        return of_margin("wbf-discrete", boards, margin)
    table = _data(scale)
    least = _column(table["least"], boards, scale)
    won = bisect_right(least, margin)
    first = table.get("first", table["draw"] + 1)
    return Fraction(first - 1 + won if won else table["draw"])


def of_percentage(boards: int, percent: Fraction, *, half: bool = False) -> Fraction:
    """Return the points of a match of Swiss pairs: 20 a match, 10 a half. White Book 3.1.7.

    >>> of_percentage(8, Fraction("56.24")), of_percentage(8, Fraction("43.77"))
    (Fraction(15, 1), Fraction(6, 1))
    """
    total, draw, key = (10, 5, "most_of_half") if half else (20, 10, "most")
    if percent < 50:
        return total - of_percentage(boards, 100 - percent, half=half)
    column = _column(_data("swiss-pairs")[key], boards, "swiss-pairs")
    return Fraction(draw + bisect_left(column, percent))


@cache
def continuous(boards: int) -> tuple[Fraction, ...]:
    """Return the WBF's continuous scale: the winner's points for margins 0, 1 … up to 20.

    Source: WBF scoring panel 2012. No step may be larger than the one before it.
    """
    with localcontext() as context:
        context.prec = _DIGITS
        ratio = ((Decimal(5).sqrt() - 1) / 2) ** 3
        blitz = 15 * Decimal(boards).sqrt()
        found = []
        for margin in range(math.ceil(blitz) + 1):
            share = (1 - ratio ** (Decimal(margin) / blitz)) / (1 - ratio)
            points = Decimal(20) if margin >= blitz else 10 + 10 * share
            found.append(away(Fraction(points), 2))
    return tuple(_concave(found))


def _concave(found: list[Fraction]) -> list[Fraction]:
    step = Fraction(1, 100)
    index = 1
    while index + 1 < len(found):
        if found[index + 1] - found[index] > found[index] - found[index - 1]:
            found[index] += step
            index = max(1, index - 1)
        else:
            index += 1
    return found


@cache
def discrete(boards: int) -> tuple[int, ...]:
    """Return the WBF's discrete scale: the largest margins that still score 10, 11 … 19.

    Source: WBF 2013, EBU White Book 3.1.1. The widths of the bands do not decrease.
    """
    with localcontext() as context:
        context.prec = _DIGITS
        ratio = ((Decimal(5).sqrt() - 1) / 2) ** 3
        blitz = 15 * Decimal(boards).sqrt()
        bounds = []
        for points in range(10, 20):
            share = 1 - (1 - ratio) * (Decimal(points) + Decimal("0.5") - 10) / 10
            bounds.append(int(blitz * share.ln() / ratio.ln()))
    while (index := _narrower(bounds)) is not None:
        bounds[index] -= 1
    return tuple(bounds)


def _narrower(bounds: list[int]) -> int | None:
    """Return the band before the first that is narrower than it, where there is one."""
    widths = [2 * bounds[0] + 1, *(b - a for a, b in pairwise(bounds))]
    for index in range(1, len(widths)):
        if widths[index] < widths[index - 1]:
            return index - 1
    return None


@cache
def _data(scale: str) -> dict[str, Any]:
    text = (files(__package__) / f"{scale}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text, parse_float=lambda digits: Fraction(digits))


def _column(columns: dict[str, list[Any]], boards: int, scale: str) -> list[Any]:
    """Return the column for so many boards; for fewer than the table has, its first one."""
    fewest = min(int(name.partition("-")[0]) for name in columns)
    for name, column in columns.items():
        first, _, last = name.partition("-")
        if int(first) <= max(boards, fewest) <= int(last or first):
            return column
    raise ScoringError("profile.vp", f"{scale} has no column for {boards} boards")
