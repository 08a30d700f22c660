"""Who gets at a section: its club's directors, and to everybody else it does not exist."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.sections import section_by_code


def section_for_director(request: HttpRequest, code: str) -> Section:
    """Return the section of a code to a director of its club; raise 404 to anybody else."""
    section = section_by_code(code) if request.user.is_authenticated else None
    if section is None or not request.user.has_perm("clubs.direct", section.club):
        raise Http404("no such section")
    return section
