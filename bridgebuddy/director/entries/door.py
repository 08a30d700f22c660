"""The QR code for arrivals at the entrance, on the screen and on paper."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import of_one_moment, section_for_director
from bridgebuddy.operations.local_network import phone_base
from bridgebuddy.registration.door import key_of
from bridgebuddy.registration.registrations import is_open
from bridgebuddy.web.qr_codes import qr_svg


@require_safe
@of_one_moment
def door_code(request: UserRequest, code: str) -> HttpResponse:
    """Show the code that arriving players scan; its address works on the session's day only."""
    section = section_for_director(request, code)
    session = section.session
    if not is_open(session):
        return redirect("who-comes", code=section.code)
    address = phone_base(request) + reverse("door", args=[section.code, key_of(session)])
    context = {"section": section, "tab": "entries", "qr": qr_svg(address), "leads_to": address}
    return render(request, "director/coming/door.html", context)
