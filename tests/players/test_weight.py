"""A first visit on a poor network: the page and all it names, compressed."""

import gzip
import re

import pytest
from django.test import Client

from tests.factories import section_with

pytestmark = pytest.mark.django_db
MOST = 30_000


def test_a_first_visit_weighs_less_than_thirty_kilobytes():
    section = section_with(40, "skip-mitchell", round=1, rounds=13)
    browser = Client()
    page = browser.get(f"/p/{section.code}/NS1/").content
    named = re.findall(r'<(?:link|script)[^>]*?(?:href|src)="(/[^"]+)"', page.decode())

    files = [b"".join(browser.get(path)) for path in named]
    styles = [text.decode() for path, text in zip(named, files, strict=True) if ".css" in path]

    assert len(named) >= 4
    assert re.findall(r"url\(|@import", "".join(styles)) == []  # nothing more is fetched
    assert sum(len(gzip.compress(text)) for text in (page, *files)) < MOST
