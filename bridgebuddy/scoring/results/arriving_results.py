"""The results that have arrived in the current round, table by table, and those missing, for the director's desk."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median_low
from typing import Any

from django.db.models import Exists, F, FilteredRelation, OuterRef, Q, QuerySet

from bridgebuddy.events.models import Play, Section

from ..models import MatchRuling
from ..snapshot.kinds import KNOCKOUT, is_swiss_of_pairs

FIRST_COUNT = 1  # value of `Section.results` before scoring has begun
MOST_BOXES = 6  # more boards than these are shown as a number


def is_outcome_known(outcome: Mapping[str, Any] | None) -> bool:
    """Return whether a board has a known outcome; one to be played later has not."""
    return outcome is not None and "pending" not in outcome


def slow_tables(missing_by_table: Mapping[int, int]) -> set[int]:
    """Return the tables with more missing results (`missing_by_table`, by table) than the median table."""
    middle = median_low(missing_by_table.values()) if missing_by_table else 0
    return {table for table, count in missing_by_table.items() if count > middle}


@dataclass(frozen=True)
class TableArrivals:
    """For each board of a table in the current round, in playing order, whether its result has arrived."""

    boards: tuple[bool, ...]

    @property
    def count(self) -> int:
        """Return how many results of the table have arrived in this round."""
        return sum(self.boards)

    @property
    def due_count(self) -> int:
        """Return the number of boards that the table plays in the round."""
        return len(self.boards)

    @property
    def missing_count(self) -> int:
        """Return how many results of the table are missing in this round."""
        return self.due_count - self.count

    @property
    def are_all(self) -> bool:
        """Return whether all results of the table in this round have arrived."""
        return all(self.boards)

    @property
    def boxes(self) -> tuple[bool, ...]:
        """Return True for each arrived and False for each missing result, to draw; empty for too many boards."""
        return tuple(sorted(self.boards, reverse=True)) if self.due_count <= MOST_BOXES else ()


def has_scoring_begun(section: Section) -> bool:
    """Return whether a result of the section has been entered."""
    return section.is_started and section.results > FIRST_COUNT


class ArrivingResults:
    """The results of the current round that have arrived, and those missing of all rounds, for several sections.

    Sections without any results need no query and give nothing.
    """

    def __init__(self, sections: Sequence[Section]) -> None:
        self.sections = [section for section in sections if has_scoring_begun(section)]

    def arrivals_in(self, section: Section) -> Mapping[int, TableArrivals]:
        """Return which results of a section's current round have arrived, by table."""
        return {
            table: TableArrivals(tuple(results))
            for table, results in self._results_by_table[section.pk].items()
        }

    def missing_by_round(self, sections: Sequence[Section]) -> Mapping[int, int]:
        """Return how many results are missing in these sections, by round; rounds without any are left out."""
        missing: Counter[int] = Counter()
        keys = {section.pk for section in sections}
        for section, round, _table, is_known in self._rows:
            missing[round] += section in keys and not is_known
        return {round: count for round, count in sorted(missing.items()) if count}

    @cached_property
    def _results_by_table(self) -> Mapping[int, Mapping[int, list[bool]]]:
        """Return for each section and table a list that says of each board whether its result is there."""
        arrived: defaultdict[int, defaultdict[int, list[bool]]]
        arrived = defaultdict(lambda: defaultdict(list))
        rounds = {section.pk: section.round for section in self.sections}
        for section, round, table, is_known in self._rows:
            if round == rounds[section]:
                arrived[section][table].append(is_known)
        return arrived

    @cached_property
    def _rows(self) -> list[tuple[int, int, int, bool]]:
        """Return section, round, table and whether the result is known, of this round and of missing ones before.

        Boards of a match that the director ruled on are not awaited: they count as known.
        """
        if not self.sections:
            return []
        begun = Play.objects.filter(
            section__in=self.sections, round__lte=F("section__round"), taken_back_at=None
        ).exclude(Q(ns=None) | Q(ew=None))
        standing = FilteredRelation("results", condition=Q(results__stands=True))
        is_missing = Q(standing__outcome__isnull=True) | Q(standing__outcome__has_key="pending")
        plays = (
            begun.annotate(standing=standing, is_ruled=Exists(self._rulings_of_play))
            .filter(Q(round=F("section__round")) | is_missing & Q(is_ruled=False))
            .order_by("section", "table", "part", "board")
        )
        fields = ("section", "round", "table", "is_ruled", "standing__outcome")
        return [
            (section, round, table, is_ruled or is_outcome_known(outcome))
            for section, round, table, is_ruled, outcome in plays.values_list(*fields)
        ]

    @property
    def _rulings_of_play(self) -> QuerySet[MatchRuling]:
        """Return the rulings on the match of a play, for a subquery.

        A ruling names the last round of its match. In a draw a match has one round, or two in a triangle; in other
        movements of teams all boards of two teams are one match.
        """
        draws = [
            section
            for section in self.sections
            if section.stored.is_draw or is_swiss_of_pairs(section)
        ]
        with_triangles = [section.pk for section in draws if section.stored.family != KNOCKOUT]
        teams = [
            Q(one=OuterRef("ns"), other=OuterRef("ew")),
            Q(one=OuterRef("ew"), other=OuterRef("ns")),
        ]
        rulings = MatchRuling.objects.filter(section=OuterRef("section"), taken_back_at=None)
        is_its_round = (
            Q(round=OuterRef("round"))
            | Q(round=OuterRef("round") + 1, section__in=with_triangles)
            | ~Q(section__in=[section.pk for section in draws])
        )
        return rulings.filter(teams[0] | teams[1], is_its_round)
