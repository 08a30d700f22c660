"""Cached home page: it equals the page of a new process after every change, for every user, at any hour."""

import random
import re
from datetime import time, timedelta
from unittest.mock import patch

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.clubs.models import Membership, Person
from bridgebuddy.clubs.upkeep import Chore, store_task_run
from bridgebuddy.director.sessions import home_cache
from bridgebuddy.events.models import Section, Session
from bridgebuddy.events.services import codes
from bridgebuddy.events.services.lifecycle.copies_of_sessions import make_rehearsal
from bridgebuddy.events.services.lifecycle.deletions import (
    delete_session,
    purge_expired_sessions,
    restore_session,
)
from bridgebuddy.events.services.lifecycle.sessions import change_session
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.setup import entries
from bridgebuddy.operations import caching
from bridgebuddy.scoring.services.publishing import publish_results, unpublish_results
from tests.factories import UserFactory, director_of, section_with
from tests.pages.meanwhile import SECRETS
from tests.scoring.test_tonight import enter_by_chance

pytestmark = pytest.mark.django_db
HOME = reverse("home")


def on(section, days):
    section.session.date = timezone.localdate() + timedelta(days=days)
    section.session.save()
    return section


def shows(browser):
    return SECRETS.sub("", browser.get(HOME).content.decode())


def shows_anew(browser):
    with patch.object(caching, "memory", caching.ProcessMemory()):
        return shows(browser)


def sections_of(club, **asked):
    return Section.objects.filter(session__event__club=club, **asked).order_by("pk")


def delete(section, by):
    delete_session(section, name=section.session.event.name, by=by)


def move(section, by):
    day = section.session.date + timedelta(days=random.choice((-1, 1)))
    facts = {"fewest_boards": 20, "most_boards": 28, "minutes_per_board": 7}
    change_session(
        section, name=f"Pairs {random.random()}", date=day, starts_at=time(19, 30), by=by, **facts
    )


def rename(section, by):
    for person in Person.objects.filter(club=section.club):
        person.name = f"{person.name} {random.randint(0, 99)}"
        person.save()


def rename_the_club(section, by):
    section.club.name = f"Club {random.random()}"
    section.club.save()


def begin(section, by):
    rounds.start_next_round(section, after=section.round, by=by)


def end(section, by):
    rounds.finish_session(section, round=section.round, by=by)


def enter_two(section, by):
    names = tuple(f"{letter} {random.random()}" for letter in "XY")
    entries.add_pairs(section, [names], by=by)


def is_begun(section):
    return section.round > 0 and section.finished_at is None


#: what is changed, and of which sections
CHANGES = [
    (delete, lambda section: not is_begun(section)),
    (move, lambda section: True),
    (rename, lambda section: True),
    (rename_the_club, lambda section: True),
    (lambda section, by: make_rehearsal(section, by=by), lambda section: True),
    (begin, lambda section: not section.round and section.movement_id),
    (end, is_begun),
    (lambda section, by: enter_by_chance(section), is_begun),
    (lambda section, by: publish_results(section, by=by), lambda section: section.finished_at),
    (lambda section, by: unpublish_results(section, by=by), lambda section: section.finished_at),
    (enter_two, lambda section: not section.round),
    (lambda section, by: codes.renew_code(section, by=by), lambda section: True),
    (lambda section, by: store_task_run(Chore.BACKUP), lambda section: True),
]


@pytest.mark.parametrize("seed", range(3))
def test_what_is_kept_is_what_would_be_worked_out_whatever_has_changed(
    club, alice, signed_in, seed
):
    random.seed(seed)
    browser = signed_in(alice)
    for days in (0, 0, 1, 4, -2, -7):
        on(section_with(6, "mitchell", round=3 * (days < 0), club=club, by=alice), days)
    shows(browser)

    for change, fits in random.choices(CHANGES, k=25):
        fitting = [
            item
            for item in sections_of(club, session__deleted_at=None, session__rehearsal_until=None)
            if fits(item)
        ]
        if fitting:
            change(random.choice(fitting), alice)

        assert shows(browser) == shows_anew(browser), change


