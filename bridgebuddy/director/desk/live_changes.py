"""Live changes: ask for one, preview its effects, decide, and undo it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.director.changes.better_section import OtherSections, plan_field_name, split_choice
from bridgebuddy.director.changes.change_form import ChangeForm
from bridgebuddy.director.changes.forms import EFFORTS, RebuildForm
from bridgebuddy.director.changes.mistakes import MISTAKES
from bridgebuddy.director.changes.proposal_views import (
    MissingPlace,
    ProposalView,
    distinct_proposals,
    missing_places,
    missing_skips,
)
from bridgebuddy.director.changes.void_results import add_void_notes
from bridgebuddy.director.changes.wishes import (
    WISHES,
    ChangeRequest,
    impossible_message,
    obstacle_to,
    title_and_question,
)
from bridgebuddy.director.changes.words import change_sentence
from bridgebuddy.director.entries.forms import PairForm, typed_name_fields
from bridgebuddy.director.refusals import change_refused
from bridgebuddy.events.access import one_snapshot, section_for_director
from bridgebuddy.events.errors import ChangeRefused, NoSuchProposal, SectionChanged, StillSearching
from bridgebuddy.events.models import Entry, Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.services.play import changes as service
from bridgebuddy.registration.late_arrivals import LateArrival, late_pairs, mark_arrived
from bridgebuddy.scoring.checks.result_checks import SectionDoubts
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.web.folds import redirect_with_part_open
from bridgebuddy.web.http import read_number
from movements.engine.changes import Rebuild

from .forms import DecisionForm
from .log import decisions_since
from .views import render_desk

UNCHANGED = 204
#: most digits of an entry's key
MOST_DIGITS = 15


@never_cache
@require_http_methods(["GET", "POST"])
def change(request: UserRequest, code: str, wish: str) -> HttpResponse:
    """Show the proposals for a live change of the movement, and make the chosen one."""
    code, sent = _chosen_section(code, request.POST)
    with _open_page(request, code, wish, sent) as page:
        if isinstance(page, HttpResponse):
            return page
        if request.method == "GET":
            return page.show()
        if again := page.page_if_choice_outdated():
            return again
    try:
        changed = page.make_chosen_change()
    except ChangeRefused as refused:
        return _refusal_page(page, refused)
    if page.newcomer:
        mark_arrived(changed.entries.get(pk=page.newcomer.entry or changed.entries.latest("pk").pk))
    version = changed.movements.latest("version")
    messages.success(request, change_sentence(version.change, version.facts, changed.contest))
    if page.wish.name in MISTAKES:
        _warn_of_repeated_boards(request, changed)
    return _redirect_whole_page(request, "desk", page.section)


def _warn_of_repeated_boards(request: UserRequest, section: Section) -> None:
    """Warn the director of results on boards that a contestant had already played."""
    doubts = SectionDoubts(SessionSnapshot(section)).open_doubts
    if many := sum(doubt.kind == "twice" for doubt in doubts):
        told = ngettext(
            "%(count)s result is for a board that its players had already played.",
            "%(count)s results are for boards that their players had already played.",
            many,
        )
        address = reverse("look-at", args=[section.code])
        words = (told % {"count": many}, address, _("Check these results"))
        messages.warning(request, format_html('{} <a href="{}">{}</a>', *words))


def _chosen_section(code: str, form_data: QueryDict) -> tuple[str, QueryDict]:
    """Return the code of the section of the chosen proposal, and the form as sent to that section."""
    elsewhere, key = split_choice(form_data.get("way", ""))
    if not elsewhere:
        return code, form_data
    form_data = form_data.copy()
    form_data["way"], form_data["plan"] = key, form_data.get(plan_field_name(elsewhere), "")
    return elsewhere, form_data


@contextmanager
def _open_page(
    request: UserRequest, code: str, wish: str, form_data: QueryDict
) -> Iterator[_ChangePage | HttpResponse]:
    """Context manager that yields the page of a live change, read in one snapshot, or a redirect.

    The exact search runs outside the snapshot. If the plan has changed when it ends, the page is
    read again.
    """
    search: service.ExactSearch | None = None
    while True:
        with one_snapshot(request):
            section = section_for_director(request, code)
            evening = SessionEvening(section)
            if elsewhere := _redirect_if_impossible(request, section, evening, wish):
                yield elsewhere
                return
            page = _ChangePage(request, form_data, section, evening, WISHES[wish], search)
            if page.search is None:
                yield page
                return
            search = page.search
        with suppress(StillSearching):
            search.find_proposals()


def _redirect_if_impossible(
    request: UserRequest, section: Section, evening: SessionEvening, wish: str
) -> HttpResponse | None:
    """Return a redirect if a kind of change cannot be asked for now, else None."""
    if wish not in WISHES:
        raise Http404
    asked = WISHES[wish]
    if section.movement is None or section.is_finished:
        messages.warning(request, _("No round is being played."))
        return _redirect_whole_page(request, "desk", section)
    if not section.is_started and not asked.is_before_start:
        return _redirect_to_entries(request, section)
    if request.method == "GET" and (reason := obstacle_to(asked, section, evening)):
        messages.warning(request, reason)
        return _redirect_whole_page(request, "desk", section)
    return None


def _redirect_to_entries(request: UserRequest, section: Section) -> HttpResponse:
    """Redirect to the list of entries before the start, with the names typed for a late pair."""
    typed = typed_name_fields(section.people_per_entry, request.POST)
    if typed:
        messages.warning(
            request, _("The start of round 1 was undone meanwhile. Enter the names here.")
        )
    return _redirect_whole_page(request, "entries", section, **typed)


def _redirect_whole_page(
    request: UserRequest, name: str, section: Section, **more: str
) -> HttpResponse:
    """Redirect the whole browser page, also from the dialog above the desk."""
    address = reverse(name, args=[section.code], query=more)
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)


class _ChangePage:
    """The page on which the director asks for a live change and chooses one of the proposals, for one request."""

    def __init__(
        self,
        request: UserRequest,
        form_data: QueryDict,
        section: Section,
        evening: SessionEvening,
        kind: ChangeRequest,
        searched: service.ExactSearch | None = None,
    ) -> None:
        """Read the page; without the exact search it needs, it has no ways and stores `search`."""
        self.request, self.sent, self.section, self.wish = request, form_data, section, kind
        self.evening = evening
        answers = form_data if request.method == "POST" else request.GET
        is_asked = not kind.asks or kind.form.is_answered(answers)
        self.form: ChangeForm = kind.form(section, self.evening, answers if is_asked else None)
        if not is_asked:  # fields already hold a part of the answer
            initial = {name: answers[name] for name in kind.form.base_fields if name in answers}
            self.form.initial.update(initial)
        self.ways: list[service.ChangeOption] | None = None
        self.search: service.ExactSearch | None = None
        self.waiting = self._waiting_entry(answers)
        fields = PairForm.LABELS[section.people_per_entry]
        named = [request.GET.get(field, "")[: Person.NAME_LENGTH] for field in fields]
        self.pair_form = PairForm(section.people_per_entry, names=named)
        self.newcomer: service.ArrivingEntry | None = None
        self.decision_form = DecisionForm()
        self.problem = self.meanwhile = ""
        if self.form.is_valid():
            change = self.form.change
            is_searched = searched and searched.is_for(section, change)
            if isinstance(change, Rebuild) and not is_searched:
                self.search = service.ExactSearch(section, change)
                return
            try:
                self.ways = service.change_options(section, change, searched)
            except StillSearching as refused:
                self.problem = change_refused(refused)

    def _waiting_entry(self, form_data: QueryDict) -> Entry | None:
        """Return the entry without a seat to be seated; None if the named pair is not entered."""
        if "waits" not in form_data and typed_name_fields(self.section.people_per_entry, form_data):
            return None
        waiting = [entry for entry in self.evening.entries if entry.contestant is None]
        wanted = read_number(form_data.get("waits"), MOST_DIGITS) if "waits" in form_data else None
        return next((entry for entry in waiting if wanted in (None, entry.pk)), None)

    @property
    def is_arrival(self) -> bool:
        """Return whether the change is the arrival of a late pair."""
        form = self.form
        return self.wish.name == "late" or (
            isinstance(form, RebuildForm) and form.is_valid() and form.cleaned_data["arrives"]
        )

    def show(self, status: int = 200) -> HttpResponse:
        """Render the page with the form and the proposals."""
        whole = self.request.GET.get("whole", "")
        views = None
        if self.ways is not None:
            views = distinct_proposals(self.ways, self.evening, self.section, whole)
            add_void_notes(views, self.section, self.form.change)
        missing = self._missing_places(views)
        elsewhere = None
        if self.wish.name == "late" and views is not None and self._could_play_elsewhere:
            elsewhere = OtherSections(self.section, self.form.change, whole)
            views = elsewhere.own_and_other_proposals(views, self.section.letter)
            missing = elsewhere.own_and_other_missing_places(missing, self.section.letter)
        picked = self.sent.get("way") or self.request.GET.get("way")
        keys = [view.key for view in views or ()]
        effort = self._search_effort
        is_searching_on = self.request.htmx and self.request.htmx.target == "ways"
        if is_searching_on and self.ways is None:  # the shown ways stay
            return HttpResponse(status=UNCHANGED)
        title, question = title_and_question(self.wish, self.section)
        context = {
            "section": self.section,
            "tab": "desk",
            "wish": self.wish,
            "title": title,
            "question": question,
            "form": self.form,
            "choices": views,
            "impossible": missing,
            "plans": elsewhere.plans if elsewhere else {},
            "nothing": impossible_message(self.wish, self.section),
            "search_for": self._exact_search_query(views),
            "picked": picked if picked in keys else (keys[0] if keys else ""),
            "is_arrival": self.is_arrival,
            "waiting": self.waiting,
            "who_waits": f"&waits={self.waiting.pk}" if self.is_arrival and self.waiting else "",
            "kept_for": self._late_entries_to_reserve_for,
            "pair_form": self.pair_form,
            "decision_form": self.decision_form,
            "problem": self.problem,
            "meanwhile": self.meanwhile,
            "asked": urlencode(self.form.sent_values),
            "plan": self.section.plan,
            "is_searching_on": is_searching_on,
            "next_effort": next((step for step in EFFORTS if step > effort), None)
            if effort
            else None,
        }
        template = "director/change.html"
        if self.request.htmx:
            template += "#ways" if is_searching_on else "#sheet"
        if self.form.errors and status == 200:
            status = 422
        return render(self.request, template, context, status=status)

    @property
    def _could_play_elsewhere(self) -> bool:
        """Return whether the late pair, not entered here, could play in another section."""
        return bool(self.section.letter) and self.waiting is None

    @property
    def _late_entries_to_reserve_for(self) -> list[LateArrival]:
        """Return the other late entries without a seat, for which the place may be reserved."""
        if self.wish.name != "late":
            return []
        unseated = [entry for entry in self.evening.entries if entry.contestant is None]
        late = [arrival for arrival in late_pairs(self.section, unseated) if arrival.can_be_seated]
        if self.waiting:
            return [arrival for arrival in late if arrival.entry != self.waiting.pk]
        names = [field.value() for field in self.pair_form.players]
        return [arrival for arrival in late if [person.name for person in arrival.people] != names]

    def _missing_places(self, proposals: list[ProposalView] | None) -> list[MissingPlace]:
        """Return the usual places or skips that are not possible now, with the reasons."""
        if self.wish.name == "skip":
            return missing_skips(proposals or [])
        is_asked = self.wish.name == "late" and bool(proposals)
        return missing_places(proposals or [], self.evening, self.section) if is_asked else []

    def _exact_search_query(self, proposals: list[ProposalView] | None) -> str:
        """Return the query string of the exact search over coming rounds; empty if not possible."""
        name, sent = self.wish.name, self.form.sent_values
        if self.section.is_last_round or not self.section.contest.fills_a_side:
            return ""
        if name == "late":
            return urlencode({"arrives": "on", "waits": self.waiting.pk if self.waiting else 0})
        if name == "back" and sent:
            return urlencode({"back": sent["contestant"]})
        if name == "leaves" and proposals:
            return urlencode({"leaves": sent["contestant"]})
        kinds = {view.proposal.kind for view in proposals or ()}
        if name in MISTAKES and kinds & {"repaired", "as-planned"}:
            return urlencode({"after": name, **sent})
        return ""

    @property
    def _search_effort(self) -> int:
        """Return the level of how long the search for a new plan may take, as asked for; 0 without such a search."""
        if not isinstance(self.form, RebuildForm) or not self.form.is_valid():
            return 0
        return int(self.form.change.effort)

    def page_if_choice_outdated(self) -> HttpResponse | None:
        """Validate the sent choice of a proposal; return the page again if it is missing or outdated, else None."""
        decision = self.decision_form = DecisionForm(self.sent)
        # Enter was pressed instead of a button: that decides nothing
        if "look" in self.sent:
            fields = PairForm.LABELS[self.section.people_per_entry]
            self.pair_form = PairForm(
                self.section.people_per_entry,
                names=[self.sent.get(name, "") for name in fields],
                initial=self.sent.dict(),
            )
            return self.show()
        self.newcomer = self._newcomer()
        if decision.is_valid() and decision.cleaned_data["plan"] != self.section.plan:
            return None  # the requested object may no longer exist
        is_complete = self.ways is not None and (self.newcomer or not self.is_arrival)
        if decision.is_valid() and is_complete:
            return None
        if "plan" in decision.errors or "way" in decision.errors:
            self.problem = _("The page you used was out of date. This is the current state.")
        return self.show(status=422)

    def make_chosen_change(self) -> Section:
        """Make the live change that the director has chosen; raise an error if its proposal has changed meanwhile."""
        cleaned = self.decision_form.cleaned_data
        if cleaned["plan"] != self.section.plan:
            raise SectionChanged()
        way = next((way for way in self.ways or () if way.key == cleaned["way"]), None)
        if way is None:
            raise NoSuchProposal()
        return service.take_proposal(
            self.section,
            way,
            self.form.change,
            plan=cleaned["plan"],
            by=self.request.user,
            reason=cleaned["reason"],
            newcomer=self.newcomer,
        )

    def _newcomer(self) -> service.ArrivingEntry | None:
        """Return the late pair to be seated: an entry without a seat, or typed names; None without one."""
        if not self.is_arrival:
            return None
        if self.waiting is not None:
            return service.ArrivingEntry(entry=self.waiting.pk)
        self.pair_form = PairForm(self.section.people_per_entry, self.sent)
        if not self.pair_form.is_valid():
            return None
        return service.ArrivingEntry(
            names=self.pair_form.names,
            team=self.pair_form.team,
            must_stay_seated=self.pair_form.cleaned_data["must_stay_seated"],
        )


def _refusal_page(page: _ChangePage, refusal: ChangeRefused) -> HttpResponse:
    """Show the current page with the reason why a change was refused; typed values stay.

    If the same director has already made this change, redirect to the desk.
    """
    request, cleaned = page.request, page.decision_form.cleaned_data
    if service.is_repeated(page.section, cleaned["way"], plan=cleaned["plan"], by=request.user):
        return _redirect_whole_page(request, "desk", page.section)
    is_at_name = refusal.fields.get("name") is not None and page.pair_form.is_bound
    if is_at_name:
        page.pair_form.add_refusal(refusal)
    with _open_page(request, page.section.code, page.wish.name, page.sent) as now:
        if isinstance(now, HttpResponse):
            return now
        now.pair_form, now.decision_form = page.pair_form, page.decision_form
        if is_at_name:
            return now.show(status=422)
        if (
            now.section.plan != cleaned["plan"]
        ):  # the plan has changed: this is the reason in any case
            refusal = SectionChanged()
            now.meanwhile = decisions_since(now.section, cleaned["plan"])
        now.problem = change_refused(refusal)
        return now.show(status=409)


@require_POST
def undo(request: UserRequest, code: str) -> HttpResponse:
    """Undo the last live change."""
    return _undo_or_redo(request, code, "undo", service.undo_change)


@require_POST
def redo(request: UserRequest, code: str) -> HttpResponse:
    """Redo the live change that was just undone."""
    return _undo_or_redo(request, code, "redo", service.redo_change)


def _undo_or_redo(
    request: UserRequest, code: str, key: str, turn: Callable[..., Section]
) -> HttpResponse:
    """Undo or redo the last live change by calling `turn`; `key` names the form in which the reason was typed."""
    section = section_for_director(request, code)
    form = DecisionForm(request.POST)
    if "reason" in form.errors:
        return render_desk(request, code, why=form, section_letter=key)
    plan = form.cleaned_data.get("plan", 0)
    try:
        turn(section, plan=plan, by=request.user, reason=form.cleaned_data["reason"])
    except ChangeRefused as refused:
        if not service.is_repeated(section, key, plan=plan, by=request.user):
            messages.warning(request, change_refused(refused))
    return redirect("desk", code=section.code)


@require_safe
def history(request: UserRequest, code: str) -> HttpResponse:
    """Redirect the former address of the movement's history to the desk."""
    return redirect_with_part_open("history", "desk", section_for_director(request, code).code)
