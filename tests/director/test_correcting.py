"""Correcting a result: typed as a line, shown with its effect, stored by one press."""

from functools import partial

import pytest
from django.urls import reverse

from bridgebuddy.director.results.corrections.ruling_forms import RulingForm
from bridgebuddy.director.results.entry.typed_results import result_line
from bridgebuddy.scoring.models import Result, ResultSource
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.services.results import enter_result, undo_result
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.factories import director_of, section_with
from tests.scoring.test_doubts import usual, written_down

pytestmark = pytest.mark.django_db


@pytest.fixture
def section():
    section = section_with(14, "mitchell", round=7)
    return written_down(section, lambda play: {**usual(play.board), "tricks": 7 + play.table % 4})


@pytest.fixture
def play(section):
    return section.plays.filter(board=5).first()


@pytest.fixture
def ask(client, section, play):
    """Ask for the sheet of a result, or answer it."""
    client.force_login(director_of(section.club))
    address = reverse("results-line", args=[section.code, play.pk])

    def asked(sent=None, htmx=False, **query):
        headers = {"HX-Request": "true"} if htmx else {}
        if sent is None:
            return client.get(address, query, headers=headers)
        return client.post(address, {"after": 1, **sent}, headers=headers)

    return asked


def plain(answer):
    return " ".join(answer.content.decode().split())


def standing(play):
    return play.results.get(stands=True).outcome


@pytest.mark.parametrize("after", ["9" * 19, "9" * 5000, "-1", "x", ""])
def test_a_number_that_no_result_has_shows_the_sheet_and_stores_nothing(ask, play, after):
    before = standing(play)

    assert ask({"line": "3nw-1", "after": after}).status_code == 200
    assert standing(play) == before


def test_what_is_typed_is_read_back_with_what_it_does_and_nothing_changes(ask, play):
    before = Result.objects.count()

    text = plain(ask(line="3nw-1"))

    assert "by West" in text
    assert play.west.name in text
    assert "8 tricks" in text
    assert "+50" in text
    assert text.count('<th scope="row">') == 2
    assert Result.objects.count() == before


def test_one_press_stores_the_line_and_leads_back_to_the_board(ask, section, play):
    answer = ask({"line": "3nw-1"})

    assert answer.headers["Location"] == reverse("board-results", args=[section.code, 5])
    assert standing(play) == {"contract": "3NT", "declarer": "W", "tricks": 8}


def test_the_sheet_above_a_page_leads_the_whole_page_on(ask, section):
    answer = ask({"line": "p"}, htmx=True)

    assert answer.headers["HX-Redirect"] == reverse("board-results", args=[section.code, 5])


@pytest.mark.parametrize("line", ["4x", "", "9", "4hs=+"])
def test_only_a_line_that_reads_is_stored(ask, play, line):
    answer = ask({"line": line})

    assert answer.status_code in (200, 422)
    assert play.results.count() == 1


def test_what_stands_already_is_said_and_not_stored_twice(ask, play):
    text = plain(ask())

    assert "This is already the saved result." in text
    assert "Effect" not in text
    ask({"line": result_line(standing(play))})
    assert play.results.count() == 1


def test_somebody_else_was_faster_and_both_are_shown(ask, section, play):
    enter_result(section, play.pk, {"passed": True}, by=None)

    answer = ask({"line": "3nw-1"})

    assert answer.status_code == 409
    assert "Somebody else has entered another result meanwhile: passed." in plain(answer)
    assert 'value="3nw-1"' in plain(answer)
    assert standing(play) == {"passed": True}
    ask({"line": "3nw-1", "after": 2})
    assert standing(play)["declarer"] == "W"


def test_a_final_list_is_opened_again_first(ask, client, section, play):
    publishing.make_list_final(section, by=None)

    text = plain(ask({"line": "3nw-1"}))

    assert "Open it again to put a result right." in text
    assert "Correct result" not in text
    assert play.results.count() == 1
    state = reverse("results-state", args=[section.code])
    answer = client.post(state, {"do": "open", "at": play.pk, "doubt": "far-1"})
    assert answer.headers["Location"].endswith(f"/results/line/{play.pk}/?doubt=far-1")
    assert "Correct result" in plain(ask())


