"""How many screens there are, and where the addresses of former screens lead."""

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
from .screens import Screens
from .test_links import make_states

pytestmark = pytest.mark.django_db

DOC = Path("docs/dev/clicks.md")
#: the most screens for directors and the club, with the account and the movements
MOST = 130
#: a table that tells so many screens more than there are is old
TOO_MANY = 4
#: addresses that always lead on: those of former pages, of forms that are opened again, and of a choice
LEADS_ON = {
    "add-list": "entries",
    "add-pair": "entries",
    "anonymise-player": "edit-player",
    "attendance": "players",
    "correct-substitute": "substitutes",
    "deals-file": "deals",
    "delete-account": "account",
    "delete-club": "club-privacy",
    "delete-session": "edit-session",
    "find-account": "money-accounts",
    "handicap-by-hand": "handicaps",
    "invite": "members",
    "leave-door": "who-comes",
    "looking-back": "ranking",
    "merge-players": "players",
    "money-prices": "money",
    "new-player": "players",
    "own-come": "own-coming",
    "player-language": "code",
    "print-money-month": "",
    "public-deals-file": "public-boards",
    "publish": "ranking",
    "seat": "entries",
    "set_language": "home",
    "take-list": "entries",
}


@pytest.fixture
def screens(monkeypatch):
    """Return what every address answers, in the states of the walk by links."""
    monkeypatch.setattr("bridgebuddy.printing.cache.render_pdf", str.encode)
    director = make_demo_club("x" * 12)
    last = Section.objects.latest("pk").pk
    made = make_states(Club.objects.get(), director)
    browser, newcomer = Client(), Client()
    browser.force_login(director)
    newcomer.force_login(UserFactory())
    screens = Screens().ask({**other_addresses(), **made}, [browser, newcomer, Client()])
    for section in Section.objects.filter(pk__gt=last, session__deleted_at=None):
        asked = [one for one in pages(section) if one.name in screens.open_names()]
        for one in asked:
            if not one.headers:
                screens.note(one.name, one.address_of(section), one.of(section, browser))
    return screens


def test_the_number_of_screens_is_told_and_small(screens):
    counts = screens.count()
    told = dict(re.findall(r"^\| ([a-z ]+) \| (\d+) \|$", DOC.read_text(), re.MULTILINE))

    spare = {side: int(told[side]) - count for side, count in counts.items()}
    assert {side: left for side, left in spare.items() if not 0 <= left < TOO_MANY} == {}, counts
    of_directors = ("director and club", "account", "movements")
    assert sum(counts[side] for side in of_directors) < MOST


def test_addresses_that_are_no_screens_lead_to_their_pages(screens):
    assert screens.leading == LEADS_ON
