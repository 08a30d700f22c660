"""Trial sessions for people without an account: a club of their own, deleted after a day."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.crypto import salted_hmac

from bridgebuddy.clubs.models import (
    TRIAL,
    Club,
    Membership,
    Person,
    ResultEntryMethod,
    User,
)
from bridgebuddy.clubs.people.names import surname_of
from bridgebuddy.events.invented_pairs import PAIRS
from bridgebuddy.events.models import Section, Session

from ..play import rounds
from ..setup import entries, movement
from .forgetting import delete_club
from .sessions import open_session, session_of_button_press, unique_value_of_press

LASTS = timedelta(days=1)
PLAYING = 16
FAMILY, BOARDS = "skip-mitchell", 3


@transaction.atomic
def invent_user(name: str, browser: str) -> User:
    """Return the user account with which a visitor tries the program without signing in.

    `browser` is a secret of the browser that asks. Its requests of one moment get the same account: the second one
    waits until the first has stored it. Without a secret each request gets an account of its own.
    """
    secret = browser or secrets.token_hex(16)
    known_as = salted_hmac("bridgebuddy.trials", secret, algorithm="sha256").hexdigest()[:16]
    return User.objects.get_or_create(
        email=f"{known_as}{TRIAL}",
        defaults={"first_name": name, "password": make_password(None)},
    )[0]


@transaction.atomic
def invent_club(name: str, language: str, user: User) -> Club:
    """Create a club for a visitor's trial, with the visitor as a helper of its director."""
    club = Club.objects.create(
        name=name,
        language=language,
        results_come=ResultEntryMethod.PHONES,
        trial_until=timezone.now() + LASTS,
    )
    Membership.objects.create(club=club, user=user, is_helper=True)
    return club


def recent_trial(user: User, button: str) -> Section | None:
    """Return the trial that an earlier press of the same button has just opened; None if there is none."""
    User.objects.select_for_update().get(pk=user.pk)
    session = session_of_button_press(_button_key(user, button))
    return session.sections.order_by("pk").first() if session else None


def _button_key(user: User, button: str) -> str:
    """Return the key by which a second press of a trial's button is recognized."""
    return f"trial {user.pk} {button[:8]}"


@transaction.atomic
def open_trial(club: Club, name: str, *, by: User, button: str = "") -> Section:
    """Create a rehearsal with invented people, ready for round 1; `button` is the button that asks for it."""
    newest = Person.objects.filter(club=club).aggregate(key=Max("pk"))["key"] or 0
    section = open_session(
        club,
        name=name,
        date=club.today,
        starts_at=timezone.localtime(timezone=club.zone).time().replace(second=0, microsecond=0),
        fewest_boards=21,
        most_boards=24,
        minutes_per_board=7,
        by=by,
    )
    Session.objects.filter(pk=section.session_id).update(
        rehearsal_until=timezone.now() + Session.KEPT_FOR,
        newest_person=newest,
        once=unique_value_of_press(_button_key(by, button)),
    )
    section = Section.objects.get(pk=section.pk)
    entries.add_pairs(section, list(_invented_pairs_for_club(club)), by=by)
    return movement.choose_movement(section, FAMILY, boards_per_round=BOARDS, by=by)


def begin_next_round(section: Section, *, by: User) -> Section:
    """Start the round of a trial that follows its current one."""
    return rounds.start_next_round(section, after=section.round, by=by)


def forget_trials() -> int:
    """Delete the trial clubs whose day is over, and their users. Return how many."""
    over = Club.objects.filter(trial_until__lte=timezone.now())
    for club in over:
        users = list(club.members.filter(email__endswith=TRIAL))
        delete_club(club, name=club.name)
        for user in users:
            user.delete()
    return len(over)


def _invented_pairs_for_club(club: Club) -> Iterator[tuple[str, str]]:
    """Yield pairs of invented names that nobody in the club has."""
    names = set(club.people.values_list("name", flat=True))
    fresh = [pair for pair in PAIRS if not names.intersection(pair)]
    surnames = [surname_of(name) for pair in PAIRS for name in pair]
    others = (
        (f"Anna {surname}", f"Peter {other}")
        for surname, other in pairwise(surnames)
        if not names.intersection((f"Anna {surname}", f"Peter {other}"))
    )
    while len(fresh) < PLAYING:
        fresh.append(next(others))
    yield from fresh[:PLAYING]
