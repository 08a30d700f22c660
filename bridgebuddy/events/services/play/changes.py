"""Live changes: played rounds stay, and the rest follows a proposal that the laws have checked.

Proposals are computed without a lock from the state that the director saw, because that may take a second. Then the
chosen one is stored under the section's lock, if nothing has changed meanwhile, and once only for repeated presses.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from django.db import transaction

from bridgebuddy.clubs.models import User
from bridgebuddy.events.errors import (
    CannotGoBack,
    NoSuchProposal,
    NotRunning,
    SectionChanged,
    StillSearching,
)
from bridgebuddy.events.models import Entry, Section, SectionMovement
from bridgebuddy.events.queries.part_played import boards_of_contestant, boards_still_to_play
from bridgebuddy.events.queries.plays import movement_as_played
from movements.engine.changes import Change, PairLeaves, Proposal, Rebuild, proposals
from movements.engine.changes.numbering import numbers_after_change
from movements.engine.files.document import MovementDocument, movement_dict
from movements.engine.model import Movement
from movements.services import store_movement

from ..locking import lock_movement, lock_section
from ..recording import record_plan_change
from ..setup.deals import last_deal
from ..setup.switches import unswitched_movement_after
from .change_facts import change_facts, describe_wrong_boards
from .change_seats import ArrivingEntry as ArrivingEntry
from .change_seats import (
    leaving_contestants,
    renumber_entries,
    returning_contestant,
    seat_newcomer,
    store_departures,
    store_return,
)
from .plays import guard_history, rewrite_plays
from .searches import found_by_search

KEY_LENGTH = 12
DRAWN = "draw"  # the change that draws a round


@dataclass(frozen=True)
class ChangeOption:
    """A proposed movement for a change, with the board numbers it would have in the section."""

    proposal: Proposal
    numbers: Mapping[str, range]

    @cached_property
    def key(self) -> str:
        """Return a digest of the proposed movement, by which a form names it."""
        text = json.dumps(movement_dict(MovementDocument(self.proposal.movement)), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:KEY_LENGTH]

    @cached_property
    def boards_per_round(self) -> int:
        """Return the most boards that a table would play in a coming round."""
        movement = self.proposal.movement
        counts = [
            sum(
                len(self.numbers[name]) for s in movement.seatings_at_table(r, t) for name in s.sets
            )
            for r in range(self.proposal.from_round, movement.rounds + 1)
            for t in range(1, movement.tables + 1)
        ]
        return max(counts, default=0)


class ExactSearch:
    """An exhaustive search for a rebuilt movement, which reads a section's data once and may be asked repeatedly."""

    def __init__(self, section: Section, change: Rebuild) -> None:
        """Read a section that has a movement."""
        self.section, self.change = section, change
        self.movement, self.sizes = movement_as_played(section), _set_sizes(section)
        self._found: list[Proposal] | StillSearching | None = None

    def is_for(self, section: Section, change: Change) -> bool:
        """Return whether this is the search for the section's present plan and this change."""
        return (self.section.pk, self.section.plan, self.change) == (
            section.pk,
            section.plan,
            change,
        )

    def find_proposals(self) -> list[Proposal]:
        """Return the proposals that the search found, or raise `StillSearching` while it runs."""
        if self._found is None:
            try:
                self._found = found_by_search(self.section, self.movement, self.change, self.sizes)
            except StillSearching as refused:
                self._found = refused
        if isinstance(self._found, StillSearching):
            raise self._found
        return self._found


def change_options(
    section: Section, change: Change, search: ExactSearch | None = None
) -> list[ChangeOption]:
    """Return the proposed movements for a live change of a section, best first.

    The search for a `Rebuild` may be passed in. Raises `NotRunning` without a movement or after the end, and
    `StillSearching` if a search must wait for another.
    """
    if section.movement is None or section.is_finished:
        raise NotRunning()
    if isinstance(change, PairLeaves) and section.is_last_round:
        return []  # added rounds would include the pair
    if isinstance(change, Rebuild):
        options = (search or ExactSearch(section, change)).find_proposals()
    else:
        options = proposals(movement_as_played(section), section.round, change, _set_sizes(section))
    numbers, beyond = section.movement.numbers, last_deal(section)
    all_ways = [
        ChangeOption(
            proposal, numbers_after_change(numbers, proposal, section.boards_per_round or 1, beyond)
        )
        for proposal in options
    ]
    possible = [way for way in all_ways if all(way.numbers.values())]
    return sorted(possible, key=lambda way: _is_too_late(section, way))


def _set_sizes(section: Section) -> dict[str, int]:
    """Return the number of boards in each board set of the section."""
    return {name: len(boards) for name, boards in section.stored.numbers.items()}


