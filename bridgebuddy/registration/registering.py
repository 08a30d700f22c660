"""Services for registrations, and for making entries from them.

Each service that changes a session's registrations first locks its switch. `by` is the director who
acts for a player; None: the player acts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from bridgebuddy.audit.services import add_record
from bridgebuddy.clubs.models import Person, User, searchable
from bridgebuddy.events.models import EntryPerson, Section, Session
from bridgebuddy.events.services.locking import lock_session
from bridgebuddy.events.services.recording import record_visible_change
from bridgebuddy.events.services.setup.entries import add_pairs, people_named
from bridgebuddy.jobs.services import request_job

from .errors import (
    NotForPairs,
    PartnerHasCancelled,
    PartnerIsTaken,
    RegistrationRefused,
    SelfAsPartner,
    TooManyNames,
)
from .models import Registration, RegistrationSettings, UnconfirmedName
from .preparation_requests import request_preparation
from .registrations import (
    AnswerKind,
    Registrations,
    is_partner,
    is_registration_closed,
    refuses_arrivals,
)
from .reminders import request_reminder_job

PAIR = 2
#: the most visitors' names that wait; then a new name replaces the oldest unknown one
MOST_TYPED = 300
AND = " & "
#: the job that mails a partner request, by the key of the answer
ASKED, ASKED_WAITS = "mail-asked", timedelta(minutes=2)


@transaction.atomic
def switch_registration(
    section: Section, *, is_on: bool, maximum: int | None, by: User, opens_on: date | None = None
) -> None:
    """Turn a session's registration on or off, and set its limit of pairs and its first day.

    Raises `NotForPairs` for other contests.
    """
    if is_on and section.people_per_entry != PAIR:
        raise NotForPairs()
    settings_row, _ = RegistrationSettings.objects.select_for_update().get_or_create(
        session=section.session
    )
    before = settings_row.is_on, settings_row.most, settings_row.opens_on
    if before != (is_on, maximum, opens_on):
        if settings_row.is_on != is_on:
            add_record("section.beforehand", section, by=by, on=is_on)
        settings_row.is_on, settings_row.most, settings_row.opens_on = is_on, maximum, opens_on
        settings_row.save()


def _lock_registration(
    session: Session, by: User | None, is_shut: Callable[[Session], bool] = is_registration_closed
) -> Session:
    """Lock a session's registration settings, so that registrations can be changed; return the session.

    Raises `RegistrationRefused`.
    """
    settings_rows = RegistrationSettings.objects.select_for_update(of=("self",)).filter(
        session=session
    )
    lock = settings_rows.select_related("session__event__club").first()
    if lock is None or is_shut(lock.session):
        raise RegistrationRefused()
    today = lock.session.event.club.today
    if not (by or lock.is_open_on(today)):
        raise RegistrationRefused()
    if lock.session.date == today:
        request_preparation(lock.session)
    return lock.session


@transaction.atomic
def register_pair(
    session: Session, person: Person, partner: Person, *, by: User | None = None
) -> None:
    """Register a person with a partner, who is asked to agree unless they named the person before.

    A director registers both. Raises `RegistrationRefused`, `SelfAsPartner`, `PartnerIsTaken`, and for players
    `PartnerHasCancelled`.
    """
    session = _lock_registration(session, by)
    if person.pk == partner.pk:
        raise SelfAsPartner()
    answers = Registration.objects.filter(session=session, person__in=(person, partner))
    answer_of = {answer.person_id: answer for answer in answers}
    for person_named in (partner, person)[: PAIR if by else 1]:
        other = person if person_named == partner else partner
        former = answer_of.get(person_named.pk)
        if former is None:
            continue
        if former.says == AnswerKind.NOT and not by:
            raise PartnerHasCancelled(name=person_named.name)
        has_other = former.says == AnswerKind.COMES and former.partner_id not in (None, other.pk)
        if has_other:
            raise PartnerIsTaken(name=person_named.name)
    _store_answer(session, person, AnswerKind.COMES, partner)
    request_reminder_job(session)
    if by:
        _store_answer(session, partner, AnswerKind.COMES, person)
        _record_with_names(session, "section.said_for", by, [person, partner])
        return
    theirs = answer_of.get(partner.pk)
    if settings.HAS_MAIL and (theirs is None or not is_partner(theirs, person.pk)):
        request_job(
            ASKED, Registration.objects.get(session=session, person=person).pk, wait=ASKED_WAITS
        )


@transaction.atomic
def seek_partner(
    session: Session, person: Person, *, contact: str | None = None, by: User | None = None
) -> None:
    """Register a person who looks for a partner.

    `contact` replaces the telephone number or e-mail address that others who look can read, None
    leaves it. Raises `RegistrationRefused`.
    """
    session = _lock_registration(session, by)
    _store_answer(session, person, AnswerKind.LOOKS, contact=contact)
    request_reminder_job(session)
    if by:
        _record_with_names(session, "section.said_for", by, [person])


@transaction.atomic
def record_absence(session: Session, people: Sequence[Person], *, by: User | None = None) -> None:
    """Record that `people` do not come to a session; a director can remove both players of a pair.

    Removing a person who never answered stores nothing, so that they can still be named. If they
    have an entry, its pages show the cancellation, and a director removes it. Raises `RegistrationRefused`.
    """
    session = _lock_registration(session, by)
    if by:
        answers = Registration.objects.filter(session=session, person__in=people)
        registered = set(answers.exclude(says=AnswerKind.LOOKS).values_list("person", flat=True))
        people = [person for person in people if person.pk in registered or len(people) == 1]
    for person in people:
        _store_answer(session, person, AnswerKind.NOT)
    links = EntryPerson.objects.filter(section__session=session, person__in=people)
    entered = links.values_list("section", flat=True).first()
    if entered:
        section, _ = lock_session(Section.objects.get(pk=entered))
        record_visible_change(section, "section.not_this_time", by=by, names=_joined_names(people))
    elif by:
        _record_with_names(session, "section.not_this_time", by, people)


@transaction.atomic
def record_arrivals(
    session: Session, people: Sequence[Person], *, is_here: bool = True, by: User | None = None
) -> None:
    """Record that `people` have arrived at a session; an invited partner accepts by arriving.

    After the start of round 1 only known late players can arrive; they wait for a seat. Raises
    `RegistrationRefused`.
    """
    session = _lock_registration(session, by, refuses_arrivals)
    has_begun = session.sections.filter(round__gt=0).exists()
    if is_here and not has_begun:
        _accept_partner_requests(session, people)
    answers = Registration.objects.filter(session=session, person__in=people).exclude(
        says=AnswerKind.NOT
    )
    here = answers.filter(here_at=None) if is_here else answers.exclude(here_at=None)
    late = [answer.person for answer in here.exclude(late_at=None).select_related("person")]
    if has_begun and not answers.exclude(late_at=None).exists():
        raise RegistrationRefused()
    if has_begun:
        here = here.exclude(late_at=None)
    elif is_here:
        here.update(late_at=None)
    here.update(here_at=timezone.now() if is_here else None)
    if late:
        _record_and_show(session, "section.is_here" if is_here else "section.not_here", late, by=by)


@transaction.atomic
def record_delay(
    session: Session, people: Sequence[Person], minutes: int, *, by: User | None = None
) -> None:
    """Record that `people` and their partners will arrive in `minutes`; 0 removes an announced delay.

    It changes no seat: it is shown to the director. The same value again does not postpone the
    time. An invited partner accepts by it. Raises `RegistrationRefused` on another day, after the end, and
    without a registration.
    """
    session = _lock_registration(session, by, refuses_arrivals)
    if minutes and not session.sections.filter(round__gt=0).exists():
        _accept_partner_requests(session, people)
    answers = Registration.objects.filter(session=session).exclude(says=AnswerKind.NOT)
    mine = answers.filter(person__in=people)
    if not mine.exists():
        raise RegistrationRefused()
    theirs = answers.filter(says=AnswerKind.COMES, partner__in=people)
    theirs = theirs.filter(person__in=mine.filter(says=AnswerKind.COMES).values("partner"))
    awaited = (mine | theirs).select_related("person").order_by("pk")
    if minutes:
        awaited = awaited.filter(here_at=None)
    at = timezone.now() + timedelta(minutes=minutes) if minutes else None
    changed = [answer for answer in awaited if _is_other_time(answer.late_at, at)]
    Registration.objects.filter(pk__in=[answer.pk for answer in changed]).update(late_at=at)
    if changed:
        names = [answer.person for answer in changed]
        _record_and_show(session, "section.late", names, by=by, minutes=minutes)


def _is_other_time(old_time: datetime | None, at: datetime | None) -> bool:
    """Return whether two announced times differ by a minute or more; less means the same button pressed twice."""
    if old_time is None or at is None:
        return old_time != at
    return abs(at - old_time) >= timedelta(minutes=1)


def _accept_partner_requests(session: Session, people: Sequence[Person]) -> None:
    """Accept the partner request of each person who reports an arrival."""
    registrations = Registrations(session)
    for person in people:
        answer = registrations.answers.get(person.pk)
        asked = registrations.partner_requests_to(person.pk)
        if asked and (answer is None or answer.says != AnswerKind.COMES):
            _store_answer(session, person, AnswerKind.COMES, asked[0].person)


def _record_and_show(
    session: Session, action: str, people: Sequence[Person], *, by: User | None, **facts: object
) -> None:
    """Record a change of registrations in the history, and let the director's desks show it."""
    first = session.sections.order_by("pk").first()
    if first:
        _, sections = lock_session(first)
        record_visible_change(sections[0], action, by=by, names=_joined_names(people), **facts)
        for other in sections[1:]:
            other.touch()


