"""A way through the product for each role, in German: the role's pages, one task, and the pages it may not open."""

import datetime

import pytest
from playwright.sync_api import Page, expect

from bridgebuddy.clubs.models import Membership, Person, Role
from bridgebuddy.events.models import Session
from bridgebuddy.money.models import MoneyEntry
from bridgebuddy.money.queries.accounts import account_of, balance_of
from bridgebuddy.money.services.accounts import store_payment
from bridgebuddy.money.services.settings import store_settings, turn_on_money
from bridgebuddy.registration.models import Registration
from bridgebuddy.registration.registering import switch_registration
from bridgebuddy.scoring.models import ScoringSettings
from tests.factories import ClubFactory, PersonFactory, director_of, member_of, section_to_enter
from tests.scoring.test_tonight import scored_section

from .conftest import DESKTOP, PASSWORD, PHONE, sign_in, too_wide_at

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
GONE = 404


@pytest.fixture
def club(transactional_db):
    return ClubFactory(name="Bridgeclub Lindenhof", language="de", time_zone="Europe/Berlin")


@pytest.fixture
def alice(club):
    return director_of(club, email="alice@example.org")


@pytest.fixture
def evening(club, alice):
    """An evening to which people register, a week from now."""
    section = section_to_enter(club, alice)
    section.session.date = club.today + datetime.timedelta(days=7)
    section.session.save()
    switch_registration(section, is_on=True, maximum=None, by=alice)
    return section


def look(page: Page, name: str) -> None:
    """Check the page shown: German, and no sideways scrolling on a phone or a screen."""
    assert name  # a picture of the page could have it
    assert page.evaluate("document.documentElement.lang") == "de"
    size = page.viewport_size
    assert too_wide_at(page, (size["width"], size["height"]), PHONE, DESKTOP) == []


def opened(page, user, size, address):
    """Open an address for a signed-in user, in German."""
    browser = page(size, locale="de-DE")
    if user:
        sign_in(browser, user)
    browser.goto(address)
    return browser


def is_closed(browser: Page, *addresses: str) -> bool:
    return all(browser.request.get(address).status == GONE for address in addresses)


def test_a_director_invites_a_treasurer_on_paper_who_joins(page, club, alice, settings):
    settings.HAS_MAIL = False
    desk = opened(page, alice, DESKTOP, f"/clubs/{club.pk}/members/")
    look(desk, "director-people")
    form = desk.locator("form[action$='/members/paper/']")
    if not form.is_visible():
        desk.locator("details:has(form[action$='/members/paper/']) summary").click()
    form.locator("label:has-text('Kassenwart')").first.click()
    form.locator("button").click()
    expect(desk.locator("h1")).to_have_text("Einladung auf Papier")
    code = desk.locator(".papercode").inner_text()
    look(desk, "director-paper")

    phone = opened(page, None, PHONE, "/join/")
    look(phone, "treasurer-joins")
    phone.locator("input[name=code]").fill(code.lower())
    phone.locator("input[name=email]").fill("kasse@example.org")
    phone.locator("input[type=password]").first.fill(PASSWORD)
    phone.locator("form.panel button[type=submit]").click()
    phone.wait_for_url("**/home/")

    joined = Membership.objects.get(club=club, user__email="kasse@example.org")
    assert joined.roles == [Role.TREASURER]
    look(phone, "treasurer-home")


def test_a_secretary_plans_a_session_and_moves_it(page, club, alice):
    secretary = member_of(club, Role.SECRETARY, email="sekretariat@example.org")
    desk = opened(page, secretary, DESKTOP, f"/clubs/{club.pk}/home/")
    look(desk, "secretary-home")
    desk.get_by_role("link", name="Die nächsten Wochen planen").click()
    look(desk, "secretary-weeks-empty")
    desk.get_by_role("link", name="Neues Turnier").click()
    day = (club.today + datetime.timedelta(days=3)).isoformat()
    desk.locator("input[name=name]").fill("Dienstag d'Or")
    desk.locator("input[name=date]").fill(day)
    look(desk, "secretary-new-session")
    desk.get_by_role("button", name="Turnier planen").click()
    expect(desk.locator("[role=status]").first).to_contain_text("Das Turnier ist geplant.")
    look(desk, "secretary-weeks")

    desk.get_by_role("link", name="Ändern").click()
    look(desk, "secretary-change-session")
    later = club.today + datetime.timedelta(days=4)
    desk.locator("input[name=date]").fill(later.isoformat())
    desk.locator("main form button[type=submit]").first.click()
    desk.wait_for_url("**/weeks/")

    session = Session.objects.get()
    assert (session.event.name, session.date) == ("Dienstag d'Or", later)
    code = session.sections.get().code
    assert is_closed(desk, f"/s/{code}/entries/", f"/s/{code}/desk/", f"/clubs/{club.pk}/money/")
    desk.goto(f"/clubs/{club.pk}/page/")
    desk.locator("textarea[name=documents]").fill("Satzung https://example.org/satzung.pdf")
    look(desk, "secretary-documents")
    desk.locator("textarea[name=documents]").blur()
    expect(desk.locator(".stored")).to_contain_text("Gespeichert.")
    desk.goto(f"/clubs/{club.pk}/home/")
    expect(desk.get_by_role("link", name="Satzung")).to_be_visible()
    look(desk, "secretary-home-after")


