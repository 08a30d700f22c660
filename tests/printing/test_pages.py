"""The page to choose sheets, its access, and the file names."""

import datetime
import re
from dataclasses import replace

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Membership
from bridgebuddy.events.models import SectionMovement
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.play.changes import change_options, take_proposal
from bridgebuddy.printing.context import PrintJob
from bridgebuddy.printing.sheets import LAID_OUT
from bridgebuddy.printing.slips.pick_up_slips import pick_up_slips
from movements.engine import catalogue
from movements.engine.changes import LengthChanges
from tests.factories import ClubFactory, section_with
from tests.scoring.test_tonight import enter_by_chance
from tests.signing_in import asks_to_sign_in
from tests.table_phones.tapping import with_phones

from .conftest import section_playing

pytestmark = pytest.mark.django_db

SHEETS = (
    *("seating", "table-cards", "stand-cards", "guide-cards", "rover-cards", "master"),
    *("board-labels", "score-slips", "pick-up-slips", "score-cards", "name-cards"),
    *("tent-cards", "poster"),
)
#: a sheet for everybody of any movement; rover-cards need a rover or a sit-out, stand-cards a stand
FOR_ALL = tuple(name for name in SHEETS if name not in ("rover-cards", "stand-cards"))
ADDRESSES = (
    "",
    *(f"{name}.{form}" for form in ("pdf", "html") for name in ("table-cards", "guide-cards")),
    *(f"{name}.html" for name in FOR_ALL if name not in ("table-cards", "guide-cards")),
)


@pytest.fixture
def nothing_drawn(monkeypatch):
    """Skip the drawing: access and file names do not depend on the content."""
    monkeypatch.setattr("bridgebuddy.printing.views.cached_pdf", lambda *sheets: b"%PDF")


def body(response) -> str:
    return response.content.decode()


@pytest.mark.parametrize("address", ADDRESSES)
def test_only_a_director_of_the_club_gets_there(
    client, signed_in, alice, bob, carol, skip_section, nothing_drawn, address
):
    path = f"/s/{skip_section.code}/print/{address}"

    assert signed_in(alice).get(path).status_code == 200
    assert [signed_in(user).get(path).status_code for user in (bob, carol)] == [404, 404]
    assert asks_to_sign_in(client.get(path))


def test_a_code_nobody_has_and_a_sheet_that_does_not_exist_are_not_found(
    signed_in, alice, skip_section
):
    browser = signed_in(alice)

    assert browser.get("/s/ZZZZZZ/print/").status_code == 404
    assert browser.get(f"/s/{skip_section.code}/print/banners.pdf").status_code == 404


def test_nothing_is_printed_by_a_post(signed_in, alice, skip_section):
    response = signed_in(alice).post(f"/s/{skip_section.code}/print/table-cards.pdf")

    assert response.status_code == 405


def test_the_page_offers_every_sheet_every_table_and_every_pair(signed_in, alice, skip_section):
    text = body(signed_in(alice).get(f"/s/{skip_section.code}/print/"))

    for name in FOR_ALL:
        assert f'name="sheet" id="sheet-{name}" value="{name}"' in " ".join(text.split())
        assert f'href="/s/{skip_section.code}/print/{name}.html?time=before"' in text
    assert '<option value="8">Table 8</option>' in text
    assert '<option value="EW8">EW 8 · Anna North16 &amp; Bob South16</option>' in text
    assert "Skip Mitchell, 8 tables, 7 rounds of 3 boards" in text
    assert "http://testserver" in text


@pytest.mark.parametrize(
    ("family", "size", "said"),
    [("team-round-robin", 7, "Which teams All teams"), ("rainbow", 5, "Which players All players")],
)
def test_the_page_names_contestants_as_the_contest_does(signed_in, alice, club, family, size, said):
    section = section_playing(club, catalogue.build_movement(family, size), 2)

    text = body(signed_in(alice).get(f"/s/{section.code}/print/"))

    assert said in re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))
    assert re.findall(r"Table (\d+)<", text) == [str(table) for table in range(1, size + 1)]


@pytest.mark.parametrize(("club_paper", "address", "paper"), [("a4", "", "a4"), ("letter", "", "letter"), ("a4", "?paper=letter", "letter")])  # fmt: skip
def test_the_paper_is_the_clubs_until_another_is_chosen(
    signed_in, alice, club, club_paper, address, paper
):
    club.paper = club_paper
    club.save()
    section = section_with(6, "mitchell", club=club, by=alice)

    response = signed_in(alice).get(f"/s/{section.code}/print/{address}")

    assert response.context["form"]["paper"].value() == paper


