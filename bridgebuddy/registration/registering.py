"""Saying beforehand who comes, and making the list of it: one change, one function.

Whoever changes what is said of a session locks its switch first. `by` is the director who says it for somebody;
None: they say so themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from bridgebuddy.audit.services import record
from bridgebuddy.clubs.models import Person, User, folded
from bridgebuddy.events.models import EntryPerson, Section, Session
from bridgebuddy.events.services.entries import add_pairs, people_named
from bridgebuddy.events.services.locking import lock_session
from bridgebuddy.events.services.recording import note_shown
from bridgebuddy.jobs.services import ask

from .errors import DoesNotCome, HasSomebody, NotTaken, OnlyPairs, OwnPartner, TooManyNames
from .models import Answer, Beforehand, TypedName
from .preparation_requests import request_preparation
from .registrations import Registrations, Says, is_closed, is_no_evening, is_with
from .reminders import ask_reminder

PAIR = 2
#: so many names of strangers wait for a director; then each new one takes the place of the oldest unknown one
MOST_TYPED = 300
AND = " & "
#: the job that tells a partner that they are asked, by the key of the answer
ASKED, ASKED_WAITS = "mail-asked", timedelta(minutes=2)


@transaction.atomic
def switch(section: Section, *, is_on: bool, most: int | None, by: User) -> None:
    """Let players say of a session whether they come, or let them no longer; and how many pairs there is room for.

    Raises `OnlyPairs` where others than pairs play.
    """
    if is_on and section.people_an_entry != PAIR:
        raise OnlyPairs()
    found, _ = Beforehand.objects.select_for_update().get_or_create(session=section.session)
    if (found.is_on, found.most) != (is_on, most):
        if found.is_on != is_on:
            record("section.beforehand", section, by=by, on=is_on)
        found.is_on, found.most = is_on, most
        found.save()


@transaction.atomic
def switch_as(session: Session, like: Session) -> None:
    """Let players say of a session whether they come as they can of another one."""
    found = Beforehand.objects.filter(session=like, is_on=True).first()
    if found:
        Beforehand.objects.get_or_create(
            session=session, defaults={"is_on": True, "most": found.most}
        )


def _locked(
    session: Session, by: User | None, is_shut: Callable[[Session], bool] = is_closed
) -> Session:
    """Return a session of which something can be said, with its switch locked. Raises `NotTaken`."""
    found = Beforehand.objects.select_for_update(of=("self",)).filter(session=session)
    lock = found.select_related("session__event__club").first()
    if lock is None or not (lock.is_on or by) or is_shut(lock.session):
        raise NotTaken()
    if lock.session.date == lock.session.event.club.today:
        request_preparation(lock.session)
    return lock.session


@transaction.atomic
def come(session: Session, person: Person, partner: Person, *, by: User | None = None) -> None:
    """Say that somebody comes with a partner, who is asked; who has named them first has agreed by it.

    A director says it for both. Raises `NotTaken`, `OwnPartner`, `HasSomebody`, and `DoesNotCome` unless a
    director says it.
    """
    session = _locked(session, by)
    if person.pk == partner.pk:
        raise OwnPartner()
    answers = Answer.objects.filter(session=session, person__in=(person, partner))
    found = {answer.person_id: answer for answer in answers}
    for one in (partner, person)[: PAIR if by else 1]:
        other = person if one == partner else partner
        said = found.get(one.pk)
        if said is None:
            continue
        if said.says == Says.NOT and not by:
            raise DoesNotCome(name=one.name)
        has_other = said.says == Says.COMES and said.partner_id not in (None, other.pk)
        if has_other:
            raise HasSomebody(name=one.name)
    _say(session, person, Says.COMES, partner)
    ask_reminder(session)
    if by:
        _say(session, partner, Says.COMES, person)
        _record(session, "section.said_for", by, [person, partner])
        return
    theirs = found.get(partner.pk)
    if settings.HAS_MAIL and (theirs is None or not is_with(theirs, person.pk)):
        ask(ASKED, Answer.objects.get(session=session, person=person).pk, wait=ASKED_WAITS)


@transaction.atomic
def look(session: Session, person: Person, *, by: User | None = None) -> None:
    """Say that somebody comes and looks for a partner. Raises `NotTaken`."""
    session = _locked(session, by)
    _say(session, person, Says.LOOKS)
    ask_reminder(session)
    if by:
        _record(session, "section.said_for", by, [person])


@transaction.atomic
def stay_away(session: Session, people: Sequence[Person], *, by: User | None = None) -> None:
    """Say that somebody does not come, both of a pair where a director leaves it out. Raises `NotTaken`.

    Of whom a director leaves out who has not said anything, nothing is noted: another may name them. Where they are on
    the list already, its pages say so: a director takes them off.
    """
    session = _locked(session, by)
    if by:
        answers = Answer.objects.filter(session=session, person__in=people)
        said = set(answers.exclude(says=Says.LOOKS).values_list("person", flat=True))
        people = [person for person in people if person.pk in said or len(people) == 1]
    for person in people:
        _say(session, person, Says.NOT)
    links = EntryPerson.objects.filter(section__session=session, person__in=people)
    entered = links.values_list("section", flat=True).first()
    if entered:
        section, _ = lock_session(Section.objects.get(pk=entered))
        note_shown(section, "section.not_this_time", by=by, names=_names(people))
    elif by:
        _record(session, "section.not_this_time", by, people)


@transaction.atomic
def come_in(
    session: Session, people: Sequence[Person], *, is_here: bool = True, by: User | None = None
) -> None:
    """Note who is here, on the day; who was asked has said yes by it. Raises `NotTaken`.

    Once round 1 has begun only of whom it is known that they come late: they wait for a seat then.
    """
    session = _locked(session, by, is_no_evening)
    has_begun = session.sections.filter(round__gt=0).exists()
    if is_here and not has_begun:
        _agree(session, people)
    said = Answer.objects.filter(session=session, person__in=people).exclude(says=Says.NOT)
    here = said.filter(here_at=None) if is_here else said.exclude(here_at=None)
    late = [answer.person for answer in here.exclude(late_at=None).select_related("person")]
    if has_begun and not said.exclude(late_at=None).exists():
        raise NotTaken()
    if has_begun:
        here = here.exclude(late_at=None)
    elif is_here:
        here.update(late_at=None)
    here.update(here_at=timezone.now() if is_here else None)
    if late:
        _show(session, "section.is_here" if is_here else "section.not_here", late, by=by)


@transaction.atomic
def come_late(
    session: Session, people: Sequence[Person], minutes: int, *, by: User | None = None
) -> None:
    """Note that somebody is here in so many minutes, and the partner with them; 0 takes it back.

    It moves nobody: a director sees it. The same again is no later time. Who was asked has said yes by it. Raises
    `NotTaken` on another day, once all is over, and where nobody of them has said that they come.
    """
    session = _locked(session, by, is_no_evening)
    if minutes and not session.sections.filter(round__gt=0).exists():
        _agree(session, people)
    known = Answer.objects.filter(session=session).exclude(says=Says.NOT)
    mine = known.filter(person__in=people)
    if not mine.exists():
        raise NotTaken()
    theirs = known.filter(says=Says.COMES, partner__in=people)
    theirs = theirs.filter(person__in=mine.filter(says=Says.COMES).values("partner"))
    awaited = (mine | theirs).select_related("person").order_by("pk")
    if minutes:
        awaited = awaited.filter(here_at=None)
    at = timezone.now() + timedelta(minutes=minutes) if minutes else None
    changed = [answer for answer in awaited if _is_another(answer.late_at, at)]
    Answer.objects.filter(pk__in=[answer.pk for answer in changed]).update(late_at=at)
    if changed:
        names = [answer.person for answer in changed]
        _show(session, "section.late", names, by=by, minutes=minutes)


def _is_another(before: datetime | None, at: datetime | None) -> bool:
    """Whether a time is another one than was said, and not the same press once more."""
    if before is None or at is None:
        return before != at
    return abs(at - before) >= timedelta(minutes=1)


def _agree(session: Session, people: Sequence[Person]) -> None:
    """Whoever is asked and says when they come has said yes by it."""
    known = Registrations(session)
    for person in people:
        answer = known.answers.get(person.pk)
        asked = known.asking(person.pk)
        if asked and (answer is None or answer.says != Says.COMES):
            _say(session, person, Says.COMES, asked[0].person)


def _show(
    session: Session, action: str, people: Sequence[Person], *, by: User | None, **facts: object
) -> None:
    """Record something that every desk of a session shows, and let them show it."""
    first = session.sections.order_by("pk").first()
    if first:
        _, sections = lock_session(first)
        note_shown(sections[0], action, by=by, names=_names(people), **facts)
        for other in sections[1:]:
            other.touch()


def _say(session: Session, person: Person, says: str, partner: Person | None = None) -> None:
    """Keep somebody's answer; whoever has named them is left alone, unless it is who they come with."""
    now = timezone.now()
    TypedName.objects.filter(session=session, by=person).delete()
    answer = Answer.objects.filter(session=session, person=person).first()
    answer = answer or Answer(session=session, person=person)
    if (answer.says, answer.partner_id) == (says, partner.pk if partner else None):
        return
    was_with = answer.partner_id if answer.says == Says.COMES else None
    answer.says, answer.partner, answer.since = says, partner, now
    if says == Says.NOT:
        answer.here_at = answer.late_at = None
    answer.save()
    naming = Answer.objects.filter(session=session, partner=person, says=Says.COMES)
    if partner:
        naming = naming.exclude(person=partner)
    if says == Says.LOOKS and was_with is None:
        return  # who looks may still be asked
    naming.update(says=Says.ALONE, since=now)


