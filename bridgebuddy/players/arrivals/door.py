"""The page for arrivals: one tap tells the director that a pair is present.

It opens on a player's phone by the code at the entrance, or stays open on the club's tablet. On the
tablet it returns to the names by itself, and only the director's code leads away from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from secrets import token_urlsafe
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from bridgebuddy.clubs.club_locale import use_reader_language
from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.people.names import joined_names
from bridgebuddy.clubs.sign_in.device_lock import is_locked, unlock_device
from bridgebuddy.clubs.sign_in.limits import AttemptLimit
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section, Session
from bridgebuddy.planning.calendar import session_plan_input
from bridgebuddy.registration.door import (
    arrivals_at_door,
    chosen_people,
    entrance_key,
    is_door_key,
    is_door_open,
    recently_arrived_people,
)
from bridgebuddy.registration.models import LONGEST_NAME
from bridgebuddy.registration.registering import record_arrivals
from bridgebuddy.web.http import mark_private, read_number

from ..access import NOT_FOUND, find_section, players_page
from ..typed import store_typed_names
from .door_money import UNPAID, WAYS, door_payment, pay_at_door

#: names of guests: enough for a whole club on one connection, but not for a program
TYPED = AttemptLimit("names typed at the door", 60, 3600)
REFUSED = 422
MOST_DIGITS = 15
HERE, GUEST, WELCOME = "here", "guest", "welcome"
#: the tablet returns to the names after this many seconds; the names are read again as often
RETURNS_AFTER, READ_AGAIN = 10, 30


@players_page
def show_door(request: HttpRequest, section: Section, door_key: str) -> HttpResponse:
    """Show the arrival page at the entrance: players tap their names, and guests type theirs."""
    if not is_door_key(section.session, door_key):
        return _arrival_page(request, section, is_open=False, status=NOT_FOUND)
    return _arrival_page(request, section, is_open=is_door_open(section.session))


@require_POST
def store_arrival(request: HttpRequest, code: str, door_key: str) -> HttpResponse:
    """Store that players have arrived, or the names of guests for the director to confirm."""
    section = find_section(request, code)
    if isinstance(section, HttpResponse):
        return mark_private(section)
    use_reader_language(request, section.club)
    session = section.session
    if not is_door_key(session, door_key):
        return mark_private(_arrival_page(request, section, is_open=False, status=NOT_FOUND))
    address = reverse("door", args=[section.code, door_key])
    if not is_door_open(session):
        return mark_private(redirect(address))
    then, problem = _store_arrival(request, session)
    if problem:
        return mark_private(
            _arrival_page(request, section, is_open=True, problem=problem, status=REFUSED)
        )
    return mark_private(redirect(address + then))


@require_http_methods(["GET", "POST"])
def leave_door(request: HttpRequest, code: str, door_key: str) -> HttpResponse:
    """Unlock the tablet at the entrance with the director's code, and return to the registrations."""
    section = find_section(request, code)
    if isinstance(section, HttpResponse):
        return mark_private(section)
    use_reader_language(request, section.club)
    back = redirect("who-comes", code=section.code)
    if not is_locked(request):
        return mark_private(back)  # asks to sign in
    problem = ""
    if request.method == "POST":
        if unlock_device(request, request.POST.get("code", "").strip()[:MOST_DIGITS]):
            return mark_private(back)
        if not is_locked(request):
            return mark_private(back)
        problem = _("This is not the code.")
    context = {
        "section": section,
        "club": section.club,
        "problem": problem,
        "names": reverse("door", args=[section.code, door_key]),
    }
    status = REFUSED if problem else 200
    return mark_private(render(request, "players/door/leave.html", context, status=status))


