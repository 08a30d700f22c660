"""Registration on a player's own page: presence, partner, and arrival.

Full names are shown of partners, and of players who asked the owner. They are also shown to each
other by players who look for a partner and have their own page, with the contact that each has typed.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from bridgebuddy.clubs.models import Person, searchable
from bridgebuddy.clubs.people.names import one_line
from bridgebuddy.clubs.sign_in.limits import AttemptLimit
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Session
from bridgebuddy.events.names import is_plain_text, problem_of_name
from bridgebuddy.publication.models import PlayerPage
from bridgebuddy.publication.own.links import page_code
from bridgebuddy.publication.own.own_sessions import published_sessions_of
from bridgebuddy.registration import registering
from bridgebuddy.registration.blocked_requests import block_requests, report_unwanted_requests
from bridgebuddy.registration.errors import PartnerHasCancelled, PartnerIsTaken, SelfAsPartner
from bridgebuddy.registration.late_arrivals import MINUTES
from bridgebuddy.registration.models import (
    LONGEST_CONTACT,
    LONGEST_NAME,
    BlockedRequest,
    Registration,
)
from bridgebuddy.registration.own_sessions import (
    LOOKS,
    OwnSession,
    open_session_of,
    public_name_of,
)
from bridgebuddy.registration.registrations import usual_partners
from bridgebuddy.web.folds import redirect_with_part_open
from bridgebuddy.web.http import read_number

from .own import render_own_page, with_own_page

#: more tries would reveal who is registered
TYPED = AttemptLimit("partners named on an own page", 20, 3600)
#: each of these is shown on the director's desk
LATE = AttemptLimit("times somebody says that they come late", 20, 3600)
NOT_LATE = 0


@dataclass(frozen=True)
class PossiblePartner:
    """A partner offered on the registration page; `looks` means that this player looks for a partner too."""

    key: int
    name: str
    looks: bool = False
    contact: str = ""


@require_safe
@with_own_page
def own_open_sessions(request: HttpRequest, page: PlayerPage) -> HttpResponse:
    """Redirect the former address of the open sessions to the personal page."""
    return redirect_with_part_open("coming", "own-page", page_code(page))


@require_http_methods(["GET", "POST"])
@with_own_page
def own_session_registration(request: HttpRequest, page: PlayerPage, session: int) -> HttpResponse:
    """Show a session on a player's personal page, and store registration, partner or arrival."""
    person = page.person
    date = open_session_of(person, session)
    if date is None:
        messages.info(request, _("Entries are closed. Ask the director."))
        return redirect_with_part_open("coming", "own-page", page_code(page))
    partners = possible_partners(person, date)
    problem = ""
    if request.method == "POST":
        problem = run_registration_action(request, person, date, partners)
        if not problem:
            return redirect("own-come", code=page_code(page), session=session)
    return render_own_page(
        request,
        "players/own/come.html",
        page,
        date=date,
        partners=partners,
        problem=problem,
        typed=request.POST.get("name", "") if problem else "",
        contact=request.POST.get("contact", "") if problem else date.contact,
        seeks=bool(problem) and request.POST.get("with") == "look",
        longest=LONGEST_NAME,
        longest_contact=LONGEST_CONTACT,
    )


def possible_partners(person: Person, date: OwnSession) -> list[PossiblePartner]:
    """Return the partners to offer to a player: others without a partner, then usual partners."""
    looking: list[PossiblePartner] = []
    if date.state == LOOKS:
        others = Registration.objects.filter(
            session=date.session, says=Registration.AnswerKind.LOOKS
        )
        pages = PlayerPage.objects.filter(ended_at=None).values("person")
        there = others.exclude(person=person).filter(person__in=pages).select_related("person")
        blocked = BlockedRequest.objects.filter(person=OuterRef("person"), asks=person, is_on=True)
        looking = [
            PossiblePartner(
                seeker.person_id,
                seeker.person.name,
                looks=True,
                contact="" if seeker.has_blocked else seeker.contact,
            )
            for seeker in there.annotate(has_blocked=Exists(blocked))
        ]
    usual = usual_partners(
        person, [open_session.session for open_session in published_sessions_of(person)]
    )
    usual_offers = [
        PossiblePartner(usual_partner.pk, name)
        for usual_partner in usual
        if (name := public_name_of(usual_partner, person))
    ]
    named = (
        [PossiblePartner(date.partner_key, date.partner)]
        if date.partner_key and date.partner
        else []
    )
    keys = {partner.key for partner in (*named, *looking)}
    return [*named, *looking, *(partner for partner in usual_offers if partner.key not in keys)]


