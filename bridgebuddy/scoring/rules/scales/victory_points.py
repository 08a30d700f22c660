"""Victory points of a match by its margin in IMPs or its percentage."""

from __future__ import annotations

import math
import re
import tomllib
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

from ..errors import ScoringError
from ..rounding import round_half_away

_DIGITS = 50
_BOARDS = re.compile(r"\d+(-\d*)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class OwnScale:
    """A victory point scale typed by a club: the points of a draw, and the margin needed for each further point.

    The winner never gets more than `cap`; the loser still loses the points beyond it, as in 25 to 4.
    """

    total: Fraction
    draw: Fraction
    least: tuple[int, ...]
    cap: Fraction


@dataclass(frozen=True)
class Scale:
    """A victory point scale read from its file. `total` is the sum of both sides."""

    name: str
    words: Mapping[str, str]
    source: str
    total: int
    draw: int
    cap: int
    #: victory points of the least margin of a column
    first: int
    #: by number of boards: the least margins that score `first`, one more, …
    least: Mapping[str, Sequence[int]] = field(default_factory=dict)
    #: by number of boards: the largest percentages that score the draw, one more, …; and of half a match
    most: Mapping[str, Sequence[Fraction]] = field(default_factory=dict)
    most_of_half: Mapping[str, Sequence[Fraction]] = field(default_factory=dict)
    formula: str = ""

    @property
    def is_of_percentages(self) -> bool:
        """Return whether the scale converts percentages instead of IMPs."""
        return bool(self.most)


@cache
def scales_by_name() -> Mapping[str, Scale]:
    """Return every victory point scale by its name, which is its file's name."""
    by_name = [
        scale_file
        for scale_file in files(__package__).iterdir()
        if scale_file.name.endswith(".toml")
    ]
    return {
        scale_file.name.removesuffix(".toml"): read_scale(
            scale_file.read_text(encoding="utf-8"), scale_file.name
        )
        for scale_file in sorted(by_name, key=lambda scale_file: scale_file.name)
    }


def read_scale(text: str, file: str) -> Scale:
    """Parse the file of a victory point scale. Raises `ScoringError` if it is incomplete or impossible."""
    try:
        return _read_scale(text, file)
    except (TypeError, AttributeError, tomllib.TOMLDecodeError) as wrong:
        raise ScoringError(file, f"is not written as a scale is: {wrong}") from wrong


def _read_scale(text: str, file: str) -> Scale:
    """Return a victory point scale from its TOML text; raise `ScoringError` if something is missing."""
    data = tomllib.loads(text, parse_float=lambda digits: Fraction(digits))
    for key in ("name", "words", "source", "total", "draw"):
        if not data.get(key):
            raise ScoringError(file, f"{key} is missing")
    if not isinstance(data["words"], dict):
        raise ScoringError(file, "words: one for each language")
    if unknown := sorted(set(data) - set(Scale.__dataclass_fields__)):
        raise ScoringError(file, f"{unknown[0]} is not known")
    figures = {"cap": data["total"], "first": data["draw"] + 1} | data
    scale = Scale(**figures)
    if 2 * scale.draw != scale.total:
        raise ScoringError(file, f"draw: {scale.draw} twice is not {scale.total}")
    if scale.formula and scale.formula not in _FORMULAS:
        raise ScoringError(file, f"formula: {scale.formula} is not known")
    if not scale.formula and not scale.least:
        raise ScoringError(file, "least is missing")
    if not scale.draw < scale.first <= scale.cap <= scale.total:
        raise ScoringError(file, "first and cap lie between draw and total")
    steps = {
        "least": 1 + scale.total - scale.first,
        "most": scale.draw,
        "most_of_half": scale.draw // 2,
    }
    for key, many in steps.items():
        columns: Mapping[str, Sequence[Any]] = getattr(scale, key)
        _check_boards(columns, f"{file}: {key}")
        for boards, column in columns.items():
            if any(step >= other for step, other in pairwise((0, *column))):
                raise ScoringError(file, f"{key} of {boards} boards does not rise")
            if len(column) != many:
                raise ScoringError(file, f"{key} of {boards} boards has {len(column)}, not {many}")
    return scale


def _check_boards(columns: Mapping[str, Any], place: str) -> None:
    """Raise `ScoringError` unless every number of boards has exactly one column of the scale."""
    last = None
    for name in columns:
        if not _BOARDS.fullmatch(name):
            raise ScoringError(place, f"{name} is no number of boards")
        first, end = _range_of_boards(name)
        if last is not None and first != last + 1:
            raise ScoringError(place, f"{name} boards do not follow on {last:g}")
        last = end


def _range_of_boards(name: str) -> tuple[int, float]:
    """Return the least and most boards that a column of a scale, such as "8-12", is for."""
    first, dash, last = name.partition("-")
    return int(first), int(last) if last else math.inf if dash else int(first)


def greatest_sum(scale: str | OwnScale) -> Fraction:
    """Return the sum of both sides' victory points in a match by this scale."""
    if isinstance(scale, OwnScale):
        return scale.total
    return Fraction(scales_by_name()[scale].total)


def points_for_margin(scale: str | OwnScale, boards: int, margin: int) -> Fraction:
    """Return the victory points of a side that won (or, if negative, lost) by `margin` IMPs over `boards` boards.

    >>> points_for_margin("wbf-continuous", 16, 14), points_for_margin("wbf-discrete", 8, -4)
    (Fraction(55, 4), Fraction(8, 1))
    """
    won = _winner_points(scale, boards, abs(margin))
    if margin < 0:
        return greatest_sum(scale) - won
    return min(
        won, Fraction(scale.cap if isinstance(scale, OwnScale) else scales_by_name()[scale].cap)
    )


def _winner_points(scale: str | OwnScale, boards: int, margin: int) -> Fraction:
    """Return the winner's victory points for a margin, before the limit; the loser gets the rest."""
    if isinstance(scale, OwnScale):
        return min(scale.total, scale.draw + bisect_right(scale.least, margin))
    table = scales_by_name()[scale]
    if table.formula:
        return _FORMULAS[table.formula](boards, margin)
    won = bisect_right(_column_for_boards(table.least, boards, scale), margin)
    return Fraction(table.first - 1 + won if won else table.draw)


def points_for_percentage(
    boards: int, percent: Fraction, *, half: bool = False, scale: str = "swiss-pairs"
) -> Fraction:
    """Convert a percentage in a Swiss match of pairs to points of 20, or 10 in half a match. White Book 3.1.7.

    >>> points_for_percentage(8, Fraction("56.24")), points_for_percentage(8, Fraction("43.77"))
    (Fraction(15, 1), Fraction(6, 1))
    """
    table = scales_by_name()[scale]
    if percent < 50:
        whole = Fraction(table.total, 2 if half else 1)
        return whole - points_for_percentage(boards, 100 - percent, half=half, scale=scale)
    column = _column_for_boards(table.most_of_half if half else table.most, boards, scale)
    return Fraction(table.draw, 2 if half else 1) + bisect_left(column, percent)


@cache
def continuous_scale(boards: int) -> tuple[Fraction, ...]:
    """Return the WBF's continuous scale for so many boards: the winner's points for margins 0, 1 … up to 20.

    Source: WBF scoring panel 2012. No step may be larger than the one before it.
    """
    with localcontext() as context:
        context.prec = _DIGITS
        ratio = ((Decimal(5).sqrt() - 1) / 2) ** 3
        blitz = 15 * Decimal(boards).sqrt()
        scale = []
        for margin in range(math.ceil(blitz) + 1):
            share = (1 - ratio ** (Decimal(margin) / blitz)) / (1 - ratio)
            points = Decimal(20) if margin >= blitz else 10 + 10 * share
            scale.append(round_half_away(Fraction(points), 2))
    return tuple(_made_concave(scale))


def _made_concave(points: list[Fraction]) -> list[Fraction]:
    """Return victory points by margin, raised until no step between margins is greater than the one before."""
    step = Fraction(1, 100)
    index = 1
    while index + 1 < len(points):
        if points[index + 1] - points[index] > points[index] - points[index - 1]:
            points[index] += step
            index = max(1, index - 1)
        else:
            index += 1
    return points


@cache
def discrete_scale(boards: int) -> tuple[int, ...]:
    """Return the WBF's discrete scale for so many boards: the largest margins that still give 10, 11 … 19.

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
    while (index := _band_before_narrower(bounds)) is not None:
        bounds[index] -= 1
    return tuple(bounds)


def _band_before_narrower(bounds: list[int]) -> int | None:
    """Return the index of the first band of margins that is wider than the next band; None without one."""
    widths = [2 * bounds[0] + 1, *(b - a for a, b in pairwise(bounds))]
    for index in range(1, len(widths)):
        if widths[index] < widths[index - 1]:
            return index - 1
    return None


def _points_on_continuous_scale(boards: int, margin: int) -> Fraction:
    """Return the winner's victory points for a margin by the WBF's continuous scale."""
    points = continuous_scale(boards)
    return points[min(margin, len(points) - 1)]


def _points_on_discrete_scale(boards: int, margin: int) -> Fraction:
    """Return the winner's victory points for a margin by the WBF's discrete scale."""
    return Fraction(10 + bisect_left(discrete_scale(boards), margin))


#: scales by formula, by their name in files: the value of a margin over a number of boards
_FORMULAS: Mapping[str, Callable[[int, int], Fraction]] = {
    "continuous": _points_on_continuous_scale,
    "discrete": _points_on_discrete_scale,
}


def _column_for_boards(
    columns: Mapping[str, Sequence[Any]], boards: int, scale: str
) -> Sequence[Any]:
    """Return the scale's column for a number of boards; the first column for fewer boards than it lists."""
    fewest = min(_range_of_boards(name)[0] for name in columns)
    for name, column in columns.items():
        first, last = _range_of_boards(name)
        if first <= max(boards, fewest) <= last:
            return column
    raise ScoringError("profile.vp", f"{scale} has no column for {boards} boards")
