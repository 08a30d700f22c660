"""Several sections of one session: dividing the entries among them before the start."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from string import ascii_uppercase

from django.db import transaction
from django.db.models import Q

from bridgebuddy.clubs.models import User
from bridgebuddy.events.errors import AlreadyStarted, NotSeated, SectionChanged
from bridgebuddy.events.models import Entry, EntryPerson, Section

from ..locking import lock_section, lock_session
from ..recording import record_plan_change
from ..stored_movements import delete_unused_movements
from .deals import renumber_boards
from .movement import fit_movement, take_movement_of

#: a letter each; more do not fit into a playing room
MOST_SECTIONS = 8


@transaction.atomic
def divide_entries(
    section: Section, parts: Sequence[Sequence[int]], *, same_deals: bool, by: User
) -> list[Section]:
    """Divide the entries of a session into sections; `parts` are the keys of the entries in each.

    New sections get the first one's movement, if it fits; surplus sections are deleted. A section with changed
    entries gets the same movement adapted, or none. Raises `AlreadyStarted` with the `section`, and
    `SectionChanged` if the entries have changed meanwhile.
    """
    section, sections = lock_session(section)
    if begun := [session_section for session_section in sections if session_section.is_started]:
        raise AlreadyStarted(**({"section": begun[0].name} if len(sections) > 1 else {}))
    entries = {entry.pk: entry for entry in Entry.objects.filter(section__in=sections)}
    if sorted(key for part in parts for key in part) != sorted(entries):
        raise SectionChanged()
    parts = [part for part in parts if part][:MOST_SECTIONS] or [[]]
    had_movement = sections[0].movement is not None
    session = section.session
    session.same_deals = same_deals
    session.save(update_fields=["same_deals"])
    for divided_section in sections:
        divided_section.session = session
    remaining, surplus = sections[: len(parts)], sections[len(parts) :]
    new = [
        _create_section_beside(sections[0], letter)
        for letter in ascii_uppercase[len(sections) : len(parts)]
    ]
    before = {
        session_section.pk: {
            key for key in entries if entries[key].section_id == session_section.pk
        }
        for session_section in sections
    }
    for divided_section, part in zip([*remaining, *new], parts, strict=True):
        _move_entries(
            [entries[key] for key in part if entries[key].section_id != divided_section.pk],
            divided_section,
        )
        _renumber_entries(divided_section)
    _delete_empty_sections(surplus)
    divided: list[Section] = []
    for old, part in zip([*remaining, *new], parts, strict=True):
        divided_section = lock_section(
            old
        )  # its boards may have been numbered anew with those of the section before
        if set(part) != before.get(divided_section.pk):
            fit_movement(divided_section)
        if old in new and had_movement:
            take_movement_of(divided_section, divided[0])
        renumber_boards(divided_section)
        record_plan_change(
            divided_section, "section.divide", by=by, sections=len(parts), entries=len(part)
        )
        divided.append(divided_section)
    return divided


@transaction.atomic
def copy_section_movement(section: Section, source: Section, *, by: User) -> Section:
    """Give a section the movement and number of boards of another section of its session.

    Raises `AlreadyStarted`, `SectionChanged` if the other section no longer exists, and `NotSeated` if its
    movement does not fit.
    """
    section, sections = lock_session(section)
    if section.is_started:
        raise AlreadyStarted()
    like = next(
        (
            session_section
            for session_section in sections
            if session_section.pk == source.pk and session_section.pk != section.pk
        ),
        None,
    )
    if like is None:
        raise SectionChanged()
    _take_movement_of(section, like, by)
    return section


@transaction.atomic
def copy_movement_to_all_sections(section: Section, *, by: User) -> list[Section]:
    """Give the movement of `section` to all sections of the session that have none; return those.

    Raises `NotSeated` with the `section` that it does not fit; then none is changed.
    """
    section, sections = lock_session(section)
    without = [session_section for session_section in sections if session_section.movement is None]
    for section_without in without:
        try:
            _take_movement_of(section_without, section, by)
        except NotSeated as refused:
            refused.fields["section"] = section_without.name
            raise
    return without


def _take_movement_of(section: Section, source: Section, by: User) -> None:
    """Give a section the movement of another one; raise `NotSeated` if it has none or it does not fit."""
    if not take_movement_of(section, source):
        raise NotSeated()
    chosen = section.stored
    record_plan_change(
        section, "section.movement", by=by, family=chosen.family, rounds=chosen.rounds
    )


def _create_section_beside(source: Section, letter: str) -> Section:
    """Create a section with the settings of another of the session, without its movement."""
    section = Section.objects.create(
        session=source.session,
        name=letter,
        contest=source.contest,
        missing_line=source.missing_line,
        break_after=source.break_after,
        break_minutes=source.break_minutes,
    )
    return section


def _move_entries(entries: Iterable[Entry], target: Section) -> None:
    """Move entries to another section; they lose their seats and their plays of undone starts."""
    for entry in entries:
        of_entry = Q(ns=entry) | Q(ns2=entry) | Q(ew=entry) | Q(ew2=entry)
        entry.section.plays.filter(of_entry).delete()
        entry.section = target
        entry.take_seat()
        entry.save()
        EntryPerson.objects.filter(entry=entry).update(section=target)


def _renumber_entries(section: Section) -> None:
    """Number the entries of a section in the order of their entry."""
    entries = list(section.entries.order_by("pk"))
    for position, entry in enumerate(entries, start=1):
        entry.position = position
    Entry.objects.bulk_update(entries, ["position"])


def _delete_empty_sections(sections: Iterable[Section]) -> None:
    """Delete those of the sections that have no entries."""
    for section in sections:
        versions = section.movements.values_list("movement_id", "unswitched_id")
        keys_of_versions = [(section.movement_id, section.unswitched_id), *versions]
        section.delete()
        delete_unused_movements({key for keys in keys_of_versions for key in keys if key})
