"""Measurable promises of the drawings of home, the club, help and the trial; each page is opened once."""

from datetime import time, timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from bridgebuddy.clubs.models import Club
from bridgebuddy.planning.models import Series
from bridgebuddy.planning.series import SeriesInput, create_series, series_dates
from tests.factories import UserFactory, director_of, section_with
from tests.table_phones.tapping import with_phones

from .conftest import DESKTOP, PHONE, sign_in
from .test_drawn_pages import TABLET_ACROSS, bottom_of, measured

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
#: pixels of the screen below a heading's last line that a page may use
SCREEN = 800
WEEKS = timedelta(weeks=20)


def on_day(section, days):
    section.session.date = timezone.localdate() + timedelta(days=days)
    section.session.save()
    return section


def test_home_is_one_screen_with_one_filled_button_and_menus_that_escape_closes(page):
    section = section_with(15)
    user = director_of(section.club, first_name="Anna Weber")
    for days in (-3, -7, -8, -14):
        on_day(section_with(6, club=section.club, by=user), days)
    on_day(section_with(6, club=section.club, by=user), 1)
    on_day(section, 0)
    home = page(DESKTOP)
    sign_in(home, user)

    home.goto("/")
    measures = measured(home)
    assert (measures.height <= SCREEN, measures.filled) == (True, 1)
    menu = home.locator(".hero summary")
    menu.click()
    expect(home.get_by_role("button", name="Play it as a rehearsal").first).to_be_visible()
    home.keyboard.press("Escape")
    expect(menu).to_be_focused()
    expect(home.locator(".hero .pop")).to_be_hidden()
    measured(home, PHONE)
    assert bottom_of(home, ".hero .btn.primary") <= PHONE[1]
    measured(home, TABLET_ACROSS)


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_twelve_members_and_their_tools_are_a_thousand_pixels(page, locale):
    section = on_day(section_with(16), 0)
    opened = page(DESKTOP, locale=locale)
    sign_in(opened, director_of(section.club, first_name="Anna Weber"))

    opened.goto(f"/clubs/{section.club.pk}/players/")
    measures = measured(opened)

    assert opened.locator(".roster tbody tr").count() == 12
    assert (measures.height <= 1000, measures.filled) == (True, 1)
    opened.locator(".tools summary").nth(1).click()
    expect(opened.locator(".tools form .check").first).to_be_visible()


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_home_with_three_sessions_today_and_a_series_is_one_screen(page, locale):
    running = on_day(section_with(16, "skip-mitchell", round=1), 0)
    club = running.club
    user = director_of(club, first_name="Anna Weber")
    for days in (-3, -7, -8, -14):
        on_day(section_with(6, club=club, by=user), days)
    for pairs in (0, 10):
        on_day(section_with(pairs, club=club, by=user), 0)
    series = SeriesInput(frozenset({2, 4}), time(19), timezone.localdate() + WEEKS)
    first = on_day(section_with(6, club=club, by=user), 1).session
    days = series_dates(series.days, first.date + timedelta(days=1), series.until)
    create_series(first, series, days, by=user)
    home = page(DESKTOP, locale=locale)
    sign_in(home, user)

    home.goto("/")
    measures = measured(home)

    assert (measures.height, measures.filled) == (SCREEN, 1)
    expect(home.locator(".hero")).to_have_count(3)
    expect(home.locator(".hero").first.locator(".btn.primary")).to_have_count(1)
    expect(
        home.locator(f'.ofseries a[href="/clubs/{club.pk}/series/{Series.objects.get().pk}/"]')
    ).to_be_visible()
    expect(home.locator("#calendar")).to_be_hidden()
    measured(home, TABLET_ACROSS)
    measured(home, PHONE)
    assert bottom_of(home, ".hero .btn.primary") <= PHONE[1]


def test_each_group_of_settings_is_one_screen_of_few_words_and_stores_at_once(page):
    section = section_with(0)
    club = section.club
    user = director_of(club, first_name="Anna Weber")

    for locale in ("de-DE", "en-GB"):
        opened = page(DESKTOP, locale=locale)
        sign_in(opened, user)
        for group in ("", "paper/", "members/", "privacy/"):
            opened.goto(f"/clubs/{club.pk}/{group}")
            measures = measured(opened, within="#settings")
            assert measures.height <= SCREEN, group
            assert measures.words <= 90, group
            measured(opened, PHONE)
    opened.goto(f"/clubs/{club.pk}/")
    opened.get_by_text("both", exact=True).click()
    opened.get_by_role("button", name="Undo").click()
    expect(opened.get_by_text("Your choice is saved at once.")).to_be_visible()
    assert Club.objects.get(pk=club.pk).results_come == "slips"


def test_a_club_is_made_with_three_answers_and_one_button(page):
    opened = page(DESKTOP)
    sign_in(opened, UserFactory())

    opened.goto("/clubs/new/")
    measures = measured(opened)
    assert (measures.height <= SCREEN, measures.buttons) == (True, 1)
    opened.get_by_label("Name of the club").fill("Lindenhof")
    opened.get_by_role("button", name="Create the club").click()
    expect(opened.get_by_role("heading", name="Your first session")).to_be_visible()
    first = measured(opened)
    assert (first.height <= SCREEN, first.filled) == (True, 1)


def test_the_guide_of_the_first_evening_is_one_line_and_one_step_on_a_phone(page):
    section = section_with(15, "skip-mitchell")
    opened = page(DESKTOP)
    sign_in(opened, director_of(section.club))
    opened.goto(f"/s/{section.code}/desk/")
    guide = opened.locator("#guide")

    for size in (DESKTOP, TABLET_ACROSS):
        measured(opened, size)
        assert guide.bounding_box()["height"] <= 90
        tops = [element.bounding_box()["y"] for element in guide.locator("li").all()]
        assert (len(tops), max(tops) - min(tops) <= 10) == (
            3,
            True,
        )  # on slips no phones are asked for
        assert len(guide.inner_text().split()) <= 35
    measured(opened, PHONE)
    expect(guide.locator("li:visible")).to_have_count(1)


