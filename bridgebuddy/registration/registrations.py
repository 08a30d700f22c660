"""Registrations for a session: confirmed pairs, waiting list, partner requests and arrivals."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.clubs.people.names import joined_names
from bridgebuddy.events.models import Entry, EntryPerson, Section, Session
from bridgebuddy.events.queries.sessions.club_sessions import sessions_scored_here

from .models import BlockedRequest, Registration, RegistrationSettings, UnconfirmedName

AnswerKind = Registration.AnswerKind
#: the most coming sessions that are read at a time
MOST = 20


@dataclass(frozen=True)
class Attendee:
    """A registered person of a pair, with the time of arrival."""

    person: Person
    here_at: datetime | None = None
    late_at: datetime | None = None


@dataclass(frozen=True)
class RegisteredPair:
    """A registered pair; `asked` means that the second player has not agreed yet."""

    one: Attendee
    other: Attendee
    since: datetime
    key: int
    asked: bool = False

    @property
    def attendees(self) -> tuple[Attendee, Attendee]:
        """Return both players of the pair, as attendees."""
        return self.one, self.other

    @property
    def people(self) -> tuple[int, int]:
        """Return the primary keys of both people."""
        return self.one.person.pk, self.other.person.pk

    @property
    def names(self) -> str:
        """Return the names of the pair."""
        return joined_names([self.one.person.name, self.other.person.name])

    @property
    def missing(self) -> list[Person]:
        """Return the players of the pair that have not arrived."""
        return [partner.person for partner in self.attendees if partner.here_at is None]

    @property
    def is_here(self) -> bool:
        """Return whether both players have arrived."""
        return not self.missing

    @property
    def late_at(self) -> datetime | None:
        """Return the announced time at which both will be present; None without one."""
        times = [
            partner.late_at
            for partner in self.attendees
            if partner.late_at and partner.here_at is None
        ]
        return max(times, default=None)


class Registrations:
    """All registrations of a session: pairs, waiting list, players without a partner, cancellations.

    Makes two queries, and three more for the entries.
    """

    def __init__(
        self,
        session: Session,
        answers: dict[int, Registration] | None = None,
        not_asked: Collection[tuple[int, int]] | None = None,
    ) -> None:
        self.session, self._read, self._not_asked = session, answers, not_asked

    @cached_property
    def registration_settings(self) -> RegistrationSettings:
        """Return the session's registration settings; unsaved default settings if none are stored."""
        switch_row: RegistrationSettings | None = getattr(self.session, "beforehand", None)
        return switch_row or RegistrationSettings(session=self.session)

    @cached_property
    def answers(self) -> dict[int, Registration]:
        """Return all answers for the session, by the primary key of the person."""
        if self._read is not None:
            return self._read
        answer_rows = Registration.objects.filter(session=self.session).select_related(
            "person", "partner"
        )
        return {answer.person_id: answer for answer in answer_rows.order_by("since", "pk")}

    @cached_property
    def pairs(self) -> list[RegisteredPair]:
        """Return all registered pairs in order of registration."""
        by_people: dict[frozenset[int], RegisteredPair] = {}
        for answer in self.answers.values():
            if answer.says != AnswerKind.COMES or answer.partner is None:
                continue
            key = frozenset((answer.person_id, answer.partner.pk))
            other = self.answers.get(answer.partner.pk)
            is_asked = other is None or not is_partner(other, answer.person_id)
            theirs = (other.here_at, other.late_at) if other else ()
            both = (
                Attendee(answer.person, answer.here_at, answer.late_at),
                Attendee(answer.partner, *theirs),
            )
            by_people.setdefault(key, RegisteredPair(*both, answer.since, answer.pk, is_asked))
        return list(by_people.values())

    @property
    def pairs_with_place(self) -> list[RegisteredPair]:
        """Return the registered pairs that have a place in the session: those within the limit of pairs."""
        return self.pairs[: self.registration_settings.most]

    @property
    def waiting_pairs(self) -> list[RegisteredPair]:
        """Return the pairs on the waiting list, in order."""
        return self.pairs[len(self.pairs_with_place) :]

    @property
    def agreed_pairs(self) -> list[RegisteredPair]:
        """Return the pairs within the limit whose partners have agreed."""
        return [comer for comer in self.pairs_with_place if not comer.asked]

    @property
    def seekers(self) -> list[Registration]:
        """Return the answers of people who come but have no partner."""
        return [answer for answer in self.answers.values() if needs_partner(answer)]

    @property
    def absence_answers(self) -> list[Registration]:
        """Return the answers of people who have said that they do not come."""
        return [answer for answer in self.answers.values() if answer.says == AnswerKind.NOT]

    @cached_property
    def unconfirmed_names(self) -> list[UnconfirmedName]:
        """Return the names that visitors typed and a director must confirm, oldest first."""
        names = UnconfirmedName.objects.filter(session=self.session).select_related("by")
        return list(names.order_by("since", "pk"))

    @cached_property
    def entries_by_person(self) -> dict[int, int]:
        """Return the session's entries, by the primary key of each entered person."""
        links = EntryPerson.objects.filter(section__session=self.session)
        return dict(links.values_list("person_id", "entry_id"))

    @property
    def pairs_to_enter(self) -> list[RegisteredPair]:
        """Return the pairs that can be entered: neither player has an entry."""
        return [
            agreement
            for agreement in self.agreed_pairs
            if not self.entries_by_person.keys() & set(agreement.people)
        ]

    @property
    def half_entered_pairs(self) -> list[RegisteredPair]:
        """Return the pairs that cannot be entered, because a player is entered with somebody else."""
        entries = [
            (agreement, [self.entries_by_person.get(person) for person in agreement.people])
            for agreement in self.agreed_pairs
        ]
        return [entry for entry, where in entries if any(where) and where[0] != where[1]]

    @property
    def expected_pair_count(self) -> int:
        """Return the expected number of pairs: entries without a cancellation, and pairs not yet entered."""
        gone = {
            self.entries_by_person[answer.person_id]
            for answer in self.absence_answers
            if answer.person_id in self.entries_by_person
        }
        new = [
            comer
            for comer in self.pairs_with_place
            if not self.entries_by_person.keys() & set(comer.people)
        ]
        return len(set(self.entries_by_person.values()) - gone) + len(new)

    def pair_of(self, person: int) -> RegisteredPair | None:
        """Return the registered pair of a person (by primary key); None if the person has no partner."""
        answer = self.answers.get(person)
        if answer is None or answer.says != AnswerKind.COMES:
            return None
        both = {person, answer.partner_id}
        return next((pair for pair in self.pairs if set(pair.people) == both), None)

    def waiting_place_of(self, pair: RegisteredPair) -> int:
        """Return a pair's place on the waiting list; 0 if it is within the limit."""
        waiting = self.waiting_pairs
        return waiting.index(pair) + 1 if pair in waiting else 0

    def partner_requests_to(self, person: int) -> list[Registration]:
        """Return the answers of people who ask this person (a primary key) to be their partner, without blocked ones.

        Makes one query if there are any.
        """
        named = [answer for answer in self.answers.values() if is_partner(answer, person)]
        mine = self.answers.get(person)
        asking = [
            partner_answer
            for partner_answer in named
            if mine is None or not is_partner(mine, partner_answer.person_id)
        ]
        if not asking:
            return []
        unread = blocked_request_keys(person) if self._not_asked is None else self._not_asked
        return [asker for asker in asking if (person, asker.person_id) not in unread]


