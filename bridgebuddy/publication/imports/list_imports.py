"""The import of a list of members: numbers, e-mail addresses and new people, which can be undone for a day.

What the list changed is stored by person, so that the undo leaves later changes alone. No e-mail address is stored
twice: the undo knows only which row was new. It deletes an address only if its owner has not confirmed it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, QuerySet
from django.db.models.signals import post_save
from django.utils import timezone

from bridgebuddy.audit.services import add_record
from bridgebuddy.clubs.models import Club, Person, User, searchable
from bridgebuddy.events.numbers_list import EMAIL
from bridgebuddy.events.services import roster
from bridgebuddy.jobs.kinds import job_kind

from ..mails.mailing import store_unconfirmed
from ..models import ListImport, ListImportPerson, ResultsSubscription
from .importing import delete_unused_people

#: how long an import can be undone; afterwards its rows are deleted
UNDO = timedelta(days=1)


@dataclass(frozen=True)
class RevertedList:
    """The result of undoing the import of a member list: how many people were reset, and how many had changed since."""

    people: int
    changed_since: int


@transaction.atomic
def import_details(
    club: Club,
    details: Mapping[int, Mapping[str, str]],
    new_people: Mapping[str, Mapping[str, str]] | None = None,
    *,
    asks: bool = False,
    by: User,
) -> int:
    """Store details of people on the roster (by primary key) and of new people (by name); return how many people.

    A detail is a field of the roster or the e-mail address. An address that exists stays. `asks` sends a mail to each
    new address, which asks its owner to confirm it.
    """
    values, new = {key: dict(fields) for key, fields in details.items()}, set()
    for name, fields in (new_people or {}).items():
        person, is_new = Person.objects.get_or_create(
            club=club, search=searchable(name), defaults={"name": name}
        )
        values[person.pk] = dict(fields)
        if is_new:
            new.add(person.pk)
    locked = club.known_people.select_for_update().filter(pk__in=values).order_by("pk")
    before = {person.pk: _importable_values(person) for person in locked}
    roster.store_people_numbers(club, values, by=by)
    rows = []
    for person in club.known_people.filter(pk__in=before).order_by("pk"):
        changes = {
            field: [before[person.pk][field], value]
            for field, value in _importable_values(person).items()
            if value != before[person.pk][field]
        }
        email = values[person.pk].get(EMAIL)
        address = store_unconfirmed(person, email, asks=asks) if email else None
        is_new = person.pk in new
        if changes or address or is_new:
            rows.append(
                ListImportPerson(person=person, is_new=is_new, changes=changes, address=address)
            )
    if rows:
        stored = ListImport.objects.create(club=club, by=by)
        for row in rows:
            row.list_import = stored
        ListImportPerson.objects.bulk_create(rows)
    return len(values)


def _importable_values(person: Person) -> dict[str, str]:
    """Return the values of a person's fields that an import of a member list may change, to compare them."""
    return {field: getattr(person, field) for field in roster.NOTED}


def import_new_details(
    club: Club, numbers: Mapping[str, str], emails: Mapping[str, str], *, by: User
) -> int:
    """Store federation numbers and e-mail addresses from a pasted list of entries, by name.

    Returns the number of people. A person's number and address stay, and a number of another person is not stored
    twice.
    """
    details: dict[int, dict[str, str]] = {
        key: dict(fields) for key, fields in roster.new_numbers(club, numbers).items()
    }
    addresses = {searchable(name): email for name, email in emails.items()}
    has_address = Exists(ResultsSubscription.objects.filter(person=OuterRef("pk")))
    people = club.known_people.filter(search__in=addresses).exclude(has_address)
    for person in people:
        details.setdefault(person.pk, {})[EMAIL] = addresses[person.search]
    return import_details(club, details, by=by) if details else 0


def recent_list_imports(club: Club) -> QuerySet[ListImport]:
    """Return the imports of member lists that can be undone, newest first, with their number of people."""
    recent = ListImport.objects.filter(club=club, at__gt=timezone.now() - UNDO)
    counted = recent.select_related("by").annotate(count=Count("people"))
    return counted.filter(count__gt=0).order_by("-pk")


@transaction.atomic
def revert_list_import(club: Club, key: int, *, by: User) -> RevertedList | None:
    """Undo an import of a member list; return None if it was undone before or is more than a day old.

    A detail that was changed since stays, and so do a confirmed address and a new person with other data.
    """
    stored = (
        ListImport.objects.select_for_update()
        .filter(club=club, pk=key, at__gt=timezone.now() - UNDO)
        .first()
    )
    if stored is None:
        return None
    rows = list(stored.people.all())
    locked = club.known_people.select_for_update().filter(pk__in=[row.person_id for row in rows])
    people = {person.pk: person for person in locked.order_by("pk")}
    values: dict[int, dict[str, str]] = {}
    changed_since = 0
    for row in rows:
        person = people.get(row.person_id)
        if person is None:
            continue
        kept = {
            field: before
            for field, (before, after) in row.changes.items()
            if getattr(person, field) == after
        }
        values[person.pk] = kept
        addresses = ResultsSubscription.objects.filter(pk__in=[row.address_id])
        addresses.filter(confirmed_at=None, next_confirmed_at=None).delete()
        changed_since += len(kept) < len(row.changes) or addresses.exists()
    roster.store_people_numbers(club, values, by=by)
    new = [row.person_id for row in rows if row.is_new]
    stored.delete()
    delete_unused_people(Person.objects.filter(club=club, pk__in=new))
    add_record("club.numbers_undone", club, by=by, count=len(values))
    return RevertedList(len(values), changed_since)


@job_kind("forget-lists", nightly=True)
def delete_old_imports(_key: str = "") -> None:
    """Background job: delete the data for undoing imports of member lists after a day."""
    ListImport.objects.filter(at__lte=timezone.now() - UNDO).delete()


def connect_signals() -> None:
    """Connect the handler that deletes what imports store of a person whose name is deleted."""
    post_save.connect(_forget_person, sender=Person, dispatch_uid="list imports")


def _forget_person(instance: Person, **_sent: object) -> None:
    """Delete what imports of lists store of a person who becomes anonymous."""
    if instance.anonymous_since is not None:
        ListImportPerson.objects.filter(person=instance).delete()
