"""What is said of sessions follows the roster: who is merged, or forgotten."""

from __future__ import annotations

from django.db.models.signals import post_save

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.services.roster import MERGING

from .entering import let_go, merge_answers
from .models import Planned
from .unwanted import let_be_asked, merge_unwanted


def listen() -> None:
    """Hear of everybody who is merged or forgotten. Call it once, when the program starts."""
    MERGING.append(_take_along)
    post_save.connect(_forget, sender=Person)


def _take_along(stays: Person, goes: Person) -> None:
    Planned.objects.filter(host=goes).update(host=stays)
    merge_answers(stays, goes)
    merge_unwanted(stays, goes)


def _forget(sender: type[Person], instance: Person, **_: object) -> None:
    if instance.anonymous_since is not None:
        Planned.objects.filter(host=instance.pk).update(host=None)
        let_go(instance)
        let_be_asked(instance)
