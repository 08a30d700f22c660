"""Which pair of a team sits in which line: the players decide it round by round, and tell the director."""

from __future__ import annotations

from django.db import transaction

from bridgebuddy.clubs.models import User

from ..errors import NotEntered, NotSeated, RoundMovedOn
from ..models import Entry
from .entries import as_it_is_now
from .locking import lock
from .noting import note_shown
from .plays import amend_people


@transaction.atomic
def cross(entry: Entry, *, round: int, crossed: bool, by: User) -> Entry:
    """Let the two pairs of a team sit the other way in a round, or as usual again.

    `round` is the one being played, or the first before the start. Its plays then name those who sit
    there. No decision depends on it. Told twice it happens once. Raises `RoundMovedOn` when another round
    is being played or all is over, `NotSeated` without a movement, `NotEntered` where no team with a seat
    is meant.
    """
    section = lock(entry.section)
    entry = as_it_is_now(section, entry)
    if section.movement is None:
        raise NotSeated()
    if not section.contest.has_halves or entry.contestant is None:
        raise NotEntered()
    if section.is_finished or round != section.shown_round:
        raise RoundMovedOn(expected=round, actual=section.shown_round)
    if (round in entry.crossed_in) == crossed:
        return entry
    others = [one for one in entry.crossed_in if one != round]
    entry.crossed_in = sorted([*others, round]) if crossed else others
    entry.save()
    amend_people(section, entry)
    note_shown(section, "section.cross", by=by, round=round, team=entry.team_name, crossed=crossed)
    return entry


@transaction.atomic
def name_team(entry: Entry, *, name: str, by: User) -> Entry:
    """Give a team its name; without one it is called by its first player's.

    Raises `NotEntered` where no team is meant.
    """
    section = lock(entry.section)
    entry = as_it_is_now(section, entry)
    if not section.contest.has_halves:
        raise NotEntered()
    if entry.name != name:
        entry.name = name
        entry.save()
        note_shown(section, "section.name_team", by=by, names=entry.names, team=entry.team_name)
    return entry
