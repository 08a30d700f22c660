"""A club's public page: next sessions, published results, archive and players.

It is off until the club turns it on. Names are those that people make public
(`clubs/people/public_names.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import wraps

from csp.decorators import csp_replace
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.dates import MONTHS as MONTH_NAMES
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_http_methods, require_safe

from bridgebuddy import __version__
from bridgebuddy.clubs.club_locale import use_club_formats, use_reader_language
from bridgebuddy.clubs.people.public_names import use_public_names
from bridgebuddy.clubs.sign_in.limits import AttemptLimit
from bridgebuddy.operations.local_network import phone_base
from bridgebuddy.publication.feeds import CalendarItem, FeedItem, atom_feed, calendar_file
from bridgebuddy.publication.mails.result_mail import session_plan_texts
from bridgebuddy.publication.models import ClubPage
from bridgebuddy.publication.queries import (
    FEED,
    LATEST,
    MONTHS,
    MOST,
    PublicPlayerSearch,
    PublishedSession,
    next_sessions,
    published_championships,
    published_months,
    published_sessions,
    sessions_with_winners,
)
from bridgebuddy.registration.models import LONGEST_NAME
from bridgebuddy.registration.registrations import open_sessions
from bridgebuddy.web.http import mark_private
from bridgebuddy.web.template_tags import long_date

from .typed import store_typed_names

LONGEST_SEARCH = 80
MOST_COMING = 200
#: typed names: enough for a family on one connection, but not for a program
TYPED = AttemptLimit("names typed on a club's page", 10, 600)
#: the minutes for which caches keep an embedded page or a feed
MINUTES = 5


def with_club_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator that finds the club's public page by its address for a read-only view; 404 if it is off."""
    return require_safe(_with_club_page(view))


def find_club_page(address: str) -> ClubPage:
    """Return the public page of the club with this address. Raises `Http404` if it is off."""
    on = ClubPage.objects.filter(is_on=True, club__trial_until=None, address=address)
    active_page = on.select_related("club").first()
    if active_page is None:
        raise Http404("no such page")
    return active_page


def _with_club_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Return a view that gets the public page of a club and reads people with public names."""

    @wraps(view)
    def guarded_page(request: HttpRequest, address: str, **rest: object) -> HttpResponse:
        """Answer with public names, and the formats and language of the club."""
        active_page = find_club_page(address)
        use_club_formats(active_page.club)
        use_reader_language(request, active_page.club)
        with use_public_names(active_page.club):
            response = view(request, active_page, **rest)
        if not active_page.is_indexed:
            response["X-Robots-Tag"] = "noindex"
        return response

    return guarded_page


def rendered_in_club_language(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator for a view of a file for programs: it is always in the club's language."""

    @wraps(view)
    def file_in_club_language(request: HttpRequest, page: ClubPage) -> HttpResponse:
        """Return the view's file in the language of the club."""
        language = page.club.language or settings.LANGUAGE_CODE
        with translation.override(language):
            response = view(request, page)
        response.headers["Content-Language"] = language
        return response

    return file_in_club_language


