"""The results of this round by table, and the missing results of all rounds."""

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
from bridgebuddy.director.refusals import change_refused
from bridgebuddy.events.access import one_snapshot, read_in_one_snapshot, section_for_scorer
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.scoring.checks.result_check import doubtful_result_count
from bridgebuddy.scoring.models import TableReminder
from bridgebuddy.scoring.results.arriving_results import (
    ArrivingResults,
    is_outcome_known,
    slow_tables,
)
from bridgebuddy.scoring.services.reminders import store_reminder
from bridgebuddy.scoring.snapshot.lines import PlayLine
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.table_phones.queries.one_phone import tables_of_one_phone
from bridgebuddy.table_phones.queries.playing_directors import DirectorUnplayedBoards
from bridgebuddy.table_phones.queries.silent_tables import (
    shows_silence,
    silent_tables,
    version_with_silence,
)
from bridgebuddy.table_phones.queries.unclear_results import DoubtfulResults
from bridgebuddy.web.http import read_number

from ...desk.folds import DeskFold, playing_fold
from ..pages import pages_of
from .table_rows import TableRow, rows_by_table

UNCHANGED = 204
TABLES_SHOWN = 3  # the most tables that are named; of more only the number is given


@dataclass(frozen=True)
class ResultCount:
    """The number of entered results of a table in a round, and how many are due: a cell of the overview."""

    count: int = 0
    due: int = 0
    state: str = "none"  # "in", "miss" (of a past round), "now", or "none" if nothing is played


class RoundPage:
    """The results of a section in one round, with the counts of all rounds."""

    def __init__(
        self, unplayed_boards: DirectorUnplayedBoards, requested_round: int | None
    ) -> None:
        self.tonight, self.asked = unplayed_boards.visible_session, requested_round
        self.section = self.tonight.section
        self.doubts = DoubtfulResults(unplayed_boards.tonight, unplayed_boards.boards).open_doubts
        self.round = (
            requested_round
            if requested_round and requested_round <= self.section.round
            else self.section.round
        )

    @property
    def has_not_begun(self) -> bool:
        """Return whether the displayed round has not begun."""
        return self.asked is not None and self.asked != self.round

    @property
    def is_being_played(self) -> bool:
        """Return whether the displayed round is the current one."""
        return self.section.is_running and self.round == self.section.round

    @cached_property
    def lines(self) -> list[PlayLine]:
        """Return the plays (a board at a table) of this round, if it has begun."""
        of_round = self.tonight.in_round(self.section, self.round)
        return [line for line in of_round if line.has_begun]

    @cached_property
    def rows(self) -> list[TableRow]:
        """Return the boards of the round grouped by table and opponents."""
        return rows_by_table(self.lines)

    @cached_property
    def doubtful_plays(self) -> set[int]:
        """Return the primary keys of this round's plays whose results are doubtful."""
        plays = {line.play for doubt in self.doubts for line in doubt.lines}
        return {line.play for line in self.lines if line.outcome and line.play in plays}

    @cached_property
    def conflicting_plays(self) -> set[int]:
        """Return the primary keys of the plays for which both sides entered different results."""
        return {
            line.play for doubt in self.doubts if doubt.kind == "differ" for line in doubt.lines
        }

    @property
    def due_count(self) -> int:
        """Return how many results the round will have when all boards are played."""
        return len(self.lines)

    @cached_property
    def missing_count(self) -> int:
        """Return the number of missing results."""
        return sum(row.missing_count for row in self.rows)

    @cached_property
    def slow_tables(self) -> set[int]:
        """Return the numbers of the tables that are at least one board behind the median of all tables."""
        if not self.is_being_played:
            return set()
        missing: Counter[int] = Counter()
        for row in self.rows:
            missing[row.table] += row.missing_count
        return slow_tables(missing)

    @cached_property
    def silent_since_by_table(self) -> dict[int, datetime]:
        """Return the slow tables whose phones were not active lately, each with the time of its last activity."""
        return silent_tables(self.section, ArrivingResults([self.section]))

    @cached_property
    def tables_confirmed_by_same_phone(self) -> set[int]:
        """Return the tables where every result was entered and confirmed on the same phone, not by the opponents."""
        return tables_of_one_phone(self.section, self.round)

    @cached_property
    def reminder_times(self) -> dict[int, datetime]:
        """Return when the director has reminded tables of this round, by table."""
        reminders = TableReminder.objects.filter(section=self.section, round=self.round)
        return dict(reminders.values_list("table", "at"))

    @property
    def headline(self) -> str:
        """Return the sentence on how many results are missing."""
        words = {"round": self.round, "missing": self.missing_count, "due": self.due_count}
        if not self.due_count:
            return _("Round %(round)s: nothing was played") % words
        if self.missing_count == self.due_count:
            return _("Round %(round)s: no result is in yet") % words
        if not self.missing_count:
            return _("Round %(round)s: all results are in") % words
        return (
            ngettext(
                "Round %(round)s: %(missing)s of %(due)s results is missing",
                "Round %(round)s: %(missing)s of %(due)s results are missing",
                self.missing_count,
            )
            % words
        )

    @property
    def missing_tables_text(self) -> str:
        """Return the numbers of the tables with missing results as text; empty if there are many."""
        tables = list(dict.fromkeys(row.table for row in self.rows if row.missing_count))
        if not tables or self.missing_count == self.due_count or len(tables) > TABLES_SHOWN:
            return ""
        return ngettext("Table %(tables)s", "Tables %(tables)s", len(tables)) % {
            "tables": ", ".join(map(str, tables))
        }

    @property
    def tables(self) -> list[int]:
        """Return the numbers of the tables with boards in this session."""
        return sorted({line.table for line in self.tonight.lines_of_section(self.section)})

    @cached_property
    def grid(self) -> list[tuple[int, list[tuple[int, ResultCount]]]]:
        """Return for each round the number of results entered at each table, for the overview."""
        entered: dict[tuple[int, int], list[bool]] = {}
        for line in self.tonight.lines_of_section(self.section):
            entered.setdefault((line.round, line.table), []).append(is_outcome_known(line.outcome))
        return [
            (
                round,
                [
                    (table, self._count_results(round, entered.get((round, table), ())))
                    for table in self.tables
                ],
            )
            for round in range(1, self.section.rounds + 1)
        ]

    def _count_results(self, round: int, boards: Sequence[bool]) -> ResultCount:
        """Return how many of a table's results in a round are entered, and the state of the cell."""
        if not boards or round > self.section.round:
            return ResultCount()
        is_now = self.section.is_running and round == self.section.round
        state = "in" if all(boards) else "now" if is_now else "miss"
        return ResultCount(sum(boards), len(boards), state)


