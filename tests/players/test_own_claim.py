"""The address of one's own page from the phone, after a session: once, and for a phone whose it is for certain."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.rounds import finish
from bridgebuddy.publication.models import OwnPage
from bridgebuddy.publication.own import links
from bridgebuddy.tables.models import Mode, Phones
from bridgebuddy.tables.secrets import secret_of
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db
TAKEN = 409


@pytest.fixture
def section(club, alice):
    return scored_section(6, "mitchell", rounds=3, club=club, by=alice)


def phones(section, mode=Mode.SECRET):
    return Phones.objects.update_or_create(session=section.session, defaults={"mode": mode})[0]


def phone_of(section, entry, mode=Mode.SECRET):
    """The phone of an entry at table 1: it has scanned the card, and said whose it is."""
    browser, secret = Client(), secret_of(section, 1, phones(section, mode))
    browser.get(reverse("table-join", args=[section.code, 1, secret]))
    browser.post(reverse("table-who", args=[section.code, 1]), {"who": entry.pk})
    return browser


def over(section, by):
    section.refresh_from_db()
    finish(section, round=section.round, by=by)
    return Section.objects.get(pk=section.pk)


def claim(browser, section, label, person=None):
    address = reverse("own-claim", args=[section.code, label])
    return browser.post(address, {"person": person.pk}) if person else browser.get(address)


def test_a_phone_is_led_from_its_evening_to_its_owners_page_once(section, alice):
    at_one = section.plays.filter(table=1, round=section.round).first().ns
    browser, label = phone_of(section, at_one), f"NS{at_one.contestant}"
    evening = reverse("player", args=[section.code, label])
    mine = reverse("own-claim", args=[section.code, label])
    assert mine not in browser.get(evening).content.decode()  # while it is played

    section = over(section, alice)

    assert mine in browser.get(evening).content.decode()
    me = at_one.players[0]
    assert me.name in claim(browser, section, label).content.decode()
    answer = claim(browser, section, label, me)
    assert answer.url == links.address_of(OwnPage.objects.get())
    assert claim(browser, section, label, me).url == answer.url  # two taps on the button
    OwnPage.objects.update(since=timezone.now() - links.SECOND_TAP)
    assert claim(browser, section, label, me).status_code == TAKEN
    assert links.code_of(OwnPage.objects.get()) not in str(claim(browser, section, label).content)


def test_nobody_else_is_given_an_address(section, alice, signed_in):
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

    assert {one.status_code for one in tries} == {200}
    assert not OwnPage.objects.exists()


def test_where_no_secret_is_asked_no_phone_is_anybodys_for_certain(section, alice):
    at_one = section.plays.filter(table=1, round=section.round).first().ns
    browser = phone_of(section, at_one, Mode.ANY)
    section = over(section, alice)

    claim(browser, section, f"NS{at_one.contestant}", at_one.players[0])

    assert not OwnPage.objects.exists()
