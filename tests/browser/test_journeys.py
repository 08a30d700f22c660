"""Whole evenings of every kind, from the pasted list on: two sections, teams, single players, two tables."""

import re
from io import BytesIO

import pytest
from playwright.sync_api import Locator, Page, expect
from pypdf import PdfReader

from bridgebuddy.events.models import Section
from tests.factories import ClubFactory, director_of

from .conftest import DESKTOP, PATIENCE, PHONE, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: 27 pairs as a German club's office writes them
GERMAN = """Müller, Hans – Meier, Eva
Meier, Hans – Schulz, Eva
Schulz, Hans – van den Berg, Eva
van den Berg, Hans – Özdemir, Eva
Özdemir, Hans – Weiß, Eva
Weiß, Hans – Groß, Eva
Groß, Hans – Krüger, Eva
Krüger, Hans – Jäger, Eva
Jäger, Hans – Müller-Lüdenscheidt, Eva
Müller-Lüdenscheidt, Hans – Köhler, Eva
Köhler, Hans – Böhm, Eva
Böhm, Hans – Vogel, Eva
Vogel, Hans – Hahn, Eva
Hahn, Hans – Keller, Eva
Keller, Hans – Huber, Eva
Huber, Hans – Kaiser, Eva
Kaiser, Hans – Fuchs, Eva
Fuchs, Hans – Lang, Eva
Lang, Hans – Scholz, Eva
Scholz, Hans – Möller, Eva
Möller, Hans – König, Eva
König, Hans – Walter, Eva
Walter, Hans – Mayer, Eva
Mayer, Hans – Köster, Eva
Köster, Hans – Bär, Eva
Bär, Hans – Löwe, Eva
Löwe, Hans – Müller, Eva"""


@pytest.fixture
def desk(page) -> Page:
    """Return the home page of a club's director."""
    anna = director_of(ClubFactory(name="Lindenhof"), email="anna@example.org")
    opened = page(DESKTOP)
    sign_in(opened, anna)
    opened.goto("/")
    return opened


def button(desk: Page, name: str | re.Pattern) -> Locator:
    return desk.get_by_role("button", name=name)


def open_session(desk: Page, contest: str = "Pairs") -> None:
    desk.get_by_role("link", name="New session").click()
    desk.get_by_label("Name", exact=True).fill("Tuesday")
    desk.get_by_label("Who plays").select_option(label=contest)
    button(desk, "Go on to the entries").click()


def paste(desk: Page, lines: str, counted: str) -> None:
    """Paste a list, read its preview, and confirm it."""
    desk.get_by_text("Paste a list, or a CSV file").click()
    desk.locator("textarea[name=pairs]").fill(lines)
    button(desk, "Read this list").click()
    button(desk, "Import this list").click()
    expect(desk.get_by_text(f"{counted} entered.")).to_be_visible()


def choose_first(desk: Page) -> None:
    button(desk, re.compile("^Choose")).first.click()  # the best, or what is nearest to the wishes
    expect(desk.get_by_text("everybody has a seat")).to_be_visible()


def in_round(desk: Page, round: int, of: str = "") -> None:
    expect(desk.locator(".roundno")).to_contain_text(re.compile(rf"Round {round}\s+of {of}"))


def test_a_german_list_of_27_pairs_plays_three_rounds_in_two_sections(desk, page):
    open_session(desk)
    paste(desk, GERMAN, "27 pairs")
    expect(desk.get_by_text("Hans Müller & Eva Meier").first).to_be_visible()
    expect(desk.get_by_text("Hans van den Berg").first).to_be_visible()

    # two sections, each with the movement that is best for it
    desk.get_by_role("link", name="Divide into sections").click()
    button(desk, "Divide into A and B").click()
    expect(desk.get_by_role("heading", level=1)).to_have_text("All sections")
    first, second = Section.objects.order_by("pk")
    for section in (first, second):
        desk.goto(f"/s/{section.code}/movement/")
        choose_first(desk)
    desk.goto(f"/s/{first.code}/sections/all/")

    for round in (1, 2, 3):
        button(desk, f"Start round {round} in A and B").click()
        expect(desk.get_by_text(f"Round {round} of ")).to_have_count(2)

    assert [item.entries.count() for item in (first, second)] in ([13, 14], [14, 13])
    phone = page(PHONE)
    phone.goto(f"/p/{first.code}/")
    phone.get_by_label("Your name or number").fill("lüdenscheidt")
    expect(phone.get_by_text("Müller-Lüdenscheidt").first).to_be_visible()


