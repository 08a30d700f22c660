"""Update session plans when a person is merged or deleted."""

from __future__ import annotations

from django.db.models.signals import post_save

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.services.roster import MERGING

from .models import SeriesHost, SessionPlan


def connect_signals() -> None:
    """Connect the handlers for merged and removed people of the roster. Called once, at start-up."""
    MERGING.append(_move_host)
    post_save.connect(_remove_host, sender=Person)


def _move_host(kept: Person, removed: Person) -> None:
    """Make the person `kept` host of sessions and series in place of the merged person `removed`."""
    SessionPlan.objects.filter(host=removed).update(host=kept)
    turns = SeriesHost.objects.filter(person=removed)
    turns.exclude(series__hosts__person=kept).update(person=kept)


def _remove_host(sender: type[Person], instance: Person, **_: object) -> None:
    """Remove a deleted person as host of sessions and series."""
    if instance.anonymous_since is not None:
        SessionPlan.objects.filter(host=instance.pk).update(host=None)
        SeriesHost.objects.filter(person=instance.pk).delete()
