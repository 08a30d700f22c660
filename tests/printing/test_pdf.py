"""The PDF itself: paper, fonts, a silent log, and nothing from anywhere else."""

import doctest
import io
import logging
import re
import socket
import subprocess
import sys
from pathlib import Path

import pypdf
import pytest
from django.utils.html import escape

from bridgebuddy.clubs.logos import prepared_logo
from bridgebuddy.clubs.models import ClubLogo
from bridgebuddy.printing import layout
from bridgebuddy.printing.offers import sheet_offers
from bridgebuddy.printing.rendering.pdf import (
    ORIGIN,
    FetchRefused,
    _shared_resources,
    render_pdf,
    static_file,
)
from bridgebuddy.printing.selection import EVERYBODY
from tests.factories import section_with

from .conftest import picture
from .test_pages import FOR_ALL

#: what stands of a name like "<img src=…> & <b>Co": surnames alone, or no names at all
SAID_OF_HTML = {"table-cards": "<b>Co", "seating": "<b>Co", "poster": "North2"}
SAID_OF_HTML |= dict.fromkeys(
    ("tent-cards", "score-slips", "pick-up-slips", "board-labels"), "Tuesday Pairs"
)
WITHOUT_NAMES = ("tent-cards", "score-slips", "pick-up-slips", "board-labels")
MM = 72 / 25.4


@pytest.fixture
def no_network(monkeypatch):
    """Fail any code that opens a connection."""

    def refuse(*args, **kwargs):
        raise AssertionError("something asked for the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.mark.parametrize(
    ("sheet", "paper", "size"),
    [
        ("table-cards", "a4", (210, 297)),
        ("guide-cards", "a4", (210, 297)),
        ("master", "a4", (297, 210)),
        ("table-cards", "letter", (215.9, 279.4)),
        ("guide-cards", "letter", (215.9, 279.4)),
        ("master", "letter", (279.4, 215.9)),
    ],
)
@pytest.mark.django_db
def test_sheets_have_the_paper_that_was_asked_for(pdf, alice, club, sheet, paper, size):
    section = section_with(6, "mitchell", club=club, by=alice)

    pages = pdf(alice, section, f"{sheet}.pdf?paper={paper}").pages

    assert {(round(p.mediabox.width / MM, 1), round(p.mediabox.height / MM, 1)) for p in pages} == {
        size
    }


@pytest.mark.django_db
def test_the_clubs_paper_is_used_when_none_is_asked_for(pdf, alice, club):
    club.paper = "letter"
    club.save()
    section = section_with(6, "mitchell", club=club, by=alice)

    (page, *_) = pdf(alice, section, "table-cards.pdf").pages

    assert round(page.mediabox.width / MM, 1) == 215.9


@pytest.mark.parametrize("sheet", FOR_ALL)
@pytest.mark.django_db
def test_every_kind_of_sheet_has_the_pages_that_were_counted_our_fonts_and_the_logo_once(
    pdf, signed_in, alice, club, skip_section, sheet
):
    page = signed_in(alice).get(f"/s/{skip_section.code}/print/")
    counted = {offer.sheet.name: offer.pages for offer in page.context["offers"]}
    assert counted.keys() == set(FOR_ALL)
    image, type_ = prepared_logo(picture("JPEG"))
    ClubLogo.objects.create(club=club, image=image, type=type_)

    printed = pdf(alice, skip_section, f"{sheet}.pdf")

    assert images(printed) == 1
    assert len(printed.pages) == counted[sheet]
    fonts = [font for page in printed.pages for font in fonts_of(page)]
    assert fonts
    assert {name for name, _ in fonts} <= {"BB-Print", "BB-Print-Semi-Bold", "BB-Print-Ultra-Bold"}
    assert all(is_embedded for _, is_embedded in fonts)


def images(reader: pypdf.PdfReader) -> int:
    """Return how many pictures a PDF holds."""
    numbers = set(reader.xref.get(0, {})) | set(reader.xref_objStm)
    objects = (reader.get_object(number) for number in numbers)
    return sum(isinstance(item, dict) and item.get("/Subtype") == "/Image" for item in objects)


def fonts_of(page) -> list[tuple[str, bool]]:
    """Return a page's fonts: name without the subset's prefix, and whether its file is inside."""
    found = []
    for reference in page["/Resources"]["/Font"].values():
        font = reference.get_object()
        descendant = font["/DescendantFonts"][0].get_object()
        descriptor = descendant["/FontDescriptor"].get_object()
        embedded = {"/FontFile", "/FontFile2", "/FontFile3"} & set(descriptor)
        found.append((font["/BaseFont"].split("+")[-1], bool(embedded)))
    return found


@pytest.mark.django_db
def test_names_from_all_of_europe_stay_in_our_fonts(pdf, alice, club):
    section = section_with(6, "mitchell", club=club, by=alice)
    person = section.entries.get(position=1).players[0]
    person.name = "Šárka Dvořáková-Łuczak"
    person.save()

    page = pdf(alice, section, "guide-cards.pdf?contestant=NS1").pages[0]

    assert "Šárka Dvořáková-Łuczak" in page.extract_text()
    assert {name for name, _ in fonts_of(page)} <= {
        "BB-Print",
        "BB-Print-Ultra-Bold",
        "BB-Print-Ext",
        "BB-Print-Ext-Ultra-Bold",
    }


