"""Access with the code, and no access without it."""

from datetime import timedelta
from unittest.mock import Mock

import pytest
from django.core.cache import caches
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.events import code_limits as limits
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.lifecycle.deletions import delete_session
from bridgebuddy.operations import process_cache
from bridgebuddy.players import access
from tests.factories import EventFactory, director_of, section_with

from .reading import HTMX, lookup, player, room, words

pytestmark = pytest.mark.django_db

NO_SUCH_CODE = (
    "No session has the code AAAAAA. Look at the card on your table again, or ask the director."
)
CONFUSABLE = "A code never has 0, O, 1 or I in it. Look at the card on your table again."
SIX = "A code has 6 letters and digits. Look at the card on your table."


def test_the_code_is_found_however_it_is_typed(client, skip_section):
    code = skip_section.code
    for typed in (code, code.lower(), f" {code[:3]} {code[3:]} ", f"{code[:3]}-{code[3:]}"):
        answer = client.get(reverse("code"), {"code": typed})

        assert answer.headers["Location"] == reverse("lookup", args=[code])


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("AAAAAA", NO_SUCH_CODE),
        ("aaa aaa", NO_SUCH_CODE),
        ("LIMD42", CONFUSABLE),
        ("0", CONFUSABLE),
        ("ABC", SIX),
        ("ABCDEFG", SIX),
        ("???", SIX),
        ("x" * 10_000, SIX),
        ("<script>alert(2)</script>", CONFUSABLE),
        ("\x00", SIX),
        ("", "Type the code that is printed on the card on your table."),
        ("   ", "Type the code that is printed on the card on your table."),
    ],
)
def test_a_wrong_code_gets_a_sentence_beside_the_field(client, skip_section, typed, sentence):
    answer = client.get(reverse("code"), {"code": typed})

    assert answer.status_code == 404
    assert sentence in words(answer)
    assert 'aria-invalid="true" aria-describedby="id_code_error"' in answer.content.decode()
    assert skip_section.code not in answer.content.decode()
    assert "<script>alert" not in answer.content.decode()


def test_a_wrong_code_keeps_what_was_typed(client):
    assert 'value="aaa-aaa"' in client.get(reverse("code"), {"code": "aaa-aaa"}).content.decode()


@pytest.mark.parametrize("path", ["", "NS1/", "room/"])
def test_an_address_with_a_wrong_code_asks_for_the_right_one(client, skip_section, path):
    answer = client.get(f"/p/AAAAAA/{path}")

    assert answer.status_code == 404
    assert NO_SUCH_CODE in words(answer)
    assert '<form class="stack codeform" method="get" action="/p/"' in answer.content.decode()


def test_an_address_nobody_could_type_is_only_a_wrong_code(client, skip_section):
    for code in ("%00", "x" * 2000, "%F0%9F%98%80", "..", "' OR 1=1--"):
        assert client.get(f"/p/{code}/", {"v": "1"}).status_code == 404
        assert client.get(f"/p/{skip_section.code}/{code}/").status_code == 404


def test_a_revoked_code_opens_nothing(client, skip_section):
    old = skip_section.code
    player(client, skip_section, "NS1")
    Section.objects.filter(pk=skip_section.pk).update(code="ZZZZZZ")

    assert client.get(f"/p/{old}/NS1/").status_code == 404


class Clock:
    """The second in which all is tried, until a test goes on."""

    def __init__(self) -> None:
        self.now = 1_800_000_000

    def time(self) -> int:
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr("bridgebuddy.clubs.sign_in.limits.time.time", clock.time)
    return clock


def guess(client, tries=61):
    """Try so many wrong codes in a second: after sixty a network has one turn a second."""
    return [client.get(f"/p/AAAA{n:02}/").status_code for n in range(tries)]


