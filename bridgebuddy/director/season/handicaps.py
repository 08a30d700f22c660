"""Handicaps: computed, set by hand, and given to a session with one button."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.access import club_for_secretary
from bridgebuddy.clubs.models import Club, Person, User
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.clubs.single_rows import save_single_row
from bridgebuddy.events.access import section_for_scorer
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.games import Contestant
from bridgebuddy.events.queries.snapshot import read_snapshot
from bridgebuddy.scoring.rules.rounding import round_half_away
from bridgebuddy.scoring.services.classes import store_classes
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.scoring.words import number_text
from bridgebuddy.seasons.models import HandicapRule
from bridgebuddy.seasons.queries.handicaps import ClubHandicaps
from bridgebuddy.seasons.rules.handicap import WorkedHandicap
from bridgebuddy.seasons.words import signed_handicap
from bridgebuddy.web.folds import redirect_with_part_open
from bridgebuddy.web.http import read_number

from ..refusals import change_refused
from .forms import HandicapRuleForm, ManualHandicapForm

REFUSED = 422
MOST_DIGITS = 15
A_PAGE = 200


@dataclass(frozen=True)
class HandicapView:
    """A player's handicap with its computation, as the page shows it."""

    person: Person
    worked: WorkedHandicap

    @property
    def handicap(self) -> str:
        """Return the player's handicap as text with its sign."""
        return signed_handicap(self.worked.handicap)

    @property
    def query(self) -> str:
        """Return the query string of the link that opens the computation of this player's handicap."""
        return f"?of={self.person.pk}#by-hand"

    @property
    def average(self) -> str:
        """Return the mean percentage on which the handicap is based, as text; empty without results."""
        return (
            ""
            if self.worked.mean is None
            else number_text(round_half_away(self.worked.mean, 2, 50), 2)
        )

    @property
    def share(self) -> Fraction | None:
        """Return the mean percentage on which the handicap is based, as a number; None without results."""
        return self.worked.mean

    @property
    def computation_text(self) -> str:
        """Return the computation as text: "50 − 57.25 = −7.25, in steps: −7"."""
        worked = self.worked
        if worked.is_by_hand:
            return _("set by hand")
        if worked.is_new:
            return _("too new")
        if worked.exact is None or worked.mean is None:
            return ""
        plain = 50 - worked.mean
        first = f"50 − {self.average} = {number_text(round_half_away(plain, 2), 2)}"
        if worked.exact != plain:  # the club multiplies it
            times = number_text(round_half_away(worked.exact / plain, 2), 2)
            first = f"{first} × {times} = {number_text(round_half_away(worked.exact, 2), 2)}"
        if worked.is_capped:
            return _("%(sum)s, at most %(handicap)s") % {"sum": first, "handicap": self.handicap}
        return first if worked.exact == worked.handicap else f"{first} → {self.handicap}"


@require_http_methods(["GET", "POST"])
def handicaps(request: UserRequest, pk: int) -> HttpResponse:
    """Show all players' handicaps and their rule; `?of=` shows one computation."""
    club = club_for_secretary(request, pk)
    rule = HandicapRule.objects.filter(club=club).first() or HandicapRule(club=club)
    form = HandicapRuleForm(request.POST if request.method == "POST" else None, instance=rule)
    if form.is_valid():
        save_single_row(form)
        messages.success(request, _("Saved."))
        return redirect("handicaps", pk=club.pk)
    of = read_number(request.GET.get("of"), MOST_DIGITS)
    player = club.known_people.filter(pk=of).first() if of is not None else None
    return _handicaps_page(request, club, form, ManualHandicapForm(player) if player else None)


def _handicaps_page(
    request: UserRequest, club: Club, form: HandicapRuleForm, by_hand: ManualHandicapForm | None
) -> HttpResponse:
    """Render the page of a club's handicaps."""
    found = ClubHandicaps(club)
    everybody = [HandicapView(*row) for row in found.people_with_handicaps()]
    page = Paginator(everybody, A_PAGE).get_page(request.GET.get("page"))
    context = {
        "club": club,
        "tab": "players",
        "form": form,
        "rule": HandicapRule.objects.filter(club=club).first() or HandicapRule(club=club),
        "page": page,
        "by_hand": by_hand,
        "shown": HandicapView(by_hand.person, found.person(by_hand.person.pk)) if by_hand else None,
    }
    status = REFUSED if form.errors or (by_hand and by_hand.errors) else 200
    return render(request, "director/season/handicaps.html", context, status=status)


