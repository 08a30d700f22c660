"""Players' pages while the connection is cut or a stranger answers: none ends in the browser's own error page."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from bridgebuddy.scoring.models import Result
from bridgebuddy.table_phones.services import phone_holders
from tests.table_phones.tapping import with_phones

from .conftest import until
from .test_letters import (
    expect_all_sent,
    kept_on,
    of_table,
    waits_for,
    write_while_cut,
)
from .test_tables import KEPT, joined
from .wire import page as foreign_page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NO_PAGE = "No connection. Try again when there is one."
#: a window that keeps nothing refuses to open a store
KEEPS_NOTHING = (
    "indexedDB.open = () => { throw new DOMException('a private window', 'InvalidStateError'); };"
)
DISPATCH = "ServiceWorker.dispatchSyncEvent"


@pytest.mark.parametrize("address", ["trusted", "plain"])
def test_nothing_that_is_tapped_while_cut_ends_in_the_browsers_own_page(
    page, section, wire, address
):
    with_phones(section)
    entry = section.plays.filter(round=section.round, table=1).first().ns_id
    phone_holders.store_holder(section, "another phone of theirs", 1, entry)
    server = getattr(wire, address)
    phone = joined(page, section, 1, base_url=server)
    plan, digits = phone.context.new_page(), phone.context.new_page()
    plan.goto(f"{server}{reverse('lookup', args=[section.code])}")
    plan.locator("a[href$='/NS1/']").click()
    expect(plan.get_by_role("link", name="Enter results")).to_be_visible()
    digits.goto(f"{server}{reverse('table', args=[section.code, 2])}")
    digits.get_by_label("Four digits of the table").fill("1234")
    kept = [reverse("lookup", args=[section.code]), reverse("table", args=[section.code, 1])]
    if address == "trusted":
        until(phone, KEPT, arg=kept)
    opened = []
    for item in (phone, plan, digits):
        item.on("framenavigated", lambda frame: opened.append(frame.url))
    wire.cut()

    for name in (
        "Ask the director to show results here too",
        "Boards of earlier rounds",
        "Deutsch",
    ):
        phone.locator("a, button").filter(has_text=name).click()
        expect(phone.locator("#refused")).to_have_text(NO_PAGE)
        phone.evaluate("document.querySelector('#refused').remove()")
    digits.get_by_role("button", name="Open the table").click()
    expect(digits.locator("#refused")).to_have_text(NO_PAGE)
    plan.get_by_role("link", name="Enter results").click()
    if address == "trusted":
        expect(plan.locator("#offline")).to_be_visible()
        expect(plan.get_by_text("Enter board 1")).to_be_visible()
    else:
        expect(plan.locator("#refused")).to_have_text(NO_PAGE)
    assert not [url for url in opened if url.startswith("chrome-error")]


@pytest.mark.parametrize("missing", ["tables.js", "waiting.js"])
def test_keys_whose_scripts_have_not_come_say_that_there_is_no_connection(
    page, section, wire, missing
):
    """The connection broke while the page came: no result can wait there, and the form works when it is back."""
    with_phones(section)
    phone = joined(page, section, 1, base_url=wire.plain)
    phone.route(f"**/{missing}*", lambda route: route.abort())
    play = of_table(section)[0]
    phone.goto(f"{wire.plain}{reverse('table-board', args=[section.code, 1, play.pk])}")
    wire.cut()

    for name in ("4", "All passed"):
        phone.get_by_role("button", name=name, exact=True).click()
        expect(phone.locator("#refused")).to_have_text(NO_PAGE)
        phone.evaluate("document.querySelector('#refused').remove()")
    assert not Result.objects.exists()

    wire.mend()
    phone.get_by_role("button", name="All passed").click()
    expect(phone.get_by_role("button", name="Yes, that is right")).to_be_visible()
    assert [result.outcome for result in Result.objects.all()] == [{"passed": True}]


def test_a_proxys_page_takes_no_pages_place(page, section, wire):
    with_phones(section)
    phone = joined(page, section, 1, base_url=wire.trusted)
    at = reverse("table", args=[section.code, 1])
    until(phone, KEPT, arg=[at])
    wire.answers = {"GET": foreign_page("200 OK")}

    phone.evaluate("htmx.trigger('#live', 'look')")

    expect(phone.locator("#offline")).to_be_visible()
    expect(phone.get_by_role("link", name="Enter board 1")).to_be_visible()
    phone.locator("a, button").filter(has_text="Deutsch").click()  # it would leave the page
    expect(phone.locator("#refused")).to_have_text(NO_PAGE)
    phone.reload()
    expect(phone.get_by_text("Welcome to our Wi-Fi")).to_be_visible()  # to sign in there
    wire.cut()
    phone.reload()
    expect(phone.get_by_role("link", name="Enter board 1")).to_be_visible()


def test_in_a_window_that_keeps_nothing_a_letter_goes_along_from_page_to_page(page, section, wire):
    with_phones(section)
    phone = joined(page, section, 1, base_url=wire.plain)
    phone.context.add_init_script(KEEPS_NOTHING)
    phone.reload()
    play = of_table(section)[0]
    phone.get_by_role("link", name=f"Enter board {play.board}").click()
    wire.answers = {"POST": foreign_page("502 Bad Gateway")}
    phone.get_by_role("button", name="All passed").click()
    expect(phone.locator("[data-waits]:visible")).to_have_count(1)

    phone.get_by_role("link", name="Where do I play?").click()

    expect(phone.get_by_role("heading", name="Which pair are you?")).to_be_visible()
    phone.wait_for_function("() => Boolean(self.letters?.look)")
    assert phone.evaluate("letters.waiting().then((all) => all.every((one) => !one.id))")
    expect(phone.locator("[data-unsent] b")).to_have_text("1")
    wire.mend()
    phone.evaluate("dispatchEvent(new Event('online'))")
    expect_all_sent(phone)
    assert [result.outcome for result in Result.objects.all()] == [{"passed": True}]


def test_what_waits_is_sent_by_the_worker_when_no_page_is_open(page, section, wire):
    with_phones(section)
    phone = joined(page, section, 1, base_url=wire.trusted)
    write_while_cut(phone, section, wire, of_table(section)[0])
    waits_for(phone, 1)
    devtools, found = phone.context.new_cdp_session(phone), []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.extend(
            registration["registrationId"] for registration in told["registrations"]
        ),
    )
    devtools.send("ServiceWorker.enable")
    phone.goto("about:blank")
    wire.posted.clear()
    wire.mend()

    asked = {"origin": wire.trusted, "registrationId": found[0], "tag": "letters"}
    devtools.send(DISPATCH, {**asked, "lastChance": False})

    assert wire.posted.wait(60)
    phone.goto(f"{wire.trusted}/p/")
    assert kept_on(phone) == []
    assert Result.objects.count() == 1