def test_before_there_are_pairs_the_page_says_to_enter_them(signed_in, alice, club):
    section = section_with(2, club=club, by=alice)

    text = body(signed_in(alice).get(f"/s/{section.code}/print/"))

    assert "Cards need a movement, and a movement needs at least 3 pairs." in text
    assert f'class="btn primary" href="/s/{section.code}/entries/"' in text
    assert "formaction" not in text


def test_before_there_is_a_movement_the_page_says_to_choose_one(signed_in, alice, club):
    section = section_with(8, club=club, by=alice)

    text = body(signed_in(alice).get(f"/s/{section.code}/print/"))

    assert "Cards need a movement. Choose it first; everybody then has a seat." in text
    assert f'class="btn primary" href="/s/{section.code}/movement/"' in text


def test_without_a_movement_a_sheets_address_leads_to_the_page(signed_in, alice, club):
    section = section_with(8, club=club, by=alice)

    response = signed_in(alice).get(f"/s/{section.code}/print/table-cards.pdf")

    assert (response.status_code, response["Location"]) == (302, f"/s/{section.code}/print/")


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("table=9", "There is no such table tonight. Choose one."),
        ("table=0", "There is no such table tonight. Choose one."),
        ("table=three", "There is no such table tonight. Choose one."),
        ("contestant=NS9", "There is no such pair tonight. Choose one."),
        ("contestant=%3Cb%3E", "There is no such pair tonight. Choose one."),
        ("paper=a0", "Choose A4 or US Letter."),
    ],
)
def test_what_does_not_exist_is_said_beside_its_field(
    signed_in, alice, skip_section, query, sentence
):
    response = signed_in(alice).get(f"/s/{skip_section.code}/print/table-cards.pdf?{query}")

    assert response.status_code == 422
    assert sentence in body(response)


def test_what_was_chosen_rightly_is_kept_beside_what_was_not(signed_in, alice, skip_section):
    response = signed_in(alice).get(
        f"/s/{skip_section.code}/print/table-cards.pdf?table=99&contestant=EW3&paper=letter"
    )

    form = response.context["form"]
    assert (form["contestant"].value(), form["paper"].value()) == ("EW3", "letter")
    assert '<option value="EW3" selected>' in body(response)


def test_a_pdf_is_shown_in_the_browser_and_has_a_name_to_save_it_by(
    signed_in, alice, skip_section, nothing_drawn
):
    response = signed_in(alice).get(f"/s/{skip_section.code}/print/master.pdf")

    assert response["Content-Disposition"] == (
        'inline; filename="2026-11-24-tuesday-pairs-master.pdf"'
    )
    assert "no-store" in response["Cache-Control"]  # it is the director who asks


def test_a_session_whose_name_has_no_letters_still_has_a_file_name(
    signed_in, alice, skip_section, nothing_drawn
):
    event = skip_section.session.event
    event.name = '!"<?'
    event.save()

    response = signed_in(alice).get(f"/s/{skip_section.code}/print/master.pdf")

    assert response["Content-Disposition"] == 'inline; filename="2026-11-24-master.pdf"'


def test_the_preview_is_the_same_sheet_with_a_way_back(signed_in, alice, skip_section):
    text = body(
        signed_in(alice).get(f"/s/{skip_section.code}/print/table-cards.html?table=3&paper=letter")
    )

    assert '<body class="letter">' in text
    assert f'href="/s/{skip_section.code}/print/"' in text
    assert f'href="/s/{skip_section.code}/print/table-cards.pdf?table=3&amp;paper=letter"' in text
    assert text.count('class="page tablecard"') == 1
    assert " style=" not in text
    assert "<script" not in text


def test_names_are_escaped_in_the_preview(signed_in, alice, skip_section):
    person = skip_section.entries.get(position=1).players[0]
    person.name = "<script>alert('x')</script>"
    person.save()
    browser = signed_in(alice)

    for address in ("", *(f"{name}.html" for name in FOR_ALL)):
        text = body(browser.get(f"/s/{skip_section.code}/print/{address}"))
        assert "<script>alert" not in text


@pytest.mark.parametrize("sheet", FOR_ALL)
def test_a_changed_movement_names_its_version_on_every_sheet(signed_in, alice, skip_section, sheet):
    at = datetime.datetime(2026, 11, 24, 19, 15, tzinfo=timezone.get_current_timezone())
    change = SectionMovement.objects.create(
        section=skip_section, movement=skip_section.movement, version=2, from_round=5
    )
    SectionMovement.objects.filter(pk=change.pk).update(at=at)

    text = body(signed_in(alice).get(f"/s/{skip_section.code}/print/{sheet}.html"))

    assert "version 2, 19:15" in text


def test_a_shorter_last_set_is_said_by_the_total(signed_in, alice, club):
    section = section_with(
        10, "mitchell", club=club, by=alice, boards_per_round=None, total_boards=24
    )

    text = body(signed_in(alice).get(f"/s/{section.code}/print/table-cards.html?table=1"))

    assert "Mitchell, 5 tables, 5 rounds, 24 boards" in text
    assert "21–24" in text