def test_after_sixty_wrong_codes_a_network_has_one_try_a_second(skip_section, clock):
    guesser = Client()

    answers = guess(guesser, 64)

    assert answers == [404] * 61 + [429] * 3
    assert guesser.get(reverse("code"), {"code": "ABCDEF"}).status_code == 429
    blocked = lookup(guesser, skip_section)
    assert blocked.status_code == 429
    assert blocked.headers["Retry-After"] == blocked.headers["Refresh"] == "3"
    assert "North1" not in words(blocked)
    clock.now += 1
    assert lookup(guesser, skip_section).status_code == 200


def test_a_known_phone_that_guesses_is_told_to_wait(skip_section, clock):
    phone = Client()
    player(phone, skip_section, "NS1")

    answers = guess(phone, 62)
    blocked = phone.get(reverse("code"), {"code": "ABCDEF"})

    assert answers == [404] * 60 + [429] * 2
    assert blocked.headers["Retry-After"] == "600"
    assert "Refresh" not in blocked.headers
    assert "Wait ten minutes, then try again." in words(blocked)


def test_a_phone_that_knows_the_section_is_never_locked_out(skip_section, clock):
    guesser, friend, by_form = Client(), Client(), Client()
    player(friend, skip_section, "NS1")
    by_form.get(reverse("code"), {"code": skip_section.code})

    guess(guesser)

    assert player(guesser, skip_section, "NS1").status_code == 429
    for known in (friend, by_form):
        assert player(known, skip_section, "NS1").status_code == 200
        assert room(known, skip_section).status_code == 200
        assert known.get(reverse("code"), {"code": skip_section.code}).status_code == 302
        assert known.get("/p/BBBBBB/").status_code == 404  # its own tries are counted apart


def test_other_addresses_are_not_locked_out(skip_section, clock):
    guess(Client())
    assert lookup(Client(), skip_section).status_code == 429

    elsewhere = Client(REMOTE_ADDR="198.51.100.7")

    assert lookup(elsewhere, skip_section).status_code == 200


def test_wrong_codes_are_forgotten_after_ten_minutes(skip_section, clock):
    guess(Client())

    clock.now += 599
    assert [lookup(Client(), skip_section).status_code for _ in range(2)] == [200, 429]
    clock.now += 2
    assert [lookup(Client(), skip_section).status_code for _ in range(2)] == [200, 200]


def test_a_forged_cookie_opens_nothing(skip_section, clock):
    guesser = Client()
    guess(guesser)
    guesser.cookies[limits.COOKIE] = skip_section.code

    assert lookup(guesser, skip_section).status_code == 429


def test_a_phone_remembers_its_last_dozen_sections(client, alice, club):
    codes = [section_with(0, club=club, by=alice).code for _ in range(13)]
    for code in codes:
        client.get(f"/p/{code}/")

    known = client.get(f"/p/{codes[-1]}/").wsgi_request.get_signed_cookie(limits.COOKIE)

    assert known.split("-") == codes[:0:-1]


def test_an_address_nobody_knows_is_counted_too(skip_section, clock):
    assert guess(Client(REMOTE_ADDR=""), 62) == [404] * 61 + [429]


def test_a_phone_whose_session_is_gone_does_not_count_as_guessing(skip_section):
    phone = Client()
    player(phone, skip_section, "NS1")
    old = skip_section.code
    Section.objects.filter(pk=skip_section.pk).update(code="ZZZZZZ")

    for _ in range(61):
        assert phone.get(f"/p/{old}/NS1/", {"v": 3}, headers=HTMX).status_code == 404

    assert Client().get("/p/ZZZZZZ/").status_code == 200


def test_polls_never_touch_the_rate_limit(client, skip_section, monkeypatch):
    player(client, skip_section, "NS1")
    monkeypatch.setattr(limits, "_limits_of_request", None)  # asking or counting would fail

    for version, status in ((skip_section.shown, 204), (1, 200)):
        assert player(client, skip_section, "NS1", v=version).status_code == status
        assert room(client, skip_section, v=version).status_code == status
        assert lookup(client, skip_section, v=version).status_code == status


