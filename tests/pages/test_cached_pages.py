"""Cached pages: each equals the page of a new process after any change.

Two processes with memories of their own share a cache. After each random change, some of their pages are compared with
those of a process with empty caches. The table says which pages use the cache, and a page that does so without
standing there fails.
"""

import os
import random
import re
from collections import defaultdict
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import partial
from itertools import zip_longest
from math import inf
from unittest.mock import patch

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section, Session
from bridgebuddy.events.services.lifecycle.forgetting import anonymise_person
from bridgebuddy.events.services.lifecycle.sessions import change_session
from bridgebuddy.events.services.play import people, rounds, searches
from bridgebuddy.events.services.setup import entries
from bridgebuddy.events.services.setup import movement as movements
from bridgebuddy.operations import caching, process_cache
from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.services.reminders import store_reminder
from bridgebuddy.seasons.models import Championship, HandicapRule, ManualHandicap, RatingSettings
from tests.factories import section_with
from tests.lists import difference
from tests.scoring.guarded import TABLE
from tests.scoring.test_tonight import scored_section
from tests.seasons.evenings import evening
from tests.security import rights
from tests.table_phones.tapping import Phone, with_phones

from .meanwhile import SECRETS, seat_late_pair

pytestmark = pytest.mark.django_db

#: the pages that use the cache, by the names of their addresses
CACHED = {
    *(
        "api-board",
        "api-championship",
        "api-match",
        "api-results",
        "api-sheet",
        "board-results",
        "boards",
    ),
    *(
        "break",
        "butler",
        "championship",
        "championship-evenings",
        "championship-groups",
        "championship-line",
        "championship-rules",
    ),
    *(
        "club-data",
        "club-page",
        "copy-session",
        "deals",
        "deals-file",
        "desk",
        "draw",
    ),
    *(
        "edit-player",
        "entries",
        "fouled-board",
        "guide-law-board",
        "hand-in",
        "handicaps",
        "history",
        "home",
    ),
    *(
        "i-play",
        "look-at",
        "looking-back",
        "lookup",
        "match",
        "matches",
        "my-results",
    ),
    *(
        "new-championship",
        "own-come",
        "own-coming",
        "own-forget",
        "own-kept",
        "own-page",
        "pace",
    ),
    *(
        "player",
        "print",
        "print-championship",
        "public-board",
        "public-boards",
        "public-championship",
        "public-championship-line",
    ),
    *(
        "public-deals",
        "public-deals-file",
        "public-find",
        "public-match",
        "public-matches",
        "public-pairs",
        "public-privacy",
    ),
    *(
        "public-results",
        "public-sheet",
        "public-sheets",
        "ranking",
        "rating",
        "results-file",
        "results-line",
    ),
    *(
        "room-display",
        "score-sheet",
        "season",
        "session-handicaps",
        "strengths",
        "table",
        "table-board",
    ),
    *(
        "table-cards",
        "table-check",
        "table-coming",
        "table-pads",
        "table-yes",
        "type-cards",
    ),
}
#: sent to pages that read more when they are asked for it
SENT = {"ranking": "open=review"}
#: by the clock on the wall: a page that is asked for a minute later has another one
SINCE = re.compile(r'(?<=<span id="since">)[\d:]+')
#: the pages are asked in so many parts, each after random changes of its own
PARTS, TIMES = 3, int(os.environ.get("TIMES") or 7)
SEED = int(os.environ.get("SEED") or 0)


def days_ago(days):
    return timezone.localdate() - timedelta(days=days)


@contextmanager
def used_by_nobody_else():
    """Leave nothing for the pages that are asked later: no cached values, no derived rows."""
    memory = patch.object(caching, "memory", caching.ProcessMemory())
    with memory, patch.object(process_cache, "_away_until", inf), transaction.atomic():
        yield
        transaction.set_rollback(True)


def fold_of(browser, address):
    """Return the fold to which the address of a former page leads, or the address itself."""
    answer = browser.get(address)
    is_fold = answer.status_code == 302 and "?open=" in answer.url
    return answer.url.partition("#")[0] if is_fold else address


