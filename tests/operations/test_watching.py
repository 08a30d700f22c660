"""Monitoring: an operator sees health, activity and failures of a server, and no people's names."""

import json
import logging
import sys
from datetime import timedelta
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.mail import send_mail
from django.core.management import CommandError, call_command
from django.db import IntegrityError, OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import resolve
from django.utils import timezone
from prometheus_client import REGISTRY

from bridgebuddy.clubs.management.commands import serve
from bridgebuddy.clubs.models import Person, Upkeep
from bridgebuddy.clubs.upkeep import Chore, last_task_runs, store_task_run
from bridgebuddy.jobs.models import Job
from bridgebuddy.jobs.services import request_job
from bridgebuddy.monitoring import health_checks
from bridgebuddy.monitoring.health_checks import FULL, NEARLY_FULL, FindingLevel, HealthFinding
from bridgebuddy.operations.logs import JsonLines, PlainLines, remove_personal_data
from tests.events.single_migrations import newest_migration

pytestmark = pytest.mark.django_db


SQLITE = connection.vendor == "sqlite"


@pytest.fixture
def unknown(monkeypatch):
    """Forget that the database has been checked for migrations."""
    monkeypatch.setattr(health_checks, "_migrated", False)


@pytest.fixture
def machine(monkeypatch):
    """Return a machine with free disk space and a repaired SQLite; `free` changes the space."""
    found = SimpleNamespace(free=10**12)
    monkeypatch.setattr(health_checks.shutil, "disk_usage", lambda folder: found)
    monkeypatch.setattr(health_checks.sqlite3, "sqlite_version_info", (3, 51, 3))
    return found


def ready(client):
    """The status and the words of `/readyz`."""
    answer = client.get("/readyz", headers={"host": "10.1.2.3"})
    return answer.status_code, answer.json()


@pytest.mark.usefixtures("unknown")
def test_a_process_that_can_answer_says_so_whatever_its_name(client, settings):
    settings.SECURE_SSL_REDIRECT = True

    answer = client.get("/healthz", headers={"host": "10.1.2.3"})

    assert (answer.status_code, answer.content) == (200, b"ok\n")
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_proxy_that_asks_often_costs_one_query(client, django_assert_num_queries):
    client.get("/healthz")

    with django_assert_num_queries(1):
        client.get("/healthz")


@pytest.mark.usefixtures("machine")
def test_a_phone_is_told_that_the_server_is_there_without_query_or_cookie(
    client, django_assert_num_queries
):
    with django_assert_num_queries(0):
        answer = client.get("/ping")

    assert (answer.content, answer.cookies) == (b"BridgeBuddy\n", {})
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.usefixtures("unknown", "machine")
def test_a_server_with_which_all_is_well_says_so(client):
    checks = ("database", "migrations", "cache", "disk", "sqlite", "backup", "jobs", "integrity")
    checks += ("clock",)
    lasts = {"last backup": "never", "last tidy": "never"} | (
        {"last check": "never"} if SQLITE else {}
    )

    assert ready(client) == (200, {"status": "ok"} | dict.fromkeys(checks, "ok") | lasts)


def test_when_it_was_last_backed_up_is_there_to_be_watched(client, settings):
    settings.METRICS_TOKEN = "t"
    store_task_run(Chore.BACKUP)
    at = last_task_runs()[Chore.BACKUP]

    said = client.get("/readyz").json()
    client.get("/metrics", headers={"authorization": "Bearer t"})

    assert said["last backup"] == at.isoformat(timespec="seconds")
    name = "bridgebuddy_last_done_timestamp_seconds"
    assert (figure(name, what="backup"), figure(name, what="tidy")) == (at.timestamp(), 0)


def lacks_its_newest_migration():
    newest = newest_migration("clubs")
    MigrationRecorder(connection).record_unapplied(*newest)


def written_by_a_newer_version():
    MigrationRecorder(connection).record_applied("events", "9999_of_tomorrow")


@pytest.mark.usefixtures("unknown")
@pytest.mark.parametrize("happened", [lacks_its_newest_migration, written_by_a_newer_version])
def test_a_server_whose_database_is_of_another_version_cannot_answer(client, happened):
    happened()

    answer = client.get("/healthz")

    assert (answer.status_code, answer.content) == (503, b"not ok: migrations\n")
    status, said = ready(client)
    assert (status, said["status"], said["migrations"]) == (503, "broken", "not ok")


