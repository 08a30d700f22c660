"""Slips and travellers: one line a board, typed on the keyboard, read back in words and points."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.director.refusals import change_refused
from bridgebuddy.events.access import one_snapshot, read_in_one_snapshot, section_for_scorer
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.scoring.errors import NoPlay, ResultChanged
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.results.arriving_results import is_outcome_known
from bridgebuddy.scoring.services.publishing import reopen_list
from bridgebuddy.scoring.services.results import EnteredResult, enter_results
from bridgebuddy.scoring.snapshot.lines import PlayLine
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.table_phones.queries.playing_directors import (
    DirectorUnplayedBoards,
    playing_director_of,
)
from bridgebuddy.web.http import read_number

from ..pages import pages_of
from .table_rows import TableRow, rows_by_table, tables_in_order
from .typed_results import (
    TypedResult,
    contract_letters,
    outcome_with_lead,
    read_line,
    result_line,
)

LONGEST_NAME = 20
#: what names another slip: a table, a round and its table, or a board
NAMED_SLIP = re.compile(
    r"(?:(?P<round>[0-9]{1,3})[/.,-])?(?:t[^\W\d_]*)?(?P<table>[0-9]{1,3})"
    r"|b[^\W\d_]*(?P<board>[0-9]{1,3})",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class ResultSlip:
    """A paper slip to type in: a table's results of a round, or a board's traveller."""

    name: str
    query: str
    lines: tuple[PlayLine, ...]

    @property
    def missing_count(self) -> int:
        """Return how many results are missing."""
        return sum(not is_outcome_known(line.outcome) for line in self.lines)


@dataclass(frozen=True)
class SlipRow:
    """A row of a slip: the text in its field, and the result as read."""

    line: PlayLine
    typed: str
    #: the line of the present result; the same line changes nothing
    stands: str
    reading: TypedResult
    #: the number of other tables with the same result of the board
    same: int = 0

    @property
    def is_open(self) -> bool:
        """Return whether the row has neither a typed text nor a stored result."""
        return not self.typed and not self.line.outcome


class SlipStack:
    """All slips to be typed: those of a round by table, or all travellers by board."""

    def __init__(self, tonight: SessionSnapshot, query: Mapping[str, str]) -> None:
        self.tonight, self.section = tonight, tonight.section
        self.by_board = query.get("by") == "board" or "board" in query
        round = read_number(query.get("round"))
        self.round = round if round and round <= self.section.round else self.section.round
        self.slips = self._traveller_slips() if self.by_board else self._table_slips()
        place = read_number(query.get("board" if self.by_board else "table"))
        self.place = next((i for i, slip in enumerate(self.slips) if slip[0] == place), None)
        if self.place is None:
            self.place = self.next_missing(-1) or 0

    def _table_slips(self) -> list[tuple[int, ResultSlip]]:
        """Return the slips of the round with their table numbers."""
        lines = self._begun_plays(self.tonight.in_round(self.section, self.round))
        return [
            (
                table,
                ResultSlip(
                    _("Table %(table)s") % {"table": table},
                    urlencode({"round": self.round, "table": table}),
                    tuple(line for line in lines if line.table == table),
                ),
            )
            for table in tables_in_order(lines)
        ]

    def _traveller_slips(self) -> list[tuple[int, ResultSlip]]:
        """Return the travellers with their board numbers."""
        lines = self._begun_plays(self.tonight.lines_of_section(self.section))
        return [
            (
                board,
                ResultSlip(
                    _("Board %(board)s") % {"board": board},
                    urlencode({"board": board}),
                    tuple(line for line in lines if line.board == board),
                ),
            )
            for board in sorted({line.board for line in lines})
        ]

    @staticmethod
    def _begun_plays(lines: list[PlayLine]) -> list[PlayLine]:
        """Return those of the plays whose rounds have begun, in the order of play."""
        begun = [line for line in lines if line.has_begun]
        return sorted(begun, key=lambda line: (line.round, line.table, line.part, line.board))

    @property
    def slip(self) -> ResultSlip | None:
        """Return the slip that is typed now."""
        return self.slips[self.place or 0][1] if self.slips else None

    @property
    def previous_slip(self) -> ResultSlip | None:
        """Return the slip before the current slip."""
        return self.slips[self.place - 1][1] if self.place else None

    @property
    def next_slip(self) -> ResultSlip | None:
        """Return the slip after the current slip."""
        place = (self.place or 0) + 1
        return self.slips[place][1] if place < len(self.slips) else None

    def next_missing(self, place: int) -> int | None:
        """Return the next slip with missing results after `place`, starting again at the end, or None."""
        order = [*range(place + 1, len(self.slips)), *range(max(place, 0))]
        return next(
            (place_index for place_index in order if self.slips[place_index][1].missing_count), None
        )

    @property
    def next_incomplete_slip(self) -> ResultSlip | None:
        """Return the next slip with missing results, to be typed after the current one; None if all are complete."""
        place = self.next_missing(self.place or 0)
        return None if place is None else self.slips[place][1]

    @property
    def headline(self) -> str:
        """Return the title of the slip."""
        slip = self.slip
        if slip is None:
            return _("Round %(round)s: nothing was played") % {"round": self.round}
        if self.by_board:
            return _("Traveller: board %(board)s") % {"board": slip.lines[0].board}
        words = {"table": slip.lines[0].table, "round": self.round}
        return _("Slip: table %(table)s, round %(round)s") % words

    @property
    def progress_text(self) -> str:
        """Return a sentence on the number of finished slips."""
        done = sum(not slip.missing_count for _, slip in self.slips)
        words = {"done": done, "all": len(self.slips)}
        return (
            ngettext(
                "%(done)s slip of %(all)s is complete.",
                "%(done)s slips of %(all)s are complete.",
                done,
            )
            % words
        )

    def is_asked_for(self, query: Mapping[str, str]) -> bool:
        """Return whether the current slip is the one asked for, not another because that does not exist."""
        if self.by_board:
            return bool(self.slips) and str(self.key) == query["board"].lstrip("0")
        is_round = str(self.round) == query["round"].lstrip("0")
        return bool(self.slips) and is_round and str(self.key) == query["table"].lstrip("0")

    @property
    def key(self) -> int:
        """Return the number of the table, or of the board, whose slip is typed now; 0 without slips."""
        return self.slips[self.place or 0][0] if self.slips else 0


class SlipSheet:
    """The current slip with the texts in its fields: as stored, or as just sent."""

    def __init__(self, stack: SlipStack, form_data: QueryDict | None = None) -> None:
        self.stack, self.sent = stack, form_data
        slip = stack.slip
        self.lines = [self._typed_line(line) for line in slip.lines] if slip else []

    @property
    def rows(self) -> list[tuple[TableRow, list[SlipRow]]]:
        """Return the rows of the slip grouped by the contestants that played them."""
        of_play = {line.line.play: line for line in self.lines}
        rows = rows_by_table(line.line for line in self.lines)
        return [(row, [of_play[line.play] for line in row.lines]) for row in rows]

    def _typed_line(self, line: PlayLine) -> SlipRow:
        """Return the slip's row for a play with its text, as just sent or else as stored."""
        stands = result_line(line.outcome)
        if self.sent is None:
            typed_line = SlipRow(line, stands, stands, read_line(stands, line.board))
            return replace(typed_line, same=self._count_equal_results(line, typed_line.reading))
        typed = self.sent.get(f"line-{line.play}", "").strip()
        if not typed or typed == self.sent.get(f"was-{line.play}", "").strip():
            # an untouched line stays, even if another person stored a result meanwhile
            typed = stands
        reading = read_line(typed, line.board)
        reading = replace(reading, outcome=outcome_with_lead(reading.outcome, line.outcome))
        if typed != stands and not reading.problem and self._has_changed(line, reading):
            refused = ResultChanged(outcome=line.outcome, play=line.play)
            reading = TypedResult(problem=change_refused(refused))
        elif reading.problem:
            reading = replace(reading, is_unfinished=False)
        return SlipRow(line, typed, stands, reading, self._count_equal_results(line, reading))

    def _has_changed(self, line: PlayLine, reading: TypedResult) -> bool:
        """Return whether another result than the typed one was stored since the page was shown."""
        assert self.sent is not None
        after = self.sent.get(f"after-{line.play}", "")
        return after != str(line.number) and reading.outcome != line.outcome

    def _count_equal_results(self, line: PlayLine, reading: TypedResult) -> int:
        """Return how many other tables have the same result on this board."""
        lines = self.stack.tonight.lines_of_board(line.section, line.board)
        others = [other.outcome for other in lines if other.play and other.play != line.play]
        return count_same_results(reading, others)

    @cached_property
    def invalid_rows(self) -> list[SlipRow]:
        """Return the rows of the slip whose typed text is no valid result."""
        return [line for line in self.lines if line.reading.problem]

    @property
    def has_lines_of_other_tables(self) -> bool:
        """Return whether the sent slip holds a result for a board that this table does not play any more."""
        if self.sent is None:
            return False
        names = {f"line-{line.line.play}" for line in self.lines}
        return any(
            name.startswith("line-") and name not in names and self.sent.get(name, "").strip()
            for name in self.sent
        )

    @property
    def entered_results(self) -> list[EnteredResult]:
        """Return the results of the sent slip that are to be stored."""
        return [
            EnteredResult(line.line.play, line.reading.outcome, line.line.number)
            for line in self.lines
            if line.typed != line.stands
        ]

    @property
    def next_play_to_type(self) -> int:
        """Return the key of the play to be typed next: the first wrong row, else the first empty one."""
        lines = self.invalid_rows or [line for line in self.lines if line.is_open] or self.lines
        return lines[0].line.play if lines else 0


