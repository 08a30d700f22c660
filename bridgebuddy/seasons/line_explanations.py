"""The explanation of a contestant's total in a championship, for club pages and public pages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from . import words
from .models import Championship
from .queries.championships import ChampionshipTable
from .rules import model as rules
from .rules.projections import NAMED, value_needed, weakest_counting
from .rules.totals import RULES

TENTH = 10
#: number of remaining sessions for which the needed values are shown
LAST = 4


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
        totals = (other_line.total for other_line in table.standings.lines)
        self.places = words.decimals_of_totals(self.championship, totals).get(
            line.total, words.PLACES
        )

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
            "total": f"{words.total_text(championship, line.total, self.places)}{words.total_unit(championship)}",
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
                    words.total_text(championship, value.amount, self.places),
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
        return words.total_explanation(self.championship, self.line, self.places)

    @property
    def rounding_sentence(self) -> str:
        """Return a sentence if the rounded values do not give the total shown; else an empty text."""
        return words.rounding_sentence(self.championship, self.line, self.places)

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
        text = words.total_text(self.championship, least.amount, self.places)
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
