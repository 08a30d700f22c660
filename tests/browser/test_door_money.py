"""Table money on the tablet at the door: two taps pay, also when the network comes and goes, and the desk sees it."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from bridgebuddy.money.models import MoneyEntry
from bridgebuddy.money.services.settings import store_settings, turn_off, turn_on_money
from bridgebuddy.registration.models import Registration
from bridgebuddy.registration.registering import register_pair
from tests.factories import ClubFactory, PersonFactory, director_of, section_to_enter

from .conftest import DESKTOP, sign_in, too_wide_at, until
from .test_drawn_pages import measured

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TABLET = (1024, 768)
NAMES = [("Ruth Klein", "Otto Klein"), ("Margarethe von Hohenstein", "Christian O'Brien")]


@pytest.fixture
def evening(transactional_db):
    club = ClubFactory(time_zone="Europe/Berlin", language="de")
    by = director_of(club)
    turn_on_money(club, by=by)
    store_settings(club, {"members": 500, "visitors": 800}, by=by)
    section = section_to_enter(club, by)
    section.session.date = club.today
    section.session.save()
    for names in NAMES:
        people = [PersonFactory(club=club, name=name) for name in names]
        register_pair(section.session, *people, by=by)
    return section, by


def at_the_door(page, section, by):
    tablet = page(TABLET, locale="de-DE")
    sign_in(tablet, by)
    tablet.goto(reverse("door-code", args=[section.code]))
    tablet.locator("details:has(form[action$='tablet/']) summary").click()
    tablet.locator("form[action$='tablet/'] button").click()
    tablet.wait_for_url("**/p/**")
    return tablet


def test_a_pair_pays_at_the_door_and_an_open_list_shows_it(page, evening):
    section, by = evening
    desk = page(DESKTOP, locale="de-DE")
    sign_in(desk, by)
    desk.goto(reverse("money", args=[section.code]))
    tablet = at_the_door(page, section, by)

    tablet.locator("button.tile").first.click()
    tablet.wait_for_url("**here=**")
    expect(tablet.locator(".welcome")).to_contain_text("Tischgeld: 10,00")
    assert measured(tablet, TABLET).height <= TABLET[1]
    assert too_wide_at(tablet, TABLET, (375, 667)) == []
    tablet.get_by_role("button", name="Wir zahlen bar").click()
    expect(tablet.locator(".welcome")).to_contain_text("Tischgeld: bar bezahlt")

    expect(desk.locator(".sums")).to_contain_text("Bar, 2 Personen")
    tablet.get_by_role("button", name="Doch nicht bezahlt").click()
    expect(tablet.get_by_role("button", name="Wir zahlen bar")).to_be_visible()
    expect(desk.locator(".sums")).to_contain_text("Bar, 0 Personen")


def test_a_payment_without_a_network_is_kept_and_sent_once(page, evening):
    section, by = evening
    tablet = at_the_door(page, section, by)
    tablet.locator("button.tile").first.click()
    tablet.wait_for_url("**here=**")

    tablet.context.set_offline(True)
    tablet.get_by_role("button", name="Wir zahlen bar").click()
    expect(tablet.locator("#offline")).to_be_visible()
    expect(tablet.locator(".welcome")).to_be_visible()
    assert not MoneyEntry.objects.exists()
    tablet.context.set_offline(False)

    until(tablet, "() => !(localStorage.getItem('door-taps') || '').includes('form')")
    assert (
        list(MoneyEntry.objects.values_list("kind", "amount"))
        == [
            ("charge", 500),
            ("cash", 500),
        ]
        * 2
    )


@pytest.mark.parametrize("why", ["money is off", "not in the list"])
def test_a_kept_payment_that_is_refused_says_so_until_it_is_seen(page, evening, why):
    section, by = evening
    tablet = at_the_door(page, section, by)
    tablet.locator("button.tile").first.click()
    tablet.wait_for_url("**here=**")
    tablet.context.set_offline(True)
    tablet.get_by_role("button", name="Wir zahlen bar").click()
    expect(tablet.locator("#offline")).to_be_visible()
    expect(tablet.locator("#refused")).to_be_hidden()

    if why == "money is off":
        turn_off(section.club, by=by)
    else:
        Registration.objects.filter(session=section.session).delete()
    tablet.context.set_offline(False)

    refused = tablet.locator("#refused")
    expect(refused).to_contain_text("Nicht gespeichert.")
    expect(refused.locator("li")).to_contain_text("Klein, 10,00 €: Wir zahlen bar (")
    until(tablet, "() => localStorage.getItem('door-taps') === '[]'")
    tablet.reload()
    expect(refused.locator("li")).to_have_count(1)
    assert too_wide_at(tablet, TABLET, (375, 667)) == []
    refused.get_by_role("button").click()
    expect(refused).to_be_hidden()
    tablet.reload()
    expect(refused).to_be_hidden()
    assert not MoneyEntry.objects.exists()


def test_a_tablet_without_a_network_stays_on_its_page(page, evening):
    section, by = evening
    tablet = at_the_door(page, section, by)
    tablet.clock.install()
    tablet.locator("button.tile").first.click()
    tablet.wait_for_url("**here=**")

    tablet.context.set_offline(True)
    tablet.clock.run_for(12_000)
    expect(tablet.locator("#offline")).to_be_visible()
    expect(tablet.locator(".welcome h1")).to_be_visible()
    tablet.context.set_offline(False)
    tablet.clock.run_for(6_000)

    tablet.wait_for_url(lambda url: "here=" not in url)


def test_two_desks_see_the_ticks_of_each_other_and_an_open_table_stays_open(page, evening):
    section, by = evening
    register = director_of(section.club, email="kasse@example.org")
    desks = []
    for user in (by, register):
        desk = page(DESKTOP, locale="de-DE")
        sign_in(desk, user)
        desk.goto(reverse("money", args=[section.code]) + "?by=name")
        desks.append(desk)
    tablet = at_the_door(page, section, by)
    for _pair in NAMES:
        tablet.locator("button.tile").first.click()
        tablet.wait_for_url("**here=**")
        tablet.locator("a.primary").click()
        tablet.wait_for_url(lambda url: "here=" not in url)

    first, second = desks
    expect(first.locator(".keys3")).to_have_count(4)
    first.locator("[id^=cash-]").first.click()
    expect(second.locator("[id^=cash-][aria-pressed=true]")).to_have_count(1)
    second.locator("[id^=cash-][aria-pressed=false]").first.click()
    expect(first.locator("[id^=cash-][aria-pressed=true]")).to_have_count(2)