def count_same_results(reading: TypedResult, others: list[dict[str, Any] | None]) -> int:
    """Return the number of other tables with the same result of a board."""
    return others.count(dict(reading.outcome)) if reading.outcome else 0


@never_cache
@require_http_methods(["GET", "POST"])
def slips(request: UserRequest, code: str) -> HttpResponse:
    """Show a slip for typing; store all rows of a sent slip, or none."""
    if request.method == "POST":
        return _store_slip(request, code)
    if "to" in request.GET:
        return _redirect_to_named_slip(request, code)
    return _slip_page(request, code)


@read_in_one_snapshot
def _redirect_to_named_slip(request: UserRequest, code: str) -> HttpResponse:
    """Redirect to the slip named `5` (table), `2/5` (round, table) or `B7` (board)."""
    section = section_for_scorer(request, code)
    if not section.is_started:
        return redirect("results", code=section.code)
    tonight, typed = _visible_session(request, section), request.GET["to"]
    before = {key: request.GET[key] for key in ("round", "table", "board") if key in request.GET}
    wanted = slip_query(typed, SlipStack(tonight, before).round)
    if not wanted or not SlipStack(tonight, wanted).is_asked_for(wanted):
        wanted = before
        text = _(
            "No slip is called “%(typed)s”. Type a table (5), a round and a table (2/5) or a board (B7)."
        )
        messages.warning(request, text % {"typed": typed.strip()[:LONGEST_NAME]})
    return redirect(f"{reverse('slips', args=[section.code])}?{urlencode(wanted)}")


