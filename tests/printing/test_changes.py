"""Reprinting only the sheets that a change of the movement made wrong."""

import pytest
from django.utils import timezone

from bridgebuddy.events.queries.plan.differences import outdated_since
from bridgebuddy.printing.selection import SheetSelection
from bridgebuddy.printing.slips.pick_up_slips import pick_up_slips
from tests.events.test_differences import change, with_turned

pytestmark = pytest.mark.django_db


def test_only_the_cards_that_changed_are_printed(pdf, alice, skip_section):
    change(skip_section, with_turned(skip_section.movement.movement, 7, 1, 2), 7)

    guides = pdf(alice, skip_section, "guide-cards.pdf?since=1")
    tables = pdf(alice, skip_section, "table-cards.pdf?since=1")

    assert len(guides.pages) == 1
    text = guides.pages[0].extract_text()
    assert [text.count(f"{line} {n}\n") for line, n in (("NS", 1), ("NS", 2), ("NS", 3))] == [1, 1, 0]  # fmt: skip
    assert text.count("version 2") == 4
    assert len(tables.pages) == 3


def test_what_hangs_on_a_wall_is_printed_whole(pdf, alice, skip_section):
    change(skip_section, with_turned(skip_section.movement.movement, 7, 1, 2), 7)

    slips, poster, labels = (
        pdf(alice, skip_section, f"{sheet}.pdf?since=1")
        for sheet in ("score-slips", "poster", "board-labels")
    )

    assert len(slips.pages) == 2
    assert poster.pages[0].extract_text().count("EW") >= 8
    assert labels.pages[0].extract_text().count("Boards") == 8


def test_the_page_offers_earlier_versions_once_there_are_any(signed_in, alice, skip_section):
    browser = signed_in(alice)
    address = f"/s/{skip_section.code}/print/"
    assert 'name="since"' not in browser.get(address).content.decode()

    change(skip_section, with_turned(skip_section.movement.movement, 7, 1, 2), 7)

    text = browser.get(address).content.decode()
    at = timezone.localtime(skip_section.movements.get(version=1).at, skip_section.club.zone)
    assert f'<option value="1" selected>Changed since version 1, {at:%H:%M}</option>' in text
    assert '<option value="2">' not in text.split('name="since"')[1].split("</select>")[0]


@pytest.mark.parametrize(
    ("since", "sentence"),
    [
        ("2", "There is no such version. Choose one."),
        ("one", "There is no such version. Choose one."),
    ],
)
def test_a_version_that_cannot_be_compared_is_said_beside_the_field(
    signed_in, alice, skip_section, since, sentence
):
    response = signed_in(alice).get(f"/s/{skip_section.code}/print/guide-cards.pdf?since={since}")

    assert (response.status_code, sentence in response.content.decode()) == (422, True)


def test_where_no_card_changed_the_page_says_so(signed_in, alice, skip_section):
    change(skip_section, skip_section.movement.movement, 5)

    response = signed_in(alice).get(f"/s/{skip_section.code}/print/guide-cards.pdf?since=1")

    assert response.status_code == 422
    assert "No card has changed since that version. Print all cards." in response.content.decode()


def test_the_changed_cards_are_one_file_and_the_page_says_how_many_and_what_to_collect(
    pdf, signed_in, alice, skip_section
):
    change(skip_section, with_turned(skip_section.movement.movement, 7, 1, 2), 7)

    page = signed_in(alice).get(f"/s/{skip_section.code}/print/?since=1")
    pages = pdf(alice, skip_section, "together.pdf?since=1").pages

    text = page.content.decode()
    assert [(offer.sheet.name, offer.pages) for offer in page.context["offers"]] == [
        ("table-cards", 3),
        ("guide-cards", 1),
        ("master", 1),
        ("pick-up-slips", 1),
    ]
    assert "New: 6 sheets" in text
    assert "Print 6 sheets" in text
    assert "Collect the old ones: the cards of tables " in text
    assert "the guide cards of NS 1, NS 2, " in text
    assert len(pages) == 6
    assert all("version 2" in page.extract_text() for page in pages)


def test_of_pick_up_slips_only_those_of_changed_tables_are_new(job, skip_section):
    change(skip_section, with_turned(skip_section.movement.movement, 7, 1, 2), 7)
    now = job(skip_section)

    found = pick_up_slips(now, SheetSelection(outdated=outdated_since(now.plan, 1)))

    assert {(slip.round, slip.table) for sheet in found for slip in sheet.slips} == {
        ("7", 1),
        ("7", 2),
    }


def test_the_foot_of_the_directors_sheet_begins_with_its_version_however_long_the_names_are(
    pdf, alice, skip_section
):
    event, club = skip_section.session.event, skip_section.club
    event.name, club.name = "A session " * 8, "Bridge club " * 5
    event.save()
    club.save()
    change(skip_section, with_turned(skip_section.movement.movement, 7, 1, 2), 7)

    page = pdf(alice, skip_section, "master.pdf").pages[-1]

    assert "\nversion 2" in page.extract_text()
    assert "rounds of" in page.extract_text().split("\nversion 2")[1]


def test_the_page_opens_on_what_changed_until_that_is_printed(pdf, signed_in, alice, skip_section):
    browser = signed_in(alice)
    address = f"/s/{skip_section.code}/print/"
    change(skip_section, with_turned(skip_section.movement.movement, 7, 1, 2), 7)
    assert browser.get(address).context["form"].time == "changed"
    assert browser.get(address, {"time": "before"}).context["form"].time == "before"

    browser.get(
        f"{address}together.pdf", {"asked": 1, "time": "changed", "since": 1, "sheet": "master"}
    )

    assert browser.get(address).context["form"].time == "before"
    assert "All sheets on the tables are up to date." in body(
        browser.get(address, {"time": "changed"})
    )


def test_a_card_for_one_table_is_not_the_change_printed(signed_in, alice, skip_section):
    browser = signed_in(alice)
    address = f"/s/{skip_section.code}/print/"
    change(skip_section, with_turned(skip_section.movement.movement, 7, 1, 2), 7)

    asked = {"asked": 1, "time": "changed", "since": 1, "sheet": "table-cards", "table": 1}
    browser.get(f"{address}together.pdf", asked)

    assert browser.get(address).context["form"].time == "changed"


def body(response) -> str:
    return response.content.decode()
