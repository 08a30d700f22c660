"""A server without Pango, as on Windows: sheets are pages that the browser prints."""

import base64
import hashlib
import re

import pytest

from bridgebuddy.clubs.models import ClubLogo
from bridgebuddy.printing.rendering import paper

SENTENCE = "This server makes no PDF files"


@pytest.fixture
def without_pango(monkeypatch, tmp_path):
    """Let WeasyPrint fail in every new process as it does where Pango is missing."""
    package = tmp_path / "weasyprint"
    package.mkdir()
    (package / "__init__.py").write_text("raise OSError('cannot load library libpango-1.0-0')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    paper.can_make_pdf.cache_clear()
    yield
    paper.can_make_pdf.cache_clear()


def test_that_pango_is_there_is_found_out_by_trying(without_pango, monkeypatch):
    assert paper.can_make_pdf() is False

    monkeypatch.delenv("PYTHONPATH")
    paper.can_make_pdf.cache_clear()
    assert paper.can_make_pdf() is True


def test_the_page_to_choose_says_so_and_every_sheet_is_a_page(
    signed_in, alice, skip_section, without_pango
):
    browser = signed_in(alice)
    address = f"/s/{skip_section.code}/print/"

    assert SENTENCE in browser.get(address).content.decode()
    for name in ("table-cards", "guide-cards", "master", "together"):
        asked = "?asked=1&sheet=table-cards&sheet=seating" if name == "together" else ""
        answer = browser.get(f"{address}{name}.pdf{asked}")
        page = answer.content.decode()
        assert (answer.status_code, answer["Content-Type"]) == (200, "text/html; charset=utf-8")
        assert SENTENCE in page
        assert "css/print.css" in page
        assert page.count("<body") == page.count("</body>") == 1


def test_a_server_with_pango_says_nothing_of_it(signed_in, alice, skip_section):
    page = signed_in(alice).get(f"/s/{skip_section.code}/print/").content.decode()

    assert SENTENCE not in page


def test_the_style_of_the_logo_is_allowed_by_its_hash_alone(
    signed_in, alice, club, skip_section, without_pango
):
    ClubLogo.objects.create(club=club, image=b"\x89PNG\r\n\x1a\n", type="image/png")

    answer = signed_in(alice).get(f"/s/{skip_section.code}/print/table-cards.pdf")

    (style,) = re.findall(r"<style>(.*?)</style>", answer.content.decode(), re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"style-src 'self' 'sha256-{digest}'" in answer["Content-Security-Policy"]
    assert "unsafe-inline" not in answer["Content-Security-Policy"]


def test_a_movement_of_the_library_is_a_page_too(signed_in, alice, club, without_pango):
    answer = signed_in(alice).get("/print/mitchell/7.pdf")

    assert answer.status_code == 200
    assert SENTENCE in answer.content.decode()


def test_several_documents_become_one_each_on_a_new_page(monkeypatch):
    monkeypatch.setattr(paper, "can_make_pdf", lambda: False)
    sheet = '<html><head><title>A &amp; B</title></head><body class="a4"><p>{}</p></body></html>'

    page = paper.sheets_response("x.pdf", sheet.format("one"), sheet.format("two")).content.decode()

    assert "<title>A &amp; B</title>" in page
    assert page.count('<body class="a4">') == 1
    assert re.search(r'<p>one</p>\s*<div class="next"><p>two</p></div>', page)
