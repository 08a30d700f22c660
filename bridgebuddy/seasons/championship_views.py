"""A championship as a table, for club pages, public pages and print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from . import words
from .models import Championship
from .queries.championships import ChampionshipTable
from .queries.final_lists import revised_lists
from .rules import model as rules
from .rules.totals import RULES

#: number of sessions with a column; the first of them give way on narrow screens
COLUMNS, NARROW = 11, 6


@dataclass(frozen=True)
class SessionCell:
    """A cell of a championship's table: a contestant's value in a session; empty if they did not play."""

    text: str = ""
    counts: bool = True
    is_old: bool = False


#: the empty cell, by whether it gives way: a long list has many
EMPTY = (SessionCell(), SessionCell(is_old=True))


@dataclass(frozen=True)
class ChampionshipLineView:
    """A contestant's row in a championship's table, with the texts to show."""

    number: int  # from the top
    key: str
    place: str
    names: str
    played: int
    total: str
    cells: tuple[SessionCell, ...]
    moved: int | None  # up, or down if negative
    is_new: bool
    #: a star if a rule has ordered equals; two for the second rule
    star: str
    missing: int = 0
    #: for a named team: its players
    people: str = ""
    group: int = 0
    #: the group in which they would continue if it were over now, if it is another one
    up_to: str = ""
    down_to: str = ""
    is_gone: bool = False

    @property
    def is_first(self) -> bool:
        """Return whether the contestant is in first place, perhaps with others."""
        return self.place.rstrip("=") == "1"

    @property
    def steps(self) -> int:
        """Return how many places the contestant has gained or lost since the session before."""
        return abs(self.moved or 0)


@dataclass(frozen=True)
class GroupTable:
    """The table of one group of a championship, or of the whole ranking."""

    name: str
    lines: list[ChampionshipLineView]
    below: list[ChampionshipLineView]


class ChampionshipView:
    """A championship's table as its page shows it."""

    def __init__(self, table: ChampionshipTable, columns: int = COLUMNS) -> None:
        self.table = table
        self.championship = table.championship
        self.columns = table.sessions[-columns:]

    @cached_property
    def _session_keys(self) -> list[str]:
        """Return the keys of the sessions that have a column."""
        return [str(column.session) for column in self.columns]

    @property
    def leaders_sentence(self) -> str:
        """Return a sentence that names the leaders or winners."""
        return words.season_headline(self.table)

    @property
    def rule_sentence(self) -> str:
        """Return the championship's rule as a sentence."""
        return words.rule_text(self.championship)

    @property
    def progress_sentence(self) -> str:
        """Return a sentence on how many sessions were played and are to come."""
        return words.sessions_played(self.table)

    @property
    def totals_column_heading(self) -> str:
        """Return the heading of the totals column: "Total", or "Best 7"."""
        championship = self.championship
        if RULES[championship.rule].keeps_best and championship.best:
            return _("Best %(count)s") % {"count": championship.best}
        return _("Total")

    @property
    def column_dates(self) -> list[tuple[date, bool]]:
        """Return the dates of the session columns, and whether each is hidden on narrow screens."""
        narrow = len(self.columns) - NARROW
        return [(column.date, index < narrow) for index, column in enumerate(self.columns)]

    @property
    def has_hidden_columns(self) -> bool:
        """Return whether a narrow screen hides some of the sessions."""
        return len(self.table.sessions) > NARROW

    @cached_property
    def lines(self) -> list[ChampionshipLineView]:
        """Return the rows of the ranked contestants."""
        return self._lines_with_names("lines", self._placed_lines)

    @cached_property
    def unranked_lines(self) -> list[ChampionshipLineView]:
        """Return the rows below the ranking: contestants with too few sessions to be ranked."""
        return self._lines_with_names("below", self._lines_below)

    @cached_property
    def group_tables(self) -> list[GroupTable]:
        """Return the tables to display: one for each group, highest first, or one for all contestants."""
        groups = len(self.championship.groups)
        if not groups:
            return [GroupTable("", self.lines, self.unranked_lines)]
        return [
            GroupTable(
                words.group_name(number),
                [line for line in self.lines if line.group == number],
                [line for line in self.unranked_lines if line.group == number],
            )
            for number in range(groups)
        ]

    @property
    def is_empty(self) -> bool:
        """Return whether no contestant has played a counting session."""
        return not self.lines and not self.unranked_lines

    def _lines_with_names(
        self, kind: str, write: Callable[[], list[ChampionshipLineView]]
    ) -> list[ChampionshipLineView]:
        """Return the table's rows (from the cache or `write`) with the names that this reader may see."""
        key = kind, get_language(), len(self.columns)
        lines = []
        for line in self.table.cached("standings lines", write, *key):
            contestant = tuple(line.key.split("-"))
            people = self.table.people(contestant)
            team = self.table.team(contestant)
            lines.append(replace(line, names=team or people, people=people if team else ""))
        return lines

    def _placed_lines(self) -> list[ChampionshipLineView]:
        """Return the rows of the ranked contestants; names are filled in later."""
        lines, standings = self.table.standings.lines, self.table.standings
        shared = Counter((standings.group_of(line.who), line.place) for line in lines)
        totals = words.distinct_totals(self.championship, [line.total for line in lines])
        marks = (
            "=" if shared[standings.group_of(line.who), line.place] > 1 else "" for line in lines
        )
        return [
            replace(self._shown_line(number, line, f"{line.place}{mark}"), total=total)
            for number, (line, mark, total) in enumerate(zip(lines, marks, totals, strict=True), 1)
        ]

    def _lines_below(self) -> list[ChampionshipLineView]:
        """Return the rows of contestants with too few sessions; names are filled in later."""
        first = len(self.table.standings.lines) + 1
        return [
            self._shown_line(
                index, line, "", missing_sessions=self.table.fewest_sessions - len(line.values)
            )
            for index, line in enumerate(self.table.standings.below, first)
        ]

    def _shown_line(
        self, number: int, line: rules.StandingLine, place: str, missing_sessions: int = 0
    ) -> ChampionshipLineView:
        """Return a row of the championship table: row number, place and results; names are filled in later."""
        championship, moved = self.championship, self.table.standings.moved
        group = self.table.standings.group_of(line.who)
        changes = self.table.standings.promotion
        values = {value.session.id: value for value in line.values}
        narrow = len(self.columns) - NARROW
        cells = []
        for index, key in enumerate(self._session_keys):
            value, is_old = values.get(key), index < narrow
            cells.append(
                SessionCell(words.total_text(championship, value.amount, 1), value.counts, is_old)
                if value
                else EMPTY[is_old]
            )
        return ChampionshipLineView(
            number=number,
            key="-".join(line.who),
            place=place,
            names="",
            played=len(line.values),
            total=words.total_text(championship, line.total) if line.values else "–",
            cells=tuple(cells),
            moved=moved.get(line.who),
            is_new=bool(moved) and not missing_sessions and moved.get(line.who, 0) is None,
            star=self._tie_break_marks.get(line.split_by, ""),
            missing=missing_sessions,
            group=group,
            up_to=words.group_name(group - 1) if changes and line.who in changes.up else "",
            down_to=words.group_name(group + 1) if changes and line.who in changes.down else "",
            is_gone=changes is not None and bool(line.values) and line.who in changes.left,
        )

    @property
    def _tie_break_marks(self) -> dict[str, str]:
        """Return the mark ("*", "**") of each tie-break, which stands beside totals that it separated."""
        rules = dict.fromkeys(filter(None, (self.championship.ties, self.championship.then)))
        return {name: "*" * number for number, name in enumerate(rules, 1)}

    @property
    def notes(self) -> list[str]:
        """Return the notes below the championship's table."""
        championship, notes = self.championship, words.group_sentences(self.table)
        starred = {line.star for line in self.lines}
        notes += [
            _("%(star)s Level; the order was decided by: %(what)s.")
            % {"star": star, "what": Championship.Ties(name).label}
            for name, star in self._tie_break_marks.items()
            if star in starred
        ]
        days = [words.day_text(session.date) for session in revised_lists(self.table.sessions)]
        if len(days) == 1:
            sentence = _("The ranking of %(day)s was revised, and this list changed with it.")
            notes.append(sentence % {"day": days[0]})
        elif days:
            sentence = _("This list changed because these rankings were revised: %(days)s.")
            notes.append(sentence % {"days": ", ".join(days)})
        if self.table.differs_from_final_ranking and championship.final_at:
            notes.append(
                _("This list was final on %(day)s, and has been revised since.")
                % {"day": words.day_text(timezone.localdate(championship.final_at))}
            )
        return notes
