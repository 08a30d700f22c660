"""The sessions on a player's own page: their registrations, and requests to them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef

from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.people.public_names import PublicName, public_name
from bridgebuddy.events.models import Session
from bridgebuddy.web.template_tags import long_date

from .late_arrivals import MINUTES, minutes_until
from .models import BlockedRequest, Registration
from .registrations import AnswerKind, Registrations, is_partner, open_sessions

COMES, ASKED, LOOKS, ALONE, NOT, TYPED = "comes", "asked", "looks", "alone", "not", "typed"


@dataclass(frozen=True)
class OwnSession:
    """A session to come with the player's own registration, as the player's page shows it.

    `state` is comes, asked (the partner has not answered), looks, alone (the partner has left),
    not, or typed. Typed means that the partner's name waits for the director; empty means no
    answer. `place` is the place on the waiting list.
    """

    session: Session
    state: str = ""
    partner: str = ""
    partner_key: int = 0
    #: the player's contact, as others who look can read it
    contact: str = ""
    place: int = 0
    pairs: int = 0
    is_full: bool = False
    is_here: bool = False
    partner_is_here: bool = False
    #: the announced times of arrival, of the player and of the partner
    late_at: datetime | None = None
    partner_late_at: datetime | None = None
    has_begun: bool = False
    #: the people who named the player and wait for an answer: key and name
    asking: tuple[tuple[int, str], ...] = ()

    @property
    def is_today(self) -> bool:
        """Return whether the session is today."""
        return self.session.date == self.session.event.club.today

    @property
    def has_partner(self) -> bool:
        """Return whether the player is registered with a partner who has not left, even if the name is hidden."""
        return bool(self.partner or self.partner_key) and self.state in (COMES, ASKED, TYPED)

    @property
    def wants_answer(self) -> bool:
        """Return whether the player must act: somebody asks to be the partner, or the partner is gone."""
        return bool(self.asking) or self.state == ALONE

    @property
    def can_report_arrival(self) -> bool:
        """Return whether the player can report their arrival now."""
        has_registered = self.state in (COMES, ASKED, LOOKS, ALONE) or bool(self.asking)
        return self.is_today and has_registered and not self.is_here

    @property
    def minutes(self) -> tuple[int, ...]:
        """Return the delays, in minutes, among which a late player can choose."""
        return MINUTES if self.can_report_arrival else ()

    @property
    def minutes_late(self) -> int:
        """Return the minutes until the player's announced arrival, or 0."""
        return minutes_until(self.late_at) if self.late_at else 0


def open_sessions_of(person: Person) -> list[OwnSession]:
    """Return the sessions for which a player can register or is registered, as `OwnSession`.

    Makes two queries.
    """
    sessions = open_sessions(person.club, typed_by=person)
    return _own_sessions(person, sessions) if sessions else []


def open_session_of(person: Person, key: int) -> OwnSession | None:
    """Return the session `key` as an `OwnSession` if the player can register there, else None."""
    sessions = [
        session for session in open_sessions(person.club, typed_by=person) if session.pk == key
    ]
    return _own_sessions(person, sessions)[0] if sessions else None


def _own_sessions(person: Person, sessions: Sequence[Session]) -> list[OwnSession]:
    """Return each session as `OwnSession`, with the person's own registration for it."""
    answers: defaultdict[int, dict[int, Registration]] = defaultdict(dict)
    own_answers = Registration.objects.filter(session__in=sessions).select_related(
        "person", "partner"
    )
    blocked = BlockedRequest.objects.filter(person=person, asks=OuterRef("person"), is_on=True)
    unread: set[tuple[int, int]] = set()
    for answer in own_answers.annotate(is_unread=Exists(blocked)).order_by("since", "pk"):
        answers[answer.session_id][answer.person_id] = answer
        if answer.is_unread:
            unread.add((person.pk, answer.person_id))
    registrations = [Registrations(session, answers[session.pk], unread) for session in sessions]
    return [_own_session(person, answer) for answer in registrations]


def _own_session(person: Person, registrations: Registrations) -> OwnSession:
    """Return the session of `registrations` with a person's own registration."""
    session, answers = registrations.session, registrations.answers
    typed: str | None = session.typed  # type: ignore[attr-defined]  # read with it
    mine, pair = answers.get(person.pk), registrations.pair_of(person.pk)
    partner = mine.partner if mine else None
    theirs = answers.get(partner.pk) if partner else None
    return OwnSession(
        session,
        state=_registration_state(person, mine, theirs) if typed is None else TYPED,
        partner=partner_name(partner, theirs, person) if typed is None else typed,
        partner_key=partner.pk if partner else 0,
        contact=mine.contact if mine else "",
        place=registrations.waiting_place_of(pair) if pair else 0,
        pairs=len(registrations.pairs),
        is_full=bool(registrations.registration_settings.most)
        and len(registrations.pairs) >= (registrations.registration_settings.most or 0),
        is_here=bool(mine and mine.here_at),
        partner_is_here=bool(theirs and theirs.here_at and is_partner(theirs, person.pk)),
        late_at=mine.late_at if mine and not mine.here_at else None,
        partner_late_at=theirs.late_at
        if theirs and not theirs.here_at and is_partner(theirs, person.pk)
        else None,
        has_begun=session.begun,  # type: ignore[attr-defined]  # read with it
        asking=tuple(
            (asking_answer.person_id, asking_answer.person.name)
            for asking_answer in registrations.partner_requests_to(person.pk)
        ),
    )


def partner_name(partner: Person | None, theirs: Registration | None, person: Person) -> str:
    """Return a partner's name as `person` may see it: the full name only if both have named each other."""
    if partner is None:
        return ""
    has_named = theirs is not None and theirs.partner_id == person.pk
    return partner.name if has_named else public_name_of(partner, person)


def public_name_of(partner: Person, person: Person) -> str:
    """Return the public form of the name of `partner` as `person` may see it; empty if it is hidden."""
    how = partner.public_name or person.club.public_names
    return "" if how == PublicName.NONE else public_name(partner.name, how)


def _registration_state(
    person: Person, own: Registration | None, theirs: Registration | None
) -> str:
    """Return the state of a person's registration, such as "asked", from both partners' answers."""
    if own is None:
        return ""
    if own.says == AnswerKind.COMES:
        if own.partner_id is None:
            return ALONE
        return COMES if theirs and is_partner(theirs, person.pk) else ASKED
    return {AnswerKind.LOOKS: LOOKS, AnswerKind.ALONE: ALONE}.get(AnswerKind(own.says), NOT)


def session_facts(session: Session) -> dict[str, str]:
    """Return the name, date and time of a session as texts for mails."""
    return {
        "event": session.event.name,
        "date": long_date(session.date),
        "time": f"{session.starts_at:%H:%M}",
    }
