"""Published championships, readable by their address, with public names."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from bridgebuddy.clubs.club_locale import use_club_formats, use_reader_language
from bridgebuddy.clubs.people.public_names import use_public_names
from bridgebuddy.scoring.models import TOKEN_LENGTH
from bridgebuddy.seasons.championship_views import ChampionshipView
from bridgebuddy.seasons.line_explanations import LineExplanation
from bridgebuddy.seasons.models import Championship
from bridgebuddy.seasons.queries.championships import ChampionshipTable
from bridgebuddy.web.http import mark_public

#: the most sessions with a column
COLUMNS = 6


def find_championship(token: str) -> Championship:
    """Return the published championship with a token. Raises `Http404`."""
    championships_read = Championship.objects.select_related("club", "event")
    is_token = token.isalnum() and len(token) == TOKEN_LENGTH
    stored = (
        championships_read.filter(token=token, published_at__isnull=False).first()
        if is_token
        else None
    )
    if stored is None:
        raise Http404("no such championship")
    return stored


def published_championship_view(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator that gives a view the championship with the token in the address, if it is published."""

    @require_safe
    @wraps(view)
    def published_page(request: HttpRequest, token: str, **rest: int) -> HttpResponse:
        """Answer a request for a published championship, with public names."""
        stored = find_championship(token)
        use_club_formats(stored.club)
        use_reader_language(request, stored.club)
        with use_public_names(stored.club):
            return mark_public(request, view(request, ChampionshipTable(stored), **rest))

    return published_page


@published_championship_view
def championship(
    request: HttpRequest, table: ChampionshipTable, number: int | None = None
) -> HttpResponse:
    """Show a championship's table; with `number`, also how that row was computed."""
    stored = table.championship
    context = {
        "championship": stored,
        "club": stored.club,
        "token": stored.token,
        "shown": ChampionshipView(table, COLUMNS),
    }
    if number is not None:
        whole = [*table.standings.lines, *table.standings.below]
        if not 0 < number <= len(whole):
            raise Http404("no such line")
        context["why"] = LineExplanation(table, whole[number - 1])
    return render(request, "players/championship.html", context)
