"""A demo club: invented people, a session tonight, one in play, and one with a published list."""

from __future__ import annotations

from datetime import date, time, timedelta

from allauth.account.models import EmailAddress
from django.db import transaction
from django.utils import timezone

from bridgebuddy.clubs.accounts import DEMO_EMAIL
from bridgebuddy.clubs.models import Club, Membership, Role, User
from bridgebuddy.events.invented import PAIRS
from bridgebuddy.events.models import Section
from bridgebuddy.events.services import entries, movement, rounds
from bridgebuddy.events.services.sessions import open_session

from .services import publishing
from .services.rehearsing import enter_invented

EMAIL = DEMO_EMAIL
CLUB = "Lindenhof Bridge Club"


@transaction.atomic
def make_demo_club(password: str) -> User:
    """Create the demo club and its director. Raises `IntegrityError` if the director exists."""
    user = User.objects.create_user(EMAIL, password, first_name="Anna", last_name="Weber")
    EmailAddress.objects.create(user=user, email=EMAIL, verified=True, primary=True)
    club = Club.objects.create(name=CLUB)
    Membership.objects.create(club=club, user=user, role=Role.DIRECTOR)
    today = timezone.localdate()
    played = _session(club, user, "Tuesday Pairs", today - timedelta(days=7), 14)
    _play(played, user, "mitchell", 7, 3)
    enter_invented(played, by=user)
    rounds.finish(Section.objects.get(pk=played.pk), round=7, by=user)
    publishing.make_final(played, by=user)
    publishing.publish(played, by=user)
    running = _session(club, user, "Afternoon Pairs", today, 16, starts_at=time(14, 30))
    _play(running, user, "skip-mitchell", 3, 3)
    enter_invented(running, by=user)
    rounds.start_next_round(Section.objects.get(pk=running.pk), after=3, by=user)
    _session(club, user, "Tuesday Pairs", today, 17)
    for pair in PAIRS[17:]:  # on the roster, not entered tonight
        for name in pair:
            club.people.get_or_create(name=name)
    return user


def _session(
    club: Club, user: User, name: str, on: date, pairs: int, starts_at: time = time(19, 0)
) -> Section:
    section = open_session(
        club,
        name=name,
        date=on,
        starts_at=starts_at,
        fewest_boards=21,
        most_boards=28,
        minutes_per_board=7,
        by=user,
    )
    entries.add_pairs(section, PAIRS[:pairs], by=user)
    return section


def _play(section: Section, user: User, family: str, played: int, boards: int) -> None:
    """Choose a movement and start so many rounds."""
    section = movement.choose_movement(section, family, boards_per_round=boards, by=user)
    for after in range(played):
        section = rounds.start_next_round(section, after=after, by=user)
