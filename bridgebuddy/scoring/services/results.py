"""Entering, correcting and undoing results: nothing entered is lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from bridgebuddy.clubs.models import User
from bridgebuddy.events.models import Play, Section
from bridgebuddy.events.services.locking import lock_section
from bridgebuddy.scoring.result_sources import ResultSource

from ..errors import ImpossibleResult, NoPlay, NothingToUndo, OtherRuling, ResultChanged
from ..models import Result
from ..rules.errors import ScoringError
from ..rules.outcomes import read_outcome
from ..snapshot.lines import RULINGS as RULINGS
from .recording import note_revision

#: parts of an outcome that make it a ruling, which is recorded with its reason


@dataclass(frozen=True)
class EnteredResult:
    """A result to enter for a play; `after` is the number of the result that the page showed (0: none)."""

    play: int
    outcome: Mapping[str, Any] | None
    after: int | None = None


@transaction.atomic
def enter_result(
    section: Section,
    play: int,
    outcome: Mapping[str, Any] | None,
    *,
    after: int | None = None,
    source: str = ResultSource.DESK,
    reason: str = "",
    by: User | None,
) -> Result:
    """Enter the outcome of a play (by its key); None removes the outcome.

    Repeating an outcome has no effect. `after` is the number of the result that the page showed, 0 for none, None if
    it does not matter. Raises `NoPlay`, `ImpossibleResult`, `OtherRuling`, and `ResultChanged` if the result has
    changed meanwhile.
    """
    section = lock_section(section)
    plays, standing = _plays_and_results(section, {play})
    if play not in plays:
        raise NoPlay()
    entered, former = EnteredResult(play, outcome, after), standing.get(play)
    return write_result(section, plays[play], former, entered, source=source, reason=reason, by=by)[
        0
    ]


def write_result(
    section: Section,
    play: Play,
    current: Result | None,
    entered_result: EnteredResult,
    *,
    source: str,
    reason: str = "",
    by: User | None,
) -> tuple[Result, bool]:
    """Enter a result as `enter_result` does, if section, play and `current` (the valid result) are already locked.

    Return the result, and whether it is new; a new one has been counted.
    """
    result, is_new = _write_result(play, current, entered_result, source, reason, by)
    if is_new:
        action = "results.ruling" if _is_ruling(entered_result.outcome) else ""
        note_revision(section, action, by=by, reason=reason, **_play_facts(play))
    return result, is_new


@transaction.atomic
def enter_results(
    section: Section,
    results: list[EnteredResult],
    *,
    source: str = ResultSource.SLIP,
    by: User | None,
) -> list[Result]:
    """Enter several results of a section: all of them, or none. Raises the errors of `enter_result`."""
    section = lock_section(section)
    plays, standing = _plays_and_results(section, {result.play for result in results})
    stored, is_other = [], False
    for result in results:
        if result.play not in plays:
            raise NoPlay()
        former = standing.get(result.play)
        standing[result.play], is_new = _write_result(
            plays[result.play], former, result, source, "", by
        )
        stored.append(standing[result.play])
        is_other |= is_new
    if is_other:
        note_revision(section, by=by)
    return stored


@transaction.atomic
def undo_result(section: Section, result: int, *, by: User | None) -> Result:
    """Undo the result with this key: the one before it is valid again, or none.

    Raises `NothingToUndo` if it is not the result in force or nothing is left to undo, and `OtherRuling`.
    """
    section = lock_section(section)
    last = (
        Result.objects.filter(play__section=section, pk=result, stands=True)
        .select_related("play")
        .first()
    )
    if last is None or last.outcome is None:
        raise NothingToUndo()
    before = Result.objects.filter(play=last.play, number__lt=last.number).last()
    outcome = before.outcome if before else None
    reason = before.reason if before and _is_ruling(outcome) else ""
    restored = _add_result(last.play, last, outcome, ResultSource.UNDO, reason, by)
    is_ruling = _is_ruling(last.outcome)
    note_revision(section, "results.undo" if is_ruling else "", by=by, **_play_facts(last.play))
    return restored


def _plays_and_results(
    section: Section, keys: set[int]
) -> tuple[dict[int, Play], dict[int, Result]]:
    """Return the plays with two sides among these keys, and their valid results, by the plays' keys."""
    standing = section.plays.filter(pk__in=keys, taken_back_at=None)
    plays = {play.pk: play for play in standing.exclude(ns=None).exclude(ew=None)}
    results = Result.objects.filter(play__in=plays.values(), stands=True)
    return plays, {result.play_id: result for result in results}


