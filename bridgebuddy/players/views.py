"""What players see: their table now, next, and the whole evening; and the room display."""

from __future__ import annotations

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET

from bridgebuddy.clubs.models import folded
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.evening import Evening
from bridgebuddy.events.queries.sections import is_unchanged

from . import limits
from .access import cleaned, section_or_answer
from .offline import asset_version
from .pages import PlayerPage, RoomPage

UNCHANGED = 204


@require_GET
def code(request: HttpRequest) -> HttpResponse:
    """Ask for the code, and go to its page."""
    typed = request.GET.get("code", "")
    if not typed.strip():
        return render(request, "players/code.html")
    section = section_or_answer(request, typed)
    if isinstance(section, HttpResponse):
        return section
    return redirect("lookup", code=section.code)


@require_GET
def lookup(request: HttpRequest, code: str) -> HttpResponse:
    """Ask which pair it is."""
    section = section_or_answer(request, code)
    if isinstance(section, HttpResponse):
        return section
    evening = Evening(section)
    typed = request.GET.get("q", "").strip()[:80]
    context = {
        "section": section,
        "typed": typed,
        "contestants": [
            one for one in evening.contestants.values() if not typed or _fits(one, typed)
        ],
        "has_seats": bool(evening.contestants),
        "entries": evening.entries if not evening.contestants else [],
    }
    template = "players/lookup.html#list" if request.htmx else "players/lookup.html"
    return _remembered(render(request, template, context), section)


@require_GET
def player(request: HttpRequest, code: str, label: str) -> HttpResponse:
    """Show one contestant's evening; a poll that shows the current version gets nothing."""
    if is_unchanged(cleaned(code), request.GET.get("v")):
        return HttpResponse(status=UNCHANGED)
    section = section_or_answer(request, code)
    if isinstance(section, HttpResponse):
        return section
    number = section.movement.labels.contestant(label) if section.movement else None
    if number is None or number not in (page := PlayerPage(section, number)).evening.contestants:
        return redirect("lookup", code=section.code)
    template = "players/player.html#live" if request.htmx else "players/player.html"
    return _remembered(render(request, template, {"section": section, "page": page}), section)


@require_GET
def room(request: HttpRequest, code: str) -> HttpResponse:
    """Show the room display; a poll that shows the current version gets nothing."""
    if is_unchanged(cleaned(code), request.GET.get("v")):
        return HttpResponse(status=UNCHANGED)
    section = section_or_answer(request, code)
    if isinstance(section, HttpResponse):
        return section
    template = "players/room.html#live" if request.htmx else "players/room.html"
    context = {"section": section, "page": RoomPage(section)}
    return _remembered(render(request, template, context), section)


@require_GET
def language(request: HttpRequest, code: str) -> HttpResponse:
    """Change the language of this phone and go back to the page."""
    wanted = request.GET.get("to", "")
    back = request.GET.get("next", "")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure()):
        back = f"/p/{cleaned(code)}/"
    response = redirect(back)
    if wanted in dict(settings.LANGUAGES):
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME, wanted, max_age=settings.LANGUAGE_COOKIE_AGE
        )
    return response


@require_GET
def service_worker(request: HttpRequest) -> HttpResponse:
    """Serve the worker that keeps the last plan, from the root so that it may serve every page."""
    path = finders.find("js/sw.js")
    if not path:
        raise Http404
    with open(path, encoding="utf-8") as file:
        source = file.read().replace("{{ version }}", asset_version())
    response = HttpResponse(source, content_type="text/javascript")
    patch_cache_control(response, no_cache=True)
    return response


@require_GET
def manifest(request: HttpRequest) -> HttpResponse:
    """Describe the phone pages as an app that can be put on the home screen."""
    return render(request, "players/manifest.json", content_type="application/manifest+json")


def _fits(contestant, typed: str) -> bool:
    """Whether a name or number fits what was typed, accents and case apart."""
    wanted = folded(typed)
    numbers = {contestant.short, contestant.slug.casefold(), contestant.label.casefold()}
    return wanted in numbers or all(
        any(word.startswith(part) for word in folded(contestant.names).split())
        for part in wanted.split()
    )


def _remembered(response: HttpResponse, section: Section) -> HttpResponse:
    limits.remember(response, section.code)
    patch_cache_control(response, private=True, no_cache=True)
    return response
