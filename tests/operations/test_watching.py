"""Whoever runs a server sees whether it lives, what it does and what fails; nobody's name is among it."""

import json
import logging
import sys

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.mail import send_mail
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import resolve
from django.utils import timezone
from prometheus_client import REGISTRY

from bridgebuddy import health
from bridgebuddy.clubs.management.commands import serve
from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.upkeep import Chore, done, last_done
from bridgebuddy.logs import JsonLines, without_people

pytestmark = pytest.mark.django_db


@pytest.fixture
def unknown(monkeypatch):
    """Nothing is known yet of the database."""
    monkeypatch.setattr(health, "_migrated", False)


def test_a_server_says_that_it_is_alive_without_a_query(
    client, django_assert_num_queries, settings
):
    settings.SECURE_SSL_REDIRECT = True
    with django_assert_num_queries(0):
        answer = client.get("/healthz", headers={"host": "10.1.2.3"})

    assert (answer.status_code, answer.content) == (200, b"alive\n")


@pytest.mark.usefixtures("unknown")
def test_a_server_that_has_everything_is_ready(client):
    answer = client.get("/readyz", headers={"host": "10.1.2.3"})

    assert answer.status_code == 200
    assert answer.json() == {
        "database": "ok",
        "migrations": "ok",
        "cache": "ok",
        "last backup": "never",
        "last tidy": "never",
    }


def test_when_it_was_last_backed_up_is_there_to_be_watched(client, settings):
    settings.METRICS_TOKEN = "t"
    done(Chore.BACKUP)
    at = last_done()[Chore.BACKUP]

    said = client.get("/readyz").json()
    client.get("/metrics", headers={"authorization": "Bearer t"})

    assert said["last backup"] == at.isoformat(timespec="seconds")
    name = "bridgebuddy_last_done_timestamp_seconds"
    assert (figure(name, what="backup"), figure(name, what="tidy")) == (at.timestamp(), 0)


@pytest.mark.usefixtures("unknown")
def test_a_server_whose_database_waits_for_migrations_is_not_ready(client):
    newest = MigrationLoader(connection).graph.leaf_nodes("clubs")[0]
    MigrationRecorder(connection).record_unapplied(*newest)

    answer = client.get("/readyz")

    assert answer.status_code == 503
    assert answer.json()["migrations"] == "not ok"


@pytest.mark.usefixtures("unknown")
def test_a_server_whose_database_a_newer_version_has_written_is_not_ready(client):
    MigrationRecorder(connection).record_applied("events", "9999_of_tomorrow")

    answer = client.get("/readyz")

    assert (answer.status_code, answer.json()["migrations"]) == (503, "not ok")


@pytest.fixture
def of_tomorrow(transactional_db):
    """What writes into the database as a newer version does; what was migrated is emptied after no test."""
    recorder = MigrationRecorder(connection)
    yield lambda: recorder.record_applied("events", "9999_of_tomorrow")
    recorder.record_unapplied("events", "9999_of_tomorrow")


def test_a_server_does_not_start_on_a_database_that_a_newer_version_has_written(
    monkeypatch, of_tomorrow
):
    started = []
    monkeypatch.setattr(serve, "serve", lambda *args, **options: started.append(1))
    call_command("serve")
    of_tomorrow()

    with pytest.raises(CommandError, match=r"A newer version .* has events\.9999_of_tomorrow"):
        call_command("serve")

    assert started == [1]


def test_asking_whether_a_server_is_ready_writes_nothing(client):
    client.get("/readyz")
    with CaptureQueriesContext(connection) as asked:
        client.get("/readyz")

    assert [one["sql"] for one in asked if not one["sql"].startswith("SELECT")] == []


def test_a_server_without_its_cache_is_not_ready_and_says_no_more(client, monkeypatch):
    def away(*args, **options):
        raise ConnectionError("redis.secret.example.org")

    monkeypatch.setattr(cache, "get", away)

    answer = client.get("/readyz")

    assert answer.status_code == 503
    assert "secret" not in answer.content.decode()


