"""The end of a session: after the current round, or at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.director.refusals import change_refused
from bridgebuddy.events.access import read_in_one_snapshot, section_for_director
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.clock import SectionClock
from bridgebuddy.events.queries.sessions.sections import sections_of_session
from bridgebuddy.events.services.play import changes, rounds
from bridgebuddy.scoring.results.arriving_results import has_scoring_begun
from movements.engine.changes import LengthChanges

from .forms import ShownRoundForm
from .views import desk_response

REFUSED = 422
SECONDS = 60


class EndSessionForm(ShownRoundForm):
    """The form that ends a session: the round in progress, and whether the players know that it is the last."""

    told = forms.BooleanField(label=_lazy("I have told the room"), required=False)

    def __init__(self, section: Section, data: Any = None) -> None:
        super().__init__(data)
        self.section = section

    def clean_told(self) -> bool:
        """Return whether the director has announced the end; required before the planned last round."""
        told: bool = self.cleaned_data["told"]
        if not told and self.section.is_running and not self.section.is_last_round:
            raise forms.ValidationError(_("Announce it in the room first, then tick the box."))
        return told


@dataclass(frozen=True)
class SessionEnd:
    """The facts that the director reads before ending a session early."""

    section: Section

    @property
    def minutes(self) -> int | None:
        """Return the whole minutes left in the round; None if it is over or the clock is stopped."""
        left = SectionClock(self.section).time_left
        if left is None or self.section.is_clock_paused or left.total_seconds() < SECONDS:
            return None
        return int(left.total_seconds() // SECONDS)

    @cached_property
    def last_round_way(self) -> str:
        """Return the key of the proposal that makes the current round the last one; empty if none."""
        if self.section.is_last_round:
            return ""
        ways = changes.change_options(self.section, LengthChanges(self.section.round))
        return ways[0].key if ways else ""

    @property
    def next_round(self) -> int:
        """Return the number of the next round."""
        return self.section.round + 1

    @property
    def has_later_rounds(self) -> bool:
        """Return whether there are later rounds, one of which can be made the last one."""
        return self.next_round < self.section.rounds


@never_cache
@require_http_methods(["GET", "POST"])
def end_session(request: UserRequest, code: str) -> HttpResponse:
    """Ask when the session shall end (now, after this round, later), and end it.

    Before the last round the director must confirm that the players know.
    """
    if request.method == "GET":
        return _end_page(request, code)
    section = section_for_director(request, code)
    form = EndSessionForm(section, request.POST)
    if "after" in form.errors:
        return desk_response(
            request, code, _("The page you used was out of date. This is the current state.")
        )
    if form.errors:
        return _end_page(request, code, form)
    try:
        section = rounds.finish_session(section, round=form.cleaned_data["after"], by=request.user)
    except ChangeRefused as error:
        return desk_response(request, code, change_refused(error))
    return ranking_response(request, section) or desk_response(request, code, "")


def ranking_response(request: UserRequest, section: Section) -> HttpResponse | None:
    """Return a redirect to the ranking; None while a section still plays, or if there are no results."""
    sections = sections_of_session(section)
    if any(other.is_running for other in sections) or not any(map(has_scoring_begun, sections)):
        return None
    address = reverse("ranking", args=[section.code])
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)


@read_in_one_snapshot
def _end_page(request: UserRequest, code: str, form: EndSessionForm | None = None) -> HttpResponse:
    """Return the page on which the director ends the session."""
    section = section_for_director(request, code)
    if not section.is_running or section.movement is None:
        messages.warning(request, _("No round is being played."))
        address = reverse("desk", args=[section.code])
        return HttpResponseClientRedirect(address) if request.htmx else redirect(address)
    context = {
        "section": section,
        "form": form or EndSessionForm(section),
        "ending": SessionEnd(section),
        "how": "now" if form else request.GET.get("how", ""),
    }
    template = "director/end.html#sheet" if request.htmx else "director/end.html"
    return render(request, template, context, status=REFUSED if form else 200)
