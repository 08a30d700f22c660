"""Correcting a result: a new line or a ruling, stored after its effect was shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.director.refusals import change_refused
from bridgebuddy.events.access import one_snapshot
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Play
from bridgebuddy.events.queries.plan.games import LINES, Contestant
from bridgebuddy.scoring.checks.effects import PlaceChange, ResultEffect, result_effect
from bridgebuddy.scoring.result_sources import ResultSource
from bridgebuddy.scoring.results.scored import SideScore
from bridgebuddy.scoring.rules.outcomes import stored_outcome
from bridgebuddy.scoring.services import results
from bridgebuddy.scoring.templatetags.teams import board_address
from bridgebuddy.web.http import MOST_DIGITS_OF_A_KEY, read_number

from ..context import ResultsPageData
from ..entry.table_rows import CHAIRS, SeatedPlayer, side_of
from ..entry.typed_results import (
    TypedResult,
    contract_letters,
    outcome_with_lead,
    read_line,
    result_line,
)
from ..result_checks import next_doubtful_result_url
from .fouled import fingerprint
from .ruling_forms import RulingForm
from .rulings import is_confirmed
from .suggested_ruling import suggested_ruling

ASKED, REFUSED, CHANGED = 200, 422, 409
OutcomeOf = Mapping[str, Any]
#: the outcomes that no line can express
RULINGS = frozenset([*results.RULINGS, "pending"])


@dataclass(frozen=True)
class EffectRow:
    """The effect of a correction on one contestant: score on the board, and place in the ranking."""

    contestant: Contestant
    now: SideScore
    then: SideScore
    place: PlaceChange | None


def effect_rows(effect: ResultEffect) -> list[EffectRow]:
    """Return the effect of a correction on each contestant that played the board."""
    places = {place_change.who.entry: place_change for place_change in effect.concerned}
    return [
        EffectRow(contestant, board.now, board.then, places.get(contestant.entry))
        for board in effect.boards
        for contestant in board.who
    ]


@never_cache
@require_http_methods(["GET", "POST"])
def correct(request: UserRequest, code: str, play: int) -> HttpResponse:
    """Show the result of a play, preview a correction or ruling, and store it."""
    with one_snapshot(request):
        page = _CorrectionPage(request, code, play)
        if hidden := page.read.page_hiding_unplayed_boards([page.line]):
            return hidden
        outcome = page.outcome_to_store
        if outcome is None:
            return page.render_page()
        onward = page.next_address
    try:
        results.enter_result(
            page.read.section, play, outcome, by=request.user, **page.storing_arguments
        )
    except ChangeRefused as refused:
        with one_snapshot(request):
            return _CorrectionPage(request, code, play).render_page(change_refused(refused))
    messages.success(request, page.stored_message)
    return HttpResponseClientRedirect(onward) if request.htmx else redirect(onward)


class _CorrectionPage:
    """The page on which the director corrects the result of a play or gives a ruling on it, for one request."""

    def __init__(self, request: UserRequest, code: str, play: int) -> None:
        self.request = request
        self.read = ResultsPageData(request, code)
        self.line = self.read.line(play)
        self.is_sent = request.method == "POST"
        sent = request.POST if self.is_sent else request.GET
        is_ruled = "line" not in sent and bool(RULINGS.intersection(self.line.outcome or ()))
        self.is_ruling = "kind" in sent or "ruling" in sent or is_ruled
        self.doubt = sent.get("doubt", "")
        self.after = read_number(sent.get("after"), MOST_DIGITS_OF_A_KEY)
        self.typed = sent.get("line", result_line(self.line.outcome))
        self.reading = TypedResult() if self.is_ruling else read_line(self.typed, self.line.board)
        if self.is_ruling and self.is_sent:
            self.form = RulingForm(self.line, sent)
        else:
            self.form = RulingForm(self.line, **suggested_ruling(sent))
        self.outcome = self._outcome()

    def _outcome(self) -> OutcomeOf | None:
        """Return the result in the form; None if it is unreadable or unchanged."""
        if not self.is_ruling:
            outcome = outcome_with_lead(self.reading.outcome, self.line.outcome)
            return None if outcome == self.line.outcome else outcome
        form = self.form
        # the presets are shown as well
        if not form.is_bound and form.initial["kind"] != "weighted":
            form = RulingForm(self.line, {**form.initial})
        return form.cleaned_data["outcome"] if form.is_valid() else None

    @property
    def is_locked(self) -> bool:
        """Return whether the ranking is final and must be reopened first."""
        return self.read.tonight.scoring.is_final

    @property
    def outcome_to_store(self) -> OutcomeOf | None:
        """Return the result to store now; None if the effect is previewed first."""
        if not self.is_sent or self.outcome is None or self.is_locked:
            return None
        if self.is_ruling:
            shown_print = self.form.cleaned_data["shown"]
            return (
                self.outcome if is_confirmed(self.request, shown_print, self._fingerprint) else None
            )
        return self.outcome if self.after is not None and "do" not in self.request.POST else None

    @property
    def _fingerprint(self) -> str:
        """Return a text of the result in the form, to see whether the same one was previewed."""
        return fingerprint(outcome=self.outcome)

    @property
    def storing_arguments(self) -> dict[str, Any]:
        """Return the further keyword arguments for the service that stores the result."""
        if not self.is_ruling:
            return {"after": self.after}
        cleaned = self.form.cleaned_data
        return {
            "after": cleaned["after"],
            "source": ResultSource.RULING,
            "reason": cleaned["reason"],
        }

    @property
    def stored_message(self) -> str:
        """Return the message that the page shows after it has stored a result."""
        if self.is_ruling:
            return _("The ruling was given.")
        line = self.line
        facts = {"board": line.board, "table": line.table}
        if line.outcome is None:
            return _("Board %(board)s, table %(table)s: result entered.") % facts
        return _("Board %(board)s, table %(table)s is put right.") % facts

    @property
    def next_address(self) -> str:
        """Return the address of the next page: the next doubtful result, or the board."""
        if self.doubt:
            return next_doubtful_result_url(self.read, self.doubt, self.line)
        return board_address(self.read.section, self.line.board, self.line.round)

    @property
    def return_address(self) -> str:
        """Return the address of the page from which the form was opened."""
        if self.doubt:
            return reverse("look-at", args=[self.read.section.code])
        return board_address(self.read.section, self.line.board, self.line.round)

    @property
    def declarer_names(self) -> str:
        """Return the names of the declarer in the form; empty if unknown."""
        if not self.reading.is_contract or self.reading.outcome is None:
            return ""
        place = "NESW".index(str(self.reading.outcome["declarer"]))
        if self.line.people and self.line.people[place]:
            return self.line.people[place]
        line = LINES[place % 2]
        side = self.line.side(line)
        return (side[CHAIRS[line].index(place)] if len(side) == len(LINES) else side[0]).names

    def render_page(self, problem: str = "") -> HttpResponse:
        """Render the present result, the new one, and its effect."""
        read, line = self.read, self.line
        problem = problem or self._refusal_text()
        context = read.context(
            "boards",
            line=line,
            board=line.board,
            page_of=self,
            form=self.form,
            sides=self._sides,
            letters=contract_letters(),
            problem=problem,
            is_same=not self.is_ruling and self.reading.outcome == line.outcome,
            # a director who was told of a newer result now decides on that result
            after=line.number if problem or self.after is None else self.after,
        )
        if self.outcome is not None and not self.is_locked:
            document = read.scored.document.with_outcome([line.index], stored_outcome(self.outcome))
            change = result_effect(read.scored, document, [line])
            context |= {
                "effect": change,
                "rows": effect_rows(change),
                "shown": self._fingerprint,
                "given": self.outcome,
            }
        template = "director/results/correct.html"
        template += "#sheet" if self.request.htmx else ""
        return render(self.request, template, context, status=self._status_code(problem))

    @property
    def _sides(self) -> list[tuple[str, tuple[SeatedPlayer, ...]]]:
        """Return "ns" and "ew", each with the players who sat there."""
        return [(name, side_of(self.line, name)) for name in LINES]

    def _status_code(self, problem: str) -> int:
        """Return the HTTP status of the answer: whether the form was refused, or its result has changed."""
        if self.request.htmx and self.request.POST.get("do") == "show":
            return ASKED  # while the line is being typed
        if problem:
            return (
                CHANGED
                if self.is_sent and self.line.number != self._shown_result_number
                else REFUSED
            )
        is_wrong = self.form.errors if self.is_ruling else self.reading.problem
        return REFUSED if self.is_sent and is_wrong else ASKED

    @property
    def _shown_result_number(self) -> int:
        """Return the number of the result that the form showed, to notice a newer one."""
        return self.line.number if self.after is None else self.after

    def _refusal_text(self) -> str:
        """Return the sentence that says why the result in the form cannot be stored; empty if it can."""
        if self.outcome is None or not self.is_sent:
            return ""
        try:
            results.check_other_table(Play.objects.get(pk=self.line.play), self.outcome)
        except ChangeRefused as refused:
            return change_refused(refused)
        return ""
