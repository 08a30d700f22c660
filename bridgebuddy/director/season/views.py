"""Views of a club's championships: list, form, table, and publication."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from bridgebuddy.clubs.access import club_for_secretary
from bridgebuddy.clubs.models import Club
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.operations.local_network import phone_base
from bridgebuddy.scoring.words import number_text
from bridgebuddy.seasons.championship_views import ChampionshipView
from bridgebuddy.seasons.line_explanations import LineExplanation
from bridgebuddy.seasons.models import Championship
from bridgebuddy.seasons.queries.championships import (
    ChampionshipTable,
    championship_tables,
    session_counts,
)
from bridgebuddy.seasons.queries.final_lists import final_results
from bridgebuddy.seasons.queries.ledger import due_points, reported_totals
from bridgebuddy.seasons.services import championships as service
from bridgebuddy.web.folds import redirect_with_part_open
from bridgebuddy.web.http import MOST_DIGITS_OF_A_KEY, read_number

from .forms import BY_HAND, ChampionshipForm
from .group_fold import forms_of, groups_context
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
    """Show a club's championships, newest first, each with its leaders."""
    club = club_for_secretary(request, pk)
    form = _form_of(request, club, None) if request.GET.get("open") == "new" else None
    return _season_page(request, club, form)


def _season_page(request: UserRequest, club: Club, form: ChampionshipForm | None) -> HttpResponse:
    """Render the page of a club's championships."""
    championships = _championships_of(club)
    tables = [ChampionshipView(table) for table in championship_tables(club, championships)]
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
    if form:
        context |= _form_context(club, form, None)
    status = REFUSED if form and form.errors else 200
    return render(request, "director/season/season.html", context, status=status)


def _championships_of(club: Club) -> list[Championship]:
    """Return a club's championships, newest first."""
    return list(club.championships.select_related("club", "event"))


def championship_for_director(request: UserRequest, pk: int, championship: int) -> Championship:
    """Return the championship of a club that the user directs.

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
    return _store_form(request, club_for_secretary(request, pk), None)


@require_http_methods(["GET", "POST"])
def championship_rules(request: UserRequest, pk: int, championship: int) -> HttpResponse:
    """Store changed rules of a championship."""
    stored = championship_for_director(request, pk, championship)
    return _store_form(request, stored.club, stored)


def _store_form(
    request: UserRequest, club: Club, championship: Championship | None
) -> HttpResponse:
    """Store the championship of a form, preview its table, or show the form with its errors."""
    is_preview = request.headers.get("HX-Target") == "preview"
    if request.method != "POST" and not is_preview:
        if championship:
            return redirect_with_part_open("rules", "championship", club.pk, championship.pk)
        return redirect_with_part_open("new", "season", club.pk)
    form = _form_of(request, club, championship, request.GET if is_preview else request.POST)
    if is_preview:
        return render(
            request, "director/season/form.html#preview", _form_context(club, form, championship)
        )
    if not form.is_valid():
        if championship is None:
            return _season_page(request, club, form)
        # the form has written its values into `one`; the table is that of the stored rules
        stored = championship_for_director(request, club.pk, championship.pk)
        return championship_page(request, stored, "rules", form=form)
    stored = service.store_championship(form.championship(), by=request.user, once=form.once)
    if form.cleaned_data["which"] == BY_HAND:
        return redirect_with_part_open("evenings", "championship", club.pk, stored.pk)
    return redirect("championship", pk=club.pk, championship=stored.pk)


def _form_of(
    request: UserRequest,
    club: Club,
    championship: Championship | None,
    form_data: QueryDict | None = None,
) -> ChampionshipForm:
    """Return the form with a championship's rules, or with those in `form_data`."""
    return ChampionshipForm(club, final_results(club), form_data, instance=championship)


def _form_context(
    club: Club, form: ChampionshipForm, championship: Championship | None
) -> dict[str, Any]:
    """Return the template context of the form for a championship's rules."""
    address = (
        reverse("championship-rules", args=[club.pk, championship.pk])
        if championship
        else reverse("new-championship", args=[club.pk])
    )
    return {
        "club": club,
        "championship": championship,
        "form": form,
        "form_address": address,
        "preview": _preview_table(club, form, championship),
    }