def _arrival_page(
    request: HttpRequest,
    section: Section,
    *,
    is_open: bool,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    """Return the page on which players report their own arrival."""
    key = entrance_key(section.session)
    context = {
        "section": section,
        "club": section.club,
        "is_open": is_open,
        "is_tablet": is_locked(request),
        "leave": reverse("leave-door", args=[section.code, key]),
        "problem": problem,
    }
    template = "closed"
    if is_open:
        context |= {
            "names": reverse("door", args=[section.code, key]),
            "address": reverse("through-door", args=[section.code, key]),
            "returns_after": RETURNS_AFTER,
        }
        template = _shown_step(request, problem)
        context |= STEPS[template](request, section)
    return render(request, f"players/door/{template}.html", context, status=status)


def _shown_step(request: HttpRequest, problem: str) -> str:
    """Return "names", "guest" or "welcome": the step of the arrival page that is shown."""
    if request.POST.get("do") == GUEST or (not problem and GUEST in request.GET):
        return "guest"
    if not problem and (HERE in request.GET or WELCOME in request.GET):
        return "welcome"
    return "names"


def _names_context(request: HttpRequest, section: Section) -> dict[str, Any]:
    """Return the template context of the list of registered names on the arrival page."""
    lines = arrivals_at_door(section.session)
    return {
        "missing": [line for line in lines if line.missing],
        "here": [line for line in lines if not line.missing],
        "count": len(lines),
        "read_again": READ_AGAIN,
    }


def _guest_context(request: HttpRequest, section: Section) -> dict[str, Any]:
    """Return the template context of the form for guests on the arrival page."""
    return {
        "name": request.POST.get("name", ""),
        "partner": request.POST.get("partner", ""),
        "longest": LONGEST_NAME,
    }


def _welcome_context(request: HttpRequest, section: Section) -> dict[str, Any]:
    """Return the template context of the welcome after an arrival, with what is to be paid."""
    session = section.session
    keys = _keys_of_text(request.GET.get(HERE, ""))
    line = next((line for line in arrivals_at_door(session) if line.includes_any(keys)), None)
    there = [] if line is None else [person for person in line.people if person not in line.missing]
    tapped = [person for person in there if person.pk in keys]
    return {
        "line": line,
        "there": joined_names([person.name for person in there]),
        "tapped": tapped,
        "tapped_keys": _joined_keys(tapped),
        "price": session_plan_input(session).price,
        "payment": door_payment(request, session, tapped),
        "refused": request.GET.get("money", ""),
        "key": token_urlsafe(9),
    }


STEPS = {"names": _names_context, "guest": _guest_context, "welcome": _welcome_context}


def _keys_of_text(text: str) -> list[int]:
    """Return the primary keys of people in an address: "12-13"."""
    numbers = (read_number(part, MOST_DIGITS) for part in text.split("-")[:2])
    return [number for number in numbers if number is not None]


def _store_arrival(request: HttpRequest, session: Session) -> tuple[str, str]:
    """Store an arrival; return the query string of the next page, and an error message."""
    do = request.POST.get("do")
    try:
        if do == GUEST:
            return f"?{WELCOME}=1", store_typed_names(request, session, TYPED).problem
        keys = _keys_of_text(request.POST.get("people", ""))
        people = chosen_people(arrivals_at_door(session), keys)
        if not people:
            return "", _("Tap your name in the list.")
        key = request.POST.get("key", "")
        if do in (*WAYS, UNPAID):
            refused = pay_at_door(request, session, people, do, key)
            return _arrived_query(people) + (f"&money={refused}" if refused else ""), ""
        if do in ("only", "undo"):
            stays = request.POST.get("stays", "")
            pay_at_door(request, session, _people_except(people, stays), UNPAID, key)
            return _take_back(session, people, stays), ""
        record_arrivals(session, people)
    except ChangeRefused:
        return "", _("Entries are closed. Ask the director.")
    return _arrived_query(people), ""


def _take_back(session: Session, people: Sequence[Person], excluded_key: str) -> str:
    """Cancel arrivals reported minutes ago, except one person's; return the query string of those who stay."""
    back = _people_except(people, excluded_key)
    record_arrivals(session, recently_arrived_people(session, back), is_here=False)
    left = [person for person in people if person not in back]
    return _arrived_query(left) if left else ""


def _people_except(people: Sequence[Person], excluded_key: str) -> list[Person]:
    """Return the people without the person whose primary key is `excluded_key`."""
    return [person for person in people if str(person.pk) != excluded_key]


def _arrived_query(people: Sequence[Person]) -> str:
    """Return the query string that names the people who have just arrived."""
    return f"?{HERE}={_joined_keys(people)}"


def _joined_keys(people: Sequence[Person]) -> str:
    """Return the primary keys of people as a text: "12-13"."""
    return "-".join(str(person.pk) for person in people)
