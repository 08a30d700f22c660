"""A session as the source of its results: all plays, the cards, and the document.

It is read in one snapshot. Calculations from it (`results/scored.py`) need no database.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from contextlib import suppress
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any

from django.db.models import OuterRef, Subquery

from bridgebuddy.deals.models import DoubleDummy
from bridgebuddy.events.models import Section
from bridgebuddy.scoring.models import Deal, Result

from .cards import BoardCards
from .document import SessionDocument, session_document
from .earlier import earlier_results
from .lines import HIDDEN, Dealt, PlayLine
from .play_snapshot import PlayedSession


class SessionSnapshot(PlayedSession):
    """All sections of a session with everything that its results depend on, read once."""

    # ── the document ──

    @cached_property
    def document(self) -> SessionDocument:
        """Return the scoring document of the session, with results of earlier sessions."""
        brought = earlier_results(self)
        if not brought:
            return self.session_only_document
        session = self.session_only_document.session
        contestants = tuple(
            replace(
                contestant, earlier=tuple(brought.get(self.contestants[contestant.who].entry, ()))
            )
            for contestant in session.contestants
        )
        return replace(
            self.session_only_document, session=replace(session, contestants=contestants)
        )

    @cached_property
    def session_only_document(self) -> SessionDocument:
        """Return the scoring document of this session alone, without results of earlier sessions."""
        return session_document(self)

    # ── the cards ──

    @cached_property
    def lines_by_cards(self) -> dict[Dealt, list[PlayLine]]:
        """Return all plays by their cards: the name of the deals and the board number."""
        lines: defaultdict[Dealt, list[PlayLine]] = defaultdict(list)
        for line in self.lines:
            lines[self.cards_of(line)].append(line)
        return dict(lines)

    def cards_of(self, line: PlayLine) -> Dealt:
        """Return the key of a play's cards: the name of the deals and the board number."""
        if line.section.contest.has_halves and line.section.stored.is_draw:
            teams = frozenset((line.ns[0].slug, line.ew[0].slug))
            return self._match_cards.get((line.section.name, teams, line.round), ""), line.board
        if self.session.same_deals:
            return "", line.board
        return self.owner_of(line.section, line.board), line.board

    @cached_property
    def _match_cards(self) -> dict[tuple[str, frozenset[str], int], str]:
        """Return the names of the deals of drawn matches, by the two teams and the round."""
        return {
            (match.section, frozenset((match.home, match.away)), round): match.deals
            for match in self.session_only_document.session.matches
            if match.deals and match.away
            for round in match.rounds
        }

    @cached_property
    def _deals(self) -> dict[tuple[int | None, int], Deal]:
        """Return the known hands. Scoring does not use them, so that a wrong lead invalidates no result."""
        solutions = DoubleDummy.objects.filter(deal=OuterRef("pbn"))
        deals = Deal.objects.filter(session=self.session).annotate(
            tricks=Subquery(solutions.values("tricks")), leads=Subquery(solutions.values("leads"))
        )
        return {
            (fouled_board.section_id, fouled_board.board): fouled_board for fouled_board in deals
        }

    @cached_property
    def _section_keys(self) -> dict[str, int]:
        """Return the sections' primary keys by name."""
        return {section.name: section.pk for section in self.sections}

    @property
    def knows_cards(self) -> bool:
        """Return whether the hands of any board are known."""
        return bool(self._deals)

    def cards(self, section: Section, board: int) -> BoardCards | None:
        """Return the hands of a section's board; None if they are unknown."""
        if not self.knows_cards_by_number(section):
            return None
        owner = self._section_keys.get(self.owner_of(section, board), section.pk)
        deal = self._deals.get((owner, board)) or self._deals.get((None, board))
        if deal is None:
            return None
        read_along: Any = deal
        return BoardCards(board, deal.pbn, read_along.tricks or "", read_along.leads or {})

    def boards_with_cards(self, section: Section) -> list[int]:
        """Return the boards whose hands are stored for a section, also those that no round plays, in order."""
        owners = (None, section.pk)
        return sorted({board for owner, board in self._deals if owner in owners})

    def knows_cards_by_number(self, section: Section) -> bool:
        """Return whether a board number identifies the cards, because matches do not shuffle their own."""
        if section.movement is None:
            return True
        if section.stored.is_draw and not self.has_same_cards(section):
            return False
        return not section.has_duplicated_matches or section.boards_of_matches.goes_on

    def is_one_deal(self, section: Section, board: int) -> bool:
        """Return whether a board number means the same deal in all rounds of a section."""
        boards = section.boards_of_matches
        is_extra = any(
            board in range(a, b + 1) for a, b in (x["boards"] for x in section.extra_boards)
        )
        return section.has_duplicated_matches and boards.goes_on and not is_extra

    def with_hidden_results(self, cards: Collection[Dealt]) -> SessionSnapshot:
        """Return the snapshot with the results on these deals hidden; scores stay the same.

        The document is complete, so the results stay the same.
        """
        plays, _ = self._by_play, self.document  # read once, for both
        snapshot = copy(self)
        lines = [
            self._masked_line(line) if self.cards_of(line) in cards else line for line in self.lines
        ]
        snapshot.lines = lines
        snapshot._by_play = {line.play: line for line in lines if line.play in plays}
        with suppress(AttributeError):  # not calculated yet
            del snapshot.lines_by_cards
        return snapshot

    @staticmethod
    def _masked_line(line: PlayLine) -> PlayLine:
        """Return a play with its result hidden if the reader has still to play the board."""
        if line.result is None or line.result.outcome is None:
            return line
        number = line.result.number
        return replace(line, result=Result(play_id=line.play, number=number, outcome=HIDDEN))


def has_results(section: Section) -> bool:
    """Return whether the section's session has a result. One query."""
    standing = Result.objects.filter(
        play__section__session=section.session_id, play__taken_back_at=None, stands=True
    )
    return standing.exclude(outcome=None).exists()