@require_POST
def remind_table(request: UserRequest, code: str, table: int) -> HttpResponse:
    """Send a reminder to the phones of a slow table to enter their results."""
    with one_snapshot(request):
        section = section_for_scorer(request, code)
    round = read_number(request.POST.get("round")) or 0
    board = read_number(request.POST.get("board")) or 0
    try:
        store_reminder(section, round, table, board=board, by=request.user)
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
    """Show the results of a round; answer a poll with 204 if the page is current."""
    version = request.GET.get("v")
    if version and shows_silence(section_for_scorer(request, code), version):
        return HttpResponse(status=UNCHANGED)
    fold = None
    if request.GET.get("open") == "i-play":
        with one_snapshot(request):
            fold = playing_fold(request, section_for_scorer(request, code))
    return round_page(request, code, fold)


@read_in_one_snapshot
def round_page(request: UserRequest, code: str, fold: DeskFold | None = None) -> HttpResponse:
    """Render the page with a round's results; `fold` is an open form on it, such as for the scorer's own entry."""
    section = section_for_scorer(request, code)
    context = {"section": section, "tab": "results", "page": "results"}
    status = 200
    if fold:
        context |= {"fold": fold, **fold.context}
        status = 422 if fold.is_refused else 200
    if not section.is_started:
        context |= {"pages": pages_of(section)}
        return render(request, "director/results/not_begun.html", context, status=status)
    page = RoundPage(
        DirectorUnplayedBoards(SessionSnapshot(section), request.user),
        read_number(request.GET.get("round")),
    )
    context |= {
        "this": page,
        "pages": pages_of(
            section, {"results": page.missing_count, "look-at": doubtful_result_count(page.doubts)}
        ),
        "version": version_with_silence(section, page.silent_since_by_table),
    }
    template = "director/results/this_round.html"
    template = f"{template}#live" if request.htmx else template
    return render(request, template, context, status=status)
