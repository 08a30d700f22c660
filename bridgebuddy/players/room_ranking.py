"""The ranking on the room display: after each round, and at the end from the last place up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest

from django.utils.translation import gettext as _

from bridgebuddy.events.models import Section
from bridgebuddy.scoring.models import Scoring
from bridgebuddy.scoring.queries.barometer import Barometer
from bridgebuddy.scoring.queries.counted import RankingList, Standing
from bridgebuddy.scoring.queries.scored import Scored
from bridgebuddy.scoring.queries.tonight import Tonight
from bridgebuddy.scoring.templatetags.results import fined, number_alone, overall, places

LINES, BESIDE = 8, 2  # lines of a list on the screen, and lists beside each other
ALONE = 9  # lines where nothing else is on the screen


#: letters of names that a line has room for in large type, in smaller, and in two rows of smaller
SHORT, LONG, LONGER = 20, 24, 50


@dataclass(frozen=True)
class Line:
    """A line of a list on the screen; one that is hidden says its place alone."""

    standing: Standing
    value: str
    climbed: int | None = None  # places since the round before; None where nothing is told of it
    is_hidden: bool = False
    letter: str = ""  # of their section, in a list over several
    fined: str = ""  # that they have a penalty or a bonus; nothing of what it was for

    @property
    def fallen(self) -> int:
        return -(self.climbed or 0)

    @property
    def is_first(self) -> bool:
        return self.standing.place in ("1", "1=")

    @property
    def size(self) -> str:
        """How much smaller the names have to be, so that they stay whole."""
        return size_of(self.standing.contestant.surnames)


def size_of(names: str, wide: int = 1) -> str:
    """Return how much smaller names have to be, so that they stay whole on a line so many times as wide."""
    sizes = zip((SHORT, LONG, LONGER), ("", "long", "longer"), strict=True)
    return next((size for most, size in sizes if len(names) <= wide * most), "longest")


@dataclass(frozen=True)
class Column:
    """A list, or the part of it that the screen shows now."""

    field: str
    section: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class RankingPage:
    """What of the ranking the screen shows at a time."""

    title: str
    columns: tuple[Column, ...]


def pages_after_round(section: Section) -> list[RankingPage]:
    """Return the pages of the ranking after the last round that is over; none unless it is to be shown."""
    title, parts = _after_round(section)
    return [
        RankingPage(title, tuple(column for column in columns if column))
        for start in range(0, len(parts), BESIDE)
        for columns in zip_longest(*parts[start : start + BESIDE])
    ]


def pages_in_half(section: Section, half: int) -> list[RankingPage]:
    """Return what of it stands in a section's half of the screen, one column at a time.

    Where each section has a list, its own; of lists over all sections the two halves share the columns.
    """
    title, parts = _after_round(section)
    columns = [column for part in parts for column in part]
    if any(column.section for column in columns):
        mine = [column for column in columns if column.section == section.name]
    else:
        title = _("%(title)s, all sections") % {"title": title}
        mine = [
            column for place, part in enumerate(parts) if place % BESIDE == half for column in part
        ]
    return [RankingPage(title, (column,)) for column in mine]


def _after_round(section: Section) -> tuple[str, list[list[Column]]]:
    """Return the title, and every list in parts that fit the screen."""
    scoring = Scoring.objects.filter(session=section.session_id, barometer=True).first()
    if scoring is None or section.movement is None or not section.is_running:
        return "", []
    barometer = Barometer(Tonight(section))
    after = barometer.round_of(section)
    found = barometer.after() if after else None
    if found is None or not found.entered:
        return "", []
    facts = {"round": after, "rounds": section.rounds}
    title = _("After round %(round)s of %(rounds)s") % facts
    lists = [list(_lines(found, one, barometer.before)) for one in found.main_lists]
    parts = [
        [
            _column(found, one, lines[start : start + LINES])
            for start in range(0, max(len(lines), 1), LINES)
        ]
        for one, lines in zip(found.main_lists, lists, strict=True)
    ]
    if len(parts) == 1:  # the second part of one list stands beside its first
        parts = [parts[0][::BESIDE], parts[0][1::BESIDE]]
    return title, parts


def _column(scored: Scored, one: RankingList, lines: list[Line]) -> Column:
    section = one.section if one.section and scored.tonight.has_several else ""
    return Column(one.field or "", section or "", tuple(lines))


def _lines(scored: Scored, one: RankingList, before: dict[tuple[str, str], int]) -> Iterator[Line]:
    for standing in one.standings:
        was = before.get((standing.section, standing.contestant.slug))
        now = int(standing.place.rstrip("=")) if standing.place else None
        climbed = was - now if was is not None and now is not None else None
        letter = standing.section if scored.tonight.has_several and not one.section else ""
        told = fined(standing.who, scored)
        yield Line(standing, value_of(scored, standing), climbed, letter=letter, fined=told)


def value_of(scored: Scored, standing: Standing) -> str:
    """Write by what somebody has their place: the result of all sessions, a percentage, or points."""
    match standing.decides:
        case "overall":
            return overall(standing, scored)
        case "average":
            return places(standing.row.average)
    return number_alone(standing, scored)


def winners(section: Section) -> list[RankingPage]:
    """Return the lists as far as they are revealed, from the last place up; whole once they are published.

    More than two lists, and more lines than the screen has room for, take turns. Where each section has a
    list, its own.
    """
    scoring = Scoring.objects.filter(session=section.session_id).first()
    if scoring is None or section.movement is None:
        return []
    if scoring.revealed is None and not scoring.is_published:
        return []
    scored = Scored(Tonight(section))
    parts = []
    lists = [one for one in scored.main_lists if one.section in (None, section.name)]
    for one in lists:
        lines = list(_lines(scored, one, {}))
        hidden = max(len(lines) - scoring.revealed, 0) if scoring.revealed is not None else 0
        first = max(hidden - 1, 0)
        shown = [replace(line, is_hidden=place < hidden) for place, line in enumerate(lines)]
        # while it is revealed the screen has the lowest places shown; of a whole list all take turns
        last = first + ALONE if hidden else len(shown)
        size = ALONE if hidden else _even(len(shown), BESIDE if len(lists) == 1 else 1)
        parts.append(
            [_column(scored, one, shown[at : at + size]) for at in range(first, last, size)]
        )
    if len(parts) == 1:  # the second part of one list stands beside its first
        parts = [parts[0][::BESIDE], parts[0][1::BESIDE]]
    title = _("The winners") if is_all_revealed(scored, scoring) else _("The final list")
    if scoring.is_published and not scoring.is_final:
        title = _("The list as it stands")
    return [
        RankingPage(title, tuple(column for column in columns if column))
        for start in range(0, len(parts), BESIDE)
        for columns in zip_longest(*parts[start : start + BESIDE])
    ]


def _even(lines: int, columns: int) -> int:
    """Return how many lines a column has, so that all pages of so many columns are about as full.

    What fits one column stands in it.
    """
    if lines <= ALONE:
        return ALONE
    pages = max(-(-lines // (ALONE * columns)), 1)
    return max(-(-lines // (pages * columns)), 1)


def published_token(section: Section) -> str:
    """Return what the address of the published results has; nothing while they are not."""
    scoring = Scoring.objects.filter(session=section.session_id).first()
    return scoring.token if scoring and scoring.is_published else ""


def is_all_revealed(scored: Scored, scoring: Scoring) -> bool:
    """Whether the first place is shown, of every list."""
    if scoring.revealed is None:
        return scoring.is_published
    most = max((len(one.standings) for one in scored.main_lists), default=0)
    return scoring.revealed is not None and scoring.revealed >= most
