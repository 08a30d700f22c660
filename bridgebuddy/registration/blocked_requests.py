"""Blocked partner requests: they are neither shown nor mailed, and the club can be told.

The sender is not informed. Each two people have one row, which is deleted when neither flag holds.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from bridgebuddy.audit.services import add_record
from bridgebuddy.clubs.models import Club, Person, User

from .models import BlockedRequest


def blocked_requests_of(person: Person) -> list[BlockedRequest]:
    """Return the `BlockedRequest` rows of senders whom `person` has blocked or reported, oldest first.

    Makes one query.
    """
    blocked = BlockedRequest.objects.filter(person=person).select_related("asks")
    return list(blocked.order_by("since", "pk"))


def open_reports(club: Club) -> QuerySet[BlockedRequest]:
    """Return the reports of unwanted partner requests that no director of the club has closed, oldest first."""
    reports = BlockedRequest.objects.filter(person__club=club, told_at__isnull=False)
    return reports.select_related("person", "asks").order_by("told_at", "pk")


@transaction.atomic
def block_requests(person: Person, sender: Person) -> None:
    """Block the partner requests that `sender` sends to `person`."""
    BlockedRequest.objects.update_or_create(
        person=person,
        asks=sender,
        defaults={"is_on": True},
        create_defaults={"is_on": True, "since": timezone.now()},
    )


@transaction.atomic
def unblock_requests(person: Person, sender: Person) -> None:
    """Unblock the partner requests that `sender` sends to `person`."""
    blocked = BlockedRequest.objects.filter(person=person, asks=sender)
    blocked.filter(told_at=None).delete()
    blocked.update(is_on=False)


@transaction.atomic
def report_unwanted_requests(person: Person, sender: Person) -> None:
    """Report the partner requests of `sender` to the directors of the club, once."""
    now = timezone.now()
    row, _ = BlockedRequest.objects.select_for_update().get_or_create(
        person=person, asks=sender, defaults={"is_on": False, "since": now}
    )
    if row.told_at is None:
        BlockedRequest.objects.filter(pk=row.pk).update(told_at=now)
        add_record("club.asked_unwanted", person.club, by=None, name=person.name, asks=sender.name)


@transaction.atomic
def close_report(blocked_request: BlockedRequest, *, by: User) -> None:
    """Record that a director has dealt with a reported person; the block itself stays."""
    reports = BlockedRequest.objects.filter(pk=blocked_request.pk)
    if reports.exclude(told_at=None).update(told_at=None):
        club, names = (
            blocked_request.person.club,
            {"name": blocked_request.person.name, "asks": blocked_request.asks.name},
        )
        add_record("club.asked_seen_to", club, by=by, **names)
    reports.filter(is_on=False).delete()


def delete_blocks(person: Person) -> None:
    """Delete all blocks by and against a person who is removed from the roster."""
    BlockedRequest.objects.filter(Q(person=person) | Q(asks=person)).delete()


def merge_blocks(kept_person: Person, merged_person: Person) -> None:
    """Give the blocks of `merged_person` to `kept_person`."""
    for column, other in (("person", "asks"), ("asks", "person")):
        for row in BlockedRequest.objects.filter(**{column: merged_person}):
            key = {column: kept_person.pk, other: getattr(row, f"{other}_id")}
            same = BlockedRequest.objects.filter(**key).first()
            if same is None:
                BlockedRequest.objects.filter(pk=row.pk).update(**{column: kept_person})
                continue
            same.is_on, same.told_at = (
                same.is_on or row.is_on,
                same.told_at or row.told_at,
            )
            same.since = min(same.since, row.since)
            same.save()
            row.delete()
    BlockedRequest.objects.filter(person=kept_person, asks=kept_person).delete()


def exported_blocks(person: Person) -> list[dict[str, Any]]:
    """Return the people blocked by `person` for the export of personal data, without blocks against `person`."""
    return [
        {
            "asks": unwanted.asks.name,
            "read": not unwanted.is_on,
            "since": unwanted.since,
            "told_at": unwanted.told_at,
        }
        for unwanted in blocked_requests_of(person)
    ]