def _preview_table(
    club: Club, form: ChampionshipForm, championship: Championship | None
) -> ChampionshipView | None:
    """Return the table of a championship with the form's rules; None if they are invalid."""
    if form.is_bound:
        if not form.is_valid():
            return None
        preview = form.championship()
    else:
        preview = championship or _first_championship(club, form)
    whole = Championship(**service.copied_values(preview))
    whole.pk, whole.club = None, club  # unsaved championships are not cached
    return ChampionshipView(ChampionshipTable(whole))


def _first_championship(club: Club, form: ChampionshipForm) -> Championship:
    """Return an unsaved championship with the initial values of the form."""
    first = dict(form.initial)
    which = first.pop("which")
    return Championship(club=club, weekday=int(which), **{k: v for k, v in first.items() if v})


@require_safe
def championship(request: UserRequest, pk: int, championship: int) -> HttpResponse:
    """Show a championship's table, with one part open: rules, sessions, groups, or an explained row."""
    stored = championship_for_director(request, pk, championship)
    return championship_page(request, stored, request.GET.get("open", ""))


def championship_page(
    request: UserRequest,
    championship: Championship,
    opened: str = "",
    *,
    form: ChampionshipForm | None = None,
    refused_values: dict[str, Any] | None = None,
) -> HttpResponse:
    """Render a championship's table with the part `opened`; `form` or `refused_values` holds a refused form."""
    table = ChampionshipTable(championship)
    context: dict[str, Any] = {
        "club": championship.club,
        "tab": "season",
        "championship": championship,
        "shown": ChampionshipView(table),
        "public_address": phone_base(request)
        + reverse("public-championship", args=[championship.token]),
    }
    match opened:
        case "rules":
            rules = form or _form_of(request, championship.club, championship)
            context |= _form_context(championship.club, rules, championship)
        case "evenings":
            lists = final_results(championship.club)[-TICKED:]
            context["has_evenings"] = True
            context["evenings"] = [
                (final, session_counts(championship, final)) for final in reversed(lists)
            ]
        case "groups":
            context |= groups_context(table, *forms_of(championship))
        case "line":
            context["why"] = table_line(table, read_number(request.GET.get("line")) or 0)
    context |= refused_values or {}
    status = REFUSED if form or refused_values else 200
    return render(request, "director/season/table.html", context, status=status)


@require_safe
def championship_line(
    request: UserRequest, pk: int, championship: int, number: int
) -> HttpResponse:
    """Redirect the former address of a row of a championship to the table."""
    stored = championship_for_director(request, pk, championship)
    return redirect_with_part_open("line", "championship", pk, stored.pk, line=number)


def table_line(table: ChampionshipTable, number: int) -> LineExplanation | None:
    """Return the explanation of row `number` of a championship's table; None if there is no such row now."""
    whole = [*table.standings.lines, *table.standings.below]
    return LineExplanation(table, whole[number - 1]) if 0 < number <= len(whole) else None


@require_http_methods(["GET", "POST"])
def championship_evenings(request: UserRequest, pk: int, championship: int) -> HttpResponse:
    """Store which sessions count for a championship."""
    stored = championship_for_director(request, pk, championship)
    if request.method != "POST":
        return redirect_with_part_open("evenings", "championship", pk, stored.pk)
    lists = final_results(stored.club)[-TICKED:]
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
    messages.success(request, _("Saved."))
    return redirect("championship", pk=stored.club.pk, championship=stored.pk)


def _counts_by_rule(championship: Championship, final: Any) -> bool:
    """Return whether a session counts for a championship by its rules alone, without exceptions made by hand."""
    bare = Championship(
        weekday=championship.weekday,
        event_id=championship.event_id,
        since=championship.since,
        until=championship.until,
        is_by_hand=championship.is_by_hand,
    )
    return session_counts(bare, final)


@require_POST
def championship_state(request: UserRequest, pk: int, championship: int) -> HttpResponse:
    """Publish a championship, show it on the room display, make it final or delete it, or undo that."""
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
