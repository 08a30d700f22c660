"""The home page: the club's sessions, or an introduction for visitors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django.views.decorators.http import require_safe

from bridgebuddy.clubs.club_locale import use_club_formats
from bridgebuddy.clubs.models import Club, User
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.clubs.rules import rights_of
from bridgebuddy.clubs.upkeep import ServerTroubles
from bridgebuddy.events.access import read_in_one_snapshot
from bridgebuddy.events.models import Session
from bridgebuddy.events.queries.sessions.club_sessions import (
    WEEK,
    current_sessions,
    earlier_sessions,
    find_sessions,
    listed_sessions,
    session_to_repeat,
    sessions_on_day,
)
from bridgebuddy.events.queries.states import row_values
from bridgebuddy.events.services.lifecycle.deletions import has_expired_data, purge_expired_sessions
from bridgebuddy.planning.models import Series
from bridgebuddy.planning.series import series_of_club
from bridgebuddy.registration.registrations import registered_pair_counts
from movements.engine import catalogue

from ..wording import registered_pairs_text
from .calendar import CalendarMonth, requested_day, requested_month
from .cards import PastCard, SessionCard, past_cards, session_cards
from .home_cache import (
    CachedHome,
    cached_home_content,
    home_content,
    insert_csrf_token,
    valid_until,
)
from .live_results import live_session
from .pictures import picture_files
from .series_pages.series_forms import series_with_titles

ON_A_PAGE = 4
#: the page of the coming weeks shows the later ones
MOST_COMING, MOST_BESIDE_SEVERAL = 4, 3
LONGEST_SEARCH = 60


@require_safe
def home(request: UserRequest) -> HttpResponse:
    """Show a club's current, coming and past sessions; show an introduction to visitors."""
    if not request.user.is_authenticated:
        families = len(catalogue.FAMILIES)
        context = {
            "tab": "home",
            "families": families,
            "trials": settings.TRIALS,
            "pictures": picture_files(),
            "live": live_session(),
        }
        return render(request, "director/welcome.html", context)
    if has_expired_data():  # expired data are removed without a reminder
        purge_expired_sessions()
    return _sessions_page(request)


@read_in_one_snapshot
def _sessions_page(request: UserRequest) -> HttpResponse:
    """Render the club's home page with its sessions."""
    every = own_clubs(request.user)
    clubs = [club for club in every if club.rights.run_sessions]
    if not every:
        return redirect("new-club")
    if not clubs:
        return redirect("member-home", pk=chosen_club(request, every).pk)
    club = chosen_club(request, clubs)
    use_club_formats(club)
    server = None if club.is_shown_to_helper else ServerTroubles.current()
    registered = registered_pair_counts(club)
    page = _HomePage(request, clubs, club, server, registered)
    html = None
    if set(request.GET) <= {"club"}:
        of_series = [(row.event.name, vars(row)["count"], row_values(row)) for row in page.series]
        others = (server, sorted(registered.items()), of_series)
        html = cached_home_content(request, clubs, club, others, page.cached_page)
    shown = insert_csrf_token(html or home_content(page.context), request)
    return render(request, "director/home.html", {"tab": "home", "club": club, "content": shown})


