"""Views for entering pairs and changing seats."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from bridgebuddy.clubs.models import searchable
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import one_snapshot, read_in_one_snapshot, section_for_director
from bridgebuddy.events.errors import ChangeRefused, NotEntered, SectionChanged
from bridgebuddy.events.listing import read_list
from bridgebuddy.events.models import Entry, SeatingMethod, Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.events.queries.plan.games import Contestant, TableGame, TableSide
from bridgebuddy.events.queries.plan.substitutes import substitute_rounds
from bridgebuddy.events.queries.roster.person_search import suggest_people
from bridgebuddy.events.queries.sessions.strengths import SeedingReport, seeding_report, strength_of
from bridgebuddy.events.services.play.line_up import name_team
from bridgebuddy.events.services.play.people import correct_names, line_up_key
from bridgebuddy.events.services.setup import entries as service
from bridgebuddy.events.services.setup.movement import (
    movement_without_half_table,
    seat_by_method,
    swap_seats,
    take_free_seat,
)
from bridgebuddy.money.queries.prices import do_players_pay_for
from bridgebuddy.publication.imports.list_imports import import_new_details
from bridgebuddy.registration import late_arrivals
from bridgebuddy.registration.registrations import entries_with_cancelled_player
from bridgebuddy.web.folds import redirect_with_part_open
from movements.engine.contest import Contest
from movements.words.sentences import contestant_count_text, family_title

from ..match_boards import MatchBoardsForm
from ..refusals import change_refused
from ..wording import contestant_words
from .dividing import proposed_count
from .folds import opened_fold, people_of
from .forms import EntryListForm, PairForm, typed_name_fields
from .prepared_starts import arrivals_context_before_start
from .preview import ListPreview, known_names
from .seats_forms import SeedForm, StrengthsForm, SwapForm
from .seeding import change_sentence, seeding_sentence
from .sit_out_turns import turns_context
from .staying import forced_moves
from .substitute_forms import SUBSTITUTE

WAYS_TO_SEAT = (SeatingMethod.ORDER, SeatingMethod.RANDOM, SeatingMethod.EVEN, SeatingMethod.TURNS)
REPEAT = "repeat"  # in addition to the section's seating methods: at random with a seed


@never_cache
@require_safe
def entries(request: UserRequest, code: str) -> HttpResponse:
    """Show the entries and their seats; answer a poll with 204 if the page is current."""
    version = request.GET.get("v")
    if version and version == str(section_for_director(request, code).shown):
        return HttpResponse(status=204)
    return entries_page(request, code)


@require_http_methods(["GET", "POST"])
def add_entry(request: UserRequest, code: str) -> HttpResponse:
    """Store one new entry (a pair, player or team) from the form on the page of entries."""
    section = section_for_director(request, code)
    if request.method == "GET":  # the reopened address of a refused form
        return redirect("entries", code=section.code)
    form = PairForm(section.people_per_entry, request.POST)
    if form.is_valid():
        try:
            service.add_pairs(
                section,
                [form.names],
                must_stay_seated=form.cleaned_data["must_stay_seated"],
                teams=[form.team],
                by=request.user,
            )
            _warn_of_removed_movement(request, section)
            return redirect("entries", code=section.code)
        except ChangeRefused as refused:
            form.add_refusal(refused)
    return entries_page(request, code, pair_form=form)


@require_http_methods(["GET", "POST"])
def add_list(request: UserRequest, code: str) -> HttpResponse:
    """Show the preview of many entries, pasted or from a file; nothing is stored yet."""
    section = section_for_director(request, code)
    if request.method == "GET":
        return redirect("entries", code=section.code)
    form = EntryListForm(section.people_per_entry, request.POST, request.FILES)
    if not form.is_valid():
        return entries_page(request, code, list_form=form)
    if "edit" in request.POST:  # back from the preview
        return entries_page(request, code, list_form=form, is_edited=True)
    return show_list_preview(request, code, form.cleaned_data["pairs"])


@read_in_one_snapshot
def show_list_preview(request: UserRequest, code: str, text: str) -> HttpResponse:
    """Show the preview of a pasted list of entries."""
    section = section_for_director(request, code)
    roster = known_names(section)
    listing = read_list(text, section.people_per_entry, roster)
    return _list_preview_page(request, section, ListPreview.of(section, listing, text, roster))


@require_http_methods(["GET", "POST"])
def add_ticked_list_rows(request: UserRequest, code: str) -> HttpResponse:
    """Store all ticked rows of a previewed list as entries, or none if one is refused."""
    section = section_for_director(request, code)
    if request.method == "GET":
        return redirect("entries", code=section.code)
    preview = ListPreview.from_form(section, request.POST)
    if preview.check():
        try:
            pairs = [row.entered_names for row in preview.ticked_rows]
            teams = [row.team for row in preview.ticked_rows] if preview.has_teams else []
            added = service.add_pairs(section, pairs, teams=teams, by=request.user)
            emails = preview.emails if request.rights.keep_members else {}
            import_new_details(section.club, preview.numbers, emails, by=request.user)
            counted = contestant_count_text(section.contest, len(added))
            messages.success(request, _("%(entries)s entered.") % {"entries": counted})
            _warn_of_removed_movement(request, section)
            return redirect("entries", code=section.code)
        except ChangeRefused as refused:
            preview.add_refusal(refused)
    return _refused_list_page(request, code, preview)


@read_in_one_snapshot
def _refused_list_page(request: UserRequest, code: str, preview: ListPreview) -> HttpResponse:
    """Show the preview of a refused list again."""
    return _list_preview_page(request, section_for_director(request, code), preview, status=422)


def _list_preview_page(
    request: UserRequest, section: Section, preview: ListPreview, status: int = 200
) -> HttpResponse:
    context = {"section": section, "tab": "entries", "preview": preview}
    return render(request, "director/preview.html", context, status=status)


@require_http_methods(["GET", "POST"])
def edit_pair(request: UserRequest, code: str, entry: int) -> HttpResponse:
    """Correct the names of an entry, for all rounds."""
    if request.method == "GET":
        return _pair_page(request, code, entry)
    section = section_for_director(request, code)
    corrected = section.entries.filter(pk=entry).first()
    form = PairForm(section.people_per_entry, request.POST)
    if corrected and form.is_valid():
        try:
            correct_names(
                corrected,
                form.places,
                must_stay_seated=form.cleaned_data["must_stay_seated"],
                shown_version=form.cleaned_data["shown"],
                by=request.user,
            )
            if section.contest.has_halves:
                name_team(corrected, name=form.team, by=request.user)
            return redirect("entries", code=section.code)
        except SectionChanged as refused:
            messages.warning(request, change_refused(refused))
            return redirect("edit-pair", code=section.code, entry=entry)
        except ChangeRefused as refused:
            form.add_refusal(refused)
    return _pair_page(request, code, entry, form)


@read_in_one_snapshot
def _pair_page(
    request: UserRequest, code: str, entry: int, form: PairForm | None = None
) -> HttpResponse:
    """Render the form for an entry's names; redirect with a message if the entry no longer exists."""
    section = section_for_director(request, code)
    corrected = section.entries.filter(pk=entry).first()
    if corrected is None:
        messages.warning(request, change_refused(NotEntered()))
        return redirect("entries", code=section.code)
    if form is None:
        names = [person.name for person in corrected.players]
        answers = {"must_stay_seated": corrected.must_stay_seated, "team": corrected.name}
        if section.contest.has_halves:
            answers["shown"] = line_up_key(corrected)
        form = PairForm(section.people_per_entry, names=names, initial=answers)
    context = {
        "section": section,
        "tab": "entries",
        "entry": corrected,
        "stints": list(substitute_rounds(corrected)),
        "form": form,
        "words": contestant_words(section),
    }
    status = 422 if form.errors else 200
    return render(request, "director/pair_form.html", context, status=status)