def slip_query(slip_name: str, round: int) -> dict[str, str]:
    """Return the query string of the slip named `5` (table), `2/5` (round, table) or `B7` (board)."""
    found = NAMED_SLIP.fullmatch("".join(slip_name.split()))
    if found is None:
        return {}
    if found["board"]:
        return {"board": found["board"]}
    return {"round": found["round"] or str(round), "table": found["table"]}


def _visible_session(request: UserRequest, section: Section) -> SessionSnapshot:
    """Return the session's snapshot without results that this director may not see yet."""
    return DirectorUnplayedBoards(SessionSnapshot(section), request.user).visible_session


def _store_slip(request: UserRequest, code: str) -> HttpResponse:
    """Store the results of a sent slip, and show the next slip."""
    with one_snapshot(request):
        section = section_for_scorer(request, code)
        if not section.is_started:
            return redirect("results", code=section.code)
        sheet = SlipSheet(SlipStack(_visible_session(request, section), request.GET), request.POST)
    if sheet.invalid_rows or sheet.has_lines_of_other_tables:
        return _slip_page(
            request, code, change_refused(NoPlay()) if sheet.has_lines_of_other_tables else ""
        )
    try:
        stored = _write_results(request, section, sheet)
    except ChangeRefused as refused:
        return _slip_page(request, code, change_refused(refused))
    if stored:
        messages.success(request, _stored_results_text(sheet, len(stored)))
    return _redirect_to_next_slip(request, code)


