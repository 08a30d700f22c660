"""The demo club with its first sessions, and its season, which a job plays after the server has started."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import chain
from random import Random

from allauth.account.models import EmailAddress
from django.db import transaction
from django.utils import timezone

from bridgebuddy.clubs.models import Club, Membership, ResultEntryMethod, User, Weekday
from bridgebuddy.clubs.sign_in.accounts import DEMO_EMAIL
from bridgebuddy.events.models import Event, Session
from bridgebuddy.events.services.lifecycle.sessions import open_session
from bridgebuddy.events.services.roster import store_people_numbers
from bridgebuddy.events.services.setup.entries import people_named
from bridgebuddy.jobs.kinds import job_kind
from bridgebuddy.jobs.services import request_job
from bridgebuddy.planning.charts import store_chart
from bridgebuddy.planning.rules.chart import usual_chart
from bridgebuddy.registration import registering
from bridgebuddy.scoring.services import invented_times
from bridgebuddy.seasons.models import Championship, HandicapRule
from bridgebuddy.seasons.services import championships
from movements.engine.contest import Contest

from .evenings import MINUTES_A_BOARD, STARTS_AT, DemoEvening, EveningPlan
from .people import WORDS, ClubWords, teams_of

SEASON = "demo-season"
WEEK = timedelta(days=7)
#: tonight's round and how long it has been played; the same of the match of teams
ROUND, MINUTES = 4, 12
TEAM_ROUND, TEAM_MINUTES = 2, 18
#: pairs of the list who play tonight; the others play the match of teams
TONIGHT = 16
CHART = range(6, 25)
FIRST_NUMBER = 101


@dataclass(frozen=True)
class PastEvening:
    """A past session of the demo season: a number of weeks ago, on a Tuesday or a Friday."""

    weeks: int
    day: Weekday
    kind: str
    contestants: int
    family: str
    boards: int
    rounds: int | None = None
    method: str = ""
    has_deals: bool = False
    has_late_pair: bool = False


#: the newest first
SEASON_EVENINGS = (
    PastEvening(1, Weekday.TUESDAY, "tuesday", 14, "mitchell", 3, has_deals=True),
    PastEvening(1, Weekday.FRIDAY, "swiss", 8, "swiss", 4, rounds=5),
    PastEvening(2, Weekday.TUESDAY, "tuesday", 16, "skip-mitchell", 3, has_deals=True),
    PastEvening(3, Weekday.TUESDAY, "tuesday", 13, "mitchell", 3, has_deals=True),
    PastEvening(4, Weekday.TUESDAY, "tuesday", 10, "howell", 3, has_deals=True),
    PastEvening(5, Weekday.TUESDAY, "tuesday", 13, "mitchell", 3, has_late_pair=True),
    PastEvening(5, Weekday.FRIDAY, "friday", 6, "team-round-robin", 4),
    PastEvening(6, Weekday.TUESDAY, "tuesday", 18, "mitchell", 3),
    PastEvening(7, Weekday.TUESDAY, "tuesday", 14, "scrambled-mitchell", 4),
    PastEvening(8, Weekday.FRIDAY, "individual", 16, "individual", 2),
    PastEvening(8, Weekday.TUESDAY, "tuesday", 16, "share-and-relay", 3),
    PastEvening(9, Weekday.FRIDAY, "cross_imps", 14, "mitchell", 3, method="cross-imps"),
    PastEvening(10, Weekday.TUESDAY, "tuesday", 12, "howell", 2),
    PastEvening(11, Weekday.TUESDAY, "tuesday", 15, "skip-mitchell", 3),
)
#: played before the first page; the others by the job
AT_ONCE = 1
SECONDS_AT_ONCE = 60


def make_demo_club(password: str, language: str = "en") -> User:
    """Make the demo club and its director. Raises `IntegrityError` if the director's account exists."""
    with transaction.atomic():
        user, club = _create_club(password, language)
        words = WORDS[language]
        _open_next_tuesday(club, user, words)
        _play_todays_session(club, user, words)
        _start_team_round_robin(club, user, words)
        for past in SEASON_EVENINGS[:AT_ONCE]:
            _play_past(club, user, words, past)
        _make_championships(club, user, words)
        request_job(SEASON, club.pk)
    return user


