"""A phone whose page is a week old, and a phone at the tables of two clubs: each page tells the truth."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from bridgebuddy.players.phones import offline
from bridgebuddy.scoring.models import Result
from bridgebuddy.table_phones.services import phone_settings
from tests.factories import EventFactory, director_of, section_with
from tests.table_phones.tapping import with_phones

from .test_letters import (
    SCAN_AGAIN,
    THREE,
    expect_all_sent,
    of_table,
    outcomes_of,
    put_away,
    write,
    write_while_cut,
)
from .test_tables import joined, scan

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: what a browser does with a tab of before: it shows it as it was, or loads it again
RESTORED = {
    "as it was": "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
    "loaded again": "location.reload()",
}
OVER = "The session is over: tell the director."


@pytest.mark.parametrize("how", RESTORED)
def test_a_tab_of_last_week_says_that_its_session_is_over_and_leads_on(
    page, section, wire, monkeypatch, how
):
    with_phones(section)
    phone = joined(page, section, 1, base_url=wire.trusted)
    write_while_cut(phone, section, wire, of_table(section)[0])
    rounds.finish_session(section, round=section.round, by=director_of(section.club))
    Section.objects.filter(pk=section.pk).update(code_ends_at=timezone.now())
    phone.context.clear_cookies()
    monkeypatch.setattr(offline, "static_files_version", lambda: "another")
    offline.service_worker_script.cache_clear()
    wire.mend()

    phone.evaluate(RESTORED[how])

    expect(phone.get_by_role("heading", name="This code opens nothing")).to_be_visible()
    phone.locator("[data-stuck]").click()
    expect(phone.locator("#letters [data-why]")).to_have_text(OVER)
    put_away(phone)
    phone.get_by_role("link", name="Enter another code").click()
    expect(phone.get_by_role("heading", name="Your table for tonight")).to_be_visible()
    assert not Result.objects.exists()
    offline.service_worker_script.cache_clear()


def test_a_phone_at_the_tables_of_two_clubs_sends_each_club_its_own_result(page, section, wire):
    with_phones(section)
    abroad = section_with(6, "mitchell", round=1)
    abroad.session.event = EventFactory(club=abroad.club, name="Harbour Pairs")
    abroad.session.save()
    with_phones(abroad)
    phone = joined(page, section, 1, base_url=wire.trusted)
    here, there = of_table(section)[0], of_table(abroad)[0]
    write_while_cut(phone, section, wire, here)
    phone_settings.renew_secrets(section, by=None)
    wire.mend()

    scan(phone, abroad, 1, wire.trusted)
    phone.get_by_role("button", name="NS").click()
    write(phone, abroad, there.board)
    expect(phone.get_by_role("button", name="Yes, that is right")).to_be_visible()

    phone.locator("[data-stuck]").click()
    expect(phone.locator("#letters [data-about]")).to_contain_text("Tuesday Pairs")
    expect(phone.locator("#letters [data-why]")).to_have_text(SCAN_AGAIN)
    assert (outcomes_of(here), outcomes_of(there)) == ([], [THREE])
    scan(phone, section, 1, wire.trusted)
    expect_all_sent(phone)
    assert (outcomes_of(here), outcomes_of(there)) == ([THREE], [THREE])
