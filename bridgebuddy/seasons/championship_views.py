"""A championship as a table, and the derivation of a line, for club pages, public pages and print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from functools import cached_property

from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from . import words
from .models import Championship
from .queries.championships import ChampionshipTable
from .queries.final_lists import revised_lists
from .rules import model as rules
from .rules.projections import NAMED, value_needed, weakest_counting
from .rules.totals import RULES

#: number of sessions with a column; the first of them give way on narrow screens
COLUMNS, NARROW = 11, 6
TENTH = 10
#: number of remaining sessions for which the needed values are shown
LAST = 4


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


@dataclass(frozen=True)
class LineSession:
    """A session in the explanation of a contestant's total: its value, or that the contestant did not play."""

    date: date
    name: str
    text: str = ""
    share: Fraction | None = None
    counts: bool = True
    handicap: str = ""
    #: reason for which it does not count, or that they were absent
    why: str = ""


class LineExplanation:
    """The explanation of a contestant's total in a championship, shown on a separate page."""

    def __init__(self, table: ChampionshipTable, line: rules.StandingLine) -> None:
        self.table, self.line = table, line
        self.championship = table.championship
        lines = table.standings.list_with(line.who)
        self.shared = sum(other_line.place == line.place for other_line in lines) > 1

    @property
    def names(self) -> str:
        """Return the contestant's name: that of the team, or those of its people."""
        return self.table.line_text(self.line.who)

    @property
    def people(self) -> str:
        """Return the people that have played for a named team."""
        return self.table.people(self.line.who) if self.table.team(self.line.who) else ""

    @property
    def title(self) -> str:
        """Return the contestant's names, total and place as a title."""
        championship, line = self.championship, self.line
        facts = {
            "names": self.names,
            "total": f"{words.total_text(championship, line.total)}{words.total_unit(championship)}",
            "place": f"{line.place}{'=' if self.shared else ''}",
        }
        if not line.place:
            return self.names
        if self.table.standings.promotion:
            facts["group"] = words.group_name(self.table.standings.group_of(line.who))
            return _("%(names)s: %(total)s, place %(place)s in group %(group)s") % facts
        return _("%(names)s: %(total)s, place %(place)s") % facts

    @property
    def played(self) -> str:
        """Return a sentence on how many of the sessions the contestant played."""
        return _("Played %(count)s of %(all)s.") % {
            "count": len(self.line.values),
            "all": len(self.table.sessions),
        }

    @property
    def tie_sentence(self) -> str:
        """Return a sentence on level contestants and the tie-break that ordered them; empty if there are none."""
        line = self.line
        others = [
            self.table.line_text(line_beside.who)
            for line_beside in self.table.standings.list_with(line.who)
            if line_beside.total == line.total and line_beside.who != line.who
        ]
        if not line.place or not others:
            return ""
        facts = {"names": words.few_names(others), "what": ""}
        if not line.split_by:
            return _("Level with %(names)s: they share the place.") % facts
        facts["what"] = str(Championship.Ties(line.split_by).label)
        return _("Level with %(names)s. What decides: %(what)s.") % facts

    @property
    def missing_session_count(self) -> int:
        """Return how many more sessions the contestant needs to be ranked."""
        return 0 if self.line.place else max(0, self.table.fewest_sessions - len(self.line.values))

    @cached_property
    def evenings(self) -> list[LineSession]:
        """Return each counting session with the contestant's value in it, oldest first."""
        championship = self.championship
        values = {value.session.id: value for value in self.line.values}
        most = max((abs(value.amount) for value in self.line.values), default=Fraction(1)) or 1
        without = self.table.sessions_without_value(self.line.who)
        evenings = []
        for session in self.table.sessions:
            value = values.get(str(session.session))
            if value is None:
                played = without.get(session.session)
                reason = words.nothing_counted(championship, self.line.who, played)
                evenings.append(LineSession(session.date, session.name, counts=False, why=reason))
                continue
            share = value.amount if championship.is_per_cent else 100 * value.amount / most
            more = value.handicap
            evenings.append(
                LineSession(
                    session.date,
                    session.name,
                    words.total_text(championship, value.amount),
                    min(Fraction(100), max(Fraction(0), share)),
                    value.counts,
                    f"{'+' if more > 0 else ''}{words.total_text(championship, more)}"
                    if more
                    else "",
                    "" if value.counts else words.not_counted(championship),
                )
            )
        return evenings

    @property
    def counted_values(self) -> list[str]:
        """Return the calculation of the total, step by step."""
        return words.total_explanation(self.championship, self.line) if self.line.counted else []

    @property
    def rule(self) -> str:
        """Return the championship's rule in sentences."""
        return words.rule_text(self.championship)

    @property
    def weakest_value_sentence(self) -> str:
        """Return a sentence with the lowest counting value, which a better result would replace."""
        least = weakest_counting(self.table.rules, self.line)
        if least is None or self.table.sessions_to_come == 0:
            return ""
        text = words.total_text(self.championship, least.amount)
        return _("The weakest session that counts is %(value)s. A better one replaces it.") % {
            "value": f"{text}{words.total_unit(self.championship)}"
        }

    @property
    def needed_to_lead_sentence(self) -> str:
        """Return a sentence with the result that the contestant needs to lead, if the others gain nothing."""
        line, to_come, championship = self.line, self.table.sessions_to_come, self.championship
        beside = self.table.standings.list_with(line.who)
        others = [other for other in beside if other.who != line.who]
        is_first = line.place == 1
        if to_come == 0 or not others or is_first or championship.counts not in NAMED:
            return ""
        if not RULES[championship.rule].is_linear:
            return ""
        is_near = to_come is not None and to_come <= LAST
        times = to_come if to_come and is_near else max(1, self.missing_session_count)
        goal = max(other.total for other in others)
        value = value_needed(self.table.rules, line, goal, times)
        if value is None:
            return (
                _("First place is out of reach, even if the others gain nothing more.")
                if is_near
                else ""
            )
        needed = words.total_text(championship, Fraction(-((-value * TENTH) // 1), TENTH), 1)
        facts = {
            "value": _("%(value)s %% with handicap") % {"value": needed}
            if self.table.rules.handicap
            else f"{needed} %"
            if championship.is_per_cent
            else needed,
            "count": times,
        }
        if is_near:
            return (
                ngettext(
                    "Needs %(value)s in the last session for first place, if the others’ "
                    "totals do not change.",
                    "Needs %(value)s in each of the last %(count)s sessions for first place, "
                    "if the others’ totals do not change.",
                    times,
                )
                % facts
            )
        return (
            ngettext(
                "Needs %(value)s in the next session for first place, if the others’ totals do "
                "not change.",
                "Needs %(value)s in each of the next %(count)s sessions for first place, if "
                "the others’ totals do not change.",
                times,
            )
            % facts
        )