def _store_answer(
    session: Session,
    person: Person,
    answer_kind: str,
    partner: Person | None = None,
    *,
    contact: str | None = None,
) -> None:
    """Store a person's answer for a session; a former partner is left without a partner (`ALONE`).

    The contact is deleted as soon as the person no longer looks for a partner.
    """
    now = timezone.now()
    UnconfirmedName.objects.filter(session=session, by=person).delete()
    answer = Registration.objects.filter(session=session, person=person).first()
    answer = answer or Registration(session=session, person=person)
    before, is_same = (
        answer.contact,
        (answer.says, answer.partner_id)
        == (
            answer_kind,
            partner.pk if partner else None,
        ),
    )
    answer.contact = (
        "" if answer_kind != AnswerKind.LOOKS else before if contact is None else contact
    )
    if is_same:
        if answer.contact != before:
            answer.save(update_fields=["contact"])
        return
    was_with = answer.partner_id if answer.says == AnswerKind.COMES else None
    answer.says, answer.partner, answer.since = answer_kind, partner, now
    if answer_kind == AnswerKind.NOT:
        answer.here_at = answer.late_at = None
    answer.save()
    naming = Registration.objects.filter(session=session, partner=person, says=AnswerKind.COMES)
    if partner:
        naming = naming.exclude(person=partner)
    if answer_kind == AnswerKind.LOOKS and was_with is None:
        return  # players who look for a partner can still be asked
    naming.update(says=AnswerKind.ALONE, since=now)


