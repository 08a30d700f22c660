"""A broken machine names its fault, and typed data is not lost."""

import errno
import html
import re
import sqlite3

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.db import InterfaceError, OperationalError
from django.test import Client
from django.urls import reverse

from bridgebuddy.clubs.models import Person
from bridgebuddy.director.roster import views as roster
from bridgebuddy.events.models import Section
from bridgebuddy.web import error_pages
from tests.director.reading import text

pytestmark = pytest.mark.django_db

AWAY = OperationalError("connection to server at 127.0.0.1 failed: Connection refused")
FULL = OperationalError("database or disk is full")


def raising(error):
    def broken(*args, **options):
        raise error

    return broken


@pytest.fixture
def browser(alice, signed_in):
    browser = signed_in(alice)
    browser.raise_request_exception = False
    return browser


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (AWAY, "The database does not answer"),
        (InterfaceError("connection already closed"), "The database does not answer"),
        (FULL, "The server’s disk is full"),
        (OSError(errno.ENOSPC, "No space left on device"), "The server’s disk is full"),
    ],
)
def test_the_reason_is_said_in_words(browser, club, monkeypatch, error, said):
    monkeypatch.setattr(roster.queries, "find_people", raising(error))

    answer = browser.get(reverse("players", args=[club.pk]))

    assert answer.status_code == 503
    assert said in text(answer)
    assert answer.headers["Retry-After"]
    assert "no-store" in answer.headers["Cache-Control"]


def test_a_mistake_of_the_program_is_none_of_the_machine(browser, club, monkeypatch):
    monkeypatch.setattr(roster.queries, "find_people", raising(ZeroDivisionError()))

    answer = browser.get(reverse("players", args=[club.pk]))

    assert answer.status_code == 500
    assert "Something went wrong on our side" in text(answer)


def test_what_was_sent_is_sent_again_by_one_press(browser, club, monkeypatch):
    address = reverse("new-player", args=[club.pk])
    with monkeypatch.context() as broken:
        broken.setattr(Person, "save", raising(FULL))
        page = browser.post(address, {"name": "Zoë “Zo” O’Neill", "strength": "7"}).content.decode()

    assert f'action="{address}"' in page
    kept = re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', page)
    browser.post(address, {name: html.unescape(value) for name, value in kept})

    assert Person.objects.get().name == "Zoë “Zo” O’Neill"


def test_a_password_is_written_on_no_page(browser, monkeypatch):
    monkeypatch.setattr("allauth.account.forms.LoginForm.clean", raising(AWAY))

    said = {"login": "alice@example.org", "password": "right horse"}
    stranger = Client(raise_request_exception=False)
    page = stranger.post(reverse("account_login"), said)

    assert page.status_code == 503
    assert "horse" not in page.content.decode()


def test_it_is_said_where_not_even_who_asks_can_be_read(browser, monkeypatch):
    monkeypatch.setattr(SessionStore, "load", raising(AWAY))

    assert browser.get("/").status_code == 503


def test_a_phone_is_told_too_in_its_language(monkeypatch):
    monkeypatch.setattr(Section.objects.__class__, "get_queryset", raising(AWAY))
    monkeypatch.setattr("bridgebuddy.players.access.section_by_code", raising(AWAY))
    phone = Client(raise_request_exception=False, headers={"accept-language": "de"})

    answer = phone.get("/p/AAAAAA/")

    assert answer.status_code == 503
    assert "Die Datenbank antwortet nicht" in text(answer)


def test_the_reason_is_found_behind_what_it_caused():
    try:
        try:
            raise sqlite3.OperationalError("disk I/O error")
        except sqlite3.OperationalError as first:
            raise OperationalError("database or disk is full") from first
    except OperationalError:
        try:
            raise RuntimeError("the page could not be written")
        except RuntimeError as last:
            found = error_pages.failure_reason(last)

    assert found == error_pages.DISK
