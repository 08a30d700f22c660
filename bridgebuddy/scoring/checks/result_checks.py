"""Suspicious results: proven or unlikely ones, with evidence and a repair.

Nothing here changes data. A doubt's key names its results, so a dismissed doubt returns only if one of them changes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any

from bridgebuddy.events.models import SectionMovement
from bridgebuddy.scoring.models import DismissedCheck, Result
from bridgebuddy.scoring.rules import laws
from bridgebuddy.scoring.rules.counted_plays import ruled_plays
from bridgebuddy.scoring.rules.model import PassedOut, PlayedContract, RefusedOutcome, ScoreOnly
from bridgebuddy.scoring.rules.points import declarers_score, imps_of_difference, is_vulnerable
from bridgebuddy.scoring.rules.profile import IN_PER_CENT

from ..snapshot.lines import PlayLine
from ..snapshot.session_snapshot import SessionSnapshot
from .repeated_boards import played_twice
from .result_check import (
    FEWEST_IN_GAME,
    ParsedLine,
    ProposedRepair,
    ResultDoubt,
    doubtful_lines,
    is_game_contract,
    is_possible_outcome,
    make_doubt,
    opposite_side,
    share_of_denomination,
    strain_of_contract,
    swapped_outcome,
)

#: other tables needed before one can differ from all of them
FEWEST_OTHERS = 4
#: other plays needed before a whole round can, or before two boards can be exchanged
FEWEST_BESIDE = 3
#: least share of the others on the opposite side
MOST_OF_THEM = 0.75
#: distance to the nearest of all others, in IMPs
FAR = 14
FEWEST_TRICKS = 3
LARGE_PENALTY = 1400
#: the leader, by declarer
NEXT = {"N": "E", "E": "S", "S": "W", "W": "N"}


class SectionDoubts:
    """All suspicious results of a section, found by several checks; those that a director dismissed are separate.

    It reads its data when it is made, within a page's snapshot. Later questions need no queries.
    """

    def __init__(self, tonight: SessionSnapshot) -> None:
        self.tonight = tonight
        self.section = tonight.section
        self.settled_keys = set(
            DismissedCheck.objects.filter(section=self.section).values_list("doubt", flat=True)
        )
        lost = Result.objects.filter(
            play__section=self.section,
            play__round__lte=self.section.round,
            stands=True,
            outcome__isnull=False,
        ).exclude(play__taken_back_at=None)
        self._lost = list(lost.select_related("play", "by"))
        self._turned = _exchange_times(SectionMovement.objects.filter(section=self.section))
        _read = tonight.lines, tonight.knows_cards
        ruled = ruled_plays(tonight.session_only_document.session) if tonight.match_rulings else ()
        self._ruled = {play.index for _match, play in ruled}

    @cached_property
    def all_doubts(self) -> list[ResultDoubt]:
        """Return all suspicious results, the certain ones first; of several about one play the most important."""
        doubts: list[ResultDoubt] = []
        plays: set[int] = set()
        for look in self.checks:
            for doubt in look():
                indexes = {line.index for line in doubt.lines if line.play}
                if not indexes & plays:
                    doubts.append(doubt)
                    plays |= indexes
        return sorted(doubts, key=lambda doubt: not doubt.is_sure)

    @property
    def checks(self) -> Sequence[Callable[[], Iterator[ResultDoubt]]]:
        """Return the methods that each look for one kind of suspicious result, the most important first."""
        return (
            self._impossible_results,
            self._replaced_plays,
            self._repeated_boards,
            self._impossible_leads,
            self._exchanged_boards,
            self._turned_rounds,
            self._opposite_declarers,
            self._opposite_scores,
            self._passed_out_games,
            self._other_strains,
            self._extreme_scores,
            self._rare_results,
            self._generous_adjustments,
            self._missing_results,
        )

    @property
    def open_doubts(self) -> list[ResultDoubt]:
        """Return the open suspicions: those that no director has dismissed."""
        return [doubt for doubt in self.all_doubts if doubt.key not in self.settled_keys]

    @property
    def dismissed_doubts(self) -> list[ResultDoubt]:
        """Return the suspicious results that a director has dismissed."""
        return [doubt for doubt in self.all_doubts if doubt.key in self.settled_keys]

    def find(self, key: str) -> ResultDoubt | None:
        """Return the suspicious result with this key; None if there is none."""
        return next((doubt for doubt in self.all_doubts if doubt.key == key), None)

    # ── compared results ──

    @cached_property
    def _played_lines(self) -> list[ParsedLine]:
        """Return the plays of all sections in which cards were played, with their outcomes."""
        seen = []
        for line in self.tonight.lines:
            if isinstance(line.parsed_outcome, PlayedContract | PassedOut | ScoreOnly):
                seen.append(ParsedLine(line, line.parsed_outcome))
        return seen

    @cached_property
    def _results_by_field(self) -> dict[tuple[Any, ...], list[ParsedLine]]:
        """Return the played results grouped by the cards, since only results on the same cards are compared."""
        fields: defaultdict[tuple[Any, ...], list[ParsedLine]] = defaultdict(list)
        for result in self._played_lines:
            fields[self._field_key(result.line)].append(result)
        return fields

    def _field_key(self, line: PlayLine) -> tuple[Any, ...]:
        """Return the key of the results with which a play is compared: those on the same cards."""
        together = self.tonight.session.same_deals
        deals = None if together else self.tonight.owner_of(line.section, line.board)
        if line.section.has_duplicated_matches:
            return (deals, *self.tonight.cards_of(line))
        if line.section.stored.is_draw:  # every match has cards of its own
            names = {contestant.slug for contestant in (*line.ns, *line.ew)}
            return (line.section.pk, line.round, tuple(sorted(names)), line.board)
        return (deals, line.board, line.group)

    @cached_property
    def _section_results(self) -> list[ParsedLine]:
        """Return the played results of this section."""
        return [
            result for result in self._played_lines if result.line.section.pk == self.section.pk
        ]

    def _other_results(self, line: ParsedLine) -> list[ParsedLine]:
        """Return the other tables' results that a play is compared with."""
        return [
            other
            for other in self._results_by_field[self._field_key(line.line)]
            if other is not line
        ]

    # ── proven ──

    def _impossible_results(self) -> Iterator[ResultDoubt]:
        """Yield results that the laws of bridge do not allow."""
        for line in self.tonight.lines_of_section(self.section):
            is_read = not isinstance(line.parsed_outcome, RefusedOutcome)
            if is_read and any(laws.impossible_outcome(line.board, line.parsed_outcome)):
                yield make_doubt("impossible", [line], is_sure=True, repair=ProposedRepair("enter"))

    def _replaced_plays(self) -> Iterator[ResultDoubt]:
        """Yield results lost because a later change of the movement brought other pairs to the table."""
        for result in self._lost:
            play = result.play
            now = [
                line
                for line in self.tonight.in_round(self.section, play.round)
                if (line.table, line.board) == (play.table, play.board)
            ]
            if any(line.outcome == result.outcome for line in now):
                continue
            is_free = bool(now) and now[0].has_begun and now[0].outcome is None
            repair = ProposedRepair("give", ((now[0], result.outcome),)) if is_free else None
            facts = {
                "outcome": result.outcome,
                "round": play.round,
                "table": play.table,
                "board": play.board,
            }
            yield ResultDoubt("taken-back", f"taken-back-{result.pk}", (), (), True, repair, facts)

    def _repeated_boards(self) -> Iterator[ResultDoubt]:
        """Yield results of boards that a contestant had played before (Law 15B)."""
        for repeat in played_twice(self.tonight.lines_of_section(self.section)):
            repair = ProposedRepair("cancel", ((repeat.line, repeat.outcome),))
            facts = {"who": repeat.who, "first": repeat.first.round}
            yield make_doubt(
                "twice", [repeat.line], [repeat.first], is_sure=True, repair=repair, **facts
            )

    def _impossible_leads(self) -> Iterator[ResultDoubt]:
        """Yield results whose opening lead the leader did not hold."""
        for seen in self._section_results:
            outcome, line = seen.outcome, seen.line
            if not isinstance(outcome, PlayedContract) or not outcome.lead or line.group:
                continue
            cards = self.tonight.cards(self.section, line.board)
            leader = NEXT[outcome.declarer]
            if cards is None or cards.has(leader, outcome.lead):
                continue
            facts: dict[str, Any] = {"lead": outcome.lead, "leader": leader}
            facts["holder"] = next(
                hand.seat for hand in cards.hands if cards.has(hand.seat, outcome.lead)
            )
            yield make_doubt("lead", [line], is_sure=True, repair=ProposedRepair("enter"), **facts)

    # ── unlikely ──

    def _exchanged_boards(self) -> Iterator[ResultDoubt]:
        """Yield two boards of a table whose results seem to have been entered on each other's board."""
        for results in self._lines_by_table().values():
            if self._seem_sides_exchanged(results):
                continue
            for place, result in enumerate(results):
                for other in results[place + 1 :]:
                    if self._is_exchanged(result, other):
                        swapped = (
                            (result.line, other.line.outcome),
                            (other.line, result.line.outcome),
                        )
                        if all(is_possible_outcome(line, outcome) for line, outcome in swapped):
                            yield make_doubt(
                                "exchanged",
                                [result.line, other.line],
                                self._lines_as_evidence(result, 1)
                                + self._lines_as_evidence(other, 1),
                                repair=ProposedRepair("exchange", swapped),
                            )

    def _seem_sides_exchanged(self, lines: Sequence[ParsedLine]) -> bool:
        """Return whether North-South and East-West seem to have sat in each other's seats on these boards."""
        sided = [result for result in lines if result.side]
        return len(sided) > 1 and all(
            self._is_opposite(result)
            and 2
            * sum(
                strain_of_contract(other) == strain_of_contract(result)
                for other in self._other_results(result)
            )
            >= len(self._other_results(result))
            for result in sided
        )

    def _is_exchanged(self, first: ParsedLine, second: ParsedLine) -> bool:
        """Return whether two results fit better when they are exchanged."""
        if not first.contract or not second.contract or first.line.board == second.line.board:
            return False
        of_one, of_other = self._other_results(first), self._other_results(second)
        if min(len(of_one), len(of_other)) < FEWEST_BESIDE:
            return False
        return (
            not share_of_denomination(first, of_one)
            and not share_of_denomination(second, of_other)
            and share_of_denomination(first, of_other) >= 0.5
            and share_of_denomination(second, of_one) >= 0.5
        )

    def _turned_rounds(self) -> Iterator[ResultDoubt]:
        """Yield rounds of a table that look as if the pairs sat in each other's direction."""
        for (round, table), results in self._lines_by_table().items():
            sided = [result for result in results if result.side]
            if len(sided) < 2 or not all(self._is_opposite(result) for result in sided):
                continue
            lines = [result.line for result in sided]
            turned = tuple((result.line, swapped_outcome(result.line.outcome)) for result in sided)
            since = self._turned.get((round, table))
            is_turned = since is not None and all(
                line.result is not None and line.result.at < since for line in lines
            )
            repair = ProposedRepair("turn", turned) if is_turned else ProposedRepair("other-way")
            kind = "still-turned" if is_turned else "other-way"
            if kind == "other-way" and not self._can_record_exchanged_sides:
                repair = ProposedRepair("turn", turned)
            yield make_doubt(kind, lines, (), repair=repair)

    @property
    def _can_record_exchanged_sides(self) -> bool:
        """Return whether the director can still record that a table sat with North-South and East-West exchanged."""
        return not self.section.is_finished and not self.section.contest.has_halves

    def _is_opposite(self, line: ParsedLine) -> bool:
        """Return whether the opposite side declared at most other tables."""
        sides = [other.side for other in self._other_results(line) if other.side]
        if len(sides) < FEWEST_BESIDE:
            return False
        return sides.count(opposite_side(line.side)) >= MOST_OF_THEM * len(sides)

    def _opposite_declarers(self) -> Iterator[ResultDoubt]:
        """Yield results declared by the other side than at all other tables, in a strain that others played."""
        for result in self._section_results:
            others = [other for other in self._other_results(result) if other.side]
            if not result.side or len(others) < FEWEST_OTHERS:
                continue
            if any(other.side == result.side for other in others):
                continue
            same = [
                other for other in others if strain_of_contract(other) == strain_of_contract(result)
            ]
            if not same:
                continue
            declarers = Counter(
                str(other.line.outcome and other.line.outcome["declarer"]) for other in same
            )
            declarer = declarers.most_common(1)[0][0]
            outcome = {**(result.line.outcome or {}), "declarer": declarer}
            yield make_doubt(
                "side",
                [result.line],
                [other.line for other in same[:3]],
                repair=ProposedRepair("declarer", ((result.line, outcome),)),
                declarer=declarer,
            )

    def _opposite_scores(self) -> Iterator[ResultDoubt]:
        """Yield results with a plus score for one side, if the other side scored at all other tables."""
        for result, score, others in self._compared_scores(FEWEST_OTHERS):
            scores = [other.score or 0 for other in others]
            if (score > 0 and max(scores) < 0) or (score < 0 and min(scores) > 0):
                outcome = result.line.outcome or {}
                repair = None
                if "score" in outcome and is_possible_outcome(
                    result.line, {**outcome, "score": -score}
                ):
                    repair = ProposedRepair("sign", ((result.line, {**outcome, "score": -score}),))
                yield make_doubt(
                    "sign", [result.line], doubtful_lines(others[:3]), repair=repair, score=score
                )

    def _passed_out_games(self) -> Iterator[ResultDoubt]:
        """Yield passed-out results of boards on which several other tables bid a game contract."""
        for result in self._section_results:
            if isinstance(result.outcome, PassedOut):
                in_game = [
                    other for other in self._other_results(result) if is_game_contract(other)
                ]
                if len(in_game) >= FEWEST_IN_GAME:
                    yield make_doubt(
                        "passed", [result.line], doubtful_lines(in_game[:3]), games=len(in_game)
                    )

    def _other_strains(self) -> Iterator[ResultDoubt]:
        """Yield results with a different strain, if all other tables played the same one."""
        for result in self._section_results:
            others = [other for other in self._other_results(result) if other.contract]
            if not result.contract or len(others) < FEWEST_OTHERS:
                continue
            played = {
                (other.contract.level, other.side_and_strain) for other in others if other.contract
            }
            if len(played) == 1 and others[0].side_and_strain != result.side_and_strain:
                yield make_doubt("contract", [result.line], doubtful_lines(others[:3]))

    def _extreme_scores(self) -> Iterator[ResultDoubt]:
        """Yield results whose score is far from all other scores of the board."""
        for result, mine, others in self._compared_scores(FEWEST_OTHERS):
            scores = [other.score or 0 for other in others]
            if min(imps_of_difference(abs(mine - score)) for score in scores) >= FAR:
                least, most = min(scores), max(scores)
                others_of = doubtful_lines(others[:3])
                yield make_doubt(
                    "far", [result.line], others_of, score=mine, least=least, most=most
                )

    def _rare_results(self) -> Iterator[ResultDoubt]:
        """Yield results that are rare whatever the cards, such as seven notrump made."""
        for result in self._section_results:
            outcome = result.outcome
            if not isinstance(outcome, PlayedContract):
                continue
            vulnerable = is_vulnerable(result.line.board, outcome.declarer)
            points = declarers_score(outcome.contract, outcome.tricks, vulnerable=vulnerable)
            if points <= -LARGE_PENALTY:
                yield make_doubt("penalty", [result.line], points=-points)
            elif outcome.tricks <= FEWEST_TRICKS:
                yield make_doubt("tricks", [result.line], tricks=outcome.tricks)
            elif outcome.contract.doubled == 2:
                yield make_doubt("redoubled", [result.line])

    def _generous_adjustments(self) -> Iterator[ResultDoubt]:
        """Yield adjusted scores that sum to more than 100 %, although no side is called without fault."""
        in_per_cent = self.tonight.method in IN_PER_CENT
        for line in self.tonight.lines_of_section(self.section):
            if laws.exceeds_full_score(line.parsed_outcome, in_per_cent=in_per_cent):
                yield make_doubt("generous", [line])

    def _missing_results(self) -> Iterator[ResultDoubt]:
        """Yield plays of completed rounds that have no result, unless the director ruled on their match."""
        last = self.section.round if self.section.is_finished else self.section.round - 1
        missing: defaultdict[tuple[int, int], list[PlayLine]] = defaultdict(list)
        for line in self.tonight.lines_of_section(self.section):
            is_due = line.has_begun and line.round <= last and line.index not in self._ruled
            if is_due and line.outcome is None:
                missing[line.round, line.table].append(line)
        for lines in missing.values():
            outcomes = tuple((line, {"not_played": "skipped"}) for line in lines)
            yield make_doubt("missing", lines, repair=ProposedRepair("not-played", outcomes))

    # ── helpers ──

    def _lines_by_table(self) -> dict[tuple[int, int], list[ParsedLine]]:
        """Return the section's plays by round and table."""
        by_table: defaultdict[tuple[int, int], list[ParsedLine]] = defaultdict(list)
        for result in self._section_results:
            by_table[result.line.round, result.line.table].append(result)
        return by_table

    def _compared_scores(self, minimum: int) -> Iterator[tuple[ParsedLine, int, list[ParsedLine]]]:
        """Yield each result with its score and the results of other tables, if at least `minimum` exist."""
        for result in self._section_results:
            score = result.score
            others = [other for other in self._other_results(result) if other.score is not None]
            if score is not None and len(others) >= minimum:
                yield result, score, others

    def _lines_as_evidence(self, line: ParsedLine, count: int) -> list[PlayLine]:
        """Return a few plays with a board's most frequent contract, to compare with a suspicious result."""
        others = [other for other in self._other_results(line) if other.contract]
        common = Counter(other.side_and_strain for other in others).most_common(1)[0][0]
        return [other.line for other in others if other.side_and_strain == common][:count]


def _exchange_times(versions: Iterable[SectionMovement]) -> dict[tuple[int, int], datetime]:
    """Return when each table (by round and table) was recorded as playing with directions exchanged."""
    turns: list[tuple[int, tuple[int, int], datetime]] = []
    for version in versions:
        if version.holds is not None:
            turns = [turn for turn in turns if turn[0] <= version.holds]
            continue
        facts = version.facts
        if {"round", "table"} <= facts.keys() and not facts.keys() & {"other_table", "had", "one"}:
            turns.append((version.version, (facts["round"], facts["table"]), version.at))
    return {place: at for _version, place, at in turns}
