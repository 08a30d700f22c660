"""Every page that is empty in a new club says what it is for, and shows an example of what it will show."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from bridgebuddy.clubs.models import Club
from bridgebuddy.demo.season import make_demo_club
from bridgebuddy.events.models import Session
from tests.factories import ClubFactory, director_of, section_with

from .links import Walk
from .test_links import make_states

pytestmark = pytest.mark.django_db

#: pages that list something in a full club, and ask or wait in an empty one, each with the reason
NO_LIST = {
    "import-movement": "a form",
    "use-movement": "a choice among sessions",
    "choose-movement": "waits for pairs, and leads to them",
    "entries": "the fields of the first pair; the field for a list says its form",
    "print": "waits for a movement, and leads to it",
    "lookup": "a phone that waits for its table",
}
FEWEST_WORDS = 8
MAIN = re.compile(r"<main.*?</main>", re.DOTALL)
APART = re.compile(r"<(script|style|svg|template|nav|thead)\b.*?</\1>", re.DOTALL)
EXAMPLE = re.compile(r'<(section|div) class="panel example.*?</\1>', re.DOTALL)


class KeptWalk(Walk):
    """A walk that keeps the main part of each page by the name of its address."""

    def __init__(self, browser: Client) -> None:
        super().__init__(browser)
        self.mains: dict[str, list[str]] = {}

    def seen(self, name: str, page: str) -> None:
        """Keep the main part of a page."""
        main = MAIN.search(page)
        self.mains.setdefault(name, []).append(APART.sub("", main[0] if main else page))


def has_rows(main: str) -> bool:
    return re.search(r"<(tr|li)\b", EXAMPLE.sub("", main)) is not None


def words_in(html: str) -> list[str]:
    return re.sub(r"<[^>]+>", " ", html).split()


def test_each_empty_page_says_what_it_is_for_and_shows_an_example(monkeypatch):
    monkeypatch.setattr("bridgebuddy.printing.rendering.cache.render_pdf", str.encode)
    director = make_demo_club("x" * 12)
    make_states(Club.objects.get(), director)
    club = ClubFactory()
    newcomer = director_of(club)
    browser, new = Client(), Client()
    browser.force_login(director)
    new.force_login(newcomer)
    full, empty = KeptWalk(browser).follow("/"), KeptWalk(new).follow("/")
    section = section_with(0, club=club, by=newcomer)
    Session.objects.filter(pk=section.session_id).update(date=club.today)
    empty_session = KeptWalk(new).follow(reverse("deals", args=[section.code]))

    empty_pages = {
        name: main
        for walk in (empty, empty_session)
        for name, mains in walk.mains.items()
        for main in mains
        if not has_rows(main) and any(map(has_rows, full.mains.get(name, [])))
    }

    assert empty_pages.keys() >= {"coming-weeks", "member-mails", "deals", "players"}
    assert empty_pages.keys() >= NO_LIST.keys()
    examples = {name: EXAMPLE.search(main) for name, main in empty_pages.items()}
    bare = {name for name, example in examples.items() if not example}
    assert [name for name, shown in examples.items() if shown and len(words_in(shown[0])) < 3] == []
    assert bare == NO_LIST.keys()
    assert [
        name
        for name, main in empty_pages.items()
        if len(words_in(EXAMPLE.sub("", main))) < FEWEST_WORDS
    ] == []
