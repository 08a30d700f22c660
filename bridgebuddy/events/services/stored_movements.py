"""The movement a section begins with, and deleting unused stored movements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.db import models
from django.db.models import Exists, OuterRef

from movements.models import StoredMovement

from ..models import Section, SectionMovement

AT_A_TIME = 200


def set_first_movement(
    section: Section, movement: StoredMovement | None, unswitched: StoredMovement | None = None
) -> None:
    """Set the movement of a section that has not started, as its only version; None removes it.

    Saves the section, and deletes its former movement if it is not used elsewhere.
    """
    versions = section.movements.values_list("movement_id", flat=True)
    had = [key for key in (section.movement_id, section.unswitched_id, *versions) if key]
    section.movement, section.unswitched = movement, unswitched
    section.save(update_fields=["movement", "unswitched"])
    section.movements.all().delete()
    if movement:
        SectionMovement.objects.create(section=section, movement=movement, version=1)
    delete_unused_movements(had)


def delete_unused_movements(among: Iterable[int] | None = None) -> int:
    """Delete the stored movements that no row refers to, among these keys or all. Return how many."""
    unused_movements = StoredMovement.objects.filter(
        *(~pointed for pointed in _references_to_movements())
    )
    if among is not None:
        unused_movements = unused_movements.filter(pk__in=among)
    unused = list(unused_movements.values_list("pk", flat=True))
    for start in range(0, len(unused), AT_A_TIME):
        StoredMovement.objects.filter(pk__in=unused[start : start + AT_A_TIME]).delete()
    return len(unused)


def _references_to_movements() -> Iterator[Exists]:
    """Yield the query of references for every column that refers to a stored movement."""
    for relation in StoredMovement._meta.get_fields(include_hidden=True):
        if isinstance(relation, models.ManyToOneRel) and relation.on_delete is models.PROTECT:
            rows = relation.related_model._base_manager
            yield Exists(rows.filter(**{relation.field.name: OuterRef("pk")}))
