"""A contestant's score sheet, and a board's traveller: results on pages, phones and paper."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import Any

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.games import LINES, Contestant, board_text

from ..rules.reports import results
from ..snapshot.cards import BoardCards
from ..snapshot.counted import RankedContestant, RankingList
from ..snapshot.kinds import has_matches
from ..snapshot.lines import PlayLine
from .against_cards import TricksTotal, tricks_against_cards, tricks_total
from .arriving_results import is_outcome_known
from .league import TeamMatches
from .matches import TeamMatch
from .scored import ScoredSession, SideScore
from .sheet_stages import PartnerResult, SheetEntry, SheetStage, merged_with_partner

A_MATCH = 2  # teams that only meet each other


class ScoreSheet:
    """A contestant's score sheet: all boards that it has played, round by round, and its place."""

    def __init__(self, scored: ScoredSession, section: Section, contestant: Contestant) -> None:
        self.scored = scored
        self.section = section
        self.contestant = contestant

    @cached_property
    def begun_stages(self) -> list[SheetStage]:
        """Return the rounds of the sheet that have begun."""
        mine = [
            (line, sits)
            for line in self._played_lines
            for sits in LINES
            if any(contestant.slug == self.contestant.slug for contestant in line.side(sits))
        ]
        rounds = []
        for (round, table, _), lines in groupby(
            mine, key=lambda item: (item[0].round, item[0].table, item[0].part)
        ):
            boards = list(lines)
            line, sits = boards[0]
            across = "ew" if sits == "ns" else "ns"
            partner = [
                contestant
                for contestant in line.side(sits)
                if contestant.slug != self.contestant.slug
            ]
            rounds.append(
                SheetStage(
                    round,
                    table,
                    line.side(across),
                    partner[0] if partner else None,
                    tuple(self._sheet_entry(board, seat) for board, seat in boards),
                )
            )
        return (
            [replace(stage, vps=self._victory_points(stage)) for stage in rounds]
            if self._matches
            else rounds
        )

    @cached_property
    def _matches(self) -> dict[int, TeamMatch]:
        """Return the contestant's finished matches by round, in a Swiss of pairs with victory points."""
        is_of_pairs = has_matches(self.section) and not self.section.contest.has_halves
        if not is_of_pairs or not self.scored.is_in_victory_points:
            return {}
        matches = TeamMatches(self.scored).matches_of_team(self.section, self.contestant.slug)
        return {team_match.round: team_match for team_match in matches if team_match.is_over}

    def _victory_points(self, stage: SheetStage) -> float | None:
        """Return the contestant's score in the match of a round, once all its boards have a score."""
        match = self._matches.get(stage.round)
        if match is None or any(
            entry.is_hidden or entry.outcome is None for entry in stage.entries
        ):
            return None
        return match.score_of_team(self.contestant)

    @property
    def bye_matches(self) -> list[TeamMatch]:
        """Return the byes for which the contestant got points."""
        return [match for match in self._matches.values() if match.is_bye and match.score]

    @property
    def _played_lines(self) -> list[PlayLine]:
        """Return the section's plays of begun rounds, and those lost because a contestant left, by round."""
        tonight = self.scored.tonight
        played = [line for line in tonight.lines_of_section(self.section) if line.has_begun]
        return sorted(
            [*played, *tonight.lost_lines_of_section(self.section)], key=lambda line: line.round
        )

    @cached_property
    def partners(self) -> list[PartnerResult]:
        """Return a player's results with each partner in an individual, the best first."""
        played: dict[str, list[SheetStage]] = {}
        for stage in self.begun_stages:
            if stage.partner is not None:
                played.setdefault(stage.partner.slug, []).append(stage)
        rows = [merged_with_partner(stages) for stages in played.values()]
        return sorted(rows, key=lambda row: (row.shown is None, -(row.shown or 0)))

    @cached_property
    def _sat_out(self) -> dict[int, SideScore]:
        """Return the contestant's scores on boards that it sat out, by board."""
        me = (self.section.name, self.contestant.slug)
        every = self.scored.results.sit_outs if self.scored.has_results else ()
        return {
            sit_out.board: SideScore(sit_out.side)
            for sit_out in every
            if (sit_out.section, sit_out.contestant) == me
        }

    @property
    def sat_out(self) -> list[tuple[str, Fraction | None]]:
        """Return the boards that the contestant sat out as texts, each with its percentage."""
        played = {entry.board for stage in self.begun_stages for entry in stage.entries}
        found: dict[Fraction | None, list[int]] = {}
        for board, side in self._sat_out.items():
            if board not in played:
                found.setdefault(side.percent, []).append(board)
        return [(board_text(sorted(boards)), percent) for percent, boards in found.items()]

    @property
    def void_boards(self) -> list[tuple[str, PlayLine]]:
        """Return the boards of each round that count for nobody as text, with the first of these plays."""
        by_round = [
            [entry.line for entry in stage.entries if self.scored.early_leavers_at(entry.line)]
            for stage in self.begun_stages
        ]
        return [
            (board_text(sorted(line.board for line in lines)), lines[0])
            for lines in by_round
            if lines
        ]

    def _sheet_entry(self, line: PlayLine, direction: str) -> SheetEntry:
        """Return the sheet's row for a play, in which the contestant sat in `direction`."""
        side = self.scored.side(line, direction, of=self.contestant.slug)
        if side is None or side.value is None:  # the opponents were missing
            side = self._sat_out.get(line.board, side)
        against = tricks_against_cards(cards_of_line(self.scored, line), line.outcome, direction)
        return SheetEntry(line, self.scored.score(line), side, direction, against=against)

    @cached_property
    def _own_standing(self) -> tuple[RankingList, RankedContestant] | None:
        """Return the main ranking with the contestant, and the contestant's row in it."""
        return self.scored.list_with_contestant(self.section.name, self.contestant.slug)

    @property
    def standing(self) -> RankedContestant | None:
        """Return the contestant's row in the ranking."""
        return self._own_standing[1] if self._own_standing else None

    @property
    def ranked_count(self) -> int:
        """Return the number of contestants in the ranking."""
        return len(self._own_standing[0].standings) if self._own_standing else 0

    @cached_property
    def against_cards(self) -> dict[str, TricksTotal | None]:
        """Return the tricks on all boards compared with double-dummy play: as declarer, and in defence."""
        every = [entry.against for stage in self.begun_stages for entry in stage.entries]
        return {
            "declarer": tricks_total(every, declares=True),
            "defence": tricks_total(every, declares=False),
        }

    @property
    def played_board_count(self) -> int:
        """Return how many boards count for the contestant: the number of its row in the ranking, once it has one."""
        if self.standing is not None and not self.section.contest.has_halves:
            return self.standing.row.boards
        entries = (entry for stage in self.begun_stages for entry in stage.entries)
        return sum(
            entry.outcome is not None and not self.scored.is_cancelled(entry.line)
            for entry in entries
        )

    @property
    def penalties(self) -> list[Any]:
        """Return the penalties and bonuses of the contestant."""
        return [
            penalty
            for penalty in self.scored.tonight.penalties
            if penalty.entry_id == self.contestant.entry
        ]


