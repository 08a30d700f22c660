"""Series: sessions of an event that repeat, with registration, hosts, price and director set once.

A session of a series keeps its own settings: they are copied into it. So a change of the series
reaches only sessions that are still as the series made them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, time, timedelta

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q

from bridgebuddy.clubs.models import Club, Person, User
from bridgebuddy.events.models import Entry, Event, Section, Session
from bridgebuddy.events.services.lifecycle.copies_of_sessions import copy_session
from bridgebuddy.events.services.lifecycle.sessions import change_session
from bridgebuddy.events.services.locking import lock_session
from bridgebuddy.registration.models import Registration, RegistrationSettings, UnconfirmedName
from bridgebuddy.registration.registering import PAIR, switch_registration
from bridgebuddy.scoring.models import ScoringSettings

from .calendar import MOST
from .models import Series, SeriesHost, SessionPlan

#: reasons why a change of the series does not reach a session
ENTRIES, START, DIRECTOR, HOST, PRICE = "entries", "start", "director", "host", "price"
REGISTRATION, POINTS = "registration", "points"
#: the season ends with June; a series that would be shorter ends a year later
LAST_MONTH, LAST_DAY = 6, 30
SHORTEST = timedelta(weeks=12)


@dataclass(frozen=True)
class SeriesInput:
    """The settings of a series of sessions, as typed."""

    days: frozenset[int]
    starts_at: time
    until: date
    has_registration: bool = True
    most: int | None = None
    opens_before: int | None = None
    hosts: tuple[Person, ...] = ()
    directs: User | None = None
    price: str = ""
    masterpoints: str = ""


@dataclass(frozen=True)
class UnchangedSession:
    """A session that a change of its series leaves unchanged, with the reasons."""

    session: Session
    reasons: tuple[str, ...]


def series_of_club(club: Club) -> list[Series]:
    """Return the series of a club that have sessions to come; each has their number as `count`.

    Makes one query.
    """
    ahead = Q(
        plans__session__date__gte=club.today,
        plans__session__deleted_at=None,
        plans__session__rehearsal_until=None,
    )
    rows = Series.objects.filter(event__club=club).select_related("event")
    counted = rows.annotate(count=Count("plans", filter=ahead)).filter(count__gt=0)
    return list(counted.order_by("days", "starts_at", "pk"))


def settings_of_series(series: Series) -> SeriesInput:
    """Return the settings of a series."""
    return SeriesInput(
        days=frozenset(map(int, series.days)),
        starts_at=series.starts_at,
        until=series.until,
        has_registration=series.has_registration,
        most=series.most,
        opens_before=series.opens_before,
        hosts=tuple(turn.person for turn in series.hosts.select_related("person")),
        directs=series.directs,
        price=series.price,
        masterpoints=series.masterpoints,
    )


def usual_end(first_day: date) -> date:
    """Return the usual last day (end of the season) of a series that begins on `first_day`.

    >>> usual_end(date(2026, 12, 1)), usual_end(date(2027, 5, 4))
    (datetime.date(2027, 6, 30), datetime.date(2028, 6, 30))
    """
    year = (
        first_day.year
        if first_day + SHORTEST <= date(first_day.year, LAST_MONTH, LAST_DAY)
        else first_day.year + 1
    )
    return date(year, LAST_MONTH, LAST_DAY)


def series_dates(
    days: Collection[int], first_day: date, until: date, holes: Collection[date] = ()
) -> list[date]:
    """Return the dates from `first_day` to `until` on the weekdays `days`, without `holes`; at most `MOST`.

    >>> tuesday = date(2026, 12, 1)
    >>> [str(day) for day in series_dates({2}, tuesday, date(2026, 12, 15), {date(2026, 12, 8)})]
    ['2026-12-01', '2026-12-15']
    """
    dates: list[date] = []
    day = first_day
    while day <= until and days and len(dates) < MOST:
        if day.isoweekday() in days and day not in holes:
            dates.append(day)
        day += timedelta(days=1)
    return dates


@transaction.atomic
def create_series(
    session: Session, settings: SeriesInput, days: Sequence[date], *, by: User
) -> tuple[Series, int]:
    """Make a series of a session by repeating it on other days; return the series and the number of new sessions.

    A series of the same event, days and start is used again, so a second press adds nothing.
    Sessions of the event that exist on these days join the series. Raises `NotForPairs` for a
    registration of other contests.
    """
    # two directors may plan at the same time
    event = Event.objects.select_for_update().get(pk=session.event_id)
    key = {"event": event, "days": _days_text(settings.days), "starts_at": settings.starts_at}
    series = Series.objects.filter(**key).order_by("pk").first() or Series(**key)
    if series.pk is None:
        _store_settings(series, settings)
    before = {plan.session_id for plan in SessionPlan.objects.filter(series=series)}
    count = _create_missing_sessions(series, session, days, by=by)
    joined = [row for row in coming_sessions_of_series(series) if row.pk not in before]
    _apply_settings(series, [row for row in joined if not _has_own_settings(row)], by=by)
    return series, count


@transaction.atomic
def change_series(
    series: Series, settings: SeriesInput, holes: Collection[date] = (), *, by: User
) -> tuple[int, list[UnchangedSession]]:
    """Give new settings to those sessions to come that still have the settings of the series.

    Return the number of changed and new sessions, and the sessions that are kept. A later end adds
    sessions. Raises `NotForPairs` for a registration of other contests.
    """
    event = Event.objects.select_for_update().get(pk=series.event_id)
    series = Series.objects.select_related("event__club").get(pk=series.pk)
    kept = unchanged_sessions(series, lock=True)
    keys = {row.session.pk for row in kept}
    before = settings_of_series(series)
    changed = [row for row in coming_sessions_of_series(series) if row.pk not in keys]
    _store_settings(series, settings)
    new: list[date] = []
    if settings.until > before.until:
        first = max(before.until, event.club.today) + timedelta(days=1)
        new = series_dates(settings.days, first, settings.until, holes)
    latest = event.sessions.filter(deleted_at=None, rehearsal_until=None).latest("date", "pk")
    count = _create_missing_sessions(series, latest, new, by=by)
    fresh = [row for row in coming_sessions_of_series(series) if row.pk not in keys]
    _apply_settings(series, fresh, by=by)
    return len(changed) + count if before != settings else count, kept


def unchanged_sessions(series: Series, *, lock: bool = False) -> list[UnchangedSession]:
    """Return the sessions to come that a change leaves unchanged: with entries or settings of their own.

    `lock` locks their registrations, so that nobody registers in between.
    """
    sessions = coming_sessions_of_series(series)
    if lock:
        for session in sessions:
            lock_session(session.sections.all()[0])
        rows = RegistrationSettings.objects.select_for_update().filter(session__in=sessions)
        list(rows.order_by("pk"))
        sessions = coming_sessions_of_series(series)
    settings = settings_of_series(series)
    kept = [UnchangedSession(session, _reasons_to_keep(session, settings)) for session in sessions]
    return [row for row in kept if row.reasons]


def _reasons_to_keep(session: Session, settings: SeriesInput) -> tuple[str, ...]:
    """Return the reasons why a change of the series leaves a session unchanged; none if it may be changed."""
    plan: SessionPlan = session.planned
    switch_row: RegistrationSettings | None = getattr(session, "beforehand", None)
    is_on = switch_row is not None and switch_row.is_on
    scoring: ScoringSettings | None = getattr(session, "scoring", None)
    hosts: set[int | None] = {host.pk for host in settings.hosts}
    reasons = {
        ENTRIES: session.is_used,  # type: ignore[attr-defined]  # read with it
        START: session.starts_at != settings.starts_at,
        DIRECTOR: plan.directs_id != (settings.directs.pk if settings.directs else None),
        HOST: plan.host_id not in (hosts or {None}),
        PRICE: plan.price != settings.price,
        REGISTRATION: is_on != settings.has_registration
        or (is_on and _switch_values(switch_row) != _wanted_switch(session.date, settings)),
        POINTS: (scoring.masterpoints if scoring else "") != settings.masterpoints,
    }
    return tuple(reason for reason, holds in reasons.items() if holds)


def _switch_values(row: RegistrationSettings | None) -> tuple[int | None, date | None]:
    """Return the limit of pairs and the first day in stored registration settings; (None, None) without any."""
    return (row.most, row.opens_on) if row else (None, None)


def _wanted_switch(day: date, settings: SeriesInput) -> tuple[int | None, date | None]:
    """Return the limit of pairs and the first day of registration that a series wants for its session on `day`."""
    if settings.opens_before is None:
        return settings.most, None
    return settings.most, day - timedelta(days=settings.opens_before)


def _has_own_settings(session: Session) -> bool:
    """Return whether a session that could join a series already has a plan, a registration or entries."""
    plan: SessionPlan = session.planned
    switch_row: RegistrationSettings | None = getattr(session, "beforehand", None)
    has_plan = bool(plan.directs_id or plan.host_id or plan.price)
    return has_plan or bool(switch_row and switch_row.is_on) or session.is_used  # type: ignore[attr-defined]


def coming_sessions_of_series(series: Series) -> list[Session]:
    """Return the sessions of a series that are still to be played, by date.

    Each has `is_used`: it has entries or registrations. Makes two queries.
    """
    club = series.event.club
    entries = Entry.objects.filter(section__session=OuterRef("pk"))
    answers = Registration.objects.filter(session=OuterRef("pk"))
    names = UnconfirmedName.objects.filter(session=OuterRef("pk"))
    begun = Section.objects.filter(session=OuterRef("pk"), round__gt=0)
    sessions = Session.objects.filter(
        ~Exists(begun),
        planned__series=series,
        date__gte=club.today,
        deleted_at=None,
        rehearsal_until=None,
    ).annotate(is_used=Exists(entries) | Exists(answers) | Exists(names))
    whole = sessions.select_related("event__club", "planned", "beforehand", "scoring")
    return list(whole.prefetch_related("sections").order_by("date", "starts_at", "pk"))


def _create_missing_sessions(
    series: Series, model_session: Session, days: Sequence[date], *, by: User
) -> int:
    """Create a series' sessions on `days`; sessions of these days join it. Return the number of new ones."""
    event = series.event
    section: Section = model_session.sections.earliest("pk")
    there: dict[date, Session] = {}
    for row in event.sessions.filter(deleted_at=None, rehearsal_until=None, date__in=days):
        there.setdefault(row.date, row)
    for day in days:
        session = there.get(day)
        if session is None:
            session = copy_session(
                section,
                name=event.name,
                date=day,
                starts_at=series.starts_at,
                with_entries=False,
                by=by,
            ).session
        plan, _ = SessionPlan.objects.get_or_create(session=session)
        if plan.series_id is None:
            plan.series = series
            plan.save(update_fields=["series"])
    return len([day for day in days if day not in there])


