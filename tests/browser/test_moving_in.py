"""Import a season of another program: choose its files, check, import, read the pages, undo."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Import, Session
from bridgebuddy.scoring.models import ScoringSettings
from tests.factories import ClubFactory, director_of
from tests.publication.test_moving_in import season
from tests.scoring.test_past_files import SEMICOLONS, USEBIO

from .conftest import PHONE, sign_in
from .test_accessibility import look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: a phone, and a tablet that lies
SIZES = (PHONE, (1024, 768))
ROWS = (
    "1;Bill O'Connor;Eva <b>Klein</b>;;61,25;12",
    "2;Ann Lee;Bob Day;;55.00;",
    "3;Zoë Öhringen;Max Roth;;33.75;",
)


def files():
    """Return files of three sessions in three formats, and one file of no known format."""
    return [
        {"name": f"{name}.{kind}", "mimeType": "text/plain", "buffer": data}
        for name, kind, data in (
            ("7 January", "csv", season("2025-01-07", "2025-01-14", rows=ROWS)),
            ("Pokal", "csv", SEMICOLONS.encode("utf-16")),
            ("sim pairs", "xml", USEBIO.encode()),
            ("photo", "jpg", b"\xff\xd8\xff\xe0 no list"),
        )
    ]


def test_a_season_moves_in_and_out_again(transactional_db, page):
    """Run in German, which has longer words."""
    club = ClubFactory()
    alice = director_of(club)
    known = Person.objects.create(club=club, name="William O'Connor")
    browser = page(PHONE, locale="de-DE", reduced_motion="reduce")
    sign_in(browser, alice)
    faults = []

    def looked():
        faults.extend(look(browser, SIZES))
        browser.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        browser.emulate_media(color_scheme="light")

    def press(wish):
        browser.locator(
            f"button[name=do][value={wish}], form:has(input[value={wish}]) button"
        ).click()

    browser.goto(reverse("moving-in", args=[club.pk]))
    browser.locator("input[type=file]").set_input_files(files())
    looked()
    browser.locator("form:has(input[type=file]) button").click()

    main = browser.get_by_role("main")
    expect(main).to_contain_text("photo.jpg")
    expect(main).to_contain_text("Bill O'Connor")
    browser.locator("summary").first.click()
    looked()
    press("take")
    expect(browser.get_by_role("alert")).to_have_count(1)  # nobody has said when the Pokal was
    browser.locator("input[type=date]").fill("2024-02-29")
    looked()
    press("take")

    expect(browser).to_have_url(re.compile("open=import"))
    expect(browser.locator("li[id^=session-]")).to_have_count(4)
    browser.locator("summary").first.click()
    looked()
    assert known.past_players.count() == 2
    press("read")
    expect(browser.locator("input[value=unread]")).to_have_count(1)
    lists = [reverse("public-results", args=[item.token]) for item in ScoringSettings.objects.all()]
    browser.goto(lists[0])
    looked()

    browser.goto(reverse("import", args=[club.pk, Import.objects.get().pk]))
    press("back")
    expect(browser.locator("input[type=file]")).to_be_visible()
    assert not Session.objects.exists()
    assert list(club.people.all()) == [known]
    assert {browser.goto(address).status for address in lists} == {404}
    assert faults == []
