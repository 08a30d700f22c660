"""A change in the sheet above the desk: the page's own fragment, and other pages as a whole."""

import re

import pytest
from django.urls import reverse

from bridgebuddy.director.changes.wishes import WISHES
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds, searches
from tests.director.reading import (
    ANSWERS,
    FASTER,
    LATE,
    address_of,
    alerts_on,
    in_which_one_can,
    titles_on,
    ways_on,
)
from tests.factories import section_with
from tests.markup import markup
from tests.signing_in import asks_to_sign_in

pytestmark = pytest.mark.django_db

SHEET = {"HX-Request": "true", "HX-Target": "sheet-body"}


@pytest.fixture(autouse=True)
def no_search(monkeypatch):
    monkeypatch.setattr(searches, "searched_proposals", lambda *arguments: [])


def inside(page):
    """Return the main part of a page of a change."""
    return re.search(r'<main class="sheet" id="main">(.*)</main>', page, re.S)[1]


def even(markup):
    """Return markup without the parts that differ in each answer."""
    return re.sub(
        r"\s+", " ", re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", markup)
    ).strip()


@pytest.mark.parametrize("wish", WISHES)
def test_the_sheet_holds_what_the_page_holds(browser, skip_section, alice, wish):
    section = in_which_one_can(wish, skip_section, alice)

    for answers in ({}, ANSWERS[wish]):
        page = browser.get(address_of(section, wish), answers).content.decode()
        sheet = browser.get(address_of(section, wish), answers, headers=SHEET)

        assert even(sheet.content.decode()) == even(inside(page))


def test_what_was_decided_in_the_sheet_leads_to_the_desk(browser, skip_section):
    address = address_of(skip_section, "late")
    way = ways_on(browser.get(address, headers=SHEET))[0]
    sent = {**LATE, "plan": skip_section.plan, "way": way}

    answers = [browser.post(address, sent, headers=SHEET) for _press in range(2)]

    desk = reverse("desk", args=[skip_section.code])
    assert [(answer.status_code, answer.headers["HX-Redirect"]) for answer in answers] == [
        (200, desk)
    ] * 2
    assert skip_section.movements.count() == 2


def test_a_wrong_answer_stays_in_the_sheet(browser, skip_section):
    address = address_of(skip_section, "late")
    way = ways_on(browser.get(address, headers=SHEET))[1]
    sent = {"first": "Eve Engel", "second": "", "plan": skip_section.plan, "way": way}

    answer = browser.post(address, {**sent, "reason": "The train"}, headers=SHEET)

    page = markup(answer)
    assert (answer.status_code, "<html" in page) == (422, False)
    assert alerts_on(answer) == ["A name is missing."]
    assert re.findall(r'name="(first|second|reason)"[^>]* value="([^"]*)"', page) == [
        ("first", "Eve Engel"),
        ("second", ""),
        ("reason", "The train"),
    ]
    assert re.findall(r'value="(\w+)" checked', page) == [way]
    assert "hx-preserve" not in page  # or htmx would keep the field and drop what it says


def test_who_was_slower_sees_in_the_sheet_what_is_possible_now(browser, skip_section, alice):
    address = address_of(skip_section, "late")
    sent = {**LATE, "plan": skip_section.plan, "way": "x"}
    rounds.start_next_round(skip_section, after=4, by=alice)

    answer = browser.post(address, sent, headers=SHEET)

    assert answer.status_code == 409
    assert alerts_on(answer)[0].startswith(FASTER)
    assert titles_on(answer)[0].strip() == "Rover, North-South"


def test_where_there_is_nothing_to_change_the_whole_page_goes_on(
    browser, skip_section, club, alice
):
    planned = section_with(16, "skip-mitchell", club=club, by=alice)
    rounds.finish_session(skip_section, round=4, by=alice)
    finished = Section.objects.get(pk=skip_section.pk)

    answers = [
        browser.get(address_of(section, "late"), headers=SHEET) for section in (planned, finished)
    ]

    assert [answer.headers["HX-Redirect"] for answer in answers] == [
        reverse("entries", args=[planned.code]),
        reverse("desk", args=[finished.code]),
    ]


def test_others_get_nothing_in_a_sheet_either(skip_section, bob, carol, signed_in, client):
    address = address_of(skip_section, "late")

    for browser in (signed_in(bob), signed_in(carol)):
        assert browser.get(address, headers=SHEET).status_code == 404
        assert browser.post(address, LATE, headers=SHEET).status_code == 404
    assert asks_to_sign_in(client.get(address, headers=SHEET))
    assert asks_to_sign_in(client.post(address, LATE, headers=SHEET))