class PlayersScoreSheet(ScoreSheet):
    """A score sheet for players with the section's code, which hides boards that others have still to play.

    A code does not identify the phone's owner. So a board still to be played, here or elsewhere before the embargo
    ends, shows only that it has a result. Places are shown only after all boards are over.
    """

    def _sheet_entry(self, line: PlayLine, direction: str) -> SheetEntry:
        """Return the sheet's row for a play, without its result while others have still to play the board."""
        tonight = self.scored.tonight
        same = tonight.lines_by_cards[tonight.cards_of(line)]
        if not tonight.scoring.is_embargoed and all(
            is_outcome_known(result.outcome) for result in same
        ):
            return super()._sheet_entry(line, direction)
        return SheetEntry(
            replace(line, result=None), None, None, direction, line.outcome is not None
        )

    @property
    def is_over(self) -> bool:
        """Return whether all results of the session are in and its embargo is over."""
        return self.scored.missing_count == 0 and not self.scored.tonight.scoring.is_embargoed

    @property
    def standing(self) -> RankedContestant | None:
        """Return the contestant's row in the ranking, once the session is over."""
        return super().standing if self.is_over else None


@dataclass(frozen=True)
class SheetRow:
    """A row of a traveller: a play with its score."""

    line: PlayLine
    score: int | None
    ns: SideScore | None
    ew: SideScore | None


