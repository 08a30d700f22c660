"""The public facts about how verifiable deals were made, and when."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path

from django.db.models import Q

import bridgebuddy.deals
from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.deals.rules.hands import hands_of_deal
from bridgebuddy.deals.rules.writing import Deals
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.games import board_text
from bridgebuddy.events.queries.sessions.sections import sections_of_session

from ..models import DealGeneration
from ..snapshot.session_snapshot import SessionSnapshot
from .arriving_results import is_outcome_known

BY_HAND = Path(bridgebuddy.deals.__file__).with_name("verification_script.py")


def valid_hands_by_board(deals: dict[int, str]) -> Deals:
    """Return deals given as PBN by board number as hands by seat; invalid ones are left out."""
    read = {board: hands_of_deal(pbn) for board, pbn in deals.items()}
    return {board: dealt for board, dealt in read.items() if dealt}


def may_players_type_hands(tonight: SessionSnapshot, section: Section, board: int) -> bool:
    """Return whether players may enter a board's hands: all have played it, and the hands are unknown."""
    if not tonight.knows_cards_by_number(section) or tonight.cards(section, board):
        return False
    lines = [
        line
        for line in (
            tonight.lines if tonight.session.same_deals else tonight.lines_of_section(section)
        )
        if line.board == board
    ]
    return bool(lines) and all(is_outcome_known(line.outcome) for line in lines)


@dataclass(frozen=True)
class DiscardedDraw:
    """A set of random deals that a director discarded: its fingerprint, when and why."""

    fingerprint: str
    at: datetime
    reason: str = ""


@dataclass(frozen=True)
class DealOrigin:
    """How a section's random deals were made, with the secret of the generator once all have been played."""

    tonight: SessionSnapshot
    section: Section
    dealing: DealGeneration

    @property
    def is_closed(self) -> bool:
        """Return whether the secret of the deals has been published."""
        return self.dealing.closed_at is not None

    @property
    def had_witnesses(self) -> bool:
        """Return whether the fingerprint was shown before the deals were made, not together with them."""
        return self.dealing.closed_at != self.dealing.made_at

    @property
    def takes_words(self) -> bool:
        """Return whether words can still be added: the deals are not made, and round 1 has not begun."""
        return not self.is_closed and not are_boards_in_play(self.section)

    @cached_property
    def may_publish_secret(self) -> bool:
        """Return whether the secret may be published: all tables have played all of its boards."""
        is_everybodys = self.dealing.section_id is None
        lines = self.tonight.lines if is_everybodys else self.tonight.lines_of_section(self.section)
        is_played = bool(lines) and all(is_outcome_known(line.outcome) for line in lines)
        return self.is_closed and is_played and not self.tonight.scoring.is_embargoed

    @cached_property
    def discarded_draws(self) -> list[DiscardedDraw]:
        """Return the sets of deals that were discarded before this one, in order. One query."""
        sections = Section.objects.filter(session=self.section.session_id)
        if self.dealing.section_id is not None:
            sections = sections.filter(pk=self.dealing.section_id)
        records = AuditRecord.objects.filter(
            subject="section",
            subject_id__in=sections.values("pk"),
            action__in=("results.dealing", "results.deals_back"),
        ).order_by("pk")
        draws: list[DiscardedDraw] = []
        for entry in records:
            if entry.action == "results.dealing":
                draws.append(DiscardedDraw(str(entry.facts.get("fingerprint", "")), entry.at))
            elif draws and entry.reason:
                draws[-1] = replace(draws[-1], reason=entry.reason)
        return [draw for draw in draws if draw.fingerprint != self.dealing.fingerprint]

    @property
    def number(self) -> int:
        """Return which of the session's sets of random deals this is: 1 for the first."""
        return len(self.discarded_draws) + 1

    @property
    def otherwise_known_boards(self) -> str:
        """Return the boards whose hands now come from a file or were typed in."""
        cards_by_board = {
            board: self.tonight.cards(self.section, board) for board in self.dealing.boards
        }
        return board_text(
            board
            for board, pbn in self.dealing.deals.items()
            if (cards := cards_by_board[board]) is None or cards.pbn != pbn
        )

    @property
    def program(self) -> str:
        """Return a plain Python program that makes the same deals independently."""
        return (
            f"{BY_HAND.read_text(encoding='utf-8')}\n\n"
            f"SECRET = {self.dealing.secret!r}\n"
            f"WORDS = {self.dealing.words!r}\n"
            "print(hashlib.sha256(SECRET.encode()).hexdigest())\n"
            f"for board in {self.dealing.boards!r}:\n"
            "    print(board, dealt(SECRET, board, WORDS))\n"
        )


def are_boards_in_play(section: Section) -> bool:
    """Return whether round 1 has begun in a section, or in another one of its session that has the same deals."""
    if not section.session.same_deals:
        return section.is_started
    return any(other.is_started for other in sections_of_session(section))


def deal_origin_of(tonight: SessionSnapshot, section: Section) -> DealOrigin | None:
    """Return how the random deals of a section were made; None if the program did not deal them."""
    dealing = deal_generation_of(section)
    return DealOrigin(tonight, section, dealing) if dealing else None


def deal_generation_of(section: Section) -> DealGeneration | None:
    """Return the `DealGeneration` for a section; None if the program does not deal for it."""
    own = Q(section=None) | Q(section=section)
    return DealGeneration.objects.filter(own, session=section.session_id).order_by("pk").first()
