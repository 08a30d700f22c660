"""A table's phone whose store, worker, codes or program change: results arrive, and pages tell the truth."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from bridgebuddy.events.services.play import rounds
from bridgebuddy.players.phones import offline
from bridgebuddy.scoring.models import Result
from bridgebuddy.table_phones.services import phone_settings
from tests.factories import director_of
from tests.table_phones.tapping import with_phones

from .conftest import until
from .test_letters import (
    cut_on_the_page_of_the_round,
    expect_all_sent,
    of_table,
    write_while_cut,
)
from .test_tables import KEPT, enter_up_to_tricks, joined

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SILENT_STORE = "indexedDB.open = () => ({});"
WORKER_THAT_IS_NEVER_READY = """Object.defineProperty(navigator.serviceWorker, "ready", {
    get: () => new Promise(() => undefined),
});"""
IS_ACTIVE = """async (store) => {
    const { active } = await navigator.serviceWorker.ready;
    return active.state === "activated" && (await caches.keys()).includes(store);
}"""
ENTER = ".go-enter:visible"


def test_a_store_that_answers_nothing_keeps_no_result_from_the_server(page, section, wire):
    with_phones(section)
    phone = joined(page, section, 1, base_url=wire.plain)
    phone.context.add_init_script(SILENT_STORE)
    phone.reload()

    phone.locator(ENTER).click()
    phone.get_by_role("button", name="All passed").click()

    expect(phone.get_by_role("button", name="Yes, that is right")).to_be_visible()
    assert [result.outcome for result in Result.objects.all()] == [{"passed": True}]


def test_copies_do_not_wait_for_a_worker_that_is_never_ready(page, section, wire):
    with_phones(section)
    phone = joined(page, section, 1, base_url=wire.trusted, service_workers="allow")
    phone.context.add_init_script(WORKER_THAT_IS_NEVER_READY)
    phone.reload()
    cut_on_the_page_of_the_round(phone, wire, section)

    phone.locator(ENTER).click()

    expect(phone.locator("#pad")).to_be_visible()


def test_new_codes_ask_for_the_card_and_never_say_that_there_is_no_connection(page, section, wire):
    with_phones(section)
    phone = joined(page, section, 1, base_url=wire.trusted)

    phone_settings.renew_secrets(section, by=None)

    expect(phone.get_by_label("Four digits of the table")).to_be_visible()
    expect(phone.get_by_text("Not connected")).to_be_hidden()


def test_a_new_version_of_the_program_keeps_every_page(page, section, wire, monkeypatch):
    with_phones(section)
    phone = joined(page, section, 1, base_url=wire.trusted)
    kept = [reverse("table-board", args=[section.code, 1, play.pk]) for play in of_table(section)]
    until(phone, KEPT, arg=[reverse("table", args=[section.code, 1]), *kept])

    monkeypatch.setattr(offline, "static_files_version", lambda: "another")
    offline.service_worker_script.cache_clear()
    phone.evaluate("navigator.serviceWorker.ready.then((worker) => worker.update())")
    until(phone, IS_ACTIVE, arg="bridgebuddy-another")
    offline.service_worker_script.cache_clear()
    wire.cut()
    phone.reload()

    expect(phone.locator("#offline")).to_be_visible()
    for address in kept:
        phone.goto(f"{wire.trusted}{address}")
        expect(phone.locator("#pad")).to_be_visible()


def test_after_the_session_a_board_that_has_arrived_is_asked_for_no_more(page, section, wire):
    with_phones(section)
    phone = joined(page, section, 1, base_url=wire.trusted)
    play = of_table(section)[0]
    write_while_cut(phone, section, wire, play)
    rounds.finish_session(section, round=section.round, by=director_of(section.club))

    wire.mend()
    phone.evaluate("dispatchEvent(new Event('online'))")

    expect_all_sent(phone)
    expect(phone.locator(f".brds [data-play='{play.pk}']")).to_contain_text("not checked")
    expect(phone.locator(f"[data-enter='{play.pk}']")).to_have_count(0)
    expect(phone.get_by_role("link", name="Boards of earlier rounds")).to_have_count(1)


def test_a_copy_of_a_session_that_is_over_gives_way_to_the_page_of_now(page, section, wire):
    with_phones(section)
    phone = joined(page, section, 1, base_url=wire.trusted)
    rounds.finish_session(section, round=section.round, by=director_of(section.club))
    expect(phone.locator("#live:not([hx-get])")).to_have_count(1)
    until(phone, KEPT, arg=[reverse("table", args=[section.code, 1])])
    wire.cut()
    phone.evaluate("tables.renew()")
    expect(phone.locator("#offline")).to_be_visible()

    wire.mend()

    expect(phone.locator("#offline")).to_be_hidden()
    wire.cut()
    phone.reload()
    expect(phone.locator("#offline")).to_be_visible()
    wire.mend()
    expect(phone.locator("#offline")).to_be_hidden()


def test_the_tricks_are_asked_at_once_when_the_page_is_loaded_anew(page, section):
    with_phones(section)
    phone = joined(page, section, 1, service_workers="block")
    phone.locator(ENTER).click()
    enter_up_to_tricks(phone, "4", "spades", "S")

    phone.reload()

    expect(phone.locator("#tricks h1")).to_contain_text("How many tricks did South make?")
    phone.locator("#tricks [name=tricks][value='10']").click()
    expect(phone.locator("#yes")).to_be_visible()
    assert Result.objects.get().outcome["contract"] == "4S"