@job_kind(SEASON, tries=3, seconds=120)
def play_season(key: str) -> None:
    """Background job: play some past sessions of a demo club that are still missing, and queue the rest.

    Each evening is a transaction of its own, so that pages are served in between. A server that was stopped continues
    with the next evening.
    """
    club = Club.objects.filter(pk=int(key)).first()
    user = User.objects.filter(email=DEMO_EMAIL).first()
    if club is None or user is None:
        return
    words, until = WORDS[club.language], time.monotonic() + SECONDS_AT_ONCE
    for past in _missing_evenings(club, user, words):
        if time.monotonic() > until:
            request_job(SEASON, club.pk)
            return
        with transaction.atomic():
            _play_past(club, user, words, past)


def _missing_evenings(club: Club, user: User, words: ClubWords) -> list[PastEvening]:
    """Return the past sessions of the season that the demo club does not have yet, newest first."""
    found = set(Session.objects.filter(event__club=club).values_list("event__name", "date"))
    return [
        past
        for past in SEASON_EVENINGS
        if (getattr(words, past.kind), _date_of_session(user, past)) not in found
    ]


def _create_club(password: str, language: str) -> tuple[User, Club]:
    """Create the demo club and its director."""
    words = WORDS[language]
    first, last = words.director
    user = User.objects.create_user(DEMO_EMAIL, password, first_name=first, last_name=last)
    EmailAddress.objects.create(user=user, email=DEMO_EMAIL, verified=True, primary=True)
    club = Club.objects.create(
        name=words.name,
        language=language,
        results_come=ResultEntryMethod.PHONES,
        usual_day=Weekday.TUESDAY,
        usual_start=STARTS_AT,
    )
    Membership.objects.create(club=club, user=user, is_director=True)
    people = people_named(club, _member_names(words))
    numbers = sorted(person.pk for person in people.values())
    Random(1).shuffle(numbers)  # members joined in another order than that of their strength
    store_people_numbers(
        club,
        {pk: {"member_number": str(FIRST_NUMBER + i)} for i, pk in enumerate(numbers)},
        by=user,
    )
    chart = (line for line in usual_chart() if line.pairs in CHART)
    store_chart(
        club,
        tuple(
            replace(line, reason=words.reason_of_chart if line.choice.family == "howell" else "")
            for line in chart
        ),
    )
    return user, club


def _member_names(words: ClubWords) -> list[str]:
    """Return the names of the club's players."""
    return list(chain.from_iterable(words.pairs))


def _open_next_tuesday(club: Club, user: User, words: ClubWords) -> None:
    """Create next Tuesday's session with some registered pairs and two players without a partner."""
    ahead = (Weekday.TUESDAY - club.today.weekday()) % 7 or 7
    section = open_session(
        club,
        name=words.tuesday,
        date=club.today + timedelta(days=ahead),
        starts_at=STARTS_AT,
        fewest_boards=21,
        most_boards=28,
        minutes_per_board=MINUTES_A_BOARD,
        by=user,
    )
    registering.switch_registration(section, is_on=True, maximum=20, by=user)
    session = section.session
    pairs = list(words.pairs)
    for first, second in (pairs[i] for i in (1, 2, 4, 5, 6, 7, 9, 11, 12, 13, 15, 18, 22)):
        registering.register_names(session, [first, second], by=user)
    for name in (pairs[10][0], pairs[20][1]):
        registering.register_names(session, [name], by=user)


def _play_todays_session(club: Club, user: User, words: ClubWords) -> None:
    """Create a session of today that is in round 4 of 7, with some results of the round entered."""
    plan = EveningPlan(
        words.tonight, "skip-mitchell", words.pairs[:TONIGHT], 3, has_deals=True, seed=42
    )
    _play_running_session(
        DemoEvening(club, user, plan, _member_names(words)), round=ROUND, minutes=MINUTES
    )


