"""Views of a club's championships: list, form, table, and publication."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from bridgebuddy.clubs.access import club_for_secretary
from bridgebuddy.clubs.models import Club
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.scoring.words import number_text
from bridgebuddy.seasons.championship_views import LineExplanation, ShownTable
from bridgebuddy.seasons.models import Championship
from bridgebuddy.seasons.queries.championships import ChampionshipTable, session_counts, tables_of
from bridgebuddy.seasons.queries.final_lists import final_results
from bridgebuddy.seasons.queries.ledger import due_points, reported_totals
from bridgebuddy.seasons.services import championships as service
from bridgebuddy.web.http import MOST_DIGITS_OF_A_KEY, read_number

from .forms import BY_HAND, ChampionshipForm
from .ledger import last_of_month_before

REFUSED = 422
#: lines shown for each championship
FIRST = 3
#: the pairs of the example that stands for a championship before there is one
EXAMPLE = (("Anna", "Bernd", "58.40"), ("Clara", "David", "56.15"), ("Emma", "Franz", "55.90"))
#: the most sessions that can be ticked
TICKED = 120


@require_safe
def season(request: UserRequest, pk: int) -> HttpResponse:
    """Show a club's championships, the newest first, each with its leaders."""
    club = club_for_secretary(request, pk)
    championships = _championships_of(club)
    tables = [ShownTable(table) for table in tables_of(club, championships)]
    totals = reported_totals(club)
    context = {
        "club": club,
        "tab": "season",
        "championships": [(table, table.lines[:FIRST]) for table in tables],
        "ready": 0 if tables else len(final_results(club)),
        "example": [
            (place, f"{first} & {second}", number_text(Fraction(total), 2))
            for place, (first, second, total) in enumerate(EXAMPLE, start=1)
        ],
        "points": totals[:FIRST],
        "due": bool(due_points(club, last_of_month_before(club.today))),
    }
    return render(request, "director/season/season.html", context)


def _championships_of(club: Club) -> list[Championship]:
    return list(club.championships.select_related("club", "event"))


def championship_for_director(request: UserRequest, pk: int, championship: int) -> Championship:
    """Return a championship of a club for its director.

    Raises `Http404` for other users.
    """
    club = club_for_secretary(request, pk)
    stored = get_object_or_404(
        Championship.objects.select_related("event"), club=club, pk=championship
    )
    stored.club = club
    return stored


@require_http_methods(["GET", "POST"])
def new_championship(request: UserRequest, pk: int) -> HttpResponse:
    """Create a championship; preview its table while the form is filled in."""
    return _championship_form_page(request, club_for_secretary(request, pk), None)


@require_http_methods(["GET", "POST"])
def championship_rules(request: UserRequest, pk: int, championship: int) -> HttpResponse:
    """Change a championship's rules."""
    stored = championship_for_director(request, pk, championship)
    return _championship_form_page(request, stored.club, stored)


def _championship_form_page(
    request: UserRequest, club: Club, one: Championship | None
) -> HttpResponse:
    """Return the page with the form of a championship, or its preview."""
    lists = final_results(club)
    is_preview = request.headers.get("HX-Target") == "preview"
    sent = request.GET if is_preview else request.POST if request.method == "POST" else None
    form = ChampionshipForm(club, lists, sent, instance=one)
    if sent is not None and form.is_valid() and not is_preview:
        stored = service.store_championship(form.championship(), by=request.user, once=form.once)
        name = "championship-evenings" if form.cleaned_data["which"] == BY_HAND else "championship"
        return redirect(name, pk=club.pk, championship=stored.pk)
    context: dict[str, Any] = {
        "club": club,
        "tab": "season",
        "championship": one,
        "form": form,
        "preview": _preview_table(club, form, one),
    }
    template = "director/season/form.html"
    if is_preview:
        return render(request, f"{template}#preview", context)
    return render(request, template, context, status=REFUSED if form.errors else 200)


def _preview_table(
    club: Club, form: ChampionshipForm, one: Championship | None
) -> ShownTable | None:
    """Return the table for the form's values; None if they are invalid."""
    if form.is_bound:
        if not form.is_valid():
            return None
        preview = form.championship()
    else:
        preview = one or _first_championship(club, form)
    whole = Championship(**service.columns_of(preview))
    whole.pk, whole.club = None, club  # unsaved championships are not cached
    return ShownTable(ChampionshipTable(whole))