@with_club_page
def club_page(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """Show the public page of a club with its latest and coming sessions."""
    every = published_months(page.club)
    years = sorted({month.first.year for month in every[MONTHS:]}, reverse=True)
    context = {
        "page": page,
        "club": page.club,
        "latest": sessions_with_winners(published_sessions(page.club)[:LATEST]),
        "coming": next_sessions(page.club),
        "takes_names": True,
        "season": published_championships(page.club),
        "months": every[:MONTHS],
        "years": years,
    }
    return render(request, "players/club/page.html", context)


@require_http_methods(["GET", "POST"])
@_with_club_page
def club_registration(request: HttpRequest, page: ClubPage, session: int) -> HttpResponse:
    """Store the names of players who register on the club's public page; a director confirms them.

    The page does not reveal registrations or the roster.
    """
    upcoming = next(
        (open_session for open_session in open_sessions(page.club) if open_session.pk == session),
        None,
    )
    context: dict[str, object] = {"page": page, "club": page.club, "longest": LONGEST_NAME}
    context["session"] = upcoming
    if upcoming is None:
        context["is_closed"] = True
    elif request.method == "POST":
        typed = store_typed_names(request, upcoming, TYPED)
        context |= {"name": typed.name, "partner": typed.partner, "problem": typed.problem}
        context["is_taken"] = not typed.problem
    answer = render(
        request, "players/club/come.html", context, status=422 if context.get("problem") else 200
    )
    answer["X-Robots-Tag"] = "noindex"
    return mark_private(answer)


@with_club_page
def club_year(
    request: HttpRequest, page: ClubPage, year: int, month: int | None = None
) -> HttpResponse:
    """Show the months in which sessions were played in a year, with the published sessions of one month."""
    listed_months = [listed for listed in published_months(page.club) if listed.first.year == year]
    opened = next((listed for listed in listed_months if listed.first.month == month), None)
    if not listed_months or (month is not None and opened is None):
        raise Http404("nothing was played")
    context = {"page": page, "club": page.club, "year": year, "months": listed_months}
    if opened:
        after = (opened.first + timedelta(days=31)).replace(day=1)
        of_month = published_sessions(page.club).filter(date__gte=opened.first, date__lt=after)
        context["opened"] = opened
        context["found"] = sessions_with_winners(of_month[:MOST])
        context["title"] = f"{MONTH_NAMES[opened.first.month]} {year}"
    return render(request, "players/club/year.html", context)


@with_club_page
def club_players(request: HttpRequest, page: ClubPage, person: int | None = None) -> HttpResponse:
    """Search the players with public names, and show one player's published results."""
    typed = request.GET.get("q", "").replace("\0", "").strip()[:LONGEST_SEARCH]
    finder = PublicPlayerSearch(page.club)
    context: dict[str, object] = {"page": page, "club": page.club, "typed": typed}
    if person is None:
        context["people"] = finder.people(typed)
    else:
        named_person = finder.person(person)
        if named_person is None:
            raise Http404("nobody is found under this name")
        context |= {"who": named_person, "found": finder.results(named_person)}
    return render(request, "players/club/players.html", context)


@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})
@with_club_page
def club_embedded(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """Show the latest and coming sessions for a frame on the club's own website."""
    context = {
        "page": page,
        "club": page.club,
        "latest": sessions_with_winners(published_sessions(page.club)[:LATEST]),
        "coming": next_sessions(page.club),
    }
    return _allow_caching(render(request, "players/club/embedded.html", context))


@with_club_page
@rendered_in_club_language
def club_feed(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """Send the latest published sessions as an Atom feed."""
    base = phone_base(request)
    home = base + reverse("club-page", args=[page.address])
    news = [
        _feed_item(base, news_item)
        for news_item in sessions_with_winners(published_sessions(page.club)[:FEED])
    ]
    feed = atom_feed(page.club.name, home, base + request.path, news, str(get_language()))
    return _allow_caching(HttpResponse(feed, content_type="application/atom+xml"))


def _feed_item(base: str, published: PublishedSession) -> FeedItem:
    """Return a published session as an item of the Atom feed."""
    session = published.session
    winners = ", ".join(published.winners)
    return FeedItem(
        base + reverse("public-results", args=[published.token]),
        f"{session.event.name}, {long_date(session.date)}",
        _("Winners: %(contestants)s") % {"contestants": winners} if winners else "",
        published.updated_at,
    )


@with_club_page
@rendered_in_club_language
def club_calendar(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """Send the coming sessions as a calendar file."""
    host = request.get_host().partition(":")[0]
    dates = [
        CalendarItem(
            f"session-{session_date.pk}@{host}",
            session_date.event.name,
            session_date.planned_start,
            session_date.planned_start
            + timedelta(minutes=session_date.most_boards * session_date.minutes_per_board),
            place=page.words,
            facts=", ".join(session_plan_texts(session_date)),
        )
        for session_date in next_sessions(page.club, MOST_COMING)
    ]
    now: datetime = timezone.now().astimezone(UTC)
    text = calendar_file(page.club.name, __version__, dates, now)
    return _allow_caching(HttpResponse(text, content_type="text/calendar; charset=utf-8"))


def _allow_caching(response: HttpResponse) -> HttpResponse:
    """Allow caches to keep a response for some minutes; it is the same for all readers of a language."""
    response["Cache-Control"] = f"public, max-age={60 * MINUTES}"
    return response
