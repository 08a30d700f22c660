"""A phone's notice after a session about its players' own pages: the way to get them, and no page itself."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play.rounds import finish_session
from bridgebuddy.jobs import services as jobs
from bridgebuddy.jobs.models import Job
from bridgebuddy.publication.mails.mailing import OWN_PAGE
from bridgebuddy.publication.models import PlayerPage, ResultsSubscription
from bridgebuddy.publication.own import links
from bridgebuddy.table_phones.models import EntryMode, PhoneSettings
from bridgebuddy.table_phones.secrets import secret_of
from tests.publication_mail import smtp
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def with_mail(settings):
    settings.HAS_MAIL = True
    settings.PUBLIC_URL = "https://bridge.example.org"


@pytest.fixture
def section(club, alice):
    return scored_section(6, "mitchell", rounds=3, club=club, by=alice)


def phones(section, mode=EntryMode.SECRET):
    return PhoneSettings.objects.update_or_create(session=section.session, defaults={"mode": mode})[
        0
    ]


def phone_of(section, entry, mode=EntryMode.SECRET):
    """Return the phone of an entry at table 1 that has scanned the card and named its pair."""
    browser, secret = Client(), secret_of(section, 1, phones(section, mode))
    browser.get(reverse("table-join", args=[section.code, 1, secret]))
    browser.post(reverse("table-who", args=[section.code, 1]), {"who": entry.pk})
    return browser


def over(section, by):
    section.refresh_from_db()
    finish_session(section, round=section.round, by=by)
    return Section.objects.get(pk=section.pk)


def claim(browser, section, label, person=None):
    address = reverse("own-claim", args=[section.code, label])
    return browser.post(address, {"person": person.pk}) if person else browser.get(address)


def queued_mails():
    return list(Job.objects.filter(kind=OWN_PAGE).values_list("key", flat=True))


def has_confirmed(person, email):
    return ResultsSubscription.objects.create(
        person=person, email=email, confirmed_at=timezone.now()
    )


def test_a_phone_that_claimed_another_pairs_seat_gets_no_page_and_changes_nothing(section, alice):
    play = section.plays.filter(table=1, round=section.round).first()
    victim = play.ns.players[0]
    has_confirmed(victim, "owner@example.org")
    stranger, label = phone_of(section, play.ns), f"NS{play.ns.contestant}"  # who sits East-West
    section = over(section, alice)

    answers = [claim(stranger, section, label), claim(stranger, section, label, victim)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert not any("/me/" in str(answer.headers) for answer in answers)
    assert not any(re.search(r"/me/\w", answer.content.decode()) for answer in answers)
    assert not PlayerPage.objects.exists()
    assert ResultsSubscription.objects.get().email == "owner@example.org"
    victim.refresh_from_db()
    assert (victim.anonymous_since, victim.public_name) == (None, "")


def test_the_address_goes_to_the_e_mail_address_its_owner_has_confirmed(section, alice, settings):
    entry = section.plays.filter(table=1, round=section.round).first().ns
    browser, label = phone_of(section, entry), f"NS{entry.contestant}"
    evening = reverse("player", args=[section.code, label])
    mine = reverse("own-claim", args=[section.code, label])
    assert mine not in browser.get(evening).content.decode()  # while it is played
    section = over(section, alice)
    assert mine in browser.get(evening).content.decode()
    me, partner = entry.players
    has_confirmed(me, "me@example.org")
    has_confirmed(partner, "partner@example.org")

    with smtp(settings) as box:
        for person in (me, partner, me):
            assert "Check your e-mail" in claim(browser, section, label, person).content.decode()
        while jobs.run_next_job():
            pass

    pages = {page.person: links.page_address(page) for page in PlayerPage.objects.all()}
    assert pages.keys() == {me, partner}  # two who share a phone have one each
    told = dict(box.letters)
    assert len(box.letters) == len(told) == 2
    assert pages[me] in told["me@example.org"]
    assert pages[partner] not in told["me@example.org"]
    assert pages[partner] in told["partner@example.org"]


@pytest.mark.parametrize("confirmed", [None, "nobody", "another"])
def test_the_answer_does_not_tell_whether_there_is_an_address(section, alice, confirmed, settings):
    entry = section.plays.filter(table=1, round=section.round).first().ns
    browser, label = phone_of(section, entry), f"NS{entry.contestant}"
    section = over(section, alice)
    me, partner = entry.players
    if confirmed:
        ResultsSubscription.objects.create(person=me, email="me@example.org")
    if confirmed == "another":
        has_confirmed(partner, "partner@example.org")

    with smtp(settings) as box:
        answer = claim(browser, section, label, me)
        while jobs.run_next_job():
            pass

    assert "Check your e-mail" in answer.content.decode()
    assert box.letters == []
    assert not PlayerPage.objects.exists()


def test_a_page_that_the_club_ended_is_sent_to_nobody(section, alice, settings):
    entry = section.plays.filter(table=1, round=section.round).first().ns
    browser, label = phone_of(section, entry), f"NS{entry.contestant}"
    section = over(section, alice)
    me = entry.players[0]
    has_confirmed(me, "me@example.org")
    links.end_address(links.give_address(me, by=alice), by=alice)

    with smtp(settings) as box:
        claim(browser, section, label, me)
        while jobs.run_next_job():
            pass

    assert box.letters == []


def test_a_phone_asks_for_three_mails_an_hour(section, alice):
    entry = section.plays.filter(table=1, round=section.round).first().ns
    browser, label = phone_of(section, entry), f"NS{entry.contestant}"
    section = over(section, alice)

    sent = []
    for _ in range(5):
        Job.objects.all().delete()
        claim(browser, section, label, entry.players[0])
        sent.append(queued_mails())

    assert [len(jobs) for jobs in sent] == [1, 1, 1, 0, 0]


def test_nobody_else_has_an_address_sent(section, alice, signed_in):
    at_one = section.plays.filter(table=1, round=section.round).first()
    browser, label = phone_of(section, at_one.ns), f"NS{at_one.ns.contestant}"
    early = claim(browser, section, label, at_one.ns.players[0])
    section = over(section, alice)
    me, other = at_one.ns.players[0], at_one.ew.players[0]
    stranger = Client()
    stranger.get(reverse("lookup", args=[section.code]))

    tries = [
        early,
        claim(stranger, section, label, me),
        claim(signed_in(alice), section, label, me),
        claim(browser, section, f"EW{at_one.ew.contestant - 3}", other),
        claim(browser, section, label, other),
        claim(browser, section, label, Person.objects.exclude(pk__in=[me.pk, other.pk]).last()),
    ]

    assert {answer.status_code for answer in tries} == {200}
    assert queued_mails() == []


def test_where_no_secret_is_asked_no_phone_has_an_address_sent(section, alice):
    at_one = section.plays.filter(table=1, round=section.round).first().ns
    browser = phone_of(section, at_one, EntryMode.ANY)
    section = over(section, alice)

    claim(browser, section, f"NS{at_one.contestant}", at_one.players[0])

    assert queued_mails() == []
