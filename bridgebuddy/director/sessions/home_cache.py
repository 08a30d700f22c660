"""The cache of the home page: a club's rendered contents, until they change or expire.

They depend on the club, its sessions' counters, the reader's rights and language, and the clock.
The time until which they are valid is computed with them. Data of a single reader are inserted
afterwards.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any

from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from bridgebuddy.clubs.models import Club
from bridgebuddy.events.queries.sessions.club_sessions import LONGEST, CurrentSession, ListedSession
from bridgebuddy.events.queries.states import club_state
from bridgebuddy.operations.caching import cached
from movements.words.numbers import uses_hundreds

from .cards import PAPER, SOON

#: replaced by the reader's token in every form; random, so that no name can contain it
TOKEN = f"token-{secrets.token_hex(16)}"


@dataclass(frozen=True)
class CachedHome:
    """The rendered contents of a home page, and the period in which they are valid.

    It has a beginning as well, because a clock may be set back.
    """

    html: str
    since: datetime
    until: datetime


def home_content(context: dict[str, Any]) -> str:
    """Return the home page's contents rendered for all readers with the same rights."""
    return render_to_string("director/home_content.html", context | {"csrf_token": TOKEN})


def insert_csrf_token(html: str, request: HttpRequest) -> SafeString:
    """Return cached HTML with the reader's CSRF token in its forms."""
    return mark_safe(html.replace(TOKEN, get_token(request)))  # it was rendered as a template


def cached_home_content(
    request: HttpRequest,
    clubs: list[Club],
    club: Club,
    others: object,
    write: Callable[[], CachedHome | None],
) -> str | None:
    """Return the contents of the home page from the cache, or render them with `write`.

    `others` is any further state. Call it inside a snapshot, from which the counters are read.
    """
    papers = sorted(name for name in request.COOKIES if name.startswith(PAPER))
    rights = [(club.pk, club.name, club.rights) for club in clubs]
    key = ("home", club.pk, get_language(), uses_hundreds(), *rights)
    state = repr([club_state(club), papers, others])
    written, now = cached(key, state, write), timezone.now()
    if written and not written.since <= now < written.until:
        written = cached(key, f"{state} {now}", write)
    return written.html if written else None


def valid_until(
    request_time: datetime, current_session: CurrentSession, others: Iterable[ListedSession]
) -> datetime:
    """Return the next moment at which the home page changes by the passing of time alone, such as midnight."""
    tomorrow = timezone.localdate() + timedelta(days=1)
    moments = [timezone.make_aware(datetime.combine(tomorrow, time()))]
    listed = [
        *current_session.tonight,
        *current_session.coming,
        *current_session.rehearsals,
        *current_session.deleted,
        *others,
    ]
    for evening_card in listed:
        begun = (
            evening_card.running_section.round_started_at if evening_card.running_section else None
        )
        moments += [evening_card.session.planned_start - SOON]
        moments += [begun + LONGEST] if begun else []
        moments += filter(
            None, (evening_card.session.kept_until, evening_card.session.rehearsal_until)
        )
    return min(moment for moment in moments if moment > request_time)