def test_a_server_whose_database_is_away_cannot_answer(client, monkeypatch):
    monkeypatch.setattr(
        health_checks, "_check_database", Mock(side_effect=OperationalError("secret"))
    )

    answer = client.get("/healthz")

    assert (answer.status_code, answer.content) == (503, b"not ok: database\n")
    status, said = ready(client)
    assert (status, said["database"], "jobs" in said) == (503, "not ok", False)
    assert "secret" not in str(said)


@pytest.mark.usefixtures("machine")
def test_a_cache_that_is_away_takes_no_server_out(client, monkeypatch):
    def away(*args, **options):
        raise ConnectionError("redis.secret.example.org")

    monkeypatch.setattr(cache, "get", away)

    status, said = ready(client)

    assert (status, said["status"], said["cache"]) == (200, "attention", "not ok")
    assert "secret" not in str(said)
    assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    ("free", "status", "word"),
    [(NEARLY_FULL, 200, "ok"), (NEARLY_FULL - 1, 200, "attention"), (FULL, 200, "attention")],
)
def test_a_disk_that_is_nearly_full_is_named(client, machine, free, status, word):
    machine.free = free

    answered, said = ready(client)

    assert (answered, said["status"]) == (status, word)
    assert said["disk"] == ("ok" if word == "ok" else f"nearly full: {free // 10**6} MB free")


def test_a_full_disk_is_broken_where_the_database_lies_on_it(client, machine):
    machine.free = FULL - 1

    status, said = ready(client)

    assert (status, said["status"]) == ((503, "broken") if SQLITE else (200, "attention"))
    assert said["disk"] == "full: 19 MB free"
    assert client.get("/healthz").status_code == 200  # what is there can be read


@pytest.mark.skipif(not SQLITE, reason="a version of SQLite")
def test_a_sqlite_with_a_known_bug_is_named(client, machine, monkeypatch):
    monkeypatch.setattr(health_checks.sqlite3, "sqlite_version_info", (3, 40, 1))
    monkeypatch.setattr(health_checks.sqlite3, "sqlite_version", "3.40.1")

    status, said = ready(client)

    assert (status, said["status"]) == (200, "attention")
    assert said["sqlite"] == "3.40.1 has a known bug, 3.51.3 has not"


@pytest.mark.parametrize("version", [(3, 44, 6), (3, 50, 7), (3, 51, 3)])
def test_a_repaired_sqlite_is_not_named(version):
    assert not health_checks.has_known_bug(version)
    assert health_checks.has_known_bug((*version[:2], version[2] - 1))


@pytest.mark.skipif(not SQLITE, reason="a database on a disk of this machine")
@pytest.mark.parametrize("is_full", ["var", "database"])
def test_the_fuller_one_of_two_disks_counts(
    client, machine, monkeypatch, settings, tmp_path, is_full
):
    settings.VAR_DIR = tmp_path
    full = {"var": tmp_path, "database": health_checks._database_file().parent}[is_full]
    room = {True: SimpleNamespace(free=NEARLY_FULL - 1), False: machine}
    monkeypatch.setattr(health_checks.shutil, "disk_usage", lambda folder: room[folder == full])

    assert ready(client)[1]["disk"] == "nearly full: 499 MB free"


@pytest.mark.usefixtures("machine")
def test_a_backup_that_is_too_old_is_named(client):
    store_task_run(Chore.BACKUP)
    assert ready(client)[1]["backup"] == "ok"
    Upkeep.objects.update(at=timezone.now() - timedelta(days=2, hours=1))

    status, said = ready(client)

    assert (status, said["status"], said["backup"]) == (200, "attention", "too old")


@pytest.mark.usefixtures("machine")
def test_jobs_that_wait_without_a_worker_are_named_with_the_time(client):
    request_job("forget-who-came")
    due = timezone.now() - timedelta(minutes=11)
    Job.objects.update(due_at=due)

    status, said = ready(client)

    assert (status, said["status"]) == (200, "attention")
    assert said["jobs"] == f"no worker: waiting since {due.isoformat(timespec='seconds')}"


@pytest.mark.skipif(not SQLITE, reason="PostgreSQL is not checked by night")
@pytest.mark.usefixtures("machine")
def test_a_damaged_database_is_named_until_it_is_whole_again(client):
    store_task_run(Chore.CHECK, "row 7 missing from index")
    status, said = ready(client)
    assert (status, said["integrity"]) == (503, "the database is damaged")
    assert client.get("/healthz").status_code == 200

    store_task_run(Chore.CHECK)

    assert ready(client)[1]["integrity"] == "ok"


