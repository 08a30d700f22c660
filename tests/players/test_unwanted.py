"""Blocked partner requests: not shown or mailed, reported to the club, and invisible to the sender."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events.models import Session
from bridgebuddy.events.services.lifecycle.forgetting import anonymise_person
from bridgebuddy.events.services.roster import merge_people
from bridgebuddy.publication.models import ResultsSubscription
from bridgebuddy.registration.blocked_requests import block_requests, report_unwanted_requests
from bridgebuddy.registration.models import BlockedRequest, Registration
from bridgebuddy.registration.registering import record_absence, record_arrivals, register_pair
from bridgebuddy.registration.registrations import Registrations
from tests.factories import repeat_weekly, section_to_enter
from tests.publication_mail import smtp

from .test_asked_mail import send
from .test_own_coming import people, phone, session  # noqa: F401

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann(phone, people):  # noqa: F811
    return phone(people[0])


@pytest.fixture
def ben(phone, people):  # noqa: F811
    return phone(people[1])


def name_ben(ann, session, name="Ben Birch"):  # noqa: F811
    return ann.say(session, "come", **{"with": "other", "name": name})


def test_who_reads_somebodys_questions_no_more_is_shown_and_mailed_none(
    ann,
    ben,
    session,  # noqa: F811
    people,  # noqa: F811
    settings,
):
    name_ben(ann, session)
    shown = states_on(ann.read("own-come", session.pk))
    assert "would like to play with you" in ben.read("own-page")

    ben.say(session, "unwanted", **{"with": people[0].pk})

    assert "Requests from Ann Ash are no longer shown here" in ben.read("own-come", session.pk)
    for page in (["own-page"], ["own-coming"], ["own-come", session.pk]):
        assert "Ann Ash" not in ben.read(*page)
    assert states_on(ann.read("own-come", session.pk)) == shown
    assert "<b>Ben Birch</b> is asked." in shown
    settings.HAS_MAIL, settings.PUBLIC_URL = True, "https://bridge.test"
    ResultsSubscription.objects.create(
        person=people[1], email="ben@example.org", confirmed_at=timezone.now()
    )
    with smtp(settings) as box:
        ann.say(session, "away")
        name_ben(ann, session)
        send()
    assert box.letters == []
    assert "<b>Ben Birch</b> is asked." in ann.read("own-coming")


def test_whoever_asks_is_answered_as_by_anybody_else(ann, ben, session, people, phone):  # noqa: F811
    """The answers to a request, its removal and its repetition equal those without a block, word for word."""
    block_requests(people[1], people[0])
    told = []
    for theirs, person in ((ben, people[1]), (phone(people[2]), people[2])):
        answers = [name_ben(ann, session, person.name)]
        pages = [ann.read("own-come", session.pk)]
        theirs.say(session, "away")
        pages.append(ann.read("own-come", session.pk))
        answers.append(name_ben(ann, session, person.name))
        pages += [" ".join(answer.content.decode().split()) for answer in answers]
        told.append([states_on(page).replace(person.name, "…") for page in pages])
        Registration.objects.all().delete()

    assert told[0] == told[1]
    assert any("is not coming with you" in item for item in told[0])


def states_on(page):
    """Return the part between the session's name and the partners to choose, and the error."""
    return " ".join(re.findall(r'<div class="states">.*?</div>|role="alert">[^<]*', page))


def test_it_is_taken_back_and_the_question_stands_there_again(ann, ben, session, people):  # noqa: F811
    name_ben(ann, session)
    ben.say(session, "unwanted", **{"with": people[0].pk})
    kept = ben.read("own-kept")
    assert "Ann Ash may ask again" in kept

    ben.client.post(reverse("own-kept", args=[ben.code]), {"do": "again", "asks": people[0].pk})

    assert "<b>Ann Ash</b> would like to play with you." in ben.read("own-page")
    assert not BlockedRequest.objects.exists()
    assert "may ask again" not in ben.read("own-kept")


def test_nobody_is_brought_together_at_the_door_with_whom_they_do_not_read(
    ann,
    session,  # noqa: F811
    people,  # noqa: F811
):
    name_ben(ann, session)
    block_requests(people[1], people[0])

    record_arrivals(session, [people[1]])

    [pair] = Registrations(session).pairs
    assert pair.asked
    assert not Registration.objects.filter(person=people[1]).exists()


def test_who_names_them_comes_with_them_all_the_same(ann, ben, session, people):  # noqa: F811
    name_ben(ann, session)
    block_requests(people[1], people[0])

    ben.say(session, "come", **{"with": "other", "name": "Ann Ash"})

    assert [pair.names for pair in Registrations(session).agreed_pairs] == ["Ann Ash & Ben Birch"]


@pytest.mark.parametrize("key", ["0", "x", "", "9" * 30, "theirs"])
def test_nobody_else_is_named(key, ann, ben, session, people):  # noqa: F811
    name_ben(ann, session)
    key = people[2].pk if key == "theirs" else key

    for do in ("unwanted", "tell"):
        ben.say(session, do, **{"with": key})
    for do in ("again", "tell"):
        ben.client.post(reverse("own-kept", args=[ben.code]), {"do": do, "asks": key})

    assert not BlockedRequest.objects.exists()


