"""A first visit on a poor network: the page and all it names, compressed, and its letters."""

import gzip
import re

import pytest
from django.test import Client

from bridgebuddy.players.offline import FONTS
from tests.factories import section_with

pytestmark = pytest.mark.django_db
MOST, LETTERS = 30_000, 14_000


def test_a_first_visit_weighs_less_than_thirty_kilobytes_and_its_letters_fourteen():
    section = section_with(40, "skip-mitchell", round=1, rounds=13)
    browser = Client()
    page = browser.get(f"/p/{section.code}/NS1/").content
    named = re.findall(r'<(?:link|script)[^>]*?(?:href|src)="(/[^"]+)"', page.decode())

    files = [b"".join(browser.get(path)) for path in named]
    styles = [text.decode() for path, text in zip(named, files, strict=True) if ".css" in path]

    assert len(named) >= 4
    fetched = re.findall(r'url\("([^"]+)"\)|@import', "".join(styles))
    assert fetched == [f"../{font}" for font in FONTS]  # nothing more
    assert sum(len(b"".join(browser.get(f"/static/{font}"))) for font in FONTS) < LETTERS
    assert sum(len(gzip.compress(text)) for text in (page, *files)) < MOST
