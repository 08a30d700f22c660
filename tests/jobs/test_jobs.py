"""Jobs: asked for once, done by one, tried again, given up, and told."""

import os
import re
import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from unittest.mock import Mock

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, transaction
from django.utils import timezone

from bridgebuddy.jobs import kinds, services, worker
from bridgebuddy.jobs.kinds import JobKind, RetryLater
from bridgebuddy.jobs.models import Job
from bridgebuddy.jobs.services import request_job, run_next_job

from ..security.servers import bridgebuddy, children
from ..security.test_stopping import wait_until

pytestmark = pytest.mark.django_db


@pytest.fixture
def done(monkeypatch):
    """The keys of the jobs of a kind that were done."""
    found: list[str] = []
    monkeypatch.setitem(kinds.KINDS, "note", JobKind(found.append, tries=3, seconds=30))
    return found


@pytest.fixture
def broken(monkeypatch):
    def fail(key):
        raise ValueError("no")

    monkeypatch.setitem(kinds.KINDS, "broken", JobKind(fail, tries=3, seconds=30))


def make_due():
    Job.objects.update(due_at=timezone.now())


def test_what_is_asked_for_twice_is_done_once(done):
    for key in (7, 7, 8):
        request_job("note", key)

    while run_next_job():
        pass

    assert (done, Job.objects.count()) == (["7", "8"], 0)


def test_what_was_taken_back_is_never_done(done):
    with transaction.atomic():
        request_job("note", 7)
        transaction.set_rollback(True)

    assert (run_next_job(), done) == (False, [])


def test_what_is_asked_for_while_it_is_done_is_done_again(monkeypatch):
    times = []

    def once_more(key):
        times.append(key)
        if len(times) == 1:
            request_job("again", key)

    monkeypatch.setitem(kinds.KINDS, "again", JobKind(once_more, tries=1, seconds=30))
    request_job("again", 1)

    while run_next_job():
        pass

    assert (times, Job.objects.count()) == (["1", "1"], 0)


def test_what_fails_waits_longer_each_time_and_is_given_up(broken, caplog):
    request_job("broken", 1)

    waits = []
    while run_next_job():
        job = Job.objects.get()
        waits.append(round((job.due_at - timezone.now()).total_seconds() / 60))
        make_due()

    assert waits == [1, 5, 25]
    assert job.given_up_at is not None
    assert re.fullmatch(
        r"ValueError at test_jobs.py:\d+", job.trouble
    )  # its text may name a person
    assert services.job_counts() == {("broken", "waiting"): 0, ("broken", "given up"): 1}
    assert "given up" in caplog.text


def test_what_failed_and_is_tried_again_waits(broken):
    request_job("broken", 1)

    run_next_job()

    assert services.job_counts() == {("broken", "waiting"): 1, ("broken", "given up"): 0}


def test_what_was_given_up_is_tried_anew_where_it_is_asked_for_again(broken):
    request_job("broken", 1)
    Job.objects.update(given_up_at=timezone.now(), tries=3)

    request_job("broken", 1)

    assert run_next_job() is True
    assert Job.objects.get().tries == 1


def test_later_is_no_try(monkeypatch):
    def not_now(key):
        raise RetryLater(timedelta(seconds=40))

    monkeypatch.setitem(kinds.KINDS, "patient", JobKind(not_now, tries=1, seconds=30))
    request_job("patient")

    for _ in range(5):
        assert run_next_job() is True
        make_due()

    assert Job.objects.values_list("tries", "given_up_at").get() == (0, None)


def test_nobody_takes_what_somebody_has_and_everybody_what_was_left(done):
    request_job("note", 7)
    Job.objects.update(taken_until=timezone.now() + timedelta(minutes=1), tries=1)
    assert run_next_job() is False

    Job.objects.update(taken_until=timezone.now() - timedelta(minutes=1))

    assert (run_next_job(), done) == (True, ["7"])


def test_a_job_is_due_at_the_very_moment_that_was_said(done, monkeypatch):
    request_job("note", 7)
    due = Job.objects.get().due_at

    monkeypatch.setattr(services, "timezone", Mock(now=lambda: due - timedelta.resolution))
    assert run_next_job() is False
    monkeypatch.setattr(services, "timezone", Mock(now=lambda: due))
    assert (run_next_job(), done) == (True, ["7"])


