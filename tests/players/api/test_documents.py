"""The JSON of published results: valid by its schema, with the figures and names of the public pages."""

import datetime

import pytest
from django.test import Client
from django.utils import timezone

from bridgebuddy.events.models import Section, Session
from bridgebuddy.publication.imports import importing
from bridgebuddy.publication.models import ClubPage
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.services.cards.deals import store_deals
from bridgebuddy.scoring.services.classes import store_classes
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.services.rulings import give_penalty
from bridgebuddy.seasons.models import Championship
from tests.factories import EventFactory
from tests.players.test_club_page import archive
from tests.players.test_own_page import evening
from tests.publication.test_moving_in import import_all
from tests.publication.test_nothing_early import PBN
from tests.scoring.test_tonight import scored_section

from .reading import document, plain, rows_of

pytestmark = pytest.mark.django_db

GERMAN = {"Accept-Language": "de"}
CONTESTS = {
    "pairs": (8, "howell", "pairs", {}),
    "two lines": (6, "mitchell", "pairs", {}),
    "classes": (8, "howell", "pairs", {}),
    "IMPs": (8, "howell", "pairs", {"method": "cross-imps"}),
    "Butler": (6, "mitchell", "pairs", {"method": "butler"}),
    "single players": (8, "individual", "individual", {}),
    "teams": (8, "swiss", "teams", {}),
    "pairs in matches": (8, "swiss", "pairs", {}),
}


def published(club, by, contest="pairs"):
    """Return a published section of a kind of contest, with a penalty, and its token."""
    count, family, kind, profile = CONTESTS[contest]
    section = scored_section(count, family, contest=kind, club=club, by=by)
    if profile:
        publishing.set_scoring_profile(section, profile, by=by)
    if contest == "classes":
        entries = section.entries.values_list("pk", flat=True)
        classes = {
            key: {"stratum": 1 + n % 2, "handicap": "2.5", "categories": ["Juniors"] * (n % 2)}
            for n, key in enumerate(entries)
        }
        store_classes(
            section, strata=["A", "B"], classes=classes, masterpoints="abf-session", by=by
        )
    unit = "vps" if family == "swiss" else "imps" if profile else "percent"
    give_penalty(section, section.entries.first().pk, unit=unit, amount=-3, kind="time", by=by)
    token = publishing.publish_results(section, by=by).token
    return Section.objects.get(pk=section.pk), token


@pytest.mark.parametrize("contest", CONTESTS)
def test_rankings_have_the_figures_of_the_page(club, alice, two_languages, contest):
    section, token = published(club, alice, contest)
    page = Client(headers=GERMAN).get(f"/r/{token}/").content.decode()

    data = document(Client(), f"/api/v1/results/{token}/", "results")

    shown = [row for row in rows_of(page) if row]
    assert len(shown) >= section.entries.count()
    if data["teams"]:
        assert [[plain(row[0]), plain(row[-1])] for row in shown] == [
            [row["place"] or "", row["value"]] for row in data["teams"]
        ]
        imps = [plain(row[-2]).removeprefix("+") for row in shown]
        assert imps == [row["imps"] for row in data["teams"]]
    else:
        rows = [row for ranking in data["rankings"] for row in ranking["rows"]]
        for cells, row in zip(shown, rows, strict=True):
            assert [cells[0], cells[1]] == [row["place"] or "", row["number"]]
            assert cells[2].startswith(row["name"])
            figures = [row["value"], row["a_board"], row["overall"]]
            assert [plain(cell) for cell in cells[3:]] == [
                *(cell or "" for cell in row["cells"]),
                *(figure for figure in figures if figure is not None),
            ]
    fined = [row["adjusted"] for row in [*data["teams"], *sum_rows(data)]]
    assert fined.count("penalty") == page.count("mit Strafe") > 0


def sum_rows(found):
    return [row for ranking in found["rankings"] for row in ranking["rows"]]


def test_boards_have_the_figures_of_the_page(club, alice, two_languages):
    for contest in ("pairs", "IMPs", "teams"):
        section, token = published(club, alice, contest)
        own = document(Client(), f"/api/v1/results/{token}/", "results")["boards"]
        assert bool(own) is not section.stored.is_draw
        for listed in own[:3]:
            address = f"/r/{token}/boards/{listed['section']}/{listed['board']}/"
            page = Client(headers=GERMAN).get(address).content.decode()
            table = page[page.index('class="trav') :].partition("</table>")[0]

            data = document(Client(), listed["json"], "board")

            shown = [[plain(cell) for cell in row[3:]] for row in rows_of(table) if row]
            assert shown == [
                [
                    f"{row['score']:+}" if row["score"] else "0",
                    row["ns_value"],
                    row["ew_value"],
                ]
                for row in data["results"]
            ]
            often = page.partition('class="freq"')[2].partition("</table>")[0]
            frequencies = [row for field in data["frequencies"] for row in field["rows"]]
            assert [[plain(cell) for cell in row[1:]] for row in rows_of(often) if row] == [
                [row["times"], row["ns"], row["ew"]] for row in frequencies
            ]