class _HomePage:
    """The contents of a club's home page, read on demand."""

    def __init__(
        self,
        request: UserRequest,
        clubs: list[Club],
        club: Club,
        server: ServerTroubles | None,
        registered: Mapping[int, int],
    ) -> None:
        self._request, self._clubs, self._club, self._server = request, clubs, club, server
        self._registered = registered
        self._asked = timezone.now()

    def cached_page(self) -> CachedHome | None:
        """Return the rendered page from the cache; None for a page that cannot be cached."""
        found = self.context["found"]
        here = [card.listed for card in found if isinstance(card, SessionCard)]
        if self.context["is_empty"] or len(here) < len(found):
            return None
        until = valid_until(self._asked, self.context["now"], here)
        return CachedHome(home_content(self.context), self._asked, until)

    @cached_property
    def series(self) -> list[Series]:
        """Return the series with sessions to come; none for a helper, who may not change them."""
        return [] if self._club.is_shown_to_helper else series_of_club(self._club)

    @cached_property
    def context(self) -> dict[str, Any]:
        """Return the template context."""
        request, clubs, club = self._request, self._clubs, self._club
        typed = request.GET.get("q", "").replace("\0", "").strip()[:LONGEST_SEARCH]
        day = requested_day(request.GET.get("day", ""))
        is_asked = bool(typed or day)
        found = Paginator(_searched_sessions(club, typed, day), ON_A_PAGE)
        page = found.get_page(request.GET.get("page"))
        page.object_list = list(page)
        again = session_to_repeat(club)
        now = current_sessions(club, *page, *([again] if again else ()))
        for rehearsal in (*now.tonight, *now.coming, *now.rehearsals, *now.deleted):
            rehearsal.session.event.club = club
        main = now.tonight or now.coming[:1]
        most = MOST_COMING if len(main) <= 1 else MOST_BESIDE_SEVERAL
        later = [card_now for card_now in now.coming if card_now not in main]
        of_club = f"club={club.pk}&" if len(clubs) > 1 else ""
        asked = urlencode({"q": typed} if typed else {"day": day} if day else {})
        today = timezone.localdate()
        return {
            "club": club,
            "clubs": clubs,
            "now": now,
            "main": []
            if is_asked
            else _sort_published_last(session_cards(request, club, main, self._registered)),
            "coming": [
                (session, registered_pairs_text(self._registered.get(session.session.pk, 0)))
                for session in later[:most]
            ],
            "more_coming": len(later[most:]),
            "series": series_with_titles(self.series),
            "shows_month": bool(day or request.GET.get("month")),
            "month": CalendarMonth(
                club, requested_month(request.GET.get("month", ""), day or today)
            ),
            "typed": typed,
            "day": day,
            "is_asked": is_asked,
            "page": page,
            "found": _cards_of_page(request, club, page),
            "year": today.year,
            "of_club": of_club,
            "asked": f"{of_club}{asked}&" if asked else of_club,
            "earlier": found.count - page.end_index(),
            "again": again,
            "server": None if is_asked else self._server,
            "was_last_week": again is not None and again.date == today - WEEK,
            "is_empty": not (
                is_asked or now.tonight or now.coming or now.rehearsals or found.count
            ),
        }


def _sort_published_last(cards: Sequence[SessionCard]) -> list[SessionCard]:
    """Sort session cards so that sessions with published results come after those that still need work."""
    return sorted(cards, key=lambda card: card.next_action == "paper")


def _searched_sessions(club: Club, text: str, day: date | None) -> QuerySet[Session]:
    """Return the sessions that match a typed text or date; without them the past ones."""
    found = (
        find_sessions(club, text)
        if text
        else sessions_on_day(club, day)
        if day
        else earlier_sessions(club)
    )
    return found.select_related("event")


def _cards_of_page(
    request: HttpRequest, club: Club, page: Page[Session]
) -> list[SessionCard | PastCard]:
    """Return the session cards of a page of past sessions."""
    keys, here = [session.pk for session in page], listed_sessions(page)
    found: dict[int, SessionCard | PastCard] = {
        card.listed.session.pk: card for card in session_cards(request, club, here)
    }
    if others := [key for key in keys if key not in found]:
        found |= {card.past.session_id: card for card in past_cards(others)}
    return [found[key] for key in keys if key in found]


def directed_clubs(user: User) -> list[Club]:
    """Return the clubs whose sessions a user runs, as a director or a helper."""
    return [club for club in own_clubs(user) if club.rights.run_sessions]


def planned_clubs(user: User) -> list[Club]:
    """Return the clubs whose sessions a user plans, as a director, a helper or a secretary."""
    return [
        club for club in own_clubs(user) if club.rights.run_sessions or club.rights.keep_members
    ]


def own_clubs(user: User) -> list[Club]:
    """Return all clubs of a user with the user's rights, first those whose sessions they run. One query."""
    memberships = list(user.memberships.select_related("club").order_by("pk"))
    for membership in memberships:
        membership.club.rights = rights_of(membership)
    clubs = [membership.club for membership in memberships]
    return sorted(clubs, key=lambda club: not club.rights.run_sessions)


def create_club_first(user: User) -> HttpResponse:
    """Redirect a user without a club to the form for a new club.

    Raises `Http404` for a member, who runs no sessions and needs no club.
    """
    if own_clubs(user):
        raise Http404("runs no sessions")
    return redirect("new-club")


def home_address(club: Club) -> str:
    """Return the address of a club's home page."""
    return f"{resolve_url('home')}?club={club.pk}"


def chosen_club(request: HttpRequest, clubs: list[Club]) -> Club:
    """Return the club that the form or address names, else the first one of `clubs`."""
    wanted = request.POST.get("club") or request.GET.get("club")
    club = next((club for club in clubs if str(club.pk) == wanted), clubs[0])
    request.rights = club.rights  # type: ignore[attr-defined]  # for the links of the page
    return club