@require_POST
def remove_entry(request: UserRequest, code: str, entry: int) -> HttpResponse:
    """Delete an entry before the start."""
    section = section_for_director(request, code)
    withdrawn = section.entries.filter(pk=entry).first()
    try:
        if withdrawn is None:
            raise NotEntered()
        late_arrivals.withdraw_entry(withdrawn, by=request.user)
        _warn_of_removed_movement(request, section)
    except ChangeRefused as refused:
        messages.warning(request, change_refused(refused))
    return redirect("desk" if section.is_started else "entries", code=section.code)


@require_safe
@read_in_one_snapshot
def suggestions(request: UserRequest, code: str) -> HttpResponse:
    """Return the players of the roster whose names match a typed text, as HTML options."""
    section = section_for_director(request, code)
    typed = request.GET.get("q", "")[:80]
    people = suggest_people(section.club, section, typed, request.GET.get("partner", "")[:80])
    field = request.GET.get("field")
    fields = (*PairForm.LABELS[section.people_per_entry], SUBSTITUTE)
    field = field if field in fields else "first"
    is_known = any(searchable(person.name) == searchable(typed) for person in people)
    guest = "" if is_known else " ".join(typed.split())
    context = {
        "suggestions": people,
        "field": field,
        "guest": guest,
        "may_be_here": field == SUBSTITUTE,  # for other rounds, or as the person replaced
    }
    return render(request, "director/suggestions.html", context)