def shown_doubts(page):
    """Return the doubts in the order of the page, folded ones included."""
    return [item for seen, folded in page.context["kinds"] for item in (*seen, *folded)]


def test_the_next_doubt_follows(ask, client, section, play):
    odd = {"contract": "7NTxx", "declarer": "N", "tricks": 0}
    other = section.plays.filter(board=9).first()
    for record in (play, other):
        enter_result(section, record.pk, odd, by=None)
    page = client.get(reverse("look-at", args=[section.code]))
    shown = shown_doubts(page)
    first, second = (doubt for doubt in shown if doubt.board in (5, 9))
    assert f'href="{first.doubtful_result_address}"'.replace("&", "&amp;") in page.content.decode()
    sheet = client.get(first.doubtful_result_address)
    assert f'name="doubt" value="{first.doubt.key}"' in sheet.content.decode()

    answer = client.post(
        first.doubtful_result_address, {"line": "3nw-1", "after": 2, "doubt": first.doubt.key}
    )

    later = shown[shown.index(first) + 1]
    assert answer.headers["Location"] == f"{reverse('look-at', args=[section.code])}#{later.anchor}"
    again = client.get(reverse("look-at", args=[section.code]))
    assert second.doubt.key in [doubt.doubt.key for doubt in shown_doubts(again)]


def test_what_a_ruling_would_do_is_shown_while_it_is_typed(ask, play):
    half = {"kind": "weighted", "result_ns_1": "4h", "do": "show"}

    answer = ask(half, htmx=True)

    assert answer.status_code == 200
    assert "<html" not in plain(answer)
    assert play.results.count() == 1


def test_a_ruling_is_one_press_away_with_names_and_the_usual_average(ask, play):
    text = plain(ask(ruling="1"))

    assert "Save 60 % and 40 %" in text
    assert play.north.name in text
    assert "Effect" in text


@pytest.mark.parametrize(
    ("award", "place", "sentence"),
    [
        ("AVE-", -1, "Their own average counts: it is lower."),
        ("AVE+", 0, "Their own average counts: it is higher."),
    ],
)
def test_an_average_that_is_not_the_usual_one_says_why(client, award, place, sentence):
    """40 % is pressed and less is stored, because the pair's own average is lower: the sheet says so before."""
    section = section_with(14, "mitchell", round=7)
    written_down(
        section, lambda play: {"contract": "2H", "declarer": "N", "tricks": 6 + play.table}
    )
    north = next(ranking for ranking in counted_lists(section) if ranking.field == "NS")
    entry = north.standings[place].contestant.entry
    fair = north.standings[len(north.standings) // 2].contestant.entry
    client.force_login(director_of(section.club))

    def asked(entry):
        play = section.plays.filter(ns=entry).first()
        said = {"kind": "average", "award_ns": award, "award_ew": "AVE", "do": "show", "after": 1}
        return plain(client.post(reverse("results-line", args=[section.code, play.pk]), said))

    assert sentence in asked(entry)
    assert "own average counts" not in asked(fair)


def counted_lists(section):
    return ScoredSession(SessionSnapshot(section)).main_lists


def test_the_reason_of_a_ruling_stands_in_its_form_and_can_be_changed_alone(client, section, play):
    award = {"artificial": {"ns": "AVE+", "ew": "AVE-"}}
    give = partial(enter_result, section, play.pk, award, source=ResultSource.RULING, by=None)
    given = give(reason="Ruht Klein exposed a card")
    assert give(reason="Ruht Klein exposed a card").pk == given.pk

    mended = give(reason="Ruth Klein exposed a card")

    assert (mended.number, mended.reason) == (given.number + 1, "Ruth Klein exposed a card")
    line = SessionSnapshot(section).line_of(play.pk)
    assert RulingForm(line)["reason"].value() == "Ruth Klein exposed a card"
    restored = undo_result(section, mended.pk, by=None)
    assert restored.reason == "Ruht Klein exposed a card"