@transaction.atomic
def note_typed_names(
    session: Session, name: str, partner: str = "", *, partner_of: Person | None = None
) -> UnconfirmedName:
    """Store typed names that wait for a director: of a visitor, or of a partner who is not on the roster.

    Repeated names are stored once. Over the limit, the oldest name unknown to the roster is
    deleted, so that invented names block no guests. Raises `RegistrationRefused`, and `TooManyNames` if all
    waiting names are known.
    """
    session = _lock_registration(session, None)
    waiting = UnconfirmedName.objects.filter(session=session)
    if partner_of:
        _delete_answer(session, partner_of)
    elif same := waiting.filter(by=None, name=name, partner=partner).first():
        return same
    elif waiting.filter(by=None).count() >= MOST_TYPED:
        unknown = _unknown_typed_names(session)
        if not unknown:
            raise TooManyNames()
        unknown[0].delete()
    return UnconfirmedName.objects.create(
        session=session, by=partner_of, name=name, partner=partner, since=timezone.now()
    )


def _delete_answer(session: Session, person: Person) -> None:
    """Delete a person's registration for a session; the partner is left without a partner (`ALONE`)."""
    _store_answer(session, person, AnswerKind.NOT)
    Registration.objects.filter(session=session, person=person).delete()


@transaction.atomic
def confirm_names(
    unconfirmed_name: UnconfirmedName, name: str, partner: str = "", *, by: User
) -> None:
    """Register the typed names as the director spells them; new people join the roster.

    Raises the errors of `register_pair` and `seek_partner`, and `RegistrationRefused` if another director was faster.
    """
    session = _lock_registration(unconfirmed_name.session, by)
    waiting = UnconfirmedName.objects.filter(pk=unconfirmed_name.pk)
    if not waiting.exists():
        raise RegistrationRefused()
    waiting.delete()
    register_names(session, [typed_name for typed_name in (name, partner) if typed_name], by=by)