def test_an_evening_made_shorter_has_not_so_many_boards_in_all(signed_in, alice, club):
    section = section_with(
        10, "mitchell", round=1, club=club, by=alice, boards_per_round=None, total_boards=24
    )
    change = LengthChanges(4)
    take_proposal(section, change_options(section, change)[0], change, plan=section.plan, by=alice)

    text = body(signed_in(alice).get(f"/s/{section.code}/print/table-cards.html?table=1"))

    assert "Mitchell, 5 tables, 4 rounds of 5 boards" in text


def test_sheets_follow_the_readers_language(two_languages, signed_in, alice, skip_section):
    browser = signed_in(alice)

    german = browser.get(
        f"/s/{skip_section.code}/print/master.html", headers={"accept-language": "de"}
    )
    english = browser.get(
        f"/s/{skip_section.code}/print/master.html", headers={"accept-language": "en"}
    )

    assert '<html lang="de">' in body(german)
    assert "Dienstag" in body(german)
    assert '<html lang="en">' in body(english)
    assert "Tuesday 24 November 2026" in body(english)


@pytest.mark.parametrize("address", ["", *(f"{name}.html" for name in FOR_ALL)])
def test_thirty_tables_cost_as_many_queries_as_three(
    signed_in, alice, club, django_assert_num_queries, address
):
    small = section_with(6, "mitchell", club=club, by=alice)
    large = section_with(60, "skip-mitchell", club=club, by=alice, rounds=9)
    browser = signed_in(alice)
    from_rows = (
        "score-slips",
        "pick-up-slips",
        "score-cards",
        "name-cards",
        "seating",
        "poster",
        "board-labels",
        "",
    )
    queries = 9 if address.removesuffix(".html") in from_rows else 10
    queries += address in (
        "table-cards.html",
        "",
    )  # whether phones enter: for its code, and for slips
    queries += 2 * (address == "")  # whether boards are dealt here, and the deals of the session

    for section in (small, large):
        with django_assert_num_queries(queries):
            assert browser.get(f"/s/{section.code}/print/{address}").status_code == 200


def test_the_page_says_how_many_sheets_each_takes_and_all_for_tonight(
    signed_in, alice, skip_section
):
    response = signed_in(alice).get(f"/s/{skip_section.code}/print/")

    counts = {offer.sheet.name: offer.pages for offer in response.context["offers"]}
    assert counts == {
        "seating": 2,
        "table-cards": 8,
        "guide-cards": 4,
        "master": 1,
        "board-labels": 1,
        "score-slips": 6,
        "pick-up-slips": 7,
        "score-cards": 8,
        "name-cards": 4,
        "tent-cards": 8,
        "poster": 1,
    }
    assert "For tonight: 22 sheets" in body(response)
    assert [offer.sheet.name for offer in response.context["offers"] if offer.is_ticked] == [
        *("seating", "table-cards", "guide-cards", "master", "pick-up-slips"),
    ]


def test_to_count_sheets_nothing_is_drawn(signed_in, alice, skip_section, monkeypatch):
    monkeypatch.setattr("bridgebuddy.printing.context.qr_svg", None)

    page = signed_in(alice).get(f"/s/{skip_section.code}/print/")

    assert sum(offer.pages for offer in page.context["offers"]) == 50


def test_each_sheet_is_laid_out_once_for_all_who_look_and_anew_only_when_something_changed(
    signed_in, alice, skip_section, monkeypatch
):
    laid_out = []

    def counted(sheet):
        return lambda job, selection: laid_out.append(sheet.name) or sheet.contents(job, selection)

    sheets = tuple(replace(item, contents=counted(item)) for item in LAID_OUT)
    monkeypatch.setattr("bridgebuddy.printing.offers.LAID_OUT", sheets)
    browser = signed_in(alice)
    address = f"/s/{skip_section.code}/print/"

    browser.get(address)
    assert sorted(laid_out) == sorted(row.name for row in LAID_OUT if not row.is_of_results)
    laid_out.clear()
    browser.get(address)
    assert laid_out == []


def test_what_was_ticked_the_last_time_is_ticked_the_next(
    signed_in, alice, skip_section, club, nothing_drawn
):
    browser = signed_in(alice)
    asked = {"asked": 1, "sheet": ["poster", "master"]}
    assert browser.get(f"/s/{skip_section.code}/print/together.pdf", asked).status_code == 200

    next_week = section_with(8, "howell", club=club, by=alice)
    page = browser.get(f"/s/{next_week.code}/print/")

    assert [offer.sheet.name for offer in page.context["offers"] if offer.is_ticked] == [
        "master",
        "poster",
    ]


