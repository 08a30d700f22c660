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


def _move_host(kept_person: Person, merged_person: Person) -> None:
    """Make `kept_person` host of sessions and series in place of `merged_person`."""
    SessionPlan.objects.filter(host=merged_person).update(host=kept_person)
    turns = SeriesHost.objects.filter(person=merged_person)
    turns.exclude(series__hosts__person=kept_person).update(person=kept_person)


def _remove_host(sender: type[Person], instance: Person, **_: object) -> None:
    """Remove a deleted person as host of sessions and series."""
    if instance.anonymous_since is not None:
        SessionPlan.objects.filter(host=instance.pk).update(host=None)
        SeriesHost.objects.filter(person=instance.pk).delete()
