"""Rounds and the clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from bridgebuddy.clubs.models import User
from bridgebuddy.events.errors import (
    CannotGoBack,
    ChangeRefused,
    NotDrawn,
    NotRunning,
    NotSeated,
    RoundMovedOn,
    SectionChanged,
)
from bridgebuddy.events.models import Section

from ..display_refresh import refresh_borrowers
from ..locking import lock_section, lock_session
from ..recording import record_plan_change, record_visible_change
from ..setup.breaks import copy_break, share_break
from .plays import take_back_plays, write_plays


@transaction.atomic
def start_next_round(section: Section, *, after: int, by: User) -> Section:
    """Start the round that follows round `after`; with 0 start the session.

    If two directors press at once, one starts the round, and the other gets `RoundMovedOn` without effect. Raises
    `NotSeated` without a movement, `NotDrawn` if the round has not been drawn, and `NotRunning` after the last round.
    """
    section = lock_section(section)
    _start_locked_section(section, after, by)
    return section


@transaction.atomic
def start_rounds(section: Section, rounds: Mapping[str, int], *, by: User) -> list[Section]:
    """Start the next round in several sections of a session at once: in all of them, or in none.

    `rounds` maps their letters to the round that the page showed. Raises the errors of `start_next_round` with the
    `section` concerned, also for a section that no longer exists.
    """
    return _change_several_sections(section, rounds, _start_locked_section, by)


def _change_several_sections(
    section: Section,
    rounds: Mapping[str, int],
    act: Callable[[Section, int, User], None],
    by: User,
) -> list[Section]:
    """Apply `act` to several sections of a session, all of them or none; an error names its section."""
    by_name = {
        session_section.name: session_section for session_section in lock_session(section)[1]
    }
    if missing := sorted(rounds.keys() - by_name.keys()):
        raise SectionChanged(section=missing[0])
    named = [session_section for name, session_section in by_name.items() if name in rounds]
    for section_named in named:
        try:
            act(section_named, rounds[section_named.name], by)
        except ChangeRefused as refused:
            if len(by_name) > 1:
                refused.fields["section"] = section_named.name
            raise
    return named


def begin_without_the_late(section: Section, *, by: User) -> None:
    """Start round 1 although some entries have no seat; they wait. Raises as `start_next_round` does."""
    _start_locked_section(section, 0, by, may_wait=True)


def _start_locked_section(
    section: Section, after_round: int, by: User, *, may_wait: bool = False
) -> None:
    """Start the round after `after_round` in a locked section."""
    if section.movement is None:
        raise NotSeated()
    if not (section.round or may_wait) and section.entries.filter(contestant=None).exists():
        raise NotSeated()  # later, people may wait to be seated while the others play
    if section.round != after_round or section.is_finished:
        raise RoundMovedOn(expected=after_round, actual=section.round)
    if section.is_last_round:
        raise NotRunning()
    if section.next_round in section.movement.open_rounds:
        raise NotDrawn(round=section.next_round)
    _keep_clock(section)
    section.round += 1
    _restart_clock(section)
    write_plays(section, section.round)
    record_plan_change(section, "section.next_round", by=by, round=section.round)
    refresh_borrowers(section)


@transaction.atomic
def take_back_round(section: Section, *, round: int, by: User, reason: str = "") -> Section:
    """Return to the round before `round`, which was started by mistake.

    Its plays are set aside, and restored when it is started again. The round before continues with the clock as of
    this round's start. If the session was ended, the last round continues with the clock as of then. Raises
    `RoundMovedOn` if another round is current, and `CannotGoBack` before the start.
    """
    section = lock_section(section)
    if section.round != round:
        raise RoundMovedOn(expected=round, actual=section.round)
    if section.round == 0:
        raise CannotGoBack()
    if section.finished_at:
        _continue_clock(section, section.finished_at)
        section.finished_at = None
    else:
        take_back_plays(section, section.round)
        section.round -= 1
        _restore_earlier_clock(section)
    record_plan_change(section, "section.back", by=by, reason=reason, round=section.round)
    refresh_borrowers(section)
    return section


@transaction.atomic
def finish_session(section: Section, *, round: int, by: User) -> Section:
    """End the session after the current round, even if it is not the last one.

    Raises `RoundMovedOn` if another round is current, and `NotRunning` if none is.
    """
    section = lock_section(section)
    _finish_locked_section(section, round, by)
    return section


@transaction.atomic
def finish_sections(section: Section, rounds: Mapping[str, int], *, by: User) -> list[Section]:
    """End several sections of a session at once, each in its last round: all of them, or none.

    `rounds` maps their letters to the round that the page showed. Raises the errors of `finish_session` with the
    `section` concerned, and `RoundMovedOn` for a section with another round to come by now.
    """
    return _change_several_sections(section, rounds, _finish_last_round, by)


def _finish_last_round(section: Section, round: int, by: User) -> None:
    """End a section after its last round; raise `RoundMovedOn` if it is in another one."""
    if section.is_running and not section.is_last_round:
        raise RoundMovedOn(expected=round, actual=section.round)
    _finish_locked_section(section, round, by)


def _finish_locked_section(section: Section, round: int, by: User) -> None:
    """End the session in a locked section."""
    if section.round != round:
        raise RoundMovedOn(expected=round, actual=section.round)
    if not section.is_running:
        raise NotRunning()
    section.finished_at = timezone.now()
    record_plan_change(section, "section.finish", by=by, round=section.round)
    refresh_borrowers(section)


@transaction.atomic
def pause_clock(section: Section, *, by: User) -> Section:
    """Stop the round's clock; repeating it has no effect."""
    section, together = _sections_by_one_clock(section)
    for section_beside in together:
        if section_beside.clock_ends_at is not None:
            section_beside.clock_left = section_beside.clock_ends_at - timezone.now()
            section_beside.clock_ends_at = None
            record_visible_change(
                section_beside, "section.pause", by=by, round=section_beside.round
            )
    return section


