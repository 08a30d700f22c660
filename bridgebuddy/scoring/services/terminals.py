"""Importing the results of scoring terminals from a file, and undoing it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from bridgebuddy.audit.services import add_record
from bridgebuddy.clubs.models import User
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.locking import lock_session
from bridgebuddy.scoring.result_sources import ResultSource

from ..errors import NoPlay, NothingToUndo
from ..files.terminals import TerminalLine
from ..models import Result, TerminalImport
from .results import EnteredResult, enter_results, undo_result


@transaction.atomic
def import_terminal_results(
    section: Section, lines: Iterable[TerminalLine], *, file: str, by: User | None
) -> TerminalImport:
    """Enter these results of a terminal file in all sections of the session: all of them, or none.

    Raises the errors of `enter_result`, and `NoPlay` for a line of another session.
    """
    section, sections = lock_session(section)
    entered: defaultdict[int, list[EnteredResult]] = defaultdict(list)
    for received_result in lines:
        if received_result.line:
            line = received_result.line
            entered[line.section.pk].append(
                EnteredResult(line.play, received_result.said.outcome, line.number)
            )
    if not {each.pk for each in sections} >= set(entered):
        raise NoPlay()
    readout = TerminalImport.objects.create(session_id=section.session_id, name=file[:100], by=by)
    for each in sections:
        written = enter_results(each, entered[each.pk], source=ResultSource.TERMINAL, by=by)
        new = Result.objects.filter(
            pk__in=[result.pk for result in written], source=ResultSource.TERMINAL, readout=None
        ).update(readout=readout)
        if new:
            add_record("results.terminals", each, by=by, results=new)
    return readout


@transaction.atomic
def undo_terminal_import(section: Section, readout: int, *, by: User | None) -> int:
    """Undo the results of a terminal file that are still valid. Return their number.

    Results corrected since stay. Raises `NothingToUndo` if none still applies.
    """
    section, sections = lock_session(section)
    file = TerminalImport.objects.filter(session=section.session_id, pk=readout).first()
    standing = Result.objects.filter(readout=file, stands=True).exclude(outcome=None)
    if file is None or file.taken_back_at or not standing.exists():
        raise NothingToUndo()
    removed = 0
    for session_section in sections:
        keys = list(standing.filter(play__section=session_section).values_list("pk", flat=True))
        for key in keys:
            undo_result(session_section, key, by=by)
        if keys:
            add_record("results.terminals_back", session_section, by=by, results=len(keys))
        removed += len(keys)
    file.taken_back_at = timezone.now()
    file.save(update_fields=["taken_back_at"])
    return removed
