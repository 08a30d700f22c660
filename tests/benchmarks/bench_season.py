"""A season of a large club: 20 years, 3,000 final lists, 90,000 lines of pairs, 600 people.

    python -m tests.benchmarks.bench_season

Cost of a championship, first and from the cache, over one season and over all twenty years.
"""

from __future__ import annotations

import datetime
import json
import os
import tempfile
from collections.abc import Callable
from itertools import pairwise
from random import Random
from statistics import median
from time import process_time
from typing import Any

SESSIONS, PAIRS, PEOPLE = 3000, 30, 600
FIRST = datetime.date(2006, 9, 1)
SEASON = {"since": datetime.date(2025, 9, 1), "until": datetime.date(2026, 8, 31)}
TIMES = 5


def filled() -> Any:
    """Make a club of rows alone: nothing is played, and every final list is kept."""
    from django.utils import timezone

    from bridgebuddy.clubs.models import Club, Person
    from bridgebuddy.events.models import Event, Section, Session
    from bridgebuddy.scoring.models import ScoringSettings
    from bridgebuddy.seasons.models import FinalList
    from bridgebuddy.seasons.queries.final_lists import final_results

    club = Club.objects.create(name="A large club")
    random = Random(1)
    people = Person.objects.bulk_create(
        [
            Person(club=club, name=f"Person N{n}", search=f"person n{n}", strength=n % 100)
            for n in range(PEOPLE)
        ]
    )
    event = Event.objects.create(club=club, name="Evenings")
    days = [FIRST + datetime.timedelta(days=round(n * 7304 / SESSIONS)) for n in range(SESSIONS)]
    sessions = Session.objects.bulk_create(
        [Session(event=event, date=day, starts_at=datetime.time(19)) for day in days]
    )
    Section.objects.bulk_create(
        [Section(session=item, code=f"B{number:05}") for number, item in enumerate(sessions)]
    )
    ScoringSettings.objects.bulk_create(
        [
            ScoringSettings(session=session, final_at=timezone.now(), revision=1)
            for session in sessions
        ]
    )
    keys = [person.pk for person in people]
    lists = []
    for final in final_results(club):
        seats = random.sample(keys, 2 * PAIRS)
        lines = [
            [
                sorted(seats[2 * place : 2 * place + 2]),
                0,
                f"{random.randint(8000, 16000)}/{random.choice([240, 234, 219])}",
                place + 1,
                24,
                None,
                None,
                None,
            ]
            for place in range(PAIRS)
        ]
        lists.append(
            FinalList(session_id=final.session, state=final.state, lines=json.dumps(lines))
        )
    FinalList.objects.bulk_create(lists)
    return club


def milliseconds(
    work: Callable[[], object], before: Callable[[], object] | None = None, times: int = TIMES
) -> float:
    """Return the CPU time of some work: the median of several runs."""
    found = []
    for _ in range(times):
        if before is not None:
            before()
        begin = process_time()
        work()
        found.append(process_time() - begin)
    return 1000 * median(found)


def know_nothing() -> None:
    """Be a process that begins, of which no other one has left anything."""
    from django.core.cache import caches

    from bridgebuddy.operations import caching

    caching.memory.clear()
    caches["shared"].clear()


def main() -> None:
    """Print the cost of each list."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("DATABASE_URL", f"sqlite:///{folder}/season.sqlite3")
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bridgebuddy.settings")
        import django
        from django.core.management import call_command

        django.setup()
        from bridgebuddy.operations.process_supervisor import collect_garbage_less_often

        call_command("migrate", verbosity=0)
        club = filled()
        collect_garbage_less_often()  # as the server does
        _measured(club)


def _measured(club: Any) -> None:
    from django.utils import timezone

    from bridgebuddy.seasons.championship_views import ChampionshipView
    from bridgebuddy.seasons.models import Championship
    from bridgebuddy.seasons.queries import championships, handicaps

    rules = {"club": club, "name": "Ladder", "of": "player", "best": 10, "least": 2}
    asked = {
        "one season": Championship.objects.create(**rules, **SEASON),
        "one season with handicap": Championship.objects.create(
            **rules, **SEASON, has_handicap=True
        ),
        "twenty years": Championship.objects.create(**rules),
    }
    for name, ask in asked.items():

        def show(ask: Championship = ask) -> object:
            return ChampionshipView(championships.ChampionshipTable(ask)).lines

        first = milliseconds(show, know_nothing)
        print(f"{name}: {first:.0f} ms first, {milliseconds(show):.0f} ms kept")
    on = SEASON["until"]
    cost = milliseconds(
        lambda: handicaps.ClubHandicaps(club, on).people_with_handicaps(), know_nothing
    )
    print(f"handicaps of all: {cost:.0f} ms first")
    _rating(club)
    Championship.objects.update(published_at=timezone.now())
    _pages(club)


def _rating(club: Any) -> None:
    """Run the rating's job and read the page that shows it."""
    from bridgebuddy.seasons.models import RatingSettings
    from bridgebuddy.seasons.queries import ratings
    from bridgebuddy.seasons.services.ratings import calculate_ratings

    row = RatingSettings.objects.create(club=club)

    def from_nothing() -> None:
        RatingSettings.objects.update(state="")

    def work() -> None:
        calculate_ratings(str(club.pk))

    print(f"rating of all, by the job: {milliseconds(work, from_nothing, 3):.0f} ms")
    cost = milliseconds(lambda: ratings.rated_people(club), know_nothing)
    print(f"rating of all, on a page: {cost:.0f} ms")
    assert not ratings.latest_ratings(row.club).is_old


