"""Rubbish in addresses and forms: always an answer, never a change."""

import pytest

from bridgebuddy.director.changes.wishes import WISHES, obstacle_to
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.services.play import searches
from tests.director.reading import ANSWERS, address_of
from tests.factories import section_with

pytestmark = pytest.mark.django_db

RUBBISH = ["", "0", "-1", "abc", "9" * 30, "1" * 5000, "1e9", "\x00", "²", "<b>'", "NaN"]
FOR_PLANS = ["", "9" * 30, "²"]
ADDRESSES = {
    "desk/": "v",
    "entries/": "move",
    "rounds/": "version",
    "print/": "since",
    "print/guide-cards.html": "contestant",
    "print/score-slips.html": "table",
    "movement/": "rounds",
}
FORMS = ["next-round", "back", "finish", "seen", "clock", "undo", "redo", "seats/swap"]


@pytest.fixture(autouse=True)
def no_search(monkeypatch):
    monkeypatch.setattr(searches, "searched_proposals", lambda *arguments: [])


@pytest.fixture(params=[1, 7], ids=["first round", "last round"])
def section(request, club, alice):
    return section_with(14, "mitchell", round=request.param, club=club, by=alice)


def test_pages_are_shown_with_any_question(section, alice, signed_in):
    browser = signed_in(alice)

    for page, name in ADDRESSES.items():
        answers = {
            browser.get(f"/s/{section.code}/{page}", {name: it}).status_code for it in RUBBISH
        }
        assert answers <= {200, 422}, page


@pytest.mark.parametrize("wish", WISHES)
def test_changes_are_asked_for_again(section, alice, signed_in, wish):
    browser, address = signed_in(alice), address_of(section, wish)
    names = ["plan", "way", *ANSWERS[wish]]

    for rubbish in RUBBISH if section.round == 1 else FOR_PLANS:
        answers = dict.fromkeys(names, rubbish)
        shown = browser.get(address, answers)
        if obstacle_to(WISHES[wish], section, SessionEvening(section)):
            assert shown.headers["Location"] == f"/s/{section.code}/desk/"
        else:
            assert shown.status_code in (200, 422)
        if rubbish in FOR_PLANS or wish == "late":  # which all read alike
            assert browser.post(address, answers).status_code in (409, 422)
        assert browser.post(address, {**answers, "plan": section.plan}).status_code != 302

    assert Section.objects.get(pk=section.pk).shown == section.shown


@pytest.mark.parametrize("form", FORMS)
def test_forms_change_nothing(section, alice, signed_in, form):
    browser, names = signed_in(alice), ("after", "plan", "do", "one", "other")

    for rubbish in RUBBISH:
        sent = dict.fromkeys(names, rubbish)
        assert browser.post(f"/s/{section.code}/{form}/", sent).status_code in (200, 302, 422)

    assert Section.objects.get(pk=section.pk).shown == section.shown
