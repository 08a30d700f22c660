"""Who gets at a section: its club's directors, and to everybody else who is signed in it does not exist."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.sections import deleted_section, section_by_code
from bridgebuddy.events.queries.snapshot import snapshot
from bridgebuddy.signing_in import NotSignedIn


def section_for_director(request: HttpRequest, code: str) -> Section:
    """Return the section of a code to a director of its club.

    Raises `NotSignedIn`, whatever the code, and 404 to anybody else.
    """
    return _for_director(request, code, section_by_code)


def deleted_section_for_director(request: HttpRequest, code: str) -> Section:
    """Return a section as `section_for_director` does, also one whose session was deleted."""
    return _for_director(request, code, lambda code: deleted_section(code) or section_by_code(code))


def _for_director(
    request: HttpRequest, code: str, find: Callable[[str], Section | None]
) -> Section:
    if not request.user.is_authenticated:
        raise NotSignedIn()
    section = find(code)
    if section is None or not request.user.has_perm("clubs.direct", section.club):
        raise Http404("no such section")
    return section


@contextmanager
def one_moment(request: HttpRequest) -> Iterator[None]:
    """Read what a page shows, its section first, in one snapshot.

    Who asks is looked up before: where their password is another one by now, that deletes the session.
    """
    _ = request.user.is_authenticated
    with snapshot():
        yield


def of_one_moment(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let a view that changes nothing read and render in one snapshot."""

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        with one_moment(request):
            return view(request, *args, **kwargs)

    return page
