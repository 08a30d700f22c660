"""The fields of a session: which results of a board are compared with each other."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from .counted_plays import CountedPlay, plays_of
from .model import (
    LINES,
    Line,
    Play,
    Session,
)
from .profile import Profile


class ComparisonScope(NamedTuple):
    """The plays among which results are compared: of a section or all (None), and of one set of deals."""

    section: str | None
    deals: str | None


class FieldKey(NamedTuple):
    """The key of results that are compared: their scope, the board, and the tables with the same cards."""

    scope: ComparisonScope
    board: int
    group: str | None


@dataclass(frozen=True)
class ComparedField:
    """All results of a board that are compared with each other, and how many results are expected."""

    key: FieldKey
    plays: tuple[CountedPlay, ...]
    expected: int
    #: all expected results of the board are in
    is_closed: bool

    @cached_property
    def lines(self) -> tuple[CountedPlay, ...]:
        """Return the plays that have a score."""
        return tuple(play for play in self.plays if play.fate == "scored")

    @property
    def result_count(self) -> int:
        """Return the number of plays that have a score."""
        return len(self.lines)

    @cached_property
    def _frequencies(self) -> dict[Line, Counter[int]]:
        """Return how often each score occurs, in each side's view."""
        return {line: self._count_scores(line) for line in LINES}

    def frequencies(self, direction: Line) -> Counter[int]:
        """Return how often each score occurs in the view of the side in `direction`; weighted scores count partly."""
        return self._frequencies[direction]

    def _count_scores(self, direction: Line) -> Counter[int]:
        """Count how often each score occurs in the view of the side in `direction`."""
        sign = 1 if direction == "ns" else -1
        counts: Counter[int] = Counter()
        for play in self.lines:
            weighted = play.scores_of(direction)
            for weight, score in weighted:
                counts[sign * score] += 1 if len(weighted) == 1 else weight  # type: ignore[assignment]
        return counts

    @cached_property
    def _counts_below(self) -> dict[Line, dict[int, int]]:
        """Return how many results each score beats, in each side's view."""
        return {
            line: _counts_of_lower_scores(counted) for line, counted in self._frequencies.items()
        }

    def beaten_counts(self, direction: Line) -> Mapping[int, int]:
        """Return how many results each score beats in the view of the side in `direction`."""
        return self._counts_below[direction]

    @cached_property
    def is_split(self) -> bool:
        """Return whether a play has different scores for its two sides."""
        return any(play.scores_of("ns") != play.scores_of("ew") for play in self.lines)


def _counts_of_lower_scores(counts: Counter[int]) -> dict[int, int]:
    """Return for each score how many results are lower, from the number of results with each score."""
    scores = sorted(counts)
    return dict(zip(scores, accumulate((counts[n] for n in scores), initial=0), strict=False))


class SessionScopes:
    """Decides which plays of a session are compared with each other."""

    def __init__(
        self, session: Session, profile: Profile, counted_plays: Sequence[CountedPlay]
    ) -> None:
        self.session = session
        self.profile = profile
        self._match_deals = _deals_of_matches(session)
        self._whose = {section.deals: section.name for section in session.sections}
        boards: dict[tuple[ComparisonScope, int], list[CountedPlay]] = defaultdict(list)
        for play in counted_plays:
            boards[self.scope_of(play.play), play.play.board].append(play)
        self.expected = self._expectations(boards)
        self.fields: dict[FieldKey, ComparedField] = {}
        self.field_of: dict[int, ComparedField] = {}
        for (scope, board), plays in boards.items():
            is_closed = not any(play.is_awaited for play in plays)
            groups: dict[str | None, list[CountedPlay]] = defaultdict(list)
            for play in plays:
                groups[play.play.group].append(play)
            for group, members in groups.items():
                key = FieldKey(scope, board, group)
                field = ComparedField(key, tuple(members), self.expected[scope], is_closed)
                self.fields[key] = field
                self.field_of.update((play.play.index, field) for play in members)

    def scope_of(self, play: Play) -> ComparisonScope:
        """Return among which plays a play is compared; a board of another section counts there."""
        deals = self.deals_of(play)
        if self.profile.scope != "section":
            return ComparisonScope(None, deals)
        return ComparisonScope(
            self._whose.get(deals, play.section) if play.deals else play.section, deals
        )

    def scope_of_section(self, section: str) -> ComparisonScope:
        """Return among which plays a section's boards are compared."""
        name = section if self.profile.scope == "section" else None
        return ComparisonScope(name, self.session.section(section).deals)

    def deals_of(self, play: Play) -> str | None:
        """Return the name of the set of deals of a play: the play's own, or that of its match or section."""
        own = play.deals or self._match_deals.get(play.index)
        return own if own is not None else self.session.section(play.section).deals

    def _expectations(
        self, boards: Mapping[tuple[ComparisonScope, int], list[CountedPlay]]
    ) -> dict[ComparisonScope, int]:
        """Return how many results are expected on each board of a scope: as many as on its most-played board."""
        counts: dict[ComparisonScope, Counter[int]] = defaultdict(Counter)
        by_section: dict[tuple[ComparisonScope, str], Counter[int]] = defaultdict(Counter)
        for (scope, board), plays in boards.items():
            for play in plays:
                counts[scope][board] += play.is_expected
                by_section[scope, play.play.section][board] += play.is_expected
        if self.profile.expected == "tables":
            for sit_out in self.session.sit_outs:
                section = self.session.section(sit_out.who.section)
                name = section.name if self.profile.scope == "section" else None
                for board in sit_out.boards:
                    counts[ComparisonScope(name, section.deals)][board] += 1
        stated: Counter[ComparisonScope] = Counter()
        for (scope, name), boards_of in by_section.items():
            own = max(boards_of.values(), default=0)
            stated[scope] += max(own, self.session.section(name).expected or 0)
        has_stated = any(section.expected for section in self.session.sections)
        return {
            scope: max(max(of.values(), default=0), stated[scope] if has_stated else 0)
            for scope, of in counts.items()
        }


def _deals_of_matches(session: Session) -> dict[int, str]:
    """Return the names of deal sets that belong to one match only, by index of the play."""
    return {
        play.index: match.deals
        for match in session.matches
        if match.deals is not None
        for play in plays_of(match, session)
    }
