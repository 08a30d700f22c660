"""The page for arrivals: two taps tell the director that a pair is present."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from bridgebuddy.clubs.club_locale import speak_as
from bridgebuddy.clubs.limits import AttemptLimit
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section, Session
from bridgebuddy.registration.door import at_door, chosen_people, is_door_open, is_key, key_of
from bridgebuddy.registration.models import LONGEST_NAME
from bridgebuddy.registration.registering import come_in
from bridgebuddy.web.http import mark_private, read_number

from .access import NOT_FOUND, find_section, players_page
from .typed import store_typed_names

#: names of guests: enough for a whole club on one connection, but not for a program
TYPED = AttemptLimit("names typed at the door", 60, 3600)
REFUSED = 422
MOST_DIGITS = 15
IN = "in"


@players_page
def door(request: HttpRequest, section: Section, door_key: str) -> HttpResponse:
    """Ask arriving players for their names; unregistered players type theirs."""
    if not is_key(section.session, door_key):
        return _arrival_page(request, section, is_open=False, status=NOT_FOUND)
    return _arrival_page(request, section, is_open=is_door_open(section.session))


@require_POST
def through_door(request: HttpRequest, code: str, door_key: str) -> HttpResponse:
    """Store an arrival, or a name that the director confirms."""
    section = find_section(request, code)
    if isinstance(section, HttpResponse):
        return mark_private(section)
    speak_as(request, section.club)
    session = section.session
    if not is_key(session, door_key):
        return mark_private(_arrival_page(request, section, is_open=False, status=NOT_FOUND))
    is_open = is_door_open(session)
    problem = _store_arrival(request, session) if is_open else ""
    if problem:
        return mark_private(
            _arrival_page(request, section, is_open=True, problem=problem, status=REFUSED)
        )
    query = f"?{IN}=1" if is_open else ""
    return mark_private(redirect(reverse("door", args=[section.code, door_key]) + query))


def _arrival_page(
    request: HttpRequest,
    section: Section,
    *,
    is_open: bool,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    is_in = is_open and IN in request.GET
    context = {
        "section": section,
        "club": section.club,
        "address": is_open
        and reverse("through-door", args=[section.code, key_of(section.session)]),
        "is_open": is_open,
        "is_in": is_in,
        "everybody": at_door(section.session) if is_open and not is_in else [],
        "problem": problem,
        "name": request.POST.get("name", ""),
        "partner": request.POST.get("partner", ""),
        "longest": LONGEST_NAME,
    }
    return render(request, "players/door.html", context, status=status)


def _store_arrival(request: HttpRequest, session: Session) -> str:
    """Store the arrival; return an error message, or an empty string."""
    try:
        if request.POST.get("do") == "guest":
            return store_typed_names(request, session, TYPED).problem
        sent = (read_number(number, MOST_DIGITS) for number in request.POST.getlist("person"))
        people = chosen_people(at_door(session), [number for number in sent if number is not None])
        if not people:
            return _("Who are you? Tap your names, or type them below.")
        come_in(session, people)
    except ChangeRefused:
        return _("Entries are closed. Ask the director.")
    return ""