def run_registration_action(
    request: HttpRequest, person: Person, date: OwnSession, partners: list[PossiblePartner]
) -> str:
    """Run the action of a button on a registration page; return an error message, or ""."""
    session, do = date.session, request.POST.get("do", "")
    try:
        if do == "away":
            registering.record_absence(session, [person])
        elif do == "here" and date.can_report_arrival:
            registering.record_arrivals(session, [person])
        elif do == "late" and date.can_report_arrival:
            minutes = read_number(request.POST.get("minutes"), 2)
            if minutes not in (NOT_LATE, *MINUTES):
                return _("Choose in how many minutes you are here.")
            if LATE.count(f"{session.pk} {person.pk}"):
                return _("You have changed it too often. Ask the director.")
            registering.record_delay(session, [person], minutes)
        elif do in ("unwanted", "tell") and (asks := _asking_person(person, date, request)):
            _block_requests(request, person, asks, do)
        elif do == "come":
            return _register_with_choice(
                request.POST.get("with", ""), request, person, date, partners
            )
    except PartnerHasCancelled:
        return _("This player has declined.")
    except PartnerIsTaken:
        return _("This player is coming with another partner.")
    except SelfAsPartner:
        return _("You entered your own name. Enter your partner’s name.")
    except ChangeRefused:
        return _("Entries are closed. Ask the director.")
    return ""


def _asking_person(person: Person, date: OwnSession, request: HttpRequest) -> Person | None:
    """Return the person with the sent key, if that person asked the player to be the partner, or None."""
    keys = [key for key, _name in date.asking if str(key) == request.POST.get("with")]
    return person.club.known_people.filter(pk__in=keys).first()


def _block_requests(request: HttpRequest, person: Person, sender: Person, do: str) -> None:
    """Block the partner requests of a person, and report them to the club if the player wants it."""
    block_requests(person, sender)
    if do == "tell":
        report_unwanted_requests(person, sender)
        message = _("The club has been informed. Requests from %(name)s are no longer shown here.")
    else:
        message = _("Requests from %(name)s are no longer shown here.")
    messages.success(request, message % {"name": sender.name})


def _register_with_choice(
    choice: str,
    request: HttpRequest,
    person: Person,
    date: OwnSession,
    partners: list[PossiblePartner],
) -> str:
    """Store the registration that a player has chosen; return the reason if it is refused."""
    session = date.session
    if choice == "look":
        return _seek_with_contact(request.POST.get("contact"), person, session)
    if choice == "other":
        return _register_with_name(request.POST.get("name", ""), person, date)
    keys = {str(partner.key) for partner in partners} | {str(key) for key, _name in date.asking}
    named_partner = (
        person.club.known_people.filter(pk=int(choice)).first() if choice in keys else None
    )
    if named_partner is None:
        return _("Choose a partner, or ask for a partner.")
    registering.register_pair(session, person, named_partner)
    return ""


def _seek_with_contact(contact_text: str | None, person: Person, session: Session) -> str:
    """Register a person who looks for a partner, with the typed contact if the form has that field."""
    contact = None if contact_text is None else one_line(contact_text)
    if contact and (len(contact) > LONGEST_CONTACT or not is_plain_text(contact)):
        return _("Type a telephone number or an e-mail address, at most %(most)s characters.") % {
            "most": LONGEST_CONTACT
        }
    registering.seek_partner(session, person, contact=contact)
    return ""


def _register_with_name(partner_name: str, person: Person, date: OwnSession) -> str:
    """Register a person with a partner by typed name; a name unknown to the roster waits for the director."""
    name = one_line(partner_name)
    if problem_of_name(name):
        return _("Type the name of your partner, at most 60 letters.")
    if TYPED.count(str(person.pk)):
        return _("You have entered too many names. Ask the director.")
    partner = person.club.known_people.filter(search=searchable(name)).first()
    if partner is None:
        registering.note_typed_names(date.session, person.name, name, partner_of=person)
    else:
        registering.register_pair(date.session, person, partner)
    return ""