def test_of_two_workers_that_read_a_job_one_has_it(done, monkeypatch):
    request_job("note", 7)

    class TakenMeanwhile(JobKind):
        @property
        def limit(self):
            Job.objects.update(taken_until=timezone.now() + timedelta(minutes=1))
            return super().limit

    monkeypatch.setitem(kinds.KINDS, "note", TakenMeanwhile(done.append, tries=3, seconds=30))

    assert (run_next_job(), done) == (False, [])


def test_a_missing_worker_is_told_after_more_than_ten_minutes(done, monkeypatch):
    request_job("note", 7)
    since = Job.objects.get().due_at
    ten = since + services.WAITS_TOO_LONG

    monkeypatch.setattr(services, "timezone", Mock(now=lambda: ten))
    assert services.overdue_jobs_since() is None
    monkeypatch.setattr(services, "timezone", Mock(now=lambda: ten + timedelta.resolution))
    assert services.overdue_jobs_since() == since


def test_what_kills_whoever_does_it_is_given_up(done):
    request_job("note", 7)
    Job.objects.update(taken_until=timezone.now() - timedelta(minutes=1), tries=3)

    assert run_next_job() is True
    assert (done, Job.objects.get().given_up_at is None) == ([], False)


def test_what_takes_too_long_is_broken_off(monkeypatch):
    monkeypatch.setitem(
        kinds.KINDS, "slow", JobKind(lambda key: time.sleep(60), tries=1, seconds=1)
    )
    request_job("slow")

    run_next_job()

    assert Job.objects.get().trouble.startswith("TooLong at ")


def test_a_kind_that_nobody_knows_waits():
    request_job("of another version")

    assert run_next_job() is False
    assert Job.objects.count() == 1


def test_the_command_does_what_is_due_and_ends(done):
    request_job("note", 7)
    request_job("note", 8, wait=timedelta(hours=1))

    call_command("work", "--once")

    assert done == ["7"]


def test_what_was_given_up_long_ago_is_forgotten(broken):
    request_job("broken", 1)
    request_job("broken", 2)
    long_ago = timezone.now() - timedelta(days=services.DAYS_KEPT + 1)
    Job.objects.filter(key="1").update(given_up_at=long_ago)

    assert services.delete_old_failed_jobs() == 1
    assert Job.objects.get().key == "2"


def test_a_job_that_may_wait_is_due_later_and_asked_for_again_it_is_as_new(broken):
    request_job("broken", 1, wait=timedelta(minutes=2))
    job = Job.objects.get()
    assert timedelta(minutes=1) < job.due_at - timezone.now() <= timedelta(minutes=2)
    assert run_next_job() is False
    make_due()
    assert run_next_job() is True

    request_job("broken", 1)

    job.refresh_from_db()
    assert (job.asked, job.tries, job.given_up_at, job.trouble) == (2, 0, None, "")
    assert job.due_at <= timezone.now()


def test_who_takes_a_job_has_a_minute_more_than_its_kind_may_take(monkeypatch):
    has = []
    kind = JobKind(lambda key: has.append(Job.objects.get().taken_until), tries=1, seconds=30)
    monkeypatch.setitem(kinds.KINDS, "note", kind)
    request_job("note")
    before = timezone.now()

    run_next_job()

    assert before + timedelta(seconds=90) <= has[0] <= timezone.now() + timedelta(seconds=90)


def test_what_comes_to_be_done_again_begins_to_count_its_tries_anew(monkeypatch):
    def once_more(key):
        request_job("again", key, wait=timedelta(hours=1))
        Job.objects.update(tries=2)

    monkeypatch.setitem(kinds.KINDS, "again", JobKind(once_more, tries=5, seconds=30))
    request_job("again", 1)

    run_next_job()

    assert Job.objects.values_list("tries", "taken_until").get() == (0, None)


