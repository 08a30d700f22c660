"""Languages by reader: a device, a director, a club."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from bridgebuddy.clubs.models import Club
from bridgebuddy.scoring.services.publishing import publish_results
from tests.factories import section_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def three_languages(settings):
    settings.LANGUAGES = [("en", "English"), ("de", "German"), ("ko", "Korean")]


@pytest.fixture
def german_club(club, three_languages):
    club.language = "de"
    club.save()
    return club


@pytest.fixture
def evening(german_club, alice):
    return section_with(8, "howell", round=2, club=german_club, by=alice)


def spoken(response):
    """The language a page says it is in."""
    return re.search(r'<html[^>]* lang="([^"]*)"', response.content.decode())[1]


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("de", "de"),
        ("de-AT, en;q=0.5", "de"),
        ("fr, de;q=0.4", "de"),
        ("en-GB", "en"),
        ("ko", "ko"),
        ("fr", "de"),
        ("", "de"),
        ("*", "de"),
    ],
)
def test_a_phone_gets_what_it_asks_for_and_else_the_clubs_language(evening, asked, language):
    phone = Client(headers={"accept-language": asked})

    assert spoken(phone.get(f"/p/{evening.code}/1/")) == language
    assert spoken(phone.get(f"/p/{evening.code}/")) == language


def test_a_phones_choice_comes_before_what_it_asks_for(evening):
    phone = Client(headers={"accept-language": "de"})

    phone.get("/p/language/ko/")

    assert spoken(phone.get(f"/p/{evening.code}/1/")) == "ko"


@pytest.mark.parametrize(
    ("asked", "language"), [("en", "en"), ("ko", "de"), ("fr", "de"), ("", "de")]
)
def test_published_results_are_in_the_language_asked_for_and_else_in_the_clubs(
    evening, asked, language
):
    token = publish_results(evening, by=None).token
    reader = Client(headers={"accept-language": asked})

    for page in ("", "sheets/", "boards/"):
        assert spoken(reader.get(f"/r/{token}/{page}")) == language, page


def test_the_room_display_speaks_the_clubs_language(evening):
    assert spoken(Client(headers={"accept-language": "en"}).get(f"/p/{evening.code}/room/")) == "de"


@pytest.mark.parametrize("sheet", ["table-cards", "guide-cards", "master"])
def test_sheets_speak_the_clubs_language(signed_in, alice, evening, sheet):
    browser = signed_in(alice)

    assert spoken(browser.get(f"/s/{evening.code}/print/{sheet}.html")) == "de"
    assert spoken(browser.get(f"/s/{evening.code}/print/")) == "en"


def test_directors_pages_are_never_half_translated(signed_in, alice, evening):
    browser = signed_in(alice)
    browser.get("/p/language/ko/")

    assert spoken(browser.get(f"/s/{evening.code}/")) == "en"
    assert spoken(browser.get(f"/p/{evening.code}/")) == "ko"


def test_a_director_takes_their_language_to_every_device(signed_in, alice, club, three_languages):
    settings = reverse("club-settings", args=[club.pk])

    answer = signed_in(alice).post(reverse("own-language"), {"language": "de", "next": settings})
    elsewhere = Client(headers={"accept-language": "en"})
    elsewhere.post(
        reverse("account_login"), {"login": "alice@example.org", "password": "right horse battery"}
    )

    assert answer.headers["Location"] == settings
    assert spoken(elsewhere.get(settings)) == "de"


def test_a_director_may_leave_the_language_to_the_browser(signed_in, alice, three_languages):
    browser = signed_in(alice)
    browser.post(reverse("own-language"), {"language": "de"})
    browser.post(reverse("own-language"), {"language": ""})

    assert spoken(browser.get("/", headers={"accept-language": "en"})) == "en"
    assert spoken(browser.get("/", headers={"accept-language": "de"})) == "de"


def test_only_offered_languages_are_kept(signed_in, alice, club, three_languages):
    browser = signed_in(alice)

    for language in ("xx", "ko"):
        assert browser.post(reverse("own-language"), {"language": language}).status_code == 404
    answer = browser.post(
        reverse("club-paper", args=[club.pk]),
        {"name": "Lindenhof", "paper": "a4", "stand_word": "stand", "language": "xx"},
    )
    alice.refresh_from_db()
    club.refresh_from_db()
    assert (answer.status_code, club.language, alice.language) == (422, "", "")


def test_strangers_have_no_language_of_their_own(client, three_languages):
    assert client.post(reverse("own-language"), {"language": "de"}).status_code == 302
    assert client.get(reverse("own-language")).status_code in (302, 405)


def test_a_new_club_speaks_the_language_it_is_founded_in(signed_in, bob, three_languages):
    german = {"accept-language": "de"}

    signed_in(bob).post(reverse("new-club"), {"name": "Neuer Club"}, headers=german)

    assert Club.objects.get(name="Neuer Club").language == "de"


def offers(browser, address, language):
    """Return whether a page has a link to itself in a language."""
    return f'hreflang="{language}"' in browser.get(address).content.decode()


@pytest.mark.parametrize(
    ("club_speaks", "asked", "is_offered"),
    [
        ("en", "en-GB", False),
        ("", "de", False),
        ("en", "en, ko;q=0.3", True),
        ("en", "ko-KR", False),  # it is spoken already
        ("ko", "en", True),
    ],
)
def test_korean_is_offered_where_somebody_may_want_it(evening, club_speaks, asked, is_offered):
    evening.club.language = club_speaks
    evening.club.save()
    phone = Client(headers={"accept-language": asked})

    for address in (f"/p/{evening.code}/1/", f"/p/{evening.code}/"):
        assert offers(phone, address, "ko") == is_offered
        assert offers(phone, address, "en") == (spoken(phone.get(address)) != "en")


def test_who_has_chosen_korean_once_finds_it_again(evening):
    phone = Client(headers={"accept-language": "en"})
    phone.get("/p/language/ko/")

    assert spoken(phone.get("/p/")) == "ko"
    assert offers(phone, "/p/", "en")
