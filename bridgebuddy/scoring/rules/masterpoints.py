"""Masterpoints: what a federation gives for a place. A scale is data, a TOML file in `scales/masterpoints/`."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path

from .rounding import away

FOLDER = Path(__file__).parent / "scales" / "masterpoints"
SCALES = tuple(sorted(one.stem for one in FOLDER.glob("*.toml")))


@dataclass(frozen=True)
class Winner:
    """What a winner has: so much a table, up to so many tables; then ever less for one more."""

    table: Fraction
    most: int
    decay: int

    def of(self, tables: int) -> Fraction:
        if tables <= self.most:
            return self.table * tables
        return Fraction(1 - math.exp(-tables / self.decay)).limit_denominator(10**9)


@dataclass(frozen=True)
class MasterpointScale:
    """How a federation awards places."""

    name: str
    source: str
    unit: Fraction
    boards: int
    played: Fraction
    second: Fraction
    pairs: Fraction
    teams: Fraction
    winner: tuple[Winner, Winner]  # of one list, of two

    def award(self, place: int, tables: int, *, lists: int) -> Fraction:
        """Return what a place is worth, exactly.

        >>> scale = masterpoint_scale("abf-session")
        >>> [float(scale.award(place, 9, lists=2)) for place in (1, 2, 3, 4)]
        [0.18, 0.126, 0.09, 0.06]
        """
        first = self.winner[min(lists, 2) - 1].of(tables)
        if place == 1:
            return first
        return first * self.second / 100 if place == 2 else first / (place - 1)

    def awarded(self, contestants: int, *, is_third: bool) -> int:
        """Return how many of a list have something: a third in teams and Butler, else half.

        >>> scale = masterpoint_scale("abf-session")
        >>> scale.awarded(9, is_third=False), scale.awarded(7, is_third=True)
        (4, 3)
        """
        if is_third:
            return math.ceil(contestants * self.teams)
        return math.floor(contestants * self.pairs)


@dataclass(frozen=True)
class Ranked:
    """Somebody in a list: the place (equals have the same; None: no place), and the share played."""

    place: int | None
    played: Fraction


def awards(
    ranked: Sequence[Ranked],
    scale: MasterpointScale,
    *,
    tables: int,
    boards: int,
    lists: int,
    is_third: bool = False,
) -> list[Fraction | None]:
    """Return what each of a list is awarded, None where nothing; equals share the mean of their places."""
    if boards < scale.boards:
        return [None] * len(ranked)
    most = scale.awarded(len(ranked), is_third=is_third)
    found: list[Fraction | None] = []
    for one in ranked:
        if one.place is None or 100 * one.played < scale.played:
            found.append(None)
            continue
        equals = sum(other.place == one.place for other in ranked)
        places = range(one.place, one.place + equals)
        total = sum(
            (scale.award(place, tables, lists=lists) for place in places if place <= most),
            Fraction(0),
        )
        share = total / equals / scale.unit
        found.append(away(share, 0) * scale.unit if total else None)
    return found


@cache
def masterpoint_scale(name: str) -> MasterpointScale:
    """Return a scale by its name."""
    text = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text, parse_float=Decimal)

    def winner(key: str) -> Winner:
        found = data[key]
        return Winner(Fraction(found["table"]), found["most"], found["decay"])

    return MasterpointScale(
        name=data["name"],
        source=data["source"],
        unit=Fraction(data["unit"]),
        boards=data["boards"],
        played=Fraction(data["played"]),
        second=Fraction(data["second"]),
        pairs=Fraction(data["pairs"]),
        teams=Fraction(data["teams"]),
        winner=(winner("one_winner"), winner("two_winners")),
    )