def _write_results(request: UserRequest, section: Section, sheet: SlipSheet) -> list[Result]:
    """Store the results of a slip; reopen a final ranking first if that button was pressed."""
    if "again" not in request.POST or not sheet.stack.tonight.scoring.is_closed:
        return enter_results(section, sheet.entered_results, by=request.user)
    with transaction.atomic():
        reopen_list(section, by=request.user)
        return enter_results(section, sheet.entered_results, by=request.user)


def _stored_results_text(sheet: SlipSheet, count: int) -> str:
    """Return the message after the results of a slip are stored."""
    slip = sheet.stack.slip
    words = {"slip": slip.name if slip else "", "count": count}
    return (
        ngettext("%(slip)s: %(count)s result saved.", "%(slip)s: %(count)s results saved.", count)
        % words
    )


def _redirect_to_next_slip(request: UserRequest, code: str) -> HttpResponse:
    """Redirect to the next slip with missing results, else to the round.

    After Enter in the middle of a slip the same slip continues.
    """
    with one_snapshot(request):
        stack = SlipStack(_visible_session(request, section_for_scorer(request, code)), request.GET)
    stays = (
        not {"go", "again"} & {*request.POST}
        and stack.slip is not None
        and stack.slip.missing_count > 0
    )
    slip = stack.slip if stays else stack.next_incomplete_slip
    if slip is None:
        return redirect(f"{reverse('results', args=[code])}?round={stack.round}")
    return redirect(f"{reverse('slips', args=[code])}?{slip.query}")


@read_in_one_snapshot
def _slip_page(request: UserRequest, code: str, problem: str = "") -> HttpResponse:
    """Render the page of a slip."""
    section = section_for_scorer(request, code)
    if not section.is_started:
        return redirect("results", code=section.code)
    sheet = SlipSheet(
        SlipStack(_visible_session(request, section), request.GET),
        request.POST if request.method == "POST" else None,
    )
    context = {
        "section": section,
        "tab": "results",
        "page": "results",
        "pages": pages_of(section),
        "stack": sheet.stack,
        "sheet": sheet,
        "problem": problem,
        "letters": contract_letters(),
        "is_closed": sheet.stack.tonight.scoring.is_closed,
    }
    status = 409 if problem else 422 if sheet.invalid_rows else 200
    return render(request, "director/results/slips.html", context, status=status)


@never_cache
@require_safe
@read_in_one_snapshot
def read_typed_line(request: UserRequest, code: str, play: int) -> HttpResponse:
    """Return a typed result in words with its score, or the error in it, as a fragment."""
    section = section_for_scorer(request, code)
    board = (
        section.plays.filter(pk=play, taken_back_at=None).values_list("board", flat=True).first()
    )
    if board is None:
        return HttpResponse(status=204)
    typed = read_line(request.GET.get(f"line-{play}", ""), board)
    others = Result.objects.filter(
        play__section=section, play__board=board, play__taken_back_at=None, stands=True
    ).exclude(play=play)
    asks = typed.outcome and not playing_director_of(section, request.user)
    same = count_same_results(typed, list(others.values_list("outcome", flat=True)) if asks else [])
    context = {"reading": typed, "same": same}
    return render(request, "director/results/reading.html", context)
