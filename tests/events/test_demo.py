"""The demo club."""

import re
from io import StringIO
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command

from bridgebuddy.clubs.models import Club, User
from bridgebuddy.events.management.commands import demo as command
from bridgebuddy.events.models import Section

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


def test_a_second_run_adds_nothing_but_a_new_password():
    first = demo()
    counts = Club.objects.count(), Section.objects.count(), User.objects.count()

    second = demo()

    assert (Club.objects.count(), Section.objects.count(), User.objects.count()) == counts
    assert first != second


def test_other_databases_are_left_alone_unless_forced(monkeypatch):
    monkeypatch.setattr(command, "connection", SimpleNamespace(vendor="postgresql"))

    with pytest.raises(CommandError):
        call_command("demo")

    assert not Club.objects.exists()
