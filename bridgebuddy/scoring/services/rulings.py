"""Directors' rulings besides results: penalties, fouled boards, matches and dismissed doubts."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from django.db import transaction
from django.utils import timezone

from bridgebuddy.clubs.models import User
from bridgebuddy.events.errors import NotEntered
from bridgebuddy.events.models import Entry, Section
from bridgebuddy.events.services.locking import lock_section
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot

from ..errors import NoPlay, NothingToUndo, UnknownMethod
from ..models import DismissedCheck, FouledBoard, MatchRuling, Penalty
from ..rules.errors import ScoringError
from ..rules.score import check_scorable as check
from ..snapshot.kinds import has_matches
from .recording import note_results, note_revision


@transaction.atomic
def give_penalty(
    section: Section,
    entry: int,
    *,
    unit: str,
    amount: Decimal,
    kind: str,
    board: int | None = None,
    round: int | None = None,
    reason: str = "",
    by: User | None,
) -> Penalty:
    """Give a contestant (by its entry's key) a penalty, with a negative amount, or a bonus.

    Raises `NotEntered`, and `UnknownMethod` if the session is scored in other units.
    """
    section = lock_section(section)
    fined = section.entries.filter(pk=entry).first()
    if fined is None:
        raise NotEntered()
    penalty = Penalty.objects.create(
        entry=fined,
        unit=unit,
        amount=amount,
        kind=kind,
        board=board,
        round=round,
        reason=reason,
        by=by,
    )
    check_scorable(section)
    facts = {"unit": unit, "amount": str(amount), "names": fined.names}
    note_revision(section, "results.penalty", by=by, reason=reason, **facts)
    return penalty


@transaction.atomic
def take_back_penalty(section: Section, penalty: int, *, by: User | None) -> None:
    """Remove a penalty (by its key). Raises `NothingToUndo` if it no longer exists."""
    section = lock_section(section)
    penalties = Penalty.objects.filter(
        entry__section=section, pk=penalty, taken_back_at=None
    ).select_related("entry")
    given_penalty = penalties.first()
    if given_penalty is None:
        raise NothingToUndo()
    given_penalty.taken_back_at = timezone.now()
    given_penalty.save(update_fields=["taken_back_at"])
    facts = {
        "unit": given_penalty.unit,
        "amount": str(given_penalty.amount),
        "names": given_penalty.entry.names,
    }
    note_revision(section, "results.penalty_back", by=by, **facts)


@transaction.atomic
def foul_board(
    section: Section,
    board: int,
    *,
    from_round: int | None = None,
    tables: Sequence[int] = (),
    reason: str = "",
    by: User | None,
) -> FouledBoard:
    """Rule that a board had other cards from a round on, or at some tables; its results are split in two groups.

    With both, as drawn matches need it, it applies to these tables in this round only. Raises `NoPlay` if the board
    is not played in this section, or neither round nor table is given.
    """
    section = lock_section(section)
    is_played = section.plays.filter(board=board, taken_back_at=None).exists()
    if not is_played or (from_round is None and not tables):
        raise NoPlay()
    fouled = FouledBoard.objects.create(
        section=section,
        board=board,
        from_round=from_round,
        tables=sorted(set(tables)),
        reason=reason,
        by=by,
    )
    note_revision(section, "results.fouled", by=by, reason=reason, board=board)
    return fouled


@transaction.atomic
def unfoul_board(section: Section, fouled: int, *, by: User | None) -> None:
    """Remove the ruling on a fouled board (by its key). Raises `NothingToUndo`."""
    section = lock_section(section)
    fouled_board = FouledBoard.objects.filter(
        section=section, pk=fouled, taken_back_at=None
    ).first()
    if fouled_board is None:
        raise NothingToUndo()
    fouled_board.taken_back_at = timezone.now()
    fouled_board.save(update_fields=["taken_back_at"])
    note_revision(section, "results.fouled_back", by=by, board=fouled_board.board)


@transaction.atomic
def rule_match(
    section: Section,
    round: int,
    first: int,
    second: int,
    *,
    kind: str,
    points: tuple[Decimal, Decimal] | None = None,
    awards: tuple[str, str] = ("", ""),
    reason: str = "",
    by: User | None,
) -> MatchRuling:
    """Give a ruling on a whole match of two teams, or pairs of a Swiss (by entries' keys), that ends in `round`.

    `points` are assigned victory points, `awards` those of a void match. For a missing team it is `first`. Raises
    `NotEntered` if these are not two contestants of matches, and `UnknownMethod` if the session cannot be scored so.
    """
    section = lock_section(section)
    entries = {entry.pk: entry for entry in section.entries.filter(pk__in=(first, second))}
    if not has_matches(section) or len(entries) != len({first, second}) or first == second:
        raise NotEntered()
    ruling = MatchRuling.objects.create(
        section=section,
        round=round,
        one=entries[first],
        other=entries[second],
        kind=kind,
        one_points=points[0] if points else None,
        other_points=points[1] if points else None,
        one_award=awards[0],
        other_award=awards[1],
        reason=reason,
        by=by,
    )
    check_scorable(section)
    teams = _names_for_record(entries[first], entries[second])
    note_revision(section, "results.match", by=by, reason=reason, ruling=kind, round=round, **teams)
    return ruling


def _names_for_record(first: Entry, second: Entry) -> dict[str, str]:
    """Return the names for the audit record: a team's name, or both players of a pair."""
    is_team = first.section.contest.has_halves
    return {
        "team": first.team_name if is_team else first.surnames,
        "other": second.team_name if is_team else second.surnames,
    }


@transaction.atomic
def take_back_match_ruling(section: Section, ruling: int, *, by: User | None) -> None:
    """Remove the ruling on a match (by its key). Raises `NothingToUndo`."""
    section = lock_section(section)
    rulings = MatchRuling.objects.filter(section=section, pk=ruling, taken_back_at=None)
    match_ruling = rulings.select_related("one", "other").first()
    if match_ruling is None:
        raise NothingToUndo()
    match_ruling.taken_back_at = timezone.now()
    match_ruling.save(update_fields=["taken_back_at"])
    teams = _names_for_record(match_ruling.one, match_ruling.other)
    note_revision(section, "results.match_back", by=by, round=match_ruling.round, **teams)


@transaction.atomic
def dismiss_doubt(section: Section, doubt: str, *, by: User | None) -> None:
    """Store that a suspicious result was checked and is correct; repeating it has no effect."""
    section = lock_section(section)
    _, is_new = DismissedCheck.objects.get_or_create(
        section=section, doubt=doubt, defaults={"by": by}
    )
    if is_new:
        note_results(section, by=by)


@transaction.atomic
def restore_doubt(section: Section, doubt: str, *, by: User | None) -> None:
    """Show a dismissed suspicious result to directors again."""
    section = lock_section(section)
    deleted, _ = DismissedCheck.objects.filter(section=section, doubt=doubt).delete()
    if deleted:
        note_results(section, by=by)


def check_scorable(section: Section) -> None:
    """Raise `UnknownMethod` if the session cannot be scored by its profile. Call it in the transaction."""
    try:
        document = SessionSnapshot(section).document
        if document.problem:
            raise document.problem
        check(document.session, document.profile)
    except ScoringError as error:
        raise UnknownMethod(what=error.what) from error
