"""Access to the players' pages by a session's code."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render, resolve_url
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRedirect

from bridgebuddy.clubs.club_locale import use_club_formats, use_reader_language
from bridgebuddy.events import code_limits as limits
from bridgebuddy.events.access import one_snapshot
from bridgebuddy.events.code_limits import clean_code
from bridgebuddy.events.models import CODE_LENGTH, Section
from bridgebuddy.events.queries.sessions.sections import (
    deleted_section,
    section_by_code,
    sections_of_session,
)
from bridgebuddy.web.http import compact_page, mark_private

from .forms import CodeForm

UNCHANGED, NOT_FOUND, GONE = 204, 404, 410


def players_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator for players' pages: find the section by the code in the address, or show why it cannot be opened.

    Wrong codes are counted and answered with the code form. Polls of the current version are
    answered earlier, in `middleware.answer_unchanged_polls`.
    """

    @require_safe
    @wraps(view)
    def guarded_page(request: HttpRequest, code: str, **rest: str) -> HttpResponse:
        """Answer a player's request; show the reason if the code is wrong, ended or deleted."""
        return mark_private(
            _locked_out_response(request, code)
            or shown(request, code, **rest)
            or _ended_code_page(request, code)
            or _deleted_session_page(request, code)
            or _wrong_guess_response(request, code)
        )

    def shown(request: HttpRequest, code: str, **rest: str) -> HttpResponse | None:
        """Return the page, or None if no section has the code."""
        with one_snapshot(request):
            section = _open_section_of(request, code)
            if section is None:
                return None
            use_reader_language(request, section.club)
            response = compact_page(view(request, section, **rest))
            if not limits.has_opened_before(request, section.code):
                limits.remember_codes(request, response, *_codes_to_open(section))
        return response

    return guarded_page


def _codes_to_open(section: Section) -> list[str]:
    """Return the codes that a phone may open freely after one of them: those of all sections of the session."""
    if not section.letter:
        return [section.code]
    others = [
        other_section.code
        for other_section in sections_of_session(section)
        if other_section.pk != section.pk
    ]
    return [section.code, *others]


def find_section(request: HttpRequest, code: str) -> Section | HttpResponse:
    """Return the section of a typed code, or the page that says why it cannot be opened."""
    return (
        _locked_out_response(request, code)
        or _open_section_of(request, code)
        or _ended_code_page(request, code)
        or _deleted_session_page(request, code)
        or _wrong_guess_response(request, code)
    )


def _locked_out_response(request: HttpRequest, code: str) -> HttpResponse | None:
    """Return the refusal for a network that has tried too many wrong codes; None for others.

    The answer does not reveal whether this code is right.
    """
    if limits.has_opened_before(request, clean_code(code)) or not limits.is_locked_out(request):
        return None
    return limits.too_many_tries(request)


def _section_of(typed_code: str) -> Section | None:
    """Return the section with a typed code, and use its club's language and formats; None if there is none."""
    code = clean_code(typed_code)
    section = section_by_code(code) if len(code) == CODE_LENGTH else None
    if section is not None:
        use_club_formats(section.club)
    return section


def _open_section_of(request: HttpRequest, code: str) -> Section | None:
    """Return the section with a typed code if the code has not expired; for directors and helpers always."""
    section = _section_of(code)
    if section is None or not section.has_code_ended:
        return section
    return section if request.user.has_perm("clubs.help", section.club) else None


def _ended_code_page(request: HttpRequest, code: str) -> HttpResponse | None:
    """Return the page for an expired code, without naming its session; None if the code is not expired.

    A code unknown to this phone counts as a wrong try.
    """
    section = _section_of(code)
    if section is None:
        return None
    if not limits.has_opened_before(request, section.code) and limits.count_wrong_code(
        request, section.code
    ):
        return limits.too_many_tries(request)
    if getattr(request, "htmx", False):
        return HttpResponseClientRedirect(resolve_url("lookup", code=section.code))
    use_reader_language(request, section.club)
    return render(request, "players/ended.html", status=GONE)


def _deleted_session_page(request: HttpRequest, code: str) -> HttpResponse | None:
    """Return the page for the code of a deleted session; a phone that polls is redirected there."""
    section = deleted_section(clean_code(code))
    if section is None:
        return None
    if getattr(request, "htmx", False):
        return HttpResponseClientRedirect(resolve_url("lookup", code=section.code))
    use_reader_language(request, section.club)
    context = {"session": section.session}
    return render(request, "players/deleted.html", context, status=NOT_FOUND)


def _wrong_guess_response(request: HttpRequest, typed_code: str) -> HttpResponse:
    """Return the form for codes after a wrong code, which counts as a try unless this phone knew the code."""
    code = clean_code(typed_code)
    if not limits.has_opened_before(request, code) and limits.count_wrong_code(request, code):
        return limits.too_many_tries(request)
    return wrong_code(request, typed_code)


def wrong_code(request: HttpRequest, code: str) -> HttpResponse:
    """Return the form for codes with the error in the typed code."""
    form = CodeForm({"code": code.replace("\x00", "?")})
    if form.is_valid():
        form.add_unknown_code()
    return render(request, "players/code.html", {"form": form}, status=NOT_FOUND)