@transaction.atomic
def type_names(
    session: Session, name: str, partner: str = "", *, of: Person | None = None
) -> TypedName:
    """Let names wait for a director: of a stranger, or whom somebody names that the roster does not know.

    The same names again are no other ones. Where too many wait, the oldest that the roster does not know goes, so that
    invented names keep no guest out. Raises `NotTaken`, and `TooManyNames` where all that wait are on the roster.
    """
    session = _locked(session, None)
    waiting = TypedName.objects.filter(session=session)
    if of:
        _forget_answer(session, of)
    elif same := waiting.filter(by=None, name=name, partner=partner).first():
        return same
    elif waiting.filter(by=None).count() >= MOST_TYPED:
        unknown = _unknown(session)
        if not unknown:
            raise TooManyNames()
        unknown[0].delete()
    return TypedName.objects.create(
        session=session, by=of, name=name, partner=partner, since=timezone.now()
    )


def _forget_answer(session: Session, person: Person) -> None:
    _say(session, person, Says.NOT)
    Answer.objects.filter(session=session, person=person).delete()


@transaction.atomic
def confirm(typed: TypedName, name: str, partner: str = "", *, by: User) -> None:
    """Take names that were typed, as a director spells them; who is not on the roster joins it.

    Raises what `come` and `look` raise, and `NotTaken` where another director has seen to it.
    """
    session = _locked(typed.session, by)
    kept = TypedName.objects.filter(pk=typed.pk)
    if not kept.exists():
        raise NotTaken()
    kept.delete()
    say_for(session, [one for one in (name, partner) if one], by=by)