def played(person: Any) -> None:
    """Let a person play in a fifth of all published sessions, and store the figures of the person's page."""
    from django.utils import timezone

    from bridgebuddy.events.models import Entry, EntryPerson, Section
    from bridgebuddy.publication.models import PlayerSession
    from bridgebuddy.publication.own.own_sessions import published_sessions_of
    from bridgebuddy.scoring.models import ScoringSettings

    ScoringSettings.objects.update(published_at=timezone.now())
    sections = list(Section.objects.filter(session__event__club=person.club).order_by("pk")[::5])
    entries = Entry.objects.bulk_create(
        [Entry(section=section, contestant=1, position=1) for section in sections]
    )
    EntryPerson.objects.bulk_create(
        [
            EntryPerson(entry=entry, section=entry.section, person=person, position=1)
            for entry in entries
        ]
    )
    others = list(person.club.people.exclude(pk=person.pk).values_list("pk", flat=True)[:40])
    random = Random(2)
    evenings = []
    for session in published_sessions_of(person):
        against = [[[a, b], 2, random.randint(3000, 16000), 0, 0] for a, b in pairwise(others)]
        sums = {
            "boards": 24,
            "has_boards": False,
            "where": ["A", "1"],
            "seats": {"declarer": [8, 40000, 0, 0], "defence": [12, 62000, 0, 0]},
            "lines": {"ns": [24, 120000, 0, 0]},
            "against": random.sample(against, 12),
            "with": [random.choice(others)],
            "place": str(random.randint(1, 30)),
            "of": 30,
            "value": f"{random.randint(3500, 6500) / 100:.2f}",
            "unit": "percent",
        }
        evenings.append(
            PlayerSession(
                session_id=session.session,
                person=person,
                state=session.state,
                sums=json.dumps(sums),
                boards="[]",
            )
        )
    PlayerSession.objects.bulk_create(evenings)


def _pages(club: Any) -> None:
    """A player's page with its queries, and the pages of a club of which there is nothing else to say."""
    from django.db import connection
    from django.test import Client
    from django.urls import reverse

    from bridgebuddy.clubs.models import Membership, User
    from bridgebuddy.publication.own import links

    director = User.objects.create_user("director@example.org")
    Membership.objects.create(user=director, club=club, is_director=True)
    client = Client(headers={"host": "localhost"})
    client.force_login(director)
    person = club.people.first()
    played(person)
    own = links.give_address(person, "club", by=director)
    asked = {
        "a player's page": links.page_address(own),
        "home": reverse("home"),
        "roster": f"/clubs/{club.pk}/players/",
        "season": f"/clubs/{club.pk}/season/",
        "rating": f"/clubs/{club.pk}/rating/",
    }
    for name, address in asked.items():
        client.get(address)
        asked_for: list[str] = []

        def counted(run: Any, sql: str, *rest: Any, told: list[str] = asked_for) -> Any:
            told.append(sql)
            return run(sql, *rest)

        with connection.execute_wrapper(counted):
            answer = client.get(address)
        cost = milliseconds(lambda address=address: client.get(address))
        print(f"{name} ({answer.status_code}): {cost:.0f} ms kept, {len(asked_for)} queries")


if __name__ == "__main__":
    main()
