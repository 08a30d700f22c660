"""Cached data of a section is shown only while it is valid, and only to its readers.

Whether a cached page is ever stale is tried in `tests/pages/test_cached_pages.py`.
"""

import os
import pickle
import random
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from math import inf
from unittest.mock import patch

import pytest
from django.core.cache import caches
from django.test import Client
from django.utils import timezone

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries import plan_cache
from bridgebuddy.events.services.play import rounds
from bridgebuddy.operations import caching, process_cache
from bridgebuddy.scoring.services import publishing
from tests.factories import director_of, section_with
from tests.pages.meanwhile import SECRETS
from tests.scoring.test_guards import TABLE
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db

#: by the clock on the wall: a page that is asked for a minute later has another one
SINCE = re.compile(r'(?<=<span id="since">)[\d:]+')
#: after so many changes of results the second process is asked
SELDOM = int(os.environ.get("SELDOM") or 3)
PAGES = ("NS1/", "EW2/", "", "room/")


class Process:
    """A process with a memory of its own, and a phone that asks it; one that knows of no other has worked out all."""

    def __init__(self, language: str, *, alone: bool = False) -> None:
        self.language, self.memory = language, caching.ProcessMemory()
        self.away_until = inf if alone else 0.0
        self.phone = Client(headers={"Accept-Language": language})

    def shows(self, section: Section, pages: Sequence[str] = PAGES) -> list[str]:
        addresses = [page if page[:1] == "/" else f"/p/{section.code}/{page}" for page in pages]
        with (
            patch.object(caching, "memory", self.memory),
            patch.object(process_cache, "_away_until", self.away_until),
        ):
            answers = [self.phone.get(address) for address in addresses]
        told = [f"{answer.status_code} {answer.content.decode()}" for answer in answers]
        return [SINCE.sub("", SECRETS.sub("", item)) for item in told]


def start(section, by):
    rounds.start_next_round(section, after=section.round, by=by)


def rename(section, by):
    person = random.choice(Person.objects.filter(club=section.club).order_by("pk"))
    person.name = f"{person.name} {random.random()}"
    person.save()


def number_otherwise(section, by):
    club = section.club
    club.numbers_in_hundreds = not club.numbers_in_hundreds
    club.save()


@pytest.fixture(autouse=True)
def one_cache(settings):
    """A cache that all processes share."""
    backend = "django.core.cache.backends.locmem.LocMemCache"
    settings.CACHES = {**settings.CACHES, "shared": {"BACKEND": backend, "LOCATION": "shared"}}


@pytest.fixture(autouse=True)
def one_second(monkeypatch):
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)


def test_of_results_two_processes_show_what_a_new_one_would_whatever_has_changed():
    """Call every service of results in turn; some undo another's change, or are refused.

    One process answers after each change and has old data in its caches; the other answers now and then.
    """
    section = scored_section(8, "howell", rounds=3)
    by = director_of(section.club)
    token = publishing.publish_results(section, by=by).token
    pages = (f"/r/{token}/", f"/r/{token}/sheets/A/1/", f"/r/{token}/boards/A/1/", "1/results/")
    dice, processes = random.Random(1), [Process("en"), Process("de")]
    changes = [*(partial(serve, row) for row in TABLE), rename, number_otherwise, start]
    dice.shuffle(changes)
    shown = set()
    for number, change in enumerate([*changes, withdrawn]):
        section = Section.objects.get(pk=section.pk)
        with suppress(ChangeRefused):
            change(section, by)
        for process in processes[: 1 if number % SELDOM else 2]:
            found = process.shows(section, pages)
            assert found == what_new_ones_show(process.language, section, pages), change
            shown.update(found)

    assert len(shown) > len(changes)


def what_new_ones_show(language: str, section: Section, pages: Sequence[str]) -> list[str]:
    """Return each page as a process with empty caches answers it."""
    found = []
    for page in pages:
        found += Process(language, alone=True).shows(section, [page])
    return found


