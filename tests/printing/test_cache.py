"""A sheet asked for twice is printed once, and anew as soon as it would say something else."""

import pytest
from django.core.cache import caches

from bridgebuddy.printing.rendering import cache
from tests.factories import section_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def renders(monkeypatch):
    """Count how often a PDF is made; nothing is kept from one test to the next."""
    caches["sheets"].clear()
    made: list[str] = []

    def count(html: str) -> bytes:
        made.append(html)
        return f"%PDF-{len(made)}".encode()

    monkeypatch.setattr(cache, "render_pdf", count)
    yield made
    caches["sheets"].clear()


@pytest.fixture
def printed(signed_in, alice, skip_section):
    """Return the file that a director gets for a sheet."""
    browser = signed_in(alice)

    def get(address: str = "table-cards.pdf", language: str = "en") -> bytes:
        path = f"/s/{skip_section.code}/print/{address}"
        return browser.get(path, headers={"accept-language": language}).content

    return get


def test_a_sheet_asked_for_twice_is_printed_once(renders, printed):
    assert [printed(), printed(), printed()] == [b"%PDF-1"] * 3
    assert len(renders) == 1


@pytest.mark.parametrize(
    "address",
    [
        "guide-cards.pdf",
        "table-cards.pdf?table=3",
        "table-cards.pdf?paper=letter",
    ],
)
def test_another_sheet_is_printed_by_itself(renders, printed, address):
    assert [printed(), printed(address), printed()] == [b"%PDF-1", b"%PDF-2", b"%PDF-1"]


def test_another_language_is_printed_by_itself(renders, printed, two_languages):
    assert [printed(language="en"), printed(language="de")] == [b"%PDF-1", b"%PDF-2"]


def test_a_name_spelt_anew_is_printed_anew(renders, printed, skip_section):
    printed()
    person = skip_section.entries.get(position=1).players[0]
    person.name = "Hanna Brandt"
    person.save()

    assert printed() == b"%PDF-2"


def test_the_clubs_settings_are_printed_anew(renders, signed_in, alice, club):
    section = section_with(16, "share-and-relay", club=club, by=alice)
    browser = signed_in(alice)
    browser.get(f"/s/{section.code}/print/table-cards.pdf")
    club.stand_word = "relay"
    club.save()

    browser.get(f"/s/{section.code}/print/table-cards.pdf")

    assert len(renders) == 2


def test_a_change_that_no_sheet_shows_prints_nothing_anew(renders, printed, skip_section):
    printed()
    skip_section.touch()

    assert printed() == b"%PDF-1"


def test_a_style_sheet_that_changed_prints_anew(renders, printed, monkeypatch, tmp_path):
    printed()
    style = tmp_path / "print.css"
    style.touch()
    monkeypatch.setattr(cache, "stylesheet_path", lambda: style)

    assert printed() == b"%PDF-2"


def test_a_very_large_pdf_is_not_kept(renders, monkeypatch):
    monkeypatch.setattr(cache, "MOST_BYTES", 3)

    assert [cache.cached_pdf("<p>one"), cache.cached_pdf("<p>one")] == [b"%PDF-1", b"%PDF-2"]


def test_sheets_do_not_push_out_rate_limits(renders):
    caches["default"].set("limit", 7)

    caches["sheets"].clear()

    assert caches["default"].get("limit") == 7