def _first_championship(club: Club, form: ChampionshipForm) -> Championship:
    """Return a championship with the initial values of the form."""
    first = dict(form.initial)
    which = first.pop("which")
    return Championship(club=club, weekday=int(which), **{k: v for k, v in first.items() if v})


@require_safe
def championship(request: UserRequest, pk: int, championship: int) -> HttpResponse:
    """Show a championship's table."""
    stored = championship_for_director(request, pk, championship)
    context = {
        "club": stored.club,
        "tab": "season",
        "championship": stored,
        "shown": ShownTable(ChampionshipTable(stored)),
        "public_address": request.build_absolute_uri(
            reverse("public-championship", args=[stored.token])
        ),
    }
    return render(request, "director/season/table.html", context)


@require_safe
def championship_line(
    request: UserRequest, pk: int, championship: int, number: int
) -> HttpResponse:
    """Explain a line of a championship's table."""
    stored = championship_for_director(request, pk, championship)
    table = ChampionshipTable(stored)
    whole = [*table.standings.lines, *table.standings.below]
    if not 0 < number <= len(whole):  # the list has become shorter
        return redirect("championship", pk=pk, championship=championship)
    why = LineExplanation(table, whole[number - 1])
    context = {"club": stored.club, "tab": "season", "championship": stored, "why": why}
    return render(request, "director/season/why.html", context)


@require_http_methods(["GET", "POST"])
def championship_evenings(request: UserRequest, pk: int, championship: int) -> HttpResponse:
    """Choose the sessions that count."""
    stored = championship_for_director(request, pk, championship)
    lists = final_results(stored.club)[-TICKED:]
    if request.method == "POST":
        ticked, seen = (
            {read_number(key, MOST_DIGITS_OF_A_KEY) for key in request.POST.getlist(name)}
            for name in ("session", "shown")
        )
        # sessions that became final after the page was made had no box on it
        listed = {final.session for final in lists} & (seen | ticked)
        by_rule = {final.session for final in lists if _counts_by_rule(stored, final)} & listed
        stored.brought_in = sorted(set(stored.brought_in) - listed | (ticked & listed) - by_rule)
        stored.left_out = sorted(set(stored.left_out) - listed | by_rule - ticked)
        service.store_championship(stored, by=request.user)
        messages.success(request, _("Stored."))
        return redirect("championship", pk=stored.club.pk, championship=stored.pk)
    context = {
        "club": stored.club,
        "tab": "season",
        "championship": stored,
        "evenings": [(final, session_counts(stored, final)) for final in reversed(lists)],
    }
    return render(request, "director/season/evenings.html", context)


def _counts_by_rule(one: Championship, final: Any) -> bool:
    """Return whether a session counts by the championship's rule alone."""
    bare = Championship(
        weekday=one.weekday,
        event_id=one.event_id,
        since=one.since,
        until=one.until,
        is_by_hand=one.is_by_hand,
    )
    return session_counts(bare, final)


@require_POST
def championship_state(request: UserRequest, pk: int, championship: int) -> HttpResponse:
    """Publish a championship, make it final or delete it, or revert that."""
    wish, club = request.POST.get("do"), club_for_secretary(request, pk)
    if wish == "delete" and not club.championships.filter(pk=championship).exists():
        return redirect("season", pk=pk)  # pressed twice
    stored = championship_for_director(request, pk, championship)
    match wish:
        case "publish":
            service.publish_championship(stored, True, by=request.user)
        case "unpublish":
            service.publish_championship(stored, False, by=request.user)
        case "room":
            service.show_in_room(stored, True, by=request.user)
        case "no-room":
            service.show_in_room(stored, False, by=request.user)
        case "final":
            service.make_championship_final(stored, True, by=request.user)
        case "open":
            service.make_championship_final(stored, False, by=request.user)
        case "delete":
            service.delete_championship(stored, by=request.user)
            messages.success(request, _("“%(name)s” is deleted.") % {"name": stored.name})
            return redirect("season", pk=pk)
    return redirect("championship", pk=pk, championship=championship)
