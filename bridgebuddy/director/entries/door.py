"""The QR code for arrivals at the entrance, on the screen and on paper."""

from __future__ import annotations

import re

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.clubs.sign_in.device_lock import lock_device, new_code
from bridgebuddy.events.access import section_for_director
from bridgebuddy.events.models import Section
from bridgebuddy.operations.local_network import phone_base
from bridgebuddy.registration.door import entrance_key
from bridgebuddy.registration.registrations import is_registration_open
from bridgebuddy.web.folds import redirect_with_part_open
from bridgebuddy.web.qr_codes import qr_svg

FOUR_DIGITS = re.compile(r"[0-9]{4}")


@require_safe
def door_code(request: UserRequest, code: str) -> HttpResponse:
    """Redirect the former address of the entrance's QR code to the registrations."""
    return redirect_with_part_open("door", "who-comes", section_for_director(request, code).code)


def door_context(request: UserRequest, section: Section) -> dict[str, str]:
    """Return the template context of the QR code at the entrance, which works on the session's day only."""
    address = phone_base(request) + reverse(
        "door", args=[section.code, entrance_key(section.session)]
    )
    return {"qr": qr_svg(address), "leads_to": address, "leave_code": new_code()}


@require_POST
def door_tablet(request: UserRequest, code: str) -> HttpResponse:
    """Lock this device as the tablet on which arriving players tap their names."""
    section = section_for_director(request, code)
    leave_code = request.POST.get("code", "")
    if not is_registration_open(section.session) or not FOUR_DIGITS.fullmatch(leave_code):
        messages.warning(request, _("Choose a code of four digits."))
        return redirect_with_part_open("door", "who-comes", section.code)
    lock_device(request, leave_code)
    return redirect("door", code=section.code, door_key=entrance_key(section.session))