def _write_result(
    play: Play,
    current: Result | None,
    result: EnteredResult,
    source: str,
    reason: str,
    by: User | None,
) -> tuple[Result, bool]:
    """Store a result if it, or a ruling's reason, differs from the valid one; return it and whether it is new."""
    check_possible(play, result.outcome)
    was = current.outcome if current else None
    outcome = None if result.outcome is None else dict(result.outcome)
    is_same_reason = source != ResultSource.RULING or (current and current.reason == reason)
    if current is not None and was == outcome and is_same_reason:
        return current, False
    number = current.number if current else 0
    if result.after is not None and result.after != number:
        raise ResultChanged(outcome=was, play=play.pk)
    return _add_result(play, current, outcome, source, reason, by), True


def _add_result(
    play: Play,
    current: Result | None,
    outcome: dict[str, Any] | None,
    source: str,
    reason: str,
    by: User | None,
) -> Result:
    """Add a result to a play; earlier ones stay in the table."""
    check_other_table(play, outcome)
    if current is not None:
        current.stands = False
        current.save(update_fields=["stands"])
    return Result.objects.create(
        play=play,
        number=current.number + 1 if current else 1,
        outcome=outcome,
        source=source,
        reason=reason,
        by=by,
    )


def check_other_table(play: Play, outcome: Mapping[str, Any] | None) -> None:
    """Raise `OtherRuling` if an artificial score differs from the one at the match's other table.

    One of them counts for both tables, once (scoring, 3.1). With two different ones it would be unclear which.
    """
    if not _awards_by_contestant(play, outcome) or not play.section.contest.has_halves:
        return
    triangles = play.section.stored.movement.triangles
    rounds = {
        round
        for triangle in triangles
        if play.round in triangle.rounds
        for round in triangle.rounds
    }
    others = Result.objects.filter(
        play__section=play.section,
        play__round__in=rounds | {play.round},
        play__board=play.board,
        play__taken_back_at=None,
        play__ns__in=(play.ns_id, play.ew_id),
        play__ew__in=(play.ns_id, play.ew_id),
        stands=True,
    )
    for other in others.exclude(play=play).select_related("play"):
        if _awards_by_contestant(other.play, other.outcome) not in (
            {},
            _awards_by_contestant(play, outcome),
        ):
            raise OtherRuling(board=play.board, table=other.play.table)


def _awards_by_contestant(play: Play, outcome: Mapping[str, Any] | None) -> dict[int | None, Any]:
    """Return the award of each contestant (by key) from an artificial score; empty for other outcomes."""
    artificial = (outcome or {}).get("artificial")
    return (
        {play.ns_id: artificial.get("ns"), play.ew_id: artificial.get("ew")} if artificial else {}
    )


def check_possible(play: Play, outcome: Mapping[str, Any] | None) -> None:
    """Raise `ImpossibleResult` if the laws of bridge do not allow an outcome on the play's board."""
    try:
        read_outcome(outcome, play.board)
    except ScoringError as error:
        raise ImpossibleResult(what=error.what, board=play.board) from error


def _is_ruling(outcome: Mapping[str, Any] | None) -> bool:
    """Return whether an outcome is a director's ruling: an adjusted score or a board not played."""
    return outcome is not None and any(key in outcome for key in RULINGS)


def _play_facts(play: Play) -> dict[str, Any]:
    """Return a play's round, table and board for the audit record."""
    return {"round": play.round, "table": play.table, "board": play.board}