def test_what_was_deleted_and_brought_back_is_there_again(club, alice, signed_in):
    browser, section = signed_in(alice), on(section_with(6, club=club, by=alice), 3)
    was = shows(browser)

    delete(section, alice)
    assert "is deleted" in shows(browser)
    restore_session(Section.objects.get(), by=alice)
    assert shows(browser) == was


def test_each_reader_has_their_own_rights_language_and_token(club, alice, bob, signed_in):
    on(section_with(6, club=club, by=alice), 0)
    helper = UserFactory()
    Membership.objects.create(club=club, user=helper, is_helper=True)
    browsers = [signed_in(alice), signed_in(helper), signed_in(director_of(club))]
    german = signed_in(director_of(club))
    german.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"

    pages = [browser.get(HOME).content.decode() for browser in [*browsers, german]]

    deletes = reverse("delete-session", args=[Section.objects.get().code])
    assert [deletes in page for page in pages] == [True, False, True, True]
    assert ["Mehr" in page for page in pages] == [False, False, False, True]
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(alice)
    token = re.findall('csrfmiddlewaretoken" value="(.+?)"', strict.get(HOME).content.decode())[0]
    answer = strict.post(deletes, {"csrfmiddlewaretoken": token})
    assert answer.status_code == 302
    assert all(home_cache.TOKEN not in page for page in pages)


def test_what_was_printed_on_this_machine_is_known_here_alone(club, alice, signed_in):
    section = on(section_with(10, "mitchell", club=club, by=alice), 1)
    here, there = signed_in(alice), signed_in(alice)
    here.cookies[f"paper-{section.code}"] = "1"

    assert "Open the desk" not in shows(there)
    assert "Open the desk" in shows(here)
    assert "Open the desk" not in shows(there)


def test_the_clock_alone_makes_another_page(club, alice, signed_in, monkeypatch):
    browser = signed_in(alice)
    section = on(section_with(10, "mitchell", club=club, by=alice), 0)
    on(section_with(10, "mitchell", club=club, by=alice, round=1), 0)
    rehearsed = make_rehearsal(on(section_with(6, club=club, by=alice), 2), by=alice)
    delete(on(section_with(6, club=club, by=alice), 3), alice)
    now = timezone.now()
    assert rehearsed.session.rehearsal_until > now
    found = set()

    for minutes in (0, *sorted(random.Random(1).sample(range(3 * 24 * 60), 60)), 0):
        later = now + timedelta(minutes=minutes)
        monkeypatch.setattr("django.utils.timezone.now", lambda later=later: later)
        browser.force_login(alice)
        found.add(shows(browser))
        assert shows(browser) == shows_anew(browser), minutes

    assert len(found) > 3
    assert Session.objects.filter(pk=section.session_id).exists()
    assert purge_expired_sessions() == 0
    assert AuditRecord.objects.filter(action="session.forget").count() == 2


def test_as_it_was_home_is_ten_queries_and_reads_no_session(
    club, alice, signed_in, django_assert_max_num_queries
):
    browser = signed_in(alice)
    on(section_with(6, "mitchell", club=club, by=alice), 0)
    was = shows(browser)

    with (
        django_assert_max_num_queries(10),
        patch("bridgebuddy.director.sessions.home.current_sessions", side_effect=AssertionError),
    ):
        assert shows(browser) == was


def test_what_is_kept_of_one_club_is_shown_to_no_other(club, alice, carol, signed_in):
    mine = on(section_with(6, club=club, by=alice), 0)
    other = carol.memberships.get().club
    theirs = on(section_with(6, club=other, by=carol), 0)

    pages = {item: shows(signed_in(item)) for item in (alice, carol, alice)}

    assert mine.code in pages[alice]
    assert theirs.code not in pages[alice]
    assert theirs.code in pages[carol]
    assert mine.code not in pages[carol]