def test_a_kind_is_known_with_what_was_said_of_it(monkeypatch):
    monkeypatch.setattr(kinds, "KINDS", {})

    assert kinds.job_kind("one")(print) is print
    kinds.job_kind("other", tries=2, seconds=3, nightly=True)(print)

    assert {"one": JobKind(print, 5, 60, False), "other": JobKind(print, 2, 3, True)} == kinds.KINDS
    assert RetryLater(timedelta(seconds=4)).wait == timedelta(seconds=4)


def test_a_worker_which_reads_no_pages_knows_every_kind_of_job():
    """Apps import modules with kinds in `ready`; here the pages of other tests have done it too."""
    root = Path(settings.BASE_DIR)
    modules = [
        ".".join(path.relative_to(root).with_suffix("").parts)
        for path in (root / "bridgebuddy").rglob("*.py")
        if re.search(r"^@job_kind\(", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    program = (
        "import django, sys; django.setup(); print(*sorted(set(sys.argv[1:]) - set(sys.modules)))"
    )

    unknown = subprocess.check_output(
        [sys.executable, "-c", program, *modules], cwd=root, text=True
    )

    assert (len(modules) > 10, unknown.split()) == (True, [])


def test_every_night_what_is_nightly_is_asked_for(monkeypatch):
    known = {"often": JobKind(print, 1, 1), "nightly": JobKind(print, 1, 1, nightly=True)}
    monkeypatch.setattr(services, "KINDS", known)

    services.request_nightly_jobs()

    assert services.job_counts() == {("nightly", "waiting"): 1, ("nightly", "given up"): 0}


def test_a_worker_waits_where_there_is_nothing_to_do_and_where_the_database_is_away(monkeypatch):
    finds = iter([True, False, DatabaseError(), True])
    waits, ticks = [], iter([True] * 4)

    def one():
        found = next(finds)
        if isinstance(found, Exception):
            raise found
        return found

    monkeypatch.setattr(services, "run_next_job", one)
    monkeypatch.setattr(services, "close_old_connections", lambda: None)

    services.run_worker(lambda: next(ticks, False), waits.append)

    assert (waits, next(finds, None)) == ([services.SECONDS_BETWEEN] * 2, None)


def test_who_works_beside_a_server_gives_way_and_ends_with_it_or_when_told(monkeypatch):
    handlers, nice, parents = {}, [], {7}
    monkeypatch.setattr(worker.signal, "signal", handlers.__setitem__)
    monkeypatch.setattr(worker.os, "nice", nice.append)
    monkeypatch.setattr(worker, "has_parent", parents.__contains__)
    goes_on = []
    monkeypatch.setattr(worker, "run_worker", lambda *asked: goes_on.append(asked))

    worker.run_worker_process(7)

    [(goes, wait)] = goes_on
    assert nice == [19]
    assert (goes(), wait(0)) == (True, False)
    parents.clear()
    assert goes() is False
    parents.add(7)
    for number in (signal.SIGTERM, signal.SIGINT):
        worker.run_worker_process(7)
        handlers.pop(number)(number, None)
        goes, wait = goes_on[-1]
        assert (goes(), wait(0)) == (False, True)


def test_in_the_only_process_jobs_are_done_in_a_thread_that_ends_with_it(monkeypatch):
    asked = []
    monkeypatch.setattr(worker.threading, "Thread", lambda **how: asked.append(how) or Mock())

    worker.start_worker_thread()

    [how] = asked
    goes_on, wait = how.pop("args")
    assert how == {"target": worker.run_worker, "daemon": True, "name": "jobs"}
    assert (goes_on(), wait) == (True, time.sleep)


def is_worker(process):
    return os.getpriority(os.PRIO_PROCESS, process) == 19


def test_a_server_has_one_process_more_for_jobs_and_starts_it_again(tmp_path):
    with bridgebuddy(tmp_path, with_jobs=True, WEB_PROCESSES="2") as server:
        wait_until(lambda: len(children(server)) == 3)
        wait_until(lambda: any(map(is_worker, children(server))))  # it gives way after its start
        worker = next(filter(is_worker, children(server)))

        os.kill(worker, signal.SIGKILL)

        wait_until(lambda: len(children(server) - {worker}) == 3)
        assert server.ask("/healthz")[:12] == b"HTTP/1.1 200"