def test_help_opens_beside_the_page_and_gives_the_focus_back(page):
    section = section_with(8, "howell", round=1)
    opened = page(DESKTOP)
    sign_in(opened, director_of(section.club))

    opened.goto(f"/s/{section.code}/desk/")
    link = opened.locator("[data-help]")
    link.click()
    drawer = opened.locator("#help")
    expect(drawer.get_by_role("heading", name="The desk")).to_be_visible()
    box = drawer.bounding_box()
    inside = drawer.evaluate("(one) => one.scrollHeight")
    assert len(drawer.inner_text().split()) <= 90
    assert (inside <= SCREEN, box["x"] > DESKTOP[0] / 2) == (True, True)
    opened.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(link).to_be_focused()
    opened.keyboard.press("?")
    expect(drawer).to_be_visible()
    opened.keyboard.press("Escape")
    opened.keyboard.press("n")
    expect(opened.get_by_role("button", name="Start round 2")).to_be_focused()
    opened.keyboard.press("l")
    expect(opened.locator("#sheet .tag", has_text="Late pair")).to_be_visible()


def test_the_guide_opens_help_beside_the_desk(page):
    section = section_with(8, "howell")
    with_phones(section)
    opened = page(DESKTOP)
    sign_in(opened, director_of(section.club))
    printed = {"name": f"paper-{section.code}", "value": "1", "domain": "localhost", "path": "/"}
    opened.context.add_cookies([printed])
    desk = f"/s/{section.code}/desk/"

    opened.goto(desk)
    opened.get_by_role("link", name="Show phone help").click()

    expect(opened.locator("#help").get_by_role("heading").first).to_be_visible()
    assert opened.url.endswith(desk)


def test_a_table_opens_in_place_and_the_clock_stays(page):
    section = section_with(16, "skip-mitchell", round=1)
    opened = page(DESKTOP)
    sign_in(opened, director_of(section.club))
    desk = f"/s/{section.code}/desk/"
    opened.goto(desk)
    opened.evaluate("window.isTheSamePage = true")

    opened.get_by_role("link", name="Table 3", exact=True).click()

    expect(opened.get_by_role("heading", name="Table 3, round 1")).to_be_visible()
    expect(opened.get_by_role("timer")).to_be_in_viewport()
    opened.wait_for_timeout(1500)  # the desk asks what is new, and the table stays open
    opened.get_by_role("link", name="Close").click()
    expect(opened.get_by_role("heading", name="Table 3, round 1")).to_be_hidden()
    assert opened.evaluate("window.isTheSamePage")
    assert opened.url.endswith(desk)


def test_the_card_of_the_first_evening_is_one_page(page):
    opened = page(DESKTOP)

    opened.goto("/help/card/first-evening/")
    pdf = opened.pdf(format="A4", margin={"top": "1cm", "bottom": "1cm"})

    assert pdf.count(b"/Type /Page\n") == 1


def test_a_beginner_tries_an_evening_without_an_account(page):
    opened = page(DESKTOP)

    opened.goto("/")
    opened.get_by_role("link", name="Other things to try").click()
    assert measured(opened).height <= SCREEN
    opened.get_by_role("button", name="Try the desk").click()
    expect(opened.get_by_role("button", name="Start round 5")).to_be_visible()
    measured(opened, PHONE)


@pytest.mark.parametrize("locale", ["de-DE", "en-GB"])
def test_the_first_page_is_one_screen_and_leads_to_a_table_by_its_code(page, locale):
    section = section_with(8, "howell", round=1)
    opened = page(DESKTOP, locale=locale)

    opened.goto("/")
    measures = measured(opened)
    assert (measures.height <= 890, measures.filled, measures.words <= 155) == (True, 1, True)
    measured(opened, PHONE)
    assert bottom_of(opened, ".hero .btn.primary") <= 390
    opened.locator("#code").fill(section.code)
    opened.locator(".playing .btn").click()
    expect(opened.get_by_text("Anna North4")).to_be_visible()


def test_a_new_session_shows_its_button_and_a_fold_below_the_desk_is_narrow(page):
    section = section_with(8, "howell", round=1)
    opened = page(DESKTOP)
    sign_in(opened, director_of(section.club))

    opened.goto("/sessions/new/")
    assert measured(opened).height <= SCREEN
    assert bottom_of(opened, ".sessionform .btn.primary") <= SCREEN
    opened.goto(f"/s/{section.code}/desk/?open=break")
    field = opened.locator("#break select").bounding_box()
    assert field["width"] < DESKTOP[0] / 2


#: a heading, and the box below it
HEADED = {
    "season/?open=new": ("#new h2", "#new .panel"),
    "home/": ("h1", ".memberhome"),
}


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_a_heading_does_not_touch_the_box_below_it(page, size):
    section = section_with(0)
    opened = page(size, locale="de-DE")
    sign_in(opened, director_of(section.club))
    addresses = {f"/clubs/{section.club.pk}/{end}": boxes for end, boxes in HEADED.items()}
    addresses[f"/s/{section.code}/print/"] = ("h1", ".nothing")

    gaps = {}
    for address, (heading, box) in addresses.items():
        opened.goto(address)
        top = opened.locator(box).first.bounding_box()["y"]
        gaps[address] = top - bottom_of(opened, heading)

    assert {address: gap for address, gap in gaps.items() if gap < 8} == {}
