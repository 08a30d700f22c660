"""Who gets at a players' page: everybody who has the code."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from bridgebuddy.events.models import CODE_LENGTH, Section
from bridgebuddy.events.queries.sections import section_by_code
from bridgebuddy.language import speak, wanted_language

from . import limits
from .forms import CodeForm, clean_code

UNCHANGED, NOT_FOUND, TOO_MANY_TRIES = 204, 404, 429


def players_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Turn the code in the address into a section, for whoever has it.

    Wrong codes are counted and answered with the form for the code. A poll that shows the current
    version never comes here: see `middleware.unchanged_polls`.
    """

    @require_safe
    @wraps(view)
    def page(request: HttpRequest, code: str, **rest: str) -> HttpResponse:
        section = find_section(request, code)
        if isinstance(section, HttpResponse):
            return private(section)
        if not wanted_language(request):
            speak(request, section.club.language)
        response = view(request, section, **rest)
        if not limits.knows(request, section.code):
            limits.remember(request, response, section.code)
        return private(response)

    return page


def find_section(request: HttpRequest, typed: str) -> Section | HttpResponse:
    """Return the section of a code, or the page that says why not.

    An address that tried too many wrong codes learns nothing more, not even that one is right.
    """
    code = clean_code(typed)
    is_known = limits.knows(request, code)
    if not is_known and limits.is_locked_out(request):
        answer = render(request, "429.html", status=TOO_MANY_TRIES)
        answer.headers["Retry-After"] = str(limits.WITHIN)
        return answer
    section = section_by_code(code) if len(code) == CODE_LENGTH else None
    if section is None:
        if not is_known:  # a phone whose session is gone goes on asking; that is no guess
            limits.count_wrong_code(request)
        return wrong_code(request, typed)
    return section


def wrong_code(request: HttpRequest, typed: str) -> HttpResponse:
    """Say what is wrong with a code, beside the field where it can be typed again."""
    form = CodeForm({"code": typed.replace("\x00", "?")})
    if form.is_valid():
        form.refuse()
    return render(request, "players/code.html", {"form": form}, status=NOT_FOUND)


def private(response: HttpResponse) -> HttpResponse:
    """Let only the phone itself keep an answer, and ask before it shows it again."""
    patch_cache_control(response, private=True, no_cache=True)
    return response
