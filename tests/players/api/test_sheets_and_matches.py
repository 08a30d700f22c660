"""Score sheets and matches as JSON: valid by their schemas, with the figures of their public pages."""

import re

import pytest
from django.test import Client

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Section, Session
from bridgebuddy.scoring.services.publishing import publish_results
from tests.players.test_everybodys import deleted, held_back, taken_back
from tests.scoring.test_tonight import scored_section

from .reading import document, plain, rows_of, text_of
from .test_documents import CONTESTS, GERMAN, published

pytestmark = pytest.mark.django_db


def results_of(token):
    return document(Client(), f"/api/v1/results/{token}/", "results")


def page_of(address):
    """Return the public page whose document has this address, in German."""
    answer = Client(headers=GERMAN).get(address.replace("/api/v1/results/", "/r/"))
    assert answer.status_code == 200
    return answer.content.decode()


def table_of(page):
    """Return the first table of boards of a page."""
    return re.split(r'<table class="[^"]*\btrav\b', page)[1].partition("</table>")[0]


@pytest.mark.parametrize("contest", CONTESTS)
def test_a_sheet_has_the_figures_of_its_page(club, alice, two_languages, contest):
    section, token = published(club, alice, contest)
    listed = results_of(token)["sheets"]
    assert len(listed) == section.entries.count()

    for own in (listed[0], listed[-1]):
        page = page_of(own["json"])
        data = document(Client(), own["json"], "sheet")

        shown = [row for row in rows_of(table_of(page)) if row]
        boards = [board for stage in data["rounds"] for board in stage["boards"]]
        assert len(shown) == len(boards) > 0
        assert [[row[0], plain(row[2]), plain(row[3])] for row in shown] == [
            [str(board["board"]), scored(board), board["value"] or ""] for board in boards
        ]
        text = text_of(page)
        for stage in data["rounds"]:
            assert f"Runde {stage['round']}, Tisch {stage['table']}" in text
            assert all(side["number"] in text for side in stage["against"])
        assert data["contestant"]["number"] == own["number"]
        if data["place"]:
            assert f"Platz {data['place']} von {data['among']}" in text
            assert data["value"].replace(".", ",").replace("-", "−") in text
        for penalty in data["penalties"]:
            assert penalty["amount"].startswith("-3")
            assert "langsames Spiel" in text or "Zeit" in text


def scored(board):
    if board["score"] is None:
        return ""
    return f"{board['score']:+}" if board["score"] else "0"


def test_a_single_players_sheet_names_partners(club, alice):
    _section, token = published(club, alice, "single players")

    data = document(Client(), results_of(token)["sheets"][0]["json"], "sheet")

    partners = {stage["partner"]["number"] for stage in data["rounds"]}
    assert partners == {row["partner"]["number"] for row in data["partners"]}
    assert sum(row["boards"] for row in data["partners"]) == data["played"]
    assert all(len(stage["against"]) == 2 for stage in data["rounds"])


def test_a_match_of_teams_has_both_tables_and_the_line_up_of_its_page(club, alice, two_languages):
    _section, token = published(club, alice, "teams")
    listed = [match for match in results_of(token)["matches"] if match["json"]]
    assert listed

    for own in listed[:2]:
        page = page_of(own["json"].replace("/matches/", "/match/"))
        data = document(Client(), own["json"], "match")

        assert {key: data[key] for key in own if key != "json"} == {
            key: value for key, value in own.items() if key != "json"
        }
        rows = [row for row in rows_of(table_of(page)) if row and row[0].isdigit()]
        assert [[row[0], *map(plain, row[-2:])] for row in rows] == [
            [str(board["board"]), board["home_value"] or "", board["away_value"] or ""]
            for board in data["boards"]
        ]
        for row, board in zip(rows, data["boards"], strict=True):
            for cell, table in zip(row[1:3], board["tables"], strict=True):
                assert plain(cell).endswith(scored(table))
        text = text_of(page)
        for room in data["rooms"]:
            assert all(seat["names"] in text for seat in room["seats"])
        assert [room["room"] for room in data["rooms"]] == ["open", "closed"]