def test_where_a_redis_keeps_it_unchanged_polls_ask_the_database_once(
    client, skip_section, settings, monkeypatch, django_assert_num_queries
):
    settings.POLLS_KEPT = 60
    in_memory = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    settings.CACHES = {**settings.CACHES, "shared": in_memory}
    monkeypatch.setattr(process_cache, "_away_until", 0.0)
    player(client, skip_section, "NS1")
    shown = skip_section.shown

    with django_assert_num_queries(1):
        for _ in range(3):
            assert player(client, skip_section, "NS1", v=shown).status_code == 204
    # another count than the one that is kept is asked for, and it is an older one that is not right any more
    assert player(client, skip_section, "NS1", v=shown + 1).status_code == 200
    caches["shared"].clear()
    skip_section.touch()
    assert player(client, skip_section, "NS1", v=shown).status_code == 200


def test_a_clock_that_jumps_leaves_no_phone_with_an_old_page(
    client, skip_section, settings, monkeypatch
):
    """Put back by an hour, the clock of that Redis would keep for an hour that nothing is new."""
    settings.POLLS_KEPT = 1
    eternal = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "KEY_PREFIX": "clock"}
    settings.CACHES = {**settings.CACHES, "shared": eternal}
    monkeypatch.setattr(process_cache, "_away_until", 0.0)
    monkeypatch.setattr(caches["shared"], "get_backend_timeout", lambda *_, **__: None)
    player(client, skip_section, "NS1")
    shown = skip_section.shown
    assert player(client, skip_section, "NS1", v=shown).status_code == 204
    skip_section.touch()
    assert player(client, skip_section, "NS1", v=shown).status_code == 204  # this second it is kept

    now = timezone.now()
    for jump in (-3600, 2, 3600):
        monkeypatch.setattr(timezone, "now", lambda jump=jump: now + timedelta(seconds=jump))
        assert player(client, skip_section, "NS1", v=shown).status_code == 200, jump


def test_where_that_redis_is_away_polls_ask_the_database(
    client, skip_section, settings, monkeypatch
):
    settings.POLLS_KEPT = 60
    player(client, skip_section, "NS1")
    monkeypatch.setattr(process_cache, "_away_until", 0.0)
    monkeypatch.setattr(caches["shared"], "get", Mock(side_effect=ConnectionError))

    for version, status in ((skip_section.shown, 204), (1, 200)):
        assert player(client, skip_section, "NS1", v=version).status_code == status


def test_nothing_of_other_sessions_is_ever_shown(client, skip_section, club, alice, carol):
    from bridgebuddy.events.services.setup import entries

    secrets = []
    for other_club, by in ((club, alice), (carol.clubs.get(), carol)):
        hidden = section_with(4, club=other_club, by=by)
        entries.add_pairs(hidden, [("Hidden Person", "Secret Partner")], by=by)
        hidden.session.event = EventFactory(club=other_club, name="Private Event")
        hidden.session.save()
        secrets += [hidden.code, "Hidden", "Secret", "Private Event"]
    director_of(club, email="third@example.org")

    for page in (
        lookup(client, skip_section),
        lookup(client, skip_section, q="hidden"),
        player(client, skip_section, "NS1"),
        player(client, skip_section, "NS99"),
        room(client, skip_section),
        client.get("/p/AAAAAA/"),
    ):
        text = page.content.decode()
        assert [word for word in (*secrets, "@example.org", "Elsewhere") if word in text] == []


def test_phones_get_no_session_and_cannot_send_anything(client, skip_section):
    for page in (
        client.get(reverse("code")),
        lookup(client, skip_section),
        player(client, skip_section, "NS1"),
        room(client, skip_section),
    ):
        assert set(page.cookies) <= {limits.COOKIE}
        assert page.headers["Cache-Control"] == "private, no-cache"
        assert "no-store" not in page.headers["Cache-Control"]
    for address in (reverse("code"), f"/p/{skip_section.code}/", f"/p/{skip_section.code}/NS1/"):
        assert client.post(address).status_code == 405
        assert client.post(f"{address}?v={skip_section.shown}").status_code == 405


