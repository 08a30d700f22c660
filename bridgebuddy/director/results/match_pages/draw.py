"""The draw of the next round: proposed, changed by hand, published, and viewed later."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.clubs.rules import RUN_SESSIONS
from bridgebuddy.director.refusals import change_refused
from bridgebuddy.events.access import one_snapshot, read_in_one_snapshot, section_for_director
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.scoring.draws.knockout import KnockOut
from bridgebuddy.scoring.services.draws.drawing import has_result, publish_draw, take_back_draw
from bridgebuddy.scoring.services.draws.rehearsing import invent_results
from bridgebuddy.scoring.snapshot.drawn_rounds import draws_in_force
from bridgebuddy.scoring.snapshot.kinds import KNOCKOUT

from ..context import ResultsPageData
from .proposed_draw import DrawInput, DrawProposal, PublishedDraw, advancing_contestants


@never_cache
@require_http_methods(["GET", "POST"])
def draw(request: UserRequest, code: str) -> HttpResponse:
    """Show the proposed draw of the next round and publish it, or show an earlier draw."""
    problem = ""
    if request.method == "POST":
        problem = _publish_draw(request, code)
        if not problem:
            return redirect("draw", code=code)
    return _draw_page(request, code, problem)


@read_in_one_snapshot
def _draw_page(request: UserRequest, code: str, problem: str = "") -> HttpResponse:
    """Render the page that draws the next round."""
    read = ResultsPageData(request, code, may=RUN_SESSIONS)
    section = read.section
    if section.movement is None or not section.movement.is_drawn_as_played:
        return redirect("ranking", code=section.code)
    sent = request.POST if request.method == "POST" else request.GET
    is_knockout = section.movement.family == KNOCKOUT
    proposal = (
        KnockOut(read.scored, section, advancing_contestants(sent))
        if is_knockout
        else DrawProposal(read, sent)
    )
    records = _published_draws(read)
    drawn = _draw_to_show(proposal, records, request.GET.get("round", ""))
    context = read.context(
        "draw",
        proposal=proposal,
        is_knockout=is_knockout,
        records=records,
        record=drawn,
        is_over=not proposal.round or section.is_finished,
        may_go_back=drawn is not None and _may_undo_draw(section, drawn.draw.round, records),
        problem=problem,
        one=request.GET.get("pick", ""),
    )
    status = 422 if problem else 200
    return render(request, "director/results/draw.html", context, status=status)


def _published_draws(context: ResultsPageData) -> dict[int, PublishedDraw]:
    """Return the published draws that are still valid, by round."""
    section = context.section
    draws = draws_in_force(section)
    return {round: PublishedDraw(context, draw) for round, draw in sorted(draws.items())}


def _draw_to_show(
    proposal: DrawProposal | KnockOut, records: Mapping[int, PublishedDraw], requested_draw: str
) -> PublishedDraw | None:
    """Return the published draw of the round asked for, else that of the next round; None if there is none."""
    if requested_draw.isascii() and requested_draw.isdigit() and len(requested_draw) < 4:
        return records.get(int(requested_draw))
    last = max(records, default=0)
    if last and (not proposal.round or proposal.section.round < last):
        return records[last]
    return None


def _may_undo_draw(section: Section, round: int, records: Mapping[int, PublishedDraw]) -> bool:
    """Return whether the draw of a round may be taken back."""
    is_last = round == max(records, default=0) and section.round <= round
    return is_last and not section.is_finished and not has_result(section, round)


def _publish_draw(request: UserRequest, code: str) -> str:
    """Publish the proposed draw; return the reason of a refusal, else an empty string."""
    with one_snapshot(request):
        read = ResultsPageData(request, code, may=RUN_SESSIONS)
        section = read.section
        if section.movement is None:
            return ""
        if section.movement.family == KNOCKOUT:
            wishes = advancing_contestants(request.POST)
        else:
            wishes = DrawProposal(read, request.POST).drawing.wishes
    try:
        publish_draw(
            section,
            wishes,
            key=request.POST.get("key", ""),
            plan=DrawInput(request.POST).number("plan"),
            by=request.user,
        )
    except ChangeRefused as error:
        return change_refused(error)
    return ""


@require_POST
def invent_missing_results(request: UserRequest, code: str) -> HttpResponse:
    """Invent the missing results of a rehearsal, so that the next round can be drawn.

    Real sessions are left unchanged.
    """
    section = section_for_director(request, code)
    if section.session.is_rehearsal:
        invent_results(section, by=request.user)
    return redirect("draw", code=code)


@require_POST
def withdraw_draw(request: UserRequest, code: str) -> HttpResponse:
    """Take back the published draw of a round."""
    with one_snapshot(request):
        section = section_for_director(request, code)
    asked = DrawInput(request.POST)
    try:
        take_back_draw(section, asked.number("round"), plan=asked.number("plan"), by=request.user)
    except ChangeRefused as error:
        return _draw_page(request, code, change_refused(error))
    return redirect("draw", code=code)