def test_a_scorer_opens_a_session_and_publishes_it(page, club, alice):
    section = scored_section(8, "howell", club=club, by=alice)
    scorer = member_of(club, Role.SCORER, email="auswertung@example.org")
    desk = opened(page, scorer, DESKTOP, f"/clubs/{club.pk}/home/")
    look(desk, "scorer-home")
    desk.get_by_role("link", name="Ergebnisse", exact=True).click()
    look(desk, "scorer-sessions")
    desk.locator(f"main a[href*='/s/{section.code}/']").first.click()
    look(desk, "scorer-results")
    desk.goto(f"/s/{section.code}/results/ranking/")
    look(desk, "scorer-ranking")
    desk.locator("summary.belowlist").click()
    desk.locator("form:has(input[name=do][value=publish]) button").first.click()
    expect(desk.locator("form:has(input[name=do][value=publish])")).to_have_count(0)

    assert ScoringSettings.objects.get(session=section.session).published_at
    assert is_closed(desk, f"/s/{section.code}/entries/", f"/s/{section.code}/desk/")


def test_a_treasurer_pays_in_and_reads_the_month(page, club, alice):
    turn_on_money(club, by=alice)
    store_settings(club, {"members": 500, "visitors": 800}, by=alice)
    ruth = PersonFactory(club=club, name="Ruth O'Klein")
    treasurer = member_of(club, Role.TREASURER, email="kasse@example.org")
    desk = opened(page, treasurer, DESKTOP, f"/clubs/{club.pk}/home/")
    look(desk, "treasurer-member-home")
    desk.get_by_role("link", name="Tischgeld").first.click()
    look(desk, "treasurer-prices")
    desk.goto(f"/clubs/{club.pk}/money/accounts/{ruth.pk}/")
    look(desk, "treasurer-account")
    form = desk.locator("form:has(input[value=pay-in])")
    form.locator("input[name=amount]").fill("20,50")
    form.locator("button").click()
    expect(desk.locator("main")).to_contain_text("20,50")

    assert balance_of(account_of(ruth)) == 2050
    desk.goto(f"/clubs/{club.pk}/money/")
    look(desk, "treasurer-month")
    expect(desk.locator("main")).to_contain_text("20,50")
    assert is_closed(desk, f"/clubs/{club.pk}/members/", f"/clubs/{club.pk}/weeks/")


def test_a_member_comes_with_one_press_and_reads_the_own_balance(page, club, alice, evening):
    ann = PersonFactory(club=club, name="Änne Süß")
    user = member_of(club, email="aenne@example.org")
    Membership.objects.filter(user=user).update(person=ann)
    turn_on_money(club, by=alice)
    store_payment(ann, 1250, key="a", by=alice)
    phone = opened(page, user, PHONE, f"/clubs/{club.pk}/home/")
    expect(phone.locator("main")).to_contain_text("12,50")
    look(phone, "member-home")

    phone.get_by_role("button", name="Ich komme").first.click()
    phone.wait_for_load_state()
    look(phone, "member-registered")

    assert Registration.objects.filter(session=evening.session, person=ann).exists()
    assert Person.objects.filter(pk=ann.pk).exists()
    assert MoneyEntry.objects.count() == 1
    assert is_closed(
        phone,
        f"/clubs/{club.pk}/players/",
        f"/clubs/{club.pk}/money/",
        f"/s/{evening.code}/entries/",
        "/sessions/new/",
    )
