"""Refreshing of section pages when people or clubs on them change, or the movement of a section that lends boards.

Clubs do not know sections, so sections listen to their signals. No decision depends on these changes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import Any

from django.db import connection, models, transaction
from django.db.models import Exists, F, Q, QuerySet
from django.db.models.signals import post_delete, post_save, pre_save

from bridgebuddy.clubs.models import Club, ClubLogo, Person
from bridgebuddy.events.models import EntryPerson, Section, SectionMovement
from movements.models import StoredMovement

from ..queries.sessions.lent_boards import FAMILY
from .codes import end_codes_as_wanted


def refresh_sections(sections: QuerySet[Section]) -> None:
    """Increase these sections' counters of visible changes, so that their open pages refresh.

    The caller may hold other sections' locks, so this waits for none: two such changes could wait for each other.
    Sections that another change holds follow as soon as this transaction has ended.
    """
    if not connection.features.has_select_for_update:
        sections.update(shown=F("shown") + 1)
        return
    keys = set(sections.order_by().values_list("pk", flat=True))
    with transaction.atomic():
        free = Section.objects.select_for_update(skip_locked=True, no_key=True).filter(pk__in=keys)
        locked = set(free.values_list("pk", flat=True))
        Section.objects.filter(pk__in=locked).update(shown=F("shown") + 1)
        if held := keys - locked:
            transaction.on_commit(partial(_refresh_in_order, held), robust=True)


def _refresh_in_order(keys: Collection[int]) -> None:
    """Refresh the sections with these keys, locking them in the order of keys."""
    with transaction.atomic():
        locked = Section.objects.select_for_update(no_key=True).filter(pk__in=keys)
        list(locked.order_by("pk").values_list("pk", flat=True))
        Section.objects.filter(pk__in=keys).update(shown=F("shown") + 1)


def refresh_borrowers(section: Section) -> None:
    """Refresh the sections that may borrow boards from a section's board stand, because its round has changed.

    This happens after the transaction: it has locked this section alone, and may lock no other one before it.
    """
    if section.movement is None or section.movement.family != FAMILY or not section.letter:
        return
    together = Section.objects.filter(session=section.session_id, movement__family=FAMILY)
    borrowers = together.exclude(pk=section.pk)
    transaction.on_commit(partial(refresh_sections, borrowers), robust=True)


def sections_with_people(people: Iterable[Person]) -> QuerySet[Section]:
    """Return the sections in which one of these people plays, played, or had a substitute."""
    keys_of_people = list(people)
    links = EntryPerson.objects.filter(
        Q(person__in=keys_of_people) | Q(plays_for__in=keys_of_people)
    )
    return Section.objects.filter(pk__in=links.values("section"))


def _club_sections(key: int) -> QuerySet[Section]:
    """Return the sections of the club with this key."""
    return Section.objects.filter(session__event__club=key)


def _sections_lent_to(version: SectionMovement) -> QuerySet[Section]:
    """Return the sections that may borrow boards from the section whose movement changes.

    None unless it lends or has lent some. Services that change such a movement lock the whole session first.
    """
    versions = SectionMovement.objects.filter(section=version.section_id).values("movement")
    lends = StoredMovement.objects.filter(
        Q(pk=version.movement_id) | Q(pk__in=versions), family=FAMILY
    )
    together = Section.objects.filter(session__sections=version.section_id)
    borrowers = together.filter(movement__family=FAMILY).exclude(pk=version.section_id)
    return borrowers.filter(Exists(lends))


#: watched models, and the sections whose pages show them
SHOWN: dict[type[models.Model], Callable[[Any], QuerySet[Section]]] = {
    Club: lambda club: _club_sections(club.pk),
    ClubLogo: lambda logo: _club_sections(logo.club_id),
    Person: lambda person: sections_with_people([person]),
    SectionMovement: _sections_lent_to,
}

#: for watched models of which pages of other sections show only a part, the columns of that part
COLUMNS: dict[type[models.Model], tuple[str, ...]] = {SectionMovement: ("movement_id",)}


def connect_signals() -> None:
    """Connect to saving and deleting of shown data, so that pages refresh. Call it once, at start-up."""
    for sender in SHOWN:
        pre_save.connect(_remember_former_values, sender=sender)
        post_save.connect(_refresh_if_changed, sender=sender)
        post_delete.connect(_refresh_after_deletion, sender=sender)


def _remember_former_values(
    sender: type[models.Model], instance: models.Model, **_: object
) -> None:
    """Remember a row's values before it is saved, to compare them afterwards."""
    rows = sender._default_manager.filter(pk=instance.pk) if instance.pk else None
    instance._was = rows.values().first() if rows is not None else None  # type: ignore[attr-defined]


def _refresh_if_changed(sender: type[models.Model], instance: models.Model, **_: object) -> None:
    """Refresh the pages that show a row, if saving has changed its values."""
    columns = COLUMNS.get(sender) or [field.attname for field in sender._meta.concrete_fields]
    was = instance._was  # type: ignore[attr-defined]
    del instance._was  # type: ignore[attr-defined]
    if was is None or any(was[name] != getattr(instance, name) for name in columns):
        refresh_sections(SHOWN[sender](instance))
    if was and isinstance(instance, Club) and was["codes_end"] != instance.codes_end:
        end_codes_as_wanted(instance)


def _refresh_after_deletion(
    sender: type[models.Model], instance: models.Model, **_: object
) -> None:
    """Refresh the pages that showed a deleted row."""
    refresh_sections(SHOWN[sender](instance))
