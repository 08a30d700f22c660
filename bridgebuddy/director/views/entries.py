"""Entering pairs and moving their seats."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from bridgebuddy.events.access import section_for_director
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import FEWEST_PAIRS, SeatingMethod, Section
from bridgebuddy.events.queries.evening import Contestant, Evening, Game
from bridgebuddy.events.queries.roster import suggest
from bridgebuddy.events.queries.sections import is_unchanged
from bridgebuddy.events.queries.strengths import seeding, strength_of
from bridgebuddy.events.services import entries as service
from bridgebuddy.events.services.movement import seat_by, swap_seats

from ..forms import ListForm, PairForm, SeedForm, StrengthsForm, SwapForm
from ..refusals import change_refused
from ..seeding import change_sentence, seeding_sentence

WAYS_TO_SEAT = (SeatingMethod.ORDER, SeatingMethod.RANDOM, SeatingMethod.EVEN)


@never_cache
@require_GET
def entries(request: HttpRequest, code: str) -> HttpResponse:
    """Show the pairs and their seats; a poll that shows the current version gets nothing."""
    if is_unchanged(code, request.GET.get("v")):
        return HttpResponse(status=204)
    section = section_for_director(request, code)
    return _render(request, section)


@require_POST
def add_pair(request: HttpRequest, code: str) -> HttpResponse:
    """Enter one pair."""
    section = section_for_director(request, code)
    form = PairForm(request.POST)
    if form.is_valid():
        try:
            service.add_pairs(
                section,
                [form.names],
                must_stay_seated=form.cleaned_data["must_stay_seated"],
                by=request.user,
            )
            return redirect("entries", code=section.code)
        except ChangeRefused as refused:
            form.add_error(_field_of(refused, form), change_refused(refused))
    return _render(request, section, pair_form=form)


@require_POST
def add_list(request: HttpRequest, code: str) -> HttpResponse:
    """Enter many pairs, pasted or from a file: all of them or none."""
    section = section_for_director(request, code)
    form = ListForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            added = service.add_pairs(section, form.cleaned_data["read"], by=request.user)
            messages.success(request, _("%(count)s pairs entered.") % {"count": len(added)})
            return redirect("entries", code=section.code)
        except ChangeRefused as refused:
            form.add_error("pairs", change_refused(refused))
    return _render(request, section, list_form=form)


@require_http_methods(["GET", "POST"])
def edit_pair(request: HttpRequest, code: str, entry: int) -> HttpResponse:
    """Correct the names of a pair, or put in a substitute."""
    section = section_for_director(request, code)
    found = get_object_or_404(section.entries, pk=entry)
    names = [person.name for person in found.players]
    answers = {"must_stay_seated": found.must_stay_seated}
    answers |= dict(zip(("first", "second"), names, strict=False))
    form = PairForm(request.POST or None, initial=answers)
    if request.method == "POST" and form.is_valid():
        try:
            service.change_pair(
                found,
                form.names,
                must_stay_seated=form.cleaned_data["must_stay_seated"],
                by=request.user,
            )
            return redirect("entries", code=section.code)
        except ChangeRefused as refused:
            form.add_error(_field_of(refused, form), change_refused(refused))
    context = {"section": section, "tab": "entries", "entry": found, "form": form}
    status = 422 if form.errors else 200
    return render(request, "director/pair_form.html", context, status=status)


@require_POST
def withdraw(request: HttpRequest, code: str, entry: int) -> HttpResponse:
    """Take a pair off the list before the start."""
    section = section_for_director(request, code)
    found = section.entries.filter(pk=entry).first()
    if found:
        try:
            service.withdraw_pair(found, by=request.user)
        except ChangeRefused as refused:
            messages.warning(request, change_refused(refused))
    return redirect("entries", code=section.code)


@require_GET
def suggestions(request: HttpRequest, code: str) -> HttpResponse:
    """Return people of the roster for what is being typed, as options of the field."""
    section = section_for_director(request, code)
    typed = request.GET.get("q", "")[:80]
    found = suggest(section.club, section, typed, request.GET.get("partner", "")[:80])
    field = "second" if request.GET.get("field") == "second" else "first"
    context = {"suggestions": found, "field": field}
    return render(request, "director/suggestions.html", context)


@require_POST
def seat(request: HttpRequest, code: str) -> HttpResponse:
    """Seat everybody again: in order of entry, at random, or by strength."""
    section = section_for_director(request, code)
    form = SeedForm(request.POST)
    asked = request.POST.get("method")
    method = asked if asked in WAYS_TO_SEAT else SeatingMethod.ORDER
    before = seeding(section, Evening(section).entries)
    if not form.is_valid():
        messages.warning(request, _("A seed is a number, such as 4711."))
        return redirect("entries", code=section.code)
    try:
        seat_by(section, method, seed=form.cleaned_data["seed"], by=request.user)
        after = seeding(section, Evening(section).entries)
        if method == SeatingMethod.EVEN and before and after:
            messages.success(request, change_sentence(before, after))
    except ChangeRefused as refused:
        messages.warning(request, change_refused(refused))
    return redirect("entries", code=section.code)


@require_http_methods(["GET", "POST"])
def strengths(request: HttpRequest, code: str) -> HttpResponse:
    """Note how strong the players of the section are, all on one page."""
    section = section_for_director(request, code)
    pairs = Evening(section).entries
    people = [person for entry in pairs for person in entry.players]
    form = StrengthsForm(people, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        service.set_strengths(section, form.strengths, by=request.user)
        return redirect("entries", code=section.code)
    context = {
        "section": section,
        "tab": "entries",
        "form": form,
        "pairs": [[form[f"strength-{one.pk}"] for one in entry.players] for entry in pairs],
    }
    status = 422 if form.errors else 200
    return render(request, "director/strengths.html", context, status=status)


@require_POST
def swap(request: HttpRequest, code: str) -> HttpResponse:
    """Exchange the seats of two pairs."""
    section = section_for_director(request, code)
    form = SwapForm(request.POST)
    if form.is_valid():
        try:
            swap_seats(
                section, form.cleaned_data["one"], form.cleaned_data["other"], by=request.user
            )
        except ChangeRefused as refused:
            messages.warning(request, change_refused(refused))
    if request.htmx:
        return _render(request, section_for_director(request, code))
    return redirect("entries", code=section.code)


def _field_of(refused: ChangeRefused, form: PairForm) -> str | None:
    """The field beside which a refusal belongs: that of the person who is there already."""
    name = refused.fields.get("name")
    if name is None:
        return None
    return "first" if name == form.cleaned_data.get("first") else "second"


def _render(
    request: HttpRequest,
    section: Section,
    *,
    pair_form: PairForm | None = None,
    list_form: ListForm | None = None,
) -> HttpResponse:
    evening = Evening(section)
    picked = request.GET.get("move", "")
    context = {
        "section": section,
        "tab": "entries",
        "evening": evening,
        "pairs": len(evening.entries),
        "fewest_pairs": FEWEST_PAIRS,
        "tables": _seat_table(evening),
        "picked": int(picked) if picked.isdigit() and len(picked) < 5 else 0,
        "sits_out": evening.sit_outs(1),
        **_strength(section, evening),
        "pair_form": pair_form or PairForm(),
        "list_form": list_form or ListForm(),
    }
    has_errors = bool((pair_form and pair_form.errors) or (list_form and list_form.errors))
    if request.htmx and not has_errors:
        return render(request, "director/entries.html#live", context)
    return render(request, "director/entries.html", context, status=422 if has_errors else 200)


def _strength(section: Section, evening: Evening) -> dict:
    """What the page says of the pairs' strengths, before the start."""
    known = {
        entry.pk: strength
        for entry in evening.entries
        if (strength := strength_of(entry)) is not None
    }
    seeded = seeding(section, evening.entries) if known and not section.is_started else None
    strongest = max((line.mean for line in seeded.lines), default=0) if seeded else 0
    return {
        "strengths": known,
        "seeded": seeded,
        "seeded_sentence": seeding_sentence(seeded) if seeded else "",
        "meters": [(line, round(100 * line.mean / (strongest * 1.25))) for line in seeded.lines]
        if seeded and len(seeded.lines) > 1 and strongest
        else [],
    }


def _seat_table(evening: Evening) -> list[tuple[int, Contestant | None, Contestant | None]]:
    """The seats of round 1: table, who sits N-S, who E-W."""

    def first(side: tuple) -> Contestant | None:
        return side[0].contestant if side else None

    games: dict[int, Game] = {}
    for game in evening.games.get(1, ()):
        games.setdefault(game.table, game)
    return [(table, first(game.ns), first(game.ew)) for table, game in sorted(games.items())]
