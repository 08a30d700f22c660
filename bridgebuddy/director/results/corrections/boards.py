"""The board pages: the state of all boards, and the results and history of one board."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.director.refusals import change_refused
from bridgebuddy.events.access import one_snapshot, read_in_one_snapshot, section_for_scorer
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.games import board_text
from bridgebuddy.scoring.models import FouledBoard, Result
from bridgebuddy.scoring.results.sheets import SheetRow, Traveller, travellers_of_board
from bridgebuddy.scoring.rules.reports.results import BoardResult, FrequencyRow
from bridgebuddy.scoring.services import results
from bridgebuddy.scoring.snapshot.lines import PlayLine
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.scoring.templatetags.teams import board_address

from ..context import ResultsPageData
from .fouled import fouled_context
from .penalty_forms import FouledForm


@dataclass(frozen=True)
class BoardState:
    """A board in the list of boards: how many results it has, and whether it is fouled or doubtful."""

    board: int
    lines: tuple[PlayLine, ...]
    is_fouled: bool
    is_doubtful: bool

    @property
    def due_count(self) -> int:
        """Return how many results the board will have when all tables have played it."""
        return len(self.lines)

    @property
    def entered_count(self) -> int:
        """Return how many results of the board have been entered so far."""
        return sum(line.outcome is not None for line in self.lines)

    @property
    def is_complete(self) -> bool:
        """Return whether all results of the board are entered."""
        return self.entered_count == self.due_count

    @property
    def has_begun(self) -> bool:
        """Return whether the board has been played somewhere."""
        return any(line.has_begun for line in self.lines)

    @property
    def ruling_count(self) -> int:
        """Return how many of the board's results are director's rulings."""
        return sum(line.is_ruling for line in self.lines)

    @property
    def remarks_text(self) -> str:
        """Return remarks on the board as text: two groups of deals, number of rulings, doubtful result."""
        remarks = [_("two groups")] if self.is_fouled else []
        if self.ruling_count:
            remarks.append(
                ngettext("%(rulings)s ruling", "%(rulings)s rulings", self.ruling_count)
                % {"rulings": self.ruling_count}
            )
        if self.is_doubtful:
            remarks.append(_("look at it"))
        return ", ".join(remarks)


def board_states(context: ResultsPageData, round: int = 0) -> list[BoardState]:
    """Return the boards of a section with their states, only those of `round` if it is not 0."""
    fouled = {
        fouled_board.board
        for fouled_board in context.tonight.fouled
        if fouled_board.section_id == context.section.pk
    }
    doubtful = {line.index for doubt in context.doubts.open_doubts for line in doubt.lines}
    by_board: dict[int, list[PlayLine]] = {}
    for line in context.tonight.lines_of_section(context.section):
        if round in (0, line.round):
            by_board.setdefault(line.board, []).append(line)
    return [
        BoardState(
            board, tuple(lines), board in fouled, any(line.index in doubtful for line in lines)
        )
        for board, lines in sorted(by_board.items())
    ]


def rounds_with_own_deals(context: ResultsPageData) -> list[int]:
    """Return the rounds that have their own deals (drawn matches); [0] if no round has."""
    movement = context.section.movement
    if movement is None or not movement.is_draw:
        return [0]
    return sorted({line.round for line in context.tonight.lines_of_section(context.section)}) or [0]


@never_cache
@require_safe
@read_in_one_snapshot
def boards(request: UserRequest, code: str) -> HttpResponse:
    """Show all boards of a section with their states."""
    read = ResultsPageData(request, code)
    rounds = [(round, board_states(read, round)) for round in rounds_with_own_deals(read)]
    states_listed = [board_state for _round, listed in rounds for board_state in listed]
    context = read.context("boards", rounds=rounds, boards=states_listed)
    context["complete"] = sum(board_state.is_complete for board_state in states_listed)
    return render(request, "director/results/boards.html", context)


# ── a single board ──


@dataclass(frozen=True)
class TravellerRow:
    """A table's result on a board's traveller (list of results), with explanations of both sides' scores."""

    row: SheetRow
    why_ns: str
    why_ew: str
    may_change: bool

    @property
    def line(self) -> PlayLine:
        """Return the play of this row."""
        return self.row.line

    @property
    def is_ruling(self) -> bool:
        """Return whether the result is a director's ruling."""
        return self.row.line.is_ruling


@dataclass(frozen=True)
class ComparedPlays:
    """The plays of a board whose scores are compared with each other; a fouled board has several such groups."""

    title: str
    rows: tuple[TravellerRow, ...]
    field: BoardResult | None
    fouled: FouledBoard | None = None

    @property
    def frequency(self) -> tuple[FrequencyRow, ...]:
        """Return how often each score occurs, with its matchpoints."""
        return self.field.frequency if self.field else ()

    @property
    def frequency_ew(self) -> tuple[FrequencyRow, ...]:
        """Return East-West's own score frequencies if they differ because of a split score; else an empty tuple."""
        return (self.field.frequency_ew or ()) if self.field else ()

    @property
    def top(self) -> float | None:
        """Return the highest possible matchpoint score (top) on the board in this group."""
        return self.field.top if self.field else None


@dataclass(frozen=True)
class ResultStep:
    """A change in the history of a play's result: the result before and after it."""

    result: Result
    was: dict[str, Any] | None
    is_first: bool

    @property
    def can_be_undone(self) -> bool:
        """Return whether this is the present result, which can be taken back."""
        return self.result.stands and self.result.outcome is not None


def stored_results(tonight: SessionSnapshot, board: int) -> list[Result]:
    """Return all results ever stored for the plays of a board, oldest first."""
    stored = Result.objects.filter(
        play__section=tonight.section, play__board=board, play__taken_back_at=None
    )
    return list(stored.select_related("by", "play").order_by("at", "pk"))


