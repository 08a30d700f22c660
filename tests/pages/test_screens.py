"""Number of screens, and the new addresses of former screens."""

import re
from pathlib import Path

import pytest
from django.test import Client

from bridgebuddy.clubs.models import Club
from bridgebuddy.demo.season import make_demo_club
from bridgebuddy.events.models import Section
from tests.factories import UserFactory
from tests.security.rights import other_addresses

from .addresses import pages
from .screens import LEADS_ON, Screens
from .test_links import make_states

pytestmark = pytest.mark.django_db

DOC = Path("docs/dev/clicks.md")
#: there are fewer screens than this
MOST = 130
#: a table that tells so many screens more than there are is old
TOO_MANY = 4
#: pages of several ways: only the one that is chosen shows its button
ONE_AT_A_TIME = {"change"}


#: what was answered, for the tests that follow: it holds text alone
ANSWERED: list[Screens] = []


@pytest.fixture
def screens(monkeypatch):
    """Return the answers of every address, in the states of the walk by links."""
    if not ANSWERED:
        ANSWERED.append(answered(monkeypatch))
    return ANSWERED[0]


def answered(monkeypatch):
    monkeypatch.setattr("bridgebuddy.printing.rendering.cache.render_pdf", str.encode)
    director = make_demo_club("x" * 12)
    last = Section.objects.latest("pk").pk
    made = make_states(Club.objects.get(), director)
    browser, newcomer = Client(), Client()
    browser.force_login(director)
    newcomer.force_login(UserFactory())
    screens = Screens().ask({**other_addresses(), **made}, [browser, newcomer, Client()])
    for section in Section.objects.filter(pk__gt=last, session__deleted_at=None):
        for page in pages(section):
            if not page.headers:
                screens.note(page.name, page.address_of(section), page.of(section, browser))
    return screens


def test_the_number_of_screens_is_told_and_small(screens):
    counts = screens.count()
    told = dict(re.findall(r"^\| ([a-z ]+) \| (\d+) \|$", DOC.read_text(), re.MULTILINE))

    spare = {side: int(told[side]) - count for side, count in counts.items()}
    assert {side: left for side, left in spare.items() if not 0 <= left < TOO_MANY} == {}, counts
    assert sum(counts.values()) < MOST


def test_addresses_that_are_no_screens_lead_to_their_pages(screens):
    assert screens.leading == LEADS_ON


def test_no_page_has_two_filled_buttons(screens):
    """The most likely next action stands out: two filled buttons would hide it."""
    several = {name for name, count in screens.filled.items() if count > 1}
    assert several == ONE_AT_A_TIME