@require_http_methods(["GET", "POST"])
def seat(request: UserRequest, code: str) -> HttpResponse:
    """Assign new seats to all entries: in order, by strength, or at random with an optional seed."""
    section = section_for_director(request, code)
    if request.method == "GET":
        return redirect("entries", code=section.code)
    method, seed = request.POST.get("method"), None
    if method == REPEAT:
        form = SeedForm(request.POST)
        if not form.is_valid():
            return entries_page(request, code, seed_form=form)
        method, seed = SeatingMethod.RANDOM, form.cleaned_data["seed"]
    elif method not in WAYS_TO_SEAT:
        method = SeatingMethod.ORDER
    before = _seeding_now(request, code)
    try:
        seat_by_method(section, method, seed=seed, by=request.user)
        after = _seeding_now(request, code)
        if method == SeatingMethod.EVEN and before and after:
            messages.success(request, change_sentence(before, after))
    except ChangeRefused as refused:
        messages.warning(request, change_refused(refused))
    return redirect("entries", code=section.code)


@require_http_methods(["GET", "POST"])
def strengths(request: UserRequest, code: str) -> HttpResponse:
    """Store the strengths of a section's players. The form is on the page of entries."""
    with one_snapshot(request):
        section = section_for_director(request, code)
        if request.method == "GET":
            return redirect_with_part_open("strengths", "entries", section.code)
        form = StrengthsForm(people_of(SessionEvening(section)), request.POST)
    if not form.is_valid():
        return entries_page(request, code, strengths_form=form)
    service.set_strengths(section, form.strengths, by=request.user)
    return redirect("entries", code=section.code)


@require_POST
def swap(request: UserRequest, code: str) -> HttpResponse:
    """Exchange the seats of two entries, or give one of them a free seat."""
    section = section_for_director(request, code)
    form = SwapForm(request.POST)
    if form.is_valid():
        asked = form.cleaned_data
        try:
            if asked["other"]:
                swap_seats(section, asked["one"], asked["other"], by=request.user)
            elif asked["table"]:
                take_free_seat(
                    section,
                    asked["one"],
                    table=asked["table"],
                    line=asked["line"] or "ew",
                    by=request.user,
                )
        except ChangeRefused as refused:
            messages.warning(request, change_refused(refused))
    if request.htmx:
        return entries_page(request, code)
    return redirect("entries", code=section.code)


def _start_state(section: Section) -> str:
    """Return "1" if the section has begun, else "0", as a part of the version that polls of the page compare."""
    return "1" if section.is_started else "0"


def _warn_of_removed_movement(request: UserRequest, section: Section) -> None:
    """Add a message if the section's movement was removed because the number of pairs changed."""
    if section.movement is None or Section.objects.exclude(movement=None).filter(pk=section.pk):
        return
    messages.warning(
        request,
        _("%(movement)s is not possible with this number of entries. Choose the movement again.")
        % {"movement": family_title(section.movement.family)},
    )


def _seeding_now(request: UserRequest, code: str) -> SeedingReport | None:
    """Return the present balance of strengths in a section's seating."""
    with one_snapshot(request):
        section = section_for_director(request, code)
        return seeding_report(section, SessionEvening(section).entries)


def _form_typed_at_desk(section: Section, request: UserRequest) -> PairForm:
    """Return the form for an entry, filled with the names typed on the desk for a late pair."""
    people = section.people_per_entry
    return PairForm(people, initial=typed_name_fields(people, request.GET))