def registered_pair_counts(club: Club) -> dict[int, int]:
    """Return the number of registered pairs within the limit, by the key of each session to come.

    Makes one query.
    """
    return _pair_counts(
        Registration.objects.filter(
            session__in=sessions_scored_here(club).filter(date__gte=club.today)
        )
    )


def registered_pair_count(session: Session) -> int:
    """Return the number of registered pairs of a session within the limit of pairs.

    Makes one query.
    """
    return _pair_counts(Registration.objects.filter(session=session)).get(session.pk, 0)


def _pair_counts(answers: QuerySet[Registration]) -> dict[int, int]:
    """Return the number of registered pairs within the limit of pairs, by session key, from registrations."""
    named = answers.filter(says=AnswerKind.COMES, partner__isnull=False)
    pairs: dict[int, set[frozenset[int]]] = {}
    limits: dict[int, int | None] = {}
    for session, most, *people in named.values_list(
        "session", "session__beforehand__most", "person", "partner"
    ):
        limits[session] = most
        pairs.setdefault(session, set()).add(frozenset(people))
    return {
        session: min(len(registered), limits[session] or len(registered))
        for session, registered in pairs.items()
    }


def blocked_request_keys(person: int) -> set[tuple[int, int]]:
    """Return the primary keys (blocker, sender) of the partner requests that `person` has blocked.

    Makes one query.
    """
    blocked = BlockedRequest.objects.filter(person=person, is_on=True)
    return set(blocked.values_list("person", "asks"))


def is_partner(answer: Registration, person: int) -> bool:
    """Return whether `answer` names `person` as the partner."""
    return answer.says == AnswerKind.COMES and answer.partner_id == person


