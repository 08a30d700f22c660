"""Seats gained and lost by a change: arriving, returning and leaving entries."""

from __future__ import annotations

from dataclasses import dataclass

from bridgebuddy.events.errors import NoSuchProposal
from bridgebuddy.events.models import Entry, Section
from movements.engine.changes import Change, PairLeaves, PairReturns, Proposal, Rebuild

from ..setup.entries import add_entries


@dataclass(frozen=True, slots=True)
class ArrivingEntry:
    """A contestant that arrives late: an entry waiting for a seat, or the names for a new one."""

    names: tuple[str, ...] = ()
    entry: int = 0
    must_stay_seated: bool = False
    team: str = ""  # a team's name


def renumber_entries(section: Section, proposal: Proposal) -> None:
    """Store the entries' contestant numbers after a change; all are cleared first, as numbers are unique."""
    changed = []
    for entry in section.entries.all():
        number = entry.contestant and proposal.numbers[entry.contestant]
        if number != entry.contestant:
            entry.contestant = number
            changed.append(entry)
    section.entries.filter(pk__in=[entry.pk for entry in changed]).update(contestant=None)
    Entry.objects.bulk_update(changed, ["contestant"])


def seat_newcomer(section: Section, proposal: Proposal, newcomer: ArrivingEntry) -> Entry:
    """Give a late contestant its number: to an entry that waits for a seat, or to a new entry."""
    first_round = proposal.from_round
    if newcomer.entry:
        entry = section.entries.filter(pk=newcomer.entry, contestant=None).first()
        if entry is None:
            raise NoSuchProposal()
    else:
        entry = _enter_newcomer(section, newcomer)
    entry.take_seat(proposal.newcomer, first_round)
    entry.save()
    return entry


def store_return(section: Section, proposal: Proposal) -> Entry:
    """Store the round from which an entry that had left is present again."""
    entry = section.entries.get(contestant=proposal.newcomer)
    entry.back_in = proposal.from_round
    entry.save()
    return entry


def _enter_newcomer(section: Section, newcomer: ArrivingEntry) -> Entry:
    """Create the entry of a late pair; raise `NoSuchProposal` without names."""
    if not newcomer.names:
        raise NoSuchProposal()
    return add_entries(
        section,
        [newcomer.names],
        must_stay_seated=newcomer.must_stay_seated,
        teams=[newcomer.team],
    )[0]


def leaving_contestants(change: Change) -> tuple[int, ...]:
    """Return the contestants that leave by a change, as numbered before it."""
    if isinstance(change, PairLeaves):
        return (change.contestant,)
    return change.leaves if isinstance(change, Rebuild) else ()


def returning_contestant(change: Change) -> int:
    """Return the contestant that returns by a change, by its number; 0 for none."""
    if isinstance(change, PairReturns):
        return change.contestant
    return change.returns if isinstance(change, Rebuild) else 0


def store_departures(section: Section, proposal: Proposal, leavers: tuple[int, ...]) -> str:
    """Store after which round `leavers` left. Return their names for the audit record."""
    entries = list(section.entries.filter(contestant__in=[proposal.numbers[n] for n in leavers]))
    for entry in entries:
        entry.left_after, entry.back_in = proposal.from_round - 1, None
        entry.save()
    are_teams = section.contest.has_halves
    return ", ".join(entry.team_name if are_teams else entry.names for entry in entries)
