"""Jobs: asked for once, done by one, tried again, given up, and told."""

import os
import signal
import time
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone

from bridgebuddy.jobs import kinds, services
from bridgebuddy.jobs.kinds import Kind, Later
from bridgebuddy.jobs.models import Job
from bridgebuddy.jobs.services import ask, do_one

from ..security.servers import bridgebuddy, children
from ..security.test_stopping import wait_until

pytestmark = pytest.mark.django_db


@pytest.fixture
def done(monkeypatch):
    """The keys of the jobs of a kind that were done."""
    found: list[str] = []
    monkeypatch.setitem(kinds.KINDS, "note", Kind(found.append, tries=3, seconds=30))
    return found


@pytest.fixture
def broken(monkeypatch):
    def fail(key):
        raise ValueError("no")

    monkeypatch.setitem(kinds.KINDS, "broken", Kind(fail, tries=3, seconds=30))


def make_due():
    Job.objects.update(due_at=timezone.now())


def test_what_is_asked_for_twice_is_done_once(done):
    for key in (7, 7, 8):
        ask("note", key)

    while do_one():
        pass

    assert (done, Job.objects.count()) == (["7", "8"], 0)


def test_what_was_taken_back_is_never_done(done):
    with transaction.atomic():
        ask("note", 7)
        transaction.set_rollback(True)

    assert (do_one(), done) == (False, [])


def test_what_is_asked_for_while_it_is_done_is_done_again(monkeypatch):
    times = []

    def once_more(key):
        times.append(key)
        if len(times) == 1:
            ask("again", key)

    monkeypatch.setitem(kinds.KINDS, "again", Kind(once_more, tries=1, seconds=30))
    ask("again", 1)

    while do_one():
        pass

    assert (times, Job.objects.count()) == (["1", "1"], 0)


def test_what_fails_waits_longer_each_time_and_is_given_up(broken, caplog):
    ask("broken", 1)

    waits = []
    while do_one():
        job = Job.objects.get()
        waits.append(round((job.due_at - timezone.now()).total_seconds() / 60))
        make_due()

    assert waits == [1, 5, 25]
    assert job.given_up_at is not None
    assert job.trouble == "ValueError: no"
    assert services.counts() == {("broken", "waiting"): 0, ("broken", "given up"): 1}
    assert "given up" in caplog.text


def test_what_was_given_up_is_tried_anew_where_it_is_asked_for_again(broken):
    ask("broken", 1)
    Job.objects.update(given_up_at=timezone.now(), tries=3)

    ask("broken", 1)

    assert do_one() is True
    assert Job.objects.get().tries == 1


def test_later_is_no_try(monkeypatch):
    def not_now(key):
        raise Later(timedelta(seconds=40))

    monkeypatch.setitem(kinds.KINDS, "patient", Kind(not_now, tries=1, seconds=30))
    ask("patient")

    for _ in range(5):
        assert do_one() is True
        make_due()

    assert Job.objects.values_list("tries", "given_up_at").get() == (0, None)


def test_nobody_takes_what_somebody_has_and_everybody_what_was_left(done):
    ask("note", 7)
    Job.objects.update(taken_until=timezone.now() + timedelta(minutes=1), tries=1)
    assert do_one() is False

    Job.objects.update(taken_until=timezone.now() - timedelta(minutes=1))

    assert (do_one(), done) == (True, ["7"])


def test_what_kills_whoever_does_it_is_given_up(done):
    ask("note", 7)
    Job.objects.update(taken_until=timezone.now() - timedelta(minutes=1), tries=3)

    assert do_one() is True
    assert (done, Job.objects.get().given_up_at is None) == ([], False)


def test_what_takes_too_long_is_broken_off(monkeypatch):
    monkeypatch.setitem(kinds.KINDS, "slow", Kind(lambda key: time.sleep(60), tries=1, seconds=1))
    ask("slow")

    do_one()

    assert Job.objects.get().trouble == "TooLong: longer than 1 seconds"


def test_a_kind_that_nobody_knows_waits():
    ask("of another version")

    assert do_one() is False
    assert Job.objects.count() == 1


def test_the_command_does_what_is_due_and_ends(done):
    ask("note", 7)
    ask("note", 8, wait=timedelta(hours=1))

    call_command("work", "--once")

    assert done == ["7"]


def test_what_was_given_up_long_ago_is_forgotten(broken):
    ask("broken", 1)
    ask("broken", 2)
    long_ago = timezone.now() - timedelta(days=services.DAYS_KEPT + 1)
    Job.objects.filter(key="1").update(given_up_at=long_ago)

    assert services.forget_given_up() == 1
    assert Job.objects.get().key == "2"


def test_a_server_has_one_process_more_for_jobs_and_starts_it_again(tmp_path):
    with bridgebuddy(tmp_path, with_jobs=True, WEB_PROCESSES="2") as server:
        wait_until(lambda: len(children(server)) == 3)
        worker = next(one for one in children(server) if os.getpriority(os.PRIO_PROCESS, one) == 19)

        os.kill(worker, signal.SIGKILL)

        wait_until(lambda: len(children(server) - {worker}) == 3)
        assert server.ask("/healthz")[:12] == b"HTTP/1.1 200"
