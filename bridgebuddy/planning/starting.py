"""Starting a prepared session, or laying out its entries and seats for printing.

The press carries the key of the session shown. It is compared with the present state under the
lock.
"""

from __future__ import annotations

from django.db import transaction

from bridgebuddy.audit.services import add_record
from bridgebuddy.clubs.models import User
from bridgebuddy.events.errors import NotSeated, RoundMovedOn
from bridgebuddy.events.models import Entry, Section
from bridgebuddy.events.services.lifecycle.prepared_starts import (
    ChosenMovement,
    apply_prepared_start,
    free_seats,
)
from bridgebuddy.events.services.locking import lock_session
from bridgebuddy.events.services.play.rounds import begin_without_the_late
from bridgebuddy.events.services.recording import record_plan_change
from bridgebuddy.events.services.setup.entries import add_entries, delete_entry
from bridgebuddy.registration.attendance import AttendingPair
from bridgebuddy.registration.errors import PreparationOutdated, RegistrationRefused
from bridgebuddy.registration.models import RegistrationSettings

from .prepared_starts import PreparationInput, PreparedStart, can_prepare, last_prepared
from .rules.chart import build_movement


@transaction.atomic
def start_prepared_session(
    section: Section, key: str, *, has_paper: bool = False, by: User
) -> Section:
    """Begin a session as prepared: enter and seat its pairs, begin round 1; late pairs wait for a seat.

    `has_paper`: the present entries were printed. Raises `PreparationOutdated` if anything has changed,
    `RoundMovedOn` if the session has begun, `RegistrationRefused`, and the errors of `add_entries`.
    """
    section, evening, wanted = _lock_prepared_start(section, key)
    wait = [pair for pair in wanted.there.late if pair.key not in evening.pair_keys]
    _enter_and_seat(section, evening, wanted, wait, keeps_paper=has_paper, by=by)
    begin_without_the_late(section, by=by)
    return section


@transaction.atomic
def lay_out_prepared_session(
    section: Section, key: str, *, has_paper: bool = False, by: User
) -> Section:
    """Store the entries, movement and seats of a prepared start, without beginning round 1.

    Raises the errors of `start_prepared_session`.
    """
    section, evening, wanted = _lock_prepared_start(section, key)
    _enter_and_seat(section, evening, wanted, [], keeps_paper=has_paper, by=by)
    return section


def _lock_prepared_start(
    section: Section, key: str
) -> tuple[Section, PreparedStart, PreparationInput]:
    """Lock registration and session; return the section, the prepared start `key` and its inputs.

    Raises `RoundMovedOn`, `RegistrationRefused` and `PreparationOutdated`.
    """
    prepared = last_prepared(section)
    list(RegistrationSettings.objects.select_for_update().filter(session=section.session_id))
    section, _ = lock_session(section)
    if section.is_started:
        raise RoundMovedOn(expected=0, actual=section.round)
    if not can_prepare(section):
        raise RegistrationRefused()
    wanted = PreparationInput(section)
    evening = (
        prepared.prepared_start_with_key(key)
        if prepared and prepared.inputs_digest == wanted.inputs_digest
        else None
    )
    if evening is None or not evening.is_possible:
        raise PreparationOutdated()
    return section, evening, wanted


def _enter_and_seat(
    section: Section,
    evening: PreparedStart,
    preparation: PreparationInput,
    wait: list[AttendingPair],
    *,
    keeps_paper: bool,
    by: User,
) -> None:
    """Replace the section's entries by the prepared pairs with their seats, and the waiting pairs without seats."""
    there = preparation.there
    play = preparation.present_pairs(evening)
    if tuple(pair.key for pair in play) != evening.pair_keys:
        raise PreparationOutdated()
    for gone in there.gone:
        names = gone.names
        delete_entry(section, gone)
        add_record("section.withdraw", section, by=by, names=names)
    entries = _entries_of_pairs(section, [*play, *wait], by)
    seats = dict(zip(entries, evening.seats, strict=False))
    if len(seats) != evening.pair_count or len(set(seats.values())) != evening.pair_count:
        raise NotSeated()
    choice = evening.choice
    if choice is None:
        free_seats(section, [seat.pk for seat in seats])
        return
    movement = build_movement(evening.pair_count, choice)
    chosen = ChosenMovement(movement, choice.boards, choice.missing, choice.options)
    apply_prepared_start(section, chosen, seats, keeps_paper=keeps_paper, by=by)


def _entries_of_pairs(section: Section, pairs: list[AttendingPair], by: User) -> list[Entry]:
    """Return an entry for each pair; create the missing entries."""
    new = [pair for pair in pairs if pair.entry is None]
    names = [tuple(person.name for person in newcomer.people) for newcomer in new]
    if new:
        entered = iter(add_entries(section, names))
        record_plan_change(section, "section.enter", by=by, pairs=[list(name) for name in names])
    return [pair.entry or next(entered) for pair in pairs]