def needs_partner(answer: Registration) -> bool:
    """Return whether an answer says that the person comes, but without a partner."""
    is_left = answer.says == AnswerKind.COMES and answer.partner_id is None
    return is_left or answer.says in (AnswerKind.LOOKS, AnswerKind.ALONE)


def is_registration_open(session: Session) -> bool:
    """Return whether players can register for a session.

    Makes one query besides the switch.
    """
    switch: RegistrationSettings | None = getattr(session, "beforehand", None)
    return switch is not None and switch.is_open_today and not is_registration_closed(session)


def is_registration_closed(session: Session) -> bool:
    """Return whether a session takes no registrations: begun, over, deleted or a rehearsal."""
    is_over = session.date < session.event.club.today
    return (
        _is_deleted_or_rehearsal(session)
        or is_over
        or session.sections.filter(round__gt=0).exists()
    )


def refuses_arrivals(session: Session) -> bool:
    """Return whether no arrivals can be reported: the session is not today, over, deleted or a rehearsal."""
    is_of_another_day = session.date != session.event.club.today
    if is_of_another_day or _is_deleted_or_rehearsal(session):
        return True
    return not session.sections.filter(finished_at=None).exists()


def _is_deleted_or_rehearsal(session: Session) -> bool:
    """Return whether the session is deleted or a rehearsal."""
    return session.deleted_at is not None or session.is_rehearsal


def open_sessions(club: Club, typed_by: Person | None = None) -> list[Session]:
    """Return the sessions of a club for which players can register, today's first.

    Makes one query. For `typed_by` each session has `typed`, the partner's name that waits for the
    director, or None. Sessions that have `begun` are included while that person is still expected.
    """
    sessions = sessions_scored_here(club).filter(
        _condition_of_opening(club.today), date__gte=club.today, beforehand__is_on=True
    )
    begun = Section.objects.filter(round__gt=0).values("session")
    whole = sessions.select_related("event__club", "beforehand")
    if typed_by is None:
        whole = whole.exclude(pk__in=begun)
    else:
        waits = UnconfirmedName.objects.filter(by=typed_by, session=OuterRef("pk"))
        whole = whole.annotate(
            typed=Subquery(waits.values("partner")[:1]),
            begun=Exists(begun.filter(session=OuterRef("pk"))),
        ).filter(Q(begun=False) | _condition_of_awaiting(typed_by))
    return list(whole.order_by("date", "starts_at", "pk")[:MOST])


def _condition_of_opening(today: date) -> Q:
    """Return the `Q` condition that a session's first day of registration has come by `today`."""
    return Q(beforehand__opens_on=None) | Q(beforehand__opens_on__lte=today)


def _condition_of_awaiting(person: Person) -> Q:
    """Return a condition (`Q`) that a session plays today and `person`, who announced to be late, is missing."""
    late = Registration.objects.filter(person=person, here_at=None).exclude(late_at=None)
    unfinished = Section.objects.filter(finished_at=None).values("session")
    return Q(date=person.club.today, pk__in=late.values("session")) & Q(pk__in=unfinished)


def has_open_session_condition(club: str) -> Exists:
    """Return a condition (`Exists`) that the club in the column `club` may have a session open for registration."""
    day = timedelta(days=1)  # the club may be in another time zone
    today = timezone.localdate()
    mine = Session.objects.filter(
        _condition_of_opening(today + day), event__club=OuterRef(club), deleted_at=None
    )
    return Exists(mine.filter(date__gte=today - day, beforehand__is_on=True))


def entries_with_cancelled_player(section: Section) -> list[Entry]:
    """Return the entries in which a player has cancelled, in a section that has not begun.

    Makes two queries.
    """
    if section.is_started:
        return []
    away = Registration.objects.filter(session=section.session_id, says=AnswerKind.NOT).values(
        "person"
    )
    entries = section.entries.filter(entry_people__person__in=away).distinct()
    return list(entries.prefetch_related("entry_people__person").order_by("position"))


def usual_partners(person: Person, sessions: Iterable[int], maximum: int = 3) -> list[Person]:
    """Return up to `maximum` partners of a person in `sessions`, the latest first.

    Makes two queries.
    """
    mine = EntryPerson.objects.filter(person=person, section__session__in=sessions)
    others = EntryPerson.objects.filter(entry__in=mine.values("entry")).exclude(person=person)
    partners = others.filter(plays_for=None, person__anonymous_since=None)
    rows = partners.order_by("-section__session__date", "-pk").values_list("person", flat=True)
    keys = list(dict.fromkeys(rows[:200]))[:maximum]
    people = Person.objects.in_bulk(keys)
    return [people[key] for key in keys]
