"""Who gets at a section: its club's directors, and to everybody else who is signed in it does not exist."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.sections import section_by_code
from bridgebuddy.signing_in import NotSignedIn


def section_for_director(request: HttpRequest, code: str) -> Section:
    """Return the section of a code to a director of its club.

    Raises `NotSignedIn`, whatever the code, and 404 to anybody else.
    """
    if not request.user.is_authenticated:
        raise NotSignedIn()
    section = section_by_code(code)
    if section is None or not request.user.has_perm("clubs.direct", section.club):
        raise Http404("no such section")
    return section
