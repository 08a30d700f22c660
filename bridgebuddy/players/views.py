"""Views for players: their table now, next and in all rounds; and the room display."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from bridgebuddy.events import code_limits as limits
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.queries.plan.games import Contestant
from bridgebuddy.events.queries.plan_cache import kept_plan
from bridgebuddy.events.queries.sessions.sections import sections_of_session, session_version
from bridgebuddy.operations.local_network import phone_base
from bridgebuddy.web.http import HtmxRequest, mark_private
from bridgebuddy.web.language import activate_language, remember_language, return_address
from movements.words.sentences import contestant_of_typed_label

from .access import NOT_FOUND, find_section, players_page, wrong_code
from .forms import CodeForm, SeenNoticeForm
from .own_pages.own_claim import may_claim_own_page
from .phones import offline, read_marks
from .phones.notice import notice_for
from .phones.page import PlayerPage
from .published_results.results import published_own_sheet
from .room_display.room import displayed_code, rooms_of, split_screens
from .search import LONGEST_SEARCH, fits_text

IN_TURN = "turn"  # the value of `?all=` for one section after the other


@require_safe
def enter_code(request: HtmxRequest) -> HttpResponse:
    """Show the form for a section's code, and redirect to its page."""
    if "code" not in request.GET:
        return mark_private(render(request, "players/code.html", {"form": CodeForm()}))
    typed = request.GET["code"]
    if not typed.strip():
        return mark_private(wrong_code(request, typed))
    section = find_section(request, typed)
    if isinstance(section, HttpResponse):
        return mark_private(section)
    response = redirect("lookup", code=section.code)
    limits.remember_codes(request, response, section.code)
    return mark_private(response)


@players_page
def find_contestant(request: HtmxRequest, section: Section) -> HttpResponse:
    """Show the form and list in which players find their number or name in a section."""
    return _render_lookup(request, section)


@players_page
def show_plan(request: HtmxRequest, section: Section, label: str) -> HttpResponse:
    """Show a contestant's plan on a phone: tables, boards and opponents round by round.

    `?entry=` names the entry: if it gets another seat before the start, the page follows.
    """
    labels = section.movement.without_seatings if section.movement else None
    number = contestant_of_typed_label(labels, label) if labels else None
    plan = kept_plan(section)
    evening = plan.evening
    if entry := request.GET.get("entry"):
        seats = {str(entry.pk): entry.contestant for entry in evening.entries}
        if seats.get(entry) != number:
            return _redirect_to_contestant(request, section, evening, seats.get(entry))
    if number is None or number not in evening.contestants:
        if request.htmx:
            return _redirect_to_contestant(request, section, evening, None)
        return _render_lookup(request, section, missing_text=label)
    page = PlayerPage(section, plan, number)
    notice = notice_for(page, read_marks.last_read(request, page.entry_pk))
    template = "players/player.html#live" if request.htmx else "players/player.html"
    context = {"section": section, "page": page, "notice": notice}
    if section.is_finished:
        context["is_mine"] = may_claim_own_page(request, section, page.contestant.entry)
        context["sheet"] = published_own_sheet(request, section, page.contestant.slug)
    return render(request, template, context)


@require_POST
def mark_notice_read(request: HtmxRequest, code: str, label: str) -> HttpResponse:
    """Mark the notice of a changed plan as read on this phone, and show the plan without it."""
    section = find_section(request, code)
    if isinstance(section, HttpResponse):
        return mark_private(section)
    response = redirect("player", code=section.code, label=label)
    form = SeenNoticeForm(section, request.POST)
    if form.is_valid():
        read_marks.mark_read(request, response, **form.cleaned_data)
    return mark_private(response)