def _apply_settings(series: Series, sessions: Sequence[Session], *, by: User) -> None:
    """Give sessions the settings of their series: start, registration, host, director, price, masterpoints."""
    settings = settings_of_series(series)
    order = {session.pk: place for place, session in enumerate(coming_sessions_of_series(series))}
    for session in sessions:
        section = session.sections.all()[0]
        host = settings.hosts[order[session.pk] % len(settings.hosts)] if settings.hosts else None
        SessionPlan.objects.filter(session=session).update(
            directs=settings.directs, host=host, price=settings.price
        )
        if session.starts_at != settings.starts_at:
            _change_start(section, session, settings.starts_at, by=by)
        if settings.has_registration or getattr(session, "beforehand", None):
            most, opens_on = _wanted_switch(session.date, settings)
            switch_registration(
                section, is_on=settings.has_registration, maximum=most, opens_on=opens_on, by=by
            )
        if settings.masterpoints or getattr(session, "scoring", None):
            ScoringSettings.objects.update_or_create(
                session=session, defaults={"masterpoints": settings.masterpoints}
            )


def _change_start(section: Section, session: Session, starts_at: time, *, by: User) -> None:
    """Change the starting time of a session that belongs to a series."""
    change_session(
        section,
        name=session.event.name,
        date=session.date,
        starts_at=starts_at,
        fewest_boards=session.fewest_boards,
        most_boards=session.most_boards,
        minutes_per_board=session.minutes_per_board,
        by=by,
    )


def _store_settings(series: Series, settings: SeriesInput) -> None:
    """Store the settings and hosts of a series."""
    series.days, series.starts_at = _days_text(settings.days), settings.starts_at
    series.until, series.has_registration = settings.until, settings.has_registration
    series.most, series.opens_before = settings.most, settings.opens_before
    series.directs, series.price = settings.directs, settings.price
    series.masterpoints = settings.masterpoints
    series.save()
    SeriesHost.objects.filter(series=series).delete()
    SeriesHost.objects.bulk_create(
        SeriesHost(series=series, person=host, position=place)
        for place, host in enumerate(dict.fromkeys(settings.hosts))
    )


def _days_text(days: Collection[int]) -> str:
    """Return weekdays as digits in ascending order, as the column stores them."""
    return "".join(map(str, sorted(days)))


def takes_registration(session: Session) -> bool:
    """Return whether players can register for a session, which is only possible for pairs."""
    section: Section = session.sections.earliest("pk")
    return section.people_per_entry == PAIR
