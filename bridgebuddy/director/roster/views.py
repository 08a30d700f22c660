"""Views of the roster: search, corrections, and merging of duplicates."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, ProtectedError, Q, RestrictedError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from bridgebuddy.clubs.access import club_for_director, club_for_member_list, club_for_secretary
from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import read_in_one_snapshot
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Session
from bridgebuddy.events.queries.roster import players as queries
from bridgebuddy.events.services import roster as service
from bridgebuddy.events.services.lifecycle import forgetting
from bridgebuddy.money.queries.accounts import account_of, balance_with_currency
from bridgebuddy.money.queries.prices import active_settings
from bridgebuddy.publication.imports.list_imports import recent_list_imports
from bridgebuddy.publication.mails.mailing import can_mail
from bridgebuddy.publication.models import PlayerPage, ResultsSubscription
from bridgebuddy.publication.own.own_page import PersonalPageContents, SessionView
from bridgebuddy.publication.own.own_sessions import published_sessions_of
from bridgebuddy.registration.blocked_requests import open_reports
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.web.folds import redirect_with_part_open

from ..refusals import change_refused
from .forms import MergeForm, PlayerForm
from .member_list import ALL, MemberList, store_columns
from .pace import pace_of_pairs

A_PAGE = 50
#: members that are listed at first, so that the tools below them are on the screen
FIRST_LOOK = 12
#: the evenings on a person's page
LAST_EVENINGS = 5
LONGEST_SEARCH = 80
#: the picture of the sessions of a year: the width of a session's bar, and the height of the largest
BAR, HEIGHT = 10, 100


@require_safe
@read_in_one_snapshot
def players(request: UserRequest, pk: int) -> HttpResponse:
    """Show a club's members, searched by a name or filtered."""
    return _players_page(request, club_for_member_list(request, pk))


def _players_page(
    request: UserRequest, club: Club, new_form: PlayerForm | None = None
) -> HttpResponse:
    """Render the members; a refused form for a new one is shown again."""
    keys = ("all", "show", "sort", "merge") if club.rights.keep_members else ("all", "show", "sort")
    asked = {key: request.GET[key] for key in keys if request.GET.get(key)}
    typed = request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    members = MemberList(club, typed, asked.get("show", ALL), by_year=asked.get("sort") == "year")
    is_first_look = not (typed or asked or "page" in request.GET or new_form)
    size = FIRST_LOOK if is_first_look else A_PAGE
    page = Paginator(members.people, size).get_page(request.GET.get("page"))
    evenings = members.attendance.evenings
    most = max((evening.people for evening in evenings), default=1)
    context = {
        "club": club,
        "tab": "players",
        "typed": typed,
        "members": members,
        "page": page,
        "others": min(page.paginator.count, A_PAGE) - page.end_index() if is_first_look else 0,
        "question": f"{urlencode(asked | ({'q': typed} if typed else {}))}&",
        "rows": members.rows(list(page.object_list)),
        "is_merging": "merge" in asked,
        "everybody": len(members.all_people),
        "lately": queries.count_recent_players(club, timezone.localdate()),
        "most": most,
        "evenings": evenings,
        "width": BAR * len(evenings),
        "bars": [
            (BAR * at + 1, HEIGHT - round(HEIGHT * evening.people / most), evening)
            for at, evening in enumerate(evenings)
        ],
        "asked": PlayerPage.objects.filter(person__club=club, forget_at__isnull=False)
        .select_related("person")
        .order_by("forget_at"),
        "changed_addresses": ResultsSubscription.objects.filter(person__club=club)
        .filter(Q(next_since__isnull=False) | Q(stopped_at__isnull=False))
        .select_related("person")
        .order_by("person__search"),
        "list_imports": recent_list_imports(club) if club.rights.keep_members else [],
        "told": open_reports(club) if club.rights.direct else [],
        "twins": queries.possible_duplicates(club)
        if page.number == 1 and not typed and club.rights.keep_members
        else [],
    }
    if club.rights.keep_members:
        context |= {"new_form": new_form} if new_form else _opened_fold(request, club)
    return render(request, "director/players.html", context, status=422 if new_form else 200)