def test_a_match_of_pairs_has_one_table(club, alice, two_languages):
    _section, token = published(club, alice, "pairs in matches")
    own = next(match for match in results_of(token)["matches"] if match["json"])
    page = page_of(own["json"].replace("/matches/", "/match/"))

    data = document(Client(), own["json"], "match")

    rows = [row for row in rows_of(table_of(page)) if row]
    assert [[row[0], plain(row[2]), *map(plain, row[3:5])] for row in rows] == [
        [str(board["board"]), scored(board["tables"][0]), board["home_value"], board["away_value"]]
        for board in data["boards"]
    ]
    assert data["rooms"] == []


@pytest.mark.parametrize("contest", ["pairs", "teams"])
def test_what_has_no_page_has_no_document(club, alice, contest):
    _section, token = published(club, alice, contest)
    first = results_of(token)["sheets"][0]["json"]

    for address in (
        first.replace("/sheets/A/", "/sheets/Z/"),
        re.sub(r"[^/]+/$", "NS99/", first),
        re.sub(r"[^/]+/$", "%00'/", first),
        f"/api/v1/results/{token}/matches/A/1/1/1/",
        f"/api/v1/results/{token}/matches/A/99/1/2/",
        f"/api/v1/results/{token}/matches/Z/1/1/2/",
    ):
        document(Client(), address, "error", 404)


@pytest.mark.parametrize("hide", [taken_back, held_back, deleted])
def test_they_are_gone_as_soon_as_their_page_is(club, alice, hide):
    section, token = published(club, alice, "teams")
    listed = results_of(token)
    own = [listed["sheets"][0]["json"], listed["matches"][0]["json"]]
    tags = {address: Client().get(address).headers["ETag"] for address in own}

    hide(section, alice)

    for address, tag in tags.items():
        document(Client(), address, "error", 404, **{"If-None-Match": tag})


def test_an_unchanged_sheet_is_sent_once_and_a_hidden_name_is_another(club, alice):
    _section, token = published(club, alice)
    address = results_of(token)["sheets"][0]["json"]
    first = Client().get(address)
    tag = first.headers["ETag"]

    assert Client().get(address, headers={"If-None-Match": tag}).status_code == 304
    assert first.headers["Access-Control-Allow-Origin"] == "*"
    name = first.json()["contestant"]["players"][0]
    person = Person.objects.get(name=name)
    person.public_name = "none"
    person.save()

    hidden = Client().get(address, headers={"If-None-Match": tag})

    assert hidden.status_code == 200
    assert name not in hidden.content.decode()


def test_a_session_that_is_not_published_has_no_sheets(club, alice):
    section, token = published(club, alice)
    other = token[:-1] + ("A" if token[-1] != "A" else "B")

    document(Client(), f"/api/v1/results/{other}/sheets/A/1/", "error", 404)
    assert publish_results(section, by=alice).token == token


def test_a_second_section_has_its_own_boards_sheets_and_ranking(club, alice):
    first = scored_section(8, club=club, by=alice)
    second = scored_section(6, club=club, by=alice, seed=2)
    Section.objects.filter(pk=second.pk).update(session=first.session, name="B")
    Session.objects.filter(pk=first.session_id).update(same_deals=False)
    token = publish_results(Section.objects.get(pk=first.pk), by=alice).token
    base = f"/api/v1/results/{token}"

    data = document(Client(), f"{base}/", "results")

    numbers = {name: {b["board"] for b in data["boards"] if b["section"] == name} for name in "AB"}
    assert numbers == {
        name: set(section.plays.filter(round__lte=2).values_list("board", flat=True))
        for name, section in (("A", first), ("B", second))
    }
    sizes = {ranking["section"]: len(ranking["rows"]) for ranking in data["rankings"]}
    assert sizes == {"A": 8, "B": 6}
    boards = [document(Client(), f"{base}/boards/{name}/1/", "board") for name in "AB"]
    assert [board["section"] for board in boards] == ["A", "B"]
    assert boards[0]["results"] != boards[1]["results"]
    sheets = [document(Client(), f"{base}/sheets/{name}/6/", "sheet") for name in "AB"]
    assert sheets[0]["rounds"] != sheets[1]["rounds"]
    for missing in ("boards/C/1/", "boards/B/99/", "sheets/B/7/", "sheets/C/1/"):
        assert Client().get(f"{base}/{missing}").status_code == 404