def test_every_kind_of_outcome_is_valid_and_a_lead_stays_with_the_club(club, alice):
    section = scored_section(10, "mitchell", rounds=5, club=club, by=alice)
    store_deals(section, {1: PBN}, by=alice)
    plays = section.plays.filter(board=1).order_by("pk")
    contract = {"contract": "4SX", "declarer": "N", "tricks": 10}
    outcomes = [
        (contract | {"lead": "HA"}, contract),
        ({"passed": True}, {"passed": True}),
        (
            {"artificial": {"ns": "AVE+", "ew": 45}},
            {"artificial": {"ns": "AVE+", "ew": "45"}},
        ),
        ({"score": 420}, {"score": 420}),
        ({"not_played": "skipped"}, {"not_played": "skipped"}),
    ]
    for play, (outcome, _told) in zip(plays, outcomes, strict=True):
        enter_result(section, play.pk, outcome, after=1, by=alice)
    token = publishing.publish_results(section, by=alice).token

    data = document(Client(), f"/api/v1/results/{token}/boards/A/1/", "board")

    told = [row["outcome"] for row in data["results"]]
    assert sorted(map(str, told)) == sorted(str(outcome) for _entered, outcome in outcomes)
    assert data["cards"]["N"] == "AKQJT98765432..."


def test_a_second_list_stands_beside_the_first(club, alice):
    section = scored_section(8, "howell", club=club, by=alice)
    publishing.set_second_method(section, "butler", by=alice)
    token = publishing.publish_results(section, by=alice).token

    data = document(Client(), f"/api/v1/results/{token}/", "results")

    assert [ranking["method"] for ranking in data["rankings"]] == ["matchpoints", "butler"]


def test_a_session_of_another_program_has_the_numbers_of_its_file(club, alice):
    importing.publish_import(import_all(club, alice, "2025-01-07"), True, by=alice)
    token = ScoringSettings.objects.get().token
    page = Client(headers=GERMAN).get(f"/r/{token}/").content.decode()

    data = document(Client(), f"/api/v1/results/{token}/", "results")

    shown = [[plain(cell) for cell in row] for row in rows_of(page) if len(row) == 3]
    assert data["state"] == "imported"
    assert shown == [
        [row["place"] or "", row["name"], row["value"] or ""] for row in sum_rows(data)
    ]
    document(Client(), f"/api/v1/results/{token}/boards/A/1/", "error", 404)


@pytest.mark.parametrize("of", ["player", "pair"])
def test_a_championship_has_the_figures_of_its_page(club, alice, two_languages, of):
    for week, day in enumerate(("2026-11-10", "2026-11-17")):
        evening(club, alice, day, seed=week)
    league = Championship.objects.create(
        club=club, name="Winter", of=of, published_at=timezone.now()
    )
    page = Client(headers=GERMAN).get(f"/c/{league.token}/").content.decode()

    data = document(Client(), f"/api/v1/championships/{league.token}/", "championship")

    rows = data["groups"][0]["rows"]
    shown = [row for row in rows_of(page) if row]
    assert len(rows) == len(shown) > 3
    assert [[row[0].split()[0], plain(row[2]), plain(row[-1])] for row in shown] == [
        [row["place"], str(row["played"]), row["total"]] for row in rows
    ]
    assert [[plain(cell) for cell in row[3:-1]] for row in shown] == [
        [cell["value"] if cell else "–" for cell in row["values"]] for row in rows
    ]
    assert data["sessions"] == ["2026-11-10", "2026-11-17"]


def test_a_club_lists_its_results_by_pages(client, club):
    ClubPage.objects.create(club=club, address="lindenhof", is_on=True)
    first = "/api/v1/clubs/lindenhof/results/"
    empty = document(client, first, "club-results")
    archive(club, 20)
    whole = document(client, first, "club-results")
    event = EventFactory(club=club, name="Older")
    older = Session.objects.create(
        event=event, date=datetime.date(2020, 1, 1), starts_at=datetime.time(19)
    )
    Section.objects.create(session=older, code="ZZZZZZ", round=1)
    ScoringSettings.objects.create(session=older, published_at=timezone.now())

    pages = [document(client, first, "club-results")]
    pages.append(document(client, pages[0]["next_page"], "club-results"))

    assert (empty["count"], empty["sessions"], empty["next_page"]) == (0, [], None)
    assert (whole["count"], len(whole["sessions"]), whole["next_page"]) == (20, 20, None)
    assert [len(page["sessions"]) for page in pages] == [20, 1]
    assert pages[1]["sessions"][0]["name"] == "Older"
    assert (pages[1]["next_page"], pages[1]["previous_page"]) == (None, f"{first}?page=1")
    assert whole["sessions"][0]["winners"] == [
        {"name": "Hanna Brandt & Karl Frey", "value": "59.13", "unit": "percent"}
    ]
    for wrong in ("0", "3", "-1", "x", "", "1.0", "9" * 30):
        document(client, f"{first}?page={wrong}", "error", 404)


def test_a_club_without_a_page_has_no_json(client, club):
    page = ClubPage.objects.create(club=club, address="lindenhof", is_on=True)
    document(client, "/api/v1/clubs/lindenhof/", "club")

    page.is_on = False
    page.save()

    for address in ("", "results/"):
        document(client, f"/api/v1/clubs/lindenhof/{address}", "error", 404)


def test_documents_are_in_the_clubs_language_whatever_the_reader_asks_for(
    club, alice, two_languages
):
    club.language, club.public_names = "de", "none"
    club.save()
    _section, token = published(club, alice)

    answers = [
        Client(headers={"Accept-Language": wanted}).get(f"/api/v1/results/{token}/")
        for wanted in ("en", "de", "")
    ]

    assert "Gast" in answers[0].json()["rankings"][0]["rows"][0]["name"]
    assert len({answer.content for answer in answers}) == 1
    assert answers[0].headers["Content-Language"] == "de"