class World:
    """A club with former sessions, one that is played, one that comes, and a championship of them."""

    def __init__(self, club, by):
        self.club, self.by = club, by
        HandicapRule.objects.create(club=club, last=3, least=2)
        RatingSettings.objects.create(club=club)
        over = [evening(club, by, str(days_ago(days)), seed=days) for days in (40, 20, 5)]
        for section in over:
            rounds.finish_session(section, round=section.round, by=by)
        publishing.publish_results(over[-1], by=by)
        tonight = with_phones(scored_section(10, "mitchell", rounds=2, club=club, by=by))
        coming = section_with(7, "howell", club=club, by=by)
        Session.objects.filter(sections__in=[tonight, coming]).update(date=timezone.localdate())
        self.keys = [tonight.pk, over[-1].pk, coming.pk]
        self.addresses = defaultdict(list)
        for name, address in rights.addresses_of(tonight, by).items():
            sent = f"?{SENT[name]}" if name in SENT else ""
            for section in self.sections if tonight.code in address else [tonight]:
                code = address.replace(tonight.code, section.code)
                self.addresses[name].append(code + sent)
        Championship.objects.update(has_handicap=True, is_in_room=True)
        browser = (
            Phone(tonight, 1)
            .open(reverse("table-who", args=[tonight.code, 1]), {"who": tonight.entries.first().pk})
            .browser
        )
        browser.force_login(by)
        self.cookies = {name: morsel.value for name, morsel in browser.cookies.items()}
        with used_by_nobody_else():
            for name, addresses in self.addresses.items():
                self.addresses[name] = [fold_of(browser, address) for address in addresses]

    def is_of_all(self, page):
        """Return whether a page shows tables of derived data, to which other pages add rows."""
        return page in self.addresses["club-data"]

    @property
    def sections(self):
        return [Section.objects.get(pk=key) for key in self.keys]


class Process:
    """A process with a memory of its own; `is_alone` if no other process has left anything for it."""

    def __init__(self, language, *, is_alone=False):
        self.language, self.memory = language, caching.ProcessMemory()
        self.away_until = inf if is_alone else 0.0

    def shows(self, world, addresses):
        browser = Client(headers={"Accept-Language": self.language})
        shown = []
        with (
            patch.object(caching, "memory", self.memory),
            patch.object(process_cache, "_away_until", self.away_until),
        ):
            for address in addresses:
                browser.cookies.clear()
                browser.cookies.load(world.cookies)
                answer = browser.get(address)
                text = answer.content.decode(errors="replace").replace('\\"', '"')
                shown.append((address, answer.status_code, SINCE.sub("", SECRETS.sub("", text))))
        return shown


@pytest.fixture(autouse=True)
def quick_and_timeless(monkeypatch, settings):
    """No search takes long, no sheet is drawn, no clock runs; and all processes share a cache."""
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    monkeypatch.setattr("bridgebuddy.printing.rendering.cache.render_pdf", str.encode)
    monkeypatch.setattr(searches, "searched_proposals", lambda *arguments: [])
    monkeypatch.setattr("movements.engine.fairness.switching.proposals", lambda *_: [])
    backend = "django.core.cache.backends.locmem.LocMemCache"
    settings.CACHES = {**settings.CACHES, "shared": {"BACKEND": backend, "LOCATION": "shared"}}


def kinds_by_page(world):
    """Return the kinds of cached values that each page uses."""
    found = defaultdict(set)
    for name, addresses in world.addresses.items():
        process = Process("en", is_alone=True)
        process.shows(world, addresses)
        if kinds := set(process.memory._values):
            found[name] = kinds
    return found


def test_every_page_that_uses_the_cache_is_in_the_table(club, alice):
    found = kinds_by_page(World(club, alice))

    assert difference(found, CACHED, "CACHED in tests/pages/test_cached_pages.py") == []
    assert set().union(*found.values()) == set(caching.KINDS), "no page of the table reads it"


# ── what may change ──


def rename(section, by):
    person = random.choice(Person.objects.filter(club=section.club).order_by("pk"))
    person.name = f"{person.name} {random.randint(0, 99)}"
    person.save()


