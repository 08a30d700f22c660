"""JSON answers: for every website, cached, rate-limited, and gone with the page."""

import json

import pytest
from django.http import HttpResponse
from django.test import Client

from bridgebuddy.clubs.models import Person
from bridgebuddy.players.api import cross_origin
from bridgebuddy.publication.models import ClubPage
from bridgebuddy.seasons.models import Championship
from tests.players.test_everybodys import deleted, held_back, taken_back
from tests.players.test_own_page import evening

from .reading import document

pytestmark = pytest.mark.django_db

OK, UNCHANGED, NOT_ALLOWED, TOO_MANY = 200, 304, 405, 429


@pytest.fixture
def section(club, alice):
    return evening(club, alice)


def addresses(section):
    token = section.session.scoring.token
    return [f"/api/v1/results/{token}/", f"/api/v1/results/{token}/boards/A/1/"]


def test_an_unchanged_document_is_sent_once(section):
    for address in addresses(section):
        first = Client().get(address)
        tag = first.headers["ETag"]

        again = [
            Client().get(address, headers={"If-None-Match": tag, "Accept-Language": language})
            for language in ("", "de")
        ]

        assert first.headers["Cache-Control"] == "public, no-cache"
        assert [(answer.status_code, answer.content) for answer in again] == [(UNCHANGED, b"")] * 2
        assert again[0].headers["Access-Control-Allow-Origin"] == "*"
        assert not first.cookies


def test_a_hidden_name_is_another_document(section):
    tags = {address: Client().get(address).headers["ETag"] for address in addresses(section)}
    person = Person.objects.get(name="Anna North1")
    person.public_name = "none"
    person.save()

    for address, tag in tags.items():
        answer = Client().get(address, headers={"If-None-Match": tag})

        assert answer.status_code == OK
        assert "Anna North1" not in answer.content.decode()


@pytest.mark.parametrize("hide", [taken_back, held_back, deleted])
def test_it_is_gone_as_soon_as_its_page_is(section, alice, hide):
    tags = {address: Client().get(address).headers["ETag"] for address in addresses(section)}

    hide(section, alice)

    for address, tag in tags.items():
        error = document(Client(), address, "error", 404, **{"If-None-Match": tag})
        assert error == {"error": "not found"}


def test_a_championship_is_gone_when_it_is_taken_back(client, club, section):
    league = Championship.objects.create(club=club, name="Winter", of="player")
    address = f"/api/v1/championships/{league.token}/"

    document(client, address, "error", 404)


def test_other_websites_may_read_and_nothing_else(section):
    address = addresses(section)[0]

    asked, head, post = (getattr(Client(), way)(address) for way in ("options", "head", "post"))

    assert (asked.status_code, asked.headers["Allow"]) == (204, "GET, HEAD, OPTIONS")
    assert asked.headers["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    assert (head.status_code, head.content) == (OK, b"")
    assert (post.status_code, post.json()) == (
        NOT_ALLOWED,
        {"error": "only GET, HEAD and OPTIONS"},
    )
    for answer in (asked, head, post):
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in answer.headers
    assert "Access-Control-Allow-Origin" not in Client().get(f"/r/{address[16:]}").headers


def test_an_unknown_address_is_answered_with_json(client):
    for address in ("/api/", "/api/v1/", "/api/v2/results/x/", "/api/v1/schemas/none/"):
        document(client, address, "error", 404)


@pytest.mark.parametrize("status", [400, 403, 500])
def test_an_error_of_whatever_kind_is_answered_with_json(rf, status):
    answering = cross_origin.allow_other_sites(lambda _request: HttpResponse("<p>", status=status))

    answer = answering(rf.get("/api/v1/results/x/"))

    assert answer.status_code == status
    assert json.loads(answer.content)["error"]


def test_a_network_that_asks_too_often_is_refused(section, monkeypatch):
    monkeypatch.setattr(cross_origin, "MOST", 3)
    monkeypatch.setattr(cross_origin.time, "monotonic", lambda: 1e6)
    cross_origin.requests_of_networks.clear()
    address = addresses(section)[0]

    answers = [Client().get(address) for _ in range(4)]
    other = Client(REMOTE_ADDR="192.0.2.7").get(address)

    assert [answer.status_code for answer in answers] == [OK, OK, OK, TOO_MANY]
    assert answers[-1].headers["Retry-After"] == "60"
    assert answers[-1].json() == {"error": "too many requests"}
    assert other.status_code == OK
    monkeypatch.setattr(cross_origin.time, "monotonic", lambda: 1e6 + cross_origin.WINDOW)
    assert Client().get(address).status_code == OK


def test_a_second_reading_makes_few_queries(section, django_assert_max_num_queries):
    address = addresses(section)[0]
    Client().get(address)

    with django_assert_max_num_queries(6):
        assert Client().get(address).status_code == OK


def test_schemas_can_be_read_by_other_websites(client):
    for name in ("results", "board", "championship", "club", "club-results", "error"):
        answer = client.get(f"/api/v1/schemas/{name}/")
        assert answer.headers["Content-Type"] == "application/schema+json"
        assert answer.json()["$schema"].startswith("https://json-schema.org/")
        assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_the_pages_address_is_the_documents(client, club, section):
    ClubPage.objects.create(club=club, address="lindenhof", is_on=True)

    data = document(client, "/api/v1/clubs/lindenhof/results/", "club-results")

    assert client.get(data["sessions"][0]["page"]).status_code == OK
    assert client.get(data["page"]).status_code == OK
    document(client, data["sessions"][0]["json"], "results")


def test_ten_requests_a_second_for_a_minute_are_answered_and_no_more(monkeypatch):
    monkeypatch.setattr(cross_origin.time, "monotonic", lambda: 1e6)
    count = cross_origin.RequestCount()

    refused = [count.count_request("192.0.2.1") for _ in range(10 * cross_origin.WINDOW + 1)]

    assert refused == [False] * (10 * cross_origin.WINDOW) + [True]
    assert not count.count_request("192.0.2.2")
