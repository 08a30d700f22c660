"""Masterpoints for places. A federation's scale is data: a TOML file in `scales/masterpoints/`."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from movements.engine.contest import Contest

from ..rounding import round_half_away

FOLDER = Path(__file__).parent.parent / "scales" / "masterpoints"
SCALES = tuple(sorted(scale_file.stem for scale_file in FOLDER.glob("*.toml")))


@dataclass(frozen=True)
class WinnerAward:
    """The winner's masterpoints by number of tables: an amount per table up to a limit, less for each beyond."""

    table: Fraction
    most: int
    decay: int

    def award_for(self, tables: int) -> Fraction:
        """Return the winner's masterpoints for a number of tables."""
        if tables <= self.most:
            return self.table * tables
        return Fraction(1 - math.exp(-tables / self.decay)).limit_denominator(10**9)


@dataclass(frozen=True)
class AwardedField:
    """The size of a ranking, on which its masterpoints depend: contestants, tables, boards, rankings."""

    contestants: int
    tables: int
    boards: int
    lists: int = 1
    contest: Contest = Contest.PAIRS
    #: share of teams and of Butler on some scales: a third
    is_third: bool = False
    #: number of tables without a sit-out, if fewer
    full: int | None = None

    @property
    def contestant_count(self) -> int:
        """Return the number of contestants in the ranking, without those that have no opponents."""
        if self.full is None:
            return self.contestants
        to_a_table = self.contest.contestants_per_table if self.lists == 1 else 1
        return min(self.contestants, self.full * to_a_table)


@dataclass(frozen=True)
class MasterpointScale:
    """A federation's scale of masterpoints for the places of a ranking."""

    name: str
    #: the name by language
    words: Mapping[str, str]
    source: str
    unit: Fraction
    boards: int
    played: Fraction
    #: uncertain part of the scale, as a hint for the choice; empty if all is certain
    doubt: str

    def place_awards(self, field: AwardedField) -> list[Fraction]:
        """Return the masterpoints of the places, from the first to the last that gets any."""
        raise NotImplementedError

    def lowest_award(self, field: AwardedField) -> Fraction:
        """Return the masterpoints of the last place that gets any."""
        return Fraction(0)


@dataclass(frozen=True)
class ByTables(MasterpointScale):
    """A scale of masterpoints by tables: an amount per table for the winner, a share of it for each next place."""

    second: Fraction
    pairs: Fraction
    teams: Fraction
    winner: tuple[WinnerAward, WinnerAward]  # of one list, or of two

    def place_awards(self, field: AwardedField) -> list[Fraction]:
        """Return the masterpoints of each place that receives any."""
        most = self.awarded_places(field.contestants, is_third=field.is_third)
        places = range(1, most + 1)
        return [self.award(place, field.tables, lists=field.lists) for place in places]

    def award(self, place: int, tables: int, *, lists: int) -> Fraction:
        """Return the exact masterpoints of a place for a number of tables.

        >>> scale = masterpoint_scale("abf-session")
        >>> [float(scale.award(place, 9, lists=2)) for place in (1, 2, 3, 4)]
        [0.18, 0.126, 0.09, 0.06]
        """
        first = self.winner[min(lists, 2) - 1].award_for(tables)
        if place == 1:
            return first
        return first * self.second / 100 if place == 2 else first / (place - 1)

    def awarded_places(self, contestants: int, *, is_third: bool) -> int:
        """Return how many places get masterpoints: a third in teams and Butler, otherwise half.

        >>> scale = masterpoint_scale("abf-session")
        >>> scale.awarded_places(9, is_third=False), scale.awarded_places(7, is_third=True)
        (4, 3)
        """
        if is_third:
            return math.ceil(contestants * self.teams)
        return math.floor(contestants * self.pairs)


@dataclass(frozen=True)
class ByContestants(MasterpointScale):
    """A scale of masterpoints by contestants: an amount per contestant for the winner, shares of it below."""

    each: Fraction
    most: Fraction | None
    shares: tuple[Fraction, ...]
    awarded: Fraction

    def place_awards(self, field: AwardedField) -> list[Fraction]:
        """Return the masterpoints of the places, from the first to the last that gets any.

        >>> scale = masterpoint_scale("acbl-club-open")
        >>> [float(award) for award in scale.place_awards(AwardedField(15, 8, 24))]  # half of six has .5 and is one more
        [1.5, 1.05, 0.75, 0.525, 0.3, 0.25]
        """
        if field.contest == Contest.TEAMS:
            return []
        first = self.each * field.contestants
        first = first if self.most is None else min(first, self.most)
        shares = dict(enumerate(self.shares, 2))
        return [
            first * shares.get(place, Fraction(100, place)) / 100 if place > 1 else first
            for place in range(1, math.floor(field.contestants * self.awarded + HALF) + 1)
        ]