def _start_team_round_robin(club: Club, user: User, words: ClubWords) -> None:
    """Create a match of four teams that is in its second round."""
    teams = teams_of(words, TONIGHT, 4)
    plan = EveningPlan(
        words.team_match,
        "team-round-robin",
        teams,
        8,
        contest=Contest.TEAMS,
        teams=words.teams[:4],
        seed=43,
    )
    _play_running_session(
        DemoEvening(club, user, plan, _member_names(words)), round=TEAM_ROUND, minutes=TEAM_MINUTES
    )


def _play_running_session(evening: DemoEvening, *, round: int, minutes: int) -> None:
    """Play a session up to some minutes into a round."""
    evening.open(evening.club.today)
    evening.play(round - 1)
    evening.start_round()
    evening.enter_first_boards()
    invented_times.set_running_times(evening.section, minutes_into_round=minutes, rng=evening.rng)


def _date_of_session(user: User, past: PastEvening) -> date:
    """Return the date of a past demo session, counted back from the day on which the club was made."""
    made = timezone.localdate(user.date_joined)
    back = (made.weekday() - past.day) % 7 or 7
    return made - timedelta(days=back) - (past.weeks - 1) * WEEK


def _play_past(club: Club, user: User, words: ClubWords, past: PastEvening) -> None:
    """Create a past session of the season, play it to its end and publish it."""
    evening = DemoEvening(club, user, _evening_plan(words, past), _member_names(words))
    evening.open(_date_of_session(user, past))
    evening.play()
    evening.finish_session()
    invented_times.set_past_times(evening.section, evening.rng)


def _evening_plan(words: ClubWords, past: PastEvening) -> EveningPlan:
    """Return the movement, contestants and boards of a past session."""
    name, seed = getattr(words, past.kind), 10 * past.weeks + past.day
    rng = Random(seed)
    plan = EveningPlan(
        name,
        past.family,
        (),
        past.boards,
        rounds=past.rounds,
        method=past.method,
        has_deals=past.has_deals,
        seed=seed,
    )
    if past.kind == "individual":
        names = rng.sample(_member_names(words), past.contestants)
        return replace(plan, contest=Contest.INDIVIDUAL, contestants=[(name,) for name in names])
    if past.kind in ("friday", "swiss"):
        teams = teams_of(words, rng.randint(0, 4), past.contestants)
        called = words.teams if past.contestants == len(words.teams) else ()
        return replace(plan, contest=Contest.TEAMS, contestants=teams, teams=called)
    coming = list(_random_pairs(words, rng, past.contestants + past.has_late_pair))
    late = coming.pop() if past.has_late_pair else None
    return replace(plan, contestants=coming, late=late)


def _random_pairs(words: ClubWords, rng: Random, count: int) -> Iterator[tuple[str, str]]:
    """Yield pairs chosen at random for a session, in order of entry; regulars are among the first 14 of the list."""
    pairs = list(words.pairs)
    regular = rng.sample(pairs[:14], min(12, count - 2))
    others: Sequence[tuple[str, str]] = [pair for pair in pairs if pair not in regular]
    coming = regular + rng.sample(others, count - len(regular))
    rng.shuffle(coming)
    yield from coming


def _make_championships(club: Club, user: User, words: ClubWords) -> None:
    """Publish two championships: pairs by their best sessions, and players with handicaps."""
    HandicapRule.objects.create(club=club, least=3)
    event = Event.objects.get(club=club, name=words.tuesday)
    since = _date_of_session(user, SEASON_EVENINGS[-1])
    year = club.today.year
    for name, of, has_handicap in (
        (words.championship, Championship.Of.PAIR, False),
        (words.handicap_cup, Championship.Of.PLAYER, True),
    ):
        championship = Championship(
            club=club,
            name=f"{name} {year}",
            of=of,
            event=event,
            since=since,
            best=5,
            least=3,
            planned=14,
            has_handicap=has_handicap,
        )
        championships.store_championship(championship, by=user)
        championships.publish_championship(championship, True, by=user)
