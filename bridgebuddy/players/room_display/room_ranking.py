"""The ranking on the room display: after each round, and at the end from the last place up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest

from django.utils.translation import gettext as _

from bridgebuddy.events.models import Section
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.results.barometer import Barometer
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.snapshot.counted import RankedContestant, RankingList
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.scoring.templatetags.results import number_alone, overall, penalty_remark, places

LINES, BESIDE = 8, 2  # lines of a list on the screen, and lists side by side
ALONE = 9  # lines if the list has the screen for itself


#: characters that fit on a line in large type, in smaller type, and in two lines of smaller type
SHORT, LONG, LONGER = 20, 24, 50


@dataclass(frozen=True)
class DisplayedRankingRow:
    """A row of the ranking on the room display; a hidden row shows only its place."""

    standing: RankedContestant
    value: str
    climbed: int | None = None  # places gained since the round before; None if not shown
    is_hidden: bool = False
    letter: str = ""  # of their section, in a list over several
    fined: str = ""  # the penalty or bonus, without its reason

    @property
    def places_lost(self) -> int:
        """Return how many places the contestant has lost since the last round; negative for a gain."""
        return -(self.climbed or 0)

    @property
    def is_first(self) -> bool:
        """Return whether the contestant has the first place."""
        return self.standing.place in ("1", "1=")

    @property
    def size(self) -> str:
        """Return the CSS size class of the names, small enough that they fit."""
        return size_class(self.standing.contestant.surnames)


def size_class(names: str, wide: int = 1) -> str:
    """Return the CSS size class for names in a row that is `wide` times as wide as usual."""
    sizes = zip((SHORT, LONG, LONGER), ("", "long", "longer"), strict=True)
    return next((size for most, size in sizes if len(names) <= wide * most), "longest")


@dataclass(frozen=True)
class RankingColumn:
    """A ranking, or a part of it, in one column of the room display."""

    field: str
    section: str
    lines: tuple[DisplayedRankingRow, ...]


@dataclass(frozen=True)
class RankingPage:
    """One page of the ranking on the room display."""

    title: str
    columns: tuple[RankingColumn, ...]


def pages_after_round(section: Section) -> list[RankingPage]:
    """Return the pages of the ranking after the last finished round; empty if it is not shown."""
    title, parts = _ranking_after_round(section)
    return [
        RankingPage(title, tuple(column for column in columns if column))
        for start in range(0, len(parts), BESIDE)
        for columns in zip_longest(*parts[start : start + BESIDE])
    ]


def pages_in_half(section: Section, half: int) -> list[RankingPage]:
    """Return the pages of the ranking for one half of a split screen, one column at a time.

    With a list for each section, its own. Lists over all sections are shared by both halves.
    """
    title, parts = _ranking_after_round(section)
    columns = [column for part in parts for column in part]
    if any(column.section for column in columns):
        mine = [column for column in columns if column.section == section.name]
    else:
        title = _("%(title)s, all sections") % {"title": title}
        mine = [
            column for place, part in enumerate(parts) if place % BESIDE == half for column in part
        ]
    return [RankingPage(title, (column,)) for column in mine]


def _ranking_after_round(section: Section) -> tuple[str, list[list[RankingColumn]]]:
    """Return the title and the columns of each ranking after the last finished round; empty if not shown."""
    scoring = ScoringSettings.objects.filter(session=section.session_id, barometer=True).first()
    if scoring is None or section.movement is None or not section.is_running:
        return "", []
    barometer = Barometer(SessionSnapshot(section))
    after = barometer.ranked_round_of(section)
    ranking = barometer.results_after_round() if after else None
    if ranking is None or not ranking.entered_count:
        return "", []
    facts = {"round": after, "rounds": section.rounds}
    title = _("After round %(round)s of %(rounds)s") % facts
    lists = [
        list(_ranking_rows(ranking, ranking_list, barometer.places_before))
        for ranking_list in ranking.main_lists
    ]
    parts = [
        [
            _ranking_column(ranking, ranking_list, lines[start : start + LINES])
            for start in range(0, max(len(lines), 1), LINES)
        ]
        for ranking_list, lines in zip(ranking.main_lists, lists, strict=True)
    ]
    if len(parts) == 1:  # the second part of a list is shown beside its first
        parts = [parts[0][::BESIDE], parts[0][1::BESIDE]]
    return title, parts


def _ranking_column(
    scored: ScoredSession, ranking: RankingList, lines: list[DisplayedRankingRow]
) -> RankingColumn:
    """Return rows of a ranking as a column with its heading."""
    section = ranking.section if ranking.section and scored.tonight.has_several else ""
    return RankingColumn(ranking.field or "", section or "", tuple(lines))


def _ranking_rows(
    scored: ScoredSession, ranking: RankingList, before: dict[tuple[str, str], int]
) -> Iterator[DisplayedRankingRow]:
    """Yield the rows of a ranking with the places gained since the last round."""
    for standing in ranking.standings:
        was = before.get((standing.section, standing.contestant.slug))
        now = int(standing.place.rstrip("=")) if standing.place else None
        climbed = was - now if was is not None and now is not None else None
        letter = standing.section if scored.tonight.has_several and not ranking.section else ""
        told = penalty_remark(standing.contestant_key, scored)
        yield DisplayedRankingRow(
            standing, deciding_value(scored, standing), climbed, letter=letter, fined=told
        )


def deciding_value(scored: ScoredSession, ranked_contestant: RankedContestant) -> str:
    """Return the result that decides the place as text: the overall result, a percentage, or points."""
    match ranked_contestant.deciding_number:
        case "overall":
            return overall(ranked_contestant, scored)
        case "average":
            return places(ranked_contestant.row.average)
    return number_alone(ranked_contestant, scored)


def top_lists(section: Section) -> list[RankingPage]:
    """Return the places of the final rankings revealed so far, from the last one up; all once published.

    Several lists and long lists take turns. With a list for each section, its own.
    """
    scoring = ScoringSettings.objects.filter(session=section.session_id).first()
    if scoring is None or section.movement is None:
        return []
    if scoring.revealed is None and not scoring.is_published:
        return []
    scored = ScoredSession(SessionSnapshot(section))
    parts = []
    lists = [ranking for ranking in scored.main_lists if ranking.section in (None, section.name)]
    for ranking in lists:
        lines = list(_ranking_rows(scored, ranking, {}))
        hidden = max(len(lines) - scoring.revealed, 0) if scoring.revealed is not None else 0
        first = max(hidden - 1, 0)
        revealed = [replace(line, is_hidden=place < hidden) for place, line in enumerate(lines)]
        # during the reveal the lowest shown places are on the screen; later all lines take turns
        last = first + ALONE if hidden else len(revealed)
        size = (
            ALONE if hidden else _rows_per_column(len(revealed), BESIDE if len(lists) == 1 else 1)
        )
        parts.append(
            [
                _ranking_column(scored, ranking, revealed[at : at + size])
                for at in range(first, last, size)
            ]
        )
    if len(parts) == 1:  # the second part of a list is shown beside its first
        parts = [parts[0][::BESIDE], parts[0][1::BESIDE]]
    title = _("The winners") if is_all_revealed(scored, scoring) else _("The final list")
    if scoring.is_published and not scoring.is_final:
        title = _("The list as it stands")
    return [
        RankingPage(title, tuple(column for column in columns if column))
        for start in range(0, len(parts), BESIDE)
        for columns in zip_longest(*parts[start : start + BESIDE])
    ]


def _rows_per_column(lines: int, columns: int) -> int:
    """Return how many rows of a ranking go into each column, so that all pages are about equally full.

    A list that fits one column is not divided.
    """
    if lines <= ALONE:
        return ALONE
    pages = max(-(-lines // (ALONE * columns)), 1)
    return max(-(-lines // (pages * columns)), 1)


def published_token(section: Section) -> str:
    """Return the token of the session's published results; empty while they are not published."""
    scoring = ScoringSettings.objects.filter(session=section.session_id).first()
    return scoring.token if scoring and scoring.is_published else ""


def is_all_revealed(scored: ScoredSession, scoring: ScoringSettings) -> bool:
    """Return whether the room display has revealed the first place of every ranking."""
    if scoring.revealed is None:
        return scoring.is_published
    most = max((len(ranking.standings) for ranking in scored.main_lists), default=0)
    return scoring.revealed is not None and scoring.revealed >= most
