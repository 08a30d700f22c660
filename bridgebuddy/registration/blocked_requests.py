"""Questions that somebody does not want: another's are shown and mailed no more, and the club is told of them.

Whoever asks learns nothing of it. What is known of two people is one row, which goes when neither holds.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from bridgebuddy.audit.services import record
from bridgebuddy.clubs.models import Club, Person, User

from .models import NotAsked


def unwanted_by(person: Person) -> list[NotAsked]:
    """Return whose questions somebody does not read, or has told the club of. One query."""
    found = NotAsked.objects.filter(person=person).select_related("asks")
    return list(found.order_by("since", "pk"))


def told_of(club: Club) -> QuerySet[NotAsked]:
    """Return what a club was told of, and no director has seen to, the oldest first."""
    found = NotAsked.objects.filter(person__club=club, told_at__isnull=False)
    return found.select_related("person", "asks").order_by("told_at", "pk")


@transaction.atomic
def ask_no_more(person: Person, asks: Person) -> None:
    """Show and mail somebody no questions of another any more."""
    NotAsked.objects.update_or_create(
        person=person,
        asks=asks,
        defaults={"is_on": True},
        create_defaults={"is_on": True, "since": timezone.now()},
    )


@transaction.atomic
def ask_again(person: Person, asks: Person) -> None:
    """Take that back."""
    found = NotAsked.objects.filter(person=person, asks=asks)
    found.filter(told_at=None).delete()
    found.update(is_on=False)


@transaction.atomic
def tell_club(person: Person, asks: Person) -> None:
    """Tell a club's directors that another's questions are too much; what they are told already is told once."""
    now = timezone.now()
    found, _ = NotAsked.objects.select_for_update().get_or_create(
        person=person, asks=asks, defaults={"is_on": False, "since": now}
    )
    if found.told_at is None:
        NotAsked.objects.filter(pk=found.pk).update(told_at=now)
        record("club.asked_unwanted", person.club, by=None, name=person.name, asks=asks.name)


@transaction.atomic
def see_to(told: NotAsked, *, by: User) -> None:
    """Note that a director has seen to what the club was told; whose questions are not read stays as it was."""
    found = NotAsked.objects.filter(pk=told.pk)
    if found.exclude(told_at=None).update(told_at=None):
        club, names = told.person.club, {"name": told.person.name, "asks": told.asks.name}
        record("club.asked_seen_to", club, by=by, **names)
    found.filter(is_on=False).delete()


def let_be_asked(person: Person) -> None:
    """Know nothing more of somebody who is forgotten."""
    NotAsked.objects.filter(Q(person=person) | Q(asks=person)).delete()


def merge_unwanted(stays: Person, goes: Person) -> None:
    """Let hold of somebody what held of either of their two names."""
    for column, other in (("person", "asks"), ("asks", "person")):
        for not_asked in NotAsked.objects.filter(**{column: goes}):
            key = {column: stays.pk, other: getattr(not_asked, f"{other}_id")}
            same = NotAsked.objects.filter(**key).first()
            if same is None:
                NotAsked.objects.filter(pk=not_asked.pk).update(**{column: stays})
                continue
            same.is_on, same.told_at = (
                same.is_on or not_asked.is_on,
                same.told_at or not_asked.told_at,
            )
            same.since = min(same.since, not_asked.since)
            same.save()
            not_asked.delete()
    NotAsked.objects.filter(person=stays, asks=stays).delete()


def unwanted_as_table(person: Person) -> list[dict[str, Any]]:
    """Return it as it is handed out to somebody; not who does not want to be asked by them."""
    return [
        {
            "asks": unwanted.asks.name,
            "read": not unwanted.is_on,
            "since": unwanted.since,
            "told_at": unwanted.told_at,
        }
        for unwanted in unwanted_by(person)
    ]