def withdrawn(section, by):
    publishing.unpublish_results(section, by=by)


def serve(row, section, by):
    row.service(section, **row.asked(section, by), by=by)


def test_results_on_which_nothing_changes_are_two_queries(django_assert_max_num_queries):
    section = scored_section(8, "howell", rounds=3)
    token = publishing.publish_results(section, by=director_of(section.club)).token
    pages = (f"/r/{token}/", f"/r/{token}/sheets/A/1/", f"/r/{token}/boards/A/1/", "1/results/")
    process, other = Process("en"), Process("en")
    process.shows(section, pages)
    other.phone.cookies = process.phone.cookies

    for page in pages:
        with django_assert_max_num_queries(2):
            process.shows(section, [page])
        with django_assert_max_num_queries(2):
            other.shows(section, [page])


def test_what_one_process_has_worked_out_another_need_not(skip_section):
    Process("en").shows(skip_section)

    with patch.object(plan_cache, "_whole_plan") as worked_out:
        Process("en").shows(skip_section)

    worked_out.assert_not_called()


def of_another_key(*_):
    return pickle.loads(next(iter(caches["shared"]._cache.values())))


@pytest.mark.parametrize(
    "lie", [b"x" * 40, b"", "text", of_another_key], ids=["x", "nothing", "text", "another key"]
)
def test_a_cache_that_lies_changes_no_page(skip_section, lie):
    truth = Process("en", alone=True).shows(skip_section)
    Process("en").shows(
        section_with(6, "mitchell", round=1)
    )  # so that something of another key is there

    with patch.object(caches["shared"], "get", lie if callable(lie) else lambda *_: lie):
        found = Process("en").shows(skip_section)

    assert found == truth


@pytest.mark.parametrize("what", ["get", "set"])
def test_a_cache_that_is_away_changes_no_page_and_is_asked_once(skip_section, what):
    truth = Process("en", alone=True).shows(skip_section)

    with patch.object(caches["shared"], what, side_effect=OSError("no route")) as asked:
        found = Process("en").shows(skip_section)

    assert found == truth
    assert asked.call_count == 1


def test_files_in_which_names_are_do_not_outlive_their_time(settings, tmp_path):
    files = {"BACKEND": "bridgebuddy.operations.process_cache.FileCache", "LOCATION": str(tmp_path)}
    settings.CACHES = {**settings.CACHES, "shared": files}
    caches["shared"].set("old", "Anna", 9999)
    for file in tmp_path.iterdir():
        os.utime(file, (0, 0))

    caches["shared"].set("new", "Otto")

    assert [caches["shared"].get(key) for key in ("old", "new")] == [None, "Otto"]
    assert len(list(tmp_path.iterdir())) == 1


def test_another_version_of_the_program_is_believed_nothing(skip_section, monkeypatch):
    Process("en").shows(skip_section)
    monkeypatch.setattr(process_cache, "LIFE", "another")

    with patch.object(plan_cache, "_whole_plan", wraps=plan_cache._whole_plan) as worked_out:
        Process("en").shows(skip_section)

    worked_out.assert_called_once()


def test_what_is_kept_of_another_state_is_not_shown(client, skip_section):
    """Bring back a backup under a running server, for example."""
    before = client.get(f"/p/{skip_section.code}/NS1/").content
    Section.objects.filter(pk=skip_section.pk).update(round=1)

    after = client.get(f"/p/{skip_section.code}/NS1/").content

    assert b"Round 4" in before
    assert b"Round 1" in after


def test_only_so_many_sections_are_kept(client):
    sections = [section_with(6, "mitchell", round=1) for _ in range(3)]

    with (
        patch.object(caching, "memory", caching.ProcessMemory()),
        patch.dict(caching.KINDS, plan=caching.CacheKind(2)),
    ):
        for section in sections:
            client.get(f"/p/{section.code}/NS1/")
        known = [key for _database, _kind, key, *_rest in caching.memory.keys("plan")]

    assert known == [section.pk for section in sections[1:]]