@transaction.atomic
def resume_clock(section: Section, *, by: User) -> Section:
    """Let the round's clock run again."""
    section, together = _sections_by_one_clock(section)
    for section_beside in together:
        if section_beside.clock_left is not None:
            section_beside.clock_ends_at = timezone.now() + section_beside.clock_left
            section_beside.clock_left = None
            record_visible_change(
                section_beside, "section.resume", by=by, round=section_beside.round
            )
    return section


@transaction.atomic
def add_minute(section: Section, *, by: User) -> Section:
    """Add one minute to the round's clock."""
    section, together = _sections_by_one_clock(section)
    minute = timedelta(minutes=1)
    for section_beside in together:
        if section_beside.clock_left is not None:
            section_beside.clock_left += minute
        elif section_beside.clock_ends_at is not None:
            section_beside.clock_ends_at += minute
        record_visible_change(section_beside, "section.minute", by=by, round=section_beside.round)
    return section


@transaction.atomic
def set_break(section: Section, *, after_round: int | None, minutes: int, by: User) -> Section:
    """Plan a break after a round that is not over; None removes the planned break.

    With a common clock it applies to all sections, except those past that round. Raises `NotSeated` without a
    movement, `NotRunning` after the end, and `RoundMovedOn` if that round is over by now.
    """
    section, sections = lock_session(section)
    if section.movement is None:
        raise NotSeated()
    if section.is_finished:
        raise NotRunning()
    if after_round is not None and after_round < section.round:
        raise RoundMovedOn(expected=after_round, actual=section.round)
    together = sections if section.session.common_clock else [section]
    share_break(together, after_round=after_round, minutes=minutes, by=by)
    return section


def _continue_clock(section: Section, since: datetime) -> None:
    """Give the round the time that was left at the moment `since`."""
    if section.clock_ends_at is not None:
        section.clock_ends_at += timezone.now() - since
    elif section.clock_left is None:  # ended by a version without clocks
        _restart_clock(section)


@transaction.atomic
def set_clocks(section: Section, *, common: bool, by: User) -> Section:
    """Set whether all sections of a session share one clock.

    A common clock is paused for all, and the longest round counts. A current round ends when the last of them would
    have.
    """
    section, sections = lock_session(section)
    session = section.session
    if session.common_clock == common:
        return section
    session.common_clock = common
    session.save(update_fields=["common_clock"])
    running = [
        session_section
        for session_section in sections
        if session_section.is_running and session_section.clock_ends_at is not None
    ]
    last = max(
        (
            section_running.clock_ends_at
            for section_running in running
            if section_running.clock_ends_at
        ),
        default=None,
    )
    for session_section in sections:
        if common and session_section in running:
            session_section.clock_ends_at = last
        record_visible_change(session_section, "section.clocks", by=by, common=common)
    planned = next((other for other in sections if _has_break_to_come(other)), None)
    if common and planned:
        copy_break(planned, sections, by=by)
    return section


def _has_break_to_come(section: Section) -> bool:
    """Return whether the section's planned break has not begun."""
    return not section.is_finished and section.round <= (section.break_after or -1)


def _sections_by_one_clock(section: Section) -> tuple[Section, list[Section]]:
    """Return a section in play, locked, and all sections that share its clock."""
    section, sections = lock_session(section)
    if not section.is_running:
        raise NotRunning()
    if not section.session.common_clock:
        return section, [section]
    return section, [session_section for session_section in sections if session_section.is_running]


def _keep_clock(section: Section) -> None:
    """Store the state of the round's clock, in case the next round's start is undone."""
    left, began = section.time_left, section.round_started_at
    if left is not None and began is not None:
        stood = [began.isoformat(), left.total_seconds(), section.is_clock_paused]
        section.clocks_before[str(section.round)] = stood


def _restore_earlier_clock(section: Section) -> None:
    """Restore the clock of a round whose successor was started by mistake."""
    stood = section.clocks_before.pop(str(section.round), None)
    if not section.round:
        section.round_started_at = section.clock_ends_at = section.clock_left = None
    elif stood is None:  # begun by a version without clocks
        _restart_clock(section)
    else:
        began, seconds, is_paused = stood
        left = timedelta(seconds=seconds)
        section.round_started_at = datetime.fromisoformat(began)
        section.clock_left = left if is_paused else None
        section.clock_ends_at = None if is_paused else timezone.now() + left


def _restart_clock(section: Section) -> None:
    """Start the clock of the section's current round with its full length."""
    section.round_started_at = timezone.now()
    section.clock_ends_at = section.round_started_at + section.round_length
    section.clock_left = None