@pytest.mark.django_db
def test_a_name_with_html_is_text_and_fetches_nothing(pdf, signed_in, alice, club, no_network):
    section = section_with(6, "mitchell", club=club, by=alice)
    person = section.entries.get(position=1).players[1]
    person.name = '<img src="http://evil.example/a.png"> O\'Neill & <b>Co'
    person.save()

    browser = signed_in(alice)
    for sheet in FOR_ALL:
        written = browser.get(f"/s/{section.code}/print/{sheet}.html").content.decode()
        assert escape(SAID_OF_HTML.get(sheet, "<img src=")) in written, sheet
        assert "<img src=" not in written, sheet
    for sheet in ("table-cards", "guide-cards"):
        text = "\n".join(p.extract_text() for p in pdf(alice, section, f"{sheet}.pdf").pages)
        assert SAID_OF_HTML.get(sheet, "<img src=") in text


@pytest.mark.parametrize("sheet", FOR_ALL)
@pytest.mark.django_db
def test_names_as_long_as_they_may_be_break_nothing(pdf, job, alice, club, sheet):
    section = section_with(8, "share-and-relay", club=club, by=alice)
    offered = {
        offer.sheet.name: offer.pages for offer in sheet_offers(job(section), EVERYBODY, None)
    }
    usual = offered[sheet]
    club.name = ("Bridge-Club Grün-Weiß " * 3 + "Unterpfaffenhofen")[:80]
    club.save()
    event = section.session.event
    event.name = "X" * 80
    event.save()
    for entry in section.entries.all():
        for place, person in enumerate(entry.players):
            person.name = f"Maximiliane {entry.position}{place} Freifrau-von-".ljust(60, "w")
            person.save()

    pages = pdf(alice, section, f"{sheet}.pdf").pages

    # names are never cut: where nobody's fits, cards are larger
    assert usual <= len(pages) <= 4 * usual
    texts = [" ".join(page.extract_text().split()) for page in pages]
    assert all("Tuesday 24 November 2026" in text for text in texts)
    named = ["Freifrau" in text for text in texts]
    if sheet == "master":  # the key is on a page of its own
        assert named[-1]
    else:
        assert set(named) == {sheet not in WITHOUT_NAMES}


def test_the_fetcher_refuses_whatever_is_not_a_static_file(no_network, weasyprint_log):
    html = (
        '<img src="http://evil.example/a.png"><img src="file:///etc/hostname">'
        '<img src="/media/b.png"><link rel="stylesheet" href="https://evil.example/c.css">'
        '<img src="data:image/png;base64,AAAA"><p>text</p>'
    )

    pdf = render_pdf(html)

    assert "text" in pypdf.PdfReader(io.BytesIO(pdf)).pages[0].extract_text()
    assert len(weasyprint_log) == 5
    assert all("FetchRefused" in message for message in weasyprint_log)
    weasyprint_log.clear()


@pytest.mark.parametrize(
    "address",
    [
        "http://evil.example/static/css/print.css",
        "file:///etc/passwd",
        f"{ORIGIN}/static/../bridgebuddy/settings.py",
        f"{ORIGIN}/static/..%2fmanage.py",
        f"{ORIGIN}/static//etc/passwd",
        f"{ORIGIN}/static/css",
        f"{ORIGIN}/static/css/missing.css",
        f"{ORIGIN}.evil.example/static/css/print.css",
        f"{ORIGIN}/",
    ],
)
def test_no_address_leads_out_of_the_static_folder(address):
    with pytest.raises(FetchRefused):
        static_file(address)


def test_static_files_are_found():
    assert static_file(f"{ORIGIN}/static/css/print.css").name == "print.css"


def test_the_style_sheet_is_read_once_for_many_sheets():
    render_pdf("<p>one")
    before = _shared_resources.cache_info()

    render_pdf("<p>two")

    after = _shared_resources.cache_info()
    assert (after.hits, after.misses) == (before.hits + 1, before.misses)


def test_weasyprints_complaints_reach_the_log(weasyprint_log):
    render_pdf("<p style='colour: red'>misspelt")

    assert len(weasyprint_log) == 1
    assert logging.getLogger("weasyprint").propagate
    weasyprint_log.clear()


def test_every_line_height_has_its_class():
    css = static_file(f"{ORIGIN}/static/css/print.css").read_text(encoding="utf-8")

    classes = dict(re.findall(r"\.(h\d+) \{ --line: ([\d.]+)mm; \}", css))
    assert classes == {layout.height_class(h): f"{h:g}" for h in layout.HEIGHTS}


def test_the_layouts_examples_are_true():
    assert doctest.testmod(layout).failed == 0


def test_pages_that_print_nothing_do_not_carry_weasyprint():
    program = (
        "import sys, django; django.setup();"
        "import bridgebuddy.urls, bridgebuddy.printing.views;"
        "print([name for name in sys.modules if 'weasyprint' in name])"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert (done.stdout.strip(), done.returncode) == ("[]", 0)


def test_only_one_module_knows_weasyprint():
    package = Path(layout.__file__).parents[1]

    importers = [
        path.name
        for path in package.rglob("*.py")
        if re.search(r"^\s*(from|import) weasyprint", path.read_text(encoding="utf-8"), re.M)
    ]

    assert importers == ["pdf.py"]
