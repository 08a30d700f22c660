"""Live changes: ask, see what it would do, decide, take it back."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect

from bridgebuddy.events.access import section_for_director
from bridgebuddy.events.errors import (
    ChangeRefused,
    NoSuchProposal,
    SomebodyWasFaster,
    StillSearching,
)
from bridgebuddy.events.models import Contest, Section
from bridgebuddy.events.queries.evening import Evening
from bridgebuddy.events.services import changes as service

from ..desk.forms import DecisionForm
from ..desk.log import told_part_played, told_since
from ..desk.views import render_desk
from ..entries.forms import PairForm
from ..refusals import change_refused
from .forms import EFFORTS, MISTAKES, ChangeForm, RebuildForm
from .shown import MissingPlace, ShownWay, missing_places, shown_ways
from .wishes import WISHES, Wish, asked_of, nothing_of, why_not
from .words import told_change

UNCHANGED = 204


@never_cache
@require_http_methods(["GET", "POST"])
def change(request: HttpRequest, code: str, wish: str) -> HttpResponse:
    """Show what can be done about a change, and do what was chosen."""
    section = section_for_director(request, code)
    if wish not in WISHES:
        raise Http404
    asked = WISHES[wish]
    if section.movement is None or section.is_finished:
        messages.warning(request, _("No round is being played."))
        return _leave(request, "desk", section)
    if not section.is_started and not asked.is_before_start:
        return _leave(request, "entries", section)  # before the start that is done on the list
    evening = Evening(section)
    if request.method == "GET" and (reason := why_not(asked, section, evening)):
        messages.warning(request, reason)
        return _leave(request, "desk", section)
    page = _Page(request, section, evening, asked)
    if request.method == "POST":
        return page.decide()
    return page.show()


def _leave(request: HttpRequest, name: str, section: Section) -> HttpResponse:
    """Go on to another page, as a whole: from the sheet on the desk too."""
    address = reverse(name, args=[section.code])
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)


class _Page:
    """The page of one change, while it is being answered."""

    def __init__(
        self, request: HttpRequest, section: Section, evening: Evening, wish: Wish
    ) -> None:
        self.request, self.section, self.wish = request, section, wish
        self.evening = evening
        sent = request.POST if request.method == "POST" else request.GET
        is_asked = not wish.asks or any(name in sent for name in wish.form.base_fields)
        self.form: ChangeForm = wish.form(section, self.evening, sent if is_asked else None)
        self.ways: list[service.Way] | None = None
        self.waiting = next(
            (entry for entry in self.evening.entries if entry.contestant is None), None
        )
        self.pair_form = PairForm(section.people_an_entry)
        self.decision_form = DecisionForm()
        self.problem = self.meanwhile = ""
        if self.form.is_valid():
            try:
                self.ways = service.ways(section, self.form.change)
            except StillSearching as refused:
                self.problem = change_refused(refused)

    @property
    def is_arrival(self) -> bool:
        form = self.form
        return self.wish.name == "late" or (
            isinstance(form, RebuildForm) and form.is_valid() and form.cleaned_data["arrives"]
        )

    def show(self, status: int = 200) -> HttpResponse:
        whole = self.request.GET.get("whole", "")
        found = (
            shown_ways(self.ways, self.evening, self.section, whole)
            if self.ways is not None
            else None
        )
        picked = self.request.POST.get("way") or self.request.GET.get("way")
        keys = [shown.key for shown in found or ()]
        effort = self._effort
        is_searching_on = self.request.htmx and self.request.htmx.target == "ways"
        if is_searching_on and self.ways is None:  # what is shown stays
            return HttpResponse(status=UNCHANGED)
        title, question = asked_of(self.wish, self.section)
        context = {
            "section": self.section,
            "tab": "desk",
            "wish": self.wish,
            "title": title,
            "question": question,
            "form": self.form,
            "choices": found,
            "impossible": self._missing_places(found),
            "nothing": nothing_of(self.wish, self.section),
            "search_for": self._search_for(found),
            "picked": picked if picked in keys else (keys[0] if keys else ""),
            "is_arrival": self.is_arrival,
            "waiting": self.waiting,
            "pair_form": self.pair_form,
            "decision_form": self.decision_form,
            "problem": self.problem,
            "meanwhile": self.meanwhile,
            "asked": urlencode(self.form.sent),
            "plan": self.section.plan,
            "is_searching_on": is_searching_on,
            "next_effort": next((one for one in EFFORTS if one > effort), None) if effort else None,
        }
        template = "director/change.html"
        if self.request.htmx:
            template += "#ways" if is_searching_on else "#sheet"
        if self.form.errors and status == 200:
            status = 422
        return render(self.request, template, context, status=status)

    def _missing_places(self, found: list[ShownWay] | None) -> list[MissingPlace]:
        is_asked = self.wish.name == "late" and bool(found)
        return missing_places(found or [], self.evening, self.section) if is_asked else []

    def _search_for(self, found: list[ShownWay] | None) -> str:
        """What all rounds to come could be searched for, as an address says it; empty for nothing.

        After a mistake only where it upsets the rest.
        """
        name, sent = self.wish.name, self.form.sent
        if self.section.is_last_round or self.section.contest != Contest.PAIRS:
            return ""
        if name == "late":
            return "arrives=on"
        if name == "back" and sent:
            return urlencode({"back": sent["contestant"]})
        if name == "leaves" and found:
            return urlencode({"leaves": sent["contestant"]})
        if name in MISTAKES and any(shown.proposal.kind == "repaired" for shown in found or ()):
            return urlencode({"after": name, **sent})
        return ""

    @property
    def _effort(self) -> int:
        if not isinstance(self.form, RebuildForm) or not self.form.is_valid():
            return 0
        return int(self.form.change.effort)  # type: ignore[union-attr]

    def decide(self) -> HttpResponse:
        """Take the way that was chosen, if it still is one."""
        decision = self.decision_form = DecisionForm(self.request.POST)
        newcomer = self._newcomer()
        if decision.is_valid() and decision.cleaned_data["plan"] != self.section.plan:
            return self._refused(SomebodyWasFaster())  # what was asked may not exist any more
        if not decision.is_valid() or self.ways is None or (self.is_arrival and newcomer is None):
            if "plan" in decision.errors or "way" in decision.errors:
                self.problem = _("This page was out of date. Here is how things stand.")
            return self.show(status=422)
        key = decision.cleaned_data["way"]
        way = next((one for one in self.ways if one.key == key), None)
        try:
            if way is None:
                raise NoSuchProposal()
            changed = service.take(
                self.section,
                way,
                self.form.change,
                plan=decision.cleaned_data["plan"],
                by=self.request.user,
                reason=decision.cleaned_data["reason"],
                newcomer=newcomer,
            )
        except ChangeRefused as refused:
            return self._refused(refused)
        made = changed.movements.latest("version")
        messages.success(self.request, told_change(made.change, made.facts))
        return _leave(self.request, "desk", self.section)

    def _newcomer(self) -> service.Newcomer | None:
        if not self.is_arrival:
            return None
        if self.waiting is not None:
            return service.Newcomer(entry=self.waiting.pk)
        self.pair_form = PairForm(self.section.people_an_entry, self.request.POST)
        if not self.pair_form.is_valid():
            return None
        return service.Newcomer(
            names=self.pair_form.names,
            must_stay_seated=self.pair_form.cleaned_data["must_stay_seated"],
        )

    def _refused(self, refused: ChangeRefused) -> HttpResponse:
        """Show how things stand now, and why nothing was done; what was typed stays.

        Who pressed twice, or lost the answer, has got what they wanted and sees the desk.
        """
        said = self.decision_form.cleaned_data
        if service.is_taken(self.section, said["way"], plan=said["plan"], by=self.request.user):
            return _leave(self.request, "desk", self.section)
        name = refused.fields.get("name")
        if name is not None and self.pair_form.is_bound:
            self.pair_form.refuse(refused)
            return self.show(status=422)
        fresh = section_for_director(self.request, self.section.code)
        if fresh.is_finished:
            messages.warning(self.request, change_refused(refused))
            return _leave(self.request, "desk", self.section)
        again = _Page(self.request, fresh, Evening(fresh), self.wish)
        again.pair_form, again.decision_form = self.pair_form, self.decision_form
        again.problem = change_refused(refused)
        if isinstance(refused, SomebodyWasFaster):
            again.meanwhile = told_since(fresh, said["plan"])
        return again.show(status=409)


@require_POST
def undo(request: HttpRequest, code: str) -> HttpResponse:
    """Take back the last live change."""
    return _turn_back(request, code, "undo", service.undo)


@require_POST
def redo(request: HttpRequest, code: str) -> HttpResponse:
    """Make the change again that was just taken back."""
    return _turn_back(request, code, "redo", service.redo)


def _turn_back(
    request: HttpRequest, code: str, key: str, turn: Callable[..., Section]
) -> HttpResponse:
    section = section_for_director(request, code)
    form = DecisionForm(request.POST)
    if "reason" in form.errors:
        return render_desk(request, section, why=form, whose=key)
    plan = form.cleaned_data.get("plan", 0)
    try:
        turn(section, plan=plan, by=request.user, reason=form.cleaned_data["reason"])
    except ChangeRefused as refused:
        if not service.is_taken(section, key, plan=plan, by=request.user):
            messages.warning(request, change_refused(refused))
    return redirect("desk", code=section.code)


@require_GET
def history(request: HttpRequest, code: str) -> HttpResponse:
    """Show every version the movement has had: who, when, why."""
    section = section_for_director(request, code)
    versions = section.movements.select_related("by").order_by("-version")
    told = [
        (
            one,
            told_change(one.change, one.facts) if one.change else _("The movement was chosen."),
            told_part_played(one.facts),
        )
        for one in versions
    ]
    context = {"section": section, "tab": "desk", "versions": told}
    return render(request, "director/history.html", context)
