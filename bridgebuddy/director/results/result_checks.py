"""Doubtful results: each in a sentence with its evidence, a repair, and "It is right"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.director.refusals import change_refused
from bridgebuddy.events.access import one_snapshot, read_in_one_snapshot
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.scoring.checks.result_check import (
    ResultDoubt,
    doubtful_result_count,
    make_doubt,
)
from bridgebuddy.scoring.checks.result_checks import SectionDoubts
from bridgebuddy.scoring.result_sources import ResultSource
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services import results, rulings
from bridgebuddy.scoring.services.results import EnteredResult
from bridgebuddy.scoring.snapshot.lines import PlayLine

from .check_words import doubt_heading, doubt_sentence, repair_text
from .context import ResultsPageData

#: the most results of other tables that are listed
MOST_SHOWN = 3
#: the most doubts that are all visible; of more, some of each kind are folded
MOST_UNFOLDED = 12
#: the first doubts, which other pages name, are never folded
NEVER_FOLDED = 3


@dataclass(frozen=True)
class CheckView:
    """A doubtful result as the page of checks shows it."""

    doubt: ResultDoubt
    code: str

    @property
    def heading(self) -> str:
        """Return the heading of the doubtful result."""
        return doubt_heading(self.doubt)

    @property
    def sentence(self) -> str:
        """Return the sentence that says why the result is doubtful."""
        return doubt_sentence(self.doubt)

    @property
    def board(self) -> int:
        """Return the board of the doubtful result."""
        return self.doubt.line.board if self.doubt.lines else int(self.doubt.facts["board"])

    @property
    def round(self) -> int:
        """Return the round of the doubtful result; 1 if it is about a board without plays."""
        return self.doubt.line.round if self.doubt.lines else 1

    @property
    def repair_label(self) -> str:
        """Return the label of the button that corrects the result; empty without a proposed correction."""
        return repair_text(self.doubt)

    @property
    def repair_page_address(self) -> str:
        """Return the address of the page that corrects the result; empty if the button does it."""
        repair = self.doubt.repair
        if repair is None or repair.outcomes:
            return ""
        if repair.name == "other-way":
            line = self.doubt.line
            asked = urlencode({"round": line.round, "table": line.table})
            return f"{reverse('change', args=[self.code, 'other-way'])}?{asked}"
        return self.doubtful_result_address

    @property
    def doubtful_result_address(self) -> str:
        """Return the address of the form for the doubtful result; empty if there is none."""
        play = next((line.play for line in self.doubt.lines if line.play), 0)
        return self.correction_address(play) if play else ""

    def correction_address(self, play: int) -> str:
        """Return the address of the form for a play's result, which then returns to the doubtful results."""
        address = reverse("results-line", args=[self.code, play])
        return f"{address}?{urlencode({'doubt': self.doubt.key})}"

    @property
    def is_missing(self) -> bool:
        """Return whether there is no result yet."""
        return self.doubt.kind == "missing"

    @property
    def evidence(self) -> list[tuple[PlayLine, str]]:
        """Return the doubtful results with the addresses of their forms."""
        return [
            (line, self.correction_address(line.play) if line.play else "")
            for line in self.doubt.lines
        ]

    @property
    def field(self) -> tuple[PlayLine, ...]:
        """Return the results at the other tables if they are too many to list one by one; else an empty tuple."""
        return self.doubt.others if len(self.doubt.others) > MOST_SHOWN else ()

    @property
    def other_results(self) -> tuple[PlayLine, ...]:
        """Return the results at the other tables if they are few enough to list."""
        return () if self.field else self.doubt.others

    @property
    def play_to_ask_about(self) -> PlayLine | None:
        """Return the doubtful play whose table the director can still ask, as its round is not over; else None."""
        return next(
            (
                line
                for line in self.doubt.lines
                if line.outcome
                and line.section.is_running
                and line.round == line.section.round
                and line.section.code == self.code
            ),
            None,
        )

    @property
    def anchor(self) -> str:
        """Return the name to which links jump on the page of checks, for this doubtful result."""
        return doubt_anchor(self.doubt.key)


def doubt_anchor(key: str) -> str:
    """Return the name to which links jump on the page of checks, for the doubtful result with this key."""
    return "doubt-" + re.sub(r"[^\w-]", "-", key)


