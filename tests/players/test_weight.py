"""A first visit on a poor network: the page and all it names, as they travel, and its letters."""

import re

import pytest
from django.http import HttpResponse
from django.middleware.gzip import GZipMiddleware
from django.test import Client

from bridgebuddy.players.phones.offline import FONTS
from bridgebuddy.web.http import compact_page
from tests.factories import section_with

pytestmark = pytest.mark.django_db
MOST, LETTERS = 27_900, 14_000
#: what each answer's first line and what the server adds (its date, that it goes on) take
BESIDE = 90


def test_a_first_visit_weighs_less_than_twenty_eight_kilobytes_and_its_letters_fourteen(
    monkeypatch,
):
    monkeypatch.setattr(GZipMiddleware, "max_random_bytes", 0)  # it pads each page by chance
    section = section_with(40, "skip-mitchell", round=1, rounds=13)
    browser = Client()
    address = f"/p/{section.code}/NS1/"
    page = browser.get(address).content.decode()
    named = re.findall(r'<(?:link|script)[^>]*?(?:href|src)="(/[^"]+)"', page)

    visit = sum(weight(Client(), path) for path in (address, *named))

    files = [b"".join(browser.get(path)) for path in named]
    styles = [text.decode() for path, text in zip(named, files, strict=True) if ".css" in path]

    assert len(named) >= 4
    fetched = re.findall(r'url\("([^"]+)"\)|@import', "".join(styles))
    assert fetched == [f"../{font}" for font in FONTS]  # nothing more
    assert sum(len(b"".join(browser.get(f"/static/{font}"))) for font in FONTS) < LETTERS
    assert visit < MOST, visit


def test_a_players_page_has_no_indentation(client):
    section = section_with(8, "howell", round=1)

    for page in (f"/p/{section.code}/", f"/p/{section.code}/1/"):
        text = client.get(page).content.decode()
        assert re.findall(r"^\s", text, re.MULTILINE) == []
        assert "<h1" in text


@pytest.mark.parametrize(
    ("content", "content_type", "left"),
    [
        ("<p>\n\n  one\n  two </p>", "text/html; charset=utf-8", "<p>\none\ntwo </p>"),
        ("<textarea>\n  one</textarea>", "text/html; charset=utf-8", None),
        ("<pre>\n  one</pre>", "text/html", None),
        ("[Event]\n\n  one", "text/plain", None),
    ],
)
def test_only_spaces_that_nobody_sees_are_left_out(content, content_type, left):
    response = compact_page(HttpResponse(content, content_type=content_type))

    assert response.content.decode() == (left or content)


def weight(browser, path):
    """The bytes of an answer over http, headers included."""
    answer = browser.get(path, headers={"Accept-Encoding": "gzip"})
    headers = sum(len(f"{name}: {value}\r\n") for name, value in answer.items())
    cookies = sum(len(f"{cookie}\r\n") for cookie in answer.cookies.values())
    return len(b"".join(answer)) + headers + cookies + BESIDE
