"""This round: which results are in, table by table, and which are missing in all rounds so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import of_one_moment, one_moment, section_for_director
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.http import read_number
from bridgebuddy.scoring.models import Reminder
from bridgebuddy.scoring.queries.coming_in import ComingIn, behind, is_in
from bridgebuddy.scoring.queries.lines import Line
from bridgebuddy.scoring.queries.tonight import Tonight
from bridgebuddy.scoring.services.reminders import remind
from bridgebuddy.tables.queries.doubts import AllDoubts
from bridgebuddy.tables.queries.one_phone import tables_of_one_phone
from bridgebuddy.tables.queries.playing import Before
from bridgebuddy.tables.queries.silent import shows_silence, silent_tables, version_with_silence

from ..refusals import change_refused
from .pages import pages_of
from .seated import Row, rows_of

UNCHANGED = 204
TABLES_SHOWN = 3  # by name, where results are missing at more tables it is only how many


@dataclass(frozen=True)
class Count:
    """How many results of a table in a round are in: a place in the grid of all rounds."""

    count: int = 0
    due: int = 0
    state: str = "none"  # "in", "miss" of a round that is over, "now", or "none": nothing is played


class RoundPage:
    """A round of a section with its results, and the counts of all rounds."""

    def __init__(self, before: Before, asked: int | None) -> None:
        self.tonight, self.asked = before.shown, asked
        self.section = self.tonight.section
        self.doubts = AllDoubts(before.tonight, before.boards).open
        self.round = asked if asked and asked <= self.section.round else self.section.round

    @property
    def has_not_begun(self) -> bool:
        """Whether a round was asked for that has not begun."""
        return self.asked is not None and self.asked != self.round

    @property
    def is_being_played(self) -> bool:
        return self.section.is_running and self.round == self.section.round

    @cached_property
    def lines(self) -> list[Line]:
        """The lines of the round that have begun."""
        found = self.tonight.in_round(self.section, self.round)
        return [line for line in found if line.has_begun]

    @cached_property
    def rows(self) -> list[Row]:
        return rows_of(self.lines)

    @cached_property
    def odd(self) -> set[int]:
        """The plays whose results look wrong, by key."""
        found = {line.play for doubt in self.doubts for line in doubt.lines}
        return {line.play for line in self.lines if line.outcome and line.play in found}

    @cached_property
    def differ(self) -> set[int]:
        """The plays of which the two sides have entered different things, by key."""
        return {
            line.play for doubt in self.doubts if doubt.kind == "differ" for line in doubt.lines
        }

    @property
    def due(self) -> int:
        return len(self.lines)

    @cached_property
    def missing(self) -> int:
        return sum(row.missing for row in self.rows)

    @cached_property
    def slow(self) -> set[int]:
        """The tables that are a board or more behind the middle of the field."""
        if not self.is_being_played:
            return set()
        missing: Counter[int] = Counter()
        for row in self.rows:
            missing[row.table] += row.missing
        return behind(missing)

    @cached_property
    def silent(self) -> dict[int, datetime]:
        """Since when nothing is heard of tables that are behind."""
        return silent_tables(self.section, ComingIn([self.section]))

    @cached_property
    def of_one_phone(self) -> set[int]:
        """The tables whose results were all confirmed on the phone that entered them."""
        return tables_of_one_phone(self.section, self.round)

    @cached_property
    def reminded(self) -> dict[int, datetime]:
        """When tables of this round were reminded."""
        found = Reminder.objects.filter(section=self.section, round=self.round)
        return dict(found.values_list("table", "at"))

    @property
    def headline(self) -> str:
        """Say what is missing."""
        words = {"round": self.round, "missing": self.missing, "due": self.due}
        if not self.due:
            return _("Round %(round)s: nothing was played") % words
        if self.missing == self.due:
            return _("Round %(round)s: no result is in yet") % words
        if not self.missing:
            return _("Round %(round)s: all results are in") % words
        return (
            ngettext(
                "Round %(round)s: %(missing)s of %(due)s results is missing",
                "Round %(round)s: %(missing)s of %(due)s results are missing",
                self.missing,
            )
            % words
        )

    @property
    def where(self) -> str:
        """Say at which tables results are missing, where they are few."""
        tables = list(dict.fromkeys(row.table for row in self.rows if row.missing))
        if not tables or self.missing == self.due or len(tables) > TABLES_SHOWN:
            return ""
        return ngettext("Table %(tables)s", "Tables %(tables)s", len(tables)) % {
            "tables": ", ".join(map(str, tables))
        }

    @property
    def tables(self) -> list[int]:
        """The tables at which anything is played tonight."""
        return sorted({line.table for line in self.tonight.of_section(self.section)})

    @cached_property
    def grid(self) -> list[tuple[int, list[tuple[int, Count]]]]:
        """Every round with the counts of its tables."""
        found: dict[tuple[int, int], list[bool]] = {}
        for line in self.tonight.of_section(self.section):
            found.setdefault((line.round, line.table), []).append(is_in(line.outcome))
        return [
            (
                round,
                [
                    (table, self._count(round, found.get((round, table), ())))
                    for table in self.tables
                ],
            )
            for round in range(1, self.section.rounds + 1)
        ]

    def _count(self, round: int, boards: Sequence[bool]) -> Count:
        if not boards or round > self.section.round:
            return Count()
        is_now = self.section.is_running and round == self.section.round
        state = "in" if all(boards) else "now" if is_now else "miss"
        return Count(sum(boards), len(boards), state)


@require_POST
def remind_table(request: UserRequest, code: str, table: int) -> HttpResponse:
    """Remind a slow table, on the phones of both pairs."""
    with one_moment(request):
        section = section_for_director(request, code)
    round = read_number(request.POST.get("round")) or 0
    board = read_number(request.POST.get("board")) or 0
    try:
        remind(section, round, table, board=board, by=request.user)
    except ChangeRefused as refused:
        messages.warning(request, change_refused(refused))
    else:
        messages.success(
            request, _("The phones of table %(table)s show it now.") % {"table": table}
        )
    return redirect("look-at" if board else "results", code=section.code)


@never_cache
@require_safe
def this_round(request: UserRequest, code: str) -> HttpResponse:
    """Show the results of a round; a poll that shows the current ones is answered with nothing."""
    version = request.GET.get("v")
    if version and shows_silence(section_for_director(request, code), version):
        return HttpResponse(status=UNCHANGED)
    return _page(request, code)


@of_one_moment
def _page(request: UserRequest, code: str) -> HttpResponse:
    section = section_for_director(request, code)
    context = {"section": section, "tab": "results", "page": "results"}
    if not section.is_started:
        context |= {"pages": pages_of(section)}
        return render(request, "director/results/not_begun.html", context)
    page = RoundPage(Before(Tonight(section), request.user), read_number(request.GET.get("round")))
    context |= {
        "this": page,
        "pages": pages_of(section, {"results": page.missing, "look-at": len(page.doubts)}),
        "version": version_with_silence(section, page.silent),
    }
    template = "director/results/this_round.html"
    return render(request, f"{template}#live" if request.htmx else template, context)