#: what is pasted, how many it makes, and the surname by which the first of them finds the phone's page
CONTESTS = {
    "Teams of four": (
        "\n".join(f"Hanna Ost{n}; Karl West{n}; Ida Nord{n}; Udo Süd{n}" for n in range(1, 9)),
        "8 teams",
        "Ost1",
    ),
    "Single players": (
        "\n".join(f"Hanna Spieler{n}" for n in range(1, 13)),
        "12 players",
        "Spieler2",
    ),
    "Pairs": ("\n".join(f"Ost{n}, Hanna – West{n}, Karl" for n in range(1, 5)), "4 pairs", "Ost1"),
}


@pytest.mark.parametrize("contest", CONTESTS)
def test_a_list_is_pasted_a_movement_chosen_and_two_rounds_are_played(desk, page, contest):
    lines, counted, name = CONTESTS[contest]
    open_session(desk, contest)
    paste(desk, lines, counted)

    desk.get_by_role("link", name="Choose the movement").click()
    choose_first(desk)
    if contest == "Teams of four":
        button(desk, "Choose these boards").click()
    button(desk, "Start round 1").click()
    in_round(desk, 1)
    expect(desk.locator(".tile").first).to_be_visible()
    button(desk, "Start round 2").click()
    in_round(desk, 2)

    section = Section.objects.get()
    phone = page(PHONE)
    phone.goto(f"/p/{section.code}/")
    phone.get_by_label("Your name or number").fill(name)
    phone.get_by_role("link", name=re.compile(name)).first.click()
    expect(phone.locator("#now")).to_contain_text("Round 2")
    expect(phone.locator("#me")).to_contain_text(name)


def test_the_round_is_made_the_last_one_finished_and_taken_up_again(desk_of, section, director):
    desk = desk_of(section, director)
    button(desk, "Start round 2").click()
    in_round(desk, 2)

    desk.get_by_text("More", exact=True).click()
    desk.get_by_role("link", name="End the session").click()
    button(desk, "Make round 2 the last one").click()
    in_round(desk, 2, of="2")
    button(desk, "Finish the session").click()
    expect(desk.get_by_text("The session is over. Thank you for playing.")).to_be_visible()

    button(desk, re.compile("Undo")).click()
    in_round(desk, 2, of="2")
    button(desk, re.compile("Undo")).click()
    in_round(desk, 2, of="7")


def test_what_changed_is_printed_as_one_file_of_as_many_sheets_as_the_desk_says(
    desk_of, section, director
):
    desk = desk_of(section, director)
    desk.get_by_role("link", name="Late pair", exact=True).click()
    desk.get_by_label("First player").fill("Eve Engel")
    desk.get_by_label("Partner").fill("Max Late")
    button(desk, "Seat the pair as rover").click()
    printing = desk.get_by_role("link", name=re.compile("^Print what changed: "))
    sheets = re.search(r"\d+", printing.inner_text()).group()

    printing.click()
    expect(desk.get_by_role("heading", level=2).first).to_have_text(f"New: {sheets} sheets")
    expect(button(desk, f"Print {sheets} sheets")).to_be_visible()
    address = desk.url.replace("/print/?", "/print/together.pdf?")
    file = desk.request.get(address, timeout=3 * PATIENCE)

    assert len(PdfReader(BytesIO(file.body())).pages) == int(sheets)
