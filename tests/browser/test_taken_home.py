"""Results taken home: random boards, a list for strangers, the federation's file, a whole season."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Event, Section, Session
from bridgebuddy.publication.models import ClubPage, ResultsSubscription
from bridgebuddy.scoring.models import Deal, ScoringSettings
from bridgebuddy.scoring.services import publishing
from tests.factories import ClubFactory, begun, director_of, section_with
from tests.publication.test_moving_in import season
from tests.scoring.test_tonight import enter_by_chance, scored_section

from .conftest import DESKTOP, PHONE, sign_in
from .test_accessibility import look, visit, visit_by_phone

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PRESSED = "button[name=do][value={wish}], form:has(input[value={wish}]) button"
SIZES = (DESKTOP, PHONE)


def press(page, wish):
    page.locator(PRESSED.format(wish=wish)).first.click()


def directed(page, by):
    """Yield a director's browser, and the faults of the pages that it opens."""
    browser = page(DESKTOP, reduced_motion="reduce")
    sign_in(browser, by)
    faults = []

    def looked():
        faults.extend(look(browser, SIZES))
        browser.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
        browser.emulate_media(color_scheme="light")

    return browser, looked, faults


def test_boards_are_dealt_played_read_by_a_stranger_and_taken_back(transactional_db, page):
    club = ClubFactory()
    by = director_of(club)
    section = section_with(6, "howell", boards_per_round=2, club=club, by=by)
    desk, looked, faults = directed(page, by)

    desk.goto(reverse("deals", args=[section.code]))
    desk.get_by_label("Boards", exact=True).fill("1-10")
    desk.get_by_text("For a tournament with witnesses").click()
    desk.get_by_role("button", name="Show the fingerprint first").click()
    fingerprint = desk.locator("code.long").inner_text()
    desk.get_by_label("A word of your own").fill("Nightingale")
    desk.get_by_role("button", name="Add the word").click()
    expect(desk.get_by_role("main")).to_contain_text("Nightingale")
    looked()
    desk.get_by_role("button", name="Now deal").click()
    desk.get_by_role("link", name="Slips to deal them by hand").click()
    expect(desk.locator("body")).to_contain_text("10")  # a slip for each board
    assert len(Deal.objects.filter(session=section.session)) == 10

    section = Section.objects.get(pk=section.pk)
    enter_by_chance(begun(section, section.movement.rounds))
    desk.goto(f"/s/{section.code}/desk/")
    desk.get_by_role("button", name="Finish the session").click()
    desk.get_by_role("button", name="Make final and publish").click()
    expect(desk.locator(".steps3 .addr a")).to_be_visible()
    token = ScoringSettings.objects.get().token
    address = reverse("public-results", args=[token])

    stranger = page(PHONE, reduced_motion="reduce")
    stranger.goto(address)
    board = reverse("public-board", args=[token, section.name, 1])
    stranger.goto(board)
    expect(stranger.locator(".cards")).to_be_visible()
    stranger.goto(reverse("public-deals", args=[token]))
    expect(stranger.get_by_role("main")).to_contain_text(fingerprint)
    expect(stranger.get_by_role("main")).to_contain_text("Nightingale")
    faults.extend(look(stranger, (PHONE,)))

    desk.goto(reverse("ranking", args=[section.code]))
    desk.locator("details.morelist > summary").click()
    press(desk, "unpublish")
    for item in (address, board):
        assert stranger.goto(item).status == 404
    faults.extend(look(stranger, (PHONE,)))
    press(desk, "publish")
    expect(desk.locator(".steps3 .addr a")).to_be_visible()
    assert stranger.goto(board).status == 200
    expect(stranger.locator(".cards")).to_be_visible()

    assert faults == []


