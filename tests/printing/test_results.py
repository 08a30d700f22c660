"""Score sheets and the booklet of the boards."""

import re

import pytest

from bridgebuddy.printing.results.booklet import booklet_pages
from bridgebuddy.printing.selection import EVERYBODY
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services.publishing import publish_results, set_scoring_profile
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.factories import director_of, section_with
from tests.scoring.test_tonight import enter_by_chance, scored_section

pytestmark = pytest.mark.django_db


def text_of(reader) -> list[str]:
    return [page.extract_text() for page in reader.pages]


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize(
    ("pairs", "family", "contest"),
    [(13, "mitchell", "pairs"), (12, "individual", "individual"), (8, "swiss", "teams")],
)
def test_everybody_has_a_sheet_with_their_boards_two_on_a_page(pdf, paper, pairs, family, contest):
    section = scored_section(pairs, family, rounds=1, contest=contest)
    pages = text_of(pdf(director_of(section.club), section, f"score-sheets.pdf?paper={paper}"))
    assert len(pages) == -(-pairs // 2)
    whole = " ".join(pages)
    scored = ScoredSession(SessionSnapshot(section))
    for found in scored.main_lists:
        for standing in found.standings:
            name = standing.contestant.surnames.split(" ")[0]
            assert name in whole
    percent = found.standings[0].row.percent
    assert percent is None or f"{percent:.2f} %" in whole


def test_a_sheet_of_more_boards_than_fit_goes_on_beside(pdf):
    section = scored_section(8, "howell", rounds=7, boards_per_round=6)
    pages = text_of(
        pdf(director_of(section.club), section, "score-sheets.pdf?contestant=1&paper=letter")
    )
    assert len(pages) == 1
    assert pages[0].count("against") == 2
    for board in range(1, 43):
        assert re.search(rf"\b{board}\b", pages[0])


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_booklet_has_every_board_with_all_its_results(pdf, paper):
    section = scored_section(14, "mitchell", rounds=2, boards_per_round=2)
    lead = section.plays.filter(board=1).first()
    led = {"contract": "3NT", "declarer": "N", "tricks": 9, "lead": "ST"}
    enter_result(section, lead.pk, led, by=None)
    pages = text_of(pdf(director_of(section.club), section, f"booklet.pdf?paper={paper}"))
    boards = sorted({play.board for play in section.plays.all()})
    assert len(pages) == -(-len(boards) // 3)
    whole = " ".join(pages)
    assert [int(text) for text in re.findall(r"Board (\d+)\n", whole)] == boards
    assert whole.count("Lead") == 1
    assert "nobody vulnerable, dealer North" in whole.replace("\n", " ")


def test_long_travellers_are_fewer_to_a_page_and_none_is_cut(pdf):
    section = scored_section(40, "barometer", rounds=1, boards_per_round=2)
    plays = section.plays.filter(board=1).exclude(ns=None).exclude(ew=None)
    assert plays.count() == 20
    found = text_of(pdf(director_of(section.club), section, "booklet.pdf?paper=letter"))
    assert len(found) == 2
    for number in range(1, 21):
        assert re.search(rf"\b{number}\b", found[0])


@pytest.mark.parametrize("kind", ["artificial", "assigned"])
def test_a_ruling_takes_two_lines_of_a_traveller(kind, job):
    section = scored_section(14, "mitchell", rounds=7, boards_per_round=1)
    before = [page.shape for page in booklet_pages(job(section), EVERYBODY)]
    given = {"artificial": {"ns": "AVE+", "ew": "AVE-"}, "assigned": {"ns": [[100, 420]]}}
    for play in section.plays.filter(board=1).exclude(ns=None)[:5]:
        enter_result(section, play.pk, {kind: given[kind]}, by=None)

    after = [page.shape for page in booklet_pages(job(section), EVERYBODY)]

    assert (set(before), set(after)) == ({3}, {2})


def test_the_address_stands_there_once_everybody_may_read_it(pdf):
    section = scored_section(8, "howell", rounds=1)
    director = director_of(section.club)
    before = text_of(pdf(director, section, "score-sheets.pdf"))[0]
    token = publish_results(section, by=director).token
    after = text_of(pdf(director, section, "score-sheets.pdf"))[0]
    assert token not in before
    assert token in after.replace("\n", "")


def test_before_the_first_result_there_is_nothing_to_print(signed_in, alice, club):
    section = section_with(8, "howell", round=1, club=club, by=alice)
    for name in ("score-sheets", "booklet"):
        answer = signed_in(alice).get(f"/s/{section.code}/print/{name}.pdf")
        assert answer.status_code == 422


def test_the_print_page_reads_results_once(signed_in, alice, club, django_assert_max_num_queries):
    section = section_with(8, "howell", round=2, club=club, by=alice)
    enter_by_chance(section)
    browser = signed_in(alice)
    with django_assert_max_num_queries(70):
        page = browser.get(f"/s/{section.code}/print/?time=after").content.decode()
    assert "Booklet of the boards" in page


def test_a_printed_sheet_has_the_value_of_boards_that_were_sat_out(pdf, club, alice):
    section = scored_section(9, "mitchell", rounds=5, club=club, by=alice)
    set_scoring_profile(section, {"sit_outs": 60}, by=alice)

    text = " ".join(text_of(pdf(alice, section, "score-sheets.pdf")))

    assert text.count("Sat out 60") == 5