@transaction.atomic
def say_for(session: Session, names: Sequence[str], *, by: User) -> None:
    """Say for one or two people that they come; who is not on the roster joins it.

    Raises what `come` and `look` raise.
    """
    known = people_named(session.event.club, names)
    people = [known[folded(name)] for name in names]
    if len(people) == 1:
        look(session, people[0], by=by)
    else:
        come(session, people[0], people[1], by=by)


@transaction.atomic
def refuse(typed: TypedName, *, by: User) -> None:
    """Do not take names that were typed; of a player's own page it is said there that they have no partner."""
    session = _locked(typed.session, by)
    if TypedName.objects.filter(pk=typed.pk).delete()[0] and typed.by:
        _say(session, typed.by, Says.ALONE)


def _unknown(session: Session) -> list[TypedName]:
    """Return strangers' names of which the roster knows none, the oldest first."""
    known = set(session.event.club.known_people.values_list("search", flat=True))
    waiting = TypedName.objects.filter(session=session, by=None).order_by("pk")
    return [typed for typed in waiting if not known & {folded(typed.name), folded(typed.partner)}]


@transaction.atomic
def refuse_unknown(session: Session, *, up_to: int, by: User) -> int:
    """Delete all strangers' names of which the roster knows none; return how many.

    `up_to` is the key of the last name that the director has seen; later ones stay. Raises `NotTaken`.
    """
    session = _locked(session, by)
    seen = [typed.pk for typed in _unknown(session) if typed.pk <= up_to]
    return TypedName.objects.filter(pk__in=seen).delete()[0]


@transaction.atomic
def make_list(section: Section, *, by: User) -> int:
    """Enter all pairs who come and are not on the list yet; return how many.

    Raises `NotTaken`, and what `add_pairs` raises.
    """
    session = _locked(section.session, by)
    section, _ = lock_session(section)
    found = Registrations(session).to_enter
    if found:
        add_pairs(
            section,
            [(request.one.person.name, request.other.person.name) for request in found],
            by=by,
        )
    return len(found)


def let_go(person: Person) -> None:
    """Take out what somebody has said, who is forgotten or leaves the roster: whoever named them is alone."""
    for answer in Answer.objects.filter(person=person).select_related("session"):
        _forget_answer(answer.session, person)
    naming = Answer.objects.filter(partner=person)
    naming.filter(says=Says.COMES).update(says=Says.ALONE)
    naming.update(partner=None)
    TypedName.objects.filter(by=person).delete()


def merge_answers(stays: Person, goes: Person) -> None:
    """Let somebody have said what they said under two names; where they said two things, what they say under the
    name that stays."""
    for answer in Answer.objects.filter(person=goes).select_related("session"):
        said = Answer.objects.filter(session=answer.session_id, person=stays)
        if said.exists():
            _forget_answer(answer.session, goes)
    Answer.objects.filter(person=goes).update(person=stays)
    Answer.objects.filter(partner=goes).update(partner=stays)
    for answer in Answer.objects.filter(person=stays, partner=stays):  # entered with themselves
        answer.says, answer.partner = Says.ALONE, None
        answer.save()
    kept = TypedName.objects.filter(by=stays).values("session")
    TypedName.objects.filter(by=goes, session__in=list(kept)).delete()
    TypedName.objects.filter(by=goes).update(by=stays)


def _names(people: Sequence[Person]) -> str:
    return AND.join(person.name for person in people)


def _record(session: Session, action: str, by: User, people: Sequence[Person]) -> None:
    section = session.sections.order_by("pk").first()
    if section:
        record(action, section, by=by, names=_names(people))