@players_page
def room(request: HtmxRequest, section: Section) -> HttpResponse:
    """Show the room display: clock, announcement and next seats, for a projector.

    `?all=1` shows two sections side by side, `?all=turn` one after the other.
    """
    activate_language(request, section.club.language)
    template = "players/room.html#live" if request.htmx else "players/room.html"
    phones = phone_base(request)
    address = phones.partition("//")[2] + resolve_url("code")
    everywhere = request.GET.get("all", "")
    halves = split_screens(section, phones) if everywhere and everywhere != IN_TURN else []
    beside = {room.section.pk for two in halves for room in two}
    rooms = rooms_of(section, everywhere=bool(everywhere), phones=phones)
    context = {
        "section": section,
        "halves": halves,
        "rooms": [room for room in rooms if room.section.pk not in beside],
        "everywhere": IN_TURN if everywhere == IN_TURN else everywhere and "1",
        "code": displayed_code(section),
        "version": session_version(section.code) if everywhere else section.shown,
        "address": address,
        "now": timezone.now(),
    }
    response = render(request, template, context)
    if not (request.htmx or section.is_started) and request.user.is_authenticated:
        _note_screen(request, response, section)
    return response


def _note_screen(request: HtmxRequest, response: HttpResponse, section: Section) -> None:
    """Set a cookie that the room display was opened in this browser, so that the desk's guide ticks that step."""
    response.set_cookie(
        *(f"room-{section.code}", "1"),
        max_age=24 * 3600,
        path="/s/",
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


@require_safe
def choose_language(request: HtmxRequest, language: str) -> HttpResponse:
    """Store the chosen language of the players' pages, and redirect to the page before."""
    if language not in dict(settings.LANGUAGES):
        raise Http404("no such language")
    response = redirect(return_address(request, request.GET.get("next", ""), "code"))
    remember_language(request, response, language)
    return mark_private(response)


@require_safe
def service_worker(request: HtmxRequest) -> HttpResponse:
    """Send the service worker's script from the root, so that it covers every page."""
    headers = {"Cache-Control": "no-cache"}
    return HttpResponse(
        offline.service_worker_script(), content_type="text/javascript", headers=headers
    )


@require_safe
def manifest(request: HtmxRequest) -> HttpResponse:
    """Send the web app manifest, so that the pages can be added to a home screen."""
    return render(request, "players/manifest.json", content_type="application/manifest+json")


def _redirect_to_contestant(
    request: HtmxRequest, section: Section, evening: SessionEvening, number: int | None
) -> HttpResponse:
    """Redirect a phone to the page of contestant `number`, or to the list of names if it is None."""
    if number is None:
        address = resolve_url("lookup", code=section.code)
    else:
        slug = evening.contestants[number].slug
        address = resolve_url("player", code=section.code, label=slug)
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)


@dataclass(frozen=True)
class ListedPlayer:
    """A contestant in the list in which players find their name, with the section."""

    section: Section
    contestant: Contestant

    @property
    def label(self) -> str:
        """Return the contestant's label, such as its number."""
        return self.contestant.label

    @property
    def key(self) -> str:
        """Return the HTML identifier of the contestant's row: section letter and label."""
        return f"{self.section.letter}{self.contestant.slug}"


def _render_lookup(request: HtmxRequest, section: Section, missing_text: str = "") -> HttpResponse:
    """Render the page on which players find their name and go to their plan."""
    together = sections_of_session(section) if section.letter else [section]
    evenings = [kept_plan(other).evening for other in together]
    typed = request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    everybody = [
        ListedPlayer(evening.section, contestant)
        for evening in evenings
        for contestant in evening.contestants.values()
    ]
    seated = {candidate.contestant.entry for candidate in everybody}
    context = {
        "section": section,
        "typed": typed,
        "missing": missing_text[:LONGEST_SEARCH],
        "contestants": everybody,
        "found": [
            candidate
            for candidate in everybody
            if fits_text(candidate.contestant, typed, candidate.section.letter)
        ],
        "entries": [
            entry for evening in evenings for entry in evening.entries if entry.pk not in seated
        ],
        "is_over": all(other.is_finished for other in together),
        "has_lines": any(other.movement and other.movement.winners == 2 for other in together),
        "version": session_version(section.code) if section.letter else section.shown,
        "now": timezone.now(),
    }
    part = {"live": "#live", "pairs": "#pairs"}.get(request.htmx.target or "", "")
    status = NOT_FOUND if missing_text else 200
    return render(request, f"players/lookup.html{part}", context, status=status)
