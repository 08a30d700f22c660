"""Published pages: cached by proxies, sent once, and gone after withdrawal."""

import datetime

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Person
from bridgebuddy.publication.imports import importing
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.services import publishing
from bridgebuddy.seasons.models import Championship
from tests.players.test_own_page import evening
from tests.publication.test_moving_in import import_all

pytestmark = pytest.mark.django_db

OK, UNCHANGED, GONE = 200, 304, 404


def addresses(section):
    """Every page of a published list that follows from its address alone."""
    token = section.session.scoring.token
    pages = [
        reverse(f"public-{name}", args=[token]) for name in ("results", "sheets", "boards", "deals")
    ]
    sheet = reverse("public-sheet", args=[token, section.name, "NS1"])
    board = reverse("public-board", args=[token, section.name, 1])
    return [*pages, sheet, board]


def again(address, answer, client=None, **headers):
    """Ask once more as a cache does that has kept an answer."""
    return (client or Client()).get(
        address, headers={"If-None-Match": answer.headers["ETag"], **headers}
    )


def test_a_page_that_has_not_changed_is_sent_once(club, alice):
    for address in addresses(evening(club, alice)):
        first = Client().get(address)

        kept = again(address, first)

        assert first.headers["Cache-Control"] == "public, no-cache", address
        assert {"Cookie", "Accept-Language"} <= set(first.headers["Vary"].split(", "))
        assert (kept.status_code, kept.content) == (UNCHANGED, b"")
        for name in ("Cache-Control", "ETag"):
            assert kept.headers[name] == first.headers[name]
        assert {"Cookie", "Accept-Language"} <= set(kept.headers["Vary"].split(", "))
        assert not kept.cookies


def test_what_was_packed_on_the_way_is_known_again(club, alice):
    address = addresses(evening(club, alice))[0]
    packed = {"Accept-Encoding": "gzip"}

    first = Client().get(address, headers=packed)

    assert first.headers["Content-Encoding"] == "gzip"
    assert again(address, first, **packed).status_code == UNCHANGED


def test_whoever_has_a_cookie_keeps_it_alone(club, alice, signed_in):
    address = addresses(evening(club, alice))[0]
    chosen = Client()
    chosen.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"

    of_all = Client().get(address)
    german, directors = (item.get(address) for item in (chosen, signed_in(alice)))

    assert "no-store" in directors.headers["Cache-Control"]
    assert german.headers["Cache-Control"] == "private, no-cache"
    assert german.headers["ETag"] != of_all.headers["ETag"]
    assert again(address, of_all, chosen).status_code == OK
    assert again(address, of_all, **{"Accept-Language": "de"}).status_code == OK


def taken_back(section, by):
    publishing.unpublish_results(section, by=by)


def held_back(section, by):
    until = timezone.now() + datetime.timedelta(hours=1)
    ScoringSettings.objects.filter(session=section.session_id).update(embargo_until=until)


def deleted(section, by):
    type(section.session).objects.filter(pk=section.session_id).update(deleted_at=timezone.now())


@pytest.mark.parametrize("hide", [taken_back, held_back, deleted])
def test_nobody_gets_it_any_more_once_it_was_taken_back(club, alice, hide):
    section = evening(club, alice)
    kept = {address: Client().get(address) for address in addresses(section)}

    hide(section, alice)

    for address, answer in kept.items():
        assert again(address, answer).status_code == GONE, address
        assert again(address, answer, **{"If-None-Match": "*"}).status_code == GONE


def test_another_name_is_another_page(club, alice):
    section = evening(club, alice)
    kept = {address: Client().get(address) for address in addresses(section)[:1]}
    person = Person.objects.get(club=club, name="Anna North1")
    person.public_name = "none"
    person.save()

    for address, answer in kept.items():
        now = again(address, answer)

        assert now.status_code == OK
        assert "Anna North1" not in now.content.decode()


def test_a_list_of_another_program_and_a_championship_too(club, alice):
    past_import = import_all(club, alice, "2025-01-07")
    importing.publish_import(past_import, True, by=alice)
    one = Championship.objects.create(
        club=club, name="Winter", of="player", published_at=timezone.now()
    )
    pages = [
        reverse("public-results", args=[ScoringSettings.objects.get().token]),
        reverse("public-championship", args=[one.token]),
        reverse("public-championship-line", args=[one.token, 1]),
    ]
    kept = {address: Client().get(address) for address in pages}

    unchanged = [again(address, answer).status_code for address, answer in kept.items()]
    importing.publish_import(past_import, False, by=alice)
    Championship.objects.update(published_at=None)
    gone = [again(address, answer).status_code for address, answer in kept.items()]

    assert {item.headers["Cache-Control"] for item in kept.values()} == {"public, no-cache"}
    assert (unchanged, gone) == ([UNCHANGED] * 3, [GONE] * 3)


def test_what_somebody_typed_is_kept_by_nobody_between(club, alice):
    section = evening(club, alice)
    address = reverse("public-find", args=[section.session.scoring.token])

    answer = Client().get(f"{address}?name=anna")

    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert "ETag" not in answer.headers