def test_each_club_of_a_director_ticks_its_own_sheets(
    signed_in, alice, skip_section, nothing_drawn
):
    other = ClubFactory()
    Membership.objects.create(club=other, user=alice, is_director=True)
    elsewhere = section_with(8, "howell", club=other, by=alice)
    browser = signed_in(alice)

    def ticked():
        offers = browser.get(f"/s/{elsewhere.code}/print/").context["offers"]
        return [offer.sheet.name for offer in offers if offer.is_ticked]

    before = ticked()
    browser.get(f"/s/{skip_section.code}/print/together.pdf", {"asked": 1, "sheet": ["poster"]})

    assert ticked() == before != ["poster"]


def test_the_page_opens_on_the_paper_of_after_when_the_session_is_over(signed_in, alice, club):
    section = section_with(8, "howell", round=7, club=club, by=alice)
    enter_by_chance(section)
    rounds.finish_session(section, round=7, by=alice)

    page = signed_in(alice).get(f"/s/{section.code}/print/")

    assert [(offer.sheet.name, offer.is_ticked) for offer in page.context["offers"]] == [
        ("ranking", True),
        ("score-sheets", False),
        ("booklet", False),
    ]
    assert f'href="/s/{section.code}/results/file/usebio/"' in body(page)


def test_all_for_tonight_is_one_file_in_the_order_in_which_it_is_laid_out(pdf, alice, skip_section):
    pages = [page.extract_text() for page in pdf(alice, skip_section, "together.pdf").pages]

    assert len(pages) == 22
    assert "Where do I sit?" in pages[0]
    assert "Who sits where?" in pages[1]
    assert ["Table" in pages[index] for index in range(2, 10)] == [True] * 8
    assert "Pair" in pages[10]
    assert "director’s sheet" in pages[14]
    assert "Table 1, round 1" in pages[15]


def test_ticked_sheets_alone_are_printed_together(pdf, alice, skip_section):
    address = "together.pdf?asked=1&sheet=poster&sheet=master"

    pages = pdf(alice, skip_section, address).pages

    assert len(pages) == 2
    assert "director’s sheet" in pages[0].extract_text()


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("asked=1", "Ticked sheets: there is nothing to print for your choice."),
        ("asked=1&sheet=banner", "There is no such sheet. Choose from the list."),
    ],
)
def test_nothing_ticked_and_what_there_is_not_is_said(
    signed_in, alice, skip_section, query, sentence
):
    response = signed_in(alice).get(f"/s/{skip_section.code}/print/together.pdf?{query}")

    assert (response.status_code, sentence in body(response)) == (422, True)


def test_what_is_printed_opens_beside_the_page(signed_in, alice, skip_section):
    text = body(signed_in(alice).get(f"/s/{skip_section.code}/print/"))

    assert text.count("formaction=") == text.count('formtarget="_blank"')


def test_several_sheets_together_are_not_looked_at(signed_in, alice, skip_section):
    response = signed_in(alice).get(f"/s/{skip_section.code}/print/together.html")

    assert response.status_code == 404


def test_guide_cards_are_not_ticked_while_rounds_wait_for_their_draw(club, alice, signed_in):
    options = {"contest": "pairs", "first": "slide"}
    section = section_with(8, "swiss", club=club, by=alice, rounds=3, options=options)
    page = signed_in(alice).get(reverse("print", args=[section.code]))

    ticked = {offer.sheet.name: offer.is_ticked for offer in page.context["offers"]}

    assert ticked["guide-cards"] is False
    assert [name for name, is_ticked in ticked.items() if is_ticked] == [
        "seating",
        "table-cards",
        "master",
        "pick-up-slips",
    ]


@pytest.mark.parametrize(
    ("chosen", "ticked"),
    [({"mode": "none"}, True), ({"mode": "secret"}, False), ({"slips_too": True}, True)],
)
def test_slips_to_pick_up_are_ticked_where_results_come_on_slips(
    signed_in, alice, skip_section, chosen, ticked
):
    with_phones(skip_section, **chosen)

    response = signed_in(alice).get(f"/s/{skip_section.code}/print/")

    [slips] = [offer for offer in response.context["offers"] if offer.sheet.name == "pick-up-slips"]
    assert slips.is_ticked == ticked


def test_a_pick_up_slip_has_the_boards_of_its_table_and_round_in_the_order_of_entering():
    section = section_with(6, "mitchell")
    job = PrintJob(SectionPlan.of(section), "a4", "")

    [first, second] = pick_up_slips(job)

    slips = [*first.slips, *second.slips]
    assert [(slip.table, slip.round) for slip in slips] == [
        (table, str(round)) for table in (1, 2, 3) for round in (1, 2, 3)
    ]
    assert (slips[0].ns, slips[0].ew, slips[0].boards) == ("1", "1", (1, 2, 3))
