"""Opening sessions."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from datetime import date, time, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from bridgebuddy.audit.services import add_record
from bridgebuddy.clubs.models import Club, User
from bridgebuddy.events.errors import AlreadyStarted
from bridgebuddy.events.models import Event, Section, Session
from movements.engine.contest import Contest

from ..locking import lock_session
from ..recording import record_visible_change
from ..setup.entries import add_pairs
from ..setup.seats import usual_seating


@transaction.atomic
def open_session(
    club: Club,
    *,
    name: str,
    date: date,
    starts_at: time,
    fewest_boards: int,
    most_boards: int,
    minutes_per_board: int,
    contest: Contest = Contest.PAIRS,
    pairs: Sequence[tuple[str, ...]] = (),
    once: str = "",
    by: User,
) -> Section:
    """Create a session of a new event, or of the club's event with this name, with its first section.

    Pairs, players or teams may be given at once. Raises the errors of `add_pairs`; then no session is opened. `once`
    identifies a form: a second submission returns the session that the first one opened.
    """
    event, _ = Event.objects.get_or_create(club=club, name=name)
    facts = {
        "event": event,
        "date": date,
        "starts_at": starts_at,
        "fewest_boards": fewest_boards,
        "most_boards": most_boards,
        "minutes_per_board": minutes_per_board,
    }
    session, is_new = open_session_once(once, facts)
    if not is_new:
        return session.sections.earliest("pk")
    seating = usual_seating(club, contest)
    section = Section.objects.create(session=session, contest=contest, seating=seating)
    add_record("section.open", section, by=by, name=name)
    if pairs:
        add_pairs(section, pairs, by=by)
    return section


#: time in which a second press of a button counts, also if the first takes long on a busy machine
SECOND_PRESS = timedelta(seconds=30)


def session_of_button_press(button: str) -> Session | None:
    """Return the rehearsal that an earlier press of the same button has just created; None if there is none.

    Call it under a lock that all presses of the button take.
    """
    since = timezone.now() + Session.KEPT_FOR - SECOND_PRESS
    recent = Session.objects.filter(once__startswith=f"{button} ", rehearsal_until__gt=since)
    return recent.order_by("pk").last()


def unique_value_of_press(button: str) -> str:
    """Return a unique value for the field `Session.once`, beginning with the key of the button that was pressed."""
    return f"{button} {secrets.token_hex(8)}"


def open_session_once(once: str, facts: Mapping[str, Any]) -> tuple[Session, bool]:
    """Create a session unless one with the same key `once` exists. Return it, and whether it is new."""
    if once:
        return Session.objects.get_or_create(once=once, defaults=facts)
    return Session.objects.create(**facts), True


@transaction.atomic
def change_session(
    section: Section,
    *,
    name: str,
    date: date,
    starts_at: time,
    fewest_boards: int,
    most_boards: int,
    minutes_per_board: int,
    only_planned: bool = False,
    by: User,
) -> Section:
    """Change a session's name, date and the other settings chosen when it was opened.

    Raises `AlreadyStarted` if round 1 has begun in one of its sections and `only_planned` is set.
    """
    section, others = lock_session(section)
    if only_planned and any(other.round for other in others):
        raise AlreadyStarted()
    session = section.session
    session.event, _ = Event.objects.get_or_create(club=section.club, name=name)
    session.date, session.starts_at = date, starts_at
    session.fewest_boards, session.most_boards = fewest_boards, most_boards
    session.minutes_per_board = minutes_per_board
    session.save()
    for other in others:
        if other.pk != section.pk:
            other.session = session
            other.touch()
    record_visible_change(section, "section.change", by=by, name=name)
    return section
