"""Views of a club's championships: list, form, table, and publication."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from bridgebuddy.clubs.models import Club
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.clubs.views import club_for_director
from bridgebuddy.seasons.championship_views import LineExplanation, ShownTable
from bridgebuddy.seasons.models import Championship
from bridgebuddy.seasons.queries.championships import ChampionshipTable, counts, tables_of
from bridgebuddy.seasons.queries.final_lists import finals
from bridgebuddy.seasons.services import championships as service

from .forms import BY_HAND, ChampionshipForm

REFUSED = 422
#: lines shown for each championship
FIRST = 3
#: the most sessions that can be ticked
TICKED = 120


@require_safe
def season(request: UserRequest, pk: int) -> HttpResponse:
    """Show a club's championships, the newest first, each with its leaders."""
    club = club_for_director(request, pk)
    found = _of(club)
    shown = [ShownTable(table) for table in tables_of(club, found)]
    context = {
        "club": club,
        "tab": "season",
        "championships": [(table_shown, table_shown.lines[:FIRST]) for table_shown in shown],
    }
    return render(request, "director/season/season.html", context)


def _of(club: Club) -> list[Championship]:
    return list(club.championships.select_related("club", "event"))


def found_for_director(request: UserRequest, pk: int, championship: int) -> Championship:
    """Return a championship of a club for its director.

    Raises `Http404` for other users.
    """
    club = club_for_director(request, pk)
    one = get_object_or_404(
        Championship.objects.select_related("event"), club=club, pk=championship
    )
    one.club = club
    return one


@require_http_methods(["GET", "POST"])
def new_championship(request: UserRequest, pk: int) -> HttpResponse:
    """Create a championship; preview its table while the form is filled in."""
    return _form_page(request, club_for_director(request, pk), None)


@require_http_methods(["GET", "POST"])
def championship_rules(request: UserRequest, pk: int, championship: int) -> HttpResponse:
    """Change a championship's rules."""
    one = found_for_director(request, pk, championship)
    return _form_page(request, one.club, one)


def _form_page(request: UserRequest, club: Club, one: Championship | None) -> HttpResponse:
    known = finals(club)
    is_preview = request.headers.get("HX-Target") == "preview"
    sent = request.GET if is_preview else request.POST if request.method == "POST" else None
    form = ChampionshipForm(club, known, sent, instance=one)
    if sent is not None and form.is_valid() and not is_preview:
        said = service.keep(form.championship(), by=request.user, once=form.once)
        name = "championship-evenings" if form.cleaned_data["which"] == BY_HAND else "championship"
        return redirect(name, pk=club.pk, championship=said.pk)
    context: dict[str, Any] = {
        "club": club,
        "tab": "season",
        "championship": one,
        "form": form,
        "preview": _preview(club, form, one),
    }
    template = "director/season/form.html"
    if is_preview:
        return render(request, f"{template}#preview", context)
    return render(request, template, context, status=REFUSED if form.errors else 200)


def _preview(club: Club, form: ChampionshipForm, one: Championship | None) -> ShownTable | None:
    """Return the table for the form's values; None if they are invalid."""
    if form.is_bound:
        if not form.is_valid():
            return None
        said = form.championship()
    else:
        said = one or _as_it_begins(club, form)
    whole = Championship(**service.columns_of(said))
    whole.pk, whole.club = None, club  # unsaved championships are not cached
    return ShownTable(ChampionshipTable(whole))


def _as_it_begins(club: Club, form: ChampionshipForm) -> Championship:
    first = dict(form.initial)
    which = first.pop("which")
    return Championship(club=club, weekday=int(which), **{k: v for k, v in first.items() if v})


@require_safe
def championship(request: UserRequest, pk: int, championship: int) -> HttpResponse:
    """Show a championship's table."""
    one = found_for_director(request, pk, championship)
    context = {
        "club": one.club,
        "tab": "season",
        "championship": one,
        "shown": ShownTable(ChampionshipTable(one)),
        "public_address": request.build_absolute_uri(
            reverse("public-championship", args=[one.token])
        ),
    }
    return render(request, "director/season/table.html", context)


@require_safe
def championship_line(
    request: UserRequest, pk: int, championship: int, number: int
) -> HttpResponse:
    """Explain a line of a championship's table."""
    one = found_for_director(request, pk, championship)
    table = ChampionshipTable(one)
    whole = [*table.standings.lines, *table.standings.below]
    if not 0 < number <= len(whole):  # the list has become shorter
        return redirect("championship", pk=pk, championship=championship)
    why = LineExplanation(table, whole[number - 1])
    context = {"club": one.club, "tab": "season", "championship": one, "why": why}
    return render(request, "director/season/why.html", context)


@require_http_methods(["GET", "POST"])
def championship_evenings(request: UserRequest, pk: int, championship: int) -> HttpResponse:
    """Choose the sessions that count."""
    one = found_for_director(request, pk, championship)
    known = finals(one.club)[-TICKED:]
    if request.method == "POST":
        ticked, seen = (
            {int(key) for key in request.POST.getlist(name) if key.isdecimal()}
            for name in ("session", "shown")
        )
        # sessions that became final after the page was made had no box on it
        shown = {final.session for final in known} & (seen | ticked)
        by_rule = {final.session for final in known if _by_rule(one, final)} & shown
        one.brought_in = sorted(set(one.brought_in) - shown | (ticked & shown) - by_rule)
        one.left_out = sorted(set(one.left_out) - shown | by_rule - ticked)
        service.keep(one, by=request.user)
        messages.success(request, _("Stored."))
        return redirect("championship", pk=one.club.pk, championship=one.pk)
    context = {
        "club": one.club,
        "tab": "season",
        "championship": one,
        "evenings": [(final, counts(one, final)) for final in reversed(known)],
    }
    return render(request, "director/season/evenings.html", context)


def _by_rule(one: Championship, final: Any) -> bool:
    bare = Championship(
        weekday=one.weekday,
        event_id=one.event_id,
        since=one.since,
        until=one.until,
        is_by_hand=one.is_by_hand,
    )
    return counts(bare, final)


@require_POST
def championship_state(request: UserRequest, pk: int, championship: int) -> HttpResponse:
    """Publish a championship, make it final or delete it, or revert that."""
    wish, club = request.POST.get("do"), club_for_director(request, pk)
    if wish == "delete" and not club.championships.filter(pk=championship).exists():
        return redirect("season", pk=pk)  # pressed twice
    one = found_for_director(request, pk, championship)
    match wish:
        case "publish":
            service.publish(one, True, by=request.user)
        case "unpublish":
            service.publish(one, False, by=request.user)
        case "room":
            service.show_in_room(one, True, by=request.user)
        case "no-room":
            service.show_in_room(one, False, by=request.user)
        case "final":
            service.make_final(one, True, by=request.user)
        case "open":
            service.make_final(one, False, by=request.user)
        case "delete":
            service.delete(one, by=request.user)
            messages.success(request, _("“%(name)s” is deleted.") % {"name": one.name})
            return redirect("season", pk=pk)
    return redirect("championship", pk=pk, championship=championship)