def test_the_cookie_is_kept_from_scripts(client, skip_section):
    cookie = lookup(client, skip_section).cookies[limits.COOKIE]

    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/p/")


def test_everybody_sees_the_players_pages(alice, bob, carol, signed_in, skip_section):
    for user in (alice, bob, carol):
        assert player(signed_in(user), skip_section, "NS1").status_code == 200
    assert player(Client(), skip_section, "NS1").status_code == 200


def test_the_language_is_changed_by_a_link_and_never_leads_elsewhere(
    client, skip_section, two_languages
):
    here = f"/p/{skip_section.code}/NS1/"
    assert f'href="/p/language/de/?next={here}"' in client.get(here).content.decode()

    answer = client.get("/p/language/de/", {"next": here})

    assert answer.headers["Location"] == here
    assert 'lang="de"' in client.get(here).content.decode().split("<head>")[0]
    elsewhere = client.get("/p/language/en/", {"next": "https://evil.example/"})
    assert elsewhere.headers["Location"] == "/p/"
    assert client.get("/p/language/xx/", {"next": here}).status_code == 404


def test_the_policy_allows_nothing_from_elsewhere(client, skip_section):
    for page in (player(client, skip_section, "NS1"), room(client, skip_section)):
        assert "default-src 'self'" in page.headers["Content-Security-Policy"]
        assert "unsafe" not in page.headers["Content-Security-Policy"]
        assert "style=" not in page.content.decode()
        assert "<script>" not in page.content.decode()


def test_a_phone_is_told_once_what_it_knows(client, skip_section):
    pages = [client.get(f"/p/{skip_section.code}/{path}") for path in ("NS1/", "", "room/")]

    assert [limits.COOKIE in page.cookies for page in pages] == [True, False, False]


@pytest.mark.parametrize("asked", ["", "en"])
def test_who_has_the_code_of_a_deleted_session_reads_so_and_has_not_guessed(
    client, skip_section, alice, two_languages, asked
):
    club = skip_section.club
    club.language = "de"
    club.save()
    delete_session(skip_section, name="Tuesday Pairs", by=alice)
    phone = Client(headers={"accept-language": asked})
    here, language = f"/p/{skip_section.code}/NS1/", asked or "de"

    for typed in (here, f"/p/?code={skip_section.code.lower()}", *60 * [here]):
        page = phone.get(typed)
        assert (page.status_code, page.context["session"]) == (404, skip_section.session)
        assert f'lang="{language}"' in page.content.decode().split("<head>")[0]

    poll = phone.get(here, headers=HTMX)
    assert poll.headers["HX-Redirect"] == reverse("lookup", args=[skip_section.code])
    assert client.get("/p/AAAAAA/").status_code == 404


def test_no_answer_to_a_code_is_kept_by_anybody_but_the_phone(client, skip_section, alice):
    wrong = client.get("/p/AAAAAA/")
    delete_session(skip_section, name="Tuesday Pairs", by=alice)
    deleted = lookup(client, skip_section)
    for n in range(60):
        client.get(f"/p/AAAA{n:02}/")

    for page in (wrong, deleted, client.get("/p/AAAAAA/")):
        assert page.headers["Cache-Control"] == "private, no-cache"


def test_what_is_no_code_is_looked_up_nowhere(client, skip_section, django_assert_num_queries):
    request = RequestFactory().get("/p/")

    for typed in ("", skip_section.code[:-1], f"{skip_section.code}A"):
        assert access._section_of(typed) is None
    with django_assert_num_queries(0):
        access._section_of(skip_section.code[:-1])
    assert access.find_section(request, f" {skip_section.code.lower()}") == skip_section
    assert 'value="A?B"' in client.get("/p/A%00B/").content.decode()