@read_in_one_snapshot
def entries_page(
    request: UserRequest,
    code: str,
    *,
    pair_form: PairForm | None = None,
    list_form: EntryListForm | None = None,
    seed_form: SeedForm | None = None,
    strengths_form: StrengthsForm | None = None,
    boards_form: MatchBoardsForm | None = None,
    is_edited: bool = False,
    problem: str = "",
) -> HttpResponse:
    """Render the page of entries, with a refused form or an open part."""
    section = section_for_director(request, code)
    was_started = request.GET.get("started")
    if request.htmx and was_started is not None and was_started != _start_state(section):
        # the session has begun, or the start was undone: the whole page changes
        return HttpResponse(headers={"HX-Refresh": "true"})
    evening = SessionEvening(section)
    picked = request.GET.get("move", "")
    labels = {contestant.entry: contestant.label for contestant in evening.contestants.values()}
    context = {
        "section": section,
        "tab": "entries",
        "evening": evening,
        "started": _start_state(section),
        "pairs": len(evening.entries),
        "counted": contestant_count_text(section.contest, len(evening.entries)),
        "room": _filled_tables(section.contest, len(evening.entries)),
        "sections_proposed": proposed_count(section.contest, len(evening.entries)),
        "words": contestant_words(section),
        "tables": _seat_table(evening) if section.contest.fills_a_side else [],
        "listed": sorted(
            ((entry, labels.get(entry.pk, entry.position)) for entry in evening.entries),
            key=lambda listed: listed[0].contestant or listed[0].position,
        ),
        "picked": int(picked) if picked.isdecimal() and len(picked) < 5 else 0,
        "has_free_seat": bool(
            picked and not section.is_started and movement_without_half_table(section)
        ),
        "sits_out": evening.sit_outs(1),
        "changed": _changed_entries(section, evening),
        "gone_again": entries_with_cancelled_player(section),
        **arrivals_context_before_start(section, evening),
        "have_to_move": [] if section.is_started else forced_moves(SectionPlan(evening)),
        **_strength_context(section, evening),
        **turns_context(section, evening.entries),
        "pair_form": pair_form or _form_typed_at_desk(section, request),
        "list_form": list_form or EntryListForm(section.people_per_entry),
        "seed_form": seed_form or SeedForm(),
        "is_edited": is_edited,
        "has_money": do_players_pay_for(section.session),
    }
    context |= opened_fold(request, section, evening, strengths_form, boards_form)
    context["problem"] = problem
    sent = (pair_form, list_form, seed_form, strengths_form, boards_form)
    has_errors = bool(problem) or any(form and form.errors for form in sent)
    if request.htmx and not has_errors:
        return render(request, "director/entries.html#live", context)
    return render(request, "director/entries.html", context, status=422 if has_errors else 200)


def _filled_tables(contest: Contest, entries: int) -> str:
    """Return the number of tables that the entries fill as text: "7½"."""
    half = "½" if contest.fills_a_side and entries % 2 else ""
    return f"{entries // contest.contestants_per_table}{half}"


def _changed_entries(section: Section, evening: SessionEvening) -> list[tuple[Entry, str]]:
    """Return the entries that came late, left or wait for a seat, with labels; empty before the start."""
    if not section.is_started:
        return []
    labels = {contestant.entry: contestant.label for contestant in evening.contestants.values()}
    return [
        (entry, labels.get(entry.pk, ""))
        for entry in evening.entries
        if entry.contestant is None or entry.first_round > 1 or entry.left_after is not None
    ]


def _strength_context(section: Section, evening: SessionEvening) -> dict[str, object]:
    """Return the template context on the pairs' strengths before the start."""
    strength_by_entry = {
        entry.pk: strength
        for entry in evening.entries
        if (strength := strength_of(entry)) is not None
    }
    seeded = (
        seeding_report(section, evening.entries)
        if strength_by_entry and not section.is_started
        else None
    )
    strongest = max((line.mean for line in seeded.lines), default=0) if seeded else 0
    return {
        "strengths": strength_by_entry,
        "seeded": seeded,
        "seeded_sentence": seeding_sentence(seeded) if seeded else "",
        "meters": [(line, round(100 * line.mean / (strongest * 1.25))) for line in seeded.lines]
        if seeded and len(seeded.lines) > 1 and strongest
        else [],
    }


def _seat_table(evening: SessionEvening) -> list[tuple[int, Contestant | None, Contestant | None]]:
    """Return the seats of round 1 as rows: table, N-S contestant, E-W contestant."""

    def first(side: tuple[TableSide, ...]) -> Contestant | None:
        return side[0].contestant if side else None

    games: dict[int, TableGame] = {}
    for game in evening.games.get(1, ()):
        games.setdefault(game.table, game)
    return [(table, first(game.ns), first(game.ew)) for table, game in sorted(games.items())]