def history_steps(history: Iterable[Result]) -> list[ResultStep]:
    """Return the changes of a play's result, newest first."""
    last: dict[int, Result] = {}
    changes = []
    for result in history:
        before = last.get(result.play_id)
        changes.append(ResultStep(result, before.outcome if before else None, before is None))
        last[result.play_id] = result
    return changes[::-1]


@never_cache
@require_safe
@read_in_one_snapshot
def board_results(request: UserRequest, code: str, board: int) -> HttpResponse:
    """Show all results of a board, their frequencies and their history.

    `?open=cards` asks where it had other cards.
    """
    return board_page(request, ResultsPageData(request, code), board)


def board_page(
    request: UserRequest,
    results_context: ResultsPageData,
    board: int,
    fouled: FouledForm | None = None,
) -> HttpResponse:
    """Render the page of a board; `fouled` is the form for a fouled board, sent to preview its effect."""
    lines = results_context.tonight.lines_of_board(results_context.section, board)
    if not lines:
        raise Http404("no such board")
    round = round_to_show(results_context, lines, request.GET.get("round", ""))
    every = [state.board for state in board_states(results_context, round)]
    place = every.index(board)
    mine = [line for line in lines if round in (0, line.round)]
    if hidden := results_context.page_hiding_unplayed_boards(mine):
        return hidden
    board_travellers = travellers_of_board(
        results_context.scored, results_context.section, board, round or None
    )
    plays = {line.play for line in mine}
    context = results_context.context(
        "boards",
        board=board,
        before=every[place - 1] if place else None,
        after=every[place + 1] if place + 1 < len(every) else None,
        round=round,
        rounds=sorted({line.round for line in lines}) if round else [],
        groups=[
            group
            for traveller in board_travellers
            for group in groups_of_compared_plays(results_context, traveller)
        ],
        entered=sum(line.outcome is not None for line in mine),
        due=len(mine),
        history=history_steps(
            correction
            for correction in stored_results(results_context.tonight, board)
            if correction.play_id in plays
        ),
        top=next(
            (top for traveller in board_travellers if (top := _top_of_board(traveller))), None
        ),
        cards=next((traveller.cards for traveller in board_travellers if traveller.cards), None),
    )
    begun = [line for line in mine if line.has_begun]
    if begun and (fouled or request.GET.get("open") == "cards"):
        context |= fouled_context(
            results_context, begun, fouled or FouledForm(begun, None, in_round=round)
        )
    status = 422 if fouled and fouled.errors else 200
    return render(request, "director/results/board.html", context, status=status)


def round_to_show(context: ResultsPageData, lines: list[PlayLine], round_text: str) -> int:
    """Return the round of a board to show: the one asked for, else the last that has begun.

    0 if the board is the same in all rounds.
    """
    rounds = {line.round for line in lines}
    if rounds_with_own_deals(context) == [0]:
        return 0
    if round_text in map(str, rounds):
        return int(round_text)
    return max((line.round for line in lines if line.has_begun), default=min(rounds))


def _top_of_board(traveller: Traveller) -> float | None:
    """Return the highest possible matchpoint score (top) on a board; None without results."""
    tops = (side.row.top for row in traveller.rows for side in (row.ns, row.ew) if side)
    return next((top for top in tops if top), None)


def groups_of_compared_plays(
    context: ResultsPageData, traveller: Traveller
) -> Iterable[ComparedPlays]:
    """Return the plays of a board in the groups that are compared; a fouled board has several."""
    rows: dict[str | None, list[SheetRow]] = {}
    for row in traveller.rows:
        rows.setdefault(row.line.group, []).append(row)
    fields = {field.group: field for field in traveller.fields}
    rulings = {str(fouled_board.pk): fouled_board for fouled_board in context.tonight.fouled}
    for group in sorted(rows, key=lambda row: (row is not None, row)):
        fouled = rulings.get(group or "")
        title = _group_title(fouled) if len(rows) > 1 or fouled else ""
        if traveller.match:
            names = " – ".join(contestant.surnames for contestant in traveller.match)
            title = f"{names}: {title}" if title else names
        lines = tuple(
            TravellerRow(
                row,
                context.explain_score(row.line, row.ns, "ns"),
                context.explain_score(row.line, row.ew, "ew"),
                row.line.play > 0 and row.line.section.pk == context.section.pk,
            )
            for row in rows[group]
        )
        field = (
            None if traveller.match else fields.get(group)
        )  # the frequencies of two results tell nothing
        yield ComparedPlays(title, lines, field, fouled)


def _group_title(fouled: FouledBoard | None) -> str:
    """Return the heading of the tables that played a fouled board with the same cards."""
    if fouled is None:
        return _("As dealt")
    if not fouled.tables:
        return _("Other cards from round %(round)s on") % {"round": fouled.from_round}
    return ngettext(
        "Other cards at table %(tables)s", "Other cards at tables %(tables)s", len(fouled.tables)
    ) % {"tables": board_text(tuple(fouled.tables))}


@require_POST
def undo_result(request: UserRequest, code: str, result: int) -> HttpResponse:
    """Take the present result of a play back, so that the one before counts again."""
    with one_snapshot(request):
        section: Section = section_for_scorer(request, code)
        stored = Result.objects.filter(pk=result, play__section=section).select_related("play")
        play = next((result.play for result in stored), None)
    if play is None:
        raise Http404("no such result")
    try:
        results.undo_result(section, result, by=request.user)
    except ChangeRefused as refused:
        messages.warning(request, change_refused(refused))
    return redirect(board_address(section, play.board, play.round))
