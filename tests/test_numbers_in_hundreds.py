"""Some clubs number the pairs of two lines 101, 102 … and 201, 202 …: then on every page and card."""

import re

import pytest
from django.test import Client

from bridgebuddy.events.services.play.changes import ArrivingEntry, change_options, take_proposal
from bridgebuddy.printing.sheets import SHEETS
from bridgebuddy.scoring.services.publishing import publish_results
from movements.engine import catalogue
from movements.engine.changes import PairArrives
from movements.engine.families.howells.howell import howell
from movements.engine.families.mitchells.mitchell import mitchell
from movements.library.ring import draw_ring
from movements.words.numbers import numbered_in_hundreds
from movements.words.sentences import contestant_of_typed_label, label_of, short_label, shown_label
from tests.factories import section_with
from tests.scoring.test_tonight import enter_by_chance
from tests.table_phones.tapping import Phone, with_phones
from tests.test_german import words_of

IN_LINES = re.compile(r"\b(?:NS|EW) ?\d{1,2}\b")


@pytest.fixture
def evening(club, alice):
    """Round 4 of seven tables and a half; NS 8 sits out in turn."""
    club.numbers_in_hundreds = True
    club.save()
    return section_with(15, "skip-mitchell", round=4, club=club, by=alice)


@pytest.fixture
def desk(alice, db):
    browser = Client()
    browser.force_login(alice)
    return browser


def text(response):
    assert response.status_code == 200
    return " ".join(words_of(response))


def lines_in(response):
    """Return the texts that name a contestant by line, such as "NS 3"; a number may stand beside "NS" alone."""
    assert response.status_code == 200
    return IN_LINES.findall(re.sub(r"<[^>]*>", "\n", response.content.decode()))


NOT_OF_THIS_EVENING = {
    *("rover-cards", "stand-cards", "ranking", "draw", "draw-slips", "score-sheets", "booklet"),
    *("deal-slips", "hand-records"),
}


@pytest.mark.parametrize(
    "page",
    [
        "s/{}/desk/",
        "s/{}/desk/?open=2",
        "s/{}/entries/",
        "s/{}/rounds/",
        "s/{}/print/",
        "s/{}/change/places/?round=4&one=9&other=10",
        "s/{}/change/leaves/?contestant=9",
        "p/{}/",
        "p/{}/room/",
        "p/{}/NS3/",
        "p/{}/EW3/",
        *(f"s/{{}}/print/{sheet}.html" for sheet in SHEETS if sheet not in NOT_OF_THIS_EVENING),
    ],
)
def test_no_page_and_no_card_calls_a_pair_by_its_line(desk, evening, page):
    assert lines_in(desk.get(f"/{page.format(evening.code)}")) == []


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("s/{}/desk/", "203"),
        ("s/{}/entries/", "207"),
        ("p/{}/", "103"),
        ("p/{}/EW3/", "203"),
        ("s/{}/print/guide-cards.html", "203"),
        ("s/{}/print/table-cards.html", "103"),
        ("s/{}/print/master.html", "203"),
        ("s/{}/print/seating.html", "107"),
    ],
)
def test_desk_phones_and_cards_say_the_number(desk, evening, page, said):
    shown = text(desk.get(f"/{page.format(evening.code)}"))

    assert said in shown.split()


@pytest.mark.django_db
@pytest.mark.parametrize("in_hundreds", [True, False])
@pytest.mark.parametrize("label", ["203", "EW3", "ew 3"])
def test_a_phone_finds_a_pair_by_either_number(client, club, alice, in_hundreds, label):
    club.numbers_in_hundreds = in_hundreds
    club.save()
    evening = section_with(15, "skip-mitchell", round=4, club=club, by=alice)
    three = f"/p/{evening.code}/EW3/"

    assert text(client.get(f"/p/{evening.code}/{label}/")) == text(client.get(three))


@pytest.mark.parametrize("typed", ["203", "EW3", "ew 3"])
def test_the_list_of_names_finds_either_number(client, evening, typed):
    page = client.get(f"/p/{evening.code}/?q={typed}").content.decode()

    assert re.findall(r'<span class="pair">\s*([^<]*?)\s*</span>', page) == ["203"]