def _is_too_late(section: Section, way: ChangeOption) -> bool:
    """Return whether a late contestant would join the current round without time for a board."""
    part = boards_still_to_play(section, way.proposal, way.numbers)
    return part is not None and not part.playable


@transaction.atomic
def take_proposal(
    section: Section,
    way: ChangeOption,
    change: Change,
    *,
    plan: int,
    by: User,
    reason: str = "",
    newcomer: ArrivingEntry | None = None,
) -> Section:
    """Carry out a live change: make the proposed movement the section's, and store seats and plays.

    `plan` is the section's value when the director decided. Raises `SectionChanged` if it has changed,
    `NotRunning`, and for a newcomer `PersonTwice`, `TooManyEntries` or `NoSuchProposal`.
    """
    section = lock_movement(section)
    if section.plan != plan:
        raise SectionChanged()
    if section.movement is None or section.is_finished:
        raise NotRunning()
    proposal, numbers_before = way.proposal, section.movement.numbers
    guard_history(proposal, change, section.round, (numbers_before, way.numbers))
    before = current_version(section)
    stored = store_movement(proposal.movement, numbers=way.numbers)
    renumber_entries(section, proposal)
    section.unswitched = unswitched_movement_after(section, proposal, way.numbers)
    part = _part_played(section, way, change)
    left = names = store_departures(section, proposal, leaving_contestants(change))
    if returning_contestant(change):
        names = store_return(section, proposal).names
    elif proposal.newcomer:
        names = seat_newcomer(section, proposal, newcomer or ArrivingEntry()).names
        part |= {"left": left} if left else {}
    section.movement = stored
    if way.boards_per_round:
        section.boards_per_round = way.boards_per_round
    facts = {
        **proposal.facts,
        "names": names,
        "back": bool(returning_contestant(change)),
        **change_facts(change, proposal.before),
        **describe_wrong_boards(change, numbers_before),
        **part,
    }
    add_version(
        section,
        parent=before.version,
        by=by,
        reason=reason,
        change=proposal.kind,
        facts=facts,
        from_round=proposal.from_round,
        way=way.key,
        decided_on=plan,
    )
    rewrite_plays(section, proposal.from_round)
    _note_live_change(section, proposal.kind, facts, proposal.from_round, by, reason)
    return section


@transaction.atomic
def adopt_draw(
    section: Section, movement: Movement, *, round: int, plan: int, way: str, by: User
) -> Section:
    """Store the movement with the newly drawn round; earlier rounds stay as they are.

    The round is open, so it has no plays. Raises `SectionChanged` if the section's plan has changed since the
    decision, and `NoSuchProposal` if the round is not open.
    """
    section = lock_section(section)
    if section.plan != plan:
        raise SectionChanged()
    if section.movement is None or section.is_finished:
        raise NotRunning()
    if round not in section.movement.open_rounds:
        raise NoSuchProposal()
    before = current_version(section)
    section.movement = store_movement(movement, numbers=section.movement.numbers)
    add_version(
        section,
        parent=before.version,
        by=by,
        change=DRAWN,
        facts={"round": round},
        from_round=round,
        way=way,
        decided_on=plan,
    )
    record_plan_change(section, "section.draw", by=by, round=round)
    return section


def is_repeated(section: Section, key: str, *, plan: int, by: User) -> bool:
    """Return whether the last change was made by this same press; `key` is the proposal's, or "undo" or "redo"."""
    last = _last_version(section)
    if last is None or last.by_id != by.pk:
        return False
    return (last.way, last.decided_on) == (key, plan)


# ── versions ──


def _part_played(section: Section, way: ChangeOption, change: Change) -> dict[str, object]:
    """Return a leaver's boards played and planned, or the boards a late contestant cannot play, for the record."""
    proposal = way.proposal
    for gone in leaving_contestants(change):
        rounds = range(1, proposal.before.rounds + 1)
        until = range(1, proposal.from_round)
        return {
            "boards_played": boards_of_contestant(section, proposal.before, gone, until),
            "boards_planned": boards_of_contestant(section, proposal.before, gone, rounds),
        }
    part = boards_still_to_play(section, proposal, way.numbers)
    if part is None or not part.not_played:
        return {}
    return {"not_played": list(part.not_played), "late_table": part.table}


def current_version(section: Section) -> SectionMovement:
    """Return the current `SectionMovement` with its seats stored, created if the section has none yet."""
    current = section.movements.order_by("version").last()
    if current is None:
        current = SectionMovement.objects.create(
            section=section, movement=section.stored, version=1
        )
    current.seats = section.seats()
    current.boards_per_round = section.boards_per_round
    current.unswitched = section.unswitched
    current.save()
    return current