def _opened_fold(request: UserRequest, club: Club) -> dict[str, Any]:
    """Return the template context of the open part: a new player, slow pairs, or two players to merge."""
    opened = request.GET.get("open")
    if opened == "new":
        return {"new_form": PlayerForm(club)}
    if opened == "pace":
        return {"pace": pace_of_pairs(club)}
    form = _merge_form(request, club)
    if not form.is_valid():
        return {}
    both = queries.playing_records(list(form.both_people))
    return {"both": both, "apart": service.section_with_both(*form.both_people)}


def _merge_form(request: UserRequest, club: Club) -> MergeForm:
    """Return the form that merges two players, with the two that were ticked in the list of members."""
    ticked = request.GET.getlist("who")
    asked = dict(zip(("one", "other"), ticked, strict=False)) if len(ticked) == 2 else {}
    return MergeForm(club, asked)


@require_POST
def member_columns(request: UserRequest, pk: int) -> HttpResponse:
    """Store which columns the list of members shows."""
    club = club_for_secretary(request, pk)
    store_columns(club, set(request.POST.getlist("column")))
    return redirect("players", pk=club.pk)


@require_safe
def attendance(request: UserRequest, pk: int) -> HttpResponse:
    """Redirect the former address of the attendance to the list of members."""
    club = club_for_secretary(request, pk)
    return redirect(f"{reverse('players', args=[club.pk])}?sort=year#attendance")


@require_http_methods(["GET", "POST"])
def new_player(request: UserRequest, pk: int) -> HttpResponse:
    """Add a player to the roster. The form is on the list of members."""
    club = club_for_secretary(request, pk)
    if request.method != "POST":
        return redirect_with_part_open("new", "players", club.pk)
    form = PlayerForm(club, data=request.POST)
    if form.is_valid():
        with _redirect_or_show_namesake(form), transaction.atomic():
            Person.objects.create(club=club, **form.cleaned_data)
            return redirect("players", pk=club.pk)
    return _new_player_page(request, form)


@read_in_one_snapshot
def _new_player_page(request: UserRequest, form: PlayerForm) -> HttpResponse:
    """Render the roster with the form for a new player."""
    return _players_page(request, form.club, form)


@contextmanager
def _redirect_or_show_namesake(form: PlayerForm) -> Iterator[None]:
    """Redirect after storing; show an error if another director has just added the same name."""
    try:
        yield
    except IntegrityError:
        form.full_clean()
        if not form.errors:
            raise