def test_figures_are_for_whoever_has_the_token(client, settings):
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"authorization": "Bearer "}).status_code == 404

    settings.METRICS_TOKEN = "a secret"

    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"authorization": "Bearer a secre"}).status_code == 404
    figures = client.get("/metrics", headers={"authorization": "Bearer a secret"}).content.decode()
    assert "bridgebuddy_requests_total" in figures
    assert "bridgebuddy_request_seconds_bucket" in figures


def test_polls_are_counted_by_whether_there_is_news(client, skip_section):
    address = f"/p/{skip_section.code}/"
    client.get(address)
    before = [figure("bridgebuddy_polls_total", news=news) for news in ("yes", "no")]

    client.get(address, {"v": skip_section.shown})
    client.get(address, {"v": skip_section.shown - 1})

    after = [figure("bridgebuddy_polls_total", news=news) for news in ("yes", "no")]
    assert [b - a for a, b in zip(before, after, strict=True)] == [1, 1]


def test_sections_that_are_played_are_counted(client, settings, skip_section):
    settings.METRICS_TOKEN = "t"

    def open_sections():
        client.get("/metrics", headers={"authorization": "Bearer t"})
        return figure("bridgebuddy_open_sections")

    assert open_sections() == 1
    skip_section.finished_at = timezone.now()
    skip_section.save()
    assert open_sections() == 0


def test_what_somebody_makes_up_is_no_figure_of_its_own(client):
    for method in ("BREW", "WHEN"):
        client.generic(method, "/p/")

    methods = {
        sample.labels["method"]
        for one in REGISTRY.collect()
        if one.name == "bridgebuddy_requests"
        for sample in one.samples
    }
    assert methods <= {"GET", "HEAD", "POST", "other"}


def test_mails_that_fail_are_counted(settings, monkeypatch):
    settings.EMAIL_BACKEND = "bridgebuddy.metrics.CountingBackend"
    settings.MAILS_GO_BY = "django.core.mail.backends.locmem.EmailBackend"
    before = figure("bridgebuddy_failed_mails_total")
    send_mail("Hello", "there", None, ["alice@example.org"])
    assert (len(mail.outbox), figure("bridgebuddy_failed_mails_total")) == (1, before)

    def away(*args):
        raise ConnectionRefusedError

    monkeypatch.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", away)
    with pytest.raises(ConnectionRefusedError):
        send_mail("Hello", "there", None, ["alice@example.org"])

    assert figure("bridgebuddy_failed_mails_total") == before + 1


def test_the_log_has_a_line_of_json_for_a_request_without_its_code():
    request = RequestFactory().get("/p/ABCDEF/", {"name": "Hanna Brandt"})
    request.resolver_match = resolve("/p/ABCDEF/")
    record = logging.LogRecord(
        "django.request", logging.WARNING, "", 1, "Not Found: %s", (request.path,), None
    )
    record.request, record.status_code = request, 404

    line = JsonLines().format(record)

    assert (
        json.loads(line).items()
        >= {"level": "WARNING", "method": "GET", "route": "/p/<str:code>/", "status": 404}.items()
    )
    assert "ABCDEF" not in line
    assert "Hanna" not in line


def test_the_log_tells_of_an_error_without_the_row_a_database_quotes(club):
    Person.objects.create(club=club, name="Hanna Brandt")
    try:
        raise IntegrityError("Key (name)=(Hanna Brandt) already exists.")
    except IntegrityError:
        record = logging.LogRecord("x", logging.ERROR, "", 1, "It failed", (), sys.exc_info())

    said = json.loads(JsonLines().format(record))

    assert (said["message"], said["exception"]) == ("It failed", "IntegrityError")
    assert any("test_the_log_tells_of_an_error" in place for place in said["from"])
    assert "Hanna" not in json.dumps(said)


def test_a_report_of_an_error_names_nobody():
    event = {
        "request": {"url": "http://x/p/ABCDEF/", "cookies": "sessionid=1"},
        "user": {"email": "alice@example.org"},
        "exception": {"values": [{"type": "IntegrityError", "value": "Hanna Brandt"}]},
        "level": "error",
    }

    assert without_people(event) == {
        "exception": {"values": [{"type": "IntegrityError"}]},
        "level": "error",
    }


def figure(name, **labels):
    return REGISTRY.get_sample_value(name, labels) or 0
