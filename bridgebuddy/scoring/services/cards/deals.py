"""The cards of the boards: stored from a file of deals, and removed again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

from bridgebuddy.clubs.models import User
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.sessions.sections import sections_of_session
from bridgebuddy.events.services.locking import lock_session
from bridgebuddy.scoring.errors import AlreadyDealt, CardsAreShut, NothingToUndo
from bridgebuddy.scoring.models import Deal, DealGeneration
from bridgebuddy.scoring.results.dealing import may_players_type_hands
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot

from ..recording import note_results
from .solving import request_solving


@dataclass(frozen=True)
class StoredDeals:
    """The effect of storing deals: boards with new hands, and other boards removed or kept."""

    boards: tuple[int, ...]
    taken_away: tuple[int, ...] = ()
    stay: tuple[int, ...] = ()


@transaction.atomic
def store_deals(
    section: Section, deals: Mapping[int, str], *, by: User | None, replaces: bool = False
) -> StoredDeals:
    """Store the hands of boards; with `replaces`, remove those of all other boards.

    They apply to all sections with the same boards, otherwise to the section only. The same cards again change nothing.
    """
    section, sections = lock_session(section)
    of = deals_scope(section)
    stored_deals = deals_of(section)
    cards = dict(stored_deals.values_list("board", "pbn"))
    boards = tuple(sorted(deals))
    others = tuple(board for board in cards if board not in deals)
    if cards == (dict(deals) if replaces else cards | dict(deals)):
        request_solving()  # what has been solved is not solved again
        return StoredDeals(boards, stay=others)
    (stored_deals if replaces else stored_deals.filter(board__in=list(deals))).delete()
    Deal.objects.bulk_create(
        Deal(session_id=section.session_id, section=of, board=board, pbn=pbn)
        for board, pbn in sorted(deals.items())
    )
    for session_section in sections:
        action = "results.deals" if session_section.pk == section.pk else ""
        note_results(session_section, action, by=by, boards=len(deals))
    request_solving()
    return StoredDeals(boards, taken_away=others) if replaces else StoredDeals(boards, stay=others)


@transaction.atomic
def store_typed(section: Section, board: int, pbn: str) -> None:
    """Store the hands of a board that players typed after all had played it.

    Raises `CardsAreShut` while the board is still to be played, and `AlreadyDealt` if its cards are known.
    """
    section, sections = lock_session(section)
    if not may_players_type_hands(SessionSnapshot(section), section, board):
        raise AlreadyDealt() if deals_of(section).filter(board=board).exists() else CardsAreShut()
    Deal.objects.create(
        session_id=section.session_id, section=deals_scope(section), board=board, pbn=pbn
    )
    for session_section in sections:
        action = "results.typed_cards" if session_section.pk == section.pk else ""
        note_results(session_section, action, by=None, board=board)
    request_solving()


@transaction.atomic
def remove_deals(section: Section, *, by: User | None) -> None:
    """Delete the hands of all boards. Raises `NothingToUndo` if there are none."""
    section, sections = lock_session(section)
    deleted, _ = DealGeneration.objects.filter(
        session=section.session_id, section=deals_scope(section)
    ).delete()
    if not deals_of(section).delete()[0] + deleted:
        raise NothingToUndo()
    for session_section in sections:
        note_results(
            session_section, "results.deals_back" if session_section.pk == section.pk else "", by=by
        )


def deals_scope(section: Section) -> Section | None:
    """Return the section for which deals are stored, or None if all sections play the same deals."""
    is_alone = len(sections_of_session(section)) <= 1
    return None if is_alone or section.session.same_deals else section


def deals_of(section: Section) -> QuerySet[Deal]:
    """Return the stored `Deal` rows of a section."""
    return Deal.objects.filter(session=section.session_id, section=deals_scope(section))