class Traveller:
    """A board's traveller: all its results, the best for North-South first, those without a score last.

    In drawn team matches many boards share a number; `deal` then names one of them: see `travellers_of_board`.
    """

    def __init__(
        self, scored: ScoredSession, section: Section, board: int, deal: str | None = None
    ) -> None:
        self.scored = scored
        self.section = section
        self.board = board
        self.deal = deal

    @cached_property
    def rows(self) -> list[SheetRow]:
        """Return the plays of the board that have begun, in all sections in which it is compared."""
        tonight = self.scored.tonight
        is_alone = self.scored.are_sections_apart and tonight.session.same_deals
        lines = [
            line
            for section in ([self.section] if is_alone else tonight.sections)
            for line in (
                *tonight.lines_of_section(section),
                *tonight.lost_lines_of_section(section),
            )
            if self._includes_line(line) and (line.has_begun or line.is_lost)
        ]
        rows = [
            SheetRow(
                line,
                self.scored.score(line),
                self.scored.side(line, "ns"),
                self.scored.side(line, "ew"),
            )
            for line in lines
        ]
        return sorted(rows, key=_order_best_first)

    @property
    def fields(self) -> list[results.BoardResult]:
        """Return the groups of compared results of the board; several if the board was fouled."""
        own = (None, self._owning_section) if self.deal is None else (self.deal,)
        boards = self.scored.fields_of(self.section.name, self.board)
        return [board_result for board_result in boards if board_result.deals in own]

    def _includes_line(self, line: PlayLine) -> bool:
        """Return whether a play belongs to this board and its cards."""
        tonight = self.scored.tonight
        if line.board != self.board:
            return False
        if self.deal is not None:
            return tonight.cards_of(line)[0] == self.deal
        return (
            tonight.session.same_deals
            or tonight.owner_of(line.section, line.board) == self._owning_section
        )

    @property
    def _owning_section(self) -> str:
        """Return the section to which the board belongs, if sections play different boards."""
        return self.scored.tonight.owner_of(self.section, self.board)

    @cached_property
    def rounds(self) -> list[int]:
        """Return the rounds in which the board has been played."""
        return sorted({row.line.round for row in self.rows})

    @cached_property
    def match(self) -> tuple[Contestant, ...]:
        """Return the two teams in whose match the board is played; empty if all tables have the same cards."""
        teams = {
            contestant.slug: contestant
            for row in self.rows
            for contestant in (*row.line.ns, *row.line.ew)
        }
        is_match = self.deal is not None and len(teams) == A_MATCH
        return tuple(sorted(teams.values(), key=lambda team: team.number)) if is_match else ()

    @property
    def cards(self) -> BoardCards | None:
        """Return the hands of the board, once all tables have played it; None before."""
        is_one = (
            self.deal is None
            or self.scored.tonight.is_one_deal(self.section, self.board)
            or len(travellers_of_board(self.scored, self.section, self.board)) == 1
        )
        cards = self.scored.tonight.cards(self.section, self.board) if is_one else None
        return cards if self.is_over else None

    @cached_property
    def is_over(self) -> bool:
        """Return whether all plays of the board have a result."""
        tonight = self.scored.tonight
        return all(
            is_outcome_known(line.outcome) for line in tonight.lines if self._includes_line(line)
        )


def cards_of_line(scored: ScoredSession, line: PlayLine) -> BoardCards | None:
    """Return the hands of a play's board, once all tables have played it; None before.

    If cards were exchanged, it is unknown which table had those of the file.
    """
    tonight = scored.tonight
    if line.group is not None or not tonight.knows_cards:
        return None
    own = tonight.cards_of(line)
    if not all(is_outcome_known(result.outcome) for result in tonight.lines_by_cards.get(own, ())):
        return None
    if line.section.stored.is_draw:
        return Traveller(scored, line.section, line.board, own[0]).cards
    return tonight.cards(line.section, line.board)


def travellers_of_board(
    scored: ScoredSession, section: Section, board: int, round: int | None = None
) -> list[Traveller]:
    """Return the travellers with a board number: one, or one per deal if matches have their own deals.

    With `round`, only those played in it. There are none before the board has been begun.
    """
    tonight = scored.tonight
    if not section.stored.is_draw:
        return [Traveller(scored, section, board)]
    lines = [line for line in tonight.lines_of_board(section, board) if line.has_begun]
    lines.sort(key=lambda line: (line.round, line.table))
    deals = {tonight.cards_of(line)[0] for line in lines if round in (None, line.round)}
    deal_names = dict.fromkeys(tonight.cards_of(line)[0] for line in lines)
    return [Traveller(scored, section, board, deal) for deal in deal_names if deal in deals]


def _order_best_first(row: SheetRow) -> tuple[bool, Fraction, int, int]:
    """Return the sort key of a traveller's row: best score for North-South first, none last."""
    score = Fraction(row.score) if row.score is not None else Fraction(0)
    return (row.score is None, -score, row.line.round, row.line.table)


def boards_of(lines: Iterable[PlayLine]) -> list[int]:
    """Return the numbers of the boards that have been played at any table, in order."""
    return sorted({line.board for line in lines if line.has_begun})