def doubts_by_kind(
    doubts: Sequence[ResultDoubt],
) -> list[tuple[list[ResultDoubt], list[ResultDoubt]]]:
    """Return the doubtful results by kind in the order of the page, open groups and folded ones."""
    if len(doubts) <= MOST_UNFOLDED:
        return [(list(doubts), [])]
    kinds: dict[str, tuple[list[ResultDoubt], list[ResultDoubt]]] = {}
    for number, doubt in enumerate(doubts):
        seen, folded = kinds.setdefault(doubt.kind, ([], []))
        (folded if seen and number >= NEVER_FOLDED else seen).append(doubt)
    return list(kinds.values())


def next_doubtful_result_url(
    context: ResultsPageData, key: str, entered: PlayLine | None = None
) -> str:
    """Return the address of the doubtful result that follows the one with `key` on the page of checks.

    `entered` is a result of that doubt that was missing: others of its table that are missing come first.
    """
    address = reverse("look-at", args=[context.section.code])
    doubt = context.doubts.find(key) if entered else None
    missing = doubt.lines if doubt and doubt.kind == "missing" else ()
    if rest := [line for line in missing if entered and line.play != entered.play]:
        return f"{address}#{doubt_anchor(make_doubt('missing', rest).key)}"
    keys = [
        doubt.key
        for seen, folded in doubts_by_kind(context.doubts.open_doubts)
        for doubt in (*seen, *folded)
    ]
    later = keys[keys.index(key) + 1 :] if key in keys else []
    return f"{address}#{doubt_anchor(later[0])}" if later else address


@never_cache
@require_safe
@read_in_one_snapshot
def show_doubtful_results(request: UserRequest, code: str) -> HttpResponse:
    """Show the doubtful results of a section, and those that were dismissed."""
    read = ResultsPageData(request, code)
    code = read.section.code
    settled = [CheckView(doubt, code) for doubt in read.doubts.dismissed_doubts]
    kinds = [
        tuple([CheckView(doubt, code) for doubt in some] for some in both)
        for both in doubts_by_kind(read.doubts.open_doubts)
    ]
    context = read.context("look-at", doubts=read.doubts.open_doubts, kinds=kinds, settled=settled)
    context["doubt_count"] = doubtful_result_count(read.doubts.open_doubts)
    context["entered"] = read.scored.entered_count_of(read.section)
    context["right"] = context["entered"] - _count_doubted_results(read.doubts, read.scored)
    return render(request, "director/results/look_at.html", context)


def _count_doubted_results(doubts: SectionDoubts, scored: ScoredSession) -> int:
    """Return how many of the entered results are doubtful; results that count for nobody are not entered."""
    section = doubts.section
    lines = (line for doubt in doubts.open_doubts for line in doubt.lines)
    doubted = {line.index for line in lines if line.section.pk == section.pk}
    return len(doubted & scored.results.entered_plays)


@require_POST
def doubt(request: UserRequest, code: str) -> HttpResponse:
    """Correct, dismiss or restore a doubtful result."""
    key, do = request.POST.get("doubt", ""), request.POST.get("do", "")
    with one_snapshot(request):
        read = ResultsPageData(request, code)
        open_doubt = read.doubts.find(key)
    if open_doubt is None:
        messages.warning(
            request,
            _(
                "Another director has changed the results meanwhile. These results "
                "still look wrong."
            ),
        )
        return redirect("look-at", code=read.section.code)
    onward = next_doubtful_result_url(read, key)
    try:
        _run_doubt_action(request, read, open_doubt, do)
    except ChangeRefused as refused:
        messages.warning(request, change_refused(refused))
    return redirect(onward)


def _run_doubt_action(
    request: UserRequest, context: ResultsPageData, doubt: ResultDoubt, do: str
) -> None:
    """Run the action `do` (dismiss, restore or correct) on a doubtful result."""
    if do == "settle":
        rulings.dismiss_doubt(context.section, doubt.key, by=request.user)
    elif do == "unsettle":
        rulings.restore_doubt(context.section, doubt.key, by=request.user)
    elif do == "repair" and doubt.repair and doubt.repair.outcomes:
        entered = [
            EnteredResult(line.play, outcome, line.number)
            for line, outcome in doubt.repair.outcomes
        ]
        results.enter_results(context.section, entered, source=ResultSource.REPAIR, by=request.user)
        messages.success(
            request, _("The result has been corrected. You can undo this in the board’s history.")
        )
