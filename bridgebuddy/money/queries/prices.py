"""The prices of sessions, and the price that each person pays."""

from __future__ import annotations

from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.clubs.people.categories import has_category
from bridgebuddy.events.models import Section, Session
from bridgebuddy.events.queries.sessions.club_sessions import real_sessions

from ..models import MoneyAccount, MoneySettings, SeriesPrices, SessionMoney
from ..rules.ledger import PersonClass, Prices


def active_settings(club: Club) -> MoneySettings | None:
    """Return a club's table money settings if table money is on, else None."""
    settings = MoneySettings.objects.filter(club=club).first()
    return settings if settings and settings.is_on else None


def do_players_pay(session: Session, settings: MoneySettings | None) -> bool:
    """Return whether players pay for a session: table money is on, and the session is no rehearsal."""
    if settings is None or not settings.is_on or session.is_rehearsal:
        return False
    return settings.since is None or session.date >= settings.since


def do_players_pay_for(session: Session) -> bool:
    """Return whether players pay for a session. One query."""
    return do_players_pay(session, active_settings(session.event.club))


def first_sections_to_pay_today(club: Club, settings: MoneySettings | None) -> list[Section]:
    """Return the first section of each session of today for which players pay, begun or not."""
    today = real_sessions(club).filter(date=club.today)
    sections = Section.objects.filter(session__in=today).select_related("session__event")
    first: dict[int, Section] = {}
    for section in sections.order_by("session__starts_at", "session", "pk"):
        first.setdefault(section.session_id, section)
    return [section for section in first.values() if do_players_pay(section.session, settings)]


def session_prices(session: Session, settings: MoneySettings) -> Prices:
    """Return the prices of a session: its own, else those of its series, else the club's."""
    own = SessionMoney.objects.filter(session=session).first()
    return own.prices if own else series_prices(session, settings)


def series_prices(session: Session, settings: MoneySettings) -> Prices:
    """Return the prices of a session without own ones: those of its series, else the club's."""
    series = SeriesPrices.objects.filter(event=session.event_id).first()
    return series.prices if series else settings.prices


def person_class_of(
    person: Person, settings: MoneySettings, account: MoneyAccount | None
) -> PersonClass:
    """Return the price class of a person: from the account, else from the roster.

    People without a mark on the roster count as members.
    """
    if account is not None and account.price_class:
        return PersonClass(account.price_class)
    if settings.free_category and has_category(person.categories, settings.free_category):
        return PersonClass.FREE
    if settings.youth_category and has_category(person.categories, settings.youth_category):
        return PersonClass.YOUTH
    return PersonClass.VISITOR if person.is_visitor else PersonClass.MEMBER