def settle_otherwise(section, by):
    """Change numbers, words and names on the club's pages."""
    club = section.club
    club.numbers_in_hundreds = not club.numbers_in_hundreds
    club.stand_word = "relay" if club.stand_word != "relay" else "stand"
    club.phones_show_names = not club.phones_show_names
    club.public_names = random.choice(["full", "initials", "none"])
    club.save()


def forget(section, by):
    known = Person.objects.filter(club=section.club, anonymous_since=None)
    anonymise_person(random.choice(known.order_by("pk")), by=by)


def move(section, by):
    facts = {"fewest_boards": 20, "most_boards": 28, "minutes_per_board": 7}
    day = section.session.date - timedelta(days=random.choice([1, 9, 300, 1100]))
    change_session(
        section, name="Pairs", date=day, starts_at=section.session.starts_at, by=by, **facts
    )


def change_rules(section, by):
    """Change the rules of handicaps and of the championship."""
    rule = HandicapRule.objects.get(club=section.club)
    rule.last, rule.months = random.choice([2, 3, 4]), random.choice([12, 36])
    rule.save()
    person = random.choice(Person.objects.filter(club=section.club).order_by("pk"))
    ManualHandicap.objects.update_or_create(
        person=person, defaults={"handicap": random.randint(0, 9), "reason": "back"}
    )
    Championship.objects.update(best=random.choice([1, 2, None]), least=random.choice([1, 2]))


def substitute(section, by):
    name = f"Zoë {random.random()}"
    people.add_substitute(section.entries.first(), 1, name, from_round=2, until_round=3, by=by)


def late_pair(section, by):
    if section.round:
        with suppress(StopIteration):  # no way gives others new numbers
            seat_late_pair(section, by)


def choose(section, by):
    name = random.choice(["howell", "scrambled-mitchell"])
    movements.choose_movement(section, name, boards_per_round=random.choice([2, 3]), by=by)


def serve(row, section, by):
    if section.round and not section.finished_at:
        row.service(section, **row.asked(section, by), by=by)


CHANGES = [
    *(rename, settle_otherwise, forget, move, change_rules, substitute, late_pair, choose),
    lambda section, by: rounds.start_next_round(section, after=section.round, by=by),
    lambda section, by: rounds.take_back_round(section, round=section.round, by=by),
    lambda section, by: rounds.finish_session(section, round=section.round, by=by),
    lambda section, by: rounds.pause_clock(section, by=by),
    lambda section, by: entries.withdraw_pair(section.entries.last(), by=by),
    lambda section, by: store_reminder(section, section.round, 1, by=by),
    lambda section, by: publishing.reopen_list(section, by=by),
    lambda section, by: publishing.make_list_final(section, by=by),
    lambda section, by: publishing.set_scoring_profile(section, {"method": "cross-imps"}, by=by),
    lambda section, by: with_phones(section, feedback=random.choice(["none", "traveller"])),
]
SERVICES = [partial(serve, row) for row in TABLE]


def differences(shown, anew):
    """Return the addresses of pages that are not as anew, with the first words that differ."""
    return [
        (
            page[0],
            *next(
                pair
                for pair in zip_longest(page[2].split("\n"), new[2].split("\n"))
                if pair[0] != pair[1]
            ),
        )
        for page, new in zip(shown, anew, strict=True)
        if page != new
    ]


@pytest.mark.parametrize("part", range(PARTS))
def test_two_processes_show_what_a_new_one_would_whatever_has_changed(club, alice, part):
    random.seed(part + PARTS * SEED)
    world, made = World(club, alice), 0
    pages = [random.choice(world.addresses[name]) for name in sorted(CACHED)[part::PARTS]]
    processes = [Process("en"), Process("de")]
    for process in processes:
        process.shows(world, pages)
    for number in range(TIMES):
        change = random.choice(random.choice([CHANGES, CHANGES, SERVICES]))
        with suppress(ChangeRefused):  # what cannot be done now
            change(random.choice(world.sections), alice)
            made += 1
        for process in processes[: 1 if number % 3 else 2]:
            random.shuffle(pages)
            pages.sort(key=world.is_of_all)
            shown = process.shows(world, pages)
            anew = Process(process.language, is_alone=True).shows(world, pages)
            assert differences(shown, anew) == [], change

    assert made > TIMES / 4
