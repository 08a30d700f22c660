"""Cached data of one table's phone is shown at another only while it is valid."""

import random
from contextlib import suppress

import pytest
from django.urls import reverse

from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from bridgebuddy.scoring.services import publishing, results
from bridgebuddy.table_phones.models import DirectorCall
from bridgebuddy.table_phones.services import calls, claims, seats
from bridgebuddy.table_phones.services.claims import NewClaim
from tests.factories import director_of, section_with
from tests.players.test_kept import Process, one_cache, one_second, rename, start

from .tapping import Phone, with_phones
from .test_left_boards import phone_of

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures(one_cache.__name__, one_second.__name__),
]

OUTCOMES = [
    {"contract": "4S", "declarer": "S", "tricks": 10},
    {"contract": "3NT", "declarer": "W", "tricks": 8},
    {"passed": True},
]


def some_play(section):
    plays = section.plays.filter(round__gt=0, round__lte=section.round, taken_back_at=None)
    return random.choice([play for play in plays if play.ns_id and play.ew_id])


def say(section, by):
    play = some_play(section)
    stands = play.results.filter(stands=True).first()
    after = stands.number if stands else 0
    side = random.choice(["ns", "ew"])
    claims.submit_claim(
        section, NewClaim(play.pk, side, random.choice(OUTCOMES), after, phone="another")
    )


def enter(section, by):
    results.enter_result(section, some_play(section).pk, random.choice([*OUTCOMES, None]), by=by)


def to_be_played_later(section, by):
    results.enter_result(section, some_play(section).pk, {"pending": True}, reason="at ten", by=by)


def call(section, by):
    calls.call_director(section, random.choice([1, 2]))


def come(section, by):
    if waiting := DirectorCall.objects.filter(section=section, taken_at=None).first():
        calls.accept_call(section, waiting.pk, by=by)


def choose(section, by):
    with_phones(
        section,
        agreement=random.choice(["accept", "double", "none"]),
        asks_lead=random.choice([True, False]),
    )


def close(section, by):
    publishing.publish_results(section, by=by)


CHANGES = [
    *[say] * 8,
    *[enter] * 3,
    to_be_played_later,
    call,
    come,
    lambda section, by: calls.withdraw_call(section, 1),
    lambda section, by: seats.swap_chairs(section, some_play(section).ns_id),
    choose,
    rename,
    start,
    lambda section, by: rounds.take_back_round(section, round=section.round, by=by),
    close,
    lambda section, by: rounds.finish_session(section, round=section.round, by=by),
]


def as_by(phone, process):
    process.phone.cookies = phone.browser.cookies
    return process


@pytest.mark.parametrize("seed", range(2))
def test_two_processes_show_a_table_as_a_new_one_would_whatever_was_said(seed):
    random.seed(seed)
    section = with_phones(section_with(6, "howell", round=2, boards_per_round=2))
    by = director_of(section.club)
    sits_there = section.plays.filter(round=2, table=2).first().ns_id
    phones = [Phone(section, 1, "Leave the phone at this table"), phone_of(section, sits_there, 2)]
    at = [reverse("table", args=[section.code, table]) for table in (1, 2)]
    processes = [Process("en"), Process("de")]
    made, shown = 0, set()
    for change in random.choices(CHANGES, k=20):
        section = Section.objects.get(pk=section.pk)
        with suppress(ChangeRefused):
            change(section, by)
            made += 1
        for phone, address in zip(phones, at, strict=True):
            pages = (address, f"{address}?before")
            for process in random.sample(processes, random.choice([1, 2])):
                both = process, Process(process.language, alone=True)
                found, new = [as_by(phone, item).shows(section, pages) for item in both]
                assert found == new, change
                shown.update(found)

    assert made > 10
    assert len(shown) > made