def test_two_of_28_players_have_no_number_and_the_session_is_handed_in(transactional_db, page):
    club = ClubFactory(federation_number="4711")
    by = director_of(club)
    section = scored_section(14, "mitchell", rounds=7, club=club, by=by)
    publishing.make_list_final(section, by=by)
    for count, person in enumerate(Person.objects.order_by("pk")):
        if count not in (3, 20):
            Person.objects.filter(pk=person.pk).update(national_number=str(1000 + count))
    desk, looked, faults = directed(page, by)

    desk.goto(reverse("ranking", args=[section.code]))
    desk.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    desk.locator("summary", has_text="Files").click()
    shown = desk.locator(".pop", has_text="USEBIO").bounding_box()
    assert shown["x"] >= 0
    assert shown["x"] + shown["width"] <= PHONE[0]
    desk.keyboard.press("Escape")
    desk.get_by_role("link", name="To the federation").click()
    expect(desk.get_by_role("main")).to_contain_text("2 players have no number.")
    looked()
    fields = desk.locator("form.numbers input[type=text]")
    expect(fields).to_have_count(2)
    fields.nth(0).fill("7001")
    fields.nth(1).fill("7002")
    press(desk, "numbers")
    expect(desk.get_by_role("main")).to_contain_text("Everybody has a number.")
    looked()
    with desk.expect_download() as taken:
        desk.get_by_role("link", name="USEBIO").click()

    text = taken.value.path().read_text("utf-8")
    numbers = re.findall(r"<NATIONAL_ID_NUMBER>(\d+)</NATIONAL_ID_NUMBER>", text)
    assert len(set(numbers)) == 28
    assert {"7001", "7002"} <= set(numbers)
    assert faults == []


def test_a_season_of_thirty_files_moves_in_at_once(transactional_db, page):
    club = ClubFactory()
    by = director_of(club)
    desk, looked, faults = directed(page, by)
    files = [
        {
            "name": f"2025-{month:02}-{day:02}.csv",
            "mimeType": "text/csv",
            "buffer": season(f"2025-{month:02}-{day:02}"),
        }
        for month in range(1, 11)
        for day in (7, 14, 21)
    ]

    desk.goto(reverse("moving-in", args=[club.pk]))
    desk.locator("input[type=file]").set_input_files(files)
    desk.locator("form:has(input[type=file]) button").click()
    expect(desk.locator("input[name^=take-]:checked")).to_have_count(30)
    looked()
    press(desk, "take")
    expect(desk.locator("li[id^=session-]")).to_have_count(30)
    assert (Session.objects.count(), Event.objects.count(), club.people.count()) == (30, 1, 4)
    press(desk, "back")
    desk.wait_for_url("**" + reverse("moving-in", args=[club.pk]))

    assert (Session.objects.count(), club.people.count()) == (0, 0)
    assert faults == []


def test_the_clubs_page_and_pages_out_of_mails_are_for_everybody(transactional_db, page, settings):
    settings.HAS_MAIL, settings.PUBLIC_URL = True, "https://bridge.example.org"
    club = ClubFactory(public_names="full")
    by = director_of(club)
    section = scored_section(6, "mitchell", rounds=3, club=club, by=by)
    publishing.publish_results(section, by=by)
    ClubPage.objects.create(club=club, address="lindenhof", is_on=True, words="Tuesdays, 19:00")
    someone = Person.objects.order_by("pk").first()
    mail = ResultsSubscription.objects.create(person=someone, email="anna@example.org")
    names = ("page", "players")  # the embedded one has the colour behind it of whoever embeds it
    addresses = [reverse(f"club-{name}", args=["lindenhof"]) for name in names]
    addresses += [
        f"{reverse('club-players', args=['lindenhof'])}?q=anna",
        reverse("club-player", args=["lindenhof", someone.pk]),
        reverse("club-month", args=["lindenhof", 2026, 11]),
        reverse("club-year", args=["lindenhof", 2026]),
        reverse("mail-address", args=[mail.token]),
    ]

    assert visit_by_phone(page(PHONE, reduced_motion="reduce"), addresses) == []


def test_a_directors_pages_of_it(transactional_db, page, settings):
    settings.HAS_MAIL, settings.PUBLIC_URL = True, "https://bridge.example.org"
    club = ClubFactory(federation_number="4711")
    by = director_of(club)
    section = scored_section(6, "mitchell", rounds=3, club=club, by=by)
    publishing.make_list_final(section, by=by)
    someone = Person.objects.order_by("pk").first()
    ResultsSubscription.objects.create(person=someone, email="anna@example.org")
    desk = page(DESKTOP, reduced_motion="reduce")
    sign_in(desk, by)

    assert (
        visit(
            desk,
            [
                reverse("type-cards", args=[section.code, 1]),
                reverse("club-public", args=[club.pk]),
                reverse("edit-player", args=[club.pk, someone.pk]),
                reverse("masterpoints", args=[club.pk]),
            ],
        )
        == []
    )
