"""Real rows for tests."""

import datetime

import factory

from bridgebuddy.clubs.models import Club, Membership, Person, Role, User
from bridgebuddy.events.models import Event, Section, Session
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.play.plays import write_plays
from bridgebuddy.events.services.setup import entries, movement
from bridgebuddy.planning.series import SeriesInput, create_series
from bridgebuddy.registration.registering import switch_registration

from .remembered import EVENINGS

#: at any hour it is another day in one of them than on the server
FAR_ZONES = ("Pacific/Kiritimati", "Etc/GMT+12")


class UserFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = User
        skip_postgeneration_save = True

    email = factory.Sequence(lambda n: f"user{n}@example.org")
    password = factory.django.Password("right horse battery")


class ClubFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Club

    name = factory.Sequence(lambda n: f"Club {n}")


class PersonFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Person

    club = factory.SubFactory(ClubFactory)
    name = factory.Sequence(lambda n: f"Person Number{n}")


class EventFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Event
        django_get_or_create = ("club", "name")

    club = factory.SubFactory(ClubFactory)
    name = "Tuesday Pairs"


class SessionFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Session

    event = factory.SubFactory(EventFactory)
    date = datetime.date(2026, 11, 24)
    starts_at = datetime.time(19, 0)


class SectionFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Section

    session = factory.SubFactory(SessionFactory)


def director_of(club: Club, **fields) -> User:
    """Make a director of a club."""
    user = UserFactory(**fields)
    Membership.objects.create(club=club, user=user, is_director=True)
    return user


def member_of(club: Club, *roles: str, **fields) -> User:
    """Make a user with roles in a club; without roles a plain member."""
    user = UserFactory(**fields)
    membership = Membership(club=club, user=user)
    membership.set_roles(Role(role) for role in roles)
    membership.save()
    return user


def pair_names(count: int) -> list[tuple[str, str]]:
    """Return names for so many pairs, each player with a surname of their own."""
    return [(f"Anna North{n}", f"Bob South{n}") for n in range(1, count + 1)]


def names_of(count: int, contest: str) -> list[tuple[str, ...]]:
    """Return names for so many pairs, players or teams."""
    if contest == "individual":
        return [(f"Anna North{n}",) for n in range(1, count + 1)]
    if contest == "teams":
        chairs = ("Anna North", "Bob South", "Cleo East", "Dan West")
        return [tuple(f"{name}{n}" for name in chairs) for n in range(1, count + 1)]
    return list(pair_names(count))


def section_with(
    pairs: int,
    family: str | None = None,
    *,
    round: int = 0,
    boards_per_round: int = 3,
    club: Club | None = None,
    by: User | None = None,
    contest: str = "pairs",
    **choice,
) -> Section:
    """Make a section with pairs, a movement if named, and that many rounds begun.

    Each step is remembered: later sections continue from the rows made before.
    """
    club = club or ClubFactory()
    by = by or director_of(club)

    def before(family: str | None, round: int) -> Section:
        many = {"boards_per_round": boards_per_round, **choice} if family else {}
        return section_with(pairs, family, round=round, club=club, by=by, contest=contest, **many)

    def make() -> Section:
        if round:
            section = before(family, round - 1)
            section = rounds.start_next_round(section, after=round - 1, by=by)
        elif family:
            section = movement.choose_movement(
                before(None, 0), family, boards_per_round=boards_per_round, by=by, **choice
            )
        else:
            section = SectionFactory(session__event__club=club, contest=contest)
            entries.add_pairs(section, names_of(pairs, contest), by=by)
        section.refresh_from_db()
        return section

    asked = (pairs, family, round, boards_per_round, contest, sorted(choice.items()))
    return EVENINGS.of(asked, club, by, make)


def section_to_enter(club: Club, by: User, *, day: datetime.date | None = None) -> Section:
    """Make a section of a day, today by default, with an empty list: all people may register."""
    section = section_with(0, club=club, by=by)
    Session.objects.filter(pk=section.session_id).update(date=day or club.today)
    switch_registration(Section.objects.get(pk=section.pk), is_on=True, maximum=None, by=by)
    return Section.objects.get(pk=section.pk)


def begun(section: Section, round: int) -> Section:
    """Let rounds begin up to one, for any kind of section, with no clock running."""
    while section.round < round:
        section.round += 1
        write_plays(section, section.round)
    section.save()
    return section


def repeat_weekly(session: Session, count: int, *, by: User, **settings) -> int:
    """Repeat a session as a series, a week later on; return the number of new sessions."""
    days = [session.date + datetime.timedelta(weeks=week) for week in range(1, count + 1)]
    wanted = {
        "days": frozenset({session.date.isoweekday()}),
        "starts_at": session.starts_at,
        "until": days[-1],
        **settings,
    }
    return create_series(session, SeriesInput(**wanted), days, by=by)[1]
