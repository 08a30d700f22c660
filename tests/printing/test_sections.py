"""Sheets of several sections: each names its section, and all come in one file on request."""

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.setup import movement, sections
from bridgebuddy.printing.sheets import OF_RESULTS, SHEETS
from tests.factories import section_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def drawn(monkeypatch):
    """Collect the sheets instead of drawing them."""
    found = []

    def render(*sheets):
        found.append(sheets)
        return b"%PDF"

    monkeypatch.setattr("bridgebuddy.printing.rendering.cache.render_pdf", render)
    return found


@pytest.fixture
def halves(club, alice):
    section = section_with(12, club=club, by=alice)
    keys = list(section.entries.order_by("pk").values_list("pk", flat=True))
    parts = sections.divide_entries(section, [keys[:6], keys[6:]], same_deals=True, by=alice)
    for item in parts:
        movement.choose_movement(item, "mitchell", boards_per_round=3, by=alice)
    return [Section.objects.get(pk=entry.pk) for entry in parts]


def printed(browser, section, name, **asked):
    return browser.get(reverse("print-pdf", args=[section.code, name]), asked)


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in SHEETS
        if name
        not in ("rover-cards", "stand-cards", "draw", "draw-slips", "deal-slips", *OF_RESULTS)
    ],
)
def test_every_sheet_says_of_which_section_it_is(halves, alice, signed_in, name):
    address = reverse("print-preview", args=[halves[1].code, name])

    page = signed_in(alice).get(address).content.decode()

    assert "Tuesday Pairs, section B" in page


def test_a_file_for_all_has_the_sheets_of_each_section_one_after_the_other(
    halves, alice, signed_in, drawn
):
    answer = printed(signed_in(alice), halves[1], "guide-cards", sections="all", contestant="NS1")

    assert "2026-11-24-tuesday-pairs-all-guide-cards.pdf" in answer["Content-Disposition"]
    first, second = drawn[0]
    assert "section A" in first
    assert "South6" in first
    assert "section B" in second
    assert "South12" in second


def test_a_file_of_one_section_is_called_by_its_letter(halves, alice, signed_in, drawn):
    answer = printed(signed_in(alice), halves[1], "guide-cards")

    assert "2026-11-24-tuesday-pairs-b-guide-cards.pdf" in answer["Content-Disposition"]
    assert len(drawn[0]) == 1


def test_a_section_without_a_movement_is_left_out(halves, alice, signed_in, drawn):
    Section.objects.filter(pk=halves[1].pk).update(movement=None)

    printed(signed_in(alice), halves[0], "table-cards", sections="all")

    assert len(drawn[0]) == 1


def test_where_no_section_has_anything_to_print_the_page_says_so(halves, alice, signed_in, drawn):
    answer = printed(signed_in(alice), halves[0], "rover-cards", sections="all")

    assert answer.status_code == 422
    assert drawn == []


def test_the_code_on_paper_is_everybodys(halves, alice, signed_in):
    address = reverse("print-preview", args=[halves[1].code, "table-cards"])

    assert halves[0].spaced_code in signed_in(alice).get(address).content.decode()


def test_of_one_section_no_sheet_and_no_choice_speaks_of_it(club, alice, signed_in, drawn):
    section = section_with(6, "mitchell", club=club, by=alice)
    browser = signed_in(alice)

    answer = printed(browser, section, "table-cards", sections="all")

    assert "2026-11-24-tuesday-pairs-table-cards.pdf" in answer["Content-Disposition"]
    assert "section" not in drawn[0][0].replace("<section", "").replace("</section", "")
    assert (
        "Which sections" not in browser.get(reverse("print", args=[section.code])).content.decode()
    )


def test_the_page_counts_the_sheets_of_all_sections_where_all_are_wanted(halves, alice, signed_in):
    browser = signed_in(alice)
    offered = {
        wanted: {
            offer.sheet.name: offer.count
            for offer in browser.get(
                reverse("print", args=[halves[0].code]), {"sections": wanted}
            ).context["offers"]
        }
        for wanted in ("", "all")
    }

    assert offered[""]["table-cards"] == "3 sheets"
    assert offered["all"]["table-cards"] == "6 sheets"
    assert list(offered["all"]) == list(offered[""])