@pytest.mark.usefixtures("machine")
def test_findings_are_figures_too(client, settings, monkeypatch):
    settings.METRICS_TOKEN = "t"
    broken = {"disk": HealthFinding(FindingLevel.BROKEN, "full"), "cache": HealthFinding()}
    monkeypatch.setattr("bridgebuddy.monitoring.metrics.all_findings", lambda: broken)

    client.get("/metrics", headers={"authorization": "Bearer t"})

    found = [figure("bridgebuddy_health", check=check) for check in broken]
    assert found == [2, 0]


@pytest.fixture
def of_tomorrow(transactional_db):
    """Write into the database as a newer version does; migrated rows are not emptied after a test."""
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


@pytest.fixture
def incomplete(transactional_db):
    """Remove the newest migration of clubs from the applied ones, and put it back."""
    recorder = MigrationRecorder(connection)
    newest = newest_migration("clubs")
    recorder.record_unapplied(*newest)
    yield ".".join(newest)
    recorder.record_applied(*newest)


def test_a_server_does_not_start_on_a_database_that_lacks_a_migration(monkeypatch, incomplete):
    started = []
    monkeypatch.setattr(serve, "serve", lambda *args, **options: started.append(1))

    for program, command in (("manage.py", "python manage.py"), ("bridgebuddy", "bridgebuddy")):
        monkeypatch.setattr(sys, "argv", [program, "serve"])
        with pytest.raises(CommandError) as refused:
            call_command("serve")
        assert str(refused.value) == (
            f"The database lacks what this version adds to it: {incomplete}."
            f" Run this, then start again: {command} migrate"
        )

    assert started == []


def test_asking_whether_a_server_is_ready_writes_nothing(client):
    client.get("/readyz")
    with CaptureQueriesContext(connection) as asked:
        client.get("/readyz")

    assert [row["sql"] for row in asked if not row["sql"].startswith("SELECT")] == []


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


@pytest.mark.parametrize(
    ("method", "query", "kind"),
    [("GET", "", "page"), ("GET", "?v=1", "poll"), ("POST", "?v=1", "page"), ("POST", "", "page")],
)
def test_times_are_those_of_polls_or_of_pages(client, method, query, kind):
    def counts():
        return {
            name: figure("bridgebuddy_request_seconds_count", kind=name)
            for name in ("page", "poll")
        }

    before = counts()
    client.generic(method, f"/p/{query}")

    assert counts() == before | {kind: before[kind] + 1}


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
        for row in REGISTRY.collect()
        if row.name == "bridgebuddy_requests"
        for sample in row.samples
    }
    assert methods <= {"GET", "HEAD", "POST", "other"}


def test_mails_that_fail_are_counted(settings, monkeypatch):
    settings.EMAIL_BACKEND = "bridgebuddy.monitoring.metrics.CountingBackend"
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


def test_mails_that_a_mail_server_leaves_out_are_counted(settings, monkeypatch):
    settings.EMAIL_BACKEND = "bridgebuddy.monitoring.metrics.CountingBackend"
    settings.MAILS_GO_BY = "django.core.mail.backends.locmem.EmailBackend"
    before = figure("bridgebuddy_failed_mails_total")
    monkeypatch.setattr(
        "django.core.mail.backends.locmem.EmailBackend.send_messages", lambda *args: 0
    )

    assert send_mail("Hello", "there", None, ["alice@example.org"]) == 0
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


def test_lines_to_read_hold_no_part_of_an_address():
    refused = "550 <ann.ash+club@mail.example.org>: no such mailbox"
    record = logging.LogRecord("x", logging.WARNING, "", 1, refused, (), None)

    assert PlainLines("%(message)s").format(record) == "550 <…@…>: no such mailbox"


def test_a_report_of_an_error_names_nobody():
    event = {
        "request": {"url": "http://x/p/ABCDEF/", "cookies": "sessionid=1"},
        "user": {"email": "alice@example.org"},
        "exception": {"values": [{"type": "IntegrityError", "value": "Hanna Brandt"}]},
        "level": "error",
    }

    assert remove_personal_data(event) == {
        "exception": {"values": [{"type": "IntegrityError"}]},
        "level": "error",
    }


def figure(name, **labels):
    return REGISTRY.get_sample_value(name, labels) or 0
