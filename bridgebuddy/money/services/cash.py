"""Counting the cash box of a session."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from bridgebuddy.clubs.models import User
from bridgebuddy.clubs.people.names import clean_text
from bridgebuddy.events.models import Session

from ..models import NAME_LENGTH, REASON_LENGTH, CashCount
from ..queries.sessions import SessionDues
from ..rules.ledger import sum_of_pieces
from .entries import open_session_money
from .locking import lock_money


@transaction.atomic
def count_cash(
    session: Session,
    *,
    at_start: int,
    pieces: Sequence[tuple[int, int]] = (),
    rest: int = 0,
    reason: str = "",
    after_version: int,
    by: User,
) -> CashCount:
    """Store a count of a session's cash box: notes and coins by value, and `rest` for the other money.

    `after_version` is the version that the page showed: a second press stores no second count.
    """
    settings = lock_money(session.event.club_id)
    dues = SessionDues(session, settings)
    last = dues.count
    if last is not None and last.version > after_version:
        return last
    kept = [(value, number) for value, number in pieces if number]
    return CashCount.objects.create(
        session_money=open_session_money(session, settings),
        version=last.version + 1 if last else 1,
        at_start=at_start,
        counted=sum_of_pieces(kept) + rest,
        expected=at_start + dues.cash_received,
        pieces=[[value, number] for value, number in kept],
        reason=clean_text(reason)[:REASON_LENGTH],
        by=by,
        by_name=str(by)[:NAME_LENGTH],
    )