def test_the_club_is_told_once_and_directors_alone_see_it(
    ann,
    ben,
    session,  # noqa: F811
    people,  # noqa: F811
    signed_in,
    alice,
    carol,
    club,
):
    name_ben(ann, session)
    for _ in range(2):
        ben.say(session, "tell", **{"with": people[0].pk})
        ben.client.post(reverse("own-kept", args=[ben.code]), {"do": "tell", "asks": people[0].pk})

    assert "the club has been told" in ben.read("own-kept")
    assert "been told" not in ann.read("own-page") + ann.read("own-kept")
    record = AuditRecord.objects.get(action="club.asked_unwanted")
    assert (record.by, record.facts) == (None, {"name": "Ben Birch", "asks": "Ann Ash"})
    shown = signed_in(alice).get(reverse("players", args=[club.pk])).content.decode()
    assert "Ben Birch told the club on" in " ".join(shown.split())
    assert "partner requests from Ann Ash are not wanted" in " ".join(shown.split())
    theirs = signed_in(carol)
    assert (
        "Ben Birch"
        not in theirs.get(reverse("players", args=[carol.clubs.get().pk])).content.decode()
    )
    address = reverse("player-own-page", args=[club.pk, people[1].pk])
    assert theirs.post(address, {"do": "seen-to"}).status_code == 404
    assert BlockedRequest.objects.exclude(told_at=None).exists()

    browser = signed_in(alice)
    for _ in range(2):
        browser.post(address, {"do": "seen-to"})

    assert "told the club" not in browser.get(reverse("players", args=[club.pk])).content.decode()
    seen = AuditRecord.objects.get(action="club.asked_seen_to")
    assert seen.by == alice
    assert BlockedRequest.objects.get().is_on


def test_what_is_seen_to_and_taken_back_is_gone(people, alice, ben):  # noqa: F811
    report_unwanted_requests(people[1], people[0])
    assert not BlockedRequest.objects.get().is_on

    block_requests(people[1], people[0])
    ben.client.post(reverse("own-kept", args=[ben.code]), {"do": "again", "asks": people[0].pk})

    assert BlockedRequest.objects.get().told_at


def test_it_goes_with_a_forgotten_name_and_follows_a_merged_one(people, alice):  # noqa: F811
    ann, ben, cat, dan = people
    block_requests(ben, ann)
    report_unwanted_requests(cat, ann)
    block_requests(cat, dan)

    merge_people(ben, cat, by=alice)

    rows = BlockedRequest.objects.order_by("asks__name")
    assert [(row.person, row.asks, row.is_on, bool(row.told_at)) for row in rows] == [
        (ben, ann, True, True),
        (ben, dan, True, False),
    ]
    merge_people(ann, dan, by=alice)
    assert [(row.person, row.asks) for row in rows.all()] == [(ben, ann)]
    anonymise_person(ann, by=alice)
    assert not BlockedRequest.objects.exists()


def test_who_turned_themselves_away_under_two_names_is_asked_as_before(people, alice):  # noqa: F811
    block_requests(people[1], people[0])

    merge_people(people[1], people[0], by=alice)

    assert not BlockedRequest.objects.exists()


def test_who_asked_is_handed_nothing_of_it_and_who_was_asked_what_they_said(
    ann,
    ben,
    people,  # noqa: F811
    signed_in,
    alice,
    club,
):
    block_requests(people[1], people[0])

    def handed(own):
        return own.client.get(reverse("own-file", args=[own.code, "json"])).json()["tables"]

    assert handed(ann)["not_asked"] == []
    assert [row["asks"] for row in handed(ben)["not_asked"]] == ["Ann Ash"]
    browser = signed_in(alice)
    whole = browser.get(reverse("club-data", args=[club.pk, "json"])).json()["tables"]
    assert [table["person_id"] for table in whole["not_asked"]] == [people[1].pk]


def test_asked_for_many_evenings_costs_no_more_queries(
    ben,
    session,  # noqa: F811
    people,  # noqa: F811
    club,
    alice,
    django_assert_max_num_queries,
):
    repeat_weekly(session, 8, by=alice)
    evenings = list(Session.objects.all())
    register_pair(evenings[0], people[0], people[1])
    with CaptureQueriesContext(connection) as one:
        ben.read("own-coming")
    for evening in evenings[1:]:
        register_pair(evening, people[0], people[1])
        register_pair(evening, people[2], people[1])

    with django_assert_max_num_queries(len(one)):
        ben.read("own-coming")


def test_a_question_that_was_answered_with_no_is_no_more_read_the_next_time(
    ann,
    ben,
    session,  # noqa: F811
    people,  # noqa: F811
    club,
    alice,
):
    section = section_to_enter(club, alice)
    block_requests(people[1], people[0])
    record_absence(session, [people[1]])

    register_pair(Session.objects.get(pk=section.session_id), people[0], people[1])

    assert "Ann Ash" not in ben.read("own-coming")
