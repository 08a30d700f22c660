"""The home page of a signed-in member: next evenings, last result, own page and the club's lists.

It shows public data and the member's own. A member whose account belongs to no person of the roster reads the same page
without registration.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from bridgebuddy.clubs.access import club_for_member
from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.clubs.people.public_names import use_public_names
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.models import Session
from bridgebuddy.money.words import own_money
from bridgebuddy.publication.documents import read_documents
from bridgebuddy.publication.models import ClubPage, PlayerPage
from bridgebuddy.publication.own import links
from bridgebuddy.publication.own.account_person import person_of_member
from bridgebuddy.publication.own.own_page import PersonalPageContents
from bridgebuddy.publication.queries import (
    next_sessions,
    published_championships,
    published_sessions,
)
from bridgebuddy.registration.own_sessions import OwnSession, open_session_of, open_sessions_of
from bridgebuddy.web.http import read_number

from .own_registration import PossiblePartner, possible_partners, run_registration_action

#: the published lists on the page
MOST_LISTS = 3
MOST_DIGITS = 15


@dataclass(frozen=True)
class NextEvening:
    """A session to come on a member's home page, with the member's registration."""

    session: Session
    date: OwnSession | None
    partner: PossiblePartner | None

    @property
    def partner_requests(self) -> list[tuple[int, str]]:
        """Return the people who ask the member to be their partner."""
        return list(self.date.asking) if self.date else []

    @property
    def is_decided(self) -> bool:
        """Return whether the member has answered already, so that the page offers to change the answer."""
        return bool(self.date and (self.date.state or self.date.asking))


@never_cache
@require_safe
def member_home(request: UserRequest, pk: int) -> HttpResponse:
    """Show the home page of a club's member: next sessions with the member's registration, documents, account."""
    club = club_for_member(request, pk)
    person = _person_of_reader(request, club)
    page = ClubPage.objects.filter(club=club).first()
    context = {
        "club": club,
        "tab": "home",
        "person": person,
        "evenings": _next_evenings(club, person),
        "page": page if page and page.is_on else None,
        "documents": read_documents(page.documents) if page else [],
        "money": own_money(person) if person else None,
    }
    with use_public_names(club):
        context |= {
            "own": PersonalPageContents(person) if person else None,
            "rankings": published_sessions(club).select_related("event", "scoring")[:MOST_LISTS],
            "championships": published_championships(club),
        }
        return render(request, "players/member_home.html", context)


@require_POST
def store_members_registration(request: UserRequest, pk: int, session: int) -> HttpResponse:
    """Store the registration that a member has made on the home page."""
    club = club_for_member(request, pk)
    person = _person_of_reader(request, club)
    date = open_session_of(person, session) if person else None
    if person is None:
        messages.warning(request, _("Your account belongs to no player yet. Ask the director."))
    elif date is None:
        messages.warning(request, _("Entries are closed. Ask the director."))
    elif problem := run_registration_action(request, person, date, possible_partners(person, date)):
        messages.warning(request, problem)
    return redirect("member-home", pk=club.pk)


@require_POST
def member_page(request: UserRequest, pk: int) -> HttpResponse:
    """Redirect to the member's personal page as a player, and create it if there is none."""
    club = club_for_member(request, pk)
    person = _person_of_reader(request, club)
    if person is None:
        messages.warning(request, _("Your account belongs to no player yet. Ask the director."))
        return redirect("member-home", pk=club.pk)
    page = _active_page(person) or links.give_first_address(
        person, PlayerPage.Way.CLUB, by=request.user
    )
    if page is None:
        messages.warning(request, _("The club has closed your own page. Ask the director."))
        return redirect("member-home", pk=club.pk)
    if session := read_number(request.POST.get("session"), MOST_DIGITS):
        return redirect("own-come", code=links.page_code(page), session=session)
    return redirect(links.page_address(page))


def _person_of_reader(request: UserRequest, club: Club) -> Person | None:
    """Return the player of the roster that the user's account belongs to, or None."""
    membership = club.memberships.get(user=request.user)
    membership.club = club
    return person_of_member(membership)


def _active_page(person: Person) -> PlayerPage | None:
    """Return a person's active personal page; None without one."""
    return PlayerPage.objects.filter(person=person, ended_at=None).first()


def _next_evenings(club: Club, person: Person | None) -> list[NextEvening]:
    """Return the club's next sessions, each with the member's registration and usual partner."""
    dates = {date.session.pk: date for date in open_sessions_of(person)} if person else {}
    partners = {
        key: next(iter(possible_partners(person, date)), None)
        for key, date in dates.items()
        if person and not date.state
    }
    with use_public_names(club):  # the host's name is the public one
        sessions = next_sessions(club)
    return [
        NextEvening(session, dates.get(session.pk), partners.get(session.pk))
        for session in sessions
    ]
