"""The compressed size that result entry adds to a phone's first visit, and the pages that load it."""

import gzip
import re

import pytest
from django.test import Client
from django.urls import reverse

from bridgebuddy.players.phones import offline
from tests.factories import section_with

from .tapping import Phone, with_phones

pytestmark = pytest.mark.django_db
MOST = 30_000


def named(page):
    """The files a page names."""
    return set(re.findall(r'<(?:link|script)[^>]*?(?:href|src)="(/[^"]+)"', page.content.decode()))


def test_entering_adds_less_than_thirty_kilobytes_to_a_first_visit_and_only_where_it_is_done():
    section = with_phones(section_with(30, "mitchell", round=1), asks_lead=True)
    browser = Client()
    of_player = named(browser.get(f"/p/{section.code}/NS1/"))
    phone = Phone(section, 1, "NS")
    play = section.plays.filter(round=1, table=1).first()

    pages = [phone.page]
    phone.open(reverse("table-board", args=[section.code, 1, play.pk]))
    pages.append(phone.page)
    files = set().union(*map(named, pages)) - of_player

    assert files == {offline.versioned_address(name) for name in offline.OF_TABLES}
    worker = browser.get("/sw.js").content.decode()
    fetched_by_all = re.search(r"const FILES = \[.*?\];", worker)[0]
    assert not [name for name in files if name in fetched_by_all]
    contents = [page.content for page in pages]
    contents += [b"".join(browser.get(path)) for path in files]
    sizes = [len(gzip.compress(content)) for content in contents]
    assert sum(sizes) < MOST, sizes