def add_version(section: Section, **fields: object) -> SectionMovement:
    """Add the next `SectionMovement` of a section, with the change that led to it."""
    last = section.movements.order_by("version").values_list("version", flat=True).last() or 0
    return SectionMovement.objects.create(
        section=section,
        movement=section.stored,
        unswitched=section.unswitched,
        version=last + 1,
        in_round=section.round,
        boards_per_round=section.boards_per_round,
        seats=section.seats(),
        **fields,
    )


def undoable_version(section: Section) -> SectionMovement | None:
    """Return the version of the movement whose change can be undone; None if there is none.

    A change can be undone until the round after it begins, even if the round's start was undone since. A draw can be
    undone until its own round begins.
    """
    current = _last_version(section)
    if current is None or current.parent is None or section.is_finished:
        return None
    last_change = _version_copied_by(current)
    last = last_change.from_round - 1 if last_change.change == DRAWN else last_change.in_round
    return last_change if last >= section.round else None


def redoable_version(section: Section) -> SectionMovement | None:
    """Return the version of the movement whose change was just undone and can be redone; else None.

    Also None if an entry with a seat in it has been removed since.
    """
    current = _last_version(section)
    if current is None or current.redo is None or section.is_finished:
        return None
    if current.in_round < section.round:
        return None
    undone = section.movements.get(version=current.redo)
    seated = {int(key) for key, (number, *_) in undone.seats.items() if number is not None}
    here = set(section.entries.values_list("pk", flat=True))
    return _version_copied_by(undone) if seated <= here else None


def _last_version(section: Section) -> SectionMovement | None:
    """Return the section's newest `SectionMovement`; None if it has none."""
    return section.movements.order_by("version").last()


def _version_copied_by(version: SectionMovement) -> SectionMovement:
    """Return the version of which a version is a copy, because undo and redo store copies."""
    holds = version.holds
    return version.section.movements.get(version=holds) if holds else version


@transaction.atomic
def undo_change(section: Section, *, plan: int, by: User, reason: str = "") -> Section:
    """Undo the last live change: store the movement before it as a new version.

    Raises `SectionChanged`, and `CannotGoBack` if another change depends on it.
    """
    section = lock_movement(section)
    if section.plan != plan:
        raise SectionChanged()
    current, undone = _last_version(section), undoable_version(section)
    if current is None or current.parent is None or undone is None:
        raise CannotGoBack()
    current.seats = section.seats()
    current.save()
    target = section.movements.get(version=current.parent)
    _restore_version(
        section,
        target,
        "undo",
        by,
        reason,
        redo=current.version,
        change_of=undone,
        decided_on=plan,
    )
    return section


@transaction.atomic
def redo_change(section: Section, *, plan: int, by: User, reason: str = "") -> Section:
    """Redo the live change that was just undone. Raises the errors of `undo_change`."""
    section = lock_movement(section)
    if section.plan != plan:
        raise SectionChanged()
    current, undone = _last_version(section), redoable_version(section)
    if current is None or current.redo is None or undone is None:
        raise CannotGoBack()
    target = section.movements.get(version=current.redo)
    _restore_version(
        section,
        target,
        "redo",
        by,
        reason,
        redo=target.redo,
        change_of=undone,
        decided_on=plan,
    )
    return section


def _restore_version(
    section: Section,
    target: SectionMovement,
    change: str,
    by: User,
    reason: str,
    *,
    redo: int | None,
    change_of: SectionMovement,
    decided_on: int,
) -> None:
    """Make an earlier version of the movement current again; `change_of` is the change undone or redone."""
    _restore_seats(section, target)
    section.movement = target.movement
    section.unswitched_id = target.unswitched_id
    section.boards_per_round = target.boards_per_round
    facts = {**change_of.facts, "kind": change_of.change}
    add_version(
        section,
        parent=target.parent,
        redo=redo,
        by=by,
        reason=reason,
        change=change,
        facts=facts,
        from_round=change_of.from_round,
        holds=_version_copied_by(target).version,
        way=change,
        decided_on=decided_on,
    )
    rewrite_plays(section, change_of.from_round)
    _note_live_change(section, change, facts, change_of.from_round, by, reason)


def _restore_seats(section: Section, target: SectionMovement) -> None:
    """Give entries the seats that they had in a version of the movement; later entries wait for a seat."""
    entries = list(section.entries.all())
    section.entries.update(contestant=None)
    for entry in entries:
        entry.take_seat(*target.seats.get(str(entry.pk), ()))
    Entry.objects.bulk_update(entries, ["contestant", *Entry.ALL_EVENING])


def _note_live_change(
    section: Section,
    kind: str,
    facts: Mapping[str, object],
    from_round: int,
    by: User,
    reason: str = "",
) -> None:
    """Increase the counters of changes, and add a live change of this kind to the audit record."""
    record_plan_change(
        section,
        "section.live_change",
        by=by,
        reason=reason,
        change=kind,
        from_round=from_round,
        **facts,
    )