def test_the_list_of_names_finds_a_line_in_german(evening, two_languages):
    german = Client(headers={"accept-language": "de"})
    page = german.get(f"/p/{evening.code}/?q=ow 3").content.decode()

    assert re.findall(r'<span class="pair">\s*([^<]*?)\s*</span>', page) == ["203"]


@pytest.fixture
def doors(evening, desk):
    """Return a club's browsers: its director, a table's phone, a player's, and the published list."""
    phone = Phone(with_phones(evening, agreement="none"), 2, "NS")
    play = evening.plays.filter(round=4, table=2).first()
    phone.enter(play.board, {"passed": True})
    enter_by_chance(evening)
    token = publish_results(evening, by=None).token
    return {"director": desk, "table": phone.browser, "player": Client(), "published": Client()}, {
        "code": evening.code,
        "token": token,
        "play": play.pk,
        "board": play.board,
    }


@pytest.mark.parametrize(
    ("door", "page", "said"),
    [
        ("director", "s/{code}/results/ranking/", "203"),
        ("director", "s/{code}/results/board/{board}/", "102"),
        ("table", "p/{code}/table/2/board/{play}/check/", "North-South"),  # by names
        ("player", "p/{code}/EW3/results/", "203"),
        ("published", "r/{token}/", "203"),
        ("published", "r/{token}/sheets/", "203"),
        ("published", "r/{token}/sheets/A/EW3/", "203"),
        ("published", "r/{token}/boards/A/{board}/", "102"),
    ],
)
def test_results_have_the_clubs_numbers_at_every_door(doors, door, page, said):
    browsers, address = doors
    answer = browsers[door].get("/" + page.format(**address))

    assert said in text(answer).split()
    assert lines_in(answer) == []


def test_what_happened_is_told_with_these_numbers(desk, evening, alice):
    late = section_with(16, "skip-mitchell", round=1, club=evening.club, by=alice)
    newcomer = ArrivingEntry(names=("Eva Engel", "Max Reuter"))
    way = change_options(late, PairArrives())[0]
    take_proposal(late, way, PairArrives(), plan=late.plan, by=alice, newcomer=newcomer)

    for page in ("history", "desk", "entries", "print"):
        assert lines_in(desk.get(f"/s/{late.code}/{page}/", follow=True)) == [], page


def test_the_next_request_is_another_clubs(desk, evening, client):
    other = section_with(15, "skip-mitchell", round=4)

    assert "103" in text(desk.get(f"/s/{evening.code}/entries/"))
    assert "EW 3" in text(client.get(f"/p/{other.code}/EW3/"))


def test_open_pages_fetch_themselves_anew_when_the_club_changes_its_numbers(desk, evening):
    shown = evening.shown
    club = evening.club
    desk.post(f"/clubs/{club.pk}/", {"numbers_in_hundreds": "False"})

    evening.refresh_from_db()
    club.refresh_from_db()
    assert (club.numbers_in_hundreds, evening.shown > shown) == (False, True)


def test_one_winner_keeps_its_numbers():
    with numbered_in_hundreds(True):
        assert label_of(howell(8), 3) == "3"
        assert contestant_of_typed_label(howell(8), "103") is None


def test_both_lines_are_numbered():
    movement = mitchell(5)

    with numbered_in_hundreds(True):
        assert [label_of(movement, n) for n in (1, 5, 6, 10)] == ["101", "105", "201", "205"]
        assert [short_label(movement, n) for n in (1, 6)] == ["101", "201"]
        assert shown_label("EW 3") == "203"
        assert shown_label("3") == "3"
    assert label_of(movement, 6) == "EW 1"


def test_a_picture_kept_for_one_club_is_not_shown_to_another():
    movement = catalogue.build_movement("ns-rover", 6)
    shown = str(draw_ring(movement))

    with numbered_in_hundreds(True):
        assert "107" in draw_ring(movement)
    assert draw_ring(movement) == shown
    assert "NS 7" in shown


@pytest.mark.parametrize("typed", ["200", "300", "206", "1234", "20x", "²03", "99", ""])
def test_what_is_no_pairs_number_calls_nobody(typed):
    assert contestant_of_typed_label(mitchell(5), typed) is None