@require_http_methods(["GET", "POST"])
def edit_player(request: UserRequest, pk: int, person: int) -> HttpResponse:
    """Store a player's name (corrected in all sessions) and other details."""
    club = club_for_secretary(request, pk)
    player = get_object_or_404(club.known_people, pk=person)
    form = PlayerForm(club, player, request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            with _redirect_or_show_namesake(form):
                service.change_person(player, **form.cleaned_data, by=request.user)
                return redirect("players", pk=club.pk)
        except ChangeRefused as refused:
            form.add_error(None, change_refused(refused))
    return _player_page(request, player, form)


def _player_page(
    request: UserRequest, person: Person, form: PlayerForm, reason: str = ""
) -> HttpResponse:
    """Render a player's page; `reason` says why the name is not deleted, and `?sessions=all` lists all sessions."""
    has_all = request.GET.get("sessions") == "all"
    contents = PersonalPageContents(person)
    evenings = contents.evenings if has_all else _last_evenings(person)
    unlisted = _unlisted_sessions(person)
    played = queries.playing_records([person])[0]
    listed_count = len(evenings) + len(unlisted[:LAST_EVENINGS])
    balance, currency = balance_with_currency(person)
    context = {
        "club": form.club,
        "tab": "players",
        "form": form,
        "person": person,
        "played": played,
        "mail": ResultsSubscription.objects.filter(person=person).first(),
        "can_mail": can_mail(),
        "own": PlayerPage.objects.filter(person=person).first(),
        "has_money": active_settings(form.club) is not None,
        "balance": balance,
        "currency": currency,
        "refused": reason,
        "has_all": has_all,
        "evenings": evenings,
        "unlisted": unlisted if has_all else unlisted[:LAST_EVENINGS],
        "has_more": not has_all and listed_count < played.evenings,
        "waiting_count": contents.waiting_session_count if has_all else 0,
    }
    status = 422 if form.errors or reason else 200
    return render(request, "director/edit_player.html", context, status=status)


def _last_evenings(person: Person) -> list[SessionView]:
    """Return a person's results in the newest published sessions; older ones are read if some of these have none."""
    newest = PersonalPageContents(person, maximum=LAST_EVENINGS)
    if len(newest.evenings) == len(newest.open):
        return newest.evenings
    return PersonalPageContents(person).evenings[:LAST_EVENINGS]


def _unlisted_sessions(person: Person) -> list[tuple[Session, str]]:
    """Return a person's sessions without a final published list, newest first, each with its state as text."""
    final = [session.session for session in published_sessions_of(person)]
    here = queries.seats_in_earnest().filter(person=person).order_by().values("section__session")
    elsewhere = queries.past_session_lines().filter(person=person).values("line__past__session")
    sessions = Session.objects.filter(Q(pk__in=here) | Q(pk__in=elsewhere)).exclude(pk__in=final)
    is_public = Exists(ScoringSettings.objects.read_by_all().filter(session=OuterRef("pk")))
    newest = (
        sessions.annotate(is_public=is_public)
        .select_related("event")
        .prefetch_related("sections")
        .order_by("-date", "-pk")
    )
    return [(session, _session_state(session, session.is_public)) for session in newest]


def _session_state(session: Session, is_public: bool) -> str:
    """Return the text on a session that has no final published list."""
    if any(section.is_running for section in session.sections.all()):
        return _("still running")
    return _("results published, not final yet") if is_public else _("results not published")


@require_http_methods(["GET", "POST"])
def anonymise_player(request: UserRequest, pk: int, person: int) -> HttpResponse:
    """Make a player anonymous: delete the name in all sessions."""
    club = club_for_director(request, pk)
    player = get_object_or_404(club.known_people, pk=person)
    if request.method != "POST":
        return redirect_with_part_open("forget", "edit-player", club.pk, player.pk)
    name = player.name
    try:
        forgetting.anonymise_person(player, by=request.user)
    except ChangeRefused as refused:
        return _player_page(request, player, PlayerForm(club, player), change_refused(refused))
    messages.success(request, _("%(name)s is forgotten.") % {"name": name})
    return redirect("players", pk=club.pk)


@require_POST
def forget_player(request: UserRequest, pk: int, person: int) -> HttpResponse:
    """Delete a player from the roster who has played in no session."""
    club = club_for_secretary(request, pk)
    player = get_object_or_404(club.known_people, pk=person)
    try:
        player.delete()
    except (ProtectedError, RestrictedError):
        text = _("%(name)s is in a session and stays.")
        if account_of(player) is not None:
            text = _("%(name)s has an account of table money and stays.")
        messages.warning(request, text % {"name": player.name})
        return redirect("edit-player", pk=club.pk, person=person)
    return redirect("players", pk=club.pk)


@require_http_methods(["GET", "POST"])
def merge_players(request: UserRequest, pk: int) -> HttpResponse:
    """Merge two players who are the same person; the first one stays."""
    club = club_for_secretary(request, pk)
    is_sent = request.method == "POST"
    form = MergeForm(club, request.POST) if is_sent else _merge_form(request, club)
    if not form.is_valid():
        messages.warning(request, _("Tick two players."))
        return redirect(f"{reverse('players', args=[club.pk])}?merge=1")
    stays, other = form.both_people
    if not is_sent:
        query = urlencode([("who", stays.pk), ("who", other.pk)])
        return redirect(f"{reverse('players', args=[club.pk])}?{query}#merge")
    try:
        service.merge_people(stays, other, by=request.user)
    except ChangeRefused as refused:
        messages.warning(request, change_refused(refused))
    else:
        messages.success(
            request,
            _("%(gone)s is %(name)s now, in all sessions.")
            % {"gone": other.name, "name": stays.name},
        )
    return redirect("players", pk=club.pk)


@require_POST
def mark_as_different_people(request: UserRequest, pk: int) -> HttpResponse:
    """Store that two players with similar names are different people."""
    club = club_for_secretary(request, pk)
    form = MergeForm(club, request.POST)
    if form.is_valid():
        service.mark_as_different(*form.both_people, by=request.user)
    return redirect("players", pk=club.pk)
