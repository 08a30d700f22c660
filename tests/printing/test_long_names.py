"""No name is ever cut on paper: smaller type, then lines that go on below."""

import pytest

from bridgebuddy.clubs.models import searchable
from bridgebuddy.printing.measure import fits_width, line_count, text_width
from bridgebuddy.printing.offers import sheet_offers
from bridgebuddy.printing.selection import EVERYBODY
from movements.engine import catalogue

from .conftest import section_playing
from .test_pdf import WITHOUT_NAMES

pytestmark = pytest.mark.django_db

#: sixty letters each, with spaces and hyphens, and without any
LONG = (
    "Wilhelmine Hohenlohe-Waldenburg-Schillingsfürst-Langenburger",
    "Maximilian Oberstein-Wittgenstein-Berleburg-Hohenzollernheim",
    "Konstantin Donaudampfschifffahrtsgesellschaftskapitaenswitwe",
)


def squeezed(text: str) -> str:
    """A text without spaces and line ends, as it may be broken anywhere."""
    return "".join(text.split())


@pytest.mark.parametrize(
    ("family", "tables", "options", "paper"),
    [
        ("mitchell", 3, {}, "a4"),
        ("howell", 3, {}, "letter"),
        ("rainbow", 5, {}, "letter"),
        ("ns-rover", 4, {}, "letter"),
        ("mitchell-teams", 6, {}, "a4"),
    ],
)
def test_names_of_sixty_letters_are_whole_on_every_sheet(
    pdf, job, alice, club, family, tables, options, paper
):
    section = section_playing(
        club, catalogue.build_movement(family, tables, None, None, options), 2
    )
    surnames = []
    for entry, name in zip(section.entries.all()[1::2], LONG, strict=False):
        person = entry.players[0]
        person.name, person.search = name, searchable(name)
        person.save()
        surnames.append(name.split()[-1])

    for offer in sheet_offers(job(section, paper), EVERYBODY, None):
        if offer.sheet.name in WITHOUT_NAMES and family != "howell":
            continue  # they are the same whatever people are called
        pages = pdf(alice, section, f"{offer.sheet.name}.pdf?paper={paper}").pages
        text = "\n".join(page.extract_text() for page in pages)
        assert "…" not in text, offer.sheet.name
        assert len(pages) == offer.pages, offer.sheet.name
        if offer.sheet.name in ("table-cards", "guide-cards", "seating", "master", "name-cards"):
            for surname in surnames:
                assert surname in squeezed(text), offer.sheet.name


def test_a_line_is_as_wide_as_its_letters():
    assert text_width("mm", 10.5) == pytest.approx(2 * text_width("m", 10.5))
    assert text_width("a", 21) == pytest.approx(2 * text_width("a", 10.5))
    assert fits_width("Meyer", 12)
    assert not fits_width("Meyer", 5)


def test_a_text_goes_on_below_at_spaces_and_hyphens_first():
    assert line_count("von der Leyen", text_width("von der ", 10.5) + 0.1) == 2
    assert line_count("Müller-Lüdenscheidt", text_width("Lüdenscheidt", 10.5) + 0.1) == 2
    assert line_count("m" * 30, text_width("m" * 10, 10.5) + 0.1) == 3
