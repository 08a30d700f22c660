"""A Redis that is away, or into which another version of the program looks as well."""

import socketserver
import threading

import pytest
from django.core.cache import cache
from django.core.cache.backends.redis import RedisCache
from django.test import Client
from django.urls import reverse

from bridgebuddy import __version__
from bridgebuddy.operations import process_cache
from tests.factories import section_with

from .test_settings import start

#: nobody listens there
PLACE = {
    "LOCATION": "redis://127.0.0.1:1/0",
    "BACKEND": "bridgebuddy.operations.process_cache.TolerantCache",
}
OF_THEIR_PROCESSES = {**PLACE, "BACKEND": "django.core.cache.backends.redis.RedisCache"}


@pytest.fixture
def away(settings, monkeypatch):
    monkeypatch.setattr(process_cache, "_away_until", 0.0)
    settings.CACHES = {"default": PLACE, "sheets": PLACE, "shared": OF_THEIR_PROCESSES}


@pytest.fixture
def rubbish(settings, away):
    """Another program answers at the port of Redis."""

    class Answer(socketserver.BaseRequestHandler):
        def handle(self):
            while self.request.recv(4096):
                self.request.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Answer) as server:
        server.daemon_threads, server.block_on_close = True, False
        threading.Thread(target=server.serve_forever, daemon=True).start()
        place = {"LOCATION": f"redis://127.0.0.1:{server.server_address[1]}/0"}
        settings.CACHES = {name: told | place for name, told in settings.CACHES.items()}
        yield
        server.shutdown()


@pytest.mark.django_db
def test_where_another_program_answers_for_it_every_page_is_there(
    club, alice, signed_in, rubbish, caplog
):
    section = section_with(10, "mitchell", round=1, club=club, by=alice)

    answers = [
        signed_in(alice).get(reverse(name, args=[section.code])) for name in ("desk", "lookup")
    ]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert "What processes share is away" in caplog.text
    assert Client().get("/readyz").json()["cache"] == "not ok"


@pytest.mark.django_db
@pytest.mark.parametrize("round", [0, 1])
def test_where_it_is_away_every_page_is_there(club, alice, away, round):
    section = section_with(10, "mitchell", round=round, club=club, by=alice)
    browser = Client()
    browser.force_login(alice)
    pages = ["arrow-switches", "desk", "entries", "print", "lookup"]

    answers = {name: browser.get(reverse(name, args=[section.code])) for name in pages}
    paper = browser.get(reverse("print-pdf", args=[section.code, "guide-cards"]))

    assert {answer.status_code for answer in answers.values()} <= {200, 302}
    assert (paper.status_code, paper.content[:4]) == (200, b"%PDF")


def test_where_it_is_away_nothing_is_there_and_every_turn_is_free(away, monkeypatch):
    asked = []
    monkeypatch.setattr(RedisCache, "get", lambda *facts: asked.append(facts) or 1 / 0)

    assert (cache.get("key"), cache.get("key", "else"), cache.get_many(["key"])) == (
        None,
        "else",
        {},
    )
    assert cache.add("turn", True) is True
    assert (cache.set("key", 1), cache.delete("key"), cache.delete_many(["key"])) == (
        None,
        False,
        None,
    )
    assert len(asked) == 1  # then it is left alone for a while


@pytest.mark.parametrize("url", ["", "redis://127.0.0.1:1/0"])
def test_what_is_kept_is_of_one_version(tmp_path, url):
    said = "from bridgebuddy.settings import CACHES; print([one.get('KEY_PREFIX') for one in CACHES.values()])"

    prefixes = start(tmp_path, program=said, **({"CACHE_URL": url} if url else {})).stdout

    assert prefixes.startswith(f"['{__version__}', 'sheets{__version__}', ")