@transaction.atomic
def register_names(session: Session, names: Sequence[str], *, by: User) -> None:
    """Register one or two people by their names; new people join the roster.

    Raises the errors of `register_pair` and `seek_partner`.
    """
    people_by_name = people_named(session.event.club, names)
    people = [people_by_name[searchable(name)] for name in names]
    if len(people) == 1:
        seek_partner(session, people[0], by=by)
    else:
        register_pair(session, people[0], people[1], by=by)


@transaction.atomic
def refuse_names(unconfirmed_name: UnconfirmedName, *, by: User) -> None:
    """Delete typed names; the page of the player who typed them then shows that the partner is missing."""
    session = _lock_registration(unconfirmed_name.session, by)
    if UnconfirmedName.objects.filter(pk=unconfirmed_name.pk).delete()[0] and unconfirmed_name.by:
        _store_answer(session, unconfirmed_name.by, AnswerKind.ALONE)


def _unknown_typed_names(session: Session) -> list[UnconfirmedName]:
    """Return the typed names of visitors of which none is on the roster, oldest first."""
    roster = set(session.event.club.known_people.values_list("search", flat=True))
    waiting = UnconfirmedName.objects.filter(session=session, by=None).order_by("pk")
    return [
        typed
        for typed in waiting
        if not roster & {searchable(typed.name), searchable(typed.partner)}
    ]


@transaction.atomic
def refuse_unknown(session: Session, *, up_to: int, by: User) -> int:
    """Delete the typed names of visitors of which none is on the roster; return their number.

    `up_to` is the key of the last name that the director has seen; later names stay. Raises
    `RegistrationRefused`.
    """
    session = _lock_registration(session, by)
    seen = [typed.pk for typed in _unknown_typed_names(session) if typed.pk <= up_to]
    return UnconfirmedName.objects.filter(pk__in=seen).delete()[0]


@transaction.atomic
def enter_registered_pairs(section: Section, *, by: User) -> int:
    """Create the entries of all registered pairs that have none yet; return their number.

    Raises `RegistrationRefused`, and the errors of `add_pairs`.
    """
    session = _lock_registration(section.session, by)
    section, _ = lock_session(section)
    pairs = Registrations(session).pairs_to_enter
    if pairs:
        add_pairs(
            section,
            [(request.one.person.name, request.other.person.name) for request in pairs],
            by=by,
        )
    return len(pairs)


def delete_registrations(person: Person) -> None:
    """Delete all registrations of a person; their partners are left without a partner (`ALONE`)."""
    for answer in Registration.objects.filter(person=person).select_related("session"):
        _delete_answer(answer.session, person)
    naming = Registration.objects.filter(partner=person)
    naming.filter(says=AnswerKind.COMES).update(says=AnswerKind.ALONE)
    naming.update(partner=None)
    UnconfirmedName.objects.filter(by=person).delete()


def merge_answers(kept_person: Person, merged_person: Person) -> None:
    """Give the registrations of `merged_person` to `kept_person`; where both have one, that of `kept_person` counts."""
    for answer in Registration.objects.filter(person=merged_person).select_related("session"):
        answers = Registration.objects.filter(session=answer.session_id, person=kept_person)
        if answers.exists():
            _delete_answer(answer.session, merged_person)
    Registration.objects.filter(person=merged_person).update(person=kept_person)
    Registration.objects.filter(partner=merged_person).update(partner=kept_person)
    for answer in Registration.objects.filter(
        person=kept_person, partner=kept_person
    ):  # entered with themselves
        answer.says, answer.partner = AnswerKind.ALONE, None
        answer.save()
    sessions = UnconfirmedName.objects.filter(by=kept_person).values("session")
    UnconfirmedName.objects.filter(by=merged_person, session__in=list(sessions)).delete()
    UnconfirmedName.objects.filter(by=merged_person).update(by=kept_person)


def _joined_names(people: Sequence[Person]) -> str:
    """Return the full names of people as one text, for the history."""
    return AND.join(person.name for person in people)


def _record_with_names(session: Session, action: str, by: User, people: Sequence[Person]) -> None:
    """Record a change in the history of a session, with the names of the people concerned."""
    section = session.sections.order_by("pk").first()
    if section:
        add_record(action, section, by=by, names=_joined_names(people))
