"""Access to a section by permission in its club; for users without it, the section does not exist."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse

from bridgebuddy.clubs.access import reader_may
from bridgebuddy.clubs.club_locale import use_club_formats
from bridgebuddy.clubs.models import Club
from bridgebuddy.clubs.rules import RUN_SESSIONS, SCORE
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.sessions.sections import (
    deleted_section,
    section_by_code,
    section_of_former_code,
)
from bridgebuddy.events.queries.snapshot import read_snapshot
from bridgebuddy.web.sign_in import NotSignedIn


class SessionDeleted(Exception):
    """Raised if the section's session was deleted recently, so that its pages offer to restore it."""

    def __init__(self, club: Club) -> None:
        self.club = club
        super().__init__(club.pk)


class CodeRenewed(Exception):
    """Raised if the code in the address is a section's former one, to redirect its directors to the new one."""

    def __init__(self, section: Section) -> None:
        self.section = section
        super().__init__(section.pk)


def section_for_director(request: HttpRequest, code: str, *, may: str = RUN_SESSIONS) -> Section:
    """Return the section with this code for a user with the permission `may` in its club.

    Raises `NotSignedIn`, whatever the code, `SessionDeleted`, and `Http404` for all other users.
    """
    section = deleted_section_for_director(request, code, may=may)
    if section.session.deleted_at is not None:
        raise SessionDeleted(section.club)
    return section


def section_for_scorer(request: HttpRequest, code: str) -> Section:
    """Return a section whose results the user may correct, as `section_for_director` does."""
    return section_for_director(request, code, may=SCORE)


def deleted_section_for_director(
    request: HttpRequest, code: str, *, may: str = RUN_SESSIONS
) -> Section:
    """Return a section as `section_for_director` does, also one whose session was deleted recently."""
    if not request.user.is_authenticated:
        raise NotSignedIn()
    section = section_by_code(code) or deleted_section(code)
    renewed = section_of_former_code(code) if section is None else None
    deleted = section or renewed
    if deleted is None or not reader_may(request, may, deleted.club):
        raise Http404("no such section")
    if renewed:
        raise CodeRenewed(renewed)
    use_club_formats(deleted.club)
    return deleted


@contextmanager
def one_snapshot(request: HttpRequest) -> Iterator[None]:
    """Run the block in one read transaction that begins with the section, so that a page shows one state of the data.

    The user is loaded before, because a changed password deletes their login session, which is a write.
    """
    _ = request.user.is_authenticated
    with read_snapshot():
        yield


def read_in_one_snapshot(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a read-only view so that all its queries see one state of the database."""

    @wraps(view)
    def page_in_snapshot(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Answer a request inside one snapshot of the database."""
        with one_snapshot(request):
            return view(request, *args, **kwargs)

    return page_in_snapshot
