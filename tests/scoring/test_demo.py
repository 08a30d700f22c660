"""The demo club."""

import re
from io import StringIO
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from bridgebuddy.clubs.models import Club, User
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.forgetting import delete_club
from bridgebuddy.scoring.management.commands import demo as command
from bridgebuddy.scoring.models import Scoring

pytestmark = pytest.mark.django_db


def demo(**options):
    out = StringIO()
    call_command("demo", stdout=out, force=True, **options)
    return out.getvalue()


def test_the_password_that_is_printed_opens_the_desk(client):
    printed = demo(port=8123)

    password = re.search(r"password\s+(\S+)", printed)[1]
    assert client.login(email="director@example.org", password=password)
    assert "http://localhost:8123/" in printed
    running = Section.objects.get(round=4)
    assert client.get(f"/s/{running.code}/desk/").status_code == 200


def test_last_weeks_list_is_complete_and_can_be_read_by_everybody(client):
    demo()

    page = client.get(f"/r/{Scoring.objects.get().token}/")

    assert page.status_code == 200
    assert "Hanna Brandt" in page.content.decode()
    assert "provisional" not in page.content.decode().lower()


def test_a_second_run_changes_nothing(client):
    password = re.search(r"password\s+(\S+)", demo())[1]
    club = Club.objects.get()
    club.name = "Our own name"
    club.save()
    counts = Club.objects.count(), Section.objects.count(), User.objects.count()

    printed = demo()

    assert (Club.objects.count(), Section.objects.count(), User.objects.count()) == counts
    assert client.login(email="director@example.org", password=password)
    assert "as it was" in printed


def test_a_password_that_is_lost_is_replaced_by_another(client):
    demo()

    printed = demo(new_password=True)

    password = re.search(r"password\s+(\S+)", printed)[1]
    assert client.login(email="director@example.org", password=password)


def test_a_demo_club_that_was_deleted_does_not_come_back():
    demo()
    Section.objects.update(finished_at=timezone.now())
    delete_club(Club.objects.get(), name="Lindenhof Bridge Club")

    demo()

    assert not Club.objects.exists()


def test_who_has_an_account_already_gets_no_demo(carol, monkeypatch):
    monkeypatch.setattr(command, "connection", SimpleNamespace(vendor="sqlite"))

    call_command("demo", stdout=StringIO())

    assert list(User.objects.all()) == [carol]


def test_other_databases_are_left_alone_unless_forced(monkeypatch):
    monkeypatch.setattr(command, "connection", SimpleNamespace(vendor="postgresql"))

    with pytest.raises(CommandError):
        call_command("demo")

    assert not Club.objects.exists()
