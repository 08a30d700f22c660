"""The changes that a phone's owner has read about, in a signed cookie on the phone.

A mark holds the keys of an entry and of the stored movement whose notice was read.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from bridgebuddy.events.code_limits import COOKIE_AGE, COOKIE_PATH

COOKIE = "read"
MOST_MARKS = 12


def last_read(request: HttpRequest, entry: int) -> int | None:
    """Return the key of the movement version that an entry last saw on this phone; None if it saw none."""
    return _marks_in_cookie(request).get(entry)


def mark_read(request: HttpRequest, response: HttpResponse, *, entry: int, movement: int) -> None:
    """Store on the phone that an entry has seen the notice about a version of the movement."""
    others = {
        entry_key: read
        for entry_key, read in _marks_in_cookie(request).items()
        if entry_key != entry
    }
    marks = list({entry: movement, **others}.items())[:MOST_MARKS]
    response.set_signed_cookie(
        COOKIE,
        "-".join(f"{entry_key}.{read}" for entry_key, read in marks),
        max_age=COOKIE_AGE,
        path=COOKIE_PATH,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


def _marks_in_cookie(request: HttpRequest) -> dict[int, int]:
    """Return the version of the movement that each entry has seen, from the cookie."""
    value = request.get_signed_cookie(COOKIE, "", max_age=COOKIE_AGE) or ""
    pairs = (mark.split(".") for mark in value.split("-") if mark)
    return {int(entry): int(movement) for entry, movement in pairs}