@require_http_methods(["GET", "POST"])
def handicap_by_hand(request: UserRequest, pk: int, person: int) -> HttpResponse:
    """Set a player's handicap by hand, or compute it again."""
    club = club_for_secretary(request, pk)
    player = get_object_or_404(club.known_people, pk=person)
    if request.method != "POST":
        return redirect(f"{reverse('handicaps', args=[club.pk])}?of={player.pk}#by-hand")
    form = ManualHandicapForm(player, request.POST)
    if not form.is_valid():
        rule = HandicapRule.objects.filter(club=club).first() or HandicapRule(club=club)
        return _handicaps_page(request, club, HandicapRuleForm(instance=rule), form)
    if form.cleaned_data["handicap"] is None:
        if form.instance.pk:
            form.instance.delete()
    else:
        save_single_row(form)
    return redirect("handicaps", pk=club.pk)


@dataclass(frozen=True)
class GivenHandicap:
    """The handicap that a contestant of a session would get, with the handicaps of its players."""

    contestant: Contestant
    players: tuple[HandicapView, ...]
    handicap: Fraction

    @property
    def handicap_text(self) -> str:
        """Return the contestant's handicap as text with its sign."""
        return signed_handicap(self.handicap)

    @property
    def stored_text(self) -> str:
        """Return the handicap as a session stores it: a decimal with two places."""
        value = round_half_away(self.handicap, 2)
        return str((Decimal(value.numerator) / value.denominator).normalize())


def handicaps_of_session(tonight: SessionSnapshot, handicaps: ClubHandicaps) -> list[GivenHandicap]:
    """Return the club's handicap of each contestant of a session."""
    people = {
        entry.pk: entry.players
        for section in tonight.sections
        for entry in section.entries.prefetch_related("entry_people__person")
    }
    return [
        GivenHandicap(
            contestant,
            tuple(
                HandicapView(person, handicaps.person(person.pk))
                for person in people[contestant.entry]
            ),
            handicaps.handicap_of_pair([person.pk for person in people[contestant.entry]]),
        )
        for contestant in tonight.contestants.values()
        if people.get(contestant.entry)
    ]


@require_http_methods(["GET", "POST"])
def session_handicaps(request: UserRequest, code: str) -> HttpResponse:
    """Store the club's handicaps for a session's contestants."""
    section = section_for_scorer(request, code)
    if section.movement is None:
        return redirect("choose-movement", code=section.code)
    if request.method != "POST":
        return redirect_with_part_open("handicaps", "classes", section.code)
    # computed before the page's snapshot, because final lists may be written to the cache
    club_handicaps = ClubHandicaps(section.club, section.session.date)
    try:
        _store_handicaps(section, club_handicaps, by=request.user)
    except ChangeRefused as refused:
        messages.warning(request, change_refused(refused))
        return redirect_with_part_open("handicaps", "classes", section.code)
    messages.success(request, _("Everybody has the club’s handicap."))
    return redirect("ranking", code=section.code)


def _store_handicaps(section: Section, handicaps: ClubHandicaps, *, by: User) -> None:
    """Store the handicaps of a session's contestants; strata and categories stay."""
    with read_snapshot():
        tonight = SessionSnapshot(section)
        scoring, given = tonight.scoring, handicaps_of_session(tonight, handicaps)
    classes = {}
    for contestant in given:
        present = scoring.classes.get(str(contestant.contestant.entry), {})
        others = {key: value for key, value in present.items() if key != "handicap"}
        own = {"handicap": contestant.stored_text} if contestant.handicap else {}
        classes[contestant.contestant.entry] = others | own
    store_classes(
        section,
        strata=(scoring.profile.get("strata") or {}).get("names", ()),
        classes=classes,
        min_played=str(scoring.profile.get("min_played", "")),
        masterpoints=scoring.masterpoints,
        by=by,
    )