@dataclass(frozen=True)
class BySteps(MasterpointScale):
    """A scale of masterpoints by steps: one step for the last awarded place, one more for each better place.

    The number of awarded places and the highest award depend on the boards.
    """

    steps: Mapping[str, Fraction]
    lowest: Mapping[str, Fraction]
    #: by least number of boards: the awarded share of the field, and the greatest award
    by_boards: tuple[tuple[int, Fraction, Fraction], ...]
    fewest: Mapping[str, int]

    def place_awards(self, field: AwardedField) -> list[Fraction]:
        """Return the masterpoints of the places, from the first to the last that gets any.

        >>> scale = masterpoint_scale("british-club")
        >>> [int(award) for award in scale.place_awards(AwardedField(12, 6, 24))]
        [24, 18, 12, 6]
        >>> [int(award) for award in scale.place_awards(AwardedField(6, 6, 24, lists=2))]
        [20, 10]
        """
        kind, people = self._kind_of_list(field), field.contestant_count
        if people * min(field.lists, 2) < self.fewest[kind] or field.boards < self.boards:
            return []
        share, most = next((a, b) for n, a, b in reversed(self.by_boards) if field.boards >= n)
        count = math.ceil(people * share)
        least = self.lowest[kind]
        return [min(most, max(least, self.steps[kind] * value)) for value in range(count, 0, -1)]

    def lowest_award(self, field: AwardedField) -> Fraction:
        """Return the masterpoints of the last place that gets any."""
        return self.lowest[self._kind_of_list(field)]

    def _kind_of_list(self, field: AwardedField) -> str:
        """Return the kind of ranking that decides the step: individual, teams, one or two winners."""
        if field.contest == Contest.INDIVIDUAL:
            return "individual"
        if field.contest == Contest.TEAMS:
            return "teams"
        return "two_winners" if field.lists > 1 else "one_winner"


HALF = Fraction(1, 2)


@dataclass(frozen=True)
class RankedPlayer:
    """A contestant in a ranking that gets masterpoints: its place, and the share of the boards it played."""

    place: int | None
    played: Fraction


def list_awards(
    players: Sequence[RankedPlayer],
    scale: MasterpointScale,
    *,
    tables: int,
    boards: int,
    lists: int,
    contest: Contest = Contest.PAIRS,
    is_third: bool = False,
    full: int | None = None,
) -> list[Fraction | None]:
    """Return each ranked contestant's masterpoints, None without any; equals share those of their places."""
    if boards < scale.boards:
        return [None] * len(players)
    field = AwardedField(len(players), tables, boards, lists, contest, is_third, full)
    given, least = dict(enumerate(scale.place_awards(field), 1)), scale.lowest_award(field)
    awards: list[Fraction | None] = []
    for standing in players:
        if standing.place is None or 100 * standing.played < scale.played:
            awards.append(None)
            continue
        equals = sum(other.place == standing.place for other in players)
        places = range(standing.place, standing.place + equals)
        total = sum((given.get(place, Fraction(0)) for place in places), Fraction(0))
        share = max(least, total / equals) / scale.unit
        awards.append(round_half_away(share, 0) * scale.unit if total else None)
    return awards


@cache
def masterpoint_scale(name: str) -> MasterpointScale:
    """Return the masterpoint scale with this name."""
    text = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text, parse_float=Decimal)

    common = {
        "name": data["name"],
        "words": data["words"],
        "source": data["source"],
        "unit": Fraction(data["unit"]),
        "boards": data["boards"],
        "played": Fraction(data["played"]),
        "doubt": data.get("doubt", ""),
    }
    return _KINDS[data["kind"]](data, common)


def _read_table_scale(data: dict[str, Any], common: dict[str, Any]) -> MasterpointScale:
    """Return a masterpoint scale by tables from its file's data."""

    def winner_award(key: str) -> WinnerAward:
        """Return the winner's award from the data."""
        figures = data[key]
        return WinnerAward(Fraction(figures["table"]), figures["most"], figures["decay"])

    return ByTables(
        **common,
        second=Fraction(data["second"]),
        pairs=Fraction(data["pairs"]),
        teams=Fraction(data["teams"]),
        winner=(winner_award("one_winner"), winner_award("two_winners")),
    )


def _read_contestant_scale(data: dict[str, Any], common: dict[str, Any]) -> MasterpointScale:
    """Return a masterpoint scale by contestants from its file's data."""
    return ByContestants(
        **common,
        each=Fraction(data["each"]),
        most=Fraction(data["most"]) if "most" in data else None,
        shares=tuple(map(Fraction, data["shares"])),
        awarded=Fraction(data["awarded"]),
    )


def _read_step_scale(data: dict[str, Any], common: dict[str, Any]) -> MasterpointScale:
    """Return a masterpoint scale by steps from its file's data."""
    return BySteps(
        **common,
        steps={key: Fraction(value) for key, value in data["steps"].items()},
        lowest={key: Fraction(value) for key, value in data["lowest"].items()},
        by_boards=tuple((n, Fraction(share), Fraction(m)) for n, share, m in data["by_boards"]),
        fewest=data["fewest"],
    )


_KINDS = {
    "tables": _read_table_scale,
    "contestants": _read_contestant_scale,
    "steps": _read_step_scale,
}
